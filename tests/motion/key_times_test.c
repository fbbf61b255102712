// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Times that a clip is carried over at: its keys where they are even or few, else 60 a second.

#include "motion/take/key_times.h"

#include "gertie/accessor.h"
#include "gertie/build.h"
#include "support/test.h"

#include <math.h>

// A node that moves, with keys at times.
static GtScene* make_clip(const GtContext* context, const float* times, uint64_t count)
{
    GtError error;
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(context, &scene, &error));
    GtNode node = gt_default_node();
    GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
    GtVec3* places = gt_scene_push(scene, count, sizeof *places);
    GtAnimationSampler* sampler = gt_scene_push(scene, 1, sizeof *sampler);
    GtAnimationChannel* channel = gt_scene_push(scene, 1, sizeof *channel);
    for (uint64_t i = 0; i < count; ++i) {
        places[i] = gt_vec3((float)i, 0.0f, 0.0f);
    }
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, times, count,
                                   &sampler->input, &error));
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_DATA, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, places, count,
                                   &sampler->output, &error));
    channel->path = GT_PATH_TRANSLATION;
    GtAnimation clip = { .samplers = sampler, .sampler_count = 1, .channels = channel, .channel_count = 1 };
    GT_EXPECT_OK(gt_scene_add_animation(scene, &clip, NULL, &error));
    return scene;
}

// The times of a clip with keys at these; [*count] free with the arena.
static float* times_of(const float* keys, uint64_t key_count, GtArena* arena, int32_t* count)
{
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = make_clip(&context, keys, key_count);
    GtBuildDef build = gt_default_build_def();
    GtCharacter* character = NULL;
    GtClip* clip = NULL;
    float* times = NULL;
    GT_EXPECT_OK(gt_character_build(&context, scene, &build, &character, NULL, &error));
    GT_EXPECT_OK(gt_clip_build(&context, scene, 0, character, &clip, &error));
    GtiKeyTimesDef def = { .scene = scene, .start_s = gt_clip_start_s(clip), .end_s = gt_clip_end_s(clip) };
    GT_EXPECT_OK(gti_key_times(&def, arena, &times, count, &error));
    gt_clip_destroy(clip);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
    return times;
}

static void even_or_sparse_keys_stay(void** state)
{
    (void)state;
    float even[241];
    for (int i = 0; i < 241; ++i) {
        even[i] = (float)i / 120.0f; // a capture
    }
    static const float sparse[4] = { 0.0f, 0.1f, 1.5f, 2.0f };
    GtArena arena = gt_arena_create(gt_default_allocator());
    int32_t count = 0;
    float* times = times_of(even, 241, &arena, &count);
    assert_int_equal(count, 241);
    assert_memory_equal(times, even, sizeof even);
    times = times_of(sparse, 4, &arena, &count);
    assert_int_equal(count, 4);
    assert_memory_equal(times, sparse, sizeof sparse);
    gt_arena_destroy(&arena);
}

static void dense_uneven_keys_become_even(void** state)
{
    (void)state;
    float keys[500];
    for (int i = 0; i < 500; ++i) { // dense at the start
        keys[i] = 0.25f + 1.99f * powf((float)i / 499.0f, 3.0f) + 1e-5f * (float)i;
    }
    GtArena arena = gt_arena_create(gt_default_allocator());
    int32_t count = 0;
    float* times = times_of(keys, 500, &arena, &count);
    double length_s = (double)(keys[499] - keys[0]);
    assert_int_equal(count, (int)ceil(length_s * 60.0) + 1);
    GT_EXPECT_NEAR(times[0], keys[0], 0.0);
    GT_EXPECT_NEAR(times[count - 1], keys[499], 1e-6);
    for (int32_t i = 1; i < count; ++i) {
        GT_EXPECT_NEAR(times[i] - times[i - 1], length_s / (count - 1), 1e-6);
    }
    gt_arena_destroy(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_or_sparse_keys_stay),
        cmocka_unit_test(dense_uneven_keys_become_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

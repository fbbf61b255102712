// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What no one changes may be read by any number of threads: one scene is copied, validated, built and saved by several
// at once, and one character is played by several instances at once. Each thread's results equal those of one thread;
// the thread sanitizer sees whether they got there by luck.

#include "support/test.h"

#include "gertie/build.h"
#include "gertie/file.h"
#include "gertie/instance.h"
#include "gertie/person.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    THREAD_COUNT = 4,
    FRAME_COUNT = 8,
};

// What all threads read.
typedef struct Shared {
    const GtScene* scene;
    const GtCharacter* character;
    const GtClip* clip;
    int32_t vertex_count;
} Shared;

// What one thread makes of it. cmocka's checks are not for worker threads, so failures are kept and looked at later.
typedef struct Worker {
    const Shared* shared;
    const char* failed;
    GtBlob* saved;
    GtVec3* positions; // [FRAME_COUNT * vertex_count]
} Worker;

static const char* author(Worker* worker)
{
    GtContext context = gt_default_context();
    GtError error;
    GtScene* copy = NULL;
    if (gt_scene_copy(&context, worker->shared->scene, &copy, &error) != GT_OK) {
        return "copy";
    }
    const char* failed = NULL;
    GtBuildDef build_def = gt_default_build_def();
    GtSaveDef save_def = gt_default_save_def();
    GtCharacter* character = NULL;
    if (gt_scene_validate(&context, copy, &error) != GT_OK) {
        failed = "validate";
    } else if (gt_character_build(&context, copy, &build_def, &character, NULL, &error) != GT_OK) {
        failed = "build";
    } else if (gt_scene_save_memory(&context, copy, "glb", &save_def, &worker->saved, &error) != GT_OK) {
        failed = "save";
    }
    gt_character_destroy(character);
    gt_scene_destroy(copy);
    return failed;
}

static const char* play(Worker* worker)
{
    const Shared* shared = worker->shared;
    GtError error;
    GtInstance* instance = NULL;
    if (gt_instance_create(gt_default_allocator(), shared->character, &instance, &error) != GT_OK) {
        return "instance";
    }
    for (int frame = 0; frame < FRAME_COUNT; ++frame) {
        GtVec3* positions = worker->positions + (size_t)frame * (size_t)shared->vertex_count;
        gt_clip_sample(shared->clip, 0.1 * frame, instance->pose, instance->weights);
        gt_instance_update(instance);
        for (int32_t mesh = 0; mesh < gt_character_def(shared->character)->mesh_count; ++mesh) {
            gt_instance_deform(instance, mesh, positions, NULL, NULL);
            positions += gt_character_def(shared->character)->meshes[mesh].vertex_count;
        }
    }
    gt_instance_destroy(instance);
    return NULL;
}

static void* work(void* user)
{
    Worker* worker = user;
    worker->failed = author(worker);
    worker->failed = worker->failed ? worker->failed : play(worker);
    return NULL;
}

static void expect_worked(const Worker* worker, const Worker* alone, int32_t vertex_count)
{
    if (worker->failed) {
        fail_msg("a thread failed to %s", worker->failed);
    }
    assert_int_equal(gt_blob_size(worker->saved), gt_blob_size(alone->saved));
    assert_memory_equal(gt_blob_bytes(worker->saved), gt_blob_bytes(alone->saved), gt_blob_size(alone->saved));
    assert_memory_equal(worker->positions, alone->positions,
                        (size_t)FRAME_COUNT * (size_t)vertex_count * sizeof *alone->positions);
}

static void test_threads_share_what_no_one_changes(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtPersonDef person_def = gt_default_person_def();
    person_def.triangle_count = 2000;
    GT_EXPECT_OK(gt_sample_person(&context, &person_def, &scene, NULL, &error));
    GtCharacter* character = NULL;
    GtBuildDef build_def = gt_default_build_def();
    GT_EXPECT_OK(gt_character_build(&context, scene, &build_def, &character, NULL, &error));

    // One turning joint is enough to make every frame another.
    int32_t node = gt_character_find_node(character, "spine");
    assert_int_not_equal(node, GT_NONE);
    const float times_s[] = { 0.0f, 1.0f };
    const float rotations[] = { 0.0f, 0.0f, 0.0f, 1.0f, 0.6f, 0.0f, 0.0f, 0.8f };
    const GtTrackDef track = { GT_TRACK_ROTATION, node, 4, GT_INTERPOLATION_LINEAR, 2, times_s, rotations };
    GtClipDef clip_def = gt_default_clip_def();
    clip_def.track_count = 1;
    clip_def.tracks = &track;
    clip_def.node_count = gt_character_def(character)->node_count;
    GtClip* clip = NULL;
    GT_EXPECT_OK(gt_clip_create(context.allocator, &clip_def, &clip, &error));

    Shared shared = { .scene = scene, .character = character, .clip = clip };
    for (int32_t i = 0; i < gt_character_def(character)->mesh_count; ++i) {
        shared.vertex_count += gt_character_def(character)->meshes[i].vertex_count;
    }
    Worker workers[THREAD_COUNT + 1] = { { 0 } }; // the last one works alone
    for (int i = 0; i <= THREAD_COUNT; ++i) {
        workers[i].shared = &shared;
        workers[i].positions = calloc((size_t)FRAME_COUNT * (size_t)shared.vertex_count, sizeof(GtVec3));
        assert_non_null(workers[i].positions);
    }
    pthread_t threads[THREAD_COUNT];
    for (int i = 0; i < THREAD_COUNT; ++i) {
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREAD_COUNT; ++i) {
        pthread_join(threads[i], NULL);
    }
    Worker* alone = &workers[THREAD_COUNT];
    work(alone);
    assert_null(alone->failed);
    assert_memory_not_equal(alone->positions, alone->positions + shared.vertex_count,
                            (size_t)shared.vertex_count * sizeof(GtVec3));
    for (int i = 0; i < THREAD_COUNT; ++i) {
        expect_worked(&workers[i], alone, shared.vertex_count);
    }
    for (int i = 0; i <= THREAD_COUNT; ++i) {
        gt_blob_release(workers[i].saved);
        free(workers[i].positions);
    }
    gt_clip_destroy(clip);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_share_what_no_one_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "gertie/crowd.h"

#include "runtime/figure.h"

enum {
    MEMBERS = 101
};

// The same crowd on any number of threads, against one member after the other.
static void test_results_do_not_depend_on_threads(void** state)
{
    (void)state;
    static const float times[2] = { 0, 1 };
    static const float turns[8] = { 0, 0, 0, 1, 0.6f, 0, 0, 0.8f };
    const GtTrackDef track = { GT_TRACK_ROTATION, HEAD, 4, GT_INTERPOLATION_LINEAR, 2, times, turns };
    GtClipDef def = { .tracks = &track, .track_count = 1, .node_count = FIGURE_NODES };
    Figure figure = create_figure();
    GtError error;
    GtClip* clip;
    GT_EXPECT_OK(gt_clip_create(gt_default_allocator(), &def, &clip, &error));
    GtCrowdMember members[MEMBERS];
    GtInstance* expected;
    GT_EXPECT_OK(gt_instance_create(gt_default_allocator(), figure.character, &expected, &error));
    for (int i = 0; i < MEMBERS; ++i) {
        members[i] = (GtCrowdMember){ NULL, i % 7 ? clip : NULL, (double)i / MEMBERS };
        GT_EXPECT_OK(gt_instance_create(gt_default_allocator(), figure.character, &members[i].instance, &error));
    }
    for (int32_t threads = 1; threads <= 4; ++threads) {
        GtThreadPool* pool;
        GT_EXPECT_OK(gt_thread_pool_create(gt_default_allocator(), threads, &pool, &error));
        GtExecutor executor = gt_thread_pool_executor(pool);
        for (int i = 0; i < MEMBERS; ++i) {
            memset(members[i].instance->model_from_node, 0xCD, FIGURE_NODES * sizeof(GtMat34));
        }
        gt_crowd_update(&executor, members, MEMBERS);
        for (int i = 0; i < MEMBERS; ++i) {
            gt_instance_reset(expected);
            if (members[i].clip) {
                gt_clip_sample(clip, members[i].time_s, expected->pose, expected->weights);
            }
            gt_instance_update(expected);
            assert_memory_equal(members[i].instance->model_from_node, expected->model_from_node,
                                FIGURE_NODES * sizeof(GtMat34));
        }
        gt_thread_pool_destroy(pool);
    }
    for (int i = 0; i < MEMBERS; ++i) {
        gt_instance_destroy(members[i].instance);
    }
    gt_instance_destroy(expected);
    gt_clip_destroy(clip);
    gt_character_destroy(figure.character);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Oracle: the same frame on one thread, bit by bit.

#include "tube.h"

static void* reserve(size_t size)
{
    void* memory = aligned_alloc(GT_ALIGNMENT, (size + GT_ALIGNMENT - 1) / GT_ALIGNMENT * GT_ALIGNMENT);
    assert_non_null(memory);
    return memory;
}

// Enough vertices for pieces on several threads.
static void threads_change_no_digit(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtHarmonic* harmonic;
    Tube tube = tube_create(24, 120);
    tube_mark(&tube, 0.05f);
    GT_EXPECT_OK(gt_harmonic_create(&context, &tube.def, &harmonic, NULL, &error));
    GtQuat rotations[TUBE_MARKERS];
    tube_bend(0.6f, rotations);
    size_t size = (size_t)tube.def.vertex_count * sizeof(GtVec3);
    GtVec3* alone = reserve(size);
    GtVec3* shared = reserve(size);
    void* scratch = reserve(gt_harmonic_pose_scratch_size(harmonic));
    GtHarmonicFrame frame = { .rotations = rotations, .anchor = gt_harmonic_anchor(harmonic), .positions = alone };
    gt_harmonic_pose(harmonic, &frame, NULL, scratch);
    frame.positions = shared;
    for (int32_t threads = 2; threads <= 3; ++threads) {
        GtThreadPool* pool;
        GT_EXPECT_OK(gt_thread_pool_create(gt_default_allocator(), threads, &pool, &error));
        GtExecutor executor = gt_thread_pool_executor(pool);
        for (int round = 0; round < 5; ++round) {
            memset(shared, 0xCD, size);
            gt_harmonic_pose(harmonic, &frame, &executor, scratch);
            assert_memory_equal(shared, alone, size);
        }
        gt_thread_pool_destroy(pool);
    }
    free(scratch);
    free(shared);
    free(alone);
    gt_harmonic_destroy(harmonic);
    tube_destroy(&tube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_no_digit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

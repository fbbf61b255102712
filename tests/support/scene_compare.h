// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A deep comparison of scenes, which names the first field that differs.

#ifndef GERTIE_TESTS_SUPPORT_SCENE_COMPARE_H
#define GERTIE_TESTS_SUPPORT_SCENE_COMPARE_H

#include "gertie/scene.h"

// Whether two scenes say the same, bit by bit. Data is compared where views lead, not where buffers lie: writers may
// lay buffers out anew. A scene that was never in a file (no generator, no source format) equals what a file makes of
// it. The folder a scene came from does not count.
// @param out  [out_size] receives "nodes[3].mesh: 1, 2" when they differ
bool test_scenes_equal(const GtScene* a, const GtScene* b, char* out, size_t out_size);

// Fail the test unless the scenes are equal.
#define GT_EXPECT_SCENES_EQUAL(a, b)                                                                                   \
    do {                                                                                                               \
        char expect_difference[512];                                                                                   \
        if (!test_scenes_equal(a, b, expect_difference, sizeof expect_difference)) {                                   \
            fail_msg("scenes differ at %s", expect_difference);                                                        \
        }                                                                                                              \
    } while (0)

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One person on rigs as exporters make them, for tests of promises that must hold on all: the same body, vertex for
// vertex, in other units, axes and hierarchies. And the real rigs of GERTIE_DATA.

#ifndef GERTIE_TESTS_SUPPORT_RIGS_H
#define GERTIE_TESTS_SUPPORT_RIGS_H

#include "gertie/scene.h"

enum {
    TEST_RIG_PLAIN,
    TEST_RIG_CENTIMETRES, // an armature of scale 0.01 over bones in centimetres, as Mixamo's
    TEST_RIG_Z_UP,        // under an armature that turns Z up into Y up, as Blender's
    TEST_RIG_ELSEWHERE,   // under an armature that is turned and moved, the body with it
    TEST_RIG_MESH_UNITS,  // vertices in centimetres, which the inverse bind matrices scale
    TEST_RIG_MIRRORED,    // an armature of scale (-1, 1, 1)
    TEST_RIG_HELPERS,     // turned nodes between the joints
    TEST_RIG_ROLLED,      // joints with axes of their own
    TEST_RIG_ALL,         // centimetres, Z up, helpers and rolled joints
    TEST_RIG_COUNT
};

const char* test_rig_name(int32_t kind);

// A person on such a rig; free with gt_scene_destroy().
GtScene* test_rig(const GtContext* context, int32_t kind, int32_t triangle_count);

// The n-th real rig, a humanoid, or NULL past the last one and where GERTIE_DATA is not set.
GtScene* test_real_rig(const GtContext* context, int32_t n, const char** name);

#endif

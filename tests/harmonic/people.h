// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The built-in person, rigged, for tests of markers.

#ifndef GERTIE_TESTS_HARMONIC_PEOPLE_H
#define GERTIE_TESTS_HARMONIC_PEOPLE_H

#include "support/test.h"

#include "gertie/person.h"

static inline GtScene* make_person(const GtContext* context, int32_t triangle_count)
{
    GtError error;
    GtScene* scene = NULL;
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = triangle_count;
    GT_EXPECT_OK(gt_sample_person(context, &def, &scene, NULL, &error));
    return scene;
}

// The node of a joint of the person, who is named by the vocabulary.
static inline int32_t node_of(const GtScene* scene, GtHumanoidJoint joint)
{
    int32_t node = gt_scene_find_node(scene, gt_humanoid_name(joint));
    assert_int_not_equal(node, GT_NONE);
    return node;
}

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The skeleton that a rigged scene has, as rigging would have to find it.

#ifndef GERTIE_TESTS_RIG_TRUTH_H
#define GERTIE_TESTS_RIG_TRUTH_H

#include "gertie/scene.h"

#include "rig/body/body.h"
#include "rig/skeleton.h"
#include "scene/world.h"

#include "support/test.h"

// Where a joint's bone leads, first of those that are there.
static inline int32_t truth_child(const int32_t* joints, GtHumanoidJoint joint)
{
    for (int j = joint + 1; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        bool aside = joint <= GT_HUMANOID_HEAD && j >= GT_HUMANOID_LEFT_EYE; // legs, shoulders, eyes, jaw
        if (joints[j] == GT_NONE || aside) {
            continue;
        }
        bool of_hand = joint == GT_HUMANOID_LEFT_HAND || joint == GT_HUMANOID_RIGHT_HAND;
        int32_t parent = gt_humanoid_parent((GtHumanoidJoint)j);
        while (parent != GT_NONE && joints[parent] == GT_NONE) {
            parent = gt_humanoid_parent((GtHumanoidJoint)parent);
        }
        bool middle = j == GT_HUMANOID_LEFT_MIDDLE_PROXIMAL || j == GT_HUMANOID_RIGHT_MIDDLE_PROXIMAL;
        if (parent == (int32_t)joint && (!of_hand || middle)) {
            return joints[j];
        }
    }
    return GT_NONE;
}

// Where a bone without a child ends.
static inline GtVec3 truth_end(const GtiRigSkeleton* skeleton, const GtiRigJoint* joint)
{
    GtVec3 p = joint->position;
    switch (joint->humanoid) {
    case GT_HUMANOID_HEAD:
        return gt_vec3(p.x, 0.99f, p.z);
    case GT_HUMANOID_LEFT_FOOT:
    case GT_HUMANOID_RIGHT_FOOT:
        return gt_vec3(p.x, 0.02f, p.z + 0.1f);
    case GT_HUMANOID_LEFT_TOES:
    case GT_HUMANOID_RIGHT_TOES:
        return gt_vec3(p.x, p.y, p.z + 0.04f);
    case GT_HUMANOID_LEFT_EYE:
    case GT_HUMANOID_RIGHT_EYE:
    case GT_HUMANOID_JAW:
        return gt_vec3(p.x, p.y, p.z + 0.01f);
    default:
        break;
    }
    bool hand = joint->humanoid == GT_HUMANOID_LEFT_HAND || joint->humanoid == GT_HUMANOID_RIGHT_HAND;
    GtVec3 before = joint->parent == GT_NONE ? p : skeleton->joints[joint->parent].position;
    return gt_vec3_add(p, gt_vec3_scale(gt_vec3_sub(p, before), hand ? 0.6f : 0.8f));
}

// A skeleton of the joints that are known, at places in body space.
static inline GtiRigSkeleton truth_from_places(const GtVec3* places, const bool* known, GtArena* arena)
{
    GtiRigSkeleton skeleton = { gt_arena_push_array(arena, GT_HUMANOID_JOINT_COUNT, sizeof(GtiRigJoint)), 0 };
    int32_t joints[GT_HUMANOID_JOINT_COUNT];
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        joints[j] = GT_NONE;
        if (!known[j]) {
            continue;
        }
        int32_t parent = gt_humanoid_parent((GtHumanoidJoint)j);
        while (parent != GT_NONE && joints[parent] == GT_NONE) {
            parent = gt_humanoid_parent((GtHumanoidJoint)parent);
        }
        joints[j] = skeleton.joint_count;
        skeleton.joints[skeleton.joint_count++] = (GtiRigJoint){ .parent = parent == GT_NONE ? GT_NONE : joints[parent],
                                                                 .humanoid = j,
                                                                 .position = places[j] };
    }
    for (int32_t i = 0; i < skeleton.joint_count; ++i) {
        GtiRigJoint* joint = &skeleton.joints[i];
        int32_t mirror = joints[gt_humanoid_mirror((GtHumanoidJoint)joint->humanoid)];
        int32_t child = truth_child(joints, (GtHumanoidJoint)joint->humanoid);
        joint->mirror = mirror == GT_NONE ? i : mirror;
        joint->tip = child == GT_NONE ? truth_end(&skeleton, joint) : skeleton.joints[child].position;
    }
    return skeleton;
}

// Joints of `map`, in the space of `body`, which was gathered from the same scene.
static inline GtiRigSkeleton make_truth(const GtScene* scene, const GtHumanoidMap* map, const GtiRigBody* body,
                                        GtArena* arena)
{
    GtError error = { 0 };
    GtMat34* worlds = NULL;
    GT_EXPECT_OK(gti_scene_worlds(scene, arena, &worlds, &error));
    GtVec3 places[GT_HUMANOID_JOINT_COUNT];
    bool known[GT_HUMANOID_JOINT_COUNT];
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        known[j] = map->nodes[j] != GT_NONE;
        if (known[j]) {
            places[j] = gt_mat34_point(&body->body_from_scene, gt_mat34_translation(&worlds[map->nodes[j]]));
        }
    }
    return truth_from_places(places, known, arena);
}

#endif

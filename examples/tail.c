// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A tail of twelve joints whose tip follows a point around a circle: a chain, as for tentacles and ropes. No joint
// bends by more than 40 degrees. Links libgertie-runtime alone.
//   usage: tail

#include <gertie/runtime.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    JOINTS = 12,
    FRAMES = 24
};

static void check(GtResult result, const GtError* error)
{
    if (result != GT_OK) {
        fprintf(stderr, "tail: %s\n", error->message);
        exit(EXIT_FAILURE);
    }
}

int main(void)
{
    // A row of joints along Z, 0.1 m apart, each with a limit.
    const float limit_rad = (float)gt_radians(40.0);
    int32_t parents[JOINTS];
    GtTransform rest[JOINTS], pose[JOINTS];
    GtIkJoint joints[JOINTS];
    for (int i = 0; i < JOINTS; ++i) {
        parents[i] = i - 1; // GT_NONE for the first
        rest[i] = gt_transform_identity();
        rest[i].translation.z = i ? 0.1f : 0.0f;
        pose[i] = rest[i];
        joints[i] = gt_default_ik_joint();
        joints[i].node = i;
        joints[i].axis = gt_vec3(0.0f, 0.0f, 1.0f); // the bone
        joints[i].max_swing_rad = limit_rad;
    }
    GtError error;
    GtCharacter* tail = NULL;
    GtCharacterDef def = gt_default_character_def();
    def.node_count = JOINTS;
    def.parents = parents;
    def.rest = rest;
    check(gt_character_create(gt_default_allocator(), &def, &tail, &error), &error);

    GtIkChain chain = gt_default_ik_chain();
    chain.top = 0;
    chain.end = JOINTS - 1;
    chain.point = gt_vec3(0.0f, 0.0f, 0.1f); // the tip of the last bone
    chain.joints = joints;
    chain.joint_count = JOINTS;
    GtMat34 model_from_node[JOINTS];
    gt_character_to_model(tail, pose, model_from_node);
    float worst_m = 0.0f, most_rad = 0.0f;
    for (int frame = 0; frame < FRAMES; ++frame) {
        float angle_rad = 6.2831853f * (float)frame / FRAMES;
        chain.target = gt_vec3(0.5f * cosf(angle_rad), 0.5f * sinf(angle_rad), 0.8f);
        GtIkReport report = gt_ik_chain(tail, &chain, pose, model_from_node); // from the last frame's pose on
        worst_m = fmaxf(worst_m, report.miss_m);
        for (int i = 0; i < JOINTS; ++i) {
            GtVec3 bone = gt_quat_rotate(pose[i].rotation, gt_vec3(0.0f, 0.0f, 1.0f));
            most_rad = fmaxf(most_rad, acosf(fminf(bone.z, 1.0f)));
        }
        GtVec3 tip = gt_mat34_point(&model_from_node[JOINTS - 1], chain.point);
        printf("%.3f %.3f %.3f\n", (double)tip.x, (double)tip.y, (double)tip.z);
    }
    fprintf(stderr, "no tip is farther than %.2f mm from its target, no joint bends by more than %.1f degrees\n",
            1e3 * (double)worst_m, gt_degrees((double)most_rad));
    gt_character_destroy(tail);
    return worst_m < 0.002f && most_rad < limit_rad + 1e-3f ? EXIT_SUCCESS : EXIT_FAILURE;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the tests of the BVH reader and writer share.

#ifndef GERTIE_TESTS_IO_BVH_SUPPORT_H
#define GERTIE_TESTS_IO_BVH_SUPPORT_H

#include "gertie/accessor.h"
#include "io/bvh/bvh.h"
#include "support/test.h"

// A person of 1.7 m in centimetres: root, spine to the head, two legs, two arms stretched out.
#define BVH_PERSON                                                                                                     \
    "HIERARCHY\nROOT Hips\n{\n OFFSET 0 90 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "          \
    "Yrotation\n"                                                                                                      \
    " JOINT Spine\n {\n  OFFSET 0 20 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n"                                  \
    "  JOINT Head\n  {\n   OFFSET 0 40 0\n   CHANNELS 3 Zrotation Xrotation Yrotation\n"                               \
    "   End Site\n   {\n    OFFSET 0 20 0\n   }\n  }\n"                                                                \
    "  JOINT LeftArm\n  {\n   OFFSET 18 30 0\n   CHANNELS 3 Zrotation Xrotation Yrotation\n"                           \
    "   JOINT LeftHand\n   {\n    OFFSET 50 0 0\n    CHANNELS 3 Zrotation Xrotation Yrotation\n   }\n  }\n"            \
    "  JOINT RightArm\n  {\n   OFFSET -18 30 0\n   CHANNELS 3 Zrotation Xrotation Yrotation\n"                         \
    "   JOINT RightHand\n   {\n    OFFSET -50 0 0\n    CHANNELS 3 Zrotation Xrotation Yrotation\n   }\n  }\n }\n"      \
    " JOINT LeftUpLeg\n {\n  OFFSET 10 -5 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n"                             \
    "  JOINT LeftFoot\n  {\n   OFFSET 0 -80 0\n   CHANNELS 3 Zrotation Xrotation Yrotation\n  }\n }\n"                 \
    " JOINT RightUpLeg\n {\n  OFFSET -10 -5 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n"                           \
    "  JOINT RightFoot\n  {\n   OFFSET 0 -80 0\n   CHANNELS 3 Zrotation Xrotation Yrotation\n  }\n }\n}\n"

enum {
    BVH_PERSON_JOINTS = 11,
    BVH_PERSON_CHANNELS = 36
};

// Read a terminated text, with what `def` says; inferring all of it where `def` is NULL.
static inline GtResult bvh_read_with(const GtContext* context, const char* text, const GtLoadDef* def, GtScene** scene,
                                     GtError* error)
{
    GtLoadDef infer = { .metres_per_unit = 0.0, .up_axis = GT_NONE };
    return gti_bvh_read(context, text, strlen(text), "walk.bvh", def ? def : &infer, scene, error);
}

// Frames of the clip, 0 where there is none.
static inline uint64_t bvh_frame_count(const GtScene* scene)
{
    return scene->animation_count ? scene->accessors[scene->animations[0].samplers[0].input].count : 0;
}

// The value of a curve in one frame; fails the test where the node has no such curve.
static inline void bvh_value(const GtScene* scene, int32_t node, GtAnimationPath path, uint64_t frame, float out[4])
{
    const GtAnimation* animation = &scene->animations[0];
    memset(out, 0, 4 * sizeof *out);
    for (int32_t i = 0; i < animation->channel_count; ++i) {
        if (animation->channels[i].node == node && animation->channels[i].path == path) {
            gt_accessor_read_floats(scene, animation->samplers[animation->channels[i].sampler].output, frame, 1, out);
            return;
        }
    }
    fail_msg("node %d has no curve of path %d", node, (int)path);
}

static inline bool bvh_has_curve(const GtScene* scene, int32_t node, GtAnimationPath path)
{
    for (int32_t i = 0; scene->animation_count && i < scene->animations[0].channel_count; ++i) {
        const GtAnimationChannel* channel = &scene->animations[0].channels[i];
        if (channel->node == node && channel->path == path) {
            return true;
        }
    }
    return false;
}

#endif

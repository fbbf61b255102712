// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The body in a BVH file, as far as units, the up axis and a T-pose can be told from it: where its head, feet and hands
// are, how long it is, and where its joints are in a frame.

#ifndef GERTIE_IO_BVH_BODY_H
#define GERTIE_IO_BVH_BODY_H

#include "base/quat_double.h"
#include "io/bvh/clip.h"

enum {
    GTI_BVH_MAX_LANDMARKS = 8
};

// Joints of one kind: the topmost that bear its name.
typedef struct GtiBvhLandmarks {
    int32_t count;
    int32_t joints[GTI_BVH_MAX_LANDMARKS];
} GtiBvhLandmarks;

typedef struct GtiBvhBody {
    const GtiBvh* bvh;
    const GtiBvhClip* clip;
    const double* bones; // [joint_count * 3] rest translations: the OFFSETs, or where all are zero the first frame's
    bool zero_offsets;   // they were all zero, and the first frame has been taken
    GtiBvhLandmarks heads;
    GtiBvhLandmarks feet;
    GtiBvhLandmarks hands;
    int32_t hips;            // first joint below the root that branches, or the root where none does
    const int32_t* siblings; // [joint_count] child of the same parent just before a joint, or GT_NONE
    const double* reach;     // [joint_count] length of the bones from the root to the joint
    double* positions;       // [joint_count * 3] of the pose last asked for
    GtiQuat* rotations;      // [joint_count] of the same pose
} GtiBvhBody;

enum {
    GTI_BVH_REST = -1
};

GtResult gti_bvh_make_body(GtiBvh* bvh, const GtiBvhClip* clip, GtiBvhBody* body);

// Fill body->positions with the rest pose (roots at the origin) or a frame, in the file's units and axes.
void gti_bvh_pose(GtiBvhBody* body, int64_t frame);

// Length of the bones between two joints.
double gti_bvh_path_length(const GtiBvhBody* body, int32_t a, int32_t b);

// Extent of the joints of the pose last asked for along x, y and z.
void gti_bvh_extents(const GtiBvhBody* body, double extents[3]);

// The way up in the pose last asked for, by its head, feet and hips; not of unit length. False where names tell
// nothing.
bool gti_bvh_way_up(const GtiBvhBody* body, double up[3]);

#endif

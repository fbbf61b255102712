// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The joints of a scene in the order of a BVH file, with the channels each will have and the curves that feed them.

#ifndef GERTIE_IO_BVH_SKELETON_H
#define GERTIE_IO_BVH_SKELETON_H

#include "base/quat_double.h"
#include "gertie/file.h"
#include "io/bvh/curve.h"
#include "io/bvh/euler.h"

// The times at which frames are taken.
typedef struct GtiBvhTimes {
    int64_t count;
    double start_s;
    double step_s;
    const float* keys; // [count] shared by all curves, or NULL: then start_s + i * step_s
} GtiBvhTimes;

typedef struct GtiBvhOutJoint {
    int32_t node;
    int32_t parent;      // among the joints, or GT_NONE
    int32_t child_count; // among the joints
    int32_t curves[3];   // by GtAnimationPath: translation, rotation, scale; or GT_NONE
    GtBvhJoint layout;
    GtiBvhAxes axes; // of its rotation channels
    double* angles;  // [axes.count] of the frame last written
} GtiBvhOutJoint;

typedef struct GtiBvhSkeleton {
    const GtContext* context;
    const GtScene* scene;
    GtArena* arena;
    GtError* error;
    const GtAnimation* animation; // or NULL
    GtiBvhOutJoint* joints;       // children after their parent, before its next sibling
    int32_t joint_count;
    GtiBvhCurve* curves;
    int32_t curve_count;
    GtiBvhTimes times;
    double metres_per_unit;
    GtUpAxis up_axis;
    const double* stretch; // [joint_count * 9] what scales make of a joint's children's translations, row by row; NULL
                           // where nothing is scaled
    const GtiQuat* file_from_joint; // [joint_count] how joints are rotated in the pose in which the file has no
                                    // rotations; NULL where they keep their own axes
} GtiBvhSkeleton;

// Choose joints, channels and times. `skeleton` has context, scene, arena and error set.
GtResult gti_bvh_make_skeleton(GtiBvhSkeleton* skeleton, const GtSaveDef* def);

static inline double gti_bvh_frame_time(const GtiBvhTimes* times, int64_t frame)
{
    return times->keys ? (double)times->keys[frame] : times->start_s + (double)frame * times->step_s;
}

// Where a joint is in a frame, in the units and axes of the file. `frame` < 0 is the rest pose.
void gti_bvh_joint_translation(GtiBvhSkeleton* skeleton, int32_t joint, int64_t frame, double out[3]);
void gti_bvh_joint_rotation(GtiBvhSkeleton* skeleton, int32_t joint, int64_t frame, double out[4]);
void gti_bvh_joint_scale(GtiBvhSkeleton* skeleton, int32_t joint, int64_t frame, double out[3]);

#endif

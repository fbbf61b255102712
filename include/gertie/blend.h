// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: blending poses.
///
/// Poses mixed: any number of them in one pass, with weights and masks by joint; differences on top (gertie/pose.h).
/// Nothing allocates, and nothing is kept from frame to frame.
///
///     GtBlendLayer layers[2] = { { walk_pose, 0.7f, NULL }, { wave_pose, 1.0f, right_arm_mask } };
///     GtBlendJob job = gt_default_blend_job();
///     job.node_count = node_count;
///     job.rest = gt_character_def(character)->rest;
///     job.layers = layers;
///     job.layer_count = 2;
///     job.out = instance->pose;
///     gt_blend(&job);
///
/// **Threads.** One thread at a time works with what a call changes; characters, clips and all else that is const may
/// be shared.

#ifndef GERTIE_BLEND_H
#define GERTIE_BLEND_H

#include "gertie/curve.h"
#include "gertie/transform.h"

GT_EXTERN_C_BEGIN

/// A pose that takes part in a blend.
typedef struct GtBlendLayer {
    const GtTransform* pose; ///< [node_count] finite
    float weight;            ///< a layer whose weight is 0, negative or not finite takes no part
    const float* mask;       ///< [node_count] factors on the weight, what is not above 0 counts as 0; NULL for all 1
} GtBlendLayer;

/// What to blend, and where to. Start from gt_default_blend_job(). All arrays are the caller's.
typedef struct GtBlendJob {
    int32_t node_count;
    const GtTransform* rest;      ///< [node_count] what a joint is where nothing says otherwise
    const GtBlendLayer* layers;   ///< [layer_count] of which the weighted mean is taken
    const GtBlendLayer* additive; ///< [additive_count] differences, added one after the other; weights from -1 to 1
    int32_t layer_count;
    int32_t additive_count;
    float threshold; ///< where the weights of a joint sum up to less, rest fills up to this: no jump as layers fade out
    GtTransform* out; ///< [node_count] may be the pose of a layer
} GtBlendJob;

/// Nothing yet, with a threshold of 0.1.
GT_API GtBlendJob gt_default_blend_job(void);

/// Blend. For each joint translations and scales are the weighted mean, so weights need not sum to 1. Rotations are the
/// weighted sum of unit quaternions, all on the side of the heaviest, brought to unit length: for two of them the way
/// of a slerp; the order of layers does not count. Where they cancel out, the rotation is that of rest. Additive layers
/// then move each joint by the share of their weight of what they hold: translations are added, scales multiplied,
/// rotations turned by in the joint's own axes.
GT_API void gt_blend(const GtBlendJob* job);

/// Move weights towards one of them, as a cross-fade does: after `duration_s` of such steps it is 1 and all others are
/// 0, whatever they were at first, and their sum stays 1 on the way if it was. Interrupt it at any time by another
/// `target`.
/// @param weights  [count]
/// @param step_s   time since the last step
GT_API void gt_crossfade_step(float* weights, int32_t count, int32_t target, double step_s, double duration_s);

/// How much of a fade is done at a time: 0 before it starts, 1 after it ended, gently as `ease` says.
GT_API float gt_crossfade_share(GtEase ease, double start_s, double duration_s, double time_s);

GT_EXTERN_C_END

#endif

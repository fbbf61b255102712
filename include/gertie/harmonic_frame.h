// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: frames of harmonic deformation.
///
/// Frames of a harmonic deformation, which gertie/harmonic.h describes and prepares. Nothing here allocates, and any
/// number of threads may work with one GtHarmonic.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_HARMONIC_FRAME_H
#define GERTIE_HARMONIC_FRAME_H

#include "gertie/executor.h"
#include "gertie/quat.h"

GT_EXTERN_C_BEGIN

/// Frames that gt_harmonic_bake() solves side by side.
#define GT_HARMONIC_BATCH 16

/// Most handles of a mesh.
#define GT_HARMONIC_MAX_HANDLES 16

/// A mesh that is ready to be posed. Immutable, so any thread may read it.
typedef struct GtHarmonic GtHarmonic;

/// Free; `harmonic` may be NULL.
GT_API void gt_harmonic_destroy(GtHarmonic* harmonic);

GT_API int32_t gt_harmonic_vertex_count(const GtHarmonic* harmonic);
GT_API int32_t gt_harmonic_marker_count(const GtHarmonic* harmonic);

/// Where the anchor is at rest.
GT_API GtVec3 gt_harmonic_anchor(const GtHarmonic* harmonic);

/// The marker that holds each vertex, or GT_NONE: [vertex_count].
GT_API const int32_t* gt_harmonic_holders(const GtHarmonic* harmonic);

/// Where a handle, the mean of some vertices, shall be.
typedef struct GtHarmonicHold {
    GtVec3 position; ///< where not finite, it is not held
    float strength; ///< 1 holds it exactly, 0 not at all; in between it gives, so that a hold can come and go gradually
} GtHarmonicHold;

/// One frame: what goes in and where the result goes to.
typedef struct GtHarmonicFrame {
    const GtQuat* rotations; ///< [marker_count] from the rest pose; of any length, and identity where not finite
    GtVec3 anchor;           ///< where the anchor shall be; where not finite, it stays at rest
    GtVec3* positions;       ///< [vertex_count] receives the vertices, in the order of the mesh
    GtVec3* normals;         ///< [vertex_count] likewise, of the deformed triangles, weighted by area; may be NULL

    /// [marker_count] What of each rotation is a twist about the marker's axis, in radians, any number of turns: it
    /// spreads as an angle. The rotation is that of the twist and then of what else there is, and has both. 0 where not
    /// finite, beyond 1e5, or of a marker without axis. NULL for all 0.
    const float* twists;

    /// [handle count of the mesh] or NULL to hold nothing. What is not where it shall be is pulled there, and the
    /// surface between handles and the anchor stretches as little as can be. Any may be held in any frame at no cost.
    const GtHarmonicHold* holds;
    float anchor_give; ///< while anything else is held: 0 holds the anchor, too; up to 1, it is 1 - strength of it
} GtHarmonicFrame;

/// Bytes of scratch that gt_harmonic_pose() needs, on any executor.
GT_API size_t gt_harmonic_pose_scratch_size(const GtHarmonic* harmonic);

/// Pose one frame, live. Parts of the mesh go to the executor's threads; the result does not depend on their number.
/// @param executor  may be NULL for the calling thread
/// @param scratch   aligned to GT_ALIGNMENT; undefined before and after
GT_API void gt_harmonic_pose(const GtHarmonic* harmonic, const GtHarmonicFrame* frame, const GtExecutor* executor,
                             void* scratch);

/// Bytes of scratch that gt_harmonic_bake() needs, for any number of frames.
GT_API size_t gt_harmonic_bake_scratch_size(const GtHarmonic* harmonic);

/// Pose many frames on the calling thread, GT_HARMONIC_BATCH at a time: several times faster a frame than
/// gt_harmonic_pose(), and equal to it but for rounding. No frame depends on which others it is baked with.
/// @param scratch  aligned to GT_ALIGNMENT; undefined before and after
GT_API void gt_harmonic_bake(const GtHarmonic* harmonic, const GtHarmonicFrame* frames, int32_t frame_count,
                             void* scratch);

GT_EXTERN_C_END

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: root motion.
///
/// Root motion: where a clip takes its character, apart from what the body does on the way. A game moves its character
/// by it, and plays the pose without it in place; loops go on from where they ended.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_ROOT_PATH_H
#define GERTIE_ROOT_PATH_H

#include "gertie/character.h"
#include "gertie/clip.h"

GT_EXTERN_C_BEGIN

/// A place on the ground and a heading there.
typedef struct GtGroundMotion {
    GtVec3 position;   ///< metres; y is 0, unless height belongs to the motion
    float heading_rad; ///< about +Y: 0 as at rest, facing +Z; positive to the left
} GtGroundMotion;

/// What is taken for root motion. Start from gt_default_root_path_def().
typedef struct GtRootPathDef {
    int32_t node;        ///< of the character: hips, or a root above them; nodes above it are taken as at rest
    float frame_rate_hz; ///< of the samples it is kept as
    bool turn;           ///< heading belongs to it
    bool height;         ///< so does how far the node is above where it rests
} GtRootPathDef;

/// Node 0, 60 samples a second, with heading, without height.
GT_API GtRootPathDef gt_default_root_path_def(void);

/// The motion of one clip. Immutable, one block of memory; any thread may read it.
typedef struct GtRootPath GtRootPath;

/// Take it from a clip. GT_ERROR_BAD_VALUE for a node or a rate that there is not, GT_ERROR_LIMIT for more than a
/// million samples.
/// @param out  receives the motion, or NULL on failure; free with gt_root_path_destroy()
GT_API GtResult gt_root_path_create(GtAllocator allocator, const GtCharacter* character, const GtClip* clip,
                                    const GtRootPathDef* def, GtRootPath** out, GtError* error);

/// Free a motion; `motion` may be NULL.
GT_API void gt_root_path_destroy(GtRootPath* motion);

/// Place and heading in model space at a time of the clip, which holds at its ends.
GT_API GtGroundMotion gt_root_path_at(const GtRootPath* motion, double time_s);

/// From one moment to another, in the frame of the first: turn `position` by the character's heading and add both, and
/// the character is where it should be. Never allocates.
/// @param from_s,to_s  times that go on past the end of a loop, 0 at its first start; backwards works, too
/// @param repeats      the clip is a loop that goes on from where it ended; else it holds at its ends
GT_API GtGroundMotion gt_root_path_delta(const GtRootPath* motion, double from_s, double to_s, bool repeats);

/// `a`, then `b` in its frame: what gt_root_path_delta() is added with.
GT_API GtGroundMotion gt_ground_motion_add(GtGroundMotion a, GtGroundMotion b);

/// Take the motion out of a pose of the same moment: the node stays over the model's origin, facing as at rest.
/// @param pose  [node_count] as gt_clip_sample() gave it at `time_s`
GT_API void gt_root_path_remove(const GtRootPath* motion, double time_s, GtTransform* pose);

GT_EXTERN_C_END

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: keys set by hand over a motion.
///
/// Keys set by hand over a motion: a head that looks elsewhere, an arm that is lifted higher, a motion that goes over
/// into another. Keys are curves (gertie/curve.h) in a file that a person writes; what they turn is added to what the
/// motion does.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_HAND_KEYS_H
#define GERTIE_HAND_KEYS_H

#include "gertie/curve.h"
#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// Most turns in a file.
#define GT_HAND_KEYS_MAX_TURNS 4096

/// What axes a turn is about.
typedef enum GtHandAxes {
    /// The body's as it stands in its T-pose, x to its left, y up, z where it looks, and then carried along: those of a
    /// joint by what it hangs on, those of a marker (as bound, in model space) by its joint.
    GT_HAND_AXES_BODY,
    GT_HAND_AXES_MODEL, ///< those of the model, which stay
} GtHandAxes;

/// Turns over time of a joint with all that hangs on it, or of a marker alone.
typedef struct GtHandTurn {
    int32_t node;   ///< joint of the scene, or GT_NONE where a marker turns
    int32_t marker; ///< of gertie/markers.h, or GT_NONE where a joint turns
    GtHandAxes axes;
    GtCurve* curve; ///< rotations, in the clip's own time; holds before its first key and after its last
} GtHandTurn;

/// Keys of a clip; free with gt_hand_keys_destroy(). Immutable, so any thread may read it.
typedef struct GtHandKeys {
    const GtHandTurn* turns; ///< [turn_count]
    int32_t turn_count;
    GtCurve* blend;   ///< how much of a second clip there is, 0 to 1; or NULL
    const char* file; ///< that they were read from
    GtArena arena;    ///< private
} GtHandKeys;

/// Read keys for a scene: {"gertie_keys": 1, "rotations": [{"joint": "head", "keys": [{"time_s": 0, "rotation_deg": [0,
/// 30, 0]}, ...]}, ...]}; docs/methods/markers.md has it all. A joint is named by its node, or by its VRM 1.0 name.
/// @param scene  validated
/// @param out    receives the keys, or NULL on failure; free with gt_hand_keys_destroy()
/// @return GT_ERROR_BAD_VALUE for what is wrong in the file, by its JSON path; GT_ERROR_NOT_FOUND for a joint that is
///         not there, with names that are near
GT_API GtResult gt_hand_keys_load(const GtContext* context, const GtScene* scene, const char* path, GtHandKeys** out,
                                  GtError* error);

/// Free keys; `keys` may be NULL.
GT_API void gt_hand_keys_destroy(GtHandKeys* keys);

/// Put the turns of joints, and the blend, into a clip of a scene, so that whatever follows (skin, markers, contacts)
/// has them. Curves of joints that change become one key a frame, at the rate of the clip's keys or 30 a second,
/// whichever is more. Turns of markers are for GtHarmonicClipDef.keys.
/// @param scene      validated; on failure as it was, but for data that nothing uses
/// @param animation  of the scene
/// @param with       second clip of the scene, that keys->blend blends in from its own start on, or GT_NONE. Of a
///                   humanoid it is moved over the ground, to meet the first as it fades in; morph weights stay those
///                   of the first
/// @return GT_ERROR_NOT_FOUND where there is no such clip; GT_ERROR_LIMIT where it is too long
GT_API GtResult gt_hand_keys_apply(const GtContext* context, GtScene* scene, const GtHandKeys* keys, int32_t animation,
                                   int32_t with, GtError* error);

GT_EXTERN_C_END

#endif

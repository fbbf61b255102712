// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: a library of motions with names.
///
/// Loops and actions that are part of the library itself: no file has to be found or installed. Some are made by
/// formulas (gertie/motions.h), the others are cut from captures of people, cleaned and packed. All move the skeleton
/// of the average person, start at the origin and go ahead along +Z; loops close, and feet that stand do not slide.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_MOTION_LIBRARY_H
#define GERTIE_MOTION_LIBRARY_H

#include "gertie/file.h"
#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// What is known of a motion of the library. All texts are constants.
typedef struct GtLibraryMotion {
    const char* name;        ///< "walk_relaxed"
    const char* category;    ///< "walk", "run", "turn", "idle", "gesture", "sit" or "action"
    const char* description; ///< one line
    const char* source;      ///< "formula", or collection, subject, trial and time of a capture
    const char* licence;     ///< one line: what may be done with it
    double duration_s;
    double speed_mps; ///< of a walk or run: mean speed over the ground, from the first frame to the last; else 0
    bool loops;       ///< the last frame runs on into the first, up to the path covered
} GtLibraryMotion;

/// A motion of the library, sorted by category.
/// @return NULL for an index that is none, so that a loop from 0 ends there
GT_API const GtLibraryMotion* gt_motion_library_at(int32_t index);

/// Make a motion of the library: the joints of the average person, and one clip of that name. A note tells the source
/// and the licence of a capture, which the scene keeps as its copyright.
/// @param out  receives the scene, or NULL on failure; free with gt_scene_destroy()
/// @return GT_ERROR_NOT_FOUND for a name that is none; the error says which names are near
GT_API GtResult gt_motion_library_load(const GtContext* context, const char* name, GtScene** out, GtError* error);

/// Load a motion from wherever a path leads: a file, as gt_scene_load() does, or where there is none of that path and
/// the path is a bare name, without folder and ending, a motion of the library.
/// @param def  of a file; NULL for the defaults
/// @param out  receives the scene, or NULL on failure; free with gt_scene_destroy()
GT_API GtResult gt_motion_load(const GtContext* context, const char* path, const GtLoadDef* def, GtScene** out,
                               GtError* error);

GT_EXTERN_C_END

#endif

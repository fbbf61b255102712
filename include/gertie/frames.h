// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: clips written frame by frame, for programs that play vertices instead of joints: a point cache
/// (`walk.pc2`) and the mesh that it moves, or a file for each frame (`walk_####.obj`).

#ifndef GERTIE_FRAMES_H
#define GERTIE_FRAMES_H

#include "gertie/field.h"
#include "gertie/harmonic_clip.h"

GT_EXTERN_C_BEGIN

/// What is written. Start from gt_default_frames_def().
typedef struct GtFramesDef {
    int32_t animation;              ///< clip of the scene; GT_NONE for a single frame at rest
    double rate_hz;                 ///< frames per second (default: 30)
    const GtHarmonicClip* harmonic; ///< exact frames to write instead, as gt_animate_frames() gives them; or NULL
} GtFramesDef;

GT_API GtFramesDef gt_default_frames_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_frames_def_fields(void);

/// What gt_frames_save() wrote.
typedef struct GtFramesReport {
    int32_t frame_count;
    int32_t vertex_count; ///< of all meshes
    double rate_hz;
} GtFramesReport;

/// Whether a path asks for frames: it ends in ".pc2", or its file name has # where numbers go.
GT_API bool gt_path_holds_frames(const char* path);

/// Whether frames can be written to such a path.
/// @return GT_ERROR_UNSUPPORTED for a sequence of a format that holds no mesh; GT_ERROR_BAD_VALUE for # in a folder's
///         name
GT_API GtResult gt_frames_check_path(const char* path, GtError* error);

/// Write a clip frame by frame. Vertices are posed by the runtime, so that what it can do (dual quaternions, any number
/// of influences, deformations that the scene keeps) reaches programs that cannot. Frames of a sequence are numbered
/// from 1. Beside a point cache the mesh that it moves is written, as an OBJ of the same name.
/// @param scene   validated
/// @param report  may be NULL
GT_API GtResult gt_frames_save(const GtContext* context, const GtScene* scene, const GtFramesDef* def, const char* path,
                               GtFramesReport* report, GtError* error);

/// A scene of plain meshes as they are at rest: without skins, morphs and clips.
/// @param out  receives the scene, or NULL on failure; free with gt_scene_destroy()
GT_API GtResult gt_scene_freeze_rest(const GtContext* context, const GtScene* scene, GtScene** out, GtError* error);

GT_EXTERN_C_END

#endif

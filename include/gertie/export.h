// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: a clip in whatever form the ending of a path asks for: a scene (`walk.glb`, `walk.bvh`), the mesh in one
/// pose (`walk.obj`), vertices frame by frame (`walk.pc2`, `walk_####.obj`), a picture (`walk.png`) or a film
/// (`walk.mp4`).
///
/// **Threads.** Any number of calls may run at once, onto paths that differ.

#ifndef GERTIE_EXPORT_H
#define GERTIE_EXPORT_H

#include "gertie/field.h"
#include "gertie/harmonic_clip.h"

GT_EXTERN_C_BEGIN

/// What a clip is written as.
typedef enum GtExportKind {
    GT_EXPORT_UNKNOWN, ///< the ending is none that Gertie writes
    GT_EXPORT_SCENE,   ///< everything that the format holds: .glb, .gltf, .vrm, .vrma, .bvh
    GT_EXPORT_MESH,    ///< the mesh in one pose: .obj, .ply, .stl
    GT_EXPORT_FRAMES,  ///< a point cache, .pc2, or a file for each frame, with # where its number goes
    GT_EXPORT_PICTURE, ///< .png
    GT_EXPORT_FILM,    ///< the endings of gt_film_formats()
} GtExportKind;

/// What a path asks for.
GT_API GtExportKind gt_export_kind(const char* path);

/// Whether something can be exported to such a path.
/// @return GT_ERROR_UNSUPPORTED for an ending that is not written, and for a sequence of a format that holds no mesh;
///         GT_ERROR_BAD_VALUE for # in a folder's name
GT_API GtResult gt_export_check_path(const char* path, GtError* error);

/// What is written. Start from gt_default_export_def().
typedef struct GtExportDef {
    int32_t animation;              ///< clip of the scene, 0 by default; GT_NONE for the rest pose
    double rate_hz;                 ///< frames per second; 0 for 30, and for 25 of a .gif
    double time_s;                  ///< moment of a mesh or picture; NaN for the middle of the clip
    const GtHarmonicClip* harmonic; ///< exact frames of meshes, as gt_animate_frames() gives them; or NULL
} GtExportDef;

GT_API GtExportDef gt_default_export_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_export_def_fields(void);

/// What gt_export() wrote.
typedef struct GtExportReport {
    GtExportKind kind;
    int32_t frame_count;   ///< of frames and films; 1 for a mesh or picture, 0 for a scene
    int32_t vertex_count;  ///< of all meshes, for a mesh or frames
    double rate_hz;        ///< of frames and films
    double time_s;         ///< of a mesh or picture
    int32_t width, height; ///< pixels of a picture or film
} GtExportReport;

/// Write a clip as what the path asks for. Vertices are posed by the runtime, so that what it can do (dual quaternions,
/// any number of influences, deformations that the scene keeps) reaches programs that cannot. Frames of a sequence are
/// numbered from 1. Beside a point cache the mesh that it moves is written, as an OBJ of the same name. Pictures and
/// films are those of gt_default_shot_def() (gertie/shot.h), which has all of their options.
/// @param scene   validated
/// @param report  may be NULL
/// @return what gt_export_check_path() returns; GT_ERROR_UNSUPPORTED for a picture or film where nothing can draw
GT_API GtResult gt_export(const GtContext* context, const GtScene* scene, const GtExportDef* def, const char* path,
                          GtExportReport* report, GtError* error);

/// A scene of plain meshes as they are at rest: without skins, morphs and clips.
/// @param out  receives the scene, or NULL on failure; free with gt_scene_destroy()
GT_API GtResult gt_scene_freeze_rest(const GtContext* context, const GtScene* scene, GtScene** out, GtError* error);

GT_EXTERN_C_END

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-scene: reading and writing files.
///
/// Scenes from files and into files. The format is told by content first, by the name's ending second.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_FILE_H
#define GERTIE_FILE_H

#include "gertie/field.h"
#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// What Gertie knows about a format.
typedef struct GtFormat {
    const char* name;        ///< "glb", "gltf", "vrm", "vrma", "bvh", "obj"...
    const char* description; ///< for people
    bool reads;
    bool writes;
    uint32_t holds; ///< GtFormatContent bits
} GtFormat;

/// What files of a format hold.
typedef enum GtFormatContent {
    GT_HOLDS_MESHES = 1,
    GT_HOLDS_MOTION = 2, ///< joints and clips
    GT_HOLDS_MORPHS = 4, ///< morph targets and skins
    GT_HOLDS_UNITS = 8,  ///< its units and up axis are stated
    GT_HOLDS_ALL = 15,
} GtFormatContent;

/// All formats; the array ends with an entry whose name is NULL.
GT_API const GtFormat* gt_formats(void);

/// Whether files of a format hold all of some contents; false for a name that is no format's, or NULL.
/// @param contents  GtFormatContent bits
GT_API bool gt_format_holds(const char* name, uint32_t contents);

/// The format that the ending of a path tells; NULL for one that is not known.
GT_API const GtFormat* gt_format_of_path(const char* path);

/// How a file is read. Start from gt_default_load_def().
typedef struct GtLoadDef {
    double metres_per_unit; ///< of a format that does not say, or 0 to infer it
    int32_t up_axis;        ///< GtUpAxis of a format that does not say, or GT_NONE to infer it
    const char* group;      ///< the only group or object of an OBJ to be read, or NULL for all
} GtLoadDef;

GT_API GtLoadDef gt_default_load_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_load_def_fields(void);

/// Read and validate a file.
/// @param def  NULL for the defaults
/// @param out  receives the scene, or NULL on failure; free with gt_scene_destroy()
GT_API GtResult gt_scene_load(const GtContext* context, const char* path, const GtLoadDef* def, GtScene** out,
                              GtError* error);

/// As gt_scene_load(), from memory. Files that it refers to are looked for in the folder of `path`; with a NULL path
/// there are none.
GT_API GtResult gt_scene_load_memory(const GtContext* context, const void* bytes, size_t size, const char* path,
                                     const GtLoadDef* def, GtScene** out, GtError* error);

/// The pose in which a BVH file has all rotations at 0, where the scene does not come from BVH itself.
typedef enum GtBvhRest {
    GT_BVH_REST_T,    ///< the T-pose that the scene keeps with its humanoid map, else as GT_BVH_REST_BIND
    GT_BVH_REST_BIND, ///< the rest pose of the scene
    GT_BVH_REST_AXES, ///< none that means anything: joints keep their own axes
} GtBvhRest;

/// How a file is written. Start from gt_default_save_def().
typedef struct GtSaveDef {
    int32_t animation;    ///< the clip to write, for formats that hold one (BVH); GT_NONE for the first
    double frame_rate_hz; ///< for formats of even frames; 0 to take the clip's own
    bool source_units;    ///< for formats that do not say their units: those of the scene's source, else metres
    bool text;            ///< for formats that are binary or text (PLY, STL): text
    bool split_vertices;  ///< OBJ: every vertex is a position of its own, in order, also where seams had split one
    bool alone;           ///< OBJ: this file alone, without materials and pictures beside it
    bool end_joints;      ///< FBX: a joint NAME_end behind each joint that has none behind it
    bool root_joint;      ///< FBX: a joint "root" at the origin above all joints
    GtBvhRest rest;       ///< BVH: the pose without rotations
    bool animation_only;  ///< of formats that hold motion: what gt_scene_keep_animation_only() keeps
} GtSaveDef;

GT_API GtSaveDef gt_default_save_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_save_def_fields(void);

/// Write a scene; the format is told by the ending of `path`. The file appears whole or not at all: it is written
/// beside and renamed. The same scene gives the same bytes.
/// @param def  NULL for the defaults
GT_API GtResult gt_scene_save(const GtContext* context, const GtScene* scene, const char* path, const GtSaveDef* def,
                              GtError* error);

/// Write a scene into memory.
/// @param format  name of a format that fits in one file ("glb", "bvh")
/// @param out     receives the bytes; release with gt_blob_release()
GT_API GtResult gt_scene_save_memory(const GtContext* context, const GtScene* scene, const char* format,
                                     const GtSaveDef* def, GtBlob** out, GtError* error);

/// Things of a scene that a file has no place for.
typedef struct GtSaveLoss {
    const char* one;  ///< "mesh"
    const char* many; ///< "meshes"
    int32_t count;
} GtSaveLoss;

/// Most kinds of losses: meshes, morph targets, skins, materials, cameras, clips; of a packed character also sections,
/// drivers and a harmonic skin.
#define GT_SAVE_LOSS_COUNT 9

/// Tell what a file of this format leaves out of a scene, and warn of it in one sentence. Clips beyond the one that a
/// BVH holds, and scales, are not counted: saving warns of those.
/// @param format  name of a format that is written
/// @param def     as for gt_scene_save(), or NULL for the default; an OBJ alone has no materials
/// @param out     receives what is left out, most fundamental first, or NULL
/// @return number of entries in `out`
GT_API int32_t gt_save_losses(const GtContext* context, const GtScene* scene, const char* format, const GtSaveDef* def,
                              GtSaveLoss out[GT_SAVE_LOSS_COUNT]);

/// Write bytes as a file that appears whole or not at all: beside its place, flushed, renamed.
GT_API GtResult gt_file_write(const GtContext* context, const char* path, const void* bytes, size_t size,
                              GtError* error);

GT_EXTERN_C_END

#endif

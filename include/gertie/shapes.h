// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: blend shapes of a mesh.
///
/// Blend shapes of a mesh: made from arrays or from another file with the same vertices, and kept as glTF morph
/// targets, which every viewer plays. Targets that a file has already are shapes like any other: their names are
/// GtMesh.target_names, their weights the channels `morph:NAME` and `morph:MESH/NAME` (gertie/channel.h).
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_SHAPES_H
#define GERTIE_SHAPES_H

#include "gertie/file.h"
#include "gertie/scene.h"
#include "gertie/shape_blend.h"

GT_EXTERN_C_BEGIN

/// Most morph targets that a mesh gets.
#define GT_SHAPES_MAX 4096

/// What a shape does to one attribute of the mesh.
typedef struct GtShapeAttribute {
    const char* name;        ///< "POSITION", "NORMAL", "TANGENT", "TEXCOORD_0", "COLOR_0"...; one that the mesh has
    int32_t component_count; ///< 3 for the first three (a tangent's w stays), else as the mesh has
    const float* values;     ///< [gt_shapes_vertex_count() * component_count], finite
} GtShapeAttribute;

/// A shape as arrays over the vertices of all primitives of a mesh, one after the other. Start from
/// gt_default_shape_def().
typedef struct GtShapeDef {
    const char* name;                   ///< of the target; where the mesh has a target of this name, it is replaced
    const GtShapeAttribute* attributes; ///< [attribute_count] each once
    int32_t attribute_count;
    GtShapeKind kind; ///< displacements, or the shape itself
    float rest;       ///< weight while nothing drives it; 0 by default
    float tolerance;  ///< positions that move less than this share of the mesh's size do not move; 1e-6 by default
} GtShapeDef;

GT_API GtShapeDef gt_default_shape_def(void);

/// What was made of shapes.
typedef struct GtShapesReport {
    int32_t added_count;        ///< targets that are new
    int32_t replaced_count;     ///< targets that were there under the same name
    int32_t made_normals_count; ///< shapes whose normals and tangents were computed, because none were given
    int32_t looks_count;        ///< shapes that change other attributes than positions, normals and tangents
    int64_t moved_count;        ///< vertices that move, over all shapes
    float max_move_m;           ///< the longest way of a vertex
} GtShapesReport;

/// Vertices of all primitives of a mesh.
GT_API int64_t gt_shapes_vertex_count(const GtScene* scene, int32_t mesh);

/// The morph target of that name, or GT_NONE.
GT_API int32_t gt_shapes_find(const GtMesh* mesh, const char* name);

/// Give a mesh shapes, in place. Targets that it had keep their numbers, clips that key them their keys, with 0 for
/// those that are new.
///
/// Where a shape moves positions and says nothing of normals, though the mesh has them, they are computed: each turns
/// as the smooth surface around its vertex turns, hard edges staying hard; tangents turn with it. What does not move is
/// stored sparsely.
///
/// Every attribute that is given ends up in the file. The runtime plays all but attributes of one's own (_NAME), third
/// sets of texture coordinates and second ones of colours; gt_shapes_blend() blends these as it does anything.
/// @param report  added to; may be NULL
/// @param error   names the shape at fault; the mesh is then as it was
GT_API GtResult gt_shapes_add(const GtContext* context, GtScene* scene, int32_t mesh, const GtShapeDef* shapes,
                              int32_t shape_count, GtShapesReport* report, GtError* error);

/// A mesh of another scene that has the same vertices. Start from gt_default_shape_source().
typedef struct GtShapeSource {
    const GtScene* scene;
    int32_t mesh;      ///< or GT_NONE: the first one that fits
    int32_t target;    ///< morph target of that mesh, or GT_NONE: the mesh as it stands
    bool keep_normals; ///< take the source's normals, tangents too; else they are computed, as rounded ones in text
                       ///< files would turn every normal a little
    bool other;        ///< take texture coordinates, colours and attributes of one's own (_NAME) that differ, too
    float rest;        ///< as in GtShapeDef
    float tolerance;   ///< as in GtShapeDef; 1e-5 by default, for positions in text files are rounded
} GtShapeSource;

GT_API GtShapeSource gt_default_shape_source(void);

/// Make a shape from another mesh. Its vertices are found by order where counts and edges agree; by the corners of the
/// triangles where these come in the same order, though vertices are split otherwise at seams; or by order without
/// splits, as OBJ has positions. GT_ERROR_BAD_VALUE, saying both counts, where none of these fits: a shape must not
/// have been remeshed. Both meshes are taken as they stand in their scenes, unless they have skins.
/// @param name    of the target
/// @param report  as in gt_shapes_add()
GT_API GtResult gt_shapes_add_from(const GtContext* context, GtScene* scene, int32_t mesh, const char* name,
                                   const GtShapeSource* source, GtShapesReport* report, GtError* error);

/// gt_shapes_add_from() a file of any format with meshes. A format that does not say its units is read in those of the
/// scene's own source where that did not either, else in metres and Y up; `load` says otherwise, or is NULL.
/// @param source  its scene is not looked at; NULL for defaults
GT_API GtResult gt_shapes_add_file(const GtContext* context, GtScene* scene, int32_t mesh, const char* name,
                                   const char* path, const GtLoadDef* load, const GtShapeSource* source,
                                   GtShapesReport* report, GtError* error);

GT_EXTERN_C_END

#endif

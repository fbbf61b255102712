// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: splitting shapes by regions of a face.
///
/// Whole-face shapes taken apart: regions of a mesh that move on their own, found from the shapes it has, so that
/// eyebrows and mouth get controls of their own.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_SHAPE_REGIONS_H
#define GERTIE_SHAPE_REGIONS_H

#include "gertie/field.h"
#include "gertie/shapes.h"

GT_EXTERN_C_BEGIN

/// Most regions of a mesh.
#define GT_SHAPE_MAX_REGIONS 32

/// How regions are found. Start from gt_default_shape_regions_def().
typedef struct GtShapeRegionsDef {
    float threshold;   ///< of the measure, as a share of its largest; 0 to choose one: see below
    float min_share;   ///< of the moving surface that a region has at least; smaller ones join their neighbours; 0.02
    float border;      ///< over how much of the mesh's size a region fades into its neighbours; 0.04
    int32_t max_count; ///< the smallest join their neighbours until there are no more than this; 12
} GtShapeRegionsDef;

GT_API GtShapeRegionsDef gt_default_shape_regions_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_shape_regions_def_fields(void);

/// Regions of a mesh. Free with gt_shape_regions_destroy().
typedef struct GtShapeRegions {
    int32_t vertex_count; ///< of all primitives of the mesh, one after the other
    int32_t count;
    const int32_t* regions; ///< [vertex_count] the region that a vertex is in
    const float* weights;   ///< [count * vertex_count] how much of each; over all regions, a vertex sums to 1
    const float* measure;   ///< [vertex_count] how much the surface is strained at a vertex, 0 to 1 of the largest
    const float* shares;    ///< [count] of the moving surface
    float threshold;        ///< that was used
    GtArena arena;          ///< private
} GtShapeRegions;

/// Find the regions of a mesh from its morph targets, after Joshi, Tien, Desbrun and Pighin 2003: how much elastic
/// force each displacement asks of the surface, summed over all shapes, is large where features move against what is
/// around them. What is connected above a threshold is a region, which then grows over what is below. The threshold is
/// one that gives as many regions as the widest range of thresholds does. Regions are numbered from the top down.
/// @param out    receives the regions, or NULL on failure
/// @return GT_ERROR_NOT_FOUND for a mesh without targets that move it
GT_API GtResult gt_shape_regions_find(const GtContext* context, const GtScene* scene, int32_t mesh,
                                      const GtShapeRegionsDef* def, GtShapeRegions** out, GtError* error);

/// Free; `regions` may be NULL.
GT_API void gt_shape_regions_destroy(GtShapeRegions* regions);

/// Give a mesh, in place, a piece of each of its targets for each region that the target moves: `NAME.1`, `NAME.2`...
/// by the number of the region. The pieces of a target sum to it; what is less than a hundredth of its longest way goes
/// to its largest piece. Targets within one region get none. The targets themselves stay.
/// @param report  as in gt_shapes_add(); may be NULL
GT_API GtResult gt_shapes_split(const GtContext* context, GtScene* scene, int32_t mesh, const GtShapeRegions* regions,
                                GtShapesReport* report, GtError* error);

GT_EXTERN_C_END

#endif

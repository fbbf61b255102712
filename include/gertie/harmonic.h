// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: preparing harmonic deformation.
///
/// Harmonic deformation: a mesh without a skeleton follows the rotations of a few marked places. Rotations spread over
/// the surface as harmonic fields, every triangle turns by what reaches it, and one Poisson solve glues the torn mesh
/// together (De Aguiar, Zayer, Theobalt, Seidel, Magnor: A Simple Framework for Natural Animation of Digitized Models).
///
/// All that depends on the mesh and its markers alone is done here, once; gertie/harmonic_frame.h has the frames.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_HARMONIC_H
#define GERTIE_HARMONIC_H

#include "gertie/context.h"
#include "gertie/field.h"
#include "gertie/harmonic_frame.h"

GT_EXTERN_C_BEGIN

/// Most markers a mesh may have; people need 140 to 220.
#define GT_HARMONIC_MAX_MARKERS 4096

/// A marked place of the surface: all vertices within `radius` of it, along the surface, turn alike.
///
/// With a radius that spans at least two edges the result hardly depends on how finely the mesh is cut; a radius of 0
/// holds the corners of one triangle, as the paper has it, which ever finer triangles notice ever less.
typedef struct GtHarmonicMarker {
    int32_t triangle; ///< its middle is the place; GT_NONE for the place of the surface that is nearest to `point`
    GtVec3 point;     ///< where triangle is GT_NONE
    float radius;     ///< 0 or more, in the unit of the positions

    /// 0 for a disc: what lies within the radius of the place. Else a band: what lies within the radius of the loop in
    /// which the plane through the place, normal to this, cuts the surface, such as all round a limb; of any length
    GtVec3 band;

    /// @name The limb it is on
    /// Rotations alone make limbs thin where they bend and twist. A line along the middle of the limb, such as its
    /// bone, says what to keep: what is spread between markers of one limb should have one line, and lines of limbs
    /// that hang together should point the same way along them.
    /// @{
    GtVec3 axis_point; ///< on the line
    GtVec3 axis;       ///< its direction, of any length; 0 for no line, which leaves the limb as thin as it gets
    float volume; ///< 0 to 10, times `squeeze`: how far bends near it keep their volume. 1 for limbs, more for trunks,
                  ///< whose bends are gentle; 0 where the line is not of what it is on
    /// @}
} GtHarmonicMarker;

/// Vertices whose mean frames may hold where they want it, such as those of a foot.
typedef struct GtHarmonicHandle {
    const int32_t* vertices; ///< [count] one counts as often as it is there
    int32_t count;           ///< 1 or more
} GtHarmonicHandle;

/// A mesh and its markers. Start from gt_default_harmonic_def().
typedef struct GtHarmonicDef {
    const GtVec3* positions; ///< [vertex_count] rest pose; weld it first: seams tear
    int32_t vertex_count;
    const uint32_t* indices; ///< [triangle_count * 3]
    int32_t triangle_count;
    const GtHarmonicMarker* markers; ///< [marker_count]
    int32_t marker_count;            ///< 1 to GT_HARMONIC_MAX_MARKERS

    /// The place that GtHarmonicFrame.anchor moves, as rotations leave open where in the world the mesh is: the mean of
    /// what lies within its radius, by area. Hips are good.
    GtHarmonicMarker anchor;
    bool anchor_everywhere; ///< `anchor` is not read: the mean of the whole surface is moved

    const GtHarmonicHandle* handles; ///< [handle_count]
    int32_t handle_count;            ///< 0 to GT_HARMONIC_MAX_HANDLES

    /// Of q and -q, the same rotation, take the one on the side of the neighbouring marker, from the first marker on,
    /// so that fields spread the shorter way. False to take signs as they come, for callers who know better.
    bool align_signs;

    /// The most by which keeping their volume shortens the inside of bends, and lengthens their outside, as a share; 0
    /// leaves bends thin. A limb whose bend by 120 degrees goes over three of its radii keeps 0.79 of its section with
    /// 0, 0.91 with 0.5, and 0.97 with 1, where sharp bends begin to fold.
    float squeeze;

    /// Factor in half the time, for meshes of up to about 100,000 triangles that are baked; larger ones, and those that
    /// several threads pose live, are posed slower.
    bool is_quick;
} GtHarmonicDef;

/// No mesh, no markers; anchored everywhere, signs aligned, a squeeze of 0.5.
GT_API GtHarmonicDef gt_default_harmonic_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_harmonic_def_fields(void);

/// What gt_harmonic_create() found.
typedef struct GtHarmonicReport {
    int32_t component_count;      ///< of the surface; a vertex of no triangle is one too
    int32_t tied_component_count; ///< tied to the nearest surface: all but one
    int32_t bare_component_count; ///< of these, without a marker: they turn as the surface does that they are tied to
    int32_t held_vertex_count;    ///< of all markers
    int32_t idle_marker_count;    ///< that hold no vertex, as others hold all of theirs: they do nothing
    int32_t flat_triangle_count;  ///< without area; they are kept, and follow
    int64_t factor_entry_count;   ///< of each of the two factors
    int64_t memory_size;          ///< bytes of the GtHarmonic
} GtHarmonicReport;

/// Factor the systems of a mesh and its markers. Nothing of `def` is kept.
///
/// Any triangles will do: holes, edges of three triangles, slivers, triangles without area. Components other than the
/// one of the largest area are tied to the nearest vertex of a larger one. Markers that hold nothing and components
/// without a marker are warned of.
/// @param out     receives the mesh, or NULL on failure; free with gt_harmonic_destroy()
/// @param report  may be NULL
/// @param error   may be NULL; names the marker, vertex or triangle at fault
/// fails: GT_ERROR_BAD_VALUE for an index out of range, a number that is not finite, a marker whose point is further
///        than a tenth of the mesh's size from it, or no marker; GT_ERROR_LIMIT for too many markers or handles or too
///        large a mesh; GT_ERROR_STRICT for what is warned of; GT_ERROR_CANCELLED
GT_API GtResult gt_harmonic_create(const GtContext* context, const GtHarmonicDef* def, GtHarmonic** out,
                                   GtHarmonicReport* report, GtError* error);

GT_EXTERN_C_END

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: markers on the surface of a character.
///
/// Markers: places on the surface of a rigged character, each of which turns as a joint does. They are what harmonic
/// deformation (gertie/harmonic.h) needs instead of weights: found from any rig, kept as a file that a person can read,
/// edit and share, whole or in part.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_MARKERS_H
#define GERTIE_MARKERS_H

#include "gertie/field.h"
#include "gertie/figure.h"

GT_EXTERN_C_BEGIN

/// A place on the surface and what turns it.
typedef struct GtMarker {
    int32_t node;                      ///< joint of the scene that it follows
    int32_t mesh, primitive, triangle; ///< of the scene; mesh is GT_NONE where `point` says the place
    GtVec3 point;                      ///< in the bind pose, in model space; used where mesh is GT_NONE
    float radius_m;                    ///< 0 or more: what lies within it, along the surface, turns alike
    /// 0 for a disc around the place; else a band round a limb, as GtHarmonicMarker.band has it.
    GtVec3 band;
    /// How the twist about the bone spreads: 0 for all of the joint's own and none of the next one's; up to 1, the
    /// share of the next joint's that is taken along, as a forearm turns with the hand; down to -1, the share of the
    /// joint's own that is left out, as the skin of a shoulder stays behind when the arm turns.
    float twist;
} GtMarker;

/// All markers of a character. Free with gt_markers_destroy().
typedef struct GtMarkers {
    GtMarker* markers; ///< [count]
    int32_t count;
    GtMarker anchor; ///< what the path of its joint moves, as rotations leave open where in the world a body is

    /// @name The mesh that they are for
    /// All 0 where a file does not say.
    /// @{
    int64_t vertex_count;
    int64_t triangle_count;
    uint64_t hash;
    /// @}
    GtArena arena; ///< private
} GtMarkers;

/// How markers are found. Start from gt_default_markers_def().
typedef struct GtMarkersDef {
    const GtMarkers* known; ///< kept as they are; joints that have one get no others. Or NULL
    /// How far from a joint the nearest ring is, in radii of the limb: bends go over twice this length. 0.4 is sharp as
    /// a hinge, 1.75 keeps most of the limb's thickness, 3 is like rubber.
    float softness;
    int32_t ring_size; ///< rays around a bone, and discs where no band closes: 4 to 64
} GtMarkersDef;

GT_API GtMarkersDef gt_default_markers_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_markers_def_fields(void);

/// What gt_markers_find() did.
typedef struct GtMarkersReport {
    int32_t known_count; ///< markers that were given
    int32_t found_count; ///< markers that were added
    int32_t bone_count;  ///< joints that move some of the surface
    int32_t ring_count;  ///< of which markers were placed
    int32_t
        bare_count; ///< joints with a surface on which no place for a marker was found; they follow their neighbours
    float least_radius_m, largest_radius_m;
} GtMarkersReport;

/// Place markers on a rigged figure: rings around its bones, where rays from the bone meet the surface that
/// the bone or one next to it moves. Two rings a limb, at a distance from its joints that `softness` sets; more where
/// parts stick out behind a joint, as heels do. A ring of an arm, a leg or a finger is one band, others are discs.
/// @param out     receives the markers, or NULL on failure; free with gt_markers_destroy()
/// @param report  may be NULL
/// @return GT_ERROR_NOT_FOUND where no joint moves a mesh; GT_ERROR_BAD_VALUE where known markers are of another mesh
GT_API GtResult gt_markers_find(const GtContext* context, GtFigure* figure, const GtMarkersDef* def, GtMarkers** out,
                                GtMarkersReport* report, GtError* error);

/// Free markers; `markers` may be NULL.
GT_API void gt_markers_destroy(GtMarkers* markers);

/// Write markers as JSON that a person can read and edit: {"mesh": {"vertices": 4212, ...}, "markers": [{"joint":
/// "leftUpperArm", "triangle": [0, 0, 3411], "radius_m": 0.021, "band": [1, 0, 0]}, ...]}; "triangle" is mesh,
/// primitive and triangle.
GT_API GtResult gt_markers_save(const GtContext* context, const GtFigure* figure, const GtMarkers* markers,
                                const char* path, GtError* error);

/// Read markers against the scene that they are for. A joint is named by its node, or by its VRM 1.0 name.
/// @param out  receives the markers, or NULL on failure; free with gt_markers_destroy()
/// @return GT_ERROR_BAD_VALUE for what is wrong in the file, by its JSON path, and for markers of another mesh;
///         GT_ERROR_NOT_FOUND for a joint that is not there, with names that are near
GT_API GtResult gt_markers_load(const GtContext* context, GtFigure* figure, const char* path, GtMarkers** out,
                                GtError* error);

GT_EXTERN_C_END

#endif

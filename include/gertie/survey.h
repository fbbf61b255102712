// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: what is inside a scene: counts, sizes, lengths of clips, what its face and its sections can do.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_SURVEY_H
#define GERTIE_SURVEY_H

#include "gertie/json_write.h"
#include "gertie/scene.h"
#include "gertie/sculpt.h"
#include "gertie/shape_controls.h"
#include "gertie/surface.h"

GT_EXTERN_C_BEGIN

/// One mesh.
typedef struct GtMeshSurvey {
    int64_t vertex_count; ///< vertices that primitives share count once
    int64_t triangle_count;
    int32_t influence_count;       ///< most joints that move one vertex; 0 without a skin
    const char** attributes;       ///< [attribute_count] of any of its primitives, in order of appearance
    const char** morph_attributes; ///< [morph_attribute_count] of any of its morph targets, in order of appearance
    int32_t attribute_count;
    int32_t morph_attribute_count;
} GtMeshSurvey;

/// One clip.
typedef struct GtClipSurvey {
    double start_s;
    double end_s;
    int64_t key_count; ///< of the curve with the most keys
    double rate_hz;    ///< of those keys, or 0 where they are not even
} GtClipSurvey;

/// What a packed character holds beyond a scene; its sections, controls and tracks are in GtSurvey.sculpt.
typedef struct GtPackSurvey {
    int64_t instance_size;      ///< bytes of each instance
    int64_t driver_size;        ///< bytes more for each instance that is driven; 0 without drivers
    int32_t marker_count;       ///< of a harmonic skin; 0 without one
    int32_t point_count;        ///< vertices of a harmonic skin, seams welded; 0 without one
    const char* const* sensors; ///< [sensor_count] names of what the motion tells formulas
    int32_t sensor_count;
    const int64_t* clip_sizes;  ///< [scene->animation_count] bytes
    const bool* clip_is_packed; ///< [scene->animation_count] else the clip has all keys
} GtPackSurvey;

/// What a scene holds. Immutable; free with gt_survey_destroy().
typedef struct GtSurvey {
    const GtScene* scene;
    int64_t file_size;    ///< bytes of the file that the scene was read from, or -1 where that is not known
    bool file_units_open; ///< the file's format does not state its units: those in scene->source were inferred or given
    bool source_units_open; ///< a glTF that was made from such a file, whose units scene->source has
    int32_t joint_count;
    const bool* is_joint;       ///< [scene->node_count]
    const GtMeshSurvey* meshes; ///< [scene->mesh_count]
    const GtClipSurvey* clips;  ///< [scene->animation_count]
    const bool* image_missing;  ///< [scene->image_count] a file that is not there
    bool has_bounds;            ///< false where it cannot be posed
    bool bounds_are_joints;     ///< there is no mesh
    GtBounds bounds_m;          ///< at rest
    bool has_surface;
    GtSurfaceReport surface;  ///< of all meshes together, at rest, with vertices in the same place joined
    GtFace* face;             ///< its kind is GT_FACE_NONE where there are no expressions
    GtSculpt* sculpt;         ///< sections, controls and tracks that the scene keeps, or NULL; of a packed character
                              ///< only counts, sections and names of controls
    const GtPackSurvey* pack; ///< or NULL where the scene was not read from a pack
    GtArena arena;            ///< private
} GtSurvey;

/// Look into a validated scene. What keeps it from being posed is a warning, and then there are no bounds.
/// @param scene  must outlive the survey
/// @param out    receives the survey, or NULL on failure; free with gt_survey_destroy()
GT_API GtResult gt_scene_survey(const GtContext* context, const GtScene* scene, GtSurvey** out, GtError* error);

/// Free a survey; `survey` may be NULL.
GT_API void gt_survey_destroy(GtSurvey* survey);

/// Write all of it as members of the object that is open in `json`.
GT_API void gt_survey_write(GtJsonWriter* json, const GtSurvey* survey);

/// Visit everything in a scene that can be animated: its address (gertie/channel.h), and how many clips have keys for
/// it.
GT_API GtResult gt_survey_channels(const GtContext* context, const GtScene* scene,
                                   void (*visit)(void* user, const char* address, int32_t clip_count), void* user,
                                   GtError* error);

GT_EXTERN_C_END

#endif

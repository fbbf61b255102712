// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: finding the humanoid in a skeleton.
///
/// Finding the humanoid in a skeleton: which joint is the hips, which the left hand. Hierarchy, symmetry, lengths and
/// directions tell first; names are evidence where there are any, and never needed.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_MAP_H
#define GERTIE_MAP_H

#include "gertie/field.h"
#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// How a map is found. Start from gt_default_map_def().
typedef struct GtMapDef {
    const GtHumanoidMap* known; ///< what is known already and stays as it is, the rest GT_NONE; or NULL
    bool ignore_scene_map;      ///< find it anew even where the file brings its own, as VRM does
    bool ignore_names;          ///< by shape alone
} GtMapDef;

GT_API GtMapDef gt_default_map_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_map_def_fields(void);

/// What a skeleton is.
typedef enum GtMapVerdict {
    GT_MAP_HUMANOID,     ///< all fifteen required joints are found
    GT_MAP_AMBIGUOUS,    ///< likewise, but nothing tells left from right: the sides may be swapped
    GT_MAP_INCOMPLETE,   ///< a humanoid with required joints missing
    GT_MAP_NOT_HUMANOID, ///< none
} GtMapVerdict;

/// Longest sentence of a report, with its end.
#define GT_MAP_TEXT_SIZE 160

/// One joint of the vocabulary.
typedef struct GtMapJoint {
    int32_t node;               ///< of the scene, or GT_NONE
    float confidence;           ///< 0 to 1: how often a joint found on such grounds is the right one
    char why[GT_MAP_TEXT_SIZE]; ///< "hangs from the hips, 0.25 of the height long; its name says so too"
} GtMapJoint;

/// The pose a skeleton rests in.
typedef enum GtRestPose {
    GT_REST_OTHER,
    GT_REST_T, ///< arms out, level
    GT_REST_A, ///< arms out, sloping
    GT_REST_I, ///< arms hanging
} GtRestPose;

/// What was found, and why.
typedef struct GtMapReport {
    GtMapVerdict verdict;
    float confidence; ///< of the required joints together
    char summary[GT_MAP_TEXT_SIZE];
    GtMapJoint joints[GT_HUMANOID_JOINT_COUNT];
    int32_t joint_count;  ///< nodes that were taken for joints
    int32_t mapped_count; ///< of those, in the map
    GtRestPose rest_pose;
    GtVec3 up, forward;       ///< of the figure, unit, in model space
    float height_m;           ///< of the figure, from its proportions
    bool sides_against_names; ///< what names call left lies on its right, by its feet, face and knees: the map follows
                              ///< the body
    bool sides_are_doubtful;  ///< feet, face and knees contradict the sides of names or of a known map, which the map
                              ///< follows: it may walk backwards
} GtMapReport;

/// Find the humanoid of a validated scene. A skeleton that is none is no error: the verdict says so.
/// @param out     receives the map: empty when the verdict is GT_MAP_NOT_HUMANOID
/// @param report  may be NULL
/// @return GT_ERROR_BAD_VALUE when a known joint is no node of the scene or two joints are the same node
GT_API GtResult gt_map_humanoid(const GtContext* context, const GtScene* scene, const GtMapDef* def, GtHumanoidMap* out,
                                GtMapReport* report, GtError* error);

/// Write a map as JSON that a person can read, edit and share: joints by the names of their nodes.
/// @param pose    may be NULL; adds how joints turn into the T-pose, those that do, as degrees about the axes of their
///                parents
/// @param report  may be NULL; adds confidences and reasons
GT_API GtResult gt_map_save(const GtContext* context, const GtScene* scene, const GtHumanoidMap* map,
                            const GtRetargetPose* pose, const GtMapReport* report, const char* path, GtError* error);

/// Read a map, whole or partial, against a scene.
/// @param pose  may be NULL; receives the turns that the file states, and rotations of all zeros for other joints, as
///              GtRetargetDef takes them
/// @return GT_ERROR_NOT_FOUND when it names no joint of the scene, with names that are near
GT_API GtResult gt_map_load(const GtContext* context, const GtScene* scene, const char* path, GtHumanoidMap* out,
                            GtRetargetPose* pose, GtError* error);

GT_EXTERN_C_END

#endif

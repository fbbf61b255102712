// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: the built-in person.
///
/// The built-in person: a layered body (skeleton, flesh of smooth fields, skin) with all 55 VRM 1.0 joints, made by
/// formulas, so that nothing else is needed to start, to test and to show.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_PERSON_H
#define GERTIE_PERSON_H

#include "gertie/field.h"
#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// How the person stands at rest.
typedef enum GtPersonPose {
    GT_PERSON_POSE_T, ///< arms level, the pose of VRM
    GT_PERSON_POSE_A, ///< arms 45 degrees down; the scene holds the way back to the T-pose as its retarget pose
} GtPersonPose;

/// A mesh as a scanner would give it, for trying on it what works on such meshes.
typedef struct GtPersonScan {
    bool bare;              ///< the mesh alone: no joints, weights, colours and normals; what follows needs it
    double noise_m;         ///< standard deviation of errors along the normals, 0 to 0.05
    int32_t hole_count;     ///< patches that are missing, 0 to 1000
    int32_t island_count;   ///< small lumps that float around, 0 to 1000
    GtUpAxis up_axis;       ///< of the numbers in the mesh
    double metres_per_unit; ///< of the numbers in the mesh, 1e-6 to 1e6
    uint64_t seed;          ///< of noise, holes and islands
} GtPersonScan;

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_person_scan_fields(void);

/// A person. Start from gt_default_person_def() or gt_random_person_def().
/// Factors are relative to the published ratios (Winter, after Drillis and Contini 1966), 0.7 to 1.4; the person stays
/// `height_m` tall whatever they are, the soles on the ground.
typedef struct GtPersonDef {
    double height_m; ///< 0.5 to 2.5
    double build;    ///< -1 thin, 0 average, 1 heavy, 2 very heavy
    double muscle;   ///< 0 none to show, 1 an athlete's
    double sex;      ///< 0 female to 1 male, any blend between

    double leg_length;     ///< from the hip joint down, against torso and head
    double arm_length;     ///< from the shoulder joint to the fingertips
    double torso_length;   ///< from the hip joint to the shoulder joint, against legs and head
    double shoulder_width; ///< between the shoulder joints
    double hip_width;      ///< between the hip joints
    double head_size;      ///< head and neck, against torso and legs
    double hand_size;      ///< wrist to fingertips
    double foot_size;      ///< heel to toes

    GtPersonPose pose;
    int32_t triangle_count; ///< 2,000 to 1,000,000, met within 2 %

    uint32_t skin_color; ///< 0xRRGGBB as on a screen (sRGB), as the others
    uint32_t hair_color;
    uint32_t eye_color;
    uint32_t shirt_color;
    uint32_t trousers_color;
    uint32_t shoe_color;

    GtPersonScan scan;
} GtPersonDef;

/// Segments whose mass gt_sample_person() reports, as in Winter's table 4.1.
typedef enum GtPersonSegment {
    GT_PERSON_HEAD_AND_NECK,
    GT_PERSON_TRUNK,
    GT_PERSON_UPPER_ARMS, ///< both, as all limbs
    GT_PERSON_FOREARMS,
    GT_PERSON_HANDS,
    GT_PERSON_THIGHS,
    GT_PERSON_SHANKS,
    GT_PERSON_FEET,
    GT_PERSON_SEGMENT_COUNT
} GtPersonSegment;

/// What gt_sample_person() made.
typedef struct GtPersonReport {
    int32_t triangle_count;
    int32_t vertex_count; ///< of the mesh in the scene, where vertices double along the borders of colours
    double volume_m3;     ///< enclosed by the skin, clothes and shoes
    double area_m2;
    double mass_kg; ///< with Winter's densities of the segments
    double segment_mass_kg[GT_PERSON_SEGMENT_COUNT];
    double min_angle_rad;      ///< smallest angle of all triangles
    double mean_min_angle_rad; ///< mean over the triangles of their smallest angles
    double sliver_share;       ///< of triangles with an angle under 15 degrees
} GtPersonReport;

/// Its fields, for JSON and tables.
GT_API const GtFieldTable* gt_person_report_fields(void);

/// A friendly adult of average build, 1.75 m, in the T-pose, of 25,000 triangles.
GT_API GtPersonDef gt_default_person_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_person_def_fields(void);

/// One of a crowd: another person for every seed, the same for the same seed.
GT_API GtPersonDef gt_random_person_def(uint64_t seed);

/// Make the person: joints, a smooth-skinned mesh coloured by region, a humanoid map. The same def gives the same bytes
/// on any number of threads.
/// @param out     receives the scene, or NULL on failure; free with gt_scene_destroy()
/// @param report  may be NULL
GT_API GtResult gt_sample_person(const GtContext* context, const GtPersonDef* def, GtScene** out,
                                 GtPersonReport* report, GtError* error);

/// The skin of a person as the layers under it are in a pose: muscles swell, elbows and knees keep their girth. Slower
/// than any skin that is made for frames, and what such skins can be measured against or learn from. Immutable after
/// creation, so any thread may read it.
typedef struct GtPersonLayers GtPersonLayers;

/// Make the layers and the skin of a person. The vertices are those of the scene that gt_sample_person() makes of the
/// same def, in the same order, in every pose.
/// @param def  not a bare mesh
/// @param out  receives the layers, or NULL on failure; free with gt_person_layers_destroy()
GT_API GtResult gt_person_layers_create(const GtContext* context, const GtPersonDef* def, GtPersonLayers** out,
                                        GtError* error);

/// @param layers  may be NULL
GT_API void gt_person_layers_destroy(GtPersonLayers* layers);

GT_API int32_t gt_person_layers_vertex_count(const GtPersonLayers* layers);

/// The skin in a pose: sections through the limbs follow the bones, and rays from the bones find the layers again.
/// @param parent_from_joint  [GT_HUMANOID_JOINT_COUNT] as the nodes of the person's scene have them; scales are not
/// looked at
/// @param positions          [gt_person_layers_vertex_count()] in model space
/// @param normals            likewise; may be NULL
GT_API GtResult gt_person_layers_pose(const GtContext* context, const GtPersonLayers* layers,
                                      const GtTransform* parent_from_joint, GtVec3* positions, GtVec3* normals,
                                      GtError* error);

GT_EXTERN_C_END

#endif

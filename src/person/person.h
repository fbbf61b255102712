// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Steps of making a person: where fine triangles are needed and where colours meet, the skin over the layers, weights.

#ifndef GERTIE_PERSON_PERSON_H
#define GERTIE_PERSON_PERSON_H

#include "geometry/trimesh.h"
#include "person/layers.h"

// What a place of the body is covered with.
typedef enum GtiRegion {
    GTI_REGION_SKIN,
    GTI_REGION_LIPS,
    GTI_REGION_BROWS,
    GTI_REGION_HAIR,
    GTI_REGION_SHIRT,
    GTI_REGION_TROUSERS,
    GTI_REGION_SHOES,
    GTI_REGION_SOLES,
    GTI_REGION_EYE_WHITES,
    GTI_REGION_IRISES,
    GTI_REGION_PUPILS,
    GTI_REGION_COUNT
} GtiRegion;

// What goes into a file, one entry a vertex.
typedef struct GtiPersonBody {
    int32_t vertex_count;
    int32_t index_count;
    GtVec3* positions;
    GtVec3* normals; // this and what follows are NULL for a bare mesh
    uint8_t (*colors)[4];
    uint16_t (*joints)[4];
    float (*weights)[4];
    uint32_t* indices;
} GtiPersonBody;

// A person in the making.
typedef struct GtiPerson {
    const GtPersonDef* def;
    GtiSkeleton skeleton;  // in the T-pose
    GtiSkeleton reference; // of the person the anatomy is written for, 1 m tall
    GtiLayers layers;      // in the T-pose
    GtiLayers posed;       // in the rest pose
    GtMat34 pose_from_t[GT_HUMANOID_JOINT_COUNT];
    float coarseness; // 0 from 25,000 triangles on, 1 at 2,000
} GtiPerson;

// false when memory ran out.
bool gti_person_prepare(const GtPersonDef* def, GtArena* arena, GtiPerson* out);

// Length of edges at a point, relative to other points; and the region there.
float gti_person_size(const void* person, GtVec3 p);
uint8_t gti_person_region(const void* person, GtVec3 p);

// The skin in the rest pose, symmetric.
typedef struct GtiPersonSkin {
    GtiTrimesh mesh;
    GtVec3* t_positions; // [vertex_count] the vertices in the T-pose
    uint8_t* regions;    // [triangle_count]
} GtiPersonSkin;

// Make the skin. false when memory ran out.
bool gti_person_skin(const GtiPerson* person, const GtExecutor* executor, GtArena* arena, GtiPersonSkin* out);

enum {
    GTI_INFLUENCES = 4
};

// Joints and weights of a point of the skin in the T-pose; weights sum to 1, unused ones are joint 0 with weight 0.
void gti_person_weigh(const GtiPerson* person, GtVec3 p, uint16_t joints[GTI_INFLUENCES],
                      float weights[GTI_INFLUENCES]);

// The body over a skin, with normals, colours and weights. `sources` receives which vertex of the skin each vertex of
// the body is. false when memory ran out.
bool gti_person_dress(const GtContext* context, const GtiPerson* person, const GtiPersonSkin* skin, GtArena* arena,
                      GtiPersonBody* body, int32_t** sources);

// Whether the person can be made.
GtResult gti_person_check(const GtPersonDef* def, GtError* error);

// Put the body into a scene, with its skeleton where it has weights.
GtResult gti_person_add(GtScene* scene, const GtiPersonBody* body, const GtiSkeleton* skeleton, GtError* error);

// Mass of each segment, when the whole has the given volume.
void gti_person_mass(const GtiPerson* person, double volume_m3, double segment_mass_kg[GT_PERSON_SEGMENT_COUNT]);

// The skin with the faults, units and up axis of a scan, in arrays of its own. false when memory ran out.
bool gti_person_scan(const GtiPerson* person, GtArena* arena, GtiTrimesh* mesh);

// What carries points from the T-pose to a pose, one matrix a joint.
void gti_person_pose_from_t(const GtiSkeleton* t_pose, const GtMat34 model_from_joint[GT_HUMANOID_JOINT_COUNT],
                            GtMat34 pose_from_t[GT_HUMANOID_JOINT_COUNT]);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The loops over vertices and nodes, one table a processor level. The scalar table is the specification: plain C beside
// its deformer. A wide twin goes into a table of its own level and must agree with it within the tolerance its test
// states. Kernels of vertices work on [first, end), in any order, and may be cut anywhere.

#ifndef GERTIE_RUNTIME_KERNELS_H
#define GERTIE_RUNTIME_KERNELS_H

#include "gertie/dual_quat.h"
#include "gertie/simd.h"

#include "runtime/blend/blend.h"
#include "runtime/character.h"
#include "runtime/clip/packed_clip.h"
#include "runtime/deformer.h"

// Blend matrices, move vertices by them.
typedef struct GtiLinearSkinJob {
    GtiVertexSource in;
    GtiVertexTarget out;
    int32_t influence_count;
    const uint16_t* joints;         // [vertex * influence_count]
    const float* weights;           // [vertex * influence_count]
    const GtMat34* model_from_mesh; // [joint] skinning matrices
} GtiLinearSkinJob;

// A skinning matrix taken apart: linear part = rotation * stretch.
typedef struct GtiJointMotion {
    GtDualQuat motion;
    float stretch[9]; // row by row
    float pad[3];
} GtiJointMotion;

// Take a skinning matrix apart; false where it stretches.
bool gti_joint_motion(const GtMat34* model_from_mesh, GtiJointMotion* out);

// A bone of this frame, at rest but stretched, and where its joint takes it.
typedef struct GtiPosedBone {
    GtVec3 rest_origin;
    float rest_inverse; // of the axis' squared length; 0 where it has none
    GtVec3 rest_axis;
    float pad;
    GtVec3 origin;
    float inverse;
    GtVec3 axis;
    float pad2;
} GtiPosedBone;

// Find the bones of a skin. `joint_of` is a number a node, all GT_NONE, and is so again afterwards.
void gti_bones_find(const GtCharacterDef* character, const GtSkinDef* skin, int32_t* joint_of, GtiSkinBone* out);

GtiPosedBone gti_bone_pose(const GtiSkinBone* bone, const GtMat34* model_from_mesh, const GtiJointMotion* motion);

// Take a skin's matrices apart and run the kernel.
// motions: [joint_count] scratch; bones: likewise, or NULL to leave bulges
void gti_skin_dual_quat_run(const GtiDeformStep* step, GtiJointMotion* motions, GtiPosedBone* bones);

// GtiDeformer.slopes of skins by dual quaternions.
void gti_skin_dual_quat_slopes(const GtiDeformStep* step, const uint32_t* vertices, int32_t count, GtMat34* out);

// Blend stretches and rigid motions, move vertices by the one, then by the other.
typedef struct GtiDualQuatSkinJob {
    GtiVertexSource in;
    GtiVertexTarget out;
    int32_t influence_count;
    const uint16_t* joints;
    const float* weights;
    const GtiJointMotion* motions; // [joint]
    const GtiPosedBone* bones;     // [joint] towards which bulges are pulled in, or NULL to leave them
    bool rigid;                    // no motion stretches: stretches are not looked at
} GtiDualQuatSkinJob;

// Move vertices by one matrix.
typedef struct GtiRigidJob {
    GtiVertexSource in;
    GtiVertexTarget out;
    GtMat34 model_from_mesh;
} GtiRigidJob;

// out[vertices[i]] += weight * displacements[i], for i in [first, end), which index entries here. A displacement has
// `width` numbers, a vertex `stride`: both 2, 3 or 4; or 3 and 4, as tangents have.
typedef struct GtiMorphJob {
    const uint32_t* vertices; // increasing
    const float* displacements;
    float weight;
    int32_t width;
    int32_t stride;
    float* out;
} GtiMorphJob;

// Chain local transforms: model_from_node[i] = model_from_node[parents[i]] * pose[i].
typedef struct GtiToModelJob {
    const int32_t* parents;  // [node_count] parents[i] < i, or GT_NONE
    const GtTransform* pose; // [node_count]
    GtMat34* model_from_node;
    int32_t node_count;
    int32_t link_count;
    const GtiNodeLink* links; // [link_count]
} GtiToModelJob;

typedef struct GtiKernels {
    void (*skin_linear)(const GtiLinearSkinJob* job, int32_t first, int32_t end);
    void (*skin_dual_quat)(const GtiDualQuatSkinJob* job, int32_t first, int32_t end);
    void (*rigid)(const GtiRigidJob* job, int32_t first, int32_t end);
    void (*morph)(const GtiMorphJob* job, int32_t first, int32_t end);
    void (*to_model)(const GtiToModelJob* job);
    void (*unpack)(const GtiUnpackJob* job);
    void (*section)(const GtiSectionJob* job, int32_t first, int32_t end); // blocks of the cell
    void (*free_section)(const GtiFreeSectionJob* job, int32_t first, int32_t end);
    void (*blend)(const GtBlendJob* job, int32_t first, int32_t end);
    void (*blend_add)(const GtBlendLayer* layer, int32_t first, int32_t end, GtTransform* out);
    const struct GtiHarmonicKernels* harmonic_batch;
    const struct GtiHarmonicKernels* harmonic_live;
} GtiKernels;

// Of the level in use.
const GtiKernels* gti_kernels(void);

// Of that level, or of the highest below it that has kernels of its own.
const GtiKernels* gti_kernels_at(GtSimdLevel level);

void gti_skin_linear_scalar(const GtiLinearSkinJob* job, int32_t first, int32_t end);
void gti_skin_dual_quat_scalar(const GtiDualQuatSkinJob* job, int32_t first, int32_t end);
void gti_rigid_scalar(const GtiRigidJob* job, int32_t first, int32_t end);
void gti_morph_scalar(const GtiMorphJob* job, int32_t first, int32_t end);
void gti_to_model_scalar(const GtiToModelJob* job);

#if defined(__x86_64__)
void gti_skin_linear_avx2(const GtiLinearSkinJob* job, int32_t first, int32_t end);
void gti_skin_dual_quat_avx2(const GtiDualQuatSkinJob* job, int32_t first, int32_t end);
void gti_morph_avx2(const GtiMorphJob* job, int32_t first, int32_t end);
void gti_to_model_avx2(const GtiToModelJob* job);

void gti_skin_linear_avx512(const GtiLinearSkinJob* job, int32_t first, int32_t end);
void gti_skin_dual_quat_avx512(const GtiDualQuatSkinJob* job, int32_t first, int32_t end);
void gti_to_model_avx512(const GtiToModelJob* job);
#elif defined(__aarch64__)
void gti_skin_linear_neon(const GtiLinearSkinJob* job, int32_t first, int32_t end);
void gti_skin_dual_quat_neon(const GtiDualQuatSkinJob* job, int32_t first, int32_t end);
void gti_to_model_neon(const GtiToModelJob* job);
#endif

// A unit vector along `v`, pointing up where `v` has no direction.
static inline GtVec3 gti_unit(GtVec3 v)
{
    return gt_vec3_normalize_or(v, gt_vec3(0.0f, 1.0f, 0.0f));
}

static inline GtVec3 gti_tangent_get(const float* tangents, int32_t vertex)
{
    const float* t = &tangents[4 * (size_t)vertex];
    return gt_vec3(t[0], t[1], t[2]);
}

// Write a tangent with unit length, its handedness w as in `in`.
static inline void gti_tangent_put(float* out, const float* in, int32_t vertex, GtVec3 tangent)
{
    GtVec3 unit = gti_unit(tangent);
    float w = in[4 * (size_t)vertex + 3];
    float* t = &out[4 * (size_t)vertex];
    t[0] = unit.x;
    t[1] = unit.y;
    t[2] = unit.z;
    t[3] = w;
}

#endif

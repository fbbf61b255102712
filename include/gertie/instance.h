// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: instances: one living character each.
///
/// One living character: its pose, channel values and scratch, in one block of the caller's memory.
/// A frame is: gt_instance_reset() or keep, gt_clip_sample(), gt_instance_update(), gt_instance_deform() for each mesh.
/// Nothing here allocates, except gt_instance_create().
///
/// **Threads.** An instance is one thread's at a time; any number of instances may share a character and its clips.

#ifndef GERTIE_INSTANCE_H
#define GERTIE_INSTANCE_H

#include "gertie/character.h"
#include "gertie/clip.h"

GT_EXTERN_C_BEGIN

/// State of one character. For one thread at a time.
typedef struct GtInstance {
    const GtCharacter* character;
    GtTransform* pose;         ///< [node_count] parent_from_node; write to it freely
    float* weights;            ///< [weight_count] morph weights; write to them freely
    float* section_values;     ///< [gt_section_value_count()] lattices and their blends; write to them freely
    GtMat34* model_from_node;  ///< [node_count], as of the last gt_instance_update()
    GtMat34* model_from_point; ///< [gt_harmonic_skin_point_count()], as of the last gt_instance_pose_points()
    bool has_points;           ///< these are of the last gt_instance_update()
    void* scratch;
    size_t scratch_size;
    GtAllocator allocator; ///< private: of gt_instance_create(); zeros in memory of the caller's
} GtInstance;

/// Bytes an instance of this character needs; put them anywhere, aligned to 16.
GT_API size_t gt_instance_size(const GtCharacter* character);

/// Lay out an instance in `memory` of gt_instance_size() bytes, at rest. The instance is the start of that memory.
GT_API GtInstance* gt_instance_init(const GtCharacter* character, void* memory);

/// gt_instance_init() in memory from an allocator.
/// @param out  receives the instance, or NULL on failure; free with gt_instance_destroy()
GT_API GtResult gt_instance_create(GtAllocator allocator, const GtCharacter* character, GtInstance** out,
                                   GtError* error);

/// Free an instance of gt_instance_create(); memory that the caller gave to gt_instance_init() stays the caller's.
/// `instance` may be NULL.
GT_API void gt_instance_destroy(GtInstance* instance);

/// Pose, weights and section values back to rest.
GT_API void gt_instance_reset(GtInstance* instance);

/// Compute model_from_node from the pose.
GT_API void gt_instance_update(GtInstance* instance);

/// Pose the points of a harmonic skin (gertie/harmonic_skin.h) on several threads. Without this call,
/// gt_instance_deform() does it on the calling thread for the first mesh that needs it after gt_instance_update().
/// Nothing is done for a character without a harmonic skin.
/// @param executor  may be NULL for the calling thread
GT_API void gt_instance_pose_points(GtInstance* instance, const GtExecutor* executor);

/// What to deform, and where to. All arrays are the caller's.
typedef struct GtDeformJob {
    const GtCharacter* character;
    int32_t mesh;
    const GtMat34* model_from_node;  ///< [node_count]
    const float* weights;            ///< [weight_count]
    const float* section_values;     ///< [gt_section_value_count()], or NULL for those at rest
    const GtMat34* model_from_point; ///< [gt_harmonic_skin_point_count()] of gt_harmonic_skin_pose(); may be NULL where
                                     ///< the mesh does not follow a harmonic skin
    GtVec3* out_positions;           ///< [vertex_count] in model space
    GtVec3* out_normals;             ///< [vertex_count] unit, or NULL
    float* out_tangents;             ///< [vertex_count * 4], or NULL
    float* out_texcoords;            ///< [vertex_count * 2], or NULL
    float* out_texcoords1;           ///< [vertex_count * 2] the second set, or NULL
    float* out_colors;               ///< [vertex_count * 4], or NULL
    void* scratch;                   ///< [gt_deform_scratch_size()] aligned to 16; may be NULL when that is 0
} GtDeformJob;

/// Scratch bytes that deforming this mesh needs.
GT_API size_t gt_deform_scratch_size(const GtCharacter* character, int32_t mesh);

/// Run the mesh's deformer stack: what its deformers ask for, in their order; what they leave out between rest and
/// model space is filled in (a linear skin, or the node's own motion for a mesh without a skin). Sections follow
/// directly after the skin.
///
/// Normals follow the surface under any scale and stay on its side when mirrored; tangents follow the linear part, and
/// their w is copied. Both come out with unit length. Where a matrix leaves them no direction they point up (+Y), so
/// that no vertex becomes NaN as long as its inputs are finite and do not overflow.
///
/// Morphs alone change texture coordinates and colours; colours that they may change come out between 0 and 1, as glTF
/// asks (2.0, section 3.7.2.2). gt_morph_looks() says which are worth asking for in every frame: others are copied.
///
/// All but positions are zeroed where the mesh has none.
GT_API void gt_deform(const GtDeformJob* job);

/// Attributes beside those of the surface that shapes may change, as bits.
typedef enum GtLooks {
    GT_LOOKS_TEXCOORDS = 1,
    GT_LOOKS_TEXCOORDS1 = 2,
    GT_LOOKS_COLORS = 4,
} GtLooks;

/// Which of them the shapes of a mesh change: bits of GtLooks, 0 for most meshes.
GT_API unsigned gt_morph_looks(const GtCharacter* character, int32_t mesh);

/// gt_deform() with the instance's own matrices, points, weights, section values and scratch.
GT_API void gt_instance_deform(GtInstance* instance, int32_t mesh, GtVec3* out_positions, GtVec3* out_normals,
                               float* out_tangents);

/// Texture coordinates and colours alone, with the instance's own weights; as gt_deform() gives them, each may be NULL.
GT_API void gt_instance_deform_looks(const GtInstance* instance, int32_t mesh, float* out_texcoords,
                                     float* out_texcoords1, float* out_colors);

GT_EXTERN_C_END

#endif

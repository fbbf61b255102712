// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-scene: scenes: a character as data.
///
/// A character as data. A scene mirrors glTF 2.0: nodes, meshes, skins, morph targets, animations, materials, images,
/// over accessors into immutable blobs.
///
/// Rules of a scene:
/// - Arrays are append-only: an index, once given, stays true, also inside extensions that Gertie does not understand.
/// - What a file holds beyond the fields here is kept as JSON text (GtExtra) and written back.
/// - Nested data (names, children, primitives...) is immutable once it is in a scene, because copies share it. To
///   change it, put a new array in its place with memory from gt_scene_push().
/// - A scene is for one thread while it changes; a scene that no one changes may be read by any number.
/// - Right-handed, Y up, metres, radians, seconds.
///
/// **Threads.** A scene is one thread's while it changes; one that nobody changes may be read by any number. Blobs are
/// counted safely from any thread.

#ifndef GERTIE_SCENE_H
#define GERTIE_SCENE_H

#include "gertie/context.h"
#include "gertie/deformer.h"
#include "gertie/humanoid.h"
#include "gertie/interpolation.h"
#include "gertie/transform.h"

GT_EXTERN_C_BEGIN

/// Immutable bytes, counted by reference, shared by scenes and threads.
typedef struct GtBlob GtBlob;

/// Make a blob of `size` bytes for the caller to fill before anyone else sees it. Aligned to GT_ALIGNMENT.
/// @param out_bytes  receives the writable bytes
/// @return a blob with one reference, or NULL when memory ran out
GT_API GtBlob* gt_blob_create(GtAllocator allocator, size_t size, uint8_t** out_bytes);

/// Add a reference, and return the blob.
GT_API GtBlob* gt_blob_retain(GtBlob* blob);

/// Drop a reference; the last one frees it. `blob` may be NULL.
GT_API void gt_blob_release(GtBlob* blob);

GT_API const uint8_t* gt_blob_bytes(const GtBlob* blob);
GT_API size_t gt_blob_size(const GtBlob* blob);

/// What a glTF object holds beyond the fields of its struct, as JSON text; each NULL where there is none.
typedef struct GtExtra {
    const char* extras;     ///< the value of "extras"
    const char* extensions; ///< the object "extensions", without what Gertie reads into fields
    const char* unknown;    ///< further members, as `"key":value,"key":value`
} GtExtra;

/// Axis that points up in a source file.
typedef enum GtUpAxis {
    GT_UP_Y,
    GT_UP_Z,
    GT_UP_X,
} GtUpAxis;

/// Where a scene came from, so that it can be written back as it was. A glTF that was made from another format
/// remembers that one.
typedef struct GtSource {
    const char* file;        ///< that was read, for messages, or NULL
    const char* file_format; ///< GtFormat name of the file that was read ("glb", "bvh"...), or NULL
    const char* format;      ///< "gltf", "bvh"..., or NULL for a scene made by hand
    const char* directory;   ///< folder of the file, against which image URIs are resolved, or NULL
    double metres_per_unit;  ///< of the file; the scene itself is in metres (glTF: 1)
    GtUpAxis up_axis;        ///< of the file; the scene itself is Y up
    bool units_guessed;      ///< from the shape of a mesh, because nobody said them
} GtSource;

/// glTF's "asset".
typedef struct GtAsset {
    const char* generator;
    const char* copyright;
    GtExtra extra;
} GtAsset;

/// A blob under its index.
typedef struct GtBuffer {
    const char* name;
    GtBlob* blob; ///< the scene holds one reference
    GtExtra extra;
} GtBuffer;

/// A range of a buffer.
typedef struct GtBufferView {
    const char* name;
    int32_t buffer;
    uint64_t offset;
    uint64_t size;
    uint32_t stride; ///< bytes from element to element, or 0 when packed
    int32_t target;  ///< OpenGL's 34962 or 34963, or 0
    GtExtra extra;
} GtBufferView;

/// Number type of an accessor's components, with glTF's codes.
typedef enum GtComponentType {
    GT_COMPONENT_INT8 = 5120,
    GT_COMPONENT_UINT8 = 5121,
    GT_COMPONENT_INT16 = 5122,
    GT_COMPONENT_UINT16 = 5123,
    GT_COMPONENT_UINT32 = 5125,
    GT_COMPONENT_FLOAT = 5126,
} GtComponentType;

/// Shape of an accessor's elements.
typedef enum GtElementType {
    GT_ELEMENT_SCALAR,
    GT_ELEMENT_VEC2,
    GT_ELEMENT_VEC3,
    GT_ELEMENT_VEC4,
    GT_ELEMENT_MAT2,
    GT_ELEMENT_MAT3,
    GT_ELEMENT_MAT4,
} GtElementType;

/// Elements that replace some of an accessor's.
typedef struct GtSparse {
    uint64_t count;
    int32_t indices_view;
    uint64_t indices_offset;
    GtComponentType indices_type; ///< unsigned
    int32_t values_view;
    uint64_t values_offset;
    GtExtra extra;
    GtExtra indices_extra;
    GtExtra values_extra;
} GtSparse;

/// A typed array in a buffer view. Read it with gt_accessor_read_floats() and its kin (gertie/accessor.h).
typedef struct GtAccessor {
    const char* name;
    int32_t view; ///< or GT_NONE: zeros, where `sparse` says nothing else
    uint64_t offset;
    GtComponentType component_type;
    GtElementType element_type;
    bool normalized;
    uint64_t count;
    const double* min;      ///< [components of an element], or NULL
    const double* max;      ///< likewise
    const GtSparse* sparse; ///< or NULL
    GtExtra extra;
} GtAccessor;

/// An encoded picture: a file beside the scene, a data URI, or a buffer view.
typedef struct GtImage {
    const char* name;
    const char* uri; ///< or NULL
    const char* mime_type;
    int32_t view; ///< or GT_NONE
    GtExtra extra;
} GtImage;

/// How a texture is filtered and repeated, in OpenGL's codes; 0 where the file does not say.
typedef struct GtSampler {
    const char* name;
    int32_t mag_filter;
    int32_t min_filter;
    int32_t wrap_s;
    int32_t wrap_t;
    GtExtra extra;
} GtSampler;

/// An image with a sampler.
typedef struct GtTexture {
    const char* name;
    int32_t sampler; ///< or GT_NONE
    int32_t image;   ///< or GT_NONE
    GtExtra extra;
} GtTexture;

/// Use of a texture in a material.
typedef struct GtTextureRef {
    int32_t texture; ///< or GT_NONE: not used, and the rest has no meaning
    int32_t texcoord;
    float scale; ///< "scale" of a normal texture, "strength" of an occlusion texture; 1 elsewhere
    GtExtra extra;
} GtTextureRef;

/// How a material's alpha is used.
typedef enum GtAlphaMode {
    GT_ALPHA_OPAQUE,
    GT_ALPHA_MASK,
    GT_ALPHA_BLEND,
} GtAlphaMode;

/// A metallic-roughness material. Start from gt_default_material().
typedef struct GtMaterial {
    const char* name;
    bool has_pbr; ///< whether "pbrMetallicRoughness" is written
    float base_color[4];
    GtTextureRef base_color_texture;
    float metallic;
    float roughness;
    GtTextureRef metallic_roughness_texture;
    GtExtra pbr_extra;
    GtTextureRef normal_texture;
    GtTextureRef occlusion_texture;
    GtTextureRef emissive_texture;
    float emissive[3];
    GtAlphaMode alpha_mode;
    float alpha_cutoff;
    bool double_sided;
    GtExtra extra;
} GtMaterial;

/// A camera; zoom and size as glTF has them.
typedef struct GtCamera {
    const char* name;
    bool orthographic;
    float aspect_ratio; ///< perspective; 0 when not given
    float fov_y_rad;    ///< perspective
    float mag_x, mag_y; ///< orthographic
    float z_near;
    float z_far; ///< 0 means infinite
    GtExtra extra;
    GtExtra lens_extra; ///< of "perspective" or "orthographic"
} GtCamera;

/// A named vertex attribute, such as "POSITION" or "JOINTS_0".
typedef struct GtAttribute {
    const char* name;
    int32_t accessor;
} GtAttribute;

/// The displacements of one morph target in one primitive.
typedef struct GtMorphTarget {
    const GtAttribute* attributes;
    int32_t attribute_count;
} GtMorphTarget;

/// What indices mean, with OpenGL's codes.
typedef enum GtPrimitiveMode {
    GT_MODE_POINTS = 0,
    GT_MODE_LINES = 1,
    GT_MODE_LINE_LOOP = 2,
    GT_MODE_LINE_STRIP = 3,
    GT_MODE_TRIANGLES = 4,
    GT_MODE_TRIANGLE_STRIP = 5,
    GT_MODE_TRIANGLE_FAN = 6,
} GtPrimitiveMode;

/// Part of a mesh with one material.
typedef struct GtPrimitive {
    GtPrimitiveMode mode;
    int32_t indices; ///< accessor, or GT_NONE
    int32_t material;
    const GtAttribute* attributes;
    int32_t attribute_count;
    const GtMorphTarget* targets; ///< [target_count of the mesh]
    GtExtra extra;
} GtPrimitive;

/// Primitives that share morph targets.
typedef struct GtMesh {
    const char* name;
    const GtPrimitive* primitives;
    int32_t primitive_count;
    int32_t target_count;            ///< of every primitive
    const char* const* target_names; ///< [target_count], or NULL; from and to extras.targetNames
    const float* weights;            ///< [weight_count] default morph weights
    int32_t weight_count;            ///< 0 or target_count
    GtExtra extra;
} GtMesh;

/// Joints and their inverse bind matrices.
typedef struct GtSkin {
    const char* name;
    const int32_t* joints; ///< [joint_count] nodes
    int32_t joint_count;
    int32_t inverse_bind; ///< accessor of MAT4, or GT_NONE for identities
    int32_t skeleton;     ///< node, or GT_NONE
    GtExtra extra;
} GtSkin;

/// One channel of a BVH joint.
typedef enum GtBvhChannel {
    GT_BVH_X_POSITION,
    GT_BVH_Y_POSITION,
    GT_BVH_Z_POSITION,
    GT_BVH_X_ROTATION,
    GT_BVH_Y_ROTATION,
    GT_BVH_Z_ROTATION,
    GT_BVH_X_SCALE,
    GT_BVH_Y_SCALE,
    GT_BVH_Z_SCALE,
} GtBvhChannel;

/// What a BVH file says of a joint beyond its offset; kept for writing it back.
typedef struct GtBvhJoint {
    bool end_site; ///< an "End Site", which has no channels
    int32_t channel_count;
    uint8_t channels[16]; ///< GtBvhChannel, in file order
} GtBvhJoint;

/// A node of the forest. Start from gt_default_node().
typedef struct GtNode {
    const char* name;
    int32_t parent;          ///< or GT_NONE; follows from the children lists
    const int32_t* children; ///< [child_count]
    int32_t child_count;
    int32_t child_capacity;     ///< private: room behind `children` that this scene may fill; 0 where it must copy
    int32_t mesh, skin, camera; ///< or GT_NONE
    GtTransform local;          ///< parent_from_node; of a matrix, its decomposition
    const float* matrix;  ///< [16] column-major where the file gives one, or NULL; `local` is what poses start from
    const float* weights; ///< [weight_count] morph weights that override the mesh's, or NULL
    int32_t weight_count;
    const GtDeformerData* deformers; ///< [deformer_count] stack of this node's mesh, or NULL for morph, linear skin
    int32_t deformer_count;
    const GtBvhJoint* bvh; ///< or NULL
    GtExtra extra;
} GtNode;

/// A glTF "scene": a list of root nodes that are shown together.
typedef struct GtStage {
    const char* name;
    const int32_t* nodes; ///< [node_count]
    int32_t node_count;
    GtExtra extra;
} GtStage;

/// Keys of a curve.
typedef struct GtAnimationSampler {
    int32_t input;  ///< accessor of times in seconds, strictly increasing
    int32_t output; ///< accessor of values
    GtInterpolation interpolation;
    GtExtra extra;
} GtAnimationSampler;

/// What a channel animates.
typedef enum GtAnimationPath {
    GT_PATH_TRANSLATION,
    GT_PATH_ROTATION,
    GT_PATH_SCALE,
    GT_PATH_WEIGHTS,
    GT_PATH_OTHER, ///< one that Gertie does not play, such as "pointer"; kept
} GtAnimationPath;

/// A curve bound to a property of a node.
typedef struct GtAnimationChannel {
    int32_t sampler; ///< index into the animation's samplers
    int32_t node;    ///< or GT_NONE where an extension names the target
    GtAnimationPath path;
    const char* path_name; ///< of GT_PATH_OTHER
    GtExtra extra;
    GtExtra target_extra;
} GtAnimationChannel;

/// Markers and how they turn in a clip, from which harmonic deformation plays it exactly; gertie/harmonic_clip.h reads
/// them.
typedef struct GtHarmonicData {
    int32_t view; ///< buffer view with the bytes; may be out of range
} GtHarmonicData;

/// A clip.
typedef struct GtAnimation {
    const char* name;
    const GtAnimationSampler* samplers;
    int32_t sampler_count;
    const GtAnimationChannel* channels;
    int32_t channel_count;
    bool tpose_first; ///< the first key is a T-pose that is not part of the motion (as in the CMU collection)
    const GtHarmonicData* harmonic; ///< or NULL
    GtExtra extra;
} GtAnimation;

typedef struct GtSceneStorage GtSceneStorage;

/// A whole file. Make one with gt_scene_create() or a loader; free it with gt_scene_destroy().
typedef struct GtScene {
    GtAsset asset;
    GtSource source;
    GtExtra extra;
    GtNode* nodes;
    GtMesh* meshes;
    GtSkin* skins;
    GtAnimation* animations;
    GtMaterial* materials;
    GtTexture* textures;
    GtSampler* samplers;
    GtImage* images;
    GtCamera* cameras;
    GtAccessor* accessors;
    GtBufferView* buffer_views;
    GtBuffer* buffers;
    GtStage* stages;
    const char** extensions_used;
    const char** extensions_required;
    int32_t node_count;
    int32_t mesh_count;
    int32_t skin_count;
    int32_t animation_count;
    int32_t material_count;
    int32_t texture_count;
    int32_t sampler_count;
    int32_t image_count;
    int32_t camera_count;
    int32_t accessor_count;
    int32_t buffer_view_count;
    int32_t buffer_count;
    int32_t stage_count;
    int32_t extension_used_count;
    int32_t extension_required_count;
    int32_t default_stage;               ///< or GT_NONE
    const GtHumanoidMap* humanoid;       ///< or NULL where no map is known
    const GtRetargetPose* retarget_pose; ///< or NULL
    const char* deform;                  ///< JSON of GERTIE_deform, unread, or NULL; gertie/sculpt.h reads it
    GtBlob* pack; ///< bytes of the packed character that the scene was read from, which it holds one reference of, or
                  ///< NULL; gt_sculpt_figure_open() plays it as a game does
    GtSceneStorage* storage; ///< private
} GtScene;

/// A node with no parent, children or mesh, at the identity.
GT_API GtNode gt_default_node(void);

/// glTF's defaults: white, metallic 1, roughness 1, opaque, no textures.
GT_API GtMaterial gt_default_material(void);

/// An empty scene. Texts and arrays pushed into it live as long as it does.
/// @param out  receives the scene, or NULL on failure; free with gt_scene_destroy()
GT_API GtResult gt_scene_create(const GtContext* context, GtScene** out, GtError* error);

/// A copy that shares everything immutable with `source`; either may be freed first. It has no `pack`, because what is
/// changed in it would not be changed there.
GT_API GtResult gt_scene_copy(const GtContext* context, const GtScene* source, GtScene** out, GtError* error);

/// Free a scene; `scene` may be NULL.
GT_API void gt_scene_destroy(GtScene* scene);

/// Zeroed memory that lives as long as the scene, aligned to 16; NULL when it ran out or count * size overflows.
GT_API void* gt_scene_push(GtScene* scene, size_t count, size_t size);

/// A terminated copy of text that lives as long as the scene; NULL when memory ran out.
GT_API const char* gt_scene_push_text(GtScene* scene, const char* text, size_t length);

/// @name Appending
/// Each copies the struct (not what it points to) to the end of its array and gives its index.
/// @param index  may be NULL
/// @return GT_OK, GT_ERROR_OUT_OF_MEMORY, or GT_ERROR_LIMIT past 2^31 - 1 items
/// @{

/// The node's parent field says under which node it is hung; its children list is taken as it is.
GT_API GtResult gt_scene_add_node(GtScene* scene, const GtNode* node, int32_t* index, GtError* error);
GT_API GtResult gt_scene_add_mesh(GtScene* scene, const GtMesh* mesh, int32_t* index, GtError* error);
GT_API GtResult gt_scene_add_skin(GtScene* scene, const GtSkin* skin, int32_t* index, GtError* error);
GT_API GtResult gt_scene_add_animation(GtScene* scene, const GtAnimation* animation, int32_t* index, GtError* error);
GT_API GtResult gt_scene_add_material(GtScene* scene, const GtMaterial* material, int32_t* index, GtError* error);
GT_API GtResult gt_scene_add_texture(GtScene* scene, const GtTexture* texture, int32_t* index, GtError* error);
GT_API GtResult gt_scene_add_sampler(GtScene* scene, const GtSampler* sampler, int32_t* index, GtError* error);
GT_API GtResult gt_scene_add_image(GtScene* scene, const GtImage* image, int32_t* index, GtError* error);
GT_API GtResult gt_scene_add_camera(GtScene* scene, const GtCamera* camera, int32_t* index, GtError* error);
GT_API GtResult gt_scene_add_accessor(GtScene* scene, const GtAccessor* accessor, int32_t* index, GtError* error);
GT_API GtResult gt_scene_add_buffer_view(GtScene* scene, const GtBufferView* view, int32_t* index, GtError* error);
/// Takes over the caller's reference to the blob, also on failure.
GT_API GtResult gt_scene_add_buffer(GtScene* scene, const GtBuffer* buffer, int32_t* index, GtError* error);
GT_API GtResult gt_scene_add_stage(GtScene* scene, const GtStage* stage, int32_t* index, GtError* error);
/// Adds `name` to extensions_used, and to extensions_required when `required`, unless it is there already.
GT_API GtResult gt_scene_add_extension(GtScene* scene, const char* name, bool required, GtError* error);
/// @}

/// Prune what is no longer used: accessors, buffer views and bytes that `before` has a use for and `scene` has not,
/// after clips or shapes were taken off it or replaced. At the end of an array they are cut off. Others stay under
/// their index, accessors as zeros and views as their first 4 bytes, until they are at the end. What only extensions
/// use that Gertie does not understand stays as it is.
/// @param before  what `scene` is a copy of, and unchanged since
/// @return GT_OK or GT_ERROR_OUT_OF_MEMORY; the scene is whole in either case
GT_API GtResult gt_scene_prune(GtScene* scene, const GtScene* before, GtError* error);

/// A scene of the clips alone, which programs bind to the character by the names of its nodes: the nodes with their
/// rest transforms, the clips with their events, the humanoid map and what the skins say of joints. Nodes that only
/// show a mesh or a camera go, with all that is shown; so do channels of morph weights and materials, and extensions.
/// Indices are new. Keys are floats. A warning names a node that moves and whose name is not its
/// own.
/// @param scene  validated
/// @param out    receives the scene, or NULL on failure; free with gt_scene_destroy()
GT_API GtResult gt_scene_keep_animation_only(const GtContext* context, const GtScene* scene, GtScene** out,
                                             GtError* error);

/// First node of that name, or GT_NONE. Names need not be unique.
GT_API int32_t gt_scene_find_node(const GtScene* scene, const char* name);

/// Nodes ordered parents first, roots in index order: the runtime's order.
/// @param order  [node_count] receives node indices
/// @return GT_OK, or GT_ERROR_BAD_VALUE for a cycle or a node with two parents
GT_API GtResult gt_scene_parent_first(const GtScene* scene, int32_t* order, GtError* error);

/// Check everything an index, a count or a number can get wrong, so that all later work may trust the scene.
/// What is wrong beyond repair is an error that names the place as a JSON path ("meshes[0].primitives[1].indices");
/// what later steps repair (weights that do not sum to 1) is a warning, or an error when the context is strict.
GT_API GtResult gt_scene_validate(const GtContext* context, const GtScene* scene, GtError* error);

GT_EXTERN_C_END

#endif

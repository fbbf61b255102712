// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The tables of glTF 2.0, section 5 of the specification ("Properties Reference"), in its order from the leaves to
// the root. Members are written in the order of their table.

#include "io/gltf/schema.h"

#include "base/fail.h"
#include "io/gltf/hooks.h"

#include <string.h>

#define AT(type, member)  offsetof(type, member)
#define FIELDS(table)     .fields = (table), .field_count = sizeof(table) / sizeof *(table)
#define SHAPE(type, part) .size = sizeof(type), .extra_at = offsetof(type, part)

static const GtiGltfField asset_fields[] = {
    { "version", GTI_GLTF_HOOK, .flags = GTI_GLTF_REQUIRED },
    { "generator", GTI_GLTF_TEXT, .flags = GTI_GLTF_HOOK_WRITES, .at = AT(GtAsset, generator) },
    { "copyright", GTI_GLTF_TEXT, .at = AT(GtAsset, copyright) },
};
static const GtiGltfSchema asset_schema = {
    FIELDS(asset_fields),
    SHAPE(GtAsset, extra),
    .write = gti_gltf_asset_write,
};

static const GtiGltfField buffer_fields[] = {
    { "name", GTI_GLTF_TEXT, .at = AT(GtBuffer, name) },
    { "uri", .kind = GTI_GLTF_HOOK },
    { "byteLength", GTI_GLTF_HOOK, .flags = GTI_GLTF_REQUIRED },
};
const GtiGltfSchema gti_gltf_buffer_schema = {
    FIELDS(buffer_fields),        SHAPE(GtBuffer, extra),         .extensions = gti_meshopt_extensions,
    .read = gti_gltf_buffer_read, .write = gti_gltf_buffer_write,
};

static const GtiGltfField buffer_view_fields[] = {
    { "name", GTI_GLTF_TEXT, .at = AT(GtBufferView, name) },
    { "buffer", GTI_GLTF_INDEX, .flags = GTI_GLTF_REQUIRED, .at = AT(GtBufferView, buffer) },
    { "byteOffset", GTI_GLTF_SIZE, .at = AT(GtBufferView, offset) },
    { "byteLength", GTI_GLTF_SIZE, .flags = GTI_GLTF_REQUIRED, .at = AT(GtBufferView, size) },
    { "byteStride", GTI_GLTF_UINT, .at = AT(GtBufferView, stride) },
    { "target", GTI_GLTF_INT, .at = AT(GtBufferView, target) },
};
static const GtiGltfSchema buffer_view_schema = {
    FIELDS(buffer_view_fields),
    SHAPE(GtBufferView, extra),
    .extensions = gti_meshopt_extensions,
};

static const GtiGltfWord element_words[] = {
    { "SCALAR", GT_ELEMENT_SCALAR }, { "VEC2", GT_ELEMENT_VEC2 },
    { "VEC3", GT_ELEMENT_VEC3 },     { "VEC4", GT_ELEMENT_VEC4 },
    { "MAT2", GT_ELEMENT_MAT2 },     { "MAT3", GT_ELEMENT_MAT3 },
    { "MAT4", GT_ELEMENT_MAT4 },     { NULL, 0 },
};

static const GtiGltfField sparse_indices_fields[] = {
    { "bufferView", GTI_GLTF_INDEX, .flags = GTI_GLTF_REQUIRED, .at = AT(GtSparse, indices_view) },
    { "byteOffset", GTI_GLTF_SIZE, .at = AT(GtSparse, indices_offset) },
    { "componentType", GTI_GLTF_INT, .flags = GTI_GLTF_REQUIRED, .at = AT(GtSparse, indices_type) },
};
static const GtiGltfSchema sparse_indices_schema = { FIELDS(sparse_indices_fields), SHAPE(GtSparse, indices_extra) };

static const GtiGltfField sparse_values_fields[] = {
    { "bufferView", GTI_GLTF_INDEX, .flags = GTI_GLTF_REQUIRED, .at = AT(GtSparse, values_view) },
    { "byteOffset", GTI_GLTF_SIZE, .at = AT(GtSparse, values_offset) },
};
static const GtiGltfSchema sparse_values_schema = { FIELDS(sparse_values_fields), SHAPE(GtSparse, values_extra) };

static const GtiGltfField sparse_fields[] = {
    { "count", GTI_GLTF_SIZE, .flags = GTI_GLTF_REQUIRED, .at = AT(GtSparse, count) },
    { "indices", GTI_GLTF_GROUP, .flags = GTI_GLTF_REQUIRED, .schema = &sparse_indices_schema },
    { "values", GTI_GLTF_GROUP, .flags = GTI_GLTF_REQUIRED, .schema = &sparse_values_schema },
};
static const GtiGltfSchema sparse_schema = { FIELDS(sparse_fields), SHAPE(GtSparse, extra) };

static const GtiGltfField accessor_fields[] = {
    { "name", GTI_GLTF_TEXT, .at = AT(GtAccessor, name) },
    { "bufferView", GTI_GLTF_INDEX, .at = AT(GtAccessor, view) },
    { "byteOffset", GTI_GLTF_SIZE, .at = AT(GtAccessor, offset) },
    { "componentType", GTI_GLTF_INT, .flags = GTI_GLTF_REQUIRED, .at = AT(GtAccessor, component_type) },
    { "normalized", GTI_GLTF_BOOL, .at = AT(GtAccessor, normalized) },
    { "count", GTI_GLTF_SIZE, .flags = GTI_GLTF_REQUIRED, .at = AT(GtAccessor, count) },
    { "type", GTI_GLTF_WORD, .flags = GTI_GLTF_REQUIRED, .at = AT(GtAccessor, element_type), .words = element_words },
    { "min", .kind = GTI_GLTF_HOOK },
    { "max", .kind = GTI_GLTF_HOOK },
    { "sparse", GTI_GLTF_POINTER, .at = AT(GtAccessor, sparse), .schema = &sparse_schema },
};
static const GtiGltfSchema accessor_schema = {
    FIELDS(accessor_fields),
    SHAPE(GtAccessor, extra),
    .read = gti_gltf_accessor_read,
    .write = gti_gltf_accessor_write,
};

static const GtiGltfField image_fields[] = {
    { "name", GTI_GLTF_TEXT, .at = AT(GtImage, name) },
    { "uri", GTI_GLTF_TEXT, .at = AT(GtImage, uri) },
    { "mimeType", GTI_GLTF_TEXT, .at = AT(GtImage, mime_type) },
    { "bufferView", GTI_GLTF_INDEX, .at = AT(GtImage, view) },
};
static const GtiGltfSchema image_schema = {
    FIELDS(image_fields),
    SHAPE(GtImage, extra),
    .read = gti_gltf_image_read,
};

static const GtiGltfField sampler_fields[] = {
    { "name", GTI_GLTF_TEXT, .at = AT(GtSampler, name) },
    { "magFilter", GTI_GLTF_INT, .at = AT(GtSampler, mag_filter) },
    { "minFilter", GTI_GLTF_INT, .at = AT(GtSampler, min_filter) },
    { "wrapS", GTI_GLTF_INT, .at = AT(GtSampler, wrap_s) },
    { "wrapT", GTI_GLTF_INT, .at = AT(GtSampler, wrap_t) },
};
static const GtiGltfSchema sampler_schema = { FIELDS(sampler_fields), SHAPE(GtSampler, extra) };

static const GtiGltfField texture_fields[] = {
    { "name", GTI_GLTF_TEXT, .at = AT(GtTexture, name) },
    { "sampler", GTI_GLTF_INDEX, .at = AT(GtTexture, sampler) },
    { "source", GTI_GLTF_INDEX, .at = AT(GtTexture, image) },
};
static const GtiGltfSchema texture_schema = { FIELDS(texture_fields), SHAPE(GtTexture, extra) };

static void init_texture_ref(void* object)
{
    *(GtTextureRef*)object = (GtTextureRef){ .texture = GT_NONE, .scale = 1.0f };
}

static const GtiGltfField texture_ref_fields[] = {
    { "index", GTI_GLTF_INDEX, .flags = GTI_GLTF_REQUIRED, .at = AT(GtTextureRef, texture) },
    { "texCoord", GTI_GLTF_INT, .at = AT(GtTextureRef, texcoord) },
};
static const GtiGltfSchema texture_ref_schema = {
    FIELDS(texture_ref_fields),
    SHAPE(GtTextureRef, extra),
    .init = init_texture_ref,
};

static const GtiGltfField normal_texture_fields[] = {
    { "index", GTI_GLTF_INDEX, .flags = GTI_GLTF_REQUIRED, .at = AT(GtTextureRef, texture) },
    { "texCoord", GTI_GLTF_INT, .at = AT(GtTextureRef, texcoord) },
    { "scale", GTI_GLTF_FLOAT, .at = AT(GtTextureRef, scale) },
};
static const GtiGltfSchema normal_texture_schema = {
    FIELDS(normal_texture_fields),
    SHAPE(GtTextureRef, extra),
    .init = init_texture_ref,
};

static const GtiGltfField occlusion_texture_fields[] = {
    { "index", GTI_GLTF_INDEX, .flags = GTI_GLTF_REQUIRED, .at = AT(GtTextureRef, texture) },
    { "texCoord", GTI_GLTF_INT, .at = AT(GtTextureRef, texcoord) },
    { "strength", GTI_GLTF_FLOAT, .at = AT(GtTextureRef, scale) },
};
static const GtiGltfSchema occlusion_texture_schema = {
    FIELDS(occlusion_texture_fields),
    SHAPE(GtTextureRef, extra),
    .init = init_texture_ref,
};

static const GtiGltfWord alpha_words[] = {
    { "OPAQUE", GT_ALPHA_OPAQUE },
    { "MASK", GT_ALPHA_MASK },
    { "BLEND", GT_ALPHA_BLEND },
    { NULL, 0 },
};

static void init_material(void* object)
{
    *(GtMaterial*)object = gt_default_material();
    ((GtMaterial*)object)->has_pbr = false;
}

static const GtiGltfField pbr_fields[] = {
    { "baseColorFactor", GTI_GLTF_VECTOR, .at = AT(GtMaterial, base_color), .length = 4 },
    { "baseColorTexture", GTI_GLTF_OBJECT, .flags = GTI_GLTF_NEEDS_INDEX, .at = AT(GtMaterial, base_color_texture),
      .schema = &texture_ref_schema },
    { "metallicFactor", GTI_GLTF_FLOAT, .at = AT(GtMaterial, metallic) },
    { "roughnessFactor", GTI_GLTF_FLOAT, .at = AT(GtMaterial, roughness) },
    { "metallicRoughnessTexture", GTI_GLTF_OBJECT, .flags = GTI_GLTF_NEEDS_INDEX,
      .at = AT(GtMaterial, metallic_roughness_texture), .schema = &texture_ref_schema },
};
static const GtiGltfSchema pbr_schema = { FIELDS(pbr_fields), SHAPE(GtMaterial, pbr_extra) };

static const GtiGltfField material_fields[] = {
    { "name", GTI_GLTF_TEXT, .at = AT(GtMaterial, name) },
    { "pbrMetallicRoughness", GTI_GLTF_GROUP, .flags = GTI_GLTF_SETS_FLAG, .flag_at = AT(GtMaterial, has_pbr),
      .schema = &pbr_schema },
    { "normalTexture", GTI_GLTF_OBJECT, .flags = GTI_GLTF_NEEDS_INDEX, .at = AT(GtMaterial, normal_texture),
      .schema = &normal_texture_schema },
    { "occlusionTexture", GTI_GLTF_OBJECT, .flags = GTI_GLTF_NEEDS_INDEX, .at = AT(GtMaterial, occlusion_texture),
      .schema = &occlusion_texture_schema },
    { "emissiveTexture", GTI_GLTF_OBJECT, .flags = GTI_GLTF_NEEDS_INDEX, .at = AT(GtMaterial, emissive_texture),
      .schema = &texture_ref_schema },
    { "emissiveFactor", GTI_GLTF_VECTOR, .at = AT(GtMaterial, emissive), .length = 3 },
    { "alphaMode", GTI_GLTF_WORD, .at = AT(GtMaterial, alpha_mode), .words = alpha_words },
    { "alphaCutoff", GTI_GLTF_FLOAT, .at = AT(GtMaterial, alpha_cutoff) },
    { "doubleSided", GTI_GLTF_BOOL, .at = AT(GtMaterial, double_sided) },
};
static const GtiGltfSchema material_schema = {
    FIELDS(material_fields),
    SHAPE(GtMaterial, extra),
    .init = init_material,
};

static const GtiGltfField perspective_fields[] = {
    { "aspectRatio", GTI_GLTF_FLOAT, .at = AT(GtCamera, aspect_ratio) },
    { "yfov", GTI_GLTF_FLOAT, .flags = GTI_GLTF_REQUIRED, .at = AT(GtCamera, fov_y_rad) },
    { "znear", GTI_GLTF_FLOAT, .flags = GTI_GLTF_REQUIRED, .at = AT(GtCamera, z_near) },
    { "zfar", GTI_GLTF_FLOAT, .at = AT(GtCamera, z_far) },
};
static const GtiGltfSchema perspective_schema = { FIELDS(perspective_fields), SHAPE(GtCamera, lens_extra) };

static const GtiGltfField orthographic_fields[] = {
    { "xmag", GTI_GLTF_FLOAT, .flags = GTI_GLTF_REQUIRED, .at = AT(GtCamera, mag_x) },
    { "ymag", GTI_GLTF_FLOAT, .flags = GTI_GLTF_REQUIRED, .at = AT(GtCamera, mag_y) },
    { "znear", GTI_GLTF_FLOAT, .flags = GTI_GLTF_REQUIRED, .at = AT(GtCamera, z_near) },
    { "zfar", GTI_GLTF_FLOAT, .flags = GTI_GLTF_REQUIRED, .at = AT(GtCamera, z_far) },
};
static const GtiGltfSchema orthographic_schema = { FIELDS(orthographic_fields), SHAPE(GtCamera, lens_extra) };

static const GtiGltfField camera_fields[] = {
    { "name", GTI_GLTF_TEXT, .at = AT(GtCamera, name) },
    { "type", GTI_GLTF_HOOK, .flags = GTI_GLTF_REQUIRED },
    { "perspective", GTI_GLTF_GROUP, .flags = GTI_GLTF_CLEARS_FLAG, .flag_at = AT(GtCamera, orthographic),
      .schema = &perspective_schema },
    { "orthographic", GTI_GLTF_GROUP, .flags = GTI_GLTF_SETS_FLAG, .flag_at = AT(GtCamera, orthographic),
      .schema = &orthographic_schema },
};
static const GtiGltfSchema camera_schema = {
    FIELDS(camera_fields),
    SHAPE(GtCamera, extra),
    .read = gti_gltf_camera_read,
    .write = gti_gltf_camera_write,
};

static void init_primitive(void* object)
{
    *(GtPrimitive*)object = (GtPrimitive){ .mode = GT_MODE_TRIANGLES, .indices = GT_NONE, .material = GT_NONE };
}

static const GtiGltfField primitive_fields[] = {
    { "attributes", GTI_GLTF_HOOK, .flags = GTI_GLTF_REQUIRED },
    { "indices", GTI_GLTF_INDEX, .at = AT(GtPrimitive, indices) },
    { "material", GTI_GLTF_INDEX, .at = AT(GtPrimitive, material) },
    { "mode", GTI_GLTF_INT, .at = AT(GtPrimitive, mode) },
    { "targets", .kind = GTI_GLTF_HOOK },
};
const GtiGltfSchema gti_gltf_primitive_schema = {
    FIELDS(primitive_fields),        SHAPE(GtPrimitive, extra),         .init = init_primitive,
    .read = gti_gltf_primitive_read, .write = gti_gltf_primitive_write,
};

static const GtiGltfField mesh_fields[] = {
    { "name", GTI_GLTF_TEXT, .at = AT(GtMesh, name) },
    { "primitives", GTI_GLTF_OBJECTS, .flags = GTI_GLTF_REQUIRED | GTI_GLTF_HOOK_WRITES, .at = AT(GtMesh, primitives),
      .count_at = AT(GtMesh, primitive_count), .schema = &gti_gltf_primitive_schema },
    { "weights", GTI_GLTF_FLOATS, .at = AT(GtMesh, weights), .count_at = AT(GtMesh, weight_count) },
};
static const GtiGltfSchema mesh_schema = {
    FIELDS(mesh_fields),
    SHAPE(GtMesh, extra),
    .read = gti_gltf_mesh_read,
    .write = gti_gltf_mesh_write,
    .has_extras = gti_gltf_mesh_has_extras,
    .write_extras = gti_gltf_mesh_write_extras,
};

static const GtiGltfField skin_fields[] = {
    { "name", GTI_GLTF_TEXT, .at = AT(GtSkin, name) },
    { "inverseBindMatrices", GTI_GLTF_INDEX, .at = AT(GtSkin, inverse_bind) },
    { "skeleton", GTI_GLTF_INDEX, .at = AT(GtSkin, skeleton) },
    { "joints", GTI_GLTF_INDICES, .flags = GTI_GLTF_REQUIRED, .at = AT(GtSkin, joints),
      .count_at = AT(GtSkin, joint_count) },
};
static const GtiGltfSchema skin_schema = { FIELDS(skin_fields), SHAPE(GtSkin, extra) };

static void init_node(void* object)
{
    *(GtNode*)object = gt_default_node();
}

static const GtiGltfField node_fields[] = {
    { "name", GTI_GLTF_TEXT, .at = AT(GtNode, name) },
    { "children", GTI_GLTF_INDICES, .at = AT(GtNode, children), .count_at = AT(GtNode, child_count) },
    { "matrix", GTI_GLTF_MATRIX, .at = AT(GtNode, matrix), .length = 16 },
    { "translation", GTI_GLTF_VECTOR, .flags = GTI_GLTF_HOOK_WRITES, .at = AT(GtNode, local.translation), .length = 3 },
    { "rotation", GTI_GLTF_VECTOR, .flags = GTI_GLTF_HOOK_WRITES, .at = AT(GtNode, local.rotation), .length = 4 },
    { "scale", GTI_GLTF_VECTOR, .flags = GTI_GLTF_HOOK_WRITES, .at = AT(GtNode, local.scale), .length = 3 },
    { "mesh", GTI_GLTF_INDEX, .at = AT(GtNode, mesh) },
    { "skin", GTI_GLTF_INDEX, .at = AT(GtNode, skin) },
    { "camera", GTI_GLTF_INDEX, .at = AT(GtNode, camera) },
    { "weights", GTI_GLTF_FLOATS, .at = AT(GtNode, weights), .count_at = AT(GtNode, weight_count) },
};
static const GtiGltfSchema node_schema = {
    FIELDS(node_fields),
    SHAPE(GtNode, extra),
    .extensions = gti_gertie_node_extensions,
    .init = init_node,
    .read = gti_gltf_node_read,
    .write = gti_gltf_node_write,
    .has_extensions = gti_gertie_node_has,
    .write_extensions = gti_gertie_node_write,
};

static const GtiGltfWord interpolation_words[] = {
    { "LINEAR", GT_INTERPOLATION_LINEAR },
    { "STEP", GT_INTERPOLATION_STEP },
    { "CUBICSPLINE", GT_INTERPOLATION_CUBICSPLINE },
    { NULL, 0 },
};

static const GtiGltfField animation_sampler_fields[] = {
    { "input", GTI_GLTF_INDEX, .flags = GTI_GLTF_REQUIRED, .at = AT(GtAnimationSampler, input) },
    { "output", GTI_GLTF_INDEX, .flags = GTI_GLTF_REQUIRED, .at = AT(GtAnimationSampler, output) },
    { "interpolation", GTI_GLTF_WORD, .at = AT(GtAnimationSampler, interpolation), .words = interpolation_words },
};
static const GtiGltfSchema animation_sampler_schema = {
    FIELDS(animation_sampler_fields),
    SHAPE(GtAnimationSampler, extra),
};

static const GtiGltfField target_fields[] = {
    { "node", GTI_GLTF_INDEX, .at = AT(GtAnimationChannel, node) },
    { "path", GTI_GLTF_HOOK, .flags = GTI_GLTF_REQUIRED },
};
static const GtiGltfSchema target_schema = {
    FIELDS(target_fields),
    SHAPE(GtAnimationChannel, target_extra),
    .read = gti_gltf_target_read,
    .write = gti_gltf_target_write,
};

static const GtiGltfField channel_fields[] = {
    { "sampler", GTI_GLTF_INDEX, .flags = GTI_GLTF_REQUIRED, .at = AT(GtAnimationChannel, sampler) },
    { "target", GTI_GLTF_GROUP, .flags = GTI_GLTF_REQUIRED, .schema = &target_schema },
};

static void init_channel(void* object)
{
    *(GtAnimationChannel*)object = (GtAnimationChannel){ .node = GT_NONE };
}

static const GtiGltfSchema channel_schema = {
    FIELDS(channel_fields),
    SHAPE(GtAnimationChannel, extra),
    .init = init_channel,
};

static const GtiGltfField animation_fields[] = {
    { "name", GTI_GLTF_TEXT, .at = AT(GtAnimation, name) },
    { "samplers", GTI_GLTF_OBJECTS, .flags = GTI_GLTF_REQUIRED, .at = AT(GtAnimation, samplers),
      .count_at = AT(GtAnimation, sampler_count), .schema = &animation_sampler_schema },
    { "channels", GTI_GLTF_OBJECTS, .flags = GTI_GLTF_REQUIRED, .at = AT(GtAnimation, channels),
      .count_at = AT(GtAnimation, channel_count), .schema = &channel_schema },
};
static const GtiGltfSchema animation_schema = {
    FIELDS(animation_fields),
    SHAPE(GtAnimation, extra),
    .extensions = gti_gertie_animation_extensions,
    .read = gti_gertie_animation_read,
    .has_extensions = gti_gertie_animation_has,
    .write_extensions = gti_gertie_animation_write,
};

static const GtiGltfField stage_fields[] = {
    { "name", GTI_GLTF_TEXT, .at = AT(GtStage, name) },
    { "nodes", GTI_GLTF_INDICES, .at = AT(GtStage, nodes), .count_at = AT(GtStage, node_count) },
};
static const GtiGltfSchema stage_schema = { FIELDS(stage_fields), SHAPE(GtStage, extra) };

static void keep_scene(void* object)
{
    (void)object; // gt_scene_create() has set what a reader needs
}

static const GtiGltfField root_fields[] = {
    { "asset", GTI_GLTF_OBJECT, .flags = GTI_GLTF_REQUIRED, .at = AT(GtScene, asset), .schema = &asset_schema },
    { "extensionsUsed", GTI_GLTF_TEXTS, .at = AT(GtScene, extensions_used),
      .count_at = AT(GtScene, extension_used_count) },
    { "extensionsRequired", GTI_GLTF_TEXTS, .at = AT(GtScene, extensions_required),
      .count_at = AT(GtScene, extension_required_count) },
    { "scene", GTI_GLTF_INDEX, .at = AT(GtScene, default_stage) },
    { "scenes", GTI_GLTF_OBJECTS, .at = AT(GtScene, stages), .count_at = AT(GtScene, stage_count),
      .schema = &stage_schema },
    { "nodes", GTI_GLTF_OBJECTS, .at = AT(GtScene, nodes), .count_at = AT(GtScene, node_count),
      .schema = &node_schema },
    { "meshes", GTI_GLTF_OBJECTS, .at = AT(GtScene, meshes), .count_at = AT(GtScene, mesh_count),
      .schema = &mesh_schema },
    { "skins", GTI_GLTF_OBJECTS, .at = AT(GtScene, skins), .count_at = AT(GtScene, skin_count),
      .schema = &skin_schema },
    { "animations", GTI_GLTF_OBJECTS, .at = AT(GtScene, animations), .count_at = AT(GtScene, animation_count),
      .schema = &animation_schema },
    { "cameras", GTI_GLTF_OBJECTS, .at = AT(GtScene, cameras), .count_at = AT(GtScene, camera_count),
      .schema = &camera_schema },
    { "materials", GTI_GLTF_OBJECTS, .at = AT(GtScene, materials), .count_at = AT(GtScene, material_count),
      .schema = &material_schema },
    { "textures", GTI_GLTF_OBJECTS, .at = AT(GtScene, textures), .count_at = AT(GtScene, texture_count),
      .schema = &texture_schema },
    { "samplers", GTI_GLTF_OBJECTS, .at = AT(GtScene, samplers), .count_at = AT(GtScene, sampler_count),
      .schema = &sampler_schema },
    { "images", GTI_GLTF_OBJECTS, .at = AT(GtScene, images), .count_at = AT(GtScene, image_count),
      .schema = &image_schema },
    { "accessors", GTI_GLTF_OBJECTS, .at = AT(GtScene, accessors), .count_at = AT(GtScene, accessor_count),
      .schema = &accessor_schema },
    { "bufferViews", GTI_GLTF_OBJECTS, .at = AT(GtScene, buffer_views), .count_at = AT(GtScene, buffer_view_count),
      .schema = &buffer_view_schema },
    { "buffers", GTI_GLTF_OBJECTS, .flags = GTI_GLTF_HOOK_WRITES, .at = AT(GtScene, buffers),
      .count_at = AT(GtScene, buffer_count), .schema = &gti_gltf_buffer_schema },
};
const GtiGltfSchema gti_gltf_root_schema = {
    FIELDS(root_fields),
    SHAPE(GtScene, extra),
    .extensions = gti_gertie_root_extensions,
    .init = keep_scene,
    .read = gti_gltf_root_read,
    .write = gti_gltf_root_write,
    .has_extensions = gti_gertie_root_has,
    .write_extensions = gti_gertie_root_write,
};

void gti_gltf_init(const GtiGltfSchema* schema, void* object)
{
    if (schema->init) {
        schema->init(object);
        return;
    }
    memset(object, 0, schema->size);
    for (int32_t i = 0; i < schema->field_count; ++i) {
        const GtiGltfField* field = &schema->fields[i];
        if (field->kind == GTI_GLTF_INDEX) {
            *(int32_t*)((char*)object + field->at) = GT_NONE;
        }
    }
}

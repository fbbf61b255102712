// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/scene_compare.h"

#include "gertie/accessor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Where the comparison is, and what it found.
typedef struct Compare {
    char place[160];
    char* out;
    size_t out_size;
} Compare;

static void at(Compare* c, const char* format, ...) GT_PRINTF(2, 3);

static void at(Compare* c, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->place, sizeof c->place, format, arguments);
    va_end(arguments);
}

static bool same_int(Compare* c, const char* field, int64_t a, int64_t b)
{
    if (a != b) {
        snprintf(c->out, c->out_size, "%s.%s: %lld, %lld", c->place, field, (long long)a, (long long)b);
    }
    return a == b;
}

static bool same_text(Compare* c, const char* field, const char* a, const char* b)
{
    bool same = a == b || (a && b && strcmp(a, b) == 0);
    if (!same) {
        snprintf(c->out, c->out_size, "%s.%s: '%.100s', '%.100s'", c->place, field, a ? a : "NULL", b ? b : "NULL");
    }
    return same;
}

static bool same_bytes(Compare* c, const char* field, const void* a, const void* b, size_t size)
{
    bool same = a == b || size == 0 || (a && b && memcmp(a, b, size) == 0);
    if (!same) {
        size_t i = 0;
        while (a && b && ((const uint8_t*)a)[i] == ((const uint8_t*)b)[i]) {
            ++i;
        }
        snprintf(c->out, c->out_size, "%s.%s: byte %zu of %zu", c->place, field, i, size);
    }
    return same;
}

static bool same_list(Compare* c, const char* field, const void* a, int32_t a_count, const void* b, int32_t b_count,
                      size_t item_size)
{
    return same_int(c, field, a_count, b_count) && same_bytes(c, field, a, b, (size_t)a_count * item_size);
}

static bool same_texts(Compare* c, const char* field, const char* const* a, const char* const* b, int32_t count)
{
    bool same = count == 0 || same_int(c, field, a != NULL, b != NULL);
    for (int32_t i = 0; a && same && i < count; ++i) {
        same = same_text(c, field, a[i], b[i]);
    }
    return same;
}

static bool same_extra(Compare* c, const char* field, const GtExtra* a, const GtExtra* b)
{
    return same_text(c, field, a->extras, b->extras) && same_text(c, field, a->extensions, b->extensions) &&
           same_text(c, field, a->unknown, b->unknown);
}

static bool same_bvh(Compare* c, const GtBvhJoint* a, const GtBvhJoint* b)
{
    if (!a || !b) {
        return same_int(c, "bvh", a != NULL, b != NULL);
    }
    return same_int(c, "bvh.end_site", a->end_site, b->end_site) &&
           same_list(c, "bvh.channels", a->channels, a->channel_count, b->channels, b->channel_count, 1);
}

static bool same_nodes(Compare* c, const GtScene* a, const GtScene* b)
{
    bool same = same_int(c, "node_count", a->node_count, b->node_count);
    for (int32_t i = 0; same && i < a->node_count; ++i) {
        const GtNode* x = &a->nodes[i];
        const GtNode* y = &b->nodes[i];
        at(c, "nodes[%d]", (int)i);
        same = same_text(c, "name", x->name, y->name) && same_int(c, "parent", x->parent, y->parent) &&
               same_list(c, "children", x->children, x->child_count, y->children, y->child_count, sizeof(int32_t)) &&
               same_int(c, "mesh", x->mesh, y->mesh) && same_int(c, "skin", x->skin, y->skin) &&
               same_int(c, "camera", x->camera, y->camera) &&
               same_bytes(c, "local", &x->local, &y->local, sizeof x->local) &&
               same_bytes(c, "matrix", x->matrix, y->matrix, 16 * sizeof(float)) &&
               same_list(c, "weights", x->weights, x->weight_count, y->weights, y->weight_count, sizeof(float)) &&
               same_list(c, "deformers", x->deformers, x->deformer_count, y->deformers, y->deformer_count,
                         sizeof(GtDeformerData)) &&
               same_bvh(c, x->bvh, y->bvh) && same_extra(c, "extra", &x->extra, &y->extra);
    }
    return same;
}

static bool same_attributes(Compare* c, const char* field, const GtAttribute* a, int32_t a_count, const GtAttribute* b,
                            int32_t b_count)
{
    bool same = same_int(c, field, a_count, b_count);
    for (int32_t i = 0; same && i < a_count; ++i) {
        same = same_text(c, field, a[i].name, b[i].name) && same_int(c, field, a[i].accessor, b[i].accessor);
    }
    return same;
}

static bool same_primitive(Compare* c, const GtPrimitive* a, const GtPrimitive* b, int32_t target_count)
{
    bool same =
        same_int(c, "mode", a->mode, b->mode) && same_int(c, "indices", a->indices, b->indices) &&
        same_int(c, "material", a->material, b->material) &&
        same_attributes(c, "attributes", a->attributes, a->attribute_count, b->attributes, b->attribute_count) &&
        same_int(c, "targets", a->targets != NULL, b->targets != NULL) && same_extra(c, "extra", &a->extra, &b->extra);
    for (int32_t t = 0; same && t < target_count; ++t) {
        same = same_attributes(c, "targets", a->targets[t].attributes, a->targets[t].attribute_count,
                               b->targets[t].attributes, b->targets[t].attribute_count);
    }
    return same;
}

static bool same_meshes(Compare* c, const GtScene* a, const GtScene* b)
{
    bool same = same_int(c, "mesh_count", a->mesh_count, b->mesh_count);
    for (int32_t i = 0; same && i < a->mesh_count; ++i) {
        const GtMesh* x = &a->meshes[i];
        const GtMesh* y = &b->meshes[i];
        at(c, "meshes[%d]", (int)i);
        same = same_text(c, "name", x->name, y->name) &&
               same_int(c, "primitive_count", x->primitive_count, y->primitive_count) &&
               same_int(c, "target_count", x->target_count, y->target_count) &&
               same_texts(c, "target_names", x->target_names, y->target_names, x->target_count) &&
               same_list(c, "weights", x->weights, x->weight_count, y->weights, y->weight_count, sizeof(float)) &&
               same_extra(c, "extra", &x->extra, &y->extra);
        for (int32_t p = 0; same && p < x->primitive_count; ++p) {
            at(c, "meshes[%d].primitives[%d]", (int)i, (int)p);
            same = same_primitive(c, &x->primitives[p], &y->primitives[p], x->target_count);
        }
    }
    return same;
}

static bool same_skins(Compare* c, const GtScene* a, const GtScene* b)
{
    bool same = same_int(c, "skin_count", a->skin_count, b->skin_count);
    for (int32_t i = 0; same && i < a->skin_count; ++i) {
        const GtSkin* x = &a->skins[i];
        const GtSkin* y = &b->skins[i];
        at(c, "skins[%d]", (int)i);
        same = same_text(c, "name", x->name, y->name) &&
               same_list(c, "joints", x->joints, x->joint_count, y->joints, y->joint_count, sizeof(int32_t)) &&
               same_int(c, "inverse_bind", x->inverse_bind, y->inverse_bind) &&
               same_int(c, "skeleton", x->skeleton, y->skeleton) && same_extra(c, "extra", &x->extra, &y->extra);
    }
    return same;
}

static bool same_animation(Compare* c, const GtAnimation* a, const GtAnimation* b)
{
    bool same =
        same_text(c, "name", a->name, b->name) && same_int(c, "sampler_count", a->sampler_count, b->sampler_count) &&
        same_int(c, "channel_count", a->channel_count, b->channel_count) &&
        same_int(c, "tpose_first", a->tpose_first, b->tpose_first) && same_extra(c, "extra", &a->extra, &b->extra);
    for (int32_t s = 0; same && s < a->sampler_count; ++s) {
        const GtAnimationSampler* x = &a->samplers[s];
        const GtAnimationSampler* y = &b->samplers[s];
        same = same_int(c, "sampler.input", x->input, y->input) &&
               same_int(c, "sampler.output", x->output, y->output) &&
               same_int(c, "sampler.interpolation", x->interpolation, y->interpolation) &&
               same_extra(c, "sampler.extra", &x->extra, &y->extra);
    }
    for (int32_t k = 0; same && k < a->channel_count; ++k) {
        const GtAnimationChannel* x = &a->channels[k];
        const GtAnimationChannel* y = &b->channels[k];
        same = same_int(c, "channel.sampler", x->sampler, y->sampler) &&
               same_int(c, "channel.node", x->node, y->node) && same_int(c, "channel.path", x->path, y->path) &&
               same_text(c, "channel.path_name", x->path_name, y->path_name) &&
               same_extra(c, "channel.extra", &x->extra, &y->extra) &&
               same_extra(c, "channel.target_extra", &x->target_extra, &y->target_extra);
    }
    return same;
}

static bool same_animations(Compare* c, const GtScene* a, const GtScene* b)
{
    bool same = same_int(c, "animation_count", a->animation_count, b->animation_count);
    for (int32_t i = 0; same && i < a->animation_count; ++i) {
        at(c, "animations[%d]", (int)i);
        same = same_animation(c, &a->animations[i], &b->animations[i]);
    }
    return same;
}

static bool same_texture_ref(Compare* c, const char* field, const GtTextureRef* a, const GtTextureRef* b)
{
    return same_int(c, field, a->texture, b->texture) && same_int(c, field, a->texcoord, b->texcoord) &&
           same_bytes(c, field, &a->scale, &b->scale, sizeof a->scale) && same_extra(c, field, &a->extra, &b->extra);
}

static bool same_material(Compare* c, const GtMaterial* a, const GtMaterial* b)
{
    return same_text(c, "name", a->name, b->name) && same_int(c, "has_pbr", a->has_pbr, b->has_pbr) &&
           same_bytes(c, "base_color", a->base_color, b->base_color, sizeof a->base_color) &&
           same_texture_ref(c, "base_color_texture", &a->base_color_texture, &b->base_color_texture) &&
           same_bytes(c, "metallic", &a->metallic, &b->metallic, sizeof a->metallic) &&
           same_bytes(c, "roughness", &a->roughness, &b->roughness, sizeof a->roughness) &&
           same_texture_ref(c, "metallic_roughness_texture", &a->metallic_roughness_texture,
                            &b->metallic_roughness_texture) &&
           same_extra(c, "pbr_extra", &a->pbr_extra, &b->pbr_extra) &&
           same_texture_ref(c, "normal_texture", &a->normal_texture, &b->normal_texture) &&
           same_texture_ref(c, "occlusion_texture", &a->occlusion_texture, &b->occlusion_texture) &&
           same_texture_ref(c, "emissive_texture", &a->emissive_texture, &b->emissive_texture) &&
           same_bytes(c, "emissive", a->emissive, b->emissive, sizeof a->emissive) &&
           same_int(c, "alpha_mode", a->alpha_mode, b->alpha_mode) &&
           same_bytes(c, "alpha_cutoff", &a->alpha_cutoff, &b->alpha_cutoff, sizeof a->alpha_cutoff) &&
           same_int(c, "double_sided", a->double_sided, b->double_sided) &&
           same_extra(c, "extra", &a->extra, &b->extra);
}

static bool same_camera(Compare* c, const GtCamera* a, const GtCamera* b)
{
    return same_text(c, "name", a->name, b->name) && same_int(c, "orthographic", a->orthographic, b->orthographic) &&
           same_bytes(c, "aspect_ratio", &a->aspect_ratio, &b->aspect_ratio, sizeof(float)) &&
           same_bytes(c, "fov_y_rad", &a->fov_y_rad, &b->fov_y_rad, sizeof(float)) &&
           same_bytes(c, "mag_x", &a->mag_x, &b->mag_x, sizeof(float)) &&
           same_bytes(c, "mag_y", &a->mag_y, &b->mag_y, sizeof(float)) &&
           same_bytes(c, "z_near", &a->z_near, &b->z_near, sizeof(float)) &&
           same_bytes(c, "z_far", &a->z_far, &b->z_far, sizeof(float)) &&
           same_extra(c, "extra", &a->extra, &b->extra) && same_extra(c, "lens_extra", &a->lens_extra, &b->lens_extra);
}

static bool same_looks(Compare* c, const GtScene* a, const GtScene* b)
{
    bool same = same_int(c, "material_count", a->material_count, b->material_count) &&
                same_int(c, "texture_count", a->texture_count, b->texture_count) &&
                same_int(c, "sampler_count", a->sampler_count, b->sampler_count) &&
                same_int(c, "image_count", a->image_count, b->image_count) &&
                same_int(c, "camera_count", a->camera_count, b->camera_count);
    for (int32_t i = 0; same && i < a->material_count; ++i) {
        at(c, "materials[%d]", (int)i);
        same = same_material(c, &a->materials[i], &b->materials[i]);
    }
    for (int32_t i = 0; same && i < a->texture_count; ++i) {
        const GtTexture* x = &a->textures[i];
        const GtTexture* y = &b->textures[i];
        at(c, "textures[%d]", (int)i);
        same = same_text(c, "name", x->name, y->name) && same_int(c, "sampler", x->sampler, y->sampler) &&
               same_int(c, "image", x->image, y->image) && same_extra(c, "extra", &x->extra, &y->extra);
    }
    for (int32_t i = 0; same && i < a->sampler_count; ++i) {
        const GtSampler* x = &a->samplers[i];
        const GtSampler* y = &b->samplers[i];
        at(c, "samplers[%d]", (int)i);
        same = same_text(c, "name", x->name, y->name) && same_int(c, "mag_filter", x->mag_filter, y->mag_filter) &&
               same_int(c, "min_filter", x->min_filter, y->min_filter) && same_int(c, "wrap_s", x->wrap_s, y->wrap_s) &&
               same_int(c, "wrap_t", x->wrap_t, y->wrap_t) && same_extra(c, "extra", &x->extra, &y->extra);
    }
    for (int32_t i = 0; same && i < a->image_count; ++i) {
        const GtImage* x = &a->images[i];
        const GtImage* y = &b->images[i];
        at(c, "images[%d]", (int)i);
        same = same_text(c, "name", x->name, y->name) && same_text(c, "uri", x->uri, y->uri) &&
               same_text(c, "mime_type", x->mime_type, y->mime_type) && same_int(c, "view", x->view, y->view) &&
               same_extra(c, "extra", &x->extra, &y->extra);
    }
    for (int32_t i = 0; same && i < a->camera_count; ++i) {
        at(c, "cameras[%d]", (int)i);
        same = same_camera(c, &a->cameras[i], &b->cameras[i]);
    }
    return same;
}

static bool same_sparse(Compare* c, const GtSparse* a, const GtSparse* b)
{
    if (!a || !b) {
        return same_int(c, "sparse", a != NULL, b != NULL);
    }
    return same_int(c, "sparse.count", (int64_t)a->count, (int64_t)b->count) &&
           same_int(c, "sparse.indices_view", a->indices_view, b->indices_view) &&
           same_int(c, "sparse.indices_offset", (int64_t)a->indices_offset, (int64_t)b->indices_offset) &&
           same_int(c, "sparse.indices_type", a->indices_type, b->indices_type) &&
           same_int(c, "sparse.values_view", a->values_view, b->values_view) &&
           same_int(c, "sparse.values_offset", (int64_t)a->values_offset, (int64_t)b->values_offset) &&
           same_extra(c, "sparse.extra", &a->extra, &b->extra) &&
           same_extra(c, "sparse.indices_extra", &a->indices_extra, &b->indices_extra) &&
           same_extra(c, "sparse.values_extra", &a->values_extra, &b->values_extra);
}

static bool same_accessor(Compare* c, const GtAccessor* a, const GtAccessor* b)
{
    size_t bound_size = (size_t)gt_element_components(a->element_type) * sizeof(double);
    return same_text(c, "name", a->name, b->name) && same_int(c, "view", a->view, b->view) &&
           same_int(c, "offset", (int64_t)a->offset, (int64_t)b->offset) &&
           same_int(c, "component_type", a->component_type, b->component_type) &&
           same_int(c, "element_type", a->element_type, b->element_type) &&
           same_int(c, "normalized", a->normalized, b->normalized) &&
           same_int(c, "count", (int64_t)a->count, (int64_t)b->count) &&
           same_bytes(c, "min", a->min, b->min, bound_size) && same_bytes(c, "max", a->max, b->max, bound_size) &&
           same_sparse(c, a->sparse, b->sparse) && same_extra(c, "extra", &a->extra, &b->extra);
}

static const uint8_t* view_bytes(const GtScene* scene, const GtBufferView* view)
{
    const GtBlob* blob = scene->buffers[view->buffer].blob;
    return blob ? gt_blob_bytes(blob) + view->offset : NULL;
}

static bool same_data(Compare* c, const GtScene* a, const GtScene* b)
{
    bool same = same_int(c, "accessor_count", a->accessor_count, b->accessor_count) &&
                same_int(c, "buffer_view_count", a->buffer_view_count, b->buffer_view_count);
    for (int32_t i = 0; same && i < a->accessor_count; ++i) {
        at(c, "accessors[%d]", (int)i);
        same = same_accessor(c, &a->accessors[i], &b->accessors[i]);
    }
    for (int32_t i = 0; same && i < a->buffer_view_count; ++i) {
        const GtBufferView* x = &a->buffer_views[i];
        const GtBufferView* y = &b->buffer_views[i];
        at(c, "buffer_views[%d]", (int)i);
        same = same_text(c, "name", x->name, y->name) && same_int(c, "size", (int64_t)x->size, (int64_t)y->size) &&
               same_int(c, "stride", x->stride, y->stride) && same_int(c, "target", x->target, y->target) &&
               same_extra(c, "extra", &x->extra, &y->extra) &&
               same_bytes(c, "bytes", view_bytes(a, x), view_bytes(b, y), (size_t)x->size);
    }
    return same;
}

static bool same_root(Compare* c, const GtScene* a, const GtScene* b)
{
    static const char generator[] = "Gertie " GT_VERSION_STRING;
    at(c, "scene");
    bool same = same_text(c, "asset.generator", a->asset.generator ? a->asset.generator : generator,
                          b->asset.generator ? b->asset.generator : generator) &&
                same_text(c, "asset.copyright", a->asset.copyright, b->asset.copyright) &&
                same_extra(c, "asset.extra", &a->asset.extra, &b->asset.extra) &&
                same_text(c, "source.format", a->source.format ? a->source.format : "gltf",
                          b->source.format ? b->source.format : "gltf") &&
                same_bytes(c, "source.metres_per_unit", &a->source.metres_per_unit, &b->source.metres_per_unit,
                           sizeof(double)) &&
                same_int(c, "source.up_axis", a->source.up_axis, b->source.up_axis) &&
                same_int(c, "extension_used_count", a->extension_used_count, b->extension_used_count) &&
                same_texts(c, "extensions_used", a->extensions_used, b->extensions_used, a->extension_used_count) &&
                same_int(c, "extension_required_count", a->extension_required_count, b->extension_required_count) &&
                same_texts(c, "extensions_required", a->extensions_required, b->extensions_required,
                           a->extension_required_count) &&
                same_int(c, "default_stage", a->default_stage, b->default_stage) &&
                same_bytes(c, "humanoid", a->humanoid, b->humanoid, sizeof(GtHumanoidMap)) &&
                same_bytes(c, "retarget_pose", a->retarget_pose, b->retarget_pose, sizeof(GtRetargetPose)) &&
                same_text(c, "deform", a->deform, b->deform) && same_extra(c, "extra", &a->extra, &b->extra) &&
                same_int(c, "stage_count", a->stage_count, b->stage_count);
    for (int32_t i = 0; same && i < a->stage_count; ++i) {
        const GtStage* x = &a->stages[i];
        const GtStage* y = &b->stages[i];
        at(c, "stages[%d]", (int)i);
        same = same_text(c, "name", x->name, y->name) &&
               same_list(c, "nodes", x->nodes, x->node_count, y->nodes, y->node_count, sizeof(int32_t)) &&
               same_extra(c, "extra", &x->extra, &y->extra);
    }
    return same;
}

bool test_scenes_equal(const GtScene* a, const GtScene* b, char* out, size_t out_size)
{
    Compare c = { .out = out, .out_size = out_size };
    return same_root(&c, a, b) && same_nodes(&c, a, b) && same_meshes(&c, a, b) && same_skins(&c, a, b) &&
           same_animations(&c, a, b) && same_looks(&c, a, b) && same_data(&c, a, b);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A Texture scales, rotates and moves UVs about pivots, with V up; KHR_texture_transform does the same with V down and
// without pivots. Programs agree that the values are those of the UVs, except Blender, which writes scale and rotation
// of the picture.

#include "io/fbx/texture.h"

#include "base/fail.h"
#include "base/format.h"
#include "base/scalar.h"
#include "io/name.h"

#include <math.h>

enum {
    GL_CLAMP_TO_EDGE = 33071,
    GL_REPEAT = 10497,
    FBX_WRAP_CLAMP = 1,
    MAX_DEPTH = 8,     // of textures in textures
    MAX_LAYERS = 32,   // that are looked through
    MAX_UV_NODES = 256 // children of a Geometry that are looked through for UV sets
};

GtResult gti_fbx_textures_start(GtiFbxReader* reader, GtiFbxTextures* textures)
{
    *textures = (GtiFbxTextures){ .samplers = { GT_NONE, GT_NONE, GT_NONE, GT_NONE } };
    GtResult result = gti_fbx_pictures_start(reader, &textures->pictures);
    if (result != GT_OK) {
        return result;
    }
    const GtiFbxNode* creator = gti_fbx_find(reader->tree.nodes, "Creator");
    GtiSlice text = { 0 };
    // "Blender (stable FBX IO) - 2.79 (sub 0) - 3.7.17"
    textures->from_blender = creator && gti_fbx_string(gti_fbx_value(&reader->tree, creator, 0), &text) &&
                             text.length >= 7 && memcmp(text.text, "Blender", 7) == 0;
    for (size_t i = 0; textures->from_blender && i + 6 < text.length; ++i) {
        textures->from_blender_2_7 |= memcmp(text.text + i, " - 2.7", 6) == 0;
    }
    size_t count = (size_t)reader->graph.object_count;
    textures->textures = gt_arena_push_array(&reader->arena, count, sizeof *textures->textures);
    if (!textures->textures) {
        return gti_out_of_memory(reader->error);
    }
    for (size_t i = 0; i < count; ++i) {
        textures->textures[i] = GTI_FBX_PICTURE_UNSEEN;
    }
    return GT_OK;
}

int32_t gti_fbx_uv_set(const GtiFbxReader* reader, int32_t geometry, GtiSlice name)
{
    const GtiFbxNode* node = geometry == GT_NONE ? NULL : reader->graph.objects[geometry].node;
    int32_t set = 0;
    int32_t seen = 0;
    for (const GtiFbxNode* child = node ? node + 1 : NULL; child && child < gti_fbx_next(node) && seen < MAX_UV_NODES;
         child = gti_fbx_next(child), ++seen) {
        GtiSlice own = { 0 };
        const GtiFbxNode* own_name = gti_fbx_is(child, "LayerElementUV") ? gti_fbx_find(child, "Name") : NULL;
        if (own_name && gti_fbx_string(gti_fbx_value(&reader->tree, own_name, 0), &own) && own.length == name.length &&
            memcmp(own.text, name.text, own.length) == 0) {
            return set;
        }
        set += gti_fbx_is(child, "LayerElementUV");
    }
    return 0;
}

// The sampler of a Texture; GT_NONE, which repeats, where nothing is clamped.
static GtResult find_sampler(GtiFbxTextures* textures, int32_t object, int32_t* out)
{
    GtiFbxReader* reader = textures->pictures.reader;
    int clamps = (gti_fbx_property_integer(&reader->graph, object, "WrapModeU", 0) == FBX_WRAP_CLAMP ? 1 : 0) |
                 (gti_fbx_property_integer(&reader->graph, object, "WrapModeV", 0) == FBX_WRAP_CLAMP ? 2 : 0);
    GtResult result = GT_OK;
    if (clamps && textures->samplers[clamps] == GT_NONE) {
        GtSampler sampler = { .wrap_s = clamps & 1 ? GL_CLAMP_TO_EDGE : GL_REPEAT,
                              .wrap_t = clamps & 2 ? GL_CLAMP_TO_EDGE : GL_REPEAT };
        result = gt_scene_add_sampler(reader->scene, &sampler, &textures->samplers[clamps], reader->error);
    }
    *out = textures->samplers[clamps];
    return result;
}

// The texture of a Texture object, or GT_NONE where its picture cannot be used.
static GtResult find_texture(GtiFbxTextures* textures, int32_t object, int32_t* out)
{
    GtiFbxReader* reader = textures->pictures.reader;
    int32_t* known = &textures->textures[object];
    GtResult result = GT_OK;
    if (*known == GTI_FBX_PICTURE_UNSEEN) {
        GtTexture texture = { .sampler = GT_NONE, .image = GT_NONE };
        bool repaired = false;
        *known = GT_NONE;
        result = gti_fbx_picture(&textures->pictures, object, &texture.image);
        if (result == GT_OK && texture.image != GT_NONE) {
            GtiSlice name = reader->graph.objects[object].name;
            texture.name = gti_push_name(reader->scene, name.text, name.length, "", &repaired);
            result = texture.name ? find_sampler(textures, object, &texture.sampler) : gti_out_of_memory(reader->error);
            if (result == GT_OK) {
                result = gt_scene_add_texture(reader->scene, &texture, known, reader->error);
            }
        }
    }
    *out = *known;
    return result;
}

// Let a texture be moved where its object says so.
static GtResult set_transform(GtiFbxTextures* textures, int32_t object, GtTextureRef* ref)
{
    GtiFbxReader* reader = textures->pictures.reader;
    const GtiFbxGraph* graph = &reader->graph;
    double t[3] = { 0.0 }, r[3] = { 0.0 }, s[3] = { 1.0, 1.0, 1.0 }, s_pivot[3] = { 0.0 }, r_pivot[3] = { 0.0 };
    gti_fbx_property_vector(graph, object, "Translation", t);
    gti_fbx_property_vector(graph, object, "Rotation", r);
    gti_fbx_property_vector(graph, object, "Scaling", s);
    gti_fbx_property_vector(graph, object, "TextureScalingPivot", s_pivot);
    gti_fbx_property_vector(graph, object, "TextureRotationPivot", r_pivot);
    if (t[0] == 0.0 && t[1] == 0.0 && r[2] == 0.0 && s[0] == 1.0 && s[1] == 1.0) {
        return GT_OK;
    }
    if (textures->from_blender) {
        r[2] = -r[2];
        s[0] = s[0] != 0.0 ? 1.0 / s[0] : 1.0;
        s[1] = s[1] != 0.0 ? 1.0 / s[1] : 1.0;
    }
    double angle_rad = r[2] * GTI_DEGREE;
    double c = cos(angle_rad);
    double n = sin(angle_rad);
    // uv' = R (S (uv - p) + p - q) + q + t with pivots p and q, which is R S uv + t'; then V is flipped on both sides.
    double x = s_pivot[0] - s[0] * s_pivot[0] - r_pivot[0];
    double y = s_pivot[1] - s[1] * s_pivot[1] - r_pivot[1];
    double offset[2] = { t[0] + r_pivot[0] + c * x - n * y - n * s[1],
                         1.0 - (t[1] + r_pivot[1] + n * x + c * y) - c * s[1] };
    double values[5] = { offset[0], offset[1], angle_rad, s[0], s[1] };
    for (int i = 0; i < 5; ++i) {
        if (!(fabs(values[i]) <= 1e6)) {
            return GT_OK;
        }
    }
    char text[200];
    int length =
        gti_format(text, sizeof text,
                   "{\"KHR_texture_transform\":{\"offset\":[%.7g,%.7g],\"rotation\":%.7g,\"scale\":[%.7g,%.7g]}}",
                   values[0], values[1], values[2], values[3], values[4]);
    ref->extra.extensions = gt_scene_push_text(reader->scene, text, (size_t)length);
    return ref->extra.extensions ? gt_scene_add_extension(reader->scene, "KHR_texture_transform", false, reader->error)
                                 : gti_out_of_memory(reader->error);
}

static bool is_texture(const GtiFbxObject* object)
{
    return gti_slice_is(object->type, "Texture") || gti_slice_is(object->type, "LayeredTexture");
}

GtResult gti_fbx_use_texture(GtiFbxTextures* textures, int32_t object, int32_t geometry, GtTextureRef* ref)
{
    GtiFbxReader* reader = textures->pictures.reader;
    const GtiFbxGraph* graph = &reader->graph;
    int32_t found = GT_NONE;
    GtResult result = find_texture(textures, object, &found);
    // Down the first textures in a texture, such as layers or what a program's node has as its input.
    for (int depth = 0; depth < MAX_DEPTH && found == GT_NONE && result == GT_OK; ++depth) {
        const GtiFbxObject* outer = &graph->objects[object];
        int32_t first = GT_NONE;
        for (int32_t i = 0; i < outer->child_count && i < MAX_LAYERS && found == GT_NONE && result == GT_OK; ++i) {
            int32_t child = graph->connections[outer->first_child + i].source;
            if (is_texture(&graph->objects[child])) {
                result = find_texture(textures, child, &found);
                first = found != GT_NONE || first == GT_NONE ? child : first;
            }
        }
        if (first == GT_NONE) {
            break;
        }
        object = first;
    }
    if (result != GT_OK || found == GT_NONE) {
        return result;
    }
    GtiSlice set = { 0 };
    ref->texture = found;
    ref->texcoord = gti_fbx_property_string(graph, object, "UVSet", &set) ? gti_fbx_uv_set(reader, geometry, set) : 0;
    return set_transform(textures, object, ref);
}

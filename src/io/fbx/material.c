// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Materials of FBX files. The SDK's own are Lambert and Phong, which become metal and roughness as those of OBJ do.
// Maya and 3ds Max write their physical materials as properties with names of their own, which say it outright. A
// texture takes the place of the colour that it is connected to. Metalness and roughness maps are taken where one
// picture has both, as glTF wants it; where they are two, the plain values remain.

#include "base/fail.h"
#include "base/scalar.h"
#include "io/fbx/texture.h"
#include "io/name.h"
#include "io/obj/mtl.h"

#include <math.h>
#include <strings.h>

typedef enum FbxSlot {
    SLOT_BASE,
    SLOT_NORMAL,
    SLOT_EMISSIVE,
    SLOT_METAL,
    SLOT_ROUGH,
    SLOT_OCCLUSION,
    SLOT_OPACITY,
    SLOT_COUNT
} FbxSlot;

// Properties that textures are connected to; of several for one slot the first in this list counts.
static const struct {
    FbxSlot slot;
    const char* property;
    const char* enabled; // property that is 0 where the texture is not used, or NULL
} map_names[] = {
    { SLOT_BASE, "Maya|TEX_color_map", "Maya|use_color_map" },
    { SLOT_BASE, "Maya|baseColor", NULL },
    { SLOT_BASE, "3dsMax|Parameters|base_color_map", "3dsMax|Parameters|base_color_map_on" },
    { SLOT_BASE, "3dsMax|main|base_color_map", NULL },
    { SLOT_BASE, "3dsMax|main|baseColorMap", NULL },
    { SLOT_BASE, "DiffuseColor", NULL },
    { SLOT_NORMAL, "Maya|TEX_normal_map", "Maya|use_normal_map" },
    { SLOT_NORMAL, "Maya|normalCamera", NULL },
    { SLOT_NORMAL, "3dsMax|Parameters|bump_map", "3dsMax|Parameters|bump_map_on" },
    { SLOT_NORMAL, "3dsMax|main|norm_map", NULL },
    { SLOT_NORMAL, "3dsMax|main|normalMap", NULL },
    { SLOT_NORMAL, "NormalMap", NULL },
    { SLOT_NORMAL, "Bump", NULL },
    { SLOT_EMISSIVE, "Maya|TEX_emissive_map", "Maya|use_emissive_map" },
    { SLOT_EMISSIVE, "Maya|emissionColor", NULL },
    { SLOT_EMISSIVE, "3dsMax|Parameters|emit_color_map", "3dsMax|Parameters|emit_color_map_on" },
    { SLOT_EMISSIVE, "3dsMax|Parameters|emission_color_map", "3dsMax|Parameters|emission_color_map_on" },
    { SLOT_EMISSIVE, "3dsMax|main|emit_color_map", NULL },
    { SLOT_EMISSIVE, "3dsMax|main|emissionMap", NULL },
    { SLOT_EMISSIVE, "EmissiveColor", NULL },
    { SLOT_METAL, "Maya|TEX_metallic_map", "Maya|use_metallic_map" },
    { SLOT_METAL, "Maya|metalness", NULL },
    { SLOT_METAL, "3dsMax|Parameters|metalness_map", "3dsMax|Parameters|metalness_map_on" },
    { SLOT_METAL, "3dsMax|Parameters|base_metalness_map", "3dsMax|Parameters|base_metalness_map_on" },
    { SLOT_METAL, "3dsMax|main|metalness_map", NULL },
    { SLOT_METAL, "3dsMax|main|metalnessMap", NULL },
    { SLOT_ROUGH, "Maya|TEX_roughness_map", "Maya|use_roughness_map" },
    { SLOT_ROUGH, "Maya|specularRoughness", NULL },
    { SLOT_ROUGH, "3dsMax|Parameters|roughness_map", "3dsMax|Parameters|roughness_map_on" },
    { SLOT_ROUGH, "3dsMax|Parameters|specular_roughness_map", "3dsMax|Parameters|specular_roughness_map_on" },
    { SLOT_ROUGH, "3dsMax|main|roughness_map", NULL },
    { SLOT_ROUGH, "3dsMax|main|Roughness_Map", NULL },
    { SLOT_ROUGH, "3dsMax|main|roughnessMap", NULL },
    { SLOT_OCCLUSION, "Maya|TEX_ao_map", "Maya|use_ao_map" },
    { SLOT_OCCLUSION, "3dsMax|main|ao_map", NULL },
    { SLOT_OCCLUSION, "3dsMax|main|ambientOcclusionMap", NULL },
    { SLOT_OPACITY, "TransparentColor", NULL },
    { SLOT_OPACITY, "TransparencyFactor", NULL },
};

enum {
    MAP_NAME_COUNT = sizeof map_names / sizeof *map_names
};

typedef struct FbxColorName {
    const char* color;
    const char* weight; // or NULL
} FbxColorName;

static const FbxColorName base_names[] = {
    { "Maya|base_color", NULL },
    { "Maya|baseColor", "Maya|base" },
    { "3dsMax|Parameters|base_color", "3dsMax|Parameters|base_weight" },
    { "3dsMax|main|base_color", NULL },
    { "3dsMax|main|baseColor", NULL },
    { "DiffuseColor", "DiffuseFactor" },
    { "Diffuse", NULL },
};

static const FbxColorName emissive_names[] = {
    { "Maya|emissive", "Maya|emissive_intensity" },
    { "Maya|emissionColor", "Maya|emission" },
    { "3dsMax|Parameters|emit_color", "3dsMax|Parameters|emission" },
    { "3dsMax|Parameters|emission_color", "3dsMax|Parameters|emission_weight" },
    { "3dsMax|main|emit_color", NULL },
    { "3dsMax|main|emissionColor", NULL },
    { "EmissiveColor", "EmissiveFactor" },
    { "Emissive", NULL },
};

static const char* const metal_names[] = { "Maya|metallic", "Maya|metalness", "3dsMax|Parameters|metalness",
                                           "3dsMax|Parameters|base_metalness", "3dsMax|main|metalness" };

static const char* const rough_names[] = { "Maya|roughness",
                                           "Maya|specularRoughness",
                                           "3dsMax|Parameters|roughness",
                                           "3dsMax|Parameters|specular_roughness",
                                           "3dsMax|main|roughness",
                                           "3dsMax|main|Roughness" };

// Properties that are 1 where a roughness is smoothness.
static const char* const smooth_names[] = { "3dsMax|Parameters|roughness_inv", "3dsMax|main|useGlossiness" };

// The first colour of a list that a material has, times its weight; white times the weight where a texture stands for
// it, and `out` as it is where there is none.
static void read_color(const GtiFbxGraph* graph, int32_t object, const FbxColorName* names, size_t count, bool textured,
                       float out[3])
{
    for (size_t i = 0; i < count; ++i) {
        double color[3];
        if (!gti_fbx_property_vector(graph, object, names[i].color, color)) {
            continue;
        }
        double weight = names[i].weight ? gti_fbx_property_number(graph, object, names[i].weight, 1.0) : 1.0;
        weight = weight >= 0.0 && isfinite(weight) ? weight : 1.0;
        for (int k = 0; k < 3; ++k) {
            double value = textured ? weight : color[k] * weight;
            out[k] = value > 0.0 ? (float)fmin(value, 1.0) : 0.0f;
        }
        return;
    }
}

// The first number of a list that a material has, where it is between 0 and 1.
static bool read_share(const GtiFbxGraph* graph, int32_t object, const char* const* names, size_t count, float* out)
{
    for (size_t i = 0; i < count; ++i) {
        double value = gti_fbx_property_number(graph, object, names[i], NAN);
        if (value >= 0.0 && value <= 1.0) {
            *out = (float)value;
            return true;
        }
    }
    return false;
}

static bool is_lambert(const GtiFbxReader* reader, int32_t object)
{
    GtiSlice model = { 0 };
    const GtiFbxNode* node = gti_fbx_find(reader->graph.objects[object].node, "ShadingModel");
    return node && gti_fbx_string(gti_fbx_value(&reader->tree, node, 0), &model) && model.length == 7 &&
           strncasecmp(model.text, "lambert", 7) == 0;
}

static void read_metal_and_roughness(const GtiFbxReader* reader, int32_t object, const GtiFbxTextures* textures,
                                     GtMaterial* out)
{
    const GtiFbxGraph* graph = &reader->graph;
    double specular[3] = { 1.0, 1.0, 1.0 };
    read_share(graph, object, metal_names, sizeof metal_names / sizeof *metal_names, &out->metallic);
    if (read_share(graph, object, rough_names, sizeof rough_names / sizeof *rough_names, &out->roughness)) {
        for (size_t i = 0; i < sizeof smooth_names / sizeof *smooth_names; ++i) {
            if (gti_fbx_property_number(graph, object, smooth_names[i], 0.0) == 1.0) {
                out->roughness = 1.0f - out->roughness;
            }
        }
        return;
    }
    double exponent = gti_fbx_property_number(graph, object, "Shininess", NAN);
    exponent = isnan(exponent) ? gti_fbx_property_number(graph, object, "ShininessExponent", NAN) : exponent;
    if (textures->from_blender) { // writes 100 (1 - roughness)^2, and metalness as reflection, which it leaves out
                                  // where it is 1
        static const char* const reflection = "ReflectionFactor";
        if (!textures->from_blender_2_7) {
            read_share(graph, object, &reflection, 1, &out->metallic);
        }
        out->roughness = exponent >= 0.0 ? (float)gti_clamp(1.0 - sqrt(exponent) / 10.0, 0.0, 1.0) : 1.0f;
        return;
    }
    gti_fbx_property_vector(graph, object, "SpecularColor", specular);
    bool shines = (specular[0] > 0.0 || specular[1] > 0.0 || specular[2] > 0.0) &&
                  gti_fbx_property_number(graph, object, "SpecularFactor", 1.0) > 0.0 && !is_lambert(reader, object);
    if (shines && exponent >= 0.0 && exponent <= 1e9) {
        out->roughness = gti_roughness_of_shine((float)exponent);
    }
}

// Programs do not agree on what transparency means where TransparencyFactor is 0 or 1: Maya always writes 1, and some
// 3ds Max materials have a white TransparentColor though they are opaque. Opacity is right wherever it is written.
// @param textured  whether a texture says it, so that an opacity of 0 does not mean that nothing is seen
static void read_alpha(const GtiFbxGraph* graph, int32_t object, bool textured, GtMaterial* out)
{
    double alpha = 1.0 - gti_fbx_property_number(graph, object, "TransparencyFactor", 0.0);
    if (!(alpha > 0.0 && alpha < 1.0)) {
        alpha = gti_fbx_property_number(graph, object, "Opacity", 1.0);
    }
    alpha = alpha >= 0.0 && alpha <= 1.0 && !(textured && alpha == 0.0) ? alpha : 1.0;
    out->base_color[3] = (float)alpha;
    out->alpha_mode = alpha < 1.0 ? GT_ALPHA_BLEND : GT_ALPHA_OPAQUE;
}

typedef struct FbxMaterials {
    GtiFbxReader* reader;
    GtiFbxTextures textures;
    int32_t* geometry_of_model; // [object_count] or GT_NONE
    const char* separate;       // material with an opacity map that is not its base colour's picture, or NULL
} FbxMaterials;

// The first geometry that shows a material, whose UV sets its textures name.
static int32_t find_geometry(const FbxMaterials* materials, int32_t material)
{
    const GtiFbxGraph* graph = &materials->reader->graph;
    const GtiFbxObject* object = &graph->objects[material];
    for (int32_t i = 0; i < object->parent_count; ++i) {
        int32_t model = graph->connections[graph->by_source[object->first_parent + i]].destination;
        if (materials->geometry_of_model[model] != GT_NONE) {
            return materials->geometry_of_model[model];
        }
    }
    return GT_NONE;
}

// Which texture objects a material's slots have, each the first by the list of names.
static void find_maps(const GtiFbxGraph* graph, int32_t material, int32_t maps[SLOT_COUNT])
{
    const GtiFbxObject* object = &graph->objects[material];
    int ranks[SLOT_COUNT];
    for (int i = 0; i < SLOT_COUNT; ++i) {
        maps[i] = GT_NONE;
        ranks[i] = MAP_NAME_COUNT;
    }
    for (int32_t i = 0; i < object->child_count; ++i) {
        const GtiFbxConnection* connection = &graph->connections[object->first_child + i];
        GtiSlice type = graph->objects[connection->source].type;
        if (!gti_slice_is(type, "Texture") && !gti_slice_is(type, "LayeredTexture")) {
            continue;
        }
        for (int k = 0; k < MAP_NAME_COUNT; ++k) {
            FbxSlot slot = map_names[k].slot;
            if (k < ranks[slot] && gti_slice_is(connection->property, map_names[k].property) &&
                (!map_names[k].enabled || gti_fbx_property_number(graph, material, map_names[k].enabled, 1.0) != 0.0)) {
                maps[slot] = connection->source;
                ranks[slot] = k;
            }
        }
    }
}

static int32_t image_of(const GtScene* scene, const GtTextureRef* ref)
{
    return ref->texture == GT_NONE ? GT_NONE : scene->textures[ref->texture].image;
}

// Read the textures of a material.
// @param maps     receives the texture objects that are connected, whether they can be used or not
// @param opacity  receives the opacity map
static GtResult use_maps(FbxMaterials* materials, int32_t object, GtMaterial* out, int32_t maps[SLOT_COUNT],
                         GtTextureRef* opacity)
{
    const GtScene* scene = materials->reader->scene;
    GtTextureRef metal = { .texture = GT_NONE, .scale = 1.0f };
    GtTextureRef rough = metal;
    *opacity = metal;
    GtTextureRef* const refs[SLOT_COUNT] = { [SLOT_BASE] = &out->base_color_texture,
                                             [SLOT_NORMAL] = &out->normal_texture,
                                             [SLOT_EMISSIVE] = &out->emissive_texture,
                                             [SLOT_METAL] = &metal,
                                             [SLOT_ROUGH] = &rough,
                                             [SLOT_OCCLUSION] = &out->occlusion_texture,
                                             [SLOT_OPACITY] = opacity };
    int32_t geometry = find_geometry(materials, object);
    find_maps(&materials->reader->graph, object, maps);
    if (maps[SLOT_METAL] == GT_NONE || maps[SLOT_ROUGH] == GT_NONE) {
        maps[SLOT_METAL] = maps[SLOT_ROUGH] = GT_NONE;
    }
    for (int i = 0; i < SLOT_COUNT; ++i) {
        GtResult result =
            maps[i] == GT_NONE ? GT_OK : gti_fbx_use_texture(&materials->textures, maps[i], geometry, refs[i]);
        if (result != GT_OK) {
            return result;
        }
    }
    if (rough.texture != GT_NONE && image_of(scene, &metal) == image_of(scene, &rough)) {
        out->metallic_roughness_texture = rough;
    }
    return GT_OK;
}

static GtResult add_material(FbxMaterials* materials, int32_t object, int32_t* out)
{
    GtiFbxReader* reader = materials->reader;
    const GtiFbxGraph* graph = &reader->graph;
    GtiSlice name = graph->objects[object].name;
    bool repaired = false;
    GtMaterial material = gti_plain_material(gti_push_name(reader->scene, name.text, name.length, "", &repaired));
    int32_t maps[SLOT_COUNT];
    GtTextureRef opacity;
    GtResult result =
        material.name ? use_maps(materials, object, &material, maps, &opacity) : gti_out_of_memory(reader->error);
    if (result != GT_OK) {
        return result;
    }
    bool has_base = material.base_color_texture.texture != GT_NONE;
    bool has_glow = material.emissive_texture.texture != GT_NONE;
    read_color(graph, object, base_names, sizeof base_names / sizeof *base_names, has_base, material.base_color);
    read_color(graph, object, emissive_names, sizeof emissive_names / sizeof *emissive_names, has_glow,
               material.emissive);
    const float* color = material.base_color;
    if (!has_base && maps[SLOT_BASE] != GT_NONE && color[0] == 0.0f && color[1] == 0.0f && color[2] == 0.0f) {
        // Nobody saw this black, because the texture took its place.
        material.base_color[0] = material.base_color[1] = material.base_color[2] = 1.0f;
    }
    read_metal_and_roughness(reader, object, &materials->textures, &material);
    if (material.metallic_roughness_texture.texture != GT_NONE) {
        material.metallic = material.roughness = 1.0f;
    }
    read_alpha(graph, object, maps[SLOT_OPACITY] != GT_NONE, &material);
    if (opacity.texture != GT_NONE) {
        if (has_base && image_of(reader->scene, &opacity) == image_of(reader->scene, &material.base_color_texture)) {
            material.alpha_mode = material.alpha_mode == GT_ALPHA_BLEND ? GT_ALPHA_BLEND : GT_ALPHA_MASK;
        } else if (!materials->separate) {
            materials->separate = material.name;
        }
    }
    return gt_scene_add_material(reader->scene, &material, out, reader->error);
}

GtResult gti_fbx_add_materials(GtiFbxReader* reader)
{
    const GtiFbxGraph* graph = &reader->graph;
    size_t count = (size_t)graph->object_count;
    FbxMaterials materials = { .reader = reader };
    GtResult result = gti_fbx_textures_start(reader, &materials.textures);
    if (result != GT_OK) {
        return result;
    }
    materials.geometry_of_model = gt_arena_push_array(&reader->arena, count, sizeof *materials.geometry_of_model);
    reader->material_of_object = gt_arena_push_array(&reader->arena, count, sizeof *reader->material_of_object);
    if (!materials.geometry_of_model || !reader->material_of_object) {
        return gti_out_of_memory(reader->error);
    }
    for (size_t i = 0; i < count; ++i) {
        materials.geometry_of_model[i] = reader->material_of_object[i] = GT_NONE;
    }
    for (int32_t i = graph->connection_count; i-- > 0;) {
        const GtiFbxConnection* connection = &graph->connections[i];
        if (gti_slice_is(graph->objects[connection->source].type, "Geometry")) {
            materials.geometry_of_model[connection->destination] = connection->source;
        }
    }
    for (int32_t i = 1; i < graph->object_count && result == GT_OK; ++i) {
        if (gti_slice_is(graph->objects[i].type, "Material")) {
            result = add_material(&materials, i, &reader->material_of_object[i]);
        }
    }
    if (result == GT_OK && materials.separate) {
        gti_warn(reader->context, reader->path, materials.separate,
                 "the opacity map of this material is left out: it is not the picture of its base colour");
    }
    return result == GT_OK ? gti_fbx_pictures_finish(&materials.textures.pictures) : result;
}

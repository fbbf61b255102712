// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Constant, Lambert, Phong and Blinn as io/obj/mtl.c has Phong: diffuse is the base colour, emission the glow, and the
// shine's exponent becomes roughness. Textures go sampler, surface, image; files that name an image directly are taken
// at their word. Exporters disagree on transparency, so what would be invisible is taken as opaque.

#include "import/collada/material.h"

#include "base/fail.h"
#include "base/memory.h"
#include "io/obj/mtl.h"
#include "io/uri.h"

#include <math.h>
#include <string.h>

// Texture coordinates of a material's textures in one use of it.
typedef struct DaeMaterialKey {
    int32_t element;
    int32_t diffuse_set, emission_set, bump_set;
} DaeMaterialKey;

typedef struct DaeEffect {
    GtiDae* d;
    GtiDaeMaterials* materials;
    int32_t profile; // <profile_COMMON>
    int32_t technique;
    int32_t shader; // <phong> or its kin
    int32_t bump;   // <bump>, or GT_NONE
} DaeEffect;

static GtResult open_effect(GtiDaeMaterials* materials, int32_t material, DaeEffect* out)
{
    GtiDae* d = materials->d;
    static const char* const shaders[] = { "phong", "blinn", "lambert", "constant" };
    static const char* const bumps[] = { "bump", "normal" };
    int32_t effect = GT_NONE;
    int32_t instance = gti_xml_child(&d->xml, material, "instance_effect");
    GtResult result = instance == GT_NONE ? GT_OK : gti_dae_follow(d, instance, "url", "effect", &effect);
    *out = (DaeEffect){
        .d = d, .materials = materials, .profile = gti_xml_child(&d->xml, effect, "profile_COMMON"), .shader = GT_NONE
    };
    out->technique = gti_xml_child(&d->xml, out->profile, "technique");
    for (int i = 0; i < 4 && out->shader == GT_NONE; ++i) {
        out->shader = gti_xml_child(&d->xml, out->technique, shaders[i]);
    }
    out->bump = GT_NONE;
    int32_t places[] = { out->technique, out->shader };
    for (int i = 0; i < 4 && out->bump == GT_NONE; ++i) {
        int32_t extra = gti_xml_child(&d->xml, places[i / 2], "extra");
        for (; extra != GT_NONE && out->bump == GT_NONE; extra = gti_xml_next_same(&d->xml, extra)) {
            out->bump = gti_xml_child(&d->xml, gti_xml_child(&d->xml, extra, "technique"), bumps[i % 2]);
        }
    }
    return result;
}

// The child of a <newparam> with that sid.
static int32_t find_param(const DaeEffect* e, const char* sid, size_t length, const char* kind)
{
    const GtiXml* xml = &e->d->xml;
    int32_t places[] = { e->profile, e->technique, e->profile == GT_NONE ? GT_NONE : xml->nodes[e->profile].parent };
    for (int i = 0; i < 3; ++i) {
        for (int32_t p = gti_xml_child(xml, places[i], "newparam"); p != GT_NONE; p = gti_xml_next_same(xml, p)) {
            const char* value = gti_xml_attribute(xml, p, "sid");
            if (value && strlen(value) == length && !strncmp(value, sid, length)) {
                return gti_xml_child(xml, p, kind);
            }
        }
    }
    return GT_NONE;
}

// <image> of a texture's sampler.
static int32_t find_image(const DaeEffect* e, const char* sampler_sid)
{
    const GtiXml* xml = &e->d->xml;
    size_t size;
    int32_t sampler = find_param(e, sampler_sid, strlen(sampler_sid), "sampler2D");
    const char* url = gti_xml_attribute(xml, gti_xml_child(xml, sampler, "instance_image"), "url");
    if (url) {
        return gti_dae_find_id(e->d, url + (*url == '#'), strlen(url + (*url == '#')));
    }
    const char* id = gti_xml_text(xml, gti_xml_child(xml, sampler, "source"), &size);
    int32_t surface = size ? find_param(e, id, size, "surface") : GT_NONE;
    const char* from = gti_xml_text(xml, gti_xml_child(xml, surface, "init_from"), &size);
    int32_t image = size ? gti_dae_find_id(e->d, from, size) : GT_NONE;
    return image != GT_NONE ? image : gti_dae_find_id(e->d, sampler_sid, strlen(sampler_sid));
}

// The path of an <image> as the document has it, without what it had on another machine; NULL where it has none.
static char* image_path(GtiDae* d, int32_t image, bool* failed)
{
    size_t size;
    int32_t from = gti_xml_child(&d->xml, image, "init_from");
    int32_t ref = gti_xml_child(&d->xml, from, "ref");
    const char* text = gti_xml_text(&d->xml, ref == GT_NONE ? from : ref, &size);
    char* path = size ? gti_uri_decode(d->arena, text, size) : NULL;
    *failed = size && !path;
    for (char* c = path; c && *c; ++c) {
        *c = *c == '\\' ? '/' : *c;
    }
    path = path && !strncmp(path, "file:", 5) ? path + 5 : path;
    while (path && !strncmp(path, "./", 2)) {
        path += 2;
    }
    return path && *path ? path : NULL;
}

// The file of an <image>, beside the document or in the texture folders there; by its name where the document comes
// from memory. *file is NULL where there is none.
static GtResult find_image_file(GtiDaeMaterials* materials, int32_t image, const char** file, bool* is_named)
{
    GtiDae* d = materials->d;
    bool failed = false;
    const char* path = gti_xml_is(&d->xml, image, "image") ? image_path(d, image, &failed) : NULL;
    *file = NULL;
    *is_named = path != NULL;
    if (!path) {
        return failed ? gti_out_of_memory(d->error) : GT_OK;
    }
    const char* last = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    bool outside = *path == '/' || strchr(path, ':') != NULL;
    if (!d->scene->source.directory) {
        *file = outside ? last : path;
        return GT_OK;
    }
    GtiSlice relative = { path, outside ? 0 : strlen(path) };
    const char* uri = gti_picture_find(&materials->folders, relative, (GtiSlice){ last, strlen(last) }, &failed);
    *file = uri ? gti_uri_decode(d->arena, uri, strlen(uri)) : NULL;
    if (failed || (uri && !*file)) {
        return gti_out_of_memory(d->error);
    }
    if (!uri && materials->missing_count++ == 0) {
        materials->first_missing = last;
    }
    return GT_OK;
}

static GtResult add_texture(DaeEffect* e, int32_t slot, int32_t set, GtTextureRef* ref)
{
    GtiDae* d = e->d;
    int32_t texture = gti_xml_child(&d->xml, slot, "texture");
    const char* sampler = gti_xml_attribute(&d->xml, texture, "texture");
    const char* file;
    bool is_named;
    if (!sampler) {
        return GT_OK;
    }
    GtResult result = find_image_file(e->materials, find_image(e, sampler), &file, &is_named);
    if (result != GT_OK || (is_named && !file)) {
        return result;
    }
    if (!file) {
        return gti_dae_repair(d, GTI_DAE_IMAGE, texture, "the texture '%.64s' names no picture: left out", sampler);
    }
    ref->texcoord = set;
    return gti_add_texture(d->scene, d->arena, file, strlen(file), ref, d->error);
}

// The colour of a slot such as <diffuse>, where it has one.
static bool read_color(const DaeEffect* e, int32_t slot, double out[4])
{
    const GtiXml* xml = &e->d->xml;
    int32_t color = gti_xml_child(xml, slot, "color");
    const char* param = gti_xml_attribute(xml, gti_xml_child(xml, slot, "param"), "ref");
    if (color == GT_NONE && param) {
        color = find_param(e, param, strlen(param), "float4");
        color = color == GT_NONE ? find_param(e, param, strlen(param), "float3") : color;
    }
    int32_t count = gti_dae_few(e->d, color, 4, out);
    out[3] = count == 4 ? out[3] : 1.0;
    return count >= 3;
}

static double read_number(const DaeEffect* e, const char* name, double fallback)
{
    const GtiXml* xml = &e->d->xml;
    int32_t slot = gti_xml_child(xml, e->shader, name);
    int32_t number = gti_xml_child(xml, slot, "float");
    const char* param = gti_xml_attribute(xml, gti_xml_child(xml, slot, "param"), "ref");
    number = number == GT_NONE && param ? find_param(e, param, strlen(param), "float") : number;
    double value;
    return gti_dae_few(e->d, number, 1, &value) == 1 ? value : fallback;
}

static void put_color(const double from[4], float to[3])
{
    for (int k = 0; k < 3; ++k) {
        to[k] = (float)fmin(fmax(from[k], 0.0), 1.0);
    }
}

static void read_alpha(DaeEffect* e, GtMaterial* m)
{
    const GtiXml* xml = &e->d->xml;
    int32_t slot = gti_xml_child(xml, e->shader, "transparent");
    const char* mode = gti_xml_attribute(xml, slot, "opaque");
    double amount = read_number(e, "transparency", 1.0);
    double c[4] = { 1.0, 1.0, 1.0, 1.0 };
    const char* map = gti_xml_attribute(xml, gti_xml_child(xml, slot, "texture"), "texture");
    const char* base =
        gti_xml_attribute(xml, gti_xml_child(xml, gti_xml_child(xml, e->shader, "diffuse"), "texture"), "texture");
    if (map) {
        if (base && find_image(e, map) == find_image(e, base)) {
            m->alpha_mode = GT_ALPHA_BLEND;
        } else {
            gti_dae_note(e->d, GTI_DAE_ALPHA_MAP,
                         "transparency that has a picture of its own is left out; put it into the colour's alpha");
        }
        return;
    }
    if (!read_color(e, slot, c) && gti_xml_child(xml, e->shader, "transparency") == GT_NONE) {
        return;
    }
    double luminance = 0.212671 * c[0] + 0.715160 * c[1] + 0.072169 * c[2];
    double alpha = c[3] * amount;
    if (mode && !strcmp(mode, "RGB_ZERO")) {
        alpha = 1.0 - luminance * amount;
    } else if (mode && !strcmp(mode, "RGB_ONE")) {
        alpha = luminance * amount;
    } else if (mode && !strcmp(mode, "A_ZERO")) {
        alpha = 1.0 - c[3] * amount;
    }
    if (!(alpha > 0.0)) {
        gti_dae_note(e->d, GTI_DAE_INVISIBLE,
                     "materials that would be invisible are taken as opaque: exporters disagree on transparency");
        alpha = 1.0;
    }
    m->base_color[3] = (float)fmin(alpha, 1.0);
    m->alpha_mode = alpha < 1.0 ? GT_ALPHA_BLEND : GT_ALPHA_OPAQUE;
}

// Whether an <extra> of the effect says that both sides are seen.
static bool is_double_sided(const DaeEffect* e)
{
    const GtiXml* xml = &e->d->xml;
    int32_t places[] = { e->profile, e->technique, e->profile == GT_NONE ? GT_NONE : xml->nodes[e->profile].parent };
    for (int i = 0; i < 3; ++i) {
        for (int32_t x = gti_xml_child(xml, places[i], "extra"); x != GT_NONE; x = gti_xml_next_same(xml, x)) {
            double value = 0.0;
            int32_t flag = gti_xml_child(xml, gti_xml_child(xml, x, "technique"), "double_sided");
            if (gti_dae_few(e->d, flag, 1, &value) == 1 && value != 0.0) {
                return true;
            }
        }
    }
    return false;
}

static GtResult add_material(GtiDaeMaterials* materials, const DaeMaterialKey* key, int32_t* out)
{
    GtiDae* d = materials->d;
    DaeEffect e;
    double c[4];
    GtResult result = open_effect(materials, key->element, &e);
    GtMaterial m = gti_plain_material(gti_dae_push_label(d, key->element, "material"));
    if (!m.name) {
        return GT_ERROR_OUT_OF_MEMORY;
    }
    int32_t diffuse = gti_xml_child(&d->xml, e.shader, "diffuse");
    int32_t emission = gti_xml_child(&d->xml, e.shader, "emission");
    bool constant = gti_xml_is(&d->xml, e.shader, "constant");
    if (read_color(&e, diffuse, c)) {
        put_color(c, m.base_color);
    }
    if (read_color(&e, emission, c)) {
        put_color(c, m.emissive);
        if (constant && diffuse == GT_NONE) {
            memset(m.base_color, 0, 3 * sizeof(float));
        }
    }
    double shine = read_number(&e, "shininess", -1.0);
    if (shine >= 0.0 && !constant && !gti_xml_is(&d->xml, e.shader, "lambert")) {
        shine = shine > 0.0 && shine <= 1.0 ? shine * 128.0 : shine; // some exporters write a share of 128
        m.roughness = (float)sqrt(sqrt(2.0 / (shine + 2.0)));
    }
    read_alpha(&e, &m);
    m.double_sided = is_double_sided(&e);
    if (result == GT_OK) {
        result = add_texture(&e, diffuse, key->diffuse_set, &m.base_color_texture);
    }
    if (result == GT_OK) {
        result = add_texture(&e, emission, key->emission_set, &m.emissive_texture);
    }
    if (result == GT_OK) {
        result = add_texture(&e, e.bump, key->bump_set, &m.normal_texture);
    }
    if (m.emissive_texture.texture != GT_NONE) {
        m.emissive[0] = m.emissive[1] = m.emissive[2] = 1.0f;
    }
    return result == GT_OK ? gt_scene_add_material(d->scene, &m, out, d->error) : result;
}

// The set of a slot's texture: the instance says which set its name means, else the first is taken.
static int32_t find_set(const DaeEffect* e, int32_t slot, int32_t instance_material, const GtiDaeFaces* faces)
{
    const GtiXml* xml = &e->d->xml;
    const char* channel = gti_xml_attribute(xml, gti_xml_child(xml, slot, "texture"), "texcoord");
    int32_t bind = channel ? gti_xml_child(xml, instance_material, "bind_vertex_input") : GT_NONE;
    for (; bind != GT_NONE; bind = gti_xml_next_same(xml, bind)) {
        const char* semantic = gti_xml_attribute(xml, bind, "semantic");
        const char* set = gti_xml_attribute(xml, bind, "input_set");
        if (semantic && !strcmp(semantic, channel) && set) {
            for (int32_t i = 0; i < faces->set_count; ++i) {
                if (*set >= '0' && *set <= '9' && !set[1] && faces->texcoords[i].set == *set - '0') {
                    return i;
                }
            }
        }
    }
    return 0;
}

GtResult gti_dae_bind_material(GtiDaeMaterials* materials, int32_t instance, const char* symbol,
                               const GtiDaeFaces* faces, int32_t* out)
{
    GtiDae* d = materials->d;
    const GtiXml* xml = &d->xml;
    int32_t bound =
        gti_xml_child(xml, gti_xml_child(xml, gti_xml_child(xml, instance, "bind_material"), "technique_common"),
                      "instance_material");
    *out = GT_NONE;
    for (; bound != GT_NONE && symbol; bound = gti_xml_next_same(xml, bound)) {
        const char* value = gti_xml_attribute(xml, bound, "symbol");
        if (value && !strcmp(value, symbol)) {
            break;
        }
    }
    if (!symbol) {
        return GT_OK;
    }
    DaeMaterialKey key = { .element = gti_dae_find_id(d, symbol, strlen(symbol)) };
    GtResult result = bound == GT_NONE ? GT_OK : gti_dae_follow(d, bound, "target", "material", &key.element);
    if (result != GT_OK || !gti_xml_is(xml, key.element, "material")) {
        return result;
    }
    DaeEffect e;
    result = open_effect(materials, key.element, &e);
    key.diffuse_set = find_set(&e, gti_xml_child(xml, e.shader, "diffuse"), bound, faces);
    key.emission_set = find_set(&e, gti_xml_child(xml, e.shader, "emission"), bound, faces);
    key.bump_set = find_set(&e, e.bump, bound, faces);
    int32_t known = materials->keys.count;
    int32_t number = result == GT_OK ? gti_intern(&materials->keys, &key, sizeof key) : GT_NONE;
    if (number == GT_NONE) {
        return result == GT_OK ? gti_out_of_memory(d->error) : result;
    }
    if (number == known) {
        if (number == materials->capacity) {
            int32_t* grown = gti_arena_grow(d->arena, materials->indices, &materials->capacity, 32, sizeof *grown);
            if (!grown) {
                return gti_out_of_memory(d->error);
            }
            materials->indices = grown;
        }
        result = add_material(materials, &key, &materials->indices[number]);
    }
    *out = materials->indices[number];
    return result;
}

void gti_dae_materials_finish(const GtiDaeMaterials* materials)
{
    static const char why[] =
        "no PNG, JPEG, TGA or BMP file of that name lies beside the file or in its texture folders";
    const GtiDae* d = materials->d;
    if (materials->missing_count == 1) {
        gti_warn(d->context, d->path, NULL, "the texture '%.200s' is left out: %s", materials->first_missing, why);
    } else if (materials->missing_count > 1) {
        gti_warn(d->context, d->path, NULL, "%d textures, the first of them '%.200s', are left out: %s",
                 (int)materials->missing_count, materials->first_missing, why);
    }
}

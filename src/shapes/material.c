// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "shapes/material.h"

#include "gertie/number.h"

#include "data/json.h"

#include <string.h>

static const char prefix[] = "material:";
static const char* const part_names[GTI_MATERIAL_PARTS] = { "color.r",  "color.g",  "color.b", "color.a",
                                                            "offset.x", "offset.y", "scale.x", "scale.y" };

const char* gti_material_part_name(int part)
{
    return part_names[part];
}

float* gti_material_part(GtMaterialLook* look, int part)
{
    return part < 4 ? &look->color[part] : part < 6 ? &look->offset[part - 4] : &look->scale[part - 6];
}

static int32_t find_material(const GtScene* scene, const char* name, size_t length)
{
    int64_t number = 0;
    if (length > 1 && name[0] == '#' && gt_parse_int64(name + 1, name + length, &number) == name + length) {
        return number >= 0 && number < scene->material_count ? (int32_t)number : GT_NONE;
    }
    for (int32_t m = 0; m < scene->material_count; ++m) {
        const char* own = scene->materials[m].name;
        if (own && strlen(own) == length && memcmp(own, name, length) == 0) {
            return m;
        }
    }
    return GT_NONE;
}

int32_t gti_material_find(const GtScene* scene, const char* name)
{
    return find_material(scene, name, strlen(name));
}

bool gti_material_channel(const GtScene* scene, const char* channel, int32_t* material, int* part)
{
    size_t length = strlen(channel);
    *material = GT_NONE;
    *part = GT_NONE;
    if (strncmp(channel, prefix, sizeof prefix - 1) != 0) {
        return false;
    }
    const char* name = channel + sizeof prefix - 1;
    for (int p = 0; p < GTI_MATERIAL_PARTS; ++p) {
        size_t own = strlen(part_names[p]);
        const char* dot = channel + length - own - 1;
        if (dot > name && *dot == '.' && strcmp(dot + 1, part_names[p]) == 0) {
            *part = p;
            *material = find_material(scene, name, (size_t)(dot - name));
        }
    }
    return true;
}

static void read_numbers(const GtiJson* list, float out[2])
{
    const GtiJson* item = gti_json_first(list);
    bool ok = list && list->type == GTI_JSON_ARRAY && list->count == 2;
    for (int i = 0; i < 2 && ok; ++i, item = gti_json_next(item)) {
        gti_json_float(item, &out[i]);
    }
}

GtMaterialLook gt_material_look(const GtContext* context, const GtScene* scene, int32_t material)
{
    const GtMaterial* from = &scene->materials[material];
    const char* extensions =
        from->base_color_texture.texture == GT_NONE ? NULL : from->base_color_texture.extra.extensions;
    GtMaterialLook look = { .scale = { 1.0f, 1.0f } };
    memcpy(look.color, from->base_color, sizeof look.color);
    GtArena arena = gt_arena_create(context->allocator);
    const GtiJson* root = NULL;
    if (extensions && gti_json_parse(&arena, extensions, strlen(extensions), &root, NULL) == GT_OK) {
        const GtiJson* own = gti_json_find(root, "KHR_texture_transform");
        read_numbers(gti_json_find(own, "offset"), look.offset);
        read_numbers(gti_json_find(own, "scale"), look.scale);
        gti_json_float(gti_json_find(own, "rotation"), &look.rotation_rad);
    }
    gt_arena_destroy(&arena);
    return look;
}

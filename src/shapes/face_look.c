// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "shapes/face_look.h"

#include "base/scalar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Up to 4 numbers; false where there are not as many, or one is none.
static bool read_numbers(const GtiJson* list, uint32_t count, float* out)
{
    const GtiJson* item = gti_json_first(list);
    bool ok = list && list->type == GTI_JSON_ARRAY && list->count >= count;
    for (uint32_t i = 0; i < count && ok; ++i, item = gti_json_next(item)) {
        ok = gti_json_float(item, &out[i]);
    }
    return ok;
}

// How many of a list are looked at: of all lists together no more than files in earnest have, and none where materials
// are so many that finding them by their names would take minutes.
static uint32_t take_count(GtiFaceFinder* f, const GtiJson* list)
{
    bool is_earnest = f->scene->material_count <= GTI_FACE_MOST_MATERIALS;
    uint32_t left = is_earnest ? (uint32_t)(GTI_FACE_MOST_LOOKS - f->look_count) : 0;
    uint32_t all = list && list->type == GTI_JSON_ARRAY ? list->count : 0;
    uint32_t count = all < left ? all : left;
    f->look_count += (int32_t)count;
    f->face->skipped_count += (int32_t)(all - count);
    return count;
}

// Its name where that leads to it, else its number.
static GtResult name_material(GtiFaceFinder* f, int32_t material, const char** out)
{
    const char* name = f->scene->materials[material].name;
    bool leads = gti_face_is_name(name) && name[0] != '#';
    for (int32_t m = 0; m < material && leads; ++m) {
        leads = !f->scene->materials[m].name || strcmp(f->scene->materials[m].name, name) != 0;
    }
    if (leads) {
        *out = name;
        return GT_OK;
    }
    char text[16];
    int length = snprintf(text, sizeof text, "#%d", (int)material);
    *out = gt_arena_push_text(f->arena, text, (size_t)length);
    return *out ? GT_OK : gti_out_of_memory(f->error);
}

static GtResult add_rule(GtiFaceFinder* f, const char* control, int64_t material, const GtMaterialRule* rule)
{
    bool there = material >= 0 && material < f->scene->material_count && f->material_count < GTI_FACE_MOST_MATERIALS;
    if (!there) {
        f->face->skipped_count += 1;
        return GT_OK;
    }
    GtMaterialRule* own = &f->materials[f->material_count++];
    *own = *rule;
    own->control = control;
    return name_material(f, (int32_t)material, &own->material);
}

static int64_t read_index(const GtiJson* bind)
{
    int64_t material = GT_NONE;
    return gti_json_int64(gti_json_find(bind, "material"), &material) ? material : GT_NONE;
}

GtResult gti_face_read_colors(GtiFaceFinder* f, const char* control, const GtiJson* binds)
{
    GtResult result = GT_OK;
    const GtiJson* bind = gti_json_first(binds);
    uint32_t count = take_count(f, binds);
    for (uint32_t i = 0; i < count && result == GT_OK; ++i) {
        GtMaterialRule rule = { .has_color = true };
        if (gti_json_equals(gti_json_find(bind, "type"), "color")) {
            bool ok = read_numbers(gti_json_find(bind, "targetValue"), 4, rule.color);
            result = add_rule(f, control, ok ? read_index(bind) : GT_NONE, &rule);
        }
        bind = gti_json_next(bind);
    }
    return result;
}

GtResult gti_face_read_places(GtiFaceFinder* f, const char* control, const GtiJson* binds)
{
    GtResult result = GT_OK;
    const GtiJson* bind = gti_json_first(binds);
    uint32_t count = take_count(f, binds);
    for (uint32_t i = 0; i < count && result == GT_OK; ++i) {
        GtMaterialRule rule = { .scale = { 1.0f, 1.0f }, .has_offset = true, .has_scale = true };
        read_numbers(gti_json_find(bind, "offset"), 2, rule.offset);
        read_numbers(gti_json_find(bind, "scale"), 2, rule.scale);
        result = add_rule(f, control, read_index(bind), &rule);
        bind = gti_json_next(bind);
    }
    return result;
}

static int64_t find_by_name(const GtiFaceFinder* f, const GtiJson* name)
{
    for (int32_t m = 0; name && m < f->scene->material_count; ++m) {
        if (f->scene->materials[m].name && gti_json_equals(name, f->scene->materials[m].name)) {
            return m;
        }
    }
    return GT_NONE;
}

GtResult gti_face_read_values(GtiFaceFinder* f, const char* control, const GtiJson* values)
{
    GtResult result = GT_OK;
    const GtiJson* value = gti_json_first(values);
    uint32_t count = take_count(f, values);
    for (uint32_t i = 0; i < count && result == GT_OK; ++i) {
        const GtiJson* property = gti_json_find(value, "propertyName");
        float target[4];
        bool ok = read_numbers(gti_json_find(value, "targetValue"), 4, target);
        GtMaterialRule rule = { .has_color = gti_json_equals(property, "_Color") };
        rule.has_offset = rule.has_scale = gti_json_equals(property, "_MainTex_ST");
        for (int c = 0; c < 4 && ok && rule.has_color; ++c) {
            rule.color[c] = c < 3 ? (float)gti_linear_from_srgb((double)target[c]) : target[c];
            ok = isfinite(rule.color[c]);
        }
        if (ok && rule.has_scale) { // scale, then offset, from the lower left corner
            rule.scale[0] = target[0];
            rule.scale[1] = target[1];
            rule.offset[0] = target[2];
            rule.offset[1] = 1.0f - target[3] - target[1];
        }
        if (rule.has_color || rule.has_scale) {
            int64_t material = ok ? find_by_name(f, gti_json_find(value, "materialName")) : GT_NONE;
            result = add_rule(f, control, material, &rule);
        }
        value = gti_json_next(value);
    }
    return result;
}

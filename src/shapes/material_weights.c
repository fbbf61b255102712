// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Controls on materials: each part of a material that some control changes is a value of its own, which begins at what
// the scene has, and each control adds its share of the way (VRMC_vrm, "Expression update algorithm").

#include "shapes/compile.h"

#include "base/format.h"
#include "shapes/material.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Rules times materials that they are looked up among, by their names: more would take seconds.
static const int64_t most_comparisons = (int64_t)1 << 26;

static bool has_part(const GtMaterialRule* rule, int part)
{
    return part < 4 ? rule->has_color : part < 6 ? rule->has_offset : rule->has_scale;
}

static float wanted_part(const GtMaterialRule* rule, int part)
{
    return part < 4 ? rule->color[part] : part < 6 ? rule->offset[part - 4] : rule->scale[part - 6];
}

static GtResult check_rule(const GtiShapeCompiler* c, const GtMaterialRule* rule)
{
    bool named = rule->material && rule->material[0] && strlen(rule->material) <= 256 && !strchr(rule->material, '\'');
    if (!named) {
        return gti_shape_fail(c, GT_ERROR_BAD_VALUE, "material", rule->material ? rule->material : "",
                              "needs a name of at most 256 bytes without quotes");
    }
    if (!c->def->scene || gti_material_find(c->def->scene, rule->material) == GT_NONE) {
        return gti_shape_fail(c, GT_ERROR_NOT_FOUND, "material", rule->material, "does not exist");
    }
    if (!rule->control || gti_shape_find_control(c, rule->control) == GT_NONE) {
        return gti_shape_fail(c, GT_ERROR_NOT_FOUND, "material", rule->material,
                              "is driven by control '%.80s', which does not exist", rule->control ? rule->control : "");
    }
    for (int p = 0; p < GTI_MATERIAL_PARTS; ++p) {
        if (has_part(rule, p) && !isfinite(wanted_part(rule, p))) {
            return gti_shape_fail(c, GT_ERROR_BAD_VALUE, "material", rule->material, "has a number that is none");
        }
    }
    return GT_OK;
}

GtResult gti_shape_check_materials(const GtiShapeCompiler* c, size_t* count)
{
    GtResult result = GT_OK;
    if (c->def->material_count < 0 || c->def->material_count > GTI_SHAPE_MOST_MATERIALS) {
        return gti_fail(c->error, GT_ERROR_LIMIT, "controls change materials more than %d times",
                        GTI_SHAPE_MOST_MATERIALS);
    }
    if (c->def->scene && (int64_t)c->def->material_count * c->def->scene->material_count > most_comparisons) {
        return gti_fail(c->error, GT_ERROR_LIMIT,
                        "controls change materials %d times, which is too much for %d of them",
                        (int)c->def->material_count, (int)c->def->scene->material_count);
    }
    for (int32_t i = 0; i < c->def->material_count && result == GT_OK; ++i) {
        result = check_rule(c, &c->def->materials[i]);
    }
    *count = (size_t)c->def->material_count * GTI_MATERIAL_PARTS;
    return result;
}

// value: the name of the part's value, NULL before it is there
static GtResult add_part(GtiShapeCompiler* c, const GtMaterialRule* rule, const GtMaterialLook* rest, int part,
                         const char* control, const char** value)
{
    char text[2 * GTI_SHAPE_NAME];
    GtMaterialLook look = *rest;
    float from = *gti_material_part(&look, part);
    if (!*value) {
        snprintf(text, sizeof text, "material:%s.%s", rule->material, gti_material_part_name(part));
        *value = gt_arena_push_text(c->arena, text, strlen(text));
        gti_shape_add_value(c, *value, from);
    }
    if (!*value) {
        return gti_out_of_memory(c->error);
    }
    gti_format(text, sizeof text, "'%s' + %.9g * '%s'", *value, (double)wanted_part(rule, part) - (double)from,
               control);
    return gti_shape_add_formula(c, *value, text);
}

GtResult gti_shape_compile_materials(const GtContext* context, GtiShapeCompiler* c)
{
    size_t parts = c->def->scene ? (size_t)c->def->scene->material_count * GTI_MATERIAL_PARTS : 0;
    const char** values = gt_arena_push_array(c->arena, c->def->material_count > 0 ? parts : 0, sizeof *values);
    GtResult result = values ? GT_OK : gti_out_of_memory(c->error);
    for (int32_t i = 0; i < c->def->material_count && result == GT_OK; ++i) {
        const GtMaterialRule* rule = &c->def->materials[i];
        int32_t material = gti_material_find(c->def->scene, rule->material);
        GtMaterialLook rest = gt_material_look(context, c->def->scene, material);
        const char* control = gti_shape_control_value(c, rule->control);
        for (int p = 0; p < GTI_MATERIAL_PARTS && result == GT_OK; ++p) {
            if (has_part(rule, p)) {
                result = control ? add_part(c, rule, &rest, p, control, &values[material * GTI_MATERIAL_PARTS + p])
                                 : gti_out_of_memory(c->error);
            }
        }
    }
    return result;
}

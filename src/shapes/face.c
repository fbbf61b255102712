// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The expressions of a face: what a VRM file says (shape_face_vrm.c), else by the names of its morph targets.

#include "shapes/face.h"

#include "base/memory.h"

#include "gertie/expression.h"
#include "gertie/shapes.h"

#include <math.h>
#include <string.h>

bool gti_face_is_name(const char* name)
{
    return name && name[0] && strlen(name) <= 256 && !strchr(name, '\'');
}

GtResult gti_face_add_control(GtiFaceFinder* f, const char* name, size_t length, GtShapeControl** out)
{
    *out = NULL;
    char* own = gt_arena_push_text(f->arena, name, length);
    if (!own) {
        return gti_out_of_memory(f->error);
    }
    bool is_new = gti_face_is_name(own) && f->control_count < GTI_FACE_MOST_CONTROLS;
    for (int32_t i = 0; i < f->control_count && is_new; ++i) {
        is_new = strcmp(f->controls[i].name, own) != 0;
    }
    if (is_new) {
        *out = &f->controls[f->control_count++];
        **out = (GtShapeControl){ .name = own, .max = 1.0f };
    }
    return GT_OK;
}

GtiFaceRule* gti_face_add_rule(GtiFaceFinder* f)
{
    if (f->rule_count == GT_SHAPES_MAX) {
        return NULL;
    }
    GtiFaceRule* rule = &f->rules[f->rule_count++];
    *rule = (GtiFaceRule){ .node = GT_NONE, .target = GT_NONE };
    return rule;
}

// From 0 to the weight as the control goes from 0 to 1.
static GtResult make_curve(GtiFaceFinder* f, float weight, const GtCurveDef** out, float** last)
{
    GtCurveDef* def = gt_arena_push_array(f->arena, 1, sizeof *def);
    float* keys = gt_arena_push_array(f->arena, 4, sizeof *keys);
    if (!def || !keys) {
        return gti_out_of_memory(f->error);
    }
    keys[1] = 1.0f;
    keys[3] = weight;
    *def = gt_default_curve_def();
    def->law = GT_LAW_LINEAR;
    def->key_count = 2;
    def->times_s = keys;
    def->values = keys + 2;
    *out = def;
    *last = keys + 3;
    return GT_OK;
}

GtResult gti_face_add_drive(GtiFaceFinder* f, const char* control, GtiFaceRule* rule, float weight)
{
    if (rule->count > 0 && rule->drives[rule->count - 1].control == control) {
        bool fits = isfinite(*rule->last + weight);
        *rule->last += fits ? weight : 0.0f;
        f->face->skipped_count += !fits;
        return GT_OK;
    }
    if (rule->count == rule->capacity) {
        GtShapeDrive* grown = gti_arena_grow(f->arena, rule->drives, &rule->capacity, 4, sizeof *grown);
        if (!grown) {
            return gti_out_of_memory(f->error);
        }
        rule->drives = grown;
    }
    GtShapeDrive* drive = &rule->drives[rule->count++];
    *drive = (GtShapeDrive){ .control = control };
    return make_curve(f, weight, &drive->curve, &rule->last);
}

static GtResult drive_name(GtiFaceFinder* f, const GtShapeControl* control, const char* name, float weight)
{
    GtiFaceRule* rule = NULL;
    for (int32_t i = 0; i < f->rule_count && !rule; ++i) {
        rule = strcmp(f->rules[i].name, name) == 0 ? &f->rules[i] : NULL;
    }
    if (!rule) {
        rule = gti_face_add_rule(f); // at most one for each shape of ARKit and each expression
        rule->name = name;
    }
    return gti_face_add_drive(f, control->name, rule, weight);
}

// The first target of each shape of ARKit, and of each expression.
static void find_names(GtiFaceFinder* f, const char* arkit[GT_ARKIT_COUNT], const char* own[GT_EXPRESSION_COUNT])
{
    for (int32_t m = 0; m < f->scene->mesh_count; ++m) {
        const GtMesh* mesh = &f->scene->meshes[m];
        for (int32_t t = 0; t < mesh->target_count && mesh->target_names; ++t) {
            const char* name = mesh->target_names[t];
            bool usable = gti_face_is_name(name);
            int32_t shape = usable ? gt_arkit_find(name) : GT_NONE;
            int32_t expression = usable ? gt_expression_find(name) : GT_NONE;
            if (shape != GT_NONE && !arkit[shape]) {
                arkit[shape] = name;
                f->face->arkit_count += 1;
            }
            if (expression != GT_NONE && !own[expression]) {
                own[expression] = name;
            }
        }
    }
}

static GtResult use_names(GtiFaceFinder* f, const char* const* arkit, const char* const* own)
{
    GtResult result = GT_OK;
    for (int32_t e = 0; e < GT_EXPRESSION_COUNT && result == GT_OK; ++e) {
        int32_t count = 0;
        int32_t known = 0;
        GtShapeControl* control = NULL;
        const char* name = gt_expression_name((GtExpression)e);
        const GtExpressionPart* parts = gt_expression_parts((GtExpression)e, &count);
        for (int32_t i = 0; i < count; ++i) {
            known += arkit[parts[i].shape] != NULL;
        }
        if (known == 0 && !own[e]) {
            continue;
        }
        f->face->kind = known > 0 && !own[e]            ? GT_FACE_ARKIT
                        : f->face->kind == GT_FACE_NONE ? GT_FACE_NAMES
                                                        : f->face->kind;
        result = gti_face_add_control(f, name, strlen(name), &control);
        if (result == GT_OK && own[e]) {
            result = drive_name(f, control, own[e], 1.0f);
            continue;
        }
        for (int32_t i = 0; i < count && result == GT_OK; ++i) {
            const char* shape = arkit[parts[i].shape];
            result = shape ? drive_name(f, control, shape, parts[i].weight) : GT_OK;
        }
    }
    return result;
}

static GtResult finish(GtiFaceFinder* f)
{
    GtShapeRule* rules = gt_arena_push_array(f->arena, (size_t)f->rule_count, sizeof *rules);
    if (!rules) {
        return gti_out_of_memory(f->error);
    }
    for (int32_t i = 0; i < f->rule_count; ++i) {
        rules[i] = (GtShapeRule){ .name = f->rules[i].name,
                                  .mesh = f->rules[i].mesh,
                                  .drives = f->rules[i].drives,
                                  .drive_count = f->rules[i].count };
    }
    f->face->def = gt_default_shape_controls_def();
    f->face->def.controls = f->controls;
    f->face->def.control_count = f->control_count;
    f->face->def.rules = rules;
    f->face->def.rule_count = f->rule_count;
    f->face->def.materials = f->materials;
    f->face->def.material_count = f->material_count;
    f->face->def.scene = f->scene;
    return GT_OK;
}

static GtResult find(GtiFaceFinder* f)
{
    const char* arkit[GT_ARKIT_COUNT] = { NULL };
    const char* own[GT_EXPRESSION_COUNT] = { NULL };
    f->controls = gt_arena_push_array(f->arena, GTI_FACE_MOST_CONTROLS, sizeof *f->controls);
    f->rules = gt_arena_push_array(f->arena, GT_SHAPES_MAX, sizeof *f->rules);
    f->materials = gt_arena_push_array(f->arena, GTI_FACE_MOST_MATERIALS, sizeof *f->materials);
    GtResult result = f->controls && f->rules && f->materials ? gti_face_read_vrm(f) : gti_out_of_memory(f->error);
    if (result == GT_OK) {
        find_names(f, arkit, own);
    }
    if (result == GT_OK && f->face->kind == GT_FACE_NONE) {
        result = use_names(f, arkit, own);
    }
    return result == GT_OK ? finish(f) : result;
}

GtResult gt_face_create(const GtContext* context, const GtScene* scene, GtFace** out, GtError* error)
{
    *out = NULL;
    GtArena arena = gt_arena_create(context->allocator);
    GtFace* face = gt_arena_push_array(&arena, 1, sizeof *face);
    if (!face) {
        return gti_out_of_memory(error);
    }
    GtiFaceFinder f = { .scene = scene, .face = face, .arena = &arena, .error = error };
    GtResult result = find(&f);
    face->arena = arena;
    if (result != GT_OK) {
        gt_face_destroy(face);
        return result;
    }
    *out = face;
    return GT_OK;
}

void gt_face_destroy(GtFace* face)
{
    if (face) {
        gt_arena_destroy(&face->arena);
    }
}

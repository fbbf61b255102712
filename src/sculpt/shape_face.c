// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The expressions of a face as controls. VRM 1.0: "VRMC_vrm".expressions.{preset,custom}.NAME = { isBinary,
// morphTargetBinds: [{ node, index, weight }] }; VRM 0: "VRM".blendShapeMaster.blendShapeGroups = [{ name, presetName,
// isBinary, binds: [{ mesh, index, weight in percent }] }]. Else the names of morph targets tell.

#include "gertie/expression.h"
#include "gertie/shape_controls.h"
#include "gertie/shapes.h"

#include "base/fail.h"
#include "data/json.h"

#include <math.h>
#include <string.h>

enum {
    MOST_CONTROLS = 512,
    MOST_RULES = GT_SHAPES_MAX
};

// A rule in the making.
typedef struct Rule {
    const char* name;
    GtShapeDrive* drives; // [MOST_CONTROLS] in use as far as count
    int32_t count;
    int32_t capacity;
} Rule;

typedef struct Finder {
    const GtScene* scene;
    GtFace* face;
    GtArena* arena;
    GtShapeControl* controls; // [MOST_CONTROLS]
    int32_t control_count;
    Rule* rules; // [MOST_RULES]
    int32_t rule_count;
    GtError* error;
} Finder;

static GtResult add_control(Finder* f, const char* name, size_t length, const char** out)
{
    *out = NULL;
    char* own = gt_arena_push_text(f->arena, name, length);
    if (!own) {
        return gti_out_of_memory(f->error);
    }
    bool is_name = own[0] && !strchr(own, '\'') && length <= 256 && f->control_count < MOST_CONTROLS;
    for (int32_t i = 0; i < f->control_count && is_name; ++i) {
        is_name = strcmp(f->controls[i].name, own) != 0;
    }
    if (is_name) {
        f->controls[f->control_count++] = (GtShapeControl){ own, 0.0f, 0.0f, 1.0f };
        *out = own;
    }
    return GT_OK;
}

static Rule* find_rule(Finder* f, const char* name)
{
    for (int32_t i = 0; i < f->rule_count; ++i) {
        if (strcmp(f->rules[i].name, name) == 0) {
            return &f->rules[i];
        }
    }
    if (f->rule_count == MOST_RULES || !name[0] || strlen(name) > 256 || strchr(name, '\'')) {
        return NULL;
    }
    f->rules[f->rule_count] = (Rule){ .name = name };
    return &f->rules[f->rule_count++];
}

// From 0 to the weight as the control goes from 0 to 1; at once beyond a half where it is on or off.
static GtResult make_curve(Finder* f, float weight, bool is_binary, const GtKeyCurveDef** out)
{
    GtKeyCurveDef* def = gt_arena_push_array(f->arena, 1, sizeof *def);
    float* keys = gt_arena_push_array(f->arena, 4, sizeof *keys);
    if (!def || !keys) {
        return gti_out_of_memory(f->error);
    }
    keys[1] = is_binary ? nextafterf(0.5f, 1.0f) : 1.0f;
    keys[3] = weight;
    *def = gt_default_key_curve_def();
    def->law = is_binary ? GT_LAW_STEP : GT_LAW_LINEAR;
    def->key_count = 2;
    def->times_s = keys;
    def->values = keys + 2;
    *out = def;
    return GT_OK;
}

// A shape that a control moves; the first time counts.
static GtResult add_part(Finder* f, const char* control, const char* shape, float weight, bool is_binary)
{
    Rule* rule = shape && isfinite(weight) ? find_rule(f, shape) : NULL;
    if (!rule || (rule->count > 0 && rule->drives[rule->count - 1].control == control)) {
        f->face->skipped_count += !rule;
        return GT_OK;
    }
    if (rule->count == rule->capacity) {
        int32_t capacity = rule->capacity ? 2 * rule->capacity : 4;
        GtShapeDrive* drives = gt_arena_push_array(f->arena, (size_t)capacity, sizeof *drives);
        if (!drives) {
            return gti_out_of_memory(f->error);
        }
        if (rule->count > 0) {
            memcpy(drives, rule->drives, (size_t)rule->count * sizeof *drives);
        }
        rule->drives = drives;
        rule->capacity = capacity;
    }
    GtShapeDrive* drive = &rule->drives[rule->count++];
    *drive = (GtShapeDrive){ .control = control };
    return make_curve(f, weight, is_binary, &drive->curve);
}

static const char* target_name(const Finder* f, int64_t mesh, int64_t index)
{
    if (mesh < 0 || mesh >= f->scene->mesh_count) {
        return NULL;
    }
    const GtMesh* own = &f->scene->meshes[mesh];
    return index >= 0 && index < own->target_count && own->target_names ? own->target_names[index] : NULL;
}

// key: "node" in VRM 1.0, "mesh" in VRM 0
static GtResult read_binds(Finder* f, const char* control, const GtiJson* binds, const char* key, float scale,
                           bool is_binary)
{
    bool by_node = strcmp(key, "node") == 0;
    const GtiJson* bind = gti_json_first(binds);
    GtResult result = GT_OK;
    for (uint32_t i = 0; binds && binds->type == GTI_JSON_ARRAY && i < binds->count && result == GT_OK; ++i) {
        int64_t place = GT_NONE;
        int64_t index = GT_NONE;
        float weight = 0.0f;
        bool ok = gti_json_int64(gti_json_find(bind, key), &place) &&
                  gti_json_int64(gti_json_find(bind, "index"), &index) &&
                  gti_json_float(gti_json_find(bind, "weight"), &weight);
        if (ok && by_node) {
            place = place >= 0 && place < f->scene->node_count ? f->scene->nodes[place].mesh : GT_NONE;
        }
        result = add_part(f, control, ok ? target_name(f, place, index) : NULL, scale * weight, is_binary);
        bind = gti_json_next(bind);
    }
    return result;
}

static bool is_true(const GtiJson* value)
{
    return value && value->type == GTI_JSON_TRUE;
}

static GtResult read_vrm1(Finder* f, const GtiJson* group)
{
    GtResult result = GT_OK;
    const GtiJson* item = gti_json_first(group);
    for (uint32_t i = 0; group && group->type == GTI_JSON_OBJECT && i < group->count && result == GT_OK; ++i) {
        const char* control = NULL;
        result = add_control(f, item->key, item->key_length, &control);
        if (result == GT_OK && control) {
            result = read_binds(f, control, gti_json_find(item, "morphTargetBinds"), "node", 1.0f,
                                is_true(gti_json_find(item, "isBinary")));
        }
        item = gti_json_next(item);
    }
    return result;
}

static GtResult read_vrm0(Finder* f, const GtiJson* groups)
{
    GtResult result = GT_OK;
    const GtiJson* item = gti_json_first(groups);
    for (uint32_t i = 0; groups && groups->type == GTI_JSON_ARRAY && i < groups->count && result == GT_OK; ++i) {
        const GtiJson* preset = gti_json_find(item, "presetName");
        const GtiJson* own = gti_json_find(item, "name");
        char* name = preset && preset->type == GTI_JSON_STRING ? gti_json_copy(f->arena, preset, NULL) : NULL;
        int32_t expression = name ? gt_expression_find(name) : GT_NONE;
        const char* control = NULL;
        if (expression != GT_NONE) {
            const char* known = gt_expression_name((GtExpression)expression);
            result = add_control(f, known, strlen(known), &control);
        } else if (own && own->type == GTI_JSON_STRING) {
            name = gti_json_copy(f->arena, own, NULL);
            result = name ? add_control(f, name, strlen(name), &control) : gti_out_of_memory(f->error);
        }
        if (result == GT_OK && control) {
            result = read_binds(f, control, gti_json_find(item, "binds"), "mesh", 0.01f,
                                is_true(gti_json_find(item, "isBinary")));
        }
        item = gti_json_next(item);
    }
    return result;
}

static GtResult read_vrm(Finder* f)
{
    const char* text = f->scene->extra.extensions;
    const GtiJson* root = NULL;
    GtResult result = text ? gti_json_parse(f->arena, text, strlen(text), &root, f->error) : GT_OK;
    const GtiJson* own = gti_json_find(gti_json_find(root, "VRMC_vrm"), "expressions");
    const GtiJson* old = gti_json_find(gti_json_find(root, "VRM"), "blendShapeMaster");
    if (result == GT_OK && own) {
        result = read_vrm1(f, gti_json_find(own, "preset"));
    }
    if (result == GT_OK && own) {
        result = read_vrm1(f, gti_json_find(own, "custom"));
    }
    if (result == GT_OK && !own) {
        result = read_vrm0(f, gti_json_find(old, "blendShapeGroups"));
    }
    f->face->kind = f->control_count > 0 ? GT_FACE_VRM : GT_FACE_NONE;
    return result;
}

// The first target of each shape of ARKit, and of each expression.
static void find_names(Finder* f, const char* arkit[GT_ARKIT_COUNT], const char* own[GT_EXPRESSION_COUNT])
{
    for (int32_t m = 0; m < f->scene->mesh_count; ++m) {
        const GtMesh* mesh = &f->scene->meshes[m];
        for (int32_t t = 0; t < mesh->target_count && mesh->target_names; ++t) {
            const char* name = mesh->target_names[t];
            int32_t shape = name ? gt_arkit_find(name) : GT_NONE;
            int32_t expression = name ? gt_expression_find(name) : GT_NONE;
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

static GtResult use_names(Finder* f, const char* const* arkit, const char* const* own)
{
    GtResult result = GT_OK;
    for (int32_t e = 0; e < GT_EXPRESSION_COUNT && result == GT_OK; ++e) {
        int32_t count = 0;
        int32_t known = 0;
        const char* control = NULL;
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
        result = add_control(f, name, strlen(name), &control);
        if (result == GT_OK && own[e]) {
            result = add_part(f, control, own[e], 1.0f, false);
            continue;
        }
        for (int32_t i = 0; i < count && result == GT_OK; ++i) {
            const char* shape = arkit[parts[i].shape];
            result = shape ? add_part(f, control, shape, parts[i].weight, false) : GT_OK;
        }
    }
    return result;
}

static GtResult finish(Finder* f)
{
    GtShapeRule* rules = gt_arena_push_array(f->arena, (size_t)f->rule_count, sizeof *rules);
    if (!rules) {
        return gti_out_of_memory(f->error);
    }
    for (int32_t i = 0; i < f->rule_count; ++i) {
        rules[i] =
            (GtShapeRule){ .name = f->rules[i].name, .drives = f->rules[i].drives, .drive_count = f->rules[i].count };
    }
    f->face->def = gt_default_shape_controls_def();
    f->face->def.controls = f->controls;
    f->face->def.control_count = f->control_count;
    f->face->def.rules = rules;
    f->face->def.rule_count = f->rule_count;
    f->face->def.scene = f->scene;
    return GT_OK;
}

static GtResult find(Finder* f)
{
    const char* arkit[GT_ARKIT_COUNT] = { NULL };
    const char* own[GT_EXPRESSION_COUNT] = { NULL };
    f->controls = gt_arena_push_array(f->arena, MOST_CONTROLS, sizeof *f->controls);
    f->rules = gt_arena_push_array(f->arena, MOST_RULES, sizeof *f->rules);
    GtResult result = f->controls && f->rules ? read_vrm(f) : gti_out_of_memory(f->error);
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
    Finder f = { .scene = scene, .face = face, .arena = &arena, .error = error };
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
        GtArena arena = face->arena; // which holds the face itself
        gt_arena_destroy(&arena);
    }
}

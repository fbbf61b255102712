// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Expressions of VRM files: VRMC_vrm.expressions of 1.0, VRM.blendShapeMaster of 0. A bind names a node and the number
// of a target there (of a mesh, in VRM 0), and moves that one alone, whatever others are called.

#include "shapes/face.h"

#include "gertie/expression.h"

#include "data/json.h"
#include "shapes/face_look.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_BINDS = 65536
};

// What overrides are about.
typedef enum Group {
    GROUP_BLINK,
    GROUP_LOOK_AT,
    GROUP_MOUTH,
    GROUP_COUNT
} Group;

static const struct {
    const char* key;
    GtExpression first, last;
} groups[GROUP_COUNT] = {
    { "overrideBlink", GT_EXPRESSION_BLINK, GT_EXPRESSION_BLINK_RIGHT },
    { "overrideLookAt", GT_EXPRESSION_LOOK_UP, GT_EXPRESSION_LOOK_RIGHT },
    { "overrideMouth", GT_EXPRESSION_AA, GT_EXPRESSION_OH },
};

typedef enum Override {
    OVERRIDE_NONE,
    OVERRIDE_BLOCK,
    OVERRIDE_BLEND
} Override;

typedef struct Vrm {
    GtiFaceFinder* f;
    const char** target_names;          // [target_name_count] of all meshes, sorted
    size_t target_name_count;           //
    const char** node_names;            // [node_count] sorted
    int32_t* first_nodes;               // [mesh_count] that show each mesh, or GT_NONE
    int32_t* next_nodes;                // [node_count] the next one that shows the same mesh, or GT_NONE
    Override (*overrides)[GROUP_COUNT]; // [GTI_FACE_MOST_CONTROLS]
    int32_t bind_count;
} Vrm;

static int compare_names(const void* a, const void* b)
{
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

static bool is_unique(const char* const* names, size_t count, const char* name)
{
    const char* const* found = bsearch(&name, names, count, sizeof *names, compare_names);
    bool before = found && found > names && strcmp(found[-1], name) == 0;
    bool after = found && found + 1 < names + count && strcmp(found[1], name) == 0;
    return found && !before && !after;
}

static GtResult list_names(Vrm* v)
{
    const GtScene* scene = v->f->scene;
    GtArena* arena = v->f->arena;
    for (int32_t m = 0; m < scene->mesh_count; ++m) {
        v->target_name_count += scene->meshes[m].target_names ? (size_t)scene->meshes[m].target_count : 0;
    }
    v->target_names = gt_arena_push_array(arena, v->target_name_count, sizeof *v->target_names);
    v->node_names = gt_arena_push_array(arena, (size_t)scene->node_count, sizeof *v->node_names);
    if (!v->target_names || !v->node_names) {
        return gti_out_of_memory(v->f->error);
    }
    size_t count = 0;
    for (int32_t m = 0; m < scene->mesh_count; ++m) {
        const GtMesh* mesh = &scene->meshes[m];
        for (int32_t t = 0; mesh->target_names && t < mesh->target_count; ++t) {
            v->target_names[count++] = mesh->target_names[t] ? mesh->target_names[t] : "";
        }
    }
    for (int32_t n = 0; n < scene->node_count; ++n) {
        v->node_names[n] = scene->nodes[n].name ? scene->nodes[n].name : "";
    }
    qsort(v->target_names, v->target_name_count, sizeof *v->target_names, compare_names);
    qsort(v->node_names, (size_t)scene->node_count, sizeof *v->node_names, compare_names);
    return GT_OK;
}

static GtResult list_nodes(Vrm* v)
{
    const GtScene* scene = v->f->scene;
    v->first_nodes = gt_arena_push_array(v->f->arena, (size_t)scene->mesh_count, sizeof *v->first_nodes);
    v->next_nodes = gt_arena_push_array(v->f->arena, (size_t)scene->node_count, sizeof *v->next_nodes);
    v->overrides = gt_arena_push_array(v->f->arena, GTI_FACE_MOST_CONTROLS, sizeof *v->overrides);
    if (!v->first_nodes || !v->next_nodes || !v->overrides) {
        return gti_out_of_memory(v->f->error);
    }
    for (int32_t m = 0; m < scene->mesh_count; ++m) {
        v->first_nodes[m] = GT_NONE;
    }
    for (int32_t n = scene->node_count - 1; n >= 0; --n) {
        int32_t mesh = scene->nodes[n].mesh;
        v->next_nodes[n] = mesh == GT_NONE ? GT_NONE : v->first_nodes[mesh];
        if (mesh != GT_NONE) {
            v->first_nodes[mesh] = n;
        }
    }
    return GT_OK;
}

static const char* print_number(Vrm* v, int32_t number)
{
    char text[16];
    int length = snprintf(text, sizeof text, "#%d", (int)number);
    return gt_arena_push_text(v->f->arena, text, (size_t)length);
}

// The name of a target where it is the only one that has it, else its node, too, and numbers where these do not tell.
static GtResult name_rule(Vrm* v, GtiFaceRule* rule)
{
    const GtScene* scene = v->f->scene;
    const GtNode* node = &scene->nodes[rule->node];
    const GtMesh* mesh = &scene->meshes[node->mesh];
    const char* name = mesh->target_names ? mesh->target_names[rule->target] : NULL;
    bool is_name = gti_face_is_name(name) && name[0] != '#';
    bool once = v->next_nodes[v->first_nodes[node->mesh]] == GT_NONE; // shown by a single node
    rule->name = name;
    if (is_name && once && is_unique(v->target_names, v->target_name_count, name)) {
        return GT_OK;
    }
    bool is_place = gti_face_is_name(node->name) && node->name[0] != '#' && !strchr(node->name, '/');
    bool is_only = is_place && is_unique(v->node_names, (size_t)scene->node_count, node->name);
    int32_t same = 0;
    for (int32_t t = 0; is_name && t < mesh->target_count; ++t) {
        same += mesh->target_names[t] && strcmp(mesh->target_names[t], name) == 0;
    }
    rule->mesh = is_only ? node->name : print_number(v, rule->node);
    rule->name = same == 1 ? name : print_number(v, rule->target);
    return rule->mesh && rule->name ? GT_OK : gti_out_of_memory(v->f->error);
}

static GtResult find_rule(Vrm* v, int32_t node, int32_t target, GtiFaceRule** out)
{
    for (int32_t i = 0; i < v->f->rule_count; ++i) {
        if (v->f->rules[i].node == node && v->f->rules[i].target == target) {
            *out = &v->f->rules[i];
            return GT_OK;
        }
    }
    *out = gti_face_add_rule(v->f);
    if (!*out) {
        return GT_OK;
    }
    (*out)->node = node;
    (*out)->target = target;
    return name_rule(v, *out);
}

static GtResult add_bind(Vrm* v, const char* control, int64_t node, int64_t target, float weight)
{
    const GtScene* scene = v->f->scene;
    int32_t mesh = node >= 0 && node < scene->node_count ? scene->nodes[node].mesh : GT_NONE;
    bool ok = mesh != GT_NONE && target >= 0 && target < scene->meshes[mesh].target_count && isfinite(weight) &&
              v->bind_count < MOST_BINDS;
    GtiFaceRule* rule = NULL;
    GtResult result = ok ? find_rule(v, (int32_t)node, (int32_t)target, &rule) : GT_OK;
    v->bind_count += ok;
    v->f->face->skipped_count += !rule && result == GT_OK;
    return rule && result == GT_OK ? gti_face_add_drive(v->f, control, rule, weight) : result;
}

// Of all nodes that show a mesh.
static GtResult add_mesh_bind(Vrm* v, const char* control, int64_t mesh, int64_t target, float weight)
{
    int32_t node = mesh >= 0 && mesh < v->f->scene->mesh_count ? v->first_nodes[mesh] : GT_NONE;
    GtResult result = add_bind(v, control, node, target, weight);
    while (node != GT_NONE && v->next_nodes[node] != GT_NONE && result == GT_OK && v->bind_count < MOST_BINDS) {
        node = v->next_nodes[node];
        result = add_bind(v, control, node, target, weight);
    }
    return result;
}

// by_node: as VRM 1.0 has it, with weights up to 1; else by meshes, up to 100
static GtResult read_binds(Vrm* v, const char* control, const GtiJson* binds, bool by_node)
{
    const GtiJson* bind = gti_json_first(binds);
    GtResult result = GT_OK;
    for (uint32_t i = 0; binds && binds->type == GTI_JSON_ARRAY && i < binds->count && result == GT_OK; ++i) {
        int64_t place = GT_NONE;
        int64_t index = GT_NONE;
        float weight = 0.0f;
        if (!gti_json_int64(gti_json_find(bind, by_node ? "node" : "mesh"), &place) ||
            !gti_json_int64(gti_json_find(bind, "index"), &index) ||
            !gti_json_float(gti_json_find(bind, "weight"), &weight)) {
            place = GT_NONE;
        }
        result = by_node ? add_bind(v, control, place, index, weight)
                         : add_mesh_bind(v, control, place, index, 0.01f * weight);
        bind = gti_json_next(bind);
    }
    return result;
}

static bool is_true(const GtiJson* value)
{
    return value && value->type == GTI_JSON_TRUE;
}

static void read_overrides(Vrm* v, const GtShapeControl* control, const GtiJson* item)
{
    Override* own = v->overrides[control - v->f->controls];
    for (int g = 0; g < GROUP_COUNT; ++g) {
        const GtiJson* how = gti_json_find(item, groups[g].key);
        own[g] = gti_json_equals(how, "block")   ? OVERRIDE_BLOCK
                 : gti_json_equals(how, "blend") ? OVERRIDE_BLEND
                                                 : OVERRIDE_NONE;
    }
}

static GtResult read_looks(Vrm* v, const char* control, const GtiJson* item)
{
    GtResult result = gti_face_read_colors(v->f, control, gti_json_find(item, "materialColorBinds"));
    return result == GT_OK ? gti_face_read_places(v->f, control, gti_json_find(item, "textureTransformBinds")) : result;
}

static GtResult read_expressions(Vrm* v, const GtiJson* list)
{
    GtResult result = GT_OK;
    const GtiJson* item = gti_json_first(list);
    for (uint32_t i = 0; list && list->type == GTI_JSON_OBJECT && i < list->count && result == GT_OK; ++i) {
        GtShapeControl* control = NULL;
        result = gti_face_add_control(v->f, item->key, item->key_length, &control);
        if (result == GT_OK && control) {
            control->is_binary = is_true(gti_json_find(item, "isBinary"));
            read_overrides(v, control, item);
            result = read_binds(v, control->name, gti_json_find(item, "morphTargetBinds"), true);
        }
        if (result == GT_OK && control) {
            result = read_looks(v, control->name, item);
        }
        item = gti_json_next(item);
    }
    return result;
}

static GtResult read_groups(Vrm* v, const GtiJson* list)
{
    GtResult result = GT_OK;
    const GtiJson* item = gti_json_first(list);
    for (uint32_t i = 0; list && list->type == GTI_JSON_ARRAY && i < list->count && result == GT_OK; ++i) {
        const GtiJson* preset = gti_json_find(item, "presetName");
        const GtiJson* own = gti_json_find(item, "name");
        char* name = preset && preset->type == GTI_JSON_STRING ? gti_json_copy(v->f->arena, preset, NULL) : NULL;
        int32_t expression = name ? gt_expression_find(name) : GT_NONE;
        GtShapeControl* control = NULL;
        if (expression != GT_NONE) {
            const char* known = gt_expression_name((GtExpression)expression);
            result = gti_face_add_control(v->f, known, strlen(known), &control);
        } else if (own && own->type == GTI_JSON_STRING) {
            name = gti_json_copy(v->f->arena, own, NULL);
            result = name ? gti_face_add_control(v->f, name, strlen(name), &control) : gti_out_of_memory(v->f->error);
        }
        if (result == GT_OK && control) {
            control->is_binary = is_true(gti_json_find(item, "isBinary"));
            result = read_binds(v, control->name, gti_json_find(item, "binds"), false);
        }
        if (result == GT_OK && control) {
            result = gti_face_read_values(v->f, control->name, gti_json_find(item, "materialValues"));
        }
        item = gti_json_next(item);
    }
    return result;
}

static const GtShapeControl* find_control(const GtiFaceFinder* f, const char* name)
{
    for (int32_t i = 0; i < f->control_count; ++i) {
        if (strcmp(f->controls[i].name, name) == 0) {
            return &f->controls[i];
        }
    }
    return NULL;
}

static bool is_of(const char* name, int group)
{
    int32_t expression = gt_expression_find(name);
    return expression >= (int32_t)groups[group].first && expression <= (int32_t)groups[group].last &&
           strcmp(gt_expression_name((GtExpression)expression), name) == 0;
}

// What an expression says of its own kind does not count.
static GtResult apply_overrides(Vrm* v, GtShapeControl* control, const Override own[GROUP_COUNT])
{
    const char** names = gt_arena_push_array(v->f->arena, 2 * GT_EXPRESSION_COUNT, sizeof *names);
    if (!names) {
        return gti_out_of_memory(v->f->error);
    }
    control->blocks = names;
    control->fades = names + GT_EXPRESSION_COUNT;
    for (int g = 0; g < GROUP_COUNT; ++g) {
        for (int e = groups[g].first; own[g] != OVERRIDE_NONE && e <= (int)groups[g].last; ++e) {
            const GtShapeControl* other = find_control(v->f, gt_expression_name((GtExpression)e));
            if (other && !is_of(control->name, g)) {
                bool blocks = own[g] == OVERRIDE_BLOCK;
                names[blocks ? control->block_count++ : GT_EXPRESSION_COUNT + control->fade_count++] = other->name;
            }
        }
    }
    return GT_OK;
}

static GtResult read_all(Vrm* v, const GtiJson* expressions, const GtiJson* old)
{
    GtResult result = list_names(v);
    if (result == GT_OK) {
        result = list_nodes(v);
    }
    if (result == GT_OK && expressions) {
        result = read_expressions(v, gti_json_find(expressions, "preset"));
    }
    if (result == GT_OK && expressions) {
        result = read_expressions(v, gti_json_find(expressions, "custom"));
    }
    if (result == GT_OK && !expressions) {
        result = read_groups(v, gti_json_find(old, "blendShapeGroups"));
    }
    for (int32_t i = 0; i < v->f->control_count && result == GT_OK; ++i) {
        result = apply_overrides(v, &v->f->controls[i], v->overrides[i]);
    }
    return result;
}

GtResult gti_face_read_vrm(GtiFaceFinder* f)
{
    const char* text = f->scene->extra.extensions;
    const GtiJson* root = NULL;
    GtResult result = text ? gti_json_parse(f->arena, text, strlen(text), &root, f->error) : GT_OK;
    const GtiJson* expressions = gti_json_find(gti_json_find(root, "VRMC_vrm"), "expressions");
    const GtiJson* old = gti_json_find(gti_json_find(root, "VRM"), "blendShapeMaster");
    Vrm v = { .f = f };
    if (result == GT_OK && (expressions || old)) {
        result = read_all(&v, expressions, old);
    }
    if (f->rule_count == 0 && f->material_count == 0) {
        f->control_count = 0;
    }
    f->face->kind = f->control_count > 0 ? GT_FACE_VRM : GT_FACE_NONE;
    return result;
}

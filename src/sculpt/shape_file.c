// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// "shapes": [{"name": "smile", "from": "smile.obj", "driven_by": [{"control": "joy", "keys": [{"at": 0, "value": 0},
// {"at": 1, "value": 1}]}]}, {"name": "smile50", "of": "smile", "at": 0.5}, {"name": "smileOpen", "when": ["smile",
// "jawOpen"]}]. The schema has said what each member may be before any of this runs.

#include "sculpt/shape_file.h"

#include "base/fail.h"
#include "data/files.h"
#include "data/json.h"
#include "deform/key_file.h"
#include "sculpt/shape_mesh.h"
#include "sculpt/shape_target.h"

#include <stdio.h>
#include <string.h>

typedef struct Reader {
    GtArena* arena;
    const GtiJson* root;
    GtError* error;
} Reader;

static const char* read_text(const Reader* r, const GtiJson* value, GtResult* result)
{
    char* text = value && *result == GT_OK ? gti_json_copy(r->arena, value, NULL) : NULL;
    if (value && *result == GT_OK && !text) {
        *result = gti_out_of_memory(r->error);
    }
    return text;
}

static float read_number(const GtiJson* object, const char* key)
{
    float number = 0.0f;
    return gti_json_float(gti_json_find(object, key), &number) ? number : 0.0f;
}

// Without a law the curve is straight: a control does not overshoot.
static GtResult read_curve(const Reader* r, const GtiJson* object, const GtKeyCurveDef** out)
{
    const GtiJson* list = gti_json_find(object, "keys");
    const GtiJson* law = gti_json_find(object, "law");
    if (!list) {
        return GT_OK;
    }
    GtKeyCurveDef* def = gt_arena_push_array(r->arena, 1, sizeof *def);
    float* at = gt_arena_push_array(r->arena, list->count, sizeof *at);
    float* values = gt_arena_push_array(r->arena, list->count, sizeof *values);
    if (!def || !at || !values) {
        return gti_out_of_memory(r->error);
    }
    *def = gt_default_key_curve_def();
    if (law && !gti_law_find(law, &def->law)) {
        return gti_json_refuse(r->root, object, "law", "the name of a law", r->error);
    }
    const GtiJson* key = gti_json_first(list);
    for (uint32_t i = 0; i < list->count; ++i, key = gti_json_next(key)) {
        at[i] = read_number(key, "at");
        values[i] = read_number(key, "value");
        if (i > 0 && !(at[i] > at[i - 1])) {
            return gti_json_refuse(r->root, key, "at", "more than of the key before", r->error);
        }
    }
    def->key_count = (int32_t)list->count;
    def->times_s = at;
    def->values = values;
    *out = def;
    return GT_OK;
}

static GtResult read_drives(const Reader* r, const GtiJson* list, GtShapeRule* rule)
{
    GtResult result = GT_OK;
    uint32_t count = list ? list->count : 0;
    GtShapeDrive* drives = gt_arena_push_array(r->arena, count, sizeof *drives);
    if (!drives) {
        return gti_out_of_memory(r->error);
    }
    const GtiJson* item = gti_json_first(list);
    for (uint32_t i = 0; i < count && result == GT_OK; ++i, item = gti_json_next(item)) {
        drives[i].control = read_text(r, gti_json_find(item, "control"), &result);
        if (result == GT_OK) {
            result = read_curve(r, item, &drives[i].curve);
        }
    }
    rule->drives = drives;
    rule->drive_count = (int32_t)count;
    return result;
}

static GtResult read_when(const Reader* r, const GtiJson* list, GtShapeRule* rule)
{
    GtResult result = GT_OK;
    uint32_t count = list ? list->count : 0;
    const char** names = gt_arena_push_array(r->arena, count, sizeof *names);
    if (!names) {
        return gti_out_of_memory(r->error);
    }
    const GtiJson* item = gti_json_first(list);
    for (uint32_t i = 0; i < count && result == GT_OK; ++i, item = gti_json_next(item)) {
        names[i] = read_text(r, item, &result);
    }
    rule->when = names;
    rule->when_count = (int32_t)count;
    return result;
}

static GtResult read_shape(const Reader* r, const GtiJson* object, GtShapeRule* rule, GtiShapeOrigin* origin)
{
    GtResult result = GT_OK;
    rule->name = read_text(r, gti_json_find(object, "name"), &result);
    rule->mesh = read_text(r, gti_json_find(object, "mesh"), &result);
    rule->of = read_text(r, gti_json_find(object, "of"), &result);
    rule->at = read_number(object, "at");
    rule->kind = gti_json_equals(gti_json_find(object, "kind"), "absolute") ? GT_SHAPE_ABSOLUTE : GT_SHAPE_DELTA;
    origin->from = read_text(r, gti_json_find(object, "from"), &result);
    origin->target = read_text(r, gti_json_find(object, "target"), &result);
    origin->keep_normals = gti_json_equals(gti_json_find(object, "normals"), "file");
    origin->rest = read_number(object, "rest");
    if (result == GT_OK) {
        result = read_drives(r, gti_json_find(object, "driven_by"), rule);
    }
    return result == GT_OK ? read_when(r, gti_json_find(object, "when"), rule) : result;
}

GtResult gti_shapes_read(GtArena* arena, const char* json, GtiShapeList* out, GtError* error)
{
    Reader r = { .arena = arena, .error = error };
    *out = (GtiShapeList){ 0 };
    GtResult result = json ? gti_json_parse(arena, json, strlen(json), &r.root, error) : GT_OK;
    if (result != GT_OK || !json) {
        return result;
    }
    if (r.root->type != GTI_JSON_ARRAY || r.root->count > GT_SHAPES_MAX) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "shapes must be a list of at most %d", GT_SHAPES_MAX);
    }
    out->rules = gt_arena_push_array(arena, r.root->count, sizeof *out->rules);
    out->origins = gt_arena_push_array(arena, r.root->count, sizeof *out->origins);
    if (!out->rules || !out->origins) {
        return gti_out_of_memory(error);
    }
    const GtiJson* item = gti_json_first(r.root);
    for (uint32_t i = 0; i < r.root->count && result == GT_OK; ++i, item = gti_json_next(item)) {
        result = read_shape(&r, item, &out->rules[i], &out->origins[i]);
        out->count += result == GT_OK;
    }
    return result;
}

bool gti_shapes_are_driven(const GtSculpt* sculpt)
{
    bool driven = sculpt->shapes || sculpt->material_count > 0;
    for (int32_t i = 0; i < sculpt->control_count && !driven; ++i) {
        const GtSculptControl* control = &sculpt->controls[i];
        driven = control->is_binary || control->block_count > 0 || control->fade_count > 0;
    }
    return driven;
}

GtResult gti_shapes_compile(const GtContext* context, const GtScene* scene, const GtSculpt* sculpt,
                            GtShapeControls** out, GtError* error)
{
    *out = NULL;
    GtArena scratch = gt_arena_create(context->allocator);
    GtShapeControlsDef def = gt_default_shape_controls_def();
    GtShapeControl* controls = gt_arena_push_array(&scratch, (size_t)sculpt->control_count, sizeof *controls);
    GtiShapeList list = { 0 };
    GtResult result = controls ? gti_shapes_read(&scratch, sculpt->shapes, &list, error) : gti_out_of_memory(error);
    if (result == GT_OK) {
        for (int32_t i = 0; i < sculpt->control_count; ++i) {
            const GtSculptControl* control = &sculpt->controls[i];
            controls[i] = (GtShapeControl){ .name = control->name,
                                            .rest = control->rest,
                                            .min = control->min,
                                            .max = control->max,
                                            .blocks = control->blocks,
                                            .fades = control->fades,
                                            .block_count = control->block_count,
                                            .fade_count = control->fade_count,
                                            .is_binary = control->is_binary };
        }
        def.controls = controls;
        def.control_count = sculpt->control_count;
        def.rules = list.rules;
        def.rule_count = list.count;
        def.materials = sculpt->materials;
        def.material_count = sculpt->material_count;
        def.scene = scene;
        def.on_clip = true;
        result = gt_shape_controls_create(context, &def, out, error);
    }
    if (result != GT_OK) {
        gti_error_set_file(error, sculpt->file);
    }
    gt_arena_destroy(&scratch);
    return result;
}

// The mesh that a shape is for: the one that is named, or the only one.
static GtResult find_mesh(const GtScene* scene, const char* name, int32_t* out, GtError* error)
{
    *out = name ? gti_shape_mesh_find(scene, name) : scene->mesh_count == 1 ? 0 : GT_NONE;
    if (*out != GT_NONE) {
        return GT_OK;
    }
    return name ? gti_fail(error, GT_ERROR_NOT_FOUND, "there is no mesh '%.80s'", name)
                : gti_fail(error, GT_ERROR_BAD_VALUE, "say which of %d meshes it is for: \"mesh\"",
                           (int)scene->mesh_count);
}

static GtResult find_target(const GtScene* scene, const char* name, GtShapeSource* out, GtError* error)
{
    for (int32_t m = 0; m < scene->mesh_count; ++m) {
        int32_t target = gt_shapes_find(&scene->meshes[m], name);
        if (target != GT_NONE) {
            out->mesh = m;
            out->target = target;
            return GT_OK;
        }
    }
    return gti_fail(error, GT_ERROR_NOT_FOUND, "its file has no morph target '%.80s'", name);
}

// A shape of the list, from the folder of the file that holds the list.
static GtResult take_shape(const GtContext* context, const GtSculpt* sculpt, GtScene* scene, GtArena* arena,
                           const GtShapeRule* rule, const GtiShapeOrigin* origin, GtShapesReport* report,
                           GtError* error)
{
    int32_t mesh = GT_NONE;
    GtResult result = find_mesh(scene, rule->mesh, &mesh, error);
    if (result != GT_OK || gt_shapes_find(&scene->meshes[mesh], rule->name) != GT_NONE) {
        return result;
    }
    const char* file = sculpt->file ? sculpt->file : "";
    char* directory = gt_arena_push_text(arena, file, gti_path_directory_length(file));
    const char* path = directory ? gti_path_join(arena, directory, origin->from) : NULL;
    if (!path) {
        return gti_out_of_memory(error);
    }
    GtShapeSource source = gt_default_shape_source();
    source.keep_normals = origin->keep_normals;
    source.other = true;
    source.rest = origin->rest;
    GtScene* other = NULL;
    result = gti_shape_source_load(context, scene, path, NULL, &other, error);
    source.scene = other;
    if (result == GT_OK && origin->target) {
        result = find_target(other, origin->target, &source, error);
    }
    if (result == GT_OK) {
        result = gt_shapes_add_from(context, scene, mesh, rule->name, &source, report, error);
    }
    gt_scene_destroy(other);
    return result;
}

GtResult gt_sculpt_add_shapes(const GtContext* context, const GtSculpt* sculpt, GtScene* scene, GtShapesReport* report,
                              GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    GtiShapeList list = { 0 };
    GtResult result = gti_shapes_read(&arena, sculpt->shapes, &list, error);
    for (int32_t i = 0; result == GT_OK && i < list.count; ++i) {
        if (!list.origins[i].from) {
            continue;
        }
        result = take_shape(context, sculpt, scene, &arena, &list.rules[i], &list.origins[i], report, error);
        if (result != GT_OK && error && !error->where[0]) {
            snprintf(error->where, sizeof error->where, "shape '%.80s'", list.rules[i].name);
        }
    }
    if (result != GT_OK) {
        gti_error_set_file(error, sculpt->file);
    }
    gt_arena_destroy(&arena);
    return result;
}

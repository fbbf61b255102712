// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// "shapes": [{"name": "smile", "from": "smile.obj", "driven_by": [{"control": "joy", "keys": [{"at": 0, "value": 0},
// {"at": 1, "value": 1}]}]}, {"name": "smile50", "of": "smile", "at": 0.5}, {"name": "smileOpen", "when": ["smile",
// "jawOpen"]}]. The schema has said what each member may be before any of this runs.

#include "sections/file/shape_file.h"

#include "base/fail.h"
#include "data/files.h"
#include "data/json.h"
#include "harmonic/keys/key_file.h"
#include "shapes/mesh.h"
#include "shapes/target.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_BYTES = 256 << 20 // of shapes that are added together
};

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

// Without a law the curve is straight: a control does not overshoot.
static GtResult read_curve(const Reader* r, const GtiJson* object, const GtCurveDef** out)
{
    const GtiJson* list = gti_json_find(object, "keys");
    const GtiJson* law = gti_json_find(object, "law");
    if (!list) {
        return GT_OK;
    }
    GtCurveDef* def = gt_arena_push_array(r->arena, 1, sizeof *def);
    float* at = gt_arena_push_array(r->arena, list->count, sizeof *at);
    float* values = gt_arena_push_array(r->arena, list->count, sizeof *values);
    if (!def || !at || !values) {
        return gti_out_of_memory(r->error);
    }
    *def = gt_default_curve_def();
    if (law) {
        gti_law_find(law, &def->law);
    }
    const GtiJson* key = gti_json_first(list);
    for (uint32_t i = 0; i < list->count; ++i, key = gti_json_next(key)) {
        at[i] = gti_json_get_float(key, "at", 0.0f);
        values[i] = gti_json_get_float(key, "value", 0.0f);
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
    rule->at = gti_json_get_float(object, "at", 0.0f);
    rule->kind = gti_json_equals(gti_json_find(object, "kind"), "absolute") ? GT_SHAPE_ABSOLUTE : GT_SHAPE_DELTA;
    origin->from = read_text(r, gti_json_find(object, "from"), &result);
    origin->target = read_text(r, gti_json_find(object, "target"), &result);
    origin->keep_normals = gti_json_equals(gti_json_find(object, "normals"), "file");
    origin->rest = gti_json_get_float(object, "rest", 0.0f);
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
        const GtShapeControl* control = &sculpt->controls[i];
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
    GtiShapeList list = { 0 };
    GtResult result = gti_shapes_read(&scratch, sculpt->shapes, &list, error);
    if (result == GT_OK) {
        def.controls = sculpt->controls;
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

// Shapes of one mesh that are added together: clips that key its weights are written anew each time.
typedef struct Batch {
    const GtContext* context;
    const GtSculpt* sculpt;
    GtScene* scene;
    int32_t mesh;
    GtArena arena;      // of the shapes' arrays
    GtShapeDef* shapes; // room for all of the list
    int32_t count;
    GtShapesReport* report;
    GtError* error;
} Batch;

static GtResult flush(Batch* b)
{
    GtResult result =
        b->count > 0 ? gt_shapes_add(b->context, b->scene, b->mesh, b->shapes, b->count, b->report, b->error) : GT_OK;
    b->count = 0;
    gt_arena_destroy(&b->arena);
    b->arena = gt_arena_create(b->context->allocator);
    return result;
}

static bool has_shape(const Batch* b, const char* name)
{
    bool has = gt_shapes_find(&b->scene->meshes[b->mesh], name) != GT_NONE;
    for (int32_t i = 0; i < b->count && !has; ++i) {
        has = strcmp(b->shapes[i].name, name) == 0;
    }
    return has;
}

// A shape of the list, from the folder of the file that holds the list; nothing where the mesh has it.
static GtResult take_shape(Batch* b, const GtShapeRule* rule, const GtiShapeOrigin* origin)
{
    const char* file = b->sculpt->file ? b->sculpt->file : "";
    if (has_shape(b, rule->name)) {
        return GT_OK;
    }
    char* directory = gt_arena_push_text(&b->arena, file, gti_path_directory_length(file));
    const char* path = directory ? gti_path_join(&b->arena, directory, origin->from) : NULL;
    if (!path) {
        return gti_out_of_memory(b->error);
    }
    GtShapeSource source = gt_default_shape_source();
    source.keep_normals = origin->keep_normals;
    source.other = true;
    source.rest = origin->rest;
    GtScene* other = NULL;
    GtResult result = gti_shape_source_load(b->context, b->scene, path, NULL, &other, b->error);
    source.scene = other;
    if (result == GT_OK && origin->target) {
        result = find_target(other, origin->target, &source, b->error);
    }
    if (result == GT_OK) {
        result = gti_shape_take(b->context, b->scene, b->mesh, rule->name, &source, &b->arena, &b->shapes[b->count],
                                b->error);
        b->count += result == GT_OK;
    }
    gt_scene_destroy(other);
    return result == GT_OK && b->arena.used > MOST_BYTES ? flush(b) : result;
}

// meshes: [count of the list] which mesh each is for
static GtResult take_shapes(Batch* b, const GtiShapeList* list, const int32_t* meshes)
{
    GtResult result = GT_OK;
    for (b->mesh = 0; b->mesh < b->scene->mesh_count && result == GT_OK; ++b->mesh) {
        for (int32_t i = 0; i < list->count && result == GT_OK; ++i) {
            if (!list->origins[i].from || meshes[i] != b->mesh) {
                continue;
            }
            result = take_shape(b, &list->rules[i], &list->origins[i]);
            if (result != GT_OK && b->error && !b->error->where[0]) {
                snprintf(b->error->where, sizeof b->error->where, "shape '%.80s'", list->rules[i].name);
            }
        }
        result = result == GT_OK ? flush(b) : result;
    }
    return result;
}

static GtResult find_meshes(const GtScene* scene, const GtiShapeList* list, int32_t* out, GtError* error)
{
    GtResult result = GT_OK;
    for (int32_t i = 0; i < list->count && result == GT_OK; ++i) {
        if (!list->origins[i].from) {
            continue;
        }
        result = find_mesh(scene, list->rules[i].mesh, &out[i], error);
        if (result != GT_OK && error) {
            snprintf(error->where, sizeof error->where, "shape '%.80s'", list->rules[i].name);
        }
    }
    return result;
}

GtResult gt_sculpt_add_shapes(const GtContext* context, const GtSculpt* sculpt, GtScene* scene, GtShapesReport* report,
                              GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    GtiShapeList list = { 0 };
    GtResult result = gti_shapes_read(&arena, sculpt->shapes, &list, error);
    int32_t* meshes = gt_arena_push_array(&arena, (size_t)list.count, sizeof *meshes);
    Batch batch = { .context = context,
                    .sculpt = sculpt,
                    .scene = scene,
                    .arena = gt_arena_create(context->allocator),
                    .shapes = gt_arena_push_array(&arena, (size_t)list.count, sizeof *batch.shapes),
                    .report = report,
                    .error = error };
    if (result == GT_OK && (!meshes || !batch.shapes)) {
        result = gti_out_of_memory(error);
    }
    if (result == GT_OK) {
        result = find_meshes(scene, &list, meshes, error);
    }
    if (result == GT_OK) {
        result = take_shapes(&batch, &list, meshes);
    }
    if (result != GT_OK) {
        gti_error_set_file(error, sculpt->file);
    }
    gt_arena_destroy(&batch.arena);
    gt_arena_destroy(&arena);
    return result;
}

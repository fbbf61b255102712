// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Markers as files: {"gertie_markers": 1, "mesh": {"vertices": 4212, "triangles": 8000, "hash": "..."}, "anchor":
// {"joint": "hips", "at": [0, 0, 17], "radius": 0.06}, "markers": [{"joint": "leftLowerArm", "at": [0, 0, 3411],
// "radius": 0.021, "band": [1, 0, 0], "twist": 0.6}, {"joint": "head", "point": [0, 1.7, 0.1]}, ...]}. "mesh" and
// "anchor" may be left out.

#include "harmonic/markers/markers.h"

#include "data/files.h"
#include "data/json.h"
#include "harmonic/keys/joint_name.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char marker_key[] = "gertie_markers";

// The vocabulary's name, unless a node of another kind is called so; else the node's own, if no other has it.
static const char* name_of(const GtScene* scene, const GtHumanoidMap* map, int32_t node)
{
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        const char* name = gt_humanoid_name((GtHumanoidJoint)j);
        int32_t named = gt_scene_find_node(scene, name);
        if (map->nodes[j] == node && (named == GT_NONE || named == node)) {
            return name;
        }
    }
    const char* name = scene->nodes[node].name;
    bool is_own = name && name[0] && gt_scene_find_node(scene, name) == node;
    return is_own ? name : NULL;
}

static void write_vector(GtiJsonWriter* w, const char* key, GtVec3 v)
{
    gti_json_key(w, key);
    gti_json_begin_array(w);
    gti_json_number_float(w, v.x);
    gti_json_number_float(w, v.y);
    gti_json_number_float(w, v.z);
    gti_json_end_array(w);
}

static void write_marker(GtiJsonWriter* w, const GtFigure* figure, const GtMarker* marker)
{
    const char* name = name_of(figure->scene, &figure->map, marker->node);
    gti_json_begin_object(w);
    if (name) {
        gti_json_key(w, "joint");
        gti_json_string(w, name);
    } else {
        gti_json_key(w, "node");
        gti_json_integer(w, marker->node);
    }
    if (marker->mesh != GT_NONE) {
        gti_json_key(w, "at");
        gti_json_begin_array(w);
        gti_json_integer(w, marker->mesh);
        gti_json_integer(w, marker->primitive);
        gti_json_integer(w, marker->triangle);
        gti_json_end_array(w);
    } else {
        write_vector(w, "point", marker->point);
    }
    gti_json_key(w, "radius");
    gti_json_number_float(w, marker->radius_m);
    if (gt_vec3_dot(marker->band, marker->band) > 0.0f) {
        write_vector(w, "band", marker->band);
    }
    if (marker->twist != 0.0f) {
        gti_json_key(w, "twist");
        gti_json_number_float(w, marker->twist);
    }
    gti_json_end_object(w);
}

static void write_mesh(GtiJsonWriter* w, const GtMarkers* markers)
{
    char hash[17];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)markers->hash);
    gti_json_key(w, "mesh");
    gti_json_begin_object(w);
    gti_json_key(w, "vertices");
    gti_json_integer(w, markers->vertex_count);
    gti_json_key(w, "triangles");
    gti_json_integer(w, markers->triangle_count);
    gti_json_key(w, "hash");
    gti_json_string(w, hash);
    gti_json_end_object(w);
}

GtResult gt_markers_save(const GtContext* context, const GtFigure* figure, const GtMarkers* markers, const char* path,
                         GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    GtiJsonWriter w = gti_json_writer(&arena, 2);
    gti_json_begin_object(&w);
    gti_json_key(&w, marker_key);
    gti_json_integer(&w, 1);
    if (markers->hash) {
        write_mesh(&w, markers);
    }
    if (markers->anchor.node != GT_NONE) {
        gti_json_key(&w, "anchor");
        write_marker(&w, figure, &markers->anchor);
    }
    gti_json_key(&w, "markers");
    gti_json_begin_array(&w);
    for (int32_t i = 0; i < markers->count; ++i) {
        write_marker(&w, figure, &markers->markers[i]);
    }
    gti_json_end_array(&w);
    gti_json_end_object(&w);
    GtResult result = gti_json_save(&w, context, path, error);
    gt_arena_destroy(&arena);
    return result;
}

typedef struct Reader {
    GtArena* arena;
    const GtFigure* figure;
    const GtiShell* shell;
    const GtiJson* root;
    GtError* error;
} Reader;

static GtResult refuse(const Reader* r, const GtiJson* object, const char* key, const char* must)
{
    return gti_json_refuse(r->root, object, key, must, r->error);
}

static GtResult read_joint(const Reader* r, const GtiJson* object, int32_t* out)
{
    const GtiJson* name = gti_json_find(object, "joint");
    const GtiJson* number = gti_json_find(object, "node");
    int64_t node = GT_NONE;
    if (number) {
        if (!gti_json_int64(number, &node) || node < 0 || node >= r->figure->scene->node_count) {
            return refuse(r, object, "node", "a node of the scene, by number");
        }
        *out = (int32_t)node;
        return GT_OK;
    }
    if (!name || name->type != GTI_JSON_STRING) {
        return refuse(r, object, "joint", "the name of a joint");
    }
    char place[128];
    char* text = gti_json_copy(r->arena, name, NULL);
    gti_json_path(r->root, name, place, sizeof place);
    return text ? gti_joint_find(r->figure->scene, &r->figure->map, text, place, out, r->error)
                : gti_out_of_memory(r->error);
}

static GtResult read_triangle(const Reader* r, const GtiJson* object, const GtiJson* at, GtMarker* out)
{
    int64_t numbers[3] = { GT_NONE, GT_NONE, GT_NONE };
    const GtiJson* value = gti_json_first(at);
    bool ok = at->type == GTI_JSON_ARRAY && at->count == 3;
    for (int i = 0; i < 3 && ok; ++i, value = gti_json_next(value)) {
        ok = gti_json_int64(value, &numbers[i]) && numbers[i] >= 0 && numbers[i] <= INT32_MAX;
    }
    if (!ok) {
        return refuse(r, object, "at", "three whole numbers: mesh, primitive and triangle");
    }
    if (gti_shell_triangle(r->shell, (int32_t)numbers[0], (int32_t)numbers[1], numbers[2]) == GT_NONE) {
        return refuse(r, object, "at", "a triangle of the scene; is it of another mesh?");
    }
    out->mesh = (int32_t)numbers[0];
    out->primitive = (int32_t)numbers[1];
    out->triangle = (int32_t)numbers[2];
    return GT_OK;
}

static bool read_vector(const GtiJson* list, GtVec3* out)
{
    float numbers[3] = { 0.0f, 0.0f, 0.0f };
    const GtiJson* value = gti_json_first(list);
    bool ok = list && list->type == GTI_JSON_ARRAY && list->count == 3;
    for (int i = 0; i < 3 && ok; ++i, value = gti_json_next(value)) {
        ok = gti_json_float(value, &numbers[i]) && isfinite(numbers[i]);
    }
    *out = gt_vec3(numbers[0], numbers[1], numbers[2]);
    return ok;
}

static GtResult read_place(const Reader* r, const GtiJson* object, GtMarker* out)
{
    const GtiJson* at = gti_json_find(object, "at");
    const GtiJson* point = gti_json_find(object, "point");
    if (at) {
        return read_triangle(r, object, at, out);
    }
    out->mesh = GT_NONE;
    bool ok = read_vector(point, &out->point);
    return ok ? GT_OK : refuse(r, object, point ? "point" : "at", "a triangle or, as \"point\", x, y and z in metres");
}

static GtResult read_marker(const Reader* r, const GtiJson* object, GtMarker* out)
{
    *out = (GtMarker){ .node = GT_NONE };
    if (object->type != GTI_JSON_OBJECT) {
        char place[128];
        gti_json_path(r->root, object, place, sizeof place);
        return gti_fail(r->error, GT_ERROR_BAD_VALUE, "%s must be an object with \"joint\" and \"at\"", place);
    }
    GtResult result = read_joint(r, object, &out->node);
    if (result == GT_OK) {
        result = read_place(r, object, out);
    }
    const GtiJson* radius = gti_json_find(object, "radius");
    const GtiJson* band = gti_json_find(object, "band");
    const GtiJson* twist = gti_json_find(object, "twist");
    if (result == GT_OK && band && !(read_vector(band, &out->band) && gt_vec3_length(out->band) > 0.0f)) {
        result = refuse(r, object, "band", "x, y and z of a direction across which the band lies");
    }
    if (result == GT_OK && radius &&
        (!gti_json_float(radius, &out->radius_m) || !(out->radius_m >= 0.0f && isfinite(out->radius_m)))) {
        result = refuse(r, object, "radius", "0 or more metres");
    }
    if (result == GT_OK && twist &&
        (!gti_json_float(twist, &out->twist) || !(out->twist >= -1.0f && out->twist <= 1.0f))) {
        result = refuse(r, object, "twist", "a number from -1 to 1");
    }
    return result;
}

static GtResult read_mesh(const Reader* r, GtMarkers* markers)
{
    markers->vertex_count = markers->triangle_count = 0;
    markers->hash = 0;
    const GtiJson* mesh = gti_json_find(r->root, "mesh");
    if (!mesh) {
        return GT_OK;
    }
    const GtiJson* hash = gti_json_find(mesh, "hash");
    const struct {
        const char* key;
        int64_t* to;
    } counts[] = { { "vertices", &markers->vertex_count }, { "triangles", &markers->triangle_count } };
    for (int i = 0; i < 2; ++i) {
        const GtiJson* value = gti_json_find(mesh, counts[i].key);
        if (value && (!gti_json_int64(value, counts[i].to) || *counts[i].to < 1)) {
            return refuse(r, mesh, counts[i].key, "how many the mesh has");
        }
    }
    if (hash) {
        char* end = NULL;
        char* text = hash->type == GTI_JSON_STRING ? gti_json_copy(r->arena, hash, NULL) : NULL;
        if (hash->type == GTI_JSON_STRING && !text) {
            return gti_out_of_memory(r->error);
        }
        markers->hash = text && strlen(text) == 16 ? strtoull(text, &end, 16) : 0;
        if (!end || *end) {
            return refuse(r, mesh, "hash", "16 hexadecimal digits; or leave it out");
        }
    }
    return gti_marker_set_check(markers, r->shell, "mesh", r->error);
}

static GtResult read_all(const Reader* r, GtMarkers* markers)
{
    const GtiJson* list = gti_json_find(r->root, "markers");
    const GtiJson* anchor = gti_json_find(r->root, "anchor");
    if (!list || list->type != GTI_JSON_ARRAY) {
        return gti_fail(r->error, GT_ERROR_BAD_VALUE, "there is no list \"markers\" in it");
    }
    if (list->count > GT_HARMONIC_MAX_MARKERS) {
        return gti_fail_at(r->error, GT_ERROR_LIMIT, "markers", "there are %d, and at most %d are read",
                           (int)list->count, GT_HARMONIC_MAX_MARKERS);
    }
    GtResult result = read_mesh(r, markers);
    if (result == GT_OK && anchor) {
        result = read_marker(r, anchor, &markers->anchor);
    }
    markers->markers = gt_arena_push_array(&markers->arena, list->count, sizeof *markers->markers);
    if (result == GT_OK && !markers->markers) {
        result = gti_out_of_memory(r->error);
    }
    const GtiJson* value = gti_json_first(list);
    for (uint32_t i = 0; i < list->count && result == GT_OK; ++i, value = gti_json_next(value)) {
        result = read_marker(r, value, &markers->markers[markers->count++]);
    }
    return result;
}

GtResult gt_markers_load(const GtContext* context, GtFigure* figure, const char* path, GtMarkers** out, GtError* error)
{
    *out = NULL;
    uint8_t* bytes = NULL;
    size_t size = 0;
    GtMarkers* markers = NULL;
    GtArena arena = gt_arena_create(context->allocator);
    Reader r = { .arena = &arena, .figure = figure, .error = error };
    GtResult result = gti_file_read(context, path, &bytes, &size, error);
    if (result == GT_OK) {
        result = gti_json_parse(&arena, (const char*)bytes, size, &r.root, error);
    }
    if (result == GT_OK) {
        result = gti_figure_shell(context, figure, &r.shell, error);
    }
    if (result == GT_OK) {
        result = gti_marker_set_create(context, r.shell, &markers, error);
    }
    if (result == GT_OK) {
        result = read_all(&r, markers);
    }
    gt_arena_destroy(&arena);
    context->allocator.release(context->allocator.user, bytes);
    if (result != GT_OK) {
        gti_error_set_file(error, path);
        gt_markers_destroy(markers);
        return result;
    }
    *out = markers;
    return GT_OK;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Markers as files: {"gertie_markers": 1, "mesh": {"vertices": 4212, "triangles": 8000, "hash": "..."}, "anchor":
// {"joint": "hips", "triangle": [0, 0, 17], "radius_m": 0.06}, "markers": [{"joint": "leftLowerArm", "triangle": [0, 0,
// 3411], "radius_m": 0.021, "band": [1, 0, 0], "twist": 0.6}, {"joint": "head", "point_m": [0, 1.7, 0.1]}, ...]}, as
// docs/schemas/markers.schema.json has it.

#include "harmonic/markers/markers.h"

#include "data/schema.h"
#include "harmonic/keys/joint_name.h"

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

static void write_vector(GtJsonWriter* w, const char* key, GtVec3 v)
{
    gt_json_key(w, key);
    gti_json_float_list(w, &v.x, 3);
}

static void write_marker(GtJsonWriter* w, const GtFigure* figure, const GtMarker* marker)
{
    const char* name = name_of(figure->scene, &figure->map, marker->node);
    gt_json_begin_object(w);
    if (name) {
        gt_json_member_string(w, "joint", name);
    } else {
        gt_json_member_integer(w, "node", marker->node);
    }
    if (marker->mesh != GT_NONE) {
        gt_json_key(w, "triangle");
        gti_json_int_list(w, (int32_t[]){ marker->mesh, marker->primitive, marker->triangle }, 3);
    } else {
        write_vector(w, "point_m", marker->point);
    }
    gt_json_member_float(w, "radius_m", marker->radius_m);
    if (gt_vec3_dot(marker->band, marker->band) > 0.0f) {
        write_vector(w, "band", marker->band);
    }
    if (marker->twist != 0.0f) {
        gt_json_member_float(w, "twist", marker->twist);
    }
    gt_json_end_object(w);
}

static void write_mesh(GtJsonWriter* w, const GtMarkers* markers)
{
    char hash[17];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)markers->hash);
    gt_json_member_object(w, "mesh");
    gt_json_member_integer(w, "vertices", markers->vertex_count);
    gt_json_member_integer(w, "triangles", markers->triangle_count);
    gt_json_member_string(w, "hash", hash);
    gt_json_end_object(w);
}

GtResult gt_markers_save(const GtContext* context, const GtFigure* figure, const GtMarkers* markers, const char* path,
                         GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    GtJsonWriter w = gt_json_create(&arena, 2);
    gt_json_begin_object(&w);
    gt_json_member_integer(&w, marker_key, 1);
    if (markers->hash) {
        write_mesh(&w, markers);
    }
    if (markers->anchor.node != GT_NONE) {
        gt_json_key(&w, "anchor");
        write_marker(&w, figure, &markers->anchor);
    }
    gt_json_member_array(&w, "markers");
    for (int32_t i = 0; i < markers->count; ++i) {
        write_marker(&w, figure, &markers->markers[i]);
    }
    gt_json_end_array(&w);
    gt_json_end_object(&w);
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
    char place[128];
    int64_t node = GT_NONE;
    const GtiJson* name = gti_json_find(object, "joint");
    if (gti_json_int64(gti_json_find(object, "node"), &node)) {
        *out = node < r->figure->scene->node_count ? (int32_t)node : GT_NONE;
        return *out != GT_NONE ? GT_OK : refuse(r, object, "node", "a node of the scene, by number");
    }
    char* text = gti_json_copy(r->arena, name, NULL);
    gti_json_path(r->root, name, place, sizeof place);
    return text ? gti_joint_find(r->figure->scene, &r->figure->map, text, place, out, r->error)
                : gti_out_of_memory(r->error);
}

static GtResult read_place(const Reader* r, const GtiJson* object, GtMarker* out)
{
    int32_t at[3];
    bool has_point = gti_json_floats(gti_json_find(object, "point_m"), 3, &out->point.x);
    if (!gti_json_ints(gti_json_find(object, "triangle"), 3, at)) {
        out->mesh = GT_NONE;
        return GT_OK;
    }
    if (has_point) {
        return refuse(r, object, "point_m", "left out where a triangle is given");
    }
    out->mesh = at[0];
    out->primitive = at[1];
    out->triangle = at[2];
    return gti_shell_triangle(r->shell, at[0], at[1], at[2]) != GT_NONE
               ? GT_OK
               : refuse(r, object, "triangle", "a triangle of the scene; is it of another mesh?");
}

static GtResult read_marker(const Reader* r, const GtiJson* object, GtMarker* out)
{
    *out = (GtMarker){ .node = GT_NONE,
                       .radius_m = gti_json_get_float(object, "radius_m", 0.0f),
                       .twist = gti_json_get_float(object, "twist", 0.0f) };
    GtResult result = read_joint(r, object, &out->node);
    if (result == GT_OK) {
        result = read_place(r, object, out);
    }
    bool has_band = gti_json_floats(gti_json_find(object, "band"), 3, &out->band.x);
    if (result == GT_OK && has_band && !(gt_vec3_length(out->band) > 0.0f)) {
        result = refuse(r, object, "band", "x, y and z of a direction across which the band lies");
    }
    return result;
}

static GtResult read_mesh(const Reader* r, GtMarkers* markers)
{
    markers->vertex_count = markers->triangle_count = 0;
    markers->hash = 0;
    const GtiJson* mesh = gti_json_find(r->root, "mesh");
    const GtiJson* hash = gti_json_find(mesh, "hash");
    gti_json_int64(gti_json_find(mesh, "vertices"), &markers->vertex_count);
    gti_json_int64(gti_json_find(mesh, "triangles"), &markers->triangle_count);
    if (hash) {
        char* text = gti_json_copy(r->arena, hash, NULL);
        if (!text) {
            return gti_out_of_memory(r->error);
        }
        markers->hash = strtoull(text, NULL, 16);
        if (strspn(text, "0123456789abcdefABCDEF") != 16) {
            return refuse(r, mesh, "hash", "16 hexadecimal digits; or leave it out");
        }
    }
    return mesh ? gti_marker_set_check(markers, r->shell, "mesh", r->error) : GT_OK;
}

static GtResult read_all(const Reader* r, GtMarkers* markers)
{
    const GtiJson* list = gti_json_find(r->root, "markers");
    const GtiJson* anchor = gti_json_find(r->root, "anchor");
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
    GtMarkers* markers = NULL;
    GtArena arena = gt_arena_create(context->allocator);
    Reader r = { .arena = &arena, .figure = figure, .error = error };
    GtResult result = gti_schema_load(context, &arena, "markers", path, &r.root, error);
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
    if (result != GT_OK) {
        gti_error_set_file(error, path);
        gt_markers_destroy(markers);
        return result;
    }
    *out = markers;
    return GT_OK;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "gertie/mesh_template.h"

#include "data/files.h"
#include "data/json.h"
#include "figure/shell.h"

#include <math.h>

static const char pair_key[] = "gertie_marker_pairs";

void gt_marker_pairs_destroy(GtMarkerPairs* pairs)
{
    if (pairs) {
        GtAllocator allocator = pairs->arena.allocator;
        gt_arena_destroy(&pairs->arena);
        allocator.release(allocator.user, pairs);
    }
}

typedef struct Reader {
    const GtiJson* root;
    const GtiShell* from; // of the template
    const GtiShell* to;   // of the target
    GtError* error;
} Reader;

static GtResult refuse(const Reader* r, const GtiJson* value, const char* must)
{
    char place[128];
    gti_json_path(r->root, value, place, sizeof place);
    return gti_fail(r->error, GT_ERROR_BAD_VALUE, "%s must be %s", place, must);
}

static int32_t nearest_triangle(const GtiShell* shell, GtVec3 point)
{
    int32_t best = GT_NONE;
    float nearest = INFINITY;
    for (int32_t t = 0; t < shell->triangle_count; ++t) {
        GtVec3 off = gt_vec3_sub(gti_shell_middle(shell, t), point);
        float distance = gt_vec3_dot(off, off);
        if (distance < nearest) {
            nearest = distance;
            best = t;
        }
    }
    return best;
}

// A triangle by mesh, primitive and number, or by a point.
static GtResult read_place(const Reader* r, const GtiShell* shell, const GtiJson* object, const char* key,
                           const char* point_key, int32_t* out)
{
    const GtiJson* at = gti_json_find(object, key);
    const GtiJson* point = gti_json_find(object, point_key);
    const GtiJson* list = at ? at : point;
    if (!list || list->type != GTI_JSON_ARRAY || list->count != 3) {
        return refuse(r, list ? list : object, "three numbers of a triangle, or of a point");
    }
    int64_t numbers[3] = { 0, 0, 0 };
    float place[3] = { 0.0f, 0.0f, 0.0f };
    bool ok = true;
    const GtiJson* value = gti_json_first(list);
    for (int i = 0; i < 3 && ok; ++i, value = gti_json_next(value)) {
        ok = at ? gti_json_int64(value, &numbers[i]) && numbers[i] >= 0 && numbers[i] <= INT32_MAX
                : gti_json_float(value, &place[i]) && isfinite(place[i]);
    }
    if (!ok) {
        return refuse(r, list, "three numbers of a triangle, or of a point");
    }
    *out = at ? gti_shell_triangle(shell, (int32_t)numbers[0], (int32_t)numbers[1], numbers[2])
              : nearest_triangle(shell, gt_vec3(place[0], place[1], place[2]));
    return *out != GT_NONE ? GT_OK : refuse(r, list, "a triangle of the scene; is it of another mesh?");
}

static GtResult read_pair(const Reader* r, const GtiJson* object, GtMarkerPair* out)
{
    if (object->type != GTI_JSON_OBJECT) {
        return refuse(r, object, "an object with \"template\" and \"target\"");
    }
    const GtiJson* radius = gti_json_find(object, "radius");
    out->radius_m = -1.0f;
    GtResult result = read_place(r, r->from, object, "template", "template_point", &out->from);
    if (result == GT_OK) {
        result = read_place(r, r->to, object, "target", "target_point", &out->to);
    }
    if (result == GT_OK && radius &&
        (!gti_json_float(radius, &out->radius_m) || !(out->radius_m >= 0.0f && isfinite(out->radius_m)))) {
        result = refuse(r, radius, "0 or more metres");
    }
    return result;
}

static GtResult read_pairs(const Reader* r, GtMarkerPairs* pairs)
{
    const GtiJson* list = gti_json_find(r->root, "pairs");
    if (!gti_json_find(r->root, pair_key) || !list || list->type != GTI_JSON_ARRAY || list->count < 1 ||
        list->count > GT_HARMONIC_MAX_MARKERS) {
        return gti_fail(r->error, GT_ERROR_BAD_VALUE,
                        "must be an object with \"%s\": 1 and a list \"pairs\" of 1 to %d", pair_key,
                        GT_HARMONIC_MAX_MARKERS);
    }
    pairs->pairs = gt_arena_push_array(&pairs->arena, list->count, sizeof *pairs->pairs);
    GtResult result = pairs->pairs ? GT_OK : gti_out_of_memory(r->error);
    const GtiJson* value = gti_json_first(list);
    for (uint32_t i = 0; i < list->count && result == GT_OK; ++i, value = gti_json_next(value)) {
        result = read_pair(r, value, &pairs->pairs[pairs->count++]);
    }
    return result;
}

GtResult gt_marker_pairs_load(const GtContext* context, GtFigure* from, GtFigure* to, const char* path,
                              GtMarkerPairs** out, GtError* error)
{
    *out = NULL;
    uint8_t* bytes = NULL;
    size_t size = 0;
    GtArena arena = gt_arena_create(context->allocator);
    Reader r = { .error = error };
    GtMarkerPairs* pairs = context->allocator.allocate(context->allocator.user, sizeof *pairs);
    GtResult result = pairs ? GT_OK : gti_out_of_memory(error);
    if (pairs) {
        *pairs = (GtMarkerPairs){ .arena = gt_arena_create(context->allocator) };
        result = gti_file_read(context, path, &bytes, &size, error);
    }
    if (result == GT_OK) {
        result = gti_json_parse(&arena, (const char*)bytes, size, &r.root, error);
    }
    if (result == GT_OK) {
        result = gti_figure_shell(context, from, &r.from, error);
    }
    if (result == GT_OK) {
        result = gti_figure_shell(context, to, &r.to, error);
    }
    if (result == GT_OK) {
        result = read_pairs(&r, pairs);
    }
    gt_arena_destroy(&arena);
    context->allocator.release(context->allocator.user, bytes);
    if (result != GT_OK) {
        gti_error_set_file(error, path);
        gt_marker_pairs_destroy(pairs);
        return result;
    }
    *out = pairs;
    return GT_OK;
}

static void write_place(GtiJsonWriter* w, const GtiShell* shell, const char* key, int32_t triangle)
{
    int32_t place[3];
    gti_shell_source(shell, triangle, &place[0], &place[1], &place[2]);
    gti_json_key(w, key);
    gti_json_begin_array(w);
    for (int i = 0; i < 3; ++i) {
        gti_json_integer(w, place[i]);
    }
    gti_json_end_array(w);
}

GtResult gt_marker_pairs_save(const GtContext* context, GtFigure* from, GtFigure* to, const GtMarkerPairs* pairs,
                              const char* path, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    const GtiShell* from_shell = NULL;
    const GtiShell* to_shell = NULL;
    GtResult result = gti_figure_shell(context, from, &from_shell, error);
    if (result == GT_OK) {
        result = gti_figure_shell(context, to, &to_shell, error);
    }
    if (result == GT_OK) {
        GtiJsonWriter w = gti_json_writer(&arena, 2);
        gti_json_begin_object(&w);
        gti_json_key(&w, pair_key);
        gti_json_integer(&w, 1);
        gti_json_key(&w, "pairs");
        gti_json_begin_array(&w);
        for (int32_t i = 0; i < pairs->count; ++i) {
            gti_json_begin_object(&w);
            write_place(&w, from_shell, "template", pairs->pairs[i].from);
            write_place(&w, to_shell, "target", pairs->pairs[i].to);
            gti_json_key(&w, "radius");
            gti_json_number_float(&w, pairs->pairs[i].radius_m);
            gti_json_end_object(&w);
        }
        gti_json_end_array(&w);
        gti_json_end_object(&w);
        result = gti_json_save(&w, context, path, error);
    }
    gt_arena_destroy(&arena);
    return result;
}

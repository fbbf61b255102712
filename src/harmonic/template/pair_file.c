// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "gertie/mesh_template.h"

#include "base/memory.h"
#include "data/schema.h"
#include "figure/shell.h"

#include <math.h>

void gt_marker_pairs_destroy(GtMarkerPairs* pairs)
{
    if (pairs) {
        gti_arena_destroy_owner(&pairs->arena, pairs);
    }
}

typedef struct Reader {
    const GtiJson* root;
    const GtiShell* from; // of the template
    const GtiShell* to;   // of the target
    GtError* error;
} Reader;

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
static GtResult read_place(const Reader* r, const GtiShell* shell, const GtiJson* object, const char* const keys[2],
                           int32_t* out)
{
    int32_t at[3];
    GtVec3 point = gt_vec3(0.0f, 0.0f, 0.0f);
    bool has_point = gti_json_floats(gti_json_find(object, keys[1]), 3, &point.x);
    if (!gti_json_ints(gti_json_find(object, keys[0]), 3, at)) {
        *out = nearest_triangle(shell, point);
    } else if (has_point) {
        return gti_json_refuse(r->root, object, keys[1], "left out where a triangle is given", r->error);
    } else {
        *out = gti_shell_triangle(shell, at[0], at[1], at[2]);
    }
    return *out != GT_NONE ? GT_OK
                           : gti_json_refuse(r->root, object, keys[has_point],
                                             "a triangle of the scene; is it of another mesh?", r->error);
}

static GtResult read_pair(const Reader* r, const GtiJson* object, GtMarkerPair* out)
{
    static const char* const template_keys[] = { "template_triangle", "template_point_m" };
    static const char* const target_keys[] = { "target_triangle", "target_point_m" };
    out->radius_m = gti_json_get_float(object, "radius_m", -1.0f);
    GtResult result = read_place(r, r->from, object, template_keys, &out->from);
    return result == GT_OK ? read_place(r, r->to, object, target_keys, &out->to) : result;
}

static GtResult read_pairs(const Reader* r, GtMarkerPairs* pairs)
{
    const GtiJson* list = gti_json_find(r->root, "pairs");
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
    GtArena arena = gt_arena_create(context->allocator);
    Reader r = { .error = error };
    GtMarkerPairs* pairs = context->allocator.allocate(context->allocator.user, sizeof *pairs);
    GtResult result = pairs ? GT_OK : gti_out_of_memory(error);
    if (pairs) {
        *pairs = (GtMarkerPairs){ .arena = gt_arena_create(context->allocator) };
        result = gti_schema_load(context, &arena, "pairs", path, &r.root, error);
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
    if (result != GT_OK) {
        gti_error_set_file(error, path);
        gt_marker_pairs_destroy(pairs);
        return result;
    }
    *out = pairs;
    return GT_OK;
}

static void write_place(GtJsonWriter* w, const GtiShell* shell, const char* key, int32_t triangle)
{
    int32_t place[3];
    gti_shell_source(shell, triangle, &place[0], &place[1], &place[2]);
    gt_json_key(w, key);
    gti_json_int_list(w, place, 3);
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
        GtJsonWriter w = gt_json_create(&arena, 2);
        gt_json_begin_object(&w);
        gt_json_member_integer(&w, "gertie_pairs", 1);
        gt_json_member_array(&w, "pairs");
        for (int32_t i = 0; i < pairs->count; ++i) {
            gt_json_begin_object(&w);
            write_place(&w, from_shell, "template_triangle", pairs->pairs[i].from);
            write_place(&w, to_shell, "target_triangle", pairs->pairs[i].to);
            gt_json_member_float(&w, "radius_m", pairs->pairs[i].radius_m);
            gt_json_end_object(&w);
        }
        gt_json_end_array(&w);
        gt_json_end_object(&w);
        result = gti_json_save(&w, context, path, error);
    }
    gt_arena_destroy(&arena);
    return result;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From the primitives of a scene to one welded surface. Vertices are posed as the runtime does it, so that skins and
// morphs of the file count. Equal positions are joined; then, as scanners and exporters round the two sides of a seam
// differently, points of open edges that lie within a millionth of the size are.

#include "rig/body/parts.h"

#include "gertie/surface.h"

#include "base/bounds.h"
#include "base/fail.h"
#include "figure/figure.h"
#include "geometry/edges.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const float seam_tolerance = 1e-6f; // of the size

enum {
    NAMES_SIZE = 120,
    VERTEX_LIMIT = INT32_MAX / 4,
    TRIANGLE_LIMIT = INT32_MAX / 12
};

typedef struct Join {
    const GtContext* context;
    const GtScene* scene;
    GtArena* arena;
    GtArena* scratch;
    GtiRigBody* body;
    GtError* error;
    GtFigure figure;
    const GtCharacterDef* def; // of the figure
    bool* is_helper;           // [mesh_count of the character]
    GtVec3* positions;         // [vertex_count] of all parts, in the scene's space
    int32_t vertex_count;
    int32_t* points; // [vertex_count]
} Join;

// What tools put beside a figure and do not show: MakeHuman's joints and fitting shapes, hulls for collisions.
static bool is_helper_name(const char* name)
{
    static const char* const starts[] = { "joint-",    "helper-",  "helper_", "UCX_",   "UBX_",
                                          "collision", "collider", "hitbox",  "hit_box" };
    for (size_t i = 0; name && i < sizeof starts / sizeof *starts; ++i) {
        if (strncasecmp(name, starts[i], strlen(starts[i])) == 0) {
            return true;
        }
    }
    return false;
}

static const char* mesh_name(const Join* k, int32_t mesh)
{
    const GtMeshDef* m = &k->def->meshes[mesh];
    const char* name = k->scene->meshes[m->source_mesh].name;
    return name ? name : k->def->names ? k->def->names[m->node] : NULL;
}

static bool is_helper_mesh(const Join* k, int32_t mesh)
{
    const GtMeshDef* m = &k->def->meshes[mesh];
    const char* node = k->def->names ? k->def->names[m->node] : NULL;
    const char* material = m->material == GT_NONE ? NULL : k->scene->materials[m->material].name;
    return is_helper_name(k->scene->meshes[m->source_mesh].name) || is_helper_name(node) || is_helper_name(material);
}

static void note_helpers(const Join* k)
{
    char names[NAMES_SIZE] = "";
    size_t length = 0;
    int32_t count = 0;
    for (int32_t m = 0; m < k->def->mesh_count; ++m) {
        const char* name = mesh_name(k, m);
        if (!k->is_helper[m]) {
            continue;
        }
        if (count < 3 && name && length < sizeof names) {
            length += (size_t)snprintf(names + length, sizeof names - length, "%s'%.24s'", count ? ", " : "", name);
        }
        ++count;
    }
    gti_note(k->context, k->scene->source.file, NULL, "left out %lld triangles of helper geometry in %d group%s (%s%s)",
             (long long)k->body->helper_triangle_count, count, count == 1 ? "" : "s", names, count > 3 ? "..." : "");
}

static GtResult find_helpers(Join* k)
{
    int64_t kept = 0;
    int64_t helper = 0;
    k->is_helper = gt_arena_push_array(k->scratch, (size_t)k->def->mesh_count + 1, sizeof *k->is_helper);
    if (!k->is_helper) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t m = 0; m < k->def->mesh_count; ++m) {
        k->is_helper[m] = is_helper_mesh(k, m);
        *(k->is_helper[m] ? &helper : &kept) += k->def->meshes[m].index_count / 3;
    }
    if (kept == 0 && helper > 0) { // then that is what they want
        memset(k->is_helper, 0, (size_t)k->def->mesh_count * sizeof *k->is_helper);
        kept = helper;
        helper = 0;
    }
    if (kept == 0) {
        return gti_fail(k->error, GT_ERROR_BAD_VALUE,
                        "there are no triangles to rig; reconstruct a surface from the points first");
    }
    if (kept > TRIANGLE_LIMIT) {
        return gti_fail(k->error, GT_ERROR_LIMIT, "%lld triangles; the limit is %d", (long long)kept, TRIANGLE_LIMIT);
    }
    k->body->triangle_count = (int32_t)kept;
    k->body->helper_triangle_count = helper;
    if (helper > 0) {
        note_helpers(k);
    }
    return GT_OK;
}

static GtResult pose_parts(Join* k)
{
    GtiRigBody* body = k->body;
    int64_t count = 0;
    for (int32_t m = 0; m < k->def->mesh_count; ++m) {
        count += k->is_helper[m] ? 0 : k->def->meshes[m].vertex_count;
        body->part_count += !k->is_helper[m];
    }
    if (count > VERTEX_LIMIT) {
        return gti_fail(k->error, GT_ERROR_LIMIT, "%lld vertices; the limit is %d", (long long)count, VERTEX_LIMIT);
    }
    k->vertex_count = (int32_t)count;
    k->positions = gt_arena_push(k->scratch, (size_t)count * sizeof *k->positions);
    k->points = gt_arena_push(k->arena, (size_t)count * sizeof *k->points);
    body->parts = gt_arena_push_array(k->arena, (size_t)body->part_count, sizeof *body->parts);
    if (!k->positions || !k->points || !body->parts) {
        return gti_out_of_memory(k->error);
    }
    int32_t at = 0;
    GtiRigPart* part = body->parts;
    for (int32_t m = 0; m < k->def->mesh_count; ++m) {
        const GtMeshDef* mesh = &k->def->meshes[m];
        if (k->is_helper[m]) {
            continue;
        }
        gt_instance_deform(k->figure.instance, m, k->positions + at, NULL, NULL);
        *part++ = (GtiRigPart){ .node = k->def->source_nodes ? k->def->source_nodes[mesh->node] : mesh->node,
                                .primitive = mesh->source_primitive,
                                .vertex_count = mesh->vertex_count,
                                .points = k->points + at };
        at += mesh->vertex_count;
    }
    return GT_OK;
}

// Triangles as vertices of all parts.
static GtResult list_triangles(Join* k)
{
    GtiRigBody* body = k->body;
    body->triangles = gt_arena_push(k->arena, (size_t)body->triangle_count * sizeof *body->triangles);
    if (!body->triangles) {
        return gti_out_of_memory(k->error);
    }
    int32_t first = 0;
    int32_t count = 0;
    for (int32_t m = 0; m < k->def->mesh_count; ++m) {
        const GtMeshDef* mesh = &k->def->meshes[m];
        if (k->is_helper[m]) {
            continue;
        }
        for (int32_t i = 0; i + 2 < mesh->index_count; i += 3, ++count) {
            for (int c = 0; c < 3; ++c) {
                body->triangles[count][c] = first + (int32_t)mesh->indices[i + c];
            }
        }
        first += mesh->vertex_count;
    }
    return GT_OK;
}

// Take the positions into a box of size 1 around 0.
static GtResult scale_down(Join* k)
{
    GtBounds bounds = gti_bounds_empty();
    for (int32_t t = 0; t < k->body->triangle_count; ++t) {
        for (int c = 0; c < 3; ++c) {
            int32_t vertex = k->body->triangles[t][c];
            GtVec3 p = k->positions[vertex];
            if (!gt_vec3_is_finite(p)) {
                return gti_fail(k->error, GT_ERROR_BAD_VALUE,
                                "vertex %d is at (%g, %g, %g), which is not finite; repair the mesh first", vertex,
                                (double)p.x, (double)p.y, (double)p.z);
            }
            gti_bounds_add(&bounds, p);
        }
    }
    const double low[3] = { (double)bounds.low.x, (double)bounds.low.y, (double)bounds.low.z };
    const double high[3] = { (double)bounds.high.x, (double)bounds.high.y, (double)bounds.high.z };
    double size = fmax(fmax(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    if (!(size > 1e-30 && size < 1e30)) {
        return gti_fail(k->error, GT_ERROR_BAD_VALUE, "its size is %g: there is nothing to rig", size);
    }
    GtMat34 m = { 0 };
    for (int i = 0; i < 3; ++i) {
        m.m[i][i] = (float)(1.0 / size);
        m.m[i][3] = (float)(-0.5 * (low[i] + high[i]) / size);
    }
    for (int32_t v = 0; v < k->vertex_count; ++v) {
        GtVec3* p = &k->positions[v];
        *p = gt_vec3((float)(((double)p->x - 0.5 * (low[0] + high[0])) / size),
                     (float)(((double)p->y - 0.5 * (low[1] + high[1])) / size),
                     (float)(((double)p->z - 0.5 * (low[2] + high[2])) / size));
        if (!isfinite(p->x) || !isfinite(p->y) || !isfinite(p->z)) { // of no triangle
            *p = gt_vec3(0.0f, 0.0f, 0.0f);
        }
    }
    k->body->body_from_scene = m;
    return GT_OK;
}

static void drop_degenerate(GtiRigBody* body)
{
    int32_t kept = 0;
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        const int32_t* c = body->triangles[t];
        if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0]) {
            memmove(body->triangles[kept++], c, sizeof body->triangles[0]);
        }
    }
    body->triangle_count = kept;
}

// Replace points by others, in triangles and parts.
static void rename_points(Join* k, const int32_t* renamed)
{
    GtiRigBody* body = k->body;
    for (int32_t v = 0; v < k->vertex_count; ++v) {
        k->points[v] = k->points[v] == GT_NONE ? GT_NONE : renamed[k->points[v]];
    }
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        for (int c = 0; c < 3; ++c) {
            body->triangles[t][c] = renamed[body->triangles[t][c]];
        }
    }
    drop_degenerate(body);
}

static GtResult weld_equal(Join* k)
{
    GtiRigBody* body = k->body;
    int32_t* vertices = gt_arena_push(k->scratch, (size_t)k->vertex_count * sizeof *vertices);
    if (!vertices) {
        return gti_out_of_memory(k->error);
    }
    GtResult result = gt_weld_vertices(k->context, k->positions, k->vertex_count, 0.0f, k->points, vertices,
                                       &body->point_count, k->error);
    if (result != GT_OK) {
        return result;
    }
    body->points = gt_arena_push(k->arena, (size_t)body->point_count * sizeof *body->points);
    if (!body->points) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t p = 0; p < body->point_count; ++p) {
        body->points[p] = k->positions[vertices[p]];
    }
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        for (int c = 0; c < 3; ++c) {
            body->triangles[t][c] = k->points[body->triangles[t][c]];
        }
    }
    drop_degenerate(body);
    return GT_OK;
}

// Points of open edges that lie closer together than seams are told apart become the first of them.
static GtResult weld_seams(Join* k)
{
    GtiRigBody* body = k->body;
    GtiTrimesh mesh = { body->points, body->point_count, body->triangles, body->triangle_count };
    GtiEdges edges;
    bool* open = gt_arena_push_array(k->scratch, (size_t)body->point_count, sizeof *open);
    if (!open || !gti_edges_find(&mesh, k->scratch, &edges)) {
        return gti_out_of_memory(k->error);
    }
    int32_t count = 0;
    for (int32_t e = 0; e < edges.edge_count; ++e) {
        if (edges.firsts[e + 1] - edges.firsts[e] == 1) {
            int32_t half = edges.halves[edges.firsts[e]];
            int32_t ends[2] = { gti_half_start(&mesh, half), gti_half_end(&mesh, half) };
            count += !open[ends[0]];
            open[ends[0]] = true;
            count += !open[ends[1]];
            open[ends[1]] = true;
        }
    }
    size_t size = (size_t)count + 1;
    GtVec3* positions = gt_arena_push(k->scratch, size * sizeof *positions);
    int32_t* names = gt_arena_push(k->scratch, size * sizeof *names);
    int32_t* joined = gt_arena_push(k->scratch, size * sizeof *joined);
    int32_t* firsts = gt_arena_push(k->scratch, size * sizeof *firsts);
    int32_t* renamed = gt_arena_push(k->scratch, (size_t)body->point_count * sizeof *renamed);
    if (!positions || !names || !joined || !firsts || !renamed) {
        return gti_out_of_memory(k->error);
    }
    int32_t listed = 0;
    for (int32_t p = 0; p < body->point_count; ++p) {
        renamed[p] = p;
        if (open[p]) {
            positions[listed] = body->points[p];
            names[listed++] = p;
        }
    }
    int32_t kept = 0;
    GtResult result = gt_weld_vertices(k->context, positions, count, seam_tolerance, joined, firsts, &kept, k->error);
    if (result == GT_OK && kept < count) {
        for (int32_t i = 0; i < count; ++i) {
            renamed[names[i]] = names[firsts[joined[i]]];
        }
        rename_points(k, renamed);
    }
    return result;
}

// Number the points that triangles use anew; others go.
static GtResult pack_points(Join* k)
{
    GtiRigBody* body = k->body;
    int32_t* renamed = gt_arena_push(k->scratch, ((size_t)body->point_count + 1) * sizeof *renamed);
    if (!renamed) {
        return gti_out_of_memory(k->error);
    }
    memset(renamed, 0xFF, (size_t)body->point_count * sizeof *renamed);
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        for (int c = 0; c < 3; ++c) {
            renamed[body->triangles[t][c]] = 0;
        }
    }
    int32_t kept = 0;
    for (int32_t p = 0; p < body->point_count; ++p) {
        if (renamed[p] != GT_NONE) {
            body->points[kept] = body->points[p];
            renamed[p] = kept++;
        }
    }
    body->point_count = kept;
    rename_points(k, renamed);
    return GT_OK;
}

static GtResult join_all(Join* k)
{
    GtFigureDef def = gti_figure_unmapped(GT_NONE);
    GtResult result = gt_figure_open(k->context, k->scene, &def, &k->figure, k->error);
    k->def = k->figure.def;
    GtResult (*const steps[])(Join*) = { find_helpers, pose_parts, list_triangles, scale_down,
                                         weld_equal,   weld_seams, pack_points };
    for (size_t i = 0; i < sizeof steps / sizeof *steps && result == GT_OK; ++i) {
        result = steps[i](k);
    }
    if (result == GT_OK && k->body->triangle_count == 0) {
        result = gti_fail(k->error, GT_ERROR_BAD_VALUE, "all its triangles are degenerate: there is nothing to rig");
    }
    return result;
}

GtResult gti_body_join(const GtContext* context, const GtScene* scene, GtArena* arena, GtiRigBody* body, GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    Join k = { .context = context, .scene = scene, .arena = arena, .scratch = &scratch, .body = body, .error = error };
    GtResult result = join_all(&k);
    gt_figure_close(&k.figure);
    gt_arena_destroy(&scratch);
    return result;
}

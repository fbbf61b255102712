// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The bind pose is the one in which skinning changes nothing: joints at the inverses of their inverse bind matrices.
// The rest pose of a file may be anything, and ratios to a bent elbow would say nothing. Its scale is that of the rest
// pose.

#include "measure/skin.h"

#include "base/bounds.h"
#include "base/quat_double.h"
#include "base/union_find.h"

#include "gertie/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double weld_tolerance = 1e-5; // of the size: seams whose sides are rounded differently

typedef struct Maker {
    const GtContext* context;
    GtArena* arena;
    GtArena* scratch;
    GtiMeasuredSkin* skin;
    GtError* error;
    GtVec3* normals; // [vertex_count] of the bind pose, in scratch; zero where there are none
} Maker;

static bool count_skin(const GtCharacterDef* def, GtiMeasuredSkin* skin)
{
    int64_t vertices = 0;
    int64_t triangles = 0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        vertices += def->meshes[m].vertex_count;
        triangles += def->meshes[m].index_count / 3;
    }
    skin->vertex_count = (int32_t)vertices;
    skin->triangle_count = (int32_t)triangles;
    return vertices <= INT32_MAX / 4 && triangles <= INT32_MAX / 4;
}

static GtMat34 scaled(GtMat34 a, float s)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            a.m[i][j] *= s;
        }
    }
    return a;
}

// Put the joints of a mesh where they bind it, at the scale of the rest pose.
static void bind_joints(Maker* k, const GtMeshDef* mesh, GtMat34* model_from_node, bool* is_bound)
{
    const GtCharacterDef* def = k->skin->figure->def;
    const GtSkinDef* skin = &def->skins[mesh->skin];
    GtMat34 first = gt_mat34_mul(model_from_node[skin->joints[0]], skin->joint_from_mesh[0]);
    float scale = cbrtf(fabsf(gt_mat34_determinant(&first)));
    scale = scale > 1e-12f && scale < 1e12f ? scale : 1.0f;
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        int32_t node = skin->joints[j];
        bool ok = false;
        GtMat34 bind = scaled(gt_mat34_inverse(&skin->joint_from_mesh[j], &ok), scale);
        if (ok) {
            model_from_node[node] = bind;
        }
        if (!is_bound[node]) {
            k->skin->bind[node] = model_from_node[node];
            is_bound[node] = true;
        }
    }
}

static GtResult pose_bind(Maker* k)
{
    GtiMeasuredSkin* skin = k->skin;
    const GtFigure* f = skin->figure;
    size_t node_count = (size_t)f->def->node_count;
    bool* is_bound = gt_arena_push_array(k->scratch, node_count, sizeof *is_bound);
    GtMat34* matrices = gt_arena_push_array(k->scratch, node_count, sizeof *matrices);
    k->normals = gt_arena_push_array(k->scratch, (size_t)skin->vertex_count, sizeof *k->normals);
    if (!is_bound || !matrices || !k->normals) {
        return gti_out_of_memory(k->error);
    }
    gt_instance_reset(f->instance);
    gt_instance_update(f->instance);
    memcpy(skin->bind, f->instance->model_from_node, node_count * sizeof *skin->bind);
    int32_t at = 0;
    for (int32_t m = 0; m < f->def->mesh_count; ++m) {
        const GtMeshDef* mesh = &f->def->meshes[m];
        memcpy(matrices, f->instance->model_from_node, node_count * sizeof *matrices);
        if (mesh->skin != GT_NONE) {
            bind_joints(k, mesh, matrices, is_bound);
        }
        gt_harmonic_skin_pose(f->character, matrices, NULL, f->instance->model_from_point, f->instance->scratch);
        gt_deform(&(GtDeformJob){
            .character = f->character,
            .mesh = m,
            .model_from_node = matrices,
            .weights = f->instance->weights,
            .model_from_point = f->instance->model_from_point,
            .out_positions = skin->rest + at,
            .out_normals = k->normals + at,
            .scratch = f->instance->scratch,
        });
        skin->first_vertex[m] = at;
        at += mesh->vertex_count;
    }
    f->instance->has_points = false;
    return GT_OK;
}

static int32_t strongest_node(const GtCharacterDef* def, const GtMeshDef* mesh, int32_t vertex)
{
    if (mesh->skin == GT_NONE) {
        return mesh->node;
    }
    size_t first = (size_t)vertex * (size_t)mesh->influence_count;
    size_t best = first;
    for (size_t k = first; k < first + (size_t)mesh->influence_count; ++k) {
        best = mesh->weights[k] > mesh->weights[best] ? k : best;
    }
    return def->skins[mesh->skin].joints[mesh->joints[best]];
}

// What moves with a joint of the vocabulary is of its zone: twist and helper joints, and those of a face.
static int32_t zone_node(const GtCharacterDef* def, const bool* is_joint, int32_t node)
{
    int32_t above = node;
    while (above != GT_NONE && !is_joint[above]) {
        above = def->parents[above];
    }
    return above == GT_NONE ? node : above;
}

// Zones in the order of their nodes.
static GtResult find_zones(Maker* k)
{
    GtiMeasuredSkin* skin = k->skin;
    const GtCharacterDef* def = skin->figure->def;
    bool* is_joint = gt_arena_push_array(k->scratch, (size_t)def->node_count, sizeof *is_joint);
    if (!is_joint) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t j = 0; skin->figure->is_humanoid && j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (skin->figure->joints[j] != GT_NONE) {
            is_joint[skin->figure->joints[j]] = true;
        }
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        skin->node_zones[i] = GT_NONE;
    }
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        for (int32_t v = 0; v < def->meshes[m].vertex_count; ++v) {
            int32_t node = zone_node(def, is_joint, strongest_node(def, &def->meshes[m], v));
            skin->zone_of[skin->first_vertex[m] + v] = node;
            skin->node_zones[node] = 0;
        }
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        if (skin->node_zones[i] != GT_NONE) {
            skin->node_zones[i] = skin->zone_count++;
        }
    }
    skin->zones = gt_arena_push_array(k->arena, (size_t)skin->zone_count, sizeof *skin->zones);
    if (!skin->zones) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        if (skin->node_zones[i] != GT_NONE) {
            skin->zones[skin->node_zones[i]].node = i;
        }
    }
    for (int32_t v = 0; v < skin->vertex_count; ++v) {
        skin->zone_of[v] = skin->node_zones[skin->zone_of[v]];
        ++skin->zones[skin->zone_of[v]].vertex_count;
    }
    return GT_OK;
}

static int32_t triangle_zone(const GtiMeasuredSkin* skin, const uint32_t* corners)
{
    int32_t a = skin->zone_of[corners[0]];
    int32_t b = skin->zone_of[corners[1]];
    int32_t c = skin->zone_of[corners[2]];
    return b == c ? b : a;
}

// Sort vertices and triangles by zone.
static GtResult sort_by_zone(Maker* k)
{
    GtiMeasuredSkin* skin = k->skin;
    const GtCharacterDef* def = skin->figure->def;
    int32_t* next = gt_arena_push_array(k->scratch, (size_t)skin->zone_count, sizeof *next);
    uint32_t* all = gt_arena_push_array(k->scratch, (size_t)skin->triangle_count * 3, sizeof *all);
    if (!next || !all) {
        return gti_out_of_memory(k->error);
    }
    int64_t at = 0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        for (int32_t i = 0; i < def->meshes[m].index_count; ++i) {
            all[at++] = def->meshes[m].indices[i] + (uint32_t)skin->first_vertex[m];
        }
    }
    for (int32_t t = 0; t < skin->triangle_count; ++t) {
        ++skin->zones[triangle_zone(skin, all + 3 * (size_t)t)].triangle_count;
    }
    int32_t first_triangle = 0;
    int32_t first_vertex = 0;
    for (int32_t z = 0; z < skin->zone_count; ++z) {
        skin->zones[z].first_triangle = first_triangle;
        skin->zones[z].first_vertex = first_vertex;
        next[z] = first_triangle;
        first_triangle += skin->zones[z].triangle_count;
        first_vertex += skin->zones[z].vertex_count;
    }
    for (int32_t t = 0; t < skin->triangle_count; ++t) {
        const uint32_t* from = all + 3 * (size_t)t;
        memcpy(skin->corners + 3 * (size_t)next[triangle_zone(skin, from)]++, from, 3 * sizeof *from);
    }
    for (int32_t z = 0; z < skin->zone_count; ++z) {
        next[z] = skin->zones[z].first_vertex;
    }
    for (int32_t v = 0; v < skin->vertex_count; ++v) {
        skin->vertices[next[skin->zone_of[v]]++] = v;
    }
    return GT_OK;
}

// A triangle laid flat, its first edge along x, has edges (l, 0) and (x, y): [l x; 0 y]. Its inverse turns posed edges
// into the deformation gradient.
static void lay_triangles_flat(GtiMeasuredSkin* skin, const GtVec3* normals)
{
    for (int32_t t = 0; t < skin->triangle_count; ++t) {
        const uint32_t* c = skin->corners + 3 * (size_t)t;
        GtVec3 e1 = gt_vec3_sub(skin->rest[c[1]], skin->rest[c[0]]);
        GtVec3 e2 = gt_vec3_sub(skin->rest[c[2]], skin->rest[c[0]]);
        float l = gt_vec3_length(e1);
        float x = gt_vec3_dot(e1, e2) / l;
        float y = gt_vec3_length(gt_vec3_cross(e1, e2)) / l;
        GtVec3 normal = gt_vec3_add(normals[c[0]], gt_vec3_add(normals[c[1]], normals[c[2]]));
        float facing = gt_vec3_dot(gt_vec3_cross(e1, e2), normal);
        float* out = skin->unstretch + 3 * (size_t)t;
        skin->facings[t] = (int8_t)((facing > 0.0f) - (facing < 0.0f));
        skin->areas[t] = 0.0f;
        if (l > 0.0f && y > 1e-4f * l && isfinite(x) && 1.0f / y < 1e20f) { // no slivers
            skin->areas[t] = 0.5f * l * y;
            out[0] = 1.0f / l;
            out[1] = -x / (l * y);
            out[2] = 1.0f / y;
        }
    }
}

// An edge of a triangle, as a pair of points.
typedef struct Edge {
    int32_t low, high; // points
    int32_t from, to;  // vertices
} Edge;

static int compare_edges(const void* left, const void* right)
{
    const Edge* a = left;
    const Edge* b = right;
    int order = (a->low > b->low) - (a->low < b->low);
    return order ? order : (a->high > b->high) - (a->high < b->high);
}

// Edges that run one way more often than the other are the rim of a zone; those that hang together share a lid.
static GtResult find_rims(Maker* k, GtiZone* zone, Edge* edges, int32_t* parents, int32_t* lids)
{
    const GtiMeasuredSkin* skin = k->skin;
    int32_t count = 0;
    for (int32_t t = zone->first_triangle; t < zone->first_triangle + zone->triangle_count; ++t) {
        for (int e = 0; e < 3; ++e) {
            int32_t from = (int32_t)skin->corners[3 * (size_t)t + (size_t)e];
            int32_t to = (int32_t)skin->corners[3 * (size_t)t + (size_t)((e + 1) % 3)];
            int32_t a = skin->points[from];
            int32_t b = skin->points[to];
            if (a != b) {
                edges[count++] = (Edge){ a < b ? a : b, a < b ? b : a, from, to };
            }
        }
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    int32_t rim_count = 0;
    for (int32_t i = 0, end; i < count; i = end) {
        int32_t balance = 0;
        for (end = i; end < count && compare_edges(&edges[i], &edges[end]) == 0; ++end) {
            balance += skin->points[edges[end].from] == edges[end].low ? 1 : -1;
        }
        for (int32_t j = i; j < end && balance != 0; ++j) { // keep as many of the side that is more
            int way = skin->points[edges[j].from] == edges[j].low ? 1 : -1;
            if (way * balance > 0) {
                balance -= way;
                edges[rim_count++] = edges[j];
            }
        }
    }
    GtiSkinRim* rims = gt_arena_push_array(k->arena, (size_t)rim_count, sizeof *rims);
    if (!rims) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t i = 0; i < rim_count; ++i) {
        parents[edges[i].low] = edges[i].low;
        parents[edges[i].high] = edges[i].high;
        lids[edges[i].low] = GT_NONE;
        lids[edges[i].high] = GT_NONE;
    }
    for (int32_t i = 0; i < rim_count; ++i) {
        gti_sets_join(parents, edges[i].low, edges[i].high);
    }
    for (int32_t i = 0; i < rim_count; ++i) {
        int32_t* lid = &lids[gti_sets_root(parents, edges[i].low)];
        *lid = *lid == GT_NONE ? zone->lid_count++ : *lid;
        rims[i] = (GtiSkinRim){ edges[i].from, edges[i].to, *lid };
    }
    zone->rims = rims;
    zone->rim_count = rim_count;
    return GT_OK;
}

static GtResult close_zones(Maker* k)
{
    GtiMeasuredSkin* skin = k->skin;
    int32_t most = 0;
    for (int32_t z = 0; z < skin->zone_count; ++z) {
        most = skin->zones[z].triangle_count > most ? skin->zones[z].triangle_count : most;
    }
    Edge* edges = gt_arena_push_array(k->scratch, (size_t)most * 3, sizeof *edges);
    int32_t* parents = gt_arena_push_array(k->scratch, (size_t)skin->point_count, sizeof *parents);
    int32_t* lids = gt_arena_push_array(k->scratch, (size_t)skin->point_count, sizeof *lids);
    if (!edges || !parents || !lids) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t z = 0; z < skin->zone_count; ++z) {
        GtResult result = find_rims(k, &skin->zones[z], edges, parents, lids);
        if (result != GT_OK) {
            return result;
        }
        skin->lid_count = skin->zones[z].lid_count > skin->lid_count ? skin->zones[z].lid_count : skin->lid_count;
    }
    return GT_OK;
}

static int32_t zoned_above(const GtiMeasuredSkin* skin, int32_t node)
{
    do {
        node = skin->figure->def->parents[node];
    } while (node != GT_NONE && skin->node_zones[node] == GT_NONE);
    return node;
}

// A bone ends at the only joint below that moves skin, at the middle of several, or where the zone's middle says.
static void find_axis(GtiMeasuredSkin* skin, GtiZone* zone)
{
    const GtCharacterDef* def = skin->figure->def;
    GtVec3 start = gt_mat34_translation(&skin->bind[zone->node]);
    GtVec3 end = { 0.0f, 0.0f, 0.0f };
    int32_t count = 0;
    for (int32_t i = zone->node + 1; i < def->node_count && def->parents[i] >= zone->node; ++i) {
        if (skin->node_zones[i] != GT_NONE && zoned_above(skin, i) == zone->node) {
            end = gt_vec3_add(end, gt_mat34_translation(&skin->bind[i]));
            ++count;
        }
    }
    if (count) {
        end = gt_vec3_scale(end, 1.0f / (float)count);
    } else {
        GtiVec sum = gti_vec(0.0, 0.0, 0.0);
        for (int32_t i = 0; i < zone->vertex_count; ++i) {
            sum = gti_vec_add(sum, gti_vec_from(skin->rest[skin->vertices[zone->first_vertex + i]]));
        }
        end = gt_vec3_lerp(start, gti_vec_to_float(gti_vec_divide(sum, zone->vertex_count)), 2.0f);
    }
    bool ok = false;
    GtMat34 joint_from_model = gt_mat34_inverse(&skin->bind[zone->node], &ok);
    zone->axis_end = gt_mat34_point(&joint_from_model, end);
    zone->has_axis = ok && (double)gt_vec3_length(gt_vec3_sub(end, start)) > 1e-3 * skin->size_m;
}

static bool push_skin(Maker* k)
{
    GtiMeasuredSkin* s = k->skin;
    size_t vertices = (size_t)s->vertex_count;
    size_t triangles = (size_t)s->triangle_count;
    size_t nodes = (size_t)s->figure->def->node_count;
    s->first_vertex = gt_arena_push_array(k->arena, (size_t)s->figure->def->mesh_count, sizeof *s->first_vertex);
    s->rest = gt_arena_push_array(k->arena, vertices, sizeof *s->rest);
    s->points = gt_arena_push_array(k->arena, vertices, sizeof *s->points);
    s->zone_of = gt_arena_push_array(k->arena, vertices, sizeof *s->zone_of);
    s->vertices = gt_arena_push_array(k->arena, vertices, sizeof *s->vertices);
    s->corners = gt_arena_push_array(k->arena, triangles * 3, sizeof *s->corners);
    s->unstretch = gt_arena_push_array(k->arena, triangles * 3, sizeof *s->unstretch);
    s->areas = gt_arena_push_array(k->arena, triangles, sizeof *s->areas);
    s->facings = gt_arena_push_array(k->arena, triangles, sizeof *s->facings);
    s->bind = gt_arena_push_array(k->arena, nodes, sizeof *s->bind);
    s->node_zones = gt_arena_push_array(k->arena, nodes, sizeof *s->node_zones);
    return s->first_vertex && s->rest && s->points && s->zone_of && s->vertices && s->corners && s->unstretch &&
           s->areas && s->facings && s->bind && s->node_zones;
}

static GtResult make_skin(Maker* k)
{
    GtiMeasuredSkin* skin = k->skin;
    GtResult result = push_skin(k) ? pose_bind(k) : gti_out_of_memory(k->error);
    if (result == GT_OK) {
        skin->size_m = (double)gti_bounds_longest(gti_bounds_of(skin->rest, skin->vertex_count));
        float tolerance = (float)(weld_tolerance * skin->size_m);
        result = gt_weld_vertices(k->context, skin->rest, skin->vertex_count, tolerance, skin->points, NULL,
                                  &skin->point_count, k->error);
    }
    result = result == GT_OK ? find_zones(k) : result;
    if (result == GT_OK && skin->zone_count > GTI_MAX_ZONES) {
        gti_warn(k->context, NULL, NULL, "the skin is not measured: it has %d joints, more than %d",
                 (int)skin->zone_count, (int)GTI_MAX_ZONES);
        skin->zone_count = 0;
        return GT_OK;
    }
    result = result == GT_OK ? sort_by_zone(k) : result;
    if (result != GT_OK) {
        return result;
    }
    lay_triangles_flat(skin, k->normals);
    result = close_zones(k);
    double* lids = gt_arena_push_array(k->scratch, (size_t)skin->lid_count * 4, sizeof *lids);
    if (result != GT_OK || !lids) {
        return result != GT_OK ? result : gti_out_of_memory(k->error);
    }
    for (int32_t z = 0; z < skin->zone_count; ++z) {
        GtiZone* zone = &skin->zones[z];
        find_axis(skin, zone);
        zone->volume_m3 = gti_zone_volume(skin, zone, skin->rest, lids);
        zone->axis_m = gti_zone_axis(skin, zone, &skin->bind[zone->node], skin->rest);
    }
    return gti_skin_find_sections(k->arena, k->scratch, skin, k->error);
}

GtResult gti_skin_open(const GtContext* context, GtArena* arena, GtFigure* figure, GtiMeasuredSkin* out, GtError* error)
{
    *out = (GtiMeasuredSkin){ .figure = figure };
    if (!count_skin(figure->def, out)) {
        return gti_fail(error, GT_ERROR_LIMIT, "the meshes have too many vertices to be measured together");
    }
    if (out->vertex_count == 0 || out->triangle_count == 0) {
        return GT_OK;
    }
    GtArena scratch = gt_arena_create(context->allocator);
    Maker maker = { context, arena, &scratch, out, error, NULL };
    GtResult result = make_skin(&maker);
    gt_arena_destroy(&scratch);
    return result;
}

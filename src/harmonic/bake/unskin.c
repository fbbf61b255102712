// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a linear skin does to a vertex is an affine map S, so a shape takes the vertex to S^-1 of where a frame has it.
// Where weights of opposite rotations meet S nearly collapses, and S^-1 would throw vertices about; the damped inverse
// (S^T S + e I)^-1 S^T keeps them near.
//
// Normals turn as the surface under them does: vertices of one place whose normals agree share the mean normal of their
// triangles, and each normal is turned as that one is from the bind pose to the frame. A shape's normal is S^T of it,
// as skinning applies S^-T.

#include "harmonic/bake/unskin.h"

#include "harmonic/clip/surface.h"

#include <math.h>
#include <string.h>

static const float agree = 0.999f;            // cosine of normals that are one
static const float farthest_m = 1e15f;        // that a shape moves a vertex; sums of squares still fit into floats
static const float least_determinant = 1e-3f; // of a skin's matrix that can be undone, for columns of length 1
static const float damping = 1e-3f;           // of the mean square length of columns
static const float firm = 0.25f;              // square of a determinant, as of least_determinant, that needs no damping

enum {
    MOST_GROUPS = 64 // at a point that are looked through
};

static void add_scaled(GtVec3* to, const uint32_t* vertices, const GtVec3* from, int32_t count, float weight)
{
    for (int32_t e = 0; e < count; ++e) {
        to[vertices[e]] = gt_vec3_add(to[vertices[e]], gt_vec3_scale(from[e], weight));
    }
}

// Where meshes have their vertices before they are skinned, and what morphs add to normals.
// weights: [weight_count]; normals: [vertex_count] or NULL
static void take_shapes(const GtiUnskin* u, const float* weights, GtVec3* rest, GtVec3* normals)
{
    const GtCharacterDef* def = u->shell->figure->def;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        const GtMeshDef* mesh = &def->meshes[m];
        size_t first = (size_t)u->shell->first_vertex[m];
        memcpy(rest + first, mesh->positions, (size_t)mesh->vertex_count * sizeof *rest);
        if (normals) {
            memset(normals + first, 0, (size_t)mesh->vertex_count * sizeof *normals);
        }
        for (int32_t i = 0; i < mesh->morph_count; ++i) {
            const GtMorphDef* morph = &mesh->morphs[i];
            float weight = weights[mesh->first_weight + i];
            if (weight != 0.0f && morph->positions) { // a blush moves nothing
                add_scaled(rest + first, morph->vertices, morph->positions, morph->entry_count, weight);
            }
            if (weight != 0.0f && normals && morph->normals) {
                add_scaled(normals + first, morph->vertices, morph->normals, morph->entry_count, weight);
            }
        }
    }
}

static inline GtVec3 rest_of(const GtiUnskin* u, const GtiUnskinFrame* frame, int32_t v)
{
    return frame->rest ? frame->rest[v] : u->rest[v];
}

// Vertices of one point and one normal become a group, through lists of the groups at each point.
static GtResult group_vertices(GtiUnskin* u, GtArena* arena, GtError* error)
{
    const GtiShell* shell = u->shell;
    const GtCharacterDef* def = shell->figure->def;
    int32_t* firsts = gt_arena_push_array(arena, (size_t)shell->point_count, sizeof *firsts);
    int32_t* nexts = gt_arena_push_array(arena, (size_t)shell->vertex_count, sizeof *nexts);
    GtVec3* own = u->bound_normals;
    if (!firsts || !nexts) {
        return gti_out_of_memory(error);
    }
    for (int32_t p = 0; p < shell->point_count; ++p) {
        firsts[p] = GT_NONE;
    }
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        const GtVec3* normals = def->meshes[m].normals;
        for (int32_t i = 0; i < def->meshes[m].vertex_count; ++i) {
            int32_t v = shell->first_vertex[m] + i;
            own[v] = normals ? normals[i] : gt_vec3(0.0f, 0.0f, 0.0f);
            int32_t group = normals ? firsts[shell->points[v]] : GT_NONE;
            for (int tries = 0; group != GT_NONE && gt_vec3_dot(own[group], own[v]) < agree; ++tries) {
                group = tries < MOST_GROUPS ? nexts[group] : GT_NONE;
            }
            if (group == GT_NONE) {
                group = v;
                nexts[v] = firsts[shell->points[v]];
                firsts[shell->points[v]] = v;
            }
            u->groups[v] = group;
        }
    }
    return GT_OK;
}

// Mean normals of the groups, weighted by area.
// positions: [vertex_count]
static void find_normals(const GtiUnskin* u, const GtVec3* positions, GtVec3* out)
{
    const GtCharacterDef* def = u->shell->figure->def;
    memset(out, 0, (size_t)u->shell->vertex_count * sizeof *out);
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        int32_t first = u->shell->first_vertex[m];
        for (int32_t i = 0; i + 2 < def->meshes[m].index_count; i += 3) {
            const uint32_t* c = &def->meshes[m].indices[i];
            int32_t v[3] = { first + (int32_t)c[0], first + (int32_t)c[1], first + (int32_t)c[2] };
            GtVec3 normal = gt_vec3_cross(gt_vec3_sub(positions[v[1]], positions[v[0]]),
                                          gt_vec3_sub(positions[v[2]], positions[v[0]]));
            for (int j = 0; j < 3; ++j) {
                out[u->groups[v[j]]] = gt_vec3_add(out[u->groups[v[j]]], normal);
            }
        }
    }
}

// Normals in the bind pose, of unit length: of groups, and of the meshes.
static void bind_normals(GtiUnskin* u)
{
    const GtCharacterDef* def = u->shell->figure->def;
    for (int32_t v = 0; v < u->shell->vertex_count; ++v) {
        u->rest_normals[v] = gt_vec3_normalize_or(u->rest_normals[v], gt_vec3(0.0f, 1.0f, 0.0f));
    }
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        GtMat34 bind = gti_bind_from_mesh(u->shell, m);
        for (int32_t i = 0; i < def->meshes[m].vertex_count && def->meshes[m].normals; ++i) {
            int32_t v = u->shell->first_vertex[m] + i;
            u->bound_normals[v] =
                gt_vec3_normalize_or(gt_mat34_normal(&bind, def->meshes[m].normals[i]), u->rest_normals[u->groups[v]]);
        }
    }
}

static GtResult find_rest_normals(GtiUnskin* u, GtArena* arena, GtError* error)
{
    size_t count = (size_t)u->shell->vertex_count;
    u->groups = gt_arena_push_array(arena, count, sizeof *u->groups);
    u->rest_normals = gt_arena_push_array(arena, count, sizeof *u->rest_normals);
    u->bound_normals = gt_arena_push_array(arena, count, sizeof *u->bound_normals);
    GtVec3* bound = gt_arena_push_array(arena, count, sizeof *bound);
    if (!u->groups || !u->rest_normals || !u->bound_normals || !bound) {
        return gti_out_of_memory(error);
    }
    GtResult result = group_vertices(u, arena, error);
    for (size_t v = 0; v < count && result == GT_OK; ++v) {
        bound[v] = u->shell->positions[u->shell->points[v]];
    }
    if (result == GT_OK) {
        find_normals(u, bound, u->rest_normals);
        bind_normals(u);
    }
    return result;
}

GtResult gti_unskin_open(const GtContext* context, GtArena* arena, GtFigure* figure, GtiUnskin* out, GtError* error)
{
    *out = (GtiUnskin){ 0 };
    GtResult result = gti_figure_shell(context, figure, &out->shell, error);
    if (result != GT_OK) {
        return result;
    }
    const GtCharacterDef* def = out->shell->figure->def;
    int32_t* first_joints = gt_arena_push_array(arena, (size_t)def->skin_count, sizeof *first_joints);
    out->rest = gt_arena_push_array(arena, (size_t)out->shell->vertex_count, sizeof *out->rest);
    out->first_matrices = gt_arena_push_array(arena, (size_t)def->mesh_count, sizeof *out->first_matrices);
    if (!out->rest || !first_joints || !out->first_matrices) {
        return gti_out_of_memory(error);
    }
    for (int32_t s = 0; s < def->skin_count; ++s) {
        first_joints[s] = out->matrix_count;
        out->matrix_count += def->skins[s].joint_count;
    }
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        int32_t skin = def->meshes[m].skin;
        out->first_matrices[m] = skin == GT_NONE ? out->matrix_count + m : first_joints[skin];
        out->has_normals = out->has_normals || def->meshes[m].normals;
    }
    out->matrix_count += def->mesh_count;
    take_shapes(out, out->shell->figure->def->rest_weights, out->rest, NULL);
    return out->has_normals ? find_rest_normals(out, arena, error) : GT_OK;
}

GtResult gti_unskin_frames_open(const GtiUnskin* u, int32_t count, bool with_normals, GtArena* arena,
                                GtiUnskinFrame* out, GtError* error)
{
    for (int32_t i = 0; i < count; ++i) {
        out[i] = (GtiUnskinFrame){ .matrices = gt_arena_push_array(arena, (size_t)u->matrix_count, sizeof(GtMat34)) };
        if (with_normals && u->has_normals) {
            out[i].normals = gt_arena_push_array(arena, (size_t)u->shell->vertex_count, sizeof(GtVec3));
        }
        if (u->shell->figure->def->weight_count > 0) {
            out[i].rest = gt_arena_push_array(arena, (size_t)u->shell->vertex_count, sizeof(GtVec3));
        }
        if (out[i].normals && u->shell->figure->def->weight_count > 0) {
            out[i].own_normals = gt_arena_push_array(arena, (size_t)u->shell->vertex_count, sizeof(GtVec3));
        }
        bool has_normals = out[i].normals || !with_normals || !u->has_normals;
        bool has_morphs =
            (out[i].rest && (out[i].own_normals || !out[i].normals)) || u->shell->figure->def->weight_count == 0;
        if (!out[i].matrices || !has_normals || !has_morphs) {
            return gti_out_of_memory(error);
        }
    }
    return GT_OK;
}

void gti_unskin_take_joints(const GtiUnskin* u, GtiUnskinFrame* frame)
{
    const GtCharacterDef* def = u->shell->figure->def;
    const GtMat34* model_from_node = u->shell->figure->instance->model_from_node;
    GtMat34* out = frame->matrices;
    for (int32_t s = 0; s < def->skin_count; ++s) {
        for (int32_t j = 0; j < def->skins[s].joint_count; ++j) {
            *out++ = gt_mat34_mul(model_from_node[def->skins[s].joints[j]], def->skins[s].joint_from_mesh[j]);
        }
    }
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        *out++ = model_from_node[def->meshes[m].node];
    }
    if (frame->rest) {
        take_shapes(u, u->shell->figure->instance->weights, frame->rest, frame->own_normals);
    }
}

void gti_unskin_take_normals(const GtiUnskin* u, GtiUnskinFrame* frame)
{
    if (frame->normals) {
        find_normals(u, frame->wanted, frame->normals);
    }
}

static bool part_of(const GtiUnskin* u, int32_t m, int32_t first, int32_t end, int32_t* begin, int32_t* part_end)
{
    int32_t mesh_begin = u->shell->first_vertex[m];
    int32_t mesh_end = mesh_begin + u->shell->figure->def->meshes[m].vertex_count;
    *begin = first > mesh_begin ? first : mesh_begin;
    *part_end = end < mesh_end ? end : mesh_end;
    return *begin < *part_end;
}

static inline GtMat34 blend_matrices(const GtMeshDef* mesh, const GtMat34* matrices, int32_t vertex)
{
    if (mesh->skin == GT_NONE) {
        return *matrices;
    }
    GtMat34 sum = { { { 0.0f } } };
    for (int32_t i = 0; i < mesh->influence_count; ++i) {
        size_t at = (size_t)vertex * (size_t)mesh->influence_count + (size_t)i;
        float weight = mesh->weights[at];
        if (weight > 0.0f) {
            const float* joint = &matrices[mesh->joints[at]].m[0][0];
            float* to = &sum.m[0][0];
            for (int e = 0; e < 12; ++e) {
                to[e] += weight * joint[e];
            }
        }
    }
    return sum;
}

// What the skin does to vertex v, which is of mesh m.
static inline GtMat34 matrix_of(const GtiUnskin* u, const GtiUnskinFrame* frame, int32_t m, int32_t v)
{
    return blend_matrices(&u->shell->figure->def->meshes[m], frame->matrices + u->first_matrices[m],
                          v - u->shell->first_vertex[m]);
}

static GtVec3 column_of(const GtMat34* a, int i)
{
    return gt_vec3(a->m[0][i], a->m[1][i], a->m[2][i]);
}

// The v for which x v.x + y v.y + z v.z is b, in float, by cofactors and the determinant of the columns.
static inline GtVec3 solve_columns(const GtVec3 columns[3], float determinant, GtVec3 b)
{
    GtVec3 x = columns[0], y = columns[1], z = columns[2];
    GtVec3 v = gt_vec3(gt_vec3_dot(gt_vec3_cross(y, z), b), gt_vec3_dot(gt_vec3_cross(z, x), b),
                       gt_vec3_dot(gt_vec3_cross(x, y), b));
    return gt_vec3_scale(v, 1.0f / determinant);
}

static inline float determinant_of(const GtVec3 columns[3])
{
    return gt_vec3_dot(columns[0], gt_vec3_cross(columns[1], columns[2]));
}

// Coordinates near the end of what floats hold overflow on the way, to infinity or NaN.
static inline bool is_in_reach(GtVec3 delta)
{
    return fabsf(delta.x) <= farthest_m && fabsf(delta.y) <= farthest_m && fabsf(delta.z) <= farthest_m;
}

float gti_unskin_exactly(const GtiUnskin* u, const GtiUnskinFrame* frame, int32_t first, int32_t end, GtVec3* deltas)
{
    float farthest = 0.0f;
    int32_t begin = 0;
    int32_t part_end = 0;
    for (int32_t m = 0; m < u->shell->figure->def->mesh_count; ++m) {
        if (!part_of(u, m, first, end, &begin, &part_end)) {
            continue;
        }
        for (int32_t v = begin; v < part_end; ++v) {
            GtMat34 skin = matrix_of(u, frame, m, v);
            const GtVec3 columns[3] = { column_of(&skin, 0), column_of(&skin, 1), column_of(&skin, 2) };
            GtVec3 miss = gt_vec3_sub(frame->wanted[v], gt_mat34_point(&skin, rest_of(u, frame, v)));
            float size = gt_vec3_length(columns[0]) * gt_vec3_length(columns[1]) * gt_vec3_length(columns[2]);
            float determinant = determinant_of(columns);
            GtVec3 delta = solve_columns(columns, determinant, miss);
            bool is_regular = fabsf(determinant) > least_determinant * size && is_in_reach(delta);
            deltas[v - first] = is_regular ? delta : gt_vec3(0.0f, 0.0f, 0.0f);
            farthest = is_regular ? farthest : fmaxf(farthest, gt_vec3_length(miss));
        }
    }
    return farthest;
}

int32_t gti_unskin_sample_count(const GtiUnskin* u, int32_t step)
{
    const GtCharacterDef* def = u->shell->figure->def;
    int32_t count = 0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        count += (def->meshes[m].vertex_count - 1) / step + (def->meshes[m].vertex_count > 0);
    }
    return count;
}

// The d that makes |S d - miss|^2 + e |d|^2 least; without e where S is far from collapsing.
static inline GtVec3 undo_damped(const GtMat34* skin, GtVec3 miss)
{
    const GtVec3 columns[3] = { column_of(skin, 0), column_of(skin, 1), column_of(skin, 2) };
    GtVec3 x = columns[0], y = columns[1], z = columns[2];
    float determinant = determinant_of(columns);
    float xx = gt_vec3_dot(x, x);
    float yy = gt_vec3_dot(y, y);
    float zz = gt_vec3_dot(z, z);
    if (determinant * determinant > firm * xx * yy * zz) {
        return solve_columns(columns, determinant, miss);
    }
    float xy = gt_vec3_dot(x, y);
    float xz = gt_vec3_dot(x, z);
    float across = gt_vec3_dot(y, z);
    float e = damping * (xx + yy + zz) / 3.0f;
    const GtVec3 damped[3] = { { xx + e, xy, xz }, { xy, yy + e, across }, { xz, across, zz + e } };
    determinant = determinant_of(damped);
    GtVec3 right = gt_vec3(gt_vec3_dot(x, miss), gt_vec3_dot(y, miss), gt_vec3_dot(z, miss));
    return fabsf(determinant) > 0.0f ? solve_columns(damped, determinant, right) : gt_vec3(0.0f, 0.0f, 0.0f);
}

static GtVec3 undo_vertex(const GtiUnskin* u, const GtiUnskinFrame* frame, int32_t m, int32_t v)
{
    GtMat34 skin = matrix_of(u, frame, m, v);
    GtVec3 delta = undo_damped(&skin, gt_vec3_sub(frame->wanted[v], gt_mat34_point(&skin, rest_of(u, frame, v))));
    return is_in_reach(delta) ? delta : gt_vec3(0.0f, 0.0f, 0.0f);
}

void gti_unskin_damped(const GtiUnskin* u, const GtiUnskinFrame* frame, int32_t first, int32_t end, GtVec3* deltas)
{
    int32_t begin = 0;
    int32_t part_end = 0;
    for (int32_t m = 0; m < u->shell->figure->def->mesh_count; ++m) {
        if (part_of(u, m, first, end, &begin, &part_end)) {
            for (int32_t v = begin; v < part_end; ++v) {
                deltas[v - first] = undo_vertex(u, frame, m, v);
            }
        }
    }
}

void gti_unskin_samples(const GtiUnskin* u, const GtiUnskinFrame* frame, int32_t step, GtVec3* deltas)
{
    const GtCharacterDef* def = u->shell->figure->def;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        for (int32_t i = 0; i < def->meshes[m].vertex_count; i += step) {
            *deltas++ = undo_vertex(u, frame, m, u->shell->first_vertex[m] + i);
        }
    }
}

void gti_unskin_errors(const GtiUnskin* u, const GtiUnskinFrame* frame, int32_t first, int32_t end,
                       const GtVec3* deltas, GtiUnskinErrors* out)
{
    int32_t begin = 0;
    int32_t part_end = 0;
    *out = (GtiUnskinErrors){ .worst = 0.0f };
    for (int32_t m = 0; m < u->shell->figure->def->mesh_count; ++m) {
        if (!part_of(u, m, first, end, &begin, &part_end)) {
            continue;
        }
        for (int32_t v = begin; v < part_end; ++v) {
            GtMat34 skin = matrix_of(u, frame, m, v);
            GtVec3 miss = gt_vec3_sub(gt_mat34_point(&skin, rest_of(u, frame, v)), frame->wanted[v]);
            GtVec3 off = gt_vec3_add(miss, gt_mat34_vector(&skin, deltas[v - first]));
            float square = gt_vec3_dot(off, off);
            out->worst = square > out->worst ? square : out->worst;
            out->sum += (double)square;
            out->bare_sum += (double)gt_vec3_dot(miss, miss);
        }
    }
}

// Turn a vector as a turns into b, both of unit length, by the shortest way.
static GtVec3 turn_along(GtVec3 a, GtVec3 b, GtVec3 v)
{
    float cosine = gt_vec3_dot(a, b);
    if (cosine < -0.999f) {
        return gt_quat_rotate(gt_quat_between(a, b), v);
    }
    GtVec3 axis = gt_vec3_cross(a, b);
    GtVec3 along = gt_vec3_scale(axis, gt_vec3_dot(axis, v) / (1.0f + cosine));
    return gt_vec3_add(gt_vec3_add(gt_vec3_scale(v, cosine), gt_vec3_cross(axis, v)), along);
}

static GtVec3 turned_normal(const GtiUnskin* u, const GtiUnskinFrame* frame, int32_t v)
{
    GtVec3 before = u->rest_normals[u->groups[v]];
    GtVec3 after = gt_vec3_normalize_or(frame->normals[u->groups[v]], before);
    return turn_along(before, after, u->bound_normals[v]);
}

void gti_unskin_turn_normals(const GtiUnskin* u, const GtiUnskinFrame* frame, GtVec3* out)
{
    for (int32_t v = 0; v < u->shell->vertex_count; ++v) {
        out[v] = gt_vec3_normalize_or(turned_normal(u, frame, v), u->bound_normals[v]);
    }
}

void gti_unskin_normals(const GtiUnskin* u, const GtiUnskinFrame* frame, int32_t first, int32_t end, GtVec3* deltas)
{
    int32_t begin = 0;
    int32_t part_end = 0;
    memset(deltas, 0, (size_t)(end - first) * sizeof *deltas);
    for (int32_t m = 0; m < u->shell->figure->def->mesh_count; ++m) {
        const GtVec3* own = u->shell->figure->def->meshes[m].normals;
        if (!own || !part_of(u, m, first, end, &begin, &part_end)) {
            continue;
        }
        for (int32_t v = begin; v < part_end; ++v) {
            GtMat34 skin = matrix_of(u, frame, m, v);
            GtVec3 turned = turned_normal(u, frame, v);
            GtVec3 normal = own[v - u->shell->first_vertex[m]];
            turned = gt_vec3(gt_vec3_dot(column_of(&skin, 0), turned), gt_vec3_dot(column_of(&skin, 1), turned),
                             gt_vec3_dot(column_of(&skin, 2), turned));
            deltas[v - first] = gt_vec3_sub(gt_vec3_normalize_or(turned, normal), normal);
            if (frame->own_normals) {
                deltas[v - first] = gt_vec3_sub(deltas[v - first], frame->own_normals[v]);
            }
        }
    }
}

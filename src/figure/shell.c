// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The bind pose is the one in which skinning changes nothing: joints at the inverses of their inverse bind matrices. It
// is carried to where the topmost joint of a skin rests, so that units and axes of the mesh are those of the model.
// The rest pose of a file may be anything; what deforms must start from the surface as it was made.

#include "figure/shell.h"

#include "base/bounds.h"
#include "base/hash.h"
#include "base/union_find.h"

#include "gertie/surface.h"

#include <string.h>

static const double weld_tolerance = 1e-5; // of the size: seams whose sides are rounded differently

typedef struct Maker {
    const GtContext* context;
    GtFigure* figure;
    GtArena* arena; // of the figure
    GtArena scratch;
    GtiShell* shell;
    GtError* error;
    bool* is_bound;   // [node_count] by a skin
    GtMat34* carries; // [skin_count] model_from_mesh
    GtVec3* vertices; // [vertex_count]
} Maker;

static GtResult count_body(Maker* k)
{
    GtiShell* shell = k->shell;
    const GtCharacterDef* def = shell->figure->def;
    size_t size = (size_t)def->mesh_count + 1;
    shell->first_vertex = gt_arena_push_array(k->arena, size, sizeof *shell->first_vertex);
    shell->first_triangle = gt_arena_push_array(k->arena, size, sizeof *shell->first_triangle);
    if (!shell->first_vertex || !shell->first_triangle) {
        return gti_out_of_memory(k->error);
    }
    int64_t vertices = 0;
    int64_t triangles = 0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        vertices += def->meshes[m].vertex_count;
        triangles += def->meshes[m].index_count / 3;
        if (vertices > INT32_MAX / 4 || triangles > INT32_MAX / 4) {
            return gti_fail(k->error, GT_ERROR_LIMIT, "the meshes have more than %d vertices or triangles",
                            INT32_MAX / 4);
        }
        shell->first_vertex[m + 1] = (int32_t)vertices;
        shell->first_triangle[m + 1] = (int32_t)triangles;
    }
    shell->vertex_count = (int32_t)vertices;
    shell->triangle_count = (int32_t)triangles;
    return triangles > 0 ? GT_OK : gti_fail(k->error, GT_ERROR_NOT_FOUND, "there is no mesh with triangles in it");
}

// Bind the joints of a skin. It is carried by a joint that another skin binds already, or by its topmost.
static void bind_skin(Maker* k, int32_t s)
{
    GtiShell* shell = k->shell;
    const GtSkinDef* skin = &shell->figure->def->skins[s];
    int32_t by = 0;
    for (int32_t j = 1; j < skin->joint_count; ++j) {
        bool is_bound = k->is_bound[skin->joints[by]];
        if (k->is_bound[skin->joints[j]] ? !is_bound || skin->joints[j] < skin->joints[by]
                                         : !is_bound && skin->joints[j] < skin->joints[by]) {
            by = j;
        }
    }
    k->carries[s] = gt_mat34_mul(shell->bind[skin->joints[by]], skin->joint_from_mesh[by]);
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        bool ok = false;
        int32_t node = skin->joints[j];
        GtMat34 mesh_from_joint = gt_mat34_inverse(&skin->joint_from_mesh[j], &ok);
        if (ok && !k->is_bound[node]) {
            shell->bind[node] = gt_mat34_mul(k->carries[s], mesh_from_joint);
            k->is_bound[node] = true;
        }
    }
}

// Skins with many joints first; then nodes that no skin binds follow their parents.
static GtResult bind_all(Maker* k)
{
    GtFigure* figure = k->figure;
    const GtCharacterDef* def = figure->def;
    k->shell->bind = gt_arena_push_array(k->arena, (size_t)def->node_count, sizeof *k->shell->bind);
    k->is_bound = gt_arena_push_array(&k->scratch, (size_t)def->node_count, sizeof *k->is_bound);
    k->carries = gt_arena_push_array(&k->scratch, (size_t)def->skin_count, sizeof *k->carries);
    bool* is_done = gt_arena_push_array(&k->scratch, (size_t)def->skin_count, sizeof *is_done);
    if (!k->shell->bind || !k->is_bound || !k->carries || !is_done) {
        return gti_out_of_memory(k->error);
    }
    gt_instance_reset(figure->instance);
    gt_instance_update(figure->instance);
    memcpy(k->shell->bind, figure->instance->model_from_node, (size_t)def->node_count * sizeof *k->shell->bind);
    for (int32_t i = 0; i < def->skin_count; ++i) {
        int32_t next = GT_NONE;
        for (int32_t s = 0; s < def->skin_count; ++s) {
            if (!is_done[s] && (next == GT_NONE || def->skins[s].joint_count > def->skins[next].joint_count)) {
                next = s;
            }
        }
        is_done[next] = true;
        bind_skin(k, next);
    }
    for (int32_t n = 0; n < def->node_count; ++n) {
        if (!k->is_bound[n] && def->parents[n] != GT_NONE) {
            k->shell->bind[n] = gt_mat34_mul(k->shell->bind[def->parents[n]], gt_mat34_from_transform(def->rest[n]));
        }
    }
    return GT_OK;
}

static GtResult pose_vertices(Maker* k)
{
    GtiShell* shell = k->shell;
    const GtCharacterDef* def = shell->figure->def;
    GtInstance* instance = shell->figure->instance;
    GtMat34* matrices = gt_arena_push_array(&k->scratch, (size_t)def->node_count, sizeof *matrices);
    k->vertices = gt_arena_push_array(&k->scratch, (size_t)shell->vertex_count, sizeof *k->vertices);
    if (!matrices || !k->vertices) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        const GtMeshDef* mesh = &def->meshes[m];
        memcpy(matrices, shell->bind, (size_t)def->node_count * sizeof *matrices);
        for (int32_t j = 0; mesh->skin != GT_NONE && j < def->skins[mesh->skin].joint_count; ++j) {
            bool ok = false;
            GtMat34 mesh_from_joint = gt_mat34_inverse(&def->skins[mesh->skin].joint_from_mesh[j], &ok);
            if (ok) {
                matrices[def->skins[mesh->skin].joints[j]] = gt_mat34_mul(k->carries[mesh->skin], mesh_from_joint);
            }
        }
        gt_harmonic_skin_pose(shell->figure->character, matrices, NULL, instance->model_from_point, instance->scratch);
        gt_deform(&(GtDeformJob){
            .character = shell->figure->character,
            .mesh = m,
            .model_from_node = matrices,
            .weights = instance->weights,
            .model_from_point = instance->model_from_point,
            .out_positions = k->vertices + shell->first_vertex[m],
            .scratch = instance->scratch,
        });
    }
    instance->has_points = false;
    for (int32_t v = 0; v < shell->vertex_count; ++v) {
        GtVec3 p = k->vertices[v];
        if (!gt_vec3_is_finite(p)) {
            return gti_fail(k->error, GT_ERROR_BAD_VALUE, "a vertex of the bind pose is not finite");
        }
    }
    return GT_OK;
}

static GtResult weld(Maker* k)
{
    GtiShell* shell = k->shell;
    const GtCharacterDef* def = shell->figure->def;
    shell->size_m = (double)gti_bounds_diagonal(gti_bounds_of(k->vertices, shell->vertex_count));
    int32_t* firsts = gt_arena_push_array(&k->scratch, (size_t)shell->vertex_count, sizeof *firsts);
    shell->points = gt_arena_push_array(k->arena, (size_t)shell->vertex_count, sizeof *shell->points);
    shell->corners = gt_arena_push_array(k->arena, 3 * (size_t)shell->triangle_count, sizeof *shell->corners);
    if (!firsts || !shell->points || !shell->corners) {
        return gti_out_of_memory(k->error);
    }
    GtResult result =
        gt_weld_vertices(k->context, k->vertices, shell->vertex_count, (float)(weld_tolerance * shell->size_m),
                         shell->points, firsts, &shell->point_count, k->error);
    if (result != GT_OK) {
        return result;
    }
    shell->positions = gt_arena_push_array(k->arena, (size_t)shell->point_count, sizeof *shell->positions);
    if (!shell->positions) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t p = 0; p < shell->point_count; ++p) {
        shell->positions[p] = k->vertices[firsts[p]];
    }
    uint32_t* to = shell->corners;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        for (int32_t i = 0; i < def->meshes[m].index_count; ++i) {
            *to++ = (uint32_t)shell->points[(uint32_t)shell->first_vertex[m] + def->meshes[m].indices[i]];
        }
    }
    return GT_OK;
}

static GtResult find_pieces(Maker* k)
{
    GtiShell* shell = k->shell;
    int32_t* sets = gt_arena_push_array(k->arena, (size_t)shell->point_count, sizeof *sets);
    if (!sets) {
        return gti_out_of_memory(k->error);
    }
    gti_sets_start(sets, shell->point_count);
    for (int32_t t = 0; t < shell->triangle_count; ++t) {
        const uint32_t* c = &shell->corners[3 * (size_t)t];
        gti_sets_join(sets, (int32_t)c[0], (int32_t)c[1]);
        gti_sets_join(sets, (int32_t)c[0], (int32_t)c[2]);
    }
    shell->piece_count = gti_sets_number(sets, shell->point_count);
    shell->pieces = sets;
    shell->piece_areas = gt_arena_push_array(k->arena, (size_t)shell->piece_count, sizeof *shell->piece_areas);
    if (!shell->piece_areas) {
        return gti_out_of_memory(k->error);
    }
    shell->outward = 1.0f;
    double volume = 0.0;
    for (int32_t t = 0; t < shell->triangle_count; ++t) {
        GtVec3 normal = gti_shell_normal(shell, t);
        double area_m2 = 0.5 * (double)gt_vec3_length(normal);
        GtVec3 from_first = gt_vec3_sub(gti_shell_corner(shell, t, 0), shell->positions[0]);
        volume += (double)gt_vec3_dot(normal, from_first);
        shell->piece_areas[shell->pieces[shell->corners[3 * (size_t)t]]] += area_m2;
        shell->area_m2 += area_m2;
    }
    shell->outward = volume < 0.0 ? -1.0f : 1.0f;
    return GT_OK;
}

static uint64_t hash_of(const GtCharacterDef* def)
{
    uint64_t hash = 0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        const GtMeshDef* mesh = &def->meshes[m];
        hash = gti_hash(hash, mesh->positions, (size_t)mesh->vertex_count * sizeof *mesh->positions);
        hash = gti_hash(hash, mesh->indices, (size_t)mesh->index_count * sizeof *mesh->indices);
    }
    return hash;
}

GtResult gti_figure_shell(const GtContext* context, GtFigure* figure, const GtiShell** out, GtError* error)
{
    *out = figure->shell;
    if (figure->shell) {
        return GT_OK;
    }
    GtiShell* shell = gt_arena_push_array(&figure->arena, 1, sizeof *shell);
    if (!shell) {
        return gti_out_of_memory(error);
    }
    shell->figure = figure;
    Maker k = { .context = context,
                .figure = figure,
                .arena = &figure->arena,
                .scratch = gt_arena_create(context->allocator),
                .shell = shell,
                .error = error };
    GtResult result = GT_OK;
    GtResult (*const steps[])(Maker*) = { count_body, bind_all, pose_vertices, weld, find_pieces };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == GT_OK; ++i) {
        result = steps[i](&k);
    }
    gt_arena_destroy(&k.scratch);
    if (result != GT_OK) {
        gti_error_set_file(error, figure->scene->source.file);
        return result;
    }
    shell->hash = hash_of(figure->def);
    *out = figure->shell = shell;
    return GT_OK;
}

int32_t gti_shell_triangle(const GtiShell* shell, int32_t mesh, int32_t primitive, int64_t triangle)
{
    const GtCharacterDef* def = shell->figure->def;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        if (def->meshes[m].source_mesh == mesh && def->meshes[m].source_primitive == primitive) {
            bool is_there = triangle >= 0 && triangle < def->meshes[m].index_count / 3;
            return is_there ? shell->first_triangle[m] + (int32_t)triangle : GT_NONE;
        }
    }
    return GT_NONE;
}

void gti_shell_source(const GtiShell* shell, int32_t triangle, int32_t* mesh, int32_t* primitive, int32_t* source)
{
    const GtCharacterDef* def = shell->figure->def;
    int32_t m = 0;
    while (m + 1 < def->mesh_count && shell->first_triangle[m + 1] <= triangle) {
        ++m;
    }
    *mesh = def->meshes[m].source_mesh;
    *primitive = def->meshes[m].source_primitive;
    *source = triangle - shell->first_triangle[m];
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The mask of section k at a vertex: the sum, over the joints i of its limb, of the vertex's weight of i times ramp_k
// times (1 - ramp_j) of all sections j before it that have i in their limb, too. As these products sum to at most 1 for
// each joint, and weights to 1, so do masks. Ramps have two derivatives without jumps across a border.
//
// The gradient of a mask is that of its linear interpolation over the triangles, averaged at each place by their areas;
// vertices that a seam splits share it.

#include "sculpt/section_bind.h"

#include "base/fail.h"
#include "geometry/welder.h"

#include <math.h>
#include <string.h>

static const float least_mask = 1e-6f;

typedef struct Binder {
    const GtCharacterDef* def;
    const GtMeshDef* mesh;
    const GtSkinDef* skin; // or NULL
    const bool* ends;
    GtArena* arena;
    GtArena scratch;
    uint8_t* limb;           // [node_count] of the section at hand
    float* left;             // [vertex_count * influences] what sections before have left of each weight
    int32_t influence_count; // 1 without a skin
    float* masks;            // [vertex_count] of the section at hand
    int32_t* points;         // [vertex_count] place of each vertex
    GtVec3* gradients;       // [point_count]
    float* areas;            // [point_count] of the triangles around each
    int32_t point_count;
    GtMat34* model_from_node; // [node_count] at rest
    GtError* error;
} Binder;

static GtResult weld(Binder* b)
{
    GtiWelder welder = { .allocator = b->arena->allocator };
    bool ok = true;
    for (int32_t v = 0; v < b->mesh->vertex_count && ok; ++v) {
        b->points[v] = gti_welder_add(&welder, b->mesh->positions[v]);
        ok = b->points[v] != GT_NONE;
    }
    b->point_count = (int32_t)welder.count;
    gti_welder_release(&welder);
    return ok ? GT_OK : gti_out_of_memory(b->error);
}

static GtResult open_binder(Binder* b, const GtCharacter* character)
{
    size_t vertices = (size_t)b->mesh->vertex_count;
    size_t nodes = (size_t)b->def->node_count;
    b->influence_count = b->skin ? b->mesh->influence_count : 1;
    size_t weights = vertices * (size_t)b->influence_count;
    b->limb = gt_arena_push_array(&b->scratch, nodes, sizeof *b->limb);
    b->left = gt_arena_push_array(&b->scratch, weights, sizeof *b->left);
    b->masks = gt_arena_push_array(&b->scratch, vertices, sizeof *b->masks);
    b->points = gt_arena_push_array(&b->scratch, vertices, sizeof *b->points);
    b->gradients = gt_arena_push_array(&b->scratch, vertices, sizeof *b->gradients);
    b->areas = gt_arena_push_array(&b->scratch, vertices, sizeof *b->areas);
    b->model_from_node = gt_arena_push_array(&b->scratch, nodes, sizeof *b->model_from_node);
    if (!b->limb || !b->left || !b->masks || !b->points || !b->gradients || !b->areas || !b->model_from_node) {
        return gti_out_of_memory(b->error);
    }
    for (size_t i = 0; i < weights; ++i) {
        b->left[i] = 1.0f;
    }
    gt_character_to_model(character, b->def->rest, b->model_from_node);
    return weld(b);
}

// Where the mesh is beside a joint, as the runtime has it: by the skin, or else at rest.
static bool find_node_from_mesh(const Binder* b, int32_t node, GtMat34* out)
{
    for (int32_t j = 0; b->skin && j < b->skin->joint_count; ++j) {
        if (b->skin->joints[j] == node) {
            *out = b->skin->joint_from_mesh[j];
            return true;
        }
    }
    bool ok = false;
    GtMat34 model_from_mesh = b->model_from_node[b->mesh->node];
    if (b->skin) {
        model_from_mesh = gt_mat34_mul(b->model_from_node[b->skin->joints[0]], b->skin->joint_from_mesh[0]);
    }
    *out = gt_mat34_mul(gt_mat34_inverse(&b->model_from_node[node], &ok), model_from_mesh);
    return ok;
}

static float smooth(float x)
{
    x = fminf(fmaxf(x, 0.0f), 1.0f);
    return x * x * x * (x * (6.0f * x - 15.0f) + 10.0f);
}

static float ramp(const float border[3], GtVec3 in_box)
{
    float product = 1.0f;
    for (int a = 0; a < 3; ++a) {
        float c = (&in_box.x)[a];
        product *= border[a] > 0.0f ? smooth(fminf(c, 1.0f - c) / border[a]) : 1.0f;
    }
    return product;
}

// What of a vertex is left for the section at hand; `held` of that is taken.
static float take(const Binder* b, int32_t v, float held)
{
    float sum = 0.0f;
    for (int32_t i = 0; i < b->influence_count; ++i) {
        size_t at = (size_t)v * (size_t)b->influence_count + (size_t)i;
        int32_t node = b->skin ? b->skin->joints[b->mesh->joints[at]] : b->mesh->node;
        if (b->limb[node]) {
            sum += (b->skin ? b->mesh->weights[at] : 1.0f) * b->left[at];
            b->left[at] *= 1.0f - held;
        }
    }
    return fminf(sum * held, 1.0f);
}

// Masks of a section; returns how many vertices have one.
static int32_t mask_vertices(const Binder* b, const GtSculptSection* section, const GtMat34* box_from_mesh)
{
    int32_t count = 0;
    for (int32_t v = 0; v < b->mesh->vertex_count; ++v) {
        float held = ramp(section->border, gt_mat34_point(box_from_mesh, b->mesh->positions[v]));
        float mask = held > 0.0f ? take(b, v, held) : 0.0f;
        b->masks[v] = mask >= least_mask ? mask : 0.0f;
        count += b->masks[v] > 0.0f;
    }
    return count;
}

static void find_gradients(const Binder* b)
{
    memset(b->gradients, 0, (size_t)b->point_count * sizeof *b->gradients);
    memset(b->areas, 0, (size_t)b->point_count * sizeof *b->areas);
    for (int32_t i = 0; i + 2 < b->mesh->index_count; i += 3) {
        const uint32_t* corner = &b->mesh->indices[i];
        const GtVec3* p = b->mesh->positions;
        const float m[3] = { b->masks[corner[0]], b->masks[corner[1]], b->masks[corner[2]] };
        GtVec3 edges[3]; // opposite to each corner
        for (int k = 0; k < 3; ++k) {
            edges[k] = gt_vec3_sub(p[corner[(k + 2) % 3]], p[corner[(k + 1) % 3]]);
        }
        GtVec3 normal = gt_vec3_cross(edges[2], gt_vec3_scale(edges[1], -1.0f));
        float area = gt_vec3_length(normal);
        if (!(area > 0.0f) || (m[0] == m[1] && m[1] == m[2])) {
            for (int k = 0; k < 3; ++k) {
                b->areas[b->points[corner[k]]] += area > 0.0f ? area : 0.0f;
            }
            continue;
        }
        GtVec3 gradient = gt_vec3(0.0f, 0.0f, 0.0f); // times the area
        for (int k = 0; k < 3; ++k) {
            gradient = gt_vec3_add(gradient, gt_vec3_scale(gt_vec3_cross(normal, edges[k]), m[k] / area));
        }
        for (int k = 0; k < 3; ++k) {
            int32_t point = b->points[corner[k]];
            b->gradients[point] = gt_vec3_add(b->gradients[point], gradient);
            b->areas[point] += area;
        }
    }
}

static GtResult keep(const Binder* b, int32_t section, int32_t count, GtSectionBindDef* out)
{
    uint32_t* vertices = gt_arena_push_array(b->arena, (size_t)count, sizeof *vertices);
    float* masks = gt_arena_push_array(b->arena, (size_t)count, sizeof *masks);
    GtVec3* gradients = gt_arena_push_array(b->arena, (size_t)count, sizeof *gradients);
    if (!vertices || !masks || !gradients) {
        return gti_out_of_memory(b->error);
    }
    int32_t at = 0;
    for (int32_t v = 0; v < b->mesh->vertex_count; ++v) {
        if (b->masks[v] > 0.0f) {
            int32_t point = b->points[v];
            vertices[at] = (uint32_t)v;
            masks[at] = b->masks[v];
            gradients[at++] = b->areas[point] > 0.0f ? gt_vec3_scale(b->gradients[point], 1.0f / b->areas[point])
                                                     : gt_vec3(0.0f, 0.0f, 0.0f);
        }
    }
    *out = (GtSectionBindDef){ section, count, vertices, masks, gradients };
    return GT_OK;
}

static bool mark_limb(Binder* b, const GtCharacter* character, const GtSculptSection* section)
{
    for (int32_t n = 0; n < b->def->node_count; ++n) {
        b->limb[n] = 0;
    }
    int32_t node = gt_character_node_from_source(character, section->def.node);
    if (node == GT_NONE) {
        return false;
    }
    gti_limb_mark(b->def, b->ends, node, 1, b->limb);
    for (int32_t i = 0; i < section->with_count; ++i) {
        int32_t other = gt_character_node_from_source(character, section->with_nodes[i]);
        if (other != GT_NONE) {
            gti_limb_mark(b->def, b->ends, other, (uint8_t)(i + 2), b->limb);
        }
    }
    return true;
}

static GtResult bind_section(Binder* b, const GtCharacter* character, const GtSculpt* sculpt, int32_t k,
                             GtiSectionBinds* out)
{
    const GtSculptSection* section = &sculpt->sections[k];
    GtMat34 node_from_mesh;
    bool ok = false;
    GtMat34 box_from_space = gt_mat34_inverse(&section->def.lattice.space_from_box, &ok);
    if (section->def.node == GT_NONE || !ok || !mark_limb(b, character, section) ||
        !find_node_from_mesh(b, gt_character_node_from_source(character, section->def.node), &node_from_mesh)) {
        return GT_OK;
    }
    GtMat34 box_from_mesh = gt_mat34_mul(box_from_space, node_from_mesh);
    int32_t count = mask_vertices(b, section, &box_from_mesh);
    if (count == 0) {
        return GT_OK;
    }
    find_gradients(b);
    return keep(b, k, count, &out->binds[out->count++]);
}

GtResult gti_section_bind(GtArena* arena, const GtCharacter* character, const bool* ends, const GtSculpt* sculpt,
                          int32_t mesh, GtiSectionBinds* out, GtError* error)
{
    const GtCharacterDef* def = gt_character_def(character);
    Binder b = { .def = def,
                 .mesh = &def->meshes[mesh],
                 .skin = def->meshes[mesh].skin != GT_NONE ? &def->skins[def->meshes[mesh].skin] : NULL,
                 .ends = ends,
                 .arena = arena,
                 .scratch = gt_arena_create(arena->allocator),
                 .error = error };
    *out = (GtiSectionBinds){ .binds = gt_arena_push_array(arena, (size_t)sculpt->section_count, sizeof *out->binds) };
    GtResult result = out->binds ? open_binder(&b, character) : gti_out_of_memory(error);
    for (int32_t k = 0; k < sculpt->section_count && result == GT_OK; ++k) {
        result = bind_section(&b, character, sculpt, k, out);
    }
    gt_arena_destroy(&b.scratch);
    return result;
}

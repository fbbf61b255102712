// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The mask of section k at a vertex: the sum, over the joints i of its limb, of the vertex's weight of i times ramp_k
// times (1 - ramp_j) of all sections j before it that have i in their limb, too. As these products sum to at most 1 for
// each joint, and weights to 1, so do masks. Ramps have two derivatives without jumps across a border.
//
// The gradient of a mask is that of its linear interpolation over the triangles, averaged at each place by their areas.
// Vertices at one place share it, whether a seam splits them or they are of different primitives or meshes, as long as
// these are skinned from one space: normals have no seam where there is none at rest.

#include "sections/section_bind.h"

#include "base/fail.h"
#include "base/scalar.h"
#include "geometry/welder.h"

#include <math.h>
#include <string.h>

static const float least_mask = 1e-6f;

enum {
    MOST_SPACES = 64 // that skins are compared with
};

// A mesh of the character.
typedef struct Part {
    const GtMeshDef* mesh;
    const GtSkinDef* skin;   // or NULL
    float* left;             // [vertex_count * influence_count] what sections before have left of each weight
    float* masks;            // [vertex_count] of the section at hand
    int32_t* points;         // [vertex_count] place of each vertex
    int32_t influence_count; // 1 without a skin
    int32_t held_count;      // vertices that the section at hand holds
    int32_t next;            // part in the same space, or GT_NONE
} Part;

// Where vertices of parts are comparable.
typedef struct Space {
    const GtSkinDef* skin; // the first that is bound from it, or NULL
    int32_t first, last;   // parts
} Space;

typedef struct Binder {
    const GtCharacter* character;
    const GtCharacterDef* def;
    const bool* ends;
    GtArena* arena;
    GtArena scratch;
    Part* parts; // [mesh_count]
    Space* spaces;
    int32_t space_count;
    int32_t* skin_spaces;     // [skin_count] or GT_NONE
    int32_t* joints;          // [node_count] of the skin at hand, or GT_NONE
    uint8_t* limb;            // [node_count] of the section at hand
    GtVec3* gradients;        // [point_count]
    float* areas;             // [point_count] of the triangles around each
    int32_t point_count;      // of all parts
    GtMat34* model_from_node; // [node_count] at rest
    GtError* error;
} Binder;

// Whether another skin binds a joint as this one does: their meshes are in one space then.
// own_joints: [node_count] joint of this skin, or GT_NONE
static bool binds_alike(const GtSkinDef* own, const int32_t* own_joints, const GtSkinDef* other)
{
    for (int32_t i = 0; i < other->joint_count; ++i) {
        int32_t joint = own_joints[other->joints[i]];
        if (joint != GT_NONE) {
            return memcmp(&own->joint_from_mesh[joint], &other->joint_from_mesh[i], sizeof(GtMat34)) == 0;
        }
    }
    return false;
}

static int32_t find_space(const Binder* b, int32_t part)
{
    const Part* own = &b->parts[part];
    if (!own->skin) { // parts of one node come one after the other
        bool same = part > 0 && !own[-1].skin && own[-1].mesh->node == own->mesh->node;
        return same ? b->space_count - 1 : GT_NONE;
    }
    int32_t found = b->skin_spaces[own->mesh->skin];
    if (found != GT_NONE) {
        return found;
    }
    for (int32_t n = 0; n < b->def->node_count; ++n) {
        b->joints[n] = GT_NONE;
    }
    for (int32_t j = 0; j < own->skin->joint_count; ++j) {
        b->joints[own->skin->joints[j]] = j;
    }
    for (int32_t i = 0; i < b->space_count && i < MOST_SPACES && found == GT_NONE; ++i) {
        const GtSkinDef* other = b->spaces[i].skin;
        found = other && binds_alike(own->skin, b->joints, other) ? i : GT_NONE;
    }
    return found;
}

static void group_parts(Binder* b)
{
    for (int32_t i = 0; i < b->def->skin_count; ++i) {
        b->skin_spaces[i] = GT_NONE;
    }
    for (int32_t i = 0; i < b->def->mesh_count; ++i) {
        int32_t space = find_space(b, i);
        if (space == GT_NONE) {
            space = b->space_count++;
            b->spaces[space] = (Space){ b->parts[i].skin, i, i };
        } else {
            b->parts[b->spaces[space].last].next = i;
            b->spaces[space].last = i;
        }
        if (b->parts[i].skin) {
            b->skin_spaces[b->parts[i].mesh->skin] = space;
        }
    }
}

static bool weld(Binder* b, const Space* space)
{
    GtiWelder welder = { .allocator = b->arena->allocator };
    bool ok = true;
    for (int32_t p = space->first; p != GT_NONE && ok; p = b->parts[p].next) {
        const Part* part = &b->parts[p];
        for (int32_t v = 0; v < part->mesh->vertex_count && ok; ++v) {
            int32_t point = gti_welder_add(&welder, part->mesh->positions[v]);
            part->points[v] = b->point_count + point;
            ok = point != GT_NONE;
        }
    }
    b->point_count += (int32_t)welder.count;
    gti_welder_release(&welder);
    return ok;
}

static bool open_part(Binder* b, int32_t mesh)
{
    Part* part = &b->parts[mesh];
    part->mesh = &b->def->meshes[mesh];
    part->skin = part->mesh->skin != GT_NONE ? &b->def->skins[part->mesh->skin] : NULL;
    part->influence_count = part->skin ? part->mesh->influence_count : 1;
    part->next = GT_NONE;
    size_t vertices = (size_t)part->mesh->vertex_count;
    size_t weights = vertices * (size_t)part->influence_count;
    part->left = gt_arena_push_array(&b->scratch, weights, sizeof *part->left);
    part->masks = gt_arena_push_array(&b->scratch, vertices, sizeof *part->masks);
    part->points = gt_arena_push_array(&b->scratch, vertices, sizeof *part->points);
    for (size_t i = 0; part->left && i < weights; ++i) {
        part->left[i] = 1.0f;
    }
    return part->left && part->masks && part->points;
}

static GtResult open_binder(Binder* b)
{
    size_t nodes = (size_t)b->def->node_count;
    size_t meshes = (size_t)b->def->mesh_count;
    b->parts = gt_arena_push_array(&b->scratch, meshes, sizeof *b->parts);
    b->spaces = gt_arena_push_array(&b->scratch, meshes, sizeof *b->spaces);
    b->skin_spaces = gt_arena_push_array(&b->scratch, (size_t)b->def->skin_count, sizeof *b->skin_spaces);
    b->joints = gt_arena_push_array(&b->scratch, nodes, sizeof *b->joints);
    b->limb = gt_arena_push_array(&b->scratch, nodes, sizeof *b->limb);
    b->model_from_node = gt_arena_push_array(&b->scratch, nodes, sizeof *b->model_from_node);
    bool ok = b->parts && b->spaces && b->skin_spaces && b->joints && b->limb && b->model_from_node;
    for (int32_t m = 0; m < b->def->mesh_count && ok; ++m) {
        ok = open_part(b, m);
    }
    if (!ok) {
        return gti_out_of_memory(b->error);
    }
    group_parts(b);
    for (int32_t i = 0; i < b->space_count && ok; ++i) {
        ok = weld(b, &b->spaces[i]);
    }
    b->gradients = gt_arena_push_array(&b->scratch, (size_t)b->point_count, sizeof *b->gradients);
    b->areas = gt_arena_push_array(&b->scratch, (size_t)b->point_count, sizeof *b->areas);
    gt_character_to_model(b->character, b->def->rest, b->model_from_node);
    return ok && b->gradients && b->areas ? GT_OK : gti_out_of_memory(b->error);
}

// Where the mesh is beside a joint, as the runtime has it: by the skin, or else at rest.
static bool find_node_from_mesh(const Binder* b, const Part* part, int32_t node, GtMat34* out)
{
    const GtSkinDef* skin = part->skin;
    for (int32_t j = 0; skin && j < skin->joint_count; ++j) {
        if (skin->joints[j] == node) {
            *out = skin->joint_from_mesh[j];
            return true;
        }
    }
    bool ok = false;
    GtMat34 model_from_mesh = b->model_from_node[part->mesh->node];
    if (skin) {
        model_from_mesh = gt_mat34_mul(b->model_from_node[skin->joints[0]], skin->joint_from_mesh[0]);
    }
    *out = gt_mat34_mul(gt_mat34_inverse(&b->model_from_node[node], &ok), model_from_mesh);
    return ok;
}

static float ramp(const float border[3], GtVec3 in_box)
{
    float product = 1.0f;
    for (int a = 0; a < 3; ++a) {
        float c = (&in_box.x)[a];
        product *= border[a] > 0.0f ? gti_quintic_stepf(fminf(c, 1.0f - c) / border[a]) : 1.0f;
    }
    return product;
}

// What of a vertex is left for the section at hand; `held` of that is taken.
static float take(const Binder* b, const Part* part, int32_t v, float held)
{
    float sum = 0.0f;
    for (int32_t i = 0; i < part->influence_count; ++i) {
        size_t at = (size_t)v * (size_t)part->influence_count + (size_t)i;
        int32_t node = part->skin ? part->skin->joints[part->mesh->joints[at]] : part->mesh->node;
        if (b->limb[node]) {
            sum += (part->skin ? part->mesh->weights[at] : 1.0f) * part->left[at];
            part->left[at] *= 1.0f - held;
        }
    }
    return fminf(sum * held, 1.0f);
}

static void mask_vertices(const Binder* b, const float border[3], const GtMat34* box_from_mesh, Part* part)
{
    for (int32_t v = 0; v < part->mesh->vertex_count; ++v) {
        float held = ramp(border, gt_mat34_point(box_from_mesh, part->mesh->positions[v]));
        float mask = held > 0.0f ? take(b, part, v, held) : 0.0f;
        part->masks[v] = mask >= least_mask ? mask : 0.0f;
        part->held_count += part->masks[v] > 0.0f;
    }
}

static void add_gradients(const Binder* b, const Part* part)
{
    for (int32_t i = 0; i + 2 < part->mesh->index_count; i += 3) {
        const uint32_t* corner = &part->mesh->indices[i];
        const GtVec3* p = part->mesh->positions;
        const float m[3] = { part->masks[corner[0]], part->masks[corner[1]], part->masks[corner[2]] };
        GtVec3 edges[3]; // opposite to each corner
        for (int k = 0; k < 3; ++k) {
            edges[k] = gt_vec3_sub(p[corner[(k + 2) % 3]], p[corner[(k + 1) % 3]]);
        }
        GtVec3 normal = gt_vec3_cross(edges[2], gt_vec3_scale(edges[1], -1.0f));
        float area = gt_vec3_length(normal);
        if (!(area > 0.0f) || (m[0] == m[1] && m[1] == m[2])) {
            for (int k = 0; k < 3; ++k) {
                b->areas[part->points[corner[k]]] += area > 0.0f ? area : 0.0f;
            }
            continue;
        }
        GtVec3 gradient = gt_vec3(0.0f, 0.0f, 0.0f); // times the area
        for (int k = 0; k < 3; ++k) {
            gradient = gt_vec3_add(gradient, gt_vec3_scale(gt_vec3_cross(normal, edges[k]), m[k] / area));
        }
        for (int k = 0; k < 3; ++k) {
            int32_t point = part->points[corner[k]];
            b->gradients[point] = gt_vec3_add(b->gradients[point], gradient);
            b->areas[point] += area;
        }
    }
}

static GtResult keep(const Binder* b, const Part* part, int32_t section, GtiSectionBinds* out)
{
    size_t count = (size_t)part->held_count;
    uint32_t* vertices = gt_arena_push_array(b->arena, count, sizeof *vertices);
    float* masks = gt_arena_push_array(b->arena, count, sizeof *masks);
    GtVec3* gradients = gt_arena_push_array(b->arena, count, sizeof *gradients);
    if (!vertices || !masks || !gradients) {
        return gti_out_of_memory(b->error);
    }
    int32_t at = 0;
    for (int32_t v = 0; v < part->mesh->vertex_count; ++v) {
        if (part->masks[v] > 0.0f) {
            int32_t point = part->points[v];
            vertices[at] = (uint32_t)v;
            masks[at] = part->masks[v];
            gradients[at++] = b->areas[point] > 0.0f ? gt_vec3_scale(b->gradients[point], 1.0f / b->areas[point])
                                                     : gt_vec3(0.0f, 0.0f, 0.0f);
        }
    }
    out->binds[out->count++] = (GtSectionBindDef){ section, part->held_count, vertices, masks, gradients };
    return GT_OK;
}

static bool mark_limb(Binder* b, const GtSculptSection* section)
{
    for (int32_t n = 0; n < b->def->node_count; ++n) {
        b->limb[n] = 0;
    }
    int32_t node = gt_character_node_from_source(b->character, section->def.node);
    if (node == GT_NONE) {
        return false;
    }
    gti_limb_mark(b->def, b->ends, node, 1, b->limb);
    for (int32_t i = 0; i < section->with_count; ++i) {
        int32_t other = gt_character_node_from_source(b->character, section->with_nodes[i]);
        if (other != GT_NONE) {
            gti_limb_mark(b->def, b->ends, other, (uint8_t)(i + 2), b->limb);
        }
    }
    return true;
}

static GtResult bind_section(Binder* b, const GtSculpt* sculpt, int32_t k, GtiSectionBinds* out)
{
    const GtSculptSection* section = &sculpt->sections[k];
    bool ok = false;
    GtMat34 box_from_space = gt_mat34_inverse(&section->def.lattice.space_from_box, &ok);
    if (section->def.node == GT_NONE || !ok || !mark_limb(b, section)) {
        return GT_OK;
    }
    int32_t node = gt_character_node_from_source(b->character, section->def.node);
    int32_t held_count = 0;
    for (int32_t m = 0; m < b->def->mesh_count; ++m) {
        Part* part = &b->parts[m];
        GtMat34 node_from_mesh;
        part->held_count = 0;
        if (find_node_from_mesh(b, part, node, &node_from_mesh)) {
            GtMat34 box_from_mesh = gt_mat34_mul(box_from_space, node_from_mesh);
            mask_vertices(b, section->border, &box_from_mesh, part);
            held_count += part->held_count > 0;
        }
    }
    if (held_count == 0) {
        return GT_OK;
    }
    memset(b->gradients, 0, (size_t)b->point_count * sizeof *b->gradients);
    memset(b->areas, 0, (size_t)b->point_count * sizeof *b->areas);
    GtResult result = GT_OK;
    for (int32_t m = 0; m < b->def->mesh_count; ++m) {
        if (b->parts[m].held_count > 0) {
            add_gradients(b, &b->parts[m]);
        }
    }
    for (int32_t m = 0; m < b->def->mesh_count && result == GT_OK; ++m) {
        result = b->parts[m].held_count > 0 ? keep(b, &b->parts[m], k, &out[m]) : GT_OK;
    }
    return result;
}

GtResult gti_section_bind(GtArena* arena, const GtCharacter* character, const bool* ends, const GtSculpt* sculpt,
                          GtiSectionBinds* out, GtError* error)
{
    Binder b = { .character = character,
                 .def = gt_character_def(character),
                 .ends = ends,
                 .arena = arena,
                 .scratch = gt_arena_create(arena->allocator),
                 .error = error };
    bool ok = true;
    for (int32_t m = 0; m < b.def->mesh_count && ok; ++m) {
        out[m] =
            (GtiSectionBinds){ gt_arena_push_array(arena, (size_t)sculpt->section_count, sizeof *out[m].binds), 0 };
        ok = out[m].binds;
    }
    GtResult result = ok ? open_binder(&b) : gti_out_of_memory(error);
    for (int32_t k = 0; k < sculpt->section_count && result == GT_OK; ++k) {
        result = bind_section(&b, sculpt, k, out);
    }
    gt_arena_destroy(&b.scratch);
    return result;
}

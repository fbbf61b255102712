// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where a bone ends: at the next joint of the vocabulary; without one, at the joint below it that moves most of the
// surface; at the last bone of a limb, as far out as nearly all of the surface that it moves.

#include "harmonic/markers/bone_tree.h"

#include "base/quat_double.h"
#include "base/sort.h"

#include <math.h>

static const double tip_share = 0.95; // of the points of a last bone lie before its end

typedef struct Maker {
    const GtiShell* shell;
    const GtCharacterDef* def;
    GtArena* arena;
    GtArena scratch;
    GtiBoneTree* bones;
    int32_t* joint_of_node; // [node_count] GtHumanoidJoint or GT_NONE
    int32_t* subtrees;      // [count] points of a bone and all below it
    GtError* error;
} Maker;

// Bones that continue those above them.
static int32_t next_joint(int32_t joint)
{
    switch (joint) {
    case GT_HUMANOID_HIPS:
    case GT_HUMANOID_SPINE:
    case GT_HUMANOID_CHEST:
    case GT_HUMANOID_NECK:
        return joint + 1;
    case GT_HUMANOID_UPPER_CHEST:
        return GT_HUMANOID_NECK;
    case GT_HUMANOID_LEFT_HAND:
        return GT_HUMANOID_LEFT_MIDDLE_PROXIMAL;
    case GT_HUMANOID_RIGHT_HAND:
        return GT_HUMANOID_RIGHT_MIDDLE_PROXIMAL;
    default:
        return GT_NONE;
    }
}

static bool is_of_face(int32_t joint)
{
    return joint == GT_HUMANOID_LEFT_EYE || joint == GT_HUMANOID_RIGHT_EYE || joint == GT_HUMANOID_JAW;
}

static void mark_moving_nodes(const GtCharacterDef* def, uint8_t* moves)
{
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        const GtMeshDef* mesh = &def->meshes[m];
        if (mesh->skin == GT_NONE) {
            moves[mesh->node] = 1;
            continue;
        }
        size_t count = (size_t)mesh->vertex_count * (size_t)mesh->influence_count;
        for (size_t i = 0; i < count; ++i) {
            if (mesh->weights[i] > 0.0f) {
                moves[def->skins[mesh->skin].joints[mesh->joints[i]]] = 1;
            }
        }
    }
}

static GtResult choose_bones(Maker* k)
{
    const GtFigure* figure = k->shell->figure;
    size_t node_count = (size_t)k->def->node_count;
    uint8_t* chosen = gt_arena_push_array(&k->scratch, node_count, sizeof *chosen);
    k->joint_of_node = gt_arena_push_array(&k->scratch, node_count, sizeof *k->joint_of_node);
    k->bones->of_nodes = gt_arena_push_array(k->arena, node_count, sizeof *k->bones->of_nodes);
    k->bones->bones = gt_arena_push_array(k->arena, node_count, sizeof *k->bones->bones);
    if (!chosen || !k->joint_of_node || !k->bones->of_nodes || !k->bones->bones) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t n = 0; n < k->def->node_count; ++n) {
        k->joint_of_node[n] = GT_NONE;
    }
    if (figure->is_humanoid) {
        for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            if (figure->joints[j] != GT_NONE && !is_of_face(j)) {
                k->joint_of_node[figure->joints[j]] = j;
                chosen[figure->joints[j]] = 1;
            }
        }
    } else {
        mark_moving_nodes(k->def, chosen);
    }
    for (int32_t n = 0; n < k->def->node_count; ++n) {
        int32_t parent = k->def->parents[n] == GT_NONE ? GT_NONE : k->bones->of_nodes[k->def->parents[n]];
        k->bones->of_nodes[n] = parent;
        if (chosen[n]) {
            k->bones->bones[k->bones->count] = (GtiMarkerBone){ .node = n,
                                                                .joint = k->joint_of_node[n],
                                                                .parent = parent,
                                                                .next = GT_NONE,
                                                                .from = gt_mat34_translation(&k->shell->bind[n]),
                                                                .to = gt_mat34_translation(&k->shell->bind[n]) };
            k->bones->of_nodes[n] = k->bones->count++;
        }
    }
    for (int32_t n = 0; n < k->def->node_count; ++n) { // what hangs above all bones goes with the topmost
        k->bones->of_nodes[n] = k->bones->of_nodes[n] == GT_NONE ? 0 : k->bones->of_nodes[n];
    }
    return k->bones->count > 0 ? GT_OK : gti_fail(k->error, GT_ERROR_NOT_FOUND, "no joint has any weight on the mesh");
}

static int32_t strongest_bone(const Maker* k, const GtMeshDef* mesh, int32_t vertex)
{
    if (mesh->skin == GT_NONE) {
        return k->bones->of_nodes[mesh->node];
    }
    const int32_t* joints = k->def->skins[mesh->skin].joints;
    size_t first = (size_t)vertex * (size_t)mesh->influence_count;
    int32_t best = GT_NONE;
    float most = -1.0f;
    for (int32_t i = 0; i < mesh->influence_count; ++i) {
        int32_t bone = k->bones->of_nodes[joints[mesh->joints[first + (size_t)i]]];
        float sum = 0.0f;
        for (int32_t j = 0; j < mesh->influence_count; ++j) {
            bool same = k->bones->of_nodes[joints[mesh->joints[first + (size_t)j]]] == bone;
            sum += same ? mesh->weights[first + (size_t)j] : 0.0f;
        }
        if (sum > most) {
            most = sum;
            best = bone;
        }
    }
    return best;
}

static GtResult share_surface(Maker* k)
{
    GtiBoneTree* bones = k->bones;
    const GtiShell* shell = k->shell;
    bones->of_points = gt_arena_push_array(k->arena, (size_t)shell->point_count, sizeof *bones->of_points);
    bones->of_triangles = gt_arena_push_array(k->arena, (size_t)shell->triangle_count, sizeof *bones->of_triangles);
    k->subtrees = gt_arena_push_array(&k->scratch, (size_t)bones->count, sizeof *k->subtrees);
    if (!bones->of_points || !bones->of_triangles || !k->subtrees) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t p = 0; p < shell->point_count; ++p) {
        bones->of_points[p] = GT_NONE;
    }
    for (int32_t m = 0; m < k->def->mesh_count; ++m) {
        for (int32_t v = 0; v < k->def->meshes[m].vertex_count; ++v) {
            int32_t point = shell->points[shell->first_vertex[m] + v];
            if (bones->of_points[point] == GT_NONE) {
                bones->of_points[point] = strongest_bone(k, &k->def->meshes[m], v);
                ++bones->bones[bones->of_points[point]].point_count;
            }
        }
    }
    for (int32_t t = 0; t < shell->triangle_count; ++t) {
        const uint32_t* c = &shell->corners[3 * (size_t)t];
        int32_t b = bones->of_points[c[1]];
        bones->of_triangles[t] = b == bones->of_points[c[2]] ? b : bones->of_points[c[0]];
    }
    for (int32_t b = bones->count - 1; b >= 0; --b) {
        k->subtrees[b] += bones->bones[b].point_count;
        if (bones->bones[b].parent != GT_NONE) {
            k->subtrees[bones->bones[b].parent] += k->subtrees[b];
        }
    }
    return GT_OK;
}

// The next bone of the vocabulary, past joints that are not there; else the child with most of the surface.
static void find_next(const Maker* k, int32_t b)
{
    GtiMarkerBone* bone = &k->bones->bones[b];
    int32_t wanted = bone->joint;
    while (wanted != GT_NONE && bone->next == GT_NONE) {
        wanted = next_joint(wanted);
        for (int32_t c = b + 1; wanted != GT_NONE && c < k->bones->count; ++c) {
            if (k->bones->bones[c].joint == wanted && k->bones->bones[c].parent == b) {
                bone->next = c;
            }
        }
    }
    if (bone->next != GT_NONE) {
        return;
    }
    for (int32_t c = b + 1; c < k->bones->count; ++c) {
        if (k->bones->bones[c].parent == b && k->subtrees[c] > (bone->next == GT_NONE ? 0 : k->subtrees[bone->next])) {
            bone->next = c;
        }
    }
}

// A last bone points at the middle of what it moves.
static GtResult find_tip(Maker* k, int32_t b)
{
    GtiMarkerBone* bone = &k->bones->bones[b];
    GtArenaMark mark = gt_arena_mark(&k->scratch);
    float* along = gt_arena_push_array(&k->scratch, (size_t)bone->point_count, sizeof *along);
    if (!along) {
        return gti_out_of_memory(k->error);
    }
    GtiVec sum = gti_vec(0.0, 0.0, 0.0);
    for (int32_t p = 0; p < k->shell->point_count; ++p) {
        if (k->bones->of_points[p] == b) {
            sum = gti_vec_add(sum, gti_vec_from(gt_vec3_sub(k->shell->positions[p], bone->from)));
        }
    }
    GtVec3 axis = gt_vec3_normalize_or(gti_vec_to_float(sum), gt_vec3(0, 1, 0));
    int32_t count = 0;
    for (int32_t p = 0; p < k->shell->point_count; ++p) {
        if (k->bones->of_points[p] == b) {
            along[count++] = gt_vec3_dot(gt_vec3_sub(k->shell->positions[p], bone->from), axis);
        }
    }
    gti_sort_floats(along, count);
    float length = along[(int32_t)(tip_share * (double)(count - 1))];
    bone->to = gt_vec3_add(bone->from, gt_vec3_scale(axis, fmaxf(length, 0.0f)));
    gt_arena_reset(&k->scratch, mark);
    return GT_OK;
}

static GtResult lay_bones(Maker* k)
{
    GtResult result = GT_OK;
    for (int32_t b = 0; b < k->bones->count && result == GT_OK; ++b) {
        GtiMarkerBone* bone = &k->bones->bones[b];
        find_next(k, b);
        if (bone->next != GT_NONE) {
            bone->to = k->bones->bones[bone->next].from;
        }
        float length = gt_vec3_length(gt_vec3_sub(bone->to, bone->from));
        if (length < 1e-4f * (float)k->shell->size_m && bone->point_count > 0) {
            result = find_tip(k, b);
        }
        bone->length_m = gt_vec3_length(gt_vec3_sub(bone->to, bone->from));
        bone->axis = gt_vec3_normalize_or(gt_vec3_sub(bone->to, bone->from), gt_vec3(0.0f, 1.0f, 0.0f));
    }
    return result;
}

GtResult gti_bone_tree_find(const GtiShell* shell, GtArena* arena, GtiBoneTree* out, GtError* error)
{
    *out = (GtiBoneTree){ 0 };
    Maker k = { .shell = shell,
                .def = shell->figure->def,
                .arena = arena,
                .scratch = gt_arena_create(arena->allocator),
                .bones = out,
                .error = error };
    GtResult (*const steps[])(Maker*) = { choose_bones, share_surface, lay_bones };
    GtResult result = GT_OK;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == GT_OK; ++i) {
        result = steps[i](&k);
    }
    gt_arena_destroy(&k.scratch);
    return result;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One joint after the other takes the rigid motion that serves the surface best while the others stay (Le and Deng,
// Smooth Skinning Decomposition with Rigid Bones, 2012). Vertices come in only through their moments: those of weights
// and rest positions are summed once, those with the wanted positions once a frame, so that rounds cost nothing. A few
// hundred vertices a joint tell enough.
//
// A weak pull towards where it is decides what the surface leaves open, as the twist of a finger. Joints start from the
// clip's own motion, and go along with their parents.

#include "harmonic/bake/joint_fit.h"

#include "base/rotation.h"

#include <math.h>
#include <string.h>

enum {
    MOST_JOINTS = 1024,
    SAMPLES = 256, // vertices a joint
    ROUNDS = 8
};

static const double pull = 1e-3;       // towards where a joint is, as part of the weight of the surface
static const double least_size = 0.01; // of the body, that a joint's part of it is taken for at least

static void to_square(const GtMat34* a, double out[4][4])
{
    for (int i = 0; i < 12; ++i) {
        out[i / 4][i % 4] = (double)a->m[i / 4][i % 4];
    }
    out[3][0] = out[3][1] = out[3][2] = 0.0;
    out[3][3] = 1.0;
}

static GtMat34 from_square(double a[4][4])
{
    GtMat34 out;
    for (int i = 0; i < 12; ++i) {
        out.m[i / 4][i % 4] = (float)a[i / 4][i % 4];
    }
    return out;
}

static void multiply(double a[4][4], double b[4][4], double out[4][4])
{
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] + a[i][3] * b[3][j];
        }
    }
}

static const GtMeshDef* mesh_of(const GtiUnskin* u, int32_t vertex, int32_t* m, int32_t* index)
{
    while (u->shell->first_vertex[*m + 1] <= vertex) {
        ++*m;
    }
    *index = vertex - u->shell->first_vertex[*m];
    return &u->shell->figure->def->meshes[*m];
}

// The joint that an influence is of, or GT_NONE.
static int32_t joint_of(const GtiJointFit* fit, const GtMeshDef* mesh, size_t influence)
{
    const GtSkinDef* skin = &fit->unskin->shell->figure->def->skins[mesh->skin];
    return fit->of_nodes[skin->joints[mesh->joints[influence]]];
}

// Nodes that have weight and whose bind pose can be undone.
static GtResult find_joints(GtiJointFit* fit, GtArena* arena, GtError* error)
{
    const GtiShell* shell = fit->unskin->shell;
    const GtCharacterDef* def = shell->figure->def;
    fit->of_nodes = gt_arena_push_array(arena, (size_t)def->node_count, sizeof *fit->of_nodes);
    if (!fit->of_nodes) {
        return gti_out_of_memory(error);
    }
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        const GtMeshDef* mesh = &def->meshes[m];
        size_t count = (size_t)mesh->vertex_count * (size_t)mesh->influence_count;
        for (size_t i = 0; i < count && mesh->skin != GT_NONE; ++i) {
            fit->of_nodes[def->skins[mesh->skin].joints[mesh->joints[i]]] |= mesh->weights[i] > 0.0f;
        }
    }
    int32_t count = 0;
    for (int32_t n = 0; n < def->node_count; ++n) {
        bool ok = fit->of_nodes[n] != 0;
        if (ok) {
            gt_mat34_inverse(&shell->bind[n], &ok);
        }
        fit->of_nodes[n] = ok ? count++ : GT_NONE;
    }
    if (count > MOST_JOINTS) {
        return GT_OK;
    }
    fit->joints = gt_arena_push_array(arena, (size_t)count, sizeof *fit->joints);
    if (!fit->joints) {
        return gti_out_of_memory(error);
    }
    fit->joint_count = count;
    for (int32_t j = 0, n = 0; j < count; ++n) {
        if (fit->of_nodes[n] != GT_NONE) {
            GtMat34 unbind = gt_mat34_inverse(&shell->bind[n], NULL);
            int32_t parent = def->parents[n];
            while (parent != GT_NONE && fit->of_nodes[parent] == GT_NONE) {
                parent = def->parents[parent];
            }
            fit->joints[j].node = n;
            fit->joints[j].parent = parent == GT_NONE ? GT_NONE : fit->of_nodes[parent];
            to_square(&unbind, fit->joints[j++].unbind);
        }
    }
    return GT_OK;
}

// Of each joint's vertices, those that it moves most, some.
static GtResult take_samples(GtiJointFit* fit, GtArena* arena, GtError* error)
{
    const GtiUnskin* u = fit->unskin;
    int32_t* owners = gt_arena_push_array(arena, (size_t)u->shell->vertex_count, sizeof *owners);
    int32_t* counts = gt_arena_push_array(arena, (size_t)fit->joint_count, sizeof *counts);
    int32_t* seen = gt_arena_push_array(arena, (size_t)fit->joint_count, sizeof *seen);
    fit->samples = gt_arena_push_array(arena, (size_t)u->shell->vertex_count, sizeof *fit->samples);
    if (!owners || !counts || !seen || !fit->samples) {
        return gti_out_of_memory(error);
    }
    int32_t m = 0;
    for (int32_t v = 0; v < u->shell->vertex_count; ++v) {
        int32_t index = 0;
        float most = 0.0f;
        const GtMeshDef* mesh = mesh_of(u, v, &m, &index);
        owners[v] = GT_NONE;
        for (int32_t i = 0; i < mesh->influence_count && mesh->skin != GT_NONE; ++i) {
            size_t at = (size_t)index * (size_t)mesh->influence_count + (size_t)i;
            if (mesh->weights[at] > most) {
                most = mesh->weights[at];
                owners[v] = joint_of(fit, mesh, at);
            }
        }
        if (owners[v] != GT_NONE) {
            ++counts[owners[v]];
        }
    }
    for (int32_t v = 0; v < u->shell->vertex_count; ++v) {
        int32_t owner = owners[v];
        if (owner != GT_NONE && seen[owner]++ % (counts[owner] / SAMPLES + 1) == 0) {
            fit->samples[fit->sample_count++] = v;
        }
    }
    return GT_OK;
}

static void add_outer(double sum[4][4], GtVec3 p, double weight)
{
    double x[4] = { (double)p.x, (double)p.y, (double)p.z, 1.0 };
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            sum[i][j] += weight * x[i] * x[j];
        }
    }
}

// Visit all pairs of joints that a sample has: count them, or sum their moments.
// places: [joint_count^2] 0 for pairs that never meet
static void visit_pairs(GtiJointFit* fit, int32_t* places, bool sums)
{
    const GtiShell* shell = fit->unskin->shell;
    int32_t m = 0;
    for (int32_t s = 0; s < fit->sample_count; ++s) {
        int32_t index = 0;
        int32_t v = fit->samples[s];
        const GtMeshDef* mesh = mesh_of(fit->unskin, v, &m, &index);
        size_t first = (size_t)index * (size_t)mesh->influence_count;
        for (size_t i = first; i < first + (size_t)mesh->influence_count; ++i) {
            for (size_t k = first; k < first + (size_t)mesh->influence_count; ++k) {
                int32_t a = joint_of(fit, mesh, i);
                int32_t b = joint_of(fit, mesh, k);
                double weight = (double)mesh->weights[i] * (double)mesh->weights[k];
                if (a == GT_NONE || b == GT_NONE || !(weight > 0.0)) {
                    continue;
                }
                int32_t* place = &places[(size_t)a * (size_t)fit->joint_count + (size_t)b];
                if (sums) {
                    add_outer(fit->pairs[*place].moments, shell->positions[shell->points[v]], weight);
                } else {
                    fit->pair_count += *place == 0;
                    *place = 1;
                }
            }
        }
    }
}

static GtResult sum_moments(GtiJointFit* fit, GtArena* arena, GtError* error)
{
    size_t count = (size_t)fit->joint_count;
    int32_t* places = gt_arena_push_array(arena, count * count, sizeof *places);
    if (!places) {
        return gti_out_of_memory(error);
    }
    visit_pairs(fit, places, false);
    fit->pairs = gt_arena_push_array(arena, (size_t)fit->pair_count, sizeof *fit->pairs);
    if (!fit->pairs) {
        return gti_out_of_memory(error);
    }
    int32_t made = 0;
    for (int32_t a = 0; a < fit->joint_count; ++a) {
        fit->joints[a].first_pair = made;
        fit->joints[a].self = GT_NONE;
        for (int32_t b = 0; b < fit->joint_count; ++b) {
            int32_t* place = &places[(size_t)a * count + (size_t)b];
            if (*place) {
                *place = made;
                fit->joints[a].self = a == b ? made : fit->joints[a].self;
                fit->pairs[made++] = (GtiJointPair){ .a = a, .b = b };
            }
        }
    }
    visit_pairs(fit, places, true);
    return GT_OK;
}

GtResult gti_joint_fit_open(const GtiUnskin* unskin, GtArena* arena, GtiJointFit* out, GtError* error)
{
    *out = (GtiJointFit){ .unskin = unskin };
    GtResult result = find_joints(out, arena, error);
    if (result == GT_OK && out->joint_count > 0) {
        result = take_samples(out, arena, error);
    }
    if (result == GT_OK && out->joint_count > 0) {
        result = sum_moments(out, arena, error);
    }
    return result;
}

static void sum_right(GtiJointFit* fit, const GtVec3* wanted)
{
    const GtiShell* shell = fit->unskin->shell;
    int32_t m = 0;
    for (int32_t a = 0; a < fit->joint_count; ++a) {
        memset(fit->joints[a].right, 0, sizeof fit->joints[a].right);
    }
    for (int32_t s = 0; s < fit->sample_count; ++s) {
        int32_t index = 0;
        int32_t v = fit->samples[s];
        const GtMeshDef* mesh = mesh_of(fit->unskin, v, &m, &index);
        GtVec3 x = shell->positions[shell->points[v]];
        double from[4] = { (double)x.x, (double)x.y, (double)x.z, 1.0 };
        double to[3] = { (double)wanted[v].x, (double)wanted[v].y, (double)wanted[v].z };
        for (int32_t i = 0; i < mesh->influence_count; ++i) {
            size_t at = (size_t)index * (size_t)mesh->influence_count + (size_t)i;
            double weight = (double)mesh->weights[at];
            int32_t a = weight > 0.0 ? joint_of(fit, mesh, at) : GT_NONE;
            if (a == GT_NONE) {
                continue;
            }
            double* right = &fit->joints[a].right[0][0];
            for (int e = 0; e < 4; ++e, right += 3) {
                double by = weight * from[e];
                right[0] += by * to[0];
                right[1] += by * to[1];
                right[2] += by * to[2];
            }
        }
    }
}

// What is left for a joint when all others have done their part, as moments with where the clip has its surface.
static void find_rest(const GtiJointFit* fit, int32_t a, double out[4][3])
{
    const GtiFitJoint* joint = &fit->joints[a];
    double rest[4][3];
    memcpy(rest, joint->right, sizeof rest);
    for (int32_t p = joint->first_pair; p < fit->pair_count && fit->pairs[p].a == a; ++p) {
        const GtiJointPair* pair = &fit->pairs[p];
        if (pair->b != a) {
            const GtiFitJoint* other = &fit->joints[pair->b];
            for (int e = 0; e < 12; ++e) {
                const double* row = pair->moments[e / 3];
                const double* by = other->fitted[e % 3];
                rest[e / 3][e % 3] -= row[0] * by[0] + row[1] * by[1] + row[2] * by[2] + row[3] * by[3];
            }
        }
    }
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 3; ++j) {
            const double* row = joint->moved[i];
            out[i][j] = row[0] * rest[0][j] + row[1] * rest[1][j] + row[2] * rest[2][j] + row[3] * rest[3][j];
        }
    }
}

// The rigid motion that takes what the clip made of a joint's surface to what is left for it.
static void fit_joint(GtiJointFit* fit, int32_t a, double least_m)
{
    GtiFitJoint* joint = &fit->joints[a];
    if (joint->self == GT_NONE) {
        return;
    }
    double half[4][4];
    double own[4][4];
    double turned[4][4];
    double rest[4][3];
    multiply(joint->moved, fit->pairs[joint->self].moments, half);
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            turned[i][j] = joint->moved[j][i];
        }
    }
    multiply(half, turned, own);
    find_rest(fit, a, rest);
    double mass = own[3][3];
    double spread = 0.0;
    double cross[3][3];
    double from[3];
    double to[3];
    for (int i = 0; i < 3; ++i) {
        from[i] = own[i][3] / mass;
        to[i] = rest[3][i] / mass;
        spread += own[i][i] / mass - from[i] * from[i];
    }
    spread = fmax(spread, 0.0) / 3.0 + least_m * least_m;
    double part = pull;
    do {
        for (int i = 0; i < 9; ++i) {
            cross[i / 3][i % 3] =
                rest[i % 3][i / 3] - mass * to[i / 3] * from[i % 3] + part * mass * spread * joint->by[i / 3][i % 3];
        }
        part *= 10.0;
    } while (!(gti_determinant3(cross) > 0.0) && part < 1e6);
    if (gti_determinant3(cross) > 0.0) {
        gti_nearest_rotation(cross);
        for (int i = 0; i < 3; ++i) {
            memcpy(joint->by[i], cross[i], sizeof cross[i]);
        }
    }
    for (int i = 0; i < 3; ++i) {
        const double* row = joint->by[i];
        joint->by[i][3] = to[i] - row[0] * from[0] - row[1] * from[1] - row[2] * from[2];
    }
    multiply(joint->by, joint->moved, joint->fitted);
}

// Start from what the clip does, carried along by what the parent was fitted to.
static void start_joint(GtiJointFit* fit, int32_t a)
{
    GtiFitJoint* joint = &fit->joints[a];
    if (joint->parent != GT_NONE) {
        memcpy(joint->by, fit->joints[joint->parent].by, sizeof joint->by);
        multiply(joint->by, joint->moved, joint->fitted);
    }
}

// Nodes take the motion of their joints; others hang on. What no rotation and translation of a node can do is left.
static void take_pose(GtiJointFit* fit)
{
    const GtiShell* shell = fit->unskin->shell;
    const GtCharacterDef* def = shell->figure->def;
    GtInstance* instance = shell->figure->instance;
    for (int32_t n = 0; n < def->node_count; ++n) {
        int32_t parent = def->parents[n];
        GtMat34 above = parent == GT_NONE ? gt_mat34_identity() : instance->model_from_node[parent];
        bool ok = fit->of_nodes[n] != GT_NONE;
        GtMat34 down = ok ? gt_mat34_inverse(&above, &ok) : above;
        if (ok) {
            GtMat34 moved = gt_mat34_mul(from_square(fit->joints[fit->of_nodes[n]].fitted), shell->bind[n]);
            GtMat34 local = gt_mat34_mul(down, moved);
            GtTransform t = gt_transform_from_mat34(&local, NULL);
            GtVec3 off = gt_vec3_sub(t.scale, instance->pose[n].scale);
            bool is_rigid = gt_vec3_length(off) < 1e-3f * gt_vec3_length(t.scale);
            if (is_rigid && gt_vec3_is_finite(t.translation)) { // which may overflow
                instance->pose[n].translation = t.translation;
                instance->pose[n].rotation = t.rotation;
            }
        }
        instance->model_from_node[n] = gt_mat34_mul(above, gt_mat34_from_transform(instance->pose[n]));
    }
}

void gti_joint_fit_pose(GtiJointFit* fit, const GtVec3* wanted)
{
    const GtiShell* shell = fit->unskin->shell;
    if (fit->joint_count == 0) {
        return;
    }
    for (int32_t a = 0; a < fit->joint_count; ++a) {
        double model[4][4];
        to_square(&shell->figure->instance->model_from_node[fit->joints[a].node], model);
        multiply(model, fit->joints[a].unbind, fit->joints[a].moved);
        memcpy(fit->joints[a].fitted, fit->joints[a].moved, sizeof fit->joints[a].fitted);
        GtMat34 identity = gt_mat34_identity();
        to_square(&identity, fit->joints[a].by);
    }
    sum_right(fit, wanted);
    for (int round = 0; round < ROUNDS; ++round) {
        for (int32_t a = 0; a < fit->joint_count; ++a) {
            if (round == 0) {
                start_joint(fit, a);
            }
            fit_joint(fit, a, least_size * shell->size_m);
        }
    }
    take_pose(fit);
}

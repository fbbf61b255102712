// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "collide/collider.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

static const float FINGERS = 0.9f; // of a hand's and a foot's length, to where its capsule goes

int gti_collider_part_of(int32_t joint)
{
    static const int8_t of_joint[GT_HUMANOID_LEFT_THUMB_METACARPAL] = {
        [GT_HUMANOID_HIPS] = GTI_COLLIDER_PELVIS,
        [GT_HUMANOID_SPINE] = GTI_COLLIDER_BELLY,
        [GT_HUMANOID_CHEST] = GTI_COLLIDER_CHEST,
        [GT_HUMANOID_UPPER_CHEST] = GTI_COLLIDER_CHEST,
        [GT_HUMANOID_NECK] = GTI_COLLIDER_HEAD,
        [GT_HUMANOID_HEAD] = GTI_COLLIDER_HEAD,
        [GT_HUMANOID_LEFT_EYE] = GTI_COLLIDER_HEAD,
        [GT_HUMANOID_RIGHT_EYE] = GTI_COLLIDER_HEAD,
        [GT_HUMANOID_JAW] = GTI_COLLIDER_HEAD,
        [GT_HUMANOID_LEFT_UPPER_LEG] = GTI_COLLIDER_LEFT_THIGH,
        [GT_HUMANOID_LEFT_LOWER_LEG] = GTI_COLLIDER_LEFT_SHANK,
        [GT_HUMANOID_LEFT_FOOT] = GTI_COLLIDER_LEFT_FOOT,
        [GT_HUMANOID_LEFT_TOES] = GTI_COLLIDER_LEFT_FOOT,
        [GT_HUMANOID_RIGHT_UPPER_LEG] = GTI_COLLIDER_RIGHT_THIGH,
        [GT_HUMANOID_RIGHT_LOWER_LEG] = GTI_COLLIDER_RIGHT_SHANK,
        [GT_HUMANOID_RIGHT_FOOT] = GTI_COLLIDER_RIGHT_FOOT,
        [GT_HUMANOID_RIGHT_TOES] = GTI_COLLIDER_RIGHT_FOOT,
        [GT_HUMANOID_LEFT_SHOULDER] = GTI_COLLIDER_CHEST,
        [GT_HUMANOID_LEFT_UPPER_ARM] = GTI_COLLIDER_LEFT_UPPER_ARM,
        [GT_HUMANOID_LEFT_LOWER_ARM] = GTI_COLLIDER_LEFT_FOREARM,
        [GT_HUMANOID_LEFT_HAND] = GTI_COLLIDER_LEFT_HAND,
        [GT_HUMANOID_RIGHT_SHOULDER] = GTI_COLLIDER_CHEST,
        [GT_HUMANOID_RIGHT_UPPER_ARM] = GTI_COLLIDER_RIGHT_UPPER_ARM,
        [GT_HUMANOID_RIGHT_LOWER_ARM] = GTI_COLLIDER_RIGHT_FOREARM,
        [GT_HUMANOID_RIGHT_HAND] = GTI_COLLIDER_RIGHT_HAND,
    };
    if (joint < 0 || joint >= GT_HUMANOID_JOINT_COUNT) {
        return GT_NONE;
    }
    if (joint < GT_HUMANOID_LEFT_THUMB_METACARPAL) {
        return of_joint[joint];
    }
    return joint < GT_HUMANOID_RIGHT_THUMB_METACARPAL ? GTI_COLLIDER_LEFT_HAND : GTI_COLLIDER_RIGHT_HAND;
}

typedef struct Fitter {
    const GtFigure* figure;
    const GtMat34* rest;
    const GtQuat* rest_rotations;
    GtArena scratch;
    int8_t* parts;                           // [nodes] that a node belongs to, or GT_NONE
    int32_t counts[GTI_COLLIDER_PART_COUNT]; // of vertices
    GtVec3* points[GTI_COLLIDER_PART_COUNT]; // [counts] in the axes of the part's node
    int32_t joints[GTI_COLLIDER_PART_COUNT]; // of the vocabulary that parts move with
    int32_t nodes[GTI_COLLIDER_PART_COUNT];  // and their nodes, or GT_NONE
} Fitter;

// The first of a part's joints that a figure has.
static int32_t joint_of(const GtFigure* figure, int part)
{
    static const int8_t first[GTI_COLLIDER_PART_COUNT] = {
        GT_HUMANOID_HEAD,       GT_HUMANOID_UPPER_CHEST,     GT_HUMANOID_SPINE,
        GT_HUMANOID_HIPS,       GT_HUMANOID_LEFT_UPPER_ARM,  GT_HUMANOID_LEFT_LOWER_ARM,
        GT_HUMANOID_LEFT_HAND,  GT_HUMANOID_LEFT_UPPER_LEG,  GT_HUMANOID_LEFT_LOWER_LEG,
        GT_HUMANOID_LEFT_FOOT,  GT_HUMANOID_RIGHT_UPPER_ARM, GT_HUMANOID_RIGHT_LOWER_ARM,
        GT_HUMANOID_RIGHT_HAND, GT_HUMANOID_RIGHT_UPPER_LEG, GT_HUMANOID_RIGHT_LOWER_LEG,
        GT_HUMANOID_RIGHT_FOOT,
    };
    int32_t joint = first[part];
    while (part == GTI_COLLIDER_CHEST && joint > GT_HUMANOID_HIPS && figure->joints[joint] == GT_NONE) {
        --joint;
    }
    return joint;
}

// Nodes belong to the part of the joint of the vocabulary that they are or hang from. Necks are of none: around one, a
// head's hull would close what is under the chin.
static bool find_parts(Fitter* f)
{
    const GtCharacterDef* def = f->figure->def;
    f->parts = gt_arena_push_array(&f->scratch, (size_t)def->node_count, sizeof *f->parts);
    for (int32_t i = 0; f->parts && i < def->node_count; ++i) {
        f->parts[i] = def->parents[i] == GT_NONE ? GT_NONE : f->parts[def->parents[i]];
        for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            if (f->figure->joints[j] == i) {
                f->parts[i] = (int8_t)(j == GT_HUMANOID_NECK ? GT_NONE : gti_collider_part_of(j));
            }
        }
    }
    return f->parts != NULL;
}

// Show every vertex of the skin with the node that moves it most.
static void show_vertices(Fitter* f, void (*visit)(Fitter* f, int32_t node, GtMat34 node_from_mesh, GtVec3 place))
{
    const GtCharacterDef* def = f->figure->def;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        const GtMeshDef* mesh = &def->meshes[m];
        const GtSkinDef* skin = mesh->skin == GT_NONE ? NULL : &def->skins[mesh->skin];
        for (int32_t v = 0; v < mesh->vertex_count; ++v) {
            if (!skin) {
                visit(f, mesh->node, gt_mat34_identity(), mesh->positions[v]);
                continue;
            }
            const uint16_t* joints = mesh->joints + (size_t)v * (size_t)mesh->influence_count;
            const float* weights = mesh->weights + (size_t)v * (size_t)mesh->influence_count;
            int best = 0;
            for (int k = 1; k < mesh->influence_count; ++k) {
                best = weights[k] > weights[best] ? k : best;
            }
            visit(f, skin->joints[joints[best]], skin->joint_from_mesh[joints[best]], mesh->positions[v]);
        }
    }
}

static void count_vertex(Fitter* f, int32_t node, GtMat34 node_from_mesh, GtVec3 place)
{
    (void)node_from_mesh;
    (void)place;
    if (f->parts[node] != GT_NONE) {
        ++f->counts[f->parts[node]];
    }
}

static void take_vertex(Fitter* f, int32_t node, GtMat34 node_from_mesh, GtVec3 place)
{
    int part = f->parts[node];
    if (part == GT_NONE || f->nodes[part] == GT_NONE) {
        return;
    }
    GtVec3 at = gt_mat34_point(&f->rest[node], gt_mat34_point(&node_from_mesh, place));
    GtVec3 way = gt_vec3_sub(at, gt_mat34_translation(&f->rest[f->nodes[part]]));
    GtVec3 point = gt_quat_rotate(gt_quat_conjugate(f->rest_rotations[f->nodes[part]]), way);
    if (gt_vec3_is_finite(point)) {
        f->points[part][f->counts[part]++] = point;
    }
}

// The end of a part's bone in its axes: the next joint, or of hands and feet where most of their skin ends.
static bool find_tip(const Fitter* f, int part, GtVec3* tip)
{
    bool is_limb = part >= GTI_COLLIDER_LEFT_UPPER_ARM,
         is_end = is_limb && (part - GTI_COLLIDER_LEFT_UPPER_ARM) % 3 == 2;
    int32_t node = f->nodes[part], next = is_limb && !is_end ? f->figure->joints[f->joints[part] + 1] : GT_NONE;
    *tip = gt_vec3(0.0f, 0.0f, 0.0f);
    if (next != GT_NONE) {
        GtVec3 way = gt_vec3_sub(gt_mat34_translation(&f->rest[next]), gt_mat34_translation(&f->rest[node]));
        *tip = gt_quat_rotate(gt_quat_conjugate(f->rest_rotations[node]), way);
    } else if (is_end) {
        for (int32_t i = 0; i < f->counts[part]; ++i) {
            *tip = gt_vec3_add(*tip, f->points[part][i]);
        }
        GtVec3 along = gt_vec3_normalize_or(*tip, gt_vec3(0.0f, 0.0f, 0.0f));
        float far = 0.0f;
        for (int32_t i = 0; i < f->counts[part]; ++i) {
            far = fmaxf(far, gt_vec3_dot(f->points[part][i], along));
        }
        *tip = gt_vec3_scale(along, FINGERS * far);
    }
    return gt_vec3_length(*tip) > 0.0f;
}

static GtVec3 place_of(const Fitter* f, GtHumanoidJoint joint, GtVec3 otherwise)
{
    int32_t node = f->figure->joints[joint];
    return node == GT_NONE ? otherwise : gt_mat34_translation(&f->rest[node]);
}

// What goes in at a waist or at a hip is inside of the next part there.
static void close_hull(const Fitter* f, const GtiHullNormals* normals, int part, GtiHull* hull)
{
    if (f->nodes[part] == GT_NONE) {
        return;
    }
    GtVec3 hips = place_of(f, GT_HUMANOID_HIPS, gt_vec3(0.0f, 0.0f, 0.0f));
    GtVec3 up = gt_vec3_sub(place_of(f, GT_HUMANOID_HEAD, gt_vec3_add(hips, gt_vec3(0.0f, 1.0f, 0.0f))), hips);
    bool is_thigh = part == GTI_COLLIDER_LEFT_THIGH || part == GTI_COLLIDER_RIGHT_THIGH;
    if (is_thigh) {
        GtVec3 hip = gt_mat34_translation(&f->rest[f->nodes[part]]);
        up = gt_vec3_sub(hip, place_of(f, (GtHumanoidJoint)(f->joints[part] + 1), gt_vec3_sub(hip, up)));
    }
    up = gt_quat_rotate(gt_quat_conjugate(f->rest_rotations[f->nodes[part]]), up);
    up = gt_vec3_normalize_or(up, gt_vec3(0.0f, 1.0f, 0.0f));
    if (part == GTI_COLLIDER_BELLY || part == GTI_COLLIDER_PELVIS || is_thigh) {
        gti_hull_close(normals, up, hull);
    }
    if (part <= GTI_COLLIDER_PELVIS) {
        gti_hull_close(normals, gt_vec3_scale(up, -1.0f), hull);
    }
}

static GtResult fit(Fitter* f, GtiCollider* out, GtError* error)
{
    if (!find_parts(f)) {
        return gti_out_of_memory(error);
    }
    show_vertices(f, count_vertex);
    for (int p = 0; p < GTI_COLLIDER_PART_COUNT; ++p) {
        f->points[p] = gt_arena_push_array(&f->scratch, (size_t)f->counts[p], sizeof *f->points[p]);
        f->counts[p] = 0;
        f->joints[p] = joint_of(f->figure, p);
        f->nodes[p] = f->figure->joints[f->joints[p]];
        if (!f->points[p]) {
            return gti_out_of_memory(error);
        }
    }
    show_vertices(f, take_vertex);
    for (int p = 0; p < GTI_COLLIDER_PART_COUNT; ++p) {
        GtiColliderPart* part = &out->parts[p];
        GtVec3 tip;
        part->node = f->counts[p] > 0 ? f->nodes[p] : GT_NONE;
        part->hull = gti_hull_fit(&out->normals, f->points[p], f->counts[p]);
        close_hull(f, &out->normals, p, &part->hull);
        part->has_capsule = find_tip(f, p, &tip) &&
                            gti_capsule_fit(f->points[p], f->counts[p], gt_vec3(0.0f, 0.0f, 0.0f), tip, &part->capsule);
    }
    return GT_OK;
}

GtResult gti_collider_fit(const GtContext* context, const GtFigure* figure, const GtMat34* rest,
                          const GtQuat* rest_rotations, GtiCollider* out, GtError* error)
{
    memset(out, 0, sizeof *out);
    gti_hull_normals(&out->normals);
    Fitter f = {
        .figure = figure, .rest = rest, .rest_rotations = rest_rotations, .scratch = gt_arena_create(context->allocator)
    };
    GtResult result = fit(&f, out, error);
    gt_arena_destroy(&f.scratch);
    return result;
}

GtiColliderPlace gti_collider_place(const GtiCollider* collider, int part, GtVec3 origin, GtQuat rotation)
{
    GtVec3 middle = gt_quat_rotate(rotation, collider->parts[part].hull.middle);
    return (GtiColliderPlace){ origin, rotation, gt_vec3_add(origin, middle) };
}

GtiDepth gti_collider_depth(const GtiCollider* collider, int part, const GtiColliderPlace* place, const GtiBall* balls,
                            int count)
{
    const GtiHull* hull = &collider->parts[part].hull;
    GtVec3 sum = { 0.0f, 0.0f, 0.0f };
    for (int b = 0; b < count; ++b) {
        sum = gt_vec3_add(sum, balls[b].at);
    }
    GtVec3 middle = gt_vec3_scale(sum, 1.0f / (float)count);
    float reach = 0.0f;
    for (int b = 0; b < count; ++b) {
        float far = gt_vec3_length(gt_vec3_sub(balls[b].at, middle)) + balls[b].radius;
        reach = far > reach ? far : reach;
    }
    if (!(gt_vec3_length(gt_vec3_sub(middle, place->middle)) < hull->radius + reach)) {
        return (GtiDepth){ -INFINITY, gt_vec3(0.0f, 1.0f, 0.0f) };
    }
    GtQuat part_from_model = gt_quat_conjugate(place->rotation);
    GtiBall own[GTI_MOST_BALLS];
    for (int b = 0; b < count; ++b) {
        own[b] = (GtiBall){ gt_quat_rotate(part_from_model, gt_vec3_sub(balls[b].at, place->origin)), balls[b].radius };
    }
    GtiDepth depth = gti_balls_in_hull(&collider->normals, own, count, hull);
    depth.way = gt_quat_rotate(place->rotation, depth.way);
    return depth;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Feet along the paths of the source's feet (Feng, Huang, Xu and Shapiro 2012): p'(t + dt) = p'(t) + s (p(t + dt) -
// p(t)) telescopes to p' = s p + c. Here c turns with the heading of the hips, or wide hips that turn round would cross
// their legs, and is the mean of what there is between the two paths. Nothing is pinned: where the source slides, so
// does this.

#include "motion/retarget/plant.h"

#include "base/quat_double.h"
#include "motion/plant/plant.h"

#include <string.h>

typedef struct Warp {
    const GtRetarget* r;
    const GtiPlant* plant;
    GtTransform* pose;             // [source nodes]
    GtMat34* model;                // [source nodes]
    GtQuat* rotations;             // [source nodes]
    GtVec3* paths[GTI_SIDE_COUNT]; // [frames] of the source's ankles, in the target's size and place
    GtQuat* headings;              // [frames]
} Warp;

static GtVec3 carried_place(const GtRetarget* r, GtVec3 p)
{
    return gt_vec3((r->def.mirror ? -p.x : p.x) * r->path_scale, (p.y - r->source_floor_m) * r->height_scale,
                   p.z * r->path_scale);
}

static void follow(const Warp* w, const float* times)
{
    const GtRetarget* r = w->r;
    for (int32_t f = 0; f < w->plant->frames->count; ++f) {
        gt_clip_sample(r->source.clip, (double)times[f], w->pose, NULL);
        gt_character_to_model(r->source.character, w->pose, w->model);
        gti_model_rotations(r->source.def, w->pose, w->rotations);
        GtQuat turn = gti_retarget_turn(r, w->rotations, r->source_hips);
        w->headings[f] = gt_quat_normalize(gt_quat(0.0f, turn.y, 0.0f, turn.w));
        for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
            GtHumanoidJoint joint = gti_joint_on(GT_HUMANOID_LEFT_FOOT, r->def.mirror ? 1 - side : side);
            w->paths[side][f] = carried_place(r, gt_mat34_translation(&w->model[r->source.joints[joint]]));
        }
    }
}

static GtVec3 mean_of(const Warp* w, int side)
{
    const GtiFootFrame* feet = w->plant->feet[side];
    int32_t count = w->plant->frames->count;
    GtiVec sum = gti_vec(0.0, 0.0, 0.0);
    for (int32_t f = 0; f < count; ++f) {
        GtVec3 off = gt_vec3_sub(feet[f].ankle, w->paths[side][f]);
        sum = gti_vec_add(sum, gti_vec_from(gt_quat_rotate(gt_quat_conjugate(w->headings[f]), off)));
    }
    return gti_vec_to_float(gti_vec_divide(sum, count));
}

static void set_goals(const Warp* w, int side, GtVec3 mean)
{
    GtiFootFrame* feet = w->plant->feet[side];
    for (int32_t f = 0; f < w->plant->frames->count; ++f) {
        feet[f].goal = gt_vec3_add(w->paths[side][f], gt_quat_rotate(w->headings[f], mean));
    }
}

GtResult gti_retarget_warp(const GtRetarget* retarget, const float* times, GtiWarpMeans* means, GtiPlant* plant)
{
    size_t nodes = (size_t)retarget->source.def->node_count;
    size_t count = (size_t)plant->frames->count;
    Warp w = { .r = retarget, .plant = plant };
    w.pose = gt_arena_push_array(plant->scratch, nodes, sizeof *w.pose);
    w.model = gt_arena_push_array(plant->scratch, nodes, sizeof *w.model);
    w.rotations = gt_arena_push_array(plant->scratch, nodes, sizeof *w.rotations);
    w.headings = gt_arena_push_array(plant->scratch, count, sizeof *w.headings);
    w.paths[0] = gt_arena_push_array(plant->scratch, count, sizeof *w.paths[0]);
    w.paths[1] = gt_arena_push_array(plant->scratch, count, sizeof *w.paths[1]);
    if (!w.pose || !w.model || !w.rotations || !w.headings || !w.paths[0] || !w.paths[1]) {
        return gti_out_of_memory(plant->error);
    }
    memcpy(w.pose, retarget->source.def->rest, nodes * sizeof *w.pose);
    follow(&w, times);
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        means->off[side] = means->found ? means->off[side] : mean_of(&w, side);
        set_goals(&w, side, means->off[side]);
    }
    means->found = true;
    return gti_plant_reach(plant);
}

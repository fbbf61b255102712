// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "motion/touch/goal.h"

#include <math.h>

enum {
    PRESSES = 16 // most rounds of moving a hand in or out
};

static const float LIFT_M = 0.02f;    // height in which a hand that leaves gains speed
static const float PRESSED_M = 1e-4f; // near enough
static const float FARTHEST_M = 0.2f; // that a hand is moved in or out

float gti_wanted_clearance(const GtiTouchScale* scale, const GtiTouchSample* sample)
{
    float away = scale->ways * (sample->clearance_m - sample->rest_m), lift = LIFT_M * scale->size;
    return away <= 0.0f ? 0.0f : away < lift ? 0.5f * away * away / lift : away - 0.5f * lift;
}

float gti_press_clearance(const GtiPress* p, GtVec3 wrist)
{
    float least = INFINITY;
    for (int i = 0; i < p->part_count; ++i) {
        float clear = gti_skin_clearance(p->parts[i], &p->places[i], p->points, p->point_count, wrist);
        least = fminf(least, clear);
    }
    if (p->other_points) {
        const GtiTouchPart* own = &p->scale->target->parts[gti_part_on(GT_TOUCHED_LEFT_HAND, p->side)];
        GtiPartPlace place = { wrist, gt_quat_mul(p->turn, own->axes) };
        int32_t count = gti_hand_range(p->scale->target, !p->side, GT_HAND_PART_ANY, GT_TOUCHED_LEFT_HAND).count;
        least = fminf(least, gti_skin_clearance(own, &place, p->other_points, count, p->other_wrist));
    }
    return least;
}

// How far to move a hand along a ray for it to be as far from the skin as it shall be. Each step goes by what is
// missing, or halves what is known to hold the answer. False where there is none.
static bool find_press(const GtiPress* p, GtVec3 wrist, GtVec3 ray, float wanted, float* out)
{
    float at = 0.0f, low = -INFINITY, high = INFINITY, most = FARTHEST_M * p->scale->size;
    for (int round = 0; round < PRESSES; ++round) {
        float clear = gti_press_clearance(p, gt_vec3_add(wrist, gt_vec3_scale(ray, at)));
        *out = at;
        if (fabsf(clear - wanted) < PRESSED_M * p->scale->size) {
            return true;
        }
        low = clear < wanted ? fmaxf(low, at) : low;
        high = clear < wanted ? high : fminf(high, at);
        float next = at + wanted - clear;
        at = next > low && next < high ? next : isfinite(low + high) ? 0.5f * (low + high) : next;
        at = fminf(fmaxf(at, -most), most);
    }
    return high - low < 10.0f * PRESSED_M * p->scale->size;
}

GtVec3 gti_press_goal(const GtiPress* p, const GtiTouchSample* sample)
{
    const GtiTouchScale* scale = p->scale;
    float grown = scale->target->hands[p->side].length / scale->source->hands[p->side].length;
    GtVec3 contact = gt_quat_rotate(p->turn, gt_vec3_scale(sample->contact, grown));
    GtiSkinPlace at = sample->at;
    at.height_m *= scale->ways;
    GtVec3 ray;
    GtVec3 point = gt_quat_rotate(p->places[0].axes, gti_skin_point(p->parts[0], at, &ray));
    GtVec3 wrist = gt_vec3_sub(gt_vec3_add(p->places[0].base, point), contact);
    ray = gt_quat_rotate(p->places[0].axes, ray);
    float press = 0.0f, wanted = gti_wanted_clearance(scale, sample);
    if (!find_press(p, wrist, ray, wanted, &press)) { // between thigh and shank there is no room
        GtiPress alone = *p;
        alone.part_count = 1;
        find_press(&alone, wrist, ray, wanted, &press);
    }
    return gt_vec3_add(wrist, gt_vec3_scale(ray, press));
}

GtiPress gti_press(const GtiTouchScale* scale, const GtiTouchTrack* track, int32_t frame,
                   GtVec3* const points[GTI_SIDE_COUNT], const GtiBodyPose* hand_pose, const GtiBodyPose* now)
{
    const GtiTouchBody* body = scale->target;
    GtiHandRange range = gti_hand_range(body, track->side, track->samples[frame].with, track->part);
    GtiPress p = {
        .scale = scale, .side = track->side, .points = points[track->side] + range.first, .point_count = range.count
    };
    int neighbours[GTI_MOST_NEIGHBOURS];
    p.turn = hand_pose->turns[gti_joint_on(GT_HUMANOID_LEFT_HAND, track->side)];
    p.parts[0] = &body->parts[track->part];
    p.places[0] = gti_part_place(body, now, track->part);
    p.part_count = 1;
    gti_part_neighbours(track->part, neighbours);
    for (int i = 0; i < GTI_MOST_NEIGHBOURS; ++i) {
        if (neighbours[i] >= 0 && body->parts[neighbours[i]].exists) {
            p.parts[p.part_count] = &body->parts[neighbours[i]];
            p.places[p.part_count++] = gti_part_place(body, now, neighbours[i]);
        }
    }
    if (track->part == GT_TOUCHED_RIGHT_HAND) {
        p.other_points = points[GTI_RIGHT_SIDE];
        p.other_wrist = gti_wrist(now, GTI_RIGHT_SIDE);
    }
    return p;
}

GtVec3 gti_ground_goal(const GtiTouchScale* scale, const GtiTouchTrack* track, int32_t frame, const GtVec3* points,
                       const GtiBodyPose* pose)
{
    const GtiTouchSample* sample = &track->samples[frame];
    GtVec3 wrist = gti_wrist(pose, track->side);
    GtVec3 palm = gt_vec3_sub(gti_hand_palm(scale->target, pose, track->side), wrist);
    GtVec3 path = gt_vec3_scale(gt_vec3_add(sample->contact, sample->shift), scale->ways);
    path = gt_vec3_add(path, track->offsets[frame]);
    GtiHandRange range = gti_hand_range(scale->target, track->side, sample->with, GT_TOUCHED_GROUND);
    float low = gti_hand_lowest(points + range.first, range.count);
    float floor_m = 0.0f;
    if (scale->ground) {
        gt_ground_at(scale->ground, path.x, path.z, &floor_m);
    }
    return gt_vec3(path.x - palm.x, floor_m + gti_wanted_clearance(scale, sample) - low, path.z - palm.z);
}

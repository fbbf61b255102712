// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Hands of the target brought to what those of the source touch, frame by frame: the trunk leans where arms are too
// short, goals of all touches are weighed against each other, two hands share the way to each other, and the wrists'
// ways are smoothed before the arms follow.

#include "motion/touch/frame.h"

#include "motion/take/take.h"

#include <math.h>
#include <string.h>

static const float MISSED_M = 0.005f; // of a person
static const float PERSON_M = 1.75f;
static const float REACH_SHARE = 0.99f; // of an arm's length
static const float SHRUG_SHARE = 0.3f;  // of a clavicle's, that it can add
static const float BLUR_M = 0.01f;      // points of a hand this much higher than the lowest count for 1/e of it
static const float DRAWN_M = 0.12f;     // what goes farther within a touch is drawn over the ground,
static const float CARRIED_M = 0.4f;    // unless it carries the body
static const float LAND_S = 0.05f;      // at the ends of a touch, in which a hand that lands or leaves may slip
static const float SMOOTH_S = 0.026f;   // standard deviation, of wrists
static const float AGAIN = 0.7f;        // of what that takes away, which is given back smoothed (Tukey's twicing)

// What is too far for an arm and its clavicle is pointed at.
static GtVec3 within_reach(const GtiTouchBody* body, const GtiBodyPose* pose, int side, GtVec3 goal)
{
    GtVec3 shoulder = gti_touch_shoulder(pose, side), way = gt_vec3_sub(goal, shoulder);
    float far = gt_vec3_length(way), most = gti_touch_reach_m(body, pose, side, REACH_SHARE, SHRUG_SHARE);
    return far > most ? gt_vec3_add(shoulder, gt_vec3_scale(way, most / far)) : goal;
}

// Goals on the body and on the ground. Those of weight 1 outdo the others.
static void gather(const GtiTouchKeeper* k, int32_t frame, const GtiBodyPose* base, const GtiBodyPose* now,
                   const GtiTouchFrameScratch* room, GtiTouchWrist wrists[GTI_SIDE_COUNT])
{
    const GtiTouches* touches = k->target->touches;
    GtVec3 sums[GTI_SIDE_COUNT] = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
    float totals[GTI_SIDE_COUNT] = { 0.0f, 0.0f };
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        wrists[side] = (GtiTouchWrist){ .was = gti_wrist(base, side) };
    }
    for (int32_t t = 0; t < touches->track_count; ++t) {
        const GtiTouchTrack* track = &touches->tracks[t];
        float weight = track->samples[frame].weight;
        if (!(weight > 0.0f) || track->part == GT_TOUCHED_RIGHT_HAND) {
            continue;
        }
        GtVec3 goal = gti_touch_goal(k, track, frame, base, now, room);
        goal = within_reach(k->target->body, base, track->side, goal);
        float pull = weight / (1.0f - weight + GTI_TOUCH_WHOLE);
        sums[track->side] =
            gt_vec3_add(sums[track->side], gt_vec3_scale(gt_vec3_sub(goal, wrists[track->side].was), pull));
        totals[track->side] += pull;
        wrists[track->side].weight = fmaxf(wrists[track->side].weight, weight);
    }
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        if (totals[side] > 0.0f) {
            wrists[side].shift = gt_vec3_scale(sums[side], wrists[side].weight / totals[side]);
        }
    }
}

// Hands that touch each other go half of the way each, or the one that is freer more of it.
static void join_hands(const GtiTouchKeeper* k, int32_t frame, const GtiBodyPose* base,
                       const GtiTouchFrameScratch* room, GtiTouchWrist wrists[GTI_SIDE_COUNT])
{
    const GtiTouches* touches = k->target->touches;
    for (int32_t t = 0; t < touches->track_count; ++t) {
        const GtiTouchTrack* track = &touches->tracks[t];
        float weight = track->samples[frame].weight;
        if (track->part != GT_TOUCHED_RIGHT_HAND || !(weight > 0.0f)) {
            continue;
        }
        GtiTouchWrist *left = &wrists[GTI_LEFT_SIDE], *right = &wrists[GTI_RIGHT_SIDE];
        GtiPress press = gti_press(&k->scale, track, frame, room->points, base, base);
        press.places[0].base = gt_vec3_add(press.places[0].base, right->shift);
        press.other_wrist = gt_vec3_add(press.other_wrist, right->shift);
        GtVec3 goal = gti_press_goal(&press, &track->samples[frame]);
        GtVec3 way = gt_vec3_scale(gt_vec3_sub(goal, gt_vec3_add(left->was, left->shift)), weight);
        float free_left = 1.0f - left->weight + GTI_TOUCH_WHOLE, free_right = 1.0f - right->weight + GTI_TOUCH_WHOLE;
        float share = free_left / (free_left + free_right);
        left->clap = gt_vec3_scale(way, share);
        right->clap = gt_vec3_scale(way, share - 1.0f);
        left->weight = fmaxf(left->weight, weight);
        right->weight = fmaxf(right->weight, weight);
    }
}

static void reach(const GtiTouchKeeper* k, GtiTouchFrameScratch* room, const GtiTouchWrist wrists[GTI_SIDE_COUNT],
                  GtiBodyPose* now)
{
    const GtiAlignedFigure* figure = k->target->figure;
    memcpy(room->pose, room->base, (size_t)figure->def->node_count * sizeof *room->pose);
    gt_character_to_model(figure->character, room->pose, room->model);
    gti_model_rotations(figure->def, room->pose, room->rotations);
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        if (wrists[side].weight > 0.0f) {
            GtVec3 way = gt_vec3_add(wrists[side].shift, wrists[side].clap);
            GtiArmGoal goal = { side, gt_vec3_add(wrists[side].was, way), wrists[side].weight };
            gti_touch_reach(figure, &goal, room->pose, room->model, room->rotations);
        }
    }
    gti_body_pose(k->target->body, room->model, room->rotations, now);
}

// Hands are joined where they are, whatever the arms do.
static bool is_of_arm(int part)
{
    return part == GT_TOUCHED_LEFT_UPPER_ARM || part == GT_TOUCHED_LEFT_FOREARM || part == GT_TOUCHED_RIGHT_UPPER_ARM ||
           part == GT_TOUCHED_RIGHT_FOREARM;
}

// What is nearest to the skin changes from one point of a hand to another: the way of the wrist takes the edges off.
// Not those of claps, which are as sharp in the motion.
static GtiTouchWrist smooth_wrist(const GtiTouchKeeper* k, const GtiTouchWrist* wrists, int32_t frame)
{
    GtiTouchWindow window = gti_touch_window(k, frame, SMOOTH_S);
    GtiTouchWrist mean = { .clap = wrists[frame].clap };
    float total = 0.0f;
    for (int32_t f = window.first; f < window.end; ++f) {
        float share = gti_touch_share(k, frame, f, SMOOTH_S);
        mean.shift = gt_vec3_add(mean.shift, gt_vec3_scale(wrists[f].shift, share));
        mean.weight += share * wrists[f].weight;
        total += share;
    }
    mean.shift = gt_vec3_scale(mean.shift, 1.0f / total);
    mean.weight /= total;
    return mean;
}

static void measure(const GtiTouchKeeper* k, int32_t frame, const GtiBodyPose* base, const GtiBodyPose* now,
                    GtiTouchFrameScratch* room)
{
    const GtiTouches* touches = k->target->touches;
    for (int32_t t = 0; t < touches->track_count; ++t) {
        const GtiTouchTrack* track = &touches->tracks[t];
        GtiTouchSample* sample = &track->samples[frame];
        GtVec3 wrist = gti_wrist(now, track->side);
        if (!(sample->weight > 0.0f)) {
            continue;
        }
        if (track->part == GT_TOUCHED_GROUND) {
            GtVec3 goal = gti_ground_goal(&k->scale, track, frame, room->points[track->side], base);
            sample->miss_m = gt_vec3_length(gt_vec3_sub(goal, wrist));
        } else {
            GtiPress press = gti_press(&k->scale, track, frame, room->points, base, now);
            float wanted = gti_wanted_clearance(&k->scale, sample);
            float miss = fabsf(gti_press_clearance(&press, wrist) - wanted);
            press.part_count = 1;
            sample->miss_m = fminf(miss, fabsf(gti_press_clearance(&press, wrist) - wanted));
        }
    }
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        float shift = gt_vec3_length(gt_vec3_sub(gti_wrist(now, side), gti_wrist(base, side)));
        room->hand_shift_m = fmaxf(room->hand_shift_m, shift);
    }
}

static void plan_frame(const GtiTouchKeeper* k, GtiTouchFrameScratch* room, int32_t frame)
{
    const GtiTouches* touches = k->target->touches;
    bool any = false;
    int rounds = 1; // arms that are touched move, and hands after them
    for (int32_t t = 0; t < touches->track_count; ++t) {
        if (touches->tracks[t].samples[frame].weight > 0.0f) {
            any = true;
            rounds = is_of_arm(touches->tracks[t].part) ? 3 : rounds;
        }
    }
    GtiTouchWrist wrists[GTI_SIDE_COUNT] = { 0 };
    if (any) {
        GtiBodyPose base;
        gti_touch_load(k, room, frame, &base);
        GtiBodyPose now = base;
        for (int round = 0; round < rounds; ++round) {
            if (round > 0) {
                reach(k, room, wrists, &now);
            }
            gather(k, frame, &base, &now, room, wrists);
            join_hands(k, frame, &base, room, wrists);
        }
    }
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        k->wrists[side][frame] = wrists[side];
    }
}

static void smooth_frame(const GtiTouchKeeper* k, GtiTouchFrameScratch* room, int32_t frame)
{
    (void)room;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        k->smooth[side][frame] = smooth_wrist(k, k->wrists[side], frame);
    }
}

static void keep_frame(const GtiTouchKeeper* k, GtiTouchFrameScratch* room, int32_t frame)
{
    GtiTouchWrist wrists[GTI_SIDE_COUNT];
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        wrists[side] = k->smooth[side][frame];
        GtVec3 lost = gt_vec3_sub(wrists[side].shift, smooth_wrist(k, k->smooth[side], frame).shift);
        wrists[side].shift = gt_vec3_add(wrists[side].shift, gt_vec3_scale(lost, AGAIN));
    }
    if (!(wrists[GTI_LEFT_SIDE].weight > 0.0f) && !(wrists[GTI_RIGHT_SIDE].weight > 0.0f)) {
        return;
    }
    GtiBodyPose base, now;
    gti_touch_load(k, room, frame, &base);
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        wrists[side].was = gti_wrist(&base, side);
    }
    reach(k, room, wrists, &now);
    measure(k, frame, &base, &now, room);
    gti_touch_store(k, room, frame);
}

// How far the hand is from where it shall touch, as carried over.
static float way_at(const GtiTouchKeeper* k, const GtiTouchTrack* track, int32_t frame)
{
    GtiTouchFrameScratch* room = &k->rooms[0];
    GtiBodyPose pose;
    gti_touch_load(k, room, frame, &pose);
    GtVec3 goal = gti_touch_goal(k, track, frame, &pose, &pose, room);
    float way = gt_vec3_length(gt_vec3_sub(goal, gti_wrist(&pose, track->side)));
    return track->part == GT_TOUCHED_RIGHT_HAND ? 0.5f * way : way;
}

static void ease(const GtiTouchKeeper* k)
{
    const GtiTouches* touches = k->target->touches;
    const GtCharacterDef* def = k->target->figure->def;
    memcpy(k->rooms[0].base, def->rest, (size_t)def->node_count * sizeof *def->rest);
    for (int32_t t = 0; t < touches->track_count; ++t) {
        GtiTouchTrack* track = &touches->tracks[t];
        for (int32_t i = 0; i < track->touch_count; ++i) {
            GtiTouch* touch = &track->touches[i];
            touch->ease_in_s = gti_touch_ease_s(k, way_at(k, track, touch->first));
            touch->ease_out_s = gti_touch_ease_s(k, way_at(k, track, touch->last));
        }
        gti_touch_weigh(touches, track);
    }
}

// How far the point of a hand that is lowest, or nearly, goes from one frame to the next.
static GtVec3 slip_of(const GtiTouchKeeper* k, const GtiTouchFrameScratch* room, int side, GtVec3 way)
{
    int32_t count = k->target->body->hands[side].point_count;
    const GtVec3 *here = room->points[side], *before = room->before[side];
    float low = gti_hand_lowest(here, count), total = 0.0f;
    GtVec3 sum = { 0.0f, 0.0f, 0.0f };
    for (int32_t i = 0; i < count; ++i) {
        float share = expf((low - here[i].y) / (BLUR_M * k->scale.size));
        sum = gt_vec3_add(sum, gt_vec3_scale(gt_vec3_sub(here[i], before[i]), share));
        total += share;
    }
    return gt_vec3_add(way, gt_vec3_scale(sum, 1.0f / fmaxf(total, 1e-30f)));
}

// How far the hand is off the source's scaled path, in every frame by itself; and how it slips.
static void trace_frame(const GtiTouchKeeper* k, GtiTouchFrameScratch* room, int32_t frame)
{
    const GtiTouches* touches = k->target->touches;
    bool any = false;
    for (int32_t t = 0; t < touches->track_count; ++t) {
        any = any || (touches->tracks[t].part == GT_TOUCHED_GROUND && touches->tracks[t].samples[frame].weight > 0.0f);
    }
    if (!any) {
        return;
    }
    GtiBodyPose pose, before;
    gti_touch_load(k, room, frame > 0 ? frame - 1 : 0, &before);
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        size_t size = (size_t)k->target->body->hands[side].point_count * sizeof *room->points[side];
        memcpy(room->before[side], room->points[side], size);
    }
    gti_touch_load(k, room, frame, &pose);
    for (int32_t t = 0; t < touches->track_count; ++t) {
        const GtiTouchTrack* track = &touches->tracks[t];
        if (track->part == GT_TOUCHED_GROUND && track->samples[frame].weight > 0.0f) {
            GtVec3 path = gt_vec3_scale(track->samples[frame].contact, k->scale.ways);
            GtVec3 way = gt_vec3_sub(gti_wrist(&pose, track->side), gti_wrist(&before, track->side));
            track->offsets[frame] = gt_vec3_sub(gti_hand_palm(k->target->body, &pose, track->side), path);
            track->slips[frame] = slip_of(k, room, track->side, way);
        }
    }
}

// A hand that stays where it is in the motion, but for what its capture trembles and its arm differs, is held there:
// what its point of contact slips is taken off, so that the palm may roll. One that is drawn over the ground is not.
static bool hold(const GtiTouchKeeper* k, const GtiTouchTrack* track, const GtiTouch* touch)
{
    GtVec3 slipped = { 0.0f, 0.0f, 0.0f }, mean = slipped;
    const GtVec3* from = &track->samples[touch->first].contact;
    const float* times = k->target->touches->times;
    for (int32_t f = touch->first; f <= touch->last; ++f) {
        GtVec3 way = gt_vec3_sub(track->samples[f].contact, *from);
        if (hypotf(way.x, way.z) > (touch->carries ? CARRIED_M : DRAWN_M) * k->scale.size) {
            return false;
        }
    }
    for (int32_t f = touch->first; f <= touch->last; ++f) {
        float since_s = fminf(times[f] - times[touch->first], times[touch->last] - times[f]);
        float share = f > touch->first ? gti_smooth_step((double)(since_s / LAND_S)) : 0.0f;
        slipped = gt_vec3_add(slipped, gt_vec3_scale(track->slips[f], share));
        track->slips[f] = gt_vec3(slipped.x, 0.0f, slipped.z);
        mean = gt_vec3_add(mean, track->slips[f]);
    }
    mean = gt_vec3_scale(mean, 1.0f / (float)(touch->last - touch->first + 1));
    for (int32_t f = touch->first; f <= touch->last; ++f) {
        track->offsets[f] = gt_vec3_sub(track->offsets[f], gt_vec3_sub(track->slips[f], mean));
    }
    return true;
}

static GtVec3 mean_offset(const GtiTouchTrack* track, const GtiTouch* touch)
{
    GtVec3 sum = { 0.0f, 0.0f, 0.0f };
    for (int32_t f = touch->first; f <= touch->last; ++f) {
        sum = gt_vec3_add(sum, track->offsets[f]);
    }
    return gt_vec3_scale(sum, 1.0f / (float)(touch->last - touch->first + 1));
}

// What each touch is held by, or its mean, and from one to the next in between.
static void settle_offsets(const GtiTouchKeeper* k, const GtiTouchTrack* track)
{
    const GtiTouches* touches = k->target->touches;
    GtVec3 last = { 0.0f, 0.0f, 0.0f };
    int32_t from = 0;
    for (int32_t i = 0; i < track->touch_count; ++i) {
        const GtiTouch* touch = &track->touches[i];
        bool is_held = hold(k, track, touch);
        GtVec3 mean = mean_offset(track, touch), first = is_held ? track->offsets[touch->first] : mean;
        float span_s = touches->times[touch->first] - touches->times[from > 0 ? from - 1 : 0];
        last = i > 0 ? last : first;
        for (int32_t f = from; f < touch->first; ++f) {
            float since_s = touches->times[f] - touches->times[from > 0 ? from - 1 : 0];
            track->offsets[f] =
                gt_vec3_lerp(last, first, span_s > 0.0f ? gti_smooth_step((double)(since_s / span_s)) : 1.0f);
        }
        for (int32_t f = touch->first; f <= touch->last && !is_held; ++f) {
            track->offsets[f] = mean;
        }
        last = track->offsets[touch->last];
        from = touch->last + 1;
    }
    for (int32_t f = from; f < touches->frame_count; ++f) {
        track->offsets[f] = last;
    }
}

static void fill_report(const GtiTouchKeeper* k, GtTouchReport* report)
{
    const GtiTouches* touches = k->target->touches;
    int32_t pieces = (k->target->carried->frame_count + GTI_TOUCH_PIECE - 1) / GTI_TOUCH_PIECE;
    for (int32_t i = 0; i < pieces; ++i) {
        report->hand_shift_m = fmax(report->hand_shift_m, (double)k->rooms[i].hand_shift_m);
        report->lean_rad = fmax(report->lean_rad, (double)k->rooms[i].lean_rad);
    }
    for (int32_t t = 0; t < touches->track_count; ++t) {
        const GtiTouchTrack* track = &touches->tracks[t];
        for (int32_t i = 0; i < track->touch_count; ++i) {
            float miss = 0.0f;
            for (int32_t f = track->touches[i].first; f <= track->touches[i].last; ++f) {
                miss = fmaxf(miss, track->samples[f].miss_m);
            }
            ++report->touch_count;
            report->missed_count += miss > MISSED_M * k->scale.size;
            report->miss_m = fmax(report->miss_m, (double)miss);
        }
    }
}

GtResult gti_touches_keep(const GtiTouchTarget* target, GtTouchReport* report, GtError* error)
{
    *report = (GtTouchReport){ 0 };
    if (target->touches->track_count == 0) {
        return GT_OK;
    }
    GtiTouchKeeper k = { .target = target,
                         .scratch = gt_arena_create(target->context->allocator),
                         .scale = { target->source_body, target->body, target->path_scale,
                                    target->body->stature_m / PERSON_M, target->ground } };
    GtResult result = gti_touch_open(&k, error);
    if (result == GT_OK) {
        gti_touch_pass(&k, trace_frame);
        for (int32_t t = 0; t < target->touches->track_count; ++t) {
            if (target->touches->tracks[t].part == GT_TOUCHED_GROUND) {
                settle_offsets(&k, &target->touches->tracks[t]);
            }
        }
        ease(&k);
        gti_touch_bend(&k);
        gti_touch_pass(&k, plan_frame);
        gti_touch_pass(&k, smooth_frame);
        gti_touch_pass(&k, keep_frame);
        fill_report(&k, report);
    }
    gt_arena_destroy(&k.scratch);
    return result;
}

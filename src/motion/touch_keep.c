// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Hands of the target brought to what those of the source touch, frame by frame: goals of all touches are weighed
// against each other, two hands share the way to each other, and the wrists' ways are smoothed before the arms follow.

#include "motion/touch_goal.h"

#include "motion/take.h"

#include <math.h>
#include <string.h>

enum {
    PIECE = 64 // frames
};

static const float MISSED_M = 0.005f; // of a person
static const float PERSON_M = 1.75f;
static const float EASE_MPS2 = 8.0f; // most that a hand is accelerated by being eased in and out
static const float SHORTEST_EASE_S = 0.15f;
static const float REACH_SHARE = 0.99f; // of an arm's length
static const float SHRUG_SHARE = 0.3f;  // of a clavicle's, that it can add
static const float SMOOTH_S = 0.02f;    // standard deviation
static const float WHOLE = 1e-3f;       // a weight this near to 1 outdoes all that are not

typedef struct Room {
    GtTransform* base;              // [nodes] as carried over
    GtTransform* pose;              // [nodes]
    GtMat34* model;                 // [nodes]
    GtQuat* rotations;              // [nodes]
    GtVec3* points[GTI_SIDE_COUNT]; // of hands, against their wrists
    float hand_shift_m;
} Room;

// A hand in a frame: where it is, where it shall go, and how much it is held there.
typedef struct Wrist {
    GtVec3 was;
    GtVec3 shift; // to the body or the ground
    GtVec3 clap;  // from there to the other hand
    float weight;
} Wrist;

typedef struct Keeper {
    const GtiTouchTarget* target;
    GtArena scratch;
    int32_t* columns; // [nodes]
    GtiTouchScale scale;
    Room* rooms;                   // [pieces]
    Wrist* wrists[GTI_SIDE_COUNT]; // [frame_count]
} Keeper;

static int32_t point_count(const Keeper* k, int side)
{
    return k->target->body->hands[side].point_count;
}

// What is too far for an arm and its clavicle is pointed at.
static GtVec3 within_reach(const GtiBody* body, const GtiBodyPose* pose, int side, GtVec3 goal)
{
    const GtVec3* at = pose->places;
    GtVec3 shoulder = at[gti_joint_on(GT_HUMANOID_LEFT_UPPER_ARM, side)];
    GtVec3 elbow = at[gti_joint_on(GT_HUMANOID_LEFT_LOWER_ARM, side)];
    float most = REACH_SHARE * (gt_vec3_length(gt_vec3_sub(elbow, shoulder)) +
                                gt_vec3_length(gt_vec3_sub(gti_wrist(pose, side), elbow)));
    if (body->has_joint[gti_joint_on(GT_HUMANOID_LEFT_SHOULDER, side)]) {
        GtVec3 clavicle = gt_vec3_sub(shoulder, at[gti_joint_on(GT_HUMANOID_LEFT_SHOULDER, side)]);
        most += SHRUG_SHARE * gt_vec3_length(clavicle);
    }
    GtVec3 way = gt_vec3_sub(goal, shoulder);
    float far = gt_vec3_length(way);
    return far > most ? gt_vec3_add(shoulder, gt_vec3_scale(way, most / far)) : goal;
}

// Goals on the body and on the ground. Those of weight 1 outdo the others.
static void gather(const Keeper* k, int32_t frame, const GtiBodyPose* base, const GtiBodyPose* now, const Room* room,
                   Wrist wrists[GTI_SIDE_COUNT])
{
    const GtiTouches* touches = k->target->touches;
    GtVec3 sums[GTI_SIDE_COUNT] = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
    float totals[GTI_SIDE_COUNT] = { 0.0f, 0.0f };
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        wrists[side] = (Wrist){ .was = gti_wrist(base, side) };
    }
    for (int32_t t = 0; t < touches->track_count; ++t) {
        const GtiTouchTrack* track = &touches->tracks[t];
        float weight = track->samples[frame].weight;
        if (!(weight > 0.0f) || track->part == GT_TOUCHED_RIGHT_HAND) {
            continue;
        }
        GtVec3 goal;
        if (track->part == GT_TOUCHED_GROUND) {
            goal = gti_ground_goal(&k->scale, track, frame, room->points[track->side], base);
        } else {
            GtiPress press = gti_press(&k->scale, track, frame, room->points, base, now);
            goal = gti_press_goal(&press, &track->samples[frame]);
        }
        goal = within_reach(k->target->body, base, track->side, goal);
        float pull = weight / (1.0f - weight + WHOLE);
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
static void join_hands(const Keeper* k, int32_t frame, const GtiBodyPose* base, const Room* room,
                       Wrist wrists[GTI_SIDE_COUNT])
{
    const GtiTouches* touches = k->target->touches;
    for (int32_t t = 0; t < touches->track_count; ++t) {
        const GtiTouchTrack* track = &touches->tracks[t];
        float weight = track->samples[frame].weight;
        if (track->part != GT_TOUCHED_RIGHT_HAND || !(weight > 0.0f)) {
            continue;
        }
        Wrist *left = &wrists[GTI_LEFT_SIDE], *right = &wrists[GTI_RIGHT_SIDE];
        GtiPress press = gti_press(&k->scale, track, frame, room->points, base, base);
        press.places[0].base = gt_vec3_add(press.places[0].base, right->shift);
        press.other_wrist = gt_vec3_add(press.other_wrist, right->shift);
        GtVec3 goal = gti_press_goal(&press, &track->samples[frame]);
        GtVec3 way = gt_vec3_scale(gt_vec3_sub(goal, gt_vec3_add(left->was, left->shift)), weight);
        float free_left = 1.0f - left->weight + WHOLE, free_right = 1.0f - right->weight + WHOLE;
        float share = free_left / (free_left + free_right);
        left->clap = gt_vec3_scale(way, share);
        right->clap = gt_vec3_scale(way, share - 1.0f);
        left->weight = fmaxf(left->weight, weight);
        right->weight = fmaxf(right->weight, weight);
    }
}

static void load_frame(const Keeper* k, Room* room, int32_t frame, GtiBodyPose* pose)
{
    const GtiFigure* figure = k->target->figure;
    const GtiCarried* c = k->target->carried;
    for (int32_t i = 0; i < figure->def->node_count; ++i) {
        if (k->columns[i] != GT_NONE) {
            room->base[i] = c->poses[(size_t)frame * (size_t)c->node_count + (size_t)k->columns[i]];
        }
    }
    memcpy(room->pose, room->base, (size_t)figure->def->node_count * sizeof *room->pose);
    gt_character_to_model(figure->character, room->pose, room->model);
    gti_model_rotations(figure->def, room->pose, room->rotations);
    gti_body_pose(k->target->body, room->model, room->rotations, pose);
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        gti_hand_points(k->target->body, pose, side, room->points[side]);
    }
}

static void reach(const Keeper* k, Room* room, const Wrist wrists[GTI_SIDE_COUNT], GtiBodyPose* now)
{
    const GtiFigure* figure = k->target->figure;
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
static Wrist smooth_wrist(const Keeper* k, int side, int32_t frame)
{
    const float* times = k->target->touches->times;
    const Wrist* wrists = k->wrists[side];
    int32_t first = frame, end = frame + 1;
    while (first > 0 && times[frame] - times[first - 1] < 3.0f * SMOOTH_S) {
        --first;
    }
    while (end < k->target->touches->frame_count && times[end] - times[frame] < 3.0f * SMOOTH_S) {
        ++end;
    }
    Wrist mean = { .clap = wrists[frame].clap };
    float total = 0.0f;
    for (int32_t f = first; f < end; ++f) {
        float u = (times[f] - times[frame]) / SMOOTH_S, share = expf(-0.5f * u * u);
        mean.shift = gt_vec3_add(mean.shift, gt_vec3_scale(wrists[f].shift, share));
        mean.weight += share * wrists[f].weight;
        total += share;
    }
    mean.shift = gt_vec3_scale(mean.shift, 1.0f / total);
    mean.weight /= total;
    return mean;
}

static void measure(const Keeper* k, int32_t frame, const GtiBodyPose* base, const GtiBodyPose* now, Room* room)
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

static void plan_frame(const Keeper* k, Room* room, int32_t frame)
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
    Wrist wrists[GTI_SIDE_COUNT] = { 0 };
    if (any) {
        GtiBodyPose base;
        load_frame(k, room, frame, &base);
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

static void keep_frame(const Keeper* k, Room* room, int32_t frame)
{
    Wrist wrists[GTI_SIDE_COUNT] = { smooth_wrist(k, GTI_LEFT_SIDE, frame), smooth_wrist(k, GTI_RIGHT_SIDE, frame) };
    if (!(wrists[GTI_LEFT_SIDE].weight > 0.0f) && !(wrists[GTI_RIGHT_SIDE].weight > 0.0f)) {
        return;
    }
    GtiBodyPose base, now;
    load_frame(k, room, frame, &base);
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        wrists[side].was = gti_wrist(&base, side);
    }
    reach(k, room, wrists, &now);
    measure(k, frame, &base, &now, room);
    const GtiCarried* c = k->target->carried;
    for (int32_t i = 0; i < k->target->figure->def->node_count; ++i) {
        if (k->columns[i] != GT_NONE) {
            c->poses[(size_t)frame * (size_t)c->node_count + (size_t)k->columns[i]] = room->pose[i];
        }
    }
}

// A hand that has a long way to go takes its time.
static float ease_s(const Keeper* k, float way_m)
{
    const float peak = 5.7735f; // of a quintic step's second derivative
    float needed_s = sqrtf(peak * way_m / (EASE_MPS2 * k->scale.size));
    return fminf(fmaxf(needed_s, SHORTEST_EASE_S), GTI_LONGEST_EASE_S);
}

// How far the hand is from where it shall touch, as carried over.
static float way_at(const Keeper* k, const GtiTouchTrack* track, int32_t frame)
{
    Room* room = &k->rooms[0];
    GtiBodyPose pose;
    load_frame(k, room, frame, &pose);
    if (track->part == GT_TOUCHED_GROUND) {
        GtVec3 goal = gti_ground_goal(&k->scale, track, frame, room->points[track->side], &pose);
        return gt_vec3_length(gt_vec3_sub(goal, gti_wrist(&pose, track->side)));
    }
    GtiPress press = gti_press(&k->scale, track, frame, room->points, &pose, &pose);
    GtVec3 goal = gti_press_goal(&press, &track->samples[frame]);
    float way = gt_vec3_length(gt_vec3_sub(goal, gti_wrist(&pose, track->side)));
    return track->part == GT_TOUCHED_RIGHT_HAND ? 0.5f * way : way;
}

static void ease(const Keeper* k)
{
    const GtiTouches* touches = k->target->touches;
    const GtCharacterDef* def = k->target->figure->def;
    memcpy(k->rooms[0].base, def->rest, (size_t)def->node_count * sizeof *def->rest);
    for (int32_t t = 0; t < touches->track_count; ++t) {
        GtiTouchTrack* track = &touches->tracks[t];
        for (int32_t i = 0; i < track->touch_count; ++i) {
            GtiTouch* touch = &track->touches[i];
            touch->ease_in_s = ease_s(k, way_at(k, track, touch->first));
            touch->ease_out_s = ease_s(k, way_at(k, track, touch->last));
        }
        gti_touch_weigh(touches, track);
    }
}

static void run_piece(const Keeper* k, int32_t piece, void (*each)(const Keeper*, Room*, int32_t))
{
    const GtCharacterDef* def = k->target->figure->def;
    Room* room = &k->rooms[piece];
    int32_t frames = k->target->carried->frame_count;
    int32_t stop = (piece + 1) * PIECE < frames ? (piece + 1) * PIECE : frames;
    memcpy(room->base, def->rest, (size_t)def->node_count * sizeof *room->base);
    for (int32_t f = piece * PIECE; f < stop; ++f) {
        each(k, room, f);
    }
}

static void plan_range(void* data, int32_t first, int32_t end)
{
    for (int32_t piece = first; piece < end; ++piece) {
        run_piece(data, piece, plan_frame);
    }
}

static void keep_range(void* data, int32_t first, int32_t end)
{
    for (int32_t piece = first; piece < end; ++piece) {
        run_piece(data, piece, keep_frame);
    }
}

// How far the hand is off the source's scaled path, in every frame by itself.
static void trace_frame(const Keeper* k, Room* room, int32_t frame)
{
    const GtiTouches* touches = k->target->touches;
    for (int32_t t = 0; t < touches->track_count; ++t) {
        const GtiTouchTrack* track = &touches->tracks[t];
        if (track->part == GT_TOUCHED_GROUND && track->samples[frame].weight > 0.0f) {
            GtiBodyPose pose;
            load_frame(k, room, frame, &pose);
            GtVec3 path = gt_vec3_scale(track->samples[frame].contact, k->scale.ways);
            track->offsets[frame] = gt_vec3_sub(gti_hand_palm(k->target->body, &pose, track->side), path);
        }
    }
}

static void trace_range(void* data, int32_t first, int32_t end)
{
    for (int32_t piece = first; piece < end; ++piece) {
        run_piece(data, piece, trace_frame);
    }
}

static GtVec3 mean_offset(const GtiTouchTrack* track, const GtiTouch* touch)
{
    GtVec3 sum = { 0.0f, 0.0f, 0.0f };
    for (int32_t f = touch->first; f <= touch->last; ++f) {
        sum = gt_vec3_add(sum, track->offsets[f]);
    }
    return gt_vec3_scale(sum, 1.0f / (float)(touch->last - touch->first + 1));
}

// The mean of each touch, and from one to the next in between.
static void settle_offsets(const GtiTouches* touches, const GtiTouchTrack* track)
{
    GtVec3 last = mean_offset(track, &track->touches[0]);
    int32_t from = 0;
    for (int32_t i = 0; i < track->touch_count; ++i) {
        const GtiTouch* touch = &track->touches[i];
        GtVec3 mean = mean_offset(track, touch);
        float span_s = touches->times[touch->first] - touches->times[from > 0 ? from - 1 : 0];
        for (int32_t f = from; f <= touch->last; ++f) {
            float since_s = touches->times[f] - touches->times[from > 0 ? from - 1 : 0];
            float share = f < touch->first && span_s > 0.0f ? gti_smooth_step((double)(since_s / span_s)) : 1.0f;
            track->offsets[f] = gt_vec3_lerp(last, mean, share);
        }
        last = mean;
        from = touch->last + 1;
    }
    for (int32_t f = from; f < touches->frame_count; ++f) {
        track->offsets[f] = last;
    }
}

static GtResult open_rooms(Keeper* k, GtError* error)
{
    const GtiTouchTarget* target = k->target;
    size_t nodes = (size_t)target->figure->def->node_count;
    size_t pieces = ((size_t)target->carried->frame_count + PIECE - 1) / PIECE;
    k->columns = gt_arena_push_array(&k->scratch, nodes, sizeof *k->columns);
    k->rooms = gt_arena_push_array(&k->scratch, pieces, sizeof *k->rooms);
    bool ok = k->columns && k->rooms;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        size_t frames = (size_t)target->carried->frame_count;
        k->wrists[side] = gt_arena_push_array(&k->scratch, frames, sizeof *k->wrists[side]);
        ok = ok && k->wrists[side];
    }
    for (size_t i = 0; ok && i < pieces; ++i) {
        Room* room = &k->rooms[i];
        room->base = gt_arena_push_array(&k->scratch, nodes, sizeof *room->base);
        room->pose = gt_arena_push_array(&k->scratch, nodes, sizeof *room->pose);
        room->model = gt_arena_push_array(&k->scratch, nodes, sizeof *room->model);
        room->rotations = gt_arena_push_array(&k->scratch, nodes, sizeof *room->rotations);
        ok = room->base && room->pose && room->model && room->rotations;
        for (int side = 0; ok && side < GTI_SIDE_COUNT; ++side) {
            room->points[side] =
                gt_arena_push_array(&k->scratch, (size_t)point_count(k, side) + 1, sizeof *room->points[side]);
            ok = room->points[side] != NULL;
        }
    }
    if (!ok) {
        return gti_out_of_memory(error);
    }
    for (size_t i = 0; i < nodes; ++i) {
        k->columns[i] = GT_NONE;
    }
    for (int32_t n = 0; n < target->carried->node_count; ++n) {
        k->columns[gt_character_node_from_source(target->figure->character, target->carried->nodes[n])] = n;
    }
    return GT_OK;
}

static void fill_report(const Keeper* k, GtTouchReport* report)
{
    const GtiTouches* touches = k->target->touches;
    int32_t pieces = (k->target->carried->frame_count + PIECE - 1) / PIECE;
    for (int32_t i = 0; i < pieces; ++i) {
        report->hand_shift_m = fmax(report->hand_shift_m, (double)k->rooms[i].hand_shift_m);
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
    Keeper k = { .target = target,
                 .scratch = gt_arena_create(target->context->allocator),
                 .scale = { target->source_body, target->body, target->path_scale, target->body->stature_m / PERSON_M,
                            target->ground } };
    int32_t pieces = (target->carried->frame_count + PIECE - 1) / PIECE;
    GtResult result = open_rooms(&k, error);
    if (result == GT_OK) {
        gt_executor_run(&target->context->executor, pieces, 1, trace_range, &k);
        for (int32_t t = 0; t < target->touches->track_count; ++t) {
            if (target->touches->tracks[t].part == GT_TOUCHED_GROUND) {
                settle_offsets(target->touches, &target->touches->tracks[t]);
            }
        }
        ease(&k);
        gt_executor_run(&target->context->executor, pieces, 1, plan_range, &k);
        gt_executor_run(&target->context->executor, pieces, 1, keep_range, &k);
        fill_report(&k, report);
    }
    gt_arena_destroy(&k.scratch);
    return result;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "motion/touch/frame.h"

#include <math.h>
#include <string.h>

static const float EASY_SHARE = 0.97f; // of an arm's length, that is reached without help,
static const float EASY_SHRUG = 0.25f; // with this share of a clavicle's,
static const float SOFT_M = 0.015f;    // and from this much less on ever less so
static const float EASE_MPS2 = 8.0f;   // most that easing in and out accelerates
static const float SHORTEST_EASE_S = 0.15f;
static const float MOST_SLIDE = 0.6f; // of a part's length

float gti_touch_reach_m(const GtiTouchBody* body, const GtiBodyPose* pose, int side, float arm_share,
                        float clavicle_share)
{
    GtVec3 shoulder = gti_touch_shoulder(pose, side);
    GtVec3 elbow = pose->places[gti_joint_on(GT_HUMANOID_LEFT_LOWER_ARM, side)];
    GtHumanoidJoint clavicle = gti_joint_on(GT_HUMANOID_LEFT_SHOULDER, side);
    float reach = arm_share * (gt_vec3_length(gt_vec3_sub(elbow, shoulder)) +
                               gt_vec3_length(gt_vec3_sub(gti_wrist(pose, side), elbow)));
    return body->has_joint[clavicle]
               ? reach + clavicle_share * gt_vec3_length(gt_vec3_sub(shoulder, pose->places[clavicle]))
               : reach;
}

float gti_touch_lack_m(const GtiTouchKeeper* k, const GtiBodyPose* base, int side, float far)
{
    float soft = SOFT_M * k->scale.size;
    float beyond = far - gti_touch_reach_m(k->target->body, base, side, EASY_SHARE, EASY_SHRUG);
    return beyond <= -soft ? 0.0f : beyond < soft ? (beyond + soft) * (beyond + soft) / (4.0f * soft) : beyond;
}

static bool is_long(int part)
{
    return part == GT_TOUCHED_LEFT_THIGH || part == GT_TOUCHED_LEFT_SHANK || part == GT_TOUCHED_RIGHT_THIGH ||
           part == GT_TOUCHED_RIGHT_SHANK;
}

// A place on a leg that is too far is exchanged for one nearer to the shoulder, along the part.
static GtiTouchSample slid(const GtiTouchKeeper* k, const GtiTouchTrack* track, int32_t frame, const GtiPress* press,
                           const GtiBodyPose* base)
{
    GtiTouchSample sample = track->samples[frame];
    GtVec3 way = gt_vec3_sub(gti_press_goal(press, &sample), gti_touch_shoulder(base, track->side));
    float far = gt_vec3_length(way), lack = gti_touch_lack_m(k, base, track->side, far);
    if (lack > 0.0f) {
        const float steep = 0.3f; // cosine of the way with the part, from which on sliding is of use
        GtVec3 along = gt_quat_rotate(press->places[0].axes, gt_vec3(0.0f, 1.0f, 0.0f));
        float rate = gt_vec3_dot(along, way) / far;
        float slide = lack * rate / (rate * rate + steep * steep) / (MOST_SLIDE * press->parts[0]->length);
        sample.at.along = fminf(fmaxf(sample.at.along - MOST_SLIDE * tanhf(slide), 0.0f), 3.0f);
    }
    return sample;
}

GtVec3 gti_touch_goal(const GtiTouchKeeper* k, const GtiTouchTrack* track, int32_t frame, const GtiBodyPose* base,
                      const GtiBodyPose* now, const GtiTouchFrameScratch* room)
{
    if (track->part == GT_TOUCHED_GROUND) {
        return gti_ground_goal(&k->scale, track, frame, room->points[track->side], base);
    }
    GtiPress press = gti_press(&k->scale, track, frame, room->points, base, now);
    GtiTouchSample sample = is_long(track->part) ? slid(k, track, frame, &press, base) : track->samples[frame];
    return gti_press_goal(&press, &sample);
}

void gti_touch_load(const GtiTouchKeeper* k, GtiTouchFrameScratch* room, int32_t frame, GtiBodyPose* pose)
{
    const GtiAlignedFigure* figure = k->target->figure;
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

void gti_touch_store(const GtiTouchKeeper* k, const GtiTouchFrameScratch* room, int32_t frame)
{
    const GtiCarried* c = k->target->carried;
    for (int32_t i = 0; i < k->target->figure->def->node_count; ++i) {
        if (k->columns[i] != GT_NONE) {
            c->poses[(size_t)frame * (size_t)c->node_count + (size_t)k->columns[i]] = room->pose[i];
        }
    }
}

float gti_touch_ease_s(const GtiTouchKeeper* k, float way_m)
{
    const float peak = 5.7735f; // of a quintic step's second derivative
    float needed_s = sqrtf(peak * way_m / (EASE_MPS2 * k->scale.size));
    return fminf(fmaxf(needed_s, SHORTEST_EASE_S), GTI_LONGEST_EASE_S);
}

GtiTouchWindow gti_touch_window(const GtiTouchKeeper* k, int32_t frame, float deviation_s)
{
    const float* times = k->target->touches->times;
    GtiTouchWindow w = { frame, frame + 1 };
    while (w.first > 0 && times[frame] - times[w.first - 1] < 3.0f * deviation_s) {
        --w.first;
    }
    while (w.end < k->target->touches->frame_count && times[w.end] - times[frame] < 3.0f * deviation_s) {
        ++w.end;
    }
    return w;
}

float gti_touch_share(const GtiTouchKeeper* k, int32_t frame, int32_t other, float deviation_s)
{
    const float* times = k->target->touches->times;
    float u = (times[other] - times[frame]) / deviation_s;
    return expf(-0.5f * u * u);
}

static void run_piece(const GtiTouchKeeper* k, int32_t piece,
                      void (*each)(const GtiTouchKeeper*, GtiTouchFrameScratch*, int32_t))
{
    const GtCharacterDef* def = k->target->figure->def;
    GtiTouchFrameScratch* room = &k->rooms[piece];
    int32_t frames = k->target->carried->frame_count;
    int32_t stop = (piece + 1) * GTI_TOUCH_PIECE < frames ? (piece + 1) * GTI_TOUCH_PIECE : frames;
    memcpy(room->base, def->rest, (size_t)def->node_count * sizeof *room->base);
    for (int32_t f = piece * GTI_TOUCH_PIECE; f < stop; ++f) {
        each(k, room, f);
    }
}

// All frames, in pieces.
typedef struct Pass {
    const GtiTouchKeeper* keeper;
    void (*each)(const GtiTouchKeeper* k, GtiTouchFrameScratch* room, int32_t frame);
} Pass;

static void run_range(void* data, int32_t first, int32_t end)
{
    const Pass* pass = data;
    for (int32_t piece = first; piece < end; ++piece) {
        run_piece(pass->keeper, piece, pass->each);
    }
}

void gti_touch_pass(const GtiTouchKeeper* k, void (*each)(const GtiTouchKeeper*, GtiTouchFrameScratch*, int32_t))
{
    Pass pass = { k, each };
    int32_t pieces = (k->target->carried->frame_count + GTI_TOUCH_PIECE - 1) / GTI_TOUCH_PIECE;
    gt_executor_run(&k->target->context->executor, pieces, 1, run_range, &pass);
}

static int32_t point_count(const GtiTouchKeeper* k, int side)
{
    return k->target->body->hands[side].point_count;
}

GtResult gti_touch_open(GtiTouchKeeper* k, GtError* error)
{
    const GtiTouchTarget* target = k->target;
    size_t nodes = (size_t)target->figure->def->node_count;
    size_t pieces = ((size_t)target->carried->frame_count + GTI_TOUCH_PIECE - 1) / GTI_TOUCH_PIECE;
    k->columns = gt_arena_push_array(&k->scratch, nodes, sizeof *k->columns);
    k->rooms = gt_arena_push_array(&k->scratch, pieces, sizeof *k->rooms);
    k->leans = gt_arena_push_array(&k->scratch, (size_t)target->carried->frame_count, sizeof *k->leans);
    bool ok = k->columns && k->rooms && k->leans;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        size_t frames = (size_t)target->carried->frame_count;
        k->wrists[side] = gt_arena_push_array(&k->scratch, frames, sizeof *k->wrists[side]);
        k->smooth[side] = gt_arena_push_array(&k->scratch, frames, sizeof *k->smooth[side]);
        ok = ok && k->wrists[side] && k->smooth[side];
    }
    for (size_t i = 0; ok && i < pieces; ++i) {
        GtiTouchFrameScratch* room = &k->rooms[i];
        room->base = gt_arena_push_array(&k->scratch, nodes, sizeof *room->base);
        room->pose = gt_arena_push_array(&k->scratch, nodes, sizeof *room->pose);
        room->model = gt_arena_push_array(&k->scratch, nodes, sizeof *room->model);
        room->rotations = gt_arena_push_array(&k->scratch, nodes, sizeof *room->rotations);
        ok = room->base && room->pose && room->model && room->rotations;
        for (int side = 0; ok && side < GTI_SIDE_COUNT; ++side) {
            room->points[side] =
                gt_arena_push_array(&k->scratch, (size_t)point_count(k, side) + 1, sizeof *room->points[side]);
            room->before[side] =
                gt_arena_push_array(&k->scratch, (size_t)point_count(k, side) + 1, sizeof *room->before[side]);
            ok = room->points[side] && room->before[side];
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

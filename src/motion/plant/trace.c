// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where the frames have hips, knees, ankles and soles. Every frame by itself, so on all threads.

#include "motion/plant/pose.h"

#include "motion/retarget/posture.h"

#include "base/sort.h"

#include <math.h>
#include <string.h>

enum {
    PIECE = 64 // frames
};

static const double FAR_FLOOR = 0.1; // of the height, from 0, at which the ground is where the soles are
static const double LOW_SHARE = 0.05;

// What a piece of frames works in.
typedef struct Room {
    GtiLegPose pose;
    GtVec3* points; // [points]
    float* weights; // [weights]
    void* scratch;
} Room;

typedef struct Tracer {
    GtiPlant* plant;
    int32_t toes[GTI_SIDE_COUNT];               // nodes, or those of the feet where there are none
    GtQuat foot_from_reference[GTI_SIDE_COUNT]; // inverse model rotations in the reference pose
    GtQuat toes_from_reference[GTI_SIDE_COUNT];
    Room* rooms; // [pieces]
} Tracer;

static bool push_room(GtiPlant* plant, Room* room)
{
    size_t weight_count = (size_t)plant->figure->def->weight_count;
    room->points = gt_arena_push_array(plant->scratch, (size_t)plant->sole->point_count, sizeof *room->points);
    room->weights = gt_arena_push_array(plant->scratch, weight_count, sizeof *room->weights);
    room->scratch = gt_arena_push(plant->scratch, gti_tread_scratch_size(plant->sole));
    return gti_leg_pose_push(plant, &room->pose) && room->points && room->weights && room->scratch;
}

static GtVec3 place(const Room* room, int32_t node)
{
    return gt_mat34_translation(&room->pose.model[node]);
}

static void trace_frame(const Tracer* t, const Room* room, int32_t f)
{
    GtiPlant* plant = t->plant;
    const GtFigure* figure = plant->figure;
    gti_leg_pose_load(plant, f, &room->pose);
    gti_tread_points(plant->sole, room->pose.model, room->weights, room->scratch, room->points);
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        int32_t ankle = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_FOOT, side)];
        plant->feet[side][f] = (GtiFootFrame){
            .hip = place(room, figure->joints[gti_joint_on(GT_HUMANOID_LEFT_UPPER_LEG, side)]),
            .knee = place(room, figure->joints[gti_joint_on(GT_HUMANOID_LEFT_LOWER_LEG, side)]),
            .ankle = place(room, ankle),
            .thigh = room->pose.rotations[figure->joints[gti_joint_on(GT_HUMANOID_LEFT_UPPER_LEG, side)]],
            .toes = gt_vec3_sub(place(room, t->toes[side]), place(room, ankle)),
            .turn = gt_quat_mul(room->pose.rotations[ankle], t->foot_from_reference[side]),
            .toe_turn = gt_quat_mul(room->pose.rotations[t->toes[side]], t->toes_from_reference[side]),
            .unplanted_hip = place(room, figure->joints[gti_joint_on(GT_HUMANOID_LEFT_UPPER_LEG, side)]),
            .unplanted_ankle = place(room, ankle),
            .fix = gt_quat_identity(),
            .toe_fix = gt_quat_identity(),
            .low = INFINITY,
        };
    }
    GtVec3* points = plant->points + (size_t)f * (size_t)plant->sole->point_count;
    for (int32_t i = 0; i < plant->sole->point_count; ++i) {
        int part = plant->sole->parts[i];
        GtiFootFrame* foot = &plant->feet[part == GT_NONE ? 0 : part / 2][f];
        points[i] = gt_vec3_sub(room->points[i], foot->ankle);
        foot->low = part == GT_NONE ? foot->low : fminf(foot->low, points[i].y);
    }
}

static void trace_range(void* data, int32_t first, int32_t end)
{
    const Tracer* t = data;
    const GtiPlant* plant = t->plant;
    const GtCharacterDef* def = plant->figure->def;
    for (int32_t piece = first; piece < end; ++piece) {
        const Room* room = &t->rooms[piece];
        if (def->weight_count) {
            memcpy(room->weights, def->rest_weights, (size_t)def->weight_count * sizeof *room->weights);
        }
        int32_t stop = (piece + 1) * PIECE < plant->frames->count ? (piece + 1) * PIECE : plant->frames->count;
        for (int32_t f = piece * PIECE; f < stop; ++f) {
            trace_frame(t, room, f);
        }
    }
}

// A foot without toes is all its own toes: laid flat with them, it needs nothing more.
static void find_toes(Tracer* t)
{
    const GtFigure* figure = t->plant->figure;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        int32_t ankle = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_FOOT, side)];
        int32_t toes = gti_tread_toes(figure, side);
        t->toes[side] = toes == GT_NONE ? ankle : toes;
        t->foot_from_reference[side] =
            gt_quat_conjugate(gti_rotation_of_matrix(figure->def, ankle, &figure->reference[ankle]));
        GtQuat toes_at_rest = gti_rotation_of_matrix(figure->def, t->toes[side], &figure->reference[t->toes[side]]);
        t->toes_from_reference[side] = gt_quat_conjugate(toes_at_rest);
        t->plant->has_toes[side] = toes != GT_NONE;
    }
}

GtResult gti_plant_trace(GtiPlant* plant)
{
    size_t count = (size_t)plant->frames->count;
    int32_t piece_count = (plant->frames->count + PIECE - 1) / PIECE;
    Tracer t = { .plant = plant };
    GtResult result = gti_plant_choose_nodes(plant);
    if (result != GT_OK) {
        return result;
    }
    t.rooms = gt_arena_push_array(plant->scratch, (size_t)piece_count, sizeof *t.rooms);
    plant->points =
        gt_arena_push_array(plant->scratch, count * (size_t)plant->sole->point_count, sizeof *plant->points);
    if (!t.rooms || !plant->points) {
        return gti_out_of_memory(plant->error);
    }
    for (int32_t i = 0; i < piece_count; ++i) {
        if (!push_room(plant, &t.rooms[i])) {
            return gti_out_of_memory(plant->error);
        }
    }
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        plant->feet[side] = gt_arena_push_array(plant->scratch, count, sizeof *plant->feet[side]);
        if (!plant->feet[side]) {
            return gti_out_of_memory(plant->error);
        }
    }
    find_toes(&t);
    gt_executor_run(&plant->context->executor, piece_count, 1, trace_range, &t);
    return GT_OK;
}

static int32_t collect_lows(const GtiPlant* plant, bool standing, float* out)
{
    int32_t count = 0;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        for (int32_t f = 0; f < plant->frames->count; ++f) {
            const GtiFootFrame* foot = &plant->feet[side][f];
            if (!standing || plant->contacts[f] >> 2 * side & 3u) {
                out[count++] = foot->ankle.y + foot->low - (plant->levels[side] ? plant->levels[side][f] : 0.0f);
            }
        }
    }
    return count;
}

GtResult gti_plant_find_floor(GtiPlant* plant)
{
    if (isfinite(plant->floor_m)) {
        return GT_OK;
    }
    float* lows = gt_arena_push_array(plant->scratch, GTI_SIDE_COUNT * (size_t)plant->frames->count, sizeof *lows);
    if (!lows) {
        return gti_out_of_memory(plant->error);
    }
    int32_t count = collect_lows(plant, true, lows);
    double share = 0.5;
    if (count == 0) {
        count = collect_lows(plant, false, lows);
        share = LOW_SHARE;
    }
    float low = gti_percentile(lows, count, share);
    bool is_near = plant->sole->is_mesh && fabs((double)low) < FAR_FLOOR * plant->figure->height_m;
    plant->floor_m = is_near ? 0.0f : low;
    if (!is_near) {
        gti_note(plant->context, NULL, NULL, "the ground is assumed at %.3f m, where the feet are", (double)low);
    }
    return GT_OK;
}

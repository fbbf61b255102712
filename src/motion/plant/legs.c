// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Hips moved, legs turned, feet kept as they were in the world but for what lays them flat. The knee bends about the
// axis that it bent about, and the leg turns by the smallest rotation from where its ankle was to where it shall be.

#include "motion/plant/pose.h"
#include "motion/retarget/posture.h"

#include "gertie/ik.h"

#include <math.h>

enum {
    PIECE = 64 // frames
};

static const float SOFT = 0.95f;      // share of its length from which on a leg stretches ever less,
static const float STANDING = 0.985f; // likewise of a leg that stands,
static const float HARDEST = 0.9995f; // unless it was stretched further before
static const float CLEAR_BEND = 0.5f; // sine of it
static const float SURE_BEND = 0.35f; // likewise
static const float UNCLEAR_BEND = 0.05f;
static const float SAME_PLACE_M = 1e-5f; // goals this near leave a leg alone
static const float MISS_M = 1e-3f;

typedef struct Room {
    GtiLegPose pose;
    float foot_shift_m, hips_shift_m, miss_m;
    int32_t short_frames;
} Room;

typedef struct Solver {
    const GtiPlant* plant;
    Room* rooms;                        // [pieces]
    GtVec3 hinges[GTI_SIDE_COUNT];      // usual ones of the knees, in the axes of the thighs
    bool foot_is_loose[GTI_SIDE_COUNT]; // it does not hang from the shank
} Solver;

static GtQuat parent_rotation(const Solver* s, const Room* room, int32_t node)
{
    return gti_parent_rotation(s->plant->figure->def, room->pose.rotations, node);
}

// Turn a node and all below it in the model; its own rotation is brought up to date.
static void turn_node(const Room* room, int32_t node, GtQuat parent, GtQuat rotation)
{
    room->pose.pose[node].rotation = gt_quat_normalize(gt_quat_mul(gt_quat_conjugate(parent), rotation));
}

static void move_node(const Solver* s, const Room* room, int32_t node, GtVec3 way)
{
    int32_t parent = s->plant->figure->def->parents[node];
    if (parent != GT_NONE) {
        GtMat34 parent_from_model = gt_mat34_inverse(&room->pose.model[parent], NULL);
        way = gt_mat34_vector(&parent_from_model, way);
    }
    room->pose.pose[node].translation = gt_vec3_add(room->pose.pose[node].translation, way);
}

// Across thigh and shank, as long as the sine of the bend; of one beyond a right angle, as 1.
static GtVec3 across_knee(const GtiFootFrame* foot)
{
    GtVec3 thigh = gt_vec3_normalize_or(gt_vec3_sub(foot->knee, foot->hip), gt_vec3(0.0f, -1.0f, 0.0f));
    GtVec3 shank = gt_vec3_normalize_or(gt_vec3_sub(foot->ankle, foot->knee), thigh);
    GtVec3 across = gt_vec3_cross(thigh, shank);
    return gt_vec3_dot(thigh, shank) < 0.0f ? gt_vec3_normalize_or(across, across) : across;
}

// The axis that a knee bends about: across thigh and shank where it is clearly bent, its usual one where it is not, or
// a little the wrong way as captured knees are.
static GtVec3 hinge_of(const GtiFootFrame* foot, GtVec3 usual)
{
    GtVec3 across = across_knee(foot);
    if (gt_vec3_dot(across, usual) < 0.0f && gt_vec3_length(across) < CLEAR_BEND) {
        across = gt_vec3_scale(across, -1.0f);
    }
    return gt_vec3_add(across, gt_vec3_scale(usual, UNCLEAR_BEND));
}

// A leg in the air stretches ever less before it is straight, unless it was straighter before; one that stands reaches.
static float softness_of(const GtiFootFrame* foot)
{
    float length = gti_leg_m(foot);
    float was = gt_vec3_length(gt_vec3_sub(foot->ankle, foot->hip)) / fmaxf(length, 1e-12f);
    float soft = fminf(fmaxf(SOFT, was), HARDEST);
    float hard = fminf(fmaxf(STANDING, was), HARDEST);
    return soft + foot->weight * (hard - soft);
}

// Add a leg to the report; whether it is too short for where its foot stands.
static bool report_leg(const GtiPlant* plant, Room* room, int32_t frame, int side, const GtTwoBoneTurns* turns)
{
    const GtiFootFrame* foot = &plant->feet[side][frame];
    if (!gti_plant_counts(plant, frame)) {
        return false;
    }
    bool stands = plant->contacts[frame] >> 2 * side & 3u;
    GtVec3 hip = gt_vec3_add(foot->hip, plant->shifts[frame]); // goes where the hips do, which only move
    room->hips_shift_m = fmaxf(room->hips_shift_m, gt_vec3_length(gt_vec3_sub(hip, foot->unplanted_hip)));
    room->foot_shift_m = fmaxf(room->foot_shift_m, gt_vec3_length(gt_vec3_sub(turns->end, foot->unplanted_ankle)));
    room->miss_m = stands ? fmaxf(room->miss_m, turns->miss_m) : room->miss_m;
    return stands && turns->miss_m > MISS_M;
}

static bool solve_leg(const Solver* s, Room* room, int32_t frame, int side)
{
    const GtiPlant* plant = s->plant;
    const GtFigure* figure = plant->figure;
    const GtiFootFrame* foot = &plant->feet[side][frame];
    int32_t thigh = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_UPPER_LEG, side)];
    int32_t shank = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_LOWER_LEG, side)];
    int32_t ankle = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_FOOT, side)];
    GtVec3 shift = plant->shifts[frame];
    GtHingeLimb limb = { gt_vec3_add(foot->hip, shift),   gt_vec3_add(foot->knee, shift),
                         gt_vec3_add(foot->ankle, shift), foot->goal,
                         gt_vec3(0.0f, 0.0f, 0.0f),       1.0f };
    limb.hinge = hinge_of(foot, gt_quat_rotate(room->pose.rotations[thigh], s->hinges[side]));
    limb.soft = softness_of(foot);
    GtTwoBoneTurns turns = { gt_quat_identity(), gt_quat_identity(), limb.middle, limb.end, 0.0f };
    if (gt_vec3_length(gt_vec3_sub(limb.end, limb.target)) > SAME_PLACE_M) {
        turns = gt_ik_hinge(&limb);
    }
    GtQuat thigh_parent = parent_rotation(s, room, thigh);
    GtQuat shank_parent = gt_quat_mul(turns.root_turn, parent_rotation(s, room, shank));
    GtQuat shank_turn = gt_quat_mul(turns.middle_turn, turns.root_turn);
    GtQuat foot_parent = parent_rotation(s, room, ankle);
    foot_parent = s->foot_is_loose[side] ? foot_parent : gt_quat_mul(shank_turn, foot_parent);
    turn_node(room, thigh, thigh_parent, gt_quat_mul(turns.root_turn, room->pose.rotations[thigh]));
    turn_node(room, shank, shank_parent, gt_quat_mul(shank_turn, room->pose.rotations[shank]));
    turn_node(room, ankle, foot_parent, gt_quat_mul(foot->fix, room->pose.rotations[ankle]));
    if (plant->has_toes[side]) {
        int32_t toes = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_TOES, side)];
        GtQuat parent = gt_quat_mul(foot->fix, parent_rotation(s, room, toes));
        GtQuat rotation = gt_quat_mul(foot->toe_fix, gt_quat_mul(foot->fix, room->pose.rotations[toes]));
        turn_node(room, toes, parent, rotation);
    }
    if (s->foot_is_loose[side]) {
        move_node(s, room, ankle, gt_vec3_sub(turns.end, foot->ankle));
    }
    return report_leg(plant, room, frame, side, &turns);
}

static void solve_frame(const Solver* s, Room* room, int32_t frame)
{
    const GtiPlant* plant = s->plant;
    const GtiPlantFrames* frames = plant->frames;
    const GtFigure* figure = plant->figure;
    GtTransform* keys = frames->poses + (size_t)frame * (size_t)frames->stride;
    gti_leg_pose_load(plant, frame, &room->pose);
    GtVec3 way = gt_vec3_add(plant->shifts[frame], gt_vec3(0.0f, plant->raise_m, 0.0f));
    move_node(s, room, figure->joints[GT_HUMANOID_HIPS], way);
    bool is_short = false;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        is_short = solve_leg(s, room, frame, side) || is_short;
    }
    room->short_frames += is_short;
    for (int32_t n = 0; n < plant->node_count; ++n) {
        int32_t column = frames->columns[plant->nodes[n]];
        if (column != GT_NONE) {
            keys[column] = room->pose.pose[plant->nodes[n]];
        }
    }
}

static void solve_range(void* data, int32_t first, int32_t end)
{
    const Solver* s = data;
    for (int32_t piece = first; piece < end; ++piece) {
        Room* room = &s->rooms[piece];
        int32_t stop = (piece + 1) * PIECE < s->plant->frames->count ? (piece + 1) * PIECE : s->plant->frames->count;
        for (int32_t f = piece * PIECE; f < stop; ++f) {
            solve_frame(s, room, f);
        }
    }
}

// What a knee usually bends about is seen in the frames; where it never bends, it is what is left of the thigh.
static GtVec3 usual_hinge(const Solver* s, int side)
{
    const GtFigure* figure = s->plant->figure;
    int32_t thigh = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_UPPER_LEG, side)];
    GtQuat rotation = gti_rotation_of_matrix(figure->def, thigh, &figure->reference[thigh]);
    GtVec3 left = gt_vec3_cross(gt_vec3(0.0f, 1.0f, 0.0f), gti_figure_forward(figure));
    GtVec3 sum = gt_vec3_scale(gt_quat_rotate(gt_quat_conjugate(rotation), left), UNCLEAR_BEND);
    for (int32_t f = 0; f < s->plant->frames->count; ++f) {
        const GtiFootFrame* foot = &s->plant->feet[side][f];
        GtVec3 across = across_knee(foot);
        if (gt_vec3_length(across) > SURE_BEND) {
            sum = gt_vec3_add(sum, gt_quat_rotate(gt_quat_conjugate(foot->thigh), across));
        }
    }
    return gt_vec3_normalize_or(sum, gt_vec3(1.0f, 0.0f, 0.0f));
}

static void find_hinges(Solver* s)
{
    const GtFigure* figure = s->plant->figure;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        int32_t shank = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_LOWER_LEG, side)];
        int32_t ankle = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_FOOT, side)];
        s->hinges[side] = usual_hinge(s, side);
        s->foot_is_loose[side] = !gti_hangs_from(figure->def, ankle, shank);
    }
}

GtResult gti_plant_legs(GtiPlant* plant)
{
    int32_t piece_count = (plant->frames->count + PIECE - 1) / PIECE;
    Solver s = { .plant = plant };
    s.rooms = gt_arena_push_array(plant->scratch, (size_t)piece_count, sizeof *s.rooms);
    if (!s.rooms) {
        return gti_out_of_memory(plant->error);
    }
    for (int32_t i = 0; i < piece_count; ++i) {
        if (!gti_leg_pose_push(plant, &s.rooms[i].pose)) {
            return gti_out_of_memory(plant->error);
        }
    }
    find_hinges(&s);
    gt_executor_run(&plant->context->executor, piece_count, 1, solve_range, &s);
    GtPlantReport* report = &plant->report;
    for (int32_t i = 0; i < piece_count; ++i) {
        report->foot_shift_m = fmax(report->foot_shift_m, (double)s.rooms[i].foot_shift_m);
        report->hips_shift_m = fmax(report->hips_shift_m, (double)s.rooms[i].hips_shift_m);
        report->miss_m = fmax(report->miss_m, (double)s.rooms[i].miss_m);
        report->short_frames += s.rooms[i].short_frames;
    }
    return GT_OK;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Frames are carried over in pieces on all threads, and compared with those they come from.

#include "motion/retarget/transfer.h"

#include "base/direction.h"
#include "base/fail.h"

#include <math.h>
#include <string.h>

enum {
    PIECE = 64, // frames
    BATCH = 64  // pieces between reports of progress
};

// What a piece of frames works in.
typedef struct Room {
    GtTransform* source;      // [source nodes]
    GtTransform* target;      // [target nodes]
    GtMat34* source_model;    // [source nodes]
    GtMat34* target_model;    // [target nodes]
    GtQuat* source_rotations; // [source nodes]
    GtQuat* target_rotations; // [target nodes]
    GtQuat* before_source;    // [source nodes] of the frame before
    GtQuat* before_target;    // [target nodes]
    void* scratch;
} Room;

static size_t room_size(const GtRetarget* r)
{
    size_t nodes = (size_t)r->source.def->node_count + (size_t)r->target.def->node_count;
    return nodes * (sizeof(GtTransform) + sizeof(GtMat34) + 2 * sizeof(GtQuat)) + gt_retarget_scratch_size(r);
}

static Room lay_out(const GtRetarget* r, void* memory)
{
    size_t source = (size_t)r->source.def->node_count, target = (size_t)r->target.def->node_count;
    Room room;
    room.source = memory;
    room.target = room.source + source;
    room.source_model = (GtMat34*)(room.target + target);
    room.target_model = room.source_model + source;
    room.source_rotations = (GtQuat*)(room.target_model + target);
    room.target_rotations = room.source_rotations + source;
    room.before_source = room.target_rotations + target;
    room.before_target = room.before_source + source;
    room.scratch = room.before_target + target;
    return room;
}

static GtVec3 bone_of(const GtiAlignedFigure* f, const GtMat34* model, int joint)
{
    return gt_vec3_sub(gt_mat34_translation(&model[f->joints[joint + 1]]),
                       gt_mat34_translation(&model[f->joints[joint]]));
}

static bool has_bone(const GtiAlignedFigure* f, GtHumanoidJoint joint)
{
    return f->joints[joint] != GT_NONE && f->joints[joint + 1] != GT_NONE;
}

// Limbs are compared by where they point, in the world.
static void measure_directions(const GtRetarget* r, const Room* room, GtiCarryMeasures* m)
{
    static const GtHumanoidJoint bones[8] = { GT_HUMANOID_LEFT_UPPER_ARM,  GT_HUMANOID_LEFT_LOWER_ARM,
                                              GT_HUMANOID_RIGHT_UPPER_ARM, GT_HUMANOID_RIGHT_LOWER_ARM,
                                              GT_HUMANOID_LEFT_UPPER_LEG,  GT_HUMANOID_LEFT_LOWER_LEG,
                                              GT_HUMANOID_RIGHT_UPPER_LEG, GT_HUMANOID_RIGHT_LOWER_LEG };
    gt_character_to_model(r->source.character, room->source, room->source_model);
    gt_character_to_model(r->target.character, room->target, room->target_model);
    for (int b = 0; b < 8; ++b) {
        GtHumanoidJoint from = r->def.mirror ? gt_humanoid_mirror(bones[b]) : bones[b];
        if (!has_bone(&r->source, from) || !has_bone(&r->target, bones[b])) {
            continue;
        }
        GtVec3 there = bone_of(&r->source, room->source_model, (int)from);
        GtVec3 here = bone_of(&r->target, room->target_model, (int)bones[b]);
        there.x = r->def.mirror ? -there.x : there.x;
        double miss = (double)gti_angle_between(there, here);
        m->direction_sum_rad += miss;
        m->max_direction_rad = fmax(m->max_direction_rad, miss);
        ++m->direction_count;
    }
}

// A forearm takes a part of what its hand twists: the cosine of half of that.
static float shared_turn(const GtRetarget* r, const Room* room, int32_t node)
{
    for (int side = 0; side < 2; ++side) {
        const GtiForearm* forearm = &r->limits.forearms[side];
        if (forearm->hand != GT_NONE && forearm->lower == node) {
            int32_t from = r->links.of[forearm->hand].to;
            return fabsf(gt_quat_dot(room->before_source[from], room->source_rotations[from]));
        }
    }
    return 1.0f;
}

// Cosine of half the angle that a node has turned since the frame before, in the world, or against another node.
static float turn_of(const GtQuat* before, const GtQuat* now, int32_t node)
{
    return fabsf(gt_quat_dot(before[node], now[node]));
}

static float turn_against(const GtQuat* before, const GtQuat* now, int32_t above, int32_t node)
{
    return fabsf(gt_quat_dot(gt_quat_mul(gt_quat_conjugate(before[above]), before[node]),
                             gt_quat_mul(gt_quat_conjugate(now[above]), now[node])));
}

// How much further a turn is than another, both as cosines of half of it. Angles are taken only where the cosines say
// that there is more than rounding between them.
static double extra_of(float here, float there)
{
    return here < there - 1e-5f ? 2.0 * (acos((double)here) - acos(fmin((double)there, 1.0))) : 0.0;
}

// A joint within limits goes along with the one above it when it is at their end: its turn against that one counts.
static double extra_within_limits(const GtRetarget* r, const Room* room, int32_t node)
{
    for (int k = 0; k < r->limits.count; ++k) {
        const GtiLimitedJoint* joint = &r->limits.joints[k];
        int32_t above = joint->node == node ? r->links.of[joint->above].from : GT_NONE;
        if (above != GT_NONE) {
            float here = turn_against(room->before_target, room->target_rotations, joint->above, node);
            float there = turn_against(room->before_source, room->source_rotations, above, r->links.of[node].to);
            return extra_of(here, there);
        }
    }
    return (double)INFINITY;
}

// A joint that follows two may turn as far as either does.
static void measure_turns(const GtRetarget* r, const Room* room, GtiCarryMeasures* m)
{
    for (int32_t i = 0; i < r->target.def->node_count; ++i) {
        const GtiRetargetLink* link = &r->links.of[i];
        if (link->from == GT_NONE) {
            continue;
        }
        float here = turn_of(room->before_target, room->target_rotations, i);
        float from = turn_of(room->before_source, room->source_rotations, link->from);
        float to = turn_of(room->before_source, room->source_rotations, link->to);
        double extra = extra_of(here, fminf(fminf(from, to), shared_turn(r, room, i)));
        if (extra > m->max_extra_turn_rad) {
            m->max_extra_turn_rad = fmax(m->max_extra_turn_rad, fmin(extra, extra_within_limits(r, room, i)));
        }
    }
}

GtResult gti_transfer_make_room(GtiTransfer* t, int32_t capacity)
{
    int32_t piece_count = (capacity + PIECE - 1) / PIECE;
    int32_t room_count = piece_count < BATCH ? piece_count : BATCH;
    t->capacity = capacity;
    t->room_size = room_size(t->r);
    t->poses = gt_arena_push_array(&t->scratch, (size_t)capacity * (size_t)t->node_count, sizeof *t->poses);
    t->window_times = gt_arena_push_array(&t->scratch, (size_t)capacity, sizeof *t->window_times);
    t->frames = gt_arena_push_array(&t->scratch, (size_t)capacity, sizeof *t->frames);
    t->pieces = gt_arena_push_array(&t->scratch, (size_t)piece_count, sizeof *t->pieces);
    t->rooms = gt_arena_push_array(&t->scratch, (size_t)room_count, t->room_size);
    bool ok = t->poses && t->window_times && t->frames && t->pieces && t->rooms;
    return ok ? GT_OK : gti_out_of_memory(t->error);
}

int32_t gti_transfer_frame(const GtiTransfer* t, const GtiWindow* window, int32_t i, int32_t* lap)
{
    int32_t last = t->frame_count - 1;
    int32_t frame = window->first + i * window->stride;
    *lap = frame < 0 ? -1 : frame > last ? 1 : 0;
    return frame - *lap * last; // the last frame of a cycle is the first of the next
}

static void carry_frame(const GtiTransfer* t, const Room* room, int32_t frame)
{
    gt_clip_sample(t->r->source.clip, (double)t->times[frame], room->source, NULL);
    gt_retarget_pose(&t->carrier, room->source, room->target, room->scratch);
}

static void measure_frame(const GtiTransfer* t, const Room* room, int32_t frame, GtiCarryMeasures* measures)
{
    const GtRetarget* r = t->r;
    if (r->source.is_humanoid && r->target.is_humanoid) {
        measure_directions(r, room, measures);
    }
    if (frame > 0) {
        measure_turns(r, room, measures);
    }
}

static void carry_piece(const GtiTransfer* t, int32_t piece, void* memory)
{
    const GtRetarget* r = t->r;
    const GtiWindow* w = &t->window;
    Room room = lay_out(r, memory);
    size_t source = (size_t)r->source.def->node_count, target = (size_t)r->target.def->node_count;
    memcpy(room.source, r->source.def->rest, source * sizeof *room.source);
    memcpy(room.target, r->target.def->rest, target * sizeof *room.target);
    int32_t first = piece * PIECE;
    int32_t end = first + PIECE < w->count ? first + PIECE : w->count;
    bool looks_back = w->measures && w->first + first > 0; // to see how far joints turn
    for (int32_t i = looks_back ? first - 1 : first; i < end; ++i) {
        int32_t lap = 0;
        int32_t frame = gti_transfer_frame(t, w, i, &lap);
        carry_frame(t, &room, frame);
        gti_model_rotations(r->source.def, room.source, room.source_rotations);
        gti_model_rotations(r->target.def, room.target, room.target_rotations);
        if (i >= first) {
            if (w->measures && i >= w->before && i < w->count - w->after) {
                measure_frame(t, &room, frame, &t->pieces[piece]);
            }
            for (int32_t n = 0; n < t->node_count; ++n) {
                t->poses[(size_t)i * (size_t)t->node_count + (size_t)n] = room.target[t->runtime[n]];
            }
        }
        memcpy(room.before_source, room.source_rotations, source * sizeof *room.before_source);
        memcpy(room.before_target, room.target_rotations, target * sizeof *room.before_target);
    }
}

static void carry_range(void* data, int32_t first, int32_t end)
{
    const GtiTransfer* t = data;
    for (int32_t room = first; room < end; ++room) {
        carry_piece(t, t->first_piece + room, t->rooms + (size_t)room * t->room_size);
    }
}

static void add_measures(const GtiCarryMeasures* piece, GtiCarryMeasures* sum)
{
    sum->direction_sum_rad += piece->direction_sum_rad;
    sum->direction_count += piece->direction_count;
    sum->max_direction_rad = fmax(sum->max_direction_rad, piece->max_direction_rad);
    sum->max_extra_turn_rad = fmax(sum->max_extra_turn_rad, piece->max_extra_turn_rad);
}

GtResult gti_transfer_carry(GtiTransfer* t, const GtiWindow* window)
{
    GT_ASSERT(window->count <= t->capacity);
    int32_t piece_count = (window->count + PIECE - 1) / PIECE;
    double duration_s = (double)(t->times[t->frame_count - 1] - t->times[0]);
    t->window = *window;
    for (int32_t i = 0; i < window->count; ++i) {
        int32_t lap = 0;
        t->frames[i] = gti_transfer_frame(t, window, i, &lap);
        t->window_times[i] = (float)((double)t->times[t->frames[i]] + lap * duration_s);
    }
    memset(t->pieces, 0, (size_t)piece_count * sizeof *t->pieces);
    for (t->first_piece = 0; t->first_piece < piece_count; t->first_piece += BATCH) {
        double done = window->measures ? fmax((double)window->first + (double)t->first_piece * PIECE, 0.0) : 0.0;
        GtResult result = gti_progress(t->context, t->error, "moving the character", done / t->frame_count);
        if (result != GT_OK) {
            return result;
        }
        int32_t left = piece_count - t->first_piece;
        gt_executor_run(&t->context->executor, left < BATCH ? left : BATCH, 1, carry_range, t);
    }
    for (int32_t i = 0; i < piece_count; ++i) { // in order, so that sums do not depend on threads
        add_measures(&t->pieces[i], &t->measures);
    }
    return GT_OK;
}

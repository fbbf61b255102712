// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One way for all motions: check, plan, fit the period to the frame rate, pose every frame, measure, bake. A period is
// a whole number of frames, so that loops close on a frame and every repetition is the same.

#include "motions/motion.h"

#include "gertie/bake.h"

#include "base/fail.h"
#include "base/field_table.h"

#include <math.h>

enum {
    MAX_FRAMES = 200000,
    PROGRESS_FRAMES = 512,
    JOINT_COUNT = GT_HUMANOID_JOINT_COUNT
};

static const GtiMotionTable* const motions[GT_MOTION_COUNT] = {
    [GT_MOTION_WALK] = &gti_motion_walk,   [GT_MOTION_RUN] = &gti_motion_run,
    [GT_MOTION_TURN] = &gti_motion_turn,   [GT_MOTION_IDLE] = &gti_motion_idle,
    [GT_MOTION_WAVE] = &gti_motion_wave,   [GT_MOTION_BOXING] = &gti_motion_boxing,
    [GT_MOTION_KICK] = &gti_motion_kick,   [GT_MOTION_SQUAT] = &gti_motion_squat,
    [GT_MOTION_JUMP] = &gti_motion_jump,   [GT_MOTION_SIT] = &gti_motion_sit,
    [GT_MOTION_FLEX] = &gti_motion_flex,   [GT_MOTION_DROP] = &gti_motion_drop,
    [GT_MOTION_TWIST] = &gti_motion_twist, [GT_MOTION_FINGERS] = &gti_motion_fingers,
    [GT_MOTION_RANGE] = &gti_motion_range, [GT_MOTION_BREATHE] = &gti_motion_breathe,
    [GT_MOTION_LOOK] = &gti_motion_look,   [GT_MOTION_NOD] = &gti_motion_nod,
    [GT_MOTION_SHAKE] = &gti_motion_shake, [GT_MOTION_SHRUG] = &gti_motion_shrug,
    [GT_MOTION_POINT] = &gti_motion_point, [GT_MOTION_CLAP] = &gti_motion_clap,
};

static bool is_motion(GtMotionKind kind)
{
    return (int)kind >= 0 && kind < GT_MOTION_COUNT;
}

const char* gt_motion_name(GtMotionKind kind)
{
    return is_motion(kind) ? motions[kind]->name : "";
}

bool gt_motion_loops(GtMotionKind kind)
{
    return is_motion(kind) && motions[kind]->loops;
}

GtMotionDef gt_default_motion_def(GtMotionKind kind)
{
    GtMotionDef def = {
        .kind = kind,
        .person = gt_default_person_def(),
        .speed_mps = kind == GT_MOTION_RUN ? 3.3 : 1.4,
        .angle_rad = 0.5 * GTI_PI,
        .rise_m = 0.3,
        .tempo = 1.0,
        .repeat_count = kind == GT_MOTION_WALK || kind == GT_MOTION_RUN ? 4 : 1,
        .frame_rate_hz = 60.0,
    };
    if (kind == GT_MOTION_RUN || kind == GT_MOTION_JUMP || kind == GT_MOTION_DROP) {
        def.frame_rate_hz = 120.0; // feet that hit the ground stand still between frames too
    }
    if (kind == GT_MOTION_TWIST) {
        def.angle_rad = 1.5 * GTI_PI;
    } else if (kind == GT_MOTION_SQUAT) {
        def.angle_rad = 115.0 * GTI_DEGREE; // thighs level
    }
    return def;
}

static GtResult check_def(const GtMotionDef* def, GtError* error)
{
    if (!is_motion(def->kind)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "there is no motion %d", (int)def->kind);
    }
    if (!(def->tempo >= 0.25 && def->tempo <= 4.0)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a tempo of %g is out of range; give 0.25 to 4", def->tempo);
    }
    if (def->repeat_count < 1 || def->repeat_count > 10000) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "%d repetitions are out of range; give 1 to 10000",
                        (int)def->repeat_count);
    }
    if (!(def->frame_rate_hz >= 1.0 && def->frame_rate_hz <= 1000.0)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "%g frames a second are out of range; give 1 to 1000",
                        def->frame_rate_hz);
    }
    return gti_fields_check(gt_person_def_fields(), &def->person, error);
}

// The nearest whole number of frames to one repetition. A walk at its own speed takes steps of another length then, by
// half a frame's way at most.
static GtResult fit_period(GtiMotion* motion, int32_t* period_frames, GtError* error)
{
    double frames = fmax(floor(motion->natural_s * motion->def->frame_rate_hz + 0.5), 2.0);
    double total = frames * motion->def->repeat_count;
    if (!(total < MAX_FRAMES)) {
        return gti_fail(error, GT_ERROR_LIMIT, "that makes %.0f frames; the limit is %d", total, (int)MAX_FRAMES);
    }
    *period_frames = (int32_t)frames;
    motion->period_s = frames / motion->def->frame_rate_hz;
    return GT_OK;
}

// A repetition starts where the one before ended.
static void pose_frame(const GtiMotion* motion, int32_t frame, int32_t period_frames, GtTransform* pose,
                       uint8_t* planted)
{
    const GtiSkeleton* skeleton = &motion->stand.skeleton;
    int32_t last = motion->def->repeat_count - 1;
    int32_t repetition = frame / period_frames < last ? frame / period_frames : last;
    double share = (double)(frame - repetition * period_frames) / period_frames;
    GtiMoment moment;
    motion->table->pose(motion, share * motion->period_s, &moment);
    for (int j = 0; j < JOINT_COUNT; ++j) {
        pose[j] = gt_transform_identity();
        pose[j].translation = gti_offset(skeleton, (GtHumanoidJoint)j);
        pose[j].rotation = moment.pose.turns[j];
    }
    GtQuat turn = gti_turn(0.0, repetition * motion->turn_deg, 0.0);
    double ahead_m = (repetition - (motion->def->in_place ? repetition + share : 0.0)) * motion->travel_m;
    pose[0].rotation = gt_quat_mul(turn, moment.pose.turns[0]);
    pose[0].translation = gt_quat_rotate(turn, moment.pose.hips);
    pose[0].translation.z = (float)((double)pose[0].translation.z + ahead_m);
    *planted = (uint8_t)(moment.planted[GTI_LEFT] | moment.planted[GTI_RIGHT] << 3);
}

static GtResult bake_motion(const GtContext* context, const GtiMotion* motion, int32_t frame_count,
                            const GtTransform* poses, GtScene* scene, GtArena* scratch, GtError* error)
{
    float* times = gt_arena_push_array(scratch, (size_t)frame_count, sizeof *times);
    if (!times) {
        return gti_out_of_memory(error);
    }
    for (int32_t f = 0; f < frame_count; ++f) {
        times[f] = (float)(f / motion->def->frame_rate_hz);
    }
    int32_t nodes[JOINT_COUNT];
    uint8_t paths[JOINT_COUNT];
    for (int32_t j = 0; j < JOINT_COUNT; ++j) {
        nodes[j] = scene->humanoid->nodes[j];
        paths[j] = j == 0 ? GT_BAKE_TRANSLATION | GT_BAKE_ROTATION : GT_BAKE_ROTATION;
    }
    GtBakeDef bake = { motion->table->name, frame_count, times, JOINT_COUNT, nodes, paths, poses };
    return gt_scene_bake(context, scene, &bake, NULL, error);
}

static GtResult make_clip(const GtContext* context, GtiMotion* motion, GtScene* scene, GtArena* scratch,
                          GtMotionReport* report, GtError* error)
{
    int32_t period_frames = 0;
    motion->natural_s = motion->table->natural_s / motion->def->tempo;
    GtResult result = motion->table->plan ? motion->table->plan(motion, error) : GT_OK;
    if (result == GT_OK) {
        result = fit_period(motion, &period_frames, error);
    }
    if (result == GT_OK && motion->table->prepare) {
        result = motion->table->prepare(motion, scratch, error);
    }
    if (result != GT_OK) {
        return result;
    }
    int32_t frame_count = period_frames * motion->def->repeat_count + 1;
    GtTransform* poses = gt_arena_push_array(scratch, (size_t)frame_count * JOINT_COUNT, sizeof *poses);
    uint8_t* planted = gt_arena_push_array(scratch, (size_t)frame_count, sizeof *planted);
    if (!poses || !planted) {
        return gti_out_of_memory(error);
    }
    for (int32_t f = 0; f < frame_count; ++f) {
        if (f % PROGRESS_FRAMES == 0) {
            result = gti_progress(context, error, "posing", (double)f / frame_count);
            if (result != GT_OK) {
                return result;
            }
        }
        pose_frame(motion, f, period_frames, poses + (size_t)f * JOINT_COUNT, &planted[f]);
    }
    if (report) {
        gti_motion_measure(motion, frame_count, poses, planted, report);
    }
    return bake_motion(context, motion, frame_count, poses, scene, scratch, error);
}

GtResult gt_sample_motion(const GtContext* context, const GtMotionDef* def, GtScene** out, GtMotionReport* report,
                          GtError* error)
{
    def = def ? def : (GtMotionDef[]){ gt_default_motion_def(GT_MOTION_WALK) };
    *out = NULL;
    GtResult result = check_def(def, error);
    if (result != GT_OK) {
        return result;
    }
    GtiMotion motion = { .def = def, .table = motions[def->kind] };
    gti_stand(&def->person, &motion.stand);
    GtArena scratch = gt_arena_create(context->allocator);
    result = gt_scene_create(context, out, error);
    if (result == GT_OK) {
        result = gti_skeleton_add(*out, &motion.stand.skeleton, error);
    }
    if (result == GT_OK) {
        result = make_clip(context, &motion, *out, &scratch, report, error);
    }
    gt_arena_destroy(&scratch);
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
    }
    return result;
}

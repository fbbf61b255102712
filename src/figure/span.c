// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Captures begin with a T-pose to calibrate with, exporters leave the rest pose in the first frames, and trackers that
// have lost an actor start or end metres away. What these have in common is that the motion does not lead there:
// between them and it lies one step that is far larger than those of the motion, and that no person can make. Only what
// is beyond such a step is left out; an actor who does begin in a T-pose leaves it by small steps. The end of a clip is
// looked at as the beginning of the same clip played backwards.

#include "figure/span.h"

#include "base/fail.h"
#include "figure/figure.h"

#include "gertie/accessor.h"

#include <math.h>

enum {
    MOST_HELD = 1 << 14, // frames that a pose may be held
    NEXT_STEPS = 3,      // steps of the motion that a leap is compared with
    JUNK_FRAMES = 5,     // that a broken pose at an end may last
    MOST_CUTS = 3,       // one after the other at each end
    LEAST_FRAMES = 2,    // of a motion
};

static const double JUNK_S = 1.0;         // that an actor may be elsewhere at an end
static const double JUNK_SHARE = 0.25;    // of all frames, that an actor may be elsewhere at an end
static const double LONGEST_STEP_S = 0.1; // keys that are further apart are an animator's, and move evenly in between
static const float STILL_RAD = 0.03f;     // mean angle of joints within a pose that is held
static const float STILL_M = 0.05f;       // of a person's size, as all lengths here
static const float LEAP_RAD = 0.1f;       // mean angle of joints: least step out of a pose that is held
static const float LEAP_RATIO = 3.0f;     // to the next steps
static const float REST_RATIO = 5.0f;     // the same out of the rest pose, which clips of games do begin with
static const float BREAK_RAD = 0.35f;     // least step out of a broken pose
static const double BREAK_RADPS = 10.0;   // and how fast: dancers stay below 5
static const float JUMP_M = 0.5f;         // of the hips in one step
static const double JUMP_MPS = 12.0;      // and how fast: sprinters stay below it
static const float JUMP_RATIO = 5.0f;
static const float PERSON_LEG_M = 0.9f;

// A clip as a row of frames, from either end.
typedef struct FrameRow {
    GtFigure* figure;
    const GtScene* scene;
    int32_t input; // accessor of the key times
    int64_t key_count;
    int64_t count; // frames from this end on that are not cut off at the other
    bool is_backwards;
    float size; // times as large as a person
} FrameRow;

// What of a frame is compared.
typedef struct FramePose {
    GtQuat rotations[GT_HUMANOID_JOINT_COUNT]; // of joints against their parents
    GtVec3 hips;
    double time_s;
} FramePose;

typedef struct FrameStep {
    float turn_rad; // mean over the joints
    float way_m;    // of the hips, of a person's size
    double time_s;
} FrameStep;

static double time_at(const FrameRow* row, int64_t frame)
{
    float time_s = 0.0f;
    int64_t key = row->is_backwards ? row->key_count - 1 - frame : frame;
    gt_accessor_read_floats(row->scene, row->input, (uint64_t)key, 1, &time_s);
    return (double)time_s;
}

static GtVec3 place_of(const FrameRow* row, GtHumanoidJoint joint)
{
    return gti_figure_place(row->figure, joint);
}

// Leaves the instance in that frame.
static void read_pose(const FrameRow* row, int64_t frame, FramePose* out)
{
    GtFigure* f = row->figure;
    out->time_s = time_at(row, frame);
    gt_figure_pose(f, out->time_s, f->instance);
    out->hips = place_of(row, GT_HUMANOID_HIPS);
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        bool has = f->joints[j] != GT_NONE;
        out->rotations[j] = has ? f->instance->pose[f->joints[j]].rotation : gt_quat_identity();
    }
}

static FrameStep step_between(const FrameRow* row, const FramePose* a, const FramePose* b)
{
    float sum = 0.0f;
    int count = 0;
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (row->figure->joints[j] != GT_NONE) {
            sum += gt_quat_angle_rad(a->rotations[j], b->rotations[j]);
            ++count;
        }
    }
    return (FrameStep){ sum / (float)count, gt_vec3_length(gt_vec3_sub(b->hips, a->hips)) / row->size,
                        fabs(b->time_s - a->time_s) };
}

// The largest of the first steps of the motion from a frame on. A person gathers speed over more than one of them.
static FrameStep next_step(const FrameRow* row, int64_t frame)
{
    FrameStep most = { 0 };
    FramePose poses[2];
    read_pose(row, frame, &poses[0]);
    for (int k = 1; k <= NEXT_STEPS && frame + k < row->count; ++k) {
        read_pose(row, frame + k, &poses[k % 2]);
        FrameStep step = step_between(row, &poses[(k + 1) % 2], &poses[k % 2]);
        most.turn_rad = fmaxf(most.turn_rad, step.turn_rad);
        most.way_m = fmaxf(most.way_m, step.way_m);
    }
    return most;
}

// Arms straight and level: hands are nearly as far apart as the bones between them are long. In the instance's pose.
static bool is_tpose(const FrameRow* row)
{
    static const GtHumanoidJoint arm[] = { GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_LOWER_ARM,
                                           GT_HUMANOID_LEFT_HAND };
    float along = 0.0f;
    GtVec3 hands[GTI_SIDE_COUNT];
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        for (int k = 0; k < 3; ++k) {
            if (row->figure->joints[gti_joint_on(arm[k], side)] == GT_NONE) {
                return false;
            }
        }
        GtVec3 elbow = place_of(row, gti_joint_on(arm[1], side));
        hands[side] = place_of(row, gti_joint_on(arm[2], side));
        along += gt_vec3_length(gt_vec3_sub(elbow, place_of(row, gti_joint_on(arm[0], side)))) +
                 gt_vec3_length(gt_vec3_sub(hands[side], elbow));
    }
    along += gt_vec3_length(gt_vec3_sub(place_of(row, arm[0]), place_of(row, gti_joint_on(arm[0], GTI_RIGHT_SIDE))));
    float apart = gt_vec3_length(gt_vec3_sub(hands[0], hands[1]));
    return apart > 0.9f * along && fabsf(hands[0].y - hands[1].y) < 0.2f * apart;
}

// All joints as they rest in the file.
static bool is_rest_pose(const FrameRow* row, const FramePose* pose)
{
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t node = row->figure->joints[j];
        GtQuat rest = node == GT_NONE ? gt_quat_identity() : gt_quat_normalize(row->figure->def->rest[node].rotation);
        if (node != GT_NONE && j != GT_HUMANOID_HIPS && !(gt_quat_angle_rad(pose->rotations[j], rest) < 1e-3f)) {
            return false;
        }
    }
    return true;
}

// A pose that is held from a frame on, and then left at a leap: how many frames; 0 where there is none.
static int64_t held_frames(const FrameRow* row, int64_t first, GtCutReason* reason)
{
    FramePose held, last, next;
    read_pose(row, first, &held);
    *reason = is_tpose(row) ? GT_CUT_TPOSE : is_rest_pose(row, &held) ? GT_CUT_REST_POSE : GT_CUT_NONE;
    if (*reason == GT_CUT_NONE) {
        return 0;
    }
    next = held;
    int64_t frame = first;
    FrameStep off = { 0 };
    do {
        last = next;
        if (++frame >= row->count - LEAST_FRAMES || frame - first > MOST_HELD) {
            return 0;
        }
        read_pose(row, frame, &next);
        off = step_between(row, &held, &next);
    } while (off.turn_rad < STILL_RAD && off.way_m < STILL_M);
    float ratio = *reason == GT_CUT_TPOSE ? LEAP_RATIO : REST_RATIO;
    int64_t left = 0; // by all limbs, which may leave it one after the other
    for (int k = 0; k < NEXT_STEPS && frame + k <= row->count - LEAST_FRAMES; ++k) {
        FrameStep leap = step_between(row, &last, &next);
        FrameStep after = next_step(row, frame + k);
        bool leaps = leap.turn_rad > LEAP_RAD && leap.turn_rad > ratio * after.turn_rad;
        bool jumps = leap.way_m > JUMP_M && leap.way_m > JUMP_RATIO * after.way_m;
        left = (leaps || jumps) && leap.time_s < LONGEST_STEP_S ? frame + k - first : left;
        last = next;
        if (frame + k + 1 < row->count) {
            read_pose(row, frame + k + 1, &next);
        }
    }
    return left;
}

// The last step near the end that no person makes: how many frames are before it; 0 where there is none.
static int64_t broken_frames(const FrameRow* row, int64_t first)
{
    FramePose poses[2];
    int64_t broken = 0;
    double start_s = time_at(row, first);
    read_pose(row, first, &poses[0]);
    for (int64_t k = 1; first + k < row->count && (double)k < JUNK_SHARE * (double)row->count; ++k) {
        const FramePose* last = &poses[(k + 1) % 2];
        FramePose* next = &poses[k % 2];
        if (fabs(last->time_s - start_s) > JUNK_S) {
            break;
        }
        read_pose(row, first + k, next);
        FrameStep step = step_between(row, last, next);
        bool jumps = step.way_m > JUMP_M && (double)step.way_m > JUMP_MPS * step.time_s;
        bool breaks =
            k <= JUNK_FRAMES && step.turn_rad > BREAK_RAD && (double)step.turn_rad > BREAK_RADPS * step.time_s;
        if (!jumps && !breaks) {
            continue;
        }
        FrameStep after = next_step(row, first + k);
        read_pose(row, first + k, next);
        jumps = jumps && step.way_m > JUMP_RATIO * after.way_m;
        breaks = breaks && step.turn_rad > LEAP_RATIO * after.turn_rad;
        broken = jumps || breaks ? k : broken;
    }
    return broken;
}

static GtMotionCut find_cut(const FrameRow* row, bool has_tpose)
{
    GtMotionCut cut = { has_tpose ? GT_CUT_TPOSE : GT_CUT_NONE, has_tpose ? 1 : 0 };
    for (int i = 0; i < MOST_CUTS; ++i) {
        GtCutReason reason = GT_CUT_NONE;
        int64_t frames = held_frames(row, cut.frame_count, &reason);
        if (frames == 0) {
            frames = broken_frames(row, cut.frame_count);
            reason = GT_CUT_JUMP;
        }
        if (frames == 0 || cut.frame_count + frames > row->count - LEAST_FRAMES) {
            break;
        }
        cut.reason = cut.reason == GT_CUT_NONE ? reason : cut.reason;
        cut.frame_count += (int32_t)frames;
    }
    return cut;
}

static float size_of(const GtFigure* f)
{
    GtVec3 hip = gti_figure_place(f, GT_HUMANOID_LEFT_UPPER_LEG);
    GtVec3 knee = gti_figure_place(f, GT_HUMANOID_LEFT_LOWER_LEG);
    GtVec3 ankle = gti_figure_place(f, GT_HUMANOID_LEFT_FOOT);
    float leg_m = gt_vec3_length(gt_vec3_sub(knee, hip)) + gt_vec3_length(gt_vec3_sub(ankle, knee));
    return leg_m / PERSON_LEG_M;
}

void gti_figure_find_span(GtFigure* f)
{
    const GtAnimation* animation = &f->scene->animations[f->animation];
    FrameRow row = { .figure = f, .scene = f->scene, .input = GT_NONE };
    for (int32_t s = 0; s < animation->sampler_count; ++s) {
        int64_t keys = (int64_t)f->scene->accessors[animation->samplers[s].input].count;
        if (keys > row.count) {
            row.count = row.key_count = keys;
            row.input = animation->samplers[s].input;
        }
    }
    f->lead = f->tail = (GtMotionCut){ 0 };
    f->starts_in_tpose = animation->tpose_first;
    if (animation->tpose_first && row.count > 1) {
        f->lead = (GtMotionCut){ GT_CUT_TPOSE, 1 };
    }
    gt_instance_reset(f->instance);
    gt_instance_update(f->instance);
    row.size = f->is_humanoid ? size_of(f) : 0.0f;
    if (row.size > 0.0f && row.count > LEAST_FRAMES + 2 && row.count <= INT32_MAX) {
        f->lead = find_cut(&row, f->lead.frame_count > 0);
        f->starts_in_tpose = f->lead.reason == GT_CUT_TPOSE;
        row.is_backwards = true;
        row.count -= f->lead.frame_count;
        f->tail = row.count > LEAST_FRAMES + 2 ? find_cut(&row, false) : f->tail;
        row.is_backwards = false;
    }
    if (f->keep_tpose) {
        return;
    }
    if (f->lead.frame_count > 0) {
        f->start_s = fmin(time_at(&row, f->lead.frame_count), f->end_s);
    }
    if (f->tail.frame_count > 0) {
        f->end_s = fmax(time_at(&row, row.key_count - 1 - f->tail.frame_count), f->start_s);
    }
}

// What the frames before or after a motion are.
static void note_cut(const GtContext* context, const GtFigure* f, GtMotionCut cut, const char* which)
{
    static const char* const whats[][2] = {
        [GT_CUT_NONE] = { "", "" },
        [GT_CUT_TPOSE] = { "is a T-pose that is", "are a T-pose that is" },
        [GT_CUT_REST_POSE] = { "is the rest pose, which is", "are the rest pose, which is" },
        [GT_CUT_JUMP] = { "is a leap away from its neighbour, and", "are a leap away from the others, and" },
    };
    const char* file = f->scene->source.file;
    if (cut.frame_count == 1) {
        gti_note(context, file, NULL, "the %s frame %s not part of the motion", which, whats[cut.reason][0]);
    } else if (cut.frame_count > 1) {
        gti_note(context, file, NULL, "the %s %d frames %s not part of the motion", which, (int)cut.frame_count,
                 whats[cut.reason][1]);
    }
}

void gti_figure_note_cuts(const GtContext* context, const GtFigure* figure)
{
    bool is_known = figure->lead.frame_count == 1 && figure->scene->animations[figure->animation].tpose_first;
    if (!is_known) { // the reader of the file has said so
        note_cut(context, figure, figure->lead, "first");
    }
    note_cut(context, figure, figure->tail, "last");
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A foot stands while its ankle is slow and low, and then its sole is flat: the captures of the CMU collection begin
// with T-poses whose feet point down, some by ten degrees. Feet can stand with their heels up but not with their toes
// up, so only the latter tells that the T-pose was wrong. Heads can look down all the time but not up, and those of
// some subjects look 20 degrees up over whole walks: the same T-pose was written for all of them. Medians and quartiles
// are taken, because feet roll, dip and jump, and eyes wander.

#include "motion/contact/stance.h"

#include "base/sort.h"

#include <math.h>
#include <string.h>

enum {
    SAMPLES = 128,
    FEWEST = 6 // frames in which a foot must stand
};

static const float SLOW = 0.25f;          // hip heights a second
static const float MAX_PITCH_RAD = 0.6f;  // past it something else is going on
static const float UPRIGHT = 0.82f;       // cosine of the lean of hips to head: 35 degrees
static const float GAZE_FROM_RAD = 0.08f; // 5 degrees up is nothing yet,
static const float GAZE_FULL_RAD = 0.17f; // and 10 is all wrong
static const float FAR_FROM_FLOOR = 0.2f; // of hip height
static const float MAX_SOLE = 0.08f;      // of hip height, under the lowest joint
static const double APART_S = 1.0 / 60.0; // between two looks at a speed

typedef struct FootSample {
    float height_m;
    float speed_mps;
    float pitch_rad;
} FootSample;

static void pose_at(const GtiAlignedFigure* f, const GtClip* clip, double time_s, GtTransform* pose,
                    GtMat34* model_from_node)
{
    gt_clip_sample(clip, time_s, pose, NULL);
    gt_character_to_model(f->character, pose, model_from_node);
}

// How far what is before a joint, as toes or a nose, has risen against the aligned pose.
static float pitch_of(const GtiAlignedFigure* f, const GtTransform* pose, int32_t joint)
{
    GtQuat rotation = gti_model_rotation(f->def, pose, joint);
    GtQuat turn = gt_quat_mul(rotation, gt_quat_conjugate(f->aligned.rotations[joint]));
    GtVec3 ahead = gt_quat_rotate(turn, gt_vec3(0.0f, 0.0f, 1.0f));
    return atan2f(ahead.y, sqrtf(ahead.x * ahead.x + ahead.z * ahead.z));
}

static float median_pitch(const FootSample* samples, int count, float slow_mps)
{
    float heights[2 * SAMPLES], pitches[2 * SAMPLES];
    int slow = 0, flat = 0;
    for (int k = 0; k < count; ++k) {
        if (samples[k].speed_mps < slow_mps) {
            heights[slow++] = samples[k].height_m;
        }
    }
    if (slow < FEWEST) {
        return 0.0f;
    }
    gti_sort_floats(heights, slow);
    for (int k = 0; k < count; ++k) {
        if (samples[k].speed_mps < slow_mps && samples[k].height_m <= heights[slow / 2]) {
            pitches[flat++] = samples[k].pitch_rad;
        }
    }
    gti_sort_floats(pitches, flat);
    float pitch = pitches[flat / 2];
    return pitch > 0.0f && pitch < MAX_PITCH_RAD ? pitch : 0.0f;
}

// How far up a head looks that cannot have looked up, from where it looks while the body is upright.
static float wrong_gaze(float* gazes, int count)
{
    if (count < FEWEST) {
        return 0.0f;
    }
    gti_sort_floats(gazes, count);
    float gaze = gazes[count / 2];
    float share = fminf(fmaxf((gaze - GAZE_FROM_RAD) / (GAZE_FULL_RAD - GAZE_FROM_RAD), 0.0f), 1.0f);
    return gaze < MAX_PITCH_RAD ? gaze * share : 0.0f;
}

static bool is_upright(const GtiAlignedFigure* f, const GtMat34* model_from_node)
{
    int32_t hips = f->joints[GT_HUMANOID_HIPS], head = f->joints[GT_HUMANOID_HEAD];
    if (head == GT_NONE) {
        return false;
    }
    GtVec3 trunk =
        gt_vec3_sub(gt_mat34_translation(&model_from_node[head]), gt_mat34_translation(&model_from_node[hips]));
    return trunk.y > UPRIGHT * gt_vec3_length(trunk);
}

void gti_stance_find(const GtiAlignedFigure* figure, const GtClip* clip, GtTransform* pose, GtMat34* model_from_node,
                     GtiStance* out)
{
    const int32_t ankles[2] = { figure->joints[GT_HUMANOID_LEFT_FOOT], figure->joints[GT_HUMANOID_RIGHT_FOOT] };
    const GtFigure* of = figure->figure;
    double start_s = of->lead.frame_count > 1 ? of->start_s : gt_clip_start_s(clip);
    double length_s = (of->tail.frame_count ? of->end_s : gt_clip_end_s(clip)) - start_s;
    FootSample feet[2 * SAMPLES];
    float lowest[SAMPLES], gazes[SAMPLES];
    int upright = 0;
    for (int k = 0; k < SAMPLES; ++k) { // past the first, which may be a T-pose in the air
        double time_s = start_s + length_s * (k + 1) / SAMPLES;
        GtVec3 before[2];
        pose_at(figure, clip, time_s - APART_S, pose, model_from_node);
        for (int side = 0; side < 2; ++side) {
            before[side] = gt_mat34_translation(&model_from_node[ankles[side]]);
        }
        pose_at(figure, clip, time_s, pose, model_from_node);
        lowest[k] = gti_aligned_lowest(figure, model_from_node);
        if (is_upright(figure, model_from_node)) {
            gazes[upright++] = pitch_of(figure, pose, figure->joints[GT_HUMANOID_HEAD]);
        }
        for (int side = 0; side < 2; ++side) {
            GtVec3 at = gt_mat34_translation(&model_from_node[ankles[side]]);
            float way = gt_vec3_length(gt_vec3_sub(at, before[side]));
            feet[2 * k + side] = (FootSample){ at.y, way / (float)APART_S, pitch_of(figure, pose, ankles[side]) };
        }
    }
    gti_sort_floats(lowest, SAMPLES);
    out->height_m = lowest[SAMPLES / 4];
    out->pitch_rad = median_pitch(feet, 2 * SAMPLES, SLOW * figure->hip_height_m);
    out->gaze_rad = wrong_gaze(gazes, upright);
}

// Align a figure by its rest pose, or by a T-pose that the clip begins with; `pose` is either afterwards.
static GtResult find_aligned(const GtContext* context, GtiAlignedFigure* figure, const GtClip* clip,
                             bool starts_in_tpose, GtTransform* pose, GtError* error)
{
    memcpy(pose, figure->def->rest, (size_t)figure->def->node_count * sizeof *pose);
    if (starts_in_tpose) {
        gt_clip_sample(clip, gt_clip_start_s(clip), pose, NULL);
    }
    return gti_aligned_find(context, figure, starts_in_tpose ? pose : NULL, error);
}

GtResult gti_stance_flatten(const GtContext* context, GtiAlignedFigure* figure, const GtClip* clip,
                            bool starts_in_tpose, GtTransform* pose, GtMat34* model_from_node, GtError* error)
{
    GtiStance stance;
    gti_stance_find(figure, clip, pose, model_from_node, &stance);
    figure->foot_pitch_rad = stance.pitch_rad;
    figure->gaze_rad = starts_in_tpose ? stance.gaze_rad : 0.0f;
    return find_aligned(context, figure, clip, starts_in_tpose, pose, error);
}

GtResult gti_stance_align(const GtContext* context, GtiAlignedFigure* figure, GtTransform* pose,
                          GtMat34* model_from_node, GtError* error)
{
    const GtClip* clip = figure->clip;
    bool starts_in_tpose = figure->figure->starts_in_tpose;
    GtResult result = find_aligned(context, figure, clip, starts_in_tpose, pose, error);
    if (result == GT_OK && figure->is_humanoid && !figure->has_sole) {
        result = gti_stance_flatten(context, figure, clip, starts_in_tpose, pose, model_from_node, error);
    }
    return result;
}

float gti_stance_floor(const GtiAlignedFigure* figure, const GtClip* clip, GtTransform* pose, GtMat34* model_from_node,
                       float* sole_m)
{
    GtiStance stance;
    gti_stance_find(figure, clip, pose, model_from_node, &stance);
    float far = FAR_FROM_FLOOR * figure->hip_height_m;
    bool is_at_zero = fabsf(figure->stand_m) < far || fabsf(stance.height_m) < far;
    *sole_m = is_at_zero ? fminf(fmaxf(stance.height_m, 0.0f), MAX_SOLE * figure->hip_height_m) : 0.0f;
    return is_at_zero ? 0.0f : stance.height_m;
}

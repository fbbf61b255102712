// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A limb points from its joint to the next one. Hips, head and feet have bones that point anywhere (a toe joint may lie
// high or low), so they are compared by their turns W W0^-1 away from the pose in which both figures stand alike. The
// trunk is one line from the hips to the neck, since spines have different numbers of joints.

#include "measure/joints.h"

#include "motion/retarget/posture.h"

#include <math.h>

// A joint and where it points to; by its turn when that is the joint itself.
typedef struct Pointer {
    GtHumanoidJoint joint, end;
} Pointer;

// clang-format off
static const Pointer pointers[] = {
    { GT_HUMANOID_HIPS, GT_HUMANOID_HIPS },
    { GT_HUMANOID_SPINE, GT_HUMANOID_NECK },
    { GT_HUMANOID_HEAD, GT_HUMANOID_HEAD },
    { GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_LEFT_LOWER_LEG },
    { GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_LEFT_FOOT },
    { GT_HUMANOID_LEFT_FOOT, GT_HUMANOID_LEFT_FOOT },
    { GT_HUMANOID_RIGHT_UPPER_LEG, GT_HUMANOID_RIGHT_LOWER_LEG },
    { GT_HUMANOID_RIGHT_LOWER_LEG, GT_HUMANOID_RIGHT_FOOT },
    { GT_HUMANOID_RIGHT_FOOT, GT_HUMANOID_RIGHT_FOOT },
    { GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_LOWER_ARM },
    { GT_HUMANOID_LEFT_LOWER_ARM, GT_HUMANOID_LEFT_HAND },
    { GT_HUMANOID_LEFT_HAND, GT_HUMANOID_LEFT_MIDDLE_PROXIMAL },
    { GT_HUMANOID_RIGHT_UPPER_ARM, GT_HUMANOID_RIGHT_LOWER_ARM },
    { GT_HUMANOID_RIGHT_LOWER_ARM, GT_HUMANOID_RIGHT_HAND },
    { GT_HUMANOID_RIGHT_HAND, GT_HUMANOID_RIGHT_MIDDLE_PROXIMAL },
    { GT_HUMANOID_LEFT_THUMB_METACARPAL, GT_HUMANOID_LEFT_THUMB_PROXIMAL },
    { GT_HUMANOID_LEFT_THUMB_PROXIMAL, GT_HUMANOID_LEFT_THUMB_DISTAL },
    { GT_HUMANOID_LEFT_INDEX_PROXIMAL, GT_HUMANOID_LEFT_INDEX_INTERMEDIATE },
    { GT_HUMANOID_LEFT_INDEX_INTERMEDIATE, GT_HUMANOID_LEFT_INDEX_DISTAL },
    { GT_HUMANOID_LEFT_MIDDLE_PROXIMAL, GT_HUMANOID_LEFT_MIDDLE_INTERMEDIATE },
    { GT_HUMANOID_LEFT_MIDDLE_INTERMEDIATE, GT_HUMANOID_LEFT_MIDDLE_DISTAL },
    { GT_HUMANOID_LEFT_RING_PROXIMAL, GT_HUMANOID_LEFT_RING_INTERMEDIATE },
    { GT_HUMANOID_LEFT_RING_INTERMEDIATE, GT_HUMANOID_LEFT_RING_DISTAL },
    { GT_HUMANOID_LEFT_LITTLE_PROXIMAL, GT_HUMANOID_LEFT_LITTLE_INTERMEDIATE },
    { GT_HUMANOID_LEFT_LITTLE_INTERMEDIATE, GT_HUMANOID_LEFT_LITTLE_DISTAL },
    { GT_HUMANOID_RIGHT_THUMB_METACARPAL, GT_HUMANOID_RIGHT_THUMB_PROXIMAL },
    { GT_HUMANOID_RIGHT_THUMB_PROXIMAL, GT_HUMANOID_RIGHT_THUMB_DISTAL },
    { GT_HUMANOID_RIGHT_INDEX_PROXIMAL, GT_HUMANOID_RIGHT_INDEX_INTERMEDIATE },
    { GT_HUMANOID_RIGHT_INDEX_INTERMEDIATE, GT_HUMANOID_RIGHT_INDEX_DISTAL },
    { GT_HUMANOID_RIGHT_MIDDLE_PROXIMAL, GT_HUMANOID_RIGHT_MIDDLE_INTERMEDIATE },
    { GT_HUMANOID_RIGHT_MIDDLE_INTERMEDIATE, GT_HUMANOID_RIGHT_MIDDLE_DISTAL },
    { GT_HUMANOID_RIGHT_RING_PROXIMAL, GT_HUMANOID_RIGHT_RING_INTERMEDIATE },
    { GT_HUMANOID_RIGHT_RING_INTERMEDIATE, GT_HUMANOID_RIGHT_RING_DISTAL },
    { GT_HUMANOID_RIGHT_LITTLE_PROXIMAL, GT_HUMANOID_RIGHT_LITTLE_INTERMEDIATE },
    { GT_HUMANOID_RIGHT_LITTLE_INTERMEDIATE, GT_HUMANOID_RIGHT_LITTLE_DISTAL },
};
// clang-format on

enum {
    POINTER_COUNT = sizeof pointers / sizeof pointers[0]
};

static bool has_pointer(const GtFigure* f, const Pointer* pointer)
{
    return f->joints[pointer->joint] != GT_NONE && f->joints[pointer->end] != GT_NONE;
}

static bool both_have(const GtFigure* figure, const GtFigure* source, int joint)
{
    return figure->joints[joint] != GT_NONE && source->joints[joint] != GT_NONE;
}

GtResult gti_directions_begin(GtArena* arena, const GtFigure* figure, const GtFigure* source, GtiDirections* out,
                              GtError* error)
{
    *out = (GtiDirections){ .measures = gt_arena_push_array(arena, POINTER_COUNT, sizeof *out->measures),
                            .flip = { .extra_turn_rad = NAN } };
    out->rotations[0] = gt_arena_push_array(arena, (size_t)figure->def->node_count, sizeof *out->rotations[0]);
    out->rotations[1] = gt_arena_push_array(arena, (size_t)source->def->node_count, sizeof *out->rotations[1]);
    if (!out->measures || !out->rotations[0] || !out->rotations[1]) {
        return gti_out_of_memory(error);
    }
    for (int i = 0; i < POINTER_COUNT; ++i) {
        if (has_pointer(figure, &pointers[i]) && has_pointer(source, &pointers[i])) {
            out->measures[out->count++] = (GtDirectionMeasure){
                .joint = pointers[i].joint,
                .by_turn = pointers[i].joint == pointers[i].end,
            };
        }
    }
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (both_have(figure, source, j)) {
            out->reference[0][j] = gt_mat34_polar(&figure->reference[figure->joints[j]], NULL);
            out->reference[1][j] = gt_mat34_polar(&source->reference[source->joints[j]], NULL);
        }
    }
    return GT_OK;
}

static GtHumanoidJoint end_of(GtHumanoidJoint joint)
{
    int i = 0;
    while (pointers[i].joint != joint) {
        ++i;
    }
    return pointers[i].end;
}

// Where a joint points; the trunk from the hips.
static GtVec3 direction_of(const GtFigure* f, GtHumanoidJoint joint)
{
    GtHumanoidJoint start = joint == GT_HUMANOID_SPINE ? GT_HUMANOID_HIPS : joint;
    return gt_vec3_sub(gti_figure_place(f, end_of(joint)), gti_figure_place(f, start));
}

// How a joint is turned away from the reference pose.
static GtQuat turn_of(const GtFigure* f, const GtQuat* reference, GtHumanoidJoint joint)
{
    GtQuat now = gt_mat34_polar(&f->instance->model_from_node[f->joints[joint]], NULL);
    return gt_quat_mul(now, gt_quat_conjugate(reference[joint]));
}

// Joints of both, from the frame before to this one.
static void add_turns(GtiDirections* d, const GtFigure* figure, const GtFigure* source, double time_s)
{
    const GtFigure* both[2] = { figure, source };
    for (int k = 0; k < 2; ++k) {
        gti_model_rotations(both[k]->def, both[k]->instance->pose, d->rotations[k]);
    }
    d->flip.extra_turn_rad = d->frame_count > 0 && isnan(d->flip.extra_turn_rad) ? 0.0 : d->flip.extra_turn_rad;
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        double turns_rad[2];
        if (!both_have(figure, source, j)) {
            continue;
        }
        for (int k = 0; k < 2; ++k) {
            GtQuat now = d->rotations[k][both[k]->joints[j]];
            turns_rad[k] = (double)gt_quat_angle_rad(d->before[k][j], now);
            d->before[k][j] = now;
        }
        if (d->frame_count > 0 && turns_rad[0] - turns_rad[1] > d->flip.extra_turn_rad) {
            d->flip = (GtFlipMeasure){ turns_rad[0] - turns_rad[1], (GtHumanoidJoint)j, time_s };
        }
    }
}

double gti_directions_add(GtiDirections* directions, const GtFigure* figure, const GtFigure* source, double time_s)
{
    double sum = 0.0;
    add_turns(directions, figure, source, time_s);
    for (int32_t i = 0; i < directions->count; ++i) {
        GtDirectionMeasure* m = &directions->measures[i];
        double angle_rad = 0.0;
        if (m->by_turn) {
            angle_rad = (double)gt_quat_angle_rad(turn_of(figure, directions->reference[0], m->joint),
                                                  turn_of(source, directions->reference[1], m->joint));
        } else {
            GtVec3 a = direction_of(figure, m->joint);
            GtVec3 b = direction_of(source, m->joint);
            angle_rad = atan2((double)gt_vec3_length(gt_vec3_cross(a, b)), (double)gt_vec3_dot(a, b));
        }
        m->mean_rad += angle_rad;
        if (directions->frame_count == 0 || angle_rad > m->max_rad) {
            m->max_rad = angle_rad;
            m->max_time_s = time_s;
        }
        sum += angle_rad;
    }
    ++directions->frame_count;
    return directions->count ? sum / directions->count : 0.0;
}

double gti_directions_end(GtiDirections* directions)
{
    double sum = 0.0;
    for (int32_t i = 0; i < directions->count; ++i) {
        directions->measures[i].mean_rad /= directions->frame_count;
        sum += directions->measures[i].mean_rad;
    }
    return directions->count ? sum / directions->count : NAN;
}

// Largest second and mean square third difference of a knee's bend.
static void differentiate(const GtiPath* path, int side, float* accelerations, double* peak, int32_t* peak_frame,
                          double* jerk)
{
    const float* bend = path->knees[side];
    double step = path->step_s;
    double square_sum = 0.0;
    *peak = 0.0;
    *peak_frame = 0;
    for (int32_t f = 1; f + 1 < path->frame_count; ++f) {
        double second = ((double)bend[f + 1] - 2.0 * (double)bend[f] + (double)bend[f - 1]) / (step * step);
        accelerations[f] = (float)second;
        if (fabs(second) > *peak) {
            *peak = fabs(second);
            *peak_frame = f;
        }
        if (f > 1) {
            double third = ((double)accelerations[f] - (double)accelerations[f - 1]) / step;
            square_sum += third * third;
        }
    }
    *jerk = path->frame_count > 3 ? sqrt(square_sum / (path->frame_count - 3)) : NAN;
    *peak = path->frame_count > 2 ? *peak : NAN;
}

void gti_measure_knee(const GtiPath* path, const GtiPath* source, int side, double start_s, float* accelerations,
                      float* source_accelerations, GtKneeMeasure* out)
{
    int32_t frame = 0;
    double source_peak = NAN;
    double source_jerk = NAN;
    if (source) {
        differentiate(source, side, source_accelerations, &source_peak, &frame, &source_jerk);
    }
    differentiate(path, side, accelerations, &out->acceleration_radps2, &frame, &out->jerk_radps3);
    out->acceleration_time_s = start_s + frame * path->step_s;
    out->acceleration_ratio = source_peak > 0.0 ? out->acceleration_radps2 / source_peak : NAN;
    out->jerk_ratio = source_jerk > 0.0 ? out->jerk_radps3 / source_jerk : NAN;
}

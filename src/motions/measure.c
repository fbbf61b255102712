// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Measures what a player of the clip sees: frames as they were baked, and midway between two of them, where rotations
// are interpolated and a foot could creep although every frame is right.

#include "motions/motion.h"

#include <math.h>

enum {
    POINT_COUNT = 6, // heel, ball and tip of both feet, in the order of the planted bits
    JOINT_COUNT = GT_HUMANOID_JOINT_COUNT
};

// The frames being measured.
typedef struct Film {
    const GtiMotion* motion;
    int32_t frame_count;
    const GtTransform* poses;
    const uint8_t* planted;
} Film;

static void places_at(const Film* film, int32_t frame, bool midway, GtiPlaces* out)
{
    const GtTransform* a = film->poses + (size_t)frame * JOINT_COUNT;
    const GtTransform* b = midway ? a + JOINT_COUNT : a;
    GtiPose pose;
    for (int j = 0; j < JOINT_COUNT; ++j) {
        GtTransform mixed = gt_transform_lerp(a[j], b[j], 0.5f);
        pose.turns[j] = mixed.rotation;
        pose.hips = j == 0 ? mixed.translation : pose.hips;
    }
    if (film->motion->def->in_place) { // back onto the ground that moves
        double frames = film->motion->period_s * film->motion->def->frame_rate_hz;
        pose.hips.z += (float)((frame + (midway ? 0.5 : 0.0)) / frames * film->motion->travel_m);
    }
    gti_pose_places(&film->motion->stand.skeleton, &pose, out);
}

static void sole_points(const GtiSkeleton* skeleton, const GtiPlaces* places, GtVec3 points[POINT_COUNT])
{
    for (int side = 0; side < 2; ++side) {
        GtHumanoidJoint foot = gti_side_joint(GT_HUMANOID_LEFT_FOOT, side);
        GtHumanoidJoint toes = gti_side_joint(GT_HUMANOID_LEFT_TOES, side);
        points[3 * side] = gti_place_of(skeleton, places, foot, skeleton->heels[side]);
        points[3 * side + 1] = gti_place_of(skeleton, places, toes, skeleton->balls[side]);
        points[3 * side + 2] = gti_place_of(skeleton, places, toes, skeleton->toe_tips[side]);
    }
}

// While a point is planted, how far it strays from where it was planted.
static double foot_drift_m(const Film* film)
{
    GtVec3 anchors[POINT_COUNT] = { { 0.0f, 0.0f, 0.0f } };
    unsigned held = 0;
    float drift = 0.0f;
    for (int32_t half = 0; half < 2 * film->frame_count - 1; ++half) {
        int32_t f = half / 2;
        GtiPlaces places;
        GtVec3 points[POINT_COUNT];
        places_at(film, f, half % 2, &places);
        sole_points(&film->motion->stand.skeleton, &places, points);
        unsigned planted = film->planted[f] & (half % 2 ? film->planted[f + 1] : 0x3fu);
        for (unsigned p = 0; p < POINT_COUNT; ++p) {
            if (planted >> p & 1u) {
                anchors[p] = held >> p & 1u ? anchors[p] : points[p];
                drift = fmaxf(drift, gt_vec3_length(gt_vec3_sub(points[p], anchors[p])));
            }
        }
        held = planted;
    }
    return (double)drift;
}

static double center_height(const Film* film, int32_t frame)
{
    GtiPlaces places;
    places_at(film, frame, false, &places);
    return (double)gti_center_of_mass(&film->motion->stand.skeleton, &places).y;
}

// Free fall through the first and the last frame of every flight, against what is in between.
static double parabola_miss_m(const Film* film)
{
    double dt = 1.0 / film->motion->def->frame_rate_hz;
    double miss = 0.0;
    for (int32_t first = 0; first < film->frame_count; ++first) {
        if (film->planted[first]) {
            continue;
        }
        int32_t last = first;
        while (last + 1 < film->frame_count && !film->planted[last + 1]) {
            ++last;
        }
        double span_s = (last - first) * dt;
        double start = center_height(film, first);
        double end = center_height(film, last);
        for (int32_t f = first + 1; f < last; ++f) {
            double t = (f - first) * dt;
            double ideal = start + (end - start) * t / span_s + 0.5 * GTI_GRAVITY * t * (span_s - t);
            miss = fmax(miss, fabs(center_height(film, f) - ideal));
        }
        first = last;
    }
    return miss;
}

static double knee_rate_radps(const Film* film)
{
    float most = 0.0f;
    for (int32_t f = 1; f < film->frame_count; ++f) {
        for (int side = 0; side < 2; ++side) {
            const GtTransform* knee = film->poses + gti_side_joint(GT_HUMANOID_LEFT_LOWER_LEG, side);
            GtQuat before = knee[(size_t)(f - 1) * JOINT_COUNT].rotation;
            most = fmaxf(most, gt_quat_angle_rad(before, knee[(size_t)f * JOINT_COUNT].rotation));
        }
    }
    return (double)most * film->motion->def->frame_rate_hz;
}

static double mean_hip_height_m(const Film* film)
{
    double sum = 0.0;
    for (int32_t f = 0; f < film->frame_count; ++f) {
        GtiPlaces places;
        places_at(film, f, false, &places);
        sum +=
            0.5 * (double)(places.points[GT_HUMANOID_LEFT_UPPER_LEG].y + places.points[GT_HUMANOID_RIGHT_UPPER_LEG].y);
    }
    return sum / film->frame_count;
}

void gti_motion_measure(const GtiMotion* motion, int32_t frame_count, const GtTransform* poses, const uint8_t* planted,
                        GtMotionReport* report)
{
    Film film = { motion, frame_count, poses, planted };
    int32_t airborne = 0;
    for (int32_t f = 0; f < frame_count; ++f) {
        airborne += planted[f] == 0;
    }
    double support = motion->gait.support;
    *report = (GtMotionReport){
        .frame_count = frame_count,
        .duration_s = (frame_count - 1) / motion->def->frame_rate_hz,
        .leg_m = motion->stand.skeleton.leg_m,
        .cycle_s = motion->gait.cycle_s,
        .step_m = 0.5 * motion->gait.cycle_m,
        .support = support,
        .double_support = fmax(2.0 * support - 1.0, 0.0),
        .flight = support > 0.0 ? fmax(1.0 - 2.0 * support, 0.0) : (double)airborne / frame_count,
        .mean_hip_height_m = mean_hip_height_m(&film),
        .max_foot_drift_m = foot_drift_m(&film),
        .max_parabola_miss_m = parabola_miss_m(&film),
        .max_knee_rate_radps = knee_rate_radps(&film),
    };
}

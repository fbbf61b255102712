// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A built-in motion as a user plays it: from the baked clip, between its frames too; and what its soles do.

#ifndef GERTIE_TESTS_MOTIONS_PLAY_H
#define GERTIE_TESTS_MOTIONS_PLAY_H

#include "support/test.h"

#include "gertie/build.h"
#include "gertie/clip.h"
#include "gertie/motions.h"
#include "motions/pose.h"

#include <stdlib.h>

#define GRAVITY    9.80665
#define TOUCHING_M 0.0005f // between frames a foot that stands can be this far from the ground
#define DEGREE     (3.14159265358979323846 / 180.0)

// A motion being played.
typedef struct Play {
    GtMotionDef def;
    GtMotionReport report;
    GtiSkeleton skeleton;
    GtScene* scene;
    GtCharacter* character;
    GtClip* clip;
    double end_s;
} Play;

static inline Play play_def(const GtMotionDef* def)
{
    GtContext context = gt_default_context();
    GtError error;
    GtBuildDef build = gt_default_build_def();
    Play p = { .def = *def };
    gti_person_skeleton(&def->person, &p.skeleton);
    GT_EXPECT_OK(gt_sample_motion(&context, def, &p.scene, &p.report, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, p.scene, &error));
    GT_EXPECT_OK(gt_character_build(&context, p.scene, &build, &p.character, NULL, &error));
    GT_EXPECT_OK(gt_clip_build(&context, p.scene, 0, p.character, &p.clip, &error));
    p.end_s = gt_clip_end_s(p.clip);
    return p;
}

static inline Play play(GtMotionKind kind)
{
    GtMotionDef def = gt_default_motion_def(kind);
    return play_def(&def);
}

static inline Play play_at(GtMotionKind kind, double speed_mps)
{
    GtMotionDef def = gt_default_motion_def(kind);
    def.speed_mps = speed_mps;
    return play_def(&def);
}

static inline void stop(Play* p)
{
    gt_clip_destroy(p->clip);
    gt_character_destroy(p->character);
    gt_scene_destroy(p->scene);
}

static inline GtiPose pose_at(const Play* p, double time_s)
{
    GtTransform nodes[GT_HUMANOID_JOINT_COUNT];
    GtiPose pose;
    gt_clip_sample(p->clip, time_s, nodes, NULL);
    pose.hips = nodes[gt_character_node_from_source(p->character, 0)].translation;
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        pose.turns[j] = nodes[gt_character_node_from_source(p->character, j)].rotation;
    }
    return pose;
}

static inline GtiPlaces places_at(const Play* p, double time_s)
{
    GtiPose pose = pose_at(p, time_s);
    GtiPlaces places;
    gti_pose_places(&p->skeleton, &pose, &places);
    return places;
}

enum {
    HEEL,
    BALL,
    TIP,
    SOLE_POINTS
};

// Heel, ball and tip of a sole.
static inline void sole_at(const Play* p, const GtiPlaces* places, int side, GtVec3 points[SOLE_POINTS])
{
    GtHumanoidJoint foot = gti_side_joint(GT_HUMANOID_LEFT_FOOT, side);
    GtHumanoidJoint toes = gti_side_joint(GT_HUMANOID_LEFT_TOES, side);
    points[HEEL] = gti_place_of(&p->skeleton, places, foot, p->skeleton.heels[side]);
    points[BALL] = gti_place_of(&p->skeleton, places, toes, p->skeleton.balls[side]);
    points[TIP] = gti_place_of(&p->skeleton, places, toes, p->skeleton.toe_tips[side]);
}

static inline float lowest(const GtVec3 points[SOLE_POINTS])
{
    return fminf(points[HEEL].y, fminf(points[BALL].y, points[TIP].y));
}

// What the soles do, sampled four times a frame.
typedef struct Steps {
    double drift_m;   // of a point while it is planted: down, and a frame before and after too
    double depth_m;   // of the lowest point below the ground
    double both;      // share of time in which both soles touch the ground
    double none;      // share in which none does
    double heel_m[8]; // where the left heel was planted, along the way
    int heel_count;
} Steps;

enum {
    SAMPLES_A_FRAME = 4
};

// All soles at one moment.
typedef struct Soles {
    GtVec3 points[2][SOLE_POINTS];
    bool down[2][SOLE_POINTS];
} Soles;

static inline bool is_planted(const Soles* soles, int count, int i, int side, int k)
{
    for (int n = -SAMPLES_A_FRAME; n <= SAMPLES_A_FRAME; ++n) {
        if (i + n >= 0 && i + n < count && !soles[i + n].down[side][k]) {
            return false;
        }
    }
    return true;
}

static inline void watch_point(const Soles* soles, int count, int side, int k, Steps* steps)
{
    GtVec3 anchor = { 0.0f, 0.0f, 0.0f };
    bool held = false;
    for (int i = 0; i < count; ++i) {
        GtVec3 point = soles[i].points[side][k];
        bool planted = is_planted(soles, count, i, side, k);
        if (planted && !held) {
            anchor = point;
            if (side == GTI_LEFT && k == HEEL && steps->heel_count < 8) {
                steps->heel_m[steps->heel_count++] = (double)point.z;
            }
        }
        if (planted) {
            steps->drift_m = fmax(steps->drift_m, hypot((double)(point.x - anchor.x), (double)(point.z - anchor.z)));
        }
        held = planted;
    }
}

static inline Steps watch_steps(const Play* p)
{
    Steps steps = { 0 };
    int count = SAMPLES_A_FRAME * (p->report.frame_count - 1) + 1;
    Soles* soles = calloc((size_t)count, sizeof *soles);
    assert_non_null(soles);
    int both = 0;
    int none = 0;
    for (int i = 0; i < count; ++i) {
        GtiPlaces places = places_at(p, p->end_s * i / (count - 1));
        int touching = 0;
        for (int side = 0; side < 2; ++side) {
            GtVec3* points = soles[i].points[side];
            sole_at(p, &places, side, points);
            steps.depth_m = fmax(steps.depth_m, -(double)lowest(points));
            touching += lowest(points) < TOUCHING_M;
            for (int k = 0; k < SOLE_POINTS; ++k) {
                soles[i].down[side][k] = points[k].y < TOUCHING_M;
            }
        }
        both += touching == 2;
        none += touching == 0;
    }
    for (int k = 0; k < 2 * SOLE_POINTS; ++k) {
        watch_point(soles, count, k / SOLE_POINTS, k % SOLE_POINTS, &steps);
    }
    steps.both = (double)both / count;
    steps.none = (double)none / count;
    free(soles);
    return steps;
}

#endif

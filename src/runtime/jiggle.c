// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Springs on control points, in model space. Over a frame the place of a point moves with one velocity, so what it is
// off obeys e'' = -w^2 e - 2 d w e' + g, whose solution over any time is a 2 x 2 matrix times (e - g / w^2, e'). Where
// a frame begins the place's velocity jumps and the point's own does not: e' jumps by the difference. A place that is
// not finite is passed over, and a point that went beyond what floats hold begins again.

#include "runtime/jiggle.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double longest_step_s = 1e6;

typedef struct Point {
    GtVec3 place; // in model space, in the last frame
    GtVec3 place_velocity;
    GtVec3 off; // from there
    GtVec3 off_velocity;
} Point;

typedef struct State {
    int32_t frame_count; // since the reset, up to 2
    int32_t pad[3];
    Point points[]; // [point_count], then room for as many GtVec3
} State;

// (e, e') after some time.
typedef struct Motion {
    double m[2][2];
} Motion;

GtJiggleDef gt_default_jiggle_def(void)
{
    return (GtJiggleDef){ .frequency_hz = 3.0f, .damping = 0.2f, .strength = 1.0f, .limit_m = 0.1f };
}

static const GtLatticeDef* lattice_of(const GtJiggleDef* def, const GtCharacter* character)
{
    return &gt_character_def(character)->sections[def->section].lattice;
}

GtResult gt_jiggle_check(const GtJiggleDef* def, const GtCharacter* character, GtError* error)
{
    int32_t section_count = gt_character_def(character)->section_count;
    if (def->section < 0 || def->section >= section_count) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "section %d is to jiggle, of %d", (int)def->section,
                        (int)section_count);
    }
    bool spring = def->frequency_hz > 0.0f && def->frequency_hz <= 1e4f && def->damping >= 0.0f && def->damping <= 1e4f;
    if (!spring) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a spring of %g Hz and a damping of %g: %s",
                        (double)def->frequency_hz, (double)def->damping, "above 0 and 0 or more will do, up to 10000");
    }
    bool finite = isfinite(def->gravity.x) && isfinite(def->gravity.y) && isfinite(def->gravity.z);
    if (!isfinite(def->strength) || !(def->limit_m > 0.0f) || !finite) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "strength, limit or gravity of a jiggle is out of range");
    }
    for (int32_t i = 0; def->holds && i < gt_lattice_point_count(lattice_of(def, character)); ++i) {
        if (!(def->holds[i] >= 0.0f && def->holds[i] <= 1.0f)) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "control point %d is held by %g: 0 to 1 will do", (int)i,
                            (double)def->holds[i]);
        }
    }
    return GT_OK;
}

size_t gt_jiggle_state_size(const GtJiggleDef* def, const GtCharacter* character)
{
    size_t point_count = (size_t)gt_lattice_point_count(lattice_of(def, character));
    return sizeof(State) + point_count * (sizeof(Point) + sizeof(GtVec3));
}

void gt_jiggle_reset(const GtJiggleDef* def, const GtCharacter* character, void* state)
{
    memset(state, 0, gt_jiggle_state_size(def, character));
}

// exp(-a t) times cos(w t) and sin(w t) / w, w^2 = frequency^2 (1 - damping^2), which may be below 0.
static Motion motion_over(double frequency, double damping, double time_s)
{
    double a = damping * frequency;
    double square = (1.0 - damping * damping) * frequency * frequency;
    double fade = exp(-a * time_s);
    double cosine = fade;
    double sine = fade * time_s;
    if (square * time_s * time_s > 1e-12) {
        double w = sqrt(square);
        cosine = fade * cos(w * time_s);
        sine = fade * sin(w * time_s) / w;
    } else if (square * time_s * time_s < -1e-12) {
        double w = sqrt(-square);
        double slow = exp((w - a) * time_s);
        double fast = exp((-w - a) * time_s);
        cosine = 0.5 * (slow + fast);
        sine = 0.5 * (slow - fast) / w;
    }
    return (Motion){ { { cosine + a * sine, sine }, { -frequency * frequency * sine, cosine - a * sine } } };
}

// One coordinate of a point.
static void swing(const Motion* motion, float equilibrium, float* off, float* velocity)
{
    double e = (double)*off - (double)equilibrium;
    double v = (double)*velocity;
    *off = (float)(motion->m[0][0] * e + motion->m[0][1] * v + (double)equilibrium);
    *velocity = (float)(motion->m[1][0] * e + motion->m[1][1] * v);
}

// Move a point on to where its place now is. The first frame after a reset has no velocity to jump from.
static void swing_point(const Motion* motion, GtVec3 equilibrium, GtVec3 place, double step_s, bool first, Point* point)
{
    GtVec3 velocity = gt_vec3_scale(gt_vec3_sub(place, point->place), (float)(1.0 / step_s));
    GtVec3 jump = gt_vec3_sub(first ? velocity : point->place_velocity, velocity);
    point->off_velocity = gt_vec3_add(point->off_velocity, jump);
    swing(motion, equilibrium.x, &point->off.x, &point->off_velocity.x);
    swing(motion, equilibrium.y, &point->off.y, &point->off_velocity.y);
    swing(motion, equilibrium.z, &point->off.z, &point->off_velocity.z);
    point->place_velocity = velocity;
}

// What is off, scaled, held and limited.
static GtVec3 shown(const GtJiggleDef* def, int32_t index, GtVec3 off)
{
    float scale = def->strength * (def->holds ? 1.0f - def->holds[index] : 1.0f);
    GtVec3 scaled = gt_vec3_scale(off, scale);
    return gt_vec3_scale(scaled, 1.0f / (1.0f + gt_vec3_length(scaled) / def->limit_m));
}

static bool is_finite(GtVec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

void gti_jiggle_step(const GtJiggleDef* def, const GtCharacter* character, const GtMat34* world_from_space,
                     double step_s, void* state, float* section_values)
{
    const GtSectionDef* section = &gt_character_def(character)->sections[def->section];
    State* all = state;
    GtMat34 space_from_world = gt_mat34_inverse(world_from_space, NULL);
    GtVec3* offsets =
        (GtVec3*)(section_values + gt_section_first_value(character, def->section) + 1 + section->pose_count);
    int32_t point_count = gt_lattice_point_count(&section->lattice);
    GtVec3* places = (GtVec3*)(all->points + point_count);
    gt_section_points(character, def->section, section_values, places);
    double frequency = 2.0 * pi * (double)def->frequency_hz;
    GtVec3 equilibrium = gt_vec3_scale(def->gravity, (float)(1.0 / (frequency * frequency)));
    bool passes = step_s > 0.0 && step_s <= longest_step_s && all->frame_count > 0;
    Motion motion = motion_over(frequency, (double)def->damping, passes ? step_s : 0.0);
    for (int32_t i = 0; i < point_count; ++i) {
        Point* point = &all->points[i];
        GtVec3 place = gt_mat34_point(world_from_space, places[i]);
        if (!is_finite(place)) {
            continue;
        }
        if (passes) {
            swing_point(&motion, equilibrium, place, step_s, all->frame_count == 1, point);
        } else if (all->frame_count == 0) {
            point->off = equilibrium;
        }
        if (!is_finite(point->off) || !is_finite(point->off_velocity) || !is_finite(point->place_velocity)) {
            *point = (Point){ .off = equilibrium };
        }
        point->place = place;
        offsets[i] = gt_vec3_add(offsets[i], gt_mat34_vector(&space_from_world, shown(def, i, point->off)));
    }
    if (passes || all->frame_count == 0) {
        ++all->frame_count;
        all->frame_count = all->frame_count > 2 ? 2 : all->frame_count;
    }
}

void gt_jiggle_step(const GtJiggleDef* def, const GtCharacter* character, const GtMat34* model_from_node, double step_s,
                    void* state, float* section_values)
{
    int32_t node = gt_character_def(character)->sections[def->section].node;
    GtMat34 model_from_space = node == GT_NONE ? gt_mat34_identity() : model_from_node[node];
    gti_jiggle_step(def, character, &model_from_space, step_s, state, section_values);
}

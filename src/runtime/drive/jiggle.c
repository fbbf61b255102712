// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Springs on control points, in the world. Over a frame the place of a point moves with one velocity, so what it is
// off obeys e'' = -w^2 e - 2 d w e' + g, whose solution over any time is a 2 x 2 matrix times (e - g / w^2, e'). Where
// a frame begins the place's velocity jumps and the point's own does not: e' jumps by the difference. Places that are
// not finite are passed over, and points that went beyond what floats hold begin again.
// Numbers of all points lie side by side, axis by axis, so that compilers make wide code of plain loops.

#include "runtime/drive/jiggle.h"

#include "base/fail.h"
#include "base/scalar.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double longest_step_s = 1e6;
static const double hair = 2e-7; // of damping a frame: the matrix is rounded, and must not grow what never fades

// What is known of a point along an axis.
enum {
    PLACE, // in the world, in the last frame
    PLACE_VELOCITY,
    OFF, // from there
    OFF_VELOCITY,
    QUANTITY_COUNT
};

typedef struct State {
    int32_t frame_count; // since the reset, up to 2
    int32_t pad[3];
    float numbers[]; // [QUANTITY_COUNT][3][point_count], then room for as many GtVec3 and numbers
} State;

// (e, e') after some time.
typedef struct Motion {
    float m[2][2];
} Motion;

// A frame along an axis.
typedef struct Swing {
    Motion motion;
    float equilibrium;
    float rate_hz; // of frames
    float keeps;   // 0 in the first frame after a reset, which has no velocity to jump from; else 1
} Swing;

GtJiggleDef gt_default_jiggle_def(void)
{
    return (GtJiggleDef){ .frequency_hz = 3.0f, .damping = 0.2f, .strength = 1.0f, .limit_m = 0.1f };
}

static const GtLatticeDef* lattice_of(const GtJiggleDef* def, const GtCharacter* character)
{
    return &gt_character_def(character)->sections[def->section].lattice;
}

GtResult gti_jiggle_check(const GtJiggleDef* def, const GtCharacter* character, GtError* error)
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
    bool finite = gt_vec3_is_finite(def->gravity);
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

size_t gti_jiggle_state_size(const GtJiggleDef* def, const GtCharacter* character)
{
    size_t point_count = (size_t)gt_lattice_point_count(lattice_of(def, character));
    return sizeof(State) + point_count * (3 * (QUANTITY_COUNT + 1) + 1) * sizeof(float);
}

void gti_jiggle_reset(const GtJiggleDef* def, const GtCharacter* character, void* state)
{
    memset(state, 0, gti_jiggle_state_size(def, character));
}

// exp(-a t) times cos(w t) and sin(w t) / w, w^2 = frequency^2 (1 - damping^2), which may be below 0.
static Motion motion_over(double frequency, double damping, double time_s)
{
    double a = damping * frequency;
    double square = (1.0 - damping * damping) * frequency * frequency;
    double fade = (1.0 - hair) * exp(-a * time_s);
    double cosine = fade;
    double sine = fade * time_s;
    if (square * time_s * time_s > 1e-12) {
        double w = sqrt(square);
        cosine = fade * cos(w * time_s);
        sine = fade * sin(w * time_s) / w;
    } else if (square * time_s * time_s < -1e-12) {
        double w = sqrt(-square);
        double slow = (1.0 - hair) * exp((w - a) * time_s);
        double fast = (1.0 - hair) * exp((-w - a) * time_s);
        cosine = 0.5 * (slow + fast);
        sine = 0.5 * (slow - fast) / w;
    }
    return (Motion){ { { (float)(cosine + a * sine), (float)sine },
                       { (float)(-frequency * frequency * sine), (float)(cosine - a * sine) } } };
}

static bool are_good(const float* numbers, size_t count)
{
    int wrong = 0;
    for (size_t i = 0; i < count; ++i) {
        wrong |= !(fabsf(numbers[i]) <= FLT_MAX);
    }
    return !wrong;
}

// Move points on to `places`, where they now are, along one axis. What is beyond floats begins again.
static void swing(Swing s, const float* restrict places, size_t count, float* numbers)
{
    float* restrict place = numbers + (size_t)PLACE * 3 * count;
    float* restrict place_velocity = numbers + (size_t)PLACE_VELOCITY * 3 * count;
    float* restrict off = numbers + (size_t)OFF * 3 * count;
    float* restrict off_velocity = numbers + (size_t)OFF_VELOCITY * 3 * count;
    for (size_t i = 0; i < count; ++i) {
        float velocity = (places[i] - place[i]) * s.rate_hz;
        float e = off[i] - s.equilibrium;
        float v = off_velocity[i] + s.keeps * (place_velocity[i] - velocity);
        off[i] = s.motion.m[0][0] * e + s.motion.m[0][1] * v + s.equilibrium;
        off_velocity[i] = s.motion.m[1][0] * e + s.motion.m[1][1] * v;
        place_velocity[i] = velocity;
        place[i] = places[i];
    }
    if (!are_good(off, count) || !are_good(off_velocity, count) || !are_good(place_velocity, count)) {
        for (size_t i = 0; i < count; ++i) {
            off[i] = s.equilibrium;
            off_velocity[i] = place_velocity[i] = 0.0f;
        }
    }
}

// Add what is off, scaled, held and limited, to the points' own offsets.
static void show(const GtJiggleDef* def, const GtMat34* space_from_world, const float* off, size_t count,
                 GtVec3* offsets)
{
    for (size_t i = 0; i < count; ++i) {
        float scale = def->strength * (def->holds ? 1.0f - def->holds[i] : 1.0f);
        GtVec3 scaled = gt_vec3_scale(gt_vec3(off[i], off[count + i], off[2 * count + i]), scale);
        GtVec3 limited = gt_vec3_scale(scaled, 1.0f / (1.0f + gt_vec3_length(scaled) / def->limit_m));
        offsets[i] = gt_vec3_add(offsets[i], gt_mat34_vector(space_from_world, limited));
    }
}

// One coordinate in the world of points of the lattice's space.
static void place_along(const float to_axis[4], const GtVec3* points, size_t count, float* restrict places)
{
    for (size_t i = 0; i < count; ++i) {
        places[i] = to_axis[0] * points[i].x + to_axis[1] * points[i].y + to_axis[2] * points[i].z + to_axis[3];
    }
}

void gti_jiggle_step(const GtJiggleDef* def, const GtCharacter* character, const GtMat34* world_from_space,
                     double step_s, void* state, float* section_values)
{
    const GtSectionDef* section = &gt_character_def(character)->sections[def->section];
    State* all = state;
    size_t count = (size_t)gt_lattice_point_count(&section->lattice);
    GtVec3* offsets =
        (GtVec3*)(section_values + gt_section_first_value(character, def->section) + 1 + section->pose_count);
    GtVec3* points = (GtVec3*)(all->numbers + 3 * QUANTITY_COUNT * count);
    gt_section_points(character, def->section, section_values, points);
    if (!are_good(&points[0].x, 3 * count) || !are_good(world_from_space->m[0], 12)) {
        return;
    }
    double frequency = 2.0 * GTI_PI * (double)def->frequency_hz;
    GtVec3 equilibrium = gt_vec3_scale(def->gravity, (float)(1.0 / (frequency * frequency)));
    bool passes = step_s > 0.0 && step_s <= longest_step_s && all->frame_count > 0;
    Swing s = {
        .motion = motion_over(frequency, (double)def->damping, passes ? step_s : 0.0),
        .rate_hz = passes ? (float)(1.0 / step_s) : 0.0f,
        .keeps = all->frame_count > 1 ? 1.0f : 0.0f,
    };
    for (size_t axis = 0; axis < 3; ++axis) {
        float* numbers = all->numbers + axis * count;
        float* places = &points[count].x;
        s.equilibrium = (&equilibrium.x)[axis];
        place_along(world_from_space->m[axis], points, count, places);
        if (passes) {
            swing(s, places, count, numbers);
        } else {
            memcpy(numbers + (size_t)PLACE * 3 * count, places, count * sizeof *places);
        }
        for (size_t i = 0; all->frame_count == 0 && i < count; ++i) {
            numbers[(size_t)OFF * 3 * count + i] = s.equilibrium;
        }
    }
    GtMat34 space_from_world = gt_mat34_inverse(world_from_space, NULL);
    show(def, &space_from_world, all->numbers + (size_t)OFF * 3 * count, count, offsets);
    if (passes || all->frame_count == 0) {
        all->frame_count = all->frame_count < 2 ? all->frame_count + 1 : 2;
    }
}

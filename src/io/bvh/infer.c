// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Inference. Units: the height of the body along its bones, against that of a grown person. Up: from the feet to the
// head, in the rest pose and over frames of the motion; where the two differ, the motion counts if it stands on a
// floor, else (someone lies, or swims) the rest pose. Without names, the widest extent that is not from left to right.
// T-pose: both arms stretched out level in the first frame, and a leap to the second that no later step equals.

#include "io/bvh/infer.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

enum {
    SAMPLES = 9,
    STEPS = 9
};

#define PERSON_HEIGHT_M 1.6 // of a grown person from ankle to head, along the bones

// A unit that files are found in.
typedef struct Unit {
    const char* name;
    double metres;
} Unit;

static const Unit units[] = {
    { "metres", 1.0 },        { "feet", 0.3048 },
    { "decimetres", 0.1 },    { "those of the CMU collection", 0.0254 / 0.45 },
    { "inches", 0.0254 },     { "centimetres", 0.01 },
    { "millimetres", 0.001 },
};

// What sampled poses say about the way up.
typedef struct Votes {
    double share[3]; // of x, y, z; they sum to 1, or are all 0
    double lowest_mean[3];
    double lowest_deviation[3];
    double hips_height[3]; // mean, above the lowest joint
    double widest;         // mean of the largest extent
} Votes;

static int64_t sample_frame(const GtiBvhBody* body, int sample)
{
    return (body->clip->frame_count - 1) * sample / (SAMPLES - 1);
}

static int widest_of(const double values[3])
{
    int best = values[2] > values[1] ? 2 : 1;
    return values[0] > values[best] ? 0 : best;
}

// The axis in which siblings mirror each other in the rest pose, or GT_NONE.
static int find_lateral_axis(const GtiBvhBody* body)
{
    double evidence[3] = { 0.0, 0.0, 0.0 };
    for (int32_t i = 0; i < body->bvh->joint_count; ++i) {
        int32_t sibling = body->siblings[i];
        for (int tries = 0; tries < 3 && sibling != GT_NONE; ++tries, sibling = body->siblings[sibling]) {
            const double* a = body->bones + (size_t)i * 3;
            const double* b = body->bones + (size_t)sibling * 3;
            double size = fabs(a[0]) + fabs(a[1]) + fabs(a[2]);
            for (int k = 0; k < 3; ++k) {
                int m = (k + 1) % 3;
                int n = (k + 2) % 3;
                double error = fabs(a[k] + b[k]) + fabs(a[m] - b[m]) + fabs(a[n] - b[n]);
                evidence[k] += error < 0.1 * size && fabs(a[k]) > 0.1 * size ? fabs(a[k]) : 0.0;
            }
        }
    }
    int best = widest_of(evidence);
    return evidence[best] > 0.0 ? best : GT_NONE;
}

static void vote(GtiBvhBody* body, int lateral, double share[3])
{
    double up[3];
    if (!gti_bvh_way_up(body, up)) {
        gti_bvh_extents(body, up);
        if (lateral != GT_NONE) {
            up[lateral] = 0.0;
        }
    }
    double size = up[0] * up[0] + up[1] * up[1] + up[2] * up[2];
    for (int k = 0; k < 3; ++k) {
        share[k] += size > 0.0 ? up[k] * up[k] / size : 0.0;
    }
}

static void normalize(double share[3])
{
    double sum = share[0] + share[1] + share[2];
    for (int k = 0; k < 3; ++k) {
        share[k] = sum > 0.0 ? share[k] / sum : 0.0;
    }
}

static void lowest_joint(const GtiBvhBody* body, double lowest[3])
{
    memcpy(lowest, body->positions, 3 * sizeof *lowest);
    for (int32_t i = 1; i < body->bvh->joint_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            double x = body->positions[(size_t)i * 3 + (size_t)k];
            lowest[k] = x < lowest[k] ? x : lowest[k];
        }
    }
}

static void poll_motion(GtiBvhBody* body, int lateral, Votes* votes)
{
    double squares[3] = { 0.0, 0.0, 0.0 };
    *votes = (Votes){ 0 };
    for (int sample = 0; body->clip->blob && sample < SAMPLES; ++sample) {
        double lowest[3];
        double extents[3];
        gti_bvh_pose(body, sample_frame(body, sample));
        vote(body, lateral, votes->share);
        lowest_joint(body, lowest);
        gti_bvh_extents(body, extents);
        votes->widest += extents[widest_of(extents)] / SAMPLES;
        for (int k = 0; k < 3; ++k) {
            votes->lowest_mean[k] += lowest[k] / SAMPLES;
            votes->hips_height[k] += (body->positions[(size_t)body->hips * 3 + (size_t)k] - lowest[k]) / SAMPLES;
            squares[k] += lowest[k] * lowest[k] / SAMPLES;
        }
    }
    for (int k = 0; k < 3; ++k) {
        double variance = squares[k] - votes->lowest_mean[k] * votes->lowest_mean[k];
        votes->lowest_deviation[k] = sqrt(variance > 0.0 ? variance : 0.0);
    }
    normalize(votes->share);
}

// Whether the body stands on a floor at 0 that is level along `axis`.
static bool stands(const Votes* motion, int axis, double height)
{
    return motion->lowest_deviation[axis] < 0.06 * height && fabs(motion->lowest_mean[axis]) < 0.2 * height &&
           motion->hips_height[axis] > 0.3 * height && motion->hips_height[axis] < 0.8 * height;
}

// Bones that all lie on one line, or have no length, show no pose.
static bool is_flat_line(const double extents[3])
{
    int widest = widest_of(extents);
    double second = 0.0;
    for (int k = 0; k < 3; ++k) {
        second = k != widest && extents[k] > second ? extents[k] : second;
    }
    return !(second > 0.02 * extents[widest]);
}

static double body_height(const GtiBvhBody* body, const double rest_extents[3], const Votes* motion)
{
    if (body->heads.count && body->feet.count) {
        int32_t top = body->heads.joints[0];
        if (top + 1 < body->bvh->joint_count && body->bvh->joints[top + 1].parent == top &&
            body->bvh->joints[top + 1].layout.end_site) {
            ++top;
        }
        double height = 0.0;
        for (int32_t i = 0; i < body->feet.count; ++i) {
            double length = gti_bvh_path_length(body, body->feet.joints[i], top);
            height = length > height ? length : height;
        }
        return height;
    }
    bool line = is_flat_line(rest_extents);
    return line && motion->widest > 0.0 ? motion->widest : rest_extents[widest_of(rest_extents)];
}

static int up_axis_of(const double rest[3], bool rest_shows, const Votes* motion, double height)
{
    int by_rest = widest_of(rest);
    int by_motion = widest_of(motion->share);
    bool motion_shows = motion->share[by_motion] > 0.0;
    if (!motion_shows) {
        return rest_shows ? by_rest : 1;
    }
    if (!rest_shows || stands(motion, by_motion, height)) {
        return by_motion;
    }
    return by_rest;
}

// X up is rare: it needs better evidence than a body that bends or has no names.
static int doubt_x(int axis, const double rest[3], bool rest_shows, const Votes* motion)
{
    if (axis == 0 && !((rest_shows && rest[0] > 0.8) || motion->share[0] > 0.8)) {
        double y = rest[1] + motion->share[1];
        double z = rest[2] + motion->share[2];
        return z > y ? 2 : 1;
    }
    return axis;
}

static void infer_up(const GtiBvhBody* body, int axis, GtiBvhGuess* guess)
{
    static const GtUpAxis ups[] = { GT_UP_X, GT_UP_Y, GT_UP_Z };
    guess->up_axis = ups[axis];
    gti_note(body->bvh->context, body->bvh->path, NULL,
             "the file states no up axis; %c is assumed, from the shape of the skeleton", "XYZ"[axis]);
}

static void infer_units(const GtiBvhBody* body, double height, GtiBvhGuess* guess)
{
    const GtiBvh* bvh = body->bvh;
    guess->metres_per_unit = 1.0;
    if (!(height > 0.0)) {
        gti_note(bvh->context, bvh->path, NULL,
                 "the file states no units, and no bone has a length; metres are assumed");
        return;
    }
    const Unit* best = &units[0];
    for (size_t i = 0; i < sizeof units / sizeof *units; ++i) {
        double miss = fabs(log(height * units[i].metres / PERSON_HEIGHT_M));
        double least = fabs(log(height * best->metres / PERSON_HEIGHT_M));
        best = miss < least ? &units[i] : best;
    }
    guess->metres_per_unit = best->metres;
    bool named = body->heads.count && body->feet.count;
    gti_note(bvh->context, bvh->path, NULL, "the file states no units; %s are assumed, in which the body is %.2f m %s",
             best->name, height * best->metres, named ? "from foot to head" : "across");
}

// Mean angle between two frames over all joints that turn.
static double step_size(const GtiBvhClip* clip, int64_t frame)
{
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t t = 0; t < clip->track_count; ++t) {
        if (clip->tracks[t].path == GT_PATH_ROTATION) {
            const float* a = gti_bvh_track_at(clip, &clip->tracks[t], frame);
            double apart = 0.0;
            double together = 0.0;
            for (int k = 0; k < 4; ++k) {
                apart += ((double)a[k] - a[k + 4]) * ((double)a[k] - a[k + 4]);
                together += ((double)a[k] + a[k + 4]) * ((double)a[k] + a[k + 4]);
            }
            sum += 4.0 * atan2(sqrt(apart), sqrt(together));
            ++count;
        }
    }
    return count ? sum / count : 0.0;
}

// Whether the step out of the first frame is a leap, against those after it that are no dropouts of the capture.
static bool leaps(const GtiBvhClip* clip)
{
    int64_t count = clip->frame_count - 2 < STEPS ? clip->frame_count - 2 : STEPS;
    double steps[STEPS]; // ascending
    for (int64_t i = 0; i < count; ++i) {
        double size = step_size(clip, i + 1);
        int64_t place = i;
        for (; place > 0 && steps[place - 1] > size; --place) {
            steps[place] = steps[place - 1];
        }
        steps[place] = size;
    }
    return count > 0 && step_size(clip, 0) > 0.01 + 3.0 * steps[count / 4];
}

static bool stretched(const GtiBvhBody* body, int32_t a, int32_t b, int up)
{
    const double* p = body->positions + (size_t)a * 3;
    const double* q = body->positions + (size_t)b * 3;
    double apart = sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
    return apart > 0.8 * gti_bvh_path_length(body, a, b) && fabs(p[up] - q[up]) < 0.2 * apart;
}

// Whether both arms are level and straight in the pose last asked for: hands by name, else the two joints that are
// farthest apart on a level axis.
static bool is_tpose(const GtiBvhBody* body, int up)
{
    if (body->hands.count >= 2) {
        return stretched(body, body->hands.joints[0], body->hands.joints[1], up);
    }
    for (int k = 0; k < 3; ++k) {
        int32_t low = 0;
        int32_t high = 0;
        for (int32_t i = 1; i < body->bvh->joint_count; ++i) {
            double x = body->positions[(size_t)i * 3 + (size_t)k];
            low = x < body->positions[(size_t)low * 3 + (size_t)k] ? i : low;
            high = x > body->positions[(size_t)high * 3 + (size_t)k] ? i : high;
        }
        if (k != up && low != high && stretched(body, low, high, up)) {
            return true;
        }
    }
    return false;
}

void gti_bvh_infer(GtiBvhBody* body, const GtLoadDef* def, GtiBvhGuess* guess)
{
    *guess = (GtiBvhGuess){ .metres_per_unit = def->metres_per_unit };
    int lateral = find_lateral_axis(body);
    double rest[3] = { 0.0, 0.0, 0.0 };
    double extents[3];
    Votes motion;
    poll_motion(body, lateral, &motion);
    gti_bvh_pose(body, GTI_BVH_REST);
    gti_bvh_extents(body, extents);
    vote(body, lateral, rest);
    normalize(rest);
    bool rest_shows = !is_flat_line(extents);
    double height = body_height(body, extents, &motion);
    static const int axis_of_up[] = { [GT_UP_Y] = 1, [GT_UP_Z] = 2, [GT_UP_X] = 0 };
    int axis;
    if (def->up_axis == GT_NONE) {
        axis = doubt_x(up_axis_of(rest, rest_shows, &motion, height), rest, rest_shows, &motion);
        infer_up(body, axis, guess);
    } else {
        guess->up_axis = (GtUpAxis)def->up_axis;
        axis = axis_of_up[guess->up_axis];
    }
    if (def->metres_per_unit == 0.0) {
        infer_units(body, height, guess);
    }
    if (body->clip->frame_count > 2 && leaps(body->clip)) {
        gti_bvh_pose(body, 0);
        guess->tpose_first = is_tpose(body, axis);
    }
    if (guess->tpose_first) {
        gti_note(body->bvh->context, body->bvh->path, NULL,
                 "the first frame is a T-pose that is not part of the motion");
    }
}

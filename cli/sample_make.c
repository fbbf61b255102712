// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// What can be had from `gertie sample`, and options turned into the library's defs. An option that is not given leaves
// the default of its motion.

#include "sample.h"

#include "fail.h"

#include "gertie/number.h"

#include <string.h>

#define DEGREE 0.017453292519943295

const char* const sample_poses[] = { "T", "A", NULL };
const char* const sample_names[SAMPLE_COUNT + 1] = { "person", "walk",  "run",     "turn",  "idle", "wave",
                                                     "boxing", "kick",  "squat",   "jump",  "sit",  "flex",
                                                     "drop",   "twist", "fingers", "range", NULL };
const char* const sample_files[SAMPLE_COUNT] = { "person.glb", "walk.bvh",  "run.bvh",     "turn.bvh",
                                                 "idle.bvh",   "wave.bvh",  "boxing.bvh",  "kick.bvh",
                                                 "squat.bvh",  "jump.bvh",  "sit.bvh",     "flex.bvh",
                                                 "drop.bvh",   "twist.bvh", "fingers.bvh", "range.bvh" };

int sample_find(const char* name)
{
    int what = 0;
    while (what < SAMPLE_COUNT - 1 && strcmp(sample_names[what], name) != 0) {
        ++what;
    }
    return what;
}

// Options of some samples only.
static const struct {
    int option;
    const char* name;
    const char* const of[4]; // ends with NULL
} special_options[] = {
    { SAMPLE_BUILD, "build", { "person", NULL } },
    { SAMPLE_SEX, "sex", { "person", NULL } },
    { SAMPLE_POSE, "pose", { "person", NULL } },
    { SAMPLE_TRIANGLES, "triangles", { "person", NULL } },
    { SAMPLE_SEED, "seed", { "person", NULL } },
    { SAMPLE_BARE, "bare", { "person", NULL } },
    { SAMPLE_NOISE, "noise", { "person", NULL } },
    { SAMPLE_HOLES, "holes", { "person", NULL } },
    { SAMPLE_ISLANDS, "islands", { "person", NULL } },
    { SAMPLE_UP, "up", { "person", NULL } },
    { SAMPLE_UNITS, "units", { "person", NULL } },
    { SAMPLE_SPEED, "speed", { "walk", "run", NULL } },
    { SAMPLE_ANGLE, "angle", { "turn", "squat", "twist", NULL } },
    { SAMPLE_RISE, "rise", { "jump", NULL } },
    { SAMPLE_IN_PLACE, "in-place", { "walk", "run", "kick", NULL } },
};

// Options of every motion.
static const struct {
    int option;
    const char* name;
} motion_options[] = { { SAMPLE_TEMPO, "tempo" }, { SAMPLE_REPEAT, "repeat" }, { SAMPLE_FPS, "fps" } };

bool sample_takes(Session* session, int what, const OptionValue* values)
{
    for (size_t i = 0; i < sizeof special_options / sizeof special_options[0]; ++i) {
        bool taken = !values[special_options[i].option].given;
        for (int k = 0; !taken && special_options[i].of[k]; ++k) {
            taken = !strcmp(special_options[i].of[k], sample_names[what]);
        }
        if (!taken) {
            char names[64];
            option_print_choices(special_options[i].of, names, sizeof names);
            return session_misuse(session, "--%s has no say in '%s'; it is for %s", special_options[i].name,
                                  sample_names[what], names);
        }
    }
    for (size_t i = 0; what == SAMPLE_PERSON && i < sizeof motion_options / sizeof motion_options[0]; ++i) {
        if (values[motion_options[i].option].given) {
            return session_misuse(session, "--%s has no say in '%s'; it is for motions", motion_options[i].name,
                                  sample_names[what]);
        }
    }
    return true;
}

static void take(const OptionValue* value, double unit, double* field)
{
    if (value->given) {
        *field = value->number * unit;
    }
}

// --build is the name of one, or a number from thin to heavy.
static GtResult take_build(const OptionValue* value, GtPersonDef* def, GtError* error)
{
    static const struct {
        const char* name;
        double build, muscle;
    } builds[] = { { "thin", -1.0, 0.25 }, { "average", 0.0, 0.35 }, { "heavy", 1.0, 0.35 }, { "muscular", 0.1, 1.0 } };
    if (!value->given) {
        return GT_OK;
    }
    for (size_t i = 0; i < sizeof builds / sizeof builds[0]; ++i) {
        if (!strcmp(value->text, builds[i].name)) {
            def->build = builds[i].build;
            def->muscle = builds[i].muscle;
            return GT_OK;
        }
    }
    const char* end = value->text + strlen(value->text);
    if (gt_parse_double(value->text, end, &def->build) != end || end == value->text) {
        return fail(
            error, GT_ERROR_BAD_VALUE, NULL,
            "'%s' is no build; give thin, average, heavy, muscular, or a number from -1 (thin) to 2 (heavy is 1)",
            value->text);
    }
    return GT_OK;
}

static GtResult make_person(const GtContext* context, const OptionValue* values, Sample* out, GtError* error)
{
    GtPersonDef def = gt_default_person_def();
    if (values[SAMPLE_SEED].given) {
        def = gt_random_person_def((uint64_t)values[SAMPLE_SEED].number);
        def.scan.seed = (uint64_t)values[SAMPLE_SEED].number;
    }
    take(&values[SAMPLE_HEIGHT], 1.0, &def.height_m);
    take(&values[SAMPLE_SEX], 1.0, &def.sex);
    take(&values[SAMPLE_NOISE], 1.0, &def.scan.noise_m);
    take(&values[SAMPLE_UNITS], 1.0, &def.scan.metres_per_unit);
    def.pose = values[SAMPLE_POSE].given ? (GtPersonPose)values[SAMPLE_POSE].choice : def.pose;
    def.triangle_count = (int32_t)values[SAMPLE_TRIANGLES].number;
    def.scan.bare = values[SAMPLE_BARE].given;
    def.scan.hole_count = values[SAMPLE_HOLES].given ? (int32_t)values[SAMPLE_HOLES].number : 0;
    def.scan.island_count = values[SAMPLE_ISLANDS].given ? (int32_t)values[SAMPLE_ISLANDS].number : 0;
    def.scan.up_axis = values[SAMPLE_UP].given ? (GtUpAxis)values[SAMPLE_UP].choice : def.scan.up_axis;
    GtResult result = take_build(&values[SAMPLE_BUILD], &def, error);
    return result == GT_OK ? gt_sample_person(context, &def, &out->scene, &out->person, error) : result;
}

static GtResult make_motion(const GtContext* context, GtMotionKind kind, const OptionValue* values, Sample* out,
                            GtError* error)
{
    GtMotionDef def = gt_default_motion_def(kind);
    def.person.height_m = values[SAMPLE_HEIGHT].number;
    take(&values[SAMPLE_SPEED], 1.0, &def.speed_mps);
    take(&values[SAMPLE_ANGLE], DEGREE, &def.angle_rad);
    take(&values[SAMPLE_RISE], 1.0, &def.rise_m);
    take(&values[SAMPLE_TEMPO], 1.0, &def.tempo);
    take(&values[SAMPLE_FPS], 1.0, &def.frame_rate_hz);
    if (values[SAMPLE_REPEAT].given) {
        def.repeat_count = (int32_t)values[SAMPLE_REPEAT].number;
    }
    def.in_place = values[SAMPLE_IN_PLACE].given;
    out->moves = true;
    out->frame_rate_hz = def.frame_rate_hz;
    out->speed_mps = kind == GT_MOTION_WALK || kind == GT_MOTION_RUN ? def.speed_mps : 0.0;
    return gt_sample_motion(context, &def, &out->scene, &out->report, error);
}

GtResult sample_make(const GtContext* context, int what, const OptionValue* values, Sample* out, GtError* error)
{
    *out = (Sample){ .scene = NULL };
    if (what == SAMPLE_PERSON) {
        return make_person(context, values, out, error);
    }
    return make_motion(context, (GtMotionKind)(what - SAMPLE_FIRST_MOTION), values, out, error);
}

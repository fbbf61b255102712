// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// What can be had from `gertie sample`, and options turned into the library's defs. An option that is not given leaves
// the default of its motion.

#include "sample.h"

#include "gertie/sample.h"

#include <string.h>

#define DEGREE 0.017453292519943295

const char* const sample_names[SAMPLE_COUNT + 1] = { "person", "walk",   "run",     "turn",  "idle",
                                                     "wave",   "boxing", "kick",    "squat", "jump",
                                                     "sit",    "twist",  "fingers", "range", NULL };
const char* const sample_files[SAMPLE_COUNT] = { "person.glb", "walk.bvh",   "run.bvh",     "turn.bvh",  "idle.bvh",
                                                 "wave.bvh",   "boxing.bvh", "kick.bvh",    "squat.bvh", "jump.bvh",
                                                 "sit.bvh",    "twist.bvh",  "fingers.bvh", "range.bvh" };

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
    { SAMPLE_SEGMENTS, "segments", { "person", NULL } },
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

static GtResult make_person(const GtContext* context, const OptionValue* values, Sample* out, GtError* error)
{
    GtSampleFigureDef def = gt_default_sample_figure_def();
    def.height_m = values[SAMPLE_HEIGHT].number;
    def.segments = (int32_t)values[SAMPLE_SEGMENTS].number;
    return gt_sample_figure(context, &def, &out->scene, error);
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

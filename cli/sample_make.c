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

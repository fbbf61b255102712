// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// What can be had from `gertie sample`, and options turned into the library's defs. An option that is not given leaves
// the default of its motion.

#include "sample.h"

#include "fail.h"

#include "gertie/number.h"

#include <string.h>

// clang-format off
const char* const sample_names[SAMPLE_COUNT + 2] = {
    "person", "walk", "run", "turn", "idle", "wave", "boxing", "kick",
    "squat", "jump", "sit", "flex", "drop", "twist", "fingers", "range",
    "breathe", "look", "nod", "shake", "shrug", "point", "clap",
    "library", NULL,
};
const char* const sample_files[SAMPLE_COUNT] = {
    "person.glb", "walk.bvh", "run.bvh", "turn.bvh", "idle.bvh", "wave.bvh",
    "boxing.bvh", "kick.bvh", "squat.bvh", "jump.bvh", "sit.bvh", "flex.bvh",
    "drop.bvh", "twist.bvh", "fingers.bvh", "range.bvh", "breathe.bvh", "look.bvh",
    "nod.bvh", "shake.bvh", "shrug.bvh", "point.bvh", "clap.bvh",
};
// clang-format on

int sample_find(const char* name)
{
    int what = 0;
    while (what < SAMPLE_LIBRARY && strcmp(sample_names[what], name) != 0) {
        ++what;
    }
    return what;
}

// Options of some samples only.
static const struct {
    const char* options[12]; // ends with NULL
    const char* of[4];       // ends with NULL
} special_options[] = {
    { { "build", "sex", "pose", "triangles", "seed", "bare", "noise", "holes", "islands", "up", "units" },
      { "person" } },
    { { "speed" }, { "walk", "run" } },
    { { "angle" }, { "turn", "squat", "twist" } },
    { { "rise" }, { "jump" } },
    { { "in-place" }, { "walk", "run", "kick" } },
    { { "list" }, { "library" } },
};

// Options of every motion.
static const char* const motion_options[] = { "tempo", "repeat", "fps" };

bool sample_takes(Session* session, int what, const CommandLine* line)
{
    for (size_t i = 0; i < sizeof special_options / sizeof special_options[0]; ++i) {
        bool taken = false;
        for (int k = 0; special_options[i].of[k]; ++k) {
            taken = taken || !strcmp(special_options[i].of[k], sample_names[what]);
        }
        for (const char* const* name = special_options[i].options; !taken && *name; ++name) {
            if (option_given(line, *name)) {
                char names[64];
                option_print_choices(special_options[i].of, names, sizeof names);
                return session_misuse(session, "--%s does not apply to '%s'; it is for %s", *name, sample_names[what],
                                      names);
            }
        }
    }
    for (size_t i = 0; what == SAMPLE_PERSON && i < sizeof motion_options / sizeof motion_options[0]; ++i) {
        if (option_given(line, motion_options[i])) {
            return session_misuse(session, "--%s does not apply to '%s'; it is for motions", motion_options[i],
                                  sample_names[what]);
        }
    }
    return true;
}

// --build is the name of one, or a number from thin to heavy.
static GtResult take_build(const char* text, GtPersonDef* def, GtError* error)
{
    static const struct {
        const char* name;
        double build, muscle;
    } builds[] = { { "thin", -1.0, 0.25 }, { "average", 0.0, 0.35 }, { "heavy", 1.0, 0.35 }, { "muscular", 0.1, 1.0 } };
    for (size_t i = 0; i < sizeof builds / sizeof builds[0]; ++i) {
        if (!strcmp(text, builds[i].name)) {
            def->build = builds[i].build;
            def->muscle = builds[i].muscle;
            return GT_OK;
        }
    }
    const char* end = text + strlen(text);
    if (gt_parse_double(text, end, &def->build) != end || end == text) {
        return fail(
            error, GT_ERROR_BAD_VALUE, NULL,
            "'%s' is no build; give thin, average, heavy, muscular, or a number from -1 (thin) to 2 (heavy is 1)",
            text);
    }
    return GT_OK;
}

static GtResult make_person(const GtContext* context, const CommandLine* line, Sample* out, GtError* error)
{
    SampleOptions options = *(const SampleOptions*)line->options;
    if (option_given(line, "seed")) {
        options.person = gt_random_person_def(options.seed);
        options.person.scan.seed = options.seed;
        option_copy_given(line, &options);
    }
    GtResult result = options.build ? take_build(options.build, &options.person, error) : GT_OK;
    return result == GT_OK ? gt_sample_person(context, &options.person, &out->scene, &out->person, error) : result;
}

static GtResult make_motion(const GtContext* context, GtMotionKind kind, const CommandLine* line, Sample* out,
                            GtError* error)
{
    SampleOptions options = { .motion = gt_default_motion_def(kind), .person = gt_default_person_def() };
    option_copy_given(line, &options);
    GtMotionDef* def = &options.motion;
    def->person.height_m = options.person.height_m;
    out->moves = true;
    out->frame_rate_hz = def->frame_rate_hz;
    out->speed_mps = kind == GT_MOTION_WALK || kind == GT_MOTION_RUN ? def->speed_mps : 0.0;
    return gt_sample_motion(context, def, &out->scene, &out->report, error);
}

GtResult sample_make(const GtContext* context, int what, const CommandLine* line, Sample* out, GtError* error)
{
    *out = (Sample){ .scene = NULL };
    if (what == SAMPLE_PERSON) {
        return make_person(context, line, out, error);
    }
    return make_motion(context, (GtMotionKind)(what - SAMPLE_FIRST_MOTION), line, out, error);
}

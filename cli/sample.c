// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `sample`: the built-in person and motions, as files to try everything on.

#include "sample.h"

#include "fail.h"
#include "loss.h"
#include "scenes.h"
#include "verbs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char default_folder[] = "sample";

static void set_default(OptionValue* value, double number)
{
    *value = (OptionValue){ .has_default = true, .number = number };
}

static void sample_defaults(OptionValue* values)
{
    set_default(&values[SAMPLE_HEIGHT], gt_default_person_def().height_m);
    set_default(&values[SAMPLE_TRIANGLES], gt_default_person_def().triangle_count);
}

// What was measured of a motion, beside the file's name.
static void report_motion(Session* session, int what, const char* path, const Sample* sample)
{
    const GtMotionReport* report = &sample->report;
    Json* json = &session->report;
    json_begin_object(json);
    json_member_string(json, "file", path);
    json_member_string(json, "motion", sample_names[what]);
    json_member_integer(json, "frames", report->frame_count);
    json_member_number(json, "duration_s", report->duration_s);
    json_member_number(json, "leg_m", report->leg_m);
    if (sample->speed_mps > 0.0) {
        json_member_number(json, "speed_mps", sample->speed_mps);
        json_member_number(json, "cycle_s", report->cycle_s);
        json_member_number(json, "step_m", report->step_m);
        json_member_number(json, "support", report->support);
        json_member_number(json, "double_support", report->double_support);
    }
    json_member_number(json, "flight", report->flight);
    json_member_number(json, "mean_hip_height_m", report->mean_hip_height_m);
    json_member_number(json, "max_foot_drift_m", report->max_foot_drift_m);
    json_member_number(json, "max_parabola_miss_m", report->max_parabola_miss_m);
    json_end_object(json);
}

// What was measured of the person, beside the file's name.
static void report_person(Session* session, const char* path, const GtPersonReport* report)
{
    static const char* const segments[GT_PERSON_SEGMENT_COUNT] = { "head_and_neck", "trunk",  "upper_arms", "forearms",
                                                                   "hands",         "thighs", "shanks",     "feet" };
    Json* json = &session->report;
    json_begin_object(json);
    json_member_string(json, "file", path);
    json_member_integer(json, "triangles", report->triangle_count);
    json_member_integer(json, "vertices", report->vertex_count);
    json_member_number(json, "volume_m3", report->volume_m3);
    json_member_number(json, "area_m2", report->area_m2);
    json_member_number(json, "mass_kg", report->mass_kg);
    json_key(json, "segment_mass_kg");
    json_begin_object(json);
    for (int i = 0; i < GT_PERSON_SEGMENT_COUNT; ++i) {
        json_member_number(json, segments[i], report->segment_mass_kg[i]);
    }
    json_end_object(json);
    json_member_number(json, "min_angle_deg", report->min_angle_deg);
    json_member_number(json, "mean_min_angle_deg", report->mean_min_angle_deg);
    json_member_number(json, "sliver_share", report->sliver_share);
    json_end_object(json);
}

static void say_motion(Session* session, const char* path, const Sample* sample)
{
    const GtMotionReport* report = &sample->report;
    if (sample->speed_mps > 0.0) {
        session_say(session, "wrote %s: %.2f m/s, steps of %.2f m, %.2f s, %d frames", path, sample->speed_mps,
                    report->step_m, report->duration_s, (int)report->frame_count);
    } else {
        session_say(session, "wrote %s: %.2f s, %d frames", path, report->duration_s, (int)report->frame_count);
    }
}

static bool write_sample(Session* session, int what, const OptionValue* values, const Output* output)
{
    GtError error = { 0 };
    Sample sample;
    if (sample_make(&session->context, what, values, &sample, &error) != GT_OK) {
        return session_fail(session, &error);
    }
    GtSaveDef def = gt_default_save_def();
    def.frame_rate_hz = sample.moves ? sample.frame_rate_hz : def.frame_rate_hz;
    bool ok = output_write(session, output, sample.scene, &def);
    Loss losses[LOSS_COUNT];
    loss_count(sample.scene, output, losses);
    gt_scene_destroy(sample.scene);
    if (!ok) {
        return false;
    }
    loss_warn(session, output, losses);
    if (sample.moves) {
        report_motion(session, what, output->path, &sample);
        say_motion(session, output->path, &sample);
    } else {
        report_person(session, output->path, &sample.person);
        session_say(session, "wrote %s: %d triangles, %.1f kg", output->path, (int)sample.person.triangle_count,
                    sample.person.mass_kg);
    }
    return true;
}

// All samples into a folder, which is made where it is missing.
static bool write_folder(Session* session, const char* folder, const OptionValue* values)
{
    GtError error;
    struct stat status;
    bool made = mkdir(folder, 0777) == 0;
    if (!made && errno != EEXIST) {
        fail(&error, GT_ERROR_IO, folder, "the folder cannot be made: %s", strerror(errno));
        return session_fail(session, &error);
    }
    if (stat(folder, &status) == 0 && !S_ISDIR(status.st_mode)) {
        fail(&error, GT_ERROR_IO, folder,
             "it is a file, and all samples need a folder; name one of them ('gertie sample person -o FILE')");
        return session_fail(session, &error);
    }
    bool ok = true;
    for (int what = 0; ok && what < SAMPLE_COUNT; ++what) {
        Text path = { 0 };
        bool slash = folder[strlen(folder) - 1] == '/';
        text_addf(&path, "%s%s%s", folder, slash ? "" : "/", sample_files[what]);
        if (path.failed) {
            fail(&error, GT_ERROR_OUT_OF_MEMORY, folder, "out of memory");
            ok = session_fail(session, &error);
        } else {
            const char* format = strrchr(sample_files[what], '.') + 1;
            ok = write_sample(session, what, values, &(Output){ path.bytes, format, false });
        }
        text_free(&path);
    }
    if (!ok && made) {
        rmdir(folder); // only where it is empty
    }
    return ok;
}

static bool sample_run(Session* session, const CommandLine* line)
{
    const OptionValue* values = line->values;
    const char* path = values[SAMPLE_OUTPUT].text;
    json_key(&session->report, "files");
    json_begin_array(&session->report);
    bool ok = false;
    if (line->argument_count == 0) {
        if (values[SAMPLE_FORMAT].given || (path && !strcmp(path, "-"))) {
            ok = session_misuse(session, "standard output takes one sample: 'gertie sample person -o -'");
        } else {
            ok = write_folder(session, path ? path : default_folder, values);
        }
    } else {
        int what = sample_find(line->arguments[0]);
        Output output;
        ok = sample_takes(session, what, values) &&
             output_prepare(session, path ? path : sample_files[what], &values[SAMPLE_FORMAT], &output) &&
             write_sample(session, what, values, &output);
    }
    json_end_array(&session->report);
    return ok;
}

const Verb verb_sample = {
    .name = "sample",
    .summary = "write the built-in person and motions",
    .description =
        "Writes a person (person.glb) and motions for it (walk.bvh, run.bvh...), made by formulas, so that everything "
        "can be tried with nothing else at hand. Without WHAT, all go into a folder, which is made where it is "
        "missing; with WHAT, that one goes into a file of any format that can be written.\n\n"
        "walk, run, idle and boxing loop; the others start and end standing at ease, so that they can follow each "
        "other. Feet that stand do not slide. The walk covers ground at --speed with steps as long and as many as "
        "people of that leg length take; a speed that legs cannot walk or run at is refused with the range they can. "
        "twist, fingers and range test skins and rigs.",
    .arguments = { { .name = "WHAT",
                     .help = "which one; all where it is not given",
                     .optional = true,
                     .choices = sample_names } },
    .options = { [SAMPLE_OUTPUT] = { .name = "output",
                                     .letter = 'o',
                                     .kind = OPTION_FILE,
                                     .value = "OUT",
                                     .help = "folder for all (default sample), file for one (default person.glb, "
                                             "walk.bvh...), - for standard output" },
                 [SAMPLE_HEIGHT] = { .name = "height",
                                     .kind = OPTION_NUMBER,
                                     .value = "METRES",
                                     .help = "height of the person",
                                     .min = 0.5,
                                     .max = 2.5 },
                 [SAMPLE_BUILD] = { .name = "build",
                                    .kind = OPTION_TEXT,
                                    .value = "BUILD",
                                    .help = "of the person: thin, average, heavy or muscular, or a number from -1 "
                                            "(thin) to 2 (heavy is 1)" },
                 [SAMPLE_SEX] = { .name = "sex",
                                  .kind = OPTION_NUMBER,
                                  .value = "BLEND",
                                  .help = "of the person: 0 female, 1 male, any blend between; without it 0.5",
                                  .min = 0,
                                  .max = 1 },
                 [SAMPLE_POSE] = { .name = "pose",
                                   .kind = OPTION_CHOICE,
                                   .value = "POSE",
                                   .help = "of the person at rest, without it T",
                                   .choices = sample_poses },
                 [SAMPLE_TRIANGLES] = { .name = "triangles",
                                        .kind = OPTION_INTEGER,
                                        .value = "N",
                                        .help = "of the person's mesh",
                                        .min = 2000,
                                        .max = 1000000 },
                 [SAMPLE_SEED] = { .name = "seed",
                                   .kind = OPTION_INTEGER,
                                   .value = "N",
                                   .help = "another person for every number, the same for the same; other options "
                                           "change that one",
                                   .min = 0,
                                   .max = 9007199254740991.0 },
                 [SAMPLE_BARE] = { .name = "bare",
                                   .kind = OPTION_FLAG,
                                   .help = "the person's mesh alone, as a scan would be" },
                 [SAMPLE_NOISE] = { .name = "noise",
                                    .kind = OPTION_NUMBER,
                                    .value = "METRES",
                                    .help = "of a bare mesh: standard deviation of its vertices along the normals",
                                    .min = 0,
                                    .max = 0.05 },
                 [SAMPLE_HOLES] = { .name = "holes",
                                    .kind = OPTION_INTEGER,
                                    .value = "N",
                                    .help = "of a bare mesh: patches that are missing",
                                    .min = 0,
                                    .max = 1000 },
                 [SAMPLE_ISLANDS] = { .name = "islands",
                                      .kind = OPTION_INTEGER,
                                      .value = "N",
                                      .help = "of a bare mesh: lumps that float around",
                                      .min = 0,
                                      .max = 1000 },
                 [SAMPLE_UP] = { .name = "up",
                                 .kind = OPTION_CHOICE,
                                 .value = "AXIS",
                                 .help = "of a bare mesh: axis of its numbers that points up, without it y",
                                 .choices = up_names },
                 [SAMPLE_UNITS] = { .name = "units",
                                    .kind = OPTION_UNIT,
                                    .value = "UNIT",
                                    .help = "of a bare mesh: unit of its numbers, without it m",
                                    .min = 1e-6,
                                    .max = 1e6,
                                    .choices = unit_names },
                 [SAMPLE_SPEED] = { .name = "speed",
                                    .kind = OPTION_NUMBER,
                                    .value = "M/S",
                                    .help = "of walk (without it 1.4) and run (3.3), in metres a second",
                                    .min = 0,
                                    .max = 1000 },
                 [SAMPLE_ANGLE] = { .name = "angle",
                                    .kind = OPTION_NUMBER,
                                    .value = "DEGREES",
                                    .help = "of turn to the left (without it 90), of twist (270), of the knees in a "
                                            "squat (115)",
                                    .min = -3600,
                                    .max = 3600 },
                 [SAMPLE_RISE] = { .name = "rise",
                                   .kind = OPTION_NUMBER,
                                   .value = "METRES",
                                   .help = "how high the jump goes, without it 0.3",
                                   .min = 0,
                                   .max = 100 },
                 [SAMPLE_TEMPO] = { .name = "tempo",
                                    .kind = OPTION_NUMBER,
                                    .value = "TIMES",
                                    .help = "how many times as fast as comes naturally; not of walk, run and jump",
                                    .min = 0.25,
                                    .max = 4 },
                 [SAMPLE_REPEAT] = { .name = "repeat",
                                     .kind = OPTION_INTEGER,
                                     .value = "N",
                                     .help = "how often a motion is done, without it once; walk and run: cycles of "
                                             "two steps, without it 4",
                                     .min = 1,
                                     .max = 10000 },
                 [SAMPLE_IN_PLACE] = { .name = "in-place",
                                       .kind = OPTION_FLAG,
                                       .help = "walk, run and kick without getting ahead" },
                 [SAMPLE_FPS] = { .name = "fps",
                                  .kind = OPTION_NUMBER,
                                  .value = "HZ",
                                  .help = "frames a second of a motion, without it 60, or 120 of run and jump",
                                  .min = 1,
                                  .max = 1000 },
                 [SAMPLE_FORMAT] = { .name = "format",
                                     .kind = OPTION_CHOICE,
                                     .value = "NAME",
                                     .help = "format on standard output",
                                     .choices = stream_formats } },
    .examples =
        (const Example[]){
            { "gertie sample -o demo", "write demo/person.glb, demo/walk.bvh and all other motions" },
            { "gertie sample person --height 1.6 --build heavy -o heavy.glb", "a short, heavy person" },
            { "gertie sample person --bare --holes 5 --noise 0.001 -o scan.glb", "a mesh as a scanner would give it" },
            { "gertie sample walk --speed 1.8 -o brisk.bvh", "a brisk walk" },
            { "gertie sample run --in-place -o run.glb", "a run on the spot, as a clip of bones" },
            { "gertie sample turn --angle -180 -o back.bvh", "a turn to the right, all the way round" },
            { "gertie sample walk -o - --format bvh --repeat 1 | less", "one cycle of the walk, to read" },
            { NULL, NULL } },
    .defaults = sample_defaults,
    .run = sample_run,
};

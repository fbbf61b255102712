// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `sample`: the built-in person and motions, as files to try everything on.

#include "sample.h"

#include "fail.h"
#include "scenes.h"
#include "verbs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char default_folder[] = "sample";

static void set_defaults(void* options)
{
    *(SampleOptions*)options =
        (SampleOptions){ .person = gt_default_person_def(), .motion = gt_default_motion_def(GT_MOTION_WALK) };
}

// What was measured of a motion, beside the file's name.
static void report_motion(Session* session, int what, const char* path, const Sample* sample)
{
    const GtMotionReport* report = &sample->report;
    GtJsonWriter* json = &session->report;
    gt_json_begin_object(json);
    gt_json_member_string(json, "file", path);
    gt_json_member_string(json, "motion", sample_names[what]);
    gt_json_member_integer(json, "frames", report->frame_count);
    gt_json_member_number(json, "duration_s", report->duration_s);
    gt_json_member_number(json, "leg_m", report->leg_m);
    if (sample->speed_mps > 0.0) {
        gt_json_member_number(json, "speed_mps", sample->speed_mps);
        gt_json_member_number(json, "cycle_s", report->cycle_s);
        gt_json_member_number(json, "step_m", report->step_m);
        gt_json_member_number(json, "support", report->support);
        gt_json_member_number(json, "double_support", report->double_support);
    }
    gt_json_member_number(json, "flight", report->flight);
    gt_json_member_number(json, "mean_hip_height_m", report->mean_hip_height_m);
    gt_json_member_number(json, "max_foot_drift_m", report->max_foot_drift_m);
    gt_json_member_number(json, "max_parabola_miss_m", report->max_parabola_miss_m);
    gt_json_end_object(json);
}

// What was measured of the person, beside the file's name.
static void report_person(Session* session, const char* path, const GtPersonReport* report)
{
    static const char* const segments[GT_PERSON_SEGMENT_COUNT] = { "head_and_neck", "trunk",  "upper_arms", "forearms",
                                                                   "hands",         "thighs", "shanks",     "feet" };
    GtJsonWriter* json = &session->report;
    gt_json_begin_object(json);
    gt_json_member_string(json, "file", path);
    gt_json_members(json, gt_person_report_fields(), report);
    gt_json_member_object(json, "segment_mass_kg");
    for (int i = 0; i < GT_PERSON_SEGMENT_COUNT; ++i) {
        gt_json_member_number(json, segments[i], report->segment_mass_kg[i]);
    }
    gt_json_end_object(json);
    gt_json_end_object(json);
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

static bool write_sample(Session* session, int what, const CommandLine* line, const Output* output)
{
    GtError error = { 0 };
    Sample sample;
    if (sample_make(&session->context, what, line, &sample, &error) != GT_OK) {
        return session_fail(session, &error);
    }
    GtSaveDef def = gt_default_save_def();
    def.frame_rate_hz = sample.moves ? sample.frame_rate_hz : def.frame_rate_hz;
    bool ok = output_write(session, output, sample.scene, &def);
    gt_scene_destroy(sample.scene);
    if (!ok) {
        return false;
    }
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

bool sample_fill_folder(Session* session, const char* folder, const FolderContent* content, const CommandLine* line)
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
    for (int i = 0; ok && i < content->count; ++i) {
        GtText path = { 0 };
        gt_text_addf(&path, "%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/");
        content->add_name(i, &path);
        if (path.failed) {
            fail(&error, GT_ERROR_OUT_OF_MEMORY, folder, "out of memory");
            ok = session_fail(session, &error);
        } else {
            const char* format = strrchr(path.bytes, '.') + 1;
            ok = content->write(session, i, line, &(Output){ .path = path.bytes, .format = format });
        }
        gt_text_destroy(&path);
    }
    if (!ok && made) {
        rmdir(folder); // only where it is empty
    }
    return ok;
}

static void add_sample_name(int what, GtText* name)
{
    gt_text_adds(name, sample_files[what]);
}

static bool write_files(Session* session, const CommandLine* line)
{
    const SampleOptions* options = line->options;
    const char* path = options->output;
    if (line->argument_count == 0) {
        if (options->format || (path && !strcmp(path, "-"))) {
            return session_misuse(session, "standard output takes one sample: 'gertie sample person -o -'");
        }
        const FolderContent content = { SAMPLE_COUNT, add_sample_name, write_sample };
        return sample_fill_folder(session, path ? path : default_folder, &content, line);
    }
    int what = sample_find(line->arguments[0]);
    Output output;
    return sample_takes(session, what, line) &&
           output_prepare(session, path ? path : sample_files[what], options->format, &output) &&
           write_sample(session, what, line, &output);
}

static bool sample_run(Session* session, const CommandLine* line)
{
    const SampleOptions* options = line->options;
    bool is_library = line->argument_count > 0 ? sample_find(line->arguments[0]) == SAMPLE_LIBRARY : options->list;
    bool is_list = is_library && options->list;
    gt_json_member_array(&session->report, "files");
    bool ok = is_list || (is_library ? sample_library_write(session, line) : write_files(session, line));
    gt_json_end_array(&session->report);
    return is_list ? sample_library_list(session, line) : ok;
}

const Verb verb_sample = {
    .name = "sample",
    .summary = "write the built-in person and motions, to try things on",
    .description =
        "Writes a person (person.glb) and motions for it (walk.bvh, run.bvh...), made by formulas, so that everything "
        "can be tried without other files. Without WHAT, all of them go into a folder, which is created if needed; "
        "with WHAT, one goes into a file of any format.\n\n"
        "walk, run, idle and boxing loop; the others start and end standing, so that they can follow each other. Feet "
        "that stand do not slide. The walk has steps as long and as many as people of that leg length take at "
        "--speed; a speed that legs cannot walk or run at is refused with the range they can. twist, fingers and "
        "range test skins and rigs.\n\n"
        "library writes the motions that every verb finds by name, where there is no file of that name ('gertie "
        "animate "
        "hero.glb walk_relaxed -o out.glb'); --list shows them.",
    .arguments = { { .name = "WHAT",
                     .help = "which one",
                     .default_text = "all",
                     .optional = true,
                     .choices = sample_names } },
    .options = { PATH_OPTION("output", SampleOptions, output, "OUT",
                             "folder for all, file for one, or - for standard output", .letter = 'o',
                             .default_text = "sample/; of one, person.glb, walk.bvh..."),
                 FLAG_OPTION("list", SampleOptions, list,
                             "show the motions of the library, with their sources and licences"),
                 FIELD_OPTION("height", SampleOptions, person, height_m),
                 TEXT_OPTION("build", SampleOptions, build, "BUILD",
                             "thin, average, heavy or muscular, or a number from -1 (thin) to 2 (heavy is 1)",
                             .default_text = "average"),
                 FIELD_OPTION("sex", SampleOptions, person, sex),
                 FIELD_OPTION("pose", SampleOptions, person, pose, .value = "POSE"),
                 FIELD_OPTION("bare", SampleOptions, person, scan.bare),
                 FIELD_OPTION("speed", SampleOptions, motion, speed_mps),
                 FIELD_OPTION("repeat", SampleOptions, motion, repeat_count),
                 FIELD_OPTION("in-place", SampleOptions, motion, in_place),
                 FIELD_OPTION("fps", SampleOptions, motion, frame_rate_hz),
                 FIELD_OPTION("triangles", SampleOptions, person, triangle_count),
                 NUMBER_OPTION("seed", SampleOptions, seed, GT_UNIT_NONE, 0, 9007199254740991.0,
                               "a different person for every number; other options change that person",
                               .default_text = "the average person"),
                 FIELD_OPTION("noise", SampleOptions, person, scan.noise_m),
                 FIELD_OPTION("holes", SampleOptions, person, scan.hole_count),
                 FIELD_OPTION("islands", SampleOptions, person, scan.island_count),
                 FIELD_OPTION("up", SampleOptions, person, scan.up_axis, .value = "AXIS"),
                 FIELD_OPTION("units", SampleOptions, person, scan.metres_per_unit, .value = "UNIT"),
                 FIELD_OPTION("angle", SampleOptions, motion, angle_rad),
                 FIELD_OPTION("rise", SampleOptions, motion, rise_m),
                 FIELD_OPTION("tempo", SampleOptions, motion, tempo),
                 OPTION_FORMAT_OF(SampleOptions) },
    .more_from = "triangles",
    .examples =
        (const Example[]){
            { "gertie sample -o demo", "write demo/person.glb, demo/walk.bvh and all other motions" },
            { "gertie sample person --height 1.6 --build heavy -o heavy.glb", "a short, heavy person" },
            { "gertie sample person --bare --holes 5 --noise 0.001 -o scan.obj", "a mesh as a scanner would give it" },
            { "gertie sample walk --speed 1.8 -o brisk.bvh", "a brisk walk" },
            { "gertie sample run --in-place -o run.glb", "a run on the spot, as a clip of bones" },
            { "gertie sample turn --angle -180 -o back.bvh", "half a turn to the right" },
            { "gertie sample walk -o - --format bvh --repeat 1 | less", "one cycle of the walk, to read" },
            { "gertie sample library --list", "the motions that have names" },
            { "gertie sample library -o moves", "all of them as files: moves/walk.glb, moves/sit_down.glb..." },
            { NULL, NULL } },
    .options_size = sizeof(SampleOptions),
    .set_defaults = set_defaults,
    .run = sample_run,
};

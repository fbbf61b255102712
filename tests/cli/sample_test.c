// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// gertie sample: files where they were asked for, the same bytes every time.

#include "support/command.h"

static void all_go_into_a_folder(void** state)
{
    (void)state;
    CommandRun run = command("$G sample -o demo");
    expect_status(&run, 0);
    assert_string_equal(run.out, "");
    expect_text(run.err, "wrote demo/person.glb: 25000 triangles, 79.2 kg\nwrote demo/walk.bvh: 1.40 m/s, steps of "
                         "0.77 m, 4.40 s, 265 frames\n");
    expect_text(run.err, "wrote demo/range.bvh: ");
    assert_int_equal(count_files("demo"), 23);
    run = command("$G sample -o demo/ -q && $G sample -q && cmp demo/person.glb sample/person.glb");
    expect_status(&run, 0);
    assert_string_equal(run.err, "");
}

static void two_runs_write_the_same_bytes(void** state)
{
    (void)state;
    CommandRun run = command(
        "$G sample -q -o one --triangles 3000 --threads 1 && $G sample -q -o two --triangles 3000 --threads 4 && "
        "diff -r one two && LC_ALL=de_DE.UTF-8 $G sample -q -o three --triangles 3000 && "
        "diff -r one three");
    expect_status(&run, 0);
}

static void one_goes_into_a_file_of_any_format(void** state)
{
    (void)state;
    CommandRun run = command("$G sample person -o small.gltf --height 0.5 --triangles 2000");
    expect_status(&run, 0);
    expect_text(run.err, "wrote small.gltf: ");
    run = command("$G sample walk -o walk.glb --repeat 2 --speed 0.8 --fps 24");
    expect_status(&run, 0);
    run = command("$G info --json small.gltf walk.glb");
    const GtiJson* report = command_report(&run);
    GT_EXPECT_NEAR(report_number(report, "files.0.bounds_m.max.1"), 0.5, 0.01);
    GT_EXPECT_NEAR(report_number(report, "files.1.clips.0.duration_s"), 2.0 * 35.0 / 24.0,
                   1e-5); // a cycle is 34.7 frames
    GT_EXPECT_NEAR(report_number(report, "files.1.clips.0.rate_hz"), 24.0, 1e-3);
}

static void standard_output_takes_one(void** state)
{
    (void)state;
    CommandRun run = command("$G sample person -o person.glb -q && $G sample person -o - | cmp - person.glb");
    expect_status(&run, 0);
    run = command("$G sample walk -o - --format bvh");
    expect_status(&run, 0);
    assert_int_equal(strncmp(run.out, "HIERARCHY", 9), 0);
    expect_text(run.err, "wrote standard output: ");
}

static void json_lists_the_files(void** state)
{
    (void)state;
    CommandRun run = command("$G sample -o listed --json --triangles 2500");
    expect_status(&run, 0);
    assert_string_equal(run.err, "");
    const GtiJson* report = command_report(&run);
    assert_true(report_bool(report, "ok"));
    assert_string_equal(report_text(report, "verb"), "sample");
    assert_string_equal(report_text(report, "files.0.file"), "listed/person.glb");
    GT_EXPECT_NEAR(report_number(report, "files.0.triangles"), 2500, 50);
    assert_true(report_number(report, "files.0.mass_kg") > 50.0);
    assert_true(report_number(report, "files.0.segment_mass_kg.trunk") > 20.0);
    assert_string_equal(report_text(report, "files.1.file"), "listed/walk.bvh");
    assert_string_equal(report_text(report, "files.1.motion"), "walk");
    GT_EXPECT_NEAR(report_number(report, "files.1.step_m"), 1.4 * 1.1 / 2.0, 1e-6);
    assert_true(report_number(report, "files.1.max_foot_drift_m") < 0.002);
    assert_string_equal(report_text(report, "files.22.motion"), "clap");
}

static void people_are_as_their_options_say(void** state)
{
    (void)state;
    CommandRun run =
        command("$G sample person -q --triangles 8000 --build thin --sex 0 -o thin.glb && "
                "$G sample person -q --triangles 8000 --build heavy --pose A -o heavy.glb && "
                "$G sample person -q --triangles 3000 --seed 5 -o one.glb && "
                "$G sample person -q --triangles 3000 --seed 5 -o same.glb && cmp one.glb same.glb && "
                "$G sample person -q --triangles 3000 --seed 6 -o other.glb && ! cmp -s one.glb other.glb");
    expect_status(&run, 0);
    run = command("$G info --json thin.glb heavy.glb");
    const GtiJson* report = command_report(&run);
    double thin_depth =
        report_number(report, "files.0.bounds_m.max.2") - report_number(report, "files.0.bounds_m.min.2");
    double heavy_depth =
        report_number(report, "files.1.bounds_m.max.2") - report_number(report, "files.1.bounds_m.min.2");
    assert_true(heavy_depth > 1.1 * thin_depth);
    assert_true(report_number(report, "files.1.bounds_m.max.0") <
                report_number(report, "files.0.bounds_m.max.0") - 0.1);
    run = command("$G sample person --bare --triangles 3000 --holes 2 --islands 3 --noise 0.001 --up z --units cm "
                  "-o scan.glb && $G info --json scan.glb");
    expect_status(&run, 0);
    report = command_report(&run);
    assert_int_equal(report_count(report, "files.0.nodes"), 1);
    assert_true(report_number(report, "files.0.bounds_m.max.2") > 170.0);
    run = command("$G sample person --build fat -o no.glb");
    expect_status(&run, 1);
    expect_text(run.err, "'fat' is no build; give thin, average, heavy, muscular, or a number");
    run = command("$G sample person --noise 0.01 -o no.glb");
    expect_status(&run, 1);
    expect_text(run.err, "ask for a bare mesh");
}

static void motions_do_as_their_options_say(void** state)
{
    (void)state;
    CommandRun run = command("$G sample walk --json -o w.bvh --speed 1 --height 1.6 --repeat 3 --in-place --fps 30");
    const GtiJson* report = command_report(&run);
    GT_EXPECT_NEAR(report_number(report, "files.0.speed_mps"), 1.0, 0);
    GT_EXPECT_NEAR(report_number(report, "files.0.leg_m"), 0.53 * 1.6, 1e-6);
    GT_EXPECT_NEAR(report_number(report, "files.0.duration_s"), 3.0 * 37.0 / 30.0, 1e-6);
    run = command("$G sample jump -q -o j.bvh --rise 0.1 && $G sample turn -q -o t.bvh --angle -45 --tempo 2 && "
                  "$G sample squat -q -o s.bvh --angle 60");
    expect_status(&run, 0);
}

static void what_legs_cannot_do_is_refused(void** state)
{
    (void)state;
    static const char* const lines[][2] = {
        { "walk --speed 40",
          "a walk at 40 m/s is out of range; legs of 0.93 m walk at 0.19 to 2.13 m/s, and run faster" },
        { "walk --speed 0", "a walk at 0 m/s is out of range" },
        { "run --speed 40 --height 1", "a run at 40 m/s is out of range; legs of 0.53 m run at 0.95 to 3.98 m/s" },
        { "jump --rise 5", "a jump of 5 m is out of range; legs of 0.93 m jump 0.02 to 0.74 m" },
        { "turn --angle 0", "a turn by 0 degrees is out of range" },
        { "squat --angle 170", "a squat with knees bent by 170 degrees is out of range; give 20 to 140" },
        { "walk --fps 1000 --repeat 10000", "that makes 10960000 frames; the limit is 200000" },
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
        CommandRun run = command("$G sample %s -o refused.bvh", lines[i][0]);
        expect_refused(&run, 1, lines[i][1]);
        assert_false(file_exists("refused.bvh"));
    }
    CommandRun run = command("$G sample wave --speed 2 -o refused.bvh");
    expect_refused(&run, 2, "--speed does not apply to 'wave'; it is for walk or run");
    run = command("$G sample jump --angle 2 -o refused.bvh");
    expect_refused(&run, 2, "--angle does not apply to 'jump'; it is for turn, squat or twist");
    run = command("$G sample person --fps 2 -o refused.bvh");
    expect_refused(&run, 2, "--fps does not apply to 'person'; it is for motions");
    run = command("$G sample walk --speed nan -o refused.bvh");
    expect_refused(&run, 2, "--speed takes a number from 0 to 1000, not 'nan'");
}

static void places_that_cannot_be(void** state)
{
    (void)state;
    write_text_file("plain", "not a folder");
    CommandRun run = command("$G sample -o plain");
    expect_refused(&run, 1, "plain: it is a file, and all samples need a folder");
    run = command("$G sample -o missing/deeper");
    expect_refused(&run, 1, "missing/deeper: the folder cannot be made: No such file or directory");
    run = command("$G sample person -o missing/person.glb");
    expect_refused(&run, 1, "missing/person.glb: its folder does not exist; make it first");
    run = command("mkdir -p here && $G sample person -o here");
    expect_refused(&run, 1, "here: it is a folder; name a file in it");
    run = command("$G sample person -o new.glb/");
    expect_refused(&run, 1, "new.glb/: it is a folder");
    assert_int_equal(count_files("here"), 0);
}

static void the_library_is_listed(void** state)
{
    (void)state;
    CommandRun run = command("$G sample library --list");
    expect_status(&run, 0);
    expect_text(run.out, "walk_relaxed     walk      1.47 s loop  0.8 m/s  a relaxed walk with loose arms           "
                         "CMU 142_13, 4.45 to 5.92 s\n");
    expect_text(run.out, "CMU: free to use, also in products that are sold; the motion itself may not be resold");
    run = command("$G sample --list --json");
    const GtiJson* report = command_report(&run);
    assert_string_equal(report_text(report, "motions.0.name"), "walk");
    assert_string_equal(report_text(report, "motions.0.source"), "formula");
    assert_true(report_bool(report, "motions.0.loops"));
    run = command("$G sample walk --list");
    expect_refused(&run, 2, "--list does not apply to 'walk'; it is for library");
    run = command("$G sample library --speed 2");
    expect_refused(&run, 2, "--speed does not apply to 'library'");
    run = command("$G sample library -o library.glb");
    expect_refused(&run, 2, "the library needs a folder, not library.glb");
    assert_false(file_exists("library") || file_exists("library.glb"));
}

static void the_library_is_written(void** state)
{
    (void)state;
    CommandRun run = command("$G sample library -o moves --json");
    const GtiJson* report = command_report(&run);
    assert_int_equal(count_files("moves"), report_count(report, "files"));
    run = command("$G info moves/sit_down.glb");
    expect_text(run.out, "may not be resold");
    expect_text(run.out, "55 of 55 joints mapped");
}

// A name does where a file does, for every verb; a file of that name comes first.
static void motions_are_found_by_name(void** state)
{
    (void)state;
    CommandRun run = command("$G sample person -q --triangles 2000 -o hero.glb && "
                             "$G animate hero.glb walk_relaxed -o out.glb && "
                             "$G retarget hero.glb walk_relaxed nod moves/sit_down.glb -o three.glb && "
                             "$G convert nod nod.bvh && $G clip idle_breathe --speed 2 -o fast.glb");
    expect_status(&run, 0);
    expect_text(run.err, "clip 'walk_relaxed'");
    run = command("$G info --json three.glb nod.bvh fast.glb");
    const GtiJson* report = command_report(&run);
    assert_string_equal(report_text(report, "files.0.clips.0.name"), "walk_relaxed");
    assert_string_equal(report_text(report, "files.0.clips.1.name"), "nod");
    assert_string_equal(report_text(report, "files.0.clips.2.name"), "sit_down");
    GT_EXPECT_NEAR(report_number(report, "files.1.clips.0.duration_s"), 1.7, 1e-3);
    GT_EXPECT_NEAR(report_number(report, "files.2.clips.0.duration_s"), 2.0, 1e-3);
    run = command("$G retarget hero.glb nod shrug -o each/ --no-report && ls each");
    expect_text(run.out, "nod.glb\nshrug.glb\n");
    run = command("$G animate hero.glb walk_relaxd -o no.glb");
    expect_refused(&run, 1, "did you mean 'walk' or 'walk_relaxed'?");
    run = command("cp nod.bvh walk && $G animate hero.glb walk -o file.glb --json");
    report = command_report(&run);
    GT_EXPECT_NEAR(report_number(report, "duration_s"), 1.7, 1e-3); // the nod, and not the walk
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_go_into_a_folder),
        cmocka_unit_test(two_runs_write_the_same_bytes),
        cmocka_unit_test(one_goes_into_a_file_of_any_format),
        cmocka_unit_test(standard_output_takes_one),
        cmocka_unit_test(json_lists_the_files),
        cmocka_unit_test(people_are_as_their_options_say),
        cmocka_unit_test(motions_do_as_their_options_say),
        cmocka_unit_test(what_legs_cannot_do_is_refused),
        cmocka_unit_test(places_that_cannot_be),
        cmocka_unit_test(the_library_is_listed),
        cmocka_unit_test(the_library_is_written),
        cmocka_unit_test(motions_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, command_enter, command_leave);
}

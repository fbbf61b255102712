// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// gertie sample: files where they were asked for, the same bytes every time.

#include "support/command.h"

static void both_go_into_a_folder(void** state)
{
    (void)state;
    CommandRun run = command("$G sample -o demo");
    expect_status(&run, 0);
    assert_string_equal(run.out, "");
    assert_string_equal(run.err, "wrote demo/figure.glb\nwrote demo/walk.bvh\n");
    assert_int_equal(count_files("demo"), 2);
    run = command("$G sample -o demo/ -q && $G sample -q && cmp demo/figure.glb sample/figure.glb");
    expect_status(&run, 0);
    assert_string_equal(run.err, "");
}

static void two_runs_write_the_same_bytes(void** state)
{
    (void)state;
    CommandRun run = command("$G sample -q -o one --threads 1 && $G sample -q -o two --threads 4 && diff -r one two && "
                             "LC_ALL=de_DE.UTF-8 $G sample -q -o three && diff -r one three");
    expect_status(&run, 0);
}

static void one_goes_into_a_file_of_any_format(void** state)
{
    (void)state;
    CommandRun run = command("$G sample figure -o small.gltf --height 0.5 --segments 6");
    expect_status(&run, 0);
    assert_string_equal(run.err, "wrote small.gltf\n");
    run = command("$G sample walk -o walk.glb --cycles 2 --cycle 1.5 --fps 24");
    expect_status(&run, 0);
    run = command("$G info --json small.gltf walk.glb");
    const GtiJson* report = command_report(&run);
    GT_EXPECT_NEAR(report_number(report, "files.0.bounds_m.max.1"), 0.5, 0.01);
    GT_EXPECT_NEAR(report_number(report, "files.1.clips.0.duration_s"), 3.0, 1e-5);
    GT_EXPECT_NEAR(report_number(report, "files.1.clips.0.rate_hz"), 24.0, 1e-3);
}

static void standard_output_takes_one(void** state)
{
    (void)state;
    CommandRun run = command("$G sample figure -o figure.glb -q && $G sample figure -o - | cmp - figure.glb");
    expect_status(&run, 0);
    run = command("$G sample walk -o - --format bvh");
    expect_status(&run, 0);
    assert_int_equal(strncmp(run.out, "HIERARCHY", 9), 0);
    assert_string_equal(run.err, "wrote standard output\n");
}

static void json_lists_the_files(void** state)
{
    (void)state;
    CommandRun run = command("$G sample -o listed --json");
    expect_status(&run, 0);
    assert_string_equal(run.err, "");
    const GtiJson* report = command_report(&run);
    assert_true(report_bool(report, "ok"));
    assert_string_equal(report_text(report, "verb"), "sample");
    assert_string_equal(report_text(report, "files.0"), "listed/figure.glb");
    assert_string_equal(report_text(report, "files.1"), "listed/walk.bvh");
}

static void places_that_cannot_be(void** state)
{
    (void)state;
    write_text_file("plain", "not a folder");
    CommandRun run = command("$G sample -o plain");
    expect_refused(&run, 1, "plain: it is a file, and both samples need a folder");
    run = command("$G sample -o missing/deeper");
    expect_refused(&run, 1, "missing/deeper: the folder cannot be made: No such file or directory");
    run = command("$G sample figure -o missing/figure.glb");
    expect_refused(&run, 1, "missing/figure.glb: its folder does not exist; make it first");
    run = command("mkdir -p here && $G sample figure -o here");
    expect_refused(&run, 1, "here: it is a folder; name a file in it");
    run = command("$G sample figure -o new.glb/");
    expect_refused(&run, 1, "new.glb/: it is a folder");
    assert_int_equal(count_files("here"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_go_into_a_folder),
        cmocka_unit_test(two_runs_write_the_same_bytes),
        cmocka_unit_test(one_goes_into_a_file_of_any_format),
        cmocka_unit_test(standard_output_takes_one),
        cmocka_unit_test(json_lists_the_files),
        cmocka_unit_test(places_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, command_enter, command_leave);
}

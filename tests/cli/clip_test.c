// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// gertie clip: the built-in motions cut, joined, looped and cleaned.

#include "support/command.h"

static int enter(void** state)
{
    int result = command_enter(state);
    return result == 0
               ? command("$G sample walk -q -o walk.bvh && $G sample turn -q -o turn.bvh && $G convert -q walk.bvh "
                         "walk.glb")
                     .status
               : result;
}

static double number_of(const char* line, const char* path)
{
    CommandRun run = command("%s", line);
    expect_status(&run, 0);
    return report_number(command_report(&run), path);
}

static void a_part_is_cut(void** state)
{
    (void)state;
    GT_EXPECT_NEAR(number_of("$G clip walk.bvh --from 1 --to 2.5 -o part.bvh --json", "duration_s"), 1.5, 1e-4);
    GT_EXPECT_NEAR(number_of("$G info part.bvh --json", "files.0.clips.0.keys"), 91, 0);
}

static void motions_follow_each_other(void** state)
{
    (void)state;
    double walk_s = number_of("$G clip walk.bvh -o a.bvh --json", "duration_s");
    double turn_s = number_of("$G clip turn.bvh -o b.bvh --json", "duration_s");
    GT_EXPECT_NEAR(number_of("$G clip walk.bvh turn.bvh --fade 0.25 -o all.glb --name both --json", "duration_s"),
                   walk_s + turn_s - 0.25, 0.02);
    CommandRun run = command("$G info all.glb --json");
    assert_string_equal(report_text(command_report(&run), "files.0.clips.0.name"), "both");
}

static void the_cycle_closes(void** state)
{
    (void)state;
    CommandRun run = command("$G clip walk.bvh --loop -o cycle.bvh --json");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    double cycle_s = report_number(report, "cycle.end_s") - report_number(report, "cycle.start_s");
    GT_EXPECT_NEAR(report_number(report, "duration_s"), cycle_s, 1e-4);
    assert_true(cycle_s > 0.9 && cycle_s < 1.3);
    assert_true(report_number(report, "cycle.way_m") > 1.0);
    run = command("$G measure cycle.bvh --json");
    assert_true(report_number(command_report(&run), "seam.gap_m") < 0.5e-3);
}

static void clocks_and_filters(void** state)
{
    (void)state;
    double walk_s = number_of("$G clip walk.glb -o a.glb --json", "duration_s");
    GT_EXPECT_NEAR(number_of("$G clip walk.glb --speed 2 --reverse -o r.glb --json", "duration_s"), 0.5 * walk_s, 0.02);
    GT_EXPECT_NEAR(number_of("$G clip walk.glb --fps 30 --cutoff 8 -o f.glb --json", "rate_hz"), 30.0, 0.0);
    GT_EXPECT_NEAR(number_of("$G clip walk.glb --fill 0.5 -o g.glb --json", "filled_gaps"), 0, 0);
    GT_EXPECT_NEAR(
        number_of("$G clip walk.glb --keep-clips --from 1 -o k.glb --json && $G info k.glb --json >k.json", "frames"),
        1 + floor((walk_s - 1.0) * 60.0 + 1e-3), 1.0);
}

static const char gap_bvh[] =
    "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
    "Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 9\nFrame Time: 0.05\n"
    "0 0 0 0 0 0\n0 0 0 10 0 0\n0 0 0 20 0 0\nnan nan nan nan nan nan\nnan nan nan nan nan nan\n"
    "nan nan nan nan nan nan\n0 0 0 60 0 0\n0 0 0 70 0 0\n0 0 0 80 0 0\n";

static void what_a_capture_lost_is_bridged(void** state)
{
    (void)state;
    write_text_file("gap.bvh", gap_bvh);
    GT_EXPECT_NEAR(number_of("$G clip gap.bvh --units m --fill 1 -o full.bvh --json", "filled_gaps"), 1, 0);
    CommandRun run = command("tail -5 full.bvh | head -1");
    double values[6] = { 0 };
    assert_int_equal(sscanf(run.out, "%lf %lf %lf %lf %lf %lf", &values[0], &values[1], &values[2], &values[3],
                            &values[4], &values[5]),
                     6);
    GT_EXPECT_NEAR(values[3], 40.0, 0.01); // as if nothing had been lost
}

static void what_cannot_be_is_refused(void** state)
{
    (void)state;
    CommandRun run = command("$G clip walk.bvh --from 99 -o x.bvh");
    assert_int_equal(run.status, 1);
    expect_text(run.err, "walk.bvh: the motion lasts");
    run = command("$G clip walk.bvh --from 2 --to 1 -o x.bvh");
    assert_int_equal(run.status, 1);
    expect_text(run.err, "no frame of the motion lies between");
    write_text_file("gap.bvh", gap_bvh);
    run = command("$G clip walk.bvh gap.bvh -o x.bvh");
    assert_int_equal(run.status, 1);
    expect_text(run.err, "gap.bvh: the first file has no joint 'a'");
    run = command("$G clip walk.bvh --cutoff 50 -o x.bvh");
    assert_int_equal(run.status, 1);
    expect_text(run.err, "cutoff of 50 Hz");
    run = command("$G sample person -q -o p.glb && $G clip p.glb -o x.glb");
    assert_int_equal(run.status, 1);
    expect_text(run.err, "p.glb: the file has no clip");
    run = command("$G clip walk.bvh --clip run -o x.bvh");
    assert_int_equal(run.status, 1);
    run = command("$G clip walk.bvh");
    assert_int_equal(run.status, 2);
    assert_false(file_exists("x.bvh"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_is_cut),
        cmocka_unit_test(motions_follow_each_other),
        cmocka_unit_test(the_cycle_closes),
        cmocka_unit_test(clocks_and_filters),
        cmocka_unit_test(what_a_capture_lost_is_bridged),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

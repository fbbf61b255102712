// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// gertie measure: tables, reports and pages of the built-in motions, and what it refuses.

#include "support/command.h"

static int enter(void** state)
{
    int result = command_enter(state);
    return result == 0 ? command("$G sample -q -o . && $G animate -q person.glb walk.bvh -o walking.glb").status
                       : result;
}

static void a_table_says_what_was_measured(void** state)
{
    (void)state;
    CommandRun run = command("$G measure walking.glb --source walking.glb");
    expect_status(&run, 0);
    expect_text(run.out, "walking.glb: clip 'walk', ");
    expect_text(run.out, ", against walking.glb");
    expect_text(run.out, "directions against the source, mean 0.0 degrees");
    expect_text(run.out, "skate, mm, largest");
    expect_text(run.out, "penetration, mm, largest");
    expect_text(run.out, "acceleration to source's       1.0       1.0");
    expect_text(run.out, "loop seam, mm                  0.0");
    expect_text(run.out, "skin at 48 frames");
}

static void the_report_has_every_number(void** state)
{
    (void)state;
    CommandRun run = command("$G measure walking.glb --source walking.glb --json --mesh-frames 5");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_true(report_bool(report, "humanoid"));
    assert_int_equal(report_number(report, "mesh_frames"), 5);
    assert_true(report_number(report, "feet.left.contacts") >= 3);
    assert_true(report_number(report, "feet.left.skate_m") < 0.01); // feet that stand do not slide
    GT_EXPECT_NEAR(report_number(report, "knees.right.acceleration_ratio"), 1.0, 1e-6);
    GT_EXPECT_NEAR(report_number(report, "direction_mean_deg"), 0.0, 1e-3);
    assert_int_equal(report_count(report, "flights"), 0); // a walk has none
    assert_true(report_number(report, "seam.gap_m") < 0.1e-3);
    assert_true(report_count(report, "zones") >= 15);
    assert_true(report_number(report, "zones.3.volume_min") > 0.5);
    assert_true(report_number(report, "self_penetration.depth_m") >= 0.0);
}

static void the_page_needs_nothing_else(void** state)
{
    (void)state;
    CommandRun run =
        command("$G measure walking.glb --source walking.glb --mesh-frames 4 -o page.html -q && "
                "grep -c '<svg' page.html && ! grep -nE '(src|href)=\"?(https?:|//|[a-z./]+\\.(js|css|png))' "
                "page.html && tail -c 8 page.html");
    expect_status(&run, 0);
    expect_text(run.out, "</html>");
    run = command("LIBGL_DRIVERS_PATH=/none __EGL_VENDOR_LIBRARY_DIRS=/none $G measure walking.glb --mesh-frames 4 -o "
                  "bare.html >/dev/null && grep -c 'Worst moments' bare.html");
    expect_status(&run, 0);
}

static void names_are_shown_as_they_are_written(void** state)
{
    (void)state;
    CommandRun run =
        command("$G animate -q person.glb walk.bvh --name '<b>&\"walk' -o odd.glb && $G measure -q odd.glb "
                "--mesh-frames 0 -o odd.html >/dev/null && cat odd.html");
    expect_status(&run, 0);
    expect_text(run.out, "&lt;b&gt;&amp;&quot;walk");
    assert_null(strstr(run.out, "<b>&\"walk"));
}

static void what_is_no_humanoid_is_measured_as_far_as_it_goes(void** state)
{
    (void)state;
    write_text_file("chain.bvh",
                    "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition "
                    "Zrotation Xrotation Yrotation\nJOINT b\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation "
                    "Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: 3\nFrame Time: 0.05\n"
                    "0 0 0 0 0 0 0 0 0\n0 0 0 0 0 0 10 0 0\n0 0 0 0 0 0 20 0 0\n");
    CommandRun run = command("$G measure chain.bvh --units m --json");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_false(report_bool(report, "humanoid"));
    assert_int_equal(report_number(report, "mesh_frames"), 0);
    GT_EXPECT_NEAR(report_number(report, "seam.gap_m"), 2.0 * sin(10.0 * 3.14159265358979 / 180.0), 0.1e-3);
    expect_text(run.out, "feet, knees and flights are not measured");
}

static void one_frame_and_none(void** state)
{
    (void)state;
    CommandRun run = command("$G measure person.glb");
    expect_refused(&run, 1, "person.glb: the file has no clip");
    run = command("$G measure walking.glb --source person.glb");
    expect_refused(&run, 1, "the source has no clip");
    write_text_file("one.bvh",
                    "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n"
                    "{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.05\n0 0 0\n");
    run = command("$G measure one.bvh --units m -o one.html");
    expect_status(&run, 0);
    expect_text(run.out, "1 frame\n");
    assert_true(file_exists("one.html"));
}

static void wrong_usage_is_refused(void** state)
{
    (void)state;
    CommandRun run = command("$G measure walking.glb -o report.pdf");
    expect_refused(&run, 2, ".html");
    run = command("$G measure walking.glb -o nowhere/report.html");
    expect_refused(&run, 1, "nowhere");
    run = command("$G measure walking.glb --source-clip 1");
    expect_refused(&run, 2, "--source");
    run = command("$G measure walking.glb --clip run");
    expect_refused(&run, 1, "run");
    run = command("$G measure walking.glb --mesh-frames -3");
    expect_refused(&run, 2, "mesh-frames");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_says_what_was_measured),
        cmocka_unit_test(the_report_has_every_number),
        cmocka_unit_test(the_page_needs_nothing_else),
        cmocka_unit_test(names_are_shown_as_they_are_written),
        cmocka_unit_test(what_is_no_humanoid_is_measured_as_far_as_it_goes),
        cmocka_unit_test(one_frame_and_none),
        cmocka_unit_test(wrong_usage_is_refused),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

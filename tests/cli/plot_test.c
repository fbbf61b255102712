// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// gertie plot: pictures, tables and measures of the sample walk, whose feet and hands swing evenly.

#include "support/command.h"
#include "support/xml.h"

static int enter(void** state)
{
    int result = command_enter(state);
    return result == 0 ? command("$G sample -q -o . && $G animate -q person.glb walk.bvh -o walk.glb").status : result;
}

static void a_picture_is_drawn(void** state)
{
    (void)state;
    CommandRun run = command("$G plot walk.glb -c leftFoot.position.y --curve=rightFoot.position.y "
                             "-c leftFoot.speed -o foot.svg");
    expect_status(&run, 0);
    assert_string_equal(run.out, "");
    expect_text(run.err, "wrote foot.svg: 3 curves\n  leftFoot.position.y: ");
    expect_text(run.err, " m/s, mean ");
    run = command("cat foot.svg");
    assert_null(xml_fault(run.out, run.out_size));
    expect_text(run.out, "<title>walk.glb</title>"); // the clip has the file's name
    expect_text(run.out, ">rightFoot.position.y<");
    expect_text(run.out, ">position (m)<");
    expect_text(run.out, ">speed (m/s)<");
    run = command("$G plot -q walk.glb -c leftFoot.speed --size 1234x567 --title 'A & B' | head -2");
    expect_text(run.out, " width=\"1234\" height=\"567\"");
    expect_text(run.out, "<title>A &amp; B</title>");
}

static void same_bytes_on_every_run_and_way(void** state)
{
    (void)state;
    CommandRun run = command("$G plot -q walk.glb -c hips.position -o 1.svg --threads 1 && "
                             "LC_ALL=de_DE.UTF-8 $G plot -q walk.glb -c hips.position -o 2.svg --threads 3 && "
                             "cmp 1.svg 2.svg && $G plot -q walk.glb -c hips.position | cmp - 1.svg && "
                             "cat walk.glb | $G plot -q - -c hips.position -o - --title walk.glb | cmp - 1.svg");
    expect_status(&run, 0);
    assert_string_equal(run.out, "");
}

static void a_table_has_a_row_a_frame(void** state)
{
    (void)state;
    CommandRun run = command("$G plot -q walk.glb -c leftHand.position -c leftLowerArm.angle -o hand.csv --fps 10 "
                             "--from 0.5 --to 1.5 && head -1 hand.csv && wc -l <hand.csv && sed -n '2p;$p' hand.csv");
    expect_status(&run, 0);
    expect_text(run.out, "time_s,leftHand.position.x (m),leftHand.position.y (m),leftHand.position.z (m),"
                         "leftLowerArm.angle (degrees)\n12\n0.5,");
    expect_text(run.out, "\n1.5,");
    CommandRun same = command("$G plot -q walk.glb -c leftHand.position -c leftLowerArm.angle --format csv --fps 10 "
                              "--from 0.5 --to 1.5 | cmp - hand.csv");
    expect_status(&same, 0);
}

static void the_report_measures(void** state)
{
    (void)state;
    CommandRun run = command("$G plot walk.glb --json -c leftFoot.position.y -c rightFoot.position.y -c leftFoot.speed "
                             "-c morph:none 2>/dev/null; $G plot walk.glb --json -c leftFoot.position.y "
                             "-c rightFoot.position.y -c leftFoot.speed >report.json");
    const GtiJson* report = command_report(&run);
    assert_false(report_bool(report, "ok"));
    assert_string_equal(report_text(report, "error.where"), "morph:none");
    run = command("cat report.json");
    report = command_report(&run);
    assert_true(report_bool(report, "ok"));
    assert_int_equal(report_count(report, "curves"), 3);
    assert_string_equal(report_text(report, "curves.2.curve"), "leftFoot.speed");
    assert_string_equal(report_text(report, "curves.2.unit"), "m/s");
    assert_string_equal(report_text(report, "curves.0.file"), "walk.glb");
    assert_string_equal(report_text(report, "curves.0.clip"), "walk");
    // Left and right do the same, half a cycle apart, and the walk loops.
    GT_EXPECT_NEAR(report_number(report, "curves.0.min"), report_number(report, "curves.1.min"), 1e-3);
    GT_EXPECT_NEAR(report_number(report, "curves.0.max"), report_number(report, "curves.1.max"), 1e-3);
    GT_EXPECT_NEAR(report_number(report, "curves.0.mean"), report_number(report, "curves.1.mean"), 1e-3);
    assert_true(report_number(report, "curves.0.min") > 0.0 && report_number(report, "curves.0.max") < 0.6);
    assert_true(report_number(report, "curves.2.mean") > 0.1);
    run = command("$G plot walk.glb --json -c leftFoot.speed -o a.svg");
    assert_string_equal(report_text(command_report(&run), "output_format"), "svg");
    assert_true(file_exists("a.svg"));
}

static void files_are_compared(void** state)
{
    (void)state;
    CommandRun run = command("$G sample person -q -o tall.glb --height 2.45 && "
                             "$G animate -q tall.glb walk.bvh -o tall_walk.glb && "
                             "$G plot walk.glb tall_walk.glb -c head.position.y -o two.svg && cat two.svg");
    expect_status(&run, 0);
    expect_text(run.out, ">walk.glb: head.position.y<");
    expect_text(run.out, ">tall_walk.glb: head.position.y<");
    run = command("mkdir -p other && cp tall_walk.glb other/walk.glb && "
                  "$G plot -q walk.glb other/walk.glb -c head.position.y");
    expect_text(run.out, ">other/walk.glb: head.position.y<"); // where the names are alike
    run = command("$G plot --json walk.glb tall_walk.glb -c head.position.y");
    const GtiJson* report = command_report(&run);
    GT_EXPECT_NEAR(report_number(report, "curves.1.mean") / report_number(report, "curves.0.mean"), 2.45 / 1.75, 1e-3);
}

static void files_may_name_their_joints_differently(void** state)
{
    (void)state;
    write_text_file("box.bvh", "HIERARCHY\nROOT Box\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n"
                               "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0\n0 2 0\n");
    CommandRun run = command("$G plot -q walk.glb box.bvh -c head.position.y -c Box.position.y -o both.svg");
    expect_status(&run, 0);
    expect_text(run.err, "warning: walk.glb: it has no Box.position.y, which is left out\n");
    expect_text(run.err, "warning: box.bvh: it has no head.position.y, which is left out\n");
    run = command("$G plot -q --strict walk.glb box.bvh -c head.position.y -c Box.position.y -o strict.svg");
    expect_refused(&run, 1, "box.bvh: head.position.y: no joint or node 'head'");
    assert_false(file_exists("strict.svg"));
    run = command("$G plot -q walk.glb box.bvh -c nose.position.y -o none.svg");
    expect_refused(&run, 1, "no joint or node 'nose'");
}

static void mistakes_are_explained(void** state)
{
    (void)state;
    static const struct {
        const char* line;
        int status;
        const char* text;
    } cases[] = {
        { "walk.glb", 2, "-c CHANNEL is missing" },
        { "-c hips.speed", 2, "FILE is missing" },
        { "walk.glb -c leftFot.speed", 1,
          "walk.glb: leftFot.speed: no joint or node 'leftFot'; did you mean 'leftFoot'" },
        { "walk.glb -c leftFoot.sped", 1, "a joint has no 'sped'; did you mean 'speed'?" },
        { "walk.glb -c leftFoot.speed -o out.png", 2, "out.png: a plot is written as .svg or .csv" },
        { "walk.glb -c leftFoot.speed -o no/out.svg", 1, "its folder does not exist" },
        { "walk.glb -c leftFoot.speed -o .", 1, "it is a folder" },
        { "walk.glb -c leftFoot.speed -o out.svg --format csv", 2, "--format is for standard output" },
        { "walk.glb -c leftFoot.speed -o - --json", 2, "cannot both go to standard output" },
        { "walk.glb -c leftFoot.speed --size 12", 2, "--size takes a width and a height like 1280x720" },
        { "walk.glb -c leftFoot.speed --size 1280x", 2, "--size takes" },
        { "walk.glb -c leftFoot.speed --size 99999x400", 2, "each from 100 to 16384" },
        { "walk.glb -c leftFoot.speed --size 900x100", 1, "100 pixels of height are too few for 1 panel" },
        { "walk.glb -c leftFoot.speed --clip run", 1, "there is no clip 'run'; there is 0 'walk'" },
        { "walk.glb -c leftFoot.speed --from 2 --to 1", 1, "walk.glb: from 2 s to 1 s there is no time" },
        { "person.glb -c leftFoot.speed", 1, "person.glb: there is no clip" },
        { "missing.glb -c leftFoot.speed", 1, "missing.glb: " },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        CommandRun run = command("$G plot -q %s", cases[i].line);
        if (strstr(cases[i].line, "--json")) {
            expect_status(&run, cases[i].status);
            expect_text(run.err, cases[i].text);
        } else {
            expect_refused(&run, cases[i].status, cases[i].text);
        }
    }
    CommandRun run = command("$G plot -q walk.glb $(seq -f '-c #%%g.scale' 1 65) -o many.svg");
    expect_refused(&run, 2, "--curve can be given 64 times at most");
    assert_false(file_exists("out.svg"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_is_drawn),        cmocka_unit_test(same_bytes_on_every_run_and_way),
        cmocka_unit_test(a_table_has_a_row_a_frame), cmocka_unit_test(the_report_measures),
        cmocka_unit_test(files_are_compared),        cmocka_unit_test(files_may_name_their_joints_differently),
        cmocka_unit_test(mistakes_are_explained),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

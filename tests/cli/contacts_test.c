// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// gertie contacts: tables, reports and files, and feet that are planted, and hands that touch, by them.

#include "support/command.h"

static int enter(void** state)
{
    int result = command_enter(state);
    if (result == 0) {
        CommandRun run = command("$G sample person -q -o person.glb && $G sample walk -q -o walk.bvh && "
                                 "$G sample kick -q -o kick.bvh && $G contacts walk.bvh -q -o walk.json");
        expect_status(&run, 0);
    }
    return result;
}

static void a_table(void** state)
{
    (void)state;
    CommandRun run = command("$G contacts -q walk.bvh");
    expect_status(&run, 0);
    expect_text(run.out, "walk.bvh: clip 'walk', 4.40 s, ");
    expect_text(run.out, "  left   heel   0.000  ");
    expect_text(run.out, "on one ");
    expect_text(run.out, "in the air 0 %");
}

// Four cycles of 1.1 s, in which heel or ball stands most of the time.
static void a_report(void** state)
{
    (void)state;
    CommandRun run = command("$G contacts --json walk.bvh");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_string_equal(report_text(report, "clip"), "walk");
    GT_EXPECT_NEAR(report_number(report, "duration_s"), 4.4, 1e-3);
    GT_EXPECT_NEAR(report_number(report, "contacts.leftHeel.1.0"), 1.1, 0.034);
    double both_s = report_number(report, "totals_s.both_feet");
    double one_s = report_number(report, "totals_s.one_foot");
    double air_s = report_number(report, "totals_s.in_the_air");
    GT_EXPECT_NEAR(both_s + one_s + air_s, 4.4, 1e-3);
    assert_true(air_s < 0.05 * 4.4 && both_s > 0.0 && both_s < 0.3 * 4.4);
    double heels_s = report_number(report, "totals_s.leftHeel");
    GT_EXPECT_NEAR(heels_s, report_number(report, "totals_s.rightHeel"), 0.15);
    run = command("$G contacts --json walk.bvh --speed 0.001 --height 0.001 --least 3");
    expect_status(&run, 0);
    assert_true(report_number(command_report(&run), "count") < 5);
}

static void a_file_and_back(void** state)
{
    (void)state;
    CommandRun run = command("$G contacts walk.bvh -o again.json && cmp walk.json again.json");
    expect_status(&run, 0);
    expect_text(run.err, "wrote again.json: ");
    run = command("$G animate -q person.glb walk.bvh -o found.glb && "
                  "$G animate -q person.glb walk.bvh --contacts walk.json -o given.glb && cmp found.glb given.glb");
    expect_status(&run, 0);
    write_text_file("none.json", "{\"contacts\": {}}");
    run = command("$G retarget --json person.glb walk.bvh --contacts none.json -o free.glb");
    expect_status(&run, 0);
    GT_EXPECT_NEAR(report_number(command_report(&run), "clips.0.contacts"), 0.0, 0.0);
    GT_EXPECT_NEAR(report_number(command_report(&run), "clips.0.foot_shift_m"), 0.0, 1e-3);
}

static void a_clip_is_planted(void** state)
{
    (void)state;
    CommandRun run = command("$G clip walk.bvh --plant -o planted.bvh");
    expect_status(&run, 0);
    expect_text(run.err, "planted 9 contacts: feet moved by up to "); // the left foot stands 4 times, the right one 5
    run = command("$G clip --json walk.bvh --plant --contacts walk.json --from 1.1 --to 3.3 -o cycle.bvh");
    expect_status(&run, 0);
    assert_true(report_number(command_report(&run), "planting.contacts") >= 4);
    assert_true(report_number(command_report(&run), "planting.foot_shift_m") < 0.02);
    run = command("$G clip --json walk.bvh --plant --floor 0.1 -o high.bvh");
    expect_status(&run, 0);
    assert_true(report_number(command_report(&run), "planting.foot_shift_m") > 0.06);
    write_text_file("late.json", "{\"contacts\": {\"leftHeel\": [[100, 101]]}}");
    run = command("$G clip walk.bvh --plant --contacts late.json -o late.bvh");
    expect_status(&run, 0);
    expect_text(run.err, "no contact lies within the clip, which lasts from 0.000 s to 4.400 s");
    expect_text(run.err, "planted no foot: none stands");
}

// Hands touch nothing in a walk. A file that says otherwise is believed.
static void bodies_are_looked_at(void** state)
{
    (void)state;
    CommandRun run = command("$G contacts -q walk.bvh --body");
    expect_status(&run, 0);
    expect_text(run.out, "  0 contacts of the body with the ground\n");
    run = command("$G contacts -q walk.bvh --body -o body.json && $G animate -q person.glb walk.bvh -o found.glb && "
                  "$G animate -q person.glb walk.bvh --contacts body.json -o given.glb && cmp found.glb given.glb");
    expect_status(&run, 0);
    write_text_file("back.json", "{\"contacts\": {}, \"body\": {\"hips\": [[1, 0.5]]}}");
    run = command("$G animate -q person.glb walk.bvh --contacts back.json -o x.glb");
    expect_refused(&run, 1, "back.json: body.hips[0]: must be two times in seconds, start and end");
}

static void hands_touch_by_a_file(void** state)
{
    (void)state;
    CommandRun run = command("$G contacts walk.bvh --hands -o hands.json");
    expect_status(&run, 0);
    expect_text(run.err, "wrote hands.json: 17 contacts of feet, 0 touches of hands");
    run = command("$G contacts -q walk.bvh --hands");
    expect_status(&run, 0);
    expect_text(run.out, "  0 touches of hands\n");
    run = command("$G animate -q person.glb walk.bvh --keep-contacts -o found.glb && "
                  "$G animate -q person.glb walk.bvh --contacts hands.json -o given.glb && cmp found.glb given.glb");
    expect_status(&run, 0);
    write_text_file("head.json",
                    "{\"contacts\": {}, \"touches\": [{\"hand\": \"left\", \"on\": \"head\", \"start_s\": 1, "
                    "\"end_s\": 2, \"along\": 0.8, \"around_deg\": 90}]}");
    run = command("$G retarget --json person.glb walk.bvh --feet off --contacts head.json -o head.glb");
    expect_status(&run, 0);
    GT_EXPECT_NEAR(report_number(command_report(&run), "clips.0.touches"), 1.0, 0.0);
    GT_EXPECT_NEAR(report_number(command_report(&run), "clips.0.missed_touches"), 0.0, 0.0);
    assert_true(report_number(command_report(&run), "clips.0.hand_shift_m") > 0.4);
    run = command("$G contacts --json head.glb --hands"); // what was put there is seen there
    expect_status(&run, 0);
    assert_string_equal(report_text(command_report(&run), "touches.0.on"), "head");
    assert_string_equal(report_text(command_report(&run), "touches.0.hand"), "left");
    GT_EXPECT_NEAR(report_number(command_report(&run), "touches.0.around_deg"), 90.0, 40.0);
    run = command("$G contacts -q head.glb --hands");
    expect_status(&run, 0);
    expect_text(run.out, "  left   head  ");
    run = command("$G clip walk.bvh --plant --contacts head.json -o planted.bvh");
    expect_status(&run, 0);
    expect_text(run.err, "head.json: its touches of hands are left out: only feet are planted");
    write_text_file("late.json", "{\"contacts\": {}, \"touches\": [{\"hand\": \"left\", \"on\": \"head\", \"from\": 8, "
                                 "\"to\": 9}]}"); // the names of a former version
    run = command("$G animate person.glb walk.bvh --contacts late.json -o late.glb");
    expect_status(&run, 0);
    expect_text(run.err, "note: late.json: \"from\" is called \"start_s\" now");
    expect_text(run.err, "no touch lies within the clip, which lasts from 0.000 s to 4.400 s");
    write_text_file("on.json", "{\"contacts\": {}, \"touches\": [{\"hand\": \"left\", \"on\": \"hat\", \"start_s\": 1, "
                               "\"end_s\": 2}]}");
    run = command("$G animate -q person.glb walk.bvh --contacts on.json -o x.glb");
    expect_refused(&run, 1, "on.json: touches[0].on: must be ground or a part of the body");
}

static void what_is_wrong(void** state)
{
    (void)state;
    write_text_file("part.json", "{\"contacts\": {\"leftKnee\": [[0, 1]]}}");
    write_text_file("span.json", "{\"contacts\": {\"leftToe\": [[0, 1], [2, 1]]}}");
    CommandRun run = command("$G clip -q walk.bvh --plant --contacts part.json -o x.bvh");
    expect_refused(&run, 1,
                   "part.json: contacts.leftKnee: has no meaning here; is it misspelt? There are: leftHeel, leftToe");
    run = command("$G animate -q person.glb walk.bvh --contacts span.json -o x.glb");
    expect_refused(&run, 1, "span.json: contacts.leftToe[1]: must be two times in seconds, start and end");
    run = command("$G animate -q person.glb walk.bvh --contacts walk.json --feet off -o x.glb");
    expect_refused(&run, 2, "--contacts without touches of hands is of use with --feet plant only");
    run = command("$G retarget -q person.glb walk.bvh kick.bvh --contacts walk.json -o x.glb");
    expect_refused(&run, 2, "--contacts says when the feet of one motion stand, and there are 2");
    run = command("$G clip -q walk.bvh kick.bvh --plant --contacts walk.json -o x.bvh");
    expect_refused(&run, 2, "--contacts says when the feet of one clip stand, and there are 2 to join");
    run = command("$G clip -q walk.bvh --contacts walk.json -o x.bvh");
    expect_refused(&run, 2, "--contacts is of use with --plant only");
    run = command("$G retarget -q person.glb walk.bvh kick.bvh -o two.glb && "
                  "$G retarget -q person.glb two.glb --contacts walk.json -o x.glb");
    expect_refused(&run, 2, "two.glb: --contacts says when the feet of one clip stand, and it has 2");
    run = command("$G contacts -q person.glb");
    expect_refused(&run, 1, "person.glb: it has no clip to find contacts in");
    run = command("$G contacts -q walk.bvh -o none/x.json");
    expect_refused(&run, 1, "none/x.json: its folder does not exist");
    write_text_file("rope.bvh", "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n"
                                "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n1 0 0\n");
    run = command("$G contacts -q rope.bvh");
    expect_refused(&run, 1, "rope.bvh: no hips and legs are found");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table),
        cmocka_unit_test(a_report),
        cmocka_unit_test(a_file_and_back),
        cmocka_unit_test(a_clip_is_planted),
        cmocka_unit_test(bodies_are_looked_at),
        cmocka_unit_test(hands_touch_by_a_file),
        cmocka_unit_test(what_is_wrong),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

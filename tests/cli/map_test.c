// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// gertie map: tables, reports and files of the sample's joints, and what is no humanoid.

#include "support/command.h"

static int enter(void** state)
{
    int result = command_enter(state);
    if (result == 0) {
        CommandRun run = command("$G sample person -q -o person.glb && $G sample walk -q -o walk.bvh");
        expect_status(&run, 0);
    }
    return result;
}

static void a_table(void** state)
{
    (void)state;
    CommandRun run = command("$G map -q walk.bvh --units m --up y");
    expect_status(&run, 0);
    expect_text(run.out, "walk.bvh: a humanoid in a T-pose");
    expect_text(run.out, "leftUpperArm");
    expect_text(run.out, "its name says so");
}

// The pose is in the file, comes back from it, may be edited there, and is kept with what is made by it.
static void a_pose_to_edit(void** state)
{
    (void)state;
    CommandRun run = command("$G sample person -q --pose A -o a.glb && $G map -q a.glb -o a.json && cat a.json");
    expect_status(&run, 0);
    expect_text(run.out, "\"rotation_deg\": [");
    run = command(
        "$G map -q a.glb --map a.json -o again.json && grep rotation_deg a.json >a && grep rotation_deg again.json >b "
        "&& cmp a b");
    expect_status(&run, 0);
    write_text_file("bow.json", "{\"joints\": {\"head\": {\"joint\": \"head\", \"turn_deg\": [30, 0, 0]}}}");
    run = command("$G animate -q a.glb walk.bvh -o bowed.glb --map bow.json && $G map -q bowed.glb -o kept.json && "
                  "grep -A2 '\"head\": {' kept.json");
    expect_status(&run, 0);
    expect_text(run.out, "\"rotation_deg\": [30, 0, 0]");
    run = command(
        "sed s/turn_deg/rotation_deg/ bow.json >new.json && $G animate -q a.glb walk.bvh -o new.glb --map "
        "new.json && cmp bowed.glb new.glb && $G map a.glb --map bow.json && $G map -q --strict a.glb --map new.json");
    expect_status(&run, 0);
    expect_text(run.err, "bow.json: \"turn_deg\" is called \"rotation_deg\" now; former names are still read");
}

static void a_report(void** state)
{
    (void)state;
    CommandRun run = command("$G map --json --anew person.glb");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_true(report_bool(report, "humanoid"));
    assert_string_equal(report_text(report, "verdict"), "humanoid");
    assert_string_equal(report_text(report, "joints.hips.joint"), "hips");
    assert_true(report_number(report, "joints.leftHand.confidence") > 0.9);
    assert_true(report_number(report, "confidence") > 0.9);
    run = command("$G map --json --anew --no-names person.glb");
    expect_status(&run, 0);
    assert_string_equal(report_text(command_report(&run), "joints.rightFoot.joint"), "rightFoot");
}

static void a_file_and_back(void** state)
{
    (void)state;
    CommandRun run = command("$G map person.glb -o map.json");
    expect_status(&run, 0);
    expect_text(run.err, "wrote map.json");
    run = command("$G map -q person.glb --map map.json");
    expect_status(&run, 0);
    expect_text(run.out, "the file or its user says so");
    write_text_file("wrong.json", "{\"joints\": {\"hips\": \"hip\"}}");
    run = command("$G map person.glb --map wrong.json");
    expect_refused(&run, 1, "wrong.json: joints.hips: there is no joint 'hip'; did you mean 'hips'");
    run = command("$G map person.glb --map none.json");
    expect_refused(&run, 1, "none.json: ");
    run = command("$G map person.glb -o none/map.json");
    expect_refused(&run, 1, "none/map.json: its folder does not exist");
}

static void what_is_no_humanoid(void** state)
{
    (void)state;
    write_text_file("bare.gltf",
                    "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"a\"}],\"scenes\":[{\"nodes\":[0]}]}");
    CommandRun run = command("$G map bare.gltf");
    expect_status(&run, 0);
    expect_text(run.out, "bare.gltf: it has 1 joints, and a humanoid needs fifteen");
    run = command("$G map --json bare.gltf");
    expect_status(&run, 0);
    assert_false(report_bool(command_report(&run), "humanoid"));
    run = command("$G map bare.gltf -o bare.json");
    expect_refused(&run, 1, "bare.gltf: it is no humanoid");
    run = command("$G map");
    expect_refused(&run, 2, "FILE is missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table),         cmocka_unit_test(a_pose_to_edit),      cmocka_unit_test(a_report),
        cmocka_unit_test(a_file_and_back), cmocka_unit_test(what_is_no_humanoid),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

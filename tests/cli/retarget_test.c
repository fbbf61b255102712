// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// gertie retarget: many motions, one file or many, and what is said where it cannot be.

#include "support/command.h"

static int enter(void** state)
{
    int result = command_enter(state);
    return result == 0 ? command("$G sample -q person -o person.glb && $G sample -q walk -o walk.bvh --repeat 1 && "
                                 "$G sample -q wave -o wave.bvh && $G sample -q kick -o kick.bvh")
                             .status
                       : result;
}

static void motions_become_clips_of_one_file(void** state)
{
    (void)state;
    CommandRun run = command("$G retarget person.glb walk.bvh wave.bvh kick.bvh -o all.glb --json");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_int_equal(report_count(report, "clips"), 3);
    assert_string_equal(report_text(report, "clips.1.motion"), "wave.bvh");
    assert_string_equal(report_text(report, "clips.1.clip"), "wave");
    assert_true(report_number(report, "clips.2.mean_direction_error_deg") < 0.01);
    assert_true(report_number(report, "clips.2.max_extra_rotation_deg") < 1.0);
    assert_string_equal(report_text(report, "clips.0.character_rest_pose"), "T");
    run = command("$G info --json all.glb");
    report = command_report(&run);
    assert_int_equal(report_count(report, "files.0.clips"), 3);
    assert_string_equal(report_text(report, "files.0.clips.2.name"), "kick");
    run = command("$G retarget all.glb walk.bvh walk.bvh -o more.glb --keep-clips -q && $G info --json more.glb");
    report = command_report(&run);
    assert_int_equal(report_count(report, "files.0.clips"), 5);
    run = command("$G retarget person.glb all.glb -o again.glb --clip wave --json"); // every clip of a file, or one
    assert_int_equal(report_count(command_report(&run), "clips"), 1);
    run = command("$G retarget person.glb all.glb all.glb -o again.glb --json");
    report = command_report(&run);
    assert_int_equal(report_count(report, "clips"), 6);
    assert_string_equal(report_text(report, "clips.3.clip"), "all"); // names are taken once
    assert_string_equal(report_text(report, "clips.4.clip"), "all 2");
}

static void a_folder_takes_one_file_each(void** state)
{
    (void)state;
    write_text_file("broken.bvh", "HIERARCHY\nROOT");
    CommandRun run = command("mkdir out && $G retarget person.glb walk.bvh broken.bvh wave.bvh -o out");
    expect_status(&run, 1);
    expect_text(run.err, "broken.bvh");
    assert_true(file_exists("out/walk.glb"));
    assert_true(file_exists("out/wave.glb")); // the one that fails does not keep the others
    assert_int_equal(count_files("out"), 5);  // with both reports and the journal
    run = command("$G retarget -q person.glb walk.bvh -o alone.glb && cmp alone.glb out/walk.glb");
    expect_status(&run, 0);
}

static void options_do_what_they_say(void** state)
{
    (void)state;
    CommandRun run = command("$G retarget person.glb walk.bvh -o slow.glb --speed 0.5 --fps 20 --json");
    double slow_s = report_number(command_report(&run), "clips.0.duration_s");
    run = command("$G retarget person.glb walk.bvh -o plain.glb --json");
    GT_EXPECT_NEAR(slow_s, 2.0 * report_number(command_report(&run), "clips.0.duration_s"), 0.051);
    run = command("$G retarget -q person.glb walk.bvh -o spot.glb --root none && "
                  "$G plot spot.glb plain.glb -c hips.position.z --json");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    GT_EXPECT_NEAR(report_number(report, "curves.0.max"), report_number(report, "curves.0.min"), 1e-5);
    assert_true(report_number(report, "curves.1.max") > report_number(report, "curves.1.min") + 1.0);
    run = command("$G retarget -q person.glb wave.bvh -o m.glb --mirror && $G retarget -q person.glb m.glb -o mm.glb "
                  "--mirror && $G retarget -q person.glb wave.bvh -o w.glb && ! cmp -s m.glb w.glb");
    expect_status(&run, 0);
    run = command("$G map -q person.glb -o map.json && $G map -q walk.bvh -o walk.json && $G retarget -q person.glb "
                  "walk.bvh -o mapped.glb --map map.json --motion-map walk.json && $G measure -q mapped.glb --source "
                  "plain.glb --mesh-frames 0 --json");
    expect_status(&run, 0);
    assert_true(report_number(command_report(&run), "direction_mean_deg") < 0.01);
    run = command("$G retarget -q person.glb walk.bvh -o 1.glb --threads 1 && $G retarget -q person.glb walk.bvh -o "
                  "2.glb --threads 3 && cmp 1.glb 2.glb");
    expect_status(&run, 0);
}

// Clips in files of their own: as large for any character, and a motion like any other.
static void clips_come_alone(void** state)
{
    (void)state;
    CommandRun run =
        command("mkdir -p alone && $G retarget -q person.glb walk.bvh -o alone/ --animation-only --fps 30 && "
                "$G info alone/walk.glb --json");
    expect_status(&run, 0);
    GT_EXPECT_NEAR(report_number(command_report(&run), "files.0.joint_count"), 55.0, 0.0);
    run = command("test $(wc -c <alone/walk.glb) -lt 160000 && $G retarget -q person.glb alone/walk.glb -o again.glb "
                  "--feet off --collide off && $G measure again.glb --source alone/walk.glb --mesh-frames 0 --json");
    expect_status(&run, 0);
    assert_true(report_number(command_report(&run), "direction_mean_deg") < 0.01);
    run = command("$G retarget -q person.glb walk.bvh -o alone.vrm --animation-only");
    expect_refused(&run, 2, "--animation-only writes joints and clips");
    run = command("$G animate -q person.glb walk.bvh -o alone.png --animation-only");
    expect_refused(&run, 2, "--animation-only writes joints and clips");
}

static void what_cannot_be_done_is_said(void** state)
{
    (void)state;
    CommandRun run = command("$G retarget -q person.glb -o out.glb");
    expect_refused(&run, 2, "MOTION");
    run = command("$G retarget -q person.glb person.glb -o out.glb");
    expect_refused(&run, 1, "person.glb: the motion has no clip");
    run = command("$G retarget -q person.glb walk.bvh wave.bvh -o out.bvh");
    expect_refused(&run, 2, "a BVH holds one clip");
    run = command("$G retarget -q person.glb walk.bvh -o x.glb --method template");
    expect_refused(&run, 2, "--method template takes one motion");
    run = command("$G animate -q person.glb walk.bvh -o x.glb --method template");
    expect_refused(&run, 1, "walk.bvh: there is no mesh with triangles in it");
    run = command("$G retarget -q person.glb walk.bvh -o out.glb --root joint");
    expect_refused(&run, 1, "person.glb: the character has no joint above");
    run = command("$G retarget -q person.glb walk.bvh -o out.glb --speed 0");
    expect_refused(&run, 2, "--speed");
    write_text_file("stick.bvh", "HIERARCHY\nROOT stick\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
                                 "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n0 9 0\n");
    run = command("$G retarget -q person.glb stick.bvh -o out.glb 2>&1 >/dev/null | grep error");
    expect_text(run.out, "stick.bvh: no humanoid is found in the motion");
    run = command("$G retarget -q stick.bvh walk.bvh -o out.glb 2>&1 >/dev/null | grep error");
    expect_text(run.out, "stick.bvh: no humanoid is found in the character");
    run = command(
        "$G sample -q person --bare --triangles 2000 -o scan.glb && $G retarget scan.glb walk.bvh -o rigged.glb");
    assert_int_equal(run.status, 0); // it is rigged first
    expect_text(run.err, "rigged scan.glb: ");
    write_text_file("map.json", "{\"joints\": {\"hips\": \"Pelvis\"}}");
    run = command("$G retarget -q person.glb walk.bvh -o out.glb --map map.json");
    expect_refused(&run, 1, "map.json: joints.hips: there is no joint 'Pelvis'");
    assert_false(file_exists("out.glb"));
    assert_false(file_exists("out.bvh"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_become_clips_of_one_file), cmocka_unit_test(a_folder_takes_one_file_each),
        cmocka_unit_test(options_do_what_they_say),         cmocka_unit_test(clips_come_alone),
        cmocka_unit_test(what_cannot_be_done_is_said),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

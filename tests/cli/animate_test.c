// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// gertie animate: the sample walks, and options do what they say.

#include "support/command.h"

#include <stdio.h>
#include <stdlib.h>

static int enter(void** state)
{
    int result = command_enter(state);
    return result == 0 ? command("$G sample -q -o .").status : result;
}

static void the_person_walks(void** state)
{
    (void)state;
    CommandRun run = command("$G animate person.glb walk.bvh -o walking.glb");
    expect_status(&run, 0);
    assert_string_equal(run.out, "");
    expect_text(run.err, "wrote walking.glb: clip 'walk', ");
    run = command("$G info --json walk.bvh walking.glb person.glb");
    const GtiJson* report = command_report(&run);
    assert_int_equal(report_count(report, "files.1.clips"), 1);
    GT_EXPECT_NEAR(report_number(report, "files.1.clips.0.duration_s"),
                   report_number(report, "files.0.clips.0.duration_s"), 1e-5);
    GT_EXPECT_NEAR(report_number(report, "files.1.bounds_m.max.1"), report_number(report, "files.2.bounds_m.max.1"),
                   0); // the rest pose has not changed
}

static void report_measures(void** state)
{
    (void)state;
    CommandRun run = command("$G sample person -q -o tall.glb --height 2.45 && $G animate tall.glb walk.bvh -o t.glb "
                             "--json --name 'tall walk' --fps 15");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_true(report_bool(report, "ok"));
    assert_string_equal(report_text(report, "clip"), "tall walk");
    assert_true(report_number(report, "matched_joints") >= 15);
    double tall = report_number(report, "path_scale");
    run = command("$G animate person.glb walk.bvh -o s.glb --json");
    GT_EXPECT_NEAR(tall / report_number(command_report(&run), "path_scale"), 2.45 / 1.75, 1e-3);
    run = command("$G info --json t.glb");
    report = command_report(&run);
    assert_string_equal(report_text(report, "files.0.clips.0.name"), "tall walk");
    GT_EXPECT_NEAR(report_number(report, "files.0.clips.0.rate_hz"), 15, 0.01);
}

static void clips_can_be_kept(void** state)
{
    (void)state;
    CommandRun run = command("$G animate -q person.glb walk.bvh -o a.glb && "
                             "$G animate -q a.glb walk.bvh -o b.glb --keep-clips --name again && "
                             "$G animate -q b.glb a.glb -o c.glb && $G info --json a.glb b.glb c.glb");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_int_equal(report_count(report, "files.0.clips"), 1);
    assert_int_equal(report_count(report, "files.1.clips"), 2);
    assert_string_equal(report_text(report, "files.1.clips.1.name"), "again");
    assert_int_equal(report_count(report, "files.2.clips"), 1);
}

// What an older clip took is let go of, so that the file of a character grows with its clip alone.
static void moving_again_does_not_grow_a_file(void** state)
{
    (void)state;
    CommandRun run = // digits of other numbers make JSON a few bytes longer or shorter
        command(
            "size() { wc -c < $1; } && $G animate -q person.glb walk.bvh -o 1.glb && "
            "$G animate -q 1.glb walk.bvh -o 2.glb --keep-clips --name more && test $(size 2.glb) -gt $(size 1.glb) "
            "&& $G animate -q 2.glb walk.bvh -o 2.glb && test $(size 2.glb) -lt $(($(size 1.glb) + 256)) && "
            "$G sample person -q -o tiny.glb --triangles 2500 && "
            "$G animate -q tiny.glb kick.bvh -o 1.glb --method harmonic --fps 4 && "
            "$G animate -q 1.glb kick.bvh -o 2.glb --method auto --fps 4 && "
            "test $(size 2.glb) -lt $(($(size 1.glb) + 256))");
    expect_status(&run, 0);
}

static void two_runs_write_the_same_bytes(void** state)
{
    (void)state;
    CommandRun run = command("$G animate -q person.glb walk.bvh -o 1.glb --threads 1 && "
                             "$G animate -q person.glb walk.bvh -o 2.glb --threads 3 && cmp 1.glb 2.glb && "
                             "$G animate person.glb walk.bvh -o - | cmp - 1.glb");
    expect_status(&run, 0);
    assert_string_equal(run.out, "");
}

static void a_motion_without_motion_is_refused(void** state)
{
    (void)state;
    CommandRun run = command("$G animate -q person.glb person.glb -o out.glb");
    expect_status(&run, 1);
    expect_text(run.err, "person.glb: ");
    run = command("$G animate -q person.glb walk.bvh -o out.glb --clip run");
    expect_refused(&run, 1, "walk.bvh: there is no clip 'run'; there is 0 'walk'");
    assert_false(file_exists("out.glb"));
}

static void surfaces_can_move_without_weights(void** state)
{
    (void)state;
    CommandRun run = command("$G sample person -q -o small.glb --triangles 3000 && $G animate small.glb kick.bvh "
                             "-o h.glb --method harmonic --fps 10 --save-markers m.json --json && "
                             "$G animate small.glb kick.bvh -q -o skin.glb --method harmonic --fps 10 --bake skin && "
                             "test $(stat -c %%s h.glb) -le $((2 * $(stat -c %%s skin.glb)))");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_string_equal(report_text(report, "method"), "harmonic");
    double count = report_number(report, "harmonic.markers");
    assert_true(count >= 140 && count <= 220);
    assert_true(report_number(report, "harmonic.frames") >= 20);
    assert_true(report_number(report, "harmonic.stretch_min") > 0.3);
    assert_true(report_number(report, "harmonic.foot_error_max_m") < 0.03);
    assert_string_equal(report_text(report, "bake.as"), "shapes");
    assert_true(report_number(report, "bake.shapes") <= 24);
    assert_true(report_number(report, "bake.error_rms_m") < 0.002);
    assert_true(report_number(report, "bake.skin_rms_m") > 2.0 * report_number(report, "bake.error_rms_m"));
    run = command("$G animate small.glb kick.bvh -o again.glb --method harmonic --fps 10 --markers m.json --json");
    expect_status(&run, 0);
    GT_EXPECT_NEAR(report_number(command_report(&run), "harmonic.known_markers"), count, 0);
    run = command(
        "awk '/leftLowerLeg/ && ++n == 2 { sub(/leftLowerLeg/, \"rightLowerArm\") } { print }' m.json > odd.json "
        "&& $G animate small.glb kick.bvh -o odd.glb --method harmonic --fps 10 --markers odd.json");
    expect_status(&run, 0);
    expect_text(run.err, "warning: odd.json: marker ");
    expect_text(run.err, " of rightLowerArm lies where the surface turns ");
    run = command("cmp h.glb again.glb && $G measure h.glb --json");
    expect_status(&run, 0);
    assert_true(report_count(command_report(&run), "zones") > 20); // it is a rigged character still
}

static float* read_cache(const char* path, size_t* count)
{
    static const long head = 32;
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *count = (size_t)(ftell(file) - head) / sizeof(float);
    fseek(file, head, SEEK_SET);
    float* values = calloc(*count, sizeof *values);
    assert_int_equal(fread(values, sizeof *values, *count, file), *count);
    fclose(file);
    return values;
}

static void baked_files_play_exactly(void** state)
{
    (void)state;
    CommandRun run = command("$G sample person -q -o small.glb --triangles 3000 && $G animate small.glb kick.bvh -q "
                             "-o h.glb --fps 10 --shapes 0 && $G animate small.glb kick.bvh -q -o a.pc2 --fps 10 "
                             "--bake frames && $G convert h.glb b.pc2 -q --fps 10 && $G convert h.glb skin.gltf -q");
    expect_status(&run, 0);
    size_t counts[2];
    float* caches[2] = { read_cache("a.pc2", &counts[0]), read_cache("b.pc2", &counts[1]) };
    assert_int_equal(counts[0], counts[1]);
    for (size_t i = 0; i < counts[0]; ++i) {
        GT_EXPECT_NEAR(caches[0][i], caches[1][i], 2e-5); // a skin alone is 3 mm off
    }
    free(caches[0]);
    free(caches[1]);
    run = command("$G animate skin.gltf walk.bvh -o again.glb --fps 5 --json");
    expect_status(&run, 0);
    assert_string_equal(report_text(command_report(&run), "method"), "harmonic");
    run = command("sed '/GERTIE_harmonic\": {/,/}/ s/bufferView\": /bufferView\": 9/' skin.gltf > bad.gltf && "
                  "$G measure bad.gltf"); // a view that is not there
    expect_status(&run, 0);
    expect_text(run.err,
                "bad.gltf: the markers that are stored with the clip are damaged: there is no such buffer view");
}

static void bare_bodies_say_which_method_they_take(void** state)
{
    (void)state;
    CommandRun run = command("$G sample person --bare -q -o scan.obj --triangles 4000 && $G animate scan.obj kick.bvh "
                             "-o h.glb --fps 2 && $G animate scan.obj kick.bvh -o s.bvh --fps 2");
    expect_status(&run, 0);
    expect_text(run.err, "method: harmonic, as the body came without weights");
    expect_text(run.err, "method: skin, as the output holds joints only");
}

static void meshes_drive_meshes(void** state)
{
    (void)state;
    write_text_file("pairs.json", "{\"gertie_marker_pairs\": 1, \"pairs\": ["
                                  "{\"template_point\": [0, 1.7, 0], \"target_point\": [0, 1.7, 0]},"
                                  "{\"template_point\": [0.7, 1.4, 0], \"target_point\": [0.7, 1.4, 0]},"
                                  "{\"template_point\": [-0.7, 1.4, 0], \"target_point\": [-0.7, 1.4, 0]},"
                                  "{\"template_point\": [0.1, 0, 0.1], \"target_point\": [0.1, 0, 0.1]},"
                                  "{\"template_point\": [-0.1, 0, 0.1], \"target_point\": [-0.1, 0, 0.1]}]}");
    CommandRun run =
        command("$G sample person -q -o small.glb --triangles 3000 && $G animate small.glb kick.bvh -q "
                "-o moving.glb --fps 5 && $G sample person --bare -q -o t.obj --triangles 5000 && "
                "$G animate t.obj moving.glb --pairs pairs.json --save-markers used.json -o driven.glb --json");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    GT_EXPECT_NEAR(report_number(report, "template.known_markers"), 5, 0);
    GT_EXPECT_NEAR(report_number(report, "template.markers"), 120, 0);
    GT_EXPECT_NEAR(report_number(report, "template.scale"), 1.0, 0.02);
    assert_true(report_number(report, "bake.error_rms_m") < 0.001);
    run = command("$G info driven.glb && $G animate t.obj moving.glb --pairs used.json -o again.glb -q");
    expect_status(&run, 0);
    run = command("$G animate t.obj moving.glb --pairs m.json -o again.glb -q");
    expect_refused(&run, 1, "m.json: this is a file of kind \"markers\"; one of kind \"pairs\" is expected");
}

static void frames_can_be_written_as_files(void** state)
{
    (void)state;
    CommandRun run = command("$G sample person -q -o small.glb --triangles 3000 && $G animate small.glb kick.bvh -q "
                             "-o h.pc2 --method harmonic --fps 10 && $G animate small.glb kick.bvh -q -o s_##.obj "
                             "--fps 10 && ls h.obj s_01.obj s_02.obj && head -c 11 h.pc2");
    expect_status(&run, 0);
    expect_text(run.out, "h.obj\ns_01.obj\ns_02.obj\nPOINTCACHE2");
    run = command("$G animate small.glb kick.bvh -q -o h_##.obj --method harmonic --fps 10 && "
                  "grep '^vn' h.obj > 1 && grep '^vn' h_01.obj | cmp - 1 && grep '^v' h_02.obj | cmp -s - h_01.obj");
    expect_status(&run, 1); // the same normals in the same pose, and another pose then
}

static void the_ending_says_what_is_written(void** state)
{
    (void)state;
    CommandRun run =
        command("$G sample person -q -o small.glb --triangles 3000 && $G animate small.glb kick.bvh "
                "--fps 10 -o pose.obj && $G animate -q small.glb kick.bvh --fps 10 -o p_##.obj && "
                "grep '^v ' pose.obj > 1 && for f in p_*.obj; do grep '^v ' $f | cmp -s - 1 && echo $f; done");
    expect_text(run.err, "vertices in the pose at 1.3");
    expect_text(run.out, "p_14.obj");
    run = command("$G animate small.glb kick.bvh -o kick.xyz");
    expect_refused(&run, 2, "kick.xyz: the ending tells no format that can be written; give it one of .glb");
    expect_text(run.err, ".mp4");
    run = command("$G convert small.glb small.mp4");
    expect_refused(&run, 2, "'gertie render' makes pictures and films");
    run = command("$G animate small.glb kick.bvh -o none/kick.png");
    expect_refused(&run, 1, "none");
    run = command("$G render -q small.glb -o probe.png --size 16x16");
    if (run.status != 0) {
        return; // nothing can draw here
    }
    run = command("$G animate small.glb kick.bvh --json -o kick.png && $G render -q pose.obj -o drawn.png && "
                  "head -c 4 kick.png | tail -c 3");
    expect_status(&run, 0);
    expect_text(run.out, "\"output_format\": \"png\"");
    expect_text(run.out, "PNG");
    run = command("command -v ffmpeg >/dev/null || exit 0; $G animate small.glb kick.bvh -o kick.gif --fps 5 && "
                  "head -c 3 kick.gif");
    expect_status(&run, 0);
}

static void joints_and_blends_are_keyed_by_hand(void** state)
{
    (void)state;
    write_text_file("look.json",
                    "{\"gertie_keys\": 1, \"rotations\": [{\"joint\": \"head\", \"keys\": [{\"time_s\": 0, "
                    "\"rotation_deg\": [0, 60, 0]}]}]}");
    write_text_file("pinch.json", "{\"gertie_keys\": 1, \"rotations\": [{\"marker\": 3, \"keys\": [{\"time_s\": 0, "
                                  "\"rotation_deg\": [0, 60, 0]}]}]}");
    write_text_file("fade.json", "{\"gertie_keys\": 1, \"blend\": {\"keys\": [{\"time_s\": 0, \"share\": 1}]}}");
    CommandRun run = command("$G animate -q person.glb walk.bvh -o plain.glb && $G animate -q person.glb walk.bvh "
                             "-o look.glb --keys look.json && ! cmp -s plain.glb look.glb && "
                             "$G animate -q person.glb walk.bvh -o fade.glb --keys fade.json --with kick.bvh && "
                             "$G info --json fade.glb");
    expect_status(&run, 0);
    assert_int_equal(report_count(command_report(&run), "files.0.clips"), 1);
    run = command("$G animate -q person.glb walk.bvh -o out.glb --keys pinch.json");
    expect_refused(&run, 1, "pinch.json: markers are turned, which needs the harmonic method");
    run = command("$G animate -q person.glb walk.bvh -o out.glb --keys look.json --with kick.bvh");
    expect_refused(&run, 1, "look.json: there is no \"blend\" for the second motion");
    run = command("$G animate -q person.glb walk.bvh -o out.glb --keys fade.json");
    expect_refused(&run, 1, "fade.json: \"blend\" needs a second motion to blend in");
    run = command("$G animate -q person.glb walk.bvh -o out.glb --with kick.bvh");
    expect_refused(&run, 2, "--with needs --keys");
    assert_false(file_exists("out.glb"));
}

static void methods_are_checked(void** state)
{
    (void)state;
    CommandRun run = command("$G animate person.glb kick.bvh -q -o h.glb --method skin --softness 1");
    expect_refused(&run, 2, "--softness is for --method harmonic");
    run = command("$G animate person.glb kick.bvh -q -o h.glb --method skin --volume 1");
    expect_refused(&run, 2, "--volume is for --method harmonic");
    run = command("$G animate person.glb kick.bvh -q -o h.glb --method harmonic --bake frames --shapes 3");
    expect_refused(&run, 2, "--shapes is for --bake shapes");
    run = command("$G animate person.glb kick.bvh -o h.glb --method auto");
    expect_status(&run, 0);
    expect_text(run.err, "method: skin, as the character has weights of its own");
    run = command("$G animate kick.bvh kick.bvh -o h.glb --method auto");
    expect_status(&run, 0);
    expect_text(run.err, "method: skin, as the character has no mesh");
    run = command("$G sample person -q -o small.glb --triangles 3000 && $G animate -q small.glb kick.bvh -o h.glb "
                  "--fps 2 --method harmonic --save-markers m.json && $G animate -q person.glb kick.bvh -o h.glb "
                  "--method harmonic --markers m.json");
    expect_status(&run, 1);
    expect_text(run.err, "m.json: mesh: the markers are for a mesh of ");
}

// A robot of 62 loose pieces, of which most have no marker: its hands do not follow, and that is said.
static void harmonic_hands_far_off_are_told(void** state)
{
    (void)state;
    if (!getenv("GERTIE_DATA")) {
        print_message("skipped: GERTIE_DATA names no folder with real files\n");
        skip();
    }
    CommandRun run =
        command("$G animate \"$GERTIE_DATA\"/rigged/RobotExpressive.glb walk.bvh --method harmonic --fps 5 "
                "-o robot.glb --json");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_true(report_number(report, "harmonic.hand_error_max_m") > 0.5);
    expect_text(run.out, "RobotExpressive.glb\", \"where\": \"\", \"message\": \"hands are up to ");
    expect_text(run.out, "skinning keeps them there");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_person_walks),
        cmocka_unit_test(report_measures),
        cmocka_unit_test(clips_can_be_kept),
        cmocka_unit_test(moving_again_does_not_grow_a_file),
        cmocka_unit_test(two_runs_write_the_same_bytes),
        cmocka_unit_test(surfaces_can_move_without_weights),
        cmocka_unit_test(baked_files_play_exactly),
        cmocka_unit_test(bare_bodies_say_which_method_they_take),
        cmocka_unit_test(meshes_drive_meshes),
        cmocka_unit_test(frames_can_be_written_as_files),
        cmocka_unit_test(the_ending_says_what_is_written),
        cmocka_unit_test(joints_and_blends_are_keyed_by_hand),
        cmocka_unit_test(methods_are_checked),
        cmocka_unit_test(harmonic_hands_far_off_are_told),
        cmocka_unit_test(a_motion_without_motion_is_refused),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// gertie info: the table and the report, on the sample and on files made to be awkward.

#include "support/command.h"

#include <stdlib.h>

static int enter(void** state)
{
    int result = command_enter(state);
    return result == 0 ? command("$G sample -q -o .").status : result;
}

static void table_shows_the_person(void** state)
{
    (void)state;
    CommandRun run = command("$G info person.glb");
    expect_status(&run, 0);
    assert_string_equal(run.err, "");
    expect_text(run.out, "person.glb\n  format        glb, ");
    expect_text(run.out, "\n  units         metres, Y up\n");
    expect_text(run.out, "\n  size at rest");
    expect_text(run.out, " of them joints\n");
    expect_text(run.out, "\n  skins         1\n");
    expect_text(run.out, "\n  humanoid      ");
    assert_null(strstr(run.out, "missing"));
    assert_null(strstr(run.out, "nan"));
}

static void report_is_whole(void** state)
{
    (void)state;
    CommandRun run = command("$G info --json person.glb walk.bvh");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_true(report_bool(report, "ok"));
    assert_int_equal(report_count(report, "files"), 2);
    assert_string_equal(report_text(report, "files.0.format"), "glb");
    assert_string_equal(report_text(report, "files.1.format"), "bvh");
    GT_EXPECT_NEAR(report_number(report, "files.0.bounds_m.min.1"), 0.0, 0.01);
    assert_true(report_number(report, "files.0.meshes.0.vertices") > 100);
    assert_true(report_number(report, "files.0.meshes.0.triangles") > 100);
    double influences = report_number(report, "files.0.meshes.0.influences");
    assert_true(influences >= 1 && influences <= 4);
    assert_true(report_number(report, "files.0.joint_count") >= 15);
    assert_int_equal(report_count(report, "files.0.humanoid.missing_required"), 0);
    assert_true(report_number(report, "files.1.clips.0.duration_s") > 0.2);
    assert_true(report_number(report, "files.1.clips.0.rate_hz") > 1);
    assert_string_equal(report_text(report, "files.1.bounds_m.of"), "joints");
    assert_int_equal(report_count(report, "files.0.nodes"), 56);
    assert_int_equal(report_count(report, "files.0.humanoid.joints"), 55);
}

static void channels_are_addresses(void** state)
{
    (void)state;
    CommandRun run = command("$G info --channels walk.bvh");
    expect_status(&run, 0);
    expect_text(run.out, "\n      hips.rotation ");
    expect_text(run.out, "  1 clip\n");
    run = command("$G info --channels --json walk.bvh");
    const GtiJson* report = command_report(&run);
    assert_int_equal(report_count(report, "files.0.channels"), 3 * report_count(report, "files.0.nodes"));
    expect_text(report_text(report, "files.0.channels.0.address"), ".translation");
}

static void one_bad_file_does_not_hide_the_others(void** state)
{
    (void)state;
    CommandRun run = command("$G info person.glb missing.glb walk.bvh");
    expect_status(&run, 1);
    expect_text(run.out, "person.glb\n");
    expect_text(run.out, "walk.bvh\n");
    expect_text(run.err, "error: missing.glb: ");
    run = command("$G info --json person.glb missing.glb walk.bvh");
    expect_status(&run, 1);
    const GtiJson* report = command_report(&run);
    assert_false(report_bool(report, "ok"));
    assert_string_equal(report_text(report, "error.file"), "missing.glb");
    assert_string_equal(report_text(report, "error.code"), "io");
    assert_true(report_bool(report, "files.0.ok"));
    assert_false(report_bool(report, "files.1.ok"));
    assert_string_equal(report_text(report, "files.1.error.code"), "io");
    assert_true(report_bool(report, "files.2.ok"));
}

static void names_cannot_drive_a_terminal(void** state)
{
    (void)state;
    write_text_file("evil.gltf", "{\"asset\":{\"version\":\"2.0\",\"generator\":\"\\u001b]0;x\\u0007 \\u009b31m\"},"
                                 "\"materials\":[{\"name\":\"a\\nb\\u001b[2J\"}],\"nodes\":[{\"name\":\"\\\"\\\\\"}]}");
    CommandRun run = command("$G info evil.gltf");
    expect_status(&run, 0);
    assert_null(strpbrk(run.out, "\033\007"));
    assert_null(strstr(run.out, "\xC2\x9B"));
    expect_text(run.out, "made by ?]0;x? ?31m\n");
    expect_text(run.out, "a?b?[2J");
    run = command("$G info --json evil.gltf");
    const GtiJson* report = command_report(&run);
    assert_string_equal(report_text(report, "files.0.materials.0.name"), "a\nb\033[2J");
    assert_string_equal(report_text(report, "files.0.nodes.0.name"), "\"\\");
}

static void missing_textures_are_named(void** state)
{
    (void)state;
    write_text_file("here now.png", "not looked into");
    write_text_file("images.gltf", "{\"asset\":{\"version\":\"2.0\"},\"images\":[{\"uri\":\"here%20now.png\"},"
                                   "{\"uri\":\"gone.png\"},{\"uri\":\"data:image/png;base64,AAAA\"}]}");
    CommandRun run = command("$G info images.gltf");
    expect_status(&run, 0);
    expect_text(run.out, "      missing: gone.png\n");
    assert_null(strstr(run.out, "missing: here"));
    run = command("$G info --json images.gltf");
    const GtiJson* report = command_report(&run);
    assert_false(report_bool(report, "files.0.images.0.missing"));
    assert_true(report_bool(report, "files.0.images.1.missing"));
    assert_false(report_bool(report, "files.0.images.2.missing"));
}

static void standard_input_is_read(void** state)
{
    (void)state;
    CommandRun run = command("cat walk.bvh | $G info --json -");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_string_equal(report_text(report, "files.0.format"), "bvh");
    assert_int_equal(report_at(report, "files.0.bytes")->type, GTI_JSON_NULL);
}

static void repairs_are_warned_of_and_strict_refuses(void** state)
{
    (void)state;
    write_text_file("short.bvh",
                    "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
                    "End Site\n{\nOFFSET 0 10 0\n}\n}\nMOTION\nFrames: 3\nFrame Time: 0.1\n1 2 3\n4 5 6\n");
    CommandRun run = command("$G info -q short.bvh");
    expect_status(&run, 0);
    expect_text(run.err, "warning: short.bvh: ");
    run = command("$G info --json short.bvh");
    expect_status(&run, 0);
    assert_string_equal(run.err, "");
    const GtiJson* report = command_report(&run);
    assert_int_equal(report_count(report, "warnings"), 1);
    assert_string_equal(report_text(report, "files.0.warnings.0.file"), "short.bvh");
    GT_EXPECT_NEAR(report_number(report, "files.0.clips.0.keys"), 2, 0);
    run = command("$G info -q --strict short.bvh");
    expect_refused(&run, 1, "(repaired without --strict)");
    run = command("$G info -q --strict --json short.bvh");
    expect_status(&run, 1);
    assert_string_equal(report_text(command_report(&run), "error.code"), "strict");
}

// Files that others made. Counts and times are written in them; heights were measured once, and guard against change.
static void real_files_are_what_they_are(void** state)
{
    (void)state;
    const char* data = getenv("GERTIE_DATA");
    if (!data) {
        print_message("skipped: GERTIE_DATA names no folder with real files\n");
        skip();
    }
    static const struct {
        const char* file;
        int joints, meshes, clips;
        double height_m; // at rest
        double duration_s;
    } known[] = {
        { "rigged/CesiumMan.glb", 19, 1, 1, 1.507, 1.958 },
        { "rigged/Xbot.glb", 67, 2, 7, 1.810, 1.833 },
        { "rigged/BrainStem.glb", 18, 1, 1, 1.829, 34.88 },
        { "rigged/RobotExpressive.glb", 43, 14, 14, 4.46, 3.333 },
        { "mesh-animation/Horse.glb", 0, 1, 1, 182, 1.5 },
        { "rigged/Fox.glb", 24, 1, 3, 79, 3.417 },
        { "mocap/cmu_02_01.bvh", 31, 0, 1, 1.424, 2.858 },
        { "mocap/cmu_13_17.bvh", 31, 0, 1, 1.513, 40.33 },
        { "mocap/makehuman_walk1.bvh", 75, 0, 1, 1.64, 0.542 },
        { "rigged/RiggedSimple.glb", 2, 1, 1, 9.15, 2.042 },
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        CommandRun run = command("$G info --json \"$GERTIE_DATA\"/%s", known[i].file);
        expect_status(&run, 0);
        const GtiJson* report = command_report(&run);
        GT_EXPECT_NEAR(report_number(report, "files.0.joint_count"), known[i].joints, 0);
        assert_int_equal(report_count(report, "files.0.meshes"), known[i].meshes);
        assert_int_equal(report_count(report, "files.0.clips"), known[i].clips);
        double height =
            report_number(report, "files.0.bounds_m.max.1") - report_number(report, "files.0.bounds_m.min.1");
        GT_EXPECT_NEAR(height, known[i].height_m, 0.005 * known[i].height_m);
        GT_EXPECT_NEAR(report_number(report, "files.0.clips.0.duration_s"), known[i].duration_s,
                       0.001 * known[i].duration_s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_shows_the_person),        cmocka_unit_test(report_is_whole),
        cmocka_unit_test(channels_are_addresses),        cmocka_unit_test(one_bad_file_does_not_hide_the_others),
        cmocka_unit_test(names_cannot_drive_a_terminal), cmocka_unit_test(missing_textures_are_named),
        cmocka_unit_test(standard_input_is_read),        cmocka_unit_test(repairs_are_warned_of_and_strict_refuses),
        cmocka_unit_test(real_files_are_what_they_are),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

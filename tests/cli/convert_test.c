// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// gertie convert: round trips, units, clips, and saying what is lost.

#include "support/command.h"

static int enter(void** state)
{
    int result = command_enter(state);
    return result == 0 ? command("$G sample -q -o . && $G animate -q person.glb walk.bvh -o walking.glb").status
                       : result;
}

static void gltf_comes_back(void** state)
{
    (void)state;
    CommandRun run = command("$G convert person.glb person.gltf && $G convert person.gltf again.glb && "
                             "$G convert again.glb once_more.glb && cmp again.glb once_more.glb");
    expect_status(&run, 0);
    expect_text(run.err, "wrote person.gltf: ");
    run = command("$G info --json person.glb again.glb");
    const GtiJson* report = command_report(&run);
    static const char* const same[] = { "joint_count",    "meshes.0.vertices", "meshes.0.triangles",
                                        "bounds_m.max.0", "bounds_m.max.1",    "bounds_m.max.2" };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; ++i) {
        char before[64], after[64];
        snprintf(before, sizeof before, "files.0.%s", same[i]);
        snprintf(after, sizeof after, "files.1.%s", same[i]);
        GT_EXPECT_NEAR(report_number(report, before), report_number(report, after), 0);
    }
}

static void bvh_comes_back(void** state)
{
    (void)state;
    CommandRun run = command("$G convert -q walk.bvh w.glb && $G convert -q w.glb w.bvh && $G info -q --json walk.bvh "
                             "w.bvh");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    GT_EXPECT_NEAR(report_number(report, "files.0.clips.0.keys"), report_number(report, "files.1.clips.0.keys"), 0);
    GT_EXPECT_NEAR(report_number(report, "files.0.clips.0.duration_s"),
                   report_number(report, "files.1.clips.0.duration_s"), 1e-4);
    GT_EXPECT_NEAR(report_number(report, "files.0.bounds_m.max.1"), report_number(report, "files.1.bounds_m.max.1"),
                   1e-4);
}

static void losses_are_said(void** state)
{
    (void)state;
    CommandRun run = command("$G convert -q walking.glb walking.bvh");
    expect_status(&run, 0);
    expect_text(run.err,
                "warning: walking.bvh: bvh holds joints and their motion only: 1 mesh, 1 skin, 1 material left out\n");
    run = command("$G convert --json walking.glb walking.bvh");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_string_equal(report_text(report, "lost.0.what"), "meshes");
    GT_EXPECT_NEAR(report_number(report, "lost.0.count"), 1, 0);
    run = command("$G convert -q walking.glb kept.gltf");
    expect_status(&run, 0);
    assert_string_equal(run.err, "");
}

static void units_are_obeyed(void** state)
{
    (void)state;
    CommandRun run = command("$G convert -q walk.bvh cm.bvh --to-units cm && $G info -q --json walk.bvh cm.bvh && "
                             "$G info -q --json cm.bvh --units m >as_m.json");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    double height = report_number(report, "files.0.bounds_m.max.1");
    GT_EXPECT_NEAR(report_number(report, "files.1.metres_per_unit"), 0.01, 1e-9);
    GT_EXPECT_NEAR(report_number(report, "files.1.bounds_m.max.1"), height, 1e-4);
    run = command("cat as_m.json");
    GT_EXPECT_NEAR(report_number(command_report(&run), "files.0.bounds_m.max.1"), 100 * height, 0.1);
    run = command("$G convert -q walk.bvh out.glb --to-units cm --fps 30");
    expect_status(&run, 0);
    expect_text(run.err, "glb files are always in metres: --to-units is not used");
    expect_text(run.err, "glb files keep the times of all keys: --fps is not used");
    run = command("$G convert -q person.glb out.glb --units cm");
    expect_status(&run, 0);
    expect_text(run.err, "glb files are always in metres and Y up: --units and --up are not used");
}

static void up_axis_is_obeyed(void** state)
{
    (void)state;
    CommandRun run = command("$G convert -q walk.bvh as_y.glb && $G convert -q walk.bvh as_z.glb --up z && "
                             "$G info --json as_y.glb as_z.glb");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    GT_EXPECT_NEAR(report_number(report, "files.1.bounds_m.max.1"), report_number(report, "files.0.bounds_m.max.2"),
                   1e-5);
    GT_EXPECT_NEAR(report_number(report, "files.1.bounds_m.min.2"), -report_number(report, "files.0.bounds_m.max.1"),
                   1e-5);
    assert_string_equal(report_text(report, "files.1.made_from.up_axis"), "z");
    assert_string_equal(report_text(report, "files.1.up_axis"), "y");
}

static void frame_rate_is_obeyed(void** state)
{
    (void)state;
    CommandRun run = command("$G convert -q walk.bvh slow.bvh --fps 12.5 && $G info -q --json walk.bvh slow.bvh");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    GT_EXPECT_NEAR(report_number(report, "files.1.clips.0.rate_hz"), 12.5, 1e-3);
    GT_EXPECT_NEAR(report_number(report, "files.1.clips.0.duration_s"),
                   report_number(report, "files.0.clips.0.duration_s"), 0.5 / 12.5);
}

static void clips_are_chosen_by_name_or_number(void** state)
{
    (void)state;
    CommandRun run = command("$G animate -q walking.glb walk.bvh -o two.glb --keep-clips --name 'second one'");
    expect_status(&run, 0);
    static const char* const chosen[] = { "'second one'", "1" };
    for (int i = 0; i < 2; ++i) {
        run = command("$G convert -q two.glb one.glb --clip %s && $G info --json one.glb", chosen[i]);
        expect_status(&run, 0);
        const GtiJson* report = command_report(&run);
        assert_int_equal(report_count(report, "files.0.clips"), 1);
        assert_string_equal(report_text(report, "files.0.clips.0.name"), "second one");
    }
    run = command("$G convert -q two.glb none.glb --clip third");
    expect_refused(&run, 1, "two.glb: there is no clip 'third'; there is 0 '");
    run = command("$G convert -q two.glb none.glb --clip 2");
    expect_refused(&run, 1, "two.glb: there is no clip '2'; there is 0 '");
    run = command("$G convert -q person.glb none.glb --clip 0");
    expect_refused(&run, 1, "person.glb: there is no clip '0'; there is none at all");
    assert_false(file_exists("none.glb"));
}

static void pipes_work(void** state)
{
    (void)state;
    CommandRun run = command("$G convert walk.bvh - | $G convert - - --format bvh | $G info -q --json -");
    expect_status(&run, 0);
    assert_string_equal(report_text(command_report(&run), "files.0.format"), "bvh");
}

static void a_file_can_become_itself(void** state)
{
    (void)state;
    CommandRun run = command("cp person.glb self.glb && $G convert -q self.glb self.glb && $G convert -q person.glb "
                             "other.glb && cmp self.glb other.glb");
    expect_status(&run, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gltf_comes_back),
        cmocka_unit_test(bvh_comes_back),
        cmocka_unit_test(losses_are_said),
        cmocka_unit_test(units_are_obeyed),
        cmocka_unit_test(up_axis_is_obeyed),
        cmocka_unit_test(frame_rate_is_obeyed),
        cmocka_unit_test(clips_are_chosen_by_name_or_number),
        cmocka_unit_test(pipes_work),
        cmocka_unit_test(a_file_can_become_itself),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

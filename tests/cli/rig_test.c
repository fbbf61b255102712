// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// gertie rig: from bare meshes to characters that walk, what is reported, what is refused.

#include "support/command.h"

static int enter(void** state)
{
    int result = command_enter(state);
    if (result == 0) {
        CommandRun run = command("$G sample person -q --triangles 3000 -o person.glb && "
                                 "$G convert -q person.glb bare.obj 2>/dev/null && "
                                 "$G sample walk -q -o walk.bvh");
        expect_status(&run, 0);
    }
    return result;
}

static void expect_joint(const GtiJson* report, const char* joint, double x, double y, double z, double within_m)
{
    static const char axes[3] = { '0', '1', '2' };
    const double wanted[3] = { x, y, z };
    for (int i = 0; i < 3; ++i) {
        char path[96];
        snprintf(path, sizeof path, "joints_m.%s.%c", joint, axes[i]);
        GT_EXPECT_NEAR(report_number(report, path), wanted[i], within_m);
    }
}

static void a_character(void** state)
{
    (void)state;
    CommandRun run = command("$G rig bare.obj -o rigged.glb --save-joints joints.json");
    expect_status(&run, 0);
    expect_text(run.err, "wrote rigged.glb: ");
    expect_text(run.err, "10 fingers");
    run = command("cat joints.json && $G map -q rigged.glb");
    expect_status(&run, 0);
    expect_text(run.out, "\"joints_m\": {");
    expect_text(run.out, "\"leftLowerArm\": [");
    expect_text(run.out, "a humanoid in a T-pose");
}

// A scan in millimetres that lies on its back is not seen to be a person before it is rigged.
static void odd_units_are_told(void** state)
{
    (void)state;
    CommandRun run = command("awk '/^v /{print \"v\", 1000*$2, -1000*$4, 1000*$3; next} /^f /{print}' bare.obj "
                             "| sed 's:/[0-9/]*::g' > lying.obj && $G rig lying.obj -o lying.glb");
    expect_status(&run, 0);
    expect_text(run.err, " m tall; in millimetres it would be 1.7");
    expect_text(run.err, "say with --units what the file is in");
    run = command("$G rig lying.obj -o lying.glb --units mm");
    expect_status(&run, 0);
    assert_null(strstr(run.err, "--units"));
}

static void it_walks_from_a_bare_mesh(void** state)
{
    (void)state;
    CommandRun run = command("$G animate bare.obj walk.bvh -o walking.glb --json");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_true(report_number(report, "rig.confidence") > 0.8);
    assert_string_equal(report_text(report, "rig.up"), "y");
    assert_string_equal(report_text(report, "rig.front"), "z");
    assert_string_equal(report_text(report, "rig.way"), "person");
    run = command("$G measure walking.glb --json");
    expect_status(&run, 0);
}

static void lying_and_in_centimetres(void** state)
{
    (void)state;
    CommandRun run = command("$G sample person -q --triangles 3000 --bare --pose A --up z --units cm -o lying.ply && "
                             "$G rig lying.ply -o rigged.glb --units cm --up z --front -y --json");
    expect_status(&run, 0);
    assert_string_equal(report_text(command_report(&run), "front"), "-y");
    GT_EXPECT_NEAR(report_number(command_report(&run), "height_m"), 1.75, 0.01);
    run = command("$G map -q rigged.glb");
    expect_text(run.out, "a humanoid in an A-pose");
    run = command("$G rig lying.ply -o rigged.glb --up z --front -z");
    expect_refused(&run, 1, "up and front are one axis");
}

// One joint is told, the others are found.
static void joints_to_edit(void** state)
{
    (void)state;
    write_text_file("elbow.json", "{\"joints\": {\"leftLowerArm\": [0.5, 1.5, 0]}}"); // the name of a former version
    CommandRun run = command("$G rig bare.obj -o rigged.glb --joints elbow.json --weights heat --json");
    expect_status(&run, 0);
    expect_joint(command_report(&run), "leftLowerArm", 0.5, 1.5, 0.0, 1e-4);
    expect_joint(command_report(&run), "rightLowerArm", -0.507, 1.433, -0.017, 0.05);
    write_text_file("elbow.json", "{\"joints_m\": {\"leftElbow\": [0.5, 1.5, 0]}}");
    run = command("$G rig bare.obj -o rigged.glb --joints elbow.json");
    expect_refused(&run, 1, "the skeleton has no joint 'leftElbow'");
    write_text_file("elbow.json", "{\"joints_m\": {\"leftLowerArm\": [0.5, 1.5]}}");
    run = command("$G rig bare.obj -o rigged.glb --joints elbow.json");
    expect_refused(&run, 1, "elbow.json: joints_m.leftLowerArm: must be three numbers of metres, and has 2 items");
}

static void with_own_joints(void** state)
{
    (void)state;
    CommandRun run = command("$G rig bare.obj -q -o own.glb --skeleton walk.bvh --weights rigid --influences 2 && "
                             "$G retarget own.glb walk.bvh -q -o moving.glb && $G map -q moving.glb");
    expect_status(&run, 0);
    expect_text(run.out, "leftUpperArm");
    run = command("$G rig bare.obj -o own.glb --skeleton bare.obj");
    expect_refused(&run, 1, "joints");
}

static void many_influences(void** state)
{
    (void)state;
    CommandRun run = command("$G rig bare.obj -o many.glb --weights voxel --influences 9 --json");
    expect_status(&run, 0);
    assert_true(report_number(command_report(&run), "pruned_weight") < 0.02);
    assert_string_equal(report_text(command_report(&run), "weights"), "voxel");
    run = command("$G rig bare.obj -o many.glb --influences 17");
    expect_refused(&run, 2, "--influences");
}

static void what_is_refused(void** state)
{
    (void)state;
    CommandRun run = command("$G rig person.glb -o again.glb");
    expect_refused(&run, 1, "person.glb: it is rigged already, with 55 joints; --anew takes that rig away");
    run = command("$G rig person.glb -q -o again.glb --anew && $G map -q again.glb");
    expect_status(&run, 0);
    write_text_file("card.obj", "v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4\n");
    run = command("$G rig card.obj -o card.glb; test ! -e card.glb");
    expect_status(&run, 0);
    expect_text(run.err, "card.obj: ");
    write_text_file("block.obj", "v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\nv 0 0 1\nv 1 0 1\nv 1 2 1\nv 0 2 1\nf 1 4 3 2\n"
                                 "f 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    run = command("$G rig -q block.obj -o block.glb");
    expect_refused(&run, 1, "block.obj: no figure is found that a skeleton fits into (confidence 0.");
    expect_text(run.err, "--joints FILE");
    expect_text(run.err, "no legs that part were found");
    expect_text(run.err, "--min-confidence 0");
    write_text_file("hips.json", "{\"joints_m\": {\"hips\": [0.5, 1, 0.5]}}"); // whoever places joints is not refused
    run = command("$G rig -q block.obj -o block.glb --joints hips.json");
    expect_status(&run, 0);
    write_text_file("points.obj", "v 0 0 0\nv 1 0 0\nv 1 2 0\n");
    run = command("$G rig -q points.obj -o points.glb");
    expect_refused(&run, 1, "points.obj: ");
    run = command("$G rig bare.obj -o none/rigged.glb");
    expect_refused(&run, 1, "none/rigged.glb: its folder does not exist");
    run = command("$G rig bare.obj -o rigged.glb --preview none/picture.png");
    expect_refused(&run, 1, "none/picture.png: its folder does not exist");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_character),
        cmocka_unit_test(it_walks_from_a_bare_mesh),
        cmocka_unit_test(lying_and_in_centimetres),
        cmocka_unit_test(joints_to_edit),
        cmocka_unit_test(with_own_joints),
        cmocka_unit_test(many_influences),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(odd_units_are_told),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

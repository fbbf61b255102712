// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Plain meshes through the command: between all formats, groups, frames for other programs, and what info tells.

#include "support/command.h"

#include <stdlib.h>

static const char cube[] = "o box\ng body\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 4 1 5 8\n"
                           "g lid\nv 3 0 0\nv 4 0 0\nv 4 1 0\nf 9 10 11\n";

static int enter(void** state)
{
    int result = command_enter(state);
    if (result == 0) {
        write_text_file("cube.obj", cube);
        result = command("$G sample -q -o . && $G animate -q person.glb walk.bvh -o walking.glb").status;
    }
    return result;
}

static void between_all_formats(void** state)
{
    (void)state;
    CommandRun run =
        command("$G convert -q cube.obj a.ply && $G convert -q a.ply a.stl --text && $G convert -q a.stl a.glb "
                "&& $G convert -q a.glb a.obj && $G convert -q a.obj b.ply --text && $G info --json a.ply a.stl "
                "a.glb a.obj b.ply");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    for (int i = 0; i < 5; ++i) {
        char path[64];
        snprintf(path, sizeof path, "files.%d.meshes.0.triangles", i);
        GT_EXPECT_NEAR(report_number(report, path), 13, 0);
        snprintf(path, sizeof path, "files.%d.surface.volume_m3", i);
        GT_EXPECT_NEAR(report_number(report, path), 1, 1e-6);
    }
}

static void a_group_alone(void** state)
{
    (void)state;
    CommandRun run =
        command("$G convert -q cube.obj body.glb --group body && $G info --json body.glb && $G info --json "
                "cube.obj --group lid");
    expect_status(&run, 0);
    run = command("$G info --json cube.obj --group body");
    const GtiJson* report = command_report(&run);
    assert_int_equal(report_count(report, "files.0.meshes"), 1);
    assert_true(report_bool(report, "files.0.surface.closed"));
    run = command("$G convert cube.obj nose.glb --group nose");
    expect_refused(&run, 1, "cube.obj: there is no group or object 'nose'");
    assert_false(file_exists("nose.glb"));
}

static void info_tells_the_surface(void** state)
{
    (void)state;
    CommandRun run = command("$G info cube.obj");
    expect_status(&run, 0);
    expect_text(run.out, "surface       open: 3 boundary edges in 1 chain; 2 pieces; manifold");
    run = command("$G info --json cube.obj");
    const GtiJson* report = command_report(&run);
    assert_false(report_bool(report, "files.0.surface.closed"));
    assert_true(report_bool(report, "files.0.surface.manifold"));
    GT_EXPECT_NEAR(report_number(report, "files.0.surface.components"), 2, 0);
    GT_EXPECT_NEAR(report_number(report, "files.0.surface.boundary_edges"), 3, 0);
    run = command("$G info cube.obj --group body");
    expect_text(run.out, "surface       closed, 1 m3; 1 piece; manifold");
    // Seams are no holes: a cube with texture coordinates of its own on every side is closed.
    run = command("$G convert -q cube.obj seams.stl --group body && $G info seams.stl");
    expect_text(run.out, "closed, 1 m3");
    write_text_file("tall.obj", "v -30 0 -15\nv 30 0 15\nv 0 175 0\nmtllib gone.mtl\nf 1 2 3\n");
    run = command("$G info tall.obj");
    expect_text(run.out, "centimetres, Y up (guessed)");
    expect_text(run.err, "the material file 'gone.mtl' does not exist");
    run = command("$G info tall.obj --units mm");
    expect_text(run.out, "millimetres, Y up\n");
    write_text_file("skin.mtl", "newmtl a\nmap_Kd gone.png\n");
    write_text_file("skin.obj", "mtllib skin.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl a\nf 1/1 2/1 3/1\n");
    run = command("$G info skin.obj");
    expect_text(run.out, "missing: gone.png");
}

static float read_float(const char* bytes, size_t at)
{
    float value;
    memcpy(&value, bytes + at, sizeof value);
    return value;
}

// The cache has the vertices of the frames that are written one by one, and of the OBJ beside it.
static void frames_for_other_programs(void** state)
{
    (void)state;
    CommandRun run =
        command("$G convert walking.glb walk.pc2 --fps 10 && $G convert -q walking.glb walk_###.ply --fps 10");
    expect_status(&run, 0);
    expect_text(run.err, "wrote walk.pc2: ");
    expect_text(run.err, "for the mesh walk.obj");
    assert_true(file_exists("walk.obj") && file_exists("walk_001.ply") && file_exists("walk_002.ply"));
    run = command("cat walk.pc2");
    assert_memory_equal(run.out, "POINTCACHE2\0\1\0\0\0", 16);
    int32_t point_count;
    int32_t frame_count;
    memcpy(&point_count, run.out + 16, sizeof point_count);
    memcpy(&frame_count, run.out + 28, sizeof frame_count);
    assert_int_equal(run.out_size, 32 + (size_t)point_count * 12 * (size_t)frame_count);
    size_t at = 32 + (size_t)point_count * 12 * 4 + 12 * 100; // frame 5, point 100
    float expected[3] = { read_float(run.out, at), read_float(run.out, at + 4), read_float(run.out, at + 8) };
    run = command("grep -c '^v ' walk.obj");
    assert_int_equal(atoi(run.out), point_count);
    run = command("$G convert -q walk_005.ply five.ply --text && sed '1,/end_header/d' five.ply | sed -n 101p");
    float x, y, z;
    assert_int_equal(sscanf(run.out, "%f %f %f", &x, &y, &z), 3);
    assert_true(x == expected[0] && y == expected[1] && z == expected[2]);
    run = command("$G convert --json walking.glb more_#.obj --fps 2");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    GT_EXPECT_NEAR(report_number(report, "vertices"), point_count, 0);
    run = command("$G convert walking.glb walk_#.glb");
    expect_refused(&run, 2, "a sequence of frames is written as .obj, .ply or .stl files");
    run = command("$G convert walking.glb nowhere/walk.pc2");
    expect_refused(&run, 1, "its folder does not exist");
}

// The third frame cannot replace a folder: the first two are there, and the error says so.
static void a_sequence_that_breaks_off_says_where(void** state)
{
    (void)state;
    CommandRun run = command("mkdir -p part_3.ply/full && $G convert walking.glb part_#.ply --fps 10");
    expect_refused(&run, 1, "part_3.ply: ");
    expect_text(run.err, "; 2 of ");
    expect_text(run.err, " frames are written");
    assert_true(file_exists("part_1.ply") && file_exists("part_2.ply") && !file_exists("part_4.ply"));
}

// Pictures beside an OBJ are found, whether its path names a folder or not.
static void pictures_beside_an_obj_are_found(void** state)
{
    (void)state;
    write_text_file("card.obj", "mtllib card.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl m\n"
                                "f 1/1 2/2 3/3\n");
    write_text_file("card.mtl", "newmtl m\nmap_Kd card.png\n");
    write_text_file("card.png", "\x89PNG\r\n\x1A\n that is kept as it is");
    CommandRun run =
        command("$G convert card.obj here.glb && $G convert ./card.obj there.glb && cmp here.glb there.glb");
    expect_status(&run, 0);
    assert_null(strstr(run.err, "warning"));
    run = command("$G info --json here.glb");
    assert_false(report_bool(command_report(&run), "files.0.images.0.missing"));
    assert_int_equal(command("grep -q 'kept as it is' here.glb").status, 0);
}

static void what_meshes_cannot_hold_is_said(void** state)
{
    (void)state;
    CommandRun run = command("$G convert -q walking.glb rest.obj");
    expect_status(&run, 0);
    expect_text(run.err, "obj holds meshes only: 1 skin, 1 clip left out");
    run = command("$G convert -q cube.obj cube.glb --text");
    expect_text(run.err, "--text is not used");
    run = command("cat cube.obj | $G convert -q - - --format stl | $G info -");
    expect_status(&run, 0);
    expect_text(run.out, "stl");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(between_all_formats),
        cmocka_unit_test(a_group_alone),
        cmocka_unit_test(info_tells_the_surface),
        cmocka_unit_test(frames_for_other_programs),
        cmocka_unit_test(a_sequence_that_breaks_off_says_where),
        cmocka_unit_test(pictures_beside_an_obj_are_found),
        cmocka_unit_test(what_meshes_cannot_hold_is_said),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

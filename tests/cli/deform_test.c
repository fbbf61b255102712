// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// gertie deform: what it says and refuses, and that what it keeps comes back.

#include "support/command.h"

#include <stdlib.h>

static int enter(void** state)
{
    char* examples = realpath("examples", NULL); // tests start in the project's folder
    setenv("EXAMPLES", examples ? examples : "", 1);
    free(examples);
    int result = command_enter(state);
    return result == 0
               ? command(
                     "$G sample person -q --triangles 2000 -o person.glb && $G sample walk -q -o walk.bvh && "
                     "$G animate -q person.glb walk.bvh -o walking.glb && "
                     "printf '%%s' '{\"gertie_deform\":1,\"sections\":[{\"name\":\"arm\",\"joint\":\"leftUpperArm\","
                     "\"poses\":{\"out\":{\"1,1,3\":[0,0,0.1]}}}],\"tracks\":[{\"channel\":\"lattice:arm.out\","
                     "\"formula\":\"contact:leftFoot\"}]}' >arm.deform.json")
                     .status
               : result;
}

static void test_keeps_what_a_file_says(void** state)
{
    (void)state;
    CommandRun run = command("$G deform walking.glb --with arm.deform.json -o arm.glb --save saved.json --json");
    assert_int_equal(run.status, 0);
    expect_text(run.out, "\"name\": \"arm\", \"joint\": \"leftUpperArm\", \"points\": 64, \"poses\": 1");
    expect_text(run.out, "\"output\": \"arm.glb\"");
    run = command("$G deform arm.glb -o kept.glb");
    expect_text(run.err, "wrote kept.glb: 'gertie render', 'measure' and 'pack' play its sections");
    expect_text(run.err, "add --bake");
    run = command("$G info arm.glb");
    expect_text(run.out, "1 section, 0 controls, 1 track, 0 with springs");
    run = command("$G convert -q arm.glb arm.pc2 && $G convert -q walking.glb plain.pc2 && cmp arm.pc2 plain.pc2");
    assert_int_equal(run.status, 1); // what is kept is played
    run = command("$G deform arm.glb --save again.json && cmp saved.json again.json");
    assert_int_equal(run.status, 0);
    expect_text(run.err, "1 section on");
    run = command("$G pack arm.glb arm.gtp");
    expect_text(run.err, "  1 section\n  1 driver, 0 controls, 1 sensor, 0 springs: ");
    run = command("$G deform arm.glb --remove -o bare.glb && $G deform bare.glb --save none.json");
    assert_int_equal(run.status, 1);
    expect_text(run.err, "wrote bare.glb\n");
    expect_text(run.err, "bare.glb: has no sections, controls or tracks: give some with --with");
}

// A scan is told what it lacks.
static void test_asks_for_a_skeleton(void** state)
{
    (void)state;
    CommandRun run = command("$G sample person -q --triangles 2000 --bare -o scan.obj && "
                             "$G deform scan.obj --preset muscles -o x.glb");
    assert_int_equal(run.status, 1);
    expect_text(run.err, "scan.obj: presets need a skeleton, and there is none: 'gertie rig' makes one");
    run = command("$G deform scan.obj --with arm.deform.json -o x.glb");
    assert_int_equal(run.status, 1);
    expect_text(run.err, "sections[0].joint: there is no joint 'leftUpperArm', as there is no skeleton: 'gertie rig'");
}

// The files of the tutorials, and the prop of one.
static void test_plays_the_tutorials(void** state)
{
    (void)state;
    CommandRun run = command("for name in flex chair newcomer; do "
                             "$G deform walking.glb --with $EXAMPLES/$name.deform.json -o $name.glb || exit 1; done");
    assert_int_equal(run.status, 0);
    assert_null(strstr(run.err, "warning"));
    run = command("$G info $EXAMPLES/chair.gltf");
    assert_int_equal(run.status, 0);
    expect_text(run.out, "breaks");
}

// A shape that moves nothing: what a file has of texture coordinates and colours is kept, listed, packed and drawn.
static void test_takes_textures_and_colours_from_files(void** state)
{
    (void)state;
    const char* json =
        "{\"gertie_deform\":1,\"controls\":[{\"name\":\"shy\",\"rest\":1}],\"shapes\":[{\"name\":\"blush\","
        "\"from\":\"red.obj\",\"driven_by\":[{\"control\":\"shy\"}]}]}";
    setenv("BLUSH", json, 1);
    CommandRun run = command("printf '%%s' \"$BLUSH\" >blush.deform.json && for c in 'white 1 0' 'red 0 0.25'; do "
                             "set -- $c; printf 'v 0 0 0 1 1 1\nv 1 0 0 1 %%s %%s\nv 0 1 0 1 1 1\nvt 0 0\nvt 0.5 %%s\n"
                             "vt 0 0.5\nf 1/1 2/2 3/3\n' $2 $2 $3 >$1.obj; done && "
                             "$G deform white.obj --with blush.deform.json -o blush.glb");
    assert_int_equal(run.status, 0);
    expect_text(run.err, "took 1 shape from files, which move the mesh by up to 0 m; 1 changes texture coordinates");
    run = command("$G convert -q blush.glb blush.gltf && $G info blush.gltf && $G pack -q blush.glb blush.gtp");
    assert_int_equal(run.status, 0);
    expect_text(run.out, "white: blush  (texcoord_0, color_0)\n");
    run = command("$G convert -q blush.glb 'frame#.obj' && cat frame1.obj");
    assert_int_equal(run.status, 0);
    expect_text(run.out, "\nv 1 0 0 1 0 0\n");
    expect_text(run.out, "\nvt 0.5 0.25\n");
}

static void test_bakes(void** state)
{
    (void)state;
    CommandRun run = command("$G deform walking.glb --with arm.deform.json --bake --shapes 2 -o baked.glb --json");
    assert_int_equal(run.status, 0);
    expect_text(run.out, "\"shapes\": 2");
    expect_text(run.out, "\"error_max_m\": ");
    run = command("$G deform baked.glb --save none.json");
    assert_int_equal(run.status, 1); // what is baked is not kept beside
    run = command("$G deform walking.glb --with arm.deform.json --clip walk -o x.glb");
    assert_int_equal(run.status, 2);
    expect_text(run.err, "--shapes and --clip are for --bake");
}

// What folds in some clip is said once for each section: when it is made, and when it is shown.
static void test_warns_of_folds_once(void** state)
{
    (void)state;
    CommandRun run = command(
        "$G sample walk -q --repeat 1 -o step.bvh && $G retarget -q person.glb step.bvh step.bvh -o walks.glb && "
        "printf '%%s' '{\"gertie_deform\":1,\"sections\":[{\"name\":\"skull\",\"joint\":\"head\",\"border\":0,"
        "\"points\":[2,2,2],\"box\":{\"center\":[0,0,0],\"axes\":[[1,0,0],[0,1,0],[0,0,1]]},\"poses\":{\"p\":{"
        "\"0,0,0\":[0.6,0,0],\"0,1,0\":[0.6,0,0],\"0,0,1\":[0.6,0,0],\"0,1,1\":[0.6,0,0]}}}],\"tracks\":["
        "{\"channel\":\"lattice:skull.p\",\"formula\":\"4 * t\"}]}' >fold.deform.json && "
        "$G deform walks.glb --with fold.deform.json -o fold.glb --bake --shapes 1");
    expect_text(run.err, "wrote fold.glb: a skin and shapes, which any glTF viewer plays");
    assert_int_equal(run.status, 0);
    expect_text(run.err, "step: the lattice of section 'skull' turns inside out at 0.4");
    expect_text(run.err, ", and in 1 more clip: the surface shows its inside there");
    run = command("$G deform walks.glb --with fold.deform.json -o fold.glb -q && $G measure fold.glb "
                  "2>&1 | grep -c 'turns inside out'");
    assert_string_equal(run.out, "1\n");
}

static void test_refuses(void** state)
{
    (void)state;
    CommandRun run = command("$G deform walking.glb --with arm.deform.json");
    assert_int_equal(run.status, 2);
    expect_text(run.err, "give -o OUT or --save FILE");
    run = command("$G deform walking.glb --remove --save x.json -o x.glb");
    assert_int_equal(run.status, 2);
    run = command("sed s/leftUpperArm/leftUperArm/ arm.deform.json >bad.json; $G deform walking.glb --with bad.json -o "
                  "x.glb");
    assert_int_equal(run.status, 1);
    expect_text(run.err, "bad.json: sections[0].joint: there is no joint 'leftUperArm'; did you mean 'leftUpperArm'");
    run = command("sed s/arm.out/arm.in/ arm.deform.json >bad.json; $G deform walking.glb --with bad.json -o x.glb");
    assert_int_equal(run.status, 1);
    expect_text(run.err, "bad.json: tracks[0] 'lattice:arm.in'");
    run = command("$G deform walking.glb --preset wings -o x.glb");
    assert_int_equal(run.status, 1);
    expect_text(run.err, "there is no preset 'wings'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keeps_what_a_file_says),
        cmocka_unit_test(test_asks_for_a_skeleton),
        cmocka_unit_test(test_plays_the_tutorials),
        cmocka_unit_test(test_takes_textures_and_colours_from_files),
        cmocka_unit_test(test_bakes),
        cmocka_unit_test(test_warns_of_folds_once),
        cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

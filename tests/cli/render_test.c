// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// gertie render: stills, sheets and films of the sample walk, and everything that can go wrong on the way.

#include "gertie/file.h"
#include "gertie/picture.h"

#include "support/command.h"

#include <stdlib.h>

static bool has_driver;
static bool has_ffmpeg;

static int enter(void** state)
{
    int result = command_enter(state);
    if (result) {
        return result;
    }
    CommandRun run = command("$G sample -q -o . && $G animate -q person.glb walk.bvh -o walk.glb && mkdir out");
    expect_status(&run, 0);
    run = command("$G render -q person.glb -o probe.png --size 16x16 --quality draft");
    has_driver = run.status == 0;
    if (!has_driver) {
        print_message("skipped: %s", run.err);
    }
    has_ffmpeg = command("command -v ffmpeg && command -v ffprobe").status == 0;
    return 0;
}

static void need_driver(void)
{
    if (!has_driver) {
        skip();
    }
}

static void need_ffmpeg(void)
{
    need_driver();
    if (!has_ffmpeg) {
        print_message("skipped: ffmpeg is not installed\n");
        skip();
    }
}

static GtPicture load(const char* path)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtPicture picture;
    GT_EXPECT_OK(gt_picture_read(&context, path, &picture, &error));
    return picture;
}

static void drop(GtPicture* picture)
{
    gt_picture_destroy(picture);
}

static const uint8_t* at(const GtPicture* p, int32_t x, int32_t y)
{
    return p->rgba + 4 * (y * p->width + x);
}

static void a_still(void** state)
{
    (void)state;
    need_driver();
    CommandRun run = command("$G render walk.glb -o still.png --size 200x120 --quality draft");
    expect_status(&run, 0);
    expect_text(run.err, "wrote still.png: 200 x 120, at 2.20 s");
    GtPicture picture = load("still.png");
    assert_true(picture.width == 200 && picture.height == 120);
    drop(&picture);
    run = command("$G render -q walk.glb -o 1.png --size 200x120 --time 0.4 && "
                  "LC_ALL=de_DE.UTF-8 $G render -q walk.glb -o 2.png --size 200x120 --time 0.4 --threads 1 && "
                  "cat walk.glb | $G render -q - -o - --size 200x120 --time 0.4 | cmp - 1.png && cmp 1.png 2.png");
    expect_status(&run, 0); // the same pixels whenever, wherever and however they are made
    run = command("cmp -s still.png 1.png");
    expect_status(&run, 1);
}

// A figure that rests with its back to +Z, as those of VRM 0 do, is seen from its front all the same.
static void the_front_is_where_the_figure_looks(void** state)
{
    (void)state;
    need_driver();
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtLoadDef def = gt_default_load_def();
    GtSaveDef save = gt_default_save_def();
    GT_EXPECT_OK(gt_scene_load(&context, "person.glb", &def, &scene, &error));
    for (int32_t n = 0; n < scene->node_count; ++n) {
        GtTransform* local = &scene->nodes[n].local;
        const GtQuat half = gt_quat(0.0f, 1.0f, 0.0f, 0.0f);
        if (scene->nodes[n].parent == GT_NONE) {
            local->rotation = gt_quat_mul(half, local->rotation);
            local->translation = gt_quat_rotate(half, local->translation);
        }
    }
    GT_EXPECT_OK(gt_scene_save(&context, scene, "turned.glb", &save, &error));
    gt_scene_destroy(scene);
    CommandRun run = command("for f in person turned; do $G render -q $f.glb -o $f.png --size 160x160 --camera front "
                             "--no-ground --background white --quality draft || exit 1; done");
    expect_status(&run, 0);
    GtPicture a = load("person.png");
    GtPicture b = load("turned.png");
    int different = 0;
    for (int i = 0; i < 4 * 160 * 160; ++i) {
        different += abs(a.rgba[i] - b.rgba[i]) > 24;
    }
    assert_in_range(different, 0, 160); // where its back differs in some 2,000
    drop(&a);
    drop(&b);
}

// The same side by its name and by its angle, and another side.
static void angles_are_in_degrees(void** state)
{
    (void)state;
    need_driver();
    static const char* const views[] = { "--camera side", "--angle 90 --elevation 3.4336", "--angle -90" };
    GtPicture pictures[3];
    for (int i = 0; i < 3; ++i) {
        CommandRun run =
            command("$G render -q walk.glb -o %d.png --size 96x96 --quality draft --time 1 %s", i, views[i]);
        expect_status(&run, 0);
        pictures[i] = load(i == 0 ? "0.png" : i == 1 ? "1.png" : "2.png");
    }
    int different[3] = { 0 };
    for (int i = 0; i < 4 * 96 * 96; ++i) {
        different[1] += abs(pictures[1].rgba[i] - pictures[0].rgba[i]) > 24;
        different[2] += abs(pictures[2].rgba[i] - pictures[0].rgba[i]) > 24;
    }
    assert_in_range(different[1], 0, 20);
    assert_true(different[2] > 1000);
    for (int i = 0; i < 3; ++i) {
        drop(&pictures[i]);
    }
}

static void the_report(void** state)
{
    (void)state;
    need_driver();
    CommandRun run = command("$G render --json walk.glb person.glb -o a.png --size 64x48 --time 1");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_true(report_bool(report, "ok"));
    assert_string_equal(report_text(report, "output"), "a.png");
    assert_string_equal(report_text(report, "output_format"), "png");
    GT_EXPECT_NEAR(report_number(report, "width"), 64, 0);
    GT_EXPECT_NEAR(report_number(report, "pictures"), 1, 0);
    GT_EXPECT_NEAR(report_number(report, "start_s"), 1.0, 1e-9);
    assert_true(strlen(report_text(report, "renderer")) > 0);
}

static void backgrounds(void** state)
{
    (void)state;
    need_driver();
    static const struct {
        const char* option;
        int corner[4]; // wanted colour of the top left pixel
    } cases[] = {
        { "--background transparent", { 0, 0, 0, 0 } },
        { "--background none", { 0, 0, 0, 0 } },
        { "--background white --no-ground", { 255, 255, 255, 255 } },
        { "--background '#204060' --no-ground", { 0x20, 0x40, 0x60, 255 } },
        { "--background NAVY", { 0, 0, 128, 255 } }, // the floor does not reach up there
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        CommandRun run = command("$G render -q walk.glb -o b.png --size 96x64 %s", cases[i].option);
        expect_status(&run, 0);
        GtPicture picture = load("b.png");
        for (int k = 0; k < 4; ++k) {
            GT_EXPECT_NEAR(at(&picture, 0, 0)[k], cases[i].corner[k], 2);
        }
        assert_int_equal(at(&picture, 48, 32)[3], 255); // the figure
        drop(&picture);
    }
}

// White gutters between the pictures of a sheet.
static int count_gutters(const GtPicture* sheet, bool columns, int32_t from, int32_t to)
{
    int count = 0;
    bool was_white = false;
    for (int32_t i = 0; i < (columns ? sheet->width : sheet->height); ++i) {
        bool white = true;
        for (int32_t k = from; k < to; ++k) {
            const uint8_t* p = columns ? at(sheet, i, k) : at(sheet, k, i);
            white = white && p[0] == 255 && p[1] == 255 && p[2] == 255;
        }
        count += white && !was_white;
        was_white = white;
    }
    return count;
}

static void a_sheet_has_its_moments(void** state)
{
    (void)state;
    need_driver();
    CommandRun run = command("$G render walk.glb --sheet 6 -o sheet.png --size 120x120 --quality draft");
    expect_status(&run, 0);
    expect_text(run.err, "6 moments");
    GtPicture sheet = load("sheet.png");
    assert_true(sheet.width > 3 * 120 && sheet.width < 4 * 120 && sheet.height > 2 * 120 && sheet.height < 3 * 120);
    assert_int_equal(count_gutters(&sheet, true, 60, 100), 4);                             // three in a row
    assert_int_equal(count_gutters(&sheet, false, sheet.width - 20, sheet.width - 10), 3); // in two rows
    drop(&sheet);
    run = command("$G render -q walk.glb --sheet 4 --turntable -o turn.png --size 60x60 --quality draft");
    expect_status(&run, 0);
    run = command("$G render -q walk.glb --sheet 3 --from 1 --to 1.5 -o part.png --size 60x60 --quality draft "
                  "--camera top && $G render -q person.glb --sheet 2 -o rest.png --size 60x60 --quality draft");
    expect_status(&run, 0);
}

// Files side by side: twice the same figure makes twice the same silhouette, and a name under each.
static void files_stand_side_by_side(void** state)
{
    (void)state;
    need_driver();
    CommandRun run = command("cp walk.glb other.glb && $G render -q walk.glb other.glb -o two.png --size 400x160 "
                             "--camera front --background transparent --time 0.5");
    expect_status(&run, 0);
    GtPicture picture = load("two.png");
    int covered[400] = { 0 };
    for (int32_t x = 0; x < 400; ++x) {
        for (int32_t y = 0; y < 140; ++y) { // above the names
            covered[x] += at(&picture, x, y)[3] > 128;
        }
    }
    int figures = 0, widths[3] = { 0 };
    for (int32_t x = 1; x < 400; ++x) {
        figures += covered[x] > 0 && covered[x - 1] == 0;
        widths[figures < 3 ? figures : 2] += covered[x] > 0;
    }
    assert_int_equal(figures, 2);
    GT_EXPECT_NEAR(widths[1], widths[2], 0.25 * widths[1]); // seen from a little to either side
    int ink[2] = { 0, 0 };
    for (int32_t y = 142; y < 160; ++y) {
        for (int32_t x = 0; x < 400; ++x) {
            ink[x / 200] += at(&picture, x, y)[3] > 128;
        }
    }
    assert_true(ink[0] > 40 && ink[1] > 40);
    drop(&picture);
}

static void films(void** state)
{
    (void)state;
    need_ffmpeg();
    static const struct {
        const char* line;
        const char* wanted; // of ffprobe: width, height, frames
    } cases[] = {
        { "walk.glb -o film.mp4 --from 0.5 --to 1.5 --fps 10 --size 65x49", "66,50,10" },
        { "walk.bvh -o film.webm --to 0.5 --fps 20 --size 64x48", "64,48,10" },
        { "walk.glb person.glb -o film.gif --to 0.4 --size 65x49", "65,49,10" },
        { "walk.glb -o film.apng --to 0.2 --size 65x49 --background transparent", "65,49,6" },
        { "person.glb -o film.mp4 --turntable --fps 2 --size 64x48", "64,48,12" },
        { "walk.glb -o film.mp4 --turntable --fps 2 --size 64x48", "64,48,18" }, // twice 4.4 s
        { "walk.glb -o film.mp4 --turntable --time 0.5 --fps 2 --size 64x48", "64,48,12" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        CommandRun run = command("f=$(echo '%s' | sed 's/.*-o \\([^ ]*\\).*/\\1/'); $G render -q --quality draft %s && "
                                 "ffprobe -v error -count_frames -select_streams v -show_entries "
                                 "stream=width,height,nb_read_frames -of csv=p=0 $f",
                                 cases[i].line, cases[i].line);
        expect_status(&run, 0);
        expect_text(run.out, cases[i].wanted);
    }
}

// Compared with itself a file is 0 off; the legend is there all the same.
static void error_is_reported(void** state)
{
    (void)state;
    need_driver();
    CommandRun run = command("$G render --json walk.glb --error walk.glb -o e.png --size 200x150 --quality draft");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_string_equal(report_text(report, "errors.0.file"), "walk.glb");
    GT_EXPECT_NEAR(report_number(report, "errors.0.max_m"), 0.0, 0.0);
    GT_EXPECT_NEAR(report_number(report, "errors.0.rms_m"), 0.0, 0.0);
    run =
        command("$G render --json walk.glb --skin dual-quaternion --error walk.glb -o e.png --size 200x150 --time 0.3");
    expect_status(&run, 0); // only the first of the two is bent so
    double most_mm = 1e3 * report_number(command_report(&run), "errors.0.max_m");
    assert_true(most_mm > 0.5 && most_mm < 50.0);
    run = command("$G render walk.glb --error person.glb -o e.png --size 200x150 --quality draft");
    expect_status(&run, 0); // walking is not standing
    expect_text(run.err, "walk.glb: at most ");
}

// A pack with sections is as far off its source as its clip may be, and farther off the plain skin.
static void packs_are_drawn_as_they_play(void** state)
{
    (void)state;
    need_driver();
    CommandRun run = command("$G deform -q walk.glb --preset muscles -o flesh.glb && $G pack -q flesh.glb flesh.gtp");
    expect_status(&run, 0);
    double most_m[2];
    for (int i = 0; i < 2; ++i) {
        run = command("$G render --json flesh.gtp --error %s -o e.png --size 200x150 --sheet 4 --quality draft",
                      i == 0 ? "flesh.glb" : "walk.glb");
        expect_status(&run, 0);
        most_m[i] = report_number(command_report(&run), "errors.0.max_m");
    }
    assert_true(most_m[0] > 0.0 && most_m[0] < 1.5e-3);
    assert_true(most_m[1] > 4e-3);
}

// All of them at once, in every kind of output that they can be in.
static void overlays(void** state)
{
    (void)state;
    need_driver();
    static const char* const cases[] = {
        "walk.glb --axes --skeleton --wire --influences --onion 2 --trails leftHand,rightFoot",
        "walk.glb person.glb --weights leftUpperArm --onion 1 --onion-step 0.3",
        "walk.bvh walk.glb --point-lights --trails hips --sheet 3",
        "walk.bvh walk.glb person.glb --contacts --sheet 3",
        "walk.bvh --influences",
        "walk.bvh walk.glb --focus head,leftHand --camera follow-front --onion 1",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        CommandRun run = command("$G render -q %s -o o.png --size 120x90", cases[i]);
        expect_status(&run, 0);
    }
    GtPicture picture = load("o.png");
    assert_true(picture.width == 120);
    drop(&picture);
    CommandRun run = command("$G render -q walk.bvh --point-lights -o l.png --size 120x90");
    expect_status(&run, 0);
    picture = load("l.png");
    int dark = 0, bright = 0;
    for (int32_t y = 0; y < picture.height; ++y) {
        for (int32_t x = 0; x < picture.width; ++x) {
            dark += at(&picture, x, y)[1] < 5;
            bright += at(&picture, x, y)[1] > 250;
        }
    }
    assert_true(dark > 0.9 * 120 * 90 && bright >= 13);
    drop(&picture);
    write_text_file("left.json", "{\"contacts\": {\"leftHeel\": [[0.1, 0.4]], \"leftToe\": [[0.1, 0.5]]}}");
    run = command("$G render -q walk.bvh --contacts-from left.json -o c.png --size 400x300 --time 0.3");
    expect_status(&run, 0);
    picture = load("c.png");
    int teal = 0, orange = 0;
    for (int32_t y = 100; y < picture.height; ++y) { // below the legend
        for (int32_t x = 0; x < picture.width; ++x) {
            const uint8_t* p = at(&picture, x, y);
            teal += abs(p[0] - 20) < 12 && abs(p[1] - 153) < 12 && abs(p[2] - 158) < 12;
            orange += abs(p[0] - 242) < 12 && abs(p[1] - 128) < 12 && abs(p[2] - 33) < 12;
        }
    }
    assert_true(teal > 50 && orange == 0);
    drop(&picture);
}

// The ball around the right hand is redder than it is blue, and there only while it touches.
static void hands_that_touch(void** state)
{
    (void)state;
    need_driver();
    write_text_file("right.json",
                    "{\"contacts\": {}, \"touches\": [{\"hand\": \"right\", \"on\": \"head\", \"start_s\": 0.1, "
                    "\"end_s\": 0.4}]}");
    static const char* const times[] = { "0.3", "0.5" };
    int orange[2] = { 0, 0 };
    for (int k = 0; k < 2; ++k) {
        CommandRun run =
            command("$G render -q walk.glb --contacts-from right.json -o t.png --size 400x300 --time %s", times[k]);
        expect_status(&run, 0);
        GtPicture picture = load("t.png");
        for (int32_t y = 60; y < picture.height; ++y) { // below the legend
            for (int32_t x = 0; x < picture.width; ++x) {
                orange[k] += at(&picture, x, y)[0] > at(&picture, x, y)[2] + 60;
            }
        }
        drop(&picture);
    }
    assert_true(orange[0] > orange[1] + 50);
}

static void wrong_usage(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        { "walk.glb", "-o OUT is missing" },
        { "-o out/a.png", "FILE is missing" },
        { "walk.glb -o out/a.jpg", "give it one of .png, .mp4, .webm, .gif, .apng" },
        { "walk.glb -o out/png", "give it one of .png" },
        { "walk.glb -o out/a.png --size 100", "--size takes" },
        { "walk.glb -o out/a.png --size 100x9000", "--size takes" },
        { "walk.glb -o out/a.png --camera behind", "--camera takes" },
        { "walk.glb -o out/a.png --background purplish", "--background is" },
        { "walk.glb -o out/a.mp4 --background transparent", "mp4 keeps no transparency" },
        { "walk.glb -o out/a.mp4 --sheet 4", "--sheet makes a .png" },
        { "walk.glb -o out/a.png --turntable", "--turntable needs a film" },
        { "walk.glb -o out/a.png --fps 30", "--fps is for films" },
        { "walk.glb -o out/a.png --from 1", "use --time" },
        { "walk.glb -o out/a.mp4 --time 1", "use --from and --to" },
        { "walk.glb -o out/a.mp4 --turntable --time 1 --to 2", "give either" },
        { "walk.glb -o out/a.png --weights head --influences", "give one of them" },
        { "walk.glb -o out/a.png --point-lights --wire", "--point-lights shows nothing but lights" },
        { "walk.glb -o out/a.png --error-max 3", "--error, which is not given" },
        { "walk.glb -o out/a.png --onion-step 0.2", "--onion, which is not given" },
        { "walk.glb -o out/a.png --onion 0", "--onion takes" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        CommandRun run = command("$G render %s", cases[i][0]);
        expect_refused(&run, 2, cases[i][1]);
    }
    assert_int_equal(count_files("out"), 0);
}

static void failures_name_the_file(void** state)
{
    (void)state;
    need_driver();
    write_text_file("empty.gltf", "{\"asset\":{\"version\":\"2.0\"}}");
    write_text_file("bare.gltf",
                    "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}],\"scenes\":[{\"nodes\":[0]}],\"scene\":0}");
    static const char* const cases[][2] = {
        { "none.glb -o out/a.png", "none.glb: " },
        { "walk.glb -o out/none/a.png", "out/none/a.png: its folder does not exist" },
        { "walk.glb -o out", "out: the ending" },
        { "empty.gltf -o out/a.png", "empty.gltf: there is nothing to draw in it" },
        { "walk.glb bare.gltf -o out/a.png", "bare.gltf: there is nothing to draw in it" },
        { "person.glb -o out/a.mp4", "person.glb: there is no motion to film" },
        { "walk.glb -o out/a.png --clip jump", "there is no clip 'jump'" },
        { "walk.glb -o out/a.png --weights leftHandd", "walk.glb: " },
        { "walk.glb -o out/a.png --trails head,,hips", "walk.glb: " },
        { "walk.glb -o out/a.png --focus nose", "walk.glb: no joint or node 'nose'" },
        { "walk.glb -o out/a.png --error walk.bvh --units m --up y", "walk.glb: the reference has 0 meshes" },
        { "walk.glb -o out/a.png --error none.glb", "none.glb: " },
        { "walk.glb -o out/a.png --contacts-from none.json", "none.json: " },
        { "walk.glb -o out/a.mp4 --from 3 --to 2", "--from (3 s) is after --to (2 s)" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        CommandRun run = command("$G render %s --size 32x32", cases[i][0]);
        expect_refused(&run, strstr(cases[i][1], "ending") || strstr(cases[i][1], "--from (") ? 2 : 1, cases[i][1]);
    }
    assert_int_equal(count_files("out"), 0);
}

// A little outside is meant to be the end that is near; far outside is a mistake.
static void outside_the_motion_is_said(void** state)
{
    (void)state;
    need_driver();
    CommandRun run = command("$G render walk.glb -o late.png --time 4.45 --size 32x32");
    expect_status(&run, 0);
    expect_text(run.err, "note: the motion lasts from 0 to 4.4 s: 4.4 s is shown, not 4.45 s");
    run = command("$G render walk.glb -o out/late.png --time 99 --size 32x32");
    expect_refused(&run, 1, "walk.glb: 99 s is outside the motion, which lasts from 0 to 4.4 s");
    assert_int_equal(count_files("out"), 0);
}

static void no_ffmpeg_says_what_to_install(void** state)
{
    (void)state;
    need_driver();
    CommandRun run = command("PATH=/nonexistent $G render walk.glb -o out/a.mp4 --size 32x32");
    expect_refused(&run, 1, "out/a.mp4: films need ffmpeg, and 'ffmpeg' is not here; on Debian: apt install ffmpeg");
    assert_int_equal(count_files("out"), 0);
}

// Libraries that cannot be loaded stand for a machine without them.
static void no_driver_says_what_to_install(void** state)
{
    (void)state;
    CommandRun run = command("mkdir -p fake && : >fake/libEGL.so.1 && "
                             "LD_LIBRARY_PATH=fake $G render person.glb -o out/a.png");
    expect_refused(&run, 1, "on Debian: apt install libegl1 libgl1-mesa-dri");
    assert_int_equal(count_files("out"), 0);
}

static void a_full_disk_leaves_nothing(void** state)
{
    (void)state;
    need_ffmpeg();
    CommandRun run = command("(ulimit -f 1; $G render walk.glb -o out/a.png --size 300x300)");
    expect_refused(&run, 1, "out/a.png: the file is larger than the disk or the process limit allows");
    run = command("(ulimit -f 4; $G render walk.glb -o out/a.mp4 --size 300x300 --quality draft --to 2)");
    expect_refused(&run, 1, "out/a.mp4: ffmpeg failed");
    assert_int_equal(count_files("out"), 0);
}

// Drivers would crash, at one limit in this way and at another in that.
static void little_address_space_is_refused(void** state)
{
    (void)state;
    need_driver();
    for (int mb = 150; mb <= 550; mb += 50) {
        CommandRun run =
            command("(ulimit -v %d; $G render walk.glb -o out/a.png --size 64x64 --quality draft)", 1024 * mb);
        expect_refused(&run, 1, "of address space");
    }
    assert_int_equal(count_files("out"), 0);
}

static void interrupted_half_way(void** state)
{
    (void)state;
    need_ffmpeg();
    CommandRun run = command("$G sample walk -q -o long.bvh --repeat 100");
    expect_status(&run, 0);
    int interrupted = 0;
    for (int delay_ms = 100; delay_ms <= 1500; delay_ms += 350) {
        run = command("sh -c 'exec $G render -q long.bvh -o out/long.mp4 --size 160x120 --quality draft' & "
                      "sleep %d.%03d; kill -TERM $! 2>/dev/null; wait $!",
                      delay_ms / 1000, delay_ms % 1000);
        interrupted += strstr(run.err, "cancelled") != NULL;
        assert_true(run.status != 0);
        assert_int_equal(count_files("out"), 0);
    }
    assert_true(interrupted > 0);
    run = command("sleep 0.2; pgrep -f 'out/[l]ong.mp4'");
    assert_string_equal(run.out, ""); // the encoder is gone too
}

// A deformation that folds is warned of once, however many figures of the file there are.
static void test_says_a_thing_once(void** state)
{
    (void)state;
    need_driver();
    CommandRun run =
        command("printf '%%s' '{\"gertie_deform\":1,\"sections\":[{\"name\":\"skull\",\"joint\":\"head\",\"border\":0,"
                "\"points\":[2,2,2],\"box\":{\"center\":[0,0,0],\"axes\":[[1,0,0],[0,1,0],[0,0,1]]}}],\"tracks\":["
                "{\"channel\":\"lattice:skull.point[0,0,0].x\",\"formula\":\"2\"},"
                "{\"channel\":\"lattice:skull.point[0,0,1].x\",\"formula\":\"2\"},"
                "{\"channel\":\"lattice:skull.point[0,1,0].x\",\"formula\":\"2\"},"
                "{\"channel\":\"lattice:skull.point[0,1,1].x\",\"formula\":\"2\"}]}' >fold.json && "
                "$G deform -q person.glb --with fold.json -o fold.glb; "
                "$G render fold.glb fold.glb -o fold.png --size 16x16 --quality draft 2>&1 | grep -c \"section 'skull' "
                "turns inside out\"");
    assert_string_equal(run.out, "1\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_still),
        cmocka_unit_test(the_front_is_where_the_figure_looks),
        cmocka_unit_test(angles_are_in_degrees),
        cmocka_unit_test(the_report),
        cmocka_unit_test(backgrounds),
        cmocka_unit_test(a_sheet_has_its_moments),
        cmocka_unit_test(files_stand_side_by_side),
        cmocka_unit_test(films),
        cmocka_unit_test(error_is_reported),
        cmocka_unit_test(overlays),
        cmocka_unit_test(hands_that_touch),
        cmocka_unit_test(wrong_usage),
        cmocka_unit_test(failures_name_the_file),
        cmocka_unit_test(outside_the_motion_is_said),
        cmocka_unit_test(no_ffmpeg_says_what_to_install),
        cmocka_unit_test(no_driver_says_what_to_install),
        cmocka_unit_test(packs_are_drawn_as_they_play),
        cmocka_unit_test(a_full_disk_leaves_nothing),
        cmocka_unit_test(little_address_space_is_refused),
        cmocka_unit_test(interrupted_half_way),
        cmocka_unit_test(test_says_a_thing_once),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

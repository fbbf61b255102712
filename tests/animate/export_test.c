// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One scene through every kind of export. A mesh in one pose is what the sequence has as that frame, and where the
// runtime poses its vertices.

#include "gertie/animate.h"
#include "gertie/export.h"
#include "gertie/file.h"
#include "gertie/motions.h"
#include "support/folder.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void test_endings_tell_the_kind(void** state)
{
    (void)state;
    static const struct {
        const char* path;
        GtExportKind kind;
    } cases[] = {
        { "a.glb", GT_EXPORT_SCENE },   { "b/a.VRM", GT_EXPORT_SCENE }, { "a.bvh", GT_EXPORT_SCENE },
        { "a.obj", GT_EXPORT_MESH },    { "a.stl", GT_EXPORT_MESH },    { "a_##.obj", GT_EXPORT_FRAMES },
        { "a.pc2", GT_EXPORT_FRAMES },  { "a.png", GT_EXPORT_PICTURE }, { "a.mp4", GT_EXPORT_FILM },
        { "a.gif", GT_EXPORT_FILM },    { "a.c3d", GT_EXPORT_UNKNOWN }, { "a", GT_EXPORT_UNKNOWN },
        { "glb", GT_EXPORT_UNKNOWN },   { "", GT_EXPORT_UNKNOWN },      { "a.obj.bak", GT_EXPORT_UNKNOWN },
        { "a#.glb", GT_EXPORT_FRAMES },
    };
    GtError error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        assert_int_equal(gt_export_kind(cases[i].path), cases[i].kind);
    }
    GT_EXPECT_ERROR(gt_export_check_path("a.c3d", &error), GT_ERROR_UNSUPPORTED, "none that is written");
    GT_EXPECT_ERROR(gt_export_check_path("a#.glb", &error), GT_ERROR_UNSUPPORTED, "a sequence of frames");
    GT_EXPECT_ERROR(gt_export_check_path("a#/b.obj", &error), GT_ERROR_BAD_VALUE, "not of a folder");
    GT_EXPECT_OK(gt_export_check_path("a#/b#.obj", &error));
}

static GtScene* make_walker(const GtContext* context)
{
    GtError error;
    GtScene *person = NULL, *motion = NULL, *walker = NULL;
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = 2000;
    GtMotionDef walk = gt_default_motion_def(GT_MOTION_WALK);
    walk.repeat_count = 1;
    GT_EXPECT_OK(gt_sample_person(context, &def, &person, NULL, &error));
    GT_EXPECT_OK(gt_sample_motion(context, &walk, &motion, NULL, &error));
    GT_EXPECT_OK(gt_animate(context, person, motion, NULL, &walker, NULL, &error));
    gt_scene_destroy(person);
    gt_scene_destroy(motion);
    return walker;
}

// Geometry of an OBJ, without the materials that a single file refers to.
static size_t read_vertices(const TestFolder* folder, const char* name, float* out, size_t most)
{
    size_t size = 0, count = 0;
    char* text = (char*)test_folder_get(folder, name, &size);
    for (char* line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        float* p = &out[3 * count];
        count += count < most && sscanf(line, "v %f %f %f", &p[0], &p[1], &p[2]) == 3;
    }
    free(text);
    return count;
}

static void test_a_mesh_is_a_frame_of_the_sequence(void** state)
{
    (void)state;
    enum {
        MOST = 4000
    };
    static float at_middle[3 * MOST], at_start[3 * MOST], frame[3 * MOST];
    GtError error;
    GtContext context = gt_default_context();
    GtScene* walker = make_walker(&context);
    TestFolder folder;
    test_folder_create(&folder);
    GtExportReport all, one;
    GtExportDef def = gt_default_export_def();
    def.rate_hz = 10.0;
    GT_EXPECT_OK(gt_export(&context, walker, &def, test_folder_path(&folder, "f_##.obj"), &all, &error));
    GT_EXPECT_OK(gt_export(&context, walker, &def, test_folder_path(&folder, "middle.obj"), &one, &error));
    assert_int_equal(one.kind, GT_EXPORT_MESH);
    assert_int_equal(one.vertex_count, all.vertex_count);
    assert_true(all.frame_count >= 9 && all.frame_count < 99);
    size_t count = read_vertices(&folder, "middle.obj", at_middle, MOST);
    assert_true(count > 900 && count < MOST);
    char name[32];
    snprintf(name, sizeof name, "f_%02d.obj", (int)lround(one.time_s * 10.0) + 1);
    assert_int_equal(read_vertices(&folder, name, frame, MOST), count);
    assert_memory_equal(at_middle, frame, 3 * count * sizeof *frame);
    GT_EXPECT_NEAR(one.time_s, 0.05 * (all.frame_count - 1), 0.051);

    def.time_s = -3.0; // before the clip: its first frame
    GT_EXPECT_OK(gt_export(&context, walker, &def, test_folder_path(&folder, "start.obj"), &one, &error));
    assert_int_equal(read_vertices(&folder, "start.obj", at_start, MOST), count);
    assert_int_equal(read_vertices(&folder, "f_01.obj", frame, MOST), count);
    assert_memory_equal(at_start, frame, 3 * count * sizeof *frame);
    assert_memory_not_equal(at_start, at_middle, 3 * count * sizeof *frame);
    test_folder_remove(&folder);
    gt_scene_destroy(walker);
}

static void test_scenes_and_failures(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* walker = make_walker(&context);
    GtScene* again = NULL;
    TestFolder folder;
    test_folder_create(&folder);
    GtExportReport report;
    const char* path = test_folder_path(&folder, "walk.glb");
    GT_EXPECT_OK(gt_export(&context, walker, NULL, path, &report, &error));
    assert_int_equal(report.kind, GT_EXPORT_SCENE);
    GT_EXPECT_OK(gt_scene_load(&context, path, NULL, &again, &error));
    assert_int_equal(again->animation_count, 1);
    gt_scene_destroy(again);
    GT_EXPECT_ERROR(gt_export(&context, walker, NULL, "walk.c3d", &report, &error), GT_ERROR_UNSUPPORTED, "ending");
    assert_string_equal(error.file, "walk.c3d");
    static const char* const names[] = { "none/walk.glb", "none/walk.obj", "none/walk.pc2", "none/w_#.ply" };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        GT_EXPECT_ERROR(gt_export(&context, walker, NULL, test_folder_path(&folder, names[i]), NULL, &error),
                        GT_ERROR_IO, "");
    }
    walker->animation_count = 0; // a scene without clips is at rest
    GT_EXPECT_OK(gt_export(&context, walker, NULL, test_folder_path(&folder, "rest.stl"), &report, &error));
    GT_EXPECT_NEAR(report.time_s, 0.0, 0.0);
    test_folder_remove(&folder);
    gt_scene_destroy(walker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endings_tell_the_kind),
        cmocka_unit_test(test_a_mesh_is_a_frame_of_the_sequence),
        cmocka_unit_test(test_scenes_and_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

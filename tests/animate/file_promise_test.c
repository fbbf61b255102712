// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What is promised of files, on rigs as exporters make them: a GLB comes back as it was, to the bit, and is written
// again to the same bytes; a BVH has joints where the scene has them, and from BVH to scene to BVH none moves by more
// than 1e-5 m.

#include "gertie/animate.h"
#include "gertie/file.h"
#include "gertie/motions.h"
#include "support/rigs.h"
#include "support/test.h"
#include "support/viewer.h"

static GtScene* write_and_read(const GtContext* context, const GtScene* scene, const char* format, GtBlob** bytes)
{
    GtError error;
    GtScene* out = NULL;
    GtSaveDef def = gt_default_save_def();
    GtLoadDef load = gt_default_load_def();
    char name[32];
    snprintf(name, sizeof name, "clip.%s", format);
    def.animation = strcmp(format, "bvh") == 0 ? scene->animation_count - 1 : def.animation;
    GT_EXPECT_OK(gt_scene_save_memory(context, scene, format, &def, bytes, &error));
    load.metres_per_unit = 1.0; // which a BVH does not say
    load.up_axis = GT_UP_Y;
    GT_EXPECT_OK(gt_scene_load_memory(context, gt_blob_bytes(*bytes), gt_blob_size(*bytes), name, &load, &out, &error));
    return out;
}

static void expect_same_bytes(const GtBlob* a, const GtBlob* b)
{
    assert_true(gt_blob_size(a) == gt_blob_size(b) && memcmp(gt_blob_bytes(a), gt_blob_bytes(b), gt_blob_size(a)) == 0);
}

static void expect_glb(const GtContext* context, const GtScene* scene, const char* name)
{
    GtBlob *first = NULL, *second = NULL;
    GtScene* once = write_and_read(context, scene, "glb", &first);
    GtScene* twice = write_and_read(context, once, "glb", &second);
    expect_same_bytes(first, second);
    Viewer* viewers[2] = { viewer_open(scene, scene->animation_count - 1),
                           viewer_open(once, once->animation_count - 1) };
    for (int i = 0; i < 4; ++i) {
        double time_s = 0.1 + 0.27 * i;
        viewer_pose(viewers[0], time_s);
        viewer_pose(viewers[1], time_s);
        size_t size = (size_t)viewer_vertex_count(viewers[0]) * sizeof(double[3]);
        if (memcmp(viewer_vertices(viewers[0]), viewer_vertices(viewers[1]), size) != 0) {
            fail_msg("%s: vertices differ at %g s", name, time_s);
        }
    }
    viewer_close(viewers[0]);
    viewer_close(viewers[1]);
    gt_scene_destroy(once);
    gt_scene_destroy(twice);
    gt_blob_release(first);
    gt_blob_release(second);
}

// Farthest that a named joint of `a` is from that of `b`.
static double joints_apart(const GtScene* a, const GtScene* b)
{
    double most = 0.0;
    Viewer* viewers[2] = { viewer_open(a, a->animation_count - 1), viewer_open(b, b->animation_count - 1) };
    for (int i = 0; i <= 40; ++i) {
        double share = i / 40.0;
        for (int k = 0; k < 2; ++k) {
            double start_s = viewer_start_s(viewers[k]);
            viewer_pose(viewers[k], start_s + share * (viewer_end_s(viewers[k]) - start_s));
        }
        for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            const char* name = gt_humanoid_name((GtHumanoidJoint)j);
            double at[2][3];
            for (int k = 0; k < 2; ++k) {
                int32_t node = gt_scene_find_node(k ? b : a, name);
                assert_int_not_equal(node, GT_NONE);
                for (int c = 0; c < 3; ++c) {
                    at[k][c] = viewer_node(viewers[k], node)->m[c][3];
                }
            }
            most = fmax(most, viewer_distance(at[0], at[1]));
        }
    }
    viewer_close(viewers[0]);
    viewer_close(viewers[1]);
    return most;
}

static void expect_bvh(const GtContext* context, const GtScene* scene, const char* name)
{
    GtBlob *first = NULL, *second = NULL;
    GtScene* once = write_and_read(context, scene, "bvh", &first);
    GtScene* twice = write_and_read(context, once, "bvh", &second);
    double apart_m[2] = { joints_apart(scene, once), joints_apart(once, twice) };
    if (!(apart_m[0] <= 1e-5 && apart_m[1] <= 1e-5)) {
        fail_msg("%s: joints are %g mm off in the file, %g mm in the next", name, 1e3 * apart_m[0], 1e3 * apart_m[1]);
    }
    gt_scene_destroy(once);
    gt_scene_destroy(twice);
    gt_blob_release(first);
    gt_blob_release(second);
}

static void test_files(void** state)
{
    (void)state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* motion = NULL;
    GtMotionDef def = gt_default_motion_def(GT_MOTION_KICK);
    GtAnimateDef animate = gt_default_animate_def();
    animate.method = GT_ANIMATE_SKIN;
    GT_EXPECT_OK(gt_sample_motion(&context, &def, &motion, NULL, &error));
    for (int32_t i = 0; i < TEST_RIG_COUNT; ++i) {
        GtScene* body = test_rig(&context, i, 2000);
        GtScene* moving = NULL;
        GT_EXPECT_OK(gt_animate(&context, body, motion, &animate, &moving, NULL, &error));
        expect_glb(&context, moving, test_rig_name(i));
        if (i != TEST_RIG_MIRRORED) {
            expect_bvh(&context, moving, test_rig_name(i));
        } else {
            GtBlob* bytes = NULL;
            context = test_context(&log);
            gt_scene_destroy(write_and_read(&context, moving, "bvh", &bytes));
            gt_blob_release(bytes);
            assert_non_null(strstr(log.text, "scale")); // which a BVH has no place for
        }
        gt_scene_destroy(moving);
        gt_scene_destroy(body);
    }
    gt_scene_destroy(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

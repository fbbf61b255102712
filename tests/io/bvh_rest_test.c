// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The pose without rotations of a BVH file that is written from a character: it is the T-pose or the bind pose,
// whatever axes the joints have, and the motion is the same. A viewer in double precision tells where joints are.

#include "gertie/animate.h"
#include "gertie/file.h"
#include "gertie/motions.h"
#include "support/rigs.h"
#include "support/test.h"
#include "support/viewer.h"

#include <math.h>

enum {
    SAMPLES = 5
};

static GtScene* make_walking(const GtContext* context, int32_t kind)
{
    GtError error;
    GtScene* motion = NULL;
    GtScene* walking = NULL;
    GtMotionDef def = gt_default_motion_def(GT_MOTION_WALK);
    GtScene* rig = test_rig(context, kind, 2000);
    GT_EXPECT_OK(gt_sample_motion(context, &def, &motion, NULL, &error));
    GT_EXPECT_OK(gt_animate(context, rig, motion, NULL, &walking, NULL, &error));
    gt_scene_destroy(motion);
    gt_scene_destroy(rig);
    return walking;
}

static GtScene* through_bvh(const GtContext* context, const GtScene* scene, GtBvhRest rest)
{
    GtError error;
    GtBlob* blob = NULL;
    GtScene* back = NULL;
    GtSaveDef save = gt_default_save_def();
    GtLoadDef load = gt_default_load_def();
    save.rest = rest;
    load.metres_per_unit = 1.0;
    load.up_axis = GT_UP_Y;
    GT_EXPECT_OK(gt_scene_save_memory(context, scene, "bvh", &save, &blob, &error));
    GT_EXPECT_OK(
        gt_scene_load_memory(context, gt_blob_bytes(blob), gt_blob_size(blob), "back.bvh", &load, &back, &error));
    gt_blob_release(blob);
    return back;
}

static int32_t find_node(const GtScene* scene, const char* name)
{
    for (int32_t n = 0; n < scene->node_count; ++n) {
        if (scene->nodes[n].name && strcmp(scene->nodes[n].name, name) == 0) {
            return n;
        }
    }
    fail_msg("there is no node '%s'", name);
    return GT_NONE;
}

static void place_of(const Viewer* viewer, int32_t node, double out[3])
{
    const ViewerMatrix* m = viewer_node(viewer, node);
    for (int k = 0; k < 3; ++k) {
        out[k] = m->m[k][3];
    }
}

// How far joints are from where they were, in metres.
static double farthest(const GtScene* scene, const Viewer* there, const GtScene* back, const Viewer* here)
{
    double most = 0.0;
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t node = scene->humanoid->nodes[j];
        if (node != GT_NONE) {
            double a[3], b[3];
            place_of(there, node, a);
            place_of(here, find_node(back, scene->nodes[node].name), b);
            most = fmax(most, viewer_distance(a, b));
        }
    }
    return most;
}

static void motions_stay_and_rest_poses_are_poses(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    for (int32_t kind = 0; kind < TEST_RIG_COUNT; ++kind) {
        GtScene* scene = make_walking(&context, kind);
        assert_true(scene->humanoid && scene->retarget_pose);
        for (int r = 0; r < 2; ++r) {
            GtScene* back = through_bvh(&context, scene, r ? GT_BVH_REST_BIND : GT_BVH_REST_T);
            Viewer* there = viewer_open(scene, scene->animation_count - 1);
            Viewer* here = viewer_open(back, 0);
            for (int i = 0; i < SAMPLES && kind != TEST_RIG_MIRRORED; ++i) { // which BVH cannot hold
                double part = (double)i / (SAMPLES - 1);
                viewer_pose(there, viewer_start_s(there) + part * (viewer_end_s(there) - viewer_start_s(there)));
                viewer_pose(here, viewer_start_s(here) + part * (viewer_end_s(here) - viewer_start_s(here)));
                GT_EXPECT_NEAR(farthest(scene, there, back, here), 0.0, 2e-3); // a walk between two frames
            }
            viewer_close(there);
            viewer_close(here);
            for (int32_t n = 0; n < back->node_count; ++n) {
                GT_EXPECT_NEAR(fabs((double)back->nodes[n].local.rotation.w), 1.0, 1e-6);
            }
            there = viewer_open(scene, GT_NONE);
            here = viewer_open(back, GT_NONE);
            viewer_pose(there, 0.0);
            viewer_pose(here, 0.0);
            if (r == 1 && kind != TEST_RIG_MIRRORED) {
                GT_EXPECT_NEAR(farthest(scene, there, back, here), 0.0, 1e-5);
            } else if (kind != TEST_RIG_MIRRORED) { // arms lie along X, legs hang
                static const GtHumanoidJoint ends[4][2] = { { GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_HAND },
                                                            { GT_HUMANOID_RIGHT_HAND, GT_HUMANOID_RIGHT_UPPER_ARM },
                                                            { GT_HUMANOID_LEFT_FOOT, GT_HUMANOID_LEFT_UPPER_LEG },
                                                            { GT_HUMANOID_RIGHT_FOOT, GT_HUMANOID_RIGHT_UPPER_LEG } };
                for (int e = 0; e < 4; ++e) {
                    double a[3], b[3];
                    place_of(here, find_node(back, scene->nodes[scene->humanoid->nodes[ends[e][0]]].name), a);
                    place_of(here, find_node(back, scene->nodes[scene->humanoid->nodes[ends[e][1]]].name), b);
                    double along = b[e < 2 ? 0 : 1] - a[e < 2 ? 0 : 1];
                    assert_true(along > 0.99 * viewer_distance(a, b));
                }
            }
            viewer_close(there);
            viewer_close(here);
            gt_scene_destroy(back);
        }
        gt_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_stay_and_rest_poses_are_poses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What `gertie rig` promises of weights: they sum to 1, a vertex follows at most as many joints as were asked for, and
// no vertex is farther from where all its joints would have it than is said, in poses that bend all joints by 40
// degrees. Bodies are people of several builds, and the scans of GERTIE_DATA.

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "gertie/person.h"
#include "gertie/rig.h"
#include "support/random.h"
#include "support/test.h"
#include "support/viewer.h"

#include <stdlib.h>

// Bend every joint about its own random axis.
static void bend_joints(GtScene* scene, TestRandom* random, float angle_rad)
{
    for (int32_t j = 0; j < scene->skins[0].joint_count; ++j) {
        GtTransform* local = &scene->nodes[scene->skins[0].joints[j]].local;
        GtQuat bend = gt_quat_from_axis_angle(test_random_direction(random), angle_rad);
        local->rotation = j == 0 ? local->rotation : gt_quat_normalize(gt_quat_mul(local->rotation, bend));
    }
}

static double farthest_apart(const GtContext* context, const GtScene* all, const GtScene* pruned, uint64_t seed)
{
    GtError error;
    const GtScene* scenes[2] = { all, pruned };
    GtScene* posed[2];
    Viewer* viewers[2];
    const double(*vertices[2])[3];
    for (int i = 0; i < 2; ++i) {
        TestRandom random = { seed };
        GT_EXPECT_OK(gt_scene_copy(context, scenes[i], &posed[i], &error));
        bend_joints(posed[i], &random, 0.6981317f);
        viewers[i] = viewer_open(posed[i], GT_NONE);
        vertices[i] = viewer_vertices(viewers[i]);
    }
    assert_int_equal(viewer_vertex_count(viewers[0]), viewer_vertex_count(viewers[1]));
    double most = 0.0;
    for (int32_t v = 0; v < viewer_vertex_count(viewers[0]); ++v) {
        most = fmax(most, viewer_distance(vertices[0][v], vertices[1][v]));
    }
    for (int i = 0; i < 2; ++i) {
        viewer_close(viewers[i]);
        gt_scene_destroy(posed[i]);
    }
    return most;
}

static void expect_rows(const GtScene* scene, int32_t influences, const char* name)
{
    for (int32_t m = 0; m < scene->mesh_count; ++m) {
        for (int32_t p = 0; p < scene->meshes[m].primitive_count; ++p) {
            const GtPrimitive* primitive = &scene->meshes[m].primitives[p];
            uint64_t count = scene->accessors[gt_primitive_find(primitive, "POSITION")].count;
            for (uint64_t v = 0; v < count; ++v) {
                double sum = 0.0;
                int32_t used = 0;
                for (int set = 0; set < 4; ++set) {
                    char attribute[32];
                    float weights[4];
                    snprintf(attribute, sizeof attribute, "WEIGHTS_%d", set);
                    int32_t accessor = gt_primitive_find(primitive, attribute);
                    if (accessor == GT_NONE) {
                        continue;
                    }
                    gt_accessor_read_floats(scene, accessor, v, 1, weights);
                    for (int k = 0; k < 4; ++k) {
                        sum += (double)weights[k];
                        used += weights[k] > 0.0f;
                        assert_true(weights[k] >= 0.0f);
                    }
                }
                if (!(fabs(sum - 1.0) <= 1e-6) || used > influences) {
                    fail_msg("%s: weights of vertex %d sum to %.9g, of %d joints", name, (int)v, sum, (int)used);
                }
            }
        }
    }
}

// Joints of a skeleton whose confidence is high are where the person has them, within 3 % of the height.
static void expect_joints(const GtScene* person, double height_m, const GtRigReport* report, const char* name)
{
    Viewer* viewer = viewer_open(person, GT_NONE);
    assert_true(report->confidence >= 0.75f);
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (!gt_humanoid_required((GtHumanoidJoint)j)) {
            continue;
        }
        const ViewerMatrix* node =
            viewer_node(viewer, gt_scene_find_node(person, gt_humanoid_name((GtHumanoidJoint)j)));
        const double right[3] = { node->m[0][3] / height_m, node->m[1][3] / height_m, node->m[2][3] / height_m };
        const double found[3] = { (double)report->joints[j].x / report->height_m,
                                  (double)report->joints[j].y / report->height_m,
                                  (double)report->joints[j].z / report->height_m };
        if (!(viewer_distance(right, found) <= 0.03)) {
            fail_msg("%s: %s is %g of the height off", name, gt_humanoid_name((GtHumanoidJoint)j),
                     viewer_distance(right, found));
        }
    }
    viewer_close(viewer);
}

static void expect_rigged(const GtContext* context, const GtScene* body, const char* name, GtRigReport* found)
{
    static const int32_t limits[] = { 1, 4 };
    GtError error;
    GtRigDef def = gt_default_rig_def();
    GtRigReport whole;
    GtScene* all = NULL;
    def.influences = 8; // as many as are found
    def.min_confidence = 0.0;
    GT_EXPECT_OK(gt_rig(context, body, &def, &all, &whole, &error));
    expect_rows(all, 8, name);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i) {
        GtScene* pruned = NULL;
        GtRigReport report;
        def.influences = limits[i];
        GT_EXPECT_OK(gt_rig(context, body, &def, &pruned, &report, &error));
        expect_rows(pruned, limits[i], name);
        double most = 0.0;
        for (uint64_t seed = 1; seed <= 3; ++seed) {
            most = fmax(most, farthest_apart(context, all, pruned, seed));
        }
        if (!(most <= report.pruned_m && most >= 0.3 * report.pruned_m)) {
            fail_msg("%s, %d joints a vertex: %g mm off, and said to be %g mm at most", name, (int)limits[i],
                     1e3 * most, 1e3 * report.pruned_m);
        }
        gt_scene_destroy(pruned);
    }
    gt_scene_destroy(all);
    *found = whole;
}

static void test_people(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        double height_m, build;
        GtUpAxis up;
        double unit_m;
        GtPersonPose pose;
    } bodies[] = {
        { "person", 1.75, 0.0, GT_UP_Y, 1.0, GT_PERSON_POSE_T },
        { "child", 1.1, 0.5, GT_UP_Y, 1.0, GT_PERSON_POSE_T },
        { "heavy, Z up", 1.8, 1.5, GT_UP_Z, 1.0, GT_PERSON_POSE_T },
        { "thin, in centimetres", 1.9, -0.8, GT_UP_Y, 0.01, GT_PERSON_POSE_T },
        { "A-pose", 1.75, 0.0, GT_UP_Y, 1.0, GT_PERSON_POSE_A },
        { "A-pose, Z up, in inches", 1.6, 0.8, GT_UP_Z, 0.0254, GT_PERSON_POSE_A },
    };
    GtContext context = gt_default_context();
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; ++i) {
        GtError error;
        GtScene *person = NULL, *body = NULL;
        GtRigReport report;
        GtPersonDef def = gt_default_person_def();
        def.triangle_count = 2000;
        def.height_m = bodies[i].height_m;
        def.build = bodies[i].build;
        def.pose = bodies[i].pose;
        GT_EXPECT_OK(gt_sample_person(&context, &def, &person, NULL, &error));
        def.scan = (GtPersonScan){ .bare = true, .up_axis = bodies[i].up, .metres_per_unit = bodies[i].unit_m };
        GT_EXPECT_OK(gt_sample_person(&context, &def, &body, NULL, &error));
        expect_rigged(&context, body, bodies[i].name, &report);
        expect_joints(person, bodies[i].height_m, &report, bodies[i].name);
        gt_scene_destroy(person);
        gt_scene_destroy(body);
    }
}

static void test_scans(void** state)
{
    (void)state;
    static const char* const names[] = { "human_man", "human_woman", "armadillo" };
    const char* data = getenv("GERTIE_DATA");
    if (!data) {
        print_message("skipped: GERTIE_DATA names no folder with real files\n");
        skip();
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char path[1024];
        GtError error;
        GtContext context = gt_default_context();
        GtScene* body = NULL;
        snprintf(path, sizeof path, "%s/scans/%s.obj", data, names[i]);
        GT_EXPECT_OK(gt_scene_load(&context, path, NULL, &body, &error));
        GtRigReport report;
        expect_rigged(&context, body, names[i], &report);
        gt_scene_destroy(body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_people),
        cmocka_unit_test(test_scans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Boxes whose volume, sections and stretch are known in closed form; what fails, is cancelled or runs on many threads.

#include "measure/dummy.h"

#include "gertie/executor.h"

static Boxes boxes;

static GtTransform right_at(GtVec3 translation, GtVec3 scale)
{
    return gt_transform(translation, gt_quat_identity(), scale);
}

static const GtZoneMeasure* zone_of(const GtMeasure* m, int32_t node)
{
    for (int32_t z = 0; z < m->zone_count; ++z) {
        if (m->zones[z].node == node) {
            return &m->zones[z];
        }
    }
    fail_msg("no zone at node %d", (int)node);
    return NULL;
}

static void a_zone_scaled_down_loses_what_it_should(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    fill_boxes(&boxes);
    make_boxes(&context, &boxes);
    bake_boxes(&context, &boxes, right_at(gt_vec3(BOX_APART, 0, 0), gt_vec3(0.8f, 0.8f, 0.8f)));
    GtMeasure* m = measure_scene(&context, boxes.scene, NULL);
    assert_false(m->is_humanoid);
    assert_true(strstr(log.text, "feet, knees and flights are not measured") != NULL);
    assert_true(m->has_mesh);
    assert_int_equal(m->zone_count, 2);
    double width = (double)BOX_WIDTH;
    const GtZoneMeasure* right = zone_of(m, boxes.right);
    assert_int_equal(right->triangle_count, BOX_TRIANGLES);
    GT_EXPECT_NEAR(right->volume_m3, width * width * (double)BOX_HEIGHT, 1e-6);
    GT_EXPECT_NEAR(right->volume_min, 0.512, 1e-4);
    GT_EXPECT_NEAR(right->volume_max, 1.0, 1e-4);
    GT_EXPECT_NEAR(right->section_m2, width * width, 1e-6);
    GT_EXPECT_NEAR(right->section_min, 0.64, 1e-4);
    GT_EXPECT_NEAR(right->axis_min, 0.8, 1e-4);
    GT_EXPECT_NEAR(right->stretch_min, 0.8, 1e-4);
    GT_EXPECT_NEAR(right->stretch_max, 1.0, 1e-4);
    assert_int_equal(right->flipped_count, 0);
    const GtZoneMeasure* left = zone_of(m, boxes.left);
    GT_EXPECT_NEAR(left->volume_min, 1.0, 1e-5);
    GT_EXPECT_NEAR(left->section_min, 1.0, 1e-5);
    GT_EXPECT_NEAR(m->self.depth_m, 0.0, 0.0);
    GT_EXPECT_NEAR(m->seam.gap_m, 0.0, 1e-6); // a joint that only scales stays in its place
    gt_measure_destroy(m);
    gt_scene_destroy(boxes.scene);
}

// How many triangles of the top of the right box face down, with the vertex moved.
static int count_facing_down(int vertex, GtVec3 place)
{
    int count = 0;
    for (int t = 0; t < 2 * BOX_TRIANGLES; ++t) {
        GtVec3 p[3];
        bool is_top = true;
        for (int k = 0; k < 3; ++k) {
            int v = (int)boxes.indices[3 * t + k];
            p[k] = v == vertex ? place : boxes.positions[v];
            is_top = is_top && v >= BOX_VERTICES && boxes.normals[v].y == 1.0f;
        }
        count += is_top && gt_vec3_cross(gt_vec3_sub(p[1], p[0]), gt_vec3_sub(p[2], p[0])).y < 0.0f;
    }
    return count;
}

static void triangles_inside_out_are_counted(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    fill_boxes(&boxes);
    int vertex = BOX_VERTICES + BOX_TOP * BOX_SIDE_VERTICES + 5 * (BOX_CELLS + 1) + 5;
    boxes.joints[vertex][0] = 0; // left behind when the right box goes away
    make_boxes(&context, &boxes);
    float away = 0.055f;
    bake_boxes(&context, &boxes, right_at(gt_vec3(BOX_APART + away, 0, 0), gt_vec3(1, 1, 1)));
    int expected = count_facing_down(vertex, gt_vec3_sub(boxes.positions[vertex], gt_vec3(away, 0, 0)));
    assert_true(expected > 0);
    GtMeasure* m = measure_scene(&context, boxes.scene, NULL);
    assert_int_equal(zone_of(m, boxes.right)->flipped_count, expected);
    GT_EXPECT_NEAR(zone_of(m, boxes.right)->flipped_time_s, 1.0 / DUMMY_RATE, 1e-6);
    assert_int_equal(zone_of(m, boxes.left)->flipped_count, 0);
    gt_measure_destroy(m);
    gt_scene_destroy(boxes.scene);
}

static void boxes_that_meet_read_their_depth(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    fill_boxes(&boxes);
    make_boxes(&context, &boxes);
    bake_boxes(&context, &boxes, right_at(gt_vec3(BOX_WIDTH - 0.015f, 0, 0), gt_vec3(1, 1, 1)));
    GtMeasure* m = measure_scene(&context, boxes.scene, NULL);
    GT_EXPECT_NEAR(m->self.depth_m, 0.015, 1e-4);
    GT_EXPECT_NEAR(m->self.time_s, 1.0 / DUMMY_RATE, 1e-6);
    assert_int_equal(m->self.node + m->self.other_node, boxes.left + boxes.right);
    assert_int_equal(m->mesh_frame_count, 2);
    GT_EXPECT_NEAR(m->self.frame_share, 0.5, 1e-9);
    gt_measure_destroy(m);
    gt_scene_destroy(boxes.scene);
}

// Deeper than what is near the surface, and where the boxes have their sides in one plane.
static void boxes_deep_in_each_other_read_their_depth_too(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    fill_boxes(&boxes);
    make_boxes(&context, &boxes);
    bake_boxes(&context, &boxes, right_at(gt_vec3(BOX_WIDTH - 0.08f, 0, 0), gt_vec3(1, 1, 1)));
    GtMeasure* m = measure_scene(&context, boxes.scene, NULL);
    GT_EXPECT_NEAR(m->self.depth_m, 0.08, 1e-4);
    GT_EXPECT_NEAR(m->self.deep_share, 0.5, 1e-9);
    assert_int_equal(m->sink_count, 0); // it is no humanoid
    gt_measure_destroy(m);
    gt_scene_destroy(boxes.scene);
}

static void nothing_but_the_joints_is_said_so(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_scene(&context);
    int32_t root = make_node(scene, "root", GT_NONE, gt_vec3(0, 0, 0));
    GtMeasure* m = NULL;
    GtMeasureDef def = gt_default_measure_def();
    GT_EXPECT_ERROR(gt_measure(&context, scene, &def, &m, &error), GT_ERROR_NOT_FOUND, "has no clip");
    assert_null(m);
    const float times[2] = { 0.0f, 1.0f };
    const uint8_t path = GT_BAKE_TRANSLATION;
    GtTransform poses[2] = { gt_transform_identity(), gt_transform_identity() };
    poses[1].translation.y = 0.25f;
    GtBakeDef bake = { "up", 2, times, 1, &root, &path, poses };
    GT_EXPECT_OK(gt_scene_bake(&context, scene, &bake, NULL, &error));
    def.animation = 3;
    GT_EXPECT_ERROR(gt_measure(&context, scene, &def, &m, &error), GT_ERROR_NOT_FOUND, "no clip 3");
    def.animation = 0;
    def.mesh_frame_count = -1;
    GT_EXPECT_ERROR(gt_measure(&context, scene, &def, &m, &error), GT_ERROR_BAD_VALUE, "mesh_frame_count takes");
    m = measure_scene(&context, scene, scene);
    assert_false(m->has_mesh);
    assert_int_equal(m->zone_count, 0);
    assert_int_equal(m->direction_count, 0);
    GT_EXPECT_NEAR(m->seam.gap_m, 0.25, 1e-6);
    assert_true(strstr(log.text, "nothing is compared") != NULL);
    gt_measure_destroy(m);
    gt_scene_destroy(scene);
}

static void lean(GtTransform* joints, int32_t frame, double time_s)
{
    (void)frame;
    joints[GT_HUMANOID_SPINE].rotation = gt_quat_from_axis_angle(gt_vec3(1, 0, 0), (float)(1.5 * time_s));
    joints[GT_HUMANOID_LEFT_UPPER_ARM].rotation = gt_quat_from_axis_angle(gt_vec3(0, 0, 1), (float)(-1.2 * time_s));
}

static void threads_change_nothing(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_dummy(&context, 61, lean);
    GtMeasure* serial = measure_scene(&context, scene, NULL);
    GtThreadPool* pool = NULL;
    GT_EXPECT_OK(gt_thread_pool_create(context.allocator, 3, &pool, &error));
    context.executor = gt_thread_pool_executor(pool);
    GtMeasure* parallel = measure_scene(&context, scene, NULL);
    assert_int_equal(serial->zone_count, parallel->zone_count);
    assert_memory_equal(serial->zones, parallel->zones, (size_t)serial->zone_count * sizeof *serial->zones);
    assert_memory_equal(&serial->self, &parallel->self, sizeof serial->self);
    gt_measure_destroy(parallel);
    gt_measure_destroy(serial);
    gt_thread_pool_destroy(pool);
    gt_scene_destroy(scene);
}

static bool stop_at_skin(void* user, const char* task, double fraction)
{
    (void)user;
    return !(strstr(task, "skin") && fraction > 0.0);
}

static void it_can_be_cancelled(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_dummy(&context, 61, lean);
    GtMeasureDef def = gt_default_measure_def();
    GtMeasure* m = NULL;
    context.progress = stop_at_skin;
    GT_EXPECT_ERROR(gt_measure(&context, scene, &def, &m, &error), GT_ERROR_CANCELLED, "");
    assert_null(m);
    gt_scene_destroy(scene);
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_dummy(&context, 12, lean);
    TestAllocator memory = { .remaining = -1 };
    context.allocator = test_allocator(&memory);
    GtMeasureDef def = gt_default_measure_def();
    def.source = scene;
    def.mesh_frame_count = 2;
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    int64_t allowed = 0;
    for (; result != GT_OK; ++allowed) {
        GtError error;
        GtMeasure* m = NULL;
        memory.remaining = allowed;
        result = gt_measure(&context, scene, &def, &m, &error);
        if (result != GT_OK) {
            assert_int_equal(result, GT_ERROR_OUT_OF_MEMORY);
            assert_null(m);
        }
        gt_measure_destroy(m);
        assert_int_equal(memory.alive, 0);
    }
    assert_true(allowed > 10);
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_zone_scaled_down_loses_what_it_should),
        cmocka_unit_test(triangles_inside_out_are_counted),
        cmocka_unit_test(boxes_that_meet_read_their_depth),
        cmocka_unit_test(boxes_deep_in_each_other_read_their_depth_too),
        cmocka_unit_test(nothing_but_the_joints_is_said_so),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(it_can_be_cancelled),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A head that is turned and tilted at rest: the angles that are found are those by which it was turned, and what is put
// onto the figure holds it as the straight figure's.

#include "motion/puppets.h"

#include "gertie/accessor.h"
#include "gertie/person.h"

static GtScene* make_body(const GtContext* context)
{
    GtError error;
    GtScene* scene = NULL;
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = 8000;
    GT_EXPECT_OK(gt_sample_person(context, &def, &scene, NULL, &error));
    return scene;
}

static GtQuat about(GtVec3 axis, double degrees)
{
    return gt_quat_from_axis_angle(axis, (float)(degrees / 57.29577951));
}

// The sample's joints have the axes of the model in the T-pose, where it faces +Z.
static GtQuat hold_of(double turn_deg, double tilt_deg)
{
    return gt_quat_mul(about(gt_vec3(0.0f, 1.0f, 0.0f), turn_deg), about(gt_vec3(0.0f, 0.0f, 1.0f), -tilt_deg));
}

static void find(const GtContext* context, const GtScene* scene, GtRetargetPose* pose, GtRestAngles* angles)
{
    GtRetargetPoseReport report;
    GtError error;
    GT_EXPECT_OK(find_pose_of(context, scene, NULL, pose, &report, &error));
    *angles = report.angles;
}

static void test_angles_are_those_it_was_turned_by(void** state)
{
    (void)state;
    static const double holds[][2] = { { 0.0, 0.0 },    { 2.0, 1.0 },    { 8.0, 0.0 },    { 0.0, -7.0 },
                                       { 20.0, 10.0 },  { -25.0, 12.0 }, { -40.0, -5.0 }, { 45.0, 20.0 },
                                       { 10.0, -25.0 }, { 0.0, 30.0 } };
    GtContext context = gt_default_context();
    for (size_t k = 0; k < sizeof holds / sizeof *holds; ++k) {
        GtScene* body = make_body(&context);
        GtRetargetPose pose;
        GtRestAngles angles;
        body->nodes[GT_HUMANOID_HEAD].local.rotation = hold_of(holds[k][0], holds[k][1]);
        find(&context, body, &pose, &angles);
        bool is_shown = fabs(holds[k][0]) + fabs(holds[k][1]) > 4.0;
        GT_EXPECT_NEAR(gt_degrees((double)angles.head_yaw_rad), is_shown ? holds[k][0] : 0.0, 1.5);
        GT_EXPECT_NEAR(gt_degrees((double)angles.head_tilt_rad), is_shown ? holds[k][1] : 0.0, 1.5);
        if (!is_shown) {
            assert_true(angles.head_yaw_rad == 0.0f && angles.head_tilt_rad == 0.0f);
        }
        // Head and neck together bring the face upright and ahead.
        GtQuat head = gt_quat_mul(pose.rotations[GT_HUMANOID_NECK],
                                  gt_quat_mul(pose.rotations[GT_HUMANOID_HEAD], hold_of(holds[k][0], holds[k][1])));
        GtVec3 left = gt_quat_rotate(head, gt_vec3(1.0f, 0.0f, 0.0f));
        GT_EXPECT_NEAR(left.x, 1.0f, is_shown ? 1e-3f : 2e-3f);
        gt_scene_destroy(body);
    }
}

enum {
    BALL_POINTS = 400
};

// A ball of points that hangs on the head, without triangles: hair, or the whole head.
static void add_ball(GtScene* scene, int count, GtVec3 middle, float radius)
{
    GtError error;
    float points[BALL_POINTS][3];
    GtAttribute* attribute = gt_scene_push(scene, 1, sizeof *attribute); // the scene keeps what a mesh points to
    GtPrimitive* primitive = gt_scene_push(scene, 1, sizeof *primitive);
    *attribute = (GtAttribute){ .name = "POSITION" };
    *primitive = (GtPrimitive){
        .mode = GT_MODE_POINTS, .indices = GT_NONE, .material = GT_NONE, .attributes = attribute, .attribute_count = 1
    };
    GtMesh mesh = { .name = "ball", .primitives = primitive, .primitive_count = 1 };
    GtNode node = gt_default_node();
    node.parent = GT_HUMANOID_HEAD;
    for (int i = 0; i < count; ++i) { // a spiral from pole to pole
        float y = 1.0f - 2.0f * ((float)i + 0.5f) / (float)count;
        float across = sqrtf(1.0f - y * y);
        points[i][0] = middle.x + radius * across * cosf(2.39996f * (float)i);
        points[i][1] = middle.y + radius * y;
        points[i][2] = middle.z + radius * across * sinf(2.39996f * (float)i);
    }
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, points, (uint64_t)count,
                                   &attribute->accessor, &error));
    GT_EXPECT_OK(gt_scene_add_mesh(scene, &mesh, &node.mesh, &error));
    GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
}

static void test_hair_to_one_side_is_no_turned_head(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* body = make_body(&context);
    GtRetargetPose pose;
    GtRestAngles angles;
    add_ball(body, 100, gt_vec3(0.09f, 0.06f, 0.03f), 0.05f);
    find(&context, body, &pose, &angles);
    assert_true(angles.head_yaw_rad == 0.0f && angles.head_tilt_rad == 0.0f);
    body->nodes[GT_HUMANOID_HEAD].local.rotation = hold_of(20.0, -10.0);
    find(&context, body, &pose, &angles);
    GT_EXPECT_NEAR(gt_degrees((double)angles.head_yaw_rad), 20.0, 3.0);
    GT_EXPECT_NEAR(gt_degrees((double)angles.head_tilt_rad), -10.0, 3.0);
    gt_scene_destroy(body);
}

static void test_a_ball_shows_nothing(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* body = make_person(&context, gt_default_person_def());
    GtRetargetPose pose;
    GtRestAngles angles;
    add_ball(body, BALL_POINTS, gt_vec3(0.01f, 0.1f, 0.02f), 0.1f);
    body->nodes[GT_HUMANOID_HEAD].local.rotation = hold_of(30.0, 10.0);
    find(&context, body, &pose, &angles);
    assert_true(angles.head_yaw_rad == 0.0f && angles.head_tilt_rad == 0.0f);
    gt_scene_destroy(body);
}

static GtVec3 eye_line(const GtContext* context, GtScene* scene, double time_s)
{
    Player p = open_player(context, scene, 0);
    GtVec3 left = joint_at(&p, "leftEye", time_s);
    GtVec3 right = joint_at(&p, "rightEye", time_s);
    close_player(&p);
    return gt_vec3_normalize_or(gt_vec3_sub(left, right), gt_vec3(0.0f, 0.0f, 0.0f));
}

static void test_a_motion_holds_the_head_as_that_of_the_straight_figure(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = bare_retarget_def();
    GtScene* motion = make_motion(&context, GT_MOTION_WALK, gt_default_person_def());
    GtScene* straight = make_body(&context);
    GtScene* aside = make_body(&context);
    aside->nodes[GT_HUMANOID_HEAD].local.rotation = hold_of(30.0, 12.0);
    GtScene* expected = carry(&context, motion, straight, &def, NULL);
    GtScene* out = carry(&context, motion, aside, &def, NULL);
    for (int k = 0; k < 5; ++k) {
        GtVec3 wanted = eye_line(&context, expected, 0.2 * k), got = eye_line(&context, out, 0.2 * k);
        GT_EXPECT_NEAR(gt_vec3_dot(wanted, got), 1.0f, 5e-4f); // 1.8 degrees
    }
    gt_scene_destroy(out);
    gt_scene_destroy(expected);
    gt_scene_destroy(aside);
    gt_scene_destroy(straight);
    gt_scene_destroy(motion);
}

static void test_what_is_seen_is_said(void** state)
{
    (void)state;
    char text[GT_REST_ANGLES_TEXT_SIZE];
    GtRestAngles angles = { 0 };
    assert_string_equal(gt_rest_angles_describe(&angles, text), "");
    angles.left_arm_raise_rad = -0.8f;
    angles.right_arm_raise_rad = -0.7f;
    angles.left_elbow_bend_rad = 0.4f;
    assert_string_equal(gt_rest_angles_describe(&angles, text), "");
    angles = (GtRestAngles){ .head_yaw_rad = 0.35f,
                             .head_tilt_rad = -0.175f,
                             .left_arm_raise_rad = -1.0f,
                             .right_arm_raise_rad = 0.4f,
                             .right_elbow_bend_rad = 1.0f,
                             .left_thigh_forward_rad = 0.5f,
                             .left_knee_bend_rad = 0.6f,
                             .right_knee_bend_rad = 0.9f,
                             .legs_cross = true };
    assert_string_equal(
        gt_rest_angles_describe(&angles, text),
        "the head is turned by 20 degrees to its left and tilted by 10 to its right; the right arm is "
        "raised by 80 degrees more than the other; the right elbow is bent by 57 degrees; the left "
        "thigh is 29 degrees in front of the other; the legs cross; the knees are bent by 34 (left) and "
        "52 degrees (right)");
    angles = (GtRestAngles){ .left_knee_bend_rad = 0.6f, .right_knee_bend_rad = 0.61f };
    assert_string_equal(gt_rest_angles_describe(&angles, text), "the knees are bent by 35 degrees");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_angles_are_those_it_was_turned_by),
        cmocka_unit_test(test_hair_to_one_side_is_no_turned_head),
        cmocka_unit_test(test_a_ball_shows_nothing),
        cmocka_unit_test(test_a_motion_holds_the_head_as_that_of_the_straight_figure),
        cmocka_unit_test(test_what_is_seen_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

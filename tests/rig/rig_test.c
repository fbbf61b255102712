// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// From a bare mesh to a character, through the public door: nothing moves at rest, every vertex has weights, parts stay
// together, and any allocation may fail.

#include "gertie/rig.h"

#include "gertie/accessor.h"
#include "gertie/build.h"
#include "gertie/instance.h"
#include "gertie/person.h"

#include "support/test.h"

#include "rig/boxes.h"

#include <stdlib.h>

static GtScene* make_scan(const GtContext* context, GtUpAxis up)
{
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = 2000;
    def.scan.bare = true;
    def.scan.up_axis = up;
    GT_EXPECT_OK(gt_sample_person(context, &def, &scene, NULL, &error));
    return scene;
}

static GtVec3* read_vectors(const GtScene* scene, int32_t accessor)
{
    size_t count = (size_t)scene->accessors[accessor].count;
    GtVec3* vectors = malloc(count * sizeof *vectors);
    gt_accessor_read_floats(scene, accessor, 0, count, &vectors[0].x);
    return vectors;
}

static const GtPrimitive* primitive_of(const GtScene* scene, int32_t mesh)
{
    return &scene->meshes[mesh].primitives[0];
}

// The first mesh as the runtime poses it.
static GtVec3* pose(const GtContext* context, const GtScene* scene, const char* joint, GtQuat turn)
{
    GtError error = { 0 };
    GtCharacter* character = NULL;
    GtInstance* instance = NULL;
    GtBuildDef def = gt_default_build_def();
    GT_EXPECT_OK(gt_character_build(context, scene, &def, &character, NULL, &error));
    GT_EXPECT_OK(gt_instance_create(context->allocator, character, &instance, &error));
    if (joint) {
        GtQuat* rotation = &instance->pose[gt_character_find_node(character, joint)].rotation;
        *rotation = gt_quat_mul(turn, *rotation);
    }
    gt_instance_update(instance);
    GtVec3* points = malloc((size_t)gt_character_def(character)->meshes[0].vertex_count * sizeof *points);
    gt_instance_deform(instance, 0, points, NULL, NULL);
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    return points;
}

static void expect_weights(const GtScene* scene, int32_t mesh)
{
    const GtPrimitive* primitive = primitive_of(scene, mesh);
    int32_t accessor = gt_primitive_find(primitive, "WEIGHTS_0");
    assert_true(accessor != GT_NONE);
    uint64_t count = scene->accessors[accessor].count;
    assert_int_equal(count, scene->accessors[gt_primitive_find(primitive, "POSITION")].count);
    float* weights = malloc(4 * (size_t)count * sizeof *weights);
    gt_accessor_read_floats(scene, accessor, 0, count, weights);
    for (uint64_t i = 0; i < count; ++i) {
        const float* w = &weights[4 * i];
        GT_EXPECT_NEAR(w[0] + w[1] + w[2] + w[3], 1.0, 1e-5);
        assert_true(w[0] >= w[1] && w[1] >= w[2] && w[2] >= w[3] && w[3] >= 0.0f);
    }
    free(weights);
}

static void nothing_moves_at_rest(void** state)
{
    (void)state;
    GtError error = { 0 };
    GtContext context = gt_default_context();
    GtScene* scan = make_scan(&context, GT_UP_Y);
    GtScene* rigged = NULL;
    GtRigReport report;
    GT_EXPECT_OK(gt_rig(&context, scan, NULL, &rigged, &report, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, rigged, &error));
    expect_weights(rigged, 0);
    assert_int_equal(rigged->mesh_count, scan->mesh_count);
    assert_non_null(rigged->humanoid);
    int32_t positions = gt_primitive_find(primitive_of(scan, 0), "POSITION");
    assert_int_equal(gt_primitive_find(primitive_of(rigged, 0), "POSITION"), positions); // to the bit
    GtVec3* before = read_vectors(scan, positions);
    GtVec3* after = pose(&context, rigged, NULL, gt_quat_identity());
    GtVec3* bent = pose(&context, rigged, "leftLowerArm", gt_quat_from_axis_angle(gt_vec3(0.0f, 0.0f, 1.0f), 1.0f));
    float moved_hand = 0.0f;
    for (uint64_t i = 0; i < scan->accessors[positions].count; ++i) {
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(after[i], before[i])), 0.0, 1e-5);
        float moved = gt_vec3_length(gt_vec3_sub(bent[i], before[i]));
        moved_hand = fmaxf(moved_hand, moved);
        if (before[i].x < 0.2f) { // the other side of the shoulder
            GT_EXPECT_NEAR(moved, 0.0, 1e-5);
        }
    }
    assert_true(moved_hand > 0.3f);
    free(before);
    free(after);
    free(bent);
    gt_scene_destroy(rigged);
    gt_scene_destroy(scan);
}

// A mesh without normals gets smooth ones, in the space of the rigged scene; given ones are kept.
static void expect_normals(const GtScene* scan, const GtScene* rigged)
{
    int32_t given = gt_primitive_find(primitive_of(scan, 0), "NORMAL");
    int32_t made = gt_primitive_find(primitive_of(rigged, 0), "NORMAL");
    assert_int_equal(given, GT_NONE);
    assert_true(made != GT_NONE);
    GtVec3* normals = read_vectors(rigged, made);
    GtVec3* points = read_vectors(rigged, gt_primitive_find(primitive_of(rigged, 0), "POSITION"));
    for (uint64_t i = 0; i < rigged->accessors[made].count; ++i) {
        GT_EXPECT_NEAR(gt_vec3_length(normals[i]), 1.0, 1e-4);
        assert_true(points[i].y < 1.74f || normals[i].y > 0.7f); // the crown looks up
    }
    free(normals);
    free(points);
}

// Of a figure whose numbers have Z up, the rigged one stands.
static void lying_figures_stand_up(void** state)
{
    (void)state;
    GtError error = { 0 };
    GtContext context = gt_default_context();
    GtScene* scan = make_scan(&context, GT_UP_Z);
    GtScene* rigged = NULL;
    GtRigReport report;
    GT_EXPECT_OK(gt_rig(&context, scan, NULL, &rigged, &report, &error));
    assert_int_equal(report.up, GT_RIG_AXIS_Z);
    assert_true(report.joints[GT_HUMANOID_HEAD].y > report.joints[GT_HUMANOID_LEFT_FOOT].y + 1.0f);
    assert_true(report.joints[GT_HUMANOID_LEFT_TOES].z > report.joints[GT_HUMANOID_LEFT_FOOT].z + 0.05f);
    GtVec3* points = pose(&context, rigged, NULL, gt_quat_identity());
    float highest = 0.0f;
    for (uint64_t i = 0; i < scan->accessors[gt_primitive_find(primitive_of(scan, 0), "POSITION")].count; ++i) {
        highest = fmaxf(highest, points[i].y);
    }
    GT_EXPECT_NEAR(highest, 1.75, 0.01);
    expect_normals(scan, rigged);
    free(points);
    gt_scene_destroy(rigged);
    gt_scene_destroy(scan);
}

// One mesh at two nodes, one of them far down under a turned parent, with a morph target: each gets weights of its own.
static void nodes_and_morphs_are_kept(void** state)
{
    (void)state;
    GtError error = { 0 };
    GtContext context = gt_default_context();
    GtScene* scan = make_scan(&context, GT_UP_Z);
    const GtPrimitive* old = primitive_of(scan, 0);
    GtVec3* shifts = read_vectors(scan, gt_primitive_find(old, "POSITION"));
    uint64_t count = scan->accessors[gt_primitive_find(old, "POSITION")].count;
    for (uint64_t i = 0; i < count; ++i) {
        shifts[i] = gt_vec3(0.0f, 0.0f, 0.1f); // up, as the mesh has it
    }
    GtAttribute* shift = gt_scene_push(scan, 2, sizeof *shift);
    GtMorphTarget* target = gt_scene_push(scan, 1, sizeof *target);
    GtPrimitive* primitive = gt_scene_push(scan, 1, sizeof *primitive);
    shift->name = "POSITION";
    GT_EXPECT_OK(gt_scene_add_data(scan, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, shifts, count,
                                   &shift->accessor, &error));
    shift[1] = (GtAttribute){ "NORMAL", shift[0].accessor }; // differences of directions, which no scale changes
    *target = (GtMorphTarget){ shift, 2 };
    *primitive = *old;
    primitive->targets = target;
    scan->meshes[0].primitives = primitive;
    scan->meshes[0].target_count = 1;
    GtNode parent = gt_default_node();
    int32_t above;
    GT_EXPECT_OK(gt_scene_add_node(scan, &parent, &above, &error));
    GtNode twin = gt_default_node();
    twin.parent = above;
    twin.mesh = 0;
    GT_EXPECT_OK(gt_scene_add_node(scan, &twin, NULL, &error));
    GtScene* rigged = NULL;
    GtRigDef def = gt_default_rig_def();
    GtRigReport report;
    GT_EXPECT_OK(gt_rig(&context, scan, &def, &rigged, &report, &error));
    gt_scene_destroy(rigged);
    def.body_height_m = 3.0 * report.height_m;
    GT_EXPECT_OK(gt_rig(&context, scan, &def, &rigged, NULL, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, rigged, &error));
    assert_int_equal(rigged->mesh_count, 2);
    for (int32_t m = 0; m < 2; ++m) {
        expect_weights(rigged, m);
        assert_int_equal(rigged->meshes[m].target_count, 1);
        for (int a = 0; a < 2; ++a) {
            GtVec3* turned = read_vectors(rigged, primitive_of(rigged, m)->targets[0].attributes[a].accessor);
            GT_EXPECT_NEAR(turned[0].y, a == 0 ? 0.3 : 0.1, 1e-6);
            free(turned);
        }
    }
    for (int32_t i = 0; i < rigged->node_count; ++i) {
        assert_true(rigged->nodes[i].mesh == GT_NONE ||
                    (rigged->nodes[i].parent == GT_NONE && rigged->nodes[i].skin == 0));
    }
    free(shifts);
    gt_scene_destroy(rigged);
    gt_scene_destroy(scan);
}

// A body of a height that was asked for is the same body, larger: points, joints and what targets shift.
static void a_height_scales_the_body(void** state)
{
    (void)state;
    GtError error = { 0 };
    GtContext context = gt_default_context();
    GtScene* scan = make_scan(&context, GT_UP_Z);
    GtScene* scenes[2] = { NULL, NULL };
    GtVec3* points[2];
    GtRigReport reports[2];
    GtRigDef def = gt_default_rig_def();
    for (int i = 0; i < 2; ++i) {
        GT_EXPECT_OK(gt_rig(&context, scan, &def, &scenes[i], &reports[i], &error));
        GT_EXPECT_OK(gt_scene_validate(&context, scenes[i], &error));
        points[i] = pose(&context, scenes[i], NULL, gt_quat_identity());
        def.body_height_m = 2.5 * reports[0].height_m;
    }
    GT_EXPECT_NEAR(reports[1].height_m, 2.5 * reports[0].height_m, 1e-5);
    assert_memory_equal(&reports[0].confidence, &reports[1].confidence, sizeof reports[0].confidence);
    int32_t accessor = gt_primitive_find(primitive_of(scenes[0], 0), "POSITION");
    for (uint64_t i = 0; i < scenes[0]->accessors[accessor].count; ++i) {
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(gt_vec3_scale(points[0][i], 2.5f), points[1][i])), 0.0, 1e-5);
    }
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        GtVec3 place = gt_vec3_scale(reports[0].joints[j], 2.5f);
        assert_true(!(gt_vec3_length(gt_vec3_sub(place, reports[1].joints[j])) > 1e-5f)); // NaN where there is none
    }
    GtVec3* normals[2];
    for (int i = 0; i < 2; ++i) {
        normals[i] = read_vectors(scenes[i], gt_primitive_find(primitive_of(scenes[i], 0), "NORMAL"));
    }
    GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(normals[0][7], normals[1][7])), 0.0, 1e-6);
    for (int i = 0; i < 2; ++i) {
        free(points[i]);
        free(normals[i]);
        gt_scene_destroy(scenes[i]);
    }
    gt_scene_destroy(scan);
}

// Without fingers the hands are the same places, and the report says why there are none.
static void fingers_can_be_left_out(void** state)
{
    (void)state;
    GtError error = { 0 };
    GtContext context = gt_default_context();
    GtScene* scan = make_scan(&context, GT_UP_Y);
    GtRigDef def = gt_default_rig_def();
    GtRigReport reports[2];
    for (int i = 0; i < 2; ++i) {
        GtScene* rigged = NULL;
        def.fingers = i == 0 ? GT_RIG_FINGERS_AUTO : GT_RIG_FINGERS_NONE;
        GT_EXPECT_OK(gt_rig(&context, scan, &def, &rigged, &reports[i], &error));
        GT_EXPECT_OK(gt_scene_validate(&context, rigged, &error));
        assert_int_equal(rigged->skins[0].joint_count, reports[i].joint_count);
        gt_scene_destroy(rigged);
    }
    assert_int_equal(reports[0].joint_count - reports[1].joint_count, 3 * reports[0].finger_count);
    assert_int_equal(reports[1].finger_count, 0);
    for (int side = 0; side < 2; ++side) {
        assert_true((reports[0].hand_fingers[side] == 0) == (reports[0].no_fingers[side][0] != '\0'));
        assert_string_equal(reports[1].no_fingers[side], "none were asked for");
        GtHumanoidJoint hand = side ? GT_HUMANOID_RIGHT_HAND : GT_HUMANOID_LEFT_HAND;
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(reports[0].joints[hand], reports[1].joints[hand])), 0.0, 0.0);
    }
    gt_scene_destroy(scan);
}

static int32_t add_joint(GtScene* scene, const char* name, int32_t parent, GtVec3 offset)
{
    GtError error = { 0 };
    GtNode node = gt_default_node();
    int32_t added;
    node.name = name;
    node.parent = parent;
    node.local.translation = offset;
    GT_EXPECT_OK(gt_scene_add_node(scene, &node, &added, &error));
    return added;
}

// The joints of a dog whose head is up and whose tail hangs, with a root on the ground.
static GtScene* make_dog_joints(GtQuat facing)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(&context, &scene, &error));
    int32_t root = add_joint(scene, "root", GT_NONE, gt_vec3(0, 0, 0));
    scene->nodes[root].local.rotation = facing;
    int32_t hips = add_joint(scene, "rump", root, gt_vec3(0, 0.55f, -0.35f));
    int32_t chest = add_joint(scene, "breast", hips, gt_vec3(0, 0, 0.7f));
    int32_t neck = add_joint(scene, "nape", chest, gt_vec3(0, 0.2f, 0.1f));
    add_joint(scene, "skull", neck, gt_vec3(0, 0.2f, 0.1f));
    int32_t tail = add_joint(scene, "tail", hips, gt_vec3(0, -0.05f, -0.2f));
    add_joint(scene, "tail end", tail, gt_vec3(0, 0, -0.2f));
    for (int i = 0; i < 4; ++i) {
        int32_t leg = add_joint(scene, "leg", i < 2 ? hips : chest, gt_vec3(i % 2 ? -0.12f : 0.12f, -0.1f, 0));
        int32_t shank = add_joint(scene, "shank", leg, gt_vec3(0, -0.2f, 0));
        add_joint(scene, "paw", shank, gt_vec3(0, -0.2f, 0));
    }
    return scene;
}

// Over the ground, in the scene.
static float height_of(const GtScene* scene, const char* name)
{
    int32_t at = 0;
    while (at < scene->node_count && (!scene->nodes[at].name || strcmp(scene->nodes[at].name, name) != 0)) {
        ++at;
    }
    GtVec3 p = gt_vec3(0, 0, 0);
    for (; at != GT_NONE; at = scene->nodes[at].parent) {
        GtTransform local = scene->nodes[at].local;
        p = gt_vec3_add(local.translation, gt_quat_rotate(local.rotation, gt_vec3_mul(local.scale, p)));
    }
    return p.y;
}

// An animal's skeleton that faces backwards in its file: its head goes into the head all the same.
static void creatures_face_either_way(void** state)
{
    (void)state;
    const Box boxes[] = {
        { { -0.17f, 0.42f, -0.45f }, { 0.17f, 0.7f, 0.45f } }, { { -0.08f, 0.6f, 0.36f }, { 0.08f, 0.95f, 0.52f } },
        { { -0.1f, 0.85f, 0.4f }, { 0.1f, 1.03f, 0.7f } },     { { -0.04f, 0.45f, -0.85f }, { 0.04f, 0.53f, -0.4f } },
        { { 0.07f, 0.0f, -0.4f }, { 0.17f, 0.5f, -0.3f } },    { { -0.17f, 0.0f, -0.4f }, { -0.07f, 0.5f, -0.3f } },
        { { 0.07f, 0.0f, 0.3f }, { 0.17f, 0.5f, 0.4f } },      { { -0.17f, 0.0f, 0.3f }, { -0.07f, 0.5f, 0.4f } },
    };
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* dog = boxes_scene(boxes, 8);
    GtScene* joints = make_dog_joints(gt_quat_from_axis_angle(gt_vec3(0, 1, 0), 3.14159265f));
    GtScene* rigged = NULL;
    GtRigDef def = gt_default_rig_def();
    def.skeleton = joints;
    def.up = GT_RIG_AXIS_Y;
    def.weights = GT_RIG_WEIGHTS_RIGID;
    GT_EXPECT_OK(gt_rig(&context, dog, &def, &rigged, NULL, &error));
    assert_true(height_of(rigged, "skull") > 0.8f);
    assert_true(height_of(rigged, "tail end") < 0.6f);
    gt_scene_destroy(rigged);
    gt_scene_destroy(joints);
    gt_scene_destroy(dog);
}

// Feet that are hidden, and a little farther behind than the shanks: how a person fits tells the front.
static void a_person_without_feet_faces_the_front(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scan = make_scan(&context, GT_UP_Y);
    const GtPrimitive* primitive = primitive_of(scan, 0);
    GtAccessor* positions = &scan->accessors[gt_primitive_find(primitive, "POSITION")];
    GtVec3* points = read_vectors(scan, gt_primitive_find(primitive, "POSITION"));
    for (uint64_t i = 0; i < positions->count; ++i) {
        points[i].y = fmaxf(points[i].y, 0.12f);
        points[i].z -= 0.2f * fmaxf(0.3f - points[i].y, 0.0f);
    }
    GtAttribute* attribute = gt_scene_push(scan, 1, sizeof *attribute);
    attribute->name = "POSITION";
    GT_EXPECT_OK(gt_scene_add_data(scan, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, points, positions->count,
                                   &attribute->accessor, &error));
    GtPrimitive* footless = gt_scene_push(scan, 1, sizeof *footless);
    *footless = *primitive;
    footless->attributes = attribute;
    footless->attribute_count = 1;
    scan->meshes[0].primitives = footless;
    GtScene* rigged = NULL;
    GtRigReport report;
    GT_EXPECT_OK(gt_rig(&context, scan, NULL, &rigged, &report, &error));
    assert_int_equal(report.front, GT_RIG_AXIS_Z);
    free(points);
    gt_scene_destroy(rigged);
    gt_scene_destroy(scan);
}

static void any_allocation_may_fail(void** state)
{
    (void)state;
    GtError error = { 0 };
    GtContext plain = gt_default_context();
    GtScene* scan = make_scan(&plain, GT_UP_Y);
    TestAllocator counter = { .remaining = -1 };
    GtContext context = plain;
    context.allocator = test_allocator(&counter);
    GtScene* rigged = NULL;
    GT_EXPECT_OK(gt_rig(&context, scan, NULL, &rigged, NULL, &error));
    gt_scene_destroy(rigged);
    assert_int_equal(counter.alive, 0);
    int64_t made = counter.made;
    for (int64_t i = 0; i < made; i += made / 8 + 1) {
        counter = (TestAllocator){ .remaining = i };
        GT_EXPECT_ERROR(gt_rig(&context, scan, NULL, &rigged, NULL, &error), GT_ERROR_OUT_OF_MEMORY, "memory");
        assert_null(rigged);
        assert_int_equal(counter.alive, 0);
    }
    gt_scene_destroy(scan);
}

static void wrong_wishes_are_refused(void** state)
{
    (void)state;
    GtError error = { 0 };
    GtContext context = gt_default_context();
    GtScene* scan = make_scan(&context, GT_UP_Y);
    GtScene* rigged = NULL;
    GtRigDef def = gt_default_rig_def();
    def.influences = 0;
    GT_EXPECT_ERROR(gt_rig(&context, scan, &def, &rigged, NULL, &error), GT_ERROR_BAD_VALUE,
                    "influences takes a whole number from 1 to 16, not 0");
    def = gt_default_rig_def();
    def.min_confidence = NAN;
    GT_EXPECT_ERROR(gt_rig(&context, scan, &def, &rigged, NULL, &error), GT_ERROR_BAD_VALUE, "0 to 1");
    def = gt_default_rig_def();
    def.up = GT_RIG_AXIS_Y;
    def.front = GT_RIG_AXIS_MINUS_Y;
    GT_EXPECT_ERROR(gt_rig(&context, scan, &def, &rigged, NULL, &error), GT_ERROR_BAD_VALUE, "one axis");
    def = gt_default_rig_def();
    GtRigJoint nowhere = { "hips", { NAN, 0.0f, 0.0f } };
    def.joints = &nowhere;
    def.joint_count = 1;
    GT_EXPECT_ERROR(gt_rig(&context, scan, &def, &rigged, NULL, &error), GT_ERROR_BAD_VALUE, "'hips' is not finite");
    assert_null(rigged);
    gt_scene_destroy(scan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_moves_at_rest),
        cmocka_unit_test(lying_figures_stand_up),
        cmocka_unit_test(nodes_and_morphs_are_kept),
        cmocka_unit_test(a_height_scales_the_body),
        cmocka_unit_test(fingers_can_be_left_out),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(wrong_wishes_are_refused),
        cmocka_unit_test(creatures_face_either_way),
        cmocka_unit_test(a_person_without_feet_faces_the_front),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

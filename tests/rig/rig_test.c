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
    gt_instance_destroy(context->allocator, instance);
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
    GtAttribute* shift = gt_scene_push(scan, 1, sizeof *shift);
    GtMorphTarget* target = gt_scene_push(scan, 1, sizeof *target);
    GtPrimitive* primitive = gt_scene_push(scan, 1, sizeof *primitive);
    shift->name = "POSITION";
    GT_EXPECT_OK(gt_scene_add_data(scan, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, shifts, count,
                                   &shift->accessor, &error));
    *target = (GtMorphTarget){ shift, 1 };
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
    GT_EXPECT_OK(gt_rig(&context, scan, NULL, &rigged, NULL, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, rigged, &error));
    assert_int_equal(rigged->mesh_count, 2);
    for (int32_t m = 0; m < 2; ++m) {
        expect_weights(rigged, m);
        assert_int_equal(rigged->meshes[m].target_count, 1);
        GtVec3* turned = read_vectors(rigged, primitive_of(rigged, m)->targets[0].attributes[0].accessor);
        GT_EXPECT_NEAR(turned[0].y, 0.1, 1e-6);
        free(turned);
    }
    for (int32_t i = 0; i < rigged->node_count; ++i) {
        assert_true(rigged->nodes[i].mesh == GT_NONE ||
                    (rigged->nodes[i].parent == GT_NONE && rigged->nodes[i].skin == 0));
    }
    free(shifts);
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
    for (int64_t i = 0; i < made; i += made / 16 + 1) {
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
    GT_EXPECT_ERROR(gt_rig(&context, scan, &def, &rigged, NULL, &error), GT_ERROR_BAD_VALUE, "1 to 16 joints");
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
    GT_EXPECT_ERROR(gt_rig(&context, scan, &def, &rigged, NULL, &error), GT_ERROR_BAD_VALUE, "'hips' is nowhere");
    assert_null(rigged);
    gt_scene_destroy(scan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_moves_at_rest),     cmocka_unit_test(lying_figures_stand_up),
        cmocka_unit_test(nodes_and_morphs_are_kept), cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(wrong_wishes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

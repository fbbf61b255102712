// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One mesh follows the layers from pose to pose: it lies on them, muscles swell, joints keep their girth.

#include "support/test.h"

#include "gertie/accessor.h"
#include "gertie/person.h"

#include "geometry/trimesh.h"
#include "person/person.h"

#include <stdlib.h>

typedef struct Model {
    GtContext context;
    GtPersonDef def;
    GtScene* scene;
    GtPersonLayers* layers;
    int32_t vertex_count;
    GtVec3* rest;
    GtVec3* posed;
    uint32_t* indices;
    int32_t index_count;
    float (*joints)[4];
    float (*weights)[4];
    GtTransform pose[GT_HUMANOID_JOINT_COUNT];
} Model;

static void* read_floats(const GtScene* scene, const char* name, int components)
{
    int32_t accessor = gt_primitive_find(&scene->meshes[0].primitives[0], name);
    uint64_t count = scene->accessors[accessor].count;
    float* values = malloc((size_t)count * (size_t)components * sizeof(float));
    gt_accessor_read_floats(scene, accessor, 0, count, values);
    return values;
}

static Model make_model(GtPersonPose pose)
{
    GtError error;
    Model m = { .context = gt_default_context(), .def = gt_default_person_def() };
    m.def.triangle_count = 8000;
    m.def.pose = pose;
    GT_EXPECT_OK(gt_sample_person(&m.context, &m.def, &m.scene, NULL, &error));
    GT_EXPECT_OK(gt_person_layers_create(&m.context, &m.def, &m.layers, &error));
    m.vertex_count = gt_person_layers_vertex_count(m.layers);
    m.rest = read_floats(m.scene, "POSITION", 3);
    m.joints = read_floats(m.scene, "JOINTS_0", 4);
    m.weights = read_floats(m.scene, "WEIGHTS_0", 4);
    m.posed = malloc((size_t)m.vertex_count * sizeof *m.posed);
    int32_t indices = m.scene->meshes[0].primitives[0].indices;
    m.index_count = (int32_t)m.scene->accessors[indices].count;
    m.indices = malloc((size_t)m.index_count * sizeof *m.indices);
    gt_accessor_read_uints(m.scene, indices, 0, (uint64_t)m.index_count, m.indices);
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        m.pose[j] = m.scene->nodes[m.scene->humanoid->nodes[j]].local;
    }
    return m;
}

static void release(Model* m)
{
    gt_person_layers_destroy(m->layers);
    gt_scene_destroy(m->scene);
    free(m->rest);
    free(m->posed);
    free(m->indices);
    free(m->joints);
    free(m->weights);
}

static void turn(Model* m, GtHumanoidJoint joint, float x, float y, float z, double deg)
{
    GtQuat by = gt_quat_from_axis_angle(gt_vec3(x, y, z), (float)(deg * 0.017453292519943295));
    m->pose[joint].rotation = gt_quat_mul(by, m->pose[joint].rotation);
}

static void pose(Model* m)
{
    GtError error;
    memset(m->posed, 0xCD, (size_t)m->vertex_count * sizeof *m->posed);
    GT_EXPECT_OK(gt_person_layers_pose(&m->context, m->layers, m->pose, m->posed, NULL, &error));
}

static void model_matrices(const Model* m, GtMat34 out[GT_HUMANOID_JOINT_COUNT])
{
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t parent = gt_humanoid_parent((GtHumanoidJoint)j);
        GtMat34 local = gt_mat34_from_transform(m->pose[j]);
        out[j] = parent == GT_NONE ? local : gt_mat34_mul(out[parent], local);
    }
}

// The linear skin of the same pose, from the T-pose.
static void pose_linear(const Model* m, GtVec3* out)
{
    GtiSkeleton skeleton;
    GtMat34 model[GT_HUMANOID_JOINT_COUNT];
    GtMat34 pose_from_t[GT_HUMANOID_JOINT_COUNT];
    gti_person_skeleton(&m->def, &skeleton);
    model_matrices(m, model);
    gti_person_pose_from_t(&skeleton, model, pose_from_t);
    for (int32_t v = 0; v < m->vertex_count; ++v) {
        out[v] = gt_vec3(0.0f, 0.0f, 0.0f);
        for (int k = 0; k < 4; ++k) {
            GtVec3 p = gt_mat34_point(&pose_from_t[(int)m->joints[v][k]], m->rest[v]);
            out[v] = gt_vec3_add(out[v], gt_vec3_scale(p, m->weights[v][k]));
        }
    }
}

// How far from the layers of the pose vertices are, against how far they were from those of the T-pose: mean of those
// that a joint moves.
static double distance_from_layers(const Model* m, const GtVec3* positions, GtHumanoidJoint joint)
{
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiPerson* person = malloc(sizeof *person);
    assert_true(gti_person_prepare(&m->def, &arena, person));
    GtMat34 model[GT_HUMANOID_JOINT_COUNT];
    model_matrices(m, model);
    gti_layers_pose(&person->posed, model);
    double sum = 0.0;
    int count = 0;
    for (int32_t v = 0; v < m->vertex_count; ++v) {
        for (int k = 0; k < 4; ++k) {
            if ((int)m->joints[v][k] == (int)joint && m->weights[v][k] > 0.02f) {
                float before = gti_layers_value(&person->layers, m->rest[v]);
                sum += fabs((double)(gti_layers_value(&person->posed, positions[v]) - before));
                ++count;
            }
        }
    }
    free(person);
    gt_arena_destroy(&arena);
    return sum / count;
}

static double volume(const Model* m, GtVec3* positions)
{
    GtiTrimesh mesh = { positions, m->vertex_count, (int32_t(*)[3])m->indices, m->index_count / 3 };
    return gti_trimesh_shape(&mesh).volume_m3;
}

// Mean distance from the bone of the vertices that lie between two shares of its length at rest.
static double radius(const Model* m, const GtVec3* positions, GtHumanoidJoint joint, float from, float to)
{
    GtiSkeleton s;
    GtMat34 model[GT_HUMANOID_JOINT_COUNT];
    gti_person_skeleton(&m->def, &s);
    model_matrices(m, model);
    GtVec3 bone = gt_vec3_sub(s.tips[joint], s.joints[joint]);
    float length = gt_vec3_length(bone);
    GtVec3 start = positions == m->rest ? s.joints[joint] : gt_mat34_translation(&model[joint]);
    GtVec3 along = gt_vec3_scale(positions == m->rest ? bone : gt_mat34_vector(&model[joint], bone), 1.0f / length);
    GtVec3 rest_along = gt_vec3_scale(bone, 1.0f / length);
    double sum = 0.0;
    int count = 0;
    for (int32_t v = 0; v < m->vertex_count; ++v) {
        GtVec3 r = gt_vec3_sub(m->rest[v], s.joints[joint]);
        float at = gt_vec3_dot(r, rest_along) / length;
        if (at > from && at < to && gt_vec3_length(gt_vec3_sub(r, gt_vec3_scale(rest_along, at * length))) < 0.1f) {
            GtVec3 d = gt_vec3_sub(positions[v], start);
            d = gt_vec3_sub(d, gt_vec3_scale(along, gt_vec3_dot(d, along)));
            sum += (double)gt_vec3_length(d);
            ++count;
        }
    }
    assert_true(count > 20);
    return sum / count;
}

static void test_at_rest_it_is_the_skin(void** state)
{
    (void)state;
    Model m = make_model(GT_PERSON_POSE_T);
    assert_int_equal(m.vertex_count, m.scene->accessors[0].count);
    pose(&m);
    for (int32_t v = 0; v < m.vertex_count; ++v) {
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(m.posed[v], m.rest[v])), 0.0, 1e-5);
    }
    release(&m);
}

// The A-pose is one pose of many: the T-pose's mesh comes close to the skin that was made for it.
static void test_the_a_pose_is_near_its_own_skin(void** state)
{
    (void)state;
    Model m = make_model(GT_PERSON_POSE_A);
    pose(&m);
    double sum = 0.0;
    for (int32_t v = 0; v < m.vertex_count; ++v) {
        sum += (double)gt_vec3_length(gt_vec3_sub(m.posed[v], m.rest[v]));
    }
    assert_true(sum / m.vertex_count < 0.002);
    release(&m);
}

static void test_a_bent_elbow_swells_the_biceps(void** state)
{
    (void)state;
    Model m = make_model(GT_PERSON_POSE_T);
    double before = radius(&m, m.rest, GT_HUMANOID_LEFT_UPPER_ARM, 0.55f, 0.75f);
    double other = radius(&m, m.rest, GT_HUMANOID_RIGHT_UPPER_ARM, 0.55f, 0.75f);
    GT_EXPECT_NEAR(before, other, 1e-4);
    turn(&m, GT_HUMANOID_LEFT_LOWER_ARM, 0.0f, 1.0f, 0.0f, -90.0);
    pose(&m);
    double growth = radius(&m, m.posed, GT_HUMANOID_LEFT_UPPER_ARM, 0.55f, 0.75f) / before;
    assert_true(growth > 1.03 && growth < 1.25);
    GT_EXPECT_NEAR(radius(&m, m.posed, GT_HUMANOID_RIGHT_UPPER_ARM, 0.55f, 0.75f) / other, 1.0, 1e-3);
    release(&m);
}

// Closer to the layers than the linear skin, and no flesh is lost.
static void test_bent_limbs_stay_on_the_layers(void** state)
{
    (void)state;
    Model m = make_model(GT_PERSON_POSE_T);
    GtVec3* linear = malloc((size_t)m.vertex_count * sizeof *linear);
    double rest = volume(&m, m.rest);
    turn(&m, GT_HUMANOID_LEFT_LOWER_ARM, 0.0f, 1.0f, 0.0f, -110.0);
    turn(&m, GT_HUMANOID_RIGHT_LOWER_ARM, 0.0f, 1.0f, 0.0f, 60.0);
    turn(&m, GT_HUMANOID_LEFT_LOWER_LEG, 1.0f, 0.0f, 0.0f, 90.0);
    pose(&m);
    pose_linear(&m, linear);
    const GtHumanoidJoint joints[] = { GT_HUMANOID_LEFT_LOWER_ARM, GT_HUMANOID_RIGHT_LOWER_ARM,
                                       GT_HUMANOID_LEFT_LOWER_LEG };
    for (size_t i = 0; i < sizeof joints / sizeof joints[0]; ++i) {
        double sections = distance_from_layers(&m, m.posed, joints[i]);
        assert_true(sections < 0.0005 && sections < 0.3 * distance_from_layers(&m, linear, joints[i]));
    }
    double lost = rest - volume(&m, linear);
    assert_true(fabs(rest - volume(&m, m.posed)) < 0.01 * rest && lost > 0.0 &&
                rest - volume(&m, m.posed) < 0.5 * lost);
    free(linear);
    release(&m);
}

// The section just before the wrist keeps its girth while the hand is turned; that of the linear skin narrows.
static void test_a_turned_hand_does_not_wring_the_wrist(void** state)
{
    (void)state;
    Model m = make_model(GT_PERSON_POSE_T);
    GtVec3* linear = malloc((size_t)m.vertex_count * sizeof *linear);
    double before = radius(&m, m.rest, GT_HUMANOID_LEFT_LOWER_ARM, 0.9f, 1.0f);
    turn(&m, GT_HUMANOID_LEFT_HAND, 1.0f, 0.0f, 0.0f, 150.0);
    pose(&m);
    pose_linear(&m, linear);
    GT_EXPECT_NEAR(radius(&m, m.posed, GT_HUMANOID_LEFT_LOWER_ARM, 0.9f, 1.0f) / before, 1.0, 0.12);
    assert_true(radius(&m, linear, GT_HUMANOID_LEFT_LOWER_ARM, 0.9f, 1.0f) / before < 0.85);
    free(linear);
    release(&m);
}

// Moving the stage turns nothing.
static void test_the_whole_person_may_go_anywhere(void** state)
{
    (void)state;
    GtError error;
    Model m = make_model(GT_PERSON_POSE_T);
    turn(&m, GT_HUMANOID_LEFT_LOWER_ARM, 0.0f, 1.0f, 0.0f, -70.0);
    pose(&m);
    GtVec3* here = malloc((size_t)m.vertex_count * sizeof *here);
    GtVec3* normals = malloc((size_t)m.vertex_count * sizeof *normals);
    memcpy(here, m.posed, (size_t)m.vertex_count * sizeof *here);
    GtQuat about = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), 2.0f);
    GtVec3 away = gt_vec3(3.0f, 0.0f, -7.0f);
    m.pose[GT_HUMANOID_HIPS].rotation = about;
    m.pose[GT_HUMANOID_HIPS].translation =
        gt_vec3_add(gt_quat_rotate(about, m.pose[GT_HUMANOID_HIPS].translation), away);
    GT_EXPECT_OK(gt_person_layers_pose(&m.context, m.layers, m.pose, m.posed, normals, &error));
    for (int32_t v = 0; v < m.vertex_count; ++v) {
        GtVec3 moved = gt_vec3_add(gt_quat_rotate(about, here[v]), away);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(m.posed[v], moved)), 0.0, 2e-4);
        GT_EXPECT_NEAR(gt_vec3_length(normals[v]), 1.0, 1e-4);
    }
    free(here);
    free(normals);
    release(&m);
}

static void test_what_is_no_pose_is_refused(void** state)
{
    (void)state;
    GtError error;
    GtPersonLayers* layers = NULL;
    Model m = make_model(GT_PERSON_POSE_T);
    m.pose[GT_HUMANOID_LEFT_FOOT].rotation.x = NAN;
    GT_EXPECT_ERROR(gt_person_layers_pose(&m.context, m.layers, m.pose, m.posed, NULL, &error), GT_ERROR_BAD_VALUE,
                    "leftFoot");
    m.def.scan.bare = true;
    GT_EXPECT_ERROR(gt_person_layers_create(&m.context, &m.def, &layers, &error), GT_ERROR_BAD_VALUE, "bare");
    assert_null(layers);
    release(&m);
}

static void test_allocations_may_fail(void** state)
{
    (void)state;
    GtError error;
    Model m = make_model(GT_PERSON_POSE_T);
    bool posed = false;
    for (int64_t allowed = 0; !posed; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtResult result = gt_person_layers_pose(&context, m.layers, m.pose, m.posed, NULL, &error);
        posed = result == GT_OK;
        assert_true(posed || result == GT_ERROR_OUT_OF_MEMORY);
        assert_int_equal(limited.alive, 0);
    }
    m.def.triangle_count = 2000;
    bool made = false;
    for (int64_t allowed = 0; !made; allowed += allowed < 8 ? 1 : 41) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtPersonLayers* layers = NULL;
        GtResult result = gt_person_layers_create(&context, &m.def, &layers, &error);
        made = result == GT_OK;
        assert_true(made || (result == GT_ERROR_OUT_OF_MEMORY && !layers));
        gt_person_layers_destroy(layers);
        assert_int_equal(limited.alive, 0);
    }
    release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_at_rest_it_is_the_skin),
        cmocka_unit_test(test_the_a_pose_is_near_its_own_skin),
        cmocka_unit_test(test_a_bent_elbow_swells_the_biceps),
        cmocka_unit_test(test_bent_limbs_stay_on_the_layers),
        cmocka_unit_test(test_a_turned_hand_does_not_wring_the_wrist),
        cmocka_unit_test(test_the_whole_person_may_go_anywhere),
        cmocka_unit_test(test_what_is_no_pose_is_refused),
        cmocka_unit_test(test_allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

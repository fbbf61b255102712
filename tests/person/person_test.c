// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The person is a body one can measure: closed, symmetric, well shaped, of the height and weight of a person, with its
// joints inside and its weights in order, whatever the parameters.

#include "support/test.h"

#include "gertie/accessor.h"
#include "gertie/person.h"
#include "gertie/surface.h"

#include "geometry/trimesh.h"
#include "person/person.h"

#include <stdlib.h>

// The mesh of a scene with vertices of the same place joined.
typedef struct Welded {
    int32_t vertex_count; // of the file
    GtVec3* vertices;
    GtiTrimesh mesh;
} Welded;

static float* read_floats(const GtScene* scene, const char* name, int32_t* count)
{
    int32_t accessor = gt_primitive_find(&scene->meshes[0].primitives[0], name);
    const GtAccessor* a = &scene->accessors[accessor];
    float* values = malloc((size_t)a->count * (size_t)gt_element_components(a->element_type) * sizeof(float));
    gt_accessor_read_floats(scene, accessor, 0, a->count, values);
    *count = (int32_t)a->count;
    return values;
}

static Welded weld(const GtScene* scene)
{
    GtContext context = gt_default_context();
    GtError error;
    Welded w = { 0 };
    w.vertices = (GtVec3*)read_floats(scene, "POSITION", &w.vertex_count);
    int32_t indices = scene->meshes[0].primitives[0].indices;
    uint64_t count = scene->accessors[indices].count;
    uint32_t* corners = malloc(count * sizeof *corners);
    gt_accessor_read_uints(scene, indices, 0, count, corners);
    int32_t* points = malloc((size_t)w.vertex_count * sizeof *points);
    int32_t* firsts = malloc((size_t)w.vertex_count * sizeof *firsts);
    GT_EXPECT_OK(
        gt_weld_vertices(&context, w.vertices, w.vertex_count, 0.0f, points, firsts, &w.mesh.vertex_count, &error));
    w.mesh.positions = malloc((size_t)w.mesh.vertex_count * sizeof *w.mesh.positions);
    for (int32_t p = 0; p < w.mesh.vertex_count; ++p) {
        w.mesh.positions[p] = w.vertices[firsts[p]];
    }
    w.mesh.triangle_count = (int32_t)(count / 3);
    w.mesh.triangles = malloc(count * sizeof(int32_t));
    for (uint64_t i = 0; i < count; ++i) {
        w.mesh.triangles[i / 3][i % 3] = points[corners[i]];
    }
    free(corners);
    free(points);
    free(firsts);
    return w;
}

static void release(Welded* w)
{
    free(w->vertices);
    free(w->mesh.positions);
    free(w->mesh.triangles);
}

static GtSurfaceReport survey(const GtiTrimesh* mesh)
{
    GtContext context = gt_default_context();
    GtError error;
    GtSurface surface = { mesh->positions, mesh->vertex_count, (const uint32_t*)mesh->triangles, mesh->triangle_count };
    GtSurfaceReport report;
    GT_EXPECT_OK(gt_surface_survey(&context, &surface, &report, &error));
    return report;
}

static int compare_points(const void* a, const void* b)
{
    const GtVec3* p = a;
    const GtVec3* q = b;
    if (p->y != q->y) {
        return p->y < q->y ? -1 : 1;
    }
    if (p->z != q->z) {
        return p->z < q->z ? -1 : 1;
    }
    return (p->x > q->x) - (p->x < q->x);
}

// Every vertex has a twin on the other side.
static void expect_symmetry(const GtiTrimesh* mesh)
{
    size_t size = (size_t)mesh->vertex_count * sizeof(GtVec3);
    GtVec3* here = malloc(size);
    GtVec3* there = malloc(size);
    memcpy(here, mesh->positions, size);
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        there[i] = gt_vec3(-here[i].x, here[i].y, here[i].z);
    }
    qsort(here, (size_t)mesh->vertex_count, sizeof *here, compare_points);
    qsort(there, (size_t)mesh->vertex_count, sizeof *there, compare_points);
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(here[i], there[i])), 0.0, 1e-5);
    }
    free(here);
    free(there);
}

// Its volume, in cubic metres.
static double expect_good_body(const GtPersonDef* def)
{
    TestLog log;
    GtContext context = test_context(&log);
    context.strict = true;
    GtError error;
    GtScene* scene = NULL;
    GtPersonReport report;
    GT_EXPECT_OK(gt_sample_person(&context, def, &scene, &report, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    Welded w = weld(scene);
    GtSurfaceReport surface = survey(&w.mesh);
    assert_true(surface.is_closed && surface.is_manifold && surface.is_oriented);
    assert_int_equal(surface.component_count, 1);
    assert_int_equal(w.mesh.vertex_count - surface.edge_count + w.mesh.triangle_count, 2); // no handles
    assert_int_equal(gti_trimesh_self_intersections(&w.mesh, context.allocator, NULL), 0);
    GT_EXPECT_NEAR((double)w.mesh.triangle_count / def->triangle_count, 1.0, 0.02);
    GT_EXPECT_NEAR(surface.min.y, 0.0, 0.004 * def->height_m); // soles on the ground
    GT_EXPECT_NEAR(surface.max.y / def->height_m, 1.0, 0.02);  // as tall as asked
    assert_true(gti_trimesh_shape(&w.mesh).sliver_share < 0.01);
    GT_EXPECT_NEAR(report.volume_m3, surface.volume, 1e-5);
    expect_symmetry(&w.mesh);
    release(&w);
    gt_scene_destroy(scene);
    return report.volume_m3;
}

// Sanitizers take ten times as long, and find what they find in fewer people.
enum {
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    SEEDS = 1,
    EXTREMES = 2,
    STRIDE = 31,
    FINE_TRIANGLES = 30000
#else
    SEEDS = 6,
    EXTREMES = 8,
    STRIDE = 5,
    FINE_TRIANGLES = 100000
#endif
};

static void test_the_default_person_is_a_good_body(void** state)
{
    (void)state;
    GtPersonDef def = gt_default_person_def();
    expect_good_body(&def);
}

static void test_a_fine_body_is_a_good_body(void** state)
{
    (void)state;
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = FINE_TRIANGLES;
    expect_good_body(&def);
}

static void test_the_a_pose_is_a_good_body(void** state)
{
    (void)state;
    GtPersonDef def = gt_default_person_def();
    def.pose = GT_PERSON_POSE_A;
    expect_good_body(&def);
}

// With few triangles too; which lose little of the volume.
static void test_people_of_all_kinds_are_good_bodies(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        GtPersonDef def = gt_random_person_def(seed);
        def.triangle_count = 4000 + 2000 * (int32_t)seed;
        double fine = expect_good_body(&def);
        def.triangle_count = 2000;
        GT_EXPECT_NEAR(expect_good_body(&def) / fine, 1.0, 0.03);
    }
}

// Each parameter at both ends, and all against each other, in both poses.
static void test_extremes_are_good_bodies(void** state)
{
    (void)state;
    for (int bits = 0; bits < 8; bits += 8 / EXTREMES) {
        GtPersonDef def = gt_default_person_def();
        def.height_m = bits & 1 ? 2.5 : 0.5;
        def.build = bits & 2 ? 2.0 : -1.0;
        def.muscle = bits & 1 ? 1.0 : 0.0;
        def.sex = bits & 4 ? 1.0 : 0.0;
        def.leg_length = bits & 2 ? 0.7 : 1.4;
        def.arm_length = bits & 4 ? 0.7 : 1.4;
        def.torso_length = bits & 1 ? 0.7 : 1.4;
        def.shoulder_width = bits & 2 ? 0.8 : 1.4;
        def.hip_width = bits & 4 ? 0.8 : 1.4;
        def.head_size = bits & 1 ? 0.7 : 1.4;
        def.hand_size = bits & 2 ? 0.7 : 1.4;
        def.foot_size = bits & 4 ? 0.7 : 1.4;
        def.triangle_count = 4000;
        for (int pose = GT_PERSON_POSE_T; pose <= GT_PERSON_POSE_A; ++pose) {
            def.pose = (GtPersonPose)pose;
            expect_good_body(&def);
        }
    }
}

static void test_the_body_weighs_what_a_person_weighs(void** state)
{
    (void)state;
    // Winter's table 4.1: share of the mass of head and neck, trunk, upper arms, forearms, hands, thighs, shanks, feet.
    const double winter[GT_PERSON_SEGMENT_COUNT] = { 0.081, 0.497, 0.056, 0.032, 0.012, 0.200, 0.093, 0.029 };
    const struct {
        double build, low_kg, high_kg;
    } builds[] = { { -1.0, 50.0, 70.0 }, { 0.0, 68.0, 82.0 }, { 1.0, 95.0, 135.0 }, { 2.0, 130.0, 170.0 } };
    GtContext context = gt_default_context();
    GtError error;
    for (size_t i = 0; i < sizeof builds / sizeof builds[0]; ++i) {
        GtScene* scene = NULL;
        GtPersonReport report;
        GtPersonDef def = gt_default_person_def();
        def.build = builds[i].build;
        def.triangle_count = 5000;
        GT_EXPECT_OK(gt_sample_person(&context, &def, &scene, &report, &error));
        assert_true(report.mass_kg > builds[i].low_kg && report.mass_kg < builds[i].high_kg);
        for (int s = 0; s < GT_PERSON_SEGMENT_COUNT && builds[i].build == 0.0; ++s) {
            GT_EXPECT_NEAR(report.segment_mass_kg[s] / report.mass_kg, winter[s], 0.07);
        }
        gt_scene_destroy(scene);
    }
}

static void test_joints_lie_inside_the_body(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; ++seed) {
        GtPersonDef def = seed ? gt_random_person_def(seed) : gt_default_person_def();
        GtArena arena = gt_arena_create(gt_default_allocator());
        GtiPerson* person = malloc(sizeof *person);
        assert_true(gti_person_prepare(&def, &arena, person));
        for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            assert_true(gti_layers_value(&person->layers, person->skeleton.joints[j]) < 0.0f);
        }
        free(person);
        gt_arena_destroy(&arena);
    }
}

// At most four influences that sum to one; the far ends of limbs belong to their bones alone.
static void test_weights_are_in_order(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = 10000;
    GT_EXPECT_OK(gt_sample_person(&context, &def, &scene, NULL, &error));
    int32_t count;
    float* p = read_floats(scene, "POSITION", &count);
    float* joints = read_floats(scene, "JOINTS_0", &count);
    float* weights = read_floats(scene, "WEIGHTS_0", &count);
    double by_joint[GT_HUMANOID_JOINT_COUNT] = { 0.0 };
    for (int32_t i = 0; i < count; ++i) {
        const float* w = weights + 4 * i;
        GT_EXPECT_NEAR(w[0] + w[1] + w[2] + w[3], 1.0, 1e-5);
        for (int k = 0; k < 4; ++k) {
            assert_true(w[k] >= 0.0f);
            by_joint[(int)joints[4 * i + k]] += (double)w[k];
        }
        int main_joint = (int)joints[4 * i];
        if (p[3 * i + 1] > 0.93f * (float)def.height_m) {
            assert_true(main_joint == GT_HUMANOID_HEAD || main_joint == GT_HUMANOID_LEFT_EYE ||
                        main_joint == GT_HUMANOID_RIGHT_EYE);
        }
        if (p[3 * i] > 0.2f * (float)def.height_m) { // no arm hangs on the legs or the neck
            assert_true(main_joint >= GT_HUMANOID_LEFT_UPPER_ARM);
        }
    }
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        GtHumanoidJoint other = gt_humanoid_mirror((GtHumanoidJoint)j);
        assert_true(by_joint[j] > 0.0); // every joint moves something
        GT_EXPECT_NEAR(by_joint[j] / by_joint[other], 1.0, 1e-4);
    }
    free(p);
    free(joints);
    free(weights);
    gt_scene_destroy(scene);
}

// A bent elbow makes the biceps swell: a point on it lies deeper inside than in the T-pose.
static void test_muscles_swell_when_joints_bend(void** state)
{
    (void)state;
    GtPersonDef def = gt_default_person_def();
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiPerson* person = malloc(sizeof *person);
    assert_true(gti_person_prepare(&def, &arena, person));
    GtiSkeleton* s = &person->skeleton;
    GtVec3 middle = gt_vec3_lerp(s->joints[GT_HUMANOID_LEFT_UPPER_ARM], s->joints[GT_HUMANOID_LEFT_LOWER_ARM], 0.6f);
    GtVec3 biceps = gt_vec3_add(middle, gt_vec3(0.0f, 0.0f, 0.05f));
    float before = gti_layers_value(&person->layers, biceps);
    GtMat34 model_from_joint[GT_HUMANOID_JOINT_COUNT];
    gti_skeleton_model(s, model_from_joint);
    GtTransform bend = gt_transform_identity();
    bend.rotation = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), -1.5707963f);
    bend.translation = s->joints[GT_HUMANOID_LEFT_LOWER_ARM];
    model_from_joint[GT_HUMANOID_LEFT_LOWER_ARM] = gt_mat34_from_transform(bend);
    gti_layers_pose(&person->layers, model_from_joint);
    float after = gti_layers_value(&person->layers, biceps);
    assert_true(after < before - 0.002f && after > before - 0.02f);
    free(person);
    gt_arena_destroy(&arena);
}

static void test_a_scan_has_the_faults_asked_for(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = 10000;
    def.scan.bare = true;
    def.scan.hole_count = 3;
    def.scan.island_count = 4;
    def.scan.noise_m = 0.0005;
    def.scan.up_axis = GT_UP_Z;
    def.scan.metres_per_unit = 0.01;
    GT_EXPECT_OK(gt_sample_person(&context, &def, &scene, NULL, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    assert_int_equal(scene->skin_count, 0);
    assert_null(scene->humanoid);
    assert_int_equal(scene->meshes[0].primitives[0].attribute_count, 1);
    Welded w = weld(scene);
    assert_int_equal(w.vertex_count, w.mesh.vertex_count); // nothing is double in a bare mesh
    GtSurfaceReport report = survey(&w.mesh);
    assert_true(!report.is_closed && report.is_manifold && report.is_oriented);
    assert_true(report.hole_count >= 1); // holes may meet, and one through a finger has two rims
    assert_true(report.component_count >= 5);
    assert_int_equal(report.unused_vertex_count, 0);
    GT_EXPECT_NEAR(report.max.z - report.min.z, 175.0, 25.0); // centimetres, z up
    release(&w);
    gt_scene_destroy(scene);
    def.scan = gt_default_person_def().scan;
    def.scan.bare = true;
    GT_EXPECT_OK(gt_sample_person(&context, &def, &scene, NULL, &error));
    w = weld(scene);
    assert_true(survey(&w.mesh).is_closed);
    release(&w);
    gt_scene_destroy(scene);
}

// However the holes meet, what is left is a manifold with rims.
static void test_many_holes_leave_a_manifold(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = 4000;
    def.scan.bare = true;
    def.scan.hole_count = 40;
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        GtScene* scene = NULL;
        def.scan.seed = seed;
        GT_EXPECT_OK(gt_sample_person(&context, &def, &scene, NULL, &error));
        Welded w = weld(scene);
        GtSurfaceReport report = survey(&w.mesh);
        assert_true(!report.is_closed && report.is_manifold && report.is_oriented);
        assert_int_equal(report.unused_vertex_count, 0);
        release(&w);
        gt_scene_destroy(scene);
    }
}

static void test_silly_parameters_are_refused(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtPersonDef def = gt_default_person_def();
    def.height_m = 0.0;
    GT_EXPECT_ERROR(gt_sample_person(&context, &def, &scene, NULL, &error), GT_ERROR_BAD_VALUE, "height");
    def = gt_default_person_def();
    def.build = NAN;
    GT_EXPECT_ERROR(gt_sample_person(&context, &def, &scene, NULL, &error), GT_ERROR_BAD_VALUE, "build");
    def = gt_default_person_def();
    def.triangle_count = 10;
    GT_EXPECT_ERROR(gt_sample_person(&context, &def, &scene, NULL, &error), GT_ERROR_BAD_VALUE, "triangle_count takes");
    def = gt_default_person_def();
    def.scan.noise_m = 0.001;
    GT_EXPECT_ERROR(gt_sample_person(&context, &def, &scene, NULL, &error), GT_ERROR_BAD_VALUE, "bare");
    def.scan.bare = true;
    def.scan.metres_per_unit = 0.0;
    GT_EXPECT_ERROR(gt_sample_person(&context, &def, &scene, NULL, &error), GT_ERROR_BAD_VALUE,
                    "metres_per_unit takes");
    def = gt_default_person_def();
    def.scan.bare = true;
    def.scan.hole_count = -1;
    GT_EXPECT_ERROR(gt_sample_person(&context, &def, &scene, NULL, &error), GT_ERROR_BAD_VALUE, "hole_count takes");
    assert_null(scene);
}

// The first ones all, then every few: most of a person is one long computation.
static void test_allocations_may_fail(void** state)
{
    (void)state;
    GtError error;
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = 2000;
    int64_t made = 0;
    for (int bare = 0; bare < 2; ++bare) {
        def.scan.bare = bare;
        def.pose = bare ? GT_PERSON_POSE_T : GT_PERSON_POSE_A;
        // What a bare mesh does otherwise comes last.
        for (int64_t allowed = bare ? made - 20 : 0;; allowed += allowed < 24 ? 1 : STRIDE) {
            TestAllocator limited = { .remaining = allowed };
            GtContext context = gt_default_context();
            context.allocator = test_allocator(&limited);
            GtScene* scene = NULL;
            GtResult result = gt_sample_person(&context, &def, &scene, NULL, &error);
            assert_true(result == GT_OK || (result == GT_ERROR_OUT_OF_MEMORY && !scene));
            gt_scene_destroy(scene);
            assert_int_equal(limited.alive, 0);
            if (result == GT_OK) {
                made = allowed;
                break;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_default_person_is_a_good_body),
        cmocka_unit_test(test_a_fine_body_is_a_good_body),
        cmocka_unit_test(test_the_a_pose_is_a_good_body),
        cmocka_unit_test(test_people_of_all_kinds_are_good_bodies),
        cmocka_unit_test(test_extremes_are_good_bodies),
        cmocka_unit_test(test_the_body_weighs_what_a_person_weighs),
        cmocka_unit_test(test_joints_lie_inside_the_body),
        cmocka_unit_test(test_weights_are_in_order),
        cmocka_unit_test(test_muscles_swell_when_joints_bend),
        cmocka_unit_test(test_a_scan_has_the_faults_asked_for),
        cmocka_unit_test(test_many_holes_leave_a_manifold),
        cmocka_unit_test(test_silly_parameters_are_refused),
        cmocka_unit_test(test_allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The figure is a body one can measure: symmetry, volume, joints with names.

#include "support/test.h"

#include "gertie/accessor.h"
#include "gertie/build.h"
#include "gertie/instance.h"
#include "gertie/sample.h"

#include <stdlib.h>

typedef struct Points {
    float* values;
    int32_t count;
} Points;

static Points read_attribute(const GtScene* scene, const char* name)
{
    int32_t accessor = gt_primitive_find(&scene->meshes[0].primitives[0], name);
    const GtAccessor* a = &scene->accessors[accessor];
    Points points = { NULL, (int32_t)a->count };
    points.values = malloc((size_t)a->count * (size_t)gt_element_components(a->element_type) * sizeof(float));
    gt_accessor_read_floats(scene, accessor, 0, a->count, points.values);
    return points;
}

static double volume_of(const GtScene* scene, const float* p)
{
    const GtPrimitive* primitive = &scene->meshes[0].primitives[0];
    uint64_t count = scene->accessors[primitive->indices].count;
    uint32_t* corners = malloc(count * sizeof *corners);
    gt_accessor_read_uints(scene, primitive->indices, 0, count, corners);
    double volume = 0.0;
    for (uint64_t i = 0; i < count; i += 3) {
        const float* a = p + 3 * corners[i];
        const float* b = p + 3 * corners[i + 1];
        const float* c = p + 3 * corners[i + 2];
        GtVec3 cross = gt_vec3_cross(gt_vec3(b[0], b[1], b[2]), gt_vec3(c[0], c[1], c[2]));
        volume += (double)gt_vec3_dot(gt_vec3(a[0], a[1], a[2]), cross) / 6.0;
    }
    free(corners);
    return volume;
}

static int compare_floats(const void* a, const void* b)
{
    float x = *(const float*)a;
    float y = *(const float*)b;
    return (x > y) - (x < y);
}

// Left and right are mirror images: the sorted distances of either side from the middle agree.
static void expect_symmetry(const Points* p)
{
    float* sides[2] = { malloc((size_t)p->count * sizeof(float)), malloc((size_t)p->count * sizeof(float)) };
    int32_t counts[2] = { 0, 0 };
    for (int32_t i = 0; i < p->count; ++i) {
        float x = p->values[3 * i];
        if (fabsf(x) > 1e-6f) {
            sides[x > 0.0f][counts[x > 0.0f]++] = fabsf(x);
        }
    }
    assert_int_equal(counts[0], counts[1]);
    qsort(sides[0], (size_t)counts[0], sizeof(float), compare_floats);
    qsort(sides[1], (size_t)counts[1], sizeof(float), compare_floats);
    for (int32_t i = 0; i < counts[0]; ++i) {
        GT_EXPECT_NEAR(sides[0][i], sides[1][i], 1e-5);
    }
    free(sides[0]);
    free(sides[1]);
}

static void test_the_figure_is_a_body(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    context.strict = true;
    GtError error;
    GtScene* scene = NULL;
    GtSampleFigureDef def = gt_default_sample_figure_def();
    GT_EXPECT_OK(gt_sample_figure(&context, &def, &scene, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    Points p = read_attribute(scene, "POSITION");
    Points weights = read_attribute(scene, "WEIGHTS_0");
    float low = INFINITY;
    float high = -INFINITY;
    for (int32_t i = 0; i < p.count; ++i) {
        low = fminf(low, p.values[3 * i + 1]);
        high = fmaxf(high, p.values[3 * i + 1]);
        const float* w = weights.values + 4 * i;
        GT_EXPECT_NEAR(w[0] + w[1] + w[2] + w[3], 1.0, 1e-6);
    }
    GT_EXPECT_NEAR(low, 0.0, 0.002);            // soles on the ground
    GT_EXPECT_NEAR(high, def.height_m, 0.01);   // as tall as asked
    double volume = volume_of(scene, p.values); // limbs overlap at joints, so a little more than a person's 0.07
    assert_true(volume > 0.05 && volume < 0.12);
    expect_symmetry(&p);
    free(p.values);
    free(weights.values);
    gt_scene_destroy(scene);
}

static void test_the_humanoid_map_names_every_joint(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtSampleFigureDef def = gt_default_sample_figure_def();
    GT_EXPECT_OK(gt_sample_figure(&context, &def, &scene, &error));
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t node = scene->humanoid->nodes[j];
        if (gt_humanoid_required((GtHumanoidJoint)j)) {
            assert_true(node != GT_NONE);
        }
        if (node != GT_NONE) {
            assert_string_equal(scene->nodes[node].name, gt_humanoid_name((GtHumanoidJoint)j));
        }
    }
    gt_scene_destroy(scene);
}

static void test_silly_parameters_are_refused(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtSampleFigureDef figure = gt_default_sample_figure_def();
    figure.height_m = 0.0;
    GT_EXPECT_ERROR(gt_sample_figure(&context, &figure, &scene, &error), GT_ERROR_BAD_VALUE, "height");
    figure.height_m = NAN;
    GT_EXPECT_ERROR(gt_sample_figure(&context, &figure, &scene, &error), GT_ERROR_BAD_VALUE, "height");
    figure = gt_default_sample_figure_def();
    figure.segments = 3;
    GT_EXPECT_ERROR(gt_sample_figure(&context, &figure, &scene, &error), GT_ERROR_BAD_VALUE, "segments");
    assert_null(scene);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    GtError error;
    GtSampleFigureDef figure = gt_default_sample_figure_def();
    figure.segments = 4;
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtScene* scene = NULL;
        result = gt_sample_figure(&context, &figure, &scene, &error);
        assert_true(result == GT_OK || (result == GT_ERROR_OUT_OF_MEMORY && !scene));
        gt_scene_destroy(scene);
        assert_int_equal(limited.alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_figure_is_a_body),
        cmocka_unit_test(test_the_humanoid_map_names_every_joint),
        cmocka_unit_test(test_silly_parameters_are_refused),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Half a ball remeshed: as many triangles as asked for, well shaped, on the ball, with a straight border of regions.

#include "geometry/remesh.h"
#include "geometry/shapes.h"

#include "gertie/executor.h"

static const float radius = 0.7f;

static float fine_on_top(const void* user, GtVec3 p)
{
    (void)user;
    return 0.02f + 0.03f * (1.0f - p.y);
}

static uint8_t region(const void* user, GtVec3 p)
{
    (void)user;
    return p.y > 0.1f;
}

static bool make_half(const GtExecutor* executor, int32_t triangle_count, GtArena* arena, GtiTrimesh* mesh,
                      uint8_t** labels)
{
    float x[SHAPE_LINES];
    float yz[SHAPE_LINES];
    shape_lines(0.0f, x);
    shape_lines(-1.0f, yz);
    GtiGrid grid = { { x, yz, yz }, { SHAPE_LINES, SHAPE_LINES, SHAPE_LINES } };
    GtiRemeshDef def = {
        .field = { sphere_value, sphere_slope, &radius },
        .size = fine_on_top,
        .label = region,
        .triangle_count = triangle_count,
        .tolerance = 1e-6f,
        .executor = executor,
    };
    return gti_isosurface(&def.field, &grid, gt_vec3(0.0f, 0.0f, 0.0f), arena, mesh) &&
           gti_remesh(&def, arena, mesh, labels);
}

static void test_count_shape_and_place(void** state)
{
    (void)state;
    const int32_t counts[] = { 300, 2000, 20000, 60000 };
    GtExecutor serial = gt_serial_executor();
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        GtArena arena = gt_arena_create(gt_default_allocator());
        GtiTrimesh mesh;
        uint8_t* labels;
        assert_true(make_half(&serial, counts[i], &arena, &mesh, &labels));
        GT_EXPECT_NEAR((double)mesh.triangle_count / counts[i], 1.0, 0.01);
        GtSurfaceReport report = survey(&mesh);
        assert_true(report.is_manifold && report.is_oriented && report.component_count == 1 && report.hole_count == 1);
        GtiTriangleShape shape = gti_trimesh_shape(&mesh);
        assert_true(shape.sliver_share < 0.01 && shape.mean_min_angle_rad > 0.7854);
        assert_int_equal(gti_trimesh_self_intersections(&mesh, gt_default_allocator(), NULL), 0);
        for (int32_t v = 0; v < mesh.vertex_count; ++v) {
            GT_EXPECT_NEAR(gt_vec3_length(mesh.positions[v]), radius, 2e-5);
            assert_true(mesh.positions[v].x >= 0.0f);
        }
        gt_arena_destroy(&arena);
    }
}

// An edge between two regions has its ends on the border, give or take the smoothing of a line.
static void test_regions_meet_along_a_line(void** state)
{
    (void)state;
    GtExecutor serial = gt_serial_executor();
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiTrimesh mesh;
    uint8_t* labels;
    assert_true(make_half(&serial, 8000, &arena, &mesh, &labels));
    int above = 0;
    for (int32_t t = 0; t < mesh.triangle_count; ++t) {
        above += labels[t];
        for (int i = 0; i < 3; ++i) {
            float y = mesh.positions[mesh.triangles[t][i]].y;
            assert_true(labels[t] ? y > 0.1f - 0.006f : y < 0.1f + 0.006f);
        }
    }
    assert_true(above > 1000 && above < 7000);
    gt_arena_destroy(&arena);
}

// Edges are shorter where they are wanted shorter, in the ratio asked for.
static void test_sizes_follow_the_wish(void** state)
{
    (void)state;
    GtExecutor serial = gt_serial_executor();
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiTrimesh mesh;
    uint8_t* labels;
    assert_true(make_half(&serial, 20000, &arena, &mesh, &labels));
    double ratios[2] = { 0.0, 0.0 };
    int counts[2] = { 0, 0 };
    for (int32_t t = 0; t < mesh.triangle_count; ++t) {
        GtVec3 a = mesh.positions[mesh.triangles[t][0]];
        GtVec3 b = mesh.positions[mesh.triangles[t][1]];
        int top = a.y > 0.5f;
        if (top || a.y < -0.5f) {
            ratios[top] += (double)(gt_vec3_length(gt_vec3_sub(a, b)) / fine_on_top(NULL, a));
            ++counts[top];
        }
    }
    GT_EXPECT_NEAR(ratios[1] / counts[1] / (ratios[0] / counts[0]), 1.0, 0.1);
    gt_arena_destroy(&arena);
}

// Vertices on a ball leave triangles inside it. Once these are fitted, as much lies outside as inside, and the rim of
// the half stays in its plane.
static void test_fitted_triangles_enclose_the_volume(void** state)
{
    (void)state;
    GtExecutor serial = gt_serial_executor();
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiTrimesh mesh;
    uint8_t* labels;
    assert_true(make_half(&serial, 300, &arena, &mesh, &labels));
    double ball = 2.0 / 3.0 * TEST_PI * pow((double)radius, 3.0);
    assert_true(gti_trimesh_shape(&mesh).volume_m3 < 0.985 * ball);
    GtiRemeshDef def = { .field = { sphere_value, sphere_slope, &radius }, .executor = &serial };
    bool moved;
    assert_true(gti_fit(&def, 1.0, gt_default_allocator(), &mesh, &moved) && !moved);
    assert_true(gti_fit(&def, 1e-6, gt_default_allocator(), &mesh, &moved) && moved);
    GT_EXPECT_NEAR(gti_trimesh_shape(&mesh).volume_m3 / ball, 1.0, 0.003);
    GtSurfaceReport report = survey(&mesh);
    assert_true(report.is_manifold && report.hole_count == 1 && report.min.x == 0.0f);
    for (int64_t allowed = 0; allowed < 4; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        assert_false(gti_fit(&def, 1e-6, test_allocator(&limited), &mesh, &moved));
        assert_int_equal(limited.alive, 0);
    }
    gt_arena_destroy(&arena);
}

static void test_threads_change_nothing(void** state)
{
    (void)state;
    GtError error;
    GtThreadPool* pool = NULL;
    GT_EXPECT_OK(gt_thread_pool_create(gt_default_allocator(), 4, &pool, &error));
    GtExecutor executors[2] = { gt_serial_executor(), gt_thread_pool_executor(pool) };
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiTrimesh meshes[2];
    uint8_t* labels[2];
    for (int i = 0; i < 2; ++i) {
        assert_true(make_half(&executors[i], 5000, &arena, &meshes[i], &labels[i]));
    }
    assert_int_equal(meshes[0].triangle_count, meshes[1].triangle_count);
    assert_int_equal(meshes[0].vertex_count, meshes[1].vertex_count);
    assert_memory_equal(meshes[0].positions, meshes[1].positions,
                        (size_t)meshes[0].vertex_count * sizeof *meshes[0].positions);
    assert_memory_equal(meshes[0].triangles, meshes[1].triangles,
                        (size_t)meshes[0].triangle_count * sizeof *meshes[0].triangles);
    gt_arena_destroy(&arena);
    gt_thread_pool_destroy(pool);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    GtExecutor serial = gt_serial_executor();
    bool ok = false;
    for (int64_t allowed = 0; !ok; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtArena arena = gt_arena_create(test_allocator(&limited));
        GtiTrimesh mesh;
        uint8_t* labels;
        ok = make_half(&serial, 300, &arena, &mesh, &labels);
        gt_arena_destroy(&arena);
        assert_int_equal(limited.alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_count_shape_and_place),  cmocka_unit_test(test_regions_meet_along_a_line),
        cmocka_unit_test(test_sizes_follow_the_wish),  cmocka_unit_test(test_fitted_triangles_enclose_the_volume),
        cmocka_unit_test(test_threads_change_nothing), cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

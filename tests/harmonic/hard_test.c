// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Meshes that nobody modelled, markers that fit no mesh, memory that runs out. Oracles: the rest pose and rigid
// motions, which even these meshes must follow.

#include "tube.h"

static void* reserve(size_t size)
{
    void* memory = aligned_alloc(GT_ALIGNMENT, (size + GT_ALIGNMENT - 1) / GT_ALIGNMENT * GT_ALIGNMENT);
    assert_non_null(memory);
    memset(memory, 0xCD, size);
    return memory;
}

// Room for what tests add to a tube.
enum {
    EXTRA = 256
};

static Tube roomy_tube(int32_t sides, int32_t rows)
{
    Tube tube = tube_create(sides, rows);
    tube.positions = realloc(tube.positions, (size_t)(tube.def.vertex_count + EXTRA) * sizeof *tube.positions);
    tube.indices = realloc(tube.indices, (size_t)(tube.def.triangle_count + EXTRA) * 3 * sizeof *tube.indices);
    tube.def.positions = tube.positions;
    tube.def.indices = tube.indices;
    return tube;
}

static int32_t add_vertex(Tube* tube, GtVec3 p)
{
    tube->positions[tube->def.vertex_count] = p;
    return tube->def.vertex_count++;
}

static void add_triangle(Tube* tube, int32_t a, int32_t b, int32_t c)
{
    uint32_t* at = &tube->indices[3 * tube->def.triangle_count++];
    at[0] = (uint32_t)a;
    at[1] = (uint32_t)b;
    at[2] = (uint32_t)c;
}

static GtVec3* pose(const GtHarmonic* harmonic, const GtQuat* rotations)
{
    GtVec3* out = reserve((size_t)gt_harmonic_vertex_count(harmonic) * sizeof *out);
    void* scratch = reserve(gt_harmonic_pose_scratch_size(harmonic));
    GtHarmonicFrame frame = { .rotations = rotations, .anchor = gt_harmonic_anchor(harmonic), .positions = out };
    gt_harmonic_pose(harmonic, &frame, NULL, scratch);
    free(scratch);
    return out;
}

// Rest to 1e-6, a common rotation to 1e-5, and a bend that leaves everything finite and about as large as it was.
static void expect_sound(const GtHarmonicDef* def, const GtHarmonic* harmonic)
{
    GtVec3 anchor = gt_harmonic_anchor(harmonic);
    GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0.36f, 0.48f, 0.8f), 2.0f);
    GtQuat rotations[TUBE_MARKERS];
    for (int round = 0; round < 2; ++round) {
        for (int m = 0; m < TUBE_MARKERS; ++m) {
            rotations[m] = round == 0 ? gt_quat_identity() : turn;
        }
        GtVec3* out = pose(harmonic, rotations);
        for (int32_t v = 0; v < def->vertex_count; ++v) {
            GtVec3 wanted = gt_vec3_add(anchor, gt_quat_rotate(rotations[0], gt_vec3_sub(def->positions[v], anchor)));
            GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(out[v], wanted)), 0.0f, round == 0 ? 1e-6f : 1e-5f);
        }
        free(out);
    }
    tube_bend(0.6f, rotations);
    GtVec3* out = pose(harmonic, rotations);
    for (int32_t v = 0; v < def->vertex_count; ++v) {
        assert_true(gt_vec3_length(out[v]) < 2.0f * TUBE_LENGTH); // NaN fails too
    }
    free(out);
}

static GtHarmonic* create(const GtHarmonicDef* def, TestLog* log, GtHarmonicReport* report)
{
    GtContext context = test_context(log);
    GtError error;
    GtHarmonic* harmonic = NULL;
    GT_EXPECT_OK(gt_harmonic_create(&context, def, &harmonic, report, &error));
    return harmonic;
}

static void dirty_meshes_follow(void** state)
{
    (void)state;
    Tube tube = roomy_tube(20, 50);
    int32_t sides = 20;
    add_triangle(&tube, 5, 5, 30);                          // an edge twice
    add_triangle(&tube, 7, 7, 7);                           // a point
    add_triangle(&tube, 100, 100 + 2 * sides, 100 + sides); // along a line, nearly
    int32_t fin = add_vertex(&tube, gt_vec3(0.5f, 0.1f, 0.0f));
    add_triangle(&tube, 25 * sides, 26 * sides, fin); // the third triangle of an edge
    add_triangle(&tube, 26 * sides, 25 * sides, fin); // and the fourth, the other way round
    int32_t copy = add_vertex(&tube, tube.positions[200]);
    add_triangle(&tube, 200, copy, 201);           // no length on one edge
    add_vertex(&tube, gt_vec3(0.25f, 0.9f, 0.1f)); // of no triangle
    float third = 1.0f / 3.0f;
    GtVec3 mid =
        gt_vec3_add(gt_vec3_scale(tube.positions[300], third), gt_vec3_scale(tube.positions[301], 1.0f - third));
    int32_t needle = add_vertex(&tube, mid);
    add_triangle(&tube, 300, 301, needle); // no area, three corners
    for (int t = 0; t < 30; ++t) {         // a hole: triangles of one place become those of another
        memcpy(&tube.indices[3 * (700 + t)], &tube.indices[3 * (t + 3)], 3 * sizeof *tube.indices);
    }
    tube_mark(&tube, 0.05f);
    TestLog log;
    GtHarmonicReport report;
    GtHarmonic* harmonic = create(&tube.def, &log, &report);
    assert_true(report.component_count > 1);
    assert_true(report.flat_triangle_count >= 3);
    expect_sound(&tube.def, harmonic);
    gt_harmonic_destroy(harmonic);
    tube_destroy(&tube);
}

// An island without a marker moves as a rigid body, with the surface it is next to; one with markers turns by those.
static void islands_follow_the_nearest_surface(void** state)
{
    (void)state;
    Tube tube = roomy_tube(24, 60);
    int32_t first = tube.def.vertex_count;
    GtVec3 centre = gt_vec3_add(tube_point(0.0f, 0.9f), gt_vec3(0.06f, 0.0f, 0.0f));
    static const float corners[4][3] = { { -1, 0, 0 }, { 1, 1, 0 }, { 1, -1, 1 }, { 1, -1, -1 } };
    for (int k = 0; k < 4; ++k) {
        add_vertex(&tube,
                   gt_vec3_add(centre, gt_vec3_scale(gt_vec3(corners[k][0], corners[k][1], corners[k][2]), 0.02f)));
    }
    add_triangle(&tube, first, first + 1, first + 2);
    add_triangle(&tube, first, first + 2, first + 3);
    add_triangle(&tube, first, first + 3, first + 1);
    add_triangle(&tube, first + 1, first + 3, first + 2);
    tube_mark(&tube, 0.05f);
    TestLog log;
    GtHarmonicReport report;
    GtHarmonic* harmonic = create(&tube.def, &log, &report);
    assert_int_equal(report.component_count, 2);
    assert_int_equal(report.tied_component_count, 1);
    assert_int_equal(report.bare_component_count, 1);
    assert_int_equal(log.warning_count, 1);
    assert_non_null(strstr(log.text, "no marker"));
    expect_sound(&tube.def, harmonic);
    GtQuat rotations[TUBE_MARKERS];
    tube_bend(0.8f, rotations); // the island is next to the last band, whose markers turn by 1.6
    GtVec3* out = pose(harmonic, rotations);
    GtVec3 near_before = tube_point(0.0f, 0.9f);
    int32_t near_vertex = 54 * 24;
    GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(tube.positions[near_vertex], near_before)), 0.0f, 1e-5f);
    for (int k = 0; k < 4; ++k) {
        GtVec3 way = gt_quat_rotate(rotations[TUBE_MARKERS - 1], gt_vec3_sub(tube.positions[first + k], near_before));
        GtVec3 wanted = gt_vec3_add(out[near_vertex], way);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(out[first + k], wanted)), 0.0f, 2e-3f);
    }
    free(out);
    GtContext strict = gt_default_context();
    GtError error;
    GtHarmonic* refused;
    strict.strict = true;
    GT_EXPECT_ERROR(gt_harmonic_create(&strict, &tube.def, &refused, NULL, &error), GT_ERROR_STRICT, "no marker");
    assert_null(refused);
    gt_harmonic_destroy(harmonic);
    tube_destroy(&tube);
}

// All markers on the smaller of two components: the larger one follows it.
static void markers_on_an_island_move_the_rest(void** state)
{
    (void)state;
    Tube tube = roomy_tube(20, 40);
    int32_t first = tube.def.vertex_count;
    for (int k = 0; k < 8; ++k) {
        float angle = 6.2831853f * (float)k / 8.0f;
        add_vertex(&tube, gt_vec3(0.3f + 0.05f * cosf(angle), 0.0f, 0.05f * sinf(angle)));
    }
    for (int k = 1; k + 1 < 8; ++k) {
        add_triangle(&tube, first, first + k, first + k + 1);
    }
    tube_mark(&tube, 0.0f);
    for (int m = 0; m < 2; ++m) {
        tube.markers[m] = (GtHarmonicMarker){ .triangle = tube.def.triangle_count - 1 - 3 * m };
    }
    tube.def.marker_count = 2;
    TestLog log;
    GtHarmonicReport report;
    GtHarmonic* harmonic = create(&tube.def, &log, &report);
    assert_int_equal(report.bare_component_count, 1);
    expect_sound(&tube.def, harmonic);
    gt_harmonic_destroy(harmonic);
    tube_destroy(&tube);
}

static void markers_in_one_place_are_told(void** state)
{
    (void)state;
    Tube tube = tube_create(20, 40);
    tube_mark(&tube, 0.05f);
    tube.markers[9] = tube.markers[8];
    tube.markers[23] = tube.markers[8];
    TestLog log;
    GtHarmonicReport report;
    GtHarmonic* harmonic = create(&tube.def, &log, &report);
    assert_int_equal(report.idle_marker_count, 2);
    assert_int_equal(log.warning_count, 1);
    assert_non_null(strstr(log.text, "marker 9"));
    expect_sound(&tube.def, harmonic);
    gt_harmonic_destroy(harmonic);
    tube_destroy(&tube);
}

static void small_meshes_work(void** state)
{
    (void)state;
    const GtVec3 positions[3] = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f } };
    static const uint32_t indices[2][3] = { { 0, 1, 2 }, { 1, 1, 1 } };
    for (int kind = 0; kind < 3; ++kind) { // a triangle; a point three times; all in one place
        const GtVec3 same[3] = { { 1.0f, 2.0f, 3.0f }, { 1.0f, 2.0f, 3.0f }, { 1.0f, 2.0f, 3.0f } };
        GtHarmonicMarker marker = { .triangle = 0, .radius = 0.1f };
        GtHarmonicDef def = gt_default_harmonic_def();
        def.positions = kind == 2 ? same : positions;
        def.vertex_count = 3;
        def.indices = indices[kind == 1];
        def.triangle_count = 1;
        def.markers = &marker;
        def.marker_count = 1;
        TestLog log;
        GtHarmonic* harmonic = create(&def, &log, NULL);
        GtQuat rotation = gt_quat_from_axis_angle(gt_vec3(0.0f, 0.0f, 1.0f), 1.5f);
        GtVec3* out = pose(harmonic, &rotation);
        GtVec3 anchor = gt_harmonic_anchor(harmonic);
        for (int v = 0; v < 3; ++v) {
            GtVec3 wanted = gt_vec3_add(anchor, gt_quat_rotate(rotation, gt_vec3_sub(def.positions[v], anchor)));
            GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(out[v], wanted)), 0.0f, 1e-5f);
        }
        free(out);
        gt_harmonic_destroy(harmonic);
    }
}

static void what_cannot_be_is_named(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtHarmonic* harmonic;
    Tube tube = tube_create(12, 20);
    tube_mark(&tube, 0.05f);
    GtHarmonicDef def = tube.def;
    def.marker_count = 0;
    GT_EXPECT_ERROR(gt_harmonic_create(&context, &def, &harmonic, NULL, &error), GT_ERROR_BAD_VALUE, "no marker");
    def.marker_count = GT_HARMONIC_MAX_MARKERS + 1;
    GT_EXPECT_ERROR(gt_harmonic_create(&context, &def, &harmonic, NULL, &error), GT_ERROR_LIMIT, "4096");
    def = tube.def;
    def.triangle_count = 0;
    GT_EXPECT_ERROR(gt_harmonic_create(&context, &def, &harmonic, NULL, &error), GT_ERROR_BAD_VALUE, "0 triangles");

    GtHarmonicMarker kept = tube.markers[3];
    tube.markers[3].triangle = tube.def.triangle_count;
    GT_EXPECT_ERROR(gt_harmonic_create(&context, &tube.def, &harmonic, NULL, &error), GT_ERROR_BAD_VALUE,
                    "marker 3: it is on triangle");
    tube.markers[3].triangle = -7;
    GT_EXPECT_ERROR(gt_harmonic_create(&context, &tube.def, &harmonic, NULL, &error), GT_ERROR_BAD_VALUE, "marker 3");
    tube.markers[3] = kept;
    tube.markers[3].point.x = 40.0f;
    GT_EXPECT_ERROR(gt_harmonic_create(&context, &tube.def, &harmonic, NULL, &error), GT_ERROR_BAD_VALUE,
                    "for another mesh");
    tube.markers[3].point.x = NAN;
    GT_EXPECT_ERROR(gt_harmonic_create(&context, &tube.def, &harmonic, NULL, &error), GT_ERROR_BAD_VALUE, "not finite");
    tube.markers[3] = kept;
    tube.markers[3].radius = -1.0f;
    GT_EXPECT_ERROR(gt_harmonic_create(&context, &tube.def, &harmonic, NULL, &error), GT_ERROR_BAD_VALUE, "radius");
    tube.markers[3] = kept;

    tube.positions[17].z = INFINITY;
    GT_EXPECT_ERROR(gt_harmonic_create(&context, &tube.def, &harmonic, NULL, &error), GT_ERROR_BAD_VALUE, "vertex 17");
    tube.positions[17].z = 0.0f;
    tube.indices[3 * 5 + 1] = (uint32_t)tube.def.vertex_count;
    GT_EXPECT_ERROR(gt_harmonic_create(&context, &tube.def, &harmonic, NULL, &error), GT_ERROR_BAD_VALUE, "triangle 5");
    assert_null(harmonic);
    tube_destroy(&tube);
}

static bool refuse(void* user, const char* task, double fraction)
{
    (void)task;
    (void)fraction;
    return --*(int*)user >= 0;
}

static void it_can_be_cancelled(void** state)
{
    (void)state;
    Tube tube = tube_create(12, 20);
    tube_mark(&tube, 0.05f);
    GtContext context = gt_default_context();
    context.progress = refuse;
    GtError error;
    GtHarmonic* harmonic;
    for (int allowed = 0;; ++allowed) {
        int left = allowed;
        context.progress_user = &left;
        if (gt_harmonic_create(&context, &tube.def, &harmonic, NULL, &error) == GT_OK) {
            assert_true(allowed >= 2);
            break;
        }
        assert_int_equal(error.code, GT_ERROR_CANCELLED);
        assert_null(harmonic);
    }
    gt_harmonic_destroy(harmonic);
    tube_destroy(&tube);
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    Tube tube = roomy_tube(10, 16);
    add_vertex(&tube, gt_vec3(0.3f, 0.0f, 0.0f));
    tube_mark(&tube, 0.05f);
    tube.def.anchor_everywhere = false;
    tube.def.anchor = tube.markers[0];
    for (int64_t allowed = 0;; ++allowed) {
        TestAllocator allocator = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&allocator);
        GtError error;
        GtHarmonic* harmonic;
        GtResult result = gt_harmonic_create(&context, &tube.def, &harmonic, NULL, &error);
        if (result == GT_OK) {
            assert_true(allowed > 10);
            assert_int_equal(allocator.alive, 1);
            gt_harmonic_destroy(harmonic);
            break;
        }
        assert_int_equal(result, GT_ERROR_OUT_OF_MEMORY);
        assert_null(harmonic);
        assert_int_equal(allocator.alive, 0);
    }
    tube_destroy(&tube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dirty_meshes_follow),
        cmocka_unit_test(islands_follow_the_nearest_surface),
        cmocka_unit_test(markers_on_an_island_move_the_rest),
        cmocka_unit_test(markers_in_one_place_are_told),
        cmocka_unit_test(small_meshes_work),
        cmocka_unit_test(what_cannot_be_is_named),
        cmocka_unit_test(it_can_be_cancelled),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

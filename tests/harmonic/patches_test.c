// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Oracles: straight lines in a plane, and on a cylinder, which is one rolled up.

#include "harmonic/markers/patches.h"

#include "support/random.h"
#include "support/test.h"

#include <stdlib.h>

enum {
    SIDE = 41
};

static const float CELL = 0.05f;

typedef struct Sheet {
    GtVec3 positions[SIDE * SIDE];
    int32_t triangles[2 * (SIDE - 1) * (SIDE - 1)][3];
    float flat[SIDE * SIDE][2]; // where vertices lie when it is rolled out
    GtiTrimesh mesh;
} Sheet;

// Shaken inside; rolled about y by `radius`, or flat where that is 0.
static void make_sheet(Sheet* sheet, float radius)
{
    TestRandom random = { 11 };
    for (int i = 0; i < SIDE * SIDE; ++i) {
        float x = CELL * ((float)(i % SIDE) + test_random_float(&random, -0.3f, 0.3f));
        float y = CELL * ((float)(i / SIDE) + test_random_float(&random, -0.3f, 0.3f));
        sheet->flat[i][0] = x;
        sheet->flat[i][1] = y;
        sheet->positions[i] =
            radius > 0.0f ? gt_vec3(radius * cosf(x / radius), y, radius * sinf(x / radius)) : gt_vec3(x, y, 0.0f);
    }
    int32_t count = 0;
    for (int32_t i = 0; i < (SIDE - 1) * (SIDE - 1); ++i) {
        int32_t a = i / (SIDE - 1) * SIDE + i % (SIDE - 1);
        const int32_t corners[2][3] = { { a, a + 1, a + SIDE }, { a + 1, a + SIDE + 1, a + SIDE } };
        memcpy(sheet->triangles[count], corners, sizeof corners);
        count += 2;
    }
    sheet->mesh = (GtiTrimesh){ sheet->positions, SIDE * SIDE, sheet->triangles, count };
}

static GtiPatchSource source_at(const Sheet* sheet, int32_t triangle, float radius)
{
    GtError error;
    GtiPatchSource source;
    GtHarmonicMarker marker = { .triangle = triangle, .radius = radius };
    GT_EXPECT_OK(gti_source_find(&sheet->mesh, 2.0, &marker, "marker 0", &source, &error));
    return source;
}

static void distance_flat(const Sheet* sheet, int32_t triangle, int32_t vertex, double* out)
{
    double x = 0.0;
    double y = 0.0;
    for (int k = 0; k < 3; ++k) {
        x += (double)sheet->flat[sheet->triangles[triangle][k]][0] / 3.0;
        y += (double)sheet->flat[sheet->triangles[triangle][k]][1] / 3.0;
    }
    *out = hypot(x - (double)sheet->flat[vertex][0], y - (double)sheet->flat[vertex][1]);
}

static void distances_are_those_of_the_sheet_rolled_out(void** state)
{
    (void)state;
    static Sheet sheet;
    for (int rolled = 0; rolled < 2; ++rolled) {
        make_sheet(&sheet, rolled ? 0.6f : 0.0f);
        int32_t triangle = (SIDE - 1) * (SIDE - 1) + SIDE;
        float radius = 0.3f;
        GtiPatchSource source = source_at(&sheet, triangle, radius);
        GtArena arena = gt_arena_create(gt_default_allocator());
        GtiPatches patches;
        assert_true(gti_patches_make(&sheet.mesh, &source, 1, &arena, &patches));
        int32_t held = 0;
        for (int32_t v = 0; v < sheet.mesh.vertex_count; ++v) {
            double wanted;
            distance_flat(&sheet, triangle, v, &wanted);
            double got = patches.depths[v] + (double)radius;
            if (wanted > 0.1) { // corners of the source's triangle count as held, and neighbours start from there
                GT_EXPECT_NEAR(got, wanted, 0.01 * wanted + 0.001); // half of the triangles are obtuse
            }
            held += patches.depths[v] <= 0.0;
            assert_int_equal(patches.owners[v], 0);
        }
        double wanted_held = 3.14159265 * (double)radius * (double)radius / ((double)CELL * (double)CELL);
        GT_EXPECT_NEAR(held, wanted_held, 0.06 * wanted_held);
        gt_arena_destroy(&arena);
    }
}

// A band across a sheet, flat or rolled up, is as far from a vertex as its line is when the sheet is rolled out.
static void bands_go_across_the_whole_sheet(void** state)
{
    (void)state;
    static Sheet sheet;
    for (int rolled = 0; rolled < 2; ++rolled) {
        GtError error;
        make_sheet(&sheet, rolled ? 0.6f : 0.0f);
        const float radii[] = { 0.3f, 0.0f };
        for (int i = 0; i < 2; ++i) {
            int32_t triangle = (SIDE - 1) * (SIDE - 1) + SIDE;
            GtiPatchSource source;
            GtHarmonicMarker marker = { .triangle = triangle, .radius = radii[i], .band = { 0.0f, 3.0f, 0.0f } };
            GT_EXPECT_OK(gti_source_find(&sheet.mesh, 2.0, &marker, "marker 0", &source, &error));
            GtArena arena = gt_arena_create(gt_default_allocator());
            GtiPatches patches;
            assert_true(gti_patches_make(&sheet.mesh, &source, 1, &arena, &patches));
            int32_t held = 0;
            for (int32_t v = 0; v < sheet.mesh.vertex_count; ++v) {
                double wanted = fabs((double)sheet.flat[v][1] - source.place.y);
                bool is_inside = v % SIDE >= 4 && v % SIDE < SIDE - 4; // straight ways may leave a jagged border
                if (is_inside && wanted > (double)CELL) { // nearer ones may be held for a triangle that is cut
                    GT_EXPECT_NEAR(patches.depths[v] + (double)radii[i], wanted,
                                   0.01 * wanted + (i == 0 ? 0.001 : 0.7 * (double)CELL));
                }
                held += patches.depths[v] <= 0.0;
            }
            double wanted_held = i == 0 ? 2.0 * (double)radii[i] / (double)CELL * SIDE : (double)SIDE;
            GT_EXPECT_NEAR(held, wanted_held, (i == 0 ? 0.05 : 0.4) * wanted_held);
            gt_arena_destroy(&arena);
        }
    }
}

// A direction that is no number is refused; a plane that cuts nothing of its triangle leaves a disc.
static void bands_that_cannot_be_are_discs_or_refused(void** state)
{
    (void)state;
    static Sheet sheet;
    GtError error;
    GtiPatchSource source;
    GtiPatches patches;
    make_sheet(&sheet, 0.0f);
    GtHarmonicMarker marker = { .triangle = 7, .band = { NAN, 0.0f, 0.0f } };
    GT_EXPECT_ERROR(gti_source_find(&sheet.mesh, 2.0, &marker, "marker 0", &source, &error), GT_ERROR_BAD_VALUE,
                    "the direction of its band is not finite");
    marker.band = gt_vec3(0.0f, 0.0f, 1.0f);
    GT_EXPECT_OK(gti_source_find(&sheet.mesh, 2.0, &marker, "marker 0", &source, &error));
    GtArena arena = gt_arena_create(gt_default_allocator());
    assert_true(gti_patches_make(&sheet.mesh, &source, 1, &arena, &patches));
    int32_t held = 0;
    for (int32_t v = 0; v < sheet.mesh.vertex_count; ++v) {
        held += patches.depths[v] <= 0.0;
    }
    assert_int_equal(held, 3);
    gt_arena_destroy(&arena);
}

// Of several markers each vertex belongs to the one that is nearest when radii are taken off.
static void vertices_belong_to_the_patch_they_are_deepest_in(void** state)
{
    (void)state;
    static Sheet sheet;
    make_sheet(&sheet, 0.0f);
    const int32_t triangles[3] = { 400, 1500, 2700 };
    const float radii[3] = { 0.05f, 0.4f, 0.2f };
    GtiPatchSource sources[3];
    for (int i = 0; i < 3; ++i) {
        sources[i] = source_at(&sheet, triangles[i], radii[i]);
    }
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiPatches patches;
    assert_true(gti_patches_make(&sheet.mesh, sources, 3, &arena, &patches));
    for (int32_t v = 0; v < sheet.mesh.vertex_count; ++v) {
        double depths[3];
        double best = INFINITY;
        for (int i = 0; i < 3; ++i) {
            distance_flat(&sheet, triangles[i], v, &depths[i]);
            depths[i] -= (double)radii[i];
            best = fmin(best, depths[i]);
        }
        GT_EXPECT_NEAR(depths[patches.owners[v]], best, 0.3 * (double)CELL); // fronts of two markers meet at edges
    }
    gt_arena_destroy(&arena);
}

static void a_point_finds_the_nearest_place(void** state)
{
    (void)state;
    static Sheet sheet;
    make_sheet(&sheet, 0.0f);
    GtError error;
    TestRandom random = { 3 };
    for (int i = 0; i < 50; ++i) {
        GtVec3 p = test_random_vec3(&random, 0.1f, 1.8f);
        p.z = test_random_float(&random, -0.2f, 0.2f);
        GtHarmonicMarker marker = { .triangle = GT_NONE, .point = p };
        GtiPatchSource source;
        GT_EXPECT_OK(gti_source_find(&sheet.mesh, 3.0, &marker, "marker 0", &source, &error));
        GT_EXPECT_NEAR(source.place.x, p.x, 1e-6);
        GT_EXPECT_NEAR(source.place.y, p.y, 1e-6);
        GT_EXPECT_NEAR(source.place.z, 0.0, 1e-6);
    }
    GtHarmonicMarker corner = { .triangle = GT_NONE, .point = gt_vec3(-0.1f, -0.1f, 0.1f) };
    GtiPatchSource source;
    GT_EXPECT_OK(gti_source_find(&sheet.mesh, 3.0, &corner, "marker 0", &source, &error));
    double best = INFINITY;
    for (int32_t v = 0; v < sheet.mesh.vertex_count; ++v) {
        best = fmin(best, (double)gt_vec3_length(gt_vec3_sub(sheet.positions[v], corner.point)));
    }
    double x = source.place.x + 0.1;
    double y = source.place.y + 0.1;
    GT_EXPECT_NEAR(sqrt(x * x + y * y + 0.01), best, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_the_sheet_rolled_out),
        cmocka_unit_test(bands_go_across_the_whole_sheet),
        cmocka_unit_test(bands_that_cannot_be_are_discs_or_refused),
        cmocka_unit_test(vertices_belong_to_the_patch_they_are_deepest_in),
        cmocka_unit_test(a_point_finds_the_nearest_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

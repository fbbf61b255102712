// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Shadows and open sky of things whose shadows one can work out: a plate over the floor, a pit, a box.

#include "render/draw/ambient.h"
#include "render/draw/shadow.h"
#include "support/random.h"
#include "support/test.h"

#include <stdlib.h>

static const GtVec3 light = { -0.6f, 1.0f, 0.4f };

static GtiShadow* make_shadow(const GtVec3* points, const uint32_t* indices, int32_t index_count, const GtBounds* box)
{
    GtiShadow* shadow = malloc(sizeof *shadow);
    assert_non_null(shadow);
    gti_shadow_begin(shadow, GTI_SHADOW_FINE, box, light, 0.0f);
    gti_shadow_add(shadow, points, indices, index_count, gt_vec3(0.0f, 0.0f, 0.0f));
    gti_shadow_end(shadow);
    return shadow;
}

// What the floor shows at a point, 0 to 255.
static int floor_at(const GtiShadow* shadow, float x, float z)
{
    const GtiShadowPlace* p = &shadow->place;
    int32_t size = shadow->size / 2;
    int32_t i = (int32_t)((x - p->low_x) / p->width_m * (float)size);
    int32_t k = (int32_t)((z - p->low_z) / p->depth_m * (float)size);
    return i < 0 || k < 0 || i >= size || k >= size ? 0 : shadow->floor[k * size + i][0];
}

// A plate of 1 m, 1 m over the floor: its shadow is as large, and 0.6 m to the right and 0.4 m to the back of it.
static void plate_casts_its_shape(void** state)
{
    (void)state;
    const GtVec3 points[4] = { { 0, 1, 0 }, { 1, 1, 0 }, { 1, 1, 1 }, { 0, 1, 1 } };
    const uint32_t indices[6] = { 0, 1, 2, 0, 2, 3 };
    const GtBounds box = { { 0, 0, 0 }, { 1, 1, 1 } };
    GtiShadow* shadow = make_shadow(points, indices, 6, &box);
    assert_int_equal(floor_at(shadow, 0.6f + 0.5f, 0.5f - 0.4f), 255);
    assert_int_equal(floor_at(shadow, 0.6f + 0.1f, 0.1f - 0.4f), 255);
    assert_int_equal(floor_at(shadow, 0.6f + 0.9f, 0.9f - 0.4f), 255);
    assert_int_equal(floor_at(shadow, 0.6f - 0.1f, 0.5f - 0.4f), 0);
    assert_int_equal(floor_at(shadow, 0.6f + 0.5f, 1.1f - 0.4f), 0);
    int edge = floor_at(shadow, 0.6f, 0.5f - 0.4f);
    assert_true(edge > 60 && edge < 195);
    int32_t size = shadow->size / 2;
    for (int32_t i = 0; i < size * size; ++i) { // all of it is in the part that is said to be dark, which is no larger
        float x = ((float)(i % size) + 0.5f) / (float)size;
        float z = ((float)(i / size) + 0.5f) / (float)size;
        const float* dark = shadow->place.dark;
        assert_true(!shadow->floor[i][0] || (x > dark[0] && z > dark[1] && x < dark[2] && z < dark[3]));
    }
    GT_EXPECT_NEAR((shadow->place.dark[2] - shadow->place.dark[0]) * shadow->place.width_m, 1.0, 0.1);
    GT_EXPECT_NEAR((shadow->place.dark[3] - shadow->place.dark[1]) * shadow->place.depth_m, 1.0, 0.1);
    const GtVec3 up = { 0, 1, 0 };
    GT_EXPECT_NEAR(gti_shadow_light(shadow, gt_vec3(0.5f + 0.3f, 0.5f, 0.5f - 0.2f), up), 0.0, 1e-6);
    GT_EXPECT_NEAR(gti_shadow_light(shadow, gt_vec3(0.5f, 1.0f, 0.5f), up), 1.0, 1e-6); // the plate itself
    GT_EXPECT_NEAR(gti_shadow_light(shadow, gt_vec3(0.5f - 0.3f, 0.1f, 0.5f + 0.4f), up), 1.0, 1e-6); // beside it
    free(shadow);
}

// The same plate in triangles of 5 mm, turned either way, makes the same shadow.
static void shadow_does_not_depend_on_triangles(void** state)
{
    (void)state;
    enum {
        SIDE = 200
    };
    const GtVec3 large[4] = { { 0, 1, 0 }, { 1, 1, 0 }, { 1, 1, 1 }, { 0, 1, 1 } };
    const uint32_t large_indices[6] = { 0, 1, 2, 0, 2, 3 };
    const GtBounds box = { { 0, 0, 0 }, { 1, 1, 1 } };
    static GtVec3 points[(SIDE + 1) * (SIDE + 1)];
    static uint32_t indices[SIDE * SIDE * 6];
    for (int i = 0; i < (SIDE + 1) * (SIDE + 1); ++i) {
        points[i] = gt_vec3((float)(i % (SIDE + 1)) / SIDE, 1.0f, (float)(i / (SIDE + 1)) / SIDE);
    }
    for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
        uint32_t a = i / SIDE * (SIDE + 1) + i % SIDE;
        const uint32_t corners[6] = { a, a + 1, a + SIDE + 2, a, a + SIDE + 1, a + SIDE + 2 };
        memcpy(indices + (size_t)6 * i, corners, sizeof corners);
    }
    GtiShadow* few = make_shadow(large, large_indices, 6, &box);
    GtiShadow* many = make_shadow(points, indices, SIDE * SIDE * 6, &box);
    int differing = 0;
    for (int i = 0; i < few->size / 2 * (few->size / 2); ++i) {
        differing += abs(few->floor[i][0] - many->floor[i][0]) > 64;
    }
    assert_int_equal(differing, 0);
    free(few);
    free(many);
}

// A plate on edge to the light casts a line, and nothing beside it.
static void plates_on_edge_cast_lines(void** state)
{
    (void)state;
    const GtVec3 corners[4] = {
        { 0.7f, 0.1f, 0.2f }, { 0.7f, 0.9f, 0.2f }, { 0.7f, 0.9f, 0.8f }, { 0.7f, 0.1f, 0.8f }
    };
    const uint32_t indices[6] = { 0, 1, 2, 0, 2, 3 };
    const GtBounds box = { { 0, 0, 0 }, { 1, 1, 1 } };
    GtVec3 points[4];
    for (int i = 0; i < 4; ++i) { // leaning along the light: all of it is over one line of the floor
        float height = corners[i].y;
        points[i] =
            gt_vec3(corners[i].x + light.x / light.y * height, height, corners[i].z + light.z / light.y * height);
    }
    GtiShadow* shadow = make_shadow(points, indices, 6, &box);
    int32_t column = (int32_t)((0.7f - shadow->place.low_x) * shadow->texels_x);
    for (int32_t i = 0; i < shadow->size * shadow->size; ++i) {
        assert_true(shadow->heights[i] < -1e29f || abs(i % shadow->size - column) <= 1);
    }
    free(shadow);
}

// Slivers that the light grazes are as high as they are, and no higher.
static void slivers_stay_within_their_heights(void** state)
{
    (void)state;
    enum {
        SLIVERS = 2000
    };
    static GtVec3 points[3 * SLIVERS];
    static uint32_t indices[3 * SLIVERS];
    const GtBounds box = { { 0, 0, 0 }, { 1, 1, 1 } };
    TestRandom random = { 11 };
    for (uint32_t i = 0; i < 3 * SLIVERS; i += 3) {
        GtVec3 along = gt_vec3_scale(light, 0.3f); // from 0.4 m to 0.7 m, seen from the light as a line
        GtVec3 start = gt_vec3(test_random_float(&random, 0.3f, 0.7f), 0.4f, test_random_float(&random, 0.3f, 0.7f));
        points[i] = start;
        points[i + 1] = gt_vec3_add(start, along);
        points[i + 2] =
            gt_vec3_add(gt_vec3_add(start, gt_vec3_scale(along, 0.5f)), test_random_vec3(&random, -1e-2f, 1e-2f));
        indices[i] = i;
        indices[i + 1] = i + 1;
        indices[i + 2] = i + 2;
    }
    GtiShadow* shadow = make_shadow(points, indices, 3 * SLIVERS, &box);
    int marked = 0;
    for (int i = 0; i < shadow->size * shadow->size; ++i) {
        if (shadow->heights[i] > -1e29f) {
            ++marked;
            assert_true(shadow->heights[i] > 0.39f && shadow->heights[i] < 0.7001f);
        }
    }
    assert_true(marked > 1000);
    free(shadow);
}

static void nonsense_casts_nothing(void** state)
{
    (void)state;
    const GtVec3 points[4] = { { NAN, 1, 0 }, { 1, INFINITY, 0 }, { 1, 1, 1 }, { 0, 1, 1 } };
    const uint32_t indices[6] = { 0, 1, 2, 0, 2, 3 };
    const GtBounds box = { { 0, 0, 0 }, { 1, 1, 1 } };
    const GtBounds none = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    GtiShadow* shadow = make_shadow(points, indices, 6, &box);
    assert_int_equal(floor_at(shadow, 1.1f, 0.1f), 0);
    GT_EXPECT_NEAR(gti_shadow_light(shadow, points[0], points[1]), 1.0, 0.0);
    free(shadow);
    shadow = make_shadow(points, indices, 6, &none);
    assert_true(shadow->is_empty);
    GT_EXPECT_NEAR(gti_shadow_light(shadow, points[2], points[2]), 1.0, 0.0);
    free(shadow);
}

// The sky that vertices of one mesh see.
static void see_sky(const GtVec3* points, const GtVec3* normals, int32_t count, const uint32_t* indices,
                    int32_t index_count, const GtBounds* box, float floor_y, uint8_t* open)
{
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiAmbient* ambient = gti_ambient_create(&arena);
    GtVec3* own = gt_arena_push_array(&arena, (size_t)count, sizeof *own);
    assert_non_null(ambient);
    assert_non_null(own);
    GtiAmbientMesh mesh = { count, index_count, points, normals, own, indices, open };
    gti_ambient_compute(ambient, &mesh, 1, box, floor_y);
    gt_arena_destroy(&arena);
}

// On open ground one sees all of the sky, between two near walls little of it, with or without given normals.
static void walls_close_the_sky(void** state)
{
    (void)state;
    const GtVec3 points[12] = { { 0, 0, 0 },    { 1, 0, 0 },       { 0, 0, 1 },    // open ground
                                { 3, 0, 0 },    { 3, 1, 0 },       { 3, 0, 1 },    // a wall, facing +x
                                { 3.1f, 0, 0 }, { 3.1f, 0, 1 },    { 3.1f, 1, 0 }, // another, facing -x
                                { 3, 1, 1 },    { 3, 0.5f, 0.5f }, { 3.1f, 0.5f, 0.5f } };
    const uint32_t indices[] = { 0, 2, 1, 3, 4, 10, 4, 9, 10, 9, 5, 10, 5, 3, 10, 6, 7, 11, 7, 8, 11, 8, 6, 11 };
    GtVec3 normals[12];
    for (int i = 0; i < 12; ++i) {
        normals[i] = i < 3 ? gt_vec3(0, 1, 0) : points[i].x > 3.05f ? gt_vec3(-1, 0, 0) : gt_vec3(1, 0, 0);
    }
    const GtBounds box = { { 0, 0, 0 }, { 3.1f, 1, 1 } };
    for (int given = 0; given < 2; ++given) {
        uint8_t open[24] = { 0 };
        see_sky(points, given ? normals : NULL, 12, indices, sizeof indices / sizeof indices[0], &box, -INFINITY, open);
        assert_true(open[0] > 230 && open[2] > 230 && open[4] > 230);
        assert_true(open[20] < 140 && open[22] < 140);
    }
}

// A floor closes what looks down on it, and a point that is no number sees all.
static void floor_closes_the_sky(void** state)
{
    (void)state;
    const GtVec3 points[3] = { { 0, 0.01f, 0 }, { 1, 0.01f, 0 }, { NAN, 0, 0 } };
    const GtVec3 normals[3] = { { 0, -1, 0 }, { 0, 1, 0 }, { 0, 1, 0 } };
    const uint32_t indices[3] = { 0, 1, 2 };
    const GtBounds box = { { 0, 0, 0 }, { 1, 1, 1 } };
    uint8_t open[6] = { 0 };
    see_sky(points, normals, 3, indices, 3, &box, 0.0f, open);
    assert_true(open[0] < 30);
    assert_true(open[2] > 230);
    assert_int_equal(open[4], 255);
}

// A file can have any number of large triangles over each other. The work that they make is bounded, and the shadow is
// that of one of them. A figure's triangles stay far from the bound.
static void layers_are_bounded(void** state)
{
    (void)state;
    enum {
        LAYERS = 300000
    };
    const GtVec3 points[3] = { { 0, 1, 0 }, { 1, 1, 0 }, { 0, 1, 1 } };
    const GtBounds box = { { 0, 0, 0 }, { 1, 1, 1 } };
    uint32_t* indices = malloc(3 * LAYERS * sizeof *indices);
    assert_non_null(indices);
    for (uint32_t i = 0; i < 3 * LAYERS; ++i) {
        indices[i] = i % 3;
    }
    GtiShadow* one = make_shadow(points, indices, 3, &box);
    GtiShadow* many = make_shadow(points, indices, 3 * LAYERS, &box);
    assert_memory_equal(one->heights, many->heights, sizeof one->heights);
    int64_t work = 500LL * GTI_SHADOW_FINE * GTI_SHADOW_FINE;
    assert_true(one->texels_left > work - GTI_SHADOW_FINE * GTI_SHADOW_FINE);
    assert_true(many->texels_left <= 0 && many->texels_left > -2 * GTI_SHADOW_FINE);
    free(indices);
    free(one);
    free(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plate_casts_its_shape),
        cmocka_unit_test(shadow_does_not_depend_on_triangles),
        cmocka_unit_test(nonsense_casts_nothing),
        cmocka_unit_test(walls_close_the_sky),
        cmocka_unit_test(floor_closes_the_sky),
        cmocka_unit_test(plates_on_edge_cast_lines),
        cmocka_unit_test(slivers_stay_within_their_heights),
        cmocka_unit_test(layers_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

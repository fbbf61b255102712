// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Oracle: every pair of vertices tried.

#include "harmonic/markers/islands.h"

#include "support/random.h"
#include "support/test.h"

enum {
    ISLANDS = 60,
    LONERS = 9, // vertices of no triangle
    MAX_TRIANGLES = ISLANDS * 8,
    MAX_VERTICES = ISLANDS * 10 + LONERS
};

typedef struct Sea {
    GtVec3 positions[MAX_VERTICES];
    int32_t triangles[MAX_TRIANGLES][3];
    GtiTrimesh mesh;
} Sea;

// Strips of 1 to 8 triangles, here and there.
static void make_sea(Sea* sea, uint64_t seed)
{
    TestRandom random = { seed };
    sea->mesh = (GtiTrimesh){ sea->positions, 0, sea->triangles, 0 };
    for (int i = 0; i < ISLANDS; ++i) {
        GtVec3 centre = test_random_vec3(&random, -3.0f, 3.0f);
        int32_t first = sea->mesh.vertex_count;
        int count = 1 + (int)(test_random_bits(&random) % 8);
        for (int k = 0; k < count + 2; ++k) {
            GtVec3 way = test_random_vec3(&random, -0.4f, 0.4f);
            sea->positions[sea->mesh.vertex_count++] = gt_vec3_add(centre, way);
            if (k >= 2) {
                int32_t* corners = sea->triangles[sea->mesh.triangle_count++];
                corners[0] = first + k - 2;
                corners[1] = first + k - 1;
                corners[2] = first + k;
            }
        }
    }
    for (int i = 0; i < LONERS; ++i) {
        sea->positions[sea->mesh.vertex_count++] = test_random_vec3(&random, -3.0f, 3.0f);
    }
}

static double nearest_larger(const Sea* sea, const int32_t* components, int32_t component)
{
    double best = INFINITY;
    for (int32_t a = 0; a < sea->mesh.vertex_count; ++a) {
        for (int32_t b = 0; components[a] == component && b < sea->mesh.vertex_count; ++b) {
            if (components[b] < component) {
                GtVec3 d = gt_vec3_sub(sea->positions[a], sea->positions[b]);
                best = fmin(best, (double)gt_vec3_length(d));
            }
        }
    }
    return best;
}

static double area_of(const Sea* sea, const int32_t* components, int32_t component)
{
    double area = 0.0;
    for (int32_t t = 0; t < sea->mesh.triangle_count; ++t) {
        const int32_t* c = sea->triangles[t];
        if (components[c[0]] == component) {
            GtVec3 u = gt_vec3_sub(sea->positions[c[1]], sea->positions[c[0]]);
            GtVec3 v = gt_vec3_sub(sea->positions[c[2]], sea->positions[c[0]]);
            area += 0.5 * (double)gt_vec3_length(gt_vec3_cross(u, v));
        }
    }
    return area;
}

static void each_island_is_tied_to_the_nearest_larger_one(void** state)
{
    (void)state;
    static Sea sea;
    for (uint64_t seed = 1; seed <= 5; ++seed) {
        make_sea(&sea, seed);
        GtArena arena = gt_arena_create(gt_default_allocator());
        GtiLaplacian laplacian;
        GtiIslands islands;
        assert_true(gti_laplacian_make(&sea.mesh, 1e-5, &arena, &laplacian));
        assert_true(gti_islands_make(&sea.mesh, &laplacian, &arena, &islands));
        assert_int_equal(islands.component_count, ISLANDS + LONERS);
        for (int32_t i = 1; i < islands.component_count; ++i) {
            const GtiTie* tie = &islands.ties[i - 1];
            assert_true(area_of(&sea, islands.components, i) <= area_of(&sea, islands.components, i - 1) + 1e-9);
            assert_int_equal(islands.components[tie->island], i);
            assert_true(islands.components[tie->shore] < i);
            GtVec3 way = gt_vec3_sub(sea.positions[tie->island], sea.positions[tie->shore]);
            GT_EXPECT_NEAR(tie->length, gt_vec3_length(way), 1e-6);
            GT_EXPECT_NEAR(tie->length, nearest_larger(&sea, islands.components, i), 1e-6);
        }
        gt_arena_destroy(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_island_is_tied_to_the_nearest_larger_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

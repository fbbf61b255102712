// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Points under the feet: leaving out those that change nothing changes nothing.

#include "motion/puppets.h"

#include "gertie/person.h"

#include "support/random.h"

#include "motion/contact/tread.h"

typedef struct Feet {
    GtContext context;
    GtScene* scene;
    GtArena arena;
    GtFigure figure;
    GtiTread whole;
    GtiTread trimmed;
    GtiTread doubled; // and trimmed
} Feet;

// Every vertex twice, as along the seams of a texture: the second half again the first.
static void double_vertices(Feet* f, GtiTread* sole)
{
    GtCharacterDef def = *gt_character_def(sole->character);
    assert_int_equal(def.mesh_count, 1);
    GtMeshDef mesh = def.meshes[0];
    size_t count = (size_t)mesh.vertex_count;
    size_t influences = (size_t)mesh.influence_count;
    GtVec3* positions = gt_arena_push_array(&f->arena, 2 * count, sizeof *positions);
    uint16_t* joints = gt_arena_push_array(&f->arena, 2 * count * influences, sizeof *joints);
    float* weights = gt_arena_push_array(&f->arena, 2 * count * influences, sizeof *weights);
    int8_t* parts = gt_arena_push_array(&f->arena, 2 * count, sizeof *parts);
    float* toe_shares = gt_arena_push_array(&f->arena, 2 * count, sizeof *toe_shares);
    sole->points = gt_arena_push_array(&f->arena, 2 * count, sizeof *sole->points);
    for (size_t v = 0; v < 2 * count; ++v) {
        positions[v] = mesh.positions[v % count];
        parts[v] = sole->parts[v % count];
        toe_shares[v] = sole->toe_shares[v % count];
        memcpy(joints + v * influences, mesh.joints + v % count * influences, influences * sizeof *joints);
        memcpy(weights + v * influences, mesh.weights + v % count * influences, influences * sizeof *weights);
    }
    mesh.vertex_count *= 2;
    mesh.positions = positions;
    mesh.joints = joints;
    mesh.weights = weights;
    def.meshes = &mesh;
    GtCharacter* doubled = NULL;
    GtError error;
    GT_EXPECT_OK(gt_character_create(f->context.allocator, &def, &doubled, &error));
    gt_character_destroy(sole->character);
    sole->character = doubled;
    sole->point_count *= 2;
    sole->deformed_count *= 2;
    sole->parts = parts;
    sole->toe_shares = toe_shares;
    sole->scratch = gt_arena_push(&f->arena, gti_tread_scratch_size(sole));
}

static void open_feet(Feet* f)
{
    GtError error;
    GtPersonDef def = gt_default_person_def();
    *f = (Feet){ .context = gt_default_context(), .arena = gt_arena_create(gt_default_allocator()) };
    def.triangle_count = 6000;
    GT_EXPECT_OK(gt_sample_person(&f->context, &def, &f->scene, NULL, &error));
    GT_EXPECT_OK(gt_figure_open(&f->context, f->scene, NULL, &f->figure, &error));
    GT_EXPECT_OK(gti_tread_open(&f->context, &f->arena, &f->figure, &f->whole, &error));
    GT_EXPECT_OK(gti_tread_open(&f->context, &f->arena, &f->figure, &f->trimmed, &error));
    GT_EXPECT_OK(gti_tread_open(&f->context, &f->arena, &f->figure, &f->doubled, &error));
    assert_true(f->whole.is_mesh);
}

static void close_feet(Feet* f)
{
    gti_tread_close(&f->doubled);
    gti_tread_close(&f->trimmed);
    gti_tread_close(&f->whole);
    gt_figure_close(&f->figure);
    gt_arena_destroy(&f->arena);
    gt_scene_destroy(f->scene);
}

static void find_lowest(GtiTread* sole, float lowest[GTI_SOLE_PART_COUNT])
{
    gti_tread_update(sole, sole->points);
    for (int p = 0; p < GTI_SOLE_PART_COUNT; ++p) {
        lowest[p] = INFINITY;
    }
    for (int32_t i = 0; i < sole->point_count; ++i) {
        if (sole->parts[i] != GT_NONE) {
            lowest[sole->parts[i]] = fminf(lowest[sole->parts[i]], sole->points[i].y);
        }
    }
}

static GtVec3 mark_of(const GtiTread* sole, int part)
{
    return sole->points[sole->marks[part]];
}

// Turn the feet and toes every way, and see that the lowest heights and the marks are the same, but for rounding.
static void expect_same_lowest(Feet* f, GtiTread* sole)
{
    TestRandom random = { 5 };
    for (int i = 0; i < 50; ++i) {
        float wanted[GTI_SOLE_PART_COUNT], got[GTI_SOLE_PART_COUNT];
        gt_instance_reset(f->figure.instance);
        for (int side = 0; side < 2; ++side) {
            int32_t foot = f->figure.joints[gti_joint_on(GT_HUMANOID_LEFT_FOOT, side)];
            int32_t toes = f->figure.joints[gti_joint_on(GT_HUMANOID_LEFT_TOES, side)];
            f->figure.instance->pose[foot].rotation = test_random_rotation(&random);
            f->figure.instance->pose[toes].rotation = test_random_rotation(&random);
        }
        gt_instance_update(f->figure.instance);
        find_lowest(&f->whole, wanted);
        find_lowest(sole, got);
        for (int p = 0; p < GTI_SOLE_PART_COUNT; ++p) {
            GT_EXPECT_NEAR(got[p], wanted[p], 1e-6);
            GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(mark_of(sole, p), mark_of(&f->whole, p))), 0.0, 1e-6);
        }
    }
}

static void test_trimming_keeps_what_is_lowest(void** state)
{
    (void)state;
    GtError error;
    Feet f;
    open_feet(&f);
    double_vertices(&f, &f.doubled);
    GT_EXPECT_OK(gti_tread_trim(&f.context, &f.arena, &f.trimmed, &error));
    GT_EXPECT_OK(gti_tread_trim(&f.context, &f.arena, &f.doubled, &error));
    int32_t touching = 0;
    for (int32_t i = 0; i < f.whole.point_count; ++i) {
        touching += f.whole.parts[i] != GT_NONE;
    }
    assert_true(touching < f.whole.point_count && f.trimmed.point_count <= touching); // nothing above the ankles
    assert_int_equal(f.doubled.point_count, f.trimmed.point_count);
    // Some vertices go with one joint, some with several.
    assert_true(f.trimmed.deformed_count > 0 && f.trimmed.deformed_count < f.trimmed.point_count);
    expect_same_lowest(&f, &f.trimmed);
    expect_same_lowest(&f, &f.doubled);
    close_feet(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trimming_keeps_what_is_lowest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

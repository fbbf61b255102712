// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Oracles: the six steps in double precision, the rest pose, rigid motions, and the same surface cut more finely.

#include "gertie/simd.h"

#include "six_steps.h"
#include "tube.h"

static void* reserve(size_t size)
{
    void* memory = aligned_alloc(GT_ALIGNMENT, (size + GT_ALIGNMENT - 1) / GT_ALIGNMENT * GT_ALIGNMENT);
    assert_non_null(memory);
    memset(memory, 0xCD, size);
    return memory;
}

static GtHarmonic* create(const GtHarmonicDef* def)
{
    GtContext context = gt_default_context();
    GtError error;
    GtHarmonic* harmonic = NULL;
    GT_EXPECT_OK(gt_harmonic_create(&context, def, &harmonic, NULL, &error));
    return harmonic;
}

// Frames whose results lie one after the other, poisoned.
static GtVec3* pose_frames(const GtHarmonic* harmonic, const GtQuat* rotations, int32_t count, bool bake)
{
    size_t vertex_count = (size_t)gt_harmonic_vertex_count(harmonic);
    GtVec3* out = reserve((size_t)count * vertex_count * sizeof *out);
    GtHarmonicFrame* frames = reserve((size_t)count * sizeof *frames);
    for (int32_t f = 0; f < count; ++f) {
        frames[f] = (GtHarmonicFrame){
            .rotations = &rotations[f * gt_harmonic_marker_count(harmonic)],
            .anchor = gt_harmonic_anchor(harmonic),
            .positions = &out[(size_t)f * vertex_count],
        };
    }
    void* scratch = reserve(bake ? gt_harmonic_bake_scratch_size(harmonic) : gt_harmonic_pose_scratch_size(harmonic));
    if (bake) {
        gt_harmonic_bake(harmonic, frames, count, scratch);
    }
    for (int32_t f = 0; f < count && !bake; ++f) {
        gt_harmonic_pose(harmonic, &frames[f], NULL, scratch);
    }
    free(scratch);
    free(frames);
    return out;
}

static void the_rest_pose_is_reproduced(void** state)
{
    (void)state;
    Tube tube = tube_create(40, 100);
    tube_mark(&tube, 0.05f);
    GtHarmonic* harmonic = create(&tube.def);
    GtQuat rotations[TUBE_MARKERS];
    tube_bend(0.0f, rotations);
    for (int bake = 0; bake < 2; ++bake) {
        GtVec3* out = pose_frames(harmonic, rotations, 1, bake);
        for (int32_t v = 0; v < tube.def.vertex_count; ++v) {
            GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(out[v], tube.positions[v])), 0.0f, 1e-6f);
        }
        free(out);
    }
    gt_harmonic_destroy(harmonic);
    tube_destroy(&tube);
}

static void a_common_rotation_turns_the_mesh(void** state)
{
    (void)state;
    Tube tube = tube_create(30, 80);
    tube_mark(&tube, 0.05f);
    GtHarmonic* harmonic = create(&tube.def);
    GtVec3 anchor = gt_harmonic_anchor(harmonic);
    TestRandom random = { 7 };
    for (int round = 0; round < 4; ++round) {
        GtQuat turn = gt_quat_from_axis_angle(test_random_direction(&random), test_random_float(&random, 0.5f, 3.1f));
        GtQuat rotations[TUBE_MARKERS];
        for (int m = 0; m < TUBE_MARKERS; ++m) { // any length, either sign
            float s = m % 3 == 0 ? -2.0f : 0.5f;
            rotations[m] = gt_quat(s * turn.x, s * turn.y, s * turn.z, s * turn.w);
        }
        GtVec3* out = pose_frames(harmonic, rotations, 1, round % 2);
        for (int32_t v = 0; v < tube.def.vertex_count; ++v) {
            GtVec3 wanted = gt_vec3_add(anchor, gt_quat_rotate(turn, gt_vec3_sub(tube.positions[v], anchor)));
            GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(out[v], wanted)), 0.0f, 1e-5f);
        }
        free(out);
    }
    gt_harmonic_destroy(harmonic);
    tube_destroy(&tube);
}

static double mean_way(const double (*wanted)[3], const GtVec3* got, int32_t count, int axis)
{
    double sum = 0.0;
    for (int32_t v = 0; v < count; ++v) {
        double g = (double)(axis == 0 ? got[v].x : axis == 1 ? got[v].y : got[v].z);
        sum += (g - wanted[v][axis]) / count;
    }
    return sum;
}

// The largest distance but for a common shift.
static double largest_distance(const double (*wanted)[3], const GtVec3* got, int32_t count)
{
    double shift[3];
    for (int axis = 0; axis < 3; ++axis) {
        shift[axis] = mean_way(wanted, got, count, axis);
    }
    double largest = 0.0;
    for (int32_t v = 0; v < count; ++v) {
        double x = (double)got[v].x - wanted[v][0] - shift[0];
        double y = (double)got[v].y - wanted[v][1] - shift[1];
        double z = (double)got[v].z - wanted[v][2] - shift[2];
        double d = sqrt(x * x + y * y + z * z);
        largest = d <= largest ? largest : d; // NaN stays
    }
    return largest;
}

// Every level, one frame and batches, a number of frames that fills no batch.
static void all_kernels_do_the_six_steps(void** state)
{
    (void)state;
    enum {
        FRAMES = 19
    };
    Tube tube = tube_create(61, 137);
    tube_mark(&tube, 0.04f);
    GtHarmonic* harmonic = create(&tube.def);
    SixSteps* steps = six_steps_create(&tube.def, gt_harmonic_holders(harmonic));
    GtQuat rotations[FRAMES][TUBE_MARKERS];
    double(*wanted)[3] = calloc((size_t)tube.def.vertex_count * FRAMES, sizeof *wanted);
    for (int f = 0; f < FRAMES; ++f) {
        tube_bend(0.08f * (float)f, rotations[f]);
        six_steps_solve(steps, rotations[f], &wanted[f * tube.def.vertex_count]);
    }
    GtSimdLevel before = gt_simd_level();
    for (int level = GT_SIMD_SCALAR; level <= (int)gt_simd_level_supported(); ++level) {
        gt_simd_level_set((GtSimdLevel)level);
        for (int bake = 0; bake < 2; ++bake) {
            GtVec3* out = pose_frames(harmonic, rotations[0], FRAMES, bake);
            for (int f = 0; f < FRAMES; ++f) {
                size_t first = (size_t)f * (size_t)tube.def.vertex_count;
                GT_EXPECT_NEAR(
                    largest_distance((const double(*)[3]) & wanted[first], &out[first], tube.def.vertex_count), 0.0,
                    1e-5);
            }
            free(out);
        }
    }
    gt_simd_level_set(before);
    free(wanted);
    six_steps_destroy(steps);
    gt_harmonic_destroy(harmonic);
    tube_destroy(&tube);
}

static float largest_between(const GtVec3* a, const GtVec3* b, int32_t count)
{
    float largest = 0.0f;
    for (int32_t v = 0; v < count; ++v) {
        float d = gt_vec3_length(gt_vec3_sub(a[v], b[v]));
        largest = d <= largest ? largest : d; // NaN stays
    }
    return largest;
}

// The same markers on a mesh of 16 times as many triangles: with patches no vertex that both have is further from its
// twin than half a percent of the length.
static void finer_meshes_move_alike(void** state)
{
    (void)state;
    enum {
        SIDES = 28,
        ROWS = 56
    };
    GtQuat rotations[TUBE_MARKERS];
    tube_bend(0.7f, rotations);
    GtVec3 coarse[SIDES * (ROWS + 1)];
    for (int fine = 0; fine < 2; ++fine) {
        int step = fine ? 4 : 1;
        Tube tube = tube_create(SIDES * step, ROWS * step);
        tube_mark(&tube, 0.09f);
        GtHarmonic* harmonic = create(&tube.def);
        GtVec3* out = pose_frames(harmonic, rotations, 1, false);
        float largest = 0.0f;
        for (int r = 0; r <= ROWS; ++r) {
            for (int s = 0; s < SIDES; ++s) {
                GtVec3 p = out[r * step * SIDES * step + s * step];
                GtVec3* twin = &coarse[r * SIDES + s];
                *twin = fine ? *twin : p;
                largest = fmaxf(largest, gt_vec3_length(gt_vec3_sub(p, *twin)));
            }
        }
        GT_EXPECT_NEAR(largest, 0.0f, 0.005f * TUBE_LENGTH);
        free(out);
        gt_harmonic_destroy(harmonic);
        tube_destroy(&tube);
    }
}

static void no_frame_depends_on_its_neighbours(void** state)
{
    (void)state;
    enum {
        FRAMES = 21
    };
    Tube tube = tube_create(20, 50);
    tube_mark(&tube, 0.05f);
    GtHarmonic* harmonic = create(&tube.def);
    GtQuat rotations[FRAMES][TUBE_MARKERS];
    for (int f = 0; f < FRAMES; ++f) {
        tube_bend(0.05f * (float)f, rotations[f]);
    }
    GtVec3* all = pose_frames(harmonic, rotations[0], FRAMES, true);
    for (int f = 0; f < FRAMES; f += 4) {
        GtVec3* alone = pose_frames(harmonic, rotations[f], 1, true);
        size_t count = (size_t)tube.def.vertex_count;
        assert_memory_equal(alone, &all[(size_t)f * count], count * sizeof *alone);
        free(alone);
    }
    free(all);
    gt_harmonic_destroy(harmonic);
    tube_destroy(&tube);
}

// The anchor goes where the frame says, and normals turn with the mesh.
static void the_anchor_and_normals_follow(void** state)
{
    (void)state;
    Tube tube = tube_create(24, 60);
    tube_mark(&tube, 0.05f);
    tube.def.anchor_everywhere = false;
    tube.def.anchor = (GtHarmonicMarker){ .triangle = GT_NONE, .point = tube_point(0.0f, 0.5f), .radius = 0.1f };
    GtHarmonic* harmonic = create(&tube.def);
    GtVec3 rest = gt_harmonic_anchor(harmonic);
    assert_true(gt_vec3_length(gt_vec3_sub(rest, tube.def.anchor.point)) < 0.05f);
    GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0.6f, 0.0f, 0.8f), 1.1f);
    GtQuat rotations[2][TUBE_MARKERS];
    for (int m = 0; m < TUBE_MARKERS; ++m) {
        rotations[0][m] = gt_quat_identity();
        rotations[1][m] = turn;
    }
    GtVec3 goal = gt_vec3(3.0f, -1.0f, 5.0f);
    size_t count = (size_t)tube.def.vertex_count;
    GtVec3* out = reserve(4 * count * sizeof *out);
    void* scratch = reserve(gt_harmonic_bake_scratch_size(harmonic));
    GtHarmonicFrame frames[2] = { { .rotations = rotations[0], .anchor = rest },
                                  { .rotations = rotations[1], .anchor = goal } };
    for (size_t f = 0; f < 2; ++f) {
        frames[f].positions = &out[2 * f * count];
        frames[f].normals = &out[(2 * f + 1) * count];
    }
    gt_harmonic_bake(harmonic, frames, 2, scratch);
    for (size_t v = 0; v < count; ++v) {
        GtVec3 wanted = gt_vec3_add(goal, gt_quat_rotate(turn, gt_vec3_sub(tube.positions[v], rest)));
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(frames[1].positions[v], wanted)), 0.0f, 1e-5f);
        GT_EXPECT_NEAR(gt_vec3_length(frames[0].normals[v]), 1.0f, 1e-5f);
        GtVec3 normal = gt_quat_rotate(turn, frames[0].normals[v]);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(frames[1].normals[v], normal)), 0.0f, 1e-3f);
    }
    GtVec3 side = gt_vec3(tube.positions[0].x, 0.0f, tube.positions[0].z); // out of the tube, not into it
    assert_true(gt_vec3_dot(frames[0].normals[24 * 30], side) > 0.0f);
    free(scratch);
    free(out);
    gt_harmonic_destroy(harmonic);
    tube_destroy(&tube);
}

static void rotations_that_are_none_leave_every_vertex_finite(void** state)
{
    (void)state;
    Tube tube = tube_create(20, 40);
    tube_mark(&tube, 0.05f);
    tube.def.align_signs = false;
    GtHarmonic* harmonic = create(&tube.def);
    GtQuat rotations[TUBE_MARKERS];
    for (int m = 0; m < TUBE_MARKERS; ++m) { // opposite signs cancel in between
        rotations[m] = m % 4 == 0   ? gt_quat(NAN, 0.0f, 0.0f, 1.0f)
                       : m % 4 == 1 ? gt_quat(0.0f, 0.0f, 0.0f, 0.0f)
                       : m % 4 == 2 ? gt_quat(0.0f, 0.0f, 0.0f, -1.0f)
                                    : gt_quat(INFINITY, 1.0f, 0.0f, 0.0f);
    }
    GtVec3* out = reserve((size_t)tube.def.vertex_count * sizeof *out);
    GtVec3* normals = reserve((size_t)tube.def.vertex_count * sizeof *normals);
    void* scratch = reserve(gt_harmonic_bake_scratch_size(harmonic) + gt_harmonic_pose_scratch_size(harmonic));
    for (int bake = 0; bake < 2; ++bake) {
        GtHarmonicFrame frame = { .rotations = rotations, .positions = out, .normals = normals };
        frame.anchor.x = NAN;
        if (bake) {
            gt_harmonic_bake(harmonic, &frame, 1, scratch);
        } else {
            gt_harmonic_pose(harmonic, &frame, NULL, scratch);
        }
        for (int32_t v = 0; v < tube.def.vertex_count; ++v) {
            assert_true(isfinite(out[v].x) && isfinite(out[v].y) && isfinite(out[v].z));
            assert_true(isfinite(normals[v].x) && isfinite(normals[v].y) && isfinite(normals[v].z));
        }
    }
    free(scratch);
    free(normals);
    free(out);
    gt_harmonic_destroy(harmonic);
    tube_destroy(&tube);
}

// q and -q at random: with signs aligned the result is that of the signs as they should be.
static void signs_do_not_matter(void** state)
{
    (void)state;
    Tube tube = tube_create(24, 60);
    tube_mark(&tube, 0.05f);
    GtHarmonic* harmonic = create(&tube.def);
    GtQuat rotations[TUBE_MARKERS];
    tube_bend(1.2f, rotations);
    GtVec3* wanted = pose_frames(harmonic, rotations, 1, false);
    TestRandom random = { 21 };
    for (int round = 0; round < 3; ++round) {
        for (int m = 0; m < TUBE_MARKERS; ++m) {
            GtQuat q = rotations[m];
            if (test_random_bits(&random) & 1) {
                rotations[m] = gt_quat(-q.x, -q.y, -q.z, -q.w);
            }
        }
        GtVec3* got = pose_frames(harmonic, rotations, 1, false);
        GT_EXPECT_NEAR(largest_between(got, wanted, tube.def.vertex_count), 0.0f, 1e-6f);
        free(got);
    }
    free(wanted);
    gt_harmonic_destroy(harmonic);
    tube_destroy(&tube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rest_pose_is_reproduced),
        cmocka_unit_test(a_common_rotation_turns_the_mesh),
        cmocka_unit_test(all_kernels_do_the_six_steps),
        cmocka_unit_test(finer_meshes_move_alike),
        cmocka_unit_test(no_frame_depends_on_its_neighbours),
        cmocka_unit_test(the_anchor_and_normals_follow),
        cmocka_unit_test(rotations_that_are_none_leave_every_vertex_finite),
        cmocka_unit_test(signs_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

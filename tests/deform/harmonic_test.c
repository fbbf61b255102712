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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rest_pose_is_reproduced),
        cmocka_unit_test(a_common_rotation_turns_the_mesh),
        cmocka_unit_test(all_kernels_do_the_six_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

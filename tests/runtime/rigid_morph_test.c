// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vertices.h"

static void test_rigid_agrees_with_double_precision_at_every_level(void** state)
{
    (void)state;
    static const int32_t counts[] = { 1, 2, 3, 7, 16, 17, MAX_VERTICES };
    uint64_t random = 77;
    Vertices v;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
        GtVec3 t = ref_random_vec3(&random, 3.0);
        RefMat turn = ref_matrix(ref_random_quat(&random), (RefVec){ { (double)t.x, (double)t.y, (double)t.z } });
        RefMat stretch = ref_random_stretch(&random, c % 2 == 1);
        RefMat exact = ref_mul(&turn, &stretch);
        fill_vertices(&v, counts[c], 1, &random);
        GtiRigidJob job = {
            .in = { v.positions, v.normals, v.tangents },
            .out = { v.out_positions, v.out_normals, v.out_tangents },
            .model_from_mesh = ref_to_mat34(&exact),
        };
        for (GtSimdLevel level = GT_SIMD_SCALAR; level <= gt_simd_level_supported(); ++level) {
            poison(&v);
            gti_kernels_at(level)->rigid(&job, 0, v.count);
            expect_poison_outside(&v, 0, v.count);
            for (int32_t i = 0; i < v.count; ++i) {
                ref_expect_vec(v.out_positions[i], ref_apply(&exact, v.positions[i], 1.0), 1e-5);
                ref_expect_vec(v.out_normals[i], ref_normal(&exact, v.normals[i]), 1e-5);
                RefVec tangent = ref_unit(ref_apply(&exact, tangent_of(v.tangents, i), 0.0));
                ref_expect_vec(tangent_of(v.out_tangents, i), tangent, 1e-5);
                GT_EXPECT_NEAR(v.out_tangents[4 * i + 3], v.tangents[4 * i + 3], 0);
            }
        }
    }
}

static void test_morphs_add_what_they_list_and_touch_nothing_else(void** state)
{
    (void)state;
    enum {
        ENTRIES = 36
    };
    uint64_t random = 78;
    uint32_t vertices[ENTRIES];
    float displacements[ENTRIES * 4];
    for (uint32_t i = 0; i < ENTRIES; ++i) {
        vertices[i] = i < 8 ? 3 * i : i + 16 + 2 * (i > 29); // apart, then two runs
    }
    for (uint32_t i = 0; i < ENTRIES * 4; ++i) {
        displacements[i] = (float)ref_random(&random);
    }
    const int32_t sizes[4][2] = { { 2, 2 }, { 3, 3 }, { 3, 4 }, { 4, 4 } };
    for (int kind = 0; kind < 4; ++kind) {
        int32_t width = sizes[kind][0];
        int32_t stride = sizes[kind][1];
        for (GtSimdLevel level = GT_SIMD_SCALAR; level <= gt_simd_level_supported(); ++level) {
            float out[MAX_VERTICES * 4];
            double expected[MAX_VERTICES * 4];
            for (int i = 0; i < MAX_VERTICES * stride; ++i) {
                out[i] = (float)ref_random(&random);
                expected[i] = (double)out[i];
            }
            for (int i = 2; i < ENTRIES - 1; ++i) {
                const float* d = &displacements[i * width];
                for (int c = 0; c < width; ++c) {
                    expected[vertices[i] * (uint32_t)stride + (uint32_t)c] += -1.5 * (double)d[c];
                }
            }
            GtiMorphJob job = { vertices, displacements, -1.5f, width, stride, out };
            gti_kernels_at(level)->morph(&job, 2, ENTRIES - 1);
            for (int i = 0; i < MAX_VERTICES * stride; ++i) {
                GT_EXPECT_NEAR(out[i], expected[i], 1e-6);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigid_agrees_with_double_precision_at_every_level),
        cmocka_unit_test(test_morphs_add_what_they_list_and_touch_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

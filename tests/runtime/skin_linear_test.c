// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vertices.h"

static RefMat blend(const Vertices* v, int32_t i, const RefMat* joints)
{
    RefMat sum = { { { 0 } } };
    for (int32_t k = 0; k < v->influence_count; ++k) {
        int32_t at = i * v->influence_count + k;
        for (int e = 0; e < 12; ++e) {
            sum.m[e / 4][e % 4] += (double)v->weights[at] * joints[v->joints[at]].m[e / 4][e % 4];
        }
    }
    return sum;
}

static void check_vertices(const Vertices* v, const RefMat* joints)
{
    for (int32_t i = 0; i < v->count; ++i) {
        RefMat matrix = blend(v, i, joints);
        ref_expect_vec(v->out_positions[i], ref_apply(&matrix, v->positions[i], 1.0), 2e-5);
        if (fabs(ref_determinant(&matrix)) > 0.02) { // nearer to singular, rounding decides the direction
            ref_expect_vec(v->out_normals[i], ref_normal(&matrix, v->normals[i]), 2e-4);
        }
        RefVec tangent = ref_unit(ref_apply(&matrix, tangent_of(v->tangents, i), 0.0));
        ref_expect_vec(tangent_of(v->out_tangents, i), tangent, 2e-4);
        GT_EXPECT_NEAR(v->out_tangents[4 * i + 3], v->tangents[4 * i + 3], 0);
        GT_EXPECT_NEAR(gt_vec3_length(v->out_normals[i]), 1.0, 1e-6);
    }
}

static GtiLinearSkinJob job_of(Vertices* v, const GtMat34* matrices)
{
    return (GtiLinearSkinJob){
        .in = { v->positions, v->normals, v->tangents },
        .out = { v->out_positions, v->out_normals, v->out_tangents },
        .influence_count = v->influence_count,
        .joints = v->joints,
        .weights = v->weights,
        .model_from_mesh = matrices,
    };
}

// Rotations with uneven scale, every third mirrored when `mirrored`.
static void random_joints(RefMat* joints, GtMat34* matrices, bool mirrored, uint64_t* random)
{
    for (int j = 0; j < JOINT_COUNT; ++j) {
        GtVec3 t = ref_random_vec3(random, 3.0);
        RefMat turn = ref_matrix(ref_random_quat(random), (RefVec){ { (double)t.x, (double)t.y, (double)t.z } });
        RefMat stretch = ref_random_stretch(random, mirrored && j % 3 == 0);
        RefMat exact = ref_mul(&turn, &stretch);
        matrices[j] = ref_to_mat34(&exact);
        joints[j] = ref_from_mat34(&matrices[j]);
    }
}

static void test_agrees_with_double_precision_at_every_level(void** state)
{
    (void)state;
    static const int32_t counts[] = { 1, 2, 3, 7, 16, 17, MAX_VERTICES };
    uint64_t random = 0x1234567;
    RefMat joints[JOINT_COUNT];
    GtMat34 matrices[JOINT_COUNT];
    Vertices v;
    for (int32_t influences = 1; influences <= GT_MAX_INFLUENCES; ++influences) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
            random_joints(joints, matrices, influences % 2 == 0, &random);
            fill_vertices(&v, counts[c], influences, &random);
            for (int32_t i = 0; i < 12 * influences && i < v.count * influences; ++i) { // neighbours mostly agree
                v.joints[i] = (uint16_t)((3 + i % influences) % JOINT_COUNT);
            }
            GtiLinearSkinJob job = job_of(&v, matrices);
            for (GtSimdLevel level = GT_SIMD_SCALAR; level <= gt_simd_level_supported(); ++level) {
                poison(&v);
                gti_kernels_at(level)->skin_linear(&job, 0, v.count);
                expect_poison_outside(&v, 0, v.count);
                check_vertices(&v, joints);
            }
        }
    }
}

static void test_work_may_be_cut_anywhere(void** state)
{
    (void)state;
    uint64_t random = 99;
    RefMat joints[JOINT_COUNT];
    GtMat34 matrices[JOINT_COUNT];
    Vertices whole;
    Vertices part;
    random_joints(joints, matrices, false, &random);
    fill_vertices(&whole, MAX_VERTICES, 5, &random);
    part = whole;
    GtiLinearSkinJob job = job_of(&whole, matrices);
    GtiLinearSkinJob part_job = job_of(&part, matrices);
    for (GtSimdLevel level = GT_SIMD_SCALAR; level <= gt_simd_level_supported(); ++level) {
        gti_kernels_at(level)->skin_linear(&job, 0, MAX_VERTICES);
        for (int32_t first = 0; first < MAX_VERTICES; first += 9) {
            int32_t end = first + 11 < MAX_VERTICES ? first + 11 : MAX_VERTICES;
            poison(&part);
            gti_kernels_at(level)->skin_linear(&part_job, first, end);
            expect_poison_outside(&part, first, end);
            assert_memory_equal(&part.out_positions[first], &whole.out_positions[first],
                                (size_t)(end - first) * sizeof(GtVec3));
        }
    }
}

static void test_normals_stay_across_the_surface_under_uneven_scale(void** state)
{
    (void)state;
    GtMat34 squash = { { { 4, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } };
    GtVec3 position = gt_vec3(1, 1, 0);
    GtVec3 normal = gt_vec3(sqrtf(0.5f), sqrtf(0.5f), 0); // of the plane x + y = 2
    uint16_t joint = 0;
    float weight = 1.0f;
    GtVec3 out;
    GtVec3 out_normal;
    GtiLinearSkinJob job = { { &position, &normal, NULL }, { &out, &out_normal, NULL }, 1, &joint, &weight, &squash };
    for (GtSimdLevel level = GT_SIMD_SCALAR; level <= gt_simd_level_supported(); ++level) {
        const GtiKernels* kernels = gti_kernels_at(level);
        squash.m[0][0] = 4.0f;
        kernels->skin_linear(&job, 0, 1);
        float length = sqrtf(17.0f); // the plane x / 4 + y = 2 has normal (1, 4)
        GT_EXPECT_NEAR(out_normal.x, 1.0f / length, 1e-6);
        GT_EXPECT_NEAR(out_normal.y, 4.0f / length, 1e-6);
        squash.m[0][0] = -4.0f; // mirrored: x / -4 + y = 2, still facing away from the origin
        kernels->skin_linear(&job, 0, 1);
        GT_EXPECT_NEAR(out_normal.x, -1.0f / length, 1e-6);
        GT_EXPECT_NEAR(out_normal.y, 4.0f / length, 1e-6);
        squash.m[0][0] = NAN;
        kernels->skin_linear(&job, 0, 1);
        GT_EXPECT_NEAR(out_normal.x, 0, 0);
        GT_EXPECT_NEAR(out_normal.y, 1, 0);
        GtMat34 nothing = { { { 0.0f } } };
        job.model_from_mesh = &nothing;
        kernels->skin_linear(&job, 0, 1);
        GT_EXPECT_NEAR(out_normal.x, 0, 0);
        GT_EXPECT_NEAR(out_normal.y, 1, 0);
        job.model_from_mesh = &squash;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees_with_double_precision_at_every_level),
        cmocka_unit_test(test_work_may_be_cut_anywhere),
        cmocka_unit_test(test_normals_stay_across_the_surface_under_uneven_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

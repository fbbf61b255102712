// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vertices.h"

// A joint's motion, known in double before any float sees it.
typedef struct RefJoint {
    RefQuat rotation;
    RefVec translation;
    RefMat stretch;
} RefJoint;

static RefVec blend_point(const Vertices* v, int32_t i, const RefJoint* joints, RefMat* model_from_mesh)
{
    const uint16_t* indices = &v->joints[i * v->influence_count];
    const float* weights = &v->weights[i * v->influence_count];
    int32_t pivot = 0;
    for (int32_t k = 1; k < v->influence_count; ++k) {
        pivot = weights[k] > weights[pivot] ? k : pivot;
    }
    RefQuat real = { { 0 } };
    RefQuat dual = { { 0 } };
    RefMat stretch = { { { 0 } } };
    for (int32_t k = 0; k < v->influence_count; ++k) {
        const RefJoint* joint = &joints[indices[k]];
        double weight = (double)weights[k];
        double signed_weight = ref_quat_dot(joint->rotation, joints[indices[pivot]].rotation) < 0.0 ? -weight : weight;
        const double* t = joint->translation.v;
        RefQuat half = ref_quat_mul((RefQuat){ { 0.5 * t[0], 0.5 * t[1], 0.5 * t[2], 0 } }, joint->rotation);
        for (int e = 0; e < 4; ++e) {
            real.q[e] += signed_weight * joint->rotation.q[e];
            dual.q[e] += signed_weight * half.q[e];
        }
        for (int e = 0; e < 12; ++e) {
            stretch.m[e / 4][e % 4] += weight * joint->stretch.m[e / 4][e % 4];
        }
    }
    double length = sqrt(ref_quat_dot(real, real));
    for (int e = 0; e < 4; ++e) {
        real.q[e] /= length;
        dual.q[e] /= length;
    }
    RefQuat conjugate = { { -real.q[0], -real.q[1], -real.q[2], real.q[3] } };
    RefQuat t = ref_quat_mul(dual, conjugate);
    RefMat turn = ref_matrix(real, (RefVec){ { 2 * t.q[0], 2 * t.q[1], 2 * t.q[2] } });
    *model_from_mesh = ref_mul(&turn, &stretch);
    return ref_apply(model_from_mesh, v->positions[i], 1.0);
}

static double distance_from(const GtiSkinBone* bone, const RefMat* matrix, const double* p, double* outward)
{
    RefVec origin = ref_apply(matrix, bone->origin, 1.0);
    RefVec axis = ref_apply(matrix, bone->axis, 0.0);
    double along = 0.0;
    double square = 0.0;
    for (int e = 0; e < 3; ++e) {
        along += axis.v[e] * (p[e] - origin.v[e]);
        square += axis.v[e] * axis.v[e];
    }
    double t = square > 0.0 ? fmin(fmax(along / square, 0.0), 1.0) : 0.0;
    double distance = 0.0;
    for (int e = 0; e < 3; ++e) {
        outward[e] = p[e] - origin.v[e] - t * axis.v[e];
        distance += outward[e] * outward[e];
    }
    return sqrt(distance);
}

// As skin_bulge_free.c describes it, word by word.
static RefVec pull_in(const Vertices* v, int32_t i, const RefJoint* joints, const GtiSkinBone* bones, RefVec posed)
{
    double total = 0.0;
    double excess = 0.0;
    RefVec direction = { { 0 } };
    RefVec rest = { { 0 } };
    for (int32_t k = 0; k < v->influence_count; ++k) {
        double weight = (double)v->weights[i * v->influence_count + k];
        RefVec stretched = ref_apply(&joints[v->joints[i * v->influence_count + k]].stretch, v->positions[i], 1.0);
        total += weight * weight;
        for (int e = 0; e < 3; ++e) {
            rest.v[e] += weight * stretched.v[e];
        }
    }
    for (int32_t k = 0; k < v->influence_count; ++k) {
        double weight = (double)v->weights[i * v->influence_count + k];
        double share = weight * weight / total;
        int32_t j = v->joints[i * v->influence_count + k];
        RefMat turn = ref_matrix(joints[j].rotation, joints[j].translation);
        RefMat model_from_mesh = ref_mul(&turn, &joints[j].stretch);
        double outward[3];
        excess -= share * distance_from(&bones[j], &joints[j].stretch, rest.v, outward);
        double distance = distance_from(&bones[j], &model_from_mesh, posed.v, outward);
        excess += share * distance;
        for (int e = 0; e < 3; ++e) {
            direction.v[e] += share * outward[e] / distance;
        }
    }
    for (int e = 0; e < 3; ++e) {
        posed.v[e] -= fmax(excess, 0.0) * direction.v[e];
    }
    return posed;
}

// Rotations no two of which are nearly half a turn apart, where q and -q are equally near and rounding would choose.
static void random_joints(RefJoint* joints, bool scaled, bool mirrored, uint64_t* random)
{
    for (int j = 0; j < JOINT_COUNT; ++j) {
        bool clear = false;
        while (!clear) {
            joints[j].rotation = ref_random_quat(random);
            clear = true;
            for (int k = 0; k < j; ++k) {
                clear &= fabs(ref_quat_dot(joints[j].rotation, joints[k].rotation)) > 1e-3;
            }
        }
        GtVec3 t = ref_random_vec3(random, 3.0);
        joints[j].translation = (RefVec){ { (double)t.x, (double)t.y, (double)t.z } };
        joints[j].stretch = (RefMat){ { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } };
        if (scaled) {
            joints[j].stretch = ref_random_stretch(random, mirrored && j % 3 == 0);
        }
    }
}

static GtiJointMotion to_motion(const RefJoint* joint, bool opposite)
{
    double sign = opposite ? -1.0 : 1.0; // the same rotation, on the other side of the sphere
    const double* q = joint->rotation.q;
    const double* t = joint->translation.v;
    GtiJointMotion motion = { .motion = gt_dual_quat(gt_quat((float)(sign * q[0]), (float)(sign * q[1]),
                                                             (float)(sign * q[2]), (float)(sign * q[3])),
                                                     gt_vec3((float)t[0], (float)t[1], (float)t[2])) };
    for (int e = 0; e < 9; ++e) {
        motion.stretch[e] = (float)joint->stretch.m[e / 3][e % 3];
    }
    return motion;
}

// `bones` may be NULL.
static void check_vertices(const Vertices* v, const RefJoint* joints, const GtiSkinBone* bones, double tolerance)
{
    for (int32_t i = 0; i < v->count; ++i) {
        RefMat matrix;
        RefVec expected = blend_point(v, i, joints, &matrix);
        expected = bones ? pull_in(v, i, joints, bones, expected) : expected;
        ref_expect_vec(v->out_positions[i], expected, tolerance);
        if (fabs(ref_determinant(&matrix)) > 0.02) {
            ref_expect_vec(v->out_normals[i], ref_normal(&matrix, v->normals[i]), 10 * tolerance);
            RefVec tangent = ref_unit(ref_apply(&matrix, tangent_of(v->tangents, i), 0.0));
            ref_expect_vec(tangent_of(v->out_tangents, i), tangent, 10 * tolerance);
        }
        GT_EXPECT_NEAR(v->out_tangents[4 * i + 3], v->tangents[4 * i + 3], 0);
        GT_EXPECT_NEAR(gt_vec3_length(v->out_normals[i]), 1.0, 1e-6);
    }
}

static void test_agrees_with_double_precision_at_every_level(void** state)
{
    (void)state;
    static const int32_t counts[] = { 1, 2, 3, 7, 16, 17, MAX_VERTICES };
    uint64_t random = 0xABCDEF;
    RefJoint joints[JOINT_COUNT];
    GtiJointMotion motions[JOINT_COUNT];
    GtiSkinBone bones[JOINT_COUNT];
    GtiPosedBone posed_bones[JOINT_COUNT];
    Vertices v;
    for (int32_t influences = 1; influences <= GT_MAX_INFLUENCES; ++influences) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
            random_joints(joints, c % 3 != 0, c % 3 == 2, &random);
            for (int j = 0; j < JOINT_COUNT; ++j) {
                motions[j] = to_motion(&joints[j], ref_random(&random) < 0.0);
                RefMat turn = ref_matrix(joints[j].rotation, joints[j].translation);
                RefMat exact = ref_mul(&turn, &joints[j].stretch);
                GtMat34 model_from_mesh = ref_to_mat34(&exact);
                bones[j].origin = ref_random_vec3(&random, 1.0);
                bones[j].axis = j % 4 ? ref_random_vec3(&random, 1.0) : gt_vec3(0, 0, 0);
                posed_bones[j] = gti_bone_pose(&bones[j], &model_from_mesh, &motions[j]);
            }
            fill_vertices(&v, counts[c], influences, &random);
            GtiDualQuatSkinJob job = {
                .in = { v.positions, v.normals, v.tangents },
                .out = { v.out_positions, v.out_normals, v.out_tangents },
                .influence_count = influences,
                .joints = v.joints,
                .weights = v.weights,
                .motions = motions,
                .rigid = c % 3 == 0,
            };
            for (GtSimdLevel level = GT_SIMD_SCALAR; level <= gt_simd_level_supported(); ++level) {
                poison(&v);
                gti_kernels_at(level)->skin_dual_quat(&job, 0, v.count);
                expect_poison_outside(&v, 0, v.count);
                check_vertices(&v, joints, NULL, 3e-5);
                GtiDualQuatSkinJob bulge_free = job;
                bulge_free.bones = posed_bones;
                poison(&v);
                gti_kernels_at(level)->skin_dual_quat(&bulge_free, 0, v.count);
                expect_poison_outside(&v, 0, v.count);
                check_vertices(&v, joints, bones, 3e-5);
            }
        }
    }
}

// Through the whole stack: matrices in, taken apart by the polar decomposition.
static void test_takes_matrices_apart_as_they_were_made(void** state)
{
    (void)state;
    uint64_t random = 4711;
    for (int round = 0; round < 30; ++round) {
        RefJoint joints[JOINT_COUNT];
        GtMat34 model_from_node[JOINT_COUNT + 1];
        GtMat34 joint_from_mesh[JOINT_COUNT];
        int32_t nodes[JOINT_COUNT];
        Vertices v;
        fill_vertices(&v, 33, 1 + round % GT_MAX_INFLUENCES, &random);
        random_joints(joints, round % 3 != 0, round % 3 == 2, &random);
        for (int j = 0; j < JOINT_COUNT; ++j) {
            RefMat turn = ref_matrix(joints[j].rotation, joints[j].translation);
            RefMat exact = ref_mul(&turn, &joints[j].stretch);
            model_from_node[j] = ref_to_mat34(&exact);
            joint_from_mesh[j] = gt_mat34_identity();
            nodes[j] = j;
        }
        GtSkinDef skin = { .joints = nodes, .joint_count = JOINT_COUNT, .joint_from_mesh = joint_from_mesh };
        GtCharacterDef character = { .node_count = JOINT_COUNT, .skin_count = 1, .skins = &skin };
        GtMeshDef mesh = {
            .vertex_count = v.count,
            .skin = 0,
            .influence_count = v.influence_count,
            .joints = v.joints,
            .weights = v.weights,
        };
        GtiJointMotion scratch[JOINT_COUNT];
        assert_int_equal(gti_skin_dual_quat.scratch_size(&character, &mesh), sizeof scratch);
        GtiDeformStep step = {
            .character = &character,
            .mesh = &mesh,
            .model_from_node = model_from_node,
            .in = { v.positions, v.normals, v.tangents },
            .out = { v.out_positions, v.out_normals, v.out_tangents },
            .scratch = scratch,
        };
        poison(&v);
        gti_skin_dual_quat.apply(&step);
        check_vertices(&v, joints, NULL, 3e-5);
    }
}

static void test_singular_matrices_give_finite_vertices(void** state)
{
    (void)state;
    static const GtMat34 flat[] = {
        { { { 0 } } },
        { { { 1, 0, 0, 5 }, { 0, 0, 0, 0 }, { 0, 0, 0, 0 } } },
        { { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 0, 7 } } },
        { { { 1e-30f, 0, 0, 0 }, { 0, 1e-30f, 0, 0 }, { 0, 0, 1e-30f, 0 } } },
        { { { 1, 1, 1, 0 }, { 1, 1, 1, 0 }, { 1, 1, 1, 0 } } },
    };
    GtVec3 position = gt_vec3(1, 2, 3);
    GtVec3 normal = gt_vec3(0.6f, 0, 0.8f);
    uint16_t joint = 0;
    float weight = 1.0f;
    for (size_t i = 0; i < sizeof flat / sizeof *flat; ++i) {
        GtiJointMotion motion;
        GtVec3 out;
        GtVec3 out_normal;
        motion.motion = gt_dual_quat(gt_mat34_polar(&flat[i], motion.stretch), gt_mat34_translation(&flat[i]));
        GtiDualQuatSkinJob job = {
            { &position, &normal, NULL }, { &out, &out_normal, NULL }, 1, &joint, &weight, &motion, NULL, false
        };
        for (GtSimdLevel level = GT_SIMD_SCALAR; level <= gt_simd_level_supported(); ++level) {
            gti_kernels_at(level)->skin_dual_quat(&job, 0, 1);
            GtVec3 expected = gt_mat34_point(&flat[i], position);
            GT_EXPECT_NEAR(out.x, expected.x, 1e-5);
            GT_EXPECT_NEAR(out.y, expected.y, 1e-5);
            GT_EXPECT_NEAR(out.z, expected.z, 1e-5);
            GT_EXPECT_NEAR(gt_vec3_length(out_normal), 1.0, 1e-6);
            GtVec3 plain = out; // a bone that is nowhere pulls nothing
            GtiPosedBone nowhere = { .rest_axis = gt_vec3(1, 0, 0), .origin = gt_vec3(INFINITY, NAN, 0) };
            job.bones = &nowhere;
            gti_kernels_at(level)->skin_dual_quat(&job, 0, 1);
            assert_memory_equal(&out, &plain, sizeof out);
            job.bones = NULL;
        }
    }
}

// Two joints hang at the first, one of them below a node that is no joint; one hangs below that, one nowhere.
static void test_bones_reach_to_the_joints_below(void** state)
{
    (void)state;
    static const int32_t parents[] = { GT_NONE, 0, 1, 0, 2, GT_NONE };
    static const int32_t joints[] = { 4, 0, 3, 2, 5 };
    static const GtVec3 origins[] = { { 1, 5, 0 }, { 0, 1, 0 }, { -1, 2, 0 }, { 1, 3, 0 }, { 9, 9, 9 } };
    static const GtVec3 axes[] = { { 0, 2, 0 }, { 0, 1.5f, 0 }, { -1, 1, 0 }, { 0, 2, 0 }, { 0, 0, 0 } };
    GtMat34 joint_from_mesh[5];
    int32_t joint_of[6];
    GtiSkinBone bones[5];
    for (int32_t i = 0; i < 6; ++i) {
        joint_of[i] = GT_NONE;
    }
    for (int32_t j = 0; j < 5; ++j) {
        GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0, 0.6f, 0.8f), (float)j);
        GtMat34 mesh_from_joint = gt_mat34_from_transform(gt_transform(origins[j], turn, gt_vec3(2, 2, 2)));
        joint_from_mesh[j] = gt_mat34_inverse(&mesh_from_joint, NULL);
    }
    GtCharacterDef character = { .node_count = 6, .parents = parents };
    GtSkinDef skin = { .joints = joints, .joint_count = 5, .joint_from_mesh = joint_from_mesh };
    gti_bones_find(&character, &skin, joint_of, bones);
    for (int32_t j = 0; j < 5; ++j) {
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(bones[j].origin, origins[j])), 0.0, 1e-5);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(bones[j].axis, axes[j])), 0.0, 1e-5);
    }
    for (int32_t i = 0; i < 6; ++i) {
        assert_int_equal(joint_of[i], GT_NONE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees_with_double_precision_at_every_level),
        cmocka_unit_test(test_takes_matrices_apart_as_they_were_made),
        cmocka_unit_test(test_singular_matrices_give_finite_vertices),
        cmocka_unit_test(test_bones_reach_to_the_joints_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

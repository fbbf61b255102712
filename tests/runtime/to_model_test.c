// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "gertie/instance.h"
#include "gertie/simd.h"

#include "runtime/reference.h"

enum {
    MAX_NODES = 67
};

typedef struct Tree {
    int32_t count;
    int32_t parents[MAX_NODES];
    GtTransform pose[MAX_NODES];
    RefMat model_from_node[MAX_NODES];
} Tree;

// Any forest whose parents come first, in any order of depth, with uneven and mirrored scale.
static void grow(Tree* tree, int32_t count, uint64_t* random)
{
    tree->count = count;
    for (int32_t i = 0; i < count; ++i) {
        int32_t parent = (int32_t)((ref_random(random) + 1.0) * 0.5 * (double)(i + 1)) - 1;
        RefQuat q = ref_random_quat(random);
        GtVec3 t = ref_random_vec3(random, 1.0);
        GtVec3 s = gt_vec3((float)(1.0 + 0.2 * ref_random(random)), (float)(1.0 + 0.2 * ref_random(random)),
                           i % 5 == 0 ? -1.0f : 1.0f);
        tree->parents[i] = parent;
        tree->pose[i] = gt_transform(t, gt_quat((float)q.q[0], (float)q.q[1], (float)q.q[2], (float)q.q[3]), s);
        RefMat local = ref_matrix(q, (RefVec){ { (double)t.x, (double)t.y, (double)t.z } });
        for (int row = 0; row < 3; ++row) {
            local.m[row][0] *= (double)s.x;
            local.m[row][1] *= (double)s.y;
            local.m[row][2] *= (double)s.z;
        }
        tree->model_from_node[i] = parent == GT_NONE ? local : ref_mul(&tree->model_from_node[parent], &local);
    }
}

static void expect_matrices(const Tree* tree, const GtMat34* actual)
{
    for (int32_t i = 0; i < tree->count; ++i) {
        for (int e = 0; e < 12; ++e) {
            GT_EXPECT_NEAR(actual[i].m[e / 4][e % 4], tree->model_from_node[i].m[e / 4][e % 4], 2e-5);
        }
    }
}

static void test_agrees_with_double_precision_and_every_level_with_the_scalar_one(void** state)
{
    (void)state;
    uint64_t random = 2026;
    for (int32_t count = 1; count <= MAX_NODES; ++count) {
        Tree tree;
        GtCharacter* character;
        GtError error;
        grow(&tree, count, &random);
        GtCharacterDef def = gt_default_character_def();
        def.node_count = count;
        def.parents = tree.parents;
        def.rest = tree.pose;
        GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &character, &error));
        GtMat34 scalar[MAX_NODES];
        for (GtSimdLevel level = GT_SIMD_SCALAR; level <= gt_simd_level_supported(); ++level) {
            GtMat34 matrices[MAX_NODES + 1];
            GtMat34 poisoned;
            memset(matrices, 0xCD, sizeof matrices);
            memset(&poisoned, 0xCD, sizeof poisoned);
            gt_simd_level_set(level);
            gt_character_to_model(character, tree.pose, matrices);
            expect_matrices(&tree, matrices);
            assert_memory_equal(&matrices[count], &poisoned, sizeof poisoned);
            if (level == GT_SIMD_SCALAR) {
                memcpy(scalar, matrices, sizeof scalar);
            }
            assert_memory_equal(matrices, scalar, (size_t)count * sizeof *scalar);
        }
        gt_simd_level_set(gt_simd_level_supported());
        gt_character_destroy(character);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees_with_double_precision_and_every_level_with_the_scalar_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/puppet.h"

#include <stdlib.h>

static void test_a_character_is_a_deep_copy(void** state)
{
    (void)state;
    uint64_t random = 5;
    Puppet puppet;
    fill_puppet(&puppet, GT_SKIN_LINEAR, 4, &random);
    Puppet original = puppet;
    GtCharacter* character = create_puppet(&puppet);
    memset(&puppet, 0xCD, sizeof puppet);
    const GtCharacterDef* def = gt_character_def(character);
    assert_int_equal(def->node_count, PUPPET_NODES);
    assert_memory_equal(def->rest, original.rest, sizeof original.rest);
    assert_string_equal(def->names[3], "joint");
    assert_string_equal(def->meshes[1].name, "hat");
    assert_memory_equal(def->meshes[0].positions, original.v.positions, 31 * sizeof(GtVec3));
    assert_memory_equal(def->meshes[0].weights, original.v.weights, 31 * 4 * sizeof(float));
    assert_ptr_equal(def->meshes[0].positions, def->meshes[1].positions); // one array, kept once
    assert_null(def->meshes[1].joints);
    assert_memory_equal(def->meshes[0].morphs[0].positions, original.moves, sizeof original.moves);
    assert_string_equal(def->meshes[0].morphs[0].name, "bulge");
    assert_memory_equal(def->skins[0].joint_from_mesh, original.joint_from_mesh, sizeof original.joint_from_mesh);
    assert_int_equal(def->meshes[0].deformers[1].kind, GT_DEFORMER_SKIN);
    gt_character_destroy(character);
    gt_character_destroy(NULL);
}

static void test_nodes_are_found_by_name_and_source(void** state)
{
    (void)state;
    enum {
        COUNT = 6
    };
    static const char* const names[COUNT] = { "b", "a", "b", NULL, "", "c" };
    static const int32_t parents[COUNT] = { -1, 0, 1, 2, 3, 4 };
    static const int32_t sources[COUNT] = { 7, 3, 900000000, -1, 3, 0 };
    GtTransform rest[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        rest[i] = gt_transform_identity();
    }
    GtCharacterDef def = { .node_count = COUNT, .parents = parents, .rest = rest, .names = names };
    GtError error;
    GtCharacter* character = NULL;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &character, &error));
    assert_int_equal(gt_character_find_node(character, "a"), 1);
    assert_int_equal(gt_character_find_node(character, "b"), 0);
    assert_int_equal(gt_character_find_node(character, "c"), 5);
    assert_int_equal(gt_character_find_node(character, ""), 4);
    assert_int_equal(gt_character_find_node(character, "aa"), GT_NONE);
    assert_int_equal(gt_character_find_node(character, "z"), GT_NONE);
    assert_int_equal(gt_character_node_from_source(character, 5), 5);
    assert_int_equal(gt_character_node_from_source(character, 6), GT_NONE);
    gt_character_destroy(character);
    def.source_nodes = sources;
    def.names = NULL;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &character, &error));
    assert_int_equal(gt_character_node_from_source(character, 7), 0);
    assert_int_equal(gt_character_node_from_source(character, 3), 1);
    assert_int_equal(gt_character_node_from_source(character, 900000000), 2);
    assert_int_equal(gt_character_node_from_source(character, 0), 5);
    assert_int_equal(gt_character_node_from_source(character, 1), GT_NONE);
    assert_int_equal(gt_character_node_from_source(character, -1), GT_NONE);
    assert_int_equal(gt_character_find_node(character, "a"), GT_NONE);
    gt_character_destroy(character);
}

static void test_model_space_is_the_product_of_all_above(void** state)
{
    (void)state;
    uint64_t random = 6;
    Puppet puppet;
    fill_puppet(&puppet, GT_SKIN_LINEAR, 1, &random);
    GtCharacter* character = create_puppet(&puppet);
    GtInstance* instance = create_instance(character);
    RefMat expected = { { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } };
    for (int32_t i = 0; i < PUPPET_NODES; ++i) {
        RefQuat q = ref_random_quat(&random);
        GtVec3 t = ref_random_vec3(&random, 1.0);
        GtVec3 s = gt_vec3(1.1f, 0.9f, i % 5 ? 1.0f : -1.05f);
        instance->pose[i] = gt_transform(t, gt_quat((float)q.q[0], (float)q.q[1], (float)q.q[2], (float)q.q[3]), s);
        RefMat turn = ref_matrix(q, (RefVec){ { (double)t.x, (double)t.y, (double)t.z } });
        RefMat scale = { { { (double)s.x, 0, 0, 0 }, { 0, (double)s.y, 0, 0 }, { 0, 0, (double)s.z, 0 } } };
        RefMat local = ref_mul(&turn, &scale);
        expected = ref_mul(&expected, &local);
        gt_instance_update(instance);
        for (int e = 0; e < 12; ++e) {
            GT_EXPECT_NEAR(instance->model_from_node[i].m[e / 4][e % 4], expected.m[e / 4][e % 4], 2e-5);
        }
    }
    gt_instance_reset(instance);
    assert_memory_equal(instance->pose, puppet.rest, sizeof puppet.rest);
    GT_EXPECT_NEAR(instance->weights[0], 0.25, 0);
    gt_instance_destroy(instance);
    gt_character_destroy(character);
}

static void test_an_instance_lives_in_the_callers_memory(void** state)
{
    (void)state;
    uint64_t random = 8;
    Puppet puppet;
    fill_puppet(&puppet, GT_SKIN_DUAL_QUATERNION, 3, &random);
    GtCharacter* character = create_puppet(&puppet);
    size_t size = gt_instance_size(character);
    char* memory = aligned_alloc(16, (size + 64 + 15) & ~(size_t)15);
    memset(memory, 0xCD, size + 64);
    GtInstance* instance = gt_instance_init(character, memory);
    assert_ptr_equal(instance, memory);
    for (int32_t m = 0; m < 2; ++m) {
        assert_true(instance->scratch_size >= gt_deform_scratch_size(character, m));
        gt_instance_deform(instance, m, puppet.v.out_positions, NULL, NULL);
    }
    assert_true((char*)instance->scratch + instance->scratch_size <= memory + size);
    memset(instance->scratch, 0, instance->scratch_size);
    for (size_t i = size; i < size + 64; ++i) {
        assert_int_equal((uint8_t)memory[i], 0xCD);
    }
    free(memory);
    gt_character_destroy(character);
}

static void test_a_character_may_be_empty(void** state)
{
    (void)state;
    GtCharacterDef def = gt_default_character_def();
    GtError error;
    GtCharacter* character = NULL;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &character, &error));
    GtInstance* instance = create_instance(character);
    gt_instance_update(instance);
    assert_int_equal(gt_character_find_node(character, "x"), GT_NONE);
    gt_instance_destroy(instance);
    gt_character_destroy(character);
}

// Each changes one thing of a good puppet.
typedef void (*Spoil)(Puppet* p);

static void spoil_node_count(Puppet* p)
{
    p->def.node_count = -1;
}
static void spoil_parents(Puppet* p)
{
    p->def.parents = NULL;
}
static void spoil_parent_order(Puppet* p)
{
    p->parents[4] = 4;
}
static void spoil_parent_range(Puppet* p)
{
    p->parents[4] = -2;
}
static void spoil_rest(Puppet* p)
{
    p->rest[7].translation.y = NAN;
}
static void spoil_rotation(Puppet* p)
{
    p->rest[7].rotation.w = 2.0f;
}
static void spoil_rest_weight(Puppet* p)
{
    p->rest_weights[0] = INFINITY;
}
static void spoil_rest_weights(Puppet* p)
{
    p->def.rest_weights = NULL;
}
static void spoil_skins(Puppet* p)
{
    p->def.skins = NULL;
}
static void spoil_joint(Puppet* p)
{
    p->joints[2] = PUPPET_NODES;
}
static void spoil_joint_count(Puppet* p)
{
    p->skin.joint_count = 0;
}
static void spoil_joints_missing(Puppet* p)
{
    p->skin.joints = NULL;
}
static void spoil_bind(Puppet* p)
{
    p->joint_from_mesh[5].m[1][1] = NAN;
}
static void spoil_bind_missing(Puppet* p)
{
    p->skin.joint_from_mesh = NULL;
}
static void spoil_meshes(Puppet* p)
{
    p->def.meshes = NULL;
}
static void spoil_mesh_node(Puppet* p)
{
    p->meshes[1].node = PUPPET_NODES;
}
static void spoil_vertex_count(Puppet* p)
{
    p->meshes[1].vertex_count = -1;
}
static void spoil_positions(Puppet* p)
{
    p->meshes[1].positions = NULL;
}
static void spoil_position(Puppet* p)
{
    p->v.positions[30].z = NAN;
}
static void spoil_normal(Puppet* p)
{
    p->v.normals[30].z = INFINITY;
}
static void spoil_tangent(Puppet* p)
{
    p->v.tangents[31 * 4 - 1] = NAN;
}
static void spoil_corner(Puppet* p)
{
    p->corners[2] = 31;
}
static void spoil_index_count(Puppet* p)
{
    p->meshes[0].index_count = 2;
}
static void spoil_indices(Puppet* p)
{
    p->meshes[0].indices = NULL;
}
static void spoil_first_weight(Puppet* p)
{
    p->meshes[1].first_weight = INT32_MAX;
}
static void spoil_morphs(Puppet* p)
{
    p->meshes[1].morphs = NULL;
}
static void spoil_morph_vertex(Puppet* p)
{
    p->moved[1] = 31;
}
static void spoil_morph_order(Puppet* p)
{
    p->moved[1] = 3;
}
static void spoil_morph_value(Puppet* p)
{
    p->moves[1].x = NAN;
}
static void spoil_morph_vertices(Puppet* p)
{
    p->morph.vertices = NULL;
}
static void spoil_morph_color(Puppet* p)
{
    static const float blush[8] = { 0, 0, 0, 0, 0, INFINITY };
    p->morph.colors = blush;
}
static void spoil_morph_count(Puppet* p)
{
    p->morph.entry_count = -4;
}
static void spoil_mesh_skin(Puppet* p)
{
    p->meshes[0].skin = 1;
}
static void spoil_influences(Puppet* p)
{
    p->meshes[0].influence_count = 17;
}
static void spoil_no_influences(Puppet* p)
{
    p->meshes[0].influence_count = 0;
}
static void spoil_rigid_influences(Puppet* p)
{
    p->meshes[1].influence_count = 4;
}
static void spoil_influence_joint(Puppet* p)
{
    p->v.joints[40] = JOINT_COUNT;
}
static void spoil_influence_arrays(Puppet* p)
{
    p->meshes[0].weights = NULL;
}
static void spoil_weight(Puppet* p)
{
    p->v.weights[40] += 0.5f;
}
static void spoil_weight_nan(Puppet* p)
{
    p->v.weights[40] = NAN;
}
static void spoil_weight_negative(Puppet* p)
{
    p->v.weights[40] += 2.0f;
    p->v.weights[41] -= 2.0f;
}
static void spoil_deformer_kind(Puppet* p)
{
    p->deformers[0].kind = (GtDeformerKind)7;
}
static void spoil_deformer_method(Puppet* p)
{
    p->deformers[1].skin_method = (GtSkinMethod)7;
}
static void spoil_deformers(Puppet* p)
{
    p->meshes[0].deformers = NULL;
}
static void spoil_deformer_twice(Puppet* p)
{
    p->deformers[1] = p->deformers[0];
}
static void spoil_deformer_order(Puppet* p)
{
    p->deformers[0] = p->deformers[1];
    p->deformers[1].kind = GT_DEFORMER_MORPH;
}

static void spoil_humanoid(Puppet* p)
{
    static GtHumanoidMap map; // all of them the first node
    map.nodes[GT_HUMANOID_HEAD] = p->def.node_count;
    p->def.humanoid = &map;
}

static void test_hostile_defs_are_refused_by_name(void** state)
{
    (void)state;
    static const struct {
        Spoil spoil;
        const char* where;
        const char* complaint;
    } cases[] = {
        { spoil_node_count, "", "count is negative" },
        { spoil_parents, "", "no parents" },
        { spoil_parent_order, "node 4 'joint'", "parent 4 does not come before" },
        { spoil_parent_range, "node 4 'joint'", "parent -2" },
        { spoil_rest, "node 7 'joint'", "rest transform" },
        { spoil_rotation, "node 7 'joint'", "rest rotation has length 2" },
        { spoil_humanoid, "", "humanoid joint 'head' is node 24 of 24" },
        { spoil_rest_weight, "rest weights", "weight 0 is not a finite" },
        { spoil_rest_weights, "rest weights", "no array" },
        { spoil_skins, "", "array is missing" },
        { spoil_joint, "skin 0", "joint 2 is node 24" },
        { spoil_joint_count, "skin 0", "0 joints" },
        { spoil_joints_missing, "skin 0", "no array" },
        { spoil_bind, "skin 0", "inverse bind matrix 5" },
        { spoil_bind_missing, "skin 0", "no array" },
        { spoil_meshes, "", "array is missing" },
        { spoil_mesh_node, "mesh 1 'hat'", "node 24" },
        { spoil_vertex_count, "mesh 1 'hat'", "-1 vertices" },
        { spoil_positions, "mesh 1 'hat'", "position: there is a count but no array" },
        { spoil_position, "mesh 0 'skin'", "position 30" },
        { spoil_normal, "mesh 0 'skin'", "normal 30" },
        { spoil_tangent, "mesh 0 'skin'", "tangent 30" },
        { spoil_corner, "mesh 0 'skin'", "vertex 31, of 31" },
        { spoil_index_count, "mesh 0 'skin'", "2 indices" },
        { spoil_indices, "mesh 0 'skin'", "no array" },
        { spoil_first_weight, "mesh 1 'hat'", "morphs from weight" },
        { spoil_morphs, "mesh 1 'hat'", "no array" },
        { spoil_morph_vertex, "mesh 0 'skin'", "moves vertex 31" },
        { spoil_morph_order, "mesh 0 'skin'", "entry 1 is not after" },
        { spoil_morph_value, "mesh 0 'skin'", "displacement 1" },
        { spoil_morph_vertices, "mesh 0 'skin'", "no vertices" },
        { spoil_morph_color, "mesh 0 'skin'", "colour's change 1" },
        { spoil_morph_count, "mesh 0 'skin'", "-4 entries" },
        { spoil_mesh_skin, "mesh 0 'skin'", "skin 1, of 1" },
        { spoil_influences, "mesh 0 'skin'", "17 influences" },
        { spoil_no_influences, "mesh 0 'skin'", "0 influences" },
        { spoil_rigid_influences, "mesh 1 'hat'", "4 influences" },
        { spoil_influence_joint, "mesh 0 'skin'", "joint 23" },
        { spoil_influence_arrays, "mesh 0 'skin'", "no array" },
        { spoil_weight, "mesh 0 'skin'", "weights of vertex 10 sum to 1.5" },
        { spoil_weight_nan, "mesh 0 'skin'", "weights of vertex 10" },
        { spoil_weight_negative, "mesh 0 'skin'", "not all 0 or more" },
        { spoil_deformer_kind, "mesh 0 'skin'", "kind 7" },
        { spoil_deformer_method, "mesh 0 'skin'", "method 7" },
        { spoil_deformers, "mesh 0 'skin'", "no array" },
        { spoil_deformer_twice, "mesh 0 'skin'", "twice" },
        { spoil_deformer_order, "mesh 0 'skin'", "'morph' cannot come after 'linear skin'" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        uint64_t random = 9;
        Puppet puppet;
        fill_puppet(&puppet, GT_SKIN_LINEAR, 4, &random);
        cases[i].spoil(&puppet);
        TestAllocator counting = { .remaining = -1 };
        GtError error;
        GtCharacter* character = NULL;
        GT_EXPECT_ERROR(gt_character_create(test_allocator(&counting), &puppet.def, &character, &error),
                        GT_ERROR_BAD_VALUE, cases[i].complaint);
        assert_string_equal(error.where, cases[i].where);
        assert_null(character);
        assert_int_equal(counting.alive, 0);
    }
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    uint64_t random = 10;
    Puppet puppet;
    fill_puppet(&puppet, GT_SKIN_LINEAR, 4, &random);
    for (int64_t limit = 0;; ++limit) {
        TestAllocator failing = { .remaining = limit };
        GtCharacter* character = NULL;
        GtInstance* instance = NULL;
        GtResult result = gt_character_create(test_allocator(&failing), &puppet.def, &character, NULL);
        if (result == GT_OK) {
            result = gt_instance_create(test_allocator(&failing), character, &instance, NULL);
        }
        if (instance) {
            gt_instance_destroy(instance);
        }
        gt_character_destroy(character);
        assert_int_equal(failing.alive, 0);
        if (result == GT_OK) {
            assert_true(limit >= 3);
            return;
        }
        assert_int_equal(result, GT_ERROR_OUT_OF_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_character_is_a_deep_copy),
        cmocka_unit_test(test_nodes_are_found_by_name_and_source),
        cmocka_unit_test(test_model_space_is_the_product_of_all_above),
        cmocka_unit_test(test_an_instance_lives_in_the_callers_memory),
        cmocka_unit_test(test_a_character_may_be_empty),
        cmocka_unit_test(test_hostile_defs_are_refused_by_name),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "build/make_scene.h"

#include "gertie/freeze.h"
#include "gertie/instance.h"

#include <stdlib.h>

static const float square[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0 };

// A square at a node of its own, all of it drawn as `mode`.
static int32_t add_square(GtScene* scene, GtPrimitiveMode mode, int32_t indices)
{
    GtAttribute attribute = { "POSITION", make_vec3(scene, square, 4) };
    GtPrimitive primitive = make_primitive(scene, mode, &attribute, 1);
    primitive.indices = indices;
    return make_mesh(scene, &primitive, 1);
}

static void test_nodes_become_parent_first(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    make_node(scene, "hand", 1, gt_vec3(0, 0, 3)); // file order: children before parents
    make_node(scene, "arm", 3, gt_vec3(0, 2, 0));
    make_node(scene, "prop", GT_NONE, gt_vec3(9, 9, 9));
    make_node(scene, "root", GT_NONE, gt_vec3(1, 0, 0));
    link_children(scene);
    GtHumanoidMap humanoid = gt_humanoid_map_empty();
    humanoid.nodes[GT_HUMANOID_RIGHT_HAND] = 0;
    scene->humanoid = &humanoid;
    GtCharacter* character = build_character(&context, scene, NULL);
    const GtCharacterDef* def = gt_character_def(character);
    assert_int_equal(def->node_count, 4);
    assert_int_equal(def->humanoid->nodes[GT_HUMANOID_RIGHT_HAND], gt_character_find_node(character, "hand"));
    assert_int_equal(def->humanoid->nodes[GT_HUMANOID_HIPS], GT_NONE);
    for (int32_t i = 0; i < 4; ++i) {
        int32_t source = def->source_nodes[i];
        int32_t parent = scene->nodes[source].parent;
        assert_true(def->parents[i] < i);
        assert_int_equal(gt_character_node_from_source(character, source), i);
        assert_int_equal(def->parents[i], gt_character_node_from_source(character, parent));
        assert_int_equal(gt_character_find_node(character, scene->nodes[source].name), i);
    }
    assert_int_equal(gt_character_node_from_source(character, 4), GT_NONE);
    assert_int_equal(gt_character_find_node(character, "nobody"), GT_NONE);
    GtMat34 model_from_node[4];
    gt_character_to_model(character, def->rest, model_from_node);
    GtVec3 hand = gt_mat34_translation(&model_from_node[gt_character_find_node(character, "hand")]);
    GT_EXPECT_NEAR(hand.x, 1, 0);
    GT_EXPECT_NEAR(hand.y, 2, 0);
    GT_EXPECT_NEAR(hand.z, 3, 0);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
}

static void expect_corners(const GtMeshDef* mesh, const uint32_t* expected, int32_t count)
{
    assert_int_equal(mesh->index_count, count);
    for (int32_t i = 0; i < count; ++i) {
        assert_int_equal(mesh->indices[i], expected[i]);
    }
}

static void test_strips_and_fans_keep_their_winding(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    static const uint8_t five[5] = { 3, 2, 1, 0, 3 };
    int32_t indices = make_data(scene, GT_USE_INDICES, GT_ELEMENT_SCALAR, GT_COMPONENT_UINT8, five, 5);
    const struct {
        GtPrimitiveMode mode;
        int32_t indices;
        int32_t count;
        uint32_t corners[9];
    } cases[] = {
        { GT_MODE_TRIANGLE_STRIP, GT_NONE, 6, { 0, 1, 2, 1, 3, 2 } },
        { GT_MODE_TRIANGLE_FAN, GT_NONE, 6, { 1, 2, 0, 2, 3, 0 } },
        { GT_MODE_TRIANGLES, GT_NONE, 3, { 0, 1, 2 } }, // the fourth vertex has no triangle
        { GT_MODE_TRIANGLES, indices, 3, { 3, 2, 1 } },
        { GT_MODE_TRIANGLE_STRIP, indices, 9, { 3, 2, 1, 2, 0, 1, 1, 0, 3 } },
        { GT_MODE_TRIANGLE_FAN, indices, 9, { 2, 1, 3, 1, 0, 3, 0, 3, 3 } },
        { GT_MODE_POINTS, GT_NONE, -1, { 0 } },
        { GT_MODE_LINE_STRIP, indices, -1, { 0 } },
    };
    enum {
        COUNT = sizeof cases / sizeof *cases
    };
    for (int32_t i = 0; i < COUNT; ++i) {
        make_mesh_node(scene, add_square(scene, cases[i].mode, cases[i].indices));
    }
    GtBuildReport report;
    GtCharacter* character = build_character(&context, scene, &report);
    const GtCharacterDef* def = gt_character_def(character);
    assert_int_equal(def->mesh_count, COUNT - 2);
    assert_int_equal(report.skipped_primitives, 2);
    assert_non_null(strstr(log.text, "2 primitives have no surface"));
    for (int32_t i = 0; i < COUNT - 2; ++i) {
        expect_corners(&def->meshes[i], cases[i].corners, cases[i].count);
        assert_int_equal(def->meshes[i].source_mesh, i);
        assert_null(def->meshes[i].normals); // flat in glTF: left to who draws
    }
    gt_character_destroy(character);
    gt_scene_destroy(scene);
}

static void test_one_mesh_at_many_nodes_is_kept_once(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    GtAttribute attribute = { "POSITION", make_vec3(scene, square, 4) };
    GtPrimitive primitives[2] = {
        make_primitive(scene, GT_MODE_TRIANGLE_STRIP, &attribute, 1),
        make_primitive(scene, GT_MODE_TRIANGLE_FAN, &attribute, 1),
    };
    int32_t mesh = make_mesh(scene, primitives, 2);
    for (int i = 0; i < 100; ++i) {
        make_mesh_node(scene, mesh);
    }
    GtCharacter* character = build_character(&context, scene, NULL);
    const GtCharacterDef* def = gt_character_def(character);
    assert_int_equal(def->mesh_count, 200);
    for (int32_t i = 0; i < 200; ++i) {
        assert_ptr_equal(def->meshes[i].positions, def->meshes[0].positions);
        assert_ptr_equal(def->meshes[i].indices, def->meshes[i % 2].indices);
    }
    assert_ptr_not_equal(def->meshes[0].indices, def->meshes[1].indices);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
}

// Four vertices at the origin, skinned to `joint_count` joints by the sets given.
static void add_skinned(GtScene* scene, int32_t joint_count, int32_t set_count, const uint8_t* joints,
                        const float* weights)
{
    static const char* const joint_names[4] = { "JOINTS_0", "JOINTS_1", "JOINTS_2", "JOINTS_3" };
    static const char* const weight_names[4] = { "WEIGHTS_0", "WEIGHTS_1", "WEIGHTS_2", "WEIGHTS_3" };
    GtAttribute attributes[9] = { { "POSITION", make_vec3(scene, square, 4) } };
    int32_t count = 1;
    for (int32_t s = 0; s < set_count; ++s) {
        attributes[count++] = (GtAttribute){ joint_names[s], make_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC4,
                                                                       GT_COMPONENT_UINT8, joints + s * 16, 4) };
        attributes[count++] = (GtAttribute){ weight_names[s], make_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC4,
                                                                        GT_COMPONENT_FLOAT, weights + s * 16, 4) };
    }
    GtPrimitive primitive = make_primitive(scene, GT_MODE_TRIANGLE_STRIP, attributes, count);
    int32_t mesh = make_mesh(scene, &primitive, 1);
    int32_t nodes[64];
    for (int32_t i = 0; i < joint_count; ++i) {
        nodes[i] = make_node(scene, "joint", GT_NONE, gt_vec3((float)i, 0, 0));
    }
    int32_t node = make_mesh_node(scene, mesh);
    scene->nodes[node].skin = make_skin(scene, nodes, joint_count, GT_NONE);
}

static void test_influences_are_merged_pruned_and_normalised(void** state)
{
    (void)state;
    static const uint8_t joints[32] = {
        0, 1, 2, 3, 1, 1, 1, 2, 3, 0, 0, 0, 5, 5, 5, 5, // set 0
        4, 5, 6, 7, 1, 2, 2, 9, 0, 0, 0, 0, 1, 2, 3, 4, // set 1; 9 does not exist, but has no weight
    };
    static const float weights[32] = {
        0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f,  0.25f, 0,    0,    0,    0, 0, 0, 0, //
        0.2f, 0.2f, 0.1f, 0.1f, 0.3f, 0.2f, 0.1f, -0.0f, 0,     0.0f, 0.0f, 0.0f, 0, 0, 0, 0, //
    };
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    add_skinned(scene, 8, 2, joints, weights);
    GtError error;
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    GtBuildDef build = gt_default_build_def();
    build.max_influences = 3;
    GtBuildReport report;
    GtCharacter* character = NULL;
    GT_EXPECT_OK(gt_character_build(&context, scene, &build, &character, &report, &error));
    const GtMeshDef* mesh = &gt_character_def(character)->meshes[0];
    assert_int_equal(mesh->influence_count, 3);
    static const uint16_t expected_joints[12] = { 4, 5, 0, 1, 2, 0, 3, 0, 0, 0, 0, 0 };
    static const float expected_weights[12] = { 0.4f, 0.4f, 0.2f, 0.6f, 0.4f, 0, 1, 0, 0, 1, 0, 0 };
    for (int i = 0; i < 12; ++i) {
        assert_int_equal(mesh->joints[i], expected_joints[i]);
        GT_EXPECT_NEAR(mesh->weights[i], expected_weights[i], 1e-6);
    }
    assert_int_equal(report.pruned_vertices, 1);
    GT_EXPECT_NEAR(report.max_pruned_weight, 0.5, 1e-6);
    assert_int_equal(report.renormalized_vertices, 1);
    assert_int_equal(report.unweighted_vertices, 1);
    assert_non_null(strstr(log.text, "1 of 4 vertices have no weight"));
    assert_non_null(strstr(log.text, "do not sum to 1 (one to 0.25)"));
    assert_non_null(strstr(log.text, "reduced to 3 influences; one lost 0.5"));
    gt_character_destroy(character);
    context.strict = true;
    scene->source.file = "hero.glb"; // is at fault, whatever the caller is about to do with it
    GT_EXPECT_ERROR(gt_character_build(&context, scene, &build, &character, &report, &error), GT_ERROR_STRICT,
                    "hero.glb: meshes[0].primitives[0]");
    assert_null(character);
    gt_scene_destroy(scene);
}

static void test_sixteen_influences_survive(void** state)
{
    (void)state;
    uint8_t joints[64];
    float weights[64];
    for (int i = 0; i < 64; ++i) {
        joints[i] = (uint8_t)(i / 16 * 4 + i % 4); // set s, slot k: joint 4 s + k
        weights[i] = 1.0f / 16.0f;
    }
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    add_skinned(scene, 16, 4, joints, weights);
    GtBuildReport report;
    GtCharacter* character = build_character(&context, scene, &report);
    const GtMeshDef* mesh = &gt_character_def(character)->meshes[0];
    assert_int_equal(mesh->influence_count, 16);
    for (int i = 0; i < 64; ++i) {
        assert_int_equal(mesh->joints[i], i % 16);
        GT_EXPECT_NEAR(mesh->weights[i], 1.0f / 16.0f, 0);
    }
    assert_int_equal(report.pruned_vertices + report.renormalized_vertices + report.unweighted_vertices, 0);
    assert_int_equal(log.warning_count, 0);
    GtInstance* instance = NULL; // identity inverse binds: the vertices go to the mean of the joints
    GtError error;
    GtVec3 out[4];
    GT_EXPECT_OK(gt_instance_create(context.allocator, character, &instance, &error));
    gt_instance_deform(instance, 0, out, NULL, NULL);
    GT_EXPECT_NEAR(out[3].x, 1.0 + 7.5, 1e-6);
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
}

static void test_a_skinned_node_without_weights_follows_the_first_joint(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    add_skinned(scene, 2, 0, NULL, NULL);
    GtBuildReport report;
    GtCharacter* character = build_character(&context, scene, &report);
    assert_int_equal(report.unweighted_vertices, 4);
    assert_int_equal(gt_character_def(character)->meshes[0].influence_count, 1);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
}

static void test_rows_are_as_wide_as_the_widest_vertex(void** state)
{
    (void)state;
    static const uint8_t joints[32] = { 3, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, [16] = 4 };
    static const float weights[32] = { 1, 0, 0, 0, .75f, .25f, 0, 0, 1, 0, 0, 0, .5f, 0, 0, 0, [28] = .5f };
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    add_skinned(scene, 5, 2, joints, weights);
    GtCharacter* character = build_character(&context, scene, NULL);
    const GtMeshDef* mesh = &gt_character_def(character)->meshes[0];
    static const uint16_t expected_joints[8] = { 3, 0, 1, 2, 0, 0, 2, 0 };
    static const float expected_weights[8] = { 1, 0, .75f, .25f, 1, 0, .5f, .5f };
    assert_int_equal(mesh->influence_count, 2);
    for (int i = 0; i < 8; ++i) {
        assert_int_equal(mesh->joints[i], expected_joints[i]);
        GT_EXPECT_NEAR(mesh->weights[i], expected_weights[i], 0);
    }
    assert_int_equal(log.warning_count, 0);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
}

static void test_every_mesh_has_its_own_skin(void** state)
{
    (void)state;
    static const uint8_t joints[16] = { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 };
    static const float weights[16] = { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 };
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    make_skin(scene, (const int32_t[]){ 0 }, 1, GT_NONE); // that no one uses
    add_skinned(scene, 3, 1, joints, weights);            // nodes 0 to 3
    add_skinned(scene, 2, 1, joints, weights);            // nodes 4 to 6
    GtPrimitive twins[2] = { scene->meshes[1].primitives[0], scene->meshes[1].primitives[0] };
    scene->meshes[1].primitives = twins; // that share their vertices
    scene->meshes[1].primitive_count = 2;
    scene->nodes[5].local.rotation = gt_quat(0, 2, 0, 0); // of no unit length
    GtCharacter* character = build_character(&context, scene, NULL);
    const GtCharacterDef* def = gt_character_def(character);
    assert_int_equal(def->skin_count, 2);
    assert_int_equal(def->mesh_count, 3);
    assert_int_equal(def->skins[def->meshes[0].skin].joint_count, 3);
    for (int i = 1; i < 3; ++i) {
        assert_int_equal(def->skins[def->meshes[i].skin].joint_count, 2);
        assert_int_equal(def->source_nodes[def->skins[def->meshes[i].skin].joints[1]], 5);
    }
    assert_ptr_equal(def->meshes[1].weights, def->meshes[2].weights);
    assert_ptr_equal(def->meshes[1].joints, def->meshes[2].joints);
    GT_EXPECT_NEAR(def->rest[5].rotation.y, 1, 0);
    assert_non_null(strstr(log.text, "has length 2"));
    gt_character_destroy(character);
    gt_scene_destroy(scene);
}

static void add_morphed(GtScene* scene)
{
    static const float smile[12] = { 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0 };
    static const float smile_normals[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1 };
    static const float none[12] = { 0 };
    GtAttribute positions[3] = {
        { "POSITION", make_vec3(scene, smile, 4) },
        { "NORMAL", make_vec3(scene, smile_normals, 4) },
        { "POSITION", make_vec3(scene, none, 4) },
    };
    GtMorphTarget targets[2] = {
        { make_array(scene, positions, 2, sizeof *positions), 2 },
        { make_array(scene, positions + 2, 1, sizeof *positions), 1 },
    };
    GtAttribute attribute = { "POSITION", make_vec3(scene, square, 4) };
    GtPrimitive primitive = make_primitive(scene, GT_MODE_TRIANGLE_STRIP, &attribute, 1);
    primitive.targets = make_array(scene, targets, 2, sizeof *targets);
    static const char* const names[2] = { "smile", "nothing" };
    static const float weights[2] = { 0.5f, 0.25f };
    int32_t mesh = make_mesh(scene, &primitive, 1);
    scene->meshes[mesh].target_count = 2;
    scene->meshes[mesh].target_names = names;
    scene->meshes[mesh].weights = weights;
    scene->meshes[mesh].weight_count = 2;
    for (int i = 0; i < 2; ++i) {
        make_mesh_node(scene, mesh);
    }
    static const float override[2] = { 1.0f, 0.0f };
    scene->nodes[1].weights = override;
    scene->nodes[1].weight_count = 2;
}

// Two sets of texture coordinates and colours without alpha; a target that moves no vertex.
static void add_blushing(GtScene* scene)
{
    static const float texcoords[8] = { 0, 0, 0, 1, 1, 0, 1, 1 };
    static const float colors[12] = { 1, 1, 1, 0.5f, 0.5f, 0.5f, 1, 1, 1, 1, 1, 1 };
    static const float slide[8] = { 0, 0, 0, 0, 0.25f, 0, 0, 0 };
    static const float slide1[8] = { NAN, 0, 0, 0, 0, 0, 0, 0.5f };
    static const float blush[12] = { 0, 0, 0, 0.25f, -1, 0, 0, 0, 0, 0, 0, 0 };
    GtAttribute base[4] = {
        { "POSITION", make_vec3(scene, square, 4) },
        { "TEXCOORD_0", make_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC2, GT_COMPONENT_FLOAT, texcoords, 4) },
        { "TEXCOORD_1", make_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC2, GT_COMPONENT_FLOAT, texcoords, 4) },
        { "COLOR_0", make_vec3(scene, colors, 4) },
    };
    GtAttribute changes[3] = {
        { "TEXCOORD_0", make_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC2, GT_COMPONENT_FLOAT, slide, 4) },
        { "TEXCOORD_1", make_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC2, GT_COMPONENT_FLOAT, slide1, 4) },
        { "COLOR_0", make_vec3(scene, blush, 4) },
    };
    GtMorphTarget target = { make_array(scene, changes, 3, sizeof *changes), 3 };
    GtPrimitive primitive = make_primitive(scene, GT_MODE_TRIANGLE_STRIP, base, 4);
    primitive.targets = make_array(scene, &target, 1, sizeof target);
    int32_t mesh = make_mesh(scene, &primitive, 1);
    scene->meshes[mesh].target_count = 1;
    make_mesh_node(scene, mesh);
}

static void test_targets_of_texture_coordinates_and_colours_are_built_and_frozen(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    add_blushing(scene);
    GtCharacter* character = build_character(&context, scene, NULL);
    const GtMorphDef* morph = &gt_character_def(character)->meshes[0].morphs[0];
    assert_int_equal(morph->entry_count, 3);
    assert_null(morph->positions);
    assert_int_equal(gt_morph_looks(character, 0), GT_LOOKS_TEXCOORDS | GT_LOOKS_TEXCOORDS1 | GT_LOOKS_COLORS);
    GtInstance* instance = NULL;
    GtError error;
    GtVec3 positions[4];
    float out[2][8];
    float out_colors[16];
    GT_EXPECT_OK(gt_instance_create(context.allocator, character, &instance, &error));
    instance->weights[0] = 1.0f;
    gt_instance_deform(instance, 0, positions, NULL, NULL);
    gt_instance_deform_looks(instance, 0, out[0], out[1], out_colors);
    assert_memory_equal(positions, square, sizeof positions);
    const float wanted[2][8] = { { 0, 0, 0, 1, 1.25f, 0, 1, 1 }, { 0, 0, 0, 1, 1, 0, 1, 1.5f } };
    const float wanted_colors[16] = { 1, 1, 1, 1, 0.75f, 0, 0.5f, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    assert_memory_equal(out, wanted, sizeof out);
    assert_memory_equal(out_colors, wanted_colors, sizeof out_colors);
    GtScene* frozen = NULL;
    GT_EXPECT_OK(gt_scene_freeze(&context, scene, instance, &frozen, &error));
    const GtPrimitive* primitive = &frozen->meshes[0].primitives[0];
    assert_int_equal(primitive->attribute_count, 4);
    gt_accessor_read_floats(frozen, gt_primitive_find(primitive, "TEXCOORD_0"), 0, 4, out[0]);
    gt_accessor_read_floats(frozen, gt_primitive_find(primitive, "TEXCOORD_1"), 0, 4, out[1]);
    gt_accessor_read_floats(frozen, gt_primitive_find(primitive, "COLOR_0"), 0, 4, out_colors);
    assert_memory_equal(out, wanted, sizeof out);
    assert_memory_equal(out_colors, wanted_colors, sizeof out_colors);
    gt_scene_destroy(frozen);
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
}

static void test_morphs_become_sparse_with_weights_of_their_own(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    add_morphed(scene);
    GtCharacter* character = build_character(&context, scene, NULL);
    const GtCharacterDef* def = gt_character_def(character);
    assert_int_equal(def->weight_count, 4);
    GT_EXPECT_NEAR(def->rest_weights[0], 0.5, 0);
    GT_EXPECT_NEAR(def->rest_weights[1], 0.25, 0);
    GT_EXPECT_NEAR(def->rest_weights[2], 1.0, 0);
    assert_int_equal(def->meshes[1].first_weight, 2);
    const GtMorphDef* smile = &def->meshes[0].morphs[0];
    assert_string_equal(smile->name, "smile");
    assert_int_equal(smile->entry_count, 2);
    assert_int_equal(smile->vertices[0], 1);
    assert_int_equal(smile->vertices[1], 3);
    GT_EXPECT_NEAR(smile->positions[0].y, 1, 0);
    GT_EXPECT_NEAR(smile->normals[1].z, -1, 0);
    assert_null(smile->tangents);
    assert_int_equal(def->meshes[0].morphs[1].entry_count, 0);
    GtInstance* instance = NULL;
    GtError error;
    GtVec3 out[4];
    GT_EXPECT_OK(gt_instance_create(context.allocator, character, &instance, &error));
    for (int32_t i = 0; i < 2; ++i) {
        gt_instance_deform(instance, i, out, NULL, NULL);
        GT_EXPECT_NEAR(out[1].y, i ? 1.0 : 0.5, 0);
        GT_EXPECT_NEAR(out[2].y, 1.0, 0);
    }
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
}

static void test_a_stage_shows_its_nodes_and_keeps_what_moves_them(void** state)
{
    (void)state;
    static const uint8_t joints[16] = { 0 };
    static const float weights[16] = { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 };
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    add_skinned(scene, 1, 1, joints, weights); // nodes 0 (joint) and 1 (skinned)
    make_node(scene, "above the joint", GT_NONE, gt_vec3(0, 5, 0));
    scene->nodes[0].parent = 2;
    scene->nodes[2].mesh = add_square(scene, GT_MODE_TRIANGLE_STRIP, GT_NONE);
    make_node(scene, "elsewhere", GT_NONE, gt_vec3(0, 0, 0));
    make_node(scene, "under the skinned", 1, gt_vec3(0, 0, 0));
    scene->nodes[4].mesh = scene->nodes[2].mesh;
    link_children(scene);
    static const int32_t shown[1] = { 1 };
    GtStage stage = { .nodes = shown, .node_count = 1 };
    GtError error;
    GT_EXPECT_OK(gt_scene_add_stage(scene, &stage, NULL, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    GtBuildDef build = gt_default_build_def();
    build.stage = 0;
    GtCharacter* character = NULL;
    GT_EXPECT_OK(gt_character_build(&context, scene, &build, &character, NULL, &error));
    const GtCharacterDef* def = gt_character_def(character);
    assert_int_equal(def->node_count, 4);
    assert_int_equal(gt_character_node_from_source(character, 3), GT_NONE);
    assert_int_equal(def->mesh_count, 2); // not the one above the joint
    assert_int_equal(def->skin_count, 1);
    assert_int_equal(def->source_nodes[def->skins[0].joints[0]], 0);
    gt_character_destroy(character);
    build.stage = 1;
    GT_EXPECT_ERROR(gt_character_build(&context, scene, &build, &character, NULL, &error), GT_ERROR_NOT_FOUND,
                    "no stage 1");
    build = gt_default_build_def();
    build.max_influences = 17;
    GT_EXPECT_ERROR(gt_character_build(&context, scene, &build, &character, NULL, &error), GT_ERROR_BAD_VALUE, "17");
    gt_scene_destroy(scene);
}

// Where the first vertex of the first mesh goes when its one joint of two is turned half round.
static GtVec3 pose_half_turned(const GtContext* context, const GtScene* scene, const GtBuildDef* build)
{
    GtError error;
    GtCharacter* character = NULL;
    GtInstance* instance = NULL;
    GtVec3 out[4];
    GT_EXPECT_OK(gt_character_build(context, scene, build, &character, NULL, &error));
    GT_EXPECT_OK(gt_instance_create(context->allocator, character, &instance, &error));
    instance->pose[0].rotation = gt_quat_from_axis_angle(gt_vec3(0, 0, 1), 3.0f);
    instance->pose[1].translation = gt_vec3(0, 0, 0);
    gt_instance_update(instance);
    gt_instance_deform(instance, 0, out, NULL, NULL);
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    return out[3];
}

static void test_the_node_or_the_caller_chooses_the_skin(void** state)
{
    (void)state;
    static const uint8_t joints[16] = { 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0 };
    static const float weights[16] = { .5f, .5f, 0, 0, .5f, .5f, 0, 0, .5f, .5f, 0, 0, .5f, .5f, 0, 0 };
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    add_skinned(scene, 2, 1, joints, weights);
    float corner = sqrtf(2.0f);
    GtBuildDef build = gt_default_build_def();
    GtVec3 linear = pose_half_turned(&context, scene, &build);
    GT_EXPECT_NEAR(gt_vec3_length(linear), corner * cosf(1.5f), 1e-6); // (e^0 + e^3i) / 2 = cos(1.5) e^1.5i
    build.force_skin_method = true;
    build.skin_method = GT_SKIN_DUAL_QUATERNION;
    GT_EXPECT_NEAR(gt_vec3_length(pose_half_turned(&context, scene, &build)), corner, 1e-6);
    static const GtDeformerData deformers[1] = { { GT_DEFORMER_SKIN, GT_SKIN_DUAL_QUATERNION } };
    scene->nodes[2].deformers = deformers;
    scene->nodes[2].deformer_count = 1;
    build = gt_default_build_def();
    GT_EXPECT_NEAR(gt_vec3_length(pose_half_turned(&context, scene, &build)), corner, 1e-6);
    build.force_skin_method = true;
    GT_EXPECT_NEAR(gt_vec3_length(pose_half_turned(&context, scene, &build)), corner * cosf(1.5f), 1e-6);
    gt_scene_destroy(scene);
}

static void test_normals_that_are_no_numbers_point_up(void** state)
{
    (void)state;
    const float normals[12] = { NAN, 0, 0, 1, 0, 0, 0, INFINITY, 1, 0, 0, 1 };
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    GtAttribute attributes[2] = {
        { "POSITION", make_vec3(scene, square, 4) },
        { "NORMAL", make_vec3(scene, normals, 4) },
    };
    GtPrimitive primitive = make_primitive(scene, GT_MODE_TRIANGLE_STRIP, attributes, 2);
    make_mesh_node(scene, make_mesh(scene, &primitive, 1));
    GtCharacter* character = build_character(&context, scene, NULL);
    GtInstance* instance = NULL;
    GtError error;
    GtVec3 out[4];
    GtVec3 out_normals[4];
    GT_EXPECT_OK(gt_instance_create(context.allocator, character, &instance, &error));
    gt_instance_deform(instance, 0, out, out_normals, NULL);
    GT_EXPECT_NEAR(out_normals[0].y, 1, 0);
    GT_EXPECT_NEAR(out_normals[1].x, 1, 0);
    GT_EXPECT_NEAR(out_normals[2].z, 1, 0); // what is finite of it still counts
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
}

static void test_texture_coordinates_and_colors_come_along(void** state)
{
    (void)state;
    const float more[8] = { 1, 2, 3, 4, 5, 6, 7, NAN };
    const uint8_t colors[16] = { 0, 51, 255, 0, 102, 0, 0, 0, 255, 255, 255, 0, 1, 2, 3, 0 }; // RGB in steps of 4
    const uint8_t coordinates[8] = { 0, 255, 51, 102, 255, 0, 204, 153 };
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    int32_t accessor = make_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC2, GT_COMPONENT_UINT8, coordinates, 4);
    scene->accessors[accessor].normalized = true;
    int32_t second = make_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC2, GT_COMPONENT_FLOAT, more, 4);
    int32_t rgb = make_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC4, GT_COMPONENT_UINT8, colors, 4);
    scene->accessors[rgb].normalized = true;
    scene->accessors[rgb].element_type = GT_ELEMENT_VEC3;
    scene->buffer_views[scene->accessors[rgb].view].stride = 4;
    GtAttribute attributes[4] = { { "POSITION", make_vec3(scene, square, 4) },
                                  { "TEXCOORD_0", accessor },
                                  { "TEXCOORD_1", second },
                                  { "COLOR_0", rgb } };
    GtPrimitive primitive = make_primitive(scene, GT_MODE_TRIANGLE_STRIP, attributes, 4);
    make_mesh_node(scene, make_mesh(scene, &primitive, 1));
    GtCharacter* character = build_character(&context, scene, NULL);
    const GtMeshDef* mesh = &gt_character_def(character)->meshes[0];
    assert_non_null(mesh->texcoords);
    for (int32_t i = 0; i < 8; ++i) {
        GT_EXPECT_NEAR(mesh->texcoords[i], coordinates[i] / 255.0, 1e-7);
        GT_EXPECT_NEAR(mesh->texcoords1[i], i < 7 ? i + 1 : 0, 0); // what is not finite is 0
    }
    for (int32_t i = 0; i < 16; ++i) {
        GT_EXPECT_NEAR(mesh->colors[i], i % 4 == 3 ? 1.0 : colors[i] / 255.0, 1e-7);
    }
    gt_character_destroy(character);
    gt_scene_destroy(scene);
}

static void test_overlapping_arrays_cannot_fill_memory(void** state)
{
    (void)state;
    enum {
        COUNT = 2000,
        VERTICES = 90000
    };
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    float* zeros = calloc(VERTICES + COUNT, 12);
    int32_t whole = make_vec3(scene, zeros, VERTICES + COUNT);
    free(zeros);
    GtPrimitive* primitives = calloc(COUNT, sizeof *primitives);
    for (int i = 0; i < COUNT; ++i) { // each a megabyte, all of the same megabyte, no two the same
        GtError error;
        GtAccessor accessor = scene->accessors[whole];
        accessor.offset = (uint64_t)i * 12;
        accessor.count = VERTICES;
        GtAttribute attribute = { "POSITION", GT_NONE };
        GT_EXPECT_OK(gt_scene_add_accessor(scene, &accessor, &attribute.accessor, &error));
        primitives[i] = make_primitive(scene, GT_MODE_TRIANGLES, &attribute, 1);
    }
    make_mesh_node(scene, make_mesh(scene, primitives, COUNT));
    free(primitives);
    GtError error;
    GtBuildDef build = gt_default_build_def();
    GtCharacter* character = NULL;
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    GT_EXPECT_ERROR(gt_character_build(&context, scene, &build, &character, NULL, &error), GT_ERROR_LIMIT,
                    "far larger than the file");
    gt_scene_destroy(scene);
}

static void test_a_chain_of_100000_nodes(void** state)
{
    (void)state;
    enum {
        COUNT = 100000
    };
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    for (int32_t i = 0; i < COUNT; ++i) { // the last node is the root: every parent comes after its child
        make_node(scene, "link", i + 1 < COUNT ? i + 1 : GT_NONE, gt_vec3(0, 1, 0));
    }
    link_children(scene);
    scene->nodes[0].name = "end";
    GtCharacter* character = build_character(&context, scene, NULL);
    GtInstance* instance = NULL;
    GtError error;
    GT_EXPECT_OK(gt_instance_create(context.allocator, character, &instance, &error));
    int32_t end = gt_character_find_node(character, "end");
    assert_int_equal(end, COUNT - 1);
    GT_EXPECT_NEAR(instance->model_from_node[end].m[1][3], COUNT, 0);
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
}

static bool stop(void* user, const char* task, double fraction)
{
    (void)user;
    (void)task;
    (void)fraction;
    return false;
}

static void test_cancelling_stops_the_build(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    add_morphed(scene);
    context.progress = stop;
    GtError error;
    GtBuildDef build = gt_default_build_def();
    GtCharacter* character = NULL;
    GT_EXPECT_ERROR(gt_character_build(&context, scene, &build, &character, NULL, &error), GT_ERROR_CANCELLED,
                    "building");
    gt_scene_destroy(scene);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    static const uint8_t joints[16] = { 0, 1 };
    static const float weights[16] = { 1, 1 };
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    add_morphed(scene);
    add_skinned(scene, 3, 1, joints, weights);
    add_blushing(scene);
    GtBuildDef build = gt_default_build_def();
    build.force_skin_method = true;
    bool done = false;
    int64_t limit = 0;
    for (; !done; ++limit) {
        TestAllocator failing = { .remaining = limit };
        GtContext failing_context = context;
        failing_context.allocator = test_allocator(&failing);
        GtError error;
        GtCharacter* character = NULL;
        GtResult result = gt_character_build(&failing_context, scene, &build, &character, NULL, &error);
        done = result == GT_OK;
        assert_true(done || (result == GT_ERROR_OUT_OF_MEMORY && !character));
        gt_character_destroy(character);
        assert_int_equal(failing.alive, 0);
    }
    assert_true(limit > 4);
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes_become_parent_first),
        cmocka_unit_test(test_strips_and_fans_keep_their_winding),
        cmocka_unit_test(test_one_mesh_at_many_nodes_is_kept_once),
        cmocka_unit_test(test_influences_are_merged_pruned_and_normalised),
        cmocka_unit_test(test_sixteen_influences_survive),
        cmocka_unit_test(test_a_skinned_node_without_weights_follows_the_first_joint),
        cmocka_unit_test(test_rows_are_as_wide_as_the_widest_vertex),
        cmocka_unit_test(test_every_mesh_has_its_own_skin),
        cmocka_unit_test(test_morphs_become_sparse_with_weights_of_their_own),
        cmocka_unit_test(test_targets_of_texture_coordinates_and_colours_are_built_and_frozen),
        cmocka_unit_test(test_a_stage_shows_its_nodes_and_keeps_what_moves_them),
        cmocka_unit_test(test_the_node_or_the_caller_chooses_the_skin),
        cmocka_unit_test(test_normals_that_are_no_numbers_point_up),
        cmocka_unit_test(test_texture_coordinates_and_colors_come_along),
        cmocka_unit_test(test_overlapping_arrays_cannot_fill_memory),
        cmocka_unit_test(test_a_chain_of_100000_nodes),
        cmocka_unit_test(test_cancelling_stops_the_build),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Truths about motion that need no reference: what moves rigidly, what keeps its volume, what comes first.

#include "runtime/puppet.h"

#include <stdlib.h>

static const float pi = 3.14159265f;

typedef struct Posed {
    GtVec3 positions[2][31];
    GtVec3 normals[2][31];
    float tangents[2][31 * 4];
} Posed;

static void pose_meshes(GtInstance* instance, Posed* out)
{
    memset(out, 0xCD, sizeof *out);
    gt_instance_update(instance);
    for (int32_t m = 0; m < 2; ++m) {
        gt_instance_deform(instance, m, out->positions[m], out->normals[m], out->tangents[m]);
    }
}

// Both meshes there are those here, moved by `there_from_here`.
static void expect_moved(const Posed* here, const Posed* there, const GtMat34* there_from_here, double tolerance)
{
    for (int m = 0; m < 2; ++m) {
        for (int i = 0; i < 31; ++i) {
            GtVec3 p = gt_mat34_point(there_from_here, here->positions[m][i]);
            GtVec3 n = gti_unit(gt_mat34_normal(there_from_here, here->normals[m][i]));
            GtVec3 t = gti_unit(gt_mat34_vector(there_from_here, tangent_of(here->tangents[m], i)));
            ref_expect_vec(there->positions[m][i], (RefVec){ { (double)p.x, (double)p.y, (double)p.z } }, tolerance);
            ref_expect_vec(there->normals[m][i], (RefVec){ { (double)n.x, (double)n.y, (double)n.z } }, 1e-4);
            ref_expect_vec(tangent_of(there->tangents[m], i), (RefVec){ { (double)t.x, (double)t.y, (double)t.z } },
                           1e-4);
        }
    }
}

static void test_moving_the_root_moves_the_meshes(void** state)
{
    (void)state;
    GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0.36f, 0.48f, 0.8f), 2.5f);
    const GtTransform moves[] = {
        gt_transform(gt_vec3(3, -2, 7), turn, gt_vec3(1, 1, 1)), // rigidly
        gt_transform(gt_vec3(0, 0, 0), turn, gt_vec3(3, 3, 3)),  // and larger
        gt_transform(gt_vec3(1, 0, 0), turn, gt_vec3(-1, 1, 1)), // and mirrored
        gt_transform(gt_vec3(1, 2, 0), turn, gt_vec3(-.01f, -.01f, -.01f)),
    };
    uint64_t random = 21;
    for (int method = 0; method < GT_SKIN_METHOD_COUNT; ++method) {
        for (size_t k = 0; k < sizeof moves / sizeof *moves; ++k) {
            Puppet puppet;
            fill_puppet(&puppet, (GtSkinMethod)method, 1 + (int32_t)k * 5, &random);
            GtCharacter* character = create_puppet(&puppet);
            GtInstance* instance = create_instance(character);
            Posed here;
            Posed there;
            bend(instance, &random);
            instance->pose[0] = gt_transform_identity();
            pose_meshes(instance, &here);
            instance->pose[0] = moves[k];
            pose_meshes(instance, &there);
            GtMat34 there_from_here = gt_mat34_from_transform(moves[k]);
            expect_moved(&here, &there, &there_from_here, 5e-5);
            gt_instance_destroy(instance);
            gt_character_destroy(character);
        }
    }
}

// Linear and dual-quaternion skins differ in how they blend rotations, and in nothing else.
static void test_methods_agree_where_nothing_turns(void** state)
{
    (void)state;
    uint64_t random = 22;
    Puppet puppets[2];
    Posed posed[2];
    uint64_t same = random;
    for (int method = 0; method <= GT_SKIN_DUAL_QUATERNION; ++method) {
        random = same;
        Puppet* puppet = &puppets[method];
        fill_puppet(puppet, (GtSkinMethod)method, 4, &random);
        for (int32_t j = 0; j < JOINT_COUNT; ++j) {
            puppet->joint_from_mesh[j] = gt_mat34_identity();
        }
        GtCharacter* character = create_puppet(puppet);
        GtInstance* instance = create_instance(character);
        for (int32_t i = 1; i < PUPPET_NODES; ++i) {
            float scale = 1.0f + 0.1f * (float)ref_random(&random);
            instance->pose[i].scale = gt_vec3(scale, 1.0f / scale, 1.0f);
        }
        pose_meshes(instance, &posed[method]);
        gt_instance_destroy(instance);
        gt_character_destroy(character);
    }
    GtMat34 identity = gt_mat34_identity();
    expect_moved(&posed[0], &posed[1], &identity, 1e-5);
}

enum {
    AROUND = 16,
    RINGS = 21,
    TUBE = AROUND * RINGS
};

// A tube along Y from 0 to 2, its lower half weighted to joint 0, its upper to joint 1, blending evenly in between.
typedef struct Tube {
    GtVec3 positions[TUBE];
    GtVec3 normals[TUBE];
    uint16_t joints[TUBE * 2];
    float weights[TUBE * 2];
    GtVec3 out_positions[TUBE];
    GtVec3 out_normals[TUBE];
} Tube;

static GtCharacter* create_tube(Tube* tube, GtSkinMethod method)
{
    for (int i = 0; i < TUBE; ++i) {
        float angle = 2.0f * pi * (float)(i % AROUND) / AROUND;
        int ring = i / AROUND;
        float y = 2.0f * (float)ring / (RINGS - 1);
        tube->normals[i] = gt_vec3(cosf(angle), 0, sinf(angle));
        tube->positions[i] = gt_vec3(0.5f * cosf(angle), y, 0.5f * sinf(angle));
        tube->joints[2 * i + 1] = 1;
        tube->weights[2 * i + 1] = 0.5f * y;
        tube->weights[2 * i] = 1.0f - 0.5f * y;
    }
    static const int32_t parents[2] = { GT_NONE, 0 };
    static const int32_t joints[2] = { 0, 1 };
    GtTransform rest[2] = { gt_transform_identity(), gt_transform_identity() };
    GtMat34 joint_from_mesh[2] = { gt_mat34_identity(), gt_mat34_identity() };
    rest[1].translation.y = 1.0f;
    joint_from_mesh[1].m[1][3] = -1.0f;
    GtSkinDef skin = { joints, 2, joint_from_mesh };
    GtDeformerData deformer = { GT_DEFORMER_SKIN, method };
    GtMeshDef mesh = {
        .vertex_count = TUBE,
        .positions = tube->positions,
        .normals = tube->normals,
        .influence_count = 2,
        .joints = tube->joints,
        .weights = tube->weights,
        .deformers = &deformer,
        .deformer_count = 1,
    };
    GtCharacterDef def = {
        .node_count = 2,
        .parents = parents,
        .rest = rest,
        .skin_count = 1,
        .skins = &skin,
        .mesh_count = 1,
        .meshes = &mesh,
    };
    GtError error;
    GtCharacter* character = NULL;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &character, &error));
    return character;
}

// Smallest radius of any ring after the upper half was twisted, as part of the radius at rest.
static double thinnest_when_twisted(GtSkinMethod method, float angle_rad)
{
    static Tube tube;
    GtCharacter* character = create_tube(&tube, method);
    GtInstance* instance = create_instance(character);
    instance->pose[1].rotation = gt_quat_from_axis_angle(gt_vec3(0, 1, 0), angle_rad);
    gt_instance_update(instance);
    memset(tube.out_positions, 0xCD, sizeof tube.out_positions);
    gt_instance_deform(instance, 0, tube.out_positions, tube.out_normals, NULL);
    double thinnest = INFINITY;
    for (int i = 0; i < TUBE; ++i) {
        GtVec3 p = tube.out_positions[i];
        thinnest = fmin(thinnest, sqrt((double)(p.x * p.x + p.z * p.z)) / 0.5);
        GT_EXPECT_NEAR(p.y, tube.positions[i].y, 1e-6); // a twist changes no height
        if (method != GT_SKIN_LINEAR) {
            GT_EXPECT_NEAR(tube.out_normals[i].x, p.x / 0.5f, 1e-5);
            GT_EXPECT_NEAR(tube.out_normals[i].z, p.z / 0.5f, 1e-5);
        }
    }
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    return thinnest;
}

static void test_twists_keep_their_volume_with_dual_quaternions(void** state)
{
    (void)state;
    for (int degrees = -180; degrees <= 180; degrees += 15) {
        float angle = (float)degrees * pi / 180.0f;
        assert_true(thinnest_when_twisted(GT_SKIN_DUAL_QUATERNION, angle) >= 0.85);
        assert_true(thinnest_when_twisted(GT_SKIN_BULGE_FREE, angle) >= 0.85);
        GT_EXPECT_NEAR(thinnest_when_twisted(GT_SKIN_LINEAR, angle), cos(0.5 * (double)angle), 1e-5);
    }
}

// Largest distance of any vertex from the two bones after the upper half was bent, as part of that at rest.
static double thickest_when_bent(GtSkinMethod method, float angle_rad)
{
    static Tube tube;
    GtCharacter* character = create_tube(&tube, method);
    GtInstance* instance = create_instance(character);
    instance->pose[1].rotation = gt_quat_from_axis_angle(gt_vec3(0, 0, 1), angle_rad);
    gt_instance_update(instance);
    memset(tube.out_positions, 0xCD, sizeof tube.out_positions);
    gt_instance_deform(instance, 0, tube.out_positions, tube.out_normals, NULL);
    double thickest = 0.0;
    for (int i = 0; i < TUBE; ++i) {
        GtVec3 p = tube.out_positions[i];
        double y = (double)p.y - 1.0; // from the joint; the bones go down, and up turned by the angle
        double s = -sin((double)angle_rad) * (double)p.x + cos((double)angle_rad) * y;
        double square = (double)(p.x * p.x + p.z * p.z) + y * y;
        double lower = square - fmin(y, 0.0) * fmin(y, 0.0);
        double upper = square - fmax(s, 0.0) * fmax(s, 0.0);
        thickest = fmax(thickest, sqrt(fmin(lower, upper)) / 0.5);
    }
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    return thickest;
}

static void test_bends_keep_their_thickness_where_asked(void** state)
{
    (void)state;
    for (int degrees = -150; degrees <= 150; degrees += 30) {
        assert_true(thickest_when_bent(GT_SKIN_BULGE_FREE, (float)degrees * pi / 180.0f) <= 1.05);
    }
    assert_true(thickest_when_bent(GT_SKIN_DUAL_QUATERNION, 2.0f * pi / 3.0f) > 1.35); // what there is to offset
}

static void test_morphs_come_before_the_skin(void** state)
{
    (void)state;
    uint64_t random = 23;
    Puppet puppet;
    fill_puppet(&puppet, GT_SKIN_LINEAR, 2, &random);
    GtCharacter* character = create_puppet(&puppet);
    GtInstance* instance = create_instance(character);
    Posed morphed;
    bend(instance, &random);
    instance->weights[0] = 2.0f;
    pose_meshes(instance, &morphed);
    gt_character_destroy(character);
    gt_instance_destroy(instance);
    for (int i = 0; i < 2; ++i) { // the same, displaced by hand
        uint32_t vertex = puppet.moved[i];
        GtVec3 move = gt_vec3_scale(puppet.moves[i], 2.0f);
        puppet.v.positions[vertex] = gt_vec3_add(puppet.v.positions[vertex], move);
        puppet.v.normals[vertex] = gt_vec3_add(puppet.v.normals[vertex], move);
        for (int c = 0; c < 3; ++c) {
            puppet.v.tangents[4 * vertex + (uint32_t)c] += (&move.x)[c];
        }
    }
    random = 23; // the same joints again
    Vertices displaced = puppet.v;
    fill_puppet(&puppet, GT_SKIN_LINEAR, 2, &random);
    puppet.v = displaced;
    character = create_puppet(&puppet);
    instance = create_instance(character);
    Posed by_hand;
    bend(instance, &random);
    instance->weights[0] = 0.0f;
    pose_meshes(instance, &by_hand);
    GtMat34 identity = gt_mat34_identity();
    expect_moved(&by_hand, &morphed, &identity, 1e-6);
    gt_instance_destroy(instance);
    gt_character_destroy(character);
}

static void test_stacks_fill_in_what_the_data_leave_out(void** state)
{
    (void)state;
    uint64_t random = 24;
    const struct {
        GtDeformerData data[2];
        int32_t count;
        const GtiDeformer* steps[2]; // of the skinned mesh
    } cases[] = {
        { { { 0 } }, 0, { &gti_morph, &gti_skin_linear } },
        { { { GT_DEFORMER_MORPH, 0 } }, 1, { &gti_morph, &gti_skin_linear } },
        { { { GT_DEFORMER_SKIN, GT_SKIN_DUAL_QUATERNION } }, 1, { &gti_skin_dual_quat, NULL } },
        { { { GT_DEFORMER_MORPH, 0 }, { GT_DEFORMER_SKIN, GT_SKIN_DUAL_QUATERNION } },
          2,
          { &gti_morph, &gti_skin_dual_quat } },
        { { { GT_DEFORMER_SKIN, GT_SKIN_BULGE_FREE } }, 1, { &gti_skin_bulge_free, NULL } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Puppet puppet;
        GtiStack stack;
        GtError error;
        fill_puppet(&puppet, GT_SKIN_LINEAR, 2, &random);
        for (int32_t m = 0; m < 2; ++m) {
            puppet.meshes[m].deformers = cases[i].data;
            puppet.meshes[m].deformer_count = cases[i].count;
        }
        GT_EXPECT_OK(gti_stack_create(&puppet.def, &puppet.meshes[0], "", &stack, &error));
        assert_int_equal(stack.count, cases[i].steps[1] ? 2 : 1);
        for (int32_t s = 0; s < stack.count; ++s) {
            assert_ptr_equal(stack.steps[s], cases[i].steps[s]);
        }
        GT_EXPECT_OK(gti_stack_create(&puppet.def, &puppet.meshes[1], "", &stack, &error));
        assert_ptr_equal(stack.steps[stack.count - 1], &gti_rigid); // the hat has no skin
        assert_int_equal(stack.scratch_size, 0);
    }
}

static void test_what_a_mesh_lacks_is_zeroed_and_what_is_not_wanted_left_out(void** state)
{
    (void)state;
    uint64_t random = 25;
    Puppet puppet;
    fill_puppet(&puppet, GT_SKIN_LINEAR, 2, &random);
    puppet.meshes[0].normals = NULL;
    puppet.meshes[0].tangents = NULL;
    GtCharacter* character = create_puppet(&puppet);
    GtInstance* instance = create_instance(character);
    Posed posed;
    pose_meshes(instance, &posed);
    for (int i = 0; i < 31; ++i) {
        GT_EXPECT_NEAR(gt_vec3_length(posed.normals[0][i]), 0, 0);
        GT_EXPECT_NEAR(posed.tangents[0][4 * i + 3], 0, 0);
        GT_EXPECT_NEAR(gt_vec3_length(posed.normals[1][i]), 1, 1e-6);
    }
    Posed bare;
    memset(&bare, 0xCD, sizeof bare);
    for (int32_t m = 0; m < 2; ++m) {
        gt_instance_deform(instance, m, bare.positions[m], NULL, NULL);
        assert_memory_equal(bare.positions[m], posed.positions[m], sizeof posed.positions[m]);
    }
    gt_instance_destroy(instance);
    gt_character_destroy(character);
}

// Texture coordinates of two vertices slide, colours of two others blush: as sums by hand, and clamped.
static void test_shapes_change_texture_coordinates_and_colours(void** state)
{
    (void)state;
    uint64_t random = 26;
    Puppet puppet;
    fill_puppet(&puppet, GT_SKIN_LINEAR, 2, &random);
    float texcoords[2][31 * 2];
    float colors[31 * 4];
    for (int i = 0; i < 31 * 4; ++i) {
        texcoords[i % 2][i / 2] = (float)ref_random(&random);
        colors[i] = 0.5f + 0.5f * (float)ref_random(&random);
    }
    static const float slide[4] = { 0.5f, -0.25f, 1.0f, 2.0f };
    static const float blush[8] = { 4.0f, -4.0f, 0.0f, 0.0f, 0.125f, 0.0f, -0.125f, 0.0f };
    GtMorphDef morphs[2] = { puppet.morph, { .entry_count = 2, .vertices = puppet.moved, .colors = blush } };
    morphs[0].texcoords1 = slide;
    morphs[0].colors = blush;
    float rest_weights[2] = { 0.0f, 0.0f };
    puppet.meshes[0].texcoords = texcoords[0];
    puppet.meshes[0].texcoords1 = texcoords[1];
    puppet.meshes[0].colors = colors;
    puppet.meshes[0].morphs = morphs;
    puppet.meshes[0].morph_count = 2;
    puppet.meshes[1].colors = colors;
    puppet.meshes[1].texcoords1 = texcoords[1];
    puppet.meshes[1].morphs = morphs;
    puppet.def.weight_count = 2;
    puppet.def.rest_weights = rest_weights;
    GtCharacter* character = create_puppet(&puppet);
    GtInstance* instance = create_instance(character);
    assert_int_equal(gt_morph_looks(character, 0), GT_LOOKS_TEXCOORDS1 | GT_LOOKS_COLORS);
    const float weights[3][2] = { { 0.0f, 0.0f }, { 0.5f, 0.0f }, { -1.0f, 2.0f } };
    for (int k = 0; k < 3; ++k) {
        float out[2][31 * 2];
        float out_colors[31 * 4];
        GtVec3 positions[2][31];
        memset(out, 0xCD, sizeof out);
        memset(out_colors, 0xCD, sizeof out_colors);
        memcpy(instance->weights, weights[k], sizeof weights[k]);
        gt_instance_deform_looks(instance, 0, out[0], out[1], out_colors);
        assert_memory_equal(out[0], texcoords[0], sizeof out[0]); // no shape changes them
        for (int i = 0; i < 31; ++i) {
            int entry = i == 3 ? 0 : i == 30 ? 1 : GT_NONE;
            for (int c = 0; c < 2; ++c) {
                double moved = entry == GT_NONE ? 0.0 : (double)(weights[k][0] * slide[2 * entry + c]);
                GT_EXPECT_NEAR(out[1][2 * i + c], (double)texcoords[1][2 * i + c] + moved, 1e-6);
            }
            for (int c = 0; c < 4; ++c) {
                double sum = (double)(weights[k][0] + weights[k][1]);
                double moved = entry == GT_NONE ? 0.0 : sum * (double)blush[4 * entry + c];
                GT_EXPECT_NEAR(out_colors[4 * i + c], fmin(fmax((double)colors[4 * i + c] + moved, 0.0), 1.0), 1e-6);
            }
        }
        float again[31 * 4];
        gt_deform(&(GtDeformJob){ .character = character,
                                  .model_from_node = instance->model_from_node,
                                  .weights = instance->weights,
                                  .out_positions = positions[0],
                                  .out_colors = again,
                                  .scratch = instance->scratch });
        gt_instance_deform(instance, 0, positions[1], NULL, NULL);
        assert_memory_equal(again, out_colors, sizeof again);
        assert_memory_equal(positions[0], positions[1], sizeof positions[0]);
    }
    instance->weights[1] = NAN;
    float out_colors[31 * 4];
    float out_texcoords[31 * 2];
    gt_instance_deform_looks(instance, 0, NULL, NULL, out_colors);
    GT_EXPECT_NEAR(out_colors[4 * 3], 0, 0);
    gt_instance_deform_looks(instance, 1, out_texcoords, NULL, NULL);
    GT_EXPECT_NEAR(out_texcoords[7], 0, 0); // the hat has none
    gt_instance_destroy(instance);
    gt_character_destroy(character);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moving_the_root_moves_the_meshes),
        cmocka_unit_test(test_methods_agree_where_nothing_turns),
        cmocka_unit_test(test_twists_keep_their_volume_with_dual_quaternions),
        cmocka_unit_test(test_bends_keep_their_thickness_where_asked),
        cmocka_unit_test(test_morphs_come_before_the_skin),
        cmocka_unit_test(test_stacks_fill_in_what_the_data_leave_out),
        cmocka_unit_test(test_what_a_mesh_lacks_is_zeroed_and_what_is_not_wanted_left_out),
        cmocka_unit_test(test_shapes_change_texture_coordinates_and_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Sections on every level of processor: against gt_lattice_apply(), against plain C, and poses against the offsets that
// they are.

#include "runtime/tube.h"

static const GtSkinMethod methods[] = { GT_SKIN_LINEAR, GT_SKIN_DUAL_QUATERNION };

static float distance(GtVec3 a, GtVec3 b)
{
    return gt_vec3_length(gt_vec3_sub(a, b));
}

// Half of what its lattice does, as gt_lattice_apply() has it, moved by a pose and by points of its own. A block that
// spans eight vertices and yet leaves out some, its last one repeated to fill it up, is not taken for eight that follow
// each other.
static void check_half_of_lattice(const GtLatticeDef* lattice, bool points_move)
{
    enum {
        VERTICES = 12,
        POINTS = 5 * 7 * 4
    };
    static const uint32_t held[] = { 1, 2, 3, 4, 5, 8 };
    static const float masks[] = { 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f };
    static const GtMat34 joint_from_mesh = {
        { { 1.0f, 0.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 1.0f, 0.0f } }
    };
    static const int32_t joint = 0;
    static const int32_t parent = GT_NONE;
    static const uint16_t joints[VERTICES];
    GtTransform rest = gt_transform_identity();
    GtVec3 positions[VERTICES];
    GtVec3 out[2][VERTICES];
    float weights[VERTICES];
    uint64_t random = 3;
    for (int i = 0; i < VERTICES; ++i) {
        positions[i] = gt_vec3_add(ref_random_vec3(&random, 0.4), gt_vec3(0.5f, 0.5f, 0.5f));
        weights[i] = 1.0f;
    }
    GtSectionBindDef bind = { .section = 0, .entry_count = 6, .vertices = held, .masks = masks };
    GtSectionDef section = gt_default_section_def();
    section.node = 0;
    section.lattice = *lattice;
    GtVec3 offsets[POINTS];
    for (int i = 0; i < POINTS; ++i) {
        offsets[i] = ref_random_vec3(&random, 0.1);
    }
    GtLatticePose pose = { "pose", offsets };
    section.poses = &pose;
    section.pose_count = 1;
    GtSkinDef skin = { &joint, 1, &joint_from_mesh };
    GtMeshDef mesh = { .vertex_count = VERTICES,
                       .positions = positions,
                       .influence_count = 1,
                       .joints = joints,
                       .weights = weights,
                       .section_binds = &bind,
                       .section_bind_count = 1 };
    GtCharacterDef def = gt_default_character_def();
    def.node_count = 1;
    def.parents = &parent;
    def.rest = &rest;
    def.skin_count = 1;
    def.skins = &skin;
    def.mesh_count = 1;
    def.meshes = &mesh;
    def.section_count = 1;
    def.sections = &section;
    GtError error;
    GtCharacter* character = NULL;
    GtInstance* instance = NULL;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &character, &error));
    GT_EXPECT_OK(gt_instance_create(gt_default_allocator(), character, &instance, &error));
    instance->section_values[1] = 0.7f;
    for (int32_t i = 2; i < gt_section_value_count(character); ++i) {
        instance->section_values[i] = points_move ? 0.1f * (float)ref_random(&random) : 0.0f;
    }
    gt_instance_update(instance);
    GtVec3 points[POINTS];
    gt_section_points(character, 0, instance->section_values, points);
    memcpy(out[0], positions, sizeof positions);
    for (int i = 0; i < 6; ++i) {
        GtVec3 moved;
        gt_lattice_apply(&section.lattice, points, 1, &positions[held[i]], &moved, NULL);
        out[0][held[i]] = gt_vec3_lerp(positions[held[i]], moved, 0.5f);
    }
    for (int level = GT_SIMD_SCALAR; level <= (int)gt_simd_level_supported(); ++level) {
        gt_simd_level_set((GtSimdLevel)level);
        gt_instance_deform(instance, 0, out[1], NULL, NULL);
        for (int i = 0; i < VERTICES; ++i) {
            assert_true(distance(out[0][i], out[1][i]) <= 2e-6f);
        }
    }
    gt_instance_destroy(instance);
    gt_character_destroy(character);
}

static void test_half_of_a_lattice(void** state)
{
    (void)state;
    float weights[64];
    for (int i = 0; i < 64; ++i) {
        weights[i] = 0.5f + 0.1f * (float)(i % 13);
    }
    GtLatticeDef lattices[4];
    for (int i = 0; i < 4; ++i) {
        lattices[i] = gt_default_lattice_def();
    }
    lattices[1].weights = weights;
    lattices[2].counts[0] = 2;
    lattices[2].counts[1] = 3;
    lattices[3].basis = GT_LATTICE_B_SPLINE; // a polynomial in each of eight spans
    lattices[3].counts[0] = 5;
    lattices[3].counts[1] = 7;
    for (int n = 0; n < 8; ++n) {
        check_half_of_lattice(&lattices[n % 4], n >= 4);
    }
}

// Two tubes that are alike: one in plain C, the other on every level of processor, with normals and tangents and
// without.
static void expect_levels_agree(Tube tubes[2], float most_m, float most_turn)
{
    static GtVec3 alone[TUBE_VERTICES];
    gt_simd_level_set(GT_SIMD_SCALAR);
    deform_tube(&tubes[0]);
    for (int level = GT_SIMD_SCALAR; level <= (int)gt_simd_level_supported(); ++level) {
        gt_simd_level_set((GtSimdLevel)level);
        deform_tube(&tubes[1]);
        memset(alone, 0xCD, sizeof alone);
        gt_instance_deform(tubes[1].instance, 0, alone, NULL, NULL);
        for (int32_t v = 0; v < TUBE_VERTICES; ++v) {
            assert_true(distance(tubes[0].out_positions[v], tubes[1].out_positions[v]) <= most_m);
            assert_true(distance(tubes[0].out_positions[v], alone[v]) <= most_m);
            assert_true(distance(tubes[0].out_normals[v], tubes[1].out_normals[v]) <= most_turn);
            GtVec3 tangent = tangent_of(tubes[0].out_tangents, v);
            assert_true(distance(tangent, tangent_of(tubes[1].out_tangents, v)) <= most_turn);
            assert_true(tubes[1].out_tangents[4 * v + 3] == 1.0f);
        }
    }
    gt_simd_level_set(gt_simd_level_supported());
}

// As modelled and morphed out of the boxes, lattices at rest and
// not, cubic and not.
static void test_levels_agree(void** state)
{
    (void)state;
    static Tube tubes[2]; // plain C, and another level
    for (int n = 0; n < 16; ++n) {
        for (int i = 0; i < 2; ++i) {
            create_tube(&tubes[i], methods[n % 2], TUBE_SECTIONS);
            bend_tube(&tubes[i], 1.1f);
            if (n & 2) {
                bulge_tube(&tubes[i], 5, 0.05f);
            }
            *blend_of(&tubes[i], 1) = n & 4 ? 0.0f : 0.6f; // which is the one that is not cubic
            tubes[i].instance->weights[0] = n & 8 ? 3.0f : 0.0f;
        }
        expect_levels_agree(tubes, 3e-6f, 1e-4f);
        destroy_tube(&tubes[0]);
        destroy_tube(&tubes[1]);
    }
}

// A pose is its offsets: what was found for it once is what its lattice does, morphed or not, on every level.
static void test_poses_are_their_offsets(void** state)
{
    (void)state;
    static Tube tubes[2]; // by poses, by offsets
    static GtVec3 alone[TUBE_VERTICES];
    for (int n = 0; n < 4; ++n) {
        for (int i = 0; i < 2; ++i) {
            create_tube(&tubes[i], methods[n % 2], TUBE_SECTIONS);
            bend_tube(&tubes[i], 1.1f);
            tubes[i].instance->weights[0] = n & 2 ? 3.0f : 0.0f;
            for (int32_t s = 0; s < TUBE_SECTIONS; ++s) {
                *blend_of(&tubes[i], s) = 0.8f;
                const GtSectionDef* section = &gt_character_def(tubes[i].character)->sections[s];
                *pose_of(&tubes[i], s, 0) = i ? 0.0f : 1.5f;
                for (int32_t k = 0; i && k < gt_lattice_point_count(&section->lattice); ++k) {
                    offsets_of(&tubes[i], s)[k] = gt_vec3_scale(section->poses[0].offsets[k], 1.5f);
                }
            }
        }
        for (int level = GT_SIMD_SCALAR; level <= (int)gt_simd_level_supported(); ++level) {
            gt_simd_level_set((GtSimdLevel)level);
            deform_tube(&tubes[0]);
            deform_tube(&tubes[1]);
            memset(alone, 0xCD, sizeof alone);
            gt_instance_deform(tubes[0].instance, 0, alone, NULL, NULL);
            for (int32_t v = 0; v < TUBE_VERTICES; ++v) {
                assert_true(distance(tubes[0].out_positions[v], tubes[1].out_positions[v]) <= 2e-6f);
                assert_true(distance(alone[v], tubes[1].out_positions[v]) <= 2e-6f);
                assert_true(distance(tubes[0].out_normals[v], tubes[1].out_normals[v]) <= 1e-4f);
                GtVec3 tangent = tangent_of(tubes[0].out_tangents, v);
                assert_true(distance(tangent, tangent_of(tubes[1].out_tangents, v)) <= 1e-4f);
            }
        }
        destroy_tube(&tubes[0]);
        destroy_tube(&tubes[1]);
    }
    gt_simd_level_set(gt_simd_level_supported());
}

// A tube in the middle of which a lattice stands free, askew; border 0: it ends at once
static void create_post(Tube* tube, float border, bool cubic)
{
    tube_fill_rings(tube, TUBE_RINGS);
    tube_describe(tube, GT_SKIN_LINEAR);
    GtSectionDef* section = &tube->sections[0];
    *section = gt_default_section_def();
    section->border = border;
    section->rest_blend = 0.7f;
    section->lattice.space_from_box =
        (GtMat34){ { { 1, 0.2f, 0, -0.5f }, { 0, 0.8f, 0.1f, 0.6f }, { 0, 0, 1, -0.5f } } };
    section->lattice.basis = cubic ? GT_LATTICE_BEZIER : GT_LATTICE_B_SPLINE;
    section->lattice.counts[1] = cubic ? 4 : 5;
    tube->def.section_count = 1;
    tube->def.sections = tube->sections;
    tube_finish(tube);
    bend_tube(tube, 0.5f);
    uint64_t random = 9;
    for (int32_t i = 0; i < gt_lattice_point_count(&section->lattice); ++i) {
        offsets_of(tube, 0)[i] = ref_random_vec3(&random, 0.1);
    }
}

static void test_free_sections_agree(void** state)
{
    (void)state;
    static Tube tubes[2]; // plain C, and another level
    for (int n = 0; n < 4; ++n) {
        create_post(&tubes[0], n & 1 ? 0.0f : 0.2f, n & 2);
        create_post(&tubes[1], n & 1 ? 0.0f : 0.2f, n & 2);
        expect_levels_agree(tubes, 2e-6f, 1e-5f);
        destroy_tube(&tubes[0]);
        destroy_tube(&tubes[1]);
    }
}

// Sections that have only begun to be felt leave positions and shading where the skin alone has them, though they blend
// it themselves.
static void test_a_trace_of_a_section_is_nearly_the_skin(void** state)
{
    (void)state;
    static Tube plain;
    static Tube tube;
    for (int n = 0; n < 2; ++n) {
        for (int level = GT_SIMD_SCALAR; level <= (int)gt_simd_level_supported(); ++level) {
            gt_simd_level_set((GtSimdLevel)level);
            create_tube(&plain, methods[n], 0);
            create_tube(&tube, methods[n], TUBE_SECTIONS);
            bend_tube(&plain, 1.1f);
            bend_tube(&tube, 1.1f);
            bulge_tube(&tube, 5, 0.05f);
            for (int32_t s = 0; s < TUBE_SECTIONS; ++s) {
                *blend_of(&tube, s) = 1e-6f;
            }
            deform_tube(&plain);
            deform_tube(&tube);
            for (int32_t v = 0; v < TUBE_VERTICES; ++v) {
                assert_true(distance(plain.out_positions[v], tube.out_positions[v]) <= 2e-6f);
                assert_true(distance(plain.out_normals[v], tube.out_normals[v]) <= 1e-5f);
                GtVec3 tangent = tangent_of(plain.out_tangents, v);
                assert_true(distance(tangent, tangent_of(tube.out_tangents, v)) <= 1e-5f);
            }
            destroy_tube(&plain);
            destroy_tube(&tube);
        }
    }
}

enum {
    PATCH_VERTICES = 150, // four stretches and a short one
    PATCH_JOINTS = 40,
    PATCH_INFLUENCES = 7
};

// Vertices at random in the box of one section, hanging on joints at random.
typedef struct Patch {
    GtVec3 positions[PATCH_VERTICES];
    GtVec3 normals[PATCH_VERTICES];
    uint16_t joints[PATCH_VERTICES * PATCH_INFLUENCES];
    float weights[PATCH_VERTICES * PATCH_INFLUENCES];
    uint32_t held[PATCH_VERTICES];
    float masks[PATCH_VERTICES];
    GtVec3 gradients[PATCH_VERTICES];
    GtVec3 out_positions[2][PATCH_VERTICES]; // with normals and without
    GtVec3 out_normals[PATCH_VERTICES];
    GtCharacter* character;
    GtInstance* instance;
} Patch;

// loose: a vertex that the section leaves alone, or none of them
static void create_patch(Patch* patch, int32_t influence_count, int32_t joint_count, uint32_t loose)
{
    static int32_t nodes[PATCH_JOINTS];
    static int32_t parents[PATCH_JOINTS];
    static GtTransform rest[PATCH_JOINTS];
    static GtMat34 joint_from_mesh[PATCH_JOINTS];
    uint64_t random = 11;
    for (int i = 0; i < PATCH_JOINTS; ++i) {
        nodes[i] = i;
        parents[i] = GT_NONE;
        rest[i] = gt_transform_identity();
        joint_from_mesh[i] = gt_mat34_identity();
    }
    GtSectionBindDef bind = { 0, 0, patch->held, patch->masks, patch->gradients };
    for (int32_t v = 0; v < PATCH_VERTICES; ++v) {
        patch->positions[v] = gt_vec3_add(ref_random_vec3(&random, 0.5), gt_vec3(0.5f, 0.5f, 0.5f));
        patch->normals[v] = gti_unit(ref_random_vec3(&random, 1.0));
        float sum = 0.0f;
        for (int32_t k = 0; k < influence_count; ++k) {
            int32_t at = v * influence_count + k;
            patch->joints[at] = (uint16_t)(fabs(ref_random(&random)) * joint_count * 0.999);
            patch->weights[at] = k == 3 ? 0.0f : 0.1f + (float)fabs(ref_random(&random));
            sum += patch->weights[at];
        }
        for (int32_t k = 0; k < influence_count; ++k) {
            patch->weights[v * influence_count + k] /= sum;
        }
        if ((uint32_t)v != loose) {
            patch->held[bind.entry_count] = (uint32_t)v;
            patch->masks[bind.entry_count] = (float)fabs(ref_random(&random));
            patch->gradients[bind.entry_count++] = ref_random_vec3(&random, 1.0);
        }
    }
    GtSectionDef section = gt_default_section_def();
    section.node = 0;
    GtSkinDef skin = { nodes, PATCH_JOINTS, joint_from_mesh };
    GtMeshDef mesh = { .vertex_count = PATCH_VERTICES,
                       .positions = patch->positions,
                       .normals = patch->normals,
                       .influence_count = influence_count,
                       .joints = patch->joints,
                       .weights = patch->weights,
                       .section_binds = &bind,
                       .section_bind_count = 1 };
    GtCharacterDef def = gt_default_character_def();
    def.node_count = PATCH_JOINTS;
    def.parents = parents;
    def.rest = rest;
    def.skin_count = 1;
    def.skins = &skin;
    def.mesh_count = 1;
    def.meshes = &mesh;
    def.section_count = 1;
    def.sections = &section;
    GtError error;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &patch->character, &error));
    GT_EXPECT_OK(gt_instance_create(gt_default_allocator(), patch->character, &patch->instance, &error));
    for (int i = 0; i < PATCH_JOINTS; ++i) {
        GtVec3 axis = gti_unit(ref_random_vec3(&random, 1.0));
        patch->instance->pose[i].rotation = gt_quat_from_axis_angle(axis, (float)ref_random(&random));
        patch->instance->pose[i].translation = ref_random_vec3(&random, 0.3);
    }
    for (int32_t i = 1; i < gt_section_value_count(patch->character); ++i) {
        patch->instance->section_values[i] = 0.1f * (float)ref_random(&random);
    }
    gt_instance_update(patch->instance);
}

static void deform_patch(Patch* patch, GtSimdLevel level)
{
    gt_simd_level_set(level);
    memset(patch->out_positions, 0xCD, sizeof patch->out_positions);
    memset(patch->out_normals, 0xCD, sizeof patch->out_normals);
    gt_instance_deform(patch->instance, 0, patch->out_positions[0], patch->out_normals, NULL);
    gt_instance_deform(patch->instance, 0, patch->out_positions[1], NULL, NULL);
}

// However many influences and joints there are, and whether or not some vertices are left to the skin.
static void test_any_skin_is_blended(void** state)
{
    (void)state;
    static const int32_t influences[] = { 1, 4, PATCH_INFLUENCES };
    static const int32_t joints[] = { 3, PATCH_JOINTS }; // few for sixteen vertices, and too many
    for (int n = 0; n < 12; ++n) {
        static Patch patches[2]; // plain C, and another level
        for (int i = 0; i < 2; ++i) {
            create_patch(&patches[i], influences[n % 3], joints[n / 3 % 2], n < 6 ? PATCH_VERTICES : 70);
        }
        deform_patch(&patches[0], GT_SIMD_SCALAR);
        for (int level = GT_SIMD_SCALAR; level <= (int)gt_simd_level_supported(); ++level) {
            deform_patch(&patches[1], (GtSimdLevel)level);
            for (int32_t v = 0; v < PATCH_VERTICES; ++v) {
                const GtVec3* wanted = &patches[0].out_positions[0][v];
                assert_true(gt_vec3_length(*wanted) < 10.0f); // it was written
                assert_true(distance(*wanted, patches[1].out_positions[0][v]) <= 2e-6f);
                assert_true(distance(*wanted, patches[1].out_positions[1][v]) <= 2e-6f);
                assert_true(distance(patches[0].out_normals[v], patches[1].out_normals[v]) <= 1e-4f);
            }
        }
        for (int i = 0; i < 2; ++i) {
            gt_instance_destroy(patches[i].instance);
            gt_character_destroy(patches[i].character);
        }
    }
    gt_simd_level_set(gt_simd_level_supported());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_of_a_lattice),
        cmocka_unit_test(test_levels_agree),
        cmocka_unit_test(test_poses_are_their_offsets),
        cmocka_unit_test(test_free_sections_agree),
        cmocka_unit_test(test_a_trace_of_a_section_is_nearly_the_skin),
        cmocka_unit_test(test_any_skin_is_blended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

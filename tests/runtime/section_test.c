// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Sections on a bending tube: what b does at its ends, what a joint carries, normals against the deformed surface
// itself, borders against the skin's own smoothness, frames against their neighbours.

#include "gertie/track.h"

#include "runtime/character.h"
#include "runtime/curves.h"
#include "runtime/tube.h"

#include <stdlib.h>

static const GtSkinMethod methods[] = { GT_SKIN_LINEAR, GT_SKIN_DUAL_QUATERNION, GT_SKIN_BULGE_FREE };

static float distance(GtVec3 a, GtVec3 b)
{
    return gt_vec3_length(gt_vec3_sub(a, b));
}

static void test_nothing_of_a_section_is_the_skin(void** state)
{
    (void)state;
    for (size_t n = 0; n < sizeof methods / sizeof *methods; ++n) {
        Tube plain;
        Tube tube;
        create_tube(&plain, methods[n], 0);
        create_tube(&tube, methods[n], TUBE_SECTIONS);
        bend_tube(&plain, 1.9f);
        bend_tube(&tube, 1.9f);
        for (int32_t i = 0; i < TUBE_SECTIONS; ++i) {
            *blend_of(&tube, i) = i == 0 ? 0.0f : -0.5f; // below 0 is 0
            offsets_of(&tube, i)[21] = gt_vec3(0.3f, 0.2f, 0.1f);
        }
        deform_tube(&plain);
        deform_tube(&tube);
        assert_memory_equal(plain.out_positions, tube.out_positions, sizeof(GtVec3) * TUBE_VERTICES);
        assert_memory_equal(plain.out_normals, tube.out_normals, sizeof(GtVec3) * TUBE_VERTICES);
        assert_memory_equal(plain.out_tangents, tube.out_tangents, 4 * sizeof(float) * TUBE_VERTICES);
        destroy_tube(&plain);
        destroy_tube(&tube);
    }
}

// With its lattice at rest a section moves with its joint, whatever the skin does.
static void test_at_rest_a_section_is_rigid(void** state)
{
    (void)state;
    for (size_t n = 0; n < sizeof methods / sizeof *methods; ++n) {
        Tube tube;
        create_tube(&tube, methods[n], TUBE_SECTIONS);
        bend_tube(&tube, 2.0f);
        *blend_of(&tube, 1) = 7.0f; // above 1 is 1
        deform_tube(&tube);
        int whole = 0;
        const GtSectionBindDef* bind = &tube.binds[1];
        const GtMat34* model = &tube.instance->model_from_node[2];
        for (int32_t i = 0; i < bind->entry_count; ++i) {
            uint32_t v = bind->vertices[i];
            GtVec3 at = gt_mat34_point(&tube.joint_from_mesh[1], tube.positions[v]);
            if (bind->masks[i] == 1.0f) {
                GtVec3 wanted = gt_mat34_point(model, at);
                assert_true(distance(tube.out_positions[v], wanted) <= 1e-6f);
                GtVec3 normal = gt_mat34_normal(model, tube.normals[v]);
                assert_true(distance(tube.out_normals[v], normal) <= 2e-6f);
                ++whole;
            }
        }
        assert_true(whole > 100);
        destroy_tube(&tube);
    }
}

// Normals and tangents by differences of the formula itself, with the skin's own derivative: a vertex of the tube and
// two beside it, so close that the surface between them is flat, hang on the same joints with the same weights.
static void test_normals_follow_the_surface(void** state)
{
    (void)state;
    for (size_t n = 0; n < sizeof methods / sizeof *methods; ++n) {
        for (int round = 0; round < 4; ++round) {
            Tube tube;
            create_triple_tube(&tube, methods[n]);
            bend_tube(&tube, 1.2f);
            for (int32_t s = 0; s < TUBE_SECTIONS; ++s) {
                *blend_of(&tube, s) = 0.25f + 0.25f * (float)round;
            }
            bulge_tube(&tube, 7 + (uint64_t)round, 0.03f);
            deform_tube(&tube);
            int inside_out = 0;
            for (int32_t v = 0; v < TUBE_VERTICES; v += 3) {
                GtVec3 along = gt_vec3_sub(tube.out_positions[v + 1], tube.out_positions[v]);
                GtVec3 around = gt_vec3_sub(tube.out_positions[v + 2], tube.out_positions[v]);
                GtVec3 normal = gti_unit(gt_vec3_cross(along, around));
                GtVec3 tangent = gti_unit(around);
                if (gt_vec3_dot(normal, tube.out_normals[v]) < 0.0f) { // normals stay outside where space is folded
                    normal = gt_vec3_scale(normal, -1.0f);
                    ++inside_out;
                }
                // Bulge-free skins give normals as if vertices were not pulled in, also where no section is felt.
                float most = methods[n] == GT_SKIN_BULGE_FREE ? 0.5f : 0.01f;
                if (!(distance(normal, tube.out_normals[v]) <= most)) {
                    fail_msg("method %d, round %d, vertex %d: normal %g off", (int)methods[n], round, v,
                             (double)distance(normal, tube.out_normals[v]));
                }
                assert_true(distance(tangent, tangent_of(tube.out_tangents, v)) <= most);
            }
            assert_true(inside_out <= TUBE_VERTICES / 3 / 100);
            destroy_tube(&tube);
        }
    }
}

// Largest second difference along the tube.
static double roughness(const GtVec3* all)
{
    double most = 0.0;
    for (int32_t v = TUBE_AROUND; v + TUBE_AROUND < TUBE_VERTICES; ++v) {
        GtVec3 mean = gt_vec3_scale(gt_vec3_add(all[v - TUBE_AROUND], all[v + TUBE_AROUND]), 0.5f);
        most = fmax(most, 2.0 * (double)distance(mean, all[v]));
    }
    return most;
}

// Normals of the surface as its vertices are, which skins only guess at where their weights change.
static void find_normals(const GtVec3* positions, GtVec3* out)
{
    for (int32_t v = 0; v < TUBE_VERTICES; ++v) {
        int32_t ring = v / TUBE_AROUND;
        int32_t above = ring + 1 < TUBE_RINGS ? v + TUBE_AROUND : v;
        int32_t below = ring > 0 ? v - TUBE_AROUND : v;
        int32_t left = ring * TUBE_AROUND + (v + TUBE_AROUND - 1) % TUBE_AROUND;
        int32_t right = ring * TUBE_AROUND + (v + 1) % TUBE_AROUND;
        out[v] = gti_unit(gt_vec3_cross(gt_vec3_sub(positions[above], positions[below]),
                                        gt_vec3_sub(positions[right], positions[left])));
    }
}

static void test_borders_are_smooth(void** state)
{
    (void)state;
    for (int n = 0; n < 2; ++n) {
        Tube plain;
        Tube tube;
        create_tube(&plain, methods[n], 0);
        create_tube(&tube, methods[n], TUBE_SECTIONS);
        bend_tube(&plain, 1.0f);
        bend_tube(&tube, 1.0f);
        deform_tube(&plain);
        static GtVec3 normals[TUBE_VERTICES];
        find_normals(plain.out_positions, normals);
        double before[2] = { roughness(plain.out_positions), roughness(normals) };
        static const float blends[] = { 0.0f, 0.25f, 0.5f, 1.0f };
        for (int k = 0; k < 4; ++k) {
            for (int32_t s = 0; s < TUBE_SECTIONS; ++s) {
                *blend_of(&tube, s) = blends[k];
                *pose_of(&tube, s, 0) = 1.0f;
            }
            deform_tube(&tube);
            double after[2] = { roughness(tube.out_positions), roughness(tube.out_normals) };
            if (!(after[0] <= 2.0 * before[0] && after[1] <= 2.0 * before[1])) {
                fail_msg("method %d, b %g: second differences %g and %g, of the skin %g and %g", n, (double)blends[k],
                         after[0], after[1], before[0], before[1]);
            }
        }
        destroy_tube(&plain);
        destroy_tube(&tube);
    }
}

// Poses and section values that go smoothly through time.
static void key_tube(Tube* tube, double time_s, uint64_t seed)
{
    uint64_t random = seed;
    bend_tube(tube, (float)(1.0 + sin(time_s * (1.0 + ref_random(&random)))));
    for (int32_t s = 0; s < TUBE_SECTIONS; ++s) {
        *blend_of(tube, s) = (float)(0.5 + 0.7 * sin(time_s * (2.0 + ref_random(&random)))); // also beyond its ends
        for (int32_t i = 0; i < TUBE_POSES; ++i) {
            *pose_of(tube, s, i) = (float)sin(time_s + 3.0 * ref_random(&random));
        }
        for (int32_t i = 0; i < gt_lattice_point_count(&tube->sections[s].lattice); ++i) {
            GtVec3 way = ref_random_vec3(&random, 0.05);
            offsets_of(tube, s)[i] = gt_vec3_scale(way, (float)sin(2.0 * time_s));
        }
    }
}

static void test_nothing_pops_over_random_keys(void** state)
{
    (void)state;
    const double step_s = 1e-3;
    Tube tubes[2];
    create_coarse_tube(&tubes[0], GT_SKIN_LINEAR);
    create_coarse_tube(&tubes[1], GT_SKIN_DUAL_QUATERNION);
    uint64_t random = 51;
    for (int n = 0; n < 1000; ++n) {
        Tube* tube = &tubes[n % 2];
        double time_s = 10.0 * (1.0 + ref_random(&random));
        uint64_t seed = (uint64_t)n / 20 + 1;
        GtVec3 out[2][TUBE_AROUND * TUBE_COARSE_RINGS];
        for (int i = 0; i < 2; ++i) {
            key_tube(tube, time_s + i * step_s, seed);
            gt_instance_update(tube->instance);
            gt_instance_deform(tube->instance, 0, out[i], NULL, NULL);
        }
        for (int32_t v = 0; v < tube->vertex_count; ++v) {
            // Two limbs of a metre that turn by 2 rad/s, and lattices that move by 3 limbs a second.
            float most = (float)(8.0 * step_s);
            if (!(distance(out[0][v], out[1][v]) <= most)) {
                fail_msg("pose %d, vertex %d: %g in %g s", n, v, (double)distance(out[0][v], out[1][v]), step_s);
            }
        }
    }
    destroy_tube(&tubes[0]);
    destroy_tube(&tubes[1]);
}

// Morphs come first: a vertex is deformed from where they put it.
static void test_sections_see_morphs(void** state)
{
    (void)state;
    Tube moved;
    Tube tube;
    create_tube(&tube, GT_SKIN_LINEAR, TUBE_SECTIONS);
    create_tube(&moved, GT_SKIN_LINEAR, TUBE_SECTIONS);
    gt_instance_destroy(moved.instance);
    gt_character_destroy(moved.character);
    for (int32_t v = 0; v < TUBE_VERTICES; ++v) { // modelled as the other is morphed
        moved.positions[v] = gt_vec3_add(moved.positions[v], gt_vec3_scale(tube.morph_moves[v], 0.5f));
        moved.normals[v] = gt_vec3_add(moved.normals[v], gt_vec3_scale(tube.morph_moves[v], 0.5f));
    }
    tube_finish(&moved);
    bend_tube(&tube, 1.0f);
    bend_tube(&moved, 1.0f);
    bulge_tube(&tube, 3, 0.05f);
    bulge_tube(&moved, 3, 0.05f);
    tube.instance->weights[0] = 0.5f;
    deform_tube(&tube);
    deform_tube(&moved);
    for (int32_t v = 0; v < TUBE_VERTICES; ++v) {
        assert_true(distance(tube.out_positions[v], moved.out_positions[v]) <= 1e-6f);
        assert_true(distance(tube.out_normals[v], moved.out_normals[v]) <= 1e-5f);
    }
    destroy_tube(&tube);
    destroy_tube(&moved);
}

static const GtVec3 raised_by = { 1.0f, 2.0f, 3.0f };

// The tube's morph at 0.5, as a deformer in rest space.
static void breathe(const GtiDeformStep* step)
{
    const GtVec3* moves = step->mesh->morphs[0].positions;
    for (int32_t v = 0; v < step->mesh->vertex_count; ++v) {
        GtVec3 half = gt_vec3_scale(moves[v], 0.5f);
        step->out.positions[v] = gt_vec3_add(step->in.positions[v], half);
        step->out.normals[v] = gt_vec3_add(step->in.normals[v], half);
        memmove(&step->out.tangents[4 * v], &step->in.tangents[4 * v], 4 * sizeof(float));
    }
}

static void lift(const GtiDeformStep* step)
{
    for (int32_t v = 0; v < step->mesh->vertex_count; ++v) {
        step->out.positions[v] = gt_vec3_add(step->in.positions[v], raised_by);
    }
}

// A stack may hold deformers that sections know nothing of, before the skin and after them.
static void test_sections_work_beside_any_deformer(void** state)
{
    (void)state;
    static const GtiDeformer breath = { .name = "breath", .apply = breathe };
    static const GtiDeformer raised = {
        .name = "raised", .input = GTI_SPACE_MODEL, .output = GTI_SPACE_MODEL, .apply = lift
    };
    const GtiDeformer* const skins[] = { &gti_skin_linear, &gti_skin_dual_quat, &gti_skin_bulge_free };
    for (size_t n = 0; n < sizeof methods / sizeof *methods; ++n) {
        Tube morphed;
        Tube tube;
        create_tube(&morphed, methods[n], TUBE_SECTIONS);
        create_tube(&tube, methods[n], TUBE_SECTIONS);
        GtiStack* stack = &tube.character->stacks[0];
        *stack = (GtiStack){ .steps = { &breath, skins[n], &gti_sections, &raised }, .count = 4 };
        gti_stack_find_scratch(&tube.character->def, &tube.character->def.meshes[0], stack);
        bend_tube(&morphed, 1.0f);
        bend_tube(&tube, 1.0f);
        bulge_tube(&morphed, 3, 0.05f);
        bulge_tube(&tube, 3, 0.05f);
        morphed.instance->weights[0] = 0.5f;
        deform_tube(&morphed);
        gt_instance_update(tube.instance);
        void* scratch = aligned_alloc(16, (stack->scratch_size + 15) / 16 * 16);
        assert_non_null(scratch);
        gt_deform(&(GtDeformJob){
            .character = tube.character,
            .model_from_node = tube.instance->model_from_node,
            .weights = tube.instance->weights,
            .section_values = tube.instance->section_values,
            .out_positions = tube.out_positions,
            .out_normals = tube.out_normals,
            .out_tangents = tube.out_tangents,
            .scratch = scratch,
        });
        for (int32_t v = 0; v < TUBE_VERTICES; ++v) {
            GtVec3 wanted = gt_vec3_add(morphed.out_positions[v], raised_by);
            assert_memory_equal(&tube.out_positions[v], &wanted, sizeof wanted);
        }
        assert_memory_equal(tube.out_normals, morphed.out_normals, sizeof morphed.out_normals);
        assert_memory_equal(tube.out_tangents, morphed.out_tangents, sizeof morphed.out_tangents);
        free(scratch);
        destroy_tube(&morphed);
        destroy_tube(&tube);
    }
}

// A lattice that stands free is what gt_lattice_apply() does to model space, where its border has not begun.
static void test_free_sections_deform_what_passes(void** state)
{
    (void)state;
    Tube tube;
    tube_fill_rings(&tube, TUBE_RINGS);
    tube_describe(&tube, GT_SKIN_LINEAR);
    GtSectionDef* section = &tube.sections[0];
    *section = gt_default_section_def();
    section->name = "post";
    section->border = 0.2f;
    section->lattice.space_from_box = (GtMat34){ { { 1, 0, 0, -0.5f }, { 0, 1, 0, 0.6f }, { 0, 0, 1, -0.5f } } };
    tube.def.section_count = 1;
    tube.def.sections = tube.sections;
    tube_finish(&tube);
    bend_tube(&tube, 0.5f);
    deform_tube(&tube);
    static GtVec3 before[TUBE_VERTICES];
    memcpy(before, tube.out_positions, sizeof before);
    uint64_t random = 9;
    GtVec3 points[64];
    for (int32_t i = 0; i < 64; ++i) {
        offsets_of(&tube, 0)[i] = ref_random_vec3(&random, 0.1);
    }
    gt_section_points(tube.character, 0, tube.instance->section_values, points);
    deform_tube(&tube);
    int inside = 0;
    int outside = 0;
    for (int32_t v = 0; v < TUBE_VERTICES; ++v) {
        GtVec3 p = gt_vec3_sub(before[v], gt_vec3(-0.5f, 0.6f, -0.5f));
        float depth = fminf(fminf(fminf(p.x, 1.0f - p.x), fminf(p.y, 1.0f - p.y)), fminf(p.z, 1.0f - p.z));
        if (depth >= 0.2f) {
            GtVec3 wanted;
            float jacobian[9];
            gt_lattice_apply(&section->lattice, points, 1, &before[v], &wanted, jacobian);
            assert_true(distance(wanted, tube.out_positions[v]) <= 2e-6f);
            ++inside;
        } else if (depth <= 0.0f) {
            assert_memory_equal(&before[v], &tube.out_positions[v], sizeof(GtVec3));
            ++outside;
        }
    }
    assert_true(inside > 100 && outside > 100);
    destroy_tube(&tube);
}

static void test_values_have_their_places(void** state)
{
    (void)state;
    Tube tube;
    create_tube(&tube, GT_SKIN_LINEAR, TUBE_SECTIONS);
    int32_t count = 0;
    for (int32_t s = 0; s < TUBE_SECTIONS; ++s) {
        assert_int_equal(gt_section_first_value(tube.character, s), count);
        assert_int_equal(gt_section_find(tube.character, tube.sections[s].name), s);
        count += 1 + TUBE_POSES + 3 * gt_lattice_point_count(&tube.sections[s].lattice);
    }
    assert_int_equal(gt_section_value_count(tube.character), count);
    assert_int_equal(gt_section_find(tube.character, "nobody"), GT_NONE);
    *pose_of(&tube, 1, 0) = 0.5f;
    offsets_of(&tube, 1)[3] = gt_vec3(1, 2, 3);
    GtVec3 rest[512];
    GtVec3 points[512];
    gt_lattice_rest(&tube.sections[1].lattice, rest);
    gt_section_points(tube.character, 1, tube.instance->section_values, points);
    GtVec3 pose = tube.sections[1].poses[0].offsets[3];
    GT_EXPECT_NEAR(points[3].x, rest[3].x + 0.5f * pose.x + 1.0f, 1e-6);
    GT_EXPECT_NEAR(points[3].y, rest[3].y + 0.5f * pose.y + 2.0f, 1e-6);
    GT_EXPECT_NEAR(points[3].z, rest[3].z + 0.5f * pose.z + 3.0f, 1e-6);
    gt_instance_reset(tube.instance);
    assert_true(*pose_of(&tube, 1, 0) == 0.0f && *blend_of(&tube, 1) == 1.0f);
    destroy_tube(&tube);
}

static GtResult create_tracks(const Tube* tube, const GtTrackBinding* tracks, int32_t count, GtTrackSet** out,
                              GtError* error)
{
    GtTrackSetDef def = gt_default_track_set_def();
    def.character = tube->character;
    def.tracks = tracks;
    def.track_count = count;
    return gt_track_set_create(gt_default_allocator(), &def, out, error);
}

// b, poses and points, by formulas and by curves over an angle.
static void test_tracks_drive_sections(void** state)
{
    (void)state;
    static const float angles[2] = { 0.0f, 1.6f };
    static const float line[2] = { 0.0f, 8.0f };
    static const float vectors[6] = { 1, 2, 3, 3, 4, 5 };
    Tube tube;
    create_tube(&tube, GT_SKIN_LINEAR, TUBE_SECTIONS);
    GtCurve* number = make_numbers(GT_LAW_LINEAR, 2, angles, line);
    GtCurveDef vector_def = numbers_def(GT_LAW_LINEAR, 2, angles, vectors);
    vector_def.component_count = 3;
    GtCurve* vector = make_curve(&vector_def);
    const GtTrackBinding tracks[] = {
        { .channel = "section:upper.b", .formula = "0.25 * t" },
        { .channel = "lattice:upper.flex", .curve = number, .input = "lowerArm.angle" },
        { .channel = "lattice:lower.point[1,2,0]", .curve = vector, .input = "lowerArm.angle * 0" },
        { .channel = "lattice:lower.point[3,5,3].y", .formula = "lattice:upper.flex + section:upper.b" },
        { .channel = "lattice:biceps.flex", .curve = number, .input = "1 / (t - t)" }, // nowhere: left as it is
    };
    GtTrackSet* set = NULL;
    GtError error;
    GT_EXPECT_OK(create_tracks(&tube, tracks, 5, &set, &error));
    bend_tube(&tube, 0.4f);
    *pose_of(&tube, 2, 0) = 0.125f;
    gt_track_set_apply(set, 2.0,
                       (GtState){ .pose = tube.instance->pose, .section_values = tube.instance->section_values });
    GT_EXPECT_NEAR(*blend_of(&tube, 0), 0.5, 1e-6);
    GT_EXPECT_NEAR(*pose_of(&tube, 0, 0), 2.0, 1e-5);
    const GtLatticeDef* lattice = &tube.sections[1].lattice;
    GtVec3 point = offsets_of(&tube, 1)[gt_lattice_index(lattice, 1, 2, 0)];
    assert_true(point.x == 1.0f && point.y == 2.0f && point.z == 3.0f);
    point = offsets_of(&tube, 1)[gt_lattice_index(lattice, 3, 5, 3)];
    GT_EXPECT_NEAR(point.y, 2.5, 1e-5);
    assert_true(point.x == 0.0f && point.z == 0.0f);
    assert_true(*pose_of(&tube, 2, 0) == 0.125f);
    gt_track_set_destroy(set);
    const struct {
        GtTrackBinding track;
        GtResult code;
        const char* says;
    } cases[] = {
        { { .channel = "section:nobody.b", .formula = "1" }, GT_ERROR_NOT_FOUND, "no channel 'section:nobody.b'" },
        { { .channel = "section:upper.c", .formula = "1" }, GT_ERROR_NOT_FOUND, "no channel" },
        { { .channel = "lattice:upper.b", .formula = "1" }, GT_ERROR_NOT_FOUND, "no channel" },
        { { .channel = "lattice:upper.point[4,0,0].x", .formula = "1" }, GT_ERROR_NOT_FOUND, "no channel" },
        { { .channel = "lattice:upper.point[0,0]", .formula = "1" }, GT_ERROR_NOT_FOUND, "no channel" },
        { { .channel = "lattice:upper.point[0,99999999999,0].x", .formula = "1" }, GT_ERROR_NOT_FOUND, "no channel" },
        { { .channel = "lattice:upper.point[0,0,0].w", .formula = "1" }, GT_ERROR_NOT_FOUND, "no channel" },
        { { .channel = "lattice:upper.point[0,0,0]", .formula = "1" }, GT_ERROR_BAD_VALUE, "the channel has 3" },
        { { .channel = "lowerArm.angle", .formula = "1" }, GT_ERROR_BAD_VALUE, "read, not driven" },
        { { .channel = "section:upper.b", .formula = "1", .input = "t" }, GT_ERROR_BAD_VALUE, "goes with a curve" },
        { { .channel = "section:upper.b", .curve = number, .input = "t +" }, GT_ERROR_BAD_VALUE, "ends too early" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        GT_EXPECT_ERROR(create_tracks(&tube, &cases[i].track, 1, &set, &error), cases[i].code, cases[i].says);
    }
    gt_curve_destroy(number);
    gt_curve_destroy(vector);
    destroy_tube(&tube);
}

static void expect_refused(Tube* tube, const char* text)
{
    GtError error;
    GtCharacter* character = NULL;
    GT_EXPECT_ERROR(gt_character_create(gt_default_allocator(), &tube->def, &character, &error), GT_ERROR_BAD_VALUE,
                    text);
    assert_null(character);
}

static void test_bad_sections_are_refused(void** state)
{
    (void)state;
    Tube tube;
    create_tube(&tube, GT_SKIN_LINEAR, TUBE_SECTIONS);
    tube.sections[0].node = 99;
    expect_refused(&tube, "is at node 99");
    tube.sections[0].node = 1;
    tube.sections[0].rest_blend = 1.5f;
    expect_refused(&tube, "b at rest is 1.5");
    tube.sections[0].rest_blend = 1.0f;
    tube.sections[1].lattice.counts[2] = 0;
    expect_refused(&tube, "section 1 'lower'");
    tube.sections[1].lattice.counts[2] = 4;
    tube.binds[1].section = 0;
    expect_refused(&tube, "after the one before");
    tube.binds[1].section = TUBE_SECTIONS;
    expect_refused(&tube, "hangs on section");
    tube.binds[1].section = 1;
    float mask = tube.masks[1][40];
    tube.masks[1][40] = 1.25f;
    expect_refused(&tube, "a mask of 1.25");
    tube.masks[1][40] = NAN;
    expect_refused(&tube, "not a finite");
    tube.masks[1][40] = mask;
    tube.deformers[0].kind = GT_DEFORMER_SECTIONS;
    expect_refused(&tube, "deformer 'sections' cannot come first");
    tube.deformers[0].kind = GT_DEFORMER_MORPH;
    tube.bind_vertices[1][1] = tube.bind_vertices[1][0];
    expect_refused(&tube, "not after the one before");
    tube.bind_vertices[1][1] = tube.bind_vertices[1][0] + 1;
    int32_t last = tube.binds[1].entry_count - 1;
    uint32_t vertex = tube.bind_vertices[1][last];
    tube.bind_vertices[1][last] = TUBE_VERTICES;
    expect_refused(&tube, "moves vertex");
    tube.bind_vertices[1][last] = vertex;
    for (int32_t i = 0; i < tube.binds[0].entry_count; ++i) {
        tube.masks[0][i] = 1.0f;
    }
    expect_refused(&tube, "sum to");
    destroy_tube(&tube);
}

// Poses, tracks, springs and vertices of a frame take no memory, on no level of processor.
static void test_frames_allocate_nothing(void** state)
{
    (void)state;
    Tube tube;
    create_tube(&tube, GT_SKIN_LINEAR, TUBE_SECTIONS);
    destroy_tube(&tube);
    TestAllocator counting = { .remaining = -1 };
    GtAllocator allocator = test_allocator(&counting);
    GtError error;
    GT_EXPECT_OK(gt_character_create(allocator, &tube.def, &tube.character, &error));
    GT_EXPECT_OK(gt_instance_create(allocator, tube.character, &tube.instance, &error));
    const GtTrackBinding tracks[] = {
        { .channel = "section:upper.b", .formula = "0.5 + 0.2 * t" },
        { .channel = "lattice:upper.flex", .formula = "lowerArm.angle" },
        { .channel = "lattice:lower.point[1,2,0].x", .formula = "0.1 * t" },
    };
    GtTrackSetDef def = gt_default_track_set_def();
    def.character = tube.character;
    def.tracks = tracks;
    def.track_count = 3;
    GtTrackSet* set = NULL;
    GT_EXPECT_OK(gt_track_set_create(allocator, &def, &set, &error));
    GtJiggleDef jiggle = gt_default_jiggle_def();
    jiggle.section = 2;
    _Alignas(16) static unsigned char springs[1 << 16];
    assert_true(gti_jiggle_state_size(&jiggle, tube.character) <= sizeof springs);
    gti_jiggle_reset(&jiggle, tube.character, springs);
    int64_t made = counting.made;
    counting.remaining = 0;
    for (int n = 0; n < 12; ++n) {
        GtInstance* instance = tube.instance;
        gt_simd_level_set(n % 2 ? gt_simd_level_supported() : GT_SIMD_SCALAR);
        gt_instance_reset(instance);
        bend_tube(&tube, 0.1f * (float)n);
        instance->weights[0] = n % 4 < 2 ? 0.0f : 0.5f;
        gt_track_set_apply(set, 0.1 * n,
                           (GtState){ .pose = instance->pose, .section_values = instance->section_values });
        gt_instance_update(instance);
        step_jiggle(&jiggle, instance, 0.1, springs);
        deform_tube(&tube);
    }
    gt_simd_level_set(gt_simd_level_supported());
    assert_true(offsets_of(&tube, 2)[0].x != 0.0f && *pose_of(&tube, 0, 0) != 0.0f); // they did run
    assert_int_equal(counting.made, made);
    gt_track_set_destroy(set);
    gt_instance_destroy(tube.instance);
    gt_character_destroy(tube.character);
    assert_int_equal(counting.alive, 0);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    Tube tube;
    create_tube(&tube, GT_SKIN_LINEAR, TUBE_SECTIONS);
    GtError error;
    for (int64_t allowed = 0;; ++allowed) {
        TestAllocator failing = { .remaining = allowed };
        GtCharacter* character = NULL;
        GtResult result = gt_character_create(test_allocator(&failing), &tube.def, &character, &error);
        if (result == GT_OK) {
            gt_character_destroy(character);
            assert_int_equal(failing.alive, 0);
            assert_true(allowed > 3);
            break;
        }
        assert_int_equal(result, GT_ERROR_OUT_OF_MEMORY);
        assert_null(character);
        assert_int_equal(failing.alive, 0);
    }
    destroy_tube(&tube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_of_a_section_is_the_skin),
        cmocka_unit_test(test_at_rest_a_section_is_rigid),
        cmocka_unit_test(test_normals_follow_the_surface),
        cmocka_unit_test(test_borders_are_smooth),
        cmocka_unit_test(test_nothing_pops_over_random_keys),
        cmocka_unit_test(test_sections_see_morphs),
        cmocka_unit_test(test_sections_work_beside_any_deformer),
        cmocka_unit_test(test_free_sections_deform_what_passes),
        cmocka_unit_test(test_values_have_their_places),
        cmocka_unit_test(test_tracks_drive_sections),
        cmocka_unit_test(test_bad_sections_are_refused),
        cmocka_unit_test(test_frames_allocate_nothing),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

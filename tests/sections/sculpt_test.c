// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "harmonic/people.h"
#include "support/test.h"

#include "gertie/map.h"
#include "gertie/sculpt.h"

#include "sections/sculpt.h"
#include "sections/section_fit.h"

#include <stdlib.h>

typedef struct Fixture {
    TestLog log;
    GtContext context;
    GtScene* scene; // the built-in person
} Fixture;

static int set_up(void** state)
{
    static Fixture f;
    f.context = test_context(&f.log);
    f.scene = make_person(&f.context, 4000);
    *state = &f;
    return 0;
}

static int tear_down(void** state)
{
    gt_scene_destroy(((Fixture*)*state)->scene);
    return 0;
}

static GtResult parse(const Fixture* f, const char* text, GtSculpt** out, GtError* error)
{
    return gt_sculpt_parse(&f->context, f->scene, text, strlen(text), out, error);
}

static const char arms[] =
    "{\"gertie_deform\":1,\"sections\":["
    "{\"name\":\"upper\",\"joint\":\"leftUpperArm\",\"box\":\"fit\",\"points\":[4,3,2],\"border\":[0.25,0.1,0.2],"
    "\"weights\":{\"1,2,0\":2.5},\"b\":0.5,\"poses\":{\"flex\":{\"1,2,1\":[0.01,0,-0.02]},\"none\":{}}},"
    "{\"name\":\"lower\",\"joint\":\"leftLowerArm\",\"with\":[\"leftHand\"],\"basis\":\"b-spline\"}],"
    "\"lattices\":[{\"name\":\"free\",\"box\":{\"center\":[0,1,0],\"axes\":[[2,0,0],[0,1,0],[0,0,0.5]]},\"b\":0.25}"
    "],"
    "\"shapes\":[{\"name\":\"smile\"}],"
    "\"controls\":[{\"name\":\"strength\",\"rest\":1,\"max\":2}],"
    "\"tracks\":[{\"channel\":\"lattice:upper.flex\",\"input\":\"leftLowerArm.angle_deg\",\"law\":\"kochanek-bartels\","
    "\"keys\":[{\"at\":0,\"value\":0,\"ease\":[0.25,0.5]},{\"at\":120,\"value\":1,\"tension\":0.5}]},"
    "{\"channel\":\"lattice:free.point[0,1,2]\",\"law\":\"bezier\",\"extrapolate\":\"cycle\",\"keys\":["
    "{\"time_s\":0,\"value\":[0,0,0],\"in\":[0,0,0],\"out\":[1,0,0],\"out_time_s\":1.5},{\"time_s\":2,\"value\":[0,1,0]"
    ","
    "\"in\":[0,1,0],\"out\":[0,0,1]}]},"
    "{\"channel\":\"section:lower.b\",\"formula\":\"control:strength / 2\"}],"
    "\"jiggle\":[{\"section\":\"lower\",\"frequency_hz\":4,\"damping\":0.5,\"holds\":{\"0,0,0\":1}}]}";

// What is written reads the same, and is written the same again; boxes that were fitted are boxes now.
static void test_files_come_back(void** state)
{
    const Fixture* f = *state;
    GtError error;
    GtSculpt* sculpt = NULL;
    GtSculpt* again = NULL;
    GtArena arena = gt_arena_create(gt_default_allocator());
    GT_EXPECT_OK(parse(f, arms, &sculpt, &error));
    assert_int_equal(sculpt->section_count, 3);
    const GtSectionDef* upper = &sculpt->sections[0].def;
    assert_int_equal(upper->node, node_of(f->scene, GT_HUMANOID_LEFT_UPPER_ARM));
    assert_int_equal(upper->lattice.counts[1], 3);
    GT_EXPECT_NEAR(upper->lattice.weights[gt_lattice_index(&upper->lattice, 1, 2, 0)], 2.5, 0.0);
    GT_EXPECT_NEAR(upper->lattice.weights[0], 1.0, 0.0);
    GT_EXPECT_NEAR(upper->poses[0].offsets[gt_lattice_index(&upper->lattice, 1, 2, 1)].z, -0.02, 1e-9);
    GT_EXPECT_NEAR(sculpt->sections[0].border[2], 0.2, 1e-7);
    assert_int_equal(sculpt->sections[1].with_nodes[0], node_of(f->scene, GT_HUMANOID_LEFT_HAND));
    assert_int_equal(sculpt->sections[2].def.node, GT_NONE);
    GtVec3 corner = gt_mat34_translation(&sculpt->sections[2].def.lattice.space_from_box);
    GT_EXPECT_NEAR(corner.x, -1.0, 1e-6);
    GT_EXPECT_NEAR(corner.y, 0.5, 1e-6);
    assert_int_equal(sculpt->tracks[0].keys.law, GT_LAW_KOCHANEK_BARTELS);
    GT_EXPECT_NEAR(sculpt->tracks[0].keys.shapes[1].tension, 0.5, 0.0);
    GT_EXPECT_NEAR(sculpt->tracks[0].keys.eases[0].out, 0.5, 0.0);
    assert_int_equal(sculpt->tracks[1].keys.after, GT_EXTRAPOLATE_CYCLE);
    GT_EXPECT_NEAR(sculpt->tracks[1].keys.out[5], 1.0, 0.0);
    assert_string_equal(sculpt->tracks[2].formula, "control:strength / 2");
    GT_EXPECT_NEAR(sculpt->controls[0].max, 2.0, 0.0);
    assert_int_equal(sculpt->jiggles[0].section, 1);
    GT_EXPECT_NEAR(sculpt->jiggles[0].holds[0], 1.0, 0.0);
    const char* text = gti_sculpt_text(sculpt, &arena, 2);
    GT_EXPECT_OK(parse(f, text, &again, &error));
    assert_string_equal(text, gti_sculpt_text(again, &arena, 2));
    assert_null(strstr(text, "fit"));
    gt_sculpt_destroy(sculpt);
    gt_sculpt_destroy(again);
    gt_arena_destroy(&arena);
}

// The box lies along the bone, from its joint to the next, and all that the bone moves is inside its borders.
static void test_boxes_fit(void** state)
{
    const Fixture* f = *state;
    GtError error;
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiSculptBody body;
    GT_EXPECT_OK(gti_sculpt_body_open(&f->context, &arena, f->scene, &body, &error));
    static const struct {
        GtHumanoidJoint joint, next;
        GtVec3 axes[3]; // of the body as it stands
    } limbs[] = {
        { GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_LOWER_ARM, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
        { GT_HUMANOID_RIGHT_LOWER_ARM, GT_HUMANOID_RIGHT_HAND, { { -1, 0, 0 }, { 0, -1, 0 }, { 0, 0, 1 } } },
        { GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_LEFT_LOWER_LEG, { { 0, -1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } } },
    };
    static const float border[3] = { 0.25f, 0.1f, 0.0f };
    for (size_t i = 0; i < sizeof limbs / sizeof limbs[0]; ++i) {
        GtMat34 box;
        float columns[16];
        int32_t node = node_of(f->scene, limbs[i].joint);
        GT_EXPECT_OK(gti_section_fit(&body, &node, 1, border, &box, &error));
        const GtMat34* bind = body.shell->bind;
        GtMat34 model_from_box = gt_mat34_mul(bind[body.figure.joints[limbs[i].joint]], box);
        gt_mat34_to_columns(&model_from_box, columns);
        for (int a = 0; a < 3; ++a) {
            GtVec3 axis = gt_vec3(columns[4 * a], columns[4 * a + 1], columns[4 * a + 2]);
            assert_true(gt_vec3_dot(axis, limbs[i].axes[a]) > 0.85f * gt_vec3_length(axis));
        }
        bool ok = false;
        GtMat34 box_from_model = gt_mat34_inverse(&model_from_box, &ok);
        GtVec3 from = gt_mat34_point(&box_from_model, gt_mat34_translation(&bind[body.figure.joints[limbs[i].joint]]));
        GtVec3 to = gt_mat34_point(&box_from_model, gt_mat34_translation(&bind[body.figure.joints[limbs[i].next]]));
        assert_true(from.x > 0.1f && from.x < 0.4f && to.x > 0.6f && to.x < 0.9f);
        assert_true(from.y > 0.2f && from.y < 0.8f && to.z > 0.2f && to.z < 0.8f);
    }
    gti_sculpt_body_close(&body);
    gt_arena_destroy(&arena);
}

// A box over the arm, however large, takes hold of what the arm moves alone: nothing of the chest; masks never sum to
// more than 1.
static void test_arms_do_not_grip_the_chest(void** state)
{
    const Fixture* f = *state;
    GtError error;
    GtSculpt* sculpt = NULL;
    GtCharacter* character = NULL;
    GtSculptReport report;
    GtBuildDef build = gt_default_build_def();
    static const char text[] =
        "{\"gertie_deform\":1,\"sections\":[{\"name\":\"a\",\"joint\":\"leftUpperArm\",\"border\":0.1,"
        "\"box\":{\"center\":[0,0,0],\"axes\":[[3,0,0],[0,3,0],[0,0,3]]}},"
        "{\"name\":\"b\",\"joint\":\"leftUpperArm\"},{\"name\":\"c\",\"joint\":\"leftLowerArm\"}]}";
    GT_EXPECT_OK(parse(f, text, &sculpt, &error));
    GT_EXPECT_OK(gt_sculpt_character(&f->context, f->scene, sculpt, &build, &character, &report, &error));
    const GtCharacterDef* def = gt_character_def(character);
    assert_int_equal(def->section_count, 3);
    assert_true(report.bound_vertices > 100);
    int32_t arm = gt_character_node_from_source(character, node_of(f->scene, GT_HUMANOID_LEFT_UPPER_ARM));
    int32_t forearm = gt_character_node_from_source(character, node_of(f->scene, GT_HUMANOID_LEFT_LOWER_ARM));
    const GtMeshDef* mesh = &def->meshes[0];
    float* sums = calloc((size_t)mesh->vertex_count, sizeof *sums);
    for (int32_t i = 0; i < mesh->section_bind_count; ++i) {
        const GtSectionBindDef* bind = &mesh->section_binds[i];
        int32_t limb = bind->section < 2 ? arm : forearm;
        for (int32_t e = 0; e < bind->entry_count; ++e) {
            uint32_t v = bind->vertices[e];
            float weight = 0.0f;
            for (int32_t k = 0; k < mesh->influence_count; ++k) {
                size_t at = (size_t)v * (size_t)mesh->influence_count + (size_t)k;
                weight += def->skins[mesh->skin].joints[mesh->joints[at]] == limb ? mesh->weights[at] : 0.0f;
            }
            sums[v] += bind->masks[e];
            assert_true(bind->masks[e] <= weight + 1e-6f);
        }
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        assert_true(sums[v] <= 1.0f + 1e-6f);
    }
    free(sums);
    gt_character_destroy(character);
    gt_sculpt_destroy(sculpt);
}

// The person's mesh with the second half of its triangles cut off: as another primitive, or as a mesh of its own with a
// copy of the skin.
static GtScene* cut_person(const GtContext* context, bool as_mesh)
{
    GtError error;
    GtScene* scene = make_person(context, 2000);
    int32_t halves[2];
    for (int i = 0; i < 2; ++i) {
        GtAccessor half = scene->accessors[scene->meshes[0].primitives[0].indices];
        uint64_t first = half.count / 6 * 3;
        uint64_t size = half.component_type == GT_COMPONENT_UINT16 ? 2 : 4;
        half.offset += i ? first * size : 0;
        half.count = i ? half.count - first : first;
        half.min = half.max = NULL;
        GT_EXPECT_OK(gt_scene_add_accessor(scene, &half, &halves[i], &error));
    }
    GtPrimitive* primitives = gt_scene_push(scene, 2, sizeof *primitives);
    assert_non_null(primitives);
    primitives[0] = primitives[1] = scene->meshes[0].primitives[0];
    primitives[0].indices = halves[0];
    primitives[1].indices = halves[1];
    scene->meshes[0].primitives = primitives;
    scene->meshes[0].primitive_count = as_mesh ? 1 : 2;
    if (as_mesh) {
        GtMesh mesh = scene->meshes[0];
        mesh.primitives = &primitives[1];
        int32_t old = 0;
        while (scene->nodes[old].mesh != 0) {
            ++old;
        }
        GtSkin skin = scene->skins[scene->nodes[old].skin];
        GtNode node = { .name = "half", .parent = GT_NONE, .camera = GT_NONE, .local = gt_transform_identity() };
        int32_t index = 0;
        GT_EXPECT_OK(gt_scene_add_mesh(scene, &mesh, &node.mesh, &error));
        GT_EXPECT_OK(gt_scene_add_skin(scene, &skin, &node.skin, &error));
        GT_EXPECT_OK(gt_scene_add_node(scene, &node, &index, &error));
        GtStage* stage = &scene->stages[0];
        int32_t* roots = gt_scene_push(scene, (size_t)stage->node_count + 1, sizeof *roots);
        assert_non_null(roots);
        memcpy(roots, stage->nodes, (size_t)stage->node_count * sizeof *roots);
        roots[stage->node_count++] = index;
        stage->nodes = roots;
    }
    return scene;
}

static GtCharacter* hold_arms(const GtContext* context, const GtScene* scene)
{
    static const char text[] = "{\"gertie_deform\":1,\"sections\":[{\"name\":\"a\",\"joint\":\"leftUpperArm\"},"
                               "{\"name\":\"b\",\"joint\":\"spine\"}]}";
    GtError error;
    GtSculpt* sculpt = NULL;
    GtCharacter* character = NULL;
    GtBuildDef build = gt_default_build_def();
    GT_EXPECT_OK(gt_sculpt_parse(context, scene, text, strlen(text), &sculpt, &error));
    GT_EXPECT_OK(gt_sculpt_character(context, scene, sculpt, &build, &character, NULL, &error));
    gt_sculpt_destroy(sculpt);
    return character;
}

// The gradient of a section's mask at a vertex of a mesh, or NULL where the section does not hold it.
static const GtVec3* gradient_at(const GtMeshDef* mesh, int32_t section, uint32_t vertex)
{
    for (int32_t i = 0; i < mesh->section_bind_count; ++i) {
        const GtSectionBindDef* bind = &mesh->section_binds[i];
        for (int32_t e = 0; bind->section == section && e < bind->entry_count; ++e) {
            if (bind->vertices[e] == vertex) {
                return &bind->mask_gradients[e];
            }
        }
    }
    return NULL;
}

// However a surface is cut into primitives and meshes, gradients of masks are those of the whole: no seam in normals.
static void test_cuts_leave_gradients(void** state)
{
    const Fixture* f = *state;
    GtScene* plain = make_person(&f->context, 2000);
    GtCharacter* whole = hold_arms(&f->context, plain);
    const GtMeshDef* mesh = &gt_character_def(whole)->meshes[0];
    for (int as_mesh = 0; as_mesh < 2; ++as_mesh) {
        GtScene* scene = cut_person(&f->context, as_mesh);
        GtCharacter* cut = hold_arms(&f->context, scene);
        const GtCharacterDef* def = gt_character_def(cut);
        assert_int_equal(def->mesh_count, 2);
        assert_int_equal(def->meshes[1].vertex_count, mesh->vertex_count);
        int32_t compared = 0;
        for (int32_t i = 0; i < mesh->section_bind_count; ++i) {
            const GtSectionBindDef* bind = &mesh->section_binds[i];
            for (int32_t e = 0; e < bind->entry_count; ++e) {
                for (int m = 0; m < 2; ++m) {
                    const GtVec3* gradient = gradient_at(&def->meshes[m], bind->section, bind->vertices[e]);
                    assert_non_null(gradient);
                    float scale = 1.0f + gt_vec3_length(bind->mask_gradients[e]);
                    assert_true(gt_vec3_length(gt_vec3_sub(*gradient, bind->mask_gradients[e])) < 1e-4f * scale);
                    compared += gt_vec3_length(bind->mask_gradients[e]) > 0.1f;
                }
            }
        }
        assert_true(compared > 100);
        gt_character_destroy(cut);
        gt_scene_destroy(scene);
    }
    gt_character_destroy(whole);
    gt_scene_destroy(plain);
}

static void test_errors_name_the_key(void** state)
{
    Fixture* f = *state;
    static const struct {
        const char* text;
        const char* message;
        GtResult code;
    } cases[] = {
        { "{", "line 1", GT_ERROR_BAD_FILE },
        { "{}", "lacks \"gertie_deform\"", GT_ERROR_BAD_VALUE },
        { "{\"gertie_deform\":2}", "gertie_deform: must be 1", GT_ERROR_BAD_VALUE },
        { "{\"gertie_deform\":1,\"section\":[]}", "section: has no meaning here", GT_ERROR_BAD_VALUE },
        { "{\"gertie_deform\":1,\"sections\":[{\"name\":\"a\",\"joint\":\"leftUperArm\"}]}",
          "sections[0].joint: there is no joint 'leftUperArm'; did you mean 'leftUpperArm'", GT_ERROR_NOT_FOUND },
        { "{\"gertie_deform\":1,\"sections\":[{\"name\":\"a\",\"joint\":\"head\",\"points\":[4,4]}]}",
          "sections[0].points: must have 3 items", GT_ERROR_BAD_VALUE },
        { "{\"gertie_deform\":1,\"sections\":[{\"name\":\"a\",\"joint\":\"head\",\"poses\":{\"x\":{\"4,0,0\":[0,0,0]}"
          "}}]}",
          "sections[0].poses.x[\"4,0,0\"]: names no control point", GT_ERROR_BAD_VALUE },
        { "{\"gertie_deform\":1,\"sections\":[{\"name\":\"a\",\"joint\":\"head\",\"weights\":{\"0,0,0\":0}}]}",
          "must be more than 0", GT_ERROR_BAD_VALUE },
        { "{\"gertie_deform\":1,\"lattices\":[{\"name\":\"a\",\"box\":{\"center\":[0,0,0],\"axes\":[[1,0,0],[0,1,0]"
          ",[1,"
          "1,"
          "0]]}}]}",
          "lattices[0]: section 'a'", GT_ERROR_BAD_VALUE },
        { "{\"gertie_deform\":1,\"sections\":[{\"name\":\"a\",\"joint\":\"head\"},{\"name\":\"a\",\"joint\":\"neck\"}]"
          "}",
          "sections[1]: there is a section 'a' already", GT_ERROR_BAD_VALUE },
        { "{\"gertie_deform\":1,\"tracks\":[{\"channel\":\"x\",\"keys\":[{\"time_s\":1,\"value\":0},{\"time_s\":1,"
          "\"value\":0}]"
          "}]}",
          "tracks[0].keys[1].time_s: must be more", GT_ERROR_BAD_VALUE },
        { "{\"gertie_deform\":1,\"tracks\":[{\"channel\":\"x\",\"input\":\"t\",\"keys\":[{\"at\":1,\"value\":0},{"
          "\"at\":1,\"value\":0}]}]}",
          "tracks[0].keys[1].at: must be more", GT_ERROR_BAD_VALUE },
        { "{\"gertie_deform\":1,\"tracks\":[{\"channel\":\"x\",\"input\":\"t\",\"keys\":[{\"time_s\":1,\"value\":0}]}]"
          "}",
          "tracks[0].keys[0]: lacks \"at\", a value of the input", GT_ERROR_BAD_VALUE },
        { "{\"gertie_deform\":1,\"tracks\":[{\"channel\":\"x\"}]}",
          "tracks[0]: must be an object with channel, input and keys, or one with channel and keys, or one with "
          "channel "
          "and formula",
          GT_ERROR_BAD_VALUE },
        { "{\"gertie_deform\":1,\"tracks\":[{\"channel\":\"x\",\"keys\":[{\"time_s\":1,\"value\":1e99}]}]}",
          "tracks[0].keys[0].value: is beyond what a float holds", GT_ERROR_BAD_VALUE },
        { "{\"gertie_deform\":1,\"tracks\":[{\"channel\":\"x\",\"law\":\"hermite\",\"keys\":[{\"time_s\":1,\"value\":1}"
          "]}]"
          "}",
          "tracks[0].keys[0].in: must be given", GT_ERROR_BAD_VALUE },
        { "{\"gertie_deform\":1,\"tracks\":[{\"channel\":\"x\",\"law\":\"hermite\",\"keys\":[{\"time_s\":1,\"value\":1,"
          "\"in\":0,\"out\":0,\"in_time_s\":1}]}]}",
          "tracks[0].keys[0].in_time_s: must be left out, unless \"law\" is bezier", GT_ERROR_BAD_VALUE },
        { "{\"gertie_deform\":1,\"tracks\":[{\"channel\":\"x\",\"law\":\"bezier\",\"keys\":[{\"time_s\":1,\"value\":1,"
          "\"in\":0,\"out\":0,\"out_time_s\":-1}]}]}",
          "tracks[0].keys[0].out_time_s: must be at least 0", GT_ERROR_BAD_VALUE },
        { "{\"gertie_deform\":1,\"jiggle\":[{\"section\":\"a\"}]}", "jiggle[0].section: there is no section 'a'",
          GT_ERROR_NOT_FOUND },
        { "{\"gertie_deform\":1,\"controls\":[{\"name\":\"a\",\"rest\":2}]}", "controls[0]: control 'a' rests at 2",
          GT_ERROR_BAD_VALUE },
    };
    GtError error;
    GtSculpt* sculpt = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GT_EXPECT_ERROR(parse(f, cases[i].text, &sculpt, &error), cases[i].code, cases[i].message);
        assert_null(sculpt);
    }
}

// Handles with times: the points of the plane curve. Those that have none stay where they are without any. The first
// track has the names of a former version.
static void test_handles_have_times(void** state)
{
    const Fixture* f = *state;
    GtError error;
    GtSculpt* sculpt = NULL;
    static const char text[] =
        "{\"gertie_deform\":1,\"controls\":[{\"name\":\"a\"}],\"tracks\":["
        "{\"channel\":\"control:a\",\"law\":\"bezier\",\"keys\":[{\"at\":1,\"value\":0,\"in\":0,\"out\":0,"
        "\"out_time\":0.84},{\"at\":3,\"value\":1,\"in\":0,\"out\":1,\"in_time\":0.84},"
        "{\"at\":4,\"value\":0,\"in\":2,\"out\":0}]},"
        "{\"channel\":\"control:a\",\"law\":\"bezier\",\"keys\":[{\"time_s\":1,\"value\":0,\"in\":0,\"out\":0},"
        "{\"time_s\":3,\"value\":1,\"in\":0,\"out\":1},{\"time_s\":4,\"value\":0,\"in\":2,\"out\":0}]}]}";
    GT_EXPECT_OK(parse(f, text, &sculpt, &error));
    assert_non_null(sculpt->tracks[0].keys.in_times_s);
    assert_null(sculpt->tracks[1].keys.in_times_s);
    // cubic-bezier(0.42, 0, 0.58, 1) of style sheets; at a quarter of its time, by bisection elsewhere.
    GT_EXPECT_NEAR(gt_curve_number(sculpt->tracks[0].curve, 1.5), 0.1292, 1e-4);
    GT_EXPECT_NEAR(gt_curve_number(sculpt->tracks[0].curve, 2.0), 0.5, 1e-6);
    for (int i = 0; i <= 16; ++i) {
        double t = 3.0 + i / 16.0;
        GT_EXPECT_NEAR(gt_curve_number(sculpt->tracks[0].curve, t), gt_curve_number(sculpt->tracks[1].curve, t), 1e-6);
    }
    gt_sculpt_destroy(sculpt);
}

static void test_warnings_name_what_is_odd(void** state)
{
    Fixture* f = *state;
    GtError error;
    GtSculpt* sculpt = NULL;
    static const char text[] =
        "{\"gertie_deform\":1,\"sections\":[{\"name\":\"a\",\"joint\":\"head\",\"b\":1.5,\"points\":[2,2,2],"
        "\"box\":{\"center\":[0,0,0],\"axes\":[[1,0,0],[0,1,0],[0,0,1]]},"
        "\"poses\":{\"in\":{\"0,0,0\":[2,0,0],\"0,1,0\":[2,0,0],\"0,0,1\":[2,0,0],\"0,1,1\":[2,0,0]}}}],"
        "\"tracks\":[{\"channel\":\"section:a.b\",\"keys\":[{\"at\":0,\"value\":-1}]}]}";
    f->context = test_context(&f->log);
    GT_EXPECT_OK(parse(f, text, &sculpt, &error));
    GT_EXPECT_NEAR(sculpt->sections[0].def.rest_blend, 1.0, 0.0);
    assert_non_null(strstr(f->log.text, "sections[0]: section 'a': b is 1.5, which is limited to 1"));
    assert_non_null(strstr(f->log.text, "sections[0]: section 'a': the pose 'in' folds its lattice"));
    assert_non_null(strstr(f->log.text, "tracks[0]: section:a.b is -1 at key 0, which is limited to 0"));
    gt_sculpt_destroy(sculpt);
    f->context.strict = true;
    GT_EXPECT_ERROR(parse(f, text, &sculpt, &error), GT_ERROR_STRICT, "b is 1.5");
    f->context.strict = false;
}

static void test_memory_that_runs_out(void** state)
{
    const Fixture* f = *state;
    TestAllocator counter = { .remaining = -1 };
    GtContext context = f->context;
    context.allocator = test_allocator(&counter);
    GtError error;
    GtSculpt* sculpt = NULL;
    static const char text[] =
        "{\"gertie_deform\":1,\"sections\":[{\"name\":\"a\",\"joint\":\"head\",\"poses\":{\"x\":{}},"
        "\"box\":{\"center\":[0,0,0],\"axes\":[[1,0,0],[0,1,0],[0,0,1]]}}],"
        "\"tracks\":[{\"channel\":\"section:a.b\",\"keys\":[{\"at\":0,\"value\":1}]}],\"jiggle\":[{\"section\":\"a\"}]"
        "}";
    int failures = 0;
    for (int64_t allowed = 0; allowed < 1000; ++allowed) {
        counter.remaining = allowed;
        GtResult result = gt_sculpt_parse(&context, f->scene, text, strlen(text), &sculpt, &error);
        counter.remaining = -1;
        if (result == GT_OK) {
            break;
        }
        assert_int_equal(result, GT_ERROR_OUT_OF_MEMORY);
        assert_int_equal(counter.alive, 0);
        ++failures;
    }
    assert_true(failures > 3);
    gt_sculpt_destroy(sculpt);
    assert_int_equal(counter.alive, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_come_back),
        cmocka_unit_test(test_boxes_fit),
        cmocka_unit_test(test_arms_do_not_grip_the_chest),
        cmocka_unit_test(test_cuts_leave_gradients),
        cmocka_unit_test(test_errors_name_the_key),
        cmocka_unit_test(test_handles_have_times),
        cmocka_unit_test(test_warnings_name_what_is_odd),
        cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

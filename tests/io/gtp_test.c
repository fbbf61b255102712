// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Packs read as scenes. What the scene plays is compared with what a game sees that opens the same bytes and steps them
// frame by frame; what it says is compared with the character that was packed.

#include "build/pack_subject.h"

#include "gertie/accessor.h"
#include "gertie/build.h"
#include "gertie/file.h"
#include "gertie/sculpt.h"
#include "gertie/survey.h"

static GtScene* load(const GtContext* context, const GtBlob* blob)
{
    GtError error;
    GtScene* scene = NULL;
    GT_EXPECT_OK(
        gt_scene_load_memory(context, gt_blob_bytes(blob), gt_blob_size(blob), "subject.gtp", NULL, &scene, &error));
    return scene;
}

static void expect_same_vertices(GtInstance* played, GtInstance* expected, float tolerance)
{
    const GtCharacterDef* def = gt_character_def(expected->character);
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        GtVec3 a[VERTICES];
        GtVec3 b[VERTICES];
        assert_int_equal(def->meshes[m].vertex_count, VERTICES);
        gt_instance_deform(played, m, a, NULL, NULL);
        gt_instance_deform(expected, m, b, NULL, NULL);
        for (int32_t i = 0; i < VERTICES; ++i) {
            GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(a[i], b[i])), 0.0f, tolerance);
        }
    }
}

// At 60 frames a second, the drivers of the pack feel the same frames in a game and before a picture is drawn.
static void a_figure_plays_as_a_game_does(void** state)
{
    const Subject* subject = *state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtAllocator allocator = gt_default_allocator();
    GtScene* scene = load(&context, subject->blob);
    GtPack* pack = NULL;
    GT_EXPECT_OK(gt_pack_open(allocator, gt_blob_bytes(subject->blob), gt_blob_size(subject->blob), &pack, &error));
    for (int32_t c = 0; c < 2; ++c) { // packed, and with its keys
        GtFigure figure;
        GtFigureDef def = gt_default_figure_def();
        def.animation = c;
        def.without_map = true;
        GT_EXPECT_OK(gt_sculpt_figure_open(&context, scene, &def, &figure, &error));
        GtInstance* game = NULL;
        GtDriversState* drivers = NULL;
        GT_EXPECT_OK(gt_instance_create(allocator, gt_pack_character(pack), &game, &error));
        GT_EXPECT_OK(gt_drivers_state_create(allocator, gt_pack_drivers(pack), &drivers, &error));
        GtDriversFrame frame = gt_default_drivers_frame();
        frame.step_s = 1.0 / 60.0;
        for (int32_t f = 0; f < 60; ++f) {
            frame.time_s = frame.step_s * f;
            gt_instance_reset(game);
            gt_clip_sample(gt_pack_clip(pack, c), frame.time_s, game->pose, game->weights);
            gt_drivers_step(&frame, drivers, game);
            gt_figure_pose(&figure, frame.time_s, figure.instance);
            expect_same_vertices(figure.instance, game, 2e-5f);
        }
        gt_drivers_state_destroy(drivers);
        gt_instance_destroy(game);
        gt_figure_close(&figure);
    }
    gt_pack_close(pack);
    gt_scene_destroy(scene);
}

static void the_scene_says_what_was_packed(void** state)
{
    const Subject* subject = *state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = load(&context, subject->blob);
    const GtCharacterDef* def = gt_character_def(subject->character);
    assert_int_equal(scene->node_count, NODES + 1); // two meshes at one node do not share morphs
    assert_int_equal(scene->nodes[NODES].parent, 0);
    for (int32_t i = 0; i < NODES; ++i) {
        assert_int_equal(scene->nodes[i].parent, def->parents[i]);
        assert_int_equal(scene->nodes[i].name == NULL, def->names[i] == NULL);
        assert_memory_equal(&scene->nodes[i].local.translation, &def->rest[i].translation, sizeof(GtVec3));
    }
    assert_int_equal(scene->mesh_count, MESHES);
    assert_int_equal(scene->skin_count, 2);
    assert_int_equal(scene->material_count, MATERIALS);
    assert_int_equal(scene->image_count, 1); // the other one was not there
    assert_int_equal(scene->materials[0].normal_texture.texture, GT_NONE);
    assert_int_equal(scene->animation_count, CLIPS);
    assert_string_equal(scene->animations[0].name, "wave");
    assert_int_equal(scene->humanoid->nodes[GT_HUMANOID_LEFT_HAND], 3);
    for (int32_t m = 0; m < MESHES; ++m) {
        const GtPrimitive* primitive = &scene->meshes[m].primitives[0];
        GtVec3 positions[VERTICES];
        gt_accessor_read_floats(scene, gt_primitive_find(primitive, "POSITION"), 0, VERTICES, &positions[0].x);
        assert_memory_equal(positions, def->meshes[m].positions, sizeof positions);
        assert_int_equal(scene->meshes[m].target_count, def->meshes[m].morph_count);
    }
    GtError error;
    GtScene* copy = NULL;
    GT_EXPECT_OK(gt_scene_copy(&context, scene, &copy, &error));
    assert_non_null(scene->pack);
    assert_null(copy->pack);
    gt_scene_destroy(scene);
    gt_scene_destroy(copy);
}

static GtBlob* pack_plainly(const GtCharacter* character, const GtClip* clip)
{
    GtError error;
    GtBlob* blob = NULL;
    GtPackDef pack = gt_default_pack_def();
    pack.character = character;
    pack.clips = &clip;
    pack.clip_count = 1;
    GT_EXPECT_OK(gt_pack_write(gt_default_allocator(), &pack, &blob, &error));
    return blob;
}

static void expect_near(const float* a, const float* b, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        GT_EXPECT_NEAR(a[i], b[i], 1e-5f);
    }
}

// Meshes stand in the order of the scene's nodes.
static void expect_same_meshes(const GtCharacterDef* built, const Vertices* got, const Vertices* expected)
{
    assert_int_equal(built->mesh_count, MESHES);
    for (int32_t m = 0; m < MESHES; ++m) {
        size_t a = (size_t)m * VERTICES;
        size_t b = (size_t)built->meshes[m].source_mesh * VERTICES;
        expect_near(&got->positions[a].x, &expected->positions[b].x, 3 * VERTICES);
        expect_near(&got->normals[a].x, &expected->normals[b].x, 3 * VERTICES);
        expect_near(got->tangents + 4 * a, expected->tangents + 4 * b, 4 * VERTICES);
        expect_near(got->texcoords + 2 * a, expected->texcoords + 2 * b, 2 * VERTICES);
        expect_near(got->texcoords1 + 2 * a, expected->texcoords1 + 2 * b, 2 * VERTICES);
        expect_near(got->colors + 4 * a, expected->colors + 4 * b, 4 * VERTICES);
    }
}

// Built from the scene, without sections and the harmonic skin, it is the character that is packed without them.
static void a_plain_pack_comes_back(void** state)
{
    const Subject* subject = *state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtCharacterDef plain = *gt_character_def(subject->character);
    GtMeshDef meshes[MESHES];
    memcpy(meshes, plain.meshes, sizeof meshes);
    for (int32_t m = 0; m < MESHES; ++m) {
        meshes[m].section_bind_count = 0;
    }
    plain.meshes = meshes;
    plain.section_count = 0;
    plain.harmonic = NULL;
    GtCharacter* character = NULL;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &plain, &character, &error));
    for (int32_t c = 0; c < 2; ++c) {
        const GtClip* clip = c == 0 ? subject->clip : subject->keys;
        GtBlob* blob = pack_plainly(character, clip);
        GtScene* scene = load(&context, blob);
        GtCharacter* built = NULL;
        GtClip* built_clip = NULL;
        GT_EXPECT_OK(gt_character_build(&context, scene, NULL, &built, NULL, &error));
        GT_EXPECT_OK(gt_clip_build(&context, scene, 0, built, &built_clip, &error));
        for (int32_t f = 0; f < KEYS; ++f) {
            static Vertices expected;
            static Vertices got;
            play(character, clip, f / 30.0, &expected);
            play(built, built_clip, f / 30.0, &got);
            expect_same_meshes(gt_character_def(built), &got, &expected);
        }
        gt_clip_destroy(built_clip);
        gt_character_destroy(built);
        gt_scene_destroy(scene);
        gt_blob_release(blob);
    }
    gt_character_destroy(character);
}

static void damage_is_one_error(void** state)
{
    const Subject* subject = *state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = NULL;
    const uint8_t* bytes = gt_blob_bytes(subject->blob);
    size_t size = gt_blob_size(subject->blob);
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, bytes, size / 2, "half.gtp", NULL, &scene, &error),
                    GT_ERROR_BAD_FILE, "cut short");
    assert_string_equal(error.file, "half.gtp");
    assert_null(scene);
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, bytes, 4, NULL, NULL, &scene, &error), GT_ERROR_BAD_FILE,
                    "not a packed character");
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, "text", 4, "name.gtp", NULL, &scene, &error), GT_ERROR_BAD_FILE,
                    "not a packed character");
}

static void every_allocation_may_fail(void** state)
{
    const Subject* subject = *state;
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t limit = 0; result != GT_OK; ++limit) {
        TestLog log;
        TestAllocator memory = { .remaining = limit };
        GtContext context = test_context(&log);
        GtScene* scene = NULL;
        GtError error;
        GtSurvey* survey = NULL;
        GtFigure figure = { 0 };
        GtFigureDef def = gt_default_figure_def();
        def.animation = 0;
        def.without_map = true;
        context.allocator = test_allocator(&memory);
        result = gt_scene_load_memory(&context, gt_blob_bytes(subject->blob), gt_blob_size(subject->blob), "s.gtp",
                                      NULL, &scene, NULL);
        if (result == GT_OK) {
            result = gt_sculpt_figure_open(&context, scene, &def, &figure, NULL);
        }
        if (result == GT_OK) {
            result = gt_scene_survey(&context, scene, &survey, &error);
        }
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_survey_destroy(survey);
        gt_figure_close(&figure);
        gt_scene_destroy(scene);
        assert_int_equal(memory.alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_figure_plays_as_a_game_does), cmocka_unit_test(the_scene_says_what_was_packed),
        cmocka_unit_test(a_plain_pack_comes_back),       cmocka_unit_test(damage_is_one_error),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Controls on a face of one triangle with a few morph targets: what weights they come to.

#include "support/glb.h"
#include "support/test.h"

#include "gertie/character.h"
#include "gertie/file.h"
#include "gertie/shape_controls.h"
#include "gertie/track.h"

#include "sculpt/shape_file.h"

#include <stdlib.h>

static const char* const target_names[] = { "smile", "smile40", "smile70", "open", "smileOpen", "a", "b", "c" };

enum {
    TARGETS = 8,
    SMILE = 0,
    SMILE40,
    SMILE70,
    OPEN,
    SMILE_OPEN,
    A,
    B,
    C,
    MOST_VALUES = 64
};

static GtCharacter* make_face(void)
{
    static const GtVec3 positions[3] = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f } };
    static const uint32_t indices[3] = { 0, 1, 2 };
    static const float rest_weights[TARGETS] = { 0 };
    static const int32_t parents[1] = { GT_NONE };
    GtError error;
    GtMorphDef morphs[TARGETS];
    GtTransform rest = gt_transform_identity();
    for (int i = 0; i < TARGETS; ++i) {
        morphs[i] =
            (GtMorphDef){ .name = target_names[i], .entry_count = 1, .vertices = indices, .positions = positions };
    }
    GtMeshDef mesh = { .name = "face",
                       .material = GT_NONE,
                       .vertex_count = 3,
                       .positions = positions,
                       .index_count = 3,
                       .indices = indices,
                       .morph_count = TARGETS,
                       .morphs = morphs,
                       .skin = GT_NONE };
    GtCharacterDef def = gt_default_character_def();
    def.node_count = 1;
    def.parents = parents;
    def.rest = &rest;
    def.weight_count = TARGETS;
    def.rest_weights = rest_weights;
    def.mesh_count = 1;
    def.meshes = &mesh;
    GtCharacter* character = NULL;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &character, &error));
    return character;
}

// Controls ready to be played on the face.
typedef struct Player {
    GtCharacter* character;
    GtShapeControls* controls;
    GtTrackSet* set;
    float weights[TARGETS];
    float values[MOST_VALUES];
} Player;

static Player open_player(const GtShapeControlsDef* def)
{
    GtError error;
    GtContext context = gt_default_context();
    Player p = { .character = make_face() };
    GT_EXPECT_OK(gt_shape_controls_create(&context, def, &p.controls, &error));
    GtTrackSetDef set = gt_default_track_set_def();
    set.character = p.character;
    set.value_names = p.controls->value_names;
    set.value_count = p.controls->value_count;
    set.tracks = p.controls->tracks;
    set.track_count = p.controls->track_count;
    assert_true(p.controls->value_count <= MOST_VALUES);
    memcpy(p.values, p.controls->value_rests, (size_t)p.controls->value_count * sizeof(float));
    GT_EXPECT_OK(gt_track_set_create(gt_default_allocator(), &set, &p.set, &error));
    return p;
}

static void close_player(Player* p)
{
    gt_track_set_destroy(p->set);
    gt_shape_controls_destroy(p->controls);
    gt_character_destroy(p->character);
}

static void set_value(Player* p, const char* name, float value)
{
    for (int32_t i = 0; i < p->controls->value_count; ++i) {
        if (strcmp(p->controls->value_names[i], name) == 0) {
            p->values[i] = value;
            return;
        }
    }
    fail_msg("there is no value %s", name);
}

static void play(Player* p)
{
    gt_track_set_apply(p->set, 0.0, (GtState){ .weights = p->weights, .values = p->values });
}

static void controls_drive_several_shapes_by_curves(void** state)
{
    (void)state;
    static const float places[3] = { 0.0f, 0.5f, 1.0f };
    static const float heights[3] = { 0.0f, 0.1f, 1.0f };
    GtKeyCurveDef curve = gt_default_key_curve_def();
    curve.key_count = 3;
    curve.times_s = places;
    curve.values = heights;
    const GtShapeControl controls[] = { { "joy", 0.0f, 0.0f, 1.0f }, { "speech", 0.0f, -1.0f, 1.0f } };
    const GtShapeDrive smile[] = { { "joy", &curve } };
    const GtShapeDrive open[] = { { "joy", NULL }, { "speech", NULL } };
    const GtShapeRule rules[] = { { .name = "smile", .drives = smile, .drive_count = 1 },
                                  { .name = "open", .mesh = "face", .drives = open, .drive_count = 2 } };
    GtShapeControlsDef def = gt_default_shape_controls_def();
    def.controls = controls;
    def.control_count = 2;
    def.rules = rules;
    def.rule_count = 2;
    Player p = open_player(&def);
    set_value(&p, "control:joy", 0.75f);
    set_value(&p, "control:speech", -0.25f);
    play(&p);
    GT_EXPECT_NEAR(p.weights[SMILE], 0.55, 1e-6);
    GT_EXPECT_NEAR(p.weights[OPEN], 0.5, 1e-6);
    set_value(&p, "control:joy", 7.0f);
    set_value(&p, "control:speech", -9.0f);
    play(&p);
    GT_EXPECT_NEAR(p.weights[SMILE], 1.0, 1e-6);
    GT_EXPECT_NEAR(p.weights[OPEN], 0.0, 1e-6);
    close_player(&p);
}

// More controls than a formula of names holds, all of one shape.
static void many_controls_are_summed(void** state)
{
    (void)state;
    enum {
        MANY = 23
    };
    static char names[MANY][16];
    GtShapeControl controls[MANY];
    GtShapeDrive drives[MANY];
    for (int i = 0; i < MANY; ++i) {
        snprintf(names[i], sizeof names[i], "c%d", i);
        controls[i] = (GtShapeControl){ names[i], (float)i, 0.0f, 100.0f };
        drives[i] = (GtShapeDrive){ names[i], NULL };
    }
    const GtShapeRule rule = { .name = "a", .drives = drives, .drive_count = MANY };
    GtShapeControlsDef def = gt_default_shape_controls_def();
    def.controls = controls;
    def.control_count = MANY;
    def.rules = &rule;
    def.rule_count = 1;
    Player p = open_player(&def);
    play(&p);
    play(&p); // again, from what the first time left
    GT_EXPECT_NEAR(p.weights[A], MANY * (MANY - 1) / 2, 0.0);
    close_player(&p);
}

static void shapes_between_are_reached_at_their_places(void** state)
{
    (void)state;
    static const struct {
        float value, weights[3]; // of smile, smile40, smile70
    } cases[] = {
        { 0.0f, { 0.0f, 0.0f, 0.0f } },         { 0.2f, { 0.0f, 0.5f, 0.0f } },  { 0.4f, { 0.0f, 1.0f, 0.0f } },
        { 0.5f, { 0.0f, 2 / 3.0f, 1 / 3.0f } }, { 0.7f, { 0.0f, 0.0f, 1.0f } },  { 0.85f, { 0.5f, 0.0f, 0.5f } },
        { 1.0f, { 1.0f, 0.0f, 0.0f } },         { 1.3f, { 2.0f, 0.0f, -1.0f } }, { -0.4f, { 0.0f, -1.0f, 0.0f } },
    };
    static const char* const both[] = { "smile", "open" };
    const GtShapeRule rules[] = { { .name = "smile70", .of = "smile", .at = 0.7f },
                                  { .name = "smile" },
                                  { .name = "smile40", .of = "smile", .at = 0.4f },
                                  { .name = "smileOpen", .when = both, .when_count = 2 } };
    GtShapeControlsDef def = gt_default_shape_controls_def();
    def.rules = rules;
    def.rule_count = 4;
    Player p = open_player(&def);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        set_value(&p, "control:smile", cases[i].value);
        p.weights[OPEN] = 0.5f; // as a clip would leave it
        play(&p);
        GT_EXPECT_NEAR(p.weights[SMILE], cases[i].weights[0], 1e-5);
        GT_EXPECT_NEAR(p.weights[SMILE40], cases[i].weights[1], 1e-5);
        GT_EXPECT_NEAR(p.weights[SMILE70], cases[i].weights[2], 1e-5);
        GT_EXPECT_NEAR(p.weights[SMILE_OPEN], 0.5f * fmaxf(cases[i].value, 0.0f), 1e-6);
    }
    close_player(&p);
}

static void absolute_shapes_share_a_weight_of_one(void** state)
{
    (void)state;
    const GtShapeControl controls[] = { { "a", 0.0f, -1.0f, 2.0f },
                                        { "b", 0.0f, -1.0f, 2.0f },
                                        { "c", 0.0f, -1.0f, 2.0f } };
    const GtShapeDrive drives[] = { { "a", NULL }, { "b", NULL }, { "c", NULL } };
    const GtShapeRule rules[] = {
        { .name = "a", .kind = GT_SHAPE_ABSOLUTE, .drives = &drives[0], .drive_count = 1 },
        { .name = "b", .kind = GT_SHAPE_ABSOLUTE, .drives = &drives[1], .drive_count = 1 },
        { .name = "c", .kind = GT_SHAPE_ABSOLUTE, .drives = &drives[2], .drive_count = 1 },
    };
    GtShapeControlsDef def = gt_default_shape_controls_def();
    def.controls = controls;
    def.control_count = 3;
    def.rules = rules;
    def.rule_count = 3;
    Player p = open_player(&def);
    set_value(&p, "control:a", 0.25f);
    set_value(&p, "control:b", 0.5f);
    play(&p);
    GT_EXPECT_NEAR(p.weights[A], 0.25, 1e-6);
    GT_EXPECT_NEAR(p.weights[B], 0.5, 1e-6);
    set_value(&p, "control:a", 2.0f);
    set_value(&p, "control:b", 2.0f);
    set_value(&p, "control:c", -1.0f);
    play(&p);
    GT_EXPECT_NEAR(p.weights[A], 0.5, 1e-6);
    GT_EXPECT_NEAR(p.weights[B], 0.5, 1e-6);
    GT_EXPECT_NEAR(p.weights[C], 0.0, 0.0);
    close_player(&p);
}

static void wrong_rules_are_named(void** state)
{
    (void)state;
    static const char* const both[] = { "a", "b" };
    static const char* const later[] = { "a", "c" };
    static const GtShapeDrive twice[] = { { "joy", NULL }, { "joy", NULL } };
    static const GtShapeDrive unknown[] = { { "grief", NULL } };
    static const struct {
        GtShapeRule rules[2];
        GtResult code;
        const char* says;
    } cases[] = {
        { { { .name = "a" }, { .name = "a" } }, GT_ERROR_BAD_VALUE, "shape 'a': comes twice" },
        { { { .name = "a" }, { .name = "it's" } }, GT_ERROR_BAD_VALUE, "without quotes" },
        { { { .name = "a" }, { .name = "b", .of = "a", .at = 1.0f } },
          GT_ERROR_BAD_VALUE,
          "shape 'b': stands between" },
        { { { .name = "a" }, { .name = "b", .of = "d", .at = 0.5f } }, GT_ERROR_NOT_FOUND, "that is not listed" },
        { { { .name = "a" }, { .name = "b", .when = both, .when_count = 1 } }, GT_ERROR_BAD_VALUE, "2 to 8" },
        { { { .name = "b", .when = later, .when_count = 2 }, { .name = "c", .when = both, .when_count = 2 } },
          GT_ERROR_BAD_VALUE,
          "shape 'b': must be listed after" },
        { { { .name = "a" }, { .name = "b", .drives = twice, .drive_count = 2 } }, GT_ERROR_BAD_VALUE, "twice" },
        { { { .name = "a" }, { .name = "b", .drives = unknown, .drive_count = 1 } }, GT_ERROR_NOT_FOUND, "not there" },
        { { { .name = "a" }, { .name = "b", .of = "a", .at = 0.5f, .drives = twice, .drive_count = 1 } },
          GT_ERROR_BAD_VALUE,
          "can be one of these" },
    };
    static const GtShapeControl joy = { "joy", 0.0f, 0.0f, 1.0f };
    GtError error;
    GtContext context = gt_default_context();
    GtShapeControlsDef def = gt_default_shape_controls_def();
    def.controls = &joy;
    def.control_count = 1;
    def.rule_count = 2;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtShapeControls* controls = NULL;
        def.rules = cases[i].rules;
        GT_EXPECT_ERROR(gt_shape_controls_create(&context, &def, &controls, &error), cases[i].code, cases[i].says);
        assert_null(controls);
    }
    GtScene* scene = NULL;
    GtShapeControls* controls = NULL;
    const GtShapeRule missing[] = { { .name = "a", .drives = twice, .drive_count = 1 },
                                    { .name = "d", .when = both, .when_count = 2 } };
    GT_EXPECT_OK(gt_scene_create(&context, &scene, &error));
    def.rules = missing;
    def.scene = scene;
    GT_EXPECT_ERROR(gt_shape_controls_create(&context, &def, &controls, &error), GT_ERROR_NOT_FOUND,
                    "shape 'a': no mesh has such a shape");
    def.skip_missing = true;
    GT_EXPECT_OK(gt_shape_controls_create(&context, &def, &controls, &error));
    assert_int_equal(controls->track_count, 1); // the control's own
    gt_shape_controls_destroy(controls);
    gt_scene_destroy(scene);
}

// A scene of a node with a mesh of a point with named targets, and extensions of a VRM file.
static GtScene* make_named(const GtContext* context, const char* names, int count, const char* extensions)
{
    char text[4096];
    char targets[256] = "";
    GtError error;
    GtScene* scene = NULL;
    GtLoadDef load = gt_default_load_def();
    for (int i = 0; i < count; ++i) {
        strcat(targets, i ? ", {'POSITION': 0}" : "{'POSITION': 0}");
    }
    snprintf(text, sizeof text,
             "{'asset': {'version': '2.0'}, 'nodes': [{}, {'mesh': 0}], 'accessors': [{'componentType': 5126, 'count': "
             "1, 'type': 'VEC3', 'min': [0, 0, 0], 'max': [0, 0, 0]}], 'meshes': [{'primitives': [{'attributes': "
             "{'POSITION': 0}, 'mode': 0, 'targets': [%s]}], 'extras': {'targetNames': [%s]}}], 'extensionsUsed': "
             "['VRMC_vrm', 'VRM'], 'extensions': {%s}}",
             targets, names, extensions);
    char* json = test_json(text);
    GT_EXPECT_OK(gt_scene_load_memory(context, json, strlen(json), NULL, &load, &scene, &error));
    free(json);
    return scene;
}

static const GtShapeRule* face_rule(const GtFace* face, const char* name)
{
    for (int32_t i = 0; i < face->def.rule_count; ++i) {
        if (strcmp(face->def.rules[i].name, name) == 0) {
            return &face->def.rules[i];
        }
    }
    fail_msg("there is no rule for %s", name);
    return NULL;
}

static void faces_say_what_their_expressions_are(void** state)
{
    (void)state;
    static const struct {
        const char* names;
        int count;
        const char* extensions;
        GtFaceKind kind;
        int arkit_count, control_count, rule_count, skipped_count;
        const char* control; // that drives the first target
        float at, weight;    // as far as this
    } cases[] = {
        { "'nose'", 1, "", GT_FACE_NONE, 0, 0, 0, 0, NULL, 0.0f, 0.0f },
        { "'jaw_open', 'mouthFunnel', 'nose'", 3, "", GT_FACE_ARKIT, 2, 6, 2, 0, "surprised", 1.0f, 0.4f },
        { "'Fcl_MTH_O', 'nose', 'Joy'", 3, "", GT_FACE_NAMES, 0, 2, 2, 0, "oh", 1.0f, 1.0f },
        { "'one', 'two'", 2,
          "'VRMC_vrm': {'expressions': {'preset': {'aa': {'morphTargetBinds': [{'node': 1, 'index': 0, 'weight': 0.5}, "
          "{'node': 7, 'index': 0, 'weight': 1}]}, 'happy': {'isBinary': true, 'morphTargetBinds': [{'node': 1, "
          "'index': 1, 'weight': 1}]}}, 'custom': {'wink': {'morphTargetBinds': [{'node': 1, 'index': 0, 'weight': "
          "1}]}, 'it\\u0027s': 3}}}",
          GT_FACE_VRM, 0, 3, 2, 1, "aa", 1.0f, 0.5f },
        { "'one', 'two'", 2,
          "'VRM': {'blendShapeMaster': {'blendShapeGroups': [{'name': 'A', 'presetName': 'a', 'binds': [{'mesh': 0, "
          "'index': 0, 'weight': 80}]}, {'name': 'own', 'presetName': 'unknown', 'isBinary': true, 'binds': [{'mesh': "
          "0, 'index': 1, 'weight': 100}, {'mesh': -1}]}, 5]}}",
          GT_FACE_VRM, 0, 2, 2, 1, "aa", 1.0f, 0.8f },
    };
    GtError error;
    GtContext context = gt_default_context();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtFace* face = NULL;
        GtShapeControls* controls = NULL;
        GtScene* scene = make_named(&context, cases[i].names, cases[i].count, cases[i].extensions);
        GT_EXPECT_OK(gt_face_create(&context, scene, &face, &error));
        assert_int_equal(face->kind, cases[i].kind);
        assert_int_equal(face->arkit_count, cases[i].arkit_count);
        assert_int_equal(face->def.control_count, cases[i].control_count);
        assert_int_equal(face->def.rule_count, cases[i].rule_count);
        assert_int_equal(face->skipped_count, cases[i].skipped_count);
        if (cases[i].control) {
            const GtShapeDrive* drive = &face_rule(face, scene->meshes[0].target_names[0])->drives[0];
            assert_string_equal(drive->control, cases[i].control);
            GT_EXPECT_NEAR(drive->curve->times_s[1], cases[i].at, 0.0);
            GT_EXPECT_NEAR(drive->curve->values[1], cases[i].weight, 1e-6);
        }
        GT_EXPECT_OK(gt_shape_controls_create(&context, &face->def, &controls, &error));
        gt_shape_controls_destroy(controls);
        gt_face_destroy(face);
        gt_scene_destroy(scene);
    }
}

// On above a half, and not at it, as VRM asks.
static void binary_expressions_are_on_or_off(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_named(&context, "'one'", 1,
                                "'VRMC_vrm': {'expressions': {'preset': {'blink': {'isBinary': true, "
                                "'morphTargetBinds': [{'node': 1, 'index': 0, 'weight': 0.75}]}}}}");
    GtFace* face = NULL;
    GtKeyCurve* curve = NULL;
    GT_EXPECT_OK(gt_face_create(&context, scene, &face, &error));
    GT_EXPECT_OK(gt_key_curve_create(context.allocator, face->def.rules[0].drives[0].curve, &curve, &error));
    GT_EXPECT_NEAR(gt_key_curve_number(curve, 0.5), 0.0, 0.0);
    GT_EXPECT_NEAR(gt_key_curve_number(curve, 0.501), 0.75, 0.0);
    gt_key_curve_destroy(curve);
    gt_face_destroy(face);
    gt_scene_destroy(scene);
}

// A face as a file would have it comes to the same tracks as the face itself.
static void faces_become_deformations(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_named(&context, "'jawOpen', 'eyeBlink_L', 'eyeBlink_R', 'mouthFunnel'", 4, "");
    GtScene* none = make_named(&context, "'nose'", 1, "");
    GtFace* face = NULL;
    GtSculpt* sculpt = NULL;
    GtShapeControls* direct = NULL;
    GtShapeControls* read = NULL;
    GT_EXPECT_OK(gt_face_create(&context, scene, &face, &error));
    GT_EXPECT_OK(gt_sculpt_face(&context, scene, &sculpt, &error));
    GT_EXPECT_OK(gt_shape_controls_create(&context, &face->def, &direct, &error));
    GT_EXPECT_OK(gti_shapes_compile(&context, scene, sculpt, &read, &error));
    assert_int_equal(sculpt->control_count, face->def.control_count);
    assert_int_equal(read->track_count, direct->track_count);
    for (int32_t i = 0; i < read->track_count; ++i) {
        const GtTrackBinding* a = &read->tracks[i];
        const GtTrackBinding* b = &direct->tracks[i];
        assert_string_equal(a->channel, b->channel);
        assert_true((a->curve != NULL) == (b->curve != NULL));
        for (int k = 0; a->curve && k <= 8; ++k) {
            GT_EXPECT_NEAR(gt_key_curve_number(a->curve, 0.125 * k), gt_key_curve_number(b->curve, 0.125 * k), 0.0);
        }
    }
    GtSculpt* nothing = NULL;
    GT_EXPECT_ERROR(gt_sculpt_face(&context, none, &nothing, &error), GT_ERROR_NOT_FOUND, "no morph target has a name");
    assert_null(nothing);
    gt_shape_controls_destroy(read);
    gt_shape_controls_destroy(direct);
    gt_sculpt_destroy(sculpt);
    gt_face_destroy(face);
    gt_scene_destroy(none);
    gt_scene_destroy(scene);
}

static void memory_may_run_out_in_a_face(void** state)
{
    (void)state;
    GtError error;
    TestAllocator memory = { .remaining = -1 };
    GtContext context = gt_default_context();
    GtScene* scene = make_named(&context, "'jawOpen', 'eyeBlink_L'", 2,
                                "'VRMC_vrm': {'expressions': {'preset': {'blink': {'morphTargetBinds': [{'node': 1, "
                                "'index': 0, 'weight': 0.75}]}}}}");
    context.allocator = test_allocator(&memory);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        GtSculpt* sculpt = NULL;
        memory.remaining = allowed;
        result = gt_sculpt_face(&context, scene, &sculpt, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_sculpt_destroy(sculpt);
        assert_int_equal(memory.alive, 0);
    }
    gt_scene_destroy(scene);
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    static const char* const both[] = { "smile", "a" };
    const GtShapeControl controls[] = { { "joy", 0.0f, 0.0f, 1.0f }, { "speech", 0.0f, 0.0f, 1.0f } };
    const GtShapeDrive drives[] = { { "joy", NULL }, { "speech", NULL } };
    const GtShapeRule rules[] = { { .name = "smile", .drives = drives, .drive_count = 2 },
                                  { .name = "smile40", .of = "smile", .at = 0.4f },
                                  { .name = "a", .kind = GT_SHAPE_ABSOLUTE, .drives = drives, .drive_count = 1 },
                                  { .name = "smileOpen", .when = both, .when_count = 2 } };
    GtError error;
    TestAllocator memory = { .remaining = -1 };
    GtContext context = gt_default_context();
    context.allocator = test_allocator(&memory);
    GtShapeControlsDef def = gt_default_shape_controls_def();
    def.controls = controls;
    def.control_count = 2;
    def.rules = rules;
    def.rule_count = 4;
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        GtShapeControls* made = NULL;
        memory.remaining = allowed;
        result = gt_shape_controls_create(&context, &def, &made, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        assert_true((made != NULL) == (result == GT_OK));
        gt_shape_controls_destroy(made);
        assert_int_equal(memory.alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(controls_drive_several_shapes_by_curves),
        cmocka_unit_test(many_controls_are_summed),
        cmocka_unit_test(shapes_between_are_reached_at_their_places),
        cmocka_unit_test(absolute_shapes_share_a_weight_of_one),
        cmocka_unit_test(wrong_rules_are_named),
        cmocka_unit_test(faces_say_what_their_expressions_are),
        cmocka_unit_test(binary_expressions_are_on_or_off),
        cmocka_unit_test(faces_become_deformations),
        cmocka_unit_test(memory_may_run_out_in_a_face),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

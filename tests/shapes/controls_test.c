// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Controls on a face of one triangle with a few morph targets: what weights they come to.

#include "support/test.h"

#include "gertie/character.h"
#include "gertie/shape_controls.h"
#include "gertie/track.h"

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
    GtCurveDef curve = gt_default_curve_def();
    curve.key_count = 3;
    curve.times_s = places;
    curve.values = heights;
    const GtShapeControl controls[] = { { .name = "joy", .max = 1.0f },
                                        { .name = "speech", .min = -1.0f, .max = 1.0f } };
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
        controls[i] = (GtShapeControl){ .name = names[i], .rest = (float)i, .max = 100.0f };
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
    const GtShapeControl controls[] = { { .name = "a", .min = -1.0f, .max = 2.0f },
                                        { .name = "b", .min = -1.0f, .max = 2.0f },
                                        { .name = "c", .min = -1.0f, .max = 2.0f } };
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

// What a clip has left stays, and what controls give comes to it.
static void over_a_clip_controls_add_to_its_weights(void** state)
{
    (void)state;
    static const struct {
        float clip, joy, speech, weight;
    } cases[] = {
        { 0.3f, 0.0f, 0.0f, 0.3f }, // nobody touches the controls
        { 0.3f, 0.5f, 0.0f, 0.8f },   { 0.3f, 0.5f, 0.1f, 0.9f },
        { 0.7f, 0.6f, 0.0f, 1.0f },   { 1.5f, 0.0f, 0.0f, 1.5f },
        { -0.2f, 0.0f, 0.0f, -0.2f }, { 0.5f, 1.0f, 1.0f, 2.0f }, // as far as the controls go alone
    };
    const GtShapeControl controls[] = { { .name = "joy", .max = 1.0f }, { .name = "speech", .max = 1.0f } };
    const GtShapeDrive drives[] = { { "joy", NULL }, { "speech", NULL } };
    const GtShapeRule rules[] = { { .name = "a", .drives = drives, .drive_count = 2 },
                                  { .name = "b", .drives = drives, .drive_count = 1 } };
    GtShapeControlsDef def = gt_default_shape_controls_def();
    def.controls = controls;
    def.control_count = 2;
    def.rules = rules;
    def.rule_count = 2;
    def.on_clip = true;
    Player p = open_player(&def);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        set_value(&p, "control:joy", cases[i].joy);
        set_value(&p, "control:speech", cases[i].speech);
        p.weights[A] = cases[i].clip;
        p.weights[B] = 0.25f;
        p.weights[C] = 0.6f;
        play(&p);
        GT_EXPECT_NEAR(p.weights[A], cases[i].weight, 1e-6);
        GT_EXPECT_NEAR(p.weights[B], fminf(0.25f + cases[i].joy, 1.0f), 1e-6);
        GT_EXPECT_NEAR(p.weights[C], 0.6, 1e-6); // no rule
    }
    close_player(&p);
}

// Values that shapes between and correctives go by hold the clip's part, too.
static void over_a_clip_shapes_go_by_both(void** state)
{
    (void)state;
    static const char* const both[] = { "smile", "open" };
    const GtShapeControl controls[] = { { .name = "speech", .max = 1.0f } };
    const GtShapeDrive drive = { "speech", NULL };
    const GtShapeRule rules[] = { { .name = "smile" },
                                  { .name = "smile40", .of = "smile", .at = 0.4f },
                                  { .name = "open", .drives = &drive, .drive_count = 1 },
                                  { .name = "a", .kind = GT_SHAPE_ABSOLUTE, .drives = &drive, .drive_count = 1 },
                                  { .name = "smileOpen", .when = both, .when_count = 2 } };
    GtShapeControlsDef def = gt_default_shape_controls_def();
    def.controls = controls;
    def.control_count = 1;
    def.rules = rules;
    def.rule_count = 5;
    def.on_clip = true;
    Player p = open_player(&def);
    p.weights[SMILE] = 0.3f;
    p.weights[SMILE40] = 0.125f;
    p.weights[OPEN] = 0.5f;
    p.weights[A] = 0.75f;
    set_value(&p, "control:smile", 0.1f);
    set_value(&p, "control:speech", 0.25f);
    play(&p);
    GT_EXPECT_NEAR(p.weights[SMILE], 0.0, 1e-6);
    GT_EXPECT_NEAR(p.weights[SMILE40], 1.125, 1e-5);
    GT_EXPECT_NEAR(p.weights[OPEN], 0.75, 1e-6);
    GT_EXPECT_NEAR(p.weights[A], 1.0, 1e-6);
    GT_EXPECT_NEAR(p.weights[SMILE_OPEN], 0.4 * 0.75, 1e-6);
    close_player(&p);
}

// As VRM 1.0 has it: "Procedural override", and how it goes with isBinary.
static void controls_hold_others_back(void** state)
{
    (void)state;
    static const struct {
        float joy, grief, nod, a, b, c; // three controls in, and three that are held back out; those are at 0.8
    } cases[] = {
        { 0.0f, 0.0f, 0.0f, 0.8f, 0.8f, 1.0f },  { 0.25f, 0.0f, 0.0f, 0.6f, 0.0f, 0.0f },
        { 0.25f, 0.5f, 0.0f, 0.2f, 0.0f, 0.0f }, { 0.75f, 0.5f, 0.0f, 0.0f, 0.0f, 0.0f },
        { 0.0f, 0.0f, 0.5f, 0.8f, 0.8f, 1.0f }, // a binary one that is not on holds nothing back
        { 0.0f, 0.0f, 0.51f, 0.0f, 0.8f, 1.0f }, { 0.0f, 0.001f, 0.0f, 0.7992f, 0.8f, 0.0f },
    };
    static const char* const a[] = { "a" };
    static const char* const b[] = { "b" };
    static const char* const ac[] = { "a", "c" };
    const GtShapeControl controls[] = {
        { .name = "a", .max = 1.0f },
        { .name = "b", .max = 1.0f },
        { .name = "c", .max = 1.0f, .is_binary = true },
        { .name = "joy", .max = 1.0f, .blocks = b, .block_count = 1, .fades = ac, .fade_count = 2 },
        { .name = "grief", .max = 1.0f, .fades = ac, .fade_count = 2 },
        { .name = "nod", .max = 1.0f, .fades = a, .fade_count = 1, .is_binary = true },
    };
    const GtShapeDrive drives[] = { { "a", NULL }, { "b", NULL }, { "c", NULL }, { "joy", NULL } };
    const GtShapeRule rules[] = { { .name = "a", .drives = &drives[0], .drive_count = 1 },
                                  { .name = "b", .drives = &drives[1], .drive_count = 1 },
                                  { .name = "c", .drives = &drives[2], .drive_count = 1 },
                                  { .name = "smile", .drives = &drives[3], .drive_count = 1 } };
    GtShapeControlsDef def = gt_default_shape_controls_def();
    def.controls = controls;
    def.control_count = 6;
    def.rules = rules;
    def.rule_count = 4;
    Player p = open_player(&def);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        set_value(&p, "control:a", 0.8f);
        set_value(&p, "control:b", 0.8f);
        set_value(&p, "control:c", 0.8f);
        set_value(&p, "control:joy", cases[i].joy);
        set_value(&p, "control:grief", cases[i].grief);
        set_value(&p, "control:nod", cases[i].nod);
        play(&p);
        play(&p); // again, from what the first time left
        GT_EXPECT_NEAR(p.weights[A], cases[i].a, 1e-6);
        GT_EXPECT_NEAR(p.weights[B], cases[i].b, 1e-6);
        GT_EXPECT_NEAR(p.weights[C], cases[i].c, 1e-6);
        GT_EXPECT_NEAR(p.weights[SMILE], cases[i].joy, 1e-6);
    }
    close_player(&p);
}

// More of them than a formula holds names; blink holds back a look though it is held back itself.
static void many_hold_one_back(void** state)
{
    (void)state;
    enum {
        MANY = 16
    };
    static char names[MANY][16];
    static const char* const blink[] = { "blink" };
    static const char* const look[] = { "look" };
    GtShapeControl controls[MANY + 2];
    for (int i = 0; i < MANY; ++i) {
        snprintf(names[i], sizeof names[i], "e%d", i);
        controls[i] =
            (GtShapeControl){ .name = names[i], .rest = 0.03125f, .max = 1.0f, .fades = blink, .fade_count = 1 };
    }
    controls[MANY] = (GtShapeControl){ .name = "blink", .rest = 1.0f, .max = 1.0f, .fades = look, .fade_count = 1 };
    controls[MANY + 1] = (GtShapeControl){ .name = "look", .rest = 1.0f, .max = 1.0f };
    const GtShapeDrive drives[] = { { "blink", NULL }, { "look", NULL } };
    const GtShapeRule rules[] = { { .name = "a", .drives = &drives[0], .drive_count = 1 },
                                  { .name = "b", .drives = &drives[1], .drive_count = 1 } };
    GtShapeControlsDef def = gt_default_shape_controls_def();
    def.controls = controls;
    def.control_count = MANY + 2;
    def.rules = rules;
    def.rule_count = 2;
    Player p = open_player(&def);
    play(&p);
    GT_EXPECT_NEAR(p.weights[A], 0.5, 1e-6);
    GT_EXPECT_NEAR(p.weights[B], 0.0, 1e-6);
    close_player(&p);
}

static void wrong_controls_are_named(void** state)
{
    (void)state;
    static const char* const nobody[] = { "nobody" };
    static const char* const itself[] = { "joy" };
    const struct {
        GtShapeControl control;
        GtResult code;
        const char* says;
    } cases[] = {
        { { .name = "joy", .max = 1.0f, .blocks = nobody, .block_count = 1 },
          GT_ERROR_NOT_FOUND,
          "blocks or fades control 'nobody'" },
        { { .name = "joy", .max = 1.0f, .fades = itself, .fade_count = 1 }, GT_ERROR_BAD_VALUE, "fades itself" },
        { { .name = "joy", .rest = 2.0f, .max = 1.0f }, GT_ERROR_BAD_VALUE, "rests outside" },
        { { .name = "joy", .max = 1.0f, .fades = itself, .fade_count = 1 << 20 }, GT_ERROR_LIMIT, "times" },
    };
    GtError error;
    GtContext context = gt_default_context();
    GtShapeControlsDef def = gt_default_shape_controls_def();
    def.control_count = 1;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtShapeControls* controls = NULL;
        def.controls = &cases[i].control;
        GT_EXPECT_ERROR(gt_shape_controls_create(&context, &def, &controls, &error), cases[i].code, cases[i].says);
    }
}

static void wrong_materials_are_named(void** state)
{
    (void)state;
    static const struct {
        GtMaterialRule rule;
        GtResult code;
        const char* says;
    } cases[] = {
        { { .material = "it's", .control = "joy" }, GT_ERROR_BAD_VALUE, "without quotes" },
        { { .material = "Hair", .control = "joy" }, GT_ERROR_NOT_FOUND, "material 'Hair': does not exist" },
        { { .material = "#1", .control = "joy" }, GT_ERROR_NOT_FOUND, "material '#1': does not exist" },
        { { .material = "Skin", .control = "grief" },
          GT_ERROR_NOT_FOUND,
          "material 'Skin': is driven by control 'grief'" },
        { { .material = "Skin", .control = "joy", .color = { NAN }, .has_color = true },
          GT_ERROR_BAD_VALUE,
          "is none" },
        { { .material = "Skin", .control = "joy", .color = { NAN }, .has_offset = true }, GT_OK, NULL },
        { { .material = "#0", .control = "joy", .has_scale = true }, GT_OK, NULL },
    };
    static const GtShapeControl joy = { .name = "joy", .max = 1.0f };
    GtError error;
    GtScene* scene = NULL;
    GtContext context = gt_default_context();
    GtMaterial skin = gt_default_material();
    skin.name = "Skin";
    GT_EXPECT_OK(gt_scene_create(&context, &scene, &error));
    GT_EXPECT_OK(gt_scene_add_material(scene, &skin, NULL, &error));
    GtShapeControlsDef def = gt_default_shape_controls_def();
    def.controls = &joy;
    def.control_count = 1;
    def.material_count = 1;
    def.scene = scene;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtShapeControls* controls = NULL;
        def.materials = &cases[i].rule;
        if (cases[i].code == GT_OK) {
            GT_EXPECT_OK(gt_shape_controls_create(&context, &def, &controls, &error));
            assert_int_equal(controls->value_count, 3); // the control, and two numbers
        } else {
            GT_EXPECT_ERROR(gt_shape_controls_create(&context, &def, &controls, &error), cases[i].code, cases[i].says);
        }
        gt_shape_controls_destroy(controls);
    }
    gt_scene_destroy(scene);
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
        { { { .name = "a", .mesh = "m" }, { .name = "a", .mesh = "m" } }, GT_ERROR_BAD_VALUE, "comes twice" },
        { { { .name = "a", .mesh = "m" }, { .name = "b", .mesh = "n", .of = "m/b", .at = 0.5f } },
          GT_ERROR_NOT_FOUND,
          "that is not listed" },
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
        { { { .name = "a" }, { .name = "b", .drives = unknown, .drive_count = 1 } },
          GT_ERROR_NOT_FOUND,
          "does not exist" },
        { { { .name = "a" }, { .name = "b", .of = "a", .at = 0.5f, .drives = twice, .drive_count = 1 } },
          GT_ERROR_BAD_VALUE,
          "can be one of these" },
    };
    static const GtShapeControl joy = { .name = "joy", .max = 1.0f };
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

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    static const char* const both[] = { "smile", "a" };
    static const char* const speech[] = { "speech" };
    const GtShapeControl controls[] = { { .name = "joy", .max = 1.0f, .fades = speech, .fade_count = 1 },
                                        { .name = "speech", .max = 1.0f, .is_binary = true } };
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
    def.on_clip = true;
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
        cmocka_unit_test(over_a_clip_controls_add_to_its_weights),
        cmocka_unit_test(over_a_clip_shapes_go_by_both),
        cmocka_unit_test(controls_hold_others_back),
        cmocka_unit_test(many_hold_one_back),
        cmocka_unit_test(wrong_controls_are_named),
        cmocka_unit_test(wrong_materials_are_named),
        cmocka_unit_test(wrong_rules_are_named),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

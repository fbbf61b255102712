// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Faces of files: what their expressions are, and what these move.

#include "support/glb.h"
#include "support/test.h"

#include "gertie/file.h"
#include "gertie/sculpt.h"
#include "gertie/shape_controls.h"

#include "sections/file/shape_file.h"

#include <stdlib.h>

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

// Three nodes with faces: two targets of one name in one mesh, a target whose name another mesh has, one without a name
// at a node whose name another has.
static const char awkward[] =
    "{'asset': {'version': '2.0'}, 'materials': [{}], 'scene': 0, 'scenes': [{'nodes': [0, 1, 2]}], 'nodes': [{'name': "
    "'Head', 'mesh': "
    "0}, "
    "{'name': 'Brow', 'mesh': 1}, {'name': 'Brow', 'mesh': 2}], 'accessors': [{'componentType': 5126, 'count': 3, "
    "'type': 'VEC3', 'min': [0, 0, 0], 'max': [0, 0, 0]}], 'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, "
    "'targets': [{'POSITION': 0}, {'POSITION': 0}, {'POSITION': 0}, {'POSITION': 0}]}], 'extras': {'targetNames': "
    "['A', "
    "'A', 'smile', 'one']}}, {'primitives': [{'attributes': {'POSITION': 0}, 'targets': [{'POSITION': 0}]}], 'extras': "
    "{'targetNames': ['smile']}}, {'primitives': [{'attributes': {'POSITION': 0}, 'targets': [{'POSITION': 0}]}]}], "
    "'extensionsUsed': ['VRMC_vrm'], 'extensions': {'VRMC_vrm': {'expressions': {'preset': {'aa': {'morphTargetBinds': "
    "[{'node': 0, 'index': 1, 'weight': 1}]}, 'happy': {'morphTargetBinds': [{'node': 0, 'index': 2, 'weight': 0.5}, "
    "{'node': 0, 'index': 2, 'weight': 0.25}]}, 'angry': {'morphTargetBinds': [{'node': 1, 'index': 0, 'weight': 1}]}, "
    "'sad': {'morphTargetBinds': [{'node': 2, 'index': 0, 'weight': 1}]}, 'blink': {'isBinary': true, "
    "'morphTargetBinds': [{'node': 0, 'index': 3, 'weight': 1}]}, 'relaxed': {'textureTransformBinds': [{'material': "
    "0}], 'overrideBlink': 'block', "
    "'overrideMouth': 'blend', 'overrideLookAt': 'none'}, 'ih': {'overrideMouth': 'block', 'overrideBlink': "
    "'blend'}}}}}}";

enum {
    WEIGHTS = 6
};

// The weights that a deformation of the awkward face comes to.
static void play(const GtContext* context, const GtScene* scene, const GtSculpt* sculpt, float weights[WEIGHTS])
{
    GtError error;
    GtCharacter* character = NULL;
    GtSculptPlayer* player = NULL;
    GtInstance* instance = NULL;
    GtBuildDef build = gt_default_build_def();
    GT_EXPECT_OK(gt_sculpt_character(context, scene, sculpt, &build, &character, NULL, &error));
    GtSculptPlayerDef def = gt_default_sculpt_player_def();
    def.scene = scene;
    def.sculpt = sculpt;
    def.character = character;
    GT_EXPECT_OK(gt_sculpt_player_create(context, &def, &player, &error));
    GT_EXPECT_OK(gt_instance_create(context->allocator, character, &instance, &error));
    assert_int_equal(gt_character_def(character)->weight_count, WEIGHTS);
    gt_sculpt_play(player, 0.0, instance);
    memcpy(weights, instance->weights, WEIGHTS * sizeof *weights);
    gt_instance_destroy(instance);
    gt_sculpt_player_destroy(player);
    gt_character_destroy(character);
}

static GtScene* load_awkward(const GtContext* context)
{
    GtError error;
    GtScene* scene = NULL;
    GtLoadDef load = gt_default_load_def();
    char* json = test_json(awkward);
    GT_EXPECT_OK(gt_scene_load_memory(context, json, strlen(json), NULL, &load, &scene, &error));
    free(json);
    return scene;
}

static void expressions_move_what_they_name_and_nothing_else(void** state)
{
    (void)state;
    static const struct {
        const char* keys; // of a file: a value each
        float weights[WEIGHTS];
    } cases[] = {
        { "", { 0 } },
        { "'aa': 1", { 0, 1, 0, 0, 0, 0 } },
        { "'happy': 1", { 0, 0, 0.75f, 0, 0, 0 } }, // twice in one expression
        { "'angry': 1", { 0, 0, 0, 0, 1, 0 } },
        { "'sad': 1", { 0, 0, 0, 0, 0, 1 } },
        { "'blink': 0.5", { 0 } },
        { "'blink': 0.6", { 0, 0, 0, 1, 0, 0 } },
        { "'blink': 1, 'relaxed': 0.25, 'aa': 1", { 0, 0.75f, 0, 0, 0, 0 } },
        { "'ih': 1, 'aa': 1, 'blink': 1", { 0, 1, 0, 0, 0, 0 } }, // what is said of one's own kind does not count
    };
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = load_awkward(&context);
    GtFace* face = NULL;
    GT_EXPECT_OK(gt_face_create(&context, scene, &face, &error));
    assert_int_equal(face->skipped_count, 0);
    gt_face_destroy(face);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtSculpt* sculpt = NULL;
        GtSculpt* keys = NULL;
        float weights[WEIGHTS];
        char text[1024] = "{\"gertie_deform\": 1, \"tracks\": [";
        const char* comma = "";
        for (const char* at = strchr(cases[i].keys, '\''); at; at = strchr(at, '\'')) {
            char name[16];
            float value = 0.0f;
            assert_int_equal(sscanf(at, "'%15[^']': %f", name, &value), 2);
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s{\"channel\": \"control:%s\", \"formula\": \"%g\"}", comma,
                     name, (double)value);
            comma = ", ";
            at = strchr(at + 1, '\'') + 1;
        }
        strcat(text, "]}");
        GT_EXPECT_OK(gt_sculpt_face(&context, scene, &sculpt, &error));
        GT_EXPECT_OK(gt_sculpt_parse(&context, scene, text, strlen(text), &keys, &error));
        GT_EXPECT_OK(gt_sculpt_add(&context, sculpt, keys, &error));
        play(&context, scene, sculpt, weights);
        for (int w = 0; w < WEIGHTS; ++w) {
            GT_EXPECT_NEAR(weights[w], cases[i].weights[w], 1e-6);
        }
        gt_sculpt_destroy(keys);
        gt_sculpt_destroy(sculpt);
    }
    gt_scene_destroy(scene);
}

// Materials of a face, each way that VRM files change them: what a formula for its control comes to.
typedef struct LookCase {
    const char* extensions;
    const char* control;
    float value;
    int changed; // of the two materials
    GtMaterialLook looks[2];
} LookCase;

static void expect_looks(const GtContext* context, const LookCase* own)
{
    char text[4096];
    GtError error;
    GtScene* scene = NULL;
    GtLoadDef load = gt_default_load_def();
    snprintf(text, sizeof text,
             "{'asset': {'version': '2.0'}, 'nodes': [{}], 'textures': [{}], 'materials': [{'name': 'Skin', "
             "'pbrMetallicRoughness': {'baseColorFactor': [0.5, 0.25, 1, 1], 'baseColorTexture': {'index': 0, "
             "'extensions': {'KHR_texture_transform': {'offset': [0.5, 0.25], 'scale': [0.5, 2], 'rotation': 1}}}}}, "
             "{'name': 'Skin'}], 'extensionsUsed': ['VRMC_vrm', 'VRM', 'KHR_texture_transform'], 'extensions': {%s}}",
             own->extensions);
    char* json = test_json(text);
    GT_EXPECT_OK(gt_scene_load_memory(context, json, strlen(json), NULL, &load, &scene, &error));
    free(json);
    GtSculpt* sculpt = NULL;
    GtSculpt* kept = NULL;
    GtSculpt* keys = NULL;
    GtCharacter* character = NULL;
    GtSculptPlayer* player = NULL;
    GtInstance* instance = NULL;
    GtBuildDef build = gt_default_build_def();
    snprintf(text, sizeof text,
             "{\"gertie_deform\": 1, \"tracks\": [{\"channel\": \"control:%s\", \"formula\": \"%g\"}]}", own->control,
             (double)own->value);
    GT_EXPECT_OK(gt_sculpt_face(context, scene, &kept, &error));
    GT_EXPECT_OK(gt_sculpt_parse(context, scene, text, strlen(text), &keys, &error));
    GT_EXPECT_OK(gt_sculpt_add(context, kept, keys, &error));
    GT_EXPECT_OK(gt_sculpt_keep(context, kept, scene, &error));
    GT_EXPECT_OK(gt_scene_sculpt(context, scene, &sculpt, &error)); // all of it goes through a file
    GT_EXPECT_OK(gt_sculpt_character(context, scene, sculpt, &build, &character, NULL, &error));
    GtSculptPlayerDef def = gt_default_sculpt_player_def();
    def.scene = scene;
    def.sculpt = sculpt;
    def.character = character;
    GT_EXPECT_OK(gt_sculpt_player_create(context, &def, &player, &error));
    GT_EXPECT_OK(gt_instance_create(context->allocator, character, &instance, &error));
    GtMaterialLook looks[2] = { gt_material_look(context, scene, 0), gt_material_look(context, scene, 1) };
    gt_sculpt_play_looks(player, 0.0, instance, looks);
    for (int m = 0; m < 2; ++m) {
        for (int k = 0; k < 9; ++k) {
            GT_EXPECT_NEAR(((const float*)&looks[m])[k], ((const float*)&own->looks[m])[k], 1e-4);
        }
        assert_int_equal(gt_sculpt_changes_material(player, m), m == own->changed);
    }
    gt_instance_destroy(instance);
    gt_sculpt_player_destroy(player);
    gt_character_destroy(character);
    gt_sculpt_destroy(sculpt);
    gt_sculpt_destroy(keys);
    gt_sculpt_destroy(kept);
    gt_scene_destroy(scene);
}

static void expressions_change_materials(void** state)
{
    (void)state;
    static const GtMaterialLook skin = { { 0.5f, 0.25f, 1, 1 }, { 0.5f, 0.25f }, { 0.5f, 2 }, 1 };
    static const GtMaterialLook plain = { { 1, 1, 1, 1 }, { 0, 0 }, { 1, 1 }, 0 };
    const LookCase cases[] = {
        { "'VRMC_vrm': {'expressions': {'preset': {'happy': {'materialColorBinds': [{'material': 0, 'type': 'color', "
          "'targetValue': [1, 0, 1, 0]}, {'material': 9, 'type': 'color', 'targetValue': [1, 0, 1, 0]}]}}}}",
          "happy",
          0.5f,
          0,
          { { { 0.75f, 0.125f, 1, 0.5f }, { 0.5f, 0.25f }, { 0.5f, 2 }, 1 }, plain } },
        { "'VRMC_vrm': {'expressions': {'preset': {'blink': {'isBinary': true, 'textureTransformBinds': [{'material': "
          "1, "
          "'offset': [0.5, 0.75]}], 'materialColorBinds': [{'material': 0, 'type': 'rimColor', 'targetValue': [1, 0, "
          "1, "
          "0]}]}}}}",
          "blink",
          0.75f,
          1,
          { skin, { { 1, 1, 1, 1 }, { 0.5f, 0.75f }, { 1, 1 }, 0 } } }, // a name that another has, so by its number
    };
    GtContext context = gt_default_context();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        expect_looks(&context, &cases[i]);
    }
}

// VRM 0 has colours as sRGB, and textures from their lower left corner.
static void old_expressions_change_materials(void** state)
{
    (void)state;
    const LookCase own = {
        "'VRM': {'blendShapeMaster': {'blendShapeGroups': [{'presetName': 'joy', 'binds': [], 'materialValues': "
        "[{'materialName': 'Skin', 'propertyName': '_Color', 'targetValue': [0.5, 0, 1, 1]}, {'materialName': 'Skin', "
        "'propertyName': '_MainTex_ST', 'targetValue': [0.25, 0.5, 0.125, 0.25]}, {'materialName': 'Skin', "
        "'propertyName': '_RimColor', 'targetValue': [1, 1, 1, 1]}, {'materialName': 'Hair', 'propertyName': '_Color', "
        "'targetValue': [1, 1, 1, 1]}], 'name': 'Joy'}]}}",
        "happy",
        1.0f,
        0,
        { { { 0.214041f, 0, 1, 1 }, { 0.125f, 0.25f }, { 0.25f, 0.5f }, 1 }, { { 1, 1, 1, 1 }, { 0, 0 }, { 1, 1 }, 0 } }
    };
    GtContext context = gt_default_context();
    expect_looks(&context, &own);
}

// Kept in a scene and read again it is the same.
static void faces_are_kept_whole(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = load_awkward(&context);
    GtSculpt* sculpt = NULL;
    GtSculpt* again = NULL;
    GT_EXPECT_OK(gt_sculpt_face(&context, scene, &sculpt, &error));
    GT_EXPECT_OK(gt_sculpt_keep(&context, sculpt, scene, &error));
    GT_EXPECT_OK(gt_scene_sculpt(&context, scene, &again, &error));
    assert_string_equal(again->shapes, sculpt->shapes);
    assert_int_equal(again->control_count, sculpt->control_count);
    int overrides = 0;
    for (int32_t i = 0; i < sculpt->control_count; ++i) {
        const GtShapeControl* a = &sculpt->controls[i];
        const GtShapeControl* b = &again->controls[i];
        assert_string_equal(b->name, a->name);
        assert_int_equal(b->is_binary, strcmp(a->name, "blink") == 0);
        assert_int_equal(b->block_count, a->block_count);
        assert_int_equal(b->fade_count, a->fade_count);
        for (int32_t k = 0; k < a->block_count; ++k) {
            assert_string_equal(b->blocks[k], a->blocks[k]);
        }
        for (int32_t k = 0; k < a->fade_count; ++k) {
            assert_string_equal(b->fades[k], a->fades[k]);
        }
        overrides += a->block_count + a->fade_count;
    }
    assert_int_equal(overrides, 4); // relaxed blocks blink and fades aa, ih; ih fades blink
    gt_sculpt_destroy(again);
    gt_sculpt_destroy(sculpt);
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
    face->def.on_clip = true; // as a deformation is played
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
            GT_EXPECT_NEAR(gt_curve_number(a->curve, 0.125 * k), gt_curve_number(b->curve, 0.125 * k), 0.0);
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

// An avatar with clothes that share the shapes of its body: bounds against hostile files must let it pass.
static void large_faces_are_played(void** state)
{
    (void)state;
    enum {
        MESHES = 10,
        TARGETS = 150,
        EXPRESSIONS = 60,
        BINDS = 12,
        SIZE = 1 << 17
    };
    char* text = malloc(SIZE);
    size_t at = 0;
    assert_non_null(text);
    at += (size_t)snprintf(text, SIZE,
                           "{'asset': {'version': '2.0'}, 'accessors': [{'componentType': 5126, 'count': 3, "
                           "'type': 'VEC3', 'min': [0, 0, 0], 'max': [0, 0, 0]}], 'nodes': [");
    for (int m = 0; m < MESHES; ++m) {
        at += (size_t)snprintf(text + at, SIZE - at, "%s{'name': 'Part_%d', 'mesh': %d}", m ? ", " : "", m, m);
    }
    at += (size_t)snprintf(text + at, SIZE - at, "], 'meshes': [");
    for (int m = 0; m < MESHES; ++m) {
        at += (size_t)snprintf(text + at, SIZE - at, "%s{'primitives': [{'attributes': {'POSITION': 0}, 'targets': [{}",
                               m ? ", " : "");
        for (int t = 1; t < TARGETS; ++t) {
            at += (size_t)snprintf(text + at, SIZE - at, ", {}");
        }
        at += (size_t)snprintf(text + at, SIZE - at, "]}], 'extras': {'targetNames': ['Mouth wide 0 left'");
        for (int t = 1; t < TARGETS; ++t) {
            at += (size_t)snprintf(text + at, SIZE - at, ", 'Mouth wide %d left'", t);
        }
        at += (size_t)snprintf(text + at, SIZE - at, "]}}");
    }
    at +=
        (size_t)snprintf(text + at, SIZE - at,
                         "], 'extensionsUsed': ['VRMC_vrm'], 'extensions': {'VRMC_vrm': {'expressions': {'custom': {");
    for (int b = 0; b < EXPRESSIONS * BINDS; ++b) {
        if (b % BINDS == 0) {
            at += (size_t)snprintf(text + at, SIZE - at, "%s'e%d': {'morphTargetBinds': [", b ? "]}, " : "", b / BINDS);
        }
        at += (size_t)snprintf(text + at, SIZE - at, "%s{'node': %d, 'index': %d, 'weight': 1}", b % BINDS ? ", " : "",
                               b % MESHES, (b * 7 + b / TARGETS) % TARGETS);
    }
    at += (size_t)snprintf(text + at, SIZE - at, "]}}}}}}");
    assert_true(at < SIZE);
    GtError error;
    GtContext context = gt_default_context();
    GtLoadDef load = gt_default_load_def();
    GtBuildDef build = gt_default_build_def();
    GtScene* scene = NULL;
    GtSculpt* sculpt = NULL;
    GtCharacter* character = NULL;
    GtDrivers* drivers = NULL;
    char* json = test_json(text);
    GT_EXPECT_OK(gt_scene_load_memory(&context, json, strlen(json), NULL, &load, &scene, &error));
    GT_EXPECT_OK(gt_sculpt_face(&context, scene, &sculpt, &error));
    GT_EXPECT_OK(gt_sculpt_character(&context, scene, sculpt, &build, &character, NULL, &error));
    GT_EXPECT_OK(gt_sculpt_drivers(&context, scene, sculpt, character, &drivers, &error));
    assert_true(gt_drivers_find(drivers, "control:e59") != GT_NONE);
    gt_drivers_destroy(drivers);
    gt_character_destroy(character);
    gt_sculpt_destroy(sculpt);
    gt_scene_destroy(scene);
    free(json);
    free(text);
}

static void binds_that_lead_nowhere_are_said(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtSculpt* sculpt = NULL;
    GtScene* scene = make_named(&context, "'one'", 1,
                                "'VRMC_vrm': {'expressions': {'preset': {'aa': {'morphTargetBinds': [{'node': 1, "
                                "'index': 0, 'weight': 1}, {'node': 1, 'index': 1, 'weight': 1}], "
                                "'textureTransformBinds': [{'material': 0}]}}}}");
    GT_EXPECT_OK(gt_sculpt_face(&context, scene, &sculpt, &error));
    assert_non_null(strstr(log.text, "2 binds of expressions name no morph target or material"));
    gt_sculpt_destroy(sculpt);
    context.strict = true;
    GT_EXPECT_ERROR(gt_sculpt_face(&context, scene, &sculpt, &error), GT_ERROR_STRICT, "2 binds of expressions");
    assert_null(sculpt);
    gt_scene_destroy(scene);
}

// Weights that add up to more than floats hold, and colours that come to that: what is left can be saved and read.
static void numbers_beyond_floats_are_left_out(void** state)
{
    (void)state;
    static const char* const extensions[] = {
        "'VRMC_vrm': {'expressions': {'preset': {'aa': {'morphTargetBinds': [{'node': 1, 'index': 0, 'weight': 3e38}, "
        "{'node': 1, 'index': 0, 'weight': 3e38}]}}}}",
        "'VRM': {'blendShapeMaster': {'blendShapeGroups': [{'presetName': 'a', 'binds': [{'mesh': 0, 'index': 0, "
        "'weight': 100}], 'materialValues': [{'materialName': 'Skin', 'propertyName': '_Color', 'targetValue': [1e30, "
        "0, 0, 1]}]}]}}",
    };
    for (int i = 0; i < 2; ++i) {
        TestLog log;
        GtContext context = test_context(&log);
        GtError error;
        GtSculpt* sculpt = NULL;
        GtSculpt* again = NULL;
        GtScene* scene = make_named(&context, "'one'", 1, extensions[i]);
        GtMaterial* material = gt_scene_push(scene, 1, sizeof *material);
        *material = gt_default_material();
        material->name = "Skin";
        scene->materials = material;
        scene->material_count = 1;
        GT_EXPECT_OK(gt_sculpt_face(&context, scene, &sculpt, &error));
        assert_int_equal(sculpt->control_count, 1);
        assert_non_null(strstr(log.text, "1 bind of expressions"));
        GT_EXPECT_OK(gt_sculpt_keep(&context, sculpt, scene, &error));
        GT_EXPECT_OK(gt_scene_sculpt(&context, scene, &again, &error));
        gt_sculpt_destroy(again);
        gt_sculpt_destroy(sculpt);
        gt_scene_destroy(scene);
    }
}

// Files that are made to be slow have a million materials, and thousands of binds that look for them by name.
static void materials_beyond_number_are_left_alone(void** state)
{
    (void)state;
    static const int32_t counts[] = { 4096, 4097 };
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_named(&context, "'one'", 1,
                                "'VRMC_vrm': {'expressions': {'preset': {'aa': {'morphTargetBinds': [{'node': 1, "
                                "'index': 0, 'weight': 1}], 'textureTransformBinds': [{'material': 0}]}}}}");
    GtMaterial* materials = gt_scene_push(scene, 4097, sizeof *materials);
    for (int32_t i = 0; i < 4097; ++i) {
        materials[i] = gt_default_material();
    }
    scene->materials = materials;
    for (int i = 0; i < 2; ++i) {
        GtSculpt* sculpt = NULL;
        scene->material_count = counts[i];
        GT_EXPECT_OK(gt_sculpt_face(&context, scene, &sculpt, &error));
        assert_int_equal(sculpt->material_count, 1 - i);
        gt_sculpt_destroy(sculpt);
    }
    assert_non_null(strstr(log.text, "1 bind of expressions name"));
    gt_scene_destroy(scene);
}

static void memory_may_run_out_in_a_face(void** state)
{
    (void)state;
    GtError error;
    TestAllocator memory = { .remaining = -1 };
    GtContext context = gt_default_context();
    GtScene* scene = load_awkward(&context);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_say_what_their_expressions_are),
        cmocka_unit_test(expressions_move_what_they_name_and_nothing_else),
        cmocka_unit_test(expressions_change_materials),
        cmocka_unit_test(old_expressions_change_materials),
        cmocka_unit_test(faces_are_kept_whole),
        cmocka_unit_test(faces_become_deformations),
        cmocka_unit_test(large_faces_are_played),
        cmocka_unit_test(binds_that_lead_nowhere_are_said),
        cmocka_unit_test(numbers_beyond_floats_are_left_out),
        cmocka_unit_test(materials_beyond_number_are_left_alone),
        cmocka_unit_test(memory_may_run_out_in_a_face),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

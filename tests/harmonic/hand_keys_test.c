// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Keys set by hand. Where joints are after a turn follows from where they were before, by the geometry of a rigid turn
// about the joint; all that does not hang on it must not move.

#include "harmonic/people.h"

#include "support/figure.h"
#include "support/folder.h"

#include "gertie/bake.h"
#include "gertie/build.h"
#include "gertie/hand_keys.h"
#include "gertie/harmonic_clip.h"
#include "gertie/instance.h"

#include <string.h>

enum {
    FRAMES = 16,
    MOST_NODES = 64
};

static const float turn_rad = 0.6981317f; // 40 degrees

// Give a person a clip of half a second in which a joint turns about an axis of its own.
static void add_clip(const GtContext* context, GtScene* scene, GtHumanoidJoint joint, GtVec3 axis, float angle_rad)
{
    GtError error;
    int32_t node = node_of(scene, joint);
    uint8_t paths = GT_BAKE_ROTATION | GT_BAKE_TRANSLATION;
    float times_s[FRAMES];
    GtTransform poses[FRAMES];
    for (int f = 0; f < FRAMES; ++f) {
        float share = (float)f / (FRAMES - 1);
        times_s[f] = 0.5f * share;
        poses[f] = scene->nodes[node].local;
        poses[f].rotation = gt_quat_mul(poses[f].rotation, gt_quat_from_axis_angle(axis, share * angle_rad));
        poses[f].translation = gt_vec3_add(poses[f].translation, gt_vec3(0.2f * share, 0.0f, 0.1f * share));
    }
    GtBakeDef def = { .name = "turn",
                      .frame_count = FRAMES,
                      .times_s = times_s,
                      .node_count = 1,
                      .nodes = &node,
                      .paths = &paths,
                      .poses = poses };
    GT_EXPECT_OK(gt_scene_bake(context, scene, &def, NULL, &error));
}

// A person who looks to its left by an angle, and turns.
static GtScene* make_turning(const GtContext* context, float heading_rad)
{
    GtScene* scene = make_person(context, 2000);
    GtQuat* hips = &scene->nodes[node_of(scene, GT_HUMANOID_HIPS)].local.rotation;
    *hips = gt_quat_mul(gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), heading_rad), *hips);
    scene->animation_count = 0;
    add_clip(context, scene, GT_HUMANOID_HIPS, gt_vec3_normalize_or(gt_vec3(0.3f, 1.0f, 0.2f), gt_vec3(0, 1, 0)), 1.2f);
    return scene;
}

// Where the nodes of a scene are at a time of a clip, or at rest where that is GT_NONE. The person's nodes are
// parent-first in the file, too.
static void see(const GtContext* context, const GtScene* scene, int32_t animation, double time_s, GtMat34* out)
{
    GtError error;
    GtCharacter* character = NULL;
    GtInstance* instance = NULL;
    GtClip* clip = NULL;
    GtBuildDef def = gt_default_build_def();
    assert_true(scene->node_count <= MOST_NODES);
    GT_EXPECT_OK(gt_character_build(context, scene, &def, &character, NULL, &error));
    GT_EXPECT_OK(gt_instance_create(context->allocator, character, &instance, &error));
    if (animation != GT_NONE) {
        GT_EXPECT_OK(gt_clip_build(context, scene, animation, character, &clip, &error));
        gt_clip_sample(clip, time_s, instance->pose, instance->weights);
    }
    gt_instance_update(instance);
    for (int32_t n = 0; n < scene->node_count; ++n) {
        out[n] = instance->model_from_node[gt_character_node_from_source(character, n)];
    }
    gt_clip_destroy(clip);
    gt_instance_destroy(instance);
    gt_character_destroy(character);
}

static GtHandKeys* read_keys(const GtContext* context, const GtScene* scene, const char* text)
{
    GtError error;
    TestFolder folder;
    GtHandKeys* keys = NULL;
    test_folder_create(&folder);
    test_folder_put(&folder, "keys.json", text, strlen(text));
    GT_EXPECT_OK(gt_hand_keys_load(context, scene, test_folder_path(&folder, "keys.json"), &keys, &error));
    test_folder_remove(&folder);
    return keys;
}

static void apply(const GtContext* context, GtScene* scene, int32_t with, const char* text)
{
    GtError error;
    GtHandKeys* keys = read_keys(context, scene, text);
    GT_EXPECT_OK(gt_hand_keys_apply(context, scene, keys, 0, with, &error));
    gt_hand_keys_destroy(keys);
}

static void expect_place(const GtMat34* a, const GtMat34* b, float tolerance)
{
    GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(gt_mat34_translation(a), gt_mat34_translation(b))), 0.0, tolerance);
    float dot = gt_quat_dot(gt_mat34_polar(a, NULL), gt_mat34_polar(b, NULL));
    GT_EXPECT_NEAR(fabsf(dot), 1.0, tolerance);
}

static bool hangs_on(const GtScene* scene, int32_t node, int32_t above)
{
    while (node != GT_NONE && node != above) {
        node = scene->nodes[node].parent;
    }
    return node == above;
}

// All that hangs on a joint is turned about where the joint is, and nothing else is moved.
static void expect_turned(const GtScene* scene, const GtMat34* before, const GtMat34* after, int32_t joint, GtQuat by)
{
    GtVec3 pivot = gt_mat34_translation(&before[joint]);
    GtVec3 turned = gt_quat_rotate(by, pivot);
    GtMat34 move = gt_mat34_from_transform(gt_transform(gt_vec3_sub(pivot, turned), by, gt_vec3(1.0f, 1.0f, 1.0f)));
    for (int32_t n = 0; n < scene->node_count; ++n) {
        GtMat34 wanted = hangs_on(scene, n, joint) ? gt_mat34_mul(move, before[n]) : before[n];
        expect_place(&after[n], &wanted, 2e-6f);
    }
}

static void joints_turn_with_all_that_hangs_on_them(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    const GtHumanoidJoint joints[] = { GT_HUMANOID_HEAD, GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_HIPS };
    GtMat34 rest[MOST_NODES], before[MOST_NODES], after[MOST_NODES];
    GtScene* scene = make_turning(&context, 0.0f);
    see(&context, scene, GT_NONE, 0.0, rest);
    for (int i = 0; i < 6; ++i) { // each on top of those before
        bool in_model = i >= 3;
        char text[256];
        int32_t joint = node_of(scene, joints[i % 3]);
        int32_t parent = scene->nodes[joint].parent;
        snprintf(
            text, sizeof text,
            "{\"gertie_keys\": 1, \"rotations\": [{\"joint\": \"%s\"%s, \"law\": \"linear\", \"keys\": [{\"time_s\": "
            "0, \"rotation_deg\": [0, 0, 0]}, {\"time_s\": 0.5, \"rotation_deg\": [40, 0, 0]}]}]}",
            gt_humanoid_name(joints[i % 3]), in_model ? ", \"axes\": \"model\"" : "");
        see(&context, scene, 0, 0.5, before);
        apply(&context, scene, GT_NONE, text);
        see(&context, scene, 0, 0.5, after);
        GtQuat carry = in_model || parent == GT_NONE
                           ? gt_quat_identity()
                           : gt_quat_mul(gt_mat34_polar(&before[parent], NULL),
                                         gt_quat_conjugate(gt_mat34_polar(&rest[parent], NULL)));
        GtVec3 axis = gt_quat_rotate(carry, gt_vec3(1.0f, 0.0f, 0.0f));
        expect_turned(scene, before, after, joint, gt_quat_from_axis_angle(axis, turn_rad));
    }
    gt_scene_destroy(scene);
}

// A person who looks along x nods about the axis to its left, which is then -z.
static void axes_are_those_of_a_body_that_looks_elsewhere(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = make_turning(&context, 1.57079633f);
    GtMat34 before[MOST_NODES], after[MOST_NODES];
    see(&context, scene, 0, 0.0, before);
    apply(&context, scene, GT_NONE,
          "{\"gertie_keys\": 1, \"rotations\": [{\"joint\": \"head\", \"keys\": [{\"time_s\": 0, \"rotation_deg\": "
          "[40, 0, "
          "0]}]}]}");
    see(&context, scene, 0, 0.0, after);
    expect_turned(scene, before, after, node_of(scene, GT_HUMANOID_HEAD),
                  gt_quat_from_axis_angle(gt_vec3(0.0f, 0.0f, -1.0f), turn_rad));
    gt_scene_destroy(scene);
}

// Twice round, key by key, without turning back; in a file that has the names of a former version.
static void turns_go_on_beyond_one_round(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = make_turning(&context, 0.0f);
    GtHandKeys* keys = read_keys(&context, scene,
                                 "{\"gertie_keys\": 1, \"turns\": [{\"joint\": \"rightHand\", \"law\": \"linear\", "
                                 "\"keys\": [{\"time_s\": 0, \"turn_deg\": [0, 0, 0]}, {\"time_s\": 1, \"turn_deg\": "
                                 "[170, 0, 0]}, {\"time_s\": 2, \"turn_deg\": [340, 0, 0]}, {\"time_s\": 3, "
                                 "\"turn_deg\": [510, 0, 0]}]}]}");
    for (int i = 0; i <= 12; ++i) {
        float q[4];
        double time_s = 0.25 * i;
        gt_curve_eval(keys->turns[0].curve, time_s, q);
        double half_rad = 0.5 * 170.0 / 57.29577951308232 * time_s;
        GT_EXPECT_NEAR(fabs((double)q[0] * sin(half_rad) + (double)q[3] * cos(half_rad)), 1.0, 1e-6);
    }
    gt_hand_keys_destroy(keys);
    gt_scene_destroy(scene);
}

static void motions_blend_into_each_other(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = make_turning(&context, 0.0f);
    add_clip(&context, scene, GT_HUMANOID_LEFT_UPPER_LEG, gt_vec3(1.0f, 0.0f, 0.0f), -0.8f);
    GtMat34 rest[MOST_NODES], first[MOST_NODES], second[MOST_NODES], blended[MOST_NODES], meeting[MOST_NODES];
    int32_t hips = node_of(scene, GT_HUMANOID_HIPS);
    int32_t leg = node_of(scene, GT_HUMANOID_LEFT_UPPER_LEG);
    see(&context, scene, 0, 5.0 / 30.0, first);
    see(&context, scene, GT_NONE, 0.0, rest);
    see(&context, scene, 0, 10.0 / 30.0, meeting);
    see(&context, scene, 1, 0.5, second);
    apply(&context, scene, 1,
          "{\"gertie_keys\": 1, \"blend\": {\"law\": \"linear\", \"keys\": [{\"time_s\": 0.16666667, \"share\": 0}, "
          "{\"time_s\": 0.5, \"share\": 1}]}}");
    see(&context, scene, 0, 5.0 / 30.0, blended);
    for (int32_t n = 0; n < scene->node_count; ++n) {
        expect_place(&blended[n], &first[n], 2e-6f);
    }
    GtQuat turned =
        gt_quat_mul(gt_mat34_polar(&meeting[hips], NULL), gt_quat_conjugate(gt_mat34_polar(&rest[hips], NULL)));
    GtVec3 ahead = gt_quat_rotate(turned, gt_vec3(0.0f, 0.0f, 1.0f));
    GtQuat heading = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), atan2f(ahead.x, ahead.z));
    GtVec3 from = gt_quat_rotate(heading, gt_mat34_translation(&rest[hips])); // the second's hips are at rest
    GtVec3 shift = gt_vec3_sub(gt_mat34_translation(&meeting[hips]), from);
    shift.y = 0.0f;
    GtMat34 move = gt_mat34_from_transform(gt_transform(shift, heading, gt_vec3(1.0f, 1.0f, 1.0f)));
    see(&context, scene, 0, 0.5, blended);
    for (int32_t n = 0; n < scene->node_count; ++n) {
        if (hangs_on(scene, n, hips)) { // a mesh beside the joints stays
            GtMat34 wanted = gt_mat34_mul(move, second[n]);
            expect_place(&blended[n], &wanted, 4e-6f);
        }
    }
    see(&context, scene, 0, 10.0 / 30.0, blended); // half of what the leg does then, two thirds of 0.8
    GtQuat above = gt_mat34_polar(&blended[scene->nodes[leg].parent], NULL);
    GtQuat bend = gt_quat_mul(gt_quat_conjugate(above), gt_mat34_polar(&blended[leg], NULL));
    GtQuat straight = scene->nodes[leg].local.rotation;
    float dot = fminf(fabsf(gt_quat_dot(bend, straight)), 1.0f);
    GT_EXPECT_NEAR(2.0f * acosf(dot), 0.8f / 3.0f, 1e-3);
    gt_scene_destroy(scene);
}

// A marker turns by itself, and what a file keeps is that.
static void markers_turn_alone_and_are_kept(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_turning(&context, 0.0f);
    GtFigure figure = test_figure(&context, scene, 0);
    GtMarkers* markers = NULL;
    GtMarkersDef find = gt_default_markers_def();
    GT_EXPECT_OK(gt_markers_find(&context, &figure, &find, &markers, NULL, &error));
    GtHandKeys* keys = read_keys(&context, scene,
                                 "{\"gertie_keys\": 1, \"rotations\": [{\"marker\": 7, \"keys\": [{\"time_s\": 0, "
                                 "\"rotation_deg\": [40, 0, 0]}]}, {\"marker\": 9, \"axes\": \"model\", \"keys\": "
                                 "[{\"time_s\": 0, \"rotation_deg\": [0, -320, 0]}]}]}");
    GtHarmonicClip* clips[3] = { NULL, NULL, NULL };
    GtHarmonicClipDef def = gt_default_harmonic_clip_def();
    def.hold_feet = def.hold_hands = false;
    def.rate_hz = 8.0;
    GT_EXPECT_OK(gt_harmonic_clip_create(&context, &figure, markers, &def, &clips[0], NULL, &error));
    def.keys = keys;
    GT_EXPECT_OK(gt_harmonic_clip_create(&context, &figure, markers, &def, &clips[1], NULL, &error));
    GtScene* baked = NULL;
    GtHarmonicBakeDef bake = gt_default_harmonic_bake_def();
    bake.keep = markers;
    bake.max_shapes = 0;
    GT_EXPECT_OK(gt_harmonic_clip_bake(&context, &figure, clips[1], &bake, &baked, NULL, &error));
    GtFigure baked_figure = test_figure(&context, baked, 0);
    GT_EXPECT_OK(gt_harmonic_clip_restore(&context, &baked_figure, &clips[2], NULL, &error));
    GtQuat by[2] = { gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), turn_rad),
                     gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), turn_rad) };
    int32_t count = clips[0]->marker_count;
    assert_true(clips[0]->frame_count >= 5);
    for (int32_t i = 0; i < clips[0]->frame_count * count; ++i) {
        GtQuat wanted = clips[0]->rotations[i];
        wanted = i % count == 7 ? gt_quat_mul(wanted, by[0]) : i % count == 9 ? gt_quat_mul(by[1], wanted) : wanted;
        GtQuat found = clips[1]->rotations[i]; // of q and -q, on the side of the markers around
        GtQuat off = gt_quat(found.x - wanted.x, found.y - wanted.y, found.z - wanted.z, found.w - wanted.w);
        GT_EXPECT_NEAR(gt_quat_dot(off, off), 0.0, 4e-12);
        assert_memory_equal(&clips[2]->rotations[i], &clips[1]->rotations[i], sizeof wanted);
    }
    gt_hand_keys_destroy(keys);
    keys = read_keys(
        &context, scene,
        "{\"gertie_keys\": 1, \"rotations\": [{\"marker\": 99999, \"keys\": [{\"time_s\": 0, \"rotation_deg\": "
        "[0, 0, 0]}]}]}");
    def.keys = keys;
    GtHarmonicClip* none = NULL;
    GT_EXPECT_ERROR(gt_harmonic_clip_create(&context, &figure, markers, &def, &none, NULL, &error), GT_ERROR_NOT_FOUND,
                    "keys.json: rotations[0].marker: there is no marker 99999; the last one is ");
    for (int i = 0; i < 3; ++i) {
        gt_harmonic_clip_destroy(clips[i]);
    }
    gt_hand_keys_destroy(keys);
    gt_markers_destroy(markers);
    gt_figure_close(&baked_figure);
    gt_figure_close(&figure);
    gt_scene_destroy(baked);
    gt_scene_destroy(scene);
}

#define TURN_OF(what)  "{\"gertie_keys\": 1, \"rotations\": [{" what "}]}"
#define KEYS_OF(joint) TURN_OF("\"joint\": \"" joint "\", \"keys\": [{\"time_s\": 0, \"rotation_deg\": [0, 0, 0]}]")
#define MARKER_WITH(number, more)                                                                                      \
    TURN_OF("\"marker\": " number more ", \"keys\": [{\"time_s\": 0, \"rotation_deg\": [0, 0, 0]}]")
#define HEAD_KEYS(after)                                                                                               \
    TURN_OF("\"joint\": \"head\", \"keys\": [{\"time_s\": 0.5, \"rotation_deg\": [0, 0, 0]}" after "]")

static void files_say_what_is_wrong_with_them(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        GtResult code;
        const char* says;
    } cases[] = {
        { "[]", GT_ERROR_BAD_VALUE, "bad.json: must be keys: an object with gertie_keys and rotations or blend" },
        { "{}", GT_ERROR_BAD_VALUE, "bad.json: lacks \"gertie_keys\", the version of the format: 1" },
        { "{\"gertie_keys\": 1}", GT_ERROR_BAD_VALUE, "bad.json: must be an object with rotations, or one with blend" },
        { "{\"gertie_keys\": 1, \"rotations\": 3}", GT_ERROR_BAD_VALUE, "bad.json: rotations: must be a list" },
        { "{\"gertie_keys\": 1, \"rotations\": [3]}", GT_ERROR_BAD_VALUE, "bad.json: rotations[0]: must be an object" },
        { KEYS_OF("heat"), GT_ERROR_NOT_FOUND, "bad.json: rotations[0].joint: there is no joint 'heat'" },
        { TURN_OF("\"keys\": []"), GT_ERROR_BAD_VALUE,
          "rotations[0]: must be an object with joint, or one with marker" },
        { TURN_OF("\"joint\": \"head\""), GT_ERROR_BAD_VALUE, "rotations[0]: lacks \"keys\", a list of keys" },
        { TURN_OF("\"joint\": \"head\", \"keys\": []"), GT_ERROR_BAD_VALUE,
          "rotations[0].keys: must be a list of keys" },
        { HEAD_KEYS("], \"marker\": 3, \"axes\": \"body\", \"keys\": [{\"time_s\": 0, \"rotation_deg\": [0, 0, 0]}"),
          GT_ERROR_BAD_VALUE, "rotations[0].marker: must be left out" },
        { MARKER_WITH("-1", ""), GT_ERROR_BAD_VALUE, "rotations[0].marker: must be at least 0" },
        { MARKER_WITH("1.5", ""), GT_ERROR_BAD_VALUE, "rotations[0].marker: must be a marker by its number" },
        { MARKER_WITH("1", ", \"axes\": \"mine\""), GT_ERROR_BAD_VALUE,
          "rotations[0].axes: must be \"body\" or \"model\"" },
        { MARKER_WITH("1", ", \"law\": \"cubic\""), GT_ERROR_BAD_VALUE,
          "rotations[0].law: must be \"step\", \"linear\", " },
        { MARKER_WITH("1", ", \"tangents\": 1"), GT_ERROR_BAD_VALUE, "rotations[0].tangents: has no meaning here" },
        { HEAD_KEYS(", {\"time_s\": 0.5, \"rotation_deg\": [0, 0, 0]}"), GT_ERROR_BAD_VALUE,
          "rotations[0].keys[1].time_s: must be later than the key before" },
        { HEAD_KEYS(", {\"time_s\": 1e99, \"rotation_deg\": [0, 0, 0]}"), GT_ERROR_BAD_VALUE,
          "rotations[0].keys[1].time_s: is beyond what a float holds" },
        { HEAD_KEYS(", {\"time_s\": \"1\", \"rotation_deg\": [0, 0, 0]}"), GT_ERROR_BAD_VALUE,
          "rotations[0].keys[1].time_s: must be a time in seconds" },
        { HEAD_KEYS(", {\"rotation_deg\": [0, 0, 0]}"), GT_ERROR_BAD_VALUE,
          "rotations[0].keys[1]: lacks \"time_s\", a time in seconds" },
        { HEAD_KEYS(", {\"time_s\": NaN}"), GT_ERROR_BAD_FILE, "bad.json: line 1, column " },
        { HEAD_KEYS(", {\"time_s\": 1, \"rotation_deg\": [0, 0]}"), GT_ERROR_BAD_VALUE,
          "rotations[0].keys[1].rotation_deg: must be degrees about x, y and z" },
        { HEAD_KEYS(", {\"time_s\": 1, \"rotation_deg\": [0, 1e9, 0]}"), GT_ERROR_BAD_VALUE,
          "rotations[0].keys[1].rotation_deg[1]: must be at most 36000" },
        { HEAD_KEYS(", {\"time_s\": 1, \"rotation_deg\": [0, 180, 0]}"), GT_ERROR_BAD_VALUE,
          "rotations[0].keys[1].rotation_deg: must be less than half a turn from the key before: put a key between" },
        { HEAD_KEYS(", {\"time_s\": 1, \"rotation_deg\": [0, 0, 0], \"bias\": 0.5}"), GT_ERROR_BAD_VALUE,
          "rotations[0].keys[1].bias: must be left out, unless \"law\" is kochanek-bartels" },
        { HEAD_KEYS(", {\"time_s\": 1, \"rotation_deg\": [0, 0, 0], \"ease\": [0.6, 0.6]}"), GT_ERROR_BAD_VALUE,
          "rotations[0].keys[1].ease: must be two shares" },
        { TURN_OF(
              "\"marker\": 1, \"law\": \"kochanek-bartels\", \"keys\": [{\"time_s\": 0, \"rotation_deg\": [0, 0, 0], "
              "\"tension\": 2}]"),
          GT_ERROR_BAD_VALUE, "rotations[0].keys[0].tension: must be at most 1" },
        { "{\"gertie_keys\": 1, \"blend\": {\"keys\": [{\"time_s\": 0, \"share\": 1.5}]}}", GT_ERROR_BAD_VALUE,
          "blend.keys[0].share: must be at most 1" },
    };
    GtError error;
    TestFolder folder;
    GtContext context = gt_default_context();
    GtScene* scene = make_person(&context, 2000);
    test_folder_create(&folder);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtHandKeys* keys = NULL;
        test_folder_put(&folder, "bad.json", cases[i].text, strlen(cases[i].text));
        GT_EXPECT_ERROR(gt_hand_keys_load(&context, scene, test_folder_path(&folder, "bad.json"), &keys, &error),
                        cases[i].code, cases[i].says);
        assert_null(keys);
    }
    gt_scene_destroy(scene);
    test_folder_remove(&folder);
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    static const char text[] = "{\"gertie_keys\": 1, \"rotations\": [{\"joint\": \"head\", \"keys\": [{\"time_s\": 0, "
                               "\"rotation_deg\": [0, 9, 0]}]}],"
                               " \"blend\": {\"keys\": [{\"time_s\": 0, \"share\": 1}]}}";
    GtError error;
    TestFolder folder;
    TestAllocator memory = { .remaining = -1 };
    GtContext context = gt_default_context();
    GtScene* scene = make_turning(&context, 0.0f);
    add_clip(&context, scene, GT_HUMANOID_LEFT_UPPER_LEG, gt_vec3(1.0f, 0.0f, 0.0f), -0.8f);
    test_folder_create(&folder);
    test_folder_put(&folder, "keys.json", text, strlen(text));
    context.allocator = test_allocator(&memory);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        GtHandKeys* keys = NULL;
        memory.remaining = allowed;
        result = gt_hand_keys_load(&context, scene, test_folder_path(&folder, "keys.json"), &keys, &error);
        assert_true((keys != NULL) == (result == GT_OK));
        if (result == GT_OK) {
            result = gt_hand_keys_apply(&context, scene, keys, 0, 1, &error);
        }
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_hand_keys_destroy(keys);
        assert_int_equal(memory.alive, 0);
    }
    gt_scene_destroy(scene);
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_turn_with_all_that_hangs_on_them),
        cmocka_unit_test(axes_are_those_of_a_body_that_looks_elsewhere),
        cmocka_unit_test(turns_go_on_beyond_one_round),
        cmocka_unit_test(motions_blend_into_each_other),
        cmocka_unit_test(markers_turn_alone_and_are_kept),
        cmocka_unit_test(files_say_what_is_wrong_with_them),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

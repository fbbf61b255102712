// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Tracks: every kind of law on every kind of channel.

#include "runtime/curves.h"

#include "gertie/track.h"

enum {
    NODES = 3,
    WEIGHTS = 3,
    VALUES = 2
};

static const char* const value_names[VALUES] = { "camera.fov", "lattice:belly.point[1,2,0].z" };

static GtCharacter* make_character(void)
{
    static const char* const names[NODES] = { "root", "DEF-arm.001", "morph:odd" };
    static const int32_t parents[NODES] = { GT_NONE, 0, 1 };
    static const GtVec3 positions[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
    static const uint32_t indices[3] = { 0, 1, 2 };
    static const GtMorphDef morphs[2] = { { .name = "smile" }, { .name = "a/b" } };
    GtTransform rest[NODES] = { gt_transform_identity(), gt_transform_identity(), gt_transform_identity() };
    rest[1].rotation = gt_quat_from_axis_angle(gt_vec3(1, 0, 0), 0.5f);
    GtMeshDef meshes[2] = { { .name = "face", .morph_count = 2 },
                            { .name = "teeth", .morph_count = 1, .first_weight = 2 } };
    for (int i = 0; i < 2; ++i) {
        meshes[i].material = meshes[i].skin = GT_NONE;
        meshes[i].vertex_count = meshes[i].index_count = 3;
        meshes[i].positions = positions;
        meshes[i].indices = indices;
        meshes[i].morphs = morphs;
    }
    static const float rest_weights[WEIGHTS] = { 0 };
    GtHumanoidMap humanoid = gt_humanoid_map_empty();
    humanoid.nodes[GT_HUMANOID_LEFT_UPPER_ARM] = 1;
    GtCharacterDef def = gt_default_character_def();
    def.humanoid = &humanoid;
    def.node_count = NODES;
    def.names = names;
    def.parents = parents;
    def.rest = rest;
    def.weight_count = WEIGHTS;
    def.rest_weights = rest_weights;
    def.meshes = meshes;
    def.mesh_count = 2;
    GtCharacter* character = NULL;
    GtError error;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &character, &error));
    return character;
}

typedef struct Stage {
    GtCharacter* character;
    GtTransform pose[NODES];
    float weights[WEIGHTS];
    float values[VALUES];
} Stage;

static Stage make_stage(void)
{
    Stage stage = { .character = make_character() };
    memcpy(stage.pose, gt_character_def(stage.character)->rest, sizeof stage.pose);
    return stage;
}

static GtResult create(const Stage* stage, const GtTrackBinding* tracks, int32_t count, GtTrackSet** out,
                       GtError* error)
{
    GtTrackSetDef def = gt_default_track_set_def();
    def.character = stage->character;
    def.value_names = value_names;
    def.value_count = VALUES;
    def.tracks = tracks;
    def.track_count = count;
    return gt_track_set_create(gt_default_allocator(), &def, out, error);
}

static void apply(Stage* stage, const GtTrackBinding* tracks, int32_t count, double time_s)
{
    GtError error;
    GtTrackSet* set = NULL;
    GT_EXPECT_OK(create(stage, tracks, count, &set, &error));
    gt_track_set_apply(set, time_s,
                       (GtState){ .pose = stage->pose, .weights = stage->weights, .values = stage->values });
    gt_track_set_destroy(set);
}

static void twice_the_time(void* user, double time_s, const GtState* state, float* out)
{
    assert_non_null(state->pose);
    ++*(int*)user;
    out[0] = (float)(2 * time_s);
    out[1] = 5;
    out[2] = 6;
}

static void test_every_channel(void** state)
{
    (void)state;
    static const float times[2] = { 0, 1 };
    static const float line[2] = { 0, 10 };
    const GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0, 1, 0), 1.0f);
    const float turns[8] = { 0, 0, 0, 1, turn.x, turn.y, turn.z, turn.w };
    GtCurve* number = make_numbers(GT_LAW_LINEAR, 2, times, line);
    GtCurveDef def = numbers_def(GT_LAW_LINEAR, 2, times, turns);
    def.kind = GT_CURVE_ROTATION;
    def.component_count = 4;
    GtCurve* rotation = make_curve(&def);
    Stage stage = make_stage();
    int calls = 0;
    const GtTrackBinding tracks[] = {
        { .channel = "root.translation", .function = twice_the_time, .user = &calls },
        { .channel = "root.rotation", .curve = rotation },
        { .channel = "root.scale", .formula = "1 + t" }, // one number for all three
        { .channel = "DEF-arm.001.turn.z", .curve = number },
        { .channel = "DEF-arm.001.translation.y", .formula = "'root.translation.x' + root.scale.z" }, // seen at once
        { .channel = "leftUpperArm.scale.x", .formula = "3" },
        { .channel = "node:morph:odd.scale.x", .curve = number },
        { .channel = "morph:smile", .formula = "t" },
        { .channel = "morph:face/smile", .formula = "2 * morph:smile" },
        { .channel = "morph:a/b", .curve = number },
        { .channel = "camera.fov", .formula = "1" },
        { .channel = "lattice:belly.point[1,2,0].z", .formula = "camera.fov + lattice:belly.point[1,2,0].z" },
    };
    stage.values[1] = 41;
    apply(&stage, tracks, sizeof tracks / sizeof tracks[0], 0.25);
    GT_EXPECT_NEAR(stage.pose[0].translation.x, 0.5, 0);
    GT_EXPECT_NEAR(stage.pose[0].translation.z, 6, 0);
    GT_EXPECT_NEAR(stage.pose[1].scale.x, 3, 0);
    assert_int_equal(calls, 1);
    GT_EXPECT_NEAR(gt_quat_angle_rad(stage.pose[0].rotation, gt_quat_from_axis_angle(gt_vec3(0, 1, 0), 0.25f)), 0,
                   1e-6);
    GT_EXPECT_NEAR(stage.pose[0].scale.x, 1.25, 0);
    GT_EXPECT_NEAR(stage.pose[0].scale.z, 1.25, 0);
    GtQuat wanted = gt_quat_mul(gt_quat_from_axis_angle(gt_vec3(1, 0, 0), 0.5f), // rest first, then about its own z
                                gt_quat_from_axis_angle(gt_vec3(0, 0, 1), 2.5f));
    GT_EXPECT_NEAR(gt_quat_angle_rad(stage.pose[1].rotation, wanted), 0, 1e-6);
    GT_EXPECT_NEAR(stage.pose[1].translation.y, 1.75, 1e-6);
    GT_EXPECT_NEAR(stage.pose[2].scale.x, 2.5, 0);
    GT_EXPECT_NEAR(stage.pose[2].scale.y, 1, 0);
    GT_EXPECT_NEAR(stage.weights[0], 0.5, 0); // of the face alone
    GT_EXPECT_NEAR(stage.weights[2], 0.25, 0);
    GT_EXPECT_NEAR(stage.weights[1], 2.5, 0);
    GT_EXPECT_NEAR(stage.values[0], 1, 0);
    GT_EXPECT_NEAR(stage.values[1], 42, 0);
    gt_curve_destroy(number);
    gt_curve_destroy(rotation);
    gt_character_destroy(stage.character);
}

// Turns about several axes are one vector, whatever the order of their tracks; and they are read back as written.
// Both meshes are shown by the root, whose name means them together.
static void test_morphs_of_one_mesh(void** state)
{
    (void)state;
    static const struct {
        const char* channel;
        float weights[WEIGHTS]; // of face: smile, a/b; of teeth: smile
    } cases[] = {
        { "morph:smile", { 1, 0, 1 } },   { "morph:face/smile", { 1, 0, 0 } }, { "morph:teeth/smile", { 0, 0, 1 } },
        { "morph:face/#1", { 0, 1, 0 } }, { "morph:face/a/b", { 0, 1, 0 } },   { "morph:root/smile", { 1, 0, 1 } },
        { "morph:#0/#0", { 1, 0, 1 } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Stage stage = make_stage();
        const GtTrackBinding track = { .channel = cases[i].channel, .formula = "1" };
        apply(&stage, &track, 1, 0.0);
        for (int k = 0; k < WEIGHTS; ++k) {
            GT_EXPECT_NEAR(stage.weights[k], cases[i].weights[k], 0.0);
        }
        gt_character_destroy(stage.character);
    }
}

static void test_turns(void** state)
{
    (void)state;
    Stage stage = make_stage();
    const GtTrackBinding tracks[] = {
        { .channel = "DEF-arm.001.turn.z", .formula = "0.3" },
        { .channel = "DEF-arm.001.turn.x", .formula = "0.1" },
        { .channel = "DEF-arm.001.turn.y", .formula = "-0.2" },
        { .channel = "camera.fov",
          .formula = "'DEF-arm.001.turn.x'*100 + 'DEF-arm.001.turn.y'*10 + 'DEF-arm.001.turn.z'" },
    };
    apply(&stage, tracks, 4, 0);
    GtVec3 v = gt_vec3(0.1f, -0.2f, 0.3f);
    float angle = gt_vec3_length(v);
    GtQuat wanted = gt_quat_mul(gt_quat_from_axis_angle(gt_vec3(1, 0, 0), 0.5f),
                                gt_quat_from_axis_angle(gt_vec3_scale(v, 1 / angle), angle));
    GT_EXPECT_NEAR(gt_quat_angle_rad(stage.pose[1].rotation, wanted), 0, 1e-6);
    GT_EXPECT_NEAR(stage.values[0], 8.3, 1e-5);
    gt_character_destroy(stage.character);
}

static void nothing(void* user, double time_s, const GtState* state, float* out)
{
    (void)user;
    (void)state;
    if (time_s > 0) {
        out[0] = out[1] = out[2] = out[3] = 0; // no direction
    }
}

static void test_what_is_not_finite_changes_nothing(void** state)
{
    (void)state;
    Stage stage = make_stage();
    const GtTrackBinding tracks[] = {
        { .channel = "camera.fov", .formula = "log(-1)" },   { .channel = "root.translation.x", .formula = "1/0" },
        { .channel = "root.rotation", .function = nothing }, { .channel = "root.turn.x", .formula = "1e300*1e300" },
        { .channel = "morph:smile", .formula = "1e300" }, // beyond a float
    };
    stage.values[0] = 3;
    apply(&stage, tracks, 5, 0);
    apply(&stage, tracks, 5, 1);
    GT_EXPECT_NEAR(stage.values[0], 3, 0);
    GT_EXPECT_NEAR(stage.weights[0], 0, 0);
    assert_memory_equal(&stage.pose[0], &gt_character_def(stage.character)->rest[0], sizeof(GtTransform));
    gt_character_destroy(stage.character);
}

static void test_refused(void** state)
{
    (void)state;
    static const float times[1] = { 0 };
    static const float values[4] = { 0, 0, 0, 1 };
    GtCurveDef def = numbers_def(GT_LAW_LINEAR, 1, times, values);
    GtCurve* number = make_curve(&def);
    def.component_count = 4;
    def.kind = GT_CURVE_ROTATION;
    GtCurve* rotation = make_curve(&def);
    const struct {
        GtTrackBinding track;
        GtResult code;
        const char* says;
    } cases[] = {
        { { .channel = "rightUpperArm.scale", .formula = "1" }, GT_ERROR_NOT_FOUND, "no channel 'rightUpperArm" },
        { { .channel = "nobody.scale", .formula = "1" }, GT_ERROR_NOT_FOUND, "track 0 'nobody.scale': there is no" },
        { { .channel = "root.colour", .formula = "1" }, GT_ERROR_NOT_FOUND, "no channel 'root.colour'" },
        { { .channel = "root.scale.w", .formula = "1" }, GT_ERROR_NOT_FOUND, "no channel" },
        { { .channel = "morph:frown", .formula = "1" }, GT_ERROR_NOT_FOUND, "no channel" },
        { { .channel = "morph:teeth/a/b", .formula = "1" }, GT_ERROR_NOT_FOUND, "no channel" },
        { { .channel = "morph:teeth/#1", .formula = "1" }, GT_ERROR_NOT_FOUND, "no channel" },
        { { .channel = "morph:#0", .formula = "1" }, GT_ERROR_NOT_FOUND, "no channel" },
        { { .channel = "", .formula = "1" }, GT_ERROR_NOT_FOUND, "no channel" },
        { { .channel = "root.translation", .formula = "1" }, GT_ERROR_BAD_VALUE, "gives 1 numbers, the channel has 3" },
        { { .channel = "root.rotation", .curve = number }, GT_ERROR_BAD_VALUE, "driven as a whole" },
        { { .channel = "root.rotation.x", .formula = "1" }, GT_ERROR_BAD_VALUE, "driven as a whole" },
        { { .channel = "root.turn.x", .curve = rotation }, GT_ERROR_BAD_VALUE, "drives rotations only" },
        { { .channel = "root.turn.x", .formula = "1 +" }, GT_ERROR_BAD_VALUE, "ends too early" },
        { { .channel = "root.turn.x", .formula = "bogus" }, GT_ERROR_NOT_FOUND, "no channel 'bogus'" },
        { { .channel = "root.turn.x", .formula = "root.scale" }, GT_ERROR_BAD_VALUE, "as in root.scale.x" },
        { { .channel = "root.turn.x" }, GT_ERROR_BAD_VALUE, "one of curve, formula and function" },
        { { .channel = "root.turn.x", .formula = "1", .curve = number }, GT_ERROR_BAD_VALUE, "one of curve" },
        { { .formula = "1" }, GT_ERROR_BAD_VALUE, "needs a channel" },
    };
    GtError error;
    GtTrackSet* set = NULL;
    Stage stage = make_stage();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GT_EXPECT_ERROR(create(&stage, &cases[i].track, 1, &set, &error), cases[i].code, cases[i].says);
        assert_null(set);
    }
    // Whichever allocation fails, nothing stays behind.
    const GtTrackBinding good[2] = { { .channel = "camera.fov", .formula = "t + root.scale.x" },
                                     { .channel = "root.turn.x", .formula = "t" } };
    for (int64_t n = 0;; ++n) {
        TestAllocator counted = { .remaining = n };
        GtTrackSetDef set_def = { stage.character, value_names, VALUES, good, 2 };
        GtResult result = gt_track_set_create(test_allocator(&counted), &set_def, &set, &error);
        gt_track_set_destroy(set);
        assert_int_equal(counted.alive, 0);
        if (result == GT_OK) {
            assert_true(n > 1);
            break;
        }
        assert_int_equal(result, GT_ERROR_OUT_OF_MEMORY);
    }
    gt_curve_destroy(number);
    gt_curve_destroy(rotation);
    gt_character_destroy(stage.character);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_channel), cmocka_unit_test(test_morphs_of_one_mesh),
        cmocka_unit_test(test_turns),         cmocka_unit_test(test_what_is_not_finite_changes_nothing),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

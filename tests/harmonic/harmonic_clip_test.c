// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Clips carried over to markers. A body that moves without bending must move as its skin does, to rounding, whatever
// the turn; what is baked must play as it was posed.

#include "gertie/accessor.h"
#include "gertie/file.h"

#include "harmonic/turning.h"

static void a_body_that_turns_as_a_whole_stays_rigid(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtVec3 axis = gt_vec3_normalize_or(gt_vec3(0.2f, 1.0f, 0.3f), gt_vec3(0, 1, 0));
    GtScene* scene = make_turning(&context, GT_HUMANOID_HIPS, axis, 7.0f); // more than once round
    GtFigure figure = test_figure(&context, scene, 0);
    GtMarkers* markers = find_markers(&context, &figure);
    GtHarmonicClipReport report;
    GtHarmonicClip* clip = make_clip(&context, &figure, markers, false, &report);
    Player player;
    open_player(&player, &context, scene);
    assert_int_equal(clip->vertex_count, player.vertex_count);
    assert_int_equal(clip->frame_count, FRAMES);
    GtVec3* posed = calloc((size_t)clip->vertex_count * FRAMES, sizeof *posed);
    GtVec3* played = calloc((size_t)clip->vertex_count, sizeof *played);
    GT_EXPECT_OK(gt_harmonic_clip_pose(&context, clip, 0, FRAMES, posed, &error));
    for (int f = 0; f < FRAMES; ++f) {
        play(&player, (double)f / (FRAMES - 1), played, NULL);
        GT_EXPECT_NEAR(largest_distance(posed + (size_t)f * (size_t)clip->vertex_count, played, clip->vertex_count),
                       0.0, 2e-4);
    }
    assert_int_equal(report.turned_frame_count, 0); // it is joints against each other that count
    GT_EXPECT_NEAR(gt_degrees(report.turn_rad), 0.0, 0.1);
    GT_EXPECT_NEAR(report.stretch_max, 1.0, 0.02);
    GT_EXPECT_NEAR(report.stretch_min, 1.0, 0.02);
    GT_EXPECT_NEAR(gt_degrees(report.residual_max_rad), 0.0, 0.2);
    free(posed);
    free(played);
    close_player(&player);
    gt_harmonic_clip_destroy(clip);
    gt_markers_destroy(markers);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
}

static void turns_past_half_way_go_on_without_a_jump(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = make_turning(&context, GT_HUMANOID_HEAD, gt_vec3(0.0f, 1.0f, 0.0f), 3.6f); // 206 degrees
    GtFigure figure = test_figure(&context, scene, 0);
    GtMarkers* markers = find_markers(&context, &figure);
    GtHarmonicClipReport report;
    GtHarmonicClip* clip = make_clip(&context, &figure, markers, false, &report);
    size_t count = (size_t)clip->marker_count;
    for (size_t f = 1; f < FRAMES; ++f) {
        for (size_t i = 0; i < count; ++i) {
            assert_true(gt_quat_dot(clip->rotations[f * count + i], clip->rotations[(f - 1) * count + i]) > 0.9f);
        }
    }
    GT_EXPECT_NEAR(gt_degrees(report.turn_rad), 206.3, 0.1);
    GT_EXPECT_NEAR(report.turn_time_s, 1.0, 1e-6);
    assert_int_equal(report.turn_node, node_of(scene, GT_HUMANOID_HEAD));
    assert_int_equal(report.turned_frame_count, 5); // of 10.3 degrees each, beyond 160
    gt_harmonic_clip_destroy(clip);
    gt_markers_destroy(markers);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
}

// A joint turns by a radian about the arm, which lies nearly along x: what do markers of the forearm make of it?
static void expect_twist(GtHumanoidJoint turning, bool is_own)
{
    GtContext context = gt_default_context();
    GtScene* scene = make_turning(&context, turning, gt_vec3(1.0f, 0.0f, 0.0f), 1.0f);
    GtFigure figure = test_figure(&context, scene, 0);
    GtMarkers* markers = find_markers(&context, &figure);
    GtHarmonicClip* clip = make_clip(&context, &figure, markers, false, NULL);
    const GtQuat* last = clip->rotations + (size_t)(FRAMES - 1) * (size_t)clip->marker_count;
    int32_t counts[2] = { 0, 0 };
    for (int32_t i = 0; i < clip->marker_count; ++i) {
        double twist = (double)markers->markers[i].twist;
        if (markers->markers[i].node == node_of(scene, GT_HUMANOID_LEFT_LOWER_ARM)) {
            double angle = (double)gt_quat_angle_rad(last[i], gt_quat_identity());
            GT_EXPECT_NEAR(angle, is_own ? 1.0 + fmin(twist, 0.0) : fmax(twist, 0.0), 0.02);
            ++counts[twist > 0.0];
        }
    }
    assert_int_equal(counts[0], 1); // a band at each end
    assert_int_equal(counts[1], 1);
    gt_harmonic_clip_destroy(clip);
    gt_markers_destroy(markers);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
}

static void twist_spreads_along_forearms(void** state)
{
    (void)state;
    expect_twist(GT_HUMANOID_LEFT_HAND, false);
    expect_twist(GT_HUMANOID_LEFT_LOWER_ARM, true);
}

// Mean square of how far from their middle, across the arm, points of a forearm are that lie in its middle at rest.
static float forearm_spread(const Player* player, const GtVec3* rest, const GtVec3* posed, int32_t count)
{
    const GtCharacterDef* def = gt_character_def(player->character);
    float ends[2] = { 0.0f, 0.0f };
    for (int32_t n = 0; n < def->node_count; ++n) {
        float x = gt_mat34_translation(&player->instance->model_from_node[n]).x;
        ends[0] = !strcmp(def->names[n], "leftLowerArm") ? x : ends[0];
        ends[1] = !strcmp(def->names[n], "leftHand") ? x : ends[1];
    }
    double sum[2] = { 0.0, 0.0 };
    double square = 0.0;
    int32_t found = 0;
    for (int32_t v = 0; v < count; ++v) {
        float along = (rest[v].x - ends[0]) / (ends[1] - ends[0]);
        if (along > 0.1f && along < 0.9f) {
            sum[0] += (double)posed[v].y;
            sum[1] += (double)posed[v].z;
            square += (double)(posed[v].y * posed[v].y + posed[v].z * posed[v].z);
            ++found;
        }
    }
    assert_true(found >= 12);
    return (float)((square - (sum[0] * sum[0] + sum[1] * sum[1]) / found) / found);
}

// A hand that goes round more than once takes the forearm along by half of it, which stays as thick as it was.
static void twists_go_on_for_any_number_of_turns(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_turning(&context, GT_HUMANOID_LEFT_HAND, gt_vec3(1.0f, 0.0f, 0.0f), 9.0f);
    GtFigure figure = test_figure(&context, scene, 0);
    GtMarkers* markers = find_markers(&context, &figure);
    GtHarmonicClipReport report;
    GtHarmonicClip* clip = make_clip(&context, &figure, markers, false, &report);
    size_t marker_count = (size_t)clip->marker_count;
    for (size_t i = 0; i < marker_count; ++i) {
        float share = markers->markers[i].node == node_of(scene, GT_HUMANOID_LEFT_HAND) ? 1.0f : 0.0f;
        share = markers->markers[i].node == node_of(scene, GT_HUMANOID_LEFT_LOWER_ARM)
                    ? fmaxf(markers->markers[i].twist, 0.0f)
                    : share;
        if (share > 0.0f) {
            GT_EXPECT_NEAR(clip->twists[(FRAMES - 1) * marker_count + i], 9.0f * share, 0.1f);
        }
    }
    assert_true(gt_degrees(report.turn_rad) < 30.0); // but for how its bone leans against the axis
    Player player;
    open_player(&player, &context, scene);
    size_t count = (size_t)clip->vertex_count;
    GtVec3* posed = calloc(count * FRAMES, sizeof *posed);
    GtVec3* rest = calloc(count, sizeof *rest);
    GT_EXPECT_OK(gt_harmonic_clip_pose(&context, clip, 0, FRAMES, posed, &error));
    play(&player, 0.0, rest, NULL);
    float at_rest = forearm_spread(&player, rest, rest, clip->vertex_count);
    for (size_t f = 0; f < FRAMES; f += 4) {
        float now = forearm_spread(&player, rest, posed + f * count, clip->vertex_count);
        GT_EXPECT_NEAR(now / at_rest, 1.0f, 0.1f);
    }
    free(posed);
    free(rest);
    close_player(&player);
    gt_harmonic_clip_destroy(clip);
    gt_markers_destroy(markers);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
}

static GtScene* make_kicking(const GtContext* context)
{
    GtError error;
    GtScene* person = make_person(context, 3000);
    GtScene* motion = NULL;
    GtScene* scene = NULL;
    GtMotionDef def = gt_default_motion_def(GT_MOTION_KICK);
    GtAnimateDef animate = gt_default_animate_def();
    GT_EXPECT_OK(gt_sample_motion(context, &def, &motion, NULL, &error));
    GT_EXPECT_OK(gt_animate(context, person, motion, &animate, &scene, NULL, &error));
    gt_scene_destroy(person);
    gt_scene_destroy(motion);
    return scene;
}

// What is baked plays within what the report says of it; the largest distance and the mean square are returned.
static float expect_baked(const GtContext* context, GtFigure* figure, const GtHarmonicClip* clip,
                          const GtHarmonicBakeDef* def, GtHarmonicBakeReport* report, double* rms_m)
{
    GtError error;
    GtScene* baked = NULL;
    GT_EXPECT_OK(gt_harmonic_clip_bake(context, figure, clip, def, &baked, report, &error));
    GT_EXPECT_OK(gt_scene_validate(context, baked, &error));
    Player player;
    open_player(&player, context, baked);
    size_t count = (size_t)clip->vertex_count;
    GtVec3* posed = calloc(count * (size_t)clip->frame_count, sizeof *posed);
    GtVec3* played = calloc(count, sizeof *played);
    GtVec3* normals = calloc(count, sizeof *normals);
    GT_EXPECT_OK(gt_harmonic_clip_pose(context, clip, 0, clip->frame_count, posed, &error));
    float most = 0.0f;
    double sum = 0.0;
    for (int32_t f = 0; f < clip->frame_count; ++f) {
        play(&player, clip->start_s + (double)f / clip->rate_hz, played, normals);
        most = fmaxf(most, largest_distance(played, posed + (size_t)f * count, clip->vertex_count));
        for (size_t v = 0; v < count; ++v) {
            GtVec3 off = gt_vec3_sub(played[v], posed[(size_t)f * count + v]);
            sum += (double)gt_vec3_dot(off, off);
        }
    }
    *rms_m = sqrt(sum / ((double)count * (double)clip->frame_count));
    free(posed);
    free(played);
    free(normals);
    close_player(&player);
    gt_scene_destroy(baked);
    return most;
}

static void baked_clips_play_as_they_were_posed(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = make_kicking(&context);
    GtFigure figure = test_figure(&context, scene, 0);
    GtMarkers* markers = find_markers(&context, &figure);
    GtHarmonicClip* clip = make_clip(&context, &figure, markers, true, NULL);
    GtHarmonicBakeDef def = gt_default_harmonic_bake_def();
    GtHarmonicBakeReport report;
    double rms_m = 0.0;
    double skin_rms_m = 0.0;
    def.max_growth = 0.0;
    float most = expect_baked(&context, &figure, clip, &def, &report, &rms_m);
    GT_EXPECT_NEAR(most, report.error_max_m, 1e-4);
    GT_EXPECT_NEAR(rms_m, report.error_rms_m, 2e-5);
    assert_in_range(report.shape_count, 2, 24);
    assert_true(rms_m < 1.2 * def.tolerance_m);
    assert_true(report.error_max_m < 0.01);

    def.bake = GT_HARMONIC_BAKE_SKIN;
    most = expect_baked(&context, &figure, clip, &def, &report, &skin_rms_m);
    GT_EXPECT_NEAR(most, report.error_max_m, 1e-4);
    GT_EXPECT_NEAR(skin_rms_m, report.error_rms_m, 2e-5);
    GT_EXPECT_NEAR(report.skin_rms_m, report.error_rms_m, 1e-9);
    assert_int_equal(report.shape_count, 0);
    assert_true(skin_rms_m < 0.008); // the clip's own joints leave 20 mm

    def.bake = GT_HARMONIC_BAKE_SHAPES;
    def.max_shapes = 3; // no more, whatever the tolerance
    expect_baked(&context, &figure, clip, &def, &report, &rms_m);
    assert_int_equal(report.shape_count, 3);
    assert_true(rms_m < 0.5 * skin_rms_m);

    def.bake = GT_HARMONIC_BAKE_FRAMES;
    most = expect_baked(&context, &figure, clip, &def, &report, &rms_m);
    assert_int_equal(report.shape_count, clip->frame_count);
    assert_true(report.error_max_m < 0.001);
    GT_EXPECT_NEAR(most, report.error_max_m, 2e-4 + report.error_max_m);
    gt_harmonic_clip_destroy(clip);
    gt_markers_destroy(markers);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
}

// The default writes at most twice the bytes of the skin alone, with as many shapes as fit, and says what is left. The
// normals that matter are still there.
static void baked_clips_are_small(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_kicking(&context);
    GtFigure figure = test_figure(&context, scene, 0);
    GtMarkers* markers = find_markers(&context, &figure);
    GtHarmonicClip* clip = make_clip(&context, &figure, markers, true, NULL);
    GtHarmonicBakeReport reports[3];
    GtScene* baked[3] = { NULL, NULL, NULL };
    size_t sizes[3];
    double rms_m = 0.0;
    for (int i = 0; i < 3; ++i) { // skin alone, the default, without a limit
        GtHarmonicBakeDef def = gt_default_harmonic_bake_def();
        GtBlob* file = NULL;
        def.bake = i == 0 ? GT_HARMONIC_BAKE_SKIN : GT_HARMONIC_BAKE_SHAPES;
        def.max_growth = i == 2 ? 0.0 : def.max_growth;
        GT_EXPECT_OK(gt_harmonic_clip_bake(&context, &figure, clip, &def, &baked[i], &reports[i], &error));
        GT_EXPECT_OK(gt_scene_prune(baked[i], scene, &error));
        GT_EXPECT_OK(gt_scene_save_memory(&context, baked[i], "glb", NULL, &file, &error));
        sizes[i] = gt_blob_size(file);
        gt_blob_release(file);
    }
    assert_true(sizes[1] <= 2 * sizes[0] && sizes[2] > 2 * sizes[0]);
    assert_true(reports[1].shape_count > 0 && reports[1].shape_count < reports[2].shape_count);
    assert_true(reports[1].error_rms_m < 0.5 * reports[1].skin_rms_m);
    GtHarmonicBakeDef def = gt_default_harmonic_bake_def();
    expect_baked(&context, &figure, clip, &def, &reports[1], &rms_m);
    GT_EXPECT_NEAR(rms_m, reports[1].error_rms_m, 2e-5);
    const GtMesh* mesh = &baked[1]->meshes[0];
    int sparse_count = 0;
    for (int32_t t = 0; t < mesh->target_count; ++t) {
        int32_t normals = gt_morph_target_find(&mesh->primitives[0].targets[t], "NORMAL");
        assert_true(normals != GT_NONE);
        sparse_count += baked[1]->accessors[normals].sparse != NULL;
    }
    assert_true(sparse_count > 0);
    for (int i = 0; i < 3; ++i) {
        gt_scene_destroy(baked[i]);
    }
    gt_harmonic_clip_destroy(clip);
    gt_markers_destroy(markers);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
}

// Baked again, a mesh has more shapes; a clip that keys the first ones must still play as it did.
static void other_clips_play_as_before(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_turning(&context, GT_HUMANOID_HEAD, gt_vec3(0.0f, 1.0f, 0.0f), 1.0f);
    GtFigure figure = test_figure(&context, scene, 0);
    GtMarkers* markers = find_markers(&context, &figure);
    GtHarmonicClip* clip = make_clip(&context, &figure, markers, false, NULL);
    GtHarmonicBakeDef def = gt_default_harmonic_bake_def();
    GtScene* baked = NULL;
    GtScene* again = NULL;
    GT_EXPECT_OK(gt_harmonic_clip_bake(&context, &figure, clip, &def, &baked, NULL, &error));
    GT_EXPECT_OK(gt_scene_add_animation(baked, &scene->animations[0], NULL, &error));
    GtFigure baked_figure = test_figure(&context, baked, 1);
    clip->animation = 1;
    GT_EXPECT_OK(gt_harmonic_clip_bake(&context, &baked_figure, clip, &def, &again, NULL, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, again, &error));
    Player players[2];
    open_player(&players[0], &context, baked);
    open_player(&players[1], &context, again);
    GtVec3* before = calloc((size_t)clip->vertex_count, sizeof *before);
    GtVec3* after = calloc((size_t)clip->vertex_count, sizeof *after);
    play(&players[0], 0.7, before, NULL);
    play(&players[1], 0.7, after, NULL);
    assert_int_equal(players[1].vertex_count, clip->vertex_count);
    GT_EXPECT_NEAR(largest_distance(before, after, clip->vertex_count), 0.0, 1e-7);
    free(before);
    free(after);
    close_player(&players[0]);
    close_player(&players[1]);
    gt_figure_close(&baked_figure);
    gt_scene_destroy(again);
    gt_scene_destroy(baked);
    gt_harmonic_clip_destroy(clip);
    gt_markers_destroy(markers);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
}

// The farthest that the middle of a hand is from where the skin has it.
static float hand_off(const GtContext* context, const GtScene* scene, const GtHarmonicClip* clip, int32_t frame)
{
    GtError error;
    Player player;
    open_player(&player, context, scene);
    size_t count = (size_t)clip->vertex_count;
    GtVec3* posed = calloc(count, sizeof *posed);
    GtVec3* played = calloc(count, sizeof *played);
    GT_EXPECT_OK(gt_harmonic_clip_pose(context, clip, frame, 1, posed, &error));
    play(&player, clip->start_s + (double)frame / clip->rate_hz, played, NULL);
    const GtCharacterDef* def = gt_character_def(player.character);
    GtVec3 sum = gt_vec3(0.0f, 0.0f, 0.0f);
    float hands = 0.0f;
    for (int32_t m = 0, at = 0; m < def->mesh_count; at += def->meshes[m++].vertex_count) {
        const GtMeshDef* mesh = &def->meshes[m];
        for (int32_t i = 0; i < mesh->vertex_count * mesh->influence_count; ++i) {
            int32_t v = at + i / mesh->influence_count;
            bool is_hand = !strcmp(def->names[def->skins[mesh->skin].joints[mesh->joints[i]]], "leftHand");
            if (is_hand && mesh->weights[i] > 0.5f) {
                sum = gt_vec3_add(sum, gt_vec3_sub(posed[v], played[v]));
                hands += 1.0f;
            }
        }
    }
    free(posed);
    free(played);
    close_player(&player);
    return gt_vec3_length(sum) / hands;
}

static void standing_feet_and_hands_are_held(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = make_kicking(&context);
    GtFigure figure = test_figure(&context, scene, 0);
    GtMarkers* markers = find_markers(&context, &figure);
    GtHarmonicClipReport held;
    GtHarmonicClip* clip = make_clip(&context, &figure, markers, true, &held);
    GtHarmonicClip* loose = make_clip(&context, &figure, markers, false, NULL);
    assert_true(held.shift_max_m > 0.002); // there was something to do
    assert_true(held.foot_error_max_m < 1e-4 && held.hand_error_max_m < 1e-4);
    assert_true(hand_off(&context, scene, loose, 10) > 0.02f);
    assert_true(hand_off(&context, scene, clip, 10) < 0.003f); // of other vertices
    gt_harmonic_clip_destroy(clip);
    gt_harmonic_clip_destroy(loose);
    gt_markers_destroy(markers);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
}

static void what_cannot_be_is_refused(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_turning(&context, GT_HUMANOID_HEAD, gt_vec3(0.0f, 1.0f, 0.0f), 1.0f);
    GtFigure figure = test_figure(&context, scene, 0);
    GtMarkers* markers = find_markers(&context, &figure);
    GtHarmonicClip* clip = NULL;
    GtHarmonicClipDef def = gt_default_harmonic_clip_def();
    GtFigureDef playing = gti_figure_playing(1, NULL);
    GtFigure other;
    GT_EXPECT_ERROR(gt_figure_open(&context, scene, &playing, &other, &error), GT_ERROR_NOT_FOUND,
                    "there is no clip 1; the file has 1");
    gt_figure_close(&other);
    other = test_figure(&context, scene, GT_NONE);
    GT_EXPECT_ERROR(gt_harmonic_clip_create(&context, &other, markers, &def, &clip, NULL, &error), GT_ERROR_NOT_FOUND,
                    "there is no clip to follow");
    gt_figure_close(&other);
    def.rate_hz = NAN;
    GT_EXPECT_ERROR(gt_harmonic_clip_create(&context, &figure, markers, &def, &clip, NULL, &error), GT_ERROR_BAD_VALUE,
                    "Hz is out of range");
    def = gt_default_harmonic_clip_def();
    markers->markers[3].triangle = 1 << 30;
    GT_EXPECT_ERROR(gt_harmonic_clip_create(&context, &figure, markers, &def, &clip, NULL, &error), GT_ERROR_BAD_VALUE,
                    "marker 3 is on no triangle");
    markers->hash ^= 1;
    GT_EXPECT_ERROR(gt_harmonic_clip_create(&context, &figure, markers, &def, &clip, NULL, &error), GT_ERROR_BAD_VALUE,
                    "another mesh");
    assert_null(clip);
    gt_markers_destroy(markers);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    GtError error;
    TestAllocator memory = { .remaining = -1 };
    GtContext context = gt_default_context();
    GtScene* scene = make_turning(&context, GT_HUMANOID_HEAD, gt_vec3(0.0f, 1.0f, 0.0f), 1.0f);
    GtFigure figure = test_figure(&context, scene, 0);
    GtMarkers* markers = find_markers(&context, &figure);
    GtHarmonicClipDef def = gt_default_harmonic_clip_def();
    def.rate_hz = 2.0;
    gt_figure_close(&figure);
    GtFigureDef playing = gti_figure_playing(0, NULL);
    context.allocator = test_allocator(&memory);
    GtHarmonicClip* clip = NULL;
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        assert_int_equal(memory.alive, 0);
        memory.remaining = allowed;
        result = gt_figure_open(&context, scene, &playing, &figure, &error);
        if (result == GT_OK) {
            result = gt_harmonic_clip_create(&context, &figure, markers, &def, &clip, NULL, &error);
        }
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_figure_close(&figure);
    }
    int64_t alive = memory.alive;
    for (int way = GT_HARMONIC_BAKE_SHAPES; way <= GT_HARMONIC_BAKE_FRAMES; ++way) {
        GtHarmonicBakeDef bake = gt_default_harmonic_bake_def();
        bake.bake = (GtHarmonicBake)way;
        bake.keep = markers;
        result = GT_ERROR_OUT_OF_MEMORY;
        for (int64_t allowed = 0; result != GT_OK; ++allowed) {
            GtScene* baked = NULL;
            memory.remaining = allowed;
            result = gt_figure_open(&context, scene, &playing, &figure, &error);
            if (result == GT_OK) {
                result = gt_harmonic_clip_bake(&context, &figure, clip, &bake, &baked, NULL, &error);
            }
            assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
            assert_true((baked != NULL) == (result == GT_OK));
            gt_scene_destroy(baked);
            gt_figure_close(&figure);
            assert_int_equal(memory.alive, alive);
        }
    }
    gt_harmonic_clip_destroy(clip);
    gt_markers_destroy(markers);
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_that_turns_as_a_whole_stays_rigid),
        cmocka_unit_test(turns_past_half_way_go_on_without_a_jump),
        cmocka_unit_test(twist_spreads_along_forearms),
        cmocka_unit_test(twists_go_on_for_any_number_of_turns),
        cmocka_unit_test(baked_clips_play_as_they_were_posed),
        cmocka_unit_test(baked_clips_are_small),
        cmocka_unit_test(other_clips_play_as_before),
        cmocka_unit_test(standing_feet_and_hands_are_held),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

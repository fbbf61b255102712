// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Clips carried over to markers. A body that moves without bending must move as its skin does, to rounding, whatever
// the turn; what is baked must play as it was posed.

#include "harmonic/people.h"

#include "gertie/accessor.h"
#include "gertie/animate.h"
#include "gertie/bake.h"
#include "gertie/build.h"
#include "gertie/harmonic_clip.h"
#include "gertie/instance.h"
#include "gertie/motions.h"

#include "figure/figure.h"
#include "support/figure.h"

#include <stdlib.h>

enum {
    FRAMES = 21
};

// A person whose joint turns about an axis of its own, evenly, over a second.
static GtScene* make_turning(const GtContext* context, GtHumanoidJoint joint, GtVec3 axis, float angle_rad)
{
    GtError error;
    GtScene* scene = make_person(context, 3000);
    int32_t node = node_of(scene, joint);
    uint8_t paths = GT_BAKE_ROTATION | GT_BAKE_TRANSLATION;
    float times_s[FRAMES];
    GtTransform poses[FRAMES];
    for (int f = 0; f < FRAMES; ++f) {
        float share = (float)f / (FRAMES - 1);
        times_s[f] = share;
        poses[f] = scene->nodes[node].local;
        poses[f].rotation = gt_quat_mul(poses[f].rotation, gt_quat_from_axis_angle(axis, share * angle_rad));
        if (joint == GT_HUMANOID_HIPS) {
            poses[f].translation = gt_vec3_add(poses[f].translation, gt_vec3(share, 0.5f * share, -2.0f * share));
        }
    }
    GtBakeDef def = { .name = "turn",
                      .frame_count = FRAMES,
                      .times_s = times_s,
                      .node_count = 1,
                      .nodes = &node,
                      .paths = &paths,
                      .poses = poses };
    scene->animation_count = 0;
    GT_EXPECT_OK(gt_scene_bake(context, scene, &def, NULL, &error));
    return scene;
}

static GtMarkers* find_markers(const GtContext* context, GtFigure* figure)
{
    GtError error;
    GtMarkers* markers = NULL;
    GtMarkersDef def = gt_default_markers_def();
    GT_EXPECT_OK(gt_markers_find(context, figure, &def, &markers, NULL, &error));
    return markers;
}

static GtHarmonicClip* make_clip(const GtContext* context, GtFigure* figure, const GtMarkers* markers, bool hold,
                                 GtHarmonicClipReport* report)
{
    GtError error;
    GtHarmonicClip* clip = NULL;
    GtHarmonicClipDef def = gt_default_harmonic_clip_def();
    def.rate_hz = 20.0;
    def.hold_feet = def.hold_hands = hold;
    GT_EXPECT_OK(gt_harmonic_clip_create(context, figure, markers, &def, &clip, report, &error));
    return clip;
}

// Vertices of all meshes as the runtime plays the clip.
typedef struct Player {
    GtContext context;
    GtCharacter* character;
    GtInstance* instance;
    GtClip* clip;
    int32_t vertex_count;
} Player;

static void open_player(Player* p, const GtContext* context, const GtScene* scene)
{
    GtError error;
    GtBuildDef def = gt_default_build_def();
    *p = (Player){ .context = *context };
    GT_EXPECT_OK(gt_character_build(context, scene, &def, &p->character, NULL, &error));
    GT_EXPECT_OK(gt_instance_create(context->allocator, p->character, &p->instance, &error));
    GT_EXPECT_OK(gt_clip_build(context, scene, 0, p->character, &p->clip, &error));
    for (int32_t m = 0; m < gt_character_def(p->character)->mesh_count; ++m) {
        p->vertex_count += gt_character_def(p->character)->meshes[m].vertex_count;
    }
}

static void play(Player* p, double time_s, GtVec3* positions, GtVec3* normals)
{
    const GtCharacterDef* def = gt_character_def(p->character);
    gt_instance_reset(p->instance);
    gt_clip_sample(p->clip, time_s, p->instance->pose, p->instance->weights);
    gt_instance_update(p->instance);
    for (int32_t m = 0, at = 0; m < def->mesh_count; at += def->meshes[m++].vertex_count) {
        gt_instance_deform(p->instance, m, positions + at, normals ? normals + at : NULL, NULL);
    }
}

static void close_player(Player* p)
{
    gt_clip_destroy(p->clip);
    gt_instance_destroy(p->instance);
    gt_character_destroy(p->character);
}

static float largest_distance(const GtVec3* a, const GtVec3* b, int32_t count)
{
    float most = 0.0f;
    for (int32_t i = 0; i < count; ++i) {
        most = fmaxf(most, gt_vec3_length(gt_vec3_sub(a[i], b[i])));
        assert_true(isfinite(a[i].x + a[i].y + a[i].z));
    }
    return most;
}

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

// A kicking person, baked, with its markers kept in the scene.
typedef struct KeptScene {
    GtScene* scene;
    GtScene* baked;
    GtMarkers* markers;
    GtHarmonicClip* clip;
} KeptScene;

static KeptScene make_kept(const GtContext* context)
{
    GtError error;
    KeptScene kept = { .scene = make_turning(context, GT_HUMANOID_HEAD, gt_vec3(0.0f, 1.0f, 0.0f), 1.0f) };
    GtFigure figure = test_figure(context, kept.scene, 0); // what is made of it does without it
    kept.markers = find_markers(context, &figure);
    kept.clip = make_clip(context, &figure, kept.markers, true, NULL);
    GtHarmonicBakeDef def = gt_default_harmonic_bake_def();
    def.keep = kept.markers;
    GT_EXPECT_OK(gt_harmonic_clip_bake(context, &figure, kept.clip, &def, &kept.baked, NULL, &error));
    gt_figure_close(&figure);
    GT_EXPECT_OK(gt_scene_validate(context, kept.baked, &error));
    return kept;
}

static void destroy_kept(KeptScene* kept)
{
    gt_harmonic_clip_destroy(kept->clip);
    gt_markers_destroy(kept->markers);
    gt_scene_destroy(kept->baked);
    gt_scene_destroy(kept->scene);
}

// Positions and normals of a frozen scene, one primitive after the other.
static void read_frozen(const GtScene* scene, GtVec3* positions, GtVec3* normals)
{
    for (int32_t n = 0; n < scene->node_count; ++n) {
        const GtMesh* mesh = &scene->meshes[scene->nodes[n].mesh];
        for (int32_t p = 0; p < mesh->primitive_count; ++p) {
            int32_t place = gt_primitive_find(&mesh->primitives[p], "POSITION");
            uint64_t count = scene->accessors[place].count;
            gt_accessor_read_floats(scene, place, 0, count, &positions->x);
            gt_accessor_read_floats(scene, gt_primitive_find(&mesh->primitives[p], "NORMAL"), 0, count, &normals->x);
            positions += count;
            normals += count;
        }
    }
}

// What frames are as shapes, they are one at a time; and no frame leaves anything in memory for the next.
static void frames_are_played_one_at_a_time(void** state)
{
    (void)state;
    GtError error;
    TestAllocator counting = { .remaining = -1 };
    GtContext context = gt_default_context();
    KeptScene kept = make_kept(&context);
    GtHarmonicBakeDef def = { .bake = GT_HARMONIC_BAKE_FRAMES };
    GtScene* baked = NULL;
    Player player;
    GtFigure figure = test_figure(&context, kept.scene, 0);
    GT_EXPECT_OK(gt_harmonic_clip_bake(&context, &figure, kept.clip, &def, &baked, NULL, &error));
    open_player(&player, &context, baked);
    size_t count = (size_t)kept.clip->vertex_count;
    GtVec3* vectors = calloc(4 * count, sizeof *vectors);
    GtHarmonicPlayer* played = NULL;
    GtContext counted = context;
    counted.allocator = test_allocator(&counting);
    GT_EXPECT_OK(gt_harmonic_player_create(&counted, &figure, kept.clip, &played, &error));
    int64_t alive = counting.alive;
    for (int32_t f = kept.clip->frame_count - 1; f >= 0; f -= 3) {
        const GtVec3* posed = NULL;
        GtScene* frozen = NULL;
        play(&player, (double)f / kept.clip->rate_hz, vectors, vectors + count);
        GT_EXPECT_OK(gt_harmonic_player_pose(played, f, &posed, &error));
        GT_EXPECT_NEAR(largest_distance(posed, vectors, kept.clip->vertex_count), 0.0, 2e-6);
        GT_EXPECT_OK(gt_harmonic_player_freeze(played, f, &frozen, &error));
        GT_EXPECT_OK(gt_scene_validate(&context, frozen, &error));
        read_frozen(frozen, vectors + 2 * count, vectors + 3 * count);
        GT_EXPECT_NEAR(largest_distance(vectors, vectors + 2 * count, kept.clip->vertex_count), 0.0, 2e-6);
        GT_EXPECT_NEAR(largest_distance(vectors + count, vectors + 3 * count, kept.clip->vertex_count), 0.0, 1e-4);
        gt_scene_destroy(frozen);
        assert_int_equal(counting.alive, alive);
    }
    gt_harmonic_player_destroy(played);
    assert_int_equal(counting.alive, 0);
    GtFigureDef playing = gti_figure_playing(0, NULL);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; allowed += 1 + allowed / 8) {
        counting.remaining = allowed;
        GtScene* frozen = NULL;
        GtFigure scarce;
        played = NULL;
        result = gt_figure_open(&counted, kept.scene, &playing, &scarce, &error);
        result = result == GT_OK ? gt_harmonic_player_create(&counted, &scarce, kept.clip, &played, &error) : result;
        result = result == GT_OK ? gt_harmonic_player_freeze(played, 3, &frozen, &error) : result;
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_scene_destroy(frozen);
        gt_harmonic_player_destroy(played);
        gt_figure_close(&scarce);
        assert_int_equal(counting.alive, 0);
    }
    free(vectors);
    close_player(&player);
    gt_figure_close(&figure);
    gt_scene_destroy(baked);
    destroy_kept(&kept);
}

static uint8_t* kept_bytes(const GtScene* scene, size_t* size)
{
    const GtBufferView* view = &scene->buffer_views[scene->animations[0].harmonic->view];
    *size = (size_t)view->size;
    return (uint8_t*)gt_blob_bytes(scene->buffers[view->buffer].blob) + view->offset;
}

// The first clip of a scene as it is now.
static GtResult restore(const GtContext* context, const GtScene* scene, GtHarmonicClip** clip, GtMarkers** markers,
                        GtError* error)
{
    GtFigure figure = test_figure(context, scene, 0);
    GtResult result = gt_harmonic_clip_restore(context, &figure, clip, markers, error);
    gt_figure_close(&figure);
    return result;
}

static void kept_clips_are_restored_exactly(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    KeptScene kept = make_kept(&context);
    GtHarmonicClip* clip = NULL;
    GtMarkers* markers = NULL;
    GT_EXPECT_OK(restore(&context, kept.baked, &clip, &markers, &error));
    size_t count = (size_t)clip->marker_count * (size_t)clip->frame_count;
    assert_int_equal(markers->count, kept.markers->count);
    assert_int_equal(clip->frame_count, kept.clip->frame_count);
    assert_memory_equal(clip->rotations, kept.clip->rotations, count * sizeof *clip->rotations);
    assert_memory_equal(clip->twists, kept.clip->twists, count * sizeof *clip->twists);
    for (int32_t i = 0; i < markers->count; ++i) {
        assert_int_equal(markers->markers[i].triangle, kept.markers->markers[i].triangle);
        assert_int_equal(markers->markers[i].node, kept.markers->markers[i].node);
    }
    GtVec3* before = calloc((size_t)clip->vertex_count, sizeof *before);
    GtVec3* after = calloc((size_t)clip->vertex_count, sizeof *after);
    GT_EXPECT_OK(gt_harmonic_clip_pose(&context, kept.clip, 7, 1, before, &error));
    GT_EXPECT_OK(gt_harmonic_clip_pose(&context, clip, 7, 1, after, &error));
    assert_memory_equal(before, after, (size_t)clip->vertex_count * sizeof *after);

    GtScene* stripped = NULL;
    GT_EXPECT_OK(gt_harmonic_strip(&context, kept.baked, &stripped, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, stripped, &error));
    assert_int_equal(stripped->animation_count, 0);
    for (int32_t m = 0; m < stripped->mesh_count; ++m) {
        assert_int_equal(stripped->meshes[m].target_count, kept.scene->meshes[m].target_count);
    }
    assert_int_equal(stripped->buffer_count, stripped->accessor_count); // all that a bake adds is gone
    assert_true(stripped->accessor_count <= kept.scene->accessor_count);
    gt_scene_destroy(stripped);
    free(before);
    free(after);
    gt_harmonic_clip_destroy(clip);
    gt_markers_destroy(markers);
    destroy_kept(&kept);
}

static void what_is_kept_of_something_else_is_refused(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    KeptScene kept = make_kept(&context);
    GtHarmonicClip* clip = NULL;
    GtMarkers* markers = NULL;
    GT_EXPECT_ERROR(restore(&context, kept.scene, &clip, NULL, &error), GT_ERROR_NOT_FOUND,
                    "clip 0 has no markers stored with it");
    GtAnimationChannel* channels = gt_scene_push(kept.baked, 1, sizeof *channels);
    GtAnimation whole = kept.baked->animations[0];
    channels[0] = whole.channels[0];
    kept.baked->animations[0].channels = channels;
    kept.baked->animations[0].channel_count = 1;
    GT_EXPECT_ERROR(restore(&context, kept.baked, &clip, NULL, &error), GT_ERROR_BAD_VALUE, "do not match its keys");
    GT_EXPECT_OK(gt_markers_restore(&context, kept.baked, 0, &markers, &error)); // they need the mesh alone
    gt_markers_destroy(markers);
    kept.baked->animations[0] = whole;
    const char* name = kept.baked->nodes[node_of(kept.scene, GT_HUMANOID_HEAD)].name;
    kept.baked->nodes[node_of(kept.scene, GT_HUMANOID_HEAD)].name = "face";
    GT_EXPECT_ERROR(restore(&context, kept.baked, &clip, NULL, &error), GT_ERROR_BAD_VALUE, "for other joints");
    kept.baked->nodes[node_of(kept.scene, GT_HUMANOID_HEAD)].name = name;

    size_t size = 0;
    uint8_t* bytes = kept_bytes(kept.baked, &size);
    bytes[56] ^= 1;
    GT_EXPECT_ERROR(restore(&context, kept.baked, &clip, NULL, &error), GT_ERROR_BAD_VALUE, "for another mesh");
    bytes[56] ^= 1;
    GtBufferView* view = &kept.baked->buffer_views[whole.harmonic->view];
    for (view->size = 0; view->size < size; view->size += 64 + view->size / 2) {
        assert_int_equal(restore(&context, kept.baked, &clip, NULL, &error), GT_ERROR_BAD_VALUE);
        assert_null(clip);
    }
    destroy_kept(&kept);
}

// Any bytes give an error, or a clip that poses finite vertices.
static void damaged_bytes_do_no_harm(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    KeptScene kept = make_kept(&context);
    size_t size = 0;
    uint8_t* bytes = kept_bytes(kept.baked, &size);
    uint64_t random = 88172645463325252u;
    for (int round = 0; round < 26; ++round) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        size_t at = round < 22 ? (size_t)round * 4 : (size_t)(random % size);
        uint8_t before[4];
        at = at + 4 <= size ? at : size - 4;
        memcpy(before, bytes + at, sizeof before);
        memcpy(bytes + at, &random, sizeof before);
        GtHarmonicClip* clip = NULL;
        GtResult result = restore(&context, kept.baked, &clip, NULL, &error);
        assert_true(result == GT_OK || result == GT_ERROR_BAD_VALUE);
        if (result == GT_OK) {
            GtVec3* posed = calloc((size_t)clip->vertex_count, sizeof *posed);
            GT_EXPECT_OK(gt_harmonic_clip_pose(&context, clip, clip->frame_count - 1, 1, posed, &error));
            largest_distance(posed, posed, clip->vertex_count); // fails where one is not finite
            free(posed);
        }
        gt_harmonic_clip_destroy(clip);
        memcpy(bytes + at, before, sizeof before);
    }
    destroy_kept(&kept);
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
        cmocka_unit_test(other_clips_play_as_before),
        cmocka_unit_test(frames_are_played_one_at_a_time),
        cmocka_unit_test(kept_clips_are_restored_exactly),
        cmocka_unit_test(what_is_kept_of_something_else_is_refused),
        cmocka_unit_test(damaged_bytes_do_no_harm),
        cmocka_unit_test(standing_feet_and_hands_are_held),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "harmonic/people.h"
#include "support/test.h"

#include "gertie/sculpt.h"

#include "sections/play/sensors.h"

#include <math.h>
#include <stdlib.h>

typedef struct Fixture {
    TestLog log;
    GtContext context;
    GtScene* scene; // the built-in person, her joints under other names
} Fixture;

static int set_up(void** state)
{
    static Fixture f;
    static char names[128][64];
    f.context = test_context(&f.log);
    f.scene = make_person(&f.context, 2000);
    for (int32_t i = 0; i < f.scene->node_count && i < 128; ++i) {
        snprintf(names[i], sizeof names[i], "rig:%s.x-1", f.scene->nodes[i].name);
        f.scene->nodes[i].name = names[i];
    }
    *state = &f;
    return 0;
}

static int tear_down(void** state)
{
    gt_scene_destroy(((Fixture*)*state)->scene);
    return 0;
}

// All that is needed to play a text.
typedef struct Play {
    GtSculpt* sculpt;
    GtCharacter* character;
    GtClip* clip;
    GtSculptPlayer* player;
    GtInstance* instance;
} Play;

// The hips go ahead at 2 m/s for a second, and stand for another; the left elbow is bent by 0.5 rad.
static GtClip* make_clip(const GtCharacter* character, const GtScene* scene)
{
    GtError error;
    GtClip* clip = NULL;
    static const float times[] = { 0.0f, 1.0f, 2.0f };
    static const float places[] = { 0.0f, 1.0f, 0.0f, 0.0f, 1.0f, 2.0f, 0.0f, 1.0f, 2.0f };
    static const float turns[] = { 0.0f, 0.247404f, 0.0f, 0.968912f, 0.0f, 0.247404f, 0.0f, 0.968912f };
    GtTrackDef tracks[] = {
        { .target = gt_character_node_from_source(character, scene->humanoid->nodes[GT_HUMANOID_HIPS]),
          .kind = GT_TRACK_TRANSLATION,
          .key_count = 3,
          .times_s = times,
          .values = places,
          .component_count = 3,
          .interpolation = GT_INTERPOLATION_LINEAR },
        { .target = gt_character_node_from_source(character, scene->humanoid->nodes[GT_HUMANOID_LEFT_LOWER_ARM]),
          .kind = GT_TRACK_ROTATION,
          .key_count = 2,
          .times_s = times,
          .values = turns,
          .component_count = 4,
          .interpolation = GT_INTERPOLATION_LINEAR },
    };
    GtClipDef def = gt_default_clip_def();
    def.tracks = tracks;
    def.track_count = 2;
    def.node_count = gt_character_def(character)->node_count;
    GT_EXPECT_OK(gt_clip_create(gt_default_allocator(), &def, &clip, &error));
    return clip;
}

static GtResult open_play(const Fixture* f, const char* text, bool with_clip, Play* out, GtError* error)
{
    *out = (Play){ 0 };
    GtBuildDef build = gt_default_build_def();
    GtResult result = gt_sculpt_parse(&f->context, f->scene, text, strlen(text), &out->sculpt, error);
    if (result == GT_OK) {
        result = gt_sculpt_character(&f->context, f->scene, out->sculpt, &build, &out->character, NULL, error);
    }
    if (result != GT_OK) {
        return result;
    }
    out->clip = with_clip ? make_clip(out->character, f->scene) : NULL;
    GtSculptPlayerDef def = gt_default_sculpt_player_def();
    def.scene = f->scene;
    def.sculpt = out->sculpt;
    def.character = out->character;
    def.clip = out->clip;
    result = gt_sculpt_player_create(&f->context, &def, &out->player, error);
    return result == GT_OK ? gt_instance_create(gt_default_allocator(), out->character, &out->instance, error) : result;
}

static void close_play(Play* play)
{
    gt_instance_destroy(play->instance);
    gt_sculpt_player_destroy(play->player);
    gt_clip_destroy(play->clip);
    gt_character_destroy(play->character);
    gt_sculpt_destroy(play->sculpt);
}

#define SECTION                                                                                                        \
    "{\"gertie_deform\":1,\"sections\":[{\"name\":\"a\",\"joint\":\"leftUpperArm\",\"b\":0,\"poses\":{\"p\":{},"       \
    "\"q\":{}}}],\"controls\":[{\"name\":\"c\",\"rest\":0.5}],\"tracks\":["

// b, then the weights of p and q.
static const float* values_at(const Play* play, double time_s)
{
    gt_sculpt_play(play->player, time_s, play->instance);
    return play->instance->section_values + gt_section_first_value(play->character, 0);
}

// Joints go by the vocabulary on a character that names them otherwise, in formulas, inputs and channels.
static void test_joints_are_found_by_the_vocabulary(void** state)
{
    GtError error;
    Play play;
    GT_EXPECT_OK(open_play(*state,
                           SECTION
                           "{\"channel\":\"leftHand.turn.x\",\"formula\":\"2e-1 * t\"},"
                           "{\"channel\":\"section:a.b\",\"formula\":\"'leftHand.turn.x' + leftLowerArm.angle\"},"
                           "{\"channel\":\"lattice:a.p\",\"input\":\"leftLowerArm.angle_deg\",\"law\":\"linear\","
                           "\"keys\":[{\"at\":0,\"value\":0},{\"at\":100,\"value\":1}]}]}",
                           true, &play, &error));
    const float* values = values_at(&play, 1.0);
    GT_EXPECT_NEAR(values[0], 0.7, 1e-4);
    GT_EXPECT_NEAR(values[1], 0.286479, 1e-4);
    close_play(&play);
}

// A control goes on where a track leaves it, and stays in its range.
static void test_controls_drive_and_are_driven(void** state)
{
    GtError error;
    Play play;
    GT_EXPECT_OK(open_play(*state,
                           SECTION "{\"channel\":\"lattice:a.p\",\"formula\":\"control:c\"},"
                                   "{\"channel\":\"control:c\",\"law\":\"linear\",\"keys\":[{\"at\":0,\"value\":0},"
                                   "{\"at\":1,\"value\":4}]},"
                                   "{\"channel\":\"lattice:a.q\",\"formula\":\"control:c\"}]}",
                           false, &play, &error));
    GT_EXPECT_NEAR(values_at(&play, 0.125)[1], 0.5, 1e-6);
    GT_EXPECT_NEAR(values_at(&play, 0.125)[2], 0.5, 1e-6);
    GT_EXPECT_NEAR(values_at(&play, 0.5)[2], 1.0, 1e-6);
    close_play(&play);
}

static void test_speeds_are_those_of_the_clip(void** state)
{
    GtError error;
    Play play;
    GT_EXPECT_OK(open_play(*state,
                           SECTION "{\"channel\":\"lattice:a.p\",\"formula\":\"speed:hips\"},"
                                   "{\"channel\":\"lattice:a.q\",\"formula\":\"speed:leftHand - speed:hips\"}]}",
                           true, &play, &error));
    for (int i = 0; i < 8; ++i) {
        GT_EXPECT_NEAR(values_at(&play, 0.125 * i)[1], 2.0, 1e-3);
        GT_EXPECT_NEAR(values_at(&play, 0.125 * i)[2], 0.0, 1e-3);
    }
    close_play(&play);
}

static void test_contacts_come_and_go_softly(void** state)
{
    (void)state;
    GtContact spans[] = { { .part = 0, .start_s = 1.0, .end_s = 2.0 }, { .part = 3, .start_s = 3.0, .end_s = 4.0 } };
    GtContacts contacts = { .spans = spans, .count = 2 };
    static const struct {
        double time_s, left, right;
    } moments[] = { { 0.9, 0, 0 },   { 1.0, 0.5, 0 }, { 1.1, 1, 0 }, { 1.9, 1, 0 },
                    { 2.0, 0.5, 0 }, { 2.1, 0, 0 },   { 3.5, 0, 1 } };
    for (size_t i = 0; i < sizeof moments / sizeof moments[0]; ++i) {
        GT_EXPECT_NEAR(gti_sensor_contact(&contacts, GT_CONTACT_LEFT_FOOT, moments[i].time_s), moments[i].left, 1e-6);
        GT_EXPECT_NEAR(gti_sensor_contact(&contacts, GT_CONTACT_RIGHT_FOOT, moments[i].time_s), moments[i].right, 1e-6);
    }
}

// Going evenly pulls nothing; a halt swings flesh on ahead and back, at its frequency, less and less; what is held
// stays.
static void test_flesh_swings_on_where_the_body_halts(void** state)
{
    GtError error;
    Play play;
    GT_EXPECT_OK(open_play(*state,
                           "{\"gertie_deform\":1,\"sections\":[{\"name\":\"a\",\"joint\":\"spine\"}],\"jiggle\":[{"
                           "\"section\":\"a\",\"frequency_hz\":5,\"damping\":0.1,\"holds\":{\"0,0,0\":1}}]}",
                           true, &play, &error));
    const GtSectionDef* section = &gt_character_def(play.character)->sections[0];
    size_t loose = 1 + 3 * (size_t)gt_lattice_index(&section->lattice, 1, 1, 3);
    double ahead[4];
    static const double times_s[] = { 0.5, 1.05, 1.15, 1.25 }; // then after a quarter of a swing, three and five
    for (int i = 0; i < 4; ++i) {
        const float* values = values_at(&play, times_s[i]);
        GtVec3 offset = gt_vec3(values[loose], values[loose + 1], values[loose + 2]);
        ahead[i] = (double)gt_mat34_vector(&play.instance->model_from_node[section->node], offset).z;
        GT_EXPECT_NEAR(values[1] * values[1] + values[2] * values[2] + values[3] * values[3], 0.0, 0.0);
    }
    GT_EXPECT_NEAR(ahead[0], 0.0, 1e-5);
    assert_true(ahead[1] > 0.03 && ahead[1] < 0.0637); // 2 m/s over 2 pi 5 Hz, damped
    assert_true(ahead[2] < -0.02 && -ahead[2] < ahead[1]);
    assert_true(ahead[3] > 0.01 && ahead[3] < -ahead[2]);
    close_play(&play);
}

static void test_memory_that_runs_out(void** state)
{
    const Fixture* f = *state;
    static const char text[] =
        "{\"gertie_deform\":1,\"sections\":[{\"name\":\"a\",\"joint\":\"spine\",\"box\":{\"center\":[0,0,0],"
        "\"axes\":[[1,0,0],[0,1,0],[0,0,1]]}}],\"controls\":[{\"name\":\"c\"}],\"tracks\":[{\"channel\":\"control:"
        "c\","
        "\"formula\":\"speed:hips\"}],\"jiggle\":[{\"section\":\"a\"}]}";
    TestAllocator counter = { .remaining = -1 };
    Fixture scarce = *f;
    scarce.context.allocator = test_allocator(&counter);
    int failures = 0;
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; allowed < 2000 && result != GT_OK; ++allowed, ++failures) {
        GtError error;
        Play play;
        counter.remaining = allowed;
        result = open_play(&scarce, text, true, &play, &error);
        counter.remaining = -1;
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        close_play(&play);
        assert_int_equal(counter.alive, 0);
    }
    assert_int_equal(result, GT_OK);
    assert_true(failures > 20);
}

static void test_errors_name_the_track(void** state)
{
    static const struct {
        const char* text;
        const char* message;
        GtResult code;
    } cases[] = {
        { SECTION "{\"channel\":\"lattice:a.r\",\"formula\":\"1\"}]}", "tracks[0] 'lattice:a.r'", GT_ERROR_NOT_FOUND },
        { SECTION "{\"channel\":\"control:c\",\"formula\":\"1\"},{\"channel\":\"section:a.b\",\"formula\":\"1+\"}]}",
          "tracks[1] 'section:a.b'", GT_ERROR_BAD_VALUE },
        { SECTION "{\"channel\":\"section:a.b\",\"formula\":\"speed:leftHnad\"}]}", "did you mean 'leftHand'",
          GT_ERROR_NOT_FOUND },
        { SECTION "{\"channel\":\"section:a.b\",\"formula\":\"contact:leftKnee\"}]}", "contacts are of leftFoot",
          GT_ERROR_NOT_FOUND },
        { SECTION "{\"channel\":\"speed:hips\",\"formula\":\"1\"}]}", "is read, not driven", GT_ERROR_BAD_VALUE },
    };
    GtError error;
    Play play;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GT_EXPECT_ERROR(open_play(*state, cases[i].text, false, &play, &error), cases[i].code, cases[i].message);
        close_play(&play);
    }
}

// A scene that keeps what cannot be played is shown without it.
static void test_what_a_scene_keeps_and_cannot_play_is_left_out(void** state)
{
    Fixture* f = *state;
    static const char* const texts[] = { "{\"gertie_deform\":1,\"sections\":[{\"name\":\"a\",\"joint\":\"tail\"}]}",
                                         SECTION "{\"channel\":\"lattice:a.r\",\"formula\":\"1\"}]}" };
    GtError error;
    for (int i = 0; i < 2; ++i) {
        GtFigure figure;
        f->context = test_context(&f->log);
        f->scene->deform = texts[i];
        GT_EXPECT_OK(gt_sculpt_figure_open(&f->context, f->scene, NULL, &figure, &error));
        assert_non_null(figure.character);
        assert_null(gt_sculpt_figure_player(&figure));
        assert_int_equal(f->log.warning_count, 1);
        assert_non_null(strstr(f->log.text, "extensions.GERTIE_deform.file"));
        gt_figure_close(&figure);
        f->scene->deform = NULL;
    }
}

// Two poses that each leave 0.4 of the box and together fold it, from five sixths of the way on.
static const char folding[] =
    "{\"gertie_deform\":1,\"sections\":[{\"name\":\"a\",\"joint\":\"head\",\"border\":0,\"points\":[2,2,2],"
    "\"box\":{\"center\":[0,0,0],\"axes\":[[1,0,0],[0,1,0],[0,0,1]]},\"b\":%g,\"poses\":{"
    "\"p\":{\"0,0,0\":[0.6,0,0],\"0,1,0\":[0.6,0,0],\"0,0,1\":[0.6,0,0],\"0,1,1\":[0.6,0,0]},"
    "\"q\":{\"1,0,0\":[-0.6,0,0],\"1,1,0\":[-0.6,0,0],\"1,0,1\":[-0.6,0,0],\"1,1,1\":[-0.6,0,0]}}}],\"tracks\":["
    "{\"channel\":\"lattice:a.p\",\"law\":\"linear\",\"keys\":[{\"at\":0,\"value\":0},{\"at\":2,\"value\":%g}]},"
    "{\"channel\":\"lattice:a.q\",\"law\":\"linear\",\"keys\":[{\"at\":0,\"value\":0},{\"at\":2,\"value\":1}]}]}";

// Each pose is right by itself: what folds is found while both are played, once, with its time, in as much as b lets it
// be felt. Whoever shows a scene that keeps it hears of it.
static void test_lattices_that_fold_are_found(void** state)
{
    Fixture* f = *state;
    static const struct {
        double b, p;
        int32_t count;
    } cases[] = { { 1.0, 1.0, 1 }, { 1.0, 0.5, 0 }, { 0.5, 1.0, 0 } };
    GtError error;
    char text[2000];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Play play;
        int32_t count = 0;
        f->context = test_context(&f->log);
        snprintf(text, sizeof text, folding, cases[i].b, cases[i].p);
        GT_EXPECT_OK(open_play(f, text, i == 0, &play, &error));
        const GtSculptFold* folds = gt_sculpt_player_folds(play.player, &count);
        assert_int_equal(count, cases[i].count);
        assert_int_equal(f->log.warning_count, 0);
        if (count > 0) {
            assert_int_equal(folds[0].section, 0);
            GT_EXPECT_NEAR(folds[0].first_s, 2.0 * 5.0 / 6.0, 1.0 / 60.0);
            GT_EXPECT_NEAR(folds[0].length_s, 2.0 / 6.0, 1.5 / 60.0);
        }
        close_play(&play);
    }
    GtFigure figure;
    snprintf(text, sizeof text, folding, 1.0, 1.0);
    f->scene->deform = text;
    GT_EXPECT_OK(gt_sculpt_figure_open(&f->context, f->scene, NULL, &figure, &error));
    assert_int_equal(f->log.warning_count, 1);
    assert_non_null(strstr(f->log.text, "the lattice of section 'a' turns inside out at 1.6"));
    gt_figure_close(&figure);
    f->scene->deform = NULL;
}

// What tracks make of a section is cut: b to 1, weights to 1,000, offsets to ten edges of the box.
static void test_values_out_of_range_are_cut(void** state)
{
    GtError error;
    Play play;
    GT_EXPECT_OK(open_play(*state,
                           "{\"gertie_deform\":1,\"sections\":[{\"name\":\"a\",\"joint\":\"head\",\"points\":[2,2,2],"
                           "\"box\":{\"center\":[0,0,0],\"axes\":[[1,0,0],[0,2,0],[0,0,1]]},\"poses\":{\"p\":{}}}],"
                           "\"tracks\":[{\"channel\":\"section:a.b\",\"formula\":\"5 + t\"},"
                           "{\"channel\":\"lattice:a.p\",\"formula\":\"-1e30\"},"
                           "{\"channel\":\"lattice:a.point[0,0,0].y\",\"formula\":\"3e38\"},"
                           "{\"channel\":\"lattice:a.point[0,0,0].z\",\"formula\":\"0/0\"}]}",
                           false, &play, &error));
    const float* values = values_at(&play, 0.0);
    const float want[] = { 1.0f, -1000.0f, 0.0f, 20.0f, 0.0f };
    for (int i = 0; i < 5; ++i) {
        GT_EXPECT_NEAR(values[i], want[i], 0.0);
    }
    const GtMeshDef* mesh = &gt_character_def(play.character)->meshes[0];
    GtVec3* positions = calloc((size_t)mesh->vertex_count, sizeof *positions);
    gt_instance_deform(play.instance, 0, positions, NULL, NULL);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        assert_true(isfinite(gt_vec3_length(positions[v])));
    }
    free(positions);
    close_play(&play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joints_are_found_by_the_vocabulary),
        cmocka_unit_test(test_controls_drive_and_are_driven),
        cmocka_unit_test(test_speeds_are_those_of_the_clip),
        cmocka_unit_test(test_contacts_come_and_go_softly),
        cmocka_unit_test(test_flesh_swings_on_where_the_body_halts),
        cmocka_unit_test(test_memory_that_runs_out),
        cmocka_unit_test(test_errors_name_the_track),
        cmocka_unit_test(test_what_a_scene_keeps_and_cannot_play_is_left_out),
        cmocka_unit_test(test_lattices_that_fold_are_found),
        cmocka_unit_test(test_values_out_of_range_are_cut),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// When feet stand: against the built-in motions, which know it, and against the formula that measures; and as files.

#include "motions/play.h"
#include "support/folder.h"
#include "support/transfer.h"

#include "gertie/animate.h"
#include "gertie/contact.h"
#include "gertie/measure.h"
#include "gertie/take.h"

enum {
    DOWN,
    UP,
    DOUBTFUL // just about to leave the ground, or to reach it
};

// What was found against what is true, of heels and of balls.
typedef struct Score {
    int right, too_many, too_few;
} Score;

static GtContacts* find(const GtContext* context, const GtScene* scene)
{
    GtError error;
    GtContacts* contacts = NULL;
    GtContactsDef def = gt_default_contacts_def();
    GT_EXPECT_OK(find_contacts_of(context, scene, 0, &def, &contacts, &error));
    return contacts;
}

static int truth_of(GtVec3 point)
{
    return point.y < TOUCHING_M ? DOWN : point.y > 3.0f * TOUCHING_M ? UP : DOUBTFUL;
}

static void score_frame(const Play* p, double time_s, uint8_t bits, Score scores[2])
{
    GtiPlaces places = places_at(p, time_s);
    for (int part = 0; part < GT_CONTACT_PART_COUNT; ++part) {
        GtVec3 points[SOLE_POINTS];
        sole_at(p, &places, part / 2, points);
        int truth = truth_of(points[part % 2 ? BALL : HEEL]);
        bool found = bits >> part & 1;
        Score* score = &scores[part % 2];
        score->right += found && truth == DOWN;
        score->too_many += found && truth == UP;
        score->too_few += !found && truth == DOWN;
    }
}

static void expect_scores(const char* name, const Play* p, const GtContacts* contacts)
{
    Score scores[2] = { { 0 }, { 0 } };
    for (int f = 0; f < p->report.frame_count; ++f) {
        double time_s = p->end_s * f / (p->report.frame_count - 1);
        score_frame(p, time_s, gt_contacts_at(contacts, time_s), scores);
    }
    for (int i = 0; i < 2; ++i) {
        const Score* s = &scores[i];
        double precision = (double)s->right / (s->right + s->too_many);
        double recall = (double)s->right / (s->right + s->too_few);
        if (!(precision >= 0.95 && recall >= 0.95)) {
            fail_msg("%s, %s: precision %.3f, recall %.3f", name, i ? "balls" : "heels", precision, recall);
        }
    }
}

static void test_contacts_are_those_of_the_motion(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        GtMotionKind kind;
        double speed_mps;
    } cases[] = {
        { "slow walk", GT_MOTION_WALK, 0.8 }, { "walk", GT_MOTION_WALK, 1.4 },    { "fast walk", GT_MOTION_WALK, 1.8 },
        { "run", GT_MOTION_RUN, 3.3 },        { "fast run", GT_MOTION_RUN, 5.0 }, { "turn", GT_MOTION_TURN, 1.0 },
        { "jump", GT_MOTION_JUMP, 1.0 },      { "squat", GT_MOTION_SQUAT, 1.0 },  { "kick", GT_MOTION_KICK, 1.0 },
        { "boxing", GT_MOTION_BOXING, 1.0 },  { "idle", GT_MOTION_IDLE, 1.0 },
    };
    GtContext context = gt_default_context();
    GtError error;
    GtPersonDef person_def = gt_default_person_def();
    person_def.triangle_count = 6000;
    GtScene* person = NULL;
    GT_EXPECT_OK(gt_sample_person(&context, &person_def, &person, NULL, &error));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Play p = play_at(cases[i].kind, cases[i].speed_mps);
        GtContacts* contacts = find(&context, p.scene);
        expect_scores(cases[i].name, &p, contacts);
        gt_contacts_destroy(contacts);
        GtAnimateDef def = gt_default_animate_def(); // and with a skin
        def.retarget.feet = GT_FEET_OFF;
        GtScene* skinned = NULL;
        GT_EXPECT_OK(gt_animate(&context, person, p.scene, &def, &skinned, NULL, &error));
        contacts = find(&context, skinned);
        expect_scores(cases[i].name, &p, contacts);
        gt_contacts_destroy(contacts);
        gt_scene_destroy(skinned);
        stop(&p);
    }
    gt_scene_destroy(person);
}

// A foot that the formula of gt_measure() calls planted stands.
static void test_what_is_measured_is_found(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    const GtMotionKind kinds[] = { GT_MOTION_WALK, GT_MOTION_RUN, GT_MOTION_TURN, GT_MOTION_KICK, GT_MOTION_BOXING };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        GtError error;
        Play p = play(kinds[i]);
        GtContacts* contacts = find(&context, p.scene);
        GtMeasureDef def = gt_default_measure_def();
        GtMeasure* measure = NULL;
        GT_EXPECT_OK(gt_measure(&context, p.scene, &def, &measure, &error));
        for (int32_t f = 0; f < measure->frame_count; ++f) {
            uint8_t bits = gt_contacts_at(contacts, p.end_s * f / (measure->frame_count - 1));
            for (int side = 0; side < 2; ++side) {
                unsigned both = 3u << 2 * side;
                assert_true(!(measure->contacts[f] & both) || bits & both);
            }
        }
        gt_measure_destroy(measure);
        gt_contacts_destroy(contacts);
        stop(&p);
    }
}

// The whole figure goes 2.2 mm to and fro, twelve times a second: at times faster than a contact may begin.
static void test_trembling_breaks_no_contact(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    Play p = play(GT_MOTION_SQUAT);
    GtTakeDef def = gt_default_take_def();
    GtTake* take = NULL;
    int32_t trembling = 0;
    GT_EXPECT_OK(gt_take_create(&context, p.scene, &def, &take, &error));
    for (int32_t f = 0; f < take->frame_count; ++f) {
        GtVec3* hips = &take->poses[(size_t)f * (size_t)take->node_count].translation;
        hips->x += 0.0022f * sinf((float)(2.0 * 3.14159265358979 * 12.0 * f / take->rate_hz));
    }
    GT_EXPECT_OK(gt_take_bake(&context, p.scene, take, "trembling", &trembling, &error));
    GtContactsDef find_def = gt_default_contacts_def();
    GtContacts* contacts = NULL;
    GT_EXPECT_OK(find_contacts_of(&context, p.scene, trembling, &find_def, &contacts, &error));
    assert_int_equal(contacts->count, GT_CONTACT_PART_COUNT);
    for (int32_t i = 0; i < contacts->count; ++i) {
        assert_true(contacts->spans[i].end_s - contacts->spans[i].start_s > 0.95 * p.end_s);
    }
    gt_contacts_destroy(contacts);
    gt_take_destroy(take);
    stop(&p);
}

// A capture whose floor slopes: 14 cm over the six metres of this walk, of which the feet go along.
static void test_a_floor_that_slopes(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    Play p = play(GT_MOTION_WALK);
    GtTakeDef def = gt_default_take_def();
    GtTake* take = NULL;
    GtContactsDef find_def = gt_default_contacts_def();
    GtContacts* contacts = NULL;
    int32_t uphill = GT_NONE;
    GT_EXPECT_OK(gt_take_create(&context, p.scene, &def, &take, &error));
    for (int32_t f = 0; f < take->frame_count; ++f) {
        GtVec3* hips = &take->poses[(size_t)f * (size_t)take->node_count].translation;
        hips->y += 0.023f * hips->z;
    }
    GT_EXPECT_OK(gt_take_bake(&context, p.scene, take, "uphill", &uphill, &error));
    GT_EXPECT_OK(find_contacts_of(&context, p.scene, uphill, &find_def, &contacts, &error));
    expect_scores("uphill", &p, contacts);
    gt_contacts_destroy(contacts);
    gt_take_destroy(take);
    stop(&p);
}

static void test_files_come_back(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    TestFolder folder;
    test_folder_create(&folder);
    Play p = play(GT_MOTION_WALK);
    GtContacts* contacts = find(&context, p.scene);
    GtContacts* back = NULL;
    contacts->spans[2].height_m = 0.31f;
    const char* path = test_folder_path(&folder, "walk.json");
    GT_EXPECT_OK(gt_contacts_save(&context, contacts, path, &error));
    GT_EXPECT_OK(gt_contacts_load(&context, path, &back, &error));
    assert_true(contacts->count > 10);
    assert_int_equal(back->count, contacts->count);
    for (int32_t i = 0; i < back->count; ++i) {
        assert_int_equal(back->spans[i].part, contacts->spans[i].part);
        GT_EXPECT_NEAR(back->spans[i].start_s, contacts->spans[i].start_s, 1e-6);
        GT_EXPECT_NEAR(back->spans[i].end_s, contacts->spans[i].end_s, 1e-6);
        GT_EXPECT_NEAR(back->spans[i].height_m, contacts->spans[i].height_m, 1e-6f);
    }
    gt_contacts_destroy(back);
    gt_contacts_destroy(contacts);
    stop(&p);
    test_folder_remove(&folder);
}

static GtResult load_text(const GtContext* context, const TestFolder* folder, const char* text, GtContacts** out,
                          GtError* error)
{
    test_folder_put(folder, "c.json", text, strlen(text));
    return gt_contacts_load(context, test_folder_path(folder, "c.json"), out, error);
}

static void test_files_by_hand(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtContacts* contacts = NULL;
    TestFolder folder;
    test_folder_create(&folder);
    GT_EXPECT_OK(load_text(&context, &folder, "{\"contacts\": {}}", &contacts, &error));
    assert_int_equal(contacts->count, 0);
    assert_int_equal(gt_contacts_at(contacts, 0.0), 0);
    gt_contacts_destroy(contacts);
    GT_EXPECT_OK(
        load_text(&context, &folder,
                  "{\"contacts\": {\"rightToe\": [[3, 4], [1, 2, 0.2], [1.5, 3.5]], \"leftHeel\": [[-1, 0.5]]}}",
                  &contacts, &error));
    assert_int_equal(contacts->count, 2); // what overlaps is one, and as high as the first
    GT_EXPECT_NEAR(contacts->spans[0].height_m, 0.0f, 0.0f);
    GT_EXPECT_NEAR(contacts->spans[1].height_m, 0.2f, 1e-6f);
    assert_int_equal(gt_contacts_at(contacts, 0.5), GT_CONTACT_LEFT_HEEL);
    assert_int_equal(gt_contacts_at(contacts, 0.75), 0);
    assert_int_equal(gt_contacts_at(contacts, 2.5), GT_CONTACT_RIGHT_TOE);
    assert_int_equal(gt_contacts_at(contacts, 4.1), 0);
    gt_contacts_destroy(contacts);
    test_folder_remove(&folder);
}

static void test_broken_files_are_refused(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        { "", "c.json: " },
        { "[]", "must be contacts: an object with contacts, " },
        { "{\"contacts\": [[0, 1]]}", "contacts: must be an object with leftHeel, leftToe, rightHeel and rightToe" },
        { "{\"contacts\": {\"leftKnee\": []}}",
          "contacts.leftKnee: has no meaning here; is it misspelt? There are: leftHeel" },
        { "{\"contacts\": {\"leftHeel\": 3}}", "contacts.leftHeel: must be a list of times" },
        { "{\"contacts\": {\"leftHeel\": {\"a\": 1}}}", "contacts.leftHeel: must be a list of times" },
        { "{\"contacts\": {\"leftHeel\": [[0, 1], [1]]}}", "contacts.leftHeel[1]: must be two times" },
        { "{\"contacts\": {\"leftHeel\": [[0, \"1\"]]}}", "contacts.leftHeel[0][1]: must be a number" },
        { "{\"contacts\": {\"leftHeel\": [[0, 1, 2, 3]]}}", "contacts.leftHeel[0]: must be two times" },
        { "{\"contacts\": {\"leftHeel\": [[0, 1, 1e9]]}}", "contacts.leftHeel[0]: must be two times" },
        { "{\"contacts\": {\"leftHeel\": [[1, 0]]}}", "contacts.leftHeel[0]: must be two times" },
        { "{\"contacts\": {\"leftHeel\": [[0, 1e999]]}}", "contacts.leftHeel[0]" },
        { "{\"contacts\": {\"leftHeel\": [[NaN, 1]]}}", "c.json: " },
        { "{\"contacts\": {\"leftHeel\": [[0, 1]", "c.json: " },
    };
    GtContext context = gt_default_context();
    TestFolder folder;
    test_folder_create(&folder);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtError error;
        GtContacts* contacts = (GtContacts*)&error;
        GtResult result = load_text(&context, &folder, cases[i][0], &contacts, &error);
        char text[1024] = "";
        gt_error_format(&error, text, sizeof text);
        if (result == GT_OK || !strstr(text, cases[i][1])) {
            fail_msg("case %d: '%s', wanted '%s'", (int)i, text, cases[i][1]);
        }
        assert_null(contacts);
    }
    GtError error;
    GtContacts* contacts = NULL;
    assert_true(gt_contacts_load(&context, test_folder_path(&folder, "none.json"), &contacts, &error) != GT_OK);
    test_folder_remove(&folder);
}

// A hundred thousand spans, each over all the others: they become one, and frames are looked up in no time.
static void test_a_huge_file(void** state)
{
    (void)state;
    enum {
        SPANS = 100000
    };
    GtContext context = gt_default_context();
    GtError error;
    GtContacts* contacts = NULL;
    TestFolder folder;
    test_folder_create(&folder);
    char* text = calloc(SPANS, 32);
    assert_non_null(text);
    size_t size = (size_t)sprintf(text, "{\"contacts\": {\"leftToe\": [[0, 1e6]");
    for (int i = 1; i < SPANS; ++i) {
        size += (size_t)sprintf(text + size, ",[%d,1e6]", i);
    }
    size += (size_t)sprintf(text + size, "]}}");
    test_folder_put(&folder, "huge.json", text, size);
    free(text);
    GT_EXPECT_OK(gt_contacts_load(&context, test_folder_path(&folder, "huge.json"), &contacts, &error));
    assert_int_equal(contacts->count, 1);
    assert_int_equal(gt_contacts_at(contacts, 5e5), GT_CONTACT_LEFT_TOE);
    gt_contacts_destroy(contacts);
    test_folder_remove(&folder);
}

static void test_memory_that_runs_out_is_said(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    TestFolder folder;
    test_folder_create(&folder);
    Play p = play(GT_MOTION_TURN);
    GtContacts* contacts = find(&context, p.scene);
    char path[128];
    snprintf(path, sizeof path, "%s", test_folder_path(&folder, "turn.json"));
    GT_EXPECT_OK(gt_contacts_save(&context, contacts, path, &error));
    TestAllocator allocator = { .remaining = -1 };
    context.allocator = test_allocator(&allocator);
    for (int call = 0; call < 3; ++call) {
        GtResult result = GT_ERROR_OUT_OF_MEMORY;
        for (int64_t allowed = 0; result != GT_OK; ++allowed) {
            GtContactsDef def = gt_default_contacts_def();
            GtContacts* out = NULL;
            allocator.remaining = allowed;
            result = call == 0   ? find_contacts_of(&context, p.scene, 0, &def, &out, &error)
                     : call == 1 ? gt_contacts_load(&context, path, &out, &error)
                                 : gt_contacts_save(&context, contacts, path, &error);
            assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
            assert_true(call == 2 || (out != NULL) == (result == GT_OK));
            gt_contacts_destroy(out);
            assert_int_equal(allocator.alive, 0);
        }
    }
    gt_contacts_destroy(contacts);
    stop(&p);
    test_folder_remove(&folder);
}

static void test_what_has_no_feet_or_no_motion(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtContacts* contacts = NULL;
    Play p = play(GT_MOTION_IDLE);
    GtContactsDef def = gt_default_contacts_def();
    GT_EXPECT_ERROR(find_contacts_of(&context, p.scene, 1, &def, &contacts, &error), GT_ERROR_NOT_FOUND,
                    "there is no clip 1; the file has 1");
    GT_EXPECT_ERROR(find_contacts_of(&context, p.scene, GT_NONE, &def, &contacts, &error), GT_ERROR_NOT_FOUND,
                    "it has no clip to find contacts in");
    p.scene->animation_count = 0;
    GT_EXPECT_ERROR(find_contacts_of(&context, p.scene, 0, &def, &contacts, &error), GT_ERROR_NOT_FOUND,
                    "it has no clip");
    p.scene->animation_count = 1;
    p.scene->humanoid = NULL;
    for (int32_t n = 0; n < p.scene->node_count; ++n) { // all in one point
        p.scene->nodes[n].local.translation = gt_vec3(0.0f, 0.0f, 0.0f);
        p.scene->nodes[n].name = "x";
    }
    GT_EXPECT_ERROR(find_contacts_of(&context, p.scene, 0, &def, &contacts, &error), GT_ERROR_BAD_VALUE,
                    "no hips and legs are found");
    assert_null(contacts);
    stop(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contacts_are_those_of_the_motion),
        cmocka_unit_test(test_what_is_measured_is_found),
        cmocka_unit_test(test_trembling_breaks_no_contact),
        cmocka_unit_test(test_a_floor_that_slopes),
        cmocka_unit_test(test_files_come_back),
        cmocka_unit_test(test_files_by_hand),
        cmocka_unit_test(test_broken_files_are_refused),
        cmocka_unit_test(test_a_huge_file),
        cmocka_unit_test(test_memory_that_runs_out_is_said),
        cmocka_unit_test(test_what_has_no_feet_or_no_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

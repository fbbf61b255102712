// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Touches as a track: what is found, kept as a file, read and edited decides what hands do. The oracle is the skin of
// the result.

#include "motion/touching.h"
#include "support/folder.h"

static GtContacts* find_touches(const GtContext* context, const GtScene* motion)
{
    GtError error;
    GtContacts* contacts = NULL;
    GtContactsDef def = gt_default_contacts_def();
    def.hands = true;
    GT_EXPECT_OK(find_contacts_of(context, motion, 0, &def, &contacts, &error));
    assert_true(contacts->has_touches);
    return contacts;
}

static GtScene* carry_touches(const GtContext* context, const GtScene* motion, const GtScene* body,
                              const GtContacts* contacts, GtRetargetReport* report)
{
    GtRetargetDef def = bare_retarget_def();
    def.contacts = contacts;
    return carry(context, motion, body, &def, report);
}

// Contacts that hold these touches alone.
static GtContacts touches_only(GtTouch* touches, int32_t count)
{
    return (GtContacts){ .has_touches = true, .touches = touches, .touch_count = count };
}

static float gap_of(const GtContext* context, const GtScene* out, Scene scene, char hand, double time_s)
{
    Player p = open_player(context, out, 0);
    Skin skin = open_skin(&p);
    float gap = gap_at(&p, &skin, scene, hand, time_s);
    close_skin(&skin);
    close_player(&p);
    return gap;
}

static void what_touches_is_listed(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    static const struct {
        Scene scene;
        int count;
        GtTouched on[2];
    } expected[] = { { CLAP, 1, { GT_TOUCHED_RIGHT_HAND } },
                     { HIP, 2, { GT_TOUCHED_LEFT_THIGH, GT_TOUCHED_RIGHT_THIGH } },
                     { HEAD, 1, { GT_TOUCHED_HEAD } },
                     { GROUND, 2, { GT_TOUCHED_GROUND, GT_TOUCHED_GROUND } },
                     { NOTHING, 0, { 0 } } };
    for (int i = 0; i < 5; ++i) {
        GtScene* motion = make_touching(&context, expected[i].scene);
        GtContacts* contacts = find_touches(&context, motion);
        assert_int_equal(contacts->touch_count, expected[i].count);
        for (int32_t t = 0; t < contacts->touch_count; ++t) {
            const GtTouch* touch = &contacts->touches[t];
            assert_int_equal(touch->hand, t);
            assert_int_equal(touch->on, expected[i].on[t]);
            assert_int_equal(touch->with, GT_HAND_PART_ANY);
            GT_EXPECT_NEAR(touch->start_s, 0.45, 0.1); // on its way until 0.5 s, there until 1 s
            GT_EXPECT_NEAR(touch->end_s, 1.05, 0.1);
            assert_true(touch->has_place);
        }
        gt_contacts_destroy(contacts);
        gt_scene_destroy(motion);
    }
}

// Palms on the floor are where they were put; a hand on the head is over its joint, and hands on the hips are at the
// outer sides of thighs, whose bones point down: there the left is at -90 degrees.
static void places_are_those_of_the_motion(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* motion = make_touching(&context, GROUND);
    GtContacts* contacts = find_touches(&context, motion);
    Player p = open_player(&context, motion, 0);
    for (int hand = 0; hand < 2; ++hand) {
        GtVec3 wrist = joint_at(&p, hand ? "rightHand" : "leftHand", 0.75);
        GtVec3 finger = joint_at(&p, hand ? "rightMiddleProximal" : "leftMiddleProximal", 0.75);
        GtVec3 palm = gt_vec3_lerp(wrist, finger, 0.8f);
        GT_EXPECT_NEAR(contacts->touches[hand].place[0], palm.x, 0.02);
        GT_EXPECT_NEAR(contacts->touches[hand].place[1], palm.z, 0.03);
    }
    close_player(&p);
    gt_contacts_destroy(contacts);
    gt_scene_destroy(motion);
    motion = make_touching(&context, HEAD);
    contacts = find_touches(&context, motion);
    assert_true(contacts->touches[0].place[0] > 1.3);
    gt_contacts_destroy(contacts);
    gt_scene_destroy(motion);
    motion = make_touching(&context, HIP);
    contacts = find_touches(&context, motion);
    GT_EXPECT_NEAR(contacts->touches[0].place[1], gt_radians(-90.0), gt_radians(30.0));
    GT_EXPECT_NEAR(contacts->touches[1].place[1], gt_radians(90.0), gt_radians(30.0));
    gt_contacts_destroy(contacts);
    gt_scene_destroy(motion);
}

static void a_file_gives_back_what_was_found(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    TestFolder folder;
    test_folder_create(&folder);
    for (int s = CLAP; s <= GROUND; ++s) {
        GtScene* motion = make_touching(&context, (Scene)s);
        GtContacts* found = find_touches(&context, motion);
        GtContacts* read = NULL;
        const char* path = test_folder_path(&folder, "touches.json");
        GT_EXPECT_OK(gt_contacts_save(&context, found, path, &error));
        GT_EXPECT_OK(gt_contacts_load(&context, path, &read, &error));
        assert_int_equal(read->touch_count, found->touch_count);
        for (int32_t t = 0; t < read->touch_count; ++t) {
            const GtTouch *a = &read->touches[t], *b = &found->touches[t];
            assert_int_equal(a->hand, b->hand);
            assert_int_equal(a->on, b->on);
            assert_int_equal(a->with, b->with);
            assert_true((float)a->start_s == (float)b->start_s && (float)a->end_s == (float)b->end_s);
            assert_true(a->place[0] == b->place[0] && a->place[1] == b->place[1]);
        }
        for (int b = 0; b < BODY_COUNT; b += 5) { // one of the same build, too
            GtRetargetDef def = touch_def();
            GtRetargetReport by_itself, by_file;
            GtScene* body = make_body(&context, body_of(b), COARSE);
            GtScene* one = carry(&context, motion, body, &def, &by_itself);
            GtScene* other = carry_touches(&context, motion, body, read, &by_file);
            assert_memory_equal(&by_itself.touch, &by_file.touch, sizeof by_file.touch);
            expect_same_bytes(one, other, body->buffer_count);
            gt_scene_destroy(other);
            gt_scene_destroy(one);
            gt_scene_destroy(body);
        }
        gt_contacts_destroy(read);
        gt_contacts_destroy(found);
        gt_scene_destroy(motion);
    }
    test_folder_remove(&folder);
}

static void what_is_left_out_is_not_touched(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef plain = bare_retarget_def();
    GtScene* motion = make_touching(&context, HIP);
    GtScene* body = make_body(&context, body_of(3), COARSE);
    GtContacts* contacts = find_touches(&context, motion);
    GtScene* without = carry(&context, motion, body, &plain, NULL);
    GtRetargetReport report;
    contacts->touch_count = 1; // the left one stays
    GtScene* out = carry_touches(&context, motion, body, contacts, &report);
    assert_int_equal(report.touch.touch_count, 1);
    Player p = open_player(&context, out, 0), q = open_player(&context, without, 0);
    GtVec3 left = gt_vec3_sub(joint_at(&p, "leftHand", 0.75), joint_at(&q, "leftHand", 0.75));
    GtVec3 right = gt_vec3_sub(joint_at(&p, "rightHand", 0.75), joint_at(&q, "rightHand", 0.75));
    assert_true(gt_vec3_length(left) > 0.015f);
    assert_true(gt_vec3_length(right) == 0.0f);
    close_player(&q);
    close_player(&p);
    gt_scene_destroy(out);
    contacts->touch_count = 0;
    out = carry_touches(&context, motion, body, contacts, &report);
    assert_int_equal(report.touch.touch_count, 0);
    expect_same_bytes(out, without, body->buffer_count);
    gt_scene_destroy(out);
    gt_scene_destroy(without);
    gt_contacts_destroy(contacts);
    gt_scene_destroy(body);
    gt_scene_destroy(motion);
}

// The right arm hangs in the motion; the track has its hand on the right of the head.
static void what_is_added_is_touched(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* motion = make_touching(&context, HEAD);
    GtScene* body = make_body(&context, body_of(0), FINE);
    GtTouch touch = { .hand = 1,
                      .on = GT_TOUCHED_HEAD,
                      .start_s = 0.6,
                      .end_s = 0.9,
                      .has_place = true,
                      .place = { 0.8, -1.5707963267948966 } };
    GtContacts contacts = touches_only(&touch, 1);
    GtRetargetReport report;
    GtScene* out = carry_touches(&context, motion, body, &contacts, &report);
    assert_int_equal(report.touch.touch_count, 1);
    assert_int_equal(report.touch.missed_count, 0);
    assert_true(gap_of(&context, out, HEAD, 'r', 0.0) > 0.02f);
    GT_EXPECT_NEAR(gap_of(&context, out, HEAD, 'r', 0.75), 0.0, 0.005);
    gt_scene_destroy(out);
    gt_scene_destroy(body);
    gt_scene_destroy(motion);
}

static GtVec3 hand_at_rest(const GtContext* context, const GtScene* scene)
{
    Player p = open_player(context, scene, 0);
    GtVec3 place = joint_at(&p, "leftHand", 0.75);
    close_player(&p);
    return place;
}

static void touches_go_where_they_are_wanted(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* body = make_body(&context, body_of(0), FINE);
    GtScene* motion = make_touching(&context, HIP);
    GtContacts* contacts = find_touches(&context, motion);
    GtScene* before = carry_touches(&context, motion, body, contacts, NULL);
    contacts->touches[0].place[1] += gt_radians(45.0); // from the side to the front
    GtScene* after = carry_touches(&context, motion, body, contacts, NULL);
    GtVec3 way = gt_vec3_sub(hand_at_rest(&context, after), hand_at_rest(&context, before));
    assert_true(way.z > 0.05f && way.x < -0.01f);
    GT_EXPECT_NEAR(gap_of(&context, after, HIP, 'l', 0.75), 0.0, 0.005);
    gt_scene_destroy(after);
    gt_scene_destroy(before);
    gt_contacts_destroy(contacts);
    gt_scene_destroy(motion);

    motion = make_touching(&context, GROUND);
    contacts = find_touches(&context, motion);
    before = carry_touches(&context, motion, body, contacts, NULL);
    contacts->touches[0].place[0] += 0.05;
    contacts->touches[0].place[1] -= 0.03;
    after = carry_touches(&context, motion, body, contacts, NULL);
    way = gt_vec3_sub(hand_at_rest(&context, after), hand_at_rest(&context, before));
    GT_EXPECT_NEAR(way.x, 0.05, 0.002);
    GT_EXPECT_NEAR(way.y, 0.0, 0.002);
    GT_EXPECT_NEAR(way.z, -0.03, 0.002);
    gt_scene_destroy(after);
    gt_scene_destroy(before);
    gt_contacts_destroy(contacts);
    gt_scene_destroy(motion);
    gt_scene_destroy(body);
}

// Farther from the skin of the body than the tip of a finger are all others, where that finger shall touch.
static void one_finger_can_touch(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* body = make_body(&context, body_of(0), FINE);
    GtScene* motion = make_touching(&context, HEAD);
    GtContacts* contacts = find_touches(&context, motion);
    static const char* const fingers[] = { "leftIndexProximal", "leftLittleProximal" };
    static const GtHandPart parts[] = { GT_HAND_PART_INDEX, GT_HAND_PART_LITTLE };
    for (int k = 0; k < 2; ++k) {
        contacts->touches[0].with = parts[k];
        GtScene* out = carry_touches(&context, motion, body, contacts, NULL);
        Player p = open_player(&context, out, 0);
        Skin skin = open_skin(&p);
        play_at(&p, 0.75);
        gt_instance_deform(p.instance, 0, skin.points, NULL, NULL);
        const GtCharacterDef* def = gt_character_def(p.character);
        float least = INFINITY;
        for (int32_t v = 0; v < skin.mesh->vertex_count; ++v) {
            const uint16_t* joints = &skin.mesh->joints[v * skin.mesh->influence_count];
            const float* weights = &skin.mesh->weights[v * skin.mesh->influence_count];
            int32_t node = def->skins[skin.mesh->skin].joints[joints[0]];
            if (weights[0] > 0.5f && is_under(def, node, player_node(&p, fingers[k]))) {
                least = fminf(least, distance_to(&skin, skin.points[v], 'b'));
            }
        }
        GT_EXPECT_NEAR(least, 0.0, 0.005);
        close_skin(&skin);
        close_player(&p);
        gt_scene_destroy(out);
    }
    gt_contacts_destroy(contacts);
    gt_scene_destroy(motion);
    gt_scene_destroy(body);
}

static void a_mirror_has_the_other_hand(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* body = make_body(&context, body_of(4), FINE);
    for (int s = CLAP; s <= GROUND; ++s) {
        GtScene* motion = make_touching(&context, (Scene)s);
        GtContacts* contacts = find_touches(&context, motion);
        GtRetargetDef def = touch_def();
        def.mirror = true;
        GtRetargetReport found, given;
        GtScene* one = carry(&context, motion, body, &def, &found);
        def.contacts = contacts;
        GtScene* other = carry(&context, motion, body, &def, &given);
        assert_int_equal(found.touch.touch_count, given.touch.touch_count);
        Player p = open_player(&context, one, 0), q = open_player(&context, other, 0);
        for (int k = 0; k < 2; ++k) {
            const char* hand = k ? "rightHand" : "leftHand";
            GtVec3 apart = gt_vec3_sub(joint_at(&p, hand, 0.75), joint_at(&q, hand, 0.75));
            assert_true(gt_vec3_length(apart) < 0.001f); // the mean of the mirrored is that of the other, but rounded
        }
        close_player(&q);
        close_player(&p);
        gt_scene_destroy(other);
        gt_scene_destroy(one);
        gt_contacts_destroy(contacts);
        gt_scene_destroy(motion);
    }
    gt_scene_destroy(body);
}

// A clap is shorter than a frame at 5 Hz, and all else too.
static void what_is_between_frames_is_in_the_nearest(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* body = make_body(&context, body_of(0), COARSE);
    GtScene* motion = make_touching(&context, CLAP);
    GtTouch touches[] = { { .on = GT_TOUCHED_RIGHT_HAND, .start_s = 0.72, .end_s = 0.74 },
                          { .on = GT_TOUCHED_RIGHT_HAND, .start_s = 7.0, .end_s = 8.0 } };
    GtContacts contacts = touches_only(touches, 2);
    GtRetargetDef def = bare_retarget_def();
    def.contacts = &contacts;
    def.frame_rate_hz = 5.0;
    GtRetargetReport report;
    gt_scene_destroy(carry(&context, motion, body, &def, &report));
    assert_int_equal(report.touch.touch_count, 1);
    contacts.touches = &touches[1];
    contacts.touch_count = 1;
    gt_scene_destroy(carry(&context, motion, body, &def, &report));
    assert_int_equal(report.touch.touch_count, 0);
    gt_scene_destroy(motion);
    gt_scene_destroy(body);
}

static void wrong_files_are_refused(void** state)
{
    (void)state;
    static const char* const files[][2] = {
        { "[]", "must be contacts: an object with contacts" },
        { "{\"touches\": []}", "lacks \"contacts\", an object with leftHeel" },
        { "{\"contacts\": {}, \"touches\": {}}", "touches: must be a list" },
        { "{\"contacts\": {}, \"touches\": [3]}", "touches[0]: must be an object with hand, on, start_s and end_s" },
        { "{\"contacts\": {}, \"touches\": [{\"on\": \"head\", \"start_s\": 0, \"end_s\": 1}]}",
          "touches[0]: lacks \"hand\", left or right" },
        { "{\"contacts\": {}, \"touches\": [{\"hand\": \"both\", \"on\": \"head\", \"start_s\": 0, \"end_s\": 1}]}",
          "touches[0].hand: must be left or right" },
        { "{\"contacts\": {}, \"touches\": [{\"hand\": \"left\", \"on\": \"nose\", \"start_s\": 0, \"end_s\": 1}]}",
          "touches[0].on: must be ground or a part of the body: \"head\", \"chest\", " },
        { "{\"contacts\": {}, \"touches\": [{\"hand\": \"left\", \"on\": \"leftForearm\", \"start_s\": 0, \"end_s\": "
          "1}]}",
          "touches[0].on: must be something that the hand can touch" },
        { "{\"contacts\": {}, \"touches\": [{\"hand\": \"right\", \"on\": \"leftHand\", \"start_s\": 0, \"end_s\": 1, "
          "\"along\": 0}]}",
          "touches[0].on: must be something that the hand can touch" },
        { "{\"contacts\": {}, \"touches\": [{\"hand\": \"left\", \"with\": \"toe\", \"on\": \"head\", \"start_s\": 0, "
          "\"end_s\": 1}]}",
          "touches[0].with: must be \"any\", \"palm\"" },
        { "{\"contacts\": {}, \"touches\": [{\"hand\": \"left\", \"on\": \"head\", \"start_s\": \"0\", \"end_s\": 1}]}",
          "touches[0].start_s: must be a time in seconds" },
        { "{\"contacts\": {}, \"touches\": [{\"hand\": \"left\", \"on\": \"head\", \"start_s\": 0}]}",
          "touches[0]: lacks \"end_s\", a time in seconds" },
        { "{\"contacts\": {}, \"touches\": [{\"hand\": \"left\", \"on\": \"head\", \"start_s\": 2, \"end_s\": 1}]}",
          "touches[0].end_s: must be a time in seconds, not before the start" },
        { "{\"contacts\": {}, \"touches\": [{\"hand\": \"left\", \"on\": \"head\", \"start_s\": 0, \"end_s\": 1, "
          "\"along\": 3}]}",
          "touches[0].along: must be at most 2" },
        { "{\"contacts\": {}, \"touches\": [{\"hand\": \"left\", \"on\": \"head\", \"start_s\": 0, \"end_s\": 1, "
          "\"x_m\": 3}]}",
          "touches[0].x_m: has no meaning here" },
        { "{\"contacts\": {}, \"touches\": [{\"hand\": \"left\", \"on\": \"ground\", \"start_s\": 0, \"end_s\": 1, "
          "\"along\": 1}]}",
          "touches[0].along: has no meaning here" },
        { "{\"contacts\": {}, \"touches\": [{\"hand\": \"left\", \"on\": \"head\", \"from\": 0, \"to\": 1, "
          "\"at\": [3, 0]}]}",
          "touches[0].at: must be two numbers: how far along the bone" },
        { "{\"contacts\": {}, \"touches\": [{\"hand\": \"left\", \"on\": \"ground\", \"from\": 0, \"to\": 1, "
          "\"at\": [3]}]}",
          "touches[0].at: must be two numbers, and has 1 items" },
        { "{\"contacts\": {}, \"touches\": [{\"hand\": \"left\", \"on\": \"head\", \"start_s\": 1, \"end_s\": 2}, "
          "{\"hand\": \"left\", \"on\": \"head\", \"start_s\": 0, \"end_s\": 1.5}]}",
          "two of the left hand on head overlap at 1.000 s" },
        { "{\"contacts\": {\"leftToe\": [[0, 1], [1, 2, 1e5]]}}", "contacts.leftToe[1]: must be two times in seconds" },
        { "{\"contacts\": {\"leftToe\": [[0]]}}", "contacts.leftToe[0]: must be two times in seconds, start and end" },
    };
    GtContext context = gt_default_context();
    TestFolder folder;
    test_folder_create(&folder);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        GtError error;
        GtContacts* contacts = NULL;
        const char* path = test_folder_path(&folder, "wrong.json");
        test_folder_put(&folder, "wrong.json", files[i][0], strlen(files[i][0]));
        assert_int_equal(gt_contacts_load(&context, path, &contacts, &error), GT_ERROR_BAD_VALUE);
        assert_null(contacts);
        char text[sizeof error];
        gt_error_format(&error, text, sizeof text);
        if (!strstr(text, files[i][1])) {
            fail_msg("'%s' lacks '%s'", text, files[i][1]);
        }
    }
    test_folder_remove(&folder);
}

// Every part of a hand and of what it can touch goes through a file.
static void all_touches_come_back_from_files(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    TestFolder folder;
    test_folder_create(&folder);
    const char* path = test_folder_path(&folder, "touches.json");
    GtTouch touches[GT_TOUCHED_COUNT];
    int32_t count = 0;
    for (int32_t on = 0; on < GT_TOUCHED_COUNT; ++on) {
        if (on < GT_TOUCHED_LEFT_UPPER_ARM || on > GT_TOUCHED_LEFT_HAND) { // not the arm that the hand is on
            bool is_ground = on == GT_TOUCHED_GROUND;
            touches[count] =
                (GtTouch){ .on = (GtTouched)on,
                           .with = (GtHandPart)(count % GT_HAND_PART_COUNT),
                           .start_s = 0.5 * count,
                           .end_s = 0.5 * count + 0.25,
                           .has_place = true,
                           .place = { is_ground ? -3.5 : 0.75, is_ground ? 340.0 : gt_radians(20.0 * on) } };
            ++count;
        }
    }
    GtContacts contacts = touches_only(touches, count);
    GtContacts* read = NULL;
    GT_EXPECT_OK(gt_contacts_save(&context, &contacts, path, &error));
    GT_EXPECT_OK(gt_contacts_load(&context, path, &read, &error));
    assert_int_equal(read->touch_count, count);
    assert_true(count > GT_HAND_PART_COUNT);
    for (int32_t i = 0; i < count; ++i) {
        assert_int_equal(read->touches[i].on, touches[i].on);
        assert_int_equal(read->touches[i].with, touches[i].with);
        GT_EXPECT_NEAR(read->touches[i].start_s, touches[i].start_s, 0.0);
        GT_EXPECT_NEAR(read->touches[i].end_s, touches[i].end_s, 0.0);
        assert_true(read->touches[i].has_place);
        assert_memory_equal(read->touches[i].place, touches[i].place, sizeof touches[i].place);
    }
    gt_contacts_destroy(read);
    test_folder_remove(&folder);
}

static void former_names_are_read(void** state)
{
    (void)state;
    static const char* const files[] = {
        "{\"contacts\": {}, \"touches\": [{\"hand\": \"right\", \"on\": \"head\", \"start_s\": 0.1, \"end_s\": 0.4, "
        "\"along\": 1.5, \"around_deg\": -30}, {\"hand\": \"left\", \"on\": \"ground\", \"start_s\": 1, \"end_s\": 2, "
        "\"x_m\": 7, \"z_m\": -8}, {\"hand\": \"left\", \"on\": \"belly\", \"start_s\": 3, \"end_s\": 4}]}",
        "{\"contacts\": {}, \"touches\": [{\"hand\": \"right\", \"on\": \"head\", \"from\": 0.1, \"to\": 0.4, "
        "\"at\": [1.5, -30]}, {\"hand\": \"left\", \"on\": \"ground\", \"from\": 1, \"to\": 2, "
        "\"at\": [7, -8]}, {\"hand\": \"left\", \"on\": \"belly\", \"from\": 3, \"to\": 4}]}",
    };
    GtContext context = gt_default_context();
    GtError error;
    TestFolder folder;
    test_folder_create(&folder);
    GtContacts* contacts[2] = { NULL, NULL };
    for (int i = 0; i < 2; ++i) {
        test_folder_put(&folder, "touches.json", files[i], strlen(files[i]));
        GT_EXPECT_OK(gt_contacts_load(&context, test_folder_path(&folder, "touches.json"), &contacts[i], &error));
        assert_int_equal(contacts[i]->touch_count, 3);
    }
    for (int32_t t = 0; t < 3; ++t) {
        const GtTouch* a = &contacts[0]->touches[t];
        const GtTouch* b = &contacts[1]->touches[t];
        assert_true(a->hand == b->hand && a->on == b->on && a->start_s == b->start_s && a->end_s == b->end_s);
        assert_true(a->has_place == b->has_place && a->place[0] == b->place[0] && a->place[1] == b->place[1]);
    }
    GT_EXPECT_NEAR(contacts[0]->touches[0].place[0], 1.5, 0.0);
    assert_false(contacts[1]->touches[2].has_place);
    gt_contacts_destroy(contacts[0]);
    gt_contacts_destroy(contacts[1]);
    test_folder_remove(&folder);
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    GtContext heap = gt_default_context();
    GtScene* motion = make_touching(&heap, HEAD);
    TestFolder folder;
    test_folder_create(&folder);
    const char* path = test_folder_path(&folder, "failing.json");
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    int64_t allowed = 0;
    for (; result != GT_OK; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = heap;
        context.allocator = test_allocator(&limited);
        GtContactsDef def = gt_default_contacts_def();
        def.hands = true;
        GtContacts *contacts = NULL, *read = NULL;
        GtError error;
        result = find_contacts_of(&context, motion, 0, &def, &contacts, &error);
        if (result == GT_OK) {
            result = gt_contacts_save(&context, contacts, path, &error);
        }
        if (result == GT_OK) {
            result = gt_contacts_load(&context, path, &read, &error);
        }
        assert_true(result == GT_OK ? read->touch_count == 1 : result == GT_ERROR_OUT_OF_MEMORY);
        gt_contacts_destroy(read);
        gt_contacts_destroy(contacts);
        assert_int_equal(limited.alive, 0);
    }
    assert_true(allowed > 20);
    test_folder_remove(&folder);
    gt_scene_destroy(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_touches_is_listed),
        cmocka_unit_test(places_are_those_of_the_motion),
        cmocka_unit_test(a_file_gives_back_what_was_found),
        cmocka_unit_test(what_is_left_out_is_not_touched),
        cmocka_unit_test(what_is_added_is_touched),
        cmocka_unit_test(touches_go_where_they_are_wanted),
        cmocka_unit_test(one_finger_can_touch),
        cmocka_unit_test(a_mirror_has_the_other_hand),
        cmocka_unit_test(what_is_between_frames_is_in_the_nearest),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(all_touches_come_back_from_files),
        cmocka_unit_test(former_names_are_read),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

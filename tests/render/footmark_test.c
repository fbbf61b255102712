// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Marks on the ground: where feet stand, from when to when, and how long they are seen.

#include "motion/puppets.h"

#include "render/overlay/footmark.h"

static GtContacts* find_contacts(const GtContext* context, const GtScene* scene)
{
    GtError error;
    GtContacts* contacts = NULL;
    GtContactsDef def = gt_default_contacts_def();
    GT_EXPECT_OK(find_contacts_of(context, scene, 0, &def, &contacts, &error));
    return contacts;
}

static GtVec3 middle_of(const GtiFootmarks* marks, GtiMarkRange range)
{
    GtVec3 sum = gt_vec3(0.0f, 0.0f, 0.0f);
    for (int32_t i = range.first; i < range.first + range.count; ++i) {
        sum = gt_vec3_add(sum, marks->shape.positions[marks->shape.indices[i]]);
    }
    return gt_vec3_scale(sum, 1.0f / (float)range.count);
}

// The clean walk's feet do not slide: marks are under them, at every moment and as long as they stand.
static void marks_are_under_the_feet(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtArena arena = gt_arena_create(context.allocator);
    GtScene* walk = make_motion(&context, GT_MOTION_WALK, gt_default_person_def());
    GtContacts* contacts = find_contacts(&context, walk);
    GtiFootmarks marks;
    GT_EXPECT_OK(gti_footmarks_create(&context, &arena, walk, 0, contacts, &marks, &error));
    assert_int_equal(marks.count, contacts->count);
    Player player = open_player(&context, walk, 0);
    int32_t seen = 0;
    for (double time_s = 0.0; time_s < gt_clip_end_s(player.clip); time_s += 0.05) {
        uint8_t bits = gt_contacts_at(contacts, time_s);
        for (int32_t part = 0; part < GT_CONTACT_PART_COUNT; ++part) {
            GtiMarkRange now = gti_footmarks_now(&marks, part, time_s);
            assert_int_equal(now.count > 0, bits >> part & 1);
            if (now.count > 0) {
                GtVec3 mark = middle_of(&marks, now);
                GtVec3 foot = joint_at(&player, part < 2 ? "leftFoot" : "rightFoot", time_s);
                GtVec3 toes = joint_at(&player, part < 2 ? "leftToes" : "rightToes", time_s);
                GtVec3 joint = part % 2 ? toes : foot;
                assert_true(hypotf(mark.x - joint.x, mark.z - joint.z) < 0.09f);
                assert_true(mark.y < joint.y + 0.003f &&
                            mark.y > -0.02f); // soles of bones are as low as the lowest joint
                ++seen;
            }
        }
    }
    assert_true(seen > 100);
    close_player(&player);
    gt_contacts_destroy(contacts);
    gt_scene_destroy(walk);
    gt_arena_destroy(&arena);
}

static void marks_are_left_for_five_seconds(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtArena arena = gt_arena_create(context.allocator);
    GtScene* idle = make_motion(&context, GT_MOTION_IDLE, gt_default_person_def());
    GtContact spans[] = { { 0, 0.5, 1.0, 0.0f }, { 1, 0.5, 1.5, 0.0f }, { 3, 0.2, 0.6, 0.0f } };
    GtContacts contacts = { .spans = spans, .count = 3 };
    GtiFootmarks marks;
    GT_EXPECT_OK(gti_footmarks_create(&context, &arena, idle, 0, &contacts, &marks, &error));
    int32_t one = gti_footmarks_now(&marks, 0, 0.7).count;
    assert_true(one > 0);
    assert_int_equal(gti_footmarks_left(&marks, 0, 0.7).count, 0);
    assert_int_equal(gti_footmarks_left(&marks, 0, 1.2).count, one);
    assert_int_equal(gti_footmarks_left(&marks, 0, 1.6).count, 2 * one);
    assert_int_equal(gti_footmarks_left(&marks, 0, 6.2).count, one);
    assert_int_equal(gti_footmarks_left(&marks, 0, 6.6).count, 0);
    assert_int_equal(gti_footmarks_left(&marks, 1, 0.7).count, one);
    assert_int_equal(gti_footmarks_now(&marks, 3, 0.7).count, 0);
    assert_int_equal(gti_footmarks_now(&marks, 2, 0.3).count, 0);
    gt_scene_destroy(idle);
    gt_arena_destroy(&arena);
}

static void memory_that_runs_out_is_said(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* idle = make_motion(&context, GT_MOTION_IDLE, gt_default_person_def());
    GtContact spans[] = { { 0, 0.5, 1.0, 0.0f }, { 3, 0.2, 0.6, 0.0f } };
    GtContacts contacts = { .spans = spans, .count = 2 };
    TestAllocator allocator = { .remaining = -1 };
    context.allocator = test_allocator(&allocator);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        GtError error;
        GtiFootmarks marks;
        GtArena arena = gt_arena_create(context.allocator);
        allocator.remaining = allowed;
        result = gti_footmarks_create(&context, &arena, idle, 0, &contacts, &marks, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_arena_destroy(&arena);
        assert_int_equal(allocator.alive, 0);
    }
    assert_true(allocator.made > 10);
    gt_scene_destroy(idle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_under_the_feet),
        cmocka_unit_test(marks_are_left_for_five_seconds),
        cmocka_unit_test(memory_that_runs_out_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

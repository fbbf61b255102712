// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Joints as files: out of a rigged scene, edited, and back.

#include "gertie/person.h"
#include "gertie/rig.h"

#include "support/folder.h"
#include "support/test.h"

static void out_and_back(void** state)
{
    (void)state;
    GtError error = { 0 };
    GtContext context = gt_default_context();
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = 2000;
    GtScene* person = NULL;
    GT_EXPECT_OK(gt_sample_person(&context, &def, &person, NULL, &error));
    TestFolder folder;
    test_folder_create(&folder);
    const char* path = test_folder_path(&folder, "joints.json");
    GT_EXPECT_OK(gt_rig_joints_save(&context, person, path, &error));
    GtArena arena = gt_arena_create(context.allocator);
    GtRigJoint* joints = NULL;
    int32_t count = 0;
    GT_EXPECT_OK(gt_rig_joints_load(&context, path, &arena, &joints, &count, &error));
    assert_int_equal(count, GT_HUMANOID_JOINT_COUNT);
    assert_string_equal(joints[0].name, "hips");
    GT_EXPECT_NEAR(joints[0].position.y, person->nodes[person->humanoid->nodes[GT_HUMANOID_HIPS]].local.translation.y,
                   1e-5);
    test_folder_remove(&folder);
    gt_arena_destroy(&arena);
    gt_scene_destroy(person);
}

static void what_is_wrong_is_named(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        const char* message;
    } files[] = {
        { "{\"joints_m\": {\"hips\": [0, 1]}}", "joints_m.hips: must be three numbers of metres, and has 2 items" },
        { "{\"joints_m\": {\"hips\": [0, 1, \"2\"]}}", "joints_m.hips[2]: must be a number" },
        { "{\"joints_m\": {\"hips\": [0, 1e99, 2]}}", "joints_m.hips[1]: is beyond what a float holds" },
        { "{\"joints_m\": []}", "joints_m: must be an object of places by the VRM 1.0 names of joints" },
        { "{\"joints\": {\"hips\": 1}}", "joints_m.hips: must be three numbers of metres" }, // a former name
        { "{}", "lacks \"joints_m\", an object of places" },
        { "{\"joints_m\": {\"hips\": [0, 1, 2]}", "line 1" },
        { "", "line 1" },
    };
    GtError error = { 0 };
    GtContext context = gt_default_context();
    GtArena arena = gt_arena_create(context.allocator);
    TestFolder folder;
    test_folder_create(&folder);
    const char* path = test_folder_path(&folder, "joints.json");
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        GtRigJoint* joints = NULL;
        int32_t count = 0;
        test_folder_put(&folder, "joints.json", files[i].text, strlen(files[i].text));
        GtResult result = gt_rig_joints_load(&context, path, &arena, &joints, &count, &error);
        assert_true(result != GT_OK);
        GT_EXPECT_ERROR(result, result, files[i].message);
        assert_int_equal(count, 0);
    }
    test_folder_remove(&folder);
    gt_arena_destroy(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(out_and_back), cmocka_unit_test(what_is_wrong_is_named) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

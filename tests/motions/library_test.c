// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The library of motions: every name makes a valid scene that does what its row says, loops close, feet stand, on the
// skeleton it comes on and on a person of other proportions; names that are none are answered with near ones.

#include "support/test.h"

#include "gertie/animate.h"
#include "gertie/build.h"
#include "gertie/clip.h"
#include "gertie/measure.h"
#include "gertie/motion_library.h"
#include "gertie/person.h"

#include "motions/captured.h"

enum {
    LEAST_COUNT = 30,
    MOST_BYTES = 400000,
    MOST_BYTES_A_CAPTURE = 20000
};

#define SKATE_M           0.005
#define SHORT_CONTACT_MPS 5.0   // where feet are on the ground for less than what is measured as a contact
#define SEAM_M            0.003 // of a joint, from the last frame to the first

static const GtLibraryMotion* find(const char* name)
{
    const GtLibraryMotion* motion = NULL;
    for (int32_t i = 0; (motion = gt_motion_library_at(i)) && strcmp(motion->name, name) != 0; ++i) {
    }
    return motion;
}

static GtScene* load(const GtLibraryMotion* motion)
{
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_motion_library_load(&context, motion->name, &scene, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    return scene;
}

static void test_rows_are_complete(void** state)
{
    (void)state;
    const GtLibraryMotion* motion;
    int32_t count = 0;
    int captured = 0;
    for (; (motion = gt_motion_library_at(count)); ++count) {
        assert_ptr_equal(find(motion->name), motion); // no name twice
        assert_true(motion->description[0] && motion->licence[0]);
        captured += strncmp(motion->source, "CMU ", 4) == 0;
        for (int32_t i = 0; i + 1 < count; ++i) { // categories stand together
            const GtLibraryMotion* before = gt_motion_library_at(count - 1);
            if (strcmp(motion->category, before->category) != 0) {
                assert_string_not_equal(motion->category, gt_motion_library_at(i)->category);
            }
        }
    }
    assert_true(count >= LEAST_COUNT);
    assert_null(gt_motion_library_at(-1));
    assert_true(gti_captured_pack_size < MOST_BYTES);
    assert_true(gti_captured_pack_size < (size_t)(captured * MOST_BYTES_A_CAPTURE));
}

// Where the joints of a clip are at a time, by the runtime.
typedef struct Places {
    GtMat34 nodes[GT_HUMANOID_JOINT_COUNT];
} Places;

typedef struct Playing {
    GtScene* scene;
    GtCharacter* character;
    GtClip* clip;
} Playing;

static Playing start(const GtLibraryMotion* motion)
{
    GtContext context = gt_default_context();
    GtError error;
    GtBuildDef build = gt_default_build_def();
    Playing p = { .scene = load(motion) };
    GT_EXPECT_OK(gt_character_build(&context, p.scene, &build, &p.character, NULL, &error));
    GT_EXPECT_OK(gt_clip_build(&context, p.scene, 0, p.character, &p.clip, &error));
    assert_int_equal(gt_character_def(p.character)->node_count, GT_HUMANOID_JOINT_COUNT);
    return p;
}

static Places at(const Playing* p, double time_s)
{
    GtTransform pose[GT_HUMANOID_JOINT_COUNT];
    Places places;
    memcpy(pose, gt_character_def(p->character)->rest, sizeof pose);
    gt_clip_sample(p->clip, time_s, pose, NULL);
    gt_character_to_model(p->character, pose, places.nodes);
    return places;
}

static void finish(Playing* p)
{
    gt_clip_destroy(p->clip);
    gt_character_destroy(p->character);
    gt_scene_destroy(p->scene);
}

static void test_motions_do_as_their_rows_say(void** state)
{
    (void)state;
    const GtLibraryMotion* motion;
    for (int32_t i = 0; (motion = gt_motion_library_at(i)); ++i) {
        Playing p = start(motion);
        double end_s = gt_clip_end_s(p.clip);
        Places first = at(&p, 0.0);
        Places last = at(&p, end_s);
        GtVec3 from = gt_mat34_translation(&first.nodes[0]);
        GtVec3 path = gt_vec3_sub(gt_mat34_translation(&last.nodes[0]), from);
        path.y = 0.0f;
        assert_int_equal(p.scene->animation_count, 1);
        assert_string_equal(p.scene->animations[0].name, motion->name);
        assert_int_equal(p.scene->humanoid->nodes[GT_HUMANOID_HIPS], 0);
        GT_EXPECT_NEAR(end_s, motion->duration_s, 0.006);
        GT_EXPECT_NEAR(hypot((double)from.x, (double)from.z), 0.0, 0.08);
        if (motion->speed_mps > 0.0) {
            GT_EXPECT_NEAR(gt_vec3_length(path) / end_s, motion->speed_mps, 0.02);
            double off_axis_m = fmin(fabs((double)path.x), fabs((double)path.z));
            GT_EXPECT_NEAR(off_axis_m, 0.0, 0.01); // ahead, aside or backwards, never askew
        }
        for (int j = 0; j < GT_HUMANOID_JOINT_COUNT && motion->loops; ++j) {
            GtVec3 moved = gt_vec3_add(gt_mat34_translation(&first.nodes[j]), path);
            double gap_m = (double)gt_vec3_length(gt_vec3_sub(gt_mat34_translation(&last.nodes[j]), moved));
            if (!(gap_m < SEAM_M)) {
                fail_msg("%s: %s is %g m off at the seam", motion->name, gt_humanoid_name((GtHumanoidJoint)j), gap_m);
            }
        }
        finish(&p);
    }
}

static void expect_feet_stand(const GtScene* scene, int32_t animation, const char* name)
{
    GtContext context = gt_default_context();
    GtError error;
    GtMeasure* measure = NULL;
    GtMeasureDef def = gt_default_measure_def();
    def.animation = animation;
    def.mesh_frame_count = 0;
    GT_EXPECT_OK(gt_measure(&context, scene, &def, &measure, &error));
    for (int side = 0; side < 2; ++side) {
        const GtFootMeasure* foot = &measure->feet[side];
        bool stands = foot->contact_count > 0 || find(name)->speed_mps >= SHORT_CONTACT_MPS;
        if (!stands || foot->skate_m >= SKATE_M || !(foot->penetration_m < SKATE_M)) {
            fail_msg("%s: a foot slides by %g m and is %g m in the ground", name, foot->skate_m, foot->penetration_m);
        }
    }
    gt_measure_destroy(measure);
}

// On a person of other proportions, and captures also as they are on the person they were fitted to. Of motions by
// formulas motion_test.c watches the soles themselves.
static void test_feet_stand(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* people[2] = { NULL, NULL };
    GtAnimateDef defs[2] = { gt_default_animate_def(), gt_default_animate_def() };
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = 6000; // soles that are coarser roll on their edges
    GT_EXPECT_OK(gt_sample_person(&context, &def, &people[0], NULL, &error));
    def.height_m = 1.55;
    def.leg_length = 1.1;
    GT_EXPECT_OK(gt_sample_person(&context, &def, &people[1], NULL, &error));
    defs[0].retarget.feet = GT_FEET_OFF;
    defs[0].retarget.collide = GT_COLLIDE_OFF;
    const GtLibraryMotion* motion;
    for (int32_t i = 0; (motion = gt_motion_library_at(i)); ++i) {
        GtScene* scene = load(motion);
        for (int k = strcmp(motion->source, "formula") == 0; k < 2; ++k) {
            GtScene* animated = NULL;
            GT_EXPECT_OK(gt_animate(&context, people[k], scene, &defs[k], &animated, NULL, &error));
            expect_feet_stand(animated, animated->animation_count - 1, motion->name);
            gt_scene_destroy(animated);
        }
        gt_scene_destroy(scene);
    }
    gt_scene_destroy(people[0]);
    gt_scene_destroy(people[1]);
}

static void test_names_that_are_none(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GT_EXPECT_ERROR(gt_motion_library_load(&context, "walk_relaxd", &scene, &error), GT_ERROR_NOT_FOUND,
                    "no motion of the library is called 'walk_relaxd'; did you mean 'walk' or 'walk_relaxed'?");
    GT_EXPECT_ERROR(
        gt_motion_load(&context, "walk_relaxd", NULL, &scene, &error), GT_ERROR_NOT_FOUND,
        "no file and no motion of the library called 'walk_relaxd'; did you mean 'walk' or 'walk_relaxed'?");
    GT_EXPECT_ERROR(gt_motion_load(&context, "quite_another", NULL, &scene, &error), GT_ERROR_IO, "");
    GT_EXPECT_ERROR(gt_motion_load(&context, "./walk", NULL, &scene, &error), GT_ERROR_IO, "");
    GT_EXPECT_ERROR(gt_motion_load(&context, "walk.bvh", NULL, &scene, &error), GT_ERROR_IO, "");
    GT_EXPECT_ERROR(gt_motion_load(&context, "", NULL, &scene, &error), GT_ERROR_IO, "");
    assert_null(scene);
    GT_EXPECT_OK(gt_motion_load(&context, "walk", NULL, &scene, &error));
    gt_scene_destroy(scene);
}

// Of a capture; motion_test.c has the formulas.
static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    GtError error;
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtScene* scene = NULL;
        result = gt_motion_library_load(&context, "sidestep", &scene, &error);
        assert_true(result == GT_OK || (result == GT_ERROR_OUT_OF_MEMORY && !scene));
        gt_scene_destroy(scene);
        assert_int_equal(limited.alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_complete),
        cmocka_unit_test(test_motions_do_as_their_rows_say),
        cmocka_unit_test(test_feet_stand),
        cmocka_unit_test(test_names_that_are_none),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

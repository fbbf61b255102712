// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Characters and captures from elsewhere, in the folder that GERTIE_DATA names; skipped where there is none.

#include "motion/puppets.h"

#include "gertie/animate.h"
#include "gertie/file.h"

#include <stdlib.h>

static const double DEGREES = 57.29577951308232;

static const char* const characters[] = { "Xbot", "CesiumMan", "RobotExpressive", "BrainStem", "RiggedFigure" };
static const char* const motions[] = { "cmu_02_01", "cmu_13_17", "cmu_10_01", "cmu_05_02" };

static GtScene* load(const GtContext* context, const char* folder, const char* name, const char* ending)
{
    const char* data = getenv("GERTIE_DATA");
    if (!data || !data[0]) {
        print_message("GERTIE_DATA is not set: nothing to try\n");
        skip();
    }
    char path[1024];
    GtError error;
    GtScene* scene = NULL;
    GtLoadDef def = gt_default_load_def();
    snprintf(path, sizeof path, "%s/%s/%s.%s", data, folder, name, ending);
    GtResult result = gt_scene_load(context, path, &def, &scene, &error);
    if (result == GT_ERROR_IO) {
        print_message("%s is not there\n", path);
        skip();
    }
    GT_EXPECT_OK(result);
    return scene;
}

static void test_captures_on_all_characters(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    for (int m = 0; m < 4; ++m) {
        GtScene* motion = load(&context, "mocap", motions[m], "bvh");
        for (int c = 0; c < 5; ++c) {
            GtScene* character = load(&context, "rigged", characters[c], "glb");
            GtAnimateDef def = gt_default_animate_def();
            def.retarget.frame_rate_hz = 60.0;
            GtAnimateReport report;
            GtScene* out = NULL;
            GT_EXPECT_OK(gt_animate(&context, character, motion, &def, &out, &report, &error));
            assert_true(report.retarget.mean_direction_error_rad * DEGREES < 3.0);
            assert_true(report.retarget.max_extra_turn_rad * DEGREES < 30.0);
            for (int32_t n = 0; n < character->node_count; ++n) {
                assert_memory_equal(&out->nodes[n].local, &character->nodes[n].local, sizeof(GtTransform));
            }
            gt_scene_destroy(out);
            gt_scene_destroy(character);
        }
        gt_scene_destroy(motion);
    }
}

static void test_characters_to_themselves(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    for (int c = 0; c < 5; ++c) {
        GtScene* character = load(&context, "rigged", characters[c], "glb");
        double size_m = c == 2 ? 4.0 : 1.6; // about; the robot is tall
        for (int32_t a = 0; a < character->animation_count; ++a) {
            GtAnimateDef def = gt_default_animate_def();
            def.animation = a;
            def.retarget.feet = GT_FEET_OFF; // planting cleans clips up by millimetres: plant_test
            GtScene* out = NULL;
            GT_EXPECT_OK(gt_animate(&context, character, character, &def, &out, NULL, &error));
            Player p = open_player(&context, out, 0);
            Player q = open_player(&context, character, a);
            double start_s = gt_clip_start_s(q.clip), length_s = gt_clip_end_s(q.clip) - start_s;
            for (int k = 0; k <= 5; ++k) {
                play_at(&p, length_s * k / 5.0);
                play_at(&q, start_s + length_s * k / 5.0);
                for (int32_t n = 0; n < gt_character_def(p.character)->node_count; ++n) {
                    GtVec3 here = gt_mat34_translation(&p.instance->model_from_node[n]);
                    GtVec3 there = gt_mat34_translation(&q.instance->model_from_node[n]);
                    GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(here, there)), 0.0, 1e-4 * size_m);
                }
            }
            close_player(&p);
            close_player(&q);
            gt_scene_destroy(out);
        }
        gt_scene_destroy(character);
    }
}

static GtQuat model_rotation(const Player* p, int32_t scene_node)
{
    GtQuat q = gt_quat_identity();
    for (int32_t i = gt_character_node_from_source(p->character, scene_node); i != GT_NONE;
         i = gt_character_def(p->character)->parents[i]) {
        q = gt_quat_mul(gt_quat_normalize(p->instance->pose[i].rotation), q);
    }
    return q;
}

static void test_there_and_back_over_all_characters(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtAnimateDef def = gt_default_animate_def();
    def.retarget.frame_rate_hz = 30.0;
    def.retarget.feet = GT_FEET_OFF;
    def.retarget.collide = GT_COLLIDE_OFF; // characters are built differently
    GtScene* motion = load(&context, "mocap", motions[3], "bvh");
    GtScene* xbot = load(&context, "rigged", characters[0], "glb");
    GtScene* first = NULL;
    GT_EXPECT_OK(gt_animate(&context, xbot, motion, &def, &first, NULL, &error));
    for (int c = 1; c < 5; ++c) {
        GtScene* character = load(&context, "rigged", characters[c], "glb");
        GtScene* there = NULL;
        GtScene* back = NULL;
        GT_EXPECT_OK(gt_animate(&context, character, first, &def, &there, NULL, &error));
        GT_EXPECT_OK(gt_animate(&context, xbot, there, &def, &back, NULL, &error));
        Player p = open_player(&context, first, 0);
        Player q = open_player(&context, back, 0);
        double sum = 0.0;
        int count = 0;
        for (int k = 0; k < 60; ++k) {
            play_at(&p, k / 10.0);
            play_at(&q, k / 10.0);
            for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) { // what both figures have
                if (first->humanoid->nodes[j] != GT_NONE && there->humanoid->nodes[j] != GT_NONE) {
                    sum += (double)gt_quat_angle_rad(model_rotation(&p, first->humanoid->nodes[j]),
                                                     model_rotation(&q, first->humanoid->nodes[j]));
                    ++count;
                }
            }
        }
        print_message("%s and back: %.3f degrees\n", characters[c], sum / count * DEGREES);
        assert_true(sum / count * DEGREES < 2.0);
        close_player(&p);
        close_player(&q);
        gt_scene_destroy(back);
        gt_scene_destroy(there);
        gt_scene_destroy(character);
    }
    gt_scene_destroy(first);
    gt_scene_destroy(xbot);
    gt_scene_destroy(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_captures_on_all_characters),
        cmocka_unit_test(test_characters_to_themselves),
        cmocka_unit_test(test_there_and_back_over_all_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

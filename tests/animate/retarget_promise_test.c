// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What reports of `retarget` and `clip --plant` say, measured in the clips that they write, in double, on rigs as
// exporters make them: how far limbs point away from the source's, how far planting moved ankles and hips.

#include "gertie/motions.h"
#include "gertie/retarget.h"
#include "support/rigs.h"
#include "support/test.h"
#include "support/transfer.h"
#include "support/viewer.h"

static const double rounding_rad = 2e-5;
static const double rounding_m = 2e-6;

// Carry a clip over onto a copy of a scene; the clip is the last one.
static GtScene* carry(const GtContext* context, const GtScene* motion, const GtScene* body, GtFeet feet,
                      GtHumanoidMap maps[2], GtRetargetReport* report)
{
    GtError error;
    GtScene* out = NULL;
    Transfer transfer = { 0 };
    GtRetargetDef def = gt_default_retarget_def();
    def.feet = feet;
    def.collide = GT_COLLIDE_OFF; // what the report says of directions is before that
    GT_EXPECT_OK(gt_scene_copy(context, body, &out, &error));
    GT_EXPECT_OK(open_mapped(context, motion, 0, NULL, &transfer.source, &error));
    GT_EXPECT_OK(open_mapped(context, body, GT_NONE, NULL, &transfer.target, &error));
    GT_EXPECT_OK(gt_retarget_create(context, &transfer.source, &transfer.target, &def, &transfer.retarget, &error));
    GT_EXPECT_OK(gt_retarget_clip(context, transfer.retarget, out, NULL, report, &error));
    maps[0] = transfer.source.map;
    maps[1] = transfer.target.map;
    transfer_close(&transfer);
    return out;
}

static void place_of(const Viewer* viewer, int32_t node, double out[3])
{
    for (int i = 0; i < 3; ++i) {
        out[i] = viewer_node(viewer, node)->m[i][3];
    }
}

static double angle_between(const Viewer* a, const GtHumanoidMap* map_a, const Viewer* b, const GtHumanoidMap* map_b,
                            GtHumanoidJoint joint)
{
    double dot = 0.0, squares[2] = { 0.0, 0.0 }, at[4][3];
    place_of(a, map_a->nodes[joint], at[0]);
    place_of(a, map_a->nodes[joint + 1], at[1]);
    place_of(b, map_b->nodes[joint], at[2]);
    place_of(b, map_b->nodes[joint + 1], at[3]);
    for (int i = 0; i < 3; ++i) {
        double x = at[1][i] - at[0][i], y = at[3][i] - at[2][i];
        dot += x * y;
        squares[0] += x * x;
        squares[1] += y * y;
    }
    return acos(fmin(dot / sqrt(squares[0] * squares[1]), 1.0));
}

static void expect_directions(const GtContext* context, const GtScene* motion, const GtScene* body, const char* name)
{
    static const GtHumanoidJoint bones[8] = { GT_HUMANOID_LEFT_UPPER_ARM,  GT_HUMANOID_LEFT_LOWER_ARM,
                                              GT_HUMANOID_RIGHT_UPPER_ARM, GT_HUMANOID_RIGHT_LOWER_ARM,
                                              GT_HUMANOID_LEFT_UPPER_LEG,  GT_HUMANOID_LEFT_LOWER_LEG,
                                              GT_HUMANOID_RIGHT_UPPER_LEG, GT_HUMANOID_RIGHT_LOWER_LEG };
    GtRetargetReport report;
    GtHumanoidMap maps[2];
    GtScene* out = carry(context, motion, body, GT_FEET_OFF, maps, &report);
    Viewer* source = viewer_open(motion, 0);
    Viewer* target = viewer_open(out, out->animation_count - 1);
    double most = 0.0, sum = 0.0, count = 0.0, length_s = viewer_end_s(source) - viewer_start_s(source);
    for (int32_t f = 0; f < report.frame_count; ++f) {
        double time_s = length_s * f / (report.frame_count - 1);
        viewer_pose(source, viewer_start_s(source) + time_s);
        viewer_pose(target, viewer_start_s(target) + time_s);
        for (int b = 0; b < 8; ++b) {
            if (maps[1].nodes[bones[b]] != GT_NONE && maps[1].nodes[bones[b] + 1] != GT_NONE) {
                double angle = angle_between(source, &maps[0], target, &maps[1], bones[b]);
                most = fmax(most, angle);
                sum += angle;
                count += 1.0;
            }
        }
    }
    const double angles[2][2] = { { report.mean_direction_error_rad, sum / count },
                                  { report.max_direction_error_rad, most } };
    for (int i = 0; i < 2; ++i) {
        if (!(fabs(angles[i][0] - angles[i][1]) <= rounding_rad)) {
            fail_msg("%s: limbs are %g radians off, not %g", name, angles[i][1], angles[i][0]);
        }
    }
    viewer_close(source);
    viewer_close(target);
    gt_scene_destroy(out);
}

// Farthest that hips and ankles are apart in the last clips of two scenes, frame by frame.
static void measure_shifts(const GtScene* scenes[2], const GtHumanoidMap* map, int32_t frame_count, double shifts_m[2])
{
    static const GtHumanoidJoint joints[3] = { GT_HUMANOID_HIPS, GT_HUMANOID_LEFT_FOOT, GT_HUMANOID_RIGHT_FOOT };
    Viewer* viewers[2];
    shifts_m[0] = shifts_m[1] = 0.0;
    for (int i = 0; i < 2; ++i) {
        viewers[i] = viewer_open(scenes[i], scenes[i]->animation_count - 1);
    }
    double length_s = viewer_end_s(viewers[0]) - viewer_start_s(viewers[0]);
    for (int32_t f = 0; f < frame_count; ++f) {
        double at[2][3];
        for (int i = 0; i < 2; ++i) {
            viewer_pose(viewers[i], viewer_start_s(viewers[i]) + length_s * f / (frame_count - 1));
        }
        for (int j = 0; j < 3; ++j) {
            place_of(viewers[0], map->nodes[joints[j]], at[0]);
            place_of(viewers[1], map->nodes[joints[j]], at[1]);
            shifts_m[j > 0] = fmax(shifts_m[j > 0], viewer_distance(at[0], at[1]));
        }
    }
    viewer_close(viewers[0]);
    viewer_close(viewers[1]);
}

// lift_m: that the figure was lifted out of the ground by, after it was planted
static void compare_shifts(const GtPlantReport* report, double lift_m, const double shifts_m[2], const char* name,
                           const char* verb)
{
    if (!(fabs(report->hips_shift_m - shifts_m[0]) <= rounding_m + lift_m)) {
        fail_msg("%s, %s: hips moved by %g mm, not %g", name, verb, 1e3 * shifts_m[0], 1e3 * report->hips_shift_m);
    }
    if (!(fabs(report->foot_shift_m - shifts_m[1]) <= rounding_m + lift_m)) {
        fail_msg("%s, %s: ankles moved by %g mm, not %g", name, verb, 1e3 * shifts_m[1], 1e3 * report->foot_shift_m);
    }
}

static void expect_planted(const GtContext* context, const GtScene* motion, const GtScene* body, const char* name)
{
    GtError error;
    GtHumanoidMap maps[2];
    GtRetargetReport reports[2];
    GtScene* off = carry(context, motion, body, GT_FEET_OFF, maps, &reports[0]);
    GtScene* planted = carry(context, motion, body, GT_FEET_PLANT, maps, &reports[1]);
    double shifts_m[2];
    measure_shifts((const GtScene* [2]){ off, planted }, &maps[1], reports[1].frame_count, shifts_m);
    compare_shifts(&reports[1].plant, reports[1].lift.body_lift_m, shifts_m, name, "retarget");
    assert_in_range(reports[1].plant.short_frames, 0, reports[1].frame_count);
    GtTake *take = NULL, *cleaned = NULL;
    GtTakeDef def = gt_default_take_def();
    GtPlantReport report;
    GtScene* clean = NULL;
    def.animation = off->animation_count - 1;
    GT_EXPECT_OK(gt_take_create(context, off, &def, &take, &error));
    GT_EXPECT_OK(gt_take_plant(context, take, off, NULL, &cleaned, &report, &error));
    GT_EXPECT_OK(gt_scene_copy(context, off, &clean, &error));
    GT_EXPECT_OK(gt_take_bake(context, clean, cleaned, NULL, NULL, &error));
    measure_shifts((const GtScene* [2]){ off, clean }, &maps[1], take->frame_count, shifts_m);
    compare_shifts(&report, 0.0, shifts_m, name, "clip --plant");
    assert_in_range(report.short_frames, 0, take->frame_count);
    gt_take_destroy(take);
    gt_take_destroy(cleaned);
    gt_scene_destroy(clean);
    gt_scene_destroy(off);
    gt_scene_destroy(planted);
}

// A walk is a cycle, whose feet are planted with those of the cycles before and after it in view; a kick is none.
static void on_all_rigs(GtMotionKind kind,
                        void (*expect)(const GtContext*, const GtScene*, const GtScene*, const char*))
{
    GtError error;
    GtContext context = gt_default_context();
    GtScene *motion = NULL, *body = NULL;
    GtMotionDef def = gt_default_motion_def(kind);
    const char* name;
    GT_EXPECT_OK(gt_sample_motion(&context, &def, &motion, NULL, &error));
    for (int32_t i = 0; i < TEST_RIG_COUNT; ++i) {
        body = test_rig(&context, i, 2000);
        expect(&context, motion, body, test_rig_name(i));
        gt_scene_destroy(body);
    }
    for (int32_t i = 0; (body = test_real_rig(&context, i, &name)) != NULL; ++i) {
        expect(&context, motion, body, name);
        gt_scene_destroy(body);
    }
    gt_scene_destroy(motion);
}

static void test_directions(void** state)
{
    (void)state;
    on_all_rigs(GT_MOTION_KICK, expect_directions);
}

static void test_planting(void** state)
{
    (void)state;
    on_all_rigs(GT_MOTION_KICK, expect_planted);
    on_all_rigs(GT_MOTION_WALK, expect_planted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_directions),
        cmocka_unit_test(test_planting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

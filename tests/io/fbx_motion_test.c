// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The transform of a model over time: evaluated at several times side by side, and one after another.

#include "io/fbx/animation.h"
#include "support/test.h"

#define SECOND GTI_FBX_TICKS_PER_S

enum {
    TIMES = 11
};

// A model whose translation and rotation move along lines.
typedef struct MotionFile {
    GtiFbxReader reader;
    GtiFbxModel model;
    GtiFbxKey keys[6][2];
    GtiFbxDriver drivers[2];
    GtiFbxMotion motion;
} MotionFile;

static void make_motion(MotionFile* f, GtiFbxOrder order, bool is_root, double degrees)
{
    GtiVec pre = gti_vec(10.0, -20.0, 30.0), post = gti_vec(5.0, 0.0, -70.0);
    *f = (MotionFile){ .reader = { .metres_per_unit = 0.01, .y_from_file = gti_fbx_rotation(pre, GTI_FBX_ZYX) } };
    f->model = (GtiFbxModel){ .parent = is_root ? GT_NONE : 0,
                              .pivots = { .order = order,
                                          .inherit = GTI_FBX_INHERIT_RSrs,
                                          .pre_rotation = gti_fbx_rotation(pre, GTI_FBX_XYZ),
                                          .post_rotation = gti_fbx_rotation(post, GTI_FBX_XYZ) } };
    f->motion = (GtiFbxMotion){ .reader = &f->reader, .model = &f->model };
    const double ends[6] = { 3.0, -40.0, 7.0, degrees, -0.7 * degrees, 1.3 * degrees };
    for (int i = 0; i < 6; ++i) {
        f->keys[i][0] = (GtiFbxKey){ .time = 0.0, .value = 0.5 * i, .interpolation = GTI_FBX_LINEAR };
        f->keys[i][1] = (GtiFbxKey){ .time = SECOND, .value = 0.5 * i + ends[i] };
        f->drivers[i / 3].curves[i % 3] = (GtiFbxCurve){ .keys = f->keys[i], .key_count = 2, .ticks_per_s = SECOND };
    }
    for (int i = 0; i < 3; ++i) {
        f->drivers[i / 2].is_first_layer = true;
        f->motion.tracks[i] = (GtiFbxTrack){ .path = (GtiFbxPath)i,
                                             .order = order,
                                             .rest = gti_vec(1.0, 2.0, 3.0),
                                             .drivers = &f->drivers[i],
                                             .driver_count = i < 2 };
    }
    gti_fbx_motion_prepare(&f->motion);
}

static void evaluate(MotionFile* f, bool is_plain, float rows[TIMES][GTI_FBX_TRANSFORM_WIDTH])
{
    double times[TIMES];
    for (int i = 0; i < TIMES; ++i) {
        times[i] = i * SECOND / (TIMES - 1);
    }
    memset(rows, 0xCD, sizeof(float[TIMES][GTI_FBX_TRANSFORM_WIDTH]));
    f->motion.is_plain = is_plain;
    gti_fbx_motion_evaluate(&f->motion, times, TIMES, &rows[0][0]);
}

static void test_side_by_side(void** state)
{
    (void)state;
    static const double degrees[] = { 0.0, 1e-3, 80.0, 361.0, -7e4, 3e8 };
    for (int order = GTI_FBX_XYZ; order <= GTI_FBX_SPHERIC; ++order) {
        for (int i = 0; i < 12; ++i) {
            MotionFile f;
            float wide[TIMES][GTI_FBX_TRANSFORM_WIDTH], single[TIMES][GTI_FBX_TRANSFORM_WIDTH];
            make_motion(&f, (GtiFbxOrder)order, i % 2, degrees[i / 2]);
            assert_true(f.motion.is_plain);
            evaluate(&f, true, wide);
            evaluate(&f, false, single);
            for (int k = 0; k < TIMES * GTI_FBX_TRANSFORM_WIDTH; ++k) {
                GT_EXPECT_NEAR((double)(&wide[0][0])[k], (double)(&single[0][0])[k], 1e-7);
            }
        }
    }
}

// What counts as straight is within the tolerance of the arc between its ends; what turns far is not straight.
static void test_straight(void** state)
{
    (void)state;
    int straight = 0;
    for (int i = 0; i < 40; ++i) {
        MotionFile f;
        float rows[TIMES][GTI_FBX_TRANSFORM_WIDTH];
        make_motion(&f, (GtiFbxOrder)(i % 7), i % 2, 0.25 * i);
        evaluate(&f, true, rows);
        bool is_straight = gti_fbx_motion_is_straight(&f.motion, 0.0, SECOND, rows[0], rows[TIMES - 1]);
        straight += is_straight;
        assert_true(!is_straight || i < 20);
        for (int k = 0; k < TIMES && is_straight; ++k) {
            const float* a = rows[0] + 3;
            const float* b = rows[TIMES - 1] + 3;
            GtiQuat from = { (double)a[0], (double)a[1], (double)a[2], (double)a[3] };
            GtiQuat to = { (double)b[0], (double)b[1], (double)b[2], (double)b[3] };
            GtiQuat at = { (double)rows[k][3], (double)rows[k][4], (double)rows[k][5], (double)rows[k][6] };
            GtiVec step = gti_quat_log(gti_quat_mul(gti_quat_conjugate(from), to));
            GtiQuat arc = gti_quat_mul(from, gti_quat_exp(gti_vec_scale(step, (double)k / (TIMES - 1))));
            double off_rad = gti_vec_length(gti_quat_log(gti_quat_mul(gti_quat_conjugate(arc), at)));
            assert_true(off_rad <= GTI_FBX_ROTATION_TOLERANCE_RAD);
        }
    }
    assert_in_range(straight, 4, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_side_by_side),
        cmocka_unit_test(test_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

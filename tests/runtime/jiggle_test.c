// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Springs against the closed forms of damped oscillators: pushed, shaken, and at any length of step.

#include "runtime/tube.h"

#include <stdlib.h>

typedef struct Jiggle {
    Tube tube;
    GtJiggleDef def;
    void* state;
} Jiggle;

static void create_jiggle(Jiggle* jiggle)
{
    create_tube(&jiggle->tube, GT_SKIN_LINEAR, TUBE_SECTIONS);
    jiggle->def = gt_default_jiggle_def();
    jiggle->def.section = 0;
    jiggle->def.limit_m = 1e9f;
    GtError error;
    GT_EXPECT_OK(gti_jiggle_check(&jiggle->def, jiggle->tube.character, &error));
    size_t size = (gti_jiggle_state_size(&jiggle->def, jiggle->tube.character) + 15) / 16 * 16;
    jiggle->state = aligned_alloc(16, size);
    assert_non_null(jiggle->state);
    memset(jiggle->state, 0xCD, size);
    gti_jiggle_reset(&jiggle->def, jiggle->tube.character, jiggle->state);
}

static void destroy_jiggle(Jiggle* jiggle)
{
    free(jiggle->state);
    destroy_tube(&jiggle->tube);
}

// One frame with the joint at height y; what the first point is then off, along y.
static double step(Jiggle* jiggle, double y, double step_s)
{
    GtInstance* instance = jiggle->tube.instance;
    gt_instance_reset(instance);
    instance->pose[0].translation.y = (float)y;
    gt_instance_update(instance);
    step_jiggle(&jiggle->def, instance, step_s, jiggle->state);
    return (double)offsets_of(&jiggle->tube, 0)[0].y;
}

// A joint that starts to move evenly: e(0) = 0, e'(0) = -v, and then the spring alone.
static void test_a_push_swings_as_it_must(void** state)
{
    (void)state;
    static const double dampings[] = { 0.0, 0.2, 0.9, 1.0, 3.0 };
    for (size_t n = 0; n < sizeof dampings / sizeof *dampings; ++n) {
        for (int rate = 0; rate < 3; ++rate) { // one long step is as right as many short ones
            static Jiggle jiggle;
            create_jiggle(&jiggle);
            jiggle.def.damping = (float)dampings[n];
            double w = 2.0 * 3.14159265358979 * 3.0;
            double d = (double)jiggle.def.damping;
            double h = rate == 0 ? 1.0 / 240.0 : rate == 1 ? 1.0 / 30.0 : 0.31;
            assert_true(step(&jiggle, 0.0, h) == 0.0);
            assert_true(step(&jiggle, 0.0, h) == 0.0);
            double t = 0.0;
            for (int frame = 0; t < 0.6; ++frame) {
                t += h;
                double off = step(&jiggle, 0.8 * t, h);
                double wanted = -0.8 * t * exp(-w * t);
                if (d < 1.0) {
                    double own = w * sqrt(1.0 - d * d);
                    wanted = -0.8 * exp(-d * w * t) * sin(own * t) / own;
                } else if (d > 1.0) {
                    double own = w * sqrt(d * d - 1.0);
                    wanted = -0.8 * exp(-d * w * t) * sinh(own * t) / own;
                }
                GT_EXPECT_NEAR(off, wanted, 3e-5); // places are floats: 1e-7 / (1 / 240 s), over w
            }
            destroy_jiggle(&jiggle);
        }
    }
}

// A joint that is shaken: what is left after a while has the amplitude of a driven oscillator, at any frame rate.
static void test_shaking_is_the_same_at_any_frame_rate(void** state)
{
    (void)state;
    static const double rates_hz[] = { 30.0, 60.0, 240.0 };
    double w = 2.0 * 3.14159265358979 * 3.0;
    double drive = 2.0 * 3.14159265358979 * 1.5;
    double d = 0.2;
    double amplitude = 0.1 * drive * drive / hypot(w * w - drive * drive, 2.0 * d * w * drive);
    for (int n = 0; n < 3; ++n) {
        static Jiggle jiggle;
        create_jiggle(&jiggle);
        double most = 0.0;
        for (int frame = 0; frame < (int)(6.0 * rates_hz[n]); ++frame) {
            double t = frame / rates_hz[n];
            double off = step(&jiggle, 0.1 * sin(drive * t), 1.0 / rates_hz[n]);
            most = t > 4.0 ? fmax(most, fabs(off)) : most;
        }
        // At 30 Hz a period is 20 straight pieces, 0.8 % short, whose ends miss the peak by up to 1.2 %, in as much
        // again.
        GT_EXPECT_NEAR(most, amplitude, 0.04 * amplitude);
        destroy_jiggle(&jiggle);
    }
}

static void test_nothing_blows_up(void** state)
{
    (void)state;
    static Jiggle jiggle;
    create_jiggle(&jiggle);
    jiggle.def.limit_m = 0.1f;
    jiggle.def.frequency_hz = 50.0f;
    jiggle.def.damping = 0.0f;
    uint64_t random = 5;
    for (int frame = 0; frame < 2000; ++frame) {
        double step_s = pow(10.0, 3.0 * ref_random(&random)); // a millisecond to a quarter of an hour
        double off = step(&jiggle, 3.0 * ref_random(&random), step_s);
        assert_true(fabs(off) <= (double)jiggle.def.limit_m);
    }
    assert_true(fabs(step(&jiggle, 0.0, 0.0)) <= (double)jiggle.def.limit_m);
    assert_true(fabs(step(&jiggle, 0.0, (double)NAN)) <= (double)jiggle.def.limit_m);
    assert_true(fabs(step(&jiggle, 1e30, 0.01)) <= (double)jiggle.def.limit_m);
    gti_jiggle_reset(&jiggle.def, jiggle.tube.character, jiggle.state);
    assert_true(step(&jiggle, 5.0, 0.01) == 0.0); // a cut leaves nothing
    assert_true(step(&jiggle, 5.0, 0.01) == 0.0);
    destroy_jiggle(&jiggle);
}

// In the joint's own space: a joint on its side sags along its own axes, held points less.
static void test_gravity_sags_towards_the_ground(void** state)
{
    (void)state;
    static Jiggle jiggle;
    create_jiggle(&jiggle);
    float holds[64] = { 0.0f };
    holds[1] = 0.75f;
    jiggle.def.holds = holds;
    jiggle.def.strength = 0.5f;
    jiggle.def.gravity = gt_vec3(0.0f, -9.81f, 0.0f);
    GtInstance* instance = jiggle.tube.instance;
    instance->pose[0].rotation = gt_quat_from_axis_angle(gt_vec3(0, 0, 1), 1.5707963f); // its x is up
    gt_instance_update(instance);
    step_jiggle(&jiggle.def, instance, 0.01, jiggle.state);
    double sag = 0.5 * 9.81 / pow(2.0 * 3.14159265358979 * 3.0, 2.0);
    GT_EXPECT_NEAR(offsets_of(&jiggle.tube, 0)[0].x, -sag, 1e-6);
    GT_EXPECT_NEAR(offsets_of(&jiggle.tube, 0)[0].y, 0.0, 1e-6);
    GT_EXPECT_NEAR(offsets_of(&jiggle.tube, 0)[1].x, -0.25 * sag, 1e-6);
    destroy_jiggle(&jiggle);
}

static void test_bad_springs_are_refused(void** state)
{
    (void)state;
    static Jiggle jiggle;
    create_jiggle(&jiggle);
    const GtCharacter* character = jiggle.tube.character;
    GtError error;
    GtJiggleDef def = jiggle.def;
    def.section = TUBE_SECTIONS;
    GT_EXPECT_ERROR(gti_jiggle_check(&def, character, &error), GT_ERROR_NOT_FOUND, "section 3");
    def = jiggle.def;
    def.frequency_hz = 0.0f;
    GT_EXPECT_ERROR(gti_jiggle_check(&def, character, &error), GT_ERROR_BAD_VALUE, "0 Hz");
    def = jiggle.def;
    def.damping = NAN;
    GT_EXPECT_ERROR(gti_jiggle_check(&def, character, &error), GT_ERROR_BAD_VALUE, "damping");
    def = jiggle.def;
    def.limit_m = 0.0f;
    GT_EXPECT_ERROR(gti_jiggle_check(&def, character, &error), GT_ERROR_BAD_VALUE, "limit");
    float holds[64] = { 0.0f, 2.0f };
    def = jiggle.def;
    def.holds = holds;
    GT_EXPECT_ERROR(gti_jiggle_check(&def, character, &error), GT_ERROR_BAD_VALUE, "control point 1");
    destroy_jiggle(&jiggle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_push_swings_as_it_must), cmocka_unit_test(test_shaking_is_the_same_at_any_frame_rate),
        cmocka_unit_test(test_nothing_blows_up),         cmocka_unit_test(test_gravity_sags_towards_the_ground),
        cmocka_unit_test(test_bad_springs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

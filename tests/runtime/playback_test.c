// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Loops, events and phases.

#include "support/test.h"

#include "gertie/playback.h"

static void test_loops(void** state)
{
    (void)state;
    const struct {
        GtLoop loop;
        double time_s, clip_s;
        int64_t cycle;
    } cases[] = {
        { GT_LOOP_ONCE, -1, 2, 0 },       { GT_LOOP_ONCE, 1, 3, 0 },          { GT_LOOP_ONCE, 9, 6, 0 },
        { GT_LOOP_ONCE, NAN, 2, 0 },      { GT_LOOP_ONCE, INFINITY, 6, 0 },   { GT_LOOP_REPEAT, 3, 5, 0 },
        { GT_LOOP_REPEAT, 4, 2, 1 },      { GT_LOOP_REPEAT, 9, 3, 2 },        { GT_LOOP_REPEAT, -1, 5, -1 },
        { GT_LOOP_PING_PONG, 4, 6, 1 },   { GT_LOOP_PING_PONG, 5, 5, 1 },     { GT_LOOP_PING_PONG, 9, 3, 2 },
        { GT_LOOP_PING_PONG, -1, 3, -1 }, { GT_LOOP_REPEAT, INFINITY, 2, 0 }, { GT_LOOP_REPEAT, NAN, 2, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) { // a clip from 2 to 6 s
        int64_t cycle = 99;
        GT_EXPECT_NEAR(gt_loop_time(cases[i].loop, 2, 6, cases[i].time_s, &cycle), cases[i].clip_s, 1e-12);
        assert_int_equal(cycle, cases[i].cycle);
    }
    GT_EXPECT_NEAR(gt_loop_time(GT_LOOP_REPEAT, 3, 3, 7, NULL), 3, 0);
}

// Events at 2, 3, 5 and 6 s of a clip from 2 to 6 s, and one that is not in it.
static const GtClipEvent events[5] = { { 2, 0 }, { 3, 1 }, { 5, 2 }, { 6, 3 }, { 7, 4 } };

static void expect_hits(GtLoop loop, double from_s, double to_s, bool first, const char* wanted)
{
    GtPlayStep step = { loop, 2, 6, from_s, to_s, first };
    GtEventHit hits[32];
    int32_t count = gt_events_in_step(events, 5, &step, hits, 32);
    char text[512] = "";
    for (int32_t i = 0; i < count; ++i) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d@%g ", hits[i].event, hits[i].time_s);
    }
    assert_string_equal(text, wanted);
}

static void test_events(void** state)
{
    (void)state;
    expect_hits(GT_LOOP_ONCE, 0, 2, false, "1@1 ");
    expect_hits(GT_LOOP_ONCE, 0, 2, true, "0@0 1@1 ");
    expect_hits(GT_LOOP_ONCE, 1, 3, false, "2@3 "); // what was seen is not seen again
    expect_hits(GT_LOOP_ONCE, 3, 99, false, "3@4 ");
    expect_hits(GT_LOOP_ONCE, 3.5, 0.5, false, "2@3 1@1 ");
    expect_hits(GT_LOOP_REPEAT, 3.5, 5.5, false, "3@4 0@4 1@5 ");
    expect_hits(GT_LOOP_REPEAT, 3, 12, false, "3@4 0@4 1@5 2@7 3@8 0@8 1@9 2@11 3@12 0@12 ");
    expect_hits(GT_LOOP_REPEAT, 5.5, 2.5, false, "1@5 0@4 3@4 2@3 ");
    expect_hits(GT_LOOP_REPEAT, -0.5, 0, false, "3@0 0@0 ");
    expect_hits(GT_LOOP_PING_PONG, 2, 9, false, "2@3 3@4 2@5 1@7 0@8 1@9 ");
    expect_hits(GT_LOOP_PING_PONG, 9, 2, false, "0@8 1@7 2@5 3@4 2@3 ");
    expect_hits(GT_LOOP_PING_PONG, -3, 1, false, "1@-1 0@0 1@1 ");
    expect_hits(GT_LOOP_REPEAT, 1, 1, false, "");
    expect_hits(GT_LOOP_REPEAT, NAN, 1, false, "");
    expect_hits(GT_LOOP_REPEAT, 0, INFINITY, false, "");
    // Cut into pieces of any length, forwards or backwards, a way passes the same events.
    for (int loop = GT_LOOP_ONCE; loop <= GT_LOOP_PING_PONG; ++loop) {
        for (int turn = 0; turn < 2; ++turn) {
            GtEventHit whole[256], part[256];
            GtPlayStep step = { (GtLoop)loop, 2, 6, turn ? 20 : -5, turn ? -5 : 20, false };
            int32_t count = gt_events_in_step(events, 5, &step, whole, 256);
            assert_true(count > 2 && count < 256);
            int32_t pieces = 0;
            double at = step.from_s;
            for (int i = 1; i <= 40; ++i) {
                GtPlayStep piece = step;
                piece.from_s = at;
                piece.to_s = step.from_s + (step.to_s - step.from_s) * i / 40;
                pieces += gt_events_in_step(events, 5, &piece, part + pieces, 256 - pieces);
                at = piece.to_s;
            }
            assert_int_equal(pieces, count);
            for (int32_t i = 0; i < count; ++i) {
                assert_int_equal(part[i].event, whole[i].event);
                GT_EXPECT_NEAR(part[i].time_s, whole[i].time_s, 1e-12);
            }
        }
    }
    // A step of ages fills what there is, and ends.
    GtEventHit hits[3];
    GtPlayStep ages = { GT_LOOP_REPEAT, 2, 6, 0, 1e300, false };
    assert_int_equal(gt_events_in_step(events, 5, &ages, hits, 3), 3);
    ages.from_s = 1e299;
    assert_true(gt_events_in_step(events, 5, &ages, hits, 3) <= 3);
    static const GtClipEvent outside[1] = { { 9, 0 } };
    ages.from_s = 0;
    assert_int_equal(gt_events_in_step(outside, 1, &ages, hits, 3), 0);
}

static void test_phases(void** state)
{
    (void)state;
    static const float walk_s[4] = { 0.1f, 0.6f, 1.3f, 1.5f };
    static const float run_s[4] = { 0, 0.3f, 0.4f, 0.9f };
    GtError error;
    for (int cyclic = 0; cyclic < 2; ++cyclic) {
        GtPhaseKeys walk = { walk_s, 4, cyclic }, run = { run_s, 4, cyclic };
        GT_EXPECT_OK(gt_phase_keys_check(&walk, &error));
        for (int i = 0; i < 4; ++i) {
            GT_EXPECT_NEAR(gt_phase_time(&walk, i), walk_s[i], 1e-12);
            GT_EXPECT_NEAR(gt_time_phase(&walk, (double)walk_s[i]), i, 1e-9);
            GT_EXPECT_NEAR(gt_time_warp(&walk, &run, (double)walk_s[i]), run_s[i], 1e-9);
        }
        double last = gt_phase_time(&walk, -4);
        for (double phase = -4; phase < 8; phase += 0.01) {
            double t = gt_phase_time(&walk, phase);
            assert_true(phase == -4 || t > last); // never back
            GT_EXPECT_NEAR(gt_time_phase(&walk, t), phase, 1e-9);
            double difference = (gt_phase_time(&walk, phase + 1e-6) - gt_phase_time(&walk, phase - 1e-6)) / 2e-6;
            GT_EXPECT_NEAR(1 / gt_phase_rate(&walk, &(float){ 1 }, 1, phase), difference,
                           1e-5); // at keys, too: no jumps
            last = t;
        }
        if (cyclic) {
            GT_EXPECT_NEAR(gt_phase_time(&walk, 4.5) - gt_phase_time(&walk, 1.5), 1.4, 1e-6);
        }
        // In step the speed is that of one motion where it has all the weight, and between both elsewhere.
        GtPhaseKeys both[2] = { walk, run };
        float weights[2] = { 1, 0 };
        double rates[2] = { gt_phase_rate(&walk, weights, 1, 1.2), gt_phase_rate(&run, weights, 1, 1.2) };
        GT_EXPECT_NEAR(gt_phase_rate(both, weights, 2, 1.2), rates[0], 1e-12);
        weights[1] = 1;
        GT_EXPECT_NEAR(gt_phase_rate(both, weights, 2, 1.2), 2 / (1 / rates[0] + 1 / rates[1]), 1e-12);
        weights[0] = weights[1] = NAN;
        GT_EXPECT_NEAR(gt_phase_rate(both, weights, 2, 1.2), 0, 0);
        assert_true(isfinite(gt_time_phase(&walk, NAN)) && isfinite(gt_phase_time(&walk, NAN)));
    }
    static const float wrong[2] = { 1, 1 };
    GtPhaseKeys bad = { wrong, 2, false };
    GT_EXPECT_ERROR(gt_phase_keys_check(&bad, &error), GT_ERROR_BAD_VALUE, "time of key 1");
    bad.key_count = 1;
    GT_EXPECT_ERROR(gt_phase_keys_check(&bad, &error), GT_ERROR_BAD_VALUE, "two keys or more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

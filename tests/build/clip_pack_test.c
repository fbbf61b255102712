// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include "gertie/clip_pack.h"
#include "gertie/simd.h"

#include "base/hash.h"
#include "runtime/clip/packed_clip.h"
#include "support/random.h"

#include <stdlib.h>

enum {
    NODES = 13, // a root, and three limbs of four
    WEIGHTS = 6,
    FRAMES = 300,
    TRACKS = 3 * NODES
};

static const float RATE = 60.0f;

// A motion with all that there is: limbs that swing, a root that walks and turns round and round, a jump, a joint that
// trembles, one that does not move, a scale, morph weights, a switch.
typedef struct Motion {
    int32_t parents[NODES];
    GtTransform rest[NODES];
    float times_s[FRAMES];
    GtQuat turns[NODES][FRAMES];
    GtVec3 moves[FRAMES];
    GtVec3 scales[FRAMES];
    float weights[FRAMES][4];
    float held[FRAMES][1];
    GtTrackDef tracks[TRACKS];
    int32_t track_count;
    GtCharacter* character;
    GtClip* clip;
} Motion;

static void add(Motion* motion, GtTrackKind kind, int32_t target, int32_t parts, GtInterpolation mode,
                const void* values)
{
    motion->tracks[motion->track_count++] = (GtTrackDef){ kind, target, parts, mode, FRAMES, motion->times_s, values };
}

static GtQuat turn_at(int32_t node, int32_t frame, TestRandom* random)
{
    float t = (float)frame / RATE;
    if (node == 0) {
        return gt_quat_from_axis_angle(gt_vec3(0, 1, 0), 5.0f * t);
    }
    if (node == 4) {
        return gt_quat_identity();
    }
    GtVec3 axis = gt_vec3_normalize_or(gt_vec3((float)node, 1.0f, (float)(node % 3)), gt_vec3(1, 0, 0));
    float noise = node == 8 ? test_random_float(random, -0.05f, 0.05f) : 0.0f;
    float jump = frame == 0 ? 1.5f : 0.0f;
    return gt_quat_from_axis_angle(axis, 0.6f * sinf(3.0f * t + (float)node) + noise + jump);
}

static void fill_values(Motion* motion)
{
    TestRandom random = { 77 };
    for (int32_t i = 0; i < FRAMES; ++i) {
        float t = (float)i / RATE;
        motion->times_s[i] = 0.5f + t;
        for (int32_t n = 0; n < NODES; ++n) {
            motion->turns[n][i] = turn_at(n, i, &random);
        }
        motion->moves[i] = gt_vec3(1.4f * t, 0.9f + 0.03f * sinf(12.0f * t), 0.1f * cosf(2.0f * t));
        motion->scales[i] = gt_vec3(1.0f + 0.1f * sinf(t), 1.0f, 1.0f);
        for (int w = 0; w < 4; ++w) {
            motion->weights[i][w] = 0.5f + 0.5f * sinf(4.0f * t + (float)w);
        }
        motion->held[i][0] = i % 100 < 50 ? 0.0f : 1.0f;
    }
}

// @param armature  scale of the root, as rigs in centimetres have it; what hangs at it is as large as ever
static Motion* create_scaled_motion(float armature)
{
    Motion* motion = calloc(1, sizeof *motion);
    assert_non_null(motion);
    GtError error;
    fill_values(motion);
    for (int32_t n = 0; n < NODES; ++n) {
        motion->parents[n] = n == 0 ? GT_NONE : n % 4 == 1 ? 0 : n - 1;
        float size = n == 0 ? 1.0f : 1.0f / armature;
        motion->rest[n] = gt_transform(gt_vec3(0.1f * size, 0.25f * size, 0.0f), gt_quat_identity(),
                                       n == 0 ? gt_vec3(armature, armature, armature) : gt_vec3(1, 1, 1));
        if (n != 11) { // which has no track
            add(motion, GT_TRACK_ROTATION, n, 4, GT_INTERPOLATION_LINEAR, motion->turns[n]);
        }
    }
    add(motion, GT_TRACK_TRANSLATION, 0, 3, GT_INTERPOLATION_LINEAR, motion->moves);
    add(motion, GT_TRACK_SCALE, 6, 3, GT_INTERPOLATION_LINEAR, motion->scales);
    add(motion, GT_TRACK_WEIGHTS, 0, 4, GT_INTERPOLATION_LINEAR, motion->weights);
    add(motion, GT_TRACK_WEIGHTS, 5, 1, GT_INTERPOLATION_STEP, motion->held);
    static const float rest_weights[WEIGHTS] = { 0.0f };
    GtCharacterDef body = gt_default_character_def();
    body.node_count = NODES;
    body.parents = motion->parents;
    body.rest = motion->rest;
    body.weight_count = WEIGHTS;
    body.rest_weights = rest_weights;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &body, &motion->character, &error));
    GtClipDef def = { "motion", motion->track_count, motion->tracks, NODES, WEIGHTS };
    GT_EXPECT_OK(gt_clip_create(gt_default_allocator(), &def, &motion->clip, &error));
    return motion;
}

static Motion* create_motion(void)
{
    return create_scaled_motion(1.0f);
}

static void destroy_motion(Motion* motion)
{
    gt_clip_destroy(motion->clip);
    gt_character_destroy(motion->character);
    free(motion);
}

static GtClip* pack(const Motion* motion, float tolerance_m, GtClipPackReport* report)
{
    GtContext context = gt_default_context();
    GtClipPackDef def = gt_default_clip_pack_def();
    GtError error;
    GtClip* packed;
    def.tolerance_m = tolerance_m;
    GT_EXPECT_OK(gt_clip_pack(&context, motion->clip, motion->character, &def, &packed, report, &error));
    return packed;
}

// Farthest of a joint and points around it, in double, at one time.
static double model_error(const Motion* motion, const GtClip* packed, double time_s)
{
    GtTransform pose[2][NODES];
    GtMat34 model[2][NODES];
    double worst = 0.0;
    for (int k = 0; k < 2; ++k) {
        memcpy(pose[k], motion->rest, sizeof motion->rest);
        gt_clip_sample(k ? packed : motion->clip, time_s, pose[k], NULL);
        gt_character_to_model(motion->character, pose[k], model[k]);
    }
    for (int n = 0; n < NODES; ++n) {
        for (int axis = 0; axis < 4; ++axis) {
            double squared = 0.0;
            for (int row = 0; row < 3; ++row) {
                double d = (double)model[0][n].m[row][3] - (double)model[1][n].m[row][3];
                d += axis < 3 ? 0.1 * ((double)model[0][n].m[row][axis] - (double)model[1][n].m[row][axis]) : 0.0;
                squared += d * d;
            }
            worst = fmax(worst, sqrt(squared));
        }
    }
    return worst;
}

static void test_the_error_stays_below_what_was_asked_at_any_time(void** state)
{
    (void)state;
    static const float tolerances[] = { 1e-4f, 1e-3f, 1e-2f };
    Motion* motion = create_motion();
    TestRandom random = { 5 };
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; ++i) {
        GtClipPackReport report;
        GtClip* packed = pack(motion, tolerances[i], &report);
        double worst = 0.0;
        for (int k = 0; k < 3000; ++k) {
            worst = fmax(worst, model_error(motion, packed, (double)test_random_float(&random, 0.4f, 5.6f)));
        }
        assert_true(worst <= (double)tolerances[i] * 1.02); // between the times that were measured, at most a trace
        assert_true(worst >= (double)tolerances[i] * 0.3);  // and what is allowed is made use of
        GT_EXPECT_NEAR(report.rate_hz, RATE, 1e-3);
        assert_int_equal(report.frame_count, FRAMES);
        assert_true(report.packed_size < last && report.packed_size * 5 < report.source_size);
        last = report.packed_size;
        gt_clip_destroy(packed);
    }
    destroy_motion(motion);
}

static void test_every_level_plays_the_same(void** state)
{
    (void)state;
    Motion* motion = create_motion();
    GtClip* packed = pack(motion, 1e-3f, NULL);
    TestRandom random = { 9 };
    for (int k = 0; k < 200; ++k) {
        double time_s = (double)test_random_float(&random, 0.4f, 5.6f);
        GtTransform expected[NODES];
        float expected_weights[WEIGHTS] = { 0.0f };
        memcpy(expected, motion->rest, sizeof expected);
        gt_simd_level_set(GT_SIMD_SCALAR);
        gt_clip_sample(packed, time_s, expected, expected_weights);
        for (GtSimdLevel level = GT_SIMD_AVX2; level <= gt_simd_level_supported(); ++level) {
            GtTransform actual[NODES];
            float weights[WEIGHTS] = { 0.0f };
            memcpy(actual, motion->rest, sizeof actual);
            gt_simd_level_set(level);
            gt_clip_sample(packed, time_s, actual, weights);
            for (size_t i = 0; i < sizeof actual / (sizeof(float)); ++i) {
                GT_EXPECT_NEAR(((float*)actual)[i], ((float*)expected)[i], 2e-5);
            }
            for (int i = 0; i < WEIGHTS; ++i) {
                GT_EXPECT_NEAR(weights[i], expected_weights[i], 1e-6);
            }
        }
    }
    gt_simd_level_set(gt_simd_level_supported());
    gt_clip_destroy(packed);
    destroy_motion(motion);
}

static void test_what_has_no_track_is_left_alone(void** state)
{
    (void)state;
    Motion* motion = create_motion();
    GtClip* packed = pack(motion, 1e-3f, NULL);
    assert_string_equal(gt_clip_name(packed), "motion");
    GT_EXPECT_NEAR(gt_clip_start_s(packed), gt_clip_start_s(motion->clip), 1e-9);
    GT_EXPECT_NEAR(gt_clip_end_s(packed), gt_clip_end_s(motion->clip), 1e-6);
    GtTransform pose[NODES];
    float weights[WEIGHTS];
    memset(pose, 0xCD, sizeof pose);
    memset(weights, 0xCD, sizeof weights);
    GtTransform poisoned = pose[0];
    float poisoned_weight = weights[0];
    for (int frame = 0; frame < FRAMES; ++frame) {
        double time_s = 0.5 + (double)frame / (double)RATE;
        gt_clip_sample(packed, time_s, pose, weights);
        for (int w = 0; w < 4; ++w) {
            GT_EXPECT_NEAR(weights[w], motion->weights[frame][w], 2e-3);
        }
        GT_EXPECT_NEAR(weights[5], motion->held[frame][0], 2e-3);
        gt_clip_sample(packed, time_s + 0.9 / (double)RATE, pose, weights);
        GT_EXPECT_NEAR(weights[5], motion->held[frame][0], 2e-3); // until the next key
    }
    assert_memory_equal(&weights[4], &poisoned_weight, sizeof poisoned_weight);
    assert_memory_equal(&pose[11], &poisoned, sizeof poisoned);
    assert_memory_equal(&pose[3].scale, &poisoned.scale, sizeof poisoned.scale);
    gt_clip_destroy(packed);
    destroy_motion(motion);
}

static void test_bytes_come_back_and_damage_is_refused(void** state)
{
    (void)state;
    Motion* motion = create_motion();
    GtClip* packed = pack(motion, 1e-2f, NULL);
    size_t size;
    const void* bytes = gt_clip_bytes(packed, &size);
    GtError error;
    GtClip* again;
    GT_EXPECT_OK(gt_clip_from_bytes(gt_default_allocator(), bytes, size, "again", &again, &error));
    GT_EXPECT_NEAR(model_error(motion, again, 2.0), model_error(motion, packed, 2.0), 0.0);
    gt_clip_destroy(again);
    char* copy = gt_default_allocator().allocate(NULL, size);
    TestRandom random = { 31 };
    for (int k = 0; k < 300; ++k) {
        memcpy(copy, bytes, size);
        size_t at = (size_t)(test_random_bits(&random) % size);
        copy[at] = (char)(copy[at] ^ (1 << (test_random_bits(&random) % 8)));
        assert_int_not_equal(gt_clip_from_bytes(gt_default_allocator(), copy, size, NULL, &again, &error), GT_OK);
        assert_null(again);
    }
    for (size_t cut = 0; cut < size; cut += 97) {
        assert_int_not_equal(gt_clip_from_bytes(gt_default_allocator(), bytes, cut, NULL, &again, &error), GT_OK);
    }
    gt_default_allocator().release(NULL, copy);
    gt_clip_destroy(packed);
    destroy_motion(motion);
}

// Whoever writes a wrong clip with a right checksum gets an error or a wrong motion, never a crash.
static void test_no_bytes_crash(void** state)
{
    (void)state;
    Motion* motion = create_motion();
    GtClip* packed = pack(motion, 1e-2f, NULL);
    size_t size;
    const void* bytes = gt_clip_bytes(packed, &size);
    uint8_t* copy = gt_default_allocator().allocate(NULL, size);
    TestRandom random = { 63 };
    int played = 0;
    for (int k = 0; k < 3000; ++k) {
        memcpy(copy, bytes, size);
        size_t within = k % 2 ? size : 1024; // heads and tables more often
        for (int n = 0; n < 1 + k % 3; ++n) {
            copy[16 + test_random_bits(&random) % ((within < size ? within : size) - 16)] =
                (uint8_t)test_random_bits(&random);
        }
        GtiPackedHead* head = (GtiPackedHead*)copy;
        head->checksum = gti_checksum(copy + 16, size - 16);
        GtClip* again = NULL;
        if (gt_clip_from_bytes(gt_default_allocator(), copy, size, NULL, &again, NULL) == GT_OK &&
            head->node_count == NODES && head->weight_count == WEIGHTS) {
            for (int t = -1; t < 8; ++t) {
                GtTransform pose[NODES];
                float weights[WEIGHTS];
                gt_clip_sample(again, t == 7 ? NAN : (double)t, pose, weights);
            }
            ++played;
        }
        gt_clip_destroy(again);
    }
    assert_true(played > 100); // bits and steps may be anything
    gt_default_allocator().release(NULL, copy);
    gt_clip_destroy(packed);
    destroy_motion(motion);
}

// A clip without tracks, in a number of spans that all read the same table, which may be long.
static GtResult check_shared(uint32_t span_count, uint32_t run_count, GtError* error)
{
    enum {
        SPANS = (sizeof(GtiPackedHead) + 15) / 16 * 16,
        RUNS = SPANS + 64 * sizeof(GtiPackedSpan),
        SIZE = (RUNS + 512 * sizeof(GtiPackedRun) + 15) / 16 * 16,
    };
    static _Alignas(16) uint8_t bytes[SIZE];
    memset(bytes, 0, sizeof bytes);
    GtiPackedHead* head = (GtiPackedHead*)bytes;
    const GtiPackedConstants constants = { .run_count = run_count, .runs = RUNS };
    *head = (GtiPackedHead){
        .magic = { 'G', 't', 'C', 'l' },
        .version = GTI_PACKED_VERSION,
        .size = SIZE,
        .rate_hz = 30.0,
        .values = RUNS / 16 * 16,
        .constants = { .runs = RUNS },
        .span_count = span_count,
        .spans = SPANS,
    };
    for (uint32_t i = 0; i < span_count; ++i) {
        ((GtiPackedSpan*)(bytes + SPANS))[i] = (GtiPackedSpan){ .constants = constants, .layers = SPANS };
    }
    size_t start = offsetof(GtiPackedHead, checksum) + sizeof head->checksum;
    head->checksum = gti_checksum(bytes + start, SIZE - start);
    GtClip* clip = NULL;
    GtResult result = gt_clip_from_bytes(gt_default_allocator(), bytes, SIZE, NULL, &clip, error);
    gt_clip_destroy(clip);
    return result;
}

// Else a few kilobytes could name their longest table thousands of times, and keep whoever opens them for hours.
static void test_tables_cannot_be_named_again_and_again(void** state)
{
    (void)state;
    GtError error;
    GT_EXPECT_OK(check_shared(1, 512, &error));
    GT_EXPECT_OK(check_shared(64, 1, &error));
    GT_EXPECT_ERROR(check_shared(64, 512, &error), GT_ERROR_BAD_FILE, "a constant is out of range");
}

static void test_what_cannot_be_packed_is_said(void** state)
{
    (void)state;
    Motion* motion = create_motion();
    GtContext context = gt_default_context();
    GtClipPackDef def = gt_default_clip_pack_def();
    GtError error;
    GtClip* out;
    GtClip* packed = pack(motion, 1e-2f, NULL);
    assert_int_equal(gt_clip_pack(&context, packed, motion->character, &def, &out, NULL, &error), GT_ERROR_BAD_VALUE);
    assert_null(out);
    def.tolerance_m = 0.0f;
    assert_int_equal(gt_clip_pack(&context, motion->clip, motion->character, &def, &out, NULL, &error),
                     GT_ERROR_BAD_VALUE);
    def.tolerance_m = 1e-9f; // less than a float has of a metre
    assert_int_equal(gt_clip_pack(&context, motion->clip, motion->character, &def, &out, NULL, &error), GT_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "cannot be kept"));
    gt_clip_destroy(packed);
    destroy_motion(motion);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    Motion* motion = create_motion();
    GtClip* shorter;
    GtError error;
    for (int32_t i = 0; i < motion->track_count; ++i) {
        motion->tracks[i].key_count = 24;
    }
    GtClipDef def = { "motion", motion->track_count, motion->tracks, NODES, WEIGHTS };
    GT_EXPECT_OK(gt_clip_create(gt_default_allocator(), &def, &shorter, &error));
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t limit = 0; result == GT_ERROR_OUT_OF_MEMORY; ++limit) {
        TestAllocator failing = { .remaining = limit };
        GtContext context = gt_default_context();
        GtClip* out;
        context.allocator = test_allocator(&failing);
        result = gt_clip_pack(&context, shorter, motion->character, NULL, &out, NULL, &error);
        gt_clip_destroy(out);
        assert_int_equal(failing.alive, 0);
    }
    assert_int_equal(result, GT_OK);
    gt_clip_destroy(shorter);
    destroy_motion(motion);
}

// How far a point that is 10 cm from a joint at rest, in any direction and in metres, is from where the source has it:
// by the matrices of both clips, in double.
static double error_around(const GtMat34* rest, const GtMat34* a, const GtMat34* b, GtVec3 direction)
{
    GtMat34 node_from_model = gt_mat34_inverse(rest, NULL);
    GtVec3 offset = gt_mat34_vector(&node_from_model, gt_vec3_scale(direction, 0.1f));
    const double x[4] = { (double)offset.x, (double)offset.y, (double)offset.z, 1.0 };
    double squared = 0.0;
    for (int i = 0; i < 3; ++i) {
        double d = 0.0;
        for (int k = 0; k < 4; ++k) {
            d += ((double)a->m[i][k] - (double)b->m[i][k]) * x[k];
        }
        squared += d * d;
    }
    return sqrt(squared);
}

// The promise of `gertie pack`: no point 10 cm from a joint is farther off than asked, whichever side of it, in metres
// whatever the scale of the armature.
static void test_the_bound_holds_all_round(void** state)
{
    (void)state;
    static const float armatures[] = { 0.01f, 0.3f, 1.0f, 2.54f, 100.0f };
    for (size_t s = 0; s < sizeof armatures / sizeof *armatures; ++s) {
        Motion* motion = create_scaled_motion(armatures[s]);
        GtClipPackReport report;
        GtClip* packed = pack(motion, 1e-3f, &report);
        const GtCharacterDef* def = gt_character_def(motion->character);
        GtTransform pose[2][NODES];
        GtMat34 rest[NODES], model[2][NODES];
        float weights[WEIGHTS];
        TestRandom random = { 4 };
        gt_character_to_model(motion->character, def->rest, rest);
        double worst = 0.0;
        for (int i = 0; i < 8 * FRAMES; ++i) {
            double time_s = 0.5 + i / (8.0 * (double)RATE);
            for (int c = 0; c < 2; ++c) {
                memcpy(pose[c], def->rest, sizeof pose[c]);
                gt_clip_sample(c ? packed : motion->clip, time_s, pose[c], weights);
                gt_character_to_model(motion->character, pose[c], model[c]);
            }
            for (int32_t n = 0; n < NODES; ++n) {
                GtVec3 any = gt_vec3(test_random_float(&random, -1, 1), test_random_float(&random, -1, 1),
                                     test_random_float(&random, -1, 1));
                GtVec3 direction = gt_vec3_normalize_or(any, gt_vec3(0, 0, -1));
                worst = fmax(worst, error_around(&rest[n], &model[0][n], &model[1][n], direction));
            }
        }
        assert_true(worst <= 1e-3); // of what is asked, not of what is said
        assert_true(worst > 2e-4);  // and not for nothing
        assert_true(worst <= (double)report.max_error_m * 1.02);
        gt_clip_destroy(packed);
        destroy_motion(motion);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_bound_holds_all_round),
        cmocka_unit_test(test_the_error_stays_below_what_was_asked_at_any_time),
        cmocka_unit_test(test_every_level_plays_the_same),
        cmocka_unit_test(test_what_has_no_track_is_left_alone),
        cmocka_unit_test(test_bytes_come_back_and_damage_is_refused),
        cmocka_unit_test(test_no_bytes_crash),
        cmocka_unit_test(test_tables_cannot_be_named_again_and_again),
        cmocka_unit_test(test_what_cannot_be_packed_is_said),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

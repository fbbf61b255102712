// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Animation curves of FBX files against closed forms of their segments, and layers against what they are defined to do.
// Values of automatic tangents are those of another reader, ufbx, for the same keys.

#include "gertie/scene.h"
#include "io/fbx/animation.h"
#include "support/test.h"

#include <stdio.h>

#define SECOND GTI_FBX_TICKS_PER_S

typedef struct CurveFile {
    char text[4096];
    GtiFbxTree tree;
    GtArena arena;
    GtiFbxCurve curve;
} CurveFile;

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// A text file whose only object is a curve with this content.
static void open_curve(CurveFile* f, const char* content)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    snprintf(f->text, sizeof f->text,
             "; FBX 7.5.0 project file\nFBXHeaderExtension: {\n FBXVersion: 7500\n}\nObjects: {\n"
             " AnimationCurve: 1, \"AnimCurve::\", \"\" {\n%s }\n}\n",
             content);
    GT_EXPECT_OK(gti_fbx_parse(&context, (const uint8_t*)f->text, strlen(f->text), &f->tree, &error));
    f->arena = gt_arena_create(gt_default_allocator());
    const GtiFbxNode* node = gti_fbx_find(gti_fbx_find(f->tree.nodes, "Objects"), "AnimationCurve");
    GT_EXPECT_OK(gti_fbx_read_curve(&f->tree, node, SECOND, &f->arena, &f->curve, &error));
}

static void close_curve(CurveFile* f)
{
    gt_arena_destroy(&f->arena);
    gti_fbx_tree_release(&f->tree);
}

// A curve whose keys all have the same attributes.
static void open_keys(CurveFile* f, int count, const double* seconds, const double* values, uint32_t flags,
                      const uint32_t data[4], const char* more)
{
    char content[2048];
    int n = snprintf(content, sizeof content, "KeyTime: *%d { a: ", count);
    for (int i = 0; i < count; ++i) {
        n +=
            snprintf(content + n, sizeof content - (size_t)n, "%s%lld", i ? "," : "", (long long)(seconds[i] * SECOND));
    }
    n += snprintf(content + n, sizeof content - (size_t)n, "\n}\nKeyValueFloat: *%d { a: ", count);
    for (int i = 0; i < count; ++i) {
        n += snprintf(content + n, sizeof content - (size_t)n, "%s%g", i ? "," : "", values[i]);
    }
    snprintf(content + n, sizeof content - (size_t)n,
             "\n}\nKeyAttrFlags: *1 { a: %u\n}\nKeyAttrDataFloat: *4 { a: %u,%u,%u,%u\n}\n"
             "KeyAttrRefCount: *1 { a: %d\n}\n%s",
             flags, data[0], data[1], data[2], data[3], count, more);
    open_curve(f, content);
    assert_int_equal(f->curve.key_count, count);
    assert_null(f->curve.flaw);
}

static double at(CurveFile* f, double seconds)
{
    return gti_fbx_evaluate(&f->curve, seconds * SECOND, -99.0);
}

static const uint32_t no_data[4] = { 0 };

static void test_linear_and_constant(void** state)
{
    (void)state;
    CurveFile f;
    open_keys(&f, 3, (double[]){ 1, 2, 4 }, (double[]){ 10, 20, -20 }, 0x4, no_data, "");
    GT_EXPECT_NEAR(at(&f, 0.0), 10.0, 0.0);
    GT_EXPECT_NEAR(at(&f, 1.25), 12.5, 1e-9);
    GT_EXPECT_NEAR(at(&f, 3.0), 0.0, 1e-9);
    GT_EXPECT_NEAR(at(&f, 1.75), 17.5, 1e-9); // backwards
    GT_EXPECT_NEAR(at(&f, 9.0), -20.0, 0.0);
    close_curve(&f);
    open_keys(&f, 3, (double[]){ 1, 2, 4 }, (double[]){ 10, 20, -20 }, 0x2, no_data, "");
    GT_EXPECT_NEAR(at(&f, 1.999), 10.0, 0.0);
    GT_EXPECT_NEAR(at(&f, 2.0), 20.0, 0.0);
    GT_EXPECT_NEAR(at(&f, 3.999), 20.0, 0.0);
    int64_t times[8];
    assert_int_equal(gti_fbx_curve_times(&f.curve, 0, 5 * (int64_t)SECOND, 8, times), 5);
    assert_true(times[1] == 2 * (int64_t)SECOND - 1 && times[2] == 2 * (int64_t)SECOND);
    close_curve(&f);
    open_keys(&f, 3, (double[]){ 1, 2, 4 }, (double[]){ 10, 20, -20 }, 0x102, no_data, "");
    GT_EXPECT_NEAR(at(&f, 1.0), 10.0, 0.0);
    GT_EXPECT_NEAR(at(&f, 1.001), 20.0, 0.0);
    GT_EXPECT_NEAR(at(&f, 2.001), -20.0, 0.0);
    close_curve(&f);
}

// User tangents: slope 3 on the right of the first key, -1 on the left of the next, in seconds.
static void test_hermite_segment(void** state)
{
    (void)state;
    CurveFile f;
    const uint32_t data[4] = { bits_of(3.0f), bits_of(-1.0f), 0, 0 };
    open_keys(&f, 2, (double[]){ 1, 3 }, (double[]){ 5, 6 }, 0x408, data, "");
    for (int i = 0; i <= 20; ++i) {
        double t = i / 20.0;
        double expected = (2 * t * t * t - 3 * t * t + 1) * 5 + (t * t * t - 2 * t * t + t) * 2 * 3 +
                          (-2 * t * t * t + 3 * t * t) * 6 + (t * t * t - t * t) * 2 * -1;
        GT_EXPECT_NEAR(at(&f, 1 + 2 * t), expected, 1e-6);
    }
    close_curve(&f);
}

// Points of a Bezier curve by its parameter must be on the curve, also with handles of the whole length.
static void test_weighted_segment(void** state)
{
    (void)state;
    static const double weights[4][2] = { { 0.8, 0.7 }, { 0.05, 0.9 }, { 1.0, 1.0 }, { 0.0, 0.25 } };
    for (int w = 0; w < 4; ++w) {
        CurveFile f;
        double wr = weights[w][0], wl = weights[w][1];
        uint32_t packed = (uint32_t)lround(wr * 1e4) | (uint32_t)lround(wl * 1e4) << 16;
        const uint32_t data[4] = { bits_of(2.0f), bits_of(0.5f), packed, 0 };
        open_keys(&f, 2, (double[]){ 0, 2 }, (double[]){ 1, 4 }, 0x3000408, data, "");
        for (int i = 0; i <= 50; ++i) {
            double t = i / 50.0, u = 1 - t;
            double x = 3 * u * u * t * wr + 3 * u * t * t * (1 - wl) + t * t * t;
            double y =
                u * u * u * 1 + 3 * u * u * t * (1 + 2 * wr * 2.0) + 3 * u * t * t * (4 - 2 * wl * 0.5) + t * t * t * 4;
            GT_EXPECT_NEAR(at(&f, 2 * x), y, wr == 1.0 ? 1e-4 : 1e-6); // handles that meet: a vertical tangent
        }
        close_curve(&f);
    }
}

static void test_extrapolation(void** state)
{
    (void)state;
    static const struct {
        char letter;
        double before, after, later; // at -0.5 s, 2.5 s and 5.5 s
    } modes[] = {
        { 'C', 1.0, 5.0, 5.0 }, { 'K', 0.0, 6.0, 12.0 }, { 'R', 4.0, 2.0, 4.0 },
        { 'M', 2.0, 4.0, 4.0 }, { 'A', 0.0, 6.0, 12.0 },
    };
    for (size_t i = 0; i < sizeof modes / sizeof *modes; ++i) {
        CurveFile f;
        char more[256];
        snprintf(more, sizeof more,
                 "Pre-Extrapolation: {\nType: \"%c\"\nRepetition: -1\n}\n"
                 "Post-Extrapolation: {\nType: %d\nRepetition: -1\n}\n",
                 modes[i].letter, modes[i].letter);
        // 1 + 2 t on [0, 2]
        open_keys(&f, 2, (double[]){ 0, 2 }, (double[]){ 1, 5 }, 0x4, no_data, more);
        GT_EXPECT_NEAR(at(&f, -0.5), modes[i].before, 1e-9);
        GT_EXPECT_NEAR(at(&f, 2.5), modes[i].after, 1e-9);
        GT_EXPECT_NEAR(at(&f, 5.5), modes[i].later, 1e-9);
        int64_t times[64];
        size_t count = gti_fbx_curve_times(&f.curve, -5 * (int64_t)SECOND, 9 * (int64_t)SECOND, 64, times);
        for (size_t k = 1; k < count; ++k) {
            assert_true(times[k] > times[k - 1]);
        }
        assert_true(modes[i].letter == 'C' || modes[i].letter == 'K' ? count == 2 : count >= 8);
        close_curve(&f);
    }
    CurveFile f;
    open_keys(&f, 2, (double[]){ 0, 2 }, (double[]){ 1, 5 }, 0x4, no_data,
              "Post-Extrapolation: {\nType: \"R\"\nRepetition: 2\n}\n");
    GT_EXPECT_NEAR(at(&f, 5.5), 4.0, 1e-9);
    GT_EXPECT_NEAR(at(&f, 6.5), 5.0, 1e-9); // held after two
    close_curve(&f);
}

static void test_automatic_tangents(void** state)
{
    (void)state;
    // Values of ufbx at 0.3 + 0.65 i seconds.
    static const struct {
        uint32_t flags;
        float data[3];
        double values[8];
    } cases[] = {
        { 0x108, { 0 }, { 0.339375, 0.9782031, 0.7975, 0.2480474, 0.35875, 2.386328, 4.36, 4.873906 } },
        { 0x2108, { 0 }, { 0.3525, 0.9876042, 0.815, 0.3945316, 0.4141667, 2.316719, 4.36, 4.873906 } },
        { 0x4108, { 0 }, { 0.2160001, 0.99275, 0.8919999, 0.6582032, 0.503625, 2.205344, 4.392, 4.982281 } },
        { 0x208,
          { 0.25f, -0.5f, 0.75f },
          { 0.1960665, 0.9495269, 0.9884686, 0.7337341, 0.5124199, 2.081932, 4.206, 4.75054 } },
        { 0x108, { 60.0f, -60.0f }, { 0.363, 0.995125, 0.5455001, -0.14746, 0.2554376, 2.613719, 4.264, 4.859562 } },
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        CurveFile f;
        const uint32_t data[4] = { bits_of(cases[c].data[0]), bits_of(cases[c].data[1]), bits_of(cases[c].data[2]), 0 };
        open_keys(&f, 5, (double[]){ 0, 1, 3, 4, 5 }, (double[]){ 0, 1, 0.5, 4, 5 }, cases[c].flags, data, "");
        for (int i = 0; i < 8; ++i) {
            GT_EXPECT_NEAR(at(&f, 0.3 + 0.65 * i), cases[c].values[i], 1e-5);
        }
        close_curve(&f);
    }
}

static void test_flawed_curves(void** state)
{
    (void)state;
    static const struct {
        const char* content;
        int key_count;
    } cases[] = {
        { "", 0 },
        { "KeyTime: *2 { a: 0,1\n}\n", 0 },
        { "KeyTime: *2 { a: 0,10\n}\nKeyValueFloat: *3 { a: 1,2,3\n}\n", 2 },
        { "KeyTime: *4 { a: 0,10,5,20\n}\nKeyValueFloat: *4 { a: 1,2,3,1.#QNAN\n}\n", 2 },
        { "KeyTime: *2 { a: 0,10\n}\nKeyValueFloat: *2 { a: 1,2\n}\nKeyAttrFlags: *1 { a: 8\n}\n"
          "KeyAttrDataFloat: *4 { a: 0,0,0,0\n}\nKeyAttrRefCount: *1 { a: 1\n}\n",
          2 },
        { "KeyTime: *2 { a: 0,10\n}\nKeyValueFloat: *2 { a: 1,2\n}\nKeyAttrFlags: *1 { a: 8\n}\n"
          "KeyAttrDataFloat: *3 { a: 0,0,0\n}\nKeyAttrRefCount: *1 { a: 2\n}\n",
          2 },
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        CurveFile f;
        open_curve(&f, cases[c].content);
        assert_non_null(f.curve.flaw);
        assert_int_equal(f.curve.key_count, cases[c].key_count);
        double value = gti_fbx_evaluate(&f.curve, 5.0, 7.0);
        GT_EXPECT_NEAR(value, cases[c].key_count ? 1.5 : 7.0, 1e-9);
        close_curve(&f);
    }
}

// Between neighbouring keys no curve leaves the bounds that are given for it, and the bounds of straight ones are
// tight.
static void test_bounds(void** state)
{
    (void)state;
    const uint32_t data[4] = { bits_of(30.0f), bits_of(-12.0f), 0, 0 };
    for (int linear = 0; linear < 2; ++linear) {
        CurveFile f;
        open_keys(&f, 3, (double[]){ 1, 2, 4 }, (double[]){ 10, 20, -20 }, linear ? 0x4 : 0x408, data, "");
        for (int i = 0; i < 60; ++i) {
            double begin = 1.0 + i % 3 * 0.3;
            double end = i < 30 ? 2.0 : begin + 0.05;
            GtiFbxBend bend = gti_fbx_curve_bend(&f.curve, begin * SECOND, end * SECOND);
            double a = at(&f, begin), b = at(&f, end), part = (i + 1) / 61.0;
            double value = at(&f, begin + part * (end - begin));
            assert_true(fabs(value - (a + part * (b - a))) <= bend.off_line + 1e-9);
            assert_true(fabs(value - a) <= bend.change + 1e-9 && fabs(b - a) <= bend.change + 1e-9);
            assert_true(!linear || (bend.off_line == 0.0 && bend.change <= fabs(b - a) + 1e-9));
        }
        assert_true(isinf(gti_fbx_curve_bend(&f.curve, 1.5 * SECOND, 2.5 * SECOND).off_line));
        GT_EXPECT_NEAR(gti_fbx_curve_bend(&f.curve, 5.0 * SECOND, 6.0 * SECOND).change, 0.0, 0.0);
        close_curve(&f);
    }
}

// Many times at once give what one time after another does, before, within and behind the keys.
static void test_many_times(void** state)
{
    (void)state;
    static const uint32_t flags[4] = { 0x2, 0x102, 0x4, 0x408 };
    const uint32_t data[4] = { bits_of(3.0f), bits_of(-1.0f), 0, 0 };
    for (int k = 0; k < 4; ++k) {
        CurveFile f;
        double times[41], values[41];
        open_keys(&f, 3, (double[]){ 1, 2, 4 }, (double[]){ 10, 20, -20 }, flags[k], data, "");
        for (int i = 0; i < 41; ++i) {
            times[i] = 0.125 * i * SECOND;
        }
        gti_fbx_evaluate_times(&f.curve, times, 41, -99.0, values);
        for (int i = 0; i < 41; ++i) {
            GT_EXPECT_NEAR(values[i], at(&f, 0.125 * i), 0.0);
        }
        close_curve(&f);
    }
}

// Angles that are taken from a rotation give that rotation again, in every order, also where two axes fall together.
static void test_angles_of_rotations(void** state)
{
    (void)state;
    static const double degrees[] = { -170.0, -90.0, -35.0, 0.0, 20.0, 90.0, 130.0 };
    for (int order = GTI_FBX_XYZ; order <= GTI_FBX_SPHERIC; ++order) {
        for (int i = 0; i < 343; ++i) {
            GtiVec angles = { degrees[i % 7], degrees[i / 7 % 7], degrees[i / 49] };
            GtiQuat q = gti_fbx_rotation(angles, (GtiFbxOrder)order);
            GtiQuat p = gti_fbx_rotation(gti_fbx_angles(q, (GtiFbxOrder)order), (GtiFbxOrder)order);
            GT_EXPECT_NEAR(fabs(q.x * p.x + q.y * p.y + q.z * p.z + q.w * p.w), 1.0, 1e-9);
        }
    }
}

// Two layers with constant values.
static GtiVec two_layers(GtiFbxPath path, GtiFbxAnimLayer* above, GtiVec a, GtiVec b)
{
    GtiFbxAnimLayer base = { .weight = 1.0 };
    GtiFbxDriver drivers[2] = { { .layer = &base, .is_first_layer = true, .constants = { a.x, a.y, a.z } },
                                { .layer = above, .constants = { b.x, b.y, b.z } } };
    GtiFbxTrack track = { .path = path, .order = GTI_FBX_ZXY, .drivers = drivers, .driver_count = 2 };
    return gti_fbx_track_value(&track, 0.0);
}

static void expect_vector(GtiVec value, double x, double y, double z)
{
    GT_EXPECT_NEAR(value.x, x, 1e-9);
    GT_EXPECT_NEAR(value.y, y, 1e-9);
    GT_EXPECT_NEAR(value.z, z, 1e-9);
}

static void test_layers(void** state)
{
    (void)state;
    GtiVec a = { 1.0, 4.0, 9.0 };
    GtiVec b = { 16.0, 25.0, 4.0 };
    GtiFbxAnimLayer adds = { .is_additive = true, .is_blended = true, .weight = 0.5, .multiplies_scales = true };
    GtiFbxAnimLayer blends = { .is_blended = true, .weight = 0.5, .multiplies_scales = true };
    GtiFbxAnimLayer replaces = { .weight = 0.5 };
    expect_vector(two_layers(GTI_FBX_TRANSLATION, &adds, a, b), 9.0, 16.5, 11.0);
    expect_vector(two_layers(GTI_FBX_TRANSLATION, &blends, a, b), 8.5, 14.5, 6.5);
    expect_vector(two_layers(GTI_FBX_TRANSLATION, &replaces, a, b), 16.0, 25.0, 4.0);
    expect_vector(two_layers(GTI_FBX_SCALE, &adds, a, b), 4.0, 20.0, 18.0);
    expect_vector(two_layers(GTI_FBX_SCALE, &blends, a, b), 4.0, 10.0, 6.0);
    blends.multiplies_scales = false;
    expect_vector(two_layers(GTI_FBX_SCALE, &blends, a, b), 8.5, 14.5, 6.5);
    // A whole rotation on top is the product; half of one is such that twice it is whole.
    adds.composes_rotations = blends.composes_rotations = true;
    GtiQuat qa = gti_fbx_rotation(a, GTI_FBX_ZXY);
    GtiQuat half =
        gti_quat_mul(gti_quat_conjugate(qa), gti_fbx_rotation(two_layers(GTI_FBX_ROTATION, &adds, a, b), GTI_FBX_ZXY));
    GtiQuat whole = gti_quat_mul(half, half);
    GtiQuat qb = gti_fbx_rotation(b, GTI_FBX_ZXY);
    GT_EXPECT_NEAR(fabs(whole.x * qb.x + whole.y * qb.y + whole.z * qb.z + whole.w * qb.w), 1.0, 1e-12);
    expect_vector(two_layers(GTI_FBX_ROTATION, &blends, a, a), 1.0, 4.0, 9.0);
    // A weight that moves counts in percent.
    GtiFbxKey keys[2] = { { .time = 0.0, .value = 25.0, .interpolation = GTI_FBX_LINEAR },
                          { .time = 10.0, .value = 100.0 } };
    GtiFbxAnimLayer moves = { .is_blended = true,
                              .weight_moves = true,
                              .weight_curve = { .keys = keys, .key_count = 2, .ticks_per_s = SECOND } };
    expect_vector(two_layers(GTI_FBX_TRANSLATION, &moves, gti_vec(0, 0, 0), gti_vec(4, 8, 0)), 1.0, 2.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_and_constant),
        cmocka_unit_test(test_hermite_segment),
        cmocka_unit_test(test_weighted_segment),
        cmocka_unit_test(test_extrapolation),
        cmocka_unit_test(test_automatic_tangents),
        cmocka_unit_test(test_flawed_curves),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_many_times),
        cmocka_unit_test(test_angles_of_rotations),
        cmocka_unit_test(test_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

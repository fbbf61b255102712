// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Formulas against the same arithmetic in C, and against every way to write them wrongly.

#include "support/test.h"

#include "gertie/formula.h"

#include <stdlib.h>

static double eval(const char* text, double t)
{
    GtError error;
    GtFormula* formula = NULL;
    GT_EXPECT_OK(gt_formula_create(gt_default_allocator(), text, &formula, &error));
    double result = gt_formula_eval(formula, t, NULL);
    gt_formula_destroy(formula);
    return result;
}

static void test_arithmetic(void** state)
{
    (void)state;
    const double t = 0.7;
    const struct {
        const char* text;
        double value;
    } cases[] = {
        { "1", 1 },
        { " .5 ", 0.5 },
        { "1e-3*2", 2e-3 },
        { "1 - 2 - 3", -4 },
        { "2*3+4*5", 26 },
        { "2*(3+4)*5", 70 },
        { "8/4/2", 1 },
        { "2^3^2", 512 },
        { "-2^2", -4 },
        { "(-2)^2", 4 },
        { "2^-1*3", 1.5 },
        { "--3", 3 },
        { "-+-3", 3 },
        { "4 - -3", 7 },
        { "-t*2", -1.4 },
        { "pi + tau", 3 * 3.14159265358979323846 },
        { "0.2 * sin(2*pi*t/1.5 + 0.1)", 0.2 * sin(2 * 3.14159265358979323846 * t / 1.5 + 0.1) },
        { "cos(t)+tan(t)+asin(t)+acos(t)+atan(t)", cos(t) + tan(t) + asin(t) + acos(t) + atan(t) },
        { "sinh(t)*cosh(t)*tanh(t)", sinh(t) * cosh(t) * tanh(t) },
        { "exp(-t) - log(t) - sqrt(t)", exp(-t) - log(t) - sqrt(t) },
        { "abs(-t) + sign(-t) + sign(0) + sign(t)", 0.7 },
        { "floor(-t) + 10*ceil(-t) + 100*round(t)", 99 },
        { "fract(-0.25)", 0.75 },
        { "atan2(t, -1)", atan2(t, -1) },
        { "mod(-1, 3) + mod(7, 3)", 3 },
        { "mod(1, -3)", -2 },
        { "min(t, 1) + max(t, 1)", 1.7 },
        { "pow(t, 3)", t * t * t },
        { "step(0.7, t) + step(0.71, t)", 1 },
        { "clamp(0, 1, 5) + clamp(0, 1, -5) + clamp(0, 1, t)", 1.7 },
        { "lerp(10, 20, t)", 17 },
        { "smoothstep(0, 2, 1) + smoothstep(0, 1, 9)", 1.5 },
        { "max(min(1,2),max((3),sin(0)))", 3 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GT_EXPECT_NEAR(eval(cases[i].text, t), cases[i].value, 1e-12);
    }
    assert_true(isnan(eval("log(-1)", 0)));
    assert_true(isinf(eval("1/(t-t)", 1)));
}

static void test_names(void** state)
{
    (void)state;
    GtError error;
    GtFormula* formula = NULL;
    GT_EXPECT_OK(gt_formula_create(gt_default_allocator(),
                                   "leftFoot.translation.y * 2 + morph:jawOpen - 'DEF-spine.001.turn.x' + "
                                   "lattice:belly.point[1,2,0].z*leftFoot.translation.y + time + max(a, b)",
                                   &formula, &error));
    const char* const names[] = { "leftFoot.translation.y",
                                  "morph:jawOpen",
                                  "DEF-spine.001.turn.x",
                                  "lattice:belly.point[1,2,0].z",
                                  "time",
                                  "a",
                                  "b" };
    const double values[] = { 3, 10, 100, 1000, 0.5, 0.25, 0.125 };
    assert_int_equal(gt_formula_name_count(formula), 7);
    for (int i = 0; i < 7; ++i) {
        assert_string_equal(gt_formula_name(formula, i), names[i]);
    }
    GT_EXPECT_NEAR(gt_formula_eval(formula, 99, values), 6 + 10 - 100 + 3000 + 0.5 + 0.25, 1e-12);
    gt_formula_destroy(formula);
}

static void test_refused(void** state)
{
    (void)state;
    const struct {
        const char* text;
        const char* says;
    } cases[] = {
        { "", "there is nothing" },
        { "   ", "it ends too early" },
        { "1 +", "it ends too early" },
        { "1 2", "character 3: expected an operator" },
        { "* 2", "character 1: expected a number" },
        { "2 * / 3", "character 5: expected a number" },
        { "(1 + 2", "a parenthesis is not closed" },
        { "1 + 2)", "never opened" },
        { "()", "expected a number" },
        { "sin()", "expected a number" },
        { "sin(1, 2)", "sin takes 1 arguments, not 2" },
        { "clamp(1, 2)", "clamp takes 3 arguments, not 2" },
        { "sine(1)", "character 1: there is no such function" },
        { "1, 2", "a comma outside a function" },
        { "sin((1, 2))", "a comma outside a function" },
        { "sin(1,)", "expected a number" },
        { "'open", "a quoted name has no end" },
        { "''", "nothing in it" },
        { "1 $ 2", "expected an operator" },
        { "$", "expected a number" },
        { "\xc3\xa4", "expected a number" },
    };
    GtError error;
    GtFormula* formula = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GT_EXPECT_ERROR(gt_formula_create(gt_default_allocator(), cases[i].text, &formula, &error), GT_ERROR_BAD_VALUE,
                        cases[i].says);
        assert_null(formula);
    }
}

static void expect_limit(const char* unit, int count, const char* says)
{
    static char text[3 * GT_FORMULA_MAX_SIZE];
    GtError error;
    GtFormula* formula = NULL;
    text[0] = 0;
    for (int i = 0; i < count; ++i) {
        strcat(text, unit);
    }
    GT_EXPECT_ERROR(gt_formula_create(gt_default_allocator(), text, &formula, &error), GT_ERROR_LIMIT, says);
}

static void test_limits(void** state)
{
    (void)state;
    expect_limit("(", 100, "nested too deeply");
    expect_limit("-", 100, "nested too deeply");
    expect_limit("2^", 100, "nested too deeply");
    expect_limit("1+(", 100, "nested too deeply");
    expect_limit("max(1,", 100, "nested too deeply");
    expect_limit("1+", GT_FORMULA_MAX_SIZE, "more than 4096 bytes");
    expect_limit("'a'+'b'+'c'+'d'+'e'+'f'+'g'+'h'+'i'+'j'+'k'+'l'+'m'+'n'+'o'+'p'+'q'+'r'+'s'+'t'+'u'+'v'+'w'+'x'+'y'+"
                 "'z'+'A'+'B'+'C'+'D'+'E'+'F'+'G'+",
                 1, "too many names");
    // Not deep, only long.
    static char text[GT_FORMULA_MAX_SIZE + 1];
    for (int i = 0; i < GT_FORMULA_MAX_SIZE - 1; ++i) {
        text[i] = i % 2 ? '+' : '1';
    }
    text[GT_FORMULA_MAX_SIZE - 1] = 0;
    GT_EXPECT_NEAR(eval(text, 0), GT_FORMULA_MAX_SIZE / 2, 0);
}

// Any text either compiles, and then runs, or is refused with a reason.
static void test_any_text(void** state)
{
    (void)state;
    static const char alphabet[] = "12.te+-*/^(),' []:ab_sinmaxclp";
    uint32_t seed = 7;
    int made = 0;
    for (int round = 0; round < 20000; ++round) {
        char text[16];
        for (int i = 0; i < 15; ++i) {
            seed = seed * 1664525u + 1013904223u;
            text[i] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
        }
        text[1 + seed % 15] = 0;
        GtError error = { .code = GT_OK };
        GtFormula* formula = NULL;
        double values[GT_FORMULA_MAX_NAMES] = { 1, 2, 3 };
        if (gt_formula_create(gt_default_allocator(), text, &formula, &error) == GT_OK) {
            gt_formula_eval(formula, 0.5, values);
            gt_formula_destroy(formula);
            ++made;
        } else {
            assert_true(error.message[0] != 0);
        }
    }
    assert_true(made > 200);
    TestAllocator none = { .remaining = 0 };
    GtError error;
    GtFormula* formula = NULL;
    GT_EXPECT_ERROR(gt_formula_create(test_allocator(&none), "1", &formula, &error), GT_ERROR_OUT_OF_MEMORY, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_names),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_limits),     cmocka_unit_test(test_any_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include "gertie/expression.h"

static void names_are_known_as_files_spell_them(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        const char* arkit;
        const char* expression;
    } cases[] = {
        { "jawOpen", "jawOpen", "" },
        { "JawOpen", "jawOpen", "" },
        { "jaw_open", "jawOpen", "" },
        { "Head.jawOpen", "jawOpen", "" },
        { "blendShape1|jaw-open", "jawOpen", "" },
        { "eyeBlink_L", "eyeBlinkLeft", "" },
        { "blendShape1.AK_09_EyeBlinkLeft", "eyeBlinkLeft", "" },
        { "03_jawOpen", "jawOpen", "" },
        { "blendShape1.AA_VI_12_I", "", "ih" },
        { "eyeBlinkR", "eyeBlinkRight", "" },
        { "Face:mouthSmile.R", "mouthSmileRight", "" },
        { "mouthLeft", "mouthLeft", "" },
        { "browInnerUp", "browInnerUp", "" },
        { "jawOpener", "", "" },
        { "jaw", "", "" },
        { "", "", "" },
        { "L", "", "" },
        { "aa", "", "aa" },
        { "A", "", "aa" },
        { "Fcl_MTH_A", "", "aa" },
        { "Fcl_EYE_Close_L", "", "blinkLeft" },
        { "Fcl_EYE_Close", "", "blink" },
        { "Joy", "", "happy" },
        { "Blink_R", "", "blinkRight" },
        { "blinkLeft", "", "blinkLeft" },
        { "LOOKUP", "", "lookUp" },
        { "\xe3\x81\x82", "", "aa" },
        { "a name that is far longer than any of all the vocabularies that there are of faces", "", "" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        int32_t shape = gt_arkit_find(cases[i].name);
        int32_t expression = gt_expression_find(cases[i].name);
        assert_string_equal(gt_arkit_name(shape), cases[i].arkit);
        assert_string_equal(gt_expression_name((GtExpression)expression), cases[i].expression);
    }
}

static void names_find_themselves_and_their_mirrors(void** state)
{
    (void)state;
    int middle = 0;
    for (int32_t i = 0; i < GT_ARKIT_COUNT; ++i) {
        assert_int_equal(gt_arkit_find(gt_arkit_name(i)), i);
        assert_int_equal(gt_arkit_mirror(gt_arkit_mirror(i)), i);
        middle += gt_arkit_mirror(i) == i;
    }
    assert_int_equal(middle, 12); // 20 pairs
    for (int32_t i = 0; i < GT_EXPRESSION_COUNT; ++i) {
        assert_int_equal(gt_expression_find(gt_expression_name((GtExpression)i)), i);
    }
}

// What a face does to both sides, it does alike.
static void expressions_are_as_even_as_they_should_be(void** state)
{
    (void)state;
    for (int32_t e = 0; e < GT_EXPRESSION_COUNT; ++e) {
        int32_t count = 0;
        const GtExpressionPart* parts = gt_expression_parts((GtExpression)e, &count);
        bool one_sided = e == GT_EXPRESSION_BLINK_LEFT || e == GT_EXPRESSION_BLINK_RIGHT ||
                         e == GT_EXPRESSION_LOOK_LEFT || e == GT_EXPRESSION_LOOK_RIGHT;
        assert_true((count == 0) == (e == GT_EXPRESSION_NEUTRAL));
        for (int32_t i = 0; i < count; ++i) {
            float mirrored = 0.0f;
            assert_true(parts[i].weight > 0.0f && parts[i].weight <= 1.0f);
            for (int32_t j = 0; j < count; ++j) {
                assert_true(i == j || parts[i].shape != parts[j].shape);
                mirrored = parts[j].shape == gt_arkit_mirror(parts[i].shape) ? parts[j].weight : mirrored;
            }
            assert_true(one_sided ? mirrored == 0.0f : mirrored == parts[i].weight);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_known_as_files_spell_them),
        cmocka_unit_test(names_find_themselves_and_their_mirrors),
        cmocka_unit_test(expressions_are_as_even_as_they_should_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

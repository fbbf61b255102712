// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of a struct of every type, through their table: texts in, values in the struct, texts out.

#include "base/field_table.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

typedef enum Mode {
    MODE_SLOW,
    MODE_FAST = 4,
} Mode;

typedef struct Inner {
    int32_t padding;
    float depth_m;
} Inner;

typedef struct Sample {
    bool on;
    int32_t count;
    int32_t any;
    uint32_t color;
    int64_t large;
    uint64_t seed;
    float length_m;
    double angle_rad;
    double unit;
    Mode mode;
    const char* name;
    const char* format;
    char why[16];
    Inner inner;
} Sample;

static const GtChoice modes[] = { { "slow", MODE_SLOW, "" }, { "fast", MODE_FAST, "" }, { NULL, 0, NULL } };
static const GtChoice lengths[] = { { "cm", 0.01, NULL }, { "-in", 0.0254, NULL }, { NULL, 0, NULL } };
static const GtChoice formats[] = { { "a", 0, NULL }, { "b", 0, NULL }, { NULL, 0, NULL } };

static const GtFieldTable* inner_fields(void)
{
    static const GtField rows[] = { { GT_FIELD(Inner, depth_m), .unit = GT_UNIT_MILLIMETRES, .max = 100 } };
    static const GtFieldTable table = { "Inner", sizeof(Inner), rows, 1, NULL };
    return &table;
}

static const GtField rows[] = {
    { GT_FIELD(Sample, on) },
    { GT_FIELD(Sample, count), .min = -3, .max = 16 },
    { GT_FIELD(Sample, color), .unit = GT_UNIT_COLOR },
    { GT_FIELD(Sample, large) },
    { GT_FIELD(Sample, seed), .max = 9007199254740991.0 },
    { GT_FIELD(Sample, length_m), .unit = GT_UNIT_METRES, .min = 0.1, .max = 10 },
    { GT_FIELD(Sample, angle_rad), .unit = GT_UNIT_DEGREES, .min = -360, .max = 360 },
    { GT_FIELD(Sample, unit), .min = 0.001, .max = 1000, .choices = lengths },
    { GT_FIELD(Sample, mode), .choices = modes },
    { GT_FIELD(Sample, name) },
    { GT_FIELD(Sample, format), .choices = formats },
    { GT_FIELD(Sample, why) },
    { GT_FIELD_STRUCT(Sample, inner, inner_fields) },
    { GT_FIELD(Sample, any) },
};
static const GtFieldTable table = { "Sample", sizeof(Sample), rows, sizeof rows / sizeof *rows, NULL };

static void types_and_places_come_from_the_struct(void** state)
{
    (void)state;
    static const GtFieldType types[] = { GT_FIELD_BOOL,   GT_FIELD_INT32, GT_FIELD_UINT32, GT_FIELD_INT64,
                                         GT_FIELD_UINT64, GT_FIELD_FLOAT, GT_FIELD_DOUBLE, GT_FIELD_DOUBLE,
                                         GT_FIELD_UINT32, GT_FIELD_TEXT,  GT_FIELD_TEXT,   GT_FIELD_CHARS,
                                         GT_FIELD_GROUP,  GT_FIELD_INT32 };
    for (int32_t i = 0; i < table.field_count; ++i) {
        assert_int_equal(rows[i].type, types[i]);
        assert_ptr_equal(gt_field_find(&table, rows[i].name, NULL), &rows[i]);
    }
    size_t offset = 0;
    const GtField* depth = gt_field_find(&table, "inner.depth_m", &offset);
    assert_string_equal(depth->name, "depth_m");
    assert_int_equal(offset, offsetof(Sample, inner.depth_m));
    assert_null(gt_field_find(&table, "inner.width", NULL));
    assert_null(gt_field_find(&table, "count.more", NULL));
    assert_null(gt_field_find(&table, "coun", NULL));
    assert_null(gt_field_find(&table, "counts", NULL));
    assert_null(gt_field_find(&table, "", NULL));
}

static void texts_become_values_and_texts_again(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        { "on", "true" },       { "count", "-3" },          { "count", "16" },
        { "color", "#ff8000" }, { "large", "-4294967297" }, { "seed", "9007199254740991" },
        { "length_m", "0.1" },  { "angle_rad", "-90" },     { "unit", "cm" },
        { "unit", "-in" },      { "unit", "0.5" },          { "mode", "fast" },
        { "name", "-5 " },      { "format", "b" },          { "inner.depth_m", "2.5" },
    };
    Sample sample = { 0 };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[32];
        size_t offset = 0;
        const GtField* field = gt_field_find(&table, cases[i][0], &offset);
        GtError error = { 0 };
        GT_EXPECT_OK(gt_field_parse(field, cases[i][1], (char*)&sample + offset, &error));
        int length = gt_field_print(field, (char*)&sample + offset, text, sizeof text);
        assert_string_equal(text, cases[i][1]);
        assert_int_equal(length, strlen(text));
    }
    assert_true(sample.on);
    assert_int_equal(sample.count, 16);
    assert_int_equal(sample.color, 0xff8000);
    assert_true(sample.large == -4294967297);
    assert_true(sample.seed == 9007199254740991);
    assert_true(sample.length_m == 0.1f);
    GT_EXPECT_NEAR(sample.angle_rad, -1.5707963267948966, 1e-15);
    assert_true(sample.unit == 0.5);
    assert_int_equal(sample.mode, MODE_FAST);
    assert_string_equal(sample.name, "-5 ");
    assert_true(sample.inner.depth_m == 0.0025f);
}

static void what_is_wrong_is_refused_and_leaves_the_value(void** state)
{
    (void)state;
    static const char* const cases[][3] = {
        { "on", "yes", "takes false or true, not 'yes'" },
        { "count", "17", "takes a whole number from -3 to 16, not '17'" },
        { "count", "1.5", "takes a whole number from -3 to 16, not '1.5'" },
        { "count", "", "takes a whole number from -3 to 16, not ''" },
        { "color", "ff8000", "takes a colour as #rrggbb, not 'ff8000'" },
        { "color", "#ff80001", "takes a colour as #rrggbb, not '#ff80001'" },
        { "color", "#-ff800", "takes a colour as #rrggbb, not '#-ff800'" },
        { "large", "9007199254740993", "takes a whole number, not '9007199254740993'" },
        { "any", "2147483648", "takes a whole number, not '2147483648'" },
        { "large", "99999999999999999999", "takes a whole number, not '99999999999999999999'" },
        { "seed", "-1", "takes a whole number from 0 to 9007199254740991, not '-1'" },
        { "length_m", "0.09", "takes a number from 0.1 to 10, not '0.09'" },
        { "length_m", "nan", "takes a number from 0.1 to 10, not 'nan'" },
        { "length_m", "inf", "takes a number from 0.1 to 10, not 'inf'" },
        { "length_m", "1 ", "takes a number from 0.1 to 10, not '1 '" },
        { "angle_rad", "361", "takes a number from -360 to 360, not '361'" },
        { "unit", "0", "takes cm, -in or a number from 0.001 to 1000, not '0'" },
        { "unit", "mile", "takes cm, -in or a number from 0.001 to 1000, not 'mile'" },
        { "mode", "4", "takes slow or fast, not '4'" },
        { "format", "c", "takes a or b, not 'c'" },
        { "inner.depth_m", "101", "takes a number from 0 to 100, not '101'" },
    };
    Sample sample;
    Sample before;
    memset(&sample, 0xCD, sizeof sample);
    memcpy(&before, &sample, sizeof sample);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtError error = { 0 };
        size_t offset = 0;
        const GtField* field = gt_field_find(&table, cases[i][0], &offset);
        assert_int_equal(gt_field_parse(field, cases[i][1], (char*)&sample + offset, &error), GT_ERROR_BAD_VALUE);
        assert_string_equal(error.message, cases[i][2]);
        assert_string_equal(error.where, field->name);
    }
    assert_memory_equal(&sample, &before, sizeof sample);
}

static void set_sample_default(void* out)
{
    *(Sample*)out = (Sample){ .length_m = 0.0f, .unit = 1.0 }; // whose length is out of range, and means something
}

static void numbers_of_a_struct_are_checked(void** state)
{
    (void)state;
    const GtFieldTable checked = { "Sample", sizeof(Sample), table.fields, table.field_count, set_sample_default };
    const Sample good = {
        .count = 16, .length_m = 0.1f, .angle_rad = 6.2831855, .unit = 0.0254, .inner.depth_m = 0.1f
    };
    GtError error = { 0 };
    Sample sample = good;
    GT_EXPECT_OK(gti_fields_check(&checked, &sample, &error));
    sample.length_m = 0.0f;
    GT_EXPECT_OK(gti_fields_check(&checked, &sample, &error));
    sample.length_m = 0.05f;
    GT_EXPECT_ERROR(gti_fields_check(&checked, &sample, &error), GT_ERROR_BAD_VALUE,
                    "length_m takes a number from 0.1 to 10, not 0.05");
    sample = good;
    sample.angle_rad = NAN;
    GT_EXPECT_ERROR(gti_fields_check(&checked, &sample, &error), GT_ERROR_BAD_VALUE, "angle_rad takes");
    sample = good;
    sample.mode = (Mode)3;
    GT_EXPECT_ERROR(gti_fields_check(&checked, &sample, &error), GT_ERROR_BAD_VALUE, "mode takes slow or fast, not 3");
    sample = good;
    sample.inner.depth_m = -0.001f;
    GT_EXPECT_ERROR(gti_fields_check(&checked, &sample, &error), GT_ERROR_BAD_VALUE, "depth_m takes");
}

static void people_see_degrees_and_millimetres(void** state)
{
    (void)state;
    char name[GT_FIELD_NAME_SIZE];
    Sample sample = { .angle_rad = 1.5707963267948966, .inner.depth_m = 0.5f, .name = NULL, .why = "because" };
    char text[32];
    GT_EXPECT_NEAR(gt_field_number(&rows[6], &sample.angle_rad), 90.0, 1e-13);
    assert_string_equal(gt_field_shown_name(&rows[6], name), "angle_deg");
    assert_string_equal(gt_field_shown_name(inner_fields()->fields, name), "depth_mm");
    assert_string_equal(gt_field_shown_name(&rows[5], name), "length_m");
    assert_string_equal(gt_field_unit_name(rows[6].unit), "degrees");
    GT_EXPECT_NEAR(gt_field_number(inner_fields()->fields, &sample.inner.depth_m), 500.0, 1e-6);
    assert_int_equal(gt_field_print(&rows[9], &sample.name, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(gt_field_print(&rows[11], sample.why, text, 4), 7);
    assert_string_equal(text, "bec");
    assert_true(isnan(gt_field_number(&rows[9], &sample.name)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_and_places_come_from_the_struct),
        cmocka_unit_test(texts_become_values_and_texts_again),
        cmocka_unit_test(what_is_wrong_is_refused_and_leaves_the_value),
        cmocka_unit_test(numbers_of_a_struct_are_checked),
        cmocka_unit_test(people_see_degrees_and_millimetres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

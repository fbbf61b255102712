// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Pictures are read back as people read them: where a line is, by the labels of the axes beside it.

#include "support/folder.h"
#include "support/random.h"
#include "support/test.h"
#include "support/xml.h"

#include "gertie/number.h"
#include "gertie/plot.h"

#include <float.h>
#include <stdlib.h>

enum {
    MOST_SAMPLES = 5000
};

// A curve with room for its samples.
typedef struct TestCurve {
    GtPlotSeries curve;
    double times_s[MOST_SAMPLES];
    float values[MOST_SAMPLES];
} TestCurve;

static TestCurve* make_curve(const char* address, GtQuantity quantity, int32_t count, double from_s, double to_s,
                             double (*value)(double t))
{
    TestCurve* made = malloc(sizeof *made);
    made->curve = (GtPlotSeries){ .address = address, .quantity = quantity, .sample_count = count };
    made->curve.times_s = made->times_s;
    made->curve.values = made->values;
    for (int32_t i = 0; i < count; ++i) {
        made->times_s[i] = count > 1 ? from_s + (to_s - from_s) * i / (count - 1) : from_s;
        made->values[i] = (float)value(made->times_s[i]);
    }
    return made;
}

static char* draw(const GtPlotDef* def, size_t* size)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtBlob* blob = NULL;
    GT_EXPECT_OK(gt_plot_svg(&context, def, &blob, &error));
    *size = gt_blob_size(blob);
    char* text = malloc(*size + 1);
    memcpy(text, gt_blob_bytes(blob), *size);
    text[*size] = 0;
    gt_blob_release(blob);
    const char* fault = xml_fault(text, *size);
    if (fault) {
        fail_msg("the picture has %s", fault);
    }
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    return text;
}

// The next number in the text, which has two decimals at most and no exponent; moves on behind it.
static double take_number(const char** at)
{
    const char* from = *at + strcspn(*at, "-0123456789");
    double value = 0.0;
    *at = gt_parse_double(from, from + strcspn(from, " \"hvHMlL"), &value);
    assert_non_null(*at);
    const char* point = memchr(from, '.', (size_t)(*at - from));
    assert_true(!point || *at - point <= 3);
    assert_null(memchr(from, 'e', (size_t)(*at - from)));
    return value;
}

// An axis as read from its labels: value = low + (pixel - start) * per_pixel.
typedef struct Axis {
    double start, low, per_pixel;
} Axis;

static double label_value(const char* text)
{
    double value = 0.0;
    bool negative = strncmp(text, "\xE2\x88\x92", 3) == 0;
    const char* from = negative ? text + 3 : text;
    assert_non_null(gt_parse_double(from, from + strcspn(from, "<"), &value));
    return negative ? -value : value;
}

// From the first and the last label in a group of texts; `axis_name` is 'x' or 'y'.
static Axis read_axis(const char* group, char axis_name, double unit)
{
    const char* end = strstr(group, "</g>");
    double pixels[64] = { 0 };
    double values[64] = { 0 };
    int count = 0;
    for (const char* at = strstr(group, "<text"); at && at < end; at = strstr(at + 1, "<text")) {
        const char* number = strstr(at, axis_name == 'x' ? " x=" : " y=");
        const char* label = strchr(at, '>') + 1;
        if ((*label < '0' || *label > '9') && *label != '\xE2') {
            continue; // the axis' own name
        }
        assert_true(count < 64);
        pixels[count] = take_number(&number) - (axis_name == 'y' ? 4.2 : 0.0); // down to the middle of its digits
        values[count++] = label_value(label) * unit;
    }
    assert_true(count >= 2);
    double per_pixel = (values[count - 1] - values[0]) / (pixels[count - 1] - pixels[0]);
    for (int i = 0; i < count; ++i) { // evenly
        GT_EXPECT_NEAR((values[i] - values[0]) / per_pixel, pixels[i] - pixels[0], 0.02);
    }
    return (Axis){ pixels[0], values[0], per_pixel };
}

static const char* nth(const char* text, const char* part, int n)
{
    const char* at = text;
    for (int i = 0; at && i <= n; ++i) {
        at = strstr(i ? at + 1 : at, part);
    }
    return at;
}

typedef struct Line {
    double x[MOST_SAMPLES], y[MOST_SAMPLES];
    int count;
} Line;

// The n-th line of a panel.
static void read_line(const char* text, int panel, int n, Line* out)
{
    const char* at = nth(nth(text, "<g fill=\"none\"", panel), " d=\"M", n);
    assert_non_null(at);
    const char* end = strchr(at + 4, '"');
    out->count = 0;
    at += 4;
    while (*at != '"' && at < end) {
        assert_true(out->count < MOST_SAMPLES);
        double x = take_number(&at);
        double y = take_number(&at);
        int i = out->count++;
        out->x[i] = x + (i ? out->x[i - 1] : 0.0);
        out->y[i] = y + (i ? out->y[i - 1] : 0.0);
    }
}

// Every sample lies within half a pixel of the drawn line.
static void check_line(const Line* line, const GtPlotSeries* curve, Axis time, Axis value)
{
    int from = 0;
    for (int32_t i = 0; i < curve->sample_count; ++i) {
        double x = time.start + (curve->times_s[i] - time.low) / time.per_pixel;
        double y = value.start + ((double)curve->values[i] - value.low) / value.per_pixel;
        double nearest = HUGE_VAL;
        while (from + 1 < line->count && line->x[from + 1] < x - 2.0) {
            ++from;
        }
        for (int s = from; s + 1 < line->count && line->x[s] <= x + 2.0; ++s) {
            double dx = line->x[s + 1] - line->x[s];
            double dy = line->y[s + 1] - line->y[s];
            double t = ((x - line->x[s]) * dx + (y - line->y[s]) * dy) / (dx * dx + dy * dy);
            t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
            nearest = fmin(nearest, hypot(x - line->x[s] - t * dx, y - line->y[s] - t * dy));
        }
        if (!(nearest <= 0.5)) {
            fail_msg("%s: sample %d is %g pixels away from the line", curve->address, (int)i, nearest);
        }
    }
}

static double sine(double t)
{
    return 0.3 + 0.2 * sin(2.5 * t) + 0.05 * sin(31.0 * t);
}

static double slope(double t)
{
    return 0.5 * cos(2.5 * t) + 1.55 * cos(31.0 * t);
}

static double noise(double t)
{
    TestRandom random = { (uint64_t)(t * 1e6) + 99 };
    test_random_bits(&random);
    return (double)test_random_float(&random, -1.0f, 1.0f);
}

static double constant(double t)
{
    (void)t;
    return 0.75;
}

static void test_lines_are_where_the_axes_say(void** state)
{
    (void)state;
    TestCurve* made[] = {
        make_curve("foot.position.y", GT_QUANTITY_POSITION, MOST_SAMPLES, 0.25, 41.0, sine),
        make_curve("foot.speed", GT_QUANTITY_SPEED, MOST_SAMPLES, 0.25, 41.0, slope),
        make_curve("hand.position.y", GT_QUANTITY_POSITION, 700, 3.0, 30.0, noise),
    };
    GtPlotLine curves[] = { { &made[0]->curve, NULL, 0 }, { &made[1]->curve, NULL, 0 }, { &made[2]->curve, "B", 0 } };
    GtPlotDef def = gt_default_plot_def();
    def.lines = curves;
    def.line_count = 3;
    static const int32_t sizes[][2] = { { 960, 0 }, { 400, 300 }, { 3000, 2000 } };
    for (int i = 0; i < 3; ++i) {
        def.width = sizes[i][0];
        def.height = sizes[i][1];
        size_t size = 0;
        char* text = draw(&def, &size);
        Axis time = read_axis(strstr(nth(text, "rotate(-90)", 1), "text-anchor=\"middle\">\n"), 'x', 1.0);
        Axis upper = read_axis(nth(text, "text-anchor=\"end\"", 0), 'y', 1.0);
        Axis lower = read_axis(nth(text, "text-anchor=\"end\"", 1), 'y', 1.0);
        Line line;
        read_line(text, 0, 0, &line);
        check_line(&line, &made[0]->curve, time, upper);
        read_line(text, 0, 1, &line);
        check_line(&line, &made[2]->curve, time, upper);
        read_line(text, 1, 0, &line);
        check_line(&line, &made[1]->curve, time, lower);
        assert_non_null(strstr(text, ">position (m)<"));
        assert_non_null(strstr(text, ">speed (m/s)<"));
        assert_non_null(strstr(text, ">time (s)<"));
        assert_non_null(strstr(text, ">foot.position.y<"));
        assert_non_null(strstr(text, ">B<"));
        if (i == 0) {
            size_t again_size = 0;
            char* again = draw(&def, &again_size);
            assert_int_equal(again_size, size);
            assert_memory_equal(again, text, size);
            free(again);
        }
        free(text);
    }
    for (int i = 0; i < 3; ++i) {
        free(made[i]);
    }
}

static void test_long_clips_stay_small(void** state)
{
    (void)state;
    TestCurve* made = make_curve("a.speed", GT_QUANTITY_SPEED, MOST_SAMPLES, 0.0, 41.0, sine);
    GtPlotLine curve = { &made->curve, NULL, 0 };
    GtPlotDef def = gt_default_plot_def();
    def.lines = &curve;
    def.line_count = 1;
    size_t size = 0;
    free(draw(&def, &size));
    print_message("%d samples: %zu bytes\n", MOST_SAMPLES, size);
    assert_true(size < 24000);
    free(made);
}

// Constants, moments, the smallest and the largest numbers.
static void test_extremes_give_good_pictures(void** state)
{
    (void)state;
    static const double factors[] = { 1e-9, 1e9, 1e-38, 1e38, 1.0, 0.0 };
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; ++i) {
        TestCurve* made[] = {
            make_curve("x.position.x", GT_QUANTITY_POSITION, 200, 0.0, 2.0, sine),
            make_curve("x.angle", GT_QUANTITY_ANGLE, 200, 0.0, 2.0, constant),
            make_curve("x.scale.x", GT_QUANTITY_SCALE, 1, 1.0, 1.0, sine),
        };
        GtPlotLine curves[3];
        for (int c = 0; c < 3; ++c) {
            curves[c] = (GtPlotLine){ &made[c]->curve, NULL, 0 };
            for (int32_t t = 0; t < made[c]->curve.sample_count; ++t) {
                made[c]->values[t] = (float)((double)made[c]->values[t] * factors[i]);
            }
        }
        GtPlotDef def = gt_default_plot_def();
        def.lines = curves;
        def.line_count = 3;
        size_t size = 0;
        char* text = draw(&def, &size);
        const char* circle = strstr(text, "<circle"); // the moment
        assert_non_null(circle);
        assert_null(strstr(circle + 1, "<circle"));
        if (factors[i] == 1e-9 || factors[i] == 1e9) { // about 500 picometres, or 500 thousand kilometres
            bool small = factors[i] < 1.0;
            double unit = small ? 1e-12 : 1e6;
            assert_non_null(strstr(text, small ? ">position (10\xE2\x81\xBB\xC2\xB9\xC2\xB2 m)<"
                                               : ">position (10\xE2\x81\xB6 m)<"));
            Axis time = read_axis(strstr(nth(text, "rotate(-90)", 2), "text-anchor=\"middle\">\n"), 'x', 1.0);
            Axis axis = read_axis(nth(text, "text-anchor=\"end\"", 0), 'y', unit);
            Line line;
            read_line(text, 0, 0, &line);
            check_line(&line, &made[0]->curve, time, axis);
        }
        free(text);
        for (int c = 0; c < 3; ++c) {
            free(made[c]);
        }
    }
}

static int count_parts(const char* text, const char* part)
{
    int count = 0;
    for (const char* at = strstr(text, part); at; at = strstr(at + 1, part)) {
        ++count;
    }
    return count;
}

static void test_few_keys_are_marked(void** state)
{
    (void)state;
    static double keys_s[400];
    TestCurve* made = make_curve("a.rotation.x", GT_QUANTITY_ROTATION, 400, 0.0, 4.0, sine);
    for (int i = 0; i < 400; ++i) {
        keys_s[i] = made->times_s[i];
    }
    GtPlotLine curve = { &made->curve, NULL, 0 };
    GtPlotDef def = gt_default_plot_def();
    def.lines = &curve;
    def.line_count = 1;
    made->curve.key_times_s = keys_s;
    made->curve.key_count = 400;
    size_t size = 0;
    char* text = draw(&def, &size);
    assert_int_equal(count_parts(text, "<circle"), 0);
    free(text);
    static const double few_s[] = { 0.0, 1.234, 4.0 };
    made->curve.key_times_s = few_s;
    made->curve.key_count = 3;
    text = draw(&def, &size);
    assert_int_equal(count_parts(text, "<circle"), 3);
    Axis time = read_axis(strstr(strstr(text, "rotate(-90)"), "text-anchor=\"middle\">\n"), 'x', 1.0);
    Axis value = read_axis(strstr(text, "text-anchor=\"end\""), 'y', 1.0);
    const char* at = nth(text, "cx=", 1);
    double x = take_number(&at);
    double y = take_number(&at);
    GT_EXPECT_NEAR(time.low + (x - time.start) * time.per_pixel, 1.234, time.per_pixel * 0.02);
    GT_EXPECT_NEAR(value.low + (y - value.start) * value.per_pixel, sine(1.234), fabs(value.per_pixel) * 0.2);
    free(text);
    free(made);
}

static void test_words_cannot_break_the_picture(void** state)
{
    (void)state;
    TestCurve* made = make_curve("<b a='1'>&amp;\"\x01\x1b[2J\xff\xc3.speed", GT_QUANTITY_SPEED, 9, 0.0, 2.0, sine);
    char longest[3000];
    memset(longest, 'n', sizeof longest - 1);
    memcpy(longest + sizeof longest - 8, "the end", 8);
    GtPlotLine curves[] = { { &made->curve, NULL, 0 },
                            { &made->curve, longest, 0 },
                            { &made->curve, "\xE8\xB6\xB3\xEF\xBF\xBF\xC2\x9B", 0 } };
    GtPlotDef def = gt_default_plot_def();
    def.title = "]]> <!-- \xEF\xBF\xBE ";
    def.lines = curves;
    def.line_count = 3;
    size_t size = 0;
    char* text = draw(&def, &size);
    assert_true(size < 20000);
    assert_non_null(strstr(text, "&lt;b a='1'&gt;&amp;amp;&quot;\xEF\xBF\xBD\xEF\xBF\xBD[2J"));
    assert_non_null(strstr(text, "\xE2\x80\xA6")); // cut in the middle
    assert_non_null(strstr(text, "the end</text>"));
    assert_non_null(strstr(text, ">\xE8\xB6\xB3\xEF\xBF\xBD\xEF\xBF\xBD</text>"));
    free(text);
    free(made);
}

// However many curves there are, colours and dashes tell at least 28 apart, and the legend keeps to its place.
static void test_many_curves_share_colours_by_dashes(void** state)
{
    (void)state;
    enum {
        MANY = 300
    };
    static GtPlotLine curves[MANY];
    static char labels[MANY][32];
    TestCurve* made = make_curve("a.speed", GT_QUANTITY_SPEED, 20, 0.0, 2.0, sine);
    for (int i = 0; i < MANY; ++i) {
        snprintf(labels[i], sizeof labels[i], "curve number %d", i);
        curves[i] = (GtPlotLine){ &made->curve, labels[i], 0 };
    }
    GtPlotDef def = gt_default_plot_def();
    def.lines = curves;
    def.line_count = 28;
    size_t size = 0;
    char* text = draw(&def, &size);
    char styles[28][96];
    const char* at = text;
    for (int i = 0; i < 28; ++i) {
        at = strstr(at, "<path stroke=\"#") + 6;
        at = strstr(at, "stroke=");
        snprintf(styles[i], sizeof styles[i], "%.*s", (int)strcspn(at, "w"), at);
        for (int j = 0; j < i; ++j) {
            assert_string_not_equal(styles[i], styles[j]);
        }
    }
    free(text);
    def.line_count = MANY;
    def.height = 400;
    text = draw(&def, &size);
    const char* more = strstr(text, ">and ");
    assert_non_null(more);
    int shown = count_parts(text, ">curve number ");
    assert_int_equal(shown + atoi(more + 5), MANY);
    free(text);
    free(made);
}

// Two files with three curves each: a colour a curve, a dash a file. With one curve each: a colour a file.
static void test_series_look_alike(void** state)
{
    (void)state;
    TestCurve* made = make_curve("a.speed", GT_QUANTITY_SPEED, 20, 0.0, 2.0, sine);
    GtPlotLine curves[6];
    for (int i = 0; i < 6; ++i) {
        curves[i] = (GtPlotLine){ &made->curve, NULL, i / 3 };
    }
    GtPlotDef def = gt_default_plot_def();
    def.lines = curves;
    def.line_count = 6;
    size_t size = 0;
    char* text = draw(&def, &size);
    assert_int_equal(count_parts(text, "stroke=\"#0072B2\""), 4); // twice in the legend, twice drawn
    assert_int_equal(count_parts(text, "stroke=\"#0072B2\" stroke-dasharray"), 2);
    free(text);
    curves[1].group = 1;
    def.line_count = 2;
    text = draw(&def, &size);
    assert_int_equal(count_parts(text, "stroke=\"#0072B2\""), 2);
    assert_int_equal(count_parts(text, "stroke=\"#D55E00\""), 2);
    assert_int_equal(count_parts(text, "stroke-dasharray"), 0);
    free(text);
    free(made);
}

static void test_wrong_plots_are_refused(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtBlob* blob = NULL;
    TestCurve* made = make_curve("a.speed", GT_QUANTITY_SPEED, 20, 0.0, 2.0, sine);
    GtPlotLine curve = { &made->curve, NULL, 0 };
    GtPlotDef def = gt_default_plot_def();
    GT_EXPECT_ERROR(gt_plot_svg(&context, &def, &blob, &error), GT_ERROR_BAD_VALUE, "needs a curve");
    def.lines = &curve;
    def.line_count = 1;
    def.height = 100;
    GT_EXPECT_ERROR(gt_plot_svg(&context, &def, &blob, &error), GT_ERROR_BAD_VALUE, "too few for 1 panel; make it");
    def.width = 20;
    GT_EXPECT_ERROR(gt_plot_svg(&context, &def, &blob, &error), GT_ERROR_BAD_VALUE, "out of range");
    def = gt_default_plot_def();
    def.lines = &curve;
    def.line_count = 1;
    made->values[3] = NAN;
    GT_EXPECT_ERROR(gt_plot_svg(&context, &def, &blob, &error), GT_ERROR_BAD_VALUE, "sample 3");
    GT_EXPECT_ERROR(gt_plot_csv(&context, &def, &blob, &error), GT_ERROR_BAD_VALUE, "sample 3");
    made->values[3] = 0.0f;
    made->times_s[5] = made->times_s[4];
    GT_EXPECT_ERROR(gt_plot_svg(&context, &def, &blob, &error), GT_ERROR_BAD_VALUE, "not later");
    made->curve.sample_count = 0;
    GT_EXPECT_ERROR(gt_plot_svg(&context, &def, &blob, &error), GT_ERROR_BAD_VALUE, "0 samples");
    assert_null(blob);
    free(made);
}

static void test_tables_hold_every_number(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtBlob* blob = NULL;
    TestCurve* a = make_curve("a.speed", GT_QUANTITY_SPEED, 3, 0.0, 1.0, sine);
    TestCurve* b = make_curve("b.scale.x", GT_QUANTITY_SCALE, 2, 0.5, 0.75, constant);
    a->values[0] = 0.1f;
    a->values[1] = -1e-30f;
    a->values[2] = 16777216.0f;
    GtPlotLine curves[] = { { &a->curve, NULL, 0 }, { &b->curve, "say \"x\", b", 0 } };
    GtPlotDef def = gt_default_plot_def();
    def.lines = curves;
    def.line_count = 2;
    GT_EXPECT_OK(gt_plot_csv(&context, &def, &blob, &error));
    static const char expected[] = "time_s,a.speed (m/s),\"say \"\"x\"\", b\"\n"
                                   "0,0.1,\n"
                                   "0.5,-1e-30,0.75\n"
                                   "0.75,,0.75\n"
                                   "1,16777216,\n";
    assert_int_equal(gt_blob_size(blob), sizeof expected - 1);
    assert_memory_equal(gt_blob_bytes(blob), expected, sizeof expected - 1);
    gt_blob_release(blob);
    free(b);
    free(a);
}

static void test_files_are_told_by_their_ending(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    TestFolder folder;
    test_folder_create(&folder);
    TestCurve* made = make_curve("a.speed", GT_QUANTITY_SPEED, 20, 0.0, 2.0, sine);
    GtPlotLine curve = { &made->curve, NULL, 0 };
    GtPlotDef def = gt_default_plot_def();
    def.lines = &curve;
    def.line_count = 1;
    GT_EXPECT_OK(gt_plot_save(&context, &def, test_folder_path(&folder, "a.svg"), &error));
    GT_EXPECT_OK(gt_plot_save(&context, &def, test_folder_path(&folder, "a.CSV"), &error));
    size_t size = 0;
    uint8_t* bytes = test_folder_get(&folder, "a.svg", &size);
    assert_memory_equal(bytes, "<svg ", 5);
    free(bytes);
    bytes = test_folder_get(&folder, "a.CSV", &size);
    assert_memory_equal(bytes, "time_s,", 7);
    free(bytes);
    GT_EXPECT_ERROR(gt_plot_save(&context, &def, test_folder_path(&folder, "a.png"), &error), GT_ERROR_UNSUPPORTED,
                    "a.png: a plot is written as .svg or .csv");
    GT_EXPECT_ERROR(gt_plot_save(&context, &def, test_folder_path(&folder, "no/a.svg"), &error), GT_ERROR_IO, "a.svg");
    test_folder_remove(&folder);
    free(made);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    TestCurve* a = make_curve("a.speed", GT_QUANTITY_SPEED, 2000, 0.0, 9.0, noise);
    TestCurve* b = make_curve("b.angle", GT_QUANTITY_ANGLE, 2000, 0.0, 9.0, noise);
    GtPlotLine curves[] = { { &a->curve, NULL, 0 }, { &b->curve, NULL, 0 } };
    GtPlotDef def = gt_default_plot_def();
    def.title = "A title";
    def.lines = curves;
    def.line_count = 2;
    TestAllocator allocator = { .remaining = -1 };
    GtContext context = gt_default_context();
    context.allocator = test_allocator(&allocator);
    GtError error;
    for (int kind = 0; kind < 2; ++kind) {
        int64_t failures = 0;
        GtResult result = GT_ERROR_OUT_OF_MEMORY;
        for (; result != GT_OK; ++failures) {
            GtBlob* blob = NULL;
            allocator = (TestAllocator){ .remaining = failures };
            result = (kind ? gt_plot_csv : gt_plot_svg)(&context, &def, &blob, &error);
            assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
            gt_blob_release(blob);
            assert_int_equal(allocator.alive, 0);
        }
        assert_true(failures >= 3);
    }
    free(b);
    free(a);
}

// The judge itself: what is not well-formed is called so.
static void test_xml_faults_are_found(void** state)
{
    (void)state;
    static const char* const bad[] = { "",
                                       "text",
                                       "<a>",
                                       "<a></b>",
                                       "<a/><b/>",
                                       "<a b=1/>",
                                       "<a>&</a>",
                                       "<a b=\"<\"/>",
                                       "<a b=\"\" b=\"\"/>",
                                       "<a>\x01</a>",
                                       "<a>\xff</a>",
                                       "<a" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_non_null(xml_fault(bad[i], strlen(bad[i])));
    }
    static const char good[] = "<a b=\"1\"><c/>&amp; <d e=\"\">\xE2\x88\x92</d></a>\n";
    assert_null(xml_fault(good, sizeof good - 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_are_where_the_axes_say),
        cmocka_unit_test(test_long_clips_stay_small),
        cmocka_unit_test(test_extremes_give_good_pictures),
        cmocka_unit_test(test_few_keys_are_marked),
        cmocka_unit_test(test_words_cannot_break_the_picture),
        cmocka_unit_test(test_many_curves_share_colours_by_dashes),
        cmocka_unit_test(test_series_look_alike),
        cmocka_unit_test(test_wrong_plots_are_refused),
        cmocka_unit_test(test_tables_hold_every_number),
        cmocka_unit_test(test_files_are_told_by_their_ending),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_xml_faults_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

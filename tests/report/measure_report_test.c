// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Reports say what was measured, under names that may hold anything.

#include "measure/dummy.h"

#include "gertie/measure_report.h"

#include "data/json.h"
#include "support/folder.h"

#include <stdlib.h>

static Boxes boxes;

// Boxes of which the right one is scaled, so that its volume goes by the cube of that.
static GtMeasureReport measure_boxes(const GtContext* context, float scale, GtMeasure** measure)
{
    fill_boxes(&boxes);
    make_boxes(context, &boxes);
    bake_boxes(context, &boxes,
               gt_transform(gt_vec3(BOX_APART, 0, 0), gt_quat_identity(), gt_vec3(scale, scale, scale)));
    *measure = measure_scene(context, boxes.scene, NULL);
    return (GtMeasureReport){
        .measure = *measure, .scene = boxes.scene, .file = "<b>&.glb", .clip_name = "run \"fast\"\x1B"
    };
}

static void json_holds_the_numbers(void** state)
{
    (void)state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtMeasure* measure = NULL;
    GtMeasureReport report = measure_boxes(&context, 0.8f, &measure);
    GtJsonWriter json = gt_json_create(NULL, 2);
    gt_json_begin_object(&json);
    gt_measure_report_write(&json, &report);
    gt_json_end_object(&json);
    GtArena arena = gt_arena_create(gt_default_allocator());
    const GtiJson* root = NULL;
    GT_EXPECT_OK(gti_json_parse(&arena, json.text.bytes, json.text.size, &root, &error));
    assert_true(gti_json_equals(gti_json_find(root, "file"), "<b>&.glb"));
    assert_true(gti_json_equals(gti_json_find(root, "clip"), "run \"fast\"\x1B"));
    assert_int_equal(gti_json_find(root, "source")->type, GTI_JSON_NULL);
    assert_null(gti_json_find(root, "feet")); // these are boxes
    const GtiJson* zones = gti_json_find(root, "zones");
    assert_int_equal(zones->count, 2);
    double least = 1.0;
    const GtiJson* zone = gti_json_first(zones);
    for (uint32_t i = 0; i < zones->count; ++i, zone = gti_json_next(zone)) {
        double volume = NAN;
        assert_true(gti_json_double(gti_json_find(zone, "volume_min"), &volume));
        least = fmin(least, volume);
    }
    GT_EXPECT_NEAR(least, 0.512, 1e-4);
    gt_arena_destroy(&arena);
    gt_json_destroy(&json);
    gt_measure_destroy(measure);
    gt_scene_destroy(boxes.scene);
}

static void the_table_puts_the_worst_zone_first(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtMeasure* measure = NULL;
    GtMeasureReport report = measure_boxes(&context, 0.8f, &measure);
    GtText table = { 0 };
    gt_measure_table_add(&table, &report);
    assert_memory_equal(table.bytes, "<b>&.glb: clip 'run \"fast\"?'", 28); // no escape reaches a terminal
    const char* right = strstr(table.bytes, "  right  ");
    const char* left = strstr(table.bytes, "  left  ");
    assert_true(right && left && right < left);
    assert_non_null(strstr(right, " 0.51 "));
    gt_text_destroy(&table);
    gt_measure_destroy(measure);
    gt_scene_destroy(boxes.scene);
}

static void the_page_stands_alone(void** state)
{
    (void)state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtMeasure* measure = NULL;
    GtMeasureReport report = measure_boxes(&context, 1.0f, &measure);
    TestFolder folder;
    test_folder_create(&folder);
    GT_EXPECT_OK(gt_measure_page_write(&context, &report, test_folder_path(&folder, "a.html"), &error));
    size_t size = 0;
    char* page = (char*)test_folder_get(&folder, "a.html", &size);
    assert_non_null(page);
    page[size - 1] = 0;
    assert_memory_equal(page, "<!doctype html>", 15);
    assert_non_null(strstr(page, "<h1>&lt;b&gt;&amp;.glb</h1>"));
    assert_null(strstr(page, "<b>&"));
    assert_null(strchr(page, '\x1B'));
    assert_null(strstr(page, "src=\"http"));
    assert_null(strstr(page, "href="));
    free(page);
    GT_EXPECT_ERROR(gt_measure_page_write(&context, &report, "/nowhere/a.html", &error), GT_ERROR_IO,
                    "/nowhere/a.html");
    test_folder_remove(&folder);
    gt_measure_destroy(measure);
    gt_scene_destroy(boxes.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_holds_the_numbers),
        cmocka_unit_test(the_table_puts_the_worst_zone_first),
        cmocka_unit_test(the_page_stands_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

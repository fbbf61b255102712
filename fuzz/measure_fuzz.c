// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, read as an animated scene and measured, by itself or against itself as its source: what is reported is a
// table of text and JSON that reads.

#include "gertie/measure_report.h"

#include "data/json.h"

#include "scene.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void report(const GtMeasure* measure, const GtScene* scene, int32_t animation)
{
    GtMeasureReport def = {
        .measure = measure, .scene = scene, .animation = animation, .file = "input", .clip_name = "clip"
    };
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtText table = { .arena = &arena };
    GtJsonWriter json = gt_json_create(&arena, 2);
    const GtiJson* root = NULL;
    gt_measure_table_add(&table, &def);
    CHECK(gt_text_finish(&table));
    gt_json_begin_object(&json);
    gt_measure_report_write(&json, &def);
    gt_json_end_object(&json);
    const char* text = gt_text_finish(&json.text);
    CHECK(text && gti_json_parse(&arena, text, strlen(text), &root, NULL) == GT_OK);
    gt_arena_destroy(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    GtContext context = limited_context();
    GtScene* scene = read_scene(&context, data, size);
    uint64_t options = options_of(data, size);
    for (int32_t i = 0; scene && i < scene->animation_count && i < 2; ++i) {
        GtError error = { 0 };
        GtMeasure* measure = NULL;
        GtMeasureDef def = gt_default_measure_def();
        def.animation = i;
        def.mesh_frame_count = 3;
        def.source = options & 1 ? scene : NULL;
        def.source_animation = options & 2 ? i : 0;
        GtResult result = gt_measure(&context, scene, &def, &measure, &error);
        CHECK((result == GT_OK) == (measure != NULL) && (result == GT_OK || error.message[0]));
        if (measure) {
            report(measure, scene, i);
        }
        gt_measure_destroy(measure);
    }
    gt_scene_destroy(scene);
    return 0;
}

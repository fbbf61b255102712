// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers of all clips of a batch, and the report as JSON.

#include "batch_report.h"

#include "session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const ClipNumberInfo clip_number_infos[CLIP_NUMBER_COUNT] = {
    [CLIP_SEVERITY] = { "severity", "worst moment", "", 1, INFINITY, INFINITY },
    [CLIP_FRAMES] = { "frames", "frames", "", 0, INFINITY, INFINITY },
    [CLIP_SECONDS] = { "duration_s", "length", "s", 2, INFINITY, INFINITY },
    [CLIP_CONTACTS] = { "contacts", "contacts", "", 0, INFINITY, INFINITY },
    [CLIP_SKATE_MM] = { "skate_m", "skate", "mm", 1, 10.0, 30.0 },
    [CLIP_FLOAT_MM] = { "float_m", "float", "mm", 1, 5.0, 15.0 },
    [CLIP_PENETRATION_MM] = { "penetration_m", "penetration", "mm", 1, 5.0, 15.0 },
    [CLIP_KNEE_ACCELERATION] = { "knee_acceleration_ratio", "knee acceleration", "×", 2, 1.25, 2.0 },
    [CLIP_KNEE_JERK] = { "knee_jerk_ratio", "knee jerk", "×", 2, 1.25, 2.0 },
    [CLIP_DIRECTION_DEG] = { "direction_mean_deg", "direction", "°", 1, 3.0, 8.0 },
    [CLIP_FLIP_DEG] = { "extra_rotation_deg", "turn in a frame", "°", 1, 10.0, 30.0 },
    [CLIP_FLIGHT_MM] = { "flight_miss_m", "off free fall", "mm", 0, 20.0, 60.0 },
};

void clips_free(ClipList* list)
{
    GtAllocator allocator = gt_default_allocator();
    allocator.release(allocator.user, list->items);
    gt_arena_destroy(&list->arena);
    *list = (ClipList){ 0 };
}

Clip* clips_add(ClipList* list, const char* name, const char* row, size_t row_size)
{
    GtAllocator allocator = gt_default_allocator();
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 1; // nearly all files hold one
        Clip* items = allocator.allocate(allocator.user, (size_t)capacity * sizeof *items);
        if (!items) {
            list->failed = true;
            return NULL;
        }
        if (list->count) {
            memcpy(items, list->items, (size_t)list->count * sizeof *items);
        }
        allocator.release(allocator.user, list->items);
        list->items = items;
        list->capacity = capacity;
    }
    Clip clip = { .name = gt_arena_push_text(&list->arena, name, strlen(name)),
                  .row = gt_arena_push_text(&list->arena, row, row_size),
                  .worst = "" };
    for (int i = 0; i < CLIP_NUMBER_COUNT; ++i) {
        clip.numbers[i] = NAN;
    }
    if (!clip.name || !clip.row) {
        list->failed = true;
        return NULL;
    }
    list->items[list->count] = clip;
    return &list->items[list->count++];
}

static double worst_miss_m(const GtMeasure* measure)
{
    double miss = NAN;
    for (int32_t i = 0; i < measure->flight_count; ++i) {
        miss = fmax(miss, measure->flights[i].miss_m);
    }
    return miss;
}

void clips_set_measures(ClipList* list, Clip* clip, const GtMeasure* m)
{
    double* numbers = clip->numbers;
    const GtFootMeasure* l = &m->feet[0];
    const GtFootMeasure* r = &m->feet[1];
    numbers[CLIP_SEVERITY] = m->worst_count ? m->worst[0].severity : 0.0;
    numbers[CLIP_FRAMES] = m->frame_count;
    numbers[CLIP_SECONDS] = m->end_s - m->start_s;
    if (m->is_humanoid) { // fmax passes over NAN
        numbers[CLIP_CONTACTS] = l->contact_count + r->contact_count;
        numbers[CLIP_SKATE_MM] = 1000.0 * fmax(l->skate_m, r->skate_m);
        numbers[CLIP_FLOAT_MM] = 1000.0 * fmax(l->float_m, r->float_m);
        numbers[CLIP_PENETRATION_MM] = 1000.0 * fmax(l->penetration_m, r->penetration_m);
        numbers[CLIP_KNEE_ACCELERATION] = fmax(m->knees[0].acceleration_ratio, m->knees[1].acceleration_ratio);
        numbers[CLIP_KNEE_JERK] = fmax(m->knees[0].jerk_ratio, m->knees[1].jerk_ratio);
        numbers[CLIP_FLIGHT_MM] = 1000.0 * worst_miss_m(m);
    }
    numbers[CLIP_DIRECTION_DEG] = gt_degrees(m->direction_mean_rad);
    numbers[CLIP_FLIP_DEG] = gt_degrees(m->flip.extra_turn_rad);
    const char* worst = m->worst_count ? m->worst[0].what : "";
    clip->worst = gt_arena_push_text(&list->arena, worst, strlen(worst));
    if (!clip->worst) {
        clip->worst = "";
        list->failed = true;
    }
}

int batch_clip_count(const BatchReport* report)
{
    int count = 0;
    for (int i = 0; i < report->motions->count; ++i) {
        count += report->outcomes[i].clips.count;
    }
    return count;
}

static int compare_doubles(const void* left, const void* right)
{
    double a = *(const double*)left;
    double b = *(const double*)right;
    return (a > b) - (a < b);
}

// The smallest value that this share of them does not exceed.
static double at_share(const double* sorted, int count, int percent)
{
    int at = (int)(((int64_t)count * percent + 99) / 100) - 1;
    return count ? sorted[at < 0 ? 0 : at] : NAN;
}

void batch_spread(const BatchReport* report, ClipNumber number, double* values, Spread* out)
{
    *out = (Spread){ .max = NAN, .motion = GT_NONE, .clip = GT_NONE };
    for (int i = 0; i < report->motions->count; ++i) {
        const ClipList* clips = &report->outcomes[i].clips;
        for (int k = 0; k < clips->count; ++k) {
            double value = clips->items[k].numbers[number];
            if (isnan(value)) {
                continue;
            }
            values[out->count++] = value;
            if (!(value <= out->max)) {
                out->max = value;
                out->motion = i;
                out->clip = k;
            }
        }
    }
    qsort(values, (size_t)out->count, sizeof *values, compare_doubles);
    out->p50 = at_share(values, out->count, 50);
    out->p90 = at_share(values, out->count, 90);
    out->p99 = at_share(values, out->count, 99);
}

static void add_spreads(Json* json, const BatchReport* report)
{
    GtAllocator allocator = gt_default_allocator();
    size_t count = (size_t)batch_clip_count(report);
    double* values = allocator.allocate(allocator.user, (count + 1) * sizeof *values);
    json->text.failed |= !values;
    json_key(json, "spread");
    json_begin_object(json);
    for (int n = CLIP_SKATE_MM; values && n < CLIP_NUMBER_COUNT; ++n) {
        Spread spread;
        batch_spread(report, (ClipNumber)n, values, &spread);
        json_key(json, clip_number_infos[n].key);
        json_next_is_row(json);
        json_begin_object(json);
        json_member_integer(json, "clips", spread.count);
        double scale = strcmp(clip_number_infos[n].unit, "mm") == 0 ? 1e-3 : 1.0; // the page has mm
        json_member_float(json, "p50", (float)(scale * spread.p50));
        json_member_float(json, "p90", (float)(scale * spread.p90));
        json_member_float(json, "p99", (float)(scale * spread.p99));
        json_member_float(json, "max", (float)(scale * spread.max));
        if (spread.motion != GT_NONE) {
            json_member_string(json, "motion", report->motions->items[spread.motion].path);
            json_member_string(json, "clip", report->outcomes[spread.motion].clips.items[spread.clip].name);
        }
        json_end_object(json);
    }
    json_end_object(json);
    allocator.release(allocator.user, values);
}

void batch_add_json(Text* text, const BatchReport* report)
{
    Json json = gt_json_create(NULL, 2);
    int failed = 0;
    json_begin_object(&json);
    json_member_string(&json, "gertie", GT_VERSION_STRING);
    json_member_string(&json, "character", report->character);
    json_member_integer(&json, "motions", report->motions->count);
    json_key(&json, "failures");
    json_begin_array(&json);
    for (int i = 0; i < report->motions->count; ++i) {
        const GtError* error = report->outcomes[i].error;
        failed += error != NULL;
        if (error) {
            json_next_is_row(&json);
            json_begin_object(&json);
            json_member_string(&json, "motion", report->motions->items[i].path);
            session_report_error(&json, error, STATUS_FAILED);
            json_end_object(&json);
        }
    }
    json_end_array(&json);
    json_member_integer(&json, "failed", failed);
    add_spreads(&json, report);
    json_key(&json, "clips");
    json_begin_array(&json);
    for (int i = 0; i < report->motions->count; ++i) {
        const ClipList* clips = &report->outcomes[i].clips;
        for (int k = 0; k < clips->count; ++k) {
            json_raw(&json, clips->items[k].row);
        }
    }
    json_end_array(&json);
    json_end_object(&json);
    text_adds(&json.text, "\n");
    text_add(text, json.text.bytes, json.text.failed ? 0 : json.text.size);
    text->failed |= json.text.failed;
    json_free(&json);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How the numbers of all clips are spread, and the report as JSON.

#include "batch/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int32_t gti_batch_clip_count(const GtiBatchReport* report)
{
    int32_t count = 0;
    for (int32_t i = 0; i < report->list->count; ++i) {
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

void gti_batch_spread(const GtiBatchReport* report, GtiClipNumber number, double* values, GtiSpread* out)
{
    *out = (GtiSpread){ .max = NAN, .job = GT_NONE };
    for (int32_t i = 0; i < report->list->count; ++i) {
        for (const GtiBatchClip* clip = report->outcomes[i].clips.first; clip; clip = clip->next) {
            double value = clip->numbers[number];
            if (isnan(value)) {
                continue;
            }
            values[out->count++] = value;
            if (!(value <= out->max)) {
                out->max = value;
                out->job = i;
                out->clip = clip;
            }
        }
    }
    qsort(values, (size_t)out->count, sizeof *values, compare_doubles);
    out->p50 = at_share(values, out->count, 50);
    out->p90 = at_share(values, out->count, 90);
    out->p99 = at_share(values, out->count, 99);
}

static void add_spreads(GtJsonWriter* json, const GtiBatchReport* report, double* values)
{
    gt_json_member_object(json, "spread");
    for (int n = GTI_CLIP_SKATE_MM; n < GTI_CLIP_NUMBER_COUNT; ++n) {
        GtiSpread spread;
        gti_batch_spread(report, (GtiClipNumber)n, values, &spread);
        gt_json_next_is_row(json);
        gt_json_member_object(json, gti_clip_number_infos[n].key);
        gt_json_member_integer(json, "clips", spread.count);
        double scale = strcmp(gti_clip_number_infos[n].unit, "mm") == 0 ? 1e-3 : 1.0; // the page has mm
        gt_json_member_float(json, "p50", (float)(scale * spread.p50));
        gt_json_member_float(json, "p90", (float)(scale * spread.p90));
        gt_json_member_float(json, "p99", (float)(scale * spread.p99));
        gt_json_member_float(json, "max", (float)(scale * spread.max));
        if (spread.clip) {
            gt_json_member_string(json, "motion", report->list->jobs[spread.job].path);
            gt_json_member_string(json, "clip", spread.clip->name);
        }
        gt_json_end_object(json);
    }
    gt_json_end_object(json);
}

int32_t gti_batch_write_failures(GtJsonWriter* json, const GtiBatchReport* report)
{
    int32_t count = 0;
    gt_json_member_array(json, "failures");
    for (int32_t i = 0; i < report->list->count; ++i) {
        if (report->errors[i]) {
            ++count;
            gt_json_next_is_row(json);
            gt_json_begin_object(json);
            gt_json_member_string(json, "motion", report->list->jobs[i].path);
            gt_json_key(json, "error");
            gt_json_error(json, report->errors[i], NULL);
            gt_json_end_object(json);
        }
    }
    gt_json_end_array(json);
    return count;
}

void gti_batch_write_clips(GtJsonWriter* json, const GtiBatchReport* report)
{
    gt_json_member_array(json, "clips");
    for (int32_t i = 0; i < report->list->count; ++i) {
        for (const GtiBatchClip* clip = report->outcomes[i].clips.first; clip; clip = clip->next) {
            gt_json_raw(json, clip->row);
        }
    }
    gt_json_end_array(json);
}

GtText gti_batch_json(const GtiBatchReport* report)
{
    GtJsonWriter json = gt_json_create(NULL, 2);
    double* values = gt_arena_push_array(report->scratch, (size_t)gti_batch_clip_count(report), sizeof *values);
    json.text.failed = !values;
    gt_json_begin_object(&json);
    gt_json_member_string(&json, "gertie", GT_VERSION_STRING);
    gt_json_member_string(&json, "character", report->character);
    gt_json_member_integer(&json, "motions", report->list->count);
    int32_t failed_count = gti_batch_write_failures(&json, report);
    gt_json_member_integer(&json, "failed", failed_count);
    if (values) {
        add_spreads(&json, report, values);
    }
    gti_batch_write_clips(&json, report);
    gt_json_end_object(&json);
    gt_text_adds(&json.text, "\n");
    return json.text;
}

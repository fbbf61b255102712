// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One report of all that a batch made: its numbers, how they are spread, and what failed, as JSON and as a page. It
// depends on the results alone, not on when or in how many runs they were made.

#ifndef GERTIE_BATCH_REPORT_H
#define GERTIE_BATCH_REPORT_H

#include "batch/clips.h"
#include "data/text.h"

// What became of a job.
typedef struct GtiBatchOutcome {
    GtBatchClips clips;
    struct GtiRemark* remarks; // that are still to be passed on
    struct GtiRemark** remarks_end;
    bool is_kept; // done before
    bool is_over; // done, failed or kept
} GtiBatchOutcome;

typedef struct GtiBatchReport {
    const char* character;
    const GtBatchList* list;
    const GtiBatchOutcome* outcomes; // [list->count]
    const GtError* const* errors;    // [list->count] or NULL each
    GtArena* scratch;
} GtiBatchReport;

// The spread of a number over all clips that have it.
typedef struct GtiSpread {
    int32_t count;
    double p50, p90, p99, max; // NAN without any
    int32_t job;               // where it is largest, or GT_NONE
    const GtiBatchClip* clip;  // or NULL
} GtiSpread;

int32_t gti_batch_clip_count(const GtiBatchReport* report);

// `values` holds as many as there are clips.
void gti_batch_spread(const GtiBatchReport* report, GtiClipNumber number, double* values, GtiSpread* out);

// Members "failures", of which the count is returned, and "clips".
int32_t gti_batch_write_failures(GtJsonWriter* json, const GtiBatchReport* report);
void gti_batch_write_clips(GtJsonWriter* json, const GtiBatchReport* report);

// The whole texts.
GtText gti_batch_json(const GtiBatchReport* report);
GtText gti_batch_page(const GtiBatchReport* report);

#endif

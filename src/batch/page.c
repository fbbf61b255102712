// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The report of a batch as a page: one file that needs nothing else. What failed comes first, then how each number is
// spread, then the clips, the worst first; a click on a heading sorts by it.

#include "batch/report.h"

#include "report/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ROWS = 5000 // what a browser sorts without a pause
};

static const char own_style[] =
    "main{max-width:1500px}.sort th{cursor:pointer}.sort td:first-child{white-space:normal;overflow-wrap:anywhere;"
    "min-width:13em}.sort td small{display:block;color:var(--soft)}"
    "@media(max-width:700px){.sort td:first-child{min-width:9em}}";

static const char sorter[] =
    "<script>document.querySelectorAll('table.sort').forEach(t=>t.querySelectorAll('th').forEach((h,i)=>{let up=false;"
    "h.onclick=()=>{const b=t.tBodies[0],v=r=>{const s=r.cells[i].textContent,n=parseFloat(s);"
    "return i===0||isNaN(n)?(s==='–'?-Infinity:s):n};up=!up;"
    "[...b.rows].sort((p,q)=>{const x=v(p),y=v(q);return(x<y?1:x>y?-1:0)*(up?1:-1)*(i===0?-1:1)})"
    ".forEach(r=>b.appendChild(r))}}))</script>";

// A clip and the motion it is from.
typedef struct Row {
    int32_t job;
    int32_t order; // of the clip in the whole batch
    const GtiBatchClip* clip;
    double severity;
} Row;

static int compare_rows(const void* left, const void* right)
{
    const Row* a = left;
    const Row* b = right;
    if (a->severity != b->severity) {
        return a->severity < b->severity ? 1 : -1;
    }
    return a->order - b->order;
}

static const char* verdict(double value, const GtiClipNumberInfo* info)
{
    return isinf(info->good) ? "" : value <= info->good ? "good" : value <= info->fair ? "fair" : "bad";
}

static void add_number(GtText* text, double value, const GtiClipNumberInfo* info)
{
    if (isnan(value)) {
        gt_text_adds(text, "<td>–</td>");
    } else {
        gt_text_addf(text, "<td class=\"%s\">%.*f</td>", verdict(value, info), info->decimals, value);
    }
}

static void add_tile(GtText* text, const char* label, double value, int decimals, const char* unit, const char* class)
{
    gt_text_addf(text, "<div class=\"tile\"><b class=\"%s\">%.*f <small>%s</small></b><span>%s</span></div>\n", class,
                 decimals, value, unit, label);
}

// Motion and, where it is not the motion's own name, clip.
static void add_name(GtText* text, const GtBatchJob* job, const GtiBatchClip* made)
{
    const char* name = job->name;
    const char* clip = made->name;
    const char* base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
    gti_text_add_markup(text, name);
    if (strncmp(base, clip, strlen(clip)) != 0 || base[strlen(clip)] != '.') {
        gt_text_adds(text, " ‘");
        gti_text_add_markup(text, clip);
        gt_text_adds(text, "’");
    }
}

static void add_tiles(GtText* text, const GtiBatchReport* report)
{
    int failed = 0;
    double seconds = 0.0;
    double frames = 0.0;
    for (int32_t i = 0; i < report->list->count; ++i) {
        failed += report->errors[i] != NULL;
        for (const GtiBatchClip* clip = report->outcomes[i].clips.first; clip; clip = clip->next) {
            seconds += clip->numbers[GTI_CLIP_SECONDS];
            frames += clip->numbers[GTI_CLIP_FRAMES];
        }
    }
    gt_text_adds(text, "<div class=\"tiles\">\n");
    add_tile(text, "motions", report->list->count, 0, "", "");
    add_tile(text, "failed", failed, 0, "", failed ? "bad" : "good");
    add_tile(text, "clips", gti_batch_clip_count(report), 0, "", "");
    add_tile(text, "frames", frames, 0, "", "");
    add_tile(text, "of animation, all clips together", seconds < 60.0 ? seconds : seconds / 60.0, 1,
             seconds < 60.0 ? "s" : "min", "");
    gt_text_adds(text, "</div>\n");
}

static void add_failures(GtText* text, const GtiBatchReport* report)
{
    bool any = false;
    for (int32_t i = 0; i < report->list->count; ++i) {
        const GtError* error = report->errors[i];
        if (!error) {
            continue;
        }
        gt_text_adds(text, any ? "" : "<h2>What failed</h2>\n<div class=\"scroll\"><table>\n");
        any = true;
        gt_text_adds(text, "<tr><td>");
        gti_text_add_markup(text, report->list->jobs[i].path);
        gt_text_adds(text, "</td><td class=\"words\">");
        if (strcmp(error->file, report->list->jobs[i].path) != 0 && error->file[0]) {
            gti_text_add_markup(text, error->file);
            gt_text_adds(text, ": ");
        }
        gti_text_add_markup(text, error->where);
        gt_text_adds(text, error->where[0] ? ": " : "");
        gti_text_add_markup(text, error->message);
        gt_text_adds(text, "</td></tr>\n");
    }
    gt_text_adds(text, any ? "</table></div>\n" : "");
}

static void add_spreads(GtText* text, const GtiBatchReport* report, double* values)
{
    gt_text_adds(text, "<h2>All clips</h2>\n<p class=\"note\">The largest value in each clip.</p>\n"
                       "<div class=\"scroll\"><table><tr><th>measure</th><th class=\"unit\">unit</th>"
                       "<th>half of the clips are within</th><th>90 % are within</th><th>99 % are within</th>"
                       "<th>largest</th><th class=\"words\">where</th></tr>\n");
    for (int n = GTI_CLIP_SKATE_MM; n < GTI_CLIP_NUMBER_COUNT; ++n) {
        const GtiClipNumberInfo* info = &gti_clip_number_infos[n];
        GtiSpread spread;
        gti_batch_spread(report, (GtiClipNumber)n, values, &spread);
        if (!spread.clip) {
            continue;
        }
        gt_text_addf(text, "<tr><td>%s</td><td class=\"unit\">%s</td>", info->label, info->unit);
        add_number(text, spread.p50, info);
        add_number(text, spread.p90, info);
        add_number(text, spread.p99, info);
        add_number(text, spread.max, info);
        gt_text_adds(text, "<td class=\"words\">");
        add_name(text, &report->list->jobs[spread.job], spread.clip);
        gt_text_adds(text, "</td></tr>\n");
    }
    gt_text_adds(text, "</table></div>\n");
}

static void add_clip_row(GtText* text, const GtBatchJob* job, const GtiBatchClip* clip)
{
    gt_text_adds(text, "<tr><td>");
    add_name(text, job, clip);
    if (clip->worst[0]) {
        gt_text_adds(text, "<small>");
        gti_text_add_markup(text, clip->worst);
        gt_text_adds(text, "</small>");
    }
    gt_text_adds(text, "</td>");
    for (int n = 0; n < GTI_CLIP_NUMBER_COUNT; ++n) {
        add_number(text, clip->numbers[n], &gti_clip_number_infos[n]);
    }
    gt_text_adds(text, "</tr>\n");
}

static void add_clips(GtText* text, const GtiBatchReport* report, Row* rows)
{
    int32_t count = 0;
    for (int32_t i = 0; i < report->list->count; ++i) {
        for (const GtiBatchClip* clip = report->outcomes[i].clips.first; clip; clip = clip->next) {
            double severity = clip->numbers[GTI_CLIP_SEVERITY];
            rows[count] = (Row){ i, count, clip, isnan(severity) ? -1.0 : severity };
            ++count;
        }
    }
    qsort(rows, (size_t)count, sizeof *rows, compare_rows);
    gt_text_adds(text, "<h2>Clips</h2>\n<p class=\"note\">The worst first; a click on a heading sorts.");
    if (count > MOST_ROWS) {
        gt_text_addf(text, " These are %d of %d; report.json has all.", (int)MOST_ROWS, (int)count);
    }
    gt_text_adds(text,
                 "</p>\n<div class=\"scroll\"><table class=\"sort\"><thead><tr><th>motion, and its worst moment</th>");
    for (int n = 0; n < GTI_CLIP_NUMBER_COUNT; ++n) {
        const GtiClipNumberInfo* info = &gti_clip_number_infos[n];
        gt_text_addf(text, "<th title=\"%s\">%s<small>%s</small></th>", info->help, info->label, info->unit);
    }
    gt_text_adds(text, "</tr></thead><tbody>\n");
    for (int32_t i = 0; i < count && i < MOST_ROWS; ++i) {
        add_clip_row(text, &report->list->jobs[rows[i].job], rows[i].clip);
    }
    gt_text_adds(text, "</tbody></table></div>\n<h2>What is measured</h2>\n<dl>\n");
    for (int n = 0; n < GTI_CLIP_NUMBER_COUNT; ++n) {
        gt_text_addf(text, "<dt>%s</dt><dd>%s</dd>\n", gti_clip_number_infos[n].label, gti_clip_number_infos[n].help);
    }
    gt_text_adds(text, "</dl>\n");
}

GtText gti_batch_page(const GtiBatchReport* report)
{
    GtText text = { 0 };
    size_t count = (size_t)gti_batch_clip_count(report);
    double* values = gt_arena_push_array(report->scratch, count, sizeof *values);
    Row* rows = gt_arena_push_array(report->scratch, count, sizeof *rows);
    if (!values || !rows) {
        text.failed = true;
        return text;
    }
    gti_page_begin(&text, own_style);
    gt_text_adds(&text, "<title>Motions on ");
    gti_text_add_markup(&text, report->character);
    gt_text_adds(&text, "</title></head><body><main>\n<h1>Motions on ");
    gti_text_add_markup(&text, report->character);
    gt_text_adds(&text, "</h1>\n<p class=\"sub\">each measured against the motion it was made from</p>\n");
    add_tiles(&text, report);
    add_failures(&text, report);
    add_spreads(&text, report, values);
    add_clips(&text, report, rows);
    gt_text_addf(&text, "<footer>Measured by gertie %s.</footer>\n%s\n</main></body></html>\n", GT_VERSION_STRING,
                 sorter);
    return text;
}

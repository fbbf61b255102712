// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The report of a batch as a page: one file that needs nothing else. What failed comes first, then how each number is
// spread, then the clips, the worst first; a click on a heading sorts by it.

#include "batch_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ROWS = 5000 // what a browser sorts without a pause
};

static const char own_style[] =
    "main{max-width:1500px}table.sort th{cursor:pointer;position:sticky;top:0;background:var(--card)}"
    "table.sort td:last-child,table.sort th:last-child,td.words{text-align:left}td.words{white-space:normal}";

static const char sorter[] =
    "<script>document.querySelectorAll('table.sort').forEach(t=>t.querySelectorAll('th').forEach((h,i)=>{let up=false;"
    "h.onclick=()=>{const b=t.tBodies[0],v=r=>{const s=r.cells[i].textContent,n=parseFloat(s);"
    "return i===0||isNaN(n)?(s==='–'?-Infinity:s):n};up=!up;"
    "[...b.rows].sort((p,q)=>{const x=v(p),y=v(q);return(x<y?1:x>y?-1:0)*(up?1:-1)*(i===0?-1:1)})"
    ".forEach(r=>b.appendChild(r))}}))</script>";

// A clip and the motion it is from.
typedef struct Row {
    int motion, clip;
    double severity;
} Row;

static int compare_rows(const void* left, const void* right)
{
    const Row* a = left;
    const Row* b = right;
    if (a->severity != b->severity) {
        return a->severity < b->severity ? 1 : -1;
    }
    return a->motion != b->motion ? a->motion - b->motion : a->clip - b->clip;
}

static const char* verdict(double value, const ClipNumberInfo* info)
{
    return isinf(info->good) ? "" : value <= info->good ? "good" : value <= info->fair ? "fair" : "bad";
}

static void add_number(Text* text, double value, const ClipNumberInfo* info)
{
    if (isnan(value)) {
        text_adds(text, "<td>–</td>");
    } else {
        text_addf(text, "<td class=\"%s\">%.*f</td>", verdict(value, info), info->decimals, value);
    }
}

static void add_tile(Text* text, const char* label, double value, int decimals, const char* class)
{
    text_addf(text, "<div class=\"tile\"><b class=\"%s\">%.*f</b><span>%s</span></div>\n", class, decimals, value,
              label);
}

// Motion and, where it is not the motion's own name, clip.
static void add_name(Text* text, const BatchReport* report, const Row* row)
{
    const char* name = report->motions->items[row->motion].name;
    const char* clip = report->outcomes[row->motion].clips.items[row->clip].name;
    const char* base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
    html_add(text, name);
    if (strncmp(base, clip, strlen(clip)) != 0 || base[strlen(clip)] != '.') {
        text_adds(text, " ‘");
        html_add(text, clip);
        text_adds(text, "’");
    }
}

static void add_tiles(Text* text, const BatchReport* report)
{
    int failed = 0;
    double seconds = 0.0;
    double frames = 0.0;
    for (int i = 0; i < report->motions->count; ++i) {
        const Outcome* outcome = &report->outcomes[i];
        failed += outcome->error != NULL;
        for (int k = 0; k < outcome->clips.count; ++k) {
            seconds += outcome->clips.items[k].numbers[CLIP_SECONDS];
            frames += outcome->clips.items[k].numbers[CLIP_FRAMES];
        }
    }
    text_adds(text, "<div class=\"tiles\">\n");
    add_tile(text, "motions", report->motions->count, 0, "");
    add_tile(text, "failed", failed, 0, failed ? "bad" : "good");
    add_tile(text, "clips", batch_clip_count(report), 0, "");
    add_tile(text, "frames", frames, 0, "");
    add_tile(text, "minutes", seconds / 60.0, 1, "");
    text_adds(text, "</div>\n");
}

static void add_failures(Text* text, const BatchReport* report)
{
    bool any = false;
    for (int i = 0; i < report->motions->count; ++i) {
        const GtError* error = report->outcomes[i].error;
        if (!error) {
            continue;
        }
        text_adds(text, any ? "" : "<h2>What failed</h2>\n<div class=\"scroll\"><table>\n");
        any = true;
        text_adds(text, "<tr><td>");
        html_add(text, report->motions->items[i].path);
        text_adds(text, "</td><td class=\"words\">");
        if (strcmp(error->file, report->motions->items[i].path) != 0 && error->file[0]) {
            html_add(text, error->file);
            text_adds(text, ": ");
        }
        html_add(text, error->where);
        text_adds(text, error->where[0] ? ": " : "");
        html_add(text, error->message);
        text_adds(text, "</td></tr>\n");
    }
    text_adds(text, any ? "</table></div>\n" : "");
}

static void add_spreads(Text* text, const BatchReport* report, double* values)
{
    text_adds(text, "<h2>All clips</h2>\n<div class=\"scroll\"><table><tr><th>largest in a clip</th><th>half are "
                    "within</th><th>90 %</th><th>99 %</th><th>all</th><th></th></tr>\n");
    for (int n = CLIP_SKATE_MM; n < CLIP_NUMBER_COUNT; ++n) {
        const ClipNumberInfo* info = &clip_number_infos[n];
        Spread spread;
        batch_spread(report, (ClipNumber)n, values, &spread);
        if (spread.motion == GT_NONE) {
            continue;
        }
        text_addf(text, "<tr><td>%s, %s</td>", info->label, info->unit);
        add_number(text, spread.p50, info);
        add_number(text, spread.p90, info);
        add_number(text, spread.p99, info);
        add_number(text, spread.max, info);
        text_adds(text, "<td class=\"words\">");
        add_name(text, report, &(Row){ spread.motion, spread.clip, 0.0 });
        text_adds(text, "</td></tr>\n");
    }
    text_adds(text, "</table></div>\n");
}

static void add_clips(Text* text, const BatchReport* report, Row* rows)
{
    int count = 0;
    for (int i = 0; i < report->motions->count; ++i) {
        for (int k = 0; k < report->outcomes[i].clips.count; ++k) {
            double severity = report->outcomes[i].clips.items[k].numbers[CLIP_SEVERITY];
            rows[count++] = (Row){ i, k, isnan(severity) ? -1.0 : severity };
        }
    }
    qsort(rows, (size_t)count, sizeof *rows, compare_rows);
    text_adds(text, "<h2>Clips</h2>\n<p class=\"note\">The worst first; a click on a heading sorts.");
    if (count > MOST_ROWS) {
        text_addf(text, " These are %d of %d; report.json has all.", (int)MOST_ROWS, count);
    }
    text_adds(text, "</p>\n<div class=\"scroll\"><table class=\"sort\"><thead><tr><th>motion</th>");
    for (int n = 0; n < CLIP_NUMBER_COUNT; ++n) {
        const ClipNumberInfo* info = &clip_number_infos[n];
        text_addf(text, "<th>%s%s%s</th>", info->label, info->unit[0] ? ", " : "", info->unit);
    }
    text_adds(text, "<th>where it is worst</th></tr></thead><tbody>\n");
    for (int i = 0; i < count && i < MOST_ROWS; ++i) {
        const Clip* clip = &report->outcomes[rows[i].motion].clips.items[rows[i].clip];
        text_adds(text, "<tr><td>");
        add_name(text, report, &rows[i]);
        text_adds(text, "</td>");
        for (int n = 0; n < CLIP_NUMBER_COUNT; ++n) {
            add_number(text, clip->numbers[n], &clip_number_infos[n]);
        }
        text_adds(text, "<td>");
        html_add(text, clip->worst);
        text_adds(text, "</td></tr>\n");
    }
    text_adds(text, "</tbody></table></div>\n");
}

void batch_add_page(Text* text, const BatchReport* report)
{
    GtAllocator allocator = gt_default_allocator();
    size_t count = (size_t)batch_clip_count(report) + 1;
    double* values = allocator.allocate(allocator.user, count * sizeof *values);
    Row* rows = allocator.allocate(allocator.user, count * sizeof *rows);
    text->failed |= !values || !rows;
    text_adds(text, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                    "content=\"width=device-width,initial-scale=1\"><title>Motions on ");
    html_add(text, report->character);
    text_addf(text, "</title><style>%s%s</style></head><body><main>\n<h1>Motions on ", page_style, own_style);
    html_add(text, report->character);
    text_adds(text, "</h1>\n<p class=\"sub\">each measured against the motion it was made from</p>\n");
    if (!text->failed) {
        add_tiles(text, report);
        add_failures(text, report);
        add_spreads(text, report, values);
        add_clips(text, report, rows);
    }
    text_addf(text,
              "<footer>Contacts: a heel or toe of the motion slower than 0.15 m/s and less than 4 cm above the 5th "
              "percentile of its height for 80 ms or more. Skate: how far the lowest point of the part that stands "
              "slides in one contact. Knees: ratios to the motion's. Measured by gertie %s.</footer>\n%s\n</main>"
              "</body></html>\n",
              GT_VERSION_STRING, sorter);
    allocator.release(allocator.user, values);
    allocator.release(allocator.user, rows);
}

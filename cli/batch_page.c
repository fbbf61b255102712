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

static const char page_style[] =
    ":root{--ink:#1d2330;--soft:#667085;--line:#e4e7ec;--card:#fff;--page:#f5f6f8;--good:#12805c;--fair:#b25e09;"
    "--bad:#c4320a}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e8eaf0;--soft:#98a2b3;--line:#313845;--card:#1c212b;--page:#12151c;"
    "--good:#4bc497;--fair:#e9a23b;--bad:#ff7a59}}"
    "*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,"
    "-apple-system,Segoe UI,Roboto,sans-serif}main{max-width:1080px;margin:0 auto;padding:28px 20px 60px}"
    "h1{font-size:26px;margin:0;overflow-wrap:anywhere}h2{font-size:18px;margin:34px 0 12px}"
    "p.sub{margin:4px 0 22px;color:var(--soft)}.note{color:var(--soft)}"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(158px,1fr));gap:12px}"
    ".tile{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 14px}"
    ".tile b{display:block;font-size:24px;font-weight:600;font-variant-numeric:tabular-nums}"
    ".tile b small{font-size:14px;font-weight:400;color:var(--soft)}.tile span{color:var(--soft);font-size:13px}"
    ".good{color:var(--good)}.fair{color:var(--fair)}.bad{color:var(--bad)}"
    "figure{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:0 0 12px;padding:10px 12px}"
    "figcaption{font-size:14px;color:var(--soft)}figcaption b{color:var(--ink)}.k{margin-left:10px}"
    ".gallery{display:grid;grid-template-columns:repeat(auto-fill,minmax(250px,1fr));gap:12px}"
    ".worst{padding:0;overflow:hidden;margin:0}.worst img{display:block;width:100%;height:auto}"
    ".worst figcaption{padding:8px 12px}"
    "svg{display:block;width:100%;height:auto}svg text{fill:var(--soft);font-size:11px}"
    ".ty{text-anchor:end}.tx{text-anchor:middle}.g{stroke:var(--line)}"
    "polyline{fill:none;stroke-width:1.4;stroke-linejoin:round}.c0{fill:#0072b2;opacity:.13}"
    ".c1{fill:#d55e00;opacity:.13}"
    ".scroll{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:10px}"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:14px}"
    "th,td{padding:5px 12px;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}"
    "th{color:var(--soft);font-weight:500}th:first-child,td:first-child{text-align:left}"
    "tr:last-child td{border-bottom:0}footer{margin-top:36px;color:var(--soft);font-size:13px}";

// Add text that may hold anything as HTML.
static void html_add(Text* text, const char* untrusted)
{
    Text printable = { 0 };
    text_add_printable(&printable, untrusted);
    for (size_t i = 0; i < printable.size; ++i) {
        char c = printable.bytes[i];
        const char* entity = c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : NULL;
        if (entity) {
            text_adds(text, entity);
        } else {
            text_add(text, &c, 1);
        }
    }
    text->failed = text->failed || printable.failed;
    text_free(&printable);
}

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

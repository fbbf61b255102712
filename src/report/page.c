// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "report/page.h"

#include "base/fail.h"
#include "data/files.h"

static const char style[] =
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
    "th,td{padding:5px 8px;text-align:right;border-bottom:1px solid var(--line)}td{white-space:nowrap}"
    "th{color:var(--soft);font-weight:500;font-size:13px;line-height:1.25;vertical-align:bottom}"
    "th small{display:block;font-weight:400;white-space:nowrap}th.group{text-align:center}"
    "th:first-child,td:first-child{text-align:left;padding-left:12px}td.words,th.words,.unit{text-align:left}"
    "td.words{white-space:normal}"
    // Names stay in sight where a narrow window scrolls the numbers.
    ".scroll th:first-child,.scroll td:first-child{position:sticky;left:0;background:var(--card)}"
    "@media(max-width:700px){main{padding:16px 10px 40px}th,td{padding:4px 6px}td:first-child{white-space:normal}}"
    "tr:last-child td{border-bottom:0}dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;"
    "color:var(--soft);font-size:14px}dt{color:var(--ink)}dd{margin:0}"
    "footer{margin-top:36px;color:var(--soft);font-size:13px}";

void gti_page_begin(GtText* page, const char* more_style)
{
    gt_text_addf(page,
                 "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                 "content=\"width=device-width,initial-scale=1\"><style>%s%s</style>",
                 style, more_style);
}

GtResult gti_page_write(const GtContext* context, const GtText* page, const char* path, GtError* error)
{
    if (page->failed) {
        gti_out_of_memory(error);
        gti_error_set_file(error, path);
        return GT_ERROR_OUT_OF_MEMORY;
    }
    return gti_file_write(context, path, &(GtiSpan){ page->bytes, page->size }, 1, error);
}

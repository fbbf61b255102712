// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The words of a BVH text, and what is said about them: lines are counted only when one is named, and repairs by kind,
// so that a million faults of a kind are one warning and no text is walked twice for each of them.

#include "io/bvh/parse.h"

#include "base/fail.h"
#include "base/format.h"
#include "gertie/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int64_t line_of(GtiBvh* bvh, const char* place)
{
    if (place < bvh->counted) {
        bvh->counted = bvh->text;
        bvh->line = 1;
    }
    for (const char* p = bvh->counted; p < place; ++p) {
        bool lone_return = *p == '\r' && (p + 1 == bvh->end || p[1] != '\n');
        bvh->line += *p == '\n' || lone_return;
    }
    bvh->counted = place;
    return bvh->line;
}

GtResult gti_bvh_fail(GtiBvh* bvh, GtResult code, const char* place, const char* format, ...)
{
    char where[32];
    snprintf(where, sizeof where, "line %lld", (long long)line_of(bvh, place));
    va_list arguments;
    va_start(arguments, format);
    gti_fail_v(bvh->error, code, where, format, arguments);
    va_end(arguments);
    gti_error_set_file(bvh->error, bvh->path);
    return code;
}

static GtResult say_repair(GtiBvh* bvh, const GtiBvhRepaired* repaired)
{
    char where[32] = "";
    if (repaired->line) {
        snprintf(where, sizeof where, "line %lld", (long long)repaired->line);
    }
    if (repaired->count > 1) {
        return gti_repair(bvh->context, bvh->error, bvh->path, where, "%s (and %lld more)", repaired->message,
                          (long long)(repaired->count - 1));
    }
    return gti_repair(bvh->context, bvh->error, bvh->path, where, "%s", repaired->message);
}

GtResult gti_bvh_repair(GtiBvh* bvh, GtiBvhRepair kind, const char* place, const char* format, ...)
{
    GtiBvhRepaired* repaired = &bvh->repaired[kind];
    if (++repaired->count > 1) {
        return GT_OK;
    }
    repaired->line = place ? line_of(bvh, place) : 0;
    va_list arguments;
    va_start(arguments, format);
    gti_format_v(repaired->message, sizeof repaired->message, format, arguments);
    va_end(arguments);
    return bvh->context->strict ? say_repair(bvh, repaired) : GT_OK;
}

void gti_bvh_report_repairs(GtiBvh* bvh)
{
    for (int kind = 0; kind < GTI_BVH_REPAIR_COUNT; ++kind) {
        if (bvh->repaired[kind].count) {
            say_repair(bvh, &bvh->repaired[kind]);
        }
    }
}

const char* gti_bvh_skip_line(const GtiBvh* bvh, const char* p)
{
    while (p < bvh->end && !gti_bvh_is_line_end(*p)) {
        ++p;
    }
    return p;
}

static bool is_comment(const GtiBvh* bvh, const char* p)
{
    return *p == '#' || *p == ';' || (*p == '/' && p + 1 < bvh->end && p[1] == '/');
}

const char* gti_bvh_skip_space(const GtiBvh* bvh, const char* p)
{
    while (p < bvh->end && (gti_bvh_is_space(*p) || is_comment(bvh, p))) {
        p = gti_bvh_is_space(*p) ? p + 1 : gti_bvh_skip_line(bvh, p);
    }
    return p;
}

int gti_bvh_word_length(const GtiBvh* bvh, const char* p)
{
    int length = 0;
    while (length < 40 && p + length < bvh->end && !gti_bvh_is_space(p[length])) {
        ++length;
    }
    return length;
}

const char* gti_bvh_match_not_finite(const GtiBvh* bvh, const char* p)
{
    char word[12] = "";
    const char* digits = p + (*p == '-' || *p == '+');
    for (int i = 0; i < 11 && digits + i < bvh->end && !gti_bvh_is_space(digits[i]); ++i) {
        word[i] = digits[i] >= 'A' && digits[i] <= 'Z' ? (char)(digits[i] | 0x20) : digits[i];
    }
    static const char* const starts[] = { "nan", "inf", "1.#qnan", "1.#snan", "1.#ind", "1.#inf" };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i) {
        if (strncmp(word, starts[i], strlen(starts[i])) == 0) {
            while (p < bvh->end && !gti_bvh_is_space(*p)) {
                ++p;
            }
            return p;
        }
    }
    return NULL;
}

const char* gti_bvh_number(const GtiBvh* bvh, const char* p, double* value)
{
    if (p == bvh->end) {
        return NULL;
    }
    const char* after = gti_bvh_match_not_finite(bvh, p);
    if (after) {
        *value = NAN;
        return after;
    }
    after = gt_parse_double(p, bvh->end, value);
    if (!after || (after < bvh->end && !gti_bvh_is_space(*after) && *after != '}' && *after != '{')) {
        return NULL;
    }
    if (!(fabs(*value) <= GTI_BVH_MAX_VALUE)) {
        *value = NAN;
    }
    return after;
}

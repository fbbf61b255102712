// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lines end with \n, \r\n or \r, and words with anything up to a blank. Nothing looks past the end of the text.

#include "io/text/words.h"

#include "base/ascii.h"
#include "base/fail.h"
#include "base/format.h"
#include "gertie/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_space(char c)
{
    return (unsigned char)c <= ' ';
}

void gti_words_open(GtiWords* words, const void* bytes, size_t size)
{
    words->text = bytes;
    words->end = words->text + size;
    if (size >= 3 && memcmp(words->text, "\xEF\xBB\xBF", 3) == 0) {
        words->text += 3;
    }
    while (words->end > words->text && (words->end[-1] == '\0' || words->end[-1] == 0x1A)) {
        --words->end;
    }
    gti_words_rewind(words);
}

void gti_words_rewind(GtiWords* words)
{
    words->at = words->line_end = words->next = words->text;
    words->line = 0;
}

bool gti_words_next_line(GtiWords* words)
{
    while (words->next < words->end) {
        const char* p = words->next;
        words->at = p;
        while (p < words->end && *p != '\n' && *p != '\r') {
            ++p;
        }
        words->line_end = p;
        words->next = p + (words->end - p >= 2 && p[0] == '\r' && p[1] == '\n' ? 2 : p < words->end);
        ++words->line;
        while (words->at < p && is_space(*words->at)) {
            ++words->at;
        }
        if (words->at < p && *words->at != '#') {
            return true;
        }
    }
    words->at = words->line_end = words->end;
    return false;
}

bool gti_words_next(GtiWords* words, GtiWord* out)
{
    const char* p = words->at;
    while (p < words->line_end && is_space(*p)) {
        ++p;
    }
    const char* start = p;
    while (p < words->line_end && !is_space(*p)) {
        ++p;
    }
    words->at = p;
    *out = (GtiWord){ start, (size_t)(p - start) };
    return p > start;
}

bool gti_word_equals(GtiWord word, const char* lower)
{
    for (size_t i = 0; i < word.length; ++i) {
        if (gti_lower(word.text[i]) != lower[i]) { // stops at the 0 of `lower`, which no word holds: blanks end words
            return false;
        }
    }
    return lower[word.length] == '\0';
}

bool gti_word_number(GtiWord word, double* out)
{
    static const char* const not_finite[] = { "nan", "inf", "1.#qnan", "1.#snan", "1.#ind", "1.#inf" };
    size_t sign = word.length && (word.text[0] == '-' || word.text[0] == '+');
    for (size_t i = 0; i < sizeof not_finite / sizeof *not_finite; ++i) {
        size_t length = strlen(not_finite[i]);
        if (word.length >= sign + length && gti_word_equals((GtiWord){ word.text + sign, length }, not_finite[i])) {
            *out = NAN;
            return true;
        }
    }
    const char* end = word.text + word.length;
    if (!word.length || gt_parse_double(word.text, end, out) != end) {
        return false;
    }
    *out = fabs(*out) <= GTI_WORDS_MAX_VALUE ? *out : (double)NAN;
    return true;
}

int gti_word_shown(GtiWord word)
{
    return word.length > 40 ? 40 : (int)word.length;
}

GtResult gti_words_fail(GtiWords* words, GtResult code, const char* format, ...)
{
    char where[32];
    snprintf(where, sizeof where, "line %lld", (long long)(words->line ? words->line : 1));
    va_list arguments;
    va_start(arguments, format);
    gti_fail_v(words->error, code, where, format, arguments);
    va_end(arguments);
    gti_error_set_file(words->error, words->path);
    return code;
}

static GtResult say_repair(GtiWords* words, const GtiWordsRepaired* repaired)
{
    char where[32];
    char more[40] = "";
    snprintf(where, sizeof where, "line %lld", (long long)repaired->line);
    if (repaired->count > 1) {
        snprintf(more, sizeof more, " (and %lld more)", (long long)(repaired->count - 1));
    }
    return gti_repair(words->context, words->error, words->path, where, "%s%s", repaired->message, more);
}

GtResult gti_words_repair(GtiWords* words, int32_t kind, const char* format, ...)
{
    GtiWordsRepaired* repaired = &words->repaired[kind];
    if (++repaired->count > 1) {
        return GT_OK;
    }
    repaired->line = words->line ? words->line : 1;
    va_list arguments;
    va_start(arguments, format);
    gti_format_v(repaired->message, sizeof repaired->message, format, arguments);
    va_end(arguments);
    return words->context->strict ? say_repair(words, repaired) : GT_OK;
}

void gti_words_report_repairs(GtiWords* words)
{
    for (int32_t kind = 0; kind < words->repair_count; ++kind) {
        if (words->repaired[kind].count) {
            say_repair(words, &words->repaired[kind]);
        }
    }
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Ids are interned once, so that every reference is found in one step. Lists of numbers are counted before they are
// parsed, whatever their "count" says.

#include "import/collada/document.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/number_scan.h"
#include "gertie/number.h"
#include "io/name.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_VALUE 1e30

enum {
    WORK_PER_BYTE = 16, // vertices and keys; a key with all its numbers takes four bytes at least
    WORK_ALWAYS = 1 << 16
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static GtResult index_ids(GtiDae* d)
{
    int32_t capacity = 0;
    d->ids = (GtiIntern){ .arena = d->arena };
    for (int32_t i = 0; i < d->xml.count; ++i) {
        const char* id = gti_xml_attribute(&d->xml, i, "id");
        if (!id) {
            continue;
        }
        int32_t before = d->ids.count;
        int32_t number = gti_intern(&d->ids, id, strlen(id));
        if (number == capacity) {
            int32_t* grown = gti_arena_grow(d->arena, d->id_nodes, &capacity, 256, sizeof *grown);
            number = grown ? number : GT_NONE;
            d->id_nodes = grown ? grown : d->id_nodes;
        }
        if (number == GT_NONE) {
            return gti_out_of_memory(d->error);
        }
        if (d->ids.count > before) {
            d->id_nodes[number] = i;
        }
    }
    return GT_OK;
}

GtResult gti_dae_open(GtiDae* d, const void* bytes, size_t size)
{
    d->words = (GtiWords){ .context = d->context,
                           .path = d->path,
                           .error = d->error,
                           .repaired = d->repaired,
                           .repair_count = GTI_DAE_REPAIR_COUNT };
    GtResult result = gti_xml_parse(d->context, d->arena, bytes, size, &d->xml, d->error);
    if (result == GT_OK && !gti_xml_is(&d->xml, 0, "COLLADA")) {
        return gti_dae_fail(d, 0, GT_ERROR_BAD_FILE, "the document is <%.40s>, not <COLLADA>", d->xml.nodes[0].name);
    }
    if (result == GT_OK) {
        d->arrays = gt_arena_push_array(d->arena, (size_t)d->xml.count, sizeof *d->arrays);
        d->made = gt_arena_push_array(d->arena, (size_t)d->xml.count, sizeof *d->made);
        d->size = size;
        result = d->arrays && d->made ? index_ids(d) : gti_out_of_memory(d->error);
    }
    return result;
}

GtResult gti_dae_fail(GtiDae* d, int32_t node, GtResult code, const char* format, ...)
{
    char where[32];
    snprintf(where, sizeof where, "line %lld", (long long)(node == GT_NONE ? 1 : d->xml.nodes[node].line));
    va_list arguments;
    va_start(arguments, format);
    gti_fail_v(d->error, code, where, format, arguments);
    va_end(arguments);
    return code;
}

GtResult gti_dae_repair(GtiDae* d, GtiDaeRepair kind, int32_t node, const char* format, ...)
{
    char message[192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    d->words.line = node == GT_NONE ? 1 : d->xml.nodes[node].line;
    return gti_words_repair(&d->words, (int32_t)kind, "%s", message);
}

void gti_dae_note(GtiDae* d, GtiDaeNote kind, const char* format, ...)
{
    char message[256];
    if (d->noted[kind]) {
        return;
    }
    d->noted[kind] = true;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    gti_note(d->context, d->path, NULL, "%s", message);
}

GtResult gti_dae_spend(GtiDae* d, int32_t node, size_t work)
{
    size_t limit = d->size * WORK_PER_BYTE + WORK_ALWAYS;
    if (work > limit || d->work > limit - work) {
        return gti_dae_fail(d, node, GT_ERROR_LIMIT, "references multiply the data far beyond the size of the file");
    }
    d->work += work;
    return GT_OK;
}

int32_t gti_dae_find_id(const GtiDae* d, const char* id, size_t length)
{
    int32_t number = id ? gti_intern_find(&d->ids, id, length) : GT_NONE;
    return number == GT_NONE ? GT_NONE : d->id_nodes[number];
}

GtResult gti_dae_follow(GtiDae* d, int32_t node, const char* attribute, const char* kind, int32_t* out)
{
    const char* url = gti_xml_attribute(&d->xml, node, attribute);
    *out = GT_NONE;
    if (url && *url != '#' && strchr(url, '#')) {
        gti_dae_note(d, GTI_DAE_OUTSIDE, "this file refers to parts of other files, such as '%.80s': they are left out",
                     url);
        return GT_OK;
    }
    const char* id = url && *url == '#' ? url + 1 : url;
    int32_t found = id ? gti_dae_find_id(d, id, strlen(id)) : GT_NONE;
    if (gti_xml_is(&d->xml, found, kind)) {
        *out = found;
        return GT_OK;
    }
    return gti_dae_repair(d, GTI_DAE_NO_TARGET, node, "<%.32s> refers to '%.64s', and there is no such <%s>: left out",
                          d->xml.nodes[node].name, url ? url : "", kind);
}

const char* gti_dae_label(const GtiDae* d, int32_t node, const char* fallback)
{
    static const char* const attributes[] = { "name", "id", "sid" };
    for (int i = 0; i < 3; ++i) {
        const char* value = gti_xml_attribute(&d->xml, node, attributes[i]);
        if (value && *value) {
            return value;
        }
    }
    return fallback;
}

const char* gti_dae_push_label(GtiDae* d, int32_t node, const char* fallback)
{
    const char* label = gti_dae_label(d, node, fallback);
    bool repaired = false;
    const char* pushed = gti_push_name(d->scene, label, strlen(label), "", &repaired);
    if (!pushed) {
        gti_out_of_memory(d->error);
    }
    return pushed;
}

int32_t gti_dae_next_child(const GtiDae* d, int32_t parent, int32_t child)
{
    if (parent == GT_NONE) {
        return GT_NONE;
    }
    child = child == GT_NONE ? d->xml.nodes[parent].first_child : d->xml.nodes[child].next;
    while (child != GT_NONE && !d->xml.nodes[child].name) {
        child = d->xml.nodes[child].next;
    }
    return child;
}

bool gti_dae_word(const char** text, const char* end, GtiWord* out)
{
    const char* p = *text;
    while (p < end && is_space(*p)) {
        ++p;
    }
    out->text = p;
    while (p < end && !is_space(*p)) {
        ++p;
    }
    out->length = (size_t)(p - out->text);
    *text = p;
    return out->length > 0;
}

static size_t count_words(const char* p, const char* end)
{
    size_t count = 0;
    bool inside = false;
    for (; p < end; ++p) {
        bool space = (unsigned char)*p <= ' ';
        count += !space && !inside;
        inside = !space;
    }
    return count;
}

static GtResult refuse_word(GtiDae* d, int32_t node, const char* text, const char* word, const char* end)
{
    GtiWord shown;
    char where[32];
    int64_t line = d->xml.nodes[node].line;
    for (const char* p = text; p < word; ++p) {
        line += *p == '\n';
    }
    gti_dae_word(&word, end, &shown);
    snprintf(where, sizeof where, "line %lld", (long long)line);
    return gti_fail_at(d->error, GT_ERROR_BAD_FILE, where, "<%.40s>: '%.*s' is not a number", d->xml.nodes[node].name,
                       gti_word_shown(shown), shown.text);
}

// A number that gti_scan_word() leaves: with an exponent or many digits, not finite, or with a decimal comma, as
// exporters in some languages wrote it. *after is NULL where it is none.
static GtResult parse_slowly(GtiDae* d, int32_t node, const char* text, const char* end, double* out,
                             const char** after)
{
    char copy[GT_NUMBER_SIZE];
    GtiWord word;
    const char* p = text;
    gti_dae_word(&p, end, &word);
    const char* word_end = word.text + word.length;
    const char* comma = memchr(word.text, ',', word.length);
    GtResult result = GT_OK;
    p = gt_parse_double(word.text, word_end, out);
    if (comma && p == comma && word.length < sizeof copy) {
        memcpy(copy, word.text, word.length);
        copy[comma - word.text] = '.';
        p = gt_parse_double(copy, copy + word.length, out) == copy + word.length ? word_end : NULL;
        result = gti_dae_repair(d, GTI_DAE_COMMA, node, "numbers have decimal commas, which are read as points");
    }
    if (p && (p == word_end ? !(fabs(*out) <= MAX_VALUE) : *p == '#' || *p == '(')) { // 1.#QNAN and the like
        *out = 0.0;
        p = word_end;
        result = gti_dae_repair(d, GTI_DAE_NOT_FINITE, node, "<%.40s> has numbers that are not finite: taken as 0",
                                d->xml.nodes[node].name);
    }
    *after = p == word_end ? word_end : NULL;
    return result;
}

static GtResult parse_floats(GtiDae* d, int32_t node, float** out, size_t* count)
{
    size_t size;
    const char* text = gti_xml_text(&d->xml, node, &size);
    const char* end = text + size;
    *count = count_words(text, end);
    *out = gt_arena_push_array(d->arena, *count, sizeof **out);
    if (!*out) {
        return gti_out_of_memory(d->error);
    }
    GtResult result = GT_OK;
    const char* p = text;
    for (size_t i = 0; i < *count && result == GT_OK; ++i) {
        while ((unsigned char)*p <= ' ') {
            ++p;
        }
        uint64_t mantissa;
        double power;
        uint64_t length = gti_word_length(p);
        if (length < GTI_SCAN_ROOM && gti_scan_word(p, length, &mantissa, &power)) {
            (*out)[i] = (float)((double)(int64_t)mantissa / power);
            p += length;
            continue;
        }
        double value = 0.0;
        const char* after = NULL;
        result = parse_slowly(d, node, p, end, &value, &after);
        if (!after) {
            return result == GT_OK ? refuse_word(d, node, text, p, end) : result;
        }
        (*out)[i] = (float)value;
        for (p = after; p < end && (unsigned char)*p > ' '; ++p) {
        }
    }
    return result;
}

GtResult gti_dae_floats(GtiDae* d, int32_t node, float** out, size_t* count)
{
    GtiDaeArray none = { 0 };
    GtiDaeArray* array = node == GT_NONE ? &none : &d->arrays[node];
    GtResult result = array->data ? GT_OK : parse_floats(d, node, &array->data, &array->count);
    *out = array->data;
    *count = array->count;
    return result;
}

GtResult gti_dae_indices(GtiDae* d, int32_t node, int32_t** out, size_t* count)
{
    size_t size;
    const char* text = gti_xml_text(&d->xml, node, &size);
    const char* end = text + size;
    *count = count_words(text, end);
    *out = gt_arena_push_array(d->arena, *count, sizeof **out);
    if (!*out) {
        return gti_out_of_memory(d->error);
    }
    const char* p = text;
    for (size_t i = 0; i < *count; ++i) {
        while ((unsigned char)*p <= ' ') {
            ++p;
        }
        const char* word = p;
        int64_t value = 0;
        bool negative = *p == '-';
        p += negative;
        for (; (unsigned char)(*p - '0') < 10 && value <= INT32_MAX; ++p) {
            value = value * 10 + (*p - '0');
        }
        if (p == word + negative || (p < end && (unsigned char)*p > ' ')) {
            return refuse_word(d, node, text, word, end);
        }
        value = negative ? -value : value;
        (*out)[i] = value < INT32_MIN || value > INT32_MAX ? INT32_MIN : (int32_t)value;
    }
    return GT_OK;
}

int32_t gti_dae_few(const GtiDae* d, int32_t node, int32_t most, double* out)
{
    size_t size;
    const char* text = gti_xml_text(&d->xml, node, &size);
    const char* end = text + size;
    GtiWord word;
    int32_t count = 0;
    while (count < most && gti_dae_word(&text, end, &word)) {
        double value;
        if (!gt_parse_double(word.text, word.text + word.length, &value) || !(fabs(value) <= MAX_VALUE)) {
            break;
        }
        out[count++] = value;
    }
    return count;
}

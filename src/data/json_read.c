// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The JSON reader: one state machine over RFC 8259, run twice. The first run checks every byte and counts the values,
// so that bad text costs no memory and good text exactly what it needs; the second fills the array. Open arrays and
// objects are kept on a stack of fixed depth.

#include "data/json.h"

#include "base/ascii.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "gertie/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_CHILDREN = (1 << 28) - 1 // what GtiJson.count holds
};

typedef struct Open {
    uint32_t index; // of the array or object among the values
    uint32_t count; // children so far
    bool object;
} Open;

typedef struct Parser {
    const char* text;
    const char* end;
    const char* at;
    GtArena* arena;
    GtError* error;
    GtiJson* values; // NULL in the first run
    uint32_t count;
    int32_t depth;
    const char* key; // of the member whose value comes next
    uint32_t key_length;
    Open open[GTI_JSON_MAX_DEPTH];
} Parser;

static GtResult fail_here(const Parser* parser, GtResult code, const char* format, ...) GT_PRINTF(3, 4);

static GtResult fail_here(const Parser* parser, GtResult code, const char* format, ...)
{
    size_t line = 1;
    size_t column = 1;
    for (const char* p = parser->text; p < parser->at; ++p) {
        if (*p == '\n') {
            ++line;
            column = 1;
        } else if (((unsigned char)*p & 0xC0) != 0x80) {
            ++column;
        }
    }
    char where[64];
    snprintf(where, sizeof where, "line %zu, column %zu", line, column);
    va_list arguments;
    va_start(arguments, format);
    gti_fail_v(parser->error, code, where, format, arguments);
    va_end(arguments);
    return code;
}

// Fail for want of `expected`, and say what is there instead.
static GtResult fail_expected(const Parser* parser, const char* expected)
{
    if (parser->at == parser->end) {
        return fail_here(parser, GT_ERROR_BAD_FILE, "the JSON ends where %s should be; the file may be cut short",
                         expected);
    }
    size_t length = gti_utf8_length(parser->at, parser->end);
    unsigned char c = (unsigned char)*parser->at;
    if (length == 0 || c < 0x20 || c == 0x7F) {
        return fail_here(parser, GT_ERROR_BAD_FILE, "not JSON: expected %s, found byte 0x%02X", expected, c);
    }
    return fail_here(parser, GT_ERROR_BAD_FILE, "not JSON: expected %s, found '%.*s'", expected, (int)length,
                     parser->at);
}

static void skip_space(Parser* parser)
{
    const char* p = parser->at;
    while (p < parser->end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) {
        ++p;
    }
    parser->at = p;
}

// The four digits of \uXXXX, or -1.
static int32_t read_hex4(const char* p, const char* end)
{
    if (end - p < 4) {
        return -1;
    }
    int32_t code = 0;
    for (int i = 0; i < 4; ++i) {
        int digit = gti_hex_digit(p[i]);
        if (digit < 0) {
            return -1;
        }
        code = code << 4 | digit;
    }
    return code;
}

// The character of a checked or unchecked escape whose backslash is at *text, which moves behind it; -1 where it is
// none. Characters beyond U+FFFF are two escapes.
static int32_t read_escape(const char** text, const char* end)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    const char* p = *text + 1;
    if (p == end) {
        return -1;
    }
    if (*p != 'u') {
        const char* letter = *p ? strchr(letters, *p) : NULL;
        *text = p + 1;
        return letter ? meanings[letter - letters] : -1;
    }
    int32_t code = read_hex4(p + 1, end);
    p += 5;
    if (code >= 0xD800 && code <= 0xDBFF) {
        int32_t low = end - p >= 6 && p[0] == '\\' && p[1] == 'u' ? read_hex4(p + 2, end) : -1;
        code = low >= 0xDC00 && low <= 0xDFFF ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : -1;
        p += 6;
    } else if (code >= 0xDC00 && code <= 0xDFFF) {
        code = -1;
    }
    *text = p;
    return code;
}

// First byte in [p, end) that is not plain: a quote, a backslash, a control character or no ASCII. Eight at a time.
static const char* skip_plain(const char* p, const char* end)
{
    const uint64_t ones = 0x0101010101010101;
    const uint64_t tops = 0x8080808080808080;
    for (; end - p >= 8; p += 8) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        uint64_t quote = word ^ (ones * '"');
        uint64_t slash = word ^ (ones * '\\');
        if ((word | (word - ones * 0x20) | (quote - ones) | (slash - ones)) & tops) {
            break; // the subtractions may borrow: then the bytes are looked at one by one, which is slower, not wrong
        }
    }
    while (p < end && (unsigned char)*p >= 0x20 && (unsigned char)*p < 0x80 && *p != '"' && *p != '\\') {
        ++p;
    }
    return p;
}

// A string whose opening quote is at parser->at; leaves it behind the closing one.
static GtResult scan_string(Parser* parser, bool* escaped)
{
    const char* start = parser->at++;
    *escaped = false;
    for (;;) {
        const char* p = skip_plain(parser->at, parser->end);
        parser->at = p;
        if (p == parser->end) {
            parser->at = start;
            return fail_here(parser, GT_ERROR_BAD_FILE, "this string does not end; the file may be cut short");
        }
        if (*p == '"') {
            parser->at = p + 1;
            return GT_OK;
        }
        if (*p == '\\') {
            *escaped = true;
            if (read_escape(&p, parser->end) < 0) {
                return fail_here(parser, GT_ERROR_BAD_FILE, "not JSON: a bad escape in a string");
            }
            parser->at = p;
        } else if ((unsigned char)*p < 0x20) {
            return fail_here(parser, GT_ERROR_BAD_FILE, "not JSON: a control character (0x%02X) in a string",
                             (unsigned char)*p);
        } else {
            size_t length = gti_utf8_length(p, parser->end);
            if (length == 0) {
                return fail_here(parser, GT_ERROR_BAD_FILE, "a string is not UTF-8 (byte 0x%02X); save it as UTF-8",
                                 (unsigned char)*p);
            }
            parser->at = p + length;
        }
    }
}

// Unescape what a checked string has between its quotes. `out` needs as many bytes as the source has.
static size_t unescape(const char* p, const char* end, char* out)
{
    char* start = out;
    while (p < end) {
        if (*p == '\\') {
            out += gti_utf8_encode((uint32_t)read_escape(&p, end), out);
        } else {
            *out++ = *p++;
        }
    }
    return (size_t)(out - start);
}

static bool is_digit(const Parser* parser, const char* p)
{
    return p < parser->end && gti_is_digit(*p);
}

static const char* skip_digits(const Parser* parser, const char* p)
{
    while (is_digit(parser, p)) {
        ++p;
    }
    return p;
}

static GtResult scan_number(Parser* parser)
{
    const char* p = parser->at;
    p += *p == '-';
    if (p < parser->end && *p == '0') {
        ++p;
        if (is_digit(parser, p)) {
            return fail_here(parser, GT_ERROR_BAD_FILE, "not JSON: a number starts with an idle 0");
        }
    } else {
        parser->at = p;
        p = skip_digits(parser, p);
        if (p == parser->at) {
            return fail_expected(parser, "a digit");
        }
    }
    if (p < parser->end && *p == '.') {
        parser->at = p + 1;
        p = skip_digits(parser, p + 1);
        if (p == parser->at) {
            return fail_expected(parser, "a digit after the point");
        }
    }
    if (p < parser->end && (*p == 'e' || *p == 'E')) {
        ++p;
        p += p < parser->end && (*p == '+' || *p == '-');
        parser->at = p;
        p = skip_digits(parser, p);
        if (p == parser->at) {
            return fail_expected(parser, "a digit of the exponent");
        }
    }
    parser->at = p;
    return GT_OK;
}

static GtResult scan_word(Parser* parser, const char* word)
{
    size_t length = strlen(word);
    if ((size_t)(parser->end - parser->at) < length || memcmp(parser->at, word, length) != 0) {
        return fail_expected(parser, "a value");
    }
    parser->at += length;
    return GT_OK;
}

// Count the value that starts here and, in the second run, fill it in but for its length.
static GtiJson* add_value(Parser* parser, GtiJsonType type)
{
    GtiJson* value = NULL;
    if (parser->values) {
        value = &parser->values[parser->count];
        *value = (GtiJson){
            .text = parser->at, .key = parser->key, .key_length = parser->key_length, .size = 1, .type = type
        };
    }
    ++parser->count;
    parser->key = NULL;
    parser->key_length = 0;
    return value;
}

static GtResult open_container(Parser* parser, GtiJsonType type)
{
    if (parser->depth == GTI_JSON_MAX_DEPTH) {
        return fail_here(parser, GT_ERROR_LIMIT, "JSON nested deeper than %d levels", GTI_JSON_MAX_DEPTH);
    }
    parser->open[parser->depth++] = (Open){ parser->count, 0, type == GTI_JSON_OBJECT };
    add_value(parser, type);
    ++parser->at;
    return GT_OK;
}

static void close_container(Parser* parser)
{
    Open open = parser->open[--parser->depth];
    ++parser->at;
    if (parser->values) {
        GtiJson* value = &parser->values[open.index];
        value->count = open.count;
        value->size = parser->count - open.index;
        value->text_length = (uint32_t)(parser->at - value->text);
    }
}

static GtResult scan_scalar(Parser* parser, GtiJsonType type, const char* word)
{
    GtiJson* value = add_value(parser, type);
    const char* start = parser->at;
    bool escaped = false;
    GtResult result = word                      ? scan_word(parser, word)
                      : type == GTI_JSON_STRING ? scan_string(parser, &escaped)
                                                : scan_number(parser);
    if (value) {
        value->text_length = (uint32_t)(parser->at - start);
        value->escaped = escaped;
    }
    return result;
}

static GtResult scan_value(Parser* parser)
{
    char c = parser->at < parser->end ? *parser->at : 0;
    switch (c) {
    case '{':
        return open_container(parser, GTI_JSON_OBJECT);
    case '[':
        return open_container(parser, GTI_JSON_ARRAY);
    case '"':
        return scan_scalar(parser, GTI_JSON_STRING, NULL);
    case 't':
        return scan_scalar(parser, GTI_JSON_TRUE, "true");
    case 'f':
        return scan_scalar(parser, GTI_JSON_FALSE, "false");
    case 'n':
        return scan_scalar(parser, GTI_JSON_NULL, "null");
    default:
        break;
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
        return scan_scalar(parser, GTI_JSON_NUMBER, NULL);
    }
    return fail_expected(parser, "a value");
}

// `"key" :` before a member's value.
static GtResult scan_key(Parser* parser)
{
    if (parser->at == parser->end || *parser->at != '"') {
        return fail_expected(parser, "a key in quotes");
    }
    const char* start = parser->at + 1;
    bool escaped = false;
    GtResult result = scan_string(parser, &escaped);
    if (result != GT_OK) {
        return result;
    }
    parser->key = start;
    parser->key_length = (uint32_t)(parser->at - 1 - start);
    if (escaped && parser->values) {
        char* copy = gt_arena_push(parser->arena, parser->key_length);
        if (!copy) {
            return gti_out_of_memory(parser->error);
        }
        parser->key_length = (uint32_t)unescape(start, parser->at - 1, copy);
        parser->key = copy;
    }
    skip_space(parser);
    if (parser->at == parser->end || *parser->at != ':') {
        return fail_expected(parser, "':' after a key");
    }
    ++parser->at;
    skip_space(parser);
    return GT_OK;
}

// The next child of the innermost array or object, or its end.
static GtResult scan_child(Parser* parser)
{
    Open* open = &parser->open[parser->depth - 1];
    char closing = open->object ? '}' : ']';
    skip_space(parser);
    if (parser->at < parser->end && *parser->at == closing) {
        close_container(parser);
        return GT_OK;
    }
    if (open->count > 0) {
        if (parser->at == parser->end || *parser->at != ',') {
            return fail_expected(parser, open->object ? "',' or '}'" : "',' or ']'");
        }
        ++parser->at;
        skip_space(parser);
    }
    if (open->count == MAX_CHILDREN) {
        return fail_here(parser, GT_ERROR_LIMIT, "more than %d values in one array or object", MAX_CHILDREN);
    }
    ++open->count;
    GtResult result = open->object ? scan_key(parser) : GT_OK;
    return result == GT_OK ? scan_value(parser) : result;
}

static GtResult run(Parser* parser)
{
    parser->at = parser->text;
    parser->count = 0;
    skip_space(parser);
    if (parser->at == parser->end) {
        return fail_here(parser, GT_ERROR_BAD_FILE, "no JSON here: the text is empty");
    }
    GtResult result = scan_value(parser);
    while (result == GT_OK && parser->depth > 0) {
        result = scan_child(parser);
    }
    skip_space(parser);
    if (result == GT_OK && parser->at < parser->end) {
        result = fail_expected(parser, "nothing after the end of the JSON");
    }
    return result;
}

GtResult gti_json_parse(GtArena* arena, const char* text, size_t length, const GtiJson** root, GtError* error)
{
    *root = NULL;
    if (length > UINT32_MAX) {
        return gti_fail(error, GT_ERROR_LIMIT, "%zu bytes of JSON are more than the limit of 4 GiB", length);
    }
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { // a byte order mark
        text += 3;
        length -= 3;
    }
    Parser parser = { .text = text, .end = text + length, .arena = arena, .error = error };
    GtResult result = run(&parser);
    if (result != GT_OK) {
        return result;
    }
    GtArenaMark mark = gt_arena_mark(arena);
    size_t size = 0;
    parser.values = gti_size_mul(parser.count, sizeof *parser.values, &size) ? gt_arena_push(arena, size) : NULL;
    if (!parser.values) {
        return gti_out_of_memory(error);
    }
    result = run(&parser);
    if (result != GT_OK) {
        gt_arena_reset(arena, mark);
        return result;
    }
    *root = parser.values;
    return GT_OK;
}

bool gti_json_key_is(const GtiJson* value, const char* key)
{
    size_t length = strlen(key);
    return value->key && value->key_length == length && memcmp(value->key, key, length) == 0;
}

const GtiJson* gti_json_member(const GtiJson* value, const char* key, size_t length)
{
    if (!value || value->type != GTI_JSON_OBJECT) {
        return NULL;
    }
    const GtiJson* found = NULL;
    const GtiJson* child = value + 1;
    for (uint32_t i = 0; i < value->count; ++i, child = gti_json_next(child)) {
        found = child->key_length == length && memcmp(child->key, key, length) == 0 ? child : found;
    }
    return found;
}

const GtiJson* gti_json_find(const GtiJson* value, const char* key)
{
    return gti_json_member(value, key, strlen(key));
}

bool gti_json_double(const GtiJson* value, double* out)
{
    double number = 0.0;
    if (!value || value->type != GTI_JSON_NUMBER) {
        return false;
    }
    gt_parse_double(value->text, value->text + value->text_length, &number);
    if (!isfinite(number)) {
        return false;
    }
    *out = number;
    return true;
}

bool gti_json_float(const GtiJson* value, float* out)
{
    float number = 0.0f;
    if (!value || value->type != GTI_JSON_NUMBER) {
        return false;
    }
    gt_parse_float(value->text, value->text + value->text_length, &number);
    if (!isfinite(number)) {
        return false;
    }
    *out = number;
    return true;
}

bool gti_json_int64(const GtiJson* value, int64_t* out)
{
    if (!value || value->type != GTI_JSON_NUMBER) {
        return false;
    }
    const char* end = value->text + value->text_length;
    int64_t integer = 0;
    if (gt_parse_int64(value->text, end, &integer) == end) {
        *out = integer;
        return true;
    }
    double number = 0.0;
    if (!gti_json_double(value, &number) || floor(number) != number || fabs(number) >= 0x1p53) {
        return false;
    }
    *out = (int64_t)number;
    return true;
}

bool gti_json_equals(const GtiJson* value, const char* text)
{
    if (!value || value->type != GTI_JSON_STRING) {
        return false;
    }
    const char* p = value->text + 1;
    const char* end = value->text + value->text_length - 1;
    size_t length = strlen(text);
    if (!value->escaped) {
        return (size_t)(end - p) == length && memcmp(p, text, length) == 0;
    }
    while (p < end && *text) {
        char bytes[4] = { *p };
        size_t count = 1;
        if (*p == '\\') {
            count = gti_utf8_encode((uint32_t)read_escape(&p, end), bytes);
        } else {
            ++p;
        }
        if (strncmp(bytes, text, count) != 0) {
            return false;
        }
        text += count;
    }
    return p == end && !*text;
}

char* gti_json_copy(GtArena* arena, const GtiJson* value, size_t* length)
{
    GT_ASSERT(value->type == GTI_JSON_STRING);
    size_t size = value->text_length - 2;
    const char* inside = value->text + 1;
    char* copy = gt_arena_push(arena, size + 1);
    if (copy) {
        if (value->escaped) {
            size = unescape(inside, inside + size, copy);
        } else {
            memcpy(copy, inside, size);
        }
        copy[size] = 0;
        if (length) {
            *length = size;
        }
    }
    return copy;
}

const char* gti_json_view(GtArena* arena, const GtiJson* value, size_t* length)
{
    GT_ASSERT(value->type == GTI_JSON_STRING);
    if (value->escaped) {
        return gti_json_copy(arena, value, length);
    }
    *length = value->text_length - 2;
    return value->text + 1;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Text FBX 7: `Name: value, value {` nodes `}`. Line ends are white space, so that a list goes on after a comma and a
// word with a colon after it begins the next node. Arrays are `*count { a: number, number }`; their numbers are left
// alone until somebody asks for them. After damage reading goes on with the next line.

#include "base/ascii.h"
#include "base/fail.h"
#include "gertie/number.h"
#include "io/fbx/tree.h"

#include <math.h>

typedef struct FbxText {
    GtiFbxTree* tree;
    const char* start;
    const char* p;
    const char* end;
    GtError* error;
} FbxText;

static GtResult fail_here(const FbxText* text, const char* message)
{
    return gti_fbx_fail(text->tree, (uint64_t)(text->p - text->start), GT_ERROR_BAD_FILE, gti_fbx_damage(text->tree),
                        "%s", message);
}

// Past white space and comments; the byte that follows, or 0 at the end.
static char skip_space(FbxText* text)
{
    while (text->p < text->end) {
        char c = *text->p;
        if (c == ';') {
            const char* line_end = memchr(text->p, '\n', (size_t)(text->end - text->p));
            text->p = line_end ? line_end : text->end;
        } else if ((unsigned char)c <= ' ') {
            ++text->p;
        } else {
            return c;
        }
    }
    return 0;
}

static bool is_in_word(char c)
{
    return (unsigned char)c > ' ' && c != ':' && c != ',' && c != '{' && c != '}' && c != '"' && c != ';' && c != '*';
}

static GtiSlice peek_word(const FbxText* text)
{
    const char* p = text->p;
    while (p < text->end && is_in_word(*p)) {
        ++p;
    }
    return (GtiSlice){ text->p, (size_t)(p - text->p) };
}

// Replace &quot; &cr; &lf; by what they stand for; other text with an & stays as it is.
static size_t unescape(char* text, size_t length)
{
    static const struct {
        const char* name;
        char stands_for;
    } escapes[] = { { "&quot;", '"' }, { "&cr;", '\r' }, { "&lf;", '\n' } };
    size_t out = 0;
    for (size_t i = 0; i < length;) {
        char c = text[i];
        size_t taken = 1;
        for (int e = 0; c == '&' && taken == 1 && e < 3; ++e) {
            size_t name_length = strlen(escapes[e].name);
            if (length - i >= name_length && memcmp(text + i, escapes[e].name, name_length) == 0) {
                c = escapes[e].stands_for;
                taken = name_length;
            }
        }
        text[out++] = c;
        i += taken;
    }
    return out;
}

static GtResult read_string(FbxText* text, GtiFbxValue* value)
{
    const char* start = text->p + 1;
    const char* close = memchr(start, '"', (size_t)(text->end - start));
    if (!close) {
        GtResult result = fail_here(text, "a string has no closing quote");
        text->p = text->end;
        return result;
    }
    size_t length = (size_t)(close - start);
    if (memchr(start, '&', length)) {
        char* copy = gt_arena_push_text(&text->tree->arena, start, length);
        if (!copy) {
            return gti_out_of_memory(text->error);
        }
        length = unescape(copy, length);
        start = copy;
    }
    if (length > UINT32_MAX) {
        return fail_here(text, "a string is longer than 4 GB");
    }
    *value = (GtiFbxValue){ .type = 'S', .count = (uint32_t)length, .bytes = (const uint8_t*)start };
    text->p = close + 1;
    return GT_OK;
}

const char* gti_fbx_find_array_end(const char* text, const char* end)
{
    const char* p = text;
    const char* close = NULL;
    for (;;) {
        if (!close || close < p) { // else the one that was found is still the next
            close = memchr(p, '}', (size_t)(end - p));
        }
        const char* comment = close ? memchr(p, ';', (size_t)(close - p)) : NULL;
        if (!comment) {
            return close;
        }
        p = memchr(comment, '\n', (size_t)(end - comment));
        if (!p) {
            return NULL;
        }
    }
}

static GtResult read_array(FbxText* text, GtiFbxValue* value)
{
    int64_t count = 0;
    const char* after = gt_parse_int64(text->p + 1, text->end, &count);
    if (!after || count < 0 || count > INT32_MAX) {
        return fail_here(text, "an array needs the number of its elements after the *");
    }
    text->p = after;
    if (skip_space(text) != '{') {
        return fail_here(text, "an array needs { after the number of its elements");
    }
    ++text->p;
    const char* close = gti_fbx_find_array_end(text->p, text->end);
    if (!close || (size_t)(close - text->p) > UINT32_MAX) {
        GtResult result = fail_here(text, "an array has no closing }");
        text->p = close ? close + 1 : text->end;
        return result;
    }
    if (skip_space(text) == 'a') {
        ++text->p;
        if (skip_space(text) != ':') {
            GtResult result = fail_here(text, "an array needs a: before its elements");
            text->p = close + 1;
            return result;
        }
        ++text->p;
    }
    size_t size = (size_t)(close - text->p);
    if ((uint64_t)count > ((uint64_t)size + 1) / 2) { // a digit and a comma each
        GtResult result = fail_here(text, "an array has fewer elements than it says");
        text->p = close + 1;
        return result;
    }
    *value = (GtiFbxValue){
        .type = 'd', .encoding = GTI_FBX_TEXT, .count = (uint32_t)count, .bytes = (const uint8_t*)text->p
    };
    text->p = close + 1;
    return GT_OK;
}

// Past a number that is spelled as a word: "inf", "-Infinity", "nan(ind)", "snan"; NULL for other words.
static const char* parse_spelled(const char* text, const char* end, double* out)
{
    static const char* const nans[] = { "nan", "ind", "sna" };
    const char* word = text + (*text == '-' || *text == '+');
    char start[4] = "";
    for (int i = 0; i < 3 && i < end - word; ++i) {
        start[i] = gti_lower(word[i]);
    }
    bool known = strcmp(start, "inf") == 0;
    double number = known ? (double)INFINITY : (double)NAN;
    for (int i = 0; i < 3; ++i) {
        known |= strcmp(start, nans[i]) == 0;
    }
    *out = *text == '-' ? -number : number;
    while (word < end && is_in_word(*word)) {
        ++word;
    }
    return known ? word : NULL;
}

const char* gti_fbx_parse_number(const char* text, const char* end, double* out)
{
    if (text == end) {
        return NULL;
    }
    const char* first = text + (*text == '-' || *text == '+');
    if (first < end && gti_is_letter(*first)) {
        return parse_spelled(text, end, out);
    }
    const char* after = gt_parse_double(text, end, out);
    if (after && after < end && *after == '#') { // Windows prints 1.#INF and -1.#IND
        bool infinite = end - after >= 4 && memcmp(after, "#INF", 4) == 0;
        *out = infinite ? copysign((double)INFINITY, *out) : (double)NAN;
        while (after < end && is_in_word(*after)) {
            ++after;
        }
    }
    return after;
}

const char* gti_fbx_skip_separators(const char* p, const char* end)
{
    for (; p < end && ((unsigned char)*p <= ' ' || *p == ',' || *p == ';'); ++p) {
        if (*p == ';') {
            const char* line_end = memchr(p, '\n', (size_t)(end - p));
            p = line_end ? line_end : end - 1;
        }
    }
    return p;
}

// A number or a bare word.
static void read_word(FbxText* text, GtiSlice word, GtiFbxValue* value)
{
    const char* end = word.text + word.length;
    int64_t integer = 0;
    double number = 0.0;
    if (gt_parse_int64(word.text, end, &integer) == end) {
        *value = (GtiFbxValue){ .type = 'L', .integer = integer };
    } else if (gt_parse_double(word.text, end, &number) == end ||
               (!gti_is_letter(*word.text) && gti_fbx_parse_number(word.text, end, &number) == end)) {
        *value = (GtiFbxValue){ .type = 'D', .number = number };
    } else {
        *value = (GtiFbxValue){ .type = 'S', .count = (uint32_t)word.length, .bytes = (const uint8_t*)word.text };
    }
    text->p = end;
}

// Whether the word at the present place is the name of the next node.
static bool is_name(const FbxText* text, GtiSlice word)
{
    FbxText ahead = *text;
    ahead.p = word.text + word.length;
    return skip_space(&ahead) == ':';
}

// Read values up to what is none: the first is there or not, the others stand after commas.
static GtResult read_values(FbxText* text, int32_t node)
{
    bool wanted = true;
    for (;;) {
        char c = skip_space(text);
        if (c == ',') {
            ++text->p;
            wanted = true;
            continue;
        }
        GtiSlice word = peek_word(text);
        bool is_value = c == '"' || c == '*' || (word.length > 0 && word.length <= UINT32_MAX && !is_name(text, word));
        if (!wanted || !is_value) {
            return GT_OK;
        }
        GtiFbxValue* value = gti_fbx_add_value(text->tree);
        if (!value) {
            return gti_out_of_memory(text->error);
        }
        ++text->tree->nodes[node].value_count;
        GtResult result = GT_OK;
        if (c == '"') {
            result = read_string(text, value);
        } else if (c == '*') {
            result = read_array(text, value);
        } else {
            read_word(text, word, value);
        }
        if (result != GT_OK) {
            --text->tree->nodes[node].value_count;
            --text->tree->value_count;
            return result;
        }
        wanted = false;
    }
}

// "; FBX 6.1.0 project file" on the first line, where it is there: 6100. Old files have other rules than those below.
static int32_t version_of_comment(const FbxText* text)
{
    const char* p = text->p;
    while (p < text->end && (*p == ';' || *p == ' ')) {
        ++p;
    }
    if (text->end - p < 9 || memcmp(p, "FBX ", 4) != 0 || !gti_is_digit(p[4]) || p[5] != '.' || !gti_is_digit(p[6])) {
        return 0;
    }
    int32_t third = p[7] == '.' && gti_is_digit(p[8]) ? p[8] - '0' : 0;
    return 1000 * (p[4] - '0') + 100 * (p[6] - '0') + 10 * third;
}

static GtResult read_version(FbxText* text)
{
    int64_t version = text->tree->version;
    const GtiFbxNode* node = gti_fbx_find(gti_fbx_find(text->tree->nodes, "FBXHeaderExtension"), "FBXVersion");
    if (node) {
        gti_fbx_integer(gti_fbx_value(text->tree, node, 0), &version);
    }
    version = version < 0 ? 0 : version > INT32_MAX ? INT32_MAX : version;
    text->tree->version = (int32_t)version;
    return gti_fbx_check_version(text->tree, text->error);
}

static void skip_line(FbxText* text)
{
    const char* line_end = memchr(text->p, '\n', (size_t)(text->end - text->p));
    text->p = line_end ? line_end : text->end;
}

// Count what fail_here() has told of, and go on with the next line.
static void leave_out_line(FbxText* text)
{
    gti_fbx_count_damage(text->tree);
    skip_line(text);
}

GtResult gti_fbx_parse_text(GtiFbxTree* tree, GtError* error)
{
    int32_t open[GTI_FBX_MAX_DEPTH] = { 0 }; // the nodes that enclose the present one; nodes[0] is the first
    int depth = 0;
    const char* start = (const char*)tree->bytes;
    FbxText text = { tree, start, start, start + tree->size, error };
    if (tree->size >= 3 && memcmp(start, "\xEF\xBB\xBF", 3) == 0) {
        text.p += 3;
    }
    tree->version = version_of_comment(&text);
    if (tree->version && tree->version < 7000) {
        return gti_fbx_check_version(tree, error);
    }
    for (;;) {
        char c = skip_space(&text);
        if (c == 0) {
            break;
        }
        if (c == '}') {
            if (depth == 0) {
                fail_here(&text, "there is a } without a {");
                leave_out_line(&text);
                continue;
            }
            ++text.p;
            tree->nodes[open[depth]].size = tree->node_count - open[depth];
            --depth;
            continue;
        }
        GtiSlice name = peek_word(&text);
        if (name.length == 0 || name.length > 255 || !is_name(&text, name)) {
            fail_here(&text, "a node must begin with a name and a colon");
            leave_out_line(&text);
            continue;
        }
        int32_t index = tree->node_count;
        if (!gti_fbx_add_node(tree, name.text, name.length)) {
            return gti_out_of_memory(error);
        }
        text.p = name.text + name.length;
        skip_space(&text);
        ++text.p; // the colon
        GtResult result = read_values(&text, index);
        if (result == GT_ERROR_OUT_OF_MEMORY) {
            return result;
        }
        if (result != GT_OK) {
            leave_out_line(&text);
        }
        if (skip_space(&text) == '{') {
            ++text.p;
            if (++depth == GTI_FBX_MAX_DEPTH) {
                return gti_fbx_fail(tree, (uint64_t)(text.p - start), GT_ERROR_LIMIT, error,
                                    "nodes are nested more than %d deep", GTI_FBX_MAX_DEPTH);
            }
            open[depth] = index;
        }
    }
    if (depth > 0) {
        fail_here(&text, "the file ends before all nodes are closed");
        gti_fbx_count_damage(tree);
    }
    for (; depth >= 0; --depth) {
        tree->nodes[open[depth]].size = tree->node_count - open[depth];
    }
    return read_version(&text);
}

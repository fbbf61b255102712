// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Formulas are read as gertie/formula.h says: names begin with a letter, or are quoted. A node's own name comes before
// the vocabulary.

#include "sculpt/names.h"

#include "base/slice.h"
#include "data/text.h"

#include <ctype.h>
#include <string.h>

// The node's name for a joint of the vocabulary; "" where `head` is none that needs one, NULL where there is none.
static const char* find_node_name(const GtiNames* names, GtiSlice head)
{
    char text[64];
    if (head.length == 0 || head.length >= sizeof text) {
        return "";
    }
    memcpy(text, head.text, head.length);
    text[head.length] = '\0';
    int32_t joint = gt_humanoid_find(text);
    if (joint == GT_NONE || names->map->nodes[joint] == GT_NONE ||
        gt_character_find_node(names->character, text) != GT_NONE) {
        return "";
    }
    int32_t node = gt_character_node_from_source(names->character, names->map->nodes[joint]);
    const GtCharacterDef* def = gt_character_def(names->character);
    const char* name = node != GT_NONE && def->names ? def->names[node] : NULL;
    return name && gt_character_find_node(names->character, name) == node ? name : NULL;
}

// Write a name as the character has it.
static GtResult put_name(const GtiNames* names, GtiSlice name, GtiText* out, GtError* error)
{
    const char* dot = memchr(name.text, '.', name.length);
    GtiSlice head = { name.text, dot ? (size_t)(dot - name.text) : 0 };
    const char* node = find_node_name(names, head);
    if (!node) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the node that is %.*s has no name of its own to be found by",
                        (int)head.length, head.text);
    }
    gti_text_adds(out, node);
    size_t done = node[0] ? head.length : 0;
    gti_text_add(out, name.text + done, name.length - done);
    return GT_OK;
}

static GtResult finish(GtiText* text, const char** out, GtError* error)
{
    *out = gti_text_finish(text);
    return *out ? GT_OK : gti_out_of_memory(error);
}

GtResult gti_names_channel(const GtiNames* names, const char* channel, const char** out, GtError* error)
{
    GtiText text = gti_text_create(names->arena);
    GtResult result = put_name(names, (GtiSlice){ channel, strlen(channel) }, &text, error);
    return result == GT_OK ? finish(&text, out, error) : result;
}

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

// The end of a name that begins at `at`.
static const char* name_end(const char* at)
{
    bool inside = false;
    while (is_letter(*at) || isdigit((unsigned char)*at) || (*at && strchr(".:[", *at)) ||
           (inside && (*at == ',' || *at == ']'))) {
        inside = *at == '[' || (inside && *at != ']');
        ++at;
    }
    return at;
}

// The end of a number, so that the e of 1e3 is no name.
static const char* number_end(const char* at)
{
    while (isdigit((unsigned char)*at) || *at == '.' || is_letter(*at)) {
        bool has_exponent = (*at == 'e' || *at == 'E') && (at[1] == '+' || at[1] == '-');
        at += has_exponent ? 2 : 1;
    }
    return at;
}

// A name of a formula, with quotes where it had some or needs them.
static GtResult put_formula_name(const GtiNames* names, GtiSlice name, GtiText* out, GtError* error)
{
    static const char degrees[] = ".angle_deg";
    const size_t unit = 4; // "_deg"
    bool in_degrees = name.length >= sizeof degrees - 1 &&
                      memcmp(name.text + name.length - (sizeof degrees - 1), degrees, sizeof degrees - 1) == 0;
    name.length -= in_degrees ? unit : 0;
    gti_text_adds(out, in_degrees ? "(180 / pi * '" : "'");
    GtResult result = put_name(names, name, out, error);
    gti_text_adds(out, in_degrees ? "')" : "'");
    return result;
}

GtResult gti_names_formula(const GtiNames* names, const char* formula, const char** out, GtError* error)
{
    GtiText text = gti_text_create(names->arena);
    GtResult result = GT_OK;
    for (const char* at = formula; *at && result == GT_OK;) {
        const char* close = *at == '\'' ? strchr(at + 1, '\'') : NULL;
        if (close) {
            result = put_formula_name(names, (GtiSlice){ at + 1, (size_t)(close - at - 1) }, &text, error);
            at = close + 1;
            continue;
        }
        const char* end = is_letter(*at) ? name_end(at) : number_end(at);
        bool has_dot = is_letter(*at) && memchr(at, '.', (size_t)(end - at)); // else a function, t, pi or a value
        end = end > at ? end : at + 1;
        if (has_dot) {
            result = put_formula_name(names, (GtiSlice){ at, (size_t)(end - at) }, &text, error);
        } else {
            gti_text_add(&text, at, (size_t)(end - at));
        }
        at = end;
    }
    return result == GT_OK ? finish(&text, out, error) : result;
}

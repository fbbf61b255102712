// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Built on the lines of io/text/words.h, so that faults name their line.

#include "io/smartbody/tokens.h"

static bool is_blank(char c)
{
    return (unsigned char)c <= ' ';
}

bool gti_sk_next(GtiWords* words, GtiWord* out)
{
    const char* p = words->at;
    for (;;) {
        while (p < words->line_end && is_blank(*p)) {
            ++p;
        }
        if (p < words->line_end && *p != '#') {
            break;
        }
        if (!gti_words_next_line(words)) {
            *out = (GtiWord){ words->end, 0 };
            return false;
        }
        p = words->at;
    }
    bool quoted = *p == '"';
    const char* start = p + quoted;
    const char* end = start;
    if (quoted) {
        while (end < words->line_end && *end != '"' && *end) { // no word holds a 0
            ++end;
        }
    } else if (*p == '{' || *p == '}') {
        ++end;
    } else {
        while (end < words->line_end && !is_blank(*end) && *end != '{' && *end != '}') {
            ++end;
        }
    }
    words->at = end + (quoted && end < words->line_end && *end == '"');
    *out = (GtiWord){ start, (size_t)(end - start) };
    return true;
}

GtiWord gti_sk_peek(const GtiWords* words)
{
    GtiWords copy = *words;
    GtiWord word;
    gti_sk_next(&copy, &word);
    return word;
}

GtiSkChannelType gti_sk_channel_type(GtiWord word)
{
    static const struct {
        const char* name;
        const char* long_name;
        GtiSkChannelType type;
    } types[] = {
        { "xpos", "xposition", GTI_SK_X_POSITION }, { "ypos", "yposition", GTI_SK_Y_POSITION },
        { "zpos", "zposition", GTI_SK_Z_POSITION }, { "quat", "quat", GTI_SK_QUAT },
        { "xrot", "xrotation", GTI_SK_ANGLE },      { "yrot", "yrotation", GTI_SK_ANGLE },
        { "zrot", "zrotation", GTI_SK_ANGLE },      { "twist", "twist", GTI_SK_ANGLE },
        { "swing", "swing", GTI_SK_SWING },
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        if (gti_word_equals(word, types[i].name) || gti_word_equals(word, types[i].long_name)) {
            return types[i].type;
        }
    }
    return GTI_SK_CHANNEL_TYPE_COUNT;
}

int32_t gti_sk_channel_width(GtiSkChannelType type)
{
    return type == GTI_SK_QUAT ? 3 : type == GTI_SK_SWING ? 2 : 1;
}

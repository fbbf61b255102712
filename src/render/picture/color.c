// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Colours by name, and colours that stand for numbers: viridis (Smith and van der Walt 2015, public domain), which is
// even in lightness and keeps its order without red or green.

#include "gertie/picture.h"

#include "base/ascii.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static const uint8_t viridis[][3] = {
    { 0x44, 0x01, 0x54 }, { 0x48, 0x28, 0x78 }, { 0x3e, 0x49, 0x89 }, { 0x31, 0x68, 0x8e }, { 0x26, 0x82, 0x8e },
    { 0x1f, 0x9e, 0x89 }, { 0x35, 0xb7, 0x79 }, { 0x6e, 0xce, 0x58 }, { 0xb5, 0xde, 0x2b }, { 0xfd, 0xe7, 0x25 },
};

enum {
    VIRIDIS_SPANS = sizeof viridis / sizeof viridis[0] - 1
};

GtColor gt_color_map(float value)
{
    if (isnan(value)) {
        return (GtColor){ 128, 128, 128, 255 };
    }
    float at = fminf(fmaxf(value, 0.0f), 1.0f) * VIRIDIS_SPANS;
    int span = at < VIRIDIS_SPANS ? (int)at : VIRIDIS_SPANS - 1;
    float part = at - (float)span;
    uint8_t rgb[3];
    for (int i = 0; i < 3; ++i) {
        rgb[i] = (uint8_t)((1.0f - part) * viridis[span][i] + part * viridis[span + 1][i] + 0.5f);
    }
    return (GtColor){ rgb[0], rgb[1], rgb[2], 255 };
}

// Okabe and Ito's colours (2008), darkest of the bright ones first.
static const GtColor series[] = {
    { 0x00, 0x72, 0xB2, 255 }, { 0xD5, 0x5E, 0x00, 255 }, { 0x00, 0x9E, 0x73, 255 }, { 0xCC, 0x79, 0xA7, 255 },
    { 0xE6, 0x9F, 0x00, 255 }, { 0x56, 0xB4, 0xE9, 255 }, { 0x00, 0x00, 0x00, 255 },
};

_Static_assert(sizeof series / sizeof series[0] == GT_SERIES_COLORS, "every colour is there");

GtColor gt_color_of_series(int32_t index)
{
    return series[(uint32_t)index % GT_SERIES_COLORS];
}

// The sixteen names of HTML 4, and a few more that a background is likely to have.
static const struct {
    const char* name;
    GtColor color;
} names[] = {
    { "aqua", { 0, 255, 255, 255 } },        { "beige", { 245, 245, 220, 255 } },
    { "black", { 0, 0, 0, 255 } },           { "blue", { 0, 0, 255, 255 } },
    { "cyan", { 0, 255, 255, 255 } },        { "fuchsia", { 255, 0, 255, 255 } },
    { "gray", { 128, 128, 128, 255 } },      { "green", { 0, 128, 0, 255 } },
    { "grey", { 128, 128, 128, 255 } },      { "ivory", { 255, 255, 240, 255 } },
    { "lime", { 0, 255, 0, 255 } },          { "magenta", { 255, 0, 255, 255 } },
    { "maroon", { 128, 0, 0, 255 } },        { "navy", { 0, 0, 128, 255 } },
    { "olive", { 128, 128, 0, 255 } },       { "orange", { 255, 165, 0, 255 } },
    { "pink", { 255, 192, 203, 255 } },      { "purple", { 128, 0, 128, 255 } },
    { "red", { 255, 0, 0, 255 } },           { "silver", { 192, 192, 192, 255 } },
    { "skyblue", { 135, 206, 235, 255 } },   { "teal", { 0, 128, 128, 255 } },
    { "white", { 255, 255, 255, 255 } },     { "yellow", { 255, 255, 0, 255 } },
    { "lightgray", { 211, 211, 211, 255 } }, { "lightgrey", { 211, 211, 211, 255 } },
};

static bool parse_hex(const char* digits, GtColor* out)
{
    size_t length = strlen(digits);
    if (length != 3 && length != 6 && length != 8) {
        return false;
    }
    uint8_t bytes[4] = { 0, 0, 0, 255 };
    size_t step = length == 3 ? 1 : 2;
    for (size_t i = 0; i * step < length; ++i) {
        int high = gti_hex_digit(digits[i * step]);
        int low = gti_hex_digit(digits[i * step + step - 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        bytes[i] = (uint8_t)(16 * high + low);
    }
    *out = (GtColor){ bytes[0], bytes[1], bytes[2], bytes[3] };
    return true;
}

bool gt_color_parse(const char* text, GtColor* out)
{
    if (text[0] == '#') {
        return parse_hex(text + 1, out);
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (!strcasecmp(names[i].name, text)) {
            *out = names[i].color;
            return true;
        }
    }
    return false;
}

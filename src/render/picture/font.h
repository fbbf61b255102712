// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The built-in font: letters as strokes of a round pen, so that one table serves every size and needs no file.

#ifndef GERTIE_RENDER_PICTURE_FONT_H
#define GERTIE_RENDER_PICTURE_FONT_H

#include "gertie/api.h"

// A letter on a grid of 100 units an em: baseline at 0, capitals to 70, small letters to 50, descenders to -20.
// Strokes: M x y (begin), L x y (line), C x y x y x y (cubic curve), O x y rx ry (ellipse), D x y (dot).
typedef struct GtiGlyph {
    uint32_t code;
    uint8_t advance; // to the next letter's origin
    const char* strokes;
} GtiGlyph;

enum {
    GTI_FONT_PEN = 9,    // its width
    GTI_FONT_RAISE = 32, // how high a raised letter stands
};

#define GTI_FONT_SMALL 0.58f // size of a raised letter

// The letter of a code point, and whether it is drawn small and high; a box where there is none.
const GtiGlyph* gti_font_find(uint32_t code, bool* raised);

#endif

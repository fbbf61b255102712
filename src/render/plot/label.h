// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Texts in a picture whose fonts we do not have: about how wide they are, and cut where they are too long.

#ifndef GERTIE_RENDER_PLOT_LABEL_H
#define GERTIE_RENDER_PLOT_LABEL_H

#include "gertie/memory.h"

// About how wide a text is in a sans-serif font, rather too much than too little.
double gti_label_width(const char* text, double font_size);

// The text itself, or, where it is wider than `width`, a copy with an ellipsis in its middle, since names differ at
// their ends; NULL when memory ran out.
const char* gti_label_fit(GtArena* arena, const char* text, double font_size, double width);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the command adds to text that grows: words for a terminal.

#ifndef GERTIE_CLI_TEXT_H
#define GERTIE_CLI_TEXT_H

#include "gertie/text.h"

// Add `count` spaces; nothing when it is 0 or less.
void text_add_spaces(GtText* text, int count);

// Add words from `prose`, wrapped at 79 columns with `indent` spaces before each line but the first, on which the
// cursor stands at `column`. A newline in the prose is kept. No newline follows the last word.
void text_add_wrapped(GtText* text, const char* prose, int column, int indent);

// The words of a part that go into `whole`; where the part failed, so has the whole, and there are none.
const char* text_part(GtText* whole, const GtText* part);

// What follows a noun of which there are so many.
const char* plural(int32_t count);

// Number of code points, which is near enough to the columns a terminal gives them.
int text_columns(const char* utf8);

#endif

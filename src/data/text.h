// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#ifndef GERTIE_DATA_TEXT_H
#define GERTIE_DATA_TEXT_H

#include "gertie/text.h"

// Add text as content or a quoted attribute of an XML 1.0 or HTML element: markup is escaped, control characters and
// bytes that are no UTF-8 become U+FFFD.
void gti_text_add_markup(GtText* text, const char* untrusted);

#endif

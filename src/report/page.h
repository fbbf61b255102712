// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What all pages share: one HTML file that needs nothing else, light or dark as the reader's system is.

#ifndef GERTIE_REPORT_PAGE_H
#define GERTIE_REPORT_PAGE_H

#include "data/text.h"
#include "gertie/context.h"

// Add the head of a page up to its styles; its title has to follow.
void gti_page_begin(GtText* page, const char* more_style);

GtResult gti_page_write(const GtContext* context, const GtText* page, const char* path, GtError* error);

#endif

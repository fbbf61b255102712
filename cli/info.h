// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#ifndef GERTIE_CLI_INFO_H
#define GERTIE_CLI_INFO_H

#include "text.h"

#include "gertie/survey.h"

// Add the table of one file for people: measures are rounded to three digits, long lists are cut.
void info_add_table(GtText* text, const char* path, const GtSurvey* survey);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The two faces of `info`: a table for people and a report for programs.

#ifndef GERTIE_CLI_INFO_H
#define GERTIE_CLI_INFO_H

#include "survey.h"

#include "gertie/file.h"
#include "gertie/sculpt.h"

// Whether a format leaves units and up axis open; a scene made by a program has none.
static inline bool leaves_units_open(const char* format)
{
    return gt_format_holds(format, 0) && !gt_format_holds(format, GT_HOLDS_UNITS);
}

// One file.
typedef struct InfoSubject {
    const GtContext* context;
    const char* path;
    const GtScene* scene;
    const Survey* survey;
    const GtSculpt* sculpt; // that it keeps, or NULL
    bool with_channels;
} InfoSubject;

// The whole table; measures are rounded to three digits.
GtResult info_add_table(Text* text, const InfoSubject* subject, GtError* error);

// Members of an open object.
GtResult info_add_report(Json* json, const InfoSubject* subject, GtError* error);

// Go through everything that can be animated, with the number of clips that have keys for it.
GtResult info_each_channel(const GtContext* context, const GtScene* scene,
                           void (*visit)(void* user, const char* address, int32_t clip_count), void* user,
                           GtError* error);

#endif

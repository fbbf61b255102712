// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The two faces of `info`: a table for people and a report for programs.

#ifndef GERTIE_CLI_INFO_H
#define GERTIE_CLI_INFO_H

#include "survey.h"

typedef struct InfoSubject {
    const char* path;
    const GtScene* scene;
    const Survey* survey;
    bool with_channels;
} InfoSubject;

// The whole table; measures are rounded to three digits.
void info_add_table(Text* text, const InfoSubject* subject);

// Members of an open object.
void info_add_report(Json* json, const InfoSubject* subject);

// Go through everything that can be animated, with the number of clips that have keys for it.
// @return false when memory ran out
bool info_each_channel(const InfoSubject* subject, void (*visit)(void* user, const char* address, int32_t clip_count),
                       void* user);

#endif

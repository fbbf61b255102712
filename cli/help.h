// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the command says about itself, made from the verbs' tables.

#ifndef GERTIE_CLI_HELP_H
#define GERTIE_CLI_HELP_H

#include "session.h"

// Explain a verb, or with NULL the whole command, on standard output.
void help_print(Session* session, const Verb* verb);

// "FILE..." or "[FILE]" for every argument, and the options that are required, each after a space.
void help_add_synopsis(GtText* text, const Verb* verb);

// The defaults of a verb's options.
typedef struct HelpDefaults {
    _Alignas(max_align_t) unsigned char options[MAX_OPTIONS_SIZE];
} HelpDefaults;

// Of the options of every verb where `verb` is NULL.
void help_set_defaults(HelpDefaults* defaults, const Verb* verb);

// An option's phrase with its range and default: "height of the person (0.5 to 2.5; default: 1.75)".
void help_add_phrase(GtText* text, const HelpDefaults* defaults, const Option* option);

// An argument's phrase with its choices and default.
void help_add_argument(GtText* text, const Argument* argument);

// Whether the choices of a field have meanings to list.
bool help_lists_choices(const GtField* field);

// What every verb has in common, in paragraphs.
extern const char help_common_text[];

// The manual page, for man(1).
void help_add_man(GtText* text);

// The options of a verb, as docs/verbs has them.
void help_add_markdown(GtText* text, const Verb* verb);

// The completion script, for bash.
void help_add_bash(GtText* text);

#endif

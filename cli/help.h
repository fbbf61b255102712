// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the command says about itself, made from the verbs' tables.

#ifndef GERTIE_CLI_HELP_H
#define GERTIE_CLI_HELP_H

#include "session.h"

// Explain a verb, or with NULL the whole command, on standard output.
void help_print(Session* session, const Verb* verb);

// "FILE..." or "[FILE]" for every argument, and the options that are required, each after a space.
void help_add_synopsis(Text* text, const Verb* verb);

// An option's phrase with its range and default: "height of the figure (a number from 0.2 to 10; default 1.7)".
void help_add_option(Text* text, const Option* option, const OptionValue* value);

// What every verb has in common, in paragraphs.
extern const char help_common_text[];

// The manual page, for man(1).
void help_add_man(Text* text);

// The completion script, for bash.
void help_add_bash(Text* text);

#endif

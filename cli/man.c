// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The manual page in troff with the man(7) macros, from the verbs' tables.

#include "help.h"

#include <string.h>

// Text as troff takes it: dashes that can be copied, no escapes, no macro at the start of a line; an empty line starts
// a paragraph.
static void add_troff(GtText* text, const char* prose)
{
    bool line_starts = true;
    for (const char* at = prose; *at; ++at) {
        if (line_starts && (*at == '.' || *at == '\'')) {
            gt_text_adds(text, "\\&");
        }
        line_starts = *at == '\n';
        if (at[0] == '\n' && at[1] == '\n') {
            gt_text_adds(text, "\n.PP\n");
            ++at;
        } else if (*at == '-') {
            gt_text_adds(text, "\\-");
        } else if (*at == '\\') {
            gt_text_adds(text, "\\e");
        } else {
            gt_text_add(text, at, 1);
        }
    }
}

static void add_troff_text(GtText* text, GtText* prose)
{
    add_troff(text, prose->failed || !prose->bytes ? "" : prose->bytes);
    text->failed |= prose->failed;
    gt_text_destroy(prose);
}

static void add_options(GtText* text, const Option* options, const HelpDefaults* defaults)
{
    for (const Option* option = options; option->name; ++option) {
        GtText help = { 0 };
        GtField field = option_field(option);
        const char* value = option_value_name(option);
        gt_text_adds(text, ".TP\n");
        if (option->letter) {
            gt_text_addf(text, "\\fB\\-%c\\fR, ", option->letter);
        }
        gt_text_adds(text, "\\fB\\-\\-");
        add_troff(text, option->name);
        gt_text_addf(text, "\\fR%s%s%s\n", value ? " \\fI" : "", value ? value : "", value ? "\\fR" : "");
        help_add_phrase(&help, defaults, option);
        add_troff_text(text, &help);
        gt_text_adds(text, "\n");
        for (const GtChoice* c = help_lists_choices(&field) ? field.choices : NULL; c && c->name; ++c) {
            gt_text_addf(text, "%s.TP\n.B %s\n", c == field.choices ? ".RS\n" : "", c->name);
            add_troff(text, c->help);
            gt_text_addf(text, "\n%s", c[1].name ? "" : ".RE\n");
        }
    }
}

static void add_verb(GtText* text, const Verb* verb)
{
    HelpDefaults defaults;
    help_set_defaults(&defaults, verb);
    GtText synopsis = { 0 };
    help_add_synopsis(&synopsis, verb);
    gt_text_addf(text, ".SS \"gertie %s\"\n\\fBgertie %s\\fR", verb->name, verb->name);
    add_troff_text(text, &synopsis);
    gt_text_adds(text, "\n.PP\n");
    add_troff(text, verb->description);
    gt_text_adds(text, "\n");
    for (const Argument* argument = verb->arguments; argument->name; ++argument) {
        GtText help = { 0 };
        gt_text_addf(text, ".TP\n.I %s\n", argument->name);
        help_add_argument(&help, argument);
        add_troff_text(text, &help);
        gt_text_adds(text, "\n");
    }
    add_options(text, verb->options, &defaults);
    for (const Example* example = verb->examples; example->command; ++example) {
        gt_text_adds(text, ".PP\n");
        add_troff(text, example->meaning);
        gt_text_adds(text, ":\n.PP\n.RS 4\n.nf\n");
        add_troff(text, example->command);
        gt_text_adds(text, "\n.fi\n.RE\n");
    }
}

void help_add_man(GtText* text)
{
    HelpDefaults defaults;
    help_set_defaults(&defaults, NULL);
    gt_text_addf(text,
                 ".TH GERTIE 1 \"\" \"gertie %s\" \"User Commands\"\n"
                 ".SH NAME\ngertie \\- characters and motions, from file to file\n"
                 ".SH SYNOPSIS\n.B gertie\n.I VERB\n[\\fIARGUMENT\\fR...] [\\fIOPTION\\fR...]\n"
                 ".SH DESCRIPTION\n",
                 gt_version());
    add_troff(text, help_common_text);
    gt_text_adds(text, "\n.SH VERBS\n");
    for (const Verb* const* verb = all_verbs; *verb; ++verb) {
        add_verb(text, *verb);
    }
    gt_text_adds(text, ".SH \"OPTIONS OF EVERY VERB\"\n");
    add_options(text, common_options, &defaults);
}

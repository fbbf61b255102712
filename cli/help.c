// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verbs `help` and `version`, and the pages they print. man.c and completion.c write the same tables for other
// readers.

#include "help.h"

#include "verbs.h"

#include "gertie/file.h"
#include "gertie/number.h"
#include "gertie/simd.h"

#include <string.h>

const char help_common_text[] =
    "Options may stand anywhere, as --name value or --name=value; -- ends them. Words go to standard error, results "
    "to files or standard output. A file is written beside its place and renamed, so that a failed or interrupted run "
    "never leaves a broken one, and the same input gives the same bytes.\n\n"
    "The exit status is 0 when the job is done (warnings may have been said), 1 when it failed, with one line that "
    "says which file, where in it, what is wrong and what to do, and 2 for wrong usage.";

void help_add_synopsis(Text* text, const Verb* verb)
{
    for (const Argument* argument = verb->arguments; argument->name; ++argument) {
        text_addf(text, " %s%s%s%s", argument->optional ? "[" : "", argument->name, argument->repeats ? "..." : "",
                  argument->optional ? "]" : "");
    }
    bool has_more = false;
    for (const Option* option = verb->options; option->name; ++option) {
        if (option->required) {
            text_addf(text, " -%c %s%s", option->letter, option->value, option->repeats ? "..." : "");
        }
        has_more |= !option->required;
    }
    if (has_more) {
        text_adds(text, " [OPTION...]");
    }
}

void help_add_option(Text* text, const Option* option, const OptionValue* value)
{
    text_adds(text, option->help);
    text_adds(text, option->repeats ? "; may be given more than once" : "");
    char range[192];
    option_print_range(option, range, sizeof range);
    if (!range[0] && !value->has_default) {
        return;
    }
    text_addf(text, " (%s", range);
    if (value->has_default) {
        char number[GT_NUMBER_SIZE];
        gt_print_double(value->number, number);
        text_addf(text, "%sdefault %s", range[0] ? "; " : "", value->text ? value->text : number);
    }
    text_adds(text, ")");
}

static void add_row(Text* text, const char* left, const char* right)
{
    enum {
        RIGHT_COLUMN = 25
    };
    int used = 2 + text_columns(left);
    text_addf(text, "  %s", left);
    if (used + 2 > RIGHT_COLUMN) {
        text_adds(text, "\n");
        used = 0;
    }
    text_add_spaces(text, RIGHT_COLUMN - used);
    text_add_wrapped(text, right, RIGHT_COLUMN, RIGHT_COLUMN);
    text_adds(text, "\n");
}

static void add_options(Text* text, const Option* options, const OptionValue* values)
{
    for (const Option* option = options; option->name; ++option) {
        Text left = { 0 };
        Text right = { 0 };
        if (option->letter) {
            text_addf(&left, "-%c, --%s", option->letter, option->name);
        } else {
            text_addf(&left, "    --%s", option->name);
        }
        if (option->value) {
            text_addf(&left, " %s", option->value);
        }
        help_add_option(&right, option, values + (option - options));
        add_row(text, left.failed ? "" : left.bytes, right.failed ? "" : right.bytes);
        text_free(&left);
        text_free(&right);
    }
}

static void add_verb_page(Text* text, const Verb* verb)
{
    static const OptionValue no_values[COMMON_COUNT];
    OptionValue values[MAX_OPTIONS] = { { 0 } };
    if (verb->defaults) {
        verb->defaults(values);
    }
    text_addf(text, "gertie %s: %s\n\nUsage: gertie %s", verb->name, verb->summary, verb->name);
    help_add_synopsis(text, verb);
    text_adds(text, "\n\n");
    text_add_wrapped(text, verb->description, 0, 0);
    text_adds(text, "\n\n");
    if (verb->arguments[0].name) {
        text_adds(text, "Arguments:\n");
        for (const Argument* argument = verb->arguments; argument->name; ++argument) {
            add_row(text, argument->name, argument->help);
        }
        text_adds(text, "\n");
    }
    text_adds(text, "Options:\n");
    add_options(text, verb->options, values);
    add_options(text, common_options, no_values);
    text_adds(text, "\nExamples:\n");
    for (const Example* example = verb->examples; example->command; ++example) {
        text_addf(text, "  %s\n      ", example->command);
        text_add_wrapped(text, example->meaning, 6, 6);
        text_adds(text, "\n");
    }
}

static void add_front_page(Text* text)
{
    static const OptionValue no_values[COMMON_COUNT];
    text_adds(text, "gertie: characters and motions, from file to file\n\nUsage: gertie VERB [ARGUMENT...] "
                    "[OPTION...]\n\nVerbs:\n");
    for (const Verb* const* verb = all_verbs; *verb; ++verb) {
        add_row(text, (*verb)->name, (*verb)->summary);
    }
    text_adds(text, "\nOptions of every verb:\n");
    add_options(text, common_options, no_values);
    text_adds(text, "\nFormats:\n");
    for (const GtFormat* format = gt_formats(); format->name; ++format) {
        Text right = { 0 };
        text_addf(&right, "%s (%s)", format->description,
                  format->reads && format->writes ? "read and written"
                  : format->reads                 ? "read"
                                                  : "written");
        add_row(text, format->name, right.failed ? "" : right.bytes);
        text_free(&right);
    }
    text_adds(text, "\n");
    text_add_wrapped(text, help_common_text, 0, 0);
    text_adds(text, "\n\nTo start:\n"
                    "  gertie sample -o demo\n"
                    "  gertie animate demo/figure.glb demo/walk.bvh -o demo/walk.glb\n"
                    "  gertie help VERB\n");
}

// A text is the result: as it is, or as a member of the report.
static void print_text(Session* session, const Text* text)
{
    if (session->json) {
        json_member_string(&session->report, "text", text->failed ? NULL : text->bytes);
    } else {
        session_print(session, text);
    }
}

void help_print(Session* session, const Verb* verb)
{
    Text text = { 0 };
    if (verb) {
        add_verb_page(&text, verb);
    } else {
        add_front_page(&text);
    }
    print_text(session, &text);
    text_free(&text);
}

enum {
    HELP_MAN,
    HELP_COMPLETION
};

static bool help_run(Session* session, const CommandLine* line)
{
    if (line->values[HELP_MAN].given || line->values[HELP_COMPLETION].given) {
        Text text = { 0 };
        (line->values[HELP_MAN].given ? help_add_man : help_add_bash)(&text);
        print_text(session, &text);
        text_free(&text);
        return true;
    }
    help_print(session, line->argument_count ? verb_find(line->arguments[0]) : NULL);
    return true;
}

static const char* const shells[] = { "bash", NULL };

const Verb verb_help = {
    .name = "help",
    .summary = "explain a verb, or the whole command",
    .description = "Prints what a verb does, its options and examples. The manual page and the shell completion are "
                   "made from the same tables.",
    .arguments = { { .name = "VERB", .help = "the verb to explain", .optional = true, .is_verb = true } },
    .options = { [HELP_MAN] = { .name = "man", .help = "print the manual page in troff" },
                 [HELP_COMPLETION] = { .name = "completion",
                                       .kind = OPTION_CHOICE,
                                       .value = "SHELL",
                                       .choices = shells,
                                       .help = "print the completion script for a shell" } },
    .examples = (const Example[]){ { "gertie help animate", "how to put a motion on a character" },
                                   { "gertie help --man | man -l -", "read the manual page" },
                                   { "source <(gertie help --completion bash)",
                                     "complete verbs, options and files in this shell" },
                                   { NULL, NULL } },
    .run = help_run,
};

static bool version_run(Session* session, const CommandLine* line)
{
    (void)line;
    if (session->json) {
        json_member_string(&session->report, "version", gt_version());
        json_member_string(&session->report, "processor", gt_simd_level_name(gt_simd_level()));
        return true;
    }
    Text text = { 0 };
    text_addf(&text, "gertie %s\n", gt_version());
    session_print(session, &text);
    text_free(&text);
    return true;
}

const Verb verb_version = {
    .name = "version",
    .summary = "print the version",
    .description = "Prints the version of the command and its library. --json also says which vector instructions of "
                   "the processor are used.",
    .examples = (const Example[]){ { "gertie version", "such as \"gertie 0.1.0\"" }, { NULL, NULL } },
    .run = version_run,
};

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

#include <stdio.h>
#include <string.h>

const char help_common_text[] =
    "Options may stand anywhere, as --name value or --name=value; -- ends them. Messages go to standard error, results "
    "to files or standard output. A file appears whole or not at all, also when a run fails or is interrupted, and the "
    "same input gives the same bytes.\n\n"
    "The exit status is 0 for success, with or without warnings, 1 for failure, with one line that says which file, "
    "where in it, what is wrong and what to do, and 2 for wrong usage.";

void help_add_synopsis(GtText* text, const Verb* verb)
{
    for (const Argument* argument = verb->arguments; argument->name; ++argument) {
        gt_text_addf(text, " %s%s%s%s", argument->optional ? "[" : "", argument->name, argument->repeats ? "..." : "",
                     argument->optional ? "]" : "");
    }
    bool has_more = false;
    for (const Option* option = verb->options; option->name; ++option) {
        if (option->required) {
            gt_text_addf(text, " -%c %s%s", option->letter, option_value_name(option), option->repeats ? "..." : "");
        }
        has_more |= !option->required;
    }
    if (has_more) {
        gt_text_adds(text, " [OPTION...]");
    }
}

// Limits that are there only to refuse nonsense would be noise in a help page.
static bool tells_limits(const GtField* field)
{
    bool is_whole = field->type != GT_FIELD_FLOAT && field->type != GT_FIELD_DOUBLE;
    double most = is_whole ? 1e6 : 1e3;
    return (field->min != 0.0 || field->max != 0.0) && field->min >= -most && field->max <= most;
}

bool help_lists_choices(const GtField* field)
{
    return field->choices && field->choices[0].help;
}

// What a value may be, as short as it goes: "1 to 16", "y, z or x".
static void print_values(const Option* option, const GtField* field, char* out, size_t out_size)
{
    GtField shown = *field;
    out[0] = 0;
    if (field->choices && !help_lists_choices(field)) {
        shown.min = shown.max = 0.0;
        gt_field_print_range(&shown, out, out_size);
    } else if (!field->choices && field->type != GT_FIELD_BOOL && field->type != GT_FIELD_TEXT && !option->is_size &&
               tells_limits(field)) {
        char min[GT_NUMBER_SIZE];
        char max[GT_NUMBER_SIZE];
        gt_print_double(field->min, min);
        gt_print_double(field->max, max);
        snprintf(out, out_size, "%s to %s", min, max);
    }
}

// The default as people read it; empty where there is none to speak of.
static void print_default(const HelpDefaults* defaults, const Option* option, const GtField* field, char* out,
                          size_t out_size)
{
    out[0] = 0;
    if (option->required || field->type == GT_FIELD_BOOL || option->repeats) {
        return;
    }
    if (field->default_text) {
        snprintf(out, out_size, "%s", field->default_text);
    } else {
        gt_field_print(field, defaults->options + field->offset, out, out_size);
    }
}

void help_set_defaults(HelpDefaults* defaults, const Verb* verb)
{
    *defaults = (HelpDefaults){ 0 };
    if (verb) {
        option_set_defaults(verb, defaults->options);
    }
}

void help_add_phrase(GtText* text, const HelpDefaults* defaults, const Option* option)
{
    char values[192];
    char standard[128];
    GtField field = option_field(option);
    print_values(option, &field, values, sizeof values);
    print_default(defaults, option, &field, standard, sizeof standard);
    gt_text_adds(text, field.help);
    gt_text_adds(text, option->repeats ? "; may be given more than once" : "");
    if (values[0] || standard[0]) {
        gt_text_addf(text, " (%s%s%s%s)", values, values[0] && standard[0] ? "; " : "", standard[0] ? "default: " : "",
                     standard);
    }
}

void help_add_argument(GtText* text, const Argument* argument)
{
    char names[256] = "";
    gt_text_adds(text, argument->help);
    if (argument->choices) {
        option_print_choices(argument->choices, names, sizeof names);
        gt_text_addf(text, " (%s%s%s)", names, argument->default_text ? "; default: " : "",
                     argument->default_text ? argument->default_text : "");
    }
}

enum {
    RIGHT_COLUMN = 25, // of what options mean
    NAME_COLUMN = 13   // of what verbs and formats are
};

static void add_row(GtText* text, const char* left, int column, const char* right)
{
    int used = 2 + text_columns(left);
    gt_text_addf(text, "  %s", left);
    if (used + 2 > column) {
        gt_text_adds(text, "\n");
        used = 0;
    }
    text_add_spaces(text, column - used);
    text_add_wrapped(text, right, column, column);
    gt_text_adds(text, "\n");
}

// One choice a line, with what it means.
static void add_choices(GtText* text, const GtChoice* choices)
{
    int widest = 0;
    for (const GtChoice* choice = choices; choice->name; ++choice) {
        int columns = text_columns(choice->name);
        widest = columns > widest ? columns : widest;
    }
    for (const GtChoice* choice = choices; choice->name; ++choice) {
        int indent = RIGHT_COLUMN + 2 + widest + 2;
        text_add_spaces(text, RIGHT_COLUMN + 2);
        gt_text_adds(text, choice->name);
        text_add_spaces(text, widest + 2 - text_columns(choice->name));
        text_add_wrapped(text, choice->help, indent, indent);
        gt_text_adds(text, "\n");
    }
}

static void add_option(GtText* text, const HelpDefaults* defaults, const Option* option)
{
    GtText left = { 0 };
    GtText right = { 0 };
    GtField field = option_field(option);
    const char* value = option_value_name(option);
    if (option->letter) {
        gt_text_addf(&left, "-%c, --%s", option->letter, option->name);
    } else {
        gt_text_addf(&left, "    --%s", option->name);
    }
    gt_text_addf(&left, "%s%s", value ? " " : "", value ? value : "");
    help_add_phrase(&right, defaults, option);
    add_row(text, text_part(text, &left), RIGHT_COLUMN, text_part(text, &right));
    if (help_lists_choices(&field)) {
        add_choices(text, field.choices);
    }
    gt_text_destroy(&left);
    gt_text_destroy(&right);
}

static void add_options(GtText* text, const Verb* verb)
{
    HelpDefaults defaults;
    help_set_defaults(&defaults, verb);
    for (const Option* option = verb->options; option->name; ++option) {
        bool is_more = verb->more_from && !strcmp(option->name, verb->more_from);
        gt_text_adds(text, is_more ? "\nMore options:\n" : option == verb->options ? "Options:\n" : "");
        add_option(text, &defaults, option);
    }
    gt_text_adds(text, verb->options[0].name ? "\n" : "");
}

static void add_verb_page(GtText* text, const Verb* verb)
{
    gt_text_addf(text, "gertie %s: %s\n\nUsage: gertie %s", verb->name, verb->summary, verb->name);
    help_add_synopsis(text, verb);
    gt_text_adds(text, "\n\n");
    text_add_wrapped(text, verb->description, 0, 0);
    gt_text_adds(text, "\n\n");
    if (verb->arguments[0].name) {
        gt_text_adds(text, "Arguments:\n");
        for (const Argument* argument = verb->arguments; argument->name; ++argument) {
            GtText right = { 0 };
            help_add_argument(&right, argument);
            add_row(text, argument->name, RIGHT_COLUMN, text_part(text, &right));
            gt_text_destroy(&right);
        }
        gt_text_adds(text, "\n");
    }
    add_options(text, verb);
    gt_text_adds(text, "Also:");
    for (const Option* option = common_options; option->name; ++option) {
        gt_text_addf(text, " --%s", option->name);
    }
    gt_text_adds(text, " ('gertie help' explains them)\n\nExamples:\n");
    for (const Example* example = verb->examples; example->command; ++example) {
        gt_text_addf(text, "  %s\n      ", example->command);
        text_add_wrapped(text, example->meaning, 6, 6);
        gt_text_adds(text, "\n");
    }
}

// What verbs are for; each heading stands before a verb of all_verbs.
static const struct {
    const Verb* first;
    const char* heading;
} tasks[] = { { &verb_animate, "Put motions on characters" },
              { &verb_clip, "Edit motions and characters" },
              { &verb_info, "Look and measure" },
              { &verb_convert, "Read and write files" },
              { &verb_help, "About the command" } };

static void add_front_page(GtText* text)
{
    HelpDefaults defaults;
    help_set_defaults(&defaults, NULL);
    gt_text_adds(text, "gertie: characters and motions, from file to file\n\n"
                       "Usage: gertie VERB [ARGUMENT...] [OPTION...]\n");
    for (const Verb* const* verb = all_verbs; *verb; ++verb) {
        for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; ++i) {
            if (tasks[i].first == *verb) {
                gt_text_addf(text, "\n%s:\n", tasks[i].heading);
            }
        }
        add_row(text, (*verb)->name, NAME_COLUMN, (*verb)->summary);
    }
    gt_text_adds(text, "\nOptions of every verb:\n");
    for (const Option* option = common_options; option->name; ++option) {
        add_option(text, &defaults, option);
    }
    gt_text_adds(text, "\nFormats:\n");
    for (const GtFormat* format = gt_formats(); format->name; ++format) {
        GtText right = { 0 };
        gt_text_addf(&right, "%s (%s)", format->description,
                     format->reads && format->writes ? "read and written"
                     : format->reads                 ? "read"
                                                     : "written");
        add_row(text, format->name, NAME_COLUMN, text_part(text, &right));
        gt_text_destroy(&right);
    }
    gt_text_adds(text, "\n");
    text_add_wrapped(text, help_common_text, 0, 0);
    gt_text_adds(text, "\n\nTo start:\n"
                       "  gertie sample -o demo\n"
                       "  gertie animate demo/person.glb demo/walk.bvh -o walking.glb\n"
                       "  gertie help animate\n");
}

// A text is the result: as it is, or as a member of the report.
static void print_text(Session* session, const GtText* text)
{
    if (session->json) {
        gt_json_member_string(&session->report, "text", text->failed ? NULL : text->bytes);
    } else {
        session_print(session, text);
    }
}

void help_print(Session* session, const Verb* verb)
{
    GtText text = { 0 };
    if (verb) {
        add_verb_page(&text, verb);
    } else {
        add_front_page(&text);
    }
    print_text(session, &text);
    gt_text_destroy(&text);
}

typedef struct HelpOptions {
    bool man;
    bool markdown;
    const char* completion;
} HelpOptions;

static bool help_run(Session* session, const CommandLine* line)
{
    const HelpOptions* options = line->options;
    const Verb* verb = line->argument_count ? verb_find(line->arguments[0]) : NULL;
    GtText text = { 0 };
    if (options->markdown && !verb) {
        return session_misuse(session, "--markdown needs the name of a verb");
    }
    if (options->markdown) {
        help_add_markdown(&text, verb);
    } else if (options->man || options->completion) {
        (options->man ? help_add_man : help_add_bash)(&text);
    } else {
        help_print(session, verb);
        return true;
    }
    print_text(session, &text);
    gt_text_destroy(&text);
    return true;
}

static const GtChoice shells[] = { { "bash", 0, NULL }, { NULL, 0, NULL } };

const Verb verb_help = {
    .name = "help",
    .summary = "explain a verb, or the whole command",
    .description =
        "Prints what a verb does, its options and examples. The manual page and the shell completion are made from "
        "the same tables.",
    .arguments = { { .name = "VERB", .help = "the verb to explain", .optional = true, .is_verb = true } },
    .options = { FLAG_OPTION("man", HelpOptions, man, "print the manual page in troff"),
                 FLAG_OPTION("markdown", HelpOptions, markdown, "print the options of VERB as a table in Markdown"),
                 CHOICE_OPTION("completion", HelpOptions, completion, shells, "print the completion script for a shell",
                               .value = "SHELL") },
    .examples = (const Example[]){ { "gertie help animate", "how to put a motion on a character" },
                                   { "gertie help --man | man -l -", "read the manual page" },
                                   { "source <(gertie help --completion bash)",
                                     "complete verbs, options and files in this shell" },
                                   { NULL, NULL } },
    .options_size = sizeof(HelpOptions),
    .run = help_run,
};

static bool version_run(Session* session, const CommandLine* line)
{
    (void)line;
    if (session->json) {
        gt_json_member_string(&session->report, "version", gt_version());
        gt_json_member_string(&session->report, "processor", gt_simd_level_name(gt_simd_level()));
        return true;
    }
    GtText text = { 0 };
    gt_text_addf(&text, "gertie %s\n", gt_version());
    session_print(session, &text);
    gt_text_destroy(&text);
    return true;
}

const Verb verb_version = {
    .name = "version",
    .summary = "print the version",
    .description =
        "Prints the version of the command and its library. --json also says which vector instructions of the "
        "processor are used.",
    .examples = (const Example[]){ { "gertie version", "such as \"gertie 0.1.0\"" }, { NULL, NULL } },
    .run = version_run,
};

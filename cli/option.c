// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Parsing a command line by a verb's table. Forms: --name value, --name=value, -x value, -xvalue, -abc for flags.
// A value that starts with a dash is taken only when it is a lone dash or a number, so that a forgotten value does not
// swallow the next option; --name=value takes anything.

#include "option.h"

#include "fail.h"

#include "gertie/number.h"

#include <stdio.h>
#include <string.h>

const Option common_options[COMMON_COUNT + 1] = {
    [COMMON_HELP] = { .name = "help", .letter = 'h', .help = "explain the verb and stop" },
    [COMMON_JSON] = { .name = "json", .help = "print one JSON report, and nothing else, on standard output" },
    [COMMON_QUIET] = { .name = "quiet", .letter = 'q', .help = "say nothing but warnings and errors" },
    [COMMON_STRICT] = { .name = "strict", .help = "refuse damaged files that would be repaired with a warning" },
    [COMMON_THREADS] = { .name = "threads",
                         .kind = OPTION_INTEGER,
                         .value = "N",
                         .help = "work on N processors, all of them without it or with 0; the result is the same",
                         .min = 0,
                         .max = 256 },
};

const Verb* verb_find(const char* name)
{
    for (const Verb* const* verb = all_verbs; *verb; ++verb) {
        if (!strcmp((*verb)->name, name)) {
            return *verb;
        }
    }
    return NULL;
}

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

// Edits that turn one word into the other, a swap of neighbours counting as one (optimal string alignment).
static int edit_distance(const char* a, const char* b)
{
    enum {
        LONGEST = 40
    };
    int n = (int)strnlen(a, LONGEST);
    int m = (int)strnlen(b, LONGEST);
    int rows[3][LONGEST + 1];
    for (int j = 0; j <= m; ++j) {
        rows[0][j] = j;
    }
    for (int i = 1; i <= n; ++i) {
        int* row = rows[i % 3];
        const int* above = rows[(i + 2) % 3];
        row[0] = i;
        for (int j = 1; j <= m; ++j) {
            row[j] = min_int(above[j - 1] + (a[i - 1] != b[j - 1]), 1 + min_int(above[j], row[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = min_int(row[j], 1 + rows[(i + 1) % 3][j - 2]);
            }
        }
    }
    return rows[n % 3][m];
}

const char* option_nearest(const char* word, const char* const* names)
{
    size_t length = strlen(word);
    const char* nearest = NULL;
    int best = length < 4 ? 2 : length < 8 ? 3 : 4; // one edit less: about a third of the letters
    for (; *names; ++names) {
        bool is_start = length >= 2 && !strncmp(word, *names, length);
        int distance = is_start ? 1 : edit_distance(word, *names);
        if (distance < best) {
            best = distance;
            nearest = *names;
        }
    }
    return nearest;
}

void option_print_choices(const char* const* names, char* out, size_t out_size)
{
    size_t used = 0;
    out[0] = 0;
    for (int i = 0; names[i] && used < out_size; ++i) {
        const char* before = i == 0 ? "" : names[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(out + used, out_size - used, "%s%s", before, names[i]);
    }
}

void option_print_range(const Option* option, char* out, size_t out_size)
{
    char min[GT_NUMBER_SIZE], max[GT_NUMBER_SIZE], choices[128];
    gt_print_double(option->min, min);
    gt_print_double(option->max, max);
    out[0] = 0;
    switch (option->kind) {
    case OPTION_FLAG:
    case OPTION_TEXT:
    case OPTION_FILE:
        break;
    case OPTION_INTEGER:
        snprintf(out, out_size, "a whole number from %s to %s", min, max);
        break;
    case OPTION_NUMBER:
        snprintf(out, out_size, "a number from %s to %s", min, max);
        break;
    case OPTION_SIZE:
        snprintf(out, out_size, "a width and a height like 1280x720, each from %s to %s", min, max);
        break;
    case OPTION_UNIT:
    case OPTION_CHOICE:
        option_print_choices(option->choices, choices, sizeof choices);
        snprintf(out, out_size, "%s%s", choices, option->kind == OPTION_UNIT ? ", or how many metres a unit is" : "");
        break;
    }
}

// Where to read more, for the end of a complaint.
static const char* help_hint(const CommandLine* line, char hint[80])
{
    snprintf(hint, 80, "(see 'gertie help%s%s')", line->verb ? " " : "", line->verb ? line->verb->name : "");
    return hint;
}

static bool unknown_option(const CommandLine* line, const char* name, size_t length, GtError* error)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)min_int((int)length, 63), name);
    const char* names[MAX_OPTIONS + COMMON_COUNT + 1];
    int count = 0;
    for (const Option* o = line->verb ? line->verb->options : NULL; o && o->name; ++o) {
        names[count++] = o->name;
    }
    for (const Option* o = common_options; o->name; ++o) {
        names[count++] = o->name;
    }
    names[count] = NULL;
    const char* nearest = option_nearest(word, names);
    char hint[80];
    fail(error, GT_ERROR_NOT_FOUND, NULL, "unknown option --%s%s%s%s %s", word, nearest ? "; did you mean --" : "",
         nearest ? nearest : "", nearest ? "?" : "", help_hint(line, hint));
    return false;
}

typedef struct OptionRef {
    const Option* option; // or NULL
    OptionValue* value;
} OptionRef;

static OptionRef find_option(CommandLine* line, const char* name, size_t length, char letter)
{
    const Option* tables[] = { line->verb ? line->verb->options : NULL, common_options };
    OptionValue* values[] = { line->values, line->common };
    for (int t = 0; t < 2; ++t) {
        for (const Option* o = tables[t]; o && o->name; ++o) {
            bool same = letter ? o->letter == letter : strlen(o->name) == length && !strncmp(o->name, name, length);
            if (same) {
                return (OptionRef){ o, values[t] + (o - tables[t]) };
            }
        }
    }
    return (OptionRef){ 0 };
}

static bool parse_number(const char* text, bool integer, double* out)
{
    const char* end = text + strlen(text);
    int64_t whole = 0;
    const char* rest = integer ? gt_parse_int64(text, end, &whole) : gt_parse_double(text, end, out);
    if (integer && rest) {
        *out = (double)whole;
    }
    return rest == end && rest != text;
}

static bool parse_size(const Option* option, const char* text, OptionValue* value)
{
    const char* end = text + strlen(text);
    int64_t width = 0;
    int64_t height = 0;
    const char* cross = gt_parse_int64(text, end, &width);
    bool ok = cross && cross < end && *cross == 'x' && gt_parse_int64(cross + 1, end, &height) == end;
    double least = (double)(width < height ? width : height);
    double most = (double)(width < height ? height : width);
    if (!ok || least < option->min || most > option->max) {
        return false;
    }
    value->width = (int32_t)width;
    value->height = (int32_t)height;
    return true;
}

static bool parse_choice(const char* const* choices, const char* text, int32_t* out)
{
    for (int32_t i = 0; choices[i]; ++i) {
        if (!strcmp(choices[i], text)) {
            *out = i;
            return true;
        }
    }
    return false;
}

// Metres of the units in `unit_names`.
static const double unit_metres[] = { 1.0, 0.1, 0.01, 0.001, 0.0254, 0.3048 };
const char* const unit_names[] = { "m", "dm", "cm", "mm", "in", "ft", NULL };

static bool parse_value(const Option* option, const char* text, OptionValue* value, GtError* error)
{
    value->given = true;
    value->text = text;
    bool ok = true;
    switch (option->kind) {
    case OPTION_FLAG:
    case OPTION_TEXT:
        break;
    case OPTION_FILE:
        ok = text[0] != 0;
        break;
    case OPTION_SIZE:
        ok = parse_size(option, text, value);
        break;
    case OPTION_CHOICE:
        ok = parse_choice(option->choices, text, &value->choice);
        break;
    case OPTION_UNIT:
        if (parse_choice(option->choices, text, &value->choice)) {
            value->number = unit_metres[value->choice];
            break;
        }
        ok = parse_number(text, false, &value->number);
        ok = ok && value->number >= option->min && value->number <= option->max;
        break;
    case OPTION_INTEGER:
    case OPTION_NUMBER:
        ok = parse_number(text, option->kind == OPTION_INTEGER, &value->number);
        ok = ok && value->number >= option->min && value->number <= option->max;
        break;
    }
    if (!ok) {
        char range[192];
        option_print_range(option, range, sizeof range);
        fail(error, GT_ERROR_BAD_VALUE, NULL, "--%s takes %s, not '%s'", option->name,
             range[0] ? range : "the name of a file", text);
        return false;
    }
    if (!option->repeats) {
        return true;
    }
    if (value->text_count == MAX_REPEATS) {
        fail(error, GT_ERROR_LIMIT, NULL, "--%s can be given %d times at most", option->name, MAX_REPEATS);
        return false;
    }
    value->texts[value->text_count++] = text;
    return true;
}

static bool looks_like_value(const Option* option, const char* word)
{
    double number;
    for (int i = 0; option->kind == OPTION_CHOICE && option->choices[i]; ++i) {
        if (!strcmp(option->choices[i], word)) {
            return true;
        }
    }
    return word[0] != '-' || !word[1] || parse_number(word, false, &number);
}

// Parse the option at words[*at], taking the next word where it holds the value.
static bool parse_long(CommandLine* line, int count, char** words, int* at, GtError* error)
{
    const char* name = words[*at] + 2;
    size_t length = strcspn(name, "=");
    OptionRef found = find_option(line, name, length, 0);
    if (!found.option) {
        return unknown_option(line, name, length, error);
    }
    bool attached = name[length] == '=';
    if (found.option->kind == OPTION_FLAG && attached) {
        fail(error, GT_ERROR_BAD_VALUE, NULL, "--%s takes no value", found.option->name);
        return false;
    }
    const char* text = "";
    if (attached) {
        text = name + length + 1;
    } else if (found.option->kind != OPTION_FLAG) {
        if (*at + 1 >= count || !looks_like_value(found.option, words[*at + 1])) {
            fail(error, GT_ERROR_BAD_VALUE, NULL, "--%s needs a value: --%s %s", found.option->name, found.option->name,
                 found.option->value);
            return false;
        }
        text = words[++*at];
    }
    return parse_value(found.option, text, found.value, error);
}

static bool parse_letters(CommandLine* line, int count, char** words, int* at, GtError* error)
{
    const char* word = words[*at];
    for (const char* letter = word + 1; *letter; ++letter) {
        OptionRef found = find_option(line, NULL, 0, *letter);
        if (!found.option) {
            char hint[80];
            bool once = word[2] == 0;
            fail(error, GT_ERROR_NOT_FOUND, NULL, "unknown option -%c%s%s%s %s", *letter, once ? "" : " in '",
                 once ? "" : word, once ? "" : "'", help_hint(line, hint));
            return false;
        }
        const char* text = letter + 1;
        if (found.option->kind == OPTION_FLAG) {
            found.value->given = true;
            continue;
        }
        if (!*text) {
            if (*at + 1 >= count || !looks_like_value(found.option, words[*at + 1])) {
                fail(error, GT_ERROR_BAD_VALUE, NULL, "-%c needs a value: -%c %s", *letter, *letter,
                     found.option->value);
                return false;
            }
            text = words[++*at];
        }
        return parse_value(found.option, text, found.value, error);
    }
    return true;
}

static bool is_option(const char* word)
{
    return word[0] == '-' && word[1];
}

static bool unknown_verb(const CommandLine* line, const char* word, GtError* error)
{
    char hint[80];
    if (strpbrk(word, "./")) {
        fail(error, GT_ERROR_NOT_FOUND, NULL, "'%s' is no verb; 'gertie info %s' shows what is in a file %s", word,
             word, help_hint(line, hint));
        return false;
    }
    const char* names[MAX_VERBS + 1] = { NULL };
    for (int i = 0; i < MAX_VERBS && all_verbs[i]; ++i) {
        names[i] = all_verbs[i]->name;
    }
    const char* nearest = option_nearest(word, names);
    fail(error, GT_ERROR_NOT_FOUND, NULL, "unknown verb '%s'%s%s%s %s", word, nearest ? "; did you mean '" : "",
         nearest ? nearest : "", nearest ? "'?" : "", help_hint(line, hint));
    return false;
}

// Whether a word, in front of the verb that will tell, is an option that takes the next word as its value: -1 where no
// verb has it, else 0 or 1.
static int takes_next_word(const char* word)
{
    bool is_long = word[1] == '-';
    size_t length = is_long ? strcspn(word + 2, "=") : 0;
    int verdict = -1;
    for (const Verb* const* verb = all_verbs; *verb && verdict < 1; ++verb) {
        CommandLine line = { .verb = *verb };
        const Option* option = find_option(&line, word + 2, length, is_long ? 0 : word[1]).option;
        bool attached = is_long ? word[2 + length] == '=' : word[2] != 0;
        if (option) {
            verdict = option->kind != OPTION_FLAG && !attached;
        }
    }
    return verdict;
}

// The verb is the first word that is neither an option nor an option's value.
static bool take_verb(int* count, char** words, CommandLine* line, GtError* error)
{
    for (int i = 0; i < *count && strcmp(words[i], "--") != 0; ++i) {
        if (is_option(words[i])) {
            int takes_next = takes_next_word(words[i]);
            if (takes_next < 0) {
                return (words[i][1] == '-' ? parse_long : parse_letters)(line, *count, words, &i, error);
            }
            i += takes_next;
            continue;
        }
        line->verb = verb_find(words[i]);
        if (!line->verb) {
            return unknown_verb(line, words[i], error);
        }
        memmove(words + i, words + i + 1, (size_t)(*count - i - 1) * sizeof *words);
        --*count;
        return true;
    }
    return true;
}

static bool check_argument(const CommandLine* line, const Argument* argument, const char* word, GtError* error)
{
    int32_t ignored;
    if (!word[0]) {
        fail(error, GT_ERROR_BAD_VALUE, NULL, "%s is an empty word: give it a name", argument->name);
        return false;
    }
    if (argument->is_verb && !verb_find(word)) {
        return unknown_verb(line, word, error);
    }
    if (argument->choices && !parse_choice(argument->choices, word, &ignored)) {
        char choices[256];
        option_print_choices(argument->choices, choices, sizeof choices);
        fail(error, GT_ERROR_NOT_FOUND, NULL, "%s is %s, not '%s'", argument->name, choices, word);
        return false;
    }
    return true;
}

static bool check_arguments(const CommandLine* line, GtError* error)
{
    char hint[80];
    const Argument* argument = line->verb->arguments;
    for (int i = 0; i < line->argument_count; ++i) {
        if (!argument->name) {
            fail(error, GT_ERROR_BAD_VALUE, NULL, "'%s' is one argument too many %s", line->arguments[i],
                 help_hint(line, hint));
            return false;
        }
        if (!check_argument(line, argument, line->arguments[i], error)) {
            return false;
        }
        argument += !argument->repeats || i + 1 == line->argument_count;
    }
    if (argument->name && !argument->optional) {
        fail(error, GT_ERROR_NOT_FOUND, NULL, "%s is missing: %s %s", argument->name, argument->help,
             help_hint(line, hint));
        return false;
    }
    for (const Option* option = line->verb->options; option->name; ++option) {
        if (option->required && !line->values[option - line->verb->options].given) {
            fail(error, GT_ERROR_NOT_FOUND, NULL, "-%c %s is missing: %s %s", option->letter, option->value,
                 option->help, help_hint(line, hint));
            return false;
        }
    }
    return true;
}

bool option_json_asked(int count, char** words)
{
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; ++i) {
        if (!strcmp(words[i], "--json")) {
            return true;
        }
    }
    return false;
}

bool option_parse(int count, char** words, CommandLine* line, GtError* error)
{
    *line = (CommandLine){ 0 };
    if (!take_verb(&count, words, line, error)) {
        return false;
    }
    if (line->verb && line->verb->defaults) {
        line->verb->defaults(line->values);
    }
    for (int i = 0; i < MAX_OPTIONS; ++i) {
        line->values[i].texts = line->texts[i];
    }
    bool options_ended = false;
    for (int i = 0; i < count; ++i) {
        char* word = words[i];
        if (options_ended || !is_option(word)) {
            words[line->argument_count++] = word;
        } else if (!strcmp(word, "--")) {
            options_ended = true;
        } else if (!(word[1] == '-' ? parse_long : parse_letters)(line, count, words, &i, error)) {
            return false;
        }
    }
    line->arguments = (const char**)words;
    return line->common[COMMON_HELP].given || !line->verb || check_arguments(line, error);
}

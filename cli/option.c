// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Parsing a command line by a verb's table. Forms: --name value, --name=value, -x value, -xvalue, -abc for flags.
// A value that starts with a dash is taken only when it is a lone dash or a number, so that a forgotten value does not
// swallow the next option; --name=value takes anything.

#include "option.h"

#include "fail.h"

#include "gertie/number.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const Option common_options[] = {
    { "help", OWN(CommonOptions, help, .help = "print the help page of the verb"), .letter = 'h' },
    { "json", OWN(CommonOptions, json, .help = "print one JSON report, and nothing else, on standard output") },
    { "quiet", OWN(CommonOptions, quiet, .help = "print only warnings and errors"), .letter = 'q' },
    { "strict", OWN(CommonOptions, strict, .help = "refuse damaged files instead of repairing them with a warning") },
    { "threads", OWN(CommonOptions, threads, .max = 256, .default_text = "one per processor",
                     .help = "number of threads; the result does not depend on it") },
    { .name = NULL },
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

GtField option_field(const Option* option)
{
    GtField field = option->own;
    if (option->table) {
        const GtField* found = gt_field_find(option->table(), option->field, NULL);
        if (!found) {
            abort(); // the name of a field is misspelt: every help page would end here
        }
        field = *found;
        field.offset = option->offset;
    }
    field.help = option->help ? option->help : field.help;
    field.default_text = option->default_text ? option->default_text : field.default_text;
    return field;
}

const char* choice_name(const GtFieldTable* table, const char* field, const void* value, char room[32])
{
    gt_field_print(gt_field_find(table, field, NULL), value, room, 32);
    return room;
}

bool option_is_flag(const Option* option)
{
    return option_field(option).type == GT_FIELD_BOOL;
}

const char* option_value_name(const Option* option)
{
    static const char* const unit_values[] = {
        [GT_UNIT_METRES] = "METRES",   [GT_UNIT_MILLIMETRES] = "MM", [GT_UNIT_METRES_PER_SECOND] = "M/S",
        [GT_UNIT_SECONDS] = "SECONDS", [GT_UNIT_HERTZ] = "HZ",       [GT_UNIT_DEGREES] = "DEGREES",
        [GT_UNIT_PIXELS] = "PIXELS",   [GT_UNIT_COLOR] = "COLOR",
    };
    GtField field = option_field(option);
    bool is_whole = field.type != GT_FIELD_FLOAT && field.type != GT_FIELD_DOUBLE;
    if (option->value || field.type == GT_FIELD_BOOL) {
        return option->value;
    }
    if (option->is_size) {
        return "WxH";
    }
    if (field.unit != GT_UNIT_NONE) {
        return unit_values[field.unit];
    }
    return option->is_file               ? "FILE"
           : field.type == GT_FIELD_TEXT ? "NAME"
           : !is_whole                   ? "X"
           : field.choices               ? "MODE"
                                         : "N";
}

void option_print_range(const Option* option, char* out, size_t out_size)
{
    GtField field = option_field(option);
    if (option->is_size) {
        char min[GT_NUMBER_SIZE], max[GT_NUMBER_SIZE];
        gt_print_double(field.min, min);
        gt_print_double(field.max, max);
        snprintf(out, out_size, "a width and a height like 1280x720, each from %s to %s", min, max);
    } else {
        gt_field_print_range(&field, out, out_size);
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
    const char* names[MAX_OPTIONS + MAX_COMMON_OPTIONS + 1];
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
    void* options;        // the struct that it is a member of
    const char** text;    // of the verb's options: where to put what was given; else NULL
} OptionRef;

static OptionRef find_option(CommandLine* line, const char* name, size_t length, char letter)
{
    const Verb* verb = line->verb;
    const Option* tables[] = { verb ? verb->options : NULL, common_options };
    for (int t = 0; t < 2; ++t) {
        for (const Option* o = tables[t]; o && o->name; ++o) {
            bool same = letter ? o->letter == letter : strlen(o->name) == length && !strncmp(o->name, name, length);
            if (same && t == 0) {
                return (OptionRef){ o, line->options, &line->texts[o - tables[0]] };
            }
            if (same) {
                return (OptionRef){ o, &line->common, NULL };
            }
        }
    }
    return (OptionRef){ 0 };
}

const char* option_text(const CommandLine* line, const char* name)
{
    const Option* option = line->verb->options;
    while (strcmp(option->name, name) != 0) {
        ++option;
    }
    return line->texts[option - line->verb->options];
}

bool option_given(const CommandLine* line, const char* name)
{
    return option_text(line, name) != NULL;
}

void option_copy_given(const CommandLine* line, void* to)
{
    static const size_t sizes[] = {
        [GT_FIELD_BOOL] = sizeof(bool),     [GT_FIELD_INT32] = sizeof(int32_t),    [GT_FIELD_UINT32] = sizeof(uint32_t),
        [GT_FIELD_INT64] = sizeof(int64_t), [GT_FIELD_UINT64] = sizeof(uint64_t),  [GT_FIELD_FLOAT] = sizeof(float),
        [GT_FIELD_DOUBLE] = sizeof(double), [GT_FIELD_TEXT] = sizeof(const char*),
    };
    const Option* options = line->verb->options;
    for (int i = 0; options[i].name; ++i) {
        GtField field = option_field(&options[i]);
        size_t size = options[i].repeats ? sizeof(TextList) : sizes[field.type] * (options[i].is_size ? 2 : 1);
        if (line->texts[i]) {
            memcpy((char*)to + field.offset, (const char*)line->options + field.offset, size);
        }
    }
}

static bool parse_size(const GtField* field, const char* text, int32_t* width, int32_t* height)
{
    const char* end = text + strlen(text);
    int64_t sides[2] = { 0, 0 };
    const char* cross = gt_parse_int64(text, end, &sides[0]);
    bool ok = cross && cross < end && *cross == 'x' && gt_parse_int64(cross + 1, end, &sides[1]) == end;
    for (int i = 0; i < 2; ++i) {
        ok = ok && (double)sides[i] >= field->min && (double)sides[i] <= field->max;
    }
    if (ok) {
        *width = (int32_t)sides[0];
        *height = (int32_t)sides[1];
    }
    return ok;
}

// Set the value at `member`, and the one after it where the option is a size.
static bool parse_member(const Option* option, const GtField* field, const char* text, void* member, GtError* error)
{
    GtError wrong = { 0 };
    int32_t* size = member;
    if (option->is_size && !parse_size(field, text, &size[0], &size[1])) {
        char range[192];
        option_print_range(option, range, sizeof range);
        fail(&wrong, GT_ERROR_BAD_VALUE, NULL, "takes %s, not '%s'", range, text);
    } else if (option->is_file && !text[0]) {
        fail(&wrong, GT_ERROR_BAD_VALUE, NULL, "takes the name of a file, not '%s'", text);
    } else if (!option->is_size) {
        gt_field_parse(field, text, member, &wrong);
    }
    if (wrong.code != GT_OK) {
        fail(error, GT_ERROR_BAD_VALUE, NULL, "--%s %s", option->name, wrong.message);
    }
    return wrong.code == GT_OK;
}

static bool parse_value(OptionRef found, const char* text, GtError* error)
{
    GtField field = option_field(found.option);
    bool is_first = !found.text || !*found.text;
    void* member = (unsigned char*)found.options + field.offset;
    if (found.text) {
        *found.text = text;
    }
    if (found.option->repeats) {
        TextList* list = member;
        if (list->count == MAX_REPEATS) {
            fail(error, GT_ERROR_LIMIT, NULL, "--%s can be given %d times at most", found.option->name, MAX_REPEATS);
            return false;
        }
        list->texts[list->count++] = text;
        return true;
    }
    if (field.type == GT_FIELD_BOOL) {
        bool* flag = member;
        *flag = is_first ? !*flag : *flag; // --no-ground makes what is true by default false
        return true;
    }
    return parse_member(found.option, &field, text, member, error);
}

static bool looks_like_value(const Option* option, const char* word)
{
    const char* end = word + strlen(word);
    double number;
    GtField field = option_field(option);
    for (const GtChoice* choice = field.choices; choice && choice->name; ++choice) {
        if (!strcmp(choice->name, word)) {
            return true;
        }
    }
    return word[0] != '-' || !word[1] || gt_parse_double(word, end, &number) == end;
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
    if (option_is_flag(found.option) && attached) {
        fail(error, GT_ERROR_BAD_VALUE, NULL, "--%s takes no value", found.option->name);
        return false;
    }
    const char* text = "";
    if (attached) {
        text = name + length + 1;
    } else if (!option_is_flag(found.option)) {
        if (*at + 1 >= count || !looks_like_value(found.option, words[*at + 1])) {
            fail(error, GT_ERROR_BAD_VALUE, NULL, "--%s needs a value: --%s %s", found.option->name, found.option->name,
                 option_value_name(found.option));
            return false;
        }
        text = words[++*at];
    }
    return parse_value(found, text, error);
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
        if (option_is_flag(found.option)) {
            parse_value(found, "", error);
            continue;
        }
        if (!*text) {
            if (*at + 1 >= count || !looks_like_value(found.option, words[*at + 1])) {
                fail(error, GT_ERROR_BAD_VALUE, NULL, "-%c needs a value: -%c %s", *letter, *letter,
                     option_value_name(found.option));
                return false;
            }
            text = words[++*at];
        }
        return parse_value(found, text, error);
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
            verdict = !option_is_flag(option) && !attached;
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
    bool is_choice = !argument->choices;
    for (const char* const* choice = argument->choices; choice && *choice; ++choice) {
        is_choice = is_choice || !strcmp(*choice, word);
    }
    if (!word[0]) {
        fail(error, GT_ERROR_BAD_VALUE, NULL, "%s is an empty word: give it a name", argument->name);
        return false;
    }
    if (argument->is_verb && !verb_find(word)) {
        return unknown_verb(line, word, error);
    }
    if (!is_choice) {
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
        if (option->required && !line->texts[option - line->verb->options]) {
            fail(error, GT_ERROR_NOT_FOUND, NULL, "-%c %s is missing: %s %s", option->letter, option_value_name(option),
                 option_field(option).help, help_hint(line, hint));
            return false;
        }
    }
    return true;
}

void option_set_defaults(const Verb* verb, void* options)
{
    if (verb->set_defaults) {
        assert(verb->options_size <= MAX_OPTIONS_SIZE);
        verb->set_defaults(options);
    }
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
    *line = (CommandLine){ .options = line->storage };
    if (!take_verb(&count, words, line, error)) {
        return false;
    }
    if (line->verb) {
        option_set_defaults(line->verb, line->options);
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
    return line->common.help || !line->verb || check_arguments(line, error);
}

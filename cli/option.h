// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The command line as data. A verb is one table of arguments, options and examples; the parser, --help, the man page
// and the shell completion all read that table and nothing else, so they cannot disagree.

#ifndef GERTIE_CLI_OPTION_H
#define GERTIE_CLI_OPTION_H

#include "gertie/error.h"

typedef struct Session Session;

typedef enum OptionKind {
    OPTION_FLAG, // takes no value; every other kind does
    OPTION_TEXT,
    OPTION_FILE,    // a path: the shell completes it
    OPTION_INTEGER, // min to max
    OPTION_NUMBER,  // min to max
    OPTION_CHOICE,  // one of choices
    OPTION_UNIT,    // a unit of length by name (choices), or a number of metres from min to max
    OPTION_SIZE,    // a width and a height in pixels, each min to max: "1280x720"
} OptionKind;

typedef struct Option {
    const char* name; // without its dashes
    char letter;      // of the short form, or 0
    OptionKind kind;
    bool required;     // the verb does nothing without it
    bool repeats;      // may be given more than once, and every text counts
    const char* value; // what the help calls its value: "FILE", "N"; NULL for a flag
    const char* help;  // a phrase, lower case, no full stop; range, choices and default are added to it
    double min, max;
    const char* const* choices; // ends with NULL
    const char* endings;        // of files, with spaces between them, where they are no scenes
} Option;

// What became of an option.
typedef struct OptionValue {
    bool given;
    bool has_default;   // a number or text that holds where the option is not given
    const char* text;   // as typed; of an option that repeats, the last
    const char** texts; // [text_count] of an option that repeats
    int text_count;
    double number;         // of numbers; of a unit, metres
    int32_t choice;        // index into choices
    int32_t width, height; // of a size
} OptionValue;

typedef struct Argument {
    const char* name; // "FILE"
    const char* help;
    bool optional;
    bool repeats;               // only the last argument of a verb may
    const char* const* choices; // ends with NULL; NULL for a file
    bool is_verb;               // the name of a verb rather than a file
} Argument;

typedef struct Example {
    const char* command;
    const char* meaning; // a phrase, lower case, no full stop
} Example;

enum {
    MAX_OPTIONS = 40, // a verb
    MAX_ARGUMENTS = 4,
    MAX_REPEATS = 64, // of an option
    MAX_VERBS = 32
};

typedef struct CommandLine CommandLine;

typedef struct Verb {
    const char* name;
    const char* summary;               // a phrase, lower case, no full stop
    const char* description;           // paragraphs, an empty line between them
    Argument arguments[MAX_ARGUMENTS]; // up to the first without a name
    Option options[MAX_OPTIONS];       // up to the first without a name; a verb's enum names their places
    const Example* examples;           // ends with a NULL command
    // Fill in defaults from the library's own, so that the help shows them; may be NULL.
    void (*defaults)(OptionValue* values);
    // Do the job; false when it failed, which has been said then.
    bool (*run)(Session* session, const CommandLine* line);
} Verb;

// Options of every verb.
enum {
    COMMON_HELP,
    COMMON_JSON,
    COMMON_QUIET,
    COMMON_STRICT,
    COMMON_THREADS,
    COMMON_COUNT
};
extern const Option common_options[COMMON_COUNT + 1]; // ends as a verb's do

struct CommandLine {
    const Verb* verb; // or NULL where none was named
    OptionValue common[COMMON_COUNT];
    OptionValue values[MAX_OPTIONS];             // of the verb's options
    const char* texts[MAX_OPTIONS][MAX_REPEATS]; // of those that repeat
    const char** arguments;                      // [argument_count]
    int argument_count;
};

// All verbs; ends with NULL.
extern const Verb* const all_verbs[];

const Verb* verb_find(const char* name);

// Whether --json stands among the options, also where the rest of the line is wrong.
bool option_json_asked(int count, char** words);

// Parse the words after the program's name; they are reordered. Options may stand anywhere, before the verb too
// (common ones); `--` ends them.
// @param error  says what is wrong and how to get help
// @return false for wrong usage
bool option_parse(int count, char** words, CommandLine* line, GtError* error);

// Units of length that OPTION_UNIT knows; ends with NULL.
extern const char* const unit_names[];

// Write "a, b or c" of `names`, which ends with NULL.
void option_print_choices(const char* const* names, char* out, size_t out_size);

// Write which values an option takes: "a whole number from 0 to 256"; empty for texts, files and flags.
void option_print_range(const Option* option, char* out, size_t out_size);

// The nearest of `names` (which ends with NULL) to a misspelt word, or NULL when none is near.
const char* option_nearest(const char* word, const char* const* names);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The command line as data. A verb is one table of arguments, options and examples; the parser, --help, the man page
// and the shell completion all read that table and nothing else, so they cannot disagree.

#ifndef GERTIE_CLI_OPTION_H
#define GERTIE_CLI_OPTION_H

#include "gertie/field.h"

typedef struct Session Session;

// An option sets a field of the verb's options struct. The field is one of a struct of the library, whose table knows
// type, range and help (FIELD), or the verb's own (OWN).
typedef struct Option {
    const char* name; // without its dashes
    const GtFieldTable* (*table)(void);
    const char* field; // in `table`: a name or a path
    size_t offset;     // of that field in the verb's options
    GtField own;
    char letter;              // of the short form, or 0
    bool required;            // the verb does nothing without it
    bool repeats;             // may be given more than once: the member is a TextList
    bool is_file;             // a path: the shell completes it
    bool is_size;             // a width and a height, "1280x720": the member is the first of two int32_t
    const char* value;        // what the help calls its value: "FILE"; NULL for what the field's type and unit suggest
    const char* help;         // instead of the field's: a phrase, lower case, no full stop
    const char* default_text; // instead of the field's default
    const char* endings;      // of files, with spaces between them, where they are no scenes
} Option;

// The field of a library struct that is the member `noun` of the verb's options:
// { "influences", FIELD(RigOptions, rig, influences) } is GtRigDef.influences in RigOptions.rig.
#define FIELD(Struct, noun, path) .table = gt_##noun##_def_fields, .field = #path, .offset = offsetof(Struct, noun.path)

// A member of the verb's options; members of GtField such as .help = "..." follow.
#define OWN(Struct, member, ...) .own = { GT_FIELD(Struct, member), __VA_ARGS__ }

// Whole rows of a verb's options; members of Option may follow.
#define FIELD_OPTION(name, Struct, noun, path, ...)                                                                    \
    {                                                                                                                  \
        (name), FIELD(Struct, noun, path), __VA_ARGS__                                                                 \
    }
#define FLAG_OPTION(name, Struct, member, words)                                                                       \
    {                                                                                                                  \
        (name), OWN(Struct, member, .help = (words))                                                                   \
    }
#define TEXT_OPTION(name, Struct, member, placeholder, words, ...)                                                     \
    {                                                                                                                  \
        (name), OWN(Struct, member, .help = (words)), .value = (placeholder), __VA_ARGS__                              \
    }
#define PATH_OPTION(name, Struct, member, placeholder, words, ...)                                                     \
    {                                                                                                                  \
        (name), OWN(Struct, member, .help = (words)), .value = (placeholder), .is_file = true, __VA_ARGS__             \
    }
#define CHOICE_OPTION(name, Struct, member, list, words, ...)                                                          \
    {                                                                                                                  \
        (name), OWN(Struct, member, .choices = (list), .help = (words)), __VA_ARGS__                                   \
    }
#define NUMBER_OPTION(name, Struct, member, kind, low, high, words, ...)                                               \
    {                                                                                                                  \
        (name), OWN(Struct, member, .unit = (kind), .min = (low), .max = (high), .help = (words)), __VA_ARGS__         \
    }
#define LIST_OPTION(option_name, Struct, member, placeholder, words, ...)                                              \
    {                                                                                                                  \
        (option_name),                                                                                                 \
            .own = { .name = #member, .type = GT_FIELD_TEXT, .offset = offsetof(Struct, member), .help = (words) },    \
            .repeats = true, .value = (placeholder), __VA_ARGS__                                                       \
    }

typedef struct Argument {
    const char* name; // "FILE"
    const char* help;
    bool optional;
    bool repeats;               // only the last argument of a verb may
    const char* const* choices; // ends with NULL; NULL for a file
    const char* default_text;   // where it is not given; or NULL
    bool is_verb;               // the name of a verb rather than a file
} Argument;

typedef struct Example {
    const char* command;
    const char* meaning; // a phrase, lower case, no full stop
} Example;

enum {
    MAX_OPTIONS = 40, // a verb
    MAX_COMMON_OPTIONS = 8,
    MAX_ARGUMENTS = 4,
    MAX_REPEATS = 64, // of an option
    MAX_VERBS = 32,
    MAX_OPTIONS_SIZE = 4096 // bytes of a verb's options
};

// The texts of an option that repeats.
typedef struct TextList {
    const char* texts[MAX_REPEATS];
    int count;
} TextList;

typedef struct CommandLine CommandLine;

typedef struct Verb {
    const char* name;
    const char* summary;                 // a phrase, lower case, no full stop
    const char* description;             // paragraphs, an empty line between them
    Argument arguments[MAX_ARGUMENTS];   // up to the first without a name
    Option options[MAX_OPTIONS];         // up to the first without a name
    const Example* examples;             // ends with a NULL command
    const char* more_from;               // name of the first option under "More options"; NULL where all are common
    size_t options_size;                 // of the struct that the options are members of
    void (*set_defaults)(void* options); // fill that struct, mostly from the library's defaults
    // Do the job; false when it failed, which has been said then.
    bool (*run)(Session* session, const CommandLine* line);
} Verb;

// Options of every verb.
typedef struct CommonOptions {
    bool help, json, quiet, strict;
    int32_t threads; // 0 for one per processor
} CommonOptions;
extern const Option common_options[]; // ends as a verb's do

struct CommandLine {
    const Verb* verb; // or NULL where none was named
    void* options;    // the verb's options struct, in `storage`
    _Alignas(max_align_t) unsigned char storage[MAX_OPTIONS_SIZE];
    CommonOptions common;
    const char* texts[MAX_OPTIONS]; // of the verb's options, as option_text() has them
    const char** arguments;         // [argument_count]
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

// Fill a verb's options struct, which has MAX_OPTIONS_SIZE bytes, with defaults.
void option_set_defaults(const Verb* verb, void* options);

// What was last given to an option of the verb, as typed: "" to a flag; NULL where it was not given.
const char* option_text(const CommandLine* line, const char* name);

// Whether an option of the verb was given.
bool option_given(const CommandLine* line, const char* name);

// Copy what was given on the command line, and nothing else, into another options struct of the verb.
void option_copy_given(const CommandLine* line, void* to);

// Type, range, choices and help of an option; its offset is in the verb's options.
GtField option_field(const Option* option);

// Whether an option takes no value.
bool option_is_flag(const Option* option);

// The name of a value that is one of a field's choices, in `room`.
const char* choice_name(const GtFieldTable* table, const char* field, const void* value, char room[32]);

// What the help calls the option's value.
const char* option_value_name(const Option* option);

// Write "a, b or c" of `names`, which ends with NULL.
void option_print_choices(const char* const* names, char* out, size_t out_size);

// Write which values an option takes: "a whole number from 0 to 256"; empty for texts, files and flags.
void option_print_range(const Option* option, char* out, size_t out_size);

// The nearest of `names` (which ends with NULL) to a misspelt word, or NULL when none is near.
const char* option_nearest(const char* word, const char* const* names);

#endif

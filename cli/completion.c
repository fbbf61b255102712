// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The completion script for bash 4 or later, from the verbs' tables. It needs nothing but bash itself.

#include "help.h"

#include "gertie/file.h"

static void add_option_words(GtText* text, const Option* options)
{
    for (const Option* option = options; option->name; ++option) {
        gt_text_addf(text, " --%s", option->name);
    }
}

static void add_verb_words(GtText* text)
{
    for (const Verb* const* verb = all_verbs; *verb; ++verb) {
        gt_text_addf(text, "%s%s", verb == all_verbs ? "" : " ", (*verb)->name);
    }
}

static void add_choices(GtText* text, const char* const* choices)
{
    for (int i = 0; choices[i]; ++i) {
        gt_text_addf(text, "%s%s", i ? " " : "", choices[i]);
    }
}

// Endings of the files that are offered: those given, or those of all formats.
static void add_files(GtText* text, bool takes_file, const char* endings)
{
    gt_text_adds(text, !takes_file ? "return" : endings ? "files='" : "files=$scenes");
    if (takes_file && endings) {
        gt_text_addf(text, "%s'", endings);
    }
}

// A case for each option that takes a value: "convert:--units) words='m cm' ;;".
static void add_value_cases(GtText* text, const char* verb, const Option* options)
{
    for (const Option* option = options; option->name; ++option) {
        GtField field = option_field(option);
        if (field.type == GT_FIELD_BOOL) {
            continue;
        }
        gt_text_addf(text, "    %s:--%s", verb, option->name);
        if (option->letter) {
            gt_text_addf(text, "|%s:-%c", verb, option->letter);
        }
        gt_text_adds(text, ") ");
        if (field.choices) {
            gt_text_adds(text, "words='");
            for (const GtChoice* choice = field.choices; choice->name; ++choice) {
                gt_text_addf(text, "%s%s", choice == field.choices ? "" : " ", choice->name);
            }
            gt_text_adds(text, "'");
        } else {
            add_files(text, option->is_file, option->endings);
        }
        gt_text_adds(text, " ;;\n");
    }
}

static void add_verb_case(GtText* text, const Verb* verb)
{
    gt_text_addf(text, "        %s) words='", verb->name);
    bool has_files = false;
    for (const Argument* argument = verb->arguments; argument->name; ++argument) {
        if (argument->is_verb) {
            add_verb_words(text);
        } else if (argument->choices) {
            add_choices(text, argument->choices);
        } else {
            has_files = true;
        }
    }
    add_option_words(text, verb->options);
    add_option_words(text, common_options);
    gt_text_addf(text, "'%s ;;\n", has_files ? " files=$scenes" : "");
}

void help_add_bash(GtText* text)
{
    gt_text_adds(text, "# bash completion of gertie; made by: gertie help --completion bash\n"
                       "_gertie()\n"
                       "{\n"
                       "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
                       "    local verb= words= files= i ending scenes='");
    for (const GtFormat* format = gt_formats(); format->name; ++format) {
        gt_text_addf(text, "%s%s", format == gt_formats() ? "" : " ", format->name);
    }
    gt_text_adds(text, "'\n"
                       "    if [[ $cur == '=' ]]; then # --name=\n"
                       "        cur=\n"
                       "    elif [[ $prev == '=' ]]; then # --name=value\n"
                       "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
                       "    fi\n"
                       "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
                       "        case ' ");
    add_verb_words(text);
    gt_text_adds(text, " ' in\n"
                       "        *\" ${COMP_WORDS[i]} \"*) verb=${COMP_WORDS[i]} && break ;;\n"
                       "        esac\n"
                       "    done\n"
                       "    case $verb:$prev in\n");
    add_value_cases(text, "*", common_options);
    for (const Verb* const* verb = all_verbs; *verb; ++verb) {
        add_value_cases(text, (*verb)->name, (*verb)->options);
    }
    gt_text_adds(text, "    *)\n        case $verb in\n        '') words='");
    add_verb_words(text);
    add_option_words(text, common_options);
    gt_text_adds(text, "' ;;\n");
    for (const Verb* const* verb = all_verbs; *verb; ++verb) {
        add_verb_case(text, *verb);
    }
    gt_text_adds(text, "        esac\n        ;;\n    esac\n"
                       "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
                       "    if [[ $files && $cur != -* ]]; then\n"
                       "        compopt -o filenames 2>/dev/null\n"
                       "        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- \"$cur\"\n"
                       "            for ending in $files");
    gt_text_adds(text, "; do\n                compgen -f -X \"!*.$ending\" -- \"$cur\"\n            done)\n"
                       "    fi\n"
                       "}\n"
                       "complete -F _gertie gertie\n");
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The options of a verb as a table in Markdown, from the verb's table. tests/house/manual.sh holds docs/verbs against
// it.

#include "help.h"

void help_add_markdown(GtText* text, const Verb* verb)
{
    HelpDefaults defaults;
    help_set_defaults(&defaults, verb);
    gt_text_adds(text, "| option | |\n|---|---|\n");
    for (const Option* option = verb->options; option->name; ++option) {
        GtField field = option_field(option);
        const char* value = option_value_name(option);
        gt_text_adds(text, "| `");
        if (option->letter) {
            gt_text_addf(text, "-%c`, `", option->letter);
        }
        gt_text_addf(text, "--%s%s%s` | ", option->name, value ? " " : "", value ? value : "");
        help_add_phrase(text, &defaults, option);
        for (const GtChoice* choice = help_lists_choices(&field) ? field.choices : NULL; choice && choice->name;
             ++choice) {
            gt_text_addf(text, "<br>`%s`: %s", choice->name, choice->help);
        }
        gt_text_adds(text, " |\n");
    }
}

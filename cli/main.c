// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "help.h"
#include "interrupt.h"
#include "session.h"
#include "verbs.h"

#include <string.h>

// By task, as `gertie help` groups them.
const Verb* const all_verbs[] = { &verb_animate, &verb_retarget, &verb_rig,     &verb_map,
                                  &verb_clip,    &verb_contacts, &verb_deform,  &verb_info,
                                  &verb_render,  &verb_plot,     &verb_measure, &verb_convert,
                                  &verb_pack,    &verb_sample,   &verb_help,    &verb_version,
                                  NULL };

static void run(Session* session, int count, char** words)
{
    CommandLine line;
    GtError error = { 0 };
    bool is_right = option_parse(count, words, &line, &error);
    line.common.threads = is_right ? line.common.threads : 1;
    session_configure(session, &line);
    if (!is_right) {
        session_misuse(session, "%s", error.message);
    } else if (line.common.help) {
        help_print(session, line.verb);
    } else if (!line.verb) {
        session_misuse(session, "no verb given: 'gertie help' shows what there is");
    } else {
        line.verb->run(session, &line);
    }
}

int main(int argc, char** argv)
{
    interrupt_prepare();
    int count = argc > 0 ? argc - 1 : 0;
    char** words = argv + 1;
    if (count == 1 && !strcmp(words[0], "--version")) {
        words[0] += 2;
    }
    Session session;
    session_begin(&session, option_json_asked(count, words));
    run(&session, count, words);
    return session_end(&session);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The command explains itself: pages, manual and completion, held against each other and against the tools that read
// them.

#include "support/command.h"

#include <stdlib.h>

enum {
    MAX_VERBS = 32
};

static char verbs[MAX_VERBS][32];
static int verb_count;

// All verbs, as the front page lists them.
static int enter(void** state)
{
    if (command_enter(state) != 0) {
        return -1;
    }
    CommandRun run = command("$G help | awk '/^Options/ { exit } /^  [a-z]/ { print $1 }'");
    for (char* word = strtok(run.out, "\n"); word && verb_count < MAX_VERBS; word = strtok(NULL, "\n")) {
        snprintf(verbs[verb_count++], sizeof verbs[0], "%s", word);
    }
    return verb_count >= 16 ? 0 : -1;
}

static bool has_program(const char* name)
{
    CommandRun run = command("command -v %s", name);
    return run.status == 0;
}

static void every_verb_has_a_page(void** state)
{
    (void)state;
    for (int i = 0; i < verb_count; ++i) {
        char text[64];
        CommandRun run = command("$G %s --help", verbs[i]);
        expect_status(&run, 0);
        assert_string_equal(run.err, "");
        snprintf(text, sizeof text, "Usage: gertie %.30s", verbs[i]);
        expect_text(run.out, text);
        expect_text(run.out, "\nExamples:\n  ");
        expect_text(run.out, "--json");
        CommandRun same = command("$G %s --help >1; $G help %s >2; $G -h %s nonsense >3; cmp 1 2 && cmp 1 3", verbs[i],
                                  verbs[i], verbs[i]);
        expect_status(&same, 0);
    }
}

static void pages_fit_a_terminal(void** state)
{
    (void)state;
    for (int i = 0; i <= verb_count; ++i) {
        CommandRun run = command("$G help %s | awk 'length > 80'", i < verb_count ? verbs[i] : "");
        assert_string_equal(run.out, "");
    }
}

static void json_holds_the_page(void** state)
{
    (void)state;
    CommandRun run = command("$G help info --json");
    expect_status(&run, 0);
    expect_text(report_text(command_report(&run), "text"), "Usage: gertie info FILE...");
}

static void version_is_one_line(void** state)
{
    (void)state;
    CommandRun run = command("$G version");
    expect_status(&run, 0);
    assert_string_equal(run.out, "gertie " GT_VERSION_STRING "\n");
    run = command("$G --version");
    assert_string_equal(run.out, "gertie " GT_VERSION_STRING "\n");
    run = command("$G version --json");
    assert_string_equal(report_text(command_report(&run), "version"), GT_VERSION_STRING);
}

// Every option that a page names has its entry in the manual and is completed.
static void manual_and_completion_know_every_option(void** state)
{
    (void)state;
    for (int i = 0; i < verb_count; ++i) {
        CommandRun run = command("$G help --man | sed 's/\\\\//g' >man.txt; $G help --completion bash >complete.sh\n"
                                 "for option in $($G help %s |\n"
                                 "    sed -n 's/^  \\(-.,\\|   \\) \\(--[a-z-]*\\).*/\\2/p' | sort -u); do\n"
                                 "  grep -q -e \"fB$option\" man.txt || echo \"man lacks $option\"\n"
                                 "  grep -q -e \"^        %s) .*$option\" complete.sh || echo \"bash lacks $option\"\n"
                                 "  echo $option >>options.txt\ndone",
                                 verbs[i], verbs[i]);
        expect_status(&run, 0);
        assert_string_equal(run.out, "");
    }
    CommandRun run = command("sort -u options.txt | wc -l");
    assert_true(atoi(run.out) >= 20);
}

static void manual_renders(void** state)
{
    (void)state;
    if (!has_program("groff")) {
        print_message("skipped: groff is not installed\n");
        skip();
    }
    CommandRun run = command("$G help --man >gertie.1 && groff -man -ww -Tutf8 gertie.1 >page.txt");
    expect_status(&run, 0);
    assert_string_equal(run.err, "");
    run = command("grep -c . page.txt");
    assert_true(atoi(run.out) > 100);
}

// What pressing tab gives for words of a command line, the last of which is being typed.
static CommandRun complete(const char* words)
{
    return command("bash -c 'source complete.sh; COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _gertie; "
                   "printf \"%%s \" \"${COMPREPLY[@]}\"'",
                   words);
}

static void completion_completes(void** state)
{
    (void)state;
    if (!has_program("bash")) {
        print_message("skipped: bash is not installed\n");
        skip();
    }
    CommandRun run =
        command("$G help --completion bash >complete.sh && mkdir models && touch hero.glb \"two words.bvh\" "
                "other.txt");
    expect_status(&run, 0);
    static const char* const cases[][2] = {
        { "gertie an", "animate " },
        { "gertie --js", "--json " },
        { "gertie help sa", "sample " },
        { "gertie sample pe", "person " },
        { "gertie convert a b --u", "--units --up " },
        { "gertie convert --units c", "cm " },
        { "gertie convert --units = m", "m mm " },
        { "gertie info her", "hero.glb " },
        { "gertie info two", "two words.bvh " },
        { "gertie info mod", "models " },
        { "gertie info oth", " " },
        { "gertie --threads 2 info --ch", "--channels " },
        { "gertie animate x y -o her", "hero.glb " },
        { "gertie sample --height \"\"", " " },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        run = complete(cases[i][0]);
        assert_string_equal(run.err, "");
        assert_string_equal(run.out, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verb_has_a_page),
        cmocka_unit_test(pages_fit_a_terminal),
        cmocka_unit_test(json_holds_the_page),
        cmocka_unit_test(version_is_one_line),
        cmocka_unit_test(manual_and_completion_know_every_option),
        cmocka_unit_test(manual_renders),
        cmocka_unit_test(completion_completes),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

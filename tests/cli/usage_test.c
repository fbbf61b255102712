// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong usage: status 2, one line that says what is wrong, nothing on standard output, nothing written.

#include "support/command.h"

static void says_what_is_wrong(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        { "", "no verb given" },
        { "-q", "no verb given" },
        { "inof x.glb", "did you mean 'info'?" },
        { "anim x.glb", "did you mean 'animate'?" },
        { "xyzzy", "unknown verb 'xyzzy' (see 'gertie help')" },
        { "hero.glb", "'gertie info hero.glb' shows what is in a file" },
        { "info", "FILE is missing" },
        { "info ''", "FILE is an empty word" },
        { "info x.glb --chanels", "unknown option --chanels; did you mean --channels? (see 'gertie help info')" },
        { "info x.glb --fsp=3", "unknown option --fsp (see 'gertie help info')" },
        { "--thread 3 info x.glb", "unknown option --thread; did you mean --threads?" },
        { "info -x x.glb", "unknown option -x" },
        { "info -qx x.glb", "unknown option -x in '-qx'" },
        { "info --json=yes x.glb", "--json takes no value" },
        { "convert in.glb", "OUT is missing" },
        { "convert in.glb out.glb more.glb", "'more.glb' is one argument too many" },
        { "convert in.glb out.glb --up sideways", "--up takes y, z or x, not 'sideways'" },
        { "convert in.glb out.glb --units miles",
          "--units takes m, dm, cm, mm, in, ft or a number from 1e-6 to 1000000, not 'miles'" },
        { "convert in.glb out.glb --units -2", "--units takes" },
        { "convert in.glb out.glb --units nan", "--units takes" },
        { "convert in.glb out.glb --fps", "--fps needs a value: --fps HZ" },
        { "convert in.glb out.glb --fps --json", "--fps needs a value" },
        { "convert in.glb out.glb --fps 30fps", "--fps takes a number from 0.01 to 10000, not '30fps'" },
        { "convert in.glb out.glb --fps 1,5", "not '1,5'" },
        { "convert in.glb out.glb --fps 1e99", "not '1e99'" },
        { "convert in.glb out.glb --threads 2.5", "--threads takes a whole number from 0 to 256" },
        { "convert in.glb out.glb --threads 999", "--threads takes a whole number from 0 to 256, not '999'" },
        { "convert in.glb out.glb --threads 99999999999999999999", "--threads takes a whole number" },
        { "convert in.glb out.dae", "give it one of .glb" },
        { "convert in.glb out", "give it one of .glb" },
        { "convert in.glb out.glb --format glb", "--format is for standard output" },
        { "animate a.glb b.bvh", "-o OUT is missing" },
        { "animate a.glb -o c.glb", "MOTION is missing" },
        { "animate a.glb b.bvh -o", "-o needs a value" },
        { "animate a.glb b.bvh -o ''", "--output takes the name of a file" },
        { "animate a.glb b.bvh -o - --json", "cannot both go to standard output" },
        { "sample trousers",
          "WHAT is person, walk, run, turn, idle, wave, boxing, kick, squat, jump, sit, flex, drop, twist, "
          "fingers, range, breathe, look, nod, shake, shrug, point, clap or library, not 'trousers'" },
        { "sample --height 0.1", "--height takes a number from 0.5 to 2.5, not '0.1'" },
        { "sample --triangles=-4", "--triangles takes a whole number from 2000 to 1000000, not '-4'" },
        { "sample -o -", "standard output takes one sample" },
        { "help xyzzy", "unknown verb 'xyzzy'" },
        { "help --completion csh", "--completion takes bash, not 'csh'" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        CommandRun run = command("$G %s", cases[i][0]);
        if (strstr(cases[i][0], "--json") && !strstr(cases[i][0], "--json=")) {
            expect_status(&run, 2);
            expect_text(run.err, cases[i][1]);
        } else {
            expect_refused(&run, 2, cases[i][1]);
        }
    }
    assert_int_equal(count_files("."), 0);
}

static void control_characters_stay_out_of_the_terminal(void** state)
{
    (void)state;
    CommandRun run = command("$G \"$(printf 'in\\033[31mfo\\nx')\"");
    expect_refused(&run, 2, "unknown verb 'in?[31mfo?x'");
    run = command("$G \"$(printf 'in\\302\\233x\\377')\"");
    expect_refused(&run, 2, "unknown verb 'in?x?'");
}

static void json_says_it_too(void** state)
{
    (void)state;
    static const char* const lines[] = { "--json frobnicate", "info --json", "convert a.glb --fps --json",
                                         "--json sample --height \"$(printf '\\377\\001\\\"')\"" };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
        CommandRun run = command("$G %s", lines[i]);
        expect_status(&run, 2);
        const GtiJson* report = command_report(&run);
        assert_false(report_bool(report, "ok"));
        assert_string_equal(report_text(report, "error.code"), "usage");
        assert_string_equal(report_text(report, "error.file"), "");
        assert_true(strlen(report_text(report, "error.message")) > 10);
        assert_int_equal(report_count(report, "warnings"), 0);
    }
}

static void options_stand_anywhere(void** state)
{
    (void)state;
    static const char* const lines[] = { "sample person -o a.glb --height 1.5 --json",
                                         "--json --height=1.5 sample -oa.glb person",
                                         "-q --json --threads 2 -o a.glb sample --height 1.5 person",
                                         "sample --json --height 1.5 -o a.glb -- person",
                                         "sample --output=a.glb --height 1.5e0 --json person --threads=0" };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
        CommandRun run = command("rm -f a.glb; $G %s", lines[i]);
        expect_status(&run, 0);
        assert_string_equal(run.err, "");
        assert_int_equal(report_count(command_report(&run), "files"), 1);
        run = command("$G info --json a.glb");
        double height = report_number(command_report(&run), "files.0.bounds_m.max.1");
        GT_EXPECT_NEAR(height, 1.5, 0.02);
    }
    CommandRun run = command("cp a.glb ./--json && $G info -q -- --json");
    expect_status(&run, 0);
    expect_text(run.out, "--json\n  format");
}

static void negative_numbers_are_values(void** state)
{
    (void)state;
    CommandRun run = command("$G sample person -o b.glb --height -1");
    expect_refused(&run, 2, "--height takes a number from 0.5 to 2.5, not '-1'");
    run = command("$G sample person -o b.glb --height -.5e1");
    expect_refused(&run, 2, "not '-.5e1'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(control_characters_stay_out_of_the_terminal),
        cmocka_unit_test(json_says_it_too),
        cmocka_unit_test(options_stand_anywhere),
        cmocka_unit_test(negative_numbers_are_values),
    };
    return cmocka_run_group_tests(tests, command_enter, command_leave);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Bad input and bad surroundings: status 1, one line that names the file, and nothing half-written left behind.

#include "support/command.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static int enter(void** state)
{
    int result = command_enter(state);
    return result == 0 ? command("$G sample -q -o .").status : result;
}

static void unreadable_input(void** state)
{
    (void)state;
    write_file("empty.glb", "", 0);
    write_text_file("words.bvh", "once upon a time");
    write_text_file("broken.gltf", "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":7}]}");
    CommandRun run = command("head -c 1000 person.glb >cut.glb && head -c 100 walk.bvh >cut.bvh && mkdir -p folder && "
                             "head -c 100000 /dev/zero >zeros.glb && cp person.glb lies.bvh");
    expect_status(&run, 0);
    static const char* const files[] = { "nothing.glb", "empty.glb", "words.bvh", "broken.gltf", "cut.glb",
                                         "cut.bvh",     "folder",    "zeros.glb", "/dev/null",   "person.glb/x" };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        char start[64];
        snprintf(start, sizeof start, "error: %s: ", files[i]);
        run = command("$G info %s", files[i]);
        expect_refused(&run, 1, start);
        run = command("$G convert %s out.glb", files[i]);
        expect_refused(&run, 1, start);
        run = command("$G animate person.glb %s -o out.glb", files[i]);
        expect_refused(&run, 1, start);
        run = command("$G animate --json %s walk.bvh -o out.glb", files[i]);
        expect_status(&run, 1);
        assert_string_equal(report_text(command_report(&run), "error.file"), files[i]);
        assert_false(file_exists("out.glb"));
    }
    run = command("$G info lies.bvh"); // content tells, not the ending
    expect_status(&run, 0);
}

static void an_existing_file_survives_failure(void** state)
{
    (void)state;
    CommandRun run = command("mkdir keep && cd keep && echo precious >out.glb && echo precious >expected && "
                             "head -c 5000 ../person.glb >bad.glb; $G convert bad.glb out.glb; echo $?; "
                             "(ulimit -f 1; $G convert ../person.glb out.glb; echo $?); cmp out.glb expected");
    expect_status(&run, 0);
    assert_string_equal(run.out, "1\n1\n");
    assert_int_equal(count_files("keep"), 3);
}

// The old .gltf names the old .bin, and both stay, when there is no space for the new ones: at any size that is too
// small, so that either file is the one that fails.
static void files_that_belong_together_survive_failure(void** state)
{
    (void)state;
    CommandRun run = command(
        "mkdir pair && cd pair && $G convert -q ../person.glb p.gltf && mkdir old && cp p.gltf p.bin old && "
        "$G sample person -q -o other.glb --triangles 3000 && for blocks in 1 8 64 128 256 512; do "
        "(ulimit -f $blocks; $G convert -q other.glb p.gltf 2>/dev/null) && echo $blocks done && break; "
        "cmp p.gltf old/p.gltf && cmp p.bin old/p.bin && echo kept; done; ls | wc -l; $G info -q p.gltf >/dev/null && "
        "$G convert -q p.gltf again.glb && $G convert -q other.glb wanted.glb && cmp again.glb wanted.glb && echo "
        "same");
    expect_status(&run, 0);
    expect_text(run.out, "kept\n");
    expect_text(run.out, "done\n4\nsame\n"); // old, other.glb, p.gltf and the one part of it
}

static void full_disk(void** state)
{
    (void)state;
    CommandRun run = command("mkdir limit && (ulimit -f 1; $G convert person.glb limit/out.glb)");
    expect_refused(&run, 1, "limit/out.glb: the file is larger than the disk or the process limit allows");
    run = command("(ulimit -f 1; $G convert person.glb limit/out.gltf)");
    expect_status(&run, 1);
    assert_int_equal(count_files("limit"), 0);
    run = command("(ulimit -f 1; $G sample -o limit/new)");
    expect_status(&run, 1);
    assert_int_equal(count_files("limit"), 0);
    if (file_exists("/dev/full")) {
        run = command("$G info person.glb >/dev/full");
        expect_refused(&run, 1, "standard output: No space left on device");
        run = command("$G info --json person.glb >/dev/full");
        expect_refused(&run, 1, "standard output: No space left on device");
        run = command("$G convert person.glb - >/dev/full");
        expect_refused(&run, 1, "standard output: No space left on device");
    }
}

static void write_protected(void** state)
{
    (void)state;
    // Permissions do not bind the superuser, so let somebody else try.
    const char* as_other = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
    CommandRun run = command("chmod 755 . && %s$G version", as_other);
    if (run.status != 0) {
        print_message("skipped: there is no other user who may run the command\n");
        skip();
    }
    run = command("mkdir locked && chmod 555 locked && %s$G convert person.glb locked/out.glb", as_other);
    expect_refused(&run, 1, "locked/out.glb: its folder may not be written to");
    run = command("echo x >locked.glb && chmod 444 locked.glb && %s$G convert person.glb locked.glb", as_other);
    expect_refused(&run, 1, "locked.glb: it is write-protected");
    run = command("cp person.glb secret.glb && chmod 000 secret.glb && %s$G info secret.glb", as_other);
    expect_refused(&run, 1, "secret.glb: it may not be read");
    assert_int_equal(count_files("locked"), 0);
}

static void closed_outputs(void** state)
{
    (void)state;
    CommandRun run = command("$G version >&-");
    expect_refused(&run, 1, "standard output: ");
    run = command("$G convert person.glb closed.glb >&- 2>&- <&- && $G info -q closed.glb");
    expect_status(&run, 0);
    run = command("files=$(for i in 1 2 3 4 5 6 7 8 9; do echo person.glb walk.bvh; done)\n" // more than a pipe holds
                  "{ $G info --json --channels $files; echo $? >status; } | true; cat status");
    expect_status(&run, 0);
    assert_string_equal(run.out, "1\n"); // a reader that went away is no reason for words
    assert_string_equal(run.err, "");
}

static void interrupted_half_way(void** state)
{
    (void)state;
    CommandRun run = command("mkdir cut && $G sample walk -q -o long.bvh --repeat 400 --fps 60");
    expect_status(&run, 0);
    int interrupted = 0;
    for (int delay_ms = 0; delay_ms <= 200; delay_ms += 20) {
        run = command("sh -c 'exec $G convert -q long.bvh cut/out.glb' & "
                      "sleep %d.%03d; kill -%s $! 2>/dev/null; wait $!",
                      delay_ms / 1000, delay_ms % 1000, delay_ms % 40 ? "INT" : "TERM");
        bool finished = run.status == 0;
        interrupted += !finished && strstr(run.err, "cancelled") != NULL;
        assert_int_equal(count_files("cut"), finished);
        if (finished) {
            run = command("$G info -q cut/out.glb && rm cut/out.glb");
            expect_status(&run, 0);
        }
    }
    assert_true(interrupted > 0);
}

static void other_locales_change_nothing(void** state)
{
    (void)state;
    CommandRun run = command("LC_ALL=de_DE.UTF-8 $G animate -q person.glb walk.bvh -o german.glb --fps 12.5 && "
                             "LC_ALL=C $G animate -q person.glb walk.bvh -o plain.glb --fps 12.5 && "
                             "cmp german.glb plain.glb && LC_ALL=de_DE.UTF-8 $G info --json walk.bvh >g.json && "
                             "LC_ALL=C $G info --json walk.bvh >c.json && cmp g.json c.json");
    expect_status(&run, 0);
}

// Opening a pipe waits for its other end; a signal stops that at once, not when patience is over (2 s are half of it).
static void interrupted_at_a_pipe(void** state)
{
    (void)state;
    static const char* const lines[] = { "info pipe.glb", "convert person.glb pipe.glb", "convert pipe.glb out.obj" };
    CommandRun run = command("mkfifo pipe.glb");
    expect_status(&run, 0);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
        run = command("timeout -s INT -k 2 0.5 $G %s", lines[i]);
        assert_non_null(strstr(run.err, "error: pipe.glb: cancelled"));
        expect_status(&run, 124); // of timeout, where it did not have to kill
    }
    run = command("rm pipe.glb");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unreadable_input),
        cmocka_unit_test(an_existing_file_survives_failure),
        cmocka_unit_test(files_that_belong_together_survive_failure),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(write_protected),
        cmocka_unit_test(closed_outputs),
        cmocka_unit_test(interrupted_half_way),
        cmocka_unit_test(interrupted_at_a_pipe),
        cmocka_unit_test(other_locales_change_nothing),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

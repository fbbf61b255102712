// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// gertie retarget into a folder, where motions are jobs of a thread_pool: the same files whatever the number of threads
// and however often it is stopped; what fails is listed; nothing is overwritten in silence; the report has it all.

#include "support/command.h"

#include <string.h>

// m/ holds 9 motions in folders, of which the outputs are small.
static int enter(void** state)
{
    int result = command_enter(state);
    return result == 0 ? command("$G sample -q person --triangles 2000 -o person.glb && mkdir -p m/a m/b && "
                                 "$G sample -q walk -o m/a/walk.bvh --repeat 1 && $G sample -q wave -o m/b/wave.bvh && "
                                 "$G sample -q kick -o m/kick.bvh && "
                                 "for i in 1 2; do cp m/a/walk.bvh m/a/w$i.bvh; cp m/b/wave.bvh m/b/v$i.bvh; "
                                 "cp m/kick.bvh m/k$i.bvh; done")
                             .status
                       : result;
}

// Same files with the same bytes, but for the journal.
static void expect_same_folder(const char* a, const char* b)
{
    CommandRun run = command("diff -r -x .gertie-batch %s %s", a, b);
    expect_status(&run, 0);
}

static void threads_change_nothing(void** state)
{
    (void)state;
    CommandRun run = command("$G retarget -q person.glb m -o one/ --threads 1 && "
                             "cd m && $G retarget -q ../person.glb . -o ../four/ --threads 4");
    expect_status(&run, 0);
    run = command("for f in $(cd one && find . -name '*.glb'); do cmp one/$f four/$f || exit 1; done && "
                  "$G retarget -q person.glb m/a/walk.bvh -o alone.glb && cmp alone.glb one/a/walk.glb && "
                  "find four -name '*.glb' | wc -l");
    expect_status(&run, 0);
    expect_text(run.out, "9");
    run = command("mkdir moved && mv one moved/one && mv four moved/four && $G retarget -q person.glb m -o one/ "
                  "--threads 1 && mv one 1 && $G retarget -q person.glb m -o one/ --threads 4 && mv one 4");
    expect_status(&run, 0);
    expect_same_folder("1", "4"); // the reports too
}

static void the_report_has_every_clip(void** state)
{
    (void)state;
    CommandRun run = command("$G retarget person.glb m -o whole/ --json");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_int_equal(report_count(report, "clips"), 9);
    assert_int_equal(report_count(report, "failures"), 0);
    assert_int_equal(report_number(report, "done"), 9);
    assert_string_equal(report_text(report, "reports.0"), "whole/report.json");
    run = command("cat whole/report.json");
    report = command_report(&run);
    assert_int_equal(report_number(report, "motions"), 9);
    assert_int_equal(report_count(report, "clips"), 9);
    assert_string_equal(report_text(report, "clips.0.motion"), "m/a/w1.bvh");
    double skate_m = report_number(report, "clips.2.measures.feet.left.skate_m"); // of m/a/walk.bvh
    double largest_m = report_number(report, "spread.skate_m.max");
    assert_true(largest_m >= skate_m && report_number(report, "spread.skate_m.p50") <= largest_m);
    run = command("$G measure whole/a/walk.glb --source m/a/walk.bvh --mesh-frames 0 --json");
    GT_EXPECT_NEAR(report_number(command_report(&run), "feet.left.skate_m"), skate_m, 1e-9);
    run = command("grep -c '^<tr><td>[^<]*bvh<' whole/report.html");
    expect_text(run.out, "9");
    run = command("cat whole/report.html");
    expect_text(run.out, ">skate<small>mm</small></th>");
    expect_text(run.out, "<span>of animation, all clips together</span>");
    run = command("grep -o '<th[^>]*>[^<]*<small>[^<]' whole/report.html | wc -l"); // a unit under each of them
    expect_text(run.out, "12");
    run = command("$G retarget -q person.glb m/kick.bvh -o plain/ --no-report && ls plain");
    assert_string_equal(run.out, "kick.glb\n");
    run = command("$G retarget person.glb m/kick.bvh -o mirrored/ --mirror --json"); // nothing to compare with
    report = command_report(&run);
    assert_true(report_number(report, "clips.0.measures.feet.left.contacts") > 0);
}

static void failures_are_listed_and_keep_no_other(void** state)
{
    (void)state;
    CommandRun run = command("cp -r m bad && : > bad/a/empty.bvh && echo HIERARCHY > bad/b/broken.bvh && "
                             "mkdir -p out && echo in the way > out/b && "
                             "$G retarget person.glb bad -o out/ 2>&1 >/dev/null | tail -7");
    expect_text(run.out, "out/: 6 of 11 motions done");
    expect_text(run.out, "error: bad/a/empty.bvh: the file is empty");
    expect_text(run.out, "error: out/b/wave.glb: a part of this path is no folder");
    run = command("rm out/b && $G retarget person.glb bad -o out/ --resume --json");
    expect_status(&run, 1);
    const GtiJson* report = command_report(&run);
    assert_int_equal(report_number(report, "kept"), 6);
    assert_int_equal(report_number(report, "done"), 3);
    assert_int_equal(report_count(report, "failures"), 2);
    assert_string_equal(report_text(report, "failures.0.motion"), "bad/a/empty.bvh");
    assert_string_equal(report_text(report, "failures.1.error.code"), "bad_file");
    assert_int_equal(report_count(report, "clips"), 9);
    run = command("cat out/report.html");
    expect_text(run.out, "<td>bad/a/empty.bvh</td><td class=\"words\">the file is empty</td>");
    run = command("$G sample -q walk -o long.bvh --repeat 40; (ulimit -f 1000; $G retarget -q person.glb long.bvh "
                  "m/kick.bvh -o full/ --no-report)"); // a disk that takes 512,000 bytes a file
    expect_status(&run, 1);
    expect_text(run.err, "full/long.glb: the file is larger than the disk or the process limit allows");
    assert_true(file_exists("full/kick.glb"));
    assert_int_equal(count_files("full"), 2); // with the journal
}

static void a_killed_run_goes_on_to_the_same_files(void** state)
{
    (void)state;
    CommandRun run = command("$G retarget -q person.glb m -o killed/ && mv killed wanted");
    expect_status(&run, 0);
    for (int files = 0; files <= 9; files += 3) {
        run = command("rm -rf killed; $G retarget -q person.glb m -o killed/ --threads 2 & "
                      "while kill -0 $! 2>/dev/null && [ $(find killed -name '*.glb' 2>/dev/null | wc -l) -lt %d ]; do "
                      ":; done; kill -9 $! 2>/dev/null; wait $!; "
                      "$G retarget -q person.glb m -o killed/ --resume --threads 3",
                      files);
        expect_status(&run, 0);
        expect_same_folder("wanted", "killed");
    }
    // Half-written files, and a journal that is cut off, or holds rubbish.
    run = command("rm killed/report.*; head -c 9000 killed/.gertie-batch > j; (cat j; echo; echo rubbish; echo "
                  "'0000000000000000	x'; tail -n 1 killed/.gertie-batch) > killed/.gertie-batch; "
                  "echo half > killed/a/walk.glb.unfinished-123-0; "
                  "$G retarget person.glb m -o killed/ --resume --json");
    expect_status(&run, 0);
    double kept = report_number(command_report(&run), "kept");
    assert_true(kept > 0 && kept < 9);
    expect_same_folder("wanted", "killed");
    run = command("printf 'torn' >> killed/.gertie-batch; touch m/kick.bvh; $G retarget -q person.glb m -o killed/ "
                  "--resume && $G retarget person.glb m -o killed/ --resume --json");
    expect_status(&run, 0);
    assert_int_equal(report_number(command_report(&run), "kept"), 9);
    expect_same_folder("wanted", "killed");
}

static void what_changed_is_done_again(void** state)
{
    (void)state;
    static const char* const changes[] = {
        "touch -d '1 minute ago' again/m/kick.bvh", // a motion
        "echo more >> again/out/kick.glb",          // a result
        "rm again/out/kick.glb",                    // a result that is gone
    };
    CommandRun run =
        command("mkdir again && cp person.glb again/ && mkdir again/m && cp -r m/kick.bvh m/k1.bvh again/m && "
                "cd again && $G retarget -q person.glb m -o out/");
    expect_status(&run, 0);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
        run = command("%s; cd again && $G retarget person.glb m -o out/ --resume --json", changes[i]);
        assert_int_equal(report_number(command_report(&run), "kept"), 1);
        assert_int_equal(report_number(command_report(&run), "done"), 1);
    }
    run = command("cd again && $G retarget person.glb m -o out/ --resume --json --speed 2"); // an option
    assert_int_equal(report_number(command_report(&run), "done"), 2);
    run = command("cd again && $G map -q person.glb -o map.json && "
                  "$G retarget -q person.glb m -o out/ --resume --map map.json && "
                  "sed -i 's/leftHand\"/leftHand\" /' map.json && "
                  "$G retarget person.glb m -o out/ --resume --json --map map.json"); // a file that an option names
    assert_int_equal(report_number(command_report(&run), "done"), 2);
    run = command("cd again && $G sample -q person --triangles 2000 --height 1.5 -o person.glb && "
                  "$G retarget person.glb m -o out/ --resume --json --map map.json"); // the character
    assert_int_equal(report_number(command_report(&run), "done"), 2);
    run = command("cd again && $G retarget person.glb m -o out/ --json --map map.json"); // without --resume, everything
    assert_int_equal(report_number(command_report(&run), "done"), 2);
}

static void nothing_is_overwritten_in_silence(void** state)
{
    (void)state;
    CommandRun run = command("mkdir c1 c2 && cp m/kick.bvh c1 && cp m/kick.bvh c2 && "
                             "$G retarget -q person.glb c1/kick.bvh c2/kick.bvh -o c/");
    expect_refused(&run, 2, "c1/kick.bvh and c2/kick.bvh would both become c/kick.glb; give the folder above them");
    assert_false(file_exists("c"));
    run = command("$G retarget -q person.glb c1 c2 -o c/");
    expect_refused(&run, 2, "would both become c/kick.glb");
    run = command("$G retarget -q person.glb m/kick.bvh m/kick.bvh -o c/");
    expect_refused(&run, 2, "m/kick.bvh is named twice");
    run = command("mkdir self && $G retarget -q person.glb m/kick.bvh -o self/kick.glb && cp person.glb self && "
                  "$G retarget -q person.glb self/kick.glb -o self");
    expect_refused(&run, 2, "self/kick.glb would replace a file that it is made from");
    run = command("cd self && $G retarget -q person.glb . -o sub/ && ls sub"); // neither the character nor results
    expect_text(run.out, "kick.glb\nreport.html\nreport.json\n");
    run = command("cd self && $G retarget -q person.glb . -o sub/ && ls sub sub/sub 2>&1");
    expect_text(run.out, "kick.glb\nreport.html\nreport.json\n");
    expect_text(run.out, "No such file");
    run = command("flock self/sub/.gertie-batch $G retarget -q person.glb m/kick.bvh -o self/sub/");
    expect_refused(&run, 1, "another run writes to this folder");
}

static void what_cannot_be_done_is_said(void** state)
{
    (void)state;
    CommandRun run = command("$G retarget -q person.glb m/kick.bvh -o x.glb --resume");
    expect_refused(&run, 2, "--resume is for a folder of results");
    run = command("$G retarget -q person.glb m/kick.bvh -o x/ --format bvh");
    expect_refused(&run, 2, "--format is for standard output");
    run = command("$G retarget -q person.glb - -o x/ < m/kick.bvh");
    expect_refused(&run, 2, "standard input has no name");
    run = command("mkdir nothing; $G retarget -q person.glb nothing -o x/");
    expect_refused(&run, 1, "nothing: the folder holds no motions");
    run = command("$G retarget -q person.glb m/kick.bvh -o person.glb/x/");
    expect_refused(&run, 1, "the folder could not be made");
    assert_false(file_exists("x"));
    run = command("$G retarget person.glb m -o all.glb --json"); // a folder into one file
    expect_status(&run, 0);
    assert_int_equal(report_count(command_report(&run), "clips"), 9);
}

static void an_interrupt_says_how_to_go_on(void** state)
{
    (void)state;
    CommandRun run = command("mkdir many && for i in $(seq 40); do cp m/b/wave.bvh many/$i.bvh; done; "
                             "$G retarget person.glb many -o stopped/ --no-report & "
                             "while [ $(find stopped -name '*.glb' 2>/dev/null | wc -l) -lt 1 ]; do :; done; "
                             "kill -TERM $!; wait $!");
    assert_int_equal(run.status, 128 + 15);
    expect_text(run.err, "error: stopped/: stopped with ");
    expect_text(run.err, "--resume goes on from here");
    run = command("find stopped -name '*unfinished*'");
    assert_string_equal(run.out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(the_report_has_every_clip),
        cmocka_unit_test(failures_are_listed_and_keep_no_other),
        cmocka_unit_test(a_killed_run_goes_on_to_the_same_files),
        cmocka_unit_test(what_changed_is_done_again),
        cmocka_unit_test(nothing_is_overwritten_in_silence),
        cmocka_unit_test(what_cannot_be_done_is_said),
        cmocka_unit_test(an_interrupt_says_how_to_go_on),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

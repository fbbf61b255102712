// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Every verb has a report, and docs/schemas/report.schema.json says what is in it; command_report() checks that.

#include "support/command.h"

#include "gertie/api.h"

typedef struct VerbRun {
    const char* verb;
    const char* line; // after "$G"; NULL where another test runs it
} VerbRun;

static const VerbRun runs[] = {
    { "sample", "sample --json -o demo" },
    { "animate", "animate --json person.glb walk.bvh -o walking.glb" },
    { "animate", "animate --json bare.obj walk.bvh -o bare.glb --method harmonic --fps 5" },
    { "clip", "clip --json walk.bvh --plant --from 1.1 --to 3.3 -o cycle.bvh" },
    { "contacts", "contacts --json walk.bvh --hands -o contacts.json" },
    { "convert", "convert --json person.glb person.obj" },
    { "convert", "convert --json walking.glb frames.pc2 --fps 5" },
    { "deform", "deform --json walking.glb --preset muscles -o muscles.glb --save muscles.json" },
    { "deform", "deform --json walking.glb --preset breath -o breath.glb --bake --shapes 1" },
    { "info", "info --json walk.bvh person.glb muscles.glb bare.obj --channels" },
    { "map", "map --json walk.bvh -o map.json" },
    { "measure", "measure --json walking.glb --source walk.bvh --mesh-frames 4" },
    { "pack", "pack --json muscles.glb muscles.gtp" },
    { "info", "info --json muscles.gtp --channels" },
    { "plot", "plot --json walk.bvh -c hips.position.y -o plot.svg" },
    { "render", NULL }, // render_test.c has it, as it needs a driver
    { "retarget", "retarget --json person.glb walk.bvh -o carried.glb" },
    { "retarget", "retarget --json person.glb motions -o batch/" },
    { "rig", "rig --json bare.obj -o rigged.glb --weights rigid" },
    { "help", "help --json rig" },
    { "version", "version --json" },
};

static int enter(void** state)
{
    int status = command_enter(state);
    CommandRun run = command("$G sample person -q -o person.glb --triangles 4000 && $G sample walk -q -o walk.bvh && "
                             "$G sample person -q --bare -o bare.obj --triangles 4000 && "
                             "mkdir motions && cp walk.bvh motions/ && printf broken >motions/broken.bvh");
    return status == 0 && run.status == 0 ? 0 : -1;
}

static void every_verb_has_a_report(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; ++i) {
        if (!runs[i].line) {
            continue;
        }
        CommandRun run = command("$G %s", runs[i].line);
        bool fails = strstr(runs[i].line, "motions") != NULL; // one of them is broken
        expect_status(&run, fails ? 1 : 0);
        const GtiJson* report = command_report(&run);
        assert_string_equal(report_text(report, "verb"), runs[i].verb);
        assert_int_equal(report_bool(report, "ok"), !fails);
    }
    CommandRun run = command("cat batch/report.json");
    assert_string_equal(report_text(command_report(&run), "gertie"), GT_VERSION_STRING);
}

// What is run above is all there is.
static void no_verb_is_left_out(void** state)
{
    (void)state;
    CommandRun run = command("$G help | awk '/^Options/ { exit } /^  [a-z]/ { print $1 }'");
    int count = 0;
    for (char* verb = strtok((char*)run.out, "\n"); verb; verb = strtok(NULL, "\n")) {
        bool is_run = false;
        for (size_t i = 0; i < sizeof runs / sizeof runs[0]; ++i) {
            is_run = is_run || strcmp(verb, runs[i].verb) == 0;
        }
        if (!is_run) {
            fail_msg("the report of '%s' is not tested", verb);
        }
        ++count;
    }
    assert_true(count >= 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verb_has_a_report),
        cmocka_unit_test(no_verb_is_left_out),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

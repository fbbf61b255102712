// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// What only a terminal sees: the progress of work that takes over a second, and a refusal to print binary files.

#include "support/command.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

typedef struct Terminal {
    char seen[1 << 16]; // terminated
    size_t size;
    int status;
    double seconds;
} Terminal;

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// What arrives on the terminal within `wait_ms`; false once it is closed.
static bool look(Terminal* terminal, int master, int wait_ms)
{
    struct pollfd ready = { .fd = master, .events = POLLIN };
    if (poll(&ready, 1, wait_ms) <= 0) {
        return true;
    }
    ssize_t got = read(master, terminal->seen + terminal->size, sizeof terminal->seen - 1 - terminal->size);
    terminal->size += got > 0 ? (size_t)got : 0;
    terminal->seen[terminal->size] = 0;
    return got > 0;
}

// Run the command on a terminal, with a file dripping into its standard input over `drip_ms`.
static void run_on_terminal(Terminal* terminal, const char* const* words, const char* input, int drip_ms)
{
    enum {
        DROPS = 40
    };
    *terminal = (Terminal){ 0 };
    double start_s = now_s();
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    int feed[2];
    assert_true(slave >= 0 && pipe(feed) == 0);
    struct termios mode;
    assert_int_equal(tcgetattr(slave, &mode), 0);
    mode.c_oflag &= (tcflag_t)~OPOST; // newlines as they are
    assert_int_equal(tcsetattr(slave, TCSANOW, &mode), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(feed[0], 0);
        dup2(slave, 1);
        dup2(slave, 2);
        close(feed[0]);
        close(feed[1]);
        close(slave);
        close(master);
        execv(getenv("GERTIE_COMMAND"), (char**)words);
        _exit(127);
    }
    close(slave);
    close(feed[0]);
    FILE* file = input ? fopen(input, "rb") : NULL;
    for (int i = 0; file && i < DROPS; ++i) {
        char drop[1 << 12];
        size_t size = fread(drop, 1, i + 1 < DROPS ? 100 : sizeof drop, file);
        assert_int_equal(write(feed[1], drop, size), size);
        look(terminal, master, 0);
        nanosleep(&(struct timespec){ .tv_nsec = 1000000L * drip_ms / DROPS }, NULL);
    }
    for (char rest[1 << 12]; file && !feof(file);) {
        size_t size = fread(rest, 1, sizeof rest, file);
        assert_int_equal(write(feed[1], rest, size), size);
    }
    if (file) {
        fclose(file);
    }
    close(feed[1]);
    while (look(terminal, master, 10000)) {
    }
    close(master);
    assert_int_equal(waitpid(child, &terminal->status, 0), child);
    terminal->seconds = now_s() - start_s;
}

static int enter(void** state)
{
    int result = command_enter(state);
    return result == 0 ? command("$G sample -q -o .").status : result;
}

static void long_work_shows_its_progress_and_tidies_up(void** state)
{
    (void)state;
    Terminal terminal;
    const char* const words[] = { "gertie", "convert", "-", "out.glb", NULL };
    run_on_terminal(&terminal, words, "person.glb", 1500);
    assert_int_equal(terminal.status, 0);
    expect_text(terminal.seen, "\r[");
    expect_text(terminal.seen, " %  reading\033[K");
    const char* end = strstr(terminal.seen, "\r\033[Kwrote out.glb: 56 nodes, 1 mesh\n");
    assert_non_null(end);
    assert_null(strchr(end + 2, '\r')); // the bar does not come back
}

static void short_work_and_quiet_work_show_none(void** state)
{
    (void)state;
    Terminal terminal;
    const char* const fast[] = { "gertie", "convert", "-", "out.glb", NULL };
    run_on_terminal(&terminal, fast, "person.glb", 100);
    assert_int_equal(terminal.status, 0);
    if (terminal.seconds < 1.0) { // else this machine is too busy for short work
        assert_string_equal(terminal.seen, "wrote out.glb: 56 nodes, 1 mesh\n");
    }
    const char* const quiet[] = { "gertie", "convert", "-q", "-", "out.glb", NULL };
    run_on_terminal(&terminal, quiet, "person.glb", 1500);
    assert_int_equal(terminal.status, 0);
    assert_string_equal(terminal.seen, "");
}

static void a_batch_shows_what_is_done_and_left(void** state)
{
    (void)state;
    Terminal terminal;
    const char* const words[] = { "gertie", "retarget", "person.glb", "/dev/stdin", "wave.bvh", "kick.bvh",
                                  "-o",     "out/",     "--threads",  "2",          NULL };
    run_on_terminal(&terminal, words, "walk.bvh", 1500); // others are done while the first drips in
    assert_int_equal(terminal.status, 0);
    expect_text(terminal.seen, " %  2/3, ");
    expect_text(terminal.seen, " left\033[K");
    expect_text(terminal.seen, "\r\033[Kout/: 3 of 3 motions done in ");
    assert_true(file_exists("out/stdin.glb"));
}

static void binary_files_are_not_shown(void** state)
{
    (void)state;
    Terminal terminal;
    const char* const binary[] = { "gertie", "sample", "person", "-o", "-", NULL };
    run_on_terminal(&terminal, binary, NULL, 0);
    assert_true(WIFEXITED(terminal.status) && WEXITSTATUS(terminal.status) == 2);
    assert_int_equal(strncmp(terminal.seen, "error: standard output is a terminal", 36), 0);
    const char* const text[] = { "gertie", "sample",       "walk",       "-q",      "-o",
                                 "-",      "--format=bvh", "--repeat=1", "--fps=5", NULL };
    run_on_terminal(&terminal, text, NULL, 0);
    assert_int_equal(terminal.status, 0);
    assert_int_equal(strncmp(terminal.seen, "HIERARCHY\n", 10), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_work_shows_its_progress_and_tidies_up),
        cmocka_unit_test(short_work_and_quiet_work_show_none),
        cmocka_unit_test(a_batch_shows_what_is_done_and_left),
        cmocka_unit_test(binary_files_are_not_shown),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// A first signal is remembered and the progress callback asks for it, so that the library can put everything away; the
// handler then stands aside (SA_RESETHAND), so that a second signal ends the program at once. Whoever sends only one (a
// service manager, timeout(1)) is not kept waiting for ever: an alarm ends the program where the library does not.

#include "interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static _Atomic int caught; // free of locks, so a handler may set it; jobs on other threads read it

enum {
    PATIENCE_S = 5
};

static void remember(int signal_number)
{
    caught = signal_number;
    alarm(PATIENCE_S);
}

static void lose_patience(int signal_number)
{
    (void)signal_number;
    interrupt_die();
}

void interrupt_prepare(void)
{
    // Opened the wrong way round, so that writing to a closed standard output fails instead of vanishing.
    for (int fd = 0; fd <= 2; ++fd) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) {
            return;
        }
    }
    const int stops[] = { SIGINT, SIGTERM, SIGHUP };
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; ++i) {
        struct sigaction old;
        sigaction(stops[i], NULL, &old);
        if (old.sa_handler != SIG_IGN) { // nohup, and jobs in the background of a script, want them ignored
            struct sigaction action = { .sa_handler = remember, .sa_flags = (int)SA_RESETHAND }; // no SA_RESTART
            sigaction(stops[i], &action, NULL);
        }
    }
    signal(SIGALRM, lose_patience);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

int interrupt_signal(void)
{
    return caught;
}

void interrupt_die(void)
{
    signal(caught, SIG_DFL);
    raise(caught);
}

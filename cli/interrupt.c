// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// A first signal is remembered and the progress callback asks for it, so that the library can put everything away; the
// handler then stands aside (SA_RESETHAND), so that a second signal ends the program at once.

#include "interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void remember(int signal_number)
{
    caught = signal_number;
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
            struct sigaction action = { .sa_handler = remember, .sa_flags = (int)SA_RESETHAND };
            sigaction(stops[i], &action, NULL);
        }
    }
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

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the system does to a running command: Ctrl-C, closed pipes, full disks.

#ifndef GERTIE_CLI_INTERRUPT_H
#define GERTIE_CLI_INTERRUPT_H

// From now on SIGINT, SIGTERM and SIGHUP only ask to stop (the second one kills), writing to a closed pipe or past a
// size limit is an error rather than a death, and descriptors 0 to 2 are taken, so that no file we open becomes one.
void interrupt_prepare(void);

// The signal that asked to stop, or 0.
int interrupt_signal(void);

// End by that signal, as if it had never been caught, so that the shell sees what happened.
void interrupt_die(void);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Work that is done beside the caller's: one job at a time, on a thread of its own that starts with the first.

#ifndef GERTIE_RENDER_FILM_AHEAD_H
#define GERTIE_RENDER_FILM_AHEAD_H

#include <pthread.h>
#include <stdbool.h>

typedef struct GtiAhead {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool has_thread;
    bool ends;
    void (*job)(void* user); // NULL when there is nothing to do
    void* user;
} GtiAhead;

void gti_ahead_init(GtiAhead* ahead);
void gti_ahead_destroy(GtiAhead* ahead);

// Begin a job; the one before must have been waited for. Where no thread can be had it is done at once.
void gti_ahead_begin(GtiAhead* ahead, void (*job)(void* user), void* user);

// Wait until the job is done; at once when there is none.
void gti_ahead_wait(GtiAhead* ahead);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/film/ahead.h"

#include <stddef.h>
#include <string.h>

static void* work(void* data)
{
    GtiAhead* ahead = data;
    pthread_mutex_lock(&ahead->mutex);
    while (!ahead->ends) {
        if (!ahead->job) {
            pthread_cond_wait(&ahead->changed, &ahead->mutex);
            continue;
        }
        void (*job)(void*) = ahead->job;
        pthread_mutex_unlock(&ahead->mutex);
        job(ahead->user);
        pthread_mutex_lock(&ahead->mutex);
        ahead->job = NULL;
        pthread_cond_broadcast(&ahead->changed);
    }
    pthread_mutex_unlock(&ahead->mutex);
    return NULL;
}

void gti_ahead_init(GtiAhead* ahead)
{
    memset(ahead, 0, sizeof *ahead);
    pthread_mutex_init(&ahead->mutex, NULL);
    pthread_cond_init(&ahead->changed, NULL);
}

void gti_ahead_destroy(GtiAhead* ahead)
{
    gti_ahead_wait(ahead);
    if (ahead->has_thread) {
        pthread_mutex_lock(&ahead->mutex);
        ahead->ends = true;
        pthread_cond_broadcast(&ahead->changed);
        pthread_mutex_unlock(&ahead->mutex);
        pthread_join(ahead->thread, NULL);
    }
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->mutex);
}

void gti_ahead_begin(GtiAhead* ahead, void (*job)(void* user), void* user)
{
    ahead->has_thread = ahead->has_thread || pthread_create(&ahead->thread, NULL, work, ahead) == 0;
    if (!ahead->has_thread) {
        job(user);
        return;
    }
    pthread_mutex_lock(&ahead->mutex);
    ahead->job = job;
    ahead->user = user;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->mutex);
}

void gti_ahead_wait(GtiAhead* ahead)
{
    pthread_mutex_lock(&ahead->mutex);
    while (ahead->job) {
        pthread_cond_wait(&ahead->changed, &ahead->mutex);
    }
    pthread_mutex_unlock(&ahead->mutex);
}

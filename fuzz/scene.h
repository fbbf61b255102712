// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What targets share that work on a scene which was read from hostile bytes: reading it, a limit on the work that one
// input may take, and what must hold for every scene that the library makes of it.

#ifndef GERTIE_FUZZ_SCENE_H
#define GERTIE_FUZZ_SCENE_H

#include "gertie/file.h"

#include "base/hash.h"

#include "person.h"

#include <stdint.h>
#include <string.h>

enum {
    MOST_STEPS = 4000 // calls of the progress function until an input is cancelled
};

static int fuzz_steps;

// Cancels what takes too long, as a program would on behalf of its user. By the count of calls, not by a clock, so that
// an input does the same every time; a call that never asks runs into the fuzzer's time limit.
static inline bool count_step(void* user, const char* task, double fraction)
{
    (void)user;
    (void)task;
    CHECK(fraction >= 0.0 && fraction <= 1.0);
    return ++fuzz_steps < MOST_STEPS;
}

static inline GtContext limited_context(void)
{
    GtContext context = gt_default_context();
    context.progress = count_step;
    fuzz_steps = 0;
    return context;
}

// Read bytes of any format; formats that have no signature are tried as OBJ. NULL where they are refused.
static inline GtScene* read_scene(const GtContext* context, const uint8_t* data, size_t size)
{
    GtScene* scene = NULL;
    GtError error = { 0 };
    GtResult result = gt_scene_load_memory(context, data, size, "input.obj", NULL, &scene, &error);
    CHECK((result == GT_OK) == (scene != NULL) && (result == GT_OK || error.message[0]));
    return scene;
}

// Bits that choose options, from the input itself, so that it finds the same way again.
static inline uint64_t options_of(const uint8_t* data, size_t size)
{
    return gti_hash(0, data, size);
}

// A call failed with a message, or made a scene that is valid and can be written.
static inline void check_made(GtResult result, const GtError* error, const GtScene* scene)
{
    GtBlob* blob = NULL;
    GtError why = { 0 };
    CHECK((result == GT_OK) == (scene != NULL));
    if (result != GT_OK) {
        CHECK(error->message[0] && strlen(error->message) < sizeof error->message && result == error->code);
        return;
    }
    GtContext plain = gt_default_context();
    if (gt_scene_validate(&plain, scene, &why) != GT_OK ||
        gt_scene_save_memory(&plain, scene, "glb", NULL, &blob, &why) != GT_OK) {
        fprintf(stderr, "the scene that was made is not valid: %s: %s\n", why.where, why.message);
        abort();
    }
    gt_blob_release(blob);
}

#endif

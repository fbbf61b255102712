// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The nearest of many names to one that was not found, for the end of a message. Case, separators and a namespace such
// as "mixamorig:" do not count, so that "leftFoot" finds "mixamorig:LeftFoot".

#ifndef GERTIE_BASE_NEAR_H
#define GERTIE_BASE_NEAR_H

#include "gertie/api.h"

enum {
    GTI_NEAR_COUNT = 3
};

typedef struct GtiNear {
    const char* wanted;
    const char* names[GTI_NEAR_COUNT]; // nearest first, of equals the one offered first
    int distances[GTI_NEAR_COUNT];
    int count;
} GtiNear;

static inline GtiNear gti_near(const char* wanted)
{
    return (GtiNear){ .wanted = wanted };
}

// Consider a name, which must outlive `near`; NULL and names that are offered twice do no harm.
void gti_near_offer(GtiNear* near, const char* name);

// Write "; did you mean 'a', 'b' or 'c'?", or "" where nothing is near, and return `out`.
const char* gti_near_print(const GtiNear* near, char* out, size_t out_size);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Sizes that cannot overflow, and arrays that grow.

#ifndef GERTIE_BASE_MEMORY_H
#define GERTIE_BASE_MEMORY_H

#include "gertie/memory.h"

// a * b and a + b; false, with *out untouched, when the result does not fit.
static inline bool gti_size_mul(size_t a, size_t b, size_t* out)
{
    if (b && a > SIZE_MAX / b) {
        return false;
    }
    *out = a * b;
    return true;
}

static inline bool gti_size_add(size_t a, size_t b, size_t* out)
{
    if (a > SIZE_MAX - b) {
        return false;
    }
    *out = a + b;
    return true;
}

#endif

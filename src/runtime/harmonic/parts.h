// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The arrays of a GtHarmonic as one list: whoever copies, writes, reads or checks them goes through it.

#ifndef GERTIE_RUNTIME_HARMONIC_PARTS_H
#define GERTIE_RUNTIME_HARMONIC_PARTS_H

#include "gertie/error.h"

#include "runtime/harmonic/harmonic.h"

enum {
    GTI_MOST_HARMONIC_PARTS = 48
};

typedef enum GtiPartKind {
    GTI_PART_INTEGERS, // or structs, which are checked one by one
    GTI_PART_FLOATS,
    GTI_PART_DOUBLES,
} GtiPartKind;

typedef struct GtiHarmonicPart {
    const void** array; // where the GtHarmonic points to it
    size_t count;       // 0 for an array that is not there
    size_t element;     // bytes
    GtiPartKind kind;
} GtiHarmonicPart;

// List the arrays of a GtHarmonic whose counts are set; its pointers may still be NULL. Returns how many there are.
// out: [GTI_MOST_HARMONIC_PARTS]
int gti_harmonic_parts(GtHarmonic* harmonic, GtiHarmonicPart* out);

// Whether counts of a GtHarmonic without a batch cut may be those of arrays, so that gti_harmonic_parts() can be
// called.
bool gti_harmonic_counts_fit(const GtHarmonic* harmonic);

// False where it has a number that is not finite.
bool gti_harmonic_part_is_finite(const GtiHarmonicPart* part);

// Check the integers and records in the arrays, once the counts are known to fit and no array of a count above 0 is
// NULL: with GT_OK, single frames may be posed, whatever the numbers are.
GtResult gti_harmonic_check(const GtHarmonic* harmonic, GtError* error);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The lines that the surface of bones lies about, for limbs to keep their thickness when they bend and twist.

#ifndef GERTIE_HARMONIC_MARKERS_BONE_AXES_H
#define GERTIE_HARMONIC_MARKERS_BONE_AXES_H

#include "gertie/harmonic.h"

#include "harmonic/markers/bone_tree.h"

typedef struct GtiBoneAxis {
    int32_t line; // bone whose line it is: of hands and fingers the forearm, which they turn about
    GtVec3 axis;  // unit, along the line, on one side all the way along a limb
    bool twists;  // about the line, relative to its parent
    bool turns;   // it goes on in its parent's direction, more or less
    float carry;  // 0 to 1: how much of what turns its parent about the line turns it about its own
    float volume; // as in GtHarmonicMarker
} GtiBoneAxis;

// [bone_count], of the arena's; NULL when memory ran out.
GtiBoneAxis* gti_bone_axes_find(const GtiBoneTree* bones, GtArena* arena);

// Give a marker of bone `b` its line. place: where it is, in the bind pose
void gti_bone_axes_mark(const GtiBoneTree* bones, const GtiBoneAxis* axes, int32_t b, GtVec3 place,
                        GtHarmonicMarker* marker);

#endif

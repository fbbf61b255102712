// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Fingers of a hand: which chain is the thumb, which the little finger, and which of its joints is which.

#ifndef GERTIE_MAP_HAND_H
#define GERTIE_MAP_HAND_H

#include "map/tree.h"

typedef struct GtiFinger {
    int32_t joints[3]; // proximal, intermediate, distal; of the thumb metacarpal, proximal, distal; or GT_NONE
    bool by_name;
    bool is_guess; // the last of four or fewer without names, of which nothing tells whether it is the next one or the
                   // little finger
} GtiFinger;

// Find the fingers that hang from a hand: thumb, index, middle, ring, little.
void gti_hand_find(const GtiMapTree* tree, int32_t hand, int32_t elbow, GtiFinger fingers[5]);

#endif

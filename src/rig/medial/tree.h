// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A skeleton reduced to what a body shows: where it forks and where it ends. Joints between two such knots are found
// along the way from one to the other; small twigs (fingers, eyes, a jaw) ride on the knot they grow from.

#ifndef GERTIE_RIG_MEDIAL_TREE_H
#define GERTIE_RIG_MEDIAL_TREE_H

#include "gertie/memory.h"
#include "rig/skeleton.h"

// Most knots of a tree: a search for all of them takes too long beyond.
enum {
    GTI_KNOT_MOST = 32
};

typedef struct GtiMedialKnot {
    int32_t parent; // an earlier knot, or GT_NONE
    int32_t mirror; // the knot on the other side, or itself
    int32_t joint;  // that stands here; GT_NONE where the bone of a last joint ends
    int32_t tail;   // the last joint before an end; else the joint
    bool is_leaf;
    bool is_pinned;                   // the user has said where the joint is
    GtVec3 position;                  // in the skeleton as given, brought to the body's size
    float length;                     // from the parent, along the joints
    GtVec3 direction;                 // from the parent, unit or zero; of arms as bodies have them
    int32_t chain_start, chain_count; // joints between the parent and this one, in `chain`
} GtiMedialKnot;

typedef struct GtiMedialTree {
    GtiMedialKnot knots[GTI_KNOT_MOST]; // parents first
    int32_t knot_count;
    int32_t* chain;     // joints of all knots' chains
    GtVec3* rest;       // [joint_count] as given, brought to the body's size
    GtVec3* given_tips; // [joint_count] likewise
    GtVec3* rest_tips;  // [joint_count] where limbs end: of a joint whose twigs ride on it, the farthest end of these;
                        // of hands, heads and feet whose skeleton stops short, about where people's end
    bool* is_twig;      // [joint_count] joints that ride on the nearest ancestor that does not
    bool* is_end;       // [joint_count] the last joint of a limb, twigs left out
    int32_t joint_count;
} GtiMedialTree;

// The skeleton, as high as a body of height 1. False when memory ran out.
bool gti_medial_tree_make(const GtiRigSkeleton* skeleton, GtArena* arena, GtiMedialTree* out);

#endif

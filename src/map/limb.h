// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Arms and legs in a chain of joints: which three are shoulder, elbow and wrist, or hip, knee and ankle.

#ifndef GERTIE_MAP_LIMB_H
#define GERTIE_MAP_LIMB_H

#include "map/tree.h"

enum {
    GTI_LIMB_MOST = 24 // joints of a chain that are looked at
};

// The three joints of a limb. `score` is 0 to 1 for how much it looks like one by shape, and more or less than that by
// what names say.
typedef struct GtiMapLimb {
    int32_t chain[GTI_LIMB_MOST]; // from the trunk outwards
    int32_t chain_count;
    int32_t upper, lower, end; // places in the chain; end may be chain_count where the limb ends with its second joint
    float shape;
    float score;
} GtiMapLimb;

// Follow the limb that begins with `first`, and fit an arm or a leg into it.
// @param trunk  where it hangs from
bool gti_limb_fit(const GtiMapTree* tree, int32_t trunk, int32_t first, bool is_leg, GtVec3 up, GtiMapLimb* out);

// A joint of the limb, or GT_NONE.
int32_t gti_limb_joint(const GtiMapLimb* limb, int32_t place);

// 1 where `value` is `wanted`, falling off with the ratio of the two; 0 for no length.
float gti_likeness(float value, float wanted, float width);

// The foot of a leg: the joint that ends it, or, where there is none or but a tip, one that hangs from elsewhere and is
// at the end of the shin, as feet are that are moved by handles; or GT_NONE.
// @param side  1 left, -1 right: names must not call a loose one that of the other side; 0 for either
int32_t gti_limb_foot(const GtiMapTree* tree, const GtiMapLimb* leg, int side);

float gti_limb_length(const GtiMapTree* tree, const GtiMapLimb* limb);

#endif

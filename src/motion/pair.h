// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which joint of a motion moves which joint of a character, when both use the same vocabulary: the humanoid maps, or
// names that are the same but for namespace, case and separators.

#ifndef GERTIE_MOTION_PAIR_H
#define GERTIE_MOTION_PAIR_H

#include "gertie/scene.h"

// Find partners.
// partner_of: [motion->node_count] receives nodes of the character, each at most once, or GT_NONE.
// Returns how many joints of the motion have a partner through *pair_count.
GtResult gti_pair_joints(const GtContext* context, const GtScene* character, const GtScene* motion, int32_t* partner_of,
                         int32_t* pair_count, GtError* error);

// The hips: by the humanoid map, by the name "hips" (as the pairing reads names), or GT_NONE.
int32_t gti_find_hips(const GtScene* scene);

#endif

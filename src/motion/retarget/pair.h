// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which joint of a motion moves which joint of a character by name: names that are the same but for namespace, case and
// separators; in two files of the same nodes, each its own.

#ifndef GERTIE_MOTION_RETARGET_PAIR_H
#define GERTIE_MOTION_RETARGET_PAIR_H

#include "gertie/scene.h"

// Find partners.
// taken: [character->node_count] nodes that have a partner already; those that get one are added.
// leave_out: [motion->node_count] nodes that want none.
// mirror: "wing.L" is the partner of "wing.R".
// partner_of: [motion->node_count] receives nodes of the character, each at most once, or GT_NONE.
GtResult gti_pair_names(const GtContext* context, const GtScene* character, bool* taken, const GtScene* motion,
                        const bool* leave_out, bool mirror, int32_t* partner_of, GtError* error);

// The name of the same joint on the other side, by the side marks in it; the name itself where it has none.
// out: [size]; empty where it does not fit.
void gti_mirror_name(const char* name, char* out, size_t size);

#endif

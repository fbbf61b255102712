// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What drives a sculpt, as the runtime runs it.

#ifndef GERTIE_SECTIONS_PLAY_DRIVERS_H
#define GERTIE_SECTIONS_PLAY_DRIVERS_H

#include "gertie/sculpt.h"

// gt_sculpt_drivers(), with joints that are known already.
// is_live: contacts are to be sensed in frames, by points under the feet; else they have none
GtResult gti_sculpt_drivers(const GtContext* context, const GtScene* scene, const GtHumanoidMap* map,
                            const GtSculpt* sculpt, const GtCharacter* character, bool is_live, GtDrivers** out,
                            GtError* error);

#endif

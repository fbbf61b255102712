// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lattices that turn inside out while they are played, by whatever poses, keys and springs do together.

#ifndef GERTIE_SECTIONS_PLAY_FOLDS_H
#define GERTIE_SECTIONS_PLAY_FOLDS_H

#include "sections/play/player.h"

// Play a player whose tables are full from start to end, and note in it which sections fold, and when.
GtResult gti_player_find_folds(const GtContext* context, GtSculptPlayer* player, GtError* error);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A harmonic skin as a record of a packed character.

#ifndef GERTIE_RUNTIME_PACK_HARMONIC_H
#define GERTIE_RUNTIME_PACK_HARMONIC_H

#include "runtime/harmonic/skin.h"
#include "runtime/pack/format.h"

// Its counts; first_array is left at 0.
GtiPackHarmonic gti_pack_harmonic_record(const GtHarmonicSkinDef* skin);

#endif

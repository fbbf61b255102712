// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A harmonic skin as a part of a character.

#ifndef GERTIE_RUNTIME_HARMONIC_SKIN_H
#define GERTIE_RUNTIME_HARMONIC_SKIN_H

#include "gertie/character.h"

#include "runtime/block.h"
#include "runtime/harmonic/parts.h"

// List the arrays of a skin whose counts are set, and those of its GtHarmonic. Returns how many there are.
// def: whose nodes and meshes are counted
int gti_harmonic_skin_parts(const GtCharacterDef* def, GtHarmonicSkinDef* skin, GtHarmonic* harmonic,
                            GtiHarmonicPart* out);

// What is needed of it to pose one frame at a time.
GtHarmonic gti_harmonic_live(const GtHarmonic* harmonic);

// Check the harmonic skin of a def, if it has one, and announce its arrays to the block.
GtResult gti_harmonic_skin_check(const GtCharacterDef* def, GtiBlock* block, GtError* error);

// The skin in the block, its GtHarmonic too; or NULL.
const GtHarmonicSkinDef* gti_harmonic_skin_lay_out(const GtCharacterDef* def, const GtiBlock* block);

#endif

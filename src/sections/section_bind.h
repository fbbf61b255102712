// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What of its meshes sections take hold of.

#ifndef GERTIE_SECTIONS_SECTION_BIND_H
#define GERTIE_SECTIONS_SECTION_BIND_H

#include "sections/body.h"

typedef struct GtiSectionBinds {
    GtSectionBindDef* binds; // [count], in order of the sections; those that hold nothing are left out
    int32_t count;
} GtiSectionBinds;

// Find them, as gt_sculpt_character() says.
// character: as built, without sections
// ends:      [node_count] of gti_limb_ends()
// sculpt:    its sections, whose nodes are of the scene
// arena:     takes all arrays
// out:       [mesh_count of the character]
GtResult gti_section_bind(GtArena* arena, const GtCharacter* character, const bool* ends, const GtSculpt* sculpt,
                          GtiSectionBinds* out, GtError* error);

#endif

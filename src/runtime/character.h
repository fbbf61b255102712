// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The inside of a character: what it was made from, in its own block, and what frames look up.

#ifndef GERTIE_RUNTIME_CHARACTER_H
#define GERTIE_RUNTIME_CHARACTER_H

#include "runtime/block.h"
#include "runtime/deformer.h"

// A node that has a parent.
typedef struct GtiLink {
    int32_t node;
    int32_t parent;
} GtiLink;

struct GtCharacter {
    GtAllocator allocator;
    GtCharacterDef def;       // all of it in this block, or in bytes that outlive it
    GtiStack* stacks;         // [mesh_count]
    GtiBone** bones;          // [skin_count] of each its [joint_count]
    int32_t* nodes_by_name;   // [named_count] sorted by name, then index
    int32_t* nodes_by_source; // [node_count] sorted by source node, then index; NULL when they are the same
    int32_t named_count;
    int32_t link_count;
    GtiLink* links;      // [link_count] shallow nodes first: no product waits for the one just before it
    size_t scratch_size; // the largest that any mesh's stack needs
};

// Check everything in a def, and announce its arrays to the block.
GtResult gti_character_check(const GtCharacterDef* def, GtiBlock* block, GtError* error);

// gt_character_create(), but arrays and texts in `bytes` stay there, and the bytes must outlive the character.
GtResult gti_character_create_over(GtAllocator allocator, const GtCharacterDef* def, const void* bytes, size_t size,
                                   GtCharacter** out, GtError* error);

#endif

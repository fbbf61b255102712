// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The inside of a character: what it was made from, in its own block, and what frames look up.

#ifndef GERTIE_RUNTIME_CHARACTER_H
#define GERTIE_RUNTIME_CHARACTER_H

#include "runtime/block.h"
#include "runtime/deformer.h"
#include "runtime/section/section.h"

// A node that has a parent.
typedef struct GtiNodeLink {
    int32_t node;
    int32_t parent;
} GtiNodeLink;

struct GtCharacter {
    GtAllocator allocator;
    GtCharacterDef def;             // all of it in this block, or in bytes that outlive it
    GtiStack* stacks;               // [mesh_count]
    GtiSkinBone** bones;            // [skin_count] of each its [joint_count]
    int32_t* nodes_by_name;         // [named_count] sorted by name, then index
    int32_t* nodes_by_source;       // [node_count] sorted by source node, then index; NULL when they are the same
    GtiMeshSections* mesh_sections; // [mesh_count], or NULL where no mesh hangs on a section
    int32_t* first_values;          // [section_count] of each section in the section values
    int32_t section_value_count;
    int32_t named_count;
    int32_t link_count;
    GtiNodeLink* links;  // [link_count] shallow nodes first: no product waits for the one just before it
    size_t scratch_size; // the largest that any mesh's stack needs, or its harmonic skin
};

// Check everything in a def, and announce its arrays to the block.
GtResult gti_character_check(const GtCharacterDef* def, GtiBlock* block, GtError* error);

// Check floats that must be finite, and announce them; `array` may be NULL where `optional`.
GtResult gti_check_floats(GtiBlock* block, const void* array, size_t count, size_t element, bool optional,
                          const char* where, const char* what, GtError* error);

// Check `count` > 0 vertices of a mesh that must increase, and announce them. Errors name the `index`-th `what`.
GtResult gti_check_entries(GtiBlock* block, const uint32_t* vertices, size_t count, int32_t vertex_count,
                           const char* where, const char* what, int32_t index, GtError* error);

// gt_character_create(), but arrays and texts in `bytes` stay there, and the bytes must outlive the character.
GtResult gti_character_create_over(GtAllocator allocator, const GtCharacterDef* def, GtiLasting bytes,
                                   GtCharacter** out, GtError* error);

#endif

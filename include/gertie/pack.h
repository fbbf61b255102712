// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// Packed characters: one file with everything that a character needs, and its clips, ready to be mapped and played.
/// `gertie pack` writes one, as does gt_pack_write() (gertie/pack_write.h).

#ifndef GERTIE_PACK_H
#define GERTIE_PACK_H

#include "gertie/character.h"
#include "gertie/clip.h"

GT_EXTERN_C_BEGIN

/// A character and its clips, over bytes that are the caller's. Immutable, so any thread may read it.
typedef struct GtPack GtPack;

/// Open the bytes of a packed character: read, received or mapped. Everything is checked once, checksum first, then all
/// that gt_character_create() and gt_clip_from_bytes() check; what is damaged, cut short, of another version or another
/// byte order than little-endian is refused. Arrays stay where they are: only tables are allocated, and the bytes must
/// outlive the pack, unchanged.
/// @param bytes  [size] aligned to 16, as what is mapped is, and what an allocator gives
/// @param out    receives the pack, or NULL on failure; free with gt_pack_close()
/// @param error  may be NULL; says what is wrong with the bytes
GT_API GtResult gt_pack_open(GtAllocator allocator, const void* bytes, size_t size, GtPack** out, GtError* error);

/// Free a pack with its character and clips; `pack` may be NULL. The bytes remain the caller's.
GT_API void gt_pack_close(GtPack* pack);

/// The character, which lives as long as the pack.
GT_API const GtCharacter* gt_pack_character(const GtPack* pack);

/// Clips, which live as long as the pack.
GT_API int32_t gt_pack_clip_count(const GtPack* pack);
GT_API const GtClip* gt_pack_clip(const GtPack* pack, int32_t clip);

/// First clip of that name, or NULL.
GT_API const GtClip* gt_pack_find_clip(const GtPack* pack, const char* name);

GT_EXTERN_C_END

#endif

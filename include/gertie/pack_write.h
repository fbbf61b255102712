// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// Writing packed characters, which the runtime opens with gt_pack_open() (gertie/pack.h).

#ifndef GERTIE_PACK_WRITE_H
#define GERTIE_PACK_WRITE_H

#include "gertie/character.h"
#include "gertie/clip.h"
#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// Write a character and its clips as the bytes of a packed character. Arrays that meshes share are written once. The
/// same character and clips give the same bytes.
/// @param clips  [clip_count] of this character, packed by gt_clip_pack() or with their keys, which take more room and
///               more time to sample; may be NULL where there are none
/// @param out    receives the bytes, or NULL on failure; release with gt_blob_release()
/// @param error  may be NULL; names the clip at fault
GT_API GtResult gt_pack_write(GtAllocator allocator, const GtCharacter* character, const GtClip* const* clips,
                              int32_t clip_count, GtBlob** out, GtError* error);

GT_EXTERN_C_END

#endif

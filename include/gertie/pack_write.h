// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-scene: writing packed characters.
///
/// Writing packed characters, which the runtime opens with gt_pack_open() (gertie/pack.h).
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_PACK_WRITE_H
#define GERTIE_PACK_WRITE_H

#include "gertie/pack.h"
#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// What a packed character is made of. Start from gt_default_pack_def().
typedef struct GtPackDef {
    const GtCharacter* character;
    const GtClip* const* clips; ///< [clip_count] of this character, packed by gt_clip_pack() or with their keys, which
                                ///< take more room and more time to sample
    int32_t clip_count;
    const GtDrivers* drivers;        ///< of this character, with no functions; or NULL
    int32_t material_count;          ///< 0, or more than the `material` of any mesh
    const GtPackMaterial* materials; ///< [material_count]
    const GtPackImage* images;       ///< [image_count]
    int32_t image_count;
} GtPackDef;

/// Nothing yet.
GT_API GtPackDef gt_default_pack_def(void);

/// Write the bytes of a packed character. Arrays that meshes share are written once. The same def gives the same bytes.
/// @param out    receives the bytes, or NULL on failure; release with gt_blob_release()
/// @param error  may be NULL; names the clip, track, material or mesh at fault
GT_API GtResult gt_pack_write(GtAllocator allocator, const GtPackDef* def, GtBlob** out, GtError* error);

GT_EXTERN_C_END

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-scene: from played poses back to a scene: a clip of dense keys.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_BAKE_H
#define GERTIE_BAKE_H

#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// Which parts of a node's transform are keyed; bits to be combined.
typedef enum GtBakePath {
    GT_BAKE_TRANSLATION = 1,
    GT_BAKE_ROTATION = 2,
    GT_BAKE_SCALE = 4,
} GtBakePath;

/// Poses to be keyed. All arrays are the caller's. Start from gt_default_bake_def().
typedef struct GtBakeDef {
    const char* name; ///< of the clip, or NULL
    int32_t frame_count;
    const float* times_s; ///< [frame_count] strictly increasing
    int32_t node_count;
    const int32_t* nodes;     ///< [node_count] of the scene
    const uint8_t* paths;     ///< [node_count] GtBakePath bits
    const GtTransform* poses; ///< [frame_count * node_count], frame by frame
} GtBakeDef;

/// No poses yet.
GT_API GtBakeDef gt_default_bake_def(void);

/// Append an animation with linear keys. Quaternions take the sign nearest to the key before; what never changes gets
/// one key. Nodes with a matrix lose it, as glTF asks of animated nodes: their transform says the same.
/// @param animation  receives its index; may be NULL
GT_API GtResult gt_scene_bake(const GtContext* context, GtScene* scene, const GtBakeDef* def, int32_t* animation,
                              GtError* error);

GT_EXTERN_C_END

#endif

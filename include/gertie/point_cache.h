// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-scene: point caches.
///
/// Vertices over time in a file of their own: PC2, which Blender (modifier Mesh Cache), 3ds Max and others play on a
/// mesh with the same vertices.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_POINT_CACHE_H
#define GERTIE_POINT_CACHE_H

#include "gertie/context.h"
#include "gertie/vec.h"

GT_EXTERN_C_BEGIN

/// What goes into a point cache. Start from gt_default_point_cache_def().
typedef struct GtPointCacheDef {
    int32_t point_count;
    int32_t frame_count;
    float start_frame; ///< number of the first frame
    float frame_step;  ///< frames from one to the next; 0 counts as 1

    /// Give the points of one frame; called for 0 to frame_count - 1, in order, until one fails.
    /// @param out  [point_count]
    GtResult (*fill)(void* user, int32_t frame, GtVec3* out, GtError* error);
    void* user;
} GtPointCacheDef;

/// No points and no frames yet; frames 0, 1, 2 and so on.
GT_API GtPointCacheDef gt_default_point_cache_def(void);

/// Write a PC2 file. It appears whole or not at all; no more than one frame is in memory.
/// @return what `fill` returns where that fails; GT_ERROR_IO, GT_ERROR_OUT_OF_MEMORY or GT_ERROR_CANCELLED
GT_API GtResult gt_point_cache_save(const GtContext* context, const char* path, const GtPointCacheDef* def,
                                    GtError* error);

GT_EXTERN_C_END

#endif

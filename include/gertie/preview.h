// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: pictures that show at a glance what another job did: the skeleton that was fitted into a body, the frames
/// that a measurement found worst.
///
/// **Threads.** Any number of calls may run at once; each draws with a renderer of its own.

#ifndef GERTIE_PREVIEW_H
#define GERTIE_PREVIEW_H

#include "gertie/measure.h"

GT_EXTERN_C_BEGIN

/// Draw a scene at rest with its skeleton seen through the skin, from the front and from the side, as one PNG.
/// @return GT_ERROR_UNSUPPORTED where nothing can draw
GT_API GtResult gt_preview_skeleton(const GtContext* context, const GtScene* scene, const char* path, GtError* error);

/// Width and height of the pictures of gt_preview_worst().
#define GT_PREVIEW_SIZE 440

/// Draw the worst frames of a measurement, each close to the joint it is about.
/// @param animation  of the scene, that was measured
/// @param pngs       [measure->worst_count] receives encoded pictures, or NULLs on failure; release each with
///                   gt_blob_release()
/// @return GT_ERROR_UNSUPPORTED where nothing can draw
GT_API GtResult gt_preview_worst(const GtContext* context, const GtScene* scene, int32_t animation,
                                 const GtMeasure* measure, GtBlob** pngs, GtError* error);

GT_EXTERN_C_END

#endif

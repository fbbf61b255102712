// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-scene: the encoded bytes of a scene's images, wherever they lie.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_IMAGE_H
#define GERTIE_IMAGE_H

#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// Get an image's bytes (PNG, JPEG, TGA, ...) from its buffer view, its data URI, or its file beside the scene's
/// source.
/// @param out  receives the bytes; release with gt_blob_release()
/// @return GT_ERROR_NOT_FOUND where the image has no data or its file is not there
GT_API GtResult gt_image_read(const GtContext* context, const GtScene* scene, int32_t image, GtBlob** out,
                              GtError* error);

GT_EXTERN_C_END

#endif

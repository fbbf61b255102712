// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// BVH (Biovision hierarchy), in and out. docs/formats/bvh.md says which dialects are read and what is inferred.

#ifndef GERTIE_IO_BVH_BVH_H
#define GERTIE_IO_BVH_BVH_H

#include "gertie/file.h"

// Whether the bytes begin as a BVH file does: HIERARCHY, after a byte-order mark, blank lines and comments.
bool gti_bvh_sniff(const uint8_t* bytes, size_t size);

// Read [text, text + size), which need not be terminated. `path` names the clip and the file in messages; may be NULL.
GtResult gti_bvh_read(const GtContext* context, const char* text, size_t size, const char* path, const GtLoadDef* def,
                      GtScene** out, GtError* error);

// Write the joints of a scene and one of its clips. The scene must have passed gt_scene_validate().
GtResult gti_bvh_write(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtBlob** out,
                       GtError* error);

#endif

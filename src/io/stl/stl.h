// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// STL, triangles without a topology. docs/formats/ply-stl-off.md says what is read and written.

#ifndef GERTIE_IO_STL_STL_H
#define GERTIE_IO_STL_STL_H

#include "io/format.h"

// Text, whatever it is called; binary has nothing to be told by but its size: `total` is the whole file's.
bool gti_stl_sniff(const uint8_t* bytes, size_t size);
bool gti_stl_is_binary(const uint8_t* bytes, size_t size, uint64_t total);

GtResult gti_stl_read(const GtContext* context, const GtiByteSource* source, const char* path, const GtLoadDef* def,
                      GtScene** out, GtError* error);

GtResult gti_stl_write(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtBlob** out,
                       GtError* error);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// PLY, the polygon format of Stanford. docs/formats/ply-stl-off.md says what is read and written.

#ifndef GERTIE_IO_PLY_PLY_H
#define GERTIE_IO_PLY_PLY_H

#include "io/format.h"

bool gti_ply_sniff(const uint8_t* bytes, size_t size);

GtResult gti_ply_read(const GtContext* context, const GtiByteSource* source, const char* path, const GtLoadDef* def,
                      GtScene** out, GtError* error);

GtResult gti_ply_write(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtBlob** out,
                       GtError* error);

#endif

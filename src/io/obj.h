// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Wavefront OBJ, and the MTL beside it. docs/formats/obj.md says what is read and written.

#ifndef GERTIE_IO_OBJ_H
#define GERTIE_IO_OBJ_H

#include "io/format.h"

bool gti_obj_sniff(const uint8_t* bytes, size_t size);

GtResult gti_obj_read(const GtContext* context, const GtiByteSource* source, const char* path, const GtLoadDef* def,
                      GtScene** out, GtError* error);

#endif

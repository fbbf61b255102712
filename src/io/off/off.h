// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// OFF, the object file format of Geomview. docs/formats/ply-stl-off.md says what is read.

#ifndef GERTIE_IO_OFF_OFF_H
#define GERTIE_IO_OFF_OFF_H

#include "io/format.h"

bool gti_off_sniff(const uint8_t* bytes, size_t size);

GtResult gti_off_read(const GtContext* context, const GtiByteSource* source, const char* path, const GtLoadDef* def,
                      GtScene** out, GtError* error);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Wavefront OBJ, and the MTL beside it. docs/formats/obj.md says what is read and written.

#ifndef GERTIE_IO_OBJ_OBJ_H
#define GERTIE_IO_OBJ_OBJ_H

#include "io/bytes.h"
#include "io/format.h"

bool gti_obj_sniff(const uint8_t* bytes, size_t size);

GtResult gti_obj_read(const GtContext* context, const GtiByteSource* source, const char* path, const GtLoadDef* def,
                      GtScene** out, GtError* error);

// Write the OBJ alone, without materials; or the file, its MTL and pictures beside it.
GtResult gti_obj_write(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtBlob** out,
                       GtError* error);
GtResult gti_obj_save(const GtContext* context, const GtScene* scene, const char* path, const GtSaveDef* def,
                      GtError* error);

// A line of a keyword and a name in one line; `fallback`_`number` where there is none.
void gti_obj_add_name(GtiBytes* bytes, const char* keyword, const char* name, const char* fallback, int32_t number);

#endif

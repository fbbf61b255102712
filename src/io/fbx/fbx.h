// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Autodesk FBX 7, binary and text; docs/formats/fbx.md says what is read.

#ifndef GERTIE_IO_FBX_FBX_H
#define GERTIE_IO_FBX_FBX_H

#include "io/format.h"

bool gti_fbx_sniff(const uint8_t* bytes, size_t size);
GtResult gti_fbx_read(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error);

#endif

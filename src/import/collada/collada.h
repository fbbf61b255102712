// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// COLLADA 1.4 and, where it is the same, 1.5; see docs/formats/collada.md for what is read.

#ifndef GERTIE_IMPORT_COLLADA_COLLADA_H
#define GERTIE_IMPORT_COLLADA_COLLADA_H

#include "io/format.h"

bool gti_dae_sniff(const uint8_t* bytes, size_t size);
GtResult gti_dae_read(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error);

#endif

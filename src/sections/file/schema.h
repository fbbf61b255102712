// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// docs/schemas/deform.schema.json, which the build makes a source of.

#ifndef GERTIE_SECTIONS_FILE_SCHEMA_H
#define GERTIE_SECTIONS_FILE_SCHEMA_H

#include <stddef.h>

extern const unsigned char gti_deform_schema[];
extern const size_t gti_deform_schema_size;

#endif

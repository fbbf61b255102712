// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// JSON Schema, as much of draft 2020-12 as our own files need: type, enum, const, properties, required,
// additionalProperties, items, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minItems, maxItems, minLength,
// maxLength, minProperties, maxProperties, $ref into $defs, oneOf and anyOf; what only explains (title, description,
// default...) is passed over.
//
// Of the alternatives of oneOf and anyOf the first is followed that a value looks like: by its type, what it is equal
// to and the members that it must have. So an error names the key at fault inside that alternative, where a general
// validator could only say that nothing fits. In a schema whose alternatives cannot be confused, as ours are, both
// accept the same documents.

#ifndef GERTIE_DATA_JSON_SCHEMA_H
#define GERTIE_DATA_JSON_SCHEMA_H

#include "data/json.h"

// Check a document. GT_ERROR_BAD_VALUE for what is wrong in it, named by its JSON path; GT_ERROR_UNSUPPORTED where the
// schema itself asks for what is not listed above. Neither recurses nor allocates.
// schema, document: roots
GtResult gti_json_schema_check(const GtiJson* schema, const GtiJson* document, GtError* error);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// JSON Schema, as much of draft 2020-12 as our own files need: type, enum, const, properties, required,
// additionalProperties, items, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minItems, maxItems, minLength,
// maxLength, minProperties, maxProperties, $ref into $defs, oneOf and anyOf; what only explains (description,
// default...) is passed over.
//
// Of the alternatives of oneOf and anyOf the first is followed that a value is alike (by its type, what it is equal to
// and what members that are constants say) and lacks no member of, or the only one that it is alike. So an error names
// the member at fault inside that alternative, where a general validator could only say that nothing fits. In a schema
// whose alternatives cannot be confused, as ours are, both accept the same documents.
//
// "title" is a noun phrase that completes "must be" in errors. "x-formerly" is the name that a property once had:
// documents that use it are still read.
//
// Beyond the standard, every number must fit a float, and texts and names must be without \u0000.

#ifndef GERTIE_DATA_JSON_SCHEMA_H
#define GERTIE_DATA_JSON_SCHEMA_H

#include "data/json.h"

// Members of a document that were found under their former names.
typedef struct GtiFormerNames {
    int32_t count;
    const GtiJson* first; // with its present name
    char name[48];        // its former one
} GtiFormerNames;

// The schema that a chain of references leads to, or NULL where it leads nowhere or in a circle.
// root: where "$defs" is
const GtiJson* gti_json_schema_follow(const GtiJson* root, const GtiJson* schema);

// Check a document. GT_ERROR_BAD_VALUE for what is wrong in it, named by its JSON path. Neither recurses nor allocates.
// schema:   root; its text must outlive the document. It asks for nothing beyond what is listed above, and its
//           references lead somewhere: tests see to that
// document: root; members under former names are given their present ones
// former:   receives how many those are; may be NULL
GtResult gti_json_schema_check(const GtiJson* schema, GtiJson* document, GtiFormerNames* former, GtError* error);

#endif

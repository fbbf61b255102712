// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// URIs as glTF uses them: data URIs in base64, and names of files beside the document.

#ifndef GERTIE_IO_URI_H
#define GERTIE_IO_URI_H

#include "gertie/memory.h"

typedef enum GtiUriKind {
    GTI_URI_FILE,    // a relative path
    GTI_URI_DATA,    // data:
    GTI_URI_OUTSIDE, // another scheme, or an absolute path: never followed
} GtiUriKind;

GtiUriKind gti_uri_kind(const char* uri, size_t length);

// Find the base64 text of a data URI; NULL where it says no ";base64,".
const char* gti_uri_base64(const char* uri, size_t length, size_t* base64_length);

// Bytes that base64 text of that length gives, by its padding; false where the length is impossible.
bool gti_base64_size(const char* text, size_t length, size_t* size);

// Decode base64 (RFC 4648 section 4, with padding); false at a character that has no place there.
// @param out  [gti_base64_size()]
bool gti_base64_decode(const char* text, size_t length, uint8_t* out);

// A relative URI as a file name: %XX decoded, what follows '?' or '#' kept, terminated, in `arena`; NULL when memory
// ran out. A "%00" ends the name.
char* gti_uri_decode(GtArena* arena, const char* uri, size_t length);

// A file name as a relative URI: what may not stand in one is written as %XX; NULL when memory ran out.
char* gti_uri_encode(GtArena* arena, const char* name);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Whether a text is well-formed XML, for pictures that tests look into.

#ifndef GERTIE_TESTS_SUPPORT_XML_H
#define GERTIE_TESTS_SUPPORT_XML_H

#include <stddef.h>

// One element whose tags, attributes and entities are in order, all of it UTF-8 that XML 1.0 allows; no DTD, comments
// or processing instructions.
// @return NULL, or what is wrong
const char* xml_fault(const char* text, size_t size);

#endif

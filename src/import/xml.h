// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// An XML document as a flat tree, parsed by expat. It knows of no format: COLLADA is one that reads from it.
//
// Elements and runs of text are nodes in document order. A run is a child of its element, so mixed content stays in
// order; runs of white space alone are left out. Nothing recurses, and depth is bounded. A DOCTYPE may name the
// document's type, but may declare nothing: there are no entities to expand and no attributes by default.

#ifndef GERTIE_IMPORT_XML_H
#define GERTIE_IMPORT_XML_H

#include "gertie/context.h"

typedef struct GtiXmlAttribute {
    const char* name; // without its namespace prefix
    const char* value;
} GtiXmlAttribute;

typedef struct GtiXmlNode {
    const char* name; // of an element, without its namespace prefix; NULL for a run of text
    const char* text; // of a run of text, UTF-8 and terminated, with GTI_SCAN_ROOM readable bytes on both sides; NULL
                      // for an element
    size_t text_size;
    const GtiXmlAttribute* attributes;
    int32_t attribute_count;
    int32_t parent; // these three are GT_NONE where there is none
    int32_t first_child;
    int32_t next; // sibling
    int64_t line; // where it starts, from 1
} GtiXmlNode;

// Nodes are in `arena`. Node 0 is the root element.
typedef struct GtiXml {
    GtiXmlNode* nodes;
    int32_t count;
} GtiXml;

// Parse a whole document. All memory, expat's too, comes from the context's allocator.
// @param error  names the line
GtResult gti_xml_parse(const GtContext* context, GtArena* arena, const void* bytes, size_t size, GtiXml* out,
                       GtError* error);

// Whether bytes are the start of an XML document whose root element is `root`.
bool gti_xml_sniff(const uint8_t* bytes, size_t size, const char* root);

// Whether a node is an element of that name. `node` may be GT_NONE.
bool gti_xml_is(const GtiXml* xml, int32_t node, const char* name);

// The first child element of that name, or GT_NONE. `parent` may be GT_NONE.
int32_t gti_xml_child(const GtiXml* xml, int32_t parent, const char* name);

// The next sibling after `node` with the same name, or GT_NONE.
int32_t gti_xml_next_same(const GtiXml* xml, int32_t node);

// The value of an attribute, or NULL. `node` may be GT_NONE.
const char* gti_xml_attribute(const GtiXml* xml, int32_t node, const char* name);

// The first run of text of an element without white space around it, "" where there is none. `node` may be GT_NONE.
// @param size  receives its length; it is terminated only where nothing was cut off its end
const char* gti_xml_text(const GtiXml* xml, int32_t node, size_t* size);

#endif

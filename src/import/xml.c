// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Expat's handlers append to a flat array; the open elements are found by their parents. Expat's memory hooks carry no
// user pointer, so the allocator of the call lies in a variable of the thread while expat runs, and nothing of it is
// left when the call returns. Blocks carry their size before them, because expat wants realloc().

#include "import/xml.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/number_scan.h"
#include "io/bytes.h"
#include "io/intern.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

enum {
    FEED_SIZE = 1 << 20, // bytes that expat takes at once; its sizes are int
    FIRST_NODES = 256,
    MAX_DEPTH = 512, // of open elements
    BLOCK_HEAD = 16  // keeps blocks aligned to 16
};

static _Thread_local const GtAllocator* expat_allocator; // of the call that runs on this thread

typedef struct XmlParse {
    XML_Parser parser;
    GtArena* arena;
    GtiXml* xml;
    int32_t capacity;
    int32_t open; // innermost open element
    int32_t depth;
    int32_t* last; // [last_capacity] last child of each node
    int32_t last_capacity;
    GtiIntern names;
    GtiBytes run; // text since the last tag
    int64_t run_line;
    bool run_is_blank;
    bool failed;   // memory ran out
    bool declares; // the document's type declares something
    bool too_deep;
} XmlParse;

static void* hook_allocate(size_t size)
{
    size_t whole;
    if (!gti_size_add(size, BLOCK_HEAD, &whole)) {
        return NULL;
    }
    char* block = expat_allocator->allocate(expat_allocator->user, whole);
    if (!block) {
        return NULL;
    }
    memcpy(block, &size, sizeof size);
    return block + BLOCK_HEAD;
}

static void hook_release(void* piece)
{
    if (piece) {
        expat_allocator->release(expat_allocator->user, (char*)piece - BLOCK_HEAD);
    }
}

static void* hook_reallocate(void* piece, size_t size)
{
    size_t old = 0;
    if (piece) {
        memcpy(&old, (char*)piece - BLOCK_HEAD, sizeof old);
    }
    void* moved = hook_allocate(size);
    if (moved && piece) {
        memcpy(moved, piece, old < size ? old : size);
        hook_release(piece);
    }
    return moved;
}

static void stop(XmlParse* p)
{
    p->failed = true;
    XML_StopParser(p->parser, XML_FALSE);
}

static const char* local_name(const char* name)
{
    const char* colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

// A new last child of the open element; GT_NONE when memory ran out.
static int32_t append(XmlParse* p, const GtiXmlNode* node)
{
    GtiXml* xml = p->xml;
    if (xml->count == p->capacity) {
        GtiXmlNode* nodes = gti_arena_grow(p->arena, xml->nodes, &p->capacity, FIRST_NODES, sizeof *nodes);
        if (!nodes) {
            return GT_NONE;
        }
        xml->nodes = nodes;
    }
    if (xml->count == p->last_capacity) {
        int32_t* last = gti_arena_grow(p->arena, p->last, &p->last_capacity, FIRST_NODES, sizeof *last);
        if (!last) {
            return GT_NONE;
        }
        p->last = last;
    }
    int32_t index = xml->count++;
    xml->nodes[index] = *node;
    p->last[index] = GT_NONE;
    if (p->open != GT_NONE) {
        int32_t before = p->last[p->open];
        *(before == GT_NONE ? &xml->nodes[p->open].first_child : &xml->nodes[before].next) = index;
        p->last[p->open] = index;
    }
    return index;
}

// A copy of the run with room around it for scanners of numbers.
static const char* keep_run(XmlParse* p)
{
    size_t whole;
    char* block = gti_size_add(p->run.size, 2 * GTI_SCAN_ROOM, &whole) ? gt_arena_push(p->arena, whole) : NULL;
    if (!block) {
        return NULL;
    }
    memset(block, 0, GTI_SCAN_ROOM);
    memcpy(block + GTI_SCAN_ROOM, p->run.data, p->run.size);
    memset(block + GTI_SCAN_ROOM + p->run.size, 0, GTI_SCAN_ROOM);
    return block + GTI_SCAN_ROOM;
}

static void end_run(XmlParse* p)
{
    if (!p->run_is_blank && p->open != GT_NONE && !p->failed) {
        GtiXmlNode node = { .text = keep_run(p),
                            .text_size = p->run.size,
                            .parent = p->open,
                            .first_child = GT_NONE,
                            .next = GT_NONE,
                            .line = p->run_line };
        if (!node.text || append(p, &node) == GT_NONE) {
            stop(p);
        }
    }
    p->run.size = 0;
    p->run_is_blank = true;
}

static const char* intern_name(XmlParse* p, const char* name)
{
    const char* local = local_name(name);
    int32_t id = gti_intern(&p->names, local, strlen(local));
    return id == GT_NONE ? NULL : p->names.items[id].bytes;
}

static void XMLCALL start_element(void* user, const XML_Char* name, const XML_Char** pairs)
{
    XmlParse* p = user;
    end_run(p);
    if (++p->depth > MAX_DEPTH) {
        p->too_deep = true;
        XML_StopParser(p->parser, XML_FALSE);
        return;
    }
    GtiXmlNode node = { .name = intern_name(p, name),
                        .parent = p->open,
                        .first_child = GT_NONE,
                        .next = GT_NONE,
                        .line = (int64_t)XML_GetCurrentLineNumber(p->parser) };
    int32_t count = 0;
    while (pairs[2 * (size_t)count]) {
        ++count;
    }
    GtiXmlAttribute* attributes = count ? gt_arena_push_array(p->arena, (size_t)count, sizeof *attributes) : NULL;
    bool whole = node.name && (attributes || !count) && !p->failed;
    for (int32_t i = 0; i < count && whole; ++i) {
        const char* value = pairs[2 * (size_t)i + 1];
        attributes[i].name = intern_name(p, pairs[2 * (size_t)i]);
        attributes[i].value = gt_arena_push_text(p->arena, value, strlen(value));
        whole = attributes[i].name && attributes[i].value;
    }
    node.attributes = attributes;
    node.attribute_count = count;
    int32_t index = whole ? append(p, &node) : GT_NONE;
    if (index == GT_NONE) {
        stop(p);
        return;
    }
    p->open = index;
}

static void XMLCALL end_element(void* user, const XML_Char* name)
{
    (void)name;
    XmlParse* p = user;
    end_run(p);
    --p->depth;
    if (p->open != GT_NONE && !p->failed) {
        p->open = p->xml->nodes[p->open].parent;
    }
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void XMLCALL add_text(void* user, const XML_Char* text, int length)
{
    XmlParse* p = user;
    if (!p->run.size) {
        p->run_line = (int64_t)XML_GetCurrentLineNumber(p->parser);
    }
    for (int i = 0; i < length && p->run_is_blank; ++i) {
        p->run_is_blank = is_space(text[i]);
    }
    gti_bytes_add(&p->run, text, (size_t)length);
    if (p->run.failed) {
        stop(p);
    }
}

static void XMLCALL start_doctype(void* user, const XML_Char* name, const XML_Char* system_id,
                                  const XML_Char* public_id, int has_internal_subset)
{
    (void)name;
    (void)system_id;
    (void)public_id;
    XmlParse* p = user;
    if (has_internal_subset) {
        p->declares = true;
        XML_StopParser(p->parser, XML_FALSE);
    }
}

static GtResult tell_fault(XmlParse* p, GtError* error)
{
    enum XML_Error code = XML_GetErrorCode(p->parser);
    if (p->failed || code == XML_ERROR_NO_MEMORY) {
        return gti_out_of_memory(error);
    }
    char where[32];
    snprintf(where, sizeof where, "line %lld", (long long)XML_GetCurrentLineNumber(p->parser));
    if (p->declares) {
        return gti_fail_at(error, GT_ERROR_UNSUPPORTED, where,
                           "the document type declares entities or attributes, which are refused; remove the DOCTYPE");
    }
    if (p->too_deep) {
        return gti_fail_at(error, GT_ERROR_LIMIT, where, "elements are nested more than %d deep", MAX_DEPTH);
    }
    return gti_fail_at(error, GT_ERROR_BAD_FILE, where, "this is not well-formed XML: %s", XML_ErrorString(code));
}

static GtResult feed(XmlParse* p, const char* bytes, size_t size, GtError* error)
{
    XML_SetUserData(p->parser, p);
    XML_SetElementHandler(p->parser, start_element, end_element);
    XML_SetCharacterDataHandler(p->parser, add_text);
    XML_SetStartDoctypeDeclHandler(p->parser, start_doctype);
    bool last = false;
    while (!last) {
        int now = size < FEED_SIZE ? (int)size : FEED_SIZE;
        last = (size_t)now == size;
        if (XML_Parse(p->parser, bytes, now, last) != XML_STATUS_OK) {
            return tell_fault(p, error);
        }
        bytes += now;
        size -= (size_t)now;
    }
    return GT_OK;
}

GtResult gti_xml_parse(const GtContext* context, GtArena* arena, const void* bytes, size_t size, GtiXml* out,
                       GtError* error)
{
    static const XML_Memory_Handling_Suite hooks = { hook_allocate, hook_reallocate, hook_release };
    *out = (GtiXml){ 0 };
    XmlParse p = { .arena = arena,
                   .xml = out,
                   .open = GT_NONE,
                   .names = { .arena = arena },
                   .run = { .allocator = context->allocator },
                   .run_is_blank = true };
    const GtAllocator* outer = expat_allocator;
    expat_allocator = &context->allocator;
    p.parser = XML_ParserCreate_MM(NULL, &hooks, NULL);
    GtResult result = p.parser ? feed(&p, bytes, size, error) : gti_out_of_memory(error);
    if (p.parser) {
        XML_ParserFree(p.parser);
    }
    expat_allocator = outer;
    gti_bytes_release(&p.run);
    return result;
}

// Past the first `closing` in [p, end), or NULL.
static const char* skip_past(const char* p, const char* end, const char* closing)
{
    size_t length = strlen(closing);
    for (; (size_t)(end - p) >= length; ++p) {
        if (memcmp(p, closing, length) == 0) {
            return p + length;
        }
    }
    return NULL;
}

// Past white space, processing instructions, comments and a document type without declarations.
bool gti_xml_sniff(const uint8_t* bytes, size_t size, const char* root)
{
    const char* p = (const char*)bytes;
    const char* end = p + size;
    if (size >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) {
        p += 3;
    }
    for (;;) {
        while (p < end && is_space(*p)) {
            ++p;
        }
        if (end - p < 2 || *p != '<') {
            return false;
        }
        const char* closing = p[1] == '?' ? "?>" : end - p >= 4 && memcmp(p, "<!--", 4) == 0 ? "-->" : ">";
        const char* first = p[1] == '!' && *closing == '>' ? memchr(p, '>', (size_t)(end - p)) : NULL;
        if (first && memchr(p, '[', (size_t)(first - p))) { // declarations, which the parser refuses
            closing = "]>";
        }
        if (p[1] != '?' && p[1] != '!') {
            break;
        }
        p = skip_past(p + 2, end, closing);
        if (!p) {
            return false;
        }
    }
    const char* name = ++p;
    while (p < end && !is_space(*p) && *p != '>' && *p != '/') {
        name = *p == ':' ? p + 1 : name;
        ++p;
    }
    return (size_t)(p - name) == strlen(root) && memcmp(name, root, strlen(root)) == 0;
}

bool gti_xml_is(const GtiXml* xml, int32_t node, const char* name)
{
    return node != GT_NONE && xml->nodes[node].name && strcmp(xml->nodes[node].name, name) == 0;
}

static int32_t find_sibling(const GtiXml* xml, int32_t node, const char* name)
{
    while (node != GT_NONE && !gti_xml_is(xml, node, name)) {
        node = xml->nodes[node].next;
    }
    return node;
}

int32_t gti_xml_child(const GtiXml* xml, int32_t parent, const char* name)
{
    return parent == GT_NONE ? GT_NONE : find_sibling(xml, xml->nodes[parent].first_child, name);
}

int32_t gti_xml_next_same(const GtiXml* xml, int32_t node)
{
    return find_sibling(xml, xml->nodes[node].next, xml->nodes[node].name);
}

const char* gti_xml_attribute(const GtiXml* xml, int32_t node, const char* name)
{
    for (int32_t i = 0; node != GT_NONE && i < xml->nodes[node].attribute_count; ++i) {
        if (strcmp(xml->nodes[node].attributes[i].name, name) == 0) {
            return xml->nodes[node].attributes[i].value;
        }
    }
    return NULL;
}

const char* gti_xml_text(const GtiXml* xml, int32_t node, size_t* size)
{
    int32_t run = node == GT_NONE ? GT_NONE : xml->nodes[node].first_child;
    while (run != GT_NONE && !xml->nodes[run].text) {
        run = xml->nodes[run].next;
    }
    *size = 0;
    if (run == GT_NONE) {
        return "";
    }
    const char* text = xml->nodes[run].text;
    const char* end = text + xml->nodes[run].text_size;
    while (text < end && is_space(*text)) {
        ++text;
    }
    while (end > text && is_space(end[-1])) {
        --end;
    }
    *size = (size_t)(end - text);
    return text;
}

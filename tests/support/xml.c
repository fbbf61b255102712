// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/xml.h"

#include "base/utf8.h"

#include <ctype.h>
#include <string.h>

enum {
    MAX_DEPTH = 64,
    MAX_ATTRIBUTES = 32
};

typedef struct Name {
    const char* text;
    size_t length;
} Name;

typedef struct Parser {
    const char* at;
    const char* end;
    Name open[MAX_DEPTH];
    int depth;
    int root_count;
} Parser;

static bool same(Name a, Name b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static void skip_space(Parser* p)
{
    while (p->at < p->end && strchr(" \t\r\n", *p->at)) {
        ++p->at;
    }
}

static Name take_name(Parser* p)
{
    Name name = { p->at, 0 };
    while (p->at < p->end && (isalnum((unsigned char)*p->at) || strchr("-_:.", *p->at))) {
        ++p->at;
        ++name.length;
    }
    return name;
}

// A character or an entity, where `<` and a bare `&` are none.
static const char* take_character(Parser* p)
{
    static const char* const entities[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&apos;" };
    if (*p->at == '<') {
        return "a raw <";
    }
    if (*p->at == '&') {
        for (int i = 0; i < 5; ++i) {
            size_t length = strlen(entities[i]);
            if ((size_t)(p->end - p->at) >= length && memcmp(p->at, entities[i], length) == 0) {
                p->at += length;
                return NULL;
            }
        }
        return "a raw &";
    }
    size_t length = gti_utf8_length(p->at, p->end);
    if (length == 0) {
        return "broken UTF-8";
    }
    if ((unsigned char)*p->at < 0x20 && !strchr("\t\r\n", *p->at)) {
        return "a control character";
    }
    if (length == 3 && memcmp(p->at, "\xEF\xBF", 2) == 0 && (unsigned char)p->at[2] >= 0xBE) {
        return "a noncharacter";
    }
    p->at += length;
    return NULL;
}

static const char* take_attributes(Parser* p)
{
    Name names[MAX_ATTRIBUTES];
    int count = 0;
    for (;;) {
        const char* before = p->at;
        skip_space(p);
        if (p->at == p->end || *p->at == '>' || *p->at == '/') {
            return NULL;
        }
        Name name = take_name(p);
        if (p->at == before || name.length == 0 || count == MAX_ATTRIBUTES) {
            return "a bad attribute";
        }
        for (int i = 0; i < count; ++i) {
            if (same(names[i], name)) {
                return "an attribute twice";
            }
        }
        names[count++] = name;
        if (p->end - p->at < 2 || p->at[0] != '=' || p->at[1] != '"') {
            return "an attribute without a quoted value";
        }
        p->at += 2;
        while (p->at < p->end && *p->at != '"') {
            const char* fault = take_character(p);
            if (fault) {
                return fault;
            }
        }
        if (p->at++ == p->end) {
            return "an open attribute";
        }
    }
}

static const char* take_tag(Parser* p)
{
    ++p->at;
    bool closes = p->at < p->end && *p->at == '/';
    p->at += closes;
    Name name = take_name(p);
    if (name.length == 0) {
        return "a tag without a name";
    }
    if (closes) {
        if (p->depth == 0 || !same(p->open[--p->depth], name) || p->at == p->end || *p->at++ != '>') {
            return "a tag that closes what is not open";
        }
        return NULL;
    }
    p->root_count += p->depth == 0;
    const char* fault = take_attributes(p);
    if (fault) {
        return fault;
    }
    bool is_empty = p->at < p->end && *p->at == '/';
    p->at += is_empty;
    if (p->at == p->end || *p->at++ != '>') {
        return "an open tag";
    }
    if (!is_empty) {
        if (p->depth == MAX_DEPTH) {
            return "too deep";
        }
        p->open[p->depth++] = name;
    }
    return NULL;
}

const char* xml_fault(const char* text, size_t size)
{
    Parser p = { .at = text, .end = text + size };
    while (p.at < p.end) {
        const char* fault = NULL;
        if (*p.at == '<') {
            fault = take_tag(&p);
        } else if (p.depth == 0 && !strchr(" \t\r\n", *p.at)) {
            fault = "text outside of the element";
        } else {
            fault = take_character(&p);
        }
        if (fault) {
            return fault;
        }
    }
    return p.depth > 0 ? "an element that is not closed" : p.root_count != 1 ? "not one element" : NULL;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The head of PLY (Turk 1994): "ply", a format line, elements with their properties, "end_header". Type names come in
// two families (char and int8), property names in several.

#include "io/ply/head.h"

#include "base/fail.h"
#include "io/text/scan.h"

#include <stdio.h>

enum {
    HEAD_SIZE = 1 << 17 // bytes in which it must end
};

typedef struct Name {
    const char* name;
    int value;
} Name;

static const Name types[] = {
    { "char", GTI_PLY_INT8 },      { "int8", GTI_PLY_INT8 },     { "uchar", GTI_PLY_UINT8 },
    { "uint8", GTI_PLY_UINT8 },    { "short", GTI_PLY_INT16 },   { "int16", GTI_PLY_INT16 },
    { "ushort", GTI_PLY_UINT16 },  { "uint16", GTI_PLY_UINT16 }, { "int", GTI_PLY_INT32 },
    { "int32", GTI_PLY_INT32 },    { "uint", GTI_PLY_UINT32 },   { "uint32", GTI_PLY_UINT32 },
    { "float", GTI_PLY_FLOAT },    { "float32", GTI_PLY_FLOAT }, { "double", GTI_PLY_DOUBLE },
    { "float64", GTI_PLY_DOUBLE },
};

static const Name vertex_roles[] = {
    { "x", GTI_PLY_X },
    { "y", GTI_PLY_Y },
    { "z", GTI_PLY_Z },
    { "nx", GTI_PLY_NX },
    { "ny", GTI_PLY_NY },
    { "nz", GTI_PLY_NZ },
    { "normal_x", GTI_PLY_NX },
    { "normal_y", GTI_PLY_NY },
    { "normal_z", GTI_PLY_NZ },
    { "red", GTI_PLY_RED },
    { "green", GTI_PLY_GREEN },
    { "blue", GTI_PLY_BLUE },
    { "alpha", GTI_PLY_ALPHA },
    { "r", GTI_PLY_RED },
    { "g", GTI_PLY_GREEN },
    { "b", GTI_PLY_BLUE },
    { "a", GTI_PLY_ALPHA },
    { "diffuse_red", GTI_PLY_RED },
    { "diffuse_green", GTI_PLY_GREEN },
    { "diffuse_blue", GTI_PLY_BLUE },
    { "u", GTI_PLY_U },
    { "v", GTI_PLY_V },
    { "s", GTI_PLY_U },
    { "t", GTI_PLY_V },
    { "texture_u", GTI_PLY_U },
    { "texture_v", GTI_PLY_V },
    { "texcoord_u", GTI_PLY_U },
    { "texcoord_v", GTI_PLY_V },
};

static const Name list_roles[] = {
    { "vertex_indices", GTI_PLY_CORNERS },
    { "vertex_index", GTI_PLY_CORNERS },
    { "texcoord", GTI_PLY_CORNER_TEXCOORDS },
};

// The value of the word at `p`, or `none`.
static int find_name(const Name* names, size_t count, const char* p, int none)
{
    for (size_t i = 0; i < count; ++i) {
        if (gti_word_is(p, names[i].name)) {
            return names[i].value;
        }
    }
    return none;
}

uint32_t gti_ply_type_size(GtiPlyType type)
{
    static const uint32_t sizes[] = { 1, 1, 2, 2, 4, 4, 4, 8, 0 };
    return sizes[type];
}

bool gti_ply_has(const GtiPlyElement* element, GtiPlyRole role)
{
    for (int32_t i = 0; i < element->property_count; ++i) {
        if (element->properties[i].role == role) {
            return true;
        }
    }
    return false;
}

// A head while it is read.
typedef struct Parser {
    const char* p;
    const char* end;
    GtiPlyHead* head;
    GtError* error;
    bool returns_only; // lines end with \r
} Parser;

static const char* next_word(Parser* parser)
{
    while (!gti_ends_word(*parser->p)) {
        ++parser->p;
    }
    while (gti_is_blank(*parser->p)) {
        ++parser->p;
    }
    return parser->p;
}

static GtResult fail_line(Parser* parser, const char* message)
{
    char where[32];
    snprintf(where, sizeof where, "line %lld", (long long)parser->head->lines + 1);
    return gti_fail_at(parser->error, GT_ERROR_BAD_FILE, where, "%s", message);
}

static GtResult read_format(Parser* parser)
{
    const char* word = next_word(parser);
    if (gti_word_is(word, "ascii")) {
        parser->head->encoding = GTI_PLY_ASCII;
    } else if (gti_word_is(word, "binary_little_endian")) {
        parser->head->encoding = GTI_PLY_LITTLE;
    } else if (gti_word_is(word, "binary_big_endian")) {
        parser->head->encoding = GTI_PLY_BIG;
    } else {
        return fail_line(parser, "the format is none of ascii, binary_little_endian and binary_big_endian");
    }
    return GT_OK;
}

static GtResult read_element(Parser* parser)
{
    GtiPlyHead* head = parser->head;
    if (head->element_count == GTI_PLY_MOST_ELEMENTS) {
        return fail_line(parser, "there are more than 32 elements");
    }
    GtiPlyElement* element = &head->elements[head->element_count++];
    const char* word = next_word(parser);
    bool strips = gti_word_is(word, "tristrips");
    element->strips = strips;
    element->kind = gti_word_is(word, "vertex")           ? GTI_PLY_VERTICES
                    : gti_word_is(word, "face") || strips ? GTI_PLY_FACES
                                                          : GTI_PLY_OTHER;
    element->properties = &head->properties[head->property_count];
    const char* number = next_word(parser);
    if (!gti_scan_integer(&number, &element->count) || element->count < 0) {
        return fail_line(parser, "an element needs a name and a count");
    }
    for (int32_t i = 0; i + 1 < head->element_count; ++i) { // of two of a kind the first counts
        element->kind = head->elements[i].kind == element->kind ? GTI_PLY_OTHER : element->kind;
    }
    return GT_OK;
}

static GtResult read_property(Parser* parser)
{
    GtiPlyHead* head = parser->head;
    if (!head->element_count || head->property_count == GTI_PLY_MOST_PROPERTIES) {
        return fail_line(parser, head->element_count ? "there are more than 512 properties"
                                                     : "a property comes before any element");
    }
    GtiPlyElement* element = &head->elements[head->element_count - 1];
    GtiPlyProperty* property = &head->properties[head->property_count++];
    *property = (GtiPlyProperty){ .role = GTI_PLY_NO_ROLE, .count_type = GTI_PLY_NO_TYPE };
    ++element->property_count;
    const char* word = next_word(parser);
    bool list = gti_word_is(word, "list");
    if (list) {
        property->count_type =
            (GtiPlyType)find_name(types, sizeof types / sizeof *types, next_word(parser), GTI_PLY_NO_TYPE);
        word = next_word(parser);
    }
    property->type = (GtiPlyType)find_name(types, sizeof types / sizeof *types, word, GTI_PLY_NO_TYPE);
    bool bad_count = list && property->count_type >= GTI_PLY_FLOAT; // or none
    if (property->type == GTI_PLY_NO_TYPE || bad_count) {
        return fail_line(parser, "a property's type is none of char, uchar, short, ushort, int, uint, float, double");
    }
    word = next_word(parser);
    int role = GTI_PLY_NO_ROLE;
    if (element->kind == GTI_PLY_VERTICES && !list) {
        role = find_name(vertex_roles, sizeof vertex_roles / sizeof *vertex_roles, word, GTI_PLY_NO_ROLE);
    } else if (element->kind == GTI_PLY_FACES && list) {
        role = find_name(list_roles, sizeof list_roles / sizeof *list_roles, word, GTI_PLY_NO_ROLE);
    }
    property->role =
        role != GTI_PLY_NO_ROLE && gti_ply_has(element, (GtiPlyRole)role) ? GTI_PLY_NO_ROLE : (GtiPlyRole)role;
    return GT_OK;
}

static void read_comment(Parser* parser)
{
    const char* word = next_word(parser);
    if (gti_word_is(word, "TextureFile")) {
        word = next_word(parser);
        const char* end = gti_find_line_end(word, parser->end);
        size_t length = (size_t)(end - word);
        if (length < sizeof parser->head->texture) {
            memcpy(parser->head->texture, word, length);
            parser->head->texture[length] = 0;
        }
    }
}

// Where lines end with \r alone, a \n that follows the head's last is a number's first byte.
static const char* skip_line_end(Parser* parser)
{
    const char* p = gti_skip_line_end(parser->p, parser->end, &parser->head->lines);
    return parser->returns_only && p > parser->p + 1 ? p - 1 : p;
}

static GtResult read_lines(Parser* parser, bool* ended)
{
    GtResult result = GT_OK;
    while (parser->p < parser->end && result == GT_OK && !*ended) {
        while (gti_is_blank(*parser->p)) {
            ++parser->p;
        }
        const char* word = parser->p;
        if (gti_word_is(word, "format")) {
            result = read_format(parser);
        } else if (gti_word_is(word, "element")) {
            result = read_element(parser);
        } else if (gti_word_is(word, "property")) {
            result = read_property(parser);
        } else if (gti_word_is(word, "comment")) {
            read_comment(parser);
        } else if (gti_word_is(word, "end_header")) {
            *ended = true;
        } else if (!gti_word_is(word, "obj_info") && !gti_is_line_end(*word)) {
            result = fail_line(parser, "a line of the head begins with no keyword of PLY");
        }
        if (result == GT_OK) {
            parser->p = gti_find_line_end(parser->p, parser->end);
            parser->p = skip_line_end(parser);
        }
    }
    return result;
}

static void lay_out_rows(GtiPlyHead* head)
{
    for (int32_t e = 0; e < head->element_count; ++e) {
        GtiPlyElement* element = &head->elements[e];
        bool lists = false;
        for (int32_t i = 0; i < element->property_count; ++i) {
            GtiPlyProperty* property = &element->properties[i];
            property->offset = element->row_size;
            element->row_size += gti_ply_type_size(property->type);
            lists |= property->count_type != GTI_PLY_NO_TYPE;
        }
        element->row_size = lists ? 0 : element->row_size;
    }
}

GtResult gti_ply_read_head(const GtContext* context, const GtiByteSource* source, GtiPlyHead* out, GtError* error)
{
    GtAllocator allocator = context->allocator;
    *out = (GtiPlyHead){ .encoding = GTI_PLY_ASCII };
    char* text = allocator.allocate(allocator.user, HEAD_SIZE + GTI_PIECE_ROOM);
    if (!text) {
        return gti_out_of_memory(error);
    }
    size_t size = gti_byte_source_read(source, 0, text, HEAD_SIZE);
    memset(text + size, 0, GTI_PIECE_ROOM);
    Parser parser = { .p = text, .end = text + size, .head = out, .error = error };
    bool ended = false;
    GtResult result = GT_OK;
    if (!gti_word_is(text, "ply")) {
        result = gti_fail(error, GT_ERROR_BAD_FILE, "this is not a PLY file: it does not begin with \"ply\"");
    } else {
        parser.p = gti_find_line_end(text, parser.end);
        parser.returns_only = *parser.p == '\r' && parser.p[1] != '\n';
        parser.p = skip_line_end(&parser);
        result = read_lines(&parser, &ended);
    }
    if (result == GT_OK && !ended) {
        result =
            gti_fail(error, GT_ERROR_BAD_FILE, "the header does not end with \"end_header\": the file is truncated");
    }
    out->size = (uint64_t)(parser.p - text);
    lay_out_rows(out);
    allocator.release(allocator.user, text);
    return result;
}

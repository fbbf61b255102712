// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The tree that both parsers fill, and what is asked of it. An array whose elements have the type that is wanted is
// decompressed or copied straight into the caller's memory; others are converted one by one.

#include "io/fbx/tree.h"

#include "base/fail.h"
#include "base/memory.h"
#include "data/inflate.h"
#include "gertie/number.h"
#include "io/fbx/fbx.h"

#include <math.h>
#include <stdio.h>

static const char binary_magic[] = "Kaydara FBX Binary  "; // with its 0 byte

static bool is_binary(const uint8_t* bytes, size_t size)
{
    return size >= sizeof binary_magic && memcmp(bytes, binary_magic, sizeof binary_magic) == 0;
}

bool gti_fbx_sniff(const uint8_t* bytes, size_t size)
{
    static const char word[] = "FBXHeaderExtension";
    size_t searched = size < 4096 ? size : 4096;
    if (is_binary(bytes, size) || (size >= 6 && memcmp(bytes, "; FBX ", 6) == 0)) {
        return true;
    }
    for (size_t i = 0; i + sizeof word <= searched; ++i) {
        if (memcmp(bytes + i, word, sizeof word - 1) == 0 && (i == 0 || bytes[i - 1] <= ' ' || bytes[i - 1] > '~')) {
            return true;
        }
    }
    return false;
}

GtResult gti_fbx_parse(const GtContext* context, const uint8_t* bytes, size_t size, GtiFbxTree* out, GtError* error)
{
    *out = (GtiFbxTree){ .arena = gt_arena_create(context->allocator), .bytes = bytes, .size = size };
    out->is_text = !is_binary(bytes, size);
    GtResult result = GT_OK;
    if (!gti_fbx_sniff(bytes, size)) {
        result = gti_fail(error, GT_ERROR_BAD_FILE, "this is not an FBX file");
    } else if (!gti_fbx_add_node(out, "", 0)) {
        result = gti_out_of_memory(error);
    } else {
        result = out->is_text ? gti_fbx_parse_text(out, error) : gti_fbx_parse_binary(out, error);
        if (result == GT_OK && out->damage_count > 0 && !gti_fbx_find(out->nodes, "Connections")) {
            result = out->damage.code;
            if (error) {
                *error = out->damage;
            }
        }
    }
    if (result != GT_OK) {
        gti_fbx_tree_release(out);
    }
    return result;
}

void gti_fbx_tree_release(GtiFbxTree* tree)
{
    GtAllocator allocator = tree->arena.allocator;
    allocator.release(allocator.user, tree->nodes);
    allocator.release(allocator.user, tree->values);
    gt_arena_destroy(&tree->arena);
    *tree = (GtiFbxTree){ .arena = tree->arena };
}

GtResult gti_fbx_fail(const GtiFbxTree* tree, uint64_t place, GtResult code, GtError* error, const char* format, ...)
{
    char where[48];
    if (!error) {
        return code;
    }
    if (tree->is_text) {
        unsigned long long line = 1;
        for (uint64_t i = 0; i < place; ++i) {
            line += tree->bytes[i] == '\n';
        }
        snprintf(where, sizeof where, "line %llu", line);
    } else {
        snprintf(where, sizeof where, "byte %llu", (unsigned long long)place);
    }
    va_list arguments;
    va_start(arguments, format);
    gti_fail_v(error, code, where, format, arguments);
    va_end(arguments);
    return code;
}

GtResult gti_fbx_check_version(const GtiFbxTree* tree, GtError* error)
{
    if (tree->version >= 7000 && tree->version < 8000) {
        return GT_OK;
    }
    if (tree->version >= 8000) {
        return gti_fail(error, GT_ERROR_UNSUPPORTED,
                        "this file says that it is FBX version %d; versions 7000 to 7999 are read: save it as FBX 2020",
                        tree->version);
    }
    if (tree->version <= 0) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "this FBX file does not say its version (FBXVersion)");
    }
    return gti_fail(error, GT_ERROR_UNSUPPORTED,
                    "this is an FBX file of version %d, from before 2011, which is not read: open it in Autodesk FBX "
                    "Converter, Maya, 3ds Max or MotionBuilder and save it as FBX 2013 or newer, binary",
                    tree->version);
}

// Give an array of `used` elements of `size` bytes room for `wanted`; NULL when memory ran out or they are too many.
static void* reserve(const GtiFbxTree* tree, void* array, int32_t used, int32_t* capacity, int64_t wanted, size_t size)
{
    size_t bytes = 0;
    if (wanted > INT32_MAX || !gti_size_mul((size_t)wanted, size, &bytes)) {
        return NULL;
    }
    void* larger = gti_reallocate(tree->arena.allocator, array, (size_t)used * size, bytes);
    *capacity = larger ? (int32_t)wanted : *capacity;
    return larger;
}

static bool reserve_nodes(GtiFbxTree* tree, int64_t count)
{
    void* nodes = reserve(tree, tree->nodes, tree->node_count, &tree->node_capacity, count, sizeof *tree->nodes);
    tree->nodes = nodes ? nodes : tree->nodes;
    return nodes;
}

static bool reserve_values(GtiFbxTree* tree, int64_t count)
{
    void* values = reserve(tree, tree->values, tree->value_count, &tree->value_capacity, count, sizeof *tree->values);
    tree->values = values ? values : tree->values;
    return values;
}

bool gti_fbx_reserve(GtiFbxTree* tree, int64_t node_count, int64_t value_count)
{
    bool ok = node_count <= tree->node_capacity || reserve_nodes(tree, node_count);
    return ok && (value_count <= tree->value_capacity || reserve_values(tree, value_count));
}

GtiFbxNode* gti_fbx_add_node(GtiFbxTree* tree, const char* name, size_t name_length)
{
    if (tree->node_count == tree->node_capacity &&
        !reserve_nodes(tree, tree->node_capacity ? 2 * (int64_t)tree->node_capacity : 1)) {
        return NULL;
    }
    GtiFbxNode* node = &tree->nodes[tree->node_count++];
    *node =
        (GtiFbxNode){ .name = name, .name_length = (uint32_t)name_length, .first_value = tree->value_count, .size = 1 };
    return node;
}

GtiFbxValue* gti_fbx_add_value(GtiFbxTree* tree)
{
    if (tree->value_count == tree->value_capacity &&
        !reserve_values(tree, tree->value_capacity ? 2 * (int64_t)tree->value_capacity : 256)) {
        return NULL;
    }
    return &tree->values[tree->value_count++];
}

uint32_t gti_fbx_load_u32(const GtiFbxTree* tree, const uint8_t* b)
{
    return tree->is_big_endian ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
                               : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

uint64_t gti_fbx_load_u64(const GtiFbxTree* tree, const uint8_t* b)
{
    uint64_t first = gti_fbx_load_u32(tree, b), second = gti_fbx_load_u32(tree, b + 4);
    return tree->is_big_endian ? first << 32 | second : second << 32 | first;
}

const GtiFbxNode* gti_fbx_find(const GtiFbxNode* node, const char* name)
{
    if (!node) {
        return NULL;
    }
    for (const GtiFbxNode* child = node + 1; child < gti_fbx_next(node); child = gti_fbx_next(child)) {
        if (gti_fbx_is(child, name)) {
            return child;
        }
    }
    return NULL;
}

// The integer that a number is; false where it has a fraction or is too large.
static bool integer_from_number(double number, int64_t* out)
{
    if (!(number >= -0x1p63 && number < 0x1p63) || trunc(number) != number) {
        return false;
    }
    *out = (int64_t)number;
    return true;
}

bool gti_fbx_integer(const GtiFbxValue* value, int64_t* out)
{
    switch (value ? value->type : 0) {
    case 'C':
    case 'Y':
    case 'I':
    case 'L':
        *out = value->integer;
        return true;
    case 'F':
    case 'D':
        return integer_from_number(value->number, out);
    case 'S':
        if (value->count == 1 && strchr("TYWFN", value->bytes[0]) && value->bytes[0]) {
            *out = value->bytes[0] != 'F' && value->bytes[0] != 'N';
            return true;
        }
        return false;
    default:
        return false;
    }
}

bool gti_fbx_number(const GtiFbxValue* value, double* out)
{
    int64_t integer = 0;
    if (value && (value->type == 'F' || value->type == 'D')) {
        *out = value->number;
        return true;
    }
    if (!gti_fbx_integer(value, &integer)) {
        return false;
    }
    *out = (double)integer;
    return true;
}

bool gti_fbx_string(const GtiFbxValue* value, GtiSlice* out)
{
    if (!value || (value->type != 'S' && value->type != 'R')) {
        return false;
    }
    *out = (GtiSlice){ (const char*)value->bytes, value->count };
    return true;
}

uint32_t gti_fbx_element_size(char type)
{
    switch (type) {
    case 'b':
        return 1;
    case 'i':
    case 'f':
        return 4;
    case 'l':
    case 'd':
        return 8;
    default:
        return 0;
    }
}

uint64_t gti_fbx_place_of(const GtiFbxTree* tree, const GtiFbxNode* node)
{
    if (node == tree->nodes) {
        return 0;
    }
    uint64_t head = tree->is_text ? 0 : tree->version >= GTI_FBX_WIDE_VERSION ? 25 : 13; // before the name
    return (uint64_t)((const uint8_t*)node->name - tree->bytes) - head;
}

size_t gti_fbx_array_size(const GtiFbxTree* tree, const GtiFbxValue* value)
{
    if (!tree->is_text) {
        return gti_fbx_load_u32(tree, value->bytes - 4);
    }
    const char* start = (const char*)value->bytes;
    const char* close = gti_fbx_find_array_end(start, (const char*)tree->bytes + tree->size);
    return close ? (size_t)(close - start) : 0;
}

uint32_t gti_fbx_array_count(const GtiFbxTree* tree, const GtiFbxNode* node)
{
    const GtiFbxValue* first = gti_fbx_value(tree, node, 0);
    return first && gti_fbx_element_size(first->type) ? first->count : (uint32_t)node->value_count;
}

// A number on its way from one type to another: integers stay exact.
typedef struct FbxElement {
    bool is_integer;
    int64_t integer;
    double number;
} FbxElement;

static FbxElement load_element(const GtiFbxTree* tree, char type, const uint8_t* bytes)
{
    uint32_t bits = 0;
    uint64_t wide = 0;
    FbxElement element = { .is_integer = true };
    float single = 0.0f;
    switch (type) {
    case 'b':
        element.integer = bytes[0];
        break;
    case 'i':
        element.integer = (int32_t)gti_fbx_load_u32(tree, bytes);
        break;
    case 'l':
        element.integer = (int64_t)gti_fbx_load_u64(tree, bytes);
        break;
    case 'f':
        bits = gti_fbx_load_u32(tree, bytes);
        memcpy(&single, &bits, sizeof bits);
        return (FbxElement){ .number = (double)single };
    default:
        wide = gti_fbx_load_u64(tree, bytes);
        memcpy(&element.number, &wide, sizeof wide);
        element.is_integer = false;
        return element;
    }
    element.number = (double)element.integer;
    return element;
}

// Store as the type wanted; false for an integer that does not fit.
static bool store_element(FbxElement element, char type, void* out, uint32_t index)
{
    int64_t integer = element.integer;
    if (type == 'f') {
        ((float*)out)[index] = (float)element.number;
        return true;
    }
    if (type == 'd') {
        ((double*)out)[index] = element.number;
        return true;
    }
    if (!element.is_integer && !integer_from_number(element.number, &integer)) {
        return false;
    }
    if (type == 'l') {
        ((int64_t*)out)[index] = integer;
        return true;
    }
    ((int32_t*)out)[index] = (int32_t)integer;
    return integer >= INT32_MIN && integer <= INT32_MAX;
}

static GtResult fail_element(const GtiFbxTree* tree, const GtiFbxNode* node, uint32_t index, GtError* error)
{
    return gti_fbx_fail(tree, gti_fbx_place_of(tree, node), GT_ERROR_BAD_VALUE, error,
                        "element %u of '%.*s' is no integer in range", index, (int)node->name_length, node->name);
}

static GtResult decode_text(const GtiFbxTree* tree, const GtiFbxNode* node, char type, void* out, GtError* error)
{
    const GtiFbxValue* value = gti_fbx_value(tree, node, 0);
    const char* p = (const char*)value->bytes;
    const char* end = p + gti_fbx_array_size(tree, value);
    for (uint32_t i = 0; i < value->count; ++i) {
        p = gti_fbx_skip_separators(p, end);
        FbxElement element = { 0 };
        const char* after = NULL;
        if (type == 'i' || type == 'l') {
            after = gt_parse_int64(p, end, &element.integer);
            element.is_integer = after && (after == end || (unsigned char)*after <= ' ' || *after == ',');
        }
        if (!element.is_integer) {
            after = gti_fbx_parse_number(p, end, &element.number);
        }
        if (!after) {
            return gti_fbx_fail(tree, (uint64_t)((const uint8_t*)p - tree->bytes), GT_ERROR_BAD_FILE, error,
                                "array '%.*s' has %u of %u numbers", (int)node->name_length, node->name, i,
                                value->count);
        }
        if (!store_element(element, type, out, i)) {
            return fail_element(tree, node, i, error);
        }
        p = after;
    }
    return GT_OK;
}

static GtResult decode_scalars(const GtiFbxTree* tree, const GtiFbxNode* node, char type, void* out, GtError* error)
{
    for (int32_t i = 0; i < node->value_count; ++i) {
        const GtiFbxValue* value = gti_fbx_value(tree, node, i);
        FbxElement element = { 0 };
        if (!gti_fbx_number(value, &element.number)) {
            return gti_fbx_fail(tree, gti_fbx_place_of(tree, node), GT_ERROR_BAD_VALUE, error,
                                "value %d of '%.*s' is no number", i, (int)node->name_length, node->name);
        }
        element.is_integer = gti_fbx_integer(value, &element.integer);
        if (!store_element(element, type, out, (uint32_t)i)) {
            return fail_element(tree, node, (uint32_t)i, error);
        }
    }
    return GT_OK;
}

static bool is_little_endian_host(void)
{
    const uint16_t one = 1;
    uint8_t low;
    memcpy(&low, &one, 1);
    return low == 1;
}

// The elements as the file's type in `out`.
static GtResult unpack(const GtiFbxTree* tree, const GtiFbxNode* node, uint8_t* out, size_t size, GtError* error)
{
    const GtiFbxValue* value = gti_fbx_value(tree, node, 0);
    if (value->encoding == GTI_FBX_RAW) {
        memcpy(out, value->bytes, size);
        return GT_OK;
    }
    const char* fault = gti_inflate_zlib(value->bytes, gti_fbx_array_size(tree, value), out, size);
    return fault ? gti_fbx_fail(tree, (uint64_t)(value->bytes - tree->bytes), GT_ERROR_BAD_FILE, error,
                                "array '%.*s': %s", (int)node->name_length, node->name, fault)
                 : GT_OK;
}

// doubles of the file as floats, which is what most arrays are; false for other pairs of types and byte orders.
static bool convert_doubles(const GtiFbxTree* tree, const GtiFbxValue* value, const uint8_t* from, char type, void* out)
{
    if (value->type != 'd' || type != 'f' || tree->is_big_endian || !is_little_endian_host()) {
        return false;
    }
    float* floats = out;
    for (size_t i = 0; i < value->count; ++i) {
        double number;
        memcpy(&number, from + i * sizeof number, sizeof number);
        floats[i] = (float)number;
    }
    return true;
}

static GtResult convert(const GtiFbxTree* tree, const GtiFbxNode* node, const uint8_t* from, char type, void* out,
                        GtError* error)
{
    const GtiFbxValue* value = gti_fbx_value(tree, node, 0);
    uint32_t size = gti_fbx_element_size(value->type);
    if (convert_doubles(tree, value, from, type, out)) {
        return GT_OK;
    }
    for (uint32_t i = 0; i < value->count; ++i) {
        if (!store_element(load_element(tree, value->type, from + (size_t)i * size), type, out, i)) {
            return fail_element(tree, node, i, error);
        }
    }
    return GT_OK;
}

GtResult gti_fbx_decode(const GtiFbxTree* tree, const GtiFbxNode* node, char type, void* out, GtError* error)
{
    GT_ASSERT(type == 'i' || type == 'l' || type == 'f' || type == 'd');
    const GtiFbxValue* value = gti_fbx_value(tree, node, 0);
    uint32_t element_size = value ? gti_fbx_element_size(value->type) : 0;
    if (!element_size) {
        return decode_scalars(tree, node, type, out, error);
    }
    if (value->encoding == GTI_FBX_TEXT) {
        return decode_text(tree, node, type, out, error);
    }
    size_t size = (size_t)value->count * element_size;
    if (size == 0) {
        return GT_OK;
    }
    if (value->type == type && !tree->is_big_endian && is_little_endian_host()) {
        return unpack(tree, node, out, size, error);
    }
    if (value->encoding == GTI_FBX_RAW) {
        return convert(tree, node, value->bytes, type, out, error);
    }
    GtAllocator allocator = tree->arena.allocator;
    uint8_t* scratch = allocator.allocate(allocator.user, size);
    if (!scratch) {
        return gti_out_of_memory(error);
    }
    GtResult result = unpack(tree, node, scratch, size, error);
    if (result == GT_OK) {
        result = convert(tree, node, scratch, type, out, error);
    }
    allocator.release(allocator.user, scratch);
    return result;
}

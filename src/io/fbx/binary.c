// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Binary FBX 7: after a header of 27 bytes come records, each with its end, the count and size of its values, its name,
// the values and nested records, which end with a record of zeros. From version 7500 on the first three are 64 bits
// wide. Records are read in order and each byte once, so that work is in proportion to the file whatever it claims.
//
// A damaged record keeps the values before the damage, and reading goes on after its values; where its head makes no
// sense, after the record that holds it. So a file that was cut short has all that comes before the cut.

#include "base/fail.h"
#include "data/inflate.h"
#include "io/fbx/tree.h"

enum {
    HEADER_SIZE = 27
};

#define UNKNOWN_SIZE UINT64_MAX // of values, whose count alone is known

// The head of a record.
typedef struct FbxRecord {
    uint64_t end;
    uint64_t value_count;
    uint64_t value_size;
    uint64_t values; // place of the first value
    const char* name;
    uint32_t name_length;
} FbxRecord;

static uint64_t load_wide(const GtiFbxTree* tree, const uint8_t* bytes)
{
    return tree->version >= GTI_FBX_WIDE_VERSION ? gti_fbx_load_u64(tree, bytes) : gti_fbx_load_u32(tree, bytes);
}

// Read the head at `place`, whose record ends at `limit` at the latest. An end of 0 is the mark after the last record.
// After a failure the head is usable, with what did not fit cut off, unless its end is 0.
static GtResult read_head(const GtiFbxTree* tree, uint64_t place, uint64_t limit, FbxRecord* out, GtError* error)
{
    uint64_t width = tree->version >= GTI_FBX_WIDE_VERSION ? 8 : 4;
    const uint8_t* head = tree->bytes + place;
    *out = (FbxRecord){ 0 };
    if (limit - place < 3 * width + 1) {
        return gti_fbx_fail(tree, place, GT_ERROR_BAD_FILE, error,
                            "the file ends, or a node does, within a node's head");
    }
    *out = (FbxRecord){ .end = load_wide(tree, head),
                        .value_count = load_wide(tree, head + width),
                        .value_size = load_wide(tree, head + 2 * width),
                        .name = (const char*)head + 3 * width + 1,
                        .name_length = head[3 * width] };
    out->values = place + 3 * width + 1 + out->name_length;
    if (out->end == 0) {
        return GT_OK;
    }
    uint64_t end = out->end;
    uint64_t value_count = out->value_count;
    uint64_t value_size = out->value_size;
    bool ends_wrong = end > limit || out->values > end;
    if (out->values > limit) {
        out->end = 0;
    } else if (ends_wrong) { // a file that was cut short has more of it; in others its values are all that is certain
        bool is_cut = end > limit && limit == tree->size;
        out->end = !is_cut && value_size <= limit - out->values ? out->values + value_size : limit;
    }
    if (out->end == 0 || value_size > out->end - out->values || value_count > value_size) {
        out->value_count = value_count < INT32_MAX ? value_count : 0;
        out->value_size = UNKNOWN_SIZE;
    }
    if (ends_wrong) {
        return gti_fbx_fail(tree, place, GT_ERROR_BAD_FILE, error,
                            "a node says that it ends at byte %llu, which is outside of what holds it; the file is "
                            "damaged or truncated",
                            (unsigned long long)end);
    }
    return out->value_size != UNKNOWN_SIZE
               ? GT_OK
               : gti_fbx_fail(tree, place, GT_ERROR_BAD_FILE, error,
                              "node '%.*s' says that it has %llu values in %llu bytes, which do not fit into it",
                              (int)out->name_length, out->name, (unsigned long long)value_count,
                              (unsigned long long)value_size);
}

static GtResult read_array(const GtiFbxTree* tree, uint64_t place, uint64_t end, GtiFbxValue* value, uint64_t* after,
                           GtError* error)
{
    if (end - place < 12) {
        return gti_fbx_fail(tree, place, GT_ERROR_BAD_FILE, error, "an array has no room for its head");
    }
    const uint8_t* head = tree->bytes + place;
    uint32_t size = gti_fbx_load_u32(tree, head + 8);
    uint32_t encoding = gti_fbx_load_u32(tree, head + 4);
    value->count = gti_fbx_load_u32(tree, head);
    value->encoding = (uint8_t)encoding;
    value->bytes = head + 12;
    *after = place + 12 + size;
    uint64_t decoded = (uint64_t)value->count * gti_fbx_element_size(value->type);
    if (encoding > GTI_FBX_DEFLATED) {
        return gti_fbx_fail(tree, place, GT_ERROR_BAD_FILE, error, "an array has the unknown encoding %u", encoding);
    }
    if (*after > end) {
        return gti_fbx_fail(tree, place, GT_ERROR_BAD_FILE, error, "an array of %u bytes does not fit into its node",
                            size);
    }
    if (encoding == GTI_FBX_RAW ? decoded != size : decoded > gti_inflate_most(size)) {
        return gti_fbx_fail(tree, place, GT_ERROR_BAD_FILE, error, "an array of %u elements cannot be in %u bytes",
                            value->count, size);
    }
    return GT_OK;
}

static float as_float(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof bits);
    return number;
}

static double as_double(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof bits);
    return number;
}

// Bytes of a single number, 0 for what is none.
static uint64_t number_size(char type)
{
    switch (type) {
    case 'C':
    case 'B':
    case 'Z':
        return 1;
    case 'Y':
        return 2;
    case 'I':
    case 'F':
        return 4;
    case 'L':
    case 'D':
        return 8;
    default:
        return 0;
    }
}

static void read_number(const GtiFbxTree* tree, const uint8_t* bytes, GtiFbxValue* value)
{
    switch (value->type) {
    case 'Y':
        value->integer = (int16_t)(tree->is_big_endian ? bytes[0] << 8 | bytes[1] : bytes[1] << 8 | bytes[0]);
        break;
    case 'I':
        value->integer = (int32_t)gti_fbx_load_u32(tree, bytes);
        break;
    case 'L':
        value->integer = (int64_t)gti_fbx_load_u64(tree, bytes);
        break;
    case 'F':
        value->number = (double)as_float(gti_fbx_load_u32(tree, bytes));
        break;
    case 'D':
        value->number = as_double(gti_fbx_load_u64(tree, bytes));
        break;
    default:
        value->integer = (int8_t)bytes[0];
        value->type = 'C';
        break;
    }
}

// Read the value at *place, which ends at `end` at the latest.
static GtResult read_value(GtiFbxTree* tree, uint64_t* place, uint64_t end, GtError* error)
{
    GtiFbxValue* value = gti_fbx_add_value(tree);
    if (!value) {
        return gti_out_of_memory(error);
    }
    uint64_t start = *place;
    if (start == end) {
        return gti_fbx_fail(tree, start, GT_ERROR_BAD_FILE, error, "a node has fewer values than it says");
    }
    *value = (GtiFbxValue){ .type = (char)tree->bytes[start] };
    uint64_t size = number_size(value->type);
    ++start;
    if (size) {
        if (end - start < size) {
            return gti_fbx_fail(tree, start, GT_ERROR_BAD_FILE, error, "a number does not fit into its node");
        }
        read_number(tree, tree->bytes + start, value);
        *place = start + size;
        return GT_OK;
    }
    if (value->type == 'S' || value->type == 'R') {
        if (end - start < 4 || (size = gti_fbx_load_u32(tree, tree->bytes + start)) > end - start - 4) {
            return gti_fbx_fail(tree, start, GT_ERROR_BAD_FILE, error, "a string does not fit into its node");
        }
        value->count = (uint32_t)size;
        value->bytes = tree->bytes + start + 4;
        *place = start + 4 + size;
        return GT_OK;
    }
    if (value->type == 'c') {
        value->type = 'b'; // both are bytes
    }
    if (!gti_fbx_element_size(value->type)) {
        return gti_fbx_fail(tree, start - 1, GT_ERROR_BAD_FILE, error, "a value has the unknown type 0x%02X",
                            (unsigned)tree->bytes[start - 1]);
    }
    return read_array(tree, start, end, value, place, error);
}

// Read the values of a record into the tree's last node; *place receives where they end. After a failure those before
// it are kept.
static GtResult read_values(GtiFbxTree* tree, const FbxRecord* record, uint64_t* place, GtError* error)
{
    bool is_known = record->value_size != UNKNOWN_SIZE;
    uint64_t end = is_known ? record->values + record->value_size : record->end;
    int32_t* count = &tree->nodes[tree->node_count - 1].value_count;
    GtResult result = GT_OK;
    *place = record->values;
    for (uint64_t i = 0; i < record->value_count && result == GT_OK; ++i) {
        int32_t value_count = tree->value_count;
        result = read_value(tree, place, end, error);
        *count += result == GT_OK;
        tree->value_count = result == GT_OK ? tree->value_count : value_count;
    }
    if (result == GT_OK && is_known && *place != end) {
        result =
            gti_fbx_fail(tree, *place, GT_ERROR_BAD_FILE, error, "the values of node '%.*s' end before its size says",
                         (int)record->name_length, record->name);
    }
    *place = is_known || result != GT_OK ? end : *place;
    return result;
}

static GtResult read_header(GtiFbxTree* tree, GtError* error)
{
    if (tree->size < HEADER_SIZE) {
        return gti_fbx_fail(tree, tree->size, GT_ERROR_BAD_FILE, error, "the file ends within its header");
    }
    tree->is_big_endian = tree->bytes[22] == 1;
    uint32_t version = gti_fbx_load_u32(tree, tree->bytes + 23);
    tree->version = version <= INT32_MAX ? (int32_t)version : INT32_MAX;
    return gti_fbx_check_version(tree, error);
}

// Make room for all nodes and values, counted by their heads, which follow each other at the ends of values: exactly in
// files that are whole. In others counting ends at the damage.
static bool reserve_exactly(GtiFbxTree* tree)
{
    uint64_t width = tree->version >= GTI_FBX_WIDE_VERSION ? 8 : 4;
    uint64_t head_size = 3 * width + 1;
    uint64_t place = HEADER_SIZE;
    int64_t node_count = 1;
    int64_t value_count = 0;
    uint64_t open_end = tree->size; // of the top node that the present one is in
    while (place < tree->size && tree->size - place >= head_size) {
        FbxRecord record = { 0 };
        if (read_head(tree, place, tree->size, &record, NULL) != GT_OK || (record.end == 0 && place >= open_end)) {
            break;
        }
        if (record.end == 0) {
            place += head_size;
            continue;
        }
        open_end = node_count == 1 || place >= open_end ? record.end : open_end;
        place = record.values + record.value_size;
        ++node_count;
        value_count += (int64_t)record.value_count;
    }
    return gti_fbx_reserve(tree, node_count, value_count);
}

GtResult gti_fbx_parse_binary(GtiFbxTree* tree, GtError* error)
{
    int32_t open[GTI_FBX_MAX_DEPTH] = { 0 }; // the nodes that enclose the present one; nodes[0] is the first
    uint64_t ends[GTI_FBX_MAX_DEPTH] = { tree->size };
    int depth = 0;
    uint64_t place = HEADER_SIZE;
    GtResult result = read_header(tree, error);
    if (result == GT_OK && !reserve_exactly(tree)) {
        return gti_out_of_memory(error);
    }
    while (result == GT_OK && depth >= 0) {
        FbxRecord record = { 0 };
        bool is_damaged = false;
        if (place < ends[depth]) { // writers may leave the mark at the end out
            is_damaged = read_head(tree, place, ends[depth], &record, gti_fbx_damage(tree)) != GT_OK;
        }
        if (record.end == 0) {
            if (is_damaged) {
                gti_fbx_count_damage(tree);
            }
            tree->nodes[open[depth]].size = tree->node_count - open[depth];
            place = ends[depth--];
            continue;
        }
        int32_t index = tree->node_count;
        GtiFbxNode* node = gti_fbx_add_node(tree, record.name, record.name_length);
        if (!node) {
            return gti_out_of_memory(error);
        }
        GtResult values = read_values(tree, &record, &place, is_damaged ? NULL : gti_fbx_damage(tree));
        if (values == GT_ERROR_OUT_OF_MEMORY) {
            return gti_out_of_memory(error);
        }
        if (is_damaged || values != GT_OK) {
            gti_fbx_count_damage(tree);
        }
        if (place < record.end && result == GT_OK) {
            if (++depth == GTI_FBX_MAX_DEPTH) {
                return gti_fbx_fail(tree, place, GT_ERROR_LIMIT, error, "nodes are nested more than %d deep",
                                    GTI_FBX_MAX_DEPTH);
            }
            open[depth] = index;
            ends[depth] = record.end;
        }
    }
    return result;
}

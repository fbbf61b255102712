// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// An FBX file as a tree of named nodes with typed values, the same for binary and text files of version 7. Names,
// strings and arrays stay where they are in the file, so its bytes must live as long as the tree. Arrays are decoded
// when they are asked for, straight into the caller's memory.

#ifndef GERTIE_IO_FBX_TREE_H
#define GERTIE_IO_FBX_TREE_H

#include "base/slice.h"
#include "gertie/context.h"

enum {
    GTI_FBX_MAX_DEPTH = 128,    // of nested nodes; the FBX SDK writes fewer than ten
    GTI_FBX_WIDE_VERSION = 7500 // from which on the heads of binary nodes have numbers of 64 bits
};

// How the elements of an array are kept.
typedef enum GtiFbxEncoding {
    GTI_FBX_RAW = 0,
    GTI_FBX_DEFLATED = 1,
    GTI_FBX_TEXT = 2
} GtiFbxEncoding;

// One value of a node. `type` is the letter of binary files: C bool, Y int16, I int32, L int64, F float, D double,
// S string, R bytes; arrays b bool, i int32, l int64, f float, d double. Text files have L, D, S and d alone.
typedef struct GtiFbxValue {
    char type;
    uint8_t encoding; // of an array, GtiFbxEncoding
    uint32_t count;   // elements of an array; bytes of S and R
    union {
        int64_t integer;      // C Y I L
        double number;        // F D
        const uint8_t* bytes; // the rest
    };
} GtiFbxValue;

// Nodes lie in document order, parents before children: the first child of `node` is node + 1, and gti_fbx_next() steps
// over a node and all that is in it.
typedef struct GtiFbxNode {
    const char* name; // [name_length] in the file, not terminated
    uint32_t name_length;
    int32_t first_value;
    int32_t value_count;
    int32_t size; // nodes in the subtree, this one included
} GtiFbxNode;

typedef struct GtiFbxTree {
    GtArena arena; // of strings that had to be rewritten
    const uint8_t* bytes;
    size_t size;
    int32_t version; // such as 7400
    bool is_text;
    bool is_big_endian;
    GtiFbxNode* nodes; // nodes[0] has no name and holds all others. This and `values` are blocks of the allocator
    int32_t node_count;
    int32_t node_capacity;
    GtiFbxValue* values;
    int32_t value_count;
    int32_t value_capacity;
    int32_t damage_count; // places that could not be read, and were left out
    GtError damage;       // the first of them
} GtiFbxTree;

// Parse a file. What is damaged is left out, and counted, as long as there are Connections: without them objects mean
// nothing. On failure nothing is left to release; the error names the byte, or the line of a text file.
// @param out  free with gti_fbx_tree_release()
GtResult gti_fbx_parse(const GtContext* context, const uint8_t* bytes, size_t size, GtiFbxTree* out, GtError* error);
void gti_fbx_tree_release(GtiFbxTree* tree);

// Fail at a place of the file: "byte 120" or "line 12".
GtResult gti_fbx_fail(const GtiFbxTree* tree, uint64_t place, GtResult code, GtError* error, const char* format, ...)
    GT_PRINTF(5, 6);

static inline const GtiFbxNode* gti_fbx_next(const GtiFbxNode* node)
{
    return node + node->size;
}

static inline bool gti_fbx_is(const GtiFbxNode* node, const char* name)
{
    return gti_slice_is((GtiSlice){ node->name, node->name_length }, name);
}

// The first child of that name, or NULL; `node` may be NULL.
const GtiFbxNode* gti_fbx_find(const GtiFbxNode* node, const char* name);

// A value of a node, or NULL where it has fewer.
static inline const GtiFbxValue* gti_fbx_value(const GtiFbxTree* tree, const GtiFbxNode* node, int32_t index)
{
    return index < node->value_count ? &tree->values[node->first_value + index] : NULL;
}

// A value as number or text; false, with *out untouched, where it is NULL or something else. A bool of a text file is a
// word: T, Y and W are 1, F and N are 0. A number that has a fraction or does not fit is no integer.
bool gti_fbx_integer(const GtiFbxValue* value, int64_t* out);
bool gti_fbx_number(const GtiFbxValue* value, double* out);
bool gti_fbx_string(const GtiFbxValue* value, GtiSlice* out);

// The byte of the file where a node begins.
uint64_t gti_fbx_place_of(const GtiFbxTree* tree, const GtiFbxNode* node);

// How many elements the array of a node has. A node with plain numbers counts as an array of them.
uint32_t gti_fbx_array_count(const GtiFbxTree* tree, const GtiFbxNode* node);

// Decode the array of a node.
// @param type  of the elements wanted: i int32_t, l int64_t, f float, d double; others are converted
// @param out   [gti_fbx_array_count()]; on failure its contents are undefined
GtResult gti_fbx_decode(const GtiFbxTree* tree, const GtiFbxNode* node, char type, void* out, GtError* error);

// For the parsers: append a node or a value; NULL when memory ran out.
GtiFbxNode* gti_fbx_add_node(GtiFbxTree* tree, const char* name, size_t name_length);
GtiFbxValue* gti_fbx_add_value(GtiFbxTree* tree);

// For the parsers: make room, without which the arrays grow by doubling; false when memory ran out.
bool gti_fbx_reserve(GtiFbxTree* tree, int64_t node_count, int64_t value_count);

// Bytes that an array takes in the file.
size_t gti_fbx_array_size(const GtiFbxTree* tree, const GtiFbxValue* value);

// The } after the elements of an array of a text file, which comments may stand between; NULL where there is none.
const char* gti_fbx_find_array_end(const char* text, const char* end);

// For the parsers: refuse versions that are too old or too new.
GtResult gti_fbx_check_version(const GtiFbxTree* tree, GtError* error);

// For the parsers: where the error of a place that may be left out goes, which is the first alone, since naming a line
// costs reading all before it; and count it.
static inline GtError* gti_fbx_damage(GtiFbxTree* tree)
{
    return tree->damage_count ? NULL : &tree->damage;
}

static inline void gti_fbx_count_damage(GtiFbxTree* tree)
{
    tree->damage_count += tree->damage_count < INT32_MAX;
}

// The parsers; nodes[0] is there already.
GtResult gti_fbx_parse_binary(GtiFbxTree* tree, GtError* error);
GtResult gti_fbx_parse_text(GtiFbxTree* tree, GtError* error);

// Numbers of the file's byte order.
uint32_t gti_fbx_load_u32(const GtiFbxTree* tree, const uint8_t* bytes);
uint64_t gti_fbx_load_u64(const GtiFbxTree* tree, const uint8_t* bytes);

// Parse a number of a text file's array, also "1.#QNAN", "-nan(ind)" and "infinity". NULL where none starts here.
const char* gti_fbx_parse_number(const char* text, const char* end, double* out);

// Past white space, commas and comments between numbers.
const char* gti_fbx_skip_separators(const char* p, const char* end);

// Bytes of one element of an array, 0 for types that are none.
uint32_t gti_fbx_element_size(char type);

#endif

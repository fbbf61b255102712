// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Records of a binary FBX file of version 7.4 in the making: gti_fbx_begin() opens a node, its values follow, then
// nested nodes, then gti_fbx_end(). When memory runs out every further call is a no-op, and the bytes say so.

#ifndef GERTIE_IO_FBX_WRITE_NODE_H
#define GERTIE_IO_FBX_WRITE_NODE_H

#include "data/deflate.h"
#include "io/bytes.h"

enum {
    GTI_FBX_OUT_DEPTH = 16
};

typedef struct GtiFbxOpenNode {
    size_t start;
    size_t values; // place of the first value
    uint32_t value_count;
    bool has_children;
} GtiFbxOpenNode;

typedef struct GtiFbxOut {
    GtiBytes bytes;
    GtiFbxOpenNode open[GTI_FBX_OUT_DEPTH];
    int32_t depth;
    size_t array;          // place of the array being filled
    GtiDeflater* deflater; // made for the first large array
    GtiBytes packed;       // of that array
    bool is_too_large;     // for offsets of 32 bits; the bytes have failed, too
} GtiFbxOut;

// The magic number and the version; gti_fbx_end_file() closes the list of nodes and writes the footer.
// Start from gti_fbx_out_create(); gti_fbx_out_release() frees all but the bytes.
GtiFbxOut gti_fbx_out_create(GtAllocator allocator);
void gti_fbx_out_release(GtiFbxOut* out);

void gti_fbx_begin_file(GtiFbxOut* out);
void gti_fbx_end_file(GtiFbxOut* out);

void gti_fbx_begin(GtiFbxOut* out, const char* name);
void gti_fbx_end(GtiFbxOut* out);

// Values of the open node.
void gti_fbx_put_bool(GtiFbxOut* out, bool value);
void gti_fbx_put_int(GtiFbxOut* out, int32_t value);
void gti_fbx_put_long(GtiFbxOut* out, int64_t value);
void gti_fbx_put_double(GtiFbxOut* out, double value);
void gti_fbx_put_text(GtiFbxOut* out, const char* text);
void gti_fbx_put_bytes(GtiFbxOut* out, const void* bytes, size_t size);

// The name of an object and its class, as binary files join them.
void gti_fbx_put_name(GtiFbxOut* out, const char* name, const char* class_name);

// An array of the open node: memory for `count` elements of type 'd' (double), 'f' (float), 'l' (int64_t) or 'i'
// (int32_t), to be filled before gti_fbx_end_array(); NULL when memory ran out. It may lie at any address, so elements
// are copied into it.
void* gti_fbx_begin_array(GtiFbxOut* out, char type, size_t count);
void gti_fbx_end_array(GtiFbxOut* out);

// Replace four bytes that were written as an int.
void gti_fbx_patch_u32(GtiFbxOut* out, size_t place, size_t value);

// A node with one array, whose elements are there already.
void gti_fbx_array_node(GtiFbxOut* out, const char* name, char type, const void* elements, size_t count);

// Nodes with one value.
void gti_fbx_int_node(GtiFbxOut* out, const char* name, int32_t value);
void gti_fbx_text_node(GtiFbxOut* out, const char* name, const char* text);
void gti_fbx_double_node(GtiFbxOut* out, const char* name, double value);

// Properties: nodes P in a node Properties70, with name, type, label, flags and values. `flags` is "A" for what can be
// animated, "U" for what a user added.
void gti_fbx_begin_property(GtiFbxOut* out, const char* name, const char* type, const char* label, const char* flags);
void gti_fbx_int_property(GtiFbxOut* out, const char* name, int32_t value);
void gti_fbx_bool_property(GtiFbxOut* out, const char* name, bool value);
void gti_fbx_enum_property(GtiFbxOut* out, const char* name, int32_t value);
void gti_fbx_double_property(GtiFbxOut* out, const char* name, double value);
void gti_fbx_number_property(GtiFbxOut* out, const char* name, double value); // animatable
void gti_fbx_vector_property(GtiFbxOut* out, const char* name, const char* type, const double value[3]);
void gti_fbx_color_property(GtiFbxOut* out, const char* name, const float value[3]);
void gti_fbx_text_property(GtiFbxOut* out, const char* name, const char* text);
void gti_fbx_time_property(GtiFbxOut* out, const char* name, int64_t ticks);

#endif

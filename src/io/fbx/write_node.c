// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A record is the place of its end, the number and size of its values, its name, the values and nested records, which
// an empty record ends. Places are counted from the start of the file and have 32 bits in version 7.4.

#include "io/fbx/write_node.h"

#include "base/fail.h"
#include "io/fbx/tree.h"

#include <string.h>

enum {
    HEADER_SIZE = 13,  // of a record without its name
    LARGEST_RAW = 128, // bytes of an array that is not worth compressing
    VERSION = 7400,
    MAX_SIZE = INT32_MAX - 4096 // of a file, less its footer; readers take offsets for signed numbers
};

static void add_u32(GtiFbxOut* out, uint32_t value)
{
    const uint8_t bytes[4] = { (uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24) };
    gti_bytes_add(&out->bytes, bytes, sizeof bytes);
}

static void add_u64(GtiFbxOut* out, uint64_t value)
{
    add_u32(out, (uint32_t)value);
    add_u32(out, (uint32_t)(value >> 32));
}

static void add_zeros(GtiFbxOut* out, size_t count)
{
    uint8_t* at = gti_bytes_push(&out->bytes, count);
    if (at) {
        memset(at, 0, count);
    }
}

void gti_fbx_patch_u32(GtiFbxOut* out, size_t place, size_t value)
{
    for (size_t i = 0; i < 4 && !out->bytes.failed; ++i) {
        out->bytes.data[place + i] = (uint8_t)(value >> (8 * i));
    }
}

// Whether `size` more bytes keep the file below 2 GB; else nothing more is written.
static bool has_place_for(GtiFbxOut* out, size_t size)
{
    out->is_too_large = out->is_too_large || size > MAX_SIZE || out->bytes.size > MAX_SIZE - size;
    out->bytes.failed = out->bytes.failed || out->is_too_large;
    return !out->bytes.failed;
}

GtiFbxOut gti_fbx_out_create(GtAllocator allocator)
{
    return (GtiFbxOut){ .bytes = { .allocator = allocator }, .packed = { .allocator = allocator } };
}

void gti_fbx_out_release(GtiFbxOut* out)
{
    gti_deflater_destroy(out->bytes.allocator, out->deflater);
    gti_bytes_release(&out->packed);
}

void gti_fbx_begin_file(GtiFbxOut* out)
{
    gti_bytes_add(&out->bytes, "Kaydara FBX Binary  \0\x1A", 23);
    add_u32(out, VERSION);
}

// The footer's first 16 bytes belong to the FileId and CreationTime of write.c: readers of the FBX SDK compare them.
void gti_fbx_end_file(GtiFbxOut* out)
{
    static const uint8_t id[16] = { 0xFA, 0xBC, 0xAB, 0x09, 0xD0, 0xC8, 0xD4, 0x66,
                                    0xB1, 0x76, 0xFB, 0x83, 0x1C, 0xF7, 0x26, 0x7E };
    static const uint8_t end[16] = { 0xF8, 0x5A, 0x8C, 0x6A, 0xDE, 0xF5, 0xD9, 0x7E,
                                     0xEC, 0xE9, 0x0C, 0xE3, 0x75, 0x8F, 0x29, 0x0B };
    add_zeros(out, HEADER_SIZE);
    gti_bytes_add(&out->bytes, id, sizeof id);
    add_zeros(out, 4);
    add_zeros(out, 16 - out->bytes.size % 16);
    add_u32(out, VERSION);
    add_zeros(out, 120);
    gti_bytes_add(&out->bytes, end, sizeof end);
}

// The values of the open node are complete.
static void end_values(GtiFbxOut* out)
{
    GtiFbxOpenNode* node = &out->open[out->depth - 1];
    if (!node->has_children) {
        gti_fbx_patch_u32(out, node->start + 4, node->value_count);
        gti_fbx_patch_u32(out, node->start + 8, out->bytes.size - node->values);
    }
}

void gti_fbx_begin(GtiFbxOut* out, const char* name)
{
    GT_ASSERT(out->depth < GTI_FBX_OUT_DEPTH);
    if (out->depth > 0) {
        end_values(out);
        out->open[out->depth - 1].has_children = true;
    }
    GtiFbxOpenNode* node = &out->open[out->depth++];
    uint8_t length = (uint8_t)strlen(name);
    *node = (GtiFbxOpenNode){ .start = out->bytes.size };
    add_zeros(out, HEADER_SIZE - 1);
    gti_bytes_add(&out->bytes, &length, 1);
    gti_bytes_add(&out->bytes, name, length);
    node->values = out->bytes.size;
}

void gti_fbx_end(GtiFbxOut* out)
{
    GtiFbxOpenNode* node = &out->open[out->depth - 1];
    has_place_for(out, 0);
    end_values(out);
    if (node->has_children || node->value_count == 0) {
        add_zeros(out, HEADER_SIZE);
    }
    gti_fbx_patch_u32(out, node->start, out->bytes.size);
    --out->depth;
}

static void begin_value(GtiFbxOut* out, char type)
{
    GtiFbxOpenNode* node = &out->open[out->depth - 1];
    GT_ASSERT(!node->has_children);
    ++node->value_count;
    gti_bytes_add(&out->bytes, &type, 1);
}

void gti_fbx_put_bool(GtiFbxOut* out, bool value)
{
    begin_value(out, 'C');
    gti_bytes_add(&out->bytes, &(uint8_t){ value }, 1);
}

void gti_fbx_put_int(GtiFbxOut* out, int32_t value)
{
    begin_value(out, 'I');
    add_u32(out, (uint32_t)value);
}

void gti_fbx_put_long(GtiFbxOut* out, int64_t value)
{
    begin_value(out, 'L');
    add_u64(out, (uint64_t)value);
}

void gti_fbx_put_double(GtiFbxOut* out, double value)
{
    uint64_t bits;
    value += 0.0; // no negative zero
    memcpy(&bits, &value, sizeof bits);
    begin_value(out, 'D');
    add_u64(out, bits);
}

void gti_fbx_put_text(GtiFbxOut* out, const char* text)
{
    size_t length = strlen(text);
    begin_value(out, 'S');
    add_u32(out, (uint32_t)length);
    gti_bytes_add(&out->bytes, text, length);
}

void gti_fbx_put_bytes(GtiFbxOut* out, const void* bytes, size_t size)
{
    begin_value(out, 'R');
    if (!has_place_for(out, size)) {
        return;
    }
    add_u32(out, (uint32_t)size);
    gti_bytes_add(&out->bytes, bytes, size);
}

void gti_fbx_put_name(GtiFbxOut* out, const char* name, const char* class_name)
{
    size_t name_length = strlen(name);
    size_t class_length = strlen(class_name);
    begin_value(out, 'S');
    add_u32(out, (uint32_t)(name_length + 2 + class_length));
    gti_bytes_add(&out->bytes, name, name_length);
    gti_bytes_add(&out->bytes, "\0\x01", 2);
    gti_bytes_add(&out->bytes, class_name, class_length);
}

void* gti_fbx_begin_array(GtiFbxOut* out, char type, size_t count)
{
    begin_value(out, type);
    out->array = out->bytes.size;
    size_t size = count * gti_fbx_element_size(type);
    if (!has_place_for(out, size)) {
        return NULL;
    }
    add_u32(out, (uint32_t)count);
    add_u32(out, GTI_FBX_RAW);
    add_u32(out, (uint32_t)size);
    return gti_bytes_push(&out->bytes, size);
}

// Large arrays are compressed where that makes them smaller, which halves most files.
void gti_fbx_end_array(GtiFbxOut* out)
{
    const size_t header = 12;
    size_t size = out->bytes.failed ? 0 : out->bytes.size - out->array - header;
    if (size <= LARGEST_RAW) {
        return;
    }
    if (!out->deflater) {
        out->deflater = gti_deflater_create(out->bytes.allocator);
    }
    out->packed.size = 0;
    uint8_t* packed = out->deflater ? gti_bytes_push(&out->packed, size) : NULL;
    if (!packed) {
        out->bytes.failed = true;
        return;
    }
    uint8_t* raw = out->bytes.data + out->array + header;
    size_t packed_size = gti_deflate_zlib(out->deflater, raw, size, packed, size);
    if (packed_size > 0) {
        memcpy(raw, packed, packed_size);
        out->bytes.size -= size - packed_size;
        gti_fbx_patch_u32(out, out->array + 4, GTI_FBX_DEFLATED);
        gti_fbx_patch_u32(out, out->array + 8, packed_size);
    }
}

void gti_fbx_array_node(GtiFbxOut* out, const char* name, char type, const void* elements, size_t count)
{
    gti_fbx_begin(out, name);
    void* to = gti_fbx_begin_array(out, type, count);
    if (to && count) {
        memcpy(to, elements, count * gti_fbx_element_size(type));
    }
    gti_fbx_end_array(out);
    gti_fbx_end(out);
}

void gti_fbx_int_node(GtiFbxOut* out, const char* name, int32_t value)
{
    gti_fbx_begin(out, name);
    gti_fbx_put_int(out, value);
    gti_fbx_end(out);
}

void gti_fbx_text_node(GtiFbxOut* out, const char* name, const char* text)
{
    gti_fbx_begin(out, name);
    gti_fbx_put_text(out, text);
    gti_fbx_end(out);
}

void gti_fbx_double_node(GtiFbxOut* out, const char* name, double value)
{
    gti_fbx_begin(out, name);
    gti_fbx_put_double(out, value);
    gti_fbx_end(out);
}

void gti_fbx_begin_property(GtiFbxOut* out, const char* name, const char* type, const char* label, const char* flags)
{
    gti_fbx_begin(out, "P");
    gti_fbx_put_text(out, name);
    gti_fbx_put_text(out, type);
    gti_fbx_put_text(out, label);
    gti_fbx_put_text(out, flags);
}

void gti_fbx_int_property(GtiFbxOut* out, const char* name, int32_t value)
{
    gti_fbx_begin_property(out, name, "int", "Integer", "");
    gti_fbx_put_int(out, value);
    gti_fbx_end(out);
}

void gti_fbx_bool_property(GtiFbxOut* out, const char* name, bool value)
{
    gti_fbx_begin_property(out, name, "bool", "", "");
    gti_fbx_put_int(out, value);
    gti_fbx_end(out);
}

void gti_fbx_enum_property(GtiFbxOut* out, const char* name, int32_t value)
{
    gti_fbx_begin_property(out, name, "enum", "", "");
    gti_fbx_put_int(out, value);
    gti_fbx_end(out);
}

void gti_fbx_double_property(GtiFbxOut* out, const char* name, double value)
{
    gti_fbx_begin_property(out, name, "double", "Number", "");
    gti_fbx_put_double(out, value);
    gti_fbx_end(out);
}

void gti_fbx_number_property(GtiFbxOut* out, const char* name, double value)
{
    gti_fbx_begin_property(out, name, "Number", "", "A");
    gti_fbx_put_double(out, value);
    gti_fbx_end(out);
}

void gti_fbx_vector_property(GtiFbxOut* out, const char* name, const char* type, const double value[3])
{
    bool is_plain = strcmp(type, "Vector3D") == 0;
    gti_fbx_begin_property(out, name, type, is_plain ? "Vector" : "", is_plain ? "" : "A");
    for (int i = 0; i < 3; ++i) {
        gti_fbx_put_double(out, value[i]);
    }
    gti_fbx_end(out);
}

void gti_fbx_color_property(GtiFbxOut* out, const char* name, const float value[3])
{
    gti_fbx_vector_property(out, name, "Color", (double[]){ (double)value[0], (double)value[1], (double)value[2] });
}

void gti_fbx_text_property(GtiFbxOut* out, const char* name, const char* text)
{
    gti_fbx_begin_property(out, name, "KString", "", "");
    gti_fbx_put_text(out, text);
    gti_fbx_end(out);
}

void gti_fbx_time_property(GtiFbxOut* out, const char* name, int64_t ticks)
{
    gti_fbx_begin_property(out, name, "KTime", "Time", "");
    gti_fbx_put_long(out, ticks);
    gti_fbx_end(out);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The only file in C++, because libdraco has no other interface; no exception leaves it. libdraco allocates what the
// head of the data claims, so the counts there are compared with those of the glTF before it is called: memory is then
// in proportion to the accessors, which the caller has bounded.

extern "C" {
#include "import/draco/draco.h"
#include "base/fail.h"
#include "gertie/accessor.h"
}

#include <cstring>
#include <draco/compression/decode.h>
#include <new>

namespace
{

enum : uint8_t {
    TRIANGLES = 1,
    SEQUENTIAL = 0,
    EDGEBREAKER = 1,
};

// What the head of a Draco mesh says.
struct Head {
    uint64_t face_count;
    uint64_t point_count; // with edgebreaker, vertices, of which there are at most as many
};

bool read_varint(const uint8_t*& at, const uint8_t* end, uint64_t* out)
{
    *out = 0;
    for (int shift = 0; at < end && shift < 35; shift += 7) {
        *out |= (uint64_t)(*at & 0x7F) << shift;
        if (!(*at++ & 0x80)) {
            return true;
        }
    }
    return false;
}

// NULL, or what is wrong. The bitstream is version 2.2, the one that the extension allows.
const char* read_head(const uint8_t* bytes, size_t size, Head* out, bool* edgebreaker)
{
    if (size < 12 || std::memcmp(bytes, "DRACO", 5) != 0) {
        return "it does not begin as Draco data does";
    }
    if (bytes[5] != 2 || bytes[6] != 2) {
        return "its version is not 2.2";
    }
    if (bytes[7] != TRIANGLES || bytes[8] > EDGEBREAKER) {
        return "it holds no triangles";
    }
    if (bytes[10] & 0x80) {
        return "it holds metadata, which are not read";
    }
    *edgebreaker = bytes[8] == EDGEBREAKER;
    const uint8_t* at = bytes + 11 + *edgebreaker; // a byte for the kind of traversal
    const uint8_t* end = bytes + size;
    bool ok = *edgebreaker ? read_varint(at, end, &out->point_count) && read_varint(at, end, &out->face_count)
                           : read_varint(at, end, &out->face_count) && read_varint(at, end, &out->point_count);
    return ok ? nullptr : "its head is damaged";
}

template <typename T>
bool convert(const draco::PointAttribute& from, uint32_t point_count, int8_t components, void* out)
{
    T* values = static_cast<T*>(out);
    for (uint32_t i = 0; i < point_count; ++i) {
        draco::AttributeValueIndex index = from.mapped_index(draco::PointIndex(i));
        if (index.value() >= from.size() || !from.ConvertValue<T>(index, components, values + (size_t)i * components)) {
            return false;
        }
    }
    return true;
}

bool convert_attribute(const draco::PointAttribute& from, uint32_t point_count, const GtiDracoAttribute& to)
{
    int8_t components = (int8_t)gt_element_components(to.element_type);
    switch (to.component_type) {
    case GT_COMPONENT_INT8:
        return convert<int8_t>(from, point_count, components, to.out);
    case GT_COMPONENT_UINT8:
        return convert<uint8_t>(from, point_count, components, to.out);
    case GT_COMPONENT_INT16:
        return convert<int16_t>(from, point_count, components, to.out);
    case GT_COMPONENT_UINT16:
        return convert<uint16_t>(from, point_count, components, to.out);
    case GT_COMPONENT_UINT32:
        return convert<uint32_t>(from, point_count, components, to.out);
    case GT_COMPONENT_FLOAT:
        return convert<float>(from, point_count, components, to.out);
    default:
        return false;
    }
}

const char* decode(const uint8_t* bytes, size_t size, const GtiDracoAttribute* attributes, int32_t attribute_count,
                   uint32_t* indices, uint64_t index_count)
{
    Head head = {};
    bool edgebreaker = false;
    const char* wrong = read_head(bytes, size, &head, &edgebreaker);
    if (wrong) {
        return wrong;
    }
    uint64_t point_count = attribute_count ? attributes[0].count : 0;
    for (int32_t i = 0; i < attribute_count; ++i) {
        if (attributes[i].count != point_count) {
            return "its attributes have different counts";
        }
    }
    bool fits = edgebreaker ? head.point_count <= point_count : head.point_count == point_count;
    if (!fits || (indices && head.face_count * 3 != index_count) || point_count > UINT32_MAX) {
        return "its counts are not those of the accessors";
    }
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char*>(bytes), size);
    draco::Decoder decoder;
    auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
    if (!decoded.ok() || !decoded.value()) {
        return "its compressed data is damaged";
    }
    const draco::Mesh& mesh = *decoded.value();
    if (mesh.num_points() != point_count || (indices && (uint64_t)mesh.num_faces() * 3 != index_count)) {
        return "its counts are not those of the accessors";
    }
    for (int32_t i = 0; i < attribute_count; ++i) {
        const draco::PointAttribute* from = mesh.GetAttributeByUniqueId(attributes[i].id);
        if (!from || !convert_attribute(*from, (uint32_t)point_count, attributes[i])) {
            return from ? "an attribute has another type than its accessor" : "an attribute is missing";
        }
    }
    for (uint64_t i = 0; indices && i < index_count; ++i) {
        indices[i] = mesh.face(draco::FaceIndex((uint32_t)(i / 3)))[i % 3].value();
        if (indices[i] >= point_count) {
            return "its compressed data is damaged";
        }
    }
    return nullptr;
}

} // namespace

extern "C" GtResult gti_decode_draco(const GtContext* context, const uint8_t* bytes, size_t size,
                                     const GtiDracoAttribute* attributes, int32_t attribute_count, uint32_t* indices,
                                     uint64_t index_count, GtError* error)
{
    (void)context;
    try {
        const char* wrong = decode(bytes, size, attributes, attribute_count, indices, index_count);
        return wrong ? gti_fail(error, GT_ERROR_BAD_VALUE, "%s", wrong) : GT_OK;
    } catch (const std::bad_alloc&) {
        return gti_out_of_memory(error);
    } catch (...) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "its compressed data is damaged");
    }
}

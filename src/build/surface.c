// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Vertices, and triangles from lists, strips and fans with glTF's winding (glTF 2.0, section 3.7.2.1):
// strip p_i = { v_i, v_(i + 1 + i%2), v_(i + 2 - i%2) }, fan p_i = { v_(i+1), v_(i+2), v_0 }.

#include "build/primitive.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

bool gti_has_surface(const GtPrimitive* primitive)
{
    bool triangles = primitive->mode == GT_MODE_TRIANGLES || primitive->mode == GT_MODE_TRIANGLE_STRIP ||
                     primitive->mode == GT_MODE_TRIANGLE_FAN;
    return triangles && gt_primitive_find(primitive, "POSITION") != GT_NONE;
}

// Numbers that are not finite become zero: a direction of none points up when posed.
static GtResult decode_repaired(GtiDecoder* decoder, int32_t accessor, size_t width, const char* where,
                                const float** out)
{
    const float* floats = NULL;
    GtResult result = gti_decode_floats(decoder, accessor, where, &floats);
    if (result != GT_OK) {
        return result;
    }
    uint64_t count = decoder->scene->accessors[accessor].count * width;
    uint64_t good = 0;
    while (good < count && isfinite(floats[good])) {
        ++good;
    }
    if (good < count) {
        void* copy = NULL;
        result = gti_decoder_push(decoder, count, sizeof(float), where, &copy);
        if (result != GT_OK) {
            return result;
        }
        float* repaired = copy;
        for (uint64_t i = 0; i < count; ++i) {
            repaired[i] = isfinite(floats[i]) ? floats[i] : 0.0f;
        }
        floats = repaired;
        decoder->floats[accessor] = repaired;
    }
    *out = floats;
    return GT_OK;
}

static uint32_t corner(const uint32_t* indices, uint64_t i)
{
    return indices ? indices[i] : (uint32_t)i;
}

static void unroll(GtPrimitiveMode mode, const uint32_t* indices, uint64_t triangle_count, uint32_t* out)
{
    for (uint64_t i = 0; i < triangle_count; ++i, out += 3) {
        uint64_t odd = i % 2;
        switch (mode) {
        case GT_MODE_TRIANGLE_STRIP:
            out[0] = corner(indices, i);
            out[1] = corner(indices, i + 1 + odd);
            out[2] = corner(indices, i + 2 - odd);
            break;
        case GT_MODE_TRIANGLE_FAN:
            out[0] = corner(indices, i + 1);
            out[1] = corner(indices, i + 2);
            out[2] = corner(indices, 0);
            break;
        default:
            out[0] = corner(indices, 3 * i);
            out[1] = corner(indices, 3 * i + 1);
            out[2] = corner(indices, 3 * i + 2);
            break;
        }
    }
}

static GtResult decode_triangles(GtiDecoder* decoder, const GtPrimitive* primitive, const char* where, GtMeshDef* mesh)
{
    bool indexed = primitive->indices != GT_NONE;
    uint64_t corner_count =
        indexed ? decoder->scene->accessors[primitive->indices].count : (uint64_t)mesh->vertex_count;
    uint64_t chained = corner_count < 3 ? 0 : corner_count - 2;
    uint64_t triangle_count = primitive->mode == GT_MODE_TRIANGLES ? corner_count / 3 : chained;
    if (triangle_count > INT32_MAX / 3) {
        return gti_fail_at(decoder->error, GT_ERROR_LIMIT, where, "has %llu triangles; the limit is %d",
                           (unsigned long long)triangle_count, INT32_MAX / 3);
    }
    void* read = NULL;
    void* out = NULL;
    GtResult result = GT_OK;
    if (indexed) {
        result = gti_decoder_push(decoder, corner_count, sizeof(uint32_t), where, &read);
    }
    if (result == GT_OK && indexed) {
        gt_accessor_read_uints(decoder->scene, primitive->indices, 0, corner_count, read);
    }
    if (result == GT_OK && indexed && primitive->mode == GT_MODE_TRIANGLES) {
        out = read;
    } else if (result == GT_OK) {
        result = gti_decoder_push(decoder, triangle_count * 3, sizeof(uint32_t), where, &out);
        if (result == GT_OK) {
            unroll(primitive->mode, read, triangle_count, out);
        }
    }
    mesh->indices = out;
    mesh->index_count = (int32_t)(triangle_count * 3);
    return result;
}

// RGB as RGBA.
static GtResult decode_colors(GtiDecoder* decoder, int32_t accessor, const char* where, const float** out)
{
    size_t width = (size_t)gt_element_components(decoder->scene->accessors[accessor].element_type);
    const float* floats = NULL;
    GtResult result = decode_repaired(decoder, accessor, width, where, &floats);
    if (result != GT_OK || width == 4) {
        *out = floats;
        return result;
    }
    uint64_t count = decoder->scene->accessors[accessor].count;
    void* copy = NULL;
    result = gti_decoder_push(decoder, count, 4 * sizeof(float), where, &copy);
    float* colors = copy;
    for (uint64_t i = 0; result == GT_OK && i < count; ++i) {
        memcpy(&colors[4 * i], &floats[3 * i], 3 * sizeof(float));
        colors[4 * i + 3] = 1.0f;
    }
    *out = colors;
    return result;
}

// What no deformer reads, for whoever draws.
static GtResult decode_looks(GtiDecoder* decoder, const GtPrimitive* primitive, const char* where, GtMeshDef* mesh)
{
    int32_t texcoord = gt_primitive_find(primitive, "TEXCOORD_0");
    int32_t texcoord1 = gt_primitive_find(primitive, "TEXCOORD_1");
    int32_t color = gt_primitive_find(primitive, "COLOR_0");
    GtResult result = GT_OK;
    if (texcoord != GT_NONE) {
        result = decode_repaired(decoder, texcoord, 2, where, &mesh->texcoords);
    }
    if (result == GT_OK && texcoord1 != GT_NONE) {
        result = decode_repaired(decoder, texcoord1, 2, where, &mesh->texcoords1);
    }
    if (result == GT_OK && color != GT_NONE) {
        result = decode_colors(decoder, color, where, &mesh->colors);
    }
    return result;
}

GtResult gti_decode_surface(GtiDecoder* decoder, const GtPrimitive* primitive, const char* where, GtMeshDef* mesh)
{
    int32_t position = gt_primitive_find(primitive, "POSITION");
    int32_t normal = gt_primitive_find(primitive, "NORMAL");
    int32_t tangent = gt_primitive_find(primitive, "TANGENT");
    const float* floats = NULL;
    mesh->vertex_count = (int32_t)decoder->scene->accessors[position].count;
    GtResult result = gti_decode_floats(decoder, position, where, &floats);
    mesh->positions = (const GtVec3*)floats;
    if (result == GT_OK && normal != GT_NONE) {
        result = decode_repaired(decoder, normal, 3, where, &floats);
        mesh->normals = (const GtVec3*)floats;
    }
    if (result == GT_OK && tangent != GT_NONE) {
        result = decode_repaired(decoder, tangent, 4, where, &mesh->tangents);
    }
    if (result == GT_OK) {
        result = decode_looks(decoder, primitive, where, mesh);
    }
    return result == GT_OK ? decode_triangles(decoder, primitive, where, mesh) : result;
}

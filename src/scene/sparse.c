// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Displacements as glTF stores them smallest: nothing where all are 0, a sparse accessor where few are not, else all
// (glTF 2.0, section 3.6.2.3). One buffer holds a sparse accessor's indices and, aligned behind them, its values.

#include "scene/storage.h"

#include "base/fail.h"

#include <string.h>

// Of the size of the whole, what a sparse accessor may take: its description takes space, too.
static const double most_share = 0.75;

typedef struct Column {
    const float* values; // [count * width]
    uint64_t count;
    size_t width;
} Column;

static bool is_zero(const Column* c, uint64_t i)
{
    const float* v = c->values + i * c->width;
    for (size_t k = 0; k < c->width; ++k) {
        if (v[k] != 0.0f) {
            return false;
        }
    }
    return true;
}

static GtResult add_bounds(GtScene* scene, const Column* c, GtAccessor* out, GtError* error)
{
    double* bounds = gt_scene_push(scene, 2 * c->width, sizeof *bounds);
    if (!bounds) {
        return gti_out_of_memory(error);
    }
    for (size_t k = 0; k < c->width; ++k) {
        double* low = &bounds[k];
        double* high = &bounds[c->width + k];
        for (uint64_t i = 0; i < c->count; ++i) {
            double v = (double)c->values[i * c->width + k];
            *low = i == 0 || v < *low ? v : *low;
            *high = i == 0 || v > *high ? v : *high;
        }
    }
    out->min = bounds;
    out->max = bounds + c->width;
    return GT_OK;
}

// used: elements that are not 0
static void fill(const Column* c, size_t index_size, uint64_t used, uint8_t* bytes)
{
    uint8_t* index = bytes;
    uint8_t* value = bytes + ((used * index_size + 3) & ~(uint64_t)3);
    for (uint64_t i = 0; i < c->count; ++i) {
        if (is_zero(c, i)) {
            continue;
        }
        uint16_t small = (uint16_t)i;
        uint32_t large = (uint32_t)i;
        memcpy(index, index_size == 2 ? (const void*)&small : (const void*)&large, index_size);
        memcpy(value, c->values + i * c->width, c->width * sizeof(float));
        index += index_size;
        value += c->width * sizeof(float);
    }
}

static GtResult add_sparse(const GtContext* context, GtScene* scene, const Column* c, uint64_t used, GtAccessor* out,
                           GtError* error)
{
    size_t index_size = c->count <= 0xFFFF ? 2 : 4;
    uint64_t values_offset = (used * index_size + 3) & ~(uint64_t)3;
    uint64_t size = values_offset + used * c->width * sizeof(float);
    uint8_t* bytes = NULL;
    GtSparse* sparse = gt_scene_push(scene, 1, sizeof *sparse);
    GtBlob* blob = sparse ? gt_blob_create(context->allocator, (size_t)size, &bytes) : NULL;
    if (!blob) {
        return gti_out_of_memory(error);
    }
    memset(bytes, 0, (size_t)size);
    fill(c, index_size, used, bytes);
    int32_t buffer = GT_NONE;
    GtResult result = gt_scene_add_buffer(scene, &(GtBuffer){ .blob = blob }, &buffer, error);
    GtBufferView views[2] = { { .buffer = buffer, .size = used * index_size },
                              { .buffer = buffer, .offset = values_offset, .size = size - values_offset } };
    *sparse = (GtSparse){ .count = used, .indices_type = index_size == 2 ? GT_COMPONENT_UINT16 : GT_COMPONENT_UINT32 };
    if (result == GT_OK) {
        result = gt_scene_add_buffer_view(scene, &views[0], &sparse->indices_view, error);
    }
    if (result == GT_OK) {
        result = gt_scene_add_buffer_view(scene, &views[1], &sparse->values_view, error);
    }
    out->sparse = sparse;
    return result;
}

GtResult gti_scene_add_sparse(const GtContext* context, GtScene* scene, const float* values, int32_t count,
                              int32_t component_count, int32_t* index, GtError* error)
{
    static const GtElementType elements[5] = { GT_ELEMENT_SCALAR, GT_ELEMENT_SCALAR, GT_ELEMENT_VEC2, GT_ELEMENT_VEC3,
                                               GT_ELEMENT_VEC4 };
    Column c = { values, (uint64_t)count, (size_t)component_count };
    GtAccessor accessor = { .view = GT_NONE,
                            .component_type = GT_COMPONENT_FLOAT,
                            .element_type = elements[component_count],
                            .count = c.count };
    uint64_t used = 0;
    for (uint64_t i = 0; i < c.count; ++i) {
        used += !is_zero(&c, i);
    }
    size_t element_size = c.width * sizeof(float);
    if ((double)used * (double)(element_size + (c.count <= 0xFFFF ? 2 : 4)) >
        most_share * (double)c.count * (double)element_size) {
        return gt_scene_add_data(scene, GT_USE_VERTEX, accessor.element_type, GT_COMPONENT_FLOAT, values, c.count,
                                 index, error);
    }
    GtResult result = add_bounds(scene, &c, &accessor, error);
    if (result == GT_OK && used > 0) {
        result = add_sparse(context, scene, &c, used, &accessor, error);
    }
    return result == GT_OK ? gt_scene_add_accessor(scene, &accessor, index, error) : result;
}

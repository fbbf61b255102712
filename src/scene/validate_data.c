// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Validation of buffers, views and accessors: every byte an accessor can reach lies inside its blob.

#include "scene/validate.h"

#include "gertie/accessor.h"

#include "base/fail.h"

#include <string.h>

// Elements an accessor without a buffer view may claim: they are zeros that no byte of the file stands for.
#define MAX_ZERO_ELEMENTS ((uint64_t)1 << 24)

enum {
    CHUNK = 1024
};

static GtResult check_range(const GtiValidation* v, uint64_t offset, uint64_t size, uint64_t limit, const char* of,
                            GtiPlace place)
{
    if (offset <= limit && size <= limit - offset) {
        return GT_OK;
    }
    return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "reaches byte %llu + %llu of a %s of %llu bytes",
                       (unsigned long long)offset, (unsigned long long)size, of, (unsigned long long)limit);
}

static GtResult check_view(const GtiValidation* v, int32_t i)
{
    const GtBufferView* view = &v->scene->buffer_views[i];
    GtiPlace place = gti_place("bufferViews[#]", i, 0, 0, NULL);
    GtResult result = gti_check_index(v, view->buffer, v->scene->buffer_count, false, "buffers", place);
    if (result != GT_OK) {
        return result;
    }
    const GtBlob* blob = v->scene->buffers[view->buffer].blob;
    return check_range(v, view->offset, view->size, blob ? gt_blob_size(blob) : 0, "buffer", place);
}

// `count` elements of `size` bytes, `stride` apart, from `offset` on, lie inside the view.
static GtResult check_span(const GtiValidation* v, int32_t view, uint64_t offset, uint64_t count, uint64_t stride,
                           uint64_t size, GtiPlace place)
{
    GtResult result = gti_check_index(v, view, v->scene->buffer_view_count, false, "buffer views", place);
    if (result != GT_OK || count == 0) {
        return result;
    }
    if (count - 1 > (UINT64_MAX - size) / stride) {
        return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "claims %llu elements", (unsigned long long)count);
    }
    return check_range(v, offset, (count - 1) * stride + size, v->scene->buffer_views[view].size, "buffer view", place);
}

static GtResult check_sparse(const GtiValidation* v, int32_t i, uint64_t element_size)
{
    const GtAccessor* a = &v->scene->accessors[i];
    const GtSparse* sparse = a->sparse;
    GtiPlace place = gti_place("accessors[#].sparse", i, 0, 0, NULL);
    bool is_unsigned = sparse->indices_type == GT_COMPONENT_UINT8 || sparse->indices_type == GT_COMPONENT_UINT16 ||
                       sparse->indices_type == GT_COMPONENT_UINT32;
    if (!is_unsigned) {
        return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "indices are of type %d; give 5121, 5123 or 5125",
                           (int)sparse->indices_type);
    }
    if (sparse->count > a->count) {
        return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "replaces %llu of %llu elements",
                           (unsigned long long)sparse->count, (unsigned long long)a->count);
    }
    uint64_t index_size = (uint64_t)gt_component_size(sparse->indices_type);
    GtResult result = check_span(v, sparse->indices_view, sparse->indices_offset, sparse->count, index_size, index_size,
                                 gti_place("accessors[#].sparse.indices", i, 0, 0, NULL));
    if (result == GT_OK) {
        result = check_span(v, sparse->values_view, sparse->values_offset, sparse->count, element_size, element_size,
                            gti_place("accessors[#].sparse.values", i, 0, 0, NULL));
    }
    if (result != GT_OK) {
        return result;
    }
    const GtBufferView* view = &v->scene->buffer_views[sparse->indices_view];
    const uint8_t* bytes = gt_blob_bytes(v->scene->buffers[view->buffer].blob) + view->offset + sparse->indices_offset;
    uint64_t next = 0; // smallest index allowed
    for (uint64_t k = 0; k < sparse->count; ++k) {
        uint32_t index = 0;
        memcpy(&index, bytes + k * index_size, index_size); // little-endian, as every machine we run on
        if (index < next || index >= a->count) {
            return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "index %llu is %u; indices increase and stay below %llu",
                               (unsigned long long)k, index, (unsigned long long)a->count);
        }
        next = (uint64_t)index + 1;
    }
    return GT_OK;
}

static GtResult check_accessor_data(const GtiValidation* v, int32_t i)
{
    const GtAccessor* a = &v->scene->accessors[i];
    GtiPlace place = gti_place("accessors[#]", i, 0, 0, NULL);
    uint64_t size = (uint64_t)gt_element_size(a->element_type, a->component_type);
    if (size == 0) {
        return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "has component type %d and element type %d",
                           (int)a->component_type, (int)a->element_type);
    }
    if (a->view == GT_NONE) {
        if (a->count > MAX_ZERO_ELEMENTS) {
            return gti_invalid(v, GT_ERROR_LIMIT, place, "claims %llu zeros; the limit is %llu",
                               (unsigned long long)a->count, (unsigned long long)MAX_ZERO_ELEMENTS);
        }
    } else {
        uint64_t stride = size;
        if (a->view >= 0 && a->view < v->scene->buffer_view_count && v->scene->buffer_views[a->view].stride) {
            stride = v->scene->buffer_views[a->view].stride;
        }
        if (stride < size) {
            return gti_invalid(v, GT_ERROR_BAD_VALUE, place,
                               "its elements of %llu bytes overlap: the buffer view's stride is %llu",
                               (unsigned long long)size, (unsigned long long)stride);
        }
        GtResult result = check_span(v, a->view, a->offset, a->count, stride, size, place);
        if (result != GT_OK) {
            return result;
        }
    }
    return a->sparse ? check_sparse(v, i, size) : GT_OK;
}

GtResult gti_validate_data(const GtiValidation* v)
{
    GtResult result = GT_OK;
    for (int32_t i = 0; i < v->scene->buffer_view_count && result == GT_OK; ++i) {
        result = check_view(v, i);
    }
    for (int32_t i = 0; i < v->scene->accessor_count && result == GT_OK; ++i) {
        result = check_accessor_data(v, i);
    }
    return result;
}

GtResult gti_check_accessor(const GtiValidation* v, int32_t accessor, unsigned element_mask, GtiPlace place)
{
    GtResult result = gti_check_index(v, accessor, v->scene->accessor_count, false, "accessors", place);
    if (result == GT_OK && !(element_mask & 1u << v->scene->accessors[accessor].element_type)) {
        return gti_invalid(v, GT_ERROR_BAD_VALUE, place,
                           "accessor %d has elements of %d components, which do not fit here", (int)accessor,
                           (int)gt_element_components(v->scene->accessors[accessor].element_type));
    }
    return result;
}

static bool all_finite(const float* values, size_t count)
{
    uint32_t bad = 0;
    for (size_t i = 0; i < count; ++i) { // branch-free, so that it runs at the speed of memory
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bad |= (uint32_t)((bits & 0x7F800000u) == 0x7F800000u);
    }
    return bad == 0;
}

GtResult gti_check_finite(const GtiValidation* v, int32_t accessor, GtiPlace place)
{
    const GtAccessor* a = &v->scene->accessors[accessor];
    if (a->component_type != GT_COMPONENT_FLOAT || v->checked[accessor].flags & GTI_CHECKED_FINITE) {
        return GT_OK;
    }
    const float* in_place = gt_accessor_floats_in_place(v->scene, accessor);
    size_t components = (size_t)gt_element_components(a->element_type);
    for (uint64_t first = 0; first < a->count; first += CHUNK) {
        float chunk[CHUNK * 16];
        uint64_t count = a->count - first < CHUNK ? a->count - first : CHUNK;
        const float* values = in_place ? in_place + first * components : chunk;
        if (!in_place) {
            gt_accessor_read_floats(v->scene, accessor, first, count, chunk);
        }
        if (!all_finite(values, (size_t)count * components)) {
            size_t i = 0;
            while (all_finite(values + i, 1)) {
                ++i;
            }
            return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "element %llu is not a finite number",
                               (unsigned long long)(first + i / components));
        }
    }
    v->checked[accessor].flags |= GTI_CHECKED_FINITE;
    return GT_OK;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Typed access to accessors: every component type, normalised (glTF 2.0, section 3.6.2.2), strided, sparse; small
// matrices with padded columns. Reading trusts gt_scene_validate(); nothing here can fail but appending.

#include "gertie/accessor.h"

#include "base/fail.h"
#include "base/memory.h"
#include "scene/storage.h"

#include <math.h>
#include <string.h>

int32_t gt_element_components(GtElementType type)
{
    static const int32_t components[] = { 1, 2, 3, 4, 4, 9, 16 };
    return (unsigned)type <= GT_ELEMENT_MAT4 ? components[type] : 0;
}

int32_t gt_component_size(GtComponentType type)
{
    switch (type) {
    case GT_COMPONENT_INT8:
    case GT_COMPONENT_UINT8:
        return 1;
    case GT_COMPONENT_INT16:
    case GT_COMPONENT_UINT16:
        return 2;
    case GT_COMPONENT_UINT32:
    case GT_COMPONENT_FLOAT:
        return 4;
    }
    return 0;
}

// Rows of a column: a vector is one column, a scalar one of one row.
static int32_t element_rows(GtElementType type)
{
    switch (type) {
    case GT_ELEMENT_MAT2:
        return 2;
    case GT_ELEMENT_MAT3:
        return 3;
    case GT_ELEMENT_MAT4:
        return 4;
    default:
        return gt_element_components(type);
    }
}

// Bytes from column to column: columns of matrices start at multiples of 4.
static int32_t column_stride(GtElementType element, GtComponentType component)
{
    int32_t size = element_rows(element) * gt_component_size(component);
    return element >= GT_ELEMENT_MAT2 ? (size + 3) & ~3 : size;
}

int32_t gt_element_size(GtElementType element, GtComponentType component)
{
    int32_t rows = element_rows(element);
    return rows ? column_stride(element, component) * (gt_element_components(element) / rows) : 0;
}

// A component as it lies in memory, as a double, which holds every component type exactly.
static double load_component(const uint8_t* bytes, GtComponentType type)
{
    uint16_t u16;
    uint32_t u32;
    float f32;
    switch (type) {
    case GT_COMPONENT_INT8:
        return (double)(int8_t)bytes[0];
    case GT_COMPONENT_UINT8:
        return (double)bytes[0];
    case GT_COMPONENT_INT16:
        memcpy(&u16, bytes, sizeof u16);
        return (double)(int16_t)u16;
    case GT_COMPONENT_UINT16:
        memcpy(&u16, bytes, sizeof u16);
        return (double)u16;
    case GT_COMPONENT_UINT32:
        memcpy(&u32, bytes, sizeof u32);
        return (double)u32;
    case GT_COMPONENT_FLOAT:
        memcpy(&f32, bytes, sizeof f32);
        return (double)f32;
    }
    return 0.0;
}

static double normalize_component(double value, GtComponentType type)
{
    switch (type) {
    case GT_COMPONENT_INT8:
        return fmax(value / 127.0, -1.0);
    case GT_COMPONENT_UINT8:
        return value / 255.0;
    case GT_COMPONENT_INT16:
        return fmax(value / 32767.0, -1.0);
    case GT_COMPONENT_UINT16:
        return value / 65535.0;
    default:
        return value;
    }
}

// Where elements lie, and how they are shaped.
typedef struct Layout {
    const uint8_t* bytes; // NULL: zeros
    size_t stride;
    GtComponentType component;
    bool normalized;
    int32_t columns;
    int32_t rows;
    int32_t column_stride;
    int32_t component_size;
} Layout;

static const uint8_t* view_bytes(const GtScene* scene, int32_t view, uint64_t offset)
{
    const GtBufferView* v = &scene->buffer_views[view];
    return gt_blob_bytes(scene->buffers[v->buffer].blob) + v->offset + offset;
}

static Layout layout_of(const GtScene* scene, const GtAccessor* a)
{
    Layout l = {
        .component = a->component_type,
        .normalized = a->normalized,
        .rows = element_rows(a->element_type),
        .column_stride = column_stride(a->element_type, a->component_type),
        .component_size = gt_component_size(a->component_type),
    };
    l.columns = gt_element_components(a->element_type) / l.rows;
    l.stride = (size_t)gt_element_size(a->element_type, a->component_type);
    if (a->view != GT_NONE) {
        l.bytes = view_bytes(scene, a->view, a->offset);
        if (scene->buffer_views[a->view].stride) {
            l.stride = scene->buffer_views[a->view].stride;
        }
    }
    return l;
}

// Elements of one accessor are read either as floats or as integers; `out` is one of them.
typedef struct Out {
    float* floats;
    uint32_t* uints;
} Out;

static void store(Out out, size_t index, double value)
{
    if (out.floats) {
        out.floats[index] = (float)value;
    } else {
        out.uints[index] = (uint32_t)(int64_t)(value > -2147483649.0 && value < 4294967296.0 ? value : 0.0);
    }
}

static void read_elements(const Layout* l, const uint8_t* bytes, uint64_t count, Out out, size_t index)
{
    for (uint64_t i = 0; i < count; ++i, bytes += l->stride) {
        for (int32_t c = 0; c < l->columns; ++c) {
            const uint8_t* column = bytes + (size_t)c * (size_t)l->column_stride;
            for (int32_t r = 0; r < l->rows; ++r) {
                double value = load_component(column + (size_t)r * (size_t)l->component_size, l->component);
                if (l->normalized && out.floats) {
                    value = normalize_component(value, l->component);
                }
                store(out, index++, value);
            }
        }
    }
}

static uint64_t sparse_index(const uint8_t* indices, GtComponentType type, uint64_t i)
{
    uint32_t wide;
    if (type != GT_COMPONENT_UINT32) {
        return (uint64_t)load_component(indices + i * (size_t)gt_component_size(type), type);
    }
    memcpy(&wide, indices + i * sizeof wide, sizeof wide);
    return wide;
}

static bool is_packed_float(const Layout* l)
{
    return l->component == GT_COMPONENT_FLOAT && l->stride == (size_t)(l->columns * l->rows) * sizeof(float);
}

static void apply_sparse(const GtScene* scene, const GtAccessor* a, uint64_t first, uint64_t count, Out out)
{
    const GtSparse* sparse = a->sparse;
    const uint8_t* indices = view_bytes(scene, sparse->indices_view, sparse->indices_offset);
    uint64_t low = 0;
    for (uint64_t high = sparse->count; low < high;) { // indices increase: find the first that is in the range
        uint64_t middle = low + (high - low) / 2;
        if (sparse_index(indices, sparse->indices_type, middle) < first) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Layout l = layout_of(scene, a);
    l.stride = (size_t)gt_element_size(a->element_type, a->component_type);
    const uint8_t* values = view_bytes(scene, sparse->values_view, sparse->values_offset);
    size_t components = (size_t)gt_element_components(a->element_type);
    bool copies = out.floats && is_packed_float(&l);
    for (uint64_t i = low; i < sparse->count; ++i) {
        uint64_t element = sparse_index(indices, sparse->indices_type, i);
        if (element >= first + count) {
            break;
        }
        size_t at = (size_t)(element - first) * components;
        if (copies) {
            memcpy(out.floats + at, values + i * l.stride, components * sizeof *out.floats);
        } else {
            read_elements(&l, values + i * l.stride, 1, out, at);
        }
    }
}

// Interleaved floats; those of matrices are never padded.
static void read_strided_floats(const Layout* l, const uint8_t* bytes, uint64_t count, float* out)
{
    size_t components = (size_t)(l->columns * l->rows);
    for (uint64_t i = 0; i < count; ++i, bytes += l->stride, out += components) {
        memcpy(out, bytes, components * sizeof *out);
    }
}

static bool is_uint_vector(const Layout* l)
{
    return l->columns == 1 && (l->component == GT_COMPONENT_UINT8 || l->component == GT_COMPONENT_UINT16 ||
                               l->component == GT_COMPONENT_UINT32);
}

// Triangle corners and joints.
static void read_uint_vectors(const Layout* l, const uint8_t* bytes, uint64_t count, uint32_t* out)
{
    size_t rows = (size_t)l->rows;
    if (l->stride == rows * (size_t)l->component_size) { // packed: one long vector
        rows *= (size_t)count;
        count = count != 0;
    }
    for (uint64_t i = 0; i < count; ++i, bytes += l->stride, out += rows) {
        if (l->component == GT_COMPONENT_UINT8) {
            for (size_t r = 0; r < rows; ++r) {
                out[r] = bytes[r];
            }
        } else if (l->component == GT_COMPONENT_UINT16) {
            for (size_t r = 0; r < rows; ++r) {
                uint16_t value;
                memcpy(&value, bytes + r * sizeof value, sizeof value);
                out[r] = value;
            }
        } else {
            memcpy(out, bytes, rows * sizeof *out);
        }
    }
}

static void read_range(const GtScene* scene, int32_t accessor, uint64_t first, uint64_t count, Out out)
{
    const GtAccessor* a = &scene->accessors[accessor];
    GT_ASSERT(first <= a->count && count <= a->count - first);
    Layout l = layout_of(scene, a);
    size_t total = (size_t)count * (size_t)gt_element_components(a->element_type);
    if (!l.bytes) {
        memset(out.floats ? (void*)out.floats : (void*)out.uints, 0, total * sizeof(float));
    } else if (out.floats && is_packed_float(&l)) {
        memcpy(out.floats, l.bytes + first * l.stride, total * sizeof(float));
    } else if (out.floats && l.component == GT_COMPONENT_FLOAT) {
        read_strided_floats(&l, l.bytes + first * l.stride, count, out.floats);
    } else if (out.uints && is_uint_vector(&l)) {
        read_uint_vectors(&l, l.bytes + first * l.stride, count, out.uints);
    } else {
        read_elements(&l, l.bytes + first * l.stride, count, out, 0);
    }
    if (a->sparse) {
        apply_sparse(scene, a, first, count, out);
    }
}

void gt_accessor_read_floats(const GtScene* scene, int32_t accessor, uint64_t first, uint64_t count, float* out)
{
    read_range(scene, accessor, first, count, (Out){ .floats = out });
}

void gt_accessor_read_uints(const GtScene* scene, int32_t accessor, uint64_t first, uint64_t count, uint32_t* out)
{
    read_range(scene, accessor, first, count, (Out){ .uints = out });
}

const float* gt_accessor_floats_in_place(const GtScene* scene, int32_t accessor)
{
    const GtAccessor* a = &scene->accessors[accessor];
    Layout l = layout_of(scene, a);
    bool in_place = l.bytes && !a->sparse && is_packed_float(&l) && (uintptr_t)l.bytes % sizeof(float) == 0;
    return in_place ? (const float*)(const void*)l.bytes : NULL;
}

static int32_t find_attribute(const GtAttribute* attributes, int32_t count, const char* name)
{
    for (int32_t i = 0; i < count; ++i) {
        if (strcmp(attributes[i].name, name) == 0) {
            return attributes[i].accessor;
        }
    }
    return GT_NONE;
}

int32_t gt_primitive_find(const GtPrimitive* primitive, const char* attribute)
{
    return find_attribute(primitive->attributes, primitive->attribute_count, attribute);
}

int32_t gt_morph_target_find(const GtMorphTarget* target, const char* attribute)
{
    return find_attribute(target->attributes, target->attribute_count, attribute);
}

static bool find_bounds(GtScene* scene, GtAccessor* a, const float* data)
{
    int32_t components = gt_element_components(a->element_type);
    double* min = gt_scene_push(scene, (size_t)components, sizeof *min);
    double* max = gt_scene_push(scene, (size_t)components, sizeof *max);
    if (!min || !max) {
        return false;
    }
    for (int32_t c = 0; c < components; ++c) {
        min[c] = max[c] = a->count ? (double)data[c] : 0.0;
        for (uint64_t i = 1; i < a->count; ++i) {
            double value = (double)data[i * (uint64_t)components + (uint64_t)c];
            min[c] = fmin(min[c], value);
            max[c] = fmax(max[c], value);
        }
    }
    a->min = min;
    a->max = max;
    return true;
}

GtResult gti_scene_add_blob(GtScene* scene, const GtiBlobData* data, int32_t* index, GtError* error)
{
    enum {
        ARRAY_BUFFER = 34962,
        ELEMENT_ARRAY_BUFFER = 34963
    };
    GtAccessor accessor = { .component_type = data->component, .element_type = data->element, .count = data->count };
    bool bounded = data->use == GT_USE_TIMES || (data->use == GT_USE_VERTEX && data->element == GT_ELEMENT_VEC3);
    GtBufferView view = {
        .size = gt_blob_size(data->blob),
        .target = data->use == GT_USE_VERTEX    ? ARRAY_BUFFER
                  : data->use == GT_USE_INDICES ? ELEMENT_ARRAY_BUFFER
                                                : 0,
    };
    if (bounded && data->component == GT_COMPONENT_FLOAT &&
        !find_bounds(scene, &accessor, (const float*)gt_blob_bytes(data->blob))) {
        gt_blob_release(data->blob);
        return gti_out_of_memory(error);
    }
    GtResult result = gt_scene_add_buffer(scene, &(GtBuffer){ .blob = data->blob }, &view.buffer, error);
    if (result == GT_OK) {
        result = gt_scene_add_buffer_view(scene, &view, &accessor.view, error);
    }
    return result == GT_OK ? gt_scene_add_accessor(scene, &accessor, index, error) : result;
}

GtResult gt_scene_add_data(GtScene* scene, GtAccessorUse use, GtElementType element, GtComponentType component,
                           const void* data, uint64_t count, int32_t* index, GtError* error)
{
    size_t packed = (size_t)gt_element_size(element, component);
    GT_ASSERT(packed == (size_t)(gt_element_components(element) * gt_component_size(component)));
    size_t size = 0;
    if (count > SIZE_MAX || !gti_size_mul((size_t)count, packed, &size)) {
        return gti_out_of_memory(error);
    }
    uint8_t* bytes = NULL;
    GtiBlobData added = { use, element, component, count, gt_blob_create(gti_scene_allocator(scene), size, &bytes) };
    if (!added.blob) {
        return gti_out_of_memory(error);
    }
    if (size) {
        memcpy(bytes, data, size);
    }
    return gti_scene_add_blob(scene, &added, index, error);
}

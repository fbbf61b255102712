// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Morph targets made sparse: a face has dozens of shapes, each of which moves few vertices. An entry is kept where any
// attribute changes.

#include "build/primitive.h"

#include "base/fail.h"

#include <math.h>

typedef enum Part {
    PART_POSITION,
    PART_NORMAL,
    PART_TANGENT,
    PART_TEXCOORD,
    PART_TEXCOORD1,
    PART_COLOR,
    PART_COUNT
} Part;

static const char* const part_names[PART_COUNT] = { "POSITION",   "NORMAL",     "TANGENT",
                                                    "TEXCOORD_0", "TEXCOORD_1", "COLOR_0" };

// Numbers an entry, as GtMorphDef has them.
static const size_t part_widths[PART_COUNT] = { 3, 3, 3, 2, 2, 4 };

// An attribute of a target over all its vertices; NULL where the target has none or only zeros.
typedef struct Column {
    const float* values;
    size_t width; // of the file: colours may have 3
} Column;

typedef struct Dense {
    Column parts[PART_COUNT];
} Dense;

static bool changes(const Dense* dense, size_t vertex)
{
    for (int part = 0; part < PART_COUNT; ++part) {
        const Column* column = &dense->parts[part];
        for (size_t k = 0; column->values && k < column->width; ++k) {
            if (column->values[vertex * column->width + k] != 0.0f) {
                return true;
            }
        }
    }
    return false;
}

static void put_zeros_for_nan(float* values, size_t size)
{
    for (size_t i = 0; i < size; ++i) {
        values[i] = isfinite(values[i]) ? values[i] : 0.0f;
    }
}

// Arrays are read into `scratch`, or used where they lie. Reading costs time but no memory that stays.
static GtResult read_dense(GtiDecoder* decoder, const GtMorphTarget* target, int32_t vertex_count, GtArena* scratch,
                           const char* where, Dense* out)
{
    size_t count = (size_t)vertex_count;
    for (int part = 0; part < PART_COUNT; ++part) {
        int32_t accessor = gt_morph_target_find(target, part_names[part]);
        const GtAccessor* a = accessor == GT_NONE ? NULL : &decoder->scene->accessors[accessor];
        if (!a || (a->view == GT_NONE && !a->sparse)) {
            continue;
        }
        size_t width = (size_t)gt_element_components(a->element_type);
        GtResult result = gti_decoder_charge(decoder, (uint64_t)count * width * sizeof(float) / 16, where);
        if (result != GT_OK) {
            return result;
        }
        bool is_checked = part <= PART_TANGENT; // by the scene's validation: all numbers are finite
        const float* values = is_checked ? gt_accessor_floats_in_place(decoder->scene, accessor) : NULL;
        if (!values) {
            float* read = gt_arena_push_array(scratch, count * width, sizeof *read);
            if (!read) {
                return gti_out_of_memory(decoder->error);
            }
            gt_accessor_read_floats(decoder->scene, accessor, 0, (uint64_t)count, read);
            put_zeros_for_nan(read, is_checked ? 0 : count * width);
            values = read;
        }
        out->parts[part] = (Column){ values, width };
    }
    return GT_OK;
}

static GtResult gather(GtiDecoder* decoder, const Column* column, const GtMorphDef* morph, size_t width,
                       const char* where, const void** out)
{
    size_t count = (size_t)morph->entry_count;
    void* memory = NULL;
    GtResult result = gti_decoder_push(decoder, (uint64_t)count, width * sizeof(float), where, &memory);
    float* gathered = memory;
    for (size_t i = 0; result == GT_OK && i < count; ++i) {
        const float* from = &column->values[morph->vertices[i] * column->width];
        for (size_t k = 0; k < width && k < column->width; ++k) {
            gathered[i * width + k] = from[k];
        }
    }
    *out = gathered;
    return result;
}

static GtResult make_sparse(GtiDecoder* decoder, const Dense* dense, int32_t vertex_count, const char* where,
                            GtMorphDef* morph)
{
    int32_t count = 0;
    for (int32_t i = 0; i < vertex_count; ++i) {
        count += changes(dense, (size_t)i);
    }
    morph->entry_count = count;
    if (count == 0) {
        return GT_OK;
    }
    void* memory = NULL;
    GtResult result = gti_decoder_push(decoder, (uint64_t)count, sizeof(uint32_t), where, &memory);
    if (result != GT_OK) {
        return result;
    }
    uint32_t* vertices = memory;
    morph->vertices = vertices;
    for (int32_t i = 0; i < vertex_count; ++i) {
        if (changes(dense, (size_t)i)) {
            *vertices++ = (uint32_t)i;
        }
    }
    const void* made[PART_COUNT] = { NULL };
    for (int part = 0; part < PART_COUNT && result == GT_OK; ++part) {
        if (dense->parts[part].values) {
            result = gather(decoder, &dense->parts[part], morph, part_widths[part], where, &made[part]);
        }
    }
    morph->positions = made[PART_POSITION];
    morph->normals = made[PART_NORMAL];
    morph->tangents = made[PART_TANGENT];
    morph->texcoords = made[PART_TEXCOORD];
    morph->texcoords1 = made[PART_TEXCOORD1];
    morph->colors = made[PART_COLOR];
    return result;
}

GtResult gti_decode_morphs(GtiDecoder* decoder, const GtMesh* source, const GtPrimitive* primitive, const char* where,
                           GtMeshDef* mesh)
{
    if (source->target_count == 0) {
        return GT_OK;
    }
    void* memory = NULL;
    GtResult result = gti_decoder_push(decoder, (uint64_t)source->target_count, sizeof(GtMorphDef), where, &memory);
    if (result != GT_OK) {
        return result;
    }
    GtMorphDef* morphs = memory;
    GtArena scratch = gt_arena_create(decoder->context->allocator);
    GtArenaMark mark = gt_arena_mark(&scratch);
    for (int32_t i = 0; result == GT_OK && i < source->target_count; ++i) {
        Dense dense = { 0 };
        morphs[i].name = source->target_names ? source->target_names[i] : NULL;
        result = read_dense(decoder, &primitive->targets[i], mesh->vertex_count, &scratch, where, &dense);
        if (result == GT_OK) {
            result = make_sparse(decoder, &dense, mesh->vertex_count, where, &morphs[i]);
        }
        gt_arena_reset(&scratch, mark);
    }
    gt_arena_destroy(&scratch);
    mesh->morphs = morphs;
    mesh->morph_count = source->target_count;
    return result;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Morph targets made sparse: a face has dozens of shapes, each of which moves few vertices. An entry is kept where any
// of position, normal and tangent changes.

#include "build/primitive.h"

#include "base/fail.h"

// The three attributes of a target, each all its vertices or NULL where the target has none or only zeros.
typedef struct Dense {
    const GtVec3* arrays[3];
} Dense;

static const char* const attribute_names[3] = { "POSITION", "NORMAL", "TANGENT" };

static bool moves(const GtVec3* array, int32_t i)
{
    return array && (array[i].x != 0.0f || array[i].y != 0.0f || array[i].z != 0.0f);
}

// Arrays are read into `scratch`, or used where they lie. Reading costs time but no memory that stays.
static GtResult read_dense(GtiDecoder* decoder, const GtMorphTarget* target, int32_t vertex_count, GtVec3* scratch[3],
                           const char* where, Dense* out)
{
    for (int i = 0; i < 3; ++i) {
        int32_t accessor = gt_morph_target_find(target, attribute_names[i]);
        const GtAccessor* a = accessor == GT_NONE ? NULL : &decoder->scene->accessors[accessor];
        if (!a || (a->view == GT_NONE && !a->sparse)) {
            continue;
        }
        GtResult result = gti_decoder_charge(decoder, (uint64_t)vertex_count * sizeof(GtVec3) / 16, where);
        if (result != GT_OK) {
            return result;
        }
        out->arrays[i] = (const GtVec3*)gt_accessor_floats_in_place(decoder->scene, accessor);
        if (!out->arrays[i]) {
            gt_accessor_read_floats(decoder->scene, accessor, 0, (uint64_t)vertex_count, (float*)scratch[i]);
            out->arrays[i] = scratch[i];
        }
    }
    return GT_OK;
}

static GtResult gather(GtiDecoder* decoder, const GtVec3* array, const uint32_t* vertices, int32_t count,
                       const char* where, const GtVec3** out)
{
    void* memory = NULL;
    GtResult result = gti_decoder_push(decoder, (uint64_t)count, sizeof(GtVec3), where, &memory);
    GtVec3* gathered = memory;
    for (int32_t i = 0; result == GT_OK && array && i < count; ++i) {
        gathered[i] = array[vertices[i]];
    }
    *out = gathered;
    return result;
}

static GtResult make_sparse(GtiDecoder* decoder, const Dense* dense, int32_t vertex_count, const char* where,
                            GtMorphDef* morph)
{
    const GtVec3* const* arrays = dense->arrays;
    int32_t count = 0;
    for (int32_t i = 0; i < vertex_count; ++i) {
        count += moves(arrays[0], i) || moves(arrays[1], i) || moves(arrays[2], i);
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
        if (moves(arrays[0], i) || moves(arrays[1], i) || moves(arrays[2], i)) {
            *vertices++ = (uint32_t)i;
        }
    }
    result = gather(decoder, arrays[0], morph->vertices, count, where, &morph->positions);
    if (result == GT_OK && arrays[1]) {
        result = gather(decoder, arrays[1], morph->vertices, count, where, &morph->normals);
    }
    if (result == GT_OK && arrays[2]) {
        result = gather(decoder, arrays[2], morph->vertices, count, where, &morph->tangents);
    }
    return result;
}

static GtResult push_scratch(GtArena* scratch, int32_t vertex_count, GtVec3* out[3], GtError* error)
{
    for (int i = 0; i < 3; ++i) {
        out[i] = gt_arena_push_array(scratch, (size_t)vertex_count, sizeof(GtVec3));
        if (!out[i]) {
            return gti_out_of_memory(error);
        }
    }
    return GT_OK;
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
    GtVec3* buffers[3];
    result = push_scratch(&scratch, mesh->vertex_count, buffers, decoder->error);
    for (int32_t i = 0; result == GT_OK && i < source->target_count; ++i) {
        Dense dense = { { NULL, NULL, NULL } };
        morphs[i].name = source->target_names ? source->target_names[i] : NULL;
        result = read_dense(decoder, &primitive->targets[i], mesh->vertex_count, buffers, where, &dense);
        if (result == GT_OK) {
            result = make_sparse(decoder, &dense, mesh->vertex_count, where, &morphs[i]);
        }
    }
    gt_arena_destroy(&scratch);
    mesh->morphs = morphs;
    mesh->morph_count = source->target_count;
    return result;
}

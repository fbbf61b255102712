// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "build/decode.h"

#include "base/fail.h"

#include <string.h>

// What may be built: packed integers grow at most fourfold when they become floats, and instances and shared arrays
// are kept once, so honest files stay far below.
static const uint64_t budget_floor = (uint64_t)256 << 20;
static const uint64_t budget_a_byte = 16;

GtResult gti_decoder_create(const GtContext* context, const GtScene* scene, GtiDecoder* out, GtError* error)
{
    *out = (GtiDecoder){
        .context = context,
        .scene = scene,
        .error = error,
        .arena = gt_arena_create(context->allocator),
        .budget = budget_floor,
    };
    for (int32_t i = 0; i < scene->buffer_count; ++i) {
        const GtBlob* blob = scene->buffers[i].blob;
        out->budget += budget_a_byte * (blob ? gt_blob_size(blob) : 0);
    }
    out->floats = gt_arena_push_array(&out->arena, (size_t)scene->accessor_count, sizeof *out->floats);
    return out->floats ? GT_OK : gti_out_of_memory(error);
}

void gti_decoder_destroy(GtiDecoder* decoder)
{
    gt_arena_destroy(&decoder->arena);
}

GtResult gti_decoder_charge(GtiDecoder* decoder, uint64_t bytes, const char* where)
{
    if (bytes > decoder->budget) {
        return gti_fail_at(decoder->error, GT_ERROR_LIMIT, where,
                           "the file's arrays, shared and overlapping, would become far larger than the file");
    }
    decoder->budget -= bytes;
    return GT_OK;
}

GtResult gti_decoder_push(GtiDecoder* decoder, uint64_t count, size_t size, const char* where, void** out)
{
    uint64_t bytes = count > UINT64_MAX / size ? UINT64_MAX : count * size;
    GtResult result = gti_decoder_charge(decoder, bytes, where);
    if (result != GT_OK) {
        return result;
    }
    *out = gt_arena_push_array(&decoder->arena, (size_t)count, size);
    return *out ? GT_OK : gti_out_of_memory(decoder->error);
}

GtResult gti_decode_floats(GtiDecoder* decoder, int32_t accessor, const char* where, const float** out)
{
    if (decoder->floats[accessor]) {
        *out = decoder->floats[accessor];
        return GT_OK;
    }
    const GtAccessor* a = &decoder->scene->accessors[accessor];
    uint64_t count = a->count * (uint64_t)gt_element_components(a->element_type);
    const float* in_place = gt_accessor_floats_in_place(decoder->scene, accessor);
    GtResult result;
    if (in_place) {
        result = gti_decoder_charge(decoder, count * sizeof(float), where);
    } else {
        void* floats = NULL;
        result = gti_decoder_push(decoder, count, sizeof(float), where, &floats);
        if (result == GT_OK) {
            gt_accessor_read_floats(decoder->scene, accessor, 0, a->count, floats);
        }
        in_place = floats;
    }
    if (result == GT_OK) {
        decoder->floats[accessor] = in_place;
        *out = in_place;
    }
    return result;
}

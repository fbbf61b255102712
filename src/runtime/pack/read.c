// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Tables against bytes: nothing is looked at before it is known to be there.

#include "runtime/pack/read.h"

#include "base/fail.h"
#include "base/hash.h"
#include "runtime/clip/packed_clip.h"

#include <string.h>

GtResult gti_pack_check_head(const GtiPackHead* head, size_t size, GtError* error)
{
    if (size < sizeof *head || memcmp(head->magic, "GtPk", 4) != 0) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "this is not a packed character");
    }
    if (head->byte_order != GTI_PACK_BYTE_ORDER) {
        return gti_fail(error, GT_ERROR_UNSUPPORTED, "packed characters are for little-endian processors only");
    }
    if (head->version != GTI_PACK_VERSION) {
        return gti_fail(error, GT_ERROR_UNSUPPORTED, "packed character of version %u; this library reads version %d",
                        head->version, GTI_PACK_VERSION);
    }
    size_t start = offsetof(GtiPackHead, checksum) + sizeof head->checksum;
    if (head->size != size || gti_checksum((const char*)head + start, size - start) != head->checksum) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "packed character is damaged or cut short: pack it again");
    }
    uint32_t counts[] = { head->node_count,     head->weight_count, head->skin_count,     head->mesh_count,
                          head->morph_count,    head->clip_count,   head->text_size,      head->array_count,
                          head->deformer_count, head->track_count,  head->material_count, head->image_count,
                          head->section_count,  head->pose_count,   head->bind_count,     head->value_count,
                          head->sensor_count,   head->driver_count, head->jiggle_count };
    bool fits = gti_pack_places(head).end <= size && head->harmonic_count <= 1;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        fits &= counts[i] <= INT32_MAX;
    }
    return fits ? GT_OK : gti_fail(error, GT_ERROR_BAD_FILE, "packed character: its head does not fit its bytes");
}

GtResult gti_pack_check_tables(const GtiPackReader* r, uint64_t end, GtError* error)
{
    for (uint32_t i = 0; i < r->head->array_count; ++i) {
        const GtiPackArray* array = &r->arrays[i];
        uint64_t left = r->head->size - end;
        bool good = array->kind < GTI_PACK_KIND_COUNT && array->width >= 1 && array->width <= 16 && array->count > 0 &&
                    array->offset == end && array->count <= left / (array->width * gti_pack_number_size(array->kind));
        if (!good) {
            return gti_fail(error, GT_ERROR_BAD_FILE, "packed character: array %u does not fit its bytes", i);
        }
        end = gti_pack_align(end + array->count * array->width * gti_pack_number_size(array->kind), GTI_PACK_ALIGNMENT);
        if (end > r->head->size) {
            return gti_fail(error, GT_ERROR_BAD_FILE, "packed character: array %u does not fit its bytes", i);
        }
    }
    uint32_t text_size = r->head->text_size;
    if (end != r->head->size || (text_size && r->text[text_size - 1] != '\0')) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "packed character: its tables do not fit its bytes");
    }
    return GT_OK;
}

const void* gti_pack_array(GtiPackReader* r, int32_t index, GtiPackKind kind, int32_t width, int32_t count)
{
    if (index == GT_NONE) {
        return NULL;
    }
    const GtiPackArray* array = index >= 0 && (uint32_t)index < r->head->array_count ? &r->arrays[index] : NULL;
    if (!array || array->kind != kind || (int32_t)array->width != width || count < 0 ||
        array->count != (uint32_t)count) {
        r->wrong = true;
        return NULL;
    }
    return (const char*)r->head + array->offset;
}

const char* gti_pack_text(GtiPackReader* r, uint32_t offset)
{
    if (offset == GTI_PACK_NO_TEXT) {
        return NULL;
    }
    if (offset != r->text_at || offset >= r->head->text_size) {
        r->wrong = true;
        return NULL;
    }
    const char* text = r->text + offset;
    r->text_at += (uint32_t)strlen(text) + 1;
    return text;
}

GtResult gti_pack_misfit(GtError* error, const char* what, int32_t index)
{
    return gti_fail(error, GT_ERROR_BAD_FILE, "packed character: %s %d does not fit its arrays", what, (int)index);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, opened as a packed character, with the size and checksums that they ought to have, so that what lies
// behind these is reached: they are refused, or every clip can be sampled at any time and every mesh deformed.

#include "gertie/instance.h"
#include "gertie/pack.h"

#include "runtime/pack_format.h"
#include "runtime/packed_clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_VERTICES = 1 << 18, // deformed for one input: many meshes may share one array
    MOST_CLIPS = 8
};

static void repair(uint8_t* bytes, size_t size)
{
    GtiPackHead* head = (GtiPackHead*)bytes;
    head->size = size;
    GtiPackPlaces places = gti_pack_places(head);
    for (uint32_t i = 0; places.end <= size && i < head->array_count; ++i) {
        const GtiPackArray* array = (const GtiPackArray*)(bytes + places.arrays) + i;
        if (array->kind == GTI_PACK_CLIP && array->offset % 64 == 0 && array->offset >= places.end &&
            array->offset < size && array->count >= sizeof(GtiPackedHead) && array->count <= size - array->offset) {
            GtiPackedHead* clip = (GtiPackedHead*)(bytes + array->offset);
            size_t start = offsetof(GtiPackedHead, checksum) + sizeof clip->checksum;
            clip->checksum = gti_checksum((char*)clip + start, (size_t)array->count - start);
        }
    }
    size_t start = offsetof(GtiPackHead, checksum) + sizeof head->checksum;
    head->checksum = gti_checksum(bytes + start, size - start);
}

static void deform(GtInstance* instance)
{
    const GtCharacterDef* def = gt_character_def(instance->character);
    int64_t left = MOST_VERTICES;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        size_t count = (size_t)def->meshes[i].vertex_count;
        left -= (int64_t)count + def->meshes[i].index_count + 100;
        GtVec3* positions = left < 0 ? NULL : malloc((count + 1) * sizeof *positions);
        GtVec3* normals = left < 0 ? NULL : malloc((count + 1) * sizeof *normals);
        float* tangents = left < 0 ? NULL : malloc((count + 1) * 4 * sizeof *tangents);
        if (positions && normals && tangents) {
            gt_instance_deform(instance, i, positions, normals, tangents);
            for (int32_t k = 0; k < def->meshes[i].index_count; ++k) {
                positions[def->meshes[i].indices[k]].x += 1.0f; // corners exist
            }
        }
        free(positions);
        free(normals);
        free(tangents);
    }
}

static void play(const GtPack* pack, GtInstance* instance)
{
    for (int32_t i = 0; i < gt_pack_clip_count(pack) && i < MOST_CLIPS; ++i) {
        const GtClip* clip = gt_pack_clip(pack, i);
        double start_s = gt_clip_start_s(clip);
        double end_s = gt_clip_end_s(clip);
        const double times_s[] = { start_s, 0.3 * start_s + 0.7 * end_s, end_s, end_s + 1.0, (double)NAN };
        for (size_t k = 0; k < sizeof times_s / sizeof *times_s; ++k) {
            gt_clip_sample(clip, times_s[k], instance->pose, instance->weights);
        }
        gt_instance_update(instance);
        deform(instance);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    void* bytes = NULL;
    if (posix_memalign(&bytes, 64, size ? size : 1) != 0) {
        return 0;
    }
    if (size) {
        memcpy(bytes, data, size);
    }
    if (size >= sizeof(GtiPackHead)) {
        repair(bytes, size);
    }
    GtAllocator allocator = gt_default_allocator();
    GtPack* pack = NULL;
    GtInstance* instance = NULL;
    if (gt_pack_open(allocator, bytes, size, &pack, NULL) == GT_OK &&
        gt_instance_create(allocator, gt_pack_character(pack), &instance, NULL) == GT_OK) {
        deform(instance);
        play(pack, instance);
    }
    gt_instance_destroy(allocator, instance);
    gt_pack_close(pack);
    free(bytes);
    return 0;
}

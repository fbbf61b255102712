// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, opened as a packed character, with the size and checksums that they ought to have, so that what lies
// behind these is reached: they are refused, or every clip can be sampled at any time, every mesh deformed, and what
// drives the character stepped by any time. As a scene they are refused or can be played, too.

#include "gertie/file.h"
#include "gertie/pack.h"
#include "gertie/sculpt.h"

#include "base/hash.h"
#include "runtime/clip/packed_clip.h"
#include "runtime/pack/format.h"

#include "play.h"

#include <string.h>

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

static void play(const GtPack* pack, GtInstance* instance)
{
    for (int32_t i = 0; i < gt_pack_clip_count(pack) && i < MOST_CLIPS; ++i) {
        play_clip(gt_pack_clip(pack, i), instance);
    }
}

static void drive(const GtDrivers* drivers, GtInstance* instance)
{
    static const double steps_s[] = { 0.0, 1.0 / 60.0, 0.5, (double)NAN, 1e300 };
    GtDriversState* state = NULL;
    if (!drivers || gt_drivers_state_create(gt_default_allocator(), drivers, &state, NULL) != GT_OK) {
        return;
    }
    GtDriversFrame frame = gt_default_drivers_frame();
    for (size_t i = 0; i < sizeof steps_s / sizeof *steps_s; ++i) {
        frame.step_s = steps_s[i];
        frame.time_s += 0.3 * steps_s[i];
        gt_instance_reset(instance);
        gt_drivers_step(&frame, state, instance);
    }
    deform(instance);
    gt_drivers_state_destroy(state);
}

static void read_as_scene(const void* bytes, size_t size)
{
    GtContext context = gt_default_context();
    GtScene* scene = NULL;
    GtFigure figure = { 0 };
    GtFigureDef def = gt_default_figure_def();
    def.without_map = true;
    if (gt_scene_load_memory(&context, bytes, size, "pack.gtp", NULL, &scene, NULL) == GT_OK) {
        def.animation = scene->animation_count > 0 ? 0 : GT_NONE;
        if (gt_sculpt_figure_open(&context, scene, &def, &figure, NULL) == GT_OK) {
            gt_figure_pose(&figure, 0.3, figure.instance);
            deform(figure.instance);
        }
        gt_figure_close(&figure);
    }
    gt_scene_destroy(scene);
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
        drive(gt_pack_drivers(pack), instance);
        read_as_scene(bytes, size);
    }
    gt_instance_destroy(instance);
    gt_pack_close(pack);
    free(bytes);
    return 0;
}

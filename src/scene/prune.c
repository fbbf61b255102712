// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What is used is marked in both states of a scene; what only the earlier one uses goes. The end of an array is cut
// off. Before the end an accessor stays as zeros and a view as its first bytes, so that indices stay true, and a later
// call that finds them at the end cuts them off as well. Then buffers that such views were in are packed anew.

#include "gertie/scene.h"

#include "gertie/accessor.h"

#include "base/fail.h"
#include "scene/storage.h"

#include <stdlib.h>
#include <string.h>

enum {
    STUB_SIZE = 4,       // bytes that stay of a view
    PACKED_ALIGNMENT = 8 // what offsets keep their remainder of
};

// What the fields of a scene refer to.
typedef struct Uses {
    bool* accessors; // [accessor_count]
    bool* views;     // [buffer_view_count] also by accessors that nothing uses
} Uses;

static void use(bool* marks, int32_t count, int32_t index)
{
    if (index >= 0 && index < count) {
        marks[index] = true;
    }
}

static void use_attributes(const GtScene* scene, const GtAttribute* attributes, int32_t count, Uses* out)
{
    for (int32_t i = 0; i < count; ++i) {
        use(out->accessors, scene->accessor_count, attributes[i].accessor);
    }
}

static void use_mesh(const GtScene* scene, const GtMesh* mesh, Uses* out)
{
    for (int32_t p = 0; p < mesh->primitive_count; ++p) {
        const GtPrimitive* primitive = &mesh->primitives[p];
        use(out->accessors, scene->accessor_count, primitive->indices);
        use_attributes(scene, primitive->attributes, primitive->attribute_count, out);
        for (int32_t t = 0; t < mesh->target_count; ++t) {
            use_attributes(scene, primitive->targets[t].attributes, primitive->targets[t].attribute_count, out);
        }
    }
}

static void use_animation(const GtScene* scene, const GtAnimation* animation, Uses* out)
{
    for (int32_t s = 0; s < animation->sampler_count; ++s) {
        use(out->accessors, scene->accessor_count, animation->samplers[s].input);
        use(out->accessors, scene->accessor_count, animation->samplers[s].output);
    }
    if (animation->harmonic) {
        use(out->views, scene->buffer_view_count, animation->harmonic->view);
    }
}

static void use_views(const GtScene* scene, Uses* out)
{
    for (int32_t i = 0; i < scene->accessor_count; ++i) {
        const GtAccessor* accessor = &scene->accessors[i];
        use(out->views, scene->buffer_view_count, accessor->view);
        if (accessor->sparse) {
            use(out->views, scene->buffer_view_count, accessor->sparse->indices_view);
            use(out->views, scene->buffer_view_count, accessor->sparse->values_view);
        }
    }
    for (int32_t i = 0; i < scene->image_count; ++i) {
        use(out->views, scene->buffer_view_count, scene->images[i].view);
    }
}

static GtResult find_uses(const GtScene* scene, GtArena* arena, Uses* out, GtError* error)
{
    out->accessors = gt_arena_push_array(arena, (size_t)scene->accessor_count, sizeof *out->accessors);
    out->views = gt_arena_push_array(arena, (size_t)scene->buffer_view_count, sizeof *out->views);
    if (!out->accessors || !out->views) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < scene->mesh_count; ++i) {
        use_mesh(scene, &scene->meshes[i], out);
    }
    for (int32_t i = 0; i < scene->skin_count; ++i) {
        use(out->accessors, scene->accessor_count, scene->skins[i].inverse_bind);
    }
    for (int32_t i = 0; i < scene->animation_count; ++i) {
        use_animation(scene, &scene->animations[i], out);
    }
    return GT_OK;
}

GtResult gti_scene_used_bytes(const GtScene* scene, GtAllocator allocator, uint64_t* out, GtError* error)
{
    GtArena arena = gt_arena_create(allocator);
    Uses uses = { NULL, NULL };
    GtResult result = find_uses(scene, &arena, &uses, error);
    *out = 0;
    for (int32_t i = 0; result == GT_OK && i < scene->accessor_count; ++i) {
        const GtAccessor* accessor = &scene->accessors[i];
        if (uses.accessors[i]) {
            *out += accessor->count * (uint64_t)gt_element_size(accessor->element_type, accessor->component_type);
        }
    }
    for (int32_t i = 0; result == GT_OK && i < scene->image_count; ++i) {
        int32_t view = scene->images[i].view;
        *out += view != GT_NONE ? scene->buffer_views[view].size : 0;
    }
    gt_arena_destroy(&arena);
    return result;
}

static void prune_accessors(GtScene* scene, const GtScene* before, const Uses* was, const Uses* is)
{
    for (int32_t i = 0; i < before->accessor_count; ++i) {
        if (was->accessors[i] && !is->accessors[i]) {
            GtAccessor* accessor = &scene->accessors[i];
            accessor->view = GT_NONE;
            accessor->offset = 0;
            accessor->sparse = NULL;
            accessor->min = accessor->max = NULL;
        }
    }
    while (scene->accessor_count > 0) {
        const GtAccessor* last = &scene->accessors[scene->accessor_count - 1];
        if (is->accessors[scene->accessor_count - 1] || last->view != GT_NONE || last->sparse) {
            break;
        }
        --scene->accessor_count;
    }
}

// packs: [buffer_count] receives which buffers have bytes that are no longer used
static void prune_views(GtScene* scene, const GtScene* before, const Uses* was, const Uses* is, bool* packs)
{
    for (int32_t i = 0; i < before->buffer_view_count; ++i) {
        GtBufferView* view = &scene->buffer_views[i];
        if (was->views[i] && !is->views[i]) {
            packs[view->buffer] = true;
            view->size = view->size < STUB_SIZE ? view->size : STUB_SIZE;
            view->stride = 0;
            view->target = 0;
        }
    }
    while (scene->buffer_view_count > 0) {
        const GtBufferView* last = &scene->buffer_views[scene->buffer_view_count - 1];
        if (is->views[scene->buffer_view_count - 1] || last->size > STUB_SIZE || last->extra.extensions) {
            break;
        }
        packs[last->buffer] = true;
        --scene->buffer_view_count;
    }
}

static int compare_views(const void* a, const void* b)
{
    const GtBufferView* x = *(GtBufferView* const*)a;
    const GtBufferView* y = *(GtBufferView* const*)b;
    return x->offset != y->offset ? (x->offset > y->offset) - (x->offset < y->offset) : (x > y) - (x < y);
}

// Where views that begin in order go to, those that overlap together; the bytes go along where `to` is not NULL.
// returns: the size of all
static uint64_t pack_views(GtBufferView** views, size_t count, const uint8_t* from, uint8_t* to)
{
    uint64_t size = 0;
    for (size_t i = 0, first = 0; i < count; first = i) {
        uint64_t start = views[i]->offset;
        uint64_t end = start;
        uint64_t place = size + (start - size) % PACKED_ALIGNMENT;
        for (; i < count && (i == first || views[i]->offset < end); ++i) {
            uint64_t view_end = views[i]->offset + views[i]->size;
            end = view_end > end ? view_end : end;
            if (to) {
                views[i]->offset = views[i]->offset - start + place;
            }
        }
        if (to && end > start) {
            memset(to + size, 0, (size_t)(place - size));
            memcpy(to + place, from + start, (size_t)(end - start));
        }
        size = place + (end - start);
    }
    return size;
}

// Pack a buffer's bytes without those that no view has, unless an extension may have them.
// views: room for all
static GtResult pack_buffer(GtScene* scene, int32_t index, GtBufferView** views, GtError* error)
{
    GtBuffer* buffer = &scene->buffers[index];
    size_t count = 0;
    for (int32_t i = 0; i < scene->buffer_view_count; ++i) {
        if (scene->buffer_views[i].buffer == index) {
            if (scene->buffer_views[i].extra.extensions) {
                return GT_OK;
            }
            views[count++] = &scene->buffer_views[i];
        }
    }
    if (!buffer->blob || buffer->extra.extensions) {
        return GT_OK;
    }
    qsort(views, count, sizeof *views, compare_views);
    uint8_t* bytes = NULL;
    GtBlob* packed = gt_blob_create(gti_scene_allocator(scene), (size_t)pack_views(views, count, NULL, NULL), &bytes);
    if (!packed) {
        return gti_out_of_memory(error);
    }
    pack_views(views, count, gt_blob_bytes(buffer->blob), bytes);
    gt_blob_release(buffer->blob);
    buffer->blob = packed;
    return GT_OK;
}

static void cut_buffers(GtScene* scene, const bool* packs)
{
    int32_t used = 0;
    for (int32_t i = 0; i < scene->buffer_view_count; ++i) {
        used = scene->buffer_views[i].buffer >= used ? scene->buffer_views[i].buffer + 1 : used;
    }
    while (scene->buffer_count > used && packs[scene->buffer_count - 1]) {
        gt_blob_release(scene->buffers[--scene->buffer_count].blob);
    }
}

static GtResult prune(GtScene* scene, const GtScene* before, GtArena* arena, GtError* error)
{
    Uses was;
    Uses is;
    bool* packs = gt_arena_push_array(arena, (size_t)scene->buffer_count, sizeof *packs);
    GtBufferView** views = gt_arena_push_array(arena, (size_t)scene->buffer_view_count, sizeof *views);
    GtResult result = packs && views ? find_uses(before, arena, &was, error) : gti_out_of_memory(error);
    if (result == GT_OK) {
        result = find_uses(scene, arena, &is, error);
    }
    if (result != GT_OK) {
        return result;
    }
    prune_accessors(scene, before, &was, &is);
    use_views(before, &was);
    use_views(scene, &is);
    prune_views(scene, before, &was, &is, packs);
    for (int32_t i = 0; i < scene->buffer_count && result == GT_OK; ++i) {
        if (packs[i]) {
            result = pack_buffer(scene, i, views, error);
        }
    }
    cut_buffers(scene, packs);
    return result;
}

GtResult gt_scene_prune(GtScene* scene, const GtScene* before, GtError* error)
{
    GT_ASSERT(scene->accessor_count >= before->accessor_count && scene->buffer_view_count >= before->buffer_view_count);
    GtArena arena = gt_arena_create(gti_scene_allocator(scene));
    GtResult result = prune(scene, before, &arena, error);
    gt_arena_destroy(&arena);
    return result;
}

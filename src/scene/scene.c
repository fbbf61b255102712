// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A scene's life: creating, copying, appending. Nested data lies in the arena of a storage that is counted by
// reference; a copy has a storage of its own that holds on to the one it was copied from, so that names, children and
// primitives are shared, while the top-level arrays are its own and may grow.

#include "gertie/scene.h"

#include "base/fail.h"
#include "base/memory.h"
#include "scene/storage.h"

#include <stdatomic.h>
#include <string.h>

// Top-level arrays, in the order in which their capacities are kept.
enum {
    NODES,
    MESHES,
    SKINS,
    ANIMATIONS,
    MATERIALS,
    TEXTURES,
    SAMPLERS,
    IMAGES,
    CAMERAS,
    ACCESSORS,
    BUFFER_VIEWS,
    BUFFERS,
    STAGES,
    EXTENSIONS_USED,
    EXTENSIONS_REQUIRED,
    ARRAY_COUNT
};

struct GtSceneStorage {
    _Atomic int64_t references;
    GtArena arena;
    GtSceneStorage* source; // what this one shares data with, or NULL
    int32_t capacities[ARRAY_COUNT];
};

// Where a top-level array is in the GtScene.
typedef struct ArrayPlace {
    size_t items;
    size_t count;
    size_t item_size;
} ArrayPlace;

static const ArrayPlace places[ARRAY_COUNT] = {
    [NODES] = { offsetof(GtScene, nodes), offsetof(GtScene, node_count), sizeof(GtNode) },
    [MESHES] = { offsetof(GtScene, meshes), offsetof(GtScene, mesh_count), sizeof(GtMesh) },
    [SKINS] = { offsetof(GtScene, skins), offsetof(GtScene, skin_count), sizeof(GtSkin) },
    [ANIMATIONS] = { offsetof(GtScene, animations), offsetof(GtScene, animation_count), sizeof(GtAnimation) },
    [MATERIALS] = { offsetof(GtScene, materials), offsetof(GtScene, material_count), sizeof(GtMaterial) },
    [TEXTURES] = { offsetof(GtScene, textures), offsetof(GtScene, texture_count), sizeof(GtTexture) },
    [SAMPLERS] = { offsetof(GtScene, samplers), offsetof(GtScene, sampler_count), sizeof(GtSampler) },
    [IMAGES] = { offsetof(GtScene, images), offsetof(GtScene, image_count), sizeof(GtImage) },
    [CAMERAS] = { offsetof(GtScene, cameras), offsetof(GtScene, camera_count), sizeof(GtCamera) },
    [ACCESSORS] = { offsetof(GtScene, accessors), offsetof(GtScene, accessor_count), sizeof(GtAccessor) },
    [BUFFER_VIEWS] = { offsetof(GtScene, buffer_views), offsetof(GtScene, buffer_view_count), sizeof(GtBufferView) },
    [BUFFERS] = { offsetof(GtScene, buffers), offsetof(GtScene, buffer_count), sizeof(GtBuffer) },
    [STAGES] = { offsetof(GtScene, stages), offsetof(GtScene, stage_count), sizeof(GtStage) },
    [EXTENSIONS_USED] = { offsetof(GtScene, extensions_used), offsetof(GtScene, extension_used_count), sizeof(char*) },
    [EXTENSIONS_REQUIRED] = { offsetof(GtScene, extensions_required), offsetof(GtScene, extension_required_count),
                              sizeof(char*) },
};

static void* get_items(const GtScene* scene, int which)
{
    void* items;
    memcpy(&items, (const char*)scene + places[which].items, sizeof items);
    return items;
}

static void set_items(GtScene* scene, int which, void* items)
{
    memcpy((char*)scene + places[which].items, &items, sizeof items);
}

static int32_t* count_of(GtScene* scene, int which)
{
    return (int32_t*)((char*)scene + places[which].count);
}

static GtSceneStorage* storage_create(GtAllocator allocator)
{
    GtSceneStorage* storage = allocator.allocate(allocator.user, sizeof *storage);
    if (storage) {
        memset(storage, 0, sizeof *storage);
        atomic_init(&storage->references, 1);
        storage->arena = gt_arena_create(allocator);
    }
    return storage;
}

// A chain of copies is let go in a loop: an undo history may be long.
static void storage_release(GtSceneStorage* storage)
{
    while (storage && atomic_fetch_sub_explicit(&storage->references, 1, memory_order_acq_rel) == 1) {
        GtSceneStorage* source = storage->source;
        gti_arena_destroy_owner(&storage->arena, storage);
        storage = source;
    }
}

GtNode gt_default_node(void)
{
    return (GtNode){
        .parent = GT_NONE,
        .mesh = GT_NONE,
        .skin = GT_NONE,
        .camera = GT_NONE,
        .local = gt_transform_identity(),
    };
}

GtMaterial gt_default_material(void)
{
    GtTextureRef none = { .texture = GT_NONE, .scale = 1.0f };
    return (GtMaterial){
        .has_pbr = true,
        .base_color = { 1.0f, 1.0f, 1.0f, 1.0f },
        .base_color_texture = none,
        .metallic = 1.0f,
        .roughness = 1.0f,
        .metallic_roughness_texture = none,
        .normal_texture = none,
        .occlusion_texture = none,
        .emissive_texture = none,
        .alpha_cutoff = 0.5f,
    };
}

GtResult gt_scene_create(const GtContext* context, GtScene** out, GtError* error)
{
    *out = NULL;
    GtAllocator allocator = context->allocator;
    GtSceneStorage* storage = storage_create(allocator);
    GtScene* scene = storage ? allocator.allocate(allocator.user, sizeof *scene) : NULL;
    if (!scene) {
        storage_release(storage);
        return gti_out_of_memory(error);
    }
    memset(scene, 0, sizeof *scene);
    scene->source.metres_per_unit = 1.0;
    scene->default_stage = GT_NONE;
    scene->storage = storage;
    *out = scene;
    return GT_OK;
}

GtResult gt_scene_copy(const GtContext* context, const GtScene* source, GtScene** out, GtError* error)
{
    GtResult result = gt_scene_create(context, out, error);
    if (result != GT_OK) {
        return result;
    }
    GtScene* scene = *out;
    GtSceneStorage* storage = scene->storage;
    atomic_fetch_add_explicit(&source->storage->references, 1, memory_order_relaxed);
    storage->source = source->storage;
    *scene = *source;
    scene->pack = NULL;
    scene->storage = storage;
    for (int32_t i = 0; i < scene->buffer_count; ++i) {
        gt_blob_retain(source->buffers[i].blob);
    }
    for (int which = 0; which < ARRAY_COUNT; ++which) {
        int32_t count = *count_of(scene, which);
        void* items = gt_scene_push(scene, (size_t)count, places[which].item_size);
        if (!items) {
            gt_scene_destroy(scene);
            *out = NULL;
            return gti_out_of_memory(error);
        }
        if (count) {
            memcpy(items, get_items(source, which), (size_t)count * places[which].item_size);
        }
        set_items(scene, which, items);
        storage->capacities[which] = count;
    }
    for (int32_t i = 0; i < scene->node_count; ++i) {
        scene->nodes[i].child_capacity = 0;
    }
    return GT_OK;
}

void gt_scene_destroy(GtScene* scene)
{
    if (!scene) {
        return;
    }
    for (int32_t i = 0; i < scene->buffer_count; ++i) {
        gt_blob_release(scene->buffers[i].blob);
    }
    gt_blob_release(scene->pack);
    GtSceneStorage* storage = scene->storage;
    GtAllocator allocator = storage->arena.allocator;
    allocator.release(allocator.user, scene);
    storage_release(storage);
}

void* gt_scene_push(GtScene* scene, size_t count, size_t size)
{
    return gt_arena_push_array(&scene->storage->arena, count, size);
}

const char* gt_scene_push_text(GtScene* scene, const char* text, size_t length)
{
    return gt_arena_push_text(&scene->storage->arena, text, length);
}

static GtResult append(GtScene* scene, int which, const void* item, int32_t* index, GtError* error)
{
    size_t item_size = places[which].item_size;
    int32_t* capacity = &scene->storage->capacities[which];
    int32_t* count = count_of(scene, which);
    if (*count == INT32_MAX) {
        return gti_fail(error, GT_ERROR_LIMIT, "a scene holds at most %d items of a kind", INT32_MAX);
    }
    if (*count >= *capacity) {
        int32_t wanted = *count < 8 ? 16 : *count > INT32_MAX / 2 ? INT32_MAX : *count * 2;
        void* grown = gt_scene_push(scene, (size_t)wanted, item_size);
        if (!grown) {
            return gti_out_of_memory(error);
        }
        if (*count) {
            memcpy(grown, get_items(scene, which), (size_t)*count * item_size);
        }
        set_items(scene, which, grown);
        *capacity = wanted;
    }
    memcpy((char*)get_items(scene, which) + (size_t)*count * item_size, item, item_size);
    if (index) {
        *index = *count;
    }
    ++*count;
    return GT_OK;
}

static GtResult add_child(GtScene* scene, int32_t parent, int32_t child, GtError* error)
{
    GtNode* node = &scene->nodes[parent];
    if (node->child_count >= node->child_capacity) {
        int32_t capacity = node->child_count < 4 ? 4 : node->child_count * 2;
        int32_t* grown = gt_scene_push(scene, (size_t)capacity, sizeof *grown);
        if (!grown) {
            return gti_out_of_memory(error);
        }
        if (node->child_count) {
            memcpy(grown, node->children, (size_t)node->child_count * sizeof *grown);
        }
        node->children = grown;
        node->child_capacity = capacity;
    }
    ((int32_t*)node->children)[node->child_count++] = child; // ours alone: within child_capacity
    return GT_OK;
}

GtResult gt_scene_add_node(GtScene* scene, const GtNode* node, int32_t* index, GtError* error)
{
    GT_ASSERT(node->parent >= GT_NONE && node->parent < scene->node_count);
    int32_t added = GT_NONE;
    GtResult result = append(scene, NODES, node, &added, error);
    if (result != GT_OK) {
        return result;
    }
    scene->nodes[added].child_capacity = 0;
    if (node->parent != GT_NONE) {
        result = add_child(scene, node->parent, added, error);
        if (result != GT_OK) {
            --scene->node_count;
            return result;
        }
    }
    if (index) {
        *index = added;
    }
    return GT_OK;
}

GtResult gt_scene_add_mesh(GtScene* scene, const GtMesh* mesh, int32_t* index, GtError* error)
{
    return append(scene, MESHES, mesh, index, error);
}

GtResult gt_scene_add_skin(GtScene* scene, const GtSkin* skin, int32_t* index, GtError* error)
{
    return append(scene, SKINS, skin, index, error);
}

GtResult gt_scene_add_animation(GtScene* scene, const GtAnimation* animation, int32_t* index, GtError* error)
{
    return append(scene, ANIMATIONS, animation, index, error);
}

GtResult gt_scene_add_material(GtScene* scene, const GtMaterial* material, int32_t* index, GtError* error)
{
    return append(scene, MATERIALS, material, index, error);
}

GtResult gt_scene_add_texture(GtScene* scene, const GtTexture* texture, int32_t* index, GtError* error)
{
    return append(scene, TEXTURES, texture, index, error);
}

GtResult gt_scene_add_sampler(GtScene* scene, const GtSampler* sampler, int32_t* index, GtError* error)
{
    return append(scene, SAMPLERS, sampler, index, error);
}

GtResult gt_scene_add_image(GtScene* scene, const GtImage* image, int32_t* index, GtError* error)
{
    return append(scene, IMAGES, image, index, error);
}

GtResult gt_scene_add_camera(GtScene* scene, const GtCamera* camera, int32_t* index, GtError* error)
{
    return append(scene, CAMERAS, camera, index, error);
}

GtResult gt_scene_add_accessor(GtScene* scene, const GtAccessor* accessor, int32_t* index, GtError* error)
{
    return append(scene, ACCESSORS, accessor, index, error);
}

GtResult gt_scene_add_buffer_view(GtScene* scene, const GtBufferView* view, int32_t* index, GtError* error)
{
    return append(scene, BUFFER_VIEWS, view, index, error);
}

GtResult gt_scene_add_buffer(GtScene* scene, const GtBuffer* buffer, int32_t* index, GtError* error)
{
    GtResult result = append(scene, BUFFERS, buffer, index, error);
    if (result != GT_OK) {
        gt_blob_release(buffer->blob);
    }
    return result;
}

GtResult gt_scene_add_stage(GtScene* scene, const GtStage* stage, int32_t* index, GtError* error)
{
    return append(scene, STAGES, stage, index, error);
}

static GtResult add_name_once(GtScene* scene, int which, const char* name, GtError* error)
{
    const char** names = get_items(scene, which);
    for (int32_t i = 0; i < *count_of(scene, which); ++i) {
        if (strcmp(names[i], name) == 0) {
            return GT_OK;
        }
    }
    const char* copy = gt_scene_push_text(scene, name, strlen(name));
    return copy ? append(scene, which, &copy, NULL, error) : gti_out_of_memory(error);
}

GtResult gt_scene_add_extension(GtScene* scene, const char* name, bool required, GtError* error)
{
    GtResult result = add_name_once(scene, EXTENSIONS_USED, name, error);
    return result == GT_OK && required ? add_name_once(scene, EXTENSIONS_REQUIRED, name, error) : result;
}

GtAllocator gti_scene_allocator(const GtScene* scene)
{
    return scene->storage->arena.allocator;
}

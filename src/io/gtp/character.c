// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What plays a scene that was read from a pack. The character is a copy whose meshes know where they are in the scene.

#include "io/gtp/gtp.h"

#include "base/fail.h"
#include "runtime/clip/clip.h"

#include <string.h>

static bool is_same_stack(const GtMeshDef* a, const GtMeshDef* b)
{
    bool same = a->deformer_count == b->deformer_count;
    for (int32_t i = 0; same && i < a->deformer_count; ++i) {
        same =
            a->deformers[i].kind == b->deformers[i].kind && a->deformers[i].skin_method == b->deformers[i].skin_method;
    }
    return same;
}

// Whether two neighbours are primitives of one mesh of a scene.
static bool share_mesh(const GtMeshDef* a, const GtMeshDef* b)
{
    return a->node == b->node && a->source_mesh == b->source_mesh && a->source_primitive != b->source_primitive &&
           a->skin == b->skin && a->morph_count == b->morph_count && a->first_weight == b->first_weight &&
           is_same_stack(a, b);
}

GtResult gti_packed_places(const GtContext* context, const GtCharacterDef* def, GtiPackedPlace* out, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    bool* has_mesh = gt_arena_push_array(&arena, (size_t)def->node_count, sizeof *has_mesh);
    GtiPackedPlace place = { GT_NONE, 0, true };
    for (int32_t i = 0; has_mesh && i < def->mesh_count; ++i) {
        const GtMeshDef* mesh = &def->meshes[i];
        if (i > 0 && share_mesh(mesh - 1, mesh)) {
            ++place.primitive;
        } else {
            place = (GtiPackedPlace){ place.mesh + 1, 0, !has_mesh[mesh->node] };
            has_mesh[mesh->node] = true;
        }
        out[i] = place;
    }
    gt_arena_destroy(&arena);
    return has_mesh ? GT_OK : gti_out_of_memory(error);
}

static GtResult open_pack(const GtContext* context, const GtScene* scene, GtPack** out, GtError* error)
{
    return gt_pack_open(context->allocator, gt_blob_bytes(scene->pack), gt_blob_size(scene->pack), out, error);
}

void gti_gtp_losses(const GtContext* context, const GtScene* scene, GtSaveLoss out[GTI_GTP_LOSS_COUNT])
{
    GtPack* pack = NULL;
    int32_t counts[GTI_GTP_LOSS_COUNT] = { 0 };
    if (scene->pack && open_pack(context, scene, &pack, NULL) == GT_OK) {
        const GtCharacterDef* def = gt_character_def(gt_pack_character(pack));
        counts[0] = def->section_count;
        counts[1] = gt_pack_drivers(pack) ? gt_drivers_def(gt_pack_drivers(pack))->track_count : 0;
        counts[2] = def->harmonic != NULL;
    }
    out[0] = (GtSaveLoss){ "section", "sections", counts[0] };
    out[1] = (GtSaveLoss){ "driver", "drivers", counts[1] };
    out[2] = (GtSaveLoss){ "harmonic skin", "harmonic skins", counts[2] };
    gt_pack_close(pack);
}

// Meshes and nodes as the scene numbers them, and with the method that the caller asks for.
static GtResult number_parts(const GtContext* context, const GtScene* scene, const GtBuildDef* build, GtArena* arena,
                             GtCharacterDef* def, GtError* error)
{
    size_t count = (size_t)def->mesh_count;
    GtMeshDef* meshes = gt_arena_push_array(arena, count, sizeof *meshes);
    GtiPackedPlace* places = gt_arena_push_array(arena, count, sizeof *places);
    int32_t* nodes = gt_arena_push_array(arena, (size_t)def->node_count, sizeof *nodes);
    GtDeformerData* forced = gt_arena_push_array(arena, 2, sizeof *forced);
    if (!meshes || !places || !nodes || !forced) {
        return gti_out_of_memory(error);
    }
    forced[0].kind = GT_DEFORMER_MORPH;
    forced[1] = (GtDeformerData){ GT_DEFORMER_SKIN, build->skin_method };
    GtResult result = gti_packed_places(context, def, places, error);
    for (int32_t i = 0; i < def->mesh_count && result == GT_OK; ++i) {
        meshes[i] = def->meshes[i];
        meshes[i].source_mesh = places[i].mesh;
        meshes[i].source_primitive = places[i].primitive;
        meshes[i].material = scene->meshes[places[i].mesh].primitives[places[i].primitive].material;
        if (build->force_skin_method && meshes[i].skin != GT_NONE) {
            meshes[i].deformers = forced;
            meshes[i].deformer_count = 2;
        }
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        nodes[i] = i;
    }
    def->meshes = meshes;
    def->source_nodes = nodes;
    return result;
}

static GtResult copy_character(const GtContext* context, const GtScene* scene, const GtBuildDef* build,
                               const GtPack* pack, GtCharacter** out, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    GtCharacterDef def = *gt_character_def(gt_pack_character(pack));
    GtResult result = number_parts(context, scene, build, &arena, &def, error);
    if (result == GT_OK) {
        result = gt_character_create(context->allocator, &def, out, error);
    }
    gt_arena_destroy(&arena);
    return result;
}

GtResult gti_packed_character(const GtContext* context, const GtScene* scene, const GtBuildDef* def,
                              GtCharacter** character, GtDrivers** drivers, GtError* error)
{
    *character = NULL;
    *drivers = NULL;
    GtPack* pack = NULL;
    GtResult result = open_pack(context, scene, &pack, error);
    if (result == GT_OK) {
        result = copy_character(context, scene, def, pack, character, error);
    }
    if (result == GT_OK && gt_pack_drivers(pack)) {
        GtDriversDef driven = *gt_drivers_def(gt_pack_drivers(pack));
        driven.character = *character;
        result = gt_drivers_create(context->allocator, &driven, drivers, error);
    }
    if (result != GT_OK) {
        gt_character_destroy(*character);
        *character = NULL;
    }
    gt_pack_close(pack);
    return result;
}

GtResult gti_packed_clip(const GtContext* context, const GtScene* scene, int32_t animation, GtClip** out,
                         GtError* error)
{
    *out = NULL;
    GtPack* pack = NULL;
    GtResult result = open_pack(context, scene, &pack, error);
    if (result == GT_OK && animation < gt_pack_clip_count(pack)) {
        const GtClip* clip = gt_pack_clip(pack, animation);
        GtClipDef def = { clip->name, clip->track_count, clip->tracks, clip->node_count, clip->weight_count };
        size_t size = 0;
        const void* bytes = gt_clip_bytes(clip, &size);
        result = bytes ? gt_clip_from_bytes(context->allocator, bytes, size, clip->name, out, error)
                       : gt_clip_create(context->allocator, &def, out, error);
    }
    gt_pack_close(pack);
    return result;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Opening packed characters; pack_format.h has the format. First the tables are checked against the bytes, then a def
// is put together whose arrays point into them, which goes through every check that any def goes through. What is wrong
// with a reference to an array or a text is remembered and said once its record has been read.

#include "gertie/pack.h"

#include "base/fail.h"
#include "runtime/character.h"
#include "runtime/clip/clip.h"
#include "runtime/pack/read.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(GtTransform) == 12 * sizeof(float) && sizeof(GtMat34) == 12 * sizeof(float) &&
                   sizeof(GtVec3) == 3 * sizeof(float) && sizeof(GtDeformerData) == 2 * sizeof(int32_t) &&
                   sizeof(GtHumanoidMap) == GT_HUMANOID_JOINT_COUNT * sizeof(int32_t),
               "arrays are stored as they are used");

struct GtPack {
    GtAllocator allocator;
    GtCharacter* character;
    GtDrivers* drivers; // or NULL
    int32_t clip_count;
    int32_t material_count;
    int32_t image_count;
    GtPackMaterial* materials; // [material_count] in this block, as are the images
    GtPackImage* images;       // [image_count]
    GtClip* clips[];           // [clip_count]
};

static GtResult read_nodes(GtiPackReader* r, GtCharacterDef* def, GtError* error)
{
    const GtiPackHead* head = r->head;
    int32_t count = (int32_t)head->node_count;
    def->node_count = count;
    def->parents = gti_pack_array(r, head->parents, GTI_PACK_NODES, 1, count);
    def->rest = gti_pack_array(r, head->rest, GTI_PACK_FLOATS, 12, count);
    def->source_nodes = gti_pack_array(r, head->source_nodes, GTI_PACK_NODES, 1, count);
    def->weight_count = (int32_t)head->weight_count;
    def->rest_weights = gti_pack_array(r, head->rest_weights, GTI_PACK_FLOATS, 1, def->weight_count);
    r->deformers = gti_pack_array(r, head->deformers, GTI_PACK_DEFORMERS, 2, (int32_t)head->deformer_count);
    def->humanoid = gti_pack_array(r, head->humanoid, GTI_PACK_NODES, 1, GT_HUMANOID_JOINT_COUNT);
    const uint32_t* places = gti_pack_array(r, head->names, GTI_PACK_TEXTS, 1, count);
    if (r->wrong || (!r->deformers && head->deformer_count)) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "packed character: %d nodes do not fit their arrays", (int)count);
    }
    if (places) {
        const char** names = gt_arena_push_array(&r->arena, (size_t)count, sizeof *names);
        if (!names) {
            return gti_out_of_memory(error);
        }
        for (int32_t i = 0; i < count; ++i) {
            names[i] = gti_pack_text(r, places[i]);
        }
        def->names = names;
    }
    return r->wrong ? gti_fail(error, GT_ERROR_BAD_FILE, "packed character: names of nodes are out of order") : GT_OK;
}

static GtResult read_skins(GtiPackReader* r, GtCharacterDef* def, GtError* error)
{
    def->skin_count = (int32_t)r->head->skin_count;
    GtSkinDef* skins = gt_arena_push_array(&r->arena, r->head->skin_count, sizeof *skins);
    if (!skins) {
        return gti_out_of_memory(error);
    }
    int32_t last_array = GT_NONE;
    for (int32_t i = 0; i < def->skin_count; ++i) {
        int32_t count = r->skins[i].joint_count;
        r->wrong |= r->skins[i].joints <= last_array; // tables of a character grow with the joints of all skins
        last_array = r->skins[i].joints;
        skins[i] = (GtSkinDef){
            .joint_count = count,
            .joints = gti_pack_array(r, r->skins[i].joints, GTI_PACK_NODES, 1, count),
            .joint_from_mesh = gti_pack_array(r, r->skins[i].joint_from_mesh, GTI_PACK_FLOATS, 12, count),
        };
        if (r->wrong) {
            return gti_pack_misfit(error, "skin", i);
        }
    }
    def->skins = skins;
    return GT_OK;
}

// The next `count` morphs.
static const GtMorphDef* read_morphs(GtiPackReader* r, int32_t count)
{
    if (count < 0 || count > (int32_t)r->head->morph_count - r->morph_count) {
        r->wrong = true;
        return NULL;
    }
    GtMorphDef* morphs = &r->morph_defs[r->morph_count];
    for (int32_t i = 0; i < count; ++i) {
        const GtiPackMorph* from = &r->morphs[r->morph_count++];
        morphs[i] = (GtMorphDef){
            .name = gti_pack_text(r, from->name),
            .entry_count = from->entry_count,
            .vertices = gti_pack_array(r, from->vertices, GTI_PACK_VERTICES, 1, from->entry_count),
            .positions = gti_pack_array(r, from->positions, GTI_PACK_FLOATS, 3, from->entry_count),
            .normals = gti_pack_array(r, from->normals, GTI_PACK_FLOATS, 3, from->entry_count),
            .tangents = gti_pack_array(r, from->tangents, GTI_PACK_FLOATS, 3, from->entry_count),
            .texcoords = gti_pack_array(r, from->texcoords, GTI_PACK_FLOATS, 2, from->entry_count),
            .texcoords1 = gti_pack_array(r, from->texcoords1, GTI_PACK_FLOATS, 2, from->entry_count),
            .colors = gti_pack_array(r, from->colors, GTI_PACK_FLOATS, 4, from->entry_count),
        };
    }
    return count ? morphs : NULL;
}

static const GtDeformerData* read_deformers(GtiPackReader* r, int32_t count)
{
    if (count < 0 || count > (int32_t)r->head->deformer_count - r->deformer_count) {
        r->wrong = true;
        return NULL;
    }
    const GtDeformerData* deformers = count ? r->deformers + r->deformer_count : NULL;
    r->deformer_count += count;
    return deformers;
}

// The next `count` binds. Each has vertices of its own: tables of a character grow with those of all binds.
static const GtSectionBindDef* read_binds(GtiPackReader* r, int32_t count)
{
    if (count < 0 || count > (int32_t)r->head->bind_count - r->bind_count) {
        r->wrong = true;
        return NULL;
    }
    GtSectionBindDef* binds = &r->bind_defs[r->bind_count];
    for (int32_t i = 0; i < count; ++i) {
        const GtiPackBind* from = &r->binds[r->bind_count++];
        r->wrong |= from->entry_count && from->vertices <= r->last_bind_array;
        r->last_bind_array = from->entry_count ? from->vertices : r->last_bind_array;
        binds[i] = (GtSectionBindDef){
            .section = from->section,
            .entry_count = from->entry_count,
            .vertices = gti_pack_array(r, from->vertices, GTI_PACK_VERTICES, 1, from->entry_count),
            .masks = gti_pack_array(r, from->masks, GTI_PACK_FLOATS, 1, from->entry_count),
            .mask_gradients = gti_pack_array(r, from->gradients, GTI_PACK_FLOATS, 3, from->entry_count),
        };
    }
    return count ? binds : NULL;
}

static GtMeshDef read_mesh(GtiPackReader* r, const GtiPackMesh* from)
{
    int32_t count = from->vertex_count;
    return (GtMeshDef){
        .name = gti_pack_text(r, from->name),
        .node = from->node,
        .source_mesh = from->source_mesh,
        .source_primitive = from->source_primitive,
        .material = from->material,
        .vertex_count = count,
        .positions = gti_pack_array(r, from->positions, GTI_PACK_FLOATS, 3, count),
        .normals = gti_pack_array(r, from->normals, GTI_PACK_FLOATS, 3, count),
        .tangents = gti_pack_array(r, from->tangents, GTI_PACK_FLOATS, 4, count),
        .texcoords = gti_pack_array(r, from->texcoords, GTI_PACK_FLOATS, 2, count),
        .texcoords1 = gti_pack_array(r, from->texcoords1, GTI_PACK_FLOATS, 2, count),
        .colors = gti_pack_array(r, from->colors, GTI_PACK_FLOATS, 4, count),
        .index_count = from->index_count,
        .indices = gti_pack_array(r, from->indices, GTI_PACK_CORNERS, 1, from->index_count),
        .first_weight = from->first_weight,
        .morph_count = from->morph_count,
        .skin = from->skin,
        .influence_count = from->influence_count,
        .joints = gti_pack_array(r, from->joints, GTI_PACK_JOINTS, from->influence_count, count),
        .weights = gti_pack_array(r, from->weights, GTI_PACK_WEIGHTS, from->influence_count, count),
        .deformer_count = from->deformer_count,
        .section_bind_count = from->bind_count,
    };
}

static GtResult read_meshes(GtiPackReader* r, GtCharacterDef* def, GtError* error)
{
    def->mesh_count = (int32_t)r->head->mesh_count;
    GtMeshDef* meshes = gt_arena_push_array(&r->arena, r->head->mesh_count, sizeof *meshes);
    r->morph_defs = gt_arena_push_array(&r->arena, r->head->morph_count, sizeof *r->morph_defs);
    r->bind_defs = gt_arena_push_array(&r->arena, r->head->bind_count, sizeof *r->bind_defs);
    if (!meshes || !r->morph_defs || !r->bind_defs) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        meshes[i] = read_mesh(r, &r->meshes[i]);
        r->wrong |= r->head->material_count && meshes[i].material >= (int32_t)r->head->material_count;
        if (r->wrong) {
            return gti_pack_misfit(error, "mesh", i);
        }
    }
    for (int32_t i = 0; i < def->mesh_count; ++i) { // after all meshes, as their names are
        meshes[i].morphs = read_morphs(r, meshes[i].morph_count);
        meshes[i].deformers = read_deformers(r, meshes[i].deformer_count);
        meshes[i].section_binds = read_binds(r, meshes[i].section_bind_count);
        if (r->wrong) {
            return gti_pack_misfit(error, "a morph, deformer or bind of mesh", i);
        }
    }
    def->meshes = meshes;
    return GT_OK;
}

static GtSectionDef read_section(GtiPackReader* r, const GtiPackSection* from)
{
    GtSectionDef section = {
        .name = gti_pack_text(r, from->name),
        .node = from->node,
        .rest_blend = from->rest_blend,
        .border = from->border,
        .lattice = { .basis = (GtLatticeBasis)from->basis },
        .pose_count = from->pose_count,
    };
    int32_t point_count = 1;
    for (int i = 0; i < 3; ++i) {
        r->wrong |= from->counts[i] < 2 || from->counts[i] > GT_LATTICE_MAX_SIDE;
        section.lattice.counts[i] = from->counts[i];
        point_count *= r->wrong ? 0 : from->counts[i];
    }
    memcpy(section.lattice.space_from_box.m, from->space_from_box, sizeof from->space_from_box);
    section.lattice.weights = gti_pack_array(r, from->weights, GTI_PACK_FLOATS, 1, point_count);
    return section;
}

// Sections, and after them the poses of all.
static GtResult read_sections(GtiPackReader* r, GtCharacterDef* def, GtError* error)
{
    def->section_count = (int32_t)r->head->section_count;
    GtSectionDef* sections = gt_arena_push_array(&r->arena, r->head->section_count, sizeof *sections);
    GtLatticePose* poses = gt_arena_push_array(&r->arena, r->head->pose_count, sizeof *poses);
    if (!sections || !poses) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < def->section_count; ++i) {
        sections[i] = read_section(r, &r->sections[i]);
        if (r->wrong) {
            return gti_pack_misfit(error, "section", i);
        }
    }
    int32_t pose_count = 0;
    for (int32_t i = 0; i < def->section_count; ++i) {
        int32_t count = sections[i].pose_count;
        if (count < 0 || count > (int32_t)r->head->pose_count - pose_count) {
            return gti_pack_misfit(error, "section", i);
        }
        sections[i].poses = count ? &poses[pose_count] : NULL;
        for (int32_t k = 0; k < count; ++k, ++pose_count) {
            const GtiPackPose* from = &r->poses[pose_count];
            int32_t point_count = gt_lattice_point_count(&sections[i].lattice);
            poses[pose_count].name = gti_pack_text(r, from->name);
            poses[pose_count].offsets = gti_pack_array(r, from->offsets, GTI_PACK_FLOATS, 3, point_count);
        }
        if (r->wrong) {
            return gti_pack_misfit(error, "a pose of section", i);
        }
    }
    def->sections = sections;
    return GT_OK;
}

static GtResult read_character(GtiPackReader* r, GtPack* pack, GtError* error)
{
    GtCharacterDef def = gt_default_character_def();
    GtResult result = read_nodes(r, &def, error);
    result = result == GT_OK ? read_skins(r, &def, error) : result;
    result = result == GT_OK ? read_meshes(r, &def, error) : result;
    result = result == GT_OK ? read_sections(r, &def, error) : result;
    result = result == GT_OK ? gti_pack_read_harmonic(r, &def, error) : result;
    return result == GT_OK
               ? gti_character_create_over(pack->allocator, &def, (GtiLasting){ r->head, (size_t)r->head->size },
                                           &pack->character, error)
               : result;
}

static GtTrackDef read_track(GtiPackReader* r, const GtiPackedTrack* from)
{
    int64_t parts = from->interpolation == GT_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    int64_t most = INT32_MAX / (from->component_count > 0 ? parts * from->component_count : INT32_MAX);
    r->wrong |= from->component_count < 1 || from->key_count < 1 || from->key_count > most;
    int32_t value_count = r->wrong ? 0 : (int32_t)(parts * from->component_count * from->key_count);
    return (GtTrackDef){
        .kind = (GtTrackKind)from->kind,
        .target = from->target,
        .component_count = from->component_count,
        .interpolation = (GtInterpolation)from->interpolation,
        .key_count = from->key_count,
        .times_s = gti_pack_array(r, from->times, GTI_PACK_FLOATS, 1, from->key_count),
        .values = gti_pack_array(r, from->values, GTI_PACK_FLOATS, 1, value_count),
    };
}

// The next tracks are those of a clip with its keys. Arrays come after those of the clip before, so that none is
// checked twice.
static GtResult read_keys(GtiPackReader* r, int32_t index, const char* name, int32_t* last_array, GtPack* pack,
                          GtError* error)
{
    int32_t count = r->clips[index].track_count;
    if (count < 0 || count > (int32_t)r->head->track_count - r->track_count) {
        return gti_pack_misfit(error, "clip", index);
    }
    GtTrackDef* tracks = gt_arena_push_array(&r->arena, (size_t)count, sizeof *tracks);
    if (!tracks) {
        return gti_out_of_memory(error);
    }
    int32_t before = *last_array;
    for (int32_t i = 0; i < count; ++i) {
        const GtiPackedTrack* from = &r->tracks[r->track_count++];
        tracks[i] = read_track(r, from);
        r->wrong |= from->times <= before || from->values <= before;
        *last_array = from->times > *last_array ? from->times : *last_array;
        *last_array = from->values > *last_array ? from->values : *last_array;
    }
    GtClipDef def = { name, count, tracks, (int32_t)r->head->node_count, (int32_t)r->head->weight_count };
    return r->wrong ? gti_pack_misfit(error, "clip", index)
                    : gti_clip_create_over(pack->allocator, &def, &(GtiLasting){ r->head, (size_t)r->head->size }, 1,
                                           &pack->clips[index], error);
}

static GtResult read_clip(GtiPackReader* r, int32_t index, int32_t* last_array, GtPack* pack, GtError* error)
{
    const GtiPackClip* from = &r->clips[index];
    const char* name = gti_pack_text(r, from->name);
    if (!r->wrong && from->bytes == GT_NONE) {
        return read_keys(r, index, name, last_array, pack, error);
    }
    if (r->wrong || from->track_count || from->bytes <= *last_array || from->bytes >= (int32_t)r->head->array_count ||
        r->arrays[from->bytes].kind != GTI_PACK_CLIP || r->arrays[from->bytes].width != 1) {
        return gti_pack_misfit(error, "clip", index);
    }
    const GtiPackArray* array = &r->arrays[from->bytes];
    *last_array = from->bytes;
    const GtiPackedHead* bytes = (const GtiPackedHead*)((const char*)r->head + array->offset);
    GtResult result = gti_packed_check(bytes, (size_t)array->count, error);
    if (result == GT_OK && (bytes->node_count != r->head->node_count || bytes->weight_count != r->head->weight_count)) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "packed character: clip %d is for %u nodes and %u weights", index,
                        bytes->node_count, bytes->weight_count);
    }
    return result == GT_OK ? gti_clip_of_bytes(pack->allocator, bytes, name, &pack->clips[index], error) : result;
}

static GtPackTexture read_texture(GtiPackReader* r, const GtiPackTexture* from)
{
    r->wrong |= from->image < GT_NONE || from->image >= (int32_t)r->head->image_count || !isfinite(from->scale);
    return (GtPackTexture){ from->image, from->texcoord, from->scale, from->wrap_s, from->wrap_t };
}

static GtPackMaterial read_material(GtiPackReader* r, const GtiPackMaterial* from)
{
    const float* n = from->numbers;
    for (size_t i = 0; i < sizeof from->numbers / sizeof *n; ++i) {
        r->wrong |= !isfinite(n[i]);
    }
    r->wrong |= from->alpha < 0 || from->alpha >= GT_PACK_ALPHA_COUNT || (from->double_sided | 1) != 1;
    return (GtPackMaterial){
        .name = gti_pack_text(r, from->name),
        .base_color = { n[0], n[1], n[2], n[3] },
        .metallic = n[4],
        .roughness = n[5],
        .emissive = { n[6], n[7], n[8] },
        .alpha_cutoff = n[9],
        .alpha = (GtPackAlpha)from->alpha,
        .double_sided = from->double_sided == 1,
        .base_color_texture = read_texture(r, &from->textures[0]),
        .metallic_roughness_texture = read_texture(r, &from->textures[1]),
        .normal_texture = read_texture(r, &from->textures[2]),
        .occlusion_texture = read_texture(r, &from->textures[3]),
        .emissive_texture = read_texture(r, &from->textures[4]),
    };
}

static GtPackImage read_image(GtiPackReader* r, const GtiPackImage* from)
{
    GtPackImage image = { .name = gti_pack_text(r, from->name) };
    image.mime_type = gti_pack_text(r, from->mime_type);
    image.size = from->size;
    image.bytes = gti_pack_array(r, from->bytes, GTI_PACK_BYTES, 1, from->size);
    r->wrong |= !image.bytes && from->size != 0;
    return image;
}

static GtResult read_looks(GtiPackReader* r, GtPack* pack, GtError* error)
{
    for (int32_t i = 0; i < pack->material_count; ++i) {
        pack->materials[i] = read_material(r, &r->materials[i]);
        if (r->wrong) {
            return gti_pack_misfit(error, "material", i);
        }
    }
    for (int32_t i = 0; i < pack->image_count; ++i) {
        pack->images[i] = read_image(r, &r->images[i]);
        if (r->wrong) {
            return gti_pack_misfit(error, "image", i);
        }
    }
    return GT_OK;
}

static GtResult read_all(GtiPackReader* r, GtPack* pack, GtError* error)
{
    GtResult result = read_character(r, pack, error);
    int32_t last_array = GT_NONE;
    for (int32_t i = 0; result == GT_OK && i < pack->clip_count; ++i) {
        result = read_clip(r, i, &last_array, pack, error);
    }
    result = result == GT_OK ? read_looks(r, pack, error) : result;
    return result == GT_OK ? gti_pack_read_drivers(r, pack->allocator, pack->character, &pack->drivers, error) : result;
}

// An empty one, with room for all that the head counts, which its bytes hold too.
static GtPack* create(GtAllocator allocator, const GtiPackHead* head)
{
    size_t clips = sizeof(GtPack);
    size_t materials = clips + head->clip_count * sizeof(GtClip*);
    size_t images = materials + head->material_count * sizeof(GtPackMaterial);
    size_t size = images + head->image_count * sizeof(GtPackImage);
    char* block = allocator.allocate(allocator.user, size);
    if (!block) {
        return NULL;
    }
    memset(block, 0, size);
    GtPack* pack = (GtPack*)block;
    pack->allocator = allocator;
    pack->clip_count = (int32_t)head->clip_count;
    pack->material_count = (int32_t)head->material_count;
    pack->image_count = (int32_t)head->image_count;
    pack->materials = (GtPackMaterial*)(block + materials);
    pack->images = (GtPackImage*)(block + images);
    return pack;
}

GtResult gt_pack_open(GtAllocator allocator, const void* bytes, size_t size, GtPack** out, GtError* error)
{
    *out = NULL;
    if ((uintptr_t)bytes % 16 != 0) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the bytes of a packed character must be aligned to 16");
    }
    const GtiPackHead* head = bytes;
    GtResult result = gti_pack_check_head(head, size, error);
    if (result != GT_OK) {
        return result;
    }
    const char* base = bytes;
    GtiPackPlaces places = gti_pack_places(head);
    GtiPackReader reader = {
        .head = head,
        .arrays = (const GtiPackArray*)(base + places.arrays),
        .skins = (const GtiPackSkin*)(base + places.skins),
        .meshes = (const GtiPackMesh*)(base + places.meshes),
        .morphs = (const GtiPackMorph*)(base + places.morphs),
        .sections = (const GtiPackSection*)(base + places.sections),
        .poses = (const GtiPackPose*)(base + places.poses),
        .binds = (const GtiPackBind*)(base + places.binds),
        .last_bind_array = GT_NONE,
        .clips = (const GtiPackClip*)(base + places.clips),
        .tracks = (const GtiPackedTrack*)(base + places.tracks),
        .materials = (const GtiPackMaterial*)(base + places.materials),
        .images = (const GtiPackImage*)(base + places.images),
        .values = (const GtiPackValue*)(base + places.values),
        .sensors = (const GtiPackSensor*)(base + places.sensors),
        .drivers = (const GtiPackDriver*)(base + places.drivers),
        .jiggles = (const GtiPackJiggle*)(base + places.jiggles),
        .harmonics = (const GtiPackHarmonic*)(base + places.harmonics),
        .text = base + places.text,
        .arena = gt_arena_create(allocator),
    };
    result = gti_pack_check_tables(&reader, places.end, error);
    if (result != GT_OK) {
        return result;
    }
    GtPack* pack = create(allocator, head);
    if (!pack) {
        return gti_out_of_memory(error);
    }
    result = read_all(&reader, pack, error);
    gt_arena_destroy(&reader.arena);
    if (result == GT_OK) {
        *out = pack;
    } else {
        gt_pack_close(pack);
    }
    return result;
}

void gt_pack_close(GtPack* pack)
{
    if (!pack) {
        return;
    }
    for (int32_t i = 0; i < pack->clip_count; ++i) {
        gt_clip_destroy(pack->clips[i]);
    }
    gt_drivers_destroy(pack->drivers);
    gt_character_destroy(pack->character);
    pack->allocator.release(pack->allocator.user, pack);
}

const GtCharacter* gt_pack_character(const GtPack* pack)
{
    return pack->character;
}

const GtDrivers* gt_pack_drivers(const GtPack* pack)
{
    return pack->drivers;
}

int32_t gt_pack_clip_count(const GtPack* pack)
{
    return pack->clip_count;
}

const GtClip* gt_pack_clip(const GtPack* pack, int32_t clip)
{
    GT_ASSERT(clip >= 0 && clip < pack->clip_count);
    return pack->clips[clip];
}

const GtClip* gt_pack_find_clip(const GtPack* pack, const char* name)
{
    for (int32_t i = 0; i < pack->clip_count; ++i) {
        const char* own = gt_clip_name(pack->clips[i]);
        if (own && strcmp(own, name) == 0) {
            return pack->clips[i];
        }
    }
    return NULL;
}

int32_t gt_pack_material_count(const GtPack* pack)
{
    return pack->material_count;
}

const GtPackMaterial* gt_pack_material(const GtPack* pack, int32_t material)
{
    GT_ASSERT(material >= 0 && material < pack->material_count);
    return &pack->materials[material];
}

int32_t gt_pack_image_count(const GtPack* pack)
{
    return pack->image_count;
}

const GtPackImage* gt_pack_image(const GtPack* pack, int32_t image)
{
    GT_ASSERT(image >= 0 && image < pack->image_count);
    return &pack->images[image];
}

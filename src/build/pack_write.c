// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Writing packed characters; runtime/pack/format.h has the format. Records are made first, with every array and text
// listed in the order in which it will lie in the file; then places are known and everything is copied to its own.

#include "gertie/pack_write.h"

#include "base/fail.h"
#include "base/hash.h"
#include "runtime/block.h"
#include "runtime/clip/clip.h"
#include "runtime/curve/curve.h"
#include "runtime/pack/harmonic.h"

#include <math.h>
#include <string.h>

typedef struct Writer {
    GtArena arena;
    GtiBlock known; // arrays listed so far: `largest` is their number, `checked_as` their form
    const GtPackDef* pack;
    const GtCharacterDef* def; // of its character
    GtiPackHead head;
    GtiPackArray* arrays; // [array_count]
    const void** sources; // [array_count]
    const char** texts;   // [text_count]
    size_t text_count;
    uint64_t text_size;
    GtiPackSkin* skins;
    GtiPackMesh* meshes;
    GtiPackMorph* morphs;
    GtiPackSection* sections;
    GtiPackPose* poses;
    GtiPackBind* binds;
    GtiPackClip* clips;
    GtiPackedTrack* tracks;
    GtiPackMaterial* materials;
    GtiPackImage* images;
    const GtDriversDef* driven; // or NULL
    GtiPackValue* values;
    GtiPackSensor* sensors;
    GtiPackDriver* drivers;
    GtiPackJiggle* jiggles;
    GtiPackHarmonic harmonic;
    bool failed; // memory ran out
} Writer;

// An array of a record's own, also where others have the same.
static int32_t list_own(Writer* w, const void* source, GtiPackKind kind, int32_t width, uint64_t count)
{
    uint32_t number = w->head.array_count++;
    w->sources[number] = source;
    w->arrays[number] = (GtiPackArray){ kind, (uint32_t)width, count, 0 };
    return (int32_t)number;
}

static int32_t list_array(Writer* w, const void* source, GtiPackKind kind, int32_t width, int32_t count)
{
    if (!source || count == 0 || width == 0) {
        return GT_NONE;
    }
    size_t element = (size_t)width * (size_t)gti_pack_number_size(kind);
    GtiKept* kept = gti_block_keep(&w->known, source, (size_t)count, element);
    if (!kept) {
        w->failed = true;
        return GT_NONE;
    }
    int32_t form = (int32_t)kind * 32 + width;
    if (kept->checked_as == form) {
        return (int32_t)kept->largest;
    }
    kept->checked_as = form;
    kept->largest = (uint32_t)list_own(w, source, kind, width, (uint64_t)count);
    return (int32_t)kept->largest;
}

static uint32_t list_text(Writer* w, const char* text)
{
    if (!text) {
        return GTI_PACK_NO_TEXT;
    }
    uint32_t place = (uint32_t)w->text_size;
    w->texts[w->text_count++] = text;
    w->text_size += strlen(text) + 1;
    return place;
}

// How much there is of what has no count of its own.
typedef struct Counts {
    size_t morphs;
    size_t deformers;
    size_t binds;
    size_t poses;
    size_t tracks; // of clips with their keys
} Counts;

static Counts count_parts(const Writer* w)
{
    const GtCharacterDef* def = w->def;
    Counts counts = { 0 };
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        counts.morphs += (size_t)def->meshes[i].morph_count;
        counts.deformers += (size_t)def->meshes[i].deformer_count;
        counts.binds += (size_t)def->meshes[i].section_bind_count;
    }
    for (int32_t i = 0; i < def->section_count; ++i) {
        counts.poses += (size_t)def->sections[i].pose_count;
    }
    for (int32_t i = 0; i < w->pack->clip_count; ++i) {
        const GtClip* clip = w->pack->clips[i];
        counts.tracks += clip->packed ? 0 : (size_t)clip->track_count;
    }
    return counts;
}

static GtiPackHead make_head(const Writer* w, const Counts* counts)
{
    const GtCharacterDef* def = w->def;
    const GtDriversDef none = gt_default_drivers_def();
    const GtDriversDef* driven = w->driven ? w->driven : &none;
    return (GtiPackHead){
        .magic = { 'G', 't', 'P', 'k' },
        .version = GTI_PACK_VERSION,
        .byte_order = GTI_PACK_BYTE_ORDER,
        .node_count = (uint32_t)def->node_count,
        .weight_count = (uint32_t)def->weight_count,
        .skin_count = (uint32_t)def->skin_count,
        .mesh_count = (uint32_t)def->mesh_count,
        .morph_count = (uint32_t)counts->morphs,
        .deformer_count = (uint32_t)counts->deformers,
        .clip_count = (uint32_t)w->pack->clip_count,
        .material_count = (uint32_t)w->pack->material_count,
        .image_count = (uint32_t)w->pack->image_count,
        .section_count = (uint32_t)def->section_count,
        .pose_count = (uint32_t)counts->poses,
        .bind_count = (uint32_t)counts->binds,
        .value_count = (uint32_t)driven->value_count,
        .sensor_count = (uint32_t)driven->sensor_count,
        .driver_count = (uint32_t)driven->track_count,
        .jiggle_count = (uint32_t)driven->jiggle_count,
        .harmonic_count = def->harmonic != NULL,
    };
}

static void* push(Writer* w, size_t count, size_t size)
{
    void* array = gt_arena_push_array(&w->arena, count, size);
    w->failed |= !array;
    return array;
}

// Room for all that will be listed, at most.
static bool make_room(Writer* w)
{
    Counts counts = count_parts(w);
    w->head = make_head(w, &counts);
    const GtiPackHead* head = &w->head;
    size_t array_count = 7 + 2 * (size_t)head->skin_count + 9 * (size_t)head->mesh_count + 7 * counts.morphs +
                         head->section_count + counts.poses + 3 * counts.binds + head->clip_count + 2 * counts.tracks +
                         head->image_count + 7 * (size_t)head->driver_count + head->jiggle_count +
                         (size_t)GTI_MOST_HARMONIC_PARTS * head->harmonic_count;
    size_t text_count = (size_t)head->node_count + head->mesh_count + counts.morphs + head->section_count +
                        counts.poses + head->clip_count + head->material_count + 2 * (size_t)head->image_count +
                        head->value_count + head->sensor_count + 2 * (size_t)head->driver_count;
    w->arrays = push(w, array_count, sizeof *w->arrays);
    w->sources = push(w, array_count, sizeof *w->sources);
    w->texts = push(w, text_count, sizeof *w->texts);
    w->skins = push(w, head->skin_count, sizeof *w->skins);
    w->meshes = push(w, head->mesh_count, sizeof *w->meshes);
    w->morphs = push(w, counts.morphs, sizeof *w->morphs);
    w->sections = push(w, head->section_count, sizeof *w->sections);
    w->poses = push(w, counts.poses, sizeof *w->poses);
    w->binds = push(w, counts.binds, sizeof *w->binds);
    w->clips = push(w, head->clip_count, sizeof *w->clips);
    w->tracks = push(w, counts.tracks, sizeof *w->tracks);
    w->materials = push(w, head->material_count, sizeof *w->materials);
    w->images = push(w, head->image_count, sizeof *w->images);
    w->values = push(w, head->value_count, sizeof *w->values);
    w->sensors = push(w, head->sensor_count, sizeof *w->sensors);
    w->drivers = push(w, head->driver_count, sizeof *w->drivers);
    w->jiggles = push(w, head->jiggle_count, sizeof *w->jiggles);
    return !w->failed && array_count <= INT32_MAX && counts.deformers <= INT32_MAX && counts.tracks <= INT32_MAX &&
           counts.binds <= INT32_MAX;
}

static void list_nodes(Writer* w)
{
    const GtCharacterDef* def = w->def;
    uint32_t* names = gt_arena_push_array(&w->arena, w->head.node_count, sizeof *names);
    GtDeformerData* deformers = gt_arena_push_array(&w->arena, w->head.deformer_count, sizeof *deformers);
    if (!names || !deformers) {
        w->failed = true;
        return;
    }
    for (int32_t i = 0; def->names && i < def->node_count; ++i) {
        names[i] = list_text(w, def->names[i]);
    }
    size_t count = 0;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        for (int32_t k = 0; k < def->meshes[i].deformer_count; ++k) {
            deformers[count++] = def->meshes[i].deformers[k];
        }
    }
    w->head.parents = list_array(w, def->parents, GTI_PACK_NODES, 1, def->node_count);
    w->head.rest = list_array(w, def->rest, GTI_PACK_FLOATS, 12, def->node_count);
    w->head.names = list_array(w, def->names ? names : NULL, GTI_PACK_TEXTS, 1, def->node_count);
    w->head.source_nodes = list_array(w, def->source_nodes, GTI_PACK_NODES, 1, def->node_count);
    w->head.rest_weights = list_array(w, def->rest_weights, GTI_PACK_FLOATS, 1, def->weight_count);
    w->head.humanoid = list_array(w, def->humanoid, GTI_PACK_NODES, 1, GT_HUMANOID_JOINT_COUNT);
    w->head.deformers = list_array(w, deformers, GTI_PACK_DEFORMERS, 2, (int32_t)count);
}

static void list_skins(Writer* w)
{
    for (int32_t i = 0; i < w->def->skin_count; ++i) {
        const GtSkinDef* skin = &w->def->skins[i];
        w->skins[i] = (GtiPackSkin){
            .joint_count = skin->joint_count,
            .joints = list_own(w, skin->joints, GTI_PACK_NODES, 1, (uint64_t)skin->joint_count),
            .joint_from_mesh = list_array(w, skin->joint_from_mesh, GTI_PACK_FLOATS, 12, skin->joint_count),
        };
    }
}

static void list_mesh(Writer* w, const GtMeshDef* mesh, GtiPackMesh* out)
{
    int32_t count = mesh->vertex_count;
    *out = (GtiPackMesh){
        .name = list_text(w, mesh->name),
        .node = mesh->node,
        .source_mesh = mesh->source_mesh,
        .source_primitive = mesh->source_primitive,
        .material = mesh->material,
        .vertex_count = count,
        .index_count = mesh->index_count,
        .first_weight = mesh->first_weight,
        .morph_count = mesh->morph_count,
        .skin = mesh->skin,
        .influence_count = mesh->influence_count,
        .deformer_count = mesh->deformer_count,
        .bind_count = mesh->section_bind_count,
        .positions = list_array(w, mesh->positions, GTI_PACK_FLOATS, 3, count),
        .normals = list_array(w, mesh->normals, GTI_PACK_FLOATS, 3, count),
        .tangents = list_array(w, mesh->tangents, GTI_PACK_FLOATS, 4, count),
        .texcoords = list_array(w, mesh->texcoords, GTI_PACK_FLOATS, 2, count),
        .texcoords1 = list_array(w, mesh->texcoords1, GTI_PACK_FLOATS, 2, count),
        .colors = list_array(w, mesh->colors, GTI_PACK_FLOATS, 4, count),
        .indices = list_array(w, mesh->indices, GTI_PACK_CORNERS, 1, mesh->index_count),
        .joints = list_array(w, mesh->joints, GTI_PACK_JOINTS, mesh->influence_count, count),
        .weights = list_array(w, mesh->weights, GTI_PACK_WEIGHTS, mesh->influence_count, count),
    };
}

static void list_meshes(Writer* w)
{
    for (int32_t i = 0; i < w->def->mesh_count; ++i) {
        list_mesh(w, &w->def->meshes[i], &w->meshes[i]);
    }
    GtiPackMorph* out = w->morphs;
    for (int32_t i = 0; i < w->def->mesh_count; ++i) {
        for (int32_t k = 0; k < w->def->meshes[i].morph_count; ++k) {
            const GtMorphDef* morph = &w->def->meshes[i].morphs[k];
            *out++ = (GtiPackMorph){
                .name = list_text(w, morph->name),
                .entry_count = morph->entry_count,
                .vertices = list_array(w, morph->vertices, GTI_PACK_VERTICES, 1, morph->entry_count),
                .positions = list_array(w, morph->positions, GTI_PACK_FLOATS, 3, morph->entry_count),
                .normals = list_array(w, morph->normals, GTI_PACK_FLOATS, 3, morph->entry_count),
                .tangents = list_array(w, morph->tangents, GTI_PACK_FLOATS, 3, morph->entry_count),
                .texcoords = list_array(w, morph->texcoords, GTI_PACK_FLOATS, 2, morph->entry_count),
                .texcoords1 = list_array(w, morph->texcoords1, GTI_PACK_FLOATS, 2, morph->entry_count),
                .colors = list_array(w, morph->colors, GTI_PACK_FLOATS, 4, morph->entry_count),
            };
        }
    }
}

static void list_binds(Writer* w)
{
    GtiPackBind* out = w->binds;
    for (int32_t i = 0; i < w->def->mesh_count; ++i) {
        for (int32_t k = 0; k < w->def->meshes[i].section_bind_count; ++k) {
            const GtSectionBindDef* bind = &w->def->meshes[i].section_binds[k];
            int32_t count = bind->entry_count;
            *out++ = (GtiPackBind){
                .section = bind->section,
                .entry_count = count,
                .vertices = count ? list_own(w, bind->vertices, GTI_PACK_VERTICES, 1, (uint64_t)count) : GT_NONE,
                .masks = list_array(w, bind->masks, GTI_PACK_FLOATS, 1, count),
                .gradients = list_array(w, bind->mask_gradients, GTI_PACK_FLOATS, 3, count),
            };
        }
    }
}

static void list_sections(Writer* w)
{
    for (int32_t i = 0; i < w->def->section_count; ++i) {
        const GtSectionDef* section = &w->def->sections[i];
        const GtLatticeDef* lattice = &section->lattice;
        w->sections[i] = (GtiPackSection){
            .name = list_text(w, section->name),
            .node = section->node,
            .rest_blend = section->rest_blend,
            .border = section->border,
            .basis = (int32_t)lattice->basis,
            .counts = { lattice->counts[0], lattice->counts[1], lattice->counts[2] },
            .weights = list_array(w, lattice->weights, GTI_PACK_FLOATS, 1, gt_lattice_point_count(lattice)),
            .pose_count = section->pose_count,
        };
        memcpy(w->sections[i].space_from_box, lattice->space_from_box.m, sizeof w->sections[i].space_from_box);
    }
    GtiPackPose* out = w->poses;
    for (int32_t i = 0; i < w->def->section_count; ++i) {
        int32_t point_count = gt_lattice_point_count(&w->def->sections[i].lattice);
        for (int32_t k = 0; k < w->def->sections[i].pose_count; ++k) {
            const GtLatticePose* pose = &w->def->sections[i].poses[k];
            *out++ = (GtiPackPose){
                .name = list_text(w, pose->name),
                .offsets = list_array(w, pose->offsets, GTI_PACK_FLOATS, 3, point_count),
            };
        }
    }
}

static void list_harmonic(Writer* w)
{
    if (!w->def->harmonic) {
        return;
    }
    GtHarmonicSkinDef skin = *w->def->harmonic;
    GtHarmonic harmonic = *skin.harmonic;
    GtiHarmonicPart parts[GTI_MOST_HARMONIC_PARTS];
    int count = gti_harmonic_skin_parts(w->def, &skin, &harmonic, parts);
    w->harmonic = gti_pack_harmonic_record(&skin);
    w->harmonic.first_array = (int32_t)w->head.array_count;
    for (int i = 0; i < count; ++i) {
        if (parts[i].count > 0) {
            list_own(w, *parts[i].array, GTI_PACK_HARMONIC, 1, (uint64_t)parts[i].count * parts[i].element);
        }
    }
}

// Arrays of one clip are listed after those of the clip before, even where it is the same.
static void list_keys(Writer* w, const GtClip* clip)
{
    gti_block_destroy(&w->known);
    for (int32_t i = 0; i < clip->track_count; ++i) {
        const GtTrackDef* track = &clip->tracks[i];
        int32_t parts = track->interpolation == GT_INTERPOLATION_CUBICSPLINE ? 3 : 1;
        int32_t value_count = track->key_count * track->component_count * parts;
        w->tracks[w->head.track_count++] = (GtiPackedTrack){
            .kind = (int32_t)track->kind,
            .target = track->target,
            .component_count = track->component_count,
            .interpolation = (int32_t)track->interpolation,
            .key_count = track->key_count,
            .times = list_array(w, track->times_s, GTI_PACK_FLOATS, 1, track->key_count),
            .values = list_array(w, track->values, GTI_PACK_FLOATS, 1, value_count),
        };
    }
}

static bool has_too_many_values(const GtClip* clip)
{
    for (int32_t i = 0; i < clip->track_count; ++i) {
        const GtTrackDef* track = &clip->tracks[i];
        if ((int64_t)track->key_count * track->component_count > INT32_MAX / 3) {
            return true;
        }
    }
    return false;
}

static GtResult list_clips(Writer* w, GtError* error)
{
    for (uint32_t i = 0; i < w->head.clip_count; ++i) {
        const GtClip* clip = w->pack->clips[i];
        const char* name = clip->name ? clip->name : "";
        size_t size = 0;
        const void* bytes = gt_clip_bytes(clip, &size); // NULL for a clip of keys
        if (bytes ? size > INT32_MAX : has_too_many_values(clip)) {
            return gti_fail(error, GT_ERROR_LIMIT, "clip %u '%s' has more than 2 GB", i, name);
        }
        if (clip->node_count != (int32_t)w->head.node_count || clip->weight_count != (int32_t)w->head.weight_count) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "clip %u '%s' is for another character, of %d nodes", i, name,
                            (int)clip->node_count);
        }
        w->clips[i] = (GtiPackClip){
            .name = list_text(w, clip->name),
            .bytes = bytes ? list_own(w, bytes, GTI_PACK_CLIP, 1, size) : GT_NONE,
            .track_count = bytes ? 0 : clip->track_count,
        };
        if (!bytes) {
            list_keys(w, clip);
        }
    }
    return w->failed ? gti_out_of_memory(error) : GT_OK;
}

static GtiPackTexture list_texture(const GtPackTexture* texture)
{
    return (GtiPackTexture){ texture->image, texture->texcoord, texture->scale, texture->wrap_s, texture->wrap_t };
}

static void list_looks(Writer* w)
{
    for (uint32_t i = 0; i < w->head.material_count; ++i) {
        const GtPackMaterial* m = &w->pack->materials[i];
        w->materials[i] = (GtiPackMaterial){
            .name = list_text(w, m->name),
            .numbers = { m->base_color[0], m->base_color[1], m->base_color[2], m->base_color[3], m->metallic,
                         m->roughness, m->emissive[0], m->emissive[1], m->emissive[2], m->alpha_cutoff },
            .alpha = (int32_t)m->alpha,
            .double_sided = m->double_sided,
            .textures = { list_texture(&m->base_color_texture), list_texture(&m->metallic_roughness_texture),
                          list_texture(&m->normal_texture), list_texture(&m->occlusion_texture),
                          list_texture(&m->emissive_texture) },
        };
    }
    for (uint32_t i = 0; i < w->head.image_count; ++i) {
        const GtPackImage* image = &w->pack->images[i];
        w->images[i] = (GtiPackImage){ .name = list_text(w, image->name) };
        w->images[i].mime_type = list_text(w, image->mime_type);
        w->images[i].size = image->size;
        w->images[i].bytes = list_array(w, image->bytes, GTI_PACK_BYTES, 1, image->size);
    }
}

static void list_senses(Writer* w)
{
    for (uint32_t i = 0; i < w->head.value_count; ++i) {
        const GtDriverValue* value = &w->driven->values[i];
        w->values[i] = (GtiPackValue){ list_text(w, value->name), value->rest, value->min, value->max };
    }
    for (uint32_t i = 0; i < w->head.sensor_count; ++i) {
        const GtSensorDef* sensor = &w->driven->sensors[i];
        w->sensors[i] = (GtiPackSensor){
            .name = list_text(w, sensor->name),
            .kind = (int32_t)sensor->kind,
            .point_count = sensor->point_count,
            .limits = { sensor->speed_mps, sensor->release_mps, sensor->height_m, sensor->release_height_m },
        };
        for (int32_t k = 0; k < sensor->point_count; ++k) {
            GtVec3 place = sensor->points[k].place;
            w->sensors[i].points[k] = (GtiPackSensorPoint){ sensor->points[k].node, { place.x, place.y, place.z } };
        }
    }
}

// An array of a driver's own, or GT_NONE.
static int32_t list_numbers(Writer* w, const void* source, int32_t width, int32_t count)
{
    return source && count > 0 ? list_own(w, source, GTI_PACK_FLOATS, width, (uint64_t)count) : GT_NONE;
}

static void list_curve(Writer* w, const GtCurve* curve, GtiPackDriver* out)
{
    GtCurveDef def = gti_curve_def(curve);
    int32_t keys = def.key_count;
    int32_t direction_count = def.kind == GT_CURVE_ROTATION ? 3 : def.component_count;
    out->kind = (int32_t)def.kind;
    out->law = (int32_t)def.law;
    out->component_count = def.component_count;
    out->key_count = keys;
    out->closed = def.closed;
    out->before = (int32_t)def.before;
    out->after = (int32_t)def.after;
    out->times = list_numbers(w, def.times_s, 1, keys);
    out->values = list_numbers(w, def.values, 1, keys * def.component_count);
    out->in = list_numbers(w, def.in, 1, keys * direction_count);
    out->out = list_numbers(w, def.out, 1, keys * direction_count);
    out->in_times = list_numbers(w, def.in_times_s, 1, keys);
    out->out_times = list_numbers(w, def.out_times_s, 1, keys);
    out->eases = list_numbers(w, def.eases, 2, keys - 1);
}

static GtResult list_tracks(Writer* w, GtError* error)
{
    for (uint32_t i = 0; i < w->head.driver_count; ++i) {
        const GtTrackBinding* track = &w->driven->tracks[i];
        if (track->function) {
            return gti_fail(error, GT_ERROR_BAD_VALUE,
                            "track %u '%.80s' is driven by a function of the program, which cannot be packed", i,
                            track->channel);
        }
        if (track->curve && gti_curve_def(track->curve).key_count > INT32_MAX / 4) {
            return gti_fail(error, GT_ERROR_LIMIT, "track %u '%.80s' has more than 2 GB", i, track->channel);
        }
        GtiPackDriver* out = &w->drivers[i];
        *out = (GtiPackDriver){ .channel = list_text(w, track->channel) };
        out->formula = list_text(w, track->curve ? track->input : track->formula);
        out->times = out->values = out->in = out->out = out->in_times = out->out_times = out->eases = GT_NONE;
        if (track->curve) {
            list_curve(w, track->curve, out);
        }
    }
    return GT_OK;
}

static GtResult list_drivers(Writer* w, GtError* error)
{
    list_senses(w);
    GtResult result = list_tracks(w, error);
    for (uint32_t i = 0; i < w->head.jiggle_count && result == GT_OK; ++i) {
        const GtJiggleDef* jiggle = &w->driven->jiggles[i];
        int32_t count = gt_lattice_point_count(&w->def->sections[jiggle->section].lattice);
        w->jiggles[i] = (GtiPackJiggle){
            .section = jiggle->section,
            .frequency_hz = jiggle->frequency_hz,
            .damping = jiggle->damping,
            .strength = jiggle->strength,
            .limit_m = jiggle->limit_m,
            .gravity = { jiggle->gravity.x, jiggle->gravity.y, jiggle->gravity.z },
            .holds = list_array(w, jiggle->holds, GTI_PACK_FLOATS, 1, count),
        };
    }
    return result == GT_OK && w->failed ? gti_out_of_memory(error) : result;
}

static bool is_good_texture(const GtPackDef* def, const GtPackTexture* texture)
{
    return texture->image >= GT_NONE && texture->image < def->image_count && isfinite(texture->scale);
}

static bool is_good_material(const GtPackDef* def, const GtPackMaterial* m)
{
    float sum = m->base_color[0] + m->base_color[1] + m->base_color[2] + m->base_color[3] + m->metallic + m->roughness +
                m->emissive[0] + m->emissive[1] + m->emissive[2] + m->alpha_cutoff;
    return isfinite(sum) && (unsigned)m->alpha < GT_PACK_ALPHA_COUNT && is_good_texture(def, &m->base_color_texture) &&
           is_good_texture(def, &m->metallic_roughness_texture) && is_good_texture(def, &m->normal_texture) &&
           is_good_texture(def, &m->occlusion_texture) && is_good_texture(def, &m->emissive_texture);
}

static GtResult check_looks(const GtPackDef* def, GtError* error)
{
    for (int32_t i = 0; i < def->material_count; ++i) {
        if (!is_good_material(def, &def->materials[i])) {
            return gti_fail(error, GT_ERROR_BAD_VALUE,
                            "material %d has an image that does not exist, or a number out of range", (int)i);
        }
    }
    const GtCharacterDef* character = gt_character_def(def->character);
    for (int32_t i = 0; def->material_count && i < character->mesh_count; ++i) {
        if (character->meshes[i].material >= def->material_count) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "mesh %d has material %d of %d", (int)i,
                            (int)character->meshes[i].material, (int)def->material_count);
        }
    }
    return GT_OK;
}

static void copy(uint8_t* bytes, uint64_t place, const void* table, uint64_t size)
{
    if (size) {
        memcpy(bytes + place, table, (size_t)size);
    }
}

static uint64_t array_size(const GtiPackArray* array)
{
    return array->count * array->width * gti_pack_number_size(array->kind);
}

static GtBlob* write_all(Writer* w, GtAllocator allocator)
{
    GtiPackHead* head = &w->head;
    head->text_size = (uint32_t)w->text_size;
    GtiPackPlaces places = gti_pack_places(head);
    head->size = places.end;
    for (uint32_t i = 0; i < head->array_count; ++i) {
        w->arrays[i].offset = head->size;
        head->size = gti_pack_align(head->size + array_size(&w->arrays[i]), GTI_PACK_ALIGNMENT);
    }
    uint8_t* bytes = NULL;
    GtBlob* blob = gt_blob_create(allocator, (size_t)head->size, &bytes);
    if (!blob) {
        return NULL;
    }
    memset(bytes, 0, (size_t)head->size);
    copy(bytes, places.arrays, w->arrays, head->array_count * sizeof *w->arrays);
    copy(bytes, places.skins, w->skins, head->skin_count * sizeof *w->skins);
    copy(bytes, places.meshes, w->meshes, head->mesh_count * sizeof *w->meshes);
    copy(bytes, places.morphs, w->morphs, head->morph_count * sizeof *w->morphs);
    copy(bytes, places.sections, w->sections, head->section_count * sizeof *w->sections);
    copy(bytes, places.poses, w->poses, head->pose_count * sizeof *w->poses);
    copy(bytes, places.binds, w->binds, head->bind_count * sizeof *w->binds);
    copy(bytes, places.clips, w->clips, head->clip_count * sizeof *w->clips);
    copy(bytes, places.tracks, w->tracks, head->track_count * sizeof *w->tracks);
    copy(bytes, places.materials, w->materials, head->material_count * sizeof *w->materials);
    copy(bytes, places.images, w->images, head->image_count * sizeof *w->images);
    copy(bytes, places.values, w->values, head->value_count * sizeof *w->values);
    copy(bytes, places.sensors, w->sensors, head->sensor_count * sizeof *w->sensors);
    copy(bytes, places.drivers, w->drivers, head->driver_count * sizeof *w->drivers);
    copy(bytes, places.jiggles, w->jiggles, head->jiggle_count * sizeof *w->jiggles);
    copy(bytes, places.harmonics, &w->harmonic, head->harmonic_count * sizeof w->harmonic);
    uint64_t at = places.text;
    for (size_t i = 0; i < w->text_count; ++i) {
        size_t size = strlen(w->texts[i]) + 1;
        copy(bytes, at, w->texts[i], size);
        at += size;
    }
    for (uint32_t i = 0; i < head->array_count; ++i) {
        copy(bytes, w->arrays[i].offset, w->sources[i], array_size(&w->arrays[i]));
    }
    copy(bytes, 0, head, sizeof *head);
    size_t start = offsetof(GtiPackHead, checksum) + sizeof head->checksum;
    head->checksum = gti_checksum(bytes + start, (size_t)head->size - start);
    copy(bytes, 0, head, sizeof *head);
    return blob;
}

GtPackDef gt_default_pack_def(void)
{
    return (GtPackDef){ .character = NULL };
}

GtResult gt_pack_write(GtAllocator allocator, const GtPackDef* def, GtBlob** out, GtError* error)
{
    def = def ? def : (GtPackDef[]){ gt_default_pack_def() };
    GT_ASSERT(def->clip_count >= 0 && def->material_count >= 0 && def->image_count >= 0);
    *out = NULL;
    if (!def->character) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a pack needs a character");
    }
    GtResult result = check_looks(def, error);
    if (result == GT_OK && def->drivers && gt_drivers_def(def->drivers)->character != def->character) {
        result = gti_fail(error, GT_ERROR_BAD_VALUE, "the drivers are those of another character");
    }
    if (result != GT_OK) {
        return result;
    }
    Writer writer = {
        .arena = gt_arena_create(allocator),
        .known = gti_block_create(allocator, 0),
        .pack = def,
        .def = gt_character_def(def->character),
        .driven = def->drivers ? gt_drivers_def(def->drivers) : NULL,
    };
    result = make_room(&writer) ? GT_OK : gti_out_of_memory(error);
    if (result == GT_OK) {
        list_nodes(&writer);
        list_skins(&writer);
        list_meshes(&writer);
        list_binds(&writer);
        list_sections(&writer);
        list_harmonic(&writer);
        result = list_clips(&writer, error);
    }
    if (result == GT_OK) {
        list_looks(&writer);
        result = list_drivers(&writer, error);
    }
    if (result == GT_OK && writer.text_size > INT32_MAX) {
        result = gti_fail(error, GT_ERROR_LIMIT, "its names have more than 2 GB");
    }
    if (result == GT_OK) {
        *out = write_all(&writer, allocator);
        result = *out ? GT_OK : gti_out_of_memory(error);
    }
    gti_block_destroy(&writer.known);
    gt_arena_destroy(&writer.arena);
    return result;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Shapes come after the ones that a mesh has, so that those keep their numbers. Primitives that no character has, as
// they hold no triangles, get shapes that do nothing: glTF wants the same number of all.

#include "harmonic/clip/keys.h"

#include "base/scalar.h"

#include "gertie/accessor.h"

#include <stdio.h>
#include <string.h>

GtResult gti_shape_add(GtScene* scene, const GtMeshDef* mesh, const GtVec3* deltas, const GtVec3* normals,
                       int32_t accessors[2], GtError* error)
{
    uint64_t count = (uint64_t)mesh->vertex_count;
    accessors[1] = GT_NONE;
    GtResult result = gt_scene_add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, deltas, count,
                                        &accessors[0], error);
    if (result == GT_OK && normals) {
        result = gt_scene_add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, normals, count,
                                   &accessors[1], error);
    }
    return result;
}

static GtResult add_still(GtScene* scene, const GtPrimitive* primitive, int32_t accessors[2], GtError* error)
{
    int32_t positions = gt_primitive_find(primitive, "POSITION");
    GtAccessor still = { .view = GT_NONE,
                         .component_type = GT_COMPONENT_FLOAT,
                         .element_type = GT_ELEMENT_VEC3,
                         .count = scene->accessors[positions].count };
    accessors[1] = GT_NONE;
    return gt_scene_add_accessor(scene, &still, &accessors[0], error);
}

static GtResult make_target(GtScene* scene, const int32_t* accessors, GtMorphTarget* out, GtError* error)
{
    GtAttribute* attributes = gt_scene_push(scene, 2, sizeof *attributes);
    if (!attributes) {
        return gti_out_of_memory(error);
    }
    attributes[0] = (GtAttribute){ "POSITION", accessors[0] };
    attributes[1] = (GtAttribute){ "NORMAL", accessors[1] };
    *out = (GtMorphTarget){ attributes, accessors[1] == GT_NONE ? 1 : 2 };
    return GT_OK;
}

// node: runtime; p: primitive
static GtResult shape_primitive(GtScene* scene, const GtCharacterDef* def, const GtiShapes* shapes, const GtMesh* mesh,
                                int32_t node, int32_t p, GtPrimitive* out, GtError* error)
{
    int32_t m = 0;
    while (m < def->mesh_count && (def->meshes[m].node != node || def->meshes[m].source_primitive != p)) {
        ++m;
    }
    GtMorphTarget* targets = gt_scene_push(scene, (size_t)mesh->target_count + (size_t)shapes->count, sizeof *targets);
    int32_t still[2] = { GT_NONE, GT_NONE };
    GtResult result = targets ? GT_OK : gti_out_of_memory(error);
    if (result == GT_OK && m == def->mesh_count) {
        result = add_still(scene, &mesh->primitives[p], still, error);
    }
    for (int32_t t = 0; t < mesh->target_count && result == GT_OK; ++t) {
        targets[t] = mesh->primitives[p].targets[t];
    }
    for (int32_t s = 0; s < shapes->count && result == GT_OK; ++s) {
        size_t at = 2 * ((size_t)s * (size_t)def->mesh_count + (size_t)m);
        const int32_t* accessors = m == def->mesh_count ? still : &shapes->accessors[at];
        result = make_target(scene, accessors, &targets[mesh->target_count + s], error);
    }
    *out = mesh->primitives[p];
    out->targets = targets;
    return result;
}

static GtResult name_shapes(GtScene* scene, const char* word, GtMesh* mesh, int32_t old_count, GtError* error)
{
    const char** names = gt_scene_push(scene, (size_t)mesh->target_count, sizeof *names);
    if (!names) {
        return gti_out_of_memory(error);
    }
    for (int32_t t = 0; t < mesh->target_count; ++t) {
        char name[32];
        int length = t < old_count ? snprintf(name, sizeof name, "morph %d", (int)t)
                                   : snprintf(name, sizeof name, "%s %d", word, (int)(t - old_count + 1));
        names[t] = t < old_count && mesh->target_names ? mesh->target_names[t]
                                                       : gt_scene_push_text(scene, name, (size_t)length);
        if (!names[t]) {
            return gti_out_of_memory(error);
        }
    }
    mesh->target_names = names;
    return GT_OK;
}

static GtResult shape_mesh(GtScene* scene, const GtCharacterDef* def, const GtiShapes* shapes, int32_t node,
                           const int32_t* users, GtError* error)
{
    GtNode* shown = &scene->nodes[def->source_nodes ? def->source_nodes[node] : node];
    GtMesh mesh = scene->meshes[shown->mesh];
    int32_t old_count = mesh.target_count;
    int32_t all = old_count + shapes->count;
    GtPrimitive* primitives = gt_scene_push(scene, (size_t)mesh.primitive_count, sizeof *primitives);
    float* weights = gt_scene_push(scene, (size_t)all, sizeof *weights);
    GtResult result = primitives && weights ? GT_OK : gti_out_of_memory(error);
    for (int32_t p = 0; p < mesh.primitive_count && result == GT_OK; ++p) {
        result = shape_primitive(scene, def, shapes, &mesh, node, p, &primitives[p], error);
    }
    for (int32_t t = 0; t < old_count && result == GT_OK; ++t) {
        weights[t] = shown->weight_count ? shown->weights[t] : mesh.weight_count ? mesh.weights[t] : 0.0f;
    }
    mesh.primitives = primitives;
    mesh.target_count = mesh.weight_count = all;
    mesh.weights = weights;
    if (result == GT_OK) {
        result = name_shapes(scene, shapes->word, &mesh, old_count, error);
    }
    if (result == GT_OK && users[shown->mesh] > 1) {
        result = gt_scene_add_mesh(scene, &mesh, &shown->mesh, error);
    } else if (result == GT_OK) {
        scene->meshes[shown->mesh] = mesh;
    }
    shown->weights = NULL;
    shown->weight_count = 0;
    shown->deformers = NULL;
    shown->deformer_count = 0;
    return result;
}

// Keys of weights as they were, and 0 for each shape that came after.
static GtResult widen_keys(const GtContext* context, GtScene* scene, GtAnimationSampler* sampler, int32_t old_count,
                           int32_t added, GtError* error)
{
    uint64_t group_count = scene->accessors[sampler->output].count / (uint64_t)old_count;
    size_t all = (size_t)(old_count + added);
    GtArena arena = gt_arena_create(context->allocator);
    float* values = gt_arena_push_array(&arena, (size_t)group_count * all, sizeof *values);
    GtResult result = values ? GT_OK : gti_out_of_memory(error);
    for (uint64_t g = 0; g < group_count && result == GT_OK; ++g) {
        gt_accessor_read_floats(scene, sampler->output, g * (uint64_t)old_count, (uint64_t)old_count,
                                values + (size_t)g * all);
    }
    if (result == GT_OK) {
        result = gt_scene_add_data(scene, GT_USE_DATA, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, values,
                                   group_count * (uint64_t)all, &sampler->output, error);
    }
    gt_arena_destroy(&arena);
    return result;
}

static bool is_widened(const GtAnimationChannel* channel, const int32_t* old_counts)
{
    return channel->path == GT_PATH_WEIGHTS && channel->node != GT_NONE && old_counts[channel->node] > 0;
}

// Channels of several nodes may share a sampler, which is widened once; where some of them show other meshes, these
// keep it as it was.
GtResult gti_clip_widen(const GtContext* context, GtScene* scene, GtAnimation* animation, const int32_t* old_counts,
                        int32_t added, GtError* error)
{
    size_t sampler_count = (size_t)animation->sampler_count;
    size_t channel_count = (size_t)animation->channel_count;
    GtAnimationSampler* samplers = gt_scene_push(scene, 2 * sampler_count, sizeof *samplers);
    GtAnimationChannel* channels = gt_scene_push(scene, channel_count, sizeof *channels);
    int32_t* wide = gt_scene_push(scene, sampler_count, sizeof *wide); // of each sampler, 1 + the wide one; 0 for none
    bool* stays = gt_scene_push(scene, sampler_count, sizeof *stays);
    if (!samplers || !channels || !wide || !stays) {
        return gti_out_of_memory(error);
    }
    for (size_t c = 0; c < channel_count; ++c) {
        stays[animation->channels[c].sampler] |= !is_widened(&animation->channels[c], old_counts);
    }
    memcpy(samplers, animation->samplers, sampler_count * sizeof *samplers);
    memcpy(channels, animation->channels, channel_count * sizeof *channels);
    int32_t made_count = animation->sampler_count;
    GtResult result = GT_OK;
    for (size_t c = 0; c < channel_count && result == GT_OK; ++c) {
        int32_t sampler = channels[c].sampler;
        if (!is_widened(&channels[c], old_counts)) {
            continue;
        }
        if (wide[sampler] == 0) {
            int32_t to = stays[sampler] ? made_count++ : sampler;
            samplers[to] = animation->samplers[sampler];
            wide[sampler] = 1 + to;
            result = widen_keys(context, scene, &samplers[to], old_counts[channels[c].node], added, error);
        }
        channels[c].sampler = wide[sampler] - 1;
    }
    if (result == GT_OK) {
        animation->samplers = samplers;
        animation->sampler_count = made_count;
        animation->channels = channels;
    }
    return result;
}

GtResult gti_shapes_put(const GtContext* context, GtScene* scene, const GtCharacterDef* def, int32_t animation,
                        const GtiShapes* shapes, GtError* error)
{
    int32_t* users = gt_scene_push(scene, (size_t)scene->mesh_count, sizeof *users);
    int32_t* old_counts = gt_scene_push(scene, (size_t)scene->node_count, sizeof *old_counts);
    GtResult result = users && old_counts ? GT_OK : gti_out_of_memory(error);
    for (int32_t n = 0; n < scene->node_count && result == GT_OK; ++n) {
        if (scene->nodes[n].mesh != GT_NONE) {
            ++users[scene->nodes[n].mesh];
        }
    }
    for (int32_t m = 0; m < def->mesh_count && result == GT_OK; ++m) {
        if (m == 0 || def->meshes[m].node != def->meshes[m - 1].node) {
            int32_t node = def->source_nodes ? def->source_nodes[def->meshes[m].node] : def->meshes[m].node;
            old_counts[node] = scene->meshes[scene->nodes[node].mesh].target_count;
            result = shape_mesh(scene, def, shapes, def->meshes[m].node, users, error);
        }
    }
    for (int32_t a = 0; a < scene->animation_count && result == GT_OK; ++a) {
        if (a != animation) {
            result = gti_clip_widen(context, scene, &scene->animations[a], old_counts, shapes->count, error);
        }
    }
    return result;
}

static GtResult add_times(GtScene* scene, const GtiClipFrames* frames, int32_t* out, GtError* error)
{
    size_t count = (size_t)frames->frame_count;
    float* times = gt_scene_push(scene, count, sizeof *times);
    if (!times) {
        return gti_out_of_memory(error);
    }
    for (size_t f = 0; f < count; ++f) {
        times[f] = (float)gti_frame_time_s(frames->start_s, frames->rate_hz, f);
    }
    return gt_scene_add_data(scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, times, (uint64_t)count, out,
                             error);
}

static bool is_replaced(const GtAnimationChannel* channel, const GtiKeys* keys, int32_t key_count)
{
    for (int32_t k = 0; k < key_count; ++k) {
        if (channel->node == keys[k].node && channel->path == keys[k].path) {
            return true;
        }
    }
    return false;
}

// Channels that stay, with their samplers.
static void keep_channels(const GtAnimation* animation, const GtiKeys* keys, int32_t key_count, GtAnimation* out,
                          GtAnimationSampler* samplers, GtAnimationChannel* channels)
{
    for (int32_t c = 0; c < animation->channel_count; ++c) {
        if (!is_replaced(&animation->channels[c], keys, key_count)) {
            samplers[out->sampler_count] = animation->samplers[animation->channels[c].sampler];
            channels[out->channel_count] = animation->channels[c];
            channels[out->channel_count++].sampler = out->sampler_count++;
        }
    }
}

GtResult gti_keys_put(GtScene* scene, const GtiClipFrames* frames, const GtiKeys* keys, int32_t key_count,
                      GtError* error)
{
    GtAnimation* animation = &scene->animations[frames->animation];
    size_t room = (size_t)animation->channel_count + (size_t)key_count;
    GtAnimationSampler* samplers = gt_scene_push(scene, room, sizeof *samplers);
    GtAnimationChannel* channels = gt_scene_push(scene, room, sizeof *channels);
    if (!samplers || !channels) {
        return gti_out_of_memory(error);
    }
    GtAnimation made = *animation;
    made.sampler_count = made.channel_count = 0;
    keep_channels(animation, keys, key_count, &made, samplers, channels);
    int32_t times = GT_NONE;
    GtResult result = add_times(scene, frames, &times, error);
    for (int32_t k = 0; k < key_count && result == GT_OK; ++k) {
        uint64_t count = (uint64_t)frames->frame_count * (uint64_t)keys[k].count;
        samplers[made.sampler_count] = (GtAnimationSampler){ .input = times };
        channels[made.channel_count++] =
            (GtAnimationChannel){ .sampler = made.sampler_count, .node = keys[k].node, .path = keys[k].path };
        result = gt_scene_add_data(scene, GT_USE_DATA, keys[k].element, GT_COMPONENT_FLOAT, keys[k].values, count,
                                   &samplers[made.sampler_count++].output, error);
    }
    if (result == GT_OK) {
        made.samplers = samplers;
        made.channels = channels;
        scene->animations[frames->animation] = made;
    }
    return result;
}

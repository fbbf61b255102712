// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// An animation of a scene becomes a clip: channels of nodes that the character has become tracks.

#include "build/clip_build.h"

#include "gertie/build.h"

#include "base/fail.h"
#include "build/decode.h"
#include "runtime/clip/clip.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Builder {
    GtiDecoder decoder;
    const GtScene* scene;
    const GtCharacterDef* character;
    int32_t* meshes; // [node_count of the character] one of the node's meshes, or GT_NONE
    GtTrackDef* tracks;
    int32_t track_count;
} Builder;

// Fill in what the track drives; false where the character has no such thing.
static bool find_target(const Builder* b, const GtAnimationChannel* channel, int32_t node, GtTrackDef* track)
{
    track->target = node;
    switch (channel->path) {
    case GT_PATH_TRANSLATION:
        track->kind = GT_TRACK_TRANSLATION;
        track->component_count = 3;
        return true;
    case GT_PATH_ROTATION:
        track->kind = GT_TRACK_ROTATION;
        track->component_count = 4;
        return true;
    case GT_PATH_SCALE:
        track->kind = GT_TRACK_SCALE;
        track->component_count = 3;
        return true;
    case GT_PATH_WEIGHTS:
        if (b->meshes[node] == GT_NONE || b->character->meshes[b->meshes[node]].morph_count == 0) {
            return false;
        }
        track->kind = GT_TRACK_WEIGHTS;
        track->target = b->character->meshes[b->meshes[node]].first_weight;
        track->component_count = b->character->meshes[b->meshes[node]].morph_count;
        return true;
    case GT_PATH_OTHER:
        break;
    }
    return false;
}

static GtResult add_track(Builder* b, const GtCharacter* character, const GtAnimation* animation, int32_t index,
                          const char* where)
{
    const GtAnimationChannel* channel = &animation->channels[index];
    const GtAnimationSampler* sampler = &animation->samplers[channel->sampler];
    int32_t node = gt_character_node_from_source(character, channel->node);
    GtTrackDef track = { .interpolation = sampler->interpolation };
    if (node == GT_NONE || !find_target(b, channel, node, &track)) {
        return GT_OK;
    }
    track.key_count = (int32_t)b->scene->accessors[sampler->input].count;
    GtResult result = gti_decode_floats(&b->decoder, sampler->input, where, &track.times_s);
    if (result == GT_OK) {
        result = gti_decode_floats(&b->decoder, sampler->output, where, &track.values);
    }
    b->tracks[b->track_count++] = track;
    return result;
}

static GtResult add_tracks(Builder* b, const GtCharacter* character, int32_t animation)
{
    const GtAnimation* from = &b->scene->animations[animation];
    b->meshes = gt_arena_push_array(&b->decoder.arena, (size_t)b->character->node_count, sizeof *b->meshes);
    b->tracks = gt_arena_push_array(&b->decoder.arena, (size_t)from->channel_count, sizeof *b->tracks);
    if (!b->meshes || !b->tracks) {
        return gti_out_of_memory(b->decoder.error);
    }
    for (int32_t i = 0; i < b->character->node_count; ++i) {
        b->meshes[i] = GT_NONE;
    }
    for (int32_t i = 0; i < b->character->mesh_count; ++i) {
        b->meshes[b->character->meshes[i].node] = i;
    }
    GtResult result = GT_OK;
    for (int32_t i = 0; result == GT_OK && i < from->channel_count; ++i) {
        char where[64];
        snprintf(where, sizeof where, "animations[%d].channels[%d]", (int)animation, (int)i);
        result = add_track(b, character, from, i, where);
    }
    return result;
}

static int compare_places(const void* a, const void* b)
{
    const GtiLasting* x = a;
    const GtiLasting* y = b;
    return ((uintptr_t)x->bytes > (uintptr_t)y->bytes) - ((uintptr_t)x->bytes < (uintptr_t)y->bytes);
}

// The bytes of all buffers, by address.
static GtResult list_buffers(Builder* b, GtiLasting** out, int32_t* count)
{
    *out = gt_arena_push_array(&b->decoder.arena, (size_t)b->scene->buffer_count, sizeof **out);
    if (!*out) {
        return gti_out_of_memory(b->decoder.error);
    }
    *count = 0;
    for (int32_t i = 0; i < b->scene->buffer_count; ++i) {
        const GtBlob* blob = b->scene->buffers[i].blob;
        if (blob && gt_blob_size(blob)) {
            (*out)[(*count)++] = (GtiLasting){ gt_blob_bytes(blob), gt_blob_size(blob) };
        }
    }
    if (*count) {
        qsort(*out, (size_t)*count, sizeof **out, compare_places);
    }
    return GT_OK;
}

static GtResult build_clip(const GtContext* context, const GtiClipSource* source, bool in_place, GtClip** out,
                           GtError* error)
{
    const GtScene* scene = source->scene;
    int32_t animation = source->animation;
    *out = NULL;
    if (animation < 0 || animation >= scene->animation_count) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "there is no animation %d; the scene has %d", animation,
                        scene->animation_count);
    }
    Builder b = { .scene = scene, .character = gt_character_def(source->character) };
    GtiLasting* buffers = NULL;
    int32_t buffer_count = 0;
    GtResult result = gti_decoder_create(context, scene, &b.decoder, error);
    if (result == GT_OK) {
        result = add_tracks(&b, source->character, animation);
    }
    if (result == GT_OK && in_place) {
        result = list_buffers(&b, &buffers, &buffer_count);
    }
    if (result == GT_OK) {
        GtClipDef def = gt_default_clip_def();
        def.name = scene->animations[animation].name;
        def.tracks = b.tracks;
        def.track_count = b.track_count;
        def.node_count = b.character->node_count;
        def.weight_count = b.character->weight_count;
        result = gti_clip_create_over(context->allocator, &def, buffers, buffer_count, out, error);
    }
    gti_decoder_destroy(&b.decoder);
    return result;
}

GtResult gt_clip_build(const GtContext* context, const GtScene* scene, int32_t animation, const GtCharacter* character,
                       GtClip** out, GtError* error)
{
    return build_clip(context, &(GtiClipSource){ scene, animation, character }, false, out, error);
}

GtResult gti_clip_build_in_place(const GtContext* context, const GtiClipSource* source, GtClip** out, GtError* error)
{
    return build_clip(context, source, true, out, error);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "shapes/face_signal.h"

#include "gertie/accessor.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/sort.h"
#include "data/json.h"

#include <string.h>

enum {
    MOST_SIGNALS = 4096,
    CUBIC_PIECES = 4 // straight pieces of a cubic segment
};

static const double just_before_s = 1e-4; // where a stepped value still holds

typedef struct Finder {
    const GtFigure* motion;
    const GtAnimation* clip;
    GtiFaceSignals* out;
    GtArena* arena;
    int32_t time_capacity;
    GtError* error;
} Finder;

static const GtAnimationChannel* find_channel(const Finder* f, int32_t node, GtAnimationPath path)
{
    for (int32_t c = 0; c < f->clip->channel_count; ++c) {
        const GtAnimationChannel* channel = &f->clip->channels[c];
        if (channel->node == node && channel->path == path) {
            return channel;
        }
    }
    return NULL;
}

static GtResult add_time(Finder* f, double time_s)
{
    GtiFaceSignals* s = f->out;
    if (!(time_s > f->motion->start_s && time_s < f->motion->end_s)) {
        return GT_OK;
    }
    if (s->time_count == f->time_capacity) {
        s->times_s = gti_arena_grow(f->arena, s->times_s, &f->time_capacity, 256, sizeof *s->times_s);
        if (!s->times_s) {
            return gti_out_of_memory(f->error);
        }
    }
    s->times_s[s->time_count++] = (float)time_s;
    return GT_OK;
}

// The times that make a channel what it is when it is drawn with straight lines.
static GtResult add_times(Finder* f, const GtAnimationChannel* channel)
{
    const GtScene* scene = f->motion->scene;
    const GtAnimationSampler* sampler = &f->clip->samplers[channel->sampler];
    uint64_t count = scene->accessors[sampler->input].count;
    GtResult result = GT_OK;
    float before_s = 0.0f;
    for (uint64_t i = 0; i < count && result == GT_OK; ++i) {
        float at_s;
        gt_accessor_read_floats(scene, sampler->input, i, 1, &at_s);
        if (i > 0 && sampler->interpolation == GT_INTERPOLATION_STEP) {
            result = add_time(f, at_s - just_before_s);
        }
        for (int p = 1; i > 0 && p < CUBIC_PIECES && sampler->interpolation == GT_INTERPOLATION_CUBICSPLINE; ++p) {
            result = result == GT_OK ? add_time(f, before_s + (at_s - before_s) * ((double)p / CUBIC_PIECES)) : result;
        }
        result = result == GT_OK ? add_time(f, at_s) : result;
        before_s = at_s;
    }
    return result;
}

static GtResult add_signal(Finder* f, GtiFaceSignal signal)
{
    GtiFaceSignals* s = f->out;
    for (int32_t i = 0; i < s->count; ++i) {
        if (strcmp(s->list[i].name, signal.name) == 0) {
            return GT_OK; // eyelashes and teeth move with the head
        }
    }
    if (s->count == MOST_SIGNALS) {
        return GT_OK;
    }
    if (s->count == s->capacity) {
        s->list = gti_arena_grow(f->arena, s->list, &s->capacity, 64, sizeof *s->list);
        if (!s->list) {
            return gti_out_of_memory(f->error);
        }
    }
    s->list[s->count++] = signal;
    return GT_OK;
}

// The node of the character that an object of the extension names, and its times; GT_NONE where the clip does not move
// it.
static GtResult take_node(Finder* f, const GtiJson* holder, GtAnimationPath path, int32_t* node)
{
    int64_t index = GT_NONE;
    *node = GT_NONE;
    if (!gti_json_int64(gti_json_find(holder, "node"), &index) || index < 0 || index >= f->motion->scene->node_count) {
        return GT_OK;
    }
    const GtAnimationChannel* channel = find_channel(f, (int32_t)index, path);
    if (!channel) {
        return GT_OK;
    }
    *node = gt_character_node_from_source(f->motion->character, (int32_t)index);
    return add_times(f, channel);
}

static GtResult find_expressions(Finder* f)
{
    static const char* const kinds[] = { "preset", "custom" };
    const char* text = f->motion->scene->extra.extensions;
    const GtiJson* root = NULL;
    GtResult result = text ? gti_json_parse(f->arena, text, strlen(text), &root, f->error) : GT_OK;
    const GtiJson* extension = gti_json_find(root, "VRMC_vrm_animation");
    const GtiJson* expressions = gti_json_find(extension, "expressions");
    for (int k = 0; k < 2; ++k) {
        const GtiJson* list = gti_json_find(expressions, kinds[k]);
        const GtiJson* one = list && list->type == GTI_JSON_OBJECT && list->count ? gti_json_first(list) : NULL;
        for (uint32_t i = 0; one && i < list->count && result == GT_OK; ++i, one = gti_json_next(one)) {
            GtiFaceSignal signal = { .weight = GT_NONE };
            signal.name = gt_arena_push_text(f->arena, one->key, one->key_length);
            result = signal.name ? take_node(f, one, GT_PATH_TRANSLATION, &signal.node) : gti_out_of_memory(f->error);
            if (result == GT_OK && signal.node != GT_NONE) {
                result = add_signal(f, signal);
            }
        }
    }
    return result == GT_OK ? take_node(f, gti_json_find(extension, "lookAt"), GT_PATH_ROTATION, &f->out->gaze) : result;
}

static GtResult find_morphs(Finder* f)
{
    const GtCharacterDef* def = f->motion->def;
    GtResult result = GT_OK;
    for (int32_t m = 0; m < def->mesh_count && result == GT_OK; ++m) {
        const GtMeshDef* mesh = &def->meshes[m];
        const GtMesh* source = mesh->source_mesh == GT_NONE ? NULL : &f->motion->scene->meshes[mesh->source_mesh];
        int32_t node = def->source_nodes ? def->source_nodes[mesh->node] : mesh->node;
        const GtAnimationChannel* channel = mesh->morph_count ? find_channel(f, node, GT_PATH_WEIGHTS) : NULL;
        if (!channel || !source || !source->target_names) {
            continue;
        }
        result = add_times(f, channel);
        for (int32_t t = 0; t < mesh->morph_count && t < source->target_count && result == GT_OK; ++t) {
            if (source->target_names[t] && source->target_names[t][0]) {
                result = add_signal(f, (GtiFaceSignal){ source->target_names[t], GT_NONE, mesh->first_weight + t });
            }
        }
    }
    return result;
}

// In order, each once, between the ends of the motion.
static GtResult finish_times(Finder* f)
{
    GtiFaceSignals* s = f->out;
    float start_s = (float)f->motion->start_s;
    float end_s = (float)f->motion->end_s;
    float* all = gt_arena_push_array(f->arena, (size_t)s->time_count + 2, sizeof *all);
    if (!all) {
        return gti_out_of_memory(f->error);
    }
    gti_sort_floats(s->times_s, s->time_count);
    int32_t count = 0;
    all[count++] = start_s;
    for (int32_t i = 0; i < s->time_count; ++i) {
        if (s->times_s[i] > all[count - 1] && s->times_s[i] < end_s) {
            all[count++] = s->times_s[i];
        }
    }
    if (end_s > all[count - 1]) {
        all[count++] = end_s;
    }
    s->times_s = all;
    s->time_count = count;
    return GT_OK;
}

GtResult gti_face_signals_find(const GtFigure* motion, GtArena* arena, GtiFaceSignals* out, GtError* error)
{
    *out = (GtiFaceSignals){ .gaze = GT_NONE };
    if (motion->animation == GT_NONE) {
        return GT_OK;
    }
    Finder f = { .motion = motion, .out = out, .arena = arena, .error = error };
    f.clip = &motion->scene->animations[motion->animation];
    GtResult result = find_expressions(&f);
    if (result == GT_OK) {
        result = find_morphs(&f);
    }
    return result == GT_OK ? finish_times(&f) : result;
}

float gti_face_signal_value(const GtiFaceSignal* signal, const GtInstance* instance)
{
    return signal->node != GT_NONE ? instance->pose[signal->node].translation.x : instance->weights[signal->weight];
}

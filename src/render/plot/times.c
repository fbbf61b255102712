// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Even times, or the keys of every track that a source depends on: between keys that lie frame by frame nothing is
// invented, so that rows are frames; wider gaps, and cubic splines, are filled in at 60 a second. A step gets one more
// sample right before it, so that it is drawn as one.

#include "render/plot/times.h"

#include "base/fail.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double fill_s = 1.0 / 60.0; // between samples that fill a gap
static const double fill_most = 4096.0;  // such samples in a range; a longer one is filled more thinly
static const double sparse_s = 0.1;      // a longer gap between keys is filled
static const double frame_max_s = 0.05;  // keys farther apart on average are no frames
static const double frame_min_s = 0.001; // below, differences of floats are mostly noise

// How an accessor of key times is used by tracks that matter.
enum {
    USED = 1,
    USED_BY_STEPS = 2
};

// Times in the making.
typedef struct Collector {
    GtiDecoder* decoder;
    GtArena* arena; // of the result
    const GtiPlotNeeds* needs;
    uint8_t* uses; // [accessor_count] of key times
    double* times_s;
    size_t count;
    double gap_max_s; // a longer gap is filled
} Collector;

static int compare_times(const void* a, const void* b)
{
    double x = *(const double*)a;
    double y = *(const double*)b;
    return (x > y) - (x < y);
}

// See which key times matter, and make room for them.
static GtResult find_keys(Collector* c)
{
    const GtScene* scene = c->decoder->scene;
    const GtAnimation* animation = &scene->animations[c->needs->animation];
    GtArena* scratch = &c->decoder->arena;
    c->uses = gt_arena_push_array(scratch, (size_t)scene->accessor_count, sizeof *c->uses);
    if (!c->uses) {
        return gti_out_of_memory(c->decoder->error);
    }
    for (int32_t i = 0; i < animation->channel_count; ++i) {
        const GtAnimationSampler* sampler = &animation->samplers[animation->channels[i].sampler];
        if (gti_plot_needs_channel(c->needs, &animation->channels[i])) {
            c->uses[sampler->input] |= sampler->interpolation == GT_INTERPOLATION_STEP ? USED | USED_BY_STEPS : USED;
            c->gap_max_s = sampler->interpolation == GT_INTERPOLATION_CUBICSPLINE ? fill_s : c->gap_max_s;
        }
    }
    size_t room = 2; // the ends
    for (int32_t i = 0; i < scene->accessor_count; ++i) {
        size_t parts = c->uses[i] & USED_BY_STEPS ? 2 : c->uses[i] ? 1 : 0;
        room += parts * (size_t)scene->accessors[i].count;
    }
    c->times_s = gt_arena_push_array(scratch, room, sizeof *c->times_s);
    return c->times_s ? GT_OK : gti_out_of_memory(c->decoder->error);
}

static GtResult read_keys(GtiDecoder* decoder, int32_t accessor, const float** keys_s)
{
    char where[32];
    snprintf(where, sizeof where, "accessors[%d]", (int)accessor);
    return gti_decode_floats(decoder, accessor, where, keys_s);
}

// All keys that matter, in order and each once, with both ends of the range.
static GtResult collect_keys(Collector* c, const GtiPlotTimes* range)
{
    GtResult result = find_keys(c);
    const GtScene* scene = c->decoder->scene;
    for (int32_t i = 0; result == GT_OK && i < scene->accessor_count; ++i) {
        const float* keys_s = NULL;
        uint64_t key_count = c->uses[i] ? scene->accessors[i].count : 0;
        result = c->uses[i] ? read_keys(c->decoder, i, &keys_s) : GT_OK;
        for (uint64_t k = 0; result == GT_OK && k < key_count; ++k) {
            double key_s = (double)keys_s[k];
            double before_s = nextafter(key_s, -HUGE_VAL);
            if ((c->uses[i] & USED_BY_STEPS) && before_s > range->from_s && before_s < range->to_s) {
                c->times_s[c->count++] = before_s;
            }
            if (key_s > range->from_s && key_s < range->to_s) {
                c->times_s[c->count++] = key_s;
            }
        }
    }
    if (result != GT_OK) {
        return result;
    }
    c->times_s[c->count++] = range->from_s;
    c->times_s[c->count++] = range->to_s;
    qsort(c->times_s, c->count, sizeof *c->times_s, compare_times);
    size_t kept = 1;
    for (size_t i = 1; i < c->count; ++i) {
        if (c->times_s[i] > c->times_s[kept - 1]) {
            c->times_s[kept++] = c->times_s[i];
        }
    }
    c->count = kept;
    return GT_OK;
}

// Intervals that a gap between two keys is cut into.
static size_t cuts(const Collector* c, const GtiPlotTimes* range, double gap_s)
{
    double piece_s = fmax(fill_s, (range->to_s - range->from_s) / fill_most);
    return gap_s > fmax(c->gap_max_s, piece_s) ? (size_t)ceil(gap_s / piece_s) : 1;
}

static GtResult too_many(GtError* error, double count)
{
    return gti_fail(error, GT_ERROR_LIMIT,
                    "%.0f samples are more than the %d a curve can have; ask for a lower rate or a shorter time", count,
                    (int)GT_PLOT_SERIES_MAX_SAMPLES);
}

static GtResult fill_gaps(Collector* c, GtiPlotTimes* out)
{
    size_t count = 1;
    for (size_t i = 1; i < c->count; ++i) {
        count += cuts(c, out, c->times_s[i] - c->times_s[i - 1]);
    }
    if (count > GT_PLOT_SERIES_MAX_SAMPLES) {
        return too_many(c->decoder->error, (double)count);
    }
    out->times_s = gt_arena_push_array(c->arena, count, sizeof *out->times_s);
    if (!out->times_s) {
        return gti_out_of_memory(c->decoder->error);
    }
    out->times_s[out->count++] = c->times_s[0];
    for (size_t i = 1; i < c->count; ++i) {
        double gap_s = c->times_s[i] - c->times_s[i - 1];
        size_t pieces = cuts(c, out, gap_s);
        for (size_t p = 1; p < pieces; ++p) {
            double between_s = c->times_s[i - 1] + gap_s * ((double)p / (double)pieces);
            if (between_s > out->times_s[out->count - 1] && between_s < c->times_s[i]) {
                out->times_s[out->count++] = between_s;
            }
        }
        out->times_s[out->count++] = c->times_s[i];
    }
    return GT_OK;
}

static GtResult even_times(GtArena* arena, double rate_hz, GtiPlotTimes* out, GtError* error)
{
    double count = floor((out->to_s - out->from_s) * rate_hz * (1.0 + 1e-9) + 1e-6) + 1.0;
    if (!(count <= GT_PLOT_SERIES_MAX_SAMPLES)) {
        return too_many(error, count);
    }
    out->times_s = gt_arena_push_array(arena, (size_t)count, sizeof *out->times_s);
    if (!out->times_s) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < (int32_t)count; ++i) {
        double time_s = out->from_s + i / rate_hz;
        if (i == 0 || time_s > out->times_s[out->count - 1]) {
            out->times_s[out->count++] = time_s;
        }
    }
    return GT_OK;
}

static float read_key_s(const GtScene* scene, int32_t accessor, uint64_t key)
{
    float key_s = 0.0f;
    gt_accessor_read_floats(scene, accessor, key, 1, &key_s);
    return key_s;
}

// Times of the whole clip, whether the curves depend on it or not, and its frame: the mean time between the keys of the
// curve that has the most.
static GtResult measure_clip(GtiDecoder* decoder, const GtAnimation* animation, GtiPlotTimes* out)
{
    const GtScene* scene = decoder->scene;
    bool* seen = gt_arena_push_array(&decoder->arena, (size_t)scene->accessor_count, sizeof *seen);
    if (!seen) {
        return gti_out_of_memory(decoder->error);
    }
    uint64_t most = 1;
    bool is_first = true;
    out->frame_s = fill_s;
    for (int32_t i = 0; i < animation->channel_count; ++i) {
        const GtAnimationChannel* channel = &animation->channels[i];
        int32_t input = animation->samplers[channel->sampler].input;
        if (channel->node == GT_NONE || channel->path == GT_PATH_OTHER || seen[input]) {
            continue;
        }
        uint64_t count = scene->accessors[input].count;
        double first_s = (double)read_key_s(scene, input, 0);
        double last_s = (double)read_key_s(scene, input, count - 1);
        out->clip_start_s = is_first ? first_s : fmin(out->clip_start_s, first_s);
        out->end_s = is_first ? last_s : fmax(out->end_s, last_s);
        if (count > most) {
            most = count;
            out->frame_s = (last_s - first_s) / (double)(count - 1);
            out->start_s = (double)read_key_s(scene, input, 1); // where the first is a T-pose
        }
        seen[input] = true;
        is_first = false;
    }
    out->frame_s = out->frame_s <= frame_max_s ? fmax(out->frame_s, frame_min_s) : fill_s;
    if (!animation->tpose_first || most == 1) {
        out->start_s = out->clip_start_s;
    }
    return GT_OK;
}

static GtResult choose_range(GtiDecoder* decoder, const GtPlotSeriesDef* def, GtiPlotTimes* out)
{
    *out = (GtiPlotTimes){ 0 };
    GtResult result = measure_clip(decoder, &decoder->scene->animations[def->animation], out);
    if (result != GT_OK) {
        return result;
    }
    out->from_s = isnan(def->from_s) ? out->start_s : def->from_s;
    out->to_s = isnan(def->to_s) ? out->end_s : def->to_s;
    if (out->from_s < out->start_s) { // the T-pose is asked for
        out->start_s = out->clip_start_s;
    }
    if (!(fabs(out->from_s) <= FLT_MAX && fabs(out->to_s) <= FLT_MAX && out->from_s <= out->to_s)) {
        return gti_fail(decoder->error, GT_ERROR_BAD_VALUE,
                        "from %g s to %g s there is no time; the clip runs from %g s to %g s", out->from_s, out->to_s,
                        out->clip_start_s, out->end_s);
    }
    return GT_OK;
}

GtResult gti_plot_times(GtiDecoder* decoder, GtArena* arena, const GtiPlotNeeds* needs, const GtPlotSeriesDef* def,
                        GtiPlotTimes* out)
{
    GtResult result = choose_range(decoder, def, out);
    if (result == GT_OK && def->frame_rate_hz != 0.0) {
        return even_times(arena, def->frame_rate_hz, out, decoder->error);
    }
    Collector c = { .decoder = decoder, .arena = arena, .needs = needs, .gap_max_s = sparse_s };
    if (result == GT_OK) {
        result = collect_keys(&c, out);
    }
    return result == GT_OK ? fill_gaps(&c, out) : result;
}

GtResult gti_plot_source_keys(GtiDecoder* decoder, GtArena* arena, int32_t animation, const GtiPlotSource* source,
                              const GtiPlotTimes* times, const double** keys_s, int32_t* key_count)
{
    const GtScene* scene = decoder->scene;
    const GtAnimation* from = &scene->animations[animation];
    int32_t input = GT_NONE;
    for (int32_t i = 0; i < from->channel_count; ++i) {
        if (gti_plot_source_is_driven(source, &from->channels[i])) {
            input = from->samplers[from->channels[i].sampler].input; // of several the last one plays
        }
    }
    *keys_s = NULL;
    *key_count = 0;
    const float* all_s = NULL;
    GtResult result = input != GT_NONE ? read_keys(decoder, input, &all_s) : GT_OK;
    if (result != GT_OK || input == GT_NONE) {
        return result;
    }
    uint64_t count = scene->accessors[input].count;
    double* kept_s = gt_arena_push_array(arena, (size_t)count, sizeof *kept_s);
    if (!kept_s) {
        return gti_out_of_memory(decoder->error);
    }
    for (uint64_t i = 0; i < count; ++i) {
        double key_s = (double)all_s[i];
        if (key_s >= times->times_s[0] && key_s <= times->times_s[times->count - 1]) {
            kept_s[(*key_count)++] = key_s;
        }
    }
    *keys_s = kept_s;
    return GT_OK;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Sampling series: the clip is played by the runtime at every time, once for all series, and twice more where
// velocities are asked for, a frame before and a frame after.
// Invariant: what comes out is finite. Samples that are not, because keys near the largest floats overflowed, are left
// out and counted.

#include "gertie/plot.h"

#include "base/fail.h"
#include "base/scalar.h"
#include "render/plot/times.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double most_work = 1e9; // matrices and tracks: a minute; a skeleton of 300 joints has a million frames

enum {
    TIMES_A_REPORT = 1024 // samples between two reports of progress
};

// The character at one time.
typedef struct Moment {
    double time_s;
    GtTransform* pose;        // [node_count]
    float* weights;           // [weight_count]
    GtMat34* model_from_node; // [node_count]
} Moment;

typedef struct Sampler {
    const GtContext* context;
    const GtScene* scene;
    const char* const* addresses;
    GtiPlotSource* sources; // [source_count] one an address
    int32_t* items;         // [source_count] runtime node or weight
    int32_t source_count;
    GtiPlotNeeds needs;
    GtCharacter* character;
    GtClip* clip;
    int32_t track_count;
    int32_t* chain; // [chain_count] nodes whose place matters, parents first
    int32_t chain_count;
    GtiPlotTimes times;
    Moment now, before, after;
    bool needs_neighbours;
    GtArena* arena;   // of the result
    GtArena* scratch; //
    float** values;   // [curve_count]
    GtError* error;
} Sampler;

static const char* const quantity_names[GT_QUANTITY_COUNT] = {
    "translation", "scaled translation", "position", "speed", "angle", "rotation", "scale", "weight"
};
static const char* const quantity_units[GT_QUANTITY_COUNT] = {
    "m", "parent's units", "m", "m/s", "degrees", "", "", ""
};

const char* gt_quantity_name(GtQuantity quantity)
{
    return (unsigned)quantity < GT_QUANTITY_COUNT ? quantity_names[quantity] : "";
}

const char* gt_quantity_unit(GtQuantity quantity)
{
    return (unsigned)quantity < GT_QUANTITY_COUNT ? quantity_units[quantity] : "";
}

GtPlotSeriesDef gt_default_plot_series_def(void)
{
    return (GtPlotSeriesDef){ .animation = 0, .from_s = NAN, .to_s = NAN };
}

static GtResult check_def(const GtScene* scene, const GtPlotSeriesDef* def, int32_t address_count, GtError* error)
{
    if (scene->animation_count == 0) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "there is no clip, so there are no curves over time");
    }
    if (def->animation < 0 || def->animation >= scene->animation_count) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "there is no clip %d; there are %d", (int)def->animation,
                        (int)scene->animation_count);
    }
    if (!(def->frame_rate_hz >= 0.0 && def->frame_rate_hz <= 1e6)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "%g samples a second are out of range", def->frame_rate_hz);
    }
    if (address_count < 1) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "no curve is asked for");
    }
    return GT_OK;
}

static GtResult make_moment(Sampler* s, Moment* out)
{
    const GtCharacterDef* def = gt_character_def(s->character);
    size_t node_count = (size_t)def->node_count;
    size_t weight_count = (size_t)def->weight_count;
    out->pose = gt_arena_push_array(s->scratch, node_count, sizeof *out->pose);
    out->weights = gt_arena_push_array(s->scratch, weight_count, sizeof *out->weights);
    out->model_from_node = gt_arena_push_array(s->scratch, node_count, sizeof *out->model_from_node);
    if (!out->pose || !out->weights || !out->model_from_node) {
        return gti_out_of_memory(s->error);
    }
    for (size_t i = 0; i < node_count; ++i) {
        out->pose[i] = def->rest[i];
    }
    for (size_t i = 0; i < weight_count; ++i) {
        out->weights[i] = def->rest_weights[i];
    }
    return GT_OK;
}

// Where a source's node or morph weight is in the character.
static GtResult find_item(Sampler* s, int32_t index)
{
    const GtiPlotSource* source = &s->sources[index];
    if (source->kind == GTI_PLOT_SOURCE_CHANNEL && source->channel.kind == GT_CHANNEL_CAMERA_FOV) {
        return GT_OK;
    }
    int32_t node = gt_character_node_from_source(s->character, source->channel.target);
    s->items[index] = node;
    if (source->kind != GTI_PLOT_SOURCE_CHANNEL || source->channel.kind != GT_CHANNEL_MORPH) {
        return GT_OK;
    }
    const GtCharacterDef* def = gt_character_def(s->character);
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        if (def->meshes[m].node == node) {
            s->items[index] = def->meshes[m].first_weight + source->channel.item;
            return GT_OK;
        }
    }
    return gti_fail_at(s->error, GT_ERROR_UNSUPPORTED, s->addresses[index], "its mesh has no surface to morph");
}

static GtResult prepare_sources(Sampler* s, bool* needs_meshes)
{
    size_t count = (size_t)s->source_count;
    s->sources = gt_arena_push_array(s->scratch, count, sizeof *s->sources);
    s->items = gt_arena_push_array(s->scratch, count, sizeof *s->items);
    if (!s->sources || !s->items) {
        return gti_out_of_memory(s->error);
    }
    for (int32_t i = 0; i < s->source_count; ++i) {
        GtResult result = gti_plot_source_resolve(s->context, s->scene, s->addresses[i], &s->sources[i], s->error);
        if (result != GT_OK) {
            return result;
        }
        const GtiPlotSource* source = &s->sources[i];
        s->needs_neighbours |= source->kind == GTI_PLOT_SOURCE_VELOCITY || source->kind == GTI_PLOT_SOURCE_SPEED;
        *needs_meshes |= source->kind == GTI_PLOT_SOURCE_CHANNEL && source->channel.kind == GT_CHANNEL_MORPH;
    }
    return GT_OK;
}

static GtResult find_chain(Sampler* s)
{
    const GtCharacterDef* def = gt_character_def(s->character);
    s->chain = gt_arena_push_array(s->scratch, (size_t)def->node_count, sizeof *s->chain);
    for (int32_t i = 0; s->chain && i < def->node_count; ++i) {
        if (s->needs.in_chain[def->source_nodes[i]]) {
            s->chain[s->chain_count++] = i;
        }
    }
    return s->chain ? GT_OK : gti_out_of_memory(s->error);
}

static GtResult prepare(Sampler* s, const GtPlotSeriesDef* def)
{
    bool needs_meshes = false;
    GtResult result = prepare_sources(s, &needs_meshes);
    if (result == GT_OK) {
        result = gti_plot_needs_create(s->scratch, s->scene, def->animation, s->sources, s->source_count, &s->needs,
                                       s->error);
    }
    GtBuildDef build = gt_default_build_def();
    build.joints_only = !needs_meshes;
    if (result == GT_OK) {
        result = gt_character_build(s->context, s->scene, &build, &s->character, NULL, s->error);
    }
    if (result == GT_OK) {
        result =
            gti_plot_needs_build(s->context, s->scratch, &s->needs, s->character, &s->clip, &s->track_count, s->error);
    }
    if (result == GT_OK) {
        result = find_chain(s);
    }
    for (int32_t i = 0; result == GT_OK && i < s->source_count; ++i) {
        result = find_item(s, i);
    }
    Moment* moments[] = { &s->now, &s->before, &s->after };
    for (int i = 0; result == GT_OK && i < 3; ++i) {
        result = make_moment(s, moments[i]);
    }
    return result;
}

static void pose_at(const Sampler* s, double time_s, Moment* out)
{
    out->time_s = time_s;
    gt_clip_sample(s->clip, time_s, out->pose, out->weights);
    const int32_t* parents = gt_character_def(s->character)->parents;
    for (int32_t i = 0; i < s->chain_count; ++i) {
        int32_t node = s->chain[i];
        GtMat34 local = gt_mat34_from_transform(out->pose[node]);
        int32_t parent = parents[node];
        out->model_from_node[node] = parent == GT_NONE ? local : gt_mat34_mul(out->model_from_node[parent], local);
    }
}

static void velocity_of(const Sampler* s, int32_t node, double out[3])
{
    GtVec3 a = gt_mat34_translation(&s->before.model_from_node[node]);
    GtVec3 b = gt_mat34_translation(&s->after.model_from_node[node]);
    double interval_s = s->after.time_s - s->before.time_s;
    double per_s = interval_s > 0.0 ? 1.0 / interval_s : 0.0; // a motion of one moment stands still
    out[0] = ((double)b.x - (double)a.x) * per_s;
    out[1] = ((double)b.y - (double)a.y) * per_s;
    out[2] = ((double)b.z - (double)a.z) * per_s;
}

static void put_vec3(GtVec3 v, double out[4])
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static void evaluate_channel(const Sampler* s, const GtChannel* channel, int32_t item, double out[4])
{
    switch (channel->kind) {
    case GT_CHANNEL_TRANSLATION:
        put_vec3(s->now.pose[item].translation, out);
        break;
    case GT_CHANNEL_ROTATION: {
        GtQuat q = s->now.pose[item].rotation;
        put_vec3(gt_vec3(q.x, q.y, q.z), out);
        out[3] = (double)q.w;
        break;
    }
    case GT_CHANNEL_SCALE:
        put_vec3(s->now.pose[item].scale, out);
        break;
    case GT_CHANNEL_MORPH:
        out[0] = (double)s->now.weights[item];
        break;
    case GT_CHANNEL_CAMERA_FOV:
        out[0] = gt_degrees((double)s->scene->cameras[channel->target].fov_y_rad);
        break;
    case GT_CHANNEL_KIND_COUNT:
        break;
    }
}

// All components of a source at the present moment.
static void evaluate(const Sampler* s, int32_t index, double out[4])
{
    const GtiPlotSource* source = &s->sources[index];
    int32_t item = s->items[index];
    switch (source->kind) {
    case GTI_PLOT_SOURCE_CHANNEL:
        evaluate_channel(s, &source->channel, item, out);
        break;
    case GTI_PLOT_SOURCE_POSITION:
        put_vec3(gt_mat34_translation(&s->now.model_from_node[item]), out);
        break;
    case GTI_PLOT_SOURCE_VELOCITY:
        velocity_of(s, item, out);
        break;
    case GTI_PLOT_SOURCE_SPEED:
        velocity_of(s, item, out);
        out[0] = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
        break;
    case GTI_PLOT_SOURCE_ANGLE: {
        GtQuat rest = gt_quat_normalize(gt_character_def(s->character)->rest[item].rotation);
        out[0] = gt_degrees((double)gt_quat_angle_rad(rest, s->now.pose[item].rotation));
        break;
    }
    }
}

// Of q and -q, which are one rotation, the one nearer to the sample before.
static void keep_sign(double q[4], double last[4])
{
    double dot = q[0] * last[0] + q[1] * last[1] + q[2] * last[2] + q[3] * last[3];
    for (int k = 0; k < 4; ++k) {
        q[k] = dot < 0.0 ? -q[k] : q[k];
        last[k] = q[k];
    }
}

static GtResult sample_all(Sampler* s)
{
    double(*last)[4] = gt_arena_push_array(s->scratch, (size_t)s->source_count, sizeof *last);
    if (!last) {
        return gti_out_of_memory(s->error);
    }
    const GtiPlotTimes* times = &s->times;
    for (int32_t t = 0; t < times->count; ++t) {
        if (t % TIMES_A_REPORT == 0) {
            GtResult result = gti_progress(s->context, s->error, "sampling", (double)t / (double)times->count);
            if (result != GT_OK) {
                return result;
            }
        }
        double time_s = times->times_s[t];
        pose_at(s, time_s, &s->now);
        if (s->needs_neighbours) {
            pose_at(s, gti_clamp(time_s - times->frame_s, times->start_s, times->end_s), &s->before);
            pose_at(s, gti_clamp(time_s + times->frame_s, times->start_s, times->end_s), &s->after);
        }
        int32_t curve = 0;
        for (int32_t i = 0; i < s->source_count; ++i) {
            const GtiPlotSource* source = &s->sources[i];
            double value[4] = { 0 };
            evaluate(s, i, value);
            if (source->quantity == GT_QUANTITY_ROTATION) {
                keep_sign(value, last[i]);
            }
            for (int32_t k = 0; k < source->component_count; ++k) {
                s->values[curve++][t] = (float)value[source->first_component + k];
            }
        }
    }
    return GT_OK;
}

// A small file can share its keys among very many tracks.
static GtResult check_work(const Sampler* s)
{
    double poses = (double)s->times.count * (s->needs_neighbours ? 3.0 : 1.0);
    if (poses * ((double)s->chain_count + (double)s->track_count) > most_work) {
        return gti_fail(s->error, GT_ERROR_LIMIT,
                        "%d samples of %d joints in a row and %d tracks are too much; ask for a lower rate or a "
                        "shorter time",
                        (int)s->times.count, (int)s->chain_count, (int)s->track_count);
    }
    return GT_OK;
}

// Leave out what is not finite. A series with gaps has times of its own.
static GtResult drop_gaps(Sampler* s, GtPlotSeries* series, float* values)
{
    for (int32_t t = 0; t < s->times.count; ++t) {
        series->dropped_count += !isfinite(values[t]);
    }
    if (series->dropped_count == 0) {
        return GT_OK;
    }
    if (series->dropped_count == s->times.count) {
        return gti_fail_at(s->error, GT_ERROR_BAD_VALUE, series->address, "no value of this curve is a finite number");
    }
    GtResult result =
        gti_repair(s->context, s->error, NULL, series->address, "%d of %d samples are not finite and are left out",
                   (int)series->dropped_count, (int)s->times.count);
    double* times_s = gt_arena_push_array(s->arena, (size_t)s->times.count, sizeof *times_s);
    if (result != GT_OK || !times_s) {
        return result != GT_OK ? result : gti_out_of_memory(s->error);
    }
    series->sample_count = 0;
    for (int32_t t = 0; t < s->times.count; ++t) {
        if (isfinite(values[t])) {
            times_s[series->sample_count] = s->times.times_s[t];
            values[series->sample_count++] = values[t];
        }
    }
    series->times_s = times_s;
    return GT_OK;
}

static void measure(GtPlotSeries* series)
{
    double first = (double)series->values[0];
    double area = 0.0; // above the first value, so that a constant is its own mean to the last digit
    series->min = first;
    series->max = first;
    for (int32_t t = 1; t < series->sample_count; ++t) {
        double value = (double)series->values[t];
        double interval_s = series->times_s[t] - series->times_s[t - 1];
        area += interval_s * 0.5 * ((double)series->values[t - 1] - first + (value - first));
        series->min = fmin(series->min, value);
        series->max = fmax(series->max, value);
    }
    double duration_s = series->times_s[series->sample_count - 1] - series->times_s[0];
    series->mean = duration_s > 0.0 ? gti_clamp(first + area / duration_s, series->min, series->max) : first;
}

static GtResult name_series(Sampler* s, int32_t index, int32_t component, GtPlotSeries* series)
{
    const GtiPlotSource* source = &s->sources[index];
    size_t length = strlen(s->addresses[index]);
    char* address = gt_arena_push(s->arena, length + sizeof ".x");
    if (!address) {
        return gti_out_of_memory(s->error);
    }
    memcpy(address, s->addresses[index], length + 1);
    if (source->component_count > 1) {
        snprintf(address + length, sizeof ".x", ".%c", "xyzw"[component]);
    }
    series->address = address;
    series->property = source->property;
    series->quantity = source->quantity;
    series->sample_count = s->times.count;
    series->times_s = s->times.times_s;
    return GT_OK;
}

// Allocate the samples, the name and the keys of every series.
static GtResult make_series(Sampler* s, GtiDecoder* decoder, int32_t animation, GtPlotSeries** out, int32_t* out_count)
{
    size_t count = 0;
    for (int32_t i = 0; i < s->source_count; ++i) {
        count += (size_t)s->sources[i].component_count;
    }
    GtPlotSeries* series = gt_arena_push_array(s->arena, count, sizeof *series);
    s->values = gt_arena_push_array(s->scratch, count, sizeof *s->values);
    if (!series || !s->values) {
        return gti_out_of_memory(s->error);
    }
    *out_count = 0;
    for (int32_t i = 0; i < s->source_count; ++i) {
        const double* keys_s = NULL;
        int32_t key_count = 0;
        GtResult result =
            gti_plot_source_keys(decoder, s->arena, animation, &s->sources[i], &s->times, &keys_s, &key_count);
        for (int32_t k = 0; result == GT_OK && k < s->sources[i].component_count; ++k) {
            GtPlotSeries* one = &series[*out_count];
            float* values = gt_arena_push_array(s->arena, (size_t)s->times.count, sizeof *values);
            result = values ? name_series(s, i, k, one) : gti_out_of_memory(s->error);
            one->values = values;
            one->key_times_s = keys_s;
            one->key_count = key_count;
            s->values[(*out_count)++] = values;
        }
        if (result != GT_OK) {
            return result;
        }
    }
    *out = series;
    return GT_OK;
}

static GtResult run(Sampler* s, const GtPlotSeriesDef* def, GtPlotSeriesSet* out)
{
    GtResult result = prepare(s, def);
    GtiDecoder decoder = { 0 };
    if (result == GT_OK) {
        result = gti_decoder_create(s->context, s->scene, &decoder, s->error);
        if (result == GT_OK) {
            result = gti_plot_times(&decoder, s->arena, &s->needs, def, &s->times);
        }
        if (result == GT_OK) {
            result = check_work(s);
        }
        GtPlotSeries* series = NULL;
        if (result == GT_OK) {
            result = make_series(s, &decoder, def->animation, &series, &out->count);
        }
        gti_decoder_destroy(&decoder);
        if (result == GT_OK) {
            result = sample_all(s);
        }
        for (int32_t i = 0; result == GT_OK && i < out->count; ++i) {
            result = drop_gaps(s, &series[i], s->values[i]);
            if (result == GT_OK) {
                measure(&series[i]);
            }
        }
        out->series = series;
        out->start_s = s->times.from_s;
        out->end_s = s->times.to_s;
    }
    return result;
}

GtResult gt_plot_series_sample(const GtContext* context, const GtScene* scene, const char* const* addresses,
                               int32_t address_count, const GtPlotSeriesDef* def, GtPlotSeriesSet** out, GtError* error)
{
    def = def ? def : (GtPlotSeriesDef[]){ gt_default_plot_series_def() };
    *out = NULL;
    GtResult result = check_def(scene, def, address_count, error);
    if (result != GT_OK) {
        return result;
    }
    GtArena arena = gt_arena_create(context->allocator);
    GtArena scratch = gt_arena_create(context->allocator);
    GtPlotSeriesSet* set = gt_arena_push_array(&arena, 1, sizeof *set);
    Sampler s = {
        .context = context,
        .scene = scene,
        .addresses = addresses,
        .source_count = address_count,
        .arena = &arena,
        .scratch = &scratch,
        .error = error,
    };
    result = set ? run(&s, def, set) : gti_out_of_memory(error);
    gt_clip_destroy(s.clip);
    gt_character_destroy(s.character);
    gt_arena_destroy(&scratch);
    if (result != GT_OK) {
        gt_arena_destroy(&arena);
        return result;
    }
    set->arena = arena;
    *out = set;
    return GT_OK;
}

void gt_plot_series_set_destroy(GtPlotSeriesSet* set)
{
    if (set) {
        GtArena arena = set->arena; // which holds `set` itself
        gt_arena_destroy(&arena);
    }
}

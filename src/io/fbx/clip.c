// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Samples as channels of a scene's animation. The numbers of a model are written where they stay, in a buffer of its
// own that is made to measure; channels with the same times share them.

#include "io/fbx/animation.h"

#include "base/fail.h"
#include "gertie/scene.h"

#include <math.h>

enum {
    RECENT_SETS = 16, // lists of times that a new one is compared with
    MAX_COLUMNS = 3   // channels of a model
};

#define STILL_TOLERANCE 1e-6f // of values against each other, relative from 1 on

typedef struct GtiFbxTimeSet {
    const float* times; // [count] in a buffer of the scene
    size_t count;
    int32_t accessor;
} GtiFbxTimeSet;

typedef struct GtiFbxChannel {
    int32_t node;
    GtAnimationPath path;
    int32_t input; // accessors
    int32_t output;
} GtiFbxChannel;

typedef enum ColumnKind {
    COLUMN_AT_REST,
    COLUMN_STILL, // elsewhere
    COLUMN_MOVES
} ColumnKind;

// Neighbouring numbers of the samples' rows that make a channel.
typedef struct Column {
    ColumnKind kind;
    size_t first;
    size_t width;
    const float* rest;
    int32_t node;
    GtAnimationPath path;
} Column;

// A buffer that is being filled.
typedef struct ClipBuffer {
    int32_t view;
    float* floats;
    size_t used;
} ClipBuffer;

GtResult gti_fbx_clip_make(GtiFbxReader* reader, int32_t most_channels, double ticks_per_s, GtiFbxClip* out)
{
    size_t most = (size_t)most_channels;
    *out = (GtiFbxClip){ .reader = reader, .ticks_per_s = ticks_per_s, .most_channels = most_channels };
    out->sets = gt_arena_push_array(&reader->arena, most, sizeof *out->sets);
    out->channels = gt_arena_push_array(&reader->arena, most, sizeof *out->channels);
    return out->sets && out->channels ? GT_OK : gti_out_of_memory(reader->error);
}

void gti_fbx_clip_start(GtiFbxClip* clip, int64_t begin, int64_t end)
{
    clip->begin = begin;
    clip->end = end;
    clip->set_count = 0;
    clip->channel_count = 0;
}

static float seconds_of(const GtiFbxClip* clip, int64_t time)
{
    return (float)((double)(time - clip->begin) / clip->ticks_per_s);
}

// An earlier set of the same times, or GT_NONE.
static int32_t find_set(const GtiFbxClip* clip, const float* times, size_t count)
{
    for (int32_t i = clip->set_count - 1; i >= 0 && i >= clip->set_count - RECENT_SETS; --i) {
        const GtiFbxTimeSet* set = &clip->sets[i];
        if (set->count == count && memcmp(set->times, times, count * sizeof *times) == 0) {
            return i;
        }
    }
    return GT_NONE;
}

// Times in seconds, strictly growing. Where two are the same as floats the former moves a little down, so that a jump
// stays one, or is left out where there is no place. Rows of `samples` that are left out are closed up.
static void make_times(const GtiFbxClip* clip, GtiFbxSamples* samples, float* times)
{
    size_t width = (size_t)samples->width;
    size_t count = 0;
    for (size_t i = 0; i < samples->count; ++i) {
        float time = seconds_of(clip, samples->times[i]);
        if (count > 0 && times[count - 1] >= time) {
            float lower = nextafterf(time, -INFINITY);
            if (count > 1 && lower > times[count - 2]) {
                times[count - 1] = lower;
            } else {
                --count;
            }
        }
        times[count] = time;
        samples->times[count] = samples->times[i];
        if (count != i) {
            memcpy(samples->rows + count * width, samples->rows + i * width, width * sizeof *samples->rows);
        }
        ++count;
    }
    samples->count = count;
}

static bool is_near(const float* a, const float* b, size_t width)
{
    for (size_t i = 0; i < width; ++i) {
        if (!(fabsf(a[i] - b[i]) <= STILL_TOLERANCE * fmaxf(1.0f, fabsf(b[i])))) {
            return false;
        }
    }
    return true;
}

// Neighbouring rotations on the same side, so that they can be interpolated as they are.
static void align_rotations(GtiFbxSamples* samples)
{
    for (size_t i = 1; i < samples->count; ++i) {
        const float* before = samples->rows + (i - 1) * (size_t)samples->width + 3;
        float* q = samples->rows + i * (size_t)samples->width + 3;
        if (before[0] * q[0] + before[1] * q[1] + before[2] * q[2] + before[3] * q[3] < 0.0f) {
            for (int k = 0; k < 4; ++k) {
                q[k] = -q[k];
            }
        }
    }
}

static GtResult add_accessor(GtiFbxClip* clip, const ClipBuffer* buffer, GtElementType type, size_t count,
                             int32_t* index)
{
    GtAccessor accessor = {
        .view = buffer->view,
        .offset = buffer->used * sizeof(float),
        .component_type = GT_COMPONENT_FLOAT,
        .element_type = type,
        .count = count,
    };
    return gt_scene_add_accessor(clip->reader->scene, &accessor, index, clip->reader->error);
}

static GtResult begin_buffer(GtiFbxClip* clip, size_t count, ClipBuffer* out)
{
    GtiFbxReader* reader = clip->reader;
    uint8_t* bytes = NULL;
    GtBufferView whole = { .size = count * sizeof *out->floats };
    GtBuffer buffer = { .blob = gt_blob_create(reader->context->allocator, whole.size, &bytes) };
    if (!buffer.blob) {
        return gti_out_of_memory(reader->error);
    }
    *out = (ClipBuffer){ .floats = (float*)bytes };
    GtResult result = gt_scene_add_buffer(reader->scene, &buffer, &whole.buffer, reader->error);
    return result == GT_OK ? gt_scene_add_buffer_view(reader->scene, &whole, &out->view, reader->error) : result;
}

static GtResult add_set(GtiFbxClip* clip, ClipBuffer* buffer, const float* times, size_t count, int32_t* index)
{
    GtScene* scene = clip->reader->scene;
    double* bounds = gt_scene_push(scene, 2, sizeof *bounds);
    if (!bounds) {
        return gti_out_of_memory(clip->reader->error);
    }
    bounds[0] = (double)times[0];
    bounds[1] = (double)times[count - 1];
    GtiFbxTimeSet* set = &clip->sets[clip->set_count];
    *set = (GtiFbxTimeSet){ buffer->floats + buffer->used, count, GT_NONE };
    GtResult result = add_accessor(clip, buffer, GT_ELEMENT_SCALAR, count, &set->accessor);
    if (result == GT_OK) {
        memcpy(buffer->floats + buffer->used, times, count * sizeof *times);
        buffer->used += count;
        scene->accessors[set->accessor].min = &bounds[0];
        scene->accessors[set->accessor].max = &bounds[1];
        *index = clip->set_count++;
    }
    return result;
}

static GtResult add_channel(GtiFbxClip* clip, ClipBuffer* buffer, const Column* column, const GtiFbxTimeSet* set,
                            const GtiFbxSamples* samples)
{
    size_t step = column->kind == COLUMN_STILL ? 0 : (size_t)samples->width;
    bool is_weights = column->path == GT_PATH_WEIGHTS;
    GtElementType type = is_weights                         ? GT_ELEMENT_SCALAR
                         : column->path == GT_PATH_ROTATION ? GT_ELEMENT_VEC4
                                                            : GT_ELEMENT_VEC3;
    GT_ASSERT(clip->channel_count < clip->most_channels);
    GtiFbxChannel* channel = &clip->channels[clip->channel_count++];
    *channel = (GtiFbxChannel){ .node = column->node, .path = column->path, .input = set->accessor };
    GtResult result = add_accessor(clip, buffer, type, set->count * (is_weights ? column->width : 1), &channel->output);
    float* out = buffer->floats + buffer->used;
    for (size_t i = 0; i < set->count && result == GT_OK; ++i) {
        memcpy(out + i * column->width, samples->rows + column->first + i * step, column->width * sizeof *out);
    }
    buffer->used += set->count * column->width;
    return result;
}

static ColumnKind kind_of(const Column* column, const GtiFbxSamples* samples)
{
    const float* start = samples->rows + column->first;
    for (size_t i = 1; i < samples->count; ++i) {
        if (!is_near(start + i * (size_t)samples->width, start, column->width)) {
            return COLUMN_MOVES;
        }
    }
    return is_near(start, column->rest, column->width) ? COLUMN_AT_REST : COLUMN_STILL;
}

// Put those columns that are not at rest into a buffer.
// @param times  [samples->count] of scratch
static GtResult add_columns(GtiFbxClip* clip, const Column* columns, int32_t count, GtiFbxSamples* samples,
                            float* times)
{
    const float ends[2] = { 0.0f, seconds_of(clip, clip->end) };
    int32_t key_set = GT_NONE;
    int32_t end_set = GT_NONE;
    size_t widths[COLUMN_MOVES + 1] = { 0 };
    for (int32_t i = 0; i < count; ++i) {
        widths[columns[i].kind] += columns[i].width;
    }
    size_t size = 0;
    if (widths[COLUMN_MOVES]) {
        make_times(clip, samples, times);
        key_set = find_set(clip, times, samples->count);
        size += samples->count * (widths[COLUMN_MOVES] + (key_set == GT_NONE));
    }
    if (widths[COLUMN_STILL]) {
        end_set = find_set(clip, ends, 2);
        size += 2 * (widths[COLUMN_STILL] + (end_set == GT_NONE));
    }
    if (size == 0) {
        return GT_OK;
    }
    ClipBuffer buffer;
    GtResult result = begin_buffer(clip, size, &buffer);
    if (result == GT_OK && widths[COLUMN_MOVES] && key_set == GT_NONE) {
        result = add_set(clip, &buffer, times, samples->count, &key_set);
    }
    if (result == GT_OK && widths[COLUMN_STILL] && end_set == GT_NONE) {
        result = add_set(clip, &buffer, ends, 2, &end_set);
    }
    for (int32_t i = 0; i < count && result == GT_OK; ++i) {
        if (columns[i].kind != COLUMN_AT_REST) {
            const GtiFbxTimeSet* set = &clip->sets[columns[i].kind == COLUMN_MOVES ? key_set : end_set];
            result = add_channel(clip, &buffer, &columns[i], set, samples);
        }
    }
    return result;
}

static GtResult add_samples(GtiFbxClip* clip, Column* columns, int32_t count, GtiFbxSamples* samples)
{
    GtArena* arena = &clip->reader->arena;
    GtArenaMark mark = gt_arena_mark(arena);
    float* times = gt_arena_push(arena, samples->count * sizeof *times);
    for (int32_t i = 0; i < count; ++i) {
        columns[i].kind = kind_of(&columns[i], samples);
    }
    GtResult result =
        times ? add_columns(clip, columns, count, samples, times) : gti_out_of_memory(clip->reader->error);
    gt_arena_reset(arena, mark);
    return result;
}

GtResult gti_fbx_clip_add_transform(GtiFbxClip* clip, const GtiFbxModel* model, GtiFbxSamples* samples)
{
    const GtScene* scene = clip->reader->scene;
    GtTransform rest = scene->nodes[model->node].local;
    rest.scale = scene->nodes[model->scaled_node].local.scale;
    float translation[3] = { rest.translation.x, rest.translation.y, rest.translation.z };
    float rotation[4] = { rest.rotation.x, rest.rotation.y, rest.rotation.z, rest.rotation.w };
    float scale[3] = { rest.scale.x, rest.scale.y, rest.scale.z };
    const float* q = samples->rows + 3;
    if (q[0] * rotation[0] + q[1] * rotation[1] + q[2] * rotation[2] + q[3] * rotation[3] < 0.0f) {
        for (int i = 0; i < 4; ++i) {
            rotation[i] = -rotation[i];
        }
    }
    align_rotations(samples);
    Column columns[MAX_COLUMNS] = {
        { .first = 0, .width = 3, .rest = translation, .node = model->node, .path = GT_PATH_TRANSLATION },
        { .first = 3, .width = 4, .rest = rotation, .node = model->node, .path = GT_PATH_ROTATION },
        { .first = 7, .width = 3, .rest = scale, .node = model->scaled_node, .path = GT_PATH_SCALE },
    };
    return add_samples(clip, columns, MAX_COLUMNS, samples);
}

GtResult gti_fbx_clip_add_weights(GtiFbxClip* clip, const GtiFbxModel* model, GtiFbxSamples* samples)
{
    GtiFbxReader* reader = clip->reader;
    const GtNode* node = &reader->scene->nodes[model->mesh_node];
    const GtMesh* mesh = node->mesh != GT_NONE ? &reader->scene->meshes[node->mesh] : NULL;
    if (!mesh || mesh->target_count != samples->width) {
        return GT_OK; // the mesh was left out
    }
    GtArenaMark mark = gt_arena_mark(&reader->arena);
    float* rest = gt_arena_push_array(&reader->arena, (size_t)samples->width, sizeof *rest);
    if (!rest) {
        return gti_out_of_memory(reader->error);
    }
    const float* given = node->weight_count == samples->width   ? node->weights
                         : mesh->weight_count == samples->width ? mesh->weights
                                                                : NULL;
    if (given) {
        memcpy(rest, given, (size_t)samples->width * sizeof *rest);
    }
    Column column = {
        .width = (size_t)samples->width, .rest = rest, .node = model->mesh_node, .path = GT_PATH_WEIGHTS
    };
    GtResult result = add_samples(clip, &column, 1, samples);
    gt_arena_reset(&reader->arena, mark);
    return result;
}

// A channel that keeps a node's rotation as it is.
static GtResult add_still(GtiFbxClip* clip, int32_t node)
{
    GtQuat q = clip->reader->scene->nodes[node].local.rotation;
    float row[4] = { q.x, q.y, q.z, q.w };
    GtiFbxSamples samples = { .rows = row, .count = 1, .width = 4 };
    Column column = { .kind = COLUMN_STILL, .width = 4, .node = node, .path = GT_PATH_ROTATION };
    return add_columns(clip, &column, 1, &samples, NULL);
}

GtResult gti_fbx_clip_finish(GtiFbxClip* clip, const char* name, int32_t still_node)
{
    GtScene* scene = clip->reader->scene;
    GtResult result = clip->channel_count ? GT_OK : add_still(clip, still_node);
    size_t count = (size_t)clip->channel_count;
    GtAnimationSampler* samplers = gt_scene_push(scene, count, sizeof *samplers);
    GtAnimationChannel* channels = gt_scene_push(scene, count, sizeof *channels);
    if (result == GT_OK && (!samplers || !channels)) {
        result = gti_out_of_memory(clip->reader->error);
    }
    for (int32_t i = 0; i < clip->channel_count && result == GT_OK; ++i) {
        const GtiFbxChannel* channel = &clip->channels[i];
        samplers[i] = (GtAnimationSampler){ .input = channel->input,
                                            .output = channel->output,
                                            .interpolation = GT_INTERPOLATION_LINEAR };
        channels[i] = (GtAnimationChannel){ .sampler = i, .node = channel->node, .path = channel->path };
    }
    GtAnimation animation = { .name = name,
                              .samplers = samplers,
                              .sampler_count = clip->channel_count,
                              .channels = channels,
                              .channel_count = clip->channel_count };
    return result == GT_OK ? gt_scene_add_animation(scene, &animation, NULL, clip->reader->error) : result;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Samples as channels of a scene's animation. All numbers of a clip go into one buffer; channels with the same times
// share them.

#include "io/fbx/animation.h"

#include "base/fail.h"
#include "base/memory.h"
#include "gertie/scene.h"

#include <math.h>

enum {
    RECENT_SETS = 16, // lists of times that a new one is compared with
    FIRST_CAPACITY = 4096
};

#define STILL_TOLERANCE 1e-6f // of values against each other, relative from 1 on

typedef struct GtiFbxTimeSet {
    size_t first; // float of the clip's data
    size_t count;
    int32_t accessor;
} GtiFbxTimeSet;

typedef struct GtiFbxChannel {
    int32_t node;
    GtAnimationPath path;
    int32_t set;
    size_t first; // float of the clip's data
    size_t width;
} GtiFbxChannel;

GtResult gti_fbx_clip_make(GtiFbxReader* reader, int32_t most_channels, double ticks_per_s, GtiFbxClip* out)
{
    size_t most = (size_t)most_channels;
    *out = (GtiFbxClip){ .reader = reader, .ticks_per_s = ticks_per_s, .most_channels = most_channels };
    out->sets = gt_arena_push_array(&reader->arena, most, sizeof *out->sets);
    out->channels = gt_arena_push_array(&reader->arena, most, sizeof *out->channels);
    return out->sets && out->channels ? GT_OK : gti_out_of_memory(reader->error);
}

void gti_fbx_clip_release(GtiFbxClip* clip)
{
    GtAllocator allocator = clip->reader->context->allocator;
    allocator.release(allocator.user, clip->data);
    clip->data = NULL;
}

void gti_fbx_clip_start(GtiFbxClip* clip, int64_t begin, int64_t end)
{
    clip->begin = begin;
    clip->end = end;
    clip->used = 0;
    clip->set_count = 0;
    clip->channel_count = 0;
}

// Memory for further floats at the end of the clip's data; NULL when it ran out.
static float* push_floats(GtiFbxClip* clip, size_t count)
{
    size_t need = 0;
    size_t bytes = 0;
    if (!gti_size_add(clip->used, count, &need) || !gti_size_mul(need, 2 * sizeof(float), &bytes)) {
        return NULL;
    }
    if (need > clip->capacity) {
        size_t capacity = clip->capacity ? clip->capacity : FIRST_CAPACITY;
        capacity = need > 2 * capacity ? need : 2 * capacity;
        float* data = gti_reallocate(clip->reader->context->allocator, clip->data, clip->used * sizeof *data,
                                     capacity * sizeof *data);
        if (!data) {
            return NULL;
        }
        clip->data = data;
        clip->capacity = capacity;
    }
    float* floats = clip->data + clip->used;
    clip->used = need;
    return floats;
}

static float seconds_of(const GtiFbxClip* clip, int64_t time)
{
    return (float)((double)(time - clip->begin) / clip->ticks_per_s);
}

// The set of the times just pushed at the end of the data, or an earlier one that is the same.
static int32_t share_times(GtiFbxClip* clip, size_t first, size_t count)
{
    for (int32_t i = clip->set_count - 1; i >= 0 && i >= clip->set_count - RECENT_SETS; --i) {
        const GtiFbxTimeSet* set = &clip->sets[i];
        if (set->count == count &&
            memcmp(clip->data + set->first, clip->data + first, count * sizeof *clip->data) == 0) {
            clip->used = first;
            return i;
        }
    }
    clip->sets[clip->set_count] = (GtiFbxTimeSet){ first, count, GT_NONE };
    return clip->set_count++;
}

// Times in seconds, strictly growing. Where two are the same as floats the former moves a little down, so that a jump
// stays one, or is left out where there is no place. Rows of `samples` that are left out are closed up.
static GtResult push_times(GtiFbxClip* clip, GtiFbxSamples* samples, int32_t* set)
{
    size_t first = clip->used;
    float* times = push_floats(clip, samples->count);
    size_t width = (size_t)samples->width;
    size_t count = 0;
    if (!times) {
        return gti_out_of_memory(clip->reader->error);
    }
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
        memmove(samples->rows + count * width, samples->rows + i * width, width * sizeof *samples->rows);
        ++count;
    }
    samples->count = count;
    clip->used = first + count;
    *set = share_times(clip, first, count);
    return GT_OK;
}

// The first and last time of the clip.
static GtResult push_ends(GtiFbxClip* clip, int32_t* set)
{
    size_t first = clip->used;
    float* times = push_floats(clip, 2);
    if (!times) {
        return gti_out_of_memory(clip->reader->error);
    }
    times[0] = 0.0f;
    times[1] = seconds_of(clip, clip->end);
    *set = share_times(clip, first, 2);
    return GT_OK;
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

// Columns [column, column + width) of the samples as a channel; *set is GT_NONE until the samples' times are needed.
static GtResult add_channel(GtiFbxClip* clip, GtiFbxSamples* samples, size_t column, size_t width, const float* rest,
                            int32_t node, GtAnimationPath path, int32_t* set)
{
    size_t row_width = (size_t)samples->width;
    const float* start = samples->rows + column;
    bool still = true;
    for (size_t i = 1; i < samples->count && still; ++i) {
        still = is_near(start + i * row_width, start, width);
    }
    if (still && is_near(start, rest, width)) {
        return GT_OK;
    }
    GT_ASSERT(clip->channel_count < clip->most_channels);
    GtiFbxChannel* channel = &clip->channels[clip->channel_count];
    *channel = (GtiFbxChannel){ .node = node, .path = path, .width = width };
    GtResult result = GT_OK;
    if (still) {
        result = push_ends(clip, &channel->set);
    } else if (*set == GT_NONE) {
        result = push_times(clip, samples, set);
        channel->set = *set;
    } else {
        channel->set = *set;
    }
    if (result != GT_OK) {
        return result;
    }
    size_t count = still ? 2 : samples->count;
    channel->first = clip->used;
    float* out = push_floats(clip, count * width);
    if (!out) {
        return gti_out_of_memory(clip->reader->error);
    }
    for (size_t i = 0; i < count; ++i) {
        memcpy(out + i * width, start + (still ? 0 : i * row_width), width * sizeof *out);
    }
    ++clip->channel_count;
    return GT_OK;
}

GtResult gti_fbx_clip_add_transform(GtiFbxClip* clip, const GtiFbxModel* model, GtiFbxSamples* samples)
{
    const GtScene* scene = clip->reader->scene;
    GtTransform rest = scene->nodes[model->node].local;
    rest.scale = scene->nodes[model->scaled_node].local.scale;
    int32_t set = GT_NONE;
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
    GtResult result = add_channel(clip, samples, 0, 3, translation, model->node, GT_PATH_TRANSLATION, &set);
    if (result == GT_OK) {
        result = add_channel(clip, samples, 3, 4, rotation, model->node, GT_PATH_ROTATION, &set);
    }
    if (result == GT_OK) {
        result = add_channel(clip, samples, 7, 3, scale, model->scaled_node, GT_PATH_SCALE, &set);
    }
    return result;
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
    int32_t set = GT_NONE;
    GtResult result =
        add_channel(clip, samples, 0, (size_t)samples->width, rest, model->mesh_node, GT_PATH_WEIGHTS, &set);
    gt_arena_reset(&reader->arena, mark);
    return result;
}

static GtResult add_accessor(GtiFbxClip* clip, int32_t view, size_t first, GtElementType type, size_t count,
                             int32_t* index)
{
    GtAccessor accessor = {
        .view = view,
        .offset = first * sizeof(float),
        .component_type = GT_COMPONENT_FLOAT,
        .element_type = type,
        .count = count,
    };
    return gt_scene_add_accessor(clip->reader->scene, &accessor, index, clip->reader->error);
}

static GtResult add_times(GtiFbxClip* clip, int32_t view, GtiFbxTimeSet* set)
{
    GtScene* scene = clip->reader->scene;
    double* bounds = gt_scene_push(scene, 2, sizeof *bounds);
    if (!bounds) {
        return gti_out_of_memory(clip->reader->error);
    }
    bounds[0] = (double)clip->data[set->first];
    bounds[1] = (double)clip->data[set->first + set->count - 1];
    GtResult result = add_accessor(clip, view, set->first, GT_ELEMENT_SCALAR, set->count, &set->accessor);
    if (result == GT_OK) {
        scene->accessors[set->accessor].min = &bounds[0];
        scene->accessors[set->accessor].max = &bounds[1];
    }
    return result;
}

static GtResult add_buffer(GtiFbxClip* clip, int32_t* view)
{
    GtiFbxReader* reader = clip->reader;
    uint8_t* bytes = NULL;
    GtBufferView whole = { .size = clip->used * sizeof *clip->data };
    GtBuffer buffer = { .blob = gt_blob_create(reader->context->allocator, whole.size, &bytes) };
    if (!buffer.blob) {
        return gti_out_of_memory(reader->error);
    }
    memcpy(bytes, clip->data, whole.size);
    GtResult result = gt_scene_add_buffer(reader->scene, &buffer, &whole.buffer, reader->error);
    return result == GT_OK ? gt_scene_add_buffer_view(reader->scene, &whole, view, reader->error) : result;
}

// A channel that keeps a node's rotation as it is.
static GtResult add_still(GtiFbxClip* clip, int32_t node)
{
    GtQuat q = clip->reader->scene->nodes[node].local.rotation;
    GtiFbxChannel* channel = &clip->channels[clip->channel_count++];
    *channel = (GtiFbxChannel){ .node = node, .path = GT_PATH_ROTATION, .width = 4 };
    GtResult result = push_ends(clip, &channel->set);
    channel->first = clip->used;
    float* out = result == GT_OK ? push_floats(clip, 8) : NULL;
    if (!out) {
        return gti_out_of_memory(clip->reader->error);
    }
    for (int i = 0; i < 2; ++i) {
        memcpy(out + 4 * (size_t)i, (float[4]){ q.x, q.y, q.z, q.w }, 4 * sizeof *out);
    }
    return GT_OK;
}

GtResult gti_fbx_clip_finish(GtiFbxClip* clip, const char* name, int32_t still_node)
{
    GtScene* scene = clip->reader->scene;
    GtResult result = clip->channel_count ? GT_OK : add_still(clip, still_node);
    int32_t view = GT_NONE;
    if (result == GT_OK) {
        result = add_buffer(clip, &view);
    }
    for (int32_t i = 0; i < clip->set_count && result == GT_OK; ++i) {
        result = add_times(clip, view, &clip->sets[i]);
    }
    size_t count = (size_t)clip->channel_count;
    GtAnimationSampler* samplers = gt_scene_push(scene, count, sizeof *samplers);
    GtAnimationChannel* channels = gt_scene_push(scene, count, sizeof *channels);
    if (result == GT_OK && (!samplers || !channels)) {
        result = gti_out_of_memory(clip->reader->error);
    }
    for (int32_t i = 0; i < clip->channel_count && result == GT_OK; ++i) {
        const GtiFbxChannel* channel = &clip->channels[i];
        const GtiFbxTimeSet* set = &clip->sets[channel->set];
        bool is_weights = channel->path == GT_PATH_WEIGHTS;
        GtElementType type = is_weights                          ? GT_ELEMENT_SCALAR
                             : channel->path == GT_PATH_ROTATION ? GT_ELEMENT_VEC4
                                                                 : GT_ELEMENT_VEC3;
        samplers[i] = (GtAnimationSampler){ .input = set->accessor, .interpolation = GT_INTERPOLATION_LINEAR };
        channels[i] = (GtAnimationChannel){ .sampler = i, .node = channel->node, .path = channel->path };
        result = add_accessor(clip, view, channel->first, type, set->count * (is_weights ? channel->width : 1),
                              &samplers[i].output);
    }
    GtAnimation animation = { .name = name,
                              .samplers = samplers,
                              .sampler_count = clip->channel_count,
                              .channels = channels,
                              .channel_count = clip->channel_count };
    return result == GT_OK ? gt_scene_add_animation(scene, &animation, NULL, clip->reader->error) : result;
}

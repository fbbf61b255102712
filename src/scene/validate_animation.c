// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Validation of animations: times that do not go back, values that are finite, of the right shape and number.

#include "scene/validate.h"

#include "gertie/accessor.h"

#include "base/fail.h"

#include <math.h>

enum {
    CHUNK = 1024
};

#define SCALAR (1u << GT_ELEMENT_SCALAR)
#define VEC3   (1u << GT_ELEMENT_VEC3)
#define VEC4   (1u << GT_ELEMENT_VEC4)

// Times are finite and do not decrease. Equal neighbours are repaired: the later key counts.
static GtResult check_times(const GtiValidation* v, int32_t accessor, GtiPlace place)
{
    if (v->checked[accessor].flags & GTI_CHECKED_TIMES) {
        return GT_OK;
    }
    const GtAccessor* a = &v->scene->accessors[accessor];
    GtResult result = gti_check_finite(v, accessor, place);
    if (result != GT_OK) {
        return result;
    }
    float last = -INFINITY;
    uint64_t equal = 0;
    for (uint64_t first = 0; first < a->count; first += CHUNK) {
        float times[CHUNK];
        uint64_t count = a->count - first < CHUNK ? a->count - first : CHUNK;
        gt_accessor_read_floats(v->scene, accessor, first, count, times);
        for (uint64_t i = 0; i < count; ++i) {
            if (times[i] < last) {
                return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "time goes back from %g s to %g s at key %llu",
                                   (double)last, (double)times[i], (unsigned long long)(first + i));
            }
            equal += times[i] == last;
            last = times[i];
        }
    }
    v->checked[accessor].flags |= GTI_CHECKED_TIMES;
    if (equal) {
        return gti_repairable(v, place, "%llu keys stand at the same time as the one before; the later one counts",
                              (unsigned long long)equal);
    }
    return GT_OK;
}

static unsigned shapes_of(GtAnimationPath path)
{
    switch (path) {
    case GT_PATH_ROTATION:
        return VEC4;
    case GT_PATH_WEIGHTS:
        return SCALAR;
    case GT_PATH_TRANSLATION:
    case GT_PATH_SCALE:
        return VEC3;
    default:
        return 0xFFu;
    }
}

static GtResult check_sampler(const GtiValidation* v, int32_t a, int32_t s)
{
    const GtAnimationSampler* sampler = &v->scene->animations[a].samplers[s];
    GtiPlace place = gti_place("animations[#].samplers[#].input", a, s, 0, NULL);
    if ((unsigned)sampler->interpolation > GT_INTERPOLATION_CUBICSPLINE) {
        return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "interpolation %d is none", (int)sampler->interpolation);
    }
    GtResult result = gti_check_accessor(v, sampler->input, SCALAR, place);
    if (result == GT_OK && v->scene->accessors[sampler->input].count > INT32_MAX) {
        return gti_invalid(v, GT_ERROR_LIMIT, place, "holds %llu keys; the limit is %d",
                           (unsigned long long)v->scene->accessors[sampler->input].count, INT32_MAX);
    }
    if (result == GT_OK && v->scene->accessors[sampler->input].count == 0) {
        return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "holds no keys");
    }
    if (result == GT_OK) {
        result = check_times(v, sampler->input, place);
    }
    if (result != GT_OK) {
        return result;
    }
    place = gti_place("animations[#].samplers[#].output", a, s, 0, NULL);
    result = gti_check_accessor(v, sampler->output, 0xFFu, place);
    return result == GT_OK ? gti_check_finite(v, sampler->output, place) : result;
}

// Morph targets a weights channel drives, or 0 when its node has none.
static uint64_t target_count(const GtScene* scene, int32_t node)
{
    int32_t mesh = scene->nodes[node].mesh;
    return mesh == GT_NONE ? 0 : (uint64_t)scene->meshes[mesh].target_count;
}

static GtResult check_channel(const GtiValidation* v, int32_t a, int32_t c)
{
    const GtScene* scene = v->scene;
    const GtAnimation* animation = &scene->animations[a];
    const GtAnimationChannel* channel = &animation->channels[c];
    GtiPlace place = gti_place("animations[#].channels[#]", a, c, 0, NULL);
    GtResult result = gti_check_index(v, channel->sampler, animation->sampler_count, false, "samplers", place);
    if (result == GT_OK) {
        result = gti_check_index(v, channel->node, scene->node_count, true, "nodes", place);
    }
    if (result != GT_OK || channel->node == GT_NONE || channel->path == GT_PATH_OTHER) {
        return result;
    }
    if ((unsigned)channel->path > GT_PATH_OTHER) {
        return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "path %d is none", (int)channel->path);
    }
    const GtAnimationSampler* sampler = &animation->samplers[channel->sampler];
    result = gti_check_accessor(v, sampler->output, shapes_of(channel->path), place);
    if (result != GT_OK) {
        return result;
    }
    uint64_t keys = scene->accessors[sampler->input].count;
    uint64_t values = scene->accessors[sampler->output].count;
    uint64_t wanted = keys * (sampler->interpolation == GT_INTERPOLATION_CUBICSPLINE ? 3 : 1);
    if (channel->path == GT_PATH_WEIGHTS) {
        uint64_t targets = target_count(scene, channel->node);
        if (targets == 0) {
            return gti_repairable(v, place,
                                  "drives morph weights of node %d, which has no morph targets; it is left out",
                                  (int)channel->node);
        }
        wanted *= targets;
    }
    if (values != wanted) {
        return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "%llu keys need %llu values, but there are %llu",
                           (unsigned long long)keys, (unsigned long long)wanted, (unsigned long long)values);
    }
    return GT_OK;
}

GtResult gti_validate_animations(const GtiValidation* v)
{
    GtResult result = GT_OK;
    for (int32_t a = 0; a < v->scene->animation_count; ++a) {
        const GtAnimation* animation = &v->scene->animations[a];
        for (int32_t s = 0; s < animation->sampler_count && result == GT_OK; ++s) {
            result = check_sampler(v, a, s);
        }
        for (int32_t c = 0; c < animation->channel_count && result == GT_OK; ++c) {
            result = check_channel(v, a, c);
        }
    }
    return result;
}

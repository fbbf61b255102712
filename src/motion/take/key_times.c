// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "motion/take/key_times.h"

#include "base/fail.h"

#include "gertie/accessor.h"

#include <math.h>

enum {
    MAX_FRAMES = 1 << 20
};

// Above this rate, keys at uneven times are not an animator's, but those of a curve that was cut into straight pieces.
static const double densest_hz = 60.0;
static const float even_enough = 1.5f; // the longest of the times between keys, over the shortest

// The sampler with the most keys.
static int32_t finest_input(const GtScene* motion, const GtAnimation* animation, uint64_t* count)
{
    int32_t input = GT_NONE;
    *count = 0;
    for (int32_t s = 0; s < animation->sampler_count; ++s) {
        uint64_t keys = motion->accessors[animation->samplers[s].input].count;
        if (keys > *count) {
            *count = keys;
            input = animation->samplers[s].input;
        }
    }
    return input;
}

static bool are_uneven(const float* times, int32_t count)
{
    float shortest = INFINITY;
    float longest = 0.0f;
    for (int32_t i = 1; i < count; ++i) {
        shortest = fminf(shortest, times[i] - times[i - 1]);
        longest = fmaxf(longest, times[i] - times[i - 1]);
    }
    return longest > even_enough * shortest;
}

// Dense keys at uneven times, which serve their own curve alone, become even ones from the first to the last.
static void even_out(float* times, int32_t* count)
{
    double start_s = (double)times[0];
    double length_s = (double)times[*count - 1] - start_s;
    double frames = ceil(length_s * densest_hz);
    if ((double)*count <= frames + 1.0 || !are_uneven(times, *count)) {
        return;
    }
    for (int32_t i = 0; i <= (int32_t)frames; ++i) {
        times[i] = (float)(start_s + length_s * (double)i / frames);
    }
    *count = (int32_t)frames + 1;
}

GtResult gti_key_times(const GtiKeyTimesDef* def, GtArena* arena, float** times, int32_t* count, GtError* error)
{
    const GtScene* motion = def->scene;
    const GtAnimation* animation = &motion->animations[def->animation];
    float from_s = (float)def->start_s, to_s = (float)def->end_s;
    uint64_t most = 0;
    int32_t input = finest_input(motion, animation, &most);
    if (def->step_s > 0.0) {
        double frames = floor((def->end_s - (double)from_s) / def->step_s + 1e-6) + 1.0;
        most = frames > MAX_FRAMES ? (uint64_t)MAX_FRAMES + 1 : (uint64_t)frames;
    }
    if (most > MAX_FRAMES) {
        return gti_fail(error, GT_ERROR_LIMIT, "the clip would have more than %d frames; ask for a lower rate",
                        (int)MAX_FRAMES);
    }
    *count = 0;
    *times = gt_arena_push_array(arena, (size_t)most + 1, sizeof **times);
    if (!*times) {
        return gti_out_of_memory(error);
    }
    if (def->step_s > 0.0 && input != GT_NONE) {
        for (uint64_t i = 0; i < most; ++i) {
            (*times)[(*count)++] = (float)((double)from_s + (double)i * def->step_s);
        }
    } else if (input != GT_NONE) {
        float* t = *times;
        gt_accessor_read_floats(motion, input, 0, most, t);
        for (uint64_t i = 0; i < most; ++i) { // in place: drop what is outside, and times that repeat
            if (t[i] >= from_s && t[i] <= to_s && (*count == 0 || t[i] > t[*count - 1])) {
                t[(*count)++] = t[i];
            }
        }
        if (*count > 2) {
            even_out(t, count);
        }
    }
    return *count ? GT_OK : gti_fail(error, GT_ERROR_BAD_VALUE, "the animation has no keys");
}

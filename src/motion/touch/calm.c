// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Hands of captures can be deep inside of what they touch. Which side of it they are on is a guess then, and must not
// change from one frame to the next: places are smoothed over time, the more the deeper they are.

#include "motion/touch/touch.h"

#include "motion/take/take.h"

#include <math.h>

static const float DEEP = 0.25f;  // of the way from the skin to the bone, from which on, and twice which fully
static const float DEEP_S = 0.2f; // before and after, in which places are smoothed ever less
static const float CALM_S = 0.1f; // standard deviation, of what is deep

static float depth_of(const GtiTouchSample* sample, const GtiTouchPart* part)
{
    float depth = -sample->at.height_m / fmaxf(gti_skin_radius(part, sample->at), 1e-6f);
    return sample->weight > 0.0f ? gti_smooth_step((double)((depth - DEEP) / DEEP)) : 0.0f;
}

// From one frame on one way, whatever is deep makes all that is near it less certain.
static void spread(const GtiTouches* touches, float* depths, int32_t frame, int way)
{
    float deep = depths[frame], at_s = touches->times[frame];
    for (int32_t f = frame + way; deep > 0.0f && f >= 0 && f < touches->frame_count; f += way) {
        float left = deep * (1.0f - fabsf(touches->times[f] - at_s) / DEEP_S);
        if (!(left > depths[f])) { // what is beyond is spread from there
            break;
        }
        depths[f] = left;
    }
}

static GtiSkinPlace mean_place(const GtiTouches* touches, const GtiTouchTrack* track, int32_t frame, float deviation_s)
{
    const GtiTouchSample* samples = track->samples;
    double along = 0.0, sine = 0.0, cosine = 0.0, total = 0.0;
    for (int way = -1; way <= 1; way += 2) {
        int32_t f = way < 0 ? frame : frame + 1;
        for (; f >= 0 && f < touches->frame_count && samples[f].weight > 0.0f; f += way) {
            double u = (double)((touches->times[f] - touches->times[frame]) / deviation_s), share = exp(-0.5 * u * u);
            if (fabs(u) > 3.0) {
                break;
            }
            along += share * (double)samples[f].at.along;
            sine += share * sin((double)samples[f].at.around_rad);
            cosine += share * cos((double)samples[f].at.around_rad);
            total += share;
        }
    }
    return (GtiSkinPlace){ (float)(along / total), (float)atan2(sine, cosine), samples[frame].at.height_m };
}

GtResult gti_touch_calm(const GtiTouches* touches, const GtiTouchTrack* track, const GtiTouchPart* part,
                        GtArena* scratch, GtError* error)
{
    size_t count = (size_t)touches->frame_count;
    float* depths = gt_arena_push_array(scratch, count, sizeof *depths);
    GtiSkinPlace* calm = gt_arena_push_array(scratch, count, sizeof *calm);
    if (!depths || !calm) {
        return gti_out_of_memory(error);
    }
    for (int32_t f = 0; f < touches->frame_count; ++f) {
        depths[f] = depth_of(&track->samples[f], part);
    }
    for (int32_t f = 0; f < touches->frame_count; ++f) {
        spread(touches, depths, f, 1);
    }
    for (int32_t f = touches->frame_count - 1; f >= 0; --f) {
        spread(touches, depths, f, -1);
    }
    for (int32_t f = 0; f < touches->frame_count; ++f) {
        bool is_sure = !(depths[f] > 0.0f) || !(track->samples[f].weight > 0.0f);
        calm[f] = is_sure ? track->samples[f].at : mean_place(touches, track, f, CALM_S * depths[f]);
    }
    for (int32_t f = 0; f < touches->frame_count; ++f) {
        track->samples[f].at = calm[f];
    }
    return GT_OK;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/clips.h"

#include "base/fail.h"
#include "base/format.h"
#include "report/measure_parts.h"

#include <math.h>
#include <string.h>

const GtiClipNumberInfo gti_clip_number_infos[GTI_CLIP_NUMBER_COUNT] = {
    [GTI_CLIP_SEVERITY] = { "severity", "worst moment", "× visible",
                            "how much the worst moment is beyond what a viewer would notice; below 1 nobody sees it", 1,
                            INFINITY, INFINITY },
    [GTI_CLIP_FRAMES] = { "frames", "frames", "count", "keys that were written", 0, INFINITY, INFINITY },
    [GTI_CLIP_SECONDS] = { "duration_s", "length", "s", "of the clip when it is played", 2, INFINITY, INFINITY },
    [GTI_CLIP_CONTACTS] = { "contacts", "contacts", "count",
                            "times that a foot stands: a heel or toe of the motion slower than 0.15 m/s and less than "
                            "6 cm above the lowest that it usually is, for 80 ms or more",
                            0, INFINITY, INFINITY },
    [GTI_CLIP_SKATE_MM] = { "skate_m", "skate", "mm", "how far the sole slides while the foot stands", 1, 10.0, 30.0 },
    [GTI_CLIP_FLOAT_MM] = { "float_m", "float", "mm", "how high the sole is above the ground while the foot stands", 1,
                            5.0, 15.0 },
    [GTI_CLIP_PENETRATION_MM] = { "penetration_m", "penetration", "mm", "how deep a sole is below the ground", 1, 5.0,
                                  15.0 },
    [GTI_CLIP_KNEE_ACCELERATION] = { "knee_acceleration_ratio", "knee acceleration", "× source",
                                     "largest angular acceleration of a knee, over that of the motion", 2, 1.25, 2.0 },
    [GTI_CLIP_KNEE_JERK] = { "knee_jerk_ratio", "knee jerk", "× source",
                             "root mean square of the angular jerk of a knee, over that of the motion", 2, 1.25, 2.0 },
    [GTI_CLIP_DIRECTION_DEG] = { "direction_mean_deg", "direction error", "°",
                                 "how far joints point away from those of the motion, mean over joints and frames", 1,
                                 3.0, 8.0 },
    [GTI_CLIP_FLIP_DEG] = { "extra_rotation_deg", "jump in a frame", "°",
                            "most that a joint rotates from a frame to the next beyond what it does in the motion", 1,
                            10.0, 30.0 },
    [GTI_CLIP_FLIGHT_MM] = { "flight_miss_m", "off free fall", "mm",
                             "how far the centre of mass leaves the path of free fall while both feet are in the air",
                             0, 20.0, 60.0 },
};

void gti_clips_destroy(GtBatchClips* clips)
{
    gt_arena_destroy(&clips->arena);
    *clips = (GtBatchClips){ .arena = clips->arena };
}

GtiBatchClip* gti_clips_add(GtBatchClips* clips, const char* name, const char* worst, const char* row, size_t row_size)
{
    GtiBatchClip* clip = gt_arena_push(&clips->arena, sizeof *clip);
    const char* own_name = gt_arena_push_text(&clips->arena, name, strlen(name));
    const char* own_worst = gt_arena_push_text(&clips->arena, worst, strlen(worst));
    const char* own_row = gt_arena_push_text(&clips->arena, row, row_size);
    if (!clip || !own_name || !own_worst || !own_row) {
        return NULL;
    }
    *clip = (GtiBatchClip){ .name = own_name, .worst = own_worst, .row = own_row };
    for (int i = 0; i < GTI_CLIP_NUMBER_COUNT; ++i) {
        clip->numbers[i] = NAN;
    }
    *(clips->last ? &clips->last->next : &clips->first) = clip;
    clips->last = clip;
    ++clips->count;
    return clip;
}

static void set_numbers(double* numbers, const GtMeasure* m)
{
    const GtFootMeasure* l = &m->feet[0];
    const GtFootMeasure* r = &m->feet[1];
    numbers[GTI_CLIP_SEVERITY] = m->worst_count ? m->worst[0].severity : 0.0;
    numbers[GTI_CLIP_FRAMES] = m->frame_count;
    numbers[GTI_CLIP_SECONDS] = m->end_s - m->start_s;
    if (m->is_humanoid) { // fmax passes over NAN
        numbers[GTI_CLIP_CONTACTS] = l->contact_count + r->contact_count;
        numbers[GTI_CLIP_SKATE_MM] = 1000.0 * fmax(l->skate_m, r->skate_m);
        numbers[GTI_CLIP_FLOAT_MM] = 1000.0 * fmax(l->float_m, r->float_m);
        numbers[GTI_CLIP_PENETRATION_MM] = 1000.0 * fmax(l->penetration_m, r->penetration_m);
        numbers[GTI_CLIP_KNEE_ACCELERATION] = fmax(m->knees[0].acceleration_ratio, m->knees[1].acceleration_ratio);
        numbers[GTI_CLIP_KNEE_JERK] = fmax(m->knees[0].jerk_ratio, m->knees[1].jerk_ratio);
        numbers[GTI_CLIP_FLIGHT_MM] = 1000.0 * gti_worst_flight_miss_m(m);
    }
    numbers[GTI_CLIP_DIRECTION_DEG] = gt_degrees(m->direction_mean_rad);
    numbers[GTI_CLIP_FLIP_DEG] = gt_degrees(m->flip.extra_turn_rad);
}

GtResult gt_batch_add_clip(GtBatchClips* clips, const char* name, const char* row, const GtMeasure* measure,
                           GtError* error)
{
    char worst[sizeof measure->worst[0].what + 32] = "";
    if (measure && measure->worst_count) {
        gti_format(worst, sizeof worst, "%s at %.1f s", measure->worst[0].what, measure->worst[0].time_s);
    }
    GtiBatchClip* clip = gti_clips_add(clips, name, worst, row, strlen(row));
    if (clip && measure) {
        set_numbers(clip->numbers, measure);
    }
    return clip ? GT_OK : gti_out_of_memory(error);
}

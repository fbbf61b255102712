// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "motion/contact/footprint.h"

#include <math.h>
#include <string.h>

// A heel rolls on what is behind its mark. A ball that stands does not roll: when it comes up over the tip of the
// toes, it no longer stands.
static void choose_points(GtiFootprints* prints)
{
    const GtiTread* sole = prints->sole;
    GtVec3* points = prints->recent[0];
    gti_tread_points(sole, sole->figure->reference, sole->figure->instance->weights, sole->scratch, points);
    for (int32_t i = 0; i < sole->point_count; ++i) {
        int part = sole->parts[i];
        prints->parts[i] = GT_NONE;
        if (part == GTI_LEFT_HEEL || part == GTI_RIGHT_HEEL) {
            GtVec3 back = gt_vec3_sub(points[sole->marks[part]], points[sole->marks[part + 1]]);
            GtVec3 beyond = gt_vec3_sub(points[i], points[sole->marks[part]]);
            prints->parts[i] = (int8_t)(back.x * beyond.x + back.z * beyond.z >= 0.0f ? part : GT_NONE);
        }
    }
}

bool gti_footprints_begin(GtArena* arena, const GtiTread* sole, int32_t frame_count, double start_s, double step_s,
                          GtiFootprints* out)
{
    size_t count = (size_t)frame_count;
    *out = (GtiFootprints){ .sole = sole,
                            .frame_count = frame_count,
                            .start_s = start_s,
                            .step_s = step_s,
                            .size = gti_figure_size(sole->figure) };
    out->marks = gt_arena_push_array(arena, count * GTI_SOLE_PART_COUNT, sizeof *out->marks);
    out->lows = gt_arena_push_array(arena, count * GTI_SOLE_PART_COUNT, sizeof *out->lows);
    out->slips_mps = gt_arena_push_array(arena, count * GTI_SOLE_PART_COUNT, sizeof *out->slips_mps);
    out->hips = gt_arena_push_array(arena, count, sizeof *out->hips);
    out->parts = gt_arena_push_array(arena, (size_t)sole->point_count, sizeof *out->parts);
    bool ok = out->marks && out->lows && out->slips_mps && out->hips && out->parts;
    for (int i = 0; i < 3 && ok; ++i) {
        out->recent[i] = gt_arena_push_array(arena, (size_t)sole->point_count, sizeof *out->recent[i]);
        ok = out->recent[i] != NULL;
    }
    if (ok) {
        choose_points(out);
    }
    return ok;
}

static int32_t lowest_of(const GtiFootprints* prints, const GtVec3* points, int part)
{
    int32_t lowest = prints->sole->marks[part];
    for (int32_t i = 0; i < prints->sole->point_count; ++i) {
        lowest = prints->parts[i] == part && points[i].y < points[lowest].y ? i : lowest;
    }
    return lowest;
}

// The point that is the lowest in a frame, from the frame before it to the one after.
static void put_slips(GtiFootprints* prints, int32_t frame, const GtVec3* before, const GtVec3* here,
                      const GtVec3* after, double span_s)
{
    for (int part = 0; part < GTI_SOLE_PART_COUNT; ++part) {
        int32_t lowest = lowest_of(prints, here, part);
        size_t at = (size_t)part * (size_t)prints->frame_count + (size_t)frame;
        double way_m = (double)gt_vec3_length(gt_vec3_sub(after[lowest], before[lowest]));
        prints->slips_mps[at] = span_s > 0.0 ? (float)(way_m / span_s) : 0.0f;
    }
}

void gti_footprints_add(GtiFootprints* prints, const GtVec3* points, GtVec3 hips)
{
    int32_t frame = prints->added++;
    GtVec3* now = prints->recent[0];
    prints->recent[0] = prints->recent[1];
    prints->recent[1] = prints->recent[2];
    prints->recent[2] = now;
    memcpy(now, points, (size_t)prints->sole->point_count * sizeof *now);
    prints->hips[frame] = hips;
    for (int part = 0; part < GTI_SOLE_PART_COUNT; ++part) {
        size_t at = (size_t)part * (size_t)prints->frame_count + (size_t)frame;
        prints->marks[at] = points[prints->sole->marks[part]];
        prints->lows[at] = points[lowest_of(prints, points, part)].y;
    }
    const GtVec3* last = prints->recent[1];
    if (frame > 0) {
        put_slips(prints, frame - 1, frame > 1 ? prints->recent[0] : last, last, now,
                  (frame > 1 ? 2.0 : 1.0) * prints->step_s);
    }
    if (frame == prints->frame_count - 1) {
        put_slips(prints, frame, frame > 0 ? last : now, now, now, frame > 0 ? prints->step_s : 0.0);
    }
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "measure/sink.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

_Static_assert((int)GTI_COLLIDER_HEAD == (int)GT_TOUCHED_HEAD &&
                   (int)GTI_COLLIDER_LEFT_UPPER_ARM == (int)GT_TOUCHED_LEFT_UPPER_ARM &&
                   (int)GTI_COLLIDER_PART_COUNT == (int)GT_TOUCHED_GROUND,
               "parts of a collider are named as those that hands touch");

static int part_of_zone(const GtiMeasuredSkin* skin, int32_t zone)
{
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (skin->figure->joints[j] == skin->zones[zone].node) {
            return gti_collider_part_of(j);
        }
    }
    return GT_NONE;
}

GtResult gti_sinks_open(const GtiMeasuredSkin* skin, const GtGround* ground, GtMeasure* measure, GtiSinks* out,
                        GtError* error)
{
    *out = (GtiSinks){ .skin = skin, .ground = ground, .floor_m = (float)measure->floor_m };
    out->parts = gt_arena_push_array(&measure->arena, GTI_COLLIDER_PART_COUNT, sizeof *out->parts);
    if (!out->parts) {
        return gti_out_of_memory(error);
    }
    for (int p = 0; p < GTI_COLLIDER_PART_COUNT; ++p) {
        out->parts[p] = (GtSinkMeasure){ .part = (GtTouched)p, .time_s = measure->start_s };
    }
    for (int32_t z = 0; z < skin->zone_count && measure->is_humanoid && isfinite(out->floor_m); ++z) {
        int part = part_of_zone(skin, z);
        if (part != GT_NONE && skin->zones[z].triangle_count > 0) {
            out->has_skin[part] = true;
        }
    }
    return GT_OK;
}

void gti_sinks_measure(const GtiSinks* sinks, const GtVec3* positions, GtiSinkFrame* out)
{
    const GtiMeasuredSkin* skin = sinks->skin;
    memset(out, 0, sizeof *out);
    for (int32_t z = 0; z < skin->zone_count; ++z) {
        const GtiZone* zone = &skin->zones[z];
        int part = part_of_zone(skin, z);
        if (part == GT_NONE || !sinks->has_skin[part]) {
            continue;
        }
        for (int32_t i = 0; i < 3 * zone->triangle_count; ++i) {
            GtVec3 p = positions[skin->corners[3 * (size_t)zone->first_triangle + (size_t)i]];
            float height = sinks->floor_m;
            if (sinks->ground) {
                gt_ground_at(sinks->ground, p.x, p.z, &height);
            }
            out->depths_m[part] = fmaxf(out->depths_m[part], height - p.y);
        }
    }
}

void gti_sinks_add(GtiSinks* sinks, const GtiSinkFrame* frame, double time_s)
{
    for (int p = 0; p < GTI_COLLIDER_PART_COUNT; ++p) {
        GtSinkMeasure* part = &sinks->parts[p];
        double depth_m = (double)frame->depths_m[p];
        part->frame_share += depth_m > GT_SINK_DEEP_M;
        if (depth_m > part->depth_m) {
            part->depth_m = depth_m;
            part->time_s = time_s;
        }
    }
}

void gti_sinks_end(GtiSinks* sinks, int32_t frame_count, GtMeasure* measure)
{
    for (int p = 0; p < GTI_COLLIDER_PART_COUNT; ++p) {
        if (sinks->has_skin[p]) {
            sinks->parts[p].frame_share /= frame_count;
            sinks->parts[measure->sink_count++] = sinks->parts[p];
        }
    }
    measure->sinks = sinks->parts;
}

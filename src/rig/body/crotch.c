// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The body is looked at from the front: the thickness at a place is the greatest distance to the surface along the line
// of sight. Legs are thick places on both sides of a thin one near the middle plane.

#include "rig/body/crotch.h"

#include <math.h>

enum {
    ROW_COUNT = 100,   // over the height
    MOST_ROWS = 65,    // that are looked at from the ground up: no legs are longer
    COLUMN_COUNT = 35, // to each side
    DEPTH_COUNT = 40,  // to the front and the back
    BRIDGE_ROWS = 8,   // at most, at which legs touch in between
    LEAST_ROWS = 3,    // at which they are apart
};

static const float column_step = 0.01f;   // in heights
static const float depth_step = 0.0125f;  // in heights
static const int32_t middle_columns = 3;  // to each side of the plane, in which the gap is
static const float thin_ratio = 0.4f;     // of the thickness of the thinner leg: less is between legs
static const float least_leg = 0.008f;    // thickness of a leg, in heights
static const float least_height = 0.035f; // of a crotch: below, it is the soles that part

static GtVec3 place(const GtMat34* solid_from_body, GtVec3 p)
{
    return solid_from_body ? gt_mat34_point(solid_from_body, p) : p;
}

// Thickness in heights at columns from left to right of a row.
static void measure_row(const GtiSolid* solid, const GtMat34* solid_from_body, float scale, float height,
                        float thickness[2 * COLUMN_COUNT + 1])
{
    for (int32_t c = -COLUMN_COUNT; c <= COLUMN_COUNT; ++c) {
        float most = -1.0f;
        for (int32_t d = -DEPTH_COUNT; d <= DEPTH_COUNT; ++d) {
            GtVec3 p = gt_vec3((float)c * column_step, height, (float)d * depth_step);
            most = fmaxf(most, -gti_solid_distance(solid, place(solid_from_body, p)));
        }
        thickness[c + COLUMN_COUNT] = most * scale;
    }
}

// Whether there are two legs; and how thick the body is between them.
static bool is_parted(const float thickness[2 * COLUMN_COUNT + 1], float* between)
{
    int32_t thinnest = COLUMN_COUNT;
    for (int32_t c = COLUMN_COUNT - middle_columns; c <= COLUMN_COUNT + middle_columns; ++c) {
        thinnest = thickness[c] < thickness[thinnest] ? c : thinnest;
    }
    float legs[2] = { 0.0f, 0.0f };
    for (int32_t c = 0; c <= 2 * COLUMN_COUNT; ++c) {
        legs[c > thinnest] = fmaxf(legs[c > thinnest], thickness[c]);
    }
    float leg = fminf(legs[0], legs[1]);
    *between = fmaxf(thickness[thinnest], 0.0f);
    return leg >= least_leg && thickness[thinnest] < thin_ratio * leg;
}

bool gti_body_find_crotch(const GtiSolid* solid, const GtMat34* solid_from_body, GtiCrotch* out)
{
    GtVec3 origin = place(solid_from_body, gt_vec3(0.0f, 0.0f, 0.0f));
    GtVec3 top = place(solid_from_body, gt_vec3(0.0f, 1.0f, 0.0f));
    float scale = 1.0f / gt_vec3_length(gt_vec3_sub(top, origin));
    int32_t first = -1;
    int32_t last = -1;
    int32_t count = 0;
    float between = 0.0f;
    float over_gap = 0.0f; // that the last row lies above the gap: the thickness there is the distance to the gap
    *out = (GtiCrotch){ 0.0f, 0.0f, 0.0f };
    for (int32_t row = 0; row < MOST_ROWS && (last < 0 || row - last <= BRIDGE_ROWS); ++row) {
        float thickness[2 * COLUMN_COUNT + 1];
        measure_row(solid, solid_from_body, scale, ((float)row + 0.5f) / ROW_COUNT, thickness);
        if (is_parted(thickness, &between)) {
            over_gap = between;
            first = first < 0 ? row : first;
            last = row;
            ++count;
        }
    }
    float height = ((float)last + 1.0f) / ROW_COUNT - over_gap;
    if (count < LEAST_ROWS || height < least_height) {
        return false;
    }
    *out = (GtiCrotch){ height, (float)first / ROW_COUNT, (float)count / (float)(last + 1 - first) };
    return true;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Singular values of a triangle's deformation: with the first edge laid along x, F = [posed edges] [rest edges]^-1 is 3
// by 2, and the eigenvalues of F^T F are their squares. A histogram by area tells what 1 % goes beyond, which single
// slivers do not change.

#include "deform/clip_strain.h"

#include <math.h>
#include <string.h>

enum {
    BINS = 256
};
static const double log_range = 3.4657359; // of a singular value, from 1/32 to 32
static const double rare = 0.01;           // of the area

bool gti_clip_strain_open(const GtiShell* shell, const GtHarmonic* harmonic, GtArena* arena, GtiClipStrain* out)
{
    *out = (GtiClipStrain){ .shell = shell,
                            .holders = gt_harmonic_holders(harmonic),
                            .marker_count = gt_harmonic_marker_count(harmonic),
                            .stretch_max = 1.0,
                            .stretch_min = 1.0 };
    out->residuals = gt_arena_push_array(arena, (size_t)out->marker_count, sizeof *out->residuals);
    out->areas = gt_arena_push_array(arena, (size_t)out->marker_count, sizeof *out->areas);
    return out->residuals && out->areas;
}

// Both singular values; false for a triangle without area.
static bool find_stretch(const GtVec3 rest[3], const GtVec3 posed[3], double values[2])
{
    GtVec3 e1 = gt_vec3_sub(rest[1], rest[0]);
    GtVec3 e2 = gt_vec3_sub(rest[2], rest[0]);
    double l = (double)gt_vec3_length(e1);
    double x = (double)gt_vec3_dot(e1, e2) / l;
    double y = (double)gt_vec3_length(gt_vec3_cross(e1, e2)) / l;
    if (!(l > 0.0 && y > 1e-4 * l)) {
        return false;
    }
    GtVec3 p1 = gt_vec3_sub(posed[1], posed[0]);
    GtVec3 p2 = gt_vec3_sub(posed[2], posed[0]);
    GtVec3 f1 = gt_vec3_scale(p1, (float)(1.0 / l));
    GtVec3 f2 = gt_vec3_scale(gt_vec3_sub(p2, gt_vec3_scale(f1, (float)x)), (float)(1.0 / y));
    double a = (double)gt_vec3_dot(f1, f1);
    double b = (double)gt_vec3_dot(f1, f2);
    double c = (double)gt_vec3_dot(f2, f2);
    double mean = 0.5 * (a + c);
    double off = sqrt(0.25 * (a - c) * (a - c) + b * b);
    values[0] = sqrt(mean + off);
    values[1] = sqrt(fmax(mean - off, 0.0));
    return isfinite(values[0]);
}

static int bin_of(double value)
{
    double at = 0.5 * BINS * (1.0 + log(fmax(value, 1e-9)) / log_range);
    return (int)fmin(fmax(at, 0.0), BINS - 1.0);
}

static double value_of(double bin)
{
    return exp(log_range * (2.0 * bin / BINS - 1.0));
}

static double quantile(const double* bins, double area, bool from_above)
{
    double sum = 0.0;
    for (int i = 0; i < BINS; ++i) {
        int bin = from_above ? BINS - 1 - i : i;
        sum += bins[bin];
        if (sum > rare * area) {
            return value_of((double)bin + 0.5);
        }
    }
    return 1.0;
}

static void add_residual(GtiClipStrain* strain, const uint32_t* corners, GtVec3 rest, GtVec3 posed,
                         const GtQuat* rotations)
{
    int32_t marker = strain->holders[corners[0]];
    double area = (double)gt_vec3_length(rest);
    if (marker == GT_NONE || strain->holders[corners[1]] != marker || strain->holders[corners[2]] != marker) {
        return;
    }
    GtVec3 asked = gt_quat_rotate(gt_quat_normalize(rotations[marker]), rest);
    double angle = atan2((double)gt_vec3_length(gt_vec3_cross(asked, posed)), (double)gt_vec3_dot(asked, posed));
    strain->residuals[marker] += area * angle;
    strain->areas[marker] += area;
}

void gti_clip_strain_add(GtiClipStrain* strain, const GtVec3* positions, const GtQuat* rotations, double time_s)
{
    const GtiShell* shell = strain->shell;
    double high[BINS];
    double low[BINS];
    double area = 0.0;
    memset(high, 0, sizeof high);
    memset(low, 0, sizeof low);
    for (int32_t t = 0; t < shell->triangle_count; ++t) {
        const uint32_t* c = &shell->corners[3 * (size_t)t];
        GtVec3 rest[3] = { shell->positions[c[0]], shell->positions[c[1]], shell->positions[c[2]] };
        GtVec3 posed[3] = { positions[c[0]], positions[c[1]], positions[c[2]] };
        double values[2];
        if (!find_stretch(rest, posed, values)) {
            continue;
        }
        GtVec3 normal = gt_vec3_cross(gt_vec3_sub(rest[1], rest[0]), gt_vec3_sub(rest[2], rest[0]));
        double own = (double)gt_vec3_length(normal);
        area += own;
        high[bin_of(values[0])] += own;
        low[bin_of(values[1])] += own;
        add_residual(strain, c, normal, gt_vec3_cross(gt_vec3_sub(posed[1], posed[0]), gt_vec3_sub(posed[2], posed[0])),
                     rotations);
    }
    double most = quantile(high, area, true);
    double least = quantile(low, area, false);
    bool is_worst = fmax(most, 1.0 / least) > fmax(strain->stretch_max, 1.0 / strain->stretch_min);
    strain->stretch_time_s = is_worst ? time_s : strain->stretch_time_s;
    strain->stretch_max = fmax(strain->stretch_max, most);
    strain->stretch_min = fmin(strain->stretch_min, least);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Singular values of a triangle's deformation: with the first edge laid along x, F = [posed edges] [rest edges]^-1 is 3
// by 2, and the eigenvalues of F^T F are their squares. A histogram by area tells what 1 % goes beyond, which single
// slivers do not change.

#include "harmonic/clip/strain.h"

#include <math.h>
#include <string.h>

enum {
    LEAST_OCTAVE = -10, // of squares of singular values, which are from 1/32 to 32
    OCTAVES = 20,
    PART_BITS = 5, // an octave is that many times halved
    BINS = OCTAVES << PART_BITS
};
static const double rare = 0.01; // of the area

// The marker that holds corners of a triangle, and how many; GT_NONE where there are two.
static int32_t holder_of(const int32_t* holders, const uint32_t* corners, int* count)
{
    int32_t holder = GT_NONE;
    *count = 0;
    for (int k = 0; k < 3; ++k) {
        int32_t own = holders[corners[k]];
        if (own != GT_NONE && holder != GT_NONE && own != holder) {
            return GT_NONE;
        }
        holder = own != GT_NONE ? own : holder;
        *count += own != GT_NONE;
    }
    return holder;
}

bool gti_clip_strain_open(const GtiShell* shell, const GtHarmonic* harmonic, const GtMarkers* markers, GtArena* arena,
                          GtiClipStrain* out)
{
    *out = (GtiClipStrain){ .shell = shell,
                            .holders = gt_harmonic_holders(harmonic),
                            .marker_count = gt_harmonic_marker_count(harmonic),
                            .stretch_max = 1.0,
                            .stretch_min = 1.0 };
    out->residuals = gt_arena_push_array(arena, (size_t)out->marker_count, sizeof *out->residuals);
    out->areas = gt_arena_push_array(arena, (size_t)out->marker_count, sizeof *out->areas);
    out->flats = gt_arena_push_array(arena, (size_t)shell->triangle_count, sizeof *out->flats);
    out->is_wide = gt_arena_push_array(arena, (size_t)out->marker_count, sizeof *out->is_wide);
    if (!out->residuals || !out->areas || !out->flats || !out->is_wide) {
        return false;
    }
    for (int32_t m = 0; m < out->marker_count; ++m) {
        GtVec3 band = markers->markers[m].band;
        out->is_wide[m] = !(gt_vec3_dot(band, band) > 0.0f);
    }
    for (int32_t t = 0; t < shell->triangle_count; ++t) {
        const uint32_t* c = &shell->corners[3 * (size_t)t];
        int held = 0;
        int32_t holder = holder_of(out->holders, c, &held);
        if (holder != GT_NONE && held == 3) {
            out->is_wide[holder] = true;
        }
        GtVec3 e1 = gt_vec3_sub(shell->positions[c[1]], shell->positions[c[0]]);
        GtVec3 e2 = gt_vec3_sub(shell->positions[c[2]], shell->positions[c[0]]);
        float l = gt_vec3_length(e1);
        float area = gt_vec3_length(gt_vec3_cross(e1, e2));
        if (l > 0.0f && area > 1e-4f * l * l) {
            out->flats[t] = (GtiFlatTriangle){ 1.0f / l, gt_vec3_dot(e1, e2) / l, l / area, area };
        }
    }
    return true;
}

// Squares of both singular values.
static void find_stretch(const GtiFlatTriangle* flat, const GtVec3 posed[3], float squares[2])
{
    GtVec3 f1 = gt_vec3_scale(gt_vec3_sub(posed[1], posed[0]), flat->per_length);
    GtVec3 p2 = gt_vec3_sub(posed[2], posed[0]);
    GtVec3 f2 = gt_vec3_scale(gt_vec3_sub(p2, gt_vec3_scale(f1, flat->along)), flat->per_height);
    float a = gt_vec3_dot(f1, f1);
    float b = gt_vec3_dot(f1, f2);
    float c = gt_vec3_dot(f2, f2);
    float mean = 0.5f * (a + c);
    float off = sqrtf(0.25f * (a - c) * (a - c) + b * b);
    squares[0] = mean + off;
    squares[1] = mean - off;
}

// By exponent and the first bits of the fraction.
static int bin_of(float square)
{
    uint32_t bits = 0;
    memcpy(&bits, &square, sizeof bits);
    int bin = (int)(bits >> (23 - PART_BITS)) - ((127 + LEAST_OCTAVE) << PART_BITS);
    return !(square > 0.0f) || bin < 0 ? 0 : bin < BINS ? bin : BINS - 1;
}

// The singular value in the middle of a bin.
static double value_of(int bin)
{
    int part = bin & ((1 << PART_BITS) - 1);
    return sqrt(ldexp(1.0 + (part + 0.5) / (1 << PART_BITS), (bin >> PART_BITS) + LEAST_OCTAVE));
}

static double quantile(const double* bins, double area, bool from_above)
{
    double sum = 0.0;
    for (int i = 0; i < BINS; ++i) {
        int bin = from_above ? BINS - 1 - i : i;
        sum += bins[bin];
        if (sum > rare * area) {
            return value_of(bin);
        }
    }
    return 1.0;
}

static void add_residual(GtiClipStrain* strain, const uint32_t* corners, const GtVec3* posed, const GtQuat* rotations)
{
    const GtVec3* rest = strain->shell->positions;
    int held = 0;
    int32_t marker = holder_of(strain->holders, corners, &held);
    if (marker == GT_NONE || held < (strain->is_wide[marker] ? 3 : 2)) {
        return;
    }
    GtVec3 normal =
        gt_vec3_cross(gt_vec3_sub(rest[corners[1]], rest[corners[0]]), gt_vec3_sub(rest[corners[2]], rest[corners[0]]));
    GtVec3 turned = gt_vec3_cross(gt_vec3_sub(posed[1], posed[0]), gt_vec3_sub(posed[2], posed[0]));
    GtVec3 asked = gt_quat_rotate(gt_quat_normalize(rotations[marker]), normal);
    double area = (double)gt_vec3_length(normal);
    double angle = atan2((double)gt_vec3_length(gt_vec3_cross(asked, turned)), (double)gt_vec3_dot(asked, turned));
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
        const GtiFlatTriangle* flat = &strain->flats[t];
        GtVec3 posed[3] = { positions[c[0]], positions[c[1]], positions[c[2]] };
        float squares[2];
        find_stretch(flat, posed, squares);
        if (flat->area > 0.0f && isfinite(squares[0])) {
            area += (double)flat->area;
            high[bin_of(squares[0])] += (double)flat->area;
            low[bin_of(squares[1])] += (double)flat->area;
            add_residual(strain, c, posed, rotations);
        }
    }
    double most = quantile(high, area, true);
    double least = quantile(low, area, false);
    bool is_worst = fmax(most, 1.0 / least) > fmax(strain->stretch_max, 1.0 / strain->stretch_min);
    strain->stretch_time_s = is_worst ? time_s : strain->stretch_time_s;
    strain->stretch_max = fmax(strain->stretch_max, most);
    strain->stretch_min = fmin(strain->stretch_min, least);
}

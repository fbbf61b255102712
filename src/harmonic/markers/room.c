// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// On coarse meshes two edges may reach the next bone's markers, or the next ring of the same bone, over which a twist
// has to spread: nothing would be left to bend, and a twist would tear along a line.

#include "harmonic/markers/find.h"

#include <math.h>

static const float bend_room = 0.4f;   // of the way to the next bone's markers is the most of a radius
static const float twist_room = 0.25f; // of the way to a ring of another twist

enum {
    SAMPLES = 8 // around a band
};

float gti_placer_distance(const GtiPlacer* k, int32_t marker, GtVec3 p)
{
    const GtiMarkerSpot* spot = &k->spots[marker];
    if (!(spot->girth_m > 0.0f)) {
        return gt_vec3_length(gt_vec3_sub(p, spot->place));
    }
    GtVec3 off = gt_vec3_sub(p, spot->center);
    float along = gt_vec3_dot(off, k->markers->markers[marker].band);
    float across = gt_vec3_length(gt_vec3_sub(off, gt_vec3_scale(k->markers->markers[marker].band, along)));
    return hypotf(along, across - spot->girth_m);
}

static float distance_between(const GtiPlacer* k, int32_t i, int32_t j)
{
    const GtiMarkerSpot* spot = &k->spots[j];
    if (!(spot->girth_m > 0.0f)) {
        return gti_placer_distance(k, i, spot->place);
    }
    float least = INFINITY;
    GtVec3 u = gt_vec3_sub(spot->place, spot->center);
    GtVec3 v = gt_vec3_cross(k->markers->markers[j].band, u);
    for (int s = 0; s < SAMPLES; ++s) {
        float angle = 6.2831853f * (float)s / SAMPLES;
        GtVec3 around = gt_vec3_add(gt_vec3_scale(u, cosf(angle)), gt_vec3_scale(v, sinf(angle)));
        least = fminf(least, gti_placer_distance(k, i, gt_vec3_add(spot->center, around)));
    }
    return least;
}

static void trim_radii(GtiPlacer* k)
{
    const GtMarker* markers = k->markers->markers;
    for (int32_t i = k->report.known_count; i < k->markers->count; ++i) {
        float most = INFINITY;
        for (int32_t j = 0; j < k->markers->count; ++j) {
            bool is_same = k->spots[j].bone == k->spots[i].bone;
            if (is_same ? markers[j].twist != markers[i].twist
                        : gti_bones_are_neighbours(&k->bones, k->spots[i].bone, k->spots[j].bone)) {
                most = fminf(most, (is_same ? twist_room : bend_room) * distance_between(k, i, j));
            }
        }
        k->markers->markers[i].radius_m = fminf(k->markers->markers[i].radius_m, most);
    }
}

static bool is_corner(const GtiShell* shell, int32_t triangle, uint32_t point)
{
    if (triangle == GT_NONE) {
        return false;
    }
    const uint32_t* corners = &shell->corners[3 * (size_t)triangle];
    return corners[0] == point || corners[1] == point || corners[2] == point;
}

// How deep a point lies in a marker's patch: less is deeper. The corners of its own triangle are always in.
static float depth_in(const GtiPlacer* k, int32_t marker, uint32_t point)
{
    const GtMarker* m = &k->markers->markers[marker];
    float off = gti_placer_distance(k, marker, k->shell->positions[point]) - m->radius_m;
    int32_t triangle = m->mesh == GT_NONE ? GT_NONE : gti_shell_triangle(k->shell, m->mesh, m->primitive, m->triangle);
    return is_corner(k->shell, triangle, point) ? fminf(off, 0.0f) : off;
}

// Whether all corners of a disc's triangle lie deeper in others' patches: they would take all that it holds.
static bool is_idle(const GtiPlacer* k, int32_t marker)
{
    const GtMarker* m = &k->markers->markers[marker];
    int32_t triangle = m->mesh == GT_NONE ? GT_NONE : gti_shell_triangle(k->shell, m->mesh, m->primitive, m->triangle);
    if (triangle == GT_NONE) {
        return false; // known by its point alone: its mesh is shown more than once
    }
    for (int c = 0; c < 3; ++c) {
        uint32_t point = k->shell->corners[3 * (size_t)triangle + (size_t)c];
        float own = depth_in(k, marker, point);
        bool is_own = k->spots[marker].girth_m > 0.0f;
        for (int32_t j = 0; j < k->markers->count && !is_own; ++j) {
            float other = depth_in(k, j, point);
            if (j != marker && (other < own || (other == own && j < marker))) {
                break;
            }
            is_own = j + 1 == k->markers->count;
        }
        if (is_own) {
            return false;
        }
    }
    return true;
}

static void drop_idle(GtiPlacer* k)
{
    for (int32_t i = k->markers->count - 1; i >= k->report.known_count; --i) {
        if (!is_idle(k, i)) {
            continue;
        }
        --k->markers->count;
        for (int32_t j = i; j < k->markers->count; ++j) {
            k->markers->markers[j] = k->markers->markers[j + 1];
            k->spots[j] = k->spots[j + 1];
        }
    }
}

void gti_placer_make_room(GtiPlacer* k)
{
    trim_radii(k);
    drop_idle(k);
}

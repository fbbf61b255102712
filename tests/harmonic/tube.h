// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A closed tube along y with a bulge, bands of markers around it, and motions for them.

#ifndef GERTIE_TESTS_HARMONIC_TUBE_H
#define GERTIE_TESTS_HARMONIC_TUBE_H

#include "gertie/harmonic.h"

#include "support/random.h"
#include "support/test.h"

#include <stdlib.h>

enum {
    TUBE_MARKERS = 24, // three bands of eight
};

static const float TUBE_LENGTH = 2.0f;

typedef struct Tube {
    GtVec3* positions;
    uint32_t* indices;
    GtHarmonicMarker markers[TUBE_MARKERS];
    GtHarmonicDef def;
} Tube;

static inline GtVec3 tube_point(float around, float along)
{
    float y = TUBE_LENGTH * (along - 0.5f);
    float radius = 0.2f + 0.05f * cosf(3.0f * y);
    float angle = 6.2831853f * around;
    return gt_vec3(radius * cosf(angle), y, radius * sinf(angle));
}

// `sides` around and `rows` along; a point in the middle of each end.
static inline Tube tube_create(int32_t sides, int32_t rows)
{
    Tube tube;
    int32_t ring_vertices = sides * (rows + 1);
    int32_t triangle_count = 2 * sides * rows + 2 * sides;
    tube.positions = malloc((size_t)(ring_vertices + 2) * sizeof *tube.positions);
    tube.indices = malloc((size_t)triangle_count * 3 * sizeof *tube.indices);
    for (int32_t r = 0; r <= rows; ++r) {
        for (int32_t s = 0; s < sides; ++s) {
            tube.positions[r * sides + s] = tube_point((float)s / (float)sides, (float)r / (float)rows);
        }
    }
    tube.positions[ring_vertices] = gt_vec3(0.0f, -TUBE_LENGTH / 2.0f, 0.0f);
    tube.positions[ring_vertices + 1] = gt_vec3(0.0f, TUBE_LENGTH / 2.0f, 0.0f);
    uint32_t* at = tube.indices;
    for (int32_t r = 0; r < rows; ++r) {
        for (int32_t s = 0; s < sides; ++s) {
            uint32_t a = (uint32_t)(r * sides + s);
            uint32_t b = (uint32_t)(r * sides + (s + 1) % sides);
            const uint32_t quad[6] = { a, a + (uint32_t)sides, b, b, a + (uint32_t)sides, b + (uint32_t)sides };
            memcpy(at, quad, sizeof quad);
            at += 6;
        }
    }
    for (int32_t s = 0; s < sides; ++s) {
        uint32_t next = (uint32_t)((s + 1) % sides);
        uint32_t last = (uint32_t)(rows * sides);
        const uint32_t caps[6] = { (uint32_t)ring_vertices,     (uint32_t)s, next,
                                   (uint32_t)ring_vertices + 1, last + next, last + (uint32_t)s };
        memcpy(at, caps, sizeof caps);
        at += 6;
    }
    tube.def = gt_default_harmonic_def();
    tube.def.positions = tube.positions;
    tube.def.vertex_count = ring_vertices + 2;
    tube.def.indices = tube.indices;
    tube.def.triangle_count = triangle_count;
    return tube;
}

// Give the tube its markers; do so where it lies, as its def points to them.
static inline void tube_mark(Tube* tube, float radius)
{
    for (int m = 0; m < TUBE_MARKERS; ++m) {
        static const float along[3] = { 0.1f, 0.5f, 0.9f };
        GtVec3 point = tube_point((float)(m % 8) / 8.0f + 0.01f, along[m / 8]);
        tube->markers[m] = (GtHarmonicMarker){ .triangle = GT_NONE, .point = point, .radius = radius };
    }
    tube->def.markers = tube->markers;
    tube->def.marker_count = TUBE_MARKERS;
}

static inline void tube_destroy(Tube* tube)
{
    free(tube->positions);
    free(tube->indices);
}

// Bands turn about one axis each, the more the higher they are.
static inline void tube_bend(float amount, GtQuat* rotations)
{
    GtVec3 axis = gt_vec3_normalize_or(gt_vec3(1.0f, 0.3f, 0.4f), gt_vec3(1.0f, 0.0f, 0.0f));
    for (int m = 0; m < TUBE_MARKERS; ++m) {
        rotations[m] = gt_quat_from_axis_angle(axis, amount * (float)(m / 8));
    }
}

#endif

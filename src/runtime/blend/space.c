// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Weights in a blend space. Points are measured in what they span along each axis. A place is found by walking from
// simplex to simplex towards it; outside, or where the points span less than there are dimensions, the nearest place on
// a face (a point, line or triangle) counts, after C. Ericson, "Real-time collision detection", section 5.1.

#include "gertie/blend_space.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/quat_double.h"
#include "runtime/blend/delaunay.h"

#include <stdlib.h>
#include <string.h>

// Points are rounded to a millionth of what they span.
static const double LEAST_SHARE = 4e-6;

// What is nearest to places outside.
typedef struct Face {
    int32_t corners[3]; // [face_size]
} Face;

struct GtBlendSpace {
    GtAllocator allocator;
    int32_t dimension; // of places
    int32_t span;      // of what the points span
    int32_t point_count;
    int32_t simplex_count;
    int32_t face_count;
    int32_t face_size;     // corners of each
    double low[3];         // [dimension]
    double per_span[3];    // [dimension] 1 / (high - low), 0 where all are the same
    GtiVec* points;        // [point_count] 0 to 1 on each axis
    GtiSimplex* simplices; // [simplex_count]
    Face* faces;           // [face_count]
};

GtBlendSpaceDef gt_default_blend_space_def(void)
{
    return (GtBlendSpaceDef){ .dimension = 2 };
}

static GtResult check(const GtBlendSpaceDef* def, GtError* error)
{
    if (def->dimension < 1 || def->dimension > 3) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a blend space has 1, 2 or 3 dimensions, not %d", def->dimension);
    }
    if (def->point_count > GT_BLEND_SPACE_MAX_POINTS) {
        return gti_fail(error, GT_ERROR_LIMIT, "a blend space has at most %d points, not %d", GT_BLEND_SPACE_MAX_POINTS,
                        def->point_count);
    }
    if (def->point_count < 1 || !def->points) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a blend space needs at least one point");
    }
    for (int32_t i = 0; i < def->point_count * def->dimension; ++i) {
        if (!isfinite(def->points[i])) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "point %d is not finite", i / def->dimension);
        }
    }
    return GT_OK;
}

static GtiVec place_of(const GtBlendSpace* space, const float* at)
{
    double v[3] = { 0.0, 0.0, 0.0 };
    for (int32_t k = 0; k < space->dimension; ++k) {
        double share = ((double)at[k] - space->low[k]) * space->per_span[k];
        v[k] = share > -1e6 ? fmin(1e6, share) : (share <= -1e6 ? -1e6 : 0.0); // NaN is lowest
    }
    return gti_vec(v[0], v[1], v[2]);
}

static void measure(GtBlendSpace* space, const GtBlendSpaceDef* def)
{
    for (int32_t k = 0; k < def->dimension; ++k) {
        double low = (double)def->points[k];
        double high = low;
        for (int32_t i = 1; i < def->point_count; ++i) {
            low = fmin(low, (double)def->points[i * def->dimension + k]);
            high = fmax(high, (double)def->points[i * def->dimension + k]);
        }
        space->low[k] = low;
        space->per_span[k] = high > low ? 1.0 / (high - low) : 0.0;
    }
    for (int32_t i = 0; i < def->point_count; ++i) {
        space->points[i] = place_of(space, &def->points[(size_t)i * (size_t)def->dimension]);
    }
}

static bool is_near(const int32_t a[3], const int32_t b[3])
{
    return abs(a[0] - b[0]) <= GTI_DELAUNAY_APART && abs(a[1] - b[1]) <= GTI_DELAUNAY_APART &&
           abs(a[2] - b[2]) <= GTI_DELAUNAY_APART;
}

// Coordinates as whole numbers, all different; from here on points are where these are, so that what is no simplex's
// volume there is none here.
static GtResult round_points(GtBlendSpace* space, int32_t (*out)[3], GtError* error)
{
    const double unit = (double)GTI_DELAUNAY_UNIT;
    for (int32_t i = 0; i < space->point_count; ++i) {
        out[i][0] = (int32_t)lround(space->points[i].x * unit);
        out[i][1] = (int32_t)lround(space->points[i].y * unit);
        out[i][2] = (int32_t)lround(space->points[i].z * unit);
        space->points[i] = gti_vec(out[i][0] / unit, out[i][1] / unit, out[i][2] / unit);
        for (int32_t k = 0; k < i; ++k) {
            if (is_near(out[i], out[k])) {
                return gti_fail(error, GT_ERROR_BAD_VALUE, "points %d and %d are the same", k, i);
            }
        }
    }
    return GT_OK;
}

// The border of what fills all dimensions; everything of what does not.
static int32_t list_faces(const GtBlendSpace* space, const GtiDelaunay* found, Face* faces)
{
    int32_t count = 0;
    for (int32_t i = 0; i < found->simplex_count; ++i) {
        const GtiSimplex* s = &found->simplices[i];
        for (int32_t opposite = 0; opposite <= found->dimension; ++opposite) {
            bool whole = found->dimension < space->dimension;
            if (whole ? opposite > 0 : s->neighbours[opposite] != GT_NONE) {
                continue;
            }
            int32_t size = 0;
            for (int32_t k = 0; k <= found->dimension; ++k) {
                if ((whole || k != opposite) && faces) {
                    faces[count].corners[size++] = s->corners[k];
                }
            }
            ++count;
        }
    }
    return count;
}

static GtResult build(GtArena* scratch, const GtBlendSpaceDef* def, GtBlendSpace** out, GtAllocator allocator,
                      GtError* error)
{
    GtBlendSpace head = { .allocator = allocator, .dimension = def->dimension, .point_count = def->point_count };
    size_t count = (size_t)def->point_count;
    int32_t(*rounded)[3] = gt_arena_push_array(scratch, count, sizeof *rounded);
    head.points = gt_arena_push_array(scratch, count, sizeof *head.points);
    if (!rounded || !head.points) {
        return gti_out_of_memory(error);
    }
    GtiDelaunay found = { .dimension = 0 };
    measure(&head, def);
    GtResult result = round_points(&head, rounded, error);
    if (result == GT_OK) {
        result = gti_delaunay(scratch, rounded, def->point_count, &found, error);
    }
    if (result != GT_OK) {
        return result;
    }
    head.span = found.dimension;
    head.simplex_count = found.simplex_count;
    head.face_count = list_faces(&head, &found, NULL);
    head.face_size = found.dimension < head.dimension ? found.dimension + 1 : found.dimension;
    size_t start = gti_round_up16(sizeof head); // at most GT_BLEND_SPACE_MAX_POINTS, so nothing below overflows
    size_t points_size = count * sizeof *head.points;
    size_t simplices_size = (size_t)head.simplex_count * sizeof *head.simplices;
    char* block = allocator.allocate(allocator.user, start + points_size + simplices_size +
                                                         (size_t)head.face_count * sizeof *head.faces);
    if (!block) {
        return gti_out_of_memory(error);
    }
    memcpy(block + start, head.points, points_size);
    if (found.simplices) {
        memcpy(block + start + points_size, found.simplices, simplices_size);
    }
    head.points = (GtiVec*)(block + start);
    head.simplices = (GtiSimplex*)(block + start + points_size);
    head.faces = (Face*)(block + start + points_size + simplices_size);
    list_faces(&head, &found, head.faces);
    *out = (GtBlendSpace*)block;
    **out = head;
    return GT_OK;
}

GtResult gt_blend_space_create(GtAllocator allocator, const GtBlendSpaceDef* def, GtBlendSpace** out, GtError* error)
{
    def = def ? def : (GtBlendSpaceDef[]){ gt_default_blend_space_def() };
    *out = NULL;
    GtResult result = check(def, error);
    if (result != GT_OK) {
        return result;
    }
    GtArena scratch = gt_arena_create(allocator);
    result = build(&scratch, def, out, allocator, error);
    gt_arena_destroy(&scratch);
    return result;
}

void gt_blend_space_destroy(GtBlendSpace* space)
{
    if (space) {
        space->allocator.release(space->allocator.user, space);
    }
}

int32_t gt_blend_space_simplex_count(const GtBlendSpace* space)
{
    return space->simplex_count;
}

int32_t gt_blend_space_simplex(const GtBlendSpace* space, int32_t index, int32_t corners[GT_BLEND_SPACE_MAX_CORNERS])
{
    memcpy(corners, space->simplices[index].corners, (size_t)(space->span + 1) * sizeof corners[0]);
    return space->span + 1;
}

// Barycentric coordinates in a simplex that fills all dimensions, by Cramer's rule.
static void coordinates_in(const GtBlendSpace* space, const GtiSimplex* s, GtiVec at, double out[4])
{
    GtiVec origin = space->points[s->corners[0]];
    GtiVec p = gti_vec_sub(at, origin);
    GtiVec a = gti_vec_sub(space->points[s->corners[1]], origin);
    GtiVec b = gti_vec(0.0, 1.0, 0.0);
    GtiVec c = gti_vec(0.0, 0.0, 1.0);
    if (space->span > 1) {
        b = gti_vec_sub(space->points[s->corners[2]], origin);
    }
    if (space->span > 2) {
        c = gti_vec_sub(space->points[s->corners[3]], origin);
    }
    double volume = gti_vec_dot(a, gti_vec_cross(b, c));
    out[1] = gti_vec_dot(p, gti_vec_cross(b, c)) / volume;
    out[2] = gti_vec_dot(a, gti_vec_cross(p, c)) / volume;
    out[3] = gti_vec_dot(a, gti_vec_cross(b, p)) / volume;
    out[0] = 1.0 - out[1] - out[2] - out[3]; // in axes that there are not, places are 0
}

// Which simplex a place is in, or GT_NONE outside.
static int32_t walk(const GtBlendSpace* space, GtiVec at, double coordinates[4])
{
    int32_t index = 0;
    for (int32_t step = 0; step <= space->simplex_count && index != GT_NONE; ++step) {
        const GtiSimplex* s = &space->simplices[index];
        coordinates_in(space, s, at, coordinates);
        int32_t lowest = 0;
        for (int32_t k = 1; k <= space->span; ++k) {
            lowest = coordinates[k] < coordinates[lowest] ? k : lowest;
        }
        if (coordinates[lowest] >= -1e-12) {
            return index;
        }
        index = s->neighbours[lowest];
    }
    return GT_NONE;
}

// Shares of a and b at the place nearest to p between them.
static void nearest_on_line(GtiVec p, GtiVec a, GtiVec b, double shares[2])
{
    GtiVec along = gti_vec_sub(b, a);
    double t = gti_vec_dot(gti_vec_sub(p, a), along) / gti_vec_dot(along, along);
    shares[1] = fmax(0.0, fmin(1.0, t));
    shares[0] = 1.0 - shares[1];
}

static GtiVec mix(const GtiVec* corners, const double* shares, int32_t count)
{
    GtiVec sum = gti_vec(0.0, 0.0, 0.0);
    for (int32_t i = 0; i < count; ++i) {
        sum = gti_vec_add_scaled(sum, corners[i], shares[i]);
    }
    return sum;
}

static double square_off(GtiVec p, const GtiVec* corners, const double* shares, int32_t count)
{
    GtiVec d = gti_vec_sub(mix(corners, shares, count), p);
    return gti_vec_dot(d, d);
}

// Inside a triangle where the foot of the perpendicular is, else on one of its sides.
static void nearest_on_triangle(GtiVec p, const GtiVec corners[3], double shares[3])
{
    GtiVec ab = gti_vec_sub(corners[1], corners[0]);
    GtiVec ac = gti_vec_sub(corners[2], corners[0]);
    GtiVec ap = gti_vec_sub(p, corners[0]);
    GtiVec normal = gti_vec_cross(ab, ac);
    double square = gti_vec_dot(normal, normal);
    shares[1] = gti_vec_dot(gti_vec_cross(ap, ac), normal) / square;
    shares[2] = gti_vec_dot(gti_vec_cross(ab, ap), normal) / square;
    shares[0] = 1.0 - shares[1] - shares[2];
    if (shares[0] >= 0.0 && shares[1] >= 0.0 && shares[2] >= 0.0) {
        return;
    }
    double best = INFINITY;
    for (int i = 0; i < 3; ++i) {
        int k = (i + 1) % 3;
        double side[2];
        GtiVec ends[2] = { corners[i], corners[k] };
        nearest_on_line(p, ends[0], ends[1], side);
        double off = square_off(p, ends, side, 2);
        if (off < best) {
            best = off;
            shares[0] = shares[1] = shares[2] = 0.0;
            shares[i] = side[0];
            shares[k] = side[1];
        }
    }
}

static const Face* nearest_face(const GtBlendSpace* space, GtiVec at, double shares[4])
{
    const Face* nearest = NULL;
    double best = INFINITY;
    for (int32_t i = 0; i < space->face_count; ++i) {
        const Face* face = &space->faces[i];
        GtiVec corners[3];
        double s[3] = { 1.0, 0.0, 0.0 };
        for (int32_t k = 0; k < space->face_size; ++k) {
            corners[k] = space->points[face->corners[k]];
        }
        if (space->face_size == 2) {
            nearest_on_line(at, corners[0], corners[1], s);
        } else if (space->face_size == 3) {
            nearest_on_triangle(at, corners, s);
        }
        double off = square_off(at, corners, s, space->face_size);
        if (off < best) {
            best = off;
            nearest = face;
            memcpy(shares, s, sizeof s);
        }
    }
    return nearest;
}

// Without those that only the rounding of points gives a share.
static void put_weights(const int32_t* corners, const double* shares, int32_t count, GtBlendWeights* out)
{
    double sum = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        sum += shares[i] > LEAST_SHARE ? shares[i] : 0.0;
    }
    for (int32_t i = 0; i < count; ++i) {
        if (shares[i] > LEAST_SHARE) {
            out->points[out->count] = corners[i];
            out->weights[out->count++] = (float)(shares[i] / sum);
        }
    }
}

void gt_blend_space_eval(const GtBlendSpace* space, const float* at, GtBlendWeights* out)
{
    static const int32_t only = 0;
    static const double all = 1.0;
    double shares[4];
    GtiVec place = place_of(space, at);
    *out = (GtBlendWeights){ .count = 0 };
    if (space->span == 0) {
        put_weights(&only, &all, 1, out);
        return;
    }
    int32_t index = space->span == space->dimension ? walk(space, place, shares) : GT_NONE;
    if (index != GT_NONE) {
        put_weights(space->simplices[index].corners, shares, space->span + 1, out);
    } else {
        const Face* face = nearest_face(space, place, shares);
        put_weights(face->corners, shares, space->face_size, out);
    }
}

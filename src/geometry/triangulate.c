// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Ear clipping in the plane of Newell's normal (Meisters 1975: every simple polygon of more than three corners has two
// ears). Of a small polygon the ear with the shortest diagonal is cut first, which keeps triangles round; of a large
// one the next ear found, going round. An ear is a convex corner whose triangle holds no other corner; it is enough
// to look at reflex ones.

#include "geometry/triangulate.h"

#include <math.h>

enum {
    SMALL = 64 // corners up to which all ears are compared
};

#define MOST_LOOKS ((uint64_t)1 << 24)

typedef struct Point {
    double x, y;
} Point;

// What is left of a polygon: a ring of corners.
typedef struct Ring {
    const Point* points;
    uint32_t* next;
    uint32_t* previous;
    uint32_t count;
    uint64_t looks_left;
} Ring;

static double cross(Point a, Point b, Point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static double distance_squared(Point a, Point b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

// Newell's normal: the sum of cross products, which is right for polygons that are not quite flat, too.
static void find_normal(const GtVec3* corners, uint32_t count, double normal[3])
{
    normal[0] = normal[1] = normal[2] = 0.0;
    for (uint32_t i = 0, j = count - 1; i < count; j = i++) {
        const GtVec3 a = corners[j];
        const GtVec3 b = corners[i];
        normal[0] += ((double)a.y - (double)b.y) * ((double)a.z + (double)b.z - 2.0 * (double)corners[0].z);
        normal[1] += ((double)a.z - (double)b.z) * ((double)a.x + (double)b.x - 2.0 * (double)corners[0].x);
        normal[2] += ((double)a.x - (double)b.x) * ((double)a.y + (double)b.y - 2.0 * (double)corners[0].y);
    }
}

// Two directions that make a right-handed frame with `normal` (Duff et al. 2017); false where there is no normal.
static bool find_plane(const double normal[3], double u[3], double v[3])
{
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (!(length > 0.0) || !isfinite(length)) {
        return false;
    }
    const double n[3] = { normal[0] / length, normal[1] / length, normal[2] / length };
    double sign = n[2] >= 0.0 ? 1.0 : -1.0;
    double a = -1.0 / (sign + n[2]);
    double b = n[0] * n[1] * a;
    u[0] = 1.0 + sign * n[0] * n[0] * a;
    u[1] = sign * b;
    u[2] = -sign * n[0];
    v[0] = b;
    v[1] = sign + n[1] * n[1] * a;
    v[2] = -n[1];
    return true;
}

static bool project(const GtVec3* corners, uint32_t count, Point* points)
{
    double normal[3];
    double u[3];
    double v[3];
    find_normal(corners, count, normal);
    if (!find_plane(normal, u, v)) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        double x = (double)corners[i].x - (double)corners[0].x;
        double y = (double)corners[i].y - (double)corners[0].y;
        double z = (double)corners[i].z - (double)corners[0].z;
        points[i] = (Point){ u[0] * x + u[1] * y + u[2] * z, v[0] * x + v[1] * y + v[2] * z };
    }
    return true;
}

static bool is_convex(const Ring* ring, uint32_t i)
{
    return cross(ring->points[ring->previous[i]], ring->points[i], ring->points[ring->next[i]]) > 0.0;
}

static bool same_place(Point a, Point b)
{
    return a.x == b.x && a.y == b.y;
}

// Whether the triangle at a convex corner holds no other corner. Corners at the very place of one of its own, where a
// polygon touches itself, do not count.
static bool is_ear(Ring* ring, uint32_t i)
{
    const Point* points = ring->points;
    const Point a = points[ring->previous[i]];
    const Point b = points[i];
    const Point c = points[ring->next[i]];
    uint32_t last = ring->previous[i];
    for (uint32_t j = ring->next[ring->next[i]]; j != last; j = ring->next[j]) {
        const Point p = points[j];
        ring->looks_left -= ring->looks_left > 0;
        if (cross(a, b, p) >= 0.0 && cross(b, c, p) >= 0.0 && cross(c, a, p) >= 0.0 && !same_place(p, a) &&
            !same_place(p, b) && !same_place(p, c) && !is_convex(ring, j)) {
            return false;
        }
    }
    return true;
}

// The ear with the shortest diagonal; of equal ones, but for rounding, the first.
static uint32_t find_shortest_cut(Ring* ring, uint32_t start)
{
    uint32_t best = start;
    double least = INFINITY;
    uint32_t i = start;
    do {
        double length = distance_squared(ring->points[ring->previous[i]], ring->points[ring->next[i]]);
        if (length < least * (1.0 - 1e-6) && is_convex(ring, i) && is_ear(ring, i)) {
            least = length;
            best = i;
        }
        i = ring->next[i];
    } while (i != start);
    return best;
}

// The next ear, not beside the one cut last, so that no fan of slivers grows; any corner where there is none.
static uint32_t find_next_ear(Ring* ring, uint32_t start)
{
    uint32_t i = ring->next[start];
    for (uint32_t tried = 0; tried < ring->count && ring->looks_left; ++tried, i = ring->next[i]) {
        if (is_convex(ring, i) && is_ear(ring, i)) {
            return i;
        }
        ring->looks_left -= ring->looks_left > 0;
    }
    return start;
}

static void fan(const Ring* ring, uint32_t start, uint32_t* out)
{
    uint32_t i = ring->next[start];
    for (uint32_t t = 0; t + 2 < ring->count; ++t, i = ring->next[i], out += 3) {
        out[0] = start;
        out[1] = i;
        out[2] = ring->next[i];
    }
}

static void clip(Ring* ring, uint32_t* out)
{
    uint32_t at = 0;
    while (ring->count > 3 && ring->looks_left) {
        uint32_t ear = ring->count <= SMALL ? find_shortest_cut(ring, at) : find_next_ear(ring, at);
        uint32_t before = ring->previous[ear];
        uint32_t after = ring->next[ear];
        *out++ = before;
        *out++ = ear;
        *out++ = after;
        ring->next[before] = after;
        ring->previous[after] = before;
        --ring->count;
        at = after;
    }
    fan(ring, at, out);
}

size_t gti_triangulate_scratch_size(uint32_t count)
{
    return (size_t)count * (sizeof(Point) + 2 * sizeof(uint32_t));
}

void gti_triangulate(const GtVec3* corners, uint32_t count, void* scratch, uint32_t* out)
{
    Point* points = scratch;
    Ring ring = { .points = points, .next = (uint32_t*)(points + count), .count = count, .looks_left = MOST_LOOKS };
    ring.previous = ring.next + count;
    for (uint32_t i = 0; i < count; ++i) {
        ring.next[i] = i + 1 < count ? i + 1 : 0;
        ring.previous[i] = i > 0 ? i - 1 : count - 1;
    }
    if (project(corners, count, points)) {
        clip(&ring, out);
    } else {
        fan(&ring, 0, out);
    }
}

void gti_triangulate_quad(const GtVec3 corners[4], uint32_t out[6])
{
    static const uint32_t cuts[2][6] = { { 0, 1, 2, 0, 2, 3 }, { 0, 1, 3, 1, 2, 3 } };
    double edges[4][3];
    double normals[4][3]; // at every corner
    const GtVec3* p = corners;
    for (int i = 0; i < 4; ++i) {
        int j = (i + 1) & 3;
        edges[i][0] = (double)p[j].x - (double)p[i].x;
        edges[i][1] = (double)p[j].y - (double)p[i].y;
        edges[i][2] = (double)p[j].z - (double)p[i].z;
    }
    for (int i = 0; i < 4; ++i) {
        const double* a = edges[(i + 3) & 3];
        const double* b = edges[i];
        normals[i][0] = a[1] * b[2] - a[2] * b[1];
        normals[i][1] = a[2] * b[0] - a[0] * b[2];
        normals[i][2] = a[0] * b[1] - a[1] * b[0];
    }
    double whole[3];
    double diagonal[2] = { 0.0, 0.0 };
    double convex[4];
    for (int k = 0; k < 3; ++k) {
        whole[k] = normals[0][k] + normals[1][k] + normals[2][k] + normals[3][k];
        double across = edges[0][k] + edges[1][k];
        double other = edges[1][k] + edges[2][k];
        diagonal[0] += across * across;
        diagonal[1] += other * other;
    }
    for (int i = 0; i < 4; ++i) {
        convex[i] = normals[i][0] * whole[0] + normals[i][1] * whole[1] + normals[i][2] * whole[2];
    }
    bool reflex_02 = convex[0] < 0.0 || convex[2] < 0.0;
    bool reflex_13 = convex[1] < 0.0 || convex[3] < 0.0;
    // Equal but for rounding, the cut starts at the first corner: a regular grid is cut in a regular way.
    bool second = reflex_02 != reflex_13 ? reflex_13 : diagonal[1] < diagonal[0] * (1.0 - 1e-6);
    for (int i = 0; i < 6; ++i) {
        out[i] = cuts[second][i];
    }
}

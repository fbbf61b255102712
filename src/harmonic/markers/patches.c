// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Distances by marching outwards (Kimmel and Sethian 1998), with the update of Novotni and Klein, "Computing geodesic
// distances on triangular meshes" (2002): of two corners of a triangle whose distances are known, the source is laid
// into the triangle's plane, and the third corner is as far from it as it is there, provided that the straight way
// crosses the edge; else the way goes along edges. With the radius of its marker taken off each distance, one march
// finds the union of all patches and, where fronts meet, who owns what. The front of a band is a line, which stays as
// straight as the triangles are: there the distance is linear over the triangle, of slope 1 (Kimmel and Sethian).

#include "harmonic/markers/patches.h"

#include "base/bounds.h"
#include "base/fail.h"
#include "base/heap.h"
#include "harmonic/markers/bands.h"

#include <math.h>

static GtiVec corner(const GtiTrimesh* mesh, int32_t vertex)
{
    return gti_vec_from(mesh->positions[vertex]);
}

static double length_between(GtiVec a, GtiVec b)
{
    return gti_vec_length(gti_vec_sub(a, b));
}

// Nearest point of the segment a b; b itself where both are one.
static GtiVec nearest_on_segment(GtiVec p, GtiVec a, GtiVec b)
{
    GtiVec ab = gti_vec_sub(b, a);
    double squared = gti_vec_dot(ab, ab);
    double t = squared > 0.0 ? fmin(fmax(gti_vec_dot(gti_vec_sub(p, a), ab) / squared, 0.0), 1.0) : 1.0;
    return gti_vec_add_scaled(a, ab, t);
}

// Nearest point of a triangle, which may have no area: the foot of p where it lies inside, else on an edge.
static GtiVec nearest_on_triangle(GtiVec p, const GtiVec c[3])
{
    GtiVec u = gti_vec_sub(c[1], c[0]);
    GtiVec v = gti_vec_sub(c[2], c[0]);
    GtiVec w = gti_vec_sub(p, c[0]);
    double uu = gti_vec_dot(u, u);
    double uv = gti_vec_dot(u, v);
    double vv = gti_vec_dot(v, v);
    double det = uu * vv - uv * uv;
    if (det > 1e-14 * uu * vv) {
        double a = (vv * gti_vec_dot(w, u) - uv * gti_vec_dot(w, v)) / det;
        double b = (uu * gti_vec_dot(w, v) - uv * gti_vec_dot(w, u)) / det;
        if (a >= 0.0 && b >= 0.0 && a + b <= 1.0) {
            return gti_vec_add_scaled(gti_vec_add_scaled(c[0], u, a), v, b);
        }
    }
    GtiVec nearest = c[0];
    double best = INFINITY;
    for (int k = 0; k < 3; ++k) {
        GtiVec at = nearest_on_segment(p, c[k], c[(k + 1) % 3]);
        double d = length_between(p, at);
        if (d < best) {
            best = d;
            nearest = at;
        }
    }
    return nearest;
}

double gti_surface_extent(const GtiTrimesh* mesh)
{
    GtBounds bounds = gti_bounds_of(mesh->positions, mesh->vertex_count);
    GtiVec size = gti_vec_between(bounds.low, bounds.high);
    return hypot(hypot(size.x, size.y), size.z);
}

// Whether all three lie further than `limit` from p along one axis.
static bool is_beyond(const GtiTrimesh* mesh, const int32_t corners[3], GtVec3 p, float limit)
{
    GtVec3 a = gt_vec3_sub(mesh->positions[corners[0]], p);
    GtVec3 b = gt_vec3_sub(mesh->positions[corners[1]], p);
    GtVec3 c = gt_vec3_sub(mesh->positions[corners[2]], p);
    return (a.x > limit && b.x > limit && c.x > limit) || (a.x < -limit && b.x < -limit && c.x < -limit) ||
           (a.y > limit && b.y > limit && c.y > limit) || (a.y < -limit && b.y < -limit && c.y < -limit) ||
           (a.z > limit && b.z > limit && c.z > limit) || (a.z < -limit && b.z < -limit && c.z < -limit);
}

static double find_within(const GtiTrimesh* mesh, GtVec3 point, float limit, GtiPatchSource* out)
{
    GtiVec p = gti_vec_from(point);
    double best = INFINITY;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        if (is_beyond(mesh, mesh->triangles[t], point, limit)) {
            continue;
        }
        const int32_t* v = mesh->triangles[t];
        const GtiVec corners[3] = { corner(mesh, v[0]), corner(mesh, v[1]), corner(mesh, v[2]) };
        GtiVec at = nearest_on_triangle(p, corners);
        double d = length_between(p, at);
        if (d < best) {
            best = d;
            out->triangle = t;
            out->place = at;
        }
    }
    return best;
}

// The nearest vertex says which triangles need a closer look, unless it is of none.
static GtResult find_nearest(const GtiTrimesh* mesh, double extent, GtVec3 point, const char* name, GtiPatchSource* out,
                             GtError* error)
{
    float square = INFINITY;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        GtVec3 way = gt_vec3_sub(mesh->positions[v], point);
        float d = gt_vec3_dot(way, way);
        square = d < square ? d : square;
    }
    double best = find_within(mesh, point, 1.001f * sqrtf(square), out);
    if (!(best < INFINITY)) {
        best = find_within(mesh, point, INFINITY, out);
    }
    if (!(best <= 0.1 * extent)) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, name,
                           "it is %g away from a surface of size %g; is it for another mesh, pose or unit?", best,
                           extent);
    }
    return GT_OK;
}

GtResult gti_source_find(const GtiTrimesh* mesh, double extent, const GtHarmonicMarker* marker, const char* name,
                         GtiPatchSource* out, GtError* error)
{
    if (!(marker->radius >= 0.0f && isfinite(marker->radius))) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, name, "its radius is %g; give 0 or more", (double)marker->radius);
    }
    double normal = (double)gt_vec3_length(marker->band);
    if (!isfinite(normal)) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, name, "the direction of its band is not finite");
    }
    *out = (GtiPatchSource){ .triangle = marker->triangle, .radius = (double)marker->radius, .is_band = normal > 0.0 };
    if (out->is_band) {
        out->band = gti_vec_divide(gti_vec_from(marker->band), normal);
    }
    if (marker->triangle != GT_NONE) {
        if (marker->triangle < 0 || marker->triangle >= mesh->triangle_count) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, name,
                               "it is on triangle %d, but the mesh has %d; is it for another mesh?",
                               (int)marker->triangle, (int)mesh->triangle_count);
        }
        for (int k = 0; k < 3; ++k) {
            GtiVec third = gti_vec_divide(corner(mesh, mesh->triangles[marker->triangle][k]), 3.0);
            out->place = gti_vec_add(out->place, third);
        }
        return GT_OK;
    }
    if (!gt_vec3_is_finite(marker->point)) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, name, "its point is not finite");
    }
    return find_nearest(mesh, extent, marker->point, name, out, error);
}

// A front that marches outwards.
typedef struct Front {
    const GtiTrimesh* mesh;
    const GtiPatchSource* sources;
    GtiPatches* patches;
    GtiHeap heap;    // of vertices by depth
    uint8_t* visits; // [vertex_count] how often each has left the heap
} Front;

enum {
    MAX_VISITS = 16,
};

// A vertex that has left the heap comes back where it turns out to be nearer by more than rounding.
static void reach(Front* front, int32_t vertex, int32_t owner, double depth, double rounding)
{
    double known = front->patches->depths[vertex];
    if (!(depth < known) || (front->visits[vertex] > 0 && known - depth <= rounding) ||
        front->visits[vertex] >= MAX_VISITS) {
        return;
    }
    front->patches->depths[vertex] = depth;
    front->patches->owners[vertex] = owner;
    gti_heap_lower(&front->heap, vertex, depth);
}

// Distance of c from the source that is da from a and db from b, on the other side of a b than c; infinite where the
// straight way misses a b.
static double unfold(GtiVec a, GtiVec b, GtiVec c, double da, double db)
{
    GtiVec ab = gti_vec_sub(b, a);
    GtiVec ac = gti_vec_sub(c, a);
    double l = gti_vec_length(ab);
    if (!(l > 0.0)) {
        return INFINITY;
    }
    double sx = (da * da - db * db + l * l) / (2.0 * l);
    double sy = sqrt(fmax(da * da - sx * sx, 0.0));
    double cx = gti_vec_dot(ac, ab) / l;
    double cy = sqrt(fmax(gti_vec_dot(ac, ac) - cx * cx, 0.0));
    double crossing = sy + cy > 0.0 ? sx + (cx - sx) * sy / (sy + cy) : -1.0;
    double x = cx - sx;
    double y = cy + sy;
    return crossing >= 0.0 && crossing <= l ? sqrt(x * x + y * y) : INFINITY;
}

// Distance of c from a straight front that is da from a and db from b; infinite where its way misses a b.
static double advance(GtiVec a, GtiVec b, GtiVec c, double da, double db)
{
    GtiVec ab = gti_vec_sub(b, a);
    GtiVec ac = gti_vec_sub(c, a);
    double l = gti_vec_length(ab);
    double along = l > 0.0 ? (db - da) / l : 1.0;
    if (!(fabs(along) < 1.0)) {
        return INFINITY;
    }
    double across = sqrt(1.0 - along * along);
    double cx = gti_vec_dot(ac, ab) / l;
    double cy = sqrt(fmax(gti_vec_dot(ac, ac) - cx * cx, 0.0));
    double crossing = cx - cy * along / across;
    return crossing >= 0.0 && crossing <= l ? da + along * cx + across * cy : INFINITY;
}

static void march_over(Front* front, int32_t vertex, int32_t triangle)
{
    const double* depths = front->patches->depths;
    const int32_t* owners = front->patches->owners;
    int32_t owner = owners[vertex];
    double radius = front->sources[owner].radius;
    double (*further)(GtiVec a, GtiVec b, GtiVec c, double da, double db) =
        front->sources[owner].is_band ? advance : unfold;
    const int32_t* corners = front->mesh->triangles[triangle];
    for (int k = 0; k < 3; ++k) {
        int32_t to = corners[k];
        if (to == vertex) {
            continue;
        }
        GtiVec a = corner(front->mesh, vertex);
        GtiVec c = corner(front->mesh, to);
        double length = length_between(a, c);
        double depth = depths[vertex] + length;
        int32_t other = corners[(k + 1) % 3] == vertex ? corners[(k + 2) % 3] : corners[(k + 1) % 3];
        if (owners[other] == owner) {
            double d =
                further(a, corner(front->mesh, other), c, depths[vertex] + radius, depths[other] + radius) - radius;
            depth = fmin(depth, d);
        }
        reach(front, to, owner, depth, 1e-6 * length);
    }
}

static void start_disc(Front* front, int32_t owner)
{
    const GtiPatchSource* source = &front->sources[owner];
    for (int k = 0; k < 3; ++k) {
        int32_t vertex = front->mesh->triangles[source->triangle][k];
        double distance = length_between(corner(front->mesh, vertex), source->place);
        reach(front, vertex, owner, fmin(distance - source->radius, 0.0), 0.0);
    }
}

static bool start_band(Front* front, const GtiFans* fans, int32_t owner, uint8_t* marks, GtArena* scratch)
{
    const GtiPatchSource* source = &front->sources[owner];
    GtArenaMark mark = gt_arena_mark(scratch);
    GtiBand band;
    if (!gti_band_trace(front->mesh, fans, source->triangle, source->place, source->band, marks, scratch, &band)) {
        return false;
    }
    for (int32_t i = 0; i < band.count; ++i) {
        GtiVec ends[2];
        if (!gti_band_cut(front->mesh, band.triangles[i], source->place, source->band, ends)) {
            start_disc(front, owner);
            continue;
        }
        double depths[3];
        const int32_t* corners = front->mesh->triangles[band.triangles[i]];
        for (int k = 0; k < 3; ++k) {
            GtiVec c = corner(front->mesh, corners[k]);
            depths[k] = length_between(c, nearest_on_segment(c, ends[0], ends[1])) - source->radius;
        }
        double least = fmin(depths[0], fmin(depths[1], depths[2]));
        for (int k = 0; k < 3; ++k) {
            reach(front, corners[k], owner, depths[k] > least ? depths[k] : fmin(least, 0.0), 0.0);
        }
    }
    gt_arena_reset(scratch, mark);
    return true;
}

static bool start(Front* front, const GtiFans* fans, int32_t source_count, GtArena* scratch)
{
    uint8_t* marks = gt_arena_push_array(scratch, (size_t)front->mesh->triangle_count, sizeof *marks);
    bool made = marks != NULL;
    for (int32_t i = 0; made && i < source_count; ++i) {
        if (front->sources[i].is_band) {
            made = start_band(front, fans, i, marks, scratch);
        } else {
            start_disc(front, i);
        }
    }
    return made;
}

bool gti_patches_make(const GtiTrimesh* mesh, const GtiPatchSource* sources, int32_t source_count, GtArena* arena,
                      GtiPatches* out)
{
    size_t vertex_count = (size_t)mesh->vertex_count;
    *out = (GtiPatches){
        .owners = gt_arena_push(arena, vertex_count * sizeof *out->owners),
        .depths = gt_arena_push(arena, vertex_count * sizeof *out->depths),
    };
    GtArena scratch = gt_arena_create(arena->allocator);
    GtiFans fans = { NULL, NULL };
    Front front = {
        .mesh = mesh,
        .sources = sources,
        .patches = out,
        .visits = gt_arena_push_array(&scratch, vertex_count, 1),
    };
    bool made = out->owners && out->depths && front.visits &&
                gti_heap_make(&scratch, mesh->vertex_count, true, &front.heap) && gti_fans_make(mesh, &scratch, &fans);
    for (size_t v = 0; made && v < vertex_count; ++v) {
        out->owners[v] = GT_NONE;
        out->depths[v] = INFINITY;
    }
    made = made && start(&front, &fans, source_count, &scratch);
    while (made && front.heap.count > 0) {
        int32_t vertex = gti_heap_pop(&front.heap).item;
        ++front.visits[vertex];
        for (int32_t i = fans.starts[vertex]; i < fans.starts[vertex + 1]; ++i) {
            march_over(&front, vertex, fans.triangles[i]);
        }
    }
    gt_arena_destroy(&scratch);
    return made;
}

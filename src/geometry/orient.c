// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Patches are flooded over edges that exactly two triangles share; each triangle learns whether it winds as the first
// of its patch did. Then a patch is turned as a whole. Nested patches all face outwards: eyes in a head are filled as
// the head is.

#include "geometry/orient.h"

#include "base/quat_double.h"

#include <math.h>
#include <string.h>

// What an open patch must enclose towards its middle, in areas to the power of 3/2, for that to tell its outside. A
// sphere has 0.094, a hemisphere without its floor 0.03.
static const double telling_volume = 0.01;

typedef struct Patch {
    GtiVec centre; // by areas
    double area;
    double kept_area; // of triangles that wind as the first one
    double volume;
    bool open;
} Patch;

typedef struct Flood {
    const GtiTrimesh* mesh;
    int32_t (*neighbours)[3]; // half-edge across each side, or GT_NONE
    int32_t* order;           // triangles, patch by patch
    uint8_t* states;
} Flood;

enum {
    SEEN = 1,
    TURNED = 2
};

static void link_neighbours(const GtiEdges* edges, Flood* flood)
{
    memset(flood->neighbours, 0xFF, (size_t)flood->mesh->triangle_count * sizeof *flood->neighbours);
    for (int32_t e = 0; e < edges->edge_count; ++e) {
        if (edges->firsts[e + 1] - edges->firsts[e] == 2) {
            int32_t a = edges->halves[edges->firsts[e]];
            int32_t b = edges->halves[edges->firsts[e] + 1];
            flood->neighbours[a / 3][a % 3] = b;
            flood->neighbours[b / 3][b % 3] = a;
        }
    }
}

// Triangles of the patch of `seed` go to flood->order[first...]; the end of them.
static int32_t flood_patch(Flood* flood, int32_t seed, int32_t first, bool* open)
{
    int32_t end = first;
    flood->order[end++] = seed;
    flood->states[seed] = SEEN;
    *open = false;
    for (int32_t i = first; i < end; ++i) {
        int32_t t = flood->order[i];
        for (int k = 0; k < 3; ++k) {
            int32_t other = flood->neighbours[t][k];
            *open = *open || other == GT_NONE;
            if (other == GT_NONE || flood->states[other / 3] & SEEN) {
                continue;
            }
            bool alike = gti_half_rises(flood->mesh, 3 * t + k) != gti_half_rises(flood->mesh, other);
            bool turned = ((flood->states[t] & TURNED) != 0) == alike;
            flood->states[other / 3] = turned ? SEEN | TURNED : SEEN;
            flood->order[end++] = other / 3;
        }
    }
    return end;
}

static GtiVec first_corner(const GtiTrimesh* mesh, int32_t t)
{
    return gti_vec_from(mesh->positions[mesh->triangles[t][0]]);
}

// Twice the area, along the normal.
static GtiVec area_vector(const GtiTrimesh* mesh, int32_t t)
{
    const int32_t* c = mesh->triangles[t];
    return gti_vec_cross(gti_vec_between(mesh->positions[c[0]], mesh->positions[c[1]]),
                         gti_vec_between(mesh->positions[c[0]], mesh->positions[c[2]]));
}

static void measure_patch(const Flood* flood, int32_t first, int32_t end, Patch* patch)
{
    for (int32_t i = first; i < end; ++i) {
        double area = gti_vec_length(area_vector(flood->mesh, flood->order[i]));
        patch->area += area;
        patch->kept_area += flood->states[flood->order[i]] & TURNED ? 0.0 : area;
        patch->centre = gti_vec_add_scaled(patch->centre, first_corner(flood->mesh, flood->order[i]), area);
    }
    if (patch->area > 0.0) {
        patch->centre = gti_vec_divide(patch->centre, patch->area);
    }
    for (int32_t i = first; i < end; ++i) {
        GtiVec corner = gti_vec_sub(first_corner(flood->mesh, flood->order[i]), patch->centre);
        double volume = gti_vec_dot(area_vector(flood->mesh, flood->order[i]), corner);
        patch->volume += flood->states[flood->order[i]] & TURNED ? -volume : volume;
    }
    patch->area /= 2.0;
    patch->kept_area /= 2.0;
    patch->volume /= 6.0;
}

static bool is_inside_out(const Patch* patch)
{
    double telling = patch->open ? telling_volume * patch->area * sqrt(patch->area) : 0.0;
    if (fabs(patch->volume) > telling) {
        return patch->volume < 0.0;
    }
    return patch->kept_area < 0.5 * patch->area;
}

static int32_t turn_patch(GtiTrimesh* mesh, const Flood* flood, int32_t first, int32_t end, bool inside_out)
{
    int32_t turned = 0;
    for (int32_t i = first; i < end; ++i) {
        int32_t* t = mesh->triangles[flood->order[i]];
        if (((flood->states[flood->order[i]] & TURNED) != 0) != inside_out) {
            int32_t swap = t[1];
            t[1] = t[2];
            t[2] = swap;
            ++turned;
        }
    }
    return turned;
}

bool gti_orient(GtiTrimesh* mesh, const GtiEdges* edges, GtAllocator allocator, int32_t* turned_count)
{
    *turned_count = 0;
    GtArena scratch = gt_arena_create(allocator);
    size_t count = (size_t)mesh->triangle_count;
    Flood flood = { .mesh = mesh,
                    .neighbours = gt_arena_push(&scratch, count * sizeof *flood.neighbours),
                    .order = gt_arena_push(&scratch, count * sizeof *flood.order),
                    .states = gt_arena_push_array(&scratch, count, 1) };
    bool ok = flood.neighbours && flood.order && flood.states;
    if (ok) {
        link_neighbours(edges, &flood);
    }
    int32_t end = 0;
    for (int32_t seed = 0; ok && seed < mesh->triangle_count; ++seed) {
        if (!(flood.states[seed] & SEEN)) {
            Patch patch = { .area = 0.0 };
            int32_t first = end;
            end = flood_patch(&flood, seed, first, &patch.open);
            measure_patch(&flood, first, end, &patch);
            *turned_count += turn_patch(mesh, &flood, first, end, is_inside_out(&patch));
        }
    }
    gt_arena_destroy(&scratch);
    return ok;
}

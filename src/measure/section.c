// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A plane across a bone cuts the skin of the bind pose in loops; the one round the bone is kept as places on edges of
// the mesh. It moves with the skin like an elastic band, so it stays closed however the skin bends, and where a twist
// wrings the skin its area shrinks. The area is the length of the vector area, 1/2 sum p x q.

#include "measure/skin.h"

#include "base/quat_double.h"

#include <math.h>
#include <stdlib.h>

enum {
    NEIGHBOUR_TRIANGLES =
        8 // that are looked at, for each of a zone's own: one huge neighbour of many must not cost all
};

static const float section_places[GTI_SECTION_COUNT] = { 0.06f, 0.25f, 0.5f, 0.75f, 0.94f }; // along the bone

// A cut through one triangle, with the points of the edges it goes through, and its loop.
typedef struct Piece {
    GtiCut cut;
    uint64_t in, out; // edges as pairs of points
    int32_t loop;
} Piece;

// An end of a piece, for finding which pieces meet.
typedef struct End {
    uint64_t edge;
    int32_t piece;
    bool is_out;
} End;

// A plane across a bone.
typedef struct Plane {
    GtVec3 point, normal;
} Plane;

static uint64_t edge_key(const GtiMeasuredSkin* skin, int32_t a, int32_t b)
{
    uint64_t p = (uint64_t)skin->points[a];
    uint64_t q = (uint64_t)skin->points[b];
    return p < q ? p << 32 | q : q << 32 | p;
}

static float side_of(const GtiMeasuredSkin* skin, const Plane* plane, uint32_t vertex)
{
    float d = gt_vec3_dot(gt_vec3_sub(skin->rest[vertex], plane->point), plane->normal);
    return d == 0.0f ? 1e-30f : d;
}

// Cut one triangle; false where the plane misses it.
static bool cut_triangle(const GtiMeasuredSkin* skin, const Plane* plane, const uint32_t* c, Piece* out)
{
    float d[3];
    for (int i = 0; i < 3; ++i) {
        d[i] = side_of(skin, plane, c[i]);
    }
    int found = 0;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        if ((d[i] > 0.0f) == (d[j] > 0.0f)) {
            continue;
        }
        // The same place on the edge whichever triangle asks: from the lower to the higher point.
        bool swap = skin->points[c[i]] > skin->points[c[j]];
        int a = swap ? j : i;
        int b = swap ? i : j;
        float at = d[a] / (d[a] - d[b]);
        ++found;
        if (d[i] > 0.0f) { // going down: the piece ends here
            out->cut.b0 = (int32_t)c[a];
            out->cut.b1 = (int32_t)c[b];
            out->cut.b = at;
            out->out = edge_key(skin, (int32_t)c[a], (int32_t)c[b]);
        } else {
            out->cut.a0 = (int32_t)c[a];
            out->cut.a1 = (int32_t)c[b];
            out->cut.a = at;
            out->in = edge_key(skin, (int32_t)c[a], (int32_t)c[b]);
        }
    }
    return found == 2;
}

static int compare_ends(const void* left, const void* right)
{
    const End* a = left;
    const End* b = right;
    int order = (a->edge > b->edge) - (a->edge < b->edge);
    return order ? order : (a->piece > b->piece) - (a->piece < b->piece);
}

static int32_t find_loop(Piece* pieces, int32_t i)
{
    while (pieces[i].loop != i) {
        pieces[i].loop = pieces[pieces[i].loop].loop;
        i = pieces[i].loop;
    }
    return i;
}

static GtVec3 place_on(const GtVec3* positions, int32_t a, int32_t b, float at)
{
    return gt_vec3_lerp(positions[a], positions[b], at);
}

// A loop as seen along the bone.
typedef struct Loop {
    double winding; // turns round the bone
    GtiVec area;    // twice the vector area
    bool is_open;
} Loop;

static void add_to_loop(const GtiMeasuredSkin* skin, const Plane* plane, const Piece* piece, Loop* loop)
{
    GtVec3 p = gt_vec3_sub(place_on(skin->rest, piece->cut.a0, piece->cut.a1, piece->cut.a), plane->point);
    GtVec3 q = gt_vec3_sub(place_on(skin->rest, piece->cut.b0, piece->cut.b1, piece->cut.b), plane->point);
    GtVec3 cross = gt_vec3_cross(p, q);
    loop->winding += atan2((double)gt_vec3_dot(cross, plane->normal), (double)gt_vec3_dot(p, q));
    loop->area = gti_vec_add(loop->area, gti_vec_from(cross));
}

static double loop_area(const Loop* loop)
{
    return 0.5 * gti_vec_length(loop->area);
}

// Join pieces into loops, and choose the largest closed one round the bone; its number, or GT_NONE.
static int32_t choose_loop(const GtiMeasuredSkin* skin, const Plane* plane, Piece* pieces, End* ends, Loop* loops,
                           int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        pieces[i].loop = i;
        loops[i] = (Loop){ 0 };
        ends[2 * i] = (End){ pieces[i].in, i, false };
        ends[2 * i + 1] = (End){ pieces[i].out, i, true };
    }
    qsort(ends, (size_t)count * 2, sizeof *ends, compare_ends);
    for (int32_t i = 0; i + 1 < 2 * count; ++i) {
        if (ends[i].edge == ends[i + 1].edge) {
            pieces[find_loop(pieces, ends[i].piece)].loop = find_loop(pieces, ends[i + 1].piece);
        }
    }
    for (int32_t i = 0, end; i < 2 * count; i = end) {
        int32_t balance = 0;
        for (end = i; end < 2 * count && ends[end].edge == ends[i].edge; ++end) {
            balance += ends[end].is_out ? 1 : -1;
        }
        if (balance != 0) {
            loops[find_loop(pieces, ends[i].piece)].is_open = true;
        }
    }
    for (int32_t i = 0; i < count; ++i) {
        add_to_loop(skin, plane, &pieces[i], &loops[find_loop(pieces, i)]);
    }
    int32_t best = GT_NONE;
    for (int32_t i = 0; i < count; ++i) {
        bool goes_round = pieces[i].loop == i && !loops[i].is_open && fabs(loops[i].winding) > 3.0;
        if (goes_round && (best == GT_NONE || loop_area(&loops[i]) > loop_area(&loops[best]))) {
            best = i;
        }
    }
    return best;
}

// Zones next to each other along the bones.
static bool are_neighbours(const GtiMeasuredSkin* skin, int32_t a, int32_t b)
{
    const int32_t* parents = skin->figure->def->parents;
    int32_t node_a = skin->zones[a].node;
    int32_t node_b = skin->zones[b].node;
    return a == b || parents[node_a] == node_b || parents[node_b] == node_a;
}

static int32_t cut_zone(const GtiMeasuredSkin* skin, const Plane* plane, int32_t zone, Piece* pieces, int32_t count)
{
    const GtiZone* of = &skin->zones[zone];
    for (int32_t t = of->first_triangle; t < of->first_triangle + of->triangle_count; ++t) {
        count += cut_triangle(skin, plane, skin->corners + 3 * (size_t)t, &pieces[count]);
    }
    return count;
}

static GtResult find_section(GtArena* arena, const GtiMeasuredSkin* skin, int32_t zone, const Plane* plane,
                             Piece* pieces, End* ends, Loop* loops, GtiSection* out, GtError* error)
{
    int32_t count = cut_zone(skin, plane, zone, pieces, 0);
    int32_t best = choose_loop(skin, plane, pieces, ends, loops, count);
    if (best == GT_NONE) { // near a joint the loop goes through the neighbours, too
        int64_t most = NEIGHBOUR_TRIANGLES * ((int64_t)skin->zones[zone].triangle_count + 1000);
        for (int32_t z = 0; z < skin->zone_count; ++z) {
            if (z != zone && skin->zones[z].triangle_count <= most && are_neighbours(skin, z, zone)) {
                most -= skin->zones[z].triangle_count;
                count = cut_zone(skin, plane, z, pieces, count);
            }
        }
        best = choose_loop(skin, plane, pieces, ends, loops, count);
    }
    if (best == GT_NONE) {
        return GT_OK;
    }
    int32_t cut_count = 0;
    for (int32_t i = 0; i < count; ++i) {
        cut_count += find_loop(pieces, i) == best;
    }
    GtiCut* cuts = gt_arena_push_array(arena, (size_t)cut_count, sizeof *cuts);
    if (!cuts) {
        return gti_out_of_memory(error);
    }
    out->cuts = cuts;
    for (int32_t i = 0; i < count; ++i) {
        if (find_loop(pieces, i) == best) {
            cuts[out->cut_count++] = pieces[i].cut;
        }
    }
    out->area_m2 = gti_section_area(out, skin->rest);
    return GT_OK;
}

GtResult gti_skin_find_sections(GtArena* arena, GtArena* scratch, GtiMeasuredSkin* skin, GtError* error)
{
    size_t count = (size_t)skin->triangle_count;
    Piece* pieces = gt_arena_push_array(scratch, count + 1, sizeof *pieces);
    End* ends = gt_arena_push_array(scratch, 2 * count, sizeof *ends);
    Loop* loops = gt_arena_push_array(scratch, count, sizeof *loops);
    if (!pieces || !ends || !loops) {
        return gti_out_of_memory(error);
    }
    for (int32_t z = 0; z < skin->zone_count; ++z) {
        GtiZone* zone = &skin->zones[z];
        GtVec3 start = gt_mat34_translation(&skin->bind[zone->node]);
        GtVec3 end = gt_mat34_point(&skin->bind[zone->node], zone->axis_end);
        for (int s = 0; zone->has_axis && s < GTI_SECTION_COUNT; ++s) {
            Plane plane = { gt_vec3_lerp(start, end, section_places[s]),
                            gt_vec3_normalize_or(gt_vec3_sub(end, start), gt_vec3(0.0f, 1.0f, 0.0f)) };
            GtResult result = find_section(arena, skin, z, &plane, pieces, ends, loops, &zone->sections[s], error);
            if (result != GT_OK) {
                return result;
            }
        }
    }
    return GT_OK;
}

double gti_section_area(const GtiSection* section, const GtVec3* positions)
{
    GtiVec sum = gti_vec(0.0, 0.0, 0.0);
    GtVec3 origin = section->cut_count ? positions[section->cuts[0].a0] : gt_vec3(0.0f, 0.0f, 0.0f);
    for (int32_t i = 0; i < section->cut_count; ++i) {
        const GtiCut* cut = &section->cuts[i];
        GtVec3 p = gt_vec3_sub(place_on(positions, cut->a0, cut->a1, cut->a), origin);
        GtVec3 q = gt_vec3_sub(place_on(positions, cut->b0, cut->b1, cut->b), origin);
        sum = gti_vec_add(sum, gti_vec_from(gt_vec3_cross(p, q)));
    }
    return 0.5 * gti_vec_length(sum);
}

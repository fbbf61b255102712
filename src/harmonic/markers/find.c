// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Between two rings of one bone a harmonic field hardly varies, and beyond the last ring of a limb it does not vary at
// all: so a limb needs a ring near each of its joints, a last bone one ring, and a short bone one in its middle. A ring
// of an arm, a leg or a finger is one marker, a band, where the surface closes around it in a loop, else discs. What a
// field would get wrong is surface that lies between rings of two bones and yet belongs to one, as heels, chins and
// buttocks do: there, far from all markers of a bone and from its borders, single markers are added.

#include "harmonic/markers/find.h"
#include "base/field_table.h"
#include "harmonic/markers/rings.h"

#include <math.h>

static const float stout = 2.4f;       // a bone that is shorter than so many radii has one ring
static const float most_along = 0.42f; // of a bone's length, from its joint to the ring
static const float least_along = 0.12f;
static const float finger_share = 1.6f;  // of its radius: two discs close around a finger
static const int32_t most_extras = 4;    // a bone
static const float waist_share = 0.8f;   // of a short spine, away from the girdle of the hips
static const float knuckle_share = 0.6f; // of the softness of other joints
static const float loop_share = 0.75f;   // of the rays must meet the loop that a band goes along
static const float loop_reach = 2.0f;    // times the limb's radius is as far as it may go

static const int32_t most_pieces = 1000;
static const double fair_part = 0.2; // of the area of a piece
static const double most_part = 0.8; // of that of a small piece that is of one bone

// Where twist spreads: rings at the near and the far end of some bones.
static const struct {
    GtHumanoidJoint joint; // on the left
    float near, far;
} twists[] = {
    { GT_HUMANOID_LEFT_UPPER_ARM, -0.6f, 0.0f },
    { GT_HUMANOID_LEFT_LOWER_ARM, -0.1f, 0.3f },
    { GT_HUMANOID_LEFT_UPPER_LEG, -0.6f, 0.0f },
    { GT_HUMANOID_LEFT_LOWER_LEG, 0.0f, 0.4f },
    { GT_HUMANOID_NECK, 0.4f, 0.4f },
};

GtMarkersDef gt_default_markers_def(void)
{
    return (GtMarkersDef){ .softness = 1.75f, .ring_size = 8 };
}

static float edge_of(const GtiShell* shell, int32_t triangle)
{
    float sum = 0.0f;
    for (int i = 0; i < 3; ++i) {
        sum += gt_vec3_length(
            gt_vec3_sub(gti_shell_corner(shell, triangle, (i + 1) % 3), gti_shell_corner(shell, triangle, i)));
    }
    return sum / 3.0f;
}

static GtMarker marker_at(const GtiPlacer* k, int32_t bone, int32_t triangle, float twist)
{
    int32_t node = k->bones.bones[bone].node;
    const int32_t* sources = k->shell->figure->def->source_nodes;
    GtMarker marker = { .node = sources ? sources[node] : node, .twist = twist };
    gti_marker_place(k->shell, triangle, &marker);
    return marker;
}

static void append(GtiPlacer* k, GtMarker marker, GtiMarkerSpot spot)
{
    if (k->markers->count < k->capacity) {
        k->markers->markers[k->markers->count] = marker;
        k->spots[k->markers->count++] = spot;
    }
}

void gti_placer_add(GtiPlacer* k, int32_t bone, int32_t triangle, float radius_m, float most_m, float twist)
{
    float edge = edge_of(k->shell, triangle);
    GtMarker marker = marker_at(k, bone, triangle, twist);
    marker.radius_m = fmaxf(fminf(fmaxf(radius_m, 2.0f * edge), most_m), edge);
    append(k, marker, (GtiMarkerSpot){ .bone = bone, .place = marker.point });
}

// A ring to be: where its rays met the surface.
typedef struct Ring {
    int32_t bone;
    GtVec3 center;
    int32_t ray_count;
    float share; // of the limb's radius is a marker's
    float most_m;
    float twist;
    GtiHit hits[GTI_MAX_RING * GTI_RING_LAYERS];
    int32_t hit_count;
    float girth_m;
} Ring;

static int32_t piece_of(const GtiPlacer* k, int32_t triangle)
{
    return k->shell->pieces[k->shell->corners[3 * (size_t)triangle]];
}

// Whether a loop goes around the ring's bone, on its surface or that of one next to it, and meets most rays.
static bool goes_round(const GtiPlacer* k, const Ring* ring, const GtiBand* loop)
{
    for (int32_t i = 0; i < loop->count; ++i) {
        GtVec3 off = gt_vec3_sub(gti_shell_middle(k->shell, loop->triangles[i]), ring->center);
        if (!gti_bones_are_neighbours(&k->bones, k->bones.of_triangles[loop->triangles[i]], ring->bone) ||
            gt_vec3_length(off) > loop_reach * ring->girth_m + edge_of(k->shell, loop->triangles[i])) {
            return false;
        }
        k->marks[loop->triangles[i]] = 1;
    }
    int32_t met = 0;
    for (int32_t i = 0; i < ring->hit_count; ++i) {
        met += k->marks[ring->hits[i].triangle];
    }
    return loop->is_closed && (float)met >= loop_share * (float)ring->ray_count;
}

static bool add_band(GtiPlacer* k, const Ring* ring, int32_t piece)
{
    GtVec3 axis = k->bones.bones[ring->bone].axis;
    int32_t best = GT_NONE; // the marker's plane goes through the middle of its triangle, not through the hit
    float least = INFINITY;
    for (int32_t i = 0; i < ring->hit_count; ++i) {
        GtVec3 off = gt_vec3_sub(gti_shell_middle(k->shell, ring->hits[i].triangle), ring->center);
        if (piece_of(k, ring->hits[i].triangle) == piece && fabsf(gt_vec3_dot(off, axis)) < least) {
            least = fabsf(gt_vec3_dot(off, axis));
            best = ring->hits[i].triangle;
        }
    }
    GtArenaMark mark = gt_arena_mark(&k->scratch);
    GtMarker marker = marker_at(k, ring->bone, best, ring->twist);
    marker.band = axis;
    marker.radius_m = fminf(ring->share * ring->girth_m, ring->most_m);
    GtiBand loop = { .count = 0 };
    bool is_good = gti_band_trace(&k->mesh, &k->fans, best, gti_vec_from(marker.point), gti_vec_from(axis), k->marks,
                                  &k->scratch, &loop) &&
                   goes_round(k, ring, &loop);
    for (int32_t i = 0; i < loop.count; ++i) {
        k->marks[loop.triangles[i]] = 0;
    }
    gt_arena_reset(&k->scratch, mark);
    if (is_good) {
        GtVec3 center =
            gt_vec3_add(ring->center, gt_vec3_scale(axis, gt_vec3_dot(gt_vec3_sub(marker.point, ring->center), axis)));
        append(k, marker, (GtiMarkerSpot){ ring->bone, marker.point, center, ring->girth_m });
    }
    return is_good;
}

static bool is_shoulder(int32_t joint)
{
    return joint == GT_HUMANOID_LEFT_SHOULDER || joint == GT_HUMANOID_RIGHT_SHOULDER;
}

static void add_discs(GtiPlacer* k, const Ring* ring, int32_t piece)
{
    for (int32_t i = 0; i < ring->hit_count; ++i) {
        int32_t triangle = ring->hits[i].triangle;
        bool is_below = is_shoulder(k->bones.bones[ring->bone].joint) && k->bones.of_triangles[triangle] != ring->bone;
        if (piece_of(k, triangle) == piece && !is_below) { // below a clavicle is the chest
            gti_placer_add(k, ring->bone, triangle, ring->share * ring->hits[i].distance_m, ring->most_m, ring->twist);
        }
    }
}

static void cast(const GtiPlacer* k, Ring* ring)
{
    const GtiMarkerBone* bone = &k->bones.bones[ring->bone];
    ring->hit_count =
        gti_ring_cast(k->shell, &k->bones, ring->bone, ring->center, bone->axis, ring->ray_count, ring->hits);
    ring->girth_m = gti_hits_radius(ring->hits, ring->hit_count);
}

static bool is_finger(int32_t joint)
{
    return joint >= (int32_t)GT_HUMANOID_LEFT_THUMB_METACARPAL;
}

// What a band may close around; a metacarpal lies in the hand.
static bool is_limb(int32_t joint)
{
    bool is_free_finger =
        is_finger(joint) && joint != GT_HUMANOID_LEFT_THUMB_METACARPAL && joint != GT_HUMANOID_RIGHT_THUMB_METACARPAL;
    return joint == GT_NONE || is_free_finger || joint == GT_HUMANOID_LEFT_UPPER_ARM ||
           joint == GT_HUMANOID_RIGHT_UPPER_ARM || joint == GT_HUMANOID_LEFT_LOWER_ARM ||
           joint == GT_HUMANOID_RIGHT_LOWER_ARM || joint == GT_HUMANOID_LEFT_UPPER_LEG ||
           joint == GT_HUMANOID_RIGHT_UPPER_LEG || joint == GT_HUMANOID_LEFT_LOWER_LEG ||
           joint == GT_HUMANOID_RIGHT_LOWER_LEG;
}

// A ring across a bone: of each piece of the surface that it meets a band, or discs.
static void add_ring(GtiPlacer* k, int32_t b, float along_m, float most_m, float twist)
{
    const GtiMarkerBone* bone = &k->bones.bones[b];
    Ring ring = { .bone = b,
                  .center = gt_vec3_add(bone->from, gt_vec3_scale(bone->axis, along_m)),
                  .ray_count = k->def->ring_size,
                  .share = is_finger(bone->joint) ? finger_share : GTI_RADIUS_SHARE,
                  .most_m = most_m,
                  .twist = twist };
    cast(k, &ring);
    Ring discs = ring;
    if (is_finger(bone->joint)) {
        discs.ray_count = 2;
        cast(k, &discs);
    }
    int32_t before = k->markers->count;
    for (int32_t i = 0; i < ring.hit_count; ++i) {
        int32_t piece = piece_of(k, ring.hits[i].triangle);
        bool is_first = true;
        for (int32_t j = 0; j < i && is_first; ++j) {
            is_first = piece_of(k, ring.hits[j].triangle) != piece;
        }
        if (is_first && !(is_limb(bone->joint) && add_band(k, &ring, piece))) {
            add_discs(k, &discs, piece);
        }
    }
    k->report.ring_count += k->markers->count > before;
}

float gti_placer_girth(const GtiPlacer* k, int32_t bone, float share)
{
    Ring ring = { .bone = bone,
                  .center = gt_vec3_lerp(k->bones.bones[bone].from, k->bones.bones[bone].to, share),
                  .ray_count = k->def->ring_size };
    cast(k, &ring);
    return ring.girth_m;
}

static void find_twist(int32_t joint, float* near, float* far)
{
    *near = *far = 0.0f;
    for (size_t i = 0; i < sizeof twists / sizeof twists[0]; ++i) {
        if (joint == (int32_t)twists[i].joint || joint == (int32_t)gt_humanoid_mirror(twists[i].joint)) {
            *near = twists[i].near;
            *far = twists[i].far;
        }
    }
}

static float distance_to_markers(const GtiPlacer* k, int32_t first, GtVec3 p)
{
    float least = INFINITY;
    for (int32_t i = first; i < k->markers->count; ++i) {
        least = fminf(least, gti_placer_distance(k, i, p));
    }
    return least;
}

static float distance_to_border(const GtiPlacer* k, int32_t bone, GtVec3 p)
{
    float least = INFINITY;
    for (int32_t i = 0; i < k->border_count; ++i) {
        if (gti_bones_are_neighbours(&k->bones, k->bones.of_points[k->borders[i]], bone)) {
            least = fminf(least, gt_vec3_length(gt_vec3_sub(k->shell->positions[k->borders[i]], p)));
        }
    }
    return least;
}

// Markers where a bone's own surface is far from the markers it has; where it has none, farthest from its borders.
static void add_extras(GtiPlacer* k, int32_t b, float radius_m, int32_t most)
{
    const GtiShell* shell = k->shell;
    int32_t first = k->markers->count;
    while (first > 0 && k->spots[first - 1].bone == b) {
        --first;
    }
    for (int32_t i = 0; i < most; ++i) {
        int32_t best = GT_NONE;
        float farthest = 1.1f * radius_m;
        for (int32_t t = 0; t < shell->triangle_count; ++t) {
            int32_t piece = shell->pieces[shell->corners[3 * (size_t)t]];
            if (k->bones.of_triangles[t] != b || shell->piece_areas[piece] < GTI_LARGE_PIECE * shell->area_m2) {
                continue;
            }
            GtVec3 p = gti_shell_middle(shell, t);
            int32_t count = k->markers->count - first;
            float off = distance_to_markers(k, first, p);
            if (off <= farthest && count > 0) {
                continue;
            }
            float border = distance_to_border(k, b, p);
            off = count > 0 ? off : fminf(border, (float)shell->size_m);
            if (off > farthest && border >= 0.8f * k->def->softness * radius_m) {
                farthest = off;
                best = t;
            }
        }
        if (best == GT_NONE) {
            break;
        }
        gti_placer_add(k, b, best, GTI_RADIUS_SHARE * radius_m, INFINITY, 0.0f);
    }
}

static float softness_at(const GtiPlacer* k, int32_t b)
{
    bool is_knuckle = b != GT_NONE && is_finger(k->bones.bones[b].joint);
    return (is_knuckle ? knuckle_share : 1.0f) * k->def->softness;
}

static void place_limb(GtiPlacer* k, int32_t b, float near_radius, float far_radius)
{
    const GtiMarkerBone* bone = &k->bones.bones[b];
    float twist[2];
    find_twist(bone->joint, &twist[0], &twist[1]);
    float low = least_along * bone->length_m;
    float high = most_along * bone->length_m;
    float near = fminf(fmaxf(softness_at(k, b) * near_radius, low), high);
    float far = fminf(fmaxf(softness_at(k, bone->next) * far_radius, low), high);
    add_ring(k, b, near, near, twist[0]);
    if (bone->next != GT_NONE) {
        add_ring(k, b, bone->length_m - far, far, twist[1]);
    }
    if (bone->joint == GT_HUMANOID_LEFT_UPPER_ARM || bone->joint == GT_HUMANOID_RIGHT_UPPER_ARM) {
        gti_place_collar(k, b, near_radius);
    }
}

static void place_stout(GtiPlacer* k, int32_t b, float radius_m)
{
    const GtiMarkerBone* bone = &k->bones.bones[b];
    float twist[2];
    find_twist(bone->joint, &twist[0], &twist[1]);
    bool is_hips = bone->joint == GT_HUMANOID_HIPS;
    float along = is_hips ? 0.0f : (bone->joint == GT_HUMANOID_SPINE ? waist_share : 0.5f) * bone->length_m;
    if (bone->next == GT_NONE) {
        along = fminf(along, fmaxf(k->def->softness * radius_m, 0.25f * bone->length_m));
    }
    if (!is_hips || !gti_place_girdle(k, b)) {
        add_ring(k, b, along, fmaxf(0.45f * bone->length_m, 0.2f * radius_m), twist[0]);
    }
    add_extras(k, b, radius_m, most_extras);
}

static void place_bone(GtiPlacer* k, int32_t b)
{
    const GtiMarkerBone* bone = &k->bones.bones[b];
    if (bone->point_count == 0 || k->is_known[b]) {
        return;
    }
    float near_radius = gti_placer_girth(k, b, 0.25f);
    float far_radius = gti_placer_girth(k, b, 0.75f);
    float radius = fmaxf(0.5f * (near_radius + far_radius), 1e-3f * (float)k->shell->size_m);
    int32_t before = k->markers->count;
    if (is_finger(bone->joint)) {
        add_ring(k, b, 0.5f * bone->length_m, 0.4f * bone->length_m, 0.0f);
    } else if (bone->length_m < stout * radius || bone->next == GT_NONE) {
        place_stout(k, b, radius);
    } else {
        place_limb(k, b, near_radius, far_radius);
    }
    if (k->markers->count == before) {
        add_extras(k, b, 0.0f, 1);
    }
}

static GtResult find_borders(GtiPlacer* k)
{
    const GtiShell* shell = k->shell;
    k->borders = gt_arena_push_array(&k->scratch, (size_t)shell->point_count, sizeof *k->borders);
    bool* is_border = gt_arena_push_array(&k->scratch, (size_t)shell->point_count, sizeof *is_border);
    if (!k->borders || !is_border) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t t = 0; t < shell->triangle_count; ++t) {
        const uint32_t* c = &shell->corners[3 * (size_t)t];
        const int32_t* of = k->bones.of_points;
        bool is_mixed = of[c[0]] != of[c[1]] || of[c[1]] != of[c[2]];
        for (int i = 0; i < 3 && is_mixed; ++i) {
            if (!is_border[c[i]]) {
                is_border[c[i]] = true;
                k->borders[k->border_count++] = (int32_t)c[i];
            }
        }
    }
    return GT_OK;
}

typedef struct Part {
    double area_m2;
    int32_t triangle; // the largest
    float largest;
} Part;

static void mark_pieces(const GtiPlacer* k, bool* is_marked)
{
    const GtiShell* shell = k->shell;
    for (int32_t i = 0; i < k->markers->count; ++i) {
        const GtMarker* m = &k->markers->markers[i];
        int32_t t = m->mesh == GT_NONE ? GT_NONE : gti_shell_triangle(shell, m->mesh, m->primitive, m->triangle);
        if (t != GT_NONE) {
            is_marked[shell->pieces[shell->corners[3 * (size_t)t]]] = true;
        }
    }
}

// A small piece most of which is of no one bone. parts: [bone_count] of the piece
static bool rides_along(const GtiPlacer* k, const Part* parts, double piece_area)
{
    double most = 0.0;
    for (int32_t b = 0; b < k->bones.count; ++b) {
        most = fmax(most, parts[b].area_m2);
    }
    return piece_area < GTI_LARGE_PIECE * k->shell->area_m2 && most < most_part * piece_area;
}

// Pieces that no ring has met, as buttons, armour or what is inside others: a marker for each bone that moves a fair
// part of one. Where there are very many, they are left to what they are near to; so are small ones that are of more
// than one bone, such as buttons beside an elbow, which would bend: a tie without markers moves them as wholes.
static GtResult place_pieces(GtiPlacer* k)
{
    const GtiShell* shell = k->shell;
    size_t bone_count = (size_t)k->bones.count;
    if (shell->piece_count > most_pieces) {
        return GT_OK;
    }
    bool* is_marked = gt_arena_push_array(&k->scratch, (size_t)shell->piece_count, sizeof *is_marked);
    Part* parts = gt_arena_push_array(&k->scratch, (size_t)shell->piece_count * bone_count, sizeof *parts);
    if (!is_marked || !parts) {
        return gti_out_of_memory(k->error);
    }
    mark_pieces(k, is_marked);
    for (int32_t t = 0; t < shell->triangle_count; ++t) {
        size_t piece = (size_t)shell->pieces[shell->corners[3 * (size_t)t]];
        Part* part = &parts[piece * bone_count + (size_t)k->bones.of_triangles[t]];
        float area = 0.5f * gt_vec3_length(gti_shell_normal(shell, t));
        part->triangle = area > part->largest ? t : part->triangle;
        part->largest = fmaxf(area, part->largest);
        part->area_m2 += (double)area;
    }
    for (int32_t piece = 0; piece < shell->piece_count; ++piece) {
        bool rides = rides_along(k, &parts[(size_t)piece * bone_count], shell->piece_areas[piece]);
        for (int32_t b = 0; b < k->bones.count && !is_marked[piece] && !rides; ++b) {
            const Part* part = &parts[(size_t)piece * bone_count + (size_t)b];
            if (part->area_m2 > fair_part * shell->piece_areas[piece]) {
                gti_placer_add(k, b, part->triangle, 0.0f, INFINITY, 0.0f);
            }
        }
    }
    return GT_OK;
}

static void sum_up(GtiPlacer* k)
{
    k->report.found_count = k->markers->count - k->report.known_count;
    k->report.least_radius_m = k->report.found_count > 0 ? INFINITY : 0.0f;
    for (int32_t i = k->report.known_count; i < k->markers->count; ++i) {
        k->report.least_radius_m = fminf(k->report.least_radius_m, k->markers->markers[i].radius_m);
        k->report.largest_radius_m = fmaxf(k->report.largest_radius_m, k->markers->markers[i].radius_m);
    }
}

// The anchor: of the topmost bone's markers the one that looks back most, with what is around it.
static void place_anchor(GtiPlacer* k)
{
    int32_t best = GT_NONE;
    for (int32_t i = 0; i < k->markers->count; ++i) {
        if (best == GT_NONE || k->spots[i].bone < k->spots[best].bone ||
            (k->spots[i].bone == k->spots[best].bone && k->spots[i].place.z < k->spots[best].place.z)) {
            best = i;
        }
    }
    if (best != GT_NONE && k->markers->anchor.node == GT_NONE) {
        k->markers->anchor = k->markers->markers[best];
        k->markers->anchor.radius_m *= 1.5f;
        k->markers->anchor.twist = 0.0f;
        k->markers->anchor.band = gt_vec3(0.0f, 0.0f, 0.0f);
    }
}

static void count_bare(GtiPlacer* k)
{
    for (int32_t b = 0; b < k->bones.count; ++b) {
        bool is_bare = k->bones.bones[b].point_count > 0;
        for (int32_t i = 0; i < k->markers->count && is_bare; ++i) {
            is_bare = k->spots[i].bone != b;
        }
        k->report.bare_count += is_bare;
    }
}

static GtResult take_known(GtiPlacer* k)
{
    const GtMarkers* known = k->def->known;
    if (!known) {
        return GT_OK;
    }
    GtResult result = gti_marker_set_check(known, k->shell, NULL, k->error);
    k->markers->anchor = known->anchor;
    for (int32_t i = 0; i < known->count && result == GT_OK; ++i) {
        GtMarker marker = known->markers[i];
        int32_t node = gt_character_node_from_source(k->shell->figure->character, marker.node);
        int32_t triangle = marker.mesh == GT_NONE
                               ? GT_NONE
                               : gti_shell_triangle(k->shell, marker.mesh, marker.primitive, marker.triangle);
        if (node == GT_NONE || (marker.mesh != GT_NONE && triangle == GT_NONE)) {
            result =
                gti_fail(k->error, GT_ERROR_BAD_VALUE, "marker %d is on no joint or triangle of this mesh", (int)i);
            break;
        }
        k->spots[i] = (GtiMarkerSpot){ .bone = k->bones.of_nodes[node] };
        k->spots[i].place = triangle == GT_NONE ? marker.point : gti_shell_middle(k->shell, triangle);
        k->is_known[k->spots[i].bone] = true;
        k->markers->markers[k->markers->count++] = marker;
    }
    k->report.known_count = k->markers->count;
    return result;
}

static GtResult place_all(GtiPlacer* k)
{
    GtResult result = gti_bone_tree_find(k->shell, &k->scratch, &k->bones, k->error);
    if (result != GT_OK) {
        return result;
    }
    int32_t known_count = k->def->known ? k->def->known->count : 0;
    k->capacity = known_count > GT_HARMONIC_MAX_MARKERS ? known_count : GT_HARMONIC_MAX_MARKERS;
    size_t capacity = (size_t)k->capacity;
    k->markers->markers = gt_arena_push_array(&k->markers->arena, capacity, sizeof *k->markers->markers);
    k->mesh = (GtiTrimesh){ .positions = k->shell->positions,
                            .vertex_count = k->shell->point_count,
                            .triangles = (int32_t(*)[3])k->shell->corners,
                            .triangle_count = k->shell->triangle_count };
    k->spots = gt_arena_push_array(&k->scratch, capacity, sizeof *k->spots);
    k->marks = gt_arena_push_array(&k->scratch, (size_t)k->shell->triangle_count, sizeof *k->marks);
    k->is_known = gt_arena_push_array(&k->scratch, (size_t)k->bones.count, sizeof *k->is_known);
    if (!k->markers->markers || !k->spots || !k->marks || !k->is_known ||
        !gti_fans_make(&k->mesh, &k->scratch, &k->fans)) {
        return gti_out_of_memory(k->error);
    }
    result = find_borders(k);
    if (result == GT_OK) {
        result = take_known(k);
    }
    for (int32_t b = 0; b < k->bones.count && result == GT_OK; ++b) {
        k->report.bone_count += k->bones.bones[b].point_count > 0;
        place_bone(k, b);
        result = gti_progress(k->context, k->error, "placing markers", (double)(b + 1) / (double)k->bones.count);
    }
    if (result == GT_OK) {
        result = place_pieces(k);
        gti_placer_make_room(k);
        place_anchor(k);
        count_bare(k);
        sum_up(k);
    }
    return result;
}

GtResult gt_markers_find(const GtContext* context, GtFigure* figure, const GtMarkersDef* def, GtMarkers** out,
                         GtMarkersReport* report, GtError* error)
{
    def = def ? def : (GtMarkersDef[]){ gt_default_markers_def() };
    *out = NULL;
    GtiPlacer k = { .context = context, .scratch = gt_arena_create(context->allocator), .def = def, .error = error };
    GtResult result = gti_fields_check(gt_markers_def_fields(), def, error);
    if (result == GT_OK) {
        result = gti_figure_shell(context, figure, &k.shell, error);
    }
    if (result == GT_OK) {
        result = gti_marker_set_create(context, k.shell, &k.markers, error);
    }
    if (result == GT_OK) {
        result = place_all(&k);
    }
    if (result == GT_OK && k.markers->count == 0) {
        result = gti_fail(error, GT_ERROR_NOT_FOUND, "no marker could be placed on its surface");
    }
    gt_arena_destroy(&k.scratch);
    if (result != GT_OK) {
        gti_error_set_file(error, figure->scene->source.file);
        gt_markers_destroy(k.markers);
        return result;
    }
    if (report) {
        *report = k.report;
    }
    *out = k.markers;
    return GT_OK;
}

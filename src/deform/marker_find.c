// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Between two rings of one bone a harmonic field hardly varies, and beyond the last ring of a limb it does not vary at
// all: so a limb needs a ring near each of its joints, a last bone one ring, and a short bone one in its middle. What a
// field would get wrong is surface that lies between rings of two bones and yet belongs to one, as heels, chins and
// buttocks do: there, far from all markers of a bone and from its borders, single markers are added.

#include "deform/markers.h"
#include "deform/rings.h"

#include <math.h>

static const float radius_share = 0.3f; // of the limb's radius
static const float stout = 2.4f;        // a bone that is shorter than so many radii has one ring
static const float most_along = 0.42f;  // of a bone's length, from its joint to the ring
static const float least_along = 0.12f;
static const float finger_share = 1.6f; // of its radius: two discs close around a finger
static const int32_t most_extras = 4;   // a bone

static const float room_share = 0.4f; // of the way to the next bone's markers is the most of a radius
static const int32_t most_pieces = 1000;
static const double fair_part = 0.2; // of the area of a piece

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

typedef struct Placer {
    const GtContext* context;
    GtArena scratch;
    const GtiShell* shell;
    GtiBoneTree bones;
    const GtMarkersDef* def;
    GtMarkers* markers;
    int32_t capacity;
    GtVec3* places;   // [capacity] of the markers
    int32_t* owners;  // [capacity] bones of the markers
    bool* is_known;   // [bone_count] has markers that were given
    int32_t* borders; // [border_count] points at which triangles of two bones meet
    int32_t border_count;
    GtMarkersReport report;
    GtError* error;
} Placer;

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

static GtMarker marker_at(const Placer* k, int32_t bone, int32_t triangle, float radius_m, float most_m)
{
    int32_t node = k->bones.bones[bone].node;
    const int32_t* sources = k->shell->figure.def->source_nodes;
    GtMarker marker = { .node = sources ? sources[node] : node };
    float edge = edge_of(k->shell, triangle);
    gti_marker_place(k->shell, triangle, &marker);
    marker.radius_m = fmaxf(fminf(fmaxf(radius_m, 2.0f * edge), most_m), edge);
    return marker;
}

static void add(Placer* k, int32_t bone, GtMarker marker)
{
    if (k->markers->count == k->capacity) {
        return;
    }
    int32_t at = k->markers->count++;
    k->markers->markers[at] = marker;
    k->places[at] = marker.point;
    k->owners[at] = bone;
}

static void add_ring(Placer* k, int32_t b, float along_m, int32_t ray_count, float share, float most_m, float twist)
{
    GtiHit hits[GTI_MAX_RING * GTI_RING_LAYERS];
    const GtiBone* bone = &k->bones.bones[b];
    GtVec3 center = gt_vec3_add(bone->from, gt_vec3_scale(bone->axis, along_m));
    int32_t count = gti_ring_cast(k->shell, &k->bones, b, center, bone->axis, ray_count, hits);
    bool is_shoulder = bone->joint == GT_HUMANOID_LEFT_SHOULDER || bone->joint == GT_HUMANOID_RIGHT_SHOULDER;
    int32_t before = k->markers->count;
    for (int32_t i = 0; i < count; ++i) {
        if (is_shoulder && k->bones.of_triangles[hits[i].triangle] != b) {
            continue; // below a clavicle is the chest
        }
        GtMarker marker = marker_at(k, b, hits[i].triangle, share * hits[i].distance_m, most_m);
        marker.twist = twist;
        add(k, b, marker);
    }
    k->report.ring_count += k->markers->count > before;
}

static float radius_at(Placer* k, int32_t b, float share)
{
    GtiHit hits[GTI_MAX_RING * GTI_RING_LAYERS];
    const GtiBone* bone = &k->bones.bones[b];
    GtVec3 center = gt_vec3_lerp(bone->from, bone->to, share);
    int32_t count = gti_ring_cast(k->shell, &k->bones, b, center, bone->axis, k->def->ring_size, hits);
    return gti_hits_radius(hits, count);
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

static float distance_to(const GtVec3* places, int32_t count, GtVec3 p)
{
    float least = INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        least = fminf(least, gt_vec3_length(gt_vec3_sub(places[i], p)));
    }
    return least;
}

static float distance_to_border(const Placer* k, int32_t bone, GtVec3 p)
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
static void add_extras(Placer* k, int32_t b, float radius_m, int32_t most)
{
    const GtiShell* shell = k->shell;
    int32_t first = k->markers->count;
    while (first > 0 && k->owners[first - 1] == b) {
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
            float off = count > 0 ? distance_to(k->places + first, count, p) : INFINITY;
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
        add(k, b, marker_at(k, b, best, radius_share * radius_m, INFINITY));
    }
}

static bool is_finger(int32_t joint)
{
    return joint >= (int32_t)GT_HUMANOID_LEFT_THUMB_METACARPAL;
}

// Where an arm or a leg leaves the trunk: a ring behind its joint, so that the limb's turn ends there.
static void place_collar(Placer* k, int32_t b, float behind_m)
{
    GtiHit hits[GTI_MAX_RING * GTI_RING_LAYERS];
    const GtiBone* bone = &k->bones.bones[b];
    GtVec3 center = gt_vec3_sub(bone->from, gt_vec3_scale(bone->axis, behind_m));
    int32_t count = gti_ring_cast(k->shell, &k->bones, bone->parent, center, bone->axis, k->def->ring_size, hits);
    int32_t before = k->markers->count;
    for (int32_t i = 0; i < count; ++i) {
        int32_t owner = k->bones.of_triangles[hits[i].triangle];
        if (owner != b && !k->is_known[owner]) {
            add(k, owner, marker_at(k, owner, hits[i].triangle, radius_share * behind_m, behind_m));
        }
    }
    k->report.ring_count += k->markers->count > before;
}

static bool leaves_trunk(int32_t joint)
{
    return joint == GT_HUMANOID_LEFT_UPPER_ARM || joint == GT_HUMANOID_RIGHT_UPPER_ARM ||
           joint == GT_HUMANOID_LEFT_UPPER_LEG || joint == GT_HUMANOID_RIGHT_UPPER_LEG;
}

static void place_limb(Placer* k, int32_t b, float near_radius, float far_radius)
{
    const GtiBone* bone = &k->bones.bones[b];
    float twist[2];
    find_twist(bone->joint, &twist[0], &twist[1]);
    float low = least_along * bone->length_m;
    float high = most_along * bone->length_m;
    float near = fminf(fmaxf(k->def->softness * near_radius, low), high);
    float far = fminf(fmaxf(k->def->softness * far_radius, low), high);
    add_ring(k, b, near, k->def->ring_size, radius_share, near, twist[0]);
    if (leaves_trunk(bone->joint)) {
        place_collar(k, b, near);
    }
    if (bone->next != GT_NONE) {
        add_ring(k, b, bone->length_m - far, k->def->ring_size, radius_share, far, twist[1]);
    }
}

static void place_stout(Placer* k, int32_t b, float radius_m)
{
    const GtiBone* bone = &k->bones.bones[b];
    float twist[2];
    find_twist(bone->joint, &twist[0], &twist[1]);
    float along = bone->joint == GT_HUMANOID_HIPS ? 0.0f : 0.5f * bone->length_m;
    if (bone->next == GT_NONE) {
        along = fminf(along, fmaxf(k->def->softness * radius_m, 0.25f * bone->length_m));
    }
    add_ring(k, b, along, k->def->ring_size, radius_share, fmaxf(0.45f * bone->length_m, 0.2f * radius_m), twist[0]);
    add_extras(k, b, radius_m, most_extras);
}

static void place_bone(Placer* k, int32_t b)
{
    const GtiBone* bone = &k->bones.bones[b];
    if (bone->point_count == 0 || k->is_known[b]) {
        return;
    }
    float near_radius = radius_at(k, b, 0.25f);
    float far_radius = radius_at(k, b, 0.75f);
    float radius = fmaxf(0.5f * (near_radius + far_radius), 1e-3f * (float)k->shell->size_m);
    int32_t before = k->markers->count;
    if (is_finger(bone->joint)) {
        add_ring(k, b, 0.5f * bone->length_m, 2, finger_share, 0.4f * bone->length_m, 0.0f);
    } else if (bone->length_m < stout * radius || bone->next == GT_NONE) {
        place_stout(k, b, radius);
    } else {
        place_limb(k, b, near_radius, far_radius);
    }
    if (k->markers->count == before) {
        add_extras(k, b, 0.0f, 1);
    }
}

static GtResult find_borders(Placer* k)
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

static void mark_pieces(const Placer* k, bool* is_marked)
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

// Pieces that no ring has met, as buttons, armour or what is inside others: a marker for each bone that moves a fair
// part of one. Where there are very many, they are left to what they are near to.
static GtResult place_pieces(Placer* k)
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
        for (int32_t b = 0; b < k->bones.count && !is_marked[piece]; ++b) {
            const Part* part = &parts[(size_t)piece * bone_count + (size_t)b];
            if (part->area_m2 > fair_part * shell->piece_areas[piece]) {
                add(k, b, marker_at(k, b, part->triangle, 0.0f, INFINITY));
            }
        }
    }
    return GT_OK;
}

// On coarse meshes two edges may reach the next bone: leave room to bend between patches of different bones.
static void trim_radii(Placer* k)
{
    for (int32_t i = k->report.known_count; i < k->markers->count; ++i) {
        float least = INFINITY;
        for (int32_t j = 0; j < k->markers->count; ++j) {
            if (k->owners[j] != k->owners[i] && gti_bones_are_neighbours(&k->bones, k->owners[i], k->owners[j])) {
                least = fminf(least, gt_vec3_length(gt_vec3_sub(k->places[j], k->places[i])));
            }
        }
        k->markers->markers[i].radius_m = fminf(k->markers->markers[i].radius_m, room_share * least);
    }
}

static bool is_corner(const GtiShell* shell, int32_t triangle, uint32_t point)
{
    const uint32_t* corners = &shell->corners[3 * (size_t)triangle];
    return triangle != GT_NONE && (corners[0] == point || corners[1] == point || corners[2] == point);
}

// How deep a point lies in a marker's patch: less is deeper. The corners of its own triangle are always in.
static float depth_in(const Placer* k, int32_t marker, uint32_t point)
{
    const GtMarker* m = &k->markers->markers[marker];
    float off = gt_vec3_length(gt_vec3_sub(k->shell->positions[point], k->places[marker])) - m->radius_m;
    int32_t triangle = m->mesh == GT_NONE ? GT_NONE : gti_shell_triangle(k->shell, m->mesh, m->primitive, m->triangle);
    return is_corner(k->shell, triangle, point) ? fminf(off, 0.0f) : off;
}

// Whether all corners of a marker's triangle lie deeper in others' patches: they would take all that it holds.
static bool is_idle(const Placer* k, int32_t marker)
{
    const GtMarker* m = &k->markers->markers[marker];
    int32_t triangle = gti_shell_triangle(k->shell, m->mesh, m->primitive, m->triangle);
    for (int c = 0; c < 3; ++c) {
        uint32_t point = k->shell->corners[3 * (size_t)triangle + (size_t)c];
        float own = depth_in(k, marker, point);
        bool is_own = true;
        for (int32_t j = 0; j < k->markers->count && is_own; ++j) {
            float other = depth_in(k, j, point);
            is_own = j == marker || !(other < own || (other == own && j < marker));
        }
        if (is_own) {
            return false;
        }
    }
    return true;
}

static void drop_idle(Placer* k)
{
    for (int32_t i = k->markers->count - 1; i >= k->report.known_count; --i) {
        if (!is_idle(k, i)) {
            continue;
        }
        --k->markers->count;
        for (int32_t j = i; j < k->markers->count; ++j) {
            k->markers->markers[j] = k->markers->markers[j + 1];
            k->places[j] = k->places[j + 1];
            k->owners[j] = k->owners[j + 1];
        }
    }
}

static void sum_up(Placer* k)
{
    k->report.found_count = k->markers->count - k->report.known_count;
    k->report.least_radius_m = k->report.found_count > 0 ? INFINITY : 0.0f;
    for (int32_t i = k->report.known_count; i < k->markers->count; ++i) {
        k->report.least_radius_m = fminf(k->report.least_radius_m, k->markers->markers[i].radius_m);
        k->report.largest_radius_m = fmaxf(k->report.largest_radius_m, k->markers->markers[i].radius_m);
    }
}

// The anchor: of the topmost bone's markers the one that looks back most, with what is around it.
static void place_anchor(Placer* k)
{
    int32_t best = GT_NONE;
    for (int32_t i = 0; i < k->markers->count; ++i) {
        if (best == GT_NONE || k->owners[i] < k->owners[best] ||
            (k->owners[i] == k->owners[best] && k->places[i].z < k->places[best].z)) {
            best = i;
        }
    }
    if (best != GT_NONE && k->markers->anchor.node == GT_NONE) {
        k->markers->anchor = k->markers->markers[best];
        k->markers->anchor.radius_m *= 1.5f;
        k->markers->anchor.twist = 0.0f;
    }
}

static void count_bare(Placer* k)
{
    for (int32_t b = 0; b < k->bones.count; ++b) {
        bool is_bare = k->bones.bones[b].point_count > 0;
        for (int32_t i = 0; i < k->markers->count && is_bare; ++i) {
            is_bare = k->owners[i] != b;
        }
        k->report.bare_count += is_bare;
    }
}

static GtResult take_known(Placer* k)
{
    const GtMarkers* known = k->def->known;
    if (!known) {
        return GT_OK;
    }
    GtResult result = gti_marker_set_check(known, k->shell, NULL, k->error);
    k->markers->anchor = known->anchor;
    for (int32_t i = 0; i < known->count && result == GT_OK; ++i) {
        GtMarker marker = known->markers[i];
        int32_t node = gt_character_node_from_source(k->shell->figure.character, marker.node);
        int32_t triangle = marker.mesh == GT_NONE
                               ? GT_NONE
                               : gti_shell_triangle(k->shell, marker.mesh, marker.primitive, marker.triangle);
        if (node == GT_NONE || (marker.mesh != GT_NONE && triangle == GT_NONE)) {
            result =
                gti_fail(k->error, GT_ERROR_BAD_VALUE, "marker %d is on no joint or triangle of this mesh", (int)i);
            break;
        }
        k->places[i] = triangle == GT_NONE ? marker.point : gti_shell_middle(k->shell, triangle);
        k->owners[i] = k->bones.of_nodes[node];
        k->is_known[k->owners[i]] = true;
        k->markers->markers[k->markers->count++] = marker;
    }
    k->report.known_count = k->markers->count;
    return result;
}

static GtResult place_all(Placer* k)
{
    GtResult result = gti_bone_tree_find(k->shell, &k->scratch, &k->bones, k->error);
    if (result != GT_OK) {
        return result;
    }
    int32_t known_count = k->def->known ? k->def->known->count : 0;
    k->capacity = known_count > GT_HARMONIC_MAX_MARKERS ? known_count : GT_HARMONIC_MAX_MARKERS;
    size_t capacity = (size_t)k->capacity;
    k->markers->markers = gt_arena_push_array(&k->markers->arena, capacity, sizeof *k->markers->markers);
    k->places = gt_arena_push_array(&k->scratch, capacity, sizeof *k->places);
    k->owners = gt_arena_push_array(&k->scratch, capacity, sizeof *k->owners);
    k->is_known = gt_arena_push_array(&k->scratch, (size_t)k->bones.count, sizeof *k->is_known);
    if (!k->markers->markers || !k->places || !k->owners || !k->is_known) {
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
        trim_radii(k);
        drop_idle(k);
        place_anchor(k);
        count_bare(k);
        sum_up(k);
    }
    return result;
}

GtResult gt_markers_find(const GtContext* context, const GtScene* scene, const GtMarkersDef* def, GtMarkers** out,
                         GtMarkersReport* report, GtError* error)
{
    *out = NULL;
    if (!(def->softness > 0.0f && def->softness <= 10.0f)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a softness of %g: give more than 0, up to 10",
                        (double)def->softness);
    }
    if (def->ring_size < 4 || def->ring_size > GTI_MAX_RING) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "rings of %d markers: give 4 to %d", (int)def->ring_size,
                        GTI_MAX_RING);
    }
    GtiShell shell = { 0 };
    GtArena arena = gt_arena_create(context->allocator);
    Placer k = {
        .context = context, .scratch = gt_arena_create(context->allocator), .shell = &shell, .def = def, .error = error
    };
    GtResult result = gti_shell_open(context, &arena, scene, GT_NONE, def->map, &shell, error);
    if (result == GT_OK) {
        result = gti_marker_set_create(context, &shell, &k.markers, error);
    }
    if (result == GT_OK) {
        result = place_all(&k);
    }
    if (result == GT_OK && k.markers->count == 0) {
        result = gti_fail(error, GT_ERROR_NOT_FOUND, "no place for a marker was found on its surface");
    }
    gti_shell_close(&shell);
    gt_arena_destroy(&k.scratch);
    gt_arena_destroy(&arena);
    if (result != GT_OK) {
        gti_error_set_file(error, scene->source.file);
        gt_markers_destroy(k.markers);
        return result;
    }
    if (report) {
        *report = k.report;
    }
    *out = k.markers;
    return GT_OK;
}

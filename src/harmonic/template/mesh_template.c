// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Template and target are laid over each other by the similarity that fits their pairs best (Umeyama 1991). A marker
// turns as the triangles around its partner do, by the rotation nearest to what they do to their corners and their
// normal. Pairs are completed where the target has none: the place is carried over to the template by what pairs around
// it are carried by (Shepard's weights), to the nearest triangle that looks the same way.

#include "gertie/mesh_template.h"

#include "base/bounds.h"
#include "base/rotation.h"
#include "base/scalar.h"
#include "harmonic/clip/clip.h"

#include <math.h>
#include <string.h>

static const float usual_radius = 0.01f;   // of the target's size, at least an edge
static const float least_agreement = 0.3f; // cosine of normals of a pair that is found
static const double narrow = 0.35;         // of the target, that pairs lie within: most of it has none
static const double odd = 0.25;            // of the target's size: a pair that is that far apart is suspicious

enum {
    TRIANGLES_A_MARKER = 12 // fewer would leave nothing between markers
};

// From the template to the target.
typedef struct Overlay {
    GtQuat turn;
    float scale;
    GtVec3 from_middle, to_middle;
} Overlay;

typedef struct Maker {
    const GtContext* context;
    GtFigure* driver; // the template, which moves
    GtFigure* target;
    const GtMeshTemplateDef* def;
    GtArena scratch;
    const GtiShell* from; // surface of the template
    const GtiShell* to;   // and of the target
    Overlay overlay;
    GtMarkerPairs* pairs;
    GtHarmonicClip* clip;
    int32_t* ring_first; // [count + 1]
    int32_t* rings;      // points around each pair's triangle on the template
    float* areas;        // [point_count] of the template, that each stands for
    GtVec3* vertices;    // [vertex_count] of the template in a frame
    GtVec3* points;      // [point_count] likewise
    GtMeshTemplateReport report;
    GtError* error;
} Maker;

GtMeshTemplateDef gt_default_mesh_template_def(void)
{
    return (GtMeshTemplateDef){ .marker_count = 120 };
}

static GtResult open_meshes(Maker* k)
{
    if (!k->driver->clip) {
        return gti_fail(k->error, GT_ERROR_NOT_FOUND, "the template has no clip");
    }
    if (!(k->def->rate_hz >= 0.0 && k->def->rate_hz <= 1e5) || k->def->marker_count < 0 ||
        k->def->marker_count > GT_HARMONIC_MAX_MARKERS) {
        return gti_fail(k->error, GT_ERROR_BAD_VALUE, "%d markers at a rate of %g Hz are out of range",
                        (int)k->def->marker_count, k->def->rate_hz);
    }
    GtResult result = gti_figure_shell(k->context, k->driver, &k->from, k->error);
    return result == GT_OK ? gti_figure_shell(k->context, k->target, &k->to, k->error) : result;
}

static bool has_area(const GtiShell* shell, int32_t triangle)
{
    return gt_vec3_length(gti_shell_normal(shell, triangle)) > 0.0f;
}

// Known pairs, without those that say nothing.
static GtResult take_pairs(Maker* k)
{
    const GtMarkerPairs* known = k->def->known;
    size_t room = (size_t)(known ? known->count : 0) + (size_t)k->def->marker_count;
    GtMarkerPairs* pairs = k->pairs;
    pairs->pairs = gt_arena_push_array(&pairs->arena, room, sizeof *pairs->pairs);
    bool* is_taken = gt_arena_push_array(&k->scratch, (size_t)k->to->triangle_count, sizeof *is_taken);
    if (!pairs->pairs || !is_taken) {
        return gti_out_of_memory(k->error);
    }
    GtResult result = GT_OK;
    for (int32_t i = 0; known && i < known->count && result == GT_OK; ++i) {
        const GtMarkerPair* pair = &known->pairs[i];
        if (pair->from < 0 || pair->from >= k->from->triangle_count || pair->to < 0 ||
            pair->to >= k->to->triangle_count) {
            return gti_fail(k->error, GT_ERROR_BAD_VALUE, "pair %d names a triangle that does not exist", (int)i);
        }
        if (!has_area(k->from, pair->from) || !has_area(k->to, pair->to)) {
            result =
                gti_repair(k->context, k->error, NULL, NULL, "pair %d names a triangle without area; left out", (int)i);
        } else if (is_taken[pair->to]) {
            result = gti_repair(k->context, k->error, NULL, NULL,
                                "pair %d names a triangle of the target that another pair has; left out", (int)i);
        } else {
            is_taken[pair->to] = true;
            pairs->pairs[pairs->count++] = *pair;
        }
    }
    k->report.known_count = pairs->count;
    return result;
}

static bool is_alike(const Maker* k)
{
    return k->from->triangle_count == k->to->triangle_count && k->from->point_count == k->to->point_count &&
           memcmp(k->from->corners, k->to->corners, 3 * (size_t)k->to->triangle_count * sizeof *k->to->corners) == 0;
}

// Meshes that are alike are pairs all over: one place is enough to begin with.
static GtResult start_alike(Maker* k)
{
    for (int32_t t = 0; t < k->to->triangle_count && k->pairs->count == 0 && k->def->marker_count > 0; ++t) {
        if (has_area(k->from, t) && has_area(k->to, t)) {
            k->pairs->pairs[k->pairs->count++] = (GtMarkerPair){ t, t, -1.0f };
        }
    }
    return k->pairs->count > 0 ? GT_OK : gti_fail(k->error, GT_ERROR_BAD_VALUE, "no triangle has an area");
}

// Sums over places that are pairs: of marked triangles, or of all points where the meshes are alike.
static void pair_place(const Maker* k, int32_t i, bool alike, GtVec3* from, GtVec3* to)
{
    *from = alike ? k->from->positions[i] : gti_shell_middle(k->from, k->pairs->pairs[i].from);
    *to = alike ? k->to->positions[i] : gti_shell_middle(k->to, k->pairs->pairs[i].to);
}

static void lay_over(Maker* k, bool alike)
{
    int32_t count = alike ? k->to->point_count : k->pairs->count;
    Overlay* o = &k->overlay;
    double middles[2][3] = { { 0.0 } };
    double cross[3][3] = { { 0.0 } };
    double spreads[2] = { 0.0, 0.0 };
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t i = 0; i < count; ++i) {
            GtVec3 places[2];
            pair_place(k, i, alike, &places[0], &places[1]);
            double p[2][3] = { { (double)places[0].x, (double)places[0].y, (double)places[0].z },
                               { (double)places[1].x, (double)places[1].y, (double)places[1].z } };
            for (int c = 0; c < 9 && pass == 1; ++c) {
                cross[c / 3][c % 3] += (p[1][c / 3] - middles[1][c / 3]) * (p[0][c % 3] - middles[0][c % 3]);
            }
            for (int c = 0; c < 6; ++c) {
                double* middle = &middles[c / 3][c % 3];
                if (pass == 0) {
                    *middle += p[c / 3][c % 3] / (double)count;
                } else {
                    spreads[c / 3] += (p[c / 3][c % 3] - *middle) * (p[c / 3][c % 3] - *middle);
                }
            }
        }
    }
    double size = k->to->size_m / k->from->size_m;
    bool is_good = gti_determinant3(cross) > 1e-6 * pow(spreads[0] * spreads[1], 1.5) && count >= 4;
    gti_nearest_rotation(cross);
    o->turn = is_good ? gti_quat_from_rotation(cross) : gt_quat_identity();
    o->scale = (float)(is_good ? sqrt(spreads[1] / spreads[0]) : size);
    o->from_middle = gt_vec3((float)middles[0][0], (float)middles[0][1], (float)middles[0][2]);
    o->to_middle = gt_vec3((float)middles[1][0], (float)middles[1][1], (float)middles[1][2]);
    k->report.scale = (double)o->scale;
}

// A place of the target, on the template.
static GtVec3 carry_back(const Overlay* o, GtVec3 p)
{
    GtVec3 off = gt_quat_rotate(gt_quat_conjugate(o->turn), gt_vec3_sub(p, o->to_middle));
    return gt_vec3_add(o->from_middle, gt_vec3_scale(off, 1.0f / o->scale));
}

static GtResult judge_pairs(Maker* k)
{
    GtBounds bounds = gti_bounds_empty();
    double sum = 0.0;
    for (int32_t i = 0; i < k->pairs->count; ++i) {
        GtVec3 to = gti_shell_middle(k->to, k->pairs->pairs[i].to);
        GtVec3 off = gt_vec3_sub(carry_back(&k->overlay, to), gti_shell_middle(k->from, k->pairs->pairs[i].from));
        double distance = (double)gt_vec3_length(off) * (double)k->overlay.scale / k->to->size_m;
        sum += distance * distance;
        if (distance > k->report.worst) {
            k->report.worst = distance;
            k->report.worst_pair = i;
        }
        gti_bounds_add(&bounds, to);
    }
    k->report.misfit = sqrt(sum / (double)k->pairs->count);
    if (k->report.worst > odd) {
        gti_warn(k->context, NULL, NULL,
                 "pair %d: its two points are %.0f %% of the body's size apart when the meshes are aligned; is it "
                 "misplaced?",
                 (int)k->report.worst_pair, 100.0 * k->report.worst);
    }
    if ((double)gti_bounds_diagonal(bounds) < narrow * k->to->size_m) {
        gti_warn(k->context, NULL, NULL,
                 "all pairs are in one part of the target: add some elsewhere, or the rest may move oddly");
    }
    return GT_OK;
}

// The triangle of the template that the pairs around a triangle of the target say is its partner.
static int32_t find_partner(const Maker* k, int32_t triangle, int32_t known_count)
{
    GtVec3 place = gti_shell_middle(k->to, triangle);
    GtVec3 at = carry_back(&k->overlay, place);
    GtVec3 shift = gt_vec3(0.0f, 0.0f, 0.0f);
    float all = 0.0f;
    for (int32_t i = 0; i < known_count; ++i) {
        GtVec3 to = gti_shell_middle(k->to, k->pairs->pairs[i].to);
        GtVec3 off = gt_vec3_sub(to, place);
        float d = gt_vec3_dot(off, off) / (float)(k->to->size_m * k->to->size_m) + 1e-6f;
        GtVec3 by = gt_vec3_sub(gti_shell_middle(k->from, k->pairs->pairs[i].from), carry_back(&k->overlay, to));
        shift = gt_vec3_add(shift, gt_vec3_scale(by, 1.0f / (d * d)));
        all += 1.0f / (d * d);
    }
    at = gt_vec3_add(at, gt_vec3_scale(shift, all > 0.0f ? 1.0f / all : 0.0f));
    GtVec3 up = gt_vec3(0.0f, 1.0f, 0.0f);
    GtVec3 normal = gt_vec3_normalize_or(gti_shell_normal(k->to, triangle), up);
    normal = gt_quat_rotate(gt_quat_conjugate(k->overlay.turn), normal);
    int32_t best = GT_NONE;
    float nearest = INFINITY;
    for (int32_t t = 0; t < k->from->triangle_count; ++t) {
        GtVec3 off = gt_vec3_sub(gti_shell_middle(k->from, t), at);
        GtVec3 other = gti_shell_normal(k->from, t);
        float length = gt_vec3_length(other);
        if (gt_vec3_dot(off, off) < nearest && length > 0.0f && gt_vec3_dot(other, normal) > least_agreement * length) {
            nearest = gt_vec3_dot(off, off);
            best = t;
        }
    }
    return best;
}

// Farthest places first.
static GtResult complete_pairs(Maker* k, bool alike)
{
    GtMarkerPairs* pairs = k->pairs;
    int32_t known_count = pairs->count;
    int32_t most = k->to->triangle_count / TRIANGLES_A_MARKER;
    most = most < k->def->marker_count ? most : k->def->marker_count;
    float* distances = gt_arena_push_array(&k->scratch, (size_t)k->to->triangle_count, sizeof *distances);
    if (!distances) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t t = 0; t < k->to->triangle_count; ++t) {
        distances[t] = has_area(k->to, t) ? INFINITY : -1.0f;
    }
    GtResult result = GT_OK;
    for (int32_t i = 0; result == GT_OK; ++i) {
        while (i == pairs->count && pairs->count < most) {
            int32_t far = 0;
            for (int32_t t = 1; t < k->to->triangle_count; ++t) {
                far = distances[t] > distances[far] ? t : far;
            }
            if (!(distances[far] > 0.0f)) {
                return GT_OK;
            }
            distances[far] = -1.0f;
            int32_t partner = alike ? far : find_partner(k, far, known_count);
            if (partner != GT_NONE) {
                pairs->pairs[pairs->count++] = (GtMarkerPair){ partner, far, -1.0f };
            }
        }
        if (i >= pairs->count) {
            return GT_OK;
        }
        GtVec3 at = gti_shell_middle(k->to, pairs->pairs[i].to);
        for (int32_t t = 0; t < k->to->triangle_count; ++t) {
            GtVec3 off = gt_vec3_sub(gti_shell_middle(k->to, t), at);
            distances[t] = fminf(distances[t], gt_vec3_dot(off, off));
        }
        result = gti_progress(k->context, k->error, "pairing", (double)i / (double)k->def->marker_count);
    }
    return result;
}

static GtResult find_pairs(Maker* k)
{
    GtResult result = take_pairs(k);
    bool alike = k->pairs->count == 0 && is_alike(k);
    if (result == GT_OK && k->pairs->count == 0) {
        result = alike ? start_alike(k)
                       : gti_fail(k->error, GT_ERROR_BAD_VALUE,
                                  "template and target have different triangles: give pairs of corresponding points");
    }
    if (result == GT_OK) {
        lay_over(k, alike);
        result = k->report.known_count > 0 ? judge_pairs(k) : GT_OK;
    }
    return result == GT_OK ? complete_pairs(k, alike) : result;
}

// Points of all triangles that touch a marked one.
static GtResult find_rings(Maker* k)
{
    const GtiShell* shell = k->from;
    size_t corner_count = 3 * (size_t)shell->triangle_count;
    int32_t* first = gt_arena_push_array(&k->scratch, (size_t)shell->point_count + 2, sizeof *first);
    int32_t* touching = gt_arena_push_array(&k->scratch, corner_count, sizeof *touching);
    k->ring_first = gt_arena_push_array(&k->scratch, (size_t)k->pairs->count + 1, sizeof *k->ring_first);
    k->areas = gt_arena_push_array(&k->scratch, (size_t)shell->point_count, sizeof *k->areas);
    if (!first || !touching || !k->ring_first || !k->areas) {
        return gti_out_of_memory(k->error);
    }
    for (size_t c = 0; c < corner_count; ++c) {
        ++first[shell->corners[c] + 2];
        k->areas[shell->corners[c]] += gt_vec3_length(gti_shell_normal(shell, (int32_t)(c / 3)));
    }
    for (int32_t p = 0; p < shell->point_count; ++p) {
        first[p + 2] += first[p + 1];
    }
    for (size_t c = 0; c < corner_count; ++c) {
        touching[first[shell->corners[c] + 1]++] = (int32_t)(c / 3);
    }
    int64_t total = 0;
    for (int pass = 0; pass < 2; ++pass) {
        total = 0;
        for (int32_t i = 0; i < k->pairs->count; ++i) {
            k->ring_first[i] = (int32_t)total;
            for (int c = 0; c < 3; ++c) {
                uint32_t p = shell->corners[3 * (size_t)k->pairs->pairs[i].from + (size_t)c];
                for (int32_t at = first[p]; at < first[p + 1]; ++at) {
                    for (size_t e = 0; e < 3 && pass == 1; ++e) {
                        k->rings[total + (int64_t)e] = (int32_t)shell->corners[3 * (size_t)touching[at] + e];
                    }
                    total += 3;
                }
            }
        }
        k->ring_first[k->pairs->count] = (int32_t)total;
        if (total > INT32_MAX) {
            return gti_fail(k->error, GT_ERROR_LIMIT, "too many triangles touch those of the pairs");
        }
        k->rings = pass == 0 ? gt_arena_push_array(&k->scratch, (size_t)total, sizeof *k->rings) : k->rings;
        if (!k->rings) {
            return gti_out_of_memory(k->error);
        }
    }
    return GT_OK;
}

static float usual_radius_of(const GtiShell* shell, int32_t triangle)
{
    float edges = 0.0f;
    for (int c = 0; c < 3; ++c) {
        GtVec3 edge = gt_vec3_sub(gti_shell_corner(shell, triangle, c), gti_shell_corner(shell, triangle, (c + 1) % 3));
        edges += gt_vec3_length(edge);
    }
    return fmaxf(usual_radius * (float)shell->size_m, edges / 3.0f);
}

static GtResult factor(Maker* k)
{
    GtHarmonicMarker* markers = gt_arena_push_array(&k->scratch, (size_t)k->pairs->count, sizeof *markers);
    if (!markers) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t i = 0; i < k->pairs->count; ++i) {
        GtMarkerPair* pair = &k->pairs->pairs[i];
        pair->radius_m = pair->radius_m < 0.0f ? usual_radius_of(k->to, pair->to) : pair->radius_m;
        markers[i] = (GtHarmonicMarker){ .triangle = pair->to, .radius = pair->radius_m };
    }
    GtHarmonicDef def = gt_default_harmonic_def();
    def.positions = k->to->positions;
    def.vertex_count = k->to->point_count;
    def.indices = k->to->corners;
    def.triangle_count = k->to->triangle_count;
    def.markers = markers;
    def.marker_count = k->pairs->count;
    k->clip->marker_count = k->report.marker_count = k->pairs->count;
    GtResult result = gti_harmonic_clip_take_points(k->to, GT_NONE, k->clip, k->error);
    return result != GT_OK ? result
                           : gt_harmonic_create(k->context, &def, &k->clip->harmonic, &k->report.surface, k->error);
}

static void pose_template(Maker* k, double time_s)
{
    const GtFigure* figure = k->driver;
    gt_figure_pose(figure, time_s, figure->instance);
    for (int32_t m = 0; m < figure->def->mesh_count; ++m) {
        gt_instance_deform(figure->instance, m, k->vertices + k->from->first_vertex[m], NULL, NULL);
    }
    for (int32_t v = 0; v < k->from->vertex_count; ++v) {
        k->points[k->from->points[v]] = k->vertices[v];
    }
}

static GtVec3 mean_of(const Maker* k, const GtVec3* points)
{
    double sum[4] = { 0.0, 0.0, 0.0, 0.0 };
    for (int32_t p = 0; p < k->from->point_count; ++p) {
        double area = (double)k->areas[p];
        sum[0] += area * (double)points[p].x;
        sum[1] += area * (double)points[p].y;
        sum[2] += area * (double)points[p].z;
        sum[3] += area;
    }
    double by = sum[3] > 0.0 ? 1.0 / sum[3] : 0.0;
    return gt_vec3((float)(by * sum[0]), (float)(by * sum[1]), (float)(by * sum[2]));
}

// The rotation from rest of the triangles around a pair's, on the target.
static GtQuat turn_of(const Maker* k, int32_t pair)
{
    int32_t first = k->ring_first[pair];
    int32_t count = k->ring_first[pair + 1] - first;
    const GtVec3* sides[2] = { k->from->positions, k->points };
    GtVec3 middles[2];
    GtVec3 normals[2];
    for (int s = 0; s < 2; ++s) {
        middles[s] = normals[s] = gt_vec3(0.0f, 0.0f, 0.0f);
        for (int32_t i = 0; i < count; i += 3) {
            const int32_t* c = &k->rings[first + i];
            GtVec3 a = sides[s][c[0]];
            GtVec3 sum = gt_vec3_add(a, gt_vec3_add(sides[s][c[1]], sides[s][c[2]]));
            middles[s] = gt_vec3_add(middles[s], gt_vec3_scale(sum, 1.0f / (float)count));
            normals[s] =
                gt_vec3_add(normals[s], gt_vec3_cross(gt_vec3_sub(sides[s][c[1]], a), gt_vec3_sub(sides[s][c[2]], a)));
        }
        normals[s] = gt_vec3_normalize_or(normals[s], gt_vec3(0.0f, 1.0f, 0.0f));
    }
    double cross[3][3] = { { 0.0 } };
    double spread = 0.0;
    for (int32_t i = 0; i <= count; ++i) {
        GtVec3 a = i < count ? gt_vec3_sub(sides[0][k->rings[first + i]], middles[0]) : normals[0];
        GtVec3 b = i < count ? gt_vec3_sub(sides[1][k->rings[first + i]], middles[1]) : normals[1];
        double weight = i < count ? 1.0 : 0.5 * spread;
        double from[3] = { (double)a.x, (double)a.y, (double)a.z };
        double to[3] = { (double)b.x, (double)b.y, (double)b.z };
        spread += i < count ? (double)gt_vec3_dot(a, a) : 0.0;
        for (int e = 0; e < 9; ++e) {
            cross[e / 3][e % 3] += weight * to[e / 3] * from[e % 3];
        }
    }
    if (!(gti_determinant3(cross) > 0.0)) {
        return gt_quat_identity();
    }
    gti_nearest_rotation(cross);
    GtQuat turn = gti_quat_from_rotation(cross);
    return gt_quat_mul(k->overlay.turn, gt_quat_mul(turn, gt_quat_conjugate(k->overlay.turn)));
}

static GtResult sample(Maker* k)
{
    GtHarmonicClip* clip = k->clip;
    GtResult result = gti_harmonic_clip_time(k->driver, k->def->rate_hz, clip, k->error);
    if (result != GT_OK) {
        return result;
    }
    k->report.frame_count = clip->frame_count;
    size_t count = (size_t)clip->frame_count;
    size_t markers = (size_t)clip->marker_count;
    GtQuat* rotations = gt_arena_push_array(&clip->arena, count * markers, sizeof *rotations);
    float* twists = gt_arena_push_array(&clip->arena, count * markers, sizeof *twists);
    GtVec3* anchors = gt_arena_push_array(&clip->arena, count, sizeof *anchors);
    k->vertices = gt_arena_push_array(&k->scratch, (size_t)k->from->vertex_count, sizeof *k->vertices);
    k->points = gt_arena_push_array(&k->scratch, (size_t)k->from->point_count, sizeof *k->points);
    if (!rotations || !twists || !anchors || !k->vertices || !k->points) {
        return gti_out_of_memory(k->error);
    }
    GtVec3 rest = mean_of(k, k->from->positions);
    for (size_t f = 0; f < count; ++f) {
        pose_template(k, gti_frame_time_s(clip->start_s, clip->rate_hz, f));
        GtVec3 path = gt_vec3_scale(gt_vec3_sub(mean_of(k, k->points), rest), k->overlay.scale);
        anchors[f] = gt_vec3_add(gt_harmonic_anchor(clip->harmonic), gt_quat_rotate(k->overlay.turn, path));
        for (size_t i = 0; i < markers; ++i) {
            rotations[f * markers + i] = turn_of(k, (int32_t)i);
        }
    }
    clip->rotations = rotations;
    clip->twists = twists;
    clip->anchors = anchors;
    clip->handle_count = 0;
    return GT_OK;
}

static GtResult add_clip(Maker* k, GtScene** out)
{
    GtResult result = gt_scene_copy(k->context, k->target->scene, out, k->error);
    if (result == GT_OK) {
        const char* name = k->def->name ? k->def->name : k->driver->scene->animations[k->driver->animation].name;
        GtAnimation animation = { .name = name ? gt_scene_push_text(*out, name, strlen(name)) : NULL };
        (*out)->animation_count = 0;
        result = name && !animation.name ? gti_out_of_memory(k->error)
                                         : gt_scene_add_animation(*out, &animation, &k->clip->animation, k->error);
    }
    return result;
}

static GtResult make(Maker* k)
{
    GtResult (*const steps[])(Maker*) = { open_meshes, find_pairs, find_rings, factor, sample };
    GtResult result = GT_OK;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == GT_OK; ++i) {
        result = steps[i](k);
    }
    return result;
}

GtResult gt_mesh_template_clip(const GtContext* context, GtFigure* from, GtFigure* to, const GtMeshTemplateDef* def,
                               GtScene** scene, GtHarmonicClip** out, GtMarkerPairs** pairs,
                               GtMeshTemplateReport* report, GtError* error)
{
    def = def ? def : (GtMeshTemplateDef[]){ gt_default_mesh_template_def() };
    GtAllocator allocator = context->allocator;
    GtHarmonicClip* clip = allocator.allocate(allocator.user, sizeof *clip);
    GtMarkerPairs* used = allocator.allocate(allocator.user, sizeof *used);
    *scene = NULL;
    *out = NULL;
    if (!clip || !used) {
        allocator.release(allocator.user, clip);
        allocator.release(allocator.user, used);
        return gti_out_of_memory(error);
    }
    *clip = (GtHarmonicClip){ .arena = gt_arena_create(allocator) };
    *used = (GtMarkerPairs){ .arena = gt_arena_create(allocator) };
    Maker k = { .context = context,
                .driver = from,
                .target = to,
                .def = def,
                .scratch = gt_arena_create(allocator),
                .pairs = used,
                .clip = clip,
                .report = { .worst_pair = GT_NONE },
                .error = error };
    GtResult result = make(&k);
    if (result == GT_OK) {
        result = add_clip(&k, scene);
    }
    gt_arena_destroy(&k.scratch);
    if (result != GT_OK || !pairs) {
        gt_marker_pairs_destroy(used);
        used = NULL;
    }
    if (pairs) {
        *pairs = used;
    }
    if (result != GT_OK) {
        gt_scene_destroy(*scene);
        *scene = NULL;
        gt_harmonic_clip_destroy(clip);
        return result;
    }
    if (report) {
        *report = k.report;
    }
    *out = clip;
    return GT_OK;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "sections/preset/hinge.h"

#include <math.h>
#include <stdlib.h>

static const float swell_reach = 1.2f; // radii
static const float most_swell = 0.5f;
static const float bone_share = 0.8f;    // that the outside of a joint swells less than the rest: there is no flesh
static const float least_blend = 0.05f;  // share of either half that counts
static const float most_blend = 0.45f;   // of the shorter bone
static const float least_soft = 0.1f;    // of the triangles around a joint, those that must blend
static const float bent_at_rest = 0.17f; // sine: a joint that is bent says itself about what axis

typedef struct Edge {
    int32_t low, high; // points
    int32_t from, to;
} Edge;

static int compare_edges(const void* left, const void* right)
{
    const Edge* a = left;
    const Edge* b = right;
    return a->low != b->low ? (a->low > b->low) - (a->low < b->low) : (a->high > b->high) - (a->high < b->high);
}

static float place_of(const GtiHinge* h, int32_t point)
{
    return gt_vec3_dot(gt_vec3_sub(h->body->shell->positions[point], h->origin), h->along);
}

// Edges of one triangle only.
static int32_t find_rims(const GtiHinge* h, Edge* edges, int32_t (*rims)[3])
{
    int32_t count = 0;
    for (int32_t i = 0; i < h->triangle_count; ++i) {
        const uint32_t* c = h->body->shell->corners + 3 * (size_t)h->triangles[i];
        for (int k = 0; k < 3; ++k) {
            int32_t from = (int32_t)c[k];
            int32_t to = (int32_t)c[(k + 1) % 3];
            edges[count++] = (Edge){ from < to ? from : to, from < to ? to : from, from, to };
        }
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    int32_t rim_count = 0;
    for (int32_t i = 0, next = 0; i < count; i = next) {
        for (next = i + 1; next < count && compare_edges(&edges[i], &edges[next]) == 0;) {
            ++next;
        }
        if (next == i + 1) {
            rims[rim_count][0] = edges[i].from;
            rims[rim_count][1] = edges[i].to;
            rims[rim_count++][2] = place_of(h, edges[i].from) > 0.0f;
        }
    }
    return rim_count;
}

// Triangles all of whose corners are within a radius and belong to the limb.
static GtResult find_region(const GtContext* context, GtArena* arena, GtiHinge* h, const float* limb, GtError* error)
{
    const GtiShell* shell = h->body->shell;
    h->triangles = gt_arena_push_array(arena, (size_t)shell->triangle_count, sizeof *h->triangles);
    if (!h->triangles) {
        return gti_out_of_memory(error);
    }
    for (int32_t t = 0; t < shell->triangle_count; ++t) {
        bool inside = true;
        for (int k = 0; k < 3; ++k) {
            int32_t point = (int32_t)shell->corners[3 * (size_t)t + (size_t)k];
            inside = inside && limb[point] > 0.9f && fabsf(place_of(h, point)) <= h->radius_m;
        }
        if (inside) {
            h->triangles[h->triangle_count++] = t;
        }
    }
    GtArena scratch = gt_arena_create(context->allocator);
    size_t edge_count = (size_t)h->triangle_count * 3;
    Edge* edges = gt_arena_push_array(&scratch, edge_count, sizeof *edges);
    h->rims = gt_arena_push_array(arena, edge_count, sizeof *h->rims);
    bool ok = edges && h->rims;
    h->rim_count = ok ? find_rims(h, edges, h->rims) : 0;
    gt_arena_destroy(&scratch);
    return ok ? GT_OK : gti_out_of_memory(error);
}

static double triple(GtVec3 a, GtVec3 b, GtVec3 c)
{
    return (double)gt_vec3_dot(a, gt_vec3_cross(b, c));
}

static double enclosed(const GtiHinge* h, const GtVec3* positions)
{
    const GtiShell* shell = h->body->shell;
    double six = 0.0;
    for (int32_t i = 0; i < h->triangle_count; ++i) {
        const uint32_t* c = shell->corners + 3 * (size_t)h->triangles[i];
        six += triple(gt_vec3_sub(positions[c[0]], h->origin), gt_vec3_sub(positions[c[1]], h->origin),
                      gt_vec3_sub(positions[c[2]], h->origin));
    }
    GtVec3 middles[2] = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
    int32_t counts[2] = { 0, 0 };
    for (int32_t i = 0; i < h->rim_count; ++i) {
        int32_t lid = h->rims[i][2];
        middles[lid] = gt_vec3_add(middles[lid], gt_vec3_sub(positions[h->rims[i][0]], h->origin));
        ++counts[lid];
    }
    for (int32_t i = 0; i < h->rim_count; ++i) {
        int32_t lid = h->rims[i][2];
        six +=
            triple(gt_vec3_sub(positions[h->rims[i][1]], h->origin), gt_vec3_sub(positions[h->rims[i][0]], h->origin),
                   gt_vec3_scale(middles[lid], 1.0f / (float)counts[lid]));
    }
    return six / 6.0 * (double)shell->outward;
}

static void find_axis(GtiHinge* h, const GtiSculptLimb* upper, const GtiSculptLimb* lower, GtVec3 towards)
{
    GtVec3 bent = gt_vec3_cross(upper->along, lower->along);
    GtVec3 axis = gt_vec3_cross(upper->along, towards);
    axis = gt_vec3_length(bent) > bent_at_rest ? bent : axis;
    h->axis = gt_vec3_normalize_or(axis, gt_vec3(1.0f, 0.0f, 0.0f));
    h->along = gt_vec3_normalize_or(gt_vec3_add(upper->along, lower->along), upper->along);
    h->origin = lower->from;
}

static bool is_blended(const GtiHinge* h, int32_t point)
{
    return fabsf(h->shares[point] - 0.5f) < 0.5f - least_blend;
}

// Whether skin bends around the joint, and not parts of a machine that turn against each other.
static bool is_soft(const GtiHinge* h)
{
    int32_t blended = 0;
    for (int32_t i = 0; i < h->triangle_count; ++i) {
        const uint32_t* c = h->body->shell->corners + 3 * (size_t)h->triangles[i];
        blended += is_blended(h, (int32_t)c[0]) || is_blended(h, (int32_t)c[1]) || is_blended(h, (int32_t)c[2]);
    }
    return (float)blended > least_soft * (float)h->triangle_count;
}

// How far from the joint the skin still blends both halves, within reason.
static float find_blend(const GtiHinge* h, const float* limb, float shorter_m)
{
    float blend_m = 2.0f * h->radius_m;
    float most_m = fmaxf(most_blend * shorter_m, blend_m);
    for (int32_t i = 0; i < h->body->shell->point_count; ++i) {
        float far_m = fabsf(place_of(h, i));
        if (limb[i] > 0.9f && far_m < most_m && is_blended(h, i)) {
            blend_m = fmaxf(blend_m, far_m);
        }
    }
    return blend_m;
}

GtResult gti_hinge_make(const GtContext* context, GtArena* arena, const GtiSculptBody* body, const GtiSculptLimb* upper,
                        const GtiSculptLimb* lower, GtVec3 towards, GtiHinge* out, GtError* error)
{
    *out = (GtiHinge){ .body = body };
    find_axis(out, upper, lower, towards);
    size_t point_count = (size_t)body->shell->point_count;
    GtArena scratch = gt_arena_create(context->allocator);
    float* limb = gt_arena_push_array(&scratch, point_count, sizeof *limb);
    out->shares = gt_arena_push_array(arena, point_count, sizeof *out->shares);
    GtResult result = limb && out->shares ? GT_OK : gti_out_of_memory(error);
    if (result == GT_OK) {
        gti_sculpt_shares(body, upper->joint, true, limb);
        gti_sculpt_shares(body, lower->joint, true, out->shares);
        float near_m = 0.1f * fminf(upper->length_m, lower->length_m);
        out->radius_m = gti_sculpt_girth(body, limb, out->origin, out->along, near_m).mean_m;
        out->blend_m = find_blend(out, limb, fminf(upper->length_m, lower->length_m));
        out->most_m = gti_sculpt_girth(body, limb, out->origin, out->along, out->blend_m).most_m;
        result = find_region(context, arena, out, limb, error);
    }
    gt_arena_destroy(&scratch);
    if (result == GT_OK && !is_soft(out)) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "%s has rigid parts", gt_humanoid_name(lower->joint));
    }
    out->volume_m3 = result == GT_OK ? enclosed(out, body->shell->positions) : 0.0;
    if (result == GT_OK && !(out->volume_m3 > 0.0)) {
        result =
            gti_fail(error, GT_ERROR_NOT_FOUND, "there is no closed skin around %s", gt_humanoid_name(lower->joint));
    }
    return result;
}

GtQuat gti_hinge_turn(const GtiHinge* hinge, float angle_rad)
{
    return gt_quat_from_axis_angle(hinge->axis, angle_rad);
}

double gti_hinge_volume(const GtiHinge* hinge, const GtVec3* positions)
{
    return enclosed(hinge, positions) / hinge->volume_m3;
}

void gti_hinge_bend_linear(const GtiHinge* hinge, float angle_rad, GtVec3* out)
{
    GtQuat turn = gti_hinge_turn(hinge, angle_rad);
    for (int32_t i = 0; i < hinge->body->shell->point_count; ++i) {
        GtVec3 p = hinge->body->shell->positions[i];
        GtVec3 turned = gt_vec3_add(hinge->origin, gt_quat_rotate(turn, gt_vec3_sub(p, hinge->origin)));
        out[i] = gt_vec3_lerp(p, turned, hinge->shares[i]);
    }
}

// As dual quaternions do: the normalised blend of two rotations about one point.
static GtQuat turn_by_share(const GtiHinge* h, float angle_rad, float share)
{
    float half = 0.5f * angle_rad;
    return gti_hinge_turn(h, 2.0f * atan2f(share * sinf(half), 1.0f - share + share * cosf(half)));
}

// The place on a bone from the joint on that is nearest.
static GtVec3 nearest_on(GtVec3 bone, GtVec3 from_joint)
{
    return gt_vec3_scale(bone, fmaxf(gt_vec3_dot(bone, from_joint), 0.0f));
}

// Nothing is farther from the bent bones than `most_m`: turned by their shares alone, points beside the joint would
// stay as far from it as they are, and the joint would be a ball.
static GtVec3 keep_near(GtVec3 upper, GtVec3 lower, GtVec3 from_joint, float most_m)
{
    GtVec3 on_upper = nearest_on(upper, from_joint);
    GtVec3 on_lower = nearest_on(lower, from_joint);
    GtVec3 off_upper = gt_vec3_sub(from_joint, on_upper);
    GtVec3 off_lower = gt_vec3_sub(from_joint, on_lower);
    bool is_upper = gt_vec3_dot(off_upper, off_upper) < gt_vec3_dot(off_lower, off_lower);
    GtVec3 off = is_upper ? off_upper : off_lower;
    float far_m = gt_vec3_length(off);
    return far_m > most_m ? gt_vec3_add(is_upper ? on_upper : on_lower, gt_vec3_scale(off, most_m / far_m))
                          : from_joint;
}

static void bend(const GtiHinge* h, float angle_rad, float swell, GtVec3* out)
{
    GtVec3 upper = gt_vec3_scale(h->along, -1.0f);
    GtVec3 lower = gt_quat_rotate(gti_hinge_turn(h, angle_rad), h->along);
    GtVec3 inner = gt_vec3_cross(h->axis, h->along);
    for (int32_t i = 0; i < h->body->shell->point_count; ++i) {
        GtQuat turn = turn_by_share(h, angle_rad, h->shares[i]);
        float place = place_of(h, i) / (swell_reach * h->radius_m);
        GtVec3 from = gt_vec3_sub(h->body->shell->positions[i], h->origin);
        GtVec3 bone = gt_vec3_scale(h->along, gt_vec3_dot(from, h->along));
        GtVec3 off = gt_vec3_sub(from, bone);
        float outward = fmaxf(-gt_vec3_dot(gt_vec3_normalize_or(off, inner), inner), 0.0f);
        float flesh = 1.0f - bone_share * outward * outward;
        off = gt_vec3_scale(off, 1.0f + swell * flesh * expf(-place * place));
        GtVec3 bent = gt_quat_rotate(turn, gt_vec3_add(bone, off));
        out[i] = gt_vec3_add(h->origin, keep_near(upper, lower, bent, gt_vec3_length(off)));
    }
}

void gti_hinge_bend_full(const GtiHinge* hinge, float angle_rad, GtVec3* out)
{
    float swell = 0.0f;
    for (int i = 0; i < 8; ++i) {
        bend(hinge, angle_rad, swell, out);
        swell += 0.5f * (float)(1.0 - gti_hinge_volume(hinge, out));
        swell = fminf(fmaxf(swell, 0.0f), most_swell);
    }
    bend(hinge, angle_rad, swell, out);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Triangles are parted at the middle one along the longest side of the box around their centroids, so that the tree is
// balanced whatever the mesh, and a stack of fixed size walks it.

#include "collide/tree.h"

#include "base/fail.h"
#include "geometry/nearest.h"
#include "geometry/select.h"

enum {
    LEAF = 4,  // triangles
    STACK = 64 // twice the depth of the tree of 2^31 triangles
};

static const GtVec3* corner_of(const GtiPosedTree* posed, int32_t triangle, int k)
{
    return &posed->positions[posed->tree->corners[3 * (size_t)triangle + (size_t)k]];
}

typedef struct Range {
    int32_t first, end;
    int32_t parent; // whose second child it is, or GT_NONE
} Range;

static int longest_axis(const GtVec3* points, const int32_t* order, Range range)
{
    GtBounds bounds = gti_bounds_empty();
    for (int32_t i = range.first; i < range.end; ++i) {
        gti_bounds_add(&bounds, points[order[i]]);
    }
    GtVec3 size = gti_bounds_size(bounds);
    return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

static void part(GtiTree* tree, const GtVec3* centroids)
{
    Range stack[STACK];
    int depth = 0;
    stack[depth++] = (Range){ 0, tree->triangle_count, GT_NONE };
    while (depth > 0) {
        Range range = stack[--depth];
        int32_t index = tree->node_count++;
        GtiTreeNode* node = &tree->nodes[index];
        *node = (GtiTreeNode){ range.first, range.end - range.first, GT_NONE };
        if (range.parent != GT_NONE) {
            tree->nodes[range.parent].second = index;
        }
        if (node->count > LEAF) {
            int32_t middle = range.first + node->count / 2;
            int axis = longest_axis(centroids, tree->order, range);
            gti_select_middle(centroids, tree->order, range.first, range.end, middle, axis);
            node->count = 0;
            stack[depth++] = (Range){ middle, range.end, index };
            stack[depth++] = (Range){ range.first, middle, GT_NONE };
        }
    }
}

GtResult gti_tree_build(GtArena* arena, const GtVec3* positions, const uint32_t* corners, int32_t triangle_count,
                        GtiTree* out, GtError* error)
{
    size_t count = (size_t)triangle_count;
    *out = (GtiTree){ .corners = corners, .triangle_count = triangle_count };
    out->order = gt_arena_push_array(arena, count, sizeof *out->order);
    out->nodes = gt_arena_push_array(arena, count + 1, sizeof *out->nodes); // leaves have two triangles or more
    GtVec3* centroids = gt_arena_push_array(arena, count, sizeof *centroids);
    if (!out->order || !out->nodes || !centroids) {
        return gti_out_of_memory(error);
    }
    GtiPosedTree posed = { out, positions, NULL };
    for (int32_t t = 0; t < triangle_count; ++t) {
        GtVec3 sum = gt_vec3_add(*corner_of(&posed, t, 0), *corner_of(&posed, t, 1));
        GtVec3 centroid = gt_vec3_scale(gt_vec3_add(sum, *corner_of(&posed, t, 2)), 1.0f / 3.0f);
        out->order[t] = t;
        centroids[t] = gt_vec3_is_finite(centroid) ? centroid : gt_vec3(0.0f, 0.0f, 0.0f);
    }
    if (triangle_count > 0) {
        part(out, centroids);
    }
    return GT_OK;
}

void gti_tree_refit(const GtiPosedTree* posed)
{
    const GtiTree* tree = posed->tree;
    for (int32_t n = tree->node_count - 1; n >= 0; --n) { // children before their parents
        const GtiTreeNode* node = &tree->nodes[n];
        GtBounds box = gti_bounds_empty();
        for (int32_t i = node->first; i < node->first + node->count; ++i) {
            for (int k = 0; k < 3; ++k) {
                gti_bounds_add(&box, *corner_of(posed, tree->order[i], k));
            }
        }
        if (node->count == 0) {
            box = posed->boxes[n + 1];
            gti_bounds_unite(&box, &posed->boxes[node->second]);
        }
        posed->boxes[n] = box;
    }
}

// Square of the distance to a box.
static float box_distance(const GtBounds* box, GtVec3 p)
{
    GtVec3 below = gt_vec3_sub(box->low, p), above = gt_vec3_sub(p, box->high);
    GtVec3 out = gt_vec3_max(gt_vec3_max(below, above), gt_vec3(0.0f, 0.0f, 0.0f));
    return gt_vec3_dot(out, out);
}

typedef struct Near {
    int32_t node;
    float square;
} Near;

GtiTreeNearest gti_tree_nearest(const GtiPosedTree* posed, GtVec3 from, float most_m, GtiTreeFilter counts,
                                const void* user)
{
    const GtiTree* tree = posed->tree;
    GtiTreeNearest best = { .triangle = GT_NONE, .distance_m = most_m };
    float least = most_m * most_m;
    Near stack[STACK];
    int depth = 0;
    if (tree->node_count > 0) {
        stack[depth++] = (Near){ 0, box_distance(&posed->boxes[0], from) };
    }
    while (depth > 0) {
        Near at = stack[--depth];
        if (!(at.square < least)) {
            continue;
        }
        const GtiTreeNode* node = &tree->nodes[at.node];
        for (int32_t i = node->first; i < node->first + node->count; ++i) {
            int32_t t = tree->order[i];
            GtVec3 point = gti_nearest_on_triangle(from, *corner_of(posed, t, 0), *corner_of(posed, t, 1),
                                                   *corner_of(posed, t, 2));
            GtVec3 way = gt_vec3_sub(point, from);
            float square = gt_vec3_dot(way, way);
            if (square < least && (!counts || counts(user, t, point))) {
                least = square;
                best.triangle = t;
                best.point = point;
            }
        }
        if (node->count == 0) { // the nearer child is looked at first
            Near a = { at.node + 1, box_distance(&posed->boxes[at.node + 1], from) };
            Near b = { node->second, box_distance(&posed->boxes[node->second], from) };
            stack[depth++] = a.square < b.square ? b : a;
            stack[depth++] = a.square < b.square ? a : b;
        }
    }
    best.distance_m = sqrtf(least);
    return best;
}

// Whether a ray meets a box. inverse: of the ray's direction, whose coordinates are not 0
static bool meets_box(const GtBounds* box, GtVec3 from, GtVec3 inverse)
{
    GtVec3 a = gt_vec3_mul(gt_vec3_sub(box->low, from), inverse);
    GtVec3 b = gt_vec3_mul(gt_vec3_sub(box->high, from), inverse);
    GtVec3 in = gt_vec3_min(a, b), out = gt_vec3_max(a, b);
    float enters = fmaxf(fmaxf(in.x, in.y), fmaxf(in.z, 0.0f));
    return enters <= fminf(out.x, fminf(out.y, out.z));
}

// Möller and Trumbore, "Fast, minimum storage ray-triangle intersection" (1997): 1 where the ray leaves through the
// triangle, -1 where it enters, 0 where it misses.
static int crossing(GtVec3 from, GtVec3 way, GtVec3 a, GtVec3 b, GtVec3 c)
{
    GtVec3 ab = gt_vec3_sub(b, a), ac = gt_vec3_sub(c, a);
    GtVec3 h = gt_vec3_cross(way, ac);
    float determinant = gt_vec3_dot(ab, h);
    if (!(fabsf(determinant) > 0.0f)) {
        return 0;
    }
    GtVec3 s = gt_vec3_sub(from, a);
    float u = gt_vec3_dot(s, h) / determinant;
    GtVec3 q = gt_vec3_cross(s, ab);
    float v = gt_vec3_dot(way, q) / determinant;
    bool misses = !(u >= 0.0f && v >= 0.0f && u + v <= 1.0f && gt_vec3_dot(ac, q) / determinant > 0.0f);
    return misses ? 0 : determinant < 0.0f ? 1 : -1;
}

int gti_tree_crossings(const GtiPosedTree* posed, GtVec3 from, GtVec3 way)
{
    const GtiTree* tree = posed->tree;
    GtVec3 inverse = gt_vec3(1.0f / way.x, 1.0f / way.y, 1.0f / way.z);
    int32_t stack[STACK];
    int depth = 0, sum = 0;
    if (tree->node_count > 0) {
        stack[depth++] = 0;
    }
    while (depth > 0) {
        int32_t at = stack[--depth];
        if (!meets_box(&posed->boxes[at], from, inverse)) {
            continue;
        }
        const GtiTreeNode* node = &tree->nodes[at];
        for (int32_t i = node->first; i < node->first + node->count; ++i) {
            int32_t t = tree->order[i];
            sum += crossing(from, way, *corner_of(posed, t, 0), *corner_of(posed, t, 1), *corner_of(posed, t, 2));
        }
        if (node->count == 0) {
            stack[depth++] = node->second;
            stack[depth++] = at + 1;
        }
    }
    return sum;
}

int gti_tree_winding(const GtiPosedTree* posed, GtVec3 from)
{
    static const GtVec3 ways[3] = { { 0.267f, 0.899f, 0.347f },
                                    { 0.671f, -0.419f, 0.612f },
                                    { -0.813f, 0.107f, 0.572f } };
    int a = gti_tree_crossings(posed, from, ways[0]);
    int b = gti_tree_crossings(posed, from, ways[1]);
    if (a == b) {
        return a;
    }
    int c = gti_tree_crossings(posed, from, ways[2]);
    int low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/weigh/pieces.h"

#include "base/bounds.h"
#include "base/fail.h"
#include "rig/weigh/near.h"

#include <math.h>
#include <string.h>

// An island of a smaller radius moves as a whole, in heights.
#define SMALL_ISLAND 0.06f
// A piece whose middle is this near a joint, in its own radii, is a ball that turns with it, if it is about as wide as
// long: hands and trousers have a joint in their middles, too.
#define BALL  0.35f
#define ROUND 0.7f
// A piece of a machine follows one joint where joints of other limbs hold at most this share of its area: clothes and
// hands that are pieces of their own bend.
#define BEND_SHARE 0.2
// Nails, buttons and teeth have smaller radii: they never bend.
#define TINY_PIECE 0.02f

void gti_row_copy(const GtiProxyRows* from, int32_t from_row, const GtiProxyRows* to, int32_t to_row)
{
    size_t width = (size_t)(from->width < to->width ? from->width : to->width);
    size_t source = (size_t)from_row * (size_t)from->width;
    size_t target = (size_t)to_row * (size_t)to->width;
    memcpy(&to->joints[target], &from->joints[source], width * sizeof *to->joints);
    memcpy(&to->weights[target], &from->weights[source], width * sizeof *to->weights);
}

static void follow_one(const GtiProxyRows* rows, int32_t row, uint16_t joint)
{
    size_t at = (size_t)row * (size_t)rows->width;
    memset(&rows->joints[at], 0, (size_t)rows->width * sizeof *rows->joints);
    memset(&rows->weights[at], 0, (size_t)rows->width * sizeof *rows->weights);
    rows->joints[at] = joint;
    rows->weights[at] = 1.0f;
}

void gti_rows_harden(const GtiProxyRows* rows, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        follow_one(rows, i, rows->joints[(size_t)i * (size_t)rows->width]);
    }
}

static GtBounds* find_bounds(const GtiRigBody* body, GtArena* arena)
{
    GtBounds* bounds = gt_arena_push_array(arena, (size_t)body->piece_count, sizeof *bounds);
    for (int32_t p = 0; bounds && p < body->piece_count; ++p) {
        bounds[p] = gti_bounds_empty();
    }
    for (int32_t i = 0; bounds && i < body->point_count; ++i) {
        gti_bounds_add(&bounds[body->pieces[i]], body->points[i]);
    }
    return bounds;
}

static GtVec3 middle_of(GtBounds bounds)
{
    return gt_vec3_lerp(bounds.low, bounds.high, 0.5f);
}

static float radius_of(GtBounds bounds)
{
    return 0.5f * gti_bounds_diagonal(bounds);
}

// The joint that a piece about it turns with, or GT_NONE.
static int32_t ball_joint(const GtiRigSkeleton* skeleton, GtBounds bounds)
{
    int32_t best = GT_NONE;
    float least = BALL * radius_of(bounds);
    GtVec3 size = gt_vec3_sub(bounds.high, bounds.low);
    if (fminf(fminf(size.x, size.y), size.z) < ROUND * fmaxf(fmaxf(size.x, size.y), size.z)) {
        return GT_NONE;
    }
    for (int32_t j = 0; j < skeleton->joint_count; ++j) {
        float distance = gt_vec3_length(gt_vec3_sub(skeleton->joints[j].position, middle_of(bounds)));
        if (distance < least) {
            least = distance;
            best = j;
        }
    }
    return best;
}

// Points of one piece, one after the other: [starts[p], starts[p + 1]) of `order`.
static bool sort_by_piece(const GtiProxy* proxy, int32_t piece_count, GtArena* arena, int32_t** starts, int32_t** order)
{
    int32_t count = proxy->mesh.vertex_count;
    *starts = gt_arena_push_array(arena, (size_t)piece_count + 2, sizeof **starts);
    *order = gt_arena_push_array(arena, (size_t)count, sizeof **order);
    if (!*starts || !*order) {
        return false;
    }
    for (int32_t v = 0; v < count; ++v) {
        ++(*starts)[proxy->pieces[v] + 2];
    }
    for (int32_t p = 0; p < piece_count; ++p) {
        (*starts)[p + 2] += (*starts)[p + 1];
    }
    for (int32_t v = 0; v < count; ++v) {
        (*order)[(*starts)[proxy->pieces[v] + 1]++] = v;
    }
    return true;
}

// Joints of the trunk hold a piece together: armour is not bent where a spine is.
static int32_t group_of(const GtiRigSkeleton* skeleton, int32_t joint)
{
    switch (skeleton->joints[joint].humanoid) {
    case GT_HUMANOID_SPINE:
    case GT_HUMANOID_CHEST:
    case GT_HUMANOID_UPPER_CHEST:
    case GT_HUMANOID_LEFT_SHOULDER:
    case GT_HUMANOID_RIGHT_SHOULDER:
        return skeleton->joint_count;
    default:
        return joint;
    }
}

// The joint that most of a piece's area follows first of all. `sums` [joint_count] is zero before and after.
// others: receives the share of the area that joints of other limbs come first on
static uint16_t elect(const GtiProxy* proxy, const GtiRigSkeleton* skeleton, const GtiProxyRows* rows,
                      const int32_t* members, int32_t count, double* sums, double* others)
{
    uint16_t best = 0;
    double all = 0.0;
    for (int32_t m = 0; m < count; ++m) {
        double area = fmax(proxy->laplacian.areas[members[m]], 1e-12);
        uint16_t joint = rows->joints[(size_t)members[m] * (size_t)rows->width];
        sums[joint] += area;
        all += area;
        best = sums[joint] > sums[best] ? joint : best;
    }
    double own = 0.0;
    for (int32_t j = 0; j < skeleton->joint_count; ++j) {
        own += group_of(skeleton, j) == group_of(skeleton, best) ? sums[j] : 0.0;
    }
    memset(sums, 0, (size_t)skeleton->joint_count * sizeof *sums);
    *others = 1.0 - own / all;
    return best;
}

// Tiny pieces move as the larger ones that they lie on: a button on a sleeve bends its elbow with it.
static bool carry_tiny(const GtiProxy* proxy, const GtBounds* bounds, const int32_t* starts, const int32_t* order,
                       int32_t piece_count, const GtiProxyRows* rows, GtArena* scratch)
{
    int32_t count = 0;
    int32_t* vertices = gt_arena_push_array(scratch, (size_t)proxy->mesh.vertex_count, sizeof *vertices);
    GtVec3* positions = gt_arena_push_array(scratch, (size_t)proxy->mesh.vertex_count, sizeof *positions);
    if (!vertices || !positions) {
        return false;
    }
    for (int32_t v = 0; v < proxy->mesh.vertex_count; ++v) {
        if (radius_of(bounds[proxy->pieces[v]]) > TINY_PIECE) {
            vertices[count] = v;
            positions[count++] = proxy->mesh.positions[v];
        }
    }
    GtiNearTree larger;
    if (!gti_near_tree_make(positions, count, scratch, &larger)) {
        return false;
    }
    for (int32_t p = 0; p < piece_count; ++p) {
        int32_t home = GT_NONE;
        float least = TINY_PIECE;
        for (int32_t m = starts[p]; m < starts[p + 1] && radius_of(bounds[p]) <= TINY_PIECE; ++m) {
            float distance;
            int32_t at = gti_near_tree_find(&larger, proxy->mesh.positions[order[m]], &distance);
            if (at != GT_NONE && distance < least) {
                least = distance;
                home = vertices[at];
            }
        }
        for (int32_t m = starts[p]; m < starts[p + 1] && home != GT_NONE; ++m) {
            gti_row_copy(rows, home, rows, order[m]);
        }
    }
    return true;
}

GtResult gti_pieces_stiffen(const GtContext* context, const GtiRigBody* body, const GtiProxy* proxy,
                            const GtiRigSkeleton* skeleton, const GtiProxyRows* rows, GtiWeights* weights,
                            GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    double* sums = gt_arena_push_array(&scratch, (size_t)skeleton->joint_count, sizeof *sums);
    GtBounds* bounds = find_bounds(body, &scratch);
    int32_t* starts;
    int32_t* order;
    bool ok = sums && bounds && sort_by_piece(proxy, body->piece_count, &scratch, &starts, &order);
    if (ok) {
        for (int32_t p = 0; p < body->piece_count; ++p) {
            int32_t count = starts[p + 1] - starts[p];
            if (count == 0) {
                continue;
            }
            int32_t joint = ball_joint(skeleton, bounds[p]);
            double others = 0.0;
            if (joint == GT_NONE) {
                joint = elect(proxy, skeleton, rows, &order[starts[p]], count, sums, &others);
            }
            if (others > BEND_SHARE && radius_of(bounds[p]) > TINY_PIECE) {
                ++weights->heat_piece_count;
                continue;
            }
            for (int32_t m = starts[p]; m < starts[p + 1]; ++m) {
                follow_one(rows, order[m], (uint16_t)joint);
            }
            ++weights->rigid_piece_count;
        }
        ok = carry_tiny(proxy, bounds, starts, order, body->piece_count, rows, &scratch);
    }
    gt_arena_destroy(&scratch);
    return ok ? GT_OK : gti_out_of_memory(error);
}

static int32_t eye_joint(const GtiRigSkeleton* skeleton, GtBounds bounds)
{
    for (int32_t j = 0; j < skeleton->joint_count; ++j) {
        const GtiRigJoint* joint = &skeleton->joints[j];
        bool eye = joint->humanoid == GT_HUMANOID_LEFT_EYE || joint->humanoid == GT_HUMANOID_RIGHT_EYE;
        if (eye && gt_vec3_length(gt_vec3_sub(joint->position, middle_of(bounds))) < radius_of(bounds)) {
            return j;
        }
    }
    return GT_NONE;
}

// What the points of an island do.
typedef struct Island {
    bool small;
    int32_t eye;  // joint that the island is the eye of, or GT_NONE
    int32_t home; // of a small one: the skin's vertex nearest to it
    GtVec3 touch; // and its own point nearest to that
    float distance;
} Island;

static void meet(const GtiRigBody* body, const GtiProxy* proxy, const GtiNearTree* skin, Island* islands,
                 int32_t* homes)
{
    for (int32_t i = 0; i < body->point_count; ++i) {
        Island* island = &islands[body->pieces[i]];
        if (proxy->clusters[i] != GT_NONE || island->eye != GT_NONE) {
            continue;
        }
        float distance;
        homes[i] = gti_near_tree_find(skin, body->points[i], &distance);
        if (distance < island->distance) {
            island->distance = distance;
            island->home = homes[i];
            island->touch = body->points[i];
        }
    }
}

static void ride(const GtiRigBody* body, const GtiProxy* proxy, const GtiProxyRows* warm, const Island* islands,
                 const int32_t* homes, const GtiProxyRows* rows)
{
    for (int32_t i = 0; i < body->point_count; ++i) {
        const Island* island = &islands[body->pieces[i]];
        if (proxy->clusters[i] != GT_NONE) {
            continue;
        }
        int32_t home = island->small ? island->home : homes[i];
        if (island->eye != GT_NONE) {
            follow_one(rows, i, (uint16_t)island->eye);
        } else if (home != GT_NONE) {
            gti_proxy_blend(proxy, warm, home, island->small ? island->touch : body->points[i], rows, i);
        }
    }
}

GtResult gti_pieces_carry(const GtContext* context, const GtiRigBody* body, const GtiProxy* proxy,
                          const GtiRigSkeleton* skeleton, const GtiProxyRows* warm, const GtiProxyRows* rows,
                          GtiWeights* weights, GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    GtBounds* bounds = find_bounds(body, &scratch);
    Island* islands = gt_arena_push_array(&scratch, (size_t)body->piece_count, sizeof *islands);
    int32_t* homes = gt_arena_push_array(&scratch, (size_t)body->point_count, sizeof *homes);
    GtiNearTree skin;
    bool ok = bounds && islands && homes &&
              gti_near_tree_make(proxy->mesh.positions, proxy->mesh.vertex_count, &scratch, &skin);
    if (ok) {
        for (int32_t p = 0; p < body->piece_count; ++p) {
            bool island = body->kinds[p] != GTI_PIECE_SKIN && !proxy->all;
            islands[p] = (Island){
                .small = radius_of(bounds[p]) < SMALL_ISLAND,
                .eye = island ? eye_joint(skeleton, bounds[p]) : GT_NONE,
                .home = GT_NONE,
                .distance = INFINITY,
            };
            weights->rigid_piece_count += island;
        }
        meet(body, proxy, &skin, islands, homes);
        ride(body, proxy, warm, islands, homes, rows);
    }
    gt_arena_destroy(&scratch);
    return ok ? GT_OK : gti_out_of_memory(error);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The skin of a body: its meshes are posed in the common pose, and rays go out from the bones of its parts through the
// triangles that move with them. The farthest hit counts, so that clothes lie over what they cover. What rays miss is
// filled in from around it.

#include "motion/touch/mesh.h"

#include "base/bounds.h"

#include <math.h>
#include <string.h>

enum {
    WAYS = 26, // that a bone of a hand is looked at from, for its outermost vertices
    CELLS = 6, // that its length and width are cut into, for the outermost of each, over and under it
    MOST_OUTER = WAYS + 2 * CELLS * CELLS,
    NO_PART = -1,
    TRUNK = GT_TOUCHED_PELVIS, // stands for the whole of it
    THUMB = GTI_PART_COUNT     // moves with a hand, and is no part
};

typedef struct Maker {
    GtiTouchBody* body;
    GtArena* arena;
    GtArena scratch;
    GtiBodyMesh* skins; // [skin_count]
    int32_t skin_count;
    GtVec3 rays[GTI_SKIN_ROWS][GTI_SKIN_COLUMNS];
    float (*hits)[GTI_SKIN_ROWS][GTI_SKIN_COLUMNS]; // [GTI_PART_COUNT] 0 for none
    GtError* error;
} Maker;

// The part that vertices of a joint are the skin of.
static int part_of(int joint)
{
    static const int8_t of_joint[GT_HUMANOID_LEFT_THUMB_METACARPAL] = {
        [GT_HUMANOID_HIPS] = TRUNK,
        [GT_HUMANOID_SPINE] = TRUNK,
        [GT_HUMANOID_CHEST] = TRUNK,
        [GT_HUMANOID_UPPER_CHEST] = TRUNK,
        [GT_HUMANOID_NECK] = NO_PART,
        [GT_HUMANOID_HEAD] = GT_TOUCHED_HEAD,
        [GT_HUMANOID_LEFT_EYE] = GT_TOUCHED_HEAD,
        [GT_HUMANOID_RIGHT_EYE] = GT_TOUCHED_HEAD,
        [GT_HUMANOID_JAW] = GT_TOUCHED_HEAD,
        [GT_HUMANOID_LEFT_UPPER_LEG] = GT_TOUCHED_LEFT_THIGH,
        [GT_HUMANOID_LEFT_LOWER_LEG] = GT_TOUCHED_LEFT_SHANK,
        [GT_HUMANOID_LEFT_FOOT] = GT_TOUCHED_LEFT_FOOT,
        [GT_HUMANOID_LEFT_TOES] = GT_TOUCHED_LEFT_FOOT,
        [GT_HUMANOID_RIGHT_UPPER_LEG] = GT_TOUCHED_RIGHT_THIGH,
        [GT_HUMANOID_RIGHT_LOWER_LEG] = GT_TOUCHED_RIGHT_SHANK,
        [GT_HUMANOID_RIGHT_FOOT] = GT_TOUCHED_RIGHT_FOOT,
        [GT_HUMANOID_RIGHT_TOES] = GT_TOUCHED_RIGHT_FOOT,
        [GT_HUMANOID_LEFT_SHOULDER] = TRUNK,
        [GT_HUMANOID_LEFT_UPPER_ARM] = GT_TOUCHED_LEFT_UPPER_ARM,
        [GT_HUMANOID_LEFT_LOWER_ARM] = GT_TOUCHED_LEFT_FOREARM,
        [GT_HUMANOID_LEFT_HAND] = GT_TOUCHED_LEFT_HAND,
        [GT_HUMANOID_RIGHT_SHOULDER] = TRUNK,
        [GT_HUMANOID_RIGHT_UPPER_ARM] = GT_TOUCHED_RIGHT_UPPER_ARM,
        [GT_HUMANOID_RIGHT_LOWER_ARM] = GT_TOUCHED_RIGHT_FOREARM,
        [GT_HUMANOID_RIGHT_HAND] = GT_TOUCHED_RIGHT_HAND,
    };
    if (joint < GT_HUMANOID_LEFT_THUMB_METACARPAL) {
        return joint == GT_NONE ? NO_PART : of_joint[joint];
    }
    bool is_right = joint >= GT_HUMANOID_RIGHT_THUMB_METACARPAL;
    int first = is_right ? GT_HUMANOID_RIGHT_THUMB_METACARPAL : GT_HUMANOID_LEFT_THUMB_METACARPAL;
    bool is_thumb = joint < first + 3;
    return is_thumb ? THUMB : is_right ? GT_TOUCHED_RIGHT_HAND : GT_TOUCHED_LEFT_HAND;
}

// A head's bone is in the middle of its skin: joints are anywhere between neck and ears.
static void fit_head(const Maker* m)
{
    GtiTouchBody* body = m->body;
    GtiTouchPart* part = &body->parts[GT_TOUCHED_HEAD];
    GtBounds bounds = gti_bounds_empty();
    for (int32_t i = 0; i < m->skin_count; ++i) {
        for (int32_t v = 0; v < m->skins[i].vertex_count; ++v) {
            GtVec3 p = m->skins[i].points[v];
            if (part_of(m->skins[i].joints[v]) == GT_TOUCHED_HEAD && p.y >= body->places[GT_HUMANOID_HEAD].y) {
                gti_bounds_add(&bounds, p);
            }
        }
    }
    GtVec3 low = bounds.low, high = bounds.high;
    float height = high.y - body->places[GT_HUMANOID_HEAD].y;
    if (part->exists && height > 0.0f && isfinite(height)) {
        GtVec3 base = gt_vec3(0.5f * (low.x + high.x), high.y - 0.6f * height, 0.5f * (low.z + high.z));
        part->base = gt_vec3_sub(base, body->places[GT_HUMANOID_HEAD]);
        part->length = 0.15f * height;
    }
}

// Where a ray from `from` along the unit `way` goes through a triangle, or 0.
static float hit(GtVec3 from, GtVec3 way, const GtVec3 corners[3])
{
    GtVec3 a = gt_vec3_sub(corners[1], corners[0]), b = gt_vec3_sub(corners[2], corners[0]);
    GtVec3 h = gt_vec3_cross(way, b);
    float determinant = gt_vec3_dot(a, h);
    if (!(fabsf(determinant) > 0.0f)) {
        return 0.0f;
    }
    GtVec3 s = gt_vec3_sub(from, corners[0]);
    float u = gt_vec3_dot(s, h) / determinant;
    GtVec3 q = gt_vec3_cross(s, a);
    float v = gt_vec3_dot(way, q) / determinant;
    float far = gt_vec3_dot(b, q) / determinant;
    return u >= 0.0f && v >= 0.0f && u + v <= 1.0f && far > 0.0f ? far : 0.0f;
}

// Cast those rays of a part that a triangle can meet: beside the bone a ray stays in its row.
static void cast(const Maker* m, int index, const GtVec3 corners[3])
{
    const int cap = (GTI_SKIN_ROWS - 1) / 3;
    float low = fminf(corners[0].y, fminf(corners[1].y, corners[2].y));
    float high = fmaxf(corners[0].y, fmaxf(corners[1].y, corners[2].y));
    for (int row = 0; row < GTI_SKIN_ROWS; ++row) {
        float share = fminf(fmaxf((float)(row - cap) / (float)cap, 0.0f), 1.0f);
        GtVec3 from = gt_vec3(0.0f, share * m->body->parts[index].length, 0.0f);
        if ((row >= cap && high < from.y) || (row <= 2 * cap && low > from.y)) {
            continue;
        }
        float* hits = m->hits[index][row];
        for (int column = 0; column < GTI_SKIN_COLUMNS; ++column) {
            hits[column] = fmaxf(hits[column], hit(from, m->rays[row][column], corners));
        }
    }
}

static void cast_at(const Maker* m, int index, const GtVec3 triangle[3])
{
    const GtiTouchBody* body = m->body;
    const GtiTouchPart* part = &body->parts[index];
    GtVec3 base = gt_vec3_add(body->places[part->joint], part->base);
    GtQuat part_from_model = gt_quat_conjugate(part->axes);
    GtVec3 corners[3];
    for (int k = 0; k < 3; ++k) {
        corners[k] = gt_quat_rotate(part_from_model, gt_vec3_sub(triangle[k], base));
    }
    if (part->exists) {
        cast(m, index, corners);
    }
}

static void cast_all(const Maker* m)
{
    for (int32_t i = 0; i < m->skin_count; ++i) {
        const GtiBodyMesh* skin = &m->skins[i];
        for (int32_t t = 0; t + 2 < skin->index_count; t += 3) {
            GtVec3 corners[3];
            int parts[3];
            for (int k = 0; k < 3; ++k) {
                corners[k] = skin->points[skin->indices[t + k]];
                parts[k] = part_of(skin->joints[skin->indices[t + k]]);
            }
            for (int k = 0; k < 3; ++k) {
                bool is_new = parts[k] != NO_PART && parts[k] != THUMB && (k < 1 || parts[k] != parts[0]) &&
                              (k < 2 || parts[k] != parts[1]);
                if (is_new && parts[k] == TRUNK) {
                    cast_at(m, GT_TOUCHED_CHEST, corners);
                    cast_at(m, GT_TOUCHED_BELLY, corners);
                }
                if (is_new) {
                    cast_at(m, parts[k], corners);
                }
            }
        }
    }
}

// Fill what no ray has hit from its neighbours, round by round. False where there is nothing to fill from.
static bool fill_gaps(float hits[GTI_SKIN_ROWS][GTI_SKIN_COLUMNS])
{
    float next[GTI_SKIN_ROWS][GTI_SKIN_COLUMNS];
    bool has_gaps = true, has_hits = true;
    for (int round = 0; has_gaps && has_hits && round < GTI_SKIN_ROWS + GTI_SKIN_COLUMNS; ++round) {
        has_gaps = has_hits = false;
        memcpy(next, hits, sizeof next);
        for (int r = 0; r < GTI_SKIN_ROWS; ++r) {
            for (int c = 0; c < GTI_SKIN_COLUMNS; ++c) {
                const float around[4] = { hits[r > 0 ? r - 1 : r][c], hits[r + 1 < GTI_SKIN_ROWS ? r + 1 : r][c],
                                          hits[r][(c + 1) % GTI_SKIN_COLUMNS],
                                          hits[r][(c + GTI_SKIN_COLUMNS - 1) % GTI_SKIN_COLUMNS] };
                float sum = 0.0f, count = 0.0f;
                for (int k = 0; k < 4; ++k) {
                    sum += around[k];
                    count += around[k] > 0.0f ? 1.0f : 0.0f;
                }
                has_hits = has_hits || count > 0.0f;
                has_gaps = has_gaps || !(hits[r][c] > 0.0f);
                next[r][c] = hits[r][c] > 0.0f || !(count > 0.0f) ? hits[r][c] : sum / count;
            }
        }
        memcpy(hits, next, sizeof next);
    }
    return has_hits && !has_gaps;
}

static bool hand_of(int joint, int* side)
{
    int part = part_of(joint);
    *side =
        part == GT_TOUCHED_RIGHT_HAND || joint >= GT_HUMANOID_RIGHT_THUMB_METACARPAL ? GTI_RIGHT_SIDE : GTI_LEFT_SIDE;
    return part == THUMB || part == GT_TOUCHED_LEFT_HAND || part == GT_TOUCHED_RIGHT_HAND;
}

// Outermost vertices of the bones of both hands.
typedef struct Outermost {
    bool found[GT_HUMANOID_JOINT_COUNT];
    GtBounds bounds[GT_HUMANOID_JOINT_COUNT];
    bool taken[GT_HUMANOID_JOINT_COUNT][MOST_OUTER];
    GtVec3 points[GT_HUMANOID_JOINT_COUNT][MOST_OUTER];
} Outermost;

static GtVec3 way_of(int k)
{
    int n = k < WAYS / 2 ? k : k + 1; // of 27, without the one in the middle
    return gt_vec3((float)(n % 3 - 1), (float)(n / 3 % 3 - 1), (float)(n / 9 - 1));
}

static void offer(Outermost* out, int joint, int slot, GtVec3 way, GtVec3 p)
{
    if (!out->taken[joint][slot] || gt_vec3_dot(way, p) > gt_vec3_dot(way, out->points[joint][slot])) {
        out->taken[joint][slot] = true;
        out->points[joint][slot] = p;
    }
}

static int cell_of(float at, float low, float high)
{
    int cell = high > low ? (int)((at - low) / (high - low) * CELLS) : 0;
    return cell < CELLS ? cell : CELLS - 1;
}

static void offer_vertex(Outermost* out, int joint, GtVec3 p)
{
    for (int k = 0; k < WAYS; ++k) {
        offer(out, joint, k, way_of(k), p);
    }
    if (joint != GT_HUMANOID_LEFT_HAND && joint != GT_HUMANOID_RIGHT_HAND) {
        return; // fingers are thin
    }
    const GtBounds* bounds = &out->bounds[joint];
    int cell = cell_of(p.x, bounds->low.x, bounds->high.x) * CELLS + cell_of(p.z, bounds->low.z, bounds->high.z);
    offer(out, joint, WAYS + cell, gt_vec3(0.0f, 1.0f, 0.0f), p);
    offer(out, joint, WAYS + CELLS * CELLS + cell, gt_vec3(0.0f, -1.0f, 0.0f), p);
}

static void bound_vertex(Outermost* out, int joint, GtVec3 p)
{
    if (!out->found[joint]) {
        out->bounds[joint] = gti_bounds_empty();
    }
    out->found[joint] = true;
    gti_bounds_add(&out->bounds[joint], p);
}

static void find_outermost(const Maker* m, Outermost* out)
{
    for (int round = 0; round < 2; ++round) {
        for (int32_t i = 0; i < m->skin_count; ++i) {
            for (int32_t v = 0; v < m->skins[i].vertex_count; ++v) {
                int side, joint = m->skins[i].joints[v];
                if (hand_of(joint, &side)) {
                    (round ? offer_vertex : bound_vertex)(out, joint, m->skins[i].points[v]);
                }
            }
        }
    }
}

static GtResult take_hand(const Maker* m, int side, const Outermost* outermost)
{
    GtiTouchBody* body = m->body;
    GtiTouchHand* hand = &body->hands[side];
    int wrist = (int)gti_joint_on(GT_HUMANOID_LEFT_HAND, side);
    int32_t count = 0;
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int of;
        count += outermost->found[j] && hand_of(j, &of) && of == side ? MOST_OUTER : 0;
    }
    if (count == 0 || !hand->exists) {
        return GT_OK;
    }
    hand->joints = gt_arena_push_array(m->arena, (size_t)count, sizeof *hand->joints);
    hand->offsets = gt_arena_push_array(m->arena, (size_t)count, sizeof *hand->offsets);
    if (!hand->joints || !hand->offsets) {
        return gti_out_of_memory(m->error);
    }
    hand->point_count = 0;
    memset(hand->part_counts, 0, sizeof hand->part_counts);
    hand->length = 0.0f;
    for (int i = 0; i < 2 * GT_HUMANOID_JOINT_COUNT; ++i) { // thumbs last
        int of, j = i % GT_HUMANOID_JOINT_COUNT;
        bool is_thumb = part_of(j) == THUMB;
        if (!outermost->found[j] || !hand_of(j, &of) || of != side || is_thumb != (i >= GT_HUMANOID_JOINT_COUNT)) {
            continue;
        }
        for (int k = 0; k < MOST_OUTER; ++k) {
            GtVec3 p = outermost->points[j][k];
            if (!outermost->taken[j][k] || (k > 0 && !memcmp(&p, &outermost->points[j][k - 1], sizeof p))) {
                continue;
            }
            float reach = gt_vec3_dot(gt_vec3_sub(p, body->places[wrist]), hand->along);
            hand->length = fmaxf(hand->length, reach);
            hand->joints[hand->point_count] = (int8_t)j;
            hand->offsets[hand->point_count++] = gt_vec3_sub(p, body->places[j]);
            ++hand->part_counts[gti_hand_part_of(j)];
        }
    }
    GtiTouchPart* part = &body->parts[gti_part_on(GT_TOUCHED_LEFT_HAND, side)];
    part->length = 0.96f * hand->length;
    part->exists = part->length > 0.0f;
    return GT_OK;
}

static GtResult take_hands(Maker* m)
{
    Outermost* outermost = gt_arena_push_array(&m->scratch, 1, sizeof *outermost);
    if (!outermost) {
        return gti_out_of_memory(m->error);
    }
    find_outermost(m, outermost);
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        GtResult result = take_hand(m, side, outermost);
        if (result != GT_OK) {
            return result;
        }
    }
    return GT_OK;
}

static GtResult take_parts(Maker* m)
{
    m->hits = gt_arena_push_array(&m->scratch, GTI_PART_COUNT, sizeof *m->hits);
    if (!m->hits) {
        return gti_out_of_memory(m->error);
    }
    fit_head(m);
    gti_skin_rays(m->rays);
    cast_all(m);
    for (int p = 0; p < GTI_PART_COUNT; ++p) {
        if (m->body->parts[p].exists && fill_gaps(m->hits[p])) {
            memcpy(m->body->parts[p].radii, m->hits[p], sizeof m->hits[p]);
            m->body->has_skin = true;
        }
    }
    return GT_OK;
}

GtResult gti_body_take_skin(const GtContext* context, GtArena* arena, GtiTouchBody* body, GtError* error)
{
    Maker m = { .body = body, .arena = arena, .scratch = gt_arena_create(context->allocator), .error = error };
    GtResult result = gti_body_meshes(context, &m.scratch, body, &m.skins, &m.skin_count, error);
    if (result == GT_OK) {
        result = take_hands(&m);
    }
    if (result == GT_OK) {
        result = take_parts(&m);
    }
    gt_arena_destroy(&m.scratch);
    return result;
}

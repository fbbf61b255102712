// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Of the vertices that a joint moves, the outermost in 98 directions, which are 22 degrees apart: the lowest of a round
// limb is missed by 2 % of its radius. Vertices far from their bone, as those of a skirt, are no part of the body.

#include "motion/touch/outer.h"

#include "motion/touch/mesh.h"

#include <math.h>
#include <string.h>

enum {
    DIRECTIONS = 98, // to the surface of a cube of 5 x 5 x 5
    GIRTH_STEP = 2   // rows and columns of an assumed skin
};

static const float NEAR_END = 0.3f;   // of a bone: knees and elbows are these ends of both bones
static const float WRIST = 0.75f;     // of a forearm: from here on, it goes to the ground with the hand
static const float ANKLE = 0.85f;     // of a shank: from here on, it is the foot's
static const float TRUNK_FAR = 0.17f; // of stature, from the bone: no part of the body is farther
static const float LIMB_FAR = 0.11f;
static const float HEAD_FAR = 0.3f;

typedef struct Bucket {
    bool taken[DIRECTIONS];
    int8_t part;
    float dots[DIRECTIONS];
    GtVec3 points[DIRECTIONS];
} Bucket;

typedef struct OuterMaker {
    const GtiTouchBody* body;
    GtVec3 directions[DIRECTIONS];
    Bucket* buckets; // [GTI_OUTER_BUCKETS]
} OuterMaker;

static void set_directions(GtVec3 out[DIRECTIONS])
{
    int count = 0;
    for (int n = 0; n < 125; ++n) {
        int x = n % 5 - 2, y = n / 5 % 5 - 2, z = n / 25 - 2;
        if (x * x == 4 || y * y == 4 || z * z == 4) {
            out[count++] = gt_vec3_normalize_or(gt_vec3((float)x, (float)y, (float)z), gt_vec3(0.0f, 1.0f, 0.0f));
        }
    }
}

// How far along the bone from a joint to the next a point is; and how far from it.
static float along_bone(const GtiTouchBody* body, int joint, GtVec3 p, float* far)
{
    GtVec3 base = body->places[joint], bone = gt_vec3(0.0f, 0.0f, 0.0f);
    if (body->has_joint[joint + 1]) {
        bone = gt_vec3_sub(body->places[joint + 1], base);
    }
    GtVec3 way = gt_vec3_sub(p, base);
    float length = gt_vec3_dot(bone, bone), along = length > 0.0f ? gt_vec3_dot(way, bone) / length : 0.0f;
    float share = fminf(fmaxf(along, 0.0f), 1.0f);
    *far = gt_vec3_length(gt_vec3_sub(way, gt_vec3_scale(bone, share))) / body->stature_m;
    return along;
}

// The part that a point is of, or GT_NONE; `end` tells knees and elbows.
static int part_of_limb(const GtiTouchBody* body, int joint, GtVec3 p, int* end)
{
    bool is_right = joint >= GT_HUMANOID_RIGHT_SHOULDER ||
                    (joint >= GT_HUMANOID_RIGHT_UPPER_LEG && joint <= GT_HUMANOID_RIGHT_TOES);
    int right = is_right ? GT_SUPPORT_RIGHT_ELBOW - GT_SUPPORT_LEFT_ELBOW : 0;
    float far, along = along_bone(body, joint, p, &far);
    if (!(far < LIMB_FAR)) {
        return GT_NONE;
    }
    switch (joint) {
    case GT_HUMANOID_LEFT_UPPER_ARM:
    case GT_HUMANOID_RIGHT_UPPER_ARM:
        *end = along > 1.0f - NEAR_END;
        return *end ? GT_SUPPORT_LEFT_ELBOW + right : GT_SUPPORT_TRUNK;
    case GT_HUMANOID_LEFT_LOWER_ARM:
    case GT_HUMANOID_RIGHT_LOWER_ARM:
        *end = along < NEAR_END ? 1 : along > WRIST ? 2 : 0;
        return *end == 2 ? GTI_OUTER_LEFT_HAND + (right ? 1 : 0)
                         : (*end ? GT_SUPPORT_LEFT_ELBOW : GT_SUPPORT_LEFT_FOREARM) + right;
    case GT_HUMANOID_LEFT_UPPER_LEG:
    case GT_HUMANOID_RIGHT_UPPER_LEG:
        *end = along > 1.0f - NEAR_END;
        return *end ? GT_SUPPORT_LEFT_KNEE + right : GT_SUPPORT_HIPS;
    default: // shanks
        *end = along < NEAR_END;
        return along > ANKLE ? GT_NONE : (*end ? GT_SUPPORT_LEFT_KNEE : GT_SUPPORT_LEFT_SHANK) + right;
    }
}

static int part_of(const GtiTouchBody* body, int joint, GtVec3 p, int* end)
{
    float far;
    *end = 0;
    if (joint <= GT_HUMANOID_UPPER_CHEST || joint == GT_HUMANOID_LEFT_SHOULDER || joint == GT_HUMANOID_RIGHT_SHOULDER) {
        along_bone(body, joint, p, &far);
        return !(far < TRUNK_FAR) ? GT_NONE : joint == GT_HUMANOID_HIPS ? GT_SUPPORT_HIPS : GT_SUPPORT_TRUNK;
    }
    if (joint <= GT_HUMANOID_JAW) {
        return gt_vec3_length(gt_vec3_sub(p, body->places[joint])) < HEAD_FAR * body->stature_m ? GT_SUPPORT_HEAD
                                                                                                : GT_NONE;
    }
    if (joint == GT_HUMANOID_LEFT_FOOT || joint == GT_HUMANOID_LEFT_TOES || joint == GT_HUMANOID_RIGHT_FOOT ||
        joint == GT_HUMANOID_RIGHT_TOES) {
        return GT_NONE;
    }
    if (joint >= GT_HUMANOID_LEFT_THUMB_METACARPAL || joint == GT_HUMANOID_LEFT_HAND ||
        joint == GT_HUMANOID_RIGHT_HAND) {
        return joint == GT_HUMANOID_RIGHT_HAND || joint >= GT_HUMANOID_RIGHT_THUMB_METACARPAL ? GTI_OUTER_RIGHT_HAND
                                                                                              : GTI_OUTER_LEFT_HAND;
    }
    return part_of_limb(body, joint, p, end);
}

static void offer(const OuterMaker* m, int joint, GtVec3 p)
{
    int end = 0;
    int part = joint == GT_NONE || !m->body->has_joint[joint] ? GT_NONE : part_of(m->body, joint, p, &end);
    if (part == GT_NONE) {
        return;
    }
    Bucket* bucket = &m->buckets[joint * GTI_OUTER_ENDS + end];
    int step = joint >= GT_HUMANOID_LEFT_THUMB_METACARPAL ? 5 : 1; // fingers are thin
    bucket->part = (int8_t)part;
    for (int k = 0; k < DIRECTIONS; k += step) {
        float dot = gt_vec3_dot(m->directions[k], p);
        if (!bucket->taken[k] || dot > bucket->dots[k]) {
            bucket->taken[k] = true;
            bucket->dots[k] = dot;
            bucket->points[k] = p;
        }
    }
}

static void offer_outline(const OuterMaker* m)
{
    const GtiTouchBody* body = m->body;
    for (int i = 0; i < GTI_PART_COUNT; ++i) {
        const GtiTouchPart* part = &body->parts[i];
        bool is_hand = i == GT_TOUCHED_LEFT_HAND || i == GT_TOUCHED_RIGHT_HAND;
        for (int k = 0; part->exists && !is_hand && k < GTI_SKIN_ROWS * GTI_SKIN_COLUMNS; k += GIRTH_STEP) {
            GtiSkinPlace at = { 3.0f * (float)(k / GTI_SKIN_COLUMNS) / (GTI_SKIN_ROWS - 1),
                                6.28318531f * (float)(k % GTI_SKIN_COLUMNS) / GTI_SKIN_COLUMNS, 0.0f };
            GtVec3 ray, point = gti_skin_point(part, at, &ray);
            GtVec3 base = gt_vec3_add(body->places[part->joint], part->base);
            offer(m, part->joint, gt_vec3_add(base, gt_quat_rotate(part->axes, point)));
        }
    }
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        const GtiTouchHand* hand = &body->hands[side];
        for (int32_t i = 0; i < hand->point_count; ++i) {
            offer(m, hand->joints[i], gt_vec3_add(body->places[hand->joints[i]], hand->offsets[i]));
        }
    }
}

static bool is_new(const Bucket* bucket, int index)
{
    bool found = !bucket->taken[index];
    for (int k = 0; k < index && !found; ++k) {
        found = bucket->taken[k] && !memcmp(&bucket->points[k], &bucket->points[index], sizeof bucket->points[k]);
    }
    return !found;
}

static void collect(const OuterMaker* m, GtiOuterPoints* out)
{
    for (int b = 0; b < GTI_OUTER_BUCKETS; ++b) {
        out->first[b] = out->count;
        out->parts[b] = m->buckets[b].part;
        for (int k = 0; k < DIRECTIONS; ++k) {
            if (is_new(&m->buckets[b], k)) {
                GtVec3 offset = gt_vec3_sub(m->buckets[b].points[k], m->body->places[b / GTI_OUTER_ENDS]);
                out->reach[b] = fmaxf(out->reach[b], gt_vec3_length(offset));
                out->offsets[out->count++] = offset;
            }
        }
    }
    out->first[GTI_OUTER_BUCKETS] = out->count;
}

static GtResult find(const GtContext* context, GtArena* arena, GtArena* scratch, const GtiTouchBody* body,
                     GtiOuterPoints* out, GtError* error)
{
    OuterMaker m = { .body = body, .buckets = gt_arena_push_array(scratch, GTI_OUTER_BUCKETS, sizeof(Bucket)) };
    out->offsets = gt_arena_push_array(arena, (size_t)GTI_OUTER_BUCKETS * DIRECTIONS, sizeof *out->offsets);
    if (!m.buckets || !out->offsets) {
        return gti_out_of_memory(error);
    }
    set_directions(m.directions);
    GtResult result = GT_OK;
    if (body->figure->scene->mesh_count) {
        GtiBodyMesh* meshes = NULL;
        int32_t count = 0;
        result = gti_body_meshes(context, scratch, body, &meshes, &count, error);
        for (int32_t i = 0; result == GT_OK && i < count; ++i) {
            for (int32_t v = 0; v < meshes[i].vertex_count; ++v) {
                offer(&m, meshes[i].joints[v], meshes[i].points[v]);
            }
        }
    } else {
        offer_outline(&m);
    }
    collect(&m, out);
    return result;
}

GtResult gti_outer_points_find(const GtContext* context, GtArena* arena, const GtiTouchBody* body, GtiOuterPoints* out,
                               GtError* error)
{
    *out = (GtiOuterPoints){ .body = body };
    GtArena scratch = gt_arena_create(context->allocator);
    GtResult result = find(context, arena, &scratch, body, out, error);
    gt_arena_destroy(&scratch);
    return result;
}

GtVec3 gti_outer_point(const GtiOuterPoints* hull, const GtiBodyPose* pose, int32_t point)
{
    int32_t bucket = 0;
    while (hull->first[bucket + 1] <= point) {
        ++bucket;
    }
    int32_t joint = bucket / GTI_OUTER_ENDS;
    return gt_vec3_add(pose->places[joint], gt_quat_rotate(pose->turns[joint], hull->offsets[point]));
}

static float height_of(const GtiOuterPoints* hull, const GtiBodyPose* pose, const GtGround* ground, int32_t joint,
                       int32_t i)
{
    GtVec3 at = gt_vec3_add(pose->places[joint], gt_quat_rotate(pose->turns[joint], hull->offsets[i]));
    float under = 0.0f;
    gt_ground_at(ground, at.x, at.z, &under);
    return at.y - under;
}

void gti_outer_points_lows(const GtiOuterPoints* hull, const GtiBodyPose* pose, const GtGround* ground, float floor_m,
                           float most_m, GtiOuterLows* out)
{
    for (int part = 0; part < GTI_OUTER_PART_COUNT; ++part) {
        out->heights[part] = INFINITY;
        out->points[part] = GT_NONE;
    }
    for (int32_t b = 0; b < GTI_OUTER_BUCKETS; ++b) {
        int32_t joint = b / GTI_OUTER_ENDS, point = GT_NONE;
        float base = pose->places[joint].y - floor_m, low = fminf(out->heights[hull->parts[b]], most_m);
        if (hull->first[b] == hull->first[b + 1] || (!ground && !(base - hull->reach[b] < low))) {
            continue;
        }
        GtVec3 up = gt_quat_rotate(gt_quat_conjugate(pose->turns[joint]), gt_vec3(0.0f, 1.0f, 0.0f));
        for (int32_t i = hull->first[b]; i < hull->first[b + 1]; ++i) {
            float height = ground ? height_of(hull, pose, ground, joint, i) : base + gt_vec3_dot(up, hull->offsets[i]);
            point = height < low ? i : point;
            low = height < low ? height : low;
        }
        if (point != GT_NONE) {
            out->heights[hull->parts[b]] = low;
            out->points[hull->parts[b]] = point;
        }
    }
}

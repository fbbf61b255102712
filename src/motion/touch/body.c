// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Bodies as bones inside their skin, after the egocentric coordinates of Molla, Debarba and Boulic, "Egocentric Mapping
// of Body Surface Constraints" (TVCG 2018). Skin is a distance from the bone for every way away from it: across the
// bone, and over its ends like the pole caps of a globe. Skeletons get the sizes of people.

#include "motion/touch/touch.h"

#include <math.h>
#include <string.h>

static const float HALF_PI = 1.57079633f;
static const float TAU = 6.28318531f;
static const float LEG_SHARE = 0.491f;  // hip to ankle, of stature (Winter, after Drillis and Contini 1966)
static const float HEAD_SHARE = 0.855f; // ankle to the joint of the head, of the built-in person
static const float HAND_SHARE = 0.108f; // wrist to fingertips, likewise
static const float PALM = 0.45f;        // of a hand's length
static const float TRUNK_CUTS[4] = { 0.0f, 0.3f, 0.6f, 0.95f }; // between thighs and shoulders

// Half of how thick a part is, in shares of stature.
typedef struct Girth {
    float across; // along X of the part
    float deep;   // along Z
    float cap;    // over the ends
} Girth;

static const Girth HEAD_GIRTH = { 0.045f, 0.055f, 0.047f };
static const Girth TRUNK_GIRTHS[3] = { { 0.094f, 0.066f, 0.05f },
                                       { 0.080f, 0.060f, 0.05f },
                                       { 0.091f, 0.069f, 0.05f } };
static const Girth LIMB_GIRTHS[GTI_PARTS_A_SIDE] = { { 0.027f, 0.027f, 0.027f }, { 0.021f, 0.021f, 0.021f },
                                                     { 0.008f, 0.023f, 0.004f }, { 0.044f, 0.044f, 0.044f },
                                                     { 0.030f, 0.030f, 0.030f }, { 0.025f, 0.022f, 0.025f } };

// The way from the bone.
static GtVec3 ray_of(GtiSkinPlace at)
{
    float share = fminf(fmaxf(at.along - 1.0f, 0.0f), 1.0f);
    float lean = (at.along - 1.0f - share) * HALF_PI;
    return gt_vec3(sinf(at.around_rad) * cosf(lean), sinf(lean), cosf(at.around_rad) * cosf(lean));
}

void gti_skin_rays(GtVec3 rays[GTI_SKIN_ROWS][GTI_SKIN_COLUMNS])
{
    for (int i = 0; i < GTI_SKIN_ROWS * GTI_SKIN_COLUMNS; ++i) {
        int row = i / GTI_SKIN_COLUMNS, column = i % GTI_SKIN_COLUMNS;
        GtiSkinPlace at = { 3.0f * (float)row / (GTI_SKIN_ROWS - 1), TAU * (float)column / GTI_SKIN_COLUMNS, 0.0f };
        rays[row][column] = ray_of(at);
    }
}

static void set_girth(GtiTouchPart* part, Girth girth, float stature_m)
{
    GtVec3 rays[GTI_SKIN_ROWS][GTI_SKIN_COLUMNS];
    gti_skin_rays(rays);
    for (int i = 0; i < GTI_SKIN_ROWS * GTI_SKIN_COLUMNS; ++i) {
        int row = i / GTI_SKIN_COLUMNS, column = i % GTI_SKIN_COLUMNS;
        GtVec3 ray = rays[row][column];
        GtVec3 scaled = gt_vec3(ray.x / girth.across, ray.y / girth.cap, ray.z / girth.deep);
        part->radii[row][column] = stature_m / gt_vec3_length(scaled);
    }
}

static void set_part(GtiTouchBody* body, int index, int joint, GtVec3 base, GtVec3 tip, Girth girth)
{
    GtiTouchPart* part = &body->parts[index];
    GtVec3 bone = gt_vec3_sub(tip, base);
    GtVec3 y = gt_vec3_normalize_or(bone, gt_vec3(0.0f, 1.0f, 0.0f));
    GtVec3 front = fabsf(y.z) < 0.8f ? gt_vec3(0.0f, 0.0f, 1.0f) : gt_vec3(0.0f, 1.0f, 0.0f);
    GtVec3 x = gt_vec3_normalize_or(gt_vec3_cross(y, front), gt_vec3(1.0f, 0.0f, 0.0f));
    part->exists = gt_vec3_length(bone) > 1e-4f * body->stature_m;
    part->joint = joint;
    part->base = gt_vec3_sub(base, body->places[joint]);
    part->axes = gti_quat_from_axes(x, y, gt_vec3_cross(x, y));
    part->length = gt_vec3_length(bone);
    set_girth(part, girth, body->stature_m);
}

static int topmost(const GtiTouchBody* body, int from)
{
    while (from > GT_HUMANOID_HIPS && !body->has_joint[from]) {
        --from;
    }
    return from;
}

static void set_trunk(GtiTouchBody* body)
{
    static const int parts[3] = { GT_TOUCHED_PELVIS, GT_TOUCHED_BELLY, GT_TOUCHED_CHEST };
    const int joints[3] = { GT_HUMANOID_HIPS, topmost(body, GT_HUMANOID_SPINE),
                            topmost(body, GT_HUMANOID_UPPER_CHEST) };
    const GtVec3* at = body->places;
    GtVec3 low = gt_vec3_lerp(at[GT_HUMANOID_LEFT_UPPER_LEG], at[GT_HUMANOID_RIGHT_UPPER_LEG], 0.5f);
    GtVec3 high = gt_vec3_lerp(at[GT_HUMANOID_LEFT_UPPER_ARM], at[GT_HUMANOID_RIGHT_UPPER_ARM], 0.5f);
    for (int i = 0; i < 3; ++i) {
        set_part(body, parts[i], joints[i], gt_vec3_lerp(low, high, TRUNK_CUTS[i]),
                 gt_vec3_lerp(low, high, TRUNK_CUTS[i + 1]), TRUNK_GIRTHS[i]);
    }
}

static void set_head(GtiTouchBody* body)
{
    if (body->has_joint[GT_HUMANOID_HEAD]) {
        GtVec3 head = gt_vec3_add(body->places[GT_HUMANOID_HEAD], gt_vec3(0.0f, 0.0f, 0.01f * body->stature_m));
        set_part(body, GT_TOUCHED_HEAD, GT_HUMANOID_HEAD,
                 gt_vec3_add(head, gt_vec3(0.0f, 0.042f * body->stature_m, 0.0f)),
                 gt_vec3_add(head, gt_vec3(0.0f, 0.058f * body->stature_m, 0.0f)), HEAD_GIRTH);
    }
}

static void set_bone(GtiTouchBody* body, int side, int left_part, GtHumanoidJoint left_joint)
{
    GtHumanoidJoint joint = gti_joint_on(left_joint, side);
    int next = (int)joint + 1;
    if (body->has_joint[joint] && body->has_joint[next]) {
        int index = gti_part_on(left_part, side);
        set_part(body, index, (int)joint, body->places[joint], body->places[next],
                 LIMB_GIRTHS[left_part - GT_TOUCHED_LEFT_UPPER_ARM]);
    }
}

static void set_foot(GtiTouchBody* body, int side)
{
    GtHumanoidJoint ankle = gti_joint_on(GT_HUMANOID_LEFT_FOOT, side);
    int toes = (int)ankle + 1;
    GtVec3 tip = gt_vec3_add(body->places[ankle], gt_vec3(0.0f, -0.03f * body->stature_m, 0.08f * body->stature_m));
    set_part(body, gti_part_on(GT_TOUCHED_LEFT_FOOT, side), (int)ankle, body->places[ankle],
             body->has_joint[toes] ? body->places[toes] : tip, LIMB_GIRTHS[GTI_PARTS_A_SIDE - 1]);
}

// Points over and under, and on both sides of, a place of a hand without a skin.
static void add_points(const GtiTouchBody* body, GtiTouchHand* hand, int joint, GtVec3 place, float thick, float wide)
{
    const GtVec3 ways[4] = {
        { 0.0f, -thick, 0.0f }, { 0.0f, thick, 0.0f }, { 0.0f, 0.0f, wide }, { 0.0f, 0.0f, -wide }
    };
    for (int k = 0; k < 4; ++k) {
        GtVec3 way = gt_vec3_scale(ways[k], body->stature_m);
        ++hand->part_counts[gti_hand_part_of(joint)];
        hand->joints[hand->point_count] = (int8_t)joint;
        hand->offsets[hand->point_count++] = gt_vec3_sub(gt_vec3_add(place, way), body->places[joint]);
    }
}

enum {
    STATIONS = 6, // along a hand
    FINGER_JOINTS = 15,
    MOST_POINTS = 4 * (STATIONS + FINGER_JOINTS)
};

static GtResult set_hand(GtiTouchBody* body, int side, GtArena* arena, GtError* error)
{
    GtiTouchHand* hand = &body->hands[side];
    GtHumanoidJoint wrist = gti_joint_on(GT_HUMANOID_LEFT_HAND, side);
    GtHumanoidJoint elbow = gti_joint_on(GT_HUMANOID_LEFT_LOWER_ARM, side);
    hand->exists = body->has_joint[wrist] && body->has_joint[elbow];
    if (!hand->exists) {
        return GT_OK;
    }
    hand->joints = gt_arena_push_array(arena, MOST_POINTS, sizeof *hand->joints);
    hand->offsets = gt_arena_push_array(arena, MOST_POINTS, sizeof *hand->offsets);
    if (!hand->joints || !hand->offsets) {
        return gti_out_of_memory(error);
    }
    GtVec3 at = body->places[wrist];
    hand->along = gt_vec3_normalize_or(gt_vec3_sub(at, body->places[elbow]), gt_vec3(1.0f, 0.0f, 0.0f));
    hand->length = HAND_SHARE * body->stature_m;
    int thumb = side == GTI_LEFT_SIDE ? GT_HUMANOID_LEFT_THUMB_METACARPAL : GT_HUMANOID_RIGHT_THUMB_METACARPAL;
    bool has_fingers = false;
    for (int j = thumb + 3; j < thumb + FINGER_JOINTS; ++j) {
        has_fingers = has_fingers || body->has_joint[j];
    }
    for (int k = 0; k < STATIONS; ++k) { // without fingers they stand for those, too
        float share = (has_fingers ? 0.5f : 1.0f) * (float)k / (STATIONS - 1);
        add_points(body, hand, (int)wrist, gt_vec3_add(at, gt_vec3_scale(hand->along, share * hand->length)), 0.008f,
                   0.02f);
    }
    for (int k = 0; k < FINGER_JOINTS; ++k) { // thumbs last
        int j = thumb + (k + 3) % FINGER_JOINTS;
        if (body->has_joint[j]) {
            add_points(body, hand, j, body->places[j], 0.005f, 0.005f);
        }
    }
    set_part(body, gti_part_on(GT_TOUCHED_LEFT_HAND, side), (int)wrist, at,
             gt_vec3_add(at, gt_vec3_scale(hand->along, 0.96f * hand->length)), LIMB_GIRTHS[2]);
    return GT_OK;
}

void gti_part_neighbours(int part, int out[GTI_MOST_NEIGHBOURS])
{
    static const int8_t middle[4][GTI_MOST_NEIGHBOURS] = {
        [GT_TOUCHED_HEAD] = { -1, -1, -1 },
        [GT_TOUCHED_CHEST] = { GT_TOUCHED_BELLY, -1, -1 },
        [GT_TOUCHED_BELLY] = { GT_TOUCHED_CHEST, GT_TOUCHED_PELVIS, -1 },
        [GT_TOUCHED_PELVIS] = { GT_TOUCHED_BELLY, GT_TOUCHED_LEFT_THIGH, GT_TOUCHED_RIGHT_THIGH },
    };
    static const int8_t left[GTI_PARTS_A_SIDE][GTI_MOST_NEIGHBOURS] = {
        { GT_TOUCHED_LEFT_FOREARM, -1, -1 },
        { GT_TOUCHED_LEFT_UPPER_ARM, -1, -1 },
        { -1, -1, -1 },
        { GT_TOUCHED_LEFT_SHANK, GT_TOUCHED_PELVIS, -1 },
        { GT_TOUCHED_LEFT_THIGH, GT_TOUCHED_LEFT_FOOT, -1 },
        { GT_TOUCHED_LEFT_SHANK, -1, -1 },
    };
    bool is_right = part >= GT_TOUCHED_RIGHT_UPPER_ARM;
    const int8_t* from =
        part < GT_TOUCHED_LEFT_UPPER_ARM ? middle[part] : left[(part - GT_TOUCHED_LEFT_UPPER_ARM) % GTI_PARTS_A_SIDE];
    for (int k = 0; k < GTI_MOST_NEIGHBOURS; ++k) {
        out[k] = is_right && from[k] >= GT_TOUCHED_LEFT_UPPER_ARM ? from[k] + GTI_PARTS_A_SIDE : from[k];
    }
}

static void find_extents(GtiTouchBody* body)
{
    for (int p = 0; p < GTI_PART_COUNT; ++p) {
        GtiTouchPart* part = &body->parts[p];
        part->extent = 0.0f;
        for (int i = 0; i < GTI_SKIN_ROWS * GTI_SKIN_COLUMNS; ++i) {
            part->extent = fmaxf(part->extent, part->radii[i / GTI_SKIN_COLUMNS][i % GTI_SKIN_COLUMNS]);
        }
    }
}

GtResult gti_body_outline(GtArena* arena, const GtiAlignedFigure* figure, bool mirror, GtiTouchBody* out,
                          GtError* error)
{
    *out = (GtiTouchBody){ .figure = figure, .mirror = mirror, .stature_m = figure->leg_m / LEG_SHARE };
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t node = figure->joints[mirror ? (int)gt_humanoid_mirror((GtHumanoidJoint)j) : j];
        out->has_joint[j] = node != GT_NONE;
        if (node != GT_NONE) {
            out->places[j] = figure->aligned.places[node];
            out->places[j].x *= mirror ? -1.0f : 1.0f;
        }
    }
    float head_m = out->places[GT_HUMANOID_HEAD].y - out->places[GT_HUMANOID_LEFT_FOOT].y;
    if (out->has_joint[GT_HUMANOID_HEAD] && head_m > figure->leg_m) {
        out->stature_m = head_m / HEAD_SHARE;
    }
    set_head(out);
    set_trunk(out);
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        set_bone(out, side, GT_TOUCHED_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_UPPER_ARM);
        set_bone(out, side, GT_TOUCHED_LEFT_FOREARM, GT_HUMANOID_LEFT_LOWER_ARM);
        set_bone(out, side, GT_TOUCHED_LEFT_THIGH, GT_HUMANOID_LEFT_UPPER_LEG);
        set_bone(out, side, GT_TOUCHED_LEFT_SHANK, GT_HUMANOID_LEFT_LOWER_LEG);
        set_foot(out, side);
        GtResult result = set_hand(out, side, arena, error);
        if (result != GT_OK) {
            return result;
        }
    }
    find_extents(out);
    return GT_OK;
}

GtResult gti_body_make(const GtContext* context, GtArena* arena, const GtiAlignedFigure* figure, bool mirror,
                       GtiTouchBody* out, GtError* error)
{
    GtResult result = gti_body_outline(arena, figure, mirror, out, error);
    if (result == GT_OK && figure->scene->mesh_count) {
        result = gti_body_take_skin(context, arena, out, error);
        find_extents(out);
    }
    return result;
}

void gti_body_pose(const GtiTouchBody* body, const GtMat34* model_from_node, const GtQuat* rotations, GtiBodyPose* out)
{
    const GtiAlignedFigure* figure = body->figure;
    memset(out, 0, sizeof *out);
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (!body->has_joint[j]) {
            continue;
        }
        int32_t node = figure->joints[body->mirror ? (int)gt_humanoid_mirror((GtHumanoidJoint)j) : j];
        GtVec3 place = gt_mat34_translation(&model_from_node[node]);
        GtQuat turn = gt_quat_mul(rotations[node], gt_quat_conjugate(figure->aligned.rotations[node]));
        out->places[j] = body->mirror ? gt_vec3(-place.x, place.y, place.z) : place;
        out->turns[j] = body->mirror ? gt_quat(turn.x, -turn.y, -turn.z, turn.w) : turn;
    }
}

GtiPartPlace gti_part_place(const GtiTouchBody* body, const GtiBodyPose* pose, int part)
{
    const GtiTouchPart* p = &body->parts[part];
    GtQuat turn = pose->turns[p->joint];
    return (GtiPartPlace){ gt_vec3_add(pose->places[p->joint], gt_quat_rotate(turn, p->base)),
                           gt_quat_mul(turn, p->axes) };
}

float gti_skin_radius(const GtiTouchPart* part, GtiSkinPlace at)
{
    float row = fminf(fmaxf(at.along / 3.0f, 0.0f), 1.0f) * (GTI_SKIN_ROWS - 1);
    float column = at.around_rad / TAU * GTI_SKIN_COLUMNS;
    column -= floorf(column / GTI_SKIN_COLUMNS) * GTI_SKIN_COLUMNS;
    int r = (int)row < GTI_SKIN_ROWS - 2 ? (int)row : GTI_SKIN_ROWS - 2;
    int c = (int)column % GTI_SKIN_COLUMNS, next = (c + 1) % GTI_SKIN_COLUMNS;
    float u = row - (float)r, v = column - floorf(column);
    float low = part->radii[r][c] + v * (part->radii[r][next] - part->radii[r][c]);
    float high = part->radii[r + 1][c] + v * (part->radii[r + 1][next] - part->radii[r + 1][c]);
    return low + u * (high - low);
}

GtiSkinPlace gti_skin_place(const GtiTouchPart* part, GtVec3 point)
{
    float share = fminf(fmaxf(point.y / part->length, 0.0f), 1.0f);
    float rise = point.y - share * part->length;
    float out = hypotf(point.x, point.z);
    GtiSkinPlace at = { 1.0f + share + atan2f(rise, out) / HALF_PI, atan2f(point.x, point.z), hypotf(rise, out) };
    at.height_m -= gti_skin_radius(part, at);
    return at;
}

GtVec3 gti_skin_point(const GtiTouchPart* part, GtiSkinPlace at, GtVec3* ray)
{
    float share = fminf(fmaxf(at.along - 1.0f, 0.0f), 1.0f);
    *ray = ray_of(at);
    float far = gti_skin_radius(part, at) + at.height_m;
    return gt_vec3_add(gt_vec3(0.0f, share * part->length, 0.0f), gt_vec3_scale(*ray, far));
}

GtHandPart gti_hand_part_of(int joint)
{
    bool is_left = joint >= GT_HUMANOID_LEFT_THUMB_METACARPAL && joint <= GT_HUMANOID_LEFT_LITTLE_DISTAL;
    bool is_right = joint >= GT_HUMANOID_RIGHT_THUMB_METACARPAL && joint <= GT_HUMANOID_RIGHT_LITTLE_DISTAL;
    int first = is_left ? GT_HUMANOID_LEFT_THUMB_METACARPAL : GT_HUMANOID_RIGHT_THUMB_METACARPAL;
    return is_left || is_right ? (GtHandPart)(GT_HAND_PART_THUMB + (joint - first) / 3) : GT_HAND_PART_PALM;
}

GtiHandRange gti_hand_range(const GtiTouchBody* body, int side, GtHandPart with, int on)
{
    const GtiTouchHand* hand = &body->hands[side];
    int32_t thumbs = hand->part_counts[GT_HAND_PART_THUMB], others = hand->point_count - thumbs;
    bool is_hand = on == GT_TOUCHED_LEFT_HAND || on == GT_TOUCHED_RIGHT_HAND;
    if (with == GT_HAND_PART_ANY || hand->part_counts[with] == 0) {
        return (GtiHandRange){ 0, is_hand ? others : hand->point_count };
    }
    if (with == GT_HAND_PART_THUMB) {
        return (GtiHandRange){ others, thumbs };
    }
    GtiHandRange range = { 0, hand->part_counts[with] };
    for (int part = GT_HAND_PART_PALM; part < (int)with; ++part) {
        range.first += part == GT_HAND_PART_THUMB ? 0 : hand->part_counts[part];
    }
    return range;
}

void gti_hand_points(const GtiTouchBody* body, const GtiBodyPose* pose, int side, GtVec3* points)
{
    const GtiTouchHand* hand = &body->hands[side]; // one that does not exist has no points
    GtVec3 wrist = gti_wrist(pose, side);
    for (int32_t i = 0; i < hand->point_count; ++i) {
        int joint = hand->joints[i];
        GtVec3 way = gt_quat_rotate(pose->turns[joint], hand->offsets[i]);
        points[i] = gt_vec3_sub(gt_vec3_add(pose->places[joint], way), wrist);
    }
}

GtVec3 gti_hand_palm(const GtiTouchBody* body, const GtiBodyPose* pose, int side)
{
    const GtiTouchHand* hand = &body->hands[side];
    GtQuat turn = pose->turns[gti_joint_on(GT_HUMANOID_LEFT_HAND, side)];
    return gt_vec3_add(gti_wrist(pose, side), gt_quat_rotate(turn, gt_vec3_scale(hand->along, PALM * hand->length)));
}

float gti_hand_lowest(const GtVec3* points, int32_t count)
{
    float low = INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        low = fminf(low, points[i].y);
    }
    return low;
}

float gti_skin_clearance(const GtiTouchPart* part, const GtiPartPlace* place, const GtVec3* points, int32_t count,
                         GtVec3 shift)
{
    float least = INFINITY;
    GtQuat part_from_model = gt_quat_conjugate(place->axes);
    GtVec3 from = gt_vec3_sub(shift, place->base);
    for (int32_t i = 0; i < count; ++i) {
        GtVec3 point = gt_quat_rotate(part_from_model, gt_vec3_add(points[i], from));
        least = fminf(least, gti_skin_place(part, point).height_m);
    }
    return least;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Proportions come in three stacked parts, leg (0.530), torso (0.288) and head with neck (0.182 of the height), whose
// factors are shares: the stack is scaled back to the height asked for. Every joint of the middle line and of a leg is
// a point in one of these parts; arms, hands and feet are lengths of their own. The left side is computed, the right
// one mirrored.

#include "person/skeleton.h"

#include "base/fail.h"
#include "base/scalar.h"

#include <math.h>

// Fractions of the height.
#define LEG            0.530
#define TORSO          0.288
#define HEAD           0.182
#define UPPER_ARM      0.186
#define FOREARM        0.146
#define HAND           0.108
#define FOOT           0.152
#define HALF_SHOULDERS 0.104 // between the centres of the joints; the acromia are at 0.129
#define HALF_HIPS      0.052

#define A_POSE_RAD 0.78539816339744831

// Where a joint lies: in a part of the stack (0 at its lower end, 1 at its upper one), and its x and z in heights.
typedef enum Part {
    PART_LEG,
    PART_TORSO,
    PART_HEAD,
    PART_COUNT
} Part;

typedef struct Place {
    GtHumanoidJoint joint;
    Part part;
    double x, along, z;
} Place;

// clang-format off
static const Place places[] = {
    { GT_HUMANOID_HIPS,           PART_TORSO, 0.0,    0.080,  0.000 },
    { GT_HUMANOID_SPINE,          PART_TORSO, 0.0,    0.215, -0.010 },
    { GT_HUMANOID_CHEST,          PART_TORSO, 0.0,    0.450, -0.012 },
    { GT_HUMANOID_UPPER_CHEST,    PART_TORSO, 0.0,    0.725, -0.018 },
    { GT_HUMANOID_NECK,           PART_HEAD,  0.0,    0.100, -0.016 },
    { GT_HUMANOID_HEAD,           PART_HEAD,  0.0,    0.420,  0.000 },
    { GT_HUMANOID_JAW,            PART_HEAD,  0.0,    0.520,  0.012 },
    { GT_HUMANOID_LEFT_EYE,       PART_HEAD,  0.0178, 0.648,  0.047 }, // 0.936 of the height
    { GT_HUMANOID_LEFT_SHOULDER,  PART_TORSO, 0.013,  0.950,  0.004 },
    { GT_HUMANOID_LEFT_UPPER_LEG, PART_LEG,   0.0,    1.000,  0.000 },
    { GT_HUMANOID_LEFT_LOWER_LEG, PART_LEG,   0.0,    0.53774, 0.003 }, // 0.285
    { GT_HUMANOID_LEFT_FOOT,      PART_LEG,   0.0,    0.07358, -0.006 }, // 0.039
};
// clang-format on

// Fractions of the hand's length: metacarpal, then the three phalanges; the z of the knuckle, the way the finger
// spreads and the way it hangs.
typedef struct Finger {
    GtHumanoidJoint first;
    double knuckle_x, knuckle_y, knuckle_z;
    double lengths[3];
    double spread_deg, drop_deg;
} Finger;

// clang-format off
static const Finger fingers[] = {
    { GT_HUMANOID_LEFT_INDEX_PROXIMAL,  0.450, 0.004,  0.166, { 0.245, 0.143, 0.115 },   6.5, 2.0 },
    { GT_HUMANOID_LEFT_MIDDLE_PROXIMAL, 0.446, 0.010,  0.054, { 0.266, 0.170, 0.118 },   1.0, 2.0 },
    { GT_HUMANOID_LEFT_RING_PROXIMAL,   0.420, 0.006, -0.058, { 0.244, 0.165, 0.117 },  -5.5, 2.5 },
    { GT_HUMANOID_LEFT_LITTLE_PROXIMAL, 0.380, -0.008, -0.164, { 0.204, 0.117, 0.103 }, -13.0, 3.5 },
};
// clang-format on

static GtVec3 mirrored(GtVec3 v)
{
    return gt_vec3(-v.x, v.y, v.z);
}

static void put(GtiSkeleton* s, GtHumanoidJoint joint, GtVec3 joint_m, GtVec3 tip_m)
{
    s->joints[joint] = joint_m;
    s->tips[joint] = tip_m;
}

// From `from` along a heading: `spread` turns it from +x towards +z, `drop` towards -y.
static GtVec3 along(GtVec3 from, double length_m, double spread_deg, double drop_deg)
{
    double level = length_m * cos(drop_deg * GTI_DEGREE);
    return gt_vec3_add(from, gt_vec3((float)(level * cos(spread_deg * GTI_DEGREE)),
                                     (float)(-length_m * sin(drop_deg * GTI_DEGREE)),
                                     (float)(level * sin(spread_deg * GTI_DEGREE))));
}

static void place_fingers(GtiSkeleton* s)
{
    GtVec3 wrist = s->joints[GT_HUMANOID_LEFT_HAND];
    float hand = (float)s->hand_m;
    for (size_t f = 0; f < sizeof fingers / sizeof fingers[0]; ++f) {
        const Finger* finger = &fingers[f];
        GtVec3 at = gt_vec3_add(
            wrist,
            gt_vec3_scale(gt_vec3((float)finger->knuckle_x, (float)finger->knuckle_y, (float)finger->knuckle_z), hand));
        for (int i = 0; i < 3; ++i) {
            GtVec3 tip = along(at, finger->lengths[i] * s->hand_m, finger->spread_deg, finger->drop_deg * (i + 1));
            put(s, (GtHumanoidJoint)(finger->first + i), at, tip);
            at = tip;
        }
    }
    const double thumb_lengths[3] = { 0.251, 0.196, 0.158 };
    const double thumb_spread_deg[3] = { 48.0, 36.0, 28.0 };
    const double thumb_drop_deg[3] = { 22.0, 16.0, 12.0 };
    GtVec3 at = gt_vec3_add(wrist, gt_vec3(0.10f * hand, -0.035f * hand, 0.095f * hand));
    for (int i = 0; i < 3; ++i) {
        GtVec3 tip = along(at, thumb_lengths[i] * s->hand_m, thumb_spread_deg[i], thumb_drop_deg[i]);
        put(s, (GtHumanoidJoint)(GT_HUMANOID_LEFT_THUMB_METACARPAL + i), at, tip);
        at = tip;
    }
    s->tips[GT_HUMANOID_LEFT_HAND] = s->joints[GT_HUMANOID_LEFT_MIDDLE_PROXIMAL];
}

static void place_arm(GtiSkeleton* s, const GtPersonDef* def, double shoulder_y)
{
    double h = s->height_m;
    double half = HALF_SHOULDERS * h * def->shoulder_width * (0.965 + 0.07 * def->sex);
    double reach = h * def->arm_length;
    GtVec3 shoulder = gt_vec3((float)half, (float)shoulder_y, (float)(-0.010 * h));
    GtVec3 elbow = gt_vec3_add(shoulder, gt_vec3((float)(UPPER_ARM * reach), 0.0f, 0.0f));
    GtVec3 wrist = gt_vec3_add(elbow, gt_vec3((float)(FOREARM * reach), 0.0f, 0.0f));
    s->hand_m = HAND * reach * def->hand_size;
    s->tips[GT_HUMANOID_LEFT_SHOULDER] = shoulder;
    put(s, GT_HUMANOID_LEFT_UPPER_ARM, shoulder, elbow);
    put(s, GT_HUMANOID_LEFT_LOWER_ARM, elbow, wrist);
    s->joints[GT_HUMANOID_LEFT_HAND] = wrist;
    place_fingers(s);
}

static void place_leg(GtiSkeleton* s, const GtPersonDef* def)
{
    double h = s->height_m;
    double half = HALF_HIPS * h * def->hip_width * (1.035 - 0.07 * def->sex);
    s->joints[GT_HUMANOID_LEFT_UPPER_LEG].x = (float)half;
    s->joints[GT_HUMANOID_LEFT_LOWER_LEG].x = (float)half;
    s->joints[GT_HUMANOID_LEFT_FOOT].x = (float)half;
    s->tips[GT_HUMANOID_LEFT_UPPER_LEG] = s->joints[GT_HUMANOID_LEFT_LOWER_LEG];
    s->tips[GT_HUMANOID_LEFT_LOWER_LEG] = s->joints[GT_HUMANOID_LEFT_FOOT];
    GtVec3 ankle = s->joints[GT_HUMANOID_LEFT_FOOT];
    s->foot_m = FOOT * h * def->foot_size;
    float foot = (float)s->foot_m;
    // The foot points a little outwards; the ankle is over a quarter of it.
    float out = 0.09f;
    s->heels[GTI_LEFT] = gt_vec3(ankle.x - 0.26f * out * foot, 0.0f, ankle.z - 0.26f * foot);
    s->balls[GTI_LEFT] = gt_vec3(ankle.x + 0.46f * out * foot, 0.0f, ankle.z + 0.46f * foot);
    s->toe_tips[GTI_LEFT] = gt_vec3(ankle.x + 0.74f * out * foot, 0.0f, ankle.z + 0.74f * foot);
    GtVec3 ball = gt_vec3(s->balls[GTI_LEFT].x, 0.41f * ankle.y, s->balls[GTI_LEFT].z);
    s->tips[GT_HUMANOID_LEFT_FOOT] = ball;
    GtVec3 tip = gt_vec3(s->toe_tips[GTI_LEFT].x, 0.27f * ankle.y, s->toe_tips[GTI_LEFT].z);
    put(s, GT_HUMANOID_LEFT_TOES, ball, tip);
}

static void mirror_left_to_right(GtiSkeleton* s)
{
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        GtHumanoidJoint other = gt_humanoid_mirror((GtHumanoidJoint)j);
        if ((int)other > j) {
            put(s, other, mirrored(s->joints[j]), mirrored(s->tips[j]));
        }
    }
    s->heels[GTI_RIGHT] = mirrored(s->heels[GTI_LEFT]);
    s->balls[GTI_RIGHT] = mirrored(s->balls[GTI_LEFT]);
    s->toe_tips[GTI_RIGHT] = mirrored(s->toe_tips[GTI_LEFT]);
}

static void place_middle(GtiSkeleton* s, const double bottoms_m[PART_COUNT], const double sizes_m[PART_COUNT])
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
        const Place* place = &places[i];
        double y = bottoms_m[place->part] + place->along * sizes_m[place->part];
        // What belongs to the head grows with it, the rest with the height.
        double across = place->part == PART_HEAD ? sizes_m[PART_HEAD] / HEAD : s->height_m;
        s->joints[place->joint] = gt_vec3((float)(place->x * across), (float)y, (float)(place->z * across));
    }
    for (int j = GT_HUMANOID_HIPS; j < GT_HUMANOID_HEAD; ++j) {
        s->tips[j] = s->joints[j + 1];
    }
    float head = (float)(sizes_m[PART_HEAD] / HEAD);
    s->tips[GT_HUMANOID_HEAD] = gt_vec3(0.0f, (float)s->height_m, s->joints[GT_HUMANOID_HEAD].z);
    s->tips[GT_HUMANOID_JAW] = gt_vec3_add(s->joints[GT_HUMANOID_JAW], gt_vec3(0.0f, -0.036f * head, 0.044f * head));
    s->tips[GT_HUMANOID_LEFT_EYE] = gt_vec3_add(s->joints[GT_HUMANOID_LEFT_EYE], gt_vec3(0.0f, 0.0f, 0.0088f * head));
}

void gti_person_skeleton(const GtPersonDef* def, GtiSkeleton* out)
{
    *out = (GtiSkeleton){ .height_m = def->height_m, .pose = def->pose };
    const double shares[PART_COUNT] = { LEG * def->leg_length, TORSO * def->torso_length, HEAD * def->head_size };
    double sum = shares[0] + shares[1] + shares[2];
    double bottoms_m[PART_COUNT];
    double sizes_m[PART_COUNT];
    double bottom_m = 0.0;
    for (int p = 0; p < PART_COUNT; ++p) {
        bottoms_m[p] = bottom_m;
        sizes_m[p] = def->height_m * shares[p] / sum;
        bottom_m += sizes_m[p];
    }
    out->leg_m = sizes_m[PART_LEG];
    place_middle(out, bottoms_m, sizes_m);
    place_arm(out, def, bottoms_m[PART_HEAD]);
    place_leg(out, def);
    mirror_left_to_right(out);
}

void gti_skeleton_rest(const GtiSkeleton* skeleton, GtTransform rest[GT_HUMANOID_JOINT_COUNT])
{
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t parent = gt_humanoid_parent((GtHumanoidJoint)j);
        GtVec3 offset = skeleton->joints[j];
        rest[j] = gt_transform_identity();
        rest[j].translation = parent == GT_NONE ? offset : gt_vec3_sub(offset, skeleton->joints[parent]);
    }
    if (skeleton->pose == GT_PERSON_POSE_A) {
        const GtVec3 forward = { 0.0f, 0.0f, 1.0f };
        rest[GT_HUMANOID_LEFT_UPPER_ARM].rotation = gt_quat_from_axis_angle(forward, (float)-A_POSE_RAD);
        rest[GT_HUMANOID_RIGHT_UPPER_ARM].rotation = gt_quat_from_axis_angle(forward, (float)A_POSE_RAD);
    }
}

void gti_skeleton_model(const GtiSkeleton* skeleton, GtMat34 model_from_joint[GT_HUMANOID_JOINT_COUNT])
{
    GtTransform rest[GT_HUMANOID_JOINT_COUNT];
    gti_skeleton_rest(skeleton, rest);
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t parent = gt_humanoid_parent((GtHumanoidJoint)j);
        GtMat34 local = gt_mat34_from_transform(rest[j]);
        model_from_joint[j] = parent == GT_NONE ? local : gt_mat34_mul(model_from_joint[parent], local);
    }
}

// What turns the A-pose back into the T-pose.
static GtResult add_retarget_pose(GtScene* scene, const GtTransform* rest, GtError* error)
{
    GtRetargetPose* pose = gt_scene_push(scene, 1, sizeof *pose);
    if (!pose) {
        return gti_out_of_memory(error);
    }
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        pose->rotations[j] = gt_quat_conjugate(rest[j].rotation);
    }
    scene->retarget_pose = pose;
    return GT_OK;
}

GtResult gti_skeleton_add(GtScene* scene, const GtiSkeleton* skeleton, GtError* error)
{
    GtTransform rest[GT_HUMANOID_JOINT_COUNT];
    gti_skeleton_rest(skeleton, rest);
    GtHumanoidMap* map = gt_scene_push(scene, 1, sizeof *map);
    int32_t* roots = gt_scene_push(scene, 1, sizeof *roots);
    if (!map || !roots) {
        return gti_out_of_memory(error);
    }
    *map = gt_humanoid_map_empty();
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        GtNode node = gt_default_node();
        node.name = gt_humanoid_name((GtHumanoidJoint)j);
        node.parent = gt_humanoid_parent((GtHumanoidJoint)j);
        node.local = rest[j];
        GtResult result = gt_scene_add_node(scene, &node, &map->nodes[j], error);
        if (result != GT_OK) {
            return result;
        }
    }
    scene->humanoid = map;
    roots[0] = map->nodes[GT_HUMANOID_HIPS];
    GtStage stage = { .name = "Scene", .nodes = roots, .node_count = 1 };
    GtResult result = gt_scene_add_stage(scene, &stage, &scene->default_stage, error);
    return result == GT_OK && skeleton->pose != GT_PERSON_POSE_T ? add_retarget_pose(scene, rest, error) : result;
}

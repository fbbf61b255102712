// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Muscles that swell as joints bend, and elbows and knees that keep their volume. Each elbow and knee has two sections
// over one box, carried by the halves it joins, whose poses at four angles are fitted to gertie's own idea of a bent
// joint (hinge.h). Muscles are lobes on upper arms, thighs, calves and buttocks.

#include "sections/preset/hinge.h"
#include "sections/preset/preset.h"

#include "base/scalar.h"

#include <math.h>
#include <stdio.h>

static const float hinge_stiffness = 0.04f;
static const float muscle_stiffness = 0.05f;
static const float room = 1.3f; // of the box across, beyond the limb
static const float bends_deg[] = { 50.0f, 95.0f, 125.0f, 150.0f };

enum {
    BEND_COUNT = sizeof bends_deg / sizeof bends_deg[0]
};

typedef enum Side {
    FRONT,
    BACK,
} Side;

// Joints of the left.
typedef struct HingeKind {
    const char* name;
    GtHumanoidJoint upper, lower, end;
    Side towards; // where the lower half goes as it bends
} HingeKind;

static const HingeKind hinges[] = {
    { "Elbow", GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_LOWER_ARM, GT_HUMANOID_LEFT_HAND, FRONT },
    { "Knee", GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_LEFT_FOOT, BACK },
};

typedef struct Muscle {
    const char* name;    // of the pose, and with the side of its control
    const char* section; // of both sides
    GtHumanoidJoint joint, end;
    Side side;
    float at;     // along the limb, 0 to 1
    float spread; // likewise
    float amount; // of the limb's radius there
    float usual;  // radius there of a fit person, of the limb's length
    const char* driver;
    float from_deg, to_deg; // where it begins to swell, and is full
} Muscle;

static const Muscle muscles[] = {
    { "Biceps", "UpperArm", GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_LOWER_ARM, FRONT, 0.52f, 0.2f, 0.45f, 0.18f,
      "Elbow", 15.0f, 120.0f },
    { "Triceps", "UpperArm", GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_LOWER_ARM, BACK, 0.45f, 0.22f, -0.1f, 0.18f,
      "Elbow", 15.0f, 120.0f },
    { "Thigh", "UpperLeg", GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_LEFT_LOWER_LEG, FRONT, 0.5f, 0.22f, 0.08f, 0.2f,
      "Knee", 20.0f, 110.0f },
    { "Hamstring", "UpperLeg", GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_LEFT_LOWER_LEG, BACK, 0.6f, 0.2f, 0.12f, 0.2f,
      "Knee", 20.0f, 110.0f },
    { "Calf", "LowerLeg", GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_LEFT_FOOT, BACK, 0.3f, 0.16f, 0.2f, 0.14f, "Ankle",
      5.0f, 45.0f },
    { "CalfFlexed", "LowerLeg", GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_LEFT_FOOT, BACK, 0.28f, 0.16f, 0.1f, 0.14f,
      "Knee", 20.0f, 110.0f },
};

static const float least_fullness = 0.4f;
static const float most_fullness = 1.2f;
static const float least_spread = 0.8f;             // radii
static const float rings[] = { 0.2f, 0.35f, 0.5f }; // of the limb's length, to either side

static const float seat_amount = 0.1f; // of the distance of the hip joints
static const float seat_stiffness = 0.5f;
static const float seat_full_deg = 35.0f;

enum {
    HINGE_COUNT = sizeof hinges / sizeof hinges[0],
    MUSCLE_COUNT = sizeof muscles / sizeof muscles[0],
    RING_COUNT = sizeof rings / sizeof rings[0],
    LEAST_POINTS = 8 // that a radius is the mean of
};

static GtVec3 direction(const GtiPreset* preset, Side side)
{
    return gt_vec3_scale(preset->forward, side == FRONT ? 1.0f : -1.0f);
}

// GT_ERROR_NOT_FOUND where the body has no such joint (out->body is NULL then), or no skin around it: no failure.
static GtResult open_hinge(GtiPreset* preset, const HingeKind* kind, int side, GtiHinge* out)
{
    GtiSculptLimb upper;
    GtiSculptLimb lower;
    GtHumanoidJoint elbow = gti_joint_on(kind->lower, side);
    *out = (GtiHinge){ .body = NULL };
    if (!gti_sculpt_limb(&preset->body, gti_joint_on(kind->upper, side), elbow, &upper) ||
        !gti_sculpt_limb(&preset->body, elbow, gti_joint_on(kind->end, side), &lower)) {
        return GT_ERROR_NOT_FOUND;
    }
    return gti_hinge_make(preset->context, preset->arena, &preset->body, &upper, &lower,
                          direction(preset, kind->towards), out, preset->error);
}

static void name_half(const HingeKind* kind, int side, const char* half, char out[GTI_PRESET_NAME])
{
    char base[GTI_PRESET_NAME];
    gti_preset_name(side, kind->name, base, sizeof base);
    snprintf(out, GTI_PRESET_NAME, "%.40s%s", base, half);
}

static GtResult place_hinge(GtiPreset* preset, const HingeKind* kind, int side)
{
    GtiHinge hinge;
    char name[GTI_PRESET_NAME];
    GtResult result = open_hinge(preset, kind, side, &hinge);
    if (hinge.body) { // muscles need the angle
        gti_preset_name(side, kind->name, name, sizeof name);
        gti_preset_add_angle(preset, name, gti_joint_on(kind->lower, side), hinge.axis);
    }
    if (result != GT_OK) {
        return result == GT_ERROR_NOT_FOUND ? GT_OK : result;
    }
    GtVec3 front = gt_vec3_cross(hinge.axis, hinge.along);
    float across = 2.0f * room * hinge.most_m;
    GtVec3 axes[3] = { gt_vec3_scale(hinge.along, 2.0f * hinge.blend_m), gt_vec3_scale(front, across),
                       gt_vec3_scale(gt_vec3_cross(hinge.along, front), across) };
    GtMat34 box = gti_preset_box(hinge.origin, axes);
    GtVec3 border = gt_vec3(0.3f, 0.08f, 0.08f);
    name_half(kind, side, "Upper", name);
    gti_preset_add_section(preset, name, gti_joint_on(kind->upper, side), box, border);
    name_half(kind, side, "Lower", name);
    gti_preset_add_section(preset, name, gti_joint_on(kind->lower, side), box, border);
    return GT_OK;
}

// A curve that is 1 at one of the bends and 0 at rest and at the others: together they go through all poses.
static void drive_bend(GtiPreset* preset, const char* section, const char* control, int bend)
{
    GtiPresetTrack* track = gti_preset_add_track(preset, GT_LAW_CATMULL_ROM);
    snprintf(track->channel, sizeof track->channel, "lattice:%s.bend%d", section, (int)bends_deg[bend]);
    snprintf(track->formula, sizeof track->formula, "control:%s", control);
    track->key_count = BEND_COUNT + 1;
    for (int i = 0; i < BEND_COUNT; ++i) {
        track->at[i + 1] = bends_deg[i];
        track->values[i + 1] = i == bend ? 1.0f : 0.0f;
    }
}

static GtResult shape_hinge(GtiPreset* preset, const HingeKind* kind, int side)
{
    char names[2][GTI_PRESET_NAME];
    name_half(kind, side, "Upper", names[0]);
    name_half(kind, side, "Lower", names[1]);
    int32_t sections[2] = { gti_preset_find(preset, names[0]), gti_preset_find(preset, names[1]) };
    GtiHinge hinge;
    bool whole = sections[0] != GT_NONE && sections[1] != GT_NONE; // else a half holds no skin
    GtResult result = whole ? open_hinge(preset, kind, side, &hinge) : GT_ERROR_NOT_FOUND;
    if (result != GT_OK) {
        return result == GT_ERROR_NOT_FOUND ? GT_OK : result;
    }
    size_t count = (size_t)preset->body.shell->point_count;
    GtArena scratch = gt_arena_create(preset->context->allocator);
    GtiPresetPose poses[BEND_COUNT];
    GtQuat turns[BEND_COUNT][2];
    GtVec3* linear = gt_arena_push_array(&scratch, count, sizeof *linear);
    result = linear ? GT_OK : gti_out_of_memory(preset->error);
    for (int b = 0; b < BEND_COUNT && result == GT_OK; ++b) {
        GtiPresetPose* pose = &poses[b];
        snprintf(pose->name, sizeof pose->name, "bend%d", (int)bends_deg[b]);
        pose->wanted = gt_arena_push_array(&scratch, count, sizeof *pose->wanted);
        pose->turns = turns[b];
        turns[b][0] = gt_quat_identity();
        turns[b][1] = gti_hinge_turn(&hinge, bends_deg[b] * (float)GTI_DEGREE);
        if (!pose->wanted) {
            result = gti_out_of_memory(preset->error);
            break;
        }
        gti_hinge_bend_full(&hinge, bends_deg[b] * (float)GTI_DEGREE, pose->wanted);
        gti_hinge_bend_linear(&hinge, bends_deg[b] * (float)GTI_DEGREE, linear);
        for (size_t i = 0; i < count; ++i) {
            pose->wanted[i] = gt_vec3_sub(pose->wanted[i], linear[i]);
        }
    }
    if (result == GT_OK) {
        result = gti_preset_fit(preset, sections, 2, hinge_stiffness, poses, BEND_COUNT);
    }
    gt_arena_destroy(&scratch);
    char control[GTI_PRESET_NAME];
    gti_preset_name(side, kind->name, control, sizeof control);
    for (int b = 0; b < BEND_COUNT && result == GT_OK; ++b) {
        drive_bend(preset, names[0], control, b);
        drive_bend(preset, names[1], control, b);
    }
    return result;
}

static bool find_muscle(const GtiPreset* preset, const Muscle* muscle, int side, GtiSculptLimb* out)
{
    return gti_sculpt_limb(&preset->body, gti_joint_on(muscle->joint, side), gti_joint_on(muscle->end, side), out);
}

static GtResult place_muscle(GtiPreset* preset, const Muscle* muscle, int side)
{
    char name[GTI_PRESET_NAME];
    gti_preset_name(side, muscle->section, name, sizeof name);
    GtiSculptLimb limb;
    return find_muscle(preset, muscle, side, &limb) ? gti_preset_add_limb(preset, name, &limb, NULL) : GT_OK;
}

// How thick the limb is where a muscle is; of coarse meshes, from farther around.
static float find_radius(const GtiPreset* preset, const Muscle* muscle, const GtiSculptLimb* limb, float* shares)
{
    GtVec3 place = gt_vec3_add(limb->from, gt_vec3_scale(limb->along, muscle->at * limb->length_m));
    GtiGirth girth = { 0 };
    gti_sculpt_shares(&preset->body, limb->joint, false, shares);
    for (int i = 0; i < RING_COUNT && girth.count < LEAST_POINTS; ++i) {
        girth = gti_sculpt_girth(&preset->body, shares, place, limb->along, rings[i] * limb->length_m);
    }
    return girth.mean_m;
}

// A lobe on one side of the limb. Its height goes with the radius, and with how full the limb is beside its length: a
// thin one is mostly bone. It is never steep, however thick and short the limb.
static void swell(const GtiPreset* preset, const Muscle* muscle, const GtiSculptLimb* limb, float radius_m,
                  GtVec3* wanted)
{
    GtVec3 towards = direction(preset, muscle->side);
    float fullness = fminf(fmaxf(radius_m / (muscle->usual * limb->length_m), least_fullness), most_fullness);
    float spread_m = fmaxf(muscle->spread * limb->length_m, least_spread * radius_m);
    for (int32_t i = 0; i < preset->body.shell->point_count; ++i) {
        GtVec3 from = gt_vec3_sub(preset->body.shell->positions[i], limb->from);
        float along = gt_vec3_dot(from, limb->along);
        GtVec3 off = gt_vec3_sub(from, gt_vec3_scale(limb->along, along));
        GtVec3 out = gt_vec3_normalize_or(off, towards);
        float place = (along - muscle->at * limb->length_m) / spread_m;
        float facing = fmaxf(gt_vec3_dot(out, towards), 0.0f);
        float amount = muscle->amount * fullness * radius_m * expf(-place * place) * facing * facing;
        wanted[i] = gt_vec3_scale(out, amount);
    }
}

// A control of the muscle's own, by keys over that of a joint.
static void drive_muscle(GtiPreset* preset, const char* muscle, const char* joint, float from_deg, float to_deg)
{
    gti_preset_add_control(preset, muscle, 0.0f, 0.0f, 1.0f);
    GtiPresetTrack* track = gti_preset_add_track(preset, GT_LAW_LINEAR);
    snprintf(track->channel, sizeof track->channel, "control:%s", muscle);
    snprintf(track->formula, sizeof track->formula, "control:%s", joint);
    track->key_count = 2;
    track->at[0] = from_deg;
    track->at[1] = to_deg;
    track->values[1] = 1.0f;
    track->eases = true;
}

static GtVec3 hip_of(const GtiPreset* preset, int side)
{
    int32_t node = preset->body.figure.joints[gti_joint_on(GT_HUMANOID_LEFT_UPPER_LEG, side)];
    return gt_mat34_translation(&preset->body.shell->bind[node]);
}

// Both halves of the seat, each as its leg goes back.
static GtResult shape_seat(GtiPreset* preset, GtVec3* wanted)
{
    int32_t region = gti_preset_region(preset, GT_HUMANOID_HIPS, false);
    GtVec3 back = direction(preset, BACK);
    GtVec3 hips[2] = { hip_of(preset, GTI_LEFT_SIDE), hip_of(preset, GTI_RIGHT_SIDE) };
    float width = gt_vec3_length(gt_vec3_sub(hips[0], hips[1]));
    GtResult result = GT_OK;
    for (int side = 0; side < GTI_SIDE_COUNT && result == GT_OK && region != GT_NONE; ++side) {
        GtVec3 middle = gt_vec3_add(hips[side], gt_vec3_scale(back, 0.6f * width));
        for (int32_t i = 0; i < preset->body.shell->point_count; ++i) {
            float far = gt_vec3_length(gt_vec3_sub(preset->body.shell->positions[i], middle)) / (0.55f * width);
            wanted[i] = gt_vec3_scale(back, seat_amount * width * expf(-far * far));
        }
        char muscle[GTI_PRESET_NAME];
        char joint[GTI_PRESET_NAME];
        gti_preset_name(side, "Buttock", muscle, sizeof muscle);
        gti_preset_name(side, "Hip", joint, sizeof joint);
        drive_muscle(preset, muscle, joint, 0.0f, seat_full_deg);
        result = gti_preset_fit_region(preset, region, seat_stiffness, muscle, muscle, wanted);
    }
    return result;
}

static GtResult shape_muscle(GtiPreset* preset, const Muscle* muscle, int side, float* shares, GtVec3* wanted)
{
    GtiSculptLimb limb;
    int32_t region = gti_preset_region(preset, gti_joint_on(muscle->joint, side), true);
    char joint[GTI_PRESET_NAME];
    gti_preset_name(side, muscle->driver, joint, sizeof joint);
    if (region == GT_NONE || !gti_preset_has_control(preset, joint) || !find_muscle(preset, muscle, side, &limb)) {
        return GT_OK;
    }
    swell(preset, muscle, &limb, find_radius(preset, muscle, &limb, shares), wanted);
    char name[GTI_PRESET_NAME];
    gti_preset_name(side, muscle->name, name, sizeof name);
    drive_muscle(preset, name, joint, muscle->from_deg, muscle->to_deg);
    return gti_preset_fit_region(preset, region, muscle_stiffness, muscle->name, name, wanted);
}

// Angles of hips and ankles, which are no hinges here: legs that go back, feet that point.
static void place_angles(GtiPreset* preset, int side)
{
    char name[GTI_PRESET_NAME];
    GtiSculptLimb limb;
    if (gti_sculpt_limb(&preset->body, gti_joint_on(GT_HUMANOID_LEFT_UPPER_LEG, side),
                        gti_joint_on(GT_HUMANOID_LEFT_LOWER_LEG, side), &limb)) {
        gti_preset_name(side, "Hip", name, sizeof name);
        gti_preset_add_angle(preset, name, limb.joint, gt_vec3_cross(limb.along, direction(preset, BACK)));
    }
    if (gti_sculpt_limb(&preset->body, gti_joint_on(GT_HUMANOID_LEFT_LOWER_LEG, side),
                        gti_joint_on(GT_HUMANOID_LEFT_FOOT, side), &limb)) {
        gti_preset_name(side, "Ankle", name, sizeof name);
        gti_preset_add_angle(preset, name, gti_joint_on(GT_HUMANOID_LEFT_FOOT, side),
                             gt_vec3_cross(preset->forward, limb.along));
    }
}

static GtResult place(GtiPreset* preset)
{
    GtResult result = GT_OK;
    for (int side = 0; side < GTI_SIDE_COUNT && result == GT_OK; ++side) {
        for (int i = 0; i < HINGE_COUNT && result == GT_OK; ++i) {
            result = place_hinge(preset, &hinges[i], side);
        }
        place_angles(preset, side);
        for (int i = 0; i < MUSCLE_COUNT && result == GT_OK; ++i) {
            result = place_muscle(preset, &muscles[i], side);
        }
    }
    int32_t seat;
    return result == GT_OK ? gti_preset_add_seat(preset, &seat) : result;
}

static GtResult shape(GtiPreset* preset)
{
    size_t count = (size_t)preset->body.shell->point_count;
    GtArena scratch = gt_arena_create(preset->context->allocator);
    float* shares = gt_arena_push_array(&scratch, count, sizeof *shares);
    GtVec3* wanted = gt_arena_push_array(&scratch, count, sizeof *wanted);
    GtResult result = shares && wanted ? GT_OK : gti_out_of_memory(preset->error);
    for (int side = 0; side < GTI_SIDE_COUNT && result == GT_OK; ++side) {
        for (int i = 0; i < HINGE_COUNT && result == GT_OK; ++i) {
            result = shape_hinge(preset, &hinges[i], side);
        }
        for (int i = 0; i < MUSCLE_COUNT && result == GT_OK; ++i) {
            result = shape_muscle(preset, &muscles[i], side, shares, wanted);
        }
    }
    result = result == GT_OK ? shape_seat(preset, wanted) : result;
    gt_arena_destroy(&scratch);
    return result;
}

const GtiPresetKind gti_preset_muscles = { "muscles", place, shape };

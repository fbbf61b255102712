// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The person's joints, where the fit put them, and fingers where the body has them.

#include "rig/embed/embed.h"

#include "base/fail.h"
#include "rig/fit/fit.h"
#include "rig/fit/hand.h"
#include "rig/fit/ring.h"

#define COVERED 0.03f // distance between skins that lie on each other, heights
#define FITS    0.6f  // goodness from which on no figures of other proportions are tried
#define BETTER  0.05f // by which they must fit better

// Where rigs have joints, against the centres of movement that the person has: hips and knees lower, ankles farther in
// front; measured on rigs of different makers. Heights, at rest, for the left side.
static GtVec3 rig_place(const GtiSkeleton* person, GtHumanoidJoint joint)
{
    static const struct {
        GtHumanoidJoint joint;
        GtVec3 offset;
    } offsets[] = {
        { GT_HUMANOID_HIPS, { 0.0f, -0.02f, 0.0f } },
        { GT_HUMANOID_LEFT_UPPER_ARM, { -0.004f, -0.002f, 0.006f } },
        { GT_HUMANOID_LEFT_LOWER_ARM, { 0.0f, 0.0f, 0.004f } },
        { GT_HUMANOID_LEFT_UPPER_LEG, { 0.0f, -0.012f, -0.005f } },
        { GT_HUMANOID_LEFT_LOWER_LEG, { 0.0f, -0.006f, 0.0f } },
        { GT_HUMANOID_LEFT_FOOT, { 0.0f, 0.0f, 0.005f } },
    };
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; ++i) {
        GtVec3 offset = offsets[i].offset;
        if (offsets[i].joint == joint) {
            return gt_vec3_add(person->joints[joint], offset);
        }
        if (gt_humanoid_mirror(offsets[i].joint) == joint) {
            return gt_vec3_add(person->joints[joint], gt_vec3(-offset.x, offset.y, offset.z));
        }
    }
    return person->joints[joint];
}

// The finger that a joint is of, from 0, and its hand; false for what is no finger.
static bool finger_of(GtHumanoidJoint joint, int* side, int* finger, int* at)
{
    int index = (int)joint - GT_HUMANOID_LEFT_THUMB_METACARPAL;
    *side = index / (GTI_HAND_FINGERS * GTI_HAND_JOINTS);
    *finger = index / GTI_HAND_JOINTS % GTI_HAND_FINGERS;
    *at = index % GTI_HAND_JOINTS;
    return index >= 0;
}

// Eyes and jaw are not looked for.
static bool is_found(GtHumanoidJoint joint, const GtiFittedHand hands[2])
{
    int side;
    int finger;
    int at;
    if (finger_of(joint, &side, &finger, &at)) {
        return hands[side].has[finger];
    }
    return joint != GT_HUMANOID_LEFT_EYE && joint != GT_HUMANOID_RIGHT_EYE && joint != GT_HUMANOID_JAW;
}

static GtVec3 place_of(const GtiPersonFit* fit, const GtiFittedHand hands[2], GtHumanoidJoint joint)
{
    int side;
    int finger;
    int at;
    return finger_of(joint, &side, &finger, &at)
               ? hands[side].joints[finger][at]
               : gt_vec3_add(gti_model_carry(&fit->state, joint, rig_place(&fit->model.person.skeleton, joint)),
                             gti_person_ring_shift(fit, joint));
}

// Where the bone of a joint ends: at the joint it leads to, or the end of the body there.
static GtVec3 tip_of(const GtiPersonFit* fit, const GtiFittedHand hands[2], GtHumanoidJoint joint)
{
    const GtiSkeleton* person = &fit->model.person.skeleton;
    int side;
    int finger;
    int at;
    if (finger_of(joint, &side, &finger, &at)) {
        return at + 1 < GTI_HAND_JOINTS ? hands[side].joints[finger][at + 1] : hands[side].tips[finger];
    }
    switch (joint) {
    case GT_HUMANOID_LEFT_HAND:
    case GT_HUMANOID_RIGHT_HAND: {
        side = joint == GT_HUMANOID_RIGHT_HAND;
        GtHumanoidJoint end = side ? GT_HUMANOID_RIGHT_MIDDLE_DISTAL : GT_HUMANOID_LEFT_MIDDLE_DISTAL;
        return hands[side].has[2] ? hands[side].joints[2][0] : gti_model_carry(&fit->state, end, person->tips[end]);
    }
    case GT_HUMANOID_HEAD:
    case GT_HUMANOID_LEFT_TOES:
    case GT_HUMANOID_RIGHT_TOES:
        return gti_model_carry(&fit->state, joint, person->tips[joint]);
    case GT_HUMANOID_LEFT_SHOULDER:
    case GT_HUMANOID_RIGHT_SHOULDER:
    default:
        return place_of(fit, hands, (GtHumanoidJoint)(joint + 1)); // chains are in order
    }
}

static const char* why_none(const GtiFittedHand hands[2], GtHumanoidJoint joint)
{
    return joint == GT_HUMANOID_LEFT_HAND ? hands[0].why : joint == GT_HUMANOID_RIGHT_HAND ? hands[1].why : NULL;
}

static bool copy_joints(const GtiPersonFit* fit, const GtiFittedHand hands[2], GtArena* arena, GtiRigSkeleton* out)
{
    int32_t places[GT_HUMANOID_JOINT_COUNT];
    *out = (GtiRigSkeleton){ 0 };
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        places[j] = is_found((GtHumanoidJoint)j, hands) ? out->joint_count++ : GT_NONE;
    }
    out->joints = gt_arena_push_array(arena, (size_t)out->joint_count, sizeof *out->joints);
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT && out->joints; ++j) {
        GtHumanoidJoint joint = (GtHumanoidJoint)j;
        int32_t parent = gt_humanoid_parent(joint);
        int32_t mirror = places[gt_humanoid_mirror(joint)];
        if (places[j] != GT_NONE) {
            out->joints[places[j]] = (GtiRigJoint){ .parent = parent == GT_NONE ? GT_NONE : places[parent],
                                                    .humanoid = j,
                                                    .mirror = mirror == GT_NONE ? places[j] : mirror,
                                                    .position = place_of(fit, hands, joint),
                                                    .tip = tip_of(fit, hands, joint),
                                                    .no_fingers = why_none(hands, joint) };
        }
    }
    return out->joints != NULL;
}

// All of a person's skin should be on the body; of the body, hair, clothes and inner walls may be elsewhere.
static float goodness(GtiPersonFit* fit)
{
    float person;
    float body;
    gti_person_fit_cover(fit, COVERED, &person, &body);
    return person * person * person * person * sqrtf(body);
}

// Try figures that are no persons. false when memory ran out.
static bool fit_figure(GtiPersonFit* fit, const GtiLandmarks* marks, GtArena* scratch, float* best)
{
    GtiModelState* person = gt_arena_push_array(scratch, 1, sizeof *person);
    if (!person) {
        return false;
    }
    *person = fit->state;
    gti_person_fit_solve_figure(fit, marks);
    float figure = goodness(fit);
    if (figure > *best + BETTER) {
        *best = figure;
        return true;
    }
    fit->state = *person;
    goodness(fit); // places all points as the state has them
    return true;
}

GtResult gti_embed_person(const GtContext* context, const GtiRigBody* body, const GtiSolid* solid, GtArena* arena,
                          GtiRigSkeleton* out, float* fit, GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    GtiPersonFit* person;
    GtiFittedHand hands[2];
    bool ok = gti_person_fit_create(body, solid, &scratch, &person);
    if (ok) {
        GtiLandmarks marks;
        gti_person_fit_solve(person);
        *fit = goodness(person);
        if (*fit < FITS) {
            ok = gti_landmarks_find(solid, &scratch, &marks) && fit_figure(person, &marks, &scratch, fit);
        }
    }
    if (ok) {
        ok = gti_person_hands(person, body, &scratch, hands) && copy_joints(person, hands, arena, out);
    }
    gt_arena_destroy(&scratch);
    return ok ? GT_OK : gti_out_of_memory(error);
}

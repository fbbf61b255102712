// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The person's joints, where the fit put them, and fingers where the body has them.

#include "rig/embed/embed.h"

#include "base/fail.h"
#include "rig/fit/fit.h"
#include "rig/fit/hand.h"
#include "rig/fit/ring.h"

#include <string.h>

#define COVERED    0.03f // distance between skins that lie on each other, heights
#define FITS       0.6f  // goodness from which on no figures of other proportions are tried
#define BETTER     0.05f // by which they must fit better
#define PARTS_FIT  0.9f  // share of each limb's skin from which on no other poses of it are tried
#define REPOSED    0.02f // by which these must fit better
#define TRUNK_FITS 0.85f // share of the skin of trunk and head from which on it is a limb that does not fit
#define TRUNK_LIKE 0.5f  // the same of a figure that is no person; cubes have 0.06, a bunny 0.15

// Where rigs have joints, against the centres of movement that the person has: hips, thighs, shoulders and heads lower,
// ankles higher; measured on rigs of 22 makers. Heights, at rest, for the left side.
static GtVec3 rig_place(const GtiSkeleton* person, GtHumanoidJoint joint)
{
    static const struct {
        GtHumanoidJoint joint;
        GtVec3 offset;
    } offsets[] = {
        { GT_HUMANOID_HIPS, { 0.0f, -0.02f, 0.0f } },
        { GT_HUMANOID_HEAD, { 0.0f, -0.006f, 0.0f } },
        { GT_HUMANOID_LEFT_UPPER_ARM, { -0.004f, -0.004f, 0.001f } },
        { GT_HUMANOID_LEFT_UPPER_LEG, { 0.0f, -0.009f, -0.005f } },
        { GT_HUMANOID_LEFT_FOOT, { 0.0f, 0.004f, -0.003f } },
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
static float goodness_of(const GtiPersonCover* cover)
{
    float person = cover->person * cover->person;
    return person * person * sqrtf(cover->body);
}

// The best state of a fit that has been tried.
typedef struct BestFit {
    GtiModelState state;
    GtiModelParam params[GTI_MODEL_MAX_PARAMS]; // that it was fitted with
    GtiPersonCover cover;
    float fit;
} BestFit;

// Keep the state that the fit is in, or go back to the best one, unless it is better by `more`.
static void keep_better(GtiPersonFit* fit, float more, BestFit* best)
{
    GtiPersonCover cover;
    gti_person_fit_cover(fit, COVERED, &cover);
    if (goodness_of(&cover) > best->fit + more) {
        best->state = fit->state;
        memcpy(best->params, fit->model.params, sizeof best->params);
        best->cover = cover;
        best->fit = goodness_of(&cover);
        return;
    }
    fit->state = best->state;
    memcpy(fit->model.params, best->params, sizeof best->params);
    gti_person_fit_cover(fit, COVERED, &cover); // places all points as the state has them
}

static void repose(GtiPersonFit* fit, BestFit* best)
{
    if (best->cover.least_part < PARTS_FIT) {
        gti_person_fit_repose(fit);
        keep_better(fit, REPOSED, best);
    }
}

// Persons first, with limbs that are folded or stride where trunk and head fit; then figures that are no persons. false
// when memory ran out.
static bool fit_any(GtiPersonFit* fit, const GtiSolid* solid, GtArena* scratch, GtiPersonGoodness* out)
{
    BestFit* best = gt_arena_push_array(scratch, 1, sizeof *best);
    if (!best) {
        return false;
    }
    best->fit = -1.0f;
    gti_person_fit_solve(fit);
    keep_better(fit, 0.0f, best);
    if (best->cover.trunk > TRUNK_FITS) {
        repose(fit, best);
    }
    if (best->fit < FITS) {
        GtiLandmarks marks;
        if (!gti_landmarks_find(solid, scratch, &marks)) {
            return false;
        }
        gti_person_fit_solve_figure(fit, &marks);
        keep_better(fit, BETTER, best);
        if (best->cover.trunk > TRUNK_LIKE) {
            repose(fit, best);
        }
    }
    *out = (GtiPersonGoodness){ .fit = best->fit, .least_part = best->cover.least_part };
    return true;
}

GtResult gti_embed_person(const GtContext* context, const GtiRigBody* body, const GtiSolid* solid, GtArena* arena,
                          GtiRigSkeleton* out, GtiPersonGoodness* goodness, GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    GtiPersonFit* person;
    GtiFittedHand hands[2];
    bool ok = gti_person_fit_create(body, solid, &scratch, &person) && fit_any(person, solid, &scratch, goodness) &&
              gti_person_hands(person, body, &scratch, hands) && copy_joints(person, hands, arena, out);
    gt_arena_destroy(&scratch);
    return ok ? GT_OK : gti_out_of_memory(error);
}

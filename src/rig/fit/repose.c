// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A limb that strides, kneels, punches or is folded is far from where any start of the fit has it, and the other limbs
// and the trunk are mostly right by then. Each limb in turn is put into poses of a list, and the pose in which all
// skins are the least apart stays; then everything is fitted together, with turns that may go as far as joints do.

#include "rig/fit/fit.h"

#include <math.h>
#include <string.h>

enum {
    HIPS = 7,
    KNEES = 5,
    SPREADS = 2,
    LEG_POSES = HIPS * KNEES * SPREADS,
    RAISES = 6,
    SWINGS = 4,
    BENDS = 2,
    TWISTS = 4,
    ARM_POSES = RAISES * SWINGS * (1 + BENDS * TWISTS), // a straight arm is not turned about itself
    LIMB_TURNS = 4,
    STRIDE = 9, // of the model's points that are looked at
    MOST_POINTS = 512,
    TARGET_POINTS = 350, // that are looked at
    COARSE_STEPS = 4,
    MIDDLE_STEPS = 4,
    FINE_STEPS = 3,
};

#define PRIOR  0.7f // weight of what is likely: less than of somebody who stands
#define LOOSER 2.5f // spreads of turns, against those of somebody who stands

// A turn of a limb's pose.
typedef struct LimbTurn {
    GtHumanoidJoint left; // or the right one that mirrors it
    int axis;
    float low, high; // where it may go
} LimbTurn;

static const LimbTurn leg_turns[LIMB_TURNS] = {
    { GT_HUMANOID_LEFT_UPPER_LEG, 0, -2.2f, 1.0f },
    { GT_HUMANOID_LEFT_LOWER_LEG, 0, -0.1f, 2.4f },
    { GT_HUMANOID_LEFT_UPPER_LEG, 2, -0.4f, 1.2f },
    { GT_HUMANOID_LEFT_FOOT, 0, -0.8f, 1.2f },
};

static const LimbTurn arm_turns[LIMB_TURNS] = {
    { GT_HUMANOID_LEFT_UPPER_ARM, 2, -1.75f, 1.4f },
    { GT_HUMANOID_LEFT_UPPER_ARM, 1, -2.0f, 1.2f },
    { GT_HUMANOID_LEFT_LOWER_ARM, 1, -2.5f, 0.1f },
    { GT_HUMANOID_LEFT_UPPER_ARM, 0, -1.8f, 1.8f },
};

static void leg_pose(int index, float out[LIMB_TURNS])
{
    static const float hips[HIPS] = { 0.0f, -0.4f, -0.8f, -1.3f, -1.8f, 0.3f, 0.7f };
    static const float knees[KNEES] = { 0.05f, 0.5f, 1.0f, 1.5f, 2.1f };
    static const float spreads[SPREADS] = { 0.05f, 0.4f };
    out[0] = hips[index % HIPS];
    out[1] = knees[index / HIPS % KNEES];
    out[2] = spreads[index / (HIPS * KNEES)];
    out[3] = 0.0f;
}

static void arm_pose(int index, float out[LIMB_TURNS])
{
    static const float raises[RAISES] = { -1.4f, -1.0f, -0.6f, -0.1f, 0.4f, 0.9f };
    static const float swings[SWINGS] = { 0.0f, -0.7f, -1.4f, 0.6f };
    static const float bends[BENDS] = { -1.0f, -1.9f };
    static const float twists[TWISTS] = { 0.0f, -1.4f, -0.7f, 0.9f };
    int bent = index / (RAISES * SWINGS) - 1;
    out[0] = raises[index % RAISES];
    out[1] = swings[index / RAISES % SWINGS];
    out[2] = bent < 0 ? -0.1f : bends[bent % BENDS];
    out[3] = bent < 0 ? 0.0f : twists[bent / BENDS];
}

static int32_t param_of(const GtiPersonFit* fit, const LimbTurn* turn, bool right)
{
    return gti_model_turn(&fit->model, right ? gt_humanoid_mirror(turn->left) : turn->left, turn->axis);
}

static void loosen(GtiPersonFit* fit, const LimbTurn turns[LIMB_TURNS])
{
    for (int t = 0; t < LIMB_TURNS; ++t) {
        for (int side = 0; side < 2; ++side) {
            GtiModelParam* p = &fit->model.params[param_of(fit, &turns[t], side == 1)];
            p->sigma *= LOOSER;
            p->low = turns[t].low;
            p->high = turns[t].high;
        }
    }
}

// The model's points, those that do not move with the limb first; and how far the body is from these.
typedef struct LimbGlance {
    int32_t still_count, count; // [still_count, count) are the limb's
    int32_t points[MOST_POINTS];
    float apart[TARGET_POINTS]; // squared
    float still_apart;          // sum over the points that do not move
} LimbGlance;

static void place(GtiPersonFit* fit, const LimbGlance* glance, int32_t i)
{
    int32_t point = glance->points[i];
    GtVec3 rest = gti_model_rest(&fit->model, &fit->state, point);
    fit->places[i] = gti_model_place(&fit->state, &fit->model.person.points[point], rest);
    fit->normals[i] = gti_model_normal(&fit->state, &fit->model.person.points[point]);
}

static void glance_at_others(GtiPersonFit* fit, int32_t root, LimbGlance* out)
{
    const GtiPersonModel* model = &fit->model;
    gti_model_pose(model, &fit->state);
    *out = (LimbGlance){ 0 };
    for (int limb = 0; limb < 2; ++limb) {
        for (int32_t p = 0; p < model->person.count && out->count < MOST_POINTS; p += STRIDE) {
            if (gti_model_is_of(model, root, model->person.points[p].joints[0]) == (limb == 1)) {
                out->points[out->count] = p;
                place(fit, out, out->count++);
            }
        }
        out->still_count = limb == 0 ? out->count : out->still_count;
    }
    for (int32_t i = 0; i < out->still_count; ++i) {
        out->still_apart += gti_fit_square_to(&fit->target_grid, fit->places[i], fit->normals[i], GTI_FIT_MOST_APART);
    }
    gti_point_grid_fill(&fit->model_grid, fit->places, fit->normals, out->still_count);
    for (int32_t q = 0; q < fit->target_grid.count; ++q) {
        out->apart[q] =
            gti_fit_square_to(&fit->model_grid, fit->target.points[q], fit->target.normals[q], GTI_FIT_MOST_APART);
    }
}

// Mean squares of how far the skins are apart, both ways.
static float distance_posed(GtiPersonFit* fit, const LimbGlance* glance)
{
    gti_model_pose(&fit->model, &fit->state);
    float there = glance->still_apart;
    float back = 0.0f;
    for (int32_t i = glance->still_count; i < glance->count; ++i) {
        place(fit, glance, i);
        there += gti_fit_square_to(&fit->target_grid, fit->places[i], fit->normals[i], GTI_FIT_MOST_APART);
    }
    int32_t count = fit->target_grid.count;
    for (int32_t q = 0; q < count; ++q) {
        float least = glance->apart[q];
        for (int32_t i = glance->still_count; i < glance->count; ++i) {
            least = fminf(least, gti_fit_square_between(fit->target.points[q], fit->target.normals[q], fit->places[i],
                                                        fit->normals[i]));
        }
        back += least;
    }
    return there / fmaxf((float)glance->count, 1.0f) + back / fmaxf((float)count, 1.0f);
}

// The pose of one limb that brings the skins closest.
static void choose_pose(GtiPersonFit* fit, const LimbTurn turns[LIMB_TURNS], bool right, int count,
                        void (*pose)(int index, float out[LIMB_TURNS]))
{
    LimbGlance glance;
    int32_t params[LIMB_TURNS];
    float best[LIMB_TURNS];
    for (int t = 0; t < LIMB_TURNS; ++t) {
        params[t] = param_of(fit, &turns[t], right);
        best[t] = fit->state.values[params[t]];
    }
    glance_at_others(fit, gti_model_bone(right ? gt_humanoid_mirror(turns[0].left) : turns[0].left), &glance);
    float least = distance_posed(fit, &glance);
    for (int i = 0; i < count; ++i) {
        float values[LIMB_TURNS];
        pose(i, values);
        for (int t = 0; t < LIMB_TURNS; ++t) {
            fit->state.values[params[t]] = values[t];
        }
        float distance = distance_posed(fit, &glance);
        if (distance < least) {
            least = distance;
            memcpy(best, values, sizeof best);
        }
    }
    for (int t = 0; t < LIMB_TURNS; ++t) {
        fit->state.values[params[t]] = best[t];
    }
}

static void choose_poses(GtiPersonFit* fit)
{
    int32_t count = fit->target.count < TARGET_POINTS ? fit->target.count : TARGET_POINTS;
    gti_point_grid_fill(&fit->target_grid, fit->target.points, fit->target.normals, count);
    for (int side = 0; side < 2; ++side) {
        choose_pose(fit, leg_turns, side == 1, LEG_POSES, leg_pose);
    }
    for (int side = 0; side < 2; ++side) {
        choose_pose(fit, arm_turns, side == 1, ARM_POSES, arm_pose);
    }
}

// Coarse steps first, and the poses once more; then closer ones.
static void fit_poses(GtiPersonFit* fit)
{
    GtiFitRound round = { .model_stride = 5, .target_count = 600, .slack = 0.04f, .prior = 1.0f, .damping = 1.0f };
    choose_poses(fit);
    for (int k = 0; k < COARSE_STEPS; ++k) {
        round.sigma = 0.08f - 0.01f * (float)k;
        gti_person_fit_step(fit, &round);
    }
    choose_poses(fit);
    round = (GtiFitRound){ .model_stride = 3, .target_count = 1200, .slack = 0.03f, .prior = PRIOR, .damping = 0.3f };
    for (int k = 0; k < MIDDLE_STEPS; ++k) {
        round.sigma = 0.045f - 0.004f * (float)k;
        gti_person_fit_step(fit, &round);
    }
    round = (GtiFitRound){ .model_stride = 1,
                           .target_count = fit->target.count,
                           .sigma = 0.025f,
                           .slack = 0.02f,
                           .prior = PRIOR,
                           .damping = 0.1f,
                           .hand_ends = true };
    for (int k = 0; k < FINE_STEPS; ++k) {
        gti_person_fit_step(fit, &round);
    }
}

void gti_person_fit_repose(GtiPersonFit* fit)
{
    static const GtiSize lengths[] = { GTI_SIZE_UPPER_ARM, GTI_SIZE_FOREARM, GTI_SIZE_HAND, GTI_SIZE_THIGH,
                                       GTI_SIZE_SHANK };
    GtiPersonModel* model = &fit->model;
    GtiModelParam params[GTI_MODEL_MAX_PARAMS];
    int32_t ties = model->tie_count;
    float crotch = fit->crotch;
    memcpy(params, model->params, sizeof params);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
        int32_t p = model->first_size + (int32_t)lengths[i];
        fit->state.values[p] = model->params[p].mean; // whatever a limb was squeezed to
    }
    model->tie_count = model->size_tie_count; // the sides may differ
    fit->crotch = 0.0f;                       // where legs seem to part is no crotch of somebody who strides
    loosen(fit, leg_turns);
    loosen(fit, arm_turns);
    fit_poses(fit);
    memcpy(model->params, params, sizeof params);
    model->tie_count = ties;
    fit->crotch = crotch;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From where the fit starts: arms raised, level, sloping or hanging, elbows bent, thin or stout, as tall as people are
// or with the large head of a drawn figure. All are compared as they are, the best few are fitted coarsely, the best of
// these finely.

#include "rig/fit/fit.h"

enum {
    ARM_STARTS = 9,
    BODY_STARTS = 4,
    STARTS = ARM_STARTS * BODY_STARTS,
    KEPT = 3,
    COARSE_STEPS = 5,
    MIDDLE_STEPS = 4,
    FINE_STEPS = 4,
};

#define MOST_APART 0.1f // heights: whatever is farther apart does not belong together

#define CHIN 0.87f // of the height

typedef struct Start {
    float values[GTI_MODEL_MAX_PARAMS];
    float distance;
} Start;

static void set_turns(GtiPersonFit* fit, GtHumanoidJoint left, int axis, float value)
{
    fit->state.values[gti_model_turn(&fit->model, left, axis)] = value;
    fit->state.values[gti_model_turn(&fit->model, gt_humanoid_mirror(left), axis)] = value;
}

static void set_start(GtiPersonFit* fit, int index)
{
    static const struct {
        float arm_rad, elbow_rad;
    } poses[ARM_STARTS] = { { 0.0f, -0.1f },  { -0.35f, -0.1f }, { -0.7f, -0.1f }, { -0.95f, -0.1f }, { -1.2f, -0.1f },
                            { -1.4f, -0.1f }, { 0.8f, -0.1f },   { -0.7f, -0.9f }, { -1.25f, -0.9f } };
    static const struct {
        float build;
        float scale; // of all but the head, which makes up for it
    } bodies[BODY_STARTS] = { { -0.2f, 1.0f }, { 0.8f, 1.0f }, { 0.2f, 0.88f }, { 0.2f, 0.72f } };
    float scale = bodies[index / ARM_STARTS].scale;
    for (int32_t p = 0; p < fit->model.param_count; ++p) {
        fit->state.values[p] = fit->model.params[p].mean;
    }
    set_turns(fit, GT_HUMANOID_LEFT_UPPER_ARM, 2, poses[index % ARM_STARTS].arm_rad);
    set_turns(fit, GT_HUMANOID_LEFT_LOWER_ARM, 1, poses[index % ARM_STARTS].elbow_rad);
    fit->state.values[fit->model.first_flesh + GTI_FLESH_BUILD] = bodies[index / ARM_STARTS].build;
    fit->state.values[GTI_PARAM_SCALE] = logf(scale);
    fit->state.values[fit->model.first_size + GTI_SIZE_HEAD] = logf((1.0f - CHIN * scale) / (scale - CHIN * scale));
}

static void keep(const GtiPersonFit* fit, float distance, Start* out)
{
    for (int32_t p = 0; p < fit->model.param_count; ++p) {
        out->values[p] = fit->state.values[p];
    }
    out->distance = distance;
}

static void take(GtiPersonFit* fit, const Start* start)
{
    for (int32_t p = 0; p < fit->model.param_count; ++p) {
        fit->state.values[p] = start->values[p];
    }
}

static void sort_starts(Start* starts, int count)
{
    for (int i = 1; i < count; ++i) {
        Start start = starts[i];
        int at = i;
        for (; at > 0 && starts[at - 1].distance > start.distance; --at) {
            starts[at] = starts[at - 1];
        }
        starts[at] = start;
    }
}

// Coarse steps from each of the starts; the best result stays.
static void fit_coarsely(GtiPersonFit* fit, Start* starts, int count)
{
    for (int i = 0; i < count; ++i) {
        GtiFitRound round = { .model_stride = 5, .target_count = 600, .slack = 0.04f, .prior = 1.0f, .damping = 1.0f };
        take(fit, &starts[i]);
        for (int k = 0; k < COARSE_STEPS; ++k) {
            round.sigma = 0.08f - 0.01f * (float)k;
            gti_person_fit_step(fit, &round);
        }
        keep(fit, gti_person_fit_distance(fit, &round, MOST_APART), &starts[i]);
    }
    sort_starts(starts, count);
    take(fit, &starts[0]);
}

void gti_person_fit_solve(GtiPersonFit* fit)
{
    const GtiFitRound glance = { .model_stride = 9, .target_count = 350 };
    Start starts[STARTS];
    for (int i = 0; i < STARTS; ++i) {
        set_start(fit, i);
        keep(fit, gti_person_fit_distance(fit, &glance, MOST_APART), &starts[i]);
    }
    sort_starts(starts, STARTS);
    fit_coarsely(fit, starts, KEPT);
    GtiFitRound middle = { .model_stride = 3, .target_count = 1200, .slack = 0.03f, .prior = 1.0f, .damping = 0.3f };
    for (int k = 0; k < MIDDLE_STEPS; ++k) {
        middle.sigma = 0.04f - 0.005f * (float)k;
        gti_person_fit_step(fit, &middle);
    }
    const GtiFitRound fine = { .model_stride = 1,
                               .target_count = fit->target.count,
                               .sigma = 0.025f,
                               .slack = 0.02f,
                               .prior = 1.0f,
                               .damping = 0.1f,
                               .hand_ends = true };
    for (int k = 0; k < FINE_STEPS; ++k) {
        gti_person_fit_step(fit, &fine);
    }
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From where the fit starts: arms raised, level, sloping or hanging, elbows bent, thin or stout, as tall as people are
// or with the large head of a drawn figure. All are compared as they are, the best few are fitted coarsely, the best of
// these finely.

#include "rig/fit/fit.h"

#include "base/scalar.h"

#include <math.h>

enum {
    ARM_STARTS = 9,
    BODY_STARTS = 4,
    STARTS = ARM_STARTS * BODY_STARTS,
    CROTCH_STARTS = 3,
    NECK_STARTS = 5,
    FIGURE_STARTS = ARM_STARTS * CROTCH_STARTS * NECK_STARTS,
    KEPT = 3,
    FIGURES_KEPT = 6,
    FIGURE_STEPS = 4, // more, since they start from farther away
    COARSE_STEPS = 5,
    MIDDLE_STEPS = 4,
    FINE_STEPS = 4,
};

#define CHIN 0.87f // of the height

#define PERSON_CROTCH 0.455f // heights of the built-in person
#define PERSON_NECK   0.86f
#define PERSON_GIRTH  0.14f // square root of the area of its trunk's slice
#define FIGURE_PRIOR  0.4f  // weight of what is likely of figures that are no persons
#define WIDER         2.0f  // spreads of sizes where proportions are not a person's, against a person's
#define FEET          0.3f  // of the legs' length, as a logarithm, what the height of feet has: short legs end in shoes
#define STOUT         0.4f  // of the trunk's girth, as a logarithm, what limbs have

// Proportions that sizes are spread around.
typedef struct Proportions {
    float crotch, neck, girth; // 0 where they are a person's
    float reach;               // half the width that the arms span, or 0
} Proportions;

typedef struct Start {
    float values[GTI_MODEL_MAX_PARAMS];
    Proportions proportions;
    float distance;
} Start;

static void set_turns(GtiPersonFit* fit, GtHumanoidJoint left, int axis, float value)
{
    fit->state.values[gti_model_turn(&fit->model, left, axis)] = value;
    fit->state.values[gti_model_turn(&fit->model, gt_humanoid_mirror(left), axis)] = value;
}

static const struct {
    float arm_rad, elbow_rad;
} poses[ARM_STARTS] = { { 0.0f, -0.1f },  { -0.35f, -0.1f }, { -0.7f, -0.1f }, { -0.95f, -0.1f }, { -1.2f, -0.1f },
                        { -1.4f, -0.1f }, { 0.8f, -0.1f },   { -0.7f, -0.9f }, { -1.25f, -0.9f } };

static void set_mean(GtiPersonFit* fit, int32_t param, float mean, float wider)
{
    GtiModelParam* p = &fit->model.params[param];
    p->mean = mean;
    p->sigma *= wider;
    p->low = mean - 4.0f * p->sigma;
    p->high = mean + 4.0f * p->sigma;
}

static void set_size(GtiPersonFit* fit, GtiSize size, float more)
{
    int32_t param = fit->model.first_size + (int32_t)size;
    set_mean(fit, param, fit->model.params[param].mean + more, WIDER);
}

// Spread the sizes around what a figure with such a crotch and neck would have.
static void expect(GtiPersonFit* fit, const Proportions* figure)
{
    gti_model_set_likely(&fit->model);
    if (figure->crotch <= 0.0f) {
        return;
    }
    const GtiSkeleton* person = &fit->model.person.skeleton;
    float hip = person->joints[GT_HUMANOID_LEFT_UPPER_LEG].y;
    float trunk = (figure->neck - figure->crotch) / (PERSON_NECK - PERSON_CROTCH);
    float legs = logf((figure->crotch + (hip - PERSON_CROTCH) * trunk) / hip / trunk);
    float head = logf((1.0f - figure->neck) / (1.0f - PERSON_NECK) / trunk);
    float stout = logf(gti_clampf(figure->girth / (PERSON_GIRTH * trunk), 0.7f, 2.5f));
    float arms = figure->reach > 0.0f ? logf(gti_clampf(figure->reach / trunk, 0.4f, 2.5f)) : 0.0f;
    static const GtiSize girths[] = { GTI_SIZE_HIPS_WIDTH,  GTI_SIZE_HIPS_DEPTH,  GTI_SIZE_WAIST_WIDTH,
                                      GTI_SIZE_WAIST_DEPTH, GTI_SIZE_CHEST_WIDTH, GTI_SIZE_CHEST_DEPTH };
    static const GtiSize lesser_girths[] = { GTI_SIZE_SHOULDERS,       GTI_SIZE_SHOULDER_GIRTH, GTI_SIZE_NECK_GIRTH,
                                             GTI_SIZE_UPPER_ARM_GIRTH, GTI_SIZE_FOREARM_GIRTH,  GTI_SIZE_HAND_WIDTH,
                                             GTI_SIZE_HAND_THICKNESS,  GTI_SIZE_HIP_JOINTS,     GTI_SIZE_THIGH_GIRTH,
                                             GTI_SIZE_SHANK_GIRTH,     GTI_SIZE_FOOT_WIDTH };
    set_mean(fit, GTI_PARAM_SCALE, logf(trunk), 1.0f);
    set_mean(fit, GTI_PARAM_PLACE + 1,
             figure->crotch + (person->joints[GT_HUMANOID_HIPS].y - PERSON_CROTCH) * trunk -
                 person->joints[GT_HUMANOID_HIPS].y * trunk,
             1.0f);
    set_size(fit, GTI_SIZE_THIGH, legs);
    set_size(fit, GTI_SIZE_SHANK, legs);
    set_size(fit, GTI_SIZE_FOOT_HEIGHT, FEET * legs);
    set_size(fit, GTI_SIZE_FOOT_LENGTH, 0.0f);
    set_size(fit, GTI_SIZE_HEAD, head);
    set_size(fit, GTI_SIZE_HEAD_HEIGHT, 0.0f);
    set_size(fit, GTI_SIZE_NECK_LENGTH, 0.0f);
    set_size(fit, GTI_SIZE_TORSO_LOW, 0.0f);
    set_size(fit, GTI_SIZE_TORSO_HIGH, 0.0f);
    set_size(fit, GTI_SIZE_UPPER_ARM, arms);
    set_size(fit, GTI_SIZE_FOREARM, arms);
    set_size(fit, GTI_SIZE_HAND, arms);
    for (size_t i = 0; i < sizeof girths / sizeof *girths; ++i) {
        set_size(fit, girths[i], stout);
    }
    for (size_t i = 0; i < sizeof lesser_girths / sizeof *lesser_girths; ++i) {
        set_size(fit, lesser_girths[i], STOUT * stout);
    }
}

static void set_start(GtiPersonFit* fit, int index)
{
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

// How much longer than a person's arms those are that reach as far to the side in a pose, or 0 where they hang.
static float arms_that_reach(const GtiPersonFit* fit, float reach, float trunk, float angle_rad)
{
    const GtiSkeleton* person = &fit->model.person.skeleton;
    float shoulder = person->joints[GT_HUMANOID_LEFT_UPPER_ARM].x;
    float length = person->tips[GT_HUMANOID_LEFT_MIDDLE_DISTAL].x - shoulder;
    float cosine = cosf(angle_rad);
    return cosine > 0.5f ? fmaxf(reach - shoulder * trunk, 0.1f) / (length * cosine) : 0.0f;
}

// A crotch and neck of those that are likely, and arms.
static Proportions figure_start(const GtiPersonFit* fit, const GtiLandmarks* marks, int index)
{
    static const float crotches[CROTCH_STARTS] = { 0.0f, 0.19f, 0.32f };
    static const float necks[NECK_STARTS] = { 0.0f, 0.38f, 0.51f, 0.64f, 0.77f }; // of what is above the crotch
    int arms = index % ARM_STARTS;
    int neck = index / ARM_STARTS % NECK_STARTS;
    int crotch = index / (ARM_STARTS * NECK_STARTS);
    Proportions out = { crotches[crotch], 0.0f, marks->girth, 0.0f };
    out.crotch = crotch == 0 ? marks->crotch : out.crotch;
    out.neck = neck == 0 ? marks->neck : out.crotch + necks[neck] * (1.0f - out.crotch);
    out.reach = arms_that_reach(fit, marks->reach, (out.neck - out.crotch) / (PERSON_NECK - PERSON_CROTCH),
                                poses[arms].arm_rad);
    return out;
}

static bool is_figure(const Proportions* figure)
{
    return figure->crotch > 0.05f && figure->neck > figure->crotch + 0.1f && figure->neck < 0.95f;
}

static void set_figure_start(GtiPersonFit* fit, const Proportions* figure, int index)
{
    expect(fit, figure);
    for (int32_t p = 0; p < fit->model.param_count; ++p) {
        fit->state.values[p] = fit->model.params[p].mean;
    }
    set_turns(fit, GT_HUMANOID_LEFT_UPPER_ARM, 2, poses[index % ARM_STARTS].arm_rad);
    set_turns(fit, GT_HUMANOID_LEFT_LOWER_ARM, 1, poses[index % ARM_STARTS].elbow_rad);
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
    expect(fit, &start->proportions);
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
        keep(fit, gti_person_fit_distance(fit, &round, GTI_FIT_MOST_APART), &starts[i]);
    }
    sort_starts(starts, count);
    take(fit, &starts[0]);
}

// Fit the best few of the starts coarsely, and the best of these finely.
static void fit_starts(GtiPersonFit* fit, Start* starts, int count, int kept, float prior, int more)
{
    sort_starts(starts, count);
    fit_coarsely(fit, starts, kept);
    GtiFitRound middle = { .model_stride = 3, .target_count = 1200, .slack = 0.03f, .prior = prior, .damping = 0.3f };
    for (int k = -more; k < MIDDLE_STEPS; ++k) {
        middle.sigma = 0.04f - 0.005f * (float)(k > 0 ? k : 0);
        gti_person_fit_step(fit, &middle);
    }
    const GtiFitRound fine = { .model_stride = 1,
                               .target_count = fit->target.count,
                               .sigma = 0.025f,
                               .slack = 0.02f,
                               .prior = prior,
                               .damping = 0.1f,
                               .hand_ends = true };
    for (int k = 0; k < FINE_STEPS + more; ++k) {
        gti_person_fit_step(fit, &fine);
    }
}

static const GtiFitRound glance = { .model_stride = 9, .target_count = 350 };

void gti_person_fit_solve(GtiPersonFit* fit)
{
    Start starts[STARTS] = { 0 };
    for (int i = 0; i < STARTS; ++i) {
        set_start(fit, i);
        keep(fit, gti_person_fit_distance(fit, &glance, GTI_FIT_MOST_APART), &starts[i]);
    }
    fit_starts(fit, starts, STARTS, KEPT, 1.0f, 0);
}

void gti_person_fit_solve_figure(GtiPersonFit* fit, const GtiLandmarks* marks)
{
    Start starts[FIGURE_STARTS];
    int count = 0;
    fit->crotch = marks->crotch;
    for (int i = 0; i < FIGURE_STARTS; ++i) {
        Proportions figure = figure_start(fit, marks, i);
        if (is_figure(&figure)) {
            set_figure_start(fit, &figure, i);
            starts[count].proportions = figure;
            keep(fit, gti_person_fit_distance(fit, &glance, GTI_FIT_MOST_APART), &starts[count++]);
        }
    }
    fit_starts(fit, starts, count, FIGURES_KEPT, FIGURE_PRIOR, FIGURE_STEPS);
}

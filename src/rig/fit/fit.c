// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Iterated closest points, both ways, with distances along the target's normals (Chen and Medioni 1991) and the numbers
// of the model as unknowns of damped Gauss-Newton steps. Pairs are nearest in place and normal; those far apart or
// facing different ways count less, after Geman and McClure, so that hair, clothes, holes and touching limbs do little.

#include "rig/fit/fit.h"

#include "runtime/ik/dense.h"

#include <string.h>

enum {
    TARGET_POINTS = 3000,
};

#define SPACING  0.018f // of the model's points, heights
#define NOISE    0.01f  // heights by which skins differ where the fit is good
#define SLIDING  0.3f   // what a wish along the surface counts, against one along the normal
#define HAND_END 0.01f  // what the end of a hand counts, against all points together
#define EVIDENCE 200.0f // independent observations that all points together are worth

#define HIP_OVER_CROTCH 0.055f // heights of the person
#define HIP_HEIGHT      0.01f  // what that counts, against all points together
#define HIP_SIGMA       0.06f  // heights beyond which it counts less: what was measured may be the hem of a skirt
#define HIP_ROUNDS      0.045f // distance between pairs from which on it counts

// Nothing says where a body is between front and back: the middles of the skins are put together.
static float depth_between(const GtiPersonPoints* person, const GtiFitTarget* target)
{
    double there = 0.0;
    double here = 0.0;
    for (int32_t i = 0; i < target->count; ++i) {
        there += (double)target->points[i].z;
    }
    for (int32_t i = 0; i < person->count; ++i) {
        here += (double)person->points[i].position.z;
    }
    return (float)(there / fmax((double)target->count, 1.0) - here / fmax((double)person->count, 1.0));
}

bool gti_person_fit_create(const GtiRigBody* body, const GtiSolid* solid, GtArena* arena, GtiPersonFit** out)
{
    GtiPersonFit* fit = gt_arena_push_array(arena, 1, sizeof *fit);
    *out = fit;
    if (!fit || !gti_person_model(SPACING, arena, &fit->model) ||
        !gti_target_sample(body, solid, TARGET_POINTS, arena, &fit->target)) {
        return false;
    }
    size_t points = (size_t)fit->model.person.count;
    size_t params = (size_t)fit->model.param_count;
    fit->rests = gt_arena_push_array(arena, points, sizeof *fit->rests);
    fit->places = gt_arena_push_array(arena, points, sizeof *fit->places);
    fit->normals = gt_arena_push_array(arena, points, sizeof *fit->normals);
    fit->matrix = gt_arena_push_array(arena, params * params, sizeof *fit->matrix);
    fit->factor = gt_arena_push_array(arena, params * params, sizeof *fit->factor);
    fit->right = gt_arena_push_array(arena, params, sizeof *fit->right);
    fit->model_hints = gt_arena_push_array(arena, points, sizeof *fit->model_hints);
    fit->target_hints = gt_arena_push_array(arena, TARGET_POINTS, sizeof *fit->target_hints);
    if (!fit->model_hints || !fit->target_hints || !fit->rests || !fit->places || !fit->normals || !fit->matrix ||
        !fit->factor || !fit->right || !gti_point_grid_create(fit->target.count, arena, &fit->target_grid) ||
        !gti_point_grid_create(fit->model.person.count, arena, &fit->model_grid)) {
        return false;
    }
    GtiModelParam* depth = &fit->model.params[GTI_PARAM_PLACE + 2];
    float between = depth_between(&fit->model.person, &fit->target);
    *depth = (GtiModelParam){ between, depth->sigma, between + depth->low, between + depth->high };
    fit->model.likely[GTI_PARAM_PLACE + 2] = *depth;
    for (int32_t p = 0; p < fit->model.param_count; ++p) {
        fit->state.values[p] = fit->model.params[p].mean;
    }
    return true;
}

// Every stride-th point of the model in the state, packed.
static int32_t place_points(GtiPersonFit* fit, int32_t stride)
{
    gti_model_pose(&fit->model, &fit->state);
    int32_t count = 0;
    for (int32_t i = 0; i < fit->model.person.count; i += stride, ++count) {
        const GtiPersonPoint* point = &fit->model.person.points[i];
        fit->rests[count] = gti_model_rest(&fit->model, &fit->state, i);
        fit->places[count] = gti_model_place(&fit->state, point, fit->rests[count]);
        fit->normals[count] = gti_model_normal(&fit->state, point);
    }
    return count;
}

static void gather(GtiPersonFit* fit, const GtiFitRound* round, int32_t* model_count, int32_t* target_count)
{
    *model_count = place_points(fit, round->model_stride);
    *target_count = round->target_count < fit->target.count ? round->target_count : fit->target.count;
    gti_point_grid_fill(&fit->model_grid, fit->places, fit->normals, *model_count);
    if (fit->target_grid.count != *target_count) {
        gti_point_grid_fill(&fit->target_grid, fit->target.points, fit->target.normals, *target_count);
    }
}

// A row of the Jacobian: how the place of a point along a direction changes with each number. Which ones do, in order,
// and how many.
static int32_t make_row(const GtiPersonFit* fit, const GtiPersonPoint* point, GtVec3 rest, GtVec3 n, int16_t* list,
                        float* row)
{
    bool listed[GTI_MODEL_MAX_PARAMS] = { false };
    float all[GTI_MODEL_MAX_PARAMS] = { 0.0f };
    GtVec3 out = { 0.0f, 0.0f, 0.0f };
    for (int k = 0; k < GTI_POINT_INFLUENCES; ++k) {
        float weight = point->weights[k];
        if (!(weight > 0.01f)) {
            continue;
        }
        int32_t bone = point->joints[k];
        GtVec3 d = gt_mat34_vector(&fit->state.body_from_rest[bone], point->normal);
        out = gt_vec3_add(out, gt_vec3_scale(d, weight));
        for (int32_t i = 0; i < fit->model.list_counts[bone]; ++i) {
            int16_t p = fit->model.lists[bone][i];
            listed[p] = true;
            all[p] += weight * gt_vec3_dot(gt_mat34_point(&fit->slopes.slopes[bone][p], rest), n);
        }
    }
    for (int f = 0; f < GTI_FLESH_COUNT; ++f) {
        listed[fit->model.first_flesh + f] = true;
        all[fit->model.first_flesh + f] = point->growth[f] * gt_vec3_dot(out, n);
    }
    int32_t count = 0;
    for (int16_t p = 0; p < fit->model.param_count; ++p) {
        if (listed[p]) {
            list[count] = p;
            row[count++] = all[p];
        }
    }
    return count;
}

// That a point moves by `away` along a direction.
static void add_wish(GtiPersonFit* fit, const GtiPersonPoint* point, GtVec3 rest, GtVec3 direction, float away,
                     float weight)
{
    int16_t list[GTI_MODEL_MAX_PARAMS];
    float row[GTI_MODEL_MAX_PARAMS];
    int32_t count = make_row(fit, point, rest, direction, list, row);
    for (int32_t i = 0; i < count; ++i) {
        double scaled = (double)(weight * row[i]);
        fit->right[list[i]] += scaled * (double)away;
        double* line = &fit->matrix[(size_t)list[i] * (size_t)fit->model.param_count];
        for (int32_t k = 0; k <= i; ++k) { // the lower half
            line[list[k]] += scaled * (double)row[k];
        }
    }
}

// Along the normal all the way, and along the surface where that is farther than points are apart: ends of limbs have
// hardly any normals that would lead them to their tips.
static void add_pair(GtiPersonFit* fit, const GtiFitRound* round, int32_t packed, int32_t q, float weight)
{
    const GtiPersonPoint* point = &fit->model.person.points[packed * round->model_stride];
    GtVec3 normal = fit->target.normals[q];
    GtVec3 d = gt_vec3_sub(fit->target.points[q], fit->places[packed]);
    float out = gt_vec3_dot(d, normal);
    weight *= fit->model.importance[point->joints[0]];
    if (!(weight > 0.0f)) {
        return;
    }
    add_wish(fit, point, fit->rests[packed], normal, out, weight);
    GtVec3 along = gt_vec3_sub(d, gt_vec3_scale(normal, out));
    float length = gt_vec3_length(along);
    if (length > round->slack) {
        add_wish(fit, point, fit->rests[packed], gt_vec3_scale(along, 1.0f / length), length - round->slack,
                 SLIDING * weight);
    }
}

// How much a pair counts: less where it is far apart, nothing where it faces different ways.
static float pair_weight(const GtiPersonFit* fit, int32_t packed, int32_t q, float sigma)
{
    GtVec3 d = gt_vec3_sub(fit->target.points[q], fit->places[packed]);
    float facing = fmaxf(gt_vec3_dot(fit->normals[packed], fit->target.normals[q]), 0.0f);
    float far = 1.0f + gt_vec3_dot(d, d) / (sigma * sigma);
    return facing / (far * far);
}

static void add_pairs(GtiPersonFit* fit, const GtiFitRound* round, int32_t model_count, int32_t target_count)
{
    float reach = 3.0f * round->sigma;
    float unit = 0.5f * EVIDENCE / (NOISE * NOISE);
    for (int32_t i = 0; i < model_count; ++i) {
        int32_t q = gti_point_grid_nearest(&fit->target_grid, fit->places[i], fit->normals[i], GTI_FIT_TURN, reach,
                                           fit->model_hints[i]);
        if (q != GT_NONE) {
            fit->model_hints[i] = q;
            add_pair(fit, round, i, q, pair_weight(fit, i, q, round->sigma) * unit / (float)model_count);
        }
    }
    for (int32_t q = 0; q < target_count; ++q) {
        int32_t i = gti_point_grid_nearest(&fit->model_grid, fit->target.points[q], fit->target.normals[q],
                                           GTI_FIT_TURN, reach, fit->target_hints[q]);
        if (i != GT_NONE) {
            fit->target_hints[q] = i;
            add_pair(fit, round, i, q, pair_weight(fit, i, q, round->sigma) * unit / (float)target_count);
        }
    }
}

static bool is_of_hand(const GtiPersonFit* fit, int32_t packed, int32_t stride, int32_t hand)
{
    return gti_model_is_of(&fit->model, hand, fit->model.person.points[packed * stride].joints[0]);
}

// That a hand ends where the body's does: of the points that pairs have given to it, and of its own, the farthest.
static void add_hand_end(GtiPersonFit* fit, const GtiFitRound* round, GtHumanoidJoint joint, int32_t model_count,
                         int32_t target_count)
{
    int32_t hand = gti_model_bone(joint);
    GtVec3 side = gt_vec3(joint == GT_HUMANOID_LEFT_HAND ? 1.0f : -1.0f, 0.0f, 0.0f);
    GtVec3 along = gt_quat_rotate(fit->state.turns[hand], side);
    float ends[2] = { -INFINITY, -INFINITY };
    int32_t last = GT_NONE;
    for (int32_t i = 0; i < model_count; ++i) {
        float at = gt_vec3_dot(fit->places[i], along);
        if (at > ends[0] && is_of_hand(fit, i, round->model_stride, hand)) {
            ends[0] = at;
            last = i;
        }
    }
    for (int32_t q = 0; q < target_count; ++q) {
        float at = gt_vec3_dot(fit->target.points[q], along);
        int32_t i = fit->target_hints[q];
        if (at > ends[1] && i < model_count && is_of_hand(fit, i, round->model_stride, hand) &&
            pair_weight(fit, i, q, round->sigma) > 0.1f) {
            ends[1] = at;
        }
    }
    if (last != GT_NONE && ends[1] > -INFINITY) {
        add_wish(fit, &fit->model.person.points[last * round->model_stride], fit->rests[last], along, ends[1] - ends[0],
                 HAND_END * EVIDENCE / (NOISE * NOISE));
    }
}

// That the hips are as high above the place where the legs part as people's are.
static void add_hip_height(GtiPersonFit* fit)
{
    const GtiPersonModel* model = &fit->model;
    int32_t bone = gti_model_bone(GT_HUMANOID_HIPS);
    GtiPersonPoint point = { .joints = { (uint16_t)bone }, .weights = { 1.0f } };
    GtVec3 rest = model->person.skeleton.joints[GT_HUMANOID_LEFT_UPPER_LEG];
    rest.x = 0.0f;
    float scale = expf(fit->state.values[GTI_PARAM_SCALE]);
    float wanted = fit->crotch + HIP_OVER_CROTCH * scale;
    float away = wanted - gt_mat34_point(&fit->state.body_from_rest[bone], rest).y;
    float far = 1.0f + away * away / (HIP_SIGMA * HIP_SIGMA);
    add_wish(fit, &point, rest, gt_vec3(0.0f, 1.0f, 0.0f), away, HIP_HEIGHT * EVIDENCE / (NOISE * NOISE) / (far * far));
}

// That two numbers go together.
static void add_tie(GtiPersonFit* fit, const GtiModelTie* tie, float prior)
{
    size_t params = (size_t)fit->model.param_count;
    size_t a = (size_t)tie->a;
    size_t b = (size_t)tie->b;
    double likely = (double)prior / ((double)tie->sigma * (double)tie->sigma);
    double away = (double)(fit->state.values[a] - fit->model.params[a].mean) -
                  (double)(fit->state.values[b] - fit->model.params[b].mean);
    fit->matrix[a * params + a] += likely;
    fit->matrix[b * params + b] += likely;
    fit->matrix[(a > b ? a : b) * params + (a > b ? b : a)] -= likely;
    fit->right[a] -= likely * away;
    fit->right[b] += likely * away;
}

void gti_person_fit_step(GtiPersonFit* fit, const GtiFitRound* round)
{
    const GtiPersonModel* model = &fit->model;
    size_t params = (size_t)model->param_count;
    int32_t model_count;
    int32_t target_count;
    gather(fit, round, &model_count, &target_count);
    gti_model_slopes(model, &fit->state, &fit->slopes);
    memset(fit->matrix, 0, params * params * sizeof *fit->matrix);
    memset(fit->right, 0, params * sizeof *fit->right);
    add_pairs(fit, round, model_count, target_count);
    if (round->hand_ends) {
        add_hand_end(fit, round, GT_HUMANOID_LEFT_HAND, model_count, target_count);
        add_hand_end(fit, round, GT_HUMANOID_RIGHT_HAND, model_count, target_count);
    }
    if (fit->crotch > 0.0f && round->sigma < HIP_ROUNDS) {
        add_hip_height(fit);
    }
    for (size_t p = 0; p < params; ++p) {
        double likely = 1.0 / ((double)model->params[p].sigma * (double)model->params[p].sigma);
        double away = (double)(model->params[p].mean - fit->state.values[p]);
        fit->matrix[p * params + p] += likely * (double)(round->prior + round->damping);
        fit->right[p] += likely * (double)round->prior * away;
    }
    for (int32_t i = 0; i < model->tie_count; ++i) {
        add_tie(fit, &model->ties[i], round->prior);
    }
    gti_dense_cholesky(fit->matrix, model->param_count, 1e-6, fit->factor);
    gti_dense_solve(fit->factor, model->param_count, fit->right);
    for (size_t p = 0; p < params; ++p) {
        float value = fit->state.values[p] + (float)fit->right[p];
        fit->state.values[p] = fminf(fmaxf(value, model->params[p].low), model->params[p].high);
    }
}

float gti_fit_square_to(const GtiPointGrid* grid, GtVec3 p, GtVec3 n, float most)
{
    int32_t i = gti_point_grid_nearest(grid, p, n, GTI_FIT_TURN, most, 0);
    return i == GT_NONE ? most * most
                        : fminf(gti_fit_square_between(p, n, grid->points[i], grid->normals[i]), most * most);
}

float gti_person_fit_distance(GtiPersonFit* fit, const GtiFitRound* round, float most)
{
    int32_t model_count;
    int32_t target_count;
    gather(fit, round, &model_count, &target_count);
    float there = 0.0f;
    float back = 0.0f;
    for (int32_t i = 0; i < model_count; ++i) {
        there += gti_fit_square_to(&fit->target_grid, fit->places[i], fit->normals[i], most);
    }
    for (int32_t q = 0; q < target_count; ++q) {
        back += gti_fit_square_to(&fit->model_grid, fit->target.points[q], fit->target.normals[q], most);
    }
    return sqrtf(0.5f * there / fmaxf((float)model_count, 1.0f) + 0.5f * back / fmaxf((float)target_count, 1.0f));
}

static bool is_covered(const GtiPointGrid* grid, GtVec3 p, GtVec3 n, float reach)
{
    int32_t i = gti_point_grid_nearest(grid, p, n, GTI_FIT_TURN, reach, 0);
    return i != GT_NONE && gt_vec3_dot(grid->normals[i], n) > 0.6f;
}

enum {
    HEAD,
    TRUNK,
    LEFT_LEG,
    RIGHT_LEG,
    LEFT_ARM,
    RIGHT_ARM,
    PART_COUNT,
};

// The part of the figure that each bone moves.
static void list_parts(const GtiPersonModel* model, int32_t parts[GTI_MODEL_BONES])
{
    for (int32_t b = 0; b < GTI_MODEL_BONES; ++b) {
        parts[b] = b == 0 ? TRUNK : parts[model->parents[b]]; // parents come first
        parts[b] = b == gti_model_bone(GT_HUMANOID_NECK)              ? HEAD
                   : b == gti_model_bone(GT_HUMANOID_LEFT_UPPER_LEG)  ? LEFT_LEG
                   : b == gti_model_bone(GT_HUMANOID_RIGHT_UPPER_LEG) ? RIGHT_LEG
                   : b == gti_model_bone(GT_HUMANOID_LEFT_UPPER_ARM)  ? LEFT_ARM
                   : b == gti_model_bone(GT_HUMANOID_RIGHT_UPPER_ARM) ? RIGHT_ARM
                                                                      : parts[b];
    }
}

void gti_person_fit_cover(GtiPersonFit* fit, float reach, GtiPersonCover* out)
{
    const GtiFitRound all = { .model_stride = 1, .target_count = fit->target.count };
    int32_t model_count;
    int32_t target_count;
    int32_t there = 0;
    int32_t back = 0;
    int32_t points[PART_COUNT] = { 0 };
    int32_t covered[PART_COUNT] = { 0 };
    int32_t parts[GTI_MODEL_BONES];
    list_parts(&fit->model, parts);
    gather(fit, &all, &model_count, &target_count);
    for (int32_t i = 0; i < model_count; ++i) {
        bool is = is_covered(&fit->target_grid, fit->places[i], fit->normals[i], reach);
        int32_t part = parts[fit->model.person.points[i].joints[0]];
        there += is;
        ++points[part];
        covered[part] += is;
    }
    for (int32_t q = 0; q < target_count; ++q) {
        back += is_covered(&fit->model_grid, fit->target.points[q], fit->target.normals[q], reach);
    }
    out->person = (float)there / fmaxf((float)model_count, 1.0f);
    out->body = (float)back / fmaxf((float)target_count, 1.0f);
    out->trunk = (float)(covered[HEAD] + covered[TRUNK]) / fmaxf((float)(points[HEAD] + points[TRUNK]), 1.0f);
    out->least_part = 1.0f;
    for (int32_t part = TRUNK; part < PART_COUNT; ++part) {
        out->least_part = fminf(out->least_part, (float)covered[part] / fmaxf((float)points[part], 1.0f));
    }
}

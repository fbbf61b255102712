// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A ring of the person's skin around a joint is moved by t and widened by s times the way r from the joint, so that
// n (t + s r) = n d for every point of it, with d the way to the nearest point of the body and n the normal there: four
// unknowns, least squares, with a pull to zero that keeps what the ring does not tell.

#include "rig/person_ring.h"

#include "runtime/ik_dense.h"

#define HALF_WIDTH 0.030f // of a ring along the limb, heights
#define REACH      0.040f // to the body, heights
#define LEAST      12     // points that make a ring

enum {
    UNKNOWNS = 4
};

static bool is_of_limb(GtHumanoidJoint joint)
{
    return (joint >= GT_HUMANOID_LEFT_LOWER_LEG && joint <= GT_HUMANOID_LEFT_FOOT) ||
           (joint >= GT_HUMANOID_RIGHT_LOWER_LEG && joint <= GT_HUMANOID_RIGHT_FOOT) ||
           joint == GT_HUMANOID_LEFT_LOWER_ARM || joint == GT_HUMANOID_RIGHT_LOWER_ARM ||
           joint == GT_HUMANOID_LEFT_HAND || joint == GT_HUMANOID_RIGHT_HAND;
}

static float weight_of(const GtiPersonPoint* point, int32_t a, int32_t b)
{
    float sum = 0.0f;
    for (int k = 0; k < GTI_POINT_INFLUENCES; ++k) {
        sum += point->joints[k] == a || point->joints[k] == b ? point->weights[k] : 0.0f;
    }
    return sum;
}

GtVec3 gti_person_ring_shift(const GtiPersonFit* fit, GtHumanoidJoint joint)
{
    GtVec3 none = { 0.0f, 0.0f, 0.0f };
    if (!is_of_limb(joint)) {
        return none;
    }
    int32_t bone = gti_model_bone(joint);
    int32_t parent = fit->model.parents[bone];
    GtVec3 place = fit->state.places[bone];
    GtVec3 axis = gt_vec3_normalize_or(gt_vec3_sub(place, fit->state.places[parent]), none);
    double matrix[UNKNOWNS * UNKNOWNS] = { 0.0 };
    double factor[UNKNOWNS * UNKNOWNS];
    double right[UNKNOWNS] = { 0.0 };
    int count = 0;
    for (int32_t i = 0; i < fit->model.person.count; ++i) {
        GtVec3 out = gt_vec3_sub(fit->places[i], place);
        if (fabsf(gt_vec3_dot(out, axis)) > HALF_WIDTH || gt_vec3_dot(out, out) > 0.02f ||
            weight_of(&fit->model.person.points[i], bone, parent) < 0.6f) {
            continue;
        }
        int32_t q = gti_point_grid_nearest(&fit->target_grid, fit->places[i], fit->normals[i], 0.04f, REACH,
                                           fit->model_hints[i]);
        if (q == GT_NONE || gt_vec3_dot(fit->normals[i], fit->target.normals[q]) < 0.6f) {
            continue;
        }
        GtVec3 n = fit->target.normals[q];
        float away = gt_vec3_dot(gt_vec3_sub(fit->target.points[q], fit->places[i]), n);
        const double row[UNKNOWNS] = { (double)n.x, (double)n.y, (double)n.z, (double)gt_vec3_dot(out, n) };
        for (int r = 0; r < UNKNOWNS; ++r) {
            right[r] += row[r] * (double)away;
            for (int c = 0; c < UNKNOWNS; ++c) {
                matrix[r * UNKNOWNS + c] += row[r] * row[c];
            }
        }
        ++count;
    }
    if (count < LEAST) {
        return none;
    }
    gti_dense_cholesky(matrix, UNKNOWNS, 0.1 * count, factor);
    gti_dense_solve(factor, UNKNOWNS, right);
    GtVec3 shift = gt_vec3((float)right[0], (float)right[1], (float)right[2]);
    return gt_vec3_sub(shift, gt_vec3_scale(axis, gt_vec3_dot(axis, shift)));
}

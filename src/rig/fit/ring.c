// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A ring of the person's skin around a joint is moved by t and widened by s times the way r from the joint, so that
// n (t + s r) = n d for every point of it, with d the way to the nearest point of the body and n the normal there: four
// unknowns, least squares, with a pull to zero that keeps what the ring does not tell.

#include "rig/fit/ring.h"

#include "runtime/ik/dense.h"

#define HALF_WIDTH 0.03f // of a ring along the limb, heights
#define FARTHEST   0.14f // from the joint, heights
#define REACH      0.04f // to the body, and what a difference of normals counts, heights
#define PULL       0.1   // to zero, against what a point tells
#define LEAST      12    // points that make a ring

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

// Normal equations of a ring.
typedef struct Ring {
    int32_t bone, parent;
    GtVec3 place, axis;
    double matrix[UNKNOWNS * UNKNOWNS];
    double right[UNKNOWNS];
    int32_t count;
} Ring;

static void add_point(const GtiPersonFit* fit, int32_t i, Ring* ring)
{
    GtVec3 out = gt_vec3_sub(fit->places[i], ring->place);
    if (fabsf(gt_vec3_dot(out, ring->axis)) > HALF_WIDTH || gt_vec3_length(out) > FARTHEST ||
        weight_of(&fit->model.person.points[i], ring->bone, ring->parent) < 0.6f) {
        return;
    }
    int32_t q =
        gti_point_grid_nearest(&fit->target_grid, fit->places[i], fit->normals[i], REACH, REACH, fit->model_hints[i]);
    if (q == GT_NONE || gt_vec3_dot(fit->normals[i], fit->target.normals[q]) < 0.6f) {
        return;
    }
    GtVec3 n = fit->target.normals[q];
    double away = (double)gt_vec3_dot(gt_vec3_sub(fit->target.points[q], fit->places[i]), n);
    const double row[UNKNOWNS] = { (double)n.x, (double)n.y, (double)n.z, (double)gt_vec3_dot(out, n) };
    for (int r = 0; r < UNKNOWNS; ++r) {
        ring->right[r] += row[r] * away;
        for (int c = 0; c < UNKNOWNS; ++c) {
            ring->matrix[r * UNKNOWNS + c] += row[r] * row[c];
        }
    }
    ++ring->count;
}

GtVec3 gti_person_ring_shift(const GtiPersonFit* fit, GtHumanoidJoint joint)
{
    GtVec3 none = { 0.0f, 0.0f, 0.0f };
    if (!is_of_limb(joint)) {
        return none;
    }
    Ring ring = { .bone = gti_model_bone(joint) };
    ring.parent = fit->model.parents[ring.bone];
    ring.place = fit->state.places[ring.bone];
    ring.axis = gt_vec3_normalize_or(gt_vec3_sub(ring.place, fit->state.places[ring.parent]), none);
    for (int32_t i = 0; i < fit->model.person.count; ++i) {
        add_point(fit, i, &ring);
    }
    if (ring.count < LEAST) {
        return none;
    }
    double factor[UNKNOWNS * UNKNOWNS];
    gti_dense_cholesky(ring.matrix, UNKNOWNS, PULL * ring.count, factor);
    gti_dense_solve(factor, UNKNOWNS, ring.right);
    GtVec3 shift = gt_vec3((float)ring.right[0], (float)ring.right[1], (float)ring.right[2]);
    return gt_vec3_sub(shift, gt_vec3_scale(ring.axis, gt_vec3_dot(ring.axis, shift)));
}

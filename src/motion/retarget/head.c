// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A plane n.x = d mirrors a cloud of points where the image of each point lies among the points. How much of the cloud
// its image covers is measured by a kernel of compact support over all pairs, against what the cloud covers of itself.
// To improve a plane, every image p is paired with the mean q of the points around it, weighted by the kernel. The sum
// of |image(p) - q|^2 is that of |p - q|^2 + 4 (n.p - d)(n.q - d), so that the best plane for these pairs passes
// through the mean of all p and q, and n is the eigenvector of the least eigenvalue of the symmetric part of the sum of
// p q^T about it. The kernel shrinks from round to round. Hair to one side has no partner and does not pull.

#include "motion/retarget/head.h"

#include "base/scalar.h"
#include "base/symmetric.h"
#include "map/cloud.h"

#include <math.h>

enum {
    MOST_POINTS = 400,
    COARSE_POINTS = 150,
    LEAST_POINTS = 60,
    COARSE_ROUNDS = 6,
    FINE_ROUNDS = 10,
    TURN_STARTS = 3,
    TILT_STARTS = 3,
    OFFSETS = 4, // of the body's plane, to either side
};

static const float START_TURN_RAD = 0.6f; // between starts
static const float START_TILT_RAD = 0.4f;
static const float COARSE_REACH = 0.9f; // of the head's radius: of the kernel in the first round
static const float MIDDLE_REACH = 0.5f; // where coarse rounds end and fine ones begin
static const float FINE_REACH = 0.2f;   // in the last round
static const float COVER_REACH = 0.3f;  // where it is measured how much a plane mirrors
static const float OFFSET = 0.03f;      // of the radius, between planes of the body
static const float MIRRORS = 0.75f;     // cover from which on a plane mirrors the head
static const float PLAIN = 0.6f;        // cover from which on a head that looks ahead at first is not looked at again
static const float PLAIN_RAD = 0.04f;   // angle up to which it does
static const float BETTER = 0.2f;       // by which it must cover more than the body's plane,
static const float NEARER = 0.4f;       // unless it lacks less than this share of what that one lacks: small angles
static const float LEAST_RAD = 0.07f;   // 4 degrees: below that, heads are made so
static const float MOST_RAD = 1.2f;     // of a neck, both angles together

typedef struct Plane {
    GtVec3 normal;
    float offset;
} Plane;

typedef struct HeadCloud {
    GtiCloud cloud;
    GtVec3 points[MOST_POINTS];
    int32_t count;
    int64_t seen, step; // every step-th vertex that is seen is taken, or none
    GtVec3 middle;
    float radius; // root of the mean square distance from the middle
} HeadCloud;

static void visit(void* user, GtVec3 p)
{
    HeadCloud* h = user;
    if (h->step > 0 && h->seen % h->step == 0 && h->count < MOST_POINTS) {
        h->points[h->count++] = p;
    }
    ++h->seen;
}

static void gather(HeadCloud* h)
{
    gti_cloud_show(&h->cloud, visit, h);
    h->step = (h->seen + MOST_POINTS - 1) / MOST_POINTS;
    h->seen = 0;
    gti_cloud_show(&h->cloud, visit, h);
    GtVec3 sum = gt_vec3(0.0f, 0.0f, 0.0f);
    double square = 0.0;
    for (int32_t i = 0; i < h->count; ++i) {
        sum = gt_vec3_add(sum, h->points[i]);
    }
    h->middle = gt_vec3_scale(sum, h->count ? 1.0f / (float)h->count : 0.0f);
    for (int32_t i = 0; i < h->count; ++i) {
        GtVec3 d = gt_vec3_sub(h->points[i], h->middle);
        square += (double)gt_vec3_dot(d, d);
    }
    h->radius = h->count ? (float)sqrt(square / h->count) : 0.0f;
}

static GtVec3 image_of(const Plane* plane, GtVec3 p)
{
    float over = gt_vec3_dot(plane->normal, p) - plane->offset;
    return gt_vec3_sub(p, gt_vec3_scale(plane->normal, 2.0f * over));
}

static float kernel(GtVec3 p, GtVec3 q, float reach)
{
    GtVec3 d = gt_vec3_sub(p, q);
    float inside = fmaxf(1.0f - gt_vec3_dot(d, d) / (reach * reach), 0.0f);
    return inside * inside;
}

static int32_t step_for(const HeadCloud* h, int32_t most)
{
    return (h->count + most - 1) / most;
}

// The best plane for the pairs that a plane makes.
static Plane improve(const HeadCloud* h, const Plane* plane, float reach, int32_t step)
{
    double weights = 0.0, means[3] = { 0.0 }, sums[3][3] = { { 0.0 } }, axes[3][3];
    for (int32_t i = 0; i < h->count; i += step) {
        GtVec3 p = h->points[i], image = image_of(plane, p), sum = gt_vec3(0.0f, 0.0f, 0.0f);
        float weight = 0.0f;
        for (int32_t k = 0; k < h->count; k += step) {
            float w = kernel(image, h->points[k], reach);
            weight += w;
            sum = gt_vec3_add(sum, gt_vec3_scale(h->points[k], w));
        }
        if (!(weight > 0.0f)) {
            continue;
        }
        GtVec3 q = gt_vec3_scale(sum, 1.0f / weight);
        const double a[3] = { (double)p.x, (double)p.y, (double)p.z };
        const double b[3] = { (double)q.x, (double)q.y, (double)q.z };
        weights += (double)weight;
        for (int r = 0; r < 3; ++r) {
            means[r] += 0.5 * (double)weight * (a[r] + b[r]);
            for (int c = 0; c < 3; ++c) {
                sums[r][c] += 0.5 * (double)weight * (a[r] * b[c] + b[r] * a[c]);
            }
        }
    }
    if (!(weights > 0.0)) {
        return *plane;
    }
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            sums[r][c] = sums[r][c] / weights - means[r] * means[c] / (weights * weights);
        }
    }
    gti_symmetric_axes(sums, axes);
    int least = sums[1][1] < sums[0][0] ? 1 : 0;
    least = sums[2][2] < sums[least][least] ? 2 : least;
    GtVec3 normal = gt_vec3((float)axes[0][least], (float)axes[1][least], (float)axes[2][least]);
    GtVec3 mean = gt_vec3((float)(means[0] / weights), (float)(means[1] / weights), (float)(means[2] / weights));
    normal = normal.x < 0.0f ? gt_vec3_scale(normal, -1.0f) : normal;
    return (Plane){ normal, gt_vec3_dot(normal, mean) };
}

// How much of the head its image in a plane covers, or without a plane the head itself.
static double overlap(const HeadCloud* h, const Plane* plane, int32_t step)
{
    float reach = COVER_REACH * h->radius;
    double sum = 0.0;
    for (int32_t i = 0; i < h->count; i += step) {
        GtVec3 p = plane ? image_of(plane, h->points[i]) : h->points[i];
        for (int32_t k = 0; k < h->count; k += step) {
            sum += (double)kernel(p, h->points[k], reach);
        }
    }
    return sum;
}

static GtVec3 left_of(float turn_rad, float tilt_rad)
{
    GtVec3 left = gt_vec3(cosf(tilt_rad), -sinf(tilt_rad), 0.0f);
    return gt_quat_rotate(gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), turn_rad), left);
}

static Plane through(const HeadCloud* h, GtVec3 normal)
{
    return (Plane){ normal, gt_vec3_dot(normal, h->middle) };
}

static Plane refine(const HeadCloud* h, Plane plane, float from, float to, int rounds, int32_t step)
{
    for (int k = 0; k < rounds; ++k) {
        float along = (float)(k + 1) / (float)rounds;
        plane = improve(h, &plane, h->radius * (from + along * (to - from)), step);
    }
    return plane;
}

// Of planes square to the body's left, the overlap of the best one.
static double overlap_of_body(const HeadCloud* h)
{
    double best = 0.0;
    for (int k = -OFFSETS; k <= OFFSETS; ++k) {
        Plane plane = through(h, gt_vec3(1.0f, 0.0f, 0.0f));
        plane.offset += OFFSET * (float)k * h->radius;
        best = fmax(best, overlap(h, &plane, 1));
    }
    return best;
}

static float angle_of(const Plane* plane)
{
    return acosf(gti_clampf(plane->normal.x, -1.0f, 1.0f));
}

static Plane refine_coarsely(const HeadCloud* h, float turn_rad, float tilt_rad)
{
    Plane start = through(h, left_of(turn_rad, tilt_rad));
    return refine(h, start, COARSE_REACH, MIDDLE_REACH, COARSE_ROUNDS, step_for(h, COARSE_POINTS));
}

// Most heads look ahead, which the first few steps show.
static bool looks_ahead(const HeadCloud* h)
{
    int32_t step = step_for(h, COARSE_POINTS);
    Plane plane = refine_coarsely(h, 0.0f, 0.0f);
    return angle_of(&plane) < PLAIN_RAD && overlap(h, &plane, step) > (double)PLAIN * overlap(h, NULL, step);
}

static Plane find_plane(const HeadCloud* h)
{
    int32_t step = step_for(h, COARSE_POINTS);
    Plane best = { { 1.0f, 0.0f, 0.0f }, 0.0f };
    double most = -1.0;
    for (int k = 0; k < TURN_STARTS * TILT_STARTS; ++k) {
        float turn = START_TURN_RAD * (float)(k % TURN_STARTS - TURN_STARTS / 2);
        float tilt = START_TILT_RAD * (float)(k / TURN_STARTS - TILT_STARTS / 2);
        Plane plane = refine_coarsely(h, turn, tilt);
        double cover = overlap(h, &plane, step);
        if (cover > most) {
            most = cover;
            best = plane;
        }
    }
    return refine(h, best, MIDDLE_REACH, FINE_REACH, FINE_ROUNDS, 1);
}

static void look(const HeadCloud* h, GtiHeadHold* out)
{
    if (looks_ahead(h)) {
        return;
    }
    Plane plane = find_plane(h);
    float angle = angle_of(&plane);
    double all = overlap(h, NULL, 1);
    double cover = overlap(h, &plane, 1) / all;
    double of_body = overlap_of_body(h) / all;
    bool is_better = cover - of_body >= (double)BETTER || 1.0 - cover <= (double)NEARER * (1.0 - of_body);
    if (angle >= LEAST_RAD && angle <= MOST_RAD && cover >= (double)MIRRORS && is_better) {
        out->turn_rad = atan2f(-plane.normal.z, plane.normal.x);
        out->tilt_rad = asinf(gti_clampf(-plane.normal.y, -1.0f, 1.0f));
        out->upright = gt_quat_between(plane.normal, gt_vec3(1.0f, 0.0f, 0.0f));
    }
}

void gti_head_find(const GtScene* scene, const GtCharacter* character, const GtMat34* model_from_node_at_rest,
                   const GtiPosture* rest, const GtiPosture* posture, const int32_t* joints,
                   GtQuat canonical_from_model, bool* marks, GtiHeadHold* out)
{
    *out = (GtiHeadHold){ .upright = gt_quat_identity() };
    int32_t head = joints[GT_HUMANOID_HEAD];
    if (head == GT_NONE || scene->mesh_count == 0) {
        return;
    }
    gti_cloud_mark_below(gt_character_def(character), head, marks);
    GtQuat posed = gt_quat_mul(posture->rotations[head], gt_quat_conjugate(rest->rotations[head]));
    HeadCloud h = { .cloud = { .scene = scene,
                               .character = character,
                               .model_from_node = model_from_node_at_rest,
                               .marks = marks,
                               .origin = rest->places[head],
                               .shown_from_model = gt_quat_mul(canonical_from_model, posed) },
                    .step = 0 };
    gather(&h);
    if (h.count >= LEAST_POINTS && h.radius > 0.0f) {
        look(&h, out);
    }
}

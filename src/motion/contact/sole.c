// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The sole is the line from the lowest vertex under the heel to the lowest under the ball: with raised heels that is
// what touches the floor. Vertices are looked at several times, so that nothing is allocated.

#include "motion/contact/sole.h"

#include "base/bounds.h"
#include "map/cloud.h"

#include <math.h>

static const float MAX_PITCH_RAD = 0.9f;

// Vertices in axes that lie in the floor along and across the foot, measured from the ankle.
typedef struct FootCloud {
    GtiCloud cloud;
    double count;
    GtBounds bounds;
    GtVec3 sum;
    float heel_y, heel_z, ball_y, ball_z;
    float pitch_cos, pitch_sin;
    float lowest_y; // once it is pitched
} FootCloud;

static void show_all(FootCloud* c, void (*visit)(void* user, GtVec3 p))
{
    gti_cloud_show(&c->cloud, visit, c);
}

static void visit_extent(void* user, GtVec3 p)
{
    FootCloud* c = user;
    gti_bounds_add(&c->bounds, p);
    c->sum = gt_vec3_add(c->sum, p);
    c->count += 1.0;
}

static void visit_ends(void* user, GtVec3 p)
{
    FootCloud* c = user;
    float along = (p.z - c->bounds.low.z) / (c->bounds.high.z - c->bounds.low.z);
    if (along < 0.35f && p.y < c->heel_y) {
        c->heel_y = p.y;
        c->heel_z = p.z;
    }
    if (along > 0.55f && p.y < c->ball_y) {
        c->ball_y = p.y;
        c->ball_z = p.z;
    }
}

static void visit_depth(void* user, GtVec3 p)
{
    FootCloud* c = user;
    c->lowest_y = fminf(c->lowest_y, c->pitch_cos * p.y + c->pitch_sin * p.z);
}

static void turn_cloud(FootCloud* c, float yaw_rad)
{
    GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), -yaw_rad);
    c->cloud.shown_from_model = gt_quat_mul(turn, c->cloud.shown_from_model);
}

static void forget_extent(FootCloud* c)
{
    c->bounds = gti_bounds_empty();
    c->sum = gt_vec3(0.0f, 0.0f, 0.0f);
    c->count = 0.0;
}

void gti_sole_find(const GtScene* scene, const GtCharacter* character, const GtMat34* model_from_node_at_rest,
                   const GtiPosture* rest, const GtiPosture* posture, const int32_t* joints,
                   GtQuat canonical_from_model, int side, bool* scratch, GtiFigureSole* out)
{
    *out = (GtiFigureSole){ 0 };
    int32_t ankle = joints[side == 0 ? GT_HUMANOID_LEFT_FOOT : GT_HUMANOID_RIGHT_FOOT];
    if (ankle == GT_NONE || scene->mesh_count == 0) {
        return;
    }
    gti_cloud_mark_below(gt_character_def(character), ankle, scratch);
    GtQuat posed = gt_quat_mul(posture->rotations[ankle], gt_quat_conjugate(rest->rotations[ankle]));
    FootCloud c = { .cloud = { .scene = scene,
                               .character = character,
                               .model_from_node = model_from_node_at_rest,
                               .marks = scratch,
                               .origin = rest->places[ankle],
                               // turns what is seen at rest as the foot is turned in the posture, and then the body
                               .shown_from_model = gt_quat_mul(canonical_from_model, posed) },
                    .heel_y = INFINITY,
                    .ball_y = INFINITY };
    forget_extent(&c);
    show_all(&c, visit_extent);
    if (c.count < 4.0 || !(c.bounds.high.z - c.bounds.low.z > 0.0f)) {
        return;
    }
    out->found = true;
    out->yaw_rad = atan2f(c.sum.x, c.sum.z);
    turn_cloud(&c, gti_foot_yaw(posture, joints, canonical_from_model, side, out));
    forget_extent(&c);
    show_all(&c, visit_extent);
    show_all(&c, visit_ends);
    if (isfinite(c.heel_y) && isfinite(c.ball_y)) {
        float pitch = atan2f(c.heel_y - c.ball_y, c.ball_z - c.heel_z);
        out->pitch_rad = fabsf(pitch) < MAX_PITCH_RAD ? pitch : 0.0f;
    }
    c.lowest_y = INFINITY;
    c.pitch_cos = cosf(out->pitch_rad);
    c.pitch_sin = sinf(out->pitch_rad);
    show_all(&c, visit_depth);
    out->depth_m = fmaxf(0.0f, -c.lowest_y);
}

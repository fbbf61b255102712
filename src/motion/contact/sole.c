// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A vertex belongs to a foot when the joints from the ankle down hold at least half its weight in set 0, where glTF
// wants the largest weights, or when its mesh hangs there without a skin. The sole is the line from the lowest vertex
// under the heel to the lowest under the ball: with raised heels that is what touches the floor. Vertices are read in
// pieces and looked at twice, so that nothing is allocated.

#include "motion/contact/sole.h"

#include "base/bounds.h"

#include "gertie/accessor.h"

#include <math.h>
#include <string.h>

enum {
    PIECE = 128, // vertices read at a time
    KNOWN_JOINTS = 256
};

static const float MAX_PITCH_RAD = 0.9f;

// Vertices in axes that lie in the floor along and across the foot, measured from the ankle.
typedef struct FootCloud {
    const GtScene* scene;
    const GtCharacter* character;
    const GtMat34* model_from_node;
    const bool* of_foot; // [nodes]
    GtVec3 ankle_at;
    GtQuat canonical_from_rest; // turns what is seen at rest as the foot is turned in the posture, and then the body
    void (*visit)(struct FootCloud* cloud, GtVec3 p);
    double count;
    GtBounds bounds;
    GtVec3 sum;
    float heel_y, heel_z, ball_y, ball_z;
    float pitch_cos, pitch_sin;
    float lowest_y;                      // once it is pitched
    int8_t joints_of_foot[KNOWN_JOINTS]; // of a skin: 1 or -1 for those that are not, once it has been looked up
} FootCloud;

static void show(FootCloud* c, const GtMat34* model_from_mesh, GtVec3 p)
{
    GtVec3 at = gt_vec3_sub(gt_mat34_point(model_from_mesh, p), c->ankle_at);
    at = gt_quat_rotate(c->canonical_from_rest, at);
    if (gt_vec3_is_finite(at)) {
        c->visit(c, at);
    }
}

static bool is_of_foot(FootCloud* c, const GtSkin* skin, uint32_t joint)
{
    int8_t* known = joint < KNOWN_JOINTS ? &c->joints_of_foot[joint] : NULL;
    if (known && *known) {
        return *known > 0;
    }
    int32_t node = gt_character_node_from_source(c->character, skin->joints[joint]);
    bool is = node != GT_NONE && c->of_foot[node];
    if (known) {
        *known = is ? 1 : -1;
    }
    return is;
}

// The joint of the foot with the largest weight in a vertex that the foot holds, else -1.
static int heaviest_of_foot(FootCloud* c, const GtSkin* skin, const uint32_t* joints, const float* weights)
{
    float all = 0.0f, own = 0.0f, most = 0.0f;
    int heaviest = -1;
    for (int k = 0; k < 4; ++k) {
        all += weights[k];
        if (!(weights[k] > 0.0f) || joints[k] >= (uint32_t)skin->joint_count) {
            continue;
        }
        if (is_of_foot(c, skin, joints[k])) {
            own += weights[k];
            if (weights[k] > most) {
                most = weights[k];
                heaviest = (int)joints[k];
            }
        }
    }
    return own >= 0.5f * all ? heaviest : -1;
}

static void show_skinned(FootCloud* c, const GtPrimitive* primitive, const GtSkin* skin)
{
    const GtScene* s = c->scene;
    int32_t at = gt_primitive_find(primitive, "POSITION");
    int32_t by = gt_primitive_find(primitive, "JOINTS_0");
    int32_t with = gt_primitive_find(primitive, "WEIGHTS_0");
    if (at == GT_NONE || by == GT_NONE || with == GT_NONE) {
        return;
    }
    uint64_t count = s->accessors[at].count;
    memset(c->joints_of_foot, 0, sizeof c->joints_of_foot);
    for (uint64_t first = 0; first < count; first += PIECE) {
        float positions[PIECE * 3], weights[PIECE * 4];
        uint32_t joints[PIECE * 4];
        uint64_t n = count - first < PIECE ? count - first : PIECE;
        bool has_positions = false;
        gt_accessor_read_floats(s, with, first, n, weights);
        gt_accessor_read_uints(s, by, first, n, joints);
        for (uint64_t i = 0; i < n; ++i) {
            int j = heaviest_of_foot(c, skin, joints + 4 * i, weights + 4 * i);
            if (j < 0) {
                continue;
            }
            if (!has_positions) {
                gt_accessor_read_floats(s, at, first, n, positions);
                has_positions = true;
            }
            GtMat34 joint_from_mesh = gt_mat34_identity();
            if (skin->inverse_bind != GT_NONE) {
                float columns[16];
                gt_accessor_read_floats(s, skin->inverse_bind, (uint64_t)j, 1, columns);
                joint_from_mesh = gt_mat34_from_columns(columns);
            }
            int32_t node = gt_character_node_from_source(c->character, skin->joints[j]);
            GtMat34 model_from_mesh = gt_mat34_mul(c->model_from_node[node], joint_from_mesh);
            show(c, &model_from_mesh, gt_vec3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]));
        }
    }
}

static void show_rigid(FootCloud* c, const GtPrimitive* primitive, int32_t node)
{
    int32_t at = gt_primitive_find(primitive, "POSITION");
    uint64_t count = at == GT_NONE ? 0 : c->scene->accessors[at].count;
    for (uint64_t first = 0; first < count; first += PIECE) {
        float positions[PIECE * 3];
        uint64_t n = count - first < PIECE ? count - first : PIECE;
        gt_accessor_read_floats(c->scene, at, first, n, positions);
        for (uint64_t i = 0; i < n; ++i) {
            show(c, &c->model_from_node[node], gt_vec3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]));
        }
    }
}

static void show_all(FootCloud* c, void (*visit)(FootCloud* cloud, GtVec3 p))
{
    c->visit = visit;
    for (int32_t n = 0; n < c->scene->node_count; ++n) {
        const GtNode* node = &c->scene->nodes[n];
        if (node->mesh == GT_NONE) {
            continue;
        }
        const GtMesh* mesh = &c->scene->meshes[node->mesh];
        int32_t place = gt_character_node_from_source(c->character, n);
        bool rigid = node->skin == GT_NONE && place != GT_NONE && c->of_foot[place];
        for (int32_t p = 0; p < mesh->primitive_count; ++p) {
            if (node->skin != GT_NONE) {
                show_skinned(c, &mesh->primitives[p], &c->scene->skins[node->skin]);
            } else if (rigid) {
                show_rigid(c, &mesh->primitives[p], place);
            }
        }
    }
}

static void visit_extent(FootCloud* c, GtVec3 p)
{
    gti_bounds_add(&c->bounds, p);
    c->sum = gt_vec3_add(c->sum, p);
    c->count += 1.0;
}

static void visit_ends(FootCloud* c, GtVec3 p)
{
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

static void visit_depth(FootCloud* c, GtVec3 p)
{
    c->lowest_y = fminf(c->lowest_y, c->pitch_cos * p.y + c->pitch_sin * p.z);
}

static void turn_cloud(FootCloud* c, float yaw_rad)
{
    GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), -yaw_rad);
    c->canonical_from_rest = gt_quat_mul(turn, c->canonical_from_rest);
}

static void forget_extent(FootCloud* c)
{
    c->bounds = gti_bounds_empty();
    c->sum = gt_vec3(0.0f, 0.0f, 0.0f);
    c->count = 0.0;
}

static void mark_foot(const GtCharacterDef* def, int32_t ankle, bool* of_foot)
{
    for (int32_t i = 0; i < def->node_count; ++i) { // parents come first
        of_foot[i] = i == ankle || (def->parents[i] != GT_NONE && of_foot[def->parents[i]]);
    }
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
    mark_foot(gt_character_def(character), ankle, scratch);
    GtQuat posed = gt_quat_mul(posture->rotations[ankle], gt_quat_conjugate(rest->rotations[ankle]));
    FootCloud c = { .scene = scene,
                    .character = character,
                    .model_from_node = model_from_node_at_rest,
                    .of_foot = scratch,
                    .ankle_at = rest->places[ankle],
                    .canonical_from_rest = gt_quat_mul(canonical_from_model, posed),
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

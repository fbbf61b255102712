// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Vertices are read in pieces, so that nothing is allocated.

#include "map/cloud.h"

#include "gertie/accessor.h"

#include <string.h>

enum {
    PIECE = 128 // vertices read at a time
};

typedef struct Show {
    GtiCloud* cloud;
    void (*visit)(void* user, GtVec3 p);
    void* user;
} Show;

void gti_cloud_mark_below(const GtCharacterDef* def, int32_t node, bool* marks)
{
    for (int32_t i = 0; i < def->node_count; ++i) { // parents come first
        marks[i] = i == node || (def->parents[i] != GT_NONE && marks[def->parents[i]]);
    }
}

static void show(const Show* s, const GtMat34* model_from_mesh, GtVec3 p)
{
    GtVec3 at = gt_vec3_sub(gt_mat34_point(model_from_mesh, p), s->cloud->origin);
    at = gt_quat_rotate(s->cloud->shown_from_model, at);
    if (gt_vec3_is_finite(at)) {
        s->visit(s->user, at);
    }
}

static bool is_marked(GtiCloud* c, const GtSkin* skin, uint32_t joint)
{
    int8_t* known = joint < GTI_CLOUD_KNOWN_JOINTS ? &c->known[joint] : NULL;
    if (known && *known) {
        return *known > 0;
    }
    int32_t node = gt_character_node_from_source(c->character, skin->joints[joint]);
    bool is = node != GT_NONE && c->marks[node];
    if (known) {
        *known = is ? 1 : -1;
    }
    return is;
}

// The marked joint with the largest weight in a vertex that marked joints hold, else -1.
static int heaviest_marked(GtiCloud* c, const GtSkin* skin, const uint32_t* joints, const float* weights)
{
    float all = 0.0f, own = 0.0f, most = 0.0f;
    int heaviest = -1;
    for (int k = 0; k < 4; ++k) {
        all += weights[k];
        if (!(weights[k] > 0.0f) || joints[k] >= (uint32_t)skin->joint_count) {
            continue;
        }
        if (is_marked(c, skin, joints[k])) {
            own += weights[k];
            if (weights[k] > most) {
                most = weights[k];
                heaviest = (int)joints[k];
            }
        }
    }
    return own >= 0.5f * all ? heaviest : -1;
}

static void show_skinned(const Show* s, const GtPrimitive* primitive, const GtSkin* skin)
{
    GtiCloud* c = s->cloud;
    const GtScene* scene = c->scene;
    int32_t at = gt_primitive_find(primitive, "POSITION");
    int32_t by = gt_primitive_find(primitive, "JOINTS_0");
    int32_t with = gt_primitive_find(primitive, "WEIGHTS_0");
    if (at == GT_NONE || by == GT_NONE || with == GT_NONE) {
        return;
    }
    uint64_t count = scene->accessors[at].count;
    memset(c->known, 0, sizeof c->known);
    for (uint64_t first = 0; first < count; first += PIECE) {
        float positions[PIECE * 3], weights[PIECE * 4];
        uint32_t joints[PIECE * 4];
        uint64_t n = count - first < PIECE ? count - first : PIECE;
        bool has_positions = false;
        gt_accessor_read_floats(scene, with, first, n, weights);
        gt_accessor_read_uints(scene, by, first, n, joints);
        for (uint64_t i = 0; i < n; ++i) {
            int j = heaviest_marked(c, skin, joints + 4 * i, weights + 4 * i);
            if (j < 0) {
                continue;
            }
            if (!has_positions) {
                gt_accessor_read_floats(scene, at, first, n, positions);
                has_positions = true;
            }
            GtMat34 joint_from_mesh = gt_mat34_identity();
            if (skin->inverse_bind != GT_NONE) {
                float columns[16];
                gt_accessor_read_floats(scene, skin->inverse_bind, (uint64_t)j, 1, columns);
                joint_from_mesh = gt_mat34_from_columns(columns);
            }
            int32_t node = gt_character_node_from_source(c->character, skin->joints[j]);
            GtMat34 model_from_mesh = gt_mat34_mul(c->model_from_node[node], joint_from_mesh);
            show(s, &model_from_mesh, gt_vec3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]));
        }
    }
}

static void show_rigid(const Show* s, const GtPrimitive* primitive, int32_t node)
{
    const GtScene* scene = s->cloud->scene;
    int32_t at = gt_primitive_find(primitive, "POSITION");
    uint64_t count = at == GT_NONE ? 0 : scene->accessors[at].count;
    for (uint64_t first = 0; first < count; first += PIECE) {
        float positions[PIECE * 3];
        uint64_t n = count - first < PIECE ? count - first : PIECE;
        gt_accessor_read_floats(scene, at, first, n, positions);
        for (uint64_t i = 0; i < n; ++i) {
            show(s, &s->cloud->model_from_node[node],
                 gt_vec3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]));
        }
    }
}

void gti_cloud_show(GtiCloud* cloud, void (*visit)(void* user, GtVec3 p), void* user)
{
    const GtScene* scene = cloud->scene;
    Show s = { cloud, visit, user };
    for (int32_t n = 0; n < scene->node_count; ++n) {
        const GtNode* node = &scene->nodes[n];
        if (node->mesh == GT_NONE) {
            continue;
        }
        const GtMesh* mesh = &scene->meshes[node->mesh];
        int32_t place = gt_character_node_from_source(cloud->character, n);
        bool rigid = node->skin == GT_NONE && place != GT_NONE && cloud->marks[place];
        for (int32_t p = 0; p < mesh->primitive_count; ++p) {
            if (node->skin != GT_NONE) {
                show_skinned(&s, &mesh->primitives[p], &scene->skins[node->skin]);
            } else if (rigid) {
                show_rigid(&s, &mesh->primitives[p], place);
            }
        }
    }
}

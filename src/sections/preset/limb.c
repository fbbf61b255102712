// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "sections/preset/limb.h"

#include <math.h>

bool gti_sculpt_limb(const GtiSculptBody* body, GtHumanoidJoint joint, GtHumanoidJoint next, GtiSculptLimb* out)
{
    int32_t node = body->figure.joints[joint];
    int32_t end = body->figure.joints[next];
    if (node == GT_NONE || end == GT_NONE) {
        return false;
    }
    *out = (GtiSculptLimb){ .joint = joint, .node = node };
    out->from = gt_mat34_translation(&body->shell->bind[node]);
    out->to = gt_mat34_translation(&body->shell->bind[end]);
    GtVec3 way = gt_vec3_sub(out->to, out->from);
    out->length_m = gt_vec3_length(way);
    out->along = gt_vec3_normalize_or(way, gt_vec3(0.0f, 1.0f, 0.0f));
    return out->length_m > 1e-4f * (float)body->shell->size_m;
}

static bool is_below(int32_t joint, GtHumanoidJoint top)
{
    int32_t at = joint;
    while (at != GT_NONE && at != (int32_t)top) {
        at = gt_humanoid_parent((GtHumanoidJoint)at);
    }
    return at != GT_NONE;
}

static bool counts(const GtiSculptBody* body, int32_t node, GtHumanoidJoint joint, bool below)
{
    int32_t own = body->joints[node];
    return own == (int32_t)joint || (below && own != GT_NONE && is_below(own, joint));
}

void gti_sculpt_shares(const GtiSculptBody* body, GtHumanoidJoint joint, bool below, float* out)
{
    const GtiShell* shell = body->shell;
    const GtCharacterDef* def = shell->figure->def;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        const GtMeshDef* mesh = &def->meshes[m];
        const int32_t* points = shell->points + shell->first_vertex[m];
        for (int32_t v = 0; v < mesh->vertex_count; ++v) {
            float* share = &out[points[v]];
            *share = mesh->skin == GT_NONE && counts(body, mesh->node, joint, below) ? 1.0f : 0.0f;
            for (int32_t i = 0; i < mesh->influence_count; ++i) {
                size_t at = (size_t)v * (size_t)mesh->influence_count + (size_t)i;
                int32_t node = def->skins[mesh->skin].joints[mesh->joints[at]];
                *share += counts(body, node, joint, below) ? mesh->weights[at] : 0.0f;
            }
        }
    }
}

GtiGirth gti_sculpt_girth(const GtiSculptBody* body, const float* shares, GtVec3 place, GtVec3 along, float near_m)
{
    GtiGirth girth = { 0 };
    double sum = 0.0;
    for (int32_t p = 0; p < body->shell->point_count; ++p) {
        GtVec3 to = gt_vec3_sub(body->shell->positions[p], place);
        if (shares[p] >= 0.5f && fabsf(gt_vec3_dot(to, along)) <= near_m) {
            float distance = gt_vec3_length(gt_vec3_cross(to, along));
            sum += (double)distance;
            girth.most_m = fmaxf(girth.most_m, distance);
            ++girth.count;
        }
    }
    girth.mean_m = girth.count ? (float)(sum / girth.count) : 0.0f;
    return girth;
}

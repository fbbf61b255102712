// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The limb is what hangs on its bones by a quarter or more, in the bind pose. The box is the smallest one along the
// bone that holds it, divided by what its borders leave.

#include "sections/section_fit.h"

#include <math.h>

static const float least_share = 0.25f;
static const float most_border = 0.45f; // beyond, the box would be more than ten times as large as the limb
static const float margin = 1.04f;
static const float along_front = 0.8f; // cosine from which on a bone looks to the front itself

// Where the body looks, in the bind pose.
static GtVec3 find_front(const GtiShell* shell)
{
    const int32_t* nodes = shell->figure->joints;
    int32_t left = nodes[GT_HUMANOID_LEFT_UPPER_LEG];
    int32_t right = nodes[GT_HUMANOID_RIGHT_UPPER_LEG];
    GtVec3 front = gt_vec3(0.0f, 0.0f, 1.0f);
    if (left == GT_NONE || right == GT_NONE) {
        return front;
    }
    GtVec3 side = gt_vec3_sub(gt_mat34_translation(&shell->bind[left]), gt_mat34_translation(&shell->bind[right]));
    return gt_vec3_normalize_or(gt_vec3_cross(side, gt_vec3(0.0f, 1.0f, 0.0f)), front);
}

static void find_axes(const GtiSculptBody* body, const GtiMarkerBone* bone, GtVec3 axes[3])
{
    GtVec3 front = find_front(body->shell);
    axes[0] = gt_vec3_normalize_or(bone->axis, gt_vec3(0.0f, 1.0f, 0.0f));
    front = fabsf(gt_vec3_dot(front, axes[0])) < along_front ? front : gt_vec3(0.0f, 1.0f, 0.0f);
    GtVec3 across = gt_vec3_sub(front, gt_vec3_scale(axes[0], gt_vec3_dot(front, axes[0])));
    axes[2] = gt_vec3_normalize_or(across, gt_vec3(1.0f, 0.0f, 0.0f));
    axes[1] = gt_vec3_cross(axes[2], axes[0]);
}

// The extent of the limb along three axes, in model space; false where it has no vertices.
static bool find_extent(const GtiSculptBody* body, const uint8_t* limb, const GtVec3 axes[3], float low[3],
                        float high[3])
{
    const GtiShell* shell = body->shell;
    const GtCharacterDef* def = shell->figure->def;
    bool found = false;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        const GtMeshDef* mesh = &def->meshes[m];
        const GtSkinDef* skin = mesh->skin != GT_NONE ? &def->skins[mesh->skin] : NULL;
        for (int32_t v = 0; v < mesh->vertex_count; ++v) {
            if (!(gti_limb_share(mesh, skin, limb, v) >= least_share)) {
                continue;
            }
            GtVec3 p = shell->positions[shell->points[shell->first_vertex[m] + v]];
            for (int a = 0; a < 3; ++a) {
                float along = gt_vec3_dot(p, axes[a]);
                low[a] = found ? fminf(low[a], along) : along;
                high[a] = found ? fmaxf(high[a], along) : along;
            }
            found = true;
        }
    }
    return found;
}

// As gti_limb_ends(), of a scene whose joints are known; joints of other figures are limbs of their own.
static void find_ends(const GtiSculptBody* body, bool* ends)
{
    const GtFigure* figure = &body->figure;
    for (int32_t n = 0; n < figure->def->node_count; ++n) {
        ends[n] = figure->joints[GT_HUMANOID_HIPS] == GT_NONE;
    }
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (figure->joints[j] != GT_NONE) {
            ends[figure->joints[j]] = true;
        }
    }
}

static GtResult fit(const GtiSculptBody* body, GtArena* scratch, const int32_t* nodes, int32_t count,
                    const float border[3], GtMat34* out, GtError* error)
{
    const GtCharacterDef* def = body->figure.def;
    int32_t node = gt_character_node_from_source(body->figure.character, nodes[0]);
    int32_t bone = node != GT_NONE ? body->bones.of_nodes[node] : GT_NONE;
    bool* ends = gt_arena_push_array(scratch, (size_t)def->node_count, sizeof *ends);
    uint8_t* limb = gt_arena_push_array(scratch, (size_t)def->node_count, sizeof *limb);
    if (!ends || !limb) {
        return gti_out_of_memory(error);
    }
    GtVec3 axes[3];
    float low[3] = { 0.0f };
    float high[3] = { 0.0f };
    bool ok = bone != GT_NONE;
    if (ok) {
        find_ends(body, ends);
        for (int32_t i = 0; i < count; ++i) {
            int32_t joint = gt_character_node_from_source(body->figure.character, nodes[i]);
            if (joint != GT_NONE) {
                gti_limb_mark(def, ends, joint, (uint8_t)(i + 1), limb);
            }
        }
        find_axes(body, &body->bones.bones[bone], axes);
        ok = find_extent(body, limb, axes, low, high);
    }
    GtMat34 node_from_model = ok ? gt_mat34_inverse(&body->shell->bind[node], &ok) : gt_mat34_identity();
    if (!ok) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "it has no skin that a box could be fitted to: give the box");
    }
    float least = 1e-3f * (float)body->shell->size_m;
    GtVec3 corner = gt_vec3(0.0f, 0.0f, 0.0f);
    float columns[16] = { [15] = 1.0f };
    for (int a = 0; a < 3; ++a) {
        float grow = margin / (1.0f - 2.0f * fminf(fmaxf(border[a], 0.0f), most_border));
        float edge = fmaxf(grow * (high[a] - low[a]), least);
        corner = gt_vec3_add(corner, gt_vec3_scale(axes[a], 0.5f * (low[a] + high[a] - edge)));
        GtVec3 column = gt_mat34_vector(&node_from_model, gt_vec3_scale(axes[a], edge));
        columns[4 * a] = column.x;
        columns[4 * a + 1] = column.y;
        columns[4 * a + 2] = column.z;
    }
    corner = gt_mat34_point(&node_from_model, corner);
    columns[12] = corner.x;
    columns[13] = corner.y;
    columns[14] = corner.z;
    *out = gt_mat34_from_columns(columns);
    return GT_OK;
}

GtResult gti_section_fit(const GtiSculptBody* body, const int32_t* nodes, int32_t count, const float border[3],
                         GtMat34* space_from_box, GtError* error)
{
    GtArena scratch = gt_arena_create(body->figure.arena.allocator);
    GtResult result = fit(body, &scratch, nodes, count, border, space_from_box, error);
    gt_arena_destroy(&scratch);
    return result;
}

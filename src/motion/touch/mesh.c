// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "motion/touch/mesh.h"

#include "base/fail.h"

// The humanoid joint that each node is or hangs from: parents come first.
static int8_t* find_owners(const GtiTouchBody* body, const GtFigure* figure, GtArena* arena)
{
    int8_t* owners = gt_arena_push_array(arena, (size_t)figure->def->node_count, sizeof *owners);
    for (int32_t i = 0; owners && i < figure->def->node_count; ++i) {
        owners[i] = figure->def->parents[i] == GT_NONE ? GT_NONE : owners[figure->def->parents[i]];
        for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            if (figure->joints[j] == i) {
                owners[i] = (int8_t)(body->mirror ? (int)gt_humanoid_mirror((GtHumanoidJoint)j) : j);
            }
        }
    }
    return owners;
}

static int8_t strongest(const GtCharacterDef* def, const GtMeshDef* mesh, int32_t vertex, const int8_t* owners)
{
    if (mesh->skin == GT_NONE) {
        return owners[mesh->node];
    }
    float sums[GT_HUMANOID_JOINT_COUNT + 1] = { 0.0f }; // the last is for what has no owner
    int best = GT_HUMANOID_JOINT_COUNT;
    for (int32_t k = 0; k < mesh->influence_count; ++k) {
        size_t at = (size_t)vertex * (size_t)mesh->influence_count + (size_t)k;
        int owner = owners[def->skins[mesh->skin].joints[mesh->joints[at]]];
        owner = owner == GT_NONE ? GT_HUMANOID_JOINT_COUNT : owner;
        sums[owner] += mesh->weights[at];
        best = sums[owner] > sums[best] ? owner : best;
    }
    return (int8_t)(best == GT_HUMANOID_JOINT_COUNT ? GT_NONE : best);
}

static GtResult pose_meshes(const GtiTouchBody* body, const GtFigure* figure, GtArena* arena, GtiBodyMesh* out,
                            GtError* error)
{
    const int8_t* owners = find_owners(body, figure, arena);
    if (!owners) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < figure->def->mesh_count; ++i) {
        const GtMeshDef* mesh = &figure->def->meshes[i];
        GtVec3* points = gt_arena_push_array(arena, (size_t)mesh->vertex_count, sizeof *points);
        int8_t* joints = gt_arena_push_array(arena, (size_t)mesh->vertex_count, sizeof *joints);
        if (!points || !joints) {
            return gti_out_of_memory(error);
        }
        gt_instance_deform(figure->instance, i, points, NULL, NULL);
        for (int32_t v = 0; v < mesh->vertex_count; ++v) {
            points[v].x *= body->mirror ? -1.0f : 1.0f;
            joints[v] = strongest(figure->def, mesh, v, owners);
        }
        out[i] = (GtiBodyMesh){ mesh->vertex_count, points, joints, mesh->indices, mesh->index_count };
    }
    return GT_OK;
}

GtResult gti_body_meshes(const GtContext* context, GtArena* arena, const GtiTouchBody* body, GtiBodyMesh** out,
                         int32_t* count, GtError* error)
{
    GtFigure figure = { 0 }; // shared, so that it can stand in the common pose
    GtResult result = gti_figure_share(context, body->figure->figure, &figure, error);
    if (result == GT_OK) {
        *count = figure.def->mesh_count;
        *out = gt_arena_push_array(arena, (size_t)*count, sizeof **out);
        gti_figure_stand(&figure, &body->figure->retarget_pose);
        result = *out ? pose_meshes(body, &figure, arena, *out, error) : gti_out_of_memory(error);
    }
    gt_figure_close(&figure);
    return result;
}

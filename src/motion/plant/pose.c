// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "motion/plant/pose.h"

#include "motion/retarget/posture.h"

static void need(const GtCharacterDef* def, bool* needed, int32_t node)
{
    for (; node != GT_NONE && !needed[node]; node = def->parents[node]) {
        needed[node] = true;
    }
}

// Joints that move the points of the soles.
static void need_soles(const GtiTread* sole, bool* needed)
{
    const GtCharacterDef* def = sole->character ? gt_character_def(sole->character) : NULL;
    for (int32_t i = sole->deformed_count; i < sole->point_count; ++i) {
        need(sole->figure->def, needed, sole->nodes[i]);
    }
    for (int32_t m = 0; def && m < def->mesh_count; ++m) {
        const GtMeshDef* mesh = &def->meshes[m];
        need(def, needed, mesh->node);
        for (int64_t i = 0; mesh->skin != GT_NONE && i < (int64_t)mesh->vertex_count * mesh->influence_count; ++i) {
            need(def, needed, def->skins[mesh->skin].joints[mesh->joints[i]]);
        }
    }
}

GtResult gti_plant_choose_nodes(GtiPlant* plant)
{
    static const GtHumanoidJoint legs[] = { GT_HUMANOID_HIPS, GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_LEFT_LOWER_LEG,
                                            GT_HUMANOID_LEFT_FOOT, GT_HUMANOID_LEFT_TOES };
    const GtFigure* figure = plant->figure;
    size_t count = (size_t)figure->def->node_count;
    bool* needed = gt_arena_push_array(plant->scratch, count, sizeof *needed);
    int32_t* nodes = gt_arena_push_array(plant->scratch, count, sizeof *nodes);
    if (!needed || !nodes) {
        return gti_out_of_memory(plant->error);
    }
    for (size_t i = 0; i < sizeof legs / sizeof legs[0]; ++i) {
        for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
            need(figure->def, needed, figure->joints[gti_joint_on(legs[i], side)]);
        }
    }
    need_soles(plant->sole, needed);
    plant->nodes = nodes;
    plant->node_count = 0;
    for (int32_t i = 0; i < figure->def->node_count; ++i) {
        if (needed[i]) {
            nodes[plant->node_count++] = i;
        }
    }
    return GT_OK;
}

bool gti_leg_pose_push(const GtiPlant* plant, GtiLegPose* out)
{
    size_t count = (size_t)plant->figure->def->node_count;
    out->pose = gt_arena_push_array(plant->scratch, count, sizeof *out->pose);
    out->model = gt_arena_push_array(plant->scratch, count, sizeof *out->model);
    out->rotations = gt_arena_push_array(plant->scratch, count, sizeof *out->rotations);
    return out->pose && out->model && out->rotations;
}

void gti_leg_pose_load(const GtiPlant* plant, int32_t frame, const GtiLegPose* out)
{
    const GtCharacterDef* def = plant->figure->def;
    const GtiPlantFrames* frames = plant->frames;
    const GtTransform* keys = frames->poses + (size_t)frame * (size_t)frames->stride;
    for (int32_t n = 0; n < plant->node_count; ++n) {
        int32_t i = plant->nodes[n];
        int32_t parent = def->parents[i];
        out->pose[i] = frames->columns[i] == GT_NONE ? def->rest[i] : keys[frames->columns[i]];
        GtQuat rotation = gt_quat_normalize(out->pose[i].rotation);
        GtMat34 local = gt_mat34_from_transform(out->pose[i]);
        out->model[i] = parent == GT_NONE ? local : gt_mat34_mul(out->model[parent], local);
        out->rotations[i] =
            parent == GT_NONE ? rotation : gt_quat_mul(gti_parent_rotation(def, out->rotations, i), rotation);
    }
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A node's own name comes before the vocabulary: who calls a node "head" means that one.

#include "harmonic/keys/joint_name.h"

#include "base/near.h"

GtResult gti_joint_find(const GtScene* scene, const GtHumanoidMap* map, const char* name, const char* place,
                        int32_t* out, GtError* error)
{
    *out = gt_scene_find_node(scene, name);
    int32_t joint = gt_humanoid_find(name);
    if (*out == GT_NONE && joint != GT_NONE) {
        *out = map->nodes[joint];
    }
    if (*out != GT_NONE) {
        return GT_OK;
    }
    char text[256];
    GtiNear near = gti_near(name);
    for (int32_t i = 0; i < scene->node_count; ++i) {
        gti_near_offer(&near, scene->nodes[i].name);
    }
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (map->nodes[j] != GT_NONE) {
            gti_near_offer(&near, gt_humanoid_name((GtHumanoidJoint)j));
        }
    }
    return gti_fail_at(error, GT_ERROR_NOT_FOUND, place, "there is no joint '%.80s'%s", name,
                       gti_near_print(&near, text, sizeof text));
}

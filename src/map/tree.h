// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A skeleton as the mapper sees it: joints, where they are, what hangs from what.

#ifndef GERTIE_MAP_TREE_H
#define GERTIE_MAP_TREE_H

#include "gertie/scene.h"
#include "map/name.h"

typedef struct GtiMapJoint {
    int32_t node;                      // of the scene
    int32_t parent;                    // index, smaller than its own, or GT_NONE
    int32_t first_child, next_sibling; // or GT_NONE
    int32_t child_count;
    GtVec3 position;
    GtMat34 model_from_joint;
    float reach_m;    // length of the longest chain below it
    int32_t farthest; // child that chain begins with, or GT_NONE
    bool is_end;      // the tip of a chain, not a joint that turns
    GtiNameHint hint;
} GtiMapJoint;

typedef struct GtiMapTree {
    int32_t count;
    GtiMapJoint* joints; // parents first
    float size_m;        // diagonal of the box around them
} GtiMapTree;

// Where joints are looked for.
typedef enum GtiMapPose {
    GTI_MAP_REST,  // nodes as the file has them
    GTI_MAP_BIND,  // where the skin was bound
    GTI_MAP_FIRST, // the first frame of the first clip
    GTI_MAP_POSE_COUNT
} GtiMapPose;

// The joints of a scene in each pose; none where the scene has no such pose.
GtResult gti_map_trees(const GtContext* context, GtArena* arena, const GtScene* scene, bool use_names,
                       GtiMapTree out[GTI_MAP_POSE_COUNT], GtError* error);

// Whether `joint` is `ancestor` or below it.
bool gti_map_is_below(const GtiMapTree* tree, int32_t joint, int32_t ancestor);

#endif

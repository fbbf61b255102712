// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A scene that plays one clip, and its humanoid joints. The reference pose is the one in which it stands as all
// humanoids do: the T-pose that the clip begins with, the retarget pose of the scene, or the rest pose.

#ifndef GERTIE_FIGURE_SUBJECT_H
#define GERTIE_FIGURE_SUBJECT_H

#include "gertie/build.h"
#include "gertie/instance.h"
#include "gertie/map.h"

#include "base/fail.h"

enum {
    GTI_LEFT_SIDE,
    GTI_RIGHT_SIDE,
    GTI_SIDE_COUNT
};

typedef struct GtiSubject {
    const GtScene* scene;
    GtCharacter* character;
    const GtCharacterDef* def;
    GtClip* clip; // or NULL
    GtAllocator allocator;
    GtInstance* instance;                   // its pose is that of the last gti_subject_pose()
    int32_t nodes[GT_HUMANOID_JOINT_COUNT]; // runtime nodes, or GT_NONE
    bool is_humanoid;                       // it has hips and both legs
    double start_s, end_s;                  // without a leading T-pose
    double key_rate_hz;                     // of the curve with the most keys; 0 for a single key
    GtMat34* reference;                     // [node_count] model_from_node of the reference pose
    double height_m;                        // of its joints in the reference pose
} GtiSubject;

// Open a figure; on failure, too, gti_subject_close() is due. `map` may be NULL, `animation` GT_NONE for no clip.
// Joints that the map lacks are found.
GtResult gti_subject_open(const GtContext* context, GtArena* arena, const GtScene* scene, int32_t animation,
                          const GtHumanoidMap* map, GtiSubject* out, GtError* error);

// Likewise, with a map that has been found already: what it lacks is not there.
GtResult gti_subject_open_mapped(const GtContext* context, GtArena* arena, const GtScene* scene, int32_t animation,
                                 const GtHumanoidMap* map, GtiSubject* out, GtError* error);
void gti_subject_close(GtiSubject* figure);

// Make this its reference pose; NULL for the rest pose.
void gti_subject_stand(GtiSubject* figure, const GtRetargetPose* pose);

// Pose it as the clip has it at a time.
void gti_subject_pose(const GtiSubject* figure, GtInstance* instance, double time_s);

// Where a joint that it has is now.
static inline GtVec3 gti_subject_place(const GtiSubject* figure, GtHumanoidJoint joint)
{
    return gt_mat34_translation(&figure->instance->model_from_node[figure->nodes[joint]]);
}

// Where it is in the reference pose.
static inline GtVec3 gti_subject_reference(const GtiSubject* figure, GtHumanoidJoint joint)
{
    return gt_mat34_translation(&figure->reference[figure->nodes[joint]]);
}

static inline GtHumanoidJoint gti_joint_on(GtHumanoidJoint left, int side)
{
    return side == GTI_LEFT_SIDE ? left : gt_humanoid_mirror(left);
}

// Where it looks in the reference pose: level, unit.
GtVec3 gti_subject_forward(const GtiSubject* figure);

// How many times as large as a person it is, by its legs; at least 1.
double gti_subject_size(const GtiSubject* figure);

// The place of a point of the reference pose, in the space of the node it moves with.
GtVec3 gti_subject_attach(const GtiSubject* figure, int32_t node, GtVec3 point);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the rooms above do with a figure, besides what gertie/figure.h offers to all.

#ifndef GERTIE_FIGURE_FIGURE_H
#define GERTIE_FIGURE_FIGURE_H

#include "gertie/figure.h"

#include "base/fail.h"

enum {
    GTI_LEFT_SIDE,
    GTI_RIGHT_SIDE,
    GTI_SIDE_COUNT
};

// gt_figure_open() with a character that was built already, as one with sections is. `character` becomes the figure's
// own, on failure too.
GtResult gti_figure_open_built(const GtContext* context, const GtScene* scene, const GtFigureDef* def,
                               GtCharacter* character, GtFigure* out, GtError* error);

// gt_default_figure_def() for a clip, or GT_NONE, and joints that are known, or NULL.
static inline GtFigureDef gti_figure_playing(int32_t animation, const GtHumanoidMap* map)
{
    GtFigureDef def = gt_default_figure_def();
    def.animation = animation;
    def.map = map;
    return def;
}

// gt_default_figure_def() for work that needs no humanoid.
static inline GtFigureDef gti_figure_unmapped(int32_t animation)
{
    GtFigureDef def = gti_figure_playing(animation, NULL);
    def.without_map = true;
    return def;
}

// A second figure of the same character, clip and map, with an instance and a reference pose of its own. It must be
// closed before the first.
GtResult gti_figure_share(const GtContext* context, const GtFigure* figure, GtFigure* out, GtError* error);

// Make this its reference pose; NULL for the rest pose.
void gti_figure_stand(GtFigure* figure, const GtRetargetPose* pose);

// Where a joint that it has is in its instance's pose.
static inline GtVec3 gti_figure_place(const GtFigure* figure, GtHumanoidJoint joint)
{
    return gt_mat34_translation(&figure->instance->model_from_node[figure->joints[joint]]);
}

// Where a joint that it has is in the reference pose.
static inline GtVec3 gti_figure_reference(const GtFigure* figure, GtHumanoidJoint joint)
{
    return gt_mat34_translation(&figure->reference[figure->joints[joint]]);
}

static inline GtHumanoidJoint gti_joint_on(GtHumanoidJoint left, int side)
{
    return side == GTI_LEFT_SIDE ? left : gt_humanoid_mirror(left);
}

// Say which frames at the ends of its clip are not part of the motion.
void gti_figure_note_cuts(const GtContext* context, const GtFigure* figure);

// The direction that it faces in the reference pose: horizontal, unit.
GtVec3 gti_figure_forward(const GtFigure* figure);

// How many times as large as a person it is, by its legs; at least 1.
double gti_figure_size(const GtFigure* figure);

// A point of the reference pose, in the space of the node that it moves with.
GtVec3 gti_figure_attach(const GtFigure* figure, int32_t node, GtVec3 point);

#endif

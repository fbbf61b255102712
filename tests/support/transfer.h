// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Figures opened for one call: what tests that begin with scenes need.

#ifndef GERTIE_TESTS_SUPPORT_TRANSFER_H
#define GERTIE_TESTS_SUPPORT_TRANSFER_H

#include "gertie/contact.h"
#include "gertie/retarget.h"

// A retarget with the figures that it works on.
typedef struct Transfer {
    GtFigure source, target;
    GtRetarget* retarget;
} Transfer;

// map: whole, or NULL to find it
static inline GtResult open_mapped(const GtContext* context, const GtScene* scene, int32_t animation,
                                   const GtHumanoidMap* map, GtFigure* out, GtError* error)
{
    GtFigureDef def = gt_default_figure_def();
    def.animation = animation;
    def.map = map;
    def.map_is_whole = map != NULL;
    return gt_figure_open(context, scene, &def, out, error);
}

static inline void transfer_close(Transfer* transfer)
{
    gt_retarget_destroy(transfer->retarget);
    gt_figure_close(&transfer->source);
    gt_figure_close(&transfer->target);
    *transfer = (Transfer){ 0 };
}

// animation: of the motion, or GT_NONE; maps are whole. On failure there is nothing to close.
static inline GtResult transfer_open(const GtContext* context, const GtScene* motion, int32_t animation,
                                     const GtHumanoidMap* motion_map, const GtScene* character,
                                     const GtHumanoidMap* character_map, const GtRetargetDef* def, Transfer* out,
                                     GtError* error)
{
    GtHumanoidMap none = gt_humanoid_map_empty();
    *out = (Transfer){ 0 };
    GtResult result = open_mapped(context, motion, animation, motion_map ? motion_map : &none, &out->source, error);
    if (result == GT_OK) {
        result = open_mapped(context, character, GT_NONE, character_map ? character_map : &none, &out->target, error);
    }
    if (result == GT_OK) {
        result = gt_retarget_create(context, &out->source, &out->target, def, &out->retarget, error);
    }
    if (result != GT_OK) {
        transfer_close(out);
    }
    return result;
}

static inline GtResult find_contacts_of(const GtContext* context, const GtScene* scene, int32_t animation,
                                        const GtContactsDef* def, GtContacts** out, GtError* error)
{
    GtFigure figure;
    *out = NULL;
    GtResult result = open_mapped(context, scene, animation, NULL, &figure, error);
    if (result == GT_OK) {
        result = gt_contacts_find(context, &figure, def, out, error);
    }
    gt_figure_close(&figure);
    return result;
}

static inline GtResult find_pose_of(const GtContext* context, const GtScene* scene, const GtHumanoidMap* map,
                                    GtRetargetPose* out, GtRetargetPoseReport* report, GtError* error)
{
    GtFigure figure;
    bool by_motion = scene->animation_count > 0 && scene->mesh_count == 0;
    GtResult result = open_mapped(context, scene, by_motion ? 0 : GT_NONE, map, &figure, error);
    if (result == GT_OK) {
        result = gt_retarget_pose_find(context, &figure, out, report, error);
    }
    gt_figure_close(&figure);
    return result;
}

#endif

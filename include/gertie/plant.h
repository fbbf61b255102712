// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: planting feet.
///
/// Feet that stay planted: whole paths of the feet, pinned to the ground at the soles while they stand, and legs and
/// hips that follow.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_PLANT_H
#define GERTIE_PLANT_H

#include "gertie/contact.h"
#include "gertie/field.h"
#include "gertie/ground.h"
#include "gertie/take.h"

GT_EXTERN_C_BEGIN

/// What happens to feet that are carried from one figure to another.
typedef enum GtFeet {
    GT_FEET_OFF,   ///< they go where the joints above them take them
    GT_FEET_WARP,  ///< they follow the paths of the source's feet, scaled
    GT_FEET_PLANT, ///< and stay where they stand
} GtFeet;

/// How feet are planted. Start from gt_default_plant_def().
typedef struct GtPlantDef {
    const GtHumanoidMap* map;   ///< or NULL for the scene's own, or one that is found
    const GtContacts* contacts; ///< when feet stand, in the time of the clip (GtTake.start_s), or NULL to find it
    const GtGround* ground;     ///< uneven ground, or NULL for a level floor
    double floor_m;             ///< height of the ground; NAN for 0, or where the soles are when that is far off
} GtPlantDef;

GT_API GtPlantDef gt_default_plant_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_plant_def_fields(void);

/// What planting did.
typedef struct GtPlantReport {
    int32_t contact_count; ///< times that a foot was planted
    int32_t short_frames;  ///< frames in which a leg could not reach as far as it should
    double foot_shift_m;   ///< farthest that an ankle was moved
    double hips_shift_m;   ///< likewise of the hips
    double miss_m;         ///< farthest that a planted ankle stays from where it should be
} GtPlantReport;

/// Its fields, for JSON and tables.
GT_API const GtFieldTable* gt_plant_report_fields(void);

/// Plant the feet of a take of a humanoid.
/// @param out     receives the new take, or NULL on failure
/// @param report  may be NULL
/// @return GT_ERROR_BAD_VALUE when the scene is no humanoid with hips and legs
GT_API GtResult gt_take_plant(const GtContext* context, const GtTake* take, const GtScene* scene, const GtPlantDef* def,
                              GtTake** out, GtPlantReport* report, GtError* error);

GT_EXTERN_C_END

#endif

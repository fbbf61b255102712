// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A player from the inside. Speeds, contacts and springs are sampled from the start of the motion to its end, once,
// into tables that a frame looks up between two rows; so a still is what a film has at that time, and frames may be
// asked for in any order, by any thread.

#ifndef GERTIE_SECTIONS_PLAY_PLAYER_H
#define GERTIE_SECTIONS_PLAY_PLAYER_H

#include "gertie/sculpt.h"

#include "runtime/drive/drivers.h"

// A section that springs move.
typedef struct GtiSpring {
    int32_t first_value; // offsets of its points, among the section values
    int32_t value_count;
} GtiSpring;

// A value that is a part of a material.
typedef struct GtiMaterialValue {
    int32_t value;
    int32_t material;
    int part; // of gti_material_part()
} GtiMaterialValue;

struct GtSculptPlayer {
    GtSculptPlayerDef def;
    GtArena arena;            // which holds this
    const GtDrivers* drivers; // of the def, or made from its sculpt
    GtDrivers* made;          // the latter, or NULL
    int32_t sensor_count;     // of the drivers
    GtiSpring* springs;       // [spring_count]
    int32_t spring_count;
    int32_t spring_width;        // values of all springs
    GtiMaterialValue* materials; // [material_count]
    int32_t material_count;
    double start_s, rate_hz;
    int32_t row_count;   // 0 for no tables
    float* sensed;       // [row_count * sensor_count]
    float* sprung;       // [row_count * spring_width] what springs add to offsets
    GtSculptFold* folds; // [fold_count]
    int32_t fold_count;
};

// Fill the tables.
GtResult gti_player_simulate(const GtContext* context, GtSculptPlayer* player, const GtHumanoidMap* map,
                             GtError* error);

// Clip and tracks alone, without springs and gt_instance_update().
// materials: as of gt_sculpt_play_looks(), or NULL
void gti_player_drive(const GtSculptPlayer* player, double time_s, GtInstance* instance, GtMaterialLook* materials);

#endif

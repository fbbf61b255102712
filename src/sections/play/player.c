// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Drivers run in any order of times, by tables of what sensors say and springs add.

#include "sections/play/player.h"

#include "gertie/map.h"

#include "base/fail.h"
#include "sections/play/drivers.h"
#include "sections/play/folds.h"
#include "shapes/material.h"

#include <math.h>

GtSculptPlayerDef gt_default_sculpt_player_def(void)
{
    return (GtSculptPlayerDef){ .animation = GT_NONE, .start_s = NAN };
}

// Which values are parts of materials.
static GtResult find_materials(GtSculptPlayer* player, GtError* error)
{
    const GtDriversDef* def = gt_drivers_def(player->drivers);
    player->materials = gt_arena_push_array(&player->arena, (size_t)def->value_count, sizeof *player->materials);
    if (!player->materials) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < def->value_count; ++i) {
        GtiMaterialValue* own = &player->materials[player->material_count];
        own->value = i;
        bool is_part = gti_material_channel(player->def.scene, def->values[i].name, &own->material, &own->part);
        player->material_count += is_part && own->material != GT_NONE;
    }
    return GT_OK;
}

// What drives it, and the joints that its sensors are about.
static GtResult find_drivers(const GtContext* context, GtSculptPlayer* player, GtHumanoidMap* map, GtError* error)
{
    GtMapDef def = gt_default_map_def();
    player->drivers = player->def.drivers;
    if (player->drivers) {
        return GT_OK;
    }
    GtResult result = GT_OK;
    if (player->def.map) {
        *map = *player->def.map;
    } else {
        result = gt_map_humanoid(context, player->def.scene, &def, map, NULL, error);
    }
    if (result == GT_OK) {
        result = gti_sculpt_drivers(context, player->def.scene, map, player->def.sculpt, player->def.character, false,
                                    &player->made, error);
    }
    player->drivers = player->made;
    return result;
}

static GtResult make(const GtContext* context, GtSculptPlayer* player, GtError* error)
{
    GtHumanoidMap map = gt_humanoid_map_empty();
    player->start_s = player->def.start_s;
    if (isnan(player->start_s)) {
        player->start_s = player->def.clip ? gt_clip_start_s(player->def.clip) : 0.0;
    }
    GtResult result = find_drivers(context, player, &map, error);
    if (result != GT_OK) {
        return result;
    }
    player->sensor_count = gt_drivers_def(player->drivers)->sensor_count;
    result = find_materials(player, error);
    if (result == GT_OK) {
        result = gti_player_simulate(context, player, &map, error);
    }
    return result == GT_OK ? gti_player_find_folds(context, player, error) : result;
}

GtResult gt_sculpt_player_create(const GtContext* context, const GtSculptPlayerDef* def, GtSculptPlayer** out,
                                 GtError* error)
{
    def = def ? def : (GtSculptPlayerDef[]){ gt_default_sculpt_player_def() };
    *out = NULL;
    if (!def->scene || !(def->sculpt || def->drivers) || !def->character) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a player needs a scene, a sculpt or drivers, and a character");
    }
    GtArena arena = gt_arena_create(context->allocator);
    GtSculptPlayer* player = gt_arena_push_array(&arena, 1, sizeof *player);
    if (!player) {
        return gti_out_of_memory(error);
    }
    player->def = *def;
    player->arena = arena;
    GtResult result = make(context, player, error);
    if (result != GT_OK) {
        gt_sculpt_player_destroy(player);
        return result;
    }
    *out = player;
    return GT_OK;
}

void gt_sculpt_player_destroy(GtSculptPlayer* player)
{
    if (player) {
        gt_drivers_destroy(player->made);
        gt_arena_destroy(&player->arena);
    }
}

// Two rows of a table and how far a time is from one to the other.
typedef struct Rows {
    const float* from;
    const float* to;
    float share;
} Rows;

static Rows find_rows(const GtSculptPlayer* player, const float* table, int32_t width, double time_s)
{
    double at = fmax((time_s - player->start_s) * player->rate_hz, 0.0);
    double last = (double)(player->row_count - 1);
    double row = floor(fmin(at, last));
    const float* from = table + (size_t)row * (size_t)width;
    return (Rows){ from, row < last ? from + width : from, (float)(fmin(at, last) - row) };
}

static float between(const Rows* rows, int32_t i)
{
    return rows->from[i] + rows->share * (rows->to[i] - rows->from[i]);
}

void gti_player_drive(const GtSculptPlayer* player, double time_s, GtInstance* instance, GtMaterialLook* materials)
{
    float sensed[GT_DRIVERS_MAX_VALUES] = { 0 };
    float values[GT_DRIVERS_MAX_VALUES];
    gt_instance_reset(instance);
    if (player->def.clip) {
        gt_clip_sample(player->def.clip, fmax(time_s, player->start_s), instance->pose, instance->weights);
    }
    if (player->row_count > 0 && player->sensor_count > 0) {
        Rows rows = find_rows(player, player->sensed, player->sensor_count, time_s);
        for (int32_t i = 0; i < player->sensor_count; ++i) {
            sensed[i] = between(&rows, i);
        }
    }
    gti_drivers_run(player->drivers, time_s, sensed, NULL, values, instance);
    for (int32_t i = 0; materials && i < player->material_count; ++i) {
        const GtiMaterialValue* own = &player->materials[i];
        *gti_material_part(&materials[own->material], own->part) = values[own->value];
    }
}

bool gt_sculpt_changes_material(const GtSculptPlayer* player, int32_t material)
{
    for (int32_t i = 0; i < player->material_count; ++i) {
        if (player->materials[i].material == material) {
            return true;
        }
    }
    return false;
}

void gt_sculpt_play(const GtSculptPlayer* player, double time_s, GtInstance* instance)
{
    gt_sculpt_play_looks(player, time_s, instance, NULL);
}

void gt_sculpt_play_looks(const GtSculptPlayer* player, double time_s, GtInstance* instance, GtMaterialLook* materials)
{
    gti_player_drive(player, time_s, instance, materials);
    if (player->row_count > 0 && player->spring_width > 0) {
        Rows rows = find_rows(player, player->sprung, player->spring_width, time_s);
        int32_t at = 0;
        for (int32_t s = 0; s < player->spring_count; ++s) {
            float* offsets = instance->section_values + player->springs[s].first_value;
            for (int32_t i = 0; i < player->springs[s].value_count; ++i) {
                offsets[i] += between(&rows, at++);
            }
        }
    }
    gt_instance_update(instance);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Tables of a player: first what sensors say of the clip, then, with tracks that read them, springs from rest.

#include "sections/play/player.h"

#include "base/fail.h"
#include "figure/figure.h"
#include "sections/play/sensors.h"

#include <math.h>
#include <string.h>

enum {
    MOST_NUMBERS = 1 << 26, // of the tables
    LEAST_RATE_HZ = 15
};

static const double table_rate_hz = 60.0;

double gt_sculpt_player_end_s(const GtSculptPlayer* player)
{
    if (player->def.clip) {
        return gt_clip_end_s(player->def.clip);
    }
    double end = player->start_s;
    const GtDriversDef* def = gt_drivers_def(player->drivers);
    for (int32_t i = 0; i < def->track_count; ++i) {
        const GtTrackBinding* track = &def->tracks[i];
        end = track->curve && !track->input ? fmax(end, gt_curve_end_s(track->curve)) : end;
    }
    return end;
}

// Rows of the tables: 60 a second, fewer where there would be too many.
static GtResult open_tables(GtSculptPlayer* player, GtError* error)
{
    size_t width = (size_t)player->sensor_count + (size_t)player->spring_width;
    double length_s = gt_sculpt_player_end_s(player) - player->start_s;
    if (width == 0 || !(length_s > 0.0)) {
        return GT_OK;
    }
    player->rate_hz = fmin(table_rate_hz, (double)MOST_NUMBERS / (double)width / length_s);
    if (!(player->rate_hz >= LEAST_RATE_HZ)) {
        return gti_fail(error, GT_ERROR_LIMIT, "%.0f seconds are too long to simulate %zu numbers", length_s, width);
    }
    player->row_count = (int32_t)ceil(length_s * player->rate_hz) + 1;
    size_t rows = (size_t)player->row_count;
    player->sensed = gt_arena_push_array(&player->arena, rows * (size_t)player->sensor_count, sizeof *player->sensed);
    player->sprung = gt_arena_push_array(&player->arena, rows * (size_t)player->spring_width, sizeof *player->sprung);
    return player->sensed && player->sprung ? GT_OK : gti_out_of_memory(error);
}

static double time_of(const GtSculptPlayer* player, int32_t row)
{
    return player->start_s + (double)row / player->rate_hz;
}

static float* cell(const GtSculptPlayer* player, int32_t row, int32_t sensor)
{
    return &player->sensed[(size_t)row * (size_t)player->sensor_count + (size_t)sensor];
}

// Speeds by central differences of where joints are in the clip.
static GtResult sense_speeds(GtSculptPlayer* player, GtArena* scratch, GtInstance* instance, GtError* error)
{
    size_t width = (size_t)player->sensor_count;
    const GtSensorDef* sensors = gt_drivers_def(player->drivers)->sensors;
    GtVec3* places = gt_arena_push_array(scratch, (size_t)player->row_count * width, sizeof *places);
    if (!places) {
        return gti_out_of_memory(error);
    }
    for (int32_t row = 0; row < player->row_count; ++row) {
        gt_instance_reset(instance);
        gt_clip_sample(player->def.clip, time_of(player, row), instance->pose, instance->weights);
        gt_instance_update(instance);
        for (size_t i = 0; i < width; ++i) {
            const GtSensorPoint* point = sensors[i].points;
            places[(size_t)row * width + i] =
                sensors[i].point_count > 0 ? gt_mat34_point(&instance->model_from_node[point->node], point->place)
                                           : gt_vec3(0.0f, 0.0f, 0.0f);
        }
    }
    for (int32_t row = 0; row < player->row_count; ++row) {
        int32_t before = row > 0 ? row - 1 : row;
        int32_t next = row + 1 < player->row_count ? row + 1 : row;
        float rate = (float)player->rate_hz / (float)(next > before ? next - before : 1);
        for (int32_t i = 0; i < player->sensor_count; ++i) {
            GtVec3 way =
                gt_vec3_sub(places[(size_t)next * width + (size_t)i], places[(size_t)before * width + (size_t)i]);
            *cell(player, row, i) = rate * gt_vec3_length(way);
        }
    }
    return GT_OK;
}

static GtResult sense_contacts(const GtContext* context, GtSculptPlayer* player, const GtHumanoidMap* map,
                               GtError* error)
{
    GtContacts* contacts = NULL;
    GtContactsDef def = gt_default_contacts_def();
    GtFigureDef figure_def = gti_figure_playing(player->def.animation, map);
    figure_def.map_is_whole = true;
    GtFigure figure; // without the sections, which feel these contacts
    GtResult result = gt_figure_open(context, player->def.scene, &figure_def, &figure, error);
    if (result == GT_OK) {
        result = gt_contacts_find(context, &figure, &def, &contacts, error);
    }
    for (int32_t i = 0; i < player->sensor_count && result == GT_OK; ++i) {
        uint8_t parts = gti_sensor_parts(gt_drivers_def(player->drivers)->sensors[i].name);
        for (int32_t row = 0; row < player->row_count && parts; ++row) {
            *cell(player, row, i) = gti_sensor_contact(contacts, parts, time_of(player, row));
        }
    }
    gt_contacts_destroy(contacts);
    gt_figure_close(&figure);
    return result;
}

// What sensors say while the clip is played, frame after frame.
static GtResult sense_live(const GtContext* context, GtSculptPlayer* player, GtInstance* instance, GtError* error)
{
    GtDriversState* state = NULL;
    GtDriversFrame frame = gt_default_drivers_frame();
    int32_t value_count = gt_drivers_def(player->drivers)->value_count;
    GtResult result = gt_drivers_state_create(context->allocator, player->drivers, &state, error);
    for (int32_t row = 0; row < player->row_count && result == GT_OK; ++row) {
        frame.time_s = time_of(player, row);
        frame.step_s = row > 0 ? 1.0 / player->rate_hz : 0.0;
        gt_instance_reset(instance);
        gt_clip_sample(player->def.clip, frame.time_s, instance->pose, instance->weights);
        gt_drivers_step(&frame, state, instance);
        memcpy(cell(player, row, 0), state->values + value_count, (size_t)player->sensor_count * sizeof(float));
    }
    gt_drivers_state_destroy(state);
    return result;
}

static GtResult sense(const GtContext* context, GtSculptPlayer* player, const GtHumanoidMap* map, GtArena* scratch,
                      GtInstance* instance, GtError* error)
{
    bool has_contacts = false;
    for (int32_t i = 0; i < player->sensor_count; ++i) {
        has_contacts = has_contacts || gt_drivers_def(player->drivers)->sensors[i].kind == GT_SENSOR_CONTACT;
    }
    if (player->row_count == 0 || player->sensor_count == 0 || !player->def.clip) {
        return GT_OK;
    }
    if (player->def.drivers) {
        return sense_live(context, player, instance, error);
    }
    GtResult result = sense_speeds(player, scratch, instance, error);
    return result == GT_OK && has_contacts ? sense_contacts(context, player, map, error) : result;
}

// Each section that springs move once, however many do.
static GtResult open_springs(GtSculptPlayer* player, GtError* error)
{
    const GtDriversDef* def = gt_drivers_def(player->drivers);
    player->springs = gt_arena_push_array(&player->arena, (size_t)def->jiggle_count, sizeof *player->springs);
    if (!player->springs) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < def->jiggle_count; ++i) {
        const GtSectionDef* section = &gt_character_def(def->character)->sections[def->jiggles[i].section];
        int32_t first = gt_section_first_value(def->character, def->jiggles[i].section) + 1 + section->pose_count;
        int32_t count = 3 * gt_lattice_point_count(&section->lattice);
        bool is_known = false;
        for (int32_t k = 0; k < player->spring_count; ++k) {
            is_known = is_known || player->springs[k].first_value == first;
        }
        if (!is_known) {
            player->springs[player->spring_count++] = (GtiSpring){ first, count };
            player->spring_width += count;
        }
    }
    return GT_OK;
}

// A row: joints have moved on. What springs add is what the values have more than before.
static void swing(const GtSculptPlayer* player, void* states, GtInstance* instance, float* out)
{
    GtMat34 world_from_model = gt_mat34_identity();
    float* at = out;
    for (int32_t i = 0; i < player->spring_count; at += player->springs[i++].value_count) {
        const GtiSpring* spring = &player->springs[i];
        memcpy(at, instance->section_values + spring->first_value, (size_t)spring->value_count * sizeof *at);
    }
    gti_drivers_swing(player->drivers, &world_from_model, 1.0 / player->rate_hz, states, instance);
    at = out;
    for (int32_t i = 0; i < player->spring_count; ++i) {
        const float* values = instance->section_values + player->springs[i].first_value;
        for (int32_t k = 0; k < player->springs[i].value_count; ++k, ++at) {
            *at = values[k] - *at;
        }
    }
}

static GtResult swing_all(GtSculptPlayer* player, GtArena* scratch, GtInstance* instance, GtError* error)
{
    void* states = gt_arena_push(scratch, gti_drivers_springs_size(player->drivers));
    if (!states) {
        return gti_out_of_memory(error);
    }
    gti_drivers_springs_reset(player->drivers, states);
    for (int32_t row = 0; row < player->row_count; ++row) {
        gti_player_drive(player, time_of(player, row), instance, NULL);
        gt_instance_update(instance);
        swing(player, states, instance, player->sprung + (size_t)row * (size_t)player->spring_width);
    }
    return GT_OK;
}

GtResult gti_player_simulate(const GtContext* context, GtSculptPlayer* player, const GtHumanoidMap* map, GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    GtInstance* instance = NULL;
    GtResult result = open_springs(player, error);
    if (result == GT_OK) {
        result = open_tables(player, error);
    }
    if (result == GT_OK && player->row_count > 0) {
        result = gt_instance_create(context->allocator, player->def.character, &instance, error);
    }
    if (result == GT_OK) {
        result = sense(context, player, map, &scratch, instance, error);
    }
    if (result == GT_OK && player->row_count > 0 && player->spring_count > 0) {
        result = swing_all(player, &scratch, instance, error);
    }
    gt_instance_destroy(instance);
    gt_arena_destroy(&scratch);
    return result;
}

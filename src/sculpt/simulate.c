// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Tables of a player: first what sensors say of the clip, then, with tracks that read them, springs from rest.

#include "sculpt/player.h"

#include <math.h>
#include <string.h>

enum {
    MOST_NUMBERS = 1 << 26, // of the tables
    LEAST_RATE_HZ = 15
};

static const double table_rate_hz = 60.0;

// When the motion ends: with the clip, or with the last key over time.
static double find_end(const GtSculptPlayer* player)
{
    if (player->def.clip) {
        return gt_clip_end_s(player->def.clip);
    }
    double end = player->start_s;
    for (int32_t i = 0; i < player->def.sculpt->track_count; ++i) {
        const GtSculptTrack* track = &player->def.sculpt->tracks[i];
        end = track->curve && !track->input ? fmax(end, gt_key_curve_end_s(track->curve)) : end;
    }
    return end;
}

// Rows of the tables: 60 a second, fewer where there would be too many.
static GtResult open_tables(GtSculptPlayer* player, GtError* error)
{
    size_t width = (size_t)player->sensor_count + (size_t)player->spring_width;
    double length_s = find_end(player) - player->start_s;
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
    GtVec3* places = gt_arena_push_array(scratch, (size_t)player->row_count * width, sizeof *places);
    if (!places) {
        return gti_out_of_memory(error);
    }
    for (int32_t row = 0; row < player->row_count; ++row) {
        gt_instance_reset(instance);
        gt_clip_sample(player->def.clip, time_of(player, row), instance->pose, instance->weights);
        gt_instance_update(instance);
        for (size_t i = 0; i < width; ++i) {
            int32_t node = player->sensors[i].node;
            places[(size_t)row * width + i] =
                node != GT_NONE ? gt_mat34_translation(&instance->model_from_node[node]) : gt_vec3(0.0f, 0.0f, 0.0f);
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
    def.animation = player->def.animation;
    def.map = map;
    GtResult result = gt_contacts_find(context, player->def.scene, &def, &contacts, error);
    for (int32_t i = 0; i < player->sensor_count && result == GT_OK; ++i) {
        for (int32_t row = 0; row < player->row_count && player->sensors[i].parts; ++row) {
            *cell(player, row, i) = gti_sensor_contact(contacts, player->sensors[i].parts, time_of(player, row));
        }
    }
    gt_contacts_destroy(contacts);
    return result;
}

static GtResult sense(const GtContext* context, GtSculptPlayer* player, const GtHumanoidMap* map, GtArena* scratch,
                      GtInstance* instance, GtError* error)
{
    bool has_contacts = false;
    for (int32_t i = 0; i < player->sensor_count; ++i) {
        has_contacts = has_contacts || player->sensors[i].parts;
    }
    if (player->row_count == 0 || player->sensor_count == 0 || !player->def.clip) {
        return GT_OK;
    }
    GtResult result = sense_speeds(player, scratch, instance, error);
    return result == GT_OK && has_contacts ? sense_contacts(context, player, map, error) : result;
}

GtResult gti_player_simulate(const GtContext* context, GtSculptPlayer* player, const GtHumanoidMap* map, GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    GtInstance* instance = NULL;
    GtResult result = open_tables(player, error);
    if (result == GT_OK && player->row_count > 0) {
        result = gt_instance_create(context->allocator, player->def.character, &instance, error);
    }
    if (result == GT_OK) {
        result = sense(context, player, map, &scratch, instance, error);
    }
    gt_instance_destroy(context->allocator, instance);
    gt_arena_destroy(&scratch);
    return result;
}

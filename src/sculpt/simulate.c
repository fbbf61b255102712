// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Tables of a player: first what sensors say of the clip, then, with tracks that read them, springs from rest.

#include "sculpt/player.h"

#include "gertie/jiggle.h"

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

static GtResult open_springs(GtSculptPlayer* player, GtError* error)
{
    const GtSculpt* sculpt = player->def.sculpt;
    player->springs = gt_arena_push_array(&player->arena, (size_t)sculpt->jiggle_count, sizeof *player->springs);
    if (!player->springs) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < sculpt->jiggle_count; ++i) {
        const GtSculptJiggle* jiggle = &sculpt->jiggles[i];
        const GtSectionDef* section = &sculpt->sections[jiggle->section].def;
        int32_t first = gt_section_first_value(player->def.character, jiggle->section) + 1 + section->pose_count;
        int32_t count = 3 * gt_lattice_point_count(&section->lattice);
        player->springs[player->spring_count++] = (GtiSpring){ first, count, jiggle };
        player->spring_width += count;
    }
    return GT_OK;
}

// What swings of one section.
typedef struct Flesh {
    GtJiggleDef def;
    void* state;
    const GtiSpring* spring;
} Flesh;

// Points stay within half of the shortest edge of the box: beyond, a lattice would fold.
static float find_limit(const GtLatticeDef* lattice)
{
    float columns[16];
    float shortest = INFINITY;
    gt_mat34_to_columns(&lattice->space_from_box, columns);
    for (int a = 0; a < 3; ++a) {
        GtVec3 edge = gt_vec3(columns[4 * a], columns[4 * a + 1], columns[4 * a + 2]);
        shortest = fminf(shortest, gt_vec3_length(edge));
    }
    return 0.5f * shortest;
}

static GtResult open_flesh(const GtSculptPlayer* player, const GtiSpring* spring, GtArena* arena, Flesh* out,
                           GtError* error)
{
    const GtSculptJiggle* jiggle = spring->jiggle;
    const GtCharacter* character = player->def.character;
    out->spring = spring;
    out->def = gt_default_jiggle_def();
    out->def.section = jiggle->section;
    out->def.frequency_hz = jiggle->frequency_hz;
    out->def.damping = jiggle->damping;
    out->def.strength = jiggle->strength;
    out->def.limit_m = find_limit(&player->def.sculpt->sections[jiggle->section].def.lattice);
    out->def.gravity = gt_vec3(0.0f, -9.81f * jiggle->gravity, 0.0f);
    out->def.holds = jiggle->holds;
    GtResult result = gt_jiggle_check(&out->def, character, error);
    if (result != GT_OK) {
        return result;
    }
    out->state = gt_arena_push(arena, gt_jiggle_state_size(&out->def, character));
    if (!out->state) {
        return gti_out_of_memory(error);
    }
    gt_jiggle_reset(&out->def, character, out->state);
    return GT_OK;
}

// A row: the joint has moved on. What the spring adds is what the values have more than before.
static void swing(const GtSculptPlayer* player, const GtInstance* instance, Flesh* flesh, float* out)
{
    float* values = instance->section_values + flesh->spring->first_value;
    size_t count = (size_t)flesh->spring->value_count;
    memcpy(out, values, count * sizeof *out);
    gt_jiggle_step(&flesh->def, player->def.character, instance->model_from_node, 1.0 / player->rate_hz, flesh->state,
                   instance->section_values);
    for (size_t i = 0; i < count; ++i) {
        out[i] = values[i] - out[i];
    }
}

static GtResult swing_all(GtSculptPlayer* player, GtArena* scratch, GtInstance* instance, GtError* error)
{
    Flesh* flesh = gt_arena_push_array(scratch, (size_t)player->spring_count, sizeof *flesh);
    GtResult result = flesh ? GT_OK : gti_out_of_memory(error);
    for (int32_t i = 0; i < player->spring_count && result == GT_OK; ++i) {
        result = open_flesh(player, &player->springs[i], scratch, &flesh[i], error);
    }
    if (result != GT_OK) {
        return result;
    }
    for (int32_t row = 0; row < player->row_count; ++row) {
        float* out = player->sprung + (size_t)row * (size_t)player->spring_width;
        gti_player_drive(player, time_of(player, row), instance);
        gt_instance_update(instance);
        for (int32_t i = 0; i < player->spring_count; ++i) {
            swing(player, instance, &flesh[i], out);
            out += player->springs[i].value_count;
        }
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
    gt_instance_destroy(context->allocator, instance);
    gt_arena_destroy(&scratch);
    return result;
}

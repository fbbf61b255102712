// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Tracks are bound to the character at hand: controls kept in their range by a track of their own, sensors as values
// that a table has.

#include "sculpt/player.h"

#include "gertie/formula.h"
#include "gertie/map.h"

#include "sculpt/shape_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

GtSculptPlayerDef gt_default_sculpt_player_def(void)
{
    return (GtSculptPlayerDef){ .animation = GT_NONE, .start_s = NAN };
}

// While a player is made.
typedef struct Maker {
    const GtContext* context;
    GtSculptPlayer* player;
    GtHumanoidMap map;
    GtArena scratch;
    GtTrackBinding* tracks; // [track_count], those of controls followed by one that keeps them in range
    int32_t* sources;       // [track_count] track of the sculpt
    int32_t track_count;
    const char** value_names; // [GTI_PLAYER_MAX_VALUES]
    GtError* error;
} Maker;

static GtResult add_value(Maker* k, const char* name, float rest)
{
    GtSculptPlayer* player = k->player;
    if (player->value_count == GTI_PLAYER_MAX_VALUES) {
        return gti_fail(k->error, GT_ERROR_LIMIT, "more than %d controls and sensors", GTI_PLAYER_MAX_VALUES);
    }
    k->value_names[player->value_count] = name;
    player->rest_values[player->value_count++] = rest;
    return name ? GT_OK : gti_out_of_memory(k->error);
}

static const char* print_name(GtArena* arena, const char* prefix, const char* name)
{
    size_t size = strlen(prefix) + strlen(name) + 1;
    char* text = gt_arena_push_array(arena, size, 1);
    if (text) {
        snprintf(text, size, "%s%s", prefix, name);
    }
    return text;
}

static GtResult add_controls(Maker* k)
{
    GtSculptPlayer* player = k->player;
    const GtSculpt* sculpt = player->def.sculpt;
    k->value_names = gt_arena_push_array(&k->scratch, GTI_PLAYER_MAX_VALUES, sizeof *k->value_names);
    player->rest_values = gt_arena_push_array(&player->arena, GTI_PLAYER_MAX_VALUES, sizeof *player->rest_values);
    player->sensors = gt_arena_push_array(&player->arena, GTI_PLAYER_MAX_VALUES, sizeof *player->sensors);
    GtResult result = k->value_names && player->rest_values && player->sensors ? GT_OK : gti_out_of_memory(k->error);
    if (result == GT_OK && sculpt->shapes) {
        result = gti_shapes_compile(k->context, player->def.scene, sculpt, &player->shapes, k->error);
    }
    const GtShapeControls* shapes = player->shapes; // whose values begin with the controls
    for (int32_t i = 0; shapes && i < shapes->value_count && result == GT_OK; ++i) {
        result = add_value(k, shapes->value_names[i], shapes->value_rests[i]);
    }
    for (int32_t i = 0; !shapes && i < sculpt->control_count && result == GT_OK; ++i) {
        result = add_value(k, print_name(&k->scratch, "control:", sculpt->controls[i].name), sculpt->controls[i].rest);
    }
    player->first_sensed = player->value_count;
    return result;
}

static bool is_known(const Maker* k, const char* name)
{
    for (int32_t i = 0; i < k->player->value_count; ++i) {
        if (strcmp(k->value_names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

// The sensors that a formula names. One that is no formula is found out when it is bound.
static GtResult add_sensors_of(Maker* k, const char* text)
{
    GtSculptPlayer* player = k->player;
    GtFormula* formula = NULL;
    if (!text || gt_formula_create(k->scratch.allocator, text, &formula, NULL) != GT_OK) {
        return GT_OK;
    }
    GtResult result = GT_OK;
    for (int32_t i = 0; i < gt_formula_name_count(formula) && result == GT_OK; ++i) {
        const char* name = gt_formula_name(formula, i);
        if (!gti_sensor_is(name) || is_known(k, name)) {
            continue;
        }
        const char* own = gt_arena_push_text(&player->arena, name, strlen(name));
        result = add_value(k, own, 0.0f);
        if (result == GT_OK) {
            result = gti_sensor_find(player->def.scene, &k->map, player->def.character, own,
                                     &player->sensors[player->sensor_count++], k->error);
        }
    }
    gt_formula_destroy(formula);
    return result;
}

static const GtSculptControl* find_control(const GtSculpt* sculpt, const char* channel)
{
    static const char prefix[] = "control:";
    for (int32_t i = 0; strncmp(channel, prefix, sizeof prefix - 1) == 0 && i < sculpt->control_count; ++i) {
        if (strcmp(sculpt->controls[i].name, channel + sizeof prefix - 1) == 0) {
            return &sculpt->controls[i];
        }
    }
    return NULL;
}

static GtResult keep_in_range(Maker* k, const char* channel, const GtSculptControl* control, GtTrackBinding* out)
{
    size_t size = strlen(channel) + 64;
    char* formula = gt_arena_push_array(&k->scratch, size, 1);
    if (!formula) {
        return gti_out_of_memory(k->error);
    }
    snprintf(formula, size, "clamp(%.9g, %.9g, '%s')", (double)control->min, (double)control->max, channel);
    *out = (GtTrackBinding){ .channel = channel, .formula = formula };
    return GT_OK;
}

static GtResult add_track(Maker* k, int32_t source)
{
    GtSculptPlayer* player = k->player;
    const GtSculptTrack* track = &player->def.sculpt->tracks[source];
    GtTrackBinding binding = { .channel = track->channel,
                               .curve = track->formula ? NULL : track->curve,
                               .formula = track->formula,
                               .input = track->input };
    if (gti_sensor_is(track->channel)) {
        return gti_fail(k->error, GT_ERROR_BAD_VALUE, "'%.80s' is read, not driven", track->channel);
    }
    GtResult result = add_sensors_of(k, track->formula);
    if (result == GT_OK) {
        result = add_sensors_of(k, track->input);
    }
    const GtSculptControl* control = find_control(player->def.sculpt, track->channel);
    k->sources[k->track_count] = source;
    k->tracks[k->track_count++] = binding;
    if (result == GT_OK && control) {
        k->sources[k->track_count] = source;
        result = keep_in_range(k, binding.channel, control, &k->tracks[k->track_count++]);
    }
    return result;
}

// Say of an error which track of the file it is in.
static GtResult name_track(Maker* k, GtResult result, int32_t source)
{
    const GtSculpt* sculpt = k->player->def.sculpt;
    if (result != GT_OK && result != GT_ERROR_OUT_OF_MEMORY && k->error) {
        snprintf(k->error->where, sizeof k->error->where, "tracks[%d] '%.80s'", (int)source,
                 sculpt->tracks[source].channel);
        if (sculpt->file) {
            gti_error_set_file(k->error, sculpt->file);
        }
    }
    return result;
}

static GtResult bind_tracks(Maker* k)
{
    GtSculptPlayer* player = k->player;
    const GtSculpt* sculpt = player->def.sculpt;
    GtResult result = add_controls(k);
    int32_t shape_count = player->shapes ? player->shapes->track_count : 0;
    size_t room = 2 * (size_t)sculpt->track_count + (size_t)shape_count;
    k->tracks = gt_arena_push_array(&k->scratch, room, sizeof *k->tracks);
    k->sources = gt_arena_push_array(&k->scratch, room, sizeof *k->sources);
    if (result == GT_OK && (!k->tracks || !k->sources)) {
        result = gti_out_of_memory(k->error);
    }
    for (int32_t i = 0; i < sculpt->track_count && result == GT_OK; ++i) {
        result = name_track(k, add_track(k, i), i);
    }
    if (result != GT_OK) {
        return result;
    }
    int32_t own_count = k->track_count;
    for (int32_t i = 0; i < shape_count; ++i) {
        k->tracks[k->track_count++] = player->shapes->tracks[i];
    }
    GtTrackSetDef def = gt_default_track_set_def();
    def.character = player->def.character;
    def.value_names = k->value_names;
    def.value_count = player->value_count;
    def.tracks = k->tracks;
    def.track_count = k->track_count;
    result = gt_track_set_create(k->context->allocator, &def, &player->set, k->error);
    int track = 0;
    if (result != GT_OK && k->error && sscanf(k->error->where, "track %d", &track) == 1 && track < own_count) {
        return name_track(k, result, k->sources[track]);
    }
    return result;
}

static GtResult make(Maker* k)
{
    GtSculptPlayer* player = k->player;
    GtMapDef def = gt_default_map_def();
    player->start_s = player->def.start_s;
    if (isnan(player->start_s)) {
        player->start_s = player->def.clip ? gt_clip_start_s(player->def.clip) : 0.0;
    }
    GtResult result = gt_map_humanoid(k->context, player->def.scene, &def, &k->map, NULL, k->error);
    if (result == GT_OK) {
        result = bind_tracks(k);
    }
    return result == GT_OK ? gti_player_simulate(k->context, player, &k->map, k->error) : result;
}

GtResult gt_sculpt_player_create(const GtContext* context, const GtSculptPlayerDef* def, GtSculptPlayer** out,
                                 GtError* error)
{
    *out = NULL;
    GtArena arena = gt_arena_create(context->allocator);
    GtSculptPlayer* player = gt_arena_push_array(&arena, 1, sizeof *player);
    if (!player) {
        return gti_out_of_memory(error);
    }
    player->def = *def;
    player->arena = arena;
    Maker k = { .context = context, .player = player, .scratch = gt_arena_create(context->allocator), .error = error };
    GtResult result = make(&k);
    gt_arena_destroy(&k.scratch);
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
        GtArena arena = player->arena; // which holds the player itself
        gt_track_set_destroy(player->set);
        gt_shape_controls_destroy(player->shapes);
        gt_arena_destroy(&arena);
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

void gti_player_drive(const GtSculptPlayer* player, double time_s, GtInstance* instance)
{
    float values[GTI_PLAYER_MAX_VALUES];
    gt_instance_reset(instance);
    if (player->def.clip) {
        gt_clip_sample(player->def.clip, fmax(time_s, player->start_s), instance->pose, instance->weights);
    }
    memcpy(values, player->rest_values, (size_t)player->value_count * sizeof *values);
    if (player->row_count > 0 && player->sensor_count > 0) {
        Rows rows = find_rows(player, player->sensed, player->sensor_count, time_s);
        for (int32_t i = 0; i < player->sensor_count; ++i) {
            values[player->first_sensed + i] = between(&rows, i);
        }
    }
    GtState state = { instance->pose, instance->weights, values, instance->section_values };
    gt_track_set_apply(player->set, time_s, state);
}

void gt_sculpt_play(const GtSculptPlayer* player, double time_s, GtInstance* instance)
{
    gti_player_drive(player, time_s, instance);
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

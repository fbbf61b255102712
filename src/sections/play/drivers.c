// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A sculpt becomes drivers of the character at hand: first its controls, then what its blend shapes need, then the
// sensors that formulas name; its tracks, then those of the shapes; its springs.

#include "sections/play/drivers.h"

#include "gertie/formula.h"
#include "gertie/map.h"

#include "base/fail.h"
#include "sections/file/shape_file.h"
#include "sections/play/sensors.h"
#include "shapes/material.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// While drivers are made.
typedef struct Maker {
    const GtContext* context;
    const GtScene* scene;
    const GtHumanoidMap* map;
    const GtSculpt* sculpt;
    const GtCharacter* character;
    GtArena arena;
    GtShapeControls* shapes; // or NULL
    GtDriverValue* values;   // [GT_DRIVERS_MAX_VALUES]
    GtSensorDef* sensors;    // [GT_DRIVERS_MAX_VALUES]
    GtTrackBinding* tracks;  // [track_count]
    GtJiggleDef* jiggles;    // [jiggle_count]
    GtDriversDef def;
    GtError* error;
} Maker;

static GtResult check_room(const Maker* k)
{
    return k->def.value_count + k->def.sensor_count < GT_DRIVERS_MAX_VALUES
               ? GT_OK
               : gti_fail(k->error, GT_ERROR_LIMIT, "more than %d controls and sensors", GT_DRIVERS_MAX_VALUES);
}

static GtResult add_value(Maker* k, const char* name, float rest, const GtShapeControl* control)
{
    GtResult result = check_room(k);
    if (result != GT_OK) {
        return result;
    }
    k->values[k->def.value_count++] = (GtDriverValue){
        .name = name,
        .rest = rest,
        .min = control ? control->min : -INFINITY,
        .max = control ? control->max : INFINITY,
    };
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
    const GtSculpt* sculpt = k->sculpt;
    GtResult result = GT_OK;
    if (gti_shapes_are_driven(sculpt)) {
        result = gti_shapes_compile(k->context, k->scene, sculpt, &k->shapes, k->error);
    }
    const GtShapeControls* shapes = k->shapes; // whose values begin with the controls
    for (int32_t i = 0; shapes && i < shapes->value_count && result == GT_OK; ++i) {
        const GtShapeControl* control = i < sculpt->control_count ? &sculpt->controls[i] : NULL;
        result = add_value(k, shapes->value_names[i], shapes->value_rests[i], control);
    }
    for (int32_t i = 0; !shapes && i < sculpt->control_count && result == GT_OK; ++i) {
        const GtShapeControl* control = &sculpt->controls[i];
        result = add_value(k, print_name(&k->arena, "control:", control->name), control->rest, control);
    }
    return result;
}

static bool is_known(const Maker* k, const char* name)
{
    for (int32_t i = 0; i < k->def.value_count; ++i) {
        if (strcmp(k->values[i].name, name) == 0) {
            return true;
        }
    }
    for (int32_t i = 0; i < k->def.sensor_count; ++i) {
        if (strcmp(k->sensors[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

// A material's part that a track drives or reads, and no control does.
static GtResult add_material(Maker* k, const char* channel)
{
    int32_t material = GT_NONE;
    int part = GT_NONE;
    if (!gti_material_channel(k->scene, channel, &material, &part) || is_known(k, channel)) {
        return GT_OK;
    }
    if (material == GT_NONE) {
        return gti_fail(k->error, GT_ERROR_NOT_FOUND,
                        "there is no '%.80s': write it like material:Face.color.r, .offset.x or .scale.y", channel);
    }
    GtMaterialLook look = gt_material_look(k->context, k->scene, material);
    const char* own = gt_arena_push_text(&k->arena, channel, strlen(channel));
    return add_value(k, own, *gti_material_part(&look, part), NULL);
}

// The sensors and materials that a formula names. One that is no formula is found out when it is bound.
static GtResult add_sensors_of(Maker* k, const char* text)
{
    GtFormula* formula = NULL;
    GtResult result = text ? gt_formula_create(k->arena.allocator, text, &formula, NULL) : GT_OK;
    if (!formula) {
        return result == GT_ERROR_OUT_OF_MEMORY ? gti_out_of_memory(k->error) : GT_OK;
    }
    for (int32_t i = 0; i < gt_formula_name_count(formula) && result == GT_OK; ++i) {
        const char* name = gt_formula_name(formula, i);
        result = add_material(k, name);
        if (result != GT_OK || !gti_sensor_is(name) || is_known(k, name)) {
            continue;
        }
        const char* own = gt_arena_push_text(&k->arena, name, strlen(name));
        result = own ? check_room(k) : gti_out_of_memory(k->error);
        if (result == GT_OK) {
            result = gti_sensor_find(k->scene, k->map, k->character, own, &k->sensors[k->def.sensor_count++], k->error);
        }
    }
    gt_formula_destroy(formula);
    return result;
}

// Say of an error which track of the file it is in.
static GtResult name_track(const Maker* k, GtResult result, int32_t track)
{
    if (result != GT_OK && result != GT_ERROR_OUT_OF_MEMORY && k->error) {
        snprintf(k->error->where, sizeof k->error->where, "tracks[%d] '%.80s'", (int)track,
                 k->sculpt->tracks[track].channel);
        if (k->sculpt->file) {
            gti_error_set_file(k->error, k->sculpt->file);
        }
    }
    return result;
}

static GtResult add_track(Maker* k, const GtSculptTrack* track)
{
    if (gti_sensor_is(track->channel)) {
        return gti_fail(k->error, GT_ERROR_BAD_VALUE, "'%.80s' is read, not driven", track->channel);
    }
    k->tracks[k->def.track_count++] = (GtTrackBinding){ .channel = track->channel,
                                                        .curve = track->formula ? NULL : track->curve,
                                                        .formula = track->formula,
                                                        .input = track->input };
    GtResult result = add_material(k, track->channel);
    if (result == GT_OK) {
        result = add_sensors_of(k, track->formula);
    }
    return result == GT_OK ? add_sensors_of(k, track->input) : result;
}

static GtResult add_tracks(Maker* k)
{
    int32_t shape_count = k->shapes ? k->shapes->track_count : 0;
    size_t count = (size_t)k->sculpt->track_count + (size_t)shape_count;
    k->tracks = gt_arena_push_array(&k->arena, count, sizeof *k->tracks);
    GtResult result = k->tracks ? GT_OK : gti_out_of_memory(k->error);
    for (int32_t i = 0; i < k->sculpt->track_count && result == GT_OK; ++i) {
        result = name_track(k, add_track(k, &k->sculpt->tracks[i]), i);
    }
    for (int32_t i = 0; i < shape_count && result == GT_OK; ++i) {
        k->tracks[k->def.track_count++] = k->shapes->tracks[i];
    }
    return result;
}

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

static GtResult add_jiggles(Maker* k)
{
    const GtSculpt* sculpt = k->sculpt;
    k->jiggles = gt_arena_push_array(&k->arena, (size_t)sculpt->jiggle_count, sizeof *k->jiggles);
    if (!k->jiggles) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t i = 0; i < sculpt->jiggle_count; ++i) {
        const GtSculptJiggle* from = &sculpt->jiggles[i];
        GtJiggleDef* jiggle = &k->jiggles[k->def.jiggle_count++];
        *jiggle = gt_default_jiggle_def();
        jiggle->section = from->section;
        jiggle->frequency_hz = from->frequency_hz;
        jiggle->damping = from->damping;
        jiggle->strength = from->strength;
        jiggle->limit_m = find_limit(&sculpt->sections[from->section].def.lattice);
        jiggle->gravity = gt_vec3(0.0f, -9.81f * from->gravity, 0.0f);
        jiggle->holds = from->holds;
    }
    return GT_OK;
}

static GtResult make(Maker* k, bool is_live, GtDrivers** out)
{
    k->values = gt_arena_push_array(&k->arena, GT_DRIVERS_MAX_VALUES, sizeof *k->values);
    k->sensors = gt_arena_push_array(&k->arena, GT_DRIVERS_MAX_VALUES, sizeof *k->sensors);
    GtResult result = k->values && k->sensors ? add_controls(k) : gti_out_of_memory(k->error);
    result = result == GT_OK ? add_tracks(k) : result;
    result = result == GT_OK ? add_jiggles(k) : result;
    if (result == GT_OK && is_live) {
        result = gti_sensors_find_feet(k->context, k->scene, k->map, k->character, k->sensors, k->def.sensor_count,
                                       k->error);
    }
    if (result != GT_OK) {
        return result;
    }
    k->def.character = k->character;
    k->def.values = k->values;
    k->def.sensors = k->sensors;
    k->def.tracks = k->tracks;
    k->def.jiggles = k->jiggles;
    result = gt_drivers_create(k->context->allocator, &k->def, out, k->error);
    int track = 0;
    bool is_own = result != GT_OK && k->error && sscanf(k->error->where, "track %d", &track) == 1 &&
                  track < k->sculpt->track_count;
    return is_own ? name_track(k, result, track) : result;
}

GtResult gti_sculpt_drivers(const GtContext* context, const GtScene* scene, const GtHumanoidMap* map,
                            const GtSculpt* sculpt, const GtCharacter* character, bool is_live, GtDrivers** out,
                            GtError* error)
{
    *out = NULL;
    Maker k = { .context = context,
                .scene = scene,
                .map = map,
                .sculpt = sculpt,
                .character = character,
                .arena = gt_arena_create(context->allocator),
                .def = gt_default_drivers_def(),
                .error = error };
    GtResult result = make(&k, is_live, out);
    gt_shape_controls_destroy(k.shapes);
    gt_arena_destroy(&k.arena);
    return result;
}

GtResult gt_sculpt_drivers(const GtContext* context, const GtScene* scene, const GtSculpt* sculpt,
                           const GtCharacter* character, GtDrivers** out, GtError* error)
{
    *out = NULL;
    GtHumanoidMap map;
    GtMapDef def = gt_default_map_def();
    GtResult result = gt_map_humanoid(context, scene, &def, &map, NULL, error);
    return result == GT_OK ? gti_sculpt_drivers(context, scene, &map, sculpt, character, true, out, error) : result;
}

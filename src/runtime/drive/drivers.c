// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Making drivers: everything is checked and copied into one arena, then tracks are bound by a set of their own.

#include "runtime/drive/drivers.h"

#include "gertie/formula.h"

#include "base/fail.h"
#include "base/memory.h"
#include "runtime/curve/curve.h"
#include "runtime/drive/jiggle.h"
#include "runtime/drive/track.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Names that are looked up, times what they are looked up among: more would take seconds, and hundreds of megabytes
// for all that has a name.
static const uint64_t most_comparisons = (uint64_t)1 << 26;

GtSensorDef gt_default_sensor_def(void)
{
    return (GtSensorDef){
        .kind = GT_SENSOR_SPEED,
        .speed_mps = 0.25f,
        .release_mps = 0.4f,
        .height_m = 0.06f,
        .release_height_m = 0.07f,
    };
}

GtDriversDef gt_default_drivers_def(void)
{
    return (GtDriversDef){ .character = NULL };
}

static GtResult check_values(const GtDriversDef* def, GtError* error)
{
    if (def->value_count < 0 || def->sensor_count < 0 || def->value_count > GT_DRIVERS_MAX_VALUES ||
        def->sensor_count > GT_DRIVERS_MAX_VALUES - def->value_count) {
        return gti_fail(error, GT_ERROR_LIMIT, "%d values and %d sensors: together at most %d", (int)def->value_count,
                        (int)def->sensor_count, GT_DRIVERS_MAX_VALUES);
    }
    for (int32_t i = 0; i < def->value_count; ++i) {
        const GtDriverValue* value = &def->values[i];
        if (!value->name || !isfinite(value->rest) || !(value->min <= value->rest && value->rest <= value->max)) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "value %d '%.80s' rests at %g, outside %g to %g", (int)i,
                            value->name ? value->name : "", (double)value->rest, (double)value->min,
                            (double)value->max);
        }
    }
    return GT_OK;
}

static bool is_limit(float begins, float releases)
{
    return begins >= 0.0f && releases >= begins && isfinite(releases);
}

static GtResult check_sensors(const GtDriversDef* def, GtError* error)
{
    int32_t node_count = gt_character_def(def->character)->node_count;
    for (int32_t i = 0; i < def->sensor_count; ++i) {
        const GtSensorDef* sensor = &def->sensors[i];
        if (!sensor->name || (unsigned)sensor->kind >= GT_SENSOR_KIND_COUNT || sensor->point_count < 0 ||
            sensor->point_count > GT_SENSOR_MAX_POINTS || !is_limit(sensor->speed_mps, sensor->release_mps) ||
            !is_limit(sensor->height_m, sensor->release_height_m)) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "sensor %d has no name, or a number out of its range", (int)i);
        }
        for (int32_t k = 0; k < sensor->point_count; ++k) {
            const GtSensorPoint* point = &sensor->points[k];
            if (point->node < 0 || point->node >= node_count) {
                return gti_fail(error, GT_ERROR_NOT_FOUND, "sensor %d '%.80s' is at node %d of %d", (int)i,
                                sensor->name, (int)point->node, (int)node_count);
            }
            if (!gt_vec3_is_finite(point->place)) {
                return gti_fail(error, GT_ERROR_BAD_VALUE, "sensor %d '%.80s' has a point that is not finite", (int)i,
                                sensor->name);
            }
        }
    }
    return GT_OK;
}

static GtResult check_jiggles(const GtDriversDef* def, GtError* error)
{
    int64_t point_count = 0;
    for (int32_t i = 0; i < def->jiggle_count; ++i) {
        GtResult result = gti_jiggle_check(&def->jiggles[i], def->character, error);
        if (result != GT_OK) {
            if (error) {
                snprintf(error->where, sizeof error->where, "jiggle %d", (int)i);
            }
            return result;
        }
        const GtSectionDef* section = &gt_character_def(def->character)->sections[def->jiggles[i].section];
        point_count += gt_lattice_point_count(&section->lattice);
        if (point_count > GT_SECTION_MAX_POINTS) {
            return gti_fail(error, GT_ERROR_LIMIT, "more than %d points jiggle", GT_SECTION_MAX_POINTS);
        }
    }
    return GT_OK;
}

// How often a name is looked up at most: a slash may cut it in three ways.
static uint64_t lookups_of(const char* name)
{
    uint64_t count = 1;
    for (size_t i = 0; name && name[i]; ++i) {
        count += name[i] == '/' ? 3 : 0;
    }
    return count;
}

// Of all names in a formula; one that is none is found out when it is bound.
static GtResult count_lookups(GtAllocator allocator, const char* text, uint64_t* count, GtError* error)
{
    GtFormula* formula = NULL;
    if (text && gt_formula_create(allocator, text, &formula, NULL) == GT_ERROR_OUT_OF_MEMORY) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; formula && i < gt_formula_name_count(formula); ++i) {
        *count += lookups_of(gt_formula_name(formula, i));
    }
    gt_formula_destroy(formula);
    return GT_OK;
}

// Names are found by comparing: bytes that are made to be slow are refused.
static GtResult check_work(GtAllocator allocator, const GtDriversDef* def, GtError* error)
{
    const GtCharacterDef* character = gt_character_def(def->character);
    uint64_t among = (uint64_t)character->node_count + (uint64_t)def->value_count + (uint64_t)def->sensor_count;
    for (int32_t i = 0; i < character->mesh_count; ++i) {
        among += 1 + (uint64_t)character->meshes[i].morph_count;
    }
    for (int32_t i = 0; i < character->section_count; ++i) {
        among += 1 + (uint64_t)character->sections[i].pose_count;
    }
    uint64_t names = 0;
    GtResult result = GT_OK;
    for (int32_t i = 0; i < def->track_count && result == GT_OK; ++i) {
        const GtTrackBinding* track = &def->tracks[i];
        names += lookups_of(track->channel);
        result = count_lookups(allocator, track->formula ? track->formula : track->input, &names, error);
    }
    if (result != GT_OK) {
        return result;
    }
    return among == 0 || names <= most_comparisons / among
               ? GT_OK
               : gti_fail(error, GT_ERROR_LIMIT, "%d tracks are too many for a character of %llu parts",
                          (int)def->track_count, (unsigned long long)among);
}

static GtResult check(GtAllocator allocator, const GtDriversDef* def, GtError* error)
{
    GT_ASSERT(def->track_count >= 0 && def->jiggle_count >= 0);
    if (!def->character) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "drivers need a character");
    }
    GtResult result = check_values(def, error);
    result = result == GT_OK ? check_sensors(def, error) : result;
    result = result == GT_OK ? check_jiggles(def, error) : result;
    return result == GT_OK ? check_work(allocator, def, error) : result;
}

static bool copy_values(GtDrivers* drivers, const GtDriversDef* def)
{
    bool ok = true;
    GtArena* arena = &drivers->arena;
    size_t value_count = (size_t)def->value_count;
    size_t sensor_count = (size_t)def->sensor_count;
    GtDriverValue* values = gti_arena_copy(arena, def->values, value_count, sizeof *values, &ok);
    GtSensorDef* sensors = gti_arena_copy(arena, def->sensors, sensor_count, sizeof *sensors, &ok);
    drivers->rests = gt_arena_push_array(arena, value_count + sensor_count, sizeof(float));
    drivers->mins = gt_arena_push_array(arena, value_count + sensor_count, sizeof(float));
    drivers->maxs = gt_arena_push_array(arena, value_count + sensor_count, sizeof(float));
    if (!ok || !drivers->rests || !drivers->mins || !drivers->maxs) {
        return false;
    }
    for (size_t i = 0; i < value_count; ++i) {
        values[i].name = gti_arena_copy_text(arena, values[i].name, &ok);
        drivers->rests[i] = values[i].rest;
        drivers->mins[i] = values[i].min;
        drivers->maxs[i] = values[i].max;
    }
    for (size_t i = 0; i < sensor_count; ++i) {
        sensors[i].name = gti_arena_copy_text(arena, sensors[i].name, &ok);
        drivers->mins[value_count + i] = -INFINITY;
        drivers->maxs[value_count + i] = INFINITY;
    }
    drivers->def.values = values;
    drivers->def.value_count = def->value_count;
    drivers->def.sensors = sensors;
    drivers->def.sensor_count = def->sensor_count;
    return ok;
}

static bool copy_jiggles(GtDrivers* drivers, const GtDriversDef* def)
{
    bool ok = true;
    GtJiggleDef* jiggles =
        gti_arena_copy(&drivers->arena, def->jiggles, (size_t)def->jiggle_count, sizeof *jiggles, &ok);
    for (int32_t i = 0; ok && i < def->jiggle_count; ++i) {
        const GtSectionDef* section = &gt_character_def(def->character)->sections[jiggles[i].section];
        size_t count = jiggles[i].holds ? (size_t)gt_lattice_point_count(&section->lattice) : 0;
        float* holds = count ? gti_arena_copy(&drivers->arena, jiggles[i].holds, count, sizeof *holds, &ok) : NULL;
        jiggles[i].holds = holds;
    }
    drivers->def.jiggles = jiggles;
    drivers->def.jiggle_count = def->jiggle_count;
    return ok;
}

static GtResult copy_tracks(GtDrivers* drivers, const GtDriversDef* def, GtError* error)
{
    bool ok = true;
    size_t count = (size_t)def->track_count;
    GtTrackBinding* tracks = gti_arena_copy(&drivers->arena, def->tracks, count, sizeof *tracks, &ok);
    drivers->curves = gt_arena_push_array(&drivers->arena, count, sizeof(GtCurve*));
    drivers->def.tracks = tracks;
    if (!ok || !drivers->curves) {
        return gti_out_of_memory(error);
    }
    drivers->def.track_count = def->track_count;
    for (size_t i = 0; i < count; ++i) {
        tracks[i].channel = gti_arena_copy_text(&drivers->arena, tracks[i].channel, &ok);
        tracks[i].formula = gti_arena_copy_text(&drivers->arena, tracks[i].formula, &ok);
        tracks[i].input = gti_arena_copy_text(&drivers->arena, tracks[i].input, &ok);
        if (tracks[i].curve) {
            GtCurveDef keys = gti_curve_def(tracks[i].curve);
            GtResult result = gt_curve_create(drivers->arena.allocator, &keys, &drivers->curves[i], error);
            if (result != GT_OK) {
                return result;
            }
            tracks[i].curve = drivers->curves[i];
        }
    }
    return ok ? GT_OK : gti_out_of_memory(error);
}

static GtResult bind(GtDrivers* drivers, GtError* error)
{
    const GtDriversDef* def = &drivers->def;
    GtArena scratch = gt_arena_create(drivers->arena.allocator);
    GtTrackSetDef set = gt_default_track_set_def();
    set.character = def->character;
    set.value_count = def->value_count + def->sensor_count;
    set.tracks = def->tracks;
    set.track_count = def->track_count;
    const char** names = gt_arena_push_array(&scratch, (size_t)set.value_count, sizeof *names);
    for (int32_t i = 0; names && i < set.value_count; ++i) {
        names[i] = i < def->value_count ? def->values[i].name : def->sensors[i - def->value_count].name;
    }
    set.value_names = names;
    GtResult result =
        names ? gt_track_set_create(drivers->arena.allocator, &set, &drivers->set, error) : gti_out_of_memory(error);
    gt_arena_destroy(&scratch);
    drivers->moves_nodes = result == GT_OK && gti_track_set_moves_nodes(drivers->set);
    return result;
}

GtResult gt_drivers_create(GtAllocator allocator, const GtDriversDef* def, GtDrivers** out, GtError* error)
{
    def = def ? def : (GtDriversDef[]){ gt_default_drivers_def() };
    *out = NULL;
    GtResult result = check(allocator, def, error);
    if (result != GT_OK) {
        return result;
    }
    GtArena arena = gt_arena_create(allocator);
    GtDrivers* drivers = gt_arena_push_array(&arena, 1, sizeof *drivers);
    if (!drivers) {
        return gti_out_of_memory(error);
    }
    drivers->arena = arena;
    drivers->def.character = def->character;
    result = copy_values(drivers, def) && copy_jiggles(drivers, def) ? copy_tracks(drivers, def, error)
                                                                     : gti_out_of_memory(error);
    result = result == GT_OK ? bind(drivers, error) : result;
    if (result != GT_OK) {
        gt_drivers_destroy(drivers);
        return result;
    }
    *out = drivers;
    return GT_OK;
}

void gt_drivers_destroy(GtDrivers* drivers)
{
    if (!drivers) {
        return;
    }
    gt_track_set_destroy(drivers->set);
    for (int32_t i = 0; i < drivers->def.track_count; ++i) {
        gt_curve_destroy(drivers->curves[i]);
    }
    gt_arena_destroy(&drivers->arena);
}

const GtDriversDef* gt_drivers_def(const GtDrivers* drivers)
{
    return &drivers->def;
}

int32_t gt_drivers_find(const GtDrivers* drivers, const char* name)
{
    const GtDriversDef* def = &drivers->def;
    for (int32_t i = 0; i < def->value_count; ++i) {
        if (strcmp(def->values[i].name, name) == 0) {
            return i;
        }
    }
    for (int32_t i = 0; i < def->sensor_count; ++i) {
        if (strcmp(def->sensors[i].name, name) == 0) {
            return def->value_count + i;
        }
    }
    return GT_NONE;
}

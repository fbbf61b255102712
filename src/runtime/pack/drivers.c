// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Drivers of a packed character: a def over its bytes, which gt_drivers_create() checks and copies. Keys are of one
// driver alone, so that copies take no more room than the bytes.

#include "runtime/pack/read.h"

#include "base/fail.h"

_Static_assert(GTI_PACK_SENSOR_POINTS == GT_SENSOR_MAX_POINTS && sizeof(GtEase) == 2 * sizeof(float),
               "what is stored is what is used");

static GtResult read_values(GtiPackReader* r, GtDriversDef* def, GtError* error)
{
    def->value_count = (int32_t)r->head->value_count;
    GtDriverValue* values = gt_arena_push_array(&r->arena, r->head->value_count, sizeof *values);
    for (int32_t i = 0; values && i < def->value_count; ++i) {
        const GtiPackValue* from = &r->values[i];
        values[i] = (GtDriverValue){ gti_pack_text(r, from->name), from->rest, from->min, from->max };
    }
    def->values = values;
    return values ? GT_OK : gti_out_of_memory(error);
}

static GtResult read_sensors(GtiPackReader* r, GtDriversDef* def, GtError* error)
{
    def->sensor_count = (int32_t)r->head->sensor_count;
    GtSensorDef* sensors = gt_arena_push_array(&r->arena, r->head->sensor_count, sizeof *sensors);
    for (int32_t i = 0; sensors && i < def->sensor_count; ++i) {
        const GtiPackSensor* from = &r->sensors[i];
        sensors[i] = (GtSensorDef){
            .name = gti_pack_text(r, from->name),
            .kind = (GtSensorKind)from->kind,
            .point_count = from->point_count,
            .speed_mps = from->limits[0],
            .release_mps = from->limits[1],
            .height_m = from->limits[2],
            .release_height_m = from->limits[3],
        };
        for (int k = 0; k < GTI_PACK_SENSOR_POINTS; ++k) {
            const GtiPackSensorPoint* point = &from->points[k];
            sensors[i].points[k] =
                (GtSensorPoint){ point->node, { point->place[0], point->place[1], point->place[2] } };
        }
    }
    def->sensors = sensors;
    return sensors ? GT_OK : gti_out_of_memory(error);
}

// An array of a curve, which comes after the one before; NULL for GT_NONE.
static const void* next_array(GtiPackReader* r, int32_t index, int32_t width, int32_t count, int32_t* last)
{
    r->wrong |= index != GT_NONE && index <= *last;
    *last = index > *last ? index : *last;
    return gti_pack_array(r, index, GTI_PACK_FLOATS, width, count);
}

static GtCurveDef read_curve(GtiPackReader* r, const GtiPackDriver* from, int32_t* last)
{
    int32_t keys = from->key_count;
    bool fits = from->component_count > 0 && keys > 0 && keys <= INT32_MAX / from->component_count;
    r->wrong |= !fits || (from->closed | 1) != 1;
    int32_t value_count = fits ? keys * from->component_count : 0;
    int32_t direction_count =
        from->kind == GT_CURVE_ROTATION && from->component_count == 4 ? value_count / 4 * 3 : value_count;
    GtCurveDef def = gt_default_curve_def();
    def.kind = (GtCurveKind)from->kind;
    def.law = (GtCurveLaw)from->law;
    def.component_count = from->component_count;
    def.key_count = keys;
    def.times_s = next_array(r, from->times, 1, keys, last);
    def.values = next_array(r, from->values, 1, value_count, last);
    def.in = next_array(r, from->in, 1, direction_count, last);
    def.out = next_array(r, from->out, 1, direction_count, last);
    def.in_times_s = next_array(r, from->in_times, 1, keys, last);
    def.out_times_s = next_array(r, from->out_times, 1, keys, last);
    def.eases = next_array(r, from->eases, 2, fits ? keys - 1 : 0, last);
    def.closed = from->closed == 1;
    def.before = (GtExtrapolation)from->before;
    def.after = (GtExtrapolation)from->after;
    return def;
}

// curves: [driver_count] receive those that are made
static GtResult read_tracks(GtiPackReader* r, GtAllocator allocator, GtCurve** curves, GtDriversDef* def,
                            GtError* error)
{
    GtTrackBinding* tracks = gt_arena_push_array(&r->arena, r->head->driver_count, sizeof *tracks);
    if (!tracks) {
        return gti_out_of_memory(error);
    }
    int32_t last = GT_NONE;
    def->track_count = (int32_t)r->head->driver_count;
    def->tracks = tracks;
    for (int32_t i = 0; i < def->track_count; ++i) {
        const GtiPackDriver* from = &r->drivers[i];
        tracks[i].channel = gti_pack_text(r, from->channel);
        const char* formula = gti_pack_text(r, from->formula);
        *(from->key_count ? &tracks[i].input : &tracks[i].formula) = formula;
        GtCurveDef keys = { 0 };
        if (from->key_count) {
            keys = read_curve(r, from, &last);
        }
        if (r->wrong) {
            return gti_pack_misfit(error, "driver", i);
        }
        GtResult result = from->key_count ? gt_curve_create(allocator, &keys, &curves[i], error) : GT_OK;
        if (result != GT_OK) {
            return result;
        }
        tracks[i].curve = curves[i];
    }
    return GT_OK;
}

static GtResult read_jiggles(GtiPackReader* r, const GtCharacter* character, GtDriversDef* def, GtError* error)
{
    const GtCharacterDef* of = gt_character_def(character);
    def->jiggle_count = (int32_t)r->head->jiggle_count;
    GtJiggleDef* jiggles = gt_arena_push_array(&r->arena, r->head->jiggle_count, sizeof *jiggles);
    for (int32_t i = 0; jiggles && i < def->jiggle_count; ++i) {
        const GtiPackJiggle* from = &r->jiggles[i];
        bool is_there = from->section >= 0 && from->section < of->section_count;
        int32_t count = is_there ? gt_lattice_point_count(&of->sections[from->section].lattice) : 0;
        jiggles[i] = (GtJiggleDef){
            .section = from->section,
            .frequency_hz = from->frequency_hz,
            .damping = from->damping,
            .strength = from->strength,
            .limit_m = from->limit_m,
            .gravity = gt_vec3(from->gravity[0], from->gravity[1], from->gravity[2]),
            .holds = gti_pack_array(r, from->holds, GTI_PACK_FLOATS, 1, count),
        };
    }
    def->jiggles = jiggles;
    return jiggles ? GT_OK : gti_out_of_memory(error);
}

static GtResult read_all(GtiPackReader* r, GtAllocator allocator, const GtCharacter* character, GtCurve** curves,
                         GtDrivers** out, GtError* error)
{
    GtDriversDef def = gt_default_drivers_def();
    def.character = character;
    GtResult result = read_values(r, &def, error);
    result = result == GT_OK ? read_sensors(r, &def, error) : result;
    result = result == GT_OK ? read_tracks(r, allocator, curves, &def, error) : result;
    result = result == GT_OK ? read_jiggles(r, character, &def, error) : result;
    if (result != GT_OK) {
        return result;
    }
    return r->wrong ? gti_fail(error, GT_ERROR_BAD_FILE, "packed character: what drives it does not fit its arrays")
                    : gt_drivers_create(allocator, &def, out, error);
}

GtResult gti_pack_read_drivers(GtiPackReader* r, GtAllocator allocator, const GtCharacter* character, GtDrivers** out,
                               GtError* error)
{
    const GtiPackHead* head = r->head;
    *out = NULL;
    if (!head->value_count && !head->sensor_count && !head->driver_count && !head->jiggle_count) {
        return GT_OK;
    }
    GtCurve** curves = gt_arena_push_array(&r->arena, head->driver_count, sizeof *curves);
    if (!curves) {
        return gti_out_of_memory(error);
    }
    GtResult result = read_all(r, allocator, character, curves, out, error);
    for (uint32_t i = 0; i < head->driver_count; ++i) {
        gt_curve_destroy(curves[i]);
    }
    return result;
}

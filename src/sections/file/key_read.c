// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the schema cannot say of keys: that they come one after the other, have as many numbers as the first, and say
// what their law needs and nothing else. Where one Bezier handle of a track has a time of its own, those without stay a
// third of the way, where they would be if none had.

#include "sections/file/key_read.h"

#include "base/fail.h"
#include "harmonic/keys/key_file.h"
#include "sections/file/text.h"

#include <math.h>
#include <string.h>

// Keys as they are read.
typedef struct Keys {
    const GtiJson* root;
    GtiKeyNames names;
    float* at;
    float* values;
    float* directions[2]; // in, out
    float* times[2];      // in, out: lengths of handles; NaN where a key says nothing of it
    GtKeyShape* shapes;
    GtEase* eases;
    GtCurveLaw law;
    int component_count;
    int direction_count;
    bool has_times;
    bool has_eases;
    GtError* error;
} Keys;

static GtResult refuse(const Keys* keys, const GtiJson* object, const char* key, const char* must)
{
    return gti_json_refuse(keys->root, object, key, must, keys->error);
}

static bool read_value(const GtiJson* value, int count, float* out)
{
    return value && (value->type == GTI_JSON_NUMBER ? count == 1 && gti_json_float(value, out)
                                                    : gti_json_floats(value, count, out));
}

static bool has_directions(GtCurveLaw law)
{
    return law == GT_LAW_HERMITE || law == GT_LAW_BEZIER;
}

static GtResult read_direction(Keys* keys, const GtiJson* object, uint32_t i, int d)
{
    static const char* const directions[] = { "in", "out" };
    const char* length_name = keys->names.lengths[d];
    const GtiJson* value = gti_json_find(object, directions[d]);
    const GtiJson* length = gti_json_find(object, length_name);
    if (value && !has_directions(keys->law)) {
        return refuse(keys, object, directions[d], "left out, unless \"law\" is hermite or bezier");
    }
    if (length && keys->law != GT_LAW_BEZIER) {
        return refuse(keys, object, length_name, "left out, unless \"law\" is bezier");
    }
    if (has_directions(keys->law) &&
        !read_value(value, keys->direction_count, keys->directions[d] + (size_t)i * (size_t)keys->direction_count)) {
        return refuse(keys, object, directions[d],
                      "given where \"law\" is hermite or bezier, with as many numbers as the value (of a rotation 3)");
    }
    keys->times[d][i] = gti_json_get_float(object, length_name, NAN);
    keys->has_times = keys->has_times || length;
    return GT_OK;
}

static GtResult read_key(Keys* keys, const GtiJson* object, uint32_t i)
{
    keys->at[i] = gti_json_get_float(object, keys->names.at, 0.0f);
    if (i > 0 && !(keys->at[i] > keys->at[i - 1])) {
        return refuse(keys, object, keys->names.at, "more than of the key before");
    }
    if (!read_value(gti_json_find(object, "value"), keys->component_count,
                    keys->values + (size_t)i * (size_t)keys->component_count)) {
        return refuse(keys, object, "value", "as many numbers as in the first key");
    }
    GtResult result = GT_OK;
    for (int d = 0; d < 2 && result == GT_OK; ++d) {
        result = read_direction(keys, object, i, d);
    }
    if (result == GT_OK) {
        result =
            gti_key_shape_read(keys->root, object, keys->law == GT_LAW_KOCHANEK_BARTELS, &keys->shapes[i], keys->error);
    }
    keys->has_eases = keys->has_eases || gti_json_find(object, "ease");
    return result == GT_OK ? gti_key_ease_read(keys->root, object, &keys->eases[i], keys->error) : result;
}

static bool is_rotation(const char* channel)
{
    static const char end[] = ".rotation";
    size_t length = strlen(channel);
    return length >= sizeof end && strcmp(channel + length - (sizeof end - 1), end) == 0;
}

static GtResult open_keys(Keys* keys, GtArena* arena, const GtiJson* list, GtCurveKind kind)
{
    size_t count = list->count;
    const GtiJson* first = gti_json_find(gti_json_first(list), "value");
    keys->component_count = first->type == GTI_JSON_ARRAY ? (int)first->count : 1;
    if (kind == GT_CURVE_ROTATION && keys->component_count != 4) {
        return refuse(keys, gti_json_first(list), "value", "a quaternion [x, y, z, w]");
    }
    keys->direction_count = kind == GT_CURVE_ROTATION ? 3 : keys->component_count;
    size_t width = (size_t)keys->component_count;
    keys->at = gt_arena_push_array(arena, count, sizeof *keys->at);
    keys->values = gt_arena_push_array(arena, count * width, sizeof *keys->values);
    keys->shapes = gt_arena_push_array(arena, count, sizeof *keys->shapes);
    keys->eases = gt_arena_push_array(arena, count, sizeof *keys->eases);
    bool ok = keys->at && keys->values && keys->shapes && keys->eases;
    for (int d = 0; d < 2; ++d) {
        keys->directions[d] = gt_arena_push_array(arena, count * width, sizeof(float));
        keys->times[d] = gt_arena_push_array(arena, count, sizeof(float));
        ok = ok && keys->directions[d] && keys->times[d];
    }
    return ok ? GT_OK : gti_out_of_memory(keys->error);
}

// Handles without a time: a third of the segment on their side, or, at an end, of the one there is.
static void fill_times(Keys* keys, int32_t count, bool closed)
{
    for (int32_t i = 0; i < count; ++i) {
        for (int d = 0; d < 2; ++d) {
            int32_t from = d == 0 ? i - 1 : i;
            if (from < 0) {
                from = closed ? count - 2 : 0;
            } else if (from > count - 2) {
                from = closed ? 0 : count - 2;
            }
            float span = count > 1 ? keys->at[from + 1] - keys->at[from] : 0.0f;
            keys->times[d][i] = isnan(keys->times[d][i]) ? span / 3.0f : keys->times[d][i];
        }
    }
}

GtResult gti_sculpt_keys_read(GtArena* arena, const GtiJson* root, const GtiJson* track, const char* channel,
                              GtCurveDef* out, GtError* error)
{
    Keys keys = { .root = root, .names = gti_key_names(gti_json_find(track, "input")), .error = error };
    const GtiJson* list = gti_json_find(track, "keys");
    const GtiJson* closed = gti_json_find(track, "closed");
    const GtiJson* beyond = gti_json_find(track, "extrapolate");
    *out = gt_default_curve_def();
    gti_law_find(gti_json_find(track, "law"), &out->law);
    out->kind = is_rotation(channel) ? GT_CURVE_ROTATION : GT_CURVE_NUMBERS;
    out->before = beyond ? gti_extrapolation_find(beyond) : out->before;
    out->after = out->before;
    out->closed = closed && closed->type == GTI_JSON_TRUE;
    out->tension = gti_json_get_float(track, "tension", 0.0f);
    keys.law = out->law;
    if (out->tension != 0.0f && out->law != GT_LAW_CARDINAL) {
        return refuse(&keys, track, "tension", "left out, unless \"law\" is cardinal");
    }
    GtResult result = open_keys(&keys, arena, list, out->kind);
    const GtiJson* key = gti_json_first(list);
    for (uint32_t i = 0; i < list->count && result == GT_OK; ++i, key = gti_json_next(key)) {
        result = read_key(&keys, key, i);
    }
    if (result != GT_OK) {
        return result;
    }
    if (keys.has_times) {
        fill_times(&keys, (int32_t)list->count, out->closed);
    }
    out->component_count = keys.component_count;
    out->key_count = (int32_t)list->count;
    out->times_s = keys.at;
    out->values = keys.values;
    out->shapes = out->law == GT_LAW_KOCHANEK_BARTELS ? keys.shapes : NULL;
    out->in = has_directions(out->law) ? keys.directions[0] : NULL;
    out->out = has_directions(out->law) ? keys.directions[1] : NULL;
    out->in_times_s = keys.has_times ? keys.times[0] : NULL;
    out->out_times_s = keys.has_times ? keys.times[1] : NULL;
    out->eases = keys.has_eases ? keys.eases : NULL;
    return GT_OK;
}

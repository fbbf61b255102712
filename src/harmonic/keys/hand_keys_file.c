// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Keys as files: {"gertie_keys": 1, "turns": [{"joint": "head", "axes": "body", "law": "kochanek-bartels", "keys":
// [{"time_s": 0, "turn_deg": [0, 30, 0], "tension": 0.5, "ease": [0.3, 0.3]}, ...]}, {"marker": 12, ...}], "blend":
// {"law": "linear", "keys": [{"time_s": 0, "share": 0}, ...]}}. A turn is an axis times an angle. Curves take the
// shorter way between rotations, so that keys must be less than half a turn apart to mean what they say.
// Members that nobody knows are refused: a misspelt one would be lost without a word.

#include "gertie/hand_keys.h"

#include "data/files.h"
#include "harmonic/keys/joint_name.h"
#include "harmonic/keys/key_file.h"

#include <math.h>
#include <string.h>

static const char keys_key[] = "gertie_keys";
static const float half_turn_deg = 180.0f;
static const float most_deg = 36000.0f; // a hundred turns: beyond, floats no longer tell degrees apart
static const float rad_per_deg = 0.0174532925f;

typedef struct Reader {
    const GtContext* context;
    GtArena scratch;
    const GtScene* scene;
    GtHumanoidMap map;
    const GtiJson* root;
    GtHandKeys* keys;
    GtError* error;
} Reader;

// The keys of a curve as they are read.
typedef struct Keys {
    float* times_s;
    float* values; // quaternions, or one number each
    GtKeyShape* shapes;
    GtEase* eases;
    bool turns;
    bool has_shapes; // the law has
} Keys;

static GtResult refuse(const Reader* r, const GtiJson* object, const char* key, const char* must)
{
    return gti_json_refuse(r->root, object, key, must, r->error);
}

// names: ends with NULL
static GtResult check_members(const Reader* r, const GtiJson* object, const char* const* names)
{
    char place[128];
    gti_json_path(r->root, object, place, sizeof place);
    if (object->type != GTI_JSON_OBJECT) {
        return gti_fail(r->error, GT_ERROR_BAD_VALUE, "%s%smust be an object", place, place[0] ? " " : "");
    }
    const GtiJson* member = gti_json_first(object);
    for (uint32_t i = 0; i < object->count; ++i, member = gti_json_next(member)) {
        bool is_known = false;
        for (int n = 0; names[n] && !is_known; ++n) {
            is_known = gti_json_key_is(member, names[n]);
        }
        if (!is_known) {
            gti_json_path(r->root, member, place, sizeof place);
            return gti_fail(r->error, GT_ERROR_BAD_VALUE, "%s has no meaning here; is it misspelt?", place);
        }
    }
    return GT_OK;
}

// Without hermite, bezier and cardinal, which say more of a key than this file does, and squad, of rotations alone.
static GtResult read_law(const Reader* r, const GtiJson* object, GtKeyCurveLaw* out)
{
    bool ok = gti_law_find(gti_json_find(object, "law"), out);
    ok = ok && (*out == GT_LAW_STEP || *out == GT_LAW_LINEAR || *out == GT_LAW_CATMULL_ROM || *out == GT_LAW_B_SPLINE ||
                *out == GT_LAW_KOCHANEK_BARTELS);
    return ok ? GT_OK : refuse(r, object, "law", "step, linear, catmull-rom, b-spline or kochanek-bartels");
}

static GtResult read_turn(const Reader* r, const GtiJson* object, GtVec3* before, bool is_first, float* out)
{
    float d[3];
    if (!gti_json_floats(gti_json_find(object, "turn_deg"), 3, d) || !(fabsf(d[0]) <= most_deg) ||
        !(fabsf(d[1]) <= most_deg) || !(fabsf(d[2]) <= most_deg)) {
        return refuse(r, object, "turn_deg", "degrees about x, y and z, at most 36000");
    }
    GtVec3 turn = gt_vec3(d[0], d[1], d[2]);
    if (!is_first && !(gt_vec3_length(gt_vec3_sub(turn, *before)) < half_turn_deg)) {
        return refuse(r, object, "turn_deg", "less than half a turn from the key before: put a key between");
    }
    *before = turn;
    GtVec3 axis = gt_vec3_normalize_or(turn, gt_vec3(0.0f, 1.0f, 0.0f));
    GtQuat q = gt_quat_from_axis_angle(axis, rad_per_deg * gt_vec3_length(turn));
    memcpy(out, (float[4]){ q.x, q.y, q.z, q.w }, 4 * sizeof *out);
    return GT_OK;
}

static GtResult read_key(const Reader* r, const GtiJson* object, uint32_t i, GtVec3* before, Keys* keys)
{
    static const char* const turn_members[] = { "time_s", "turn_deg", "tension", "continuity", "bias", "ease", NULL };
    static const char* const share_members[] = { "time_s", "share", "tension", "continuity", "bias", "ease", NULL };
    GtResult result = check_members(r, object, keys->turns ? turn_members : share_members);
    if (result != GT_OK) {
        return result;
    }
    float* time_s = &keys->times_s[i];
    if (!gti_json_float(gti_json_find(object, "time_s"), time_s) || !isfinite(*time_s)) {
        return refuse(r, object, "time_s", "a time in seconds");
    }
    if (i > 0 && !(*time_s > time_s[-1])) {
        return refuse(r, object, "time_s", "later than the key before");
    }
    if (keys->turns) {
        result = read_turn(r, object, before, i == 0, keys->values + (size_t)4 * i);
    } else if (!gti_json_float(gti_json_find(object, "share"), &keys->values[i]) ||
               !(keys->values[i] >= 0.0f && keys->values[i] <= 1.0f)) {
        result = refuse(r, object, "share", "a number from 0 to 1");
    }
    if (result == GT_OK) {
        result = gti_key_shape_read(r->root, object, keys->has_shapes, &keys->shapes[i], r->error);
    }
    return result == GT_OK ? gti_key_ease_read(r->root, object, &keys->eases[i], r->error) : result;
}

static GtResult read_curve(Reader* r, const GtiJson* object, bool turns, GtKeyCurve** out)
{
    GtKeyCurveDef def = gt_default_key_curve_def();
    GtResult result = read_law(r, object, &def.law);
    const GtiJson* list = gti_json_find(object, "keys");
    if (result == GT_OK && (!list || list->type != GTI_JSON_ARRAY || list->count < 1)) {
        result = refuse(r, object, "keys", "a list of keys");
    }
    if (result != GT_OK) {
        return result;
    }
    size_t count = list->count;
    def.kind = turns ? GT_KEY_CURVE_ROTATION : GT_KEY_CURVE_NUMBERS;
    def.component_count = turns ? 4 : 1;
    Keys keys = { .times_s = gt_arena_push_array(&r->scratch, count, sizeof *keys.times_s),
                  .values = gt_arena_push_array(&r->scratch, count * (size_t)def.component_count, sizeof *keys.values),
                  .shapes = gt_arena_push_array(&r->scratch, count, sizeof *keys.shapes),
                  .eases = gt_arena_push_array(&r->scratch, count, sizeof *keys.eases),
                  .turns = turns,
                  .has_shapes = def.law == GT_LAW_KOCHANEK_BARTELS };
    if (!keys.times_s || !keys.values || !keys.shapes || !keys.eases) {
        return gti_out_of_memory(r->error);
    }
    GtVec3 before = gt_vec3(0.0f, 0.0f, 0.0f);
    const GtiJson* key = gti_json_first(list);
    for (uint32_t i = 0; i < list->count && result == GT_OK; ++i, key = gti_json_next(key)) {
        result = read_key(r, key, i, &before, &keys);
    }
    if (result != GT_OK) {
        return result;
    }
    def.key_count = (int32_t)list->count;
    def.times_s = keys.times_s;
    def.values = keys.values;
    def.shapes = keys.has_shapes ? keys.shapes : NULL;
    def.eases = keys.eases;
    result = gt_key_curve_create(r->context->allocator, &def, out, r->error);
    if (result != GT_OK && r->error && !r->error->where[0]) {
        gti_json_path(r->root, list, r->error->where, sizeof r->error->where);
    }
    return result;
}

static GtResult read_joint(Reader* r, const GtiJson* object, int32_t* out)
{
    const GtiJson* name = gti_json_find(object, "joint");
    if (!name || name->type != GTI_JSON_STRING) {
        return refuse(r, object, "joint", "the name of a joint");
    }
    char place[128];
    char* text = gti_json_copy(&r->scratch, name, NULL);
    gti_json_path(r->root, name, place, sizeof place);
    return text ? gti_joint_find(r->scene, &r->map, text, place, out, r->error) : gti_out_of_memory(r->error);
}

static GtResult read_turns_of(Reader* r, const GtiJson* object, GtHandTurn* out)
{
    static const char* const members[] = { "joint", "marker", "axes", "law", "keys", NULL };
    *out = (GtHandTurn){ .node = GT_NONE, .marker = GT_NONE };
    GtResult result = check_members(r, object, members);
    if (result != GT_OK) {
        return result;
    }
    int64_t marker = GT_NONE;
    const GtiJson* number = gti_json_find(object, "marker");
    const GtiJson* axes = gti_json_find(object, "axes");
    if (number && gti_json_find(object, "joint")) {
        return refuse(r, object, "marker", "left out where a joint is named");
    }
    if (number && (!gti_json_int64(number, &marker) || marker < 0 || marker > INT32_MAX)) {
        return refuse(r, object, "marker", "a marker by its number, counted from 0");
    }
    out->marker = (int32_t)marker;
    if (axes && !gti_json_equals(axes, "body") && !gti_json_equals(axes, "model")) {
        return refuse(r, object, "axes", "body or model");
    }
    out->axes = gti_json_equals(axes, "model") ? GT_HAND_AXES_MODEL : GT_HAND_AXES_BODY;
    result = number ? GT_OK : read_joint(r, object, &out->node);
    return result == GT_OK ? read_curve(r, object, true, &out->curve) : result;
}

static GtResult read_all(Reader* r)
{
    static const char* const members[] = { keys_key, "turns", "blend", NULL };
    static const char* const blend_members[] = { "law", "keys", NULL };
    GtResult result = check_members(r, r->root, members);
    if (result != GT_OK) {
        return result;
    }
    const GtiJson* list = gti_json_find(r->root, "turns");
    const GtiJson* blend = gti_json_find(r->root, "blend");
    if (!gti_json_find(r->root, keys_key) || (!list && !blend)) {
        return gti_fail(r->error, GT_ERROR_BAD_VALUE, "must be an object with \"%s\": 1 and \"turns\" or \"blend\"",
                        keys_key);
    }
    if (list && (list->type != GTI_JSON_ARRAY || list->count > GT_HAND_KEYS_MAX_TURNS)) {
        return refuse(r, r->root, "turns", "a list of at most 4096");
    }
    uint32_t count = list ? list->count : 0;
    GtHandTurn* turns = gt_arena_push_array(&r->keys->arena, count, sizeof *turns);
    if (!turns) {
        return gti_out_of_memory(r->error);
    }
    r->keys->turns = turns;
    const GtiJson* value = gti_json_first(list);
    for (uint32_t i = 0; i < count && result == GT_OK; ++i, value = gti_json_next(value)) {
        result = read_turns_of(r, value, &turns[r->keys->turn_count++]);
    }
    if (result == GT_OK && blend) {
        result = check_members(r, blend, blend_members);
        result = result == GT_OK ? read_curve(r, blend, false, &r->keys->blend) : result;
    }
    return result;
}

static GtResult read_file(Reader* r, const char* path, uint8_t** bytes)
{
    size_t size = 0;
    size_t length = strlen(path) + 1;
    GtMapDef def = gt_default_map_def();
    char* file = gt_arena_push_array(&r->keys->arena, length, 1);
    if (!file) {
        return gti_out_of_memory(r->error);
    }
    r->keys->file = memcpy(file, path, length);
    GtResult result = gti_file_read(r->context, path, bytes, &size, r->error);
    if (result == GT_OK) {
        result = gti_json_parse(&r->scratch, (const char*)*bytes, size, &r->root, r->error);
    }
    if (result == GT_OK) {
        result = gt_map_humanoid(r->context, r->scene, &def, &r->map, NULL, r->error);
    }
    return result == GT_OK ? read_all(r) : result;
}

GtResult gt_hand_keys_load(const GtContext* context, const GtScene* scene, const char* path, GtHandKeys** out,
                           GtError* error)
{
    *out = NULL;
    GtHandKeys* keys = context->allocator.allocate(context->allocator.user, sizeof *keys);
    if (!keys) {
        return gti_out_of_memory(error);
    }
    *keys = (GtHandKeys){ .arena = gt_arena_create(context->allocator) };
    uint8_t* bytes = NULL;
    Reader r = {
        .context = context, .scratch = gt_arena_create(context->allocator), .scene = scene, .keys = keys, .error = error
    };
    GtResult result = read_file(&r, path, &bytes);
    gt_arena_destroy(&r.scratch);
    context->allocator.release(context->allocator.user, bytes);
    if (result != GT_OK) {
        gti_error_set_file(error, path);
        gt_hand_keys_destroy(keys);
        return result;
    }
    *out = keys;
    return GT_OK;
}

void gt_hand_keys_destroy(GtHandKeys* keys)
{
    if (keys) {
        GtAllocator allocator = keys->arena.allocator;
        for (int32_t i = 0; i < keys->turn_count; ++i) {
            gt_key_curve_destroy(keys->turns[i].curve);
        }
        gt_key_curve_destroy(keys->blend);
        gt_arena_destroy(&keys->arena);
        allocator.release(allocator.user, keys);
    }
}

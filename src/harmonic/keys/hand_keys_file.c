// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Keys as files: {"gertie_keys": 1, "rotations": [{"joint": "head", "axes": "body", "law": "kochanek-bartels", "keys":
// [{"time_s": 0, "rotation_deg": [0, 30, 0], "tension": 0.5, "ease": [0.3, 0.3]}, ...]}, {"marker": 12, ...}], "blend":
// {"law": "linear", "keys": [{"time_s": 0, "share": 0}, ...]}}, as docs/schemas/keys.schema.json has it. A rotation is
// an axis times an angle. Curves take the shorter way between rotations, so that keys must be less than half a turn
// apart to mean what they say.

#include "gertie/hand_keys.h"

#include "base/memory.h"
#include "data/schema.h"
#include "harmonic/keys/joint_name.h"
#include "harmonic/keys/key_file.h"

#include <math.h>
#include <string.h>

static const float half_turn_deg = 180.0f;
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
    bool are_rotations;
    bool has_shapes; // the law has
} Keys;

static GtResult refuse(const Reader* r, const GtiJson* object, const char* key, const char* must)
{
    return gti_json_refuse(r->root, object, key, must, r->error);
}

static GtResult read_rotation(const Reader* r, const GtiJson* key, GtVec3* before, bool is_first, float* out)
{
    GtVec3 degrees;
    gti_json_floats(gti_json_find(key, "rotation_deg"), 3, &degrees.x);
    if (!is_first && !(gt_vec3_length(gt_vec3_sub(degrees, *before)) < half_turn_deg)) {
        return refuse(r, key, "rotation_deg", "less than half a turn from the key before: put a key between");
    }
    *before = degrees;
    GtVec3 axis = gt_vec3_normalize_or(degrees, gt_vec3(0.0f, 1.0f, 0.0f));
    GtQuat q = gt_quat_from_axis_angle(axis, rad_per_deg * gt_vec3_length(degrees));
    memcpy(out, (float[4]){ q.x, q.y, q.z, q.w }, 4 * sizeof *out);
    return GT_OK;
}

static GtResult read_key(const Reader* r, const GtiJson* key, uint32_t i, GtVec3* before, Keys* keys)
{
    keys->times_s[i] = gti_json_get_float(key, "time_s", 0.0f);
    if (i > 0 && !(keys->times_s[i] > keys->times_s[i - 1])) {
        return refuse(r, key, "time_s", "later than the key before");
    }
    GtResult result = GT_OK;
    if (keys->are_rotations) {
        result = read_rotation(r, key, before, i == 0, keys->values + (size_t)4 * i);
    } else {
        keys->values[i] = gti_json_get_float(key, "share", 0.0f);
    }
    if (result == GT_OK) {
        result = gti_key_shape_read(r->root, key, keys->has_shapes, &keys->shapes[i], r->error);
    }
    return result == GT_OK ? gti_key_ease_read(r->root, key, &keys->eases[i], r->error) : result;
}

static GtResult read_curve(Reader* r, const GtiJson* object, bool are_rotations, GtCurve** out)
{
    GtResult result = GT_OK;
    GtCurveDef def = gt_default_curve_def();
    const GtiJson* list = gti_json_find(object, "keys");
    size_t count = list->count;
    gti_law_find(gti_json_find(object, "law"), &def.law);
    def.kind = are_rotations ? GT_CURVE_ROTATION : GT_CURVE_NUMBERS;
    def.component_count = are_rotations ? 4 : 1;
    Keys keys = { .times_s = gt_arena_push_array(&r->scratch, count, sizeof *keys.times_s),
                  .values = gt_arena_push_array(&r->scratch, count * (size_t)def.component_count, sizeof *keys.values),
                  .shapes = gt_arena_push_array(&r->scratch, count, sizeof *keys.shapes),
                  .eases = gt_arena_push_array(&r->scratch, count, sizeof *keys.eases),
                  .are_rotations = are_rotations,
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
    result = gt_curve_create(r->context->allocator, &def, out, r->error);
    if (result != GT_OK && r->error && !r->error->where[0]) {
        gti_json_path(r->root, list, r->error->where, sizeof r->error->where);
    }
    return result;
}

static GtResult read_joint(Reader* r, const GtiJson* name, int32_t* out)
{
    char place[128];
    char* text = gti_json_copy(&r->scratch, name, NULL);
    gti_json_path(r->root, name, place, sizeof place);
    return text ? gti_joint_find(r->scene, &r->map, text, place, out, r->error) : gti_out_of_memory(r->error);
}

static GtResult read_rotations_of(Reader* r, const GtiJson* object, GtHandTurn* out)
{
    *out = (GtHandTurn){ .node = GT_NONE, .marker = GT_NONE };
    int64_t marker = GT_NONE;
    const GtiJson* joint = gti_json_find(object, "joint");
    if (gti_json_int64(gti_json_find(object, "marker"), &marker) && joint) {
        return refuse(r, object, "marker", "left out where a joint is named");
    }
    out->marker = (int32_t)marker;
    out->axes = gti_json_equals(gti_json_find(object, "axes"), "model") ? GT_HAND_AXES_MODEL : GT_HAND_AXES_BODY;
    GtResult result = joint ? read_joint(r, joint, &out->node) : GT_OK;
    return result == GT_OK ? read_curve(r, object, true, &out->curve) : result;
}

static GtResult read_all(Reader* r)
{
    GtResult result = GT_OK;
    const GtiJson* list = gti_json_find(r->root, "rotations");
    const GtiJson* blend = gti_json_find(r->root, "blend");
    uint32_t count = list ? list->count : 0;
    GtHandTurn* turns = gt_arena_push_array(&r->keys->arena, count, sizeof *turns);
    if (!turns) {
        return gti_out_of_memory(r->error);
    }
    r->keys->turns = turns;
    const GtiJson* value = gti_json_first(list);
    for (uint32_t i = 0; i < count && result == GT_OK; ++i, value = gti_json_next(value)) {
        result = read_rotations_of(r, value, &turns[r->keys->turn_count++]);
    }
    return result == GT_OK && blend ? read_curve(r, blend, false, &r->keys->blend) : result;
}

static GtResult read_file(Reader* r, const char* path)
{
    GtMapDef def = gt_default_map_def();
    r->keys->file = gt_arena_push_text(&r->keys->arena, path, strlen(path));
    if (!r->keys->file) {
        return gti_out_of_memory(r->error);
    }
    GtResult result = gti_schema_load(r->context, &r->scratch, "keys", path, &r->root, r->error);
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
    Reader r = {
        .context = context, .scratch = gt_arena_create(context->allocator), .scene = scene, .keys = keys, .error = error
    };
    GtResult result = read_file(&r, path);
    gt_arena_destroy(&r.scratch);
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
        for (int32_t i = 0; i < keys->turn_count; ++i) {
            gt_curve_destroy(keys->turns[i].curve);
        }
        gt_curve_destroy(keys->blend);
        gti_arena_destroy_owner(&keys->arena, keys);
    }
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Making curves: everything is checked, then copied into one block, then shaped by its law.

#include "runtime/curve/curve.h"

#include "base/fail.h"
#include "runtime/block.h"

#include <string.h>

GtCurveDef gt_default_curve_def(void)
{
    return (GtCurveDef){
        .kind = GT_CURVE_NUMBERS,
        .law = GT_LAW_LINEAR,
        .component_count = 1,
    };
}

static GtResult check_kind(const GtCurveDef* def, GtError* error)
{
    bool rotation = def->kind == GT_CURVE_ROTATION;
    if ((unsigned)def->kind > GT_CURVE_ROTATION || (unsigned)def->law >= GT_LAW_COUNT ||
        (unsigned)def->before >= GT_EXTRAPOLATE_COUNT || (unsigned)def->after >= GT_EXTRAPOLATE_COUNT) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "kind %d with law %d, %d before and %d after does not exist",
                        (int)def->kind, (int)def->law, (int)def->before, (int)def->after);
    }
    if (def->law == GT_LAW_SQUAD && !rotation) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "squad is for rotations; numbers have GT_LAW_CATMULL_ROM");
    }
    if (rotation ? def->component_count != 4 : def->component_count < 1) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a curve of %s has %d components",
                        rotation ? "rotations" : "numbers", def->component_count);
    }
    if (def->key_count < 1 || !def->times_s || !def->values) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a curve needs at least one key");
    }
    if (!isfinite(def->tension)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "tension is not a finite number");
    }
    return GT_OK;
}

static GtResult check_times(const GtCurveDef* def, GtError* error)
{
    for (int32_t i = 0; i < def->key_count; ++i) {
        if (!isfinite(def->times_s[i])) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "time of key %d is not a finite number", i);
        }
        if (i && !(def->times_s[i] > def->times_s[i - 1])) {
            return gti_fail(error, GT_ERROR_BAD_VALUE,
                            "time of key %d, %g s, is not after that of the key before, %g s", i,
                            (double)def->times_s[i], (double)def->times_s[i - 1]);
        }
    }
    return GT_OK;
}

static GtResult check_numbers(const float* numbers, int32_t per_key, int32_t key_count, const char* what,
                              GtError* error)
{
    for (int32_t i = 0; i < key_count; ++i) {
        for (int32_t k = 0; k < per_key; ++k) {
            if (!isfinite(numbers[(size_t)i * (size_t)per_key + (size_t)k])) {
                return gti_fail(error, GT_ERROR_BAD_VALUE, "%s of key %d is not finite", what, i);
            }
        }
    }
    return GT_OK;
}

static GtResult check_quats(const GtCurveDef* def, GtError* error)
{
    for (int32_t i = 0; i < def->key_count; ++i) {
        const float* v = &def->values[4 * (size_t)i];
        float length = gt_quat_length(gt_quat(v[0], v[1], v[2], v[3]));
        if (!(length > 1e-18f && length < 1e18f)) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "rotation of key %d has length %g", i, (double)length);
        }
    }
    return GT_OK;
}

static GtResult check_shapes(const GtCurveDef* def, GtError* error)
{
    for (int32_t i = 0; def->shapes && i < def->key_count; ++i) {
        const GtKeyShape* s = &def->shapes[i];
        if (!isfinite(s->tension) || !isfinite(s->continuity) || !isfinite(s->bias)) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "tension, continuity or bias of key %d is not finite", i);
        }
    }
    for (int32_t i = 0; def->eases && i < def->key_count - 1; ++i) {
        GtEase e = def->eases[i];
        if (!(e.in >= 0.0f && e.out >= 0.0f && e.in + e.out <= 1.0f)) {
            return gti_fail(error, GT_ERROR_BAD_VALUE,
                            "ease after key %d, %g and %g, must not be negative nor above 1 together", i, (double)e.in,
                            (double)e.out);
        }
    }
    return GT_OK;
}

static int32_t direction_count(const GtCurveDef* def)
{
    return def->kind == GT_CURVE_ROTATION ? 3 : def->component_count;
}

static GtResult check_handles(const GtCurveDef* def, GtError* error)
{
    if (def->law != GT_LAW_HERMITE && def->law != GT_LAW_BEZIER) {
        return GT_OK;
    }
    if (!def->in || !def->out || !def->in_times_s != !def->out_times_s) {
        return gti_fail(error, GT_ERROR_BAD_VALUE,
                        "a curve of this law needs directions both before and after its keys");
    }
    GtResult result = check_numbers(def->in, direction_count(def), def->key_count, "direction before", error);
    if (result == GT_OK) {
        result = check_numbers(def->out, direction_count(def), def->key_count, "direction after", error);
    }
    for (int32_t i = 0; result == GT_OK && def->law == GT_LAW_BEZIER && def->in_times_s && i < def->key_count; ++i) {
        if (!(def->in_times_s[i] >= 0.0f && def->out_times_s[i] >= 0.0f) || !isfinite(def->in_times_s[i]) ||
            !isfinite(def->out_times_s[i])) {
            result = gti_fail(error, GT_ERROR_BAD_VALUE,
                              "handles of key %d are %g s before and %g s after it; neither may be negative", i,
                              (double)def->in_times_s[i], (double)def->out_times_s[i]);
        }
    }
    return result;
}

static GtResult check(const GtCurveDef* def, GtError* error)
{
    GtResult result = check_kind(def, error);
    if (result == GT_OK) {
        result = check_times(def, error);
    }
    if (result == GT_OK) {
        result = check_numbers(def->values, def->component_count, def->key_count, "value", error);
    }
    if (result == GT_OK && def->kind == GT_CURVE_ROTATION) {
        result = check_quats(def, error);
    }
    if (result == GT_OK) {
        result = check_shapes(def, error);
    }
    return result == GT_OK ? check_handles(def, error) : result;
}

static GtiCurveForm form_of(const GtCurveDef* def)
{
    bool rotation = def->kind == GT_CURVE_ROTATION;
    switch (def->law) {
    case GT_LAW_STEP:
        return GTI_CURVE_STEP;
    case GT_LAW_LINEAR:
        return GTI_CURVE_LINEAR;
    case GT_LAW_SQUAD:
        return GTI_CURVE_SQUAD;
    case GT_LAW_B_SPLINE:
        return rotation ? GTI_CURVE_B_SPLINE : GTI_CURVE_CUBIC;
    default:
        return GTI_CURVE_CUBIC;
    }
}

// Where the parts of a curve lie in its block.
typedef struct Parts {
    size_t values;
    size_t in;
    size_t out;
    size_t in_times;
    size_t out_times;
} Parts;

static bool announce(const GtCurveDef* def, GtiBlock* block, Parts* parts)
{
    size_t keys = (size_t)def->key_count;
    size_t values = keys * (size_t)def->component_count; // of 31 bits each
    size_t directions = keys * (size_t)direction_count(def);
    bool timed = def->law == GT_LAW_BEZIER && def->in_times_s;
    GtiCurveForm form = form_of(def);
    parts->values = gti_block_reserve(block, values, sizeof(float));
    bool ok = parts->values != SIZE_MAX && gti_block_keep(block, def->times_s, keys, sizeof(float)) &&
              (!def->eases || keys < 2 || gti_block_keep(block, def->eases, keys - 1, sizeof(GtEase)));
    if (form != GTI_CURVE_STEP && form != GTI_CURVE_LINEAR) {
        parts->in = gti_block_reserve(block, directions, sizeof(float));
        parts->out = gti_block_reserve(block, directions, sizeof(float));
        ok = ok && parts->in != SIZE_MAX && parts->out != SIZE_MAX;
    }
    if (timed) {
        parts->in_times = gti_block_reserve(block, keys, sizeof(float));
        parts->out_times = gti_block_reserve(block, keys, sizeof(float));
        ok = ok && parts->in_times != SIZE_MAX && parts->out_times != SIZE_MAX;
    }
    return ok && gti_block_allocate(block);
}

// Unit length, and on the side of the key before.
static void copy_rotations(const GtCurveDef* def, float* values)
{
    GtiQuat last = gti_quat_identity();
    for (int32_t i = 0; i < def->key_count; ++i) {
        const float* v = &def->values[4 * (size_t)i];
        GtiQuat q = gti_quat_unit(gti_quat_from(gt_quat(v[0], v[1], v[2], v[3])));
        double dot = q.x * last.x + q.y * last.y + q.z * last.z + q.w * last.w;
        double sign = i && dot < 0.0 ? -1.0 : 1.0;
        last = (GtiQuat){ sign * q.x, sign * q.y, sign * q.z, sign * q.w };
        GtQuat kept = gti_quat_to_float(last);
        memcpy(&values[4 * (size_t)i], &kept, sizeof kept);
    }
}

static GtCurve* lay_out(const GtCurveDef* def, const GtiBlock* block, const Parts* parts)
{
    GtCurve* curve = (GtCurve*)block->base;
    size_t keys = (size_t)def->key_count;
    *curve = (GtCurve){
        .allocator = block->allocator,
        .kind = def->kind,
        .form = form_of(def),
        .component_count = def->component_count,
        .direction_count = direction_count(def),
        .key_count = def->key_count,
        .times_s = gti_block_at(block, def->times_s, keys, sizeof(float)),
        .values = gti_block_reserved(block, parts->values),
        .in = parts->in ? gti_block_reserved(block, parts->in) : NULL,
        .out = parts->out ? gti_block_reserved(block, parts->out) : NULL,
        .in_times_s = parts->in_times ? gti_block_reserved(block, parts->in_times) : NULL,
        .out_times_s = parts->out_times ? gti_block_reserved(block, parts->out_times) : NULL,
        .eases = def->eases && keys > 1 ? gti_block_at(block, def->eases, keys - 1, sizeof(GtEase)) : NULL,
        .closed = def->closed,
        .before = def->before,
        .after = def->after,
    };
    if (def->kind == GT_CURVE_ROTATION) {
        copy_rotations(def, curve->values);
    } else {
        memcpy(curve->values, def->values, keys * (size_t)def->component_count * sizeof(float));
    }
    return curve;
}

GtResult gt_curve_create(GtAllocator allocator, const GtCurveDef* def, GtCurve** out, GtError* error)
{
    def = def ? def : (GtCurveDef[]){ gt_default_curve_def() };
    *out = NULL;
    GtResult result = check(def, error);
    if (result != GT_OK) {
        return result;
    }
    GtiBlock block = gti_block_create(allocator, sizeof(GtCurve));
    Parts parts = { 0 };
    GtCurve* curve = NULL;
    if (announce(def, &block, &parts)) {
        curve = lay_out(def, &block, &parts);
        if (curve->key_count > 1) {
            result = gti_curve_shape(curve, def, error);
        }
    } else {
        result = gti_out_of_memory(error);
    }
    gti_block_destroy(&block);
    if (result != GT_OK) {
        gt_curve_destroy(curve);
        return result;
    }
    *out = curve;
    return GT_OK;
}

void gt_curve_destroy(GtCurve* curve)
{
    if (curve) {
        curve->allocator.release(curve->allocator.user, curve);
    }
}

GtCurveKind gt_curve_kind(const GtCurve* curve)
{
    return curve->kind;
}

int32_t gt_curve_component_count(const GtCurve* curve)
{
    return curve->component_count;
}

double gt_curve_start_s(const GtCurve* curve)
{
    return (double)curve->times_s[0];
}

double gt_curve_end_s(const GtCurve* curve)
{
    return (double)curve->times_s[curve->key_count - 1];
}

GtCurveDef gti_curve_def(const GtCurve* curve)
{
    static const GtCurveLaw laws[] = {
        [GTI_CURVE_STEP] = GT_LAW_STEP,   [GTI_CURVE_LINEAR] = GT_LAW_LINEAR,     [GTI_CURVE_CUBIC] = GT_LAW_BEZIER,
        [GTI_CURVE_SQUAD] = GT_LAW_SQUAD, [GTI_CURVE_B_SPLINE] = GT_LAW_B_SPLINE,
    };
    bool has_handles = curve->form == GTI_CURVE_CUBIC;
    return (GtCurveDef){
        .kind = curve->kind,
        .law = laws[curve->form],
        .component_count = curve->component_count,
        .key_count = curve->key_count,
        .times_s = curve->times_s,
        .values = curve->values,
        .in = has_handles ? curve->in : NULL,
        .out = has_handles ? curve->out : NULL,
        .in_times_s = curve->in_times_s,
        .out_times_s = curve->out_times_s,
        .eases = curve->eases,
        .closed = curve->closed,
        .before = curve->before,
        .after = curve->after,
    };
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// AnimationLayers and what they make of a property. The first layer of a stack sets it. A further layer adds to what is
// below, blends with it or replaces it; rotations are combined as quaternions and scales are multiplied, unless the
// layer's accumulation modes say otherwise.

#include "io/fbx/animation.h"

#include "base/fail.h"
#include "base/scalar.h"
#include "gertie/scene.h"

static double weight_of_percent(double percent)
{
    return percent > 99.999 ? 1.0 : gti_clamp(percent / 100.0, 0.0, 1.0);
}

GtiFbxAnimLayer gti_fbx_read_layer(const GtiFbxReader* reader, int32_t object)
{
    const GtiFbxGraph* graph = &reader->graph;
    int64_t mode = gti_fbx_property_integer(graph, object, "BlendMode", 0);
    return (GtiFbxAnimLayer){
        .object = object,
        .is_additive = mode == 0,
        .is_blended = mode == 0 || mode == 2,
        .composes_rotations = gti_fbx_property_integer(graph, object, "RotationAccumulationMode", 0) == 0,
        .multiplies_scales = gti_fbx_property_integer(graph, object, "ScaleAccumulationMode", 0) == 0,
        .weight = weight_of_percent(gti_fbx_property_number(graph, object, "Weight", 100.0)),
    };
}

GtResult gti_fbx_open_curve(GtiFbxReader* reader, GtiFbxBudget* budget, int32_t object, double ticks_per_s,
                            GtiFbxCurve* out)
{
    const GtiFbxObject* curve = &reader->graph.objects[object];
    int64_t key_count = gti_fbx_curve_key_count(&reader->tree, curve->node);
    *out = (GtiFbxCurve){ .ticks_per_s = ticks_per_s };
    if (key_count > budget->source_keys) {
        budget->is_exhausted = true;
        return GT_OK;
    }
    budget->source_keys -= key_count;
    GtResult result = gti_fbx_read_curve(&reader->tree, curve->node, ticks_per_s, &reader->arena, out, reader->error);
    if (result == GT_OK && out->flaw && budget->flawed_curves++ == 0) {
        result = gti_repair(reader->context, reader->error, reader->path, "AnimationCurve", "curve %lld: %s",
                            (long long)curve->id, out->flaw);
    }
    return result;
}

// Whether a curve stays at one value. Exporters that bake write all keys of what does not move.
static bool is_still(const GtiFbxCurve* curve)
{
    double value = curve->keys[0].value;
    double tolerance = 1e-7 * fmax(1.0, fabs(value));
    for (int32_t i = 0; i < curve->key_count; ++i) {
        const GtiFbxKey* key = &curve->keys[i];
        double left_s = i > 0 ? (key->time - key[-1].time) / curve->ticks_per_s : 0.0;
        double right_s = i + 1 < curve->key_count ? (key[1].time - key->time) / curve->ticks_per_s : 0.0;
        if (!(fabs(key->value - value) <= tolerance && fabs((double)key->left_slope) * left_s <= tolerance &&
              fabs((double)key->right_slope) * right_s <= tolerance)) {
            return false;
        }
    }
    return true;
}

static int axis_of(GtiSlice property)
{
    char last = property.length ? property.text[property.length - 1] : 'X';
    bool is_axis = property.length == 1 || (property.length == 3 && memcmp(property.text, "d|", 2) == 0);
    return is_axis && last == 'Y' ? 1 : is_axis && last == 'Z' ? 2 : 0;
}

static double number_of_property(const GtiFbxGraph* graph, int32_t object, GtiSlice name, double otherwise)
{
    char text[64];
    if (name.length >= sizeof text) {
        return otherwise;
    }
    memcpy(text, name.text, name.length);
    text[name.length] = '\0';
    return gti_fbx_property_number(graph, object, text, otherwise);
}

GtResult gti_fbx_open_driver(GtiFbxReader* reader, GtiFbxBudget* budget, int32_t curve_node, double ticks_per_s,
                             GtiVec rest, GtiFbxDriver* driver)
{
    static const char* const short_names[3] = { "X", "Y", "Z" };
    static const char* const names[3] = { "d|X", "d|Y", "d|Z" };
    const GtiFbxGraph* graph = &reader->graph;
    const GtiFbxObject* node = &graph->objects[curve_node];
    const double rests[3] = { rest.x, rest.y, rest.z };
    for (int i = 0; i < 3; ++i) {
        double own = gti_fbx_property_number(graph, curve_node, short_names[i], rests[i]);
        driver->constants[i] = gti_fbx_property_number(graph, curve_node, names[i], own);
        driver->curves[i] = (GtiFbxCurve){ .ticks_per_s = ticks_per_s };
    }
    int32_t curves[3] = { GT_NONE, GT_NONE, GT_NONE };
    for (int32_t i = 0; i < node->child_count; ++i) {
        const GtiFbxConnection* connection = &graph->connections[node->first_child + i];
        if (gti_slice_is(graph->objects[connection->source].type, "AnimationCurve")) {
            int axis = axis_of(connection->property);
            curves[axis] = connection->source;
            driver->constants[axis] =
                number_of_property(graph, curve_node, connection->property, driver->constants[axis]);
        }
    }
    GtResult result = GT_OK;
    for (int i = 0; i < 3 && result == GT_OK; ++i) {
        driver->constants[i] = isfinite(driver->constants[i]) ? driver->constants[i] : rests[i];
        if (curves[i] != GT_NONE) {
            result = gti_fbx_open_curve(reader, budget, curves[i], ticks_per_s, &driver->curves[i]);
        }
        GtiFbxCurve* curve = &driver->curves[i];
        if (curve->key_count > 1 && is_still(curve)) {
            curve->key_count = 1;
        }
    }
    return result;
}

GtiVec gti_fbx_angles(GtiQuat rotation, GtiFbxOrder order)
{
    // The axes in the order in which they apply, and whether that is a cyclic order.
    static const int8_t axes[7][4] = { { 0, 1, 2, 1 }, { 0, 2, 1, -1 }, { 1, 2, 0, 1 }, { 1, 0, 2, -1 },
                                       { 2, 0, 1, 1 }, { 2, 1, 0, -1 }, { 0, 1, 2, 1 } };
    int i = axes[order][0];
    int j = axes[order][1];
    int k = axes[order][2];
    double sign = axes[order][3];
    const GtiVec units[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    double m[3][3]; // m[row][column]
    for (int column = 0; column < 3; ++column) {
        GtiVec image = gti_quat_rotate(rotation, units[column]);
        m[0][column] = image.x;
        m[1][column] = image.y;
        m[2][column] = image.z;
    }
    // With Rk Rj Ri the row of k is (-s sin j, s cos j sin i, cos j cos i) in the columns i, j, k.
    double angles[3];
    double cosine = hypot(m[k][j], m[k][k]);
    angles[j] = atan2(-sign * m[k][i], cosine);
    if (cosine > 1e-9) {
        angles[i] = atan2(sign * m[k][j], m[k][k]);
        angles[k] = atan2(sign * m[j][i], m[i][i]);
    } else { // only the sum or difference of the others is known
        angles[i] = 0.0;
        angles[k] = atan2(-sign * m[i][j], m[j][j]);
    }
    return gti_vec(angles[0] / GTI_DEGREE, angles[1] / GTI_DEGREE, angles[2] / GTI_DEGREE);
}

// a where weight is 0, b where it is 1, the shorter way round.
static GtiQuat blend_rotations(GtiQuat a, GtiQuat b, double weight)
{
    GtiVec step = gti_quat_log(gti_quat_mul(gti_quat_conjugate(a), b));
    return gti_quat_mul(a, gti_quat_exp(gti_vec_scale(step, weight)));
}

static double power(double value, double exponent)
{
    return exponent <= 0.0 ? 1.0 : exponent >= 1.0 ? value : copysign(pow(fabs(value), exponent), value);
}

static GtiVec combine_scales(GtiVec below, GtiVec value, double below_weight, double weight)
{
    return gti_vec(power(below.x, below_weight) * power(value.x, weight),
                   power(below.y, below_weight) * power(value.y, weight),
                   power(below.z, below_weight) * power(value.z, weight));
}

static GtiVec combine(const GtiFbxAnimLayer* layer, const GtiFbxTrack* track, GtiVec below, GtiVec value, double weight)
{
    if (!layer->is_blended) {
        return value;
    }
    if (track->path == GTI_FBX_SCALE && layer->multiplies_scales) {
        return combine_scales(below, value, layer->is_additive ? 1.0 : 1.0 - weight, weight);
    }
    if (track->path == GTI_FBX_ROTATION && layer->composes_rotations) {
        GtiQuat a = gti_fbx_rotation(below, track->order);
        GtiQuat b = gti_fbx_rotation(value, track->order);
        GtiQuat combined = layer->is_additive ? gti_quat_mul(a, blend_rotations(gti_quat_identity(), b, weight))
                                              : blend_rotations(a, b, weight);
        return gti_fbx_angles(combined, track->order);
    }
    return gti_vec_add_scaled(gti_vec_scale(below, layer->is_additive ? 1.0 : 1.0 - weight), value, weight);
}

GtiVec gti_fbx_track_value(const GtiFbxTrack* track, double time)
{
    GtiVec value = track->rest;
    for (int32_t i = 0; i < track->driver_count; ++i) {
        GtiFbxDriver* driver = &track->drivers[i];
        GtiFbxAnimLayer* layer = driver->layer;
        GtiVec own = { gti_fbx_evaluate(&driver->curves[0], time, driver->constants[0]),
                       gti_fbx_evaluate(&driver->curves[1], time, driver->constants[1]),
                       gti_fbx_evaluate(&driver->curves[2], time, driver->constants[2]) };
        if (driver->is_first_layer) {
            value = own;
            continue;
        }
        double weight = layer->weight;
        if (layer->weight_moves) {
            weight = weight_of_percent(gti_fbx_evaluate(&layer->weight_curve, time, 100.0 * layer->weight));
        }
        value = combine(layer, track, value, own, weight);
    }
    return value;
}

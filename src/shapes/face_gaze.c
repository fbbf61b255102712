// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "shapes/face_gaze.h"

#include "data/json.h"
#include "figure/figure.h"

#include <math.h>
#include <string.h>

static const float degrees = 57.29577951f;

// A range of VRM 1.0 (inputMaxValue, outputScale) or 0 (xRange, yRange); `range` stays where it is not there.
static void read_range(const GtiJson* holder, const char* key, const char* old_key, GtiGazeRange* range)
{
    const GtiJson* map = gti_json_find(holder, key);
    const GtiJson* old = gti_json_find(holder, old_key);
    float most = map ? gti_json_get_float(map, "inputMaxValue", range->most_deg)
                     : gti_json_get_float(old, "xRange", range->most_deg);
    float scale =
        map ? gti_json_get_float(map, "outputScale", range->scale) : gti_json_get_float(old, "yRange", range->scale);
    if (most > 0.0f && most <= 180.0f && scale >= 0.0f && scale <= 180.0f) {
        *range = (GtiGazeRange){ most, scale };
    }
}

static GtResult read_vrm(const GtFigure* character, GtArena* arena, GtiGaze* gaze, GtError* error)
{
    const char* text = character->scene->extra.extensions;
    const GtiJson* root = NULL;
    GtResult result = text ? gti_json_parse(arena, text, strlen(text), &root, error) : GT_OK;
    if (result != GT_OK) {
        return result;
    }
    const GtiJson* look = gti_json_find(gti_json_find(root, "VRMC_vrm"), "lookAt");
    const GtiJson* old = gti_json_find(gti_json_find(root, "VRM"), "firstPerson");
    const GtiJson* holder = look ? look : old;
    gaze->by_expressions = gti_json_equals(gti_json_find(look, "type"), "expression") ||
                           gti_json_equals(gti_json_find(old, "lookAtTypeName"), "BlendShape");
    if (!holder) {
        return GT_OK;
    }
    GtiGazeRange standard = { 90.0f, gaze->by_expressions ? 1.0f : 10.0f };
    gaze->inner = gaze->outer = gaze->down = gaze->up = standard;
    read_range(holder, "rangeMapHorizontalInner", "lookAtHorizontalInner", &gaze->inner);
    read_range(holder, "rangeMapHorizontalOuter", "lookAtHorizontalOuter", &gaze->outer);
    read_range(holder, "rangeMapVerticalDown", "lookAtVerticalDown", &gaze->down);
    read_range(holder, "rangeMapVerticalUp", "lookAtVerticalUp", &gaze->up);
    return GT_OK;
}

GtResult gti_gaze_find(const GtFigure* character, GtArena* arena, GtiGaze* out, GtError* error)
{
    static const GtiGazeRange as_it_is = { 35.0f, 35.0f }; // about as far as eyes turn
    const GtCharacterDef* def = character->def;
    *out = (GtiGaze){ .inner = as_it_is, .outer = as_it_is, .down = as_it_is, .up = as_it_is };
    GtVec3 forward = gti_figure_forward(character);
    out->model_from_forward = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), atan2f(forward.x, forward.z));
    out->eyes[0] = character->joints[GT_HUMANOID_LEFT_EYE];
    out->eyes[1] = character->joints[GT_HUMANOID_RIGHT_EYE];
    for (int e = 0; e < 2; ++e) {
        if (out->eyes[e] == GT_NONE) {
            continue;
        }
        out->rest[e] = def->rest[out->eyes[e]].rotation;
        out->model_from_parent[e] = gt_quat_identity();
        for (int32_t n = def->parents[out->eyes[e]]; n != GT_NONE; n = def->parents[n]) {
            out->model_from_parent[e] = gt_quat_mul(def->rest[n].rotation, out->model_from_parent[e]);
        }
    }
    return read_vrm(character, arena, out, error);
}

// The direction of +Z: what the gaze rolls by is not looked at.
void gti_gaze_angles(GtQuat gaze, float* yaw_deg, float* pitch_deg)
{
    GtVec3 ray = gt_quat_rotate(gaze, gt_vec3(0.0f, 0.0f, 1.0f));
    *yaw_deg = atan2f(ray.x, ray.z) * degrees;
    *pitch_deg = atan2f(-ray.y, hypotf(ray.x, ray.z)) * degrees;
}

static float map_angle(const GtiGazeRange* range, float angle_deg)
{
    return range->scale * fminf(angle_deg / range->most_deg, 1.0f);
}

GtQuat gti_gaze_eye(const GtiGaze* gaze, int eye, float yaw_deg, float pitch_deg)
{
    bool is_outwards = (eye == 0) == (yaw_deg > 0.0f);
    float yaw = copysignf(map_angle(is_outwards ? &gaze->outer : &gaze->inner, fabsf(yaw_deg)), yaw_deg) / degrees;
    float pitch = copysignf(map_angle(pitch_deg > 0.0f ? &gaze->down : &gaze->up, fabsf(pitch_deg)), pitch_deg);
    GtQuat turn = gt_quat_mul(gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), yaw),
                              gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), pitch / degrees));
    GtQuat model_turn =
        gt_quat_mul(gt_quat_mul(gaze->model_from_forward, turn), gt_quat_conjugate(gaze->model_from_forward));
    GtQuat local = gt_quat_mul(gt_quat_conjugate(gaze->model_from_parent[eye]),
                               gt_quat_mul(model_turn, gaze->model_from_parent[eye]));
    return gt_quat_normalize(gt_quat_mul(local, gaze->rest[eye]));
}

void gti_gaze_expressions(const GtiGaze* gaze, float yaw_deg, float pitch_deg, float weights[4])
{
    float yaw = map_angle(&gaze->outer, fabsf(yaw_deg));
    float pitch = map_angle(pitch_deg > 0.0f ? &gaze->down : &gaze->up, fabsf(pitch_deg));
    weights[0] = yaw_deg > 0.0f ? yaw : 0.0f;
    weights[1] = yaw_deg > 0.0f ? 0.0f : yaw;
    weights[2] = pitch_deg > 0.0f ? 0.0f : pitch;
    weights[3] = pitch_deg > 0.0f ? pitch : 0.0f;
}

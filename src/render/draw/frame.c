// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Finding a camera's place. Along the camera's axes, with the eye at (ex, ey, ez), a point (x, y, z) is right of the
// left edge and left of the right one when |x - ex| <= s (ez - z). So the largest x + s z and -x + s z over all points
// are all that matters of them: ez >= (right + left) / 2 s, and ex = (right - left) / 2 centres them. Likewise upwards.

#include "gertie/render.h"

#include <math.h>

// A long lens: limbs keep their proportions.
static const float fov_y_rad = 0.48f;
static const float filled = 0.88f; // of the picture; the rest is rim

static GtLens make_lens(GtVec3 up, GtVec3 back, float aspect)
{
    GtLens lens = { .fov_y_rad = fov_y_rad, .slope_y = tanf(0.5f * fov_y_rad) * filled, .back = back };
    lens.slope_x = lens.slope_y * aspect;
    lens.right = gt_vec3_normalize_or(gt_vec3_cross(up, back), gt_vec3(1.0f, 0.0f, 0.0f));
    lens.up = gt_vec3_cross(back, lens.right);
    return lens;
}

GtLens gt_camera_lens(GtCameraPlace place, float aspect, float turn_rad)
{
    static const GtVec3 from[GT_CAMERA_PLACE_COUNT] = {
        [GT_CAMERA_THREE_QUARTER] = { 0.62f, 0.30f, 1.0f },
        [GT_CAMERA_FRONT] = { 0.0f, 0.06f, 1.0f },
        [GT_CAMERA_SIDE] = { 1.0f, 0.06f, 0.0f },
        [GT_CAMERA_TOP] = { 0.0f, 1.0f, 0.0f },
    };
    const GtVec3 y = { 0.0f, 1.0f, 0.0f };
    const GtVec3 z = { 0.0f, 0.0f, 1.0f };
    GtQuat turn = gt_quat_from_axis_angle(y, turn_rad);
    GtVec3 up = place == GT_CAMERA_TOP ? gt_quat_rotate(turn, gt_vec3_scale(z, -1.0f)) : y;
    return make_lens(up, gt_quat_rotate(turn, gt_vec3_normalize_or(from[place], z)), aspect);
}

GtLens gt_camera_lens_at(float angle_rad, float elevation_rad, float aspect)
{
    GtVec3 level = gt_vec3(sinf(angle_rad), 0.0f, cosf(angle_rad)); // towards the camera, along the ground
    float rise = sinf(elevation_rad);
    float run = cosf(elevation_rad);
    GtVec3 back = gt_vec3(run * level.x, rise, run * level.z);
    return make_lens(gt_vec3(-rise * level.x, run, -rise * level.z), back, aspect);
}

// The larger of two, or the first where the other is no number.
static inline float larger(float most, float value)
{
    return value > most ? value : most;
}

GtReach gt_reach_of(const GtLens* lens, const GtVec3* points, int32_t count)
{
    GtReach r = { -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY };
    for (int32_t i = 0; i < count; ++i) {
        float x = gt_vec3_dot(lens->right, points[i]);
        float y = gt_vec3_dot(lens->up, points[i]);
        float z = gt_vec3_dot(lens->back, points[i]);
        r.right = larger(r.right, x + lens->slope_x * z);
        r.left = larger(r.left, lens->slope_x * z - x);
        r.top = larger(r.top, y + lens->slope_y * z);
        r.bottom = larger(r.bottom, lens->slope_y * z - y);
        r.front = larger(r.front, z);
        r.back = larger(r.back, -z);
    }
    return r;
}

GtReach gt_reach_unite(GtReach a, GtReach b)
{
    return (GtReach){ fmaxf(a.right, b.right),   fmaxf(a.left, b.left),   fmaxf(a.top, b.top),
                      fmaxf(a.bottom, b.bottom), fmaxf(a.front, b.front), fmaxf(a.back, b.back) };
}

GtReach gt_reach_move(GtReach reach, const GtLens* lens, GtVec3 offset)
{
    float x = gt_vec3_dot(lens->right, offset);
    float y = gt_vec3_dot(lens->up, offset);
    float z = gt_vec3_dot(lens->back, offset);
    return (GtReach){ reach.right + x + lens->slope_x * z,
                      reach.left - x + lens->slope_x * z,
                      reach.top + y + lens->slope_y * z,
                      reach.bottom - y + lens->slope_y * z,
                      reach.front + z,
                      reach.back - z };
}

GtCameraView gt_camera_fit(const GtLens* lens, const GtReach* reach)
{
    GtReach r = *reach;
    if (!(r.front + r.back >= 0.0f)) { // nothing to see: a figure's room
        const GtVec3 room[2] = { { -1.0f, 0.0f, -1.0f }, { 1.0f, 2.0f, 1.0f } };
        r = gt_reach_of(lens, room, 2);
    }
    float depth = r.front + r.back;
    float ez = fmaxf((r.right + r.left) / (2.0f * lens->slope_x), (r.top + r.bottom) / (2.0f * lens->slope_y));
    ez = fmaxf(ez, r.front + 0.25f * depth); // never right before something's face
    float distance = ez - r.front + 0.5f * depth;
    if (!(distance > 1e-6f * fabsf(ez))) { // a single point
        distance = 4.0f;
        ez = r.front + distance;
    }
    GtVec3 eye = gt_vec3_scale(lens->right, 0.5f * (r.right - r.left));
    eye = gt_vec3_add(eye, gt_vec3_scale(lens->up, 0.5f * (r.top - r.bottom)));
    eye = gt_vec3_add(eye, gt_vec3_scale(lens->back, ez));
    float size = depth + 2.0f * distance * fmaxf(lens->slope_x, lens->slope_y);
    return (GtCameraView){
        .eye = eye,
        .target = gt_vec3_sub(eye, gt_vec3_scale(lens->back, distance)),
        .up = lens->up,
        .fov_y_rad = lens->fov_y_rad,
        .z_near = fminf(0.3f * distance, 0.5f * (ez - r.front)),
        .z_far = distance + 12.0f * size,
    };
}

GtCameraView gt_camera_frame(GtBounds bounds, GtCameraPlace place, float aspect, float turn_rad)
{
    GtVec3 corners[8];
    for (int i = 0; i < 8; ++i) {
        corners[i] = gt_vec3(i & 1 ? bounds.high.x : bounds.low.x, i & 2 ? bounds.high.y : bounds.low.y,
                             i & 4 ? bounds.high.z : bounds.low.z);
    }
    bool empty = !(bounds.low.x <= bounds.high.x);
    GtLens lens = gt_camera_lens(place, aspect, turn_rad);
    GtReach reach = gt_reach_of(&lens, corners, empty ? 0 : 8);
    return gt_camera_fit(&lens, &reach);
}

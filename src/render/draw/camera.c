// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/draw/camera.h"

#include <math.h>
#include <string.h>

GtiMat44 gti_mat44_mul(const GtiMat44* a, const GtiMat44* b)
{
    GtiMat44 r;
    for (int c = 0; c < 4; ++c) {
        for (int i = 0; i < 4; ++i) {
            double sum = 0.0;
            for (int k = 0; k < 4; ++k) {
                sum += (double)a->m[k * 4 + i] * (double)b->m[c * 4 + k];
            }
            r.m[c * 4 + i] = (float)sum;
        }
    }
    return r;
}

// The camera's axes in the world: right, up, back.
static void camera_axes(const GtCameraView* camera, GtVec3 axes[3])
{
    const GtVec3 back = { 0.0f, 0.0f, 1.0f };
    axes[2] = gt_vec3_normalize_or(gt_vec3_sub(camera->eye, camera->target), back);
    GtVec3 side = gt_vec3_cross(camera->up, axes[2]);
    axes[0] = gt_vec3_normalize_or(side, gt_vec3(1.0f, 0.0f, 0.0f));
    axes[1] = gt_vec3_cross(axes[2], axes[0]);
}

GtiMat44 gti_view_from_world(const GtCameraView* camera)
{
    GtVec3 axes[3];
    camera_axes(camera, axes);
    GtiMat44 r = { { 0 } };
    for (int i = 0; i < 3; ++i) {
        r.m[0 * 4 + i] = axes[i].x;
        r.m[1 * 4 + i] = axes[i].y;
        r.m[2 * 4 + i] = axes[i].z;
        r.m[3 * 4 + i] = -gt_vec3_dot(axes[i], camera->eye);
    }
    r.m[15] = 1.0f;
    return r;
}

GtiMat44 gti_clip_from_view(const GtCameraView* camera, float aspect)
{
    GtiMat44 r = { { 0 } };
    double near = (double)camera->z_near;
    double far = (double)camera->z_far;
    if (camera->fov_y_rad > 0.0f) {
        double f = 1.0 / tan(0.5 * (double)camera->fov_y_rad);
        r.m[0] = (float)(f / (double)aspect);
        r.m[5] = (float)f;
        r.m[10] = (float)((far + near) / (near - far));
        r.m[11] = -1.0f;
        r.m[14] = (float)(2.0 * far * near / (near - far));
    } else {
        r.m[0] = 2.0f / (camera->height_m * aspect);
        r.m[5] = 2.0f / camera->height_m;
        r.m[10] = (float)(-2.0 / (far - near));
        r.m[14] = (float)(-(far + near) / (far - near));
        r.m[15] = 1.0f;
    }
    return r;
}

// A camera and the size of its picture, ready to project many points.
typedef struct Projection {
    GtVec3 axes[3];
    GtVec3 eye;
    float fov_slope; // of a perspective, else 0
    float half_m;    // of an orthographic view
    float half_width, half_height;
} Projection;

static Projection make_projection(const GtCameraView* camera, int32_t width, int32_t height)
{
    Projection p = {
        .eye = camera->eye,
        .fov_slope = camera->fov_y_rad > 0.0f ? tanf(0.5f * camera->fov_y_rad) : 0.0f,
        .half_m = 0.5f * camera->height_m,
        .half_width = 0.5f * (float)width,
        .half_height = 0.5f * (float)height,
    };
    camera_axes(camera, p.axes);
    return p;
}

static inline bool project(const Projection* p, GtVec3 world, float* x, float* y, float* depth)
{
    GtVec3 d = gt_vec3_sub(world, p->eye);
    *depth = -gt_vec3_dot(p->axes[2], d);
    float half = p->fov_slope > 0.0f ? *depth * p->fov_slope : p->half_m;
    float scale = p->half_height / half;
    *x = p->half_width + gt_vec3_dot(p->axes[0], d) * scale;
    *y = p->half_height - gt_vec3_dot(p->axes[1], d) * scale;
    return half > 0.0f;
}

bool gt_camera_project(const GtCameraView* camera, int32_t width, int32_t height, GtVec3 world, float* x, float* y,
                       float* depth)
{
    float px, py;
    Projection p = make_projection(camera, width, height);
    bool is_before = project(&p, world, &px, &py, depth);
    if (is_before) {
        *x = px;
        *y = py;
    }
    return is_before;
}

GtiExtent gti_extent_of_nothing(void)
{
    return (GtiExtent){ INFINITY, -INFINITY, INFINITY, -INFINITY, false };
}

void gti_extent_grow(GtiExtent* extent, const GtCameraView* camera, int32_t width, int32_t height, const GtVec3* points,
                     int32_t count, GtVec3 offset)
{
    Projection p = make_projection(camera, width, height);
    GtiExtent e = *extent;
    for (int32_t i = 0; i < count; ++i) {
        float x, y, depth;
        bool is_before = project(&p, gt_vec3_add(points[i], offset), &x, &y, &depth);
        e.passes_eye = e.passes_eye || !(is_before || isnan(depth));
        e.left = x < e.left ? x : e.left;
        e.right = x > e.right ? x : e.right;
        e.top = y < e.top ? y : e.top;
        e.bottom = y > e.bottom ? y : e.bottom;
    }
    *extent = e;
}

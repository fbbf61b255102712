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

bool gt_camera_project(const GtCameraView* camera, int32_t width, int32_t height, GtVec3 world, float* x, float* y,
                       float* depth)
{
    GtVec3 axes[3];
    camera_axes(camera, axes);
    GtVec3 d = gt_vec3_sub(world, camera->eye);
    GtVec3 p = gt_vec3(gt_vec3_dot(axes[0], d), gt_vec3_dot(axes[1], d), -gt_vec3_dot(axes[2], d));
    float half = camera->fov_y_rad > 0.0f ? p.z * tanf(0.5f * camera->fov_y_rad) : 0.5f * camera->height_m;
    *depth = p.z;
    if (!(half > 0.0f)) {
        return false;
    }
    float scale = 0.5f * (float)height / half;
    *x = 0.5f * (float)width + p.x * scale;
    *y = 0.5f * (float)height - p.y * scale;
    return true;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The parts of the vector headers that are too long to be inline.

#include "gertie/dual_quat.h"
#include "gertie/transform.h"

#include <math.h>
#include <string.h>

GtQuat gt_quat_slerp(GtQuat a, GtQuat b, float t)
{
    float dot = gt_quat_dot(a, b);
    float sign = dot < 0.0f ? -1.0f : 1.0f;
    dot = fabsf(dot);
    float wa = 1.0f - t;
    float wb = t;
    if (dot < 0.9995f) { // closer together the sines vanish, and the straight line errs by less than a float
        float angle = acosf(dot);
        float s = 1.0f / sinf(angle);
        wa = sinf(wa * angle) * s;
        wb = sinf(wb * angle) * s;
    }
    wb *= sign;
    return gt_quat_normalize(
        gt_quat(wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z, wa * a.w + wb * b.w));
}

GtQuat gt_quat_between(GtVec3 from, GtVec3 to)
{
    float dot = gt_vec3_dot(from, to);
    if (dot < -0.999999f) {
        GtVec3 helper = fabsf(from.x) < 0.7f ? gt_vec3(1.0f, 0.0f, 0.0f) : gt_vec3(0.0f, 1.0f, 0.0f);
        GtVec3 axis = gt_vec3_normalize_or(gt_vec3_cross(from, helper), gt_vec3(0.0f, 0.0f, 1.0f));
        return gt_quat(axis.x, axis.y, axis.z, 0.0f);
    }
    GtVec3 cross = gt_vec3_cross(from, to);
    return gt_quat_normalize(gt_quat(cross.x, cross.y, cross.z, 1.0f + dot));
}

GtDualQuat gt_dual_quat_normalize(GtDualQuat d)
{
    float length = gt_quat_length(d.real);
    if (!(length > 1e-20f)) {
        GtDualQuat identity = { gt_quat_identity(), { 0.0f, 0.0f, 0.0f, 0.0f } };
        return identity;
    }
    float s = 1.0f / length;
    GtDualQuat r = { gt_quat(d.real.x * s, d.real.y * s, d.real.z * s, d.real.w * s),
                     gt_quat(d.dual.x * s, d.dual.y * s, d.dual.z * s, d.dual.w * s) };
    return r;
}

static GtVec3 row(const GtMat34* a, int i)
{
    return gt_vec3(a->m[i][0], a->m[i][1], a->m[i][2]);
}

float gt_mat34_determinant(const GtMat34* a)
{
    return gt_vec3_dot(row(a, 0), gt_vec3_cross(row(a, 1), row(a, 2)));
}

GtMat34 gt_mat34_inverse(const GtMat34* a, bool* ok)
{
    // Rows of the adjugate's transpose; in double, because scales of 0.01 leave a determinant of 1e-6.
    double m[3][3];
    double c[3][3];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            m[i][j] = (double)a->m[i][j];
        }
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            int i1 = (i + 1) % 3;
            int i2 = (i + 2) % 3;
            int j1 = (j + 1) % 3;
            int j2 = (j + 2) % 3;
            c[i][j] = m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
        }
    }
    double determinant = m[0][0] * c[0][0] + m[0][1] * c[0][1] + m[0][2] * c[0][2];
    bool good = isfinite(determinant) && fabs(determinant) > 1e-300;
    if (ok) {
        *ok = good;
    }
    if (!good) {
        return gt_mat34_identity();
    }
    GtMat34 r;
    for (int i = 0; i < 3; ++i) {
        double t = 0.0;
        for (int j = 0; j < 3; ++j) {
            double entry = c[j][i] / determinant;
            r.m[i][j] = (float)entry;
            t -= entry * (double)a->m[j][3];
        }
        r.m[i][3] = (float)t;
    }
    return r;
}

GtVec3 gt_mat34_normal(const GtMat34* a, GtVec3 n)
{
    GtVec3 x = gt_vec3_cross(row(a, 1), row(a, 2));
    GtVec3 y = gt_vec3_cross(row(a, 2), row(a, 0));
    GtVec3 z = gt_vec3_cross(row(a, 0), row(a, 1));
    GtVec3 r = gt_vec3(gt_vec3_dot(x, n), gt_vec3_dot(y, n), gt_vec3_dot(z, n));
    return gt_vec3_dot(row(a, 0), x) < 0.0f ? gt_vec3_scale(r, -1.0f) : r;
}

GtMat34 gt_mat34_from_columns(const float columns[16])
{
    GtMat34 r;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            r.m[i][j] = columns[j * 4 + i];
        }
    }
    return r;
}

void gt_mat34_to_columns(const GtMat34* a, float columns[16])
{
    for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 3; ++i) {
            columns[j * 4 + i] = a->m[i][j];
        }
        columns[j * 4 + 3] = j == 3 ? 1.0f : 0.0f;
    }
}

static GtQuat quat_from_rows(double r[3][3])
{
    double x, y, z, w;
    double trace = r[0][0] + r[1][1] + r[2][2];
    if (trace > 0.0) {
        double s = 2.0 * sqrt(trace + 1.0);
        w = 0.25 * s;
        x = (r[2][1] - r[1][2]) / s;
        y = (r[0][2] - r[2][0]) / s;
        z = (r[1][0] - r[0][1]) / s;
    } else if (r[0][0] > r[1][1] && r[0][0] > r[2][2]) {
        double s = 2.0 * sqrt(1.0 + r[0][0] - r[1][1] - r[2][2]);
        w = (r[2][1] - r[1][2]) / s;
        x = 0.25 * s;
        y = (r[0][1] + r[1][0]) / s;
        z = (r[0][2] + r[2][0]) / s;
    } else if (r[1][1] > r[2][2]) {
        double s = 2.0 * sqrt(1.0 + r[1][1] - r[0][0] - r[2][2]);
        w = (r[0][2] - r[2][0]) / s;
        x = (r[0][1] + r[1][0]) / s;
        y = 0.25 * s;
        z = (r[1][2] + r[2][1]) / s;
    } else {
        double s = 2.0 * sqrt(1.0 + r[2][2] - r[0][0] - r[1][1]);
        w = (r[1][0] - r[0][1]) / s;
        x = (r[0][2] + r[2][0]) / s;
        y = (r[1][2] + r[2][1]) / s;
        z = 0.25 * s;
    }
    return gt_quat_normalize(gt_quat((float)x, (float)y, (float)z, (float)w));
}

static double determinant3(double m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// Gram-Schmidt on columns, filling what is missing: the fallback of the polar decomposition for singular matrices.
static void orthonormalize(double m[3][3])
{
    GtVec3 x = gt_vec3((float)m[0][0], (float)m[1][0], (float)m[2][0]);
    GtVec3 y = gt_vec3((float)m[0][1], (float)m[1][1], (float)m[2][1]);
    GtVec3 z = gt_vec3((float)m[0][2], (float)m[1][2], (float)m[2][2]);
    GtVec3 ex = gt_vec3_normalize_or(x, gt_vec3_normalize_or(gt_vec3_cross(y, z), gt_vec3(1.0f, 0.0f, 0.0f)));
    GtVec3 across = fabsf(ex.y) < 0.9f ? gt_vec3(0.0f, 1.0f, 0.0f) : gt_vec3(0.0f, 0.0f, 1.0f);
    GtVec3 side = gt_vec3_cross(ex, across);
    GtVec3 ez = gt_vec3_normalize_or(gt_vec3_cross(ex, y), gt_vec3(0.0f, 0.0f, 0.0f));
    if (gt_vec3_length(ez) < 0.5f) {
        GtVec3 z_across = gt_vec3_sub(z, gt_vec3_scale(ex, gt_vec3_dot(ex, z)));
        ez = gt_vec3_normalize_or(z_across, gt_vec3_normalize_or(side, gt_vec3(0.0f, 0.0f, 1.0f)));
    }
    GtVec3 ey = gt_vec3_cross(ez, ex);
    float columns[3][3] = { { ex.x, ex.y, ex.z }, { ey.x, ey.y, ey.z }, { ez.x, ez.y, ez.z } };
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            m[i][j] = (double)columns[j][i];
        }
    }
}

// Newton's iteration R <- (R + R^-T) / 2 (Higham 1986), quadratically convergent; a mirror is taken out first.
static void nearest_rotation(double r[3][3])
{
    double determinant = determinant3(r);
    if (determinant < 0.0) {
        for (int i = 0; i < 9; ++i) {
            r[i / 3][i % 3] = -r[i / 3][i % 3];
        }
    }
    double size = 0.0;
    for (int i = 0; i < 9; ++i) {
        size = fmax(size, fabs(r[i / 3][i % 3]));
    }
    if (!(size > 1e-30) || !isfinite(size) || !(fabs(determinant) > 1e-12 * size * size * size)) {
        orthonormalize(r);
        return;
    }
    for (int iteration = 0; iteration < 64; ++iteration) {
        double d = determinant3(r);
        double next[3][3];
        double change = 0.0;
        double gamma = iteration < 8 ? pow(fabs(d), -1.0 / 3.0) : 1.0; // scaling: few steps also for very uneven scales
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                int i1 = (i + 1) % 3;
                int i2 = (i + 2) % 3;
                int j1 = (j + 1) % 3;
                int j2 = (j + 2) % 3;
                double cofactor = r[i1][j1] * r[i2][j2] - r[i1][j2] * r[i2][j1];
                next[i][j] = 0.5 * (gamma * r[i][j] + cofactor / (d * gamma));
                change = fmax(change, fabs(next[i][j] - r[i][j]));
            }
        }
        memcpy(r, next, sizeof next);
        if (change < 1e-14) {
            break;
        }
    }
}

GtQuat gt_mat34_polar(const GtMat34* a, float stretch[9])
{
    double r[3][3];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            r[i][j] = (double)a->m[i][j];
        }
    }
    nearest_rotation(r);
    if (stretch) {
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                double s = 0.0;
                for (int k = 0; k < 3; ++k) {
                    s += r[k][i] * (double)a->m[k][j];
                }
                stretch[i * 3 + j] = (float)s;
            }
        }
    }
    return quat_from_rows(r);
}

GtMat34 gt_mat34_from_transform(GtTransform t)
{
    GtQuat q = t.rotation;
    float x2 = q.x + q.x;
    float y2 = q.y + q.y;
    float z2 = q.z + q.z;
    GtMat34 r = { {
        { (1.0f - (q.y * y2 + q.z * z2)) * t.scale.x, (q.x * y2 - q.w * z2) * t.scale.y,
          (q.x * z2 + q.w * y2) * t.scale.z, t.translation.x },
        { (q.x * y2 + q.w * z2) * t.scale.x, (1.0f - (q.x * x2 + q.z * z2)) * t.scale.y,
          (q.y * z2 - q.w * x2) * t.scale.z, t.translation.y },
        { (q.x * z2 - q.w * y2) * t.scale.x, (q.y * z2 + q.w * x2) * t.scale.y,
          (1.0f - (q.x * x2 + q.y * y2)) * t.scale.z, t.translation.z },
    } };
    return r;
}

GtTransform gt_transform_from_mat34(const GtMat34* a, float* shear)
{
    double r[3][3];
    double scale[3];
    double largest = 0.0;
    for (int j = 0; j < 3; ++j) {
        double x = (double)a->m[0][j];
        double y = (double)a->m[1][j];
        double z = (double)a->m[2][j];
        scale[j] = sqrt(x * x + y * y + z * z);
        largest = fmax(largest, scale[j]);
    }
    if (gt_mat34_determinant(a) < 0.0f) {
        scale[0] = -scale[0];
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            r[i][j] = scale[j] != 0.0 ? (double)a->m[i][j] / scale[j] : 0.0;
        }
    }
    nearest_rotation(r);
    GtTransform t = gt_transform(gt_mat34_translation(a), quat_from_rows(r),
                                 gt_vec3((float)scale[0], (float)scale[1], (float)scale[2]));
    if (shear) {
        GtMat34 again = gt_mat34_from_transform(t);
        double worst = 0.0;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                worst = fmax(worst, fabs((double)again.m[i][j] - (double)a->m[i][j]));
            }
        }
        *shear = largest > 0.0 ? (float)(worst / largest) : 0.0f;
    }
    return t;
}

GtTransform gt_transform_lerp(GtTransform a, GtTransform b, float t)
{
    return gt_transform(gt_vec3_lerp(a.translation, b.translation, t), gt_quat_slerp(a.rotation, b.rotation, t),
                        gt_vec3_lerp(a.scale, b.scale, t));
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Angles to quaternions and back. There: half angles are reduced in degrees, where quarter turns are exact, and sine
// and cosine are Taylor series on an eighth of a turn (error below 1e-11); no branches, so compilers make it wide.
// Back: the first angle is found, turned away, and the others are read off what is left, so that an ill-determined
// first angle near gimbal lock is made up for by the last and the rotation stays exact.

#include "io/bvh/euler.h"

#include "base/matrix3.h"
#include "base/scalar.h"

#include "gertie/simd.h"

#include <math.h>
#include <string.h>

#define ROUNDING 6755399441055744.0 // 1.5 * 2^52: adding it leaves an integer in the low bits
#define LOCKED   1e-7               // below this cosine the first angle is noise

static double with_bits(double value, uint64_t mask, double other, uint64_t sign)
{
    uint64_t a;
    uint64_t b;
    memcpy(&a, &value, sizeof a);
    memcpy(&b, &other, sizeof b);
    a = ((a & ~mask) | (b & mask)) ^ sign;
    memcpy(&value, &a, sizeof a);
    return value;
}

static inline __attribute__((always_inline)) void half_sincos(const double* restrict degrees, size_t count,
                                                              double* restrict sines, double* restrict cosines)
{
    for (size_t i = 0; i < count; ++i) {
        double half = degrees[i] * 0.5;
        double shifted = half * (1.0 / 90.0) + ROUNDING;
        uint64_t quarter;
        memcpy(&quarter, &shifted, sizeof quarter);
        double x = (half - (shifted - ROUNDING) * 90.0) * GTI_DEGREE;
        double y = x * x;
        double sine =
            x +
            x * y *
                (-1.0 / 6.0 + y * (1.0 / 120.0 + y * (-1.0 / 5040.0 + y * (1.0 / 362880.0 + y * (-1.0 / 39916800.0)))));
        double cosine =
            1.0 +
            y * (-0.5 + y * (1.0 / 24.0 + y * (-1.0 / 720.0 + y * (1.0 / 40320.0 +
                                                                   y * (-1.0 / 3628800.0 + y * (1.0 / 479001600.0))))));
        uint64_t odd = 0 - (quarter & 1);
        sines[i] = with_bits(sine, odd, cosine, (quarter & 2) << 62);
        cosines[i] = with_bits(cosine, odd, sine, ((quarter + 1) & 2) << 62);
    }
}

static void half_sincos_plain(const double* degrees, size_t count, double* sines, double* cosines)
{
    half_sincos(degrees, count, sines, cosines);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void half_sincos_avx2(const double* degrees, size_t count, double* sines,
                                                             double* cosines)
{
    half_sincos(degrees, count, sines, cosines);
}
#else
#define half_sincos_avx2 half_sincos_plain
#endif

void gti_bvh_half_sincos(const double* degrees, size_t count, double* sines, double* cosines)
{
    bool wide = gt_simd_level() >= GT_SIMD_AVX2;
    (wide ? half_sincos_avx2 : half_sincos_plain)(degrees, count, sines, cosines);
}

static void turn_by_axis(double q[4], int axis, double sine, double cosine)
{
    int j = (axis + 1) % 3;
    int k = (axis + 2) % 3;
    double w = q[3] * cosine - q[axis] * sine;
    double i_part = q[axis] * cosine + q[3] * sine;
    double j_part = q[j] * cosine + q[k] * sine;
    double k_part = q[k] * cosine - q[j] * sine;
    q[axis] = i_part;
    q[j] = j_part;
    q[k] = k_part;
    q[3] = w;
}

void gti_bvh_quat_from_angles(const GtiBvhAxes* axes, const double* sines, const double* cosines, double quat[4])
{
    quat[0] = quat[1] = quat[2] = 0.0;
    quat[3] = 1.0;
    for (int32_t n = 0; n < axes->count; ++n) {
        turn_by_axis(quat, axes->axes[n], sines[n], cosines[n]);
    }
}

// m = R_axis(-angle) m
static void turn_back(double m[3][3], int axis, double angle)
{
    int j = (axis + 1) % 3;
    int k = (axis + 2) % 3;
    double c = cos(angle);
    double s = sin(angle);
    for (int column = 0; column < 3; ++column) {
        double a = m[j][column];
        double b = m[k][column];
        m[j][column] = c * a + s * b;
        m[k][column] = c * b - s * a;
    }
}

static double wind(double degrees, double near)
{
    return degrees + 360.0 * nearbyint((near - degrees) / 360.0);
}

static double distance(const double a[3], const double b[3])
{
    return fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]);
}

// R = R_i(a) R_j(b) R_k(c) with i, j, k all different, or k = i.
static void three_angles(double m[3][3], int i, int j, bool proper, const double before[3], double out[3])
{
    int k = 3 - i - j;
    double e = gti_bvh_parity(i, j);
    double rad[3];
    double sine = proper ? m[j][i] : -e * m[j][k];
    double cosine = proper ? -e * m[k][i] : m[k][k];
    rad[0] = hypot(sine, cosine) < LOCKED ? before[0] * GTI_DEGREE : atan2(sine, cosine);
    turn_back(m, i, rad[0]);
    rad[1] = proper ? atan2(-e * m[k][i], m[i][i]) : atan2(e * m[i][k], m[k][k]);
    rad[2] = proper ? atan2(-e * m[j][k], m[j][j]) : atan2(e * m[j][i], m[j][j]);
    double twin[3];
    for (int n = 0; n < 3; ++n) {
        double angle = gt_degrees(rad[n]);
        double other = n != 1 ? angle + 180.0 : proper ? -angle : 180.0 - angle;
        out[n] = wind(angle, before[n]);
        twin[n] = wind(other, before[n]);
    }
    if (distance(twin, before) < distance(out, before)) {
        memcpy(out, twin, sizeof twin);
    }
}

static double one_angle(double m[3][3], int axis)
{
    int j = (axis + 1) % 3;
    int k = (axis + 2) % 3;
    return atan2(m[k][j] - m[j][k], m[j][j] + m[k][k]);
}

void gti_bvh_angles_from_quat(const GtiBvhAxes* axes, const double quat[4], double* degrees)
{
    int picked[3] = { 0 }; // channels that do the work: no axis right after itself; the others stay at 0
    int count = 0;
    for (int32_t n = 0; n < axes->count && count < 3; ++n) {
        if (count == 0 || axes->axes[n] != axes->axes[picked[count - 1]]) {
            picked[count++] = n;
        }
    }
    double before[3] = { 0.0 };
    double found[3] = { 0.0 };
    for (int n = 0; n < count; ++n) {
        before[n] = degrees[picked[n]];
    }
    double m[3][3];
    gti_rotation_from_quat((GtiQuat){ quat[0], quat[1], quat[2], quat[3] }, m);
    int i = axes->axes[picked[0]];
    int j = axes->axes[picked[1]];
    if (count == 3) {
        three_angles(m, i, j, axes->axes[picked[2]] == i, before, found);
    } else if (count > 0) {
        double rad = count == 1 ? one_angle(m, i) : atan2(gti_bvh_parity(i, j) * m[3 - i - j][j], m[j][j]);
        found[0] = wind(gt_degrees(rad), before[0]);
        turn_back(m, i, rad);
        found[1] = count == 2 ? wind(gt_degrees(one_angle(m, j)), before[1]) : 0.0;
    }
    for (int32_t n = 0; n < axes->count; ++n) {
        degrees[n] = 0.0;
    }
    for (int n = 0; n < count; ++n) {
        degrees[picked[n]] = found[n];
    }
}

double gti_bvh_missed_angle(const GtiBvhAxes* axes, const double quat[4], const double* degrees)
{
    double sines[16];
    double cosines[16];
    double made[4];
    gti_bvh_half_sincos(degrees, (size_t)axes->count, sines, cosines);
    gti_bvh_quat_from_angles(axes, sines, cosines, made);
    double w = made[0] * quat[0] + made[1] * quat[1] + made[2] * quat[2] + made[3] * quat[3];
    double x = made[3] * quat[0] - made[0] * quat[3] - made[1] * quat[2] + made[2] * quat[1];
    double y = made[3] * quat[1] - made[1] * quat[3] - made[2] * quat[0] + made[0] * quat[2];
    double z = made[3] * quat[2] - made[2] * quat[3] - made[0] * quat[1] + made[1] * quat[0];
    return 2.0 * atan2(sqrt(x * x + y * y + z * z), fabs(w));
}

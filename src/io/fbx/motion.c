// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The transform of an animated model over time. Models without pivots that take nothing over from their parents, which
// most joints are, are evaluated at four times side by side in loops that compilers make wide: gti_fbx_place() is what
// they compute. Whether a transform goes straight between two times is told from its curves, without evaluating it.

#include "io/fbx/animation.h"

#include "base/scalar.h"
#include "gertie/scene.h"
#include "gertie/simd.h"

#include <math.h>

enum {
    LANES = 4
};

#define INLINE static inline __attribute__((always_inline)) // into functions for different processors

#define MOST_REDUCED_RAD 1e5 // beyond, the C library's sine is used
#define STRAIGHT_PART    0.7 // of a tolerance that bounds may take, so that rounding does not matter
#define MOST_CHANGE_RAD  0.5 // of Euler angles between two times, up to which the bound of their path holds

// Numbers at four times; vectors of the compiler, so that the arithmetic is wide on every machine.
typedef double MotionLanes __attribute__((vector_size(LANES * sizeof(double))));
typedef uint64_t MotionBits __attribute__((vector_size(LANES * sizeof(uint64_t))));

typedef struct MotionQuats {
    MotionLanes x, y, z, w;
} MotionQuats;

static bool is_zero(GtiVec v)
{
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

static bool has_one_layer(const GtiFbxTrack* track)
{
    return track->driver_count == 0 || (track->driver_count == 1 && track->drivers[0].is_first_layer);
}

void gti_fbx_motion_prepare(GtiFbxMotion* motion)
{
    const GtiFbxModel* model = motion->model;
    const GtiFbxPivots* pivots = &model->pivots;
    motion->is_wide = gt_simd_level() >= GT_SIMD_AVX2;
    motion->is_plain = is_zero(pivots->rotation_offset) && is_zero(pivots->rotation_pivot) &&
                       is_zero(pivots->scaling_offset) && is_zero(pivots->scaling_pivot) && !model->is_beside_scale &&
                       motion->outer_count == 0;
    for (int i = 0; i < 3; ++i) {
        motion->is_plain = motion->is_plain && has_one_layer(&motion->tracks[i]);
    }
}

// Sines and cosines for |x| <= MOST_REDUCED_RAD: x less the nearest multiple of pi / 2, in three parts whose products
// are exact, and the polynomials of fdlibm's kernels on [-pi / 4, pi / 4].
INLINE void sines_cosines(const MotionLanes* x, MotionLanes* sines, MotionLanes* cosines)
{
    const double magic = 0x1.8p52; // adding it rounds to an integer, which is in the lowest bits
    MotionLanes shifted = *x * 0.63661977236758134308 + magic;
    MotionLanes n = shifted - magic;
    MotionLanes r = ((*x - n * 0x1.921fb544p0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
    MotionLanes z = r * r;
    MotionLanes s = z * 1.58969099521155010221e-10 - 2.50507602534068634195e-08;
    s = s * z + 2.75573137070700676789e-06;
    s = s * z - 1.98412698298579493134e-04;
    s = s * z + 8.33333333332248946124e-03;
    s = s * z - 1.66666666666666324348e-01;
    s = r + r * z * s;
    MotionLanes c = z * -1.13596475577881948265e-11 + 2.08757232129817482790e-09;
    c = c * z - 2.75573143513906633035e-07;
    c = c * z + 2.48015872894767294178e-05;
    c = c * z - 1.38888888888741095749e-03;
    c = c * z + 4.16666666666666019037e-02;
    MotionLanes half = 0.5 * z;
    MotionLanes rest = 1.0 - half;
    c = rest + (((1.0 - rest) - half) + z * z * c);
    // In odd quadrants the two swap, and signs follow: by masks, without branches.
    MotionBits quadrant = (MotionBits)shifted;
    MotionBits swap = ((MotionBits)s ^ (MotionBits)c) & (0 - (quadrant & 1));
    *sines = (MotionLanes)((MotionBits)s ^ swap ^ (quadrant & 2) << 62);
    *cosines = (MotionLanes)((MotionBits)c ^ swap ^ ((quadrant + 1) & 2) << 62);
}

INLINE void half_angles(const MotionLanes* degrees, MotionLanes* sines, MotionLanes* cosines)
{
    MotionLanes angles = 0.5 * (*degrees * GTI_DEGREE);
    bool fits = true;
    for (int l = 0; l < LANES; ++l) {
        fits = fits && fabs(angles[l]) <= MOST_REDUCED_RAD;
    }
    if (fits) {
        sines_cosines(&angles, sines, cosines);
        return;
    }
    for (int l = 0; l < LANES; ++l) {
        (*sines)[l] = sin(angles[l]);
        (*cosines)[l] = cos(angles[l]);
    }
}

// (s about axis i, with cosine c) q, where i, j, k are cyclic. As s and c come with q's numbers i, j, k in turn, the
// same few lines do for each axis.
INLINE void turn_about(const MotionLanes* s, const MotionLanes* c, MotionLanes* i, MotionLanes* j, MotionLanes* k,
                       MotionLanes* w)
{
    MotionLanes qi = *i, qj = *j, qk = *k, qw = *w;
    *i = *c * qi + *s * qw;
    *j = *c * qj - *s * qk;
    *k = *c * qk + *s * qj;
    *w = *c * qw - *s * qi;
}

INLINE void rotate_by_angles(const MotionLanes degrees[3], GtiFbxOrder order, MotionQuats* q)
{
    const uint8_t* axes = gti_fbx_order_axes(order);
    for (int n = 0; n < 3; ++n) {
        MotionLanes s, c;
        half_angles(&degrees[axes[n]], &s, &c);
        switch (axes[n]) {
        case 0:
            turn_about(&s, &c, &q->x, &q->y, &q->z, &q->w);
            break;
        case 1:
            turn_about(&s, &c, &q->y, &q->z, &q->x, &q->w);
            break;
        default:
            turn_about(&s, &c, &q->z, &q->x, &q->y, &q->w);
            break;
        }
    }
}

// Pre-rotation, Euler angles and inverse post-rotation, of unit length.
INLINE void rotations(const GtiFbxPivots* pivots, const MotionLanes degrees[3], MotionQuats* q)
{
    const MotionLanes zero = { 0.0 };
    GtiQuat first = gti_quat_conjugate(pivots->post_rotation);
    GtiQuat last = pivots->pre_rotation;
    MotionQuats b = { zero + first.x, zero + first.y, zero + first.z, zero + first.w };
    rotate_by_angles(degrees, pivots->order, &b);
    q->x = last.w * b.x + last.x * b.w + last.y * b.z - last.z * b.y;
    q->y = last.w * b.y - last.x * b.z + last.y * b.w + last.z * b.x;
    q->z = last.w * b.z + last.x * b.y - last.y * b.x + last.z * b.w;
    q->w = last.w * b.w - last.x * b.x - last.y * b.y - last.z * b.z;
    MotionLanes scale = q->x * q->x + q->y * q->y + q->z * q->z + q->w * q->w;
    for (int l = 0; l < LANES; ++l) {
        scale[l] = 1.0 / sqrt(scale[l]);
    }
    q->x *= scale;
    q->y *= scale;
    q->z *= scale;
    q->w *= scale;
}

static void rotations_plain(const GtiFbxPivots* pivots, const MotionLanes degrees[3], MotionQuats* q)
{
    rotations(pivots, degrees, q);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void rotations_avx2(const GtiFbxPivots* pivots, const MotionLanes degrees[3],
                                                           MotionQuats* q)
{
    rotations(pivots, degrees, q);
}
#else
#define rotations_avx2 rotations_plain
#endif

// A huge curve may leave the range of floats.
static void put_row(float* row, GtTransform place)
{
    const float values[GTI_FBX_TRANSFORM_WIDTH] = { place.translation.x, place.translation.y, place.translation.z,
                                                    place.rotation.x,    place.rotation.y,    place.rotation.z,
                                                    place.rotation.w,    place.scale.x,       place.scale.y,
                                                    place.scale.z };
    for (int i = 0; i < GTI_FBX_TRANSFORM_WIDTH; ++i) {
        row[i] = isfinite(values[i]) ? values[i] : i >= 6 ? 1.0f : 0.0f;
    }
}

static void evaluate_one(GtiFbxMotion* motion, double time, float* row)
{
    GtiFbxPose pose = { .translation = gti_fbx_track_value(&motion->tracks[0], time),
                        .rotation_deg = gti_fbx_track_value(&motion->tracks[1], time),
                        .scale = gti_fbx_track_value(&motion->tracks[2], time) };
    for (int32_t i = 0; i < motion->outer_count; ++i) {
        motion->scales[motion->outer_models[i]] = gti_fbx_track_value(&motion->outer[i], time);
    }
    gti_fbx_inherit(motion->reader, motion->model, motion->scales, &pose);
    put_row(row, gti_fbx_place(motion->reader, motion->model, &pose));
}

// The values of a track of one layer; lanes from `count` on are at rest.
static void track_lanes(const GtiFbxTrack* track, const double* times, int32_t count, MotionLanes out[3])
{
    const double rest[3] = { track->rest.x, track->rest.y, track->rest.z };
    GtiFbxDriver* driver = track->driver_count ? &track->drivers[0] : NULL;
    for (int i = 0; i < 3; ++i) {
        double values[LANES] = { rest[i], rest[i], rest[i], rest[i] };
        if (driver) {
            gti_fbx_evaluate_times(&driver->curves[i], times, count, driver->constants[i], values);
        }
        memcpy(&out[i], values, sizeof out[i]);
    }
}

// What evaluate_one() gives for a plain motion, at up to LANES times.
static void evaluate_lanes(GtiFbxMotion* motion, const double* times, int32_t count, float* rows)
{
    const GtiFbxReader* reader = motion->reader;
    MotionLanes translation[3], degrees[3], scale[3];
    MotionQuats q;
    track_lanes(&motion->tracks[0], times, count, translation);
    track_lanes(&motion->tracks[1], times, count, degrees);
    track_lanes(&motion->tracks[2], times, count, scale);
    (motion->is_wide ? rotations_avx2 : rotations_plain)(&motion->model->pivots, degrees, &q);
    for (int32_t l = 0; l < count; ++l) {
        GtiVec t =
            gti_vec_scale(gti_vec(translation[0][l], translation[1][l], translation[2][l]), reader->metres_per_unit);
        GtiQuat r = { q.x[l], q.y[l], q.z[l], q.w[l] };
        r = isfinite(r.w) ? r : gti_quat_identity();
        if (motion->model->parent == GT_NONE) {
            t = gti_quat_rotate(reader->y_from_file, t);
            r = gti_quat_unit(gti_quat_mul(reader->y_from_file, r));
        }
        GtTransform place = { .translation = gti_vec_to_float(t),
                              .rotation = gti_quat_to_float(r),
                              .scale = gt_vec3((float)scale[0][l], (float)scale[1][l], (float)scale[2][l]) };
        put_row(rows + (size_t)l * GTI_FBX_TRANSFORM_WIDTH, place);
    }
}

void gti_fbx_motion_evaluate(void* user, const double* times, int32_t count, float* rows)
{
    GtiFbxMotion* motion = user;
    for (int32_t i = 0; i < count && !motion->is_plain; ++i) {
        evaluate_one(motion, times[i], rows + (size_t)i * GTI_FBX_TRANSFORM_WIDTH);
    }
    for (int32_t i = 0; i < count && motion->is_plain; i += LANES) {
        int32_t some = count - i < LANES ? count - i : LANES;
        evaluate_lanes(motion, times + i, some, rows + (size_t)i * GTI_FBX_TRANSFORM_WIDTH);
    }
}

// Bounds over a track's numbers between two times.
static void bend_of_track(const GtiFbxTrack* track, double begin, double end, GtiFbxBend out[3])
{
    for (int i = 0; i < 3; ++i) {
        out[i] = track->driver_count ? gti_fbx_curve_bend(&track->drivers[0].curves[i], begin, end)
                                     : (GtiFbxBend){ 0.0, 0.0 };
    }
}

static double bend_length(const GtiFbxBend bends[3])
{
    return sqrt(bends[0].off_line * bends[0].off_line + bends[1].off_line * bends[1].off_line +
                bends[2].off_line * bends[2].off_line);
}

// Euler angles that change evenly by a, b, c turn about axes that themselves turn, so that the angular velocity changes
// by at most ab + ac + bc; like a second derivative, this leads at most an eighth of it away from the great arc. On the
// sphere of rotations nearby arcs converge, for which a fifth is added.
static bool rotation_is_straight(const GtiFbxBend bends[3])
{
    double a = bends[0].change * GTI_DEGREE;
    double b = bends[1].change * GTI_DEGREE;
    double c = bends[2].change * GTI_DEGREE;
    double off_line = (bends[0].off_line + bends[1].off_line + bends[2].off_line) * GTI_DEGREE;
    return a + b + c <= MOST_CHANGE_RAD &&
           off_line + 1.2 / 8.0 * (a * b + a * c + b * c) <= STRAIGHT_PART * GTI_FBX_ROTATION_TOLERANCE_RAD;
}

bool gti_fbx_motion_is_straight(void* user, double begin, double end, const float* first, const float* last)
{
    const GtiFbxMotion* motion = user;
    GtiFbxBend bends[3];
    if (!motion->is_plain) {
        return false;
    }
    bend_of_track(&motion->tracks[1], begin, end, bends);
    if (!rotation_is_straight(bends)) {
        return false;
    }
    bend_of_track(&motion->tracks[0], begin, end, bends);
    double off_line_m = bend_length(bends) * motion->reader->metres_per_unit;
    GtiVec from = gti_vec((double)first[0], (double)first[1], (double)first[2]);
    GtiVec to = gti_vec((double)last[0], (double)last[1], (double)last[2]);
    double nearest_m = fmin(gti_vec_length(from), gti_vec_length(to)) - gti_vec_length(gti_vec_sub(to, from));
    double length_m = fmax(GTI_FBX_SHORTEST_TRANSLATION_M, nearest_m);
    if (!(off_line_m <= STRAIGHT_PART * GTI_FBX_TRANSLATION_TOLERANCE * length_m)) {
        return false;
    }
    bend_of_track(&motion->tracks[2], begin, end, bends);
    return bend_length(bends) <= STRAIGHT_PART * GTI_FBX_SCALE_TOLERANCE;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Free-form deformation by trivariate Bernstein polynomials (Sederberg and Parry 1986, equation 2), by B-splines (Piegl
// and Tiller, The NURBS Book, A2.2 and A2.3), and with weights (Kalra et al. 1992), as displacements: see
// gertie/lattice.h. Both bases reproduce straight lines from their rest points, so that the sum over the rest points is
// the place itself and need not be computed. Functions of one axis and sums are in double.

#include "runtime/section/lattice.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

enum {
    CUBIC = 3,
    FOLD_SAMPLES = 13, // along an axis
};

// As a share of the box: points on its faces are inside, however they were rounded.
static const double slack = 1e-6;

GtLatticeDef gt_default_lattice_def(void)
{
    return (GtLatticeDef){ .counts = { 4, 4, 4 }, .space_from_box = gt_mat34_identity() };
}

int32_t gt_lattice_point_count(const GtLatticeDef* def)
{
    def = def ? def : (GtLatticeDef[]){ gt_default_lattice_def() };
    return def->counts[0] * def->counts[1] * def->counts[2];
}

int32_t gt_lattice_index(const GtLatticeDef* def, int32_t i, int32_t j, int32_t k)
{
    def = def ? def : (GtLatticeDef[]){ gt_default_lattice_def() };
    return (k * def->counts[1] + j) * def->counts[0] + i;
}

static int32_t degree_of(const GtLatticeDef* def, int axis)
{
    int32_t most = def->counts[axis] - 1;
    return def->basis == GT_LATTICE_B_SPLINE && most > CUBIC ? CUBIC : most;
}

static void fill_knots(int32_t count, int32_t degree, double* knots)
{
    int32_t spans = count - degree;
    for (int32_t i = 0; i < count + degree + 1; ++i) {
        int32_t span = i - degree;
        span = span < 0 ? 0 : span > spans ? spans : span;
        knots[i] = (double)span / (double)spans;
    }
}

GtiLattice gti_lattice_of(const GtLatticeDef* def, const GtVec3* points, const GtVec3* displacements)
{
    GtiLattice lattice;
    lattice.def = def;
    lattice.points = points;
    lattice.displacements = displacements;
    for (int axis = 0; axis < 3; ++axis) {
        int32_t count = def->counts[axis];
        int32_t degree = degree_of(def, axis);
        if (def->basis == GT_LATTICE_B_SPLINE) {
            fill_knots(count, degree, lattice.knots[axis]);
        }
        for (int32_t i = 0; i < count; ++i) {
            double place = (double)i / (double)(count - 1);
            if (def->basis == GT_LATTICE_B_SPLINE) {
                place = 0.0;
                for (int32_t k = 1; k <= degree; ++k) {
                    place += lattice.knots[axis][i + k] / (double)degree;
                }
            }
            lattice.rest[axis][i] = (float)place;
        }
    }
    return lattice;
}

static GtVec3 rest_point(const GtiLattice* lattice, int32_t i, int32_t j, int32_t k)
{
    GtVec3 place = gt_vec3(lattice->rest[0][i], lattice->rest[1][j], lattice->rest[2][k]);
    return gt_mat34_point(&lattice->def->space_from_box, place);
}

void gti_lattice_add_rest(const GtLatticeDef* def, GtVec3* points)
{
    GtiLattice lattice = gti_lattice_of(def, NULL, NULL);
    for (int32_t k = 0; k < def->counts[2]; ++k) {
        for (int32_t j = 0; j < def->counts[1]; ++j) {
            for (int32_t i = 0; i < def->counts[0]; ++i, ++points) {
                *points = gt_vec3_add(rest_point(&lattice, i, j, k), *points);
            }
        }
    }
}

void gt_lattice_rest(const GtLatticeDef* def, GtVec3* out_points)
{
    def = def ? def : (GtLatticeDef[]){ gt_default_lattice_def() };
    for (int32_t i = 0; i < gt_lattice_point_count(def); ++i) {
        out_points[i] = gt_vec3(0.0f, 0.0f, 0.0f);
    }
    gti_lattice_add_rest(def, out_points);
}

GtResult gt_lattice_check(const GtLatticeDef* def, GtError* error)
{
    def = def ? def : (GtLatticeDef[]){ gt_default_lattice_def() };
    if ((int)def->basis < 0 || def->basis >= GT_LATTICE_BASIS_COUNT) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a lattice of basis %d: there is none", (int)def->basis);
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (def->counts[axis] < 2 || def->counts[axis] > GT_LATTICE_MAX_SIDE) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "a lattice of %d x %d x %d points: 2 to %d a side will do",
                            def->counts[0], def->counts[1], def->counts[2], GT_LATTICE_MAX_SIDE);
        }
    }
    bool thick = false;
    const float* numbers = def->space_from_box.m[0];
    bool finite = true;
    for (int i = 0; i < 12; ++i) {
        finite &= isfinite(numbers[i]) != 0;
    }
    gt_mat34_inverse(&def->space_from_box, &thick);
    if (!finite || !thick) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the box of a lattice is flat, or not finite");
    }
    for (int32_t i = 0; def->weights && i < gt_lattice_point_count(def); ++i) {
        if (!(def->weights[i] > 0.0f && def->weights[i] <= 1e18f)) { // so that sums and quotients stay finite
            return gti_fail(error, GT_ERROR_BAD_VALUE, "control point %d of a lattice weighs %g: it must be above 0",
                            (int)i, (double)def->weights[i]);
        }
    }
    return GT_OK;
}

// All Bernstein polynomials of a degree, from those of degrees below.
static void bernstein(int32_t degree, double s, GtiLatticeAxis* out)
{
    double lower[GT_LATTICE_MAX_SIDE + 1]; // of one degree less, and a 0 at either end
    out->first = 0;
    out->count = degree + 1;
    out->values[0] = 1.0;
    for (int32_t d = 1; d <= degree; ++d) {
        double carried = 0.0;
        for (int32_t i = 0; i < d; ++i) {
            double value = out->values[i];
            lower[i + 1] = value;
            out->values[i] = carried + (1.0 - s) * value;
            carried = s * value;
        }
        out->values[d] = carried;
    }
    lower[0] = 0.0;
    lower[degree + 1] = 0.0;
    for (int32_t i = 0; i <= degree; ++i) {
        out->slopes[i] = (double)degree * (lower[i] - lower[i + 1]);
    }
}

// The degree + 1 B-splines that are not 0 in the span of knots around s.
static void b_splines(const double* knots, int32_t count, int32_t degree, double s, GtiLatticeAxis* out)
{
    int32_t spans = count - degree;
    int32_t span = (int32_t)(s * (double)spans);
    span = degree + (span >= spans ? spans - 1 : span);
    double lower[CUBIC + 2] = { 0.0 };
    out->first = span - degree;
    out->count = degree + 1;
    out->values[0] = 1.0;
    for (int32_t d = 1; d <= degree; ++d) {
        double carried = 0.0;
        for (int32_t i = 0; i < d; ++i) {
            double right = knots[span + i + 1];
            double left = knots[span + 1 + i - d];
            double share = out->values[i] / (right - left);
            lower[i + 1] = share;
            out->values[i] = carried + (right - s) * share;
            carried = (s - left) * share;
        }
        out->values[d] = carried;
    }
    lower[0] = 0.0;
    lower[degree + 1] = 0.0;
    for (int32_t i = 0; i <= degree; ++i) {
        out->slopes[i] = (double)degree * (lower[i] - lower[i + 1]);
    }
}

void gti_lattice_axis(const GtiLattice* lattice, int axis, double s, GtiLatticeAxis* out)
{
    const GtLatticeDef* def = lattice->def;
    if (def->basis == GT_LATTICE_B_SPLINE) {
        b_splines(lattice->knots[axis], def->counts[axis], degree_of(def, axis), s, out);
    } else {
        bernstein(degree_of(def, axis), s, out);
    }
}

static void find_axes(const GtiLattice* lattice, const double stu[3], GtiLatticeAxis axes[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        gti_lattice_axis(lattice, axis, stu[axis], &axes[axis]);
    }
}

void gti_lattice_add_basis(const GtLatticeDef* def, const double stu[3], double scale, float* out)
{
    GtiLattice lattice = gti_lattice_of(def, NULL, NULL);
    GtiLatticeAxis axes[3];
    find_axes(&lattice, stu, axes);
    for (int32_t k = 0; k < axes[2].count; ++k) {
        for (int32_t j = 0; j < axes[1].count; ++j) {
            float* row = out + gt_lattice_index(def, axes[0].first, axes[1].first + j, axes[2].first + k);
            double value = scale * axes[1].values[j] * axes[2].values[k];
            for (int32_t i = 0; i < axes[0].count; ++i) {
                row[i] += (float)(value * axes[0].values[i]);
            }
        }
    }
}

static GtVec3 displacement_of(const GtiLattice* lattice, int32_t i, int32_t j, int32_t k, int32_t index)
{
    return lattice->displacements ? lattice->displacements[index]
                                  : gt_vec3_sub(lattice->points[index], rest_point(lattice, i, j, k));
}

// The place of the box that is deformed, in the lattice's space.
static void find_itself(const GtLatticeDef* def, const double stu[3], double out[3])
{
    for (int c = 0; c < 3; ++c) {
        const float* m = def->space_from_box.m[c];
        out[c] = (double)m[0] * stu[0] + (double)m[1] * stu[1] + (double)m[2] * stu[2] + (double)m[3];
    }
}

// Sums over one row of control points, along s: of displacements x, y, z and of weights. With weights, what is summed
// is how far points are from the place itself: only with equal ones would that of points at rest be 0.
typedef struct Row {
    double values[4];
    double slopes[4];
} Row;

static Row sum_row(const GtiLattice* lattice, const GtiLatticeAxis* s, int32_t j, int32_t k, const double itself[3])
{
    Row row = { { 0.0 }, { 0.0 } };
    const GtLatticeDef* def = lattice->def;
    int32_t index = gt_lattice_index(def, s->first, j, k);
    for (int32_t i = 0; i < s->count; ++i, ++index) {
        GtVec3 d = displacement_of(lattice, s->first + i, j, k, index);
        double weight = def->weights ? (double)def->weights[index] : 1.0;
        double value = weight * s->values[i];
        double slope = weight * s->slopes[i];
        double parts[4] = { (double)d.x, (double)d.y, (double)d.z, 1.0 };
        if (def->weights) {
            GtVec3 rest = rest_point(lattice, s->first + i, j, k);
            parts[0] += (double)rest.x - itself[0];
            parts[1] += (double)rest.y - itself[1];
            parts[2] += (double)rest.z - itself[2];
        }
        for (int c = 0; c < 4; ++c) {
            row.values[c] += value * parts[c];
            row.slopes[c] += slope * parts[c];
        }
    }
    return row;
}

GtiLatticeValue gti_lattice_at(const GtiLattice* lattice, const double stu[3])
{
    const GtLatticeDef* def = lattice->def;
    GtiLatticeAxis axes[3];
    find_axes(lattice, stu, axes);
    double itself[3];
    find_itself(def, stu, itself);
    double sums[4][4] = { { 0.0 } }; // [value, slopes along s, t, u][x, y, z, weight]
    for (int32_t k = 0; k < axes[2].count; ++k) {
        for (int32_t j = 0; j < axes[1].count; ++j) {
            Row row = sum_row(lattice, &axes[0], axes[1].first + j, axes[2].first + k, itself);
            double value = axes[1].values[j] * axes[2].values[k];
            double along_t = axes[1].slopes[j] * axes[2].values[k];
            double along_u = axes[1].values[j] * axes[2].slopes[k];
            for (int c = 0; c < 4; ++c) {
                sums[0][c] += value * row.values[c];
                sums[1][c] += value * row.slopes[c];
                sums[2][c] += along_t * row.values[c];
                sums[3][c] += along_u * row.values[c];
            }
        }
    }
    GtiLatticeValue out;
    double weight = def->weights ? sums[0][3] : 1.0;
    for (int c = 0; c < 3; ++c) {
        out.d[c] = sums[0][c] / weight;
        for (int axis = 0; axis < 3; ++axis) {
            out.slopes[c][axis] = sums[1 + axis][c];
            if (def->weights) { // of the quotient, less that of the place itself
                out.slopes[c][axis] = (sums[1 + axis][c] - out.d[c] * sums[1 + axis][3]) / weight -
                                      (double)def->space_from_box.m[c][axis];
            }
        }
    }
    return out;
}

static void write_jacobian(const GtiLatticeValue* value, const GtMat34* box_from_space, float out[9])
{
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            double sum = row == column ? 1.0 : 0.0;
            for (int axis = 0; axis < 3; ++axis) {
                sum += value->slopes[row][axis] * (double)box_from_space->m[axis][column];
            }
            out[3 * row + column] = (float)sum;
        }
    }
}

// False outside, also for what is not a number.
static bool find_place(const GtMat34* box_from_space, GtVec3 p, double stu[3])
{
    GtVec3 place = gt_mat34_point(box_from_space, p);
    const float parts[3] = { place.x, place.y, place.z };
    for (int axis = 0; axis < 3; ++axis) {
        double at = (double)parts[axis];
        if (!(at >= -slack && at <= 1.0 + slack)) {
            return false;
        }
        stu[axis] = at < 0.0 ? 0.0 : at > 1.0 ? 1.0 : at;
    }
    return true;
}

void gt_lattice_apply(const GtLatticeDef* def, const GtVec3* points, int32_t count, const GtVec3* in, GtVec3* out,
                      float* jacobians)
{
    def = def ? def : (GtLatticeDef[]){ gt_default_lattice_def() };
    static const float identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    GtiLattice lattice = gti_lattice_of(def, points, NULL);
    GtMat34 box_from_space = gt_mat34_inverse(&def->space_from_box, NULL);
    for (int32_t n = 0; n < count; ++n) {
        float* jacobian = jacobians ? &jacobians[9 * (size_t)n] : NULL;
        double stu[3];
        if (!find_place(&box_from_space, in[n], stu)) {
            out[n] = in[n];
            for (int i = 0; jacobian && i < 9; ++i) {
                jacobian[i] = identity[i];
            }
            continue;
        }
        GtiLatticeValue value = gti_lattice_at(&lattice, stu);
        out[n] = gt_vec3((float)((double)in[n].x + value.d[0]), (float)((double)in[n].y + value.d[1]),
                         (float)((double)in[n].z + value.d[2]));
        if (jacobian) {
            write_jacobian(&value, &box_from_space, jacobian);
        }
    }
}

bool gt_lattice_folds(const GtLatticeDef* def, const GtVec3* points)
{
    def = def ? def : (GtLatticeDef[]){ gt_default_lattice_def() };
    GtiLattice lattice = gti_lattice_of(def, points, NULL);
    GtMat34 box_from_space = gt_mat34_inverse(&def->space_from_box, NULL);
    int32_t last[3];
    for (int axis = 0; axis < 3; ++axis) {
        int32_t most = 4 * (def->counts[axis] - 1);
        last[axis] = most < FOLD_SAMPLES ? most : FOLD_SAMPLES - 1;
    }
    for (int32_t k = 0; k <= last[2]; ++k) {
        for (int32_t j = 0; j <= last[1]; ++j) {
            for (int32_t i = 0; i <= last[0]; ++i) {
                double stu[3] = { (double)i / last[0], (double)j / last[1], (double)k / last[2] };
                GtiLatticeValue value = gti_lattice_at(&lattice, stu);
                float jacobian[9];
                write_jacobian(&value, &box_from_space, jacobian);
                GtMat34 matrix = { { { jacobian[0], jacobian[1], jacobian[2], 0 },
                                     { jacobian[3], jacobian[4], jacobian[5], 0 },
                                     { jacobian[6], jacobian[7], jacobian[8], 0 } } };
                if (!(gt_mat34_determinant(&matrix) > 0.0f)) {
                    return true;
                }
            }
        }
    }
    return false;
}

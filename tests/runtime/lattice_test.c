// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lattices against their definitions, written down in double: binomials and powers for Bezier, Cox's and de Boor's
// recursion for B-splines, quotients for weights; derivatives against differences of those.

#include "gertie/lattice.h"

#include "runtime/reference.h"

enum {
    MAX_POINTS = 12 * 12 * 12
};

typedef struct Bent {
    GtLatticeDef def;
    GtVec3 points[MAX_POINTS];
    float weights[MAX_POINTS];
} Bent;

static double bernstein(int n, int i, double s)
{
    double binomial = 1.0;
    for (int k = 1; k <= i; ++k) {
        binomial = binomial * (n - k + 1) / k;
    }
    return binomial * pow(s, i) * pow(1.0 - s, n - i);
}

static double knot(int count, int degree, int i)
{
    double at = (double)(i - degree) / (double)(count - degree);
    return fmin(fmax(at, 0.0), 1.0);
}

static double b_spline(int count, int degree, int d, int i, double s)
{
    double left = knot(count, degree, i);
    double right = knot(count, degree, i + d + 1);
    if (d == 0) {
        return s >= left && (s < right || (right == 1.0 && s == 1.0 && left < 1.0)) ? 1.0 : 0.0;
    }
    double sum = 0.0;
    double width = knot(count, degree, i + d) - left;
    if (width > 0.0) {
        sum += (s - left) / width * b_spline(count, degree, d - 1, i, s);
    }
    width = right - knot(count, degree, i + 1);
    if (width > 0.0) {
        sum += (right - s) / width * b_spline(count, degree, d - 1, i + 1, s);
    }
    return sum;
}

static double basis(const GtLatticeDef* def, int axis, int i, double s)
{
    int count = def->counts[axis];
    int degree = count > 4 ? 3 : count - 1;
    return def->basis == GT_LATTICE_BEZIER ? bernstein(count - 1, i, s) : b_spline(count, degree, degree, i, s);
}

// What becomes of the place (s, t, u) of the box, in the lattice's space.
static RefVec deform_place(const Bent* bent, const double stu[3])
{
    const GtLatticeDef* def = &bent->def;
    double sums[4] = { 0.0 };
    for (int k = 0; k < def->counts[2]; ++k) {
        for (int j = 0; j < def->counts[1]; ++j) {
            for (int i = 0; i < def->counts[0]; ++i) {
                int32_t at = gt_lattice_index(def, i, j, k);
                double b = basis(def, 0, i, stu[0]) * basis(def, 1, j, stu[1]) * basis(def, 2, k, stu[2]);
                b *= def->weights ? (double)def->weights[at] : 1.0;
                for (int c = 0; c < 3; ++c) {
                    sums[c] += b * (double)(&bent->points[at].x)[c];
                }
                sums[3] += b;
            }
        }
    }
    return (RefVec){ { sums[0] / sums[3], sums[1] / sums[3], sums[2] / sums[3] } };
}

static GtMat34 random_box(uint64_t* random)
{
    RefMat turned = ref_matrix(ref_random_quat(random), (RefVec){ { 0.3, -1.2, 0.7 } });
    GtMat34 box = ref_to_mat34(&turned);
    for (int column = 0; column < 3; ++column) {
        float length = 1.0f + 0.8f * (float)ref_random(random);
        for (int row = 0; row < 3; ++row) {
            box.m[row][column] = length * box.m[row][column] + 0.2f * box.m[row][(column + 1) % 3]; // not square
        }
    }
    return box;
}

static void bend_lattice(Bent* bent, GtLatticeBasis kind, const int32_t counts[3], bool weighed, uint64_t* random)
{
    bent->def = (GtLatticeDef){ .basis = kind,
                                .counts = { counts[0], counts[1], counts[2] },
                                .space_from_box = random_box(random),
                                .weights = weighed ? bent->weights : NULL };
    gt_lattice_rest(&bent->def, bent->points);
    for (int32_t i = 0; i < gt_lattice_point_count(&bent->def); ++i) {
        bent->points[i] = gt_vec3_add(bent->points[i], ref_random_vec3(random, 0.25));
        bent->weights[i] = (float)exp(1.5 * ref_random(random));
    }
    GtError error;
    GT_EXPECT_OK(gt_lattice_check(&bent->def, &error));
}

static const struct {
    GtLatticeBasis basis;
    int32_t counts[3];
    bool weighed;
} kinds[] = {
    { GT_LATTICE_BEZIER, { 4, 4, 4 }, false },    { GT_LATTICE_BEZIER, { 2, 3, 4 }, false },
    { GT_LATTICE_BEZIER, { 12, 2, 7 }, false },   { GT_LATTICE_BEZIER, { 3, 5, 4 }, true },
    { GT_LATTICE_B_SPLINE, { 4, 4, 4 }, false },  { GT_LATTICE_B_SPLINE, { 9, 5, 3 }, false },
    { GT_LATTICE_B_SPLINE, { 2, 12, 6 }, false }, { GT_LATTICE_B_SPLINE, { 6, 4, 8 }, true },
};

static GtVec3 point_at(const GtLatticeDef* def, const double stu[3])
{
    return gt_mat34_point(&def->space_from_box, gt_vec3((float)stu[0], (float)stu[1], (float)stu[2]));
}

static void test_apply_is_its_definition(void** state)
{
    (void)state;
    static Bent bent;
    uint64_t random = 41;
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; ++n) {
        bend_lattice(&bent, kinds[n].basis, kinds[n].counts, kinds[n].weighed, &random);
        for (int sample = 0; sample < 40; ++sample) {
            double stu[3];
            for (int axis = 0; axis < 3; ++axis) { // corners and faces, too
                double at = 0.5 + 0.5 * ref_random(&random);
                stu[axis] = sample < 8 ? (double)(sample >> axis & 1) : sample < 12 ? round(at) : at;
            }
            GtVec3 p = point_at(&bent.def, stu);
            GtVec3 out;
            float jacobian[9];
            gt_lattice_apply(&bent.def, bent.points, 1, &p, &out, jacobian);
            ref_expect_vec(out, deform_place(&bent, stu), 1e-6 * 2.0); // boxes are 1.5 to 4 across
            if (sample < 12) {
                continue; // no room for differences
            }
            GtMat34 box_from_space = gt_mat34_inverse(&bent.def.space_from_box, NULL);
            for (int column = 0; column < 3; ++column) {
                double h = 1e-6;
                double there[2][3];
                for (int axis = 0; axis < 3; ++axis) {
                    double step = h * (double)box_from_space.m[axis][column];
                    there[0][axis] = stu[axis] - step;
                    there[1][axis] = stu[axis] + step;
                }
                RefVec before = deform_place(&bent, there[0]);
                RefVec after = deform_place(&bent, there[1]);
                for (int row = 0; row < 3; ++row) {
                    GT_EXPECT_NEAR(jacobian[3 * row + column], (after.v[row] - before.v[row]) / (2.0 * h), 1e-4);
                }
            }
        }
    }
}

// To the last bit; with equal weights but for rounding.
static void test_at_rest_nothing_changes(void** state)
{
    (void)state;
    static Bent bent;
    uint64_t random = 42;
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; ++n) {
        bend_lattice(&bent, kinds[n].basis, kinds[n].counts, kinds[n].weighed, &random);
        gt_lattice_rest(&bent.def, bent.points);
        for (int32_t i = 0; i < gt_lattice_point_count(&bent.def); ++i) {
            bent.weights[i] = 2.5f;
        }
        GtVec3 in[64];
        for (int i = 0; i < 64; ++i) {
            double stu[3] = { ref_random(&random), ref_random(&random), ref_random(&random) };
            in[i] = point_at(&bent.def, stu); // half an axis is outside
        }
        GtVec3 out[64];
        float jacobians[64 * 9];
        gt_lattice_apply(&bent.def, bent.points, 64, in, out, jacobians);
        for (int i = 0; i < 64; ++i) {
            assert_true(gt_vec3_length(gt_vec3_sub(in[i], out[i])) <= (kinds[n].weighed ? 1e-6f : 0.0f));
        }
        for (int i = 0; i < 64 * 9; ++i) {
            GT_EXPECT_NEAR(jacobians[i], i % 9 % 4 == 0 ? 1.0 : 0.0, kinds[n].weighed ? 1e-5 : 0.0);
        }
        assert_false(gt_lattice_folds(&bent.def, bent.points));
    }
}

static void test_outside_nothing_changes(void** state)
{
    (void)state;
    static Bent bent;
    uint64_t random = 43;
    bend_lattice(&bent, GT_LATTICE_BEZIER, (int32_t[3]){ 4, 4, 4 }, false, &random);
    bent.def.space_from_box = gt_mat34_identity();
    GtVec3 points[] = { { -1e-4f, 0.5f, 0.5f }, { 0.5f, 1.0001f, 0.5f }, { 0.5f, 0.5f, 2.0f },
                        { 1e30f, 0.5f, 0.5f },  { NAN, 0.5f, 0.5f },     { 0.5f, INFINITY, 0.5f } };
    GtVec3 before[6];
    memcpy(before, points, sizeof points);
    gt_lattice_apply(&bent.def, bent.points, 6, points, points, NULL);
    assert_memory_equal(points, before, sizeof points);
    GtVec3 corner = gt_vec3(1.0f + 2e-7f, 1.0f, -2e-7f); // rounded off its face, and still on it
    gt_lattice_apply(&bent.def, bent.points, 1, &corner, &corner, NULL);
    GtVec3 wanted = bent.points[gt_lattice_index(&bent.def, 3, 3, 0)];
    GtVec3 rest[64];
    gt_lattice_rest(&bent.def, rest);
    GtVec3 moved = gt_vec3_sub(wanted, rest[gt_lattice_index(&bent.def, 3, 3, 0)]);
    GT_EXPECT_NEAR(corner.x, 1.0f + moved.x, 1e-6);
    GT_EXPECT_NEAR(corner.y, 1.0f + moved.y, 1e-6);
    GT_EXPECT_NEAR(corner.z, moved.z, 1e-6);
}

static void test_folds_are_found(void** state)
{
    (void)state;
    static Bent bent;
    uint64_t random = 44;
    for (int kind = 0; kind < GT_LATTICE_BASIS_COUNT; ++kind) {
        bend_lattice(&bent, (GtLatticeBasis)kind, (int32_t[3]){ 5, 4, 3 }, false, &random);
        gt_lattice_rest(&bent.def, bent.points);
        GtVec3 edge =
            gt_vec3(bent.def.space_from_box.m[0][0], bent.def.space_from_box.m[1][0], bent.def.space_from_box.m[2][0]);
        for (int32_t k = 0; k < 3; ++k) {
            for (int32_t j = 0; j < 4; ++j) { // one face moves in by a tenth: squeezed, but not folded
                GtVec3* point = &bent.points[gt_lattice_index(&bent.def, 4, j, k)];
                *point = gt_vec3_sub(*point, gt_vec3_scale(edge, 0.1f));
            }
        }
        assert_false(gt_lattice_folds(&bent.def, bent.points));
        for (int32_t k = 0; k < 3; ++k) {
            for (int32_t j = 0; j < 4; ++j) { // and past its neighbours
                GtVec3* point = &bent.points[gt_lattice_index(&bent.def, 4, j, k)];
                *point = gt_vec3_sub(*point, gt_vec3_scale(edge, 0.6f));
            }
        }
        assert_true(gt_lattice_folds(&bent.def, bent.points));
        gt_lattice_rest(&bent.def, bent.points);
        bent.points[7].y = NAN;
        assert_true(gt_lattice_folds(&bent.def, bent.points));
    }
}

static void test_what_is_no_lattice_is_refused(void** state)
{
    (void)state;
    GtError error;
    float weights[64];
    for (int i = 0; i < 64; ++i) {
        weights[i] = 1.0f;
    }
    GtLatticeDef def = gt_default_lattice_def();
    def.weights = weights;
    GT_EXPECT_OK(gt_lattice_check(&def, &error));
    weights[9] = 0.0f;
    GT_EXPECT_ERROR(gt_lattice_check(&def, &error), GT_ERROR_BAD_VALUE, "control point 9");
    weights[9] = NAN;
    GT_EXPECT_ERROR(gt_lattice_check(&def, &error), GT_ERROR_BAD_VALUE, "control point 9");
    def = gt_default_lattice_def();
    def.counts[1] = 1;
    GT_EXPECT_ERROR(gt_lattice_check(&def, &error), GT_ERROR_BAD_VALUE, "4 x 1 x 4");
    def.counts[1] = GT_LATTICE_MAX_SIDE + 1;
    GT_EXPECT_ERROR(gt_lattice_check(&def, &error), GT_ERROR_BAD_VALUE, "4 x 33 x 4");
    def = gt_default_lattice_def();
    def.basis = GT_LATTICE_BASIS_COUNT;
    GT_EXPECT_ERROR(gt_lattice_check(&def, &error), GT_ERROR_BAD_VALUE, "basis");
    def = gt_default_lattice_def();
    def.space_from_box.m[2][2] = 0.0f;
    GT_EXPECT_ERROR(gt_lattice_check(&def, &error), GT_ERROR_BAD_VALUE, "flat");
    def.space_from_box.m[2][2] = NAN;
    GT_EXPECT_ERROR(gt_lattice_check(&def, &error), GT_ERROR_BAD_VALUE, "flat");
    def = gt_default_lattice_def();
    def.space_from_box.m[2][3] = INFINITY;
    GT_EXPECT_ERROR(gt_lattice_check(&def, &error), GT_ERROR_BAD_VALUE, "not finite");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_apply_is_its_definition),       cmocka_unit_test(test_at_rest_nothing_changes),
        cmocka_unit_test(test_outside_nothing_changes),       cmocka_unit_test(test_folds_are_found),
        cmocka_unit_test(test_what_is_no_lattice_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

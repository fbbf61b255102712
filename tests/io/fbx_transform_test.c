// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Local transforms of FBX models against the product of 4x4 matrices that the FBX SDK's documentation writes down.

#include "io/fbx/transform.h"
#include "support/test.h"

typedef struct Matrix4 {
    double m[4][4]; // row, column
} Matrix4;

static Matrix4 identity(void)
{
    return (Matrix4){ { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 }, { 0, 0, 0, 1 } } };
}

static Matrix4 product(Matrix4 a, Matrix4 b)
{
    Matrix4 c = { 0 };
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            for (int k = 0; k < 4; ++k) {
                c.m[i][j] += a.m[i][k] * b.m[k][j];
            }
        }
    }
    return c;
}

static Matrix4 translation(const double t[3], double sign)
{
    Matrix4 a = identity();
    for (int i = 0; i < 3; ++i) {
        a.m[i][3] = sign * t[i];
    }
    return a;
}

static Matrix4 scaling(const double s[3])
{
    Matrix4 a = identity();
    for (int i = 0; i < 3; ++i) {
        a.m[i][i] = s[i];
    }
    return a;
}

static Matrix4 about(int axis, double degrees)
{
    double angle = degrees * 3.14159265358979323846 / 180.0;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    Matrix4 a = identity();
    a.m[u][u] = a.m[v][v] = cos(angle);
    a.m[v][u] = sin(angle);
    a.m[u][v] = -sin(angle);
    return a;
}

// "YZX": about Y first, so that its matrix is the last factor.
static Matrix4 euler(const double degrees[3], const char* order)
{
    Matrix4 a = identity();
    for (int i = 0; i < 3; ++i) {
        a = product(about(order[i] - 'X', degrees[order[i] - 'X']), a);
    }
    return a;
}

static Matrix4 transposed(Matrix4 a)
{
    Matrix4 b;
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            b.m[i][j] = a.m[j][i];
        }
    }
    return b;
}

static const double lcl_t[3] = { 1, 2, -3 }, lcl_r[3] = { 20, -75, 130 }, lcl_s[3] = { 2, 0.5, -1.5 };
static const double pre[3] = { 15, 25, 35 }, post[3] = { -40, 10, 5 };
static const double r_offset[3] = { 0.5, 0, 1 }, r_pivot[3] = { 3, -1, 2 };
static const double s_offset[3] = { -1, 4, 0.25 }, s_pivot[3] = { 0.5, 6, -2 };

static Matrix4 expected(const char* order, bool active)
{
    const double none[3] = { 0, 0, 0 };
    const Matrix4 factors[11] = { translation(lcl_t, 1),    translation(r_offset, 1),
                                  translation(r_pivot, 1),  euler(active ? pre : none, "XYZ"),
                                  euler(lcl_r, order),      transposed(euler(active ? post : none, "XYZ")),
                                  translation(r_pivot, -1), translation(s_offset, 1),
                                  translation(s_pivot, 1),  scaling(lcl_s),
                                  translation(s_pivot, -1) };
    Matrix4 all = identity();
    for (int i = 0; i < 11; ++i) {
        all = product(all, factors[i]);
    }
    return all;
}

static void expect_same(const GtiFbxTransform* t, Matrix4 matrix)
{
    static const GtiVec points[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int i = 0; i < 4; ++i) {
        GtiVec p = { points[i].x * t->scale.x, points[i].y * t->scale.y, points[i].z * t->scale.z };
        p = gti_vec_add(gti_quat_rotate(t->rotation, p), t->translation);
        const double got[3] = { p.x, p.y, p.z };
        const double q[4] = { points[i].x, points[i].y, points[i].z, 1.0 };
        for (int row = 0; row < 3; ++row) {
            double want = 0.0;
            for (int k = 0; k < 4; ++k) {
                want += matrix.m[row][k] * q[k];
            }
            GT_EXPECT_NEAR(got[row], want, 1e-12);
        }
    }
}

static GtiFbxPivots read_model(const char* extra)
{
    char text[2048];
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtiFbxTree tree;
    GtiFbxGraph graph;
    snprintf(text, sizeof text,
             "; FBX 7.5.0\nObjects: { Model: 1, \"Model::A\", \"Null\" { Properties70: {\n"
             "P: \"Lcl Translation\",\"\",\"\",\"A\",1,2,-3\nP: \"Lcl Rotation\",\"\",\"\",\"A\",20,-75,130\n"
             "P: \"Lcl Scaling\",\"\",\"\",\"A\",2,0.5,-1.5\nP: \"PreRotation\",\"\",\"\",\"\",15,25,35\n"
             "P: \"PostRotation\",\"\",\"\",\"\",-40,10,5\nP: \"RotationOffset\",\"\",\"\",\"\",0.5,0,1\n"
             "P: \"RotationPivot\",\"\",\"\",\"\",3,-1,2\nP: \"ScalingOffset\",\"\",\"\",\"\",-1,4,0.25\n"
             "P: \"ScalingPivot\",\"\",\"\",\"\",0.5,6,-2\n%s } } }\n",
             extra);
    GT_EXPECT_OK(gti_fbx_parse(&context, (const uint8_t*)text, strlen(text), &tree, &error));
    GT_EXPECT_OK(gti_fbx_graph_make(&context, &tree, NULL, &graph, &error));
    GtiFbxPivots pivots = gti_fbx_read_pivots(&graph, 1);
    gti_fbx_graph_release(&graph);
    gti_fbx_tree_release(&tree);
    return pivots;
}

static void expect_model(const char* extra, const char* order, bool active)
{
    GtiFbxPivots pivots = read_model(extra);
    GtiFbxTransform t = gti_fbx_compose(&pivots, pivots.translation, pivots.rotation_deg, pivots.scale);
    expect_same(&t, expected(order, active));
}

static void test_every_order(void** state)
{
    (void)state;
    static const char* const orders[7] = { "XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX", "XYZ" };
    expect_model("", "XYZ", true);
    for (int i = 0; i < 7; ++i) {
        char extra[80];
        snprintf(extra, sizeof extra, "P: \"RotationOrder\",\"enum\",\"\",\"\",%d", i);
        expect_model(extra, orders[i], true);
    }
    expect_model("P: \"RotationOrder\",\"enum\",\"\",\"\",7", "XYZ", true);
    expect_model("P: \"RotationOrder\",\"enum\",\"\",\"\",-1", "XYZ", true);
}

static void test_pre_and_post_rotation_may_be_off(void** state)
{
    (void)state;
    expect_model("P: \"RotationActive\",\"bool\",\"\",\"\",1", "XYZ", true);
    expect_model("P: \"RotationActive\",\"bool\",\"\",\"\",0", "XYZ", false);
    expect_model("P: \"RotationActive\",\"bool\",\"\",\"\",0\nP: \"RotationOrder\",\"enum\",\"\",\"\",4", "XYZ", false);
    expect_model("P: \"RotationSpaceForLimitOnly\",\"bool\",\"\",\"\",1", "XYZ", false);
}

static void test_defaults(void** state)
{
    (void)state;
    GtiFbxPivots pivots = read_model("P: \"Lcl Scaling\",\"\",\"\",\"\",nan,1,1\nP: \"InheritType\",\"\",\"\",\"\",2");
    assert_true(pivots.scale.x == 1.0 && pivots.inherit == GTI_FBX_INHERIT_Rrs);
    pivots = read_model("P: \"InheritType\",\"\",\"\",\"\",3");
    assert_true(pivots.inherit == GTI_FBX_INHERIT_RrSs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_order),
        cmocka_unit_test(test_pre_and_post_rotation_may_be_off),
        cmocka_unit_test(test_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A lattice deforms points, whatever they are the points of: here one lattice, whose upper side is pulled up, deforms
// the vertices of a polygon mesh, the cage of a subdivision surface and the control points of a NURBS curve. The
// surface and the curve follow because they are made from their points afterwards.
//   usage: lattice

#include <gertie/lattice.h>

#include <math.h>
#include <stdio.h>

enum {
    AROUND = 16, // a ball of 16 x 9 vertices
    RINGS = 9,
    CAGE = 8, // a closed grid of 8 x 4 points: a ring
    SECTION = 4,
    CIRCLE = 9, // control points of a circle in four arcs
};

// Where the rules of Catmull and Clark take a point of a cage that is a grid: (1 4 1) / 6 along it and across.
static GtVec3 limit_of(const GtVec3* cage, int i, int j)
{
    static const float rule[3] = { 1.0f / 6, 4.0f / 6, 1.0f / 6 };
    GtVec3 sum = gt_vec3(0, 0, 0);
    for (int a = 0; a < 9; ++a) {
        int at = (i + a / 3 + CAGE - 1) % CAGE * SECTION + (j + a % 3 + SECTION - 1) % SECTION;
        sum = gt_vec3_add(sum, gt_vec3_scale(cage[at], rule[a / 3] * rule[a % 3]));
    }
    return sum;
}

// A point of an arc of the circle: a rational curve of degree 2 whose middle point weighs cos 45 degrees.
static GtVec3 circle_at(const GtVec3* points, int arc, float t)
{
    float b[3] = { (1 - t) * (1 - t), 2 * t * (1 - t) * 0.70710678f, t * t };
    GtVec3 sum = gt_vec3(0, 0, 0);
    for (int i = 0; i < 3; ++i) {
        sum = gt_vec3_add(sum, gt_vec3_scale(points[2 * arc + i], b[i] / (b[0] + b[1] + b[2])));
    }
    return sum;
}

int main(void)
{
    GtVec3 ball[AROUND * RINGS], cage[CAGE * SECTION], circle[CIRCLE];
    for (int i = 0; i < AROUND * RINGS; ++i) {
        float up = 3.1415927f * (float)(i / AROUND) / (RINGS - 1), round = 6.2831853f * (float)(i % AROUND) / AROUND;
        ball[i] = gt_vec3(sinf(up) * cosf(round), -cosf(up), sinf(up) * sinf(round));
    }
    for (int i = 0; i < CAGE * SECTION; ++i) { // as high as its box and as wide
        float big = 6.2831853f * (float)(i / SECTION) / CAGE, small = 6.2831853f * (float)(i % SECTION) / SECTION;
        float far = 0.75f + 0.25f * cosf(small);
        cage[i] = gt_vec3(far * cosf(big), far * sinf(big), 0.25f * sinf(small));
    }
    for (int i = 0; i < CIRCLE; ++i) {
        float angle = 0.78539816f * (float)i, far = i % 2 ? 1.4142136f : 1.0f;
        circle[i] = gt_vec3(far * cosf(angle), far * sinf(angle), 0);
    }
    float before[3] = { ball[AROUND * RINGS - 1].y, limit_of(cage, 2, 0).y, circle_at(circle, 0, 1).y };

    // The box from -1 to 1, four control points a side; those on its upper side go up by a half.
    GtLatticeDef lattice = gt_default_lattice_def();
    lattice.space_from_box = (GtMat34){ { { 2, 0, 0, -1 }, { 0, 2, 0, -1 }, { 0, 0, 2, -1 } } };
    GtVec3 points[64];
    gt_lattice_rest(&lattice, points);
    for (int i = 0; i < 16; ++i) {
        points[gt_lattice_index(&lattice, i % 4, 3, i / 4)].y += 0.5f;
    }
    gt_lattice_apply(&lattice, points, AROUND * RINGS, ball, ball, NULL);
    gt_lattice_apply(&lattice, points, CAGE * SECTION, cage, cage, NULL);
    gt_lattice_apply(&lattice, points, CIRCLE, circle, circle, NULL);
    printf("polygons: top from %.3f to %.3f\n", before[0], ball[AROUND * RINGS - 1].y);
    printf("subdivision surface: top from %.3f to %.3f\n", before[1], limit_of(cage, 2, 0).y);
    printf("NURBS curve: top from %.3f to %.3f\n", before[2], circle_at(circle, 0, 1).y);
    return gt_lattice_folds(&lattice, points) ? 1 : 0;
}

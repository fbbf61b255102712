// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The method as De Aguiar et al. wrote it down, step by step and in double precision: one frame at a time, the torn
// mesh made as such. Of the code under test it shares the corner cotangents and which marker holds which vertex. For
// meshes of one component.

#ifndef GERTIE_TESTS_HARMONIC_SIX_STEPS_H
#define GERTIE_TESTS_HARMONIC_SIX_STEPS_H

#include "gertie/harmonic.h"

#include "geometry/laplacian.h"
#include "solve/sparse.h"

#include "support/test.h"

#include <stdlib.h>

typedef struct SixSteps {
    GtContext context;
    GtArena arena;
    GtiTrimesh mesh;
    const int32_t* holders;
    GtiLaplacian laplacian;
    double (*cotangents)[3];
    double lift; // least weight of an edge in the Laplace equation
    GtiFactor laplace;
    GtiFactor poisson;
} SixSteps;

// L with rows of the identity where fixed; weights of edges not below `least`.
static inline GtiSparse six_steps_matrix(SixSteps* s, const uint8_t* fixed, double least)
{
    const GtiLaplacian* l = &s->laplacian;
    GtiSparse matrix;
    assert_true(gti_sparse_push(&s->arena, l->vertex_count, l->vertex_count + l->starts[l->vertex_count], &matrix));
    int32_t count = 0;
    for (int32_t v = 0; v < l->vertex_count; ++v) {
        int32_t diagonal = count;
        matrix.starts[v] = count;
        matrix.rows[count] = v;
        matrix.values[count++] = fixed[v] ? 1.0 : 0.0;
        for (int32_t i = l->starts[v]; i < l->starts[v + 1] && !fixed[v]; ++i) {
            double weight = fmax(l->weights[i], least);
            matrix.values[diagonal] += weight;
            if (l->neighbours[i] > v && !fixed[l->neighbours[i]]) {
                matrix.rows[count] = l->neighbours[i];
                matrix.values[count++] = -weight;
            }
        }
    }
    matrix.starts[l->vertex_count] = count;
    return matrix;
}

static inline SixSteps* six_steps_create(const GtHarmonicDef* def, const int32_t* holders)
{
    GtError error;
    SixSteps* s = calloc(1, sizeof *s);
    s->context = gt_default_context();
    s->arena = gt_arena_create(s->context.allocator);
    s->mesh =
        (GtiTrimesh){ (GtVec3*)def->positions, def->vertex_count, (int32_t(*)[3])def->indices, def->triangle_count };
    s->holders = holders;
    assert_true(gti_laplacian_make(&s->mesh, 1e-5, &s->arena, &s->laplacian));
    s->cotangents = gt_arena_push_array(&s->arena, (size_t)def->triangle_count, sizeof *s->cotangents);
    gti_laplacian_corners(&s->mesh, 1e-5, s->cotangents, NULL);
    int32_t entry_count = s->laplacian.starts[def->vertex_count];
    for (int32_t i = 0; i < entry_count; ++i) {
        s->lift += 1e-3 * fabs(s->laplacian.weights[i]) / entry_count;
    }
    uint8_t* fixed = gt_arena_push_array(&s->arena, (size_t)def->vertex_count, 1);
    fixed[0] = 1;
    GtiSparse poisson = six_steps_matrix(s, fixed, -INFINITY);
    for (int32_t v = 0; v < def->vertex_count; ++v) {
        fixed[v] = holders[v] != GT_NONE;
    }
    GtiSparse laplace = six_steps_matrix(s, fixed, s->lift);
    GT_EXPECT_OK(gti_factor_make(&s->context, &laplace, &s->arena, &s->laplace, &error));
    GT_EXPECT_OK(gti_factor_make(&s->context, &poisson, &s->arena, &s->poisson, &error));
    return s;
}

static inline void six_steps_destroy(SixSteps* s)
{
    gt_arena_destroy(&s->arena);
    free(s);
}

static inline void six_steps_turn(const double q[4], const double v[3], double out[3])
{
    double t[3];
    for (int c = 0; c < 3; ++c) {
        t[c] = 2.0 * (q[(c + 1) % 3] * v[(c + 2) % 3] - q[(c + 2) % 3] * v[(c + 1) % 3]);
    }
    for (int c = 0; c < 3; ++c) {
        out[c] = v[c] + q[3] * t[c] + q[(c + 1) % 3] * t[(c + 2) % 3] - q[(c + 2) % 3] * t[(c + 1) % 3];
    }
}

static inline void six_steps_corner(const SixSteps* s, int32_t triangle, int k, double out[3])
{
    GtVec3 p = s->mesh.positions[s->mesh.triangles[triangle][k]];
    out[0] = (double)p.x;
    out[1] = (double)p.y;
    out[2] = (double)p.z;
}

// rotations: of unit length; out: [vertex_count], vertex 0 where it is at rest
static inline void six_steps_solve(SixSteps* s, const GtQuat* rotations, double (*out)[3])
{
    GtError error;
    const GtiLaplacian* l = &s->laplacian;
    size_t count = (size_t)l->vertex_count;
    double(*q)[4] = calloc(count, sizeof *q);
    double(*torn)[3][3] = calloc((size_t)s->mesh.triangle_count, sizeof *torn);
    for (int32_t v = 0; v < l->vertex_count; ++v) { // 1 and 2: markers, and what they spread
        for (int32_t i = l->starts[v]; i <= l->starts[v + 1]; ++i) {
            bool own = i == l->starts[v + 1];
            int32_t from = own ? v : l->neighbours[i];
            if (s->holders[from] == GT_NONE || own != (s->holders[v] != GT_NONE)) {
                continue;
            }
            double weight = own ? 1.0 : fmax(l->weights[i], s->lift);
            GtQuat r = rotations[s->holders[from]];
            const double value[4] = { (double)r.x, (double)r.y, (double)r.z, (double)r.w };
            for (int c = 0; c < 4; ++c) {
                q[v][c] += weight * value[c];
            }
        }
    }
    GT_EXPECT_OK(gti_factor_solve(&s->context, &s->laplace, 4, q[0], &error));
    for (int32_t t = 0; t < s->mesh.triangle_count; ++t) { // 3: the torn mesh
        const int32_t* c = s->mesh.triangles[t];
        double mean[4];
        double square = 0.0;
        for (int k = 0; k < 4; ++k) {
            mean[k] = q[c[0]][k] + q[c[1]][k] + q[c[2]][k];
            square += mean[k] * mean[k];
        }
        for (int k = 0; k < 4; ++k) {
            mean[k] /= sqrt(square);
        }
        for (int k = 0; k < 3; ++k) {
            double p[3];
            six_steps_corner(s, t, k, p);
            six_steps_turn(mean, p, torn[t][k]);
        }
    }
    memset(out, 0, count * sizeof *out);
    for (int32_t t = 0; t < s->mesh.triangle_count; ++t) { // 4 and 5: its Laplacian, summed at shared vertices
        for (int k = 0; k < 3; ++k) {
            int a = (k + 1) % 3;
            int b = (k + 2) % 3;
            for (int c = 0; c < 3; ++c) {
                double way = 0.5 * s->cotangents[t][k] * (torn[t][a][c] - torn[t][b][c]);
                out[s->mesh.triangles[t][a]][c] += way;
                out[s->mesh.triangles[t][b]][c] -= way;
            }
        }
    }
    GtVec3 p = s->mesh.positions[0]; // 6: glue, with vertex 0 in its place
    const double ground[3] = { (double)p.x, (double)p.y, (double)p.z };
    for (int c = 0; c < 3; ++c) {
        for (int32_t i = l->starts[0]; i < l->starts[1]; ++i) {
            out[l->neighbours[i]][c] += l->weights[i] * ground[c];
        }
        out[0][c] = ground[c];
    }
    GT_EXPECT_OK(gti_factor_solve(&s->context, &s->poisson, 3, out[0], &error));
    free(torn);
    free(q);
}

#endif

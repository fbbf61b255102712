// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Random vertices with influences for the kernels, and outputs that are poisoned, so that a kernel that writes nothing,
// or beyond its range, is found out.

#ifndef GERTIE_TESTS_RUNTIME_VERTICES_H
#define GERTIE_TESTS_RUNTIME_VERTICES_H

#include "runtime/kernels.h"
#include "runtime/reference.h"

enum {
    MAX_VERTICES = 67,
    JOINT_COUNT = 23
};

typedef struct Vertices {
    int32_t count;
    int32_t influence_count;
    GtVec3 positions[MAX_VERTICES];
    GtVec3 normals[MAX_VERTICES];
    float tangents[MAX_VERTICES * 4];
    uint16_t joints[MAX_VERTICES * GT_MAX_INFLUENCES];
    float weights[MAX_VERTICES * GT_MAX_INFLUENCES];
    GtVec3 out_positions[MAX_VERTICES];
    GtVec3 out_normals[MAX_VERTICES];
    float out_tangents[MAX_VERTICES * 4];
} Vertices;

static inline void fill_vertices(Vertices* v, int32_t count, int32_t influence_count, uint64_t* random)
{
    v->count = count;
    v->influence_count = influence_count;
    for (int32_t i = 0; i < count; ++i) {
        v->positions[i] = ref_random_vec3(random, 2.0);
        v->normals[i] = gt_vec3_normalize_or(ref_random_vec3(random, 1.0), gt_vec3(0, 0, 1));
        GtVec3 tangent = gt_vec3_normalize_or(ref_random_vec3(random, 1.0), gt_vec3(1, 0, 0));
        memcpy(&v->tangents[4 * i], &tangent, sizeof tangent);
        v->tangents[4 * i + 3] = ref_random(random) < 0.0 ? -1.0f : 1.0f;
        double sum = 0.0;
        double raw[GT_MAX_INFLUENCES];
        for (int32_t k = 0; k < influence_count; ++k) {
            raw[k] = 0.02 + fabs(ref_random(random));
            sum += raw[k];
            v->joints[i * influence_count + k] = (uint16_t)((i * 5 + k) % JOINT_COUNT);
        }
        for (int32_t k = 0; k < influence_count; ++k) {
            v->weights[i * influence_count + k] = (float)(raw[k] / sum);
        }
    }
}

static inline void poison(Vertices* v)
{
    memset(v->out_positions, 0xCD, sizeof v->out_positions);
    memset(v->out_normals, 0xCD, sizeof v->out_normals);
    memset(v->out_tangents, 0xCD, sizeof v->out_tangents);
}

// Outside [first, end) nothing was written.
static inline void expect_poison_outside(const Vertices* v, int32_t first, int32_t end)
{
    uint8_t poisoned[16];
    memset(poisoned, 0xCD, sizeof poisoned);
    for (int32_t i = 0; i < MAX_VERTICES; ++i) {
        if (i < first || i >= end) {
            assert_memory_equal(&v->out_positions[i], poisoned, sizeof(GtVec3));
            assert_memory_equal(&v->out_normals[i], poisoned, sizeof(GtVec3));
            assert_memory_equal(&v->out_tangents[4 * i], poisoned, 4 * sizeof(float));
        }
    }
}

static inline GtVec3 tangent_of(const float* tangents, int32_t i)
{
    return gt_vec3(tangents[4 * i], tangents[4 * i + 1], tangents[4 * i + 2]);
}

#endif

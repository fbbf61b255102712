// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Morph targets with AVX2. Vertices that a target moves mostly follow each other in the mesh, and then eight of them
// are as many vectors of eight numbers as each has numbers; others are left to plain C. Tangents have room for four.

#include "runtime/kernels.h"

#include "runtime/lanes/lane_avx2.h"

// Inlined for each width, so that rows are unrolled.
static inline void add_packed(const GtiMorphJob* job, int32_t first, int32_t end, size_t width)
{
    Lane weight = lane_set(job->weight);
    int32_t i = first;
    while (i + LANE_SIZE <= end) {
        size_t vertex = job->vertices[i];
        const float* displacements = &job->displacements[width * (size_t)i];
        float* out = &job->out[width * vertex];
        if (job->vertices[i + LANE_SIZE - 1] - vertex == LANE_SIZE - 1) { // increasing, so none is left out
            for (size_t k = 0; k < width * LANE_SIZE; k += LANE_SIZE) {
                lane_store(out + k, lane_mul_add(lane_load(displacements + k), weight, lane_load(out + k)));
            }
            i += LANE_SIZE;
        } else {
            for (size_t k = 0; k < width; ++k) {
                out[k] += job->weight * displacements[k];
            }
            ++i;
        }
    }
    gti_morph_scalar(job, i, end);
}

// The number after a displacement, the next one's first, is left out.
static void add_tangents(const GtiMorphJob* job, int32_t first, int32_t end)
{
    __m128 weight = _mm_setr_ps(job->weight, job->weight, job->weight, 0.0f);
    __m128 three = _mm_castsi128_ps(_mm_setr_epi32(-1, -1, -1, 0));
    int32_t i = first;
    for (; i + 1 < end; ++i) {
        float* out = &job->out[4 * (size_t)job->vertices[i]];
        __m128 displacement = _mm_and_ps(_mm_loadu_ps(&job->displacements[3 * (size_t)i]), three);
        _mm_storeu_ps(out, _mm_fmadd_ps(displacement, weight, _mm_loadu_ps(out)));
    }
    gti_morph_scalar(job, i, end);
}

void gti_morph_avx2(const GtiMorphJob* job, int32_t first, int32_t end)
{
    if (job->stride != job->width) {
        add_tangents(job, first, end);
    } else if (job->width == 3) {
        add_packed(job, first, end, 3);
    } else if (job->width == 2) {
        add_packed(job, first, end, 2);
    } else {
        add_packed(job, first, end, 4);
    }
}

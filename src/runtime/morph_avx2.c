// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Morph targets with AVX2. Vertices that a target moves mostly follow each other in the mesh, and then eight of them
// are three vectors of eight numbers; others are left to plain C. Tangents have room for four numbers.
// CMake compiles this file for that level; elsewhere it is empty.

#include "runtime/kernels.h"

#if defined(__AVX2__)

#include "runtime/lane_avx2.h"

static void add_rows(const float* displacements, float weight, float* out)
{
    Lane w = lane_set(weight);
    for (int i = 0; i < 3; ++i) {
        Lane moved = lane_mul_add(lane_load(displacements + LANE_SIZE * i), w, lane_load(out + LANE_SIZE * i));
        lane_store(out + LANE_SIZE * i, moved);
    }
}

static void add_packed(const GtiMorphJob* job, int32_t first, int32_t end)
{
    int32_t i = first;
    while (i + LANE_SIZE <= end) {
        size_t vertex = job->vertices[i];
        if (job->vertices[i + LANE_SIZE - 1] - vertex == LANE_SIZE - 1) { // increasing, so none is left out
            add_rows(&job->displacements[i].x, job->weight, &job->out[3 * vertex]);
            i += LANE_SIZE;
        } else {
            float* out = &job->out[3 * vertex];
            out[0] += job->weight * job->displacements[i].x;
            out[1] += job->weight * job->displacements[i].y;
            out[2] += job->weight * job->displacements[i].z;
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
        __m128 displacement = _mm_and_ps(_mm_loadu_ps(&job->displacements[i].x), three);
        _mm_storeu_ps(out, _mm_fmadd_ps(displacement, weight, _mm_loadu_ps(out)));
    }
    gti_morph_scalar(job, i, end);
}

void gti_morph_avx2(const GtiMorphJob* job, int32_t first, int32_t end)
{
    if (job->stride == 3) {
        add_packed(job, first, end);
    } else {
        add_tangents(job, first, end);
    }
}

#else
typedef int gti_no_morph_avx2; // a file must hold something
#endif

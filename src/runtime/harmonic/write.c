// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Slots have what was solved for, ways from the rest pose, in any order and frame by frame in lanes; out go positions,
// in the mesh's order, one frame after the other. Four vertices of four frames are twelve vectors, which three
// transpositions of four by four turn into twelve floats in a row for each frame.

#include "runtime/harmonic/write.h"

#include "runtime/harmonic/hold.h"
#include "runtime/lanes/lane_plain.h"

#include <string.h>

enum {
    FOUR = 4,
    STEP = GTI_BATCH,
    POINT = 3 * GTI_BATCH, // floats of a slot of a batch
    AHEAD = 16,            // vertices
    RUN = 256,             // vertices summed in single precision at a time
};

// Means of a handle's ways, `size` floats of each slot at once.
static void find_means(const GtiHarmonicResult* result, int32_t handle, const size_t size, double* means)
{
    const GtHarmonic* harmonic = result->harmonic;
    int32_t last = harmonic->handle_starts[handle + 1];
    memset(means, 0, size * sizeof *means);
    for (int32_t first = harmonic->handle_starts[handle]; first < last; first += RUN) {
        int32_t end = last - first < RUN ? last : first + RUN;
        Lane sums[POINT / FOUR] = { { 0.0f } };
        for (int32_t i = first; i < end; ++i) {
            const float* p = &result->points[(size_t)result->cut->slots[harmonic->handle_vertices[i]] * size];
            float w = harmonic->handle_weights[i];
            for (size_t k = 0; k < size / FOUR; ++k) {
                sums[k] += lane_load(&p[FOUR * k]) * (Lane){ w, w, w, w };
            }
        }
        for (size_t k = 0; k < size; ++k) {
            means[k] += (double)sums[k / FOUR][k % FOUR];
        }
    }
}

static bool holds_any(const GtiHarmonicResult* result)
{
    for (int32_t f = 0; f < result->frame_count; ++f) {
        if (gti_harmonic_holds(result->harmonic, &result->frames[f])) {
            return true;
        }
    }
    return false;
}

// Vertices [first, end) go where forces on the handles pull them. forces: [handle_count + 1] of `size` floats
static void pull_vertices(const GtiHarmonicResult* result, const float (*forces)[POINT], const size_t size,
                          int32_t first, int32_t end)
{
    size_t count = (size_t)result->harmonic->handle_count + 1;
    for (int32_t v = first; v < end; ++v) {
        float* p = &result->points[(size_t)result->cut->slots[v] * size];
        const float* pulls = &result->harmonic->vertex_pulls[(size_t)v * count];
        for (size_t k = 0; k < size; k += FOUR) {
            Lane sum = lane_load(&p[k]);
            for (size_t i = 0; i < count; ++i) {
                sum += lane_load(&forces[i][k]) * (Lane){ pulls[i], pulls[i], pulls[i], pulls[i] };
            }
            lane_store(&p[k], sum);
        }
    }
}

static void write_normals(const GtHarmonic* harmonic, const GtVec3* positions, GtVec3* out)
{
    memset(out, 0, (size_t)harmonic->vertex_count * sizeof *out);
    for (int32_t t = 0; t < harmonic->face_count; ++t) {
        const int32_t* c = harmonic->faces[t];
        GtVec3 n =
            gt_vec3_cross(gt_vec3_sub(positions[c[1]], positions[c[0]]), gt_vec3_sub(positions[c[2]], positions[c[0]]));
        for (int k = 0; k < 3; ++k) {
            out[c[k]] = gt_vec3_add(out[c[k]], n);
        }
    }
    for (int32_t v = 0; v < harmonic->vertex_count; ++v) {
        out[v] = gt_vec3_normalize_or(out[v], gt_vec3(0.0f, 1.0f, 0.0f));
    }
}

static void write_all_normals(const GtiHarmonicResult* result)
{
    for (int32_t f = 0; f < result->frame_count; ++f) {
        if (result->frames[f].normals) {
            write_normals(result->harmonic, result->frames[f].positions, result->frames[f].normals);
        }
    }
}

// Vertices [v, v + 4) of frames [f, f + 4), of which `count` are wanted.
static void write_block(const GtiHarmonicResult* result, const Lane (*shifts)[3], int32_t v, int32_t f, int32_t count)
{
    const int32_t* slots = &result->cut->slots[v];
    const float* rest = &result->harmonic->rest[v].x;
    Lane ways[3][4];
    for (int i = 0; i < 12; ++i) {
        ways[i / 4][i % 4] = lane_load(&result->points[(size_t)slots[i / 3] * POINT + (size_t)(i % 3 * STEP + f)]);
    }
    for (int k = 0; k < 3; ++k) {
        lane_transpose(ways[k]);
    }
    for (int32_t i = 0; i < count; ++i) {
        float* to = &result->frames[f + i].positions[v].x;
        for (int k = 0; k < 3; ++k) {
            lane_store(&to[4 * k], lane_load(&rest[4 * k]) + (ways[k][i] + shifts[f + i][k]));
        }
    }
}

// Slots are all over memory as far as the processor can tell, so it is told which come next.
static void fetch_ahead(const GtiHarmonicResult* result, int32_t first)
{
    for (int32_t v = first; v < first + FOUR && v < result->harmonic->vertex_count; ++v) {
        const float* p = &result->points[(size_t)result->cut->slots[v] * POINT];
        for (int c = 0; c < 3; ++c) {
            __builtin_prefetch(&p[c * STEP]);
        }
    }
}

static void write_vertex(const GtiHarmonicResult* result, const GtVec3* shifts, int32_t v)
{
    const float* p = &result->points[(size_t)result->cut->slots[v] * POINT];
    for (int32_t f = 0; f < result->frame_count; ++f) {
        GtVec3 way = gt_vec3_add(gt_vec3(p[f], p[STEP + f], p[2 * STEP + f]), shifts[f]);
        result->frames[f].positions[v] = gt_vec3_add(result->harmonic->rest[v], way);
    }
}

// Means of frame f out of those of a batch.
static void take_means(const GtHarmonic* harmonic, const double (*means)[POINT], int32_t f,
                       double out[GTI_MOST_HOLDS][3])
{
    for (int32_t i = 0; i <= harmonic->handle_count; ++i) {
        for (int c = 0; c < 3; ++c) {
            out[i][c] = means[i][c * STEP + f];
        }
    }
}

// Let the caller change what a frame holds, now that it can be told where that leads.
static void choose_holds(const GtiHarmonicResult* result, int32_t f, const double (*means)[3], GtiHarmonicPull* pull)
{
    GtVec3 places[GT_HARMONIC_MAX_HANDLES];
    gti_harmonic_pulled(result->harmonic, means, pull, places);
    result->choose(result->user, &result->frames[f], places);
    gti_harmonic_pull(result->harmonic, &result->frames[f], means, pull);
}

// shifts: [frame_count]
static void hold_batch(const GtiHarmonicResult* result, GtVec3* shifts)
{
    const GtHarmonic* harmonic = result->harmonic;
    bool chooses = result->choose && harmonic->handle_count > 0;
    bool holds = chooses || holds_any(result);
    double means[GTI_MOST_HOLDS][POINT] = { { 0.0 } };
    float forces[GTI_MOST_HOLDS][POINT] = { { 0.0f } };
    for (int32_t i = holds ? 0 : harmonic->handle_count; i <= harmonic->handle_count; ++i) {
        find_means(result, i, POINT, means[i]);
    }
    for (int32_t f = 0; f < result->frame_count; ++f) {
        double own[GTI_MOST_HOLDS][3];
        GtiHarmonicPull pull;
        take_means(harmonic, (const double(*)[POINT])means, f, own);
        gti_harmonic_pull(harmonic, &result->frames[f], (const double(*)[3])own, &pull);
        if (chooses) {
            choose_holds(result, f, (const double(*)[3])own, &pull);
        }
        for (int32_t i = 0; i <= harmonic->handle_count; ++i) {
            for (int c = 0; c < 3; ++c) {
                forces[i][c * STEP + f] = (float)pull.forces[i][c];
            }
        }
        shifts[f] = pull.shift;
    }
    if (holds) {
        pull_vertices(result, (const float(*)[POINT])forces, POINT, 0, harmonic->vertex_count);
    }
}

void gti_harmonic_write_batch(const GtiHarmonicResult* result)
{
    GtVec3 shifts[GTI_BATCH];
    Lane wide[GTI_BATCH][3];
    hold_batch(result, shifts);
    for (int32_t f = 0; f < result->frame_count; ++f) {
        GtVec3 s = shifts[f];
        wide[f][0] = (Lane){ s.x, s.y, s.z, s.x };
        wide[f][1] = (Lane){ s.y, s.z, s.x, s.y };
        wide[f][2] = (Lane){ s.z, s.x, s.y, s.z };
    }
    int32_t vertex = 0;
    for (; vertex + FOUR <= result->harmonic->vertex_count; vertex += FOUR) {
        fetch_ahead(result, vertex + AHEAD);
        for (int32_t f = 0; f < result->frame_count; f += FOUR) {
            int32_t left = result->frame_count - f;
            write_block(result, (const Lane(*)[3])wide, vertex, f, left < FOUR ? left : FOUR);
        }
    }
    for (; vertex < result->harmonic->vertex_count; ++vertex) {
        write_vertex(result, shifts, vertex);
    }
    write_all_normals(result);
}

// sums[i] += W of handles [0, count) times what `fours` vectors of the right side from `at` on have, over a run of
// vertices.
static inline __attribute__((always_inline)) void add_pulled(const GtiHarmonicResult* result, int32_t first,
                                                             int32_t end, int32_t handle, const int count, size_t at,
                                                             double (*sums)[POINT])
{
    size_t stride = (size_t)result->harmonic->handle_count + 1;
    const float* pulls = &result->harmonic->vertex_pulls[(size_t)first * stride + (size_t)handle];
    Lane sum[FOUR] = { { 0.0f } };
    for (int32_t v = first; v < end; ++v, pulls += stride) {
        Lane p = lane_load(&result->points[(size_t)result->cut->slots[v] * POINT + at]);
        for (int i = 0; i < count; ++i) {
            sum[i] += p * (Lane){ pulls[i], pulls[i], pulls[i], pulls[i] };
        }
    }
    for (int i = 0; i < count; ++i) {
        for (size_t k = 0; k < FOUR; ++k) {
            sums[handle + i][at + k] += (double)sum[i][k];
        }
    }
}

// W u of all handles and the anchor.
static void sum_pulled(const GtiHarmonicResult* result, double (*sums)[POINT])
{
    int32_t count = result->harmonic->handle_count + 1;
    for (int32_t first = 0; first < result->harmonic->vertex_count; first += RUN) {
        int32_t left = result->harmonic->vertex_count - first;
        int32_t end = first + (left < RUN ? left : RUN);
        for (size_t at = 0; at < POINT; at += FOUR) {
            int32_t i = 0;
            for (; (int32_t)(at % STEP) < result->frame_count && i + FOUR <= count; i += FOUR) {
                add_pulled(result, first, end, i, FOUR, at, sums);
            }
            for (; (int32_t)(at % STEP) < result->frame_count && i < count; ++i) {
                add_pulled(result, first, end, i, 1, at, sums);
            }
        }
    }
}

void gti_harmonic_write_places(const GtiHarmonicResult* result, GtVec3* places)
{
    const GtHarmonic* harmonic = result->harmonic;
    double means[GTI_MOST_HOLDS][POINT] = { { 0.0 } };
    if (harmonic->handle_count == 0) {
        return;
    }
    sum_pulled(result, means);
    for (int32_t f = 0; f < result->frame_count; ++f) {
        double own[GTI_MOST_HOLDS][3];
        GtiHarmonicPull pull;
        take_means(harmonic, (const double(*)[POINT])means, f, own);
        gti_harmonic_pull(harmonic, &result->frames[f], (const double(*)[3])own, &pull);
        gti_harmonic_pulled(harmonic, (const double(*)[3])own, &pull,
                            places + (size_t)f * (size_t)harmonic->handle_count);
    }
}

typedef struct Writing {
    const GtiHarmonicResult* result;
    GtVec3 shift;
    bool holds;
    float forces[GTI_MOST_HOLDS][POINT]; // of which FOUR are used
} Writing;

static void write_range(void* data, int32_t first, int32_t end)
{
    const Writing* writing = data;
    const GtiHarmonicResult* result = writing->result;
    if (writing->holds) {
        pull_vertices(result, (const float(*)[POINT])writing->forces, FOUR, first, end);
    }
    for (int32_t v = first; v < end; ++v) {
        const float* p = &result->points[(size_t)result->cut->slots[v] * FOUR];
        GtVec3 way = gt_vec3_add(gt_vec3(p[0], p[1], p[2]), writing->shift);
        result->frames->positions[v] = gt_vec3_add(result->harmonic->rest[v], way);
    }
}

void gti_harmonic_write_frame(const GtiHarmonicResult* result, const GtExecutor* executor)
{
    enum {
        GRAIN = 16384 // under a tenth of what waking a thread takes
    };
    const GtHarmonic* harmonic = result->harmonic;
    Writing writing = { .result = result, .holds = holds_any(result) };
    double means[GTI_MOST_HOLDS][3] = { { 0.0 } };
    for (int32_t i = writing.holds ? 0 : harmonic->handle_count; i <= harmonic->handle_count; ++i) {
        double mean[FOUR];
        find_means(result, i, FOUR, mean);
        memcpy(means[i], mean, sizeof means[i]);
    }
    GtiHarmonicPull pull;
    gti_harmonic_pull(harmonic, result->frames, (const double(*)[3])means, &pull);
    writing.shift = pull.shift;
    for (int32_t i = 0; i <= harmonic->handle_count; ++i) {
        for (int c = 0; c < 3; ++c) {
            writing.forces[i][c] = (float)pull.forces[i][c];
        }
    }
    gt_executor_run(executor, harmonic->vertex_count, GRAIN, write_range, &writing);
    write_all_normals(result);
}

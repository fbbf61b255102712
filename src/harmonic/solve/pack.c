// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One block of memory: arrays that are ready are copied, factors are rounded to single precision and laid out in panels
// of columns as they are written.

#include "harmonic/solve/pack.h"

#include "base/fail.h"
#include "runtime/block.h"
#include "runtime/harmonic/parts.h"

static bool keep_parts(GtiBlock* block, const GtiHarmonicPart* parts, int count)
{
    for (int i = 0; i < count; ++i) {
        const void* array = *parts[i].array;
        if (array && parts[i].count > 0 && !gti_block_keep(block, array, parts[i].count, parts[i].element)) {
            return false;
        }
    }
    return true;
}

// Rows of `width`, times `scale`, become panels of at most GTI_PANEL columns.
static void put_panels(const double* rows, int32_t row_count, int32_t width, double scale, float* out)
{
    for (int32_t first = 0; first < width; first += GTI_PANEL) {
        int32_t end = width - first < GTI_PANEL ? width : first + GTI_PANEL;
        for (int32_t i = 0; i < row_count; ++i) {
            for (int32_t j = first; j < end; ++j) {
                *out++ = (float)(scale * rows[(size_t)i * (size_t)width + (size_t)j]);
            }
        }
    }
}

typedef struct Panels {
    float* spread;
    float* solve;
    float* diagonals;
} Panels;

static void put_factors(const GtiHarmonicPlan* plan, const double* laplace, const double* poisson, int32_t ground,
                        const Panels* out)
{
    for (int32_t s = 0; s < plan->supernodes->count; ++s) {
        const GtiHarmonicNode* node = &plan->packed[s];
        size_t block = (size_t)node->width * (size_t)node->width;
        size_t start = (size_t)plan->supernodes->value_starts[s];
        put_panels(&laplace[start + block], node->height, node->width, 1.0, &out->spread[node->panel]);
        put_panels(&poisson[start + block], node->height, node->width, 1.0, &out->solve[node->panel]);
        float* diagonal = &out->diagonals[node->diagonal];
        put_panels(&poisson[start], node->width, node->width, -1.0, diagonal);
        if (plan->node_of[ground] == s) { // nothing moves it: its row and column hold but the 1 on the diagonal
            int32_t j = ground - node->vertex;
            int32_t first = j - j % GTI_PANEL;
            int32_t columns = node->width - first < GTI_PANEL ? node->width - first : GTI_PANEL;
            diagonal[first * node->width + j * columns + j - first] = 0.0f;
        }
    }
}

// Numbers of triangles, `size` each, become flocks.
static void put_flocks(const float* from, int32_t count, int32_t size, float* out)
{
    for (int32_t t = 0; t < count; ++t) {
        float* flock = &out[(size_t)(t / GTI_FLOCK) * (size_t)size * GTI_FLOCK];
        for (int32_t k = 0; k < size; ++k) {
            flock[k * GTI_FLOCK + t % GTI_FLOCK] = *from++;
        }
    }
}

GtResult gti_harmonic_pack(const GtiHarmonicPlan* plan, const double* laplace, const double* poisson, int32_t ground,
                           const float (*cures)[GTI_CURE_SIZE], const GtHarmonic* head, GtHarmonic** out,
                           GtHarmonicReport* report, GtError* error)
{
    GtHarmonic made = *head;
    const GtiHarmonicNode* end = &plan->packed[head->node_count];
    made.nodes = plan->packed;
    made.weight_count = head->weight_starts[head->panel_count];
    made.hold_count = head->handle_starts[head->handle_count + 1];
    made.row_count = end->row;
    made.panel_size = end->panel;
    made.diagonal_size = end->diagonal;
    GtiHarmonicPart parts[GTI_MOST_HARMONIC_PARTS];
    int part_count = gti_harmonic_parts(&made, parts);
    size_t panel_count = (size_t)made.panel_size;
    size_t diagonal_count = (size_t)made.diagonal_size;
    size_t flock_count = ((size_t)plan->triangle_count + GTI_FLOCK - 1) / GTI_FLOCK;
    GtiBlock block = gti_block_create(made.allocator, sizeof made);
    bool kept = keep_parts(&block, parts, part_count);
    size_t spread = kept ? gti_block_reserve(&block, panel_count, sizeof(float)) : SIZE_MAX;
    size_t solve = kept ? gti_block_reserve(&block, panel_count, sizeof(float)) : SIZE_MAX;
    size_t diagonals = kept ? gti_block_reserve(&block, diagonal_count, sizeof(float)) : SIZE_MAX;
    size_t vectors = kept ? gti_block_reserve(&block, flock_count, sizeof *made.vectors) : SIZE_MAX;
    size_t cure_count = made.has_axes ? flock_count : 0;
    size_t cured = kept ? gti_block_reserve(&block, cure_count, sizeof *made.cures) : SIZE_MAX;
    kept = kept && spread != SIZE_MAX && solve != SIZE_MAX && diagonals != SIZE_MAX && vectors != SIZE_MAX &&
           cured != SIZE_MAX && gti_block_allocate(&block);
    if (kept) {
        for (int i = 0; i < part_count; ++i) {
            *parts[i].array = gti_block_at(&block, *parts[i].array, parts[i].count, parts[i].element);
        }
        Panels panels = { gti_block_reserved(&block, spread), gti_block_reserved(&block, solve),
                          gti_block_reserved(&block, diagonals) };
        put_factors(plan, laplace, poisson, ground, &panels);
        float(*flocks)[6][GTI_FLOCK] = gti_block_reserved(&block, vectors);
        put_flocks(plan->vectors[0], plan->triangle_count, 6, flocks[0][0]);
        made.spread_panels = panels.spread;
        made.solve_panels = panels.solve;
        made.solve_diagonals = panels.diagonals;
        made.vectors = (const float(*)[6][GTI_FLOCK])flocks;
        if (made.has_axes) {
            float(*flocks_of_cures)[GTI_CURE_SIZE][GTI_FLOCK] = gti_block_reserved(&block, cured);
            put_flocks(cures[0], plan->triangle_count, GTI_CURE_SIZE, flocks_of_cures[0][0]);
            made.cures = (const float(*)[GTI_CURE_SIZE][GTI_FLOCK])flocks_of_cures;
        }
        report->factor_entry_count = (int64_t)(panel_count + diagonal_count);
        report->memory_size = (int64_t)block.size;
        *out = (GtHarmonic*)(void*)block.base;
        **out = made;
    }
    gti_block_destroy(&block);
    return kept ? GT_OK : gti_out_of_memory(error);
}

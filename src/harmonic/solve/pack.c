// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One block of memory: arrays that are ready are copied, factors are rounded to single precision and laid out in panels
// of columns as they are written.

#include "harmonic/solve/pack.h"

#include "base/fail.h"
#include "runtime/block.h"

#include <string.h>

// An array of the head: where the head points to it, how many elements of which size.
typedef struct Field {
    const void** pointer;
    size_t count;
    size_t element;
} Field;

enum {
    CUT_FIELDS = 8,
    MAX_FIELDS = 40
};

static void cut_fields(const GtHarmonic* head, GtiHarmonicCut* cut, Field* out)
{
    size_t row_count = (size_t)head->nodes[head->node_count].row;
    const Field fields[CUT_FIELDS] = {
        { (const void**)&cut->pieces, (size_t)cut->piece_count, sizeof *cut->pieces },
        { (const void**)&cut->nodes, (size_t)head->node_count, sizeof *cut->nodes },
        { (const void**)&cut->firsts, (size_t)head->node_count, sizeof *cut->firsts },
        { (const void**)&cut->rows, row_count, sizeof *cut->rows },
        { (const void**)&cut->corners, (size_t)head->triangle_count, sizeof *cut->corners },
        { (const void**)&cut->borders, (size_t)cut->border_count, sizeof *cut->borders },
        { (const void**)&cut->slots, (size_t)head->vertex_count, sizeof *cut->slots },
        { (const void**)&cut->offsets, head->has_axes ? (size_t)cut->slot_count : 0, sizeof *cut->offsets },
    };
    memcpy(out, fields, sizeof fields);
}

static int head_fields(GtHarmonic* head, Field out[MAX_FIELDS])
{
    size_t vertex_count = (size_t)head->vertex_count;
    size_t marker_count = (size_t)head->marker_count;
    size_t weight_count = (size_t)head->weight_starts[head->panel_count];
    size_t handle_count = (size_t)head->handle_count + 1;
    size_t hold_count = (size_t)head->handle_starts[handle_count];
    const Field fields[] = {
        { (const void**)&head->weight_starts, (size_t)head->panel_count + 1, sizeof *head->weight_starts },
        { (const void**)&head->weight_markers, weight_count, sizeof *head->weight_markers },
        { (const void**)&head->weights, weight_count, sizeof *head->weights },
        { (const void**)&head->faces, (size_t)head->face_count, sizeof *head->faces },
        { (const void**)&head->rest, vertex_count, sizeof *head->rest },
        { (const void**)&head->holders, vertex_count, sizeof *head->holders },
        { (const void**)&head->handle_starts, handle_count + 1, sizeof *head->handle_starts },
        { (const void**)&head->handle_vertices, hold_count, sizeof *head->handle_vertices },
        { (const void**)&head->handle_weights, hold_count, sizeof *head->handle_weights },
        { (const void**)&head->handle_rests, handle_count, sizeof *head->handle_rests },
        { (const void**)&head->handle_pulls, handle_count * handle_count, sizeof *head->handle_pulls },
        { (const void**)&head->vertex_pulls, head->vertex_pulls ? vertex_count * handle_count : 0,
          sizeof *head->vertex_pulls },
        { (const void**)&head->sign_order, marker_count, sizeof *head->sign_order },
        { (const void**)&head->sign_parents, marker_count, sizeof *head->sign_parents },
        { (const void**)&head->axes, head->has_axes ? marker_count : 0, sizeof *head->axes },
        { (const void**)&head->nodes, (size_t)head->node_count + 1, sizeof *head->nodes },
    };
    enum {
        COUNT = sizeof fields / sizeof fields[0]
    };
    cut_fields(head, &head->batch_cut, out);
    cut_fields(head, &head->live_cut, &out[CUT_FIELDS]);
    memcpy(&out[2 * CUT_FIELDS], fields, sizeof fields);
    return 2 * CUT_FIELDS + COUNT;
}

static bool keep_fields(GtiBlock* block, const Field* fields, int count)
{
    for (int i = 0; i < count; ++i) {
        if (fields[i].count > 0 && !gti_block_keep(block, *fields[i].pointer, fields[i].count, fields[i].element)) {
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
    made.nodes = plan->packed;
    Field fields[MAX_FIELDS];
    int field_count = head_fields(&made, fields);
    size_t panel_count = (size_t)plan->packed[made.node_count].panel;
    size_t diagonal_count = (size_t)plan->packed[made.node_count].diagonal;
    size_t flock_count = ((size_t)plan->triangle_count + GTI_FLOCK - 1) / GTI_FLOCK;
    GtiBlock block = gti_block_create(made.allocator, sizeof made);
    bool kept = keep_fields(&block, fields, field_count);
    size_t spread = kept ? gti_block_reserve(&block, panel_count, sizeof(float)) : SIZE_MAX;
    size_t solve = kept ? gti_block_reserve(&block, panel_count, sizeof(float)) : SIZE_MAX;
    size_t diagonals = kept ? gti_block_reserve(&block, diagonal_count, sizeof(float)) : SIZE_MAX;
    size_t vectors = kept ? gti_block_reserve(&block, flock_count, sizeof *made.vectors) : SIZE_MAX;
    size_t cure_count = made.has_axes ? flock_count : 0;
    size_t cured = kept ? gti_block_reserve(&block, cure_count, sizeof *made.cures) : SIZE_MAX;
    kept = kept && spread != SIZE_MAX && solve != SIZE_MAX && diagonals != SIZE_MAX && vectors != SIZE_MAX &&
           cured != SIZE_MAX && gti_block_allocate(&block);
    if (kept) {
        for (int i = 0; i < field_count; ++i) {
            *fields[i].pointer = gti_block_at(&block, *fields[i].pointer, fields[i].count, fields[i].element);
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

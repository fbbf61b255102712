// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Left-looking supernodal Cholesky (Ng, Peyton 1993). A group's block has `width` columns and width + height rows, one
// row after the other: L1, the triangle of its own columns, above L2. A block takes what is due from every group before
// it, and is then factored by panels of columns; both are products of rows with rows, of which TILE * TILE are summed
// at a time, the sums in registers. Of L1 and L2 come D^-1 = L1^-T L1^-1 and M = L2 L1^-1 in place: a solve then is
// products alone, with no triangle to go through one by one.

#include "solve/blocks.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

enum {
    TILE = 4,
    PANEL = 16 // columns that are factored at a time
};

typedef struct BlockWork {
    const GtiElimination* shape;
    const GtiSupernodes* nodes;
    const int32_t* group_of;
    double* values;
    int32_t* heads;         // [count] of the lists of groups that are due to each group next
    int32_t* nexts;         // [count]
    int64_t* due;           // [count] the first of a group's rows that is due next
    int32_t* places;        // [size] rows as rows of the block at hand
    int32_t* targets;       // [size] rows of the block at hand that products go to
    double (*packed)[TILE]; // [widest group] TILE rows, entry by entry
    double* square;         // [(widest + 1) * widest]
} BlockWork;

static int32_t width_of(const GtiSupernodes* nodes, int32_t s)
{
    return nodes->columns[s + 1] - nodes->columns[s];
}

static int32_t height_of(const GtiSupernodes* nodes, int32_t s)
{
    return (int32_t)(nodes->row_starts[s + 1] - nodes->row_starts[s]);
}

// Rows of a matrix, `stride` apart, of which `depth` entries count.
typedef struct BlockRows {
    const double* values;
    size_t stride;
    int32_t count;
    int32_t depth;
} BlockRows;

static void multiply_tile(const BlockRows* from, int32_t first, const double (*packed)[TILE], double sums[TILE][TILE])
{
    const double* rows[TILE];
    for (int32_t r = 0; r < TILE; ++r) { // rows past the end stand for the last, and are not used
        int32_t row = first + r < from->count ? first + r : from->count - 1;
        rows[r] = &from->values[(size_t)row * from->stride];
    }
    memset(sums, 0, TILE * sizeof *sums);
    for (int32_t k = 0; k < from->depth; ++k) {
        for (int32_t r = 0; r < TILE; ++r) {
            for (int32_t c = 0; c < TILE; ++c) {
                sums[r][c] += rows[r][k] * packed[k][c];
            }
        }
    }
}

// Subtract the product of row i with row j, j < column_count, j <= i, from entry (targets[i], targets[j]) of a block.
static void subtract_products(const BlockRows* from, int32_t column_count, const int32_t* targets,
                              double (*packed)[TILE], double* block, size_t stride)
{
    for (int32_t j = 0; j < column_count; j += TILE) {
        int32_t columns = column_count - j < TILE ? column_count - j : TILE;
        for (int32_t c = 0; c < TILE; ++c) {
            const double* row = &from->values[(size_t)(j + (c < columns ? c : 0)) * from->stride];
            for (int32_t k = 0; k < from->depth; ++k) {
                packed[k][c] = row[k];
            }
        }
        for (int32_t i = j; i < from->count; i += TILE) {
            double sums[TILE][TILE];
            multiply_tile(from, i, (const double(*)[TILE])packed, sums);
            int32_t rows = from->count - i < TILE ? from->count - i : TILE;
            for (int32_t r = 0; r < rows; ++r) {
                double* to = &block[(size_t)targets[i + r] * stride];
                for (int32_t c = 0; c < columns && j + c <= i + r; ++c) {
                    to[targets[j + c]] -= sums[r][c];
                }
            }
        }
    }
}

// Take what group d, which comes before s, is due to s, and put d into the list of the next group it is due to.
static void take_due(BlockWork* work, int32_t d, int32_t s, double* block)
{
    const GtiSupernodes* nodes = work->nodes;
    int64_t first = work->due[d];
    int64_t end = nodes->row_starts[d + 1];
    int64_t next = first;
    for (; next < end && nodes->rows[next] < nodes->columns[s + 1]; ++next) {
    }
    for (int64_t r = first; r < end; ++r) {
        work->targets[r - first] = work->places[nodes->rows[r]];
    }
    size_t width = (size_t)width_of(nodes, d);
    BlockRows from = {
        .values =
            &work->values[(size_t)nodes->value_starts[d] + (width + (size_t)(first - nodes->row_starts[d])) * width],
        .stride = width,
        .count = (int32_t)(end - first),
        .depth = (int32_t)width,
    };
    subtract_products(&from, (int32_t)(next - first), work->targets, work->packed, block, (size_t)width_of(nodes, s));
    work->due[d] = next;
    if (next < end) {
        int32_t to = work->group_of[nodes->rows[next]];
        work->nexts[d] = work->heads[to];
        work->heads[to] = d;
    }
}

// Columns `first` to `end` of a block from which all columns before are subtracted; the column whose pivot is not
// positive or no number, or -1.
static int32_t factor_panel(double* block, int32_t width, int32_t row_count, int32_t first, int32_t end)
{
    for (int32_t i = first; i < row_count; ++i) {
        double* row = &block[(size_t)i * (size_t)width];
        for (int32_t j = first; j < end && j <= i; ++j) {
            const double* other = &block[(size_t)j * (size_t)width];
            double sum = row[j];
            for (int32_t k = first; k < j; ++k) {
                sum -= row[k] * other[k];
            }
            if (j == i && !(sum > 0.0 && isfinite(sum))) {
                return j;
            }
            row[j] = j == i ? sqrt(sum) : sum / other[j];
        }
    }
    return -1;
}

static int32_t factor_block(BlockWork* work, int32_t s, double* block)
{
    int32_t width = width_of(work->nodes, s);
    int32_t row_count = width + height_of(work->nodes, s);
    for (int32_t first = 0; first < width; first += PANEL) {
        int32_t end = width - first < PANEL ? width : first + PANEL;
        if (first > 0) {
            for (int32_t i = first; i < row_count; ++i) {
                work->targets[i - first] = i;
            }
            BlockRows from = { &block[(size_t)first * (size_t)width], (size_t)width, row_count - first, first };
            subtract_products(&from, end - first, work->targets, work->packed, block, (size_t)width);
        }
        int32_t bad = factor_panel(block, width, row_count, first, end);
        if (bad >= 0) {
            return work->nodes->columns[s] + bad;
        }
    }
    return -1;
}

// The entries of P A P' in their places in the blocks.
static void fill(const BlockWork* work, const GtiSparse* matrix)
{
    const GtiSupernodes* nodes = work->nodes;
    const GtiElimination* shape = work->shape;
    memset(work->values, 0, (size_t)nodes->value_starts[nodes->count] * sizeof *work->values);
    for (int32_t k = 0; k < shape->size; ++k) {
        for (int32_t p = shape->starts[k]; p <= shape->starts[k + 1]; ++p) {
            bool is_diagonal = p == shape->starts[k + 1];
            int32_t column = is_diagonal ? k : shape->rows[p];
            int32_t s = work->group_of[column];
            int32_t width = width_of(nodes, s);
            int64_t row = k - nodes->columns[s];
            if (row >= width) { // the row is below the group's own columns: find it among the others
                int64_t low = nodes->row_starts[s];
                for (int64_t high = nodes->row_starts[s + 1]; high - low > 1;) {
                    int64_t middle = (low + high) / 2;
                    *(nodes->rows[middle] <= k ? &low : &high) = middle;
                }
                row = width + low - nodes->row_starts[s];
            }
            work->values[nodes->value_starts[s] + row * width + column - nodes->columns[s]] =
                matrix->values[is_diagonal ? matrix->starts[shape->order[k]] : shape->sources[p]];
        }
    }
}

// All blocks, first to last; the column whose pivot is not positive or no number, or -1.
static int32_t factor_blocks(BlockWork* work)
{
    const GtiSupernodes* nodes = work->nodes;
    for (int32_t s = 0; s < nodes->count; ++s) {
        double* block = &work->values[nodes->value_starts[s]];
        int32_t width = width_of(nodes, s);
        for (int32_t j = 0; j < width; ++j) {
            work->places[nodes->columns[s] + j] = j;
        }
        for (int64_t r = nodes->row_starts[s]; r < nodes->row_starts[s + 1]; ++r) {
            work->places[nodes->rows[r]] = width + (int32_t)(r - nodes->row_starts[s]);
        }
        for (int32_t d = work->heads[s], next; d != GT_NONE; d = next) {
            next = work->nexts[d];
            take_due(work, d, s, block);
        }
        int32_t bad = factor_block(work, s, block);
        if (bad >= 0) {
            return bad;
        }
        work->due[s] = nodes->row_starts[s];
        if (height_of(nodes, s) > 0) {
            int32_t to = work->group_of[nodes->rows[work->due[s]]];
            work->nexts[s] = work->heads[to];
            work->heads[to] = s;
        }
    }
    return -1;
}

// Solve m L1 = m in place for one row m of `width`; `lower` has the rows of L1 one after the other.
static void divide_row(const double* lower, int32_t width, double* m)
{
    for (int32_t j = width - 1; j >= 0; --j) {
        const double* row = &lower[(size_t)j * (size_t)width];
        double value = m[j] / row[j];
        m[j] = value;
        if (value == 0.0) {
            continue;
        }
        for (int32_t t = 0; t < j; ++t) {
            m[t] -= value * row[t];
        }
    }
}

// D^-1 as the sum over rows i of the outer products of row i of L1^-1.
static void invert_block(const double* lower, int32_t width, double* row, double* inverse)
{
    memset(inverse, 0, (size_t)width * (size_t)width * sizeof *inverse);
    for (int32_t i = 0; i < width; ++i) {
        memset(row, 0, (size_t)width * sizeof *row);
        row[i] = 1.0;
        divide_row(lower, width, row);
        for (int32_t a = 0; a <= i; ++a) {
            for (int32_t b = 0; b <= i; ++b) {
                inverse[(size_t)a * (size_t)width + (size_t)b] += row[a] * row[b];
            }
        }
    }
}

// L1 and L2 of a block become D^-1 and M.
static void convert_block(double* block, int32_t width, int32_t height, double* square)
{
    size_t k = (size_t)width;
    memcpy(square, block, k * k * sizeof *square);
    invert_block(square, width, &square[k * k], block);
    for (size_t i = k; i < k + (size_t)height; ++i) {
        divide_row(square, width, &block[i * k]);
    }
}

static bool push_work(GtArena* arena, BlockWork* work)
{
    size_t count = (size_t)work->nodes->count;
    size_t size = (size_t)work->nodes->size;
    size_t widest = 0;
    size_t tallest = 0;
    for (int32_t s = 0; s < work->nodes->count; ++s) {
        size_t width = (size_t)width_of(work->nodes, s);
        size_t rows = width + (size_t)height_of(work->nodes, s);
        widest = width > widest ? width : widest;
        tallest = rows > tallest ? rows : tallest;
    }
    work->heads = gt_arena_push(arena, count * sizeof *work->heads);
    work->nexts = gt_arena_push(arena, count * sizeof *work->nexts);
    work->due = gt_arena_push(arena, count * sizeof *work->due);
    work->places = gt_arena_push(arena, size * sizeof *work->places);
    work->targets = gt_arena_push(arena, tallest * sizeof *work->targets);
    work->packed = gt_arena_push(arena, widest * sizeof *work->packed);
    work->square = gt_arena_push(arena, (widest + 1) * widest * sizeof *work->square);
    return work->heads && work->nexts && work->due && work->places && work->targets && work->packed && work->square;
}

GtResult gti_blocks_factor(const GtiElimination* shape, const GtiSupernodes* nodes, const int32_t* group_of,
                           const GtiSparse* matrix, GtAllocator allocator, double* out, GtError* error)
{
    GtArena arena = gt_arena_create(allocator);
    BlockWork work = { .shape = shape, .nodes = nodes, .group_of = group_of, .values = out };
    GtResult result = GT_OK;
    if (!push_work(&arena, &work)) {
        result = gti_out_of_memory(error);
    } else {
        memset(work.heads, -1, (size_t)nodes->count * sizeof *work.heads);
        fill(&work, matrix);
        int32_t bad = factor_blocks(&work);
        result = bad < 0 ? GT_OK
                         : gti_fail(error, GT_ERROR_BAD_VALUE, "the system is not positive definite at row %d",
                                    (int)shape->order[bad]);
    }
    for (int32_t s = 0; result == GT_OK && s < nodes->count; ++s) {
        convert_block(&out[nodes->value_starts[s]], width_of(nodes, s), height_of(nodes, s), work.square);
    }
    gt_arena_destroy(&arena);
    return result;
}

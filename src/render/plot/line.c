// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Two steps. Of all points in a column an eighth of a pixel wide the first, lowest, highest and last are kept: the line
// between them covers the same stretch, so that nothing moves by more than the column's width, and the count is bounded
// by the width however long the clip is. Then Douglas and Peucker (1973) with three tenths of a pixel, on a stack of
// our own.

#include "render/plot/line.h"

#include <math.h>

static const double column_width = 0.125;
static const double tolerance = 0.3;

typedef struct Span {
    int32_t first, last;
} Span;

// Keep up to four of points[first] to points[end - 1], writing them from points[kept] on; how many are kept then.
static int32_t reduce_column(GtiPoint* points, int32_t first, int32_t end, int32_t kept)
{
    int32_t low = first;
    int32_t high = first;
    for (int32_t i = first; i < end; ++i) {
        low = points[i].y < points[low].y ? i : low;
        high = points[i].y > points[high].y ? i : high;
    }
    int32_t before = low < high ? low : high;
    int32_t after = low < high ? high : low;
    const int32_t wanted[] = { first, before, after, end - 1 };
    int32_t last = -1;
    for (int i = 0; i < 4; ++i) {
        if (wanted[i] > last) {
            last = wanted[i];
            points[kept++] = points[last];
        }
    }
    return kept;
}

static int32_t reduce_columns(GtiPoint* points, int32_t count)
{
    int32_t kept = 0;
    for (int32_t first = 0; first < count;) {
        double column = floor(points[first].x / column_width);
        int32_t end = first + 1;
        while (end < count && floor(points[end].x / column_width) == column) {
            ++end;
        }
        kept = reduce_column(points, first, end, kept);
        first = end;
    }
    return kept;
}

static double distance_squared(GtiPoint p, GtiPoint a, GtiPoint b)
{
    double dx = b.x - a.x;
    double dy = b.y - a.y;
    double length = dx * dx + dy * dy;
    double t = length > 0.0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0.0;
    t = fmin(fmax(t, 0.0), 1.0);
    double ex = p.x - (a.x + t * dx);
    double ey = p.y - (a.y + t * dy);
    return ex * ex + ey * ey;
}

int32_t gti_line_simplify(GtArena* scratch, GtiPoint* points, int32_t count)
{
    if (count < 3) {
        return count;
    }
    count = reduce_columns(points, count);
    GtArenaMark mark = gt_arena_mark(scratch);
    bool* keeps = gt_arena_push_array(scratch, (size_t)count, sizeof *keeps);
    Span* stack = gt_arena_push_array(scratch, (size_t)count, sizeof *stack);
    if (!keeps || !stack) {
        gt_arena_reset(scratch, mark);
        return -1;
    }
    int32_t depth = 0;
    stack[depth++] = (Span){ 0, count - 1 };
    keeps[0] = keeps[count - 1] = true;
    while (depth > 0) {
        Span span = stack[--depth];
        double worst = tolerance * tolerance;
        int32_t worst_at = -1;
        for (int32_t i = span.first + 1; i < span.last; ++i) {
            double distance = distance_squared(points[i], points[span.first], points[span.last]);
            if (distance > worst) {
                worst = distance;
                worst_at = i;
            }
        }
        if (worst_at >= 0) { // spans on the stack do not overlap, so there is room
            keeps[worst_at] = true;
            stack[depth++] = (Span){ span.first, worst_at };
            stack[depth++] = (Span){ worst_at, span.last };
        }
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (keeps[i]) {
            points[kept++] = points[i];
        }
    }
    gt_arena_reset(scratch, mark);
    return kept;
}

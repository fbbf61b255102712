// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Keys for linear interpolation. The times of all keys of the curves are merged; between two of them the interval is
// cut into as many pieces as interpolation, spherical for rotations, needs to meet what the curves give. How many, and
// where, is found from three places inside.

#include "io/fbx/animation.h"

#include "base/fail.h"
#include "base/memory.h"
#include "gertie/scene.h"

enum {
    MAX_DEPTH = 6,   // halvings of the interval between two keys
    MAX_PIECES = 16, // that an interval is cut into without looking at them again
    PROBES = 3,      // places inside an interval that tell into how many
    DENSITIES = 5,   // places where the density of pieces is known
    BATCH = 32       // keys that are evaluated at once
};

#define WEIGHT_TOLERANCE    1e-4
#define CAUTION             1.03  // more pieces, since motion is not quite a cubic
#define CAUTION_A_PIECE     0.006 // and so much more for each, since it is less of one over a long way
#define SPARSEST            0.5   // density of pieces, of the densest ones, where a cubic would need hardly any
#define SHORTEST_INTERVAL_S 2e-4

// Times of curves one after another: list i is [firsts[i], firsts[i + 1]).
typedef struct TimeLists {
    int64_t* times;
    size_t* firsts;
    int32_t list_count;
} TimeLists;

void gti_fbx_samples_release(GtiFbxSamples* samples)
{
    GtAllocator allocator = samples->allocator;
    if (allocator.release) {
        allocator.release(allocator.user, samples->times);
        allocator.release(allocator.user, samples->rows);
    }
    *samples = (GtiFbxSamples){ 0 };
}

// Add samples whose rows the caller fills; NULL when memory ran out.
static float* push_samples(GtiFbxSamples* samples, const int64_t* times, size_t count, GtError* error)
{
    size_t row_size = (size_t)samples->width * sizeof *samples->rows;
    if (samples->capacity - samples->count < count) {
        size_t capacity = samples->capacity ? 2 * samples->capacity : 256;
        size_t size = 0;
        if (!gti_size_mul(capacity, row_size > sizeof *times ? row_size : sizeof *times, &size)) {
            gti_out_of_memory(error);
            return NULL;
        }
        int64_t* grown_times = gti_reallocate(samples->allocator, samples->times, samples->count * sizeof *times,
                                              capacity * sizeof *times);
        samples->times = grown_times ? grown_times : samples->times;
        float* rows = grown_times ? gti_reallocate(samples->allocator, samples->rows, samples->count * row_size,
                                                   capacity * row_size)
                                  : NULL;
        samples->rows = rows ? rows : samples->rows;
        if (!rows) {
            gti_out_of_memory(error);
            return NULL;
        }
        samples->capacity = capacity;
    }
    memcpy(samples->times + samples->count, times, count * sizeof *times);
    float* rows = samples->rows + samples->count * (size_t)samples->width;
    samples->count += count;
    return rows;
}

static GtResult push_sample(GtiFbxSamples* samples, int64_t time, const float* row, GtError* error)
{
    float* out = push_samples(samples, &time, 1, error);
    if (out) {
        memcpy(out, row, (size_t)samples->width * sizeof *row);
    }
    return out ? GT_OK : GT_ERROR_OUT_OF_MEMORY;
}

static size_t merge(const int64_t* a, const int64_t* a_end, const int64_t* b, const int64_t* b_end, int64_t* out)
{
    int64_t* start = out;
    while (a < a_end && b < b_end) {
        int64_t next = *a < *b ? *a : *b;
        a += *a == next;
        b += *b == next;
        *out++ = next;
    }
    for (; a < a_end; ++a) {
        *out++ = *a;
    }
    for (; b < b_end; ++b) {
        *out++ = *b;
    }
    return (size_t)(out - start);
}

// Merge pairs of lists until one is left, without repeated times.
static void merge_lists(TimeLists* lists, int64_t* spare)
{
    while (lists->list_count > 1) {
        size_t used = 0;
        int32_t merged = 0;
        for (int32_t i = 0; i < lists->list_count; i += 2) {
            const int64_t* a = lists->times + lists->firsts[i];
            const int64_t* a_end = lists->times + lists->firsts[i + 1];
            const int64_t* b_end = i + 1 < lists->list_count ? lists->times + lists->firsts[i + 2] : a_end;
            size_t count = merge(a, a_end, a_end, b_end, spare + used);
            lists->firsts[merged++] = used; // at or before what is still read
            used += count;
        }
        lists->firsts[merged] = used;
        lists->list_count = merged;
        int64_t* swap = lists->times;
        lists->times = spare;
        spare = swap;
    }
}

// Visit the curves that a source depends on: count their times, or append each as a list.
static size_t walk_curves(const GtiFbxSource* source, int64_t begin, int64_t end, size_t limit, TimeLists* lists)
{
    size_t total = 0;
    for (int32_t t = 0; t < source->track_count; ++t) {
        const GtiFbxTrack* track = source->tracks[t];
        for (int32_t d = 0; d < track->driver_count; ++d) {
            const GtiFbxDriver* driver = &track->drivers[d];
            const GtiFbxAnimLayer* layer = driver->layer;
            const GtiFbxCurve* curves[4] = { &driver->curves[0], &driver->curves[1], &driver->curves[2],
                                             &layer->weight_curve };
            int curve_count = layer->weight_moves && !driver->is_first_layer ? 4 : 3;
            for (int i = 0; i < curve_count; ++i) {
                size_t count =
                    gti_fbx_curve_times(curves[i], begin, end, limit - total, lists ? lists->times + total : NULL);
                if (count && lists) {
                    lists->firsts[lists->list_count++] = total;
                    lists->firsts[lists->list_count] = total + count;
                }
                total += count;
            }
        }
    }
    return total;
}

// The times of all keys in [begin, end], both of which are among them.
static GtResult collect_times(GtiFbxReader* reader, const GtiFbxSource* source, int64_t begin, int64_t end,
                              size_t limit, int64_t** out, size_t* out_count)
{
    size_t total = walk_curves(source, begin, end, limit, NULL);
    size_t curve_count = 0;
    for (int32_t t = 0; t < source->track_count; ++t) {
        curve_count += 4 * (size_t)source->tracks[t]->driver_count;
    }
    TimeLists lists = { 0 };
    lists.times = gt_arena_push_array(&reader->arena, total + 2, sizeof *lists.times);
    lists.firsts = gt_arena_push_array(&reader->arena, curve_count + 3, sizeof *lists.firsts);
    int64_t* spare = gt_arena_push_array(&reader->arena, total + 2, sizeof *spare);
    if (!lists.times || !lists.firsts || !spare) {
        return gti_out_of_memory(reader->error);
    }
    walk_curves(source, begin, end, total, &lists);
    lists.firsts[lists.list_count] = total;
    lists.firsts[lists.list_count + 1] = total + 2;
    lists.times[total] = begin;
    lists.times[total + 1] = end;
    ++lists.list_count;
    merge_lists(&lists, spare);
    *out = lists.times;
    *out_count = lists.firsts[1];
    return GT_OK;
}

// The distance of quaternions, for small angles half the angle between them, where b is at `part` between a and c.
static double rotation_error(const float* a, const float* c, double part, const float* b)
{
    double dot = 0.0;
    for (int i = 0; i < 4; ++i) {
        dot += (double)a[i] * (double)c[i];
    }
    double sign = dot < 0.0 ? -1.0 : 1.0;
    double wa = 1.0 - part;
    double wc = part;
    if (fabs(dot) < 0.9995) {
        double angle = acos(fabs(dot));
        wa = sin(wa * angle) / sin(angle);
        wc = sin(wc * angle) / sin(angle);
    }
    double q[4];
    double length = 0.0;
    double along = 0.0;
    for (int i = 0; i < 4; ++i) {
        q[i] = wa * (double)a[i] + sign * wc * (double)c[i];
        length += q[i] * q[i];
        along += q[i] * (double)b[i];
    }
    double scale = (along < 0.0 ? -1.0 : 1.0) / sqrt(length);
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        double difference = scale * q[i] - (double)b[i];
        sum += difference * difference;
    }
    return sqrt(sum);
}

// How far b is from the line between a and c, at most in `count` numbers, in tolerances.
static double line_error(const float* a, const float* c, double part, const float* b, int32_t count, double tolerance)
{
    double most = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        double line = (double)a[i] + part * ((double)c[i] - (double)a[i]);
        double rounding = 2e-7 * fabs((double)b[i]);
        most = fmax(most, fabs((double)b[i] - line) / (tolerance + rounding));
    }
    return most;
}

// How far the row b is from what interpolation between a and c gives, in tolerances.
static double row_error(const GtiFbxSource* source, const float* a, const float* c, double part, const float* b)
{
    if (!source->is_transform) {
        return line_error(a, c, part, b, source->width, WEIGHT_TOLERANCE);
    }
    double length_m = gti_vec_length(gti_vec((double)b[0], (double)b[1], (double)b[2]));
    double translation =
        line_error(a, c, part, b, 3, GTI_FBX_TRANSLATION_TOLERANCE * fmax(GTI_FBX_SHORTEST_TRANSLATION_M, length_m));
    double scale = line_error(a + 7, c + 7, part, b + 7, 3, GTI_FBX_SCALE_TOLERANCE);
    double rotation = 2.0 * rotation_error(a + 3, c + 3, part, b + 3) / GTI_FBX_ROTATION_TOLERANCE_RAD;
    return fmax(fmax(translation, scale), rotation);
}

// The right ends of intervals that are still to be looked at, the nearest on top.
typedef struct IntervalStack {
    int64_t times[MAX_DEPTH + 1];
    int32_t depths[MAX_DEPTH + 1];
    float* rows;   // [MAX_DEPTH + 1] rows
    float* probes; // [PROBES] rows
    int32_t count;
} IntervalStack;

// How an interval is cut: the density of pieces at even places in it, between which it is linear.
typedef struct Cut {
    int32_t pieces; // MAX_PIECES + 1 for too many
    double densities[DENSITIES];
    double total; // of the densities: pieces as a number that is not whole
} Cut;

// Densities from the errors of interpolation at 0.21, 0.5 and 0.77. Between keys motion is close to a cubic: a parabola
// P 4x(1 - x) and an S-shaped part Q x(1 - x)(1 - 2x), each in a direction of its own. Their lengths and the cosine
// between them follow from the squares of the errors, since the S is 0 in the middle and has two signs beside it.
// Interpolation over a short piece h has the error |f''| h^2 / 8 with f'' / 8 = P + 0.75 Q (1 - 2x), so that the pieces
// with an error of 1 are as dense as the root of that.
static void find_densities(const double errors[PROBES], Cut* cut)
{
    double left = errors[0] * errors[0];
    double right = errors[2] * errors[2];
    double pp = errors[1] * errors[1];
    double qq = fmax(left + right - 0.9422 * pp, 0.0) / 0.018404;
    double most = sqrt(pp * qq);
    double pq = fmin(fmax((left - right + 0.0615 * pp - 0.000113 * qq) / 0.26319, -most), most);
    double densest = 0.0;
    for (int i = 0; i < DENSITIES; ++i) {
        double u = 1.0 - 2.0 * i / (DENSITIES - 1);
        double squared = pp + 1.5 * pq * u + 0.5625 * qq * u * u;
        cut->densities[i] = CAUTION * sqrt(sqrt(fmax(squared, 0.0)));
        densest = fmax(densest, cut->densities[i]);
    }
    cut->total = 0.0;
    for (int i = 0; i < DENSITIES; ++i) {
        cut->densities[i] = fmax(cut->densities[i], SPARSEST * densest);
        cut->total += cut->densities[i] * (i == 0 || i == DENSITIES - 1 ? 0.5 : 1.0) / (DENSITIES - 1);
    }
}

// Into how many pieces the interval up to the top of the stack must be cut, and where.
static Cut find_cut(const GtiFbxSource* source, const GtiFbxSamples* samples, const IntervalStack* stack)
{
    double left_time = (double)samples->times[samples->count - 1];
    const float* left = samples->rows + (samples->count - 1) * (size_t)samples->width;
    const float* right = stack->rows + (size_t)(stack->count - 1) * (size_t)samples->width;
    double length = (double)stack->times[stack->count - 1] - left_time;
    static const double parts[PROBES] = { 0.21, 0.5, 0.77 };
    double times[PROBES];
    double errors[PROBES];
    for (int i = 0; i < PROBES; ++i) {
        times[i] = left_time + parts[i] * length;
    }
    source->evaluate(source->user, times, PROBES, stack->probes);
    for (int i = 0; i < PROBES; ++i) {
        errors[i] = row_error(source, left, right, parts[i], stack->probes + (size_t)i * (size_t)source->width);
    }
    Cut cut = { .pieces = 1 };
    if (errors[0] > 1.0 || errors[1] > 1.0 || errors[2] > 1.0) {
        find_densities(errors, &cut);
        double pieces = fmax(ceil(cut.total * (1.0 + CAUTION_A_PIECE * cut.total)), 2.0);
        cut.pieces = pieces <= MAX_PIECES ? (int32_t)pieces : MAX_PIECES + 1;
    }
    return cut;
}

// The parts of an interval, growing, at which it is cut into pieces.
static void place_cuts(const Cut* cut, double parts[MAX_PIECES])
{
    const double width = 1.0 / (DENSITIES - 1);
    double before = 0.0; // pieces up to the present cell
    int cell = 0;
    for (int32_t i = 1; i < cut->pieces; ++i) {
        double wanted = cut->total * i / cut->pieces;
        double here = 0.5 * width * (cut->densities[cell] + cut->densities[cell + 1]);
        while (before + here < wanted && cell < DENSITIES - 2) {
            before += here;
            ++cell;
            here = 0.5 * width * (cut->densities[cell] + cut->densities[cell + 1]);
        }
        // a x + b x^2 / 2 = wanted - before
        double a = cut->densities[cell];
        double b = (cut->densities[cell + 1] - a) / width;
        double rest = wanted - before;
        double x = 2.0 * rest / (a + sqrt(fmax(a * a + 2.0 * b * rest, 0.0)));
        parts[i - 1] = cell * width + (x < width ? x : width);
    }
}

// Whether an interval that is cut in the middle has enough pieces.
static bool is_halved(const Cut* cut)
{
    double left = 0.0;
    for (int i = 0; i < DENSITIES / 2; ++i) {
        left += 0.5 * (cut->densities[i] + cut->densities[i + 1]) / (DENSITIES - 1);
    }
    return cut->pieces == 2 && left <= 1.0 && cut->total - left <= 1.0;
}

// Cut the interval up to the top of the stack into pieces that need no further look.
static GtResult sample_pieces(const GtiFbxSource* source, const IntervalStack* stack, const Cut* cut,
                              GtiFbxSamples* out, GtError* error)
{
    int64_t left = out->times[out->count - 1];
    int64_t length = stack->times[stack->count - 1] - left;
    int64_t times[MAX_PIECES];
    double parts[MAX_PIECES];
    double ticks[MAX_PIECES];
    size_t count = 0;
    if (cut->pieces == 1) {
        return GT_OK;
    }
    if (length % 2 == 0 && is_halved(cut)) { // the probe in the middle
        return push_sample(out, left + length / 2, stack->probes + (size_t)source->width, error);
    }
    place_cuts(cut, parts);
    for (int32_t i = 1; i < cut->pieces; ++i) {
        int64_t time = left + (int64_t)((double)length * parts[i - 1]);
        if (time > (count ? times[count - 1] : left) && time < left + length) {
            times[count] = time;
            ticks[count++] = (double)time;
        }
    }
    if (count == 0) {
        return GT_OK;
    }
    float* rows = push_samples(out, times, count, error);
    if (rows) {
        source->evaluate(source->user, ticks, (int32_t)count, rows);
    }
    return rows ? GT_OK : GT_ERROR_OUT_OF_MEMORY;
}

static bool is_straight(const GtiFbxSource* source, const GtiFbxSamples* samples, const IntervalStack* stack)
{
    size_t left = samples->count - 1;
    int32_t top = stack->count - 1;
    return source->is_straight &&
           source->is_straight(source->user, (double)samples->times[left], (double)stack->times[top],
                               samples->rows + left * (size_t)samples->width,
                               stack->rows + (size_t)top * (size_t)samples->width);
}

// Sample up to where the stack's first row is.
static GtResult sample_interval(const GtiFbxSource* source, GtiFbxBudget* budget, int64_t cost, int64_t shortest,
                                IntervalStack* stack, GtiFbxSamples* out, GtError* error)
{
    size_t width = (size_t)out->width;
    GtResult result = GT_OK;
    stack->count = 1;
    stack->depths[0] = 0;
    while (stack->count > 0 && result == GT_OK) {
        int32_t top = stack->count - 1;
        int64_t left = out->times[out->count - 1];
        int64_t length = stack->times[top] - left;
        Cut cut = { .pieces = 1 };
        if (length > shortest && !is_straight(source, out, stack)) {
            cut = find_cut(source, out, stack);
        }
        if (cut.pieces > 1 && budget->keys < cost * cut.pieces) {
            budget->is_exhausted = true;
            cut.pieces = 1;
        }
        if (cut.pieces > MAX_PIECES && stack->depths[top] < MAX_DEPTH) {
            budget->keys -= cost;
            stack->depths[top + 1] = ++stack->depths[top];
            stack->times[top + 1] = left + length / 2;
            source->evaluate(source->user, &(double){ (double)stack->times[top + 1] }, 1,
                             stack->rows + (size_t)(top + 1) * width);
            ++stack->count;
            continue;
        }
        cut.pieces = cut.pieces < MAX_PIECES ? cut.pieces : MAX_PIECES;
        budget->keys -= cost * (cut.pieces - 1);
        result = sample_pieces(source, stack, &cut, out, error);
        if (result == GT_OK) {
            result = push_sample(out, stack->times[top], stack->rows + (size_t)top * width, error);
        }
        --stack->count;
    }
    return result;
}

// Keys that a row counts as: several where it has many weights, or where many layers make it.
static int64_t row_cost(const GtiFbxSource* source)
{
    int64_t driver_count = 0;
    for (int32_t i = 0; i < source->track_count; ++i) {
        driver_count += source->tracks[i]->driver_count;
    }
    return 1 + (driver_count > source->width ? driver_count : source->width) / 16;
}

// Sample from one key to the next. Rows at a batch of keys are evaluated at once.
// @param batch  [BATCH] rows of scratch
static GtResult sample_keys(GtiFbxReader* reader, GtiFbxBudget* budget, const GtiFbxSource* source,
                            const int64_t* times, size_t count, double ticks_per_s, IntervalStack* stack, float* batch,
                            GtiFbxSamples* out)
{
    int64_t cost = row_cost(source);
    int64_t shortest = (int64_t)(SHORTEST_INTERVAL_S * ticks_per_s);
    GtResult result = GT_OK;
    for (size_t first = 0; first < count && result == GT_OK; first += BATCH) {
        double ticks[BATCH];
        size_t some = count - first < BATCH ? count - first : BATCH;
        for (size_t i = 0; i < some; ++i) {
            ticks[i] = (double)times[first + i];
        }
        source->evaluate(source->user, ticks, (int32_t)some, batch);
        for (size_t i = 0; i < some && result == GT_OK; ++i) {
            const float* row = batch + i * (size_t)source->width;
            if (first + i == 0) {
                result = push_sample(out, times[0], row, reader->error);
                continue;
            }
            stack->times[0] = times[first + i];
            memcpy(stack->rows, row, (size_t)source->width * sizeof *row);
            result = sample_interval(source, budget, cost, shortest, stack, out, reader->error);
        }
    }
    return result;
}

GtResult gti_fbx_sample(GtiFbxReader* reader, GtiFbxBudget* budget, const GtiFbxSource* source, int64_t begin,
                        int64_t end, double ticks_per_s, GtiFbxSamples* out)
{
    *out = (GtiFbxSamples){ .allocator = reader->context->allocator, .width = source->width };
    GtArenaMark mark = gt_arena_mark(&reader->arena);
    size_t width = (size_t)source->width;
    int64_t cost = row_cost(source);
    size_t limit = budget->keys > 0 ? (size_t)(budget->keys / cost) : 0;
    int64_t* times = NULL;
    size_t count = 0;
    GtResult result = collect_times(reader, source, begin, end, limit, &times, &count);
    IntervalStack stack = { 0 };
    if (result == GT_OK) {
        stack.rows = gt_arena_push_array(&reader->arena, (MAX_DEPTH + 1 + PROBES + BATCH) * width, sizeof(float));
        result = stack.rows ? GT_OK : gti_out_of_memory(reader->error);
    }
    if (result == GT_OK) {
        stack.probes = stack.rows + (MAX_DEPTH + 1) * width;
        budget->keys -= (int64_t)count * cost;
        budget->is_exhausted |= budget->keys <= 0;
        result =
            sample_keys(reader, budget, source, times, count, ticks_per_s, &stack, stack.probes + PROBES * width, out);
    }
    gt_arena_reset(&reader->arena, mark);
    return result;
}

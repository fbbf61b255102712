// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a fitted skin leaves of the frames, in the space of the mesh at rest, is nearly a sum of a few shapes. Their
// weights in some frames come from a principal component analysis of a sample of vertices; in all other frames, from
// what is nearest; and then the shapes of all vertices are those that serve all frames best with these weights, and
// their normals those that serve some frames best.
//
// Time and memory are linear in vertices, shapes and frames. Threads share the vertices of a batch of frames.

#include "harmonic/bake/bake.h"
#include "harmonic/bake/principal.h"

#include "base/scalar.h"
#include "scene/storage.h"

#include <math.h>
#include <string.h>

enum {
    MOST_ROWS = 192,     // frames that are analysed
    MOST_SAMPLES = 6000, // vertices of them
    NORMAL_FRAMES = 48,  // that normals are made of, or a few more
    NORMAL_SHARE = 4     // one part in so many of the bytes of shapes is left for normals, where bytes are few
};

// What a block of vertices leaves in a batch of frames.
typedef struct BlockError {
    double squares[2]; // sums with shapes and without
    float worst[GTI_BAKE_BATCH];
} BlockError;

typedef struct Shaper {
    GtiBaker* baker;
    int32_t step; // from sample to sample
    size_t sample_width;
    size_t width; // numbers of a shape
    int32_t count;
    int64_t normal_bytes; // that normals may take, or INT64_MAX
    int32_t row_count;
    int32_t normal_step; // from frame to frame that normals are made of
    float* rows;         // [row_count * sample_width]
    double* values;      // [row_count]
    double* vectors;     // [row_count * row_count]
    float* patterns;     // [count * sample_width] samples of shapes, for frames that are no rows
    float* samples;      // [sample_width] of such a frame
    float* weights;      // [frame_count * count]
    float* shapes;       // [count * width]
    float* normals;      // likewise, or NULL
    BlockError* errors;  // [block_count]
    GtiUnskinFrame frames[GTI_BAKE_BATCH];
    int32_t first; // of the batch
    int32_t batch_count;
} Shaper;

static GtResult open_shaper(Shaper* s)
{
    GtiBaker* k = s->baker;
    GtArena* arena = &k->scratch;
    s->step = k->clip->vertex_count / MOST_SAMPLES + 1;
    s->sample_width = 3 * (size_t)gti_unskin_sample_count(&k->unskin, s->step);
    s->width = 3 * (size_t)k->clip->vertex_count;
    s->row_count = k->clip->frame_count < MOST_ROWS ? k->clip->frame_count : MOST_ROWS;
    s->normal_step = (k->clip->frame_count + NORMAL_FRAMES - 1) / NORMAL_FRAMES;
    size_t rows = (size_t)s->row_count;
    s->rows = gt_arena_push_array(arena, rows * s->sample_width, sizeof *s->rows);
    s->values = gt_arena_push_array(arena, rows, sizeof *s->values);
    s->vectors = gt_arena_push_array(arena, rows * rows, sizeof *s->vectors);
    if (!s->rows || !s->values || !s->vectors) {
        return gti_out_of_memory(k->error);
    }
    return gti_unskin_frames_open(&k->unskin, GTI_BAKE_BATCH, true, arena, s->frames, k->error);
}

static int32_t frame_of_row(const Shaper* s, int32_t row)
{
    int64_t last = s->baker->clip->frame_count - 1;
    return s->row_count > 1 ? (int32_t)(row * last / (s->row_count - 1)) : 0;
}

// What distances at rest, squared, become in the model, on average: meshes may be in centimetres, or what not.
static double mean_square_scale(const Shaper* s)
{
    const GtiUnskin* unskin = &s->baker->unskin;
    const GtCharacterDef* def = unskin->shell->figure->def;
    double sum = 0.0;
    double count = 0.0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        const GtMat34* matrix = &s->frames[0].matrices[unskin->first_matrices[m]];
        double scale = cbrt(fabs((double)gt_mat34_determinant(matrix)));
        sum += (double)def->meshes[m].vertex_count * scale * scale;
        count += (double)def->meshes[m].vertex_count;
    }
    return sum > 0.0 ? sum / count : 1.0;
}

// As few shapes as leave less than the tolerance, or as many as their bytes allow. What is left is returned.
static double choose_count(Shaper* s, double allowed, int64_t shape_bytes, int64_t most_bytes)
{
    const GtHarmonicBakeDef* def = s->baker->def;
    double left = 0.0;
    for (int32_t i = 0; i < s->row_count; ++i) {
        left += s->values[i];
    }
    int64_t most = def->max_shapes < s->row_count ? def->max_shapes : s->row_count;
    most = most * shape_bytes < most_bytes ? most : most_bytes / shape_bytes;
    s->count = 0;
    while (s->count < most && left > allowed && s->values[s->count] > 0.0) {
        left -= s->values[s->count++];
    }
    return left;
}

// All normals cost as much as all places, though few of them change much: where bytes are too few for the tolerance,
// there are more shapes, and the small changes of normals are left out.
static GtResult choose_shapes(Shaper* s)
{
    const GtiBaker* k = s->baker;
    const GtHarmonicBakeDef* def = k->def;
    uint64_t scene_bytes = 0;
    GtResult result = gti_scene_used_bytes(k->figure->scene, k->context->allocator, &scene_bytes, k->error);
    if (result != GT_OK) {
        return result;
    }
    double allowed = def->tolerance_m * def->tolerance_m * (double)s->row_count * (double)(s->sample_width / 3);
    allowed /= def->max_shapes > 0 ? mean_square_scale(s) : 1.0;
    double most = def->max_growth > 0.0 ? def->max_growth * (double)scene_bytes : (double)GT_HARMONIC_MAX_BAKE_SIZE;
    int64_t most_bytes = most < (double)GT_HARMONIC_MAX_BAKE_SIZE ? (int64_t)most : GT_HARMONIC_MAX_BAKE_SIZE;
    int64_t places = (int64_t)s->width * 4 + (int64_t)k->clip->frame_count * 4; // and weights
    s->normal_bytes = INT64_MAX;
    double left = choose_count(s, allowed, places + (k->unskin.has_normals ? (int64_t)s->width * 4 : 0), most_bytes);
    if (left > allowed && def->max_growth > 0.0 && k->unskin.has_normals) {
        int64_t for_places = most_bytes - most_bytes / NORMAL_SHARE;
        choose_count(s, allowed, places, for_places);
        s->normal_bytes = most_bytes - s->count * places;
    }
    return GT_OK;
}

static GtResult analyse(Shaper* s)
{
    GtiBaker* k = s->baker;
    GtResult result = GT_OK;
    for (int32_t r = 0; k->def->max_shapes > 0 && r < s->row_count && result == GT_OK; ++r) {
        result = gti_bake_batch(k, frame_of_row(s, r), 1, s->frames);
        if (result == GT_OK) {
            gti_unskin_samples(&k->unskin, s->frames, s->step, (GtVec3*)(s->rows + (size_t)r * s->sample_width));
        }
    }
    if (result == GT_OK && !gti_principal(s->rows, s->row_count, s->sample_width, &k->scratch, s->values, s->vectors)) {
        result = gti_out_of_memory(k->error);
    }
    return result == GT_OK ? choose_shapes(s) : result;
}

static void add_scaled(float* to, const float* from, float by, size_t width)
{
    for (size_t i = 0; i < width; ++i) {
        to[i] += by * from[i];
    }
}

static GtResult open_shapes(Shaper* s)
{
    GtArena* arena = &s->baker->scratch;
    size_t count = (size_t)s->count;
    size_t rows = (size_t)s->row_count;
    s->patterns = gt_arena_push_array(arena, count * s->sample_width, sizeof *s->patterns);
    s->weights = gt_arena_push_array(arena, (size_t)s->baker->clip->frame_count * count, sizeof *s->weights);
    s->samples = gt_arena_push_array(arena, s->sample_width, sizeof *s->samples);
    s->shapes = gt_arena_push_array(arena, count * s->width, sizeof *s->shapes);
    s->normals = gt_arena_push_array(arena, s->baker->unskin.has_normals ? count * s->width : 0, sizeof *s->normals);
    if (!s->patterns || !s->weights || !s->samples || !s->shapes || !s->normals) {
        return gti_out_of_memory(s->baker->error);
    }
    for (size_t c = 0; c < count && s->row_count < s->baker->clip->frame_count; ++c) {
        for (size_t r = 0; r < rows; ++r) {
            add_scaled(s->patterns + c * s->sample_width, s->rows + r * s->sample_width,
                       (float)s->vectors[r * rows + c], s->sample_width);
        }
    }
    return GT_OK;
}

// The weights of a frame: known where it was analysed, or by its samples.
static void weigh(Shaper* s, int32_t frame, const GtiUnskinFrame* posed)
{
    float* weights = s->weights + (size_t)frame * (size_t)s->count;
    if (s->row_count == s->baker->clip->frame_count) {
        for (int32_t c = 0; c < s->count; ++c) {
            weights[c] = (float)s->vectors[(size_t)frame * (size_t)s->row_count + (size_t)c];
        }
        return;
    }
    gti_unskin_samples(&s->baker->unskin, posed, s->step, (GtVec3*)s->samples);
    for (int32_t c = 0; c < s->count; ++c) {
        double sum = 0.0;
        const float* pattern = s->patterns + (size_t)c * s->sample_width;
        for (size_t i = 0; i < s->sample_width; i += 3) {
            const float* d = s->samples + i;
            sum += (double)(pattern[i] * d[0] + pattern[i + 1] * d[1] + pattern[i + 2] * d[2]);
        }
        weights[c] = (float)(sum / s->values[c]);
    }
}

static bool has_part_in_normals(const Shaper* s, int32_t frame)
{
    return s->baker->unskin.has_normals && frame % s->normal_step == 0;
}

static void take_normals(void* data, int32_t first, int32_t end)
{
    Shaper* s = data;
    for (int32_t i = first; i < end; ++i) {
        if (has_part_in_normals(s, s->first + i)) {
            gti_unskin_take_normals(&s->baker->unskin, &s->frames[i]);
        }
    }
}

// Add what a block of vertices does in a frame to all shapes, by the weights of the frame.
static void add_block(const Shaper* s, int32_t frame, int32_t first, int32_t end, const GtVec3* deltas, float* shapes)
{
    for (size_t c = 0; c < (size_t)s->count; ++c) {
        add_scaled(shapes + c * s->width + 3 * (size_t)first, &deltas->x,
                   s->weights[(size_t)frame * (size_t)s->count + c], 3 * (size_t)(end - first));
    }
}

static void shape_blocks(void* data, int32_t first, int32_t end)
{
    const Shaper* s = data;
    const GtiUnskin* unskin = &s->baker->unskin;
    GtVec3 deltas[GTI_BAKE_BLOCK];
    for (int32_t b = first; b < end; ++b) {
        int32_t begin = b * GTI_BAKE_BLOCK;
        int32_t block_end = gti_bake_block_end(s->baker, b);
        for (int32_t i = 0; i < s->batch_count; ++i) {
            gti_unskin_damped(unskin, &s->frames[i], begin, block_end, deltas);
            add_block(s, s->first + i, begin, block_end, deltas, s->shapes);
            if (has_part_in_normals(s, s->first + i)) {
                gti_unskin_normals(unskin, &s->frames[i], begin, block_end, deltas);
                add_block(s, s->first + i, begin, block_end, deltas, s->normals);
            }
        }
    }
}

// Where some frames had no part in an analysis, weights of different shapes are not independent.
// step: from frame to frame that the shapes are sums over
static GtResult untangle(Shaper* s, int32_t step, float* shapes)
{
    size_t count = (size_t)s->count;
    double* a = gt_arena_push_array(&s->baker->scratch, count * count, sizeof *a);
    if (!a) {
        return gti_out_of_memory(s->baker->error);
    }
    for (int32_t f = 0; f < s->baker->clip->frame_count; f += step) {
        const float* w = s->weights + (size_t)f * count;
        for (size_t i = 0; i < count * count; ++i) {
            a[i] += (double)w[i / count] * (double)w[i % count];
        }
    }
    gti_solve_rows(a, s->count, shapes, s->width);
    return GT_OK;
}

// Weights go to 1 or -1 at most.
static void scale_shapes(Shaper* s)
{
    size_t count = (size_t)s->count;
    size_t frame_count = (size_t)s->baker->clip->frame_count;
    for (size_t c = 0; c < count; ++c) {
        float most = 0.0f;
        for (size_t f = 0; f < frame_count; ++f) {
            most = fmaxf(most, fabsf(s->weights[f * count + c]));
        }
        for (size_t f = 0; f < frame_count && most > 0.0f; ++f) {
            s->weights[f * count + c] /= most;
        }
        for (size_t i = 0; i < s->width; ++i) {
            s->shapes[c * s->width + i] *= most;
        }
        for (size_t i = 0; i < s->width && s->baker->unskin.has_normals; ++i) {
            s->normals[c * s->width + i] *= most;
        }
    }
}

// Pose the batch from `first` on.
static GtResult take_batch(Shaper* s, int32_t first)
{
    int32_t left = s->baker->clip->frame_count - first;
    s->first = first;
    s->batch_count = left < GTI_BAKE_BATCH ? left : GTI_BAKE_BATCH;
    return gti_bake_batch(s->baker, first, s->batch_count, s->frames);
}

static GtResult make_shapes(Shaper* s)
{
    GtiBaker* k = s->baker;
    bool is_whole = s->row_count == k->clip->frame_count;
    GtResult result = open_shapes(s);
    for (int32_t f = 0; s->count > 0 && f < k->clip->frame_count && result == GT_OK; f += GTI_BAKE_BATCH) {
        result = take_batch(s, f);
        for (int32_t i = 0; i < s->batch_count && result == GT_OK; ++i) {
            weigh(s, f + i, &s->frames[i]);
        }
        if (result == GT_OK) {
            gt_executor_run(&k->context->executor, s->batch_count, 1, take_normals, s);
            gti_bake_run_blocks(k, shape_blocks, s);
        }
    }
    if (result == GT_OK && s->count > 0 && !is_whole) {
        result = untangle(s, 1, s->shapes);
    }
    if (result == GT_OK && s->count > 0 && s->baker->unskin.has_normals && (!is_whole || s->normal_step > 1)) {
        result = untangle(s, s->normal_step, s->normals);
    }
    if (result == GT_OK) {
        scale_shapes(s);
    }
    return result;
}

// Play a block of vertices in a frame as a viewer will, and see how far it is off.
static void measure_block(const Shaper* s, int32_t i, int32_t begin, int32_t end, BlockError* out)
{
    const GtiUnskin* unskin = &s->baker->unskin;
    const float* weights = s->weights + (size_t)(s->first + i) * (size_t)s->count;
    GtVec3 shape[GTI_BAKE_BLOCK];
    GtiUnskinErrors errors;
    memset(shape, 0, sizeof shape);
    for (int32_t c = 0; c < s->count; ++c) {
        add_scaled(&shape->x, s->shapes + (size_t)c * s->width + 3 * (size_t)begin, weights[c],
                   3 * (size_t)(end - begin));
    }
    gti_unskin_errors(unskin, &s->frames[i], begin, end, shape, &errors);
    out->worst[i] = errors.worst;
    out->squares[0] += errors.sum;
    out->squares[1] += errors.bare_sum;
}

static void measure_blocks(void* data, int32_t first, int32_t end)
{
    const Shaper* s = data;
    for (int32_t b = first; b < end; ++b) {
        s->errors[b] = (BlockError){ { 0.0 }, { 0.0f } };
        for (int32_t i = 0; i < s->batch_count; ++i) {
            measure_block(s, i, b * GTI_BAKE_BLOCK, gti_bake_block_end(s->baker, b), &s->errors[b]);
        }
    }
}

// sums: of squares, with shapes and without
static void sum_errors(Shaper* s, double sums[2])
{
    GtiBaker* k = s->baker;
    float worst[GTI_BAKE_BATCH] = { 0.0f };
    for (int32_t b = 0; b < gti_bake_block_count(k); ++b) {
        sums[0] += s->errors[b].squares[0];
        sums[1] += s->errors[b].squares[1];
        for (int32_t i = 0; i < s->batch_count; ++i) {
            worst[i] = fmaxf(worst[i], s->errors[b].worst[i]);
        }
    }
    for (int32_t i = 0; i < s->batch_count; ++i) {
        int32_t frame = s->first + i;
        if ((double)sqrtf(worst[i]) > k->report.error_max_m) {
            k->report.error_max_m = (double)sqrtf(worst[i]);
            k->report.error_time_s = gti_frame_time_s(k->clip->start_s, k->clip->rate_hz, frame);
        }
    }
}

static GtResult measure(Shaper* s)
{
    GtiBaker* k = s->baker;
    double sums[2] = { 0.0, 0.0 };
    s->errors = gt_arena_push_array(&k->scratch, (size_t)gti_bake_block_count(k), sizeof *s->errors);
    GtResult result = s->errors ? GT_OK : gti_out_of_memory(k->error);
    for (int32_t f = 0; f < k->clip->frame_count && result == GT_OK; f += GTI_BAKE_BATCH) {
        result = take_batch(s, f);
        if (result == GT_OK) {
            gti_bake_run_blocks(k, measure_blocks, s);
            sum_errors(s, sums);
        }
    }
    double number = (double)k->clip->frame_count * (double)k->clip->vertex_count;
    k->report.error_rms_m = sqrt(sums[0] / number);
    k->report.skin_rms_m = sqrt(sums[1] / number);
    k->report.shape_count = s->count;
    return result;
}

// Changes of normals that are smaller than what fits into their bytes become 0.
static void drop_small_normals(Shaper* s)
{
    static const float lengths[] = { 0.01f, 0.02f, 0.03f, 0.05f, 0.08f, 0.12f, 0.2f, 0.3f, 0.5f, 0.8f, 1.2f, 2.0f };
    int64_t counts[sizeof lengths / sizeof *lengths] = { 0 }; // of normals that are longer
    const int count = (int)(sizeof lengths / sizeof *lengths);
    GtVec3* normals = (GtVec3*)s->normals;
    size_t all = (size_t)s->count * s->width / 3;
    for (size_t i = 0; i < all; ++i) {
        float length = gt_vec3_length(normals[i]);
        for (int l = 0; l < count && length > lengths[l]; ++l) {
            ++counts[l];
        }
    }
    const int64_t bytes = (int64_t)sizeof(GtVec3) + 4; // with its index
    int l = 0;
    while (l + 1 < count && counts[l] * bytes > s->normal_bytes) {
        ++l;
    }
    for (size_t i = 0; i < all; ++i) {
        normals[i] = gt_vec3_length(normals[i]) > lengths[l] ? normals[i] : gt_vec3(0.0f, 0.0f, 0.0f);
    }
}

// One mesh's part of a shape. Accessors of normals are sparse where few of them change.
static GtResult add_shape(Shaper* s, int32_t c, int32_t m, int32_t accessors[2])
{
    GtiBaker* k = s->baker;
    const GtiShell* shell = k->unskin.shell;
    const GtMeshDef* mesh = &shell->figure->def->meshes[m];
    const GtVec3* deltas = (const GtVec3*)(s->shapes + (size_t)c * s->width) + shell->first_vertex[m];
    const GtVec3* normals = (const GtVec3*)(s->normals + (size_t)c * s->width) + shell->first_vertex[m];
    bool is_tight = s->normal_bytes != INT64_MAX;
    GtResult result =
        gti_shape_add(k->scene, mesh, deltas, mesh->normals && !is_tight ? normals : NULL, accessors, k->error);
    int64_t used = mesh->normals && !is_tight ? mesh->vertex_count : 0;
    if (result == GT_OK && mesh->normals && is_tight) {
        result =
            gti_scene_add_sparse(k->context, k->scene, &normals->x, mesh->vertex_count, 3, &accessors[1], k->error);
        for (int32_t v = 0; v < mesh->vertex_count; ++v) {
            used += gt_vec3_length(normals[v]) > 0.0f;
        }
    }
    k->report.byte_size += ((int64_t)mesh->vertex_count + used) * (int64_t)sizeof(GtVec3);
    return result;
}

static GtResult put_shapes(Shaper* s)
{
    GtiBaker* k = s->baker;
    const GtCharacterDef* def = k->unskin.shell->figure->def;
    GtiShapes shapes = { .word = "shape", .count = s->count };
    GtResult result = GT_OK;
    shapes.accessors =
        gt_arena_push_array(&k->scratch, 2 * (size_t)def->mesh_count * (size_t)s->count, sizeof *shapes.accessors);
    if (!shapes.accessors) {
        return gti_out_of_memory(k->error);
    }
    if (k->unskin.has_normals && s->normal_bytes != INT64_MAX) {
        drop_small_normals(s);
    }
    for (int32_t c = 0; c < s->count; ++c) {
        for (int32_t m = 0; m < def->mesh_count && result == GT_OK; ++m) {
            result = add_shape(s, c, m, &shapes.accessors[2 * ((size_t)c * (size_t)def->mesh_count + (size_t)m)]);
        }
    }
    if (result == GT_OK && s->count > 0) {
        result = gti_shapes_put(k->context, k->scene, def, k->clip->animation, &shapes, k->error);
    }
    return result == GT_OK ? gti_bake_keys(k, &shapes, s->weights) : result;
}

GtResult gti_bake_shapes(GtiBaker* baker)
{
    Shaper s = { .baker = baker };
    GtResult (*const steps[])(Shaper*) = { open_shaper, analyse, make_shapes, measure, put_shapes };
    GtResult result = GT_OK;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == GT_OK; ++i) {
        result = steps[i](&s);
    }
    return result;
}

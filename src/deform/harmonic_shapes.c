// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a fitted skin leaves of the frames, in the space of the mesh at rest, is nearly a sum of a few shapes. Their
// weights in some frames come from a principal component analysis of a sample of vertices; in all other frames, from
// what is nearest; and then the shapes of all vertices are those that serve all frames best with these weights.
//
// Time and memory are linear in vertices, shapes and frames.

#include "deform/harmonic_bake.h"
#include "deform/principal.h"

#include <math.h>
#include <string.h>

enum {
    MOST_ROWS = 192,     // frames that are analysed
    MOST_SAMPLES = 6000, // vertices of them
    BATCH = 8,           // frames that are added to shapes together
    BLOCK = 2048         // numbers of them that stay in cache
};

typedef struct Shaper {
    GtiBaker* baker;
    int32_t step; // from sample to sample
    size_t sample_width;
    size_t width; // numbers of a shape
    int32_t count;
    int32_t row_count;
    float* rows;     // [row_count * sample_width]
    double* values;  // [row_count]
    double* vectors; // [row_count * row_count]
    float* patterns; // [count * sample_width] samples of shapes, for frames that are no rows
    float* weights;  // [frame_count * count]
    float* deltas;   // [BATCH * width]
    float* shapes;   // [count * width]
    float* normal_deltas;
    float* normals; // likewise, or NULL
} Shaper;

static GtResult open_shaper(Shaper* s)
{
    GtiBaker* k = s->baker;
    GtArena* arena = &k->scratch;
    s->step = k->clip->vertex_count / MOST_SAMPLES + 1;
    s->sample_width = 3 * (size_t)gti_unskin_sample_count(&k->unskin, s->step);
    s->width = 3 * (size_t)k->clip->vertex_count;
    s->row_count = k->clip->frame_count < MOST_ROWS ? k->clip->frame_count : MOST_ROWS;
    size_t rows = (size_t)s->row_count;
    s->rows = gt_arena_push_array(arena, rows * s->sample_width, sizeof *s->rows);
    s->values = gt_arena_push_array(arena, rows, sizeof *s->values);
    s->vectors = gt_arena_push_array(arena, rows * rows, sizeof *s->vectors);
    return s->rows && s->values && s->vectors ? GT_OK : gti_out_of_memory(k->error);
}

static int32_t frame_of_row(const Shaper* s, int32_t row)
{
    int64_t last = s->baker->clip->frame_count - 1;
    return s->row_count > 1 ? (int32_t)(row * last / (s->row_count - 1)) : 0;
}

// As few shapes as leave less than the tolerance, or as many as there may be.
static void choose_count(Shaper* s)
{
    const GtHarmonicBakeDef* def = s->baker->def;
    double left = 0.0;
    for (int32_t i = 0; i < s->row_count; ++i) {
        left += s->values[i];
    }
    double allowed = def->tolerance_m * def->tolerance_m * (double)s->row_count * (double)(s->sample_width / 3);
    int64_t shape_size = (int64_t)s->width * (s->baker->unskin.has_normals ? 8 : 4);
    int64_t most = def->max_shapes < s->row_count ? def->max_shapes : s->row_count;
    most = most * shape_size < GT_HARMONIC_MAX_BAKE_SIZE ? most : GT_HARMONIC_MAX_BAKE_SIZE / shape_size;
    while (s->count < most && left > allowed && s->values[s->count] > 0.0) {
        left -= s->values[s->count++];
    }
}

static GtResult analyse(Shaper* s)
{
    GtiBaker* k = s->baker;
    GtResult result = GT_OK;
    for (int32_t r = 0; k->def->max_shapes > 0 && r < s->row_count && result == GT_OK; ++r) {
        const GtVec3* wanted = NULL;
        result = gti_bake_frame(k, frame_of_row(s, r), &wanted);
        if (result == GT_OK) {
            gti_unskin_damped(&k->unskin, s->step, wanted, (GtVec3*)(s->rows + (size_t)r * s->sample_width));
        }
    }
    if (result == GT_OK && !gti_principal(s->rows, s->row_count, s->sample_width, &k->scratch, s->values, s->vectors)) {
        result = gti_out_of_memory(k->error);
    }
    if (result == GT_OK) {
        choose_count(s);
    }
    return result;
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
    bool has_normals = s->baker->unskin.has_normals;
    s->patterns = gt_arena_push_array(arena, count * s->sample_width, sizeof *s->patterns);
    s->weights = gt_arena_push_array(arena, (size_t)s->baker->clip->frame_count * count, sizeof *s->weights);
    s->deltas = gt_arena_push_array(arena, BATCH * s->width, sizeof *s->deltas);
    s->shapes = gt_arena_push_array(arena, count * s->width, sizeof *s->shapes);
    s->normal_deltas = gt_arena_push_array(arena, has_normals ? BATCH * s->width : 0, sizeof *s->normal_deltas);
    s->normals = gt_arena_push_array(arena, has_normals ? count * s->width : 0, sizeof *s->normals);
    if (!s->patterns || !s->weights || !s->deltas || !s->shapes || !s->normal_deltas || !s->normals) {
        return gti_out_of_memory(s->baker->error);
    }
    for (size_t c = 0; c < count; ++c) {
        for (size_t r = 0; r < rows; ++r) {
            add_scaled(s->patterns + c * s->sample_width, s->rows + r * s->sample_width,
                       (float)s->vectors[r * rows + c], s->sample_width);
        }
    }
    return GT_OK;
}

// The weights of a frame: known where it was analysed, or by its samples.
static void weigh(Shaper* s, int32_t frame, const float* deltas)
{
    const GtCharacterDef* def = s->baker->unskin.shell.figure.def;
    float* weights = s->weights + (size_t)frame * (size_t)s->count;
    for (int32_t c = 0; c < s->count; ++c) {
        if (s->row_count == s->baker->clip->frame_count) {
            weights[c] = (float)s->vectors[(size_t)frame * (size_t)s->row_count + (size_t)c];
            continue;
        }
        double sum = 0.0;
        const float* pattern = s->patterns + (size_t)c * s->sample_width;
        for (int32_t m = 0; m < def->mesh_count; ++m) {
            for (int32_t i = 0; i < def->meshes[m].vertex_count; i += s->step, pattern += 3) {
                const float* d = deltas + 3 * (size_t)(s->baker->unskin.shell.first_vertex[m] + i);
                sum += (double)(pattern[0] * d[0] + pattern[1] * d[1] + pattern[2] * d[2]);
            }
        }
        weights[c] = (float)(sum / s->values[c]);
    }
}

static void add_batch(const Shaper* s, int32_t first, int32_t frame_count, const float* deltas, float* shapes)
{
    for (size_t at = 0; at < s->width; at += BLOCK) {
        size_t size = s->width - at < BLOCK ? s->width - at : BLOCK;
        for (size_t c = 0; c < (size_t)s->count; ++c) {
            for (int32_t f = 0; f < frame_count; ++f) {
                add_scaled(shapes + c * s->width + at, deltas + (size_t)f * s->width + at,
                           s->weights[(size_t)(first + f) * (size_t)s->count + c], size);
            }
        }
    }
}

// Where some frames were not analysed, weights of different shapes are not independent.
static GtResult untangle(Shaper* s)
{
    size_t count = (size_t)s->count;
    size_t frame_count = (size_t)s->baker->clip->frame_count;
    double* a = gt_arena_push_array(&s->baker->scratch, 2 * count * count, sizeof *a);
    if (!a) {
        return gti_out_of_memory(s->baker->error);
    }
    for (size_t f = 0; f < frame_count; ++f) {
        const float* w = s->weights + f * count;
        for (size_t i = 0; i < count * count; ++i) {
            a[i] += (double)w[i / count] * (double)w[i % count];
        }
    }
    memcpy(a + count * count, a, count * count * sizeof *a);
    gti_solve_rows(a, s->count, s->shapes, s->width);
    if (s->baker->unskin.has_normals) {
        gti_solve_rows(a + count * count, s->count, s->normals, s->width);
    }
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

static GtResult make_shapes(Shaper* s)
{
    GtiBaker* k = s->baker;
    int32_t frame_count = k->clip->frame_count;
    GtResult result = open_shapes(s);
    for (int32_t first = 0; s->count > 0 && first < frame_count && result == GT_OK; first += BATCH) {
        int32_t count = frame_count - first < BATCH ? frame_count - first : BATCH;
        for (int32_t f = 0; f < count && result == GT_OK; ++f) {
            const GtVec3* wanted = NULL;
            float* deltas = s->deltas + (size_t)f * s->width;
            result = gti_bake_frame(k, first + f, &wanted);
            if (result == GT_OK) {
                gti_unskin_damped(&k->unskin, 1, wanted, (GtVec3*)deltas);
                weigh(s, first + f, deltas);
            }
            if (result == GT_OK && k->unskin.has_normals) {
                gti_unskin_normals(&k->unskin, wanted, (GtVec3*)(s->normal_deltas + (size_t)f * s->width));
            }
        }
        if (result == GT_OK) {
            add_batch(s, first, count, s->deltas, s->shapes);
        }
        if (result == GT_OK && k->unskin.has_normals) {
            add_batch(s, first, count, s->normal_deltas, s->normals);
        }
    }
    if (result == GT_OK && s->count > 0 && s->row_count < frame_count) {
        result = untangle(s);
    }
    if (result == GT_OK) {
        scale_shapes(s);
    }
    return result;
}

// Play a frame as a viewer will, and see how far it is off.
// sums: of squares, with shapes and without
static void measure_frame(Shaper* s, int32_t frame, const GtVec3* wanted, GtVec3* shape, double sums[2])
{
    GtiBaker* k = s->baker;
    const GtCharacterDef* def = k->unskin.shell.figure.def;
    float worst = 0.0f;
    memset(shape, 0, s->width * sizeof(float));
    for (int32_t c = 0; c < s->count; ++c) {
        add_scaled(&shape->x, s->shapes + (size_t)c * s->width,
                   s->weights[(size_t)frame * (size_t)s->count + (size_t)c], s->width);
    }
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        for (int32_t i = 0; i < def->meshes[m].vertex_count; ++i) {
            int32_t v = k->unskin.shell.first_vertex[m] + i;
            GtMat34 skin = gti_unskin_matrix(&k->unskin, &def->meshes[m], i);
            GtVec3 miss = gt_vec3_sub(gt_mat34_point(&skin, k->unskin.rest[v]), wanted[v]);
            GtVec3 off = gt_vec3_add(miss, gt_mat34_vector(&skin, shape[v]));
            worst = fmaxf(worst, gt_vec3_dot(off, off));
            sums[0] += (double)gt_vec3_dot(off, off);
            sums[1] += (double)gt_vec3_dot(miss, miss);
        }
    }
    if ((double)sqrtf(worst) > k->report.error_max_m) {
        k->report.error_max_m = (double)sqrtf(worst);
        k->report.error_time_s = k->clip->start_s + (frame > 0 ? (double)frame / k->clip->rate_hz : 0.0);
    }
}

static GtResult measure(Shaper* s)
{
    GtiBaker* k = s->baker;
    double sums[2] = { 0.0, 0.0 };
    GtVec3* shape = gt_arena_push_array(&k->scratch, (size_t)k->clip->vertex_count, sizeof *shape);
    if (!shape) {
        return gti_out_of_memory(k->error);
    }
    GtResult result = GT_OK;
    for (int32_t f = 0; f < k->clip->frame_count && result == GT_OK; ++f) {
        const GtVec3* wanted = NULL;
        result = gti_bake_frame(k, f, &wanted);
        if (result == GT_OK) {
            measure_frame(s, f, wanted, shape, sums);
        }
    }
    double number = (double)k->clip->frame_count * (double)k->clip->vertex_count;
    k->report.error_rms_m = sqrt(sums[0] / number);
    k->report.skin_rms_m = sqrt(sums[1] / number);
    k->report.shape_count = s->count;
    return result;
}

static GtResult put_shapes(Shaper* s)
{
    GtiBaker* k = s->baker;
    const GtiShell* shell = &k->unskin.shell;
    const GtCharacterDef* def = shell->figure.def;
    GtiShapes shapes = { .word = "shape", .count = s->count };
    GtResult result = GT_OK;
    shapes.accessors =
        gt_arena_push_array(&k->scratch, 2 * (size_t)def->mesh_count * (size_t)s->count, sizeof *shapes.accessors);
    if (!shapes.accessors) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t c = 0; c < s->count; ++c) {
        const GtVec3* deltas = (const GtVec3*)(s->shapes + (size_t)c * s->width);
        const GtVec3* normals = (const GtVec3*)(s->normals + (size_t)c * s->width);
        for (int32_t m = 0; m < def->mesh_count && result == GT_OK; ++m) {
            const GtMeshDef* mesh = &def->meshes[m];
            int32_t* accessors = &shapes.accessors[2 * ((size_t)c * (size_t)def->mesh_count + (size_t)m)];
            result = gti_shape_add(k->scene, mesh, deltas + shell->first_vertex[m],
                                   mesh->normals ? normals + shell->first_vertex[m] : NULL, accessors, k->error);
            k->report.byte_size += (int64_t)mesh->vertex_count * (mesh->normals ? 24 : 12);
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

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "sections/lattice_fit.h"

#include "runtime/section/lattice.h"

#include <math.h>
#include <string.h>

enum {
    MOST_ROWS = 4096 // of more points some are enough: a section has far fewer control points
};

static const double shrink = 0.1; // of the pull to rest, beside that to neighbours

typedef struct Maker {
    const GtiSculptBody* body;
    const GtCharacterDef* def;
    GtiLatticeFit* fit;
    int32_t* row_of;    // [point_count] or GT_NONE
    int32_t* vertex_of; // [point_count] the first vertex there
    double* normal;     // [size * size] the lower triangle
    int32_t size;
} Maker;

typedef void (*Visit)(Maker* k, int32_t slot, int32_t point, float mask);

// Go over all points that the sections hold, once for each.
static void visit_binds(Maker* k, Visit visit)
{
    for (int32_t m = 0; m < k->def->mesh_count; ++m) {
        const GtMeshDef* mesh = &k->def->meshes[m];
        for (int32_t b = 0; b < mesh->section_bind_count; ++b) {
            const GtSectionBindDef* bind = &mesh->section_binds[b];
            int32_t slot = 0;
            while (slot < k->fit->section_count && k->fit->sections[slot] != bind->section) {
                ++slot;
            }
            for (int32_t i = 0; i < bind->entry_count && slot < k->fit->section_count; ++i) {
                int32_t vertex = k->body->shell->first_vertex[m] + (int32_t)bind->vertices[i];
                int32_t point = k->body->shell->points[vertex];
                if (k->vertex_of[point] == vertex) {
                    visit(k, slot, point, bind->masks[i]);
                }
            }
        }
    }
}

static void mark(Maker* k, int32_t slot, int32_t point, float mask)
{
    (void)slot;
    if (mask > 0.0f) {
        k->row_of[point] = 0;
    }
}

static void fill(Maker* k, int32_t slot, int32_t point, float mask)
{
    int32_t row = k->row_of[point];
    if (row == GT_NONE) {
        return;
    }
    const GtSectionDef* section = &k->def->sections[k->fit->sections[slot]];
    GtMat34 model_from_box = gt_mat34_mul(k->body->shell->bind[section->node], section->lattice.space_from_box);
    GtMat34 box_from_model = gt_mat34_inverse(&model_from_box, NULL);
    GtVec3 stu = gt_mat34_point(&box_from_model, k->body->shell->positions[point]);
    float* values = k->fit->rows + (size_t)row * (size_t)k->size + k->fit->first_points[slot];
    const double place[3] = { (double)stu.x, (double)stu.y, (double)stu.z };
    gti_lattice_add_basis(&section->lattice, place, (double)mask, values);
}

// Number the rows: every point that is held, or every few of them.
static void number_rows(Maker* k)
{
    int32_t held = 0;
    for (int32_t v = 0; v < k->body->shell->point_count; ++v) {
        held += k->row_of[v] != GT_NONE;
    }
    int32_t step = held / MOST_ROWS + 1;
    int32_t seen = 0;
    k->fit->row_count = 0;
    for (int32_t v = 0; v < k->body->shell->point_count; ++v) {
        if (k->row_of[v] != GT_NONE) {
            bool taken = seen++ % step == 0;
            k->row_of[v] = taken ? k->fit->row_count : GT_NONE;
            k->fit->row_count += taken;
        }
    }
}

static void add_rows(Maker* k)
{
    size_t size = (size_t)k->size;
    for (int32_t r = 0; r < k->fit->row_count; ++r) {
        const float* row = k->fit->rows + (size_t)r * size;
        for (size_t i = 0; i < size; ++i) {
            double a = (double)row[i];
            for (size_t j = 0; j <= i && a != 0.0; ++j) {
                k->normal[i * size + j] += a * (double)row[j];
            }
        }
    }
}

static void tie(Maker* k, int32_t a, int32_t b, double stiffness)
{
    size_t size = (size_t)k->size;
    k->normal[(size_t)a * (size + 1)] += stiffness;
    k->normal[(size_t)b * (size + 1)] += stiffness;
    k->normal[(size_t)(a > b ? a : b) * size + (size_t)(a > b ? b : a)] -= stiffness;
}

static void add_stiffness(Maker* k, double stiffness)
{
    double trace = 0.0;
    for (int32_t i = 0; i < k->size; ++i) {
        trace += k->normal[(size_t)i * (size_t)(k->size + 1)];
    }
    double unit = stiffness * fmax(trace / k->size, 1e-12);
    for (int32_t i = 0; i < k->size; ++i) {
        k->normal[(size_t)i * (size_t)(k->size + 1)] += shrink * unit;
    }
    for (int32_t slot = 0; slot < k->fit->section_count; ++slot) {
        const int32_t* counts = k->def->sections[k->fit->sections[slot]].lattice.counts;
        int32_t first = k->fit->first_points[slot];
        if (slot > 0 && first == 0) {
            break; // all share these
        }
        int32_t steps[3] = { 1, counts[0], counts[0] * counts[1] };
        for (int32_t p = 0; p < counts[0] * counts[1] * counts[2]; ++p) {
            for (int axis = 0; axis < 3; ++axis) {
                if (p / steps[axis] % counts[axis] + 1 < counts[axis]) {
                    tie(k, first + p, first + p + steps[axis], unit);
                }
            }
        }
    }
}

static GtResult factor(const GtContext* context, GtArena* arena, Maker* k, GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    GtiSparse matrix;
    int64_t entries = (int64_t)k->size * (k->size + 1) / 2;
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    if (gti_sparse_push(&scratch, k->size, entries, &matrix)) {
        int32_t at = 0;
        for (int32_t column = 0; column < k->size; ++column) {
            matrix.starts[column] = at;
            for (int32_t row = column; row < k->size; ++row, ++at) {
                matrix.rows[at] = row;
                matrix.values[at] = k->normal[(size_t)row * (size_t)k->size + (size_t)column];
            }
        }
        matrix.starts[k->size] = at;
        result = gti_factor_make(context, &matrix, arena, &k->fit->factor, error);
    } else {
        result = gti_out_of_memory(error);
    }
    gt_arena_destroy(&scratch);
    return result;
}

static GtResult make(const GtContext* context, GtArena* arena, Maker* k, double stiffness, GtError* error)
{
    GtiLatticeFit* fit = k->fit;
    memset(k->row_of, 0xff, (size_t)k->body->shell->point_count * sizeof *k->row_of);
    for (int32_t v = k->body->shell->vertex_count; v-- > 0;) {
        k->vertex_of[k->body->shell->points[v]] = v;
    }
    visit_binds(k, mark);
    number_rows(k);
    fit->points = gt_arena_push_array(arena, (size_t)fit->row_count, sizeof *fit->points);
    fit->rows = gt_arena_push_array(arena, (size_t)fit->row_count * (size_t)k->size, sizeof *fit->rows);
    if (!fit->points || !fit->rows) {
        return gti_out_of_memory(error);
    }
    for (int32_t v = 0; v < k->body->shell->point_count; ++v) {
        if (k->row_of[v] != GT_NONE) {
            fit->points[k->row_of[v]] = v;
        }
    }
    visit_binds(k, fill);
    add_rows(k);
    add_stiffness(k, stiffness);
    return factor(context, arena, k, error);
}

GtResult gti_lattice_fit_make(const GtContext* context, GtArena* arena, const GtiSculptBody* body,
                              const GtCharacterDef* def, const int32_t* sections, int32_t section_count, bool shared,
                              float stiffness, GtiLatticeFit* out, GtError* error)
{
    GT_ASSERT(section_count >= 1 && section_count <= GTI_FIT_MAX_SECTIONS);
    *out = (GtiLatticeFit){ .section_count = section_count };
    for (int32_t i = 0; i < section_count; ++i) {
        out->sections[i] = sections[i];
        int32_t point_count = gt_lattice_point_count(&def->sections[sections[i]].lattice);
        out->first_points[i] = shared ? 0 : out->size;
        out->size = shared ? point_count : out->size + point_count;
    }
    GtArena scratch = gt_arena_create(context->allocator);
    size_t size = (size_t)out->size;
    Maker maker = { .body = body, .def = def, .fit = out, .size = (int32_t)size };
    maker.row_of = gt_arena_push_array(&scratch, (size_t)body->shell->point_count, sizeof *maker.row_of);
    maker.vertex_of = gt_arena_push_array(&scratch, (size_t)body->shell->point_count, sizeof *maker.vertex_of);
    maker.normal = gt_arena_push_array(&scratch, size * size, sizeof *maker.normal);
    GtResult result = maker.row_of && maker.vertex_of && maker.normal
                          ? make(context, arena, &maker, (double)stiffness, error)
                          : gti_out_of_memory(error);
    gt_arena_destroy(&scratch);
    return result;
}

GtResult gti_lattice_fit_solve(const GtContext* context, GtArena* scratch, const GtiLatticeFit* fit,
                               const GtVec3* wanted, GtVec3* out, GtError* error)
{
    int32_t size = fit->size;
    double* values = gt_arena_push_array(scratch, (size_t)size * 3, sizeof *values);
    if (!values) {
        return gti_out_of_memory(error);
    }
    for (int32_t r = 0; r < fit->row_count; ++r) {
        const float* row = fit->rows + (size_t)r * (size_t)size;
        GtVec3 want = wanted[fit->points[r]];
        for (int32_t i = 0; i < size; ++i) {
            values[3 * (size_t)i] += (double)(row[i] * want.x);
            values[3 * (size_t)i + 1] += (double)(row[i] * want.y);
            values[3 * (size_t)i + 2] += (double)(row[i] * want.z);
        }
    }
    GtResult result = gti_factor_solve(context, &fit->factor, 3, values, error);
    for (int32_t i = 0; i < size && result == GT_OK; ++i) {
        const double* v = values + 3 * (size_t)i;
        out[i] = gt_vec3((float)v[0], (float)v[1], (float)v[2]);
    }
    return result;
}

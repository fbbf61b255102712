// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Sections as a deformer (gertie/section.h has the formula). Every frame a section's lattice becomes what it does to
// the mesh: a matrix that takes vertices into its box, one that moves them with its joint, and displacements in model
// space, for up to four control points a side as a polynomial. With F_k for FFD_k, S for the skin and its derivative M,
//   p' = S + sum B_k (F_k - S),  J = M + sum B_k (J_k - M) + sum (F_k - S) grad(B_k)^T
// so that nothing moves where B is 0. Normals follow the cofactors of J. A vertex that morphs have pushed out of a box
// takes the displacement of the face it left through. Free-standing sections come last and look at model space alone.

#include "runtime/kernels.h"

#include <math.h>
#include <string.h>

// What a lattice does at a place: displacement in model space, and its derivatives along the box's axes.
typedef struct Shift {
    GtVec3 d;
    float slopes[3][3]; // [x, y, z][axis]
} Shift;

// A polynomial and its derivative by Horner's rule.
typedef struct Horner {
    float value;
    float slope;
} Horner;

static Horner horner(const float c[4], float x)
{
    float slope = c[3];
    float value = c[3] * x + c[2];
    slope = slope * x + value;
    value = value * x + c[1];
    slope = slope * x + value;
    value = value * x + c[0];
    return (Horner){ value, slope };
}

static void shift_by_powers(const GtiSectionFrame* frame, const float x[3], Shift* out)
{
    for (int c = 0; c < 3; ++c) {
        float values[4];
        float along_s[4];
        float along_t[4];
        for (int k = 0; k < 4; ++k) {
            float row_values[4];
            float row_slopes[4];
            for (int j = 0; j < 4; ++j) {
                Horner row = horner(&frame->powers[c][(k * 4 + j) * 4], x[0]);
                row_values[j] = row.value;
                row_slopes[j] = row.slope;
            }
            Horner layer = horner(row_values, x[1]);
            values[k] = layer.value;
            along_t[k] = layer.slope;
            along_s[k] = horner(row_slopes, x[1]).value;
        }
        Horner whole = horner(values, x[2]);
        (&out->d.x)[c] = whole.value;
        out->slopes[c][0] = horner(along_s, x[2]).value;
        out->slopes[c][1] = horner(along_t, x[2]).value;
        out->slopes[c][2] = whole.slope;
    }
}

static void shift_by_lattice(const GtiSectionFrame* frame, const float x[3], Shift* out)
{
    double stu[3];
    for (int axis = 0; axis < 3; ++axis) {
        stu[axis] = 0.5 + 0.5 * (double)x[axis];
    }
    GtiLatticeValue value = gti_lattice_at(&frame->lattice, stu);
    for (int row = 0; row < 3; ++row) {
        const float* m = frame->model_from_space.m[row];
        double d = 0.0;
        double slopes[3] = { 0.0, 0.0, 0.0 };
        for (int c = 0; c < 3; ++c) {
            d += (double)m[c] * value.d[c];
            for (int axis = 0; axis < 3; ++axis) {
                slopes[axis] += 0.5 * (double)m[c] * value.slopes[c][axis];
            }
        }
        (&out->d.x)[row] = (float)d;
        for (int axis = 0; axis < 3; ++axis) {
            out->slopes[row][axis] = (float)slopes[axis];
        }
    }
}

static void find_shift(const GtiSectionFrame* frame, GtVec3 place, Shift* out)
{
    float x[3] = { place.x, place.y, place.z };
    bool outside[3];
    for (int axis = 0; axis < 3; ++axis) {
        outside[axis] = !(x[axis] >= -1.0f && x[axis] <= 1.0f);
        x[axis] = x[axis] > -1.0f ? (x[axis] < 1.0f ? x[axis] : 1.0f) : -1.0f;
    }
    if (frame->cubic) {
        shift_by_powers(frame, x, out);
    } else {
        shift_by_lattice(frame, x, out);
    }
    for (int axis = 0; axis < 3; ++axis) {
        for (int row = 0; row < 3 && outside[axis]; ++row) {
            out->slopes[row][axis] = 0.0f;
        }
    }
}

// Add scale * (slopes * box_from_mesh) to the linear part of a matrix.
static void add_slopes(GtMat34* sum, float scale, const Shift* shift, const GtMat34* box_from_mesh)
{
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            for (int axis = 0; axis < 3; ++axis) {
                sum->m[row][column] += scale * shift->slopes[row][axis] * box_from_mesh->m[axis][column];
            }
        }
    }
}

// Add scale * a b^T.
static void add_outer(GtMat34* sum, float scale, GtVec3 a, GtVec3 b)
{
    const float left[3] = { scale * a.x, scale * a.y, scale * a.z };
    const float right[3] = { b.x, b.y, b.z };
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            sum->m[row][column] += left[row] * right[column];
        }
    }
}

// What the poses of a section do to a vertex, derivatives in the mesh's space.
static void add_poses(const GtiSectionJob* job, const GtiSectionFrame* frame, int32_t k, size_t block, int32_t lane,
                      GtVec3* d, GtMat34* slopes)
{
    size_t first = job->sections->first_poses[job->cell->first_bind + (size_t)k];
    float shift[GTI_SHIFT_ROWS] = { 0.0f };
    float own[GTI_SLOPE_ROWS] = { 0.0f };
    for (int32_t p = 0; p < frame->pose_count; ++p) {
        size_t pose = first + block * (size_t)frame->pose_count + (size_t)p;
        const float* shifts = &job->sections->pose_shifts[pose * GTI_SHIFT_ROWS * GTI_SECTION_BLOCK + (size_t)lane];
        const float* rows = &job->sections->pose_slopes[pose * GTI_SLOPE_ROWS * GTI_SECTION_BLOCK + (size_t)lane];
        for (size_t i = 0; i < GTI_SHIFT_ROWS; ++i) {
            shift[i] += frame->pose_weights[p] * shifts[i * GTI_SECTION_BLOCK];
        }
        for (size_t i = 0; i < GTI_SLOPE_ROWS; ++i) {
            own[i] += frame->pose_weights[p] * rows[i * GTI_SECTION_BLOCK];
        }
    }
    *d = gt_mat34_vector(&frame->model_from_space, gt_vec3(shift[0], shift[1], shift[2]));
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            slopes->m[i][j] = 0.0f;
            for (int c = 0; c < 3; ++c) {
                slopes->m[i][j] += frame->model_from_space.m[i][c] * own[3 * c + j];
            }
        }
    }
}

// Of one vertex, x, y and z in rows of a block.
static GtVec3 rows_at(const float* x)
{
    return gt_vec3(x[0], x[GTI_SECTION_BLOCK], x[2 * (size_t)GTI_SECTION_BLOCK]);
}

static void move_vertex(const GtiSectionJob* job, size_t block, int32_t lane, uint32_t vertex)
{
    const GtiSectionCell* cell = job->cell;
    const GtiMeshSections* sections = job->sections;
    bool turns = job->out.normals || job->out.tangents;
    GtMat34 skin = { { { 0.0f } } };
    if (turns || job->skins) {
        job->slopes(job->step, &vertex, 1, &skin);
    }
    GtMat34 whole = skin;
    GtVec3 rest = job->rest.positions[vertex];
    GtVec3 posed = job->skins ? gt_mat34_point(&skin, rest) : job->out.positions[vertex];
    GtVec3 moved = posed;
    for (int32_t k = 0; k < cell->bind_count; ++k) {
        const GtiSectionFrame* frame = &job->frames[sections->binds[cell->first_bind + (size_t)k]];
        if (frame->blend == 0.0f) {
            continue;
        }
        size_t row = cell->first_row + block * (size_t)cell->bind_count + (size_t)k;
        const float* gradient = &sections->gradients[row * 3 * GTI_SECTION_BLOCK + (size_t)lane];
        float share = frame->blend * sections->masks[row * GTI_SECTION_BLOCK + (size_t)lane];
        Shift shift = { { 0.0f, 0.0f, 0.0f }, { { 0.0f } } };
        GtMat34 slopes = { { { 0.0f } } };
        if (frame->posed) {
            add_poses(job, frame, k, block, lane, &shift.d, &slopes);
        } else if (!frame->at_rest) {
            const float* place = &sections->places[row * 3 * GTI_SECTION_BLOCK + (size_t)lane];
            find_shift(frame, frame->folded ? rows_at(place) : gt_mat34_point(&frame->box_from_mesh, rest), &shift);
        }
        GtVec3 own = frame->folded ? shift.d : gt_vec3_add(gt_mat34_point(&frame->model_from_mesh, rest), shift.d);
        GtVec3 away = gt_vec3_sub(own, posed);
        moved = gt_vec3_add(moved, gt_vec3_scale(away, share));
        if (turns) {
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < 3; ++j) {
                    float moves = frame->folded ? 0.0f : frame->model_from_mesh.m[i][j];
                    whole.m[i][j] += share * (moves + slopes.m[i][j] - skin.m[i][j]);
                }
            }
            add_slopes(&whole, share, &shift, &frame->box_from_mesh);
            add_outer(&whole, frame->blend, away, rows_at(gradient));
        }
    }
    job->out.positions[vertex] = moved;
    if (job->out.normals) {
        job->out.normals[vertex] = gti_unit(gt_mat34_normal(&whole, job->rest.normals[vertex]));
    }
    if (job->out.tangents) {
        GtVec3 tangent = gt_mat34_vector(&whole, gti_tangent_get(job->rest.tangents, (int32_t)vertex));
        gti_tangent_put(job->out.tangents, job->rest.tangents, (int32_t)vertex, tangent);
    }
}

void gti_section_scalar(const GtiSectionJob* job, int32_t first, int32_t end)
{
    for (int32_t block = first; block < end; ++block) {
        size_t at = (job->cell->first_block + (size_t)block) * GTI_SECTION_BLOCK;
        const uint32_t* vertices = &job->sections->vertices[at];
        for (int32_t lane = 0; lane < GTI_SECTION_BLOCK && (lane == 0 || vertices[lane] != vertices[lane - 1]);
             ++lane) {
            move_vertex(job, (size_t)block, lane, vertices[lane]);
        }
    }
}

// Let the polynomial move vertices with the joint too: box to mesh to model, which is linear.
static void fold_motion(GtiSectionFrame* frame)
{
    GtMat34 mesh_from_box = gt_mat34_inverse(&frame->box_from_mesh, NULL);
    GtMat34 model_from_box = gt_mat34_mul(frame->model_from_mesh, mesh_from_box);
    for (int c = 0; c < 3; ++c) {
        frame->powers[c][0] += model_from_box.m[c][3];
        frame->powers[c][1] += model_from_box.m[c][0];
        frame->powers[c][4] += model_from_box.m[c][1];
        frame->powers[c][16] += model_from_box.m[c][2];
    }
}

// Evaluate in a span from now on.
static void enter_span(const GtLatticeDef* lattice, const GtiBoundSection* bound, const GtiLatticeSpan* span,
                       GtiSectionFrame* frame)
{
    frame->box_from_mesh = gt_mat34_mul(span->span_from_box, bound->box_from_mesh);
    gti_lattice_to_powers(lattice, span, frame->displacements, &frame->model_from_space, frame->powers);
    if (frame->folded) {
        fold_motion(frame);
    }
}

// Some pose is felt, and no control point is moved by itself.
static bool moved_by_poses(const GtSectionDef* section, const float* values)
{
    const float* weights = values + 1;
    const float* offsets = weights + section->pose_count;
    int32_t count = 3 * gt_lattice_point_count(&section->lattice);
    bool posed = false;
    bool moved = false;
    for (int32_t i = 0; i < section->pose_count; ++i) {
        posed |= weights[i] != 0.0f;
    }
    for (int32_t i = 0; i < count && !moved; ++i) {
        moved = offsets[i] != 0.0f;
    }
    return posed && !moved;
}

// What a section does in this frame. Its displacements go to `room`, which is then left to them unless it is cubic.
static void begin_section(const GtiDeformStep* step, int32_t section, const GtiBoundSection* bound, GtVec3* room,
                          GtiSectionFrame* out)
{
    const GtSectionDef* def = &step->character->sections[section];
    const float* values = step->section_values ? step->section_values + step->first_values[section] : NULL;
    out->blend = gti_section_blend(def, values);
    if (out->blend == 0.0f) {
        return;
    }
    out->posed = false;
    out->model_from_space = def->node == GT_NONE ? gt_mat34_identity() : step->model_from_node[def->node];
    out->model_from_mesh = gt_mat34_mul(out->model_from_space, bound->node_from_mesh);
    out->box_from_mesh = bound->box_from_mesh;
    bool as_modelled = step->rest.positions == step->mesh->positions;
    if (values && as_modelled && step->sections && gti_section_pose_count(def) && moved_by_poses(def, values)) {
        out->posed = true;
        out->at_rest = true; // the lattice is left alone
        out->cubic = false;
        out->folded = false;
        out->spanned = false;
        out->pose_count = def->pose_count;
        out->pose_weights = values + 1;
        return;
    }
    if (values) {
        out->at_rest = !gti_section_displace(def, values, room);
    } else {
        out->at_rest = !def->lattice.weights;
        memset(room, 0, (size_t)gt_lattice_point_count(&def->lattice) * sizeof *room);
    }
    bool as_planned = bound->inside && as_modelled;
    out->displacements = room;
    out->cubic = !out->at_rest && (bound->span_count == 1 || (bound->span_count > 1 && as_planned));
    out->folded = out->cubic && as_planned;
    out->spanned = out->cubic && bound->span_count > 1;
    if (!out->at_rest && !out->cubic) {
        out->lattice = gti_lattice_of(&def->lattice, NULL, room);
    }
    if (out->cubic && !out->spanned) {
        enter_span(&def->lattice, bound, &bound->span, out);
    }
}

// A step of degree 5 from 0 to 1 over the border of the box, and its derivative; x from -1 to 1.
static Horner fade(float x, float border)
{
    float depth = 0.5f * (1.0f - fabsf(x));
    if (depth >= border) {
        return (Horner){ 1.0f, 0.0f };
    }
    float r = depth / border;
    float slope = 30.0f * r * r * (r - 1.0f) * (r - 1.0f) / border;
    return (Horner){ r * r * r * (10.0f + r * (6.0f * r - 15.0f)), x > 0.0f ? -0.5f * slope : 0.5f * slope };
}

static void move_free(const GtiSectionFrame* frame, float border, const GtiVertexTarget* out, int32_t vertex)
{
    GtVec3 p = out->positions[vertex];
    GtVec3 place = gt_mat34_point(&frame->box_from_mesh, p);
    const float x[3] = { place.x, place.y, place.z };
    Horner fades[3];
    for (int axis = 0; axis < 3; ++axis) {
        if (!(fabsf(x[axis]) <= 1.0f)) {
            return;
        }
        fades[axis] = fade(x[axis], border);
    }
    Shift shift;
    find_shift(frame, place, &shift);
    float mask = fades[0].value * fades[1].value * fades[2].value;
    out->positions[vertex] = gt_vec3_add(p, gt_vec3_scale(shift.d, frame->blend * mask));
    if (!out->normals && !out->tangents) {
        return;
    }
    const GtMat34* box = &frame->box_from_mesh;
    float along[3] = { fades[0].slope * fades[1].value * fades[2].value,
                       fades[0].value * fades[1].slope * fades[2].value,
                       fades[0].value * fades[1].value * fades[2].slope };
    GtVec3 gradient = gt_vec3(along[0] * box->m[0][0] + along[1] * box->m[1][0] + along[2] * box->m[2][0],
                              along[0] * box->m[0][1] + along[1] * box->m[1][1] + along[2] * box->m[2][1],
                              along[0] * box->m[0][2] + along[1] * box->m[1][2] + along[2] * box->m[2][2]);
    GtMat34 whole = gt_mat34_identity();
    add_slopes(&whole, frame->blend * mask, &shift, box);
    add_outer(&whole, frame->blend, shift.d, gradient);
    if (out->normals) {
        out->normals[vertex] = gti_unit(gt_mat34_normal(&whole, out->normals[vertex]));
    }
    if (out->tangents) {
        GtVec3 tangent = gt_mat34_vector(&whole, gti_tangent_get(out->tangents, vertex));
        gti_tangent_put(out->tangents, out->tangents, vertex, tangent);
    }
}

void gti_free_section_scalar(const GtiFreeSectionJob* job, int32_t first, int32_t end)
{
    for (int32_t v = first; v < end; ++v) {
        move_free(job->frame, job->border, &job->out, v);
    }
}

static size_t points_of(const GtCharacterDef* character, int32_t section)
{
    return (size_t)gt_lattice_point_count(&character->sections[section].lattice);
}

static size_t scratch_size(const GtCharacterDef* character, const GtMeshDef* mesh)
{
    size_t bound = 0;
    for (int32_t i = 0; i < mesh->section_bind_count; ++i) {
        bound += points_of(character, mesh->section_binds[i].section);
    }
    for (int32_t i = 0; i < character->section_count; ++i) {
        size_t points = character->sections[i].node == GT_NONE ? points_of(character, i) : 0;
        bound = points > bound ? points : bound;
    }
    size_t frame_count = mesh->section_bind_count ? (size_t)mesh->section_bind_count : 1;
    return frame_count * sizeof(GtiSectionFrame) + bound * sizeof(GtVec3);
}

static bool is_felt(const GtiSectionJob* job, const GtiSectionCell* cell)
{
    bool felt = false;
    for (int32_t k = 0; k < cell->bind_count; ++k) {
        felt |= job->frames[job->sections->binds[cell->first_bind + (size_t)k]].blend > 0.0f;
    }
    return felt;
}

// Skin what cells do not.
static void run_mover(const GtiSectionJob* job)
{
    const GtiSectionSkin* skin = &job->sections->skin;
    int32_t next = 0;
    for (size_t i = 0; i < skin->stretch_count; ++i) {
        const GtiSectionStretch* stretch = &skin->stretches[i];
        bool felt = true;
        for (size_t k = 0; k < stretch->cell_count; ++k) {
            felt &= is_felt(job, &job->sections->cells[skin->stretch_cells[stretch->first_cell + k]]);
        }
        if (felt) {
            if (next < stretch->first_vertex) {
                job->step->mover->run(job->step, next, stretch->first_vertex);
            }
            next = stretch->end_vertex;
        }
    }
    if (next < job->vertex_count) {
        job->step->mover->run(job->step, next, job->vertex_count);
    }
}

// Have the frames of a cell evaluate where it is.
static void enter_spans(const GtiDeformStep* step, const GtiSectionCell* cell, GtiSectionFrame* frames)
{
    for (size_t k = cell->first_bind; k < cell->first_bind + (size_t)cell->bind_count; ++k) {
        int32_t bind = step->sections->binds[k];
        if (frames[bind].blend > 0.0f && frames[bind].spanned) {
            int32_t section = step->mesh->section_binds[bind].section;
            enter_span(&step->character->sections[section].lattice, &step->sections->bound[bind],
                       &step->sections->spans[k], &frames[bind]);
        }
    }
}

static void apply_bound(const GtiDeformStep* step, GtiSectionFrame* frames)
{
    const GtMeshDef* mesh = step->mesh;
    GtVec3* room = (GtVec3*)(frames + mesh->section_bind_count);
    for (int32_t i = 0; i < mesh->section_bind_count; ++i) {
        int32_t section = mesh->section_binds[i].section;
        begin_section(step, section, &step->sections->bound[i], room, &frames[i]);
        room += points_of(step->character, section);
    }
    GtiSectionJob job = {
        .rest = step->rest,
        .out = step->out,
        .sections = step->sections,
        .frames = frames,
        .vertex_count = mesh->vertex_count,
        .skins = step->mover_waits && step->sections->skin.pair_count > 0,
        .slopes = step->mover->slopes,
        .step = step,
    };
    if (step->mover_waits) {
        run_mover(&job);
    }
    for (int32_t i = 0; i < step->sections->cell_count; ++i) {
        const GtiSectionCell* cell = &step->sections->cells[i];
        if (is_felt(&job, cell)) {
            job.cell = cell;
            enter_spans(step, cell, frames);
            gti_kernels()->section(&job, 0, cell->block_count);
        }
    }
}

static void apply(const GtiDeformStep* step)
{
    GtiSectionFrame* frames = step->scratch;
    if (step->sections) {
        apply_bound(step, frames);
    }
    for (int32_t i = 0; i < step->character->section_count; ++i) {
        const GtSectionDef* section = &step->character->sections[i];
        if (section->node != GT_NONE) {
            continue;
        }
        GtiBoundSection free = {
            .node_from_mesh = gt_mat34_identity(),
            .box_from_mesh = gti_box_from_space(&section->lattice),
            .span_count = gti_lattice_span_count(&section->lattice),
        };
        if (free.span_count == 1) {
            free.span = gti_lattice_span(&section->lattice, 0);
        }
        begin_section(step, i, &free, (GtVec3*)(frames + 1), frames);
        bool idle = frames->blend == 0.0f || frames->at_rest;
        if (!idle) {
            GtiFreeSectionJob job = { step->out, frames, section->border };
            gti_kernels()->free_section(&job, 0, step->mesh->vertex_count);
        }
    }
}

const GtiDeformer gti_sections = {
    .name = "sections",
    .kind = GT_DEFORMER_SECTIONS,
    .input = GTI_SPACE_MODEL,
    .output = GTI_SPACE_MODEL,
    .reads = GTI_READS_SECTIONS,
    .unit_normals = true,
    .scratch_size = scratch_size,
    .apply = apply,
};

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Sections in AVX2 and FMA, a block of eight vertices or two at a time. A lattice of up to four control points a side
// is a polynomial of degree 3 along each axis: 63 multiply-adds a coordinate by Horner's rule, 123 with all
// derivatives. Positions alone take two blocks at once, so that a coefficient that has been fetched serves sixteen
// vertices. Cells with lattices of other kinds go to the plain kernel. CMake compiles this file for that level;
// elsewhere it is empty.

#if defined(__AVX2__)

#include "runtime/vertex_avx2.h"

enum {
    PAIR = 2,
    SIDE = 4,
    LAYER = SIDE * SIDE,
};

// Two blocks, a and b, at places x, y, z of a box: one coordinate of what a lattice does to them.
typedef struct Two {
    Lane a;
    Lane b;
} Two;

INLINE Two two_add(Two value, Two x, Two next)
{
    return (Two){ lane_mul_add(value.a, x.a, next.a), lane_mul_add(value.b, x.b, next.b) };
}

INLINE Two two_set(float a)
{
    Lane both = lane_set(a);
    return (Two){ both, both };
}

// Two rows along s side by side, so that neither waits for itself, and the step along t between them.
INLINE Two eval_rows(const float* c, Two s, Two t)
{
    Two high = two_add(two_set(c[SIDE + 3]), s, two_set(c[SIDE + 2]));
    Two low = two_add(two_set(c[3]), s, two_set(c[2]));
    high = two_add(high, s, two_set(c[SIDE + 1]));
    low = two_add(low, s, two_set(c[1]));
    high = two_add(high, s, two_set(c[SIDE]));
    low = two_add(low, s, two_set(c[0]));
    return two_add(high, t, low);
}

INLINE Two eval_layer(const float* c, Two s, Two t, Two square)
{
    Two high = eval_rows(c + 2 * SIDE, s, t);
    return two_add(high, square, eval_rows(c, s, t));
}

INLINE Two eval(const float c[SIDE * LAYER], Two s, Two t, Two square, Two u)
{
    Two value = eval_layer(c + 3 * (size_t)LAYER, s, t, square);
    for (int k = 2; k >= 0; --k) {
        value = two_add(value, u, eval_layer(c + k * LAYER, s, t, square));
    }
    return value;
}

// A polynomial and its derivative.
typedef struct Slope {
    Lane value;
    Lane slope;
} Slope;

INLINE Slope slope_add(Slope a, Lane x, Lane next)
{
    return (Slope){ lane_mul_add(a.value, x, next), lane_mul_add(a.slope, x, a.value) };
}

INLINE Slope slope_first(Lane last, Lane x, Lane next)
{
    return (Slope){ lane_mul_add(last, x, next), last };
}

// A value and its derivatives along s, t and u.
typedef struct Slopes {
    Lane value;
    Lane s;
    Lane t;
    Lane u;
} Slopes;

// Two rows along s side by side, and a step along t.
typedef struct Rows {
    Lane value;
    Lane s;
    Lane t; // derivative along t: the upper row
} Rows;

INLINE Rows slopes_rows(const float* c, Lane s, Lane t)
{
    Slope high = slope_first(lane_set(c[SIDE + 3]), s, lane_set(c[SIDE + 2]));
    Slope low = slope_first(lane_set(c[3]), s, lane_set(c[2]));
    high = slope_add(high, s, lane_set(c[SIDE + 1]));
    low = slope_add(low, s, lane_set(c[1]));
    high = slope_add(high, s, lane_set(c[SIDE]));
    low = slope_add(low, s, lane_set(c[0]));
    return (Rows){ lane_mul_add(high.value, t, low.value), lane_mul_add(high.slope, t, low.slope), high.value };
}

// A layer of a coordinate: (a + b t) t^2 + (c + d t), whose derivative along t is b t^2 + 2 t (a + b t) + d.
INLINE Slopes slopes_layer(const float* c, Lane s, Lane t, Lane square, Lane twice)
{
    Rows high = slopes_rows(c + 2 * SIDE, s, t);
    Rows low = slopes_rows(c, s, t);
    return (Slopes){
        .value = lane_mul_add(high.value, square, low.value),
        .s = lane_mul_add(high.s, square, low.s),
        .t = lane_mul_add(high.t, square, lane_mul_add(high.value, twice, low.t)),
    };
}

INLINE Slopes eval_slopes(const float c[SIDE * LAYER], Lane3 x)
{
    Lane square = lane_mul(x.y, x.y);
    Lane twice = lane_add(x.y, x.y);
    Slopes sum = slopes_layer(c + 3 * (size_t)LAYER, x.x, x.y, square, twice);
    sum.u = _mm256_setzero_ps();
    for (int k = 2; k >= 0; --k) {
        Slopes layer = slopes_layer(c + k * LAYER, x.x, x.y, square, twice);
        sum.u = lane_mul_add(sum.u, x.z, sum.value);
        sum.value = lane_mul_add(sum.value, x.z, layer.value);
        sum.s = lane_mul_add(sum.s, x.z, layer.s);
        sum.t = lane_mul_add(sum.t, x.z, layer.t);
    }
    return sum;
}

// Vertices of a block follow each other. They ascend, but for the last one, which fills up the end of a cell.
INLINE bool in_line(const uint32_t* vertices)
{
    return vertices[BLOCK - 1] - vertices[0] == BLOCK - 1 && vertices[BLOCK - 1] != vertices[BLOCK - 2];
}

INLINE Lane3 gather(const GtVec3* from, const uint32_t* vertices)
{
    if (in_line(vertices)) {
        return load_vectors(&from[vertices[0]].x);
    }
    const __m128i three = _mm_setr_epi32(-1, -1, -1, 0); // the last vertex has nothing after it
    Lane rows[4];
    for (int i = 0; i < 4; ++i) {
        rows[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_maskload_ps(&from[vertices[i]].x, three)),
                                       _mm_maskload_ps(&from[vertices[i + 4]].x, three), 1);
    }
    transpose_halves(rows);
    return (Lane3){ rows[0], rows[1], rows[2] };
}

INLINE void scatter(GtVec3* to, const uint32_t* vertices, Lane3 v)
{
    if (in_line(vertices)) {
        store_vectors(&to[vertices[0]].x, v);
        return;
    }
    float packed[3 * BLOCK];
    store_vectors(packed, v);
    for (int i = 0; i < BLOCK; ++i) {
        memcpy(&to[vertices[i]], packed + 3 * (size_t)i, sizeof *to);
    }
}

INLINE Lane3 move(const GtMat34* m, Lane3 p)
{
    Lane moved[3];
    for (int i = 0; i < 3; ++i) {
        moved[i] = lane_mul_add(lane_set(m->m[i][2]), p.z, lane_set(m->m[i][3]));
        moved[i] = lane_mul_add(lane_set(m->m[i][1]), p.y, moved[i]);
        moved[i] = lane_mul_add(lane_set(m->m[i][0]), p.x, moved[i]);
    }
    return (Lane3){ moved[0], moved[1], moved[2] };
}

INLINE Lane3 load_row(const float* rows, size_t row)
{
    const float* from = rows + row * 3 * BLOCK;
    return (Lane3){ lane_load(from), lane_load(from + BLOCK), lane_load(from + 2 * (size_t)BLOCK) };
}

// Where vertices of a block are in the box of a section, and where its joint takes them: 0 where
// the polynomial does that too.
INLINE Lane3 place_block(const GtiSectionJob* job, const GtiSectionFrame* frame, const uint32_t* vertices, size_t row,
                         Lane3* moved)
{
    if (frame->folded) {
        Lane zero = _mm256_setzero_ps();
        *moved = (Lane3){ zero, zero, zero };
        return load_row(job->sections->places, row);
    }
    Lane3 p = gather(job->rest.positions, vertices);
    *moved = move(&frame->model_from_mesh, p);
    return move(&frame->box_from_mesh, p);
}

INLINE Lane3 into_box(Lane3 p)
{
    Lane low = lane_set(-1.0f);
    Lane high = lane_set(1.0f);
    return (Lane3){ lane_min(lane_max(p.x, low), high), lane_min(lane_max(p.y, low), high),
                    lane_min(lane_max(p.z, low), high) };
}

// The first pose of a block.
INLINE size_t first_pose(const GtiSectionJob* job, const GtiSectionFrame* frame, int32_t k, size_t block)
{
    return job->sections->first_poses[job->cell->first_bind + (size_t)k] + block * (size_t)frame->pose_count;
}

// Three rows of all poses, weighted; `step` rows from one pose to the next.
INLINE Lane3 add_poses(const GtiSectionFrame* frame, const float* rows, const size_t step)
{
    Lane3 sum = { _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps() };
    for (int32_t p = 0; p < frame->pose_count; ++p, rows += step * BLOCK) {
        Lane weight = lane_set(frame->pose_weights[p]);
        sum.x = lane_mul_add(weight, lane_load(rows), sum.x);
        sum.y = lane_mul_add(weight, lane_load(rows + BLOCK), sum.y);
        sum.z = lane_mul_add(weight, lane_load(rows + 2 * (size_t)BLOCK), sum.z);
    }
    return sum;
}

// Where poses take a block.
INLINE Lane3 pose_block(const GtiSectionJob* job, const GtiSectionFrame* frame, int32_t k, size_t block, Lane3 moved)
{
    size_t pose = first_pose(job, frame, k, block);
    Lane3 d = add_poses(frame, &job->sections->pose_shifts[pose * GTI_SHIFT_ROWS * BLOCK], GTI_SHIFT_ROWS);
    const float(*m)[4] = frame->model_from_space.m;
    return (Lane3){
        lane_mul_add(lane_set(m[0][0]), d.x,
                     lane_mul_add(lane_set(m[0][1]), d.y, lane_mul_add(lane_set(m[0][2]), d.z, moved.x))),
        lane_mul_add(lane_set(m[1][0]), d.x,
                     lane_mul_add(lane_set(m[1][1]), d.y, lane_mul_add(lane_set(m[1][2]), d.z, moved.y))),
        lane_mul_add(lane_set(m[2][0]), d.x,
                     lane_mul_add(lane_set(m[2][1]), d.y, lane_mul_add(lane_set(m[2][2]), d.z, moved.z))),
    };
}

// One coordinate of two blocks: sum + share * (what the section makes of it - posed).
INLINE Two blend_pair(const GtiSectionFrame* frame, int c, Two s, Two t, Two square, Two u, Two own, Two posed,
                      Two share, Two sum)
{
    if (frame->folded) {
        own = eval(frame->powers[c], s, t, square, u);
    } else if (!frame->at_rest) {
        Two shift = eval(frame->powers[c], s, t, square, u);
        own = (Two){ lane_add(own.a, shift.a), lane_add(own.b, shift.b) };
    }
    return two_add(share, (Two){ lane_sub(own.a, posed.a), lane_sub(own.b, posed.b) }, sum);
}

static void move_pair(const GtiSectionJob* job, size_t block_a, size_t block_b)
{
    const uint32_t* a = &job->sections->vertices[(job->cell->first_block + block_a) * BLOCK];
    const uint32_t* b = &job->sections->vertices[(job->cell->first_block + block_b) * BLOCK];
    size_t row_a = job->cell->first_row + block_a * (size_t)job->cell->bind_count;
    size_t row_b = job->cell->first_row + block_b * (size_t)job->cell->bind_count;
    const Lane3 posed_a = gather(job->out.positions, a);
    const Lane3 posed_b = gather(job->out.positions, b);
    Two x = { posed_a.x, posed_b.x };
    Two y = { posed_a.y, posed_b.y };
    Two z = { posed_a.z, posed_b.z };
    for (int32_t k = 0; k < job->cell->bind_count; ++k, ++row_a, ++row_b) {
        const GtiSectionFrame* frame = &job->frames[job->sections->binds[job->cell->first_bind + (size_t)k]];
        if (frame->blend == 0.0f) {
            continue;
        }
        Lane3 own_a;
        Lane3 own_b;
        Lane3 place_a = place_block(job, frame, a, row_a, &own_a);
        Lane3 place_b = place_block(job, frame, b, row_b, &own_b);
        if (!frame->folded) {
            place_a = into_box(place_a);
            place_b = into_box(place_b);
        }
        if (frame->posed) {
            own_a = pose_block(job, frame, k, block_a, own_a);
            own_b = pose_block(job, frame, k, block_b, own_b);
        }
        Two s = { place_a.x, place_b.x };
        Two t = { place_a.y, place_b.y };
        Two u = { place_a.z, place_b.z };
        Two square = { lane_mul(t.a, t.a), lane_mul(t.b, t.b) };
        Lane blend = lane_set(frame->blend);
        Two share = { lane_mul(blend, lane_load(&job->sections->masks[row_a * BLOCK])),
                      lane_mul(blend, lane_load(&job->sections->masks[row_b * BLOCK])) };
        x = blend_pair(frame, 0, s, t, square, u, (Two){ own_a.x, own_b.x }, (Two){ posed_a.x, posed_b.x }, share, x);
        y = blend_pair(frame, 1, s, t, square, u, (Two){ own_a.y, own_b.y }, (Two){ posed_a.y, posed_b.y }, share, y);
        z = blend_pair(frame, 2, s, t, square, u, (Two){ own_a.z, own_b.z }, (Two){ posed_a.z, posed_b.z }, share, z);
    }
    scatter(job->out.positions, a, (Lane3){ x.a, y.a, z.a });
    scatter(job->out.positions, b, (Lane3){ x.b, y.b, z.b });
}

// A block of a cell of which no lattice is evaluated.
static void move_block(const GtiSectionJob* job, size_t block)
{
    const uint32_t* vertices = &job->sections->vertices[(job->cell->first_block + block) * BLOCK];
    size_t row = job->cell->first_row + block * (size_t)job->cell->bind_count;
    const Lane3 posed = gather(job->out.positions, vertices);
    const Lane3 rest = gather(job->rest.positions, vertices);
    Lane3 sum = posed;
    for (int32_t k = 0; k < job->cell->bind_count; ++k, ++row) {
        const GtiSectionFrame* frame = &job->frames[job->sections->binds[job->cell->first_bind + (size_t)k]];
        if (frame->blend == 0.0f) {
            continue;
        }
        Lane3 own = move(&frame->model_from_mesh, rest);
        if (frame->posed) {
            own = pose_block(job, frame, k, block, own);
        }
        Lane share = lane_mul(lane_set(frame->blend), lane_load(&job->sections->masks[row * BLOCK]));
        sum.x = lane_mul_add(share, lane_sub(own.x, posed.x), sum.x);
        sum.y = lane_mul_add(share, lane_sub(own.y, posed.y), sum.y);
        sum.z = lane_mul_add(share, lane_sub(own.z, posed.z), sum.z);
    }
    scatter(job->out.positions, vertices, sum);
}

// The linear skin's matrices at vertices.
INLINE void blend_matrices(const GtiSectionJob* job, const uint32_t* vertices, const size_t count, float* out)
{
    const GtMeshDef* mesh = job->step->mesh;
    const GtMat34* matrices = job->step->mover_scratch;
    for (int v = 0; v < BLOCK; ++v) {
        const uint16_t* joints = &mesh->joints[vertices[v] * count];
        const float* weights = &mesh->weights[vertices[v] * count];
        Twelve sum = twelve_scale(matrices[joints[0]].m[0], lane_set(weights[0]));
        for (size_t k = 1; k < count; ++k) {
            sum = twelve_add(sum, matrices[joints[k]].m[0], lane_set(weights[k]));
        }
        twelve_store(out + v * TWELVE_STEP, sum);
    }
}

INLINE Lane33 skin_slopes(const GtiSectionJob* job, const uint32_t* vertices)
{
    _Alignas(32) GtMat34 matrices[BLOCK];
    if (job->step->mover == &gti_skin_linear && job->step->mesh->influence_count == 4) {
        blend_matrices(job, vertices, 4, matrices[0].m[0]);
    } else if (job->step->mover == &gti_skin_linear) {
        blend_matrices(job, vertices, (size_t)job->step->mesh->influence_count, matrices[0].m[0]);
    } else {
        job->slopes(job->step, vertices, BLOCK, matrices);
    }
    Lane33 skin;
    for (int row = 0; row < 3; ++row) {
        Lane columns[4];
        load_rows(matrices[0].m[row], sizeof *matrices / sizeof(float), columns);
        skin.row[row] = (Lane3){ columns[0], columns[1], columns[2] };
    }
    return skin;
}

INLINE Lane3 spread(const float v[3])
{
    return (Lane3){ lane_set(v[0]), lane_set(v[1]), lane_set(v[2]) };
}

// a + scale b
INLINE Lane3 add_scaled(Lane3 a, Lane scale, Lane3 b)
{
    return (Lane3){ lane_mul_add(scale, b.x, a.x), lane_mul_add(scale, b.y, a.y), lane_mul_add(scale, b.z, a.z) };
}

// What goes into each of the three coordinates of a block.
typedef struct Felt {
    Lane33 slopes;  // of poses
    Lane3 place;    // in the box
    Lane3 inside;   // all bits of each where its place was
    Lane3 gradient; // of the share
    Lane share;
} Felt;

// One coordinate of a block and the row of derivatives that goes with it: both of the whole so far.
typedef struct Coordinate {
    Lane value;
    Lane3 row;
} Coordinate;

// Add share * (what the section makes of it - what the skin did), and the derivatives of that.
INLINE Coordinate blend_one(const GtiSectionFrame* frame, int c, const Felt* felt, Lane own, Lane posed, Lane3 skin,
                            Coordinate sum, const bool evaluated)
{
    Lane3 row = { _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps() };
    if (!frame->folded) {
        row = spread(frame->model_from_mesh.m[c]);
    }
    if (frame->posed) {
        for (int i = 0; i < 3; ++i) {
            row = add_scaled(row, lane_set(frame->model_from_space.m[c][i]), felt->slopes.row[i]);
        }
    } else if (evaluated && !frame->at_rest) {
        Slopes d = eval_slopes(frame->powers[c], felt->place);
        own = frame->folded ? d.value : lane_add(own, d.value);
        row = add_scaled(row, _mm256_and_ps(d.s, felt->inside.x), spread(frame->box_from_mesh.m[0]));
        row = add_scaled(row, _mm256_and_ps(d.t, felt->inside.y), spread(frame->box_from_mesh.m[1]));
        row = add_scaled(row, _mm256_and_ps(d.u, felt->inside.z), spread(frame->box_from_mesh.m[2]));
    }
    Lane away = lane_sub(own, posed);
    row = (Lane3){ lane_sub(row.x, skin.x), lane_sub(row.y, skin.y), lane_sub(row.z, skin.z) };
    sum.value = lane_mul_add(felt->share, away, sum.value);
    sum.row = add_scaled(sum.row, away, felt->gradient);
    sum.row = add_scaled(sum.row, felt->share, row);
    return sum;
}

INLINE Lane3 is_inside(Lane3 place, Lane3 moved)
{
    return (Lane3){ _mm256_cmp_ps(place.x, moved.x, _CMP_EQ_OQ), _mm256_cmp_ps(place.y, moved.y, _CMP_EQ_OQ),
                    _mm256_cmp_ps(place.z, moved.z, _CMP_EQ_OQ) };
}

// evaluated: some lattice of the cell is
INLINE void turn(const GtiSectionJob* job, size_t block, const bool evaluated)
{
    const uint32_t* vertices = &job->sections->vertices[(job->cell->first_block + block) * BLOCK];
    size_t row = job->cell->first_row + block * (size_t)job->cell->bind_count;
    const Lane3 posed = gather(job->out.positions, vertices);
    const Lane33 skin = skin_slopes(job, vertices);
    Coordinate x = { posed.x, skin.row[0] };
    Coordinate y = { posed.y, skin.row[1] };
    Coordinate z = { posed.z, skin.row[2] };
    for (int32_t k = 0; k < job->cell->bind_count; ++k, ++row) {
        const GtiSectionFrame* frame = &job->frames[job->sections->binds[job->cell->first_bind + (size_t)k]];
        if (frame->blend == 0.0f) {
            continue;
        }
        Lane3 own;
        Felt felt; // whole, it would be cleared first
        if (evaluated) {
            Lane3 place = place_block(job, frame, vertices, row, &own);
            felt.place = into_box(place);
            felt.inside = is_inside(place, felt.place); // beyond the box nothing changes along that axis
        } else {
            own = move(&frame->model_from_mesh, gather(job->rest.positions, vertices));
        }
        Lane3 gradient = load_row(job->sections->gradients, row);
        Lane blend = lane_set(frame->blend);
        felt.gradient =
            (Lane3){ lane_mul(blend, gradient.x), lane_mul(blend, gradient.y), lane_mul(blend, gradient.z) };
        felt.share = lane_mul(blend, lane_load(&job->sections->masks[row * BLOCK]));
        if (frame->posed) {
            size_t pose = first_pose(job, frame, k, block);
            const float* rows = &job->sections->pose_slopes[pose * GTI_SLOPE_ROWS * BLOCK];
            own = pose_block(job, frame, k, block, own);
            for (size_t i = 0; i < 3; ++i) {
                felt.slopes.row[i] = add_poses(frame, rows + 3 * i * BLOCK, GTI_SLOPE_ROWS);
            }
        }
        x = blend_one(frame, 0, &felt, own.x, posed.x, skin.row[0], x, evaluated);
        y = blend_one(frame, 1, &felt, own.y, posed.y, skin.row[1], y, evaluated);
        z = blend_one(frame, 2, &felt, own.z, posed.z, skin.row[2], z, evaluated);
    }
    const Lane3 sum = { x.value, y.value, z.value };
    const Lane33 whole = { { x.row, y.row, z.row } };
    scatter(job->out.positions, vertices, sum);
    if (job->out.normals) {
        Lane3 normal = turn_normal(&whole, gather(job->rest.normals, vertices));
        scatter(job->out.normals, vertices, unit_vectors(normal));
    }
    if (job->out.tangents) {
        Lane rows[4];
        for (int i = 0; i < 4; ++i) {
            rows[i] = load_halves(&job->rest.tangents[4 * (size_t)vertices[i]],
                                  &job->rest.tangents[4 * (size_t)vertices[i + 4]]);
        }
        transpose_halves(rows);
        Lane3 turned = unit_vectors(multiply(&whole, (Lane3){ rows[0], rows[1], rows[2] }));
        rows[0] = turned.x;
        rows[1] = turned.y;
        rows[2] = turned.z;
        transpose_halves(rows);
        for (int i = 0; i < 4; ++i) {
            store_halves(&job->out.tangents[4 * (size_t)vertices[i]], &job->out.tangents[4 * (size_t)vertices[i + 4]],
                         rows[i]);
        }
    }
}

static void turn_evaluated(const GtiSectionJob* job, size_t block)
{
    turn(job, block, true);
}

static void turn_posed(const GtiSectionJob* job, size_t block)
{
    turn(job, block, false);
}

void gti_section_avx2(const GtiSectionJob* job, int32_t first, int32_t end)
{
    const GtiSectionCell* cell = job->cell;
    bool evaluated = false;
    for (int32_t k = 0; k < cell->bind_count; ++k) {
        const GtiSectionFrame* frame = &job->frames[job->sections->binds[cell->first_bind + (size_t)k]];
        if (frame->blend > 0.0f && !frame->at_rest && !frame->cubic) {
            gti_section_scalar(job, first, end);
            return;
        }
        evaluated |= frame->blend > 0.0f && frame->cubic;
    }
    if (evaluated && !job->out.normals && !job->out.tangents) {
        for (int32_t block = first; block < end; block += PAIR) { // a last one is worked on twice, side by side
            move_pair(job, (size_t)block, (size_t)(block + 1 < end ? block + 1 : block));
        }
        return;
    }
    void (*work)(const GtiSectionJob* job, size_t block) = turn_evaluated;
    if (!evaluated) {
        work = job->out.normals || job->out.tangents ? turn_posed : move_block;
    }
    for (int32_t block = first; block < end; ++block) {
        work(job, (size_t)block);
    }
}

#else
typedef int gti_no_section_avx2; // a file must hold something
#endif

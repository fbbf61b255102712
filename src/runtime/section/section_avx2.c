// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Sections in AVX2 and FMA, a block of eight vertices or two at a time. A lattice of up to four control points a side
// is a polynomial. Positions alone take two blocks at once, so that a coefficient that has been fetched serves sixteen
// vertices. Over a linear skin, sections blend its matrices themselves, joint by joint for all vertices of a block: the
// skin need not run, and its derivatives are at hand. Cells with lattices of other kinds go to the plain kernel.

#include "runtime/section/powers_avx2.h"

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

INLINE void store_three(GtVec3* to, __m128 v)
{
    _mm_storel_pi((__m64*)&to->x, v);
    _mm_store_ss(&to->z, _mm_movehl_ps(v, v));
}

INLINE void scatter(GtVec3* to, const uint32_t* vertices, Lane3 v)
{
    if (in_line(vertices)) {
        store_vectors(&to[vertices[0]].x, v);
        return;
    }
    Lane rows[4] = { v.x, v.y, v.z, v.z };
    transpose_halves(rows);
    for (int i = 0; i < 4; ++i) {
        store_three(&to[vertices[i]], _mm256_castps256_ps128(rows[i]));
        store_three(&to[vertices[i + 4]], _mm256_extractf128_ps(rows[i], 1));
    }
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

INLINE const uint32_t* vertices_of(const GtiSectionJob* job, size_t block)
{
    return &job->sections->vertices[(job->cell->first_block + block) * BLOCK];
}

INLINE const GtiSectionFrame* frame_of(const GtiSectionJob* job, int32_t k)
{
    return &job->frames[job->sections->binds[job->cell->first_bind + (size_t)k]];
}

// Joints and weights of a block in the skin.
typedef struct Influences {
    const uint16_t* joints;
    const uint16_t* end;
    const float* weights; // of a joint for the block, then the next one's a row on
} Influences;

enum {
    PAIR = GTI_SECTION_PAIR,
    WEIGHT_ROW = PAIR * BLOCK,
    GROUP = 4 // blocks in flight
};

INLINE Influences influences_of(const GtiSectionJob* job, size_t block)
{
    const GtiSectionSkin* skin = &job->sections->skin;
    size_t pair = job->cell->first_pair + block / PAIR;
    size_t first = pair ? skin->pair_ends[pair - 1] : 0;
    return (Influences){ skin->joints + first, skin->joints + skin->pair_ends[pair],
                         &skin->weights[first * WEIGHT_ROW + block % PAIR * BLOCK] };
}

// The positions alone of two blocks of a pair, or of one twice: what joints make of them, weighted.
INLINE void skin_pair(const GtiSectionJob* job, size_t block_a, size_t block_b, const bool skins, Lane3* out_a,
                      Lane3* out_b)
{
    if (!skins) {
        *out_a = gather(job->out.positions, vertices_of(job, block_a));
        *out_b = gather(job->out.positions, vertices_of(job, block_b));
        return;
    }
    const GtMat34* matrices = job->step->mover_scratch;
    const Lane3 a = gather(job->rest.positions, vertices_of(job, block_a));
    const Lane3 b = gather(job->rest.positions, vertices_of(job, block_b));
    Influences in = influences_of(job, block_a);
    size_t to_b = (block_b - block_a) * BLOCK;
    Two sum[3] = { two_set(0.0f), two_set(0.0f), two_set(0.0f) };
    for (; in.joints < in.end; ++in.joints, in.weights += WEIGHT_ROW) {
        const float(*joint)[4] = matrices[*in.joints].m;
        Two weight = { lane_load(in.weights), lane_load(in.weights + to_b) };
        for (int i = 0; i < 3; ++i) {
            Two moved = two_add(two_set(joint[i][2]), (Two){ a.z, b.z }, two_set(joint[i][3]));
            moved = two_add(two_set(joint[i][1]), (Two){ a.y, b.y }, moved);
            moved = two_add(two_set(joint[i][0]), (Two){ a.x, b.x }, moved);
            sum[i] = two_add(weight, moved, sum[i]);
        }
    }
    *out_a = (Lane3){ sum[0].a, sum[1].a, sum[2].a };
    *out_b = (Lane3){ sum[0].b, sum[1].b, sum[2].b };
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

INLINE void move_pair(const GtiSectionJob* job, size_t block_a, size_t block_b, const bool skins)
{
    const uint32_t* a = vertices_of(job, block_a);
    const uint32_t* b = vertices_of(job, block_b);
    size_t row_a = job->cell->first_row + block_a * (size_t)job->cell->bind_count;
    size_t row_b = job->cell->first_row + block_b * (size_t)job->cell->bind_count;
    Lane3 posed_a;
    Lane3 posed_b;
    skin_pair(job, block_a, block_b, skins, &posed_a, &posed_b);
    Two x = { posed_a.x, posed_b.x };
    Two y = { posed_a.y, posed_b.y };
    Two z = { posed_a.z, posed_b.z };
    for (int32_t k = 0; k < job->cell->bind_count; ++k, ++row_a, ++row_b) {
        const GtiSectionFrame* frame = frame_of(job, k);
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
INLINE void move_block(const GtiSectionJob* job, size_t block, const bool skins)
{
    const uint32_t* vertices = vertices_of(job, block);
    size_t row = job->cell->first_row + block * (size_t)job->cell->bind_count;
    Lane3 posed;
    Lane3 same;
    skin_pair(job, block, block, skins, &posed, &same);
    const Lane3 rest = gather(job->rest.positions, vertices);
    Lane3 sum = posed;
    for (int32_t k = 0; k < job->cell->bind_count; ++k, ++row) {
        const GtiSectionFrame* frame = frame_of(job, k);
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

// What goes into each of the three coordinates of a block.
typedef struct Felt {
    Lane33 slopes;  // of poses
    Lane3 place;    // in the box
    Lane3 inside;   // all bits of each where its place was; not needed where the polynomial moves vertices too
    Lane3 gradient; // of the share
    Lane share;
} Felt;

// One coordinate of a block and the row of derivatives that goes with it.
typedef struct Coordinate {
    Lane value;
    Lane3 row;
} Coordinate;

// A block as the skin alone would have it: blended here, or as it has run.
INLINE void skin_block(const GtiSectionJob* job, size_t block, const bool skins, Coordinate out[3])
{
    if (!skins) {
        _Alignas(32) GtMat34 matrices[BLOCK];
        Lane3 posed = gather(job->out.positions, vertices_of(job, block));
        job->slopes(job->step, vertices_of(job, block), BLOCK, matrices);
        for (int i = 0; i < 3; ++i) {
            Lane row[4];
            load_rows(matrices[0].m[i], TWELVE_STEP, row);
            out[i] = (Coordinate){ i == 0 ? posed.x : i == 1 ? posed.y : posed.z, { row[0], row[1], row[2] } };
        }
        return;
    }
    const GtMat34* joints = job->step->mover_scratch;
    Influences in = influences_of(job, block);
    Lane m[3][4];
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 4; ++k) {
            m[i][k] = _mm256_setzero_ps();
        }
    }
    for (; in.joints < in.end; ++in.joints, in.weights += WEIGHT_ROW) {
        Lane weight = lane_load(in.weights);
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 4; ++k) {
                m[i][k] = lane_mul_add(weight, lane_set(joints[*in.joints].m[i][k]), m[i][k]);
            }
        }
    }
    Lane3 p = gather(job->rest.positions, vertices_of(job, block));
    for (int i = 0; i < 3; ++i) {
        Lane posed = lane_mul_add(m[i][0], p.x, lane_mul_add(m[i][1], p.y, lane_mul_add(m[i][2], p.z, m[i][3])));
        out[i] = (Coordinate){ posed, { m[i][0], m[i][1], m[i][2] } };
    }
}

// What a section makes of it; own: where its joint takes it
INLINE Coordinate own_one(const GtiSectionFrame* frame, int c, const Felt* felt, Lane own, const bool evaluated)
{
    if (evaluated && frame->folded) {
        Slopes d = eval_slopes(frame->powers[c], felt->place);
        Lane3 row = scaled(d.s, spread(frame->box_from_mesh.m[0]));
        row = add_scaled(row, d.t, spread(frame->box_from_mesh.m[1]));
        return (Coordinate){ d.value, add_scaled(row, d.u, spread(frame->box_from_mesh.m[2])) };
    }
    Coordinate out = { own, spread(frame->model_from_mesh.m[c]) };
    if (frame->posed) {
        for (int i = 0; i < 3; ++i) {
            out.row = add_scaled(out.row, lane_set(frame->model_from_space.m[c][i]), felt->slopes.row[i]);
        }
    } else if (evaluated && !frame->at_rest) {
        Slopes d = eval_slopes(frame->powers[c], felt->place);
        out.value = lane_add(own, d.value);
        out.row = add_scaled(out.row, _mm256_and_ps(d.s, felt->inside.x), spread(frame->box_from_mesh.m[0]));
        out.row = add_scaled(out.row, _mm256_and_ps(d.t, felt->inside.y), spread(frame->box_from_mesh.m[1]));
        out.row = add_scaled(out.row, _mm256_and_ps(d.u, felt->inside.z), spread(frame->box_from_mesh.m[2]));
    }
    return out;
}

// Add share * (what the section makes of it - what the skin did), and the derivatives of that.
INLINE void blend_one(const GtiSectionFrame* frame, int c, const Felt* felt, Lane own, const Coordinate* skin,
                      Coordinate* sum, const bool evaluated)
{
    Coordinate made = own_one(frame, c, felt, own, evaluated);
    Lane away = lane_sub(made.value, skin->value);
    Lane3 row = { lane_sub(made.row.x, skin->row.x), lane_sub(made.row.y, skin->row.y),
                  lane_sub(made.row.z, skin->row.z) };
    sum->value = lane_mul_add(felt->share, away, sum->value);
    sum->row = add_scaled(add_scaled(sum->row, away, felt->gradient), felt->share, row);
}

INLINE Lane3 is_inside(Lane3 place, Lane3 moved)
{
    return (Lane3){ _mm256_cmp_ps(place.x, moved.x, _CMP_EQ_OQ), _mm256_cmp_ps(place.y, moved.y, _CMP_EQ_OQ),
                    _mm256_cmp_ps(place.z, moved.z, _CMP_EQ_OQ) };
}

// What all sections of a cell make of a block; evaluated: some lattice of the cell is
INLINE void turn(const GtiSectionJob* job, size_t block, const bool evaluated, const Coordinate skin[3],
                 Coordinate sum[3])
{
    const uint32_t* vertices = vertices_of(job, block);
    size_t row = job->cell->first_row + block * (size_t)job->cell->bind_count;
    for (int c = 0; c < 3; ++c) {
        sum[c] = skin[c];
    }
    for (int32_t k = 0; k < job->cell->bind_count; ++k, ++row) {
        const GtiSectionFrame* frame = frame_of(job, k);
        if (frame->blend == 0.0f) {
            continue;
        }
        Lane3 own;
        Felt felt; // whole, it would be cleared first
        if (evaluated) {
            Lane3 place = place_block(job, frame, vertices, row, &own);
            felt.place = frame->folded ? place : into_box(place);
            felt.inside = is_inside(place, felt.place); // beyond the box nothing changes along that axis
        } else {
            own = move(&frame->model_from_mesh, gather(job->rest.positions, vertices));
        }
        Lane blend = lane_set(frame->blend);
        felt.gradient = scaled(blend, load_row(job->sections->gradients, row));
        felt.share = lane_mul(blend, lane_load(&job->sections->masks[row * BLOCK]));
        if (frame->posed) {
            size_t pose = first_pose(job, frame, k, block);
            const float* rows = &job->sections->pose_slopes[pose * GTI_SLOPE_ROWS * BLOCK];
            own = pose_block(job, frame, k, block, own);
            for (size_t i = 0; i < 3; ++i) {
                felt.slopes.row[i] = add_poses(frame, rows + 3 * i * BLOCK, GTI_SLOPE_ROWS);
            }
        }
        blend_one(frame, 0, &felt, own.x, &skin[0], &sum[0], evaluated);
        blend_one(frame, 1, &felt, own.y, &skin[1], &sum[1], evaluated);
        blend_one(frame, 2, &felt, own.z, &skin[2], &sum[2], evaluated);
    }
}

INLINE void write_turned(const GtiSectionJob* job, size_t block, const Coordinate sum[3])
{
    const uint32_t* vertices = vertices_of(job, block);
    const Lane33 whole = { { sum[0].row, sum[1].row, sum[2].row } };
    scatter(job->out.positions, vertices, (Lane3){ sum[0].value, sum[1].value, sum[2].value });
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

// Blocks go through three steps a few at a time, so that the long waits of one block's step are filled by the next
// block's.
INLINE void turn_blocks(const GtiSectionJob* job, size_t first, size_t end, const bool evaluated, const bool skins)
{
    for (size_t block = first; block < end; block += GROUP) {
        Coordinate skin[GROUP][3];
        Coordinate sum[GROUP][3];
        size_t count = end - block < GROUP ? end - block : GROUP;
        for (size_t i = 0; i < count; ++i) {
            skin_block(job, block + i, skins, skin[i]);
        }
        for (size_t i = 0; i < count; ++i) {
            turn(job, block + i, evaluated, skin[i], sum[i]);
        }
        for (size_t i = 0; i < count; ++i) {
            write_turned(job, block + i, sum[i]);
        }
    }
}

// From block `first` on.
INLINE void run(const GtiSectionJob* job, size_t first, size_t end, const bool skins)
{
    bool evaluated = false;
    for (int32_t k = 0; k < job->cell->bind_count; ++k) {
        evaluated |= frame_of(job, k)->blend > 0.0f && frame_of(job, k)->cubic;
    }
    bool turns = job->out.normals || job->out.tangents;
    if (evaluated && !turns) {
        for (size_t block = first, twin = 0; block < end; block = twin + 1) { // one alone is its own twin
            twin = block % PAIR == 0 && block + 1 < end ? block + 1 : block;
            move_pair(job, block, twin, skins);
        }
        return;
    }
    if (turns && evaluated) {
        turn_blocks(job, first, end, true, skins);
    } else if (turns) {
        turn_blocks(job, first, end, false, skins);
    } else {
        for (size_t block = first; block < end; ++block) {
            move_block(job, block, skins);
        }
    }
}

void gti_section_avx2(const GtiSectionJob* job, int32_t first, int32_t end)
{
    for (int32_t k = 0; k < job->cell->bind_count; ++k) {
        const GtiSectionFrame* frame = frame_of(job, k);
        if (frame->blend > 0.0f && !frame->at_rest && !frame->cubic) {
            gti_section_scalar(job, first, end);
            return;
        }
    }
    if (job->skins) {
        run(job, (size_t)first, (size_t)end, true);
    } else {
        run(job, (size_t)first, (size_t)end, false);
    }
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Free-standing sections in AVX2 and FMA, eight vertices at a time, positions alone sixteen. Blocks that are outside
// cost a matrix. Lattices that are not one polynomial go to the plain kernel, and so do the last vertices.

#include "runtime/section/powers_avx2.h"

// A block in the box.
typedef struct Place {
    Lane3 at; // from -1 to 1
    LaneMask inside;
    Lane share;     // that is felt
    Lane3 gradient; // of that, along the box's axes
} Place;

// How much is felt along an axis, and its derivative: a step of degree 5 over the border.
typedef struct Fade {
    Lane value;
    Lane slope;
} Fade;

INLINE Lane absolute(Lane a)
{
    return _mm256_andnot_ps(lane_set(-0.0f), a);
}

INLINE Fade fade(Lane x, float border)
{
    Lane one = lane_set(1.0f);
    Lane inverse = lane_set(border > 0.0f ? 1.0f / border : 0.0f);
    Lane depth = lane_mul(lane_set(0.5f), lane_sub(one, absolute(x)));
    Lane r = lane_select(lane_greater(lane_set(border), depth), lane_mul(depth, inverse), one);
    Lane square = lane_mul(r, r);
    Lane left = lane_sub(r, one);
    Lane inner = lane_mul_add(r, lane_mul_add(lane_set(6.0f), r, lane_set(-15.0f)), lane_set(10.0f));
    Lane slope = lane_mul(lane_mul(lane_set(15.0f), inverse), lane_mul(square, lane_mul(left, left)));
    return (Fade){ lane_mul(lane_mul(square, r), inner), lane_negate(lane_greater(x, lane_set(0.0f)), slope) };
}

INLINE LaneMask within_one(Lane x)
{
    return _mm256_cmp_ps(absolute(x), lane_set(1.0f), _CMP_LE_OQ);
}

INLINE LaneMask find_inside(Lane3 x)
{
    return _mm256_and_ps(within_one(x.x), _mm256_and_ps(within_one(x.y), within_one(x.z)));
}

INLINE Place find_place(const GtiFreeSectionJob* job, Lane3 x, LaneMask inside)
{
    Place out;
    out.inside = inside;
    out.at = into_box(x);
    Fade s = fade(out.at.x, job->border);
    Fade t = fade(out.at.y, job->border);
    Fade u = fade(out.at.z, job->border);
    Lane blend = lane_set(job->frame->blend);
    s = (Fade){ lane_mul(blend, s.value), lane_mul(blend, s.slope) };
    Lane both = lane_mul(s.value, t.value);
    out.share = lane_mul(both, u.value);
    out.gradient = (Lane3){ lane_mul(s.slope, lane_mul(t.value, u.value)),
                            lane_mul(t.slope, lane_mul(s.value, u.value)), lane_mul(u.slope, both) };
    return out;
}

INLINE Lane3 choose(LaneMask mask, Lane3 yes, Lane3 no)
{
    return (Lane3){ lane_select(mask, yes.x, no.x), lane_select(mask, yes.y, no.y), lane_select(mask, yes.z, no.z) };
}

static void move_pair(const GtiFreeSectionJob* job, size_t first)
{
    GtVec3* positions = &job->out.positions[first];
    Lane3 a = load_vectors(&positions[0].x);
    Lane3 b = load_vectors(&positions[BLOCK].x);
    Lane3 box_a = move(&job->frame->box_from_mesh, a);
    Lane3 box_b = move(&job->frame->box_from_mesh, b);
    LaneMask inside_a = find_inside(box_a);
    LaneMask inside_b = find_inside(box_b);
    if (lane_empty(_mm256_or_ps(inside_a, inside_b))) {
        return;
    }
    Place at_a = find_place(job, box_a, inside_a);
    Place at_b = find_place(job, box_b, inside_b);
    Two s = { at_a.at.x, at_b.at.x };
    Two t = { at_a.at.y, at_b.at.y };
    Two u = { at_a.at.z, at_b.at.z };
    Two square = { lane_mul(t.a, t.a), lane_mul(t.b, t.b) };
    Two x = eval(job->frame->powers[0], s, t, square, u);
    Two y = eval(job->frame->powers[1], s, t, square, u);
    Two z = eval(job->frame->powers[2], s, t, square, u);
    store_vectors(&positions[0].x, choose(at_a.inside, add_scaled(a, at_a.share, (Lane3){ x.a, y.a, z.a }), a));
    store_vectors(&positions[BLOCK].x, choose(at_b.inside, add_scaled(b, at_b.share, (Lane3){ x.b, y.b, z.b }), b));
}

// One coordinate: the displacement, and the row of derivatives of where it takes a vertex.
INLINE Lane turn_one(const GtiFreeSectionJob* job, int c, const Place* place, Lane3* row)
{
    const GtMat34* box = &job->frame->box_from_mesh;
    Slopes d = eval_slopes(job->frame->powers[c], place->at);
    Lane s = lane_mul_add(place->share, d.s, lane_mul(d.value, place->gradient.x));
    Lane t = lane_mul_add(place->share, d.t, lane_mul(d.value, place->gradient.y));
    Lane u = lane_mul_add(place->share, d.u, lane_mul(d.value, place->gradient.z));
    *row = (Lane3){ lane_set(c == 0), lane_set(c == 1), lane_set(c == 2) };
    *row = add_scaled(*row, s, spread(box->m[0]));
    *row = add_scaled(*row, t, spread(box->m[1]));
    *row = add_scaled(*row, u, spread(box->m[2]));
    return d.value;
}

static void turn_block(const GtiFreeSectionJob* job, size_t first)
{
    float* positions = &job->out.positions[first].x;
    Lane3 p = load_vectors(positions);
    Lane3 box = move(&job->frame->box_from_mesh, p);
    LaneMask inside = find_inside(box);
    if (lane_empty(inside)) {
        return;
    }
    Place place = find_place(job, box, inside);
    Lane33 whole;
    Lane x = turn_one(job, 0, &place, &whole.row[0]);
    Lane y = turn_one(job, 1, &place, &whole.row[1]);
    Lane z = turn_one(job, 2, &place, &whole.row[2]);
    store_vectors(positions, choose(place.inside, add_scaled(p, place.share, (Lane3){ x, y, z }), p));
    if (job->out.normals) {
        Lane3 n = load_vectors(&job->out.normals[first].x);
        store_vectors(&job->out.normals[first].x, choose(place.inside, unit_vectors(turn_normal(&whole, n)), n));
    }
    if (job->out.tangents) {
        Lane rows[4];
        load_rows(&job->out.tangents[4 * first], 4, rows);
        Lane3 old = { rows[0], rows[1], rows[2] };
        Lane3 turned = choose(place.inside, unit_vectors(multiply(&whole, old)), old);
        store_rows(&job->out.tangents[4 * first], 4, (Lane[4]){ turned.x, turned.y, turned.z, rows[3] });
    }
}

void gti_free_section_avx2(const GtiFreeSectionJob* job, int32_t first, int32_t end)
{
    bool turns = job->out.normals || job->out.tangents;
    int32_t step = turns ? BLOCK : 2 * BLOCK;
    int32_t v = first;
    for (; job->frame->cubic && end - v >= step; v += step) {
        if (turns) {
            turn_block(job, (size_t)v);
        } else {
            move_pair(job, (size_t)v);
        }
    }
    gti_free_section_scalar(job, v, end);
}

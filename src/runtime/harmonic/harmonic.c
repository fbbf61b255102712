// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How a frame, or a batch of them, goes through the pieces: the top spreads its rotations first; each piece then takes
// those of its border, spreads, turns its triangles and gathers, and hands what reaches its border up; the top settles;
// each piece settles below it. What pieces hand up is added in their order, so that threads change no digit.

#include "runtime/harmonic/harmonic.h"

#include "base/fail.h"
#include "runtime/harmonic/write.h"
#include "runtime/kernels.h"

#include <math.h>
#include <string.h>

static const float most_twist_rad = 1e5f; // beyond, a float says nothing about the angle

// Arrays of one run, in the caller's scratch.
typedef struct Run {
    const GtHarmonic* harmonic;
    const GtiHarmonicCut* cut;
    const GtiHarmonicKernels* kernels;
    float* markers;   // [marker_count] quaternions and angles
    float* top_turns; // of the top's slots
    float* turns;     // of one piece, or of all
    float* points;    // [slot_count]
    float* spares;    // [widest], or [slot_count]
    bool shared;      // pieces run side by side, each with its own part of turns and spares
    int32_t group_count;
} Run;

static size_t padded(size_t size)
{
    return (size + GT_ALIGNMENT - 1) & ~(size_t)(GT_ALIGNMENT - 1);
}

static const GtiHarmonicPiece* top_of(const GtiHarmonicCut* cut)
{
    return &cut->pieces[cut->piece_count - 1];
}

// Lay the arrays of a run out from `scratch` on, which may be NULL; the bytes they take.
static size_t lay_out(Run* run, char* scratch)
{
    const GtHarmonic* harmonic = run->harmonic;
    const GtiHarmonicCut* cut = run->cut;
    size_t turn = (size_t)run->kernels->turn_size * sizeof(float);
    size_t point = (size_t)run->kernels->point_size * sizeof(float);
    size_t piece_slots = (size_t)(run->shared ? top_of(cut)->slot : cut->largest_slot_count);
    size_t spare_count = (size_t)(run->shared ? cut->slot_count : harmonic->widest);
    const size_t sizes[] = {
        turn * (size_t)harmonic->marker_count,
        turn * (size_t)top_of(cut)->vertex_count,
        turn * piece_slots,
        point * (size_t)cut->slot_count,
        point * spare_count,
    };
    float** const arrays[] = { &run->markers, &run->top_turns, &run->turns, &run->points, &run->spares };
    size_t used = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        *arrays[i] = scratch ? (float*)(void*)(scratch + used) : NULL;
        used += padded(sizes[i]);
    }
    return used;
}

static Run batch_run(const GtHarmonic* harmonic)
{
    return (Run){ .harmonic = harmonic, .cut = &harmonic->batch_cut, .kernels = gti_kernels()->harmonic_batch };
}

static Run live_run(const GtHarmonic* harmonic)
{
    return (Run){ .harmonic = harmonic,
                  .cut = &harmonic->live_cut,
                  .kernels = gti_kernels()->harmonic_live,
                  .shared = true,
                  .group_count = 1 };
}

static GtiHarmonicJob job_of(const Run* run, int32_t index)
{
    const GtiHarmonicPiece* piece = &run->cut->pieces[index];
    bool top = index == run->cut->piece_count - 1;
    size_t slot = (size_t)piece->slot;
    return (GtiHarmonicJob){
        .harmonic = run->harmonic,
        .cut = run->cut,
        .piece = piece,
        .markers = run->markers,
        .turns = top           ? run->top_turns
                 : run->shared ? &run->turns[slot * (size_t)run->kernels->turn_size]
                               : run->turns,
        .points = &run->points[slot * (size_t)run->kernels->point_size],
        .spare = &run->spares[(run->shared ? slot : 0) * (size_t)run->kernels->point_size],
        .group_count = run->group_count,
    };
}

// Copy from the top's slots to the piece's border.
static void take_border(const Run* run, const GtiHarmonicPiece* piece, const float* top, float* own, size_t size)
{
    for (int32_t i = 0; i < piece->border_count; ++i) {
        memcpy(&own[(size_t)(piece->vertex_count + i) * size],
               &top[(size_t)run->cut->borders[piece->border + i] * size], size * sizeof *own);
    }
}

// Make the right side of a piece's vertices, and of its border.
static void turn_piece(const Run* run, int32_t index)
{
    GtiHarmonicJob job = job_of(run, index);
    take_border(run, job.piece, run->top_turns, job.turns, (size_t)run->kernels->turn_size);
    run->kernels->spread(&job);
    size_t slots = (size_t)(job.piece->vertex_count + job.piece->border_count);
    memset(job.points, 0, slots * (size_t)run->kernels->point_size * sizeof *job.points);
    if (run->harmonic->has_axes) {
        run->kernels->twist(&job);
    }
    run->kernels->turn(&job);
}

static void rise_piece(const Run* run, int32_t index)
{
    GtiHarmonicJob job = job_of(run, index);
    turn_piece(run, index);
    run->kernels->gather(&job);
}

static void hand_up(const Run* run, int32_t index)
{
    GtiHarmonicJob job = job_of(run, index);
    size_t size = (size_t)run->kernels->point_size;
    float* top = job_of(run, run->cut->piece_count - 1).points;
    for (int32_t i = 0; i < job.piece->border_count; ++i) {
        const float* from = &job.points[(size_t)(job.piece->vertex_count + i) * size];
        float* to = &top[(size_t)run->cut->borders[job.piece->border + i] * size];
        for (size_t k = 0; k < size; ++k) {
            to[k] += from[k];
        }
    }
}

static void settle_piece(const Run* run, int32_t index)
{
    GtiHarmonicJob job = job_of(run, index);
    const float* top = job_of(run, run->cut->piece_count - 1).points;
    take_border(run, job.piece, top, job.points, (size_t)run->kernels->point_size);
    run->kernels->settle(&job);
}

static void rise_pieces(void* data, int32_t first, int32_t end)
{
    for (int32_t i = first; i < end; ++i) {
        rise_piece(data, i);
    }
}

static void settle_pieces(void* data, int32_t first, int32_t end)
{
    for (int32_t i = first; i < end; ++i) {
        settle_piece(data, i);
    }
}

static void start_top(const Run* run)
{
    GtiHarmonicJob top = job_of(run, run->cut->piece_count - 1);
    run->kernels->spread(&top);
    memset(top.points, 0, (size_t)top.piece->vertex_count * (size_t)run->kernels->point_size * sizeof *top.points);
}

static void turn_top(const Run* run)
{
    GtiHarmonicJob top = job_of(run, run->cut->piece_count - 1);
    if (run->harmonic->has_axes) { // pieces needed the angles until now
        run->kernels->twist(&top);
    }
    run->kernels->turn(&top);
}

static void settle_top(const Run* run)
{
    GtiHarmonicJob top = job_of(run, run->cut->piece_count - 1);
    turn_top(run);
    run->kernels->gather(&top);
    run->kernels->settle(&top);
}

static float twist_of(const GtHarmonic* harmonic, const GtHarmonicFrame* frame, int32_t marker)
{
    if (!harmonic->has_axes || !frame->twists || !(gt_vec3_length(harmonic->axes[marker]) > 0.0f)) {
        return 0.0f;
    }
    return fabsf(frame->twists[marker]) <= most_twist_rad ? frame->twists[marker] : 0.0f;
}

// Quaternion m of a frame without its twist, of unit length and on the side of its neighbour's; and the twist.
static void load_markers(const GtHarmonic* harmonic, const GtHarmonicFrame* frame, float* out, size_t slot, size_t step)
{
    for (int32_t i = 0; i < harmonic->marker_count; ++i) {
        int32_t m = harmonic->sign_order[i];
        int32_t parent = harmonic->sign_parents[m];
        float twist = twist_of(harmonic, frame, m);
        GtQuat q = gt_quat_normalize(frame->rotations[m]);
        if (twist != 0.0f) {
            q = gt_quat_mul(q, gt_quat_from_axis_angle(harmonic->axes[m], -twist));
        }
        float* to = &out[(size_t)m * slot];
        if (harmonic->align_signs && parent != GT_NONE) {
            const float* p = &out[(size_t)parent * slot];
            if (p[0] * q.x + p[step] * q.y + p[2 * step] * q.z + p[3 * step] * q.w < 0.0f) {
                q = gt_quat(-q.x, -q.y, -q.z, -q.w);
            }
        }
        to[0] = q.x;
        to[step] = q.y;
        to[2 * step] = q.z;
        to[3 * step] = q.w;
        to[4 * step] = twist;
    }
}

// Groups of lanes without a frame are left out; other lanes without one do the first one's again.
static void start_batch(Run* run, const GtHarmonicFrame* frames, int32_t count)
{
    int32_t group_size = run->kernels->group_size;
    run->group_count = (count + group_size - 1) / group_size;
    for (int32_t f = 0; f < run->group_count * group_size; ++f) {
        load_markers(run->harmonic, &frames[f < count ? f : 0], run->markers + f, (size_t)run->kernels->turn_size,
                     GTI_BATCH);
    }
    start_top(run);
}

static void bake_batch(Run* run, const GtHarmonicFrame* frames, int32_t count, GtiHarmonicChoose choose, void* user)
{
    int32_t pieces = run->cut->piece_count - 1;
    start_batch(run, frames, count);
    for (int32_t i = 0; i < pieces; ++i) {
        rise_piece(run, i);
        hand_up(run, i);
    }
    settle_top(run);
    settle_pieces(run, 0, pieces);
    const GtiHarmonicResult result = { run->harmonic, run->cut, run->points, frames, count, choose, user };
    gti_harmonic_write_batch(&result);
}

static void place_batch(Run* run, const GtHarmonicFrame* frames, int32_t count, GtVec3* places)
{
    int32_t pieces = run->cut->piece_count - 1;
    start_batch(run, frames, count);
    for (int32_t i = 0; i < pieces; ++i) {
        turn_piece(run, i);
        hand_up(run, i);
    }
    turn_top(run);
    const GtiHarmonicResult result = { run->harmonic, run->cut, run->points, frames, count, NULL, NULL };
    gti_harmonic_write_places(&result, places);
}

void gt_harmonic_destroy(GtHarmonic* harmonic)
{
    if (harmonic) {
        harmonic->allocator.release(harmonic->allocator.user, harmonic);
    }
}

int32_t gt_harmonic_vertex_count(const GtHarmonic* harmonic)
{
    return harmonic->vertex_count;
}

int32_t gt_harmonic_marker_count(const GtHarmonic* harmonic)
{
    return harmonic->marker_count;
}

GtVec3 gt_harmonic_anchor(const GtHarmonic* harmonic)
{
    return harmonic->handle_rests[harmonic->handle_count];
}

const int32_t* gt_harmonic_holders(const GtHarmonic* harmonic)
{
    return harmonic->holders;
}

size_t gt_harmonic_pose_scratch_size(const GtHarmonic* harmonic)
{
    Run run = live_run(harmonic);
    return lay_out(&run, NULL);
}

void gt_harmonic_pose(const GtHarmonic* harmonic, const GtHarmonicFrame* frame, const GtExecutor* executor,
                      void* scratch)
{
    GtExecutor serial = gt_serial_executor();
    executor = executor ? executor : &serial;
    Run run = live_run(harmonic);
    lay_out(&run, scratch);
    int32_t pieces = run.cut->piece_count - 1;
    memset(run.markers, 0, (size_t)harmonic->marker_count * (size_t)run.kernels->turn_size * sizeof *run.markers);
    load_markers(harmonic, frame, run.markers, (size_t)run.kernels->turn_size, 1);
    start_top(&run);
    gt_executor_run(executor, pieces, 1, rise_pieces, &run);
    for (int32_t i = 0; i < pieces; ++i) {
        hand_up(&run, i);
    }
    settle_top(&run);
    gt_executor_run(executor, pieces, 1, settle_pieces, &run);
    const GtiHarmonicResult result = { harmonic, run.cut, run.points, frame, 1, NULL, NULL };
    gti_harmonic_write_frame(&result, executor);
}

size_t gt_harmonic_bake_scratch_size(const GtHarmonic* harmonic)
{
    Run run = batch_run(harmonic);
    return lay_out(&run, NULL);
}

void gt_harmonic_bake(const GtHarmonic* harmonic, const GtHarmonicFrame* frames, int32_t frame_count, void* scratch)
{
    gti_harmonic_bake(harmonic, frames, frame_count, NULL, NULL, scratch);
}

void gti_harmonic_bake(const GtHarmonic* harmonic, const GtHarmonicFrame* frames, int32_t frame_count,
                       GtiHarmonicChoose choose, void* user, void* scratch)
{
    GT_ASSERT(harmonic->batch_cut.piece_count > 0);
    Run run = batch_run(harmonic);
    lay_out(&run, scratch);
    for (int32_t first = 0; first < frame_count; first += GTI_BATCH) {
        int32_t left = frame_count - first;
        bake_batch(&run, &frames[first], left < GTI_BATCH ? left : GTI_BATCH, choose, user);
    }
}

void gti_harmonic_place(const GtHarmonic* harmonic, const GtHarmonicFrame* frames, int32_t frame_count, GtVec3* places,
                        void* scratch)
{
    Run run = batch_run(harmonic);
    lay_out(&run, scratch);
    for (int32_t first = 0; first < frame_count; first += GTI_BATCH) {
        int32_t left = frame_count - first;
        place_batch(&run, &frames[first], left < GTI_BATCH ? left : GTI_BATCH,
                    places + (size_t)first * (size_t)harmonic->handle_count);
    }
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Over time. Frames are looked at some 25 times a second. What they lack is spread over those before and after with a
// smooth window, which is the wider the farther joints have to go, so that no joint gets more than a bounded
// acceleration; what smoothing takes off peaks is given back by doing so again with what is still lacking.

#include "motion/apart/apart.h"

#include "base/fail.h"
#include "motion/take/take.h"

#include <math.h>
#include <string.h>

enum {
    PIECE = 64, // frames
    ROUNDS = 3
};

static const float LOOK_S = 0.039f;      // from one frame that is looked at to the next, at least
static const float PERSON_MPS2 = 8.0f;   // most acceleration that is added to a joint of a person
static const float PEAK = 5.0f;          // of the second derivative of a window's integral, of half its width
static const float LEAST_HALF_S = 0.12f; // half of a window
static const float MOST_HALF_S = 0.45f;
static const float STAND_S = 0.2f;       // before and after a foot stands, in which its ankle is held ever less
static const float SAME_POSE_M = 0.005f; // joints of a person that come back to within this close a cycle
static const float SAME_M = 1e-6f;       // shifts this small are none

// Scratch of one piece of frames.
typedef struct PieceScratch {
    GtTransform* pose; // [nodes]
    GtMat34* model;    // [nodes]
    GtQuat* rotations; // [nodes]
    GtTransform* source_pose;
    GtMat34* source_model;
    GtQuat* source_rotations;
} PieceScratch;

typedef struct Parter {
    const GtiApart* apart;
    GtArena scratch;
    GtiLimbBody* body;
    GtiLimbBody* source; // or NULL where it has no skin
    int32_t frame_count;
    int32_t* columns; // [nodes]
    int32_t* chain;   // [chain_count] nodes that shapes and limbs hang on, parents first
    int32_t chain_count;
    PieceScratch* pieces;
    int32_t look_count;
    int32_t* looks;                       // [look_count] frames that are looked at
    GtiLimbFrame* frames;                 // [look_count]
    GtiLimbShift* lacks[GTI_LIMB_COUNT];  // [look_count] of this round
    float* depths_m;                      // [look_count] over what is let be, before; negative where nothing is wrong
    uint64_t* near;                       // [look_count] gti_limbs_near()
    bool* lacking;                        // [look_count] in this round
    GtiLimbShift* shifts[GTI_LIMB_COUNT]; // [frame_count] so far
    float* holds[GTI_LIMB_COUNT];         // [frame_count] of ends
    bool closes;                          // the last pose is the first again
    GtQuat lap_turn;                      // that the figure turns by until then
    bool* moved;                          // [frame_count]
} Parter;

typedef void (*EachFrame)(const Parter* p, PieceScratch* scratch, int32_t frame);

typedef struct Pass {
    const Parter* parter;
    EachFrame each;
    int32_t count;
} Pass;

static void run_pieces(void* data, int32_t first, int32_t end)
{
    const Pass* pass = data;
    for (int32_t piece = first; piece < end; ++piece) {
        int32_t stop = (piece + 1) * PIECE < pass->count ? (piece + 1) * PIECE : pass->count;
        for (int32_t f = piece * PIECE; f < stop; ++f) {
            pass->each(pass->parter, &pass->parter->pieces[piece], f);
        }
    }
}

// Do something to all frames, or to all looks, on all threads.
static void run(const Parter* p, EachFrame each, int32_t count)
{
    Pass pass = { p, each, count };
    gt_executor_run(&p->apart->context->executor, (count + PIECE - 1) / PIECE, 1, run_pieces, &pass);
}

// Pose those nodes that matter.
static void load(const Parter* p, PieceScratch* scratch, int32_t frame)
{
    const GtCharacterDef* def = p->body->figure->def;
    const GtiCarried* c = p->apart->carried;
    const GtTransform* keys = c->poses + (size_t)frame * (size_t)c->node_count;
    for (int32_t k = 0; k < p->chain_count; ++k) {
        int32_t node = p->chain[k], parent = def->parents[node];
        GtTransform local = p->columns[node] == GT_NONE ? def->rest[node] : keys[p->columns[node]];
        GtMat34 parent_from_node = gt_mat34_from_transform(local);
        bool is_root = parent == GT_NONE;
        scratch->pose[node] = local;
        scratch->model[node] = is_root ? parent_from_node : gt_mat34_mul(scratch->model[parent], parent_from_node);
        scratch->rotations[node] = gt_quat_mul(gti_parent_rotation(def, scratch->rotations, node), local.rotation);
    }
}

// A character's own motion says how deep its parts may be in each other; of a capture's performer there is no skin.
static void find_allowed(const Parter* p, PieceScratch* scratch, int32_t frame, GtiLimbDepths* out)
{
    *out = p->body->stand;
    if (!p->source) {
        return;
    }
    const GtiAlignedFigure* figure = p->source->figure;
    GtiLimbFrame seen;
    GtiLimbDepths depths;
    memcpy(scratch->source_pose, figure->def->rest, (size_t)figure->def->node_count * sizeof *scratch->source_pose);
    gt_clip_sample(figure->clip, (double)p->apart->carried->times[frame], scratch->source_pose, NULL);
    gt_character_to_model(figure->character, scratch->source_pose, scratch->source_model);
    gti_model_rotations(figure->def, scratch->source_pose, scratch->source_rotations);
    gti_limbs_see(p->source, scratch->source_model, scratch->source_rotations, &seen);
    gti_limbs_depths(p->source, &seen, &depths);
    bool mirrors = p->apart->retarget->def.mirror;
    float scale = p->body->size / p->source->size;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        for (int k = 0; k < GTI_LIMB_SEGMENTS * GTI_OBSTACLES; ++k) {
            int s = k / GTI_OBSTACLES, o = k % GTI_OBSTACLES;
            int from = mirrors && o >= 4 ? 4 + ((o - 4) ^ 2) : o; // legs change places
            float depth = scale * depths.arms[mirrors ? 1 - side : side][s][from];
            out->arms[side][s][o] = fmaxf(out->arms[side][s][o], depth);
        }
    }
    for (int k = 0; k < GTI_LIMB_SEGMENTS * GTI_LIMB_SEGMENTS; ++k) {
        int left = k / GTI_LIMB_SEGMENTS, right = k % GTI_LIMB_SEGMENTS;
        float depth = scale * (mirrors ? depths.legs[right][left] : depths.legs[left][right]);
        out->legs[left][right] = fmaxf(out->legs[left][right], depth);
    }
}

// Shifts as they are made: what an end is held, it is not shifted.
static GtiLimbShift shift_of(const Parter* p, int limb, int32_t frame)
{
    GtiLimbShift shift = p->shifts[limb][frame];
    shift.end = gt_vec3_scale(shift.end, 1.0f - p->holds[limb][frame]);
    return shift;
}

static GtiLimbFrame shifted_frame(const Parter* p, int32_t look)
{
    GtiLimbFrame now = p->frames[look];
    for (int limb = 0; limb < GTI_LIMB_COUNT && p->moved[p->looks[look]]; ++limb) {
        GtiLimbShift shift = shift_of(p, limb, p->looks[look]);
        if (p->body->has_limb[limb]) {
            GtiLimbPoints shifted = gti_limb_shifted(&now.limbs[limb], &shift);
            gti_limb_place(p->body, &now, limb, &shifted);
        }
    }
    return now;
}

static void solve_look(const Parter* p, PieceScratch* scratch, int32_t look)
{
    p->lacking[look] = false;
    if (!p->moved[p->looks[look]] && !(p->depths_m[look] > 0.0f)) {
        return;
    }
    GtiLimbDepths allowed = p->body->stand;
    GtiLimbShift lacks[GTI_LIMB_COUNT];
    GtiLimbFrame now = shifted_frame(p, look);
    float holds[GTI_LIMB_COUNT];
    for (int limb = 0; limb < GTI_LIMB_COUNT; ++limb) {
        holds[limb] = p->holds[limb][p->looks[look]];
    }
    if (p->source) {
        find_allowed(p, scratch, p->looks[look], &allowed);
    }
    p->lacking[look] = gti_limbs_solve(p->body, &now, &allowed, p->near[look], holds, lacks);
    for (int limb = 0; limb < GTI_LIMB_COUNT && p->lacking[look]; ++limb) {
        p->lacks[limb][look] = lacks[limb];
    }
}

static void see_look(const Parter* p, PieceScratch* scratch, int32_t look)
{
    GtiLimbDepths depths, allowed;
    load(p, scratch, p->looks[look]);
    gti_limbs_see(p->body, scratch->model, scratch->rotations, &p->frames[look]);
    gti_limbs_depths(p->body, &p->frames[look], &depths);
    p->near[look] = gti_limbs_near(p->body, &depths);
    p->depths_m[look] = gti_limbs_excess(p->body, &depths, &p->body->stand);
    if (p->depths_m[look] > 0.0f && p->source) {
        find_allowed(p, scratch, p->looks[look], &allowed);
        p->depths_m[look] = gti_limbs_excess(p->body, &depths, &allowed);
    }
}

static GtiLimbShift turned(GtiLimbShift shift, GtQuat turn)
{
    return (GtiLimbShift){ gt_quat_rotate(turn, shift.middle), gt_quat_rotate(turn, shift.end) };
}

// The first frame at a time or after it.
static int32_t first_after(const float* times, int32_t count, float time_s)
{
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (times[middle] < time_s) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// How much of what is lacking at one time counts at another.
static float share_at(float away_s, float half_s)
{
    float u = away_s / half_s, bump = fmaxf(1.0f - u * u, 0.0f);
    return bump * bump * bump;
}

// Spread what a limb lacks over the frames around. Shares of evenly spaced looks add up to 1. In a cycle what goes
// beyond one end comes in at the other.
static void spread(const Parter* p, int limb, int32_t look)
{
    const float* times = p->apart->carried->times;
    GtiLimbShift lack = p->lacks[limb][look];
    float far = fmaxf(gt_vec3_length(lack.middle), gt_vec3_length(lack.end));
    if (!(far > SAME_M)) {
        return;
    }
    float half_s = sqrtf(PEAK * far / (PERSON_MPS2 * p->body->size));
    half_s = fminf(fmaxf(half_s, LEAST_HALF_S), MOST_HALF_S);
    float at_s = times[p->looks[look]], lap_s = times[p->frame_count - 1] - times[0], total = 0.0f;
    int laps = p->closes && lap_s > half_s ? 1 : 0;
    for (int lap = -laps; lap <= laps; ++lap) {
        int32_t around = (int32_t)(MOST_HALF_S / LOOK_S) + 2, count = p->look_count - laps;
        int32_t middle = lap < 0 ? look - count : lap > 0 ? look + count : look;
        for (int32_t k = middle - around; k <= middle + around; ++k) {
            bool exists = k >= 0 && k < count;
            total += exists ? share_at(times[p->looks[k]] - at_s + (float)lap * lap_s, half_s) : 0.0f;
        }
    }
    for (int lap = -laps; lap <= laps; ++lap) {
        float from_s = at_s - (float)lap * lap_s - half_s, to_s = from_s + 2.0f * half_s;
        GtiLimbShift there = turned(lack, lap < 0 ? p->lap_turn : gt_quat_conjugate(p->lap_turn));
        there = lap == 0 ? lack : there;
        for (int32_t f = first_after(times, p->frame_count, from_s); f < p->frame_count && times[f] < to_s; ++f) {
            float share = share_at(times[f] - from_s - half_s, half_s) / total;
            if (share > 0.0f) {
                GtiLimbShift* sum = &p->shifts[limb][f];
                sum->middle = gt_vec3_add(sum->middle, gt_vec3_scale(there.middle, share));
                sum->end = gt_vec3_add(sum->end, gt_vec3_scale(there.end, share));
                p->moved[f] = true;
            }
        }
    }
}

static void turn_frame(const Parter* p, PieceScratch* scratch, int32_t frame)
{
    const GtiCarried* c = p->apart->carried;
    if (!p->moved[frame]) {
        return;
    }
    load(p, scratch, frame);
    for (int limb = 0; limb < GTI_LIMB_COUNT; ++limb) {
        GtiLimbShift shift = shift_of(p, limb, frame);
        if (!p->body->has_limb[limb] || !(gt_vec3_length(shift.middle) + gt_vec3_length(shift.end) > SAME_M)) {
            continue;
        }
        gti_limb_turn(p->body, limb, &shift, scratch->model, scratch->rotations, scratch->pose);
        for (int s = 0; s < GTI_LIMB_SEGMENTS; ++s) {
            int32_t node = p->body->nodes[limb][s], column = p->columns[node];
            if (column != GT_NONE) {
                c->poses[(size_t)frame * (size_t)c->node_count + (size_t)column] = scratch->pose[node];
            }
        }
    }
}

// Hands are held where they touch something; feet where they stand, and less and less before and after.
static void find_holds(const Parter* p)
{
    const GtiCarried* c = p->apart->carried;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        float* hand = p->holds[GTI_LIMB_LEFT_ARM + side];
        float* foot = p->holds[GTI_LIMB_LEFT_LEG + side];
        for (int32_t f = 0; f < p->frame_count; ++f) {
            int32_t of_motion = c->frames ? c->frames[f] : f;
            hand[f] = p->apart->holds[side] ? p->apart->holds[side][f] : 0.0f;
            foot[f] = p->apart->contacts && p->apart->contacts[of_motion] >> 2 * side & 3u ? 1.0f : 0.0f;
        }
        for (int way = -1; way <= 1; way += 2) {
            float since_s = INFINITY;
            for (int32_t i = 0; i < p->frame_count; ++i) {
                int32_t f = way < 0 ? p->frame_count - 1 - i : i;
                since_s += i > 0 ? fabsf(c->times[f] - c->times[f - way]) : 0.0f;
                since_s = foot[f] >= 1.0f ? 0.0f : since_s;
                foot[f] = fmaxf(foot[f], 1.0f - gti_smooth_step((double)fminf(since_s / STAND_S, 1.0f)));
            }
        }
    }
}

static void mark(int32_t* marks, int32_t node)
{
    if (node != GT_NONE) {
        marks[node] = 1;
    }
}

static void choose_looks(Parter* p)
{
    const float* times = p->apart->carried->times;
    for (int32_t f = 0; f < p->frame_count; ++f) {
        bool is_due = f == 0 || floorf(times[f] / LOOK_S) > floorf(times[f - 1] / LOOK_S); // the same in all windows
        if (is_due || f == p->frame_count - 1) {
            p->looks[p->look_count++] = f;
        }
    }
}

// Nodes of parts, limbs and fingers, and all above them.
static void find_chain(Parter* p)
{
    const GtiLimbBody* body = p->body;
    const GtCharacterDef* def = body->figure->def;
    for (int part = 0; part < GTI_COLLIDER_PART_COUNT; ++part) {
        mark(p->chain, body->collider.parts[part].node);
    }
    for (int limb = 0; limb < GTI_LIMB_COUNT; ++limb) {
        for (int s = 0; s < GTI_LIMB_SEGMENTS && body->has_limb[limb]; ++s) {
            mark(p->chain, body->nodes[limb][s]);
        }
    }
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        for (int k = 0; k < body->finger_count[side]; ++k) {
            mark(p->chain, body->fingers[side][k][0]);
            mark(p->chain, body->fingers[side][k][1]);
        }
    }
    for (int32_t i = def->node_count - 1; i >= 0; --i) {
        if (p->chain[i]) {
            mark(p->chain, def->parents[i]);
        }
    }
    for (int32_t i = 0; i < def->node_count; ++i) { // marks become the list, which is no longer
        if (p->chain[i]) {
            p->chain[p->chain_count++] = i;
        }
    }
}

static bool push_scratch(Parter* p)
{
    size_t frames = (size_t)p->frame_count, nodes = (size_t)p->body->figure->def->node_count;
    size_t pieces = (frames + PIECE - 1) / PIECE;
    size_t source_nodes = p->source ? (size_t)p->source->figure->def->node_count : 0;
    p->columns = gt_arena_push_array(&p->scratch, nodes, sizeof *p->columns);
    p->chain = gt_arena_push_array(&p->scratch, nodes, sizeof *p->chain);
    p->pieces = gt_arena_push_array(&p->scratch, pieces, sizeof *p->pieces);
    p->looks = gt_arena_push_array(&p->scratch, frames, sizeof *p->looks);
    p->moved = gt_arena_push_array(&p->scratch, frames, sizeof *p->moved);
    if (!p->looks) {
        return false;
    }
    choose_looks(p);
    size_t looks = (size_t)p->look_count;
    p->frames = gt_arena_push_array(&p->scratch, looks, sizeof *p->frames);
    p->depths_m = gt_arena_push_array(&p->scratch, looks, sizeof *p->depths_m);
    p->lacking = gt_arena_push_array(&p->scratch, looks, sizeof *p->lacking);
    p->near = gt_arena_push_array(&p->scratch, looks, sizeof *p->near);
    bool ok = p->columns && p->chain && p->pieces && p->frames && p->depths_m && p->lacking && p->near && p->moved;
    for (int limb = 0; limb < GTI_LIMB_COUNT; ++limb) {
        p->lacks[limb] = gt_arena_push_array(&p->scratch, looks, sizeof *p->lacks[limb]);
        p->shifts[limb] = gt_arena_push_array(&p->scratch, frames, sizeof *p->shifts[limb]);
        p->holds[limb] = gt_arena_push_array(&p->scratch, frames, sizeof *p->holds[limb]);
        ok = ok && p->lacks[limb] && p->shifts[limb] && p->holds[limb];
    }
    for (size_t i = 0; ok && i < pieces; ++i) {
        PieceScratch* piece = &p->pieces[i];
        piece->pose = gt_arena_push_array(&p->scratch, nodes, sizeof *piece->pose);
        piece->model = gt_arena_push_array(&p->scratch, nodes, sizeof *piece->model);
        piece->rotations = gt_arena_push_array(&p->scratch, nodes, sizeof *piece->rotations);
        piece->source_pose = gt_arena_push_array(&p->scratch, source_nodes, sizeof *piece->source_pose);
        piece->source_model = gt_arena_push_array(&p->scratch, source_nodes, sizeof *piece->source_model);
        piece->source_rotations = gt_arena_push_array(&p->scratch, source_nodes, sizeof *piece->source_rotations);
        ok = piece->pose && piece->model && piece->rotations && piece->source_pose && piece->source_model &&
             piece->source_rotations;
    }
    if (ok) {
        find_chain(p);
    }
    for (size_t i = 0; ok && i < nodes; ++i) {
        p->columns[i] = GT_NONE;
    }
    for (int32_t n = 0; ok && n < p->apart->carried->node_count; ++n) {
        p->columns[gt_character_node_from_source(p->body->figure->character, p->apart->carried->nodes[n])] = n;
    }
    return ok;
}

static GtResult open_bodies(Parter* p, GtError* error)
{
    const GtRetarget* r = p->apart->retarget;
    p->body = gt_arena_push_array(&p->scratch, 2, sizeof *p->body);
    if (!p->body) {
        return gti_out_of_memory(error);
    }
    GtResult result = gti_limbs_open(p->apart->context, &p->scratch, &r->target, p->body, error);
    if (result == GT_OK && r->source.def->mesh_count > 0 && r->source.leg_m > 0.0f) {
        p->source = p->body + 1;
        result = gti_limbs_open(p->apart->context, &p->scratch, &r->source, p->source, error);
    }
    return result == GT_OK && !push_scratch(p) ? gti_out_of_memory(error) : result;
}

// Whether limbs are at the end as they are at the start, seen from the hips.
static bool is_cycle(Parter* p)
{
    const GtiLimbFrame *first = &p->frames[0], *last = &p->frames[p->look_count - 1];
    const GtiColliderPlace *from = &first->obstacles[GTI_COLLIDER_PELVIS], *to = &last->obstacles[GTI_COLLIDER_PELVIS];
    float most = 0.0f;
    p->lap_turn = gt_quat_normalize(gt_quat_mul(to->rotation, gt_quat_conjugate(from->rotation)));
    for (int limb = 0; limb < GTI_LIMB_COUNT; ++limb) {
        for (int k = 0; k <= GTI_LIMB_SEGMENTS && p->body->has_limb[limb]; ++k) {
            GtVec3 was = gt_quat_rotate(p->lap_turn, gt_vec3_sub(first->limbs[limb].at[k], from->origin));
            GtVec3 is = gt_vec3_sub(last->limbs[limb].at[k], to->origin);
            most = fmaxf(most, gt_vec3_length(gt_vec3_sub(is, was)));
        }
    }
    return p->look_count > 2 && most < SAME_POSE_M * p->body->size;
}

static void add_report(const Parter* p, GtCollideReport* report)
{
    const GtiCarried* c = p->apart->carried;
    GtiLimbDepths depths;
    double leave_m = (double)(GTI_LIMB_LEAVE_M * p->body->size);
    for (int32_t k = 0; k < p->look_count; ++k) {
        bool counts = p->looks[k] >= c->before && p->looks[k] < p->frame_count - c->after;
        if (counts && p->depths_m[k] > 0.0f) {
            GtiLimbFrame now = shifted_frame(p, k);
            gti_limbs_depths(p->body, &now, &depths);
            float left = p->source ? 0.0f : gti_limbs_excess(p->body, &depths, &p->body->stand);
            report->depth_m = fmax(report->depth_m, (double)p->depths_m[k] + leave_m);
            report->left_m = fmax(report->left_m, fmax((double)left, 0.0) + leave_m);
        }
    }
    for (int32_t f = c->before; f < p->frame_count - c->after; ++f) {
        report->frame_count += p->moved[f];
        for (int side = 0; side < GTI_SIDE_COUNT && p->moved[f]; ++side) {
            report->hand_shift_m = fmax(report->hand_shift_m, (double)gt_vec3_length(shift_of(p, side, f).end));
        }
    }
}

static GtResult part_limbs(Parter* p, GtCollideReport* report, GtError* error)
{
    GtResult result = open_bodies(p, error);
    if (result != GT_OK) {
        return result;
    }
    run(p, see_look, p->look_count);
    bool any = false;
    for (int32_t k = 0; k < p->look_count; ++k) {
        any = any || p->depths_m[k] > 0.0f;
    }
    if (!any) {
        return GT_OK;
    }
    find_holds(p);
    p->closes = is_cycle(p);
    for (int round = 0; round < ROUNDS; ++round) {
        run(p, solve_look, p->look_count);
        for (int32_t k = 0; k < p->look_count; ++k) {
            bool is_again = p->closes && k == p->look_count - 1; // the first look
            for (int limb = 0; limb < GTI_LIMB_COUNT && p->lacking[k] && !is_again; ++limb) {
                spread(p, limb, k);
            }
        }
    }
    for (int limb = 0; limb < GTI_LIMB_COUNT && p->closes; ++limb) {
        p->shifts[limb][p->frame_count - 1] = turned(p->shifts[limb][0], p->lap_turn);
        p->moved[p->frame_count - 1] = p->moved[0];
    }
    run(p, turn_frame, p->frame_count);
    add_report(p, report);
    return GT_OK;
}

GtResult gti_limbs_part(const GtiApart* apart, GtCollideReport* report, GtError* error)
{
    if (apart->retarget->target.def->mesh_count == 0 || !(apart->retarget->target.leg_m > 0.0f)) {
        return GT_OK; // nothing shows
    }
    Parter p = { .apart = apart,
                 .scratch = gt_arena_create(apart->context->allocator),
                 .frame_count = apart->carried->frame_count };
    GtResult result = part_limbs(&p, report, error);
    gt_arena_destroy(&p.scratch);
    return result;
}

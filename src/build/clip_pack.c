// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Packing a clip: in every span each track has a budget of error, at first a share of the tolerance divided by its
// lever; the bytes that come of it are decoded and compared with the source in model space, and budgets of tracks
// shrink or grow with the worst of what hangs at them. The smallest that is within the tolerance wins: the bound is one
// because it is measured on what is returned.

#include "build/clip_pack.h"

#include "base/fail.h"
#include "base/hash.h"
#include "runtime/clip/clip.h"

#include <math.h>
#include <string.h>

enum {
    ROUNDS = 12,     // of looking for the smallest
    LAST_ROUND = 30, // of looking for any
    MAX_FRAMES = 1 << 22,
    HEAD_CHECKED = 16 // bytes before what the checksum covers
};

static const double FIRST_SHARE = 0.4; // of the tolerance, for each track
static const double AIM = 0.97;        // of the tolerance, for errors that budgets go towards

GtClipPackDef gt_default_clip_pack_def(void)
{
    return (GtClipPackDef){ .tolerance_m = 1e-3f, .shell_m = 0.1f, .weight_tolerance = 2e-3f };
}

// One track's choice, to come back to.
typedef struct Choice {
    int32_t way;
    double step;
} Choice;

// What all spans are searched with.
typedef struct Search {
    GtiPackBytes bytes;
    GtiPackErrors errors;
    Choice* best; // [track_count]
} Search;

// Budgets for the next round, by the worst of each node and what hangs at it: what is too far shrinks, and only when
// nothing is, the rest grows.
static void adjust(const GtiClipPacking* packing, GtiPackSpan* span, const GtiPackErrors* errors, bool within)
{
    const GtCharacterDef* def = gt_character_def(packing->character);
    float* worst = errors->nodes;
    for (int32_t i = def->node_count - 1; i >= 0; --i) {
        int32_t parent = def->parents[i];
        if (parent != GT_NONE) {
            worst[parent] = worst[i] > worst[parent] ? worst[i] : worst[parent];
        }
    }
    for (int32_t i = 0; i < packing->track_count; ++i) {
        GtiClipPackTrack* track = &span->tracks[i];
        bool weights = track->kind == GTI_PACKED_WEIGHTS;
        double error = (double)(weights ? errors->largest_weight : worst[track->node]);
        double aim = AIM * (double)(weights ? packing->def->weight_tolerance : packing->def->tolerance_m);
        double factor = error > 0.0 ? pow(aim / error, within ? 0.6 : 0.9) : 2.0;
        track->budget *= fmin(fmax(factor, 0.3), within ? 1.5 : 1.0);
    }
}

static bool is_within(const GtiClipPacking* packing, const GtiPackErrors* errors)
{
    return errors->largest_m <= packing->def->tolerance_m && errors->largest_weight <= packing->def->weight_tolerance;
}

// A span starts with the budgets that the one before ended with.
static void start_budgets(const GtiClipPacking* packing, GtiPackSpan* span)
{
    for (int32_t i = 0; i < packing->track_count; ++i) {
        GtiClipPackTrack* track = &span->tracks[i];
        bool weights = track->kind == GTI_PACKED_WEIGHTS;
        double tolerance = (double)(weights ? packing->def->weight_tolerance : packing->def->tolerance_m);
        double share = span == packing->spans ? 0.0 : span[-1].tracks[i].budget * track->lever / tolerance;
        share = fmin(fmax(share, 0.0), 2.0);
        track->budget = (share > 0.05 ? share : weights ? 0.8 : FIRST_SHARE) * tolerance / track->lever;
    }
}

static GtResult cannot_keep(const GtiClipPacking* packing, const GtiPackErrors* errors, GtError* error)
{
    if (errors->largest_m <= packing->def->tolerance_m) {
        return gti_fail(error, GT_ERROR_LIMIT,
                        "a morph weight cannot be kept within %g: allow a larger tolerance, or keep the clip unpacked",
                        (double)packing->def->weight_tolerance);
    }
    return gti_fail(error, GT_ERROR_LIMIT,
                    "%g mm cannot be kept at %g s: allow a larger tolerance, or keep the clip unpacked",
                    1e3 * (double)packing->def->tolerance_m, errors->worst_time_s);
}

// Rounds of choosing, encoding and measuring; the smallest that is within the tolerance is left chosen.
static GtResult search_span(const GtiClipPacking* packing, GtiPackSpan* span, Search* search, GtError* error)
{
    size_t smallest = SIZE_MAX;
    bool fits = true;
    start_budgets(packing, span);
    for (int round = 0; round < (smallest == SIZE_MAX ? LAST_ROUND : ROUNDS); ++round) {
        gti_pack_choose(packing, span);
        if (!gti_pack_encode(packing, span, 1, &search->bytes, &fits) ||
            !gti_pack_measure(packing, (const GtiPackedHead*)search->bytes.data, span->first, span->last,
                              &search->errors)) {
            return gti_out_of_memory(error);
        }
        bool within = is_within(packing, &search->errors);
        if (fits && within && search->bytes.size < smallest) {
            smallest = search->bytes.size;
            for (int32_t i = 0; i < packing->track_count; ++i) {
                search->best[i] = (Choice){ span->tracks[i].way, span->tracks[i].step };
            }
        }
        adjust(packing, span, &search->errors, within);
    }
    if (smallest == SIZE_MAX) {
        return cannot_keep(packing, &search->errors, error);
    }
    for (int32_t i = 0; i < packing->track_count; ++i) {
        span->tracks[i].way = search->best[i].way;
        span->tracks[i].step = search->best[i].step;
    }
    return GT_OK;
}

static void fill_report(const GtiClipPacking* packing, const Search* search, GtClipPackReport* report)
{
    *report = (GtClipPackReport){
        .rate_hz = packing->rate_hz,
        .frame_count = packing->frame_count,
        .span_count = packing->span_count,
        .worst_node = search->errors.worst_node,
        .worst_time_s = search->errors.worst_time_s,
        .max_error_m = search->errors.largest_m,
        .max_weight_error = search->errors.largest_weight,
        .source_size = (size_t)packing->frame_count * (size_t)packing->source->node_count * 40,
        .packed_size = search->bytes.size,
    };
    for (int32_t i = 0; i < packing->track_count; ++i) {
        report->constant_count += packing->tracks[i].fixed;
        report->spline_count += !packing->tracks[i].fixed;
    }
}

// All spans as one clip, measured once more as a whole.
static GtResult finish(GtiClipPacking* packing, Search* search, GtClip** out, GtClipPackReport* report, GtError* error)
{
    bool fits = false;
    if (!gti_pack_encode(packing, packing->spans, packing->span_count, &search->bytes, &fits)) {
        return gti_out_of_memory(error);
    }
    GtiPackedHead* head = (GtiPackedHead*)search->bytes.data;
    if (!gti_pack_measure(packing, head, 0, packing->frame_count - 1, &search->errors)) {
        return gti_out_of_memory(error);
    }
    if (!fits || !is_within(packing, &search->errors)) {
        return cannot_keep(packing, &search->errors, error);
    }
    head->error_m = search->errors.largest_m;
    head->checksum = gti_checksum(search->bytes.data + HEAD_CHECKED, search->bytes.size - HEAD_CHECKED);
    GtResult result = gt_clip_from_bytes(packing->arena.allocator, search->bytes.data, search->bytes.size,
                                         gt_clip_name(packing->source), out, error);
    GT_ASSERT(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
    if (result == GT_OK && report) {
        fill_report(packing, search, report);
    }
    return result;
}

static GtResult pack(const GtContext* context, GtiClipPacking* packing, GtClip** out, GtClipPackReport* report,
                     GtError* error)
{
    Search search = { .bytes = { .arena = gt_arena_create(context->allocator) } };
    GtResult result = gti_pack_find_reaches(packing, error);
    if (result == GT_OK) {
        result = gti_pack_tracks(packing, error);
    }
    if (result == GT_OK) {
        result = gti_pack_find_spans(packing, error);
    }
    search.errors.nodes = gt_arena_push_array(&packing->arena, (size_t)packing->source->node_count, sizeof(float));
    search.best = gt_arena_push_array(&packing->arena, (size_t)packing->track_count, sizeof *search.best);
    if (result == GT_OK && (!search.errors.nodes || !search.best)) {
        result = gti_out_of_memory(error);
    }
    for (int32_t i = 0; result == GT_OK && i < packing->span_count; ++i) {
        result = gti_pack_fill_span(packing, &packing->spans[i], error);
        if (result == GT_OK) {
            result = search_span(packing, &packing->spans[i], &search, error);
        }
        if (result == GT_OK) {
            result = gti_progress(context, error, "packing", (double)(i + 1) / (double)packing->span_count);
        }
    }
    if (result == GT_OK) {
        result = finish(packing, &search, out, report, error);
    }
    gt_arena_destroy(&search.bytes.arena);
    return result;
}

static GtResult check(const GtClip* clip, const GtCharacter* character, const GtClipPackDef* def, GtError* error)
{
    const GtCharacterDef* body = gt_character_def(character);
    if (clip->packed) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the clip is packed already: pack the one with its keys");
    }
    if (clip->node_count != body->node_count || clip->weight_count != body->weight_count) {
        return gti_fail(error, GT_ERROR_BAD_VALUE,
                        "the clip is for %d nodes and %d weights; the character has %d and %d", clip->node_count,
                        clip->weight_count, body->node_count, body->weight_count);
    }
    bool good = def->tolerance_m > 0.0f && def->weight_tolerance > 0.0f && def->shell_m >= 0.0f &&
                isfinite(def->tolerance_m) && isfinite(def->weight_tolerance) && isfinite(def->shell_m);
    return good ? GT_OK
                : gti_fail(error, GT_ERROR_BAD_VALUE, "tolerances must be above 0, and the shell distance 0 or more");
}

GtResult gt_clip_pack(const GtContext* context, const GtClip* clip, const GtCharacter* character,
                      const GtClipPackDef* def, GtClip** out, GtClipPackReport* report, GtError* error)
{
    def = def ? def : (GtClipPackDef[]){ gt_default_clip_pack_def() };
    *out = NULL;
    GtResult result = check(clip, character, def, error);
    if (result != GT_OK) {
        return result;
    }
    GtiClipPacking packing = {
        .def = def,
        .source = clip,
        .character = character,
        .arena = gt_arena_create(context->allocator),
    };
    gti_pack_find_rate(clip, &packing.rate_hz);
    double frames = round((clip->end_s - clip->start_s) * packing.rate_hz) + 1.0;
    if (frames <= MAX_FRAMES) {
        packing.frame_count = (int32_t)frames;
        result = pack(context, &packing, out, report, error);
    } else {
        result = gti_fail(error, GT_ERROR_LIMIT, "a clip of %g frames is too long to be packed: cut it into several",
                          frames);
    }
    gt_arena_destroy(&packing.arena);
    return result;
}

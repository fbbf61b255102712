// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Tracks of a clip that is to be packed: samples at the frames that its keys lie on, rotations as modified Rodrigues
// parameters (Schaub, Junkins 1996) that follow each other without a jump, and every way to store each with its error.

#include "build/clip_pack.h"

#include "base/fail.h"
#include "build/spline_fit.h"
#include "runtime/clip/clip.h"

#include <math.h>
#include <string.h>

enum {
    CUBIC_WAYS = 4
};

static const int32_t SPACINGS[CUBIC_WAYS] = { 16, 8, 4, 2 };
static const double FIXED_SHARE = 0.05; // of the tolerance

// All keys lie on frames of this rate, within a small part of a frame.
static bool is_grid(const GtClip* clip, double rate_hz, double part)
{
    for (int32_t i = 0; i < clip->track_count; ++i) {
        const GtTrackDef* track = &clip->tracks[i];
        for (int32_t k = 0; k < track->key_count; ++k) {
            double frame = ((double)track->times_s[k] - clip->start_s) * rate_hz;
            if (!(fabs(frame - round(frame)) <= part)) {
                return false;
            }
        }
    }
    return true;
}

static double shortest_interval(const GtClip* clip)
{
    double shortest = INFINITY;
    for (int32_t i = 0; i < clip->track_count; ++i) {
        const GtTrackDef* track = &clip->tracks[i];
        for (int32_t k = 1; k < track->key_count; ++k) {
            double interval = (double)track->times_s[k] - (double)track->times_s[k - 1];
            shortest = interval > 1e-4 && interval < shortest ? interval : shortest;
        }
    }
    return shortest;
}

static int32_t most_keys(const GtClip* clip)
{
    int32_t most = 1;
    for (int32_t i = 0; i < clip->track_count; ++i) {
        most = clip->tracks[i].key_count > most ? clip->tracks[i].key_count : most;
    }
    return most;
}

bool gti_pack_find_rate(const GtClip* clip, double* rate_hz)
{
    double length = clip->end_s - clip->start_s;
    double by_interval = round(length / shortest_interval(clip)); // 0 where there are no intervals
    double rates[] = { (double)(most_keys(clip) - 1) / length,
                       by_interval / length,
                       24.0,
                       25.0,
                       30.0,
                       50.0,
                       60.0,
                       100.0,
                       120.0,
                       240.0,
                       1000.0 };
    static const double parts[] = { 1e-3, 2e-2 }; // times are rounded, frames counted by rates that are
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
        for (size_t i = 0; i < sizeof rates / sizeof *rates; ++i) {
            *rate_hz = rates[i];
            if (rates[i] > 0.0 && rates[i] <= 1e4 && is_grid(clip, rates[i], parts[k])) {
                return true;
            }
        }
    }
    *rate_hz = length > 0.0 ? 240.0 : 30.0;
    return false;
}

static void put_turn(float out[GTI_PARTS], GtQuat q)
{
    double w = 1.0 + (double)q.w;
    out[0] = (float)((double)q.x / w);
    out[1] = (float)((double)q.y / w);
    out[2] = (float)((double)q.z / w);
}

// Of q and -q, the same rotation, each takes the one that is nearer to the one before.
static void align_turns(GtQuat* turns, int32_t count)
{
    for (int32_t i = 1; i < count; ++i) {
        if (gt_quat_dot(turns[i], turns[i - 1]) < 0.0f) {
            turns[i] = gt_quat(-turns[i].x, -turns[i].y, -turns[i].z, -turns[i].w);
        }
    }
}

// Quaternions become parameters, on the side on which they stay smaller.
static void make_turns(GtiClipPackTrack* track, int32_t frame_count)
{
    GtQuat* turns = (GtQuat*)track->samples;
    double lowest = 1.0;
    double highest = -1.0;
    for (int32_t i = 0; i < frame_count; ++i) {
        lowest = fmin(lowest, (double)turns[i].w);
        highest = fmax(highest, (double)turns[i].w);
    }
    float sign = -highest > lowest ? -1.0f : 1.0f;
    for (int32_t i = 0; i < frame_count; ++i) {
        GtQuat q = gt_quat(sign * turns[i].x, sign * turns[i].y, sign * turns[i].z, sign * turns[i].w);
        put_turn(&track->samples[(size_t)i * GTI_PARTS], q);
    }
    track->parts = GTI_PARTS;
}

// Distance between two values of a track, in its unit.
static double distance(const GtiClipPackTrack* track, const float* a, const double* b)
{
    double squared = 0.0;
    double size = 0.0;
    for (uint32_t p = 0; p < track->parts; ++p) {
        double difference = (double)a[p] - b[p];
        squared += difference * difference;
        size += (double)a[p] * (double)a[p];
    }
    double length = sqrt(squared);
    if (track->parts == 4) {
        return 2.0 * length;
    }
    return track->turns ? 4.0 * length / (1.0 + size) : length;
}

static void add_constant(GtiClipPackTrack* track, int32_t frame_count, double* value)
{
    for (uint32_t p = 0; p < track->parts; ++p) {
        double low = INFINITY;
        double high = -INFINITY;
        for (int32_t i = 0; i < frame_count; ++i) {
            double v = (double)track->samples[(size_t)i * track->parts + p];
            low = fmin(low, v);
            high = fmax(high, v);
        }
        value[p] = low == high ? low : 0.5 * (low + high);
    }
    GtiPackWay* way = &track->ways[track->way_count++];
    *way = (GtiPackWay){ .spacing = 1, .coefficient_count = 1, .coefficients = value };
    for (int32_t i = 0; i < frame_count; ++i) {
        way->error = fmax(way->error, distance(track, &track->samples[(size_t)i * track->parts], value));
    }
}

// Parameters of a rotation that are mixed bend its way a little: how much, half-way, against an even turn.
static double straight_error(const GtiClipPackTrack* track, const float* a, const float* b)
{
    GtQuat ends[2] = { { 0.0f, 0.0f, 0.0f, 0.0f } };
    double middle[4] = { 0.0 };
    for (uint32_t p = 0; p < track->parts; ++p) {
        middle[p] = 0.5 * ((double)a[p] + (double)b[p]);
    }
    for (int i = 0; i < 2; ++i) {
        const float* v = i ? b : a;
        float n = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        ends[i] = gt_quat(2.0f * v[0], 2.0f * v[1], 2.0f * v[2], 1.0f - n);
        ends[i] = gt_quat_normalize(ends[i]);
    }
    float turned[GTI_PARTS];
    put_turn(turned, gt_quat_slerp(ends[0], ends[1], 0.5f));
    return distance(track, turned, middle);
}

// Straight from frame to frame, and, for rotations, evenly.
static void add_linear(GtiClipPackTrack* track, int32_t frame_count, double* values)
{
    for (size_t i = 0; i < (size_t)frame_count * track->parts; ++i) {
        values[i] = (double)track->samples[i];
    }
    GtiPackWay way = { .order = 2, .spacing = 1, .coefficient_count = frame_count, .coefficients = values };
    if (track->turns && !track->held) {
        for (int32_t i = 0; i + 1 < frame_count; ++i) {
            const float* at = &track->samples[(size_t)i * 3];
            way.error = fmax(way.error, straight_error(track, at, at + 3));
        }
        track->ways[track->way_count++] = way;
    }
    way.error = 0.0;
    way.even = track->turns;
    track->ways[track->way_count++] = way;
}

// At frames, and half-way between them, where the source is straight.
static double cubic_error(const GtiClipPackTrack* track, const GtiPackWay* way, int32_t frame_count)
{
    double worst = 0.0;
    for (int32_t i = 0; i < 2 * frame_count - 1; ++i) {
        double at = 0.5 * (double)i / (double)way->spacing;
        int32_t interval = (int32_t)at;
        interval = interval < way->coefficient_count - 4 ? interval : way->coefficient_count - 4;
        double shares[4];
        gti_spline_shares(at - (double)interval, shares);
        double value[4] = { 0.0 };
        float source[4];
        for (uint32_t p = 0; p < track->parts; ++p) {
            for (int k = 0; k < 4; ++k) {
                value[p] += shares[k] * way->coefficients[(size_t)(interval + k) * track->parts + p];
            }
            const float* a = &track->samples[(size_t)(i / 2) * track->parts + p];
            source[p] = i % 2 ? 0.5f * (a[0] + a[track->parts]) : a[0];
        }
        worst = fmax(worst, distance(track, source, value));
    }
    return worst;
}

static GtResult add_ways(GtiClipPacking* packing, GtiClipPackTrack* track, int32_t frame_count,
                         const GtiSplineFit* fits, GtError* error)
{
    double* constant = gt_arena_push_array(&packing->arena, GTI_PARTS, sizeof *constant);
    double* values = gt_arena_push_array(&packing->arena, (size_t)frame_count * track->parts, sizeof *values);
    if (!constant || !values) {
        return gti_out_of_memory(error);
    }
    add_constant(track, frame_count, constant);
    for (int w = 0; w < CUBIC_WAYS && !track->held && frame_count > SPACINGS[w]; ++w) {
        size_t count = (size_t)fits[w].coefficient_count;
        double* coefficients = gt_arena_push_array(&packing->arena, count * track->parts, sizeof *coefficients);
        if (!coefficients) {
            return gti_out_of_memory(error);
        }
        for (uint32_t p = 0; p < track->parts; ++p) {
            gti_spline_fit_solve(&fits[w], track->samples + p, (int32_t)track->parts, coefficients + p);
        }
        GtiPackWay* way = &track->ways[track->way_count++];
        *way = (GtiPackWay){ .order = 4,
                             .spacing = (uint32_t)SPACINGS[w],
                             .coefficient_count = (int32_t)count,
                             .coefficients = coefficients };
        way->error = cubic_error(track, way, frame_count);
    }
    add_linear(track, frame_count, values);
    return GT_OK;
}

// How far points of the character move for a unit of a node's rotation or scale, and of its translation.
typedef struct Levers {
    double turn; // the longest way to the end of what hangs at it, and the shell
    double move; // the scale of its parent
} Levers;

static double scale_of(const GtMat34* a)
{
    double squared = 0.0;
    for (int i = 0; i < 9; ++i) {
        double entry = (double)a->m[i / 3][i % 3];
        squared += entry * entry;
    }
    return sqrt(squared / 3.0);
}

static GtResult find_levers(GtiClipPacking* packing, Levers* levers, GtError* error)
{
    const GtCharacterDef* def = gt_character_def(packing->character);
    GtMat34* model = gt_arena_push_array(&packing->arena, (size_t)def->node_count, sizeof *model);
    if (!model) {
        return gti_out_of_memory(error);
    }
    gt_character_to_model(packing->character, def->rest, model);
    for (int32_t i = def->node_count - 1; i >= 0; --i) {
        int32_t parent = def->parents[i];
        levers[i].turn = fmax(levers[i].turn, packing->reaches[i].radius_m);
        levers[i].move = parent == GT_NONE ? 1.0 : fmax(scale_of(&model[parent]), 1e-6);
        if (parent != GT_NONE) {
            GtVec3 bone = gt_vec3_sub(gt_mat34_translation(&model[i]), gt_mat34_translation(&model[parent]));
            levers[parent].turn = fmax(levers[parent].turn, levers[i].turn + (double)gt_vec3_length(bone));
        }
    }
    return GT_OK;
}

static GtResult add_track(GtiClipPacking* packing, const GtTrackDef* from, int32_t first, const Levers* levers,
                          GtError* error)
{
    bool weights = from->kind == GT_TRACK_WEIGHTS;
    GtiClipPackTrack* track = &packing->tracks[packing->track_count++];
    bool stretches = from->kind == GT_TRACK_SCALE;
    bool turns = from->kind == GT_TRACK_ROTATION;
    *track = (GtiClipPackTrack){
        .kind = weights ? GTI_PACKED_WEIGHTS : GTI_PACKED_POSE,
        .node = weights ? GT_NONE : from->target,
        .place = weights ? (uint32_t)(from->target + first) : 3 * (uint32_t)from->target + (uint32_t)from->kind,
        .parts = turns ? 4 : 3,
        .held = from->interpolation == GT_INTERPOLATION_STEP,
        .turns = turns,
        .weight_count = weights ? (uint32_t)(from->component_count - first < 3 ? from->component_count - first : 3) : 0,
        .lever = weights              ? 1.0
                 : turns || stretches ? fmax(levers[from->target].turn, 1e-6)
                                      : levers[from->target].move,
    };
    track->samples = gt_arena_push_array(&packing->arena, (size_t)packing->frame_count * track->parts, sizeof(float));
    return track->samples ? GT_OK : gti_out_of_memory(error);
}

static void take_samples(GtiClipPacking* packing, uint32_t held, int32_t frame, const GtTransform* pose,
                         const float* weights)
{
    for (int32_t i = 0; i < packing->track_count; ++i) {
        GtiClipPackTrack* track = &packing->tracks[i];
        if (track->held != held) {
            continue;
        }
        float* to = &track->samples[(size_t)frame * track->parts];
        if (track->kind == GTI_PACKED_POSE) {
            memcpy(to, (const float*)pose + 4 * (size_t)track->place, track->parts * sizeof *to);
        } else {
            memcpy(to, weights + track->place, track->weight_count * sizeof *to);
        }
    }
}

static GtResult sample_source(GtiClipPacking* packing, GtError* error)
{
    const GtCharacterDef* def = gt_character_def(packing->character);
    size_t node_count = (size_t)def->node_count;
    GtTransform* pose = gt_arena_push_array(&packing->arena, node_count, sizeof *pose);
    float* weights = gt_arena_push_array(&packing->arena, (size_t)def->weight_count, sizeof *weights);
    if (!pose || !weights) {
        return gti_out_of_memory(error);
    }
    if (node_count) {
        memcpy(pose, def->rest, node_count * sizeof *pose);
    }
    for (int32_t i = 0; i < packing->frame_count; ++i) {
        for (uint32_t held = 0; held < 2; ++held) {
            double frame = (double)i + (held ? GTI_AFTER_KEY : 0.0);
            gt_clip_sample(packing->source, gti_pack_time_s(packing, frame), pose, weights);
            take_samples(packing, held, i, pose, weights);
        }
    }
    return GT_OK;
}

// Of tracks that drive the same thing the last counts, as in playing: which ones do.
static GtResult find_counting(GtiClipPacking* packing, bool** out, GtError* error)
{
    const GtClip* clip = packing->source;
    size_t node_count = (size_t)clip->node_count;
    int32_t* widest = gt_arena_push_array(&packing->arena, 3 * node_count + (size_t)clip->weight_count, sizeof *widest);
    *out = gt_arena_push_array(&packing->arena, (size_t)clip->track_count, sizeof **out);
    if (!widest || !*out) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = clip->track_count - 1; i >= 0; --i) {
        const GtTrackDef* track = &clip->tracks[i];
        size_t place = track->kind == GT_TRACK_WEIGHTS ? 3 * node_count + (size_t)track->target
                                                       : 3 * (size_t)track->target + (size_t)track->kind;
        (*out)[i] = widest[place] < track->component_count;
        widest[place] = widest[place] > track->component_count ? widest[place] : track->component_count;
    }
    return GT_OK;
}

static GtResult order_tracks(GtiClipPacking* packing, GtError* error)
{
    size_t place_count = 3 * (size_t)packing->source->node_count;
    int32_t* at = gt_arena_push_array(&packing->arena, place_count, sizeof *at);
    packing->by_place = gt_arena_push_array(&packing->arena, (size_t)packing->track_count, sizeof *packing->by_place);
    if (!at || !packing->by_place) {
        return gti_out_of_memory(error);
    }
    int32_t count = 0;
    for (int32_t i = 0; i < packing->track_count; ++i) {
        if (packing->tracks[i].kind == GTI_PACKED_POSE) {
            at[packing->tracks[i].place] = i + 1;
        }
    }
    for (size_t place = 0; place < place_count; ++place) {
        if (at[place]) {
            packing->by_place[count++] = at[place] - 1;
        }
    }
    for (int32_t i = 0; i < packing->track_count; ++i) {
        if (packing->tracks[i].kind != GTI_PACKED_POSE) {
            packing->by_place[count++] = i;
        }
    }
    return GT_OK;
}

static double tolerance_of(const GtiClipPacking* packing, const GtiClipPackTrack* track)
{
    return (double)(track->kind == GTI_PACKED_WEIGHTS ? packing->def->weight_tolerance : packing->def->tolerance_m);
}

// Tracks that do not change, but for a small part of the tolerance, are stored once.
static GtResult find_fixed(GtiClipPacking* packing, GtError* error)
{
    for (int32_t i = 0; i < packing->track_count; ++i) {
        GtiClipPackTrack* track = &packing->tracks[i];
        double* value = gt_arena_push_array(&packing->arena, 4, sizeof *value);
        if (!value) {
            return gti_out_of_memory(error);
        }
        if (track->parts == 4) {
            align_turns((GtQuat*)track->samples, packing->frame_count);
        }
        add_constant(track, packing->frame_count, value);
        double budget = FIXED_SHARE * tolerance_of(packing, track) / track->lever;
        track->fixed = track->kind == GTI_PACKED_POSE && track->ways[0].error <= budget;
    }
    return GT_OK;
}

GtResult gti_pack_tracks(GtiClipPacking* packing, GtError* error)
{
    const GtClip* clip = packing->source;
    size_t count = 0;
    for (int32_t i = 0; i < clip->track_count; ++i) {
        const GtTrackDef* track = &clip->tracks[i];
        count += track->kind == GT_TRACK_WEIGHTS ? ((size_t)track->component_count + 2) / 3 : 1;
    }
    size_t node_count = (size_t)gt_character_def(packing->character)->node_count;
    packing->tracks = gt_arena_push_array(&packing->arena, count, sizeof *packing->tracks);
    Levers* levers = gt_arena_push_array(&packing->arena, node_count, sizeof *levers);
    if (!packing->tracks || !levers) {
        return gti_out_of_memory(error);
    }
    bool* counts = NULL;
    GtResult result = find_levers(packing, levers, error);
    result = result == GT_OK ? find_counting(packing, &counts, error) : result;
    for (int32_t i = 0; result == GT_OK && i < clip->track_count; ++i) {
        const GtTrackDef* track = &clip->tracks[i];
        int32_t end = track->kind == GT_TRACK_WEIGHTS ? track->component_count : 1;
        for (int32_t first = 0; result == GT_OK && first < end && counts[i]; first += 3) {
            result = add_track(packing, track, first, levers, error);
        }
    }
    result = result == GT_OK ? order_tracks(packing, error) : result;
    result = result == GT_OK ? sample_source(packing, error) : result;
    return result == GT_OK ? find_fixed(packing, error) : result;
}

GtResult gti_pack_fill_span(GtiClipPacking* packing, GtiPackSpan* span, GtError* error)
{
    int32_t frame_count = span->last - span->first + 1;
    GtiSplineFit fits[CUBIC_WAYS];
    GtResult result = GT_OK;
    span->tracks = gt_arena_push_array(&packing->arena, (size_t)packing->track_count, sizeof *span->tracks);
    for (int w = 0; result == GT_OK && w < CUBIC_WAYS && frame_count > SPACINGS[w]; ++w) {
        bool made = gti_spline_fit_create(&packing->arena, frame_count, SPACINGS[w], &fits[w]);
        result = made ? GT_OK : gti_out_of_memory(error);
    }
    result = span->tracks ? result : gti_out_of_memory(error);
    for (int32_t i = 0; result == GT_OK && i < packing->track_count; ++i) {
        GtiClipPackTrack* track = &span->tracks[i];
        *track = packing->tracks[i];
        if (track->fixed) {
            continue;
        }
        size_t size = (size_t)frame_count * track->parts;
        track->way_count = 0;
        track->samples = gt_arena_push_array(&packing->arena, size, sizeof(float));
        if (!track->samples) {
            return gti_out_of_memory(error);
        }
        memcpy(track->samples, packing->tracks[i].samples + (size_t)span->first * track->parts, size * sizeof(float));
        if (track->parts == 4) {
            make_turns(track, frame_count);
        }
        result = add_ways(packing, track, frame_count, fits, error);
    }
    return result;
}

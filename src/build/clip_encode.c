// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From tracks with a budget of error each to the bytes of a packed clip; runtime/clip/packed_clip.h has the format. A
// track takes the way that needs the fewest bits within its budget: what a spline leaves of it goes into the size of a
// step.

#include "build/clip_pack.h"

#include "base/memory.h"
#include "runtime/clip/clip.h"

#include <math.h>
#include <string.h>

enum {
    FEW = 4 // tracks
};

// Largest step whose rounding stays within an error, in the track's unit: half a step in every part at once.
static double step_within(const GtiClipPackTrack* track, double error)
{
    double length = 2.0 / sqrt(3.0) * error;
    return track->turns ? 0.25 * length : length;
}

static uint32_t width_of_range(double range)
{
    uint32_t width = 0;
    for (double most = 0.0; most < range && width < 64; most = 2.0 * most + 1.0) {
        ++width;
    }
    return width;
}

static double range_of(const GtiPackWay* way, uint32_t part)
{
    double low = INFINITY;
    double high = -INFINITY;
    for (int32_t i = 0; i < way->coefficient_count; ++i) {
        double value = way->coefficients[(size_t)i * GTI_PARTS + part];
        low = fmin(low, value);
        high = fmax(high, value);
    }
    return high - low;
}

// Bits that a way takes, with a step that is made larger where a number would have no room.
static double bits_of(const GtiPackWay* way, double* step)
{
    double most = (double)((1u << GTI_WIDEST) - 2);
    double ranges[GTI_PARTS];
    for (uint32_t part = 0; part < GTI_PARTS; ++part) {
        ranges[part] = range_of(way, part);
        *step = fmax(*step, ranges[part] / most);
    }
    uint32_t sum = 0;
    for (uint32_t part = 0; part < GTI_PARTS; ++part) {
        sum += width_of_range(rint(ranges[part] / *step));
    }
    return (double)sum * (double)way->coefficient_count;
}

// Where an even turn and a straight way take the same bits, the straight one comes first and costs less to play.
static void choose(GtiClipPackTrack* track)
{
    double fewest = INFINITY;
    for (int32_t w = 0; w < track->way_count; ++w) {
        const GtiPackWay* way = &track->ways[w];
        double left = track->budget - way->error;
        if (way->order == 0) {
            if (left >= 0.0) {
                track->way = w;
                track->step = step_within(track, track->budget);
                return;
            }
            continue;
        }
        bool straight = way->order == 2 && !way->even && way->error > 0.0;
        bool last = w == track->way_count - 1;
        if (left > (straight ? 0.85 : 0.05) * track->budget || last) {
            double step = step_within(track, straight || left <= 0.0 ? track->budget : left);
            double bits = bits_of(way, &step);
            if (bits < fewest) {
                fewest = bits;
                track->way = w;
                track->step = step;
            }
        }
    }
}

static bool is_mergeable(const GtiClipPackTrack* track, uint32_t spacing)
{
    const GtiPackWay* way = &track->ways[track->way];
    return !track->fixed && track->kind == GTI_PACKED_POSE && way->order == 4 && way->spacing == spacing;
}

// A layer of a few tracks costs as much to play as one of eight: they go to the next finer one that there is.
static void merge(const GtiClipPacking* packing, GtiPackSpan* span)
{
    for (uint32_t spacing = 1024, finer = 512; finer >= 2; spacing = finer, finer /= 2) {
        int32_t few = 0;
        int32_t others = 0;
        for (int32_t i = 0; i < packing->track_count; ++i) {
            few += is_mergeable(&span->tracks[i], spacing);
            others += is_mergeable(&span->tracks[i], finer);
        }
        for (int32_t i = 0; few < FEW && others && i < packing->track_count; ++i) {
            GtiClipPackTrack* track = &span->tracks[i];
            if (is_mergeable(track, spacing)) {
                ++track->way; // ways are in the order of their spacings
                double left = track->budget - track->ways[track->way].error;
                track->step = step_within(track, left > 0.0 ? left : track->budget);
                bits_of(&track->ways[track->way], &track->step);
            }
        }
    }
}

void gti_pack_choose(const GtiClipPacking* packing, GtiPackSpan* span)
{
    for (int32_t i = 0; i < packing->track_count; ++i) {
        if (!span->tracks[i].fixed) {
            choose(&span->tracks[i]);
        }
    }
    merge(packing, span);
}

// Room for `size` more zeroed bytes; NULL, from then on, when memory ran out.
static void* append(GtiPackBytes* bytes, size_t size)
{
    if (bytes->capacity - bytes->size < size) {
        size_t capacity = 2 * bytes->capacity + size + 4096;
        uint8_t* data = gti_arena_resize(&bytes->arena, bytes->data, bytes->capacity, capacity);
        if (!data) {
            bytes->data = NULL;
            bytes->capacity = 0;
            bytes->size = 0;
            return NULL;
        }
        bytes->data = data;
        bytes->capacity = capacity;
    }
    void* at = bytes->data + bytes->size;
    memset(at, 0, size);
    bytes->size += size;
    return at;
}

static bool align(GtiPackBytes* bytes, size_t alignment)
{
    return append(bytes, (alignment - bytes->size % alignment) % alignment) != NULL;
}

static const GtiPackWay* way_of(const GtiClipPackTrack* track)
{
    return &track->ways[track->way];
}

static bool is_constant(const GtiClipPackTrack* track)
{
    return track->fixed || (way_of(track)->order == 0 && track->kind == GTI_PACKED_POSE);
}

static void constant_value(const GtiClipPackTrack* track, float out[4])
{
    const double* v = way_of(track)->coefficients;
    double n = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    GtQuat q = gt_quat((float)v[0], (float)v[1], (float)v[2], 0.0f);
    if (track->parts == 4) { // of the whole clip: a quaternion
        q = gt_quat_normalize(gt_quat((float)v[0], (float)v[1], (float)v[2], (float)v[3]));
    } else if (track->turns) {
        q = gt_quat_normalize(gt_quat((float)(2.0 * v[0]), (float)(2.0 * v[1]), (float)(2.0 * v[2]), (float)(1.0 - n)));
    }
    memcpy(out, &q, sizeof q);
}

// What is being written: the file, and values, which come last.
typedef struct Writer {
    const GtiClipPacking* packing;
    GtiPackBytes* bytes;
    GtiPackBytes values;
    uint32_t value_count;
    bool fits;
} Writer;

// The shortest length of a run above `length`, or 0.
static uint32_t next_length(const GtiPackedRun* runs, uint32_t run_count, uint32_t length)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < run_count; ++i) {
        next = runs[i].count > length && (next == 0 || runs[i].count < next) ? runs[i].count : next;
    }
    return next;
}

// Runs by length, so that a processor that copies them can tell what comes next. False when memory ran out.
static bool sort_runs(Writer* writer, const GtiPackedConstants* constants)
{
    const size_t value_size = 4 * sizeof(float);
    size_t runs_size = constants->run_count * sizeof(GtiPackedRun);
    size_t values_size = (writer->value_count - constants->first_value) * value_size;
    if (constants->run_count < 2) {
        return true;
    }
    if (!append(writer->bytes, runs_size) || !append(&writer->values, values_size)) {
        return false;
    }
    GtiPackedRun* runs = (GtiPackedRun*)(writer->bytes->data + constants->runs);
    uint8_t* values = writer->values.data + constants->first_value * value_size;
    const GtiPackedRun* old_runs = memcpy(runs + constants->run_count, runs, runs_size);
    const uint8_t* old_values = memcpy(values + values_size, values, values_size);
    for (uint32_t length = 0; (length = next_length(old_runs, constants->run_count, length)) > 0;) {
        const uint8_t* from = old_values;
        for (uint32_t i = 0; i < constants->run_count; from += old_runs[i++].count * value_size) {
            if (old_runs[i].count == length) {
                *runs++ = old_runs[i];
                memcpy(values, from, length * value_size);
                values += length * value_size;
            }
        }
    }
    writer->bytes->size -= runs_size;
    writer->values.size -= values_size;
    return true;
}

// Constants among tracks, of the clip or of a span. False when memory ran out.
static bool write_constants(Writer* writer, const GtiClipPackTrack* tracks, bool fixed, GtiPackedConstants* out)
{
    *out = (GtiPackedConstants){ .runs = (uint32_t)writer->bytes->size, .first_value = writer->value_count };
    uint32_t last = UINT32_MAX - 1;
    for (int32_t i = 0; i < writer->packing->track_count; ++i) {
        const GtiClipPackTrack* track = &tracks[writer->packing->by_place[i]];
        if (!is_constant(track) || track->fixed != fixed) {
            continue;
        }
        if (track->place == last + 1) {
            ++((GtiPackedRun*)(writer->bytes->data + out->runs))[out->run_count - 1].count;
        } else {
            GtiPackedRun* run = append(writer->bytes, sizeof *run);
            if (!run) {
                return false;
            }
            *run = (GtiPackedRun){ track->place, 1 };
            ++out->run_count;
        }
        float* value = append(&writer->values, 4 * sizeof *value);
        if (!value) {
            return false;
        }
        constant_value(track, value);
        ++writer->value_count;
        last = track->place;
    }
    return sort_runs(writer, out);
}

// Order and spacing under which a track is stored; a constant weight is a line without bits.
static GtiPackedLayer layer_of(const GtiPackSpan* span, const GtiClipPackTrack* track)
{
    const GtiPackWay* way = way_of(track);
    uint32_t frames = (uint32_t)(span->last - span->first);
    uint32_t intervals = (frames + way->spacing - 1) / way->spacing;
    return (GtiPackedLayer){
        .kind = track->kind,
        .mix = track->held ? GTI_PACKED_HELD
               : way->even ? GTI_PACKED_EVEN
                           : GTI_PACKED_STRAIGHT,
        .order = way->order == 4 ? 4 : 2,
        .spacing = way->spacing,
        .interval_count = intervals ? intervals : 1,
    };
}

static bool is_in(const GtiPackSpan* span, const GtiClipPackTrack* track, const GtiPackedLayer* layer)
{
    GtiPackedLayer own = layer_of(span, track);
    return !is_constant(track) && own.kind == layer->kind && own.mix == layer->mix && own.order == layer->order &&
           own.spacing == layer->spacing;
}

static double coefficient(const GtiClipPackTrack* track, uint32_t index, uint32_t part)
{
    const GtiPackWay* way = way_of(track);
    uint32_t last = (uint32_t)way->coefficient_count - 1;
    return way->coefficients[(size_t)(index < last ? index : last) * GTI_PARTS + part];
}

static void put_bits(uint8_t* to, uint32_t at, uint32_t width, uint64_t value)
{
    for (uint32_t i = 0; i < width; ++i, ++at) {
        to[at / 8] |= (uint8_t)(((value >> i) & 1) << (at % 8));
    }
}

// Base and width of one part of a lane; false where the width has no room.
static bool fit_part(const GtiPackedLayer* layer, const GtiClipPackTrack* track, uint32_t part, float* base,
                     uint32_t* width)
{
    double low = INFINITY;
    double high = -INFINITY;
    for (uint32_t i = 0; i < layer->interval_count + layer->order - 1; ++i) {
        double value = coefficient(track, i, part);
        low = fmin(low, value);
        high = fmax(high, value);
    }
    *base = (float)low;
    *width = width_of_range(rint(fmax(high - (double)*base, 0.0) / (double)(float)track->step));
    bool fits = *width <= GTI_WIDEST;
    *width = fits ? *width : 0;
    return fits;
}

// The tracks of one group.
typedef struct Group {
    const GtiClipPackTrack* tracks[GTI_LANES];
    uint32_t count;
} Group;

static bool write_group(Writer* writer, const GtiPackedLayer* layer, const Group* from)
{
    GtiPackedGroup group = { .lane_count = from->count };
    for (uint32_t lane = 0; lane < from->count; ++lane) {
        const GtiClipPackTrack* track = from->tracks[lane];
        group.places[lane] = track->place;
        group.steps[lane] = (float)track->step;
        group.turns |= track->kind == GTI_PACKED_WEIGHTS ? track->weight_count << (2 * lane) : track->turns << lane;
        for (uint32_t part = 0; part < GTI_PARTS; ++part) {
            uint32_t width;
            writer->fits &= fit_part(layer, track, part, &group.bases[part][lane], &width);
            group.widths[lane] |= (uint16_t)(width << (5 * part));
        }
    }
    uint32_t starts[GTI_LANES];
    uint32_t stride = gti_packed_stride(&group, starts);
    uint8_t* to = append(writer->bytes, gti_packed_group_size(layer, stride));
    if (!to) {
        return false;
    }
    memcpy(to, &group, sizeof group);
    to += sizeof group;
    for (uint32_t i = 0; i < layer->interval_count + layer->order - 1; ++i, to += stride) {
        for (uint32_t lane = 0; lane < from->count; ++lane) {
            uint32_t at = starts[lane];
            for (uint32_t part = 0; part < GTI_PARTS; ++part) {
                uint32_t width = ((uint32_t)group.widths[lane] >> (5 * part)) & 31;
                double above = coefficient(from->tracks[lane], i, part) - (double)group.bases[part][lane];
                int64_t number = llround(fmax(above, 0.0) / (double)group.steps[lane]);
                put_bits(to, at, width, (uint64_t)number);
                at += width;
            }
        }
    }
    return true;
}

static bool write_groups(Writer* writer, const GtiPackSpan* span, GtiPackedLayer* layer)
{
    layer->groups = (uint32_t)writer->bytes->size;
    Group group = { .count = 0 };
    bool done = true;
    for (int32_t i = 0; done && i < writer->packing->track_count; ++i) {
        if (is_in(span, &span->tracks[i], layer)) {
            group.tracks[group.count++] = &span->tracks[i];
        }
        if (group.count == GTI_LANES || (group.count && i + 1 == writer->packing->track_count)) {
            done = write_group(writer, layer, &group);
            group.count = 0;
            ++layer->group_count;
        }
    }
    return done;
}

// One layer for each kind of track there is.
static bool write_layers(Writer* writer, const GtiPackSpan* span, GtiPackedSpan* out)
{
    GtiPackBytes* bytes = writer->bytes;
    out->layers = (uint32_t)bytes->size;
    for (int32_t i = 0; i < writer->packing->track_count; ++i) {
        const GtiClipPackTrack* track = &span->tracks[i];
        bool known = is_constant(track);
        for (uint32_t k = 0; !known && k < out->layer_count; ++k) {
            known = is_in(span, track, (const GtiPackedLayer*)(bytes->data + out->layers) + k);
        }
        if (!known) {
            GtiPackedLayer* layer = append(bytes, sizeof *layer);
            if (!layer) {
                return false;
            }
            *layer = layer_of(span, track);
            ++out->layer_count;
        }
    }
    bool done = true;
    for (uint32_t k = 0; done && k < out->layer_count; ++k) {
        GtiPackedLayer layer;
        size_t at = out->layers + k * sizeof layer;
        memcpy(&layer, bytes->data + at, sizeof layer);
        done = write_groups(writer, span, &layer);
        if (done) {
            memcpy(bytes->data + at, &layer, sizeof layer);
        }
    }
    return done;
}

static bool write_spans(Writer* writer, const GtiPackSpan* spans, int32_t span_count, GtiPackedHead* head)
{
    GtiPackBytes* bytes = writer->bytes;
    head->spans = (uint32_t)bytes->size;
    head->span_count = (uint32_t)span_count;
    bool done = append(bytes, (size_t)span_count * sizeof(GtiPackedSpan)) != NULL;
    for (int32_t i = 0; done && i < span_count; ++i) {
        GtiPackedSpan span = {
            .first_frame = (uint32_t)(spans[i].first - spans[0].first),
            .last_frame = (uint32_t)(spans[i].last - spans[0].first),
        };
        done =
            write_constants(writer, spans[i].tracks, false, &span.constants) && write_layers(writer, &spans[i], &span);
        if (done) {
            memcpy(bytes->data + head->spans + (size_t)i * sizeof span, &span, sizeof span);
        }
    }
    return done;
}

static bool write_values(Writer* writer, GtiPackedHead* head)
{
    bool done = append(writer->bytes, GTI_PACKED_PADDING) && align(writer->bytes, 16);
    head->values = (uint32_t)writer->bytes->size;
    head->value_count = writer->value_count;
    void* to = done ? append(writer->bytes, writer->values.size) : NULL;
    if (to && writer->values.size) {
        memcpy(to, writer->values.data, writer->values.size);
    }
    return to != NULL;
}

bool gti_pack_encode(const GtiClipPacking* packing, const GtiPackSpan* spans, int32_t span_count, GtiPackBytes* out,
                     bool* fits)
{
    Writer writer = {
        .packing = packing,
        .bytes = out,
        .values = { .arena = gt_arena_create(packing->arena.allocator) },
        .fits = true,
    };
    GtiPackedHead head = {
        .magic = { 'G', 't', 'C', 'l' },
        .version = GTI_PACKED_VERSION,
        .start_s = gti_pack_time_s(packing, (double)spans[0].first),
        .rate_hz = packing->rate_hz,
        .last_frame = (uint32_t)(spans[span_count - 1].last - spans[0].first),
        .node_count = (uint32_t)packing->source->node_count,
        .weight_count = (uint32_t)packing->source->weight_count,
        .tolerance_m = packing->def->tolerance_m,
        .shell_m = packing->def->shell_m,
    };
    out->size = 0;
    bool done = append(out, sizeof head) && write_constants(&writer, packing->tracks, true, &head.constants) &&
                write_spans(&writer, spans, span_count, &head) && write_values(&writer, &head) &&
                out->size < UINT32_MAX / 2;
    gt_arena_destroy(&writer.values.arena);
    *fits = writer.fits;
    if (done) {
        head.size = (uint32_t)out->size;
        memcpy(out->data, &head, sizeof head);
    }
    return done;
}

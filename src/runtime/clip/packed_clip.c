// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Checking and playing packed clips; packed_clip.h has the format. Everything that sampling relies on is checked once,
// when the bytes come in, so that it needs no checks itself.

#include "runtime/clip/packed_clip.h"

#include "base/fail.h"
#include "base/hash.h"
#include "runtime/kernels.h"

#include <math.h>
#include <string.h>

enum {
    POSE_UNITS = sizeof(GtTransform) / 16 // places of a node
};

static uint32_t width_of(uint32_t widths, uint32_t part)
{
    return (widths >> (5 * part)) & 31;
}

uint32_t gti_packed_stride(const GtiPackedGroup* group, uint32_t starts[GTI_LANES])
{
    uint32_t bits = 0;
    for (uint32_t lane = 0; lane < GTI_LANES; ++lane) {
        starts[lane] = bits;
        for (uint32_t part = 0; part < GTI_PARTS; ++part) {
            bits += width_of(group->widths[lane], part);
        }
    }
    return (bits + 7) / 8;
}

// A table of `count` entries of `size` bytes at `offset` lies in the file, at a multiple of 4 (16 for values).
static bool in_file(const GtiPackedHead* head, uint32_t offset, uint32_t count, size_t size, uint32_t alignment)
{
    return offset % alignment == 0 && offset >= sizeof *head && offset <= head->size &&
           (uint64_t)count * size <= head->size - offset;
}

static GtResult check_head(const GtiPackedHead* head, size_t size, GtError* error)
{
    if (size < sizeof *head || memcmp(head->magic, "GtCl", 4) != 0) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "this is not a packed clip");
    }
    if (head->version != GTI_PACKED_VERSION) {
        return gti_fail(error, GT_ERROR_UNSUPPORTED, "packed clip of version %u; this library reads version %d",
                        head->version, GTI_PACKED_VERSION);
    }
    size_t start = offsetof(GtiPackedHead, checksum) + sizeof head->checksum;
    if (head->size != size || size % 16 != 0 ||
        gti_checksum((const char*)head + start, size - start) != head->checksum) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "packed clip is damaged or cut short: pack it again");
    }
    bool times = isfinite(head->start_s) && isfinite(head->rate_hz) && head->rate_hz > 0.0 && head->rate_hz <= 1e6;
    bool tables = in_file(head, head->values, head->value_count, 4 * sizeof(float), 16) &&
                  in_file(head, head->spans, head->span_count, sizeof(GtiPackedSpan), 4) && head->span_count > 0;
    if (!times || !tables || head->node_count > INT32_MAX / POSE_UNITS || head->weight_count > INT32_MAX ||
        head->last_frame > INT32_MAX / 2) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "packed clip: its head does not fit its bytes");
    }
    return GT_OK;
}

// Take `size` bytes from those that no table has had yet. Tables of a clip share nothing, so that checking all of them
// takes no longer than reading the bytes once.
static bool take(uint64_t* left, uint64_t size)
{
    bool enough = size <= *left;
    *left -= enough ? size : 0;
    return enough;
}

static GtResult check_constants(const GtiPackedHead* head, const GtiPackedConstants* constants, uint64_t* left,
                                GtError* error)
{
    bool good = in_file(head, constants->runs, constants->run_count, sizeof(GtiPackedRun), 4) &&
                take(left, constants->run_count * sizeof(GtiPackedRun));
    const GtiPackedRun* runs = (const GtiPackedRun*)((const char*)head + constants->runs);
    uint64_t value = constants->first_value;
    for (uint32_t i = 0; good && i < constants->run_count; ++i) {
        value += runs[i].count;
        good = value <= head->value_count && (uint64_t)runs[i].place + runs[i].count <= head->node_count * POSE_UNITS;
    }
    return good ? GT_OK : gti_fail(error, GT_ERROR_BAD_FILE, "packed clip: a constant is out of range");
}

static GtResult check_values(const GtiPackedHead* head, GtError* error)
{
    const float* values = (const float*)((const char*)head + head->values);
    for (size_t i = 0; i < 4 * (size_t)head->value_count; ++i) {
        if (!isfinite(values[i])) {
            return gti_fail(error, GT_ERROR_BAD_FILE, "packed clip: value %zu is not a finite number", i);
        }
    }
    return GT_OK;
}

static bool is_group(const GtiPackedHead* head, const GtiPackedLayer* layer, const GtiPackedGroup* group)
{
    bool weights = layer->kind == GTI_PACKED_WEIGHTS;
    uint32_t limit = weights ? head->weight_count : head->node_count * POSE_UNITS;
    bool good = group->lane_count <= GTI_LANES && group->turns < (weights ? 1u << 2 * GTI_LANES : 1u << GTI_LANES);
    for (uint32_t lane = 0; good && lane < GTI_LANES; ++lane) {
        bool used = lane < group->lane_count;
        uint32_t last = weights ? (group->turns >> (2 * lane)) & 3 : 1;
        good = !used || (uint64_t)group->places[lane] + last <= limit;
        good &= fabsf(group->steps[lane]) <= 1e12f; // NaN fails
        for (uint32_t part = 0; part < GTI_PARTS; ++part) {
            good &= width_of(group->widths[lane], part) <= GTI_WIDEST && fabsf(group->bases[part][lane]) <= 1e12f;
        }
    }
    return good;
}

// Groups one after the other, all within the file but for its padding.
static bool are_groups(const GtiPackedHead* head, const GtiPackedLayer* layer, uint64_t* left)
{
    uint64_t at = layer->groups;
    uint64_t end = (uint64_t)head->size - GTI_PACKED_PADDING;
    bool good = at % 4 == 0 && at >= sizeof *head;
    for (uint32_t g = 0; good && g < layer->group_count; ++g) {
        good = at + gti_packed_group_size(layer, 0) <= end && take(left, gti_packed_group_size(layer, 0));
        const GtiPackedGroup* group = (const GtiPackedGroup*)((const char*)head + at);
        uint32_t starts[GTI_LANES];
        good = good && is_group(head, layer, group);
        at += good ? gti_packed_group_size(layer, gti_packed_stride(group, starts)) : 0;
        good &= at <= end;
    }
    return good;
}

static GtResult check_layer(const GtiPackedHead* head, const GtiPackedSpan* span, const GtiPackedLayer* layer,
                            uint64_t* left, GtError* error)
{
    bool shape = layer->kind < GTI_PACKED_KIND_COUNT && layer->mix < GTI_PACKED_MIX_COUNT &&
                 (layer->order == 2 || (layer->order == 4 && layer->mix == GTI_PACKED_STRAIGHT)) &&
                 layer->spacing >= 1 && layer->spacing <= 1024;
    uint32_t frames = span->last_frame - span->first_frame;
    uint32_t intervals = shape && frames ? (frames + layer->spacing - 1) / layer->spacing : 1;
    if (!shape || layer->interval_count != intervals || !are_groups(head, layer, left)) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "packed clip: a layer does not fit its bytes");
    }
    return GT_OK;
}

static GtResult check_span(const GtiPackedHead* head, uint32_t index, uint64_t* left, GtError* error)
{
    const GtiPackedSpan* spans = (const GtiPackedSpan*)((const char*)head + head->spans);
    const GtiPackedSpan* span = &spans[index];
    bool last = index + 1 == head->span_count;
    if (span->last_frame < span->first_frame || (index == 0 && span->first_frame != 0) ||
        span->last_frame != (last ? head->last_frame : spans[index + 1].first_frame) ||
        !in_file(head, span->layers, span->layer_count, sizeof(GtiPackedLayer), 4) ||
        !take(left, span->layer_count * sizeof(GtiPackedLayer))) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "packed clip: span %u does not fit its bytes", index);
    }
    GtResult result = check_constants(head, &span->constants, left, error);
    const GtiPackedLayer* layers = (const GtiPackedLayer*)((const char*)head + span->layers);
    for (uint32_t i = 0; result == GT_OK && i < span->layer_count; ++i) {
        result = check_layer(head, span, &layers[i], left, error);
    }
    return result;
}

GtResult gti_packed_check(const void* bytes, size_t size, GtError* error)
{
    GT_ASSERT((uintptr_t)bytes % 16 == 0);
    const GtiPackedHead* head = bytes;
    uint64_t left = size;
    GtResult result = check_head(head, size, error);
    if (result == GT_OK) {
        result = check_constants(head, &head->constants, &left, error);
    }
    if (result == GT_OK) {
        result = check_values(head, error);
    }
    for (uint32_t i = 0; result == GT_OK && i < head->span_count; ++i) {
        result = check_span(head, i, &left, error);
    }
    return result;
}

static GtQuat turn_of(const float* v)
{
    float n = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    float inverse = 1.0f / (1.0f + n);
    float twice = 2.0f * inverse;
    return gt_quat(v[0] * twice, v[1] * twice, v[2] * twice, (1.0f - n) * inverse);
}

// Where the bits of one lane are.
typedef struct LaneBits {
    const GtiPackedGroup* group;
    const uint8_t* first; // bits of the first coefficient that counts
    uint32_t stride;
    uint32_t start;
} LaneBits;

// Add `share` of a coefficient, in steps, to each part.
static void add_coefficient(const LaneBits* from, uint32_t lane, uint32_t c, float share, float v[4])
{
    uint64_t bits;
    memcpy(&bits, from->first + (size_t)c * from->stride + from->start / 8, sizeof bits);
    bits >>= from->start % 8;
    for (uint32_t part = 0; part < GTI_PARTS; ++part) {
        uint32_t width = width_of(from->group->widths[lane], part);
        v[part] += share * (float)(uint32_t)(bits & ((1u << width) - 1));
        bits >>= width;
    }
}

static void scale_steps(const GtiPackedGroup* group, uint32_t lane, float v[4])
{
    for (uint32_t part = 0; part < GTI_PARTS; ++part) {
        v[part] = group->bases[part][lane] + v[part] * group->steps[lane];
    }
}

static void unpack_lane(const GtiUnpackJob* job, const LaneBits* from, uint32_t lane)
{
    const GtiPackedGroup* group = from->group;
    bool turns = job->layer->kind == GTI_PACKED_POSE && (group->turns >> lane) & 1;
    float v[4] = { 0.0f };
    if (turns && job->layer->mix == GTI_PACKED_EVEN) {
        float last[4] = { 0.0f };
        add_coefficient(from, lane, 0, 1.0f, v);
        add_coefficient(from, lane, 1, 1.0f, last);
        scale_steps(group, lane, v);
        scale_steps(group, lane, last);
        GtQuat q = gt_quat_slerp(turn_of(v), turn_of(last), job->shares[1]);
        memcpy(v, &q, sizeof q);
    } else {
        for (uint32_t c = 0; c < job->layer->order; ++c) {
            add_coefficient(from, lane, c, job->shares[c], v);
        }
        scale_steps(group, lane, v);
        if (turns) {
            GtQuat q = turn_of(v);
            memcpy(v, &q, sizeof q);
        }
    }
    gti_unpack_put(job, group, lane, v);
}

void gti_unpack_scalar(const GtiUnpackJob* job)
{
    const GtiPackedLayer* layer = job->layer;
    const GtiPackedGroup* group = job->groups;
    for (uint32_t g = 0; g < layer->group_count; ++g) {
        uint32_t starts[GTI_LANES];
        uint32_t stride = gti_packed_stride(group, starts);
        const uint8_t* bits = (const uint8_t*)(group + 1);
        for (uint32_t lane = 0; lane < group->lane_count; ++lane) {
            LaneBits from = { group, bits + (size_t)job->first * stride, stride, starts[lane] };
            unpack_lane(job, &from, lane);
        }
        group = (const GtiPackedGroup*)((const char*)group + gti_packed_group_size(layer, stride));
    }
}

static void share(const GtiPackedLayer* layer, float t, float shares[4])
{
    t = layer->mix == GTI_PACKED_HELD && t < 1.0f ? 0.0f : t;
    float u = 1.0f - t;
    if (layer->order == 2) {
        shares[0] = u;
        shares[1] = t;
        return;
    }
    float sixth = 1.0f / 6.0f;
    shares[0] = u * u * u * sixth;
    shares[1] = (4.0f + t * t * (3.0f * t - 6.0f)) * sixth;
    shares[2] = (4.0f + u * u * (3.0f * u - 6.0f)) * sixth;
    shares[3] = t * t * t * sixth;
}

static void sample_layer(const GtiPackedHead* head, const GtiPackedLayer* layer, double frame, float* out)
{
    double at = frame / (double)layer->spacing;
    uint32_t interval = (uint32_t)at;
    interval = interval < layer->interval_count ? interval : layer->interval_count - 1;
    GtiUnpackJob job = {
        .layer = layer,
        .groups = (const GtiPackedGroup*)((const char*)head + layer->groups),
        .first = interval,
        .out = out,
    };
    share(layer, (float)(at - (double)interval), job.shares);
    gti_kernels()->unpack(&job);
}

enum {
    LONG_RUN = 8 // values, worth a call
};

// Runs of as many values as the first of them; gives the run after those. Inlined for usual lengths, so that no copy of
// a few bytes becomes a call.
static inline __attribute__((always_inline)) const GtiPackedRun*
put_alike(const GtiPackedRun* run, const GtiPackedRun* end, uint32_t count, const char** values, char* pose)
{
    const char* value = *values;
    do {
        char* to = pose + 16 * (size_t)run->place;
        if (count < LONG_RUN) {
            for (uint32_t i = 0; i < count; ++i) {
                memcpy(to + 16 * (size_t)i, value + 16 * (size_t)i, 16);
            }
        } else {
            memcpy(to, value, 16 * (size_t)count);
        }
        value += 16 * (size_t)count;
    } while (++run < end && run->count == count);
    *values = value;
    return run;
}

static void put_constants(const GtiPackedHead* head, const GtiPackedConstants* constants, GtTransform* pose)
{
    const GtiPackedRun* run = (const GtiPackedRun*)((const char*)head + constants->runs);
    const GtiPackedRun* end = run + constants->run_count;
    const char* values = (const char*)head + head->values + 16 * (size_t)constants->first_value;
    while (run < end) {
        switch (run->count) {
        case 1:
            run = put_alike(run, end, 1, &values, (char*)pose);
            break;
        case 2:
            run = put_alike(run, end, 2, &values, (char*)pose);
            break;
        case 3:
            run = put_alike(run, end, 3, &values, (char*)pose);
            break;
        default:
            run = put_alike(run, end, run->count, &values, (char*)pose);
            break;
        }
    }
}

// The last span that starts no later.
static const GtiPackedSpan* find_span(const GtiPackedHead* head, double frame)
{
    const GtiPackedSpan* spans = (const GtiPackedSpan*)((const char*)head + head->spans);
    uint32_t low = 0;
    uint32_t high = head->span_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if ((double)spans[middle].first_frame <= frame) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &spans[low];
}

void gti_packed_sample(const GtiPackedHead* head, double time_s, GtTransform* pose, float* weights)
{
    double frame = (time_s - head->start_s) * head->rate_hz;
    frame = frame > 0.0 ? frame : 0.0; // NaN too
    frame = frame < (double)head->last_frame ? frame : (double)head->last_frame;
    const GtiPackedSpan* span = find_span(head, frame);
    put_constants(head, &head->constants, pose);
    put_constants(head, &span->constants, pose);
    const GtiPackedLayer* layers = (const GtiPackedLayer*)((const char*)head + span->layers);
    for (uint32_t i = 0; i < span->layer_count; ++i) {
        float* out = layers[i].kind == GTI_PACKED_POSE ? (float*)pose : weights;
        if (out) {
            sample_layer(head, &layers[i], frame - (double)span->first_frame, out);
        }
    }
}

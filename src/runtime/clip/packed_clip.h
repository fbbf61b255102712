// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The bytes of a packed clip: what is played, stored and mapped alike, little-endian, without pointers; places are
// offsets from the head.
//
// Time is cut into spans. In a span every track is a constant, or a uniform B-spline, cubic or linear, whose
// coefficients are whole numbers of steps above a base. Tracks whose coefficients are equally far apart form a layer;
// its tracks are decoded in groups of eight. So a pose is made from one place of each layer, whatever the time. A group
// is
//   GtiPackedGroup,
//   and for each coefficient the three parts of all lanes, lane after lane, low bits first, up to a whole byte;
//   then up to a multiple of 4 bytes.
// A value is base + bits * step. Its parts are a translation, a scale, up to three morph weights in a row, or a
// rotation as modified Rodrigues parameters (axis times the tangent of a quarter of the angle), from which a unit
// quaternion comes without a root; a span ends before a joint that turns round and round comes near a whole turn, where
// they have no end. Between linear coefficients values go straight; or rotations turn evenly, as they do between keys;
// or values are held, and the second coefficient counts only when the first one's time is over.

#ifndef GERTIE_RUNTIME_CLIP_PACKED_CLIP_H
#define GERTIE_RUNTIME_CLIP_PACKED_CLIP_H

#include "gertie/error.h"
#include "gertie/transform.h"

#include <string.h>

enum {
    GTI_LANES = 8,
    GTI_PACKED_VERSION = 1,
    GTI_PACKED_PADDING = 8, // bytes after the last group that may be read, and hold nothing
    GTI_PARTS = 3,
    GTI_WIDEST = 19, // bits of a part: a lane's are within eight bytes, wherever they start
};

// Values that do not change, from `first_value` on, and where in the pose they go.
typedef struct GtiPackedConstants {
    uint32_t run_count;
    uint32_t runs; // GtiPackedRun[run_count]
    uint32_t first_value;
} GtiPackedConstants;

typedef struct GtiPackedRun {
    uint32_t place; // in the pose, in units of 16 bytes
    uint32_t count; // of values that go there, one after the other
} GtiPackedRun;

typedef struct GtiPackedHead {
    char magic[4];     // "GtCl"
    uint32_t version;  // GTI_PACKED_VERSION
    uint32_t size;     // of everything, a multiple of 16
    uint32_t checksum; // gti_checksum() of what comes after it
    double start_s;
    double rate_hz; // of frames
    uint32_t last_frame;
    uint32_t node_count;
    uint32_t weight_count;
    uint32_t value_count;
    uint32_t values;              // float[value_count][4]
    GtiPackedConstants constants; // of the whole clip
    uint32_t span_count;
    uint32_t spans; // GtiPackedSpan[span_count]
    float tolerance_m;
    float shell_m;
    float error_m; // the largest that was measured
} GtiPackedHead;

typedef struct GtiPackedSpan {
    uint32_t first_frame; // that of the first is 0
    uint32_t last_frame;  // first frame of the next span, or the clip's last
    GtiPackedConstants constants;
    uint32_t layer_count;
    uint32_t layers; // GtiPackedLayer[layer_count]
} GtiPackedSpan;

typedef enum GtiPackedKind {
    GTI_PACKED_POSE,    // translations, rotations, scales
    GTI_PACKED_WEIGHTS, // of morphs
    GTI_PACKED_KIND_COUNT
} GtiPackedKind;

typedef enum GtiPackedMix {
    GTI_PACKED_STRAIGHT,
    GTI_PACKED_EVEN,
    GTI_PACKED_HELD,
    GTI_PACKED_MIX_COUNT
} GtiPackedMix;

typedef struct GtiPackedLayer {
    uint32_t kind;           // GtiPackedKind
    uint32_t mix;            // GtiPackedMix; straight for cubic ones
    uint32_t order;          // coefficients that a value takes: 2 or 4
    uint32_t spacing;        // frames from one coefficient to the next
    uint32_t interval_count; // ceil(frames / spacing), or 1; there are order - 1 more coefficients
    uint32_t group_count;
    uint32_t groups; // the first one; others follow
} GtiPackedLayer;

typedef struct GtiPackedGroup {
    uint32_t lane_count;
    uint32_t turns;             // bit i: lane i is a rotation; of weights, bits 2 i and 2 i + 1: how many lane i has
    uint16_t widths[GTI_LANES]; // bits of each part, 5 bits a part
    uint32_t places[GTI_LANES]; // in the pose, in units of 16 bytes, or the first weight
    float steps[GTI_LANES];
    float bases[GTI_PARTS][GTI_LANES];
} GtiPackedGroup;

// One layer at one time.
typedef struct GtiUnpackJob {
    const GtiPackedLayer* layer;
    const GtiPackedGroup* groups; // the first one
    uint32_t first;               // of the `order` coefficients that count
    float shares[4];              // theirs
    float* out;                   // the pose, or morph weights
} GtiUnpackJob;

void gti_unpack_scalar(const GtiUnpackJob* job);
#if defined(__x86_64__)
void gti_unpack_avx2(const GtiUnpackJob* job);
#endif

// Check that `size` bytes at `bytes`, aligned to 16, are a packed clip: every offset, count, number and the checksum.
// What passes can be sampled without another check.
GtResult gti_packed_check(const void* bytes, size_t size, GtError* error);

// Bytes of a coefficient of one group, and where each lane's bits start in it.
uint32_t gti_packed_stride(const GtiPackedGroup* group, uint32_t starts[GTI_LANES]);

// Bytes of a group with so many bytes a coefficient.
static inline size_t gti_packed_group_size(const GtiPackedLayer* layer, uint32_t stride)
{
    size_t bits = (size_t)stride * (layer->interval_count + layer->order - 1);
    return sizeof(GtiPackedGroup) + ((bits + 3) & ~(size_t)3);
}

// Write the clip's values at a time into the pose and, where they are not NULL, the weights.
void gti_packed_sample(const GtiPackedHead* head, double time_s, GtTransform* pose, float* weights);

// Copy a lane's parts to where they belong.
static inline void gti_unpack_put(const GtiUnpackJob* job, const GtiPackedGroup* group, uint32_t lane,
                                  const float parts[4])
{
    if (job->layer->kind == GTI_PACKED_POSE) {
        memcpy(job->out + 4 * (size_t)group->places[lane], parts, 4 * sizeof *parts);
    } else {
        memcpy(job->out + group->places[lane], parts, ((group->turns >> (2 * lane)) & 3) * sizeof *parts);
    }
}

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The motion of an AMC file as curves, in the units and axes of its skeleton.

#ifndef GERTIE_IO_ASF_MOTION_H
#define GERTIE_IO_ASF_MOTION_H

#include "gertie/scene.h"
#include "io/asf/skeleton.h"

enum {
    GTI_AMC_MAX_FRAMES = 1 << 23 // up to here frame / rate is a float of its own for every frame
};

typedef enum GtiAmcRepair {
    GTI_AMC_UNKNOWN_WORD,
    GTI_AMC_UNKNOWN_BONE,
    GTI_AMC_NUMBERS,
    GTI_AMC_VALUES_FEWER,
    GTI_AMC_VALUES_MORE,
    GTI_AMC_VALUE,
    GTI_AMC_BONE_TWICE,
    GTI_AMC_BONE_MISSING,
    GTI_AMC_LENGTH,
    GTI_AMC_REPAIR_COUNT,
} GtiAmcRepair;

// Where the curves of a bone begin in the data, in floats; SIZE_MAX where there is none.
typedef struct GtiAmcTrack {
    size_t translation;      // [frame_count * 3]
    size_t rotation;         // [frame_count * 4]
    GtiQuat world_from_axes; // at rest
    int64_t line_count;
    int64_t last_frame; // that had a line of this bone, or -1
} GtiAmcTrack;

typedef struct GtiAmcMotion {
    GtiWords words;
    GtiWordsRepaired repaired[GTI_AMC_REPAIR_COUNT];
    const GtiAsfSkeleton* skeleton;
    GtiAmcTrack* tracks; // [bone_count]
    int64_t frame_count;
    double rate_hz; // 0 where the file does not say
    double radians_per_angle;
    GtBlob* blob; // times [frame_count], then the curves, all floats; the caller releases it, also on failure
    float* data;
} GtiAmcMotion;

// Parse a motion. All of `motion` is set here; arrays are in the skeleton's arena.
GtResult gti_amc_parse(const GtContext* context, const GtiInput* input, const GtiAsfSkeleton* skeleton,
                       GtiAmcMotion* motion, GtError* error);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The motion of an .skm file as curves, in metres and Y up, and what it says about its times.

#ifndef GERTIE_IO_SMARTBODY_MOTION_H
#define GERTIE_IO_SMARTBODY_MOTION_H

#include "io/smartbody/skeleton.h"

enum {
    GTI_SKM_MAX_FRAMES = 1 << 23
};

typedef enum GtiSkmRepair {
    GTI_SKM_CHANNELS,
    GTI_SKM_CHANNEL_TYPE,
    GTI_SKM_UNKNOWN_JOINT,
    GTI_SKM_RIGID,
    GTI_SKM_FRAME_COUNT,
    GTI_SKM_FRAME_CUT,
    GTI_SKM_TIME,
    GTI_SKM_VALUE,
    GTI_SKM_STRAY,
    GTI_SKM_TAG,
    GTI_SKM_NAME,
    GTI_SKM_REPAIR_COUNT,
} GtiSkmRepair;

// One channel, in the order of a frame's values.
typedef struct GtiSkmChannel {
    int32_t joint; // or GT_NONE where it is left out
    GtiSkChannelType type;
} GtiSkmChannel;

// Where the curves of a joint begin in the data, in floats; SIZE_MAX where there is none.
typedef struct GtiSkmTrack {
    size_t translation; // [frame_count * 3]
    size_t rotation;    // [frame_count * 4]
} GtiSkmTrack;

typedef struct GtiSkmMotion {
    GtiWords words;
    GtiWordsRepaired repaired[GTI_SKM_REPAIR_COUNT];
    const GtiSkSkeleton* skeleton;
    double units_ratio; // of the motion's unit to the skeleton's
    GtiWord name;       // that the file says, or empty
    GtiSkmChannel* channels;
    int32_t channel_count;
    int32_t value_count;    // numbers of a frame
    double* values;         // [value_count] of a frame; a number that is not finite keeps the one of the frame before
    GtiSkmTrack* tracks;    // [joint_count]
    double (*positions)[3]; // [joint_count] that the second pass has read last
    GtiWords body;          // the text after the channels
    int64_t frame_count;
    int64_t read_count;    // frames of this pass
    double promised_count; // "frames", or negative
    double shift_s;        // added to the times
    double start_s;        // "start_kt", or negative
    const char* extras;    // JSON object, in the arena; NULL where the file has no metadata
    GtBlob* blob;          // times [frame_count], then the curves, all floats; the caller releases it, also on failure
    float* data;
} GtiSkmMotion;

// Parse a motion on a skeleton that has its units. All of `motion` is set here; arrays are in the skeleton's arena.
GtResult gti_skm_parse(const GtContext* context, const GtiInput* input, const GtiSkSkeleton* skeleton,
                       GtiSkmMotion* motion, GtError* error);

#endif

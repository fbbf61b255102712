// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The motion of a BVH file as curves: what a scene's accessors will point to, filled while the text is read.

#ifndef GERTIE_IO_BVH_CLIP_H
#define GERTIE_IO_BVH_CLIP_H

#include "io/bvh/euler.h"
#include "io/bvh/parse.h"

// What counts as zero beside other lengths of a file, where that decides how it is read. Coarser than rounding in
// writing, so that a file is read alike when it comes back.
#define GTI_BVH_NOTHING 1e-4

// The curve of one property of one joint: a vector or a quaternion a frame.
typedef struct GtiBvhTrack {
    int32_t joint;
    GtAnimationPath path;
    size_t first;      // in the clip's data
    GtiBvhAxes axes;   // of a rotation
    bool three_axes;   // all of them different
    double parity;     // of the first two
    int32_t angle;     // of a rotation: its first among all angles
    int32_t source[3]; // of a vector: channels of x, y, z, or GT_NONE
    double base[3];    // of a vector: what is added to the channel, or stands where there is none
} GtiBvhTrack;

typedef struct GtiBvhClip {
    GtBlob* blob; // times [frame_count], then the tracks, all floats; NULL where nothing moves
    float* data;  // its bytes
    int64_t frame_count;
    int64_t capacity; // frames there is room for, which is the distance of tracks
    GtiBvhTrack* tracks;
    int32_t track_count;
    const int32_t* translations; // [joint_count] track, or GT_NONE
    const int32_t* rotations;    // likewise
    bool relative;               // positions of joints other than roots are told from their OFFSETs
} GtiBvhClip;

// Read all frames. Zero frames become one: the rest pose. The caller releases the blob, also on failure.
GtResult gti_bvh_read_clip(GtiBvh* bvh, GtiBvhClip* clip);

static inline int gti_bvh_track_width(const GtiBvhTrack* track)
{
    return track->path == GT_PATH_ROTATION ? 4 : 3;
}

// The value of a track in a frame.
static inline float* gti_bvh_track_at(const GtiBvhClip* clip, const GtiBvhTrack* track, int64_t frame)
{
    return clip->data + track->first + (size_t)frame * (size_t)gti_bvh_track_width(track);
}

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Frames into curves. Every number goes from the text through one row of doubles straight to its place in the blob that
// the scene keeps. Room is made for the promised frames, or for what the bytes left can hold, whichever is less; where
// there were fewer, the curves move together into a blob of the right size.
//
// Positions: of a root they are where it is. Of other joints they take the place of the OFFSET (as in Blender and
// assimp), except in files whose first frame has them all at zero while the OFFSETs are not: there they are added.

#include "io/bvh/clip.h"

#include "base/fail.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum {
    PROGRESS_BYTES = 1 << 20
};

static const float identity[4] = { 0.0f, 0.0f, 0.0f, 1.0f };

static int axis_of(uint8_t channel)
{
    return channel % 3;
}

static GtAnimationPath path_of(uint8_t channel)
{
    return channel < GT_BVH_X_ROTATION ? GT_PATH_TRANSLATION
           : channel < GT_BVH_X_SCALE  ? GT_PATH_ROTATION
                                       : GT_PATH_SCALE;
}

static bool has_three_axes(const GtiBvhAxes* axes)
{
    return axes->count == 3 && axes->axes[0] != axes->axes[1] && axes->axes[1] != axes->axes[2] &&
           axes->axes[2] != axes->axes[0];
}

// Gather the channels of `path` on one joint; false when there are none.
static bool make_track(const GtiBvh* bvh, int32_t joint, GtAnimationPath path, GtiBvhTrack* track)
{
    const GtiBvhJoint* source = &bvh->joints[joint];
    *track = (GtiBvhTrack){ .joint = joint, .path = path, .source = { GT_NONE, GT_NONE, GT_NONE } };
    bool any = false;
    for (int i = 0; i < 3; ++i) {
        track->base[i] = path == GT_PATH_SCALE ? 1.0 : source->offset[i];
    }
    for (int32_t c = 0; c < source->layout.channel_count; ++c) {
        uint8_t channel = source->layout.channels[c];
        if (path_of(channel) != path) {
            continue;
        }
        any = true;
        int axis = axis_of(channel);
        if (path == GT_PATH_ROTATION) {
            track->axes.axes[track->axes.count++] = (uint8_t)axis;
        } else {
            track->source[axis] = source->first_channel + c;
            track->base[axis] = 0.0;
        }
    }
    track->three_axes = has_three_axes(&track->axes);
    track->parity = gti_bvh_parity(track->axes.axes[0], track->axes.axes[1]);
    return any;
}

// All tracks, and the channels of all angles in the order of the tracks.
static GtResult make_tracks(GtiBvh* bvh, GtiBvhClip* clip, int32_t** angle_channels, int32_t* angle_count)
{
    static const GtAnimationPath paths[] = { GT_PATH_TRANSLATION, GT_PATH_ROTATION, GT_PATH_SCALE };
    size_t count = (size_t)bvh->joint_count;
    int32_t* translations = gt_arena_push_array(bvh->arena, count, sizeof *translations);
    int32_t* rotations = gt_arena_push_array(bvh->arena, count, sizeof *rotations);
    *angle_channels = gt_arena_push_array(bvh->arena, (size_t)bvh->channel_count, sizeof **angle_channels);
    int32_t track_count = 0;
    GtiBvhTrack track;
    for (int32_t joint = 0; joint < bvh->joint_count; ++joint) {
        for (int p = 0; p < 3; ++p) {
            track_count += make_track(bvh, joint, paths[p], &track);
        }
    }
    clip->tracks = gt_arena_push_array(bvh->arena, (size_t)track_count, sizeof *clip->tracks);
    if (!translations || !rotations || !*angle_channels || !clip->tracks) {
        return gti_out_of_memory(bvh->error);
    }
    for (int32_t joint = 0; joint < bvh->joint_count; ++joint) {
        const GtiBvhJoint* source = &bvh->joints[joint];
        translations[joint] = rotations[joint] = GT_NONE;
        for (int p = 0; p < 3; ++p) {
            if (!make_track(bvh, joint, paths[p], &track)) {
                continue;
            }
            if (paths[p] != GT_PATH_SCALE) {
                (paths[p] == GT_PATH_ROTATION ? rotations : translations)[joint] = clip->track_count;
            }
            track.angle = *angle_count;
            clip->tracks[clip->track_count++] = track;
        }
        for (int32_t c = 0; c < source->layout.channel_count; ++c) {
            if (path_of(source->layout.channels[c]) == GT_PATH_ROTATION) {
                (*angle_channels)[(*angle_count)++] = source->first_channel + c;
            }
        }
    }
    clip->translations = translations;
    clip->rotations = rotations;
    return GT_OK;
}

static void rest_row(const GtiBvh* bvh, double* row)
{
    for (int32_t joint = 0; joint < bvh->joint_count; ++joint) {
        const GtiBvhJoint* source = &bvh->joints[joint];
        for (int32_t c = 0; c < source->layout.channel_count; ++c) {
            uint8_t channel = source->layout.channels[c];
            GtAnimationPath path = path_of(channel);
            row[source->first_channel + c] = path == GT_PATH_TRANSLATION ? source->offset[axis_of(channel)]
                                             : path == GT_PATH_SCALE     ? 1.0
                                                                         : 0.0;
        }
    }
}

// Whether the first frame has all positions of joints at zero, though their OFFSETs are not.
static bool positions_are_relative(const GtiBvh* bvh, const GtiBvhClip* clip, const double* row)
{
    double farthest = 0.0;
    double longest = 0.0;
    for (int32_t t = 0; t < clip->track_count; ++t) {
        const GtiBvhTrack* track = &clip->tracks[t];
        const GtiBvhJoint* joint = &bvh->joints[track->joint];
        if (track->path != GT_PATH_TRANSLATION || joint->parent == GT_NONE) {
            continue;
        }
        for (int i = 0; i < 3; ++i) {
            if (track->source[i] != GT_NONE) {
                farthest = fmax(farthest, fabs(row[track->source[i]]));
                longest = fmax(longest, fabs(joint->offset[i]));
            }
        }
    }
    return longest > 0.0 && farthest <= GTI_BVH_NOTHING * longest;
}

static void make_relative(const GtiBvh* bvh, GtiBvhClip* clip)
{
    clip->relative = true;
    for (int32_t t = 0; t < clip->track_count; ++t) {
        GtiBvhTrack* track = &clip->tracks[t];
        const GtiBvhJoint* joint = &bvh->joints[track->joint];
        if (track->path == GT_PATH_TRANSLATION && joint->parent != GT_NONE) {
            memcpy(track->base, joint->offset, sizeof track->base);
        }
    }
    gti_note(bvh->context, bvh->path, NULL,
             "the first frame has all joints at position 0: positions are added to the OFFSETs");
}

// Scratch for one frame.
typedef struct Row {
    double* values; // [channel_count]
    const int32_t* angle_channels;
    int32_t angle_count;
    double* angles;  // [angle_count]
    double* sines;   // likewise
    double* cosines; // likewise
} Row;

// The product of three rotations about different axes, written out: what nearly every joint has.
static void store_three_axes(const GtiBvhClip* clip, const GtiBvhTrack* track, const Row* row, int64_t frame)
{
    const double* s = row->sines + track->angle;
    const double* c = row->cosines + track->angle;
    int i = track->axes.axes[0];
    int j = track->axes.axes[1];
    int k = track->axes.axes[2];
    double e = track->parity;
    double ss = s[0] * s[1];
    double sc = s[0] * c[1];
    double cs = c[0] * s[1];
    double cc = c[0] * c[1];
    float qi = (float)(sc * c[2] + e * cs * s[2]);
    float qj = (float)(cs * c[2] - e * sc * s[2]);
    float qk = (float)(cc * s[2] + e * ss * c[2]);
    float qw = (float)(cc * c[2] - e * ss * s[2]);
    float* out = clip->data + track->first + (size_t)frame * 4;
    const float* before = frame > 0 ? out - 4 : identity;
    float sign = qi * before[i] + qj * before[j] + qk * before[k] + qw * before[3] < 0.0f ? -1.0f : 1.0f;
    out[i] = sign * qi;
    out[j] = sign * qj;
    out[k] = sign * qk;
    out[3] = sign * qw;
}

// Neighbouring quaternions are kept on the same side, so that they can be interpolated as they are.
static void store_rotation(const GtiBvhClip* clip, const GtiBvhTrack* track, const Row* row, int64_t frame)
{
    double quat[4];
    gti_bvh_quat_from_angles(&track->axes, row->sines + track->angle, row->cosines + track->angle, quat);
    float* out = gti_bvh_track_at(clip, track, frame);
    const float* before = frame > 0 ? out - 4 : identity;
    double dot = quat[0] * before[0] + quat[1] * before[1] + quat[2] * before[2] + quat[3] * before[3];
    double sign = dot < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 4; ++i) {
        out[i] = (float)(sign * quat[i]);
    }
}

static void store_frame(const GtiBvhClip* clip, const Row* row, int64_t frame)
{
    for (int32_t i = 0; i < row->angle_count; ++i) {
        row->angles[i] = row->values[row->angle_channels[i]];
    }
    gti_bvh_half_sincos(row->angles, (size_t)row->angle_count, row->sines, row->cosines);
    for (int32_t t = 0; t < clip->track_count; ++t) {
        const GtiBvhTrack* track = &clip->tracks[t];
        if (track->path == GT_PATH_ROTATION) {
            if (track->three_axes) {
                store_three_axes(clip, track, row, frame);
            } else {
                store_rotation(clip, track, row, frame);
            }
            continue;
        }
        float* out = gti_bvh_track_at(clip, track, frame);
        for (int i = 0; i < 3; ++i) {
            double value = track->source[i] == GT_NONE ? 0.0 : row->values[track->source[i]];
            out[i] = (float)(track->base[i] + value);
        }
    }
}

// A blob for `frames` frames, and the tracks' places in it.
static GtResult make_room(GtiBvh* bvh, GtiBvhClip* clip, int64_t frames)
{
    size_t first = (size_t)frames;
    size_t bytes = 0;
    bool fits = true;
    for (int32_t t = 0; t < clip->track_count && fits; ++t) {
        clip->tracks[t].first = first;
        size_t size = 0;
        fits = gti_size_mul((size_t)frames, (size_t)gti_bvh_track_width(&clip->tracks[t]), &size) &&
               gti_size_add(first, size, &first);
    }
    uint8_t* data = NULL;
    GtBlob* blob = fits && gti_size_mul(first, sizeof(float), &bytes)
                       ? gt_blob_create(bvh->context->allocator, bytes, &data)
                       : NULL;
    if (!blob) {
        return gti_out_of_memory(bvh->error);
    }
    clip->blob = blob;
    clip->data = (float*)data;
    clip->capacity = frames;
    return GT_OK;
}

static GtResult shrink(GtiBvh* bvh, GtiBvhClip* clip)
{
    GtiBvhClip old = *clip;
    size_t bytes = (size_t)clip->track_count * sizeof *old.tracks;
    old.tracks = gt_arena_push(bvh->arena, bytes);
    if (!old.tracks) {
        return gti_out_of_memory(bvh->error);
    }
    memcpy(old.tracks, clip->tracks, bytes);
    GtResult result = make_room(bvh, clip, clip->frame_count);
    if (result != GT_OK) {
        return result; // clip->blob is still the old one
    }
    for (int32_t t = 0; t < clip->track_count; ++t) {
        size_t width = (size_t)gti_bvh_track_width(&old.tracks[t]);
        memcpy(clip->data + clip->tracks[t].first, old.data + old.tracks[t].first,
               (size_t)clip->frame_count * width * sizeof(float));
    }
    gt_blob_release(old.blob);
    return GT_OK;
}

// No more frames than this can be in the bytes that are left: a value takes two, and a line that is no error has at
// least half of its values.
static int64_t frame_bound(const GtiBvh* bvh)
{
    int64_t values = (bvh->end - bvh->frames) / 2 + 1;
    int64_t bound = 2 * (values / bvh->channel_count + 1);
    if (bvh->promised >= 0 && bvh->promised < bound) {
        bound = bvh->promised;
    }
    return bound < 1 ? 1 : bound > GTI_BVH_MAX_FRAMES ? GTI_BVH_MAX_FRAMES : bound;
}

static GtResult read_frames(GtiBvh* bvh, GtiBvhClip* clip, Row* row)
{
    GtiBvhFrames frames;
    const char* next_progress = bvh->frames;
    GtResult result = gti_bvh_start_frames(bvh, row->values, &frames);
    bool more = true;
    while (result == GT_OK && (bvh->promised < 0 || frames.count < bvh->promised)) {
        result = gti_bvh_next_frame(&frames, &more);
        if (result != GT_OK || !more) {
            break;
        }
        if (frames.count > clip->capacity) {
            return gti_bvh_fail(bvh, GT_ERROR_LIMIT, frames.at, "more than %lld frames", (long long)clip->capacity);
        }
        if (frames.count == 1 && positions_are_relative(bvh, clip, row->values)) {
            make_relative(bvh, clip);
        }
        store_frame(clip, row, frames.count - 1);
        if (frames.at >= next_progress) {
            next_progress = frames.at + PROGRESS_BYTES;
            result = gti_progress(bvh->context, bvh->error, "reading frames",
                                  (double)(frames.at - bvh->text) / (double)(bvh->end - bvh->text));
        }
    }
    clip->frame_count = frames.count;
    return result == GT_OK ? gti_bvh_end_frames(&frames) : result;
}

static GtResult make_row(GtiBvh* bvh, GtiBvhClip* clip, Row* row)
{
    int32_t* angle_channels = NULL;
    GtResult result = make_tracks(bvh, clip, &angle_channels, &row->angle_count);
    if (result != GT_OK) {
        return result;
    }
    row->angle_channels = angle_channels;
    row->values = gt_arena_push_array(bvh->arena, (size_t)bvh->channel_count, sizeof(double));
    row->angles = gt_arena_push_array(bvh->arena, (size_t)row->angle_count, sizeof(double));
    row->sines = gt_arena_push_array(bvh->arena, (size_t)row->angle_count, sizeof(double));
    row->cosines = gt_arena_push_array(bvh->arena, (size_t)row->angle_count, sizeof(double));
    if (!row->values || !row->angles || !row->sines || !row->cosines) {
        return gti_out_of_memory(bvh->error);
    }
    rest_row(bvh, row->values);
    return GT_OK;
}

GtResult gti_bvh_read_clip(GtiBvh* bvh, GtiBvhClip* clip)
{
    *clip = (GtiBvhClip){ 0 };
    Row row = { 0 };
    GtResult result = make_row(bvh, clip, &row);
    if (result != GT_OK || bvh->channel_count == 0) {
        return result;
    }
    result = make_room(bvh, clip, frame_bound(bvh));
    if (result == GT_OK) {
        result = read_frames(bvh, clip, &row);
    }
    if (result == GT_OK && clip->frame_count == 0) {
        clip->frame_count = 1;
        rest_row(bvh, row.values);
        store_frame(clip, &row, 0);
        if (!bvh->repaired[GTI_BVH_NO_MOTION].count) {
            result =
                gti_bvh_repair(bvh, GTI_BVH_FRAMES_NONE, bvh->frames, "there are no frames: the clip is the rest pose");
        }
    }
    if (result == GT_OK && clip->frame_count < clip->capacity) {
        result = shrink(bvh, clip);
    }
    for (int64_t i = 0; result == GT_OK && i < clip->frame_count; ++i) {
        clip->data[i] = (float)((double)i * bvh->frame_time_s);
    }
    return result;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// BVH text as a plain tree of joints and a stream of frames, in the file's own units and axes. bvh_read.c makes a
// scene of it.

#ifndef GERTIE_IO_BVH_PARSE_H
#define GERTIE_IO_BVH_PARSE_H

#include "gertie/scene.h"

enum {
    GTI_BVH_MAX_CHANNELS = 16,    // on one joint
    GTI_BVH_MAX_FRAMES = 1 << 23, // up to here i * frame_time is a float of its own for every i
};

// No length or angle is larger; what is counts as no number. Keeps floats finite and angles exact to the microdegree.
#define GTI_BVH_MAX_VALUE 1e9

// One joint or End Site. Joints are in file order, so parents come first.
typedef struct GtiBvhJoint {
    const char* name; // in the text, not terminated
    size_t name_length;
    const char* place; // its keyword in the text
    int32_t parent;    // or GT_NONE
    int32_t first_channel;
    GtBvhJoint layout;
    double offset[3];
} GtiBvhJoint;

// What is repaired, each kind said once.
typedef enum GtiBvhRepair {
    GTI_BVH_TEXT_FIRST,
    GTI_BVH_NO_HIERARCHY,
    GTI_BVH_NO_NAME,
    GTI_BVH_NOT_UTF8,
    GTI_BVH_JOINT_AS_ROOT,
    GTI_BVH_OFFSET_MISSING,
    GTI_BVH_OFFSET_VALUE,
    GTI_BVH_OFFSET_TWICE,
    GTI_BVH_CHANNEL_COUNT,
    GTI_BVH_CHANNEL_TWICE,
    GTI_BVH_BRACE_MISSING,
    GTI_BVH_NO_MOTION,
    GTI_BVH_FRAMES_MISSING,
    GTI_BVH_FRAME_TIME,
    GTI_BVH_FRAMES_NONE,
    GTI_BVH_FRAMES_FEWER,
    GTI_BVH_FRAMES_MORE,
    GTI_BVH_LINE_SHORT,
    GTI_BVH_LINE_LONG,
    GTI_BVH_LINES_RAGGED,
    GTI_BVH_VALUE,
    GTI_BVH_REPAIR_COUNT,
} GtiBvhRepair;

// The first repair of a kind, and how many there were.
typedef struct GtiBvhRepaired {
    int64_t count;
    int64_t line; // 0 where no line is at fault
    char message[192];
} GtiBvhRepaired;

// A file as it is read. The text must outlive it; arrays are in `arena`.
typedef struct GtiBvh {
    const GtContext* context;
    const char* path; // or NULL
    GtArena* arena;
    GtError* error;
    const char* text;
    const char* end;
    const char* counted; // lines are counted up to here...
    int64_t line;        // ...and this is the line of that byte, from 1
    GtiBvhJoint* joints;
    int32_t joint_count;
    int32_t joint_capacity;
    int32_t channel_count;
    int64_t promised; // frames, or -1 where the file does not say
    double frame_time_s;
    const char* frames; // where the frames begin
    GtiBvhRepaired repaired[GTI_BVH_REPAIR_COUNT];
} GtiBvh;

// Parse everything but the frames. On success `frames` is at the first of them, or at the end.
GtResult gti_bvh_parse(GtiBvh* bvh);

// Fail at a place in the text.
GtResult gti_bvh_fail(GtiBvh* bvh, GtResult code, const char* place, const char* format, ...) GT_PRINTF(4, 5);

// Count a repair; strict contexts fail. `place` may be NULL.
GtResult gti_bvh_repair(GtiBvh* bvh, GtiBvhRepair kind, const char* place, const char* format, ...) GT_PRINTF(4, 5);

// Say what was repaired, in the order of GtiBvhRepair.
void gti_bvh_report_repairs(GtiBvh* bvh);

// Skip blanks, line ends and comments.
const char* gti_bvh_skip_space(const GtiBvh* bvh, const char* p);

// The end of the line that `p` is on.
const char* gti_bvh_skip_line(const GtiBvh* bvh, const char* p);

// What follows a word for a number that is not finite, or NULL: "nan", "-nan(ind)", "inf", and what Microsoft's C
// library printed for them: "1.#QNAN", "-1.#IND", "1.#INF".
const char* gti_bvh_match_not_finite(const GtiBvh* bvh, const char* p);

// A number, at most GTI_BVH_MAX_VALUE in size; else *value is NaN: so are "nan", "-1.#IND" and their kin.
// Returns what follows, or NULL where the word at `p` is no number.
const char* gti_bvh_number(const GtiBvh* bvh, const char* p, double* value);

// Length of the word at `p`, at most what is worth showing in a message.
int gti_bvh_word_length(const GtiBvh* bvh, const char* p);

// How frames lie on lines, told by the first.
typedef enum GtiBvhLines {
    GTI_BVH_LINES_UNKNOWN,
    GTI_BVH_LINES_ONE,     // a frame a line, as it should be
    GTI_BVH_LINES_WRAPPED, // a frame takes several lines, and ends one
    GTI_BVH_LINES_FLOWING, // values follow each other without regard to lines
} GtiBvhLines;

// The frames of a file, read one after the other.
typedef struct GtiBvhFrames {
    GtiBvh* bvh;
    const char* at;
    double* row;         // [channel_count] the frame last read; before the first: the rest pose
    uint64_t* mantissas; // [channel_count] scratch
    double* powers;      // likewise
    GtiBvhLines lines;
    int64_t count;         // frames read so far
    const char* unaligned; // a frame that began in the middle of a line, or NULL
    bool cut;              // the file ended within a frame, which was dropped
} GtiBvhFrames;

// Start before the first frame. `row` must hold the rest pose.
GtResult gti_bvh_start_frames(GtiBvh* bvh, double* row, GtiBvhFrames* frames);

// Read the next frame into `row`; *more is false at the end of the text.
GtResult gti_bvh_next_frame(GtiBvhFrames* frames, bool* more);

// Compare what was read with what was promised.
GtResult gti_bvh_end_frames(GtiBvhFrames* frames);

static inline bool gti_bvh_is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static inline bool gti_bvh_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline const char* gti_bvh_skip_blanks(const GtiBvh* bvh, const char* p)
{
    while (p < bvh->end && (*p == ' ' || *p == '\t')) {
        ++p;
    }
    return p;
}

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The frames of a BVH file, one row of numbers after the other. A frame is a line in every file worth the name; then a
// line that is too short holds the values before it, one that is too long is cut, and neither spoils the next. Where
// the first frame shows that lines mean nothing, values are taken as they come, and must come out even.

#include "io/bvh/parse.h"

#include "base/fail.h"
#include "base/number_scan.h"

#include <math.h>

GtResult gti_bvh_start_frames(GtiBvh* bvh, double* row, GtiBvhFrames* frames)
{
    size_t count = (size_t)bvh->channel_count;
    *frames = (GtiBvhFrames){ .bvh = bvh, .at = bvh->frames, .row = row };
    frames->mantissas = gt_arena_push_array(bvh->arena, count, sizeof *frames->mantissas);
    frames->powers = gt_arena_push_array(bvh->arena, count, sizeof *frames->powers);
    return frames->mantissas && frames->powers ? GT_OK : gti_out_of_memory(bvh->error);
}

// A word that is no plain number: nan and its kin and absurd sizes, which hold the value before.
static GtResult read_odd_value(GtiBvhFrames* frames, const char* p, const char** after)
{
    GtiBvh* bvh = frames->bvh;
    double value = 0.0;
    *after = gti_bvh_number(bvh, p, &value);
    if (!*after) {
        return gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, p, "frame %lld: '%.*s' is not a number", (long long)frames->count,
                            gti_bvh_word_length(bvh, p), p);
    }
    return gti_bvh_repair(bvh, GTI_BVH_VALUE, p,
                          "frame %lld has the value '%.*s': the value of the frame before is used",
                          (long long)frames->count, gti_bvh_word_length(bvh, p), p);
}

// Plain numbers with a blank or a line end after each, from row[*i] on: all there is in most files. The scanner looks
// back over a short word; there is always more than that before the frames.
static const char* read_plain_values(const GtiBvhFrames* frames, const char* p, int32_t* i)
{
    const char* last = frames->bvh->end - GTI_SCAN_ROOM;
    uint64_t* mantissas = frames->mantissas;
    double* powers = frames->powers;
    int32_t count = frames->bvh->channel_count;
    int32_t n = *i;
    while (n < count && p <= last) {
        uint64_t length = gti_word_length(p);
        if (!gti_scan_word(p, length, &mantissas[n], &powers[n])) {
            break;
        }
        if (mantissas[n] > (uint64_t)GTI_BVH_MAX_VALUE && (double)mantissas[n] > GTI_BVH_MAX_VALUE * fabs(powers[n])) {
            break; // an absurd size, which is repaired with a warning
        }
        const char* after = p + length;
        if (*after == ' ' || *after == '\t') {
            ++after;
        } else if (!gti_bvh_is_line_end(*after)) {
            break;
        }
        ++n;
        p = after;
    }
    gti_divide_scanned(mantissas + *i, powers + *i, (size_t)(n - *i), frames->row + *i);
    *i = n;
    return p;
}

// Read values from `at` on until the row is full, the line ends (where a line is a frame), or the text ends.
static GtResult read_row(GtiBvhFrames* frames, int32_t* got, bool* wrapped)
{
    const GtiBvh* bvh = frames->bvh;
    const char* end = bvh->end;
    const char* p = frames->at;
    int32_t count = bvh->channel_count;
    int32_t i = 0;
    while (i < count) {
        p = read_plain_values(frames, gti_bvh_skip_blanks(bvh, p), &i);
        if (i == count || p == end) {
            break;
        }
        const char* next = gti_bvh_skip_space(bvh, p);
        if (next != gti_bvh_skip_blanks(bvh, p)) { // a line ends, or a comment
            if (frames->lines == GTI_BVH_LINES_ONE && i > 0) {
                break;
            }
            *wrapped |= i > 0;
        }
        p = next;
        if (p == end) {
            break;
        }
        double value = 0.0;
        const char* after = gt_parse_double(p, end, &value);
        if (after && fabs(value) <= GTI_BVH_MAX_VALUE && (after == end || gti_bvh_is_space(*after))) {
            frames->row[i] = value;
            p = after;
        } else {
            GtResult result = read_odd_value(frames, p, &p);
            if (result != GT_OK) {
                return result;
            }
        }
        ++i;
    }
    frames->at = p;
    *got = i;
    return GT_OK;
}

static bool at_line_end(const GtiBvhFrames* frames)
{
    const char* p = gti_bvh_skip_blanks(frames->bvh, frames->at);
    return p == frames->bvh->end || gti_bvh_is_line_end(*p);
}

// A frame was read whole: see how it lies on its line.
static GtResult end_row(GtiBvhFrames* frames, bool wrapped)
{
    GtiBvh* bvh = frames->bvh;
    bool ended = at_line_end(frames);
    if (frames->lines == GTI_BVH_LINES_UNKNOWN) {
        frames->lines = !ended ? GTI_BVH_LINES_FLOWING : wrapped ? GTI_BVH_LINES_WRAPPED : GTI_BVH_LINES_ONE;
    }
    if (ended) {
        return GT_OK;
    }
    if (frames->lines == GTI_BVH_LINES_ONE) {
        const char* extra = gti_bvh_skip_blanks(bvh, frames->at);
        while (frames->at < bvh->end && !gti_bvh_is_line_end(*frames->at)) {
            ++frames->at;
        }
        return gti_bvh_repair(bvh, GTI_BVH_LINE_LONG, extra,
                              "frame %lld has more values than the %d channels: the rest is ignored",
                              (long long)frames->count, bvh->channel_count);
    }
    frames->lines = GTI_BVH_LINES_FLOWING;
    frames->unaligned = frames->unaligned ? frames->unaligned : frames->at;
    return GT_OK;
}

GtResult gti_bvh_next_frame(GtiBvhFrames* frames, bool* more)
{
    GtiBvh* bvh = frames->bvh;
    int32_t got = 0;
    bool wrapped = false;
    const char* start = gti_bvh_skip_space(bvh, frames->at);
    *more = false;
    if (start == bvh->end) {
        frames->at = start;
        return GT_OK;
    }
    frames->at = start;
    GtResult result = read_row(frames, &got, &wrapped);
    if (result != GT_OK) {
        return result;
    }
    if (got < bvh->channel_count) {
        if (gti_bvh_skip_space(bvh, frames->at) == bvh->end) {
            frames->cut = got > 0;
            frames->at = bvh->end;
            return GT_OK;
        }
        if (got < bvh->channel_count - got) { // repairing these would let a small file ask for much memory
            return gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, start,
                                "frame %lld has %d values, but the joints have %d channels", (long long)frames->count,
                                got, bvh->channel_count);
        }
        result = gti_bvh_repair(bvh, GTI_BVH_LINE_SHORT, start,
                                "frame %lld has only %d of %d values: the others keep those of the frame before",
                                (long long)frames->count, got, bvh->channel_count);
    } else {
        result = end_row(frames, wrapped);
    }
    ++frames->count;
    *more = true;
    return result;
}

GtResult gti_bvh_end_frames(GtiBvhFrames* frames)
{
    GtiBvh* bvh = frames->bvh;
    const char* rest = gti_bvh_skip_space(bvh, frames->at);
    bool more = rest < bvh->end;
    bool fewer = bvh->promised >= 0 && frames->count < bvh->promised;
    if (frames->unaligned && (more || fewer || frames->cut)) {
        return gti_bvh_fail(
            bvh, GT_ERROR_BAD_FILE, frames->unaligned,
            "the %d values of a frame end in the middle of a line: the number of values does not match the channels",
            bvh->channel_count);
    }
    GtResult result = GT_OK;
    if (frames->unaligned) {
        result = gti_bvh_repair(bvh, GTI_BVH_LINES_RAGGED, frames->unaligned,
                                "frames do not end where lines end: values are read one after the other");
    }
    if (result == GT_OK && fewer) {
        result = gti_bvh_repair(bvh, GTI_BVH_FRAMES_FEWER, bvh->end, "only %lld of %lld declared frames are there%s",
                                (long long)frames->count, (long long)bvh->promised,
                                frames->cut ? "; the last is incomplete and left out" : "");
    } else if (result == GT_OK && frames->cut) {
        result = gti_bvh_repair(bvh, GTI_BVH_FRAMES_FEWER, bvh->end, "the last frame is incomplete and left out");
    }
    if (result == GT_OK && more) {
        result = gti_bvh_repair(bvh, GTI_BVH_FRAMES_MORE, rest,
                                "more data follows the %lld declared frames: it is ignored", (long long)bvh->promised);
    }
    return result;
}

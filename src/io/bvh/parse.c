// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The hierarchy and the head of the motion. BVH was never specified; this follows the Biovision files of the 1990s (one
// keyword a line, braces around joints) and takes what other programs made of them: docs/formats/bvh.md has the list.
// Depth is a parent index, never the call stack.

#include "io/bvh/parse.h"

#include "base/ascii.h"
#include "base/fail.h"
#include "base/memory.h"
#include "gertie/number.h"

#include <math.h>
#include <string.h>

#define DEFAULT_FRAME_TIME_S (1.0 / 30.0)
#define MIN_FRAME_TIME_S     1e-6

static bool is_word_letter(char c)
{
    return gti_is_letter(c) || c == '_';
}

// The byte after `word` (lower case) at `p`, in any case and not as the start of a longer word, or NULL.
static const char* match(const GtiBvh* bvh, const char* p, const char* word)
{
    for (; *word; ++p, ++word) {
        if (p == bvh->end || (*p | 0x20) != *word) {
            return NULL;
        }
    }
    return p < bvh->end && is_word_letter(*p) ? NULL : p;
}

static GtResult add_joint(GtiBvh* bvh, const GtiBvhJoint* joint)
{
    if (bvh->joint_count == bvh->joint_capacity) {
        if (bvh->joint_count > INT32_MAX / 4) {
            return gti_bvh_fail(bvh, GT_ERROR_LIMIT, joint->place, "more than %d joints", bvh->joint_count);
        }
        GtiBvhJoint* grown = gti_arena_grow(bvh->arena, bvh->joints, &bvh->joint_capacity, 64, sizeof *grown);
        if (!grown) {
            return gti_out_of_memory(bvh->error);
        }
        bvh->joints = grown;
    }
    bvh->joints[bvh->joint_count++] = *joint;
    return GT_OK;
}

// What is being parsed: where, and in which joint.
typedef struct Cursor {
    const char* at;
    int32_t open;      // the joint whose braces are open, or GT_NONE
    bool has_offset;   // of that joint
    bool has_channels; // of that joint
} Cursor;

static int name_length(const GtiBvh* bvh, int32_t joint)
{
    size_t length = joint == GT_NONE ? 0 : bvh->joints[joint].name_length;
    return length > 64 ? 64 : (int)length;
}

static const char* name_of(const GtiBvh* bvh, int32_t joint)
{
    return joint == GT_NONE ? "" : bvh->joints[joint].name;
}

static GtResult expect_brace(GtiBvh* bvh, Cursor* cursor)
{
    const char* p = gti_bvh_skip_space(bvh, cursor->at);
    if (p == bvh->end || *p != '{') {
        const GtiBvhJoint* joint = &bvh->joints[bvh->joint_count - 1];
        return gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, p, "joint '%.*s' is not followed by '{'%s",
                            name_length(bvh, bvh->joint_count - 1), joint->name,
                            p == bvh->end ? ": the file ends here" : "");
    }
    cursor->at = p + 1;
    return GT_OK;
}

// After ROOT, JOINT or End: a name up to the end of the line or the brace, which may hold blanks, and the brace.
static GtResult open_joint(GtiBvh* bvh, Cursor* cursor, const char* place, const char* name, bool end_site)
{
    name = gti_bvh_skip_blanks(bvh, name);
    const char* end = name;
    while (end < bvh->end && !gti_bvh_is_line_end(*end) && *end != '{') {
        ++end;
    }
    cursor->at = end;
    const char* site = end_site ? match(bvh, name, "site") : NULL;
    if (site && site <= end) {
        name = gti_bvh_skip_blanks(bvh, site);
    }
    while (end > name && gti_bvh_is_space(end[-1])) {
        --end;
    }
    GtiBvhJoint joint = {
        .name = name,
        .name_length = (size_t)(end - name),
        .place = place,
        .parent = cursor->open,
        .first_channel = bvh->channel_count,
        .layout = { .end_site = end_site },
    };
    GtResult result = GT_OK;
    if (cursor->open != GT_NONE && bvh->joints[cursor->open].layout.end_site) {
        return gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, place, "a joint inside an End Site, which cannot have children");
    }
    if (cursor->open == GT_NONE && end_site) {
        return gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, place, "an End Site outside of any joint");
    }
    if (!joint.name_length && !end_site) {
        result = gti_bvh_repair(bvh, GTI_BVH_NO_NAME, place, "a joint has no name: it gets one");
    }
    if (result == GT_OK) {
        result = add_joint(bvh, &joint);
    }
    if (result == GT_OK) {
        result = expect_brace(bvh, cursor);
    }
    cursor->open = bvh->joint_count - 1;
    cursor->has_offset = false;
    cursor->has_channels = false;
    return result;
}

// A joint is done when its brace closes or a child begins.
static GtResult check_offset(GtiBvh* bvh, Cursor* cursor)
{
    GtResult result = GT_OK;
    if (cursor->open != GT_NONE && !cursor->has_offset) {
        result = gti_bvh_repair(bvh, GTI_BVH_OFFSET_MISSING, bvh->joints[cursor->open].place,
                                "joint '%.*s' has no OFFSET before its children or its end: taken as 0 0 0",
                                name_length(bvh, cursor->open), name_of(bvh, cursor->open));
    }
    cursor->has_offset = true;
    cursor->has_channels = true;
    return result;
}

static GtResult parse_offset(GtiBvh* bvh, Cursor* cursor, const char* p)
{
    GtiBvhJoint* joint = &bvh->joints[cursor->open];
    GtResult result = GT_OK;
    if (cursor->has_offset) {
        result = gti_bvh_repair(bvh, GTI_BVH_OFFSET_TWICE, p,
                                "joint '%.*s': OFFSET appears twice, or too late: the last one is used",
                                name_length(bvh, cursor->open), joint->name);
    }
    for (int i = 0; i < 3 && result == GT_OK; ++i) {
        p = gti_bvh_skip_space(bvh, p);
        const char* after = gti_bvh_number(bvh, p, &joint->offset[i]);
        if (!after) {
            return gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, p, "joint '%.*s': OFFSET needs three numbers, got '%.*s'",
                                name_length(bvh, cursor->open), joint->name, gti_bvh_word_length(bvh, p), p);
        }
        if (isnan(joint->offset[i])) {
            joint->offset[i] = 0.0;
            result = gti_bvh_repair(bvh, GTI_BVH_OFFSET_VALUE, p, "joint '%.*s': '%.*s' in OFFSET: taken as 0",
                                    name_length(bvh, cursor->open), joint->name, gti_bvh_word_length(bvh, p), p);
        }
        p = after;
    }
    cursor->has_offset = true;
    cursor->at = p;
    return result;
}

static const char* match_channel(const GtiBvh* bvh, const char* p, uint8_t* channel)
{
    static const char* const kinds[] = { "position", "rotation", "scale" };
    int axis = p < bvh->end ? (*p | 0x20) - 'x' : -1;
    for (int kind = 0; kind < 3 && axis >= 0 && axis < 3; ++kind) {
        const char* after = match(bvh, p + 1, kinds[kind]);
        if (after) {
            *channel = (uint8_t)(kind * 3 + axis);
            return after;
        }
    }
    return NULL;
}

static bool has_channel(const GtBvhJoint* layout, uint8_t channel)
{
    return memchr(layout->channels, channel, (size_t)layout->channel_count) != NULL;
}

static GtResult parse_channel_names(GtiBvh* bvh, Cursor* cursor, const char* p, int64_t wanted)
{
    GtiBvhJoint* joint = &bvh->joints[cursor->open];
    GtBvhJoint* layout = &joint->layout;
    int shown = name_length(bvh, cursor->open);
    const char* line_end = gti_bvh_skip_line(bvh, p);
    GtResult result = GT_OK;
    for (;;) {
        const char* next = gti_bvh_skip_space(bvh, p);
        uint8_t channel = 0;
        const char* after = match_channel(bvh, next, &channel);
        if (!after && next < line_end && layout->channel_count < wanted && is_word_letter(*next)) {
            return gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, next,
                                "joint '%.*s': '%.*s' is not the name of a channel, such as Xrotation", shown,
                                joint->name, gti_bvh_word_length(bvh, next), next);
        }
        if (!after) {
            break;
        }
        if (layout->channel_count == GTI_BVH_MAX_CHANNELS) {
            return gti_bvh_fail(bvh, GT_ERROR_LIMIT, next, "joint '%.*s' has more than %d channels", shown, joint->name,
                                GTI_BVH_MAX_CHANNELS);
        }
        bool rotation = channel >= GT_BVH_X_ROTATION && channel <= GT_BVH_Z_ROTATION;
        if (!rotation && has_channel(layout, channel)) {
            result =
                gti_bvh_repair(bvh, GTI_BVH_CHANNEL_TWICE, next, "joint '%.*s' has '%.*s' twice: the last one is used",
                               shown, joint->name, gti_bvh_word_length(bvh, next), next);
            if (result != GT_OK) {
                return result;
            }
        }
        layout->channels[layout->channel_count++] = channel;
        p = after;
    }
    cursor->at = p;
    if (layout->channel_count != wanted) {
        result = gti_bvh_repair(bvh, GTI_BVH_CHANNEL_COUNT, line_end,
                                "joint '%.*s' declares %lld channels, but names %d: the names are used", shown,
                                joint->name, (long long)wanted, layout->channel_count);
    }
    return result;
}

static GtResult parse_channels(GtiBvh* bvh, Cursor* cursor, const char* p)
{
    GtiBvhJoint* joint = &bvh->joints[cursor->open];
    int shown = name_length(bvh, cursor->open);
    if (cursor->has_channels) {
        return gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, p, "joint '%.*s': CHANNELS appears twice, or after the children",
                            shown, joint->name);
    }
    cursor->has_channels = true;
    p = gti_bvh_skip_space(bvh, p);
    int64_t wanted = 0;
    const char* after = gt_parse_int64(p, bvh->end, &wanted);
    if (!after || wanted < 0) {
        return gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, p, "joint '%.*s': CHANNELS needs a count, got '%.*s'", shown,
                            joint->name, gti_bvh_word_length(bvh, p), p);
    }
    if (wanted > GTI_BVH_MAX_CHANNELS) {
        return gti_bvh_fail(bvh, GT_ERROR_LIMIT, p, "joint '%.*s' has %lld channels: at most %d are read", shown,
                            joint->name, (long long)wanted, GTI_BVH_MAX_CHANNELS);
    }
    GtResult result = parse_channel_names(bvh, cursor, after, wanted);
    if (result == GT_OK && bvh->channel_count > INT32_MAX - GTI_BVH_MAX_CHANNELS) {
        return gti_bvh_fail(bvh, GT_ERROR_LIMIT, p, "more than %d channels", bvh->channel_count);
    }
    bvh->channel_count += joint->layout.channel_count;
    return result;
}

static GtResult close_joint(GtiBvh* bvh, Cursor* cursor, const char* p)
{
    if (cursor->open == GT_NONE) {
        return gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, p, "there is one '}' too many");
    }
    GtResult result = check_offset(bvh, cursor);
    cursor->open = bvh->joints[cursor->open].parent;
    cursor->at = p + 1;
    return result;
}

static GtResult parse_keyword(GtiBvh* bvh, Cursor* cursor, const char* p)
{
    const char* after;
    if ((after = match(bvh, p, "joint")) || (after = match(bvh, p, "root"))) {
        bool root = (*p | 0x20) == 'r';
        if (root && cursor->open != GT_NONE) {
            return gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, p, "a ROOT inside joint '%.*s': is a '}' missing before it?",
                                name_length(bvh, cursor->open), name_of(bvh, cursor->open));
        }
        GtResult result = check_offset(bvh, cursor);
        if (result == GT_OK && !root && cursor->open == GT_NONE) {
            result = gti_bvh_repair(bvh, GTI_BVH_JOINT_AS_ROOT, p, "a JOINT outside of any ROOT: taken as one");
        }
        return result == GT_OK ? open_joint(bvh, cursor, p, after, false) : result;
    }
    if ((after = match(bvh, p, "end")) || (after = match(bvh, p, "endsite"))) {
        GtResult result = check_offset(bvh, cursor);
        return result == GT_OK ? open_joint(bvh, cursor, p, after, true) : result;
    }
    bool inside = cursor->open != GT_NONE;
    if (inside && (after = match(bvh, p, "offset"))) {
        return parse_offset(bvh, cursor, after);
    }
    if (inside && (after = match(bvh, p, "channels"))) {
        return parse_channels(bvh, cursor, after);
    }
    return gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, p, "%s%.*s%s'%.*s' stands where a keyword such as %s is expected",
                        inside ? "joint '" : "", name_length(bvh, cursor->open), name_of(bvh, cursor->open),
                        inside ? "': " : "", gti_bvh_word_length(bvh, p), p, inside ? "OFFSET or JOINT" : "MOTION");
}

// From after HIERARCHY to after MOTION, or to the end.
static GtResult parse_hierarchy(GtiBvh* bvh, const char* p, const char** motion)
{
    Cursor cursor = { .at = p, .open = GT_NONE };
    GtResult result = GT_OK;
    *motion = NULL;
    while (result == GT_OK) {
        p = gti_bvh_skip_space(bvh, cursor.at);
        if (p == bvh->end) {
            if (cursor.open != GT_NONE) {
                return gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, p, "the file ends inside joint '%.*s': it is truncated",
                                    name_length(bvh, cursor.open), name_of(bvh, cursor.open));
            }
            break;
        }
        *motion = match(bvh, p, "motion");
        if (*motion) {
            if (cursor.open != GT_NONE) {
                result = gti_bvh_repair(bvh, GTI_BVH_BRACE_MISSING, p, "joint '%.*s' is not closed before MOTION",
                                        name_length(bvh, cursor.open), name_of(bvh, cursor.open));
            }
            break;
        }
        result = *p == '}' ? close_joint(bvh, &cursor, p) : parse_keyword(bvh, &cursor, p);
    }
    if (result == GT_OK && bvh->joint_count == 0) {
        result = gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, p, "ROOT is missing: the file has no joints");
    }
    return result;
}

// After "Frames" or "Frame Time": an optional colon and a number.
static const char* header_number(const GtiBvh* bvh, const char* p, double* value)
{
    p = gti_bvh_skip_blanks(bvh, p);
    if (p < bvh->end && *p == ':') {
        ++p;
    }
    return gti_bvh_number(bvh, gti_bvh_skip_space(bvh, p), value);
}

static GtResult parse_frame_count(GtiBvh* bvh, const char* p, const char** after)
{
    double value = 0.0;
    *after = header_number(bvh, p, &value);
    if (!*after || value < 0.0) {
        return gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, p, "'Frames:' needs a count");
    }
    bvh->promised = isnan(value) ? INT64_MAX : (int64_t)value;
    return GT_OK;
}

static GtResult parse_frame_time(GtiBvh* bvh, const char* p, const char** after)
{
    double value = 0.0;
    *after = header_number(bvh, p, &value);
    if (!*after) {
        return gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, p, "'Frame Time:' needs seconds");
    }
    bvh->frame_time_s = value;
    if (value > 1.0 && 1.0 / value >= MIN_FRAME_TIME_S) {
        bvh->frame_time_s = 1.0 / value;
        return gti_bvh_repair(bvh, GTI_BVH_FRAME_TIME, p,
                              "a frame time of %g s is not plausible: it is read as frames per second", value);
    }
    if (!(value >= MIN_FRAME_TIME_S && value <= 1.0)) {
        bvh->frame_time_s = DEFAULT_FRAME_TIME_S;
        return gti_bvh_repair(bvh, GTI_BVH_FRAME_TIME, p, "a frame time of %g s is not possible: 1/30 s is used",
                              value);
    }
    return GT_OK;
}

// From after MOTION to the first frame.
static GtResult parse_motion_head(GtiBvh* bvh, const char* p)
{
    const char* after = NULL;
    GtResult result = GT_OK;
    while (result == GT_OK) {
        p = gti_bvh_skip_space(bvh, p);
        if (p == bvh->end) {
            break;
        }
        if ((after = match(bvh, p, "frames"))) {
            result = parse_frame_count(bvh, after, &p);
        } else if ((after = match(bvh, p, "frametime"))) {
            result = parse_frame_time(bvh, after, &p);
        } else if ((after = match(bvh, p, "frame")) && (after = match(bvh, gti_bvh_skip_space(bvh, after), "time"))) {
            result = parse_frame_time(bvh, after, &p);
        } else if (is_word_letter(*p) && !gti_bvh_match_not_finite(bvh, p)) {
            return gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, p, "'%.*s' stands where 'Frames:' or 'Frame Time:' is expected",
                                gti_bvh_word_length(bvh, p), p);
        } else {
            break;
        }
    }
    bvh->frames = p;
    if (result == GT_OK && bvh->promised < 0) {
        result = gti_bvh_repair(bvh, GTI_BVH_FRAMES_MISSING, p, "'Frames:' is missing: all frames are read");
    }
    if (result == GT_OK && bvh->frame_time_s == 0.0) {
        bvh->frame_time_s = DEFAULT_FRAME_TIME_S;
        result = gti_bvh_repair(bvh, GTI_BVH_FRAME_TIME, p, "'Frame Time:' is missing: 1/30 s is used");
    }
    return result;
}

// Skip what programs put before HIERARCHY.
static GtResult parse_start(GtiBvh* bvh, const char** after)
{
    const char* p = bvh->text;
    if (bvh->end - p >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) {
        p += 3;
    } else if (bvh->end - p >= 2 && (memcmp(p, "\xFF\xFE", 2) == 0 || memcmp(p, "\xFE\xFF", 2) == 0)) {
        return gti_bvh_fail(bvh, GT_ERROR_UNSUPPORTED, p, "UTF-16 text: save it as UTF-8");
    }
    p = gti_bvh_skip_space(bvh, p);
    const char* start = p;
    *after = p < bvh->end ? match(bvh, p, "hierarchy") : NULL;
    if (*after) {
        return GT_OK;
    }
    if (p < bvh->end && match(bvh, p, "root")) {
        *after = p;
        return gti_bvh_repair(bvh, GTI_BVH_NO_HIERARCHY, p, "HIERARCHY is missing before the first ROOT");
    }
    while (p < bvh->end && p - start < 4096) {
        p = gti_bvh_skip_space(bvh, gti_bvh_skip_line(bvh, p));
        *after = p < bvh->end ? match(bvh, p, "hierarchy") : NULL;
        if (*after) {
            return gti_bvh_repair(bvh, GTI_BVH_TEXT_FIRST, start, "text before HIERARCHY is ignored");
        }
    }
    return gti_bvh_fail(bvh, GT_ERROR_BAD_FILE, start, "this is not a BVH file: HIERARCHY is missing");
}

// Files padded by zeros or closed by Control-Z end before them.
static void trim_end(GtiBvh* bvh)
{
    while (bvh->end > bvh->text && (bvh->end[-1] == '\0' || bvh->end[-1] == 0x1A)) {
        --bvh->end;
    }
}

GtResult gti_bvh_parse(GtiBvh* bvh)
{
    bvh->counted = bvh->text;
    bvh->line = 1;
    bvh->promised = -1;
    trim_end(bvh);
    const char* after = NULL;
    const char* motion = NULL;
    GtResult result = parse_start(bvh, &after);
    if (result == GT_OK) {
        result = parse_hierarchy(bvh, after, &motion);
    }
    if (result == GT_OK && motion) {
        return parse_motion_head(bvh, motion);
    }
    if (result == GT_OK) {
        bvh->frames = bvh->end;
        bvh->promised = 0;
        bvh->frame_time_s = DEFAULT_FRAME_TIME_S;
        result = gti_bvh_repair(bvh, GTI_BVH_NO_MOTION, bvh->end, "MOTION is missing: the clip is the rest pose");
    }
    return result;
}

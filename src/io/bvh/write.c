// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A skeleton and its clip as BVH text. Numbers have as many decimals as the scene's floats can tell apart, so the same
// scene gives the same bytes. Text grows in pieces and is copied once.

#include "io/bvh/bvh.h"

#include "base/fail.h"
#include "gertie/number.h"
#include "io/bvh/skeleton.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    PIECE_SIZE = 256 << 10,
    MAX_INDENT = 64,    // deeper trees would be mostly indentation
    ANGLE_DECIMALS = 5, // what floats of a quaternion can tell apart
    SCALE_DECIMALS = 6,
    PROGRESS_VALUES = 1 << 18
};

typedef struct Piece {
    struct Piece* next;
    size_t size;
    char bytes[PIECE_SIZE];
} Piece;

typedef struct Writer {
    GtiBvhSkeleton* skeleton;
    Piece* first;
    Piece* last;
    size_t size;
    bool failed; // memory ran out
    int length_decimals;
    int32_t renamed; // joints
    bool in_line;    // of a frame, after its first value
} Writer;

static void add(Writer* writer, const char* bytes, size_t length)
{
    while (length && !writer->failed) {
        if (!writer->last || writer->last->size == PIECE_SIZE) {
            Piece* piece = gt_arena_push(writer->skeleton->arena, sizeof *piece);
            if (!piece) {
                writer->failed = true;
                return;
            }
            piece->next = NULL;
            piece->size = 0;
            *(writer->last ? &writer->last->next : &writer->first) = piece;
            writer->last = piece;
        }
        Piece* piece = writer->last;
        size_t room = PIECE_SIZE - piece->size;
        size_t taken = length < room ? length : room;
        memcpy(piece->bytes + piece->size, bytes, taken);
        piece->size += taken;
        writer->size += taken;
        bytes += taken;
        length -= taken;
    }
}

static void add_text(Writer* writer, const char* text)
{
    add(writer, text, strlen(text));
}

static void add_indent(Writer* writer, int32_t depth)
{
    for (int32_t i = 0; i < depth && i < MAX_INDENT; ++i) {
        add(writer, "\t", 1);
    }
}

// `value` rounded to `decimals` <= 9.
static void add_number(Writer* writer, double value, int decimals)
{
    static const double powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
    double scaled = fabs(value) * powers[decimals];
    char text[GT_NUMBER_SIZE];
    if (!(scaled < 9e15)) {
        add(writer, text, (size_t)gt_print_double(value, text));
        return;
    }
    uint64_t digits = (uint64_t)(scaled + 0.5);
    char* p = text + sizeof text;
    bool fraction = false;
    bool negative = value < 0.0 && digits != 0;
    for (int i = 0; i < decimals; ++i, digits /= 10) {
        fraction = fraction || digits % 10;
        if (fraction) {
            *--p = (char)('0' + digits % 10);
        }
    }
    if (fraction) {
        *--p = '.';
    }
    do {
        *--p = (char)('0' + digits % 10);
        digits /= 10;
    } while (digits);
    if (negative) {
        *--p = '-';
    }
    add(writer, p, (size_t)(text + sizeof text - p));
}

// A length with as few decimals as its float can tell apart, so that what was 20 in a file is 20 again.
static void add_length(Writer* writer, double value)
{
    double tolerance = 6e-8 * fabs(value) + 1e-9 / writer->skeleton->metres_per_unit;
    double power = 1.0;
    int decimals = 0;
    while (decimals < writer->length_decimals && fabs(nearbyint(value * power) / power - value) > tolerance) {
        power *= 10.0;
        ++decimals;
    }
    add_number(writer, value, decimals);
}

// A name up to the end of its line: no control characters, no brace that opens, no blanks around it.
static void add_name(Writer* writer, int32_t joint, const char* name)
{
    const char* end = name + strlen(name);
    const char* start = name;
    while (start < end && (unsigned char)*start <= ' ') {
        ++start;
    }
    while (end > start && (unsigned char)end[-1] <= ' ') {
        --end;
    }
    bool renamed = *start != *name || *end;
    for (const char* p = start; p < end; ++p) {
        unsigned char c = (unsigned char)*p;
        char put = c < ' ' || c == 0x7F ? '_' : c == '{' ? '(' : *p;
        renamed = renamed || put != *p;
        add(writer, &put, 1);
    }
    if (start == end) {
        char made[32];
        snprintf(made, sizeof made, "joint_%d", joint);
        add_text(writer, made);
        renamed = true;
    }
    writer->renamed += renamed;
}

static const char* name_of(const Writer* writer, int32_t joint)
{
    const char* name = writer->skeleton->scene->nodes[writer->skeleton->joints[joint].node].name;
    return name ? name : "";
}

// Whether an End Site has a name of its own, which is more than its parent's with "_end".
static bool has_own_name(const Writer* writer, int32_t joint)
{
    const char* name = name_of(writer, joint);
    const char* parent = name_of(writer, writer->skeleton->joints[joint].parent);
    size_t length = strlen(parent);
    return *name && !(strncmp(name, parent, length) == 0 && strcmp(name + length, "_end") == 0);
}

static void add_offset(Writer* writer, int32_t depth, const double offset[3])
{
    add_indent(writer, depth);
    add_text(writer, "OFFSET");
    for (int k = 0; k < 3; ++k) {
        add_text(writer, " ");
        add_length(writer, offset[k]);
    }
    add_text(writer, "\n");
}

static void add_channels(Writer* writer, int32_t depth, const GtBvhJoint* layout)
{
    static const char* const names[] = { "Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation",
                                         "Zrotation", "Xscale",    "Yscale",    "Zscale" };
    char count[32];
    add_indent(writer, depth);
    snprintf(count, sizeof count, "CHANNELS %d", layout->channel_count);
    add_text(writer, count);
    for (int32_t c = 0; c < layout->channel_count; ++c) {
        add_text(writer, " ");
        add_text(writer, names[layout->channels[c]]);
    }
    add_text(writer, "\n");
}

static void open_joint(Writer* writer, int32_t joint, int32_t depth)
{
    const GtiBvhOutJoint* out = &writer->skeleton->joints[joint];
    const GtNode* node = &writer->skeleton->scene->nodes[out->node];
    add_indent(writer, depth);
    add_text(writer, out->layout.end_site ? "End Site" : out->parent == GT_NONE ? "ROOT " : "JOINT ");
    if (!out->layout.end_site) {
        add_name(writer, joint, name_of(writer, joint));
    } else if (has_own_name(writer, joint)) {
        add_text(writer, " ");
        add_name(writer, joint, name_of(writer, joint));
    }
    add_text(writer, "\n");
    add_indent(writer, depth);
    add_text(writer, "{\n");
    double offset[3];
    gti_bvh_joint_translation(writer->skeleton, joint, -1, offset);
    add_offset(writer, depth + 1, offset);
    if (!out->layout.end_site || out->layout.channel_count) {
        add_channels(writer, depth + 1, &out->layout);
    }
    if (out->child_count == 0 && !node->bvh) { // most readers want every branch to end in one
        static const double zero[3] = { 0.0, 0.0, 0.0 };
        add_indent(writer, depth + 1);
        add_text(writer, "End Site\n");
        add_indent(writer, depth + 1);
        add_text(writer, "{\n");
        add_offset(writer, depth + 2, zero);
        add_indent(writer, depth + 1);
        add_text(writer, "}\n");
    }
}

static void add_hierarchy(Writer* writer)
{
    const GtiBvhSkeleton* skeleton = writer->skeleton;
    int32_t depth = 0;
    int32_t open = GT_NONE;
    add_text(writer, "HIERARCHY\n");
    for (int32_t i = 0; i <= skeleton->joint_count; ++i) {
        int32_t parent = i < skeleton->joint_count ? skeleton->joints[i].parent : GT_NONE;
        while (open != parent) {
            add_indent(writer, --depth);
            add_text(writer, "}\n");
            open = skeleton->joints[open].parent;
        }
        if (i < skeleton->joint_count) {
            open_joint(writer, i, depth++);
            open = i;
        }
    }
}

// The shortest frame time that gives the keys back to the float.
static double frame_time(const GtiBvhTimes* times)
{
    double power = 1.0;
    for (int decimals = 1; decimals <= 15; ++decimals) {
        power *= 10.0;
        double step = nearbyint(times->step_s * power) / power;
        bool same = step > 0.0 && times->keys && times->keys[0] == 0.0f;
        for (int64_t i = 0; i < times->count && same; ++i) {
            same = (float)((double)i * step) == times->keys[i];
        }
        if (same && times->count > 1) {
            return step;
        }
    }
    double step = nearbyint(times->step_s * 1e9) / 1e9;
    return step > 1e-4 ? step : times->step_s;
}

static void add_joint_values(Writer* writer, int32_t joint, int64_t frame)
{
    GtiBvhSkeleton* skeleton = writer->skeleton;
    GtiBvhOutJoint* out = &skeleton->joints[joint];
    const GtBvhJoint* layout = &out->layout;
    double position[3];
    double scale[3];
    double quat[4];
    gti_bvh_joint_translation(skeleton, joint, frame, position);
    gti_bvh_joint_scale(skeleton, joint, frame, scale);
    if (out->axes.count) {
        gti_bvh_joint_rotation(skeleton, joint, frame, quat);
        gti_bvh_angles_from_quat(&out->axes, quat, out->angles);
    }
    int32_t angle = 0;
    for (int32_t c = 0; c < layout->channel_count; ++c) {
        uint8_t channel = layout->channels[c];
        add(writer, " ", writer->in_line);
        writer->in_line = true;
        if (channel < GT_BVH_X_ROTATION) {
            add_length(writer, position[channel]);
        } else if (channel < GT_BVH_X_SCALE) {
            add_number(writer, out->angles[angle++], ANGLE_DECIMALS);
        } else {
            add_number(writer, scale[channel - GT_BVH_X_SCALE], SCALE_DECIMALS);
        }
    }
}

static GtResult add_motion(Writer* writer)
{
    GtiBvhSkeleton* skeleton = writer->skeleton;
    const GtiBvhTimes* times = &skeleton->times;
    char line[64 + GT_NUMBER_SIZE];
    char number[GT_NUMBER_SIZE];
    gt_print_double(frame_time(times), number);
    snprintf(line, sizeof line, "MOTION\nFrames: %lld\nFrame Time: %s\n", (long long)times->count, number);
    add_text(writer, line);
    int64_t until_progress = 0;
    for (int64_t frame = 0; frame < times->count && !writer->failed; ++frame) {
        for (int32_t i = 0; i < skeleton->joint_count; ++i) {
            if (skeleton->joints[i].layout.channel_count) {
                add_joint_values(writer, i, frame);
            }
        }
        add_text(writer, "\n");
        writer->in_line = false;
        until_progress -= skeleton->joint_count;
        if (until_progress < 0) {
            until_progress = PROGRESS_VALUES;
            GtResult result = gti_progress(skeleton->context, skeleton->error, "writing frames",
                                           (double)frame / (double)times->count);
            if (result != GT_OK) {
                return result;
            }
        }
    }
    return GT_OK;
}

static GtResult gather(Writer* writer, GtBlob** out)
{
    uint8_t* bytes = NULL;
    GtBlob* blob = writer->failed ? NULL : gt_blob_create(writer->skeleton->context->allocator, writer->size, &bytes);
    if (!blob) {
        return gti_out_of_memory(writer->skeleton->error);
    }
    for (const Piece* piece = writer->first; piece; piece = piece->next) {
        memcpy(bytes, piece->bytes, piece->size);
        bytes += piece->size;
    }
    *out = blob;
    return GT_OK;
}

static int decimals_for(double metres_per_unit)
{
    int decimals = 0;
    while (decimals < 9 && metres_per_unit > 1.001e-7) {
        metres_per_unit /= 10.0;
        ++decimals;
    }
    return decimals;
}

static GtResult write_text(GtiBvhSkeleton* skeleton, const GtSaveDef* def, GtBlob** out)
{
    GtResult result = gti_bvh_make_skeleton(skeleton, def);
    if (result != GT_OK) {
        return result;
    }
    Writer writer = { .skeleton = skeleton, .length_decimals = decimals_for(skeleton->metres_per_unit) };
    add_hierarchy(&writer);
    result = add_motion(&writer);
    if (result == GT_OK && writer.renamed) {
        gti_warn(skeleton->context, NULL, NULL, "%d joints had names that BVH cannot hold and were renamed",
                 writer.renamed);
    }
    return result == GT_OK ? gather(&writer, out) : result;
}

GtResult gti_bvh_write(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtBlob** out,
                       GtError* error)
{
    *out = NULL;
    GtArena arena = gt_arena_create(context->allocator);
    GtiBvhSkeleton skeleton = { .context = context, .scene = scene, .arena = &arena, .error = error };
    GtResult result = write_text(&skeleton, def, out);
    gt_arena_destroy(&arena);
    return result;
}

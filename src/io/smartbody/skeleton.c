// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// SK text: nested bodies in braces, one a joint. The open joint's parents are the only stack. What SmartBody ignores
// (geometry, limits, the value of a Quat channel) is ignored here too.

#include "io/smartbody/skeleton.h"

#include "base/ascii.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/scalar.h"
#include "io/bvh/axes.h"
#include "io/mesh/units.h"

#include <math.h>
#include <string.h>

// Heights beyond these are no person's, child or giant, in the unit that a comment says.
#define LEAST_HEIGHT_M 0.5
#define MOST_HEIGHT_M  3.0

enum {
    COMMENT_SIZE = 4096 // how far a comment is looked for
};

double gti_sk_stated_unit(const GtiInput* input)
{
    static const struct {
        const char* name;
        double metres;
    } units[] = { { "m", 1.0 }, { "cm", 0.01 }, { "mm", 0.001 }, { "in", 0.0254 }, { "inch", 0.0254 } };
    static const char mark[] = "units:";
    const char* text = (const char*)input->bytes;
    const char* end = text + (input->size < COMMENT_SIZE ? input->size : COMMENT_SIZE);
    bool in_comment = false;
    for (const char* p = text; end - p >= (ptrdiff_t)sizeof mark; ++p) {
        in_comment = *p == '#' || (in_comment && *p != '\n' && *p != '\r');
        if (in_comment && gti_word_equals((GtiWord){ p, sizeof mark - 1 }, mark)) {
            GtiWords words = { .at = p + sizeof mark - 1, .line_end = end };
            GtiWord word;
            gti_words_next(&words, &word);
            for (size_t i = 0; i < sizeof units / sizeof *units; ++i) {
                if (gti_word_equals(word, units[i].name)) {
                    return units[i].metres;
                }
            }
        }
    }
    return 0.0;
}

static GtResult read_numbers(GtiSkSkeleton* s, const char* what, double* out, int count)
{
    GtResult result = GT_OK;
    for (int i = 0; i < count && result == GT_OK; ++i) {
        GtiWord word;
        gti_sk_next(&s->words, &word);
        if (!gti_word_number(word, &out[i])) {
            return gti_words_fail(&s->words, GT_ERROR_BAD_FILE, "'%s' needs %d number%s, got '%.*s'", what, count,
                                  count == 1 ? "" : "s", gti_word_shown(word), word.text);
        }
        if (!(fabs(out[i]) <= GTI_WORDS_MAX_VALUE)) {
            out[i] = 0.0;
            result = gti_words_repair(&s->words, GTI_SK_BAD_VALUE, "a number of '%s' is not finite: 0 is used", what);
        }
    }
    return result;
}

static GtResult expect(GtiSkSkeleton* s, const char* what, const char* lower)
{
    GtiWord word;
    gti_sk_next(&s->words, &word);
    return gti_word_equals(word, lower)
               ? GT_OK
               : gti_words_fail(&s->words, GT_ERROR_BAD_FILE, "'%s' needs '%s' here, got '%.*s'", what, lower,
                                gti_word_shown(word), word.text);
}

// "axis x y z ang degrees"; a zero axis is no rotation. Rotations of the same kind follow one another.
static GtResult read_rotation(GtiSkSkeleton* s, const char* what, GtiQuat* rotation)
{
    double axis[3] = { 0.0, 0.0, 0.0 };
    double degrees = 0.0;
    GtResult result = expect(s, what, "axis");
    if (result == GT_OK) {
        result = read_numbers(s, what, axis, 3);
    }
    if (result == GT_OK) {
        result = expect(s, what, "ang");
    }
    if (result == GT_OK) {
        result = read_numbers(s, what, &degrees, 1);
    }
    GtiVec unit = gti_vec_unit_or(gti_vec(axis[0], axis[1], axis[2]), gti_vec(0.0, 0.0, 0.0));
    if (result == GT_OK && gti_vec_length(unit) > 0.0) {
        *rotation = gti_quat_unit(gti_quat_mul(*rotation, gti_quat_about(unit, degrees * GTI_DEGREE)));
    }
    return result;
}

// The rest of a channel: limits, or a value that SmartBody ignores. *frozen is set where nothing moves it.
static void skip_limits(GtiSkSkeleton* s, bool* frozen)
{
    static const char* const known[] = { "free", "lim", "axis", "ang", "frozen" };
    for (;;) {
        GtiWord word = gti_sk_peek(&s->words);
        double number = 0.0;
        bool skips = gti_word_number(word, &number);
        for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
            skips |= gti_word_equals(word, known[i]);
        }
        if (!skips) {
            return;
        }
        *frozen |= gti_word_equals(word, "frozen");
        gti_sk_next(&s->words, &word);
    }
}

static GtResult read_channel(GtiSkSkeleton* s, GtiSkJoint* joint)
{
    GtiWord word;
    gti_sk_next(&s->words, &word);
    GtiSkChannelType type = gti_sk_channel_type(word);
    GtResult result = GT_OK;
    bool frozen = false;
    if (type <= GTI_SK_Z_POSITION) {
        result = read_numbers(s, "channel", &joint->position[type], 1);
    } else if (type != GTI_SK_QUAT) {
        result = gti_words_repair(&s->words, GTI_SK_CHANNEL, "a channel '%.*s' is not read and stays at rest",
                                  gti_word_shown(word), word.text);
    }
    if (result == GT_OK) {
        skip_limits(s, &frozen);
    }
    if (type <= GTI_SK_QUAT && !frozen) {
        joint->types |= 1u << type;
    }
    return result;
}

// A name in front of its body; it may hold blanks.
static GtResult open_joint(GtiSkSkeleton* s, int32_t* open)
{
    GtiSkJoint joint = {
        .parent = *open, .line = s->words.line, .prerotation = gti_quat_identity(), .postrotation = gti_quat_identity()
    };
    GtiWord word;
    while (gti_sk_next(&s->words, &word) && !gti_word_equals(word, "{") && !gti_word_equals(word, "}")) {
        bool follows = joint.name.length && joint.line == s->words.line;
        joint.name = follows ? (GtiWord){ joint.name.text, (size_t)(word.text + word.length - joint.name.text) } : word;
        joint.line = s->words.line;
    }
    if (!gti_word_equals(word, "{") || !joint.name.length) {
        return gti_words_fail(&s->words, GT_ERROR_BAD_FILE, "a joint needs a name and '{', got '%.*s'",
                              gti_word_shown(word), word.text);
    }
    int32_t number = gti_intern(&s->names, joint.name.text, joint.name.length);
    if (number == GT_NONE) {
        return gti_out_of_memory(s->words.error);
    }
    if (number < s->joint_count) {
        return gti_words_fail(&s->words, GT_ERROR_BAD_FILE, "a second joint has the name '%.*s'",
                              gti_word_shown(joint.name), joint.name.text);
    }
    if (s->joint_count == s->joint_capacity) {
        GtiSkJoint* grown = gti_arena_grow(s->arena, s->joints, &s->joint_capacity, 64, sizeof *grown);
        if (!grown) {
            return gti_out_of_memory(s->words.error);
        }
        s->joints = grown;
    }
    *open = s->joint_count;
    s->joints[s->joint_count++] = joint;
    return GT_OK;
}

// One keyword of a body and what belongs to it.
static GtResult read_body_word(GtiSkSkeleton* s, GtiSkJoint* joint, GtiWord key)
{
    GtiWord ignored;
    GtiQuat turn = gti_quat_identity();
    if (gti_word_equals(key, "offset") || gti_word_equals(key, "center")) {
        return read_numbers(s, "offset", joint->offset, 3);
    }
    if (gti_word_equals(key, "prerot") || gti_word_equals(key, "framerot")) {
        return read_rotation(s, "prerot", &joint->prerotation);
    }
    if (gti_word_equals(key, "postrot")) {
        return read_rotation(s, "postrot", &joint->postrotation);
    }
    if (gti_word_equals(key, "channel")) {
        return read_channel(s, joint);
    }
    if (gti_word_equals(key, "visgeo") || gti_word_equals(key, "colgeo") || gti_word_equals(key, "euler")) {
        gti_sk_next(&s->words, &ignored);
        return GT_OK;
    }
    if (gti_word_equals(key, "modelrot")) {
        return read_rotation(s, "modelrot", &turn);
    }
    return gti_words_repair(&s->words, GTI_SK_UNKNOWN_WORD, "'%.*s' is not known and is skipped", gti_word_shown(key),
                            key.text);
}

// The tree, from "root" to the brace that closes it.
static GtResult read_tree(GtiSkSkeleton* s)
{
    int32_t open = GT_NONE;
    GtResult result = open_joint(s, &open);
    GtiWord word;
    while (result == GT_OK && open != GT_NONE) {
        if (!gti_sk_next(&s->words, &word)) {
            return gti_words_repair(&s->words, GTI_SK_OPEN, "the text ends inside joint '%.*s', which is closed",
                                    gti_word_shown(s->joints[open].name), s->joints[open].name.text);
        }
        if (gti_word_equals(word, "}")) {
            open = s->joints[open].parent;
        } else if (gti_word_equals(word, "joint")) {
            result = open_joint(s, &open);
        } else {
            result = read_body_word(s, &s->joints[open], word);
        }
    }
    return result;
}

static void scale_joints(GtiSkSkeleton* s, double scale)
{
    for (int32_t i = 0; i < s->joint_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            s->joints[i].offset[k] *= scale;
            s->joints[i].position[k] *= scale;
        }
    }
}

// What stands around the tree: "set_name", "set_scale" and words that mean nothing here.
static GtResult read_text(GtiSkSkeleton* s)
{
    double scale = 1.0;
    GtiWord word;
    GtResult result = GT_OK;
    while (result == GT_OK && s->joint_count == 0 && gti_sk_next(&s->words, &word)) {
        if (gti_word_equals(word, "set_scale")) {
            result = read_numbers(s, "set_scale", &scale, 1);
            if (result == GT_OK && !(scale >= 1e-6 && scale <= 1e6)) {
                scale = 1.0;
                result = gti_words_repair(&s->words, GTI_SK_BAD_VALUE, "this scale is not possible: 1 is used");
            }
        } else if (gti_word_equals(word, "set_name") || gti_word_equals(word, "add_path")) {
            gti_sk_next(&s->words, &word);
        } else if (gti_word_equals(word, "skeleton") && gti_word_equals(gti_sk_peek(&s->words), "root")) {
            gti_sk_next(&s->words, &word);
            result = read_tree(s);
        }
    }
    if (result == GT_OK && s->joint_count == 0) {
        return gti_words_fail(&s->words, GT_ERROR_BAD_FILE, "there are no joints: 'skeleton' and 'root' are missing");
    }
    scale_joints(s, scale);
    return result;
}

GtResult gti_sk_parse(const GtContext* context, const GtiInput* input, GtiSkSkeleton* skeleton, GtError* error)
{
    GtiSkSkeleton* s = skeleton;
    s->words = (GtiWords){ .context = context,
                           .path = input->path,
                           .error = error,
                           .repaired = s->repaired,
                           .repair_count = GTI_SK_REPAIR_COUNT };
    gti_words_open(&s->words, input->bytes, input->size);
    s->names = (GtiIntern){ .arena = s->arena };
    s->metres_per_unit = 1.0;
    s->stated_unit_m = gti_sk_stated_unit(input);
    return read_text(s);
}

GtTransform gti_sk_local(const GtiSkSkeleton* skeleton, int32_t joint, const double position[3], GtiQuat rotation)
{
    const GtiSkJoint* j = &skeleton->joints[joint];
    GtiQuat turned = gti_quat_mul(gti_quat_mul(j->prerotation, rotation), j->postrotation);
    double q[4] = { turned.x, turned.y, turned.z, turned.w };
    double v[3];
    for (int i = 0; i < 3; ++i) {
        v[i] = (j->offset[i] + position[i]) * skeleton->metres_per_unit;
    }
    if (j->parent == GT_NONE) {
        gti_bvh_y_from_file_vector(skeleton->up_axis, v);
        gti_bvh_y_from_file_quat(skeleton->up_axis, q);
    }
    GtTransform local = gt_default_node().local;
    local.translation = gt_vec3((float)v[0], (float)v[1], (float)v[2]);
    local.rotation = gt_quat((float)q[0], (float)q[1], (float)q[2], (float)q[3]);
    return local;
}

// Height of the rest pose in the file's unit; negative when memory ran out.
static double measure_height(const GtiSkSkeleton* s)
{
    typedef struct Placed {
        GtiQuat rotation;
        GtiVec position;
    } Placed;
    Placed* placed = gt_arena_push_array(s->arena, (size_t)s->joint_count, sizeof *placed);
    double min = INFINITY;
    double max = -INFINITY;
    for (int32_t i = 0; i < s->joint_count && placed; ++i) {
        GtTransform local = gti_sk_local(s, i, s->joints[i].position, gti_quat_identity());
        GtiVec offset = gti_vec(local.translation.x, local.translation.y, local.translation.z);
        GtiQuat rotation = gti_quat_from(local.rotation);
        const Placed* parent = s->joints[i].parent == GT_NONE ? NULL : &placed[s->joints[i].parent];
        placed[i].position = parent ? gti_vec_add(parent->position, gti_quat_rotate(parent->rotation, offset)) : offset;
        placed[i].rotation = parent ? gti_quat_unit(gti_quat_mul(parent->rotation, rotation)) : rotation;
        min = fmin(min, placed[i].position.y);
        max = fmax(max, placed[i].position.y);
    }
    return placed ? max - min : -1.0;
}

GtResult gti_sk_choose_units(GtiSkSkeleton* skeleton, const GtLoadDef* def)
{
    GtiSkSkeleton* s = skeleton;
    s->up_axis = def->up_axis == GT_NONE ? GT_UP_Y : (GtUpAxis)def->up_axis;
    if (def->metres_per_unit > 0.0) {
        s->metres_per_unit = def->metres_per_unit;
        return GT_OK;
    }
    s->metres_per_unit = 1.0;
    double height = measure_height(s);
    if (height < 0.0) {
        return gti_out_of_memory(s->words.error);
    }
    double stated = s->stated_unit_m;
    bool plausible = stated * height >= LEAST_HEIGHT_M && stated * height <= MOST_HEIGHT_M;
    double guess = plausible ? 0.0 : gti_unit_of_person(height);
    s->metres_per_unit = guess > 0.0 ? guess : stated > 0.0 ? stated : 1.0;
    if (guess > 0.0 && guess != 1.0) {
        gti_note(s->words.context, s->words.path, NULL,
                 "units: %s, by the skeleton's height of %.2f m (--units tells otherwise)", gti_unit_name(guess),
                 guess * height);
    }
    return GT_OK;
}

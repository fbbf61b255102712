// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// AMC text: a frame is a line with its number, and then a line for every bone that moves. With C the rotation from a
// bone's own axes to the world at rest and R that of its values, the bone rotates against its parent by C R C^-1, so
// that the axes of every node are the world's at rest. The first pass counts frames and the lines of every bone, so
// that memory is in proportion to the text; the second fills the curves.

#include "io/asf/motion.h"

#include "base/ascii.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/scalar.h"

#include <math.h>
#include <string.h>

#define ASSUMED_RATE_HZ 120.0

enum {
    PROGRESS_LINES = 1 << 14
};

// Whether the line that `word` begins is the number of a frame: digits alone.
static bool is_frame_line(GtiWords* words, GtiWord word)
{
    GtiWord next;
    const char* at = words->at;
    bool alone = !gti_words_next(words, &next);
    words->at = at;
    for (size_t i = 0; i < word.length && alone; ++i) {
        alone = gti_is_digit(word.text[i]);
    }
    return alone;
}

static GtResult read_keyword(GtiAmcMotion* m, GtiWord word)
{
    if (gti_word_equals(word, ":degrees")) {
        m->radians_per_angle = GTI_DEGREE;
    } else if (gti_word_equals(word, ":radians")) {
        m->radians_per_angle = 1.0;
    } else if (gti_word_equals(word, ":samples-per-second")) {
        GtiWord value;
        double rate = 0.0;
        gti_words_next(&m->words, &value);
        if (!gti_word_number(value, &rate) || !(rate >= 1.0 && rate <= 10000.0)) {
            return gti_words_repair(&m->words, GTI_AMC_UNKNOWN_WORD, "'%.*s' is no frame rate from 1 to 10000 Hz",
                                    gti_word_shown(value), value.text);
        }
        m->rate_hz = rate;
    } else if (!gti_word_equals(word, ":fully-specified")) {
        return gti_words_repair(&m->words, GTI_AMC_UNKNOWN_WORD, "'%.*s' is not known and is skipped",
                                gti_word_shown(word), word.text);
    }
    return GT_OK;
}

// First pass: what is in the file.
static GtResult count_lines(GtiAmcMotion* m)
{
    GtResult result = GT_OK;
    while (result == GT_OK && gti_words_next_line(&m->words)) {
        GtiWord word;
        gti_words_next(&m->words, &word);
        if (word.text[0] == ':') {
            result = read_keyword(m, word);
        } else if (is_frame_line(&m->words, word)) {
            ++m->frame_count;
        } else {
            int32_t bone = gti_intern_find(&m->skeleton->names, word.text, word.length);
            if (bone != GT_NONE) {
                ++m->tracks[bone].line_count;
            }
        }
    }
    if (result == GT_OK && m->frame_count == 0) {
        return gti_words_fail(&m->words, GT_ERROR_BAD_FILE, "there are no frames");
    }
    if (result == GT_OK && m->frame_count > GTI_AMC_MAX_FRAMES) {
        return gti_words_fail(&m->words, GT_ERROR_LIMIT, "%lld frames; at most %d are read", (long long)m->frame_count,
                              GTI_AMC_MAX_FRAMES);
    }
    return result;
}

static bool has_dof(const GtiAsfBone* bone, int first)
{
    for (int32_t i = 0; i < bone->dof_count; ++i) {
        if (bone->dofs[i] >= first && bone->dofs[i] < first + 3) {
            return true;
        }
    }
    return false;
}

// Lay out the curves of bones that move, and make the blob.
static GtResult make_tracks(GtiAmcMotion* m)
{
    size_t first = (size_t)m->frame_count;
    int64_t moving = 0;
    int64_t lines = 0;
    for (int32_t i = 0; i < m->skeleton->bone_count; ++i) {
        const GtiAsfBone* bone = &m->skeleton->bones[i];
        GtiAmcTrack* track = &m->tracks[i];
        track->translation = track->rotation = SIZE_MAX;
        track->last_frame = -1;
        bool translates = track->line_count && has_dof(bone, GTI_ASF_TX);
        bool rotates = track->line_count && has_dof(bone, GTI_ASF_RX);
        if (translates) {
            track->translation = first;
            first += (size_t)m->frame_count * 3; // at most 7 * 2^23 * 2^31 floats: no overflow
        }
        if (rotates) {
            track->rotation = first;
            first += (size_t)m->frame_count * 4;
        }
        if (translates || rotates) {
            ++moving;
            lines += track->line_count;
        }
        track->world_from_axes =
            i == GTI_ASF_ROOT ? gti_quat_identity() : gti_asf_rotation(bone->axis_rad, bone->axis_order, 3);
    }
    if (moving == 0) {
        return gti_words_fail(&m->words, GT_ERROR_BAD_FILE,
                              "no bone of the skeleton moves: is it the skeleton of this motion?");
    }
    if (lines < moving * m->frame_count / 2) {
        return gti_words_fail(&m->words, GT_ERROR_BAD_FILE,
                              "%lld frames of %lld bones have only %lld lines: most are missing",
                              (long long)m->frame_count, (long long)moving, (long long)lines);
    }
    uint8_t* bytes = NULL;
    m->blob = gt_blob_create(m->words.context->allocator, first * sizeof(float), &bytes);
    m->data = (float*)(void*)bytes;
    return m->blob ? GT_OK : gti_out_of_memory(m->words.error);
}

// Hold the value of the frame before, or the rest pose, in frames [last_frame + 1, end) of a bone.
static void hold(GtiAmcMotion* m, int32_t bone, int64_t end)
{
    GtiAmcTrack* track = &m->tracks[bone];
    double rest[3];
    gti_asf_rest_translation(m->skeleton, bone, rest);
    GtQuat rotation = gti_quat_to_float(gti_asf_rest_rotation(m->skeleton, bone));
    const float rest_values[2][4] = { { (float)rest[0], (float)rest[1], (float)rest[2], 0.0f },
                                      { rotation.x, rotation.y, rotation.z, rotation.w } };
    bool moves = track->translation != SIZE_MAX || track->rotation != SIZE_MAX;
    for (int64_t frame = track->last_frame + 1; moves && frame < end; ++frame) {
        for (int path = 0; path < 2; ++path) {
            size_t width = path ? 4 : 3;
            size_t first = path ? track->rotation : track->translation;
            if (first != SIZE_MAX) {
                float* value = m->data + first + (size_t)frame * width;
                memcpy(value, frame ? value - width : rest_values[path], width * sizeof *value);
            }
        }
    }
    track->last_frame = end - 1 > track->last_frame ? end - 1 : track->last_frame;
}

static void put_rotation(GtiAmcMotion* m, const GtiAmcTrack* track, int64_t frame, GtiQuat q)
{
    float* out = m->data + track->rotation + (size_t)frame * 4;
    const float* before = out - 4;
    double dot = frame ? before[0] * q.x + before[1] * q.y + before[2] * q.z + before[3] * q.w : 1.0;
    double sign = dot < 0.0 ? -1.0 : 1.0; // neighbours on the same side
    out[0] = (float)(sign * q.x);
    out[1] = (float)(sign * q.y);
    out[2] = (float)(sign * q.z);
    out[3] = (float)(sign * q.w);
}

static void put_values(GtiAmcMotion* m, int32_t index, int64_t frame, const double* values)
{
    const GtiAsfBone* bone = &m->skeleton->bones[index];
    const GtiAmcTrack* track = &m->tracks[index];
    bool root = index == GTI_ASF_ROOT;
    double move[3] = { 0.0, 0.0, 0.0 };
    double angles_rad[3] = { 0.0, 0.0, 0.0 };
    uint8_t order[3] = { 0 };
    int32_t count = 0;
    for (int32_t i = 0; i < bone->dof_count; ++i) {
        int axis = bone->dofs[i] % 3;
        if (bone->dofs[i] < GTI_ASF_RX) {
            move[axis] = values[i];
        } else if (bone->dofs[i] < GTI_ASF_LENGTH) {
            angles_rad[axis] = values[i] * m->radians_per_angle + (root ? bone->axis_rad[axis] : 0.0);
            order[count++] = (uint8_t)axis;
        }
    }
    GtiQuat axes = track->world_from_axes;
    if (track->rotation != SIZE_MAX) {
        GtiQuat local = gti_asf_rotation(angles_rad, root ? bone->axis_order : order, root ? 3 : count);
        put_rotation(m, track, frame, gti_quat_mul(gti_quat_mul(axes, local), gti_quat_conjugate(axes)));
    }
    if (track->translation != SIZE_MAX) {
        double rest[3];
        gti_asf_rest_translation(m->skeleton, index, rest);
        GtiVec moved = gti_quat_rotate(axes, gti_vec(move[0], move[1], move[2]));
        float* out = m->data + track->translation + (size_t)frame * 3;
        out[0] = (float)(rest[0] + moved.x);
        out[1] = (float)(rest[1] + moved.y);
        out[2] = (float)(rest[2] + moved.z);
    }
}

// The values of a bone's line; *usable is false where the frame before is held instead.
static GtResult read_values(GtiAmcMotion* m, const GtiAsfBone* bone, double values[GTI_ASF_MAX_DOFS], bool* usable)
{
    GtiWord word;
    GtResult result = GT_OK;
    int32_t count = 0;
    *usable = true;
    for (; gti_words_next(&m->words, &word) && count < bone->dof_count; ++count) {
        if (!gti_word_number(word, &values[count])) {
            return gti_words_fail(&m->words, GT_ERROR_BAD_FILE, "bone '%.*s': '%.*s' is not a number",
                                  gti_word_shown(bone->name), bone->name.text, gti_word_shown(word), word.text);
        }
        if (!(fabs(values[count]) <= GTI_WORDS_MAX_VALUE)) {
            *usable = false;
            result = gti_words_repair(&m->words, GTI_AMC_VALUE,
                                      "bone '%.*s': '%.*s' is not finite: the frame before "
                                      "is held",
                                      gti_word_shown(bone->name), bone->name.text, gti_word_shown(word), word.text);
            if (result != GT_OK) {
                return result;
            }
        }
    }
    if (count < bone->dof_count) {
        *usable = false;
        return gti_words_repair(&m->words, GTI_AMC_VALUES_FEWER,
                                "bone '%.*s' has %d of %d values: the frame before is held", gti_word_shown(bone->name),
                                bone->name.text, count, bone->dof_count);
    }
    if (word.length) {
        return gti_words_repair(&m->words, GTI_AMC_VALUES_MORE,
                                "bone '%.*s' has more than %d values: the others are left out",
                                gti_word_shown(bone->name), bone->name.text, bone->dof_count);
    }
    return result;
}

static GtResult read_bone_line(GtiAmcMotion* m, GtiWord name, int64_t frame)
{
    int32_t index = gti_intern_find(&m->skeleton->names, name.text, name.length);
    if (frame < 0) {
        return gti_words_fail(&m->words, GT_ERROR_BAD_FILE, "'%.*s' stands where the number of a frame is expected",
                              gti_word_shown(name), name.text);
    }
    if (index == GT_NONE) {
        return gti_words_repair(&m->words, GTI_AMC_UNKNOWN_BONE, "the skeleton has no bone '%.*s': it is left out",
                                gti_word_shown(name), name.text);
    }
    const GtiAsfBone* bone = &m->skeleton->bones[index];
    GtiAmcTrack* track = &m->tracks[index];
    GtResult result = GT_OK;
    if (track->last_frame == frame) {
        result = gti_words_repair(&m->words, GTI_AMC_BONE_TWICE, "bone '%.*s' is twice in a frame: the last counts",
                                  gti_word_shown(name), name.text);
    } else if (track->last_frame < frame - 1) {
        result = gti_words_repair(&m->words, GTI_AMC_BONE_MISSING,
                                  "bone '%.*s' is missing in frames before: the frame before those is held",
                                  gti_word_shown(name), name.text);
        hold(m, index, frame);
    }
    double values[GTI_ASF_MAX_DOFS] = { 0.0 };
    bool usable = false;
    if (result == GT_OK) {
        result = read_values(m, bone, values, &usable);
    }
    if (result == GT_OK && usable) {
        put_values(m, index, frame, values);
        track->last_frame = frame;
    } else if (result == GT_OK) {
        hold(m, index, frame + 1);
    }
    for (int32_t i = 0; i < bone->dof_count && result == GT_OK; ++i) {
        if (bone->dofs[i] == GTI_ASF_LENGTH) {
            result = gti_words_repair(&m->words, GTI_AMC_LENGTH, "bone '%.*s' changes its length, which is left out",
                                      gti_word_shown(name), name.text);
        }
    }
    return result;
}

// A frame's number: frames are taken in their order, whatever their numbers.
static GtResult read_frame_line(GtiAmcMotion* m, GtiWord word, int64_t frame, double* number)
{
    double value = 0.0;
    bool counts_on = gti_word_number(word, &value) && (frame == 0 || value == *number + 1.0);
    *number = value;
    return counts_on ? GT_OK
                     : gti_words_repair(&m->words, GTI_AMC_NUMBERS,
                                        "frame number %.*s does not follow the one before: frames are taken in order",
                                        gti_word_shown(word), word.text);
}

// Second pass: the curves.
static GtResult read_frames(GtiAmcMotion* m)
{
    const GtContext* context = m->words.context;
    int64_t frame = -1;
    double number = 0.0;
    double size = (double)(m->words.end - m->words.text);
    gti_words_rewind(&m->words);
    GtResult result = GT_OK;
    for (int64_t step = 0; result == GT_OK && gti_words_next_line(&m->words); ++step) {
        GtiWord word;
        gti_words_next(&m->words, &word);
        if (word.text[0] == ':') {
            continue;
        }
        if (is_frame_line(&m->words, word)) {
            result = read_frame_line(m, word, ++frame, &number);
        } else {
            result = read_bone_line(m, word, frame);
        }
        if (result == GT_OK && step % PROGRESS_LINES == PROGRESS_LINES - 1) {
            result = gti_progress(context, m->words.error, "reading", (double)(m->words.at - m->words.text) / size);
        }
    }
    for (int32_t i = 0; i < m->skeleton->bone_count && result == GT_OK; ++i) {
        const GtiAsfBone* bone = &m->skeleton->bones[i];
        const GtiAmcTrack* track = &m->tracks[i];
        if (track->line_count && track->last_frame < m->frame_count - 1 && bone->dof_count) {
            result = gti_words_repair(&m->words, GTI_AMC_BONE_MISSING,
                                      "bone '%.*s' is missing in the last frames: the frame before those is held",
                                      gti_word_shown(bone->name), bone->name.text);
            hold(m, i, m->frame_count);
        }
    }
    return result;
}

static void write_times(GtiAmcMotion* m)
{
    if (m->rate_hz == 0.0) {
        m->rate_hz = ASSUMED_RATE_HZ;
        gti_note(m->words.context, m->words.path, NULL,
                 "an AMC does not say its frame rate: 120 Hz is assumed, as in the CMU collection");
    }
    for (int64_t frame = 0; frame < m->frame_count; ++frame) {
        m->data[frame] = (float)((double)frame / m->rate_hz);
    }
}

GtResult gti_amc_parse(const GtContext* context, const GtiInput* input, const GtiAsfSkeleton* skeleton,
                       GtiAmcMotion* motion, GtError* error)
{
    *motion = (GtiAmcMotion){ .skeleton = skeleton, .radians_per_angle = GTI_DEGREE };
    motion->words = (GtiWords){ .context = context,
                                .path = input->path,
                                .error = error,
                                .repaired = motion->repaired,
                                .repair_count = GTI_AMC_REPAIR_COUNT };
    gti_words_open(&motion->words, input->bytes, input->size);
    motion->tracks = gt_arena_push_array(skeleton->arena, (size_t)skeleton->bone_count, sizeof *motion->tracks);
    if (!motion->tracks) {
        return gti_out_of_memory(error);
    }
    GtResult result = count_lines(motion);
    if (result == GT_OK) {
        result = make_tracks(motion);
    }
    if (result == GT_OK) {
        result = read_frames(motion);
    }
    if (result == GT_OK) {
        write_times(motion);
    }
    return result;
}

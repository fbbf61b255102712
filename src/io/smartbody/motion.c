// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// SKM text: channels, then a frame for every "kt", then metadata. The first pass finds the frames that are whole, so
// that memory is in proportion to the text; the second fills the curves.

#include "io/smartbody/motion.h"

#include "base/fail.h"
#include "base/memory.h"
#include "io/smartbody/tags.h"

#include <math.h>
#include <string.h>

enum {
    PROGRESS_FRAMES = 1 << 8
};

// One frame, after "kt". *whole is false where it is left out: it has too few values, or its time does not follow.
static GtResult read_frame(GtiSkmMotion* m, double* last_s, double* time_s, bool* whole)
{
    GtiWord word;
    GtResult result = GT_OK;
    *whole = false;
    gti_sk_next(&m->words, &word);
    if (!gti_word_number(word, time_s)) {
        return gti_words_fail(&m->words, GT_ERROR_BAD_FILE, "'kt' needs a time, got '%.*s'", gti_word_shown(word),
                              word.text);
    }
    gti_sk_next(&m->words, &word);
    if (!gti_word_equals(word, "fr")) {
        return gti_words_fail(&m->words, GT_ERROR_BAD_FILE, "a frame needs 'fr' after its time, got '%.*s'",
                              gti_word_shown(word), word.text);
    }
    for (int32_t i = 0; i < m->value_count && result == GT_OK; ++i) {
        GtiWords before = m->words;
        double value = 0.0;
        if (!gti_sk_next(&m->words, &word) || !gti_word_number(word, &value)) {
            m->words = before;
            return gti_words_repair(&m->words, GTI_SKM_FRAME_CUT, "a frame has %d of %d values and is left out", i,
                                    m->value_count);
        }
        if (fabs(value) <= GTI_WORDS_MAX_VALUE) {
            m->values[i] = value;
        } else {
            result = gti_words_repair(&m->words, GTI_SKM_VALUE, "'%.*s' is not finite: the frame before is held",
                                      gti_word_shown(word), word.text);
        }
    }
    *whole = (float)*time_s >= 0.0f && (float)*time_s > (float)*last_s;
    if (result == GT_OK && !*whole) {
        return gti_words_repair(&m->words, GTI_SKM_TIME, "a frame at %g s is not after the one before, and is left out",
                                *time_s);
    }
    *last_s = *whole ? *time_s : *last_s;
    return result;
}

static GtResult add_channel(GtiSkmMotion* m, GtiWord name, GtiWord type_word)
{
    GtiSkmChannel* channel = &m->channels[m->channel_count];
    GtiSkChannelType type = gti_sk_channel_type(type_word);
    int32_t joint = gti_intern_find(&m->skeleton->names, name.text, name.length);
    GtResult result = GT_OK;
    if (type > GTI_SK_QUAT) {
        result = gti_words_repair(&m->words, GTI_SKM_CHANNEL_TYPE,
                                  "joint '%.*s': channels '%.*s' are not read and are left out", gti_word_shown(name),
                                  name.text, gti_word_shown(type_word), type_word.text);
        joint = GT_NONE;
    } else if (joint == GT_NONE) {
        result = gti_words_repair(&m->words, GTI_SKM_UNKNOWN_JOINT, "the skeleton has no joint '%.*s': it is left out",
                                  gti_word_shown(name), name.text);
    } else if (!(m->skeleton->joints[joint].types & 1u << type)) {
        result = gti_words_repair(&m->words, GTI_SKM_RIGID,
                                  "joint '%.*s' has no channel '%.*s' in the skeleton: it is left out",
                                  gti_word_shown(name), name.text, gti_word_shown(type_word), type_word.text);
        joint = GT_NONE;
    }
    *channel = (GtiSkmChannel){ joint, type };
    m->value_count += gti_sk_channel_width(type);
    ++m->channel_count;
    return result;
}

// "channels N" and then N times "NAME TYPE", where a name may hold blanks.
static GtResult read_channels(GtiSkmMotion* m)
{
    GtiWord word;
    double count = 0.0;
    gti_sk_next(&m->words, &word);
    // A channel is at least four letters, a name and blanks.
    double most = (double)(m->words.end - m->words.at) / 5.0 + 1.0;
    if (!gti_word_number(word, &count) || !(count >= 1.0 && count <= most) || m->channels) {
        return gti_words_fail(&m->words, GT_ERROR_BAD_FILE,
                              m->channels ? "'channels' appears twice" : "'%.*s' is no number of channels",
                              gti_word_shown(word), word.text);
    }
    m->channels = gt_arena_push_array(m->skeleton->arena, (size_t)count, sizeof *m->channels);
    if (!m->channels) {
        return gti_out_of_memory(m->words.error);
    }
    GtResult result = GT_OK;
    for (int32_t i = 0; i < (int32_t)count && result == GT_OK; ++i) {
        GtiWords before = m->words;
        GtiWord name;
        gti_sk_next(&m->words, &name);
        GtiWord type = { 0 };
        int64_t line = m->words.line;
        while (gti_sk_next(&m->words, &type) && m->words.line == line &&
               gti_sk_channel_type(type) == GTI_SK_CHANNEL_TYPE_COUNT) {
            name.length = (size_t)(type.text + type.length - name.text);
        }
        if (gti_sk_channel_type(type) == GTI_SK_CHANNEL_TYPE_COUNT) {
            m->words = before;
            return gti_words_repair(&m->words, GTI_SKM_CHANNELS, "there are %d of %d channels", i, (int)count);
        }
        result = add_channel(m, name, type);
    }
    return result;
}

static GtResult make_values(GtiSkmMotion* m)
{
    if (!m->channel_count) {
        return gti_words_fail(&m->words, GT_ERROR_BAD_FILE, "'channels' must come before the frames");
    }
    m->values = gt_arena_push_array(m->skeleton->arena, (size_t)m->value_count, sizeof *m->values);
    return m->values ? GT_OK : gti_out_of_memory(m->words.error);
}

static void put_rotation(float* out, bool is_first, GtQuat q)
{
    const float* before = is_first ? NULL : out - 4;
    float dot = before ? before[0] * q.x + before[1] * q.y + before[2] * q.z + before[3] * q.w : 1.0f;
    float sign = dot < 0.0f ? -1.0f : 1.0f; // neighbours on the same side
    out[0] = sign * q.x;
    out[1] = sign * q.y;
    out[2] = sign * q.z;
    out[3] = sign * q.w;
}

// The values of a frame into the curves. A joint's channels of position are next to one another or not; each sets the
// translation from those that were read so far.
static void put_frame(GtiSkmMotion* m, int64_t frame)
{
    double(*positions)[3] = m->positions;
    const double* value = m->values;
    for (int32_t i = 0; i < m->channel_count; ++i) {
        const GtiSkmChannel* channel = &m->channels[i];
        int32_t joint = channel->joint;
        if (joint != GT_NONE && channel->type == GTI_SK_QUAT) {
            GtiQuat rotation = gti_quat_exp(gti_vec(value[0], value[1], value[2]));
            GtTransform local = gti_sk_local(m->skeleton, joint, positions[joint], rotation);
            put_rotation(m->data + m->tracks[joint].rotation + (size_t)frame * 4, frame == 0, local.rotation);
        } else if (joint != GT_NONE) {
            positions[joint][channel->type] = value[0] * m->units_ratio;
            GtVec3 moved = gti_sk_local(m->skeleton, joint, positions[joint], gti_quat_identity()).translation;
            memcpy(m->data + m->tracks[joint].translation + (size_t)frame * 3, &moved, sizeof moved);
        }
        value += gti_sk_channel_width(channel->type);
    }
}

// A frame, after "kt": counted in the first pass, put into the curves in the second.
static GtResult take_frame(GtiSkmMotion* m, double* last_s)
{
    double time_s = 0.0;
    bool whole = false;
    GtResult result = m->values ? GT_OK : make_values(m);
    if (result == GT_OK) {
        result = read_frame(m, last_s, &time_s, &whole);
    }
    if (result == GT_OK && whole && m->data) {
        m->shift_s = m->read_count == 0 && m->start_s >= 0.0 ? m->start_s - time_s : m->shift_s;
        m->data[m->read_count] = (float)(time_s + m->shift_s);
        put_frame(m, m->read_count);
    }
    m->read_count += whole;
    if (result == GT_OK && m->read_count % PROGRESS_FRAMES == 0) {
        double size = (double)(m->words.end - m->words.text);
        result =
            gti_progress(m->words.context, m->words.error, "reading", (double)(m->words.at - m->words.text) / size);
    }
    return result;
}

static GtResult read_number(GtiSkmMotion* m, GtiWord key, double* out)
{
    GtiWord value;
    gti_sk_next(&m->words, &value);
    return gti_word_number(value, out)
               ? GT_OK
               : gti_words_fail(&m->words, GT_ERROR_BAD_FILE, "'%.*s' needs a number, got '%.*s'", gti_word_shown(key),
                                key.text, gti_word_shown(value), value.text);
}

// The text from here on. Both passes read all of it by the same rules, so that they meet the same frames.
static GtResult read_text(GtiSkmMotion* m, GtiSkmTags* tags)
{
    GtiWord word;
    GtResult result = GT_OK;
    double last_s = -1.0;
    double number = 0.0;
    while (result == GT_OK && gti_sk_next(&m->words, &word)) {
        if (gti_word_equals(word, "skmotion") || gti_word_equals(word, "homotion") ||
            gti_word_equals(word, "knmotion")) {
            continue;
        }
        if (gti_word_equals(word, "name")) {
            gti_sk_next(&m->words, &m->name);
        } else if (gti_word_equals(word, "channels")) {
            result = read_channels(m);
            m->body = m->words;
        } else if (gti_word_equals(word, "start_kt")) {
            result = read_number(m, word, &m->start_s);
        } else if (gti_word_equals(word, "frames")) {
            result = read_number(m, word, &m->promised_count);
        } else if (gti_word_equals(word, "kt")) {
            result = take_frame(m, &last_s);
        } else if (gti_word_number(word, &number)) {
            result = gti_words_repair(&m->words, GTI_SKM_STRAY, "'%.*s' belongs to nothing and is skipped",
                                      gti_word_shown(word), word.text);
        } else {
            result = gti_skm_read_tag(m, tags, word);
        }
    }
    return result;
}

static GtResult check_frames(GtiSkmMotion* m)
{
    m->frame_count = m->read_count;
    if (m->frame_count == 0) {
        return gti_words_fail(&m->words, GT_ERROR_BAD_FILE, "there are no frames");
    }
    if (m->frame_count > GTI_SKM_MAX_FRAMES) {
        return gti_words_fail(&m->words, GT_ERROR_LIMIT, "%lld frames; at most %d are read", (long long)m->frame_count,
                              GTI_SKM_MAX_FRAMES);
    }
    return m->promised_count == (double)m->frame_count
               ? GT_OK
               : gti_words_repair(&m->words, GTI_SKM_FRAME_COUNT,
                                  "the number of frames is not what 'frames' says: %lld are read",
                                  (long long)m->frame_count);
}

static GtResult make_tracks(GtiSkmMotion* m)
{
    int32_t joint_count = m->skeleton->joint_count;
    m->tracks = gt_arena_push_array(m->skeleton->arena, (size_t)joint_count, sizeof *m->tracks);
    if (!m->tracks) {
        return gti_out_of_memory(m->words.error);
    }
    memset(m->tracks, 0xFF, (size_t)joint_count * sizeof *m->tracks); // SIZE_MAX
    size_t first = (size_t)m->frame_count;
    for (int32_t i = 0; i < m->channel_count; ++i) {
        const GtiSkmChannel* channel = &m->channels[i];
        if (channel->joint == GT_NONE) {
            continue;
        }
        bool rotates = channel->type == GTI_SK_QUAT;
        size_t* start = rotates ? &m->tracks[channel->joint].rotation : &m->tracks[channel->joint].translation;
        if (*start == SIZE_MAX) {
            *start = first;
            first += (size_t)m->frame_count * (rotates ? 4 : 3); // fewer than 4 floats for each value of the text
        }
    }
    if (first == (size_t)m->frame_count) {
        return gti_words_fail(&m->words, GT_ERROR_BAD_FILE,
                              "no joint of the skeleton moves: is it the skeleton of this motion?");
    }
    uint8_t* bytes = NULL;
    m->blob = gt_blob_create(m->words.context->allocator, first * sizeof(float), &bytes);
    m->data = (float*)(void*)bytes;
    return m->blob ? GT_OK : gti_out_of_memory(m->words.error);
}

// Second pass: the curves. It meets the same flaws, which are counted once.
static GtResult fill_tracks(GtiSkmMotion* m)
{
    size_t joint_count = (size_t)m->skeleton->joint_count;
    m->positions = gt_arena_push_array(m->skeleton->arena, joint_count, sizeof *m->positions);
    if (!m->positions) {
        return gti_out_of_memory(m->words.error);
    }
    for (size_t i = 0; i < joint_count; ++i) {
        memcpy(m->positions[i], m->skeleton->joints[i].position, sizeof *m->positions);
    }
    memset(m->values, 0, (size_t)m->value_count * sizeof *m->values);
    GtiSkmTags again = { .keys = { .arena = m->skeleton->arena } };
    GtiWordsRepaired repaired[GTI_SKM_REPAIR_COUNT];
    memcpy(repaired, m->repaired, sizeof repaired);
    m->words = m->body;
    m->read_count = 0;
    GtResult result = read_text(m, &again);
    memcpy(m->repaired, repaired, sizeof repaired);
    return result;
}

// A shift may make the times of close frames equal.
static GtResult check_times(GtiSkmMotion* m)
{
    for (int64_t frame = 1; frame < m->frame_count; ++frame) {
        if (!(m->data[frame] > m->data[frame - 1])) {
            return gti_words_fail(&m->words, GT_ERROR_BAD_FILE, "'start_kt' %g leaves no difference between times",
                                  m->start_s);
        }
    }
    return GT_OK;
}

GtResult gti_skm_parse(const GtContext* context, const GtiInput* input, const GtiSkSkeleton* skeleton,
                       GtiSkmMotion* motion, GtError* error)
{
    *motion = (GtiSkmMotion){ .skeleton = skeleton, .start_s = -1.0, .promised_count = -1.0 };
    motion->words = (GtiWords){ .context = context,
                                .path = input->path,
                                .error = error,
                                .repaired = motion->repaired,
                                .repair_count = GTI_SKM_REPAIR_COUNT };
    gti_words_open(&motion->words, input->bytes, input->size);
    double stated = gti_sk_stated_unit(input);
    motion->units_ratio = stated > 0.0 && skeleton->stated_unit_m > 0.0 ? stated / skeleton->stated_unit_m : 1.0;
    GtiSkmTags tags = { .keys = { .arena = skeleton->arena } };
    GtResult result = read_text(motion, &tags);
    if (result == GT_OK) {
        result = check_frames(motion);
    }
    if (result == GT_OK) {
        result = gti_skm_write_tags(motion, &tags);
    }
    if (result == GT_OK) {
        result = make_tracks(motion);
    }
    if (result == GT_OK) {
        result = fill_tracks(motion);
    }
    return result == GT_OK ? check_times(motion) : result;
}

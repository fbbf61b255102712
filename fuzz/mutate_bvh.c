// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One change to a BVH file: a number, channels, a joint with all below it (removed, repeated, hung elsewhere, renamed),
// or frames. The file is read as a list of joints with depths and a list of numbers, and written again with as many
// numbers a frame as its channels need, except where a wrong count is the change.

#include "mutate.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    MOST_JOINTS = 160,
    MOST_CHANNELS = 8, // of a joint
    MOST_NUMBERS = 8192,
    MOST_FRAMES = 64
};

typedef struct BvhWord {
    const char* text;
    int length;
} BvhWord;

typedef struct BvhJoint {
    bool is_end;
    int depth;
    BvhWord name;
    BvhWord offset[3];
    BvhWord channels[MOST_CHANNELS];
    int channel_count;
} BvhJoint;

typedef struct BvhMutant {
    FuzzRandom random;
    const char* at;
    const char* end;
    BvhJoint joints[MOST_JOINTS + 1];
    int joint_count;
    BvhWord numbers[MOST_NUMBERS];
    int number_count;
    int frame_count;
    int frames_said; // in "Frames:"
    int extra;       // numbers that each frame has more than channels
    BvhWord frame_time;
    char text[4][32]; // new numbers
    int text_count;
} BvhMutant;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static BvhWord next_word(BvhMutant* m)
{
    while (m->at < m->end && is_space(*m->at)) {
        ++m->at;
    }
    BvhWord word = { .text = m->at };
    while (m->at < m->end && !is_space(*m->at)) {
        ++m->at;
    }
    word.length = (int)(m->at - word.text);
    return word;
}

static bool is(BvhWord word, const char* text)
{
    return word.length == (int)strlen(text) && strncasecmp(word.text, text, strlen(text)) == 0;
}

static bool read_joint(BvhMutant* m, BvhWord kind, int depth)
{
    if (m->joint_count == MOST_JOINTS) {
        return false;
    }
    BvhJoint* joint = &m->joints[m->joint_count++];
    *joint = (BvhJoint){ .is_end = is(kind, "End"), .depth = depth, .name = next_word(m) };
    return is(next_word(m), "{");
}

static bool read_channels(BvhMutant* m, BvhJoint* joint)
{
    BvhWord word = next_word(m);
    int count = word.length == 1 ? word.text[0] - '0' : -1;
    if (count < 0 || count > MOST_CHANNELS) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        joint->channels[i] = next_word(m);
    }
    joint->channel_count = count;
    return true;
}

static bool read_hierarchy(BvhMutant* m)
{
    int depth = 0;
    for (BvhWord word = next_word(m); !is(word, "MOTION"); word = next_word(m)) {
        BvhJoint* joint = m->joint_count ? &m->joints[m->joint_count - 1] : NULL;
        if (is(word, "ROOT") || is(word, "JOINT") || is(word, "End")) {
            if (!read_joint(m, word, depth++)) {
                return false;
            }
        } else if (is(word, "}") && depth > 0) {
            --depth;
        } else if (is(word, "OFFSET") && joint) {
            for (int i = 0; i < 3; ++i) {
                joint->offset[i] = next_word(m);
            }
        } else if (is(word, "CHANNELS") && joint) {
            if (!read_channels(m, joint)) {
                return false;
            }
        } else {
            return false;
        }
    }
    return m->joint_count > 0;
}

static int channels_of(const BvhMutant* m)
{
    int count = 0;
    for (int i = 0; i < m->joint_count; ++i) {
        count += m->joints[i].channel_count;
    }
    return count;
}

static bool read_all(BvhMutant* m)
{
    if (!is(next_word(m), "HIERARCHY") || !read_hierarchy(m) || !is(next_word(m), "Frames:")) {
        return false;
    }
    next_word(m);
    if (!is(next_word(m), "Frame") || !is(next_word(m), "Time:")) {
        return false;
    }
    m->frame_time = next_word(m);
    for (BvhWord word = next_word(m); word.length; word = next_word(m)) {
        if (m->number_count == MOST_NUMBERS) {
            return false;
        }
        m->numbers[m->number_count++] = word;
    }
    int channels = channels_of(m);
    m->frame_count = channels ? m->number_count / channels : 0;
    m->frame_count = m->frame_count < MOST_FRAMES ? m->frame_count : MOST_FRAMES;
    m->frames_said = m->frame_count;
    return true;
}

static BvhWord new_number(BvhMutant* m)
{
    static const char* const odd[] = { "nan", "-inf", "1e999", "180", "-180", "360", "90", "1e-300", "0x10", "1,5" };
    char* text = m->text[m->text_count++];
    if (fuzz_choose(&m->random, 5) == 0) {
        snprintf(text, sizeof m->text[0], "%s", odd[fuzz_choose(&m->random, sizeof odd / sizeof *odd)]);
    } else {
        gti_fuzz_number(&m->random, text);
    }
    return (BvhWord){ text, (int)strlen(text) };
}

static BvhWord word_of(const char* text)
{
    return (BvhWord){ text, (int)strlen(text) };
}

static BvhJoint* choose_joint(BvhMutant* m)
{
    return &m->joints[fuzz_choose(&m->random, (uint32_t)m->joint_count)];
}

static int below(const BvhMutant* m, int joint)
{
    int next = joint + 1;
    while (next < m->joint_count && m->joints[next].depth > m->joints[joint].depth) {
        ++next;
    }
    return next;
}

static void remove_joints(BvhMutant* m, int from, int to)
{
    if (to - from < m->joint_count) {
        memmove(m->joints + from, m->joints + to, (size_t)(m->joint_count - to) * sizeof *m->joints);
        m->joint_count -= to - from;
    }
}

static void repeat_joints(BvhMutant* m, int from, int to)
{
    int count = to - from;
    if (m->joint_count + count <= MOST_JOINTS) {
        memmove(m->joints + to + count, m->joints + to, (size_t)(m->joint_count - to) * sizeof *m->joints);
        memcpy(m->joints + to, m->joints + from, (size_t)count * sizeof *m->joints);
        m->joint_count += count;
    }
}

static void change_hierarchy(BvhMutant* m)
{
    static const char* const names[] = { "Hips", "LeftUpLeg", "RightUpLeg", "Spine", "Head", "LeftArm", "site", "{" };
    int joint = (int)fuzz_choose(&m->random, (uint32_t)m->joint_count);
    int to = below(m, joint);
    switch (fuzz_choose(&m->random, 5)) {
    case 0:
        remove_joints(m, joint, to);
        break;
    case 1:
        repeat_joints(m, joint, to);
        break;
    case 2: // deeper, below the one before; or a sibling of its parent
        for (int step = fuzz_choose(&m->random, 2) ? 1 : -1; joint < to; ++joint) {
            m->joints[joint].depth += step;
        }
        break;
    case 3:
        m->joints[joint].name = word_of(names[fuzz_choose(&m->random, sizeof names / sizeof *names)]);
        break;
    default:
        m->joints[joint].name = choose_joint(m)->name;
        break;
    }
}

static void change_channels(BvhMutant* m)
{
    static const char* const names[] = { "Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation",
                                         "Zrotation", "Xscale",    "Yscale",    "Wrotation" };
    BvhJoint* joint = choose_joint(m);
    BvhWord name = word_of(names[fuzz_choose(&m->random, sizeof names / sizeof *names)]);
    int at = (int)fuzz_choose(&m->random, (uint32_t)joint->channel_count);
    if (joint->is_end) {
        return;
    }
    switch (fuzz_choose(&m->random, 4)) {
    case 0:
        if (joint->channel_count < MOST_CHANNELS) {
            joint->channels[joint->channel_count++] = name;
        }
        break;
    case 1:
        joint->channel_count = at;
        break;
    case 2:
        joint->channels[at] = name;
        break;
    default: { // another order
        int other = (int)fuzz_choose(&m->random, (uint32_t)joint->channel_count);
        BvhWord swapped = joint->channels[at];
        joint->channels[at] = joint->channels[other];
        joint->channels[other] = swapped;
        break;
    }
    }
}

static void change_frames(BvhMutant* m)
{
    switch (fuzz_choose(&m->random, 5)) {
    case 0:
        m->frame_count = m->frames_said = (int)fuzz_choose(&m->random, 8);
        break;
    case 1:
        m->frames_said += 1 - 2 * (int)fuzz_choose(&m->random, 2);
        break;
    case 2:
        m->frames_said = (int)(UINT32_MAX >> (1 + fuzz_choose(&m->random, 31)));
        break;
    case 3:
        m->extra = 1 - 2 * (int)fuzz_choose(&m->random, 2);
        break;
    default:
        m->frame_time = new_number(m);
        break;
    }
}

static void change(BvhMutant* m)
{
    switch (fuzz_choose(&m->random, 8)) {
    case 0:
        change_hierarchy(m);
        break;
    case 1:
        change_channels(m);
        break;
    case 2:
        change_frames(m);
        break;
    case 3:
    case 4:
        choose_joint(m)->offset[fuzz_choose(&m->random, 3)] = new_number(m);
        break;
    default:
        for (int i = 0; i < 3 && m->number_count; ++i) {
            m->numbers[fuzz_choose(&m->random, (uint32_t)m->number_count)] = new_number(m);
        }
        break;
    }
}

typedef struct BvhWriter {
    char* text;
    size_t size, capacity;
} BvhWriter;

static void put(BvhWriter* w, BvhWord word)
{
    if (word.length && w->size + (size_t)word.length <= w->capacity) {
        memcpy(w->text + w->size, word.text, (size_t)word.length);
    }
    w->size += (size_t)word.length;
}

static void put_text(BvhWriter* w, const char* text)
{
    put(w, word_of(text));
}

static void put_words(BvhWriter* w, const BvhWord* words, int count)
{
    for (int i = 0; i < count; ++i) {
        put_text(w, " ");
        put(w, words[i]);
    }
    put_text(w, "\n");
}

static void put_joint(BvhWriter* w, const BvhJoint* joint, int depth)
{
    char count[16];
    put_text(w, joint->is_end ? "End " : depth == 0 ? "ROOT " : "JOINT ");
    put(w, joint->name);
    put_text(w, "\n{\nOFFSET");
    put_words(w, joint->offset, 3);
    if (!joint->is_end) {
        snprintf(count, sizeof count, "CHANNELS %d", joint->channel_count);
        put_text(w, count);
        put_words(w, joint->channels, joint->channel_count);
    }
}

static size_t write_all(const BvhMutant* m, BvhWriter* w)
{
    int depth = 0; // joints that are open
    put_text(w, "HIERARCHY\n");
    for (int i = 0; i < m->joint_count; ++i) {
        int wanted = m->joints[i].depth < depth ? m->joints[i].depth : depth;
        for (wanted = wanted > 0 ? wanted : 0; depth > wanted; --depth) {
            put_text(w, "}\n");
        }
        put_joint(w, &m->joints[i], depth++);
    }
    for (; depth > 0; --depth) {
        put_text(w, "}\n");
    }
    char said[32];
    snprintf(said, sizeof said, "MOTION\nFrames: %d\n", m->frames_said);
    put_text(w, said);
    put_text(w, "Frame Time:");
    put_words(w, &m->frame_time, 1);
    int channels = channels_of(m) + m->extra;
    for (int f = 0; f < m->frame_count && m->number_count; ++f) {
        for (int k = 0; k < channels; ++k) {
            put_text(w, k ? " " : "");
            put(w, m->numbers[(f * channels + k) % m->number_count]);
        }
        put_text(w, "\n");
    }
    return w->size;
}

size_t gti_mutate_bvh(uint8_t* data, size_t size, size_t capacity, unsigned seed)
{
    BvhMutant* m = malloc(sizeof *m);
    char* source = malloc(size + 1);
    size_t changed = 0;
    if (m && source) {
        memset(m, 0, sizeof *m);
        memcpy(source, data, size);
        m->random = fuzz_random(seed);
        m->at = source;
        m->end = source + size;
        if (size > 9 && read_all(m)) {
            change(m);
            BvhWriter w = { .text = (char*)data, .capacity = capacity };
            changed = write_all(m, &w);
        }
    }
    if (changed > capacity) {
        memcpy(data, source, size);
        changed = 0;
    }
    free(source);
    free(m);
    return changed;
}

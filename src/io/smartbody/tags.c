// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// SmartBody's older names are kept apart from BML's: its "emphasis" is BML's stroke, and its "stroke" is the end of it.

#include "io/smartbody/tags.h"

#include "base/fail.h"
#include "base/memory.h"
#include "gertie/json_write.h"

#include <math.h>

static const char* const sync_names[GTI_SKM_SYNC_COUNT] = { "ready", "strokeStart", "stroke", "strokeEnd", "relax" };

static GtiWord without_colon(GtiWord word)
{
    word.length -= word.length && word.text[word.length - 1] == ':';
    return word;
}

static int sync_of(GtiWord word)
{
    static const struct {
        const char* name;
        int sync;
    } names[] = { { "ready", 0 },       { "readytime", 0 },       { "stroke_start", 1 },
                  { "strokestart", 1 }, { "strokestarttime", 1 }, { "stroke_emphasis", 2 },
                  { "emphasis", 2 },    { "emphasistime", 2 },    { "strokeemphasistime", 2 },
                  { "stroke_end", 3 },  { "strokeend", 3 },       { "stroke", 3 },
                  { "stroketime", 3 },  { "strokeendtime", 3 },   { "relax", 4 },
                  { "relaxtime", 4 } };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (gti_word_equals(word, names[i].name)) {
            return names[i].sync;
        }
    }
    return GT_NONE;
}

static GtResult add_tag(GtiSkmMotion* m, GtiSkmTags* tags, GtiWord key, GtiWord value)
{
    int32_t number = gti_intern(&tags->keys, key.text, key.length);
    if (number == GT_NONE) {
        return gti_out_of_memory(m->words.error);
    }
    if (number < tags->tag_count) {
        return gti_words_repair(&m->words, GTI_SKM_TAG, "'%.*s' appears twice: the first counts", gti_word_shown(key),
                                key.text);
    }
    if (tags->tag_count == tags->tag_capacity) {
        GtiSkmTag* grown = gti_arena_grow(tags->keys.arena, tags->tags, &tags->tag_capacity, 16, sizeof *grown);
        if (!grown) {
            return gti_out_of_memory(m->words.error);
        }
        tags->tags = grown;
    }
    tags->tags[tags->tag_count++] = (GtiSkmTag){ key, value };
    return GT_OK;
}

GtResult gti_skm_read_tag(GtiSkmMotion* motion, GtiSkmTags* tags, GtiWord key)
{
    GtiSkmMotion* m = motion;
    GtiWord name = without_colon(key);
    int sync = sync_of(name);
    GtiWord value;
    bool more = gti_sk_next(&m->words, &value);
    if (more && sync != GT_NONE && gti_word_equals(without_colon(value), "time")) {
        more = gti_sk_next(&m->words, &value);
    }
    if (more && gti_word_equals(value, ":")) {
        more = gti_sk_next(&m->words, &value);
    }
    if (!more || !name.length) {
        return gti_words_repair(&m->words, GTI_SKM_TAG, "'%.*s' has no value and is left out", gti_word_shown(key),
                                key.text);
    }
    if (sync == GT_NONE) {
        return add_tag(m, tags, name, value);
    }
    double seconds = 0.0;
    if (!gti_word_number(value, &seconds) || !(fabs(seconds) <= GTI_WORDS_MAX_VALUE)) {
        return gti_words_repair(&m->words, GTI_SKM_TAG, "the time of '%.*s' is '%.*s', which is left out",
                                gti_word_shown(name), name.text, gti_word_shown(value), value.text);
    }
    tags->has_sync[sync] = seconds >= 0.0; // SmartBody writes -1 for a time that is not set
    tags->syncs_s[sync] = seconds;
    return GT_OK;
}

GtResult gti_skm_write_tags(GtiSkmMotion* motion, const GtiSkmTags* tags)
{
    GtArena* arena = tags->keys.arena;
    bool any_sync = false;
    for (int i = 0; i < GTI_SKM_SYNC_COUNT; ++i) {
        any_sync |= tags->has_sync[i];
    }
    if (!any_sync && !tags->tag_count) {
        return GT_OK;
    }
    GtJsonWriter writer = gt_json_create(arena, 0);
    gt_json_begin_object(&writer);
    if (any_sync) {
        gt_json_member_object(&writer, "syncs");
        for (int i = 0; i < GTI_SKM_SYNC_COUNT; ++i) {
            if (tags->has_sync[i]) {
                gt_json_member_number(&writer, sync_names[i], tags->syncs_s[i]);
            }
        }
        gt_json_end_object(&writer);
    }
    if (tags->tag_count) {
        gt_json_member_object(&writer, "tags");
        for (int32_t i = 0; i < tags->tag_count; ++i) {
            const GtiSkmTag* tag = &tags->tags[i];
            const char* value = gt_arena_push_text(arena, tag->value.text, tag->value.length);
            if (!value) {
                return gti_out_of_memory(motion->words.error);
            }
            gt_json_member_string(&writer, tags->keys.items[i].bytes, value);
        }
        gt_json_end_object(&writer);
    }
    gt_json_end_object(&writer);
    motion->extras = gt_text_finish(&writer.text);
    return motion->extras ? GT_OK : gti_out_of_memory(motion->words.error);
}

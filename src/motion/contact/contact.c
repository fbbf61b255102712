// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Contacts as a track of spans.

#include "motion/contact/contact.h"

#include "base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SAME_S = 1e-5; // times of a frame and of a contact are rounded, each in its own way

const char* gt_contact_part_name(int32_t part)
{
    static const char* const names[GT_CONTACT_PART_COUNT] = { "leftHeel", "leftToe", "rightHeel", "rightToe" };
    return part >= 0 && part < GT_CONTACT_PART_COUNT ? names[part] : "";
}

const char* gt_support_name(int32_t support)
{
    static const char* const names[GT_SUPPORT_COUNT] = {
        "head",      "trunk",      "hips",         "leftElbow", "leftForearm", "leftKnee",
        "leftShank", "rightElbow", "rightForearm", "rightKnee", "rightShank",
    };
    return support >= 0 && support < GT_SUPPORT_COUNT ? names[support] : "";
}

static int compare_spans(const void* a, const void* b)
{
    const GtContact* x = a;
    const GtContact* y = b;
    return x->start_s != y->start_s ? (x->start_s > y->start_s) - (x->start_s < y->start_s) : x->part - y->part;
}

void gti_contacts_sort(GtContacts* contacts)
{
    GtContact* spans = contacts->spans;
    int32_t latest[GT_CONTACT_PART_COUNT] = { GT_NONE, GT_NONE, GT_NONE, GT_NONE };
    int32_t kept = 0;
    if (contacts->count) {
        qsort(spans, (size_t)contacts->count, sizeof *spans, compare_spans);
    }
    for (int32_t i = 0; i < contacts->count; ++i) {
        int32_t before = latest[spans[i].part];
        if (before != GT_NONE && spans[i].start_s <= spans[before].end_s) {
            spans[before].end_s = fmax(spans[before].end_s, spans[i].end_s);
        } else {
            latest[spans[i].part] = kept;
            spans[kept++] = spans[i];
        }
    }
    contacts->count = kept;
}

void gti_contact_mark(const uint8_t* states, int32_t count, bool* out)
{
    for (int32_t f = 0; f < count; ++f) {
        out[f] = states[f] == GTI_CONTACT_BEGINS || (states[f] == GTI_CONTACT_GOES_ON && f > 0 && out[f - 1]);
    }
    for (int32_t f = count - 2; f >= 0; --f) {
        out[f] = out[f] || (states[f] == GTI_CONTACT_GOES_ON && out[f + 1]);
    }
}

static int32_t first_from(const float* times, int32_t count, double time_s)
{
    int32_t low = 0;
    int32_t high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if ((double)times[middle] < time_s) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void gti_contacts_of_frames(const GtContext* context, const GtContacts* contacts, const float* times, int32_t count,
                            uint8_t* bits)
{
    bool any = false;
    memset(bits, 0, (size_t)count);
    for (int32_t i = 0; i < contacts->count; ++i) {
        const GtContact* span = &contacts->spans[i];
        for (int32_t f = first_from(times, count, span->start_s - SAME_S);
             f < count && (double)times[f] <= span->end_s + SAME_S; ++f) {
            bits[f] = (uint8_t)(bits[f] | 1u << span->part);
            any = true;
        }
    }
    if (contacts->count > 0 && !any) {
        gti_warn(context, NULL, NULL, "no contact lies within the clip, which lasts from %.3f s to %.3f s",
                 (double)times[0], (double)times[count - 1]);
    }
}

// Frames that are NAN get the lower of the heights before and after them.
static void fill_levels(float* levels, int32_t count)
{
    for (int32_t f = 0, end; f < count; f = end) {
        end = f + 1;
        if (!isnan(levels[f])) {
            continue;
        }
        while (end < count && isnan(levels[end])) {
            ++end;
        }
        float before = f > 0 ? levels[f - 1] : INFINITY;
        float after = end < count ? levels[end] : INFINITY;
        float lower = before < after ? before : after;
        for (int32_t k = f; k < end; ++k) {
            levels[k] = isfinite(lower) ? lower : 0.0f;
        }
    }
}

bool gti_contacts_levels(const GtContacts* contacts, const float* times, int32_t count, float* levels)
{
    bool any = false;
    for (int32_t k = 0; k < GTI_SIDE_COUNT * count; ++k) {
        levels[k] = NAN;
    }
    for (int32_t i = 0; i < contacts->count; ++i) {
        const GtContact* span = &contacts->spans[i];
        float* own = levels + (size_t)(span->part / 2) * (size_t)count;
        any = any || span->height_m != 0.0f;
        for (int32_t f = first_from(times, count, span->start_s - SAME_S);
             f < count && (double)times[f] <= span->end_s + SAME_S; ++f) {
            own[f] = span->height_m;
        }
    }
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        fill_levels(levels + (size_t)side * (size_t)count, count);
    }
    return any;
}

GtResult gti_contacts_make(const GtContext* context, GtContacts** out, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    *out = gt_arena_push_array(&arena, 1, sizeof **out);
    if (!*out) {
        gt_arena_destroy(&arena);
        return gti_out_of_memory(error);
    }
    (*out)->arena = arena;
    return GT_OK;
}

void gt_contacts_destroy(GtContacts* contacts)
{
    if (contacts) {
        gt_arena_destroy(&contacts->arena);
    }
}

uint8_t gt_contacts_at(const GtContacts* contacts, double time_s)
{
    unsigned bits = 0;
    for (int32_t i = 0; i < contacts->count; ++i) {
        const GtContact* span = &contacts->spans[i];
        bits |= span->start_s - SAME_S <= time_s && time_s <= span->end_s + SAME_S ? 1u << span->part : 0u;
    }
    return (uint8_t)bits;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A part of a foot stands while it is slow and low. Two pairs of limits keep a contact from breaking up where marks
// tremble: it takes the narrow ones to begin and the wide ones to end. Short gaps are closed and short contacts
// dropped.

#include "motion/contact.h"

#include "motion/percentile.h"

#include "base/fail.h"

#include <stdlib.h>
#include <string.h>

static const double LOW_SHARE = 0.05; // of the frames, in which a part is lower than "the lowest it usually is"

typedef struct Finder {
    const GtContactsDef* def;
    const GtiMarkPaths* marks;
    GtError* error;
    float* room;  // [frame_count]
    bool* stands; // [frame_count]
    GtContacts* out;
    int32_t capacity; // of the spans
} Finder;

GtContactsDef gt_default_contacts_def(void)
{
    return (GtContactsDef){
        .speed_mps = 0.15,
        .release_mps = 0.17,
        .height_m = 0.04,
        .release_height_m = 0.045,
        .least_s = 0.08,
        .longest_gap_s = 0.035,
    };
}

const char* gt_contact_part_name(int32_t part)
{
    static const char* const names[GT_CONTACT_PART_COUNT] = { "leftHeel", "leftToe", "rightHeel", "rightToe" };
    return part >= 0 && part < GT_CONTACT_PART_COUNT ? names[part] : "";
}

static double speed_at(const GtiMarkPaths* marks, const GtVec3* path, int32_t frame)
{
    int32_t before = frame > 0 ? frame - 1 : 0;
    int32_t after = frame + 1 < marks->frame_count ? frame + 1 : frame;
    double way_m = (double)gt_vec3_length(gt_vec3_sub(path[after], path[before]));
    return after > before ? way_m / ((after - before) * marks->step_s) : 0.0;
}

// Mark the frames from a strict one on, both ways, as far as the wide limits hold.
static void mark_standing(const Finder* d, const GtVec3* path)
{
    const GtContactsDef* def = d->def;
    double size = d->marks->size;
    for (int32_t f = 0; f < d->marks->frame_count; ++f) {
        d->room[f] = path[f].y;
    }
    double low_m = (double)gti_percentile(d->room, d->marks->frame_count, LOW_SHARE);
    for (int32_t f = 0; f < d->marks->frame_count; ++f) {
        double speed = speed_at(d->marks, path, f);
        double height = (double)path[f].y - low_m;
        bool begins = speed < def->speed_mps * size && height < def->height_m * size;
        bool goes_on = speed < def->release_mps * size && height < def->release_height_m * size;
        d->room[f] = goes_on ? 1.0f : 0.0f;
        d->stands[f] = begins || (f > 0 && d->stands[f - 1] && goes_on);
        for (int32_t k = f - 1; begins && k >= 0 && !d->stands[k] && d->room[k] > 0.0f; --k) {
            d->stands[k] = true;
        }
    }
}

static GtResult add_span(Finder* d, int32_t part, int32_t first, int32_t last)
{
    GtContacts* out = d->out;
    const GtiMarkPaths* marks = d->marks;
    if (out->count == d->capacity) {
        int32_t capacity = 2 * d->capacity + 16;
        GtContact* spans = gt_arena_push_array(&out->arena, (size_t)capacity, sizeof *spans);
        if (!spans) {
            return gti_out_of_memory(d->error);
        }
        if (out->count) {
            memcpy(spans, out->spans, (size_t)out->count * sizeof *spans);
        }
        out->spans = spans;
        d->capacity = capacity;
    }
    out->spans[out->count++] =
        (GtContact){ part, marks->start_s + first * marks->step_s, marks->start_s + last * marks->step_s };
    return GT_OK;
}

static GtResult find_spans(Finder* d, int32_t part)
{
    const GtiMarkPaths* marks = d->marks;
    GtResult result = GT_OK;
    double least_s = d->def->least_s - 1.5 * marks->step_s; // a frame stands for the time around it
    for (int32_t f = 0; f < marks->frame_count && result == GT_OK; ++f) {
        if (!d->stands[f]) {
            continue;
        }
        int32_t last = f;
        double gap_s = d->def->longest_gap_s + marks->step_s;
        for (int32_t k = f + 1; k < marks->frame_count && (k - last) * marks->step_s <= gap_s; ++k) {
            last = d->stands[k] ? k : last;
        }
        bool is_cut = f == 0 || last == marks->frame_count - 1; // and may be twice as long
        if ((last - f) * marks->step_s >= (is_cut ? 0.5 : 1.0) * least_s) {
            result = add_span(d, part, f, last);
        }
        f = last;
    }
    return result;
}

GtResult gti_contacts_of_paths(const GtContext* context, const GtContactsDef* def, const GtiMarkPaths* marks,
                               GtContacts** out, GtError* error)
{
    *out = NULL;
    Finder d = { .def = def, .marks = marks, .error = error };
    GtResult result = gti_contacts_make(context, &d.out, error);
    if (result != GT_OK) {
        return result;
    }
    size_t count = (size_t)marks->frame_count;
    GtArena scratch = gt_arena_create(context->allocator);
    d.room = gt_arena_push_array(&scratch, count, sizeof *d.room);
    d.stands = gt_arena_push_array(&scratch, count, sizeof *d.stands);
    result = d.room && d.stands ? GT_OK : gti_out_of_memory(error);
    for (int32_t p = 0; p < GT_CONTACT_PART_COUNT && result == GT_OK; ++p) {
        mark_standing(&d, marks->places + (size_t)p * count);
        result = find_spans(&d, p);
    }
    gt_arena_destroy(&scratch);
    if (result != GT_OK) {
        gt_contacts_destroy(d.out);
        return result;
    }
    gti_contacts_sort(d.out);
    *out = d.out;
    return GT_OK;
}

static int compare_spans(const void* a, const void* b)
{
    const GtContact* x = a;
    const GtContact* y = b;
    return x->start_s != y->start_s ? (x->start_s > y->start_s) - (x->start_s < y->start_s) : x->part - y->part;
}

void gti_contacts_sort(GtContacts* contacts)
{
    if (contacts->count) {
        qsort(contacts->spans, (size_t)contacts->count, sizeof *contacts->spans, compare_spans);
    }
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
        GtArena arena = contacts->arena; // which the struct itself lies in
        gt_arena_destroy(&arena);
    }
}

uint8_t gt_contacts_at(const GtContacts* contacts, double time_s)
{
    unsigned bits = 0;
    for (int32_t i = 0; i < contacts->count; ++i) {
        const GtContact* span = &contacts->spans[i];
        bits |= span->start_s <= time_s && time_s <= span->end_s ? 1u << span->part : 0u;
    }
    return (uint8_t)bits;
}

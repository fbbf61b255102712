// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Contacts as files: {"gertie_contacts": 1, "contacts": {"leftHeel": [[0.1, 0.55], [1.2, 1.7]], "leftToe": [], ...},
// "touches": [{"hand": "left", "with": "palm", "on": "head", "start_s": 0.6, "end_s": 0.9, "along": 1.7, "around_deg":
// 20}, ...]}. docs/schemas/contacts.schema.json says what each member is; what is left to check here is that times and
// places go together.

#include "motion/contact/contact.h"

#include "motion/touch/touch.h"

#include "base/fail.h"
#include "data/schema.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const char* const hand_names[] = { "left", "right" };

static const float MAX_HEIGHT_M = 1e4f;

static const char marker[] = "gertie_contacts";

// Where a touch is: on the ground by coordinates, else along and around the bone of the part.
static const char* place_name(GtTouched on, int i)
{
    static const char* const names[][2] = { { "along", "around_deg" }, { "x_m", "z_m" } };
    return names[on == GT_TOUCHED_GROUND][i];
}

static void write_touch(GtJsonWriter* w, const GtTouch* touch)
{
    gt_json_begin_object(w);
    gt_json_member_string(w, "hand", hand_names[touch->hand]);
    if (touch->with != GT_HAND_PART_ANY) {
        gt_json_member_string(w, "with", gt_hand_part_name((int32_t)touch->with));
    }
    gt_json_member_string(w, "on", gt_touched_name((int32_t)touch->on));
    gt_json_member_float(w, "start_s", (float)touch->start_s);
    gt_json_member_float(w, "end_s", (float)touch->end_s);
    for (int i = 0; i < 2 && touch->has_place; ++i) {
        bool is_angle = i == 1 && touch->on != GT_TOUCHED_GROUND;
        gt_json_key(w, place_name(touch->on, i));
        gt_json_float(w, (float)(is_angle ? gt_degrees(touch->place[i]) : touch->place[i]));
    }
    gt_json_end_object(w);
}

static void write_touches(GtJsonWriter* w, const GtContacts* contacts)
{
    gt_json_member_array(w, "touches");
    for (int32_t i = 0; i < contacts->touch_count; ++i) {
        write_touch(w, &contacts->touches[i]);
    }
    gt_json_end_array(w);
}

static void write_body(GtJsonWriter* w, const GtContacts* contacts)
{
    gt_json_member_object(w, "body");
    for (int32_t p = 0; p < GT_SUPPORT_COUNT; ++p) {
        gt_json_member_array(w, gt_support_name(p));
        for (int32_t i = 0; i < contacts->body_count; ++i) {
            if ((int32_t)contacts->body[i].part == p) {
                gt_json_begin_array(w);
                gt_json_float(w, (float)contacts->body[i].start_s);
                gt_json_float(w, (float)contacts->body[i].end_s);
                gt_json_end_array(w);
            }
        }
        gt_json_end_array(w);
    }
    gt_json_end_object(w);
}

GtResult gt_contacts_save(const GtContext* context, const GtContacts* contacts, const char* path, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    GtJsonWriter w = gt_json_create(&arena, 2);
    gt_json_begin_object(&w);
    gt_json_member_integer(&w, marker, 1);
    gt_json_member_object(&w, "contacts");
    for (int32_t p = 0; p < GT_CONTACT_PART_COUNT; ++p) {
        gt_json_member_array(&w, gt_contact_part_name(p));
        for (int32_t i = 0; i < contacts->count; ++i) {
            if (contacts->spans[i].part == p) {
                gt_json_begin_array(&w);
                gt_json_float(&w, (float)contacts->spans[i].start_s);
                gt_json_float(&w, (float)contacts->spans[i].end_s);
                if (contacts->spans[i].height_m != 0.0f) {
                    gt_json_float(&w, contacts->spans[i].height_m);
                }
                gt_json_end_array(&w);
            }
        }
        gt_json_end_array(&w);
    }
    gt_json_end_object(&w);
    if (contacts->has_touches) {
        write_touches(&w, contacts);
    }
    if (contacts->has_body) {
        write_body(&w, contacts);
    }
    gt_json_end_object(&w);
    GtResult result = gti_json_save(&w, context, path, error);
    gt_arena_destroy(&arena);
    return result;
}

static GtResult read_spans(const GtiJson* root, const GtiJson* list, int32_t part, GtContacts* out, GtError* error)
{
    const GtiJson* value = gti_json_first(list);
    for (uint32_t i = 0; i < list->count; ++i, value = gti_json_next(value)) {
        GtContact* span = &out->spans[out->count++];
        const GtiJson* start = gti_json_first(value);
        const GtiJson* end = gti_json_next(start);
        *span = (GtContact){ .part = part };
        gti_json_double(start, &span->start_s);
        gti_json_double(end, &span->end_s);
        if (value->count == 3) {
            gti_json_float(gti_json_next(end), &span->height_m);
        }
        if (span->start_s > span->end_s || fabsf(span->height_m) > MAX_HEIGHT_M) {
            char place[128];
            gti_json_path(root, value, place, sizeof place);
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, place,
                               "must be two times in seconds, start and end, and may have a height in metres");
        }
    }
    return GT_OK;
}

static GtResult read_parts(const GtiJson* root, GtContacts* out, GtError* error)
{
    const GtiJson* parts = gti_json_find(root, "contacts");
    size_t count = 0;
    const GtiJson* list = gti_json_first(parts);
    for (uint32_t i = 0; i < parts->count; ++i, list = gti_json_next(list)) {
        count += list->count;
    }
    out->spans = gt_arena_push_array(&out->arena, count, sizeof *out->spans);
    GtResult result = out->spans ? GT_OK : gti_out_of_memory(error);
    list = gti_json_first(parts);
    for (uint32_t i = 0; i < parts->count && result == GT_OK; ++i, list = gti_json_next(list)) {
        int32_t part = 0;
        while (!gti_json_key_is(list, gt_contact_part_name(part))) {
            ++part;
        }
        result = read_spans(root, list, part, out, error);
    }
    return result;
}

// Which of `count` names a member is, or 0 where it is left out.
static int index_of(const GtiJson* object, const char* key, const char* (*name_of)(int32_t), int32_t count)
{
    const GtiJson* value = gti_json_find(object, key);
    int32_t i = count - 1;
    while (i > 0 && !gti_json_equals(value, name_of(i))) {
        --i;
    }
    return (int)i;
}

static const char* hand_name(int32_t hand)
{
    return hand_names[hand];
}

// Where both hands touch each other, it is the left one that does.
static bool is_possible(GtTouch* touch)
{
    int own = gti_part_on(GT_TOUCHED_LEFT_UPPER_ARM, touch->hand);
    bool is_known = touch->hand == GTI_RIGHT_SIDE && touch->on == GT_TOUCHED_LEFT_HAND && !touch->has_place;
    if (is_known) {
        touch->hand = GTI_LEFT_SIDE;
        touch->on = GT_TOUCHED_RIGHT_HAND;
        return true;
    }
    bool is_other = touch->hand == GTI_RIGHT_SIDE && touch->on == GT_TOUCHED_LEFT_HAND;
    return !is_other && ((int)touch->on < own || (int)touch->on > own + 2);
}

static GtResult read_place(const GtiJson* root, const GtiJson* value, GtTouch* out, GtError* error)
{
    const GtiJson* at = gti_json_find(value, "at");
    float place[2] = { 0.0f, 0.0f };
    out->has_place = gti_json_floats(at, 2, place);
    if (at && out->on != GT_TOUCHED_GROUND && !(place[0] >= -1.0f && place[0] <= 2.0f)) {
        return gti_json_refuse(root, value, "at",
                               "two numbers: how far along the bone, from -1 to 2, and degrees around", error);
    }
    for (int i = 0; i < 2; ++i) {
        out->has_place |= gti_json_float(gti_json_find(value, place_name(out->on, i)), &place[i]);
    }
    out->place[0] = (double)place[0];
    out->place[1] = out->on == GT_TOUCHED_GROUND ? (double)place[1] : gt_radians((double)place[1]);
    return GT_OK;
}

static GtResult read_touch(const GtiJson* root, const GtiJson* value, GtTouch* out, GtError* error)
{
    *out = (GtTouch){ .hand = index_of(value, "hand", hand_name, GTI_SIDE_COUNT),
                      .with = (GtHandPart)index_of(value, "with", gt_hand_part_name, GT_HAND_PART_COUNT),
                      .on = (GtTouched)index_of(value, "on", gt_touched_name, GT_TOUCHED_COUNT) };
    gti_json_double(gti_json_find(value, "start_s"), &out->start_s);
    gti_json_double(gti_json_find(value, "end_s"), &out->end_s);
    if (out->end_s < out->start_s) {
        return gti_json_refuse(root, value, "end_s", "a time in seconds, not before the start", error);
    }
    GtResult result = read_place(root, value, out, error);
    if (result == GT_OK && !is_possible(out)) {
        result = gti_json_refuse(
            root, value, "on", "something that the hand can touch; hands touch each other as left on rightHand", error);
    }
    return result;
}

// A hand touches one thing once at a time.
static GtResult check_overlaps(const GtContacts* contacts, GtError* error)
{
    double ends[GTI_SIDE_COUNT][GT_TOUCHED_COUNT];
    for (int i = 0; i < GTI_SIDE_COUNT * GT_TOUCHED_COUNT; ++i) {
        ends[i / GT_TOUCHED_COUNT][i % GT_TOUCHED_COUNT] = -INFINITY;
    }
    for (int32_t i = 0; i < contacts->touch_count; ++i) {
        const GtTouch* touch = &contacts->touches[i];
        double* end_s = &ends[touch->hand][touch->on];
        if (touch->start_s <= *end_s) {
            return gti_fail(error, GT_ERROR_BAD_VALUE,
                            "touches: two of the %s hand on %s overlap at %.3f s; make them one",
                            hand_names[touch->hand], gt_touched_name((int32_t)touch->on), touch->start_s);
        }
        *end_s = touch->end_s;
    }
    return GT_OK;
}

static int index_of_key(const GtiJson* list)
{
    int part = 0;
    while (!gti_json_key_is(list, gt_support_name(part))) {
        ++part;
    }
    return part;
}

static GtResult read_touches(const GtiJson* root, GtContacts* out, GtError* error)
{
    const GtiJson* list = gti_json_find(root, "touches");
    if (!list) {
        return GT_OK;
    }
    out->has_touches = true;
    out->touches = gt_arena_push_array(&out->arena, list->count, sizeof *out->touches);
    GtResult result = out->touches ? GT_OK : gti_out_of_memory(error);
    const GtiJson* value = gti_json_first(list);
    for (uint32_t i = 0; i < list->count && result == GT_OK; ++i, value = gti_json_next(value)) {
        result = read_touch(root, value, &out->touches[out->touch_count], error);
        out->touch_count += result == GT_OK;
    }
    if (result == GT_OK) {
        gti_touches_sort(out);
        result = check_overlaps(out, error);
    }
    return result;
}

static int compare_body(const void* a, const void* b)
{
    const GtBodyContact* x = a;
    const GtBodyContact* y = b;
    return x->part != y->part ? (int)x->part - (int)y->part : (x->start_s > y->start_s) - (x->start_s < y->start_s);
}

static GtResult read_body(const GtiJson* root, GtContacts* out, GtError* error)
{
    const GtiJson* body = gti_json_find(root, "body");
    size_t count = 0;
    const GtiJson* list = gti_json_first(body);
    for (uint32_t i = 0; body && i < body->count; ++i, list = gti_json_next(list)) {
        count += list->count;
    }
    out->has_body = body != NULL;
    out->body = gt_arena_push_array(&out->arena, count, sizeof *out->body);
    if (!out->body) {
        return gti_out_of_memory(error);
    }
    list = gti_json_first(body);
    for (uint32_t i = 0; body && i < body->count; ++i, list = gti_json_next(list)) {
        int part = index_of_key(list);
        const GtiJson* value = gti_json_first(list);
        for (uint32_t k = 0; k < list->count; ++k, value = gti_json_next(value)) {
            GtBodyContact* contact = &out->body[out->body_count++];
            *contact = (GtBodyContact){ .part = (GtSupport)part };
            gti_json_double(gti_json_first(value), &contact->start_s);
            gti_json_double(gti_json_next(gti_json_first(value)), &contact->end_s);
            if (contact->start_s > contact->end_s) {
                char place[128];
                gti_json_path(root, value, place, sizeof place);
                return gti_fail_at(error, GT_ERROR_BAD_VALUE, place, "must be two times in seconds, start and end");
            }
        }
    }
    if (out->body_count) {
        qsort(out->body, (size_t)out->body_count, sizeof *out->body, compare_body);
    }
    return GT_OK;
}

GtResult gt_contacts_load(const GtContext* context, const char* path, GtContacts** out, GtError* error)
{
    *out = NULL;
    GtArena arena = gt_arena_create(context->allocator);
    const GtiJson* root = NULL;
    GtContacts* contacts = NULL;
    GtResult result = gti_schema_load(context, &arena, "contacts", path, &root, error);
    if (result == GT_OK) {
        result = gti_contacts_make(context, &contacts, error);
    }
    if (result == GT_OK) {
        result = read_parts(root, contacts, error);
    }
    if (result == GT_OK) {
        result = read_touches(root, contacts, error);
    }
    if (result == GT_OK) {
        result = read_body(root, contacts, error);
    }
    gt_arena_destroy(&arena);
    if (result != GT_OK) {
        gti_error_set_file(error, path);
        gt_contacts_destroy(contacts);
        return result;
    }
    gti_contacts_sort(contacts);
    *out = contacts;
    return GT_OK;
}

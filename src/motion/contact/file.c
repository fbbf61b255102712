// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Contacts as files: {"gertie_contacts": 1, "contacts": {"leftHeel": [[0.1, 0.55], [1.2, 1.7]], "leftToe": [], ...},
// "touches": [{"hand": "left", "with": "palm", "on": "head", "from": 0.6, "to": 0.9, "at": [1.7, 20]}, ...]}, in
// seconds of the clip. Parts that are left out never stand; without touches nothing is known of hands. A third number
// of a contact is how high it is above the floor, in metres.

#include "motion/contact/contact.h"

#include "motion/touch/touch.h"

#include "base/fail.h"
#include "data/files.h"
#include "data/json.h"

#include <float.h>
#include <math.h>

static const char* const hand_names[] = { "left", "right" };

static const float MAX_HEIGHT_M = 1e4f;

static const char marker[] = "gertie_contacts";

static void write_touch(GtiJsonWriter* w, const GtTouch* touch)
{
    gti_json_begin_object(w);
    gti_json_key(w, "hand");
    gti_json_string(w, hand_names[touch->hand]);
    if (touch->with != GT_HAND_PART_ANY) {
        gti_json_key(w, "with");
        gti_json_string(w, gt_hand_part_name((int32_t)touch->with));
    }
    gti_json_key(w, "on");
    gti_json_string(w, gt_touched_name((int32_t)touch->on));
    gti_json_key(w, "from");
    gti_json_number_float(w, (float)touch->start_s);
    gti_json_key(w, "to");
    gti_json_number_float(w, (float)touch->end_s);
    if (touch->has_place) {
        gti_json_key(w, "at");
        gti_json_begin_array(w);
        gti_json_number_float(w, touch->place[0]);
        gti_json_number_float(w, touch->place[1]);
        gti_json_end_array(w);
    }
    gti_json_end_object(w);
}

static void write_touches(GtiJsonWriter* w, const GtContacts* contacts)
{
    gti_json_key(w, "touches");
    gti_json_begin_array(w);
    for (int32_t i = 0; i < contacts->touch_count; ++i) {
        write_touch(w, &contacts->touches[i]);
    }
    gti_json_end_array(w);
}

GtResult gt_contacts_save(const GtContext* context, const GtContacts* contacts, const char* path, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    GtiJsonWriter w = gti_json_writer(&arena, 2);
    gti_json_begin_object(&w);
    gti_json_key(&w, marker);
    gti_json_integer(&w, 1);
    gti_json_key(&w, "contacts");
    gti_json_begin_object(&w);
    for (int32_t p = 0; p < GT_CONTACT_PART_COUNT; ++p) {
        gti_json_key(&w, gt_contact_part_name(p));
        gti_json_begin_array(&w);
        for (int32_t i = 0; i < contacts->count; ++i) {
            if (contacts->spans[i].part == p) {
                gti_json_begin_array(&w);
                gti_json_number_float(&w, (float)contacts->spans[i].start_s);
                gti_json_number_float(&w, (float)contacts->spans[i].end_s);
                if (contacts->spans[i].height_m != 0.0f) {
                    gti_json_number_float(&w, contacts->spans[i].height_m);
                }
                gti_json_end_array(&w);
            }
        }
        gti_json_end_array(&w);
    }
    gti_json_end_object(&w);
    if (contacts->has_touches) {
        write_touches(&w, contacts);
    }
    gti_json_end_object(&w);
    GtResult result = gti_json_save(&w, context, path, error);
    gt_arena_destroy(&arena);
    return result;
}

// Two numbers, the second not the smaller, and how high it stands, if not on the floor.
static bool read_span(const GtiJson* value, GtContact* out)
{
    if (value->type != GTI_JSON_ARRAY || value->count < 2 || value->count > 3) {
        return false;
    }
    const GtiJson* start = gti_json_first(value);
    const GtiJson* end = gti_json_next(start);
    out->height_m = 0.0f;
    if (value->count == 3 && !gti_json_float(gti_json_next(end), &out->height_m)) {
        return false;
    }
    return gti_json_double(start, &out->start_s) && gti_json_double(end, &out->end_s) && isfinite(out->start_s) &&
           isfinite(out->end_s) && out->start_s <= out->end_s && fabsf(out->height_m) <= MAX_HEIGHT_M;
}

static GtResult read_part(const GtiJson* root, const GtiJson* list, int32_t part, GtContacts* out, GtError* error)
{
    char place[128];
    if (list->type != GTI_JSON_ARRAY) {
        gti_json_path(root, list, place, sizeof place);
        return gti_fail(error, GT_ERROR_BAD_VALUE, "%s is no list of times", place);
    }
    const GtiJson* value = gti_json_first(list);
    for (uint32_t i = 0; i < list->count; ++i, value = gti_json_next(value)) {
        GtContact* span = &out->spans[out->count];
        span->part = part;
        if (!read_span(value, span)) {
            gti_json_path(root, value, place, sizeof place);
            return gti_fail(error, GT_ERROR_BAD_VALUE,
                            "%s must be two times in seconds, start and end, and may have a height in metres", place);
        }
        ++out->count;
    }
    return GT_OK;
}

static GtResult read_parts(const GtiJson* root, GtContacts* out, GtError* error)
{
    const GtiJson* parts = gti_json_find(root, "contacts");
    if (!parts || parts->type != GTI_JSON_OBJECT) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "there is no object \"contacts\" in it");
    }
    size_t count = 0;
    const GtiJson* list = gti_json_first(parts);
    for (uint32_t i = 0; i < parts->count; ++i, list = gti_json_next(list)) {
        count += list->count;
    }
    out->spans = gt_arena_push_array(&out->arena, count, sizeof *out->spans);
    if (!out->spans) {
        return gti_out_of_memory(error);
    }
    GtResult result = GT_OK;
    list = gti_json_first(parts);
    for (uint32_t i = 0; i < parts->count && result == GT_OK; ++i, list = gti_json_next(list)) {
        int32_t part = 0;
        while (part < GT_CONTACT_PART_COUNT && !gti_json_key_is(list, gt_contact_part_name(part))) {
            ++part;
        }
        if (part == GT_CONTACT_PART_COUNT) {
            char place[128];
            gti_json_path(root, list, place, sizeof place);
            return gti_fail(error, GT_ERROR_BAD_VALUE,
                            "%s is no part of a foot; there are leftHeel, leftToe, rightHeel and rightToe", place);
        }
        result = read_part(root, list, part, out, error);
    }
    return result;
}

// Which of some names a string is, or -1.
static int index_of(const GtiJson* value, const char* (*name_of)(int32_t), int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (value && value->type == GTI_JSON_STRING && gti_json_equals(value, name_of(i))) {
            return (int)i;
        }
    }
    return -1;
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

static bool read_place(const GtiJson* value, GtTouch* out)
{
    if (!value) {
        return true;
    }
    if (value->type != GTI_JSON_ARRAY || value->count != 2) {
        return false;
    }
    const GtiJson* first = gti_json_first(value);
    float low = out->on == GT_TOUCHED_GROUND ? -FLT_MAX : -1.0f, high = out->on == GT_TOUCHED_GROUND ? FLT_MAX : 2.0f;
    out->has_place = true;
    return gti_json_float(first, &out->place[0]) && gti_json_float(gti_json_next(first), &out->place[1]) &&
           isfinite(out->place[1]) && out->place[0] >= low && out->place[0] <= high;
}

static GtResult read_touch(const GtiJson* root, const GtiJson* value, GtTouch* out, GtError* error)
{
    char place[128];
    int hand = index_of(gti_json_find(value, "hand"), hand_name, GTI_SIDE_COUNT);
    int on = index_of(gti_json_find(value, "on"), gt_touched_name, GT_TOUCHED_COUNT);
    const GtiJson* with = gti_json_find(value, "with");
    int part = with ? index_of(with, gt_hand_part_name, GT_HAND_PART_COUNT) : GT_HAND_PART_ANY;
    if (value->type != GTI_JSON_OBJECT) {
        gti_json_path(root, value, place, sizeof place);
        return gti_fail(error, GT_ERROR_BAD_VALUE, "%s must be an object with hand, on, from and to", place);
    }
    if (hand < 0) {
        return gti_json_refuse(root, value, "hand", "left or right", error);
    }
    if (on < 0) {
        return gti_json_refuse(root, value, "on", "a part of the body, such as head, leftThigh or rightHand, or ground",
                               error);
    }
    if (part < 0) {
        return gti_json_refuse(root, value, "with", "any, palm, thumb, index, middle, ring or little", error);
    }
    *out = (GtTouch){ .hand = hand, .with = (GtHandPart)part, .on = (GtTouched)on };
    if (!gti_json_double(gti_json_find(value, "from"), &out->start_s) || !isfinite(out->start_s)) {
        return gti_json_refuse(root, value, "from", "a time in seconds", error);
    }
    if (!gti_json_double(gti_json_find(value, "to"), &out->end_s) || !isfinite(out->end_s) ||
        !(out->end_s >= out->start_s)) {
        return gti_json_refuse(root, value, "to", "a time in seconds, not before the start", error);
    }
    if (!read_place(gti_json_find(value, "at"), out)) {
        return gti_json_refuse(root, value, "at",
                               on == GT_TOUCHED_GROUND
                                   ? "x and z in metres"
                                   : "two numbers: how far along the bone, from -1 to 2, and degrees around",
                               error);
    }
    return is_possible(out)
               ? GT_OK
               : gti_json_refuse(root, value, "on",
                                 "something that the hand can touch; hands touch each other as left on rightHand",
                                 error);
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

static GtResult read_touches(const GtiJson* root, GtContacts* out, GtError* error)
{
    const GtiJson* list = gti_json_find(root, "touches");
    if (!list) {
        return GT_OK;
    }
    if (list->type != GTI_JSON_ARRAY) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "touches is no list");
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

GtResult gt_contacts_load(const GtContext* context, const char* path, GtContacts** out, GtError* error)
{
    *out = NULL;
    uint8_t* bytes = NULL;
    size_t size = 0;
    GtArena arena = gt_arena_create(context->allocator);
    const GtiJson* root = NULL;
    GtContacts* contacts = NULL;
    GtResult result = gti_file_read(context, path, &bytes, &size, error);
    if (result == GT_OK) {
        result = gti_json_parse(&arena, (const char*)bytes, size, &root, error);
    }
    if (result == GT_OK) {
        result = gti_contacts_make(context, &contacts, error);
    }
    if (result == GT_OK) {
        result = read_parts(root, contacts, error);
    }
    if (result == GT_OK) {
        result = read_touches(root, contacts, error);
    }
    gt_arena_destroy(&arena);
    context->allocator.release(context->allocator.user, bytes);
    if (result != GT_OK) {
        gti_error_set_file(error, path);
        gt_contacts_destroy(contacts);
        return result;
    }
    gti_contacts_sort(contacts);
    *out = contacts;
    return GT_OK;
}

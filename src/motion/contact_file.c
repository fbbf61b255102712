// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Contacts as files: {"gertie_contacts": 1, "contacts": {"leftHeel": [[0.1, 0.55], [1.2, 1.7]], "leftToe": [], ...}},
// in seconds of the clip. Parts that are left out never stand.

#include "motion/contact.h"

#include "base/fail.h"
#include "data/files.h"
#include "data/json.h"

#include <math.h>

static const char marker[] = "gertie_contacts";

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
                gti_json_end_array(&w);
            }
        }
        gti_json_end_array(&w);
    }
    gti_json_end_object(&w);
    gti_json_end_object(&w);
    GtResult result = gti_json_save(&w, context, path, error);
    gt_arena_destroy(&arena);
    return result;
}

// Two numbers, the second not the smaller.
static bool read_span(const GtiJson* value, GtContact* out)
{
    if (value->type != GTI_JSON_ARRAY || value->count != 2) {
        return false;
    }
    const GtiJson* start = gti_json_first(value);
    return gti_json_double(start, &out->start_s) && gti_json_double(gti_json_next(start), &out->end_s) &&
           isfinite(out->start_s) && isfinite(out->end_s) && out->start_s <= out->end_s;
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
            return gti_fail(error, GT_ERROR_BAD_VALUE, "%s must be two times in seconds, start and end", place);
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

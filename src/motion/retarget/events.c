// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "motion/retarget/events.h"

#include "base/fail.h"

#include "gertie/contact.h"
#include "gertie/json_write.h"

#include <stdlib.h>
#include <string.h>

static bool add(GtiClipEvents* events, int32_t frame, const char* name, const char* on)
{
    if (events->count == events->capacity) {
        int32_t capacity = events->capacity ? 2 * events->capacity : 32;
        GtiClipEvent* grown = gt_arena_push_array(events->arena, (size_t)capacity, sizeof *grown);
        if (!grown) {
            return false;
        }
        if (events->count) {
            memcpy(grown, events->of, (size_t)events->count * sizeof *grown);
        }
        events->of = grown;
        events->capacity = capacity;
    }
    events->of[events->count++] = (GtiClipEvent){ frame, name, on };
    return true;
}

bool gti_events_add_touch(GtiClipEvents* events, int32_t frame_count, int side, const char* on, int32_t first,
                          int32_t last)
{
    bool begins = first > 0, ends = last < frame_count - 1;
    return (!begins || add(events, first, side ? "rightHand.touch" : "leftHand.touch", on)) &&
           (!ends || add(events, last + 1, side ? "rightHand.release" : "leftHand.release", on));
}

bool gti_events_add_feet(GtiClipEvents* events, const uint8_t* bits, int32_t frame_count, bool loops)
{
    static const struct {
        uint8_t mask;
        const char* down;
        const char* up;
    } feet[2] = { { GT_CONTACT_LEFT_FOOT, "leftFoot.down", "leftFoot.up" },
                  { GT_CONTACT_RIGHT_FOOT, "rightFoot.down", "rightFoot.up" } };
    bool ok = true;
    for (int side = 0; side < 2; ++side) {
        for (int32_t f = loops ? 0 : 1; f < frame_count && ok; ++f) {
            bool stood = (bits[f > 0 ? f - 1 : frame_count - 1] & feet[side].mask) != 0;
            bool stands = (bits[f] & feet[side].mask) != 0;
            ok = stood == stands || add(events, f, stands ? feet[side].down : feet[side].up, NULL);
        }
    }
    return ok;
}

static int compare_events(const void* a, const void* b)
{
    const GtiClipEvent* x = a;
    const GtiClipEvent* y = b;
    return x->frame != y->frame ? (x->frame > y->frame) - (x->frame < y->frame) : strcmp(x->name, y->name);
}

GtResult gti_events_write(GtScene* scene, const GtiClipEvents* events, const float* times_s, const char** out,
                          GtError* error)
{
    *out = NULL;
    if (events->count == 0) {
        return GT_OK;
    }
    qsort(events->of, (size_t)events->count, sizeof *events->of, compare_events);
    GtJsonWriter json = gt_json_create(NULL, 0);
    gt_json_begin_object(&json);
    gt_json_member_array(&json, "events");
    for (int32_t i = 0; i < events->count; ++i) {
        const GtiClipEvent* event = &events->of[i];
        gt_json_begin_object(&json);
        gt_json_member_string(&json, "name", event->name);
        gt_json_member_float(&json, "time_s", times_s[event->frame]);
        if (event->on) {
            gt_json_member_string(&json, "on", event->on);
        }
        gt_json_end_object(&json);
    }
    gt_json_end_array(&json);
    gt_json_end_object(&json);
    const char* text = gt_text_finish(&json.text);
    *out = text ? gt_scene_push_text(scene, text, strlen(text)) : NULL;
    gt_json_destroy(&json);
    return *out ? GT_OK : gti_out_of_memory(error);
}

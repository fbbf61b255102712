// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Touches as spans of a contact track, and back: a span says where a hand touches on average, in round numbers. One
// that says what is so anyway moves nothing.

#include "motion/touch/touch.h"

#include "base/scalar.h"
#include "motion/take/take.h"

#include <math.h>
#include <stdlib.h>

const char* gt_touched_name(int32_t touched)
{
    static const char* const names[GT_TOUCHED_COUNT] = {
        "head",      "chest",      "belly",      "pelvis",    "leftUpperArm",  "leftForearm",
        "leftHand",  "leftThigh",  "leftShank",  "leftFoot",  "rightUpperArm", "rightForearm",
        "rightHand", "rightThigh", "rightShank", "rightFoot", "ground",
    };
    return touched >= 0 && touched < GT_TOUCHED_COUNT ? names[touched] : "";
}

const char* gt_hand_part_name(int32_t part)
{
    static const char* const names[GT_HAND_PART_COUNT] = {
        "any", "palm", "thumb", "index", "middle", "ring", "little",
    };
    return part >= 0 && part < GT_HAND_PART_COUNT ? names[part] : "";
}

static float rounded(float value, float steps)
{
    return roundf(value * steps) / steps;
}

// What the samples of a touch are on average.
typedef struct Mean {
    float along, around_rad;
    GtVec3 contact;
} Mean;

static Mean mean_of(const GtiTouchTrack* track, const GtiTouch* touch)
{
    double along = 0.0, sine = 0.0, cosine = 0.0, x = 0.0, y = 0.0, z = 0.0;
    double count = touch->last - touch->first + 1;
    for (int32_t f = touch->first; f <= touch->last; ++f) {
        const GtiTouchSample* s = &track->samples[f];
        along += (double)s->at.along;
        sine += sin((double)s->at.around_rad);
        cosine += cos((double)s->at.around_rad);
        x += (double)s->contact.x;
        y += (double)s->contact.y;
        z += (double)s->contact.z;
    }
    return (Mean){ (float)(along / count), (float)atan2(sine, cosine),
                   gt_vec3((float)(x / count), (float)(y / count), (float)(z / count)) };
}

void gti_touch_place(const GtiTouchTrack* track, const GtiTouch* touch, double place[2])
{
    Mean mean = mean_of(track, touch);
    bool is_ground = track->part == GT_TOUCHED_GROUND;
    place[0] = (double)rounded(is_ground ? mean.contact.x : mean.along - 1.0f, 1000.0f);
    place[1] = is_ground ? (double)rounded(mean.contact.z, 1000.0f)
                         : gt_radians((double)rounded(mean.around_rad / (float)GTI_DEGREE, 10.0f));
}

static int compare_touches(const void* a, const void* b)
{
    const GtTouch* x = a;
    const GtTouch* y = b;
    if (x->start_s != y->start_s) {
        return (x->start_s > y->start_s) - (x->start_s < y->start_s);
    }
    return x->hand != y->hand ? x->hand - y->hand : (int)x->on - (int)y->on;
}

void gti_touches_sort(GtContacts* contacts)
{
    if (contacts->touch_count) {
        qsort(contacts->touches, (size_t)contacts->touch_count, sizeof *contacts->touches, compare_touches);
    }
}

GtResult gti_touches_list(const GtiTouches* touches, GtContacts* out, GtError* error)
{
    size_t count = 0;
    for (int32_t t = 0; t < touches->track_count; ++t) {
        count += (size_t)touches->tracks[t].touch_count;
    }
    out->has_touches = true;
    out->touches = gt_arena_push_array(&out->arena, count, sizeof *out->touches);
    if (!out->touches) {
        return gti_out_of_memory(error);
    }
    for (int32_t t = 0; t < touches->track_count; ++t) {
        const GtiTouchTrack* track = &touches->tracks[t];
        for (int32_t i = 0; i < track->touch_count; ++i) {
            const GtiTouch* touch = &track->touches[i];
            GtTouch* span = &out->touches[out->touch_count++];
            *span = (GtTouch){ .hand = track->side,
                               .on = (GtTouched)track->part,
                               .start_s = (double)touches->times[touch->first],
                               .end_s = (double)touches->times[touch->last],
                               .has_place = true };
            gti_touch_place(track, touch, span->place);
        }
    }
    gti_touches_sort(out);
    return GT_OK;
}

GtTouch gti_touch_mirrored(const GtTouch* touch)
{
    GtTouch out = *touch;
    bool is_other_hand = touch->on == GT_TOUCHED_RIGHT_HAND; // the track is still that of the left one
    int on = (int)touch->on;
    if (is_other_hand) {
        out.has_place = false;
        return out;
    }
    out.hand = !touch->hand;
    on += on >= GT_TOUCHED_RIGHT_UPPER_ARM && on < GT_TOUCHED_GROUND           ? -GTI_PARTS_A_SIDE
          : on >= GT_TOUCHED_LEFT_UPPER_ARM && on < GT_TOUCHED_RIGHT_UPPER_ARM ? GTI_PARTS_A_SIDE
                                                                               : 0;
    out.on = (GtTouched)on;
    out.place[on == GT_TOUCHED_GROUND ? 0 : 1] *= -1.0;
    return out;
}

// The shorter way round from one angle to another.
static double angle_between(double from_rad, double to_rad)
{
    return remainder(to_rad - from_rad, 6.283185307179586);
}

// From where a touch is to where it is wanted.
static void way_of(const GtiTouchTrack* track, const GtiTouch* touch, float way[2])
{
    double is[2];
    way[0] = way[1] = 0.0f;
    if (touch->wanted && touch->wanted->has_place) {
        const double* place = touch->wanted->place;
        gti_touch_place(track, touch, is);
        way[0] = (float)(place[0] - is[0]);
        way[1] = (float)(track->part == GT_TOUCHED_GROUND ? place[1] - is[1] : angle_between(is[1], place[1]));
    }
}

static void move_sample(const GtiTouchTrack* track, int32_t frame, const float way[2])
{
    GtiTouchSample* sample = &track->samples[frame];
    if (track->part == GT_TOUCHED_GROUND) {
        sample->shift = gt_vec3(way[0], 0.0f, way[1]);
    } else {
        sample->at.along = fminf(fmaxf(sample->at.along + way[0], 0.0f), 3.0f);
        sample->at.around_rad += way[1];
    }
}

// Let the hand be where it is in another frame, as far from the skin as it is.
static void stay(const GtiTouchTrack* track, int32_t frame, int32_t as_in)
{
    track->samples[frame].at = track->samples[as_in].at;
    track->samples[frame].contact = track->samples[as_in].contact;
}

static void hold(const GtiTouches* touches, const GtiTouchTrack* track, int32_t index, float far_m)
{
    const GtiTouch* touch = &track->touches[index];
    GtiTouchSample* samples = track->samples;
    int32_t near = GT_NONE; // the latest frame, or the first of all
    for (int32_t f = touch->last; f >= touch->first; --f) {
        near = samples[f].clearance_m <= far_m ? f : near;
    }
    bool is_far[2] = { !(samples[touch->first].clearance_m <= far_m), !(samples[touch->last].clearance_m <= far_m) };
    if (near == GT_NONE) {
        Mean mean = mean_of(track, touch);
        near = touch->first;
        samples[near].at = (GtiSkinPlace){ mean.along, mean.around_rad, 0.0f };
        samples[near].contact = mean.contact;
    }
    for (int32_t f = touch->first; f <= touch->last; ++f) {
        near = samples[f].clearance_m <= far_m ? f : near;
        stay(track, f, near);
    }
    int32_t from = index > 0 ? track->touches[index - 1].last + 1 : 0;
    int32_t end = index + 1 < track->touch_count ? track->touches[index + 1].first : touches->frame_count;
    for (int32_t f = from; is_far[0] && f < touch->first; ++f) {
        stay(track, f, touch->first);
    }
    for (int32_t f = touch->last + 1; is_far[1] && f < end; ++f) {
        stay(track, f, touch->last);
    }
}

void gti_touch_move(const GtiTouches* touches, const GtiTouchTrack* track, float far_m)
{
    for (int32_t i = 0; i < track->touch_count; ++i) {
        hold(touches, track, i, far_m);
    }
    const float* times = touches->times;
    float before[2], after[2];
    int32_t from = 0;
    way_of(track, &track->touches[0], before);
    for (int32_t i = 0; i <= track->touch_count; ++i) { // what goes before each touch, with it; then what is left
        const GtiTouch* touch = i < track->touch_count ? &track->touches[i] : NULL;
        int32_t end = touch ? touch->last + 1 : touches->frame_count;
        after[0] = before[0];
        after[1] = before[1];
        if (touch) {
            way_of(track, touch, after);
        }
        for (int32_t f = from; f < end; ++f) {
            float share = 1.0f;
            if (touch && f < touch->first && from > 0) {
                float since_s = times[f] - times[from - 1], span_s = times[touch->first] - times[from - 1];
                share = gti_smooth_step((double)(since_s / span_s));
            }
            const float way[2] = { before[0] + share * (after[0] - before[0]),
                                   before[1] + share * (after[1] - before[1]) };
            move_sample(track, f, way);
        }
        before[0] = after[0];
        before[1] = after[1];
        from = end;
    }
}

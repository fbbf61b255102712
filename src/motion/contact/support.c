// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Knees, hips, backs, elbows and heads on the ground. A part is on it while its lowest point is near and slow: one that
// rolls has another lowest point at every moment, each of which rests while it is the lowest. Skins of skeletons are
// assumed, and floors of captures are not quite level, so near is near the lowest that the part comes where that is
// about the floor.

#include "motion/contact/support.h"

#include "base/fail.h"
#include "base/memory.h"
#include "motion/contact/contact.h"
#include "motion/touch/outer.h"

#include <math.h>
#include <string.h>

// Limits for a person, to begin and to go on.
static const float NEAR_M = 0.05f, RELEASE_M = 0.08f;
static const float SLOW_MPS = 0.3f, RELEASE_MPS = 0.6f;
static const double LEAST_S = 0.1;  // that a part is on the ground, or it was no contact
static const double GAP_S = 0.05;   // within a contact, that is closed
static const float UNDER_M = 0.08f; // that the lowest a part comes may be under the floor for it to be there,
static const float OVER_M = 0.03f;  // or over it
static const float LOOK_M = 0.3f;   // what is higher is not looked at
static const float PERSON_M = 1.75f;

typedef struct SupportFinder {
    const GtiTouchSource* source;
    GtError* error;
    GtArena scratch;
    float size; // times as large as a person
    GtiOuterPoints hull;
    GtTransform* pose; // [nodes]
    GtMat34* model;    // [nodes]
    GtQuat* rotations; // [nodes]
    float* heights;    // [GT_SUPPORT_COUNT * frame_count]
    float* speeds;     // likewise, of the lowest point
    uint8_t* states;   // [frame_count]
    bool* stands;      // [frame_count]
    GtContacts* out;
    int32_t capacity;
} SupportFinder;

static void pose_source(const SupportFinder* d, int32_t frame, GtiBodyPose* out)
{
    const GtiTouchActor* actor = d->source->actor;
    gt_clip_sample(actor->figure.clip, (double)d->source->times[frame], d->pose, NULL);
    gt_character_to_model(actor->figure.character, d->pose, d->model);
    gti_model_rotations(actor->figure.def, d->pose, d->rotations);
    gti_body_pose(&actor->body, d->model, d->rotations, out);
}

// How high parts are in a frame, and how fast what is lowest of them is from the frame before to the one after.
static void follow(const SupportFinder* d, int32_t frame, const GtiBodyPose* poses[3], float span_s)
{
    GtiOuterLows lows;
    gti_outer_points_lows(&d->hull, poses[1], NULL, d->source->actor->floor_m, LOOK_M * d->size, &lows);
    for (int part = 0; part < GT_SUPPORT_COUNT; ++part) {
        size_t at = (size_t)part * (size_t)d->source->frame_count + (size_t)frame;
        d->heights[at] = lows.heights[part];
        d->speeds[at] = 0.0f;
        if (lows.points[part] != GT_NONE && span_s > 0.0f) {
            GtVec3 before = gti_outer_point(&d->hull, poses[0], lows.points[part]);
            GtVec3 after = gti_outer_point(&d->hull, poses[2], lows.points[part]);
            d->speeds[at] = gt_vec3_length(gt_vec3_sub(after, before)) / span_s;
        }
    }
}

static void follow_all(const SupportFinder* d)
{
    const GtCharacterDef* def = d->source->actor->figure.def;
    const float* times = d->source->times;
    int32_t last = d->source->frame_count - 1;
    GtiBodyPose ring[3];
    memcpy(d->pose, def->rest, (size_t)def->node_count * sizeof *d->pose);
    pose_source(d, 0, &ring[0]);
    for (int32_t f = 0; f <= last; ++f) {
        int32_t before = f > 0 ? f - 1 : 0, after = f < last ? f + 1 : last;
        if (after > f) {
            pose_source(d, after, &ring[after % 3]);
        }
        const GtiBodyPose* poses[3] = { &ring[before % 3], &ring[f % 3], &ring[after % 3] };
        follow(d, f, poses, times[after] - times[before]);
    }
}

// Where the floor is for a part: as high as the lowest that it comes, if that is about the floor.
static float level_of(const SupportFinder* d, const float* heights)
{
    float low = INFINITY;
    for (int32_t f = 0; f < d->source->frame_count; ++f) {
        low = fminf(low, heights[f]);
    }
    return low > -UNDER_M * d->size && low < OVER_M * d->size ? low : 0.0f;
}

static GtResult add_contact(SupportFinder* d, int part, int32_t first, int32_t last)
{
    GtContacts* out = d->out;
    if (out->body_count == d->capacity) {
        GtBodyContact* grown = gti_arena_grow(&out->arena, out->body, &d->capacity, 16, sizeof *grown);
        if (!grown) {
            return gti_out_of_memory(d->error);
        }
        out->body = grown;
    }
    const float* times = d->source->times;
    out->body[out->body_count++] = (GtBodyContact){ (GtSupport)part, (double)times[first], (double)times[last] };
    return GT_OK;
}

static GtResult find_part(SupportFinder* d, int part)
{
    const float* heights = d->heights + (size_t)part * (size_t)d->source->frame_count;
    const float* speeds = d->speeds + (size_t)part * (size_t)d->source->frame_count;
    const float* times = d->source->times;
    int32_t count = d->source->frame_count;
    float level = level_of(d, heights);
    for (int32_t f = 0; f < count; ++f) {
        float height = heights[f] - level;
        bool begins = height < NEAR_M * d->size && speeds[f] < SLOW_MPS * d->size;
        bool goes_on = height < RELEASE_M * d->size && speeds[f] < RELEASE_MPS * d->size;
        d->states[f] = begins ? GTI_CONTACT_BEGINS : goes_on ? GTI_CONTACT_GOES_ON : GTI_CONTACT_NONE;
    }
    gti_contact_mark(d->states, count, d->stands);
    GtResult result = GT_OK;
    for (int32_t f = 0, last; f < count && result == GT_OK; f = last + 1) {
        last = f;
        if (!d->stands[f]) {
            continue;
        }
        for (int32_t k = f + 1; k < count && (k == last + 1 || (double)(times[k] - times[last]) <= GAP_S); ++k) {
            last = d->stands[k] ? k : last;
        }
        if ((double)(times[last] - times[f]) >= LEAST_S || f == 0 || last == count - 1) {
            result = add_contact(d, part, f, last);
        }
    }
    return result;
}

static GtResult find(SupportFinder* d)
{
    const GtiTouchActor* actor = d->source->actor;
    size_t nodes = (size_t)actor->figure.def->node_count, frames = (size_t)d->source->frame_count;
    d->pose = gt_arena_push_array(&d->scratch, nodes, sizeof *d->pose);
    d->model = gt_arena_push_array(&d->scratch, nodes, sizeof *d->model);
    d->rotations = gt_arena_push_array(&d->scratch, nodes, sizeof *d->rotations);
    d->heights = gt_arena_push_array(&d->scratch, GT_SUPPORT_COUNT * frames, sizeof *d->heights);
    d->speeds = gt_arena_push_array(&d->scratch, GT_SUPPORT_COUNT * frames, sizeof *d->speeds);
    d->states = gt_arena_push_array(&d->scratch, frames, sizeof *d->states);
    d->stands = gt_arena_push_array(&d->scratch, frames, sizeof *d->stands);
    if (!d->pose || !d->model || !d->rotations || !d->heights || !d->speeds || !d->states || !d->stands) {
        return gti_out_of_memory(d->error);
    }
    GtResult result = gti_outer_points_find(d->source->context, &d->scratch, &actor->body, &d->hull, d->error);
    if (result == GT_OK) {
        follow_all(d);
    }
    for (int part = 0; part < GT_SUPPORT_COUNT && result == GT_OK; ++part) {
        result = find_part(d, part);
    }
    return result;
}

GtResult gti_supports_find(const GtiTouchSource* source, GtContacts* out, GtError* error)
{
    SupportFinder d = { .source = source,
                        .error = error,
                        .scratch = gt_arena_create(source->context->allocator),
                        .size = source->actor->body.stature_m / PERSON_M,
                        .out = out };
    out->has_body = true;
    GtResult result = source->frame_count > 0 ? find(&d) : GT_OK;
    gt_arena_destroy(&d.scratch);
    return result;
}

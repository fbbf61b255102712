// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Touches of a source: a hand is near a part and slow against it. Limits are strict for a touch to begin and wide for
// it to go on. Hands that clap are not slow for long, and count by how near they come. Or somebody says when they
// touch: then only where is looked for.

#include "motion/touch/look.h"

#include "motion/contact/contact.h"
#include "motion/take/take.h"

#include <math.h>
#include <string.h>

// Limits for a person; they grow with the figure.
typedef struct Limits {
    float near_m, release_m;
    float slow_mps, release_mps;
    double least_s;
} Limits;

static const Limits BODY_LIMITS = { 0.02f, 0.04f, 0.25f, 0.4f, 0.08 };
static const Limits HAND_LIMITS = { 0.03f, 0.05f, 0.8f, 2.0f, 0.0 };
static const Limits GROUND_LIMITS = { 0.1f, 0.14f, 0.35f, 0.65f, 0.08 };

static const float UNDER_FEET_M = 0.05f; // that a hand is lower than both ankles and the hips, to carry the body
static const float UNDER_HIPS_M = 0.35f;
static const float CARRYING_M = 0.12f; // by which limits are wider for one that does
static const float CARRYING_MPS = 0.55f;
static const float BODY_SHARE = 0.1f; // of the body's speed over the ground
static const float SPEED_S = 0.03f;   // either way, that speeds are taken over
static const float PERSON_M = 1.75f;
static const float EDGE_M = 0.015f;       // at its ends, a touch is this near to its nearest
static const float GROUND_EDGE_M = 0.05f; // likewise, of hands that roll
static const float NEARER_M = 0.015f;     // than another part, or the touch is of that one
static const double SAME_S = 1e-5;        // times of a frame and of a touch are rounded, each in its own way
static const float GAP_S = 0.05f;         // within a touch, that is closed
static const float EDGE_S = 0.15f;        // and an end no longer than this

static const Limits* limits_of(int part)
{
    return part == GT_TOUCHED_GROUND ? &GROUND_LIMITS : part == GT_TOUCHED_RIGHT_HAND ? &HAND_LIMITS : &BODY_LIMITS;
}

static float speed_at(const GtiTouchFinder* d, int side, int part, int32_t frame)
{
    const float* times = d->source->times;
    int32_t last = d->source->frame_count - 1;
    int32_t before = frame > 0 ? frame - 1 : 0, after = frame < last ? frame + 1 : last;
    while (before > 0 && times[frame] - times[before - 1] <= SPEED_S) {
        --before;
    }
    while (after < last && times[after + 1] - times[frame] <= SPEED_S) {
        ++after;
    }
    GtVec3 way =
        gt_vec3_sub(d->palms[gti_touch_at(d, side, part, after)], d->palms[gti_touch_at(d, side, part, before)]);
    float span_s = times[after] - times[before];
    return span_s > 0.0f ? gt_vec3_length(way) / span_s : 0.0f;
}

// How near the nearest part of the body is; the other hand and the ground are touched besides.
static float nearest_of(const GtiTouchFinder* d, int side, int32_t frame)
{
    float least = INFINITY;
    for (int p = 0; p < GTI_PART_COUNT; ++p) {
        least = p == GT_TOUCHED_RIGHT_HAND ? least : fminf(least, d->clearances[gti_touch_at(d, side, p, frame)]);
    }
    return least;
}

// Whether a hand that is near the ground carries the body.
static bool carries_at(const GtiTouchFinder* d, int side, int32_t frame)
{
    const GtiTouchStance* stance = &d->stances[frame];
    float hand = d->clearances[gti_touch_at(d, side, GT_TOUCHED_GROUND, frame)];
    return stance->feet_m > hand + UNDER_FEET_M * d->size && stance->hips_m > hand + UNDER_HIPS_M * d->size;
}

// Limits for the ground grow with the body's speed, as those of feet do; and who stands on hands loads them so that
// they roll, and captured arms do not reach as far.
static Limits limits_at(const GtiTouchFinder* d, int side, int part, int32_t frame)
{
    Limits limits = *limits_of(part);
    if (part != GT_TOUCHED_GROUND) {
        return limits;
    }
    bool carries = carries_at(d, side, frame);
    const GtiTouchStance* stance = &d->stances[frame];
    limits.near_m += carries ? CARRYING_M : 0.0f;
    limits.release_m += carries ? CARRYING_M : 0.0f;
    limits.slow_mps += (carries ? CARRYING_MPS : 0.0f) + BODY_SHARE * stance->body_mps / d->size;
    limits.release_mps += (carries ? CARRYING_MPS : 0.0f) + 1.5f * BODY_SHARE * stance->body_mps / d->size;
    return limits;
}

static void mark_touching(const GtiTouchFinder* d, int side, int part)
{
    bool may_share = part == GT_TOUCHED_GROUND || part == GT_TOUCHED_RIGHT_HAND;
    for (int32_t f = 0; f < d->source->frame_count; ++f) {
        Limits limits = limits_at(d, side, part, f);
        float clear = d->clearances[gti_touch_at(d, side, part, f)];
        bool is_near = clear < limits.release_m * d->size;
        float speed = is_near ? speed_at(d, side, part, f) : INFINITY;
        float rival = is_near && !may_share ? nearest_of(d, side, f) : clear;
        bool goes_on = is_near && speed < limits.release_mps * d->size && clear < rival + NEARER_M * d->size;
        bool begins = goes_on && clear < limits.near_m * d->size && speed < limits.slow_mps * d->size && clear <= rival;
        d->states[f] = begins ? GTI_CONTACT_BEGINS : goes_on ? GTI_CONTACT_GOES_ON : GTI_CONTACT_NONE;
    }
    gti_contact_mark(d->states, d->source->frame_count, d->touching);
}

// From the nearest on both ways only as long as it is about as near.
static GtiTouch cut_ends(const GtiTouchFinder* d, GtiTouch touch, int side, int part)
{
    const float* clear = &d->clearances[gti_touch_at(d, side, part, 0)];
    float least = INFINITY;
    for (int32_t f = touch.first; f <= touch.last; ++f) {
        least = fminf(least, clear[f]);
    }
    const float* times = d->source->times;
    GtiTouch cut = touch;
    float most = least + (part == GT_TOUCHED_GROUND ? GROUND_EDGE_M : EDGE_M) * d->size;
    while (clear[cut.first] > most && times[cut.first] - times[touch.first] < EDGE_S) {
        ++cut.first;
    }
    while (clear[cut.last] > most && times[touch.last] - times[cut.last] < EDGE_S && cut.last > cut.first) {
        --cut.last;
    }
    return cut;
}

// The next touch from a frame on. False when there is none.
static bool next_touch(const GtiTouchFinder* d, int side, int part, int32_t from, GtiTouch* out)
{
    const GtiTouchSource* s = d->source;
    for (int32_t f = from; f < s->frame_count; ++f) {
        if (!d->touching[f]) {
            continue;
        }
        int32_t last = f;
        for (int32_t k = f + 1; k < s->frame_count && (k == last + 1 || s->times[k] - s->times[last] <= GAP_S); ++k) {
            last = d->touching[k] ? k : last;
        }
        double step_s =
            s->frame_count > 1 ? (double)(s->times[s->frame_count - 1] - s->times[0]) / (s->frame_count - 1) : 0.0;
        bool is_cut = f == 0 || last == s->frame_count - 1; // and may be longer
        if (is_cut || (double)(s->times[last] - s->times[f]) >= limits_of(part)->least_s - 1.5 * step_s) {
            *out = cut_ends(d, (GtiTouch){ f, last, GTI_LONGEST_EASE_S, GTI_LONGEST_EASE_S, NULL, false }, side, part);
            return true;
        }
        f = last;
    }
    return false;
}

static int32_t find_listed(const GtiTouchFinder* d, const GtiTouchTrack* track, GtiTouch* out)
{
    GtiTouch touch;
    int32_t count = 0;
    mark_touching(d, track->side, track->part);
    for (int32_t from = 0; next_touch(d, track->side, track->part, from, &touch); ++count) {
        for (from = touch.last + 1; from < d->source->frame_count && d->touching[from]; ++from) {
        }
        if (out) {
            out[count] = touch;
        }
    }
    return count;
}

// The frames of a time, or the one that is nearest to a time between frames. False when it lies outside of all.
static bool frames_of(const GtiTouchSource* s, const GtTouch* wanted, int32_t* first, int32_t* last)
{
    *first = 0;
    while (*first < s->frame_count && (double)s->times[*first] < wanted->start_s - SAME_S) {
        ++*first;
    }
    *last = *first - 1;
    while (*last + 1 < s->frame_count && (double)s->times[*last + 1] <= wanted->end_s + SAME_S) {
        ++*last;
    }
    if (*last<*first&& * first> 0 && *first < s->frame_count) {
        double middle_s = 0.5 * (wanted->start_s + wanted->end_s);
        *first -= middle_s - (double)s->times[*first - 1] < (double)s->times[*first] - middle_s;
        *last = *first;
    }
    return *first <= *last;
}

static int32_t take_listed(const GtiTouchFinder* d, const GtiTouchTrack* track, GtiTouch* out)
{
    int32_t count = 0, taken = -1; // frames up to this one
    for (int32_t i = 0; i < d->wanted_count; ++i) {
        const GtTouch* w = &d->wanted[i];
        int32_t first, last;
        if (w->hand == track->side && (int)w->on == track->part && frames_of(d->source, w, &first, &last) &&
            last > taken) {
            first = first > taken ? first : taken + 1;
            if (out) {
                out[count] = (GtiTouch){ first, last, GTI_LONGEST_EASE_S, GTI_LONGEST_EASE_S, w, false };
            }
            ++count;
            taken = last;
        }
    }
    return count;
}

static GtResult list_touches(const GtiTouchFinder* d, GtiTouchTrack* track)
{
    int32_t (*list)(const GtiTouchFinder*, const GtiTouchTrack*, GtiTouch*) =
        d->source->wanted ? take_listed : find_listed;
    track->touch_count = list(d, track, NULL);
    if (track->touch_count == 0) {
        return GT_OK;
    }
    track->touches = gt_arena_push_array(d->arena, (size_t)track->touch_count, sizeof *track->touches);
    track->samples = gt_arena_push_array(d->arena, (size_t)d->source->frame_count, sizeof *track->samples);
    bool is_ground = track->part == GT_TOUCHED_GROUND;
    if (is_ground) {
        track->offsets = gt_arena_push_array(d->arena, (size_t)d->source->frame_count, sizeof *track->offsets);
        track->slips = gt_arena_push_array(d->arena, (size_t)d->source->frame_count, sizeof *track->slips);
    }
    if (!track->touches || !track->samples || (is_ground && (!track->offsets || !track->slips))) {
        return gti_out_of_memory(d->error);
    }
    list(d, track, track->touches);
    for (int32_t i = 0; is_ground && i < track->touch_count; ++i) {
        GtiTouch* touch = &track->touches[i];
        int32_t count = 0;
        for (int32_t f = touch->first; f <= touch->last; ++f) {
            count += carries_at(d, track->side, f);
        }
        touch->carries = 2 * count > touch->last - touch->first;
    }
    return GT_OK;
}

void gti_touch_weigh(const GtiTouches* touches, const GtiTouchTrack* track)
{
    const float* times = touches->times;
    int32_t next = 0; // touch that ends at this frame or later
    for (int32_t f = 0; f < touches->frame_count; ++f) {
        while (next < track->touch_count && track->touches[next].last < f) {
            ++next;
        }
        const GtiTouch* after = next < track->touch_count ? &track->touches[next] : NULL;
        const GtiTouch* before = next > 0 ? &track->touches[next - 1] : NULL;
        float coming = 0.0f, going = 0.0f;
        if (after) {
            coming = gti_smooth_step(1.0 - (double)((times[after->first] - times[f]) / after->ease_in_s));
        }
        if (before) {
            going = gti_smooth_step(1.0 - (double)((times[f] - times[before->last]) / before->ease_out_s));
        }
        track->samples[f].weight = 1.0f - (1.0f - coming) * (1.0f - going);
    }
}

// The clearance that is none is that of the ends of a touch, and goes from one touch to the next.
static void set_rest(const GtiTouchFinder* d, const GtiTouchTrack* track)
{
    const float* times = d->source->times;
    const float* clear = &d->clearances[gti_touch_at(d, track->side, track->part, 0)];
    int32_t next = 0; // touch that ends at this frame or later
    for (int32_t f = 0; f < d->source->frame_count; ++f) {
        while (next < track->touch_count && track->touches[next].last < f) {
            ++next;
        }
        const GtiTouch* after = next < track->touch_count ? &track->touches[next] : &track->touches[next - 1];
        const GtiTouch* before = next > 0 ? &track->touches[next - 1] : after;
        float first = clear[next < track->touch_count ? after->first : after->last];
        float last = clear[next > 0 ? before->last : after->first];
        float span_s = times[after->first] - times[before->last];
        float share = span_s > 0.0f ? (times[f] - times[before->last]) / span_s : 1.0f;
        bool is_inside = after->first <= f && f <= after->last;
        bool is_after = is_inside || times[f] - times[before->last] > times[after->first] - times[f];
        const GtTouch* wanted = (is_after ? after : before)->wanted;
        track->samples[f].with = wanted ? wanted->with : GT_HAND_PART_ANY;
        track->samples[f].rest_m = is_inside ? fmaxf(clear[f], fmaxf(first, clear[after->last]))
                                             : last + (first - last) * fminf(fmaxf(share, 0.0f), 1.0f);
    }
}

static bool are_neighbours(int part, int other)
{
    int neighbours[GTI_MOST_NEIGHBOURS];
    bool found = false;
    gti_part_neighbours(part, neighbours);
    for (int i = 0; i < GTI_MOST_NEIGHBOURS; ++i) {
        found = found || neighbours[i] == other;
    }
    return found;
}

// Whether another touch is the longer one, and shares most frames of this.
static bool is_outdone(const GtiTouch* touch, const GtiTouch* other, bool is_first)
{
    int32_t length = touch->last - touch->first, longer = other->last - other->first;
    int32_t from = touch->first > other->first ? touch->first : other->first;
    int32_t to = touch->last < other->last ? touch->last : other->last;
    return 2 * (to - from) > length && (longer > length || (longer == length && is_first));
}

// A hand over a joint is near both parts that meet there, but on another body it cannot be where it is on both.
static void drop_outdone(const GtiTouches* touches, GtiTouchTrack* track)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < track->touch_count; ++i) {
        bool is_kept = true;
        for (int32_t t = 0; t < touches->track_count; ++t) {
            const GtiTouchTrack* other = &touches->tracks[t];
            if (other->side != track->side || !are_neighbours(track->part, other->part)) {
                continue;
            }
            for (int32_t k = 0; k < other->touch_count; ++k) {
                is_kept = is_kept && !is_outdone(&track->touches[i], &other->touches[k], other < track);
            }
        }
        if (is_kept) {
            track->touches[kept++] = track->touches[i];
        }
    }
    track->touch_count = kept;
}

static GtResult find_tracks(GtiTouchFinder* d)
{
    GtiTouches* out = d->out;
    for (int i = 0; i < GTI_SIDE_COUNT * GT_TOUCHED_COUNT; ++i) {
        GtiTouchTrack track = { .side = i / GT_TOUCHED_COUNT, .part = i % GT_TOUCHED_COUNT };
        GtResult result =
            gti_touch_is_candidate(&d->source->actor->body, track.side, track.part) ? list_touches(d, &track) : GT_OK;
        if (result != GT_OK) {
            return result;
        }
        if (track.touch_count) {
            out->tracks[out->track_count++] = track;
        }
    }
    int32_t listed = out->track_count;
    for (int32_t t = listed - 1; !d->source->wanted && t >= 0; --t) {
        drop_outdone(out, &out->tracks[t]);
    }
    out->track_count = 0;
    for (int32_t t = 0; t < listed; ++t) {
        if (out->tracks[t].touch_count) {
            GtiTouchTrack* track = &out->tracks[out->track_count++];
            *track = out->tracks[t];
            set_rest(d, track);
            gti_touch_weigh(out, track);
        }
    }
    return GT_OK;
}

static GtResult find(GtiTouchFinder* d)
{
    GtiTouches* out = d->out;
    out->frame_count = d->source->frame_count;
    out->times = d->source->times;
    out->tracks = gt_arena_push_array(d->arena, GTI_SIDE_COUNT * GT_TOUCHED_COUNT, sizeof *out->tracks);
    GtResult result = out->tracks ? gti_touch_look(d) : gti_out_of_memory(d->error);
    if (result == GT_OK) {
        result = find_tracks(d);
    }
    if (result == GT_OK && out->track_count) {
        gti_touch_sample(d);
    }
    for (int32_t t = 0; result == GT_OK && t < out->track_count; ++t) {
        const GtiTouchTrack* track = &out->tracks[t];
        bool is_limb = track->part >= GT_TOUCHED_LEFT_UPPER_ARM && track->part < GT_TOUCHED_GROUND;
        if (is_limb && track->part != GT_TOUCHED_RIGHT_HAND) {
            const GtiTouchPart* part = &d->source->actor->body.parts[track->part];
            result = gti_touch_calm(out, track, part, &d->scratch, d->error);
        }
        if (result == GT_OK && d->source->wanted) {
            gti_touch_move(out, track, limits_of(track->part)->release_m * d->size);
        }
    }
    return result;
}

// Of what somebody wants to be touched, all in the sides that the body has.
static GtResult take_wanted(GtiTouchFinder* d)
{
    const GtContacts* wanted = d->source->wanted;
    d->wanted = gt_arena_push_array(&d->scratch, (size_t)wanted->touch_count, sizeof *d->wanted);
    if (!d->wanted) {
        return gti_out_of_memory(d->error);
    }
    d->wanted_count = wanted->touch_count;
    for (int32_t i = 0; i < wanted->touch_count; ++i) {
        const GtTouch* touch = &wanted->touches[i];
        d->wanted[i] = d->source->actor->body.mirror ? gti_touch_mirrored(touch) : *touch;
        d->is_wanted[d->wanted[i].hand][d->wanted[i].on] = true;
    }
    return GT_OK;
}

static void warn_of_time(const GtiTouchFinder* d)
{
    const GtiTouchSource* s = d->source;
    if (d->wanted_count > 0 && d->out->track_count == 0) {
        gti_warn(s->context, NULL, NULL, "no touch lies within the clip, which lasts from %.3f s to %.3f s",
                 (double)s->times[0], (double)s->times[s->frame_count - 1]);
    }
}

GtResult gti_touches_find(const GtiTouchSource* source, GtArena* arena, GtiTouches* out, GtError* error)
{
    *out = (GtiTouches){ 0 };
    GtiTouchFinder d = { .source = source,
                         .arena = arena,
                         .scratch = gt_arena_create(source->context->allocator),
                         .size = source->actor->body.stature_m / PERSON_M,
                         .out = out,
                         .error = error };
    GtResult result = source->wanted ? take_wanted(&d) : GT_OK;
    if (result == GT_OK) {
        result = find(&d);
    }
    if (result == GT_OK) {
        warn_of_time(&d);
    }
    gt_arena_destroy(&d.scratch);
    return result;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Touches of a source: a hand is near a part and slow against it. Limits are strict for a touch to begin and wide for
// it to go on. Hands that clap are not slow for long, and count by how near they come. Or somebody says when they
// touch: then only where is looked for.

#include "motion/touch.h"

#include "motion/take.h"

#include <math.h>
#include <string.h>

enum {
    PIECE = 64 // frames
};

// Limits for a person; they grow with the figure.
typedef struct Limits {
    float near_m, release_m;
    float slow_mps, release_mps;
    double least_s;
} Limits;

static const Limits BODY_LIMITS = { 0.02f, 0.04f, 0.25f, 0.4f, 0.08 };
static const Limits HAND_LIMITS = { 0.03f, 0.05f, 0.8f, 2.0f, 0.0 };
static const Limits GROUND_LIMITS = { 0.1f, 0.14f, 0.35f, 0.65f, 0.08 };

static const float WRIST_SHARE = 0.8f; // of a forearm, from where on it counts as the hand
static const float SPEED_S = 0.03f;    // either way, that speeds are taken over
static const float PERSON_M = 1.75f;
static const float FAR_M = 0.15f;     // parts this far off are not looked at
static const float BLUR_M = 0.01f;    // points this much farther off than the nearest count for 1/e of it
static const float EDGE_M = 0.015f;   // at its ends, a touch is this near to its nearest
static const float NEARER_M = 0.015f; // than another part, or the touch is of that one
static const double SAME_S = 1e-5;    // times of a frame and of a touch are rounded, each in its own way
static const float GAP_S = 0.05f;     // within a touch, that is closed
static const float EDGE_S = 0.15f;    // and an end no longer than this

typedef struct Room {
    GtTransform* pose; // [nodes]
    GtMat34* model;    // [nodes]
    GtQuat* rotations; // [nodes]
    GtVec3* points;    // [most points of a hand]
} Room;

typedef struct Finder {
    const GtiTouchSource* source;
    GtArena* arena;
    GtArena scratch;
    float size;
    float* clearances; // [GTI_SIDE_COUNT * GT_TOUCHED_COUNT * frame_count]
    GtVec3* palms;     // likewise, in the part's axes
    bool* touching;    // [frame_count] of the track at hand
    GtTouch* wanted;   // [wanted_count] of what the body is, be that a mirror's image; by start
    int32_t wanted_count;
    bool is_wanted[GTI_SIDE_COUNT][GT_TOUCHED_COUNT];
    Room* rooms; // [pieces]
    GtiTouches* out;
    GtError* error;
} Finder;

static bool is_candidate(const GtiBody* body, int side, int part)
{
    if (!body->hands[side].exists) {
        return false;
    }
    if (part == GT_TOUCHED_GROUND) {
        return true;
    }
    int first = gti_part_on(GT_TOUCHED_LEFT_UPPER_ARM, side);
    bool is_own = part >= first && part <= first + 2;
    bool is_known = side == GTI_RIGHT_SIDE && part == GT_TOUCHED_LEFT_HAND; // from the other one
    bool is_hand = part == GT_TOUCHED_RIGHT_HAND;
    return body->parts[part].exists && !is_own && !is_known && (!is_hand || body->hands[GTI_RIGHT_SIDE].exists);
}

static size_t at_frame(const Finder* d, int side, int part, int32_t frame)
{
    return (size_t)(side * GT_TOUCHED_COUNT + part) * (size_t)d->source->frame_count + (size_t)frame;
}

static void pose_source(const Finder* d, Room* room, int32_t frame, GtiBodyPose* pose)
{
    const GtiTouchActor* actor = d->source->actor;
    gt_clip_sample(actor->clip, (double)d->source->times[frame], room->pose, NULL);
    gt_character_to_model(actor->figure.character, room->pose, room->model);
    gti_model_rotations(actor->figure.def, room->pose, room->rotations);
    gti_body_pose(&actor->body, room->model, room->rotations, pose);
}

static bool is_far(const GtiPart* part, GtVec3 palm, float reach)
{
    float along = fminf(fmaxf(palm.y, 0.0f), part->length);
    return gt_vec3_length(gt_vec3_sub(palm, gt_vec3(0.0f, along, 0.0f))) > reach + part->extent;
}

static bool is_forearm(int part)
{
    return part == GT_TOUCHED_LEFT_FOREARM || part == GT_TOUCHED_RIGHT_FOREARM;
}

static void look_at(const Finder* d, const GtiBodyPose* pose, Room* room, int32_t frame, int side)
{
    const GtiBody* body = &d->source->actor->body;
    const GtiHand* hand = &body->hands[side];
    GtVec3 wrist = gti_wrist(pose, side);
    GtVec3 palm = gti_hand_palm(body, pose, side);
    gti_hand_points(body, pose, side, room->points);
    for (int p = 0; p < GT_TOUCHED_COUNT; ++p) {
        size_t at = at_frame(d, side, p, frame);
        d->clearances[at] = INFINITY;
        if (!is_candidate(body, side, p)) {
            continue;
        }
        if (p == GT_TOUCHED_GROUND) {
            d->palms[at] = palm;
            d->clearances[at] = wrist.y + gti_hand_lowest(room->points, hand->point_count) - d->source->actor->floor_m;
            continue;
        }
        GtiPartPlace place = gti_part_place(body, pose, p);
        d->palms[at] = gt_quat_rotate(gt_quat_conjugate(place.axes), gt_vec3_sub(palm, place.base));
        bool is_wrist = is_forearm(p) && d->palms[at].y > WRIST_SHARE * body->parts[p].length; // it goes with its hand
        bool is_near = !is_wrist && !is_far(&body->parts[p], d->palms[at], hand->length + FAR_M * d->size);
        if (is_near || d->is_wanted[side][p]) {
            int32_t count = gti_hand_range(body, side, GT_HAND_PART_ANY, p).count;
            d->clearances[at] = gti_skin_clearance(&body->parts[p], &place, room->points, count, wrist);
        }
    }
}

static void look_range(void* data, int32_t first, int32_t end)
{
    const Finder* d = data;
    const GtCharacterDef* def = d->source->actor->figure.def;
    for (int32_t piece = first; piece < end; ++piece) {
        Room* room = &d->rooms[piece];
        int32_t stop = (piece + 1) * PIECE < d->source->frame_count ? (piece + 1) * PIECE : d->source->frame_count;
        memcpy(room->pose, def->rest, (size_t)def->node_count * sizeof *room->pose);
        for (int32_t f = piece * PIECE; f < stop; ++f) {
            GtiBodyPose pose;
            pose_source(d, room, f, &pose);
            for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
                look_at(d, &pose, room, f, side);
            }
        }
    }
}

static GtResult open_rooms(Finder* d)
{
    size_t nodes = (size_t)d->source->actor->figure.def->node_count, frames = (size_t)d->source->frame_count;
    size_t pieces = (frames + PIECE - 1) / PIECE;
    int32_t points = 1;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        int32_t count = d->source->actor->body.hands[side].point_count;
        points = count > points ? count : points;
    }
    d->clearances = gt_arena_push_array(&d->scratch, GTI_SIDE_COUNT * GT_TOUCHED_COUNT * frames, sizeof *d->clearances);
    d->palms = gt_arena_push_array(&d->scratch, GTI_SIDE_COUNT * GT_TOUCHED_COUNT * frames, sizeof *d->palms);
    d->touching = gt_arena_push_array(&d->scratch, frames, sizeof *d->touching);
    d->rooms = gt_arena_push_array(&d->scratch, pieces, sizeof *d->rooms);
    bool ok = d->clearances && d->palms && d->touching && d->rooms;
    for (size_t i = 0; ok && i < pieces; ++i) {
        Room* room = &d->rooms[i];
        room->pose = gt_arena_push_array(&d->scratch, nodes, sizeof *room->pose);
        room->model = gt_arena_push_array(&d->scratch, nodes, sizeof *room->model);
        room->rotations = gt_arena_push_array(&d->scratch, nodes, sizeof *room->rotations);
        room->points = gt_arena_push_array(&d->scratch, (size_t)points, sizeof *room->points);
        ok = room->pose && room->model && room->rotations && room->points;
    }
    return ok ? GT_OK : gti_out_of_memory(d->error);
}

static const Limits* limits_of(int part)
{
    return part == GT_TOUCHED_GROUND ? &GROUND_LIMITS : part == GT_TOUCHED_RIGHT_HAND ? &HAND_LIMITS : &BODY_LIMITS;
}

static float speed_at(const Finder* d, int side, int part, int32_t frame)
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
    GtVec3 way = gt_vec3_sub(d->palms[at_frame(d, side, part, after)], d->palms[at_frame(d, side, part, before)]);
    float span_s = times[after] - times[before];
    return span_s > 0.0f ? gt_vec3_length(way) / span_s : 0.0f;
}

// How near the nearest part of the body is; the other hand and the ground are touched besides.
static float nearest_of(const Finder* d, int side, int32_t frame)
{
    float least = INFINITY;
    for (int p = 0; p < GTI_PART_COUNT; ++p) {
        least = p == GT_TOUCHED_RIGHT_HAND ? least : fminf(least, d->clearances[at_frame(d, side, p, frame)]);
    }
    return least;
}

static void mark_touching(const Finder* d, int side, int part)
{
    const Limits* limits = limits_of(part);
    bool may_share = part == GT_TOUCHED_GROUND || part == GT_TOUCHED_RIGHT_HAND;
    int32_t reached = 0; // all before it are decided
    memset(d->touching, 0, (size_t)d->source->frame_count * sizeof *d->touching);
    for (int32_t f = 0; f < d->source->frame_count; ++f) {
        float clear = d->clearances[at_frame(d, side, part, f)];
        bool is_near = clear < limits->release_m * d->size;
        float speed = is_near ? speed_at(d, side, part, f) : INFINITY;
        float rival = is_near && !may_share ? nearest_of(d, side, f) : clear;
        bool goes_on = is_near && speed < limits->release_mps * d->size && clear < rival + NEARER_M * d->size;
        bool begins =
            goes_on && clear < limits->near_m * d->size && speed < limits->slow_mps * d->size && clear <= rival;
        if (!goes_on) {
            reached = f + 1;
        }
        for (int32_t k = reached; begins && k <= f; ++k) {
            d->touching[k] = true;
        }
        d->touching[f] = begins || (goes_on && f > reached && d->touching[f - 1]);
        reached = begins ? f : reached;
    }
}

// From the nearest on both ways only as long as it is about as near.
static GtiTouch cut_ends(const Finder* d, GtiTouch touch, int side, int part)
{
    const float* clear = &d->clearances[at_frame(d, side, part, 0)];
    float least = INFINITY;
    for (int32_t f = touch.first; f <= touch.last; ++f) {
        least = fminf(least, clear[f]);
    }
    const float* times = d->source->times;
    GtiTouch cut = touch;
    float most = least + EDGE_M * d->size;
    while (clear[cut.first] > most && times[cut.first] - times[touch.first] < EDGE_S) {
        ++cut.first;
    }
    while (clear[cut.last] > most && times[touch.last] - times[cut.last] < EDGE_S && cut.last > cut.first) {
        --cut.last;
    }
    return cut;
}

// The next touch from a frame on. False when there is none.
static bool next_touch(const Finder* d, int side, int part, int32_t from, GtiTouch* out)
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
            *out = cut_ends(d, (GtiTouch){ f, last, GTI_LONGEST_EASE_S, GTI_LONGEST_EASE_S, NULL }, side, part);
            return true;
        }
        f = last;
    }
    return false;
}

static int32_t find_listed(const Finder* d, const GtiTouchTrack* track, GtiTouch* out)
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

static int32_t take_listed(const Finder* d, const GtiTouchTrack* track, GtiTouch* out)
{
    int32_t count = 0, taken = -1; // frames up to this one
    for (int32_t i = 0; i < d->wanted_count; ++i) {
        const GtTouch* w = &d->wanted[i];
        int32_t first, last;
        if (w->hand == track->side && (int)w->on == track->part && frames_of(d->source, w, &first, &last) &&
            last > taken) {
            first = first > taken ? first : taken + 1;
            if (out) {
                out[count] = (GtiTouch){ first, last, GTI_LONGEST_EASE_S, GTI_LONGEST_EASE_S, w };
            }
            ++count;
            taken = last;
        }
    }
    return count;
}

static GtResult list_touches(const Finder* d, GtiTouchTrack* track)
{
    int32_t (*list)(const Finder*, const GtiTouchTrack*, GtiTouch*) = d->source->wanted ? take_listed : find_listed;
    track->touch_count = list(d, track, NULL);
    if (track->touch_count == 0) {
        return GT_OK;
    }
    track->touches = gt_arena_push_array(d->arena, (size_t)track->touch_count, sizeof *track->touches);
    track->samples = gt_arena_push_array(d->arena, (size_t)d->source->frame_count, sizeof *track->samples);
    bool is_ground = track->part == GT_TOUCHED_GROUND;
    if (is_ground) {
        track->offsets = gt_arena_push_array(d->arena, (size_t)d->source->frame_count, sizeof *track->offsets);
    }
    if (!track->touches || !track->samples || (is_ground && !track->offsets)) {
        return gti_out_of_memory(d->error);
    }
    list(d, track, track->touches);
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
static void set_rest(const Finder* d, const GtiTouchTrack* track)
{
    const float* times = d->source->times;
    const float* clear = &d->clearances[at_frame(d, track->side, track->part, 0)];
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

// A hand of a capture that is deep inside of a part may be beyond its bone. Palms touch, so it is on the side that the
// back of the hand faces.
static float outwards_m(const GtiPart* part, GtiSkinPlace at)
{
    float radius = gti_skin_radius(part, at), depth = -at.height_m / fmaxf(radius, 1e-6f); // 1 at the bone
    return 2.0f * radius * gti_smooth_step((double)((depth - 0.3f) / 0.5f));
}

// What carries over: the point of the hand that is nearest to the skin, and where on the part it is.
static void take_sample(const Finder* d, const GtiTouchTrack* track, const GtiBodyPose* pose, Room* room,
                        GtiTouchSample* sample)
{
    const GtiBody* body = &d->source->actor->body;
    const GtiPart* part = &body->parts[track->part];
    int joint = (int)gti_joint_on(GT_HUMANOID_LEFT_HAND, track->side);
    GtVec3 wrist = pose->places[joint];
    GtiPartPlace place = gti_part_place(body, pose, track->part);
    GtQuat part_from_model = gt_quat_conjugate(place.axes);
    gti_hand_points(body, pose, track->side, room->points);
    GtiHandRange all = gti_hand_range(body, track->side, GT_HAND_PART_ANY, track->part);
    sample->clearance_m = gti_skin_clearance(part, &place, room->points, all.count, wrist);
    GtiHandRange range = gti_hand_range(body, track->side, sample->with, track->part);
    float clear = gti_skin_clearance(part, &place, room->points + range.first, range.count, wrist);
    GtVec3 sum = { 0.0f, 0.0f, 0.0f };
    float total = 0.0f, nearest = fmaxf(clear, -BLUR_M * d->size); // what is deeper counts the same
    for (int32_t i = range.first; i < range.first + range.count; ++i) {
        GtVec3 way = gt_vec3_sub(gt_vec3_add(wrist, room->points[i]), place.base);
        float beyond = gti_skin_place(part, gt_quat_rotate(part_from_model, way)).height_m - nearest;
        float weight = expf(-fmaxf(beyond, 0.0f) / (BLUR_M * d->size));
        sum = gt_vec3_add(sum, gt_vec3_scale(room->points[i], weight));
        total += weight;
    }
    GtVec3 contact = gt_vec3_scale(sum, 1.0f / total);
    GtVec3 way = gt_vec3_sub(gt_vec3_add(wrist, contact), place.base);
    sample->at = gti_skin_place(part, gt_quat_rotate(part_from_model, way));
    GtVec3 outwards = gt_quat_rotate(pose->turns[joint], gt_vec3(0.0f, 1.0f, 0.0f));
    way = gt_vec3_add(way, gt_vec3_scale(outwards, outwards_m(part, sample->at)));
    sample->at.around_rad = gti_skin_place(part, gt_quat_rotate(part_from_model, way)).around_rad;
    sample->contact = gt_quat_rotate(gt_quat_conjugate(pose->turns[joint]), contact);
}

static void sample_range(void* data, int32_t first, int32_t end)
{
    const Finder* d = data;
    const GtCharacterDef* def = d->source->actor->figure.def;
    for (int32_t piece = first; piece < end; ++piece) {
        Room* room = &d->rooms[piece];
        int32_t stop = (piece + 1) * PIECE < d->source->frame_count ? (piece + 1) * PIECE : d->source->frame_count;
        memcpy(room->pose, def->rest, (size_t)def->node_count * sizeof *room->pose);
        for (int32_t f = piece * PIECE; f < stop; ++f) {
            GtiBodyPose pose;
            bool is_posed = false;
            for (int32_t t = 0; t < d->out->track_count; ++t) {
                const GtiTouchTrack* track = &d->out->tracks[t];
                if (!(track->samples[f].weight > 0.0f)) {
                    continue;
                }
                if (track->part == GT_TOUCHED_GROUND) {
                    size_t at = at_frame(d, track->side, track->part, f);
                    track->samples[f].contact = d->palms[at];
                    track->samples[f].clearance_m = d->clearances[at];
                    continue;
                }
                if (!is_posed) {
                    pose_source(d, room, f, &pose);
                    is_posed = true;
                }
                take_sample(d, track, &pose, room, &track->samples[f]);
            }
        }
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

static GtResult find_tracks(Finder* d)
{
    GtiTouches* out = d->out;
    for (int i = 0; i < GTI_SIDE_COUNT * GT_TOUCHED_COUNT; ++i) {
        GtiTouchTrack track = { .side = i / GT_TOUCHED_COUNT, .part = i % GT_TOUCHED_COUNT };
        GtResult result =
            is_candidate(&d->source->actor->body, track.side, track.part) ? list_touches(d, &track) : GT_OK;
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

static GtResult find(Finder* d)
{
    int32_t pieces = (d->source->frame_count + PIECE - 1) / PIECE;
    GtiTouches* out = d->out;
    out->frame_count = d->source->frame_count;
    out->times = d->source->times;
    out->tracks = gt_arena_push_array(d->arena, GTI_SIDE_COUNT * GT_TOUCHED_COUNT, sizeof *out->tracks);
    GtResult result = out->tracks ? open_rooms(d) : gti_out_of_memory(d->error);
    if (result == GT_OK) {
        gt_executor_run(&d->source->context->executor, pieces, 1, look_range, d);
        result = find_tracks(d);
    }
    if (result == GT_OK && out->track_count) {
        gt_executor_run(&d->source->context->executor, pieces, 1, sample_range, d);
    }
    for (int32_t t = 0; result == GT_OK && t < out->track_count; ++t) {
        const GtiTouchTrack* track = &out->tracks[t];
        bool is_limb = track->part >= GT_TOUCHED_LEFT_UPPER_ARM && track->part < GT_TOUCHED_GROUND;
        if (is_limb && track->part != GT_TOUCHED_RIGHT_HAND) {
            const GtiPart* part = &d->source->actor->body.parts[track->part];
            result = gti_touch_calm(out, track, part, &d->scratch, d->error);
        }
        if (result == GT_OK && d->source->wanted) {
            gti_touch_move(out, track, limits_of(track->part)->release_m * d->size);
        }
    }
    return result;
}

// Of what somebody wants to be touched, all in the sides that the body has.
static GtResult take_wanted(Finder* d)
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

static void warn_of_time(const Finder* d)
{
    const GtiTouchSource* s = d->source;
    if (d->wanted_count > 0 && d->out->track_count == 0) {
        gti_warn(s->context, NULL, NULL, "its hands touch nothing: all touches lie outside %.3f s to %.3f s",
                 (double)s->times[0], (double)s->times[s->frame_count - 1]);
    }
}

GtResult gti_touches_find(const GtiTouchSource* source, GtArena* arena, GtiTouches* out, GtError* error)
{
    *out = (GtiTouches){ 0 };
    Finder d = { .source = source,
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

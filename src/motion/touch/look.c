// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "motion/touch/look.h"

#include "motion/take/take.h"

#include <math.h>
#include <string.h>

enum {
    PIECE = 64 // frames
};

static const float BODY_SPAN_S = 0.25f; // before and after a moment, over which the speed of the body is taken
static const float WRIST_SHARE = 0.8f;  // of a forearm, from where on it counts as the hand
static const float FAR_M = 0.15f;       // parts this far off are not looked at
static const float BLUR_M = 0.01f;      // points this much farther off than the nearest count for 1/e of it

// What is seen of one frame.
typedef void (*Visit)(const GtiTouchFinder* finder, GtiTouchLookScratch* room, int32_t frame);

typedef struct Walk {
    const GtiTouchFinder* finder;
    Visit visit;
} Walk;

bool gti_touch_is_candidate(const GtiTouchBody* body, int side, int part)
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

static void pose_source(const GtiTouchFinder* d, GtiTouchLookScratch* room, int32_t frame, GtiBodyPose* pose)
{
    const GtiTouchActor* actor = d->source->actor;
    gt_clip_sample(actor->figure.clip, (double)d->source->times[frame], room->pose, NULL);
    gt_character_to_model(actor->figure.character, room->pose, room->model);
    gti_model_rotations(actor->figure.def, room->pose, room->rotations);
    gti_body_pose(&actor->body, room->model, room->rotations, pose);
}

static bool is_far(const GtiTouchPart* part, GtVec3 palm, float reach)
{
    float along = fminf(fmaxf(palm.y, 0.0f), part->length);
    return gt_vec3_length(gt_vec3_sub(palm, gt_vec3(0.0f, along, 0.0f))) > reach + part->extent;
}

static bool is_forearm(int part)
{
    return part == GT_TOUCHED_LEFT_FOREARM || part == GT_TOUCHED_RIGHT_FOREARM;
}

static void look_at(const GtiTouchFinder* d, const GtiBodyPose* pose, GtiTouchLookScratch* room, int32_t frame,
                    int side)
{
    const GtiTouchBody* body = &d->source->actor->body;
    const GtiTouchHand* hand = &body->hands[side];
    GtVec3 wrist = gti_wrist(pose, side);
    GtVec3 palm = gti_hand_palm(body, pose, side);
    gti_hand_points(body, pose, side, room->points);
    for (int p = 0; p < GT_TOUCHED_COUNT; ++p) {
        size_t at = gti_touch_at(d, side, p, frame);
        d->clearances[at] = INFINITY;
        if (!gti_touch_is_candidate(body, side, p)) {
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

static void look_at_frame(const GtiTouchFinder* d, GtiTouchLookScratch* room, int32_t frame)
{
    GtiBodyPose pose;
    pose_source(d, room, frame, &pose);
    float floor_m = d->source->actor->floor_m;
    GtVec3 hips = pose.places[GT_HUMANOID_HIPS];
    float feet = fminf(pose.places[GT_HUMANOID_LEFT_FOOT].y, pose.places[GT_HUMANOID_RIGHT_FOOT].y);
    d->stances[frame] = (GtiTouchStance){ .feet_m = feet - floor_m, .hips_m = hips.y - floor_m, .hips = hips };
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        look_at(d, &pose, room, frame, side);
    }
}

static void follow_body(const GtiTouchFinder* d)
{
    const float* times = d->source->times;
    int32_t last = d->source->frame_count - 1, before = 0, after = 0;
    for (int32_t f = 0; f <= last; ++f) {
        while (times[f] - times[before] > BODY_SPAN_S) {
            ++before;
        }
        while (after < last && times[after] - times[f] < BODY_SPAN_S) {
            ++after;
        }
        GtVec3 way = gt_vec3_sub(d->stances[after].hips, d->stances[before].hips);
        float span_s = times[after] - times[before];
        d->stances[f].body_mps = span_s > 0.0f ? hypotf(way.x, way.z) / span_s : 0.0f;
    }
}

// A hand of a capture that is deep inside of a part may be beyond its bone. Palms touch, so it is on the side that the
// back of the hand faces.
static float outwards_m(const GtiTouchPart* part, GtiSkinPlace at)
{
    float radius = gti_skin_radius(part, at), depth = -at.height_m / fmaxf(radius, 1e-6f); // 1 at the bone
    return 2.0f * radius * gti_smooth_step((double)((depth - 0.3f) / 0.5f));
}

// What carries over: the point of the hand that is nearest to the skin, and where on the part it is.
static void take_sample(const GtiTouchFinder* d, const GtiTouchTrack* track, const GtiBodyPose* pose,
                        GtiTouchLookScratch* room, GtiTouchSample* sample)
{
    const GtiTouchBody* body = &d->source->actor->body;
    const GtiTouchPart* part = &body->parts[track->part];
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

static void sample_frame(const GtiTouchFinder* d, GtiTouchLookScratch* room, int32_t frame)
{
    GtiBodyPose pose;
    bool is_posed = false;
    for (int32_t t = 0; t < d->out->track_count; ++t) {
        const GtiTouchTrack* track = &d->out->tracks[t];
        GtiTouchSample* sample = &track->samples[frame];
        if (!(sample->weight > 0.0f)) {
            continue;
        }
        if (track->part == GT_TOUCHED_GROUND) {
            size_t at = gti_touch_at(d, track->side, track->part, frame);
            sample->contact = d->palms[at];
            sample->clearance_m = d->clearances[at];
            continue;
        }
        if (!is_posed) {
            pose_source(d, room, frame, &pose);
            is_posed = true;
        }
        take_sample(d, track, &pose, room, sample);
    }
}

static void walk_range(void* data, int32_t first, int32_t end)
{
    const Walk* walk = data;
    const GtiTouchFinder* d = walk->finder;
    const GtCharacterDef* def = d->source->actor->figure.def;
    for (int32_t piece = first; piece < end; ++piece) {
        GtiTouchLookScratch* room = &d->rooms[piece];
        int32_t stop = (piece + 1) * PIECE < d->source->frame_count ? (piece + 1) * PIECE : d->source->frame_count;
        memcpy(room->pose, def->rest, (size_t)def->node_count * sizeof *room->pose);
        for (int32_t f = piece * PIECE; f < stop; ++f) {
            walk->visit(d, room, f);
        }
    }
}

static void walk_frames(const GtiTouchFinder* d, Visit visit)
{
    int32_t pieces = (d->source->frame_count + PIECE - 1) / PIECE;
    Walk walk = { d, visit };
    gt_executor_run(&d->source->context->executor, pieces, 1, walk_range, &walk);
}

static GtResult open_rooms(GtiTouchFinder* d)
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
    d->stances = gt_arena_push_array(&d->scratch, frames, sizeof *d->stances);
    d->states = gt_arena_push_array(&d->scratch, frames, sizeof *d->states);
    d->touching = gt_arena_push_array(&d->scratch, frames, sizeof *d->touching);
    d->rooms = gt_arena_push_array(&d->scratch, pieces, sizeof *d->rooms);
    bool ok = d->clearances && d->palms && d->stances && d->states && d->touching && d->rooms;
    for (size_t i = 0; ok && i < pieces; ++i) {
        GtiTouchLookScratch* room = &d->rooms[i];
        room->pose = gt_arena_push_array(&d->scratch, nodes, sizeof *room->pose);
        room->model = gt_arena_push_array(&d->scratch, nodes, sizeof *room->model);
        room->rotations = gt_arena_push_array(&d->scratch, nodes, sizeof *room->rotations);
        room->points = gt_arena_push_array(&d->scratch, (size_t)points, sizeof *room->points);
        ok = room->pose && room->model && room->rotations && room->points;
    }
    return ok ? GT_OK : gti_out_of_memory(d->error);
}

GtResult gti_touch_look(GtiTouchFinder* finder)
{
    GtResult result = open_rooms(finder);
    if (result == GT_OK) {
        walk_frames(finder, look_at_frame);
        follow_body(finder);
    }
    return result;
}

void gti_touch_sample(GtiTouchFinder* finder)
{
    walk_frames(finder, sample_frame);
}

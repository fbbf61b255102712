// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The clip is sampled once: markers turn, and the anchor follows its joint. Then it is found where feet and hands are
// in some frames; anchors and limbs are moved by what they miss, and so on for a few rounds. What is left then, handles
// hold as all frames are posed, once.

#include "harmonic/clip/clip.h"

#include "harmonic/clip/pose.h"
#include "harmonic/clip/strain.h"
#include "harmonic/clip/surface.h"
#include "harmonic/markers/markers.h"
#include "harmonic/markers/motion.h"

#include <math.h>
#include <string.h>
#include <time.h>

static const double most_rate_hz = 30.0;
static const float still_m = 0.004f;      // less is not worth another round; handles take it
static const double turned_rad = 2.7925;  // 160 degrees
static const double odd_rad = 0.61086524; // 35 degrees: no marker in its place is left by more
static const double key_hz = 8.0;         // of frames whose limbs are brought to their places; others go along
static const double far_off = 0.05;       // of the height, that hands and feet may be away from the skeleton's
static const size_t most_posed = (size_t)128 << 20; // bytes of frames that are kept as they were measured

enum {
    MOST_FRAMES = 1 << 20,
    STRAIN_FRAMES = 16, // that are measured, spread evenly
    LIMB_ROUNDS = 6,
    MOST_QUICK = 50000 // vertices of meshes for which finding the best order takes longer than it saves
};

typedef struct Maker {
    const GtContext* context;
    GtFigure* figure;
    const GtMarkers* markers;
    const GtHarmonicClipDef* def;
    GtArena scratch;
    GtiMarkedBody body;
    GtiClipLimbs limbs;
    GtiClipStrain strain;
    GtHarmonicClip* clip;
    GtQuat* rotations; // of the clip, while they may be written
    float* twists;
    GtHarmonicHold* holds;
    GtVec3* anchors;
    GtVec3* shifts;                     // [frame_count] of the anchors, in all
    GtVec3 (*turns)[GTI_LIMB_COUNT][2]; // [frame_count] of the bones of limbs, in all
    int32_t* frames;                    // [frame_count] to be posed, in order
    GtVec3* posed;                      // [frame_count * point_count] or NULL
    int32_t* marker_joints;             // [marker_count] GtHumanoidJoint or GT_NONE
    double* times_s;                    // [frame_count]
    GtContacts* contacts;
    GtHarmonicClipReport report;
    bool wants_report;
    GtError* error;
} Maker;

GtHarmonicClipDef gt_default_harmonic_clip_def(void)
{
    return (GtHarmonicClipDef){ .hold_feet = true, .hold_hands = true, .squeeze = gt_default_harmonic_def().squeeze };
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static GtResult open_body(Maker* k)
{
    if (!k->figure->clip) {
        return gti_fail(k->error, GT_ERROR_NOT_FOUND, "there is no clip to follow");
    }
    if (!(k->def->rate_hz >= 0.0 && k->def->rate_hz <= 1e5)) {
        return gti_fail(k->error, GT_ERROR_BAD_VALUE, "a rate of %g Hz is out of range; give 0 to 100000",
                        k->def->rate_hz);
    }
    GtResult result = gti_marked_body_open(k->context, k->figure, k->markers, &k->scratch, &k->body, k->error);
    return result == GT_OK ? gti_harmonic_clip_take_points(k->body.shell, k->figure->animation, k->clip, k->error)
                           : result;
}

GtResult gti_harmonic_clip_take_points(const GtiShell* shell, int32_t animation, GtHarmonicClip* clip, GtError* error)
{
    int32_t* points = gt_arena_push_array(&clip->arena, (size_t)shell->vertex_count, sizeof *points);
    if (!points) {
        return gti_out_of_memory(error);
    }
    memcpy(points, shell->points, (size_t)shell->vertex_count * sizeof *points);
    clip->animation = animation;
    clip->vertex_count = shell->vertex_count;
    clip->points = points;
    return GT_OK;
}

static GtResult factor(Maker* k)
{
    double start_s = now_s();
    GtResult result =
        gti_marked_body_factor(k->context, &k->body, k->def->squeeze, k->body.shell->point_count <= MOST_QUICK,
                               &k->clip->harmonic, &k->report.surface, k->error);
    k->report.prepare_s = now_s() - start_s;
    k->report.marker_count = k->clip->marker_count = k->markers->count;
    k->clip->handle_count = k->body.parts.handle_count;
    k->clip->squeeze = k->def->squeeze;
    return result;
}

GtResult gti_harmonic_clip_time(const GtFigure* figure, double rate_hz, GtHarmonicClip* out, GtError* error)
{
    double length_s = fmax(figure->end_s - figure->start_s, 0.0);
    double wanted_hz = rate_hz > 0.0 ? rate_hz : fmin(figure->key_rate_hz, most_rate_hz);
    double steps = round(length_s * wanted_hz);
    if (!(steps < MOST_FRAMES)) {
        return gti_fail(error, GT_ERROR_LIMIT, "the clip has %g frames; the limit is %d", steps, MOST_FRAMES);
    }
    steps = length_s > 0.0 && wanted_hz > 0.0 ? fmax(steps, 1.0) : 0.0;
    out->frame_count = (int32_t)steps + 1;
    out->start_s = figure->start_s;
    out->rate_hz = steps > 0.0 ? steps / length_s : 0.0;
    return GT_OK;
}

static GtResult time_frames(Maker* k)
{
    GtHarmonicClip* clip = k->clip;
    GtResult result = gti_harmonic_clip_time(k->figure, k->def->rate_hz, clip, k->error);
    if (result != GT_OK) {
        return result;
    }
    size_t count = (size_t)clip->frame_count;
    k->times_s = gt_arena_push_array(&k->scratch, count, sizeof *k->times_s);
    k->anchors = gt_arena_push_array(&clip->arena, count, sizeof *k->anchors);
    k->rotations = gt_arena_push_array(&clip->arena, count * (size_t)clip->marker_count, sizeof *k->rotations);
    k->twists = gt_arena_push_array(&clip->arena, count * (size_t)clip->marker_count, sizeof *k->twists);
    k->holds = gt_arena_push_array(&clip->arena, count * (size_t)clip->handle_count, sizeof *k->holds);
    k->shifts = gt_arena_push_array(&k->scratch, count, sizeof *k->shifts);
    k->turns = gt_arena_push_array(&k->scratch, count, sizeof *k->turns);
    k->frames = gt_arena_push_array(&k->scratch, count, sizeof *k->frames);
    clip->anchors = k->anchors;
    clip->rotations = k->rotations;
    clip->twists = k->twists;
    clip->holds = k->holds;
    if (!k->times_s || !k->anchors || !k->shifts || !k->turns || !k->frames || !k->rotations || !k->twists ||
        !k->holds) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t f = 0; f < clip->frame_count; ++f) {
        k->times_s[f] = clip->start_s + (f > 0 ? (double)f / clip->rate_hz : 0.0);
    }
    k->report.frame_count = clip->frame_count;
    return GT_OK;
}

static GtResult open_limbs(Maker* k)
{
    const GtContacts* contacts = k->def->contacts;
    if (k->def->hold_feet && !contacts && k->body.shell->figure->is_humanoid) {
        GtContactsDef def = gt_default_contacts_def();
        GtResult result = gt_contacts_find(k->context, k->figure, &def, &k->contacts, k->error);
        if (result != GT_OK) {
            return result;
        }
        contacts = k->contacts;
    }
    return gti_clip_limbs_open(k->body.shell, &k->body.parts, k->def->hold_feet ? contacts : NULL, k->def->hold_hands,
                               k->times_s, k->clip->frame_count, &k->scratch, &k->limbs, k->error);
}

static void note_turn(Maker* k, const GtiMarkerMotion* motion, int32_t frame)
{
    const int32_t* sources = k->body.shell->figure->def->source_nodes;
    k->report.turned_frame_count += motion->turn_rad > turned_rad;
    if (motion->turn_rad > k->report.turn_rad && motion->turn_bone != GT_NONE) {
        int32_t node = k->body.bones.bones[motion->turn_bone].node;
        k->report.turn_rad = motion->turn_rad;
        k->report.turn_node = sources ? sources[node] : node;
        k->report.turn_time_s = k->times_s[frame];
    }
}

static GtResult check_turns(Maker* k)
{
    const GtHandKeys* keys = k->def->keys;
    for (int32_t i = 0; keys && i < keys->turn_count; ++i) {
        int32_t marker = keys->turns[i].marker;
        if (marker != GT_NONE && (marker < 0 || marker >= k->clip->marker_count)) {
            gti_fail(k->error, GT_ERROR_NOT_FOUND, "rotations[%d].marker: there is no marker %d; the last one is %d",
                     (int)i, (int)marker, (int)k->clip->marker_count - 1);
            gti_error_set_file(k->error, keys->file);
            return GT_ERROR_NOT_FOUND;
        }
    }
    return GT_OK;
}

// Add what is keyed by hand. The shorter way round is that on the side of the markers around.
static void turn_by_hand(const Maker* k, double time_s, GtQuat* rotations)
{
    const GtHandKeys* keys = k->def->keys;
    for (int32_t i = 0; keys && i < keys->turn_count; ++i) {
        const GtHandTurn* turn = &keys->turns[i];
        if (turn->marker != GT_NONE) {
            float q[4];
            gt_curve_eval(turn->curve, time_s, q);
            float side = q[3] < 0.0f ? -1.0f : 1.0f;
            GtQuat by = gt_quat(side * q[0], side * q[1], side * q[2], side * q[3]);
            GtQuat* rotation = &rotations[turn->marker];
            *rotation = turn->axes == GT_HAND_AXES_MODEL ? gt_quat_mul(by, *rotation) : gt_quat_mul(*rotation, by);
        }
    }
}

static GtResult sample(Maker* k)
{
    GtiMarkerMotion motion;
    const GtFigure* figure = k->figure;
    GtResult result =
        gti_marker_motion_open(k->body.shell, &k->body.bones, k->body.axes, k->markers, &k->scratch, &motion, k->error);
    if (result != GT_OK) {
        return result;
    }
    int32_t node = motion.skin.anchor_node;
    GtMat34 unbind = gt_mat34_inverse(&k->body.shell->bind[node], NULL);
    GtVec3 in_node = gt_mat34_point(&unbind, gt_harmonic_anchor(k->clip->harmonic));
    for (int32_t f = 0; f < k->clip->frame_count; ++f) {
        gt_figure_pose(figure, k->times_s[f], figure->instance);
        size_t first = (size_t)f * (size_t)k->clip->marker_count;
        gti_marker_motion_step(&motion, k->rotations + first, k->twists + first);
        turn_by_hand(k, k->times_s[f], k->rotations + first);
        k->anchors[f] = gt_mat34_point(&figure->instance->model_from_node[node], in_node);
        note_turn(k, &motion, f);
        gti_clip_limbs_want(k->body.shell, &k->limbs, f);
    }
    return GT_OK;
}

// List each `step`-th frame and the last one; their number is returned.
static int32_t list_frames(Maker* k, int32_t step)
{
    int32_t count = 0;
    for (int32_t f = 0; f < k->clip->frame_count; ++f) {
        if (f % step == 0 || f == k->clip->frame_count - 1) {
            k->frames[count++] = f;
        }
    }
    return count;
}

// See what the limbs of the first frames of the list miss.
static GtResult place_frames(Maker* k, GtiPoser* poser, int32_t frame_count)
{
    GtResult result = GT_OK;
    for (int32_t first = 0, count = 0; first < frame_count && result == GT_OK; first += count) {
        count = gti_poser_place(poser, k->frames + first, frame_count - first);
        for (int32_t i = 0; i < count; ++i) {
            gti_clip_limbs_miss_by(&k->limbs, &k->body.parts, k->frames[first + i],
                                   poser->places + (size_t)i * (size_t)k->clip->handle_count);
        }
        result = gti_progress(k->context, k->error, "placing limbs", (double)first / (double)frame_count);
    }
    return result;
}

// Pose all frames, and measure them.
static GtResult pose_frames(Maker* k, GtiPoser* poser)
{
    int32_t frame_count = list_frames(k, 1);
    int32_t step = frame_count / STRAIN_FRAMES + 1;
    GtResult result = GT_OK;
    for (int32_t first = 0, count = 0; first < frame_count && result == GT_OK; first += count) {
        double start_s = now_s();
        count = gti_poser_pose(poser, k->frames + first, frame_count - first);
        k->report.pose_s += now_s() - start_s;
        for (int32_t i = 0; i < count; ++i) {
            int32_t f = k->frames[first + i];
            gti_clip_limbs_miss(k->body.shell, &k->limbs, f, poser->frames[i].positions);
            if (f % step == 0) {
                gti_clip_strain_add(&k->strain, poser->frames[i].positions, poser->frames[i].rotations, k->times_s[f]);
            }
        }
        result = gti_progress(k->context, k->error, "posing", (double)first / (double)frame_count);
    }
    return result;
}

static void turn_markers(Maker* k, int32_t frame, GtHumanoidJoint joint, GtVec3 turn)
{
    GtQuat by = gti_turn(turn);
    GtQuat* rotations = k->rotations + (size_t)frame * (size_t)k->clip->marker_count;
    for (int32_t i = 0; i < k->clip->marker_count; ++i) {
        if (k->marker_joints[i] == (int32_t)joint) {
            rotations[i] = gt_quat_mul(by, rotations[i]);
        }
    }
}

// Returns how far it moved anything at most, or nearly so.
static float move_limbs(Maker* k, int32_t frame)
{
    GtVec3 shift = gti_clip_limbs_shift(&k->limbs, frame);
    float farthest = gt_vec3_length(shift);
    k->anchors[frame] = gt_vec3_add(k->anchors[frame], shift);
    k->shifts[frame] = gt_vec3_add(k->shifts[frame], shift);
    k->report.shift_max_m = fmax(k->report.shift_max_m, (double)gt_vec3_length(k->shifts[frame]));
    for (int i = 0; i < GTI_LIMB_COUNT; ++i) {
        GtVec3 turns[2];
        if (gti_clip_limbs_bend(&k->limbs, frame, i, shift, turns)) {
            float turn = fmaxf(gt_vec3_length(turns[0]), gt_vec3_length(turns[1]));
            farthest = fmaxf(farthest, turn * k->limbs.limbs[i].reaches_m[frame]);
            for (int bone = 0; bone < 2; ++bone) {
                turn_markers(k, frame, k->limbs.limbs[i].joints[bone], turns[bone]);
                k->turns[frame][i][bone] = gt_vec3_add(k->turns[frame][i][bone], turns[bone]);
            }
        }
    }
    return farthest;
}

// Move a frame as frames before and after it were moved.
static void go_along(Maker* k, int32_t frame, int32_t before, int32_t after)
{
    float share = (float)(frame - before) / (float)(after - before);
    k->shifts[frame] = gt_vec3_lerp(k->shifts[before], k->shifts[after], share);
    k->anchors[frame] = gt_vec3_add(k->anchors[frame], k->shifts[frame]);
    for (int i = 0; i < GTI_LIMB_COUNT; ++i) {
        for (int bone = 0; bone < 2; ++bone) {
            GtVec3 turn = gt_vec3_lerp(k->turns[before][i][bone], k->turns[after][i][bone], share);
            turn_markers(k, frame, k->limbs.limbs[i].joints[bone], turn);
        }
    }
}

// One round over the first frames of the list; those that it still moved stay in it, and their number is returned.
static int32_t move_frames(Maker* k, int32_t frame_count)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < frame_count; ++i) {
        int32_t frame = k->frames[i];
        if (move_limbs(k, frame) > still_m) {
            k->frames[kept++] = frame;
        }
    }
    return kept;
}

// The largest and the mean miss of two limbs while they are held.
static void sum_misses(const Maker* k, int first, double* largest, double* mean, double* time_s)
{
    double sum = 0.0;
    double all = 0.0;
    *largest = 0.0;
    for (int32_t f = 0; f < k->clip->frame_count; ++f) {
        for (int i = first; i < first + GTI_SIDE_COUNT; ++i) {
            const GtiClipLimb* limb = &k->limbs.limbs[i];
            double miss = (double)gt_vec3_length(limb->misses[f]);
            double holds = limb->vertex_count > 0 ? (double)limb->holds[f] : 0.0;
            sum += holds * miss;
            all += holds;
            if (holds >= 1.0 && miss > *largest) {
                *largest = miss;
                *time_s = k->times_s[f];
            }
        }
    }
    *mean = all > 0.0 ? sum / all : 0.0;
}

static GtResult find_marker_joints(Maker* k)
{
    k->marker_joints = gt_arena_push_array(&k->scratch, (size_t)k->clip->marker_count, sizeof *k->marker_joints);
    if (!k->marker_joints) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t i = 0; i < k->clip->marker_count; ++i) {
        int32_t node = gt_character_node_from_source(k->body.shell->figure->character, k->markers->markers[i].node);
        k->marker_joints[i] = k->body.bones.bones[k->body.bones.of_nodes[node]].joint;
    }
    return GT_OK;
}

// Hold parts [first, end) in a frame.
static void hold_parts(Maker* k, int32_t frame, int first, int end)
{
    for (int part = first; part < end; ++part) {
        if (k->body.parts.handles[part] != GT_NONE) {
            k->holds[frame * k->clip->handle_count + k->body.parts.handles[part]] =
                gti_clip_limbs_hold(&k->limbs, frame, part);
        }
    }
}

// Turns have done what they can for limbs: what is left is pulled.
static void hold_rest(void* user, int32_t frame, const GtVec3* places)
{
    Maker* k = user;
    gti_clip_limbs_miss_by(&k->limbs, &k->body.parts, frame, places);
    hold_parts(k, frame, 0, GTI_LIMB_COUNT);
}

static int32_t key_step(const GtHarmonicClip* clip)
{
    double step = floor(clip->rate_hz / key_hz);
    return step < 1.0 ? 1 : step < clip->frame_count ? (int32_t)step : clip->frame_count;
}

// Room for all frames as they are measured, unless they are too large.
static bool keep_poses(Maker* k)
{
    size_t count = (size_t)k->clip->frame_count * (size_t)k->body.shell->point_count;
    if (count > most_posed / sizeof *k->posed) {
        return true;
    }
    k->posed = gt_arena_push(&k->clip->arena, count * sizeof *k->posed);
    k->clip->posed = k->posed;
    return k->posed != NULL;
}

static GtResult open_poser(Maker* k, GtiPoser* poser)
{
    bool ok = (!k->wants_report || keep_poses(k)) &&
              gti_poser_open(k->context, k->clip, k->clip->frame_count, k->posed, &k->scratch, poser) &&
              gti_clip_strain_open(k->body.shell, k->clip->harmonic, k->markers, &k->scratch, &k->strain);
    return ok ? find_marker_joints(k) : gti_out_of_memory(k->error);
}

// Bring limbs to their places in some frames, by turns; others go along.
static GtResult turn_limbs(Maker* k, GtiPoser* poser)
{
    GtResult result = GT_OK;
    int32_t step = key_step(k->clip);
    int32_t count = list_frames(k, step);
    for (int round = 0; round < LIMB_ROUNDS && count > 0 && result == GT_OK; ++round) {
        result = place_frames(k, poser, count);
        count = move_frames(k, count);
    }
    for (int32_t f = 0; f < k->clip->frame_count; ++f) {
        int32_t before = f - f % step;
        int32_t after = before + step < k->clip->frame_count ? before + step : k->clip->frame_count - 1;
        if (f != before && f != after) {
            go_along(k, f, before, after);
        }
    }
    return result;
}

// Hands and feet far from those of the skeleton mean that the surface does not lead there, as in a figure of pieces.
static void warn_of_misses(const Maker* k)
{
    const GtHarmonicClipReport* report = &k->report;
    bool is_hand = report->hand_error_max_m > report->foot_error_max_m;
    double miss_m = is_hand ? report->hand_error_max_m : report->foot_error_max_m;
    double height_m = k->body.shell->figure->height_m;
    if (miss_m > far_off * height_m) {
        gti_warn(k->context, k->body.shell->figure->scene->source.file, NULL,
                 "%s are up to %.0f %% of the height from where the skeleton has them, at %.2f s; skinning keeps "
                 "them there",
                 is_hand ? "hands" : "feet", 100.0 * miss_m / height_m,
                 is_hand ? report->hand_time_s : report->foot_time_s);
    }
}

static GtResult hold_limbs(Maker* k)
{
    bool has_limbs = false;
    for (int i = 0; i < GTI_LIMB_COUNT; ++i) {
        has_limbs = has_limbs || k->limbs.limbs[i].vertex_count > 0;
    }
    GtiPoser poser;
    GtResult result = open_poser(k, &poser);
    for (int32_t f = 0; f < k->clip->frame_count; ++f) {
        hold_parts(k, f, GTI_LIMB_COUNT, GTI_PART_COUNT);
    }
    if (result == GT_OK && has_limbs) {
        result = turn_limbs(k, &poser);
    }
    if (result == GT_OK && k->wants_report) {
        poser.choose = has_limbs ? hold_rest : NULL;
        poser.user = k;
        result = pose_frames(k, &poser);
        sum_misses(k, GTI_LEFT_LEG, &k->report.foot_error_max_m, &k->report.foot_error_mean_m, &k->report.foot_time_s);
        sum_misses(k, GTI_LEFT_ARM, &k->report.hand_error_max_m, &k->report.hand_error_mean_m, &k->report.hand_time_s);
        warn_of_misses(k);
    } else if (result == GT_OK && has_limbs) {
        result = place_frames(k, &poser, list_frames(k, 1));
        for (int32_t f = 0; f < k->clip->frame_count; ++f) {
            hold_parts(k, f, 0, GTI_LIMB_COUNT);
        }
    }
    return result;
}

static void sum_strain(Maker* k)
{
    GtHarmonicClipReport* report = &k->report;
    double sum = 0.0;
    int32_t count = 0;
    report->residual_marker = GT_NONE;
    report->stretch_max = k->strain.stretch_max;
    report->stretch_min = k->strain.stretch_min;
    report->stretch_time_s = k->strain.stretch_time_s;
    for (int32_t i = 0; i < k->strain.marker_count; ++i) {
        if (k->strain.areas[i] > 0.0) {
            double residual = k->strain.residuals[i] / k->strain.areas[i];
            sum += residual;
            ++count;
            report->odd_count += residual > odd_rad;
            if (residual > report->residual_max_rad) {
                report->residual_max_rad = residual;
                report->residual_marker = i;
            }
        }
    }
    report->residual_rad = count > 0 ? sum / (double)count : 0.0;
}

static GtResult make(Maker* k)
{
    GtResult (*const steps[])(Maker*) = { open_body, factor, check_turns, time_frames, open_limbs, sample, hold_limbs };
    GtResult result = GT_OK;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == GT_OK; ++i) {
        result = steps[i](k);
    }
    if (result == GT_OK) {
        sum_strain(k);
    }
    return result;
}

// Make a clip by the steps of `make`.
static GtResult make_clip(const GtContext* context, GtFigure* figure, const GtMarkers* markers,
                          const GtHarmonicClipDef* def, GtResult (*maker)(Maker*), GtHarmonicClip** out,
                          GtHarmonicClipReport* report, GtError* error)
{
    *out = NULL;
    GtHarmonicClip* clip = context->allocator.allocate(context->allocator.user, sizeof *clip);
    if (!clip) {
        return gti_out_of_memory(error);
    }
    *clip = (GtHarmonicClip){ .arena = gt_arena_create(context->allocator) };
    Maker k = { .context = context,
                .figure = figure,
                .markers = markers,
                .def = def,
                .scratch = gt_arena_create(context->allocator),
                .clip = clip,
                .report = { .turn_node = GT_NONE, .residual_marker = GT_NONE },
                .wants_report = report != NULL,
                .error = error };
    GtResult result = maker(&k);
    gt_contacts_destroy(k.contacts);
    gt_arena_destroy(&k.scratch);
    if (result != GT_OK) {
        gti_error_set_file(error, figure->scene->source.file);
        gt_harmonic_clip_destroy(clip);
        return result;
    }
    if (report) {
        *report = k.report;
    }
    *out = clip;
    return GT_OK;
}

GtResult gt_harmonic_clip_create(const GtContext* context, GtFigure* figure, const GtMarkers* markers,
                                 const GtHarmonicClipDef* def, GtHarmonicClip** out, GtHarmonicClipReport* report,
                                 GtError* error)
{
    def = def ? def : (GtHarmonicClipDef[]){ gt_default_harmonic_clip_def() };
    return make_clip(context, figure, markers, def, make, out, report, error);
}

static GtResult make_still(Maker* k)
{
    GtResult result = open_body(k);
    return result == GT_OK ? factor(k) : result;
}

GtResult gti_harmonic_clip_still(const GtContext* context, GtFigure* figure, const GtMarkers* markers,
                                 const GtHarmonicClipDef* def, GtHarmonicClip** out, GtError* error)
{
    return make_clip(context, figure, markers, def, make_still, out, NULL, error);
}

void gt_harmonic_clip_destroy(GtHarmonicClip* clip)
{
    if (clip) {
        GtAllocator allocator = clip->arena.allocator;
        gt_harmonic_destroy(clip->harmonic);
        gt_arena_destroy(&clip->arena);
        allocator.release(allocator.user, clip);
    }
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A whole clip. Its frames are carried over, closed into a loop, and settled: feet are planted, the body is lifted out
// of the ground, hands are brought to what they touch, and limbs out of the body. That looks at many frames at a time,
// and takes several times the memory that a frame has in the result; so a long motion is settled in windows. Each is
// settled with some frames more at its ends, as far as feet that stand look around themselves, and goes over into the
// next where no foot stands for long; so what windows see of the frames that they share is the same, and where a foot
// does stand for very long, it comes within millimetres.

#include "motion/apart/apart.h"
#include "motion/lift/lift.h"
#include "motion/retarget/touch.h"
#include "motion/retarget/transfer.h"
#include "motion/take/key_times.h"
#include "motion/take/take.h"

#include "base/fail.h"
#include "build/baking.h"

#include <string.h>

static const GtiWindowSizes usual_sizes = { .most_whole = 32768, .core = 3072, .margin = 768, .overlap = 192 };

typedef struct Job {
    GtiTransfer t;
    GtiWindowSizes sizes;
    GtiPlanter* planter; // or NULL
    GtiLifter* lifter;   // or NULL
    bool touches;        // are kept
    bool collides;       // limbs are brought out of the body
    bool is_cut;         // into windows
    bool closes;         // into a cycle, which is continued where it is cut
    GtiCycle cycle;
    GtTransform* ends;            // [2 * node_count] the first and the last pose, as they are carried over
    GtTransform* pose;            // [node_count]
    GtiSeam* seams;               // [node_count]
    float* new_times_s;           // [frame_count]
    float* holds[GTI_SIDE_COUNT]; // [frame_count] how much hands are kept where they touch, or NULL
    GtiClipEvents events;
    GtPlantReport plant;
    GtTouchReport touch;
    GtLiftReport lift;
    GtCollideReport collide;
} Job;

static GtResult choose_times(GtiTransfer* t)
{
    const GtRetarget* r = t->r;
    const GtFigure* source = r->source.figure;
    bool all = r->def.keep_tpose;
    GtiKeyTimesDef def = { .scene = source->scene,
                           .animation = r->animation,
                           .start_s = all ? gt_clip_start_s(source->clip) : source->start_s,
                           .end_s = all ? gt_clip_end_s(source->clip) : source->end_s,
                           .step_s = r->def.frame_rate_hz > 0.0 ? r->def.speed / r->def.frame_rate_hz : 0.0 };
    if (!all) {
        gti_figure_note_cuts(t->context, source);
    }
    return gti_key_times(&def, &t->scratch, &t->times, &t->frame_count, t->error);
}

static uint8_t paths_of(const GtRetarget* r, int32_t node)
{
    uint8_t paths = r->links.of[node].from != GT_NONE ? GT_BAKE_ROTATION : 0;
    if (node == r->target_hips) {
        paths |= GT_BAKE_TRANSLATION;
    }
    if (node == r->root) {
        paths |= GT_BAKE_TRANSLATION | GT_BAKE_ROTATION;
    }
    for (int k = 0; k < r->held_count; ++k) {
        paths |= r->held[k].node == node ? GT_BAKE_ROTATION : 0;
    }
    for (int32_t k = 0; k < r->stretch_count; ++k) {
        paths |= r->stretches[k].target == node ? r->stretches[k].paths : 0;
    }
    for (int k = 0; r->holds_loose && k < r->target.loose_count; ++k) {
        paths |= r->target.loose[k].node == node ? GT_BAKE_TRANSLATION : 0;
    }
    return paths;
}

static GtResult choose_nodes(GtiTransfer* t)
{
    const GtCharacterDef* def = t->r->target.def;
    size_t count = (size_t)def->node_count;
    t->runtime = gt_arena_push_array(&t->scratch, count, sizeof *t->runtime);
    t->nodes = gt_arena_push_array(&t->scratch, count, sizeof *t->nodes);
    t->paths = gt_arena_push_array(&t->scratch, count, sizeof *t->paths);
    if (!t->runtime || !t->nodes || !t->paths) {
        return gti_out_of_memory(t->error);
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        uint8_t paths = paths_of(t->r, i);
        if (paths) {
            t->runtime[t->node_count] = i;
            t->paths[t->node_count] = paths;
            t->nodes[t->node_count++] = def->source_nodes[i];
        }
    }
    return GT_OK;
}

// Where the hips are, given their keys.
static GtMat34 model_from_hips_parent(const GtiTransfer* t)
{
    const GtRetarget* r = t->r;
    GtMat34 model = gt_mat34_identity();
    for (int32_t i = 0; i < r->target_path_count; ++i) {
        model = gt_mat34_mul(model, gt_mat34_from_transform(r->target.def->rest[r->target_path[i]]));
    }
    return model;
}

static GtTransform* pose_at(const GtiTransfer* t, int32_t i)
{
    return t->poses + (size_t)i * (size_t)t->node_count;
}

static GtiCarried carried_of(const Job* job, bool all)
{
    const GtiTransfer* t = &job->t;
    return (GtiCarried){ .frame_count = t->window.count,
                         .times = t->window_times,
                         .node_count = t->node_count,
                         .nodes = t->nodes,
                         .poses = t->poses,
                         .frames = all ? NULL : t->frames,
                         .before = t->window.before,
                         .after = t->window.after };
}

// The ground goes under a figure that has walked over it.
static void stay_on_the_spot(const GtiTransfer* t)
{
    GtMat34 model_from_parent = model_from_hips_parent(t);
    GtMat34 parent_from_model = gt_mat34_inverse(&model_from_parent, NULL);
    GtVec3 stand = t->r->target.aligned.places[t->r->target_hips];
    int32_t hips = 0;
    while (t->runtime[hips] != t->r->target_hips) {
        ++hips;
    }
    for (int32_t i = 0; i < t->window.count; ++i) {
        GtVec3* key = &pose_at(t, i)[hips].translation;
        GtVec3 place = gt_mat34_point(&model_from_parent, *key);
        *key = gt_mat34_point(&parent_from_model, gt_vec3(stand.x, place.y, stand.z));
    }
}

// What hands did not share with forearms before they were brought to what they touch.
static void share_twist(const GtiTransfer* t)
{
    for (int side = 0; side < 2; ++side) {
        const GtiForearm* forearm = &t->r->limits.forearms[side];
        int32_t lower = 0, hand = 0;
        if (forearm->hand == GT_NONE) {
            continue;
        }
        while (t->runtime[lower] != forearm->lower) {
            ++lower;
        }
        while (t->runtime[hand] != forearm->hand) {
            ++hand;
        }
        for (int32_t i = 0; i < t->window.count; ++i) {
            gti_limits_share_twist(forearm, &pose_at(t, i)[lower], &pose_at(t, i)[hand]);
        }
    }
}

// Feet are planted, then the body is lifted out of the ground, then hands are brought to what they touch, then limbs
// out of the body, and what hands are below the ground then.
static GtResult settle(Job* job)
{
    GtiTransfer* t = &job->t;
    GtiCarried carried = carried_of(job, !job->is_cut);
    GtResult result = job->planter ? gti_planter_plant(job->planter, &carried, &job->plant) : GT_OK;
    if (result == GT_OK && job->lifter) {
        result = gti_lifter_lift_body(job->lifter, &carried, &job->lift);
    }
    if (result == GT_OK && job->touches) {
        result = gti_retarget_touch(t->context, t->r, &carried, &job->events, job->holds, &job->touch, t->error);
    }
    if (result == GT_OK && job->touches) {
        share_twist(t);
    }
    if (result == GT_OK && job->collides) {
        const uint8_t* contacts = job->planter ? gti_planter_contacts(job->planter) : NULL;
        GtiApart apart = { t->context, t->r, &carried, contacts, { job->holds[0], job->holds[1] } };
        result = gti_limbs_part(&apart, &job->collide, t->error);
    }
    if (result == GT_OK && job->lifter) {
        result = gti_lifter_lift_hands(job->lifter, job->touches, &job->lift);
    }
    bool on_the_spot = t->r->def.root_motion == GT_ROOT_MOTION_NONE && (job->planter || job->touches);
    if (result == GT_OK && on_the_spot) {
        stay_on_the_spot(t);
    }
    return result;
}

// Poses of a window, without the seam of a loop, and of the cycle that they are of.
static GtResult carry(Job* job, const GtiWindow* window)
{
    GtiTransfer* t = &job->t;
    GtResult result = gti_transfer_carry(t, window);
    if (result != GT_OK) {
        return result;
    }
    if (t->r->def.loop && !job->is_cut) {
        gti_transfer_find_seams(t, t->carrier.def.root_motion, pose_at(t, 0), pose_at(t, window->count - 1),
                                job->seams);
    }
    for (int32_t i = 0; i < window->count; ++i) {
        int32_t lap = 0;
        int32_t frame = gti_transfer_frame(t, window, i, &lap);
        if (t->r->def.loop) {
            gti_transfer_close(t, job->seams, t->times[frame], pose_at(t, i));
        }
        if (lap) {
            gti_cycle_travel(&job->cycle, lap, pose_at(t, i));
        }
    }
    return GT_OK;
}

// What windows of a motion have in common: its ends, and the ground it is on.
static GtResult look_around(Job* job)
{
    GtiTransfer* t = &job->t;
    size_t size = (size_t)t->node_count * sizeof *job->ends;
    GtiWindow ends = { .stride = t->frame_count - 1, .count = 2 };
    GtResult result = gti_transfer_carry(t, &ends);
    if (result != GT_OK) {
        return result;
    }
    memcpy(job->ends, t->poses, 2 * size);
    if (t->r->def.loop) {
        gti_transfer_find_seams(t, t->carrier.def.root_motion, job->ends, job->ends + t->node_count, job->seams);
        gti_transfer_close(t, job->seams, t->times[0], job->ends);
        gti_transfer_close(t, job->seams, t->times[t->frame_count - 1], job->ends + t->node_count);
    }
    if (!job->planter) {
        return GT_OK;
    }
    job->closes = gti_planter_find_cycle(job->planter, job->ends, &job->cycle);
    GtiWindow some = { .count = t->capacity < t->frame_count ? t->capacity : t->frame_count };
    some.stride = t->frame_count / some.count;
    result = carry(job, &some);
    GtiCarried carried = carried_of(job, false);
    return result == GT_OK ? gti_planter_look_around(job->planter, &carried) : result;
}

// Whether a foot stands from long before a frame to long after it.
static bool stands_long(const Job* job, int32_t frame)
{
    const uint8_t* bits = gti_planter_contacts(job->planter);
    for (unsigned mask = 3u; mask <= 3u << 2; mask <<= 2) {
        int32_t first = frame, last = frame;
        while (first > 0 && bits[first] & mask && frame - first < job->sizes.margin / 2) {
            --first;
        }
        while (last < job->t.frame_count - 1 && bits[last] & mask && last - frame < job->sizes.margin / 2) {
            ++last;
        }
        if (last - first >= job->sizes.margin / 2) {
            return true;
        }
    }
    return false;
}

// Where the core of a window ends that begins at a frame.
static int32_t choose_end(const Job* job, int32_t first)
{
    int32_t core = job->sizes.core;
    if (job->t.frame_count - first <= core + core / 2) {
        return job->t.frame_count;
    }
    int32_t end = first + core;
    while (job->planter && end > first + core / 2 && stands_long(job, end)) {
        --end;
    }
    return end > first + core / 2 ? end : first + core;
}

static GtiWindow window_around(const Job* job, int32_t first, int32_t end)
{
    int32_t margin = job->sizes.margin;
    int32_t behind = job->t.frame_count - end;
    GtiWindow window = { .stride = 1, .measures = true };
    window.before = first < margin && !job->closes ? first : margin;
    window.after = behind < margin && !job->closes ? behind : margin;
    window.first = first - window.before;
    window.count = end - first + window.before + window.after;
    return window;
}

static void blend_pose(const GtTransform* from, float share, int32_t count, GtTransform* to)
{
    for (int32_t n = 0; n < count; ++n) {
        to[n].translation = gt_vec3_lerp(from[n].translation, to[n].translation, share);
        to[n].rotation = gt_quat_slerp(from[n].rotation, to[n].rotation, share);
        to[n].scale = gt_vec3_lerp(from[n].scale, to[n].scale, share);
    }
}

// Frames of a window into the result. Around its start it goes over from the window before.
static void store(const Job* job, const GtiBaking* baking)
{
    const GtiTransfer* t = &job->t;
    const GtiWindow* w = &t->window;
    int32_t first = w->first + w->before;
    int32_t end = w->first + w->count - w->after;
    int32_t overlap = job->is_cut ? job->sizes.overlap : 0;
    int32_t from = first > overlap ? first - overlap : 0;
    int32_t to = t->frame_count - end > overlap ? end + overlap : t->frame_count;
    for (int32_t f = from; f < to; ++f) {
        GtTransform* pose = pose_at(t, f - w->first);
        if (first > 0 && f < first + overlap) {
            gti_baking_get(baking, f, job->pose);
            float share = gti_smooth_step((double)(f - from + 1) / (2.0 * overlap + 1.0));
            blend_pose(job->pose, share, t->node_count, pose);
        }
        gti_baking_put(baking, f, pose);
    }
}

static GtResult settle_windows(Job* job, const GtiBaking* baking)
{
    GtResult result = GT_OK;
    for (int32_t first = 0, end; first < job->t.frame_count && result == GT_OK; first = end) {
        end = job->is_cut ? choose_end(job, first) : job->t.frame_count;
        GtiWindow window = window_around(job, first, end);
        result = carry(job, &window);
        if (result == GT_OK) {
            result = settle(job);
        }
        if (result == GT_OK) {
            store(job, baking);
        }
    }
    return result;
}

// Settling may have opened the seam again.
static void close_result(const Job* job, const GtiBaking* baking)
{
    const GtiTransfer* t = &job->t;
    GtTransform* last = job->ends + t->node_count;
    for (int32_t n = 0; n < t->node_count; ++n) { // what is not keyed rests
        job->ends[n] = last[n] = job->pose[n] = t->r->target.def->rest[t->runtime[n]];
    }
    gti_baking_get(baking, 0, job->ends);
    gti_baking_get(baking, t->frame_count - 1, last);
    gti_transfer_find_seams(t, t->r->def.root_motion, job->ends, last, job->seams);
    for (int32_t f = 0; f < t->frame_count; ++f) {
        gti_baking_get(baking, f, job->pose);
        gti_transfer_close(t, job->seams, t->times[f], job->pose);
        gti_baking_put(baking, f, job->pose);
    }
}

static GtResult remember_map(const GtiTransfer* t, GtScene* scene)
{
    const GtRetarget* r = t->r;
    if (!r->target.is_humanoid) {
        return GT_OK;
    }
    GtHumanoidMap* map = gt_scene_push(scene, 1, sizeof *map);
    GtRetargetPose* pose = gt_scene_push(scene, 1, sizeof *pose);
    if (!map || !pose) {
        return gti_out_of_memory(t->error);
    }
    *map = r->target.figure->map;
    *pose = r->target.retarget_pose;
    scene->humanoid = map;
    scene->retarget_pose = pose;
    return GT_OK;
}

static GtResult choose_new_times(Job* job)
{
    const GtiTransfer* t = &job->t;
    float start_s = t->times[0];
    for (int32_t f = 0; f < t->frame_count; ++f) {
        job->new_times_s[f] = (float)((double)(t->times[f] - start_s) / t->r->def.speed);
        if (f > 0 && !(job->new_times_s[f] > job->new_times_s[f - 1])) {
            return gti_fail(t->error, GT_ERROR_LIMIT, "frames %d and %d get the same time; use a lower speed or rate",
                            (int)f - 1, (int)f);
        }
    }
    return GT_OK;
}

static GtResult write_clip(Job* job, GtScene* scene, int32_t* animation)
{
    const GtiTransfer* t = &job->t;
    const GtRetarget* r = t->r;
    GtBakeDef def = {
        .name = r->def.name ? r->def.name : r->source.scene->animations[r->animation].name,
        .frame_count = t->frame_count,
        .times_s = job->new_times_s,
        .node_count = t->node_count,
        .nodes = t->nodes,
        .paths = t->paths,
    };
    GtiBaking baking;
    GtResult result = gti_baking_begin(t->context, scene, &def, &baking, t->error);
    if (result == GT_OK) {
        result = settle_windows(job, &baking);
    }
    if (result == GT_OK) {
        result = remember_map(t, scene);
    }
    const char* extras = NULL;
    if (result == GT_OK) {
        result = gti_events_write(scene, &job->events, job->new_times_s, &extras, t->error);
    }
    if (result != GT_OK) {
        gti_baking_discard(&baking);
        return result;
    }
    if (r->def.loop) {
        close_result(job, &baking);
    }
    int32_t added = 0;
    result = gti_baking_finish(&baking, &added, t->error);
    if (animation) {
        *animation = added;
    }
    if (result == GT_OK) {
        scene->animations[added].extra.extras = extras;
    }
    return result;
}

static GtResult find_foot_events(Job* job)
{
    const GtiTransfer* t = &job->t;
    bool ok = !job->planter ||
              gti_events_add_feet(&job->events, gti_planter_contacts(job->planter), t->frame_count, t->r->def.loop);
    return ok ? GT_OK : gti_out_of_memory(t->error);
}

static GtResult make_room(Job* job)
{
    GtiTransfer* t = &job->t;
    const GtiWindowSizes* sizes = &job->sizes;
    size_t node_count = (size_t)t->node_count;
    int64_t most = (int64_t)sizes->core + sizes->core / 2 + 2 * (int64_t)sizes->margin;
    job->is_cut = t->frame_count > sizes->most_whole && t->frame_count > most && !job->touches;
    job->ends = gt_arena_push_array(&t->scratch, 2 * node_count, sizeof *job->ends);
    job->pose = gt_arena_push_array(&t->scratch, node_count, sizeof *job->pose);
    job->seams = gt_arena_push_array(&t->scratch, node_count, sizeof *job->seams);
    job->new_times_s = gt_arena_push_array(&t->scratch, (size_t)t->frame_count, sizeof *job->new_times_s);
    if (!job->ends || !job->pose || !job->seams || !job->new_times_s) {
        return gti_out_of_memory(t->error);
    }
    for (int side = 0; side < GTI_SIDE_COUNT && job->touches; ++side) {
        job->holds[side] = gt_arena_push_array(&t->scratch, (size_t)t->frame_count, sizeof *job->holds[side]);
        if (!job->holds[side]) {
            return gti_out_of_memory(t->error);
        }
    }
    return gti_transfer_make_room(t, job->is_cut ? (int32_t)most : t->frame_count);
}

static GtResult open_planter(Job* job)
{
    const GtiTransfer* t = &job->t;
    GtiCarried motion = {
        .frame_count = t->frame_count, .times = t->times, .node_count = t->node_count, .nodes = t->nodes
    };
    GtResult result = gti_planter_open(t->context, t->r, &motion, &job->planter, t->error);
    return result == GT_OK && t->r->def.feet == GT_FEET_PLANT
               ? gti_lifter_open(t->context, t->r, job->planter, &job->lifter, t->error)
               : result;
}

static GtResult transfer(Job* job, bool plants, GtScene* scene, int32_t* animation)
{
    GtResult result = choose_times(&job->t);
    if (result == GT_OK) {
        result = choose_nodes(&job->t);
    }
    if (result == GT_OK) {
        result = make_room(job);
    }
    if (result == GT_OK) {
        result = choose_new_times(job);
    }
    if (result == GT_OK && plants) {
        result = open_planter(job);
    }
    if (result == GT_OK) {
        result = find_foot_events(job);
    }
    if (result == GT_OK && job->is_cut) {
        result = look_around(job);
    }
    return result == GT_OK ? write_clip(job, scene, animation) : result;
}

static void fill_report(const Job* job, GtRetargetReport* report)
{
    const GtiTransfer* t = &job->t;
    const GtRetarget* r = t->r;
    const GtiCarryMeasures* m = &t->measures;
    *report = (GtRetargetReport){
        .matched_joint_count = r->links.count,
        .unmatched_joint_count = r->unmatched_count,
        .twist_joint_count = r->links.twist_count,
        .frame_count = t->frame_count,
        .duration_s = (double)job->new_times_s[t->frame_count - 1],
        .path_scale = (double)r->path_scale,
        .height_scale = (double)r->height_scale,
        .source_rest_pose = r->source.rest_pose,
        .target_rest_pose = r->target.rest_pose,
        .mean_direction_error_rad = m->direction_count ? m->direction_sum_rad / (double)m->direction_count : 0.0,
        .max_direction_error_rad = m->max_direction_rad,
        .max_extra_turn_rad = m->max_extra_turn_rad,
        .plant = job->plant,
        .touch = job->touch,
        .posed_hand_count = r->posed_hand_count,
        .event_count = job->events.count,
        .lift = job->lift,
        .collide = job->collide,
    };
}

GtResult gti_retarget_clip(const GtContext* context, const GtRetarget* retarget, const GtiWindowSizes* sizes,
                           GtScene* scene, int32_t* animation, GtRetargetReport* report, GtError* error)
{
    if (!retarget->source.clip) {
        return gti_fail(error, GT_ERROR_NOT_FOUND,
                        "this GtRetarget was created without an animation and retargets poses only");
    }
    Job job = { .sizes = *sizes,
                .t = { .context = context,
                       .r = retarget,
                       .carrier = *retarget,
                       .error = error,
                       .scratch = gt_arena_create(context->allocator) } };
    if (job.touches) {
        gti_limits_free_wrists(&job.t.carrier.limits);
    }
    job.events.arena = &job.t.scratch;
    bool are_humanoids = retarget->source.is_humanoid && retarget->target.is_humanoid;
    bool plants = retarget->def.feet != GT_FEET_OFF && are_humanoids;
    bool are_wanted = retarget->def.contacts && retarget->def.contacts->has_touches;
    job.touches = (retarget->def.keep_contacts || are_wanted) && are_humanoids;
    job.collides = retarget->def.collide != GT_COLLIDE_OFF && are_humanoids;
    if ((plants || job.touches) && retarget->def.root_motion == GT_ROOT_MOTION_NONE) {
        job.t.carrier.def.root_motion = GT_ROOT_MOTION_HIPS;
    }
    GtResult result = transfer(&job, plants, scene, animation);
    if (result == GT_OK && report) {
        fill_report(&job, report);
    } else if (result != GT_OK) {
        gti_error_set_file(error, retarget->source.scene->source.file);
    }
    gti_lifter_close(job.lifter);
    gti_planter_close(job.planter);
    gt_arena_destroy(&job.t.scratch);
    return result;
}

GtResult gt_retarget_clip(const GtContext* context, const GtRetarget* retarget, GtScene* scene, int32_t* animation,
                          GtRetargetReport* report, GtError* error)
{
    return gti_retarget_clip(context, retarget, &usual_sizes, scene, animation, report, error);
}

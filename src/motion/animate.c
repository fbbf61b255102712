// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A character takes a motion whose joints it shares. Rotations are carried as turns in model space away from each
// figure's reference pose, W_t = W_s W_s0^-1 W_t0, so that joint axes may differ; the hips follow the source's path
// scaled by hip height. The reference pose is the rest pose, or the motion's leading T-pose where it has one.

#include "gertie/animate.h"

#include "gertie/accessor.h"
#include "gertie/bake.h"
#include "gertie/build.h"
#include "gertie/instance.h"

#include "base/fail.h"
#include "motion/pair.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_FRAMES = 1 << 20,
    FRAMES_A_REPORT = 256
};

// One of the two figures, with room for a frame.
typedef struct Figure {
    const GtScene* scene;
    GtCharacter* character;
    const GtCharacterDef* def;
    GtTransform* pose;        // [node_count]
    GtMat34* model_from_node; // [node_count]
    GtQuat* rotations;        // [node_count] in model space
    GtQuat* reference;        // [node_count] rotations of the reference pose
    int32_t hips;             // runtime node, or GT_NONE
    float hip_height;         // above the lowest joint under the hips, in the reference pose
} Figure;

typedef struct Transfer {
    const GtContext* context;
    const GtAnimateDef* def;
    GtError* error;
    GtArena scratch;
    Figure source;
    Figure target;
    GtClip* clip;
    int32_t* source_of; // [target nodes] runtime node of the source, or GT_NONE
    int32_t* nodes;     // [node_count] nodes of the target scene that get keys
    uint8_t* paths;     // likewise
    int32_t* runtime;   // likewise, as runtime nodes
    int32_t node_count;
    float* times;
    int32_t frame_count;
    GtTransform* poses; // [frame_count * node_count]
    float floor;        // of the motion, when it is not at 0
    float scale;        // of the path
} Transfer;

static void accumulate_rotations(const Figure* f, GtQuat* out)
{
    for (int32_t i = 0; i < f->def->node_count; ++i) {
        GtQuat local = gt_quat_normalize(f->pose[i].rotation);
        int32_t parent = f->def->parents[i];
        out[i] = parent == GT_NONE ? local : gt_quat_mul(out[parent], local);
    }
}

static float hip_height(const Figure* f)
{
    if (f->hips == GT_NONE) {
        return 0.0f;
    }
    // Joints under the hips are those after it whose chain of parents meets it: one pass, parents first.
    float hips = f->model_from_node[f->hips].m[1][3];
    float lowest = hips;
    for (int32_t i = f->hips + 1; i < f->def->node_count; ++i) {
        int32_t parent = f->def->parents[i];
        if (parent < f->hips) {
            break; // depth first: the hips' own have ended
        }
        lowest = fminf(lowest, f->model_from_node[i].m[1][3]);
    }
    return hips - lowest;
}

static GtResult open_figure(Transfer* t, Figure* f, const GtScene* scene)
{
    GtBuildDef build = gt_default_build_def();
    build.joints_only = true;
    f->scene = scene;
    GtResult result = gt_character_build(t->context, scene, &build, &f->character, NULL, t->error);
    if (result != GT_OK) {
        return result;
    }
    f->def = gt_character_def(f->character);
    size_t count = (size_t)f->def->node_count;
    f->pose = gt_arena_push_array(&t->scratch, count, sizeof *f->pose);
    f->model_from_node = gt_arena_push_array(&t->scratch, count, sizeof *f->model_from_node);
    f->rotations = gt_arena_push_array(&t->scratch, count, sizeof *f->rotations);
    f->reference = gt_arena_push_array(&t->scratch, count, sizeof *f->reference);
    if (!f->pose || !f->model_from_node || !f->rotations || !f->reference) {
        return gti_out_of_memory(t->error);
    }
    if (count) {
        memcpy(f->pose, f->def->rest, count * sizeof *f->pose);
    }
    int32_t hips = gti_find_hips(scene);
    f->hips = hips == GT_NONE ? GT_NONE : gt_character_node_from_source(f->character, hips);
    return GT_OK;
}

static void take_reference(Figure* f)
{
    accumulate_rotations(f, f->reference);
    gt_character_to_model(f->character, f->pose, f->model_from_node);
    f->hip_height = hip_height(f);
}

// The topmost pair stands in for the hips where neither names nor maps tell them.
static void complete_hips(Transfer* t)
{
    if (t->source.hips != GT_NONE && t->target.hips != GT_NONE) {
        return;
    }
    t->source.hips = GT_NONE;
    t->target.hips = GT_NONE;
    for (int32_t i = 0; i < t->target.def->node_count; ++i) {
        if (t->source_of[i] != GT_NONE) {
            t->source.hips = t->source_of[i];
            t->target.hips = i;
            return;
        }
    }
}

// Moving joints without a partner: counted, and the first few named. Where no moving joint has one, nothing would move:
// two files that share only the name of a node above the joints ("Armature") are such.
static GtResult report_unmatched(Transfer* t, const int32_t* partner_of, GtAnimateReport* report)
{
    const GtScene* motion = t->source.scene;
    const GtAnimation* animation = &motion->animations[t->def->animation];
    bool* seen = gt_arena_push_array(&t->scratch, (size_t)motion->node_count, sizeof *seen);
    if (!seen) {
        return gti_out_of_memory(t->error);
    }
    char names[256] = "";
    int32_t moving_pairs = 0;
    for (int32_t c = 0; c < animation->channel_count; ++c) {
        int32_t node = animation->channels[c].node;
        if (node == GT_NONE || seen[node]) {
            continue;
        }
        seen[node] = true;
        if (partner_of[node] != GT_NONE) {
            ++moving_pairs;
            continue;
        }
        size_t length = strlen(names);
        if (report->unmatched_joint_count++ < 5 && length < sizeof names - 1) {
            snprintf(names + length, sizeof names - length, "%s'%.40s'", length ? ", " : "",
                     motion->nodes[node].name ? motion->nodes[node].name : "");
        }
    }
    if (moving_pairs == 0) {
        return gti_fail(t->error, GT_ERROR_NOT_FOUND,
                        "no moving joint of the motion (%s%s) has a namesake in the character; they must share joint "
                        "names or both have a humanoid map",
                        names[0] ? names : "there is none", report->unmatched_joint_count > 5 ? "..." : "");
    }
    if (report->unmatched_joint_count) {
        gti_warn(t->context, NULL, NULL, "%d moving joints of the motion have no partner and are left out: %s%s",
                 (int)report->unmatched_joint_count, names, report->unmatched_joint_count > 5 ? "..." : "");
    }
    return GT_OK;
}

static GtResult match_joints(Transfer* t, GtAnimateReport* report)
{
    const GtScene* motion = t->source.scene;
    int32_t* partner_of = gt_arena_push_array(&t->scratch, (size_t)motion->node_count, sizeof *partner_of);
    size_t target_count = (size_t)t->target.def->node_count;
    t->source_of = gt_arena_push_array(&t->scratch, target_count, sizeof *t->source_of);
    t->nodes = gt_arena_push_array(&t->scratch, target_count, sizeof *t->nodes);
    t->paths = gt_arena_push_array(&t->scratch, target_count, sizeof *t->paths);
    t->runtime = gt_arena_push_array(&t->scratch, target_count, sizeof *t->runtime);
    if (!partner_of || !t->source_of || !t->nodes || !t->paths || !t->runtime) {
        return gti_out_of_memory(t->error);
    }
    GtResult result =
        gti_pair_joints(t->context, t->target.scene, motion, partner_of, &report->matched_joint_count, t->error);
    if (result != GT_OK) {
        return result;
    }
    for (size_t i = 0; i < target_count; ++i) {
        t->source_of[i] = GT_NONE;
    }
    for (int32_t i = 0; i < motion->node_count; ++i) {
        if (partner_of[i] != GT_NONE) {
            t->source_of[gt_character_node_from_source(t->target.character, partner_of[i])] =
                gt_character_node_from_source(t->source.character, i);
        }
    }
    complete_hips(t);
    for (int32_t i = 0; i < t->target.def->node_count; ++i) {
        if (t->source_of[i] != GT_NONE) {
            t->runtime[t->node_count] = i;
            t->paths[t->node_count] = GT_BAKE_ROTATION | (i == t->target.hips ? GT_BAKE_TRANSLATION : 0);
            t->nodes[t->node_count++] = t->target.def->source_nodes[i];
        }
    }
    return report_unmatched(t, partner_of, report);
}

// Keys at even times, or at those of the sampler that has the most.
static GtResult choose_times(Transfer* t, float from_s)
{
    const GtScene* motion = t->source.scene;
    const GtAnimation* animation = &motion->animations[t->def->animation];
    double end_s = gt_clip_end_s(t->clip);
    uint64_t count = 0;
    int32_t input = GT_NONE;
    if (t->def->frame_rate_hz > 0.0) {
        double frames = floor((end_s - (double)from_s) * t->def->frame_rate_hz + 1e-6) + 1.0;
        count = frames > MAX_FRAMES ? (uint64_t)MAX_FRAMES + 1 : (uint64_t)frames;
    } else {
        for (int32_t s = 0; s < animation->sampler_count; ++s) {
            uint64_t keys = motion->accessors[animation->samplers[s].input].count;
            if (keys > count) {
                count = keys;
                input = animation->samplers[s].input;
            }
        }
    }
    if (count > MAX_FRAMES) {
        return gti_fail(t->error, GT_ERROR_LIMIT, "the clip would have more than %d frames; ask for a lower rate",
                        (int)MAX_FRAMES);
    }
    t->times = gt_arena_push_array(&t->scratch, (size_t)count + 1, sizeof *t->times);
    if (!t->times) {
        return gti_out_of_memory(t->error);
    }
    if (input == GT_NONE) {
        for (uint64_t i = 0; i < count; ++i) {
            t->times[t->frame_count++] = (float)((double)from_s + (double)i / t->def->frame_rate_hz);
        }
        return GT_OK;
    }
    gt_accessor_read_floats(motion, input, 0, count, t->times);
    for (uint64_t i = 0; i < count; ++i) { // in place: drop what is before the start, and times that repeat
        if (t->times[i] >= from_s && (t->frame_count == 0 || t->times[i] > t->times[t->frame_count - 1])) {
            t->times[t->frame_count++] = t->times[i];
        }
    }
    return GT_OK;
}

static void sample_source(Transfer* t, double time_s)
{
    Figure* s = &t->source;
    gt_clip_sample(t->clip, time_s, s->pose, NULL);
    accumulate_rotations(s, s->rotations);
    gt_character_to_model(s->character, s->pose, s->model_from_node);
}

static void turn_target(Transfer* t)
{
    Figure* f = &t->target;
    for (int32_t i = 0; i < f->def->node_count; ++i) {
        int32_t source = t->source_of[i];
        int32_t parent = f->def->parents[i];
        GtQuat model_from_parent = parent == GT_NONE ? gt_quat_identity() : f->rotations[parent];
        if (source == GT_NONE) {
            f->rotations[i] = gt_quat_mul(model_from_parent, gt_quat_normalize(f->pose[i].rotation));
            continue;
        }
        GtQuat moved = gt_quat_mul(t->source.rotations[source], gt_quat_conjugate(t->source.reference[source]));
        f->rotations[i] = gt_quat_normalize(gt_quat_mul(moved, f->reference[i]));
        f->pose[i].rotation = gt_quat_normalize(gt_quat_mul(gt_quat_conjugate(model_from_parent), f->rotations[i]));
    }
}

static void move_hips(Transfer* t)
{
    Figure* f = &t->target;
    GtVec3 path = gt_mat34_translation(&t->source.model_from_node[t->source.hips]);
    path.y -= t->floor;
    GtVec3 position = gt_vec3_scale(path, t->scale);
    int32_t parent = f->def->parents[f->hips];
    if (parent != GT_NONE) {
        gt_character_to_model(f->character, f->pose, f->model_from_node);
        bool invertible = false;
        GtMat34 parent_from_model = gt_mat34_inverse(&f->model_from_node[parent], &invertible);
        if (!invertible) {
            return; // a parent of no size: the hips stay at rest
        }
        position = gt_mat34_point(&parent_from_model, position);
    }
    f->pose[f->hips].translation = position;
}

// The motion's floor is taken to be y = 0 unless its lowest joint is far from it.
static void find_floor(Transfer* t)
{
    enum {
        SAMPLES = 64
    };
    float lowest = INFINITY;
    for (int k = 0; k < SAMPLES; ++k) {
        sample_source(t, (double)t->times[(int64_t)k * (t->frame_count - 1) / (SAMPLES - 1)]);
        for (int32_t i = t->source.hips; i < t->source.def->node_count; ++i) {
            if (i > t->source.hips && t->source.def->parents[i] < t->source.hips) {
                break;
            }
            lowest = fminf(lowest, t->source.model_from_node[i].m[1][3]);
        }
    }
    if (fabsf(lowest) > 0.2f * t->source.hip_height) {
        t->floor = lowest;
        gti_note(t->context, NULL, NULL, "the motion's lowest joint is at %.2f m; its floor is moved to 0",
                 (double)lowest);
    }
}

static GtResult fill_poses(Transfer* t)
{
    t->poses = gt_arena_push_array(&t->scratch, (size_t)t->frame_count * (size_t)t->node_count, sizeof *t->poses);
    if (!t->poses) {
        return gti_out_of_memory(t->error);
    }
    find_floor(t);
    for (int32_t f = 0; f < t->frame_count; ++f) {
        if (f % FRAMES_A_REPORT == 0) {
            GtResult result = gti_progress(t->context, t->error, "moving the character", (double)f / t->frame_count);
            if (result != GT_OK) {
                return result;
            }
        }
        sample_source(t, (double)t->times[f]);
        turn_target(t);
        move_hips(t);
        for (int32_t n = 0; n < t->node_count; ++n) {
            t->poses[(size_t)f * (size_t)t->node_count + (size_t)n] = t->target.pose[t->runtime[n]];
        }
    }
    return GT_OK;
}

// Skip a leading T-pose, and take it as the reference.
static float find_start(Transfer* t)
{
    const GtScene* motion = t->source.scene;
    const GtAnimation* animation = &motion->animations[t->def->animation];
    float start_s = (float)gt_clip_start_s(t->clip);
    if (!animation->tpose_first) {
        return start_s;
    }
    gt_clip_sample(t->clip, (double)start_s, t->source.pose, NULL);
    for (int32_t s = 0; s < animation->sampler_count && !t->def->keep_tpose; ++s) {
        if (motion->accessors[animation->samplers[s].input].count > 1) {
            gt_accessor_read_floats(motion, animation->samplers[s].input, 1, 1, &start_s);
            break;
        }
    }
    return start_s;
}

static GtResult check_request(Transfer* t, const GtScene* character, const GtScene* motion)
{
    if (motion->animation_count == 0) {
        return gti_fail(t->error, GT_ERROR_NOT_FOUND, "the motion holds no animation");
    }
    if (t->def->animation < 0 || t->def->animation >= motion->animation_count) {
        return gti_fail(t->error, GT_ERROR_NOT_FOUND, "there is no animation %d; the motion has %d",
                        (int)t->def->animation, (int)motion->animation_count);
    }
    if (character->node_count == 0) {
        return gti_fail(t->error, GT_ERROR_BAD_VALUE, "the character has no joints; give a rigged one");
    }
    if (!(t->def->frame_rate_hz >= 0.0 && t->def->frame_rate_hz <= 100000.0)) {
        return gti_fail(t->error, GT_ERROR_BAD_VALUE, "%g frames a second are out of range", t->def->frame_rate_hz);
    }
    return GT_OK;
}

static GtResult transfer_motion(Transfer* t, const GtScene* character, const GtScene* motion, GtAnimateReport* report)
{
    GtResult result = check_request(t, character, motion);
    if (result == GT_OK) {
        result = open_figure(t, &t->source, motion);
    }
    if (result == GT_OK) {
        result = open_figure(t, &t->target, character);
    }
    if (result == GT_OK) {
        result = match_joints(t, report);
    }
    if (result == GT_OK) {
        result = gt_clip_build(t->context, motion, t->def->animation, t->source.character, &t->clip, t->error);
    }
    if (result != GT_OK) {
        return result;
    }
    float start_s = find_start(t);
    take_reference(&t->source);
    take_reference(&t->target);
    bool standing = t->source.hip_height > 1e-6f && t->target.hip_height > 1e-6f;
    t->scale = standing ? t->target.hip_height / t->source.hip_height : 1.0f;
    result = choose_times(t, start_s);
    if (result != GT_OK) {
        return result;
    }
    if (t->frame_count == 0) {
        return gti_fail(t->error, GT_ERROR_BAD_VALUE, "the animation has no keys");
    }
    report->duration_s = (double)(t->times[t->frame_count - 1] - t->times[0]);
    report->frame_count = t->frame_count;
    report->path_scale = (double)t->scale;
    return fill_poses(t);
}

GtAnimateDef gt_default_animate_def(void)
{
    return (GtAnimateDef){ 0 };
}

static GtResult write_clip(Transfer* t, GtScene* scene)
{
    const GtAnimation* source = &t->source.scene->animations[t->def->animation];
    if (!t->def->keep_animations && scene->animation_count) {
        if (scene->animation_count == 1) {
            gti_note(t->context, NULL, NULL, "the character's own clip is left out");
        } else {
            gti_note(t->context, NULL, NULL, "the character's own %d clips are left out", (int)scene->animation_count);
        }
        scene->animation_count = 0;
    }
    float start_s = t->times[0];
    for (int32_t f = 0; f < t->frame_count; ++f) {
        t->times[f] -= start_s;
    }
    GtBakeDef bake = {
        .name = t->def->name ? t->def->name : source->name,
        .frame_count = t->frame_count,
        .times_s = t->times,
        .node_count = t->node_count,
        .nodes = t->nodes,
        .paths = t->paths,
        .poses = t->poses,
    };
    return gt_scene_bake(t->context, scene, &bake, NULL, t->error);
}

GtResult gt_animate(const GtContext* context, const GtScene* character, const GtScene* motion, const GtAnimateDef* def,
                    GtScene** out, GtAnimateReport* report, GtError* error)
{
    *out = NULL;
    GtAnimateReport measured = { 0 };
    Transfer t = { .context = context, .def = def, .error = error, .scratch = gt_arena_create(context->allocator) };
    GtResult result = transfer_motion(&t, character, motion, &measured);
    if (result == GT_OK) {
        result = gt_scene_copy(context, character, out, error);
    }
    if (result == GT_OK) {
        result = write_clip(&t, *out);
    }
    gt_clip_destroy(t.clip);
    gt_character_destroy(t.source.character);
    gt_character_destroy(t.target.character);
    gt_arena_destroy(&t.scratch);
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
    }
    if (report) {
        *report = measured;
    }
    return result;
}

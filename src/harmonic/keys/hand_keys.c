// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A turn T about axes of the body, carried along by what a joint hangs on, is the same in each frame as seen from that:
// with P its rotation in the reference pose and F from where the body looks, the joint's local rotation q becomes
// C T C^-1 q, C = P^-1 F. About axes of the model, C is the inverse of what the parent's rotation is in that frame,
// after its own turns; parents come first.
//
// Two motions each have a path of their own over the ground, and a blend of both would slide from one to the other. So
// the second is moved, once: where its share first reaches half of its largest, its hips are above the same place as
// those of the first and head the same way.

#include "gertie/hand_keys.h"

#include "gertie/blend.h"

#include "base/scalar.h"
#include "harmonic/clip/keys.h"

#include <math.h>
#include <string.h>

static const double least_rate_hz = 30.0;
static const double late_s = 0.001; // that a key may be after the end without a word

enum {
    MOST_FRAMES = 1 << 20,
    MOST_VALUES = 1 << 27
};

enum {
    KEYS_TRANSLATION = 1,
    KEYS_ROTATION = 2,
    KEYS_SCALE = 4
};

typedef struct Applier {
    const GtContext* context;
    GtScene* scene;
    const GtHandKeys* keys;
    int32_t with; // clip that is blended in, or GT_NONE
    GtArena scratch;
    GtFigure figure;
    GtClip* with_clip;
    GtTransform* with_pose; // [node_count]
    float* with_weights;    // of morphs, which are not looked at
    int32_t with_top;       // topmost node above the hips, or GT_NONE
    GtQuat with_turn;       // that brings the second clip to where the first is
    GtVec3 with_shift;
    GtQuat* carry;  // [turn_count] C
    int32_t* first; // [node_count] first turn of each node, or GT_NONE
    int32_t* next;  // [turn_count] next turn of the same node, or GT_NONE
    uint8_t* paths; // [node_count] what becomes keys
    GtiClipFrames frames;
    GtiKeys* made;  // [made_count]
    float** values; // [made_count] of them, while they may be written
    int32_t made_count;
    GtError* error;
} Applier;

static GtQuat looks(const GtFigure* figure)
{
    GtVec3 ahead = figure->is_humanoid ? gti_figure_forward(figure) : gt_vec3(0.0f, 0.0f, 1.0f);
    return gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), atan2f(ahead.x, ahead.z));
}

static GtResult open_turns(Applier* k)
{
    const GtCharacterDef* def = k->figure.def;
    int32_t count = k->keys->turn_count;
    k->carry = gt_arena_push_array(&k->scratch, (size_t)count, sizeof *k->carry);
    k->next = gt_arena_push_array(&k->scratch, (size_t)count, sizeof *k->next);
    k->first = gt_arena_push_array(&k->scratch, (size_t)def->node_count, sizeof *k->first);
    k->paths = gt_arena_push_array(&k->scratch, (size_t)def->node_count, sizeof *k->paths);
    if (!k->carry || !k->next || !k->first || !k->paths) {
        return gti_out_of_memory(k->error);
    }
    GtQuat looking = looks(&k->figure);
    for (int32_t n = 0; n < def->node_count; ++n) {
        k->first[n] = GT_NONE;
    }
    for (int32_t i = count - 1; i >= 0; --i) { // backwards, so that each node has its turns in the file's order
        const GtHandTurn* turn = &k->keys->turns[i];
        int32_t node = turn->node == GT_NONE ? GT_NONE : gt_character_node_from_source(k->figure.character, turn->node);
        if (turn->node != GT_NONE && node == GT_NONE) {
            return gti_fail(k->error, GT_ERROR_BAD_VALUE, "rotations[%d]: node %d does not exist", (int)i,
                            (int)turn->node);
        }
        if (node != GT_NONE) {
            int32_t parent = def->parents[node];
            GtQuat above = parent == GT_NONE ? gt_quat_identity() : gt_mat34_polar(&k->figure.reference[parent], NULL);
            k->carry[i] = gt_quat_mul(gt_quat_conjugate(above), looking);
            k->next[i] = k->first[node];
            k->first[node] = i;
            k->paths[node] |= KEYS_ROTATION;
        }
    }
    return GT_OK;
}

static void mark_paths(Applier* k, int32_t animation)
{
    for (int32_t c = 0; c < k->scene->animations[animation].channel_count; ++c) {
        const GtAnimationChannel* channel = &k->scene->animations[animation].channels[c];
        int32_t node =
            channel->node == GT_NONE ? GT_NONE : gt_character_node_from_source(k->figure.character, channel->node);
        if (node != GT_NONE) {
            k->paths[node] |= channel->path == GT_PATH_TRANSLATION ? KEYS_TRANSLATION
                              : channel->path == GT_PATH_ROTATION  ? KEYS_ROTATION
                              : channel->path == GT_PATH_SCALE     ? KEYS_SCALE
                                                                   : 0;
        }
    }
}

static GtResult open_blend(Applier* k)
{
    if (k->with == GT_NONE) {
        return GT_OK;
    }
    const GtCharacterDef* def = k->figure.def;
    k->with_pose = gt_arena_push_array(&k->scratch, (size_t)def->node_count, sizeof *k->with_pose);
    k->with_weights = gt_arena_push_array(&k->scratch, (size_t)def->weight_count, sizeof *k->with_weights);
    if (!k->with_pose || !k->with_weights) {
        return gti_out_of_memory(k->error);
    }
    mark_paths(k, k->frames.animation);
    mark_paths(k, k->with);
    if (k->figure.is_humanoid) {
        k->with_top = k->figure.joints[GT_HUMANOID_HIPS];
        while (def->parents[k->with_top] != GT_NONE) {
            k->with_top = def->parents[k->with_top];
        }
        k->paths[k->with_top] |= KEYS_TRANSLATION | KEYS_ROTATION;
    }
    return gt_clip_build(k->context, k->scene, k->with, k->figure.character, &k->with_clip, k->error);
}

static const struct {
    uint8_t bit;
    GtAnimationPath path;
    GtElementType element;
    int32_t width;
} kinds[] = { { KEYS_TRANSLATION, GT_PATH_TRANSLATION, GT_ELEMENT_VEC3, 3 },
              { KEYS_ROTATION, GT_PATH_ROTATION, GT_ELEMENT_VEC4, 4 },
              { KEYS_SCALE, GT_PATH_SCALE, GT_ELEMENT_VEC3, 3 } };

enum {
    KIND_COUNT = 3
};

// Say so where keys come after the clip has ended.
static void note_late_keys(const Applier* k)
{
    double end_s = gt_clip_end_s(k->figure.clip);
    double last_s = k->keys->blend ? gt_curve_end_s(k->keys->blend) : end_s;
    for (int32_t i = 0; i < k->keys->turn_count; ++i) {
        last_s = fmax(last_s, gt_curve_end_s(k->keys->turns[i].curve));
    }
    if (last_s > end_s + late_s) {
        gti_note(k->context, k->keys->file, NULL, "the clip ends at %.2f s, before the last key, at %.2f s", end_s,
                 last_s);
    }
}

// Frames from the clip's first key to its last.
static GtResult open_frames(Applier* k)
{
    const GtCharacterDef* def = k->figure.def;
    double start_s = gt_clip_start_s(k->figure.clip);
    double length_s = fmax(gt_clip_end_s(k->figure.clip) - start_s, 0.0);
    double steps = length_s > 0.0 ? fmax(round(length_s * fmax(k->figure.key_rate_hz, least_rate_hz)), 1.0) : 0.0;
    double width = 0.0;
    for (int32_t n = 0; n < def->node_count; ++n) {
        for (int i = 0; i < KIND_COUNT; ++i) {
            bool is_made = k->paths[n] & kinds[i].bit;
            k->made_count += is_made;
            width += is_made ? (double)kinds[i].width : 0.0;
        }
    }
    if (!(steps < MOST_FRAMES && (steps + 1.0) * width <= MOST_VALUES)) {
        return gti_fail(k->error, GT_ERROR_LIMIT, "the clip has %g frames, too many to be keyed by hand", steps);
    }
    k->frames.frame_count = (int32_t)steps + 1;
    k->frames.start_s = start_s;
    k->frames.rate_hz = steps > 0.0 ? steps / length_s : 0.0;
    return GT_OK;
}

static GtResult open_made(Applier* k)
{
    const GtCharacterDef* def = k->figure.def;
    k->made = gt_arena_push_array(&k->scratch, (size_t)k->made_count, sizeof *k->made);
    k->values = gt_arena_push_array(&k->scratch, (size_t)k->made_count, sizeof *k->values);
    bool ok = k->made && k->values;
    for (int32_t n = 0, at = 0; n < def->node_count && ok; ++n) {
        for (int i = 0; i < KIND_COUNT && ok; ++i) {
            if (k->paths[n] & kinds[i].bit) {
                size_t size = (size_t)k->frames.frame_count * (size_t)kinds[i].width;
                k->values[at] = gt_arena_push_array(&k->scratch, size, sizeof **k->values);
                k->made[at] = (GtiKeys){ .node = def->source_nodes ? def->source_nodes[n] : n,
                                         .path = kinds[i].path,
                                         .element = kinds[i].element,
                                         .values = k->values[at],
                                         .count = 1 };
                ok = k->values[at++] != NULL;
            }
        }
    }
    return ok ? GT_OK : gti_out_of_memory(k->error);
}

static float share_at(const Applier* k, double time_s)
{
    return fminf(fmaxf(gt_curve_number(k->keys->blend, time_s), 0.0f), 1.0f);
}

static void pose_second(const Applier* k, double time_s)
{
    const GtCharacterDef* def = k->figure.def;
    memcpy(k->with_pose, def->rest, (size_t)def->node_count * sizeof *k->with_pose);
    gt_clip_sample(k->with_clip, gt_clip_start_s(k->with_clip) + time_s - k->frames.start_s, k->with_pose,
                   k->with_weights);
}

// Which way the hips head now, about y.
static float heading_rad(const GtFigure* figure)
{
    int32_t hips = figure->joints[GT_HUMANOID_HIPS];
    GtQuat now = gt_mat34_polar(&figure->instance->model_from_node[hips], NULL);
    GtQuat turn = gt_quat_mul(now, gt_quat_conjugate(gt_mat34_polar(&figure->reference[hips], NULL)));
    GtVec3 ahead = gt_quat_rotate(turn, gti_figure_forward(figure));
    return atan2f(ahead.x, ahead.z);
}

static GtResult align(Applier* k)
{
    if (k->with_top == GT_NONE) {
        return GT_OK;
    }
    GtInstance* instance = k->figure.instance;
    float most = 0.0f;
    for (int32_t f = 0; f < k->frames.frame_count; ++f) {
        most = fmaxf(most, share_at(k, gti_frame_time_s(k->frames.start_s, k->frames.rate_hz, f)));
    }
    int32_t frame = 0;
    while (frame < k->frames.frame_count - 1 &&
           share_at(k, gti_frame_time_s(k->frames.start_s, k->frames.rate_hz, frame)) < 0.5f * most) {
        ++frame;
    }
    gt_figure_pose(&k->figure, gti_frame_time_s(k->frames.start_s, k->frames.rate_hz, frame), instance);
    GtVec3 place = gti_figure_place(&k->figure, GT_HUMANOID_HIPS);
    float heading = heading_rad(&k->figure);
    pose_second(k, gti_frame_time_s(k->frames.start_s, k->frames.rate_hz, frame));
    memcpy(instance->pose, k->with_pose, (size_t)k->figure.def->node_count * sizeof *instance->pose);
    gt_instance_update(instance);
    k->with_turn = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), heading - heading_rad(&k->figure));
    k->with_shift = gt_vec3_sub(place, gt_quat_rotate(k->with_turn, gti_figure_place(&k->figure, GT_HUMANOID_HIPS)));
    k->with_shift.y = 0.0f;
    return GT_OK;
}

static void blend_in(const Applier* k, double time_s)
{
    const GtCharacterDef* def = k->figure.def;
    float share = share_at(k, time_s);
    pose_second(k, time_s);
    if (k->with_top != GT_NONE) {
        GtTransform* top = &k->with_pose[k->with_top];
        top->rotation = gt_quat_mul(k->with_turn, top->rotation);
        top->translation = gt_vec3_add(gt_quat_rotate(k->with_turn, top->translation), k->with_shift);
    }
    GtTransform* pose = k->figure.instance->pose;
    GtBlendLayer layers[2] = { { .pose = pose, .weight = 1.0f - share }, { .pose = k->with_pose, .weight = share } };
    GtBlendJob job = gt_default_blend_job();
    job.node_count = def->node_count;
    job.rest = def->rest;
    job.layers = layers;
    job.layer_count = 2;
    job.out = pose;
    gt_blend(&job);
}

static GtQuat model_from(const Applier* k, int32_t node)
{
    GtQuat q = gt_quat_identity();
    for (; node != GT_NONE; node = k->figure.def->parents[node]) {
        q = gt_quat_mul(k->figure.instance->pose[node].rotation, q);
    }
    return q;
}

static void turn_node(const Applier* k, int32_t node, double time_s)
{
    GtQuat* rotation = &k->figure.instance->pose[node].rotation;
    for (int32_t i = k->first[node]; i != GT_NONE; i = k->next[i]) {
        const GtHandTurn* turn = &k->keys->turns[i];
        float q[4];
        gt_curve_eval(turn->curve, time_s, q);
        GtQuat carry = turn->axes == GT_HAND_AXES_MODEL ? gt_quat_conjugate(model_from(k, k->figure.def->parents[node]))
                                                        : k->carry[i];
        GtQuat by = gt_quat_mul(gt_quat_mul(carry, gt_quat(q[0], q[1], q[2], q[3])), gt_quat_conjugate(carry));
        *rotation = gt_quat_normalize(gt_quat_mul(by, *rotation));
    }
}

// Of q and -q, the same rotation, take the one nearer to that of the frame before.
static void turn_on(float* rotation, int32_t frame)
{
    float dot = 0.0f;
    for (int c = 0; c < 4 && frame > 0; ++c) {
        dot += rotation[c] * rotation[c - 4];
    }
    for (int c = 0; c < 4 && dot < 0.0f; ++c) {
        rotation[c] = -rotation[c];
    }
}

static void take_frame(const Applier* k, int32_t frame)
{
    for (int32_t n = 0, at = 0; n < k->figure.def->node_count; ++n) {
        const GtTransform* t = &k->figure.instance->pose[n];
        const float from[KIND_COUNT][4] = { { t->translation.x, t->translation.y, t->translation.z },
                                            { t->rotation.x, t->rotation.y, t->rotation.z, t->rotation.w },
                                            { t->scale.x, t->scale.y, t->scale.z } };
        for (int i = 0; i < KIND_COUNT; ++i) {
            if (k->paths[n] & kinds[i].bit) {
                size_t width = (size_t)kinds[i].width;
                float* to = k->values[at++] + (size_t)frame * width;
                memcpy(to, from[i], width * sizeof *to);
                if (kinds[i].bit == KEYS_ROTATION) {
                    turn_on(to, frame);
                }
            }
        }
    }
}

static GtResult apply(Applier* k)
{
    GtResult (*const steps[])(Applier*) = { open_turns, open_blend, open_frames, align, open_made };
    GtFigureDef def = gti_figure_playing(k->frames.animation, k->scene->humanoid);
    GtResult result = gt_figure_open(k->context, k->scene, &def, &k->figure, k->error);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == GT_OK; ++i) {
        result = steps[i](k);
    }
    if (result == GT_OK) {
        note_late_keys(k);
    }
    for (int32_t f = 0; f < k->frames.frame_count && result == GT_OK; ++f) {
        double time_s = gti_frame_time_s(k->frames.start_s, k->frames.rate_hz, f);
        gt_figure_pose(&k->figure, time_s, k->figure.instance);
        if (k->with != GT_NONE) {
            blend_in(k, time_s);
        }
        for (int32_t n = 0; n < k->figure.def->node_count; ++n) {
            turn_node(k, n, time_s);
        }
        take_frame(k, f);
    }
    if (result == GT_OK && k->made_count > 0) {
        result = gti_keys_put(k->scene, &k->frames, k->made, k->made_count, k->error);
    }
    for (int32_t i = 0; i < k->made_count && result == GT_OK; ++i) {
        k->scene->nodes[k->made[i].node].matrix = NULL;
    }
    return result;
}

GtResult gt_hand_keys_apply(const GtContext* context, GtScene* scene, const GtHandKeys* keys, int32_t animation,
                            int32_t with, GtError* error)
{
    int32_t clips[2] = { animation, keys->blend ? with : GT_NONE };
    for (int i = 0; i < 2; ++i) {
        if (clips[i] < (i == 0 ? 0 : GT_NONE) || clips[i] >= scene->animation_count) {
            return gti_fail(error, GT_ERROR_NOT_FOUND, "there is no clip %d", (int)clips[i]);
        }
    }
    Applier k = { .context = context,
                  .scene = scene,
                  .keys = keys,
                  .with = clips[1],
                  .with_top = GT_NONE,
                  .scratch = gt_arena_create(context->allocator),
                  .frames = { .animation = animation },
                  .error = error };
    GtResult result = apply(&k);
    gt_clip_destroy(k.with_clip);
    gt_figure_close(&k.figure);
    gt_arena_destroy(&k.scratch);
    if (result != GT_OK) {
        gti_error_set_file(error, scene->source.file);
    }
    return result;
}

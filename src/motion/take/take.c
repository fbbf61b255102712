// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A take holds every node of its scene at every frame, also those that stand still: operators need no bookkeeping of
// which curve has which keys, and takes of the same scene always fit each other.

#include "motion/take/take.h"

#include "gertie/accessor.h"
#include "gertie/bake.h"

#include "figure/figure.h"

#include <math.h>
#include <string.h>

enum {
    MAX_FRAMES = 1 << 20,
    FRAMES_A_REPORT = 256
};

static const double default_rate_hz = 30.0; // of clips whose keys have none

GtTakeDef gt_default_take_def(void)
{
    return (GtTakeDef){ .animation = 0 };
}

static GtResult check_size(int64_t frames, int32_t nodes, GtError* error)
{
    if (frames > MAX_FRAMES || frames * (nodes > 0 ? nodes : 1) > GT_TAKE_MAX_TRANSFORMS) {
        return gti_fail(error, GT_ERROR_LIMIT, "%lld frames of %d nodes are too many; ask for a lower rate or a part",
                        (long long)frames, (int)nodes);
    }
    return GT_OK;
}

static GtResult make_take(const GtContext* context, int64_t frame_count, int32_t node_count, int32_t weight_count,
                          GtTake** out, GtError* error)
{
    *out = NULL;
    GtResult result = check_size(frame_count, node_count, error);
    if (result != GT_OK) {
        return result;
    }
    GtArena arena = gt_arena_create(context->allocator);
    GtTake* take = gt_arena_push_array(&arena, 1, sizeof *take);
    if (take) {
        size_t nodes = (size_t)node_count;
        take->frame_count = (int32_t)frame_count;
        take->node_count = node_count;
        take->weight_count = weight_count;
        take->root = GT_NONE;
        take->paths = gt_arena_push_array(&arena, nodes, sizeof *take->paths);
        take->first_weights = gt_arena_push_array(&arena, nodes, sizeof *take->first_weights);
        take->poses = gt_arena_push_array(&arena, nodes * (size_t)frame_count, sizeof *take->poses);
        take->weights = gt_arena_push_array(&arena, (size_t)weight_count * (size_t)frame_count, sizeof *take->weights);
    }
    if (!take || !take->paths || !take->first_weights || !take->poses || !take->weights) {
        gt_arena_destroy(&arena);
        return gti_out_of_memory(error);
    }
    take->arena = arena;
    *out = take;
    return GT_OK;
}

static GtResult copy_name(GtTake* take, const char* name, GtError* error)
{
    take->name = name ? gt_arena_push_text(&take->arena, name, strlen(name)) : NULL;
    return !name || take->name ? GT_OK : gti_out_of_memory(error);
}

GtResult gti_take_make(const GtContext* context, const GtTake* like, int64_t frame_count, GtTake** out, GtError* error)
{
    GtResult result = make_take(context, frame_count, like->node_count, like->weight_count, out, error);
    if (result != GT_OK) {
        return result;
    }
    GtTake* take = *out;
    size_t nodes = (size_t)like->node_count;
    take->rate_hz = like->rate_hz;
    take->start_s = like->start_s;
    take->root = like->root;
    take->model_from_root_parent = like->model_from_root_parent;
    memcpy(take->paths, like->paths, nodes * sizeof *take->paths);
    memcpy(take->first_weights, like->first_weights, nodes * sizeof *take->first_weights);
    result = copy_name(take, like->name, error);
    if (result != GT_OK) {
        gt_take_destroy(take);
        *out = NULL;
    }
    return result;
}

void gt_take_destroy(GtTake* take)
{
    if (take) {
        gt_arena_destroy(&take->arena);
    }
}

double gt_take_duration_s(const GtTake* take)
{
    return take->rate_hz > 0.0 ? (take->frame_count - 1) / take->rate_hz : 0.0;
}

// A clip that is sampled.
typedef struct Player {
    GtFigure figure;
    double rate_hz;
    int32_t input; // accessor of the most key times, or GT_NONE
    float* times;  // [time_count] those times
    int64_t time_count;
} Player;

static GtResult open_player(const GtContext* context, const GtScene* scene, const GtTakeDef* def, Player* p,
                            GtError* error)
{
    GtFigureDef figure = gti_figure_playing(def->animation, NULL);
    figure.silent_map = true;
    figure.without_map = def->keep_tpose; // which alone tells what is not part of the motion
    figure.keep_tpose = def->keep_tpose;
    GtResult result = gt_figure_open(context, scene, &figure, &p->figure, error);
    if (result != GT_OK) {
        return result;
    }
    if (!def->keep_tpose) {
        gti_figure_note_cuts(context, &p->figure);
    }
    double rate_hz = p->figure.key_rate_hz;
    p->rate_hz = def->frame_rate_hz > 0.0             ? def->frame_rate_hz
                 : rate_hz > 0.0 && isfinite(rate_hz) ? rate_hz
                                                      : default_rate_hz;
    p->input = GT_NONE;
    uint64_t most = 1;
    const GtAnimation* animation = &scene->animations[def->animation];
    for (int32_t s = 0; s < animation->sampler_count; ++s) {
        uint64_t count = scene->accessors[animation->samplers[s].input].count;
        if (count > most) {
            most = count;
            p->input = animation->samplers[s].input;
        }
    }
    return GT_OK;
}

static GtResult read_times(const GtScene* scene, GtArena* scratch, Player* p, GtError* error)
{
    if (p->input == GT_NONE) {
        return GT_OK;
    }
    uint64_t count = scene->accessors[p->input].count;
    p->times = gt_arena_push_array(scratch, (size_t)count, sizeof *p->times);
    if (!p->times) {
        return gti_out_of_memory(error);
    }
    gt_accessor_read_floats(scene, p->input, 0, count, p->times);
    p->time_count = (int64_t)count;
    return GT_OK;
}

static bool moves_weights(const GtAnimation* animation)
{
    for (int32_t c = 0; c < animation->channel_count; ++c) {
        if (animation->channels[c].path == GT_PATH_WEIGHTS) {
            return true;
        }
    }
    return false;
}

static void note_paths(const GtAnimation* animation, GtTake* take)
{
    for (int32_t c = 0; c < animation->channel_count; ++c) {
        const GtAnimationChannel* channel = &animation->channels[c];
        if (channel->node != GT_NONE) {
            take->paths[channel->node] |= (uint8_t)(channel->path == GT_PATH_TRANSLATION ? GT_BAKE_TRANSLATION
                                                    : channel->path == GT_PATH_ROTATION  ? GT_BAKE_ROTATION
                                                    : channel->path == GT_PATH_SCALE     ? GT_BAKE_SCALE
                                                                                         : 0);
        }
    }
}

// The time of a frame: that of the key which is meant, where there is one, so that its values come out as they are.
static double frame_time(const Player* p, double rate_hz, int32_t frame, int64_t* key)
{
    double time_s = rate_hz > 0.0 ? p->figure.start_s + frame / rate_hz : p->figure.start_s;
    while (*key + 1 < p->time_count && (double)p->times[*key] < time_s - 1e-2 / rate_hz) {
        ++*key;
    }
    bool is_key = *key < p->time_count && fabs((double)p->times[*key] - time_s) < 1e-2 / rate_hz;
    return is_key ? (double)p->times[*key] : time_s;
}

static GtResult play_frames(const GtContext* context, Player* p, GtTake* take, GtError* error)
{
    int64_t key = 0;
    for (int32_t f = 0; f < take->frame_count; ++f) {
        if (f % FRAMES_A_REPORT == 0) {
            GtResult result = gti_progress(context, error, "reading the motion", (double)f / take->frame_count);
            if (result != GT_OK) {
                return result;
            }
        }
        gt_instance_reset(p->figure.instance);
        gt_clip_sample(p->figure.clip, frame_time(p, take->rate_hz, f, &key), p->figure.instance->pose,
                       p->figure.instance->weights);
        GtTransform* pose = gti_take_pose(take, f);
        for (int32_t i = 0; i < p->figure.def->node_count; ++i) {
            pose[p->figure.def->source_nodes[i]] = p->figure.instance->pose[i];
        }
        if (take->weight_count) {
            memcpy(gti_take_weights(take, f), p->figure.instance->weights, (size_t)take->weight_count * sizeof(float));
        }
    }
    return GT_OK;
}

// The topmost node whose translation changes carries the way.
static void find_root(const Player* p, GtTake* take)
{
    gt_instance_reset(p->figure.instance);
    gt_instance_update(p->figure.instance);
    take->model_from_root_parent = gt_mat34_identity();
    for (int32_t i = 0; i < p->figure.def->node_count; ++i) {
        int32_t node = p->figure.def->source_nodes[i];
        const GtVec3* first = &take->poses[node].translation;
        bool moves = false;
        for (int32_t f = 1; f < take->frame_count && !moves; ++f) {
            moves = memcmp(first, &gti_take_pose(take, f)[node].translation, sizeof *first) != 0;
        }
        if (moves) {
            int32_t parent = p->figure.def->parents[i];
            take->root = node;
            take->model_from_root_parent =
                parent == GT_NONE ? gt_mat34_identity() : p->figure.instance->model_from_node[parent];
            return;
        }
    }
}

GtResult gt_take_create(const GtContext* context, const GtScene* scene, const GtTakeDef* def, GtTake** out,
                        GtError* error)
{
    def = def ? def : (GtTakeDef[]){ gt_default_take_def() };
    *out = NULL;
    if (def->animation < 0 || def->animation >= scene->animation_count) {
        return scene->animation_count ? gti_fail(error, GT_ERROR_NOT_FOUND, "there is no clip %d; the file has %d",
                                                 (int)def->animation, (int)scene->animation_count)
                                      : gti_fail(error, GT_ERROR_NOT_FOUND, "the file has no clip");
    }
    if (!(def->frame_rate_hz >= 0.0 && def->frame_rate_hz <= 100000.0)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a rate of %g Hz is out of range", def->frame_rate_hz);
    }
    const GtAnimation* animation = &scene->animations[def->animation];
    Player p = { 0 };
    GtTake* take = NULL;
    GtResult result = open_player(context, scene, def, &p, error);
    if (result == GT_OK) {
        double span = (p.figure.end_s - p.figure.start_s) * p.rate_hz;
        int64_t frames = span < 1e12 ? (int64_t)floor(span + 1e-3) + 1 : (int64_t)1e12;
        result = make_take(context, frames, scene->node_count,
                           moves_weights(animation) ? p.figure.def->weight_count : 0, &take, error);
    }
    if (result == GT_OK) {
        take->rate_hz = take->frame_count > 1 ? p.rate_hz : 0.0;
        take->start_s = p.figure.start_s;
        for (int32_t i = 0; i < take->node_count; ++i) {
            take->first_weights[i] = GT_NONE;
        }
        for (int32_t m = 0; take->weight_count && m < p.figure.def->mesh_count; ++m) {
            take->first_weights[p.figure.def->source_nodes[p.figure.def->meshes[m].node]] =
                p.figure.def->meshes[m].first_weight;
        }
        note_paths(animation, take);
        result = copy_name(take, animation->name, error);
    }
    GtArena scratch = gt_arena_create(context->allocator);
    result = result == GT_OK ? read_times(scene, &scratch, &p, error) : result;
    result = result == GT_OK ? play_frames(context, &p, take, error) : result;
    gt_arena_destroy(&scratch);
    if (result == GT_OK) {
        find_root(&p, take);
        *out = take;
    } else {
        gt_take_destroy(take);
    }
    gt_figure_close(&p.figure);
    return result;
}

void gti_take_copy_frame(const GtTake* from, int32_t frame, GtTake* to, int32_t to_frame)
{
    memcpy(gti_take_pose(to, to_frame), gti_take_pose(from, frame), (size_t)to->node_count * sizeof *to->poses);
    memcpy(gti_take_weights(to, to_frame), gti_take_weights(from, frame),
           (size_t)to->weight_count * sizeof *to->weights);
}

void gti_take_blend(GtTake* take, int32_t frame, const GtTake* other, int32_t other_frame, float share)
{
    GtTransform* pose = gti_take_pose(take, frame);
    const GtTransform* target = gti_take_pose(other, other_frame);
    for (int32_t i = 0; i < take->node_count; ++i) {
        pose[i] = gt_transform_lerp(pose[i], target[i], share);
    }
    float* weights = gti_take_weights(take, frame);
    const float* wanted = gti_take_weights(other, other_frame);
    for (int32_t i = 0; i < take->weight_count; ++i) {
        weights[i] += share * (wanted[i] - weights[i]);
    }
}

void gti_take_sample(const GtTake* from, double at, GtTake* to, int32_t to_frame)
{
    double last = from->frame_count - 1;
    double clamped = at > 0.0 ? fmin(at, last) : 0.0;
    int32_t frame = (int32_t)clamped;
    double share = clamped - frame;
    gti_take_copy_frame(from, frame, to, to_frame);
    if (share > 1e-6 && frame + 1 < from->frame_count) {
        gti_take_blend(to, to_frame, from, frame + 1, (float)share);
    }
}

GtVec3 gti_take_root_place(const GtTake* take, int32_t frame)
{
    return gt_mat34_point(&take->model_from_root_parent, gti_take_pose(take, frame)[take->root].translation);
}

void gti_take_move_root(GtTake* take, int32_t frame, GtQuat turn, GtVec3 pivot, GtVec3 way)
{
    GtTransform* root = &gti_take_pose(take, frame)[take->root];
    GtMat34 parent_from_model = gt_mat34_inverse(&take->model_from_root_parent, NULL);
    GtQuat parent = gt_mat34_polar(&take->model_from_root_parent, NULL);
    GtVec3 place = gt_vec3_sub(gti_take_root_place(take, frame), pivot);
    place = gt_vec3_add(gt_vec3_add(gt_quat_rotate(turn, place), pivot), way);
    root->translation = gt_mat34_point(&parent_from_model, place);
    GtQuat local_turn = gt_quat_mul(gt_quat_conjugate(parent), gt_quat_mul(turn, parent));
    root->rotation = gt_quat_normalize(gt_quat_mul(local_turn, root->rotation));
}

// Which node of `to` is which of `from`, by name, parents first; error where a joint that moves has no twin.
static GtResult pair_nodes(const GtTake* take, const GtScene* from, const GtScene* to, int32_t* twins, GtError* error)
{
    for (int32_t i = 0; i < from->node_count; ++i) {
        const GtNode* node = &from->nodes[i];
        twins[i] = i < to->node_count && node->name && to->nodes[i].name && !strcmp(node->name, to->nodes[i].name) ? i
                   : node->name ? gt_scene_find_node(to, node->name)
                                : GT_NONE;
        const char* name = node->name ? node->name : "";
        if (twins[i] == GT_NONE) {
            if (take->paths[i]) {
                return gti_fail(
                    error, GT_ERROR_BAD_VALUE,
                    "the first file has no joint '%.80s': only clips of one skeleton can be joined; put them "
                    "on one with 'gertie retarget'",
                    name);
            }
            continue;
        }
        const GtNode* twin = &to->nodes[twins[i]];
        double length = (double)gt_vec3_length(node->local.translation);
        double twin_length = (double)gt_vec3_length(twin->local.translation);
        bool has_parents = node->parent != GT_NONE && twin->parent != GT_NONE;
        if (take->paths[i] && has_parents && fabs(length - twin_length) > 0.01 * fmax(length, twin_length) + 1e-6 &&
            !(take->paths[i] & GT_BAKE_TRANSLATION)) {
            return gti_fail(
                error, GT_ERROR_BAD_VALUE,
                "the bone to '%.80s' is %.4g m long in one file and %.4g m in the first: these are different "
                "skeletons; put them on one with 'gertie retarget'",
                name, length, twin_length);
        }
    }
    return GT_OK;
}

GtResult gt_take_adapt(const GtContext* context, const GtTake* take, const GtScene* from, const GtScene* to,
                       GtTake** out, GtError* error)
{
    *out = NULL;
    GtArena scratch = gt_arena_create(context->allocator);
    int32_t* twins = gt_arena_push_array(&scratch, (size_t)from->node_count, sizeof *twins);
    GtTake* made = NULL;
    GtResult result = twins ? pair_nodes(take, from, to, twins, error) : gti_out_of_memory(error);
    result = result == GT_OK ? make_take(context, take->frame_count, to->node_count, 0, &made, error) : result;
    result = result == GT_OK ? copy_name(made, take->name, error) : result;
    if (result == GT_OK) {
        made->rate_hz = take->rate_hz;
        made->start_s = take->start_s;
        made->root = take->root == GT_NONE ? GT_NONE : twins[take->root];
        made->model_from_root_parent = take->model_from_root_parent;
        for (int32_t i = 0; i < to->node_count; ++i) {
            made->first_weights[i] = GT_NONE;
        }
        for (int32_t f = 0; f < take->frame_count; ++f) {
            GtTransform* pose = gti_take_pose(made, f);
            for (int32_t i = 0; i < to->node_count; ++i) {
                pose[i] = to->nodes[i].local;
            }
            for (int32_t i = 0; i < from->node_count; ++i) {
                if (twins[i] != GT_NONE) {
                    pose[twins[i]] = gti_take_pose(take, f)[i];
                    made->paths[twins[i]] = take->paths[i];
                }
            }
        }
        if (take->weight_count) {
            gti_warn(context, NULL, NULL,
                     "its morph weights are left out, because they belong to the meshes of another file");
        }
        *out = made;
    } else {
        gt_take_destroy(made);
    }
    gt_arena_destroy(&scratch);
    return result;
}

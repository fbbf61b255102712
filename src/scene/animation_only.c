// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A copy of the scene loses all that is shown. Nodes that only showed something go, the others get new indices, and the
// arrays that skins and clips read are packed as floats into one buffer, in a view each, as the validator wants it.

#include "gertie/scene.h"

#include "gertie/accessor.h"

#include "base/fail.h"
#include "scene/storage.h"

#include <stdlib.h>
#include <string.h>

typedef struct AnimationKeeper {
    const GtScene* from;
    GtScene* to; // a copy of it
    GtError* error;
    GtArena scratch;
    int32_t* node_at;     // [nodes of from] index in `to`, or GT_NONE
    int32_t* accessor_at; // [accessors of from] index in `to`, or GT_NONE
    uint64_t size;        // bytes of the accessors of `to`
    uint64_t binds_size;  // of these, those of skins, which come first; known once all skins are kept
    int32_t lost_count;   // channels that have nothing to move any more
} AnimationKeeper;

static bool is_kept_path(const GtAnimationChannel* channel)
{
    return channel->node != GT_NONE && channel->path <= GT_PATH_SCALE;
}

// node_at: 0 for nodes that stay, GT_NONE for others
static void mark_nodes(const AnimationKeeper* k)
{
    const GtScene* from = k->from;
    for (int32_t i = 0; i < from->node_count; ++i) {
        k->node_at[i] = from->nodes[i].mesh == GT_NONE && from->nodes[i].camera == GT_NONE ? 0 : GT_NONE;
    }
    for (int32_t a = 0; a < from->animation_count; ++a) {
        for (int32_t c = 0; c < from->animations[a].channel_count; ++c) {
            const GtAnimationChannel* channel = &from->animations[a].channels[c];
            if (is_kept_path(channel)) {
                k->node_at[channel->node] = 0;
            }
        }
    }
    for (int32_t s = 0; s < from->skin_count; ++s) {
        for (int32_t j = 0; j < from->skins[s].joint_count; ++j) {
            k->node_at[from->skins[s].joints[j]] = 0;
        }
    }
    for (int j = 0; from->humanoid && j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (from->humanoid->nodes[j] != GT_NONE) {
            k->node_at[from->humanoid->nodes[j]] = 0;
        }
    }
    for (int32_t i = 0; i < from->node_count; ++i) {
        int32_t above = k->node_at[i] == 0 ? from->nodes[i].parent : GT_NONE;
        for (; above != GT_NONE && k->node_at[above] != 0; above = from->nodes[above].parent) {
            k->node_at[above] = 0;
        }
    }
}

static int32_t place_of(const AnimationKeeper* k, int32_t node)
{
    return node == GT_NONE ? GT_NONE : k->node_at[node];
}

// The nodes of a list that stay, under their new indices.
static GtResult keep_list(const AnimationKeeper* k, const int32_t* nodes, int32_t count, const int32_t** out,
                          int32_t* out_count)
{
    int32_t* kept = gt_scene_push(k->to, (size_t)count, sizeof *kept);
    if (!kept) {
        return gti_out_of_memory(k->error);
    }
    *out_count = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (k->node_at[nodes[i]] != GT_NONE) {
            kept[(*out_count)++] = k->node_at[nodes[i]];
        }
    }
    *out = kept;
    return GT_OK;
}

static GtResult keep_nodes(AnimationKeeper* k)
{
    GtScene* to = k->to;
    GtResult result = GT_OK;
    to->node_count = 0;
    for (int32_t i = 0; i < k->from->node_count; ++i) {
        if (k->node_at[i] != GT_NONE) {
            k->node_at[i] = to->node_count++;
        }
    }
    for (int32_t i = 0; i < k->from->node_count && result == GT_OK; ++i) {
        const GtNode* was = &k->from->nodes[i];
        if (k->node_at[i] == GT_NONE) {
            continue;
        }
        GtNode* node = &to->nodes[k->node_at[i]];
        *node = gt_default_node();
        node->name = was->name;
        node->parent = place_of(k, was->parent);
        node->local = was->local;
        node->matrix = was->matrix;
        node->bvh = was->bvh;
        result = keep_list(k, was->children, was->child_count, &node->children, &node->child_count);
    }
    for (int32_t i = 0; i < to->stage_count && result == GT_OK; ++i) {
        GtStage* stage = &to->stages[i];
        stage->extra = (GtExtra){ NULL, NULL, NULL };
        result = keep_list(k, stage->nodes, stage->node_count, &stage->nodes, &stage->node_count);
    }
    return result;
}

static GtResult keep_humanoid(AnimationKeeper* k)
{
    if (!k->from->humanoid) {
        return GT_OK;
    }
    GtHumanoidMap* map = gt_scene_push(k->to, 1, sizeof *map);
    if (!map) {
        return gti_out_of_memory(k->error);
    }
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        map->nodes[j] = place_of(k, k->from->humanoid->nodes[j]);
    }
    k->to->humanoid = map;
    return GT_OK;
}

// The accessor of `to` that will hold an accessor's values; made when it is first asked for.
static int32_t keep_accessor(AnimationKeeper* k, int32_t accessor)
{
    if (accessor == GT_NONE) {
        return GT_NONE;
    }
    int32_t* at = &k->accessor_at[accessor];
    if (*at == GT_NONE) {
        const GtAccessor* was = &k->from->accessors[accessor];
        *at = k->to->accessor_count++;
        k->to->accessors[*at] = (GtAccessor){ .view = k->binds_size > 0 ? 1 : 0,
                                              .offset = k->size - k->binds_size,
                                              .component_type = GT_COMPONENT_FLOAT,
                                              .element_type = was->element_type,
                                              .count = was->count,
                                              .min = was->normalized ? NULL : was->min,
                                              .max = was->normalized ? NULL : was->max };
        k->size += was->count * (uint64_t)gt_element_components(was->element_type) * sizeof(float);
    }
    return *at;
}

static bool same_joints(const GtSkin* a, const GtSkin* b)
{
    return a->joint_count == b->joint_count &&
           memcmp(a->joints, b->joints, (size_t)a->joint_count * sizeof *a->joints) == 0;
}

// Which nodes are joints of one skeleton, and how they were bound, is what programs with bones go by. Meshes that share
// a skeleton often have a skin each.
static GtResult keep_skins(AnimationKeeper* k)
{
    GtResult result = GT_OK;
    k->to->skin_count = 0;
    for (int32_t s = 0; s < k->from->skin_count && result == GT_OK; ++s) {
        const GtSkin* was = &k->from->skins[s];
        bool is_new = true;
        for (int32_t i = 0; i < s && is_new; ++i) {
            is_new = !same_joints(&k->from->skins[i], was);
        }
        if (!is_new) {
            continue;
        }
        GtSkin* skin = &k->to->skins[k->to->skin_count++];
        *skin = (GtSkin){ .name = was->name,
                          .inverse_bind = keep_accessor(k, was->inverse_bind),
                          .skeleton = place_of(k, was->skeleton) };
        result = keep_list(k, was->joints, was->joint_count, &skin->joints, &skin->joint_count);
    }
    k->binds_size = k->size;
    return result;
}

// The channels of a clip that have a node to move, and the samplers that they play.
static GtResult keep_clip(AnimationKeeper* k, const GtAnimation* was, GtAnimation* clip)
{
    GtAnimationSampler* samplers = gt_scene_push(k->to, (size_t)was->sampler_count, sizeof *samplers);
    GtAnimationChannel* channels = gt_scene_push(k->to, (size_t)was->channel_count, sizeof *channels);
    int32_t* sampler_at = gt_arena_push_array(&k->scratch, (size_t)was->sampler_count, sizeof *sampler_at);
    if (!samplers || !channels || !sampler_at) {
        return gti_out_of_memory(k->error);
    }
    *clip = (GtAnimation){ .name = was->name,
                           .samplers = samplers,
                           .channels = channels,
                           .tpose_first = was->tpose_first,
                           .extra = { .extras = was->extra.extras } };
    for (int32_t i = 0; i < was->sampler_count; ++i) {
        sampler_at[i] = GT_NONE;
    }
    for (int32_t c = 0; c < was->channel_count; ++c) {
        const GtAnimationChannel* channel = &was->channels[c];
        if (!is_kept_path(channel)) {
            ++k->lost_count;
            continue;
        }
        int32_t* sampler = &sampler_at[channel->sampler];
        if (*sampler == GT_NONE) {
            const GtAnimationSampler* keys = &was->samplers[channel->sampler];
            *sampler = clip->sampler_count++;
            samplers[*sampler] = (GtAnimationSampler){ .input = keep_accessor(k, keys->input),
                                                       .output = keep_accessor(k, keys->output),
                                                       .interpolation = keys->interpolation };
        }
        channels[clip->channel_count++] =
            (GtAnimationChannel){ .sampler = *sampler, .node = k->node_at[channel->node], .path = channel->path };
    }
    return GT_OK;
}

static GtResult keep_clips(AnimationKeeper* k)
{
    GtResult result = GT_OK;
    k->to->animation_count = 0;
    for (int32_t a = 0; a < k->from->animation_count && result == GT_OK; ++a) {
        GtAnimation* clip = &k->to->animations[k->to->animation_count];
        result = keep_clip(k, &k->from->animations[a], clip);
        k->to->animation_count += clip->channel_count > 0; // glTF has no clip without channels
    }
    return result;
}

static GtResult fill_buffer(AnimationKeeper* k)
{
    GtScene* to = k->to;
    uint8_t* bytes = NULL;
    if (k->size == 0) {
        return GT_OK;
    }
    GtBlob* blob = k->size > SIZE_MAX ? NULL : gt_blob_create(gti_scene_allocator(to), (size_t)k->size, &bytes);
    if (!blob) {
        return gti_out_of_memory(k->error);
    }
    const GtBufferView views[2] = { { .size = k->binds_size },
                                    { .offset = k->binds_size, .size = k->size - k->binds_size } };
    GtResult result = GT_OK;
    for (int v = 0; v < 2 && result == GT_OK; ++v) {
        result = views[v].size > 0 ? gt_scene_add_buffer_view(to, &views[v], NULL, k->error) : GT_OK;
    }
    if (result != GT_OK) {
        gt_blob_release(blob);
        return result;
    }
    for (int32_t i = 0; i < k->from->accessor_count; ++i) {
        if (k->accessor_at[i] != GT_NONE) {
            const GtAccessor* kept = &to->accessors[k->accessor_at[i]];
            float* values = (float*)(void*)(bytes + to->buffer_views[kept->view].offset + kept->offset);
            gt_accessor_read_floats(k->from, i, 0, k->from->accessors[i].count, values);
        }
    }
    return gt_scene_add_buffer(to, &(GtBuffer){ .blob = blob }, NULL, k->error);
}

static void drop_data(GtScene* scene)
{
    for (int32_t i = 0; i < scene->buffer_count; ++i) {
        gt_blob_release(scene->buffers[i].blob);
    }
    scene->mesh_count = scene->skin_count = scene->animation_count = 0;
    scene->material_count = scene->texture_count = scene->sampler_count = scene->image_count = 0;
    scene->camera_count = scene->extension_used_count = scene->extension_required_count = 0;
    scene->accessor_count = scene->buffer_view_count = scene->buffer_count = 0;
    scene->extra = (GtExtra){ NULL, NULL, NULL };
    scene->deform = NULL;
}

static const char* name_of(const GtNode* node)
{
    return node->name ? node->name : "";
}

static int compare_names(const void* a, const void* b)
{
    return strcmp(name_of(*(GtNode* const*)a), name_of(*(GtNode* const*)b));
}

// Clips in files of their own are bound by the names of nodes.
static GtResult warn_of_names(AnimationKeeper* k, const GtContext* context)
{
    const GtScene* to = k->to;
    const GtNode** sorted = gt_arena_push_array(&k->scratch, (size_t)to->node_count, sizeof *sorted);
    bool* moves = gt_arena_push_array(&k->scratch, (size_t)to->node_count, sizeof *moves);
    if (!sorted || !moves) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t i = 0; i < to->node_count; ++i) {
        sorted[i] = &to->nodes[i];
    }
    for (int32_t a = 0; a < to->animation_count; ++a) {
        for (int32_t c = 0; c < to->animations[a].channel_count; ++c) {
            moves[to->animations[a].channels[c].node] = true;
        }
    }
    if (to->node_count) {
        qsort(sorted, (size_t)to->node_count, sizeof *sorted, compare_names);
    }
    for (int32_t i = 0; i < to->node_count; ++i) {
        bool is_shared = (i > 0 && compare_names(&sorted[i - 1], &sorted[i]) == 0) ||
                         (i + 1 < to->node_count && compare_names(&sorted[i], &sorted[i + 1]) == 0);
        if (moves[sorted[i] - to->nodes] && (is_shared || !name_of(sorted[i])[0])) {
            gti_warn(context, to->source.file, name_of(sorted[i]),
                     "clips of a file of their own are bound by names, and %s",
                     name_of(sorted[i])[0] ? "more than one node has this one" : "a node that moves has none");
            break;
        }
    }
    return GT_OK;
}

static GtResult keep_animation(AnimationKeeper* k)
{
    GtResult (*const steps[])(AnimationKeeper*) = { keep_nodes, keep_humanoid, keep_skins, keep_clips, fill_buffer };
    k->node_at = gt_arena_push_array(&k->scratch, (size_t)k->from->node_count, sizeof *k->node_at);
    k->accessor_at = gt_arena_push_array(&k->scratch, (size_t)k->from->accessor_count, sizeof *k->accessor_at);
    if (!k->node_at || !k->accessor_at) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t i = 0; i < k->from->accessor_count; ++i) {
        k->accessor_at[i] = GT_NONE;
    }
    mark_nodes(k);
    drop_data(k->to);
    GtResult result = GT_OK;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == GT_OK; ++i) {
        result = steps[i](k);
    }
    return result;
}

GtResult gt_scene_keep_animation_only(const GtContext* context, const GtScene* scene, GtScene** out, GtError* error)
{
    GtResult result = gt_scene_copy(context, scene, out, error);
    if (result != GT_OK) {
        return result;
    }
    AnimationKeeper k = { .from = scene, .to = *out, .error = error, .scratch = gt_arena_create(context->allocator) };
    result = keep_animation(&k);
    if (result == GT_OK) {
        result = warn_of_names(&k, context);
    }
    gt_arena_destroy(&k.scratch);
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
        return result;
    }
    if (k.lost_count > 0) {
        gti_note(context, scene->source.file, NULL,
                 "%d channel%s of morph weights and materials need the mesh and are left out", (int)k.lost_count,
                 k.lost_count == 1 ? "" : "s");
    }
    return GT_OK;
}

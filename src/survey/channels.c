// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The addresses of everything in a scene that can be animated, and how many clips have keys for it.

#include "gertie/survey.h"

#include "base/fail.h"
#include "gertie/channel.h"

static void count_keyed(const GtScene* scene, int32_t* clip_counts)
{
    for (int32_t i = 0; i < scene->animation_count; ++i) {
        const GtAnimation* animation = &scene->animations[i];
        for (int32_t c = 0; c < animation->channel_count; ++c) {
            const GtAnimationChannel* channel = &animation->channels[c];
            if (channel->node != GT_NONE && channel->path != GT_PATH_OTHER) {
                ++clip_counts[4 * (size_t)channel->node + (size_t)channel->path]; // a clip has one channel a path
            }
        }
    }
}

typedef struct Visit {
    const int32_t* clip_counts; // [node_count * 4] by path
    void (*visit)(void* user, const char* address, int32_t clip_count);
    void* user;
} Visit;

static void visit_channel(void* user, const GtChannel* channel, const char* address)
{
    static const int paths[GT_CHANNEL_KIND_COUNT] = { GT_PATH_TRANSLATION, GT_PATH_ROTATION, GT_PATH_SCALE,
                                                      GT_PATH_WEIGHTS };
    const Visit* visit = user;
    bool is_camera = channel->kind == GT_CHANNEL_CAMERA_FOV; // which glTF cannot animate
    size_t place = is_camera ? 0 : 4 * (size_t)channel->target + (size_t)paths[channel->kind];
    visit->visit(visit->user, address, is_camera ? 0 : visit->clip_counts[place]);
}

GtResult gt_survey_channels(const GtContext* context, const GtScene* scene,
                            void (*visit_one)(void* user, const char* address, int32_t clip_count), void* user,
                            GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    int32_t* clip_counts = gt_arena_push_array(&arena, 4 * (size_t)scene->node_count, sizeof *clip_counts);
    GtResult result = GT_OK;
    if (clip_counts) {
        count_keyed(scene, clip_counts);
        Visit visit = { clip_counts, visit_one, user };
        result = gt_channel_list(context, scene, visit_channel, &visit, error);
    } else {
        result = gti_out_of_memory(error);
    }
    gt_arena_destroy(&arena);
    return result;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The addresses of everything in a scene that can be animated.

#include "info.h"

#include "gertie/channel.h"

#include <string.h>

typedef struct Visit {
    const GtScene* scene;
    void (*visit)(void* user, const char* address, int32_t clip_count);
    void* user;
} Visit;

static void visit_channel(const Visit* visit, GtChannelKind kind, int32_t target, int32_t item, int32_t clip_count)
{
    char address[2 * GT_CHANNEL_NAME_MAX + 64];
    GtChannel channel = { kind, target, item, GT_NONE };
    gt_channel_format(visit->scene, &channel, address, sizeof address);
    visit->visit(visit->user, address, clip_count);
}

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

bool info_each_channel(const InfoSubject* subject,
                       void (*visit_one)(void* user, const char* address, int32_t clip_count), void* user)
{
    const GtScene* scene = subject->scene;
    Visit visit = { scene, visit_one, user };
    GtArena arena = gt_arena_create(subject->survey->arena.allocator);
    int32_t* clip_counts = gt_arena_push_array(&arena, 4 * (size_t)scene->node_count, sizeof *clip_counts);
    if (!clip_counts) {
        return false;
    }
    count_keyed(scene, clip_counts);
    for (int32_t n = 0; n < scene->node_count; ++n) {
        const int32_t* counts = clip_counts + 4 * (size_t)n;
        int32_t mesh = scene->nodes[n].mesh;
        visit_channel(&visit, GT_CHANNEL_TRANSLATION, n, 0, counts[GT_PATH_TRANSLATION]);
        visit_channel(&visit, GT_CHANNEL_ROTATION, n, 0, counts[GT_PATH_ROTATION]);
        visit_channel(&visit, GT_CHANNEL_SCALE, n, 0, counts[GT_PATH_SCALE]);
        for (int32_t t = 0; mesh != GT_NONE && t < scene->meshes[mesh].target_count; ++t) {
            visit_channel(&visit, GT_CHANNEL_MORPH, n, t, counts[GT_PATH_WEIGHTS]);
        }
    }
    for (int32_t c = 0; c < scene->camera_count; ++c) {
        visit_channel(&visit, GT_CHANNEL_CAMERA_FOV, c, 0, 0);
    }
    gt_arena_destroy(&arena);
    return true;
}

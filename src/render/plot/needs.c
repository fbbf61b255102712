// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A position depends on every node up to its root, all else on one track. The clip that is played holds only such
// tracks: a capture has hundreds, and a hostile file can hang very many on the same keys.

#include "render/plot/needs.h"

#include "base/fail.h"

GtResult gti_plot_needs_create(GtArena* arena, const GtScene* scene, int32_t animation, const GtiPlotSource* sources,
                               int32_t source_count, GtiPlotNeeds* out, GtError* error)
{
    *out = (GtiPlotNeeds){ scene, animation, sources, source_count, NULL };
    out->in_chain = gt_arena_push_array(arena, (size_t)scene->node_count, sizeof *out->in_chain);
    if (!out->in_chain) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < source_count; ++i) {
        int32_t node = gti_plot_source_needs_chain(&sources[i]) ? sources[i].channel.target : GT_NONE;
        for (; node != GT_NONE && !out->in_chain[node]; node = scene->nodes[node].parent) {
            out->in_chain[node] = true;
        }
    }
    return GT_OK;
}

bool gti_plot_source_is_driven(const GtiPlotSource* source, const GtAnimationChannel* channel)
{
    static const GtAnimationPath paths[GT_CHANNEL_KIND_COUNT] = {
        [GT_CHANNEL_TRANSLATION] = GT_PATH_TRANSLATION,
        [GT_CHANNEL_ROTATION] = GT_PATH_ROTATION,
        [GT_CHANNEL_SCALE] = GT_PATH_SCALE,
        [GT_CHANNEL_MORPH] = GT_PATH_WEIGHTS,
        [GT_CHANNEL_CAMERA_FOV] = GT_PATH_OTHER,
    };
    GtAnimationPath path = source->kind == GTI_PLOT_SOURCE_ANGLE ? GT_PATH_ROTATION : paths[source->channel.kind];
    return !gti_plot_source_needs_chain(source) && path != GT_PATH_OTHER && channel->path == path &&
           channel->node == source->channel.target;
}

bool gti_plot_needs_channel(const GtiPlotNeeds* needs, const GtAnimationChannel* channel)
{
    if (channel->node == GT_NONE || channel->path == GT_PATH_OTHER) {
        return false;
    }
    bool found = needs->in_chain[channel->node] && channel->path != GT_PATH_WEIGHTS;
    for (int32_t i = 0; i < needs->source_count && !found; ++i) {
        found = gti_plot_source_is_driven(&needs->sources[i], channel);
    }
    return found;
}

GtResult gti_plot_needs_build(const GtContext* context, GtArena* arena, const GtiPlotNeeds* needs,
                              const GtCharacter* character, GtClip** out, int32_t* channel_count, GtError* error)
{
    *out = NULL;
    GtAnimation animation = needs->scene->animations[needs->animation];
    GtAnimationChannel* channels = gt_arena_push_array(arena, (size_t)animation.channel_count, sizeof *channels);
    if (!channels) {
        return gti_out_of_memory(error);
    }
    *channel_count = 0;
    for (int32_t i = 0; i < animation.channel_count; ++i) {
        if (gti_plot_needs_channel(needs, &animation.channels[i])) {
            channels[(*channel_count)++] = animation.channels[i];
        }
    }
    animation.channels = channels;
    animation.channel_count = *channel_count;
    GtScene scene = *needs->scene; // seen with that animation alone
    scene.animations = &animation;
    scene.animation_count = 1;
    return gt_clip_build(context, &scene, 0, character, out, error);
}

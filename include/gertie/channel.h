// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-scene: channels: addresses of what can be animated.
///
/// Channels: everything that can be animated has an address, the same in curves, plots, files and the command:
/// `leftFoot.translation.y`, `Armature.rotation`, `morph:jawOpen`, `morph:Face/jawOpen`, `camera.fov`,
/// `section:biceps.b`, `lattice:belly.point[1,2,0].z`.
///
/// **Threads.** Nothing here keeps anything between calls: any thread may call it at any time.

#ifndef GERTIE_CHANNEL_H
#define GERTIE_CHANNEL_H

#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// What kind of thing a channel drives.
typedef enum GtChannelKind {
    GT_CHANNEL_TRANSLATION, ///< metres
    GT_CHANNEL_ROTATION,    ///< quaternion x, y, z, w
    GT_CHANNEL_SCALE,
    GT_CHANNEL_MORPH,      ///< weight of one morph target
    GT_CHANNEL_CAMERA_FOV, ///< radians
    GT_CHANNEL_KIND_COUNT
} GtChannelKind;

/// An address resolved against a scene.
typedef struct GtChannel {
    GtChannelKind kind;
    int32_t target;    ///< node; camera for GT_CHANNEL_CAMERA_FOV
    int32_t item;      ///< morph target; 0 elsewhere
    int32_t component; ///< 0 to 3 for x, y, z, w; GT_NONE for all of them
} GtChannel;

/// Longest name in an address, in bytes.
#define GT_CHANNEL_NAME_MAX 255

/// An address taken apart, before anything is looked up: `domain:name.property[i,j,k].component`.
typedef struct GtChannelAddress {
    char domain[32];                    ///< "morph", "camera", "section", "lattice"...; "" for a joint or node
    char name[GT_CHANNEL_NAME_MAX + 1]; ///< may hold dots and colons, as joint names do
    char property[32];                  ///< "translation", "rotation", "scale", "fov", "point"..., or ""
    int32_t indices[3];                 ///< [index_count]
    int32_t index_count;                ///< 0 to 3
    int32_t component;                  ///< 0 to 3 for x, y, z, w; GT_NONE where not given
} GtChannelAddress;

/// Take an address apart.
GT_API GtResult gt_channel_parse(const char* text, GtChannelAddress* out, GtError* error);

/// Find what an address means in a scene. A name is looked up as a humanoid joint first, then as a node; before the
/// slash of `morph:WHERE/TARGET` then as a mesh. `#12` is a node by its number, `WHERE/#3` a morph target by its own:
/// for those without a name, and those that share one.
GT_API GtResult gt_channel_resolve(const GtScene* scene, const char* text, GtChannel* out, GtError* error);

/// The address of a channel, in the form gt_channel_resolve() takes.
/// @param out  [out_size], always terminated when out_size > 0
/// @return length of the whole text, as snprintf would
GT_API int gt_channel_format(const GtScene* scene, const GtChannel* channel, char* out, size_t out_size);

/// Go through everything in a scene that can be animated: the nodes in order, each with its morph targets, then
/// cameras.
/// @param visit  receives each channel, all components in one, and its address as gt_channel_format() gives it; the
///               text lives only as long as the call
/// @return GT_OK, GT_ERROR_OUT_OF_MEMORY or GT_ERROR_CANCELLED
GT_API GtResult gt_channel_list(const GtContext* context, const GtScene* scene,
                                void (*visit)(void* user, const GtChannel* channel, const char* address), void* user,
                                GtError* error);

GT_EXTERN_C_END

#endif

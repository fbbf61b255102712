// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-scene: a posed character as a scene of plain meshes, for formats that have neither skins nor morphs.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_FREEZE_H
#define GERTIE_FREEZE_H

#include "gertie/instance.h"
#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// Make a scene of what an instance shows, as of its last gt_instance_update(): a root node for every node with a mesh,
/// with its vertices and normals where the runtime puts them, and texture coordinates and colours as shapes leave them.
/// All else of its primitives is shared with `scene`; skins, morphs, clips and other nodes are left out.
/// @param scene     that the instance's character was built from
/// @param out       receives the scene, or NULL on failure; free with gt_scene_destroy()
GT_API GtResult gt_scene_freeze(const GtContext* context, const GtScene* scene, GtInstance* instance, GtScene** out,
                                GtError* error);

/// Likewise, with vertices and normals that the caller has, and everything else as in `scene`.
/// @param character  that was built from `scene`
/// @param positions  [vertices of all meshes] one mesh after the other, in model space
/// @param normals    likewise, of meshes that have normals; NULL where none has
GT_API GtResult gt_scene_freeze_as(const GtContext* context, const GtScene* scene, const GtCharacter* character,
                                   const GtVec3* positions, const GtVec3* normals, GtScene** out, GtError* error);

GT_EXTERN_C_END

#endif

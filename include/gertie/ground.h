// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: uneven ground to stand on: how high it is anywhere, out of any mesh.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_GROUND_H
#define GERTIE_GROUND_H

#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// Ground made from triangles. Immutable, so any thread may read it.
typedef struct GtGround GtGround;

/// Make ground of all meshes of a scene, as they stand at rest. Where surfaces lie above each other, the topmost
/// counts; walls do not.
/// @param out  receives the ground, or NULL on failure; free with gt_ground_destroy()
/// @return GT_ERROR_BAD_VALUE when no triangle of the scene can be stood on
GT_API GtResult gt_ground_create(const GtContext* context, const GtScene* scene, GtGround** out, GtError* error);

/// Free ground; `ground` may be NULL.
GT_API void gt_ground_destroy(GtGround* ground);

/// How high the ground is at a place.
/// @param height_m  receives the height; left as it is beyond the ground's edges
/// @return whether there is ground at this place
GT_API bool gt_ground_at(const GtGround* ground, float x, float z, float* height_m);

GT_EXTERN_C_END

#endif

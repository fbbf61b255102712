// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where the nodes of a scene stand at rest.

#ifndef GERTIE_SCENE_WORLD_H
#define GERTIE_SCENE_WORLD_H

#include "gertie/mat34.h"
#include "gertie/scene.h"

// out: receives [node_count] world_from_node, the arena's
GtResult gti_scene_worlds(const GtScene* scene, GtArena* arena, GtMat34** out, GtError* error);

#endif

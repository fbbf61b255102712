// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which meshes and morph targets of a scene a name means, as channels have it (gertie/track.h): WHERE is the name of a
// node that shows a mesh, or else of a mesh, or "#12", a node by its number.

#ifndef GERTIE_SHAPES_TARGET_H
#define GERTIE_SHAPES_TARGET_H

#include "gertie/scene.h"

// The mesh that a text means, or GT_NONE.
int32_t gti_shape_mesh_find(const GtScene* scene, const char* where);

// Whether some mesh that is shown has that target: by its name, or, where it says which mesh, by "#3".
// where: or NULL for any
bool gti_shape_target_is(const GtScene* scene, const char* where, const char* name);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What expressions of VRM files do to materials: base colours and places of textures, which are drawn. Colours of what
// is not (emission, shade, rim, outline) stay in the file.

#ifndef GERTIE_SHAPES_FACE_LOOK_H
#define GERTIE_SHAPES_FACE_LOOK_H

#include "data/json.h"
#include "shapes/face.h"

// VRM 1.0: materialColorBinds and textureTransformBinds.
GtResult gti_face_read_colors(GtiFaceFinder* f, const char* control, const GtiJson* binds);
GtResult gti_face_read_places(GtiFaceFinder* f, const char* control, const GtiJson* binds);

// VRM 0: materialValues, whose colours are sRGB and whose textures have their origin below.
GtResult gti_face_read_values(GtiFaceFinder* f, const char* control, const GtiJson* values);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Base-colour textures on the graphics card.

#ifndef GERTIE_RENDER_DRAW_TEXTURE_H
#define GERTIE_RENDER_DRAW_TEXTURE_H

#include "gertie/scene.h"
#include "render/draw/gl.h"

// The picture of a scene's texture, or 0 where it cannot be shown, which is said as a warning: the surface is then
// drawn in its plain colour. Fails only when memory runs out.
GtResult gti_texture_create(const GtContext* context, GtiGl* gl, const GtScene* scene, int32_t texture, GLuint* out,
                            GtError* error);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Triangles that a mesh has more than once. They change nothing in the picture, or make glass a little darker; and a
// small file may have a million of them over the same three vertices, each of which a driver would draw.

#ifndef GERTIE_RENDER_DRAW_REPEATS_H
#define GERTIE_RENDER_DRAW_REPEATS_H

#include "gertie/memory.h"

#include <stdbool.h>
#include <stdint.h>

// The triangles of a mesh without those that repeat another, corner by corner, or that have a corner twice. Meshes with
// no more triangles than surfaces have for their vertices are not looked through.
// indices: [*index_count]; replaced by an array of the arena where any is left out
// Returns false when memory ran out.
bool gti_drop_repeats(GtArena* arena, int32_t vertex_count, const uint32_t** indices, int32_t* index_count);

#endif

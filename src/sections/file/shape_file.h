// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The list "shapes" of a deformation file: where shapes come from, and what drives them.

#ifndef GERTIE_SECTIONS_FILE_SHAPE_FILE_H
#define GERTIE_SECTIONS_FILE_SHAPE_FILE_H

#include "gertie/sculpt.h"
#include "gertie/shape_controls.h"
#include "gertie/shapes.h"

// Where a shape comes from; `from` is NULL where the character has it already.
typedef struct GtiShapeOrigin {
    const char* from;   // file, as the list names it
    const char* target; // morph target in it, or NULL for its mesh as it stands
    bool keep_normals;
    float rest;
} GtiShapeOrigin;

typedef struct GtiShapeList {
    GtShapeRule* rules;      // [count]
    GtiShapeOrigin* origins; // [count]
    int32_t count;
} GtiShapeList;

// Read a list that the schema has passed; NULL is an empty one. Arrays and texts are the arena's.
GtResult gti_shapes_read(GtArena* arena, const char* json, GtiShapeList* out, GtError* error);

// Whether there is more to the controls of a sculpt than their values.
bool gti_shapes_are_driven(const GtSculpt* sculpt);

// Tracks of the shapes of a sculpt, with its controls; what they give is added to the clip's weights.
// out: free with gt_shape_controls_destroy(); its first values are the sculpt's controls
GtResult gti_shapes_compile(const GtContext* context, const GtScene* scene, const GtSculpt* sculpt,
                            GtShapeControls** out, GtError* error);

#endif

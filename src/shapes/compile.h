// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Controls on their way to tracks, in passes: controls are kept in range and hold each other back
// (shape_override.c); values of shapes are summed, and come to weights (shape_weights.c); materials change
// (shape_material.c). Later passes read what earlier ones have written.

#ifndef GERTIE_SHAPES_COMPILE_H
#define GERTIE_SHAPES_COMPILE_H

#include "gertie/shape_controls.h"

#include "base/fail.h"

enum {
    GTI_SHAPE_NAME = 640, // "shape:MESH/NAME" with names of 256 bytes
    GTI_SHAPE_TERMS = 6,  // of one formula, beside what it goes on from
    GTI_SHAPE_MOST_MATERIALS = 4096
};

// A rule as it is compiled.
typedef struct GtiCompiledShape {
    const GtShapeRule* rule;
    const char* channel; // of its weight
    const char* value;   // name of its value, to be read
    int32_t main;        // rule it is between of, or GT_NONE
    int32_t between_count;
    bool skipped;
} GtiCompiledShape;

typedef struct GtiShapeCompiler {
    const GtShapeControlsDef* def;
    GtShapeControls* out;
    GtArena* arena;
    GtAllocator allocator;
    GtiCompiledShape* shapes; // [rule_count]
    bool* is_felt;            // [control_count] whether shapes read `felt:NAME`, not `control:NAME`
    GtTrackBinding* tracks;
    const char** names;
    float* rests;
    int32_t convex_count;
    GtError* error;
} GtiShapeCompiler;

// Fail at "KIND 'NAME'".
GtResult gti_shape_fail(const GtiShapeCompiler* c, GtResult code, const char* kind, const char* name,
                        const char* format, ...) GT_PRINTF(5, 6);

// The rule that a text means for a rule of `mesh`: of the same mesh first, then as "MESH/NAME", then of any; or
// GT_NONE.
int32_t gti_shape_find_rule(const GtiShapeCompiler* c, const char* text, const char* mesh);
int32_t gti_shape_find_control(const GtiShapeCompiler* c, const char* name);

// Text in the arena; NULL when memory runs out.
const char* gti_shape_text(GtiShapeCompiler* c, const char* format, const char* a, const char* b);

// What shapes read of a control, which is there: its name, in the arena.
const char* gti_shape_control_value(GtiShapeCompiler* c, const char* control);

void gti_shape_add_value(GtiShapeCompiler* c, const char* name, float rest);
GtResult gti_shape_add_formula(GtiShapeCompiler* c, const char* channel, const char* text);

// A curve over the value of that name.
GtResult gti_shape_add_curve(GtiShapeCompiler* c, const char* channel, const char* input, const GtCurveDef* def);

// How many tracks and values gti_shape_compile_controls() makes at most, and whether the lists are right.
GtResult gti_shape_check_overrides(const GtiShapeCompiler* c, size_t* count);

// Likewise of gti_shape_compile_materials().
GtResult gti_shape_check_materials(const GtiShapeCompiler* c, size_t* count);

// The passes.
GtResult gti_shape_compile_controls(GtiShapeCompiler* c);
GtResult gti_shape_compile_weights(GtiShapeCompiler* c);
GtResult gti_shape_compile_materials(const GtContext* context, GtiShapeCompiler* c);

// Whether the shape shares a weight of 1 with others.
bool gti_shape_is_convex(const GtiCompiledShape* shape);

#endif

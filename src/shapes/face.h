// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A face in the making: controls and what they move.

#ifndef GERTIE_SHAPES_FACE_H
#define GERTIE_SHAPES_FACE_H

#include "gertie/shape_controls.h"

#include "base/fail.h"

// A rule in the making.
typedef struct GtiFaceRule {
    const char* name;
    const char* mesh;     // or NULL
    int32_t node, target; // that it is about; GT_NONE where the name alone says it
    GtShapeDrive* drives; // [count]
    float* last;          // what the last of them comes to
    int32_t count, capacity;
} GtiFaceRule;

typedef struct GtiFaceFinder {
    const GtScene* scene;
    GtFace* face;
    GtArena* arena;
    GtShapeControl* controls; // [GTI_FACE_MOST_CONTROLS]
    int32_t control_count;
    GtiFaceRule* rules; // [GT_SHAPES_MAX]
    int32_t rule_count;
    GtMaterialRule* materials; // [GTI_FACE_MOST_MATERIALS]
    int32_t material_count;
    int32_t look_count; // binds of materials that were looked at
    GtError* error;
} GtiFaceFinder;

enum {
    GTI_FACE_MOST_CONTROLS = 512,
    GTI_FACE_MOST_MATERIALS = 4096,
    GTI_FACE_MOST_LOOKS = 16384
};

// Whether channels and formulas can hold a name.
bool gti_face_is_name(const char* name);

// A control of that name, [length] bytes; *out is NULL where there is one already, or it can be none.
GtResult gti_face_add_control(GtiFaceFinder* f, const char* name, size_t length, GtShapeControl** out);

// A rule of its own; NULL where there are too many.
GtiFaceRule* gti_face_add_rule(GtiFaceFinder* f);

// Move a rule's shape to `weight` as the control goes from 0 to 1; where it does so already, further by that.
GtResult gti_face_add_drive(GtiFaceFinder* f, const char* control, GtiFaceRule* rule, float weight);

// What a VRM file says of expressions; none where it says nothing that can be played.
GtResult gti_face_read_vrm(GtiFaceFinder* f);

#endif

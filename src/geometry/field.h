// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A scalar field over space, negative inside a shape. Near its zero level it behaves like a distance in metres.

#ifndef GERTIE_GEOMETRY_FIELD_H
#define GERTIE_GEOMETRY_FIELD_H

#include "gertie/vec.h"

// Pure: any thread may call `value` at any time.
typedef struct GtiField {
    float (*value)(const void* user, GtVec3 p);
    float (*slope)(const void* user, GtVec3 p, GtVec3* gradient); // the value and about its gradient
    const void* user;
} GtiField;

static inline float gti_field_value(const GtiField* field, GtVec3 p)
{
    return field->value(field->user, p);
}

// Gradient by differences over a tetrahedron with corners `step` away along each axis.
GtVec3 gti_field_gradient(const GtiField* field, GtVec3 p, float step);

// Go from `p` to the zero level along the slope, at most `reach` in all, to within `tolerance` of it. Stays at `p`
// where the field is flat. `gradient` receives about the gradient where it ends.
GtVec3 gti_field_project(const GtiField* field, GtVec3 p, float tolerance, float reach, GtVec3* gradient);

#endif

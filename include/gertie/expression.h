// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-scene: the vocabularies of faces.
///
/// The vocabularies of faces: the 52 blend shapes of ARKit, and the 18 preset expressions of VRM 1.0, each by the names
/// that files have for them; and which ARKit shapes make which expression, so that a face with ARKit's shapes is driven
/// by VRM's names.
///
/// **Threads.** Nothing here keeps anything between calls: any thread may call it at any time.

#ifndef GERTIE_EXPRESSION_H
#define GERTIE_EXPRESSION_H

#include "gertie/api.h"

GT_EXTERN_C_BEGIN

/// Blend shapes of ARKit.
#define GT_ARKIT_COUNT 52

/// Preset expressions of VRM 1.0.
typedef enum GtExpression {
    GT_EXPRESSION_HAPPY,
    GT_EXPRESSION_ANGRY,
    GT_EXPRESSION_SAD,
    GT_EXPRESSION_RELAXED,
    GT_EXPRESSION_SURPRISED,
    GT_EXPRESSION_AA,
    GT_EXPRESSION_IH,
    GT_EXPRESSION_OU,
    GT_EXPRESSION_EE,
    GT_EXPRESSION_OH,
    GT_EXPRESSION_BLINK,
    GT_EXPRESSION_BLINK_LEFT,
    GT_EXPRESSION_BLINK_RIGHT,
    GT_EXPRESSION_LOOK_UP,
    GT_EXPRESSION_LOOK_DOWN,
    GT_EXPRESSION_LOOK_LEFT,
    GT_EXPRESSION_LOOK_RIGHT,
    GT_EXPRESSION_NEUTRAL,
    GT_EXPRESSION_COUNT ///< 18
} GtExpression;

/// ARKit's name of a shape, such as "jawOpen", "eyeBlinkLeft"; "" for a number that is none.
GT_API const char* gt_arkit_name(int32_t shape);

/// The ARKit shape that a name means, or GT_NONE. Case and what separates words do not matter, nor does what is before
/// a colon, dot or bar, and sides may be L and R: `jawOpen`, `JawOpen`, `jaw_open`, `Face.jawOpen`, `eyeBlink_L`.
GT_API int32_t gt_arkit_find(const char* name);

/// The shape of the other side; the shape itself on the middle line.
GT_API int32_t gt_arkit_mirror(int32_t shape);

/// VRM 1.0's name of an expression, such as "aa", "blinkLeft"; "" for a value that is none.
GT_API const char* gt_expression_name(GtExpression expression);

/// The expression that a name means, or GT_NONE: by VRM 1.0 (`happy`, `aa`), by VRM 0 (`Joy`, `A`, `Blink_L`), by the
/// shapes of VRoid's models (`Fcl_ALL_Joy`, `Fcl_MTH_A`, `Fcl_EYE_Close_L`), or the vowels and the blink of MMD's.
GT_API int32_t gt_expression_find(const char* name);

/// A share of a shape.
typedef struct GtExpressionPart {
    int32_t shape; ///< of ARKit
    float weight;
} GtExpressionPart;

/// What an expression is in shapes of ARKit; none for the neutral one. docs/methods/blend-shapes.md lists them.
/// @param count  receives how many there are
GT_API const GtExpressionPart* gt_expression_parts(GtExpression expression, int32_t* count);

GT_EXTERN_C_END

#endif

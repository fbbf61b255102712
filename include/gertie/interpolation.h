// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: how values between the keys of a curve are found.
///
/// **Threads.** Nothing here keeps anything between calls: any thread may call it at any time.

#ifndef GERTIE_INTERPOLATION_H
#define GERTIE_INTERPOLATION_H

/// glTF's three kinds of interpolation.
typedef enum GtInterpolation {
    GT_INTERPOLATION_LINEAR, ///< spherical for rotations
    GT_INTERPOLATION_STEP,
    GT_INTERPOLATION_CUBICSPLINE, ///< each key is in-tangent, value, out-tangent
} GtInterpolation;

#endif

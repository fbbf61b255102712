// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: formulas.
///
/// Formulas of time and other values, as text that is compiled once and evaluated in any frame:
///
///     0.2 * sin(2 * pi * t / 1.5)
///     clamp(0, 1, 3 * leftFoot.translation.y) + 'DEF-jaw.001.turn.x' ^ 2
///
/// - numbers `2`, `.5`, `1e-3`, `pi`, `tau`; the time `t` in seconds
/// - `+ - * / ^` and parentheses; `^` binds to the right, and before a sign: -2^2 is -4
/// - of one number: sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs sign floor ceil round fract
/// - of more: atan2(y, x), mod(a, b) with the sign of b, min(a, b), max(a, b), pow(a, b), step(edge, x),
///   clamp(low, high, x), lerp(a, b, share), smoothstep(low, high, x)
/// - names of other values: a letter or `_`, then letters, digits, `_`, `.`, `:` and indices in brackets, or any text
///   in single quotes; who evaluates the formula gives their values
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_FORMULA_H
#define GERTIE_FORMULA_H

#include "gertie/error.h"
#include "gertie/memory.h"

GT_EXTERN_C_BEGIN

/// Longest text of a formula in bytes, most different names in it, and deepest nesting.
#define GT_FORMULA_MAX_SIZE  4096
#define GT_FORMULA_MAX_NAMES 32
#define GT_FORMULA_MAX_DEPTH 64

/// A compiled formula. Immutable, one block of memory; any thread may read it.
typedef struct GtFormula GtFormula;

/// Compile a formula. GT_ERROR_BAD_VALUE where it is not one, GT_ERROR_LIMIT where it is larger than stated above.
/// @param out    receives the formula, or NULL on failure; free with gt_formula_destroy()
/// @param error  may be NULL; says at which character what is wrong
GT_API GtResult gt_formula_create(GtAllocator allocator, const char* text, GtFormula** out, GtError* error);

/// Free a formula; `formula` may be NULL.
GT_API void gt_formula_destroy(GtFormula* formula);

/// How many different names the formula holds, and each of them, in order of first appearance.
GT_API int32_t gt_formula_name_count(const GtFormula* formula);
GT_API const char* gt_formula_name(const GtFormula* formula, int32_t index);

/// The formula's value, as double arithmetic has it: NaN or infinite where mathematics has no number.
/// @param values  [gt_formula_name_count()] of the names; may be NULL when there are none
GT_API double gt_formula_eval(const GtFormula* formula, double time_s, const double* values);

GT_EXTERN_C_END

#endif

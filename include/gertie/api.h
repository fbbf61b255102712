// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: version, export marks, and the rules that all headers keep.
///
/// **Names.** Functions are gt_noun_verb(), types GtNoun, constants GT_NAME. A GtXDef says what something is made of or
/// how it is done, a GtXReport what a call did and measured.
///
/// **Units.** Metres, seconds and radians, in every struct and function; names say so: `_m`, `_s`, `_rad`, `_hz`,
/// `_mps`. Files and pages for people have degrees (gt_degrees(), gertie/quat.h). Right-handed, Y up, xyzw quaternions;
/// a character faces +Z, and its left is +X.
///
/// **Defs.** Start from gt_default_x_def() and change fields. A parameter `const GtXDef* def` may always be NULL, which
/// is the same as the default; where that lacks something, such as the character of drivers, the call fails and says
/// so. New fields are appended to a Def, with a default that changes nothing: a program that starts from the default
/// keeps compiling and keeps its results. A Def that is initialised in another way, by `{ 0 }` or a list of fields, may
/// come to lack a value that it needs. In structs that have no default function (jobs, frames, bindings) zero is the
/// default of every field, and of those to come: `{ 0 }` and designated initialisers are for them.
///
/// **Versions.** Before 1.0 a minor version may change functions and the layout of structs. The shared libraries carry
/// major and minor version in their names (libgertie.so.0.1), so a program never runs with another layout than it was
/// compiled for; gt_version() says which one runs.
///
/// **Lifetime.** What a call gives through a `GtX** out` is freed with gt_x_destroy(). What gt_x_open() opened over
/// data that stays the caller's is closed with gt_x_close(). References are counted with gt_x_retain() and
/// gt_x_release(). These take one pointer, which may be NULL. On failure `*out` is NULL.
///
/// **Failure.** A call that can fail returns a GtResult and fills a GtError, which may be NULL, as a `report` may.
/// Breaking a stated condition, such as an index out of range, is a bug of the caller's: debug builds stop there.
///
/// **Threads.** What a call takes as const may be shared by any number of threads; everything else is one thread's
/// while the call lasts. Objects that are not the same never share state. What is narrower, as for renderers, stands in
/// the header.

#ifndef GERTIE_API_H
#define GERTIE_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GT_VERSION_MAJOR  0
#define GT_VERSION_MINOR  1
#define GT_VERSION_PATCH  0
#define GT_VERSION_STRING "0.1.0"

#if defined(__GNUC__)
#define GT_API                               __attribute__((visibility("default")))
#define GT_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define GT_API
#define GT_PRINTF(format_index, first_index)
#endif

#ifdef __cplusplus
#define GT_EXTERN_C_BEGIN extern "C" {
#define GT_EXTERN_C_END   }
#define GT_ALIGN16        alignas(16)
#else
#define GT_EXTERN_C_BEGIN
#define GT_EXTERN_C_END
#define GT_ALIGN16 _Alignas(16)
#endif

/// "No such thing", wherever an index is expected.
#define GT_NONE (-1)

GT_EXTERN_C_BEGIN

/// Version of the library that is running, as "major.minor.patch".
GT_API const char* gt_version(void);

GT_EXTERN_C_END

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: version, export marks and shared constants.
///
/// Version, export marks and the constants every other header shares.

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

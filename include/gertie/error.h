// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: results and errors.
///
/// Results and errors. A function that can fail returns a GtResult and fills a GtError that says which file,
/// where in it, what is wrong and what to do about it.
///
/// **Threads.** Nothing here keeps anything between calls: any thread may call it at any time.

#ifndef GERTIE_ERROR_H
#define GERTIE_ERROR_H

#include "gertie/api.h"

GT_EXTERN_C_BEGIN

/// What became of a call.
typedef enum GtResult {
    GT_OK = 0,
    GT_ERROR_OUT_OF_MEMORY,
    GT_ERROR_IO,          ///< the system could not open, read or write a file
    GT_ERROR_BAD_FILE,    ///< the bytes are not what the format says: truncated, not JSON, a wrong type
    GT_ERROR_BAD_VALUE,   ///< well formed, but a value is wrong: an index out of range, a NaN, a cycle
    GT_ERROR_UNSUPPORTED, ///< well formed, but it needs something Gertie lacks
    GT_ERROR_LIMIT,       ///< larger than a stated limit
    GT_ERROR_NOT_FOUND,   ///< a name, channel or clip that was asked for is not there
    GT_ERROR_STRICT,      ///< repairable, but the context is strict
    GT_ERROR_CANCELLED,   ///< the caller's progress function asked to stop
} GtResult;

/// Why a call failed. Plain data: copy it freely. Zero-initialise it, or let the call fill it.
typedef struct GtError {
    GtResult code;
    char file[256];    ///< file at fault, or empty; of a longer path the end is kept
    char where[160];   ///< place in the file ("line 12", "byte 20", "meshes[0].primitives[1]"), or empty
    char message[512]; ///< what is wrong and what to do: one sentence, no full stop, no newline
} GtError;

/// Short lower-case English for a result, such as "bad value". Never NULL.
GT_API const char* gt_result_name(GtResult result);

/// A name of a result for programs that read reports, such as "bad_value". Never NULL, and never changed.
GT_API const char* gt_result_code(GtResult result);

/// Write "file: where: message" into `out`, leaving out what is empty.
/// @param out       [out_size], always terminated when out_size > 0
/// @return length of the whole text, as snprintf would
GT_API int gt_error_format(const GtError* error, char* out, size_t out_size);

GT_EXTERN_C_END

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-scene: text that grows, for reports, pages and files.
///
/// **Threads.** A text is one thread's at a time.

#ifndef GERTIE_TEXT_H
#define GERTIE_TEXT_H

#include "gertie/memory.h"

GT_EXTERN_C_BEGIN

/// Text that grows. When memory runs out every further call does nothing, and `failed` says so; so only the end of a
/// long text has to be checked. Zero-initialised it is empty, with memory of its own.
typedef struct GtText {
    GtArena* arena; ///< where it grows, or NULL for memory that gt_text_destroy() gives back. While it grows, the arena
                    ///< must not go back to a mark taken since the first addition
    char* bytes;    ///< [size] and a terminator; NULL while nothing was added
    size_t size;
    size_t capacity; ///< private
    bool failed;
    bool is_fixed; ///< private
} GtText;

/// Text in memory of the caller's, which does not grow: an addition that does not fit is left out, and `failed` says
/// so. Nothing is allocated, so that a program can still speak when memory has run out.
/// @param buffer  [size], 1 byte or more; must outlive the text
GT_API GtText gt_text_in(char* buffer, size_t size);

/// Free the memory of a text that has its own, and empty it; `text` may be NULL.
GT_API void gt_text_destroy(GtText* text);

GT_API void gt_text_add(GtText* text, const char* bytes, size_t size);
GT_API void gt_text_adds(GtText* text, const char* terminated);

/// Add what printf() would print in the C locale, whatever the program's locale is.
GT_API void gt_text_addf(GtText* text, const char* format, ...) GT_PRINTF(2, 3);

/// Add what a file or a user wrote: control characters, which could drive a terminal, and bytes that are no UTF-8
/// become '?'.
GT_API void gt_text_add_printable(GtText* text, const char* untrusted);

/// The terminated text, which is empty where nothing was added, or NULL when memory ran out.
GT_API char* gt_text_finish(GtText* text);

GT_EXTERN_C_END

#endif

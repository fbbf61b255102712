// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A text of numbered rows, one a line, as PLY and OFF have it: which row a line is must be known before it can be
// parsed, so lines are counted first.

#ifndef GERTIE_IO_TEXT_ROWS_H
#define GERTIE_IO_TEXT_ROWS_H

#include "io/text/pieces.h"

// Rows of one piece.
typedef struct GtiTextRows {
    int32_t piece;
    int32_t slot;
    int64_t first; // number of the first row
    const char* text;
    const char* end;
} GtiTextRows;

// Parse the rows of a piece, on any thread; false stops the work early.
typedef bool (*GtiRowsFn)(void* user, const GtiTextRows* rows);

// The next line that is neither empty nor a comment (#), or NULL at the end; *line counts those before it.
const char* gti_next_row(const char* p, const char* end, int64_t* line);

// What is known of the rows while they are parsed.
typedef struct GtiRowMarks {
    int64_t* counts;    // [gti_piece_count() + 1] rows before each piece, once they are counted
    int64_t* error_row; // [slot_count] row of the first error of a slot, or -1
    int32_t slot_count;
} GtiRowMarks;

// False when memory ran out.
bool gti_row_marks_make(const GtiTextPieces* pieces, GtArena* arena, GtiRowMarks* out);

// Count the rows of every piece, and parse them.
GtResult gti_parse_rows(const GtiTextPieces* pieces, GtiRowMarks* marks, GtiRowsFn fn, void* user, GtError* error);

// The line of row `row`, from 1 on, counted from the pieces' start; 0 where it cannot be found.
int64_t gti_line_of_row(const GtiTextPieces* pieces, const int64_t* counts, int64_t row);

// The first of the rows in error, or -1 where there is none.
// @param where  receives "line 12", counted on from `lines` before the pieces
int64_t gti_first_bad_row(const GtiTextPieces* pieces, const GtiRowMarks* marks, int64_t lines, char where[32]);

#endif

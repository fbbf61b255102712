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

// Count the rows of every piece, and parse them.
// @param counts  [gti_piece_count() + 1] scratch that stays with the caller: receives the rows before each piece
GtResult gti_parse_rows(const GtiTextPieces* pieces, int64_t* counts, GtiRowsFn fn, void* user, GtError* error);

// The line of row `row`, from 1 on, counted from the pieces' start; 0 where it cannot be found.
int64_t gti_line_of_row(const GtiTextPieces* pieces, const int64_t* counts, int64_t row);

// The first of the rows in error, each of a slot or -1, or -1 where there is none.
// @param where  receives "line 12", counted on from `lines` before the pieces
int64_t gti_first_bad_row(const GtiTextPieces* pieces, const int64_t* counts, const int64_t* rows, int32_t slot_count,
                          int64_t lines, char where[32]);

#endif

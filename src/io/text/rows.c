// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "io/text/rows.h"

#include "io/text/scan.h"

#include <stdio.h>

typedef struct Work {
    int64_t* counts;
    GtiRowsFn fn;
    void* user;
    int64_t row;  // to find the line of
    int64_t line; // of it in its piece, from 0 on; or lines of the piece
} Work;

const char* gti_next_row(const char* p, const char* end, int64_t* line)
{
    while (p < end) {
        while (gti_is_blank(*p)) {
            ++p;
        }
        if (p < end && !gti_is_line_end(*p) && *p != '#') {
            return p;
        }
        p = gti_skip_line_end(gti_find_line_end(p, end), end, line);
    }
    return NULL;
}

static bool count_rows(void* user, const GtiPiece* piece)
{
    Work* work = user;
    int64_t line = 0;
    int64_t count = 0;
    const char* p = piece->text;
    while ((p = gti_next_row(p, piece->end, &line)) != NULL) {
        ++count;
        p = gti_skip_line_end(gti_find_line_end(p, piece->end), piece->end, &line);
    }
    work->counts[piece->index + 1] = count;
    return true;
}

static bool parse_rows(void* user, const GtiPiece* piece)
{
    Work* work = user;
    const GtiTextRows rows = { .piece = piece->index,
                               .slot = piece->slot,
                               .first = work->counts[piece->index],
                               .text = piece->text,
                               .end = piece->end };
    return work->fn(work->user, &rows);
}

bool gti_row_marks_make(const GtiTextPieces* pieces, GtArena* arena, GtiRowMarks* out)
{
    out->slot_count = gti_piece_slot_count(pieces);
    out->counts = gt_arena_push_array(arena, (size_t)gti_piece_count(pieces) + 1, sizeof *out->counts);
    out->error_row = gt_arena_push_array(arena, (size_t)out->slot_count, sizeof *out->error_row);
    for (int32_t i = 0; out->error_row && i < out->slot_count; ++i) {
        out->error_row[i] = -1;
    }
    return out->counts && out->error_row;
}

GtResult gti_parse_rows(const GtiTextPieces* pieces, GtiRowMarks* marks, GtiRowsFn fn, void* user, GtError* error)
{
    int64_t* counts = marks->counts;
    Work work = { .counts = counts, .fn = fn, .user = user };
    counts[0] = 0;
    GtResult result = gti_parse_pieces(pieces, count_rows, &work, error);
    int32_t count = gti_piece_count(pieces);
    for (int32_t i = 0; i < count && result == GT_OK; ++i) {
        counts[i + 1] += counts[i];
    }
    return result == GT_OK ? gti_parse_pieces(pieces, parse_rows, &work, error) : result;
}

static bool find_line(void* user, const GtiPiece* piece)
{
    Work* work = user;
    const char* p = piece->text;
    work->line = 0;
    for (int64_t row = work->counts[piece->index]; (p = gti_next_row(p, piece->end, &work->line)) != NULL; ++row) {
        if (row == work->row) {
            return false;
        }
        p = gti_skip_line_end(gti_find_line_end(p, piece->end), piece->end, &work->line);
    }
    return true;
}

int64_t gti_line_of_row(const GtiTextPieces* pieces, const int64_t* counts, int64_t row)
{
    Work work = { .counts = (int64_t*)counts, .row = row };
    int64_t before = 1;
    for (int32_t i = 0; i < gti_piece_count(pieces) && counts[i] <= row; ++i) {
        if (gti_parse_piece(pieces, i, find_line, &work, NULL) != GT_OK) {
            return 0;
        }
        before += work.line;
        if (row < counts[i + 1]) {
            return before;
        }
    }
    return before;
}

int64_t gti_first_bad_row(const GtiTextPieces* pieces, const GtiRowMarks* marks, int64_t lines, char where[32])
{
    int64_t row = -1;
    for (int32_t i = 0; i < marks->slot_count; ++i) {
        int64_t own = marks->error_row[i];
        row = own >= 0 && (row < 0 || own < row) ? own : row;
    }
    if (row >= 0) {
        snprintf(where, 32, "line %lld", (long long)(gti_line_of_row(pieces, marks->counts, row) + lines));
    }
    return row;
}

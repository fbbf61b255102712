// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A large text, cut into pieces of whole lines that are parsed by several threads. Where it is cut depends on the text
// alone, so that results do not depend on the number of threads.

#ifndef GERTIE_IO_TEXT_PIECES_H
#define GERTIE_IO_TEXT_PIECES_H

#include "data/byte_source.h"

enum {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    GTI_PIECE_SIZE = 64, // fuzzers write short files, and cuts are where mistakes are
#else
    GTI_PIECE_SIZE = 1 << 19, // bytes from cut to cut, but for the line that lies across
#endif
    GTI_PIECE_ROOM = 32 // bytes that may be read before and after a piece's text; those after are 0
};

// A range of whole lines. A line ends with \n, \r\n, \r or 0; one that ends with a backslash goes on in the next,
// unless it is a comment (#).
typedef struct GtiPiece {
    int32_t index;
    int32_t slot; // of the worker; two pieces with the same slot are never parsed at the same time
    const char* text;
    const char* end;
} GtiPiece;

// Parse one piece, on any thread. Faults are the user's to keep until all are done; false stops the work early.
typedef bool (*GtiPieceFn)(void* user, const GtiPiece* piece);

// Bytes [first, end) of a source, to be parsed as text.
typedef struct GtiTextPieces {
    const GtContext* context;
    const GtiByteSource* source;
    uint64_t first;
    uint64_t end;
    const char* task; // for progress
    // Called now and then on the thread of the call, with the pieces [first, end) that have been parsed since; every
    // piece comes once, in order. false stops the work early. May be NULL.
    bool (*wave)(void* user, int32_t first, int32_t end);
} GtiTextPieces;

int32_t gti_piece_count(const GtiTextPieces* pieces);

// Slots that workers may have: 0 to this - 1.
int32_t gti_piece_slot_count(const GtiTextPieces* pieces);

// Parse all pieces, in any order.
GtResult gti_parse_pieces(const GtiTextPieces* pieces, GtiPieceFn fn, void* user, GtError* error);

// Read piece `index` again and hand it to `fn` on this thread: to find the line of a fault.
GtResult gti_parse_piece(const GtiTextPieces* pieces, int32_t index, GtiPieceFn fn, void* user, GtError* error);

static inline bool gti_is_line_end(char c)
{
    return c == '\n' || c == '\r' || c == '\0';
}

#endif

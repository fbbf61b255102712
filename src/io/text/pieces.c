// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Piece i holds the lines that start in [i * GTI_PIECE_SIZE, (i + 1) * GTI_PIECE_SIZE). Each worker reads its own piece
// into its own buffer, with a little before it, to see whether a line starts there, and as much after it as the last
// line needs. Both neighbours of a cut look at the same bytes around it and so agree on it.

#include "io/text/pieces.h"

#include "base/fail.h"

#include <stdatomic.h>
#include <string.h>

enum {
    LOOK_BACK = 256,  // bytes in which a comment's '#' is looked for before a backslash at a line's end
    LOOK_AHEAD = 4096 // bytes read beyond a piece before it is known whether they are needed
};

#define LONGEST_LINE ((size_t)256 << 20)
#define WAVE_PIECES  32 // a worker, between two looks at whether the caller wants to stop

// A worker's buffer: GTI_PIECE_ROOM bytes, text, GTI_PIECE_ROOM zeros.
typedef struct Buffer {
    char* block;
    size_t capacity; // of text
} Buffer;

typedef struct Work {
    const GtiTextPieces* pieces;
    GtiPieceFn fn;
    void* user;
    Buffer* buffers;
    int32_t wave_end;
    atomic_int next;
    atomic_int failed; // GtResult of the first failure
    atomic_bool stopped;
} Work;

int32_t gti_piece_count(const GtiTextPieces* pieces)
{
    uint64_t count = (pieces->end - pieces->first + GTI_PIECE_SIZE - 1) / GTI_PIECE_SIZE;
    return count > INT32_MAX ? INT32_MAX : (int32_t)count;
}

int32_t gti_piece_slot_count(const GtiTextPieces* pieces)
{
    int32_t threads = pieces->context->executor.thread_count;
    int32_t count = gti_piece_count(pieces);
    return threads < 1 || count < 1 ? 1 : threads < count ? threads : count;
}

static bool reserve(GtAllocator allocator, Buffer* buffer, size_t used, size_t capacity)
{
    if (capacity <= buffer->capacity) {
        return true;
    }
    char* block = allocator.allocate(allocator.user, capacity + 2 * GTI_PIECE_ROOM);
    if (!block) {
        return false;
    }
    memset(block, 0, GTI_PIECE_ROOM);
    if (used) {
        memcpy(block + GTI_PIECE_ROOM, buffer->block + GTI_PIECE_ROOM, used);
    }
    allocator.release(allocator.user, buffer->block);
    *buffer = (Buffer){ block, capacity };
    return true;
}

static bool is_comment(const char* line, const char* end)
{
    while (line < end && (*line == ' ' || *line == '\t')) {
        ++line;
    }
    return line < end && *line == '#';
}

// Whether the line end at `p` is escaped by a backslash in a line that is no comment.
static bool is_escaped(const char* text, const char* p)
{
    const char* before = p;
    if (*p == '\n' && before > text && before[-1] == '\r') {
        --before;
    }
    if (before == text || before[-1] != '\\') {
        return false;
    }
    const char* line = before;
    while (line > text && before - line < LOOK_BACK && !gti_is_line_end(line[-1])) {
        --line;
    }
    return !is_comment(line, before);
}

// The first line start at `from` or later: the byte after an unescaped line end; NULL where there is none before `end`.
static const char* find_line_start(const char* text, const char* from, const char* end)
{
    for (const char* p = from - 1; p < end; ++p) {
        bool pair = *p == '\r' && p + 1 < end && p[1] == '\n';
        if (gti_is_line_end(*p) && !pair && !is_escaped(text, p)) {
            return p + 1;
        }
    }
    return NULL;
}

// Read until the line that lies across the piece's end is whole.
static GtResult read_piece(const GtiTextPieces* pieces, int32_t index, Buffer* buffer, GtiPiece* piece)
{
    GtAllocator allocator = pieces->context->allocator;
    uint64_t start = pieces->first + (uint64_t)index * GTI_PIECE_SIZE;
    uint64_t back = start - pieces->first < LOOK_BACK + 4 ? start - pieces->first : LOOK_BACK + 4;
    uint64_t rest = pieces->end - start;
    size_t body = (size_t)back + (size_t)(rest < GTI_PIECE_SIZE ? rest : GTI_PIECE_SIZE);
    size_t wanted = body;
    size_t got = 0;
    bool ends = rest <= GTI_PIECE_SIZE;
    const char* line_end = NULL;
    for (size_t ahead = ends ? 0 : LOOK_AHEAD;; ahead *= 4) {
        wanted = body + ahead;
        wanted = wanted < back + rest ? wanted : (size_t)(back + rest);
        if (wanted > LONGEST_LINE) {
            return GT_ERROR_LIMIT;
        }
        if (!reserve(allocator, buffer, got, wanted)) {
            return GT_ERROR_OUT_OF_MEMORY;
        }
        char* text = buffer->block + GTI_PIECE_ROOM;
        got += gti_byte_source_read(pieces->source, start - back + got, text + got, wanted - got);
        if (got < wanted) {
            return GT_ERROR_IO;
        }
        line_end = ends ? text + got : find_line_start(text, text + body, text + got);
        if (!line_end && wanted == back + rest) {
            line_end = text + got;
        }
        if (line_end) {
            break;
        }
    }
    char* text = buffer->block + GTI_PIECE_ROOM;
    memset(text + got, 0, GTI_PIECE_ROOM);
    piece->text = index == 0 ? text : find_line_start(text, text + back, text + body);
    piece->text = piece->text && piece->text < text + body ? piece->text : line_end;
    piece->end = line_end;
    // What follows the last line is another's; a scanner that looks ahead must not take it for this one's.
    memset(text + (line_end - text), 0, GTI_PIECE_ROOM);
    return GT_OK;
}

static void fail_work(Work* work, GtResult result)
{
    int none = GT_OK;
    atomic_compare_exchange_strong(&work->failed, &none, (int)result);
    atomic_store(&work->stopped, true);
}

static void parse_some(void* data, int32_t first, int32_t end)
{
    Work* work = data;
    for (int32_t slot = first; slot < end; ++slot) {
        while (!atomic_load(&work->stopped)) {
            GtiPiece piece = { .index = atomic_fetch_add(&work->next, 1), .slot = slot };
            if (piece.index >= work->wave_end) {
                break;
            }
            GtResult result = read_piece(work->pieces, piece.index, &work->buffers[slot], &piece);
            if (result != GT_OK) {
                fail_work(work, result);
            } else if (!work->fn(work->user, &piece)) {
                atomic_store(&work->stopped, true);
            }
        }
    }
}

static GtResult say_failure(GtResult result, GtError* error)
{
    switch (result) {
    case GT_ERROR_LIMIT:
        return gti_fail(error, result, "it has a line of more than %zu MB, or no lines at all", LONGEST_LINE >> 20);
    case GT_ERROR_IO:
        return gti_fail(error, result,
                        "the file became shorter while it was read, or cannot be read completely; try again");
    default:
        return gti_out_of_memory(error);
    }
}

static GtResult run_waves(Work* work, int32_t slot_count, GtError* error)
{
    const GtContext* context = work->pieces->context;
    int32_t count = gti_piece_count(work->pieces);
    for (int32_t first = 0; first < count && !atomic_load(&work->stopped); first = work->wave_end) {
        GtResult result = gti_progress(context, error, work->pieces->task, (double)first / (double)count);
        if (result != GT_OK) {
            return result;
        }
        int64_t wave_end = first + (int64_t)slot_count * WAVE_PIECES;
        work->wave_end = wave_end < count ? (int32_t)wave_end : count;
        atomic_store(&work->next, first);
        gt_executor_run(&context->executor, slot_count, 1, parse_some, work);
        if (work->pieces->wave && !atomic_load(&work->stopped) &&
            !work->pieces->wave(work->user, first, work->wave_end)) {
            break;
        }
    }
    GtResult result = (GtResult)atomic_load(&work->failed);
    return result == GT_OK ? GT_OK : say_failure(result, error);
}

GtResult gti_parse_pieces(const GtiTextPieces* pieces, GtiPieceFn fn, void* user, GtError* error)
{
    GtAllocator allocator = pieces->context->allocator;
    int32_t slot_count = gti_piece_slot_count(pieces);
    Work work = { .pieces = pieces, .fn = fn, .user = user };
    work.buffers = allocator.allocate(allocator.user, (size_t)slot_count * sizeof *work.buffers);
    if (!work.buffers) {
        return gti_out_of_memory(error);
    }
    memset(work.buffers, 0, (size_t)slot_count * sizeof *work.buffers);
    GtResult result = run_waves(&work, slot_count, error);
    for (int32_t i = 0; i < slot_count; ++i) {
        allocator.release(allocator.user, work.buffers[i].block);
    }
    allocator.release(allocator.user, work.buffers);
    return result;
}

GtResult gti_parse_piece(const GtiTextPieces* pieces, int32_t index, GtiPieceFn fn, void* user, GtError* error)
{
    Buffer buffer = { 0 };
    GtiPiece piece = { .index = index };
    GtResult result = read_piece(pieces, index, &buffer, &piece);
    if (result == GT_OK) {
        fn(user, &piece);
    } else {
        result = say_failure(result, error);
    }
    pieces->context->allocator.release(pieces->context->allocator.user, buffer.block);
    return result;
}

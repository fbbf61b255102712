// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a batch has done so far, in a file of its folder, so that it can go on after it was stopped at any point. Each
// motion that is done becomes a line at the end, with its clips. A line that is not whole, or of other inputs, is as
// good as none.

#ifndef GERTIE_BATCH_JOURNAL_H
#define GERTIE_BATCH_JOURNAL_H

#include "batch/clips.h"

// One motion that was done.
typedef struct GtiJournalEntry {
    uint64_t key;        // of everything that its result depends on
    int64_t output_size; // of the file that was written
    int64_t output_modified_ns;
    GtBatchClips clips;
} GtiJournalEntry;

// A file that is written to; a line is written at one stroke.
typedef struct GtiJournal {
    int file;       // or -1
    bool torn;      // its last line has no end
    GtText content; // as it was found
} GtiJournal;

// Open `path`, or make it, for this process alone. Without `keep`, what is in it is dropped.
// Returns false with errno set, EWOULDBLOCK where another process has it; gti_journal_close() is due then, too.
bool gti_journal_open(GtiJournal* journal, const char* path, bool keep);
void gti_journal_close(GtiJournal* journal);

// Write down a motion; false with errno set.
bool gti_journal_add(GtiJournal* journal, const GtiJournalEntry* entry);

// Read the next entry of what was there when it was opened; false at the end. `at` starts as 0. Destroy its clips.
bool gti_journal_next(const GtiJournal* journal, GtAllocator allocator, size_t* at, GtiJournalEntry* out);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a batch has done so far, in a file of its folder, so that it can go on after it was stopped at any point. Each
// motion that is done becomes a line at the end, with its clips. A line that is not whole, or of other inputs, is as
// good as none.

#ifndef GERTIE_CLI_JOURNAL_H
#define GERTIE_CLI_JOURNAL_H

#include "batch_report.h"

// One motion that was done.
typedef struct JournalEntry {
    uint64_t key;        // of everything that its result depends on
    int64_t output_size; // of the file that was written
    int64_t output_modified_ns;
    ClipList clips;
} JournalEntry;

// A file that is written to; a line is written at one stroke.
typedef struct Journal {
    int file;     // or -1
    bool torn;    // its last line has no end
    Text content; // as it was found
} Journal;

// Open `path`, or make it, for this process alone. Without `keep`, what is in it is dropped.
// Returns false with errno set, EWOULDBLOCK where another process has it; journal_close() is due then, too.
bool journal_open(Journal* journal, const char* path, bool keep);
void journal_close(Journal* journal);

// Write down a motion; false with errno set.
bool journal_add(Journal* journal, const JournalEntry* entry);

// Read the next entry of what was there when it was opened; false at the end. `at` starts as 0. Free its clips.
bool journal_next(const Journal* journal, size_t* at, JournalEntry* out);

// FNV-1a, for telling whether something has changed.
uint64_t hash_bytes(uint64_t hash, const void* bytes, size_t size);
#define HASH_START UINT64_C(0xcbf29ce484222325)

// Likewise of what a file holds; unchanged where it cannot be read.
uint64_t hash_file(uint64_t hash, const char* path);

#endif

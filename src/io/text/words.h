// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A small text of lines and words, such as a skeleton, read in order on one thread; it need not be terminated. Faults
// name their line, and repairs are counted by kind, so that a million faults of one kind are one warning.

#ifndef GERTIE_IO_TEXT_WORDS_H
#define GERTIE_IO_TEXT_WORDS_H

#include "gertie/context.h"

// No number is larger; what is counts as no number. Keeps floats finite and angles exact to the microdegree.
#define GTI_WORDS_MAX_VALUE 1e9

typedef struct GtiWord {
    const char* text; // not terminated; NULL where there was no word
    size_t length;
} GtiWord;

// The first repair of a kind, and how many there were.
typedef struct GtiWordsRepaired {
    int64_t count;
    int64_t line;
    char message[192];
} GtiWordsRepaired;

// A text as it is read. Start it with gti_words_open().
typedef struct GtiWords {
    const GtContext* context;
    const char* path; // for messages, or NULL
    GtError* error;
    const char* text;
    const char* end;
    const char* at;       // next word of the line
    const char* line_end; // of the line that is read
    const char* next;     // start of the next line
    int64_t line;         // number of the line that is read, from 1; 0 before the first
    GtiWordsRepaired* repaired;
    int32_t repair_count;
} GtiWords;

// Skips a byte-order mark, and zeros and Control-Z at the end. `words` has its context, path, error and kinds of
// repairs already.
void gti_words_open(GtiWords* words, const void* bytes, size_t size);

// Go back to the start, to read the text once more.
void gti_words_rewind(GtiWords* words);

// Go to the next line that is neither blank nor a comment (#); false at the end of the text.
bool gti_words_next_line(GtiWords* words);

// The next word of the line; false, with an empty word, at its end.
bool gti_words_next(GtiWords* words, GtiWord* out);

// Whether a word is `lower`, in any case.
bool gti_word_equals(GtiWord word, const char* lower);

// A word as a number; one that is not finite or too large becomes NaN. False where the word is no number.
bool gti_word_number(GtiWord word, double* out);

// Length of a word for "%.*s", at most what is worth showing in a message.
int gti_word_shown(GtiWord word);

// Fail at the line that is read.
GtResult gti_words_fail(GtiWords* words, GtResult code, const char* format, ...) GT_PRINTF(3, 4);

// Count a repair in the line that is read; strict contexts fail.
GtResult gti_words_repair(GtiWords* words, int32_t kind, const char* format, ...) GT_PRINTF(3, 4);

// Say what was repaired, in the order of kinds.
void gti_words_report_repairs(GtiWords* words);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A line is: a hash of the rest of it, the key, size and time of the file, the number of clips, and for each clip its
// name, worst moment, numbers and JSON, with tabs in between. Lines are appended with one write each, so a program that
// is killed leaves at most one that is cut off; the hash tells that, and whatever a crash of the machine does.

#include "batch/journal.h"

#include "base/hash.h"
#include "gertie/number.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum {
    HASH_DIGITS = 16
};

static bool read_all(GtiJournal* journal)
{
    char piece[1 << 16];
    ssize_t got = 0;
    do {
        got = read(journal->file, piece, sizeof piece);
        gt_text_add(&journal->content, piece, got > 0 ? (size_t)got : 0);
    } while (got > 0 || (got < 0 && errno == EINTR));
    if (journal->content.failed) {
        errno = ENOMEM;
    }
    return got == 0 && !journal->content.failed;
}

bool gti_journal_open(GtiJournal* journal, const char* path, bool keep)
{
    *journal = (GtiJournal){ .file = -1 };
    journal->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (journal->file < 0) {
        return false;
    }
    if (flock(journal->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) { // some file systems have no locks
        return false;
    }
    if (keep ? !read_all(journal) : ftruncate(journal->file, 0) != 0) {
        return false;
    }
    size_t size = journal->content.size;
    journal->torn = size > 0 && journal->content.bytes[size - 1] != '\n';
    return true;
}

void gti_journal_close(GtiJournal* journal)
{
    if (journal->file >= 0) {
        close(journal->file);
    }
    gt_text_destroy(&journal->content);
    *journal = (GtiJournal){ .file = -1 };
}

// GtText without tabs and line ends.
static void add_escaped(GtText* line, const char* text)
{
    gt_text_adds(line, "\t");
    for (const char* at = text; *at; ++at) {
        if ((unsigned char)*at < 0x20 || *at == '%') {
            gt_text_addf(line, "%%%02x", (unsigned)(unsigned char)*at);
        } else {
            gt_text_add(line, at, 1);
        }
    }
}

static void add_clip(GtText* line, const GtiBatchClip* clip)
{
    add_escaped(line, clip->name);
    add_escaped(line, clip->worst);
    for (int i = 0; i < GTI_CLIP_NUMBER_COUNT; ++i) {
        char number[GT_NUMBER_SIZE] = "";
        if (isfinite(clip->numbers[i])) {
            gt_print_double(clip->numbers[i], number);
        }
        gt_text_addf(line, "\t%s", number);
    }
    gt_text_adds(line, "\t");
    gt_text_adds(line, clip->row);
}

bool gti_journal_add(GtiJournal* journal, const GtiJournalEntry* entry)
{
    GtText rest = { 0 };
    gt_text_addf(&rest, "%016llx\t%lld\t%lld\t%d", (unsigned long long)entry->key, (long long)entry->output_size,
                 (long long)entry->output_modified_ns, entry->clips.count);
    for (const GtiBatchClip* clip = entry->clips.first; clip; clip = clip->next) {
        add_clip(&rest, clip);
    }
    GtText line = { 0 };
    uint64_t hash = rest.failed ? 0 : gti_hash(0, rest.bytes, rest.size);
    gt_text_addf(&line, "%s%016llx\t", journal->torn ? "\n" : "", (unsigned long long)hash);
    gt_text_add(&line, rest.bytes, rest.failed ? 0 : rest.size);
    gt_text_adds(&line, "\n");
    errno = ENOMEM;
    bool ok = !rest.failed && !line.failed;
    if (ok) {
        ssize_t written = -1;
        do {
            written = write(journal->file, line.bytes, line.size);
        } while (written < 0 && errno == EINTR);
        ok = written == (ssize_t)line.size;
        errno = written >= 0 && !ok ? ENOSPC : errno;
        journal->torn = written >= 0 ? !ok : journal->torn;
    }
    int code = errno;
    gt_text_destroy(&rest);
    gt_text_destroy(&line);
    errno = code;
    return ok;
}

// The next field of a line; false where there is none.
typedef struct Fields {
    const char* at;
    const char* end;
} Fields;

static bool take(Fields* fields, const char** text, size_t* size)
{
    if (!fields->at) {
        return false;
    }
    const char* tab = memchr(fields->at, '\t', (size_t)(fields->end - fields->at));
    *text = fields->at;
    *size = (size_t)((tab ? tab : fields->end) - fields->at);
    fields->at = tab ? tab + 1 : NULL;
    return true;
}

static bool parse_hex(const char* text, size_t digit_count, uint64_t* out)
{
    static const char digits[] = "0123456789abcdef";
    *out = 0;
    for (size_t i = 0; i < digit_count; ++i) {
        const char* digit = memchr(digits, text[i], sizeof digits - 1);
        if (!digit) {
            return false;
        }
        *out = *out << 4 | (uint64_t)(digit - digits);
    }
    return true;
}

static bool take_hash(Fields* fields, uint64_t* out)
{
    const char* text = NULL;
    size_t size = 0;
    return take(fields, &text, &size) && size == HASH_DIGITS && parse_hex(text, HASH_DIGITS, out);
}

static bool take_integer(Fields* fields, int64_t* out)
{
    const char* text = NULL;
    size_t size = 0;
    return take(fields, &text, &size) && size > 0 && gt_parse_int64(text, text + size, out) == text + size;
}

static bool take_number(Fields* fields, double* out)
{
    const char* text = NULL;
    size_t size = 0;
    *out = NAN;
    return take(fields, &text, &size) && (size == 0 || gt_parse_double(text, text + size, out) == text + size);
}

static bool take_escaped(Fields* fields, GtText* out)
{
    const char* text = NULL;
    size_t size = 0;
    if (!take(fields, &text, &size)) {
        return false;
    }
    gt_text_adds(out, "");
    for (size_t i = 0; i < size; ++i) {
        char c = text[i];
        uint64_t code = 0;
        if (c == '%' && size - i > 2 && parse_hex(text + i + 1, 2, &code)) {
            c = (char)code;
            i += 2;
        }
        gt_text_add(out, &c, 1);
    }
    return !out->failed;
}

static bool take_clip(Fields* fields, GtBatchClips* clips)
{
    GtText name = { 0 };
    GtText worst = { 0 };
    double numbers[GTI_CLIP_NUMBER_COUNT];
    const char* row = NULL;
    size_t row_size = 0;
    bool ok = take_escaped(fields, &name) && take_escaped(fields, &worst);
    for (int i = 0; ok && i < GTI_CLIP_NUMBER_COUNT; ++i) {
        ok = take_number(fields, &numbers[i]);
    }
    ok = ok && take(fields, &row, &row_size);
    GtiBatchClip* clip = ok ? gti_clips_add(clips, name.bytes, worst.bytes, row, row_size) : NULL;
    if (clip) {
        memcpy(clip->numbers, numbers, sizeof numbers);
    }
    gt_text_destroy(&name);
    gt_text_destroy(&worst);
    return clip != NULL;
}

static bool parse_line(Fields fields, GtAllocator allocator, GtiJournalEntry* out)
{
    uint64_t hash = 0;
    int64_t clip_count = 0;
    *out = (GtiJournalEntry){ .clips = { .arena = gt_arena_create(allocator) } };
    bool ok =
        take_hash(&fields, &hash) && fields.at && hash == gti_hash(0, fields.at, (size_t)(fields.end - fields.at));
    ok = ok && take_hash(&fields, &out->key) && take_integer(&fields, &out->output_size) &&
         take_integer(&fields, &out->output_modified_ns) && take_integer(&fields, &clip_count);
    for (int64_t i = 0; ok && i < clip_count; ++i) {
        ok = take_clip(&fields, &out->clips);
    }
    if (!ok || fields.at) {
        gti_clips_destroy(&out->clips);
        return false;
    }
    return true;
}

bool gti_journal_next(const GtiJournal* journal, GtAllocator allocator, size_t* at, GtiJournalEntry* out)
{
    while (*at < journal->content.size) {
        const char* line = journal->content.bytes + *at;
        const char* end = memchr(line, '\n', journal->content.size - *at);
        *at = end ? (size_t)(end + 1 - journal->content.bytes) : journal->content.size;
        if (end && parse_line((Fields){ line, end }, allocator, out)) {
            return true;
        }
    }
    return false;
}

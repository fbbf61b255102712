// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Files in and out, in a folder made for each test. What would harm this process (a file size limit, another user) runs
// in a child, which tells by its exit code which step went wrong.

#include "data/files.h"
#include "support/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/gertie-files-XXXXXX";

static int enter_folder(void** state)
{
    (void)state;
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_entry(const char* path, const struct stat* status, int type, struct FTW* where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

static int leave_folder(void** state)
{
    (void)state;
    return chdir("/") == 0 ? nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS) : -1;
}

static int count_entries(void)
{
    int count = -2; // . and ..
    DIR* here = opendir(".");
    assert_non_null(here);
    while (readdir(here)) {
        ++count;
    }
    closedir(here);
    return count;
}

static GtResult write_text(const char* path, const char* text, GtError* error)
{
    GtContext context = gt_default_context();
    GtiSpan span = { text, strlen(text) };
    return gti_file_write(&context, path, &span, 1, error);
}

// The contents must be `expected`, terminator included.
static void expect_contents(const char* path, const char* expected)
{
    GtError error;
    GtContext context = gt_default_context();
    uint8_t* bytes = NULL;
    size_t size = 0;
    GT_EXPECT_OK(gti_file_read(&context, path, &bytes, &size, &error));
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(bytes, expected, size + 1);
    context.allocator.release(context.allocator.user, bytes);
}

static void expect_child(pid_t child)
{
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_spans_are_joined_and_replace_what_was_there(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GT_EXPECT_OK(gti_file_write(&context, "a", NULL, 0, &error));
    expect_contents("a", "");
    GtiSpan spans[] = { { "one ", 4 }, { NULL, 0 }, { "two", 3 } };
    GT_EXPECT_OK(gti_file_write(&context, "a", spans, 3, &error));
    expect_contents("a", "one two");
    char absolute[64];
    snprintf(absolute, sizeof absolute, "%s/b", folder);
    GT_EXPECT_OK(write_text(absolute, "three", &error));
    expect_contents("b", "three");
    assert_int_equal(count_entries(), 2);
}

static void test_long_names(void** state)
{
    (void)state;
    GtError error;
    char name[300];
    memset(name, 'n', sizeof name);
    name[255] = 0; // the longest that Linux allows; the unfinished file must still find a name
    GT_EXPECT_OK(write_text(name, "x", &error));
    expect_contents(name, "x");
    name[255] = 'n';
    name[256] = 0;
    GT_EXPECT_ERROR(write_text(name, "x", &error), GT_ERROR_IO, "too long");
    assert_int_equal(count_entries(), 1);
}

static void test_large_file_comes_back(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    size_t size = (5 << 20) + 3;
    uint8_t* sent = malloc(size);
    for (size_t i = 0; i < size; ++i) {
        sent[i] = (uint8_t)(i * 2654435761U >> 24);
    }
    GtiSpan span = { sent, size };
    GT_EXPECT_OK(gti_file_write(&context, "a", &span, 1, &error));
    uint8_t* got = NULL;
    size_t got_size = 0;
    GT_EXPECT_OK(gti_file_read(&context, "a", &got, &got_size, &error));
    assert_int_equal(got_size, size);
    assert_memory_equal(got, sent, size);
    assert_int_equal(got[size], 0);
    context.allocator.release(context.allocator.user, got);
    free(sent);
}

static void test_mode_is_kept_or_comes_from_the_umask(void** state)
{
    (void)state;
    GtError error;
    struct stat status;
    mode_t before = umask(027);
    GT_EXPECT_OK(write_text("new", "x", &error));
    assert_int_equal(stat("new", &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640);
    assert_int_equal(chmod("new", 0606), 0);
    GT_EXPECT_OK(write_text("new", "y", &error));
    assert_int_equal(stat("new", &status), 0);
    assert_int_equal(status.st_mode & 07777, 0606);
    umask(before);
}

static void test_links_stay_links(void** state)
{
    (void)state;
    GtError error;
    struct stat status;
    assert_int_equal(mkdir("deep", 0777), 0);
    assert_int_equal(symlink("deep/link", "first"), 0);
    assert_int_equal(symlink("../target", "deep/link"), 0);
    GT_EXPECT_OK(write_text("first", "through two links to what was not there", &error));
    expect_contents("target", "through two links to what was not there");
    GT_EXPECT_OK(write_text("first", "again", &error));
    expect_contents("target", "again");
    assert_int_equal(lstat("first", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(lstat("deep/link", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(lstat("target", &status), 0);
    assert_true(S_ISREG(status.st_mode));
    assert_int_equal(symlink("round", "round"), 0);
    GT_EXPECT_ERROR(write_text("round", "x", &error), GT_ERROR_IO, "circle");
}

static void test_folders_by_other_names(void** state)
{
    (void)state;
    assert_int_equal(mkdir("deep", 0777), 0);
    assert_int_equal(symlink("deep", "link"), 0);
    assert_true(gti_same_folder("deep", "link/../deep/") && gti_same_folder("link", "deep"));
    assert_true(gti_same_folder("", ".") && gti_same_folder(folder, ""));
    assert_false(gti_same_folder("deep", "") || gti_same_folder("missing", "missing"));
}

static void test_targets_that_cannot_be(void** state)
{
    (void)state;
    GtError error;
    assert_int_equal(mkdir("there", 0777), 0);
    GT_EXPECT_OK(write_text("file", "x", &error));
    GT_EXPECT_ERROR(write_text("missing/a", "x", &error), GT_ERROR_IO, "missing/a: its folder does not exist");
    GT_EXPECT_ERROR(write_text("there", "x", &error), GT_ERROR_IO, "there: it is a folder");
    GT_EXPECT_ERROR(write_text("absent/", "x", &error), GT_ERROR_IO, "it is a folder");
    GT_EXPECT_ERROR(write_text("file/a", "x", &error), GT_ERROR_IO, "is no folder");
    GT_EXPECT_ERROR(write_text("", "x", &error), GT_ERROR_IO, "no file is named");
    assert_int_equal(write_text("there", "x", NULL), GT_ERROR_IO);
    assert_int_equal(count_entries(), 2);
}

static void test_sources_that_cannot_be(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    uint8_t* bytes = NULL;
    size_t size = 0;
    assert_int_equal(symlink("round", "round"), 0);
    GT_EXPECT_OK(write_text("file", "x", &error));
    GT_EXPECT_ERROR(gti_file_read(&context, "none", &bytes, &size, &error), GT_ERROR_IO, "none: there is no such file");
    GT_EXPECT_ERROR(gti_file_read(&context, "", &bytes, &size, &error), GT_ERROR_IO, "there is no such file");
    GT_EXPECT_ERROR(gti_file_read(&context, ".", &bytes, &size, &error), GT_ERROR_IO, "it is a folder");
    GT_EXPECT_ERROR(gti_file_read(&context, "file/a", &bytes, &size, &error), GT_ERROR_IO, "is no folder");
    GT_EXPECT_ERROR(gti_file_read(&context, "round", &bytes, &size, &error), GT_ERROR_IO, "could not be opened");
    assert_int_equal(gti_file_read(&context, "none", &bytes, &size, NULL), GT_ERROR_IO);
    assert_null(bytes);
}

// A sparse file costs nothing to make. The message must say how much memory was missing.
static void test_file_too_large_for_memory(void** state)
{
    (void)state;
    GtError error;
    TestAllocator none = { .remaining = 0 };
    GtContext context = gt_default_context();
    uint8_t* bytes = NULL;
    size_t size = 0;
    GT_EXPECT_OK(write_text("huge", "x", &error));
    if (truncate("huge", (off_t)1 << 43) != 0) {
        print_message("this disk holds no sparse file of 8 TiB: skipped\n");
        skip();
    }
    context.allocator = test_allocator(&none);
    GT_EXPECT_ERROR(gti_file_read(&context, "huge", &bytes, &size, &error), GT_ERROR_OUT_OF_MEMORY, "8796093022208");
    assert_null(bytes);
}

static void test_stream_without_a_size(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    assert_int_equal(mkfifo("pipe", 0600), 0);
    pid_t child = fork();
    if (child == 0) {
        char block[1000];
        memset(block, 'p', sizeof block);
        int pipe = open("pipe", O_WRONLY);
        for (int i = 0; i < 300; ++i) {
            if (write(pipe, block, sizeof block) != (ssize_t)sizeof block) {
                _exit(1);
            }
        }
        _exit(0);
    }
    uint8_t* bytes = NULL;
    size_t size = 0;
    GT_EXPECT_OK(gti_file_read(&context, "pipe", &bytes, &size, &error));
    expect_child(child);
    assert_int_equal(size, 300000);
    assert_int_equal(bytes[299999], 'p');
    assert_int_equal(bytes[300000], 0);
    context.allocator.release(context.allocator.user, bytes);
}

static void test_pipe_is_written_directly(void** state)
{
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    pid_t child = fork();
    if (child == 0) {
        _exit(write_text("pipe", "down the pipe", NULL) == GT_OK ? 0 : 1);
    }
    expect_contents("pipe", "down the pipe");
    expect_child(child);
    struct stat status;
    assert_int_equal(lstat("pipe", &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
}

// `command -o /dev/stdout >> log` must append to the log, not replace it or start over at its first byte.
static void test_standard_output_is_written_where_it_stands(void** state)
{
    (void)state;
    GtError error;
    GT_EXPECT_OK(write_text("log", "before ", &error));
    assert_int_equal(symlink("/dev/stdout", "link"), 0);
    pid_t child = fork();
    if (child == 0) {
        int log = open("log", O_WRONLY | O_APPEND);
        dup2(log, STDOUT_FILENO);
        bool good = write_text("/dev/stdout", "one ", NULL) == GT_OK &&
                    write_text("/dev/fd/1", "two ", NULL) == GT_OK && write_text("link", "three", NULL) == GT_OK;
        _exit(good ? 0 : 1);
    }
    expect_child(child);
    expect_contents("log", "before one two three");
}

static void test_full_device(void** state)
{
    (void)state;
    GtError error;
    if (access("/dev/full", W_OK) != 0) {
        print_message("no /dev/full here: skipped\n");
        skip();
    }
    GT_EXPECT_ERROR(write_text("/dev/full", "x", &error), GT_ERROR_IO, "/dev/full: the disk is full");
}

// Writing that fails half way leaves the old file and nothing else.
static void test_failed_write_changes_nothing(void** state)
{
    (void)state;
    GtError error;
    GT_EXPECT_OK(write_text("kept", "old", &error));
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = { 1 << 16, 1 << 16 };
        char* large = calloc(1, 1 << 20);
        memset(large, 'x', (1 << 20) - 1);
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        GtError late = { 0 };
        bool good = write_text("kept", large, &late) == GT_ERROR_IO && strstr(late.message, "limit allows") &&
                    write_text("new", large, &late) == GT_ERROR_IO;
        free(large);
        _exit(good ? 0 : 1);
    }
    expect_child(child);
    expect_contents("kept", "old");
    assert_int_equal(count_entries(), 1);
}

// Leftovers of a killed run under the same process number are stepped over, never overwritten.
static void test_unfinished_files_of_others_are_left_alone(void** state)
{
    (void)state;
    GtError error;
    char name[64];
    snprintf(name, sizeof name, "a.unfinished-%ld-0", (long)getpid());
    GT_EXPECT_OK(write_text(name, "other", &error));
    int other = open(name, O_RDWR); // which holds the lock, as one does that is writing
    assert_true(other >= 0 && flock(other, LOCK_EX) == 0);
    GT_EXPECT_OK(write_text("a", "mine", &error));
    expect_contents("a", "mine");
    expect_contents(name, "other");
    assert_int_equal(count_entries(), 2);
    close(other);
}

static int try_forbidden(void)
{
    GtError error = { 0 };
    GtContext context = gt_default_context();
    uint8_t* bytes = NULL;
    size_t size = 0;
    if (gti_file_read(&context, "secret", &bytes, &size, &error) != GT_ERROR_IO ||
        !strstr(error.message, "may not be read")) {
        return 1;
    }
    if (write_text("protected", "new", &error) != GT_ERROR_IO || !strstr(error.message, "write-protected")) {
        return 2;
    }
    if (write_text("closed/a", "new", &error) != GT_ERROR_IO || !strstr(error.message, "folder may not be written")) {
        return 3;
    }
    return write_text("own", "new", &error) == GT_OK ? 0 : 4;
}

static void test_permissions(void** state)
{
    (void)state;
    GtError error;
    GT_EXPECT_OK(write_text("secret", "x", &error));
    GT_EXPECT_OK(write_text("protected", "old", &error));
    assert_int_equal(mkdir("closed", 0555), 0);
    assert_int_equal(chmod("secret", 0), 0);
    assert_int_equal(chmod("protected", 0444), 0);
    assert_int_equal(chmod(".", 0777), 0);
    pid_t child = fork();
    if (child == 0) {
        const uid_t nobody = 65534; // root may do anything, so be someone else
        _exit(geteuid() == 0 && setresuid(nobody, nobody, nobody) != 0 ? 5 : try_forbidden());
    }
    expect_child(child);
    expect_contents("protected", "old");
    expect_contents("own", "new");
    assert_int_equal(count_entries(), 4);
}

static void* allocate_and_shrink(void* user, size_t size)
{
    GtAllocator heap = gt_default_allocator();
    assert_int_equal(truncate(user, 5), 0);
    return heap.allocate(heap.user, size);
}

static void test_file_that_shrinks(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    uint8_t* bytes = NULL;
    size_t size = 0;
    GT_EXPECT_OK(write_text("a", "ten bytes!", &error));
    context.allocator.allocate = allocate_and_shrink;
    context.allocator.user = "a";
    GT_EXPECT_ERROR(gti_file_read(&context, "a", &bytes, &size, &error), GT_ERROR_IO, "shrank from 10 to 5 bytes");
    assert_null(bytes);
}

static bool go_on(void* user, const char* task, double fraction)
{
    (void)task;
    assert_true(fraction > 0.0 && fraction <= 1.0);
    return --*(int*)user >= 0;
}

static void test_cancelling_leaves_everything_as_it_was(void** state)
{
    (void)state;
    GtError error = { 0 };
    GT_EXPECT_OK(write_text("kept", "precious", &error));
    size_t size = (size_t)80 << 20; // three pieces
    char* bytes = calloc(1, size);
    assert_non_null(bytes);
    GtContext context = gt_default_context();
    int steps = 0;
    context.progress = go_on;
    context.progress_user = &steps;
    for (int allowed = 0; allowed < 3; ++allowed) {
        steps = allowed;
        GtiSpan span = { bytes, size };
        GT_EXPECT_ERROR(gti_file_write(&context, "kept", &span, 1, &error), GT_ERROR_CANCELLED, "kept: ");
        assert_int_equal(count_entries(), 1);
    }
    free(bytes);
    uint8_t* text = NULL;
    steps = 0;
    GT_EXPECT_ERROR(gti_file_read(&context, "kept", &text, &size, &error), GT_ERROR_CANCELLED, "kept: ");
    assert_null(text);
    steps = 1;
    GT_EXPECT_OK(gti_file_read(&context, "kept", &text, &size, &error));
    assert_string_equal((char*)text, "precious");
    context.allocator.release(context.allocator.user, text);
}

static void test_each_allocation_may_fail(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtiSpan span = { "new", 3 };
    assert_int_equal(symlink("a", "link"), 0);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int limit = 0; result != GT_OK; ++limit) {
        TestAllocator failing = { .remaining = limit };
        context.allocator = test_allocator(&failing);
        result = gti_file_write(&context, "link", &span, 1, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        assert_int_equal(failing.alive, 0);
        assert_int_equal(count_entries(), result == GT_OK ? 2 : 1);
    }
    result = GT_ERROR_OUT_OF_MEMORY;
    for (int limit = 0; result != GT_OK; ++limit) {
        TestAllocator failing = { .remaining = limit };
        context.allocator = test_allocator(&failing);
        uint8_t* bytes = NULL;
        size_t size = 0;
        result = gti_file_read(&context, limit % 2 ? "a" : "/proc/self/status", &bytes, &size, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        context.allocator.release(context.allocator.user, bytes);
        assert_int_equal(failing.alive, 0);
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

// A killed process cannot tidy up: the next that writes the same file does, and leaves drafts that are being written.
static void test_drafts_of_killed_processes_are_removed(void** state)
{
    (void)state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    pid_t child = fork();
    if (child == 0) {
        GtiDraft draft;
        GtResult result = gti_draft_create(&context, "walk.glb", &draft, &error);
        kill(getpid(), result == GT_OK ? SIGKILL : SIGTERM);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_int_equal(count_entries(), 1);
    GtiDraft alive;
    GT_EXPECT_OK(gti_draft_create(&context, "run.glb", &alive, &error));
    GT_EXPECT_OK(write_text("walk.glb.unfinished-note", "not a draft, by its name", &error));
    assert_int_equal(count_entries(), 3); // only drafts of what is written are looked for
    GtiSpan span = { "new", 3 };
    GT_EXPECT_OK(gti_file_write(&context, "walk.glb", &span, 1, &error));
    expect_contents("walk.glb", "new");
    assert_int_equal(count_entries(), 3);
    assert_int_equal(log.note_count, 1);
    assert_non_null(strstr(log.text, "1 unfinished copy of it that a stopped run left is removed"));
    assert_int_equal(gti_drafts_sweep("", NULL), 0); // the one of run.glb is being written
    GT_EXPECT_OK(gti_draft_finish(&alive, &error));
    assert_int_equal(count_entries(), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_spans_are_joined_and_replace_what_was_there),
        IN_FOLDER(test_long_names),
        IN_FOLDER(test_large_file_comes_back),
        IN_FOLDER(test_mode_is_kept_or_comes_from_the_umask),
        IN_FOLDER(test_links_stay_links),
        IN_FOLDER(test_folders_by_other_names),
        IN_FOLDER(test_targets_that_cannot_be),
        IN_FOLDER(test_sources_that_cannot_be),
        IN_FOLDER(test_file_too_large_for_memory),
        IN_FOLDER(test_stream_without_a_size),
        IN_FOLDER(test_pipe_is_written_directly),
        IN_FOLDER(test_standard_output_is_written_where_it_stands),
        IN_FOLDER(test_full_device),
        IN_FOLDER(test_failed_write_changes_nothing),
        IN_FOLDER(test_unfinished_files_of_others_are_left_alone),
        IN_FOLDER(test_drafts_of_killed_processes_are_removed),
        IN_FOLDER(test_permissions),
        IN_FOLDER(test_file_that_shrinks),
        IN_FOLDER(test_cancelling_leaves_everything_as_it_was),
        IN_FOLDER(test_each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/command.h"

#include "data/json_schema.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_LINE = 4096,
    MAX_SECONDS = 120
};

static char folder[256];
static char before[4096];
static char* last_out;
static char* last_err;
static GtArena json_arena;

int command_enter(void** state)
{
    (void)state;
    const char* program = getenv("GERTIE_COMMAND");
    if (!program || access(program, X_OK) != 0) {
        fprintf(stderr, "GERTIE_COMMAND does not name the built command\n");
        return -1;
    }
    const char* temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/gertie-test-XXXXXX", temporary ? temporary : "/tmp");
    json_arena = gt_arena_create(gt_default_allocator());
    setenv("G", program, 1);
    return getcwd(before, sizeof before) && mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_entry(const char* path, const struct stat* status, int kind, struct FTW* place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

int command_leave(void** state)
{
    (void)state;
    free(last_out);
    free(last_err);
    last_out = last_err = NULL;
    gt_arena_destroy(&json_arena);
    bool left = chdir(before) == 0;
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    return left ? 0 : -1;
}

static char* read_all(int file, size_t* size)
{
    off_t length = lseek(file, 0, SEEK_END);
    char* bytes = malloc((size_t)length + 1);
    assert_non_null(bytes);
    assert_int_equal(pread(file, bytes, (size_t)length, 0), length);
    bytes[length] = 0;
    *size = (size_t)length;
    close(file);
    return bytes;
}

// A file without a name, to catch what a child prints.
static int open_nameless(void)
{
    char name[] = "/tmp/gertie-said-XXXXXX";
    int file = mkstemp(name);
    assert_true(file >= 0);
    unlink(name);
    return file;
}

static int wait_for(pid_t child)
{
    int status = 0;
    for (int tick = 0; tick < MAX_SECONDS * 200; ++tick) {
        if (waitpid(child, &status, WNOHANG) == child) {
            return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
        }
        nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
    }
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    fail_msg("a line was still running after %d s", MAX_SECONDS);
    return 0;
}

CommandRun command(const char* format, ...)
{
    char line[MAX_LINE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert_in_range(length, 1, sizeof line - 1);
    free(last_out);
    free(last_err);
    int out = open_nameless();
    int err = open_nameless();
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setpgid(0, 0);
        int in = open("/dev/null", O_RDONLY);
        dup2(in, 0);
        dup2(out, 1);
        dup2(err, 2);
        close(in);
        close(out);
        close(err);
        execl("/bin/sh", "sh", "-c", line, (char*)NULL);
        _exit(127);
    }
    CommandRun run = { .status = wait_for(child) };
    size_t err_size = 0;
    last_out = read_all(out, &run.out_size);
    last_err = read_all(err, &err_size);
    run.out = last_out;
    run.err = last_err;
    return run;
}

void expect_status(const CommandRun* run, int wanted)
{
    if (run->status != wanted) {
        fail_msg("status %d, wanted %d; it said:\n%s%.2000s", run->status, wanted, run->err, run->out);
    }
}

void expect_text(const char* said, const char* text)
{
    if (!strstr(said, text)) {
        fail_msg("'%s' is not in:\n%.4000s", text, said);
    }
}

void expect_refused(const CommandRun* run, int wanted, const char* text)
{
    expect_status(run, wanted);
    const char* newline = strchr(run->err, '\n');
    if (!newline || newline[1] || strncmp(run->err, "error: ", 7) != 0) {
        fail_msg("not one line that starts with 'error: ':\n%s", run->err);
    }
    expect_text(run->err, text);
    assert_string_equal(run->out, "");
}

// Reports keep to docs/schemas/report.schema.json, whoever asks for one.
static void check_report(const GtiJson* report)
{
    static const char name[] = "docs/schemas/report.schema.json";
    char path[sizeof before + sizeof name];
    size_t size = 0;
    GtError error = { 0 };
    const GtiJson* schema = NULL;
    snprintf(path, sizeof path, "%s/%s", before, name);
    int file = open(path, O_RDONLY);
    assert_true(file >= 0);
    char* text = read_all(file, &size);
    GT_EXPECT_OK(gti_json_parse(&json_arena, text, size, &schema, &error));
    if (gti_json_schema_check(schema, (GtiJson*)report, NULL, &error) != GT_OK) {
        fail_msg("not a report: %s: %s in:\n%.2000s", error.where, error.message, report->text);
    }
    free(text);
}

const GtiJson* command_report(const CommandRun* run)
{
    GtError error = { 0 };
    const GtiJson* root = NULL;
    if (gti_json_parse(&json_arena, run->out, run->out_size, &root, &error) != GT_OK) {
        fail_msg("not JSON: %s: %s in:\n%.2000s", error.where, error.message, run->out);
    }
    check_report(root);
    return root;
}

const GtiJson* report_at(const GtiJson* report, const char* path)
{
    const GtiJson* value = report;
    char part[64];
    for (const char* at = path; *at && value;) {
        size_t length = strcspn(at, ".");
        snprintf(part, sizeof part, "%.*s", (int)length, at);
        if (value->type == GTI_JSON_ARRAY) {
            unsigned index = (unsigned)atoi(part);
            const GtiJson* child = index < value->count ? gti_json_first(value) : NULL;
            for (unsigned i = 0; child && i < index; ++i) {
                child = gti_json_next(child);
            }
            value = child;
        } else {
            value = gti_json_find(value, part);
        }
        at += length + (at[length] == '.');
    }
    if (!value) {
        fail_msg("the report has no %s", path);
    }
    return value;
}

double report_number(const GtiJson* report, const char* path)
{
    double number = NAN;
    assert_true(gti_json_double(report_at(report, path), &number));
    return number;
}

const char* report_text(const GtiJson* report, const char* path)
{
    const GtiJson* value = report_at(report, path);
    assert_int_equal(value->type, GTI_JSON_STRING);
    const char* text = gti_json_copy(&json_arena, value, NULL);
    assert_non_null(text);
    return text;
}

bool report_bool(const GtiJson* report, const char* path)
{
    const GtiJson* value = report_at(report, path);
    assert_true(value->type == GTI_JSON_TRUE || value->type == GTI_JSON_FALSE);
    return value->type == GTI_JSON_TRUE;
}

int report_count(const GtiJson* report, const char* path)
{
    const GtiJson* value = report_at(report, path);
    assert_true(value->type == GTI_JSON_ARRAY || value->type == GTI_JSON_OBJECT);
    return (int)value->count;
}

int count_files(const char* path)
{
    DIR* directory = opendir(path);
    assert_non_null(directory);
    int count = 0;
    for (struct dirent* entry; (entry = readdir(directory));) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(directory);
    return count;
}

bool file_exists(const char* path)
{
    return access(path, F_OK) == 0;
}

void write_file(const char* path, const void* bytes, size_t size)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void write_text_file(const char* path, const char* text)
{
    write_file(path, text, strlen(text));
}

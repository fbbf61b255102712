// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Runs a fuzz target over files, without libFuzzer: any compiler and any sanitizer can replay a corpus. Arguments are
// files or folders of files; a folder is taken in the order of names, so that two runs do the same. Replaying nothing
// is a failure: it would prove nothing.

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static int replayed;

static void die(const char* path)
{
    fprintf(stderr, "replay: %s: %s\n", path, strerror(errno));
    exit(1);
}

static void replay_file(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        die(path);
    }
    long size = ftell(file);
    // A block of exactly this size, so that the address sanitizer sees a read one byte past the end.
    uint8_t* bytes = size >= 0 ? malloc((size_t)size) : NULL;
    rewind(file);
    if (!bytes || fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        die(path);
    }
    fclose(file);
    printf("%s\n", path);
    fflush(stdout); // the last line names the culprit of a crash
    LLVMFuzzerTestOneInput(bytes, (size_t)size);
    free(bytes);
    ++replayed;
}

static int is_visible(const struct dirent* entry)
{
    return entry->d_name[0] != '.';
}

static void replay_folder(const char* path)
{
    struct dirent** entries = NULL;
    int count = scandir(path, &entries, is_visible, alphasort);
    if (count < 0 && errno == ENOTDIR) {
        replay_file(path);
        return;
    }
    if (count < 0) {
        die(path);
    }
    for (int i = 0; i < count; ++i) {
        char child[4096];
        snprintf(child, sizeof child, "%s/%s", path, entries[i]->d_name);
        replay_file(child);
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        replay_folder(argv[i]);
    }
    printf("%d files replayed\n", replayed);
    return replayed > 0 ? 0 : 1;
}

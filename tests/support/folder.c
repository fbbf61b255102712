// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/folder.h"

#include "support/test.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

void test_folder_create(TestFolder* folder)
{
    const char* parent = getenv("TMPDIR");
    if (!parent || strlen(parent) > 30) {
        parent = "/tmp";
    }
    snprintf(folder->path, sizeof folder->path, "%s/gertie-test-XXXXXX", parent);
    assert_non_null(mkdtemp(folder->path));
}

const char* test_folder_path(const TestFolder* folder, const char* name)
{
    static char paths[4][512];
    static int next = 0;
    char* path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder->path, name);
    return path;
}

void test_folder_remove(const TestFolder* folder)
{
    DIR* directory = opendir(folder->path);
    assert_non_null(directory);
    for (struct dirent* entry = readdir(directory); entry; entry = readdir(directory)) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            assert_int_equal(unlink(test_folder_path(folder, entry->d_name)), 0);
        }
    }
    closedir(directory);
    assert_int_equal(rmdir(folder->path), 0);
}

void test_folder_put(const TestFolder* folder, const char* name, const void* bytes, size_t size)
{
    FILE* file = fopen(test_folder_path(folder, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

uint8_t* test_folder_get(const TestFolder* folder, const char* name, size_t* size)
{
    FILE* file = fopen(test_folder_path(folder, name), "rb");
    if (!file) {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    uint8_t* bytes = malloc((size_t)length + 1);
    *size = fread(bytes, 1, (size_t)length, file);
    assert_int_equal(*size, length);
    bytes[*size] = 0;
    fclose(file);
    return bytes;
}

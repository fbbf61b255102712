// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A folder of its own for a test that needs files.

#ifndef GERTIE_TESTS_SUPPORT_FOLDER_H
#define GERTIE_TESTS_SUPPORT_FOLDER_H

#include <stddef.h>
#include <stdint.h>

typedef struct TestFolder {
    char path[64];
} TestFolder;

// Make an empty folder for temporary files.
void test_folder_create(TestFolder* folder);

// Remove it with the files in it, of which none may be a folder.
void test_folder_remove(const TestFolder* folder);

// The path of a file in it; valid until the fourth call from now.
const char* test_folder_path(const TestFolder* folder, const char* name);

// Write a file in it.
void test_folder_put(const TestFolder* folder, const char* name, const void* bytes, size_t size);

// Read a file in it; free() the result. NULL when it is not there.
uint8_t* test_folder_get(const TestFolder* folder, const char* name, size_t* size);

#endif

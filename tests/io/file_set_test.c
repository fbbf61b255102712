// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Files that belong together, in a folder of their own: at every step the file that is there names parts that are there
// and have the contents that it was written with. What a reader sees is checked by reading, not by asking the set.

#include "io/file_set.h"
#include "support/folder.h"
#include "support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int count_files(const TestFolder* folder)
{
    int count = -2; // . and ..
    DIR* directory = opendir(folder->path);
    assert_non_null(directory);
    while (readdir(directory)) {
        ++count;
    }
    closedir(directory);
    return count;
}

static bool is_there(const TestFolder* folder, const char* name)
{
    struct stat status;
    return lstat(test_folder_path(folder, name), &status) == 0;
}

static void put(const TestFolder* folder, const char* name, const char* text)
{
    test_folder_put(folder, name, text, strlen(text));
}

static char* get(const TestFolder* folder, const char* name)
{
    size_t size = 0;
    char* text = (char*)test_folder_get(folder, name, &size);
    char* out = calloc(1, size + 1);
    assert_true(text && out);
    memcpy(out, text, size);
    free(text);
    return out;
}

static void expect_text(const TestFolder* folder, const char* name, const char* wanted)
{
    char* text = get(folder, name);
    assert_string_equal(text, wanted);
    free(text);
}

// Write "main NAME" with one part, as a .gltf and its .bin are.
static GtResult save(const TestFolder* folder, const char* path, const char* contents, GtError* out)
{
    GtError error = { 0 };
    GtContext context = gt_default_context();
    GtiFileSet set;
    const char* name = NULL;
    GT_EXPECT_OK(gti_file_set_open(&context, test_folder_path(folder, path), &set, &error));
    GT_EXPECT_OK(gti_file_set_add(&set, ".bin", &(GtiSpan){ contents, strlen(contents) }, 1, &name, &error));
    char text[256];
    int size = snprintf(text, sizeof text, "main %s", name);
    return gti_file_set_finish(&set, &(GtiSpan){ text, (size_t)size }, 1, out);
}

// The part that a file names has these contents.
static void expect_part(const TestFolder* folder, const char* path, const char* contents)
{
    char* text = get(folder, path);
    assert_memory_equal(text, "main ", 5);
    expect_text(folder, text + 5, contents);
    free(text);
}

static void test_a_set_replaces_a_set(void** state)
{
    (void)state;
    GtError error;
    TestFolder folder;
    test_folder_create(&folder);
    GT_EXPECT_OK(save(&folder, "walk.gltf", "one", &error));
    expect_text(&folder, "walk.gltf", "main walk.bin");
    expect_part(&folder, "walk.gltf", "one");
    GT_EXPECT_OK(save(&folder, "walk.gltf", "two", &error)); // beside the old part, which goes then
    expect_part(&folder, "walk.gltf", "two");
    assert_false(is_there(&folder, "walk.bin"));
    assert_int_equal(count_files(&folder), 2);
    GT_EXPECT_OK(save(&folder, "walk.gltf", "two", &error)); // the name is free again
    expect_text(&folder, "walk.gltf", "main walk.bin");
    expect_part(&folder, "walk.gltf", "two");
    assert_int_equal(count_files(&folder), 2);
    GT_EXPECT_OK(save(&folder, "walk.gltf", "two", &error)); // the same contents: the same part
    expect_text(&folder, "walk.gltf", "main walk.bin");
    assert_int_equal(count_files(&folder), 2);
    test_folder_remove(&folder);
}

static void test_failure_leaves_the_old_set(void** state)
{
    (void)state;
    GtError error;
    TestFolder folder;
    test_folder_create(&folder);
    GT_EXPECT_OK(save(&folder, "walk.gltf", "one", &error));
    assert_int_equal(chmod(test_folder_path(&folder, "walk.gltf"), 0444), 0);
    if (access(test_folder_path(&folder, "walk.gltf"), W_OK) != 0) { // root may write to everything
        GT_EXPECT_ERROR(save(&folder, "walk.gltf", "two", &error), GT_ERROR_IO, "write-protected");
        expect_part(&folder, "walk.gltf", "one");
        assert_int_equal(count_files(&folder), 2);
    }
    mkdir(test_folder_path(&folder, "run.gltf"), 0777); // a folder in the way
    GT_EXPECT_ERROR(save(&folder, "run.gltf", "two", &error), GT_ERROR_IO, "it is a folder");
    assert_false(is_there(&folder, "run.bin"));
    rmdir(test_folder_path(&folder, "run.gltf"));

    GtContext context = gt_default_context();
    GtiFileSet set;
    const char* name = NULL;
    GT_EXPECT_OK(gti_file_set_open(&context, test_folder_path(&folder, "walk.gltf"), &set, &error));
    GT_EXPECT_OK(gti_file_set_add(&set, ".bin", &(GtiSpan){ "three", 5 }, 1, &name, &error));
    assert_int_equal(count_files(&folder), 3);
    gti_file_set_discard(&set);
    assert_int_equal(count_files(&folder), 2);
    expect_part(&folder, "walk.gltf", "one");
    test_folder_remove(&folder);
}

static void test_parts_of_others_stay(void** state)
{
    (void)state;
    GtError error;
    TestFolder folder;
    test_folder_create(&folder);
    GT_EXPECT_OK(save(&folder, "walk.gltf", "one", &error));
    put(&folder, "copy.gltf", "also names walk.bin");
    put(&folder, "walk_0.png", "a picture of someone's own");
    put(&folder, "walk-notes.bin", "not a part, by its name");
    GT_EXPECT_OK(save(&folder, "walk.gltf", "two", &error));
    expect_part(&folder, "walk.gltf", "two");
    expect_text(&folder, "walk.bin", "one");
    unlink(test_folder_path(&folder, "copy.gltf"));

    put(&folder, "walk.gltf", "walk.bin walk_0.png walk-notes.bin walking.bin"); // from another program
    put(&folder, "walking.bin", "of another file");
    GT_EXPECT_OK(save(&folder, "walk.gltf", "three", &error));
    assert_true(is_there(&folder, "walk-notes.bin") && is_there(&folder, "walking.bin"));
    assert_false(is_there(&folder, "walk.bin"));
    test_folder_remove(&folder);
}

// An OBJ names a library, and that names a picture. Pictures go with a library that we wrote, and with no other.
static void test_pictures_go_with_our_library(void** state)
{
    (void)state;
    for (int ours = 0; ours < 2; ++ours) {
        GtError error;
        GtContext context = gt_default_context();
        TestFolder folder;
        test_folder_create(&folder);
        put(&folder, "cat.obj", "mtllib cat.mtl");
        put(&folder, "cat.mtl", ours ? "# written by Gertie\nmap_Kd cat_0.png" : "# by hand\nmap_Kd cat_0.png");
        put(&folder, "cat_0.png", "fur");
        GtiFileSet set;
        GT_EXPECT_OK(gti_file_set_open(&context, test_folder_path(&folder, "cat.obj"), &set, &error));
        GT_EXPECT_OK(gti_file_set_finish(&set, &(GtiSpan){ "v 0 0 0", 7 }, 1, &error));
        expect_text(&folder, "cat.obj", "v 0 0 0");
        assert_false(is_there(&folder, "cat.mtl"));
        assert_int_equal(is_there(&folder, "cat_0.png"), !ours);
        test_folder_remove(&folder);
    }
}

static void test_names_are_uris_too(void** state)
{
    (void)state;
    GtError error;
    TestFolder folder;
    test_folder_create(&folder);
    put(&folder, "my walk.bin", "one");
    put(&folder, "my walk.gltf", "uri: my%20walk.bin");
    GT_EXPECT_OK(save(&folder, "my walk.gltf", "two", &error));
    expect_part(&folder, "my walk.gltf", "two");
    assert_false(is_there(&folder, "my walk.bin"));
    put(&folder, "other.gltf", "uri: my%20walk.bin");
    put(&folder, "my walk.bin", "one");
    put(&folder, "my walk.gltf", "uri: my%20walk.bin");
    GT_EXPECT_OK(save(&folder, "my walk.gltf", "three", &error));
    assert_true(is_there(&folder, "my walk.bin"));
    test_folder_remove(&folder);
}

static void test_memory_may_run_out(void** state)
{
    (void)state;
    GtError error;
    TestFolder folder;
    test_folder_create(&folder);
    GT_EXPECT_OK(save(&folder, "walk.gltf", "one", &error));
    bool done = false;
    for (int64_t limit = 0; !done; ++limit) {
        TestAllocator counter = { .remaining = limit };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&counter);
        GtiFileSet set;
        const char* name = NULL;
        GtResult result = gti_file_set_open(&context, test_folder_path(&folder, "walk.gltf"), &set, &error);
        if (result == GT_OK) {
            result = gti_file_set_add(&set, ".bin", &(GtiSpan){ "two", 3 }, 1, &name, &error);
            char text[64];
            snprintf(text, sizeof text, "main %s", result == GT_OK ? name : "");
            if (result == GT_OK) {
                result = gti_file_set_finish(&set, &(GtiSpan){ text, strlen(text) }, 1, &error);
            } else {
                gti_file_set_discard(&set);
            }
        }
        assert_int_equal(counter.alive, 0);
        done = result == GT_OK;
        expect_part(&folder, "walk.gltf", done ? "two" : "one");
        assert_true(done || count_files(&folder) == 2);
    }
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_set_replaces_a_set), cmocka_unit_test(test_failure_leaves_the_old_set),
        cmocka_unit_test(test_parts_of_others_stay), cmocka_unit_test(test_pictures_go_with_our_library),
        cmocka_unit_test(test_names_are_uris_too),   cmocka_unit_test(test_memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

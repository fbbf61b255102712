// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Large and hostile meshes: files of many pieces on one thread and on several, memory that runs out anywhere, work that
// is cancelled, files that change while they are read, three gigabytes of nothing.

#include "mesh_support.h"
#include "support/folder.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

// A text that grows.
typedef struct Writer {
    char* text;
    size_t size, capacity;
} Writer;

static void put(Writer* writer, const char* format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (writer->capacity - writer->size < sizeof line) {
        writer->capacity = writer->capacity * 2 + (1 << 16);
        writer->text = realloc(writer->text, writer->capacity);
    }
    memcpy(writer->text + writer->size, line, (size_t)length);
    writer->size += (size_t)length;
}

// A sheet of n x n vertices with texture coordinates, groups and materials that change, and relative indices.
static Writer make_obj(int n)
{
    Writer w = { 0 };
    for (int i = 0; i < n; ++i) {
        put(&w, "o row%d\ng part%d\n%s", i / 100, i % 7, i % 3 ? "" : "usemtl m\n");
        for (int j = 0; j < n; ++j) {
            put(&w, "v %d.%03d %d %d.5\nvt %d %d\n", i, j % 1000, j, (i * j) % 9, i, j);
        }
        for (int j = 0; i > 0 && j + 1 < n; ++j) {
            if (j % 2) {
                put(&w, "f %d/%d %d/%d \\\n %d/%d %d/%d\n", -n + j - n, -n + j - n, -n + j, -n + j, -n + j + 1,
                    -n + j + 1, -n + j + 1 - n, -n + j + 1 - n);
            } else {
                int a = (i - 1) * n + j + 1;
                put(&w, "f %d %d %d %d\r\n", a, a + n, a + n + 1, a + 1);
            }
        }
    }
    return w;
}

static Writer make_ply(int n, const char* face_extra)
{
    Writer w = { 0 };
    put(&w,
        "ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
        "element face %d\nproperty list uchar int vertex_indices\n%send_header\n",
        n * n, (n - 1) * (n - 1), *face_extra ? "property float q\n" : "");
    for (int i = 0; i < n * n; ++i) {
        put(&w, "%d.25 %d %.5f\n", i / n, i % n, (double)(i % 101) / 7.0);
    }
    for (int i = 0; i < n - 1; ++i) {
        for (int j = 0; j < n - 1; ++j) {
            put(&w, "4 %d %d %d %d%s\n", i * n + j, i * n + n + j, i * n + n + j + 1, i * n + j + 1, face_extra);
        }
    }
    return w;
}

static Writer make_stl(int n)
{
    Writer w = { 0 };
    put(&w, "solid sheet\n");
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            put(&w,
                "facet normal 0 0 1\n outer loop\n  vertex %d %d 0\n  vertex %d %d 0\n  vertex %d %d 0\n endloop\n"
                "endfacet\n",
                i, j, i + 1, j, i, j + 1);
        }
    }
    put(&w, "endsolid\n");
    return w;
}

static GtScene* load_threads(const Writer* w, const char* path, int threads)
{
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtThreadPool* pool = NULL;
    GT_EXPECT_OK(gt_thread_pool_create(context.allocator, threads, &pool, &error));
    context.executor = gt_thread_pool_executor(pool);
    GtScene* scene = mesh_load_with(&context, w->text, w->size, path, NULL);
    assert_int_equal(log.warning_count, 0);
    gt_thread_pool_destroy(pool);
    return scene;
}

static void test_threads_read_the_same(void** state)
{
    (void)state;
    Writer texts[] = { make_obj(260), make_ply(300, ""), make_ply(200, " 0.5"), make_stl(200) };
    static const char* const names[] = { "a.obj", "b.ply", "c.ply", "d.stl" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        assert_true(texts[i].size > 1 << 20); // of several pieces
        GtScene* one = load_threads(&texts[i], names[i], 1);
        for (int threads = 2; threads < 6; threads += 3) {
            GtScene* more = load_threads(&texts[i], names[i], threads);
            mesh_expect_same_file(one, more);
            gt_scene_destroy(more);
        }
        gt_scene_destroy(one);
        free(texts[i].text);
    }
}

// The sheet has as many triangles as its formula says, wherever it was cut.
static void test_pieces_lose_nothing(void** state)
{
    (void)state;
    for (int n = 250; n < 256; ++n) {
        Writer w = make_obj(n);
        GtScene* scene = load_threads(&w, "a.obj", 1);
        uint64_t triangles = 0;
        for (int32_t m = 0; m < scene->mesh_count; ++m) {
            for (int32_t p = 0; p < scene->meshes[m].primitive_count; ++p) {
                triangles += mesh_triangle_count(scene, m, p);
            }
        }
        assert_int_equal(triangles, 2 * (n - 1) * (n - 1));
        gt_scene_destroy(scene);
        free(w.text);
    }
}

static void test_a_fault_far_down_is_named_by_its_line(void** state)
{
    (void)state;
    Writer w = { 0 };
    for (int i = 0; i < 100000; ++i) {
        put(&w, "v %d 0 0 # %s\n", i, i % 3 ? "" : "a longer line");
    }
    put(&w, "f 1 2 3\n\n\nf 1 2 100001\nf 1 2 0\n");
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = mesh_load_with(&context, w.text, w.size, "a.obj", NULL);
    assert_non_null(strstr(
        log.text, "line 100004: a face refers to vertex 100001, but there are only 100000: it is left out (and 1 "
                  "more)"));
    gt_scene_destroy(scene);
    put(&w, "v 1 2\n");
    GtError error = { 0 };
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, w.text, w.size, "a.obj", NULL, &scene, &error), GT_ERROR_BAD_FILE,
                    "a.obj: line 100006: a vertex needs three numbers");
    free(w.text);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        const char* text;
    } files[] = {
        { "a.obj", "mtllib none.mtl\nv 0 0 0 1 0 0\nv 1 0 0\nv 2 2 0\nv 1 3 0\nv 0 2 0\nvt 0 0\nvn 0 0 1\no a\ng b\n"
                   "usemtl m\nf 1/1/1 2/1/1 3/1/1 4/1/1 5/1/1\ng c\nf 1 2 3\nf 1 2 9\n" },
        { "a.obj", "v 0 0 0\nv 1 0 0\n" },
        { "a.ply", "ply\nformat ascii 1.0\ncomment TextureFile a.png\nelement vertex 5\nproperty float x\n"
                   "property float y\nproperty float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n"
                   "element face 2\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\n"
                   "end_header\n0 0 0 1 2 3\n1 0 0 1 2 3\n2 2 0 1 2 3\n1 3 0 1 2 3\nnan 0 0 1 2 3\n"
                   "4 0 1 2 3 8 0 0 1 0 1 1 0 1\n3 0 1 2 6 0 0 1 0 0 0\n" },
        { "a.off", "NCOFF\n6 2 0\n0 0 0 0 0 1 1 0 0\n1 0 0 0 0 1 1 0 0\n2 2 0 0 0 1 1 0 0\n1 3 0 0 0 1 1 0 0\n"
                   "0 2 0 0 0 1 1 0 0\nnan 0 0 0 0 1 1 0 0\n5 0 1 2 3 4\n3 0 1 2\n" },
        { "a.stl",
          "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n" },
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        GtResult result = GT_ERROR_OUT_OF_MEMORY;
        int64_t allowed = 0;
        for (; result == GT_ERROR_OUT_OF_MEMORY; ++allowed) {
            TestAllocator limited = { .remaining = allowed };
            GtContext context = gt_default_context();
            context.allocator = test_allocator(&limited);
            GtError error = { 0 };
            GtScene* scene = NULL;
            result = gt_scene_load_memory(&context, files[i].text, strlen(files[i].text), files[i].name, NULL, &scene,
                                          &error);
            gt_scene_destroy(scene);
            assert_int_equal(limited.alive, 0);
        }
        assert_int_equal(result, GT_OK);
        assert_true(allowed > 10);
    }
}

static bool stop_late(void* user, const char* task, double fraction)
{
    (void)task;
    (void)fraction;
    return ++*(int*)user < 3;
}

static void test_cancelling(void** state)
{
    (void)state;
    Writer w = make_ply(900, "");
    int calls = 0;
    TestAllocator counting = { .remaining = -1 };
    GtContext context = gt_default_context();
    context.allocator = test_allocator(&counting);
    context.progress = stop_late;
    context.progress_user = &calls;
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, w.text, w.size, "a.ply", NULL, &scene, &error), GT_ERROR_CANCELLED,
                    "");
    assert_int_equal(counting.alive, 0);
    free(w.text);
}

// Hostile shapes: what is long in one way must not take time in its square.
static void test_nothing_takes_for_ever(void** state)
{
    (void)state;
    clock_t start = clock();
    TestLog log;
    Writer groups = { 0 };
    put(&groups, "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    for (int i = 0; i < 100000; ++i) {
        put(&groups, "g %d\nusemtl %d\nf 1 2 3\n", i, i % 1000);
    }
    GtContext context = test_context(&log);
    GtScene* scene = mesh_load_with(&context, groups.text, groups.size, "groups.obj", NULL);
    assert_int_equal(scene->mesh_count, 100000);
    gt_scene_destroy(scene);
    free(groups.text);
    Writer seams = { 0 };
    put(&seams, "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    for (int i = 1; i <= 200000; ++i) {
        put(&seams, "vt %d 0\nf 1/%d 2/%d 3/%d\n", i, i, i, i);
    }
    scene = mesh_load_with(&context, seams.text, seams.size, "seams.obj", NULL);
    assert_int_equal(mesh_vertex_count(scene, 0, 0), 600000);
    gt_scene_destroy(scene);
    free(seams.text);
    Writer polygon = { 0 };
    for (int i = 0; i < 100000; ++i) {
        put(&polygon, "v %d %d 0\n", i % 2 ? i : i * 7919 % 100000, i % 3);
    }
    put(&polygon, "f");
    for (int i = 1; i <= 100000; ++i) {
        put(&polygon, " %d", i);
    }
    put(&polygon, "\n");
    scene = mesh_load_with(&context, polygon.text, polygon.size, "polygon.obj", NULL);
    assert_int_equal(mesh_triangle_count(scene, 0, 0), 99998);
    gt_scene_destroy(scene);
    free(polygon.text);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 30.0); // a second or two
}

static void test_index_2_to_the_31(void** state)
{
    (void)state;
    static const char* const indices[] = { "2147483648",
                                           "2147483647",
                                           "4294967296",
                                           "-2147483648",
                                           "-2147483649",
                                           "18446744073709551615",
                                           "99999999999999999999",
                                           "-99999999999999999999",
                                           "0" };
    for (size_t i = 0; i < sizeof indices / sizeof *indices; ++i) {
        char text[256];
        TestLog log;
        snprintf(text, sizeof text, "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1 2 3\nf 1 2 %s\nf 1/1 2/%s 3/1\n",
                 indices[i], indices[i]);
        GtScene* scene = mesh_load(&log, text, "a.obj");
        assert_int_equal(mesh_triangle_count(scene, 0, 0), 1);
        assert_int_equal(log.warning_count, 1);
        assert_non_null(strstr(log.text, "(and 1 more)"));
        gt_scene_destroy(scene);
    }
}

// Three gigabytes of which all but the first lines are a hole.
static void test_a_file_of_3_gb(void** state)
{
    (void)state;
    static const char* const names[] = { "a.obj" };
    static const char* const texts[] = { "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n" };
    TestFolder folder;
    test_folder_create(&folder);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        test_folder_put(&folder, names[i], texts[i], strlen(texts[i]));
        const char* path = test_folder_path(&folder, names[i]);
        if (truncate(path, (off_t)3 << 30) != 0) {
            print_message("no sparse files here\n");
            test_folder_remove(&folder);
            skip();
        }
        TestLog log;
        GtContext context = test_context(&log);
        GtError error = { 0 };
        GtScene* scene = NULL;
        GT_EXPECT_OK(gt_scene_load(&context, path, NULL, &scene, &error));
        assert_int_equal(mesh_triangle_count(scene, 0, 0), 1);
        gt_scene_destroy(scene);
    }
    test_folder_remove(&folder);
}

// A file that another program writes to.
typedef struct Changer {
    const char* path;
    off_t size;
    bool grows;
    atomic_bool quit;
} Changer;

static void* change(void* user)
{
    Changer* changer = user;
    while (!changer->quit) {
        if (changer->grows) {
            int file = open(changer->path, O_WRONLY | O_APPEND);
            if (file >= 0) {
                ssize_t written = write(file, "v 9 9 9\nf 1 2 3\n", 16);
                (void)written;
                close(file);
            }
        } else {
            int failed = truncate(changer->path, changer->size / 2) || truncate(changer->path, changer->size);
            (void)failed;
        }
    }
    return NULL;
}

static void test_a_thread_changes_files_while_they_are_read(void** state)
{
    (void)state;
    TestFolder folder;
    test_folder_create(&folder);
    Writer w = make_obj(300);
    for (int grows = 0; grows < 2; ++grows) {
        test_folder_put(&folder, "a.obj", w.text, w.size);
        const char* path = test_folder_path(&folder, "a.obj");
        char kept[128];
        snprintf(kept, sizeof kept, "%s", path);
        Changer changer = { .path = kept, .size = (off_t)w.size, .grows = grows };
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, change, &changer), 0);
        for (int i = 0; i < 4; ++i) {
            GtContext context = gt_default_context();
            GtError error = { 0 };
            GtScene* scene = NULL;
            GtResult result = gt_scene_load(&context, kept, NULL, &scene, &error); // any end but a crash
            if (grows) {
                GT_EXPECT_OK(result); // what is appended is not seen
            }
            gt_scene_destroy(scene);
        }
        changer.quit = true;
        pthread_join(thread, NULL);
    }
    free(w.text);
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_read_the_same),
        cmocka_unit_test(test_pieces_lose_nothing),
        cmocka_unit_test(test_a_fault_far_down_is_named_by_its_line),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_cancelling),
        cmocka_unit_test(test_nothing_takes_for_ever),
        cmocka_unit_test(test_index_2_to_the_31),
        cmocka_unit_test(test_a_file_of_3_gb),
        cmocka_unit_test(test_a_thread_changes_files_while_they_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

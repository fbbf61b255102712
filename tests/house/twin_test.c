// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Two copies of the shared library in one process, loaded as plug-ins load what they need (dlopen(), RTLD_LOCAL), work
// at once on two threads and give the same; one goes while the other works, again and again. This program has a third
// copy linked in.

#include "gertie/gertie.h"

#include "support/test.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

// The functions that a copy is asked for.
#define FUNCTIONS(x)                                                                                                   \
    x(gt_version) x(gt_default_context) x(gt_default_person_def) x(gt_default_motion_def) x(gt_sample_person)          \
        x(gt_sample_motion) x(gt_rig) x(gt_animate) x(gt_scene_save_memory) x(gt_scene_load_memory) x(gt_blob_bytes)   \
            x(gt_blob_size) x(gt_blob_release) x(gt_scene_destroy) x(gt_hash_bytes) x(gt_thread_pool_create)           \
                x(gt_thread_pool_destroy) x(gt_thread_pool_executor)

typedef struct Twin {
    void* library;
#define MEMBER(name) __typeof__(&(name)) name; // NOLINT(bugprone-macro-parentheses): a member has none
    FUNCTIONS(MEMBER)
#undef MEMBER
    uint64_t hash;
} Twin;

static bool load(const char* path, Twin* twin)
{
    memset(twin, 0, sizeof *twin);
    twin->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    bool whole = twin->library != NULL;
#define FIND(name) whole = whole && (*(void**)& twin->name = dlsym(twin->library, #name)) != NULL;
    FUNCTIONS(FIND)
#undef FIND
    return whole;
}

// Make, rig, animate, save and read on a pool of the copy's own; the hash of what came out, or 0.
static void* work(void* user)
{
    Twin* t = user;
    GtContext context = t->gt_default_context();
    GtError error;
    GtThreadPool* pool = NULL;
    GtScene *bare = NULL, *walk = NULL, *rigged = NULL, *moving = NULL, *again = NULL;
    GtBlob* blob = NULL;
    GtPersonDef person = t->gt_default_person_def();
    person.triangle_count = 2000;
    person.scan.bare = true;
    GtMotionDef motion = t->gt_default_motion_def(GT_MOTION_WALK);
    bool ok = t->gt_thread_pool_create(context.allocator, 2, &pool, &error) == GT_OK;
    context.executor = t->gt_thread_pool_executor(pool);
    ok = ok && t->gt_sample_person(&context, &person, &bare, NULL, &error) == GT_OK &&
         t->gt_sample_motion(&context, &motion, &walk, NULL, &error) == GT_OK &&
         t->gt_rig(&context, bare, NULL, &rigged, NULL, &error) == GT_OK &&
         t->gt_animate(&context, rigged, walk, NULL, &moving, NULL, &error) == GT_OK &&
         t->gt_scene_save_memory(&context, moving, "glb", NULL, &blob, &error) == GT_OK &&
         t->gt_scene_load_memory(&context, t->gt_blob_bytes(blob), t->gt_blob_size(blob), "a.glb", NULL, &again,
                                 &error) == GT_OK;
    t->hash = ok ? t->gt_hash_bytes(1, t->gt_blob_bytes(blob), t->gt_blob_size(blob)) : 0;
    GtScene* scenes[] = { bare, walk, rigged, moving, again };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        t->gt_scene_destroy(scenes[i]);
    }
    t->gt_blob_release(blob);
    t->gt_thread_pool_destroy(pool);
    return NULL;
}

static void copy_file(const char* from, const char* to)
{
    FILE* in = fopen(from, "rb");
    FILE* out = fopen(to, "wb");
    assert_non_null(in);
    assert_non_null(out);
    char bytes[1 << 16];
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, in)) > 0;) {
        assert_int_equal(fwrite(bytes, 1, size, out), size);
    }
    fclose(in);
    fclose(out);
}

static void two_copies_on_threads_do_not_disturb_each_other(void** state)
{
    (void)state;
    char program[1024], path[1100], folder[] = "/tmp/twin-XXXXXX", copy[64];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    assert_true(length > 0);
    program[length] = 0;
    *strrchr(program, '/') = 0;
    snprintf(path, sizeof path, "%s/../libgertie.so", program);
    assert_non_null(mkdtemp(folder));
    snprintf(copy, sizeof copy, "%s/libother.so", folder);
    copy_file(path, copy);
    Twin first, second;
    if (!load(path, &first)) {
        fail_msg("%s", dlerror());
    }
    assert_string_equal(first.gt_version(), GT_VERSION_STRING);
    work(&first);
    uint64_t alone = first.hash;
    assert_true(alone != 0);
    for (int round = 0; round < 3; ++round) {
        pthread_t threads[2];
        assert_true(load(copy, &second));
        assert_true((void*)first.gt_animate != (void*)second.gt_animate);
        assert_int_equal(pthread_create(&threads[0], NULL, work, &first), 0);
        assert_int_equal(pthread_create(&threads[1], NULL, work, &second), 0);
        pthread_join(threads[1], NULL);
        assert_true(second.hash == alone);
        assert_int_equal(dlclose(second.library), 0); // while the first works
        pthread_join(threads[0], NULL);
        assert_true(first.hash == alone);
    }
    dlclose(first.library);
    unlink(copy);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_copies_on_threads_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

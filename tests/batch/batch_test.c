// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Jobs of a thread_pool that write what they were asked to: each is done once, failures keep no other, remarks come in
// the order of the jobs, and a batch that was stopped goes on to the same bytes.

#include "gertie/batch.h"
#include "gertie/file.h"

#include "base/fail.h"
#include "data/json.h"
#include "support/folder.h"
#include "support/test.h"

#include <stdlib.h>
#include <unistd.h>

enum {
    JOB_COUNT = 12
};

static TestFolder inputs;
static TestFolder outputs;

static int enter(void** state)
{
    (void)state;
    test_folder_create(&inputs);
    test_folder_create(&outputs);
    for (int i = 0; i < JOB_COUNT; ++i) {
        char name[24];
        snprintf(name, sizeof name, "m%02d.bvh", JOB_COUNT - 1 - i); // not in the order of their names
        test_folder_put(&inputs, name, name, strlen(name));
    }
    return 0;
}

static int leave(void** state)
{
    (void)state;
    test_folder_remove(&inputs);
    test_folder_remove(&outputs);
    return 0;
}

static GtBatchList* list_inputs(const GtContext* context)
{
    GtError error;
    const char* paths[] = { inputs.path };
    const GtBatchListDef def = { .paths = paths, .path_count = 1, .output = outputs.path, .names_outputs = true };
    GtBatchList* list = NULL;
    GT_EXPECT_OK(gt_batch_list_create(context, &def, &list, &error));
    return list;
}

// What the jobs of a test do.
typedef struct Plan {
    const char* fails; // name of the motion that fails, or NULL
    int32_t runs[JOB_COUNT];
} Plan;

static GtResult run_job(void* user, const GtContext* context, const GtBatchJob* job, GtBatchClips* clips,
                        GtError* error)
{
    Plan* plan = user;
    char row[64];
    ++plan->runs[atoi(job->name + 1)];
    GtResult result = gti_progress(context, error, "working", 0.5);
    if (result != GT_OK) {
        return result;
    }
    gti_warn(context, "hero.glb", NULL, "it has no toes");
    gti_warn(context, job->path, NULL, "its name is %s", job->name);
    if (plan->fails && !strcmp(plan->fails, job->name)) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "it is broken");
    }
    snprintf(row, sizeof row, "{\"motion\": \"%s\"}", job->name);
    result = gt_file_write(context, job->output, job->name, strlen(job->name), error);
    return result == GT_OK ? gt_batch_add_clip(clips, "walk", row, NULL, error) : result;
}

static GtBatchDef make_def(const GtBatchList* list, Plan* plan)
{
    return (GtBatchDef){ .list = list,
                         .character = "hero.glb",
                         .folder = outputs.path,
                         .setup = 0,
                         .report = true,
                         .run = run_job,
                         .user = plan };
}

static void folders_are_listed_by_name(void** state)
{
    (void)state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtBatchList* list = list_inputs(&context);
    assert_int_equal(list->count, JOB_COUNT);
    for (int i = 0; i < JOB_COUNT; ++i) {
        char name[24];
        snprintf(name, sizeof name, "m%02d.bvh", i);
        assert_string_equal(list->jobs[i].name, name);
        assert_int_equal(list->jobs[i].size, 7);
        snprintf(name, sizeof name, "m%02d.glb", i);
        assert_string_equal(list->jobs[i].output, test_folder_path(&outputs, name));
    }
    gt_batch_list_destroy(list);
    const char* twice[] = { test_folder_path(&inputs, "m00.bvh"), test_folder_path(&inputs, "m00.bvh") };
    GtBatchListDef def = { .paths = twice, .path_count = 2, .output = outputs.path, .names_outputs = true };
    GT_EXPECT_ERROR(gt_batch_list_create(&context, &def, &list, &error), GT_ERROR_BAD_VALUE, "is named twice");
    assert_null(list);
    test_folder_put(&inputs, "m00.glb", "", 0);
    const char* own[] = { test_folder_path(&inputs, "m00.glb") };
    def = (GtBatchListDef){ .paths = own, .path_count = 1, .output = inputs.path, .names_outputs = true };
    GT_EXPECT_ERROR(gt_batch_list_create(&context, &def, &list, &error), GT_ERROR_BAD_VALUE,
                    "would replace a file that it is made from");
    unlink(test_folder_path(&inputs, "m00.glb"));
    def = (GtBatchListDef){ .paths = (const char*[]){ outputs.path }, .path_count = 1 };
    GT_EXPECT_ERROR(gt_batch_list_create(&context, &def, &list, &error), GT_ERROR_NOT_FOUND, "holds no motions");
}

static void no_file_of_a_folder_is_skipped_in_silence(void** state)
{
    (void)state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    TestFolder mixed;
    test_folder_create(&mixed);
    static const char* const names[] = { "a.trc", "b.TRC", "c.txt", "license", ".hidden", "d.c3d" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        test_folder_put(&mixed, names[i], "x", 1);
    }
    const char* paths[] = { mixed.path };
    const GtBatchListDef def = { .paths = paths, .path_count = 1 };
    GtBatchList* list = NULL;
    GT_EXPECT_ERROR(
        gt_batch_list_create(&context, &def, &list, &error), GT_ERROR_NOT_FOUND,
        "the folder holds no motions, which are read from .glb, .gltf, .vrm, .fbx, .vrma, .bvh, .amc, .skm, .gtp, .dae "
        "files, but 2 .trc, 1 .c3d, 1 .txt and 1 other files");
    assert_string_equal(log.text, "");
    test_folder_put(&mixed, "walk.bvh", "x", 1);
    GT_EXPECT_OK(gt_batch_list_create(&context, &def, &list, &error));
    assert_int_equal(list->count, 1);
    assert_null(list->jobs[0].output);
    assert_non_null(strstr(log.text, "2 .trc, 1 .c3d, 1 .txt and 1 other files are skipped"));
    gt_batch_list_destroy(list);
    test_folder_remove(&mixed);
}

static void jobs_on_many_threads_are_told_in_order(void** state)
{
    (void)state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtThreadPool* pool = NULL;
    GT_EXPECT_OK(gt_thread_pool_create(context.allocator, 4, &pool, &error));
    context.executor = gt_thread_pool_executor(pool);
    GtBatchList* list = list_inputs(&context);
    Plan plan = { .fails = "m07.bvh" };
    GtBatchDef def = make_def(list, &plan);
    GtBatch* batch = NULL;
    GT_EXPECT_OK(gt_batch_run(&context, &def, &batch, &error));
    assert_int_equal(batch->done_count, JOB_COUNT - 1);
    assert_int_equal(batch->failed_count, 1);
    assert_string_equal(batch->errors[7]->message, "it is broken");
    assert_int_equal(log.warning_count, JOB_COUNT + 1); // of hero.glb once
    const char* at = log.text;
    for (int i = 0; i < JOB_COUNT; ++i) {
        char words[32];
        snprintf(words, sizeof words, "its name is m%02d.bvh", i);
        at = strstr(at, words);
        assert_non_null(at);
        assert_int_equal(plan.runs[i], 1);
        assert_true(i == 7 ? !batch->errors[i]->where[0] : !batch->errors[i]);
    }
    GtJsonWriter json = gt_json_create(NULL, 2);
    gt_json_begin_object(&json);
    gt_batch_write(&json, batch);
    gt_json_end_object(&json);
    GtArena arena = gt_arena_create(gt_default_allocator());
    const GtiJson* root = NULL;
    GT_EXPECT_OK(gti_json_parse(&arena, json.text.bytes, json.text.size, &root, &error));
    assert_int_equal(gti_json_find(root, "clips")->count, JOB_COUNT - 1);
    assert_int_equal(gti_json_find(root, "failures")->count, 1);
    gt_arena_destroy(&arena);
    gt_json_destroy(&json);
    gt_batch_destroy(batch);
    gt_batch_list_destroy(list);
    gt_thread_pool_destroy(pool);
}

static bool stop_after_three(void* user, const char* task, double fraction)
{
    (void)fraction;
    *(bool*)user |= atoi(task) >= 3;
    usleep(60000); // more than the least time between calls, so that each job shows
    return !*(bool*)user;
}

static void a_cancelled_batch_goes_on_to_the_same_bytes(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtBatchList* list = list_inputs(&context);
    Plan plan = { 0 };
    GtBatchDef def = make_def(list, &plan);
    GtBatch* batch = NULL;
    GT_EXPECT_OK(gt_batch_run(&context, &def, &batch, &error));
    gt_batch_destroy(batch);
    size_t size = 0;
    char* wanted = (char*)test_folder_get(&outputs, "report.json", &size);
    unlink(test_folder_path(&outputs, "report.json"));

    bool is_stopped = false;
    plan = (Plan){ 0 };
    context.progress = stop_after_three;
    context.progress_user = &is_stopped;
    GT_EXPECT_ERROR(gt_batch_run(&context, &def, &batch, &error), GT_ERROR_CANCELLED, "motions to do");
    int32_t done = batch->done_count;
    assert_true(done >= 2 && done < JOB_COUNT);
    assert_int_equal(access(test_folder_path(&outputs, "report.json"), F_OK), -1);
    gt_batch_destroy(batch);

    context.progress = NULL;
    plan = (Plan){ 0 };
    def.resume = true;
    GT_EXPECT_OK(gt_batch_run(&context, &def, &batch, &error));
    assert_int_equal(batch->kept_count, done);
    assert_int_equal(batch->done_count, JOB_COUNT - done);
    size_t resumed_size = 0;
    char* resumed = (char*)test_folder_get(&outputs, "report.json", &resumed_size);
    assert_int_equal(resumed_size, size);
    assert_memory_equal(resumed, wanted, size);
    free(wanted);
    free(resumed);
    gt_batch_destroy(batch);

    def.setup = gt_hash_bytes(def.setup, "another option", 14); // with which nothing is as it was
    GT_EXPECT_OK(gt_batch_run(&context, &def, &batch, &error));
    assert_int_equal(batch->kept_count, 0);
    gt_batch_destroy(batch);
    gt_batch_list_destroy(list);
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    GtError error;
    for (int64_t limit = 0;; ++limit) {
        TestAllocator failing = { .remaining = limit };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&failing);
        const char* paths[] = { inputs.path };
        const GtBatchListDef list_def = {
            .paths = paths, .path_count = 1, .output = outputs.path, .names_outputs = true
        };
        GtBatchList* list = NULL;
        GtBatch* batch = NULL;
        Plan plan = { 0 };
        GtResult result = gt_batch_list_create(&context, &list_def, &list, &error);
        if (result == GT_OK) {
            GtBatchDef def = make_def(list, &plan);
            def.resume = limit % 2;
            result = gt_batch_run(&context, &def, &batch, &error);
        }
        bool is_whole = result == GT_OK && batch->failed_count == 0;
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_batch_destroy(batch);
        gt_batch_list_destroy(list);
        assert_int_equal(failing.alive, 0);
        if (is_whole && failing.remaining > 0) {
            assert_true(limit > 3);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_are_listed_by_name),
        cmocka_unit_test(no_file_of_a_folder_is_skipped_in_silence),
        cmocka_unit_test(jobs_on_many_threads_are_told_in_order),
        cmocka_unit_test(a_cancelled_batch_goes_on_to_the_same_bytes),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}

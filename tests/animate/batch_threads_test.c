// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A batch as a studio runs it: every motion of a folder onto several characters that all jobs share, planted, measured
// and written, on four threads of a thread_pool as on one. Results are the same to the byte; the thread sanitizer looks
// on.

#include "gertie/animate.h"
#include "gertie/batch.h"
#include "gertie/file.h"
#include "gertie/motions.h"

#include "support/folder.h"
#include "support/test.h"

#include <stdlib.h>

enum {
    CHARACTER_COUNT = 2
};

static const GtMotionKind kinds[] = { GT_MOTION_WALK, GT_MOTION_WAVE, GT_MOTION_SQUAT, GT_MOTION_KICK, GT_MOTION_TURN };

typedef struct Studio {
    TestFolder motions;
    GtScene* characters[CHARACTER_COUNT];
} Studio;

static int enter(void** state)
{
    static Studio studio;
    GtContext context = gt_default_context();
    GtError error;
    test_folder_create(&studio.motions);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        GtMotionDef def = gt_default_motion_def(kinds[i]);
        GtScene* motion = NULL;
        char name[32];
        def.frame_rate_hz = 10.0;
        def.repeat_count = 1;
        snprintf(name, sizeof name, "%s.bvh", gt_motion_name(kinds[i]));
        GT_EXPECT_OK(gt_sample_motion(&context, &def, &motion, NULL, &error));
        GT_EXPECT_OK(gt_scene_save(&context, motion, test_folder_path(&studio.motions, name), NULL, &error));
        gt_scene_destroy(motion);
    }
    for (uint64_t i = 0; i < CHARACTER_COUNT; ++i) {
        GtPersonDef def = gt_random_person_def(i + 1);
        def.triangle_count = 2000;
        GT_EXPECT_OK(gt_sample_person(&context, &def, &studio.characters[i], NULL, &error));
    }
    *state = &studio;
    return 0;
}

static int leave(void** state)
{
    Studio* studio = *state;
    for (int i = 0; i < CHARACTER_COUNT; ++i) {
        gt_scene_destroy(studio->characters[i]);
    }
    test_folder_remove(&studio->motions);
    return 0;
}

// One motion onto every character; the last result is the file.
static GtResult run_job(void* user, const GtContext* context, const GtBatchJob* job, GtBatchClips* clips,
                        GtError* error)
{
    const Studio* studio = user;
    GtScene* motion = NULL;
    GtResult result = gt_scene_load(context, job->path, NULL, &motion, error);
    for (int i = 0; i < CHARACTER_COUNT && result == GT_OK; ++i) {
        GtAnimateDef def = gt_default_animate_def();
        GtMeasureDef measuring = gt_default_measure_def();
        GtScene* moving = NULL;
        GtMeasure* measure = NULL;
        def.method = GT_ANIMATE_SKIN;
        measuring.mesh_frame_count = 2;
        measuring.source = motion;
        result = gt_animate(context, studio->characters[i], motion, &def, &moving, NULL, error);
        if (result == GT_OK) {
            measuring.animation = moving->animation_count - 1;
            result = gt_measure(context, moving, &measuring, &measure, error);
        }
        result = result == GT_OK ? gt_batch_add_clip(clips, job->name, "{}", measure, error) : result;
        result = result == GT_OK ? gt_scene_save(context, moving, job->output, NULL, error) : result;
        gt_measure_destroy(measure);
        gt_scene_destroy(moving);
    }
    gt_scene_destroy(motion);
    return result;
}

static void run_batch(Studio* studio, const TestFolder* outputs, int32_t thread_count)
{
    GtContext context = gt_default_context();
    GtError error;
    GtThreadPool* pool = NULL;
    GtBatchList* list = NULL;
    GtBatch* batch = NULL;
    GT_EXPECT_OK(gt_thread_pool_create(context.allocator, thread_count, &pool, &error));
    context.executor = gt_thread_pool_executor(pool);
    GtBatchListDef listing = gt_default_batch_list_def();
    const char* paths[] = { studio->motions.path };
    listing.paths = paths;
    listing.path_count = 1;
    listing.output = outputs->path;
    listing.names_outputs = true;
    GT_EXPECT_OK(gt_batch_list_create(&context, &listing, &list, &error));
    GtBatchDef def = gt_default_batch_def();
    def.list = list;
    def.character = "person.glb";
    def.folder = outputs->path;
    def.run = run_job;
    def.user = studio;
    GT_EXPECT_OK(gt_batch_run(&context, &def, &batch, &error));
    assert_int_equal(batch->done_count, sizeof kinds / sizeof *kinds);
    assert_int_equal(batch->failed_count, 0);
    gt_batch_destroy(batch);
    gt_batch_list_destroy(list);
    gt_thread_pool_destroy(pool);
}

static void a_batch_on_threads_gives_the_same_bytes(void** state)
{
    Studio* studio = *state;
    TestFolder alone;
    TestFolder together;
    test_folder_create(&alone);
    test_folder_create(&together);
    run_batch(studio, &alone, 1);
    run_batch(studio, &together, 4);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        char name[32];
        snprintf(name, sizeof name, "%s.glb", gt_motion_name(kinds[i]));
        uint8_t* bytes[2];
        size_t sizes[2];
        bytes[0] = test_folder_get(&alone, name, &sizes[0]);
        bytes[1] = test_folder_get(&together, name, &sizes[1]);
        assert_non_null(bytes[0]);
        assert_non_null(bytes[1]);
        assert_true(sizes[0] > 1000);
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(bytes[0], bytes[1], sizes[0]);
        free(bytes[0]);
        free(bytes[1]);
    }
    test_folder_remove(&alone);
    test_folder_remove(&together);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_on_threads_gives_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}

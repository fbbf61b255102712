// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// batch CHARACTER FOLDER OUT/: every motion of a folder onto a character, a .glb each, on all processors. Run again, it
// goes on where it was stopped. Links libgertie.

#include <gertie/animate.h>
#include <gertie/batch.h>
#include <gertie/file.h>

#include <stdio.h>

static GtResult animate_one(void* user, const GtContext* context, const GtBatchJob* job, GtBatchClips* clips,
                            GtError* error)
{
    GtScene* motion = NULL;
    GtScene* animated = NULL;
    GtResult result = gt_scene_load(context, job->path, NULL, &motion, error);
    result = result == GT_OK ? gt_animate(context, user, motion, NULL, &animated, NULL, error) : result;
    result = result == GT_OK ? gt_scene_save(context, animated, job->output, NULL, error) : result;
    gt_scene_destroy(animated);
    gt_scene_destroy(motion);
    return result == GT_OK ? gt_batch_add_clip(clips, job->name, "{}", NULL, error) : result;
}

int main(int argc, char** argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: batch CHARACTER FOLDER OUT/\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtThreadPool* pool = NULL;
    GtScene* character = NULL;
    GtBatchList* list = NULL;
    GtBatch* batch = NULL;
    GtError error;
    const char* const paths[] = { argv[2] };
    GtBatchListDef all = gt_default_batch_list_def();
    all.paths = paths;
    all.path_count = 1;
    all.character = argv[1];
    all.output = argv[3];
    all.names_outputs = true;
    bool ok = gt_thread_pool_create(context.allocator, 0, &pool, &error) == GT_OK &&
              gt_scene_load(&context, argv[1], NULL, &character, &error) == GT_OK &&
              gt_batch_list_create(&context, &all, &list, &error) == GT_OK;
    if (ok) {
        GtBatchDef def = gt_default_batch_def();
        def.list = list;
        def.character = argv[1];
        def.folder = argv[3];
        def.resume = true;
        def.run = animate_one;
        def.user = character;
        def.setup = gt_hash_file(0, argv[1]);
        context.executor = gt_thread_pool_executor(pool);
        ok = gt_batch_run(&context, &def, &batch, &error) == GT_OK;
    }
    if (ok) {
        printf("%d of %d motions done in %.1f s, %d of them before\n", (int)(batch->done_count + batch->kept_count),
               (int)batch->job_count, batch->seconds, (int)batch->kept_count);
    } else {
        char text[1024];
        gt_error_format(&error, text, sizeof text);
        fprintf(stderr, "batch: %s\n", text);
    }
    gt_batch_destroy(batch);
    gt_batch_list_destroy(list);
    gt_scene_destroy(character);
    gt_thread_pool_destroy(pool);
    return ok ? 0 : 1;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A crowd of a thousand: every member plays the same packed clip, each at a moment of its own, on all processors.
// Links libgertie-scene. The loop over frames allocates nothing.

#include <gertie/build.h>
#include <gertie/clip_pack.h>
#include <gertie/crowd.h>
#include <gertie/file.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MEMBERS = 1000
};

static void need(GtResult result, const GtError* error)
{
    if (result != GT_OK) {
        fprintf(stderr, "crowd: %s\n", error->message);
        exit(EXIT_FAILURE);
    }
}

int main(int argc, char** argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: crowd CHARACTER.glb\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene;
    GtCharacter* character;
    GtClip* keys;
    GtClip* clip;
    GtBuildDef build = gt_default_build_def();
    GtClipPackReport report;
    need(gt_scene_load(&context, argv[1], NULL, &scene, &error), &error);
    need(gt_character_build(&context, scene, &build, &character, NULL, &error), &error);
    need(gt_clip_build(&context, scene, 0, character, &keys, &error), &error);
    need(gt_clip_pack(&context, keys, character, NULL, &clip, &report, &error), &error); // within 1 mm of its keys
    gt_clip_destroy(keys);
    gt_scene_destroy(scene);

    GtThreadPool* pool;
    need(gt_thread_pool_create(context.allocator, 0, &pool, &error), &error); // or lend it the threads of your game
    GtExecutor executor = gt_thread_pool_executor(pool);
    static GtCrowdMember members[MEMBERS];
    for (int i = 0; i < MEMBERS; ++i) {
        members[i].clip = clip;
        need(gt_instance_create(context.allocator, character, &members[i].instance, &error), &error);
    }

    double length_s = gt_clip_end_s(clip) - gt_clip_start_s(clip);
    for (int frame = 0; frame < 60; ++frame) {
        for (int i = 0; i < MEMBERS; ++i) { // no two in step
            double time_s = fmod(frame / 60.0 + 0.618 * i, length_s > 0.0 ? length_s : 1.0);
            members[i].time_s = gt_clip_start_s(clip) + time_s;
        }
        gt_crowd_update(&executor, members, MEMBERS);
    }
    const GtMat34* last = &members[MEMBERS - 1].instance->model_from_node[gt_character_def(character)->node_count - 1];
    printf(
        "%d members, %zu bytes each, one clip of %zu bytes for all; the last node of the last is at %.3f %.3f %.3f\n",
        MEMBERS, gt_instance_size(character), report.packed_size, (double)last->m[0][3], (double)last->m[1][3],
        (double)last->m[2][3]);

    for (int i = 0; i < MEMBERS; ++i) {
        gt_instance_destroy(members[i].instance);
    }
    gt_thread_pool_destroy(pool);
    gt_clip_destroy(clip);
    gt_character_destroy(character);
    return 0;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// blend WALK_AND_RUN.glb OUT.glb: from a character's first clip to its second within four seconds, in step: both are
// four strides, however long these take. The way over the ground is taken out of both, mixed on its own and put back.

#include <gertie/bake.h>
#include <gertie/blend.h>
#include <gertie/build.h>
#include <gertie/file.h>
#include <gertie/playback.h>
#include <gertie/root_path.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define FRAME_COUNT 181 // at 30 a second

static void ok(GtResult result, const GtError* error)
{
    if (result != GT_OK) {
        exit(fprintf(stderr, "blend: %s: %s\n", error->file, error->message) > 0);
    }
}

int main(int argc, char** argv)
{
    GtContext context = gt_default_context();
    GtLoadDef load = gt_default_load_def();
    GtBuildDef build = gt_default_build_def();
    GtSaveDef save = gt_default_save_def();
    GtRootPathDef root = gt_default_root_path_def();
    GtScene* scene;
    GtCharacter* character;
    GtError error;
    ok(gt_scene_load(&context, argc == 3 ? argv[1] : "", &load, &scene, &error), &error);
    ok(gt_character_build(&context, scene, &build, &character, NULL, &error), &error);
    const GtCharacterDef* body = gt_character_def(character);
    size_t count = (size_t)body->node_count;
    root.node = gt_character_find_node(character, "hips");
    // Each clip, its way over the ground, its pose, and the times of moments that correspond: its start and its end.
    GtClip* clips[2];
    GtRootPath* ways[2];
    GtTransform* own[2];
    float ends_s[2][2] = { { 0.0f }, { 0.0f } };
    GtPhaseKeys keys[2];
    for (int i = 0; i < 2; ++i) {
        ok(gt_clip_build(&context, scene, i, character, &clips[i], &error), &error);
        ok(gt_root_path_create(context.allocator, character, clips[i], &root, &ways[i], &error), &error);
        ends_s[i][1] = (float)gt_clip_end_s(clips[i]);
        keys[i] = (GtPhaseKeys){ ends_s[i], 2, true };
        own[i] = memcpy(aligned_alloc(16, count * sizeof *own[i]), body->rest, count * sizeof *own[i]);
    }
    GtTransform* poses = aligned_alloc(16, FRAME_COUNT * count * sizeof *poses);
    float times_s[FRAME_COUNT];
    double phase = 0.0, way_m = 0.0;
    for (size_t frame = 0; frame < FRAME_COUNT; ++frame) {
        times_s[frame] = (float)frame / 30.0f;
        float share = gt_crossfade_share((GtEase){ 0.5f, 0.5f }, 1.0, 4.0, (double)times_s[frame]);
        GtBlendLayer layers[2] = { { own[0], 1.0f - share, NULL }, { own[1], share, NULL } };
        double next = phase + gt_phase_rate(keys, (const float[2]){ 1.0f - share, share }, 2, phase) / 30.0;
        for (int i = 0; i < 2; ++i) {
            double from_s = gt_phase_time(&keys[i], phase);
            double clip_s = gt_loop_time(GT_LOOP_REPEAT, 0.0, (double)ends_s[i][1], from_s, NULL);
            gt_clip_sample(clips[i], clip_s, own[i], NULL);
            gt_root_path_remove(ways[i], clip_s, own[i]);
            double to_s = gt_phase_time(&keys[i], next);
            way_m += (double)(layers[i].weight * gt_root_path_delta(ways[i], from_s, to_s, true).position.z);
        }
        gt_blend(&(GtBlendJob){ body->node_count, body->rest, layers, NULL, 2, 0, 0.1f, &poses[frame * count] });
        poses[frame * count + (size_t)root.node].translation.z += (float)way_m;
        phase = next;
    }
    uint8_t* paths = memset(malloc(count), GT_BAKE_ROTATION | GT_BAKE_TRANSLATION, count); // what may get keys
    GtBakeDef bake = { "blend", FRAME_COUNT, times_s, body->node_count, body->source_nodes, paths, poses };
    ok(gt_scene_bake(&context, scene, &bake, NULL, &error), &error);
    ok(gt_scene_save(&context, scene, argv[2], &save, &error), &error);
    printf("%.2f m in 6 s\n", way_m);
}

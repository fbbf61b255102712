// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// pose CHARACTER.glb OUT.glb
//
// Another motion out of a character's first clip, played twice: what the upper body does is exaggerated by half, and in
// the second round it all changes over to its mirror image. It shows masks, differences of poses that are added to
// others, mirrors, and weights that fade. Any humanoid, whatever its joints are called. Links libgertie.

#include <gertie/bake.h>
#include <gertie/blend.h>
#include <gertie/figure.h>
#include <gertie/file.h>
#include <gertie/pose.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES_A_SECOND = 30,
    MAX_FRAMES = 1000
};

static void check(GtResult result, const GtError* error)
{
    if (result != GT_OK) {
        char text[1024];
        gt_error_format(error, text, sizeof text);
        fprintf(stderr, "pose: %s\n", text);
        exit(EXIT_FAILURE);
    }
}

static GtTransform* make_pose(const GtFigure* figure)
{
    size_t size = (size_t)figure->def->node_count * sizeof(GtTransform);
    GtTransform* pose = aligned_alloc(16, size);
    if (!pose) {
        fprintf(stderr, "pose: out of memory\n");
        exit(EXIT_FAILURE);
    }
    return memcpy(pose, figure->def->rest, size);
}

static void save(const GtContext* context, const GtFigure* figure, const GtTransform* poses, int32_t frame_count,
                 const char* path)
{
    GtError error;
    GtScene* out = NULL;
    static float times_s[MAX_FRAMES];
    for (int32_t i = 0; i < frame_count; ++i) {
        times_s[i] = (float)i / FRAMES_A_SECOND;
    }
    size_t count = (size_t)figure->def->node_count;
    uint8_t* paths = malloc(count);
    GtBakeDef bake = gt_default_bake_def();
    bake.name = "pose";
    bake.frame_count = frame_count;
    bake.times_s = times_s;
    bake.node_count = figure->def->node_count;
    bake.nodes = figure->def->source_nodes;
    bake.paths = memset(paths, GT_BAKE_ROTATION | GT_BAKE_TRANSLATION, count);
    bake.poses = poses;
    check(gt_scene_copy(context, figure->scene, &out, &error), &error);
    check(gt_scene_bake(context, out, &bake, NULL, &error), &error);
    check(gt_scene_save(context, out, path, NULL, &error), &error);
    free(paths);
    gt_scene_destroy(out);
}

int main(int argc, char** argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: pose CHARACTER.glb OUT.glb\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtFigure figure;
    GtFigureDef plays = gt_default_figure_def();
    plays.animation = 0;
    GtHumanoidMap map;
    check(gt_scene_load(&context, argv[1], NULL, &scene, &error), &error);
    check(gt_map_humanoid(&context, scene, NULL, &map, NULL, &error), &error);
    scene->humanoid = &map; // so that the character, too, knows which joint is which
    check(gt_figure_open(&context, scene, &plays, &figure, &error), &error);
    size_t count = (size_t)figure.def->node_count;
    double length_s = figure.end_s - figure.start_s;
    int32_t frame_count = (int32_t)(2.0 * length_s * FRAMES_A_SECOND) + 1;
    frame_count = frame_count < MAX_FRAMES ? frame_count : MAX_FRAMES;
    if (!figure.is_humanoid) {
        fprintf(stderr, "pose: %s is no humanoid\n", argv[1]);
        return EXIT_FAILURE;
    }

    // Once: the upper body, with an edge over two joints; which joint mirrors which; where the motion starts from.
    float* upper_body = calloc(count, sizeof *upper_body);
    int32_t* partners = calloc(count, sizeof *partners);
    GtTransform *base = make_pose(&figure), *image = make_pose(&figure), *extra = make_pose(&figure);
    GtTransform* poses = calloc((size_t)frame_count * count, sizeof *poses);
    GtPoseMirror* mirror = NULL;
    if (!upper_body || !partners || !poses) {
        fprintf(stderr, "pose: out of memory\n");
        return EXIT_FAILURE;
    }
    gt_pose_mask_branch(figure.character, figure.joints[GT_HUMANOID_SPINE], 1.0f, 2, upper_body);
    printf("%d of %d nodes have a partner on the other side\n", (int)gt_pose_find_partners(figure.character, partners),
           (int)count);
    check(gt_pose_mirror_create(context.allocator, figure.character, partners, &mirror, &error), &error);
    gt_figure_pose(&figure, figure.start_s, figure.instance);
    memcpy(base, figure.instance->pose, count * sizeof *base);

    // Each frame: the clip, what it adds to its start, both mirrored as the weights say.
    float weights[2] = { 1.0f, 0.0f };
    for (int32_t frame = 0; frame < frame_count; ++frame) {
        double time_s = (double)frame / FRAMES_A_SECOND;
        GtTransform* now = figure.instance->pose;
        gt_figure_pose(&figure, figure.start_s + (time_s < length_s ? time_s : time_s - length_s), figure.instance);
        gt_pose_difference(figure.def->node_count, now, base, extra);
        const GtBlendLayer exaggerated = { extra, 0.5f, upper_body };
        const GtBlendLayer as_it_is = { now, 1.0f, NULL };
        GtBlendJob job = gt_default_blend_job();
        job.node_count = figure.def->node_count;
        job.rest = figure.def->rest;
        job.layers = &as_it_is;
        job.layer_count = 1;
        job.additive = &exaggerated;
        job.additive_count = 1;
        job.out = now;
        gt_blend(&job);
        gt_pose_mirror(mirror, now, image);
        gt_crossfade_step(weights, 2, time_s < length_s ? 0 : 1, 1.0 / FRAMES_A_SECOND, 0.5 * length_s);
        const GtBlendLayer both[2] = { { now, weights[0], NULL }, { image, weights[1], NULL } };
        job.layers = both;
        job.layer_count = 2;
        job.additive_count = 0;
        job.out = poses + (size_t)frame * count;
        gt_blend(&job);
    }
    printf("%d frames, the last one %.0f %% mirrored\n", (int)frame_count, 100.0 * (double)weights[1]);
    save(&context, &figure, poses, frame_count, argv[2]);

    gt_pose_mirror_destroy(mirror);
    free(poses);
    free(extra);
    free(image);
    free(base);
    free(partners);
    free(upper_body);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
    return EXIT_SUCCESS;
}

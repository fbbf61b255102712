// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// blend WALK_AND_RUN.glb OUT.glb [CLIP CLIP]: from a character's first clip, or the first that is named, to its second
// within four seconds, in step: a cycle of the one goes with a cycle of the other, however long these take. The way
// over the ground is taken out of both, mixed on its own and put back. Any humanoid. Links libgertie.

#include <gertie/bake.h>
#include <gertie/blend.h>
#include <gertie/figure.h>
#include <gertie/file.h>
#include <gertie/playback.h>
#include <gertie/root_path.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define FRAME_COUNT 181 // at 30 a second

// A clip, its way over the ground, its pose, and the times of moments that correspond: its start and its end.
typedef struct Motion {
    GtClip* clip;
    GtRootPath* path;
    GtTransform* pose;
    float ends_s[2];
} Motion;

static void ok(GtResult result, const GtError* error)
{
    if (result != GT_OK) {
        exit(fprintf(stderr, "blend: %s: %s: %s\n", error->file, gt_result_name(result), error->message) > 0);
    }
}

static int32_t find_clip(const GtScene* scene, const char* name, int32_t otherwise)
{
    for (int32_t i = 0; name && i < scene->animation_count; ++i) {
        if (scene->animations[i].name && strcmp(scene->animations[i].name, name) == 0) {
            return i;
        }
    }
    return otherwise;
}

static Motion open_motion(const GtContext* context, const GtFigure* figure, int32_t animation)
{
    Motion m;
    GtError error;
    size_t size = (size_t)figure->def->node_count * sizeof *m.pose;
    GtRootPathDef root = gt_default_root_path_def();
    root.node = figure->joints[GT_HUMANOID_HIPS];
    ok(gt_clip_build(context, figure->scene, animation, figure->character, &m.clip, &error), &error);
    ok(gt_root_path_create(context->allocator, figure->character, m.clip, &root, &m.path, &error), &error);
    m.pose = memcpy(aligned_alloc(16, size), figure->def->rest, size);
    m.ends_s[0] = (float)gt_clip_start_s(m.clip);
    m.ends_s[1] = (float)gt_clip_end_s(m.clip);
    return m;
}

// Move a pose over the ground of the model, in which nodes above the hips may be turned and scaled.
static void move_pose(const GtFigure* figure, GtGroundMotion by, GtTransform* pose)
{
    int32_t hips = figure->joints[GT_HUMANOID_HIPS], parent = figure->def->parents[hips];
    GtMat34 model_from_parent = parent == GT_NONE ? gt_mat34_identity() : figure->reference[parent];
    GtMat34 parent_from_model = gt_mat34_inverse(&model_from_parent, NULL);
    GtQuat heading = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), by.heading_rad);
    GtMat34 moved = gt_mat34_from_transform(gt_transform(by.position, heading, gt_vec3(1.0f, 1.0f, 1.0f)));
    GtMat34 local = gt_mat34_mul(parent_from_model, gt_mat34_mul(moved, model_from_parent));
    pose[hips].rotation = gt_quat_mul(gt_mat34_polar(&local, NULL), pose[hips].rotation);
    pose[hips].translation = gt_mat34_point(&local, pose[hips].translation);
}

int main(int argc, char** argv)
{
    GtContext context = gt_default_context();
    GtScene* scene;
    GtFigure figure;
    GtError error;
    if (argc != 3 && argc != 5) {
        return fprintf(stderr, "usage: blend WALK_AND_RUN.glb OUT.glb [CLIP CLIP]\n") > 0 ? 2 : 1;
    }
    ok(gt_scene_load(&context, argv[1], NULL, &scene, &error), &error);
    ok(gt_figure_open(&context, scene, NULL, &figure, &error), &error);
    if (!figure.is_humanoid || scene->animation_count < 2) {
        return fprintf(stderr, "blend: %s is no humanoid with two clips\n", argv[1]) > 0;
    }
    size_t count = (size_t)figure.def->node_count;
    Motion motions[2];
    GtPhaseKeys keys[2];
    for (int i = 0; i < 2; ++i) {
        motions[i] = open_motion(&context, &figure, find_clip(scene, argc == 5 ? argv[3 + i] : NULL, i));
        keys[i] = (GtPhaseKeys){ motions[i].ends_s, 2, true };
        ok(gt_phase_keys_check(&keys[i], &error), &error);
    }
    GtTransform* poses = aligned_alloc(16, FRAME_COUNT * count * sizeof *poses);
    float times_s[FRAME_COUNT];
    double phase = 0.0;
    GtGroundMotion place = { { 0.0f, 0.0f, 0.0f }, 0.0f };
    for (size_t frame = 0; frame < FRAME_COUNT; ++frame) {
        times_s[frame] = (float)frame / 30.0f;
        float share = gt_crossfade_share((GtEase){ 0.5f, 0.5f }, 1.0, 4.0, (double)times_s[frame]);
        GtBlendLayer layers[2] = { { motions[0].pose, 1.0f - share, NULL }, { motions[1].pose, share, NULL } };
        double next = phase + gt_phase_rate(keys, (const float[2]){ 1.0f - share, share }, 2, phase) / 30.0;
        GtGroundMotion step = { { 0.0f, 0.0f, 0.0f }, 0.0f };
        for (int i = 0; i < 2; ++i) {
            const Motion* m = &motions[i];
            double from_s = gt_phase_time(&keys[i], phase) - (double)m->ends_s[0];
            double clip_s = gt_loop_time(GT_LOOP_REPEAT, (double)m->ends_s[0], (double)m->ends_s[1], from_s, NULL);
            gt_clip_sample(m->clip, clip_s, m->pose, NULL);
            gt_root_path_remove(m->path, clip_s, m->pose);
            double to_s = gt_phase_time(&keys[i], next) - (double)m->ends_s[0];
            GtGroundMotion way = gt_root_path_delta(m->path, from_s, to_s, true);
            step.position = gt_vec3_add(step.position, gt_vec3_scale(way.position, layers[i].weight));
            step.heading_rad += layers[i].weight * way.heading_rad;
        }
        GtBlendJob job = gt_default_blend_job();
        job.node_count = figure.def->node_count;
        job.rest = figure.def->rest;
        job.layers = layers;
        job.layer_count = 2;
        job.out = &poses[frame * count];
        gt_blend(&job);
        place = gt_ground_motion_add(place, step);
        move_pose(&figure, place, job.out);
        phase = next;
    }
    uint8_t* paths = memset(malloc(count), GT_BAKE_ROTATION | GT_BAKE_TRANSLATION, count); // what may get keys
    GtScene* out;
    GtBakeDef bake = gt_default_bake_def();
    bake.name = "blend";
    bake.frame_count = FRAME_COUNT;
    bake.times_s = times_s;
    bake.node_count = figure.def->node_count;
    bake.nodes = figure.def->source_nodes;
    bake.paths = paths;
    bake.poses = poses;
    ok(gt_scene_copy(&context, scene, &out, &error), &error);
    ok(gt_scene_bake(&context, out, &bake, NULL, &error), &error);
    ok(gt_scene_save(&context, out, argv[2], NULL, &error), &error);
    printf("%.2f m in 6 s\n", (double)gt_vec3_length(place.position));
    gt_scene_destroy(out);
    for (int i = 0; i < 2; ++i) {
        gt_root_path_destroy(motions[i].path);
        gt_clip_destroy(motions[i].clip);
        free(motions[i].pose);
    }
    free(paths);
    free(poses);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
}

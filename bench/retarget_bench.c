// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What it costs to give a character a motion: mapping both figures, finding their retarget poses, carrying 10 seconds
// at 120 frames a second over, planting the feet, writing the result as a .glb in memory and measuring it as a batch
// does, against reading that motion's BVH from memory.

#include "bench.h"

#include "gertie/animate.h"
#include "gertie/file.h"
#include "gertie/measure.h"
#include "gertie/motions.h"

typedef struct Job {
    GtContext context;
    GtBlob* bvh;
    GtScene* motion;
    GtScene* character;
} Job;

enum {
    EXTRA_JOINTS = 10 // beyond the person's 55
};

static GtScene* make_joints(const GtContext* context, GtMotionKind kind)
{
    GtError error;
    GtScene* scene = NULL;
    GtMotionDef def = gt_default_motion_def(kind);
    def.frame_rate_hz = 120.0;
    def.repeat_count = kind == GT_MOTION_WALK ? 9 : def.repeat_count; // a little over 10 s
    BENCH_OK(gt_sample_motion(context, &def, &scene, NULL, &error));
    for (int i = 0; i < EXTRA_JOINTS; ++i) {
        GtNode tail = gt_default_node();
        tail.name = "tail";
        tail.parent = i == 0 ? 0 : scene->node_count - 1;
        tail.local.translation = gt_vec3(0.0f, 0.0f, -0.05f);
        BENCH_OK(gt_scene_add_node(scene, &tail, NULL, &error));
    }
    return scene;
}

static void read_motion(void* user)
{
    Job* job = user;
    GtError error;
    GtScene* scene = NULL;
    GtLoadDef def = gt_default_load_def();
    BENCH_OK(gt_scene_load_memory(&job->context, gt_blob_bytes(job->bvh), gt_blob_size(job->bvh), "motion.bvh", &def,
                                  &scene, &error));
    gt_scene_destroy(scene);
}

static void animate(void* user)
{
    Job* job = user;
    GtError error;
    GtScene* animated = NULL;
    GtAnimateDef def = gt_default_animate_def();
    BENCH_OK(gt_animate(&job->context, job->character, job->motion, &def, &animated, NULL, &error));
    gt_scene_destroy(animated);
}

static void make_result(const Job* job, bool measures)
{
    GtError error;
    GtScene* animated = NULL;
    GtBlob* glb = NULL;
    GtAnimateDef def = gt_default_animate_def();
    GtSaveDef save = gt_default_save_def();
    BENCH_OK(gt_animate(&job->context, job->character, job->motion, &def, &animated, NULL, &error));
    BENCH_OK(gt_scene_save_memory(&job->context, animated, "glb", &save, &glb, &error));
    gt_blob_release(glb);
    if (measures) {
        GtMeasure* measure = NULL;
        GtMeasureDef measured = gt_default_measure_def();
        measured.mesh_frame_count = 0;
        measured.source = job->motion;
        BENCH_OK(gt_measure(&job->context, animated, &measured, &measure, &error));
        gt_measure_destroy(measure);
    }
    gt_scene_destroy(animated);
}

static void animate_and_write(void* user)
{
    make_result(user, false);
}

static void animate_write_and_measure(void* user)
{
    make_result(user, true);
}

int main(void)
{
    GtError error;
    Job job = { .context = gt_default_context() };
    GtScene* walk = make_joints(&job.context, GT_MOTION_WALK);
    GtSaveDef save = gt_default_save_def();
    GtLoadDef load = gt_default_load_def();
    save.frame_rate_hz = 120.0;
    BENCH_OK(gt_scene_save_memory(&job.context, walk, "bvh", &save, &job.bvh, &error));
    BENCH_OK(gt_scene_load_memory(&job.context, gt_blob_bytes(job.bvh), gt_blob_size(job.bvh), "motion.bvh", &load,
                                  &job.motion, &error));
    job.character = make_joints(&job.context, GT_MOTION_IDLE);
    job.character->animation_count = 0;
    job.character->humanoid = NULL;
    const BenchCase cases[] = {
        { "read the BVH", read_motion, &job },
        { "map, retarget", animate, &job },
        { "map, retarget, write .glb", animate_and_write, &job },
        { "map, retarget, write .glb, measure", animate_write_and_measure, &job },
    };
    bench_compare("10 s at 120 Hz on 65 joints", cases, sizeof cases / sizeof cases[0]);
    gt_scene_destroy(job.character);
    gt_scene_destroy(job.motion);
    gt_scene_destroy(walk);
    gt_blob_release(job.bvh);
    return 0;
}

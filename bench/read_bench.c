// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What reading a motion costs, as BVH and as GLB, against the C library's strtod() over the numbers of the same BVH:
// what a plain reader spends on numbers alone. Reading includes validation.

#include "bench.h"

#include "gertie/file.h"
#include "gertie/motions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Read {
    const GtContext* context;
    GtBlob* blob;
    char* text; // of BVH, terminated
    double sum; // of its numbers, so that nobody optimises them away
} Read;

static void scan_numbers(void* user)
{
    Read* read = user;
    for (char* at = strstr(read->text, "Frame Time:") + strlen("Frame Time:"); *at;) {
        char* end = NULL;
        double value = strtod(at, &end);
        if (end == at) {
            break;
        }
        read->sum += value;
        at = end;
    }
}

static void load(void* user)
{
    const Read* read = user;
    GtError error;
    GtScene* scene = NULL;
    GtLoadDef def = gt_default_load_def();
    BENCH_OK(gt_scene_load_memory(read->context, gt_blob_bytes(read->blob), gt_blob_size(read->blob), NULL, &def,
                                  &scene, &error));
    gt_scene_destroy(scene);
}

int main(void)
{
    GtContext context = gt_default_context();
    GtError error;
    GtScene* walk = NULL;
    GtMotionReport motion;
    GtMotionDef walk_def = gt_default_motion_def(GT_MOTION_WALK);
    walk_def.repeat_count = 100;
    BENCH_OK(gt_sample_motion(&context, &walk_def, &walk, &motion, &error));
    GtSaveDef save_def = gt_default_save_def();
    Read bvh = { .context = &context };
    Read glb = { .context = &context };
    BENCH_OK(gt_scene_save_memory(&context, walk, "bvh", &save_def, &bvh.blob, &error));
    BENCH_OK(gt_scene_save_memory(&context, walk, "glb", &save_def, &glb.blob, &error));
    gt_scene_destroy(walk);
    bvh.text = strndup((const char*)gt_blob_bytes(bvh.blob), gt_blob_size(bvh.blob));
    if (!bvh.text || !strstr(bvh.text, "Frame Time:")) {
        fprintf(stderr, "read_bench: no frames in the BVH\n");
        return 1;
    }
    char title[128];
    snprintf(title, sizeof title, "Reading %g s of walk: BVH of %zu bytes, GLB of %zu", motion.duration_s,
             gt_blob_size(bvh.blob), gt_blob_size(glb.blob));
    const BenchCase cases[] = {
        { "strtod() over the BVH's numbers", scan_numbers, &bvh },
        { "BVH to a validated scene", load, &bvh },
        { "GLB to a validated scene", load, &glb },
    };
    bench_compare(title, cases, sizeof cases / sizeof cases[0]);
    free(bvh.text);
    gt_blob_release(bvh.blob);
    gt_blob_release(glb.blob);
    return 0;
}

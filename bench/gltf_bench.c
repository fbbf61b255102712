// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What reading and writing a skinned GLB costs, against copying its bytes once. Reading includes validation of every
// index, number and weight; writing too, and it finds no bounds that are missing.

#include "bench.h"

#include "gertie/file.h"
#include "gertie/person.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Glb {
    const GtContext* context;
    GtScene* scene;
    GtBlob* blob;
    uint8_t* room; // as large as the blob
} Glb;

static void copy(void* user)
{
    Glb* glb = user;
    memcpy(glb->room, gt_blob_bytes(glb->blob), gt_blob_size(glb->blob));
}

static void load(void* user)
{
    const Glb* glb = user;
    GtError error;
    GtScene* scene = NULL;
    BENCH_OK(gt_scene_load_memory(glb->context, gt_blob_bytes(glb->blob), gt_blob_size(glb->blob), NULL, NULL, &scene,
                                  &error));
    gt_scene_destroy(scene);
}

static void save(void* user)
{
    const Glb* glb = user;
    GtError error;
    GtBlob* blob = NULL;
    BENCH_OK(gt_scene_save_memory(glb->context, glb->scene, "glb", NULL, &blob, &error));
    gt_blob_release(blob);
}

int main(void)
{
    GtContext context = gt_default_context();
    GtError error;
    Glb glb = { .context = &context };
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = 200000;
    BENCH_OK(gt_sample_person(&context, &def, &glb.scene, NULL, &error));
    BENCH_OK(gt_scene_save_memory(&context, glb.scene, "glb", NULL, &glb.blob, &error));
    glb.room = malloc(gt_blob_size(glb.blob));
    if (!glb.room) {
        fprintf(stderr, "gltf_bench: out of memory\n");
        return 1;
    }
    char title[128];
    snprintf(title, sizeof title, "The figure as a GLB of %zu bytes", gt_blob_size(glb.blob));
    const BenchCase cases[] = {
        { "copying its bytes", copy, &glb },
        { "reading it, validated", load, &glb },
        { "writing it, validated", save, &glb },
    };
    bench_compare(title, cases, sizeof cases / sizeof cases[0]);
    free(glb.room);
    gt_blob_release(glb.blob);
    gt_scene_destroy(glb.scene);
    return 0;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// rewrite IN OUT: reads a file and writes it again. "everything" as IN stands for the tests' GLB that holds everything.

#include "gertie/file.h"
#include "support/glb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static GtResult load(const GtContext* context, const char* path, GtScene** scene, GtError* error)
{
    if (strcmp(path, "everything") != 0) {
        return gt_scene_load(context, path, NULL, scene, error);
    }
    size_t size = 0;
    uint8_t* glb = test_glb_of_everything(&size);
    GtResult result = gt_scene_load_memory(context, glb, size, NULL, NULL, scene, error);
    free(glb);
    return result;
}

int main(int argc, char** argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: rewrite IN OUT\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtResult result = load(&context, argv[1], &scene, &error);
    if (result == GT_OK) {
        result = gt_scene_save(&context, scene, argv[2], NULL, &error);
    }
    if (result != GT_OK) {
        char text[1024];
        gt_error_format(&error, text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    gt_scene_destroy(scene);
    return result != GT_OK;
}

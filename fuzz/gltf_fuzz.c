// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, read as glTF. What is read can be written; what was written can be read, and is written the same again.
// What it says of a face becomes controls, or is refused, and so do the regions of its shapes.

#include "gertie/file.h"
#include "gertie/shape_controls.h"
#include "gertie/shape_regions.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(GtResult result, const GtError* error, const char* what)
{
    if (result != GT_OK) {
        char text[1024];
        gt_error_format(error, text, sizeof text);
        fprintf(stderr, "%s: %s\n", what, text);
        abort();
    }
}

static void look_at_face(const GtContext* context, const GtScene* scene)
{
    GtFace* face = NULL;
    GtShapeControls* controls = NULL;
    GtShapeRegions* regions = NULL;
    GtShapeRegionsDef def = gt_default_shape_regions_def();
    if (gt_face_create(context, scene, &face, NULL) == GT_OK) {
        gt_shape_controls_create(context, &face->def, &controls, NULL);
    }
    gt_shape_controls_destroy(controls);
    gt_face_destroy(face);
    for (int32_t m = 0; m < scene->mesh_count && m < 4; ++m) {
        gt_shape_regions_find(context, scene, m, &def, &regions, NULL);
        gt_shape_regions_destroy(regions);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtScene* again = NULL;
    GtBlob* first = NULL;
    GtBlob* second = NULL;
    if (gt_scene_load_memory(&context, data, size, "input.glb", NULL, &scene, &error) != GT_OK) {
        return 0;
    }
    expect(gt_scene_save_memory(&context, scene, "glb", NULL, &first, &error), &error, "what was read is not written");
    expect(gt_scene_load_memory(&context, gt_blob_bytes(first), gt_blob_size(first), NULL, NULL, &again, &error),
           &error, "what was written is not read");
    expect(gt_scene_save_memory(&context, again, "glb", NULL, &second, &error), &error, "it is not written again");
    if (gt_blob_size(first) != gt_blob_size(second) ||
        memcmp(gt_blob_bytes(first), gt_blob_bytes(second), gt_blob_size(first)) != 0) {
        fprintf(stderr, "it is not written the same again\n");
        abort();
    }
    look_at_face(&context, again);
    gt_blob_release(first);
    gt_blob_release(second);
    gt_scene_destroy(scene);
    gt_scene_destroy(again);
    return 0;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, read as FBX, all the way to a scene. What is read is valid and can be written as GLB and as FBX; what was
// written as FBX is read again, and is valid and finite. What strict reading takes, reading takes.

#include "scene.h"

static void count_warnings(void* user, const GtDiagnostic* diagnostic)
{
    *(int*)user += diagnostic->severity == GT_SEVERITY_WARNING;
}

static void expect(GtResult result, const GtError* error, const char* what)
{
    if (result != GT_OK) {
        char text[1024];
        gt_error_format(error, text, sizeof text);
        fprintf(stderr, "%s: %s\n", what, text);
        abort();
    }
}

static void check_finite(const GtScene* scene)
{
    for (int32_t i = 0; i < scene->node_count; ++i) {
        const GtTransform* t = &scene->nodes[i].local;
        const float values[] = { t->translation.x, t->translation.y, t->translation.z, t->scale.x,    t->scale.y,
                                 t->scale.z,       t->rotation.x,    t->rotation.y,    t->rotation.z, t->rotation.w };
        for (size_t k = 0; k < sizeof values / sizeof *values; ++k) {
            CHECK(isfinite(values[k]));
        }
    }
}

// Written as FBX and read again.
static void check_written(const GtScene* scene)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtBlob* blob = NULL;
    GtScene* again = NULL;
    expect(gt_scene_save_memory(&context, scene, "fbx", NULL, &blob, &error), &error, "what was read is not written");
    expect(gt_scene_load_memory(&context, gt_blob_bytes(blob), gt_blob_size(blob), "again.fbx", NULL, &again, &error),
           &error, "what was written is not read");
    check_finite(again);
    check_made(GT_OK, &error, again);
    gt_scene_destroy(again);
    gt_blob_release(blob);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    int warnings = 0;
    GtContext context = limited_context();
    context.diagnose = count_warnings;
    context.diagnose_user = &warnings;
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtResult result = gt_scene_load_memory(&context, data, size, "input.fbx", NULL, &scene, &error);
    check_made(result, &error, scene);
    if (scene) {
        check_finite(scene);
        check_written(scene);
        gt_scene_destroy(scene);
    }
    if (options_of(data, size) % 8 == 0) {
        GtContext strict = limited_context();
        strict.strict = true;
        GtResult strict_result = gt_scene_load_memory(&strict, data, size, "input.fbx", NULL, &scene, &error);
        CHECK(strict_result != GT_OK || result == GT_OK);
        check_made(strict_result, &error, scene);
        gt_scene_destroy(scene);
    }
    return 0;
}

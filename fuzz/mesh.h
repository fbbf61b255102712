// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, read as a plain mesh. What is read is valid; strict reading refuses exactly what was warned about; two
// threads read what one does; what is read can be written, and read again without a warning, with as many triangles.

#ifndef GERTIE_FUZZ_MESH_H
#define GERTIE_FUZZ_MESH_H

#include "gertie/accessor.h"
#include "gertie/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(bool truth, const GtError* error, const char* what)
{
    if (!truth) {
        char text[1024];
        gt_error_format(error, text, sizeof text);
        fprintf(stderr, "%s: %s\n", what, text);
        abort();
    }
}

static void count_warnings(void* user, const GtDiagnostic* diagnostic)
{
    *(int*)user += diagnostic->severity == GT_SEVERITY_WARNING;
}

static uint64_t count_triangles(const GtScene* scene)
{
    uint64_t count = 0;
    for (int32_t m = 0; m < scene->mesh_count; ++m) {
        for (int32_t p = 0; p < scene->meshes[m].primitive_count; ++p) {
            int32_t indices = scene->meshes[m].primitives[p].indices;
            count += indices == GT_NONE ? 0 : scene->accessors[indices].count / 3;
        }
    }
    return count;
}

// Work on a pool of two, which is made once.
static GtExecutor two_threads(void)
{
    static GtThreadPool* pool;
    GtError error = { 0 };
    if (!pool) {
        expect(gt_thread_pool_create(gt_default_allocator(), 2, &pool, &error) == GT_OK, &error, "no threads");
    }
    return gt_thread_pool_executor(pool);
}

static void expect_same(const GtScene* a, const GtScene* b)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtBlob* first = NULL;
    GtBlob* second = NULL;
    expect(gt_scene_save_memory(&context, a, "glb", NULL, &first, &error) == GT_OK, &error, "no GLB");
    expect(gt_scene_save_memory(&context, b, "glb", NULL, &second, &error) == GT_OK, &error, "no GLB");
    expect(gt_blob_size(first) == gt_blob_size(second) &&
               memcmp(gt_blob_bytes(first), gt_blob_bytes(second), gt_blob_size(first)) == 0,
           &error, "two threads read something else");
    gt_blob_release(first);
    gt_blob_release(second);
}

static void write_again(const GtScene* scene, const char* format, bool text)
{
    GtContext context = gt_default_context();
    GtContext strict = gt_default_context();
    strict.strict = scene->mesh_count > 0; // an empty file is warned about
    GtError error = { 0 };
    GtBlob* blob = NULL;
    GtScene* again = NULL;
    char name[16];
    snprintf(name, sizeof name, "a.%s", format);
    GtSaveDef save = gt_default_save_def();
    GtLoadDef load = { .metres_per_unit = scene->source.metres_per_unit, .up_axis = (int32_t)scene->source.up_axis };
    save.text = text;
    expect(gt_scene_save_memory(&context, scene, format, &save, &blob, &error) == GT_OK, &error, "not written");
    GtResult result =
        gt_scene_load_memory(&strict, gt_blob_bytes(blob), gt_blob_size(blob), name, &load, &again, &error);
    if (result == GT_OK) {
        expect(count_triangles(scene) == count_triangles(again), &error, "triangles got lost");
    } else {
        // Coordinates at the end of what floats hold may leave it when origin and vertex are added up.
        expect(result == GT_ERROR_STRICT, &error, "what was written is not read");
    }
    gt_scene_destroy(again);
    gt_blob_release(blob);
}

static int fuzz_mesh(const uint8_t* data, size_t size, const char* format)
{
    int warnings = 0;
    char name[16];
    snprintf(name, sizeof name, "input.%s", format);
    GtContext context = gt_default_context();
    context.diagnose = count_warnings;
    context.diagnose_user = &warnings;
    GtContext strict = gt_default_context();
    strict.strict = true;
    GtContext threads = gt_default_context();
    threads.executor = two_threads();
    GtError error = { 0 };
    GtError other = { 0 };
    GtScene* scene = NULL;
    GtScene* refused = NULL;
    GtScene* same = NULL;
    GtResult result = gt_scene_load_memory(&context, data, size, name, NULL, &scene, &error);
    GtResult strict_result = gt_scene_load_memory(&strict, data, size, name, NULL, &refused, &other);
    expect((strict_result == GT_OK) == (result == GT_OK && warnings == 0), &other, "strict and warnings differ");
    gt_scene_destroy(refused);
    GtResult threads_result = gt_scene_load_memory(&threads, data, size, name, NULL, &same, &other);
    expect(threads_result == result, &other, "two threads end otherwise");
    if (result != GT_OK) {
        expect(strcmp(error.message, other.message) == 0 && strcmp(error.where, other.where) == 0, &other,
               "two threads say something else");
        return 0;
    }
    if (strcmp(scene->source.file_format, format) == 0) {
        expect_same(scene, same);
        write_again(scene, "obj", true);
        write_again(scene, "ply", size % 2);
        write_again(scene, "stl", size % 2);
    }
    gt_scene_destroy(same);
    gt_scene_destroy(scene);
    return 0;
}

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, read as BVH. What is read is valid; strict reading refuses exactly what was warned about; what is read can
// be written, and what was written is read without a warning and moves the same.

#include "gertie/accessor.h"
#include "gertie/file.h"

#include <math.h>
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

static uint64_t frame_count(const GtScene* scene)
{
    return scene->animation_count ? scene->accessors[scene->animations[0].samplers[0].input].count : 0;
}

static bool near(const float* a, const float* b, bool rotation)
{
    if (rotation) {
        return gt_quat_angle_rad(gt_quat(a[0], a[1], a[2], a[3]), gt_quat(b[0], b[1], b[2], b[3])) < 1.75e-5f;
    }
    for (int k = 0; k < 3; ++k) {
        if (!(fabsf(a[k] - b[k]) <= 1e-5f + 1e-6f * fabsf(a[k]))) {
            return false;
        }
    }
    return true;
}

// The curve of a property, or its rest value: a file that is written may have more channels.
static void value_of(const GtScene* scene, int32_t node, GtAnimationPath path, uint64_t frame, float out[4])
{
    const GtAnimation* animation = scene->animations;
    for (int32_t i = 0; scene->animation_count && i < animation->channel_count; ++i) {
        if (animation->channels[i].node == node && animation->channels[i].path == path) {
            gt_accessor_read_floats(scene, animation->samplers[animation->channels[i].sampler].output, frame, 1, out);
            return;
        }
    }
    const GtTransform* local = &scene->nodes[node].local;
    memcpy(out,
           path == GT_PATH_ROTATION ? &local->rotation.x
           : path == GT_PATH_SCALE  ? &local->scale.x
                                    : &local->translation.x,
           (path == GT_PATH_ROTATION ? 4 : 3) * sizeof *out);
}

static void expect_same(const GtScene* a, const GtScene* b)
{
    GtError none = { 0 };
    expect(a->node_count == b->node_count, &none, "joints got lost");
    expect(frame_count(a) <= 1 || frame_count(a) == frame_count(b), &none, "frames got lost");
    uint64_t frames = frame_count(a) < 3 ? frame_count(a) : 3;
    for (int32_t i = 0; i < a->node_count && i < 64; ++i) {
        expect(strcmp(a->nodes[i].name, b->nodes[i].name) == 0, &none, a->nodes[i].name);
        expect(a->nodes[i].parent == b->nodes[i].parent, &none, "joints hang elsewhere");
        expect(near(&a->nodes[i].local.translation.x, &b->nodes[i].local.translation.x, false), &none, "rest moved");
        for (int path = GT_PATH_TRANSLATION; path <= GT_PATH_SCALE; ++path) {
            for (uint64_t frame = 0; frame < frames; ++frame) {
                float x[4];
                float y[4];
                value_of(a, i, path, frame, x);
                value_of(b, i, path, frame, y);
                expect(near(x, y, path == GT_PATH_ROTATION), &none, "it moves otherwise");
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size && (data[0] == 'g' || data[0] == '{')) {
        return 0; // glTF has a target of its own
    }
    int warnings = 0;
    GtContext context = gt_default_context();
    context.diagnose = count_warnings;
    context.diagnose_user = &warnings;
    GtContext strict = gt_default_context();
    strict.strict = true;
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtScene* refused = NULL;
    GtResult result = gt_scene_load_memory(&context, data, size, "input.bvh", NULL, &scene, &error);
    GtResult strict_result = gt_scene_load_memory(&strict, data, size, "input.bvh", NULL, &refused, &error);
    expect((strict_result == GT_OK) == (result == GT_OK && warnings == 0), &error, "strict and warnings differ");
    gt_scene_destroy(refused);
    if (result != GT_OK || strcmp(scene->source.file_format, "bvh") != 0) {
        gt_scene_destroy(scene);
        return 0;
    }
    GtBlob* blob = NULL;
    GtScene* again = NULL;
    GtLoadDef same = { .metres_per_unit = scene->source.metres_per_unit, .up_axis = (int32_t)scene->source.up_axis };
    result = gt_scene_save_memory(&context, scene, "bvh", NULL, &blob, &error);
    expect(result == GT_OK, &error, "what was read is not written");
    result = gt_scene_load_memory(&strict, gt_blob_bytes(blob), gt_blob_size(blob), "again.bvh", &same, &again, &error);
    expect(result == GT_OK, &error, "what was written is not read");
    expect_same(scene, again);
    gt_blob_release(blob);
    gt_scene_destroy(again);
    gt_scene_destroy(scene);
    return 0;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, read as an .sk and, after a form feed, an .skm on it. What is read is valid and can be written; strict
// reading refuses exactly what was warned about; memory is in proportion to the input.

#include "io/smartbody/smartbody.h"

#include "scene.h"

static void count_warnings(void* user, const GtDiagnostic* diagnostic)
{
    *(int*)user += diagnostic->severity == GT_SEVERITY_WARNING;
}

static GtResult read_pair(const GtContext* context, const uint8_t* data, size_t size, GtScene** out, GtError* error)
{
    const uint8_t* cut = size ? memchr(data, '\f', size) : NULL;
    GtLoadDef def = gt_default_load_def();
    GtiInput skeleton = { .bytes = data, .size = cut ? (size_t)(cut - data) : size, .path = "input.sk" };
    gti_sk_sniff(data, size);
    gti_skm_sniff(data, size);
    if (!cut) {
        return gti_sk_read(context, &skeleton, &def, out, error);
    }
    GtiInput motion = { .bytes = cut + 1, .size = size - skeleton.size - 1, .path = "input.skm" };
    return gti_skm_read_on(context, &skeleton, &motion, &def, out, error);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    int warnings = 0;
    GtContext context = limited_context();
    context.diagnose = count_warnings;
    context.diagnose_user = &warnings;
    GtContext strict = gt_default_context();
    strict.strict = true;
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtScene* refused = NULL;
    GtResult result = read_pair(&context, data, size, &scene, &error);
    check_made(result, &error, scene);
    GtResult strict_result = read_pair(&strict, data, size, &refused, &error);
    CHECK((strict_result == GT_OK) == (result == GT_OK && warnings == 0));
    if (scene && scene->animation_count) {
        uint64_t frames = scene->accessors[scene->animations[0].samplers[0].input].count;
        CHECK(frames * (uint64_t)scene->animations[0].channel_count <= size);
    }
    gt_scene_destroy(refused);
    gt_scene_destroy(scene);
    return 0;
}

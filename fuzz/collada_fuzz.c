// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, read as COLLADA. What is read is valid and can be written; strict reading refuses what was warned about;
// memory is in proportion to the input, however references multiply it.

#include "import/collada/collada.h"

#include "scene.h"

static void count_warnings(void* user, const GtDiagnostic* diagnostic)
{
    *(int*)user += diagnostic->severity == GT_SEVERITY_WARNING;
}

static GtResult read_dae(const GtContext* context, const uint8_t* data, size_t size, GtScene** out, GtError* error)
{
    GtLoadDef def = gt_default_load_def();
    GtiInput input = { .bytes = data, .size = size, .path = "input.dae" };
    return gti_dae_read(context, &input, &def, out, error);
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
    gti_dae_sniff(data, size);
    GtResult result = read_dae(&context, data, size, &scene, &error);
    if (result != GT_OK) {
        gt_scene_destroy(scene);
        scene = NULL;
    }
    int read_warnings = warnings;
    check_made(result, &error, scene);
    GtResult strict_result = read_dae(&strict, data, size, &refused, &error);
    CHECK((strict_result == GT_OK) == (result == GT_OK && read_warnings == 0));
    uint64_t total = 0;
    for (int32_t i = 0; scene && i < scene->accessor_count; ++i) {
        total += scene->accessors[i].count;
    }
    CHECK(total <= ((uint64_t)size * 16 + (1 << 16)) * 24);
    gt_scene_destroy(refused);
    gt_scene_destroy(scene);
    return 0;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, read as a mesh and rigged, however doubtful it is: it is refused, or the result is a valid scene whose
// joints are somewhere.

#include "gertie/rig.h"

#include "scene.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void check_joints(const GtScene* scene)
{
    for (int32_t n = 0; n < scene->node_count; ++n) {
        const GtTransform* local = &scene->nodes[n].local;
        CHECK(isfinite(local->translation.x) && isfinite(local->translation.y) && isfinite(local->translation.z));
        CHECK(isfinite(local->rotation.x) && isfinite(local->rotation.w));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    GtContext context = limited_context();
    GtScene* scene = read_scene(&context, data, size);
    if (!scene) {
        return 0;
    }
    uint64_t options = options_of(data, size);
    GtRigDef def = gt_default_rig_def();
    GtRigReport report;
    GtError error = { 0 };
    GtScene* made = NULL;
    def.weights = (GtRigWeights)(options & 3);
    def.influences = options >> 2 & 1 ? 4 : 1;
    def.min_confidence = options >> 3 & 1 ? def.min_confidence : 0.0;
    GtResult result = gt_rig(&context, scene, &def, &made, &report, &error);
    check_made(result, &error, made);
    if (made) {
        check_joints(made);
    }
    gt_scene_destroy(made);
    gt_scene_destroy(scene);
    return 0;
}

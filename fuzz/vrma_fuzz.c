// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, read as glTF, and written as a VRM animation where they have a humanoid. What is written is read again as
// one, is valid, and can be written as one again.

#include "scene.h"

static GtScene* write_and_read(const GtScene* scene, bool must)
{
    GtContext context = limited_context();
    GtError error = { 0 };
    GtBlob* blob = NULL;
    GtScene* again = NULL;
    GtResult result = gt_scene_save_memory(&context, scene, "vrma", NULL, &blob, &error);
    CHECK((result == GT_OK) == (blob != NULL));
    if (result != GT_OK) {
        CHECK(error.message[0] && error.code == result);
        if (must && result != GT_ERROR_CANCELLED) {
            fprintf(stderr, "it is not written again: %s\n", error.message);
            abort();
        }
        return NULL;
    }
    GtContext plain = gt_default_context();
    result = gt_scene_load_memory(&plain, gt_blob_bytes(blob), gt_blob_size(blob), "again.vrma", NULL, &again, &error);
    check_made(result, &error, again);
    if (result != GT_OK) {
        fprintf(stderr, "what was written is not read: %s: %s\n", error.where, error.message);
        abort();
    }
    CHECK(again->humanoid);
    gt_blob_release(blob);
    return again;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    GtContext context = limited_context();
    GtScene* scene = read_scene(&context, data, size);
    GtScene* first = scene ? write_and_read(scene, false) : NULL;
    GtScene* second = first ? write_and_read(first, true) : NULL;
    CHECK(!second || (second->node_count == first->node_count && second->animation_count == first->animation_count));
    gt_scene_destroy(second);
    gt_scene_destroy(first);
    gt_scene_destroy(scene);
    return 0;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "loss.h"

#include <string.h>

void loss_count(const GtScene* scene, const Output* output, Loss losses[LOSS_COUNT])
{
    int32_t target_count = 0;
    for (int32_t i = 0; i < scene->mesh_count; ++i) {
        target_count += scene->meshes[i].target_count;
    }
    const Loss all[LOSS_COUNT] = {
        { "mesh", "meshes", scene->mesh_count },      { "morph target", "morph targets", target_count },
        { "skin", "skins", scene->skin_count },       { "material", "materials", scene->material_count },
        { "camera", "cameras", scene->camera_count }, { "clip", "clips", scene->animation_count },
    };
    bool meshes = holds_meshes_only(output->format);
    bool motion = !strcmp(output->format, "bvh");
    bool materials = !strcmp(output->format, "obj") && !output->is_stream;
    for (int i = 0; i < LOSS_COUNT; ++i) {
        bool kept = meshes ? i == LOSS_MESHES || (i == LOSS_MATERIALS && materials) : !motion || i == LOSS_CLIPS;
        losses[i] = all[i];
        losses[i].count = kept ? 0 : all[i].count;
    }
}

void loss_warn(Session* session, const Output* output, const Loss losses[LOSS_COUNT])
{
    Text list = { 0 };
    for (int i = 0; i < LOSS_COUNT; ++i) {
        if (losses[i].count > 0) {
            text_addf(&list, "%s%d %s", list.size ? ", " : "", (int)losses[i].count,
                      losses[i].count == 1 ? losses[i].one : losses[i].many);
        }
    }
    if (list.size && !list.failed) {
        session_warn(session, output->path, "%s holds %s only: %s left out", output->format,
                     holds_meshes_only(output->format) ? "meshes" : "joints and their motion", list.bytes);
    }
    text_free(&list);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Hooks of a few lines: the matrix of a node, the type of a camera, the path of an animation channel.

#include "io/gltf/hooks.h"

#include "base/fail.h"
#include "io/gltf/reader.h"
#include "io/gltf/writer.h"

#include <string.h>

GtResult gti_gltf_node_read(GtiGltfReader* reader, const GtiJson* json, void* object)
{
    GtNode* node = object;
    if (node->matrix) {
        if (gti_json_find(json, "translation") || gti_json_find(json, "rotation") || gti_json_find(json, "scale")) {
            GtResult result = gti_gltf_repair(reader, json,
                                              "has a matrix besides translation, rotation or scale; "
                                              "the matrix counts");
            if (result != GT_OK) {
                return result;
            }
        }
        GtMat34 matrix = gt_mat34_from_columns(node->matrix);
        node->local = gt_transform_from_mat34(&matrix, NULL);
    }
    return gti_gertie_node_read(reader, json, object);
}

static void write_vector(GtiGltfWriter* writer, const char* key, const float* values, int32_t count,
                         const float* standard)
{
    if (memcmp(values, standard, (size_t)count * sizeof *values) == 0) {
        return;
    }
    gt_json_key(&writer->json, key);
    gti_json_float_list(&writer->json, values, (size_t)count);
}

void gti_gltf_node_write(GtiGltfWriter* writer, const void* object)
{
    const GtNode* node = object;
    GtTransform identity = gt_transform_identity();
    if (!node->matrix) {
        write_vector(writer, "translation", &node->local.translation.x, 3, &identity.translation.x);
        write_vector(writer, "rotation", &node->local.rotation.x, 4, &identity.rotation.x);
        write_vector(writer, "scale", &node->local.scale.x, 3, &identity.scale.x);
    }
}

static const char* camera_type(const GtCamera* camera)
{
    return camera->orthographic ? "orthographic" : "perspective";
}

GtResult gti_gltf_camera_read(GtiGltfReader* reader, const GtiJson* json, void* object)
{
    const GtCamera* camera = object;
    const GtiJson* perspective = gti_json_find(json, "perspective");
    const GtiJson* orthographic = gti_json_find(json, "orthographic");
    if ((perspective != NULL) == (orthographic != NULL)) {
        return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE, "must have either \"perspective\" or \"orthographic\"");
    }
    if (!gti_json_equals(gti_json_find(json, "type"), camera_type(camera))) {
        return gti_gltf_fail(reader, gti_json_find(json, "type"), GT_ERROR_BAD_VALUE,
                             "must be \"%s\", as the camera has that member", camera_type(camera));
    }
    return GT_OK;
}

void gti_gltf_camera_write(GtiGltfWriter* writer, const void* object)
{
    gt_json_member_string(&writer->json, "type", camera_type(object));
}

static const char* const path_names[] = {
    [GT_PATH_TRANSLATION] = "translation",
    [GT_PATH_ROTATION] = "rotation",
    [GT_PATH_SCALE] = "scale",
    [GT_PATH_WEIGHTS] = "weights",
};

GtResult gti_gltf_target_read(GtiGltfReader* reader, const GtiJson* json, void* object)
{
    GtAnimationChannel* channel = object;
    const GtiJson* path = gti_json_find(json, "path");
    for (int32_t i = 0; i < GT_PATH_OTHER; ++i) {
        if (gti_json_equals(path, path_names[i])) {
            channel->path = (GtAnimationPath)i;
            return GT_OK;
        }
    }
    channel->path = GT_PATH_OTHER;
    return gti_gltf_read_text(reader, path, &channel->path_name);
}

void gti_gltf_target_write(GtiGltfWriter* writer, const void* object)
{
    const GtAnimationChannel* channel = object;
    gt_json_key(&writer->json, "path");
    gt_json_string(&writer->json, channel->path == GT_PATH_OTHER ? channel->path_name : path_names[channel->path]);
}

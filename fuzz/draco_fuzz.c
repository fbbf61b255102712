// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes as a Draco mesh of as many points and triangles as the first two say. What is decoded has valid indices;
// nothing is written outside of the arrays, which are blocks of their own. The same bytes in a GLB are read to a scene
// that is valid and can be written, or are refused.

#include "import/draco/draco.h"
#include "scene.h"

#define GLTF                                                                                                           \
    "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_draco_mesh_compression\"],"                            \
    "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"buffers\":[{\"byteLength\":%u}],"                       \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%u}],\"accessors\":["                                               \
    "{\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,1]},"                         \
    "{\"componentType\":5121,\"count\":%u,\"type\":\"VEC4\"},{\"componentType\":5123,\"count\":%u,\"type\":"           \
    "\"SCALAR\"}],"                                                                                                    \
    "\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}],\"meshes\":[{\"primitives\":[{\"attributes\":{"             \
    "\"POSITION\":0,"                                                                                                  \
    "\"JOINTS_0\":1},\"indices\":2,\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":0,\"attributes\":"   \
    "{\"POSITION\":0,\"JOINTS_0\":1}}}}]}]}"

static void put_u32(uint8_t* at, size_t value)
{
    for (int i = 0; i < 4; ++i) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

// The whole way to a scene.
static void read_glb(const uint8_t* mesh, size_t size, uint64_t point_count, uint64_t index_count)
{
    char json[1024];
    unsigned points = (unsigned)point_count;
    int length =
        snprintf(json, sizeof json, GLTF, (unsigned)size, (unsigned)size, points, points, (unsigned)index_count);
    size_t padded = ((size_t)length + 3) / 4 * 4;
    size_t bin = (size + 3) / 4 * 4;
    size_t total = 12 + 8 + padded + 8 + bin;
    uint8_t* glb = calloc(total, 1);
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    CHECK(glb && length > 0 && (size_t)length < sizeof json);
    memcpy(glb, "glTF\2\0\0", 8);
    put_u32(glb + 8, total);
    put_u32(glb + 12, padded);
    memcpy(glb + 16, "JSON", 4);
    memset(glb + 20, ' ', padded);
    memcpy(glb + 20, json, (size_t)length);
    put_u32(glb + 20 + padded, bin);
    memcpy(glb + 24 + padded, "BIN", 4);
    memcpy(glb + 28 + padded, mesh, size);
    GtResult result = gt_scene_load_memory(&context, glb, total, "input.glb", NULL, &scene, &error);
    check_made(result, &error, scene);
    gt_scene_destroy(scene);
    free(glb);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    uint64_t point_count = data[0];
    uint64_t index_count = (uint64_t)data[1] * 3;
    float* positions = malloc((size_t)point_count * 3 * sizeof *positions + 1);
    uint8_t* joints = malloc((size_t)point_count * 4 + 1);
    uint32_t* indices = malloc((size_t)index_count * sizeof *indices + 1);
    const GtiDracoAttribute attributes[] = {
        { 0, GT_COMPONENT_FLOAT, GT_ELEMENT_VEC3, point_count, positions },
        { 1, GT_COMPONENT_UINT8, GT_ELEMENT_VEC4, point_count, joints },
    };
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtResult result = gti_decode_draco(&context, data + 2, size - 2, attributes, 2, indices, index_count, &error);
    CHECK(result == GT_OK || error.message[0]);
    for (uint64_t i = 0; i < index_count && result == GT_OK; ++i) {
        CHECK(indices[i] < point_count);
    }
    free(positions);
    free(joints);
    free(indices);
    read_glb(data + 2, size - 2, point_count, index_count);
    return 0;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Reading glTF 2.0: find the JSON, check that it can be read right, read it by the schema into a scene, then connect
// what the tables leave open (parents, humanoid). The scene is not validated here: the front does that.

#include "base/fail.h"
#include "data/files.h"
#include "io/gltf/hooks.h"
#include "io/gltf/reader.h"
#include "io/name.h"

#include <stdio.h>
#include <string.h>

bool gti_gltf_sniff(const uint8_t* bytes, size_t size)
{
    size_t at = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < size && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r' || bytes[at] == '\n')) {
        ++at;
    }
    return at < size && bytes[at] == '{';
}

GtResult gti_gltf_check_asset(GtiGltfReader* reader)
{
    const GtiJson* root = reader->root;
    if (root->type != GTI_JSON_OBJECT) {
        return gti_gltf_fail(reader, root, GT_ERROR_BAD_FILE, "a glTF file must be a JSON object, not %s",
                             gti_gltf_type_name(root));
    }
    const GtiJson* asset = gti_json_find(root, "asset");
    const GtiJson* version = gti_json_find(asset, "version");
    if (!asset) {
        return gti_gltf_fail(reader, root, GT_ERROR_BAD_FILE,
                             "\"asset\" is missing: this is JSON, but no glTF 2.0 (glTF 1.0 is not read)");
    }
    if (!version || version->type != GTI_JSON_STRING) {
        return gti_gltf_fail(reader, version ? version : asset, GT_ERROR_BAD_FILE,
                             "the glTF version must be a string such as \"2.0\"");
    }
    size_t length = 0;
    const char* text = gti_json_copy(reader->scratch, version, &length);
    if (!text) {
        return gti_out_of_memory(reader->error);
    }
    if (strncmp(text, "2.", 2) != 0) {
        return gti_gltf_fail(reader, version, GT_ERROR_UNSUPPORTED,
                             "this is glTF %.20s, and only glTF 2.0 is read; convert it, for example with "
                             "gltf-pipeline",
                             text);
    }
    const GtiJson* least = gti_json_find(asset, "minVersion");
    if (least && !gti_json_equals(least, "2.0")) {
        return gti_gltf_fail(reader, least, GT_ERROR_UNSUPPORTED, "the file needs a reader newer than glTF 2.0");
    }
    return GT_OK;
}

static GtResult connect_child(GtiGltfReader* reader, int32_t parent, int32_t c)
{
    GtScene* scene = reader->scene;
    int32_t child = scene->nodes[parent].children[c];
    if (child < scene->node_count && scene->nodes[child].parent == GT_NONE) {
        scene->nodes[child].parent = parent;
        return GT_OK;
    }
    char where[64];
    snprintf(where, sizeof where, "nodes[%d].children[%d]", (int)parent, (int)c);
    if (child >= scene->node_count) {
        return gti_fail_at(reader->error, GT_ERROR_BAD_VALUE, where, "node %d does not exist, there are %d", (int)child,
                           (int)scene->node_count);
    }
    return gti_fail_at(reader->error, GT_ERROR_BAD_VALUE, where, "node %d has a parent already: node %d", (int)child,
                       (int)scene->nodes[child].parent);
}

static GtResult connect_parents(GtiGltfReader* reader)
{
    GtResult result = GT_OK;
    for (int32_t i = 0; i < reader->scene->node_count; ++i) {
        for (int32_t c = 0; c < reader->scene->nodes[i].child_count && result == GT_OK; ++c) {
            result = connect_child(reader, i, c);
        }
    }
    return result;
}

GtResult gti_gltf_root_read(GtiGltfReader* reader, const GtiJson* json, void* object)
{
    GtScene* scene = object;
    scene->source.format = "gltf";
    GtResult result = connect_parents(reader);
    if (result == GT_OK) {
        result = gti_meshopt_root_read(reader);
    }
    if (result == GT_OK) {
        result = gti_draco_root_read(reader);
    }
    if (result == GT_OK) {
        result = gti_vrm_read_humanoid(reader);
    }
    return result == GT_OK ? gti_gertie_root_read(reader, json, object) : result;
}

static GtResult find_json(const GtContext* context, const GtiInput* input, GtiGlb* out, GtError* error)
{
    if (gti_glb_sniff(input->bytes, input->size)) {
        return gti_glb_parse(context, input, out, error);
    }
    *out = (GtiGlb){ .json = (const char*)input->bytes, .json_size = input->size };
    if (input->size >= 3 && memcmp(input->bytes, "\xEF\xBB\xBF", 3) == 0) {
        out->json += 3;
        out->json_size -= 3;
        return gti_repair(context, error, input->path, "byte 0", "there is a byte-order mark before the JSON");
    }
    return GT_OK;
}

static GtResult read_into(const GtContext* context, GtiInput* input, GtScene* scene, GtArena* scratch, GtError* error)
{
    GtError unheard;
    GtiGltfReader reader = {
        .context = context,
        .input = input,
        .scene = scene,
        .scratch = scratch,
        .error = error ? error : &unheard,
    };
    GtiGlb glb = { 0 };
    GtResult result = find_json(context, input, &glb, reader.error);
    if (result == GT_OK) {
        reader.binary = glb.binary;
        reader.binary_size = glb.binary_size;
        result = gti_json_parse(scratch, glb.json, glb.json_size, &reader.root, reader.error);
    }
    if (result == GT_OK) {
        result = gti_gltf_check_asset(&reader);
    }
    if (result == GT_OK) {
        result = gti_gltf_check_extensions(&reader);
    }
    if (result == GT_OK) {
        result = gti_push_directory(scene, input->path) ? GT_OK : gti_out_of_memory(reader.error);
    }
    if (result == GT_OK) {
        reader.first_buffer = gti_json_first(gti_json_find(reader.root, "buffers"));
        result = gti_gltf_read_object(&reader, &gti_gltf_root_schema, reader.root, scene);
    }
    if (result == GT_OK) {
        gti_gltf_sum_up_repairs(&reader);
    }
    return result;
}

GtResult gti_gltf_read(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error)
{
    (void)def; // glTF says its units and axes
    GtResult result = gt_scene_create(context, out, error);
    if (result != GT_OK) {
        return result;
    }
    GtArena scratch = gt_arena_create(context->allocator);
    result = read_into(context, input, *out, &scratch, error);
    gt_arena_destroy(&scratch);
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
    }
    return result;
}

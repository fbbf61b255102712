// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Attributes and morph targets of primitives. Names of morph targets are not part of glTF: by convention they are in
// the mesh's extras.targetNames, from where they move into the mesh and back.

#include "base/fail.h"
#include "io/gltf/hooks.h"
#include "io/gltf/reader.h"
#include "io/gltf/writer.h"

static GtResult read_attributes(GtiGltfReader* reader, const GtiJson* json, const GtAttribute** out, int32_t* count)
{
    if (json->type != GTI_JSON_OBJECT) {
        return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE, "must be an object, not %s", gti_gltf_type_name(json));
    }
    GtAttribute* attributes = gt_scene_push(reader->scene, json->count, sizeof *attributes);
    if (!attributes) {
        return gti_out_of_memory(reader->error);
    }
    const GtiJson* member = gti_json_first(json);
    for (uint32_t i = 0; i < json->count; ++i, member = gti_json_next(member)) {
        attributes[i].name = gt_scene_push_text(reader->scene, member->key, member->key_length);
        if (!attributes[i].name) {
            return gti_out_of_memory(reader->error);
        }
        GtResult result = gti_gltf_read_index(reader, member, &attributes[i].accessor);
        if (result != GT_OK) {
            return result;
        }
    }
    *out = attributes;
    *count = (int32_t)json->count;
    return GT_OK;
}

GtResult gti_gltf_primitive_read(GtiGltfReader* reader, const GtiJson* json, void* object)
{
    GtPrimitive* primitive = object;
    GtResult result =
        read_attributes(reader, gti_json_find(json, "attributes"), &primitive->attributes, &primitive->attribute_count);
    const GtiJson* list = gti_json_find(json, "targets");
    if (result != GT_OK || !list) {
        return result;
    }
    if (list->type != GTI_JSON_ARRAY) {
        return gti_gltf_fail(reader, list, GT_ERROR_BAD_VALUE, "must be an array, not %s", gti_gltf_type_name(list));
    }
    GtMorphTarget* targets = gt_scene_push(reader->scene, list->count, sizeof *targets);
    if (!targets) {
        return gti_out_of_memory(reader->error);
    }
    const GtiJson* item = gti_json_first(list);
    for (uint32_t i = 0; result == GT_OK && i < list->count; ++i, item = gti_json_next(item)) {
        result = read_attributes(reader, item, &targets[i].attributes, &targets[i].attribute_count);
    }
    primitive->targets = list->count ? targets : NULL;
    return result;
}

static void write_attributes(GtiGltfWriter* writer, const GtAttribute* attributes, int32_t count)
{
    gt_json_begin_object(&writer->json);
    for (int32_t i = 0; i < count; ++i) {
        gt_json_member_integer(&writer->json, attributes[i].name, attributes[i].accessor);
    }
    gt_json_end_object(&writer->json);
}

void gti_gltf_primitive_write(GtiGltfWriter* writer, const void* object)
{
    const GtPrimitive* primitive = object;
    gt_json_key(&writer->json, "attributes");
    write_attributes(writer, primitive->attributes, primitive->attribute_count);
    if (primitive->targets) {
        gt_json_member_array(&writer->json, "targets");
        for (int32_t i = 0; i < writer->target_count; ++i) {
            write_attributes(writer, primitive->targets[i].attributes, primitive->targets[i].attribute_count);
        }
        gt_json_end_array(&writer->json);
    }
}

// All primitives must have as many targets as the first.
static GtResult count_targets(GtiGltfReader* reader, const GtiJson* json, GtMesh* mesh)
{
    const GtiJson* primitive = gti_json_first(gti_json_find(json, "primitives"));
    for (int32_t i = 0; i < mesh->primitive_count; ++i, primitive = gti_json_next(primitive)) {
        const GtiJson* targets = gti_json_find(primitive, "targets");
        int32_t count = targets ? (int32_t)targets->count : 0;
        if (i > 0 && count != mesh->target_count) {
            return gti_gltf_fail(reader, primitive, GT_ERROR_BAD_VALUE,
                                 "has %d morph targets, but the mesh's first primitive has %d", (int)count,
                                 (int)mesh->target_count);
        }
        mesh->target_count = count;
    }
    return GT_OK;
}

static GtResult read_target_names(GtiGltfReader* reader, const GtiJson* names, GtMesh* mesh)
{
    const GtiJson* name = gti_json_first(names);
    bool all_text = names->type == GTI_JSON_ARRAY;
    for (uint32_t i = 0; i < names->count && all_text; ++i, name = gti_json_next(name)) {
        all_text = name->type == GTI_JSON_STRING;
    }
    if (!all_text || (int32_t)names->count != mesh->target_count) {
        return gti_gltf_repair(reader, names, "must be %d names, one a morph target; left out",
                               (int)mesh->target_count);
    }
    if (mesh->target_count == 0) {
        return GT_OK;
    }
    const char** texts = gt_scene_push(reader->scene, names->count, sizeof *texts);
    if (!texts) {
        return gti_out_of_memory(reader->error);
    }
    name = gti_json_first(names);
    for (uint32_t i = 0; i < names->count; ++i, name = gti_json_next(name)) {
        GtResult result = gti_gltf_read_text(reader, name, &texts[i]);
        if (result != GT_OK) {
            return result;
        }
    }
    mesh->target_names = texts;
    return GT_OK;
}

GtResult gti_gltf_mesh_read(GtiGltfReader* reader, const GtiJson* json, void* object)
{
    GtMesh* mesh = object;
    GtResult result = count_targets(reader, json, mesh);
    const GtiJson* extras = gti_json_find(json, "extras");
    const GtiJson* names = gti_json_find(extras, "targetNames");
    if (result == GT_OK && !names) { // where exporters of VRM 0 put them
        const GtiJson* first = gti_json_first(gti_json_find(json, "primitives"));
        const GtiJson* inner = gti_json_find(gti_json_find(first, "extras"), "targetNames");
        return inner ? read_target_names(reader, inner, mesh) : GT_OK;
    }
    if (result == GT_OK && names) {
        static const char* const moved[] = { "targetNames", NULL };
        result = read_target_names(reader, names, mesh);
        if (result == GT_OK) {
            result = gti_gltf_keep_members(reader, extras, moved, true, &mesh->extra.extras);
        }
    }
    return result;
}

void gti_gltf_mesh_write(GtiGltfWriter* writer, const void* object)
{
    const GtMesh* mesh = object;
    writer->target_count = mesh->target_count;
    gt_json_member_array(&writer->json, "primitives");
    for (int32_t i = 0; i < mesh->primitive_count; ++i) {
        gti_gltf_write_object(writer, &gti_gltf_primitive_schema, &mesh->primitives[i]);
    }
    gt_json_end_array(&writer->json);
}

bool gti_gltf_mesh_has_extras(const GtiGltfWriter* writer, const void* object)
{
    (void)writer;
    return ((const GtMesh*)object)->target_names != NULL;
}

void gti_gltf_mesh_write_extras(GtiGltfWriter* writer, const void* object)
{
    const GtMesh* mesh = object;
    gt_json_member_array(&writer->json, "targetNames");
    for (int32_t i = 0; i < mesh->target_count; ++i) {
        gt_json_string(&writer->json, mesh->target_names[i] ? mesh->target_names[i] : "");
    }
    gt_json_end_array(&writer->json);
}

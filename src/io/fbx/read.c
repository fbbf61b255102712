// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The whole way from the bytes of an FBX file to a scene.

#include "base/fail.h"
#include "base/matrix3.h"
#include "base/rotation.h"
#include "io/fbx/fbx.h"
#include "io/fbx/reader.h"
#include "io/name.h"

#include <math.h>
#include <string.h>

#define MOST_FREE  ((uint64_t)256 << 20) // bytes of compressed arrays that any file may hold
#define MOST_TIMES 128                   // and so many times its size

// The file's axes to X right, Y up, Z towards the viewer. A left-handed file is mirrored along X first.
static void choose_axes(GtiFbxReader* reader)
{
    const GtiFbxSettings* settings = &reader->graph.settings;
    double rows[3][3] = { { 0.0 } };
    rows[0][settings->coord_axis] = settings->coord_sign;
    rows[1][settings->up_axis] = settings->up_sign;
    rows[2][settings->front_axis] = settings->front_sign;
    reader->mirror_node = GT_NONE;
    if (gti_determinant3(rows) < 0.0) {
        reader->mirror_node = 0; // wanted; its index follows
        for (int i = 0; i < 3; ++i) {
            rows[0][i] = -rows[0][i];
        }
        gti_warn(reader->context, reader->path, NULL,
                 "the file is left-handed; it is mirrored by a node above all others");
    }
    reader->y_from_file = gti_quat_unit(gti_quat_from(gti_quat_from_rotation(rows)));
    reader->scene->source.up_axis = settings->up_axis == 1 ? GT_UP_Y : settings->up_axis == 2 ? GT_UP_Z : GT_UP_X;
}

static GtResult add_stage(GtiFbxReader* reader)
{
    GtScene* scene = reader->scene;
    int32_t count = 0;
    for (int32_t i = 0; i < scene->node_count; ++i) {
        count += scene->nodes[i].parent == GT_NONE;
    }
    int32_t* roots = gt_scene_push(scene, (size_t)count, sizeof *roots);
    if (!roots) {
        return gti_out_of_memory(reader->error);
    }
    GtStage stage = { .nodes = roots };
    for (int32_t i = 0; i < scene->node_count; ++i) {
        if (scene->nodes[i].parent == GT_NONE) {
            roots[stage.node_count++] = i;
        }
    }
    return gt_scene_add_stage(scene, &stage, &scene->default_stage, reader->error);
}

// Compressed arrays whose numbers are far more than files in earnest hold.
static GtResult check_bomb(const GtiFbxTree* tree, GtError* error)
{
    uint64_t total = 0;
    for (int32_t i = 0; i < tree->value_count; ++i) {
        const GtiFbxValue* value = &tree->values[i];
        uint64_t element = gti_fbx_element_size(value->type);
        total += element && value->encoding == GTI_FBX_DEFLATED ? value->count * element : 0;
    }
    return total <= MOST_FREE || total / MOST_TIMES <= tree->size
               ? GT_OK
               : gti_fail(error, GT_ERROR_LIMIT,
                          "the compressed arrays hold more than %d times the size of the file: this is no model",
                          MOST_TIMES);
}

static GtResult fill_scene(GtiFbxReader* reader, const GtLoadDef* def)
{
    static GtResult (*const parts[])(GtiFbxReader*) = {
        gti_fbx_list_models, gti_fbx_find_geometries, gti_fbx_add_nodes, gti_fbx_add_materials,
        gti_fbx_add_meshes,  gti_fbx_add_clips,       add_stage,
    };
    GtScene* scene = reader->scene;
    reader->metres_per_unit = def->metres_per_unit > 0.0 ? def->metres_per_unit : reader->graph.settings.unit_cm * 0.01;
    scene->source.format = "fbx";
    scene->source.metres_per_unit = reader->metres_per_unit;
    choose_axes(reader);
    GtResult result = check_bomb(&reader->tree, reader->error);
    if (result == GT_OK && !gti_push_directory(scene, reader->path)) {
        result = gti_out_of_memory(reader->error);
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts && result == GT_OK; ++i) {
        result = parts[i](reader);
    }
    return result;
}

// One warning for all places that the parser has left out.
static GtResult tell_damage(const GtContext* context, const GtiFbxTree* tree, const char* path, GtError* error)
{
    const GtError* first = &tree->damage;
    if (tree->damage_count == 0) {
        return GT_OK;
    }
    if (tree->damage_count == 1) {
        return gti_repair(context, error, path, first->where, "%s; what cannot be read is left out", first->message);
    }
    return gti_repair(context, error, path, first->where,
                      "%s; what cannot be read is left out, here and in further places, %d in all", first->message,
                      tree->damage_count);
}

GtResult gti_fbx_read(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error)
{
    GtiFbxReader reader = {
        .context = context, .path = input->path, .error = error, .arena = gt_arena_create(context->allocator)
    };
    GtResult result = gti_fbx_parse(context, input->bytes, input->size, &reader.tree, error);
    if (result != GT_OK) {
        return result;
    }
    result = tell_damage(context, &reader.tree, input->path, error);
    if (result != GT_OK) {
        gti_fbx_tree_release(&reader.tree);
        return result;
    }
    result = gti_fbx_graph_make(context, &reader.tree, input->path, &reader.graph, error);
    if (result == GT_OK) {
        result = gt_scene_create(context, &reader.scene, error);
        if (result == GT_OK) {
            result = fill_scene(&reader, def);
        }
        gti_fbx_graph_release(&reader.graph);
    }
    gti_fbx_tree_release(&reader.tree);
    gt_arena_destroy(&reader.arena);
    if (result != GT_OK) {
        gt_scene_destroy(reader.scene);
        return result;
    }
    *out = reader.scene;
    return GT_OK;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which geometries models show, and what the deformers of each do.

#include "base/fail.h"
#include "base/matrix3.h"
#include "io/fbx/layer.h"

#include <math.h>
#include <string.h>

bool gti_fbx_read_matrix(const GtiFbxReader* reader, const GtiFbxNode* node, double out[12])
{
    double columns[16];
    if (!node || gti_fbx_array_count(&reader->tree, node) != 16 ||
        gti_fbx_decode(&reader->tree, node, 'd', columns, NULL) != GT_OK) {
        return false;
    }
    for (int i = 0; i < 12; ++i) {
        out[i] = columns[i % 4 * 4 + i / 4] * (i % 4 == 3 ? reader->metres_per_unit : 1.0);
        if (!(fabs(out[i]) <= 1e30)) {
            return false;
        }
    }
    return true;
}

void gti_fbx_multiply(const double a[12], const double b[12], double out[12])
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            out[i * 4 + j] =
                a[i * 4] * b[j] + a[i * 4 + 1] * b[4 + j] + a[i * 4 + 2] * b[8 + j] + (j == 3 ? a[i * 4 + 3] : 0.0);
        }
    }
}

bool gti_fbx_geometric(const GtiFbxReader* reader, int32_t object, GtiFbxTransform* out)
{
    double translation[3] = { 0.0, 0.0, 0.0 };
    double degrees[3] = { 0.0, 0.0, 0.0 };
    double scale[3] = { 1.0, 1.0, 1.0 };
    const GtiFbxGraph* graph = &reader->graph;
    bool moves = gti_fbx_property_vector(graph, object, "GeometricTranslation", translation);
    moves |= gti_fbx_property_vector(graph, object, "GeometricRotation", degrees);
    moves |= gti_fbx_property_vector(graph, object, "GeometricScaling", scale);
    out->translation = gti_vec(translation[0], translation[1], translation[2]);
    out->translation = gti_vec_scale(out->translation, reader->metres_per_unit);
    out->rotation = gti_fbx_rotation(gti_vec(degrees[0], degrees[1], degrees[2]), GTI_FBX_XYZ);
    out->scale = gti_vec(scale[0], scale[1], scale[2]);
    static const GtiFbxTransform identity = { .rotation = { .w = 1.0 }, .scale = { 1.0, 1.0, 1.0 } };
    bool finite = gti_vec_is_finite(out->translation) && gti_vec_is_finite(out->scale) &&
                  gti_vec_is_finite(gti_vec(degrees[0], degrees[1], degrees[2]));
    if (!moves || !finite) {
        *out = identity;
        return false;
    }
    return gti_vec_length(out->translation) > 0.0 || fabs(fabs(out->rotation.w) - 1.0) > 1e-12 ||
           gti_vec_length(gti_vec_sub(out->scale, identity.scale)) > 0.0;
}

void gti_fbx_geometric_matrix(const GtiFbxReader* reader, int32_t object, double out[12])
{
    GtiFbxTransform local;
    double rotation[3][3];
    gti_fbx_geometric(reader, object, &local);
    gti_rotation_from_quat(local.rotation, rotation);
    const double scale[3] = { local.scale.x, local.scale.y, local.scale.z };
    const double translation[3] = { local.translation.x, local.translation.y, local.translation.z };
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out[i * 4 + j] = rotation[i][j] * scale[j];
        }
        out[i * 4 + 3] = translation[i];
    }
}

static bool is_hidden(const GtiFbxReader* reader, int32_t object)
{
    return gti_fbx_property_number(&reader->graph, object, "Visibility", 1.0) == 0.0;
}

// The polygon mesh that a model shows, or GT_NONE.
static int32_t geometry_object(const GtiFbxReader* reader, int32_t model_object)
{
    int32_t object = gti_fbx_child(&reader->graph, model_object, "Geometry", "");
    const GtiFbxNode* node = object == GT_NONE ? NULL : reader->graph.objects[object].node;
    return gti_fbx_find(node, "Vertices") && gti_fbx_find(node, "PolygonVertexIndex") ? object : GT_NONE;
}

// Joints, and parents of other models, must keep their node.
static void find_bare_skins(GtiFbxReader* reader)
{
    for (int32_t i = 0; i < reader->model_count; ++i) {
        GtiFbxModel* model = &reader->models[i];
        const GtiFbxGeometry* geometry = model->geometry == GT_NONE ? NULL : &reader->geometries[model->geometry];
        model->is_bare_skin =
            geometry && geometry->skin != GT_NONE && geometry->is_bound && !geometry->has_loose_points;
        if (model->parent != GT_NONE) {
            reader->models[model->parent].is_bare_skin = false;
        }
    }
    for (int32_t g = 0; g < reader->geometry_count; ++g) {
        for (int32_t c = 0; c < reader->geometries[g].cluster_count; ++c) {
            reader->models[reader->geometries[g].cluster_models[c]].is_bare_skin = false;
        }
    }
}

static GtResult add_geometry(GtiFbxReader* reader, int32_t object)
{
    GtiFbxGeometry* geometry = &reader->geometries[reader->geometry_count++];
    const GtiFbxNode* points = gti_fbx_find(reader->graph.objects[object].node, "Vertices");
    *geometry = (GtiFbxGeometry){ .object = object, .point_count = gti_fbx_array_count(&reader->tree, points) / 3 };
    GtResult result = gti_fbx_read_skin(reader, geometry);
    return result == GT_OK ? gti_fbx_read_channels(reader, geometry) : result;
}

GtResult gti_fbx_find_geometries(GtiFbxReader* reader)
{
    int32_t* number = gt_arena_push_array(&reader->arena, (size_t)reader->graph.object_count, sizeof *number);
    reader->geometries = gt_arena_push_array(&reader->arena, (size_t)reader->model_count, sizeof *reader->geometries);
    if (!number || !reader->geometries) {
        return gti_out_of_memory(reader->error);
    }
    GtResult result = GT_OK;
    int32_t hidden = 0;
    for (int32_t i = 0; i < reader->model_count && result == GT_OK; ++i) {
        GtiFbxModel* model = &reader->models[i];
        int32_t object = geometry_object(reader, model->object);
        model->geometry = GT_NONE;
        if (object == GT_NONE) {
            continue;
        }
        if (is_hidden(reader, model->object)) {
            ++hidden;
            continue;
        }
        if (number[object] == 0) {
            result = add_geometry(reader, object);
            number[object] = reader->geometry_count;
        }
        model->geometry = number[object] - 1;
    }
    if (hidden > 0) {
        gti_note(reader->context, reader->path, NULL,
                 hidden == 1 ? "a hidden mesh is left out" : "%d hidden meshes are left out", hidden);
    }
    find_bare_skins(reader);
    return result;
}

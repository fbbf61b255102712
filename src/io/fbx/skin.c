// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Skin deformers: clusters with the points that they move become influences of control points, and the joints and
// inverse bind matrices of a scene's skin.

#include "base/fail.h"
#include "gertie/accessor.h"
#include "io/fbx/layer.h"
#include "scene/world.h"

enum {
    MAX_INFLUENCES = 16,  // of a control point
    MAX_CLUSTERS = 65534, // that JOINTS can number, and one for loose points
};

// Points and weights of one cluster.
typedef struct Cluster {
    const int32_t* points;
    const float* weights;
    uint32_t count;
    uint16_t joint;
} Cluster;

// The influences of one control point while they are collected, largest first.
typedef struct Influences {
    uint16_t joints[MAX_INFLUENCES];
    float weights[MAX_INFLUENCES];
    int32_t count;
    bool is_cut; // some were left out
} Influences;

static void add_influence(Influences* all, uint16_t joint, float weight)
{
    int32_t at = 0;
    while (at < all->count && all->joints[at] != joint) {
        ++at;
    }
    if (at < all->count) {
        weight += all->weights[at];
    } else if (all->count < MAX_INFLUENCES) {
        ++all->count;
    } else {
        all->is_cut = true;
        if (weight <= all->weights[--at]) {
            return;
        }
    }
    for (; at > 0 && all->weights[at - 1] < weight; --at) {
        all->joints[at] = all->joints[at - 1];
        all->weights[at] = all->weights[at - 1];
    }
    all->joints[at] = joint;
    all->weights[at] = weight;
}

static bool is_influence(const GtiFbxGeometry* geometry, const Cluster* cluster, uint32_t i)
{
    return cluster->points[i] >= 0 && (uint32_t)cluster->points[i] < geometry->point_count &&
           cluster->weights[i] > 0.0f && cluster->weights[i] < 1e30f;
}

// Sort all influences by points: *firsts [point_count + 1] into *order, which holds cluster and place in it.
static bool sort_by_point(GtArena* arena, const GtiFbxGeometry* geometry, const Cluster* clusters, int32_t count,
                          uint32_t** firsts, uint64_t** order)
{
    uint32_t* first = gt_arena_push_array(arena, (size_t)geometry->point_count + 2, sizeof *first);
    if (!first) {
        return false;
    }
    uint32_t* next = first + 1;
    for (int32_t c = 0; c < count; ++c) {
        for (uint32_t i = 0; i < clusters[c].count; ++i) {
            next[is_influence(geometry, &clusters[c], i) ? clusters[c].points[i] + 1 : 0] += 1;
        }
    }
    next[0] = 0;
    for (uint32_t p = 0; p < geometry->point_count; ++p) {
        next[p + 1] += next[p];
    }
    *order = gt_arena_push(arena, (size_t)next[geometry->point_count] * sizeof **order);
    for (int32_t c = 0; c < count && *order; ++c) {
        for (uint32_t i = 0; i < clusters[c].count; ++i) {
            if (is_influence(geometry, &clusters[c], i)) {
                (*order)[next[clusters[c].points[i]]++] = (uint64_t)c << 32 | i;
            }
        }
    }
    *firsts = first; // each next[p] has moved on to where p ends, so that first[p] is where it begins
    first[0] = 0;
    return *order;
}

// @param kept  for the influences, which outlive the scratch in the reader's arena
static GtResult fill_influences(GtiFbxReader* reader, GtArena* kept, GtiFbxGeometry* geometry, const Cluster* clusters,
                                int32_t count)
{
    uint32_t* firsts = NULL;
    uint64_t* order = NULL;
    geometry->first_influence =
        gt_arena_push_array(kept, (size_t)geometry->point_count + 1, sizeof *geometry->first_influence);
    if (!geometry->first_influence || !sort_by_point(&reader->arena, geometry, clusters, count, &firsts, &order)) {
        return gti_out_of_memory(reader->error);
    }
    size_t most = (size_t)firsts[geometry->point_count] + geometry->point_count;
    geometry->influence_joints = gt_arena_push(kept, most * sizeof *geometry->influence_joints);
    geometry->influence_weights = gt_arena_push(kept, most * sizeof *geometry->influence_weights);
    if (!geometry->influence_joints || !geometry->influence_weights) {
        return gti_out_of_memory(reader->error);
    }
    uint32_t used = 0;
    uint32_t cut_count = 0;
    for (uint32_t p = 0; p < geometry->point_count; ++p) {
        Influences all = { 0 };
        for (uint32_t i = firsts[p]; i < firsts[p + 1]; ++i) {
            const Cluster* cluster = &clusters[order[i] >> 32];
            add_influence(&all, cluster->joint, cluster->weights[(uint32_t)order[i]]);
        }
        cut_count += all.is_cut;
        if (all.count == 0) {
            geometry->has_loose_points = true;
            add_influence(&all, (uint16_t)geometry->cluster_count, 1.0f);
        }
        double sum = 0.0;
        for (int32_t i = 0; i < all.count; ++i) {
            sum += (double)all.weights[i];
        }
        for (int32_t i = 0; i < all.count; ++i, ++used) {
            geometry->influence_joints[used] = all.joints[i];
            geometry->influence_weights[used] = (float)((double)all.weights[i] / sum);
        }
        geometry->first_influence[p + 1] = used;
    }
    if (cut_count > 0) {
        gti_note(reader->context, reader->path, NULL,
                 "%u points follow more than %d joints; the weakest of those are left out", cut_count, MAX_INFLUENCES);
    }
    return GT_OK;
}

// The joint's number, a new one where no cluster before has it.
static uint16_t number_joint(GtiFbxGeometry* geometry, int32_t cluster, int32_t model, int32_t* number_of_model)
{
    if (number_of_model[model] == 0) {
        geometry->clusters[geometry->cluster_count] = cluster;
        geometry->cluster_models[geometry->cluster_count] = model;
        number_of_model[model] = ++geometry->cluster_count;
    }
    return (uint16_t)(number_of_model[model] - 1);
}

static GtResult read_clusters(GtiFbxReader* reader, GtArena* kept, GtiFbxGeometry* geometry)
{
    const GtiFbxGraph* graph = &reader->graph;
    const GtiFbxObject* skin = &graph->objects[geometry->skin];
    size_t most = (size_t)skin->child_count;
    geometry->clusters = gt_arena_push_array(kept, most, sizeof *geometry->clusters);
    geometry->cluster_models = gt_arena_push_array(kept, most, sizeof *geometry->cluster_models);
    Cluster* clusters = gt_arena_push_array(&reader->arena, most, sizeof *clusters);
    int32_t* number_of_model = gt_arena_push_array(&reader->arena, (size_t)reader->model_count, sizeof(int32_t));
    if (!geometry->clusters || !geometry->cluster_models || !clusters || !number_of_model) {
        return gti_out_of_memory(reader->error);
    }
    GtResult result = GT_OK;
    int32_t count = 0;
    for (int32_t k = 0; k < skin->child_count && result == GT_OK; ++k) {
        int32_t object = graph->connections[skin->first_child + k].source;
        int32_t bone = gti_slice_is(graph->objects[object].subtype, "Cluster")
                           ? gti_fbx_child(graph, object, "Model", "")
                           : GT_NONE;
        int32_t model = bone == GT_NONE ? GT_NONE : reader->model_of_object[bone];
        if (model == GT_NONE || geometry->cluster_count == MAX_CLUSTERS) {
            continue;
        }
        const GtiFbxNode* node = graph->objects[object].node;
        Cluster cluster = { 0 };
        uint32_t weight_count = 0;
        cluster.points = gti_fbx_read_integers(reader, node, "Indexes", &cluster.count, &result);
        cluster.weights = gti_fbx_read_floats(reader, node, "Weights", &weight_count, &result);
        cluster.count = weight_count < cluster.count ? weight_count : cluster.count;
        double bind[12];
        geometry->is_bound &= gti_fbx_read_matrix(reader, gti_fbx_find(node, "Transform"), bind);
        cluster.joint = number_joint(geometry, object, model, number_of_model);
        clusters[count++] = cluster;
    }
    return result == GT_OK ? fill_influences(reader, kept, geometry, clusters, count) : result;
}

GtResult gti_fbx_read_skin(GtiFbxReader* reader, GtiFbxGeometry* geometry)
{
    const GtiFbxGraph* graph = &reader->graph;
    const GtiFbxObject* owner = &graph->objects[geometry->object];
    geometry->skin = GT_NONE;
    for (int32_t k = 0; k < owner->child_count; ++k) {
        int32_t object = graph->connections[owner->first_child + k].source;
        if (!gti_slice_is(graph->objects[object].subtype, "Skin")) {
            continue;
        }
        if (geometry->skin != GT_NONE) {
            gti_warn(reader->context, reader->path, NULL, "'%.*s' has more than one skin; the first of them is taken",
                     (int)owner->name.length, owner->name.text);
            break;
        }
        geometry->skin = object;
    }
    if (geometry->skin == GT_NONE) {
        return GT_OK;
    }
    geometry->is_bound = true;
    GtArena kept = reader->arena;
    reader->arena = gt_arena_create(kept.allocator);
    GtResult result = read_clusters(reader, &kept, geometry);
    gt_arena_destroy(&reader->arena);
    reader->arena = kept;
    if (result == GT_OK && geometry->cluster_count == 0) {
        geometry->skin = GT_NONE; // nothing moves it
    }
    return result;
}

// inverse(joint) * mesh at rest, in the scene's units.
static void bind_at_rest(const GtMat34* worlds, const GtiFbxModel* joint, const GtiFbxModel* model, double out[12])
{
    bool ok = false;
    GtMat34 joint_from_mesh = gt_mat34_inverse(&worlds[joint->scaled_node], &ok);
    joint_from_mesh = ok ? gt_mat34_mul(joint_from_mesh, worlds[model->scaled_node]) : gt_mat34_identity();
    for (int i = 0; i < 12; ++i) {
        out[i] = (double)joint_from_mesh.m[i / 4][i % 4];
    }
}

static void put_column_major(const double rows[12], float out[16])
{
    for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 4; ++column) {
            out[column * 4 + row] = row < 3 ? (float)rows[row * 4 + column] : column == 3 ? 1.0f : 0.0f;
        }
    }
}

GtResult gti_fbx_add_skin(GtiFbxReader* reader, const GtiFbxModel* model, int32_t* out)
{
    const GtiFbxGeometry* geometry = &reader->geometries[model->geometry];
    int32_t count = geometry->cluster_count + geometry->has_loose_points;
    GtArenaMark mark = gt_arena_mark(&reader->arena);
    int32_t* joints = gt_scene_push(reader->scene, (size_t)count, sizeof *joints);
    float* matrices = gt_arena_push_array(&reader->arena, (size_t)count, 16 * sizeof *matrices);
    GtMat34* worlds = NULL;
    GtResult result = joints && matrices ? GT_OK : gti_out_of_memory(reader->error);
    double geometric[12];
    gti_fbx_geometric_matrix(reader, model->object, geometric);
    for (int32_t i = 0; i < geometry->cluster_count && result == GT_OK; ++i) {
        const GtiFbxModel* joint = &reader->models[geometry->cluster_models[i]];
        const GtiFbxNode* cluster = reader->graph.objects[geometry->clusters[i]].node;
        double bind[12];
        double whole[12];
        if (!gti_fbx_read_matrix(reader, gti_fbx_find(cluster, "Transform"), bind)) {
            result = worlds ? GT_OK : gti_scene_worlds(reader->scene, &reader->arena, &worlds, reader->error);
            if (result != GT_OK) {
                break;
            }
            bind_at_rest(worlds, joint, model, bind);
        }
        gti_fbx_multiply(bind, geometric, whole);
        joints[i] = joint->scaled_node;
        put_column_major(whole, matrices + (size_t)i * 16);
    }
    if (result == GT_OK && geometry->has_loose_points) {
        joints[count - 1] = model->scaled_node;
        put_column_major(geometric, matrices + (size_t)(count - 1) * 16);
    }
    GtSkin skin = { .joints = joints, .joint_count = count, .skeleton = GT_NONE, .inverse_bind = GT_NONE };
    if (result == GT_OK) {
        result = gt_scene_add_data(reader->scene, GT_USE_DATA, GT_ELEMENT_MAT4, GT_COMPONENT_FLOAT, matrices,
                                   (uint64_t)count, &skin.inverse_bind, reader->error);
    }
    gt_arena_reset(&reader->arena, mark);
    return result == GT_OK ? gt_scene_add_skin(reader->scene, &skin, out, reader->error) : result;
}

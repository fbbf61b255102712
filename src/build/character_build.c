// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A scene becomes a character: nodes parents first, the skins that are used, every primitive with triangles at every
// node that shows it. A primitive is decoded once, however many nodes show it.

#include "gertie/build.h"

#include "base/fail.h"
#include "build/primitive.h"

#include <stdio.h>
#include <string.h>

enum {
    COST_OF_A_MORPH = 96 // bytes of bookkeeping while the character is made
};

typedef struct Builder {
    GtiDecoder decoder;
    const GtScene* scene;
    const GtBuildDef* def;
    GtBuildReport report;
    GtCharacterDef out;
    int32_t* runtime_nodes; // [scene->node_count] or GT_NONE
    bool* shown;            // [scene->node_count] whether its mesh is part of the character
    int32_t* runtime_skins; // [scene->skin_count] or GT_NONE
    GtMeshDef** decoded;    // [scene->mesh_count] a template a primitive, or NULL
    int32_t decoded_count;
} Builder;

GtBuildDef gt_default_build_def(void)
{
    return (GtBuildDef){
        .stage = GT_NONE,
        .max_influences = GT_MAX_INFLUENCES,
        .skin_method = GT_SKIN_LINEAR,
    };
}

static GtResult check_def(const GtScene* scene, const GtBuildDef* def, GtError* error)
{
    if (def->stage < GT_NONE || def->stage >= scene->stage_count) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "there is no stage %d; the scene has %d", def->stage,
                        scene->stage_count);
    }
    if (def->max_influences < 1 || def->max_influences > GT_MAX_INFLUENCES) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "%d influences a vertex are out of range; give 1 to %d",
                        def->max_influences, GT_MAX_INFLUENCES);
    }
    if (def->force_skin_method && (unsigned)def->skin_method >= GT_SKIN_METHOD_COUNT) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "there is no skin method %d", (int)def->skin_method);
    }
    return GT_OK;
}

// A zeroed array that lives until the character is made; NULL when memory ran out.
static void* push(Builder* b, uint64_t count, size_t size)
{
    return gt_arena_push_array(&b->decoder.arena, (size_t)count, size);
}

// Keep a node and all above it. Stops at one that is kept already, so that all calls together are linear.
static void keep_with_ancestors(const GtScene* scene, bool* kept, int32_t node)
{
    while (node != GT_NONE && !kept[node]) {
        kept[node] = true;
        node = scene->nodes[node].parent;
    }
}

// Shown are the nodes under the stage; kept, besides them, what they hang from and the joints that move them.
static void select_nodes(const Builder* b, const int32_t* order, bool* kept)
{
    const GtScene* scene = b->scene;
    if (b->def->stage == GT_NONE) {
        memset(b->shown, 1, (size_t)scene->node_count);
        memset(kept, 1, (size_t)scene->node_count);
        return;
    }
    const GtStage* stage = &scene->stages[b->def->stage];
    for (int32_t i = 0; i < stage->node_count; ++i) {
        b->shown[stage->nodes[i]] = true;
        keep_with_ancestors(scene, kept, stage->nodes[i]);
    }
    for (int32_t i = 0; i < scene->node_count; ++i) {
        const GtNode* node = &scene->nodes[order[i]];
        b->shown[order[i]] |= node->parent != GT_NONE && b->shown[node->parent];
        kept[order[i]] |= b->shown[order[i]];
    }
    for (int32_t i = 0; i < scene->node_count; ++i) {
        const GtNode* node = &scene->nodes[i];
        if (!b->shown[i] || node->mesh == GT_NONE || node->skin == GT_NONE || b->runtime_skins[node->skin] == 0) {
            continue;
        }
        b->runtime_skins[node->skin] = 0; // seen
        const GtSkin* skin = &scene->skins[node->skin];
        for (int32_t j = 0; j < skin->joint_count; ++j) {
            keep_with_ancestors(scene, kept, skin->joints[j]);
        }
    }
    for (int32_t i = 0; i < scene->skin_count; ++i) {
        b->runtime_skins[i] = GT_NONE;
    }
}

static GtResult build_nodes(Builder* b)
{
    const GtScene* scene = b->scene;
    size_t count = (size_t)scene->node_count;
    int32_t* order = push(b, count, sizeof *order);
    bool* kept = push(b, count, sizeof *kept);
    int32_t* parents = push(b, count, sizeof *parents);
    int32_t* sources = push(b, count, sizeof *sources);
    GtTransform* rest = push(b, count, sizeof *rest);
    const char** names = push(b, count, sizeof *names);
    if (!order || !kept || !parents || !sources || !rest || !names) {
        return gti_out_of_memory(b->decoder.error);
    }
    GtResult result = gt_scene_parent_first(scene, order, b->decoder.error);
    if (result != GT_OK) {
        return result;
    }
    select_nodes(b, order, kept);
    int32_t made = 0;
    for (int32_t i = 0; i < scene->node_count; ++i) {
        const GtNode* node = &scene->nodes[order[i]];
        b->runtime_nodes[order[i]] = GT_NONE;
        if (kept[order[i]]) {
            b->runtime_nodes[order[i]] = made;
            sources[made] = order[i];
            parents[made] = node->parent == GT_NONE ? GT_NONE : b->runtime_nodes[node->parent];
            rest[made] = node->local;
            rest[made].rotation = gt_quat_normalize(node->local.rotation);
            names[made] = node->name;
            ++made;
        }
    }
    b->out.node_count = made;
    b->out.parents = parents;
    b->out.rest = rest;
    b->out.names = names;
    b->out.source_nodes = sources;
    return GT_OK;
}

// Joints whose nodes are not built are left out.
static GtResult build_humanoid(Builder* b)
{
    if (!b->scene->humanoid) {
        return GT_OK;
    }
    GtHumanoidMap* map = push(b, 1, sizeof *map);
    if (!map) {
        return gti_out_of_memory(b->decoder.error);
    }
    for (int i = 0; i < GT_HUMANOID_JOINT_COUNT; ++i) {
        int32_t node = b->scene->humanoid->nodes[i];
        map->nodes[i] = node == GT_NONE ? GT_NONE : b->runtime_nodes[node];
    }
    b->out.humanoid = map;
    return GT_OK;
}

static GtResult build_skin(Builder* b, int32_t index, GtSkinDef* out)
{
    const GtSkin* skin = &b->scene->skins[index];
    char where[GTI_PLACE_SIZE];
    snprintf(where, sizeof where, "skins[%d]", (int)index);
    GtiDecoder* decoder = &b->decoder;
    void* joints = NULL;
    void* matrices = NULL;
    const float* columns = NULL;
    GtResult result = gti_decoder_push(decoder, (uint64_t)skin->joint_count, sizeof(int32_t), where, &joints);
    if (result == GT_OK) {
        result = gti_decoder_push(decoder, (uint64_t)skin->joint_count, sizeof(GtMat34), where, &matrices);
    }
    if (result == GT_OK && skin->inverse_bind != GT_NONE) {
        result = gti_decode_floats(decoder, skin->inverse_bind, where, &columns);
    }
    *out = (GtSkinDef){ .joints = joints, .joint_count = skin->joint_count, .joint_from_mesh = matrices };
    for (int32_t j = 0; result == GT_OK && j < skin->joint_count; ++j) {
        ((int32_t*)joints)[j] = b->runtime_nodes[skin->joints[j]];
        ((GtMat34*)matrices)[j] = columns ? gt_mat34_from_columns(columns + (size_t)j * 16) : gt_mat34_identity();
    }
    return result;
}

static GtResult build_skins(Builder* b)
{
    const GtScene* scene = b->scene;
    GtSkinDef* skins = push(b, (size_t)scene->skin_count, sizeof *skins);
    GtResult result = skins ? GT_OK : gti_out_of_memory(b->decoder.error);
    for (int32_t i = 0; result == GT_OK && i < scene->node_count; ++i) {
        const GtNode* node = &scene->nodes[i];
        if (b->shown[i] && node->mesh != GT_NONE && node->skin != GT_NONE && b->runtime_skins[node->skin] == GT_NONE) {
            b->runtime_skins[node->skin] = b->out.skin_count;
            result = build_skin(b, node->skin, &skins[b->out.skin_count++]);
        }
    }
    b->out.skins = skins;
    return result;
}

// Primitives of one mesh often share their vertices and differ in their corners only.
static bool same_attributes(const GtAttribute* a, int32_t a_count, const GtAttribute* b, int32_t b_count)
{
    bool same = a_count == b_count;
    for (int32_t i = 0; same && i < a_count; ++i) {
        same = a[i].accessor == b[i].accessor && strcmp(a[i].name, b[i].name) == 0;
    }
    return same;
}

static bool same_vertices(const GtMesh* mesh, const GtPrimitive* a, const GtPrimitive* b)
{
    bool same = same_attributes(a->attributes, a->attribute_count, b->attributes, b->attribute_count);
    for (int32_t t = 0; same && t < mesh->target_count; ++t) {
        same = same_attributes(a->targets[t].attributes, a->targets[t].attribute_count, b->targets[t].attributes,
                               b->targets[t].attribute_count);
    }
    return same;
}

static const GtMeshDef* twin_before(const GtMesh* mesh, int32_t primitive, const GtMeshDef* templates)
{
    bool twin = primitive > 0 && templates[primitive - 1].vertex_count > 0 &&
                same_vertices(mesh, &mesh->primitives[primitive - 1], &mesh->primitives[primitive]);
    return twin ? &templates[primitive - 1] : NULL;
}

static void place_primitive(char where[GTI_PLACE_SIZE], int32_t mesh, int32_t primitive)
{
    snprintf(where, GTI_PLACE_SIZE, "meshes[%d].primitives[%d]", (int)mesh, (int)primitive);
}

// Surface and morphs of every primitive of a mesh. Those without a surface keep vertex_count 0.
static GtResult decode_mesh(Builder* b, int32_t index)
{
    const GtMesh* mesh = &b->scene->meshes[index];
    GtResult result = gti_progress(b->decoder.context, b->decoder.error, "building",
                                   (double)b->decoded_count++ / (double)b->scene->mesh_count);
    if (result != GT_OK) {
        return result;
    }
    GtMeshDef* templates = push(b, (size_t)mesh->primitive_count, sizeof *templates);
    if (!templates) {
        return gti_out_of_memory(b->decoder.error);
    }
    b->decoded[index] = templates;
    for (int32_t p = 0; result == GT_OK && p < mesh->primitive_count; ++p) {
        const GtPrimitive* primitive = &mesh->primitives[p];
        if (!gti_has_surface(primitive)) {
            ++b->report.skipped_primitives;
            continue;
        }
        GtMeshDef* out = &templates[p];
        char where[GTI_PLACE_SIZE];
        place_primitive(where, index, p);
        *out = (GtMeshDef){
            .name = mesh->name,
            .source_mesh = index,
            .source_primitive = p,
            .material = primitive->material,
            .skin = GT_NONE,
        };
        result = gti_decode_surface(&b->decoder, primitive, where, out);
        const GtMeshDef* twin = twin_before(mesh, p, templates);
        if (result == GT_OK && twin) {
            out->morphs = twin->morphs;
            out->morph_count = twin->morph_count;
        } else if (result == GT_OK) {
            result = gti_decode_morphs(&b->decoder, mesh, primitive, where, out);
        }
    }
    return result;
}

// Influences of every primitive of a mesh, once some node skins it.
static GtResult decode_mesh_influences(Builder* b, int32_t index)
{
    const GtMesh* mesh = &b->scene->meshes[index];
    GtMeshDef* templates = b->decoded[index];
    GtResult result = GT_OK;
    for (int32_t p = 0; result == GT_OK && p < mesh->primitive_count; ++p) {
        GtMeshDef* out = &templates[p];
        if (out->vertex_count == 0 || out->influence_count > 0) {
            continue;
        }
        const GtMeshDef* twin = twin_before(mesh, p, templates);
        if (twin) {
            out->influence_count = twin->influence_count;
            out->joints = twin->joints;
            out->weights = twin->weights;
            continue;
        }
        char where[GTI_PLACE_SIZE];
        place_primitive(where, index, p);
        result =
            gti_decode_influences(&b->decoder, &mesh->primitives[p], b->def->max_influences, where, out, &b->report);
    }
    return result;
}

// The node's stack, with the skin method that the caller forces.
static GtResult build_deformers(Builder* b, const GtNode* node, const GtDeformerData** out, int32_t* out_count)
{
    *out = node->deformers;
    *out_count = node->deformer_count;
    if (!b->def->force_skin_method) {
        return GT_OK;
    }
    static const GtDeformerData usual[] = { { .kind = GT_DEFORMER_MORPH }, { .kind = GT_DEFORMER_SKIN } };
    const GtDeformerData* data = node->deformer_count ? node->deformers : usual;
    int32_t count = node->deformer_count ? node->deformer_count : 2;
    GtDeformerData* forced = push(b, (size_t)count, sizeof *forced);
    if (!forced) {
        return gti_out_of_memory(b->decoder.error);
    }
    for (int32_t i = 0; i < count; ++i) {
        forced[i] = data[i];
        forced[i].skin_method = b->def->skin_method;
    }
    *out = forced;
    *out_count = count;
    return GT_OK;
}

static GtResult build_node_meshes(Builder* b, int32_t source_node, GtMeshDef* meshes)
{
    const GtNode* node = &b->scene->nodes[source_node];
    const GtMesh* mesh = &b->scene->meshes[node->mesh];
    const GtDeformerData* deformers = NULL;
    int32_t deformer_count = 0;
    GtResult result = GT_OK;
    if (node->skin != GT_NONE) {
        result = decode_mesh_influences(b, node->mesh);
    }
    if (result == GT_OK) {
        result = build_deformers(b, node, &deformers, &deformer_count);
    }
    for (int32_t p = 0; result == GT_OK && p < mesh->primitive_count; ++p) {
        const GtMeshDef* from = &b->decoded[node->mesh][p];
        if (from->vertex_count == 0) {
            continue;
        }
        GtMeshDef* out = &meshes[b->out.mesh_count++];
        *out = *from;
        out->node = b->runtime_nodes[source_node];
        out->first_weight = b->out.weight_count;
        out->deformers = deformers;
        out->deformer_count = deformer_count;
        if (node->skin == GT_NONE) {
            out->influence_count = 0;
            out->joints = NULL;
            out->weights = NULL;
        } else {
            out->skin = b->runtime_skins[node->skin];
        }
    }
    return result;
}

static void build_weights(Builder* b, const GtNode* node, float* weights)
{
    const GtMesh* mesh = &b->scene->meshes[node->mesh];
    const float* from = node->weight_count == mesh->target_count   ? node->weights
                        : mesh->weight_count == mesh->target_count ? mesh->weights
                                                                   : NULL;
    for (int32_t i = 0; i < mesh->target_count; ++i) {
        weights[b->out.weight_count++] = from ? from[i] : 0.0f;
    }
}

// How many meshes and weights there will be; decodes every mesh that is shown.
static GtResult count_meshes(Builder* b, uint64_t* mesh_count, uint64_t* weight_count)
{
    const GtScene* scene = b->scene;
    for (int32_t i = 0; i < b->out.node_count; ++i) {
        int32_t source_node = b->out.source_nodes[i];
        const GtNode* node = &scene->nodes[source_node];
        if (!b->shown[source_node] || node->mesh == GT_NONE) {
            continue;
        }
        GtResult result = b->decoded[node->mesh] ? GT_OK : decode_mesh(b, node->mesh);
        const GtMesh* mesh = &scene->meshes[node->mesh];
        uint64_t cost = sizeof(GtMeshDef) + (uint64_t)mesh->target_count * COST_OF_A_MORPH;
        if (result == GT_OK) {
            char where[GTI_PLACE_SIZE];
            snprintf(where, sizeof where, "nodes[%d]", (int)source_node);
            result = gti_decoder_charge(&b->decoder, (uint64_t)mesh->primitive_count * cost, where);
        }
        if (result != GT_OK) {
            return result;
        }
        *mesh_count += (uint64_t)mesh->primitive_count;
        *weight_count += (uint64_t)mesh->target_count;
    }
    return GT_OK;
}

static GtResult build_meshes(Builder* b)
{
    uint64_t mesh_count = 0;
    uint64_t weight_count = 0;
    GtResult result = count_meshes(b, &mesh_count, &weight_count);
    if (result != GT_OK) {
        return result;
    }
    if (mesh_count > INT32_MAX || weight_count > INT32_MAX) {
        return gti_fail(b->decoder.error, GT_ERROR_LIMIT, "the nodes show %llu primitives with %llu morph weights",
                        (unsigned long long)mesh_count, (unsigned long long)weight_count);
    }
    GtMeshDef* meshes = push(b, mesh_count, sizeof *meshes);
    float* weights = push(b, weight_count, sizeof *weights);
    if (!meshes || !weights) {
        return gti_out_of_memory(b->decoder.error);
    }
    for (int32_t i = 0; result == GT_OK && i < b->out.node_count; ++i) {
        int32_t source_node = b->out.source_nodes[i];
        const GtNode* node = &b->scene->nodes[source_node];
        if (b->shown[source_node] && node->mesh != GT_NONE) {
            result = build_node_meshes(b, source_node, meshes);
            build_weights(b, node, weights);
        }
    }
    b->out.meshes = meshes;
    b->out.rest_weights = weights;
    return result;
}

static GtResult build(Builder* b)
{
    const GtScene* scene = b->scene;
    b->runtime_nodes = push(b, (size_t)scene->node_count, sizeof *b->runtime_nodes);
    b->shown = push(b, (size_t)scene->node_count, sizeof *b->shown);
    b->runtime_skins = push(b, (size_t)scene->skin_count, sizeof *b->runtime_skins);
    b->decoded = push(b, (size_t)scene->mesh_count, sizeof *b->decoded);
    if (!b->runtime_nodes || !b->shown || !b->runtime_skins || !b->decoded) {
        return gti_out_of_memory(b->decoder.error);
    }
    for (int32_t i = 0; i < scene->skin_count; ++i) {
        b->runtime_skins[i] = GT_NONE;
    }
    GtResult result = build_nodes(b);
    if (result == GT_OK) {
        result = build_humanoid(b);
    }
    if (b->def->joints_only) {
        return result;
    }
    if (result == GT_OK) {
        result = build_skins(b);
    }
    return result == GT_OK ? build_meshes(b) : result;
}

GtResult gt_character_build(const GtContext* context, const GtScene* scene, const GtBuildDef* def, GtCharacter** out,
                            GtBuildReport* report, GtError* error)
{
    def = def ? def : (GtBuildDef[]){ gt_default_build_def() };
    *out = NULL;
    GtResult result = check_def(scene, def, error);
    if (result != GT_OK) {
        return result;
    }
    Builder b = { .scene = scene, .def = def, .out = gt_default_character_def() };
    result = gti_decoder_create(context, scene, &b.decoder, error);
    if (result == GT_OK) {
        result = build(&b);
    }
    if (result == GT_OK) {
        result = gt_character_create(context->allocator, &b.out, out, error);
    }
    if (result == GT_OK && b.report.skipped_primitives) {
        gti_note(context, scene->source.file, NULL,
                 "%d primitives have no surface (points, lines or no positions) and are left out",
                 b.report.skipped_primitives);
    }
    if (report) {
        *report = b.report;
    }
    gti_decoder_destroy(&b.decoder);
    return result;
}

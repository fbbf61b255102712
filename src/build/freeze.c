// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Freezing keeps the accessors of the scene, so that whatever does not move is shared, and adds new ones for what does.
// The character's meshes come in the order of its nodes; those of one node become the primitives of one mesh.

#include "gertie/freeze.h"

#include "gertie/accessor.h"
#include "gertie/build.h"

#include "base/fail.h"

#include <string.h>

typedef struct Freezer {
    const GtContext* context;
    const GtScene* source;
    GtScene* scene;
    GtInstance* instance; // or NULL where the caller has
    const GtVec3* positions;
    const GtVec3* normals;
    const GtCharacterDef* def;
    GtError* error;
} Freezer;

static bool follows_the_skin(const char* attribute)
{
    return strncmp(attribute, "JOINTS_", 7) == 0 || strncmp(attribute, "WEIGHTS_", 8) == 0 ||
           strcmp(attribute, "POSITION") == 0 || strcmp(attribute, "NORMAL") == 0 || strcmp(attribute, "TANGENT") == 0;
}

static GtResult add_vectors(Freezer* freezer, const GtVec3* vectors, int32_t count, const char* name,
                            GtPrimitive* primitive, GtAttribute* attributes)
{
    int32_t accessor = GT_NONE;
    GtResult result = gt_scene_add_data(freezer->scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, vectors,
                                        (uint64_t)count, &accessor, freezer->error);
    attributes[primitive->attribute_count++] = (GtAttribute){ name, accessor };
    return result;
}

// vectors: [2 * vertex_count] room for both
static void take_vectors(const Freezer* freezer, int32_t mesh, GtVec3* vectors, const GtVec3** positions,
                         const GtVec3** normals)
{
    const GtMeshDef* posed = &freezer->def->meshes[mesh];
    if (freezer->instance) {
        *positions = vectors;
        *normals = posed->normals ? vectors + posed->vertex_count : NULL;
        gt_instance_deform(freezer->instance, mesh, vectors, posed->normals ? vectors + posed->vertex_count : NULL,
                           NULL);
        return;
    }
    size_t first = 0;
    for (int32_t m = 0; m < mesh; ++m) {
        first += (size_t)freezer->def->meshes[m].vertex_count;
    }
    *positions = freezer->positions + first;
    *normals = posed->normals && freezer->normals ? freezer->normals + first : NULL;
}

// What shapes may make of an attribute: GtLooks, or 0.
static unsigned look_of(const char* attribute)
{
    return strcmp(attribute, "TEXCOORD_0") == 0   ? GT_LOOKS_TEXCOORDS
           : strcmp(attribute, "TEXCOORD_1") == 0 ? GT_LOOKS_TEXCOORDS1
           : strcmp(attribute, "COLOR_0") == 0    ? GT_LOOKS_COLORS
                                                  : 0;
}

// An attribute that is no place or direction: shared, unless shapes change it.
static GtResult keep_attribute(Freezer* freezer, int32_t mesh, const GtAttribute* source, GtAttribute* out)
{
    *out = *source;
    unsigned look = freezer->instance ? look_of(source->name) & gt_morph_looks(freezer->instance->character, mesh) : 0;
    if (look == 0) {
        return GT_OK;
    }
    size_t count = (size_t)freezer->def->meshes[mesh].vertex_count;
    GtAllocator allocator = freezer->context->allocator;
    float* values = allocator.allocate(allocator.user, 4 * (count + 1) * sizeof *values);
    if (!values) {
        return gti_out_of_memory(freezer->error);
    }
    gt_instance_deform_looks(freezer->instance, mesh, look == GT_LOOKS_TEXCOORDS ? values : NULL,
                             look == GT_LOOKS_TEXCOORDS1 ? values : NULL, look == GT_LOOKS_COLORS ? values : NULL);
    GtResult result =
        gt_scene_add_data(freezer->scene, GT_USE_VERTEX, look == GT_LOOKS_COLORS ? GT_ELEMENT_VEC4 : GT_ELEMENT_VEC2,
                          GT_COMPONENT_FLOAT, values, (uint64_t)count, &out->accessor, freezer->error);
    allocator.release(allocator.user, values);
    return result;
}

static GtResult freeze_primitive(Freezer* freezer, int32_t mesh, GtPrimitive* out)
{
    const GtMeshDef* posed = &freezer->def->meshes[mesh];
    const GtPrimitive* source = &freezer->source->meshes[posed->source_mesh].primitives[posed->source_primitive];
    GtAttribute* attributes = gt_scene_push(freezer->scene, (size_t)source->attribute_count + 2, sizeof *attributes);
    GtAllocator allocator = freezer->context->allocator;
    GtVec3* vectors = allocator.allocate(allocator.user, 2 * ((size_t)posed->vertex_count + 1) * sizeof *vectors);
    if (!attributes || !vectors) {
        allocator.release(allocator.user, vectors);
        return gti_out_of_memory(freezer->error);
    }
    *out = (GtPrimitive){
        .mode = source->mode, .indices = source->indices, .material = source->material, .attributes = attributes
    };
    const GtVec3* positions = NULL;
    const GtVec3* normals = NULL;
    take_vectors(freezer, mesh, vectors, &positions, &normals);
    GtResult result = add_vectors(freezer, positions, posed->vertex_count, "POSITION", out, attributes);
    if (result == GT_OK && normals) {
        result = add_vectors(freezer, normals, posed->vertex_count, "NORMAL", out, attributes);
    }
    for (int32_t i = 0; i < source->attribute_count && result == GT_OK; ++i) {
        if (!follows_the_skin(source->attributes[i].name)) {
            result = keep_attribute(freezer, mesh, &source->attributes[i], &attributes[out->attribute_count++]);
        }
    }
    allocator.release(allocator.user, vectors);
    return result;
}

// The meshes [first, end) of one node.
static GtResult freeze_node(Freezer* freezer, int32_t first, int32_t end, int32_t* root)
{
    const GtCharacterDef* def = freezer->def;
    GtPrimitive* primitives = gt_scene_push(freezer->scene, (size_t)(end - first), sizeof *primitives);
    if (!primitives) {
        return gti_out_of_memory(freezer->error);
    }
    GtResult result = GT_OK;
    for (int32_t i = first; i < end && result == GT_OK; ++i) {
        result = freeze_primitive(freezer, i, &primitives[i - first]);
    }
    GtMesh mesh = { .name = freezer->source->meshes[def->meshes[first].source_mesh].name,
                    .primitives = primitives,
                    .primitive_count = end - first };
    GtNode node = gt_default_node();
    node.name = def->names ? def->names[def->meshes[first].node] : NULL;
    node.name = node.name ? gt_scene_push_text(freezer->scene, node.name, strlen(node.name)) : mesh.name;
    if (result == GT_OK) {
        result = gt_scene_add_mesh(freezer->scene, &mesh, &node.mesh, freezer->error);
    }
    return result == GT_OK ? gt_scene_add_node(freezer->scene, &node, root, freezer->error) : result;
}

static GtResult freeze_all(Freezer* freezer)
{
    const GtCharacterDef* def = freezer->def;
    GtScene* scene = freezer->scene;
    int32_t* roots = gt_scene_push(scene, (size_t)def->mesh_count + 1, sizeof *roots);
    GtStage stage = { .nodes = roots };
    GtResult result = roots ? GT_OK : gti_out_of_memory(freezer->error);
    for (int32_t first = 0, end = 0; first < def->mesh_count && result == GT_OK; first = end) {
        for (end = first + 1; end < def->mesh_count && def->meshes[end].node == def->meshes[first].node;) {
            ++end;
        }
        result = freeze_node(freezer, first, end, &roots[stage.node_count++]);
    }
    return result == GT_OK ? gt_scene_add_stage(scene, &stage, &scene->default_stage, freezer->error) : result;
}

static GtResult freeze(Freezer* freezer, GtScene** out)
{
    GtResult result = gt_scene_copy(freezer->context, freezer->source, out, freezer->error);
    if (result != GT_OK) {
        return result;
    }
    GtScene* made = *out;
    made->node_count = made->mesh_count = made->skin_count = made->animation_count = made->stage_count = 0;
    made->camera_count = 0;
    made->default_stage = GT_NONE;
    made->humanoid = NULL;
    made->retarget_pose = NULL;
    made->extra = (GtExtra){ 0 };
    freezer->scene = made;
    result = freeze_all(freezer);
    if (result != GT_OK) {
        gt_scene_destroy(made);
        *out = NULL;
    }
    return result;
}

GtResult gt_scene_freeze(const GtContext* context, const GtScene* scene, GtInstance* instance, GtScene** out,
                         GtError* error)
{
    Freezer freezer = { .context = context,
                        .source = scene,
                        .instance = instance,
                        .def = gt_character_def(instance->character),
                        .error = error };
    return freeze(&freezer, out);
}

GtResult gt_scene_freeze_as(const GtContext* context, const GtScene* scene, const GtCharacter* character,
                            const GtVec3* positions, const GtVec3* normals, GtScene** out, GtError* error)
{
    Freezer freezer = { .context = context,
                        .source = scene,
                        .positions = positions,
                        .normals = normals,
                        .def = gt_character_def(character),
                        .error = error };
    return freeze(&freezer, out);
}

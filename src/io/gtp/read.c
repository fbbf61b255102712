// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A pack becomes a scene. gt_pack_open() has checked the file before anything is taken from it; arrays that many
// records share are copied for each of them, within a budget.

#include "io/gtp/gtp.h"

#include "base/bounds.h"
#include "base/fail.h"
#include "io/gtp/reader.h"
#include "scene/storage.h"

#include <string.h>

enum {
    INFLUENCES_PER_SET = 4,
    SET_COUNT = GT_MAX_INFLUENCES / INFLUENCES_PER_SET,
    MOST_ATTRIBUTES = 6 + 2 * SET_COUNT
};

static const uint64_t budget_floor = (uint64_t)256 << 20;
static const uint64_t budget_per_byte = 16;

bool gti_gtp_sniff(const uint8_t* bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "GtPk", 4) == 0;
}

bool gti_gtp_text(GtiGtpReading* r, const char* text, const char** out)
{
    *out = text ? gt_scene_push_text(r->scene, text, strlen(text)) : NULL;
    return *out || !text;
}

static GtResult take_budget(GtiGtpReading* r, uint64_t size)
{
    if (size > r->budget) {
        return gti_fail(r->error, GT_ERROR_LIMIT, "its meshes or clips share arrays that would take too much memory");
    }
    r->budget -= size;
    return GT_OK;
}

GtResult gti_gtp_data(GtiGtpReading* r, GtAccessorUse use, GtElementType element, const void* data, uint64_t count,
                      int32_t* accessor)
{
    GtComponentType component = use == GT_USE_INDICES ? GT_COMPONENT_UINT32 : GT_COMPONENT_FLOAT;
    GtResult result = take_budget(r, count * (uint64_t)gt_element_size(element, component));
    return result == GT_OK ? gt_scene_add_data(r->scene, use, element, component, data, count, accessor, r->error)
                           : result;
}

// Attributes of a primitive or a morph target.
typedef struct AttributeList {
    GtAttribute* items; // [MOST_ATTRIBUTES]
    int32_t count;
} AttributeList;

static GtResult add_attribute(GtiGtpReading* r, AttributeList* list, const char* name, GtElementType element,
                              const void* data, int32_t count)
{
    int32_t accessor = GT_NONE;
    GtResult result = data ? gti_gtp_data(r, GT_USE_VERTEX, element, data, (uint64_t)count, &accessor) : GT_OK;
    if (accessor != GT_NONE) {
        list->items[list->count++] = (GtAttribute){ name, accessor };
    }
    return result;
}

// Influences in sets of four, as glTF has them.
static GtResult add_influences(GtiGtpReading* r, const GtMeshDef* mesh, AttributeList* list)
{
    static const char* const joint_names[SET_COUNT] = { "JOINTS_0", "JOINTS_1", "JOINTS_2", "JOINTS_3" };
    static const char* const weight_names[SET_COUNT] = { "WEIGHTS_0", "WEIGHTS_1", "WEIGHTS_2", "WEIGHTS_3" };
    size_t vertex_count = (size_t)mesh->vertex_count;
    GtArenaMark mark = gt_arena_mark(&r->arena);
    uint16_t* joints = gt_arena_push_array(&r->arena, vertex_count, INFLUENCES_PER_SET * sizeof *joints);
    float* weights = gt_arena_push_array(&r->arena, vertex_count, INFLUENCES_PER_SET * sizeof *weights);
    GtResult result = joints && weights ? GT_OK : gti_out_of_memory(r->error);
    for (int32_t first = 0; first < mesh->influence_count && result == GT_OK; first += INFLUENCES_PER_SET) {
        int32_t set = first / INFLUENCES_PER_SET;
        for (size_t v = 0; v < vertex_count; ++v) {
            for (int32_t k = 0; k < INFLUENCES_PER_SET; ++k) {
                size_t from = v * (size_t)mesh->influence_count + (size_t)(first + k);
                bool is_there = first + k < mesh->influence_count && mesh->weights[from] != 0.0f;
                joints[v * INFLUENCES_PER_SET + (size_t)k] = is_there ? mesh->joints[from] : 0;
                weights[v * INFLUENCES_PER_SET + (size_t)k] = is_there ? mesh->weights[from] : 0.0f;
            }
        }
        GtAttribute* added = &list->items[list->count++];
        added->name = joint_names[set];
        result = take_budget(r, vertex_count * INFLUENCES_PER_SET * sizeof *joints);
        if (result == GT_OK) {
            result = gt_scene_add_data(r->scene, GT_USE_VERTEX, GT_ELEMENT_VEC4, GT_COMPONENT_UINT16, joints,
                                       vertex_count, &added->accessor, r->error);
        }
        if (result == GT_OK) {
            result = add_attribute(r, list, weight_names[set], GT_ELEMENT_VEC4, weights, mesh->vertex_count);
        }
    }
    gt_arena_reset(&r->arena, mark);
    return result;
}

GtResult gti_gtp_view(GtiGtpReading* r, const void* data, uint64_t size, int32_t* view)
{
    uint8_t* bytes = NULL;
    GtResult result = take_budget(r, size);
    if (result != GT_OK) {
        return result;
    }
    GtBuffer buffer = { .blob = gt_blob_create(r->context->allocator, (size_t)size, &bytes) };
    if (!buffer.blob) {
        return gti_out_of_memory(r->error);
    }
    memcpy(bytes, data, (size_t)size);
    GtBufferView added = { .size = size };
    result = gt_scene_add_buffer(r->scene, &buffer, &added.buffer, r->error);
    return result == GT_OK ? gt_scene_add_buffer_view(r->scene, &added, view, r->error) : result;
}

// Bounds of displacements, with the vertices that do not move.
static bool find_bounds(GtiGtpReading* r, const GtVec3* values, int32_t count, GtAccessor* out)
{
    GtBounds bounds = gti_bounds_of(values, count);
    gti_bounds_add(&bounds, gt_vec3(0.0f, 0.0f, 0.0f));
    double* numbers = gt_scene_push(r->scene, 6, sizeof *numbers);
    if (numbers) {
        const double ends[6] = { (double)bounds.low.x,  (double)bounds.low.y,  (double)bounds.low.z,
                                 (double)bounds.high.x, (double)bounds.high.y, (double)bounds.high.z };
        memcpy(numbers, ends, sizeof ends);
        out->min = numbers;
        out->max = numbers + 3;
    }
    return numbers != NULL;
}

// One attribute of a morph as a sparse accessor. All of them share the view of their vertices.
static GtResult add_displacements(GtiGtpReading* r, AttributeList* list, const char* name, GtElementType element,
                                  const float* values, const GtMorphDef* morph, int32_t vertex_count,
                                  int32_t indices_view)
{
    if (!values) {
        return GT_OK;
    }
    uint64_t count = (uint64_t)morph->entry_count;
    GtSparse* sparse = gt_scene_push(r->scene, 1, sizeof *sparse);
    GtAccessor accessor = { .view = GT_NONE,
                            .component_type = GT_COMPONENT_FLOAT,
                            .element_type = element,
                            .count = (uint64_t)vertex_count,
                            .sparse = count ? sparse : NULL };
    bool ok = sparse && (element != GT_ELEMENT_VEC3 ||
                         find_bounds(r, (const GtVec3*)(const void*)values, morph->entry_count, &accessor));
    if (!ok) {
        return gti_out_of_memory(r->error);
    }
    *sparse = (GtSparse){ .count = count, .indices_view = indices_view, .indices_type = GT_COMPONENT_UINT32 };
    GtResult result = GT_OK;
    if (count) {
        uint64_t size = count * (uint64_t)gt_element_size(element, GT_COMPONENT_FLOAT);
        result = gti_gtp_view(r, values, size, &sparse->values_view);
    }
    GtAttribute* added = &list->items[list->count++];
    added->name = name;
    return result == GT_OK ? gt_scene_add_accessor(r->scene, &accessor, &added->accessor, r->error) : result;
}

static GtResult read_morph(GtiGtpReading* r, const GtMeshDef* mesh, const GtMorphDef* morph, GtMorphTarget* out)
{
    const struct {
        const char* name;
        GtElementType element;
        const float* values;
    } parts[] = {
        { "POSITION", GT_ELEMENT_VEC3, (const float*)(const void*)morph->positions },
        { "NORMAL", GT_ELEMENT_VEC3, mesh->normals ? (const float*)(const void*)morph->normals : NULL },
        { "TANGENT", GT_ELEMENT_VEC3, mesh->tangents ? (const float*)(const void*)morph->tangents : NULL },
        { "TEXCOORD_0", GT_ELEMENT_VEC2, mesh->texcoords ? morph->texcoords : NULL },
        { "TEXCOORD_1", GT_ELEMENT_VEC2, mesh->texcoords1 ? morph->texcoords1 : NULL },
        { "COLOR_0", GT_ELEMENT_VEC4, mesh->colors ? morph->colors : NULL },
    };
    int32_t view = GT_NONE;
    AttributeList list = { gt_scene_push(r->scene, sizeof parts / sizeof *parts, sizeof(GtAttribute)), 0 };
    GtResult result = list.items ? GT_OK : gti_out_of_memory(r->error);
    if (result == GT_OK && morph->entry_count > 0) {
        result = gti_gtp_view(r, morph->vertices, (uint64_t)morph->entry_count * sizeof *morph->vertices, &view);
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts && result == GT_OK; ++i) {
        result = add_displacements(r, &list, parts[i].name, parts[i].element, parts[i].values, morph,
                                   mesh->vertex_count, view);
    }
    *out = (GtMorphTarget){ list.items, list.count };
    return result;
}

static GtResult read_primitive(GtiGtpReading* r, const GtMeshDef* mesh, GtPrimitive* out)
{
    AttributeList list = { gt_scene_push(r->scene, MOST_ATTRIBUTES, sizeof(GtAttribute)), 0 };
    GtMorphTarget* targets = gt_scene_push(r->scene, (size_t)mesh->morph_count, sizeof *targets);
    int32_t count = mesh->vertex_count;
    *out = (GtPrimitive){ .mode = GT_MODE_TRIANGLES, .material = GT_NONE, .targets = targets };
    if (!list.items || !targets) {
        return gti_out_of_memory(r->error);
    }
    if (mesh->material < r->scene->material_count) {
        out->material = mesh->material;
    }
    GtResult result = add_attribute(r, &list, "POSITION", GT_ELEMENT_VEC3, mesh->positions, count);
    result = result == GT_OK ? add_attribute(r, &list, "NORMAL", GT_ELEMENT_VEC3, mesh->normals, count) : result;
    result = result == GT_OK ? add_attribute(r, &list, "TANGENT", GT_ELEMENT_VEC4, mesh->tangents, count) : result;
    result = result == GT_OK ? add_attribute(r, &list, "TEXCOORD_0", GT_ELEMENT_VEC2, mesh->texcoords, count) : result;
    result = result == GT_OK ? add_attribute(r, &list, "TEXCOORD_1", GT_ELEMENT_VEC2, mesh->texcoords1, count) : result;
    result = result == GT_OK ? add_attribute(r, &list, "COLOR_0", GT_ELEMENT_VEC4, mesh->colors, count) : result;
    result = result == GT_OK ? add_influences(r, mesh, &list) : result;
    if (result == GT_OK) {
        result = gti_gtp_data(r, GT_USE_INDICES, GT_ELEMENT_SCALAR, mesh->indices, (uint64_t)mesh->index_count,
                              &out->indices);
    }
    for (int32_t i = 0; i < mesh->morph_count && result == GT_OK; ++i) {
        result = read_morph(r, mesh, &mesh->morphs[i], &targets[i]);
    }
    out->attributes = list.items;
    out->attribute_count = list.count;
    return result;
}

// Primitives from `first` up to `end`.
static GtResult read_mesh(GtiGtpReading* r, int32_t first, int32_t end)
{
    const GtMeshDef* source = &r->def->meshes[first];
    GtPrimitive* primitives = gt_scene_push(r->scene, (size_t)(end - first), sizeof *primitives);
    const char** names = gt_scene_push(r->scene, (size_t)source->morph_count, sizeof *names);
    GtMesh mesh = { .primitives = primitives, .primitive_count = end - first, .target_count = source->morph_count };
    bool ok = primitives && names && gti_gtp_text(r, source->name, &mesh.name);
    for (int32_t i = 0; ok && i < source->morph_count; ++i) {
        const char* name = source->morphs[i].name;
        ok = gti_gtp_text(r, name ? name : "", &names[i]);
        mesh.target_names = name ? names : mesh.target_names;
    }
    GtResult result = ok ? GT_OK : gti_out_of_memory(r->error);
    for (int32_t i = first; i < end && result == GT_OK; ++i) {
        result = read_primitive(r, &r->def->meshes[i], &primitives[i - first]);
    }
    return result == GT_OK ? gt_scene_add_mesh(r->scene, &mesh, NULL, r->error) : result;
}

// What a scene can say of a stack: without harmonic skins and sections.
static GtResult read_stack(GtiGtpReading* r, const GtMeshDef* mesh, GtNode* node)
{
    GtDeformerData* stack = gt_scene_push(r->scene, (size_t)mesh->deformer_count, sizeof *stack);
    if (!stack) {
        return gti_out_of_memory(r->error);
    }
    bool is_default = true;
    for (int32_t i = 0; i < mesh->deformer_count; ++i) {
        GtDeformerData deformer = mesh->deformers[i];
        if (deformer.kind == GT_DEFORMER_MORPH || deformer.kind == GT_DEFORMER_SKIN) {
            stack[node->deformer_count++] = deformer;
            is_default = is_default && (deformer.kind == GT_DEFORMER_MORPH || deformer.skin_method == GT_SKIN_LINEAR);
        }
    }
    node->deformers = is_default ? NULL : stack;
    node->deformer_count = is_default ? 0 : node->deformer_count;
    return GT_OK;
}

// Show a mesh at its node, or at a child of it where another one is.
static GtResult place_mesh(GtiGtpReading* r, int32_t index)
{
    const GtMeshDef* mesh = &r->def->meshes[index];
    int32_t place = mesh->node;
    GtResult result = GT_OK;
    if (!r->places[index].is_first) {
        GtNode child = gt_default_node();
        child.parent = mesh->node;
        result = gt_scene_add_node(r->scene, &child, &place, r->error);
    }
    float* weights = gt_scene_push(r->scene, (size_t)mesh->morph_count, sizeof *weights);
    if (result != GT_OK || !weights) {
        return result == GT_OK ? gti_out_of_memory(r->error) : result;
    }
    GtNode* node = &r->scene->nodes[place];
    node->mesh = r->places[index].mesh;
    node->skin = mesh->skin;
    if (mesh->morph_count > 0) {
        memcpy(weights, r->def->rest_weights + mesh->first_weight, (size_t)mesh->morph_count * sizeof *weights);
        node->weights = weights;
        node->weight_count = mesh->morph_count;
        r->weight_nodes[mesh->first_weight] = place;
    }
    return read_stack(r, mesh, node);
}

static GtResult read_meshes(GtiGtpReading* r)
{
    GtResult result = GT_OK;
    int32_t end = 0;
    for (int32_t first = 0; first < r->def->mesh_count && result == GT_OK; first = end) {
        for (end = first + 1; end < r->def->mesh_count && r->places[end].mesh == r->places[first].mesh; ++end) {
        }
        result = read_mesh(r, first, end);
        result = result == GT_OK ? place_mesh(r, first) : result;
    }
    return result;
}

static GtResult read_nodes(GtiGtpReading* r)
{
    GtResult result = GT_OK;
    for (int32_t i = 0; i < r->def->node_count && result == GT_OK; ++i) {
        GtNode node = gt_default_node();
        node.parent = r->def->parents[i];
        node.local = r->def->rest[i];
        const char* name = r->def->names ? r->def->names[i] : NULL;
        result = gti_gtp_text(r, name, &node.name) ? gt_scene_add_node(r->scene, &node, NULL, r->error)
                                                   : gti_out_of_memory(r->error);
    }
    return result;
}

static GtResult read_stage(GtiGtpReading* r)
{
    int32_t* roots = gt_scene_push(r->scene, (size_t)r->def->node_count, sizeof *roots);
    GtStage stage = { .nodes = roots };
    for (int32_t i = 0; roots && i < r->def->node_count; ++i) {
        if (r->def->parents[i] == GT_NONE) {
            roots[stage.node_count++] = i;
        }
    }
    return roots ? gt_scene_add_stage(r->scene, &stage, &r->scene->default_stage, r->error)
                 : gti_out_of_memory(r->error);
}

static GtResult read_skin(GtiGtpReading* r, const GtSkinDef* source)
{
    GtSkin skin = { .joint_count = source->joint_count, .skeleton = GT_NONE };
    int32_t* joints = gt_scene_push(r->scene, (size_t)source->joint_count, sizeof *joints);
    GtArenaMark mark = gt_arena_mark(&r->arena);
    float* columns = gt_arena_push_array(&r->arena, (size_t)source->joint_count, 16 * sizeof *columns);
    if (!joints || !columns) {
        return gti_out_of_memory(r->error);
    }
    memcpy(joints, source->joints, (size_t)source->joint_count * sizeof *joints);
    for (int32_t i = 0; i < source->joint_count; ++i) {
        gt_mat34_to_columns(&source->joint_from_mesh[i], columns + 16 * (size_t)i);
    }
    skin.joints = joints;
    GtResult result =
        gti_gtp_data(r, GT_USE_DATA, GT_ELEMENT_MAT4, columns, (uint64_t)source->joint_count, &skin.inverse_bind);
    gt_arena_reset(&r->arena, mark);
    return result == GT_OK ? gt_scene_add_skin(r->scene, &skin, NULL, r->error) : result;
}

static GtResult read_humanoid(GtiGtpReading* r)
{
    GtHumanoidMap* map = r->def->humanoid ? gt_scene_push(r->scene, 1, sizeof *map) : NULL;
    if (map) {
        *map = *r->def->humanoid;
    }
    r->scene->humanoid = map;
    return map || !r->def->humanoid ? GT_OK : gti_out_of_memory(r->error);
}

static GtResult read_all(GtiGtpReading* r)
{
    GtiPackedPlace* places = gt_arena_push_array(&r->arena, (size_t)r->def->mesh_count, sizeof *places);
    r->weight_nodes = gt_arena_push_array(&r->arena, (size_t)r->def->weight_count, sizeof *r->weight_nodes);
    if (!places || !r->weight_nodes) {
        return gti_out_of_memory(r->error);
    }
    memset(r->weight_nodes, 0xFF, (size_t)r->def->weight_count * sizeof *r->weight_nodes); // GT_NONE
    r->places = places;
    GtResult result = gti_packed_places(r->context, r->def, places, r->error);
    result = result == GT_OK ? read_nodes(r) : result;
    result = result == GT_OK ? read_stage(r) : result;
    for (int32_t i = 0; i < r->def->skin_count && result == GT_OK; ++i) {
        result = read_skin(r, &r->def->skins[i]);
    }
    result = result == GT_OK ? gti_gtp_read_looks(r) : result;
    result = result == GT_OK ? read_meshes(r) : result;
    result = result == GT_OK ? read_humanoid(r) : result;
    return result == GT_OK ? gti_gtp_read_clips(r) : result;
}

// The bytes of the file, which the scene keeps.
static GtBlob* keep_bytes(GtAllocator allocator, GtiInput* input)
{
    if (input->block) {
        GtBlob* blob = gti_blob_adopt(allocator, input->block, 0, input->size);
        input->block = blob ? NULL : input->block;
        return blob;
    }
    uint8_t* bytes = NULL;
    GtBlob* blob = gt_blob_create(allocator, input->size, &bytes);
    if (blob) {
        memcpy(bytes, input->bytes, input->size);
    }
    return blob;
}

GtResult gti_gtp_read(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error)
{
    (void)def;
    GtPack* pack = NULL;
    uint64_t budget = input->size * budget_per_byte;
    GtResult result = gt_scene_create(context, out, error);
    if (result == GT_OK) {
        (*out)->pack = keep_bytes(context->allocator, input);
        result = (*out)->pack ? GT_OK : gti_out_of_memory(error);
    }
    if (result == GT_OK) {
        result =
            gt_pack_open(context->allocator, gt_blob_bytes((*out)->pack), gt_blob_size((*out)->pack), &pack, error);
    }
    if (result == GT_OK) {
        GtiGtpReading r = { .context = context,
                            .scene = *out,
                            .pack = pack,
                            .def = gt_character_def(gt_pack_character(pack)),
                            .budget = budget > budget_floor ? budget : budget_floor,
                            .arena = gt_arena_create(context->allocator),
                            .error = error };
        result = read_all(&r);
        gt_arena_destroy(&r.arena);
    }
    gt_pack_close(pack);
    return result;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// An instance is one block: the struct, pose, matrices of nodes and of points, weights, section values, scratch, each
// at a multiple of 16 bytes.

#include "gertie/instance.h"

#include "base/fail.h"
#include "base/memory.h"
#include "runtime/character.h"

#include <string.h>

// Sizes of the parts, in order.
typedef struct Layout {
    size_t head;
    size_t pose;
    size_t matrices;
    size_t points;
    size_t weights;
    size_t section_values;
    size_t scratch;
} Layout;

static Layout layout_of(const GtCharacter* character)
{
    size_t node_count = (size_t)character->def.node_count;
    return (Layout){
        .head = gti_round_up16(sizeof(GtInstance)),
        .pose = node_count * sizeof(GtTransform),
        .matrices = node_count * sizeof(GtMat34),
        .points = (size_t)gt_harmonic_skin_point_count(character) * sizeof(GtMat34),
        .weights = gti_round_up16((size_t)character->def.weight_count * sizeof(float)),
        .section_values = gti_round_up16((size_t)character->section_value_count * sizeof(float)),
        .scratch = gti_round_up16(character->scratch_size),
    };
}

size_t gt_instance_size(const GtCharacter* character)
{
    Layout layout = layout_of(character);
    return layout.head + layout.pose + layout.matrices + layout.points + layout.weights + layout.section_values +
           layout.scratch;
}

GtInstance* gt_instance_init(const GtCharacter* character, void* memory)
{
    GT_ASSERT((uintptr_t)memory % 16 == 0);
    Layout layout = layout_of(character);
    char* at = memory;
    GtInstance* instance = memory;
    *instance = (GtInstance){ .character = character };
    at += layout.head;
    instance->pose = (GtTransform*)at;
    at += layout.pose;
    instance->model_from_node = (GtMat34*)at;
    at += layout.matrices;
    instance->model_from_point = (GtMat34*)at;
    at += layout.points;
    instance->weights = (float*)at;
    at += layout.weights;
    instance->section_values = (float*)at;
    at += layout.section_values;
    instance->scratch = at;
    instance->scratch_size = layout.scratch;
    gt_instance_reset(instance);
    gt_instance_update(instance);
    return instance;
}

GtResult gt_instance_create(GtAllocator allocator, const GtCharacter* character, GtInstance** out, GtError* error)
{
    *out = NULL;
    void* memory = allocator.allocate(allocator.user, gt_instance_size(character));
    if (!memory) {
        return gti_out_of_memory(error);
    }
    *out = gt_instance_init(character, memory);
    (*out)->allocator = allocator;
    return GT_OK;
}

void gt_instance_destroy(GtInstance* instance)
{
    if (instance && instance->allocator.release) {
        instance->allocator.release(instance->allocator.user, instance);
    }
}

void gt_instance_reset(GtInstance* instance)
{
    const GtCharacterDef* def = &instance->character->def;
    if (def->node_count) {
        memcpy(instance->pose, def->rest, (size_t)def->node_count * sizeof(GtTransform));
    }
    if (def->weight_count) {
        memcpy(instance->weights, def->rest_weights, (size_t)def->weight_count * sizeof(float));
    }
    gt_section_reset(instance->character, instance->section_values);
}

void gt_instance_update(GtInstance* instance)
{
    gt_character_to_model(instance->character, instance->pose, instance->model_from_node);
    instance->has_points = false;
}

void gt_instance_pose_points(GtInstance* instance, const GtExecutor* executor)
{
    gt_harmonic_skin_pose(instance->character, instance->model_from_node, executor, instance->model_from_point,
                          instance->scratch);
    instance->has_points = true;
}

void gt_instance_deform(GtInstance* instance, int32_t mesh, GtVec3* out_positions, GtVec3* out_normals,
                        float* out_tangents)
{
    if (!instance->has_points && gti_follows_points(&instance->character->stacks[mesh])) {
        gt_instance_pose_points(instance, NULL);
    }
    GtDeformJob job = {
        .character = instance->character,
        .mesh = mesh,
        .model_from_node = instance->model_from_node,
        .weights = instance->weights,
        .section_values = instance->section_values,
        .model_from_point = instance->model_from_point,
        .out_positions = out_positions,
        .out_normals = out_normals,
        .out_tangents = out_tangents,
        .scratch = instance->scratch,
    };
    gt_deform(&job);
}

void gt_instance_deform_looks(const GtInstance* instance, int32_t mesh, float* out_texcoords, float* out_texcoords1,
                              float* out_colors)
{
    const GtMeshDef* def = &instance->character->def.meshes[mesh];
    const float* weights = def->morph_count ? instance->weights + def->first_weight : NULL;
    GtiLooksTarget out = { out_texcoords, out_texcoords1, out_colors };
    gti_morph_looks_apply(def, gt_morph_looks(instance->character, mesh), weights, &out);
}

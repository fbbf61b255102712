// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The deformer stack: what a mesh's deformer data ask for, found in the table below, checked once when the character is
// made, run one after the other in every frame. The first step reads the mesh as it was modelled; the others work in
// place on the caller's output, so that no vertex needs scratch.

#include "gertie/instance.h"

#include "base/fail.h"
#include "runtime/character.h"

#include <string.h>

static const GtiDeformer* const deformers[] = {
    &gti_morph,
    &gti_skin_linear,
    &gti_skin_dual_quat,
    &gti_skin_bulge_free,
};

static const GtiDeformer* find(GtDeformerData data)
{
    for (size_t i = 0; i < sizeof deformers / sizeof *deformers; ++i) {
        bool same_method = data.kind != GT_DEFORMER_SKIN || deformers[i]->skin_method == data.skin_method;
        if (deformers[i]->kind == data.kind && same_method) {
            return deformers[i];
        }
    }
    return NULL;
}

static bool has_channels(const GtMeshDef* mesh, const GtiDeformer* deformer)
{
    return (!(deformer->reads & GTI_READS_WEIGHTS) || mesh->morph_count > 0) &&
           (!(deformer->reads & GTI_READS_JOINTS) || mesh->skin != GT_NONE);
}

static GtiSpace space_at_end(const GtiStack* stack)
{
    return stack->count ? stack->steps[stack->count - 1]->output : GTI_SPACE_REST;
}

static GtResult push(GtiStack* stack, const GtiDeformer* deformer, const char* where, GtError* error)
{
    for (int32_t i = 0; i < stack->count; ++i) {
        if (stack->steps[i] == deformer) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "deformer '%s' is there twice", deformer->name);
        }
    }
    if (deformer->input != space_at_end(stack)) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "deformer '%s' cannot come after '%s'", deformer->name,
                           stack->steps[stack->count - 1]->name);
    }
    if (stack->count == GTI_MAX_STACK) {
        return gti_fail_at(error, GT_ERROR_LIMIT, where, "more than %d deformers", GTI_MAX_STACK);
    }
    stack->steps[stack->count++] = deformer;
    return GT_OK;
}

GtResult gti_stack_create(const GtCharacterDef* character, const GtMeshDef* mesh, const char* where, GtiStack* out,
                          GtError* error)
{
    static const GtDeformerData usual[] = { { GT_DEFORMER_MORPH, GT_SKIN_LINEAR },
                                            { GT_DEFORMER_SKIN, GT_SKIN_LINEAR } };
    const GtDeformerData* data = mesh->deformer_count ? mesh->deformers : usual;
    int32_t count = mesh->deformer_count ? mesh->deformer_count : 2;
    *out = (GtiStack){ .count = 0 };
    for (int32_t i = 0; i < count; ++i) {
        const GtiDeformer* deformer = find(data[i]);
        if (!deformer) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "deformers[%d]: there is none of kind %d, method %d",
                               i, (int)data[i].kind, (int)data[i].skin_method);
        }
        GtResult result = has_channels(mesh, deformer) ? push(out, deformer, where, error) : GT_OK;
        if (result != GT_OK) {
            return result;
        }
    }
    if (space_at_end(out) == GTI_SPACE_REST) { // what the data leave out: every mesh must reach model space
        GtResult result = push(out, mesh->skin == GT_NONE ? &gti_rigid : &gti_skin_linear, where, error);
        if (result != GT_OK) {
            return result;
        }
    }
    GT_ASSERT(out->steps[out->count - 1]->unit_normals);
    for (int32_t i = 0; i < out->count; ++i) {
        size_t size = out->steps[i]->scratch_size ? out->steps[i]->scratch_size(character, mesh) : 0;
        out->scratch_size = size > out->scratch_size ? size : out->scratch_size;
    }
    return GT_OK;
}

size_t gt_deform_scratch_size(const GtCharacter* character, int32_t mesh)
{
    GT_ASSERT(mesh >= 0 && mesh < character->def.mesh_count);
    return character->stacks[mesh].scratch_size;
}

void gt_deform(const GtDeformJob* job)
{
    GT_ASSERT(job->mesh >= 0 && job->mesh < job->character->def.mesh_count);
    const GtCharacter* character = job->character;
    const GtMeshDef* mesh = &character->def.meshes[job->mesh];
    const GtiStack* stack = &character->stacks[job->mesh];
    GT_ASSERT(job->scratch || stack->scratch_size == 0);
    GT_ASSERT((uintptr_t)job->scratch % 16 == 0);
    size_t count = (size_t)mesh->vertex_count;
    if (job->out_normals && !mesh->normals && count) {
        memset(job->out_normals, 0, count * sizeof(GtVec3));
    }
    if (job->out_tangents && !mesh->tangents && count) {
        memset(job->out_tangents, 0, count * 4 * sizeof(float));
    }
    GtVec3* normals = mesh->normals ? job->out_normals : NULL;
    float* tangents = mesh->tangents ? job->out_tangents : NULL;
    GtiDeformStep step = {
        .character = &character->def,
        .mesh = mesh,
        .model_from_node = job->model_from_node,
        .weights = mesh->morph_count ? job->weights + mesh->first_weight : NULL,
        .bones = mesh->skin == GT_NONE ? NULL : character->bones[mesh->skin],
        .in = { mesh->positions, normals ? mesh->normals : NULL, tangents ? mesh->tangents : NULL },
        .out = { job->out_positions, normals, tangents },
        .scratch = job->scratch,
    };
    for (int32_t i = 0; i < stack->count; ++i) {
        stack->steps[i]->apply(&step);
        step.in = (GtiVertexSource){ job->out_positions, normals, tangents };
    }
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The deformer stack: what a mesh's deformer data ask for, found in the table below, checked once when the character is
// made, run one after the other in every frame. The first step reads the mesh as it was modelled; the others work in
// place on the caller's output, so that no vertex needs scratch; but where sections will look back at what went into
// the skin, the deformers before the skin leave it in scratch.

#include "gertie/instance.h"

#include "base/fail.h"
#include "base/memory.h"
#include "runtime/character.h"

#include <string.h>

enum {
    REST_FLOATS = 10 // position, normal, tangent
};

static const GtiDeformer* const deformers[] = {
    &gti_morph, &gti_skin_linear, &gti_skin_dual_quat, &gti_skin_bulge_free, &gti_skin_harmonic, &gti_sections,
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

static bool has_free_section(const GtCharacterDef* character)
{
    for (int32_t i = 0; i < character->section_count; ++i) {
        if (character->sections[i].node == GT_NONE) {
            return true;
        }
    }
    return false;
}

static bool has_channels(const GtCharacterDef* character, const GtMeshDef* mesh, const GtiDeformer* deformer)
{
    return (!(deformer->reads & GTI_READS_WEIGHTS) || mesh->morph_count > 0) &&
           (!(deformer->reads & GTI_READS_JOINTS) || mesh->skin != GT_NONE) &&
           (!(deformer->reads & GTI_READS_POINTS) || character->harmonic) &&
           (!(deformer->reads & GTI_READS_SECTIONS) || mesh->section_bind_count || has_free_section(character));
}

static GtiSpace space_at_end(const GtiStack* stack)
{
    return stack->count ? stack->steps[stack->count - 1]->output : GTI_SPACE_REST;
}

// Whether a deformer takes a mesh from rest space to model space. Every stack has exactly one such step.
static bool is_mover(const GtiDeformer* deformer)
{
    return deformer->input == GTI_SPACE_REST && deformer->output == GTI_SPACE_MODEL;
}

static GtResult insert(GtiStack* stack, int32_t at, const GtiDeformer* deformer, const char* where, GtError* error)
{
    if (stack->count == GTI_MAX_STACK) {
        return gti_fail_at(error, GT_ERROR_LIMIT, where, "more than %d deformers", GTI_MAX_STACK);
    }
    for (int32_t i = stack->count++; i > at; --i) {
        stack->steps[i] = stack->steps[i - 1];
    }
    stack->steps[at] = deformer;
    return GT_OK;
}

static GtResult push(GtiStack* stack, const GtiDeformer* deformer, const char* where, GtError* error)
{
    for (int32_t i = 0; i < stack->count; ++i) {
        if (stack->steps[i] == deformer) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "deformer '%s' is there twice", deformer->name);
        }
    }
    if (deformer->input != space_at_end(stack) && stack->count == 0) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "deformer '%s' cannot come first", deformer->name);
    }
    // Sections look back at what the mover read and left, so nothing may come between.
    bool fits = deformer != &gti_sections || is_mover(stack->steps[stack->count - 1]);
    if (deformer->input != space_at_end(stack) || !fits) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "deformer '%s' cannot come after '%s'", deformer->name,
                           stack->steps[stack->count - 1]->name);
    }
    return insert(stack, stack->count, deformer, where, error);
}

static bool has_step(const GtiStack* stack, const GtiDeformer* deformer)
{
    for (int32_t i = 0; i < stack->count; ++i) {
        if (stack->steps[i] == deformer) {
            return true;
        }
    }
    return false;
}

void gti_stack_find_scratch(const GtCharacterDef* character, const GtMeshDef* mesh, GtiStack* stack)
{
    size_t largest = 0;
    for (int32_t i = 0; i < stack->count; ++i) {
        const GtiDeformer* step = stack->steps[i];
        size_t size = step->scratch_size && step != &gti_sections ? step->scratch_size(character, mesh) : 0;
        largest = size > largest ? size : largest;
    }
    stack->scratch_size = largest;
    if (has_step(stack, &gti_sections)) {
        bool rest_changes = mesh->section_bind_count && stack->steps[0]->output == GTI_SPACE_REST;
        stack->section_scratch = gti_round_up16(largest);
        stack->rest_scratch = stack->section_scratch + gti_round_up16(gti_sections.scratch_size(character, mesh));
        stack->scratch_size =
            stack->rest_scratch + (rest_changes ? (size_t)mesh->vertex_count * REST_FLOATS * sizeof(float) : 0);
    }
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
        GtResult result = has_channels(character, mesh, deformer) ? push(out, deformer, where, error) : GT_OK;
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
    if (has_channels(character, mesh, &gti_sections) && !has_step(out, &gti_sections)) {
        int32_t at = 1;
        while (!is_mover(out->steps[at - 1])) {
            ++at;
        }
        GtResult result = insert(out, at, &gti_sections, where, error);
        if (result != GT_OK) {
            return result;
        }
    }
    GT_ASSERT(out->steps[out->count - 1]->unit_normals);
    gti_stack_find_scratch(character, mesh, out);
    out->looks = has_step(out, &gti_morph) ? gti_morph_looks_of(mesh) : 0;
    return GT_OK;
}

unsigned gt_morph_looks(const GtCharacter* character, int32_t mesh)
{
    GT_ASSERT(mesh >= 0 && mesh < character->def.mesh_count);
    return character->stacks[mesh].looks;
}

bool gti_follows_points(const GtiStack* stack)
{
    return has_step(stack, &gti_skin_harmonic);
}

size_t gt_deform_scratch_size(const GtCharacter* character, int32_t mesh)
{
    GT_ASSERT(mesh >= 0 && mesh < character->def.mesh_count);
    return character->stacks[mesh].scratch_size;
}

// Where deformers before the skin leave what sections will look back at.
static GtiVertexTarget rest_target(const GtiStack* stack, const GtDeformJob* job, const GtiVertexTarget* out)
{
    size_t count = (size_t)job->character->def.meshes[job->mesh].vertex_count;
    float* floats = (float*)((char*)job->scratch + stack->rest_scratch);
    return (GtiVertexTarget){
        .positions = (GtVec3*)floats,
        .normals = out->normals ? (GtVec3*)(floats + 3 * count) : NULL,
        .tangents = out->tangents ? floats + 6 * count : NULL,
    };
}

static void run_step(const GtiStack* stack, int32_t index, const GtDeformJob* job, GtiDeformStep* step)
{
    const GtiDeformer* deformer = stack->steps[index];
    void (*work)(const GtiDeformStep* step) = deformer->apply;
    GtiVertexTarget out = step->out;
    if (deformer == &gti_sections) {
        step->scratch = (char*)job->scratch + stack->section_scratch;
    } else if (deformer->output == GTI_SPACE_REST && step->sections && has_step(stack, &gti_sections)) {
        if (deformer->changes && !deformer->changes(step)) {
            return; // sections are faster on what was modelled
        }
        step->out = rest_target(stack, job, &out);
    } else if (is_mover(deformer)) {
        step->mover = deformer;
        step->mover_scratch = job->scratch;
        step->rest = step->in;
        step->mover_waits = deformer->begin && step->sections && has_step(stack, &gti_sections);
        work = step->mover_waits ? deformer->begin : deformer->apply;
    }
    work(step);
    step->in = (GtiVertexSource){ step->out.positions, step->out.normals, step->out.tangents };
    step->out = out;
}

void gt_deform(const GtDeformJob* job)
{
    GT_ASSERT(job->mesh >= 0 && job->mesh < job->character->def.mesh_count);
    const GtCharacter* character = job->character;
    const GtMeshDef* mesh = &character->def.meshes[job->mesh];
    const GtiStack* stack = &character->stacks[job->mesh];
    GT_ASSERT(job->scratch || stack->scratch_size == 0);
    GT_ASSERT((uintptr_t)job->scratch % 16 == 0);
    GT_ASSERT(job->model_from_point || !gti_follows_points(stack));
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
        .section_values = job->section_values,
        .first_values = character->first_values,
        .sections = character->mesh_sections && mesh->section_bind_count ? &character->mesh_sections[job->mesh] : NULL,
        .bones = mesh->skin == GT_NONE ? NULL : character->bones[mesh->skin],
        .model_from_point = job->model_from_point,
        .points = character->def.harmonic ? character->def.harmonic->points + stack->first_vertex : NULL,
        .in = { mesh->positions, normals ? mesh->normals : NULL, tangents ? mesh->tangents : NULL },
        .out = { job->out_positions, normals, tangents },
        .scratch = job->scratch,
    };
    for (int32_t i = 0; i < stack->count; ++i) {
        run_step(stack, i, job, &step);
    }
    GtiLooksTarget looks = { job->out_texcoords, job->out_texcoords1, job->out_colors };
    gti_morph_looks_apply(mesh, stack->looks, step.weights, &looks);
}

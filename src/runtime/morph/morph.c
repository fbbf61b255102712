// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Blend shapes: each target adds its displacements times its weight, to all attributes alike (glTF 2.0, section
// 3.7.2.2). Normals are left as long as they come out; what moves the mesh to model space gives them unit length.
// Texture coordinates and colours, which nothing else changes, are no part of the stack; they are made when asked for.

#include "gertie/instance.h"

#include "runtime/kernels.h"

#include <string.h>

void gti_morph_scalar(const GtiMorphJob* job, int32_t first, int32_t end)
{
    for (int32_t i = first; i < end; ++i) {
        float* out = &job->out[(size_t)job->vertices[i] * (size_t)job->stride];
        const float* displacement = &job->displacements[(size_t)i * (size_t)job->width];
        for (int32_t k = 0; k < job->width; ++k) {
            out[k] += job->weight * displacement[k];
        }
    }
}

static void add(const GtMorphDef* morph, float weight, const void* displacements, int32_t width, void* out,
                int32_t stride)
{
    if (displacements && out) {
        GtiMorphJob job = { morph->vertices, displacements, weight, width, stride, out };
        gti_kernels()->morph(&job, 0, morph->entry_count);
    }
}

static void copy(void* out, const void* in, size_t size)
{
    if (out && out != in && size) {
        memcpy(out, in, size);
    }
}

static void apply(const GtiDeformStep* step)
{
    const GtMeshDef* mesh = step->mesh;
    size_t count = (size_t)mesh->vertex_count;
    copy(step->out.positions, step->in.positions, count * sizeof(GtVec3));
    copy(step->out.normals, step->in.normals, count * sizeof(GtVec3));
    copy(step->out.tangents, step->in.tangents, count * 4 * sizeof(float));
    for (int32_t i = 0; i < mesh->morph_count; ++i) {
        float weight = step->weights[i];
        if (weight == 0.0f) {
            continue;
        }
        const GtMorphDef* morph = &mesh->morphs[i];
        add(morph, weight, morph->positions, 3, step->out.positions, 3);
        add(morph, weight, morph->normals, 3, step->out.normals, 3);
        add(morph, weight, morph->tangents, 3, step->out.tangents, 4);
    }
}

unsigned gti_morph_looks_of(const GtMeshDef* mesh)
{
    unsigned looks = 0;
    for (int32_t i = 0; i < mesh->morph_count; ++i) {
        const GtMorphDef* morph = &mesh->morphs[i];
        looks |= mesh->texcoords && morph->texcoords ? GT_LOOKS_TEXCOORDS : 0;
        looks |= mesh->texcoords1 && morph->texcoords1 ? GT_LOOKS_TEXCOORDS1 : 0;
        looks |= mesh->colors && morph->colors ? GT_LOOKS_COLORS : 0;
    }
    return looks;
}

static void start(float* out, const float* rest, size_t size)
{
    if (out && rest) {
        copy(out, rest, size * sizeof *out);
    } else if (out && size) {
        memset(out, 0, size * sizeof *out);
    }
}

void gti_morph_looks_apply(const GtMeshDef* mesh, unsigned looks, const float* weights, const GtiLooksTarget* target)
{
    size_t count = (size_t)mesh->vertex_count;
    start(target->texcoords, mesh->texcoords, 2 * count);
    start(target->texcoords1, mesh->texcoords1, 2 * count);
    start(target->colors, mesh->colors, 4 * count);
    float* texcoords = looks & GT_LOOKS_TEXCOORDS ? target->texcoords : NULL;
    float* texcoords1 = looks & GT_LOOKS_TEXCOORDS1 ? target->texcoords1 : NULL;
    float* colors = looks & GT_LOOKS_COLORS ? target->colors : NULL;
    for (int32_t i = 0; i < mesh->morph_count && (texcoords || texcoords1 || colors); ++i) {
        if (weights[i] != 0.0f) {
            const GtMorphDef* morph = &mesh->morphs[i];
            add(morph, weights[i], morph->texcoords, 2, texcoords, 2);
            add(morph, weights[i], morph->texcoords1, 2, texcoords1, 2);
            add(morph, weights[i], morph->colors, 4, colors, 4);
        }
    }
    for (size_t i = 0; colors && i < 4 * count; ++i) {
        colors[i] = colors[i] > 0.0f ? colors[i] < 1.0f ? colors[i] : 1.0f : 0.0f; // 0 for NaN
    }
}

static bool changes(const GtiDeformStep* step)
{
    bool morphed = false;
    for (int32_t i = 0; i < step->mesh->morph_count; ++i) {
        morphed |= step->weights[i] != 0.0f;
    }
    return morphed;
}

const GtiDeformer gti_morph = {
    .name = "morph",
    .kind = GT_DEFORMER_MORPH,
    .input = GTI_SPACE_REST,
    .output = GTI_SPACE_REST,
    .reads = GTI_READS_WEIGHTS,
    .unit_normals = false,
    .apply = apply,
    .changes = changes,
};

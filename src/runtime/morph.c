// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Blend shapes: each target adds its displacements times its weight, to positions, normals and tangents alike
// (glTF 2.0, section 3.7.2.2). Normals are left as long as they come out; what moves the mesh to model space gives them
// unit length.

#include "runtime/kernels.h"

#include <string.h>

void gti_morph_scalar(const GtiMorphJob* job, int32_t first, int32_t end)
{
    for (int32_t i = first; i < end; ++i) {
        float* out = &job->out[(size_t)job->vertices[i] * (size_t)job->stride];
        GtVec3 displacement = job->displacements[i];
        out[0] += job->weight * displacement.x;
        out[1] += job->weight * displacement.y;
        out[2] += job->weight * displacement.z;
    }
}

static void add(const GtMorphDef* morph, float weight, const GtVec3* displacements, float* out, int32_t stride)
{
    if (displacements && out) {
        GtiMorphJob job = { morph->vertices, displacements, weight, out, stride };
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
        add(morph, weight, morph->positions, (float*)step->out.positions, 3);
        add(morph, weight, morph->normals, (float*)step->out.normals, 3);
        add(morph, weight, morph->tangents, step->out.tangents, 4);
    }
}

const GtiDeformer gti_morph = {
    .name = "morph",
    .kind = GT_DEFORMER_MORPH,
    .input = GTI_SPACE_REST,
    .output = GTI_SPACE_REST,
    .reads = GTI_READS_WEIGHTS,
    .unit_normals = false,
    .apply = apply,
};

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What blend shapes cost beside a loop that only copies the bytes they touch: a face of 20,000 vertices with 52 sparse
// shapes of 2,000 vertices each, 12 of them active, positions and normals. The loop has the same indices and copies
// each displacement to its vertex, adding nothing. Once vertices of a shape follow each other in runs of 50, as where a
// mesh is ordered by triangles; once every one is alone.

#include "bench.h"

#include "runtime/deformer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERTICES = 20000,
    SHAPES = 52,
    ACTIVE = 12,
    ENTRIES = 2000
};

typedef struct Face {
    GtMeshDef mesh;
    GtMorphDef morphs[SHAPES];
    uint32_t vertices[SHAPES][ENTRIES];
    GtVec3 positions[SHAPES][ENTRIES];
    GtVec3 normals[SHAPES][ENTRIES];
    GtVec3 rest_positions[VERTICES];
    GtVec3 rest_normals[VERTICES];
    GtVec3 out_positions[VERTICES];
    GtVec3 out_normals[VERTICES];
    float weights[SHAPES];
} Face;

static Face faces[2];

static void blend(void* user)
{
    Face* face = user;
    GtiDeformStep step = { .mesh = &face->mesh,
                           .weights = face->weights,
                           .in = { face->rest_positions, face->rest_normals, NULL },
                           .out = { face->out_positions, face->out_normals, NULL } };
    gti_morph.apply(&step);
}

static void copy_touched(void* user)
{
    Face* face = user;
    memcpy(face->out_positions, face->rest_positions, sizeof face->out_positions);
    memcpy(face->out_normals, face->rest_normals, sizeof face->out_normals);
    for (int s = 0; s < SHAPES; ++s) {
        if (face->weights[s] == 0.0f) {
            continue;
        }
        const GtMorphDef* morph = &face->morphs[s];
        for (int32_t i = 0; i < morph->entry_count; ++i) {
            face->out_positions[morph->vertices[i]] = morph->positions[i];
        }
        for (int32_t i = 0; i < morph->entry_count; ++i) {
            face->out_normals[morph->vertices[i]] = morph->normals[i];
        }
    }
}

// run: how many vertices follow each other
static void fill(Face* face, int run)
{
    for (int v = 0; v < VERTICES; ++v) {
        face->rest_positions[v] = gt_vec3((float)v, 1.0f, 2.0f);
        face->rest_normals[v] = gt_vec3(0.0f, 1.0f, 0.0f);
    }
    for (int s = 0; s < SHAPES; ++s) {
        int gap = (VERTICES - SHAPES) / (ENTRIES / run); // from run to run
        for (int i = 0; i < ENTRIES; ++i) {
            face->vertices[s][i] = (uint32_t)(i / run * gap + i % run + s);
        }
        for (int i = 0; i < ENTRIES; ++i) {
            face->positions[s][i] = gt_vec3(0.001f * (float)i, 0.002f, 0.003f);
            face->normals[s][i] = gt_vec3(0.01f, 0.02f, 0.001f * (float)i);
        }
        face->morphs[s] = gt_default_morph_def();
        face->morphs[s].entry_count = ENTRIES;
        face->morphs[s].vertices = face->vertices[s];
        face->morphs[s].positions = face->positions[s];
        face->morphs[s].normals = face->normals[s];
        face->weights[s] = s % 4 == 1 && s < 4 * ACTIVE ? 0.1f + 0.01f * (float)s : 0.0f;
    }
    face->mesh = (GtMeshDef){ .vertex_count = VERTICES, .morph_count = SHAPES, .morphs = face->morphs };
}

int main(void)
{
    static const int runs[2] = { 50, 1 };
    for (int f = 0; f < 2; ++f) {
        char title[128];
        fill(&faces[f], runs[f]);
        snprintf(title, sizeof title, "%d of %d shapes of %d vertices in runs of %d, on %d vertices with normals",
                 ACTIVE, SHAPES, ENTRIES, runs[f], VERTICES);
        const BenchCase cases[] = { { "copy the bytes they touch", copy_touched, &faces[f] },
                                    { "blend", blend, &faces[f] } };
        bench_compare(title, cases, 2);
    }
    return 0;
}

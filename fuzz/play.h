// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Playing whatever came out of hostile bytes: every mesh is deformed, every clip sampled at all kinds of times.

#ifndef GERTIE_FUZZ_PLAY_H
#define GERTIE_FUZZ_PLAY_H

#include "gertie/instance.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_VERTICES = 1 << 18, // deformed for one input: one mesh may be shown by thousands of nodes
    MOST_CLIPS = 8
};

static inline void deform(GtInstance* instance)
{
    const GtCharacterDef* def = gt_character_def(instance->character);
    int64_t left = MOST_VERTICES;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        size_t count = (size_t)def->meshes[i].vertex_count;
        left -= (int64_t)count + def->meshes[i].index_count + 100;
        if (left < 0) {
            return;
        }
        GtVec3* positions = malloc((count + 1) * sizeof *positions);
        GtVec3* normals = malloc((count + 1) * sizeof *normals);
        float* tangents = malloc((count + 1) * 4 * sizeof *tangents);
        float* looks = malloc((count + 1) * 8 * sizeof *looks);
        if (positions && normals && tangents && looks) {
            gt_instance_deform(instance, i, positions, normals, tangents);
            gt_instance_deform_looks(instance, i, looks, looks + 2 * count, looks + 4 * count);
            for (int32_t k = 0; k < def->meshes[i].index_count; ++k) {
                positions[def->meshes[i].indices[k]].x += 1.0f; // corners exist
            }
        }
        free(positions);
        free(normals);
        free(tangents);
        free(looks);
    }
}

static inline void play_clip(const GtClip* clip, GtInstance* instance)
{
    double start_s = gt_clip_start_s(clip);
    double end_s = gt_clip_end_s(clip);
    const double times_s[] = { start_s, 0.3 * start_s + 0.7 * end_s, end_s, end_s + 1.0, (double)NAN };
    for (size_t k = 0; k < sizeof times_s / sizeof *times_s; ++k) {
        gt_clip_sample(clip, times_s[k], instance->pose, instance->weights);
    }
    gt_instance_update(instance);
    deform(instance);
}

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/picture/shape.h"

#include <math.h>
#include <string.h>

bool gti_shape_create(GtArena* arena, size_t vertex_count, size_t index_count, GtiPaintedShape* out)
{
    *out = (GtiPaintedShape){
        .vertex_count = (int32_t)vertex_count,
        .index_count = (int32_t)index_count,
        .positions = gt_arena_push_array(arena, vertex_count, sizeof *out->positions),
        .normals = gt_arena_push_array(arena, vertex_count, sizeof *out->normals),
        .colors = gt_arena_push_array(arena, vertex_count, 4),
        .indices = gt_arena_push_array(arena, index_count, sizeof *out->indices),
    };
    return vertex_count <= INT32_MAX / 4 && index_count <= INT32_MAX && out->positions && out->normals && out->colors &&
           out->indices;
}

uint32_t* gti_shape_add_rings(uint32_t* indices, uint32_t first, int rings, int sides)
{
    uint32_t count = (uint32_t)sides;
    for (int r = 0; r + 1 < rings; ++r) {
        for (uint32_t s = 0; s < count; ++s) {
            uint32_t a = first + (uint32_t)r * count + s;
            uint32_t b = first + (uint32_t)r * count + (s + 1) % count;
            const uint32_t corners[6] = { a, b, b + count, a, b + count, a + count };
            memcpy(indices, corners, sizeof corners);
            indices += 6;
        }
    }
    return indices;
}

GtiFrame gti_frame(GtVec3 origin, GtVec3 along)
{
    GtVec3 axis = gt_vec3_normalize_or(along, gt_vec3(0.0f, 1.0f, 0.0f));
    GtVec3 helper = fabsf(axis.x) < 0.7f ? gt_vec3(1.0f, 0.0f, 0.0f) : gt_vec3(0.0f, 1.0f, 0.0f);
    GtVec3 u = gt_vec3_normalize_or(gt_vec3_cross(helper, axis), gt_vec3(0.0f, 0.0f, 1.0f));
    return (GtiFrame){ origin, u, gt_vec3_cross(axis, u), axis };
}

void gti_shape_put_ring(const GtiFrame* f, float along, float radius, float lean, int sides, GtVec3* positions,
                        GtVec3* normals)
{
    float upright = sqrtf(fmaxf(0.0f, 1.0f - lean * lean));
    GtVec3 center = gt_vec3_add(f->origin, gt_vec3_scale(f->axis, along));
    for (int s = 0; s < sides; ++s) {
        float angle = 6.28318531f * (float)s / (float)sides;
        GtVec3 out = gt_vec3_add(gt_vec3_scale(f->u, cosf(angle)), gt_vec3_scale(f->v, sinf(angle)));
        positions[s] = gt_vec3_add(center, gt_vec3_scale(out, radius));
        normals[s] = gt_vec3_add(gt_vec3_scale(out, upright), gt_vec3_scale(f->axis, lean));
    }
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/overlay/trail.h"

#include "gertie/picture.h"

#include <math.h>
#include <string.h>

enum {
    SIDES = 6,
    SAMPLES_A_SECOND = 60,
    MOST_SAMPLES = 6000,
    KNOT_EVERY = 6, // samples
    INDICES_A_STEP = SIDES * 6,
};

static int32_t count_samples(double from_s, double to_s)
{
    double wanted = ceil((to_s - from_s) * SAMPLES_A_SECOND) + 1.0;
    return wanted < 2.0 ? 2 : wanted < MOST_SAMPLES ? (int32_t)wanted : MOST_SAMPLES;
}

static float linear(uint8_t channel)
{
    return powf((float)channel / 255.0f, 2.2f);
}

// A knot is a ring twice as wide, so that the time is seen: far apart is fast.
static void put_tube(const GtVec3* path, int32_t count, float radius_m, GtVec3* positions, GtVec3* normals)
{
    for (int32_t i = 0; i < count; ++i) {
        const GtVec3* before = &path[i > 0 ? i - 1 : i];
        const GtVec3* after = &path[i + 1 < count ? i + 1 : i];
        GtiFrame frame = gti_frame(path[i], gt_vec3_sub(*after, *before));
        float radius = i % KNOT_EVERY ? radius_m : 2.2f * radius_m;
        gti_shape_put_ring(&frame, 0.0f, radius, 0.0f, SIDES, positions + (size_t)i * SIDES,
                           normals + (size_t)i * SIDES);
    }
}

bool gti_trails_create(GtArena* arena, GtiPerformer* performer, const int32_t* nodes, int32_t count, double from_s,
                       double to_s, float radius_m, GtiTrails* out)
{
    int32_t samples = count_samples(from_s, to_s);
    *out = (GtiTrails){ .count = count, .sample_count = samples, .from_s = from_s, .to_s = to_s };
    size_t vertices = (size_t)samples * SIDES;
    GtVec3* paths = gt_arena_push_array(arena, (size_t)count * (size_t)samples, sizeof *paths);
    if (!paths || !gti_shape_create(arena, (size_t)count * vertices,
                                    (size_t)count * (size_t)(samples - 1) * INDICES_A_STEP, &out->shape)) {
        return false;
    }
    for (int32_t i = 0; i < samples; ++i) {
        gti_performer_pose_joints(performer, from_s + (to_s - from_s) * i / (samples - 1));
        for (int32_t k = 0; k < count; ++k) {
            paths[(size_t)k * (size_t)samples + (size_t)i] =
                gt_mat34_translation(&performer->figure.instance->model_from_node[nodes[k]]);
        }
    }
    uint32_t* next = out->shape.indices;
    for (int32_t k = 0; k < count; ++k) {
        size_t first = (size_t)k * vertices;
        GtColor color = gt_color_of_series(k);
        const uint8_t bytes[4] = { (uint8_t)(255.0f * linear(color.r)), (uint8_t)(255.0f * linear(color.g)),
                                   (uint8_t)(255.0f * linear(color.b)), 255 };
        put_tube(paths + (size_t)k * (size_t)samples, samples, radius_m, out->shape.positions + first,
                 out->shape.normals + first);
        next = gti_shape_add_rings(next, (uint32_t)first, samples, SIDES);
        for (size_t i = 0; i < vertices; ++i) {
            memcpy(out->shape.colors + 4 * (first + i), bytes, 4);
        }
    }
    return true;
}

void gti_trail_part(const GtiTrails* trails, int32_t trail, double time_s, bool after, int32_t* first, int32_t* count)
{
    int32_t steps = trails->sample_count - 1;
    double length = trails->to_s - trails->from_s;
    double at = length > 0.0 ? (time_s - trails->from_s) / length * steps : steps;
    int32_t passed = at <= 0.0 ? 0 : at >= steps ? steps : (int32_t)(at + 0.5);
    int32_t start = trail * steps * INDICES_A_STEP;
    *first = start + (after ? passed * INDICES_A_STEP : 0);
    *count = (after ? steps - passed : passed) * INDICES_A_STEP;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/overlay/marker.h"

#include "base/scalar.h"

#include <math.h>
#include <string.h>

enum {
    AXIS_SIDES = 6,
    AXIS_RINGS = 4, // foot, neck of the shaft, rim of the tip, tip
    BALL_SIDES = 16,
    BALL_RINGS = 9,
    AXES_VERTICES = 3 * AXIS_SIDES * AXIS_RINGS,
    AXES_INDICES = 3 * AXIS_SIDES * 6 * (AXIS_RINGS - 1),
    LIGHT_VERTICES = BALL_SIDES * BALL_RINGS,
    LIGHT_INDICES = BALL_SIDES * 6 * (BALL_RINGS - 1),
};

// Along an axis and away from it, in lengths of the axis.
static const float arrow[AXIS_RINGS][2] = { { 0.0f, 0.035f }, { 0.72f, 0.035f }, { 0.72f, 0.09f }, { 1.0f, 0.0f } };

static void paint(uint8_t* colors, int count, const uint8_t color[4])
{
    for (int i = 0; i < count; ++i) {
        memcpy(colors + 4 * (size_t)i, color, 4);
    }
}

bool gti_markers_create(GtArena* arena, GtiMarkerKind kind, const int32_t* nodes, const float* sizes_m, int32_t count,
                        GtiMarkers* out)
{
    static const uint8_t axis_colors[3][4] = { { 224, 60, 49, 255 }, { 60, 170, 60, 255 }, { 48, 100, 224, 255 } };
    static const uint8_t white[4] = { 255, 255, 255, 255 };
    bool is_axes = kind == GTI_MARKER_AXES;
    size_t vertices = is_axes ? AXES_VERTICES : LIGHT_VERTICES;
    size_t indices = is_axes ? AXES_INDICES : LIGHT_INDICES;
    *out = (GtiMarkers){ .kind = kind, .count = count, .nodes = nodes, .sizes_m = sizes_m };
    if (!gti_shape_create(arena, (size_t)count * vertices, (size_t)count * indices, &out->shape)) {
        return false;
    }
    uint32_t* next = out->shape.indices;
    for (int32_t i = 0; i < count; ++i) {
        uint32_t first = (uint32_t)i * (uint32_t)vertices;
        for (uint32_t axis = 0; is_axes && axis < 3; ++axis, first += AXIS_SIDES * AXIS_RINGS) {
            next = gti_shape_add_rings(next, first, AXIS_RINGS, AXIS_SIDES);
            paint(out->shape.colors + 4 * (size_t)first, AXIS_SIDES * AXIS_RINGS, axis_colors[axis]);
        }
        if (!is_axes) {
            next = gti_shape_add_rings(next, first, BALL_RINGS, BALL_SIDES);
            paint(out->shape.colors + 4 * (size_t)first, LIGHT_VERTICES, white);
        }
    }
    return true;
}

static void pose_axes(const GtMat34* model_from_node, float size_m, GtVec3* positions, GtVec3* normals)
{
    GtVec3 origin = gt_mat34_translation(model_from_node);
    for (int axis = 0; axis < 3; ++axis) {
        GtVec3 along = gt_vec3(model_from_node->m[0][axis], model_from_node->m[1][axis], model_from_node->m[2][axis]);
        GtiFrame frame = gti_frame(origin, along);
        for (int r = 0; r < AXIS_RINGS; ++r) {
            gti_shape_put_ring(&frame, arrow[r][0] * size_m, arrow[r][1] * size_m, 0.0f, AXIS_SIDES, positions,
                               normals);
            positions += AXIS_SIDES;
            normals += AXIS_SIDES;
        }
    }
}

static void pose_light(const GtMat34* model_from_node, float size_m, GtVec3* positions, GtVec3* normals)
{
    GtiFrame frame = gti_frame(gt_mat34_translation(model_from_node), gt_vec3(0.0f, 1.0f, 0.0f));
    for (int r = 0; r < BALL_RINGS; ++r) {
        float angle = (float)GTI_PI * ((float)r / (BALL_RINGS - 1) - 0.5f);
        gti_shape_put_ring(&frame, size_m * sinf(angle), size_m * cosf(angle), sinf(angle), BALL_SIDES,
                           positions + (size_t)r * BALL_SIDES, normals + (size_t)r * BALL_SIDES);
    }
}

void gti_markers_pose(GtiMarkers* m, const GtMat34* model_from_node)
{
    bool is_axes = m->kind == GTI_MARKER_AXES;
    size_t vertices = is_axes ? AXES_VERTICES : LIGHT_VERTICES;
    for (int32_t i = 0; i < m->count; ++i) {
        size_t first = (size_t)i * vertices;
        (is_axes ? pose_axes : pose_light)(&model_from_node[m->nodes[i]], m->sizes_m[i], m->shape.positions + first,
                                           m->shape.normals + first);
    }
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/overlay/footmark.h"

#include "motion/contact/tread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDES = 28,
    VERTICES_A_MARK = SIDES + 1,
    INDICES_A_MARK = SIDES * 3,
    SAMPLES = 5, // of a contact
};

static const double SAME_S = 1e-5;
static const double LEFT_S = 5.0; // that marks are seen after they were left

// In lengths of the foot from heel to ball: across, along, and how far ahead of the point that stands for the part.
static const float heel_size[3] = { 0.38f, 0.42f, -0.06f };
static const float ball_size[3] = { 0.42f, 0.54f, 0.14f };
static const float lift = 0.005f; // over the ground

static int compare_spans(const void* a, const void* b)
{
    const GtContact* x = a;
    const GtContact* y = b;
    if (x->part / 2 != y->part / 2) {
        return x->part / 2 - y->part / 2;
    }
    return x->end_s != y->end_s ? (x->end_s > y->end_s) - (x->end_s < y->end_s) : x->part - y->part;
}

// An ellipse on the ground.
static void put_mark(GtVec3 center, GtVec3 ahead, float across_m, float along_m, GtVec3* positions, GtVec3* normals)
{
    const GtVec3 up = gt_vec3(0.0f, 1.0f, 0.0f);
    GtVec3 aside = gt_vec3_cross(up, ahead);
    positions[SIDES] = center;
    normals[SIDES] = up;
    for (int i = 0; i < SIDES; ++i) {
        float angle = 6.28318531f * (float)i / SIDES;
        GtVec3 rim =
            gt_vec3_add(gt_vec3_scale(ahead, along_m * cosf(angle)), gt_vec3_scale(aside, across_m * sinf(angle)));
        positions[i] = gt_vec3_add(center, rim);
        normals[i] = up;
    }
}

static void stand(GtFigure* figure, GtiTread* sole, const GtContact* span, float foot_m, GtVec3* positions,
                  GtVec3* normals)
{
    bool is_heel = span->part % 2 == 0;
    const float* size = is_heel ? heel_size : ball_size;
    int32_t heel = span->part & ~1;
    GtVec3 center = gt_vec3(0.0f, 0.0f, 0.0f);
    GtVec3 ahead = center;
    float low = INFINITY;
    for (int k = 0; k < SAMPLES; ++k) {
        gt_figure_pose(figure, span->start_s + (span->end_s - span->start_s) * k / (SAMPLES - 1), figure->instance);
        gti_tread_update(sole, sole->points);
        center = gt_vec3_add(center, gt_vec3_scale(sole->points[sole->marks[span->part]], 1.0f / SAMPLES));
        ahead = gt_vec3_add(ahead, gt_vec3_sub(sole->points[sole->marks[heel + 1]], sole->points[sole->marks[heel]]));
        for (int32_t i = 0; i < sole->point_count; ++i) {
            low = sole->parts[i] == span->part ? fminf(low, sole->points[i].y) : low;
        }
    }
    ahead.y = 0.0f;
    ahead = gt_vec3_normalize_or(ahead, gt_vec3(0.0f, 0.0f, 1.0f));
    center = gt_vec3_add(center, gt_vec3_scale(ahead, size[2] * foot_m));
    center.y = low + lift * foot_m;
    put_mark(center, ahead, size[0] * foot_m, size[1] * foot_m, positions, normals);
}

static float foot_length(const GtFigure* figure, const GtiTread* sole)
{
    gti_tread_points(sole, figure->reference, figure->instance->weights, sole->scratch, sole->points);
    GtVec3 foot = gt_vec3_sub(sole->points[sole->marks[GTI_LEFT_BALL]], sole->points[sole->marks[GTI_LEFT_HEEL]]);
    return hypotf(foot.x, foot.z);
}

static bool lay_out(GtArena* arena, const GtContacts* contacts, GtiFootmarks* out)
{
    size_t count = (size_t)contacts->count;
    out->spans = gt_arena_push_array(arena, count, sizeof *out->spans);
    if (!out->spans || !gti_shape_create(arena, count * VERTICES_A_MARK, count * INDICES_A_MARK, &out->shape)) {
        return false;
    }
    out->count = contacts->count;
    memcpy(out->spans, contacts->spans, count * sizeof *out->spans);
    qsort(out->spans, count, sizeof *out->spans, compare_spans);
    memset(out->shape.colors, 255, count * VERTICES_A_MARK * 4);
    uint32_t* next = out->shape.indices;
    for (uint32_t m = 0; m < count; ++m) {
        out->left_count += out->spans[m].part / 2 == 0;
        for (uint32_t i = 0; i < SIDES; ++i) {
            *next++ = m * VERTICES_A_MARK + SIDES;
            *next++ = m * VERTICES_A_MARK + i;
            *next++ = m * VERTICES_A_MARK + (i + 1) % SIDES;
        }
    }
    return true;
}

static GtResult put_marks(const GtContext* context, GtArena* arena, GtArena* scratch, GtFigure* figure, GtiTread* sole,
                          const GtContacts* contacts, GtiFootmarks* out, GtError* error)
{
    GtResult result = gti_tread_open(context, scratch, figure, sole, error);
    if (result == GT_OK) {
        result = gti_tread_thin(context, scratch, sole, error);
    }
    if (result != GT_OK) {
        return result;
    }
    if (!lay_out(arena, contacts, out)) {
        return gti_out_of_memory(error);
    }
    float foot_m = foot_length(figure, sole);
    for (size_t m = 0; m < (size_t)out->count; ++m) {
        stand(figure, sole, &out->spans[m], foot_m, out->shape.positions + m * VERTICES_A_MARK,
              out->shape.normals + m * VERTICES_A_MARK);
    }
    return GT_OK;
}

static int32_t hand_of(const GtFigure* figure, int side)
{
    int32_t palm = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_MIDDLE_PROXIMAL, side)];
    int32_t node = palm == GT_NONE ? figure->joints[gti_joint_on(GT_HUMANOID_LEFT_HAND, side)] : palm;
    return node == GT_NONE ? GT_NONE : figure->def->source_nodes[node];
}

GtResult gti_footmarks_create(const GtContext* context, GtArena* arena, const GtScene* scene, int32_t animation,
                              const GtContacts* contacts, GtiFootmarks* out, GtError* error)
{
    *out = (GtiFootmarks){ .hands = { GT_NONE, GT_NONE } };
    GtFigure figure;
    GtFigureDef def = gti_figure_playing(animation, NULL);
    GtiTread sole = { 0 };
    GtArena scratch = gt_arena_create(context->allocator);
    GtResult result = gt_figure_open(context, scene, &def, &figure, error);
    for (int side = 0; result == GT_OK && figure.is_humanoid && side < GTI_SIDE_COUNT; ++side) {
        out->hands[side] = hand_of(&figure, side);
    }
    if (result == GT_OK && figure.is_humanoid && figure.clip && contacts->count > 0) {
        result = put_marks(context, arena, &scratch, &figure, &sole, contacts, out, error);
    }
    gti_tread_close(&sole);
    gt_figure_close(&figure);
    gt_arena_destroy(&scratch);
    return result;
}

GtiMarkRange gti_footmarks_left(const GtiFootmarks* marks, int side, double time_s)
{
    int32_t first = side == 0 ? 0 : marks->left_count;
    int32_t last = side == 0 ? marks->left_count : marks->count;
    while (first < last && marks->spans[first].end_s < time_s - LEFT_S) {
        ++first;
    }
    int32_t end = first;
    while (end < last && marks->spans[end].end_s < time_s - SAME_S) {
        ++end;
    }
    return (GtiMarkRange){ first * INDICES_A_MARK, (end - first) * INDICES_A_MARK };
}

GtiMarkRange gti_footmarks_now(const GtiFootmarks* marks, int32_t part, double time_s)
{
    for (int32_t m = 0; m < marks->count; ++m) {
        const GtContact* span = &marks->spans[m];
        if (span->part == part && span->start_s <= time_s + SAME_S && time_s - SAME_S <= span->end_s) {
            return (GtiMarkRange){ m * INDICES_A_MARK, INDICES_A_MARK };
        }
    }
    return (GtiMarkRange){ 0, 0 };
}

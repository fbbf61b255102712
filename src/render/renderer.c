// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The public renderer: actors on a stage, posed and handed to the canvas.

#include "gertie/render.h"

#include "base/fail.h"
#include "render/actor.h"

#include <math.h>
#include <string.h>

enum {
    MAX_ACTORS = 64
};

struct GtRenderer {
    GtAllocator allocator;
    GtRendererDef def;
    GtiCanvas* canvas;
    GtiActor actors[MAX_ACTORS];
    int32_t actor_count;
    GtiSurface* surfaces; // [surface_capacity] of all actors
    int32_t surface_capacity;
};

GtRendererDef gt_default_renderer_def(void)
{
    return (GtRendererDef){
        .width = 1280,
        .height = 720,
        .quality = GT_RENDER_FINE,
        .background = { .top = { 0.80f, 0.83f, 0.87f, 1.0f }, .bottom = { 0.93f, 0.93f, 0.94f, 1.0f }, .ground = true },
    };
}

GtResult gt_renderer_create(const GtContext* context, const GtRendererDef* def, GtRenderer** out, GtError* error)
{
    *out = NULL;
    GtAllocator allocator = context->allocator;
    GtRenderer* renderer = allocator.allocate(allocator.user, sizeof *renderer);
    if (!renderer) {
        return gti_out_of_memory(error);
    }
    memset(renderer, 0, sizeof *renderer);
    renderer->allocator = allocator;
    renderer->def = *def;
    GtResult result = gti_canvas_create(context, def, &renderer->canvas, error);
    if (result != GT_OK) {
        allocator.release(allocator.user, renderer);
        return result;
    }
    *out = renderer;
    return GT_OK;
}

void gt_renderer_destroy(GtRenderer* renderer)
{
    if (!renderer) {
        return;
    }
    GtAllocator allocator = renderer->allocator;
    for (int32_t i = 0; i < renderer->actor_count; ++i) {
        gti_actor_destroy(allocator, gti_canvas_gl(renderer->canvas), &renderer->actors[i]);
    }
    gti_canvas_destroy(renderer->canvas);
    allocator.release(allocator.user, renderer->surfaces);
    allocator.release(allocator.user, renderer);
}

const char* gt_renderer_name(const GtRenderer* renderer)
{
    return gti_canvas_gl(renderer->canvas)->renderer;
}

static int32_t count_surfaces(const GtRenderer* renderer)
{
    int32_t count = 0;
    for (int32_t i = 0; i < renderer->actor_count; ++i) {
        count += renderer->actors[i].surface_count;
    }
    return count;
}

GtResult gt_renderer_add(GtRenderer* renderer, const GtContext* context, const GtActorDef* def, int32_t* index,
                         GtError* error)
{
    if (renderer->actor_count == MAX_ACTORS) {
        return gti_fail(error, GT_ERROR_LIMIT, "a stage holds at most %d figures", (int)MAX_ACTORS);
    }
    GtiActor* actor = &renderer->actors[renderer->actor_count];
    GtResult result = gti_actor_create(context, gti_canvas_gl(renderer->canvas), def, actor, error);
    if (result != GT_OK) {
        return result;
    }
    ++renderer->actor_count;
    GtAllocator allocator = renderer->allocator;
    int32_t needed = count_surfaces(renderer);
    GtiSurface* surfaces = allocator.allocate(allocator.user, (size_t)(needed + 1) * sizeof *surfaces);
    if (!surfaces) {
        return gti_out_of_memory(error);
    }
    allocator.release(allocator.user, renderer->surfaces);
    renderer->surfaces = surfaces;
    renderer->surface_capacity = needed;
    if (index) {
        *index = renderer->actor_count - 1;
    }
    return GT_OK;
}

void gt_renderer_times(const GtRenderer* renderer, double* start_s, double* end_s)
{
    bool any = false;
    *start_s = 0.0;
    *end_s = 0.0;
    for (int32_t i = 0; i < renderer->actor_count; ++i) {
        const GtClip* clip = renderer->actors[i].clip;
        if (clip) {
            *start_s = any ? fmin(*start_s, gt_clip_start_s(clip)) : gt_clip_start_s(clip);
            *end_s = any ? fmax(*end_s, gt_clip_end_s(clip)) : gt_clip_end_s(clip);
            any = true;
        }
    }
}

static GtBounds empty_bounds(void)
{
    return (GtBounds){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
}

static void pose_all(GtRenderer* renderer, double time_s, GtBounds* bounds)
{
    for (int32_t i = 0; i < renderer->actor_count; ++i) {
        gti_actor_pose(&renderer->actors[i], time_s);
        gti_actor_bounds(&renderer->actors[i], bounds);
    }
}

GtBounds gt_renderer_bounds(GtRenderer* renderer, double from_s, double to_s, int32_t count)
{
    GtBounds bounds = empty_bounds();
    for (int32_t k = 0; k < count; ++k) {
        pose_all(renderer, count > 1 ? from_s + (to_s - from_s) * k / (count - 1) : from_s, &bounds);
    }
    return bounds;
}

// Eight corners of the box, seen along the camera's axes, tell how far away it must stand.
GtCameraView gt_camera_frame(GtBounds bounds, GtCameraPlace place, float aspect, float turn_rad)
{
    static const GtVec3 from[GT_CAMERA_PLACE_COUNT] = {
        [GT_CAMERA_THREE_QUARTER] = { 0.62f, 0.30f, 1.0f },
        [GT_CAMERA_FRONT] = { 0.0f, 0.06f, 1.0f },
        [GT_CAMERA_SIDE] = { 1.0f, 0.06f, 0.0f },
        [GT_CAMERA_TOP] = { 0.0f, 1.0f, 0.0f },
    };
    const float fov_y_rad = 0.48f; // a long lens: limbs keep their proportions
    bool empty = !(bounds.low.x <= bounds.high.x);
    GtVec3 low = empty ? gt_vec3(-1.0f, 0.0f, -1.0f) : bounds.low;
    GtVec3 high = empty ? gt_vec3(1.0f, 2.0f, 1.0f) : bounds.high;
    GtVec3 center = gt_vec3_scale(gt_vec3_add(low, high), 0.5f);
    GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), turn_rad);
    GtVec3 back = gt_quat_rotate(turn, gt_vec3_normalize_or(from[place], gt_vec3(0.0f, 0.0f, 1.0f)));
    GtVec3 up = place == GT_CAMERA_TOP ? gt_quat_rotate(turn, gt_vec3(0.0f, 0.0f, -1.0f)) : gt_vec3(0.0f, 1.0f, 0.0f);
    GtVec3 right = gt_vec3_normalize_or(gt_vec3_cross(up, back), gt_vec3(1.0f, 0.0f, 0.0f));
    GtVec3 above = gt_vec3_cross(back, right);
    float half_y = tanf(0.5f * fov_y_rad) * 0.88f; // leave a rim
    float half_x = half_y * aspect;
    float distance = 0.0f;
    float size = gt_vec3_length(gt_vec3_sub(high, low));
    for (int i = 0; i < 8; ++i) {
        GtVec3 corner = gt_vec3(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
        GtVec3 d = gt_vec3_sub(corner, center);
        float nearer = gt_vec3_dot(d, back);
        distance = fmaxf(distance, nearer + fabsf(gt_vec3_dot(d, right)) / half_x);
        distance = fmaxf(distance, nearer + fabsf(gt_vec3_dot(d, above)) / half_y);
    }
    if (!(size > 0.0f)) { // a single point
        size = 1.0f;
        distance = 4.0f;
    }
    return (GtCameraView){
        .eye = gt_vec3_add(center, gt_vec3_scale(back, distance)),
        .target = center,
        .up = up,
        .fov_y_rad = fov_y_rad,
        .z_near = fmaxf(distance - 1.5f * size, 0.02f * distance),
        .z_far = distance + 12.0f * size,
    };
}

// A tenth of a metre for figures of a few metres; powers of ten for what is much larger or smaller.
static float grid_step(const GtBounds* bounds)
{
    float size = gt_vec3_length(gt_vec3_sub(bounds->high, bounds->low));
    return size > 0.0f && isfinite(size) ? powf(10.0f, floorf(log10f(size / 2.0f)) - (size < 2.0f ? 0.0f : 1.0f))
                                         : 0.1f;
}

GtResult gt_renderer_draw(GtRenderer* renderer, const GtCameraView* camera, double time_s, GtError* error)
{
    (void)error;
    GtBounds bounds = empty_bounds();
    pose_all(renderer, time_s, &bounds);
    int32_t count = 0;
    for (int32_t i = 0; i < renderer->actor_count; ++i) {
        GtiActor* actor = &renderer->actors[i];
        gti_actor_upload(actor, gti_canvas_gl(renderer->canvas));
        memcpy(renderer->surfaces + count, actor->surfaces, (size_t)actor->surface_count * sizeof(GtiSurface));
        count += actor->surface_count;
    }
    if (!(bounds.low.x <= bounds.high.x)) {
        bounds = (GtBounds){ { -1.0f, 0.0f, -1.0f }, { 1.0f, 2.0f, 1.0f } };
    }
    GtiPicture picture = {
        .camera = *camera,
        .surfaces = renderer->surfaces,
        .surface_count = count,
        .low = bounds.low,
        .high = bounds.high,
        .ground = renderer->def.background.ground,
        .grid_step = grid_step(&bounds),
    };
    memcpy(picture.top, renderer->def.background.top, sizeof picture.top);
    memcpy(picture.bottom, renderer->def.background.bottom, sizeof picture.bottom);
    gti_canvas_draw(renderer->canvas, &picture);
    return GT_OK;
}

GtResult gt_renderer_read(GtRenderer* renderer, uint8_t* rgba, GtError* error)
{
    return gti_canvas_read(renderer->canvas, rgba, error);
}

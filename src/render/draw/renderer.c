// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The public renderer: actors on a stage, posed and handed to the canvas.

#include "gertie/render.h"

#include "base/bounds.h"
#include "base/fail.h"
#include "render/draw/actor.h"
#include "render/film/ahead.h"

#include <math.h>
#include <string.h>

enum {
    MAX_ACTORS = 256
};

struct GtRenderer {
    GtAllocator allocator;
    GtRendererDef def;
    GtiCanvas* canvas;
    GtiActor actors[MAX_ACTORS];
    int32_t actor_count;
    GtiSurface* surfaces; // [surface_capacity] of all actors
    int32_t surface_capacity;
    GtBounds stage; // of all pictures
    bool has_stage;
    // The picture that is ready to be drawn, and the one that is being made ready.
    GtCameraView camera;
    double time_s;
    GtBounds bounds; // of what casts shadows in it
    GtiExtent drawn; // of everything, in the picture
    float paint_low, paint_high;
    GtiShadow shadow;
    GtiAhead ahead;
    bool is_begun; // ahead
    bool is_expected;
    GtCameraView expected_camera;
    double expected_s;
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
    def = def ? def : (GtRendererDef[]){ gt_default_renderer_def() };
    *out = NULL;
    GtAllocator allocator = context->allocator;
    GtRenderer* renderer = allocator.allocate(allocator.user, sizeof *renderer);
    if (!renderer) {
        return gti_out_of_memory(error);
    }
    memset(renderer, 0, sizeof *renderer);
    renderer->allocator = allocator;
    renderer->def = *def;
    renderer->paint_high = 1.0f;
    gti_ahead_init(&renderer->ahead);
    GtResult result = gti_canvas_create(context, def, &renderer->canvas, error);
    if (result != GT_OK) {
        gti_ahead_destroy(&renderer->ahead);
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
    gt_renderer_clear(renderer);
    gti_ahead_destroy(&renderer->ahead);
    gti_canvas_destroy(renderer->canvas);
    allocator.release(allocator.user, renderer->surfaces);
    allocator.release(allocator.user, renderer);
}

const char* gt_renderer_name(const GtRenderer* renderer)
{
    return gti_canvas_gl(renderer->canvas)->renderer;
}

// Let what is being made ready be, before something else is done with the actors.
static void stop_ahead(GtRenderer* renderer)
{
    gti_ahead_wait(&renderer->ahead);
    renderer->is_begun = false;
}

void gt_renderer_clear(GtRenderer* renderer)
{
    stop_ahead(renderer);
    gti_gl_make_current(gti_canvas_gl(renderer->canvas), NULL);
    for (int32_t i = 0; i < renderer->actor_count; ++i) {
        gti_actor_destroy(gti_canvas_gl(renderer->canvas), &renderer->actors[i]);
    }
    renderer->actor_count = 0;
    renderer->is_expected = false;
    renderer->has_stage = false;
    renderer->paint_low = 0.0f;
    renderer->paint_high = 1.0f;
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
    def = def ? def : (GtActorDef[]){ gt_default_actor_def() };
    if (!def->scene) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "an actor needs a scene");
    }
    stop_ahead(renderer);
    if (renderer->actor_count == MAX_ACTORS) {
        return gti_fail(error, GT_ERROR_LIMIT, "a stage holds at most %d figures", (int)MAX_ACTORS);
    }
    GtiActor* actor = &renderer->actors[renderer->actor_count];
    GtResult result = gti_gl_make_current(gti_canvas_gl(renderer->canvas), error);
    if (result != GT_OK) {
        return result;
    }
    result = gti_actor_create(context, gti_canvas_gl(renderer->canvas), def, renderer->def.quality == GT_RENDER_FINE,
                              actor, error);
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
        const GtiActor* actor = &renderer->actors[i];
        const GtSculptPlayer* player = gt_sculpt_figure_player(&actor->performer.figure);
        if (actor->performer.figure.clip || player) {
            double start = actor->performer.figure.start_s;
            double end = player ? gt_sculpt_player_end_s(player) : gt_clip_end_s(actor->performer.figure.clip);
            *start_s = any ? fmin(*start_s, start) : start;
            *end_s = any ? fmax(*end_s, end) : end;
            any = true;
        }
    }
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
    stop_ahead(renderer);
    GtBounds bounds = gti_bounds_empty();
    for (int32_t k = 0; k < count; ++k) {
        pose_all(renderer, count > 1 ? from_s + (to_s - from_s) * k / (count - 1) : from_s, &bounds);
    }
    return bounds;
}

GtBounds gt_renderer_actor_bounds(GtRenderer* renderer, int32_t actor, double time_s)
{
    GT_ASSERT(actor >= 0 && actor < renderer->actor_count);
    stop_ahead(renderer);
    GtBounds bounds = gti_bounds_empty();
    gti_actor_pose(&renderer->actors[actor], time_s);
    gti_actor_bounds(&renderer->actors[actor], &bounds);
    return bounds;
}

GtReach gt_renderer_actor_reach(GtRenderer* renderer, int32_t actor, double time_s, const GtLens* lens)
{
    GT_ASSERT(actor >= 0 && actor < renderer->actor_count);
    stop_ahead(renderer);
    gti_actor_pose(&renderer->actors[actor], time_s);
    return gti_actor_reach(&renderer->actors[actor], lens);
}

const GtVec3* gt_renderer_focus(GtRenderer* renderer, int32_t actor, double time_s, int32_t* count)
{
    GT_ASSERT(actor >= 0 && actor < renderer->actor_count);
    stop_ahead(renderer);
    GtiActor* a = &renderer->actors[actor];
    gti_actor_pose(a, time_s);
    gti_focus_pose(&a->focus, &a->performer);
    *count = a->is_visible ? a->focus.point_count : 0;
    return a->focus.points;
}

GtPaintValues gt_renderer_paint_values(GtRenderer* renderer, int32_t actor, double time_s)
{
    GT_ASSERT(actor >= 0 && actor < renderer->actor_count);
    stop_ahead(renderer);
    GtiActor* a = &renderer->actors[actor];
    if (a->def.paint == GT_PAINT_NONE) {
        return (GtPaintValues){ .low = INFINITY, .high = -INFINITY };
    }
    gti_actor_pose(a, time_s);
    return gti_paint_values(&a->paint, a->performer.figure.def);
}

void gt_renderer_set_paint_range(GtRenderer* renderer, float low, float high)
{
    renderer->paint_low = low;
    renderer->paint_high = high;
}

GtReach gt_renderer_drawn_reach(GtRenderer* renderer, int32_t actor, double time_s, const GtLens* lens)
{
    GtReach reach = gt_renderer_actor_reach(renderer, actor, time_s, lens);
    return gt_reach_unite(reach, gti_actor_overlay_reach(&renderer->actors[actor], lens));
}

void gt_renderer_place(GtRenderer* renderer, int32_t actor, GtVec3 offset)
{
    GT_ASSERT(actor >= 0 && actor < renderer->actor_count);
    stop_ahead(renderer);
    GtiActor* a = &renderer->actors[actor];
    a->def.offset = offset;
    for (int32_t i = 0; i < a->surface_count; ++i) {
        a->surfaces[i].offset = offset;
    }
}

void gt_renderer_set_stage(GtRenderer* renderer, GtBounds bounds)
{
    stop_ahead(renderer);
    renderer->stage = bounds;
    renderer->has_stage = bounds.low.x <= bounds.high.x;
}

// At 0, where scenes have it, unless things go deep below it or keep high above it.
static float floor_height(const GtBounds* stage)
{
    float size = gt_vec3_length(gt_vec3_sub(stage->high, stage->low));
    bool at_zero = stage->low.y > -0.05f * size && stage->low.y < 0.5f * size;
    return at_zero ? 0.0f : stage->low.y;
}

// A tenth of a metre for figures of a few metres; powers of ten for what is much larger or smaller.
static float grid_step(const GtBounds* bounds)
{
    float size = gt_vec3_length(gt_vec3_sub(bounds->high, bounds->low));
    return size > 0.0f && isfinite(size) ? powf(10.0f, floorf(log10f(size / 2.0f)) - (size < 2.0f ? 0.0f : 1.0f))
                                         : 0.1f;
}

// Far from the world's origin single precision has no digits left for the picture, so everything is moved near it: by
// whole lines of the grid, which must not shift.
static GtVec3 choose_origin(const GtBounds* bounds, float step)
{
    GtVec3 center = gt_vec3_scale(gt_vec3_add(bounds->low, bounds->high), 0.5f);
    float size = gt_vec3_length(gt_vec3_sub(bounds->high, bounds->low));
    float line = 10.0f * step;
    if (!(gt_vec3_length(center) > 64.0f * size)) {
        return gt_vec3(0.0f, 0.0f, 0.0f);
    }
    return gt_vec3(roundf(center.x / line) * line, center.y, roundf(center.z / line) * line);
}

static void move_picture(GtiPicture* picture, GtiSurface* surfaces, GtVec3 origin)
{
    for (int32_t i = 0; i < picture->surface_count; ++i) {
        surfaces[i].offset = gt_vec3_sub(surfaces[i].offset, origin);
    }
    picture->camera.eye = gt_vec3_sub(picture->camera.eye, origin);
    picture->camera.target = gt_vec3_sub(picture->camera.target, origin);
    picture->ground_center = gt_vec3_sub(picture->ground_center, origin);
    picture->shadow.floor_y -= origin.y;
    picture->shadow.low_x -= origin.x;
    picture->shadow.low_z -= origin.z;
    picture->figures.low = gt_vec3_sub(picture->figures.low, origin);
    picture->figures.high = gt_vec3_sub(picture->figures.high, origin);
}

static const GtBounds* stage_of(const GtRenderer* renderer)
{
    return renderer->has_stage ? &renderer->stage : &renderer->bounds;
}

// Everything of a picture that needs no graphics card: poses, shadows and light.
static void make_ready(void* user)
{
    GtRenderer* renderer = user;
    GtBounds bounds = gti_bounds_empty();
    pose_all(renderer, renderer->time_s, &bounds);
    if (!(bounds.low.x <= bounds.high.x)) {
        bounds = (GtBounds){ { -1.0f, 0.0f, -1.0f }, { 1.0f, 2.0f, 1.0f } };
    }
    renderer->bounds = bounds;
    renderer->drawn = gti_extent_of_nothing();
    for (int32_t i = 0; i < renderer->actor_count; ++i) {
        gti_actor_extent(&renderer->actors[i], &renderer->camera, renderer->def.width, renderer->def.height,
                         &renderer->drawn);
    }
    bool ground = renderer->def.background.ground;
    bool fine = renderer->def.quality == GT_RENDER_FINE;
    renderer->shadow.is_empty = true;
    if (!ground && !fine) {
        return; // there is nothing for a shadow to fall on
    }
    float floor_y = ground ? floor_height(stage_of(renderer)) : bounds.low.y;
    gti_shadow_begin(&renderer->shadow, fine ? GTI_SHADOW_FINE : GTI_SHADOW_DRAFT, &bounds,
                     gti_key_light(&renderer->camera), floor_y);
    for (int32_t i = 0; i < renderer->actor_count; ++i) {
        gti_actor_shade(&renderer->actors[i], &renderer->shadow);
    }
    gti_shadow_end(&renderer->shadow);
    for (int32_t i = 0; i < renderer->actor_count; ++i) {
        gti_actor_light(&renderer->actors[i], &renderer->shadow, ground ? floor_y : -INFINITY);
    }
}

static bool same_camera(const GtCameraView* a, const GtCameraView* b)
{
    return !memcmp(&a->eye, &b->eye, sizeof a->eye) && !memcmp(&a->target, &b->target, sizeof a->target);
}

// Make a picture ready, unless it is already.
static void ready(GtRenderer* renderer, const GtCameraView* camera, double time_s)
{
    gti_ahead_wait(&renderer->ahead);
    bool is_it = renderer->is_begun && renderer->time_s == time_s && same_camera(&renderer->camera, camera);
    renderer->is_begun = false;
    if (!is_it) {
        renderer->camera = *camera;
        renderer->time_s = time_s;
        make_ready(renderer);
    }
}

static int32_t upload(GtRenderer* renderer)
{
    int32_t count = 0;
    for (int32_t i = 0; i < renderer->actor_count; ++i) {
        GtiActor* actor = &renderer->actors[i];
        gti_actor_upload(actor, gti_canvas_gl(renderer->canvas), renderer->paint_low, renderer->paint_high);
        memcpy(renderer->surfaces + count, actor->surfaces, (size_t)actor->surface_count * sizeof(GtiSurface));
        count += actor->surface_count;
    }
    return count;
}

void gt_renderer_expect(GtRenderer* renderer, const GtCameraView* camera, double time_s)
{
    renderer->is_expected = true;
    renderer->expected_camera = *camera;
    renderer->expected_s = time_s;
}

GtResult gt_renderer_draw(GtRenderer* renderer, const GtCameraView* camera, double time_s, GtError* error)
{
    GtResult result = gti_gl_make_current(gti_canvas_gl(renderer->canvas), error);
    if (result != GT_OK) {
        return result;
    }
    ready(renderer, camera, time_s);
    int32_t count = upload(renderer);
    const GtBounds* stage = stage_of(renderer);
    GtiPicture picture = {
        .camera = *camera,
        .surfaces = renderer->surfaces,
        .surface_count = count,
        .figures = renderer->bounds,
        .drawn = renderer->drawn,
        .ground = renderer->def.background.ground,
        .ground_center = { 0.5f * (stage->low.x + stage->high.x), floor_height(stage),
                           0.5f * (stage->low.z + stage->high.z) },
        .ground_radius = 5.0f * gt_vec3_length(gt_vec3_sub(stage->high, stage->low)) + 1e-30f,
        .grid_step = grid_step(stage),
    };
    if (!renderer->shadow.is_empty) {
        picture.has_shadow = true;
        picture.shadow = renderer->shadow.place;
        gti_canvas_load(renderer->canvas, &renderer->shadow);
    }
    memcpy(picture.top, renderer->def.background.top, sizeof picture.top);
    memcpy(picture.bottom, renderer->def.background.bottom, sizeof picture.bottom);
    move_picture(&picture, renderer->surfaces, choose_origin(&renderer->bounds, picture.grid_step));
    if (renderer->is_expected) {
        renderer->is_expected = false;
        renderer->is_begun = true;
        renderer->camera = renderer->expected_camera;
        renderer->time_s = renderer->expected_s;
        gti_ahead_begin(&renderer->ahead, make_ready, renderer);
    }
    gti_canvas_draw(renderer->canvas, &picture);
    return GT_OK;
}

GtResult gt_renderer_read(GtRenderer* renderer, uint8_t* rgba, GtError* error)
{
    GtResult result = gti_gl_make_current(gti_canvas_gl(renderer->canvas), error);
    return result == GT_OK ? gti_canvas_read(renderer->canvas, rgba, error) : result;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, read as a scene and drawn: small pictures at three times, with what the input's hash chooses of skins,
// bones, edges, axes, paint and trails. Every pixel is written.

#include "gertie/render.h"

#include "scene.h"

#include <string.h>

enum {
    SIZE = 16,
    MOST_TRAILS = 4
};

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// A renderer of each quality, made once: opening the driver takes longer than a picture. NULL where nothing can draw.
static GtRenderer* renderer_of(GtRenderQuality quality)
{
    static GtRenderer* renderers[GT_RENDER_FINE + 1];
    GtContext context = gt_default_context();
    GtRendererDef def = gt_default_renderer_def();
    if (!renderers[quality]) {
        def.width = def.height = SIZE;
        def.quality = quality;
        GtResult result = gt_renderer_create(&context, &def, &renderers[quality], NULL);
        CHECK(result == GT_OK || result == GT_ERROR_UNSUPPORTED);
    }
    return renderers[quality];
}

static void draw(GtRenderer* renderer, uint64_t options)
{
    double start_s = 0.0;
    double end_s = 0.0;
    GtError error = { 0 };
    gt_renderer_times(renderer, &start_s, &end_s);
    GtBounds bounds = gt_renderer_bounds(renderer, start_s, end_s, 3);
    GtCameraView camera = gt_camera_frame(bounds, (GtCameraPlace)(options % GT_CAMERA_PLACE_COUNT), 1.0f, 0.0f);
    if (options & 0x10) {
        gt_renderer_set_stage(renderer, bounds);
    }
    if (options & 0x20) {
        GtLens lens = gt_camera_lens(GT_CAMERA_THREE_QUARTER, 1.0f, 0.3f);
        GtReach reach = gt_renderer_drawn_reach(renderer, 0, start_s, &lens);
        camera = gt_camera_fit(&lens, &reach);
    }
    const double times_s[] = { start_s, 0.5 * (start_s + end_s), end_s };
    for (size_t i = 0; i < sizeof times_s / sizeof *times_s; ++i) {
        uint8_t rgba[SIZE * SIZE * 4];
        memset(rgba, 0, sizeof rgba);
        if (gt_renderer_draw(renderer, &camera, times_s[i], &error) != GT_OK) {
            CHECK(error.message[0]);
            return;
        }
        CHECK(gt_renderer_read(renderer, rgba, &error) == GT_OK);
        for (size_t p = 0; p < SIZE * SIZE; ++p) {
            CHECK(rgba[4 * p + 3] == 255); // the background is solid
        }
    }
}

static GtActorDef choose_actor(const GtScene* scene, uint64_t options, const int32_t* trails)
{
    GtActorDef def = gt_default_actor_def();
    def.scene = scene;
    def.animation = scene->animation_count > 0 ? (int32_t)(options % (uint64_t)scene->animation_count) : GT_NONE;
    def.force_skin_method = options >> 8 & 1;
    def.skin_method = (GtSkinMethod)((options >> 9) % GT_SKIN_METHOD_COUNT);
    def.wire = options >> 12 & 1;
    def.bones = options >> 13 & 1;
    def.axes = options >> 14 & 1;
    def.mirrored = options >> 15 & 1;
    def.opacity = options >> 16 & 1 ? 0.5f : 1.0f;
    def.keep_tpose = options >> 17 & 1;
    if ((options >> 18 & 7) == 0) {
        def.paint = GT_PAINT_INFLUENCES;
    } else if ((options >> 18 & 7) == 1) {
        def.paint = GT_PAINT_DISTANCE;
        def.reference = scene;
        def.reference_animation = def.animation;
    }
    if (options >> 21 & 1 && scene->node_count > 0) {
        def.trails = trails;
        def.trail_count = scene->node_count < MOST_TRAILS ? scene->node_count : MOST_TRAILS;
        def.focus = trails;
        def.focus_count = 1;
    }
    return def;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const int32_t trails[MOST_TRAILS] = { 0, 1, 2, 3 };
    GtContext context = limited_context();
    GtScene* scene = read_scene(&context, data, size);
    if (!scene) {
        return 0;
    }
    uint64_t options = options_of(data, size);
    GtError error = { 0 };
    GtActorDef actor = choose_actor(scene, options, trails);
    GtRenderer* renderer = renderer_of((options >> 24 & 15) == 0 ? GT_RENDER_FINE : GT_RENDER_DRAFT);
    if (renderer) {
        if (gt_renderer_add(renderer, &context, &actor, NULL, &error) == GT_OK) {
            draw(renderer, options);
        } else {
            CHECK(error.message[0]);
        }
        gt_renderer_clear(renderer);
    }
    gt_scene_destroy(scene);
    return 0;
}

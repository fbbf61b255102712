// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, read as a character with a clip, whose surface follows by harmonic fields: markers are found, frames are
// posed and baked, or an error says why not. Every vertex is somewhere.

#include "gertie/harmonic_clip.h"

#include "scene.h"

#include <string.h>

enum {
    MOST_FRAMES = 4
};

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void check_frames(const GtContext* context, const GtHarmonicClip* clip)
{
    size_t count = (size_t)clip->vertex_count;
    GtVec3* positions = malloc((count + 1) * sizeof *positions);
    GtError error = { 0 };
    for (int32_t f = 0; positions && f < clip->frame_count && f < MOST_FRAMES; ++f) {
        GtResult result = gt_harmonic_clip_pose(context, clip, f, 1, positions, &error);
        CHECK(result == GT_OK || error.message[0]);
        for (size_t v = 0; result == GT_OK && v < count; ++v) {
            CHECK(isfinite(positions[v].x) && isfinite(positions[v].y) && isfinite(positions[v].z));
        }
    }
    free(positions);
}

static void follow(const GtContext* context, GtFigure* figure, uint64_t options)
{
    GtError error = { 0 };
    GtMarkers* markers = NULL;
    GtHarmonicClip* clip = NULL;
    GtScene* baked = NULL;
    GtMarkersDef find = gt_default_markers_def();
    GtHarmonicClipDef def = gt_default_harmonic_clip_def();
    GtHarmonicBakeDef bake = gt_default_harmonic_bake_def();
    GtHarmonicClipReport report;
    find.ring_size = 4;
    def.rate_hz = options & 1 ? 10.0 : 0.0;
    bake.bake = (GtHarmonicBake)((options >> 1) % 3);
    bake.max_shapes = 2;
    if (gt_markers_find(context, figure, &find, &markers, NULL, &error) == GT_OK &&
        gt_harmonic_clip_create(context, figure, markers, &def, &clip, &report, &error) == GT_OK) {
        check_frames(context, clip);
        bake.keep = options >> 3 & 1 ? markers : NULL;
        GtResult result = gt_harmonic_clip_bake(context, figure, clip, &bake, &baked, NULL, &error);
        check_made(result, &error, baked);
    } else {
        CHECK(error.message[0]);
    }
    gt_scene_destroy(baked);
    gt_harmonic_clip_destroy(clip);
    gt_markers_destroy(markers);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    GtContext context = limited_context();
    GtScene* scene = read_scene(&context, data, size);
    if (scene && scene->animation_count > 0) {
        GtFigureDef def = gt_default_figure_def();
        GtFigure figure = { 0 };
        GtError error = { 0 };
        def.animation = 0;
        if (gt_figure_open(&context, scene, &def, &figure, &error) == GT_OK) {
            follow(&context, &figure, options_of(data, size));
        } else {
            CHECK(error.message[0]);
        }
        gt_figure_close(&figure);
    }
    gt_scene_destroy(scene);
    return 0;
}

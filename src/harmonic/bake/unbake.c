// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Exact frames in place of those that were fitted: the clip is restored from the markers that its file keeps.

#include "harmonic/clip/clip.h"

GtResult gt_harmonic_unbake(const GtContext* context, const GtScene* scene, int32_t animation, GtScene** out,
                            GtError* error)
{
    *out = NULL;
    if (animation == GT_NONE || animation >= scene->animation_count || !scene->animations[animation].harmonic) {
        return GT_OK;
    }
    GtHarmonicClip* clip = NULL;
    GtFigure figure;
    GtFigureDef figure_def = gti_figure_playing(animation, scene->humanoid);
    GtHarmonicBakeDef def = gt_default_harmonic_bake_def();
    def.bake = GT_HARMONIC_BAKE_FRAMES;
    GtError inner = { 0 };
    GtResult result = gt_figure_open(context, scene, &figure_def, &figure, &inner);
    if (result == GT_OK) {
        result = gt_harmonic_clip_restore(context, &figure, &clip, NULL, &inner);
    }
    if (result == GT_OK) {
        result = gt_harmonic_clip_bake(context, &figure, clip, &def, out, NULL, &inner);
    }
    gt_harmonic_clip_destroy(clip);
    gt_figure_close(&figure);
    if (result == GT_ERROR_BAD_VALUE || result == GT_ERROR_LIMIT) {
        gti_warn(context, scene->source.file, NULL, "%s; it plays as other viewers show it", inner.message);
        return GT_OK;
    }
    if (result != GT_OK && error) {
        *error = inner;
    }
    return result;
}

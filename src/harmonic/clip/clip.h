// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A clip's way into a scene and back.

#ifndef GERTIE_HARMONIC_CLIP_CLIP_H
#define GERTIE_HARMONIC_CLIP_CLIP_H

#include "gertie/harmonic_clip.h"

#include "figure/shell.h"

// A clip that is ready to be posed, without frames.
GtResult gti_harmonic_clip_still(const GtContext* context, GtFigure* figure, const GtMarkers* markers,
                                 const GtHarmonicClipDef* def, GtHarmonicClip** out, GtError* error);

// Say which point of the surface each vertex of the meshes is at.
GtResult gti_harmonic_clip_take_points(const GtiShell* shell, int32_t animation, GtHarmonicClip* clip, GtError* error);

// How many frames a clip of the figure has, and when: a whole number of them from the first key to the last, at the
// rate that is asked for or nearly so; 0 for that of the keys, at most 30 a second.
GtResult gti_harmonic_clip_time(const GtFigure* figure, double rate_hz, GtHarmonicClip* out, GtError* error);

// Keep markers and frames in a scene that plays the clip otherwise, by shapes behind the morphs that the shell has.
GtResult gti_harmonic_clip_keep(const GtContext* context, GtScene* scene, const GtiShell* shell,
                                const GtHarmonicClip* clip, const GtMarkers* markers, int32_t shape_count,
                                GtError* error);

// The shapes that a clip was baked into, as its scene keeps them: fills first_shapes and shape_count. Fails where what
// is kept is of another mesh.
GtResult gti_harmonic_clip_shapes(const GtScene* scene, const GtiShell* shell, int32_t animation, GtHarmonicClip* out,
                                  GtError* error);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A clip played frame by frame into files that know no motion: a point cache, or one mesh a frame.

#ifndef GERTIE_CLI_FRAMES_H
#define GERTIE_CLI_FRAMES_H

#include "scenes.h"

#include "gertie/build.h"
#include "gertie/harmonic_clip.h"
#include "gertie/instance.h"
#include "gertie/sculpt.h"

// Whether a path asks for frames: it ends in .pc2, or has # where numbers go.
bool frames_asked(const char* path);

// See whether frames can be written at `path` before any work is done.
bool frames_prepare(Session* session, const char* path);

// What is played, at even times.
typedef struct Frames {
    const GtScene* scene;
    GtCharacter* character;
    GtInstance* instance;
    GtClip* clip;             // or NULL: one frame, at rest
    GtSculptActor sculpt;     // what the scene keeps of a deformation
    GtHarmonicPlayer* player; // that plays instead of all these, or NULL
    double start_s;
    double rate_hz;
    int32_t count;
    int32_t vertex_count; // of all meshes
} Frames;

// Prepare to play a clip, or GT_NONE for the rest pose. On false, too, frames_close() is due.
bool frames_open(Session* session, const GtScene* scene, int32_t clip, double rate_hz, Frames* out);
// Likewise a clip of harmonic deformation, which with the scene it was made of must outlive the frames.
bool frames_open_harmonic(Session* session, const GtScene* scene, const GtHarmonicClip* clip, Frames* out);
void frames_close(Session* session, Frames* frames);

// A scene of plain meshes as they are in frame `frame`; free with gt_scene_destroy().
bool frames_freeze(Session* session, Frames* frames, int32_t frame, GtScene** out);

// Write all frames to `path`: a point cache and the OBJ that it is for, or a file each.
bool frames_write(Session* session, Frames* frames, const char* path);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How `animate` deforms the surface: by the skin's weights, or by harmonic fields from markers.

#ifndef GERTIE_CLI_HARMONIC_H
#define GERTIE_CLI_HARMONIC_H

#include "session.h"

#include "gertie/hand_keys.h"
#include "gertie/harmonic_clip.h"
#include "gertie/markers.h"
#include "gertie/rig.h"

// Choices of --method and --bake; end with NULL.
extern const char* const method_names[];
extern const char* const bake_names[];

#define OPTION_METHOD                                                                                                  \
    {                                                                                                                  \
        .name = "method", .kind = OPTION_CHOICE, .value = "HOW",                                                       \
        .help = "how the surface follows the joints: by the skin's weights; by harmonic fields from markers, without " \
                "weights; or auto, as without it, which takes the skin of a character that has one and says what it "  \
                "chose for a bare mesh, and why",                                                                      \
        .choices = method_names                                                                                        \
    }
#define OPTION_MARKERS                                                                                                 \
    {                                                                                                                  \
        .name = "markers", .kind = OPTION_FILE, .value = "FILE",                                                       \
        .help = "markers for --method harmonic, as --save-markers writes them; joints that have none are completed",   \
        .endings = "json"                                                                                              \
    }
#define OPTION_SAVE_MARKERS                                                                                            \
    {                                                                                                                  \
        .name = "save-markers", .kind = OPTION_FILE, .value = "FILE", .help = "write the markers that were used",      \
        .endings = "json"                                                                                              \
    }
#define OPTION_PAIRS                                                                                                   \
    {                                                                                                                  \
        .name = "pairs", .kind = OPTION_FILE, .value = "FILE",                                                         \
        .help = "take MOTION's animated mesh, not its joints, as the template of a bare CHARACTER: pairs of their "    \
                "triangles, which are completed",                                                                      \
        .endings = "json"                                                                                              \
    }
#define OPTION_SOFTNESS                                                                                                \
    {                                                                                                                  \
        .name = "softness", .kind = OPTION_NUMBER, .value = "RADII",                                                   \
        .help = "how far from a joint the markers keep, in radii of the limb: less bends sharper", .min = 0.05,        \
        .max = 10                                                                                                      \
    }
#define OPTION_VOLUME                                                                                                  \
    {                                                                                                                  \
        .name = "volume", .kind = OPTION_NUMBER, .value = "SHARE",                                                     \
        .help = "how far bends keep their volume, at the price of creases inside: 0 not at all, 1 nearly all",         \
        .min = 0, .max = 10                                                                                            \
    }
#define OPTION_BAKE                                                                                                    \
    {                                                                                                                  \
        .name = "bake", .kind = OPTION_CHOICE, .value = "WHAT",                                                        \
        .help = "how the result of --method harmonic is written: shapes is a skin and a few morph shapes, fitted; "    \
                "skin is without the shapes; frames is a morph shape for each frame, exact and large",                 \
        .choices = bake_names                                                                                          \
    }
#define OPTION_SHAPES                                                                                                  \
    {                                                                                                                  \
        .name = "shapes", .kind = OPTION_INTEGER, .value = "N",                                                        \
        .help = "how many morph shapes --bake shapes makes; without it, as many as a quarter of a millimetre takes",   \
        .min = 0, .max = 64                                                                                            \
    }

typedef struct HarmonicOptions {
    const OptionValue* method;
    const OptionValue* markers;
    const OptionValue* save_markers;
    const OptionValue* softness;
    const OptionValue* volume;
    const OptionValue* fps;
    const OptionValue* bake;
    const OptionValue* shapes;
    const OptionValue* pairs;
    const OptionValue* name;
    bool is_for_frames; // the output holds frames, which are exact
} HarmonicOptions;

// What auto chooses by.
typedef struct HarmonicSubject {
    const GtRigReport* rig;   // how the body was rigged, or NULL where it came with joints
    const GtMarkers* markers; // that its file keeps, or NULL
    bool has_morphs;          // the output can hold morphs, or holds frames
} HarmonicSubject;

// Whether --method, or an option that goes with it, asks for harmonic deformation. Says what auto chose, and why.
bool harmonic_asked(Session* session, const HarmonicOptions* options, const HarmonicSubject* subject);

// The markers that a file keeps of a clip, or NULL; free with gt_markers_destroy().
// keeps_clips: else, where there are markers, *scene is replaced by one without clips and what they were baked into
bool harmonic_restore(Session* session, const char* file, bool keeps_clips, GtScene** scene, GtMarkers** markers);

// False where options for markers are given without their method, which has been said.
bool harmonic_check(Session* session, const HarmonicOptions* options);

// Put a scene whose last clip moves by harmonic deformation in place of *scene; where the output holds frames, leave it
// and give the clip instead.
// kept: markers that the file keeps, or NULL
// keys: that turn markers, or NULL
// clip: receives the clip, or NULL; free with gt_harmonic_clip_destroy()
bool harmonic_apply(Session* session, const HarmonicOptions* options, const GtMarkers* kept, const GtHandKeys* keys,
                    GtScene** scene, GtHarmonicClip** clip);

// Whether a mesh that a motion moves is the template of a body, as --pairs asks or as there are no joints on either
// side.
bool harmonic_has_template(const HarmonicOptions* options, const GtScene* body, const GtScene* motion);

// Put a copy of a bare body that moves as the mesh of a motion does in place of *body; likewise.
// animation: of the motion
bool harmonic_follow(Session* session, const HarmonicOptions* options, const GtScene* motion, int32_t animation,
                     GtScene** body, GtHarmonicClip** clip);

// Where a clip of a scene that `file` holds was made by harmonic deformation and its markers are kept, put a scene in
// place of *scene that plays it exactly, frame by frame. Says why where that cannot be; the clip then plays as it was
// baked.
bool harmonic_unbake(Session* session, const char* file, int32_t animation, GtScene** scene);

// What softness and volume are where they are not given.
void harmonic_defaults(OptionValue* softness, OptionValue* volume);

#endif

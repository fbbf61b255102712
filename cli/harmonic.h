// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How `animate` deforms the surface: by the skin's weights, or by harmonic fields from markers.

#ifndef GERTIE_CLI_HARMONIC_H
#define GERTIE_CLI_HARMONIC_H

#include "session.h"

#include "gertie/scene.h"

// Choices of --method and --bake; end with NULL.
extern const char* const method_names[];
extern const char* const bake_names[];

#define OPTION_METHOD                                                                                                  \
    {                                                                                                                  \
        .name = "method", .kind = OPTION_CHOICE, .value = "HOW",                                                       \
        .help = "how the surface follows the joints: by the skin's weights, which is the default; by harmonic fields " \
                "from markers, without weights; or auto, which says what it chose and why",                            \
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
#define OPTION_SOFTNESS                                                                                                \
    {                                                                                                                  \
        .name = "softness", .kind = OPTION_NUMBER, .value = "RADII",                                                   \
        .help = "how far from a joint the markers keep, in radii of the limb: less bends sharper", .min = 0.05,        \
        .max = 10                                                                                                      \
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
    const OptionValue* fps;
    const OptionValue* bake;
    const OptionValue* shapes;
    bool is_for_frames; // the output holds frames, which are exact
} HarmonicOptions;

// Whether --method asks for harmonic deformation of a body that came with or without a skin. Says what auto chose.
bool harmonic_asked(Session* session, const HarmonicOptions* options, bool was_bare);

// False where options for markers are given without their method, which has been said.
bool harmonic_check(Session* session, const HarmonicOptions* options);

// Put a scene whose clip `animation` moves by harmonic deformation in place of *scene.
// rate_hz: receives the rate of the frames
bool harmonic_apply(Session* session, const HarmonicOptions* options, int32_t animation, GtScene** scene,
                    double* rate_hz);

void harmonic_softness_default(OptionValue* softness);

#endif

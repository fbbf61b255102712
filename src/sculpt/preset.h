// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Presets: functions that add sections, tracks and springs for a humanoid to a sculpt. A new one is a file
// preset_NAME.c and a line in preset.c.

#ifndef GERTIE_SCULPT_PRESET_H
#define GERTIE_SCULPT_PRESET_H

#include "sculpt/sculpt.h"
#include "sculpt/section_fit.h"

// What a preset is made of.
typedef struct GtiPresetMaker {
    const GtContext* context;
    const GtScene* scene;
    GtHumanoidMap map;  // to nodes of the scene; of a humanoid
    GtiSculptBody body; // for gti_section_fit()
    GtArena arena;      // emptied after each preset
    GtSculpt* sculpt;   // to be added to
    GtError* error;
} GtiPresetMaker;

typedef GtResult (*GtiPreset)(GtiPresetMaker* maker);

#endif

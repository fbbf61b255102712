// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Contact tracks being made.

#ifndef GERTIE_MOTION_CONTACT_H
#define GERTIE_MOTION_CONTACT_H

#include "gertie/contact.h"

// Where the parts of both feet are in every frame.
typedef struct GtiMarkPaths {
    int32_t frame_count;
    double start_s, step_s;
    double size;          // times as large as a person
    const GtVec3* places; // [GT_CONTACT_PART_COUNT * frame_count], part by part
} GtiMarkPaths;

GtResult gti_contacts_of_paths(const GtContext* context, const GtContactsDef* def, const GtiMarkPaths* marks,
                               GtContacts** out, GtError* error);

// The same without the benefit of the doubt: what only goes on to stand does not.
static inline GtContactsDef gti_strict_contacts_def(GtContactsDef def)
{
    def.release_mps = def.speed_mps;
    def.release_height_m = def.height_m;
    def.longest_gap_s = 0.0;
    return def;
}

// A track without spans.
GtResult gti_contacts_make(const GtContext* context, GtContacts** out, GtError* error);

// Order spans by start, then part.
void gti_contacts_sort(GtContacts* contacts);

#endif

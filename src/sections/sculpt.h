// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A sculpt in the making: whoever reads a file or makes a preset adds its parts one by one. Everything is checked and
// copied.

#ifndef GERTIE_SECTIONS_SCULPT_H
#define GERTIE_SECTIONS_SCULPT_H

#include "gertie/sculpt.h"

#include "base/fail.h"

enum {
    GTI_SCULPT_MAX_POINTS = 1 << 22 // control points of all poses together
};

// An empty one; free it with gt_sculpt_destroy().
GtResult gti_sculpt_create(const GtContext* context, GtSculpt** out, GtError* error);

// Add a section. Its blend is cut to 0 to 1, with a warning.
// section: names of joints and nodes agree
// where:   JSON path for messages, or NULL
GtResult gti_sculpt_add_section(const GtContext* context, GtSculpt* sculpt, const GtSculptSection* section,
                                const char* where, GtError* error);

// Warn of each pose that folds the lattice of a section.
GtResult gti_sculpt_warn_of_folds(const GtContext* context, const GtSculpt* sculpt, const GtSectionDef* section,
                                  const char* where, GtError* error);

// A file as text. warns: of poses that fold; not so where a scene keeps it, whose maker has been told
GtResult gti_sculpt_parse(const GtContext* context, const GtScene* scene, const char* text, size_t length, bool warns,
                          GtSculpt** out, GtError* error);

// Add a track. Exactly one of its keys and its formula is given; its curve is made here.
GtResult gti_sculpt_add_track(const GtContext* context, GtSculpt* sculpt, const GtSculptTrack* track, const char* where,
                              GtError* error);

GtResult gti_sculpt_add_control(GtSculpt* sculpt, const GtShapeControl* control, const char* where, GtError* error);

GtResult gti_sculpt_add_material(GtSculpt* sculpt, const GtMaterialRule* material, GtError* error);

GtResult gti_sculpt_add_jiggle(GtSculpt* sculpt, const GtSculptJiggle* jiggle, const char* where, GtError* error);

// The section of that name, or GT_NONE.
int32_t gti_sculpt_find_section(const GtSculpt* sculpt, const char* name);

// The JSON text of a file, in `arena`; indent 0 for one line. NULL when memory ran out.
const char* gti_sculpt_text(const GtSculpt* sculpt, GtArena* arena, int32_t indent);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the makers and readers of markers share.

#ifndef GERTIE_HARMONIC_MARKERS_MARKERS_H
#define GERTIE_HARMONIC_MARKERS_MARKERS_H

#include "gertie/harmonic.h"
#include "gertie/markers.h"

#include "figure/shell.h"

// An empty set, for the mesh of a shell->
GtResult gti_marker_set_create(const GtContext* context, const GtiShell* shell, GtMarkers** out, GtError* error);

// Whether the mesh that markers are for is this one, if they say; `where` names the place in a file, or is NULL.
GtResult gti_marker_set_check(const GtMarkers* markers, const GtiShell* shell, const char* where, GtError* error);

// A marker in terms of the body's surface. The triangle must be there.
GtHarmonicMarker gti_marker_on(const GtiShell* shell, const GtMarker* marker);

// Where it is: the middle of its triangle, or its point.
GtVec3 gti_marker_middle(const GtiShell* shell, const GtHarmonicMarker* marker);

// Put a marker onto a triangle of the surface; GT_NONE leaves it at its point. Of a mesh that is shown at several
// nodes, places on all but the first are said by their point.
void gti_marker_place(const GtiShell* shell, int32_t triangle, GtMarker* marker);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The line through the middle of a limb, from one knot to the next.

#ifndef GERTIE_RIG_MEDIAL_WAY_H
#define GERTIE_RIG_MEDIAL_WAY_H

#include "rig/medial/sphere_graph.h"

typedef struct GtiMedialWay {
    GtVec3* points; // evenly apart
    float* radii;   // distance to the surface
    int32_t count;  // at least 2
    float length;
    GtVec3 tip;     // of the limb: near the last point, on the body
    float outside;  // length of the limb beyond the trunk, once straightened; 0 where all is trunk
    float contrast; // how many times thicker the trunk is than the limb where it begins
    float thick;    // length of the limb beyond where it is no longer as thin as there; 0 where it stays so
} GtiMedialWay;

// From sphere to sphere along the graph, smoothed and drawn to the middle. False when memory ran out.
bool gti_medial_way_make(const GtiSolid* solid, const GtiSphereGraph* graph, int32_t from, int32_t to, GtArena* arena,
                         GtiMedialWay* out);

// Go straight on beyond the last point for as long as the limb does: to the farthest of the body's points in the
// direction that the last `bone` of the way has. False when memory ran out.
bool gti_medial_way_reach(const GtiSolid* solid, const GtVec3* points, int32_t point_count, float bone, GtArena* arena,
                          GtiMedialWay* way);

// A limb's way bends where it enters the trunk, and its joint there does not follow: put that part in the direction
// that the limb has outside.
void gti_medial_way_straighten(GtiMedialWay* way);

// Go on beyond the end, straight, though the body does not. False when memory ran out.
bool gti_medial_way_lengthen(float by, GtArena* arena, GtiMedialWay* way);

// The point `length` before the end of the way; before its start, straight on.
GtVec3 gti_medial_way_from_end(const GtiMedialWay* way, float length);

#endif

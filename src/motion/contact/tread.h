// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Points under the feet. Of a skin, every vertex that a foot moves, deformed as the skin is; without one, heel, ball
// and tip, put under the joints. The lowest of them at a moment is the point of contact, so that a foot may roll.

#ifndef GERTIE_MOTION_CONTACT_TREAD_H
#define GERTIE_MOTION_CONTACT_TREAD_H

#include "figure/figure.h"

// Parts of both feet, in the order of the contact bits.
enum {
    GTI_LEFT_HEEL,
    GTI_LEFT_BALL,
    GTI_RIGHT_HEEL,
    GTI_RIGHT_BALL,
    GTI_SOLE_PART_COUNT
};

typedef struct GtiTread {
    const GtFigure* figure;
    bool is_mesh;
    GtCharacter* character; // the same nodes, and of the meshes the vertices of the feet; or NULL
    void* scratch;          // of deforming
    int32_t point_count;
    int32_t deformed_count;             // points that are those of the meshes; the others go with nodes
    int8_t* parts;                      // [point_count], or GT_NONE for what does not touch the ground
    float* toe_shares;                  // [point_count] how much each goes with the toes
    int32_t* nodes;                     // [point_count] of those that go with one
    GtVec3* offsets;                    // likewise, where in its space
    GtVec3* points;                     // [point_count] now
    int32_t first[GTI_SIDE_COUNT];      // of the points of a foot; some between these may be the other's
    int32_t end[GTI_SIDE_COUNT];        // past the last
    int32_t marks[GTI_SOLE_PART_COUNT]; // the point that stands for a part in the formula of contacts
} GtiTread;

// Find the soles of a humanoid; on failure, too, gti_tread_close() is due.
GtResult gti_tread_open(const GtContext* context, GtArena* arena, const GtFigure* figure, GtiTread* out,
                        GtError* error);
void gti_tread_close(GtiTread* sole);

// The toes that hang from a foot, or GT_NONE.
int32_t gti_tread_toes(const GtFigure* figure, int side);

// Keep only the marks and those points that are the lowest of their part when the foot is tilted one way or another:
// a few dozen, which tell nearly as much.
GtResult gti_tread_thin(const GtContext* context, GtArena* arena, GtiTread* sole, GtError* error);

// Leave out the points that cannot change what is lowest: those that do not touch the ground, and all but the first of
// those that lie and move together. Those that one joint alone moves go with it from now on, which takes less time.
GtResult gti_tread_trim(const GtContext* context, GtArena* arena, GtiTread* sole, GtError* error);

// For those who choose points. Keep the chosen ones, and let those that one joint alone moves go with it.
// @param chosen  [point_count], changed
GtResult gti_tread_reduce(const GtContext* context, GtArena* arena, GtiTread* sole, bool* chosen, GtError* error);

// Say where the points of each foot begin and end.
void gti_tread_bound(GtiTread* sole);

// Room for `point_count` points that belong to no part; and the chosen ones of the meshes alone.
bool gti_tread_push(GtArena* arena, GtiTread* sole);
GtResult gti_tread_keep(const GtContext* context, GtArena* arena, GtiTread* sole, const bool* chosen, GtError* error);

// Put the points where the figure's pose has them.
void gti_tread_update(GtiTread* sole, GtVec3* points);

// Likewise, of a pose of the caller. scratch: [gti_tread_scratch_size()]
size_t gti_tread_scratch_size(const GtiTread* sole);
void gti_tread_points(const GtiTread* sole, const GtMat34* model_from_node, const float* weights, void* scratch,
                      GtVec3* points);

#endif

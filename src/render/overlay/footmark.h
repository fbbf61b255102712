// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Marks on the ground where heels and balls stand. A mark stays in its place as long as the contact lasts, so that a
// foot that slides leaves it.

#ifndef GERTIE_RENDER_OVERLAY_FOOTMARK_H
#define GERTIE_RENDER_OVERLAY_FOOTMARK_H

#include "gertie/contact.h"
#include "render/picture/shape.h"

// A part of the shape's indices; none where the count is 0.
typedef struct GtiMarkRange {
    int32_t first, count;
} GtiMarkRange;

typedef struct GtiFootmarks {
    GtiPaintedShape shape; // white; the surfaces have the colours
    GtContact* spans;      // [count] by foot, then by end
    int32_t count;
    int32_t left_count;
    int32_t hands[2]; // nodes of the scene in the middle of each, or GT_NONE
} GtiFootmarks;

// Find out where the figure of a scene stands, and which nodes are its hands. Nothing comes of one without feet.
GtResult gti_footmarks_create(const GtContext* context, GtArena* arena, const GtScene* scene, int32_t animation,
                              const GtContacts* contacts, GtiFootmarks* out, GtError* error);

// The marks that feet of a side (0 left, 1 right) have left behind in the five seconds before a time.
GtiMarkRange gti_footmarks_left(const GtiFootmarks* marks, int side, double time_s);

// The mark that a part of a foot stands on.
GtiMarkRange gti_footmarks_now(const GtiFootmarks* marks, int32_t part, double time_s);

#endif

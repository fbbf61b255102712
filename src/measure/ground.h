// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Feet and the ground: contacts, skate, penetration, float, and the flights between contacts.

#ifndef GERTIE_MEASURE_GROUND_H
#define GERTIE_MEASURE_GROUND_H

#include "measure/path.h"

// Find contacts of heels and balls.
// @param bits    [frame_count] receives the contact bits of each frame
// @param levels  [GTI_SIDE_COUNT * frame_count] receives how high above the floor what is under each foot is: 0 but for
//                steps and boxes
GtResult gti_find_contacts(const GtContext* context, GtArena* scratch, const GtiPath* path, uint8_t* bits,
                           float* levels, GtError* error);

// How high that is under the feet of another figure that goes the same way: as high as its soles usually are there. In
// the air it is the lower of what a foot leaves and what it comes to.
// @param levels  [GTI_SIDE_COUNT * frame_count] as found; receives those of `path`, above its floor
GtResult gti_carry_levels(GtArena* scratch, const GtiPath* path, const uint8_t* bits, double floor_m, float* levels,
                          GtError* error);

// Measure one foot. Times are those of frame 0 plus steps.
// @param levels     [frame_count] of what is under it, above the floor
// @param slips_mps  [frame_count] receives the speed of the point of contact, 0 without one
void gti_measure_foot(const GtiPath* path, const uint8_t* bits, int side, double floor_m, const float* levels,
                      double start_s, float* slips_mps, GtFootMeasure* out);

// Times in which no heel or ball of `judge` is near the ground for long enough, and how the centre of mass of `path`
// falls in them. What does not fall at all (the figure sits, hangs or lies) is no flight.
// @param flights  receives the flights, in the arena
GtResult gti_measure_flights(GtArena* arena, GtArena* scratch, const GtiPath* judge, const GtiPath* path,
                             double start_s, const GtFlightMeasure** flights, int32_t* flight_count, GtError* error);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Drivers from the inside, and the parts of a step, for those who know what sensors say beforehand.

#ifndef GERTIE_RUNTIME_DRIVE_DRIVERS_H
#define GERTIE_RUNTIME_DRIVE_DRIVERS_H

#include "gertie/drivers.h"

struct GtDrivers {
    GtArena arena; // which holds this
    GtDriversDef def;
    GtTrackSet* set;
    GtCurve** curves; // [track_count] own copies, or NULL
    float* rests;     // [value_count + sensor_count], as the next two
    float* mins;
    float* maxs;
    bool moves_nodes; // some track does
};

// Section values to rest, values to what is given, sensed or at rest; then all tracks.
// sensed: [sensor_count]
// given:  [value_count + sensor_count], or NULL
// values: [value_count + sensor_count] receives them
void gti_drivers_run(const GtDrivers* drivers, double time_s, const float* sensed, const float* given, float* values,
                     GtInstance* instance);

// Bytes of all springs, a multiple of 16.
size_t gti_drivers_springs_size(const GtDrivers* drivers);
void gti_drivers_springs_reset(const GtDrivers* drivers, void* springs);

// Step all springs, and add what points are off to the section values. Nodes are where the last gt_instance_update()
// has put them.
void gti_drivers_swing(const GtDrivers* drivers, const GtMat34* world_from_model, double step_s, void* springs,
                       GtInstance* instance);

#endif

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What formulas may ask of a motion beyond a pose: `speed:JOINT`, in metres a second, and `contact:leftFoot`,
// `contact:rightFoot`, `contact:leftHeel`, `contact:leftToe`..., 0 in the air to 1 on the ground.

#ifndef GERTIE_SECTIONS_PLAY_SENSORS_H
#define GERTIE_SECTIONS_PLAY_SENSORS_H

#include "gertie/contact.h"
#include "gertie/drivers.h"

#include "base/fail.h"

// Whether a name is one of a sensor.
bool gti_sensor_is(const char* name);

// Contact bits of one that is about contacts, 0 for others.
uint8_t gti_sensor_parts(const char* name);

// Find what it is about. GT_ERROR_NOT_FOUND for a joint or a foot that is not there.
// name: kept as it is
// out:  a contact has no points yet
GtResult gti_sensor_find(const GtScene* scene, const GtHumanoidMap* map, const GtCharacter* character, const char* name,
                         GtSensorDef* out, GtError* error);

// Give contacts their points, heels and balls as they are under the skin, and limits for feet so large. Those of what
// is no humanoid stay without.
// sensors: [count]
GtResult gti_sensors_find_feet(const GtContext* context, const GtScene* scene, const GtHumanoidMap* map,
                               const GtCharacter* character, GtSensorDef* sensors, int32_t count, GtError* error);

// How much of a foot stands at a time of a clip that is known as a whole, going over within a tenth of a second.
float gti_sensor_contact(const GtContacts* contacts, uint8_t parts, double time_s);

#endif

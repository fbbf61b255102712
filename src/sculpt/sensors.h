// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What formulas may ask of a motion beyond a pose: `speed:JOINT`, in metres a second, and `contact:leftFoot`,
// `contact:rightFoot`, `contact:leftHeel`, `contact:leftToe`..., 0 in the air to 1 on the ground.

#ifndef GERTIE_SCULPT_SENSORS_H
#define GERTIE_SCULPT_SENSORS_H

#include "gertie/contact.h"
#include "gertie/instance.h"

#include "base/fail.h"

typedef struct GtiSensor {
    const char* name; // as formulas have it
    int32_t node;     // whose speed it is, of the character; GT_NONE for a contact
    uint8_t parts;    // contact bits
} GtiSensor;

// Whether a name is one of a sensor.
bool gti_sensor_is(const char* name);

// Find what it is about. GT_ERROR_NOT_FOUND for a joint or a foot that is not there.
GtResult gti_sensor_find(const GtScene* scene, const GtHumanoidMap* map, const GtCharacter* character, const char* name,
                         GtiSensor* out, GtError* error);

// How much of a foot stands at a time, going over within a tenth of a second.
float gti_sensor_contact(const GtContacts* contacts, uint8_t parts, double time_s);

#endif

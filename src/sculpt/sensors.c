// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "sculpt/sensors.h"

#include "deform/joint_name.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char speed_prefix[] = "speed:";
static const char contact_prefix[] = "contact:";
static const double blend_s = 0.1; // in which a contact comes and goes

static const struct {
    const char* name;
    uint8_t parts;
} feet[] = {
    { "leftFoot", GT_CONTACT_LEFT_FOOT }, { "rightFoot", GT_CONTACT_RIGHT_FOOT }, { "leftHeel", GT_CONTACT_LEFT_HEEL },
    { "leftToe", GT_CONTACT_LEFT_TOE },   { "rightHeel", GT_CONTACT_RIGHT_HEEL }, { "rightToe", GT_CONTACT_RIGHT_TOE },
};

static const char* after(const char* name, const char* prefix)
{
    size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 ? name + length : NULL;
}

bool gti_sensor_is(const char* name)
{
    return after(name, speed_prefix) || after(name, contact_prefix);
}

GtResult gti_sensor_find(const GtScene* scene, const GtHumanoidMap* map, const GtCharacter* character, const char* name,
                         GtiSensor* out, GtError* error)
{
    *out = (GtiSensor){ .name = name, .node = GT_NONE };
    const char* part = after(name, contact_prefix);
    for (size_t i = 0; part && i < sizeof feet / sizeof feet[0]; ++i) {
        if (strcmp(part, feet[i].name) == 0) {
            out->parts = feet[i].parts;
            return GT_OK;
        }
    }
    if (part) {
        return gti_fail(error, GT_ERROR_NOT_FOUND,
                        "there is no '%.80s': contacts are of leftFoot, rightFoot, leftHeel, leftToe, rightHeel and "
                        "rightToe",
                        name);
    }
    int32_t node = GT_NONE;
    GtResult result = gti_joint_find(scene, map, after(name, speed_prefix), "speed", &node, error);
    if (result == GT_OK) {
        out->node = gt_character_node_from_source(character, node);
        if (out->node == GT_NONE) {
            return gti_fail(error, GT_ERROR_NOT_FOUND, "'%.80s': the joint is not on the stage", name);
        }
    }
    return result;
}

float gti_sensor_contact(const GtContacts* contacts, uint8_t parts, double time_s)
{
    double most = 0.0;
    for (int32_t i = 0; i < contacts->count; ++i) {
        const GtContact* span = &contacts->spans[i];
        if (!(parts & (1u << span->part))) {
            continue;
        }
        double inside = fmin(time_s - span->start_s, span->end_s - time_s);
        double share = fmin(fmax(0.5 + inside / blend_s, 0.0), 1.0);
        most = fmax(most, share * share * (3.0 - 2.0 * share));
    }
    return (float)most;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "sections/play/sensors.h"

#include "harmonic/keys/joint_name.h"
#include "motion/contact/tread.h"

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

uint8_t gti_sensor_parts(const char* name)
{
    const char* part = after(name, contact_prefix);
    for (size_t i = 0; part && i < sizeof feet / sizeof feet[0]; ++i) {
        if (strcmp(part, feet[i].name) == 0) {
            return feet[i].parts;
        }
    }
    return 0;
}

GtResult gti_sensor_find(const GtScene* scene, const GtHumanoidMap* map, const GtCharacter* character, const char* name,
                         GtSensorDef* out, GtError* error)
{
    *out = gt_default_sensor_def();
    out->name = name;
    if (gti_sensor_parts(name)) {
        out->kind = GT_SENSOR_CONTACT;
        return GT_OK;
    }
    if (after(name, contact_prefix)) {
        return gti_fail(error, GT_ERROR_NOT_FOUND,
                        "there is no '%.80s': contacts are of leftFoot, rightFoot, leftHeel, leftToe, rightHeel and "
                        "rightToe",
                        name);
    }
    int32_t node = GT_NONE;
    GtResult result = gti_joint_find(scene, map, after(name, speed_prefix), "speed", &node, error);
    if (result == GT_OK) {
        out->point_count = 1;
        out->points[0].node = gt_character_node_from_source(character, node);
        if (out->points[0].node == GT_NONE) {
            return gti_fail(error, GT_ERROR_NOT_FOUND, "'%.80s': the joint is not part of the scene that is shown",
                            name);
        }
    }
    return result;
}

// Where on which node of the character the mark of a part of the soles is.
static GtSensorPoint find_mark(const GtiTread* sole, int part, const GtCharacter* character)
{
    const GtFigure* figure = sole->figure;
    int side = part / 2;
    int32_t mark = sole->marks[part];
    int32_t toes = sole->toe_shares[mark] > 0.5f ? gti_tread_toes(figure, side) : GT_NONE;
    int32_t node = toes != GT_NONE ? toes : figure->joints[gti_joint_on(GT_HUMANOID_LEFT_FOOT, side)];
    node = mark < sole->deformed_count ? node : sole->nodes[mark];
    GtSensorPoint point = { .place = mark < sole->deformed_count ? gti_figure_attach(figure, node, sole->points[mark])
                                                                 : sole->offsets[mark] };
    point.node = gt_character_node_from_source(character, figure->def->source_nodes[node]);
    return point;
}

static void put_points(const GtiTread* sole, const GtCharacter* character, GtSensorDef* sensor)
{
    uint8_t parts = gti_sensor_parts(sensor->name);
    float size = (float)gti_figure_size(sole->figure);
    for (int part = 0; part < GT_CONTACT_PART_COUNT; ++part) {
        if (parts & (1u << part)) {
            sensor->points[sensor->point_count] = find_mark(sole, part, character);
            sensor->point_count += sensor->points[sensor->point_count].node != GT_NONE;
        }
    }
    sensor->speed_mps *= size;
    sensor->release_mps *= size;
    sensor->height_m *= size;
    sensor->release_height_m *= size;
}

GtResult gti_sensors_find_feet(const GtContext* context, const GtScene* scene, const GtHumanoidMap* map,
                               const GtCharacter* character, GtSensorDef* sensors, int32_t count, GtError* error)
{
    bool has_contacts = false;
    for (int32_t i = 0; i < count; ++i) {
        has_contacts = has_contacts || sensors[i].kind == GT_SENSOR_CONTACT;
    }
    if (!has_contacts) {
        return GT_OK;
    }
    GtArena scratch = gt_arena_create(context->allocator);
    GtFigure figure = { 0 };
    GtiTread sole = { 0 };
    GtFigureDef def = gti_figure_playing(GT_NONE, map);
    def.map_is_whole = true;
    GtResult result = gt_figure_open(context, scene, &def, &figure, error);
    bool has_feet = result == GT_OK && figure.is_humanoid;
    result = has_feet ? gti_tread_open(context, &scratch, &figure, &sole, error) : result;
    for (int32_t i = 0; has_feet && result == GT_OK && i < count; ++i) {
        if (sensors[i].kind == GT_SENSOR_CONTACT) {
            put_points(&sole, character, &sensors[i]);
        }
    }
    gti_tread_close(&sole);
    gt_figure_close(&figure);
    gt_arena_destroy(&scratch);
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

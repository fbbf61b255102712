// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Addresses of curves. Channels are the scene's to resolve; a derived property is one of a node, which is found by
// asking for that node's translation instead. A joint that no node is named after is found by what it is in a humanoid.

#include "render/plot/address.h"

#include "gertie/map.h"

#include "base/fail.h"
#include "base/near.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Property {
    const char* name;
    GtiPlotSourceKind kind;
    GtQuantity quantity;
    int32_t component_count;
} Property;

static const Property properties[] = {
    { "translation", GTI_PLOT_SOURCE_CHANNEL, GT_QUANTITY_TRANSLATION, 3 },
    { "rotation", GTI_PLOT_SOURCE_CHANNEL, GT_QUANTITY_ROTATION, 4 },
    { "scale", GTI_PLOT_SOURCE_CHANNEL, GT_QUANTITY_SCALE, 3 },
    { "position", GTI_PLOT_SOURCE_POSITION, GT_QUANTITY_POSITION, 3 },
    { "velocity", GTI_PLOT_SOURCE_VELOCITY, GT_QUANTITY_SPEED, 3 },
    { "speed", GTI_PLOT_SOURCE_SPEED, GT_QUANTITY_SPEED, 1 },
    { "angle", GTI_PLOT_SOURCE_ANGLE, GT_QUANTITY_ANGLE, 1 },
};

enum {
    PROPERTY_COUNT = sizeof properties / sizeof properties[0]
};

static GtResult unknown_property(const char* name, GtError* error)
{
    char text[128];
    GtiNear near = gti_near(name);
    for (int i = 0; i < PROPERTY_COUNT; ++i) {
        gti_near_offer(&near, properties[i].name);
    }
    return gti_fail(error, GT_ERROR_NOT_FOUND, "a joint has no '%s'%s%s", name,
                    gti_near_print(&near, text, sizeof text),
                    near.count ? "" : "; it has translation, rotation, scale, position, velocity, speed and angle");
}

static GtResult check_component(const Property* property, const GtChannelAddress* address, GtError* error)
{
    if (address->index_count == 0 && address->component < property->component_count &&
        (property->component_count > 1 || address->component == GT_NONE)) {
        return GT_OK;
    }
    if (property->component_count == 1) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "%s is one number, without components%s", property->name,
                        property->kind == GTI_PLOT_SOURCE_SPEED ? "; velocity has x, y and z" : "");
    }
    return gti_fail(error, GT_ERROR_NOT_FOUND, "%s has the components %s", property->name,
                    property->component_count == 4 ? "x, y, z and w" : "x, y and z");
}

// Whether a unit in the space of the parent of the channel's node is no metre, at rest.
static bool parent_is_scaled(const GtScene* scene, const GtChannel* channel)
{
    double scale[3] = { 1.0, 1.0, 1.0 };
    int32_t node = scene->nodes[channel->target].parent;
    for (; node != GT_NONE; node = scene->nodes[node].parent) {
        scale[0] *= fabs((double)scene->nodes[node].local.scale.x);
        scale[1] *= fabs((double)scene->nodes[node].local.scale.y);
        scale[2] *= fabs((double)scene->nodes[node].local.scale.z);
    }
    bool is_metric = fabs(scale[0] - 1.0) < 1e-3 && fabs(scale[1] - 1.0) < 1e-3 && fabs(scale[2] - 1.0) < 1e-3;
    return !is_metric;
}

// The node that is a joint of the humanoid vocabulary, or GT_NONE.
static int32_t find_humanoid_node(const GtContext* context, const GtScene* scene, const char* name)
{
    GtHumanoidMap map;
    GtMapDef def = gt_default_map_def();
    int32_t joint = gt_humanoid_find(name);
    bool is_mapped = joint != GT_NONE && gt_map_humanoid(context, scene, &def, &map, NULL, NULL) == GT_OK;
    return is_mapped ? map.nodes[joint] : GT_NONE;
}

static GtResult resolve_node(const GtContext* context, const GtScene* scene, const GtChannelAddress* address,
                             GtiPlotSource* out, GtError* error)
{
    const Property* property = properties;
    while (property < properties + PROPERTY_COUNT && strcmp(property->name, address->property) != 0) {
        ++property;
    }
    if (property == properties + PROPERTY_COUNT) {
        return unknown_property(address->property, error);
    }
    GtResult result = check_component(property, address, error);
    if (result != GT_OK) {
        return result;
    }
    char channel[sizeof address->name + 32];
    const char* channel_property = property->kind == GTI_PLOT_SOURCE_CHANNEL ? property->name : "translation";
    snprintf(channel, sizeof channel, "node:%s.%s", address->name, channel_property);
    out->kind = property->kind;
    out->property = property->name;
    out->quantity = property->quantity;
    out->component_count = property->component_count;
    result = gt_channel_resolve(scene, channel, &out->channel, error);
    int32_t node = result == GT_ERROR_NOT_FOUND ? find_humanoid_node(context, scene, address->name) : GT_NONE;
    if (node != GT_NONE) {
        snprintf(channel, sizeof channel, "node:#%d.%s", (int)node, channel_property);
        result = gt_channel_resolve(scene, channel, &out->channel, error);
    }
    if (result == GT_OK && property->quantity == GT_QUANTITY_TRANSLATION && parent_is_scaled(scene, &out->channel)) {
        out->quantity = GT_QUANTITY_SCALED_TRANSLATION;
    }
    return result;
}

static GtResult resolve(const GtContext* context, const GtScene* scene, const char* text, GtiPlotSource* out,
                        GtError* error)
{
    GtChannelAddress address;
    *out = (GtiPlotSource){ .component_count = 1 };
    GtResult result = gt_channel_parse(text, &address, error);
    if (result != GT_OK) {
        return result;
    }
    if (!address.domain[0]) {
        result = resolve_node(context, scene, &address, out, error);
    } else {
        result = gt_channel_resolve(scene, text, &out->channel, error);
        bool is_camera = out->channel.kind == GT_CHANNEL_CAMERA_FOV;
        out->property = is_camera ? "field of view" : "weight";
        out->quantity = is_camera ? GT_QUANTITY_ANGLE : GT_QUANTITY_WEIGHT;
    }
    if (address.component != GT_NONE) {
        out->first_component = address.component;
        out->component_count = 1;
    }
    return result;
}

GtResult gti_plot_source_resolve(const GtContext* context, const GtScene* scene, const char* address,
                                 GtiPlotSource* out, GtError* error)
{
    GtResult result = resolve(context, scene, address, out, error);
    if (result != GT_OK && error) {
        GtError what = *error;
        gti_fail_at(error, what.code, address, "%s", what.message);
    }
    return result;
}

GtResult gt_plot_series_check(const GtContext* context, const GtScene* scene, const char* address, GtError* error)
{
    GtiPlotSource ignored;
    return gti_plot_source_resolve(context, scene, address, &ignored, error);
}

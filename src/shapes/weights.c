// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Values of shapes, and the weights that they come to: sums of what controls give; hats over the value of a main shape
// for those between (linear curves that are 1 at their own place and 0 at the others'); convex groups; products for
// correctives. Over a clip, a shape's own weight there is a part of its value.

#include "shapes/compile.h"

#include "base/sort.h"

#include <stdio.h>
#include <string.h>

static const char convex_sum[] = "shape:";

bool gti_shape_is_convex(const GtiCompiledShape* shape)
{
    return shape->rule->kind == GT_SHAPE_ABSOLUTE && shape->rule->drive_count > 0 && shape->between_count == 0 &&
           !shape->skipped;
}

// Without a slash, which names of channels are cut at.
static const char* name_value(GtiShapeCompiler* c, const GtShapeRule* rule)
{
    return rule->mesh ? gti_shape_text(c, "shape:%s:%s", rule->mesh, rule->name)
                      : gti_shape_text(c, "shape:%s", rule->name, NULL);
}

// What a control gives, into a channel.
static GtResult add_drive(GtiShapeCompiler* c, const char* channel, const GtShapeDrive* drive)
{
    const char* control = gti_shape_control_value(c, drive->control);
    const char* own = control ? gti_shape_text(c, "'%s'", control, NULL) : NULL;
    if (!channel || !own) {
        return gti_out_of_memory(c->error);
    }
    return drive->curve ? gti_shape_add_curve(c, channel, control, drive->curve)
                        : gti_shape_add_formula(c, channel, own);
}

// Several controls: each its own value, and their sum, in pieces that formulas can hold.
static GtResult add_drives(GtiShapeCompiler* c, GtiCompiledShape* shape)
{
    char part[GTI_SHAPE_NAME];
    char text[(GTI_SHAPE_TERMS + 1) * GTI_SHAPE_NAME];
    GtResult result = GT_OK;
    int length = 0;
    for (int32_t d = 0; d < shape->rule->drive_count && result == GT_OK; ++d) {
        snprintf(part, sizeof part, "%s+%d", shape->value, (int)d);
        const char* name = gt_arena_push_text(c->arena, part, strlen(part));
        gti_shape_add_value(c, name, 0.0f);
        result = add_drive(c, name, &shape->rule->drives[d]);
        bool starts = d % GTI_SHAPE_TERMS == 0;
        length = starts && d > 0 ? snprintf(text, sizeof text, "'%s'", shape->value) : starts ? 0 : length;
        length += snprintf(text + length, sizeof text - (size_t)length, "%s'%s'", length > 0 ? " + " : "", part);
        bool ends = (d + 1) % GTI_SHAPE_TERMS == 0 || d + 1 == shape->rule->drive_count;
        if (result == GT_OK && ends) {
            result = gti_shape_add_formula(c, shape->value, text);
        }
    }
    return result;
}

// The clip's weight and what controls give together: their sum, kept from 0 to 1, or as far as one of both goes itself.
static GtResult add_to_clip(GtiShapeCompiler* c, const GtiCompiledShape* shape, const char* value, const char* channel)
{
    char text[7 * GTI_SHAPE_NAME];
    const char* a = shape->channel;
    const char* b = value;
    snprintf(text, sizeof text, "clamp(min(0, min('%s', '%s')), max(1, max('%s', '%s')), '%s' + '%s')", a, b, a, b, a,
             b);
    return gti_shape_add_formula(c, channel, text);
}

static bool has_value(const GtiShapeCompiler* c, const char* name)
{
    for (int32_t i = 0; i < c->out->value_count; ++i) {
        if (strcmp(c->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

// A main shape that no control drives has one of its own name.
static GtResult add_own_control(GtiShapeCompiler* c, GtiCompiledShape* shape)
{
    const char* name = gti_shape_find_control(c, shape->rule->name) != GT_NONE
                           ? gti_shape_control_value(c, shape->rule->name)
                           : gti_shape_text(c, "control:%s", shape->rule->name, NULL);
    if (!name) {
        return gti_out_of_memory(c->error);
    }
    if (!has_value(c, name)) {
        gti_shape_add_value(c, name, 0.0f);
    }
    const char* value = shape->value;
    shape->value = c->def->on_clip ? value : name;
    if (c->def->on_clip) {
        gti_shape_add_value(c, value, 0.0f);
        return add_to_clip(c, shape, name, value);
    }
    return GT_OK;
}

// The value of a shape, and its weight where that is all there is to it.
static GtResult add_shape(GtiShapeCompiler* c, GtiCompiledShape* shape)
{
    const GtShapeRule* rule = shape->rule;
    bool plain = shape->between_count == 0 && !gti_shape_is_convex(shape);
    const char* channel = shape->channel;
    shape->value = channel;
    if (shape->skipped || rule->of || rule->when_count || (plain && rule->drive_count == 0)) {
        return GT_OK;
    }
    if (plain && rule->drive_count == 1 && !c->def->on_clip) {
        return add_drive(c, channel, &rule->drives[0]);
    }
    shape->value = name_value(c, rule);
    if (!shape->value) {
        return gti_out_of_memory(c->error);
    }
    if (rule->drive_count == 0) {
        return add_own_control(c, shape);
    }
    gti_shape_add_value(c, shape->value, 0.0f);
    GtResult result = rule->drive_count == 1 ? add_drive(c, shape->value, &rule->drives[0]) : add_drives(c, shape);
    const char* to = plain ? channel : shape->value;
    if (result == GT_OK && c->def->on_clip) {
        result = add_to_clip(c, shape, shape->value, to);
        shape->value = to;
    } else if (result == GT_OK && plain) {
        char text[GTI_SHAPE_NAME];
        snprintf(text, sizeof text, "'%s'", shape->value);
        result = gti_shape_add_formula(c, channel, text);
    }
    return result;
}

// 1 at its own place, 0 at those of the others and at rest, straight on beyond the ends. Over a clip it is added to
// what that has of a shape between; the main shape's own is in its value already.
static GtResult add_hat(GtiShapeCompiler* c, const GtiCompiledShape* main, const GtiCompiledShape* shape,
                        const float* places, int32_t count)
{
    float* values = gt_arena_push_array(c->arena, (size_t)count, sizeof *values);
    bool adds = c->def->on_clip && shape != main;
    const char* channel = adds ? name_value(c, shape->rule) : shape->channel;
    if (!values || !channel) {
        return gti_out_of_memory(c->error);
    }
    GtCurveDef def = gt_default_curve_def();
    def.law = GT_LAW_LINEAR;
    def.before = def.after = GT_EXTRAPOLATE_LINEAR;
    def.key_count = count;
    def.times_s = places;
    def.values = values;
    for (int32_t i = 0; i < count; ++i) {
        values[i] = places[i] == (shape == main ? 1.0f : shape->rule->at) ? 1.0f : 0.0f;
    }
    GtResult result = gti_shape_add_curve(c, channel, main->value, &def);
    if (result == GT_OK && adds) {
        char text[2 * GTI_SHAPE_NAME];
        gti_shape_add_value(c, channel, 0.0f);
        snprintf(text, sizeof text, "'%s' + '%s'", shape->channel, channel);
        result = gti_shape_add_formula(c, shape->channel, text);
    }
    return result;
}

static GtResult add_between(GtiShapeCompiler* c, int32_t main_index)
{
    const GtiCompiledShape* main = &c->shapes[main_index];
    float* places = gt_arena_push_array(c->arena, (size_t)main->between_count + 2, sizeof *places);
    if (!places) {
        return gti_out_of_memory(c->error);
    }
    int32_t count = 0;
    places[count++] = 0.0f;
    places[count++] = 1.0f;
    for (int32_t i = 0; i < c->def->rule_count; ++i) {
        if (c->shapes[i].main == main_index && !c->shapes[i].skipped) {
            places[count++] = c->shapes[i].rule->at;
        }
    }
    gti_sort_floats(places, count);
    GtResult result = add_hat(c, main, main, places, count);
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        if (c->shapes[i].main == main_index && !c->shapes[i].skipped) {
            result = add_hat(c, main, &c->shapes[i], places, count);
        }
    }
    return result;
}

static GtResult add_convex(GtiShapeCompiler* c)
{
    char text[2 * GTI_SHAPE_NAME];
    GtResult result = c->convex_count > 0 ? gti_shape_add_formula(c, convex_sum, "0") : GT_OK;
    if (c->convex_count > 0) {
        gti_shape_add_value(c, convex_sum, 0.0f);
    }
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        if (gti_shape_is_convex(&c->shapes[i])) {
            snprintf(text, sizeof text, "'%s' + max(0, '%s')", convex_sum, c->shapes[i].value);
            result = gti_shape_add_formula(c, convex_sum, text);
        }
    }
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        if (gti_shape_is_convex(&c->shapes[i])) {
            snprintf(text, sizeof text, "max(0, '%s') / max(1, '%s')", c->shapes[i].value, convex_sum);
            result = gti_shape_add_formula(c, c->shapes[i].channel, text);
        }
    }
    return result;
}

static GtResult add_corrective(GtiShapeCompiler* c, const GtiCompiledShape* shape)
{
    char text[(GT_SHAPE_MAX_WHEN + 1) * GTI_SHAPE_NAME];
    size_t length = 0;
    if (c->def->on_clip) {
        length += (size_t)snprintf(text, sizeof text, "'%s' + ", shape->channel);
    }
    for (int32_t w = 0; w < shape->rule->when_count; ++w) {
        const char* name = shape->rule->when[w];
        int32_t rule = gti_shape_find_rule(c, name, shape->rule->mesh);
        const char* value = rule != GT_NONE                              ? c->shapes[rule].value
                            : gti_shape_find_control(c, name) != GT_NONE ? gti_shape_control_value(c, name)
                                                                         : gti_shape_text(c, "morph:%s", name, NULL);
        if (!value) {
            return gti_out_of_memory(c->error);
        }
        length += (size_t)snprintf(text + length, sizeof text - length, "%smax(0, '%s')", w ? " * " : "", value);
    }
    return gti_shape_add_formula(c, shape->channel, text);
}

GtResult gti_shape_compile_weights(GtiShapeCompiler* c)
{
    GtResult result = GT_OK;
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        result = add_shape(c, &c->shapes[i]);
    }
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        result = c->shapes[i].between_count > 0 ? add_between(c, i) : GT_OK;
    }
    if (result == GT_OK) {
        result = add_convex(c);
    }
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        const GtiCompiledShape* shape = &c->shapes[i];
        result = shape->rule->when_count && !shape->skipped ? add_corrective(c, shape) : GT_OK;
    }
    return result;
}

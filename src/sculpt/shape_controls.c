// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Controls become tracks, in passes: controls are kept in range; values of shapes are summed; shapes between get hats
// over the value of their main shape (linear curves that are 1 at their own place and 0 at the others'); then plain
// weights, convex groups and correctives. Later passes read what earlier ones have written.

#include "gertie/shape_controls.h"

#include "gertie/shapes.h"

#include "base/fail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_SIZE = 640, // "shape:MESH/NAME" with names of 256 bytes
    MOST_NAME = 256,
    SUM_NAMES = 7 // of one formula
};

static const char convex_sum[] = "shape:";

// A rule as it is compiled.
typedef struct Shape {
    const GtShapeRule* rule;
    const char* channel; // of its weight
    const char* value;   // name of its value, to be read
    int32_t main;        // rule it is between of, or GT_NONE
    int32_t between_count;
    bool skipped;
} Shape;

typedef struct Compiler {
    const GtShapeControlsDef* def;
    GtShapeControls* out;
    GtArena* arena;
    GtAllocator allocator;
    Shape* shapes; // [rule_count]
    GtTrackBinding* tracks;
    const char** names;
    float* rests;
    int32_t convex_count;
    GtError* error;
} Compiler;

GtShapeControlsDef gt_default_shape_controls_def(void)
{
    return (GtShapeControlsDef){ .rule_count = 0 };
}

static GtResult fail(const Compiler* c, GtResult code, const char* kind, const char* name, const char* says)
{
    char where[NAME_SIZE];
    snprintf(where, sizeof where, "%s '%.80s'", kind, name);
    return gti_fail_at(c->error, code, where, "%s", says);
}

static GtResult check_name(const Compiler* c, const char* kind, const char* name)
{
    if (!name || !name[0] || strlen(name) > MOST_NAME || strchr(name, '\'')) {
        return fail(c, GT_ERROR_BAD_VALUE, kind, name ? name : "", "needs a name of at most 256 bytes without quotes");
    }
    return GT_OK;
}

static int32_t find_rule(const Compiler* c, const char* name)
{
    for (int32_t i = 0; i < c->def->rule_count; ++i) {
        if (strcmp(c->def->rules[i].name, name) == 0) {
            return i;
        }
    }
    return GT_NONE;
}

static int32_t find_control(const Compiler* c, const char* name)
{
    for (int32_t i = 0; i < c->def->control_count; ++i) {
        if (strcmp(c->def->controls[i].name, name) == 0) {
            return i;
        }
    }
    return GT_NONE;
}

static bool scene_has(const GtScene* scene, const char* mesh, const char* name)
{
    for (int32_t m = 0; m < scene->mesh_count; ++m) {
        const GtMesh* own = &scene->meshes[m];
        if ((!mesh || (own->name && strcmp(own->name, mesh) == 0)) && gt_shapes_find(own, name) != GT_NONE) {
            return true;
        }
    }
    return false;
}

static const char* push_text(Compiler* c, const char* format, const char* a, const char* b)
{
    char text[2 * NAME_SIZE];
    int length = snprintf(text, sizeof text, format, a, b ? b : "");
    return gt_arena_push_text(c->arena, text, (size_t)length);
}

static void add_value(Compiler* c, const char* name, float rest)
{
    c->names[c->out->value_count] = name;
    c->rests[c->out->value_count++] = rest;
}

static GtResult add_formula(Compiler* c, const char* channel, const char* text)
{
    const char* formula = gt_arena_push_text(c->arena, text, strlen(text));
    c->tracks[c->out->track_count++] = (GtTrackBinding){ .channel = channel, .formula = formula };
    return formula && channel ? GT_OK : gti_out_of_memory(c->error);
}

// input: the name of a value
static GtResult add_curve(Compiler* c, const char* channel, const char* input, const GtKeyCurveDef* def)
{
    GtKeyCurve** curve = &c->out->curves[c->out->curve_count];
    GtResult result = gt_key_curve_create(c->allocator, def, curve, c->error);
    c->out->curve_count += result == GT_OK;
    const char* quoted = push_text(c, "'%s'", input, NULL);
    c->tracks[c->out->track_count++] = (GtTrackBinding){ .channel = channel, .curve = *curve, .input = quoted };
    return result != GT_OK || (channel && quoted) ? result : gti_out_of_memory(c->error);
}

static GtResult check_drives(const Compiler* c, const GtShapeRule* rule)
{
    for (int32_t d = 0; d < rule->drive_count; ++d) {
        const GtShapeDrive* drive = &rule->drives[d];
        if (!drive->control || find_control(c, drive->control) == GT_NONE) {
            return fail(c, GT_ERROR_NOT_FOUND, "shape", rule->name, "is driven by a control that is not there");
        }
        for (int32_t e = 0; e < d; ++e) {
            if (strcmp(rule->drives[e].control, drive->control) == 0) {
                return fail(c, GT_ERROR_BAD_VALUE, "shape", rule->name, "is driven by one control twice");
            }
        }
        if (drive->curve && (drive->curve->component_count != 1 || drive->curve->kind != GT_KEY_CURVE_NUMBERS)) {
            return fail(c, GT_ERROR_BAD_VALUE, "shape", rule->name, "is driven by a curve that gives no single number");
        }
    }
    return GT_OK;
}

static GtResult check_rule(const Compiler* c, int32_t i)
{
    const GtShapeRule* rule = &c->def->rules[i];
    GtResult result = check_name(c, "shape", rule->name);
    if (result == GT_OK && rule->mesh) {
        result = check_name(c, "mesh", rule->mesh);
    }
    if (result != GT_OK) {
        return result;
    }
    if (find_rule(c, rule->name) != i) {
        return fail(c, GT_ERROR_BAD_VALUE, "shape", rule->name, "comes twice");
    }
    if ((rule->of != NULL) + (rule->when_count != 0) + (rule->drive_count != 0) > 1) {
        return fail(c, GT_ERROR_BAD_VALUE, "shape", rule->name,
                    "can be one of these: between others, a corrective, driven by controls");
    }
    if (rule->when_count != 0 && (rule->when_count < 2 || rule->when_count > GT_SHAPE_MAX_WHEN)) {
        return fail(c, GT_ERROR_BAD_VALUE, "shape", rule->name, "corrects a combination of 2 to 8 shapes");
    }
    if (rule->of && (!isfinite(rule->at) || rule->at == 0.0f || rule->at == 1.0f)) {
        return fail(c, GT_ERROR_BAD_VALUE, "shape", rule->name,
                    "stands between: give where as a number that is not 0, which is rest, nor 1");
    }
    return check_drives(c, rule);
}

static GtResult check_all(const Compiler* c)
{
    GtResult result = GT_OK;
    if (c->def->rule_count < 0 || c->def->rule_count > GT_SHAPES_MAX || c->def->control_count < 0 ||
        c->def->control_count > GT_SHAPES_MAX) {
        return gti_fail(c->error, GT_ERROR_LIMIT, "there are at most %d shapes and as many controls", GT_SHAPES_MAX);
    }
    for (int32_t i = 0; i < c->def->control_count && result == GT_OK; ++i) {
        const GtShapeControl* control = &c->def->controls[i];
        result = check_name(c, "control", control->name);
        if (result == GT_OK && find_control(c, control->name) != i) {
            result = fail(c, GT_ERROR_BAD_VALUE, "control", control->name, "comes twice");
        }
        if (result == GT_OK && !(control->min <= control->rest && control->rest <= control->max &&
                                 isfinite(control->min) && isfinite(control->max))) {
            result = fail(c, GT_ERROR_BAD_VALUE, "control", control->name, "rests outside of what it may be");
        }
    }
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        result = check_name(c, "shape", c->def->rules[i].name);
    }
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        result = check_rule(c, i);
    }
    return result;
}

// Whether the shape can be played; a failure where it cannot and must.
static GtResult find_target(Compiler* c, Shape* shape)
{
    const GtShapeRule* rule = shape->rule;
    if (c->def->scene && !scene_has(c->def->scene, rule->mesh, rule->name)) {
        shape->skipped = true;
        return c->def->skip_missing
                   ? GT_OK
                   : fail(c, GT_ERROR_NOT_FOUND, "shape", rule->name,
                          rule->mesh ? "its mesh has no such morph target" : "no mesh has such a shape");
    }
    shape->channel =
        rule->mesh ? push_text(c, "morph:%s/%s", rule->mesh, rule->name) : push_text(c, "morph:%s", rule->name, NULL);
    return shape->channel ? GT_OK : gti_out_of_memory(c->error);
}

static GtResult link_between(Compiler* c, Shape* shape)
{
    int32_t main = find_rule(c, shape->rule->of);
    if (main == GT_NONE || c->def->rules[main].of || c->def->rules[main].when_count) {
        return fail(c, GT_ERROR_NOT_FOUND, "shape", shape->rule->name,
                    "stands between rest and a shape that is not listed, or is no main one");
    }
    for (int32_t i = 0; i < c->def->rule_count; ++i) {
        const Shape* other = &c->shapes[i];
        if (other->main == main && !other->skipped && other->rule->at == shape->rule->at) {
            return fail(c, GT_ERROR_BAD_VALUE, "shape", shape->rule->name, "stands where another one does");
        }
    }
    shape->skipped = shape->skipped || c->shapes[main].skipped;
    shape->main = main;
    c->shapes[main].between_count += !shape->skipped;
    return GT_OK;
}

// Every `when` must be there, and before this one where it is a corrective itself.
static GtResult link_corrective(Compiler* c, int32_t index)
{
    Shape* shape = &c->shapes[index];
    for (int32_t w = 0; w < shape->rule->when_count; ++w) {
        const char* name = shape->rule->when[w];
        GtResult result = check_name(c, "shape", name);
        int32_t rule = result == GT_OK ? find_rule(c, name) : GT_NONE;
        if (result != GT_OK) {
            return result;
        }
        if (rule != GT_NONE && c->shapes[rule].rule->when_count && rule >= index) {
            return fail(c, GT_ERROR_BAD_VALUE, "shape", shape->rule->name,
                        "must be listed after the correctives that it corrects");
        }
        if (rule != GT_NONE) {
            shape->skipped = shape->skipped || c->shapes[rule].skipped;
        } else if (find_control(c, name) == GT_NONE && c->def->scene && !scene_has(c->def->scene, NULL, name)) {
            shape->skipped = true;
            if (!c->def->skip_missing) {
                return fail(c, GT_ERROR_NOT_FOUND, "shape", shape->rule->name,
                            "corrects a combination with a shape that is not there");
            }
        }
    }
    return GT_OK;
}

static bool is_convex(const Shape* shape)
{
    return shape->rule->kind == GT_SHAPE_ABSOLUTE && shape->rule->drive_count > 0 && shape->between_count == 0 &&
           !shape->skipped;
}

static GtResult link_all(Compiler* c)
{
    GtResult result = GT_OK;
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        c->shapes[i] = (Shape){ .rule = &c->def->rules[i], .main = GT_NONE };
        result = find_target(c, &c->shapes[i]);
    }
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        result = c->shapes[i].rule->of ? link_between(c, &c->shapes[i]) : GT_OK;
    }
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        result = c->shapes[i].rule->when_count ? link_corrective(c, i) : GT_OK;
    }
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        c->convex_count += is_convex(&c->shapes[i]);
    }
    return result;
}

// Room for all tracks, values and curves that there can be.
static GtResult make_room(Compiler* c)
{
    size_t drive_count = 0;
    for (int32_t i = 0; i < c->def->rule_count; ++i) {
        drive_count += (size_t)c->def->rules[i].drive_count;
    }
    size_t room = (size_t)c->def->control_count + 3 * (size_t)c->def->rule_count + 2 * drive_count + 2;
    c->tracks = gt_arena_push_array(c->arena, room, sizeof *c->tracks);
    c->names = gt_arena_push_array(c->arena, room, sizeof *c->names);
    c->rests = gt_arena_push_array(c->arena, room, sizeof *c->rests);
    c->shapes = gt_arena_push_array(c->arena, (size_t)c->def->rule_count, sizeof *c->shapes);
    c->out->curves = gt_arena_push_array(c->arena, room, sizeof(GtKeyCurve*));
    c->out->tracks = c->tracks;
    c->out->value_names = c->names;
    c->out->value_rests = c->rests;
    bool ok = c->tracks && c->names && c->rests && c->shapes && c->out->curves;
    return ok ? GT_OK : gti_out_of_memory(c->error);
}

static GtResult add_controls(Compiler* c)
{
    GtResult result = GT_OK;
    for (int32_t i = 0; i < c->def->control_count && result == GT_OK; ++i) {
        const GtShapeControl* control = &c->def->controls[i];
        char text[NAME_SIZE];
        const char* name = push_text(c, "control:%s", control->name, NULL);
        add_value(c, name, control->rest);
        snprintf(text, sizeof text, "clamp(%.9g, %.9g, 'control:%s')", (double)control->min, (double)control->max,
                 control->name);
        result = add_formula(c, name, text);
    }
    return result;
}

// What a control gives, into a channel.
static GtResult add_drive(Compiler* c, const char* channel, const GtShapeDrive* drive)
{
    const char* control = push_text(c, "control:%s", drive->control, NULL);
    const char* own = push_text(c, "'control:%s'", drive->control, NULL);
    if (!channel || !control || !own) {
        return gti_out_of_memory(c->error);
    }
    return drive->curve ? add_curve(c, channel, control, drive->curve) : add_formula(c, channel, own);
}

// Several controls: each its own value, and their sum, in pieces that formulas can hold.
static GtResult add_drives(Compiler* c, Shape* shape)
{
    char part[NAME_SIZE];
    char text[SUM_NAMES * NAME_SIZE];
    GtResult result = GT_OK;
    int length = 0;
    for (int32_t d = 0; d < shape->rule->drive_count && result == GT_OK; ++d) {
        snprintf(part, sizeof part, "%s+%d", shape->value, (int)d);
        const char* name = gt_arena_push_text(c->arena, part, strlen(part));
        add_value(c, name, 0.0f);
        result = add_drive(c, name, &shape->rule->drives[d]);
        bool starts = d % (SUM_NAMES - 1) == 0;
        length = starts && d > 0 ? snprintf(text, sizeof text, "'%s'", shape->value) : starts ? 0 : length;
        length += snprintf(text + length, sizeof text - (size_t)length, "%s'%s'", length > 0 ? " + " : "", part);
        bool ends = (d + 1) % (SUM_NAMES - 1) == 0 || d + 1 == shape->rule->drive_count;
        if (result == GT_OK && ends) {
            result = add_formula(c, shape->value, text);
        }
    }
    return result;
}

// The value of a shape, and its weight where that is all there is to it.
static GtResult add_shape(Compiler* c, Shape* shape)
{
    const GtShapeRule* rule = shape->rule;
    bool plain = shape->between_count == 0 && !is_convex(shape);
    shape->value = shape->channel;
    if (shape->skipped || rule->of || rule->when_count || (plain && rule->drive_count == 0)) {
        return GT_OK;
    }
    if (plain && rule->drive_count == 1) {
        return add_drive(c, shape->channel, &rule->drives[0]);
    }
    if (rule->drive_count == 0) {
        shape->value = push_text(c, "control:%s", rule->name, NULL);
        if (shape->value && find_control(c, rule->name) == GT_NONE) {
            add_value(c, shape->value, 0.0f);
        }
        return shape->value ? GT_OK : gti_out_of_memory(c->error);
    }
    shape->value =
        rule->mesh ? push_text(c, "shape:%s/%s", rule->mesh, rule->name) : push_text(c, "shape:%s", rule->name, NULL);
    if (!shape->value) {
        return gti_out_of_memory(c->error);
    }
    add_value(c, shape->value, 0.0f);
    GtResult result = rule->drive_count == 1 ? add_drive(c, shape->value, &rule->drives[0]) : add_drives(c, shape);
    if (result == GT_OK && plain) {
        char text[NAME_SIZE];
        snprintf(text, sizeof text, "'%s'", shape->value);
        result = add_formula(c, shape->channel, text);
    }
    return result;
}

static int compare_floats(const void* a, const void* b)
{
    float x = *(const float*)a;
    float y = *(const float*)b;
    return (x > y) - (x < y);
}

// 1 at its own place, 0 at those of the others and at rest, straight on beyond the ends.
static GtResult add_hat(Compiler* c, const Shape* main, const Shape* shape, const float* places, int32_t count)
{
    GtArenaMark mark = gt_arena_mark(c->arena);
    float* values = gt_arena_push_array(c->arena, (size_t)count, sizeof *values);
    if (!values) {
        return gti_out_of_memory(c->error);
    }
    GtKeyCurveDef def = gt_default_key_curve_def();
    def.law = GT_LAW_LINEAR;
    def.before = def.after = GT_EXTRAPOLATE_LINEAR;
    def.key_count = count;
    def.times_s = places;
    def.values = values;
    for (int32_t i = 0; i < count; ++i) {
        values[i] = places[i] == (shape == main ? 1.0f : shape->rule->at) ? 1.0f : 0.0f;
    }
    GtKeyCurve** curve = &c->out->curves[c->out->curve_count];
    GtResult result = gt_key_curve_create(c->allocator, &def, curve, c->error);
    gt_arena_reset(c->arena, mark);
    if (result != GT_OK) {
        return result;
    }
    c->out->curve_count += 1;
    const char* input = push_text(c, "'%s'", main->value, NULL);
    c->tracks[c->out->track_count++] = (GtTrackBinding){ .channel = shape->channel, .curve = *curve, .input = input };
    return input ? GT_OK : gti_out_of_memory(c->error);
}

static GtResult add_between(Compiler* c, int32_t main_index)
{
    const Shape* main = &c->shapes[main_index];
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
    qsort(places, (size_t)count, sizeof *places, compare_floats);
    GtResult result = add_hat(c, main, main, places, count);
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        if (c->shapes[i].main == main_index && !c->shapes[i].skipped) {
            result = add_hat(c, main, &c->shapes[i], places, count);
        }
    }
    return result;
}

static GtResult add_convex(Compiler* c)
{
    char text[2 * NAME_SIZE];
    GtResult result = c->convex_count > 0 ? add_formula(c, convex_sum, "0") : GT_OK;
    if (c->convex_count > 0) {
        add_value(c, convex_sum, 0.0f);
    }
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        if (is_convex(&c->shapes[i])) {
            snprintf(text, sizeof text, "'%s' + max(0, '%s')", convex_sum, c->shapes[i].value);
            result = add_formula(c, convex_sum, text);
        }
    }
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        if (is_convex(&c->shapes[i])) {
            snprintf(text, sizeof text, "max(0, '%s') / max(1, '%s')", c->shapes[i].value, convex_sum);
            result = add_formula(c, c->shapes[i].channel, text);
        }
    }
    return result;
}

static GtResult add_corrective(Compiler* c, const Shape* shape)
{
    char text[GT_SHAPE_MAX_WHEN * NAME_SIZE];
    size_t length = 0;
    for (int32_t w = 0; w < shape->rule->when_count; ++w) {
        const char* name = shape->rule->when[w];
        int32_t rule = find_rule(c, name);
        const char* domain = rule != GT_NONE ? "" : find_control(c, name) != GT_NONE ? "control:" : "morph:";
        length += (size_t)snprintf(text + length, sizeof text - length, "%smax(0, '%s%s')", w ? " * " : "", domain,
                                   rule != GT_NONE ? c->shapes[rule].value : name);
    }
    return add_formula(c, shape->channel, text);
}

static GtResult compile(Compiler* c)
{
    GtResult result = check_all(c);
    if (result == GT_OK) {
        result = make_room(c);
    }
    if (result == GT_OK) {
        result = link_all(c);
    }
    if (result == GT_OK) {
        result = add_controls(c);
    }
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
        const Shape* shape = &c->shapes[i];
        result = shape->rule->when_count && !shape->skipped ? add_corrective(c, shape) : GT_OK;
    }
    return result;
}

GtResult gt_shape_controls_create(const GtContext* context, const GtShapeControlsDef* def, GtShapeControls** out,
                                  GtError* error)
{
    *out = NULL;
    GtArena arena = gt_arena_create(context->allocator);
    GtShapeControls* controls = gt_arena_push_array(&arena, 1, sizeof *controls);
    if (!controls) {
        return gti_out_of_memory(error);
    }
    Compiler c = { .def = def, .out = controls, .arena = &arena, .allocator = context->allocator, .error = error };
    GtResult result = compile(&c);
    controls->arena = arena;
    if (result != GT_OK) {
        gt_shape_controls_destroy(controls);
        return result;
    }
    *out = controls;
    return GT_OK;
}

void gt_shape_controls_destroy(GtShapeControls* controls)
{
    if (controls) {
        for (int32_t i = 0; i < controls->curve_count; ++i) {
            gt_key_curve_destroy(controls->curves[i]);
        }
        GtArena arena = controls->arena; // which holds the controls themselves
        gt_arena_destroy(&arena);
    }
}

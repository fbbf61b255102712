// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Controls are checked, what rules name is linked, and all of it becomes tracks (shape_override.c,
// shape_weights.c, shape_material.c).

#include "shapes/compile.h"

#include "gertie/shapes.h"

#include "base/ascii.h"
#include "shapes/target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_NAME = 256
};

GtShapeControlsDef gt_default_shape_controls_def(void)
{
    return (GtShapeControlsDef){ .rule_count = 0 };
}

GtResult gti_shape_fail(const GtiShapeCompiler* c, GtResult code, const char* kind, const char* name,
                        const char* format, ...)
{
    char where[GTI_SHAPE_NAME];
    snprintf(where, sizeof where, "%s '%.80s'", kind, name);
    va_list arguments;
    va_start(arguments, format);
    GtResult result = gti_fail_v(c->error, code, where, format, arguments);
    va_end(arguments);
    return result;
}

static GtResult check_name(const GtiShapeCompiler* c, const char* kind, const char* name)
{
    if (!name || !name[0] || strlen(name) > MOST_NAME || strchr(name, '\'')) {
        return gti_shape_fail(c, GT_ERROR_BAD_VALUE, kind, name ? name : "",
                              "needs a name of at most 256 bytes without quotes");
    }
    return GT_OK;
}

static bool is_path(const char* text, const GtShapeRule* rule)
{
    size_t length = rule->mesh ? strlen(rule->mesh) : 0;
    return rule->mesh && strncmp(text, rule->mesh, length) == 0 && text[length] == '/' &&
           strcmp(text + length + 1, rule->name) == 0;
}

int32_t gti_shape_find_rule(const GtiShapeCompiler* c, const char* text, const char* mesh)
{
    int32_t found = GT_NONE;
    int best = 0;
    for (int32_t i = 0; i < c->def->rule_count && best < 3; ++i) {
        const GtShapeRule* rule = &c->def->rules[i];
        bool named = strcmp(rule->name, text) == 0;
        int rank = named && gti_same_text(rule->mesh, mesh) ? 3 : is_path(text, rule) ? 2 : named ? 1 : 0;
        if (rank > best) {
            best = rank;
            found = i;
        }
    }
    return found;
}

int32_t gti_shape_find_control(const GtiShapeCompiler* c, const char* name)
{
    for (int32_t i = 0; i < c->def->control_count; ++i) {
        if (strcmp(c->def->controls[i].name, name) == 0) {
            return i;
        }
    }
    return GT_NONE;
}

const char* gti_shape_text(GtiShapeCompiler* c, const char* format, const char* a, const char* b)
{
    char text[2 * GTI_SHAPE_NAME];
    int length = snprintf(text, sizeof text, format, a, b ? b : "");
    return gt_arena_push_text(c->arena, text, (size_t)length);
}

void gti_shape_add_value(GtiShapeCompiler* c, const char* name, float rest)
{
    c->names[c->out->value_count] = name;
    c->rests[c->out->value_count++] = rest;
}

GtResult gti_shape_add_formula(GtiShapeCompiler* c, const char* channel, const char* text)
{
    const char* formula = gt_arena_push_text(c->arena, text, strlen(text));
    c->tracks[c->out->track_count++] = (GtTrackBinding){ .channel = channel, .formula = formula };
    return formula && channel ? GT_OK : gti_out_of_memory(c->error);
}

// input: the name of a value
GtResult gti_shape_add_curve(GtiShapeCompiler* c, const char* channel, const char* input, const GtCurveDef* def)
{
    GtCurve** curve = &c->out->curves[c->out->curve_count];
    GtResult result = gt_curve_create(c->allocator, def, curve, c->error);
    c->out->curve_count += result == GT_OK;
    const char* quoted = gti_shape_text(c, "'%s'", input, NULL);
    c->tracks[c->out->track_count++] = (GtTrackBinding){ .channel = channel, .curve = *curve, .input = quoted };
    return result != GT_OK || (channel && quoted) ? result : gti_out_of_memory(c->error);
}

static GtResult check_drives(const GtiShapeCompiler* c, const GtShapeRule* rule)
{
    for (int32_t d = 0; d < rule->drive_count; ++d) {
        const GtShapeDrive* drive = &rule->drives[d];
        if (!drive->control || gti_shape_find_control(c, drive->control) == GT_NONE) {
            return gti_shape_fail(c, GT_ERROR_NOT_FOUND, "shape", rule->name,
                                  "is driven by control '%.80s', which does not exist",
                                  drive->control ? drive->control : "");
        }
        for (int32_t e = 0; e < d; ++e) {
            if (strcmp(rule->drives[e].control, drive->control) == 0) {
                return gti_shape_fail(c, GT_ERROR_BAD_VALUE, "shape", rule->name, "is driven by one control twice");
            }
        }
        if (drive->curve && (drive->curve->component_count != 1 || drive->curve->kind != GT_CURVE_NUMBERS)) {
            return gti_shape_fail(c, GT_ERROR_BAD_VALUE, "shape", rule->name,
                                  "is driven by a curve that gives no single number");
        }
    }
    return GT_OK;
}

static GtResult check_rule(const GtiShapeCompiler* c, int32_t i)
{
    const GtShapeRule* rule = &c->def->rules[i];
    GtResult result = check_name(c, "shape", rule->name);
    if (result == GT_OK && rule->mesh) {
        result = check_name(c, "mesh", rule->mesh);
    }
    if (result != GT_OK) {
        return result;
    }
    if (gti_shape_find_rule(c, rule->name, rule->mesh) != i) {
        return gti_shape_fail(c, GT_ERROR_BAD_VALUE, "shape", rule->name, "comes twice");
    }
    if ((rule->of != NULL) + (rule->when_count != 0) + (rule->drive_count != 0) > 1) {
        return gti_shape_fail(c, GT_ERROR_BAD_VALUE, "shape", rule->name,
                              "can be one of these: between others, a corrective, driven by controls");
    }
    if (rule->when_count != 0 && (rule->when_count < 2 || rule->when_count > GT_SHAPE_MAX_WHEN)) {
        return gti_shape_fail(c, GT_ERROR_BAD_VALUE, "shape", rule->name, "corrects a combination of 2 to 8 shapes");
    }
    if (rule->of && (!isfinite(rule->at) || rule->at == 0.0f || rule->at == 1.0f)) {
        return gti_shape_fail(c, GT_ERROR_BAD_VALUE, "shape", rule->name,
                              "stands between: give where as a number that is not 0, which is rest, nor 1");
    }
    return check_drives(c, rule);
}

static GtResult check_all(const GtiShapeCompiler* c)
{
    GtResult result = GT_OK;
    if (c->def->rule_count < 0 || c->def->rule_count > GT_SHAPES_MAX || c->def->control_count < 0 ||
        c->def->control_count > GT_SHAPES_MAX) {
        return gti_fail(c->error, GT_ERROR_LIMIT, "there are at most %d shapes and as many controls", GT_SHAPES_MAX);
    }
    for (int32_t i = 0; i < c->def->control_count && result == GT_OK; ++i) {
        const GtShapeControl* control = &c->def->controls[i];
        result = check_name(c, "control", control->name);
        if (result == GT_OK && gti_shape_find_control(c, control->name) != i) {
            result = gti_shape_fail(c, GT_ERROR_BAD_VALUE, "control", control->name, "comes twice");
        }
        if (result == GT_OK && !(control->min <= control->rest && control->rest <= control->max &&
                                 isfinite(control->min) && isfinite(control->max))) {
            result = gti_shape_fail(c, GT_ERROR_BAD_VALUE, "control", control->name, "rests outside of what it may be");
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
static GtResult find_target(GtiShapeCompiler* c, GtiCompiledShape* shape)
{
    const GtShapeRule* rule = shape->rule;
    if (c->def->scene && !gti_shape_target_is(c->def->scene, rule->mesh, rule->name)) {
        shape->skipped = true;
        if (c->def->skip_missing) {
            return GT_OK;
        }
        return rule->mesh ? gti_shape_fail(c, GT_ERROR_NOT_FOUND, "shape", rule->name,
                                           "there is no such morph target in a mesh '%.80s'", rule->mesh)
                          : gti_shape_fail(c, GT_ERROR_NOT_FOUND, "shape", rule->name, "no mesh has such a shape");
    }
    shape->channel = rule->mesh ? gti_shape_text(c, "morph:%s/%s", rule->mesh, rule->name)
                                : gti_shape_text(c, "morph:%s", rule->name, NULL);
    return shape->channel ? GT_OK : gti_out_of_memory(c->error);
}

static GtResult link_between(GtiShapeCompiler* c, GtiCompiledShape* shape)
{
    int32_t main = gti_shape_find_rule(c, shape->rule->of, shape->rule->mesh);
    if (main == GT_NONE || c->def->rules[main].of || c->def->rules[main].when_count) {
        return gti_shape_fail(c, GT_ERROR_NOT_FOUND, "shape", shape->rule->name,
                              "stands between rest and a shape that is not listed, or is no main one");
    }
    for (int32_t i = 0; i < c->def->rule_count; ++i) {
        const GtiCompiledShape* other = &c->shapes[i];
        if (other->main == main && !other->skipped && other->rule->at == shape->rule->at) {
            return gti_shape_fail(c, GT_ERROR_BAD_VALUE, "shape", shape->rule->name, "stands where another one does");
        }
    }
    shape->skipped = shape->skipped || c->shapes[main].skipped;
    shape->main = main;
    c->shapes[main].between_count += !shape->skipped;
    return GT_OK;
}

// Every `when` must be there, and before this one where it is a corrective itself.
static GtResult link_corrective(GtiShapeCompiler* c, int32_t index)
{
    GtiCompiledShape* shape = &c->shapes[index];
    for (int32_t w = 0; w < shape->rule->when_count; ++w) {
        const char* name = shape->rule->when[w];
        GtResult result = check_name(c, "shape", name);
        int32_t rule = result == GT_OK ? gti_shape_find_rule(c, name, shape->rule->mesh) : GT_NONE;
        if (result != GT_OK) {
            return result;
        }
        if (rule != GT_NONE && c->shapes[rule].rule->when_count && rule >= index) {
            return gti_shape_fail(c, GT_ERROR_BAD_VALUE, "shape", shape->rule->name,
                                  "must be listed after the correctives that it corrects");
        }
        if (rule != GT_NONE) {
            shape->skipped = shape->skipped || c->shapes[rule].skipped;
        } else if (gti_shape_find_control(c, name) == GT_NONE && c->def->scene &&
                   !gti_shape_target_is(c->def->scene, NULL, name)) {
            shape->skipped = true;
            if (!c->def->skip_missing) {
                return gti_shape_fail(c, GT_ERROR_NOT_FOUND, "shape", shape->rule->name,
                                      "corrects a combination with '%.80s', which does not exist", name);
            }
        }
    }
    return GT_OK;
}

static GtResult link_all(GtiShapeCompiler* c)
{
    GtResult result = GT_OK;
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        c->shapes[i] = (GtiCompiledShape){ .rule = &c->def->rules[i], .main = GT_NONE };
        result = find_target(c, &c->shapes[i]);
    }
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        result = c->shapes[i].rule->of ? link_between(c, &c->shapes[i]) : GT_OK;
    }
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        result = c->shapes[i].rule->when_count ? link_corrective(c, i) : GT_OK;
    }
    for (int32_t i = 0; i < c->def->rule_count && result == GT_OK; ++i) {
        c->convex_count += gti_shape_is_convex(&c->shapes[i]);
    }
    return result;
}

// Room for all tracks, values and curves that there can be.
static GtResult make_room(GtiShapeCompiler* c)
{
    size_t drive_count = 0;
    size_t control_room = 0;
    size_t material_room = 0;
    GtResult result = gti_shape_check_overrides(c, &control_room);
    if (result == GT_OK) {
        result = gti_shape_check_materials(c, &material_room);
    }
    if (result != GT_OK) {
        return result;
    }
    for (int32_t i = 0; i < c->def->rule_count; ++i) {
        drive_count += (size_t)c->def->rules[i].drive_count;
    }
    size_t room = control_room + material_room + 4 * (size_t)c->def->rule_count + 2 * drive_count + 2;
    c->tracks = gt_arena_push_array(c->arena, room, sizeof *c->tracks);
    c->names = gt_arena_push_array(c->arena, room, sizeof *c->names);
    c->rests = gt_arena_push_array(c->arena, room, sizeof *c->rests);
    c->is_felt = gt_arena_push_array(c->arena, (size_t)c->def->control_count, sizeof *c->is_felt);
    c->shapes = gt_arena_push_array(c->arena, (size_t)c->def->rule_count, sizeof *c->shapes);
    c->out->curves = gt_arena_push_array(c->arena, room, sizeof(GtCurve*));
    c->out->tracks = c->tracks;
    c->out->value_names = c->names;
    c->out->value_rests = c->rests;
    bool ok = c->tracks && c->names && c->rests && c->is_felt && c->shapes && c->out->curves;
    return ok ? GT_OK : gti_out_of_memory(c->error);
}

static GtResult compile(const GtContext* context, GtiShapeCompiler* c)
{
    GtResult result = check_all(c);
    if (result == GT_OK) {
        result = make_room(c);
    }
    if (result == GT_OK) {
        result = link_all(c);
    }
    if (result == GT_OK) {
        result = gti_shape_compile_controls(c);
    }
    if (result == GT_OK) {
        result = gti_shape_compile_weights(c);
    }
    return result == GT_OK ? gti_shape_compile_materials(context, c) : result;
}

GtResult gt_shape_controls_create(const GtContext* context, const GtShapeControlsDef* def, GtShapeControls** out,
                                  GtError* error)
{
    def = def ? def : (GtShapeControlsDef[]){ gt_default_shape_controls_def() };
    *out = NULL;
    GtArena arena = gt_arena_create(context->allocator);
    GtShapeControls* controls = gt_arena_push_array(&arena, 1, sizeof *controls);
    if (!controls) {
        return gti_out_of_memory(error);
    }
    GtiShapeCompiler c = {
        .def = def, .out = controls, .arena = &arena, .allocator = context->allocator, .error = error
    };
    GtResult result = compile(context, &c);
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
            gt_curve_destroy(controls->curves[i]);
        }
        gt_arena_destroy(&controls->arena);
    }
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What is felt of controls: kept in range, on or off where they are binary, and held back by others, as VRM 1.0 has it
// (VRMC_vrm, "Procedural override"). What holds a control back is summed over all that do: 1 of each that blocks it and
// is above 0, and its own value of each that fades it; what is felt is 1 less that sum, and nothing of a binary control
// where there is any. All of it is by what controls are before they are held back themselves.

#include "shapes/compile.h"

#include "base/format.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_OVERRIDES = 8192
};

static GtResult check_list(const GtiShapeCompiler* c, const GtShapeControl* control, const char* const* names,
                           int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (!names[i] || gti_shape_find_control(c, names[i]) == GT_NONE) {
            return gti_shape_fail(c, GT_ERROR_NOT_FOUND, "control", control->name,
                                  "blocks or fades control '%.80s', which does not exist", names[i] ? names[i] : "");
        }
        if (strcmp(names[i], control->name) == 0) {
            return gti_shape_fail(c, GT_ERROR_BAD_VALUE, "control", control->name, "blocks or fades itself");
        }
    }
    return GT_OK;
}

GtResult gti_shape_check_overrides(const GtiShapeCompiler* c, size_t* count)
{
    GtResult result = GT_OK;
    int64_t sum = 0;
    for (int32_t i = 0; i < c->def->control_count && result == GT_OK; ++i) {
        const GtShapeControl* control = &c->def->controls[i];
        sum += (int64_t)control->block_count + control->fade_count;
        if (control->block_count < 0 || control->fade_count < 0 || sum > MOST_OVERRIDES) {
            return gti_fail(c->error, GT_ERROR_LIMIT, "controls block and fade each other more than %d times",
                            MOST_OVERRIDES);
        }
        result = check_list(c, control, control->blocks, control->block_count);
        if (result == GT_OK) {
            result = check_list(c, control, control->fades, control->fade_count);
        }
    }
    *count = (size_t)sum + 3 * (size_t)c->def->control_count;
    return result;
}

static bool has_name(const char* const* names, int32_t count, const char* name)
{
    for (int32_t i = 0; i < count; ++i) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static GtResult add_clamps(GtiShapeCompiler* c)
{
    GtResult result = GT_OK;
    for (int32_t i = 0; i < c->def->control_count && result == GT_OK; ++i) {
        const GtShapeControl* control = &c->def->controls[i];
        char text[GTI_SHAPE_NAME];
        const char* name = gti_shape_text(c, "control:%s", control->name, NULL);
        gti_shape_add_value(c, name, control->rest);
        gti_format(text, sizeof text, "clamp(%.9g, %.9g, 'control:%s')", (double)control->min, (double)control->max,
                   control->name);
        result = gti_shape_add_formula(c, name, text);
    }
    return result;
}

// What a control is before it is held back.
static void print_input(const GtShapeControl* control, char* out, size_t out_size)
{
    if (control->is_binary) {
        snprintf(out, out_size, "(1 - step('control:%s', 0.5))", control->name);
    } else {
        snprintf(out, out_size, "'control:%s'", control->name);
    }
}

// One after the other into `held:NAME`; which stays NULL where nothing holds the control back.
static GtResult add_terms(GtiShapeCompiler* c, const GtShapeControl* control, const char** held)
{
    char input[GTI_SHAPE_NAME];
    char text[(GTI_SHAPE_TERMS + 1) * (GTI_SHAPE_NAME + 32)];
    int length = 0;
    int32_t terms = 0;
    GtResult result = GT_OK;
    *held = NULL;
    for (int32_t i = 0; i < c->def->control_count && result == GT_OK; ++i) {
        const GtShapeControl* by = &c->def->controls[i];
        bool blocks = has_name(by->blocks, by->block_count, control->name);
        if (!blocks && !has_name(by->fades, by->fade_count, control->name)) {
            continue;
        }
        if (!*held) {
            *held = gti_shape_text(c, "held:%s", control->name, NULL);
            if (!*held) {
                return gti_out_of_memory(c->error);
            }
            gti_shape_add_value(c, *held, 0.0f);
        }
        print_input(by, input, sizeof input);
        length += snprintf(text + length, sizeof text - (size_t)length, blocks ? "%s(1 - step(%s, 0))" : "%smax(0, %s)",
                           length > 0 ? " + " : "", input);
        if (++terms == GTI_SHAPE_TERMS) {
            result = gti_shape_add_formula(c, *held, text);
            length = snprintf(text, sizeof text, "'held:%s'", control->name);
            terms = 0;
        }
    }
    return result == GT_OK && terms > 0 ? gti_shape_add_formula(c, *held, text) : result;
}

static GtResult add_felt(GtiShapeCompiler* c, int32_t index)
{
    const GtShapeControl* control = &c->def->controls[index];
    const char* held = NULL;
    GtResult result = add_terms(c, control, &held);
    if (result != GT_OK || (!held && !control->is_binary)) {
        return result;
    }
    char input[GTI_SHAPE_NAME];
    char text[3 * GTI_SHAPE_NAME];
    const char* felt = gti_shape_text(c, "felt:%s", control->name, NULL);
    gti_shape_add_value(c, felt, 0.0f);
    print_input(control, input, sizeof input);
    if (!held) {
        snprintf(text, sizeof text, "%s", input);
    } else if (control->is_binary) {
        snprintf(text, sizeof text, "%s * step('%s', 0)", input, held);
    } else {
        snprintf(text, sizeof text, "%s * (1 - clamp(0, 1, '%s'))", input, held);
    }
    c->is_felt[index] = true;
    return gti_shape_add_formula(c, felt, text);
}

GtResult gti_shape_compile_controls(GtiShapeCompiler* c)
{
    GtResult result = add_clamps(c);
    for (int32_t i = 0; i < c->def->control_count && result == GT_OK; ++i) {
        result = add_felt(c, i);
    }
    return result;
}

const char* gti_shape_control_value(GtiShapeCompiler* c, const char* control)
{
    int32_t index = gti_shape_find_control(c, control);
    return gti_shape_text(c, index != GT_NONE && c->is_felt[index] ? "felt:%s" : "control:%s", control, NULL);
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Tracks: a law each, bound to a variable. Laws are made here, channels are found in variable.c.

#include "runtime/drive/track.h"

#include "gertie/formula.h"

#include "base/fail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_COMPONENTS = 4
};

typedef struct Track {
    GtiVariable variable;
    const GtCurve* curve;
    GtFormula* formula; // what drives, or, with a curve, where on it
    GtiVariable* names; // [gt_formula_name_count()]
    GtTrackFunction function;
    void* user;
    bool spread; // one number for all components
} Track;

struct GtTrackSet {
    GtArena arena;
    int32_t track_count;
    Track* tracks;
};

GtTrackSetDef gt_default_track_set_def(void)
{
    return (GtTrackSetDef){ .character = NULL };
}

static GtResult bind_names(GtArena* arena, const GtTrackSetDef* def, Track* track, GtError* error)
{
    int32_t count = gt_formula_name_count(track->formula);
    track->names = gt_arena_push_array(arena, (size_t)count, sizeof *track->names);
    if (!track->names) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < count; ++i) {
        const char* name = gt_formula_name(track->formula, i);
        GtResult result = gti_variable_find(arena, def, name, &track->names[i], error);
        if (result == GT_OK && track->names[i].component_count > 1) {
            result =
                gti_fail(error, GT_ERROR_BAD_VALUE, "'%.80s' is not one number: say which, as in %.80s.x", name, name);
        }
        if (result != GT_OK) {
            return result;
        }
    }
    return GT_OK;
}

// How many numbers the law gives, and whether they are a rotation.
static GtResult check_fit(const GtTrackBinding* binding, Track* track, GtError* error)
{
    const GtiVariable* variable = &track->variable;
    bool whole = variable->kind == GTI_VARIABLE_ROTATION;
    bool turns = binding->curve && gt_curve_kind(binding->curve) == GT_CURVE_ROTATION;
    int32_t given = binding->curve      ? gt_curve_component_count(binding->curve)
                    : binding->function ? variable->component_count
                                        : 1;
    if (variable->kind == GTI_VARIABLE_ANGLE || variable->kind == GTI_VARIABLE_ANGLE_DEG) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "an angle is read, not driven: drive the node's turn or rotation");
    }
    if (whole && (variable->component != GT_NONE || (!turns && !binding->function))) {
        return gti_fail(error, GT_ERROR_BAD_VALUE,
                        "a rotation is driven as a whole, by a curve of rotations; for an angle drive its turn");
    }
    if (turns && !whole) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a curve of rotations drives rotations only");
    }
    track->spread = given == 1 && variable->kind == GTI_VARIABLE_SCALE && variable->component_count == 3;
    if (given != variable->component_count && !track->spread) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the law gives %d numbers, the channel has %d", given,
                        variable->component_count);
    }
    return GT_OK;
}

static GtResult bind(GtArena* arena, const GtTrackSetDef* def, const GtTrackBinding* binding, Track* track,
                     GtError* error)
{
    int laws = (binding->curve != NULL) + (binding->formula != NULL) + (binding->function != NULL);
    if (laws != 1 || !binding->channel) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "needs a channel and one of curve, formula and function");
    }
    if (binding->input && !binding->curve) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "an input goes with a curve: a formula names what it needs itself");
    }
    track->curve = binding->curve;
    track->function = binding->function;
    track->user = binding->user;
    GtResult result = gti_variable_find(arena, def, binding->channel, &track->variable, error);
    if (result == GT_OK) {
        result = check_fit(binding, track, error);
    }
    const char* formula = binding->formula ? binding->formula : binding->input;
    if (result == GT_OK && formula) {
        result = gt_formula_create(arena->allocator, formula, &track->formula, error);
    }
    return result == GT_OK && track->formula ? bind_names(arena, def, track, error) : result;
}

static GtResult bind_all(GtTrackSet* set, const GtTrackSetDef* def, GtError* error)
{
    set->tracks = gt_arena_push_array(&set->arena, (size_t)def->track_count, sizeof *set->tracks);
    if (!set->tracks) {
        return gti_out_of_memory(error);
    }
    set->track_count = def->track_count;
    for (int32_t i = 0; i < def->track_count; ++i) {
        GtResult result = bind(&set->arena, def, &def->tracks[i], &set->tracks[i], error);
        if (result != GT_OK) {
            if (error && !error->where[0]) {
                const char* channel = def->tracks[i].channel;
                snprintf(error->where, sizeof error->where, "track %d '%.100s'", i, channel ? channel : "");
            }
            return result;
        }
    }
    return GT_OK;
}

GtResult gt_track_set_create(GtAllocator allocator, const GtTrackSetDef* def, GtTrackSet** out, GtError* error)
{
    def = def ? def : (GtTrackSetDef[]){ gt_default_track_set_def() };
    *out = NULL;
    if (def->track_count < 0 || (def->track_count && !def->tracks) || def->value_count < 0 ||
        (def->value_count && !def->value_names)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "%d tracks and %d values, but no arrays of them", def->track_count,
                        def->value_count);
    }
    GtArena arena = gt_arena_create(allocator);
    GtTrackSet* set = gt_arena_push_array(&arena, 1, sizeof *set);
    if (!set) {
        return gti_out_of_memory(error);
    }
    set->arena = arena;
    GtResult result = bind_all(set, def, error);
    if (result != GT_OK) {
        gt_track_set_destroy(set);
        return result;
    }
    *out = set;
    return GT_OK;
}

void gt_track_set_destroy(GtTrackSet* set)
{
    if (!set) {
        return;
    }
    for (int32_t i = 0; i < set->track_count; ++i) {
        gt_formula_destroy(set->tracks[i].formula);
    }
    gt_arena_destroy(&set->arena);
}

static double eval_formula(const Track* track, double time_s, const GtState* state)
{
    double values[GT_FORMULA_MAX_NAMES];
    int32_t count = gt_formula_name_count(track->formula);
    for (int32_t i = 0; i < count; ++i) {
        values[i] = gti_variable_get(&track->names[i], state);
    }
    return gt_formula_eval(track->formula, time_s, values);
}

void gti_track_set_apply(const GtTrackSet* set, double time_s, const GtState* state, const GtiValueBounds* bounds)
{
    for (int32_t i = 0; i < set->track_count; ++i) {
        const Track* track = &set->tracks[i];
        int32_t value = bounds && track->variable.kind == GTI_VARIABLE_VALUE ? track->variable.index : GT_NONE;
        if (value != GT_NONE && bounds->given && isfinite(bounds->given[value])) {
            continue;
        }
        float values[MAX_COMPONENTS] = { NAN, NAN, NAN, NAN }; // what a function forgets stays as it is
        double at = track->formula ? eval_formula(track, time_s, state) : time_s;
        if (track->curve && (!track->formula || isfinite(at))) {
            gt_curve_eval(track->curve, at, values);
        } else if (track->formula && !track->curve) {
            values[0] = (float)at;
        } else if (track->function) {
            track->function(track->user, time_s, state, values);
        }
        if (track->spread) {
            values[1] = values[2] = values[0];
        }
        gti_variable_set(&track->variable, state, values);
        if (value != GT_NONE) {
            state->values[value] = fminf(fmaxf(state->values[value], bounds->mins[value]), bounds->maxs[value]);
        }
    }
}

void gt_track_set_apply(const GtTrackSet* set, double time_s, GtState state)
{
    gti_track_set_apply(set, time_s, &state, NULL);
}

bool gti_track_set_moves_nodes(const GtTrackSet* set)
{
    for (int32_t i = 0; i < set->track_count; ++i) {
        if (set->tracks[i].variable.kind <= GTI_VARIABLE_ANGLE_DEG) {
            return true;
        }
    }
    return false;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A frame of drivers. Sensors look at the pose as it came, before tracks change it; springs hang on what tracks have
// made of it. A state is one block: the struct, what is given, values, senses, weights, springs, each at a multiple of
// 16 bytes.

#include "runtime/drive/drivers.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/scalar.h"
#include "runtime/drive/jiggle.h"
#include "runtime/drive/track.h"
#include "runtime/section/section.h"

#include <math.h>
#include <string.h>

static const double longest_step_s = 1e6; // of springs
static const float blend_s = 0.1f;        // in which a contact comes and goes

// What a sensor remembers.
typedef struct Sense {
    GtVec3 places[GT_SENSOR_MAX_POINTS]; // in the world, in the last frame
    bool stands[GT_SENSOR_MAX_POINTS];
    float level; // of a contact, going from 0 to 1
    float value;
} Sense;

typedef struct History {
    bool is_running; // there was a frame before
    Sense* senses;   // [sensor_count]
    float* sensed;   // [sensor_count]
    float* bases;    // [weight_count] morph weights as they came into the last frame
    float* made;     // [weight_count] and as they left it
    void* springs;
} History;

// Sizes of the parts, in order.
typedef struct Layout {
    size_t head;
    size_t values; // and as much for what is given
    size_t history;
    size_t senses;
    size_t sensed;
    size_t weights; // as they came, and as much as they left
    size_t springs;
} Layout;

static Layout layout_of(const GtDrivers* drivers)
{
    size_t sensor_count = (size_t)drivers->def.sensor_count;
    return (Layout){
        .head = gti_round_up16(sizeof(GtDriversState)),
        .values = gti_round_up16(((size_t)drivers->def.value_count + sensor_count) * sizeof(float)),
        .history = gti_round_up16(sizeof(History)),
        .senses = gti_round_up16(sensor_count * sizeof(Sense)),
        .sensed = gti_round_up16(sensor_count * sizeof(float)),
        .weights = gti_round_up16((size_t)gt_character_def(drivers->def.character)->weight_count * sizeof(float)),
        .springs = gti_drivers_springs_size(drivers),
    };
}

size_t gt_drivers_state_size(const GtDrivers* drivers)
{
    Layout layout = layout_of(drivers);
    return layout.head + 2 * layout.values + layout.history + layout.senses + layout.sensed + 2 * layout.weights +
           layout.springs;
}

GtDriversState* gt_drivers_state_init(const GtDrivers* drivers, void* memory)
{
    GT_ASSERT((uintptr_t)memory % 16 == 0);
    Layout layout = layout_of(drivers);
    memset(memory, 0, gt_drivers_state_size(drivers));
    GtDriversState* state = memory;
    char* at = memory;
    *state = (GtDriversState){ .drivers = drivers };
    at += layout.head;
    state->given = (float*)at;
    at += layout.values;
    state->values = (float*)at;
    at += layout.values;
    History* history = (History*)at;
    state->history = history;
    at += layout.history;
    history->senses = (Sense*)at;
    at += layout.senses;
    history->sensed = (float*)at;
    at += layout.sensed;
    history->bases = (float*)at;
    at += layout.weights;
    history->made = (float*)at;
    at += layout.weights;
    history->springs = at;
    for (int32_t i = 0; i < drivers->def.value_count + drivers->def.sensor_count; ++i) {
        state->given[i] = NAN;
    }
    gt_drivers_reset(state);
    return state;
}

GtResult gt_drivers_state_create(GtAllocator allocator, const GtDrivers* drivers, GtDriversState** out, GtError* error)
{
    *out = NULL;
    void* memory = allocator.allocate(allocator.user, gt_drivers_state_size(drivers));
    if (!memory) {
        return gti_out_of_memory(error);
    }
    *out = gt_drivers_state_init(drivers, memory);
    (*out)->allocator = allocator;
    return GT_OK;
}

void gt_drivers_state_destroy(GtDriversState* state)
{
    if (state && state->allocator.release) {
        state->allocator.release(state->allocator.user, state);
    }
}

void gt_drivers_reset(GtDriversState* state)
{
    const GtDrivers* drivers = state->drivers;
    History* history = state->history;
    size_t value_count = (size_t)drivers->def.value_count + (size_t)drivers->def.sensor_count;
    history->is_running = false;
    memset(history->senses, 0, (size_t)drivers->def.sensor_count * sizeof(Sense));
    memset(history->sensed, 0, (size_t)drivers->def.sensor_count * sizeof(float));
    memcpy(state->values, drivers->rests, value_count * sizeof(float));
    gti_drivers_springs_reset(drivers, history->springs);
}

size_t gti_drivers_springs_size(const GtDrivers* drivers)
{
    size_t size = 0;
    for (int32_t i = 0; i < drivers->def.jiggle_count; ++i) {
        size += gti_round_up16(gti_jiggle_state_size(&drivers->def.jiggles[i], drivers->def.character));
    }
    return size;
}

void gti_drivers_springs_reset(const GtDrivers* drivers, void* springs)
{
    char* at = springs;
    for (int32_t i = 0; i < drivers->def.jiggle_count; ++i) {
        const GtJiggleDef* jiggle = &drivers->def.jiggles[i];
        gti_jiggle_reset(jiggle, drivers->def.character, at);
        at += gti_round_up16(gti_jiggle_state_size(jiggle, drivers->def.character));
    }
}

void gti_drivers_swing(const GtDrivers* drivers, const GtMat34* world_from_model, double step_s, void* springs,
                       GtInstance* instance)
{
    const GtCharacter* character = drivers->def.character;
    char* at = springs;
    for (int32_t i = 0; i < drivers->def.jiggle_count; ++i) {
        const GtJiggleDef* jiggle = &drivers->def.jiggles[i];
        int32_t node = gt_character_def(character)->sections[jiggle->section].node;
        GtMat34 world_from_space =
            node == GT_NONE ? *world_from_model : gt_mat34_mul(*world_from_model, instance->model_from_node[node]);
        gti_jiggle_step(jiggle, character, &world_from_space, step_s, at, instance->section_values);
        at += gti_round_up16(gti_jiggle_state_size(jiggle, character));
    }
}

void gti_drivers_run(const GtDrivers* drivers, double time_s, const float* sensed, const float* given, float* values,
                     GtInstance* instance)
{
    int32_t value_count = drivers->def.value_count;
    int32_t all_count = value_count + drivers->def.sensor_count;
    gt_section_reset(drivers->def.character, instance->section_values);
    for (int32_t i = 0; i < all_count; ++i) {
        values[i] = given && isfinite(given[i]) ? fminf(fmaxf(given[i], drivers->mins[i]), drivers->maxs[i])
                    : i < value_count           ? drivers->rests[i]
                                                : sensed[i - value_count];
    }
    GtState state = { instance->pose, instance->weights, values, instance->section_values };
    GtiValueBounds bounds = { given, drivers->mins, drivers->maxs };
    gti_track_set_apply(drivers->set, time_s, &state, &bounds);
    gti_sections_cut(drivers->def.character, instance->section_values);
}

GtDriversFrame gt_default_drivers_frame(void)
{
    return (GtDriversFrame){ .world_from_model = gt_mat34_identity() };
}

// One point goes on to `place`; returns how fast it was.
static float follow(GtVec3 place, float step_s, bool is_running, GtVec3* last)
{
    float way_m = is_running ? gt_vec3_length(gt_vec3_sub(place, *last)) : 0.0f;
    float speed = step_s > 0.0f ? way_m / step_s : 0.0f;
    *last = place;
    return isfinite(speed) ? speed : 0.0f;
}

// Whether a foot stands comes and goes evenly; the first frame has it at once.
static float contact(bool stands, float step_s, bool is_running, float* level)
{
    float target = stands ? 1.0f : 0.0f;
    float most = is_running ? step_s / blend_s : 1.0f;
    *level += gti_clampf(target - *level, -most, most);
    return gti_cubic_stepf(*level);
}

static void sense(const GtSensorDef* def, const GtDriversFrame* frame, float step_s, bool is_running,
                  const GtMat34* model_from_node, Sense* sense)
{
    bool stands = false;
    for (int32_t i = 0; i < def->point_count; ++i) {
        GtVec3 in_model = gt_mat34_point(&model_from_node[def->points[i].node], def->points[i].place);
        GtVec3 place = gt_mat34_point(&frame->world_from_model, in_model);
        if (!gt_vec3_is_finite(place)) {
            return;
        }
        float speed = follow(place, step_s, is_running, &sense->places[i]);
        float height = place.y - frame->ground_m;
        if (def->kind == GT_SENSOR_SPEED) {
            sense->value = i == 0 && (step_s > 0.0f || !is_running) ? speed : sense->value;
        } else if (step_s > 0.0f || !is_running) {
            bool stood = sense->stands[i];
            sense->stands[i] = speed <= (stood ? def->release_mps : def->speed_mps) &&
                               height <= (stood ? def->release_height_m : def->height_m);
        }
        stands = stands || sense->stands[i];
    }
    if (def->kind == GT_SENSOR_CONTACT) {
        sense->value = contact(stands, step_s, is_running, &sense->level);
    }
}

// A weight that nobody has set since the last frame goes on from what it was before that, so that what tracks add to it
// does not pile up.
static void restore_weights(const History* history, float* weights, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        weights[i] = weights[i] == history->made[i] ? history->bases[i] : weights[i];
    }
    memcpy(history->bases, weights, (size_t)count * sizeof *weights);
}

void gt_drivers_step(const GtDriversFrame* frame, GtDriversState* state, GtInstance* instance)
{
    const GtDrivers* drivers = state->drivers;
    GT_ASSERT(instance->character == drivers->def.character);
    History* history = state->history;
    double step_s = frame->step_s > 0.0 ? fmin(frame->step_s, longest_step_s) : 0.0;
    int32_t weight_count = gt_character_def(drivers->def.character)->weight_count;
    restore_weights(history, instance->weights, weight_count);
    if (drivers->def.sensor_count > 0) {
        gt_instance_update(instance);
        for (int32_t i = 0; i < drivers->def.sensor_count; ++i) {
            sense(&drivers->def.sensors[i], frame, (float)step_s, history->is_running, instance->model_from_node,
                  &history->senses[i]);
            history->sensed[i] = history->senses[i].value;
        }
    }
    gti_drivers_run(drivers, frame->time_s, history->sensed, state->given, state->values, instance);
    if (drivers->def.sensor_count == 0 || drivers->moves_nodes) {
        gt_instance_update(instance);
    }
    gti_drivers_swing(drivers, &frame->world_from_model, step_s, history->springs, instance);
    memcpy(history->made, instance->weights, (size_t)weight_count * sizeof *history->made);
    history->is_running = true;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From the name of a channel to its numbers. Names of nodes may hold dots, so an address is read from its end, as
// gertie/channel.h does.

#include "runtime/track.h"

#include "base/fail.h"
#include "base/slice.h"
#include "runtime/ik_math.h"

#include <string.h>

static const char* const properties[] = { "translation", "rotation", "scale", "turn" }; // as GtiVariableKind counts

static bool take_domain(GtiSlice* rest, const char* domain)
{
    size_t length = strlen(domain);
    if (rest->length < length || memcmp(rest->text, domain, length) != 0) {
        return false;
    }
    *rest = (GtiSlice){ rest->text + length, rest->length - length };
    return true;
}

static bool find_weight(const GtCharacterDef* def, GtiSlice name, GtiVariable* out)
{
    const char* slash = memchr(name.text, '/', name.length);
    GtiSlice mesh_name = { name.text, slash ? (size_t)(slash - name.text) : 0 };
    GtiSlice own = slash ? (GtiSlice){ slash + 1, name.length - mesh_name.length - 1 } : name;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        const GtMeshDef* mesh = &def->meshes[m];
        for (int32_t i = 0; i < mesh->morph_count; ++i) {
            bool whole = gti_slice_is(name, mesh->morphs[i].name); // names may hold a slash themselves
            bool part = slash && gti_slice_is(mesh_name, mesh->name) && gti_slice_is(own, mesh->morphs[i].name);
            if (whole || part) {
                *out = (GtiVariable){ .kind = GTI_VARIABLE_WEIGHT,
                                      .index = mesh->first_weight + i,
                                      .component = GT_NONE,
                                      .component_count = 1,
                                      .morph = whole ? mesh->morphs[i].name : NULL };
                return true;
            }
        }
    }
    return false;
}

static int32_t find_node(const GtCharacterDef* def, GtiSlice name)
{
    for (int32_t i = 0; def->names && i < def->node_count; ++i) {
        if (gti_slice_is(name, def->names[i])) {
            return i;
        }
    }
    return GT_NONE;
}

static bool find_property(const GtCharacterDef* def, GtiSlice name, GtiVariable* out)
{
    static const char letters[] = "xyzw";
    GtiSlice tail = gti_slice_cut_last(&name);
    const char* letter = tail.length == 1 ? memchr(letters, tail.text[0], 4) : NULL;
    if (letter) {
        tail = gti_slice_cut_last(&name);
    }
    int32_t component = letter ? (int32_t)(letter - letters) : GT_NONE;
    for (int kind = 0; kind < 4; ++kind) {
        bool rotation = kind == GTI_VARIABLE_ROTATION;
        if (gti_slice_is(tail, properties[kind]) && component < (rotation ? 4 : 3)) {
            *out = (GtiVariable){ .kind = (GtiVariableKind)kind,
                                  .index = find_node(def, name),
                                  .component = component,
                                  .component_count = component != GT_NONE ? 1
                                                     : rotation           ? 4
                                                                          : 3 };
            return out->index != GT_NONE;
        }
    }
    return false;
}

GtResult gti_variable_find(const GtTrackSetDef* def, const char* channel, GtiVariable* out, GtError* error)
{
    for (int32_t i = 0; i < def->value_count; ++i) {
        if (def->value_names[i] && strcmp(def->value_names[i], channel) == 0) {
            *out = (GtiVariable){ GTI_VARIABLE_VALUE, i, GT_NONE, 1, NULL, gt_quat_identity() };
            return GT_OK;
        }
    }
    GtiSlice rest = { channel, strlen(channel) };
    const GtCharacterDef* character = def->character ? gt_character_def(def->character) : NULL;
    bool found = false;
    if (character && take_domain(&rest, "morph:")) {
        found = find_weight(character, rest, out);
    } else if (character) {
        take_domain(&rest, "node:"); // which only says that the name is one
        found = find_property(character, rest, out);
    }
    if (!found) {
        return gti_fail(error, GT_ERROR_NOT_FOUND,
                        "there is no channel '%.80s': write it like hips.translation.y, pendulum.turn.z, morph:smile, "
                        "or as one of the names of your own values",
                        channel);
    }
    out->rest = out->kind == GTI_VARIABLE_TURN ? character->rest[out->index].rotation : gt_quat_identity();
    return GT_OK;
}

static GtiVec turn_of(const GtiVariable* variable, const GtTransform* node)
{
    GtiQuat rest = gti_quat_from(variable->rest);
    return gti_quat_log(gti_quat_unit(gti_quat_mul(gti_quat_conjugate(rest), gti_quat_from(node->rotation))));
}

double gti_variable_get(const GtiVariable* variable, const GtState* state)
{
    int32_t c = variable->component;
    const GtTransform* node = variable->kind <= GTI_VARIABLE_TURN ? &state->pose[variable->index] : NULL;
    switch (variable->kind) {
    case GTI_VARIABLE_TRANSLATION:
        return (double)(&node->translation.x)[c];
    case GTI_VARIABLE_ROTATION:
        return (double)(&node->rotation.x)[c];
    case GTI_VARIABLE_SCALE:
        return (double)(&node->scale.x)[c];
    case GTI_VARIABLE_TURN: {
        GtiVec v = turn_of(variable, node);
        return c == 0 ? v.x : c == 1 ? v.y : v.z;
    }
    case GTI_VARIABLE_WEIGHT:
        return (double)state->weights[variable->index];
    default:
        return (double)state->values[variable->index];
    }
}

static void set_vector(const GtiVariable* variable, GtVec3* to, const float* values)
{
    if (variable->component == GT_NONE) {
        *to = gt_vec3(values[0], values[1], values[2]);
    } else {
        (&to->x)[variable->component] = values[0];
    }
}

static void set_turn(const GtiVariable* variable, GtTransform* node, const float* values)
{
    GtVec3 turn = gti_vec_to_float(turn_of(variable, node));
    set_vector(variable, &turn, values);
    GtiQuat rotation = gti_quat_mul(gti_quat_from(variable->rest), gti_quat_exp(gti_vec_from(turn)));
    node->rotation = gti_quat_to_float(gti_quat_unit(rotation));
}

static void set_weights(const GtiVariable* variable, const GtCharacter* character, float* weights, float value)
{
    weights[variable->index] = value;
    const GtCharacterDef* def = variable->morph ? gt_character_def(character) : NULL;
    for (int32_t m = 0; def && m < def->mesh_count; ++m) {
        for (int32_t i = 0; i < def->meshes[m].morph_count; ++i) {
            const char* name = def->meshes[m].morphs[i].name;
            if (name && strcmp(name, variable->morph) == 0) {
                weights[def->meshes[m].first_weight + i] = value;
            }
        }
    }
}

void gti_variable_set(const GtiVariable* variable, const GtCharacter* character, const GtState* state,
                      const float* values)
{
    for (int32_t i = 0; i < variable->component_count; ++i) {
        if (!isfinite(values[i])) {
            return;
        }
    }
    GtTransform* node = variable->kind <= GTI_VARIABLE_TURN ? &state->pose[variable->index] : NULL;
    GtQuat q;
    switch (variable->kind) {
    case GTI_VARIABLE_TRANSLATION:
        set_vector(variable, &node->translation, values);
        break;
    case GTI_VARIABLE_SCALE:
        set_vector(variable, &node->scale, values);
        break;
    case GTI_VARIABLE_TURN:
        set_turn(variable, node, values);
        break;
    case GTI_VARIABLE_ROTATION:
        q = gt_quat(values[0], values[1], values[2], values[3]);
        node->rotation = gt_quat_length(q) > 1e-18f ? gt_quat_normalize(q) : node->rotation;
        break;
    case GTI_VARIABLE_WEIGHT:
        set_weights(variable, character, state->weights, values[0]);
        break;
    case GTI_VARIABLE_VALUE:
        state->values[variable->index] = values[0];
        break;
    }
}

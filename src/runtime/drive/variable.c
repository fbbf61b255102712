// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From the name of a channel to its numbers. Names of nodes may hold dots, so an address is read from its end, as
// gertie/channel.h does.

#include "runtime/drive/track.h"

#include "base/fail.h"
#include "base/quat_double.h"
#include "base/slice.h"

#include <string.h>

// As GtiVariableKind counts.
static const char* const properties[] = { "translation", "rotation", "scale", "turn", "angle", "angle_deg" };

static bool take_domain(GtiSlice* rest, const char* domain)
{
    size_t length = strlen(domain);
    if (rest->length < length || memcmp(rest->text, domain, length) != 0) {
        return false;
    }
    *rest = (GtiSlice){ rest->text + length, rest->length - length };
    return true;
}

// The number in "#12"; GT_NONE for any other text.
static int32_t read_number(GtiSlice text)
{
    int32_t number = 0;
    for (size_t i = 1; i < text.length; ++i) {
        if (text.text[i] < '0' || text.text[i] > '9' || number > 99999999) {
            return GT_NONE;
        }
        number = 10 * number + (text.text[i] - '0');
    }
    return text.length > 1 && text.text[0] == '#' ? number : GT_NONE;
}

// How an address says which meshes it means, the surest first.
typedef enum Where {
    WHERE_NUMBER, // "#12", a node of the scene
    WHERE_NODE,
    WHERE_MESH,
    WHERE_ALL, // nothing is said
} Where;

static bool is_there(const GtCharacterDef* def, const GtMeshDef* mesh, Where where, GtiSlice text)
{
    switch (where) {
    case WHERE_NUMBER:
        return read_number(text) == (def->source_nodes ? def->source_nodes[mesh->node] : mesh->node);
    case WHERE_NODE:
        return def->names && gti_slice_is(text, def->names[mesh->node]);
    case WHERE_MESH:
        return gti_slice_is(text, mesh->name);
    default:
        return true;
    }
}

// Count the weights that an address means and list them; pieces of one mesh share theirs.
// out: [count], or NULL
static int32_t list_weights(const GtCharacterDef* def, Where where, GtiSlice text, GtiSlice name, int32_t* out)
{
    int32_t count = 0;
    int32_t number = where == WHERE_ALL ? GT_NONE : read_number(name);
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        const GtMeshDef* mesh = &def->meshes[m];
        bool again = m > 0 && mesh[-1].morph_count > 0 && mesh->first_weight == mesh[-1].first_weight;
        for (int32_t i = 0; !again && i < mesh->morph_count && is_there(def, mesh, where, text); ++i) {
            if (gti_slice_is(name, mesh->morphs[i].name) || i == number) {
                if (out) {
                    out[count] = mesh->first_weight + i;
                }
                ++count;
            }
        }
    }
    return count;
}

static GtResult keep_weights(GtArena* arena, const GtCharacterDef* def, Where where, GtiSlice text, GtiSlice name,
                             int32_t count, GtiVariable* out, GtError* error)
{
    int32_t* weights = gt_arena_push_array(arena, (size_t)count, sizeof *weights);
    if (!weights) {
        return gti_out_of_memory(error);
    }
    list_weights(def, where, text, name, weights);
    *out = (GtiVariable){ .kind = GTI_VARIABLE_WEIGHT,
                          .index = weights[0],
                          .component = GT_NONE,
                          .component_count = 1,
                          .weights = weights,
                          .weight_count = count };
    return GT_OK;
}

// "TARGET" of all meshes, or "WHERE/TARGET"; names may hold slashes themselves, so each is tried.
static GtResult find_weights(GtArena* arena, const GtCharacterDef* def, GtiSlice name, bool* found, GtiVariable* out,
                             GtError* error)
{
    GtiSlice none = { name.text, 0 };
    int32_t count = list_weights(def, WHERE_ALL, none, name, NULL);
    *found = count > 0;
    if (*found) {
        return keep_weights(arena, def, WHERE_ALL, none, name, count, out, error);
    }
    for (size_t slash = 0; slash < name.length; ++slash) {
        GtiSlice text = { name.text, slash };
        GtiSlice own = { name.text + slash + 1, name.length - slash - 1 };
        for (int where = WHERE_NUMBER; name.text[slash] == '/' && where < WHERE_ALL; ++where) {
            count = list_weights(def, (Where)where, text, own, NULL);
            *found = count > 0;
            if (*found) {
                return keep_weights(arena, def, (Where)where, text, own, count, out, error);
            }
        }
    }
    return GT_OK;
}

// By its own name, or by that of the humanoid joint that it is.
static int32_t find_node(const GtCharacterDef* def, GtiSlice name)
{
    for (int32_t i = 0; def->names && i < def->node_count; ++i) {
        if (gti_slice_is(name, def->names[i])) {
            return i;
        }
    }
    for (int i = 0; def->humanoid && i < GT_HUMANOID_JOINT_COUNT; ++i) {
        if (gti_slice_is(name, gt_humanoid_name((GtHumanoidJoint)i))) {
            return def->humanoid->nodes[i];
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
    static const int32_t sizes[] = { 3, 4, 3, 3, 0, 0 };
    for (int kind = 0; kind <= GTI_VARIABLE_ANGLE_DEG; ++kind) {
        bool one = component != GT_NONE || sizes[kind] == 0;
        if (gti_slice_is(tail, properties[kind]) && component < sizes[kind]) {
            *out = (GtiVariable){ .kind = (GtiVariableKind)kind,
                                  .index = find_node(def, name),
                                  .component = component,
                                  .component_count = one ? 1 : sizes[kind] };
            return out->index != GT_NONE;
        }
    }
    return false;
}

// "[i,j,k]" and perhaps ".x": the point's number, or GT_NONE; *component is GT_NONE for all three.
static int32_t find_point(const GtLatticeDef* lattice, GtiSlice text, int32_t* component)
{
    int32_t at[3] = { 0, 0, 0 };
    size_t i = 0;
    for (int axis = 0; axis < 3; ++axis) {
        if (i >= text.length || text.text[i++] != (axis ? ',' : '[')) {
            return GT_NONE;
        }
        size_t start = i;
        while (i < text.length && text.text[i] >= '0' && text.text[i] <= '9' && at[axis] < lattice->counts[axis]) {
            at[axis] = 10 * at[axis] + (text.text[i++] - '0');
        }
        if (i == start || at[axis] >= lattice->counts[axis]) {
            return GT_NONE;
        }
    }
    bool closed = i < text.length && text.text[i] == ']';
    size_t left = closed ? text.length - i - 1 : 0;
    bool letter = left == 2 && text.text[i + 1] == '.' && text.text[i + 2] >= 'x' && text.text[i + 2] <= 'z';
    *component = letter ? text.text[i + 2] - 'x' : GT_NONE;
    return closed && (left == 0 || letter) ? gt_lattice_index(lattice, at[0], at[1], at[2]) : GT_NONE;
}

// A pose or a point of a lattice.
static bool find_part(const GtSectionDef* section, GtiSlice part, int32_t first, GtiVariable* out)
{
    *out = (GtiVariable){ .kind = GTI_VARIABLE_SECTION, .component = GT_NONE, .component_count = 1 };
    for (int32_t i = 0; i < section->pose_count; ++i) {
        if (gti_slice_is(part, section->poses[i].name)) {
            out->index = first + 1 + i;
            return true;
        }
    }
    int32_t point = take_domain(&part, "point") ? find_point(&section->lattice, part, &out->component) : GT_NONE;
    out->index = first + 1 + section->pose_count + 3 * point;
    out->component_count = out->component == GT_NONE ? 3 : 1;
    return point != GT_NONE;
}

// "NAME.b" of a section, or "NAME." and a part of its lattice. Names may hold dots, so every name is tried.
static bool find_section(const GtCharacter* character, GtiSlice name, bool lattice, GtiVariable* out)
{
    const GtCharacterDef* def = gt_character_def(character);
    for (int32_t i = 0; i < def->section_count; ++i) {
        const GtSectionDef* section = &def->sections[i];
        GtiSlice part = name;
        if (!section->name || !take_domain(&part, section->name) || !take_domain(&part, ".")) {
            continue;
        }
        int32_t first = gt_section_first_value(character, i);
        if (!lattice && gti_slice_is(part, "b")) {
            *out = (GtiVariable){
                .kind = GTI_VARIABLE_SECTION, .index = first, .component = GT_NONE, .component_count = 1
            };
            return true;
        }
        if (lattice && find_part(section, part, first, out)) {
            return true;
        }
    }
    return false;
}

GtResult gti_variable_find(GtArena* arena, const GtTrackSetDef* def, const char* channel, GtiVariable* out,
                           GtError* error)
{
    for (int32_t i = 0; i < def->value_count; ++i) {
        if (def->value_names[i] && strcmp(def->value_names[i], channel) == 0) {
            *out = (GtiVariable){ .kind = GTI_VARIABLE_VALUE, .index = i, .component = GT_NONE, .component_count = 1 };
            return GT_OK;
        }
    }
    GtiSlice rest = { channel, strlen(channel) };
    const GtCharacterDef* character = def->character ? gt_character_def(def->character) : NULL;
    GtResult result = GT_OK;
    bool found = false;
    if (character && take_domain(&rest, "morph:")) {
        result = find_weights(arena, character, rest, &found, out, error);
    } else if (character && take_domain(&rest, "section:")) {
        found = find_section(def->character, rest, false, out);
    } else if (character && take_domain(&rest, "lattice:")) {
        found = find_section(def->character, rest, true, out);
    } else if (character) {
        take_domain(&rest, "node:"); // which only says that the name is one
        found = find_property(character, rest, out);
    }
    if (result == GT_OK && !found) {
        return gti_fail(
            error, GT_ERROR_NOT_FOUND,
            "there is no channel '%.80s': write it like hips.translation.y, pendulum.turn.z, morph:smile, "
            "section:arm.b, lattice:arm.flex, lattice:arm.point[1,2,0].x, or as one of the names of your own values",
            channel);
    }
    if (result != GT_OK) {
        return result;
    }
    bool turned = out->kind >= GTI_VARIABLE_TURN && out->kind <= GTI_VARIABLE_ANGLE_DEG;
    out->rest = turned ? character->rest[out->index].rotation : gt_quat_identity();
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
    const GtTransform* node = variable->kind <= GTI_VARIABLE_ANGLE_DEG ? &state->pose[variable->index] : NULL;
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
    case GTI_VARIABLE_ANGLE:
    case GTI_VARIABLE_ANGLE_DEG: {
        GtiVec v = turn_of(variable, node);
        return variable->kind == GTI_VARIABLE_ANGLE ? gti_vec_length(v) : gt_degrees(gti_vec_length(v));
    }
    case GTI_VARIABLE_SECTION:
        return (double)state->section_values[variable->index + (c == GT_NONE ? 0 : c)];
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

void gti_variable_set(const GtiVariable* variable, const GtState* state, const float* values)
{
    for (int32_t i = 0; i < variable->component_count; ++i) {
        if (!isfinite(values[i])) {
            return;
        }
    }
    GtTransform* node = variable->kind <= GTI_VARIABLE_ANGLE_DEG ? &state->pose[variable->index] : NULL;
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
    case GTI_VARIABLE_ANGLE:
    case GTI_VARIABLE_ANGLE_DEG:
        break; // gt_track_set_create() refuses to write it
    case GTI_VARIABLE_SECTION:
        for (int32_t i = 0; i < variable->component_count; ++i) {
            int32_t c = variable->component == GT_NONE ? i : variable->component;
            state->section_values[variable->index + c] = values[i];
        }
        break;
    case GTI_VARIABLE_WEIGHT:
        for (int32_t i = 0; i < variable->weight_count; ++i) {
            state->weights[variable->weights[i]] = values[0];
        }
        break;
    case GTI_VARIABLE_VALUE:
        state->values[variable->index] = values[0];
        break;
    }
}

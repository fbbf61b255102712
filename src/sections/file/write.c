// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A sculpt as the text that file_read.c reads: what has its default is left out, control points that do not move are,
// and boxes that were fitted are written out.

#include "harmonic/keys/key_file.h"
#include "sections/file/text.h"
#include "sections/sculpt.h"

#include <stdio.h>
#include <string.h>

static const char* const extrapolations[GT_EXTRAPOLATE_COUNT] = {
    [GT_EXTRAPOLATE_HOLD] = "hold",           [GT_EXTRAPOLATE_LINEAR] = "linear",
    [GT_EXTRAPOLATE_CYCLE] = "cycle",         [GT_EXTRAPOLATE_CYCLE_OFFSET] = "cycle-offset",
    [GT_EXTRAPOLATE_PING_PONG] = "ping-pong",
};

GtExtrapolation gti_extrapolation_find(const GtiJson* name)
{
    int found = 0;
    for (int i = 0; i < GT_EXTRAPOLATE_COUNT; ++i) {
        found = gti_json_equals(name, extrapolations[i]) ? i : found;
    }
    return (GtExtrapolation)found;
}

const char* gti_extrapolation_name(GtExtrapolation extrapolation)
{
    return extrapolations[extrapolation];
}

GtiKeyNames gti_key_names(bool has_input)
{
    return has_input ? (GtiKeyNames){ "at", { "in_width", "out_width" } }
                     : (GtiKeyNames){ "time_s", { "in_time_s", "out_time_s" } };
}

GtSculptJiggle gti_default_jiggle(void)
{
    return (GtSculptJiggle){ .frequency_hz = 3.0f, .damping = 0.2f, .strength = 1.0f };
}

static void put_number(GtJsonWriter* json, const char* key, float number, float otherwise)
{
    if (number != otherwise) {
        gt_json_member_float(json, key, number);
    }
}

static void put_names(GtJsonWriter* json, const char* key, const char* const* names, int32_t count)
{
    if (count > 0) {
        gt_json_member_array(json, key);
        for (int32_t i = 0; i < count; ++i) {
            gt_json_string(json, names[i]);
        }
        gt_json_end_array(json);
    }
}

static void put_index(GtJsonWriter* json, const GtLatticeDef* lattice, int32_t index)
{
    char text[40];
    int32_t row = index / lattice->counts[0];
    snprintf(text, sizeof text, "%d,%d,%d", (int)(index % lattice->counts[0]), (int)(row % lattice->counts[1]),
             (int)(row / lattice->counts[1]));
    gt_json_key(json, text);
}

static void put_point_numbers(GtJsonWriter* json, const char* key, const GtLatticeDef* lattice, const float* numbers,
                              float otherwise)
{
    if (!numbers) {
        return;
    }
    gt_json_member_object(json, key);
    for (int32_t i = 0; i < gt_lattice_point_count(lattice); ++i) {
        if (numbers[i] != otherwise) {
            put_index(json, lattice, i);
            gt_json_float(json, numbers[i]);
        }
    }
    gt_json_end_object(json);
}

static void put_box(GtJsonWriter* json, const GtMat34* space_from_box)
{
    float columns[16];
    GtVec3 middle = gt_mat34_point(space_from_box, gt_vec3(0.5f, 0.5f, 0.5f));
    gt_mat34_to_columns(space_from_box, columns);
    gt_json_member_object(json, "box");
    gt_json_key(json, "center");
    gti_json_float_list(json, &middle.x, 3);
    gt_json_member_array(json, "axes");
    for (int a = 0; a < 3; ++a) {
        gti_json_float_list(json, &columns[4 * a], 3);
    }
    gt_json_end_array(json);
    gt_json_end_object(json);
}

static void put_poses(GtJsonWriter* json, const GtSectionDef* def)
{
    if (def->pose_count == 0) {
        return;
    }
    gt_json_member_object(json, "poses");
    for (int32_t p = 0; p < def->pose_count; ++p) {
        gt_json_member_object(json, def->poses[p].name ? def->poses[p].name : "");
        for (int32_t i = 0; i < gt_lattice_point_count(&def->lattice); ++i) {
            GtVec3 offset = def->poses[p].offsets[i];
            if (offset.x != 0.0f || offset.y != 0.0f || offset.z != 0.0f) {
                put_index(json, &def->lattice, i);
                gti_json_float_list(json, &offset.x, 3);
            }
        }
        gt_json_end_object(json);
    }
    gt_json_end_object(json);
}

static void put_border(GtJsonWriter* json, const float border[3], float otherwise)
{
    if (border[0] == border[1] && border[0] == border[2]) {
        put_number(json, "border", border[0], otherwise);
    } else {
        gt_json_key(json, "border");
        gti_json_float_list(json, border, 3);
    }
}

static void put_section(GtJsonWriter* json, const GtSculptSection* section)
{
    const GtSectionDef* def = &section->def;
    GtSectionDef otherwise = gt_default_section_def();
    gt_json_begin_object(json);
    gt_json_member_string(json, "name", def->name);
    if (section->joint) {
        gt_json_member_string(json, "joint", section->joint);
    }
    put_names(json, "with", section->with, section->with_count);
    put_box(json, &def->lattice.space_from_box);
    gt_json_key(json, "points");
    gti_json_int_list(json, def->lattice.counts, 3);
    if (def->lattice.basis == GT_LATTICE_B_SPLINE) {
        gt_json_member_string(json, "basis", "b-spline");
    }
    put_point_numbers(json, "weights", &def->lattice, def->lattice.weights, 1.0f);
    put_border(json, section->border, otherwise.border);
    put_number(json, "b", def->rest_blend, otherwise.rest_blend);
    put_poses(json, def);
    gt_json_end_object(json);
}

static void put_value(GtJsonWriter* json, const char* key, const float* values, size_t count)
{
    gt_json_key(json, key);
    if (count == 1) {
        gt_json_float(json, values[0]);
    } else {
        gti_json_float_list(json, values, count);
    }
}

static void put_key(GtJsonWriter* json, const GtCurveDef* keys, GtiKeyNames names, int32_t i)
{
    size_t width = (size_t)keys->component_count;
    size_t directions = keys->kind == GT_CURVE_ROTATION ? 3 : width;
    gt_json_begin_object(json);
    gt_json_member_float(json, names.at, keys->times_s[i]);
    put_value(json, "value", keys->values + (size_t)i * width, width);
    if (keys->shapes) {
        put_number(json, "tension", keys->shapes[i].tension, 0.0f);
        put_number(json, "continuity", keys->shapes[i].continuity, 0.0f);
        put_number(json, "bias", keys->shapes[i].bias, 0.0f);
    }
    if (keys->eases && i + 1 < keys->key_count && (keys->eases[i].in != 0.0f || keys->eases[i].out != 0.0f)) {
        gt_json_key(json, "ease");
        gti_json_float_list(json, &keys->eases[i].in, 2);
    }
    if (keys->in && keys->out) {
        put_value(json, "in", keys->in + (size_t)i * directions, directions);
        put_value(json, "out", keys->out + (size_t)i * directions, directions);
    }
    if (keys->in_times_s && keys->out_times_s) {
        put_value(json, names.lengths[0], &keys->in_times_s[i], 1);
        put_value(json, names.lengths[1], &keys->out_times_s[i], 1);
    }
    gt_json_end_object(json);
}

static void put_track(GtJsonWriter* json, const GtSculptTrack* track)
{
    gt_json_begin_object(json);
    gt_json_member_string(json, "channel", track->channel);
    if (track->formula) {
        gt_json_member_string(json, "formula", track->formula);
        gt_json_end_object(json);
        return;
    }
    if (track->input) {
        gt_json_member_string(json, "input", track->input);
    }
    if (track->keys.law != GT_LAW_CATMULL_ROM) {
        gt_json_member_string(json, "law", gti_law_name(track->keys.law));
    }
    put_number(json, "tension", track->keys.tension, 0.0f);
    if (track->keys.closed) {
        gt_json_member_bool(json, "closed", true);
    }
    if (track->keys.after != GT_EXTRAPOLATE_HOLD) {
        gt_json_member_string(json, "extrapolate", gti_extrapolation_name(track->keys.after));
    }
    gt_json_member_array(json, "keys");
    for (int32_t i = 0; i < track->keys.key_count; ++i) {
        put_key(json, &track->keys, gti_key_names(track->input != NULL), i);
    }
    gt_json_end_array(json);
    gt_json_end_object(json);
}

static void put_control(GtJsonWriter* json, const GtShapeControl* control)
{
    gt_json_begin_object(json);
    gt_json_member_string(json, "name", control->name);
    put_number(json, "rest", control->rest, 0.0f);
    put_number(json, "min", control->min, 0.0f);
    put_number(json, "max", control->max, 1.0f);
    if (control->is_binary) {
        gt_json_member_bool(json, "binary", true);
    }
    put_names(json, "blocks", control->blocks, control->block_count);
    put_names(json, "fades", control->fades, control->fade_count);
    gt_json_end_object(json);
}

static void put_list(GtJsonWriter* json, const char* key, bool has, const float* numbers, size_t count)
{
    if (has) {
        gt_json_key(json, key);
        gti_json_float_list(json, numbers, count);
    }
}

static void put_material(GtJsonWriter* json, const GtMaterialRule* rule)
{
    gt_json_begin_object(json);
    gt_json_member_string(json, "material", rule->material);
    gt_json_member_string(json, "control", rule->control);
    put_list(json, "color", rule->has_color, rule->color, 4);
    put_list(json, "offset", rule->has_offset, rule->offset, 2);
    put_list(json, "scale", rule->has_scale, rule->scale, 2);
    gt_json_end_object(json);
}

static void put_jiggle(GtJsonWriter* json, const GtSculpt* sculpt, const GtSculptJiggle* jiggle)
{
    const GtSectionDef* section = &sculpt->sections[jiggle->section].def;
    gt_json_begin_object(json);
    gt_json_member_string(json, "section", section->name);
    gt_json_member_float(json, "frequency_hz", jiggle->frequency_hz);
    gt_json_member_float(json, "damping", jiggle->damping);
    put_number(json, "strength", jiggle->strength, gti_default_jiggle().strength);
    put_number(json, "gravity", jiggle->gravity, gti_default_jiggle().gravity);
    put_point_numbers(json, "holds", &section->lattice, jiggle->holds, 0.0f);
    gt_json_end_object(json);
}

static void put_sections(GtJsonWriter* json, const GtSculpt* sculpt, bool are_free)
{
    bool is_open = false;
    for (int32_t i = 0; i < sculpt->section_count; ++i) {
        if ((sculpt->sections[i].def.node == GT_NONE) != are_free) {
            continue;
        }
        if (!is_open) {
            gt_json_member_array(json, are_free ? "lattices" : "sections");
            is_open = true;
        }
        put_section(json, &sculpt->sections[i]);
    }
    if (is_open) {
        gt_json_end_array(json);
    }
}

static bool begin_list(GtJsonWriter* json, const char* key, int32_t count)
{
    if (count > 0) {
        gt_json_member_array(json, key);
    }
    return count > 0;
}

static void put_sculpt(GtJsonWriter* json, const GtSculpt* sculpt)
{
    gt_json_begin_object(json);
    gt_json_member_integer(json, "gertie_deform", 1);
    put_sections(json, sculpt, false);
    put_sections(json, sculpt, true);
    if (sculpt->shapes) {
        gt_json_key(json, "shapes");
        gt_json_raw(json, sculpt->shapes);
    }
    if (begin_list(json, "controls", sculpt->control_count)) {
        for (int32_t i = 0; i < sculpt->control_count; ++i) {
            put_control(json, &sculpt->controls[i]);
        }
        gt_json_end_array(json);
    }
    if (begin_list(json, "materials", sculpt->material_count)) {
        for (int32_t i = 0; i < sculpt->material_count; ++i) {
            put_material(json, &sculpt->materials[i]);
        }
        gt_json_end_array(json);
    }
    if (begin_list(json, "tracks", sculpt->track_count)) {
        for (int32_t i = 0; i < sculpt->track_count; ++i) {
            put_track(json, &sculpt->tracks[i]);
        }
        gt_json_end_array(json);
    }
    if (begin_list(json, "jiggle", sculpt->jiggle_count)) {
        for (int32_t i = 0; i < sculpt->jiggle_count; ++i) {
            put_jiggle(json, sculpt, &sculpt->jiggles[i]);
        }
        gt_json_end_array(json);
    }
    gt_json_end_object(json);
}

const char* gti_sculpt_text(const GtSculpt* sculpt, GtArena* arena, int32_t indent)
{
    GtJsonWriter json = gt_json_create(arena, indent);
    put_sculpt(&json, sculpt);
    return gt_text_finish(&json.text);
}

GtResult gt_sculpt_save(const GtContext* context, const GtSculpt* sculpt, const char* path, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    GtJsonWriter json = gt_json_create(&arena, 2);
    put_sculpt(&json, sculpt);
    GtResult result = gti_json_save(&json, context, path, error);
    gt_arena_destroy(&arena);
    return result;
}

GtResult gt_sculpt_keep(const GtContext* context, const GtSculpt* sculpt, GtScene* scene, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    const char* text = gti_sculpt_text(sculpt, &arena, 0);
    const char* kept = text ? gt_scene_push_text(scene, text, strlen(text)) : NULL;
    scene->deform = kept ? kept : scene->deform;
    gt_arena_destroy(&arena);
    return kept ? GT_OK : gti_out_of_memory(error);
}

GtResult gt_scene_sculpt(const GtContext* context, const GtScene* scene, GtSculpt** out, GtError* error)
{
    *out = NULL;
    if (!scene->deform) {
        return GT_OK;
    }
    GtResult result = gti_sculpt_parse(context, scene, scene->deform, strlen(scene->deform), false, out, error);
    if (result != GT_OK) {
        gti_error_set_file(error, scene->source.file);
    }
    return result;
}

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What all presets share, and gt_sculpt_preset(). A sculpt is made twice: first with sections alone, to see what they
// take hold of, then with the poses that were fitted to it.

#include "sections/preset/preset.h"

#include "gertie/map.h"

#include "base/format.h"
#include "base/near.h"
#include "base/slice.h"
#include "sections/lattice_fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float most_stiffness = 4.0f;

static const GtiPresetKind* const kinds[] = { &gti_preset_muscles, &gti_preset_breath, &gti_preset_squash,
                                              &gti_preset_jiggle };

enum {
    KIND_COUNT = sizeof kinds / sizeof kinds[0],
    POINT_COUNT = 64 // of gt_default_lattice_def()
};

void gti_preset_name(int side, const char* name, char* out, size_t out_size)
{
    snprintf(out, out_size, "%s%s", side == GTI_LEFT_SIDE ? "left" : "right", name);
}

int32_t gti_preset_find(const GtiPreset* preset, const char* name)
{
    for (int32_t i = 0; i < preset->section_count; ++i) {
        if (strcmp(preset->sections[i].name, name) == 0) {
            return i;
        }
    }
    return GT_NONE;
}

int32_t gti_preset_choose(const GtiPreset* preset, const GtHumanoidJoint* joints, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (preset->body.figure.joints[joints[i]] != GT_NONE) {
            return (int32_t)joints[i];
        }
    }
    return GT_NONE;
}

GtiPresetTrack* gti_preset_add_track(GtiPreset* preset, GtCurveLaw law)
{
    GT_ASSERT(preset->track_count < GTI_PRESET_MAX_TRACKS);
    GtiPresetTrack* track = &preset->tracks[preset->track_count++];
    track->law = law;
    return track;
}

bool gti_preset_has_control(const GtiPreset* preset, const char* name)
{
    bool found = false;
    for (int32_t i = 0; i < preset->control_count; ++i) {
        found = found || strcmp(preset->controls[i].name, name) == 0;
    }
    return found;
}

void gti_preset_add_control(GtiPreset* preset, const char* name, float rest, float min, float max)
{
    GT_ASSERT(preset->control_count < GTI_PRESET_MAX_CONTROLS);
    char* copy = gt_arena_push_array(preset->arena, strlen(name) + 1, 1);
    if (copy) { // without memory the track that drives it finds no channel
        memcpy(copy, name, strlen(name) + 1);
        preset->controls[preset->control_count++] =
            (GtShapeControl){ .name = copy, .rest = rest, .min = min, .max = max };
    }
}

void gti_preset_add_angle(GtiPreset* preset, const char* name, GtHumanoidJoint joint, GtVec3 axis)
{
    int32_t node = preset->body.figure.joints[joint];
    GtMat34 node_from_model = gt_mat34_inverse(&preset->body.shell->bind[node], NULL);
    GtVec3 own = gt_vec3_normalize_or(gt_mat34_vector(&node_from_model, axis), gt_vec3(1.0f, 0.0f, 0.0f));
    const char* joint_name = gt_humanoid_name(joint);
    gti_preset_add_control(preset, name, 0.0f, -180.0f, 180.0f);
    GtiPresetTrack* track = gti_preset_add_track(preset, GT_LAW_LINEAR);
    snprintf(track->channel, sizeof track->channel, "control:%s", name);
    int length = 0;
    for (int a = 0; a < 3; ++a) {
        float factor = (float)gt_degrees(1.0) * (&own.x)[a];
        if (fabsf(factor) > 0.05f || (a == 2 && length == 0)) {
            length += gti_format(track->formula + length, sizeof track->formula - (size_t)length, "%s%.1f*%s.turn.%c",
                                 length ? " + " : "", (double)factor, joint_name, "xyz"[a]);
        }
    }
}

// What a fit is about.
typedef struct Fit {
    const int32_t* sections; // [section_count]
    int32_t section_count;
    bool shared;
    const GtiPresetPose* poses; // [pose_count]
    int32_t pose_count;
} Fit;

static GtResult keep_pose(GtiPreset* preset, GtiPresetSection* section, const GtiPresetPose* pose, GtQuat turn,
                          const GtVec3* offsets)
{
    GT_ASSERT(section->pose_count < GTI_PRESET_MAX_POSES);
    GtVec3* own = gt_arena_push_array(preset->arena, POINT_COUNT, sizeof *own);
    if (!own) {
        return gti_out_of_memory(preset->error);
    }
    int32_t node = preset->body.figure.joints[section->joint];
    GtMat34 node_from_model = gt_mat34_inverse(&preset->body.shell->bind[node], NULL);
    for (int32_t i = 0; i < POINT_COUNT; ++i) {
        own[i] = gt_mat34_vector(&node_from_model, gt_quat_rotate(gt_quat_conjugate(turn), offsets[i]));
    }
    snprintf(section->pose_names[section->pose_count], sizeof section->pose_names[0], "%s", pose->name);
    section->poses[section->pose_count++] = own;
    return GT_OK;
}

// One try; poses are put behind those that the sections have.
static GtResult fit_once(GtiPreset* preset, const Fit* f, float stiffness)
{
    GtArena scratch = gt_arena_create(preset->context->allocator);
    GtiLatticeFit fit;
    GtResult result = gti_lattice_fit_make(preset->context, &scratch, &preset->body, preset->def, f->sections,
                                           f->section_count, f->shared, stiffness, &fit, preset->error);
    GtVec3* offsets = result == GT_OK ? gt_arena_push_array(&scratch, (size_t)fit.size, sizeof *offsets) : NULL;
    result = result == GT_OK && !offsets ? gti_out_of_memory(preset->error) : result;
    for (int32_t p = 0; p < f->pose_count && result == GT_OK; ++p) {
        const GtiPresetPose* pose = &f->poses[p];
        result = gti_lattice_fit_solve(preset->context, &scratch, &fit, pose->wanted, offsets, preset->error);
        for (int32_t s = 0; s < f->section_count && result == GT_OK; ++s) {
            GtQuat turn = pose->turns ? pose->turns[s] : gt_quat_identity();
            result = keep_pose(preset, &preset->sections[f->sections[s]], pose, turn, offsets + fit.first_points[s]);
        }
    }
    gt_arena_destroy(&scratch);
    return result;
}

// Whether any of the last poses of a section turns space inside out.
static bool folds(const GtiPreset* preset, int32_t section, int32_t pose_count)
{
    const GtLatticeDef* lattice = &preset->def->sections[section].lattice;
    const GtiPresetSection* from = &preset->sections[section];
    bool any = false;
    for (int32_t p = from->pose_count - pose_count; p < from->pose_count && !any; ++p) {
        GtVec3 points[POINT_COUNT];
        gt_lattice_rest(lattice, points);
        for (int32_t i = 0; i < POINT_COUNT; ++i) {
            points[i] = gt_vec3_add(points[i], from->poses[p][i]);
        }
        any = gt_lattice_folds(lattice, points);
    }
    return any;
}

static GtResult fit(GtiPreset* preset, const Fit* f, float stiffness)
{
    GtResult result = fit_once(preset, f, stiffness);
    for (float stiffer = 2.0f * stiffness; stiffer < most_stiffness && result == GT_OK; stiffer *= 2.0f) {
        bool any = false;
        for (int32_t s = 0; s < f->section_count && !any; ++s) {
            any = folds(preset, f->sections[s], f->pose_count);
        }
        if (!any) {
            break;
        }
        for (int32_t s = 0; s < f->section_count; ++s) {
            preset->sections[f->sections[s]].pose_count -= f->pose_count;
        }
        result = fit_once(preset, f, stiffer);
    }
    return result;
}

GtResult gti_preset_fit(GtiPreset* preset, const int32_t* sections, int32_t section_count, float stiffness,
                        const GtiPresetPose* poses, int32_t pose_count)
{
    return fit(preset, &(Fit){ sections, section_count, false, poses, pose_count }, stiffness);
}

GtResult gti_preset_fit_region(GtiPreset* preset, int32_t region, float stiffness, const char* pose,
                               const char* control, GtVec3* wanted)
{
    const GtiPresetRegion* r = &preset->regions[region];
    if (r->section_count == 0) {
        return GT_OK;
    }
    int32_t sections[GTI_FIT_MAX_SECTIONS];
    for (int32_t i = 0; i < r->section_count; ++i) {
        sections[i] = r->first_section + i;
        GtiPresetTrack* track = gti_preset_add_track(preset, GT_LAW_LINEAR);
        snprintf(track->channel, sizeof track->channel, "lattice:%s.%.15s", preset->sections[sections[i]].name, pose);
        snprintf(track->formula, sizeof track->formula, "control:%s", control);
    }
    GtiPresetPose shape = { .wanted = wanted };
    snprintf(shape.name, sizeof shape.name, "%s", pose);
    return fit(preset, &(Fit){ sections, r->section_count, true, &shape, 1 }, stiffness);
}

static int32_t scene_node(const GtiPreset* preset, GtHumanoidJoint joint)
{
    const GtCharacterDef* def = preset->body.figure.def;
    int32_t node = preset->body.figure.joints[joint];
    return def->source_nodes ? def->source_nodes[node] : node;
}

static GtResult write_sections(GtiPreset* preset, GtSculpt* sculpt)
{
    GtResult result = GT_OK;
    for (int32_t i = 0; i < preset->section_count && result == GT_OK; ++i) {
        const GtiPresetSection* from = &preset->sections[i];
        int32_t node = preset->body.figure.joints[from->joint];
        GtMat34 node_from_model = gt_mat34_inverse(&preset->body.shell->bind[node], NULL);
        GtLatticePose poses[GTI_PRESET_MAX_POSES];
        for (int32_t p = 0; p < from->pose_count; ++p) {
            poses[p] = (GtLatticePose){ from->pose_names[p], from->poses[p] };
        }
        GtSculptSection section = { .def = gt_default_section_def(), .joint = gt_humanoid_name(from->joint) };
        section.def.name = from->name;
        section.def.node = scene_node(preset, from->joint);
        section.def.lattice.space_from_box = gt_mat34_mul(node_from_model, from->model_from_box);
        memcpy(section.border, &from->border, sizeof section.border);
        section.def.poses = poses;
        section.def.pose_count = from->pose_count;
        result = gti_sculpt_add_section(preset->context, sculpt, &section, from->name, preset->error);
        if (result == GT_OK && from->jiggle.frequency_hz > 0.0f) {
            GtSculptJiggle jiggle = from->jiggle;
            jiggle.section = i;
            result = gti_sculpt_add_jiggle(sculpt, &jiggle, from->name, preset->error);
        }
    }
    return result;
}

static GtResult write_tracks(GtiPreset* preset, GtSculpt* sculpt)
{
    static const GtEase half = { 0.5f, 0.5f };
    GtResult result = GT_OK;
    for (int32_t i = 0; i < preset->control_count && result == GT_OK; ++i) {
        result = gti_sculpt_add_control(sculpt, &preset->controls[i], preset->controls[i].name, preset->error);
    }
    for (int32_t i = 0; i < preset->track_count && result == GT_OK; ++i) {
        const GtiPresetTrack* from = &preset->tracks[i];
        GtSculptTrack track = { .channel = from->channel, .keys = gt_default_curve_def() };
        if (from->key_count) {
            track.input = from->formula;
            track.keys.law = from->law;
            track.keys.key_count = from->key_count;
            track.keys.times_s = from->at;
            track.keys.values = from->values;
            track.keys.eases = from->eases ? &half : NULL;
        } else {
            track.formula = from->formula;
        }
        result = gti_sculpt_add_track(preset->context, sculpt, &track, from->channel, preset->error);
    }
    return result;
}

static GtResult write(GtiPreset* preset, GtSculpt** out)
{
    GtResult result = gti_sculpt_create(preset->context, out, preset->error);
    if (result == GT_OK) {
        result = write_sections(preset, *out);
    }
    if (result == GT_OK && preset->def) {
        result = write_tracks(preset, *out);
    }
    if (result != GT_OK) {
        gt_sculpt_destroy(*out);
        *out = NULL;
    }
    return result;
}

typedef GtResult (*Step)(GtiPreset* preset);

static GtResult run(GtiPreset* preset, const bool* chosen, bool shape)
{
    GtResult result = GT_OK;
    for (int i = 0; i < KIND_COUNT && result == GT_OK; ++i) {
        Step step = shape ? kinds[i]->shape : kinds[i]->place;
        result = chosen[i] && step ? step(preset) : GT_OK;
    }
    return result;
}

static bool is_held(const GtCharacterDef* def, int32_t section)
{
    bool held = false;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        for (int32_t b = 0; b < def->meshes[m].section_bind_count; ++b) {
            held = held || def->meshes[m].section_binds[b].section == section;
        }
    }
    return held;
}

// Take away the sections that hold nothing.
static void prune(GtiPreset* preset, const GtCharacterDef* def)
{
    int32_t kept = 0;
    int32_t at[GTI_PRESET_MAX_SECTIONS + 1];
    for (int32_t i = 0; i < preset->section_count; ++i) {
        at[i] = kept;
        if (is_held(def, i)) {
            preset->sections[kept++] = preset->sections[i];
        }
    }
    at[preset->section_count] = kept;
    for (int32_t r = 0; r < preset->region_count; ++r) {
        GtiPresetRegion* region = &preset->regions[r];
        int32_t end = at[region->first_section + region->section_count];
        region->first_section = at[region->first_section];
        region->section_count = end - region->first_section;
    }
    preset->section_count = kept;
}

// A character with the sections placed so far, to see what they hold; what they do not hold is nobody's business yet.
static GtResult look(GtiPreset* preset, GtCharacter** out)
{
    GtContext quiet = *preset->context;
    quiet.diagnose = NULL;
    GtBuildDef build = gt_default_build_def();
    GtSculpt* plain = NULL;
    GtResult result = write(preset, &plain);
    if (result == GT_OK) {
        result = gt_sculpt_character(&quiet, preset->scene, plain, &build, out, NULL, preset->error);
    }
    gt_sculpt_destroy(plain);
    return result;
}

static GtResult make(GtiPreset* preset, const bool* chosen, GtSculpt** out)
{
    GtCharacter* character = NULL;
    GtResult result = run(preset, chosen, false);
    result = result == GT_OK ? look(preset, &character) : result;
    if (result == GT_OK) {
        prune(preset, gt_character_def(character));
        gt_character_destroy(character);
        character = NULL;
        result = look(preset, &character);
    }
    if (result == GT_OK) {
        preset->def = gt_character_def(character);
        result = run(preset, chosen, true);
    }
    result = result == GT_OK ? write(preset, out) : result;
    gt_character_destroy(character);
    return result;
}

// Names of joints that every humanoid has and this one lacks, with commas between them; returns how many.
static int list_missing(const GtMapReport* report, char* out, size_t out_size)
{
    int count = 0;
    size_t used = 0;
    out[0] = '\0';
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (gt_humanoid_required((GtHumanoidJoint)j) && report->joints[j].node == GT_NONE && used < out_size) {
            used += (size_t)snprintf(out + used, out_size - used, "%s%s", count++ ? ", " : "",
                                     gt_humanoid_name((GtHumanoidJoint)j));
        }
    }
    return count;
}

static GtResult check_humanoid(const GtiPreset* preset)
{
    const GtMapReport* report = preset->body.figure.map_report;
    char names[256];
    if (report->joint_count == 0) {
        return gti_fail(preset->error, GT_ERROR_NOT_FOUND,
                        "presets need a skeleton, and there is none: 'gertie rig' makes one");
    }
    int count = list_missing(report, names, sizeof names);
    if (!preset->body.figure.is_humanoid) {
        bool lists = report->verdict == GT_MAP_NOT_HUMANOID && report->mapped_count > 0; // else the summary has them
        return gti_fail(preset->error, GT_ERROR_NOT_FOUND,
                        "presets are for humanoids with hips and both legs: %s%s%s%s",
                        report->verdict == GT_MAP_NOT_HUMANOID ? "" : "this is ", report->summary,
                        lists ? "; missing are " : "", lists ? names : "");
    }
    if (count > 0) {
        gti_note(preset->context, preset->scene->source.file, NULL,
                 "presets leave out what %s would drive: %s not found", names, count == 1 ? "it was" : "they were");
    }
    return GT_OK;
}

static GtResult open(GtiPreset* preset)
{
    GtResult result = gti_sculpt_body_open(preset->context, preset->arena, preset->scene, &preset->body, preset->error);
    result = result == GT_OK ? check_humanoid(preset) : result;
    if (result != GT_OK) {
        return result;
    }
    preset->forward = gti_figure_forward(&preset->body.figure);
    preset->sections = gt_arena_push_array(preset->arena, GTI_PRESET_MAX_SECTIONS, sizeof *preset->sections);
    preset->tracks = gt_arena_push_array(preset->arena, GTI_PRESET_MAX_TRACKS, sizeof *preset->tracks);
    return preset->sections && preset->tracks ? GT_OK : gti_out_of_memory(preset->error);
}

static GtResult fail_unknown(GtiSlice name, GtError* error)
{
    char wanted[80];
    char text[256];
    snprintf(wanted, sizeof wanted, "%.*s", (int)(name.length < sizeof wanted ? name.length : sizeof wanted),
             name.text);
    GtiNear near = gti_near(wanted);
    for (int i = 0; i < KIND_COUNT; ++i) {
        gti_near_offer(&near, kinds[i]->name);
    }
    return gti_fail(error, GT_ERROR_NOT_FOUND, "there is no preset '%s'%s", wanted,
                    gti_near_print(&near, text, sizeof text));
}

static GtResult choose(const char* names, bool chosen[KIND_COUNT], GtError* error)
{
    const char* at = names;
    for (bool more = true; more;) {
        GtiSlice name = { at, strcspn(at, ",") };
        int kind = 0;
        while (kind < KIND_COUNT && !gti_slice_is(name, kinds[kind]->name)) {
            ++kind;
        }
        if (kind == KIND_COUNT) {
            return fail_unknown(name, error);
        }
        chosen[kind] = true;
        more = at[name.length] == ',';
        at += name.length + 1;
    }
    return GT_OK;
}

GtResult gt_sculpt_preset(const GtContext* context, const GtScene* scene, const char* names, GtSculpt** out,
                          GtError* error)
{
    *out = NULL;
    bool chosen[KIND_COUNT] = { false };
    GtResult result = choose(names, chosen, error);
    if (result != GT_OK) {
        return result;
    }
    GtArena arena = gt_arena_create(context->allocator);
    GtiPreset preset = { .context = context, .scene = scene, .arena = &arena, .error = error };
    result = open(&preset);
    result = result == GT_OK ? make(&preset, chosen, out) : result;
    gti_sculpt_body_close(&preset.body);
    gt_arena_destroy(&arena);
    return result;
}

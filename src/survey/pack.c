// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a packed character has beyond a scene. Its sections, controls and tracks are told as those of a scene that keeps
// a deformation.

#include "survey/pack.h"

#include "gertie/pack.h"

#include "base/fail.h"
#include "base/memory.h"
#include "runtime/clip/clip.h"
#include "sections/sculpt.h"

#include <string.h>

static const char control_prefix[] = "control:";

static bool is_control(const GtDriverValue* value)
{
    return strncmp(value->name, control_prefix, sizeof control_prefix - 1) == 0;
}

// Sections, controls and counts, which is all that a survey shows of a sculpt.
static GtResult tell_drivers(const GtContext* context, const GtPack* pack, GtSurvey* survey, GtError* error)
{
    const GtCharacterDef* def = gt_character_def(gt_pack_character(pack));
    const GtDriversDef none = gt_default_drivers_def();
    const GtDriversDef* driven = gt_pack_drivers(pack) ? gt_drivers_def(gt_pack_drivers(pack)) : &none;
    GtResult result = gti_sculpt_create(context, &survey->sculpt, error);
    if (result != GT_OK) {
        return result;
    }
    GtSculpt* out = survey->sculpt; // which the survey frees, on failure too
    GtArena* arena = &out->arena;
    out->sections = gt_arena_push_array(arena, (size_t)def->section_count, sizeof *out->sections);
    out->controls = gt_arena_push_array(arena, (size_t)driven->value_count, sizeof *out->controls);
    out->tracks = gt_arena_push_array(arena, (size_t)driven->track_count, sizeof *out->tracks);
    bool ok = out->sections && out->controls && out->tracks;
    for (int32_t i = 0; ok && i < def->section_count; ++i) {
        GtSculptSection* section = &out->sections[i];
        int32_t node = def->sections[i].node;
        const char* name = def->sections[i].name ? def->sections[i].name : "";
        section->def = def->sections[i]; // whose arrays go with the pack
        section->def.poses = NULL;
        section->def.lattice.weights = NULL;
        section->def.name = gti_arena_copy_text(arena, name, &ok);
        section->joint = node == GT_NONE                   ? NULL
                         : survey->scene->nodes[node].name ? survey->scene->nodes[node].name
                                                           : "";
    }
    for (int32_t i = 0; ok && i < driven->value_count; ++i) {
        if (is_control(&driven->values[i])) {
            const char* name = driven->values[i].name + sizeof control_prefix - 1;
            out->controls[out->control_count++].name = gti_arena_copy_text(arena, name, &ok);
        }
    }
    if (!ok) {
        return gti_out_of_memory(error);
    }
    out->section_count = def->section_count;
    out->track_count = driven->track_count;
    out->jiggle_count = driven->jiggle_count;
    return GT_OK;
}

// Bytes of what a clip plays: those that are packed, or its keys.
static int64_t clip_size(const GtClip* clip)
{
    size_t size = 0;
    gt_clip_bytes(clip, &size);
    int64_t number_count = 0;
    for (int32_t i = 0; i < clip->track_count; ++i) {
        const GtTrackDef* track = &clip->tracks[i];
        int64_t values = track->interpolation == GT_INTERPOLATION_CUBICSPLINE ? 3 : 1;
        number_count += track->key_count * (1 + values * track->component_count);
    }
    return (int64_t)size + 4 * number_count;
}

static GtResult tell_pack(const GtPack* pack, GtSurvey* survey, GtError* error)
{
    const GtCharacter* character = gt_pack_character(pack);
    const GtHarmonicSkinDef* harmonic = gt_character_def(character)->harmonic;
    const GtDrivers* drivers = gt_pack_drivers(pack);
    int32_t sensor_count = drivers ? gt_drivers_def(drivers)->sensor_count : 0;
    GtPackSurvey* out = gt_arena_push_array(&survey->arena, 1, sizeof *out);
    int64_t* clip_bytes = gt_arena_push_array(&survey->arena, (size_t)gt_pack_clip_count(pack), sizeof *clip_bytes);
    bool* clip_packed = gt_arena_push_array(&survey->arena, (size_t)gt_pack_clip_count(pack), sizeof *clip_packed);
    const char** sensors = gt_arena_push_array(&survey->arena, (size_t)sensor_count, sizeof *sensors);
    bool ok = out && clip_bytes && clip_packed && sensors;
    for (int32_t i = 0; ok && i < gt_pack_clip_count(pack); ++i) {
        clip_bytes[i] = clip_size(gt_pack_clip(pack, i));
        clip_packed[i] = gt_clip_bytes(gt_pack_clip(pack, i), &(size_t){ 0 }) != NULL;
    }
    for (int32_t i = 0; ok && i < sensor_count; ++i) {
        const char* name = gt_drivers_def(drivers)->sensors[i].name;
        sensors[i] = gt_arena_push_text(&survey->arena, name, strlen(name));
        ok = sensors[i] != NULL;
    }
    if (!ok) {
        return gti_out_of_memory(error);
    }
    *out = (GtPackSurvey){
        .instance_size = (int64_t)gt_instance_size(character),
        .driver_size = drivers ? (int64_t)gt_drivers_state_size(drivers) : 0,
        .marker_count = harmonic ? gt_harmonic_marker_count(harmonic->harmonic) : 0,
        .point_count = gt_harmonic_skin_point_count(character),
        .sensors = sensors,
        .sensor_count = sensor_count,
        .clip_sizes = clip_bytes,
        .clip_is_packed = clip_packed,
    };
    survey->pack = out;
    return GT_OK;
}

GtResult gti_survey_pack(const GtContext* context, GtSurvey* survey, GtError* error)
{
    const GtBlob* bytes = survey->scene->pack;
    GtPack* pack = NULL;
    if (!bytes) {
        return GT_OK;
    }
    GtResult result = gt_pack_open(context->allocator, gt_blob_bytes(bytes), gt_blob_size(bytes), &pack, error);
    result = result == GT_OK ? tell_pack(pack, survey, error) : result;
    if (result == GT_OK && (gt_pack_drivers(pack) || gt_character_def(gt_pack_character(pack))->section_count > 0)) {
        result = tell_drivers(context, pack, survey, error);
    }
    gt_pack_close(pack);
    return result;
}

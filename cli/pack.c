// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `pack`: a character and its clips in one file that the runtime maps and plays. What was made is opened again
// before it is written.

#include "fail.h"
#include "looks.h"
#include "scenes.h"
#include "text.h"
#include "verbs.h"

#include "gertie/build.h"
#include "gertie/clip_pack.h"
#include "gertie/harmonic_character.h"
#include "gertie/instance.h"
#include "gertie/map.h"
#include "gertie/pack.h"
#include "gertie/pack_write.h"
#include "gertie/sculpt.h"

#include <stdio.h>
#include <string.h>

typedef enum PackMethod {
    METHOD_KEPT, // harmonic where the scene keeps markers
    METHOD_SKIN,
    METHOD_HARMONIC
} PackMethod;

static const GtChoice method_choices[] = {
    { "skin", METHOD_SKIN, "by the weights of the skin, with the shapes of a baked clip" },
    { "harmonic", METHOD_HARMONIC, "by markers, without weights; takes more bytes and more time per frame" },
    { NULL, 0, NULL },
};

typedef struct PackOptions {
    GtClipPackDef clip_pack;
    GtLoadDef load;
    const char* clip; // or NULL for all
    uint32_t method;  // PackMethod
} PackOptions;

typedef struct Packing {
    Session* session;
    const CommandLine* line;
    const PackOptions* options;
    const GtScene* scene;
    GtSculpt* sculpt; // that the scene keeps, or NULL
    GtCharacter* character;
    GtDrivers* drivers; // or NULL
    GtClip** clips;     // [clip_count]
    GtClipPackReport* reports;
    int32_t clip_count;
    Looks looks;
    GtBlob* blob;
    GtPack* pack; // of the blob
} Packing;

static void set_defaults(void* options)
{
    *(PackOptions*)options = (PackOptions){ .clip_pack = gt_default_clip_pack_def(), .load = gt_default_load_def() };
}

static bool fail_of_input(const Packing* p, GtError* error)
{
    error_set_file(error, p->line->arguments[0]);
    return session_fail(p->session, error);
}

static bool pack_clip(Packing* p, int32_t animation)
{
    const GtContext* context = &p->session->context;
    GtError error = { 0 };
    GtClip* keys = NULL;
    char room[32];
    const char* name = clip_name(p->scene, animation, room);
    GtResult result = gt_clip_build(context, p->scene, animation, p->character, &keys, &error);
    if (result == GT_OK) {
        result = gt_clip_pack(context, keys, p->character, &p->options->clip_pack, &p->clips[p->clip_count],
                              &p->reports[p->clip_count], &error);
    }
    if (result == GT_ERROR_LIMIT && keys) {
        session_warn(p->session, p->line->arguments[0], "clip '%s' keeps its keys: %s", name, error.message);
        p->reports[p->clip_count] = (GtClipPackReport){ 0 };
        p->clips[p->clip_count++] = keys;
        return true;
    }
    gt_clip_destroy(keys);
    if (result != GT_OK) {
        snprintf(error.where, sizeof error.where, "clip '%s'", name);
        return fail_of_input(p, &error);
    }
    ++p->clip_count;
    return true;
}

static bool pack_clips(Packing* p)
{
    int32_t first = 0;
    int32_t count = p->scene->animation_count;
    if (p->options->clip) {
        if (!clip_find(p->session, p->scene, p->line->arguments[0], p->options->clip, &first)) {
            return false;
        }
        count = 1;
    }
    p->clips = gt_arena_push_array(&p->session->arena, (size_t)count, sizeof(GtClip*));
    p->reports = gt_arena_push_array(&p->session->arena, (size_t)count, sizeof(GtClipPackReport));
    if (!p->clips || !p->reports) {
        GtError error = { 0 };
        fail(&error, GT_ERROR_OUT_OF_MEMORY, NULL, "out of memory");
        return fail_of_input(p, &error);
    }
    for (int32_t i = 0; i < count; ++i) {
        if (!pack_clip(p, first + i)) {
            return false;
        }
    }
    return true;
}

// A harmonic skin by the markers that the scene keeps, or by those that are found where `find` is true.
static GtResult make_harmonic(Packing* p, bool find, GtCharacter** out, GtError* error)
{
    const GtContext* context = &p->session->context;
    GtFigure figure = { 0 };
    GtFigureDef open = gt_default_figure_def();
    GtHarmonicCharacterDef def = gt_default_harmonic_character_def();
    GtMarkersDef marking = gt_default_markers_def();
    GtMarkers* markers = NULL;
    open.map = p->scene->humanoid;
    def.character = p->character;
    GtResult result = gt_scene_markers(context, p->scene, &markers, error);
    if (result == GT_OK && (markers || find)) {
        result = gt_figure_open(context, p->scene, &open, &figure, error);
    }
    if (result == GT_OK && !markers && find) {
        result = gt_markers_find(context, &figure, &marking, &markers, NULL, error);
    }
    if (result == GT_OK && markers) {
        result = gt_harmonic_character(context, &figure, markers, &def, out, NULL, error);
    }
    gt_markers_destroy(markers);
    gt_figure_close(&figure);
    return result;
}

static GtResult add_harmonic(Packing* p, GtError* error)
{
    bool asked = p->options->method == METHOD_HARMONIC;
    GtCharacter* made = NULL;
    GtResult result = p->options->method == METHOD_SKIN ? GT_OK : make_harmonic(p, asked, &made, error);
    if (made) {
        gt_character_destroy(p->character);
        p->character = made;
    } else if (!asked && (result == GT_ERROR_BAD_VALUE || result == GT_ERROR_LIMIT)) {
        session_warn(p->session, p->line->arguments[0], "its markers cannot be used, so the skin is packed: %s",
                     error->message);
        result = GT_OK;
    }
    return result;
}

static bool build(Packing* p)
{
    const GtContext* context = &p->session->context;
    GtBuildDef def = gt_default_build_def();
    GtError error = { 0 };
    if (gt_sculpt_build_kept(context, p->scene, &def, &p->sculpt, &p->character, &error) != GT_OK ||
        add_harmonic(p, &error) != GT_OK ||
        (p->sculpt &&
         gt_sculpt_kept_drivers(context, p->scene, p->sculpt, p->character, &p->drivers, &error) != GT_OK)) {
        return fail_of_input(p, &error);
    }
    if (!pack_clips(p)) {
        return false;
    }
    if (!looks_read(p->session, p->scene, p->line->arguments[0], &p->looks)) {
        return false;
    }
    GtPackDef pack = gt_default_pack_def();
    pack.character = p->character;
    pack.clips = (const GtClip* const*)p->clips;
    pack.clip_count = p->clip_count;
    pack.drivers = p->drivers;
    pack.materials = p->looks.materials;
    pack.material_count = p->looks.material_count;
    pack.images = p->looks.images;
    pack.image_count = p->looks.image_count;
    if (gt_pack_write(context->allocator, &pack, &p->blob, &error) != GT_OK ||
        gt_pack_open(context->allocator, gt_blob_bytes(p->blob), gt_blob_size(p->blob), &p->pack, &error) != GT_OK) {
        return fail_of_input(p, &error);
    }
    return true;
}

static bool is_packed(const Packing* p, int32_t clip)
{
    return p->reports[clip].packed_size > 0;
}

static void report_clips(const Packing* p, GtJsonWriter* report)
{
    gt_json_member_array(report, "clips");
    for (int32_t i = 0; i < p->clip_count; ++i) {
        const GtClip* clip = gt_pack_clip(p->pack, i);
        gt_json_next_is_row(report);
        gt_json_begin_object(report);
        gt_json_member_string(report, "name", gt_clip_name(clip));
        gt_json_member_number(report, "duration_s", gt_clip_end_s(clip) - gt_clip_start_s(clip));
        gt_json_member_bool(report, "packed", is_packed(p, i));
        if (is_packed(p, i)) {
            gt_json_member_integer(report, "bytes", (int64_t)p->reports[i].packed_size);
            gt_json_member_integer(report, "unpacked_bytes", (int64_t)p->reports[i].source_size);
            gt_json_member_float(report, "max_error_m", p->reports[i].max_error_m);
        }
        gt_json_end_object(report);
    }
    gt_json_end_array(report);
}

static int32_t count_controls(const GtDriversDef* def)
{
    int32_t count = 0;
    for (int32_t i = 0; i < def->value_count; ++i) {
        count += strncmp(def->values[i].name, "control:", 8) == 0;
    }
    return count;
}

// drivers: or NULL
static void report_drivers(const GtDrivers* drivers, int32_t section_count, GtJsonWriter* report)
{
    const GtDriversDef none = gt_default_drivers_def();
    const GtDriversDef* def = drivers ? gt_drivers_def(drivers) : &none;
    gt_json_member_integer(report, "sections", section_count);
    gt_json_member_integer(report, "drivers", def->track_count);
    gt_json_member_integer(report, "springs", def->jiggle_count);
    gt_json_member_integer(report, "driver_bytes", drivers ? (int64_t)gt_drivers_state_size(drivers) : 0);
    gt_json_member_array(report, "controls");
    for (int32_t i = 0; i < def->value_count; ++i) {
        if (strncmp(def->values[i].name, "control:", 8) == 0) {
            gt_json_next_is_row(report);
            gt_json_begin_object(report);
            gt_json_member_string(report, "name", def->values[i].name);
            gt_json_member_float(report, "rest", def->values[i].rest);
            gt_json_end_object(report);
        }
    }
    gt_json_end_array(report);
    gt_json_member_array(report, "sensors");
    for (int32_t i = 0; i < def->sensor_count; ++i) {
        gt_json_string(report, def->sensors[i].name);
    }
    gt_json_end_array(report);
}

static void say_drivers(const Packing* p, const GtDrivers* drivers, int32_t section_count)
{
    if (section_count > 0) {
        session_say(p->session, "  %d section%s", (int)section_count, plural(section_count));
    }
    if (drivers) {
        const GtDriversDef* def = gt_drivers_def(drivers);
        int32_t control_count = count_controls(def);
        session_say(p->session,
                    "  %d driver%s, %d control%s, %d sensor%s, %d spring%s: %zu bytes more for each instance",
                    (int)def->track_count, plural(def->track_count), (int)control_count, plural(control_count),
                    (int)def->sensor_count, plural(def->sensor_count), (int)def->jiggle_count,
                    plural(def->jiggle_count), gt_drivers_state_size(drivers));
    }
}

static void say_result(const Packing* p)
{
    const GtDrivers* drivers = gt_pack_drivers(p->pack);
    const GtCharacterDef* def = gt_character_def(gt_pack_character(p->pack));
    size_t instance_size = gt_instance_size(gt_pack_character(p->pack));
    int64_t vertex_count = 0;
    size_t clip_size = 0;
    float error_m = 0.0f;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        vertex_count += def->meshes[i].vertex_count;
    }
    int32_t packed_count = 0;
    for (int32_t i = 0; i < p->clip_count; ++i) {
        packed_count += is_packed(p, i);
        clip_size += p->reports[i].packed_size;
        error_m = p->reports[i].max_error_m > error_m ? p->reports[i].max_error_m : error_m;
    }
    GtJsonWriter* report = &p->session->report;
    gt_json_member_string(report, "input", p->line->arguments[0]);
    gt_json_member_string(report, "output", p->line->arguments[1]);
    gt_json_member_integer(report, "file_bytes", (int64_t)gt_blob_size(p->blob));
    gt_json_member_integer(report, "instance_bytes", (int64_t)instance_size);
    gt_json_member_integer(report, "nodes", def->node_count);
    gt_json_member_integer(report, "meshes", def->mesh_count);
    gt_json_member_integer(report, "vertices", vertex_count);
    gt_json_member_integer(report, "morph_weights", def->weight_count);
    gt_json_member_integer(report, "materials", gt_pack_material_count(p->pack));
    gt_json_member_integer(report, "images", gt_pack_image_count(p->pack));
    gt_json_member_string(report, "method", def->harmonic ? "harmonic" : "skin");
    gt_json_member_integer(report, "harmonic_points", gt_harmonic_skin_point_count(gt_pack_character(p->pack)));
    report_drivers(drivers, def->section_count, report);
    report_clips(p, report);
    session_say(p->session, "wrote %s: %zu bytes, and %zu bytes for each instance", p->line->arguments[1],
                gt_blob_size(p->blob), instance_size);
    session_say(p->session, "  %d node%s, %d mesh%s, %lld vertices", (int)def->node_count,
                def->node_count == 1 ? "" : "s", (int)def->mesh_count, def->mesh_count == 1 ? "" : "es",
                (long long)vertex_count);
    if (def->harmonic) {
        session_say(p->session, "  a harmonic skin of %d markers and %d points",
                    (int)gt_harmonic_marker_count(def->harmonic->harmonic),
                    (int)gt_harmonic_vertex_count(def->harmonic->harmonic));
    }
    say_drivers(p, drivers, def->section_count);
    if (packed_count) {
        session_say(p->session, "  %d clip%s in %zu bytes, nowhere more than %.2g mm off", (int)packed_count,
                    packed_count == 1 ? "" : "s", clip_size, 1000.0 * (double)error_m);
    }
    if (packed_count < p->clip_count) {
        session_say(p->session, "  %d clip%s with all keys", (int)(p->clip_count - packed_count),
                    p->clip_count - packed_count == 1 ? "" : "s");
    }
}

static bool pack_scene(Packing* p)
{
    GtError error = { 0 };
    bool ok = build(p);
    if (ok && gt_file_write(&p->session->context, p->line->arguments[1], gt_blob_bytes(p->blob), gt_blob_size(p->blob),
                            &error) != GT_OK) {
        ok = session_fail(p->session, &error);
    }
    if (ok) {
        say_result(p);
    }
    gt_pack_close(p->pack);
    gt_blob_release(p->blob);
    looks_release(&p->looks);
    for (int32_t i = 0; i < p->clip_count; ++i) {
        gt_clip_destroy(p->clips[i]);
    }
    gt_drivers_destroy(p->drivers);
    gt_character_destroy(p->character);
    gt_sculpt_destroy(p->sculpt);
    return ok;
}

// So that tracks may name joints of a humanoid whose file does not say which they are.
static bool find_humanoid(const Packing* p, GtScene* scene, GtHumanoidMap* map)
{
    GtMapDef def = gt_default_map_def();
    GtMapReport report;
    GtError error = { 0 };
    if (scene->humanoid) {
        return true;
    }
    if (gt_map_humanoid(&p->session->context, scene, &def, map, &report, &error) != GT_OK) {
        return fail_of_input(p, &error);
    }
    scene->humanoid = report.verdict == GT_MAP_HUMANOID ? map : NULL;
    return true;
}

static bool pack_run(Session* session, const CommandLine* line)
{
    const PackOptions* options = line->options;
    const char* path = line->arguments[1];
    size_t length = strlen(path);
    if (length < 4 || strcmp(path + length - 4, ".gtp") != 0) {
        return session_misuse(session, "'%s': packed characters end in .gtp", path);
    }
    GtScene* scene = NULL;
    if (!output_place_check(session, path) || !scene_read(session, line->arguments[0], &options->load, &scene)) {
        return false;
    }
    Packing packing = { .session = session, .line = line, .options = options, .scene = scene };
    GtHumanoidMap map;
    bool ok = find_humanoid(&packing, scene, &map) && pack_scene(&packing);
    gt_scene_destroy(scene);
    return ok;
}

const Verb verb_pack = {
    .name = "pack",
    .summary = "write a character as one file for the runtime",
    .description =
        "Reads IN and writes OUT.gtp, a file that libgertie-runtime opens without decoding or copying anything. It "
        "holds the nodes with their names and the humanoid map, skins, meshes, morph targets, deformers, sections and "
        "their drivers, blend shapes, the harmonic skin of a file that keeps markers, materials with their encoded "
        "pictures, and all clips.\n\n"
        "Clips are compressed so that no point within 10 cm of a joint, and no vertex of a linear skin, is farther "
        "than --tolerance from where the keys have it. A clip for which that is impossible keeps all its keys.",
    .arguments = { { .name = "IN", .help = "the file to read, or - for standard input" },
                   { .name = "OUT.gtp", .help = "the file to write" } },
    .options = { FIELD_OPTION("tolerance", PackOptions, clip_pack, tolerance_m),
                 OPTION_ONLY_CLIP_OF(PackOptions, "keep"),
                 CHOICE_OPTION("method", PackOptions, method, method_choices, "how the surface follows the joints",
                               .default_text = "harmonic where IN keeps markers, else skin"),
                 OPTION_UNITS_OF(PackOptions), OPTION_UP_OF(PackOptions) },
    .more_from = "units",
    .examples = (const Example[]){ { "gertie pack hero.glb hero.gtp", "a character with all its clips" },
                                   { "gertie pack hero.glb hero.gtp --tolerance 0.1", "ten times as exact" },
                                   { "gertie pack hero.glb hero.gtp --method harmonic",
                                     "bends that keep their volume, in any pose" },
                                   { NULL, NULL } },
    .options_size = sizeof(PackOptions),
    .set_defaults = set_defaults,
    .run = pack_run,
};

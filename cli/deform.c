// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `deform`: sections, lattices and what drives them, from a file, from presets or as the character keeps them;
// kept in the output, or saved to be edited.

#include "fail.h"
#include "scenes.h"
#include "text.h"
#include "verbs.h"

#include "gertie/harmonic_clip.h"
#include "gertie/sculpt.h"
#include "gertie/shape_regions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct DeformOptions {
    GtSculptBakeDef sculpt_bake;
    const char* output; // paths and names, or NULL
    const char* format;
    const char* with;
    const char* preset;
    const char* save;
    const char* clip;
    bool bake, face, split_shapes, remove;
} DeformOptions;

static void set_defaults(void* options)
{
    *(DeformOptions*)options = (DeformOptions){ .sculpt_bake = gt_default_sculpt_bake_def() };
}

// A section that turns inside out.
typedef struct Fold {
    GtSculptFold first; // in the first clip that does it
    int32_t animation;  // that clip
    int32_t clip_count;
} Fold;

typedef struct Deforming {
    Session* session;
    const char* file;
    const DeformOptions* options;
    GtScene* scene;
    GtSculpt* sculpt;
    GtCharacter* character;
    GtSculptReport report;
    GtShapesReport shapes;
    GtArena arena;
    Fold* folds; // [section_count]
} Deforming;

static bool fail_of_input(const Deforming* d, GtError* error)
{
    error_set_file(error, d->file);
    return session_fail(d->session, error);
}

// Take what was made beside what there is already.
static GtResult take(Deforming* d, GtResult result, GtSculpt* made, GtError* error)
{
    if (result == GT_OK && d->sculpt) {
        result = gt_sculpt_add(&d->session->context, d->sculpt, made, error);
        gt_sculpt_destroy(made);
    } else {
        d->sculpt = result == GT_OK ? made : d->sculpt;
    }
    return result;
}

// From presets, the face, a file, or several of them; else what the character keeps.
static bool find_sculpt(Deforming* d)
{
    const GtContext* context = &d->session->context;
    const DeformOptions* options = d->options;
    GtError error = { 0 };
    GtSculpt* made = NULL;
    GtResult result = GT_OK;
    if (options->preset) {
        result = gt_sculpt_preset(context, d->scene, options->preset, &d->sculpt, &error);
    }
    if (result == GT_OK && options->face) {
        result = gt_sculpt_face(context, d->scene, &made, &error);
        result = take(d, result, made, &error);
    }
    if (result == GT_OK && options->with) {
        result = gt_sculpt_load(context, d->scene, options->with, &made, &error);
        result = take(d, result, made, &error);
    }
    if (result == GT_OK && !d->sculpt) {
        result = gt_scene_sculpt(context, d->scene, &d->sculpt, &error);
    }
    if (result == GT_OK && !d->sculpt) {
        result = fail(&error, GT_ERROR_NOT_FOUND, NULL,
                      "has no sections, controls or tracks: give some with --with, --preset or --face");
    }
    return result == GT_OK || fail_of_input(d, &error);
}

// Every mesh with shapes that move it.
static bool split_shapes(Deforming* d)
{
    const GtContext* context = &d->session->context;
    GtJsonWriter* json = &d->session->report;
    bool any = false;
    bool ok = true;
    GtShapeRegionsDef def = gt_default_shape_regions_def();
    gt_json_member_array(json, "splits");
    for (int32_t m = 0; m < d->scene->mesh_count && ok; ++m) {
        GtError error = { 0 };
        GtShapeRegions* regions = NULL;
        GtShapesReport did = { 0 };
        int32_t target_count = d->scene->meshes[m].target_count;
        GtResult result =
            target_count > 0 ? gt_shape_regions_find(context, d->scene, m, &def, &regions, &error) : GT_ERROR_NOT_FOUND;
        if (result == GT_ERROR_NOT_FOUND) {
            continue;
        }
        if (result == GT_OK) {
            result = gt_shapes_split(context, d->scene, m, regions, &did, &error);
        }
        ok = result == GT_OK || fail_of_input(d, &error);
        if (ok) {
            const char* name = d->scene->meshes[m].name;
            gt_json_next_is_row(json);
            gt_json_begin_object(json);
            gt_json_member_string(json, "mesh", name);
            gt_json_member_integer(json, "regions", regions->count);
            gt_json_member_integer(json, "pieces", did.added_count);
            gt_json_end_object(json);
            session_say(d->session, "%d region%s of %s: %d pieces of %d shapes", (int)regions->count,
                        regions->count == 1 ? "" : "s", name ? name : "a mesh without a name", (int)did.added_count,
                        (int)target_count);
            any = true;
        }
        gt_shape_regions_destroy(regions);
    }
    gt_json_end_array(json);
    GtError none = { 0 };
    if (ok && !any) {
        fail(&none, GT_ERROR_NOT_FOUND, NULL, "has no shapes that bend a mesh");
    }
    return ok && (any || fail_of_input(d, &none));
}

// Note what folds in a clip, beside what does in those before.
static void add_folds(Deforming* d, const GtSculptPlayer* player, int32_t animation)
{
    int32_t count = 0;
    const GtSculptFold* folds = gt_sculpt_player_folds(player, &count);
    for (int32_t i = 0; i < count; ++i) {
        Fold* fold = &d->folds[folds[i].section];
        if (fold->clip_count++ == 0) {
            fold->first = folds[i];
            fold->animation = animation;
        }
    }
}

static void warn_of_folds(const Deforming* d)
{
    for (int32_t i = 0; i < d->sculpt->section_count; ++i) {
        const Fold* fold = &d->folds[i];
        if (fold->clip_count > 0) {
            char room[32];
            char more[48] = "";
            bool has_clip = d->scene->animation_count > 0;
            if (fold->clip_count > 1) {
                snprintf(more, sizeof more, ", and in %d more clip%s", (int)fold->clip_count - 1,
                         fold->clip_count == 2 ? "" : "s");
            }
            session_warn(
                d->session, d->file,
                "%s%sthe lattice of section '%.80s' turns inside out at %.2f s, for %.2f s%s: the surface shows its "
                "inside there. Move its points less",
                has_clip ? clip_name(d->scene, fold->animation, room) : "", has_clip ? ": " : "",
                d->sculpt->sections[i].def.name, fold->first.first_s, fold->first.length_s, more);
        }
    }
}

// Play every clip, so that what is wrong with a track is said now.
static bool check_tracks(Deforming* d)
{
    const GtContext* context = &d->session->context;
    int32_t count = d->scene->animation_count > 0 ? d->scene->animation_count : 1;
    d->folds = gt_arena_push_array(&d->arena, (size_t)d->sculpt->section_count, sizeof *d->folds);
    if (!d->folds) {
        GtError error = { 0 };
        fail(&error, GT_ERROR_OUT_OF_MEMORY, NULL, "out of memory");
        return session_fail(d->session, &error);
    }
    for (int32_t i = 0; i < count; ++i) {
        GtError error = { 0 };
        GtClip* clip = NULL;
        GtSculptPlayer* player = NULL;
        GtSculptPlayerDef def = gt_default_sculpt_player_def();
        GtResult result = GT_OK;
        if (d->scene->animation_count > 0) {
            result = gt_clip_build(context, d->scene, i, d->character, &clip, &error);
            def.animation = i;
        }
        def.scene = d->scene;
        def.sculpt = d->sculpt;
        def.character = d->character;
        def.clip = clip;
        if (result == GT_OK) {
            result = gt_sculpt_player_create(context, &def, &player, &error);
        }
        if (result == GT_OK) {
            add_folds(d, player, i);
        }
        gt_sculpt_player_destroy(player);
        gt_clip_destroy(clip);
        if (result != GT_OK) {
            return fail_of_input(d, &error);
        }
    }
    warn_of_folds(d);
    return true;
}

static int32_t count_held(const GtCharacterDef* def, int32_t section)
{
    int32_t count = 0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        for (int32_t i = 0; i < def->meshes[m].section_bind_count; ++i) {
            const GtSectionBindDef* bind = &def->meshes[m].section_binds[i];
            count += bind->section == section ? bind->entry_count : 0;
        }
    }
    return count;
}

static void report_sections(const Deforming* d, GtJsonWriter* json)
{
    gt_json_member_array(json, "sections");
    for (int32_t i = 0; i < d->sculpt->section_count; ++i) {
        const GtSculptSection* section = &d->sculpt->sections[i];
        gt_json_next_is_row(json);
        gt_json_begin_object(json);
        gt_json_member_string(json, "name", section->def.name);
        gt_json_member_string(json, "joint", section->joint);
        gt_json_member_integer(json, "points", gt_lattice_point_count(&section->def.lattice));
        gt_json_member_integer(json, "poses", section->def.pose_count);
        gt_json_member_integer(json, "vertices", count_held(gt_character_def(d->character), i));
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
}

// Sections and springs, unless it is all about a face.
static void say_parts(const Deforming* d)
{
    const GtSculpt* sculpt = d->sculpt;
    char sections[80] = "";
    char controls[120] = "";
    char springs[40] = "";
    bool is_face = sculpt->section_count == 0 && sculpt->control_count > 0;
    if (!is_face) {
        snprintf(sections, sizeof sections, "%d section%s on %d vertices, ", (int)sculpt->section_count,
                 plural(sculpt->section_count), (int)d->report.bound_vertices);
        snprintf(springs, sizeof springs, ", %d with springs", (int)sculpt->jiggle_count);
    }
    if (sculpt->control_count > 0) {
        snprintf(controls, sizeof controls, "%d control%s, ", (int)sculpt->control_count,
                 plural(sculpt->control_count));
    }
    session_say(d->session, "%s%s%d track%s%s", sections, controls, (int)sculpt->track_count,
                plural(sculpt->track_count), springs);
}

static void report(const Deforming* d)
{
    GtJsonWriter* json = &d->session->report;
    gt_json_member_string(json, "input", d->file);
    report_sections(d, json);
    gt_json_member_integer(json, "tracks", d->sculpt->track_count);
    gt_json_member_integer(json, "controls", d->sculpt->control_count);
    gt_json_member_integer(json, "jiggles", d->sculpt->jiggle_count);
    gt_json_member_integer(json, "bound_vertices", d->report.bound_vertices);
    gt_json_member_integer(json, "added_shapes", d->shapes.added_count);
    say_parts(d);
    if (d->shapes.added_count > 0) {
        char looks[80] = "";
        if (d->shapes.looks_count > 0) {
            snprintf(looks, sizeof looks, "; %d change%s texture coordinates, colours or the like",
                     (int)d->shapes.looks_count, d->shapes.looks_count == 1 ? "s" : "");
        }
        session_say(d->session, "took %d shape%s from files, which move the mesh by up to %.3g m%s",
                    (int)d->shapes.added_count, d->shapes.added_count == 1 ? "" : "s", (double)d->shapes.max_move_m,
                    looks);
    }
}

static bool bake_clip(Deforming* d, int32_t animation)
{
    char room[32];
    GtJsonWriter* json = &d->session->report;
    GtError error = { 0 };
    GtScene* baked = NULL;
    GtSculptBakeReport did = { 0 };
    GtSculptBakeDef def = d->options->sculpt_bake;
    def.animation = animation;
    if (gt_sculpt_bake(&d->session->context, d->scene, d->sculpt, &def, &baked, &did, &error) != GT_OK) {
        return fail_of_input(d, &error);
    }
    gt_scene_destroy(d->scene);
    d->scene = baked;
    const char* name = clip_name(baked, animation != GT_NONE ? animation : baked->animation_count - 1, room);
    gt_json_next_is_row(json);
    gt_json_begin_object(json);
    gt_json_member_string(json, "clip", name);
    gt_json_member_integer(json, "frames", did.frame_count);
    gt_json_member_number(json, "rate_hz", did.rate_hz);
    gt_json_member_integer(json, "shapes", did.shape_count);
    gt_json_member_integer(json, "shape_bytes", did.byte_size);
    gt_json_member_number(json, "skin_rms_m", did.skin_rms_m);
    gt_json_member_number(json, "error_rms_m", did.error_rms_m);
    gt_json_member_number(json, "error_max_m", did.error_max_m);
    gt_json_member_number(json, "error_time_s", did.error_time_s);
    gt_json_end_object(json);
    session_say(
        d->session,
        "baked %s as a skin and %d shape%s, %.0f frames a second: %.2f mm off on average (RMS; without shapes %.2f), "
        "%.1f mm at most, at %.2f s",
        name, (int)did.shape_count, did.shape_count == 1 ? "" : "s", did.rate_hz, 1e3 * did.error_rms_m,
        1e3 * did.skin_rms_m, 1e3 * did.error_max_m, did.error_time_s);
    return true;
}

// All clips, or the one that --clip names.
static bool bake(Deforming* d)
{
    int32_t count = d->scene->animation_count;
    int32_t first = count > 0 ? 0 : GT_NONE;
    bool ok = true;
    if (d->options->clip) {
        ok = clip_find(d->session, d->scene, d->file, d->options->clip, &first);
        count = 1;
    }
    gt_json_member_array(&d->session->report, "bakes");
    for (int32_t i = 0; ok && (i < count || (i == 0 && first == GT_NONE)); ++i) {
        ok = bake_clip(d, first == GT_NONE ? GT_NONE : first + i);
    }
    gt_json_end_array(&d->session->report);
    return ok;
}

static bool apply(Deforming* d)
{
    const GtContext* context = &d->session->context;
    const char* save = d->options->save;
    GtBuildDef build = gt_default_build_def();
    GtError error = { 0 };
    if (gt_sculpt_add_shapes(context, d->sculpt, d->scene, &d->shapes, &error) != GT_OK) {
        return fail_of_input(d, &error);
    }
    if (gt_sculpt_character(context, d->scene, d->sculpt, &build, &d->character, &d->report, &error) != GT_OK) {
        return fail_of_input(d, &error);
    }
    if (!check_tracks(d)) {
        return false;
    }
    report(d);
    if (gt_sculpt_keep(context, d->sculpt, d->scene, &error) != GT_OK) {
        return fail_of_input(d, &error);
    }
    if (save) {
        gt_json_member_string(&d->session->report, "saved", save);
        if (gt_sculpt_save(context, d->sculpt, save, &error) != GT_OK) {
            return session_fail(d->session, &error);
        }
        session_say(d->session, "wrote %s", save);
    }
    return !d->options->bake || bake(d);
}

static bool check_options(Session* session, const CommandLine* line, const DeformOptions* options)
{
    if (!options->output && (!options->save || options->remove)) {
        return session_misuse(session, "nothing would be written: give -o OUT%s",
                              options->remove ? "" : " or --save FILE");
    }
    if (options->remove && (options->save || options->with || options->preset || options->face)) {
        return session_misuse(session, "--remove goes with none of --with, --preset, --face and --save");
    }
    if (options->bake && !options->output) {
        return session_misuse(session, "--bake needs -o OUT");
    }
    if (!options->bake && (option_given(line, "shapes") || options->clip)) {
        return session_misuse(session, "--shapes and --clip are for --bake");
    }
    return true;
}

// What was written, and who can play it.
static void say_output(const Deforming* d, const Output* output)
{
    gt_json_member_string(&d->session->report, "output", output->path);
    gt_json_member_string(&d->session->report, "output_format", output->format);
    const char* hint = "";
    if (d->options->bake) {
        hint = ": a skin and shapes, which any glTF viewer plays";
    } else if (d->scene->deform && gt_format_holds(output->format, GT_HOLDS_MORPHS)) {
        hint =
            ": 'gertie render', 'measure' and 'pack' play its sections and tracks; for other programs, which show the "
            "plain skin, add --bake";
    }
    session_say(d->session, "wrote %s%s", output->path, hint);
}

static bool deform_run(Session* session, const CommandLine* line)
{
    DeformOptions options = *(const DeformOptions*)line->options;
    GtLoadDef load = gt_default_load_def();
    Output output = { 0 };
    Deforming d = { .session = session,
                    .file = line->arguments[0],
                    .options = &options,
                    .arena = gt_arena_create(session->context.allocator) };
    if (!check_options(session, line, &options) ||
        (options.output && !output_prepare(session, options.output, options.format, &output)) ||
        !scene_read(session, d.file, &load, &d.scene)) {
        return false; // nothing is in the arena yet
    }
    if (option_given(line, "shapes")) {
        options.sculpt_bake.tolerance_m = 0.0; // as many as were asked for
    }
    bool makes = options.with || options.preset || options.face;
    bool only_splits = options.split_shapes && !makes && !options.save && !options.bake;
    bool ok = (!options.split_shapes || split_shapes(&d)) &&
              (options.remove || only_splits || (find_sculpt(&d) && apply(&d)));
    if (ok && options.remove) {
        d.scene->deform = NULL;
    }
    if (ok && options.output) {
        GtSaveDef def = gt_default_save_def();
        ok = output_write(session, &output, d.scene, &def);
        if (ok) {
            say_output(&d, &output);
        }
    }
    gt_character_destroy(d.character);
    gt_sculpt_destroy(d.sculpt);
    gt_scene_destroy(d.scene);
    gt_arena_destroy(&d.arena);
    return ok;
}

const Verb verb_deform = {
    .name = "deform",
    .summary = "add muscles, breath and jiggle to a character",
    .description =
        "Adds sections to CHARACTER: lattices that joints carry and that deform the skin as keys and formulas say. "
        "They come from a NAME.deform.json file, from presets for any humanoid, or from what CHARACTER has "
        "already.\n\n"
        "OUT.glb keeps the sections, and 'render' and 'measure' play them. Other viewers do not know them: --bake "
        "writes a skin and morph shapes that every viewer plays. --save writes the sections to a file for editing; "
        "presets are starting points.",
    .arguments = { { .name = "CHARACTER", .help = "a rigged character, or - for standard input" } },
    .options = { PATH_OPTION("output", DeformOptions, output, "OUT", "file to write, or - for standard output",
                             .letter = 'o'),
                 TEXT_OPTION("preset", DeformOptions, preset, "NAMES",
                             "one or more of muscles, breath, squash and jiggle, separated by commas"),
                 PATH_OPTION(
                     "with", DeformOptions, with, "FILE",
                     "sections, lattices, shapes, controls, materials, tracks and jiggle from a NAME.deform.json file"),
                 PATH_OPTION("save", DeformOptions, save, "FILE",
                             "write the deformation to a file, with the boxes that were fitted"),
                 FLAG_OPTION("bake", DeformOptions, bake,
                             "write a linear skin and morph shapes, which every viewer plays, and print their error"),
                 FIELD_OPTION("shapes", DeformOptions, sculpt_bake, max_shapes,
                              .help = "number of morph shapes of --bake",
                              .default_text = "as few as an RMS error of 0.25 mm takes"),
                 OPTION_ONLY_CLIP_OF(DeformOptions, "bake"),
                 FLAG_OPTION("face", DeformOptions, face,
                             "add controls for facial expressions (happy, aa, blink...), as the VRM file or the names "
                             "of its shapes define them"),
                 FLAG_OPTION("split-shapes", DeformOptions, split_shapes,
                             "find regions of the shapes that move on their own, and split each shape by them into "
                             "NAME.1, NAME.2..."),
                 FLAG_OPTION("remove", DeformOptions, remove, "remove the deformation that CHARACTER has"),
                 OPTION_FORMAT_OF(DeformOptions) },
    .more_from = "shapes",
    .examples =
        (const Example[]){
            { "gertie deform hero.glb --preset muscles,breath -o out.glb", "add presets" },
            { "gertie deform hero.glb --preset muscles --save hero.deform.json", "write a preset, to edit it" },
            { "gertie deform hero.glb --with hero.deform.json -o out.glb", "add what a file says" },
            { "gertie deform hero.glb --with hero.deform.json --bake -o out.glb", "bake it, for any viewer" },
            { "gertie deform face.glb --face --with happy.deform.json -o out.glb", "key facial expressions" },
            { "gertie deform face.glb --split-shapes -o out.glb", "move mouth and eyes on their own" },
            { NULL, NULL } },
    .options_size = sizeof(DeformOptions),
    .set_defaults = set_defaults,
    .run = deform_run,
};

// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `render`: pictures, sheets and films of scenes.

#include "fail.h"
#include "scenes.h"
#include "verbs.h"

#include "gertie/shot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef struct RenderOptions {
    GtShotDef shot;
    GtBackground background;
    GtLoadDef load;
    uint32_t camera;   // of `cameras`
    const char* color; // of the background; names and paths, or NULL
    const char* ground;
    const char* prop;
    const char* reference;
    const char* contacts_from;
    const char* clip;
    bool influences;
} RenderOptions;

static void set_defaults(void* options)
{
    *(RenderOptions*)options = (RenderOptions){ .shot = gt_default_shot_def(),
                                                .background = gt_default_renderer_def().background,
                                                .load = gt_default_load_def() };
}

// The places of a camera that stands still, then the same of one that follows.
static const GtChoice cameras[] = {
    { "three-quarter", GT_CAMERA_THREE_QUARTER, NULL },
    { "front", GT_CAMERA_FRONT, NULL },
    { "side", GT_CAMERA_SIDE, NULL },
    { "top", GT_CAMERA_TOP, NULL },
    { "follow", GT_CAMERA_PLACE_COUNT + GT_CAMERA_THREE_QUARTER, NULL },
    { "follow-front", GT_CAMERA_PLACE_COUNT + GT_CAMERA_FRONT, NULL },
    { "follow-side", GT_CAMERA_PLACE_COUNT + GT_CAMERA_SIDE, NULL },
    { "follow-top", GT_CAMERA_PLACE_COUNT + GT_CAMERA_TOP, NULL },
    { NULL, 0, NULL },
};

// What the options ask for, and the files that they name.
typedef struct RenderJob {
    Session* session;
    const CommandLine* line;
    const RenderOptions* options;
    GtShotDef def;
    GtBackground background;
    GtShotFigure* figures; // [line->argument_count]
    GtScene** scenes;      // [line->argument_count]
    GtScene* ground;       // or NULL
    GtScene* prop;         // or NULL
    GtScene* reference;    // or NULL
    GtContacts* contacts;  // or NULL
} RenderJob;

static bool choose_background(RenderJob* job, const GtFilmFormat* film)
{
    const char* text = job->options->color;
    GtBackground* background = &job->background;
    *background = job->options->background;
    job->def.background = job->def.overlays.point_lights && !text ? NULL : background;
    if (!text || !strcasecmp(text, "gradient")) {
        return true;
    }
    GtColor color = { 0 };
    bool is_clear = !strcasecmp(text, "transparent") || !strcasecmp(text, "none");
    if (!is_clear && !gt_color_parse(text, &color)) {
        return session_misuse(
            job->session, "--background is gradient, transparent, a colour such as white, or #rrggbb, not '%s'", text);
    }
    if (color.a < 255 && film && !film->has_alpha) {
        return session_misuse(job->session, "%s keeps no transparency; write .webm, .apng or .gif, or choose a colour",
                              film->name);
    }
    const float channels[4] = { (float)color.r / 255.0f, (float)color.g / 255.0f, (float)color.b / 255.0f,
                                (float)color.a / 255.0f };
    memcpy(background->top, channels, sizeof channels);
    memcpy(background->bottom, channels, sizeof channels);
    background->ground = background->ground && !is_clear;
    return true;
}

static bool check_overlays(const RenderJob* job)
{
    Session* session = job->session;
    const GtShotOverlays* o = &job->def.overlays;
    int paints = (o->paint_joint != NULL) + job->options->influences + (job->options->reference != NULL);
    if (paints > 1) {
        return session_misuse(session, "--weights, --influences and --error each colour the skin: give one of them");
    }
    if (o->point_lights && (paints > 0 || o->skeleton || o->wire || o->onion_count > 0)) {
        return session_misuse(session, "--point-lights shows nothing but lights: no skin, skeleton or ghosts");
    }
    if (o->paint_max_m > 0.0 && !job->options->reference) {
        return session_misuse(session, "--error-max is the end of the colours of --error, which is not given");
    }
    if (option_given(job->line, "onion-step") && o->onion_count == 0) {
        return session_misuse(session, "--onion-step is between the ghosts of --onion, which is not given");
    }
    return true;
}

// Options that contradict each other.
static bool check_options(const RenderJob* job, const GtFilmFormat* film)
{
    Session* session = job->session;
    const RenderOptions* options = job->options;
    const GtShotDef* def = &job->def;
    bool has_time = !isnan(def->time_s);
    bool has_part = !isnan(def->from_s) || !isnan(def->to_s);
    bool is_sheet = def->sheet_count > 0;
    bool is_turntable = def->view.turntable;
    int figure_count = job->line->argument_count * (def->mirror ? 2 : 1);
    if (is_sheet && film) {
        return session_misuse(session, "--sheet makes a .png, not a .%s", film->name);
    }
    if (is_turntable && !film && !is_sheet) {
        return session_misuse(session, "--turntable needs a film, or --sheet for several sides in one picture");
    }
    if (has_time && has_part) {
        return session_misuse(session, "--time is one moment, --from and --to are many: give either");
    }
    if (has_time && (film || is_sheet) && !is_turntable) {
        return session_misuse(session, "--time is for one picture; use --from and --to");
    }
    if (has_part && !film && !is_sheet) {
        return session_misuse(session, "--from and --to are for sheets and films; use --time");
    }
    if (def->from_s > def->to_s) {
        return session_misuse(session, "--from (%g s) is after --to (%g s)", def->from_s, def->to_s);
    }
    if (def->frame_rate_hz > 0.0 && !film) {
        return session_misuse(session, "--fps is for films, and %s is none", options->shot.path);
    }
    if ((options->prop || options->ground) && figure_count > 1) {
        return session_misuse(session, "%s is for one file; there are %d", options->ground ? "--ground" : "--prop",
                              figure_count);
    }
    return check_overlays(job);
}

static bool check_output(Session* session, const char* path, const GtFilmFormat* film)
{
    if (!strcmp(path, "-")) {
        if (session->json || isatty(STDOUT_FILENO)) {
            return session_misuse(session, "standard output is %s: write to a file",
                                  session->json ? "taken by --json" : "a terminal, which a PNG would confuse");
        }
        return true;
    }
    size_t length = strlen(path);
    if (!film && (length < 5 || strcasecmp(path + length - 4, ".png") != 0)) {
        char endings[128] = ".png";
        size_t used = strlen(endings);
        for (const GtFilmFormat* format = gt_film_formats(); format->name; ++format) {
            used += (size_t)snprintf(endings + used, sizeof endings - used, ", .%s", format->name);
        }
        return session_misuse(session, "%s: the ending tells no kind of picture; give it one of %s", path, endings);
    }
    return output_place_check(session, path);
}

static bool make_def(RenderJob* job)
{
    const RenderOptions* options = job->options;
    const char* path = options->shot.path;
    const GtFilmFormat* film = gt_film_format_find(path);
    GtShotDef* def = &job->def;
    *def = options->shot;
    def->path = strcmp(path, "-") ? path : "/dev/stdout";
    def->force_skin_method = option_given(job->line, "skin");
    if (option_given(job->line, "camera")) {
        def->view.place = options->camera % GT_CAMERA_PLACE_COUNT;
        def->view.follow = options->camera >= GT_CAMERA_PLACE_COUNT ? GT_FOLLOW_ALWAYS : GT_FOLLOW_NEVER;
    }
    def->overlays.paint = def->overlays.paint_joint ? GT_PAINT_WEIGHT
                          : options->influences     ? GT_PAINT_INFLUENCES
                          : options->reference      ? GT_PAINT_DISTANCE
                                                    : GT_PAINT_NONE;
    def->overlays.contacts = def->overlays.contacts || options->contacts_from;
    return check_output(job->session, path, film) && check_options(job, film) && choose_background(job, film);
}

static bool read_figures(RenderJob* job)
{
    Session* session = job->session;
    size_t count = (size_t)job->line->argument_count;
    job->figures = gt_arena_push_array(&session->arena, count, sizeof *job->figures);
    job->scenes = gt_arena_push_array(&session->arena, count, sizeof(GtScene*));
    if (!job->figures || !job->scenes) {
        GtError error;
        fail(&error, GT_ERROR_OUT_OF_MEMORY, NULL, "out of memory");
        return session_fail(session, &error);
    }
    for (size_t i = 0; i < count; ++i) {
        const char* file = job->line->arguments[i];
        GtShotFigure* figure = &job->figures[i];
        if (!scene_read(session, file, &job->options->load, &job->scenes[i])) {
            return false;
        }
        *figure = gt_default_shot_figure(job->scenes[i]);
        figure->name = strcmp(file, "-") ? file : "standard input";
        if (!clip_find(session, job->scenes[i], file, job->options->clip, &figure->animation)) {
            return false;
        }
        ++job->def.figure_count;
    }
    job->def.figures = job->figures;
    return true;
}

static bool read_contacts(RenderJob* job)
{
    GtError error = { 0 };
    const char* file = job->options->contacts_from;
    bool ok = !file || gt_contacts_load(&job->session->context, file, &job->contacts, &error) == GT_OK ||
              session_fail(job->session, &error);
    job->def.overlays.contact_times = job->contacts;
    return ok;
}

static bool read_files(RenderJob* job)
{
    Session* session = job->session;
    const RenderOptions* options = job->options;
    GtShotDef* def = &job->def;
    GtLoadDef ground_load = ground_load_def();
    if (!read_figures(job) || (options->ground && !scene_read(session, options->ground, &ground_load, &job->ground)) ||
        (options->prop && !scene_read(session, options->prop, &options->load, &job->prop)) ||
        (options->reference && (!scene_read(session, options->reference, &options->load, &job->reference) ||
                                !clip_find(session, job->reference, options->reference, options->clip,
                                           &def->overlays.reference_animation))) ||
        !read_contacts(job)) {
        return false;
    }
    def->ground = job->ground;
    def->prop = job->prop;
    def->overlays.reference = job->reference;
    return true;
}

static void close_job(RenderJob* job)
{
    for (int i = 0; job->scenes && i < job->line->argument_count; ++i) {
        gt_scene_destroy(job->scenes[i]);
    }
    gt_scene_destroy(job->ground);
    gt_scene_destroy(job->prop);
    gt_scene_destroy(job->reference);
    gt_contacts_destroy(job->contacts);
}

static void report_distances(const RenderJob* job, const GtShotReport* r)
{
    GtJsonWriter* report = &job->session->report;
    gt_json_key(report, "errors");
    gt_json_begin_array(report);
    int mirrors = job->def.mirror ? 2 : 1;
    for (int i = 0; i < job->line->argument_count * mirrors; ++i) {
        const GtShotDistance* d = &r->distances[i];
        const char* file = job->line->arguments[i / mirrors];
        if (d->count > 0) {
            gt_json_begin_object(report);
            gt_json_member_string(report, "file", file);
            gt_json_member_number(report, "max_m", d->max_m);
            gt_json_member_number(report, "max_time_s", d->max_at_s);
            gt_json_member_number(report, "rms_m", d->rms_m);
            gt_json_end_object(report);
            session_say(job->session, "%s: at most %.4g mm off, at %.2f s; %.4g mm rms", file, 1e3 * d->max_m,
                        d->max_at_s, 1e3 * d->rms_m);
        }
    }
    gt_json_end_array(report);
}

static void say_result(const RenderJob* job, const GtShotReport* r)
{
    GtJsonWriter* report = &job->session->report;
    const char* path = job->options->shot.path;
    gt_json_member_string(report, "output", path);
    gt_json_member_string(report, "output_format", r->format);
    gt_json_member_integer(report, "width", r->width);
    gt_json_member_integer(report, "height", r->height);
    gt_json_member_integer(report, "pictures", r->picture_count);
    gt_json_member_number(report, "start_s", r->from_s);
    gt_json_member_number(report, "end_s", r->to_s);
    gt_json_member_string(report, "renderer", r->renderer);
    char what[64] = "";
    if (r->frame_rate_hz > 0.0) {
        gt_json_member_number(report, "rate_hz", r->frame_rate_hz);
        snprintf(what, sizeof what, ", %d pictures, %.2f s", (int)r->picture_count,
                 r->picture_count / r->frame_rate_hz);
    } else if (job->def.sheet_count > 0) {
        snprintf(what, sizeof what, ", %d moments", (int)r->picture_count);
    } else if (r->has_motion) {
        snprintf(what, sizeof what, ", at %.2f s", r->from_s);
    }
    session_say(job->session, "wrote %s: %d x %d%s", path, (int)r->width, (int)r->height, what);
}

static bool render_run(Session* session, const CommandLine* line)
{
    RenderJob job = { .session = session, .line = line, .options = line->options };
    GtError error = { 0 };
    GtShot* shot = NULL;
    bool ok = make_def(&job) && read_files(&job);
    if (ok) {
        GtResult result = gt_shot_create(&session->context, &job.def, &shot, &error);
        if (result == GT_OK && gt_shot_report(shot)->distances) {
            report_distances(&job, gt_shot_report(shot));
        }
        result = result == GT_OK ? gt_shot_write(shot, &session->context, &error) : result;
        ok = result == GT_OK || session_fail(session, &error);
    }
    if (ok) {
        say_result(&job, gt_shot_report(shot));
    }
    gt_shot_destroy(shot);
    close_job(&job);
    return ok;
}

const Verb verb_render = {
    .name = "render",
    .summary = "draw pictures, contact sheets and films",
    .description =
        "Draws scenes, on a machine with or without a display. The ending of OUT tells what is made: .png is a picture "
        "of one moment, or with --sheet of many in a labelled grid; .mp4, .webm, .gif and .apng are films, for which "
        "ffmpeg must be installed. The camera finds its place by itself, so that the whole motion is seen.\n\n"
        "Several files stand side by side and move in step, each with its name under it: that is how methods are "
        "compared. A file without a mesh, such as a BVH, is drawn as a figure of bones.\n\n"
        "With --turntable the camera moves around the figure once while the motion repeats, or stands still at --time.",
    .arguments = { { .name = "FILE", .help = "a scene to draw", .repeats = true } },
    .options = { FIELD_OPTION("output", RenderOptions, shot, path, .letter = 'o', .required = true, .is_file = true,
                              .value = "OUT", .help = "file to write, or - for a PNG on standard output",
                              .endings = "png mp4 webm gif apng"),
                 FIELD_OPTION("time", RenderOptions, shot, time_s),
                 FIELD_OPTION("from", RenderOptions, shot, from_s),
                 FIELD_OPTION("to", RenderOptions, shot, to_s),
                 FIELD_OPTION("sheet", RenderOptions, shot, sheet_count),
                 FIELD_OPTION("turntable", RenderOptions, shot, view.turntable),
                 CHOICE_OPTION("camera", RenderOptions, camera, cameras,
                               "where the camera stands; those that follow move along with the figure",
                               .value = "PLACE", .default_text = "three-quarter, or follow for a sheet or turntable"),
                 FIELD_OPTION("angle", RenderOptions, shot, view.angle_rad),
                 FIELD_OPTION("elevation", RenderOptions, shot, view.elevation_rad),
                 FIELD_OPTION("focus", RenderOptions, shot, view.focus, .value = "JOINTS"),
                 FIELD_OPTION("size", RenderOptions, shot, width, .is_size = true,
                              .help = "size of a picture in pixels",
                              .default_text = "1280x720, or 480x480 for each picture of a sheet"),
                 FIELD_OPTION("fps", RenderOptions, shot, frame_rate_hz),
                 FIELD_OPTION("quality", RenderOptions, shot, quality),
                 TEXT_OPTION("background", RenderOptions, color, "COLOR",
                             "gradient, transparent, a name such as white, or #rrggbb", .default_text = "gradient"),
                 { "no-ground", .table = gt_background_fields, .field = "ground",
                   .offset = offsetof(RenderOptions, background.ground),
                   .help = "leave out the floor, its grid and shadows" },
                 FIELD_OPTION("skeleton", RenderOptions, shot, overlays.skeleton),
                 OPTION_CLIP_OF(RenderOptions, "each FILE"),
                 PATH_OPTION("ground", RenderOptions, ground, "MESH",
                             "mesh that replaces the floor, such as one that feet were planted on; with one FILE"),
                 PATH_OPTION("prop", RenderOptions, prop, "SCENE",
                             "another scene, such as a chair, which plays its first clip; with one FILE"),
                 FIELD_OPTION("mirror", RenderOptions, shot, mirror),
                 FIELD_OPTION("skin", RenderOptions, shot, skin_method, .value = "METHOD"),
                 FIELD_OPTION("wire", RenderOptions, shot, overlays.wire),
                 FIELD_OPTION("axes", RenderOptions, shot, overlays.axes),
                 FIELD_OPTION("weights", RenderOptions, shot, overlays.paint_joint, .value = "JOINT",
                              .help = "colour the skin by how much JOINT moves it"),
                 FLAG_OPTION("influences", RenderOptions, influences,
                             "colour the skin by how many joints move each vertex"),
                 PATH_OPTION("error", RenderOptions, reference, "REFERENCE",
                             "colour the skin by its distance from that of another file, in millimetres"),
                 FIELD_OPTION("error-max", RenderOptions, shot, overlays.paint_max_m,
                              .help = "distance where the colours of --error end"),
                 FIELD_OPTION("onion", RenderOptions, shot, overlays.onion_count),
                 FIELD_OPTION("onion-step", RenderOptions, shot, overlays.onion_step_s),
                 FIELD_OPTION("trails", RenderOptions, shot, overlays.trails, .value = "JOINTS"),
                 FIELD_OPTION("contacts", RenderOptions, shot, overlays.contacts),
                 PATH_OPTION("contacts-from", RenderOptions, contacts_from, "CONTACTS.json",
                             "draw the contacts of a file that 'gertie contacts' wrote", .endings = "json"),
                 FIELD_OPTION("point-lights", RenderOptions, shot, overlays.point_lights),
                 OPTION_UNITS_OF(RenderOptions),
                 OPTION_UP_OF(RenderOptions),
                 OPTION_GROUP_OF(RenderOptions) },
    .examples =
        (const Example[]){
            { "gertie render hero.glb -o hero.png", "a picture" },
            { "gertie render walk.bvh -o walk.mp4", "a film of a figure of bones" },
            { "gertie render hero.glb -o sheet.png --sheet 8", "eight moments of a motion" },
            { "gertie render a.glb b.glb -o both.mp4", "two side by side, in step" },
            { "gertie render hero.glb -o face.png --focus head --camera front", "a close-up" },
            { "gertie render hero.glb -o back.png --angle 200 --elevation 30", "from behind and above" },
            { "gertie render hero.glb -o hero.webm --turntable --background transparent", "all round, for a web page" },
            { "gertie render dual.glb --error linear.glb -o error.png",
              "where one skin differs from another, and by how much" },
            { "gertie render walk.bvh -o lights.mp4 --point-lights --camera side", "a walk by its joints alone" },
            { "gertie render walking.glb -o prints.png --sheet 6 --contacts", "where and when feet stand" },
            { NULL, NULL } },
    .more_from = "ground",
    .options_size = sizeof(RenderOptions),
    .set_defaults = set_defaults,
    .run = render_run,
};

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

enum {
    RENDER_OUTPUT,
    RENDER_TIME,
    RENDER_FROM,
    RENDER_TO,
    RENDER_SHEET,
    RENDER_TURNTABLE,
    RENDER_CAMERA,
    RENDER_ANGLE,
    RENDER_ELEVATION,
    RENDER_FOCUS,
    RENDER_SIZE,
    RENDER_FPS,
    RENDER_QUALITY,
    RENDER_BACKGROUND,
    RENDER_NO_GROUND,
    RENDER_GROUND,
    RENDER_PROP,
    RENDER_MIRROR,
    RENDER_SKIN,
    RENDER_SKELETON,
    RENDER_WIRE,
    RENDER_AXES,
    RENDER_WEIGHTS,
    RENDER_INFLUENCES,
    RENDER_ERROR,
    RENDER_ERROR_MAX,
    RENDER_ONION,
    RENDER_ONION_STEP,
    RENDER_TRAILS,
    RENDER_CONTACTS,
    RENDER_CONTACTS_FROM,
    RENDER_POINT_LIGHTS,
    RENDER_CLIP,
    RENDER_UNITS,
    RENDER_UP,
    RENDER_GROUP
};

// In the order of GtCameraPlace, first those that stand still and then those that follow.
static const char* const camera_names[] = { "three-quarter", "front",       "side",       "top", "follow",
                                            "follow-front",  "follow-side", "follow-top", NULL };
static const char* const quality_names[] = { "draft", "fine", NULL }; // in the order of GtRenderQuality
static const char* const skin_names[] = { "linear", "dual-quaternion", "bulge-free",
                                          NULL }; // in the order of GtSkinMethod

// What the options ask for, and the files that they name.
typedef struct RenderJob {
    Session* session;
    const CommandLine* line;
    const OptionValue* values;
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
    const OptionValue* option = &job->values[RENDER_BACKGROUND];
    GtBackground* background = &job->background;
    *background = gt_default_renderer_def().background;
    background->ground = !job->values[RENDER_NO_GROUND].given;
    job->def.background = job->values[RENDER_POINT_LIGHTS].given && !option->given ? NULL : background;
    if (!option->given || !strcasecmp(option->text, "gradient")) {
        return true;
    }
    GtColor color = { 0 };
    bool is_clear = !strcasecmp(option->text, "transparent") || !strcasecmp(option->text, "none");
    if (!is_clear && !gt_color_parse(option->text, &color)) {
        return session_misuse(job->session,
                              "--background is gradient, transparent, a colour such as white, or #rrggbb, not '%s'",
                              option->text);
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

static const char* text_option(const OptionValue* option)
{
    return option->given ? option->text : NULL;
}

static double number_option(const OptionValue* option, double otherwise)
{
    return option->given ? option->number : otherwise;
}

static void choose_view(const OptionValue* values, GtShotView* view)
{
    const double rad_per_deg = 3.14159265358979323846 / 180.0;
    const OptionValue* camera = &values[RENDER_CAMERA];
    if (camera->given) {
        view->place = (GtCameraPlace)(camera->choice % GT_CAMERA_PLACE_COUNT);
        view->follow = camera->choice >= GT_CAMERA_PLACE_COUNT ? GT_FOLLOW_ALWAYS : GT_FOLLOW_NEVER;
    }
    view->angle_rad = (float)(rad_per_deg * number_option(&values[RENDER_ANGLE], NAN));
    view->elevation_rad = (float)(rad_per_deg * number_option(&values[RENDER_ELEVATION], NAN));
    view->turntable = values[RENDER_TURNTABLE].given;
    view->focus = text_option(&values[RENDER_FOCUS]);
}

static void choose_overlays(const OptionValue* values, GtShotOverlays* o)
{
    o->skeleton = values[RENDER_SKELETON].given;
    o->wire = values[RENDER_WIRE].given;
    o->axes = values[RENDER_AXES].given;
    o->point_lights = values[RENDER_POINT_LIGHTS].given;
    o->paint = values[RENDER_WEIGHTS].given      ? GT_PAINT_WEIGHT
               : values[RENDER_INFLUENCES].given ? GT_PAINT_INFLUENCES
               : values[RENDER_ERROR].given      ? GT_PAINT_DISTANCE
                                                 : GT_PAINT_NONE;
    o->paint_joint = values[RENDER_WEIGHTS].text;
    o->paint_max_m = number_option(&values[RENDER_ERROR_MAX], 0.0) / 1e3;
    o->onion_count = (int32_t)number_option(&values[RENDER_ONION], 0.0);
    o->onion_step_s = number_option(&values[RENDER_ONION_STEP], o->onion_step_s);
    o->trails = text_option(&values[RENDER_TRAILS]);
    o->contacts = values[RENDER_CONTACTS].given || values[RENDER_CONTACTS_FROM].given;
}

static bool check_overlays(Session* session, const OptionValue* values)
{
    int paints = values[RENDER_WEIGHTS].given + values[RENDER_INFLUENCES].given + values[RENDER_ERROR].given;
    if (paints > 1) {
        return session_misuse(session, "--weights, --influences and --error each colour the skin: give one of them");
    }
    if (values[RENDER_POINT_LIGHTS].given &&
        (paints > 0 || values[RENDER_SKELETON].given || values[RENDER_WIRE].given || values[RENDER_ONION].given)) {
        return session_misuse(session, "--point-lights shows nothing but lights: no skin, skeleton or ghosts");
    }
    if (values[RENDER_ERROR_MAX].given && !values[RENDER_ERROR].given) {
        return session_misuse(session, "--error-max is the end of the colours of --error, which is not given");
    }
    if (values[RENDER_ONION_STEP].given && !values[RENDER_ONION].given) {
        return session_misuse(session, "--onion-step is between the ghosts of --onion, which is not given");
    }
    return true;
}

// Options that contradict each other.
static bool check_options(const RenderJob* job, const GtFilmFormat* film)
{
    Session* session = job->session;
    const OptionValue* values = job->values;
    bool has_part = values[RENDER_FROM].given || values[RENDER_TO].given;
    bool is_sheet = values[RENDER_SHEET].given;
    bool is_turntable = values[RENDER_TURNTABLE].given;
    int figure_count = job->line->argument_count * (values[RENDER_MIRROR].given ? 2 : 1);
    if (is_sheet && film) {
        return session_misuse(session, "--sheet makes a .png, not a .%s", film->name);
    }
    if (is_turntable && !film && !is_sheet) {
        return session_misuse(session, "--turntable needs a film, or --sheet for several sides in one picture");
    }
    if (values[RENDER_TIME].given && has_part) {
        return session_misuse(session, "--time is one moment, --from and --to are many: give either");
    }
    if (values[RENDER_TIME].given && (film || is_sheet) && !is_turntable) {
        return session_misuse(session, "--time is for one picture; use --from and --to");
    }
    if (has_part && !film && !is_sheet) {
        return session_misuse(session, "--from and --to are for sheets and films; use --time");
    }
    if (values[RENDER_FROM].given && values[RENDER_TO].given && values[RENDER_FROM].number > values[RENDER_TO].number) {
        return session_misuse(session, "--from (%g s) is after --to (%g s)", values[RENDER_FROM].number,
                              values[RENDER_TO].number);
    }
    if (values[RENDER_FPS].given && !film) {
        return session_misuse(session, "--fps is for films, and %s is none", values[RENDER_OUTPUT].text);
    }
    if ((values[RENDER_PROP].given || values[RENDER_GROUND].given) && figure_count > 1) {
        return session_misuse(session, "%s is for one file; there are %d",
                              values[RENDER_GROUND].given ? "--ground" : "--prop", figure_count);
    }
    return check_overlays(session, values);
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
    const OptionValue* values = job->values;
    const char* path = values[RENDER_OUTPUT].text;
    const GtFilmFormat* film = gt_film_format_find(path);
    GtShotDef* def = &job->def;
    *def = gt_default_shot_def();
    def->path = strcmp(path, "-") ? path : "/dev/stdout";
    def->mirror = values[RENDER_MIRROR].given;
    def->force_skin_method = values[RENDER_SKIN].given;
    def->skin_method = (GtSkinMethod)values[RENDER_SKIN].choice;
    def->sheet_count = (int32_t)number_option(&values[RENDER_SHEET], 0.0);
    if (values[RENDER_SIZE].given) {
        def->width = values[RENDER_SIZE].width;
        def->height = values[RENDER_SIZE].height;
    }
    if (values[RENDER_QUALITY].given) {
        def->quality = (GtRenderQuality)values[RENDER_QUALITY].choice;
    }
    def->time_s = number_option(&values[RENDER_TIME], NAN);
    def->from_s = number_option(&values[RENDER_FROM], NAN);
    def->to_s = number_option(&values[RENDER_TO], NAN);
    def->frame_rate_hz = number_option(&values[RENDER_FPS], 0.0);
    choose_view(values, &def->view);
    choose_overlays(values, &def->overlays);
    return check_output(job->session, path, film) && check_options(job, film) && choose_background(job, film);
}

static bool read_figures(RenderJob* job, const GtLoadDef* load)
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
        if (!scene_read(session, file, load, &job->scenes[i])) {
            return false;
        }
        *figure = gt_default_shot_figure(job->scenes[i]);
        figure->name = strcmp(file, "-") ? file : "standard input";
        if (!clip_find(session, job->scenes[i], file, text_option(&job->values[RENDER_CLIP]), &figure->animation)) {
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
    const char* file = text_option(&job->values[RENDER_CONTACTS_FROM]);
    bool ok = !file || gt_contacts_load(&job->session->context, file, &job->contacts, &error) == GT_OK ||
              session_fail(job->session, &error);
    job->def.overlays.contact_times = job->contacts;
    return ok;
}

static bool read_files(RenderJob* job)
{
    Session* session = job->session;
    const OptionValue* values = job->values;
    GtShotDef* def = &job->def;
    GtLoadDef load = scene_load_def(&values[RENDER_UNITS], &values[RENDER_UP], &values[RENDER_GROUP]);
    GtLoadDef ground_load = ground_load_def();
    const char* ground = text_option(&values[RENDER_GROUND]);
    const char* prop = text_option(&values[RENDER_PROP]);
    const char* reference = text_option(&values[RENDER_ERROR]);
    if (!read_figures(job, &load) || (ground && !scene_read(session, ground, &ground_load, &job->ground)) ||
        (prop && !scene_read(session, prop, &load, &job->prop)) ||
        (reference && (!scene_read(session, reference, &load, &job->reference) ||
                       !clip_find(session, job->reference, reference, text_option(&values[RENDER_CLIP]),
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
    const char* path = job->values[RENDER_OUTPUT].text;
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
    RenderJob job = { .session = session, .line = line, .values = line->values };
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

static void render_defaults(OptionValue* values)
{
    GtShotDef def = gt_default_shot_def();
    values[RENDER_ONION_STEP] = (OptionValue){ .has_default = true, .number = def.overlays.onion_step_s };
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
    .options = { [RENDER_OUTPUT] = { .name = "output",
                                     .letter = 'o',
                                     .kind = OPTION_FILE,
                                     .required = true,
                                     .value = "OUT",
                                     .help = "file to write, or - for a PNG on standard output",
                                     .endings = "png mp4 webm gif apng" },
                 [RENDER_TIME] = { .name = "time",
                                   .kind = OPTION_NUMBER,
                                   .value = "SECONDS",
                                   .help = "moment of a picture (default: the middle of the motion)",
                                   .min = -1e6,
                                   .max = 1e6 },
                 [RENDER_FROM] = { .name = "from",
                                   .kind = OPTION_NUMBER,
                                   .value = "SECONDS",
                                   .help = "where a sheet or film begins (default: the start of the motion)",
                                   .min = -1e6,
                                   .max = 1e6 },
                 [RENDER_TO] = { .name = "to",
                                 .kind = OPTION_NUMBER,
                                 .value = "SECONDS",
                                 .help = "where a sheet or film ends (default: the end of the motion)",
                                 .min = -1e6,
                                 .max = 1e6 },
                 [RENDER_SHEET] = { .name = "sheet",
                                    .kind = OPTION_INTEGER,
                                    .value = "N",
                                    .help = "draw N moments in a grid",
                                    .min = 1,
                                    .max = 1000 },
                 [RENDER_TURNTABLE] = { .name = "turntable", .help = "move the camera around the figure once" },
                 [RENDER_CAMERA] = { .name = "camera",
                                     .kind = OPTION_CHOICE,
                                     .value = "PLACE",
                                     .help = "where the camera stands; those that follow move along with the figure "
                                             "(default: three-quarter, or follow for a sheet or turntable)",
                                     .choices = camera_names },
                 [RENDER_ANGLE] = { .name = "angle",
                                    .kind = OPTION_NUMBER,
                                    .value = "DEG",
                                    .help = "turn the camera around the figure: 0 sees its front, 90 its left side, "
                                            "180 its back (default: as --camera stands)",
                                    .min = -360,
                                    .max = 360 },
                 [RENDER_ELEVATION] = { .name = "elevation",
                                        .kind = OPTION_NUMBER,
                                        .value = "DEG",
                                        .help = "raise the camera above the horizon: 0 is level, 90 looks straight "
                                                "down (default: as --camera stands)",
                                        .min = -90,
                                        .max = 90 },
                 [RENDER_FOCUS] = { .name = "focus",
                                    .kind = OPTION_TEXT,
                                    .value = "JOINTS",
                                    .help = "frame only these joints and what hangs on them, such as head or "
                                            "leftUpperArm,leftHand (default: the whole figure)" },
                 [RENDER_SIZE] = { .name = "size",
                                   .kind = OPTION_SIZE,
                                   .value = "WxH",
                                   .help = "pixels of a picture (default: 1280x720, or 480x480 for each of a sheet)",
                                   .min = 16,
                                   .max = 8192 },
                 [RENDER_FPS] = { .name = "fps",
                                  .kind = OPTION_NUMBER,
                                  .value = "HZ",
                                  .help = "pictures a second of a film (default: 30, or 25 for .gif)",
                                  .min = 1,
                                  .max = 240 },
                 [RENDER_QUALITY] = { .name = "quality",
                                      .kind = OPTION_CHOICE,
                                      .value = "NAME",
                                      .help = "draft is fast; fine has soft shadows and smooth edges (default: fine)",
                                      .choices = quality_names },
                 [RENDER_BACKGROUND] = { .name = "background",
                                         .kind = OPTION_TEXT,
                                         .value = "COLOR",
                                         .help = "gradient, transparent, a name such as white, or #rrggbb (default: "
                                                 "gradient)" },
                 [RENDER_GROUND] = { .name = "ground",
                                     .kind = OPTION_FILE,
                                     .value = "MESH",
                                     .help = "mesh that replaces the floor, as feet were planted on; with one FILE" },
                 [RENDER_PROP] = { .name = "prop",
                                   .kind = OPTION_FILE,
                                   .value = "SCENE",
                                   .help = "another scene, such as a chair, which plays its first clip; with one "
                                           "FILE" },
                 [RENDER_MIRROR] = { .name = "mirror", .help = "draw the mirror image of each FILE beside it" },
                 [RENDER_NO_GROUND] = { .name = "no-ground", .help = "leave out the floor, its grid and shadows" },
                 [RENDER_SKIN] = { .name = "skin",
                                   .kind = OPTION_CHOICE,
                                   .value = "METHOD",
                                   .help = "how joints bend the skin (default: as the file says)",
                                   .choices = skin_names },
                 [RENDER_SKELETON] = { .name = "skeleton", .help = "show the bones through a transparent skin" },
                 [RENDER_WIRE] = { .name = "wire", .help = "draw the edges of the triangles over the skin" },
                 [RENDER_AXES] = { .name = "axes", .help = "draw each joint's axes: x red, y green, z blue" },
                 [RENDER_WEIGHTS] = { .name = "weights",
                                      .kind = OPTION_TEXT,
                                      .value = "JOINT",
                                      .help = "colour the skin by how much JOINT moves it" },
                 [RENDER_INFLUENCES] = { .name = "influences",
                                         .help = "colour the skin by how many joints move each vertex" },
                 [RENDER_ERROR] = { .name = "error",
                                    .kind = OPTION_FILE,
                                    .value = "REFERENCE",
                                    .help = "colour the skin by its distance from that of another file, in "
                                            "millimetres" },
                 [RENDER_ERROR_MAX] = { .name = "error-max",
                                        .kind = OPTION_NUMBER,
                                        .value = "MM",
                                        .help = "distance where the colours of --error end (default: the largest)",
                                        .min = 1e-6,
                                        .max = 1e9 },
                 [RENDER_ONION] = { .name = "onion",
                                    .kind = OPTION_INTEGER,
                                    .value = "N",
                                    .help = "show N ghosts before each moment, blue, and N after it, orange",
                                    .min = 1,
                                    .max = 20 },
                 [RENDER_ONION_STEP] = { .name = "onion-step",
                                         .kind = OPTION_NUMBER,
                                         .value = "SECONDS",
                                         .help = "time from ghost to ghost",
                                         .min = 1e-3,
                                         .max = 1e3 },
                 [RENDER_TRAILS] = { .name = "trails",
                                     .kind = OPTION_TEXT,
                                     .value = "JOINTS",
                                     .help = "draw the paths of joints, such as leftHand,rightHand" },
                 [RENDER_CONTACTS] = { .name = "contacts",
                                       .help = "draw marks under heels and balls that stand, and where they stood" },
                 [RENDER_CONTACTS_FROM] = { .name = "contacts-from",
                                            .kind = OPTION_FILE,
                                            .value = "CONTACTS.json",
                                            .help = "draw the contacts of a file that 'gertie contacts' wrote",
                                            .endings = "json" },
                 [RENDER_POINT_LIGHTS] = { .name = "point-lights",
                                           .help = "show only lights at a dozen joints, in the dark" },
                 [RENDER_CLIP] = { .name = "clip",
                                   .kind = OPTION_TEXT,
                                   .value = "CLIP",
                                   .help = "clip of each FILE, by name or by number counted from 0 (default: the "
                                           "first)" },
                 [RENDER_UNITS] = OPTION_UNITS("units of FILE, where its format does not say"),
                 [RENDER_UP] = OPTION_UP("axis that points up in FILE, where its format does not say"),
                 [RENDER_GROUP] = { .name = "group",
                                    .kind = OPTION_TEXT,
                                    .value = "NAME",
                                    .help = "read this group or object of an OBJ only" } },
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
    .defaults = render_defaults,
    .run = render_run,
};
